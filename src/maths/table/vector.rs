//! Rows over long arrays: loops over tiles, compiled for each row and kind of processor; and vᵀJ of a row,
//! value of its partial and product with v in one go.

use super::row::{Pointwise, REGISTERS};
use crate::autodiff::algebra::{Input, Tile};
use crate::table::small_arrays;
use crate::{Elementwise, Formula};
use smallvec::SmallVec;
use std::mem::MaybeUninit;
use vjp_tensor::kernels::blocks::{self, Slots, Stored};
use vjp_tensor::kernels::operand::{OPERANDS, Room, operands, parts};
use vjp_tensor::kernels::single::{lengthen, shorten_into};
use vjp_tensor::kernels::{Cpu, LANES_FROM, TILE};
use vjp_tensor::storage::element::{SINGLE_FROM, is_single};
use vjp_tensor::{Dtype, Outcome, Tensor};

/// From this many elements on a loop over tiles is worth its start.
const FROM: usize = 64;

/// Element `i` of an operand.
trait Read: Copy {
    fn at(self, i: usize) -> f64;
}

/// One number for all, in the type of the others: the compiler sees that it needs no rounding.
#[derive(Clone, Copy)]
struct One<T>(T);

impl<T: Stored> Read for One<T> {
    #[inline(always)]
    fn at(self, _: usize) -> f64 {
        self.0.wide()
    }
}

impl<T: Stored> Read for &[T] {
    #[inline(always)]
    fn at(self, i: usize) -> f64 {
        self[i].wide()
    }
}

/// Which of a row's functions a loop takes. No closure: those are not always inlined, and alone would be
/// compiled for any processor. Numbers are read as doubles and stored in their own type: of a step that float32
/// rounds as doubles do the compiler makes one of float32.
struct Way<'a, P, const N: usize> {
    p: &'a P,
    lanes: bool,
    single: bool,
}

impl<P: Pointwise<N>, const N: usize> Way<'_, P, N> {
    #[inline(always)]
    fn take<T: Stored>(&self, x: [f64; N]) -> T {
        T::of(match (self.single, self.lanes) {
            (false, false) => self.p.at(x),
            (false, true) => self.p.lane(x),
            (true, false) => self.p.single_at(x),
            (true, true) => self.p.single_lane(x),
        })
    }
}

/// A page's engine has one loop for each row: what is small travels faster, and its arrays are short.
const SMALL: bool = cfg!(target_arch = "wasm32");

/// What all clones of the loop do; whether a lane gave a NaN, which a look at each result apart would
/// take as long to tell as computing it.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn run<P: Pointwise<N>, T: Stored, const N: usize>(
    x: [Input; N],
    out: &mut [MaybeUninit<T>],
    way: &Way<P, N>,
) -> bool {
    let n = out.len();
    let second = if N == 2 { x[1] } else { x[0] };
    match (T::many(x[0]), T::many(second)) {
        _ if SMALL => {
            for (i, slot) in out.iter_mut().enumerate() {
                slot.write(way.take(x.map(|input| T::of(input.at(i)).wide())));
            }
        }
        (Some(a), Some(b)) if N <= 2 => pairs(&a[..n], &b[..n], out, way),
        (Some(a), None) if N == 2 => pairs(&a[..n], One(T::of(x[1].at(0))), out, way),
        (None, Some(b)) if N == 2 => pairs(One(T::of(x[0].at(0))), &b[..n], out, way),
        _ => {
            let mut rooms = [[const { MaybeUninit::uninit() }; TILE]; N];
            let mut all: [&[T]; N] = [&[]; N];
            for ((from, room), input) in all.iter_mut().zip(&mut rooms).zip(x) {
                *from = match T::many(input) {
                    Some(many) => &many[..n],
                    None => {
                        room[..n].fill(MaybeUninit::new(T::of(input.at(0))));
                        // SAFETY: as many are written.
                        unsafe { &*(std::ptr::from_ref(&room[..n]) as *const [T]) }
                    }
                };
            }
            for (i, slot) in out.iter_mut().enumerate() {
                slot.write(way.take(all.map(|from| from[i].wide())));
            }
        }
    }
    // SAFETY: the loops above have written all slots.
    let unknown = |slot: &MaybeUninit<T>| unsafe { slot.assume_init() }.wide().is_nan();
    let looks = (P::LANES || way.single) && way.lanes;
    looks && out.iter().fold(false, |any, slot| any | unknown(slot))
}

#[inline(always)]
fn pairs<P: Pointwise<N>, T: Stored, const N: usize>(
    a: impl Read,
    b: impl Read,
    out: &mut [MaybeUninit<T>],
    way: &Way<P, N>,
) {
    for (i, slot) in out.iter_mut().enumerate() {
        let (first, second) = (a.at(i), b.at(i));
        let mut x = [second; N];
        x[0] = first;
        slot.write(way.take(x));
    }
}

