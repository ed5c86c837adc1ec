//! The pseudo-inverse, least squares, and the exponential of a matrix.

use crate::maps::{Chain, batch, each, left, resized, right, room, scaled, sizes};
use crate::svd::{between, transposing};
use std::rc::Rc;
use vjp_maths::{Array, LinearMap, Point, Rule, Saves, TorchNode, Variable, apply};
use vjp_ops::arrange::layout;
use vjp_ops::product::matmul::matmul;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::matrix::Matrix;
use vjp_tensor::matrix::singular::svd;
use vjp_tensor::matrix::symmetric::eigen;
use vjp_tensor::{Dtype, Fact, Kind, Outcome, Tensor, budget, complain};

/// A⁺, singular values up to a tolerance taken as 0.
#[derive(Debug)]
struct Pinv {
    atol: f64,
    rtol: f64,
    /// The program gave it.
    given: bool,
    hermitian: bool,
}

impl Pinv {
    fn of(&self, a: &Matrix) -> Outcome<Option<Matrix>> {
        let (m, n) = (a.rows, a.columns);
        let decomposed = if self.hermitian {
            eigen(a, true)?.map(|(l, v)| (v.clone(), l, v.transposed()))
        } else {
            svd(a, false)?
        };
        let Some((u, s, vt)) = decomposed else {
            return Ok(None);
        };
        let top = s.iter().fold(0.0f64, |t, v| t.max(v.abs()));
        let limit = self.atol.max(self.rtol * top);
        let mut out = Matrix::new(n, m, &vec![0.0; n * m]);
        for (k, s) in s.iter().enumerate().filter(|(_, s)| s.abs() > limit || s.is_nan()) {
            for i in budget::unless_stopped(0..n) {
                let w = if s.is_nan() { vt.at(k, i) * 0.0 } else { vt.at(k, i) / s };
                for j in 0..m {
                    out.set(i, j, out.at(i, j) + w * u.at(j, k));
                }
            }
        }
        Ok(Some(out))
    }
}

impl Rule for Pinv {
    fn code(&self, inputs: &[String]) -> Option<String> {
        let mut said = String::new();
        if self.atol != 0.0 {
            said += &format!(", atol={:?}", self.atol);
        }
        if self.given {
            said += &format!(", rtol={:?}", self.rtol);
        }
        if self.hermitian {
            said += ", hermitian=True";
        }
        Some(format!("torch.linalg.pinv({}{said})", inputs[0]))
    }

    fn name(&self) -> &'static str {
        "pinv"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let own = inputs[0].shape();
        let (m, n) = sizes(own);
        let to = resized(own, n, m);
        let mut out = room(&to)?;
        for (k, matrix) in each(inputs[0])? {
            let Some(p) = self.of(&matrix)? else {
                complain!(
                    Kind::LinAlg, Fact::NoSingularValues;
                    "linalg.svd: {}The algorithm failed to converge because the input matrix contained non-finite values.",
                    crate::maps::element(inputs[0], k)
                );
            };
            out.extend(p.data);
        }
        Ok(Tensor::typed(&to, out, inputs[0].dtype()))
    }

    /// dP = −P dA P + P Pᵀ dAᵀ (I − A P) + (I − P A) dAᵀ Pᵀ P (Golub and Pereyra 1973)
    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let (a, p) = (at.inputs[0], at.output);
        let own = at.values[0].shape();
        let minus = |map: LinearMap<A>| {
            let to = map.to().to_vec();
            LinearMap::Then(vec![map, scaled(-1.0, &to)])
        };
        let pt = p.swap();
        let to = resized(own, sizes(own).1, sizes(own).0);
        let first = minus(between(p.clone(), p.clone(), own));
        let second = transposing(own, |x| {
            Chain::from(x)
                .left(p.matmul(&pt))
                .then(|x| LinearMap::Plus(vec![scaled(1.0, x), minus(right(a.matmul(p), x))]))
                .done()
        });
        let third = transposing(own, |x| {
            Chain::from(x)
                .right(pt.matmul(p))
                .then(|x| LinearMap::Plus(vec![scaled(1.0, x), minus(left(p.matmul(a), x))]))
                .done()
        });
        debug_assert_eq!(first.to(), to);
        LinearMap::Plus(vec![first, second, third])
    }
}

