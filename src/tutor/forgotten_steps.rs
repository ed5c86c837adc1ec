//! Gradients as they come out when one step of the sweep is forgotten: a slope of the chain, a path
//! beside another, the division of a mean. What a wrong answer is compared with.

use std::collections::{HashMap, HashSet};
use vjp_eval::Latest;
use vjp_jacobian::Entry;
use vjp_jacobian::walk;
use vjp_maths::autodiff::reverse::pull;
use vjp_maths::{Edge, Node, Variable};
use vjp_tensor::{Outcome, Place, Tensor};

/// What was forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgotten {
    /// The slope of an operation: taken as 1.
    Slope,
    /// Exactly one path from the leaf to y, where there are others.
    Path,
    /// All paths of so many but one.
    OtherPaths(usize),
    /// All that comes before an operation: the cotangent that arrives there is taken for the leaf's.
    Before,
    /// A mean divides by so many: taken as a sum.
    Division(usize),
    /// A sum of so many: taken as a mean.
    Sum(usize),
    /// The sign of one path.
    Sign,
    /// The slopes of both operands multiplied, where the rule of products or quotients adds two terms.
    BothSlopes,
    /// What log-softmax hands on entry by entry: the softmax alone is left.
    OneHot,
}

/// A gradient with something forgotten.
#[derive(Clone, Debug)]
pub struct Slip {
    /// Index into the backward's leaves.
    pub leaf: usize,
    /// This sweep's contribution without it, row-major.
    pub numbers: Vec<f64>,
    pub forgotten: Forgotten,
    /// Where the operation is written.
    pub place: Place,
    /// PyTorch's name of the operation: `PowBackward0`.
    pub operation: &'static str,
    /// What its operand is.
    pub operand: Operand,
}

/// The operand of an operation whose slope is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A leaf of this name.
    Leaf(String),
    /// Computed there.
    Computed(Place),
}

/// Graphs and tensors beyond this are too large for an exercise.
const NODES: usize = 40;
const ELEMENTS: usize = 256;

/// Every slip of one step in this backward that changes a gradient; none where the graph is
/// too large to be worked by hand.
pub fn slips(latest: &Latest) -> Outcome<Vec<Slip>> {
    let Some(steps) = steps(latest) else {
        return Ok(Vec::new());
    };
    let mut all = Vec::new();
    left_out(latest, &mut all)?;
    for (node, output) in &steps {
        let down = walk::numeric(&latest.y, output)?.left_multiply(latest.v.data());
        let cotangent = Tensor::new(&output.shape(), down);
        stopped(latest, node, output, &cotangent, &mut all)?;
        both_slopes(latest, node, &cotangent, &mut all)?;
        for (k, edge) in node.inputs().iter().enumerate() {
            if edge.tracked() {
                at(latest, node, k, edge, &cotangent, &mut all)?;
            }
        }
    }
    Ok(all)
}

/// The operations between the leaves and y, each with its output.
fn steps(latest: &Latest) -> Option<Vec<(Node, Variable)>> {
    let mut waiting = vec![latest.y.clone()];
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    while let Some(output) = waiting.pop() {
        let Some(node) = output.node() else { continue };
        if !seen.insert(node.id()) {
            continue;
        }
        let custom = node.operation().method().is_some();
        if found.len() == NODES || output.numel() > ELEMENTS || custom {
            return None;
        }
        let inputs = node.inputs().iter().filter(|e| e.tracked());
        waiting.extend(inputs.map(Edge::variable));
        found.push((node, output));
    }
    Some(found)
}

/// So many paths are followed.
const PATHS: usize = 64;

