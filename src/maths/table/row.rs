//! What a row of the table is, and the macro that makes an operation of it.

use super::super::algebra::{Algebra, Formula, Fun};
use super::super::complaint::Outcome;
use super::super::kernels::tile::Tile;
use super::super::linear::{Array, LinearMap};
use super::super::node::Edge;
use super::super::rule::{Corner, InPlace, Point, Saves};
use super::super::shape;
use super::super::store::Layout;
use super::super::symbol::{Expr, Symbols};
use super::super::tensor::{Dtype, Tensor, promote, promote_float};
use super::super::whole::Exact;
use super::{kernel, vector};
use std::fmt::Debug;

/// Type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Result {
    /// Integers become the default float: sin, division.
    Float,
    /// The promoted type of the operands.
    Same,
}

impl Result {
    fn dtype(self, inputs: &[&Tensor]) -> Dtype {
        match self {
            Result::Float => promote_float(inputs),
            Result::Same => promote(inputs),
        }
    }
}

/// The data of one row.
#[derive(Debug)]
pub struct Row {
    pub fun: &'static Fun,
    pub grad_fn: &'static str,
    pub saves: Saves,
    pub result: Result,
    /// See [`super::super::rule::Rule::underived`].
    pub underived: u8,
    /// Where to test each operand: an interval on which the function is smooth but for its kinks.
    pub domain: &'static [(f64, f64)],
    /// Parameters and their defaults.
    pub params: &'static [(&'static str, f64)],
    /// Runs at the prompt.
    pub example: &'static str,
    /// The function in symbols, where its name says too little.
    pub formula: &'static str,
    /// What PyTorch calls the node where one operand is a number: the first, the second.
    pub numbers: [&'static str; 2],
    /// Its node takes numbers as tensors too.
    pub wraps: bool,
    /// The node that PyTorch has no derivative of where it is written in place: its name, the operation's,
    /// and which inputs.
    pub in_place: Option<(&'static str, &'static str, u8)>,
}

impl Row {
    /// See [`super::super::rule::Rule::in_place`].
    pub fn in_place(&self) -> Option<InPlace> {
        match self.in_place {
            Some((grad_fn, name, inputs)) => {
                Some(InPlace { grad_fn, underived: Some((name, inputs)) })
            }
            None => InPlace::of(self.grad_fn),
        }
    }

    /// See [`super::super::rule::Rule::arguments`]. A number stands behind.
    pub fn arguments(&self, inputs: &[Edge]) -> Vec<Option<usize>> {
        let mut places: Vec<usize> = (0..inputs.len()).collect();
        places.sort_by_key(|k| inputs[*k].is_number());
        places.retain(|k| self.wraps || !inputs[*k].is_number());
        places.into_iter().map(Some).collect()
    }
}

/// Slopes from the left and from the right where a row's function has a corner.
pub type Kinks = Option<(f64, f64)>;

/// A function of N numbers, taken elementwise.
pub trait Pointwise<const N: usize>: Debug + Clone + Sync + 'static {
    const ROW: &'static Row;
    /// Whether there are corners at all.
    const KINKED: bool;
    fn params(&self) -> Vec<f64>;
    /// Whether [`Pointwise::whole`] says what it is of whole numbers; else it is as of floats.
    const WHOLE: bool;
    fn whole(&self, x: [i64; N]) -> i64;
    fn at(&self, x: [f64; N]) -> f64;
    /// Whether [`Pointwise::lane`] has functions of its own.
    const LANES: bool;
    /// The value in a vector loop. Where it is NaN, [`Pointwise::at`] knows.
    fn lane(&self, x: [f64; N]) -> f64;
    /// The slope with respect to operand `wrt`, at operands `x` and value `y`.
    fn partial<A: Algebra>(&self, wrt: usize, x: &[Formula<A>; N], y: &Formula<A>) -> Formula<A>;
    /// Slopes beside this point, where it is a corner.
    fn kink(&self, x: [f64; N]) -> Kinks;
}

pub use super::vector::tile;

