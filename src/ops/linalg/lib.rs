//! Linear algebra: inverse, determinant, factors, solutions, norms, of one matrix or of a batch. Rows and rules as
//! in `ops`, of whose operations they are composed.

pub mod cholesky;
pub mod determinant;
pub mod factor;
pub mod lu;
pub mod maps;
pub mod norms;
pub mod pinv;
pub mod powers;
pub mod svd;
pub mod triangular;
pub mod with_info;

use crate::determinant::{cofactors, determinant_of, inverse_of};
use crate::maps::{element, floats};
use std::rc::Rc;
use vjp_maths::primitives::fixed::{element_map, reshaping};
use vjp_maths::{Array, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable, apply, table};
pub use vjp_ops::compose::grouped;
use vjp_ops::{Forms, Out, entries};
use vjp_tensor::{
    Complaint, Dtype, ElementMap, Fact, Kind, Outcome, Tensor, budget, complain, shape,
};

/// Batch dimensions and the size of square matrices.
pub(crate) fn square(own: &[usize], name: &str) -> Outcome<(Vec<usize>, usize)> {
    let rank = own.len();
    if rank < 2 {
        complain!(Kind::Runtime, Fact::NoMatrix; "{name}: The input tensor A must have at least 2 dimensions.");
    }
    let (m, n) = (own[rank - 2], own[rank - 1]);
    if m != n {
        complain!(
            Kind::Runtime, Fact::NotSquare;
            "{name}: A must be batches of square matrices, but they are {m} by {n} matrices"
        );
    }
    Ok((own[..rank - 2].to_vec(), n))
}

/// Each matrix of a batch through `f`.
fn each(
    x: &Tensor,
    n: usize,
    to: &[usize],
    f: impl Fn(&[f64], usize) -> Outcome<Vec<f64>>,
) -> Outcome<Tensor> {
    let mut out = budget::vec(shape::count(to)?)?;
    // The factors lie beside the matrix.
    budget::reserve(n.saturating_mul(n).saturating_mul(size_of::<f64>()))?;
    if n == 0 {
        out.resize(to.iter().product(), 1.0);
    } else {
        for (k, block) in x.data().chunks_exact(n * n).enumerate() {
            out.extend(f(block, k)?);
        }
    }
    Ok(Tensor::typed(to, out, x.dtype()))
}

/// `y = x⁻¹`.
#[derive(Debug)]
struct Inverse {
    n: usize,
}

impl Rule for Inverse {
    fn code(&self, inputs: &[String]) -> Option<String> {
        Some(format!("torch.linalg.inv({})", inputs[0]))
    }

    fn name(&self) -> &'static str {
        "inverse"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        each(inputs[0], self.n, inputs[0].shape(), |a, k| {
            inverse_of(a, self.n)?.map_err(|pivot| {
                let which = element(inputs[0], k);
                Complaint::new(
                    Kind::LinAlg,
                    format!(
                        "linalg.inv: {which}The diagonal element {pivot} is zero, the inversion could not be completed because the input matrix is singular."
                    ),
                )
                .about(Fact::Singular(pivot))
            })
        })
    }

    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        let x = inputs[0];
        let det = Det { n: self.n };
        let mut ones = x.shape[..x.shape.len() - 2].to_vec();
        let d = Tensor::new(&ones, vec![0.0; ones.iter().product()]);
        let d = Rule::symbols(&det, inputs, values, &d)?;
        ones.extend([1, 1]);
        let d = Symbols { shape: ones, ..d };
        let adjugate = cofactors(x, &x.shape, self.n).swap();
        Some(vjp_maths::Algebra::call(&table::DIV, &[&adjugate, &d]))
    }

    /// d(x⁻¹) = −x⁻¹ dx x⁻¹
    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let shape = at.value.shape().to_vec();
        let y = || at.output.clone();
        LinearMap::Then(vec![
            LinearMap::Left { by: y(), from: shape.clone(), to: shape.clone() },
            LinearMap::Right { by: y(), from: shape.clone(), to: shape.clone() },
            LinearMap::Scale { by: -1.0, shape },
        ])
    }
}

impl TorchNode for Inverse {
    fn grad_fn(&self) -> &'static str {
        "LinalgInvExBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::Output
    }
}

/// Larger determinants are too long to be read as formulas.
const MOST: usize = 4;

/// The determinant.
#[derive(Debug)]
struct Det {
    n: usize,
}

