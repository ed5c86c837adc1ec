//! The short way for numbers: operations on tensors of one double without dimensions, recorded and swept.
//! A loop may carry out a hundred thousand of them. What they compute takes a nanosecond, so the
//! numbers stay in registers: written to memory in parts and read back whole, as whatever takes any
//! tensor does it, each copy would wait 5 ns, and a step of a chain took 170 ns instead of 60.

use crate::autodiff::edge::{Edge, Origin};
use crate::autodiff::grad_mode::is_grad_enabled;
use crate::autodiff::node::saved_of;
use crate::saved::packing;
use crate::{Fun, Node, Variable};
use smallvec::SmallVec;
use vjp_tensor::tensor::default_dtype;
use vjp_tensor::{Dtype, Outcome, Scalar, Tensor, budget};

/// `x fun number`, or `number fun x` where `swapped`, of a Python number that is none of `bool`. None: the
/// long way.
#[inline]
pub fn beside_number(
    fun: &'static Fun,
    x: &Variable,
    number: Scalar,
    swapped: bool,
) -> Option<Variable> {
    if !is_grad_enabled() || packing::is_active() {
        return None;
    }
    let (value, origin) = x.as_number_seen()?;
    let (n, dtype) = match number {
        Scalar::Bool(_) => return None,
        Scalar::Int(i) => (i as f64, Dtype::Int64),
        Scalar::Float(f) => (f, default_dtype()),
    };
    let number = || Edge::number(Tensor::number(n, dtype));
    // Where the edges stand is settled in each branch: there they are written where they stay.
    if swapped {
        let out = (fun.value)(&[n, value]);
        let edges = |own| [number(), own];
        recorded(fun, value, origin, out, 1, edges)
    } else {
        let out = (fun.value)(&[value, n]);
        let edges = |own| [own, number()];
        recorded(fun, value, origin, out, 0, edges)
    }
}

/// What was computed of a number that is input `own`, and another that wants no gradient.
#[inline(always)]
fn recorded(
    fun: &'static Fun,
    value: f64,
    origin: Origin,
    out: f64,
    own: usize,
    edges: impl FnOnce(Edge) -> [Edge; 2],
) -> Option<Variable> {
    match origin {
        Origin::Constant(None) => return Some(Variable::fresh(Tensor::scalar(out), None)),
        // What was cut off somewhere is looked at more closely.
        Origin::Constant(Some(_)) => return None,
        _ => {}
    }
    let operation = (fun.operation)(&[]);
    let saves = saved_of(&*operation, 1 << own);
    if saves.1 || saves.0 & (1 << own) != 0 {
        return None;
    }
    let shows = origin.shows();
    let edges = SmallVec::from_buf(edges(Edge::new(Tensor::scalar(value), origin)));
    let node = Node::build(operation, edges, saves, Tensor::scalar(out), shows);
    Some(Variable::computed(Tensor::scalar(out), node))
}

/// `a fun b` of two such tensors, at least one with a gradient. None: the long way.
#[inline]
pub fn pair(fun: &'static Fun, a: &Variable, b: &Variable) -> Option<Variable> {
    if !is_grad_enabled() || packing::is_active() {
        return None;
    }
    let (x, first) = a.as_number_seen()?;
    let (y, second) = b.as_number_seen()?;
    let tracked = u8::from(first.tracked()) | u8::from(second.tracked()) << 1;
    if tracked == 0 {
        if matches!(
            (&first, &second),
            (Origin::Constant(Some(_)), _) | (_, Origin::Constant(Some(_)))
        ) {
            return None;
        }
        let out = (fun.value)(&[x, y]);
        return Some(Variable::fresh(Tensor::scalar(out), None));
    }
    let operation = (fun.operation)(&[]);
    let saves = saved_of(&*operation, tracked);
    if saves.1 {
        return None;
    }
    let out = (fun.value)(&[x, y]);
    let shows = first.shows() || second.shows();
    let mut edges = [Edge::new(Tensor::scalar(x), first), Edge::new(Tensor::scalar(y), second)];
    for (k, v) in [a, b].into_iter().enumerate() {
        if saves.0 & (1 << k) != 0 {
            edges[k].watch(v);
        }
    }
    let node = Node::build(operation, SmallVec::from_buf(edges), saves, Tensor::scalar(out), shows);
    Some(Variable::computed(Tensor::scalar(out), node))
}

/// Sends a cotangent down a chain of operations on numbers, each with one input that wants a gradient,
/// for as long as nothing has to be looked at: to the first node that a sweep must visit as usual,
/// and what arrives there. `freed_by`: the sweep frees what it passes.
pub(crate) fn along(mut node: &Node, mut v: f64, freed_by: Option<u32>) -> Outcome<(&Node, f64)> {
    if default_dtype() != Dtype::Float64 {
        return Ok((node, v));
    }
    let mut steps = 0u32;
    while let Some((next, passed)) = step(node, v) {
        if let Some(sweep) = freed_by
            && !node.freed()
        {
            node.set_freed_by(sweep);
        }
        (node, v) = (next, passed);
        steps = steps.wrapping_add(1);
        if steps.is_multiple_of(64) {
            budget::tick()?;
        }
    }
    Ok((node, v))
}

/// One operation down; None where it is not as simple as that.
#[inline(always)]
fn step(node: &Node, v: f64) -> Option<(&Node, f64)> {
    let y = node.value().as_double()?;
    if node.is_watched() || (node.freed() && node.keeps()) {
        return None;
    }
    let (wrt, x, next) = match node.inputs() {
        [a] => (0, [a.value.as_double()?, 0.0], a.node()?),
        [a, b] => {
            let x = [a.value.as_exact()?, b.value.as_exact()?];
            match (a.tracked(), b.tracked()) {
                (true, false) => (0, x, a.node()?),
                (false, true) => (1, x, b.node()?),
                _ => return None,
            }
        }
        _ => return None,
    };
    let own = node.inputs()[wrt].value.dtype();
    if own != Dtype::Float64 || (node.saved() != (0, false) && node.check_saved().is_err()) {
        return None;
    }
    let passed = node.operation().pass(&x[..node.inputs().len()], y, wrt, v)?;
    Some((next, passed))
}

impl Origin {
    /// Whether a gradient flows along it.
    #[inline]
    fn tracked(&self) -> bool {
        !matches!(self, Origin::Constant(_))
    }
}