/// The value over arrays.
pub fn value<P: Pointwise<N>, const N: usize>(p: &P, inputs: &[&Tensor]) -> Outcome<Tensor> {
    let dtype = P::ROW.result.dtype(&inputs[..N]);
    if P::WHOLE && !dtype.is_float() && dtype != Dtype::Bool {
        let exact = Exact::new(dtype);
        let of = |x: [f64; N]| exact.take(p.whole(x.map(|v| v as i64)));
        return exact.done(kernel::map::<N>(inputs, dtype, dtype, of));
    }
    if let Some(x) = scalars(inputs) {
        return Ok(Tensor::scalar(dtype.cast(p.at(x))).with_dtype(dtype));
    }
    if inputs.iter().take(N).any(|t| t.numel() >= vector::FROM)
        && let Some(out) = vector::value(p, inputs, dtype)
    {
        return out;
    }
    // Beside 16-bit floats PyTorch's sums, products and quotients take a number as a float32.
    let wide = matches!(P::ROW.fun.name, "add" | "sub" | "rsub" | "mul" | "div" | "floor_divide");
    let number = if wide { Dtype::Float32 } else { promote(&inputs[..N]) };
    kernel::map::<N>(inputs, dtype, number, |x| p.at(x))
}

/// The first N inputs, where all are without dimensions.
#[inline]
pub(super) fn scalars<const N: usize>(inputs: &[&Tensor]) -> Option<[f64; N]> {
    let mut x = [0.0; N];
    for (slot, t) in x.iter_mut().zip(inputs) {
        *slot = t.as_scalar()?;
    }
    Some(x)
}

/// The value in symbols.
pub fn symbols<P: Pointwise<N>, const N: usize>(
    p: &P,
    inputs: &[&Symbols],
    shape: &[usize],
) -> Symbols {
    let params: Vec<Expr> = p.params().into_iter().map(Expr::constant).collect();
    kernel::symbols(P::ROW.fun, inputs, &params, shape)
}

