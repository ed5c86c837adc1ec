//! The explicit Jacobian in symbols: the same walk, with formulas for coefficients.

use crate::Jacobian;
use crate::walk::Walk;
use std::collections::{HashMap, HashSet};
use vjp_maths::autodiff::cotangent::at_values;
use vjp_maths::symbol::{exhausted, with_work};
use vjp_maths::{Edge, Expr, Node, Origin, Point, Symbols, Variable};
use vjp_tensor::{Outcome, Tensor};

/// How far symbols are followed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Elements of all values on the way together.
    pub elements: usize,
    /// Nodes on the way.
    pub nodes: usize,
    /// Parts put together into expressions.
    pub work: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { elements: 20_000, nodes: 2_000, work: 300_000 }
    }
}

/// ∂y/∂leaf in symbols for each leaf. `names` gives the names under which leaves (the ones asked for
/// and others on the way) appear; one without a name stands as its numbers. None for all where an
/// operation has no formula or a limit is passed.
pub fn symbolic_many(
    y: &Variable,
    leaves: &[Variable],
    names: &dyn Fn(&Variable) -> Option<String>,
    limits: Limits,
) -> Outcome<Option<Vec<Jacobian<Expr>>>> {
    with_work(limits.work, || composed(y, leaves, names, limits))
}

fn composed(
    y: &Variable,
    leaves: &[Variable],
    names: &dyn Fn(&Variable) -> Option<String>,
    limits: Limits,
) -> Outcome<Option<Vec<Jacobian<Expr>>>> {
    let walk = Walk::new(y, leaves)?;
    let sizes = walk.nodes.iter().map(|n| n.value().numel());
    let elements: usize = sizes.sum::<usize>() + leaves.iter().map(Variable::numel).sum::<usize>();
    if walk.nodes.len() > limits.nodes || elements > limits.elements {
        return Ok(None);
    }
    let Some(values) = Values::of(y, leaves, names, limits) else {
        return Ok(None);
    };
    let result = walk.compose::<Symbols, _>(y, |n, wrt| {
        let node = &walk.nodes[n];
        node.check_derived(wrt)?;
        let inputs: Vec<Symbols> = node.inputs().iter().map(|e| values.input(e)).collect();
        let output = values.node(node);
        Ok(at_values(node, |at| {
            node.operation().linear_symbols(
                &Point {
                    inputs: &inputs.iter().collect::<Vec<_>>(),
                    output: &output,
                    values: at.values,
                    value: at.value,
                },
                wrt,
            )
        }))
    })?;
    let known = |j: &Jacobian<Expr>| !j.any(Expr::is_unknown);
    Ok((!exhausted() && result.iter().all(known)).then_some(result))
}

/// The first operation on the way to y that has no formula; of operations too large for one, nothing
/// is asked.
pub fn obstacle(y: &Variable) -> Option<&'static str> {
    let limits = Limits::default();
    let none = |node: &Node| {
        let inputs: usize = node.inputs().iter().map(|e| e.value.numel()).sum();
        if inputs + node.value().numel() > limits.elements {
            return None;
        }
        let numbers: Vec<&Tensor> = node.inputs().iter().map(|e| &e.value).collect();
        let inputs: Vec<Symbols> = numbers.iter().map(|t| Symbols::constants(t)).collect();
        let inputs: Vec<&Symbols> = inputs.iter().collect();
        let value = node.operation().symbols(&inputs, &numbers, node.value());
        value.is_none().then(|| node.operation().spelled())
    };
    let all = vjp_maths::autodiff::reverse::ancestors(y.node());
    with_work(limits.work, || all.iter().find_map(none))
}

/// [`symbolic_many`] for one leaf.
pub fn symbolic(
    y: &Variable,
    leaf: &Variable,
    names: &dyn Fn(&Variable) -> Option<String>,
    limits: Limits,
) -> Outcome<Option<Jacobian<Expr>>> {
    let all = symbolic_many(y, std::slice::from_ref(leaf), names, limits)?;
    Ok(all.map(|mut js| js.swap_remove(0)))
}

/// A computed value in symbols of the leaves; None where an operation has no formula, or a limit is passed.
pub fn value(y: &Variable, names: &dyn Fn(&Variable) -> Option<String>) -> Option<Symbols> {
    let limits = Limits::default();
    with_work(limits.work, || {
        let found = Values::of(y, &[], names, limits)?.node(&y.node()?);
        let known = !found.data.iter().any(Expr::is_unknown);
        (known && !exhausted()).then_some(found)
    })
}

/// The values on the way, in symbols.
struct Values {
    leaves: Vec<(Variable, Symbols)>,
    nodes: HashMap<u64, Symbols>,
}

impl Values {
    fn of(
        y: &Variable,
        asked: &[Variable],
        names: &dyn Fn(&Variable) -> Option<String>,
        limits: Limits,
    ) -> Option<Values> {
        // Other named leaves stand as symbols too: ∂y/∂x of w·x is w.
        let mut leaves: Vec<Variable> = asked.to_vec();
        let mut seen: HashSet<u64> = HashSet::new();
        let mut pending: Vec<Node> = y.node().into_iter().collect();
        while let Some(node) = pending.pop() {
            if !seen.insert(node.id()) {
                continue;
            }
            for edge in node.inputs() {
                match &edge.origin {
                    Origin::Leaf(v) if !leaves.iter().any(|l| l.same(v)) => leaves.push(v.clone()),
                    Origin::Node(n) => pending.push(n.clone()),
                    _ => {}
                }
            }
        }
        let walk = Walk::new(y, &leaves).ok()?;
        let elements: usize = walk.nodes.iter().map(|n| n.value().numel()).sum::<usize>()
            + leaves.iter().map(Variable::numel).sum::<usize>();
        if walk.nodes.len() > limits.nodes || elements > limits.elements {
            return None;
        }
        let symbols = |v: &Variable| match names(v) {
            Some(name) => Symbols::leaf(&name, &v.shape()),
            None => Symbols::constants(&v.value()),
        };
        let mut values = Values {
            leaves: leaves.iter().map(|v| (v.clone(), symbols(v))).collect(),
            nodes: HashMap::new(),
        };
        for node in &walk.nodes {
            let inputs: Vec<Symbols> = node.inputs().iter().map(|e| values.input(e)).collect();
            let numbers: Vec<&Tensor> = node.inputs().iter().map(|e| &e.value).collect();
            let refs: Vec<&Symbols> = inputs.iter().collect();
            let value = node.operation().symbols(&refs, &numbers, node.value())?;
            if exhausted() {
                return None;
            }
            values.nodes.insert(node.id(), value);
        }
        Some(values)
    }

    fn input(&self, edge: &Edge) -> Symbols {
        let found = match &edge.origin {
            Origin::Constant(_) | Origin::LostView(_) => None,
            Origin::Leaf(v) => self.leaves.iter().find(|(l, _)| l.same(v)).map(|(_, s)| s),
            Origin::Node(n) => {
                let middle = |l: &Variable| l.node().is_some_and(|m| m.same(n));
                let leaf = self.leaves.iter().find(|(l, _)| middle(l)).map(|(_, s)| s);
                leaf.or_else(|| self.nodes.get(&n.id()))
            }
        };
        found.cloned().unwrap_or_else(|| Symbols::constants(&edge.value))
    }

    fn node(&self, node: &Node) -> Symbols {
        let known = self.nodes.get(&node.id()).cloned();
        known.unwrap_or_else(|| Symbols::constants(node.value()))
    }
}
