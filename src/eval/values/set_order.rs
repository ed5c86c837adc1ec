//! The order in which CPython goes through a set: its open-addressing table, filled again in order
//! of insertion. Texts have random hashes there; a set that holds one keeps the order of insertion.

use super::dict::{Key, Table};
use super::value::Value;
use vjp_tensor::budget;

/// The modulus of CPython's numeric hashes, 2⁶¹ − 1.
const MODULUS: u64 = (1 << 61) - 1;
/// Neighbours tried before the probe jumps.
const NEIGHBOURS: usize = 9;

/// `hash(key)` as CPython computes it; None where it depends on the process.
pub fn hash(key: &Key) -> Option<i64> {
    Some(match key {
        Key::Int(i) => {
            let h = (i.unsigned_abs() % MODULUS) as i64;
            avoid_minus_one(if *i < 0 { -h } else { h })
        }
        Key::Long(n) => super::integer::hash(n),
        Key::Float(bits) => avoid_minus_one(hash_float(f64::from_bits(*bits))),
        Key::Tuple(items) => {
            const PRIME_1: u64 = 11_400_714_785_074_694_791;
            const PRIME_2: u64 = 14_029_467_366_897_019_727;
            const PRIME_5: u64 = 2_870_177_450_012_600_261;
            let mut acc = PRIME_5;
            for item in items {
                acc = acc
                    .wrapping_add((hash(item)? as u64).wrapping_mul(PRIME_2))
                    .rotate_left(31)
                    .wrapping_mul(PRIME_1);
            }
            acc = acc.wrapping_add(items.len() as u64 ^ (PRIME_5 ^ 3_527_539));
            if acc == u64::MAX { 1_546_275_796 } else { acc as i64 }
        }
        Key::None | Key::Str(_) | Key::Is(_) => return None,
    })
}

fn avoid_minus_one(h: i64) -> i64 {
    if h == -1 { -2 } else { h }
}

/// CPython's `_Py_HashDouble`: the value modulo 2⁶¹ − 1.
fn hash_float(x: f64) -> i64 {
    if x.is_nan() {
        return 0;
    }
    if x.is_infinite() {
        return if x > 0.0 { 314_159 } else { -314_159 };
    }
    let bits = x.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
    let (mantissa, power) = match exponent {
        0 => (fraction, -1074),
        e => (fraction | 1 << 52, e - 1075),
    };
    // mantissa · 2^power: powers of two have period 61.
    let turn = power.rem_euclid(61) as u32;
    let wide = u128::from(mantissa % MODULUS) << turn;
    let h = (wide % u128::from(MODULUS)) as i64;
    if x < 0.0 { -h } else { h }
}

/// The elements in CPython's order.
pub fn elements(table: &Table) -> Vec<Value> {
    let items: Vec<&Value> = table.iter().map(|(_, n, _)| n).collect();
    let hashes: Option<Vec<i64>> = table.iter().map(|(k, _, _)| hash(k)).collect();
    match hashes {
        _ if budget::stopping() => Vec::new(),
        Some(hashes) => places(&hashes).into_iter().map(|i| items[i].clone()).collect(),
        None => items.into_iter().cloned().collect(),
    }
}

/// Positions in order of the table that CPython would have.
fn places(hashes: &[i64]) -> Vec<usize> {
    let mut slots: Vec<Option<usize>> = vec![None; 8];
    for (used, i) in (1..).zip(0..hashes.len()) {
        // Whoever wishes to stop does not look at the order.
        if budget::stopping() {
            return (0..hashes.len()).collect();
        }
        put(&mut slots, hashes, i);
        if used * 5 >= (slots.len() - 1) * 3 {
            let least = if used > 50_000 { used * 2 } else { used * 4 };
            let mut size = 8;
            while size <= least {
                size *= 2;
            }
            let old = std::mem::replace(&mut slots, vec![None; size]);
            for j in budget::unless_stopped(old.into_iter().flatten()) {
                put(&mut slots, hashes, j);
            }
        }
    }
    slots.into_iter().flatten().collect()
}

fn put(slots: &mut [Option<usize>], hashes: &[i64], item: usize) {
    let mask = slots.len() - 1;
    let mut perturb = hashes[item] as u64;
    let mut i = perturb as usize & mask;
    loop {
        let more = if i + NEIGHBOURS <= mask { NEIGHBOURS } else { 0 };
        if let Some(free) = (i..=i + more).find(|&j| slots[j].is_none()) {
            slots[free] = Some(item);
            return;
        }
        perturb >>= 5;
        i = (i.wrapping_mul(5).wrapping_add(1).wrapping_add(perturb as usize)) & mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Orders from CPython 3.11.
    #[test]
    fn small_sets() {
        let order = |items: &[i64]| -> Vec<i64> {
            let hashes: Vec<i64> = items.iter().filter_map(|i| hash(&Key::Int(*i))).collect();
            places(&hashes).into_iter().map(|i| items[i]).collect()
        };
        assert_eq!(order(&[10, 5, 20]), [10, 20, 5]);
        assert_eq!(order(&[100, 50, 7, 3]), [50, 3, 100, 7]);
        assert_eq!(order(&[-1, -2, 0]), [0, -1, -2]);
        assert_eq!(order(&[8, 0, 16]), [8, 0, 16]);
    }

    #[test]
    fn hashes() {
        assert_eq!(
            hash(&Key::Tuple(vec![Key::Int(1), Key::Int(2)])),
            Some(-3_550_055_125_485_641_917)
        );
        assert_eq!(hash(&Key::Float(1.5f64.to_bits())), Some(1_152_921_504_606_846_977));
        assert_eq!(hash(&Key::Float(f64::INFINITY.to_bits())), Some(314_159));
    }
}