impl TorchNode for Pinv {
    fn grad_fn(&self) -> &'static str {
        "LinalgPinvBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::InputsAndOutput(1)
    }
}

fn epsilon(d: Dtype) -> f64 {
    if d == Dtype::Float32 { f64::from(f32::EPSILON) } else { f64::EPSILON }
}

/// `torch.linalg.pinv(a)`.
///
/// # Errors
/// Not matrices, or not of floats.
fn pinv(x: &Variable, atol: Option<f64>, rtol: Option<f64>, hermitian: bool) -> Outcome<Variable> {
    let name = "linalg.pinv";
    if x.rank() < 2 || !matches!(x.dtype(), Dtype::Float32 | Dtype::Float64) {
        let sizes: Vec<String> = x.shape().iter().map(usize::to_string).collect();
        complain!(
            "{name}({}{{[{}]}}): expected a tensor with 2 or more dimensions of float, double, cfloat or cdouble types",
            x.dtype().scalar_type(),
            sizes.join(", ")
        );
    }
    let (m, n) = sizes(&x.shape());
    let usual =
        if atol.is_some_and(|a| a > 0.0) { 0.0 } else { epsilon(x.dtype()) * m.max(n) as f64 };
    if hermitian {
        crate::square(&x.shape(), "linalg.eigh")?;
    }
    let op = Pinv {
        atol: atol.unwrap_or(0.0),
        rtol: rtol.unwrap_or(usual),
        given: rtol.is_some(),
        hermitian,
    };
    apply(Rc::new(op), std::slice::from_ref(x))
}

/// `torch.linalg.lstsq(a, b)`: the solution through the pseudo-inverse, as its derivative is PyTorch's.
fn lstsq(b: &mut Bound) -> Outcome<Out> {
    let (x, y) = (b.tensor(0)?, b.tensor(1)?);
    let name = "torch.linalg.lstsq";
    if x.rank() < 2 {
        complain!("{name}: input must have at least 2 dimensions.");
    }
    if y.rank() < 1 {
        complain!("{name}: other must have at least 1 dimension.");
    }
    let (p, q) = (x.shape(), y.shape());
    let (m, n) = sizes(&p);
    let driver = b.str_or(3, "gelsy").to_owned();
    let vector = q.len() + 1 == p.len() && q[..] == p[..p.len() - 1];
    let column = if vector { layout::unsqueeze(&y, -1)? } else { y };
    if sizes(&column.shape()).0 != m {
        complain!(
            "{name}: input.size(-2) should match other.size({})",
            if q.len() + 1 == p.len() { "-1" } else { "-2" }
        );
    }
    let eps = b.float(2).unwrap_or(epsilon(x.dtype()) * m.max(n) as f64);
    let inverse = pinv(&x, None, Some(eps), false)?;
    let mut solution = matmul(&inverse, &column)?;
    let (values, spots) = (x.value(), batch(&p).to_vec());
    let mut ranks = Vec::new();
    let mut singular = Vec::new();
    for (_, matrix) in each(&values)? {
        let s = svd(&matrix, false)?.map_or_else(Vec::new, |(_, s, _)| s);
        let top = s.first().copied().unwrap_or(0.0);
        ranks.push(s.iter().filter(|v| **v > eps * top).count() as f64);
        singular.extend(s);
    }
    let full = ranks.iter().all(|r| *r == n as f64);
    let plain = |shape: &[usize], data: Vec<f64>, d: Dtype| {
        Variable::constant(Tensor::typed(shape, data, d))
    };
    let none = || plain(&[0], Vec::new(), x.dtype());
    let residuals = if m > n && full && driver != "gelsy" {
        let rest = vjp_maths::table::sub(&matmul(&x, &solution)?, &column)?;
        let squares = vjp_maths::table::mul(&rest, &rest)?;
        vjp_ops::reduce::sum(&squares.detach(), Some(&[-2]), false)?
    } else {
        none()
    };
    if vector {
        solution = layout::squeeze(&solution, Some(&[-1]))?;
    }
    let solution = vjp_ops::compose::named(&solution, "lstsq", "LinalgLstsqBackward0")?;
    let rank = if driver == "gels" {
        plain(&[0], Vec::new(), Dtype::Int64)
    } else {
        plain(&spots, ranks, Dtype::Int64)
    };
    let values = if matches!(driver.as_str(), "gelsd" | "gelss") {
        plain(&[spots.as_slice(), &[m.min(n)]].concat(), singular, x.dtype())
    } else {
        none()
    };
    Ok(Out::Named(
        "linalg_lstsq",
        vec![
            ("solution", solution),
            ("residuals", residuals),
            ("rank", rank),
            ("singular_values", values),
        ],
    ))
}

