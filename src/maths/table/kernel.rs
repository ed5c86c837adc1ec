//! The loops of the table: a row's function over arrays of numbers or symbols.

use super::super::algebra::Fun;
use super::super::complaint::Outcome;
use super::super::kernels::blocks::{self, Slot};
use super::super::kernels::tile::Input;
use super::super::kernels::{Cpu, TILE};
use super::super::linear::spread;
use super::super::matrix::{Manner, manner};
use super::super::symbol::{Expr, Symbols};
use super::super::tensor::{Dtype, Tensor, promote};
use super::super::{budget, shape};
use super::row::OPERANDS;
use super::vector;
use smallvec::SmallVec;

/// `aᵉ`, with the short cuts that PyTorch takes, so that the last digits agree.
pub fn power(a: f64, e: f64) -> f64 {
    match e {
        0.5 => a.sqrt(),
        1.0 => a,
        2.0 => a * a,
        3.0 if manner() == Manner::Torch => a * a * a,
        -1.0 => 1.0 / a,
        -2.0 => 1.0 / (a * a),
        -0.5 => 1.0 / a.sqrt(),
        _ => a.powf(e),
    }
}

/// A loop over a tile of the operands; it writes as many elements.
pub type Loop<'a> = &'a (dyn Fn(Cpu, &[Input], &mut [Slot]) + Sync);

/// `f` elementwise with broadcasting. Beside short floats a Python number is first brought to type
/// `number`.
///
/// # Errors
/// Shapes that do not match, memory, or a wish to stop.
pub fn map(inputs: &[&Tensor], dtype: Dtype, number: Dtype, f: Loop) -> Outcome<Tensor> {
    let rounded = |t: &Tensor| match t.item() {
        Some(v) if t.is_weak() => Some(number.cast(v)).filter(|s| !v.is_nan() && *s != v),
        _ => None,
    };
    if promote(inputs).is_short() && inputs.iter().any(|t| rounded(t).is_some()) {
        let own = inputs.iter().map(|t| match rounded(t) {
            Some(v) => Tensor::number(v, t.dtype()),
            None => (*t).clone(),
        });
        let own: Vec<Tensor> = own.collect();
        return map(&own.iter().collect::<Vec<_>>(), dtype, number, f);
    }
    let first = inputs[0].shape();
    let other = inputs.iter().any(|t| t.shape() != first);
    let broadcast = other.then(|| shape::broadcast_all(inputs.iter().map(|t| t.shape())));
    let broadcast = broadcast.transpose()?;
    let to = broadcast.as_deref().unwrap_or(first);
    let n = shape::count(to)?;
    let out = match vector::operands(inputs, to) {
        Some(x) => {
            let cpu = Cpu::over(n);
            blocks::fill(n, &|at, out: &mut [Slot]| {
                let part: vector::Operands = x.iter().map(|x| x.part(at, out.len())).collect();
                f(cpu, &part, out);
            })?
        }
        None => gathered(inputs, to, n, f)?,
    };
    match (to, &out[..]) {
        ([], [value]) => Ok(Tensor::scalar(dtype.cast(*value)).with_dtype(dtype)),
        _ => Ok(Tensor::typed(to, out, dtype)),
    }
}

/// [`map`] where rows or columns are repeated: the operands' elements are gathered tile by tile.
fn gathered(inputs: &[&Tensor], to: &[usize], n: usize, f: Loop) -> Outcome<Vec<f64>> {
    let mut out = budget::vec(n)?;
    let mut tiles: SmallVec<[Vec<f64>; OPERANDS]> = inputs.iter().map(|_| Vec::new()).collect();
    let mut flush = |tiles: &mut [Vec<f64>]| {
        let (done, len) = (out.len(), tiles[0].len());
        let slots = &mut out.spare_capacity_mut()[..len];
        f(Cpu::Plain, &tiles.iter().map(|t| Input::Many(t)).collect::<vector::Operands>(), slots);
        // SAFETY: a loop over a tile writes all its elements.
        unsafe { out.set_len(done + len) };
        tiles.iter_mut().for_each(Vec::clear);
    };
    let mut strides: [SmallVec<[usize; 4]>; OPERANDS] =
        std::array::from_fn(|_| SmallVec::from_elem(0, to.len()));
    for (strides, t) in strides.iter_mut().zip(inputs) {
        *strides = shape::broadcast_strides(t.shape(), to);
    }
    let last = to.len() - 1;
    shape::rows(to, std::array::from_fn(|k| strides[k].as_slice()), |at: [usize; OPERANDS]| {
        let mut from = 0;
        while from < to[last] {
            let count = (to[last] - from).min(TILE - tiles[0].len());
            for (k, (tile, t)) in tiles.iter_mut().zip(inputs).enumerate() {
                let (step, data) = (strides[k][last], t.data());
                let first = at[k] + from * step;
                match step {
                    0 => tile.resize(tile.len() + count, data[first]),
                    1 => tile.extend_from_slice(&data[first..first + count]),
                    _ => tile.extend((0..count).map(|i| data[first + i * step])),
                }
            }
            from += count;
            if tiles[0].len() == TILE {
                flush(&mut tiles);
                budget::tick()?;
            }
        }
        Ok(())
    })?;
    flush(&mut tiles);
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
