//! A row over arrays: its value, what backward needs and computes of it, and the kinks that were hit.

use super::super::symbol::{Expr, Symbols};
use super::row::{OPERANDS, Pointwise, Reads, Row};
use super::{kernel, vector};
use crate::autodiff::linear_map::spread;
use crate::autodiff::rule::{Bend, Corner};
use crate::observe::undefined;
use crate::table::small_arrays;
use crate::{Algebra, Array, Elementwise, Formula, LinearMap, Operation, Point, Saves};
use smallvec::SmallVec;
use std::borrow::{Borrow, Cow};
use vjp_tensor::exact_integers::{Exact, by_doubles_or_longs, longs};
use vjp_tensor::kernels::strided;
use vjp_tensor::tensor::promote;
use vjp_tensor::{Dtype, Layout, Outcome, Tensor, budget, shape};

/// The value over arrays.
pub fn value(p: &dyn Elementwise, inputs: &[&Tensor]) -> Outcome<Tensor> {
    let row = p.row();
    let inputs = &inputs[..row.fun.operands];
    let value = computed(p, inputs)?;
    if !row.undefined.is_empty() && value.numel() <= LOOKED_AT {
        look(p, inputs, &value);
    }
    Ok(value)
}

/// In so many elements a value that is missing is looked for.
const LOOKED_AT: usize = 256;

/// Remembers a function that was taken where it has no value.
fn look(p: &dyn Elementwise, inputs: &[&Tensor], value: &Tensor) {
    if !value.dtype().is_float() || !value.data().iter().any(|y| y.is_nan()) {
        return;
    }
    let shape = value.shape();
    let inputs: SmallVec<[Tensor; OPERANDS]> = inputs.iter().map(|x| x.expand(shape)).collect();
    let at = |k: usize| inputs.iter().map(|x| x.data()[k]).collect::<SmallVec<[f64; OPERANDS]>>();
    let missing = |x: &[f64]| x.iter().all(|x| x.is_finite()) && p.undefined(x);
    if (0..value.numel()).any(|k| missing(&at(k))) {
        undefined::met(p.row().undefined);
    }
}

fn computed(p: &dyn Elementwise, inputs: &[&Tensor]) -> Outcome<Tensor> {
    let row = p.row();
    let dtype = row.result.dtype(inputs);
    if row.whole && !dtype.is_float() && dtype != Dtype::Bool {
        let doubles = |exact: &Exact| {
            kernel::map(inputs, dtype, false, &|_, x, out| {
                out.through(|out| p.whole(x, exact, out));
            })
        };
        return by_doubles_or_longs(inputs, dtype, doubles, || whole(p, inputs, dtype));
    }
    if let Some(done) = by_library(row, inputs[0], None) {
        return done;
    }
    if row.single && dtype == Dtype::Float32 {
        return kernel::map(inputs, dtype, false, &|cpu, x, out| p.tile(cpu, dtype, x, out));
    }
    if row.rounded && dtype.is_half() {
        return kernel::map(inputs, dtype, false, &|_, x, out| {
            out.through(|out| p.rounded(dtype, x, out));
        });
    }
    let short = promote(inputs).is_short();
    if let Some(x) = scalars(inputs).filter(|_| !short) {
        return Ok(Tensor::scalar(dtype.cast(p.at(&x))).with_dtype(dtype));
    }
    // Beside 16-bit floats PyTorch's products and quotients take a number as a float32.
    let wide = matches!(row.fun.name, "mul" | "div" | "floor_divide");
    kernel::map(inputs, dtype, wide, &|cpu, x, out| p.tile(cpu, dtype, x, out))
}

/// The value, or vᵀJ, by [`Row::library`]. A single number PyTorch computes itself.
fn by_library(row: &Row, x: &Tensor, v: Option<&Tensor>) -> Option<Outcome<Tensor>> {
    let (kernel, dtype) = (row.library?, x.dtype());
    if x.numel() < 2 || v.is_some_and(|v| v.dtype() != dtype) {
        return None;
    }
    match dtype {
        Dtype::Float32 => Some(kernel(x, v)),
        Dtype::Bfloat16 => {
            let wide = |t: &Tensor| t.to_dtype(Dtype::Float32);
            Some(kernel(&wide(x), v.map(wide).as_ref()).map(|y| y.to_dtype(dtype)))
        }
        _ => None,
    }
}

/// The value of whole numbers, in int64.
fn whole(p: &dyn Elementwise, inputs: &[&Tensor], dtype: Dtype) -> Outcome<Tensor> {
    let to = shape::broadcast_all(inputs.iter().map(|x| x.shape()))?;
    let spread: Vec<Tensor> =
        inputs.iter().map(|x| strided::expand(x, &to)).collect::<Outcome<_>>()?;
    let all: Vec<Cow<[i64]>> = spread.iter().map(longs).collect();
    let at =
        |k: usize| p.whole_at(&all.iter().map(|x| x[k]).collect::<SmallVec<[i64; OPERANDS]>>());
    Ok(Tensor::from_whole(&to, budget::listed(shape::count(&to)?, at)?, dtype))
}

