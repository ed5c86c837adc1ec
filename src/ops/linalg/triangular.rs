//! Linear equations: with a triangle, and in general.

use crate::maps::{
    Chain, batch, each, element, floats, identity, kept, left, resized, right, room, scaled, sizes,
};
use crate::{inverse_rule, square};
use std::rc::Rc;
use vjp_maths::primitives::moves;
use vjp_maths::{Array, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable, apply};
use vjp_ops::arrange::layout;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::matrix::Matrix;
use vjp_tensor::{Fact, Kind, Outcome, Tensor, budget, complain, shape};

/// X with `A X = B` (or `X A = B`), A triangular; inputs A, B, their batches broadcast.
#[derive(Debug)]
pub struct Triangular {
    upper: bool,
    from_left: bool,
    unit: bool,
}

impl Triangular {
    /// `A X = B` with the lower triangle of A.
    pub fn lower() -> Triangular {
        Triangular { upper: false, from_left: true, unit: false }
    }

    /// `A X = B` with the upper triangle of A.
    pub fn upper() -> Triangular {
        Triangular { upper: true, ..Triangular::lower() }
    }

    /// `A X = B` with what is below A's diagonal, and ones on it.
    pub fn unit_lower() -> Triangular {
        Triangular { unit: true, ..Triangular::lower() }
    }

    /// `A X = B` with what is above A's diagonal, and ones on it.
    pub fn unit_upper() -> Triangular {
        Triangular { unit: true, ..Triangular::upper() }
    }

    fn keeps(&self, i: usize, j: usize) -> bool {
        match (self.upper, self.unit) {
            (true, false) => i <= j,
            (true, true) => i < j,
            (false, false) => i >= j,
            (false, true) => i > j,
        }
    }
}

/// The batch that both operands are spread to.
fn common(a: &[usize], b: &[usize]) -> Outcome<Vec<usize>> {
    shape::broadcast(batch(a), batch(b))
}

fn spread(x: &Tensor, to: &[usize]) -> Outcome<Tensor> {
    vjp_tensor::kernels::strided::expand(x, to)
}

/// One system: back substitution.
fn substituted(a: &Matrix, b: &Matrix, upper: bool, unit: bool) -> Outcome<Vec<f64>> {
    let (n, columns) = (a.rows, b.columns);
    let mut x = b.data.clone();
    let order: Vec<usize> = if upper { (0..n).rev().collect() } else { (0..n).collect() };
    for c in 0..columns {
        for (done, i) in budget::unless_stopped(order.iter()).enumerate() {
            let s = order[..done]
                .iter()
                .fold(x[i * columns + c], |s, j| s - a.at(*i, *j) * x[j * columns + c]);
            x[i * columns + c] = if unit { s } else { s / a.at(*i, *i) };
        }
        budget::tick()?;
    }
    Ok(x)
}

impl Rule for Triangular {
    fn code(&self, inputs: &[String]) -> Option<String> {
        let upper = if self.upper { "True" } else { "False" };
        let side = if self.from_left { "" } else { ", left=False" };
        let unit = if self.unit { ", unitriangular=True" } else { "" };
        let (a, b) = (&inputs[0], &inputs[1]);
        Some(format!("torch.linalg.solve_triangular({a}, {b}, upper={upper}{side}{unit})"))
    }

