//! The explicit Jacobian of a recorded variable: local derivatives, read entry by entry, composed
//! along the graph. It shares no code with the reverse sweep.

use super::complaint::Outcome;
use super::jacobian::{Element, Jacobian};
use super::jacobian_product::Coefficients;
use super::linear::LinearMap;
use super::node::{Edge, Node, Origin};
use super::rule::Point;
use super::symbol::{Expr, Symbols};
use super::tensor::Tensor;
use super::variable::Variable;
use std::collections::HashMap;

/// Compose from the output's end where the leaves have so many times more elements.
const NARROW: usize = 4;

/// The part of the graph between an output and some leaves.
pub(super) struct Walk<'a> {
    /// Nodes on a path from a leaf to y, in the order they were recorded.
    pub nodes: Vec<Node>,
    place: HashMap<u64, usize>,
    leaves: &'a [Variable],
}

/// What an input is, seen from a walk.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Source {
    Leaf(usize),
    /// Place in [`Walk::nodes`].
    Node(usize),
    Elsewhere,
}

impl<'a> Walk<'a> {
    pub fn new(y: &Variable, leaves: &'a [Variable]) -> Walk<'a> {
        let mut found: HashMap<u64, Node> = HashMap::new();
        let mut pending: Vec<Node> = y.node().into_iter().collect();
        while let Some(node) = pending.pop() {
            if found.contains_key(&node.id()) {
                continue;
            }
            pending.extend(node.inputs().iter().filter_map(Edge::node).cloned());
            found.insert(node.id(), node);
        }
        let mut all: Vec<Node> = found.into_values().collect();
        all.sort_unstable_by_key(Node::id);
        let mut walk = Walk {
            nodes: Vec::new(),
            place: HashMap::new(),
            leaves,
        };
        for node in all {
            let leads = |e: &Edge| walk.source(e) != Source::Elsewhere;
            if node.inputs().iter().any(leads) {
                walk.place.insert(node.id(), walk.nodes.len());
                walk.nodes.push(node);
            }
        }
        walk
    }

    pub fn source(&self, edge: &Edge) -> Source {
        match &edge.origin {
            Origin::Constant => Source::Elsewhere,
            Origin::Leaf(v) => self.leaf(v),
            // A leaf asked for may be in the middle of the graph: `jacobian(y, h)`.
            Origin::Node(n) => match self.middle(n) {
                Some(k) => Source::Leaf(k),
                None => self
                    .place
                    .get(&n.id())
                    .map_or(Source::Elsewhere, |k| Source::Node(*k)),
            },
        }
    }

    fn middle(&self, n: &Node) -> Option<usize> {
        self.leaves
            .iter()
            .position(|l| l.node().is_some_and(|m| m.same(n)))
    }

    fn leaf(&self, v: &Variable) -> Source {
        self.leaves
            .iter()
            .position(|l| l.same(v))
            .map_or(Source::Elsewhere, Source::Leaf)
    }

    /// Where y itself is in the walk.
    pub fn output(&self, y: &Variable) -> Source {
        match y.node() {
            Some(n) => match self.middle(&n) {
                Some(k) => Source::Leaf(k),
                None => self
                    .place
                    .get(&n.id())
                    .map_or(Source::Elsewhere, |k| Source::Node(*k)),
            },
            None => self.leaf(y),
        }
    }

    /// ∂y/∂leaf for each leaf, from the local maps that `local` gives.
    fn compose<C, L>(&self, y: &Variable, mut local: L) -> Outcome<Vec<Jacobian<C::E>>>
    where
        C: Coefficients,
        L: FnMut(usize, usize) -> Outcome<LinearMap<C>>,
    {
        let wide: usize = self.leaves.iter().map(Variable::numel).sum();
        if wide > NARROW * y.numel() {
            self.from_output(y, &mut local)
        } else {
            self.from_leaves(y, &mut local)
        }
    }

    /// Forwards: ∂node/∂leaf for every node, until y is reached.
    fn from_leaves<C, L>(&self, y: &Variable, local: &mut L) -> Outcome<Vec<Jacobian<C::E>>>
    where
        C: Coefficients,
        L: FnMut(usize, usize) -> Outcome<LinearMap<C>>,
    {
        let count = self.leaves.len();
        let mut uses = vec![0usize; self.nodes.len()];
        for edge in self.nodes.iter().flat_map(Node::inputs) {
            if let Source::Node(k) = self.source(edge) {
                uses[k] += 1;
            }
        }
        if let Source::Node(k) = self.output(y) {
            uses[k] += 1;
        }
        let mut at: Vec<Vec<Jacobian<C::E>>> = Vec::with_capacity(self.nodes.len());
        for (n, node) in self.nodes.iter().enumerate() {
            let rows = node.value().numel();
            let mut sums: Vec<Jacobian<C::E>> = self
                .leaves
                .iter()
                .map(|l| Jacobian::zero(rows, l.numel()))
                .collect();
            for (wrt, edge) in node.inputs().iter().enumerate() {
                match self.source(edge) {
                    Source::Elsewhere => {}
                    Source::Leaf(k) => {
                        let map = local(n, wrt)?;
                        let own = Jacobian::identity(self.leaves[k].numel());
                        sums[k] = sums[k].plus(&own.after(&map)?)?;
                    }
                    Source::Node(k) => {
                        let map = local(n, wrt)?;
                        for (sum, j) in sums.iter_mut().zip(&at[k]) {
                            *sum = sum.plus(&j.after(&map)?)?;
                        }
                        uses[k] -= 1;
                        if uses[k] == 0 {
                            at[k].clear();
                        }
                    }
                }
            }
            at.push(sums);
        }
        Ok(match self.output(y) {
            Source::Node(k) => at.swap_remove(k),
            other => (0..count).map(|k| self.trivial(y, other, k)).collect(),
        })
    }

    /// From y's end: ∂y/∂node for every node, one row per element of y.
    fn from_output<C, L>(&self, y: &Variable, local: &mut L) -> Outcome<Vec<Jacobian<C::E>>>
    where
        C: Coefficients,
        L: FnMut(usize, usize) -> Outcome<LinearMap<C>>,
    {
        let rows = y.numel();
        let output = self.output(y);
        let mut sums: Vec<Jacobian<C::E>> = (0..self.leaves.len())
            .map(|k| self.trivial(y, output, k))
            .collect();
        let mut at: Vec<Option<Jacobian<C::E>>> = vec![None; self.nodes.len()];
        if let Source::Node(k) = output {
            at[k] = Some(Jacobian::identity(rows));
        }
        for n in (0..self.nodes.len()).rev() {
            let Some(j) = at[n].take() else { continue };
            for (wrt, edge) in self.nodes[n].inputs().iter().enumerate() {
                let source = self.source(edge);
                if source == Source::Elsewhere {
                    continue;
                }
                let part = j.before(&local(n, wrt)?)?;
                match source {
                    Source::Leaf(k) => sums[k] = sums[k].plus(&part)?,
                    Source::Node(k) => {
                        at[k] = Some(match at[k].take() {
                            Some(sum) => sum.plus(&part)?,
                            None => part,
                        });
                    }
                    Source::Elsewhere => {}
                }
            }
        }
        Ok(sums)
    }

    /// ∂y/∂leaf where y is a leaf itself or no path leads there.
    fn trivial<E: Element>(&self, y: &Variable, output: Source, leaf: usize) -> Jacobian<E> {
        if output == Source::Leaf(leaf) {
            Jacobian::identity(y.numel())
        } else {
            Jacobian::zero(y.numel(), self.leaves[leaf].numel())
        }
    }
}

/// Calls `f` with the point at which a node's derivative is taken.
pub(super) fn at_values<R>(node: &Node, f: impl FnOnce(&Point<Tensor>) -> R) -> R {
    let values: Vec<&Tensor> = node.inputs().iter().map(|e| &e.value).collect();
    f(&Point {
        inputs: &values,
        output: node.value(),
        values: &values,
        value: node.value(),
    })
}

/// ∂y/∂leaf in numbers, size(y) × size(leaf).
///
/// # Errors
/// Memory, or a wish to stop.
pub fn numeric(y: &Variable, leaf: &Variable) -> Outcome<Jacobian<f64>> {
    let mut all = numeric_many(y, std::slice::from_ref(leaf))?;
    Ok(all.swap_remove(0))
}

/// [`numeric`] for several leaves, sharing the walk.
///
/// # Errors
/// Memory, or a wish to stop.
pub fn numeric_many(y: &Variable, leaves: &[Variable]) -> Outcome<Vec<Jacobian<f64>>> {
    let walk = Walk::new(y, leaves);
    walk.compose::<Tensor, _>(y, |n, wrt| {
        let node = &walk.nodes[n];
        Ok(at_values(node, |at| {
            node.operation().linear_tensor(at, wrt)
        }))
    })
}

/// How far symbols are followed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Elements of all values on the way together.
    pub elements: usize,
    /// Nodes on the way.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            elements: 20_000,
            nodes: 2_000,
        }
    }
}