/// The operands, where all are without dimensions.
#[inline]
pub(super) fn scalars(inputs: &[&Tensor]) -> Option<[f64; OPERANDS]> {
    let mut x = [0.0; OPERANDS];
    for (slot, t) in x.iter_mut().zip(inputs) {
        *slot = t.as_scalar()?;
    }
    Some(x)
}

/// The value in symbols.
pub fn symbols(p: &dyn Elementwise, inputs: &[&Symbols], shape: &[usize]) -> Symbols {
    let params: Vec<Expr> = p.params().into_iter().map(Expr::constant).collect();
    kernel::symbols(p.row().fun, inputs, &params, shape)
}

/// The value of whole arrays: the function of the operands and the parameters.
pub fn composed<A: Algebra>(p: &dyn Elementwise, inputs: &[&A]) -> Option<A> {
    let params: Vec<A> = p.params().into_iter().map(|c| inputs[0].lift(c)).collect();
    let operands = inputs.get(..p.row().fun.operands)?.iter().copied();
    Some(A::call(p.row().fun, &operands.chain(&params).collect::<Vec<_>>()))
}

/// Operands as a rule's formulas read them.
#[inline(always)]
pub fn formulas<A: Clone, const N: usize>(x: &[impl Borrow<A>]) -> [Formula<A>; N] {
    std::array::from_fn(|k| Formula::In(x[k].borrow().clone()))
}

/// The local Jacobian with this slope: diagonal, after broadcasting where the operand was broadcast.
pub fn linear<A>(
    p: &dyn Elementwise,
    slope: Formula<A>,
    from: &[usize],
    to: &[usize],
    wrt: usize,
) -> LinearMap<A> {
    let (from, to) = (from.to_vec(), to.to_vec());
    let slope = match slope {
        Formula::Const(0.0) if steps(p, wrt) => return stepped(from, to),
        Formula::Const(0.0) => return LinearMap::Zero { from, to },
        Formula::Const(by) => LinearMap::Scale { by, shape: to.clone() },
        Formula::In(by) => LinearMap::Diagonal { by, shape: to.clone() },
    };
    if from == to { slope } else { LinearMap::Then(vec![LinearMap::Expand { from, to }, slope]) }
}

/// A path from each element whose slope is 0 wherever it has one.
fn stepped<A>(from: Vec<usize>, to: Vec<usize>) -> LinearMap<A> {
    let strides = shape::broadcast_strides(&from, &to).to_vec();
    let source = Layout { shape: to.clone(), strides, offset: 0 }.positions();
    LinearMap::Unchosen { pairs: source.iter().copied().enumerate().collect(), from, to }
}

/// Whether the slope with respect to operand `wrt` is a number, and the function no straight line all
/// the same: a sign, a rounding, a remainder.
pub fn steps(p: &dyn Elementwise, wrt: usize) -> bool {
    let Formula::Const(slope) = p.reads(wrt) else {
        return false;
    };
    // Far from each other, and none a whole number.
    const PROBES: [f64; 5] = [-3.3, -0.7, 0.4, 1.6, 4.9];
    let others: [f64; OPERANDS] = std::array::from_fn(|k| 1.3 + 0.4 * k as f64);
    let at = |probe: f64| {
        let mut x = others;
        x[wrt] = probe;
        p.at(&x) - slope * probe
    };
    let first = at(PROBES[0]);
    PROBES.iter().any(|probe| (at(*probe) - first).abs() > 1e-9)
}

/// vᵀJ in numbers by one loop over the arrays. None where the slope is a constant or an operand is
/// repeated: then the map says what to do.
pub fn pull(
    rule: &dyn Operation,
    p: &dyn Elementwise,
    at: &Point<Tensor>,
    wrt: usize,
    v: &Tensor,
) -> Option<Outcome<Tensor>> {
    let row = p.row();
    if let Some(done) = by_library(row, at.values[wrt], Some(v)) {
        return Some(done);
    }
    if let Some(done) = small_arrays::pull(p, at, wrt, v) {
        return Some(Ok(done));
    }
    if v.dtype().is_half() && KERNELS.contains(&row.fun.name) {
        return Some(Ok(widened(rule, at, wrt, v)));
    }
    let dtype = at.value.dtype();
    let tiled = dtype.is_tiled() && v.dtype() == dtype;
    if at.value.rank() == 0 || !tiled {
        return led_arrays(p, at, wrt, v);
    }
    match p.reads(wrt) {
        Formula::Const(1.0) if at.values[wrt].shape() == at.value.shape() => Some(Ok(v.clone())),
        Formula::Const(0.0) => Some(Ok(v.full(at.values[wrt].shape(), 0.0))),
        Formula::Const(_) => None,
        Formula::In(_) => vector::pull(p, &at.values[..row.fun.operands], at.value, wrt, v)
            .or_else(|| led_arrays(p, at, wrt, v)),
    }
}

/// vᵀJ where the row says in which order; see [`Pointwise::LED`].
pub fn led<A: Algebra, P: Pointwise<N>, const N: usize>(
    p: &P,
    wrt: usize,
    x: &[impl Borrow<A>],
    y: &A,
    v: &A,
) -> Option<Formula<A>> {
    let (y, v) = (Formula::In(y.clone()), Formula::In(v.clone()));
    P::LED.then(|| p.pulled(wrt, &formulas(x), &y, &v))
}