    fn name(&self) -> &'static str {
        "solve_triangular"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let (p, q) = (inputs[0].shape(), inputs[1].shape());
        let whole = common(p, q)?;
        let (n, k) = sizes(q);
        let to = [whole.as_slice(), &[n, k]].concat();
        let m = sizes(p).0;
        let a = spread(inputs[0], &[whole.as_slice(), &[m, m]].concat())?;
        let b = spread(inputs[1], &to)?;
        let mut out = room(&to)?;
        for ((_, a), (_, b)) in each(&a)?.zip(each(&b)?) {
            if self.from_left {
                out.extend(substituted(&a, &b, self.upper, self.unit)?);
            } else {
                let x = substituted(&a.transposed(), &b.transposed(), !self.upper, self.unit)?;
                out.extend(Matrix::new(k, n, &x).transposed().data);
            }
        }
        Ok(Tensor::typed(&to, out, inputs[1].dtype()))
    }

    /// dX = A⁻¹ (dB − tri(dA) X), or from the right.
    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        let to = at.value.shape();
        let n = sizes(at.values[0].shape()).0;
        let whole = resized(to, n, n);
        let a = at.inputs[0].expand(&whole);
        let eye = identity(at.output, &whole);
        let op = Triangular { from_left: true, ..*self };
        let inverse = A::run(Rc::new(op), &[&a, &eye], &whole);
        let own = at.values[wrt].shape();
        let solving = |x: &[usize]| {
            if self.from_left { left(inverse, x) } else { right(inverse, x) }
        };
        let from = own.to_vec();
        if wrt == 1 {
            let to = to.to_vec();
            return Chain::from(own).then(|_| LinearMap::Expand { from, to }).then(solving).done();
        }
        let chain = Chain::from(own)
            .then(|_| LinearMap::Expand { from, to: whole.clone() })
            .then(|x| kept(x, |i, j| self.keeps(i, j)));
        let x = at.output.clone();
        let chain = if self.from_left { chain.right(x) } else { chain.left(x) };
        chain.then(solving).then(|x| scaled(-1.0, x)).done()
    }
}

impl TorchNode for Triangular {
    fn grad_fn(&self) -> &'static str {
        "LinalgSolveTriangularBackward0"
    }

    fn second(&self, wrt: usize) -> Option<&'static str> {
        match (wrt, self.upper) {
            (0, true) => Some("TriuBackward0"),
            (0, false) => Some("TrilBackward0"),
            _ => Some(self.grad_fn()),
        }
    }

    fn saves(&self) -> Saves {
        Saves::InputsAndOutput(1)
    }
}

fn triangular(b: &mut Bound) -> Outcome<Out> {
    let (x, y) = (b.tensor(0)?, b.tensor(1)?);
    let name = "linalg.solve_triangular";
    square(&x.shape(), name)?;
    if y.rank() < 2 {
        complain!("{name}: The input tensor B must have at least 2 dimensions.");
    }
    let op = Triangular {
        upper: b.bool_or(2, false),
        from_left: b.bool_or(3, true),
        unit: b.bool_or(4, false),
    };
    fitting(&x, &y, op.from_left, name)?;
    common(&x.shape(), &y.shape())?;
    Ok(Out::One(apply(Rc::new(op), &[x, y])?))
}

/// Whether B has the size that an equation with A asks for.
pub fn fitting(a: &Variable, b: &Variable, from_left: bool, name: &str) -> Outcome<()> {
    let (n, (p, q)) = (sizes(&a.shape()).0, sizes(&b.shape()));
    let fits = if from_left { p == n } else { q == n };
    if !fits {
        let text = if from_left { "AX = B" } else { "XA = B" };
        let k = sizes(&a.shape()).1;
        complain!(
            Kind::Runtime, Fact::SystemSizes;
            "{name}: Incompatible shapes of A and B for the equation {text} ({n}x{k} and {p}x{q})"
        );
    }
    Ok(())
}

/// X with `A X = B` for any regular A.
#[derive(Debug)]
struct Solve;

impl Rule for Solve {
    fn code(&self, inputs: &[String]) -> Option<String> {
        Some(format!("torch.linalg.solve({}, {})", inputs[0], inputs[1]))
    }

    fn name(&self) -> &'static str {
        "solve"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let (p, q) = (inputs[0].shape(), inputs[1].shape());
        let whole = common(p, q)?;
        let (n, k) = sizes(q);
        let to = [whole.as_slice(), &[n, k]].concat();
        let a = spread(inputs[0], &[whole.as_slice(), &[n, n]].concat())?;
        let b = spread(inputs[1], &to)?;
        let mut out = room(&to)?;
        for ((at, x), (_, y)) in each(&a)?.zip(each(&b)?) {
            let solution = super::determinant::solution_of(&x.data, n, &y.data, k)?;
            let Some(solution) = solution else {
                complain!(
                    Kind::LinAlg,
                    "torch.linalg.solve: {}The solver failed because the input matrix is singular.",
                    element(&a, at)
                );
            };
            out.extend(solution);
        }
        Ok(Tensor::typed(&to, out, inputs[1].dtype()))
    }

    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], value: &Tensor) -> Option<Symbols> {
        let (a, b) = (inputs[0], inputs[1]);
        let (to, n) = (value.shape(), sizes(&a.shape).0);
        let inverse = inverse_rule(n).symbols(&[a], &values[..1], values[0])?;
        Some(inverse.expand(&resized(to, n, n)).matmul(&b.expand(to)))
    }

    /// dX = A⁻¹ (dB − dA X)
    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        let (to, own) = (at.value.shape().to_vec(), at.values[wrt].shape());
        let n = sizes(at.values[0].shape()).0;
        let whole = resized(&to, n, n);
        let inverse = inverse_of(at, n).expand(&whole);
        let from = own.to_vec();
        let chain = Chain::from(own)
            .then(|_| LinearMap::Expand { from, to: if wrt == 1 { to } else { whole } });
        if wrt == 1 {
            return chain.left(inverse).done();
        }
        chain.right(at.output.clone()).left(inverse).then(|x| scaled(-1.0, x)).done()
    }
}

