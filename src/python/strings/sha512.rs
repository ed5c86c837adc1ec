//! SHA-512 (FIPS 180-4), by which Python makes a seed of a text.

use num_bigint::BigUint;

/// The first 64 bits behind the point of the roots of primes: of the cube root, where `cube`, else of the square root.
fn fractions(count: usize, cube: bool) -> Vec<u64> {
    let prime = |n: &u32| (2..*n).all(|d| !n.is_multiple_of(d));
    let bits = |n: u32| match cube {
        true => (BigUint::from(n) << 192u32).cbrt(),
        false => (BigUint::from(n) << 128u32).sqrt(),
    };
    let low = |n: BigUint| n.iter_u64_digits().next().unwrap_or(0);
    (2..).filter(prime).take(count).map(|n| low(bits(n))).collect()
}

/// The eight words of the digest.
pub fn of(message: &[u8]) -> Vec<u64> {
    let (mut hash, constants) = (fractions(8, false), fractions(80, true));
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize((message.len() + 17).next_multiple_of(128) - 16, 0);
    padded.extend((message.len() as u128 * 8).to_be_bytes());
    for block in padded.chunks_exact(128) {
        let word = |w: &[u8]| w.iter().fold(0, |all, b| all << 8 | u64::from(*b));
        let mut w: Vec<u64> = block.chunks_exact(8).map(word).collect();
        for t in 16..80 {
            let (x, y) = (w[t - 15], w[t - 2]);
            let near = x.rotate_right(1) ^ x.rotate_right(8) ^ x >> 7;
            let far = y.rotate_right(19) ^ y.rotate_right(61) ^ y >> 6;
            w.push(w[t - 16].wrapping_add(near).wrapping_add(w[t - 7]).wrapping_add(far));
        }
        let mut v = hash.clone();
        for (k, word) in constants.iter().zip(w) {
            let (a, b, c, e, f, g) = (v[0], v[1], v[2], v[4], v[5], v[6]);
            let turned = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
            let first =
                [turned, e & f ^ !e & g, *k, word].into_iter().fold(v[7], u64::wrapping_add);
            let turned = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
            let second = turned.wrapping_add(a & b ^ a & c ^ b & c);
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(first);
            v[0] = first.wrapping_add(second);
        }
        for (all, new) in hash.iter_mut().zip(v) {
            *all = all.wrapping_add(new);
        }
    }
    hash
}
