//! Rows over long arrays: loops over tiles, compiled for each row and kind of processor; and vᵀJ of a row,
//! value of its partial and product with v in one go.

use super::row::{Pointwise, REGISTERS};
use crate::autodiff::algebra::Formula;
use crate::autodiff::algebra::{Input, Tile};
use crate::autodiff::rule::Elementwise;
use crate::table::small_arrays;
use smallvec::SmallVec;
use vjp_tensor::complaint::Outcome;
use vjp_tensor::kernels::blocks::{self, Slot};
use vjp_tensor::kernels::operand::{OPERANDS, Room, operands, parts};
use vjp_tensor::kernels::{Cpu, LANES_FROM, TILE};
use vjp_tensor::tensor::{Dtype, Tensor};

/// From this many elements on a loop over tiles is worth its start.
const FROM: usize = 64;

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

/// Which of a row's functions a loop takes. No closure: those are not always inlined, and alone would be
/// compiled for any processor.
#[derive(Clone, Copy)]
struct Way<'a, P, const N: usize, const SINGLE: bool> {
    p: &'a P,
    lanes: bool,
}

impl<P: Pointwise<N>, const N: usize, const SINGLE: bool> Way<'_, P, N, SINGLE> {
    #[inline(always)]
    fn take(&self, x: [f64; N]) -> f64 {
        match (SINGLE, self.lanes) {
            (false, false) => self.p.at(x),
            (false, true) => self.p.lane(x),
            (true, false) => self.p.single_at(x),
            (true, true) => self.p.single_lane(x),
        }
    }
}

/// What all clones of the loop do; whether a lane gave a NaN, which a look at each result apart would
/// take as long to tell as computing it.
#[inline(always)]
fn run<P: Pointwise<N>, const N: usize, const SINGLE: bool>(
    p: &P,
    x: [Input; N],
    out: &mut [Slot],
    lanes: bool,
) -> bool {
    let n = out.len();
    let way = Way::<P, N, SINGLE> { p, lanes };
    let second = if N == 2 { x[1] } else { x[0] };
    match (x[0], second) {
        (Input::Many(a), Input::Many(b)) if N <= 2 => pairs(&a[..n], &b[..n], out, way),
        (Input::Many(a), Input::One(b)) if N == 2 => pairs(&a[..n], b, out, way),
        (Input::One(a), Input::Many(b)) if N == 2 => pairs(a, &b[..n], out, way),
        _ => {
            let mut spread = [[0.0; TILE]; N];
            for (row, input) in spread.iter_mut().zip(x) {
                match input {
                    Input::One(c) => row[..n].fill(c),
                    Input::Many(all) => row[..n].copy_from_slice(&all[..n]),
                }
            }
            for (i, slot) in out.iter_mut().enumerate() {
                slot.write(way.take(small_arrays::across(&spread, i)));
            }
        }
    }
    // SAFETY: the loops above have written all slots.
    let unknown = |slot: &Slot| unsafe { slot.assume_init() }.is_nan();
    (P::LANES || SINGLE) && lanes && out.iter().fold(false, |any, slot| any | unknown(slot))
}

