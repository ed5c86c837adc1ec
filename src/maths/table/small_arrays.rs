//! Rows on few numbers, where looking after the work would cost more than the work: slopes taken
//! number by number, and what a row saves, asked once.

use super::elementwise;
use super::row::{OPERANDS, Pointwise, Repeated};
use crate::autodiff::algebra::Input;
use crate::{Elementwise, Formula, Point, Saves};
use std::sync::atomic::{AtomicU16, Ordering};
use vjp_tensor::kernels::blocks::Slot;
use vjp_tensor::tensor::default_dtype;
use vjp_tensor::{Dtype, Tensor};

/// Above so many the loops over whole arrays are as fast.
const FEW: usize = 64;

/// The first N of the operands that a loop for all rows hands to one.
#[inline(always)]
pub fn first<T: Copy, const N: usize>(all: &[T]) -> [T; N] {
    let mut out = [all[0]; N];
    out.copy_from_slice(&all[..N]);
    out
}

/// vᵀJ with respect to operand `wrt`, in one loop and without the map. None where types are mixed, where
/// the operand was broadcast, or where there are many numbers.
pub fn pull(p: &dyn Elementwise, at: &Point<Tensor>, wrt: usize, v: &Tensor) -> Option<Tensor> {
    let (inputs, n) = (&at.values[..p.row().fun.operands], v.numel());
    if n > FEW || default_dtype() != Dtype::Float64 {
        return None;
    }
    // Rounding after every step, as other types need it, is the business of the arrays.
    for t in inputs {
        if !matches!(t.dtype(), Dtype::Float64 | Dtype::Int64) {
            return None;
        }
    }
    for t in [v, at.value, inputs[wrt]] {
        if t.dtype() != Dtype::Float64 {
            return None;
        }
    }
    if let (Some(x), Some(y), Some(v)) =
        (elementwise::scalars(inputs), at.value.as_scalar(), v.as_scalar())
    {
        return Some(Tensor::scalar(p.pass(wrt, &x, y, v)));
    }
    let shape = v.shape();
    if !alike(inputs[wrt].shape(), shape) || !alike(at.value.shape(), shape) {
        return None;
    }
    if let Formula::Const(1.0) = p.reads(wrt) {
        return Some(v.clone());
    }
    let mut x: [Repeated; OPERANDS] = [(&[], 0); OPERANDS];
    for (slot, t) in x.iter_mut().zip(inputs) {
        *slot = match t.data() {
            all if alike(t.shape(), shape) => (all, usize::MAX),
            one if one.len() == 1 => (one, 0),
            _ => return None,
        };
    }
    Some(Tensor::new(shape, p.pass_few(wrt, &x, at.value.data(), v.data())))
}

/// [`Elementwise::pass_few`].
#[inline(always)]
pub fn pass_each<P: Pointwise<N>, const N: usize>(
    p: &P,
    wrt: usize,
    x: [Repeated; N],
    y: &[f64],
    v: &[f64],
) -> Vec<f64> {
    let mut out = Vec::with_capacity(v.len());
    for (i, (y, v)) in y.iter().zip(v).enumerate() {
        let mut now = [0.0; N];
        for (slot, (data, mask)) in now.iter_mut().zip(x) {
            *slot = data[i & mask];
        }
        out.push(pass(p, wrt, now, *y, *v));
    }
    out
}

/// Writes `of` of the operands' elements over a tile.
#[inline(always)]
pub fn each<const N: usize>(x: &[Input], out: &mut [Slot], mut of: impl FnMut([f64; N]) -> f64) {
    let x: [Input; N] = first(x);
    for (i, slot) in out.iter_mut().enumerate() {
        slot.write(of(x.map(|x| x.at(i))));
    }
}

/// Whether two shapes are one: of so few sizes sooner seen than asked of the C library.
#[inline(always)]
fn alike(a: &[usize], b: &[usize]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

/// [`Elementwise::pass`].
#[inline(always)]
pub fn pass<P: Pointwise<N>, const N: usize>(
    p: &P,
    wrt: usize,
    x: [f64; N],
    y: f64,
    v: f64,
) -> f64 {
    let (x, y) = (x.map(Formula::In), Formula::In(y));
    if P::LED {
        let (Formula::Const(by) | Formula::In(by)) = p.pulled(wrt, &x, &y, &Formula::In(v));
        return by;
    }
    match p.partial(wrt, &x, &y) {
        // No path: not even an infinite cotangent gets through.
        Formula::Const(0.0) => 0.0,
        Formula::Const(by) | Formula::In(by) => v * by,
    }
}

/// What a row without parameters saves, by which operands want a gradient.
pub struct Known([AtomicU16; 8]);

impl Known {
    pub const fn new() -> Known {
        Known([const { AtomicU16::new(0) }; 8])
    }

    /// [`elementwise::saves_for`], asked once for each choice of operands.
    pub fn get(&self, p: &dyn Elementwise, tracked: u8) -> Saves {
        let row = p.row();
        let all = match row.saves {
            Saves::Inputs(_) if row.params.is_empty() => self.0.get(usize::from(tracked)),
            Saves::Inputs(_) | Saves::InputsAndOutput(_) => None,
            fixed => return fixed,
        };
        let Some(slot) = all else {
            return elementwise::saves_for(p, tracked);
        };
        // Bit 8: it is known; below, the mask.
        match slot.load(Ordering::Relaxed) {
            0 => {
                let saves = elementwise::saves_for(p, tracked);
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
