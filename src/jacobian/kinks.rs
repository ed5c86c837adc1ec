//! Kinks that were hit on the way from the leaves to an output, and which entries of J have no
//! derivative there: those whose slopes from the left and from the right are not both the one shown.

use crate::walk::{Source, Walk, numeric_many};
use crate::{Entry, Jacobian};
use std::collections::{BTreeSet, HashSet};
use vjp_maths::autodiff::cotangent::at_values;
use vjp_maths::autodiff::node::with_values;
use vjp_maths::autodiff::reverse::ancestors;
use vjp_maths::autodiff::rule::{Bend, Corner};
use vjp_maths::{Array, Node, Variable};
use vjp_tensor::{Dtype, Outcome, Tensor};

/// More kinks than this are not told one by one.
const MOST: usize = 32;

/// Up to so many elements of the leaves are moved to both sides. Of more, an entry counts as kinked if
/// a path on which no slope is 0 leads through the kink.
const MOVED: usize = 64;

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
    /// Entries of the Jacobians without a derivative whose paths pass here: (leaf, row, column).
    pub entries: Vec<(usize, usize, usize)>,
}

fn kinks(node: &Node) -> Vec<Corner> {
    with_values(node.inputs(), |x| node.operation().corners(x, node.value()))
}

/// The kinks between `leaves` and `y`, in the order of the operations.
pub fn corners(y: &Variable, leaves: &[Variable]) -> Outcome<Vec<Hit>> {
    // Nearly always there are none, which is quickly seen.
    let nodes = ancestors(y.node());
    if nodes.iter().all(|n| kinks(n).is_empty()) {
        return Ok(Vec::new());
    }
    let walk = Walk::new(y, leaves)?;
    let few = leaves.iter().map(Variable::numel).sum::<usize>() <= MOVED;
    let all: Vec<Vec<Corner>> = walk.nodes.iter().map(kinks).collect();
    let mut hits = Vec::new();
    for (node, corners) in walk.nodes.iter().zip(&all) {
        let found: Vec<&Corner> = corners
            .iter()
            .filter(|c| c.left != c.taken || c.right != c.taken)
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
                let leads = |e: Entry<f64>| match e {
                    Entry::Value(slope) => few || slope != 0.0,
                    Entry::Unchosen => few,
                    Entry::Absent => false,
                };
                for row in (0..above.rows).filter(|i| leads(above.get(*i, c.output))) {
                    for column in (0..j.columns).filter(|k| leads(j.get(c.element, *k))) {
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
                    tie: equals(corners, c),
                    whole: y.node().is_some_and(|last| last.id() == node.id()),
                    place: (c.input, c.output),
                    op: node.operation().spelled(),
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
    if few && !hits.is_empty() {
        let smooth = smooth(&walk, y, &all, &hits)?;
        hits.iter_mut().for_each(|hit| hit.entries.retain(|e| !smooth.contains(e)));
        hits.retain(|hit| !hit.entries.is_empty());
    }
    Ok(hits)
}

/// Whether other elements of the same input are equal.
fn equals(all: &[Corner], c: &Corner) -> bool {
    let other = |o: &Corner| (o.input, o.output) == (c.input, c.output) && o.element != c.element;
    matches!(c.bend, Bend::Ranked(_)) && all.iter().any(other)
}

/// An entry of J: leaf, row, column.
type Place = (usize, usize, usize);

/// The entries that have a derivative all the same, and J shows it.
fn smooth(
    walk: &Walk,
    y: &Variable,
    corners: &[Vec<Corner>],
    hits: &[Hit],
) -> Outcome<HashSet<Place>> {
    let places: BTreeSet<Place> = hits.iter().flat_map(|h| h.entries.iter().copied()).collect();
    let columns: BTreeSet<(usize, usize)> = places.iter().map(|(l, _, k)| (*l, *k)).collect();
    let shown = numeric_many(y, walk.leaves)?;
    let t = if y.dtype() == Dtype::Float64 { 1e-9 } else { 1e-4 };
    let alike = |a: f64, b: f64| {
        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= t * a.abs().max(b.abs()).max(1.0)
    };
    let mut found = HashSet::new();
    for (leaf, column) in columns {
        let right = moved(walk, y, corners, (leaf, column), 1.0)?;
        let left = moved(walk, y, corners, (leaf, column), -1.0)?;
        for &(_, row, _) in places.iter().filter(|(l, _, k)| (*l, *k) == (leaf, column)) {
            let slope = shown[leaf].number(row, column);
            let at = |t: &Option<Tensor>| t.as_ref().map_or(0.0, |t| t.data()[row]);
            if alike(at(&right), slope) && alike(-at(&left), slope) {
                found.insert((leaf, row, column));
            }
        }
    }
    Ok(found)
}

/// How y begins to move as an element of a leaf begins to move to one side: its one-sided derivative,
/// by the chain rule, which holds of these too where the parts are continuous and steep nowhere.
fn moved(
    walk: &Walk,
    y: &Variable,
    corners: &[Vec<Corner>],
    (leaf, element): (usize, usize),
    by: f64,
) -> Outcome<Option<Tensor>> {
    let mut start = walk.leaves[leaf].value().full(&walk.leaves[leaf].shape(), 0.0);
    start.data_mut()[element] = by;
    let mut tangents: Vec<Option<Tensor>> = Vec::with_capacity(walk.nodes.len());
    for (node, corners) in walk.nodes.iter().zip(corners) {
        vjp_tensor::budget::tick()?;
        let of = |source: Source| match source {
            Source::Leaf(k) if k == leaf => Some(&start),
            Source::Node(k) => tangents[k].as_ref(),
            Source::Leaf(_) | Source::Elsewhere => None,
        };
        let inputs: Vec<Option<&Tensor>> =
            node.inputs().iter().map(|e| of(walk.source(e))).collect();
        let mut image: Option<Tensor> = None;
        for (k, u) in inputs.iter().enumerate() {
            let Some(u) = u else { continue };
            let part = at_values(node, |at| node.operation().linear_tensor(at, k)).apply(u);
            image = Some(image.map_or(part.clone(), |sum| sum.add(&part)));
        }
        if let Some(image) = &mut image {
            bent(image, corners, &inputs);
        }
        tangents.push(image);
    }
    Ok(match walk.output(y) {
        Source::Node(k) => tangents.swap_remove(k),
        Source::Leaf(k) if k == leaf => Some(start),
        Source::Leaf(_) | Source::Elsewhere => None,
    })
}

/// Puts, for the slopes that were taken at corners, those to the side to which the inputs move.
fn bent(image: &mut Tensor, corners: &[Corner], inputs: &[Option<&Tensor>]) {
    for group in corners.chunk_by(|a, b| a.output == b.output) {
        let by = |c: &Corner| inputs[c.input].map_or(0.0, |u| u.data()[c.element]);
        let mut moves: Vec<f64> = group.iter().map(by).collect();
        if moves.iter().all(|t| *t == 0.0) {
            continue;
        }
        let taken: f64 = group.iter().zip(&moves).map(|(c, t)| c.taken * t).sum();
        let real = match group[0].bend {
            Bend::Alone => {
                let side = |(c, t): (&Corner, &f64)| if *t > 0.0 { c.right } else { c.left } * t;
                group.iter().zip(&moves).map(side).sum()
            }
            Bend::Ranked(place) => {
                moves.sort_by(f64::total_cmp);
                moves[place.min(moves.len() - 1)]
            }
            Bend::Largest => {
                let sizes = group.iter().zip(&moves).map(|(c, t)| c.taken.signum() * t);
                sizes.fold(f64::NEG_INFINITY, f64::max)
            }
            Bend::Spread(freedom) => {
                let mean = moves.iter().sum::<f64>() / moves.len() as f64;
                (moves.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / freedom).sqrt()
            }
            Bend::Length(p) if p.is_infinite() => moves.iter().fold(0.0, |m, t| t.abs().max(m)),
            Bend::Length(p) => moves.iter().map(|t| t.abs().powf(p)).sum::<f64>().powf(1.0 / p),
        };
        image.data_mut()[group[0].output] += real - taken;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use vjp_maths::table::{MAXIMUM, RELU, call};
    use vjp_tensor::Tensor;

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