/// How the loops over float32 go where `T` is that, else those over doubles.
#[inline(always)]
fn way<P: Pointwise<N>, T: Stored, const N: usize>(p: &P, lanes: bool) -> Way<'_, P, N> {
    Way { p, lanes, single: P::SINGLE && size_of::<T>() == size_of::<f32>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<P: Pointwise<N>, T: Stored, const N: usize>(
    p: &P,
    x: [Input; N],
    out: &mut [MaybeUninit<T>],
) -> bool {
    run(x, out, &way::<P, T, N>(p, true))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512dq,avx512vl")]
fn avx512<P: Pointwise<N>, T: Stored, const N: usize>(
    p: &P,
    x: [Input; N],
    out: &mut [MaybeUninit<T>],
) -> bool {
    run(x, out, &way::<P, T, N>(p, true))
}

/// In float32 each step is rounded, and PyTorch's vector functions are taken as far as there are whole registers.
fn stored<P: Pointwise<N>, T: Stored, const N: usize>(
    p: &P,
    cpu: Cpu,
    x: [Input; N],
    out: &mut [MaybeUninit<T>],
) {
    let plain = way::<P, T, N>(p, false);
    let (cpu, whole) = match plain.single {
        true => (Cpu::over(LANES_FROM), out.len() - out.len() % REGISTERS),
        false => (cpu, out.len()),
    };
    let (out, rest) = out.split_at_mut(whole);
    if !rest.is_empty() {
        run(x.map(|x| x.part(whole, rest.len())), rest, &plain);
    }
    let unknown = match cpu {
        Cpu::Plain => run(x, out, &way::<P, T, N>(p, plain.single)),
        // SAFETY: `Cpu::over` has found the processor to have these instructions.
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx2 => unsafe { avx2(p, x, out) },
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx512 => unsafe { avx512(p, x, out) },
        #[cfg(target_arch = "aarch64")]
        Cpu::Neon => run(x, out, &way::<P, T, N>(p, true)),
    };
    if unknown {
        for (i, slot) in out.iter_mut().enumerate() {
            // SAFETY: the loops above have written all slots.
            if unsafe { slot.assume_init() }.wide().is_nan() {
                slot.write(plain.take(x.map(|input| input.at(i))));
            }
        }
    }
}

/// [`stored`] of few float32 numbers, which lie as doubles.
fn few<P: Pointwise<N>, const N: usize>(
    p: &P,
    cpu: Cpu,
    x: [Input; N],
    out: &mut [MaybeUninit<f64>],
) {
    let n = out.len();
    if !(REGISTERS..=SINGLE_FROM).contains(&n) {
        run(x, out, &Way { p, lanes: false, single: true });
        return;
    }
    let mut rooms = [[MaybeUninit::uninit(); SINGLE_FROM]; N];
    let mut short: [Input; N] = x;
    for (input, room) in short.iter_mut().zip(&mut rooms) {
        if let Input::Many(all) = *input {
            *input = Input::Short(shorten_into(&all[..n], &mut room[..n]));
        }
    }
    let mut done = [0.0_f32; SINGLE_FROM];
    // SAFETY: a number may be written again.
    let slots = unsafe { &mut *(std::ptr::from_mut(&mut done[..n]) as *mut [MaybeUninit<f32>]) };
    stored(p, cpu, short, slots);
    out.iter_mut().zip(&done).for_each(|(slot, v)| {
        slot.write(f64::from(*v));
    });
}

/// A row's function over one tile of operands that lie in the type of `out`; in float32, each step rounded.
pub fn tile<P: Pointwise<N>, const N: usize>(
    p: &P,
    (cpu, dtype): (Cpu, Dtype),
    args: &[Input],
    out: Slots,
) {
    debug_assert!(out.len() <= TILE);
    let x: [Input; N] = small_arrays::first(args);
    match out {
        Slots::Single(out) => stored(p, cpu, x, out),
        // Few numbers lie as doubles, of whatever type.
        Slots::Double(out) if P::SINGLE && dtype == Dtype::Float32 => few(p, cpu, x, out),
        Slots::Double(out) => stored(p, cpu, x, out),
    }
}

/// A row's function over one tile in float64, or in float32, to which numbers beside it are brought first.
pub fn typed<P: Pointwise<N>, const N: usize>(
    p: &P,
    (cpu, dtype): (Cpu, Dtype),
    args: &[Input],
    out: Slots,
) {
    let x: [Input; N] = small_arrays::first(args).map(|input| match input {
        Input::One(c) => Input::One(dtype.cast(c)),
        many => many,
    });
    tile(p, (cpu, dtype), &x, out);
}

/// vᵀJ of a row over a tile: with respect to operand `wrt`, at operands `x` and value `y`.
pub fn pull_tile<'a>(
    p: &dyn Elementwise,
    (wrt, x, y, v): (usize, &[Tile<'a>], &Tile<'a>, &Tile<'a>),
    (cpu, dtype): (Cpu, Dtype),
    out: Slots,
) {
    let led = p.led(wrt, x, y, v);
    let by = led.as_ref().map_or_else(|| p.slope(wrt, x, y), Clone::clone);
    let by = match &by {
        Formula::Const(c) => Input::One(*c),
        Formula::In(t) => t.input(),
    };
    match led {
        Some(_) => out.copy(by),
        None => (super::MUL.tile)(cpu, dtype, &[v.input(), by], out),
    }
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
    let work = |at: usize, out: Slots| {
        let len = out.len();
        let mut rooms = [const { Room::new() }; OPERANDS + 2];
        let (own, rooms) = rooms.split_at_mut(OPERANDS);
        let x: SmallVec<[Tile; OPERANDS]> =
            parts(&x, at, &out, own).into_iter().map(|x| Tile::new(cpu, dtype, len, x)).collect();
        let ends = parts(&ends, at, &out, rooms);
        let [y, v] = [ends[0], ends[1]].map(|end| Tile::new(cpu, dtype, len, end));
        pull_tile(p, (wrt, &x, &y, &v), (cpu, dtype), out);
    };
    if dtype == Dtype::Float32 && !is_single(dtype, n) {
        let few = blocks::fill::<f32>(n, dtype, &work);
        return Some(few.and_then(|few| Ok(Tensor::new(shape, lengthen(&few)?).with_dtype(dtype))));
    }
    Some(blocks::tensor(shape, n, dtype, &work))
}
