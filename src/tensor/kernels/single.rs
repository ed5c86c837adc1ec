//! Between doubles and float32, in the widest registers that there are: each product, and each loop that
//! rounds, goes through here.

use crate::kernels::Cpu;
use crate::{Outcome, budget};
use std::mem::MaybeUninit;

/// Fewer are sooner converted than the processor is asked.
const FEW: usize = 32;

fn cpu(n: usize) -> Cpu {
    if n < FEW { Cpu::Plain } else { Cpu::here() }
}

per_cpu! {
    fn rounding<>(data: &mut [f64]) -> () {
        for v in data {
            *v = f64::from(*v as f32);
        }
    }
}

per_cpu! {
    fn shortening<>(from: &[f64], to: &mut [MaybeUninit<f32>]) -> () {
        for (slot, v) in to.iter_mut().zip(from) {
            slot.write(*v as f32);
        }
    }
}

per_cpu! {
    fn lengthening<>(from: &[f32], to: &mut [MaybeUninit<f64>]) -> () {
        for (slot, v) in to.iter_mut().zip(from) {
            slot.write(f64::from(*v));
        }
    }
}

/// Each rounded to the nearest float32.
#[inline]
pub fn round(data: &mut [f64]) {
    rounding(cpu(data.len()), data);
}

/// Written as float32.
pub fn shorter(from: &[f64], to: &mut [MaybeUninit<f32>]) {
    shortening(cpu(to.len()), from, to);
}

/// Written as doubles.
pub fn longer(from: &[f32], to: &mut [MaybeUninit<f64>]) {
    lengthening(cpu(to.len()), from, to);
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
pub fn shorten(data: &[f64]) -> Outcome<Vec<f32>> {
    let mut out = budget::vec(data.len())?;
    shorter(data, &mut out.spare_capacity_mut()[..data.len()]);
    // SAFETY: as many are written.
    unsafe { out.set_len(data.len()) };
    Ok(out)
}

/// All numbers as doubles.
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