/// `e^A`.
#[derive(Debug)]
struct MatrixExp;

fn product(a: &Matrix, b: &Matrix) -> Outcome<Matrix> {
    let n = a.rows;
    let mut out = Matrix::new(n, n, &vec![0.0; n * n]);
    for i in 0..n {
        for k in budget::unless_stopped(0..n) {
            let v = a.at(i, k);
            for j in 0..n {
                out.data[i * n + j] += v * b.at(k, j);
            }
        }
        budget::tick()?;
    }
    Ok(out)
}

/// The largest sum of sizes in a column.
fn size(a: &Matrix) -> f64 {
    let column = |j: usize| (0..a.rows).map(|i| a.at(i, j).abs()).sum::<f64>();
    (0..a.columns).map(column).fold(0.0, f64::max)
}

/// Taylor's series of the matrix halved until it is small, then squared as often.
fn exponential(a: &Matrix) -> Outcome<Matrix> {
    let size = size(a);
    if !size.is_finite() {
        return Ok(Matrix::new(a.rows, a.columns, &vec![f64::NAN; a.data.len()]));
    }
    let halvings = if size > 0.25 { (size / 0.25).log2().ceil() as i32 } else { 0 };
    let mut small = a.clone();
    for v in &mut small.data {
        *v *= 0.5f64.powi(halvings);
    }
    let identity = Matrix::identity(a.rows, a.rows);
    let mut y = identity.clone();
    // Horner: I + A/1 (I + A/2 (I + …)); the 14th term is below rounding.
    for k in (1..=14).rev() {
        let mut term = product(&small, &y)?;
        for (t, e) in term.data.iter_mut().zip(&identity.data) {
            *t = *t / f64::from(k) + e;
        }
        y = term;
    }
    for _ in 0..halvings {
        y = product(&y, &y)?;
    }
    Ok(y)
}

impl Rule for MatrixExp {
    fn code(&self, inputs: &[String]) -> Option<String> {
        Some(format!("torch.linalg.matrix_exp({})", inputs[0]))
    }

    fn name(&self) -> &'static str {
        "matrix_exp"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let own = inputs[0].shape();
        let mut out = room(own)?;
        for (_, matrix) in each(inputs[0])? {
            out.extend(exponential(&matrix)?.data);
        }
        Ok(Tensor::typed(own, out, inputs[0].dtype()))
    }

    /// d e^A = ∫₀¹ e^{(1−t)A} dA e^{tA} dt (Wilcox 1967), by Gauss's rule with points enough for
    /// double precision.
    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let own = at.values[0].shape();
        let most =
            each(at.values[0]).map_or(0.0, |all| all.map(|(_, m)| size(&m)).fold(0.0, f64::max));
        let points = gauss(10 + (most.min(60.0) * 0.75).ceil() as usize);
        let exp = |t: f64| A::run(Rc::new(MatrixExp), &[&at.inputs[0].scale(t)], own);
        let parts = points.into_iter().map(|(t, w)| {
            Chain::from(own).left(exp(1.0 - t)).right(exp(t)).then(|x| scaled(w, x)).done()
        });
        LinearMap::Plus(parts.collect())
    }
}