impl TorchNode for Solve {
    fn grad_fn(&self) -> &'static str {
        "LinalgSolveExBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::InputsAndOutput(1)
    }
}

/// The inverse of the first input, by its formula where symbols are asked for.
fn inverse_of<A: Array>(at: &Point<A>, n: usize) -> A {
    A::run(Rc::new(inverse_rule(n)), &[at.inputs[0]], at.values[0].shape())
}

/// `torch.linalg.solve(a, b)`.
///
/// # Errors
/// Sizes that do not fit, or singular matrices.
pub fn solve(a: &Variable, b: &Variable, from_left: bool) -> Outcome<Variable> {
    let name = "linalg.solve";
    let (whole, n) = square(&a.shape(), name)?;
    floats(a, name)?;
    let (p, q) = (a.shape(), b.shape());
    if a.dtype() != b.dtype() {
        complain!(
            "{name}: Expected A and B to have the same dtype, but found A of type {} and B of type {} instead",
            a.dtype().scalar_type(),
            b.dtype().scalar_type()
        );
    }
    // One vector, or a batch of them that matches A's.
    let vector =
        q.len() == 1 || (q.len() + 1 == p.len() && q[..] == [&whole[..], &[n]].concat()[..]);
    if !from_left {
        let column = if vector { layout::unsqueeze(b, -1)? } else { b.clone() };
        fitting(a, &column, false, name)?;
        if vector {
            complain!(
                "{name}: Vector broadcasting of the left hand side is not supported for left=False. In this case linalg.solve is equivalent to B / A.squeeze(-1)"
            );
        }
        let turned = |v: &Variable| layout::transpose(v, -2, -1);
        let x = turned(&solve(&turned(a)?, &turned(b)?, true)?)?;
        return vjp_ops::compose::named(&x, "solve", "LinalgSolveExBackward0");
    }
    let column = if vector { layout::unsqueeze(b, -1)? } else { b.clone() };
    fitting(a, &column, true, name)?;
    common(&p, &column.shape())?;
    let x = apply(Rc::new(Solve), &[a.clone(), column])?;
    if !vector {
        return Ok(x);
    }
    let flat = &x.shape()[..x.rank() - 1];
    let op = moves::reshaped(&x.shape(), flat, "solve", "LinalgSolveExBackward0");
    apply(Rc::new(op.saving()), &[x])
}

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "solve" Forms::LINALG.and(Forms::SHORT), "(Tensor A, Tensor B, *, bool left=True)", "X with A X = B; dX = A⁻¹ (dB − dA X)", "torch.linalg.solve(torch.eye(2), torch.ones(2))", ["inverse", "lstsq", "solve_triangular"] jax "jnp.linalg.solve({A}, {B})"
        => |b| {
            let left = b.bool_or(2, true);
            Ok(Out::One(solve(&b.tensor(0)?, &b.tensor(1)?, left)?))
        };
    "solve_triangular" Forms::LINALG, "(Tensor A, Tensor B, *, bool upper, bool left=True, bool unitriangular=False)", "X with A X = B, A triangular; dX = A⁻¹ (dB − dA X)", "torch.linalg.solve_triangular(tensor([[2., 0.], [1., 1.]]), torch.ones(2, 1), upper=False)", ["solve"] jax "[upper=True] jax.scipy.linalg.solve_triangular({A}, {B}) or [upper=False] jax.scipy.linalg.solve_triangular({A}, {B}, lower=True)"
        => |b| {
            // The order of the keywords is that of the rule.
            triangular(b)
        };
};
