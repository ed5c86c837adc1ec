//! The loops of the table: a row's function over arrays of numbers or symbols.

use super::super::symbol::{Expr, Symbols};
use crate::Fun;
use crate::autodiff::algebra::Input;
use crate::autodiff::linear_map::spread;
use smallvec::SmallVec;
use vjp_tensor::kernels::blocks::{self, Slots, Stored};
use vjp_tensor::kernels::operand::{Inputs, OPERANDS, Operand, Room, floats, operands, parts};
use vjp_tensor::kernels::{Cpu, TILE};
use vjp_tensor::storage::element::is_single;
use vjp_tensor::storage::numbers::Numbers;
use vjp_tensor::tensor::promote;
use vjp_tensor::{Dtype, Element, Outcome, Tensor, budget, shape};

/// A row of so many elements is worth a loop of its own.
const LONG: usize = 32;

/// A loop over a tile of the operands, which lie in the type of what it writes; it writes as many elements.
pub type Loop<'a> = &'a (dyn Fn(Cpu, &[Input], Slots) + Sync);

/// `f` elementwise with broadcasting. Beside short floats a number is first brought to their type; where
/// `wide`, only a tensor that stands first is, and other numbers are taken as float32.
///
/// # Errors
/// Shapes that do not match, memory, or a wish to stop.
pub fn map(inputs: &[&Tensor], dtype: Dtype, wide: bool, f: Loop) -> Outcome<Tensor> {
    let common = promote(inputs);
    if (common.is_float() || dtype.is_float()) && inputs.iter().any(|t| t.long().is_some()) {
        let to = if common.is_float() { common } else { dtype };
        let of = |t: &&Tensor| if t.long().is_some() { t.to_dtype(to) } else { (*t).clone() };
        let own: Vec<Tensor> = inputs.iter().map(of).collect();
        return map(&own.iter().collect::<Vec<_>>(), dtype, wide, f);
    }
    if common.is_short() {
        let rounded = |k: usize, t: &Tensor| {
            let own = if wide && (k > 0 || t.is_weak()) { Dtype::Float32 } else { common };
            let v = t.item().filter(|_| t.rank() == 0)?;
            Some(own.cast(v)).filter(|s| !v.is_nan() && *s != v)
        };
        if inputs.iter().enumerate().any(|(k, t)| rounded(k, t).is_some()) {
            let own = inputs.iter().enumerate().map(|(k, t)| match rounded(k, t) {
                Some(v) => Tensor::number(v, t.dtype()),
                None => (*t).clone(),
            });
            let own: Vec<Tensor> = own.collect();
            return map(&own.iter().collect::<Vec<_>>(), dtype, wide, f);
        }
    }
    let first = inputs[0].shape();
    let other = inputs.iter().any(|t| t.shape() != first);
    let broadcast = other.then(|| shape::broadcast_all(inputs.iter().map(|t| t.shape())));
    let broadcast = broadcast.transpose()?;
    let to = broadcast.as_deref().unwrap_or(first);
    let n = shape::count(to)?;
    match operands(inputs, to) {
        Some(x) => {
            let cpu = Cpu::over(n);
            blocks::tensor(to, n, dtype, &|at, out| {
                let mut rooms = [const { Room::new() }; OPERANDS];
                f(cpu, &parts(&x, at, &out, &mut rooms), out);
            })
        }
        None if is_single(dtype, n) => {
            Ok(Tensor::from_single(to, spread_rows(inputs, to, n, dtype, f)?))
        }
        None => Ok(Tensor::new(to, spread_rows(inputs, to, n, dtype, f)?).with_dtype(dtype)),
    }
}

/// Neighbouring dimensions as one where every operand goes on from one to the next by the same step.
fn joined(to: &[usize], all: &mut [Spread; OPERANDS]) -> SmallVec<[usize; 4]> {
    let mut to: SmallVec<[usize; 4]> = to.into();
    for k in (1..to.len()).rev() {
        if all.iter().all(|x| x.strides[k - 1] == x.strides[k] * to[k]) {
            to[k - 1] *= to.remove(k);
            for x in all.iter_mut() {
                x.strides.remove(k - 1);
            }
        }
    }
    to
}

/// An operand of which rows or columns are repeated.
struct Spread<'a> {
    data: Numbers<'a>,
    strides: SmallVec<[usize; 4]>,
}

impl Spread<'_> {
    #[inline]
    fn at(&self, k: usize) -> f64 {
        match self.data {
            Numbers::Double(all) => all[k],
            Numbers::Single(all) => f64::from(all[k]),
            Numbers::Long(_) => f64::NAN,
        }
    }

    /// Rows from `at` on, so far apart as are their elements, `count` of them, `width` elements each.
    #[inline]
    fn read<T: Stored>(&self, at: usize, steps: [usize; 2], sides: [usize; 2], to: &mut [T]) {
        fn all<T: Stored>(
            from: &[impl Element],
            [down, right]: [usize; 2],
            [count, width]: [usize; 2],
            to: &mut [T],
        ) {
            let write = |(slot, v): (&mut T, f64)| *slot = T::of(v);
            for k in 0..count {
                let (from, to) = (&from[k * down..], &mut to[k * width..]);
                let row = from.iter().map(|v| v.wide());
                match right {
                    // So many places that the compiler knows their number; the next row overwrites what is too much.
                    0 => {
                        if let Some(to) = to.first_chunk_mut::<LONG>() {
                            *to = [T::of(from[0].wide()); LONG];
                        }
                    }
                    1 => to[..width].iter_mut().zip(row).for_each(write),
                    _ => to[..width].iter_mut().zip(row.step_by(right)).for_each(write),
                }
            }
        }
        match self.data {
            Numbers::Double(from) => all(&from[at..], steps, sides, to),
            Numbers::Single(from) => all(&from[at..], steps, sides, to),
            Numbers::Long(_) => to.fill(T::of(f64::NAN)),
        }
    }
}

