//! NumPy's sentences for those of PyTorch, whose operations its functions use.

use crate::display::torch::tuple;
use vjp_maths::Variable;
use vjp_tensor::complaint::Outcome;
use vjp_tensor::tensor::Dtype;
use vjp_tensor::{Complaint, Fact, Kind};

fn shape(of: &[usize]) -> String {
    tuple(of).replace(' ', "")
}

/// NumPy's name of a function that goes from element to element.
pub fn ufunc(name: &str) -> &str {
    match name {
        "abs" => "absolute",
        "div" | "true_divide" => "divide",
        "mod" => "remainder",
        "mul" => "multiply",
        "pow" => "power",
        "sub" => "subtract",
        other => other,
    }
}

/// A result would lose what kind of number it is.
pub fn cannot_cast(name: &str, from: Dtype, to: Dtype) -> Box<Complaint> {
    Complaint::new(
        Kind::Ufunc,
        format!(
            "Cannot cast ufunc '{}' output from dtype('{}') to dtype('{}') with casting rule 'same_kind'",
            ufunc(name),
            from.name(),
            to.name()
        ),
    )
}

/// Numbers have no matrix product.
///
/// # Errors
/// NumPy's.
pub fn check_product(a: &Variable, b: &Variable) -> Outcome<()> {
    if a.rank() > 0 && b.rank() > 0 {
        return Ok(());
    }
    Err(Complaint::new(
        Kind::Value,
        format!(
            "matmul: Input operand {} does not have enough dimensions (has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)",
            u8::from(a.rank() > 0)
        ),
    ))
}

/// What NumPy says where a function of these arrays complains.
pub fn words(complaint: Box<Complaint>, name: &str, arrays: &[&Variable]) -> Box<Complaint> {
    let array = arrays.first();
    let (rank, numel) = array.map_or((0, 0), |a| (a.rank(), a.numel()));
    let (kind, text) = match (&complaint.fact, arrays) {
        (Fact::NotSquare, _) => {
            (Kind::ArrayLinAlg, "Last 2 dimensions of the array must be square".to_owned())
        }
        (Fact::NoMatrix, _) => (
            Kind::ArrayLinAlg,
            format!("{rank}-dimensional array given. Array must be at least two-dimensional"),
        ),
        (Fact::NotPositiveDefinite, _) => {
            (Kind::ArrayLinAlg, "Matrix is not positive definite".to_owned())
        }
        (Fact::NoSingularValues, _) => (Kind::ArrayLinAlg, "SVD did not converge".to_owned()),
        (Fact::NoEigenvalues, _) => (Kind::ArrayLinAlg, "Eigenvalues did not converge".to_owned()),
        (_, _) if complaint.kind == Kind::LinAlg => {
            (Kind::ArrayLinAlg, "Singular matrix".to_owned())
        }
        (Fact::SystemSizes, [a, b, ..]) => {
            let (solve, gufunc) = match b.rank() {
                1 => ("solve1", "(m,m),(m)->(m)"),
                _ => ("solve", "(m,m),(m,n)->(m,n)"),
            };
            let text = format!(
                "{solve}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature {gufunc} (size {} is different from {})",
                b.shape().first().copied().unwrap_or(0),
                a.shape().last().copied().unwrap_or(0)
            );
            (Kind::Value, text)
        }
        (Fact::DimensionOutOfRange(axis), _) => {
            (Kind::Axis, format!("axis {axis} is out of bounds for array of dimension {rank}"))
        }
        (Fact::TwoOpenSizes, _) => {
            (Kind::Value, "can only specify one unknown dimension".to_owned())
        }
        (Fact::Reshape(wanted), _) => {
            let wanted = wanted_shape(wanted);
            (Kind::Value, format!("cannot reshape array of size {numel} into shape {wanted}"))
        }
        (Fact::NothingToReduce, [a, ..]) if a.numel() == 0 => {
            let text = match name.trim_start_matches('a') {
                "rgmax" | "rgmin" => format!("attempt to get {name} of an empty sequence"),
                least => format!(
                    "zero-size array to reduction operation {least}imum which has no identity"
                ),
            };
            (Kind::Value, text)
        }
        (Fact::NegativePower, _) => (Kind::Value, complaint.message.clone()),
        (_, [a, b, ..]) => return shapes_differ(complaint, name == "matmul", a, b),
        _ => return complaint,
    };
    Complaint::new(kind, text)
}

/// A shape as NumPy's reshape repeats it: unknown sizes in front are left out.
fn wanted_shape(wanted: &[i64]) -> String {
    let known: Vec<String> = wanted
        .iter()
        .skip_while(|n| **n < 0)
        .map(|n| if *n < 0 { "newaxis".to_owned() } else { n.to_string() })
        .collect();
    match wanted.len() {
        1 => format!("({},)", known.join(",")),
        _ => format!("({})", known.join(",")),
    }
}

/// NumPy's sentence on shapes that do not go together.
pub fn shapes_differ(
    complaint: Box<Complaint>,
    product: bool,
    a: &Variable,
    b: &Variable,
) -> Box<Complaint> {
    let (p, q) = (a.shape(), b.shape());
    if product {
        let (Some(inner), false) = (p.last(), q.is_empty()) else {
            return complaint;
        };
        let at = q.len().saturating_sub(2);
        return if q[at] == *inner {
            complaint
        } else {
            Complaint::new(
                Kind::Value,
                format!(
                    "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {} is different from {inner})",
                    q[at]
                ),
            )
        };
    }
    if vjp_tensor::shape::broadcast(&p, &q).is_ok() {
        return complaint;
    }
    Complaint::new(
        Kind::Value,
        format!(
            "operands could not be broadcast together with shapes {} {} ",
            shape(&p),
            shape(&q)
        ),
    )
}

/// What `a[key] = value` and `a[key]` say.
pub fn of_index(complaint: Box<Complaint>, value: Option<&Variable>) -> Box<Complaint> {
    match (&complaint.fact, value) {
        (Fact::Expand(to), Some(value)) => {
            let to: Vec<usize> = to.iter().map(|n| *n as usize).collect();
            let (from, to) = (shape(&value.shape()), shape(&to));
            let text = format!("could not broadcast input array from shape {from} into shape {to}");
            Complaint::new(Kind::Value, text)
        }
        (Fact::Indices(all), _) => {
            let all: Vec<String> = all.iter().map(|s| shape(s)).collect();
            let text = format!(
                "shape mismatch: indexing arrays could not be broadcast together with shapes {} ",
                all.join(" ")
            );
            Complaint::new(Kind::Index, text)
        }
        (Fact::Named(to), Some(value)) => {
            let (from, to) = (shape(&value.shape()), shape(to));
            let text = format!(
                "shape mismatch: value array of shape {from} could not be broadcast to indexing result of shape {to}"
            );
            Complaint::new(Kind::Value, text)
        }
        (Fact::Mask { mask, own, axis }, _) => Complaint::new(
            Kind::Index,
            format!(
                "boolean index did not match indexed array along axis {axis}; size of axis is {own} but size of corresponding boolean axis is {mask}"
            ),
        ),
        _ => complaint,
    }
}
