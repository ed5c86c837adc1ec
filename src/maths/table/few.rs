//! Rows on few numbers, where looking after the work would cost more than the work: slopes taken
//! number by number, and what a row saves, asked once.

use super::super::algebra::Formula;
use super::super::rule::{Point, Saves};
use super::super::tensor::{Dtype, Tensor, default_dtype};
use super::row::{self, Pointwise, Reads};
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
    let (inputs, n) = (at.values, v.numel());
    if n > FEW || default_dtype() != Dtype::Float64 {
        return None;
    }
    // Rounding after every step, as other types need it, is the business of the arrays.
    for t in &inputs[..N] {
        if !matches!(t.dtype(), Dtype::Float64 | Dtype::Int64) {
            return None;
        }
    }
    for t in [v, at.value, inputs[wrt]] {
        if t.dtype() != Dtype::Float64 {
            return None;
        }
    }
    if let (Some(x), Some(y), Some(v)) = (row::scalars(inputs), at.value.as_scalar(), v.as_scalar())
    {
        return Some(Tensor::scalar(passed(p, wrt, x, y, v)));
    }
    let shape = v.shape();
    if !alike(inputs[wrt].shape(), shape) || !alike(at.value.shape(), shape) {
        return None;
    }
    let reads: [Formula<Reads>; N] = std::array::from_fn(|k| Formula::In(Reads(1 << k)));
    if let Formula::Const(1.0) = p.partial(wrt, &reads, &Formula::In(Reads(0))) {
        return Some(v.clone());
    }
    let mut x: [Operand; N] = [(&[], 0); N];
    for (slot, t) in x.iter_mut().zip(inputs) {
        *slot = match t.data() {
            all if alike(t.shape(), shape) => (all, usize::MAX),
            one if one.len() == 1 => (one, 0),
            _ => return None,
        };
    }
    let (y, v) = (at.value.data(), v.data());
    // Each operand apart, so that the formula is chosen before the loop and not in it.
    let passed = match wrt {
        0 => each(n, x, y, v, |x, y, v| passed(p, 0, x, y, v)),
        1 => each(n, x, y, v, |x, y, v| passed(p, 1, x, y, v)),
        _ => each(n, x, y, v, |x, y, v| passed(p, wrt, x, y, v)),
    };
    Some(Tensor::new(shape, passed))
}

/// Numbers, and which bits of a place count: none where there is one number only.
type Operand<'a> = (&'a [f64], usize);

#[inline(always)]
fn each<const N: usize>(
    n: usize,
    x: [Operand; N],
    y: &[f64],
    v: &[f64],
    f: impl Fn([f64; N], f64, f64) -> f64,
) -> Vec<f64> {
    let (y, v) = (&y[..n], &v[..n]);
    if x.iter().all(|(_, mask)| *mask != 0) {
        // Lengths that are known to be equal make it a vector loop.
        let x = x.map(|(data, _)| &data[..n]);
        return (0..n).map(|i| f(x.map(|data| data[i]), y[i], v[i])).collect();
    }
    (0..n).map(|i| f(x.map(|(data, mask)| data[i & mask]), y[i], v[i])).collect()
}

/// Whether two shapes are one: of so few sizes sooner seen than asked of the C library.
#[inline(always)]
fn alike(a: &[usize], b: &[usize]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
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