/// [`led`] of whole arrays.
fn led_arrays(
    p: &dyn Elementwise,
    at: &Point<Tensor>,
    wrt: usize,
    v: &Tensor,
) -> Option<Outcome<Tensor>> {
    let inputs = &at.inputs[..p.row().fun.operands];
    let pulled = match p.led_arrays(wrt, inputs, at.output, v)? {
        Formula::Const(c) => v.full(at.value.shape(), c),
        Formula::In(t) => t,
    };
    Some(Ok(pulled.collapse(at.values[wrt].shape())))
}

/// What PyTorch's backward computes in one kernel: of 16-bit floats in float32, rounded once.
const KERNELS: [&str; 13] = [
    "celu",
    "elu",
    "gelu",
    "hardsigmoid",
    "hardswish",
    "leaky_relu",
    "logsigmoid",
    "mish",
    "selu",
    "sigmoid",
    "silu",
    "softplus",
    "tanh",
];

/// vᵀJ of 16-bit floats in float32, rounded once.
pub fn widened(rule: &dyn Operation, at: &Point<Tensor>, wrt: usize, v: &Tensor) -> Tensor {
    let wide = |t: &Tensor| t.to_dtype(Dtype::Float32);
    let all = |given: &[&Tensor]| given.iter().map(|t| wide(t)).collect::<Vec<Tensor>>();
    let (inputs, values) = (all(at.inputs), all(at.values));
    let (inputs, values): (Vec<&Tensor>, Vec<&Tensor>) =
        (inputs.iter().collect(), values.iter().collect());
    let (output, value) = (wide(at.output), wide(at.value));
    let at = Point { inputs: &inputs, output: &output, values: &values, value: &value };
    rule.linear_tensor(&at, wrt).pull(&wide(v)).to_dtype(v.dtype())
}

/// What backward needs when only some operands (one bit each) want a gradient: of the operands, those
/// that the asked slopes read.
pub fn saves_for(p: &dyn Elementwise, tracked: u8) -> Saves {
    let (saves, operands) = (p.row().saves, p.row().fun.operands);
    let (all, output) = match saves {
        Saves::Inputs(all) => (all, false),
        Saves::InputsAndOutput(all) => (all, true),
        _ => return saves,
    };
    // PyTorch keeps what the row says, though no slope reads it.
    if operands == 1 || (0..operands).all(|wrt| matches!(p.reads(wrt), Formula::Const(0.0))) {
        return saves;
    }
    let asked = (0..operands).filter(|wrt| tracked & (1 << wrt) != 0);
    let read = asked.fold(0, |mask, wrt| match p.reads(wrt) {
        Formula::In(Reads(read)) => mask | read,
        Formula::Const(_) => mask,
    });
    match all & read {
        mask if output => Saves::InputsAndOutput(mask),
        0 => Saves::Nothing,
        mask => Saves::Inputs(mask),
    }
}

/// The kinks that were hit.
pub fn corners(p: &dyn Elementwise, inputs: &[&Tensor], output: &Tensor) -> Vec<Corner> {
    let mut out = Vec::new();
    let row = p.row();
    if !row.kinked {
        return out;
    }
    let places = inputs[..row.fun.operands].iter().map(|t| spread(t.shape(), output.shape()));
    let places: Vec<_> = places.collect();
    for (k, y) in output.data().iter().enumerate() {
        let at: SmallVec<[usize; OPERANDS]> = places.iter().map(|place| place.at(k)).collect();
        let x: SmallVec<[f64; OPERANDS]> =
            inputs.iter().zip(&at).map(|(t, place)| t.data()[*place]).collect();
        let Some((left, right)) = p.kink(&x) else {
            continue;
        };
        // Equals meet where their slopes are 0 and 1; else the first operand has the corner.
        let (bend, meet) = match (left, right) {
            (0.0, 1.0) if at.len() > 1 => (Bend::Ranked(usize::MAX), true),
            (1.0, 0.0) if at.len() > 1 => (Bend::Ranked(0), true),
            _ => (Bend::Alone, false),
        };
        let touched = |(wrt, _): &(usize, usize)| *wrt == 0 || (meet && x[*wrt] == x[0]);
        for (wrt, element) in at.into_iter().enumerate().filter(touched) {
            let taken = p.pass(wrt, &x, *y, 1.0);
            out.push(Corner { input: wrt, element, output: k, left, right, taken, bend });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{DIV, MUL, REMAINDER};

    #[test]
    fn a_product_keeps_a_factor_only_for_the_other() {
        let mul = (MUL.operation)(&[]);
        assert_eq!(mul.saves_for(0b01), Saves::Inputs(0b10));
        assert_eq!(mul.saves_for(0b11), Saves::Inputs(0b11));
        assert_eq!((DIV.operation)(&[]).saves_for(0b01), Saves::Inputs(0b10));
        assert_eq!((REMAINDER.operation)(&[]).saves_for(0b01), Saves::Nothing);
    }
}