/// [`map`] where rows or columns are repeated: long rows as they are, the elements of short ones gathered.
fn spread_rows<T: Stored>(
    inputs: &[&Tensor],
    to: &[usize],
    n: usize,
    dtype: Dtype,
    f: Loop,
) -> Outcome<Vec<T>> {
    let (cpu, short) = (Cpu::over(n), is_single(dtype, n));
    let mut all: [Spread; OPERANDS] = std::array::from_fn(|k| {
        let (data, strides) = match inputs.get(k) {
            Some(t) => (floats(t), shape::broadcast_strides(t.shape(), to)),
            None => (Numbers::Double(&[]), SmallVec::from_elem(0, to.len())),
        };
        Spread { data, strides }
    });
    let to = joined(to, &mut all);
    let (last, operands) = (to.len() - 1, &all[..inputs.len()]);
    let mut out = budget::vec(n)?;
    if n == 0 {
        return Ok(out);
    }
    let mut write = |x: &[Input], count: usize| {
        let done = out.len();
        let tile = &mut out.spare_capacity_mut()[..count];
        blocks::write(tile, dtype, |tile| f(cpu, x, tile));
        // SAFETY: a loop over a tile writes all its elements.
        unsafe { out.set_len(done + count) };
        budget::tick()
    };
    let strides = std::array::from_fn(|k| all[k].strides.as_slice());
    if to[last] >= LONG {
        let mut rooms = [const { Room::new() }; OPERANDS];
        shape::rows(&to, strides, |at: [usize; OPERANDS]| {
            for from in (0..to[last]).step_by(TILE) {
                let count = TILE.min(to[last] - from);
                let part = operands.iter().zip(at).zip(&mut rooms).map(|((x, at), room)| {
                    match x.strides[last] {
                        0 => Input::One(x.at(at)),
                        _ => Operand::Many(x.data).part(at + from, count, short, room),
                    }
                });
                write(&part.collect::<Inputs>(), count)?;
            }
            Ok(())
        })?;
        return Ok(out);
    }
    let size = n.min(TILE);
    // None where an operand lies as the result does.
    let own = shape::strides(&to);
    let spread = |x: &Spread| (x.strides != own).then(|| vec![T::default(); size + LONG]);
    let mut tiles: SmallVec<[Option<Vec<T>>; OPERANDS]> = operands.iter().map(spread).collect();
    let (mut filled, mut done) = (0, 0);
    let mut flush = |tiles: &[Option<Vec<T>>], filled: usize| {
        let mut rooms = [const { Room::new() }; OPERANDS];
        let part = operands.iter().zip(tiles).zip(&mut rooms).map(|((x, tile), room)| match tile {
            Some(tile) => T::input(&tile[..filled]),
            None => Operand::Many(x.data).part(done, filled, short, room),
        });
        let written = write(&part.collect::<Inputs>(), filled);
        done += filled;
        written
    };
    // Rows of one plane after the other, of each operand as many as there is room for.
    let (down, width) = (if last > 0 { to[last - 1] } else { 1 }, to[last].max(1));
    let steps = |x: &Spread| [if last > 0 { x.strides[last - 1] } else { 0 }, x.strides[last]];
    shape::rows(&to[..last], strides, |at: [usize; OPERANDS]| {
        let mut start = 0;
        while start < down {
            let count = ((size - filled) / width).min(down - start);
            if count == 0 {
                flush(&tiles, std::mem::take(&mut filled))?;
                continue;
            }
            for (tile, (x, at)) in tiles.iter_mut().zip(operands.iter().zip(at)) {
                if let Some(tile) = tile {
                    let steps = steps(x);
                    x.read(at + start * steps[0], steps, [count, width], &mut tile[filled..]);
                }
            }
            filled += count * width;
            start += count;
        }
        Ok(())
    })?;
    flush(&tiles, filled)?;
    Ok(out)
}

/// A function over symbols, elementwise with broadcasting; `params` follow the operands.
pub fn symbols(
    fun: &'static Fun,
    inputs: &[&Symbols],
    params: &[Expr],
    shape: &[usize],
) -> Symbols {
    let places: Vec<_> = inputs.iter().map(|s| spread(&s.shape, shape)).collect();
    let data = (0..shape.iter().product())
        .map(|k| {
            let args: Vec<&Expr> =
                inputs.iter().zip(&places).map(|(s, p)| &s.data[p.at(k)]).chain(params).collect();
            Expr::call(fun, &args)
        })
        .collect();
    Symbols { shape: shape.to_vec(), data }
}
