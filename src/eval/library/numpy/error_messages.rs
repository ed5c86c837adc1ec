//! NumPy's sentences for those of PyTorch, whose operations its functions use.

use crate::display::torch::tuple;
use vjp_maths::autodiff::variable::Variable;
use vjp_tensor::complaint::{Complaint, Kind};

fn shape(of: &[usize]) -> String {
    tuple(of).replace(' ', "")
}

/// What NumPy says where a function of these arrays complains.
pub fn words(complaint: Box<Complaint>, name: &str, arrays: &[&Variable]) -> Box<Complaint> {
    let array = arrays.first();
    let rank = array.map_or(0, |a| a.rank());
    let says = |part: &str| complaint.message.contains(part);
    let new = |kind: Kind, text: String| Complaint::new(kind, text);
    if says("A must be batches of square matrices") {
        let text = "Last 2 dimensions of the array must be square";
        return new(Kind::ArrayLinAlg, text.to_owned());
    }
    if says("The input tensor A must have at least 2 dimensions") {
        let text =
            format!("{rank}-dimensional array given. Array must be at least two-dimensional");
        return new(Kind::ArrayLinAlg, text);
    }
    if complaint.kind == Kind::LinAlg {
        let text = match () {
            () if says("not positive-definite") => "Matrix is not positive definite",
            () if says("linalg.svd") => "SVD did not converge",
            () if says("linalg.eigh") => "Eigenvalues did not converge",
            () => "Singular matrix",
        };
        return new(Kind::ArrayLinAlg, text.to_owned());
    }
    if says("Incompatible shapes of A and B")
        && let [a, b, ..] = arrays
    {
        let (kind, gufunc) = match b.rank() {
            1 => ("solve1", "(m,m),(m)->(m)"),
            _ => ("solve", "(m,m),(m,n)->(m,n)"),
        };
        let text = format!(
            "{kind}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature {gufunc} (size {} is different from {})",
            b.shape().first().copied().unwrap_or(0),
            a.shape().last().copied().unwrap_or(0)
        );
        return new(Kind::Value, text);
    }
    if complaint.message.starts_with("Dimension out of range")
        && let Some((_, got)) = complaint.message.rsplit_once("but got ")
    {
        let axis = got.trim_end_matches(')');
        let text = format!("axis {axis} is out of bounds for array of dimension {rank}");
        return new(Kind::Axis, text);
    }
    if says("only one dimension can be inferred") {
        let text = "can only specify one unknown dimension";
        return new(Kind::Value, text.to_owned());
    }
    if let Some(rest) = complaint.message.strip_prefix("shape '[")
        && let Some((wanted, _)) = rest.split_once("]'")
    {
        let numel = array.map_or(0, |a| a.numel());
        let text =
            format!("cannot reshape array of size {numel} into shape {}", wanted_shape(wanted));
        return new(Kind::Value, text);
    }
    if array.is_some_and(|a| a.numel() == 0) && says("Expected reduction dim") {
        let text = match name.trim_start_matches('a') {
            "rgmax" | "rgmin" => format!("attempt to get {name} of an empty sequence"),
            least => format!(
                "zero-size array to reduction operation {}imum which has no identity",
                least
            ),
        };
        return new(Kind::Value, text);
    }
    if says("Integers to negative integer powers") {
        return new(Kind::Value, complaint.message.clone());
    }
    match arrays {
        [a, b, ..] => shapes_differ(complaint, name == "matmul", a, b),
        _ => complaint,
    }
}

/// A shape as NumPy's reshape repeats it: unknown sizes in front are left out.
fn wanted_shape(text: &str) -> String {
    let all: Vec<&str> = text.split(", ").collect();
    let known: Vec<String> = all
        .iter()
        .skip_while(|n| n.starts_with('-'))
        .map(|n| if n.starts_with('-') { "newaxis" } else { n }.to_owned())
        .collect();
    match all.len() {
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
    let text = &complaint.message;
    let between = |from: &str, to: &str| {
        let (_, rest) = text.split_once(from)?;
        Some(rest.split_once(to).map_or(rest, |(part, _)| part).to_owned())
    };
    if let (Some(sizes), Some(value)) = (between("Target sizes: [", "]"), value) {
        let sizes: Vec<usize> = sizes.split(", ").filter_map(|n| n.parse().ok()).collect();
        return Complaint::new(
            Kind::Value,
            format!(
                "could not broadcast input array from shape {} into shape {}",
                shape(&value.shape()),
                shape(&sizes)
            ),
        );
    }
    if text.starts_with("The shape of the mask") {
        let sizes = |from: &str| -> Vec<usize> {
            let list = between(from, "]").unwrap_or_default();
            list.split(", ").filter_map(|n| n.parse().ok()).collect()
        };
        let (mask, own) = (sizes("mask ["), sizes("indexed tensor ["));
        let axis = between("] at index ", " does").and_then(|n| n.parse::<usize>().ok());
        let axis = axis.unwrap_or(0);
        return Complaint::new(
            Kind::Index,
            format!(
                "boolean index did not match indexed array along axis {axis}; size of axis is {} but size of corresponding boolean axis is {}",
                own.get(axis).copied().unwrap_or(0),
                mask.get(axis).copied().unwrap_or(0)
            ),
        );
    }
    complaint
}
