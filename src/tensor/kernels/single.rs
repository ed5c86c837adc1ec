//! Between doubles and float32, in the widest registers that there are: each product, and each loop that
//! rounds, goes through here.

use crate::budget;
use crate::complaint::Outcome;
use std::mem::MaybeUninit;

/// Fewer are sooner converted than the processor is asked.
#[cfg(any(test, target_arch = "x86_64"))]
const FEW: usize = 32;

/// `$name` is `$body` compiled for each kind of processor.
macro_rules! everywhere {
    ($(#[$doc:meta])* $name:ident($from:ident: $From:ty, $to:ident: $To:ty) $body:block) => {
        $(#[$doc])*
        pub fn $name($from: $From, $to: $To) {
            #[inline(always)]
            fn plain($from: $From, $to: $To) $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2($from: $From, $to: $To) {
                plain($from, $to);
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
            fn avx512($from: $From, $to: $To) {
                plain($from, $to);
            }

            #[cfg(target_arch = "x86_64")]
            if $to.len() >= FEW && is_x86_feature_detected!("avx2") {
                let wide = is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl");
                // SAFETY: the processor has these instructions.
                return match wide {
                    true => unsafe { avx512($from, $to) },
                    false => unsafe { avx2($from, $to) },
                };
            }
            plain($from, $to);
        }
    };
}

everywhere! {
    /// Each rounded to the nearest float32.
    rounded(_from: (), data: &mut [f64]) {
        for v in data {
            *v = f64::from(*v as f32);
        }
    }
}

everywhere! {
    /// Written as float32.
    shorter(from: &[f64], to: &mut [MaybeUninit<f32>]) {
        for (slot, v) in to.iter_mut().zip(from) {
            slot.write(*v as f32);
        }
    }
}

everywhere! {
    /// Written as doubles.
    longer(from: &[f32], to: &mut [MaybeUninit<f64>]) {
        for (slot, v) in to.iter_mut().zip(from) {
            slot.write(f64::from(*v));
        }
    }
}

/// Each rounded to the nearest float32.
#[inline]
pub fn round(data: &mut [f64]) {
    rounded((), data);
}

/// All numbers as doubles, written over those.
pub fn lengthen_into(from: &[f32], to: &mut [f64]) {
    // SAFETY: only numbers are written there.
    longer(from, unsafe { &mut *(std::ptr::from_mut(to) as *mut [MaybeUninit<f64>]) });
}

/// All numbers as float32, written there.
pub fn shorten_into<'a>(from: &[f64], to: &'a mut [MaybeUninit<f32>]) -> &'a [f32] {
    let to = &mut to[..from.len()];
    shorter(from, to);
    // SAFETY: as many are written.
    unsafe { &*(std::ptr::from_ref(to) as *const [f32]) }
}

/// All numbers as float32.
///
/// # Errors
/// Memory.
pub fn shorten(data: &[f64]) -> Outcome<Vec<f32>> {
    let mut out = budget::vec(data.len())?;
    shorter(data, &mut out.spare_capacity_mut()[..data.len()]);
    // SAFETY: as many are written.
    unsafe { out.set_len(data.len()) };
    Ok(out)
}

/// All numbers as doubles.
///
/// # Errors
/// Memory.
pub fn lengthen(data: &[f32]) -> Outcome<Vec<f64>> {
    let mut out = budget::vec(data.len())?;
    longer(data, &mut out.spare_capacity_mut()[..data.len()]);
    // SAFETY: as many are written.
    unsafe { out.set_len(data.len()) };
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_once() -> Outcome<()> {
        for n in [1, FEW, 5 * FEW + 3] {
            let data: Vec<f64> = (0..n).map(|k| 1.0 / (k + 3) as f64).collect();
            let short = shorten(&data)?;
            assert!(data.iter().zip(&short).all(|(v, s)| *v as f32 == *s));
            let mut same = data;
            round(&mut same);
            assert_eq!(same, lengthen(&short)?);
        }
        Ok(())
    }
}
