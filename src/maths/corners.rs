//! Kinks that were hit on the way from the leaves to an output, and which entries of J they touch.

use super::complaint::Outcome;
use super::jacobian::Jacobian;
use super::jacobian_walk::{Source, Walk, numeric_many};
use super::node::{Node, with_values};
use super::reverse::ancestors;
use super::rule::Corner;
use super::variable::Variable;

/// More kinks than this are not told one by one.
const MOST: usize = 32;

/// A kink: the slope jumps here, and one of the slopes (or a mean) was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// `relu`
    pub op: &'static str,
    /// Which input of the operation, and which element of its output.
    place: (usize, usize),
    /// The first leaf that leads to it, and which of its elements where that is the kinked input.
    pub leaf: usize,
    pub element: Option<usize>,
    /// Value of the kinked input.
    pub at: f64,
    pub left: f64,
    pub right: f64,
    pub taken: f64,
    /// Two inputs of one operation are equal here, and share the slope.
    pub tie: bool,
    /// The operation gives y itself.
    pub whole: bool,
    /// Entries of the Jacobians whose paths pass here: (leaf, row, column).
    pub entries: Vec<(usize, usize, usize)>,
}

fn kinks(node: &Node) -> Vec<Corner> {
    with_values(node.inputs(), |x| node.operation().corners(x, node.value()))
}

/// The kinks between `leaves` and `y`, in the order of the operations.
///
/// # Errors
/// Memory, or a wish to stop.
pub fn corners(y: &Variable, leaves: &[Variable]) -> Outcome<Vec<Hit>> {
    // Nearly always there are none, which is quickly seen.
    let nodes = ancestors(y.node());
    if nodes.iter().all(|n| kinks(n).is_empty()) {
        return Ok(Vec::new());
    }
    let walk = Walk::new(y, leaves)?;
    let mut hits = Vec::new();
    for node in &walk.nodes {
        let found: Vec<Corner> = kinks(node)
            .into_iter()
            .filter(|c| c.left != c.right)
            .filter(|c| walk.source(&node.inputs()[c.input]) != Source::Elsewhere)
            .take(MOST - hits.len())
            .collect();
        if found.is_empty() {
            continue;
        }
        // Structure only: which rows the node's output reaches, which columns reach its input.
        let output = Variable::saved(node.clone(), node.value().clone());
        let above: Jacobian<f64> = numeric_many(y, &[output])?.swap_remove(0);
        let before = hits.len();
        for c in found {
            let edge = &node.inputs()[c.input];
            let below = numeric_many(&edge.variable(), leaves)?;
            let mut entries = Vec::new();
            for (leaf, j) in below.iter().enumerate() {
                for row in (0..above.rows).filter(|i| above.reaches(*i, c.output)) {
                    for column in (0..j.columns).filter(|k| j.reaches(c.element, *k)) {
                        entries.push((leaf, row, column));
                    }
                }
            }
            let (leaf, element) = match walk.source(edge) {
                Source::Leaf(k) => (k, Some(c.element)),
                _ => (entries.first().map_or(0, |e| e.0), None),
            };
            let slopes = (c.left, c.right, c.taken);
            let partner = hits[before..].iter_mut().find(|h: &&mut Hit| {
                h.place == (1 - c.input.min(1), c.output) && (h.left, h.right, h.taken) == slopes
            });
            if let Some(hit) = partner {
                hit.tie = true;
                hit.entries.extend(entries);
                hit.entries.sort_unstable();
                hit.entries.dedup();
                if hit.element.is_none() && element.is_some() {
                    (hit.leaf, hit.element) = (leaf, element);
                }
            } else if !entries.is_empty() {
                hits.push(Hit {
                    tie: false,
                    whole: y.node().is_some_and(|last| last.id() == node.id()),
                    place: (c.input, c.output),
                    op: node.operation().name(),
                    leaf,
                    element,
                    at: edge.value.data()[c.element],
                    left: c.left,
                    right: c.right,
                    taken: c.taken,
                    entries,
                });
            }
        }
        if hits.len() >= MOST {
            break;
        }
    }
    Ok(hits)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::table::{MAXIMUM, RELU, call};
    use crate::tensor::Tensor;

    #[test]
    fn relu_at_zero() {
        let x = Variable::leaf(Tensor::new(&[3], vec![-1.0, 0.0, 2.0]));
        let y = call(&RELU, std::slice::from_ref(&x)).unwrap();
        let hits = corners(&y, &[x]).unwrap();
        assert_eq!(hits.len(), 1);
        let hit = &hits[0];
        assert_eq!((hit.op, hit.element, hit.at), ("relu", Some(1), 0.0));
        assert_eq!((hit.left, hit.right, hit.taken), (0.0, 1.0, 0.0));
        assert_eq!(hit.entries, [(0, 1, 1)]);
    }

    #[test]
    fn a_tie_with_a_broadcast_number_is_one_and_in_its_row_alone() {
        let a = Variable::leaf(Tensor::scalar(1.0));
        let x = Variable::leaf(Tensor::new(&[2], vec![1.0, 2.0]));
        let y = call(&MAXIMUM, &[a.clone(), x.clone()]).unwrap();
        let hits = corners(&y, &[a, x]).unwrap();
        assert_eq!(hits.len(), 1);
        assert!(hits[0].tie);
        assert_eq!(hits[0].entries, [(0, 0, 0), (1, 0, 0)]);
    }
}