impl Rule for Det {
    fn code(&self, inputs: &[String]) -> Option<String> {
        Some(format!("torch.linalg.det({})", inputs[0]))
    }

    fn name(&self) -> &'static str {
        "det"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let own = inputs[0].shape();
        let to = &own[..own.len() - 2];
        each(inputs[0], self.n, to, |a, _| Ok(vec![determinant_of(a, self.n)?]))
    }

    /// Along the first row.
    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], value: &Tensor) -> Option<Symbols> {
        if self.n == 0 || self.n > MOST {
            return None;
        }
        let x = inputs[0];
        let products = x.mul(&cofactors(x, &x.shape, self.n));
        let batch = value.numel();
        let first = (0..batch * self.n).map(|k| k / self.n * self.n * self.n + k % self.n);
        let row = products.gather(&element_map(&x.shape, &[batch, self.n], first.collect()));
        Some(Symbols { shape: value.shape().to_vec(), data: row.collapse(&[batch, 1]).data })
    }

    /// d det = Σ cofactor · dx
    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let own = at.values[0].shape().to_vec();
        let mut ones = own.clone();
        let rank = own.len();
        ones[rank - 2] = 1;
        ones[rank - 1] = 1;
        let by = match A::WHOLE {
            true => {
                let inverse = A::run(Rc::new(Inverse { n: self.n }), &[at.inputs[0]], &own);
                let det = at.output.gather(&ElementMap::reshape(at.value.shape(), &ones));
                inverse.swap().mul(&det.expand(&own))
            }
            false => cofactors(at.inputs[0], &own, self.n),
        };
        LinearMap::Then(vec![
            LinearMap::Diagonal { by, shape: own.clone() },
            LinearMap::Collapse { from: own, to: ones.clone() },
            reshaping(&ones, at.value.shape()),
        ])
    }
}

impl TorchNode for Det {
    fn grad_fn(&self) -> &'static str {
        "LinalgDetBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::InputsAndOutput(1)
    }
}

/// The rule of the inverse of n × n matrices.
pub(crate) fn inverse_rule(n: usize) -> impl Rule {
    Inverse { n }
}

/// `torch.linalg.inv(x)`.
///
/// # Errors
/// Not square, or singular.
pub fn inverse(x: &Variable) -> Outcome<Variable> {
    let (_, n) = square(&x.shape(), "linalg.inv")?;
    floats(x, "linalg.inv")?;
    maps::no_short(x, "linalg.inv")?;
    apply(Rc::new(Inverse { n }), std::slice::from_ref(x))
}

/// `torch.linalg.det(x)`.
pub fn det(x: &Variable) -> Outcome<Variable> {
    det_for(x, "linalg.det")
}

/// [`det`] in the name of another.
fn det_for(x: &Variable, name: &str) -> Outcome<Variable> {
    let (_, n) = square(&x.shape(), name)?;
    floats(x, name)?;
    if name != "linalg.det" {
        maps::no_short(x, name)?;
    }
    // Cofactors as sums of products lose digits from 4 × 4 on: there the inverse gives the slope,
    // where it is well determined.
    if n >= 4
        && x.requires_grad()
        && let Ok(inv) = inverse(x)
        && well_determined(&x.value(), &inv.value())
    {
        return apply(Rc::new(DetByInverse { n }), &[x.clone(), inv]);
    }
    apply(Rc::new(Det { n }), std::slice::from_ref(x))
}

/// Whether the condition numbers leave digits enough, in the largest elements.
fn well_determined(x: &Tensor, inverse: &Tensor) -> bool {
    let size = |t: &Tensor| t.data().iter().fold(0.0f64, |m, v| m.max(v.abs()));
    size(x) * size(inverse) < 1e8
}

/// `y = det x`, its slope from the inverse: inputs x and x⁻¹.
#[derive(Debug)]
struct DetByInverse {
    n: usize,
}

impl Rule for DetByInverse {
    fn code(&self, inputs: &[String]) -> Option<String> {
        Some(format!("torch.linalg.det({})", inputs[0]))
    }

