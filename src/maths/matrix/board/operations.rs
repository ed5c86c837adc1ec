//! What is said of an operation beside its argument: the dimension it goes along, which variance it is.

use super::{Matrix, Node};
use crate::autodiff::rule::Operation;

/// What a call of PyTorch says by a name: `0` of `torch.var(x, dim=0)`.
fn option(op: &dyn Operation, name: &str) -> Option<String> {
    let code = op.code(&["x".to_owned()]).filter(|code| code.starts_with("torch."))?;
    let (_, rest) = code.split_once(&format!(", {name}="))?;
    let end = if rest.starts_with('(') { rest.find(')').map(|at| at + 1) } else { None };
    let end = end.or_else(|| rest.find([',', ')'])).unwrap_or(rest.len());
    Some(rest[..end].to_owned())
}

/// The dimension along which an operation goes.
pub(super) fn axis(op: &dyn Operation) -> Option<String> {
    option(op, "dim")
}

/// Whether it is a softmax of each row.
pub fn of_rows(op: &dyn Operation, x: &Matrix) -> bool {
    let last = x.dims().len().saturating_sub(1).to_string();
    let own = op.name().ends_with("softmax") || op.name() == "logsumexp";
    own && x.dims().len() > 1 && axis(op).is_some_and(|d| d == last)
}

/// What has to be said of an operation beside its argument.
pub(super) fn options(op: &dyn Operation, x: &Matrix) -> Vec<String> {
    let axis = axis(op).filter(|_| x.dims().len() > 1 && !of_rows(op, x));
    let by = option(op, "correction").filter(|by| by != "1");
    let axis = axis.map(|d| format!("dim={d}"));
    axis.into_iter().chain(by.map(|by| format!("correction={by}"))).collect()
}

/// The logsumexp of `x − logsumexp(x)`.
pub(super) fn softmax_by(terms: &[(f64, Matrix)]) -> Option<&dyn Operation> {
    let mut last = match terms {
        [(1.0, _), (-1.0, last)] => last,
        _ => return None,
    };
    while let Node::Reshape(x) | Node::Expand(x) = last.node() {
        last = x;
    }
    match last.node() {
        Node::Run(op, args) if op.name() == "logsumexp" && args[0] == terms[0].1 => Some(&**op),
        _ => None,
    }
}