#[inline(always)]
fn pairs<P: Pointwise<N>, const N: usize, const SINGLE: bool>(
    a: impl Read,
    b: impl Read,
    out: &mut [Slot],
    way: Way<P, N, SINGLE>,
) {
    for (i, slot) in out.iter_mut().enumerate() {
        let (first, second) = (a.at(i), b.at(i));
        let mut x = [second; N];
        x[0] = first;
        slot.write(way.take(x));
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<P: Pointwise<N>, const N: usize, const SINGLE: bool>(
    p: &P,
    x: [Input; N],
    out: &mut [Slot],
) -> bool {
    run::<P, N, SINGLE>(p, x, out, true)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512dq,avx512vl")]
fn avx512<P: Pointwise<N>, const N: usize, const SINGLE: bool>(
    p: &P,
    x: [Input; N],
    out: &mut [Slot],
) -> bool {
    run::<P, N, SINGLE>(p, x, out, true)
}

/// A row's function over one tile; where `SINGLE`, in float32, each step rounded, by PyTorch's vector functions
/// as far as there are whole registers.
pub fn tile<P: Pointwise<N>, const N: usize, const SINGLE: bool>(
    p: &P,
    cpu: Cpu,
    args: &[Input],
    out: &mut [Slot],
) {
    debug_assert!(out.len() <= TILE);
    let x: [Input; N] = small_arrays::first(args);
    let (cpu, whole) = match SINGLE {
        true => (Cpu::over(LANES_FROM), out.len() - out.len() % REGISTERS),
        false => (cpu, out.len()),
    };
    let (out, rest) = out.split_at_mut(whole);
    run::<P, N, SINGLE>(p, x.map(|x| x.part(whole, rest.len())), rest, false);
    let unknown = match cpu {
        Cpu::Plain => run::<P, N, SINGLE>(p, x, out, SINGLE),
        // SAFETY: `Cpu::over` has found the processor to have these instructions.
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx2 => unsafe { avx2::<P, N, SINGLE>(p, x, out) },
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx512 => unsafe { avx512::<P, N, SINGLE>(p, x, out) },
        #[cfg(target_arch = "aarch64")]
        Cpu::Neon => run::<P, N, SINGLE>(p, x, out, true),
    };
    if unknown {
        for (i, slot) in out.iter_mut().enumerate() {
            // SAFETY: the loops above have written all slots.
            if unsafe { slot.assume_init() }.is_nan() {
                let x = x.map(|input| input.at(i));
                slot.write(if SINGLE { p.single_at(x) } else { p.at(x) });
            }
        }
    }
}

/// A row's function over one tile in float64, or in float32, to which numbers beside it are brought first.
pub fn typed<P: Pointwise<N> + Elementwise, const N: usize>(
    p: &P,
    (cpu, dtype): (Cpu, Dtype),
    args: &[Input],
    out: &mut [Slot],
) {
    if dtype == Dtype::Float64 {
        return tile::<P, N, false>(p, cpu, args, out);
    }
    let x: [Input; N] = small_arrays::first(args).map(|input| match input {
        Input::One(c) => Input::One(dtype.cast(c)),
        many => many,
    });
    if p.row().single {
        return tile::<P, N, true>(p, cpu, &x, out);
    }
    tile::<P, N, false>(p, cpu, &x, out);
    // SAFETY: the loops above have written all slots.
    dtype.cast_all(unsafe { blocks::written(out) });
}

/// vᵀJ of a row with respect to operand `wrt`, whose slope is not a constant. None: see [`operands`].
pub fn pull(
    p: &dyn Elementwise,
    tensors: &[&Tensor],
    output: &Tensor,
    wrt: usize,
    v: &Tensor,
) -> Option<Outcome<Tensor>> {
    let (shape, n, dtype) = (output.shape(), output.numel(), output.dtype());
    let own = |t: &&Tensor| match dtype {
        Dtype::Float64 => t.dtype() == dtype || t.rank() == 0,
        // Of numbers without dimensions each step has its own type.
        _ => t.dtype() == dtype && t.rank() > 0 || t.is_weak(),
    };
    if n < FROM || tensors[wrt].shape() != shape || !tensors.iter().all(own) {
        return None;
    }
    let x = operands(tensors, shape)?;
    let ends = operands(&[output, v], shape)?;
    let cpu = Cpu::over(n);
    Some(blocks::tensor(shape, n, dtype, &|at, out: &mut [Slot]| {
        let len = out.len();
        let mut rooms = [const { Room::new() }; OPERANDS + 2];
        let (own, rooms) = rooms.split_at_mut(OPERANDS);
        let parts = |x, rooms| parts(x, at, len, rooms);
        let x: SmallVec<[Tile; OPERANDS]> =
            parts(&x, own).into_iter().map(|x| Tile::new(cpu, dtype, len, x)).collect();
        let ends = parts(&ends, rooms);
        let (y, v) = (Tile::new(cpu, dtype, len, ends[0]), ends[1]);
        let led = p.led(wrt, &x, &y, &Tile::new(cpu, dtype, len, v));
        let by = led.as_ref().map_or_else(|| p.slope(wrt, &x, &y), Clone::clone);
        let by = match &by {
            Formula::Const(c) => Input::One(*c),
            Formula::In(t) => t.input(),
        };
        let v = if led.is_some() { Input::One(1.0) } else { v };
        (super::MUL.tile)(cpu, dtype, &[v, by], out);
    }))
}
