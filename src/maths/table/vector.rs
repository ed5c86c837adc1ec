//! Rows over long arrays: loops over tiles, compiled for each kind of processor; and vᵀJ of a row,
//! value of its partial and product with v in one go. [`value`] and [`pull`] are the only places where
//! such a loop is started: what comes to evaluate several nodes together starts it there.

use super::super::algebra::Formula;
use super::super::complaint::Outcome;
use super::super::kernels::blocks::{self, Slot};
use super::super::kernels::tile::{Input, Tile};
use super::super::kernels::{Cpu, TILE};
use super::super::tensor::{Dtype, Tensor};
use super::row::Pointwise;

/// From this many elements on a loop over tiles is worth its start.
pub const FROM: usize = 64;

/// Element `i` of an operand.
trait Read: Copy {
    fn at(self, i: usize) -> f64;
}

impl Read for f64 {
    #[inline(always)]
    fn at(self, _: usize) -> f64 {
        self
    }
}

impl Read for &[f64] {
    #[inline(always)]
    fn at(self, i: usize) -> f64 {
        self[i]
    }
}

/// What all clones of the loop do; whether a lane gave a NaN, which a look at each result apart would
/// take as long to tell as computing it.
#[inline(always)]
fn run<P: Pointwise<N>, const N: usize>(
    p: &P,
    x: [Input; N],
    out: &mut [Slot],
    lanes: bool,
) -> bool {
    let n = out.len();
    let f = |x: [f64; N]| if lanes { p.lane(x) } else { p.at(x) };
    let second = if N == 2 { x[1] } else { x[0] };
    match (x[0], second) {
        (Input::Many(a), Input::Many(b)) if N <= 2 => pairs(&a[..n], &b[..n], out, f),
        (Input::Many(a), Input::One(b)) if N == 2 => pairs(&a[..n], b, out, f),
        (Input::One(a), Input::Many(b)) if N == 2 => pairs(a, &b[..n], out, f),
        _ => {
            let mut spread = [[0.0; TILE]; N];
            for (row, input) in spread.iter_mut().zip(x) {
                match input {
                    Input::One(c) => row[..n].fill(c),
                    Input::Many(all) => row[..n].copy_from_slice(&all[..n]),
                }
            }
            for (i, slot) in out.iter_mut().enumerate() {
                slot.write(f(std::array::from_fn(|k| spread[k][i])));
            }
        }
    }
    // SAFETY: the loops above have written all slots.
    let unknown = |slot: &Slot| unsafe { slot.assume_init() }.is_nan();
    P::LANES && lanes && out.iter().fold(false, |any, slot| any | unknown(slot))
}

#[inline(always)]
fn pairs<const N: usize>(
    a: impl Read,
    b: impl Read,
    out: &mut [Slot],
    f: impl Fn([f64; N]) -> f64,
) {
    for (i, slot) in out.iter_mut().enumerate() {
        slot.write(f(std::array::from_fn(|k| if k == 0 { a.at(i) } else { b.at(i) })));
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<P: Pointwise<N>, const N: usize>(p: &P, x: [Input; N], out: &mut [Slot]) -> bool {
    run(p, x, out, true)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512dq,avx512vl")]
fn avx512<P: Pointwise<N>, const N: usize>(p: &P, x: [Input; N], out: &mut [Slot]) -> bool {
    run(p, x, out, true)
}

/// A row's function over one tile.
pub fn tile<P: Pointwise<N>, const N: usize>(p: &P, cpu: Cpu, args: &[Input], out: &mut [Slot]) {
    debug_assert!(out.len() <= TILE && args.len() >= N);
    let x: [Input; N] = std::array::from_fn(|k| args[k]);
    let unknown = match cpu {
        Cpu::Plain => run(p, x, out, false),
        // SAFETY: `Cpu::over` has found the processor to have these instructions.
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx2 => unsafe { avx2(p, x, out) },
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx512 => unsafe { avx512(p, x, out) },
        #[cfg(target_arch = "aarch64")]
        Cpu::Neon => run(p, x, out, true),
    };
    if unknown {
        for (i, slot) in out.iter_mut().enumerate() {
            // SAFETY: the loops above have written all slots.
            if unsafe { slot.assume_init() }.is_nan() {
                slot.write(p.at(std::array::from_fn(|k| match x[k] {
                    Input::One(c) => c,
                    Input::Many(all) => all[i],
                })));
            }
        }
    }
}

/// The operands of an elementwise loop, where each has the shape of the result or is one number.
/// None: rows or columns are repeated, or the loop is short.
fn inputs<'a, const N: usize>(
    tensors: &[&'a Tensor],
    shape: &[usize],
    count: usize,
) -> Option<[Input<'a>; N]> {
    let mut out = [Input::One(0.0); N];
    for (slot, t) in out.iter_mut().zip(tensors) {
        *slot = match t.data() {
            all if t.shape() == shape => Input::Many(all),
            [one] if t.rank() <= shape.len() => Input::One(*one),
            _ => return None,
        };
    }
    (count >= FROM).then_some(out)
}

/// A row's function over long arrays. None: see [`inputs`].
pub fn value<P: Pointwise<N>, const N: usize>(
    p: &P,
    tensors: &[&Tensor],
    dtype: Dtype,
) -> Option<Outcome<Tensor>> {
    let widest = tensors.iter().take(N).max_by_key(|t| t.numel())?;
    let (shape, n) = (widest.shape(), widest.numel());
    let x = inputs::<N>(tensors, shape, n)?;
    let cpu = Cpu::over(n);
    let out = blocks::fill(n, |at, out| {
        let part = x.map(|i| i.part(at, out.len()));
        tile(p, cpu, &part, out);
    });
    Some(out.map(|out| Tensor::typed(shape, out, dtype)))
}

/// vᵀJ of a row with respect to operand `wrt`, whose slope is not a constant. None: see [`inputs`].
pub fn pull<P: Pointwise<N>, const N: usize>(
    p: &P,
    tensors: &[&Tensor],
    output: &Tensor,
    wrt: usize,
    v: &Tensor,
) -> Option<Outcome<Tensor>> {
    let (shape, n) = (output.shape(), output.numel());
    let double = |t: &Tensor| t.dtype() == Dtype::Float64 || t.rank() == 0;
    if tensors[wrt].shape() != shape || !tensors[..N].iter().all(|t| double(t)) {
        return None;
    }
    let x = inputs::<N>(tensors, shape, n)?;
    let [y, v] = inputs::<2>(&[output, v], shape, n)?;
    let cpu = Cpu::over(n);
    let out = blocks::fill(n, |at, out| {
        let len = out.len();
        let x = x.map(|i| Formula::In(Tile::new(cpu, len, i.part(at, len))));
        let y = Formula::In(Tile::new(cpu, len, y.part(at, len)));
        let slope = p.partial(wrt, &x, &y);
        let slope = match &slope {
            Formula::Const(c) => Input::One(*c),
            Formula::In(t) => t.input(),
        };
        (super::MUL.tile)(cpu, &[v.part(at, len), slope], out);
    });
    Some(out.map(|out| Tensor::new(shape, out)))
}