    fn name(&self) -> &'static str {
        "det"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        Rule::value(&Det { n: self.n }, inputs)
    }

    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], value: &Tensor) -> Option<Symbols> {
        Rule::symbols(&Det { n: self.n }, inputs, values, value)
    }

    /// d det = det · tr(x⁻¹ dx)
    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        let own = at.values[0].shape().to_vec();
        let to = at.value.shape().to_vec();
        if wrt == 1 {
            return LinearMap::Zero { from: own, to };
        }
        if A::WHOLE {
            return Rule::linear(&Det { n: self.n }, at, wrt);
        }
        let mut ones = to.clone();
        ones.extend([1, 1]);
        let det = at.output.gather(&ElementMap::reshape(&to, &ones)).expand(&own);
        LinearMap::Then(vec![
            LinearMap::Diagonal { by: at.inputs[1].swap().mul(&det), shape: own.clone() },
            LinearMap::Collapse { from: own, to: ones.clone() },
            reshaping(&ones, &to),
        ])
    }
}

impl TorchNode for DetByInverse {
    fn grad_fn(&self) -> &'static str {
        "LinalgDetBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::InputsAndOutput(0b11)
    }
}

fn one(fun: &'static vjp_maths::Fun, x: &Variable) -> Outcome<Variable> {
    apply((fun.operation)(&[]), std::slice::from_ref(x))
}

/// Sign and logarithm of the size of the determinant.
fn slogdet(b: &mut vjp_ops::Bound, name: &'static str) -> Outcome<Out> {
    let group = grouped(b, "slogdet", "LinalgSlogdetBackward0", 1, &[0])?;
    let d = det_for(&b.tensor(0)?, "linalg.slogdet")?;
    // |det|, with a slope at 0 as well.
    let up = d.value().map(d.dtype(), |v| if v < 0.0 { -1.0 } else { 1.0 })?;
    let size = table::mul(&d, &Variable::constant(up))?;
    let log = one(&table::LOG, &size)?;
    let sign = one(&table::SIGN, &d)?;
    let (sign, log) = (group.output_at(0, &sign)?, group.output_at(1, &log)?);
    Ok(Out::Named(name, vec![("sign", sign), ("logabsdet", log)]))
}

const LINALG: Forms = Forms::LINALG;
const ALL: Forms = Forms::TORCH.and(Forms::METHOD).and(Forms::LINALG).and(Forms::SHORT);
const OLD: Forms = Forms::TORCH.and(Forms::METHOD).and(Forms::SHORT);

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "inverse" as "inv" ALL, "(Tensor input)", "Y = X⁻¹; dY = −X⁻¹ dX X⁻¹", "inverse([[2, 0], [0, 4]])", ["det", "solve"] jax "jnp.linalg.inv({input})"
        => |b| Ok(Out::One(inverse(&b.tensor(0)?)?));
    "det" ALL, "(Tensor input)", "y = det X; ∂y/∂X = det X · X⁻ᵀ", "det([[1, 2], [3, 4]])", ["inverse", "logdet"] jax "jnp.linalg.det({input})"
        => |b| Ok(Out::One(det(&b.tensor(0)?)?));
    "logdet" OLD, "(Tensor input)", "y = log det X; ∂y/∂X = X⁻ᵀ", "logdet([[2, 0], [0, 4]])", ["det", "slogdet"] jax "jnp.linalg.slogdet({input})[1]"
        => |b| {
            let d = det_for(&b.tensor(0)?, "logdet")?;
            let log = one(&table::LOG, &d)?;
            let positive = d.value().map(Dtype::Bool, |v| f64::from(u8::from(v >= 0.0)))?;
            let nan = Variable::constant(Tensor::scalar(f64::NAN).with_dtype(log.dtype()));
            Ok(Out::One(vjp_ops::index::select::select_where(&Variable::constant(positive), &log, &nan)?))
        };
    "slogdet" LINALG, "(Tensor A)", "sign and log |det X|; ∂ log|det X|/∂X = X⁻ᵀ", "torch.linalg.slogdet(torch.eye(2))", ["logdet"] jax "jnp.linalg.slogdet({A})"
        => |b| slogdet(b, "linalg_slogdet");
    "slogdet" Forms::TORCH.and(Forms::METHOD), "(Tensor input)", "sign and log |det X|; ∂ log|det X|/∂X = X⁻ᵀ", "torch.slogdet(torch.eye(2))", ["logdet"] jax "jnp.linalg.slogdet({input})"
        => |b| slogdet(b, "slogdet");
    "matrix_power" ALL, "(Tensor input, int n)", "Xⁿ; dY = Σₖ Xᵏ dX Xⁿ⁻¹⁻ᵏ", "matrix_power([[1, 1], [0, 1]], 3)", ["matmul", "inverse"] jax "jnp.linalg.matrix_power({input}, {n})"
        => |b| Ok(Out::One(powers::power(&b.tensor(0)?, b.int_or(1, 1))?));
};