impl TorchNode for MatrixExp {
    fn grad_fn(&self) -> &'static str {
        "LinalgMatrixExpBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::Inputs(1)
    }
}

/// Points and weights of Gauss's rule with `n` points on [0, 1]: roots of Legendre's polynomial by
/// Newton's method.
fn gauss(n: usize) -> Vec<(f64, f64)> {
    let legendre = |x: f64| {
        let (mut p, mut before) = (x, 1.0);
        for k in 2..=n {
            let k = k as f64;
            (p, before) = (((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k, p);
        }
        (p, n as f64 * (x * p - before) / (x * x - 1.0))
    };
    (0..n)
        .map(|i| {
            let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
            for _ in 0..8 {
                let (p, slope) = legendre(x);
                x -= p / slope;
            }
            let (_, slope) = legendre(x);
            (0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

const L: Forms = Forms::LINALG;

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "pinv" L, "(Tensor A, *, Scalar atol=None, Scalar rtol=None, bool hermitian=False)\n(Tensor A, Scalar rcond, bool hermitian=False)", "A⁺ = V diag(1/s) Uᵀ; dA⁺ = −A⁺ dA A⁺ + …", "torch.linalg.pinv(tensor([[1., 0.], [0., 2.], [0., 0.]]))", ["svd", "lstsq"] jax "jnp.linalg.pinv({A})"
        => |b| {
            let x = b.tensor(0)?;
            let y = if b.overload == 0 {
                pinv(&x, b.float(1), b.float(2), b.bool_or(3, false))?
            } else {
                pinv(&x, None, b.float(1), b.bool_or(2, false))?
            };
            Ok(Out::One(y))
        };
    "pinverse" Forms::TORCH.and(Forms::METHOD), "(Tensor input, float rcond=1e-15)", "A⁺ = V diag(1/s) Uᵀ; dA⁺ = −A⁺ dA A⁺ + A⁺A⁺ᵀ dAᵀ (I − A A⁺) + (I − A⁺A) dAᵀ A⁺ᵀA⁺", "torch.pinverse(torch.eye(2))", ["pinv"] jax "jnp.linalg.pinv({input})"
        => |b| Ok(Out::One(pinv(&b.tensor(0)?, None, Some(b.float_or(1, 1e-15)), false)?));
    "lstsq" L, "(Tensor A, Tensor B, Scalar rcond=None, *, str driver=None)", "X that minimises ‖A X − B‖; dX = dA⁺ B + A⁺ dB", "torch.linalg.lstsq(tensor([[1., 0.], [1., 1.], [1., 2.]]), tensor([[1.], [2.], [4.]]))", ["pinv", "solve"] jax "lstsq({A}, {B})"
        => lstsq;
    "matrix_exp" L.and(Forms::TORCH).and(Forms::METHOD), "(Tensor A)", "e^A = Σ Aᵏ/k!; d e^A = ∫₀¹ e^((1−t)A) dA e^(tA) dt", "torch.linalg.matrix_exp(torch.zeros(2, 2))", ["matrix_power"] jax "jax.scipy.linalg.expm({A})"
        => |b| {
            let x = b.tensor(0)?;
            crate::square(&x.shape(), "linalg.matrix_exp")?;
            if !x.dtype().is_float() {
                complain!(Kind::NotImplemented, "linalg.matrix_exp: Expected a floating point or complex tensor as input. Got {}", x.dtype().scalar_type());
            }
            Ok(Out::One(apply(Rc::new(MatrixExp), &[x])?))
        };
};
