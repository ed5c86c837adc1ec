//! The loops of the table: a row's function over arrays of numbers or symbols.

use super::super::symbol::{Expr, Symbols};
use crate::autodiff::algebra::Fun;
use crate::autodiff::algebra::Input;
use crate::autodiff::linear_map::spread;
use smallvec::SmallVec;
use vjp_tensor::complaint::Outcome;
use vjp_tensor::kernels::blocks::{self, Slots, Stored};
use vjp_tensor::kernels::operand::{Inputs, OPERANDS, Operand, Room, floats, operands, parts};
use vjp_tensor::kernels::{Cpu, TILE};
use vjp_tensor::storage::element::is_single;
use vjp_tensor::storage::numbers::Numbers;
use vjp_tensor::tensor::{Dtype, Tensor, promote};
use vjp_tensor::{budget, shape};

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
}

/// [`map`] where rows or columns are repeated: long rows as they are, the elements of short ones gathered.
fn spread_rows<T: Stored>(
    inputs: &[&Tensor],
    to: &[usize],
    n: usize,
    dtype: Dtype,
    f: Loop,
) -> Outcome<Vec<T>> {
    let (last, cpu, short) = (to.len() - 1, Cpu::over(n), is_single(dtype, n));
    let all: [Spread; OPERANDS] = std::array::from_fn(|k| {
        let (data, strides) = match inputs.get(k) {
            Some(t) => (floats(t), shape::broadcast_strides(t.shape(), to)),
            None => (Numbers::Double(&[]), SmallVec::from_elem(0, to.len())),
        };
        Spread { data, strides }
    });
    let operands = &all[..inputs.len()];
    let mut out = budget::vec(n)?;
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
        shape::rows(to, strides, |at: [usize; OPERANDS]| {
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
    let mut tiles: SmallVec<[Vec<T>; OPERANDS]> =
        inputs.iter().map(|_| vec![T::default(); size]).collect();
    let mut filled = 0;
    let mut flush = |tiles: &[Vec<T>], filled: usize| {
        let x: Inputs = tiles.iter().map(|t| T::input(&t[..filled])).collect();
        write(&x, filled)
    };
    shape::rows(to, strides, |at: [usize; OPERANDS]| {
        if filled + to[last] > size {
            flush(&tiles, std::mem::take(&mut filled))?;
        }
        for (tile, (x, at)) in tiles.iter_mut().zip(operands.iter().zip(at)) {
            let step = x.strides[last];
            for (i, slot) in tile[filled..filled + to[last]].iter_mut().enumerate() {
                *slot = T::of(x.at(at + i * step));
            }
        }
        filled += to[last];
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