/// The local Jacobian: diagonal, after broadcasting where the operand was broadcast.
pub fn linear<P: Pointwise<N>, const N: usize, A: Array>(
    p: &P,
    at: &Point<A>,
    wrt: usize,
) -> LinearMap<A> {
    let x: [Formula<A>; N] = std::array::from_fn(|k| Formula::In(at.inputs[k].clone()));
    let y = Formula::In(at.output.clone());
    let from = at.values[wrt].shape().to_vec();
    let to = at.value.shape().to_vec();
    let slope = match p.partial(wrt, &x, &y) {
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
pub fn steps<P: Pointwise<N>, const N: usize>(p: &P, wrt: usize) -> bool {
    let x: [Formula<Reads>; N] = std::array::from_fn(|k| Formula::In(Reads(1 << k)));
    let Formula::Const(slope) = p.partial(wrt, &x, &Formula::In(Reads(0))) else {
        return false;
    };
    // Far from each other, and none a whole number.
    const PROBES: [f64; 5] = [-3.3, -0.7, 0.4, 1.6, 4.9];
    let others: [f64; N] = std::array::from_fn(|k| 1.3 + 0.4 * k as f64);
    let at = |probe: f64| {
        let mut x = others;
        x[wrt] = probe;
        p.at(x) - slope * probe
    };
    let first = at(PROBES[0]);
    PROBES.iter().any(|probe| (at(*probe) - first).abs() > 1e-9)
}

/// vᵀJ in numbers by one loop over the arrays. None where the slope is a constant or an operand is
/// repeated: then the map says what to do.
pub fn pull<P: Pointwise<N>, const N: usize>(
    p: &P,
    at: &Point<Tensor>,
    wrt: usize,
    v: &Tensor,
) -> Option<Outcome<Tensor>> {
    if matches!(v.dtype(), Dtype::Float16 | Dtype::Bfloat16) && KERNELS.contains(&P::ROW.fun.name) {
        return Some(Ok(widened(p, at, wrt, v)));
    }
    let (v64, y64) = (v.dtype() == Dtype::Float64, at.value.dtype() == Dtype::Float64);
    if at.value.rank() == 0 || !v64 || !y64 {
        return None;
    }
    let x: [Formula<Reads>; N] = std::array::from_fn(|k| Formula::In(Reads(1 << k)));
    match p.partial(wrt, &x, &Formula::In(Reads(0))) {
        Formula::Const(1.0) if at.values[wrt].shape() == at.value.shape() => Some(Ok(v.clone())),
        Formula::Const(0.0) => Some(Ok(v.full(at.values[wrt].shape(), 0.0))),
        Formula::Const(_) => None,
        Formula::In(_) => vector::pull(p, at.values, at.value, wrt, v),
    }
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

fn widened<P: Pointwise<N>, const N: usize>(
    p: &P,
    at: &Point<Tensor>,
    wrt: usize,
    v: &Tensor,
) -> Tensor {
    let wide = |t: &Tensor| t.to_dtype(Dtype::Float32);
    let all = |given: &[&Tensor]| given.iter().map(|t| wide(t)).collect::<Vec<Tensor>>();
    let (inputs, values) = (all(at.inputs), all(at.values));
    let (inputs, values): (Vec<&Tensor>, Vec<&Tensor>) =
        (inputs.iter().collect(), values.iter().collect());
    let (output, value) = (wide(at.output), wide(at.value));
    let at = Point { inputs: &inputs, output: &output, values: &values, value: &value };
    linear(p, &at, wrt).pull(&wide(v)).to_dtype(v.dtype())
}

/// The slopes with respect to operand `wrt` over a tile.
pub fn slope<'a, P: Pointwise<N>, const N: usize>(
    p: &P,
    wrt: usize,
    x: &[Tile<'a>],
    y: &Tile<'a>,
) -> Formula<Tile<'a>> {
    let x: [Formula<Tile<'a>>; N] = std::array::from_fn(|k| Formula::In(x[k].clone()));
    p.partial(wrt, &x, &Formula::In(y.clone()))
}

/// Which operands a formula reads, one bit each.
#[derive(Clone)]
pub(super) struct Reads(pub(super) u8);

impl Algebra for Reads {
    fn lift(&self, _: f64) -> Reads {
        Reads(0)
    }
    fn call(_: &'static Fun, args: &[&Reads]) -> Reads {
        Reads(args.iter().fold(0, |mask, a| mask | a.0))
    }
}

/// What backward needs when only some operands (one bit each) want a gradient: of the operands, those
/// that the asked slopes read.
pub fn saves_for<P: Pointwise<N>, const N: usize>(p: &P, tracked: u8) -> Saves {
    let Saves::Inputs(all) = P::ROW.saves else {
        return P::ROW.saves;
    };
    let x: [Formula<Reads>; N] = std::array::from_fn(|k| Formula::In(Reads(1 << k)));
    let slope = |wrt: usize| p.partial(wrt, &x, &Formula::In(Reads(0)));
    if (0..N).all(|wrt| matches!(slope(wrt), Formula::Const(0.0))) {
        // PyTorch keeps what the row says, though no slope reads it.
        return P::ROW.saves;
    }
    let read =
        (0..N).filter(|wrt| tracked & (1 << wrt) != 0).fold(0, |mask, wrt| match slope(wrt) {
            Formula::In(Reads(read)) => mask | read,
            Formula::Const(_) => mask,
        });
    match all & read {
        0 => Saves::Nothing,
        mask => Saves::Inputs(mask),
    }
}

/// The kinks that were hit.
pub fn corners<P: Pointwise<N>, const N: usize>(
    p: &P,
    inputs: &[&Tensor],
    output: &Tensor,
) -> Vec<Corner> {
    let mut out = Vec::new();
    if !P::KINKED {
        return out;
    }
    kernel::each::<N>(inputs, output.shape(), |places, x, k| {
        let Some((left, right)) = p.kink(x) else {
            return;
        };
        let y = Formula::In(output.data()[k]);
        for (wrt, element) in places.into_iter().enumerate() {
            let taken = match p.partial(wrt, &x.map(Formula::In), &y) {
                Formula::Const(c) | Formula::In(c) => c,
            };
            out.push(Corner { input: wrt, element, output: k, left, right, taken });
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::super::{DIV, MUL, REMAINDER};
    use super::*;

    #[test]
    fn a_product_keeps_a_factor_only_for_the_other() {
        let mul = (MUL.operation)(&[]);
        assert_eq!(mul.saves_for(0b01), Saves::Inputs(0b10));
        assert_eq!(mul.saves_for(0b11), Saves::Inputs(0b11));
        assert_eq!((DIV.operation)(&[]).saves_for(0b01), Saves::Inputs(0b10));
        assert_eq!((REMAINDER.operation)(&[]).saves_for(0b01), Saves::Nothing);
    }
}