/// What a leaf receives without one of its paths, and by one alone.
fn left_out(latest: &Latest, all: &mut Vec<Slip>) -> Outcome<()> {
    let mut found: Vec<Vec<Vec<f64>>> = vec![Vec::new(); latest.leaves.len()];
    let mut waiting = vec![(latest.y.clone(), latest.v.clone())];
    let mut count = 0;
    while let Some((at, cotangent)) = waiting.pop() {
        for (leaf, own) in latest.leaves.iter().zip(&mut found) {
            if leaf.same(&at) {
                own.push(cotangent.data().to_vec());
            }
        }
        let Some(node) = at.node() else { continue };
        for (k, edge) in node.inputs().iter().enumerate().filter(|(_, e)| e.tracked()) {
            count += 1;
            if count > PATHS * NODES || found.iter().any(|own| own.len() > PATHS) {
                return Ok(());
            }
            waiting.push((edge.variable(), pull(&node, k, &cotangent)?));
        }
    }
    let place = latest.y.node().map(|node| (node.place(), node.grad_fn()));
    let Some((place, operation)) = place else { return Ok(()) };
    for (leaf, paths) in found.iter().enumerate().filter(|(_, paths)| paths.len() > 1) {
        let right = latest.event.leaves[leaf].contribution.data();
        let sum = |without: usize| -> Vec<f64> {
            let others = paths.iter().enumerate().filter(|(k, _)| *k != without);
            others.fold(vec![0.0; right.len()], |sum, (_, path)| {
                sum.iter().zip(path).map(|(s, p)| s + p).collect()
            })
        };
        if paths.iter().any(|path| path.len() != right.len()) || !same(&sum(paths.len()), right) {
            continue;
        }
        let mut tell = |numbers: Vec<f64>, forgotten| {
            if numbers.iter().all(|x| x.is_finite()) && !same(&numbers, right) {
                let operand = Operand::Computed(place);
                all.push(Slip { leaf, numbers, forgotten, place, operation, operand });
            }
        };
        for (k, path) in paths.iter().enumerate() {
            let rest = sum(k);
            // Paths to other elements of the leaf do not add.
            if path.iter().zip(&rest).any(|(p, r)| *p != 0.0 && *r != 0.0) {
                let turned = rest.iter().zip(path).map(|(r, p)| r - p).collect();
                tell(rest, Forgotten::Path);
                tell(turned, Forgotten::Sign);
                if paths.len() > 2 {
                    tell(path.clone(), Forgotten::OtherPaths(paths.len()));
                }
            }
        }
    }
    Ok(())
}

/// The sweep ended at an operation, as if its value were the leaf.
fn stopped(
    latest: &Latest,
    node: &Node,
    output: &Variable,
    cotangent: &Tensor,
    all: &mut Vec<Slip>,
) -> Outcome<()> {
    // What arrives at y is v itself.
    let is_y = output.same(&latest.y);
    if is_y && node.inputs().iter().filter(|e| e.tracked()).count() < 2 {
        return Ok(());
    }
    let slopes = walk::numeric_many(output, &latest.leaves)?;
    let leads = |leaf: usize| slopes.get(leaf).is_some_and(|s| s.present().next().is_some());
    let reports = latest.event.leaves.iter().enumerate().filter(|(leaf, _)| leads(*leaf));
    for (leaf, report) in reports.filter(|(_, r)| r.value.numel() == cotangent.numel()) {
        if !same(cotangent.data(), report.contribution.data()) {
            all.push(Slip {
                leaf,
                numbers: cotangent.data().to_vec(),
                forgotten: Forgotten::Before,
                place: node.place(),
                operation: node.grad_fn(),
                operand: Operand::Leaf(report.name.clone()),
            });
        }
    }
    Ok(())
}

/// The slopes of both factors of a product multiplied, those of a quotient divided.
fn both_slopes(
    latest: &Latest,
    node: &Node,
    cotangent: &Tensor,
    all: &mut Vec<Slip>,
) -> Outcome<()> {
    let [a, b] = node.inputs() else { return Ok(()) };
    let combined: fn(f64, f64) -> f64 = match node.operation().name() {
        "mul" => |a, b| a * b,
        "div" => |a, b| a / b,
        _ => return Ok(()),
    };
    let operands = [(0, a), (1, b)];
    if operands.iter().any(|(_, e)| !e.tracked() || e.variable().numel() != cotangent.numel()) {
        return Ok(());
    }
    let slopes = |edge: &Edge| walk::numeric_many(&edge.variable(), &latest.leaves);
    let (left, right) = (slopes(a)?, slopes(b)?);
    for (leaf, (left, right)) in left.iter().zip(&right).enumerate() {
        let sum = latest.event.leaves[leaf].contribution.data();
        let mut numbers = sum.to_vec();
        for (k, slope) in [(0, left), (1, right)] {
            let through = slope.left_multiply(pull(node, k, cotangent)?.data());
            numbers.iter_mut().zip(through).for_each(|(n, t)| *n -= t);
        }
        let value = |(i, j, entry)| match entry {
            Entry::Value(slope) => Some(((i, j), slope)),
            _ => None,
        };
        let second: HashMap<(usize, usize), f64> = right.present().filter_map(value).collect();
        let mut depends = false;
        for ((i, j), slope) in left.present().filter_map(value) {
            if let Some(other) = second.get(&(i, j)) {
                depends = true;
                numbers[j] += cotangent.data()[i] * combined(slope, *other);
            }
        }
        if depends && numbers.iter().all(|x| x.is_finite()) && !same(&numbers, sum) {
            let (place, operation) = (node.place(), node.grad_fn());
            let operand = Operand::Computed(place);
            let forgotten = Forgotten::BothSlopes;
            all.push(Slip { leaf, numbers, forgotten, place, operation, operand });
        }
    }
    Ok(())
}

