//! The loops of the table: a row's function over arrays of numbers or symbols, monomorphised.

use super::super::algebra::Fun;
use super::super::complaint::Outcome;
use super::super::linear::spread;
use super::super::matrix::{Manner, manner};
use super::super::symbol::{Expr, Symbols};
use super::super::tensor::{Dtype, Tensor, promote};
use super::super::{budget, shape};

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

/// Elements between two questions to the budget.
const CHUNK: usize = 8192;

/// `f` of the first N inputs, elementwise with broadcasting. Beside short floats a Python number is
/// first brought to type `number`.
///
/// # Errors
/// Shapes that do not match, memory, or a wish to stop.
pub fn map<const N: usize>(
    inputs: &[&Tensor],
    dtype: Dtype,
    number: Dtype,
    f: impl Fn([f64; N]) -> f64,
) -> Outcome<Tensor> {
    let inputs = &inputs[..N];
    let rounded = |t: &Tensor| match t.item() {
        Some(v) if t.is_weak() => Some(number.cast(v)).filter(|s| !v.is_nan() && *s != v),
        _ => None,
    };
    if promote(inputs).is_short() && inputs.iter().any(|t| rounded(t).is_some()) {
        let own: [Tensor; N] = std::array::from_fn(|k| match rounded(inputs[k]) {
            Some(v) => Tensor::number(v, inputs[k].dtype()),
            None => inputs[k].clone(),
        });
        return map(&std::array::from_fn::<&Tensor, N, _>(|k| &own[k]), dtype, number, f);
    }
    let first = inputs[0].shape();
    if inputs.iter().all(|t| t.shape() == first) {
        let data: [&[f64]; N] = std::array::from_fn(|k| inputs[k].data());
        if first.is_empty() {
            let value = f(std::array::from_fn(|k| data[k][0]));
            return Ok(Tensor::scalar(dtype.cast(value)).with_dtype(dtype));
        }
        let n = data[0].len();
        budget::reserve(n * 8)?;
        let mut out = Vec::with_capacity(n);
        for start in (0..n).step_by(CHUNK) {
            let end = (start + CHUNK).min(n);
            let part: [&[f64]; N] = std::array::from_fn(|k| &data[k][start..end]);
            out.extend((0..end - start).map(|i| f(std::array::from_fn(|k| part[k][i]))));
            budget::tick()?;
        }
        return Ok(Tensor::typed(first, out, dtype));
    }
    let widest = inputs.iter().map(|t| t.shape()).max_by_key(|s| s.len());
    let wide = widest.unwrap_or(first);
    if inputs.iter().all(|t| t.rank() == 0 || t.shape() == wide) {
        // Single numbers beside arrays of one shape.
        let from: [(&[f64], usize); N] =
            std::array::from_fn(|k| (inputs[k].data(), usize::from(inputs[k].rank() > 0)));
        let n = shape::count(wide)?;
        let mut out = Vec::with_capacity(n);
        for start in (0..n).step_by(CHUNK) {
            let end = (start + CHUNK).min(n);
            out.extend((start..end).map(|i| f(from.map(|(data, step)| data[i * step]))));
            budget::tick()?;
        }
        return Ok(Tensor::typed(wide, out, dtype));
    }
    let to = shape::broadcast_all(inputs.iter().map(|t| t.shape()))?;
    let n = shape::count(&to)?;
    let strides: [_; N] = std::array::from_fn(|k| shape::broadcast_strides(inputs[k].shape(), &to));
    let data: [&[f64]; N] = std::array::from_fn(|k| inputs[k].data());
    let mut out = Vec::with_capacity(n);
    let last = to.len() - 1;
    let step: [usize; N] = std::array::from_fn(|k| strides[k][last]);
    shape::rows(&to, std::array::from_fn(|k| strides[k].as_slice()), |at: [usize; N]| {
        out.extend((0..to[last]).map(|i| f(std::array::from_fn(|k| data[k][at[k] + i * step[k]]))));
        budget::tick()
    })?;
    Ok(Tensor::typed(&to, out, dtype))
}

/// Calls `f` with each group of operands: their places in their own arrays, their values, and the
/// place in the output.
pub fn each<const N: usize>(
    inputs: &[&Tensor],
    shape: &[usize],
    mut f: impl FnMut([usize; N], [f64; N], usize),
) {
    let places: [_; N] = std::array::from_fn(|k| spread(inputs[k].shape(), shape));
    for k in 0..shape.iter().product() {
        let at = std::array::from_fn(|n| places[n].at(k));
        f(at, std::array::from_fn(|n| inputs[n].data()[at[n]]), k);
    }
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
