//! One step of a reverse sweep, for whoever wants to know what a single slope contributes.

use super::complaint::Outcome;
use super::jacobian_walk::at_values;
use super::node::Node;
use super::tensor::Tensor;

/// The cotangent of input `wrt` that a cotangent of the node's output gives, shape of the input.
///
/// # Errors
/// Memory, a wish to stop, or what the program's own backward raises.
pub fn pull(node: &Node, wrt: usize, cotangent: &Tensor) -> Outcome<Tensor> {
    let map = at_values(node, |at| node.operation().linear_tensor(at, wrt));
    let pulled = map.transpose().apply(cotangent);
    crate::budget::refused()?;
    Ok(pulled)
}