/// For each leaf its elements to which operands other than the k-th lead.
fn beside(latest: &Latest, node: &Node, k: usize) -> Outcome<Vec<HashSet<usize>>> {
    let mut all = vec![HashSet::new(); latest.leaves.len()];
    let others = node.inputs().iter().enumerate().filter(|(i, e)| *i != k && e.tracked());
    for (_, edge) in others {
        let slopes = walk::numeric_many(&edge.variable(), &latest.leaves)?;
        for (found, slope) in all.iter_mut().zip(&slopes) {
            found.extend(slope.present().map(|(_, j, _)| j));
        }
    }
    Ok(all)
}

/// The slips of one operand of one operation.
fn at(
    latest: &Latest,
    node: &Node,
    k: usize,
    edge: &Edge,
    cotangent: &Tensor,
    all: &mut Vec<Slip>,
) -> Outcome<()> {
    let input = edge.variable();
    if input.numel() > ELEMENTS {
        return Ok(());
    }
    let right = pull(node, k, cotangent)?;
    let mut wrong = Vec::new();
    // Of a minus a sign is forgotten, not a slope.
    if input.numel() == cotangent.numel() && node.operation().name() != "neg" {
        wrong.push((Forgotten::Slope, cotangent.data().to_vec()));
    }
    let of = input.numel() / cotangent.numel().max(1);
    let scaled = |c: f64| right.data().iter().map(|x| x * c).collect::<Vec<f64>>();
    match node.operation().name() {
        "mean" => wrong.push((Forgotten::Division(of), scaled(of as f64))),
        "sum" if of > 1 => wrong.push((Forgotten::Sum(of), scaled(1.0 / of as f64))),
        "log_softmax" => {
            let shares = right.data().iter().zip(cotangent.data());
            wrong.push((Forgotten::OneHot, shares.map(|(r, c)| r - c).collect()));
        }
        _ => {}
    }
    let slopes = walk::numeric_many(&input, &latest.leaves)?;
    let beside = beside(latest, node, k)?;
    let named = || latest.name(&input).unwrap_or_default();
    let operand =
        input.node().map_or_else(|| Operand::Leaf(named()), |n| Operand::Computed(n.place()));
    for (leaf, slope) in slopes.iter().enumerate() {
        let through = slope.left_multiply(right.data());
        let sum = latest.event.leaves[leaf].contribution.data();
        for (forgotten, instead) in &wrong {
            let alone = slope.present().all(|(_, j, _)| !beside[leaf].contains(&j));
            // Where other operands lead to the leaf too, the operation has several slopes.
            if *forgotten == Forgotten::Slope && !alone {
                continue;
            }
            let instead = slope.left_multiply(instead);
            let numbers = sum.iter().zip(&through).zip(instead);
            // Where nothing else arrives, an infinite slope is forgotten like any other.
            let swapped = |((s, t), i): ((&f64, &f64), f64)| if s == t { i } else { s - t + i };
            let numbers: Vec<f64> = numbers.map(swapped).collect();
            if numbers.iter().all(|x| x.is_finite()) && !same(&numbers, sum) {
                all.push(Slip {
                    leaf,
                    numbers,
                    forgotten: *forgotten,
                    place: node.place(),
                    operation: node.grad_fn(),
                    operand: operand.clone(),
                });
            }
        }
    }
    Ok(())
}

/// Equal but for rounding.
fn same(a: &[f64], b: &[f64]) -> bool {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * a.abs().max(b.abs());
    a.iter().zip(b).all(near)
}
