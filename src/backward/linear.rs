//! Slopes that are the same whatever the leaves are.

use vjp_maths::autodiff::ancestors::leaves_of;
use vjp_maths::autodiff::cotangent::at_values;
use vjp_maths::{Edge, LinearMap, Node, Origin, Variable};
use vjp_tensor::Tensor;
use vjp_tensor::ids::IdSet;

/// Whether y is linear in the leaves, so that every slope is the same whatever they are: no operation
/// keeps a value that depends on them, none was chosen by value, and no constant came from them.
pub(crate) fn is_linear(nodes: &[Node], leaves: &[Variable]) -> bool {
    let came = |e: &Edge| {
        let Some(cut) = e.cut().filter(|_| !e.tracked()) else {
            return false;
        };
        let from = cut.from.upgrade().map(|from| leaves_of(&from));
        from.is_none_or(|from| from.iter().any(|x| leaves.iter().any(|leaf| leaf.same(x))))
    };
    nodes.iter().all(|n| {
        let (inputs, output) = n.saved();
        let depends = |k: usize| n.inputs().get(k).is_some_and(Edge::tracked);
        // The forward code of a Function is not run for this question.
        let bends = |k: usize| n.operation().steps(k) || local(n, k).chose();
        let choice = || {
            let known = !n.operation().has_own_backward();
            known && (0..n.inputs().len()).any(|k| depends(k) && bends(k))
        };
        !output
            && (0..8).all(|k| inputs & (1 << k) == 0 || !depends(k))
            && !n.inputs().iter().any(came)
            && !choice()
    })
}

/// Whether every path from a leaf passes through an operation whose slope is 0 whatever its input is.
pub(crate) fn is_flat(nodes: &[Node], leaf: &Variable) -> bool {
    let mut reached = IdSet::default();
    for n in nodes {
        let from = |e: &Edge| match &e.origin {
            Origin::Leaf(x) => x.same(leaf),
            Origin::Node(p) => reached.contains(&p.id()),
            Origin::Constant(_) | Origin::LostView(_) => false,
        };
        let passes = |(k, e): (usize, &Edge)| {
            from(e)
                && !(n.operation().steps(k) && matches!(local(n, k), LinearMap::Unchosen { .. }))
        };
        if n.inputs().iter().enumerate().any(passes) {
            reached.insert(n.id());
        }
    }
    nodes.last().is_some_and(|y| !reached.contains(&y.id()))
}

/// The local Jacobian of a node with respect to an input.
pub(crate) fn local(node: &Node, wrt: usize) -> LinearMap<Tensor> {
    at_values(node, |at| node.operation().linear_tensor(at, wrt))
}
