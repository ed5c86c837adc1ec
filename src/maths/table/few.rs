//! Rows on few numbers, where looking after the work would cost more than the work: slopes taken
//! number by number, and what a row saves, asked once.

use super::super::algebra::Formula;
use super::super::rule::{Point, Saves};
use super::super::tensor::{Dtype, Tensor, default_dtype};
use super::row::{self, Pointwise};
use std::sync::atomic::{AtomicU16, Ordering};

/// Above so many the loops over whole arrays are as fast.
const FEW: usize = 64;

/// vᵀJ with respect to operand `wrt`, in one loop and without the map. None where types are mixed, where
/// the operand was broadcast, or where there are many numbers.
pub fn pull<P: Pointwise<N>, const N: usize>(
    p: &P,
    at: &Point<Tensor>,
    wrt: usize,
    v: &Tensor,
) -> Option<Tensor> {
    // Rounding after every step, as other types need it, is the business of the arrays.
    let exact = |t: &Tensor| matches!(t.dtype(), Dtype::Float64 | Dtype::Int64);
    let float = |t: &Tensor| t.dtype() == Dtype::Float64;
    let inputs = at.values;
    let plain = default_dtype() == Dtype::Float64
        && float(v)
        && float(at.value)
        && float(inputs[wrt])
        && inputs[..N].iter().all(|t| exact(t));
    let n = v.numel();
    if !plain || n > FEW {
        return None;
    }
    let slope = |x: [f64; N], y: f64, v: f64| passed(p, wrt, x, y, v);
    if let (Some(x), Some(y), Some(v)) = (row::scalars(inputs), at.value.as_scalar(), v.as_scalar())
    {
        return Some(Tensor::scalar(slope(x, y, v)));
    }
    let (v, shape) = (v.data(), v.shape());
    let alike = |t: &Tensor| t.shape() == shape;
    if !alike(inputs[wrt]) || !alike(at.value) {
        return None;
    }
    if !inputs[..N].iter().all(|t| alike(t) || t.numel() == 1) {
        return None;
    }
    let y = at.value.data();
    let x: [(&[f64], usize); N] = std::array::from_fn(|k| {
        let t = inputs[k];
        (t.data(), usize::from(t.numel() != 1))
    });
    let each = (0..n).map(|i| slope(x.map(|(data, step)| data[i * step]), y[i], v[i]));
    Some(Tensor::new(shape, each.collect()))
}

/// One number of [`pull`].
#[inline(always)]
fn passed<P: Pointwise<N>, const N: usize>(p: &P, wrt: usize, x: [f64; N], y: f64, v: f64) -> f64 {
    match p.partial(wrt, &x.map(Formula::In), &Formula::In(y)) {
        // No path: not even an infinite cotangent gets through.
        Formula::Const(0.0) => 0.0,
        Formula::Const(by) | Formula::In(by) => v * by,
    }
}

/// [`pull`] of doubles without dimensions. None: an operand is missing.
#[inline]
pub fn pass<P: Pointwise<N>, const N: usize>(
    p: &P,
    x: &[f64],
    y: f64,
    wrt: usize,
    v: f64,
) -> Option<f64> {
    let x: [f64; N] = x.try_into().ok()?;
    Some(passed(p, wrt, x, y, v))
}

/// What a row without parameters saves, by which operands want a gradient.
pub struct Known([AtomicU16; 8]);

impl Known {
    pub const fn new() -> Known {
        Known([const { AtomicU16::new(0) }; 8])
    }

    /// [`row::saves_for`], asked once for each choice of operands.
    pub fn get<P: Pointwise<N>, const N: usize>(&self, p: &P, tracked: u8) -> Saves {
        let all = match P::ROW.saves {
            Saves::Inputs(_) if size_of::<P>() == 0 => self.0.get(usize::from(tracked)),
            Saves::Inputs(_) => None,
            fixed => return fixed,
        };
        let Some(slot) = all else {
            return row::saves_for(p, tracked);
        };
        // Bit 8: it is known; below, the mask.
        match slot.load(Ordering::Relaxed) {
            0 => {
                let saves = row::saves_for(p, tracked);
                let mask = match saves {
                    Saves::Inputs(mask) => mask,
                    _ => 0,
                };
                slot.store(1 << 8 | u16::from(mask), Ordering::Relaxed);
                saves
            }
            known => match known as u8 {
                0 => Saves::Nothing,
                mask => Saves::Inputs(mask),
            },
        }
    }
}