/// ∂y/∂leaf in symbols for each leaf. `names` gives the names under which leaves (the ones asked for
/// and others on the way) appear; one without a name stands as its numbers. None for all where an
/// operation has no formula or a limit is passed.
///
/// # Errors
/// Memory, or a wish to stop.
pub fn symbolic_many(
    y: &Variable,
    leaves: &[Variable],
    names: &dyn Fn(&Variable) -> Option<String>,
    limits: Limits,
) -> Outcome<Option<Vec<Jacobian<Expr>>>> {
    let walk = Walk::new(y, leaves);
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
    let known = |j: &Jacobian<Expr>| match &j.form {
        super::jacobian::Form::Rows(r) => !r.values.iter().flatten().any(Expr::is_unknown),
        super::jacobian::Form::Diagonal(d) | super::jacobian::Form::Dense(d) => {
            !d.iter().any(Expr::is_unknown)
        }
        _ => true,
    };
    Ok(result.iter().all(known).then_some(result))
}

/// [`symbolic_many`] for one leaf.
///
/// # Errors
/// Memory, or a wish to stop.
pub fn symbolic(
    y: &Variable,
    leaf: &Variable,
    names: &dyn Fn(&Variable) -> Option<String>,
    limits: Limits,
) -> Outcome<Option<Jacobian<Expr>>> {
    let all = symbolic_many(y, std::slice::from_ref(leaf), names, limits)?;
    Ok(all.map(|mut js| js.swap_remove(0)))
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
        let mut seen: HashMap<u64, ()> = HashMap::new();
        let mut pending: Vec<Node> = y.node().into_iter().collect();
        while let Some(node) = pending.pop() {
            if seen.insert(node.id(), ()).is_some() {
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
        let walk = Walk::new(y, &leaves);
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
            values.nodes.insert(node.id(), value);
        }
        Some(values)
    }

    fn input(&self, edge: &Edge) -> Symbols {
        let found = match &edge.origin {
            Origin::Constant => None,
            Origin::Leaf(v) => self.leaves.iter().find(|(l, _)| l.same(v)).map(|(_, s)| s),
            Origin::Node(n) => {
                let middle = |l: &Variable| l.node().is_some_and(|m| m.same(n));
                let leaf = self.leaves.iter().find(|(l, _)| middle(l)).map(|(_, s)| s);
                leaf.or_else(|| self.nodes.get(&n.id()))
            }
        };
        found
            .cloned()
            .unwrap_or_else(|| Symbols::constants(&edge.value))
    }

    fn node(&self, node: &Node) -> Symbols {
        let known = self.nodes.get(&node.id()).cloned();
        known.unwrap_or_else(|| Symbols::constants(node.value()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::maths::formula::{Style, write};
    use crate::maths::jacobian::Entry;
    use crate::maths::ops::{Arg, Bound, Out, Scalar, lookup};
    use crate::maths::table;

    fn leaf(name: &str, shape: &[usize], data: &[f64]) -> Variable {
        let v = Variable::leaf(Tensor::new(shape, data.to_vec()));
        v.set_name(Some(name.into()));
        v
    }

    fn number(c: f64) -> Variable {
        Variable::constant(Scalar::Float(c).tensor())
    }

    fn call(name: &'static str, args: &[&Variable]) -> Variable {
        let args = args.iter().map(|v| Arg::Tensor((*v).clone())).collect();
        match (lookup(name).unwrap().call)(&mut Bound::new(name, args)).unwrap() {
            Out::One(v) => v,
            other => panic!("{other:?}"),
        }
    }

    fn shown(y: &Variable, x: &Variable, style: Style) -> Vec<String> {
        let names = |v: &Variable| v.name().map(|n| n.to_string());
        let j = symbolic(y, x, &names, Limits::default()).unwrap().unwrap();
        let text = |e| match e {
            Entry::Absent => "·".to_owned(),
            Entry::Unchosen => "0".to_owned(),
            Entry::Value(e) => write(&e, style).unwrap(),
        };
        j.entries().map(text).collect()
    }

    #[test]
    fn the_card() {
        let x = leaf("x", &[2], &[1.0, 2.0]);
        let y = table::mul(&number(3.0), &table::pow(&x, &number(2.0)).unwrap()).unwrap();
        let j = numeric(&y, &x).unwrap();
        assert_eq!(j.structure(), "diagonal");
        assert_eq!(j.left_multiply(&[1.0, 10.0]), [6.0, 120.0]);
        assert_eq!(shown(&y, &x, Style::Pretty), ["6x₁", "·", "·", "6x₂"]);
        assert_eq!(shown(&y, &x, Style::Ascii), ["6*x1", "·", "·", "6*x2"]);
        assert_eq!(shown(&y, &x, Style::Code), ["6*x[0]", "·", "·", "6*x[1]"]);
    }

    #[test]
    fn formulas_are_written_as_people_write_them() {
        let x = leaf("x", &[], &[0.7]);
        let one = |y: &Variable| shown(y, &x, Style::Pretty).swap_remove(0);
        let f = |name| one(&call(name, &[&x]));
        assert_eq!(f("sqrt"), "1/(2√x)");
        assert_eq!(f("tanh"), "1 − tanh(x)²");
        assert_eq!(f("sigmoid"), "σ(x)(1 − σ(x))");
        assert_eq!(f("exp"), "e^x");
        assert_eq!(f("sin"), "cos(x)");
        assert_eq!(f("cos"), "−sin(x)");
        assert_eq!(f("log"), "1/x");
        assert_eq!(f("relu"), "x>0");
        assert_eq!(f("square"), "2x");
        assert_eq!(f("reciprocal"), "−1/x²");
        let xx = table::mul(&x, &x).unwrap();
        assert_eq!(one(&table::mul(&xx, &x).unwrap()), "3x²");
        assert_eq!(one(&table::add(&xx, &x).unwrap()), "2x + 1");
        assert_eq!(one(&table::div(&xx, &number(2.0)).unwrap()), "x");
        assert_eq!(one(&table::pow(&x, &number(3.0)).unwrap()), "3x²");
        let sx = table::mul(&x, &call("sin", &[&x])).unwrap();
        assert_eq!(one(&sx), "x cos(x) + sin(x)");
        let p = table::add(&x, &number(1.0)).unwrap();
        let q = table::mul(&xx, &p).unwrap();
        assert_eq!(one(&q), "3x² + 2x");
        assert_eq!(one(&call("square", &[&p])), "2(x + 1)");
    }

    #[test]
    fn nothing_is_multiplied_with_what_is_absent() {
        let x = leaf("x", &[2], &[0.0, 1.0]);
        let y = table::mul(&number(2.0), &call("sqrt", &[&x])).unwrap();
        let j = numeric(&y, &x).unwrap();
        assert_eq!(j.left_multiply(&[1.0, 1.0]), [f64::INFINITY, 1.0]);
    }

    #[test]
    fn products_are_dense_by_two_roads() {
        let a = leaf("A", &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let x = leaf("x", &[3, 1], &[1.0, 0.0, -1.0]);
        let op = crate::maths::ops::product::Matmul::of(2);
        let y =
            crate::maths::variable::apply(std::rc::Rc::new(op), &[a.clone(), x.clone()]).unwrap();
        let js = numeric_many(&y, &[a.clone(), x.clone()]).unwrap();
        assert_eq!(
            js[0].left_multiply(&[1.0, 10.0]),
            [1.0, 0.0, -1.0, 10.0, 0.0, -10.0]
        );
        assert_eq!(js[1].left_multiply(&[1.0, 10.0]), [41.0, 52.0, 63.0]);
        assert!(!js[0].reaches(0, 3));
        let s = call("sum", &[&y]);
        let from_output = numeric_many(&s, &[a.clone(), x.clone()]).unwrap();
        assert_eq!(from_output[1].left_multiply(&[1.0]), [5.0, 7.0, 9.0]);
        assert_eq!(
            shown(&y, &a, Style::Pretty),
            [
                "x₁₁", "x₂₁", "x₃₁", "·", "·", "·", "·", "·", "·", "x₁₁", "x₂₁", "x₃₁"
            ]
        );
    }

    #[test]
    fn a_million_elements_stay_a_diagonal() {
        let n = 1_000_000;
        let x = leaf("x", &[n], &vec![0.5; n]);
        let y = table::mul(&x, &call("sin", &[&x])).unwrap();
        let j = numeric(&y, &x).unwrap();
        assert_eq!((j.structure().as_str(), j.stored()), ("diagonal", n));
    }
}
