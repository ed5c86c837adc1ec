//! The explicit Jacobian of a recorded variable: local derivatives, read entry by entry, composed
//! along the graph. It shares no code with the reverse sweep.

use crate::read::Coefficients;
use crate::{Element, Form, Jacobian, tiles};
use vjp_maths::autodiff::cotangent::at_values;
use vjp_maths::autodiff::reverse::ancestors;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::{Edge, LinearMap, Node, Origin, Variable};
use vjp_tensor::{ElementMap, Outcome, Tensor, torch_messages};

pub use crate::symbols::{Limits, obstacle, symbolic, symbolic_many, value};

/// Compose from the output's end where the leaves have so many times more elements.
const NARROW: usize = 4;

/// The part of the graph between an output and some leaves.
pub(crate) struct Walk<'a> {
    /// Nodes on a path from a leaf to y, in the order they were recorded.
    pub nodes: Vec<Node>,
    pub leaves: &'a [Variable],
    /// Nodes of the leaves that are in the middle of the graph.
    middles: Vec<Option<Node>>,
}

/// What an input is, seen from a walk.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Source {
    Leaf(usize),
    /// Place in [`Walk::nodes`].
    Node(usize),
    Elsewhere,
}

impl<'a> Walk<'a> {
    /// # Errors
    /// A leaf has another shape than when y was computed.
    pub fn new(y: &Variable, leaves: &'a [Variable]) -> Outcome<Walk<'a>> {
        y.fits_its_node(0)?;
        let mut walk = Walk {
            nodes: Vec::new(),
            leaves,
            middles: leaves.iter().map(Variable::node).collect(),
        };
        for node in ancestors(y.node()).into_iter().map(Node::refreshed) {
            let leads = |e: &Edge| walk.source(e) != Source::Elsewhere;
            if node.inputs().iter().any(leads) {
                node.set_slot(walk.nodes.len() as u32);
                walk.nodes.push(node);
            }
        }
        // `x.data = …` may have put others between what holds or computes numbers and what reads them.
        let source = |e: &Edge| match &e.origin {
            Origin::Leaf(v) if walk.leaf(v) != Source::Elsewhere => Some(v.shape()),
            Origin::Node(n) if n.operation().has_own_backward() => Some(n.value().shape().to_vec()),
            _ => None,
        };
        for e in walk.nodes.iter().flat_map(Node::inputs) {
            if let Some(other) = source(e).filter(|other| other != e.value.shape()) {
                return Err(torch_messages::gradient_assigned(e.value.shape(), &other));
            }
        }
        Ok(walk)
    }

    pub fn source(&self, edge: &Edge) -> Source {
        match &edge.origin {
            Origin::Constant(_) | Origin::LostView(_) => Source::Elsewhere,
            Origin::Leaf(v) => self.leaf(v),
            // A leaf asked for may be in the middle of the graph: `jacobian(y, h)`.
            Origin::Node(n) => match self.middle(n) {
                Some(k) => Source::Leaf(k),
                None => self.place(n),
            },
        }
    }

    /// Where a node is in the walk.
    fn place(&self, n: &Node) -> Source {
        // The node may know, unless something else has used it since.
        let told = n.slot() as usize;
        if self.nodes.get(told).is_some_and(|m| m.same(n)) {
            return Source::Node(told);
        }
        let found = self.nodes.binary_search_by_key(&n.id(), Node::id);
        found.map_or(Source::Elsewhere, Source::Node)
    }

    fn middle(&self, n: &Node) -> Option<usize> {
        self.middles.iter().position(|m| m.as_ref().is_some_and(|m| m.same(n)))
    }

    fn leaf(&self, v: &Variable) -> Source {
        self.leaves.iter().position(|l| l.same(v)).map_or(Source::Elsewhere, Source::Leaf)
    }

    /// Where y itself is in the walk.
    pub fn output(&self, y: &Variable) -> Source {
        match y.node() {
            Some(n) => match self.middle(&n) {
                Some(k) => Source::Leaf(k),
                None => self.place(&n),
            },
            None => self.leaf(y),
        }
    }

    /// ∂y/∂leaf for each leaf, from the local maps that `local` gives.
    pub fn compose<C, L>(&self, y: &Variable, mut local: L) -> Outcome<Vec<Jacobian<C::E>>>
    where
        C: Coefficients,
        L: FnMut(usize, usize) -> Outcome<LinearMap<C>>,
    {
        let wide: usize = self.leaves.iter().map(Variable::numel).sum();
        if wide > NARROW * y.numel() {
            self.downwards(y, &mut local)
        } else {
            self.upwards(y, &mut local)
        }
    }

    /// Forwards: ∂node/∂leaf for every node, until y is reached.
    fn upwards<C, L>(&self, y: &Variable, local: &mut L) -> Outcome<Vec<Jacobian<C::E>>>
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
            let mut sums: Vec<Jacobian<C::E>> =
                self.leaves.iter().map(|l| Jacobian::zero(rows, l.numel())).collect();
            for (wrt, edge) in node.inputs().iter().enumerate() {
                match self.source(edge) {
                    Source::Elsewhere => {}
                    Source::Leaf(k) => {
                        let map = local(n, wrt)?;
                        let own = Jacobian::identity(self.leaves[k].numel());
                        add(&mut sums[k], own.after(&map)?)?;
                    }
                    Source::Node(k) => {
                        let map = local(n, wrt)?;
                        uses[k] -= 1;
                        // What is read for the last time may be written over.
                        let js = match uses[k] {
                            0 => std::mem::take(&mut at[k]),
                            _ => at[k].clone(),
                        };
                        for (sum, j) in sums.iter_mut().zip(js) {
                            add(sum, j.after(&map)?)?;
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
    fn downwards<C, L>(&self, y: &Variable, local: &mut L) -> Outcome<Vec<Jacobian<C::E>>>
    where
        C: Coefficients,
        L: FnMut(usize, usize) -> Outcome<LinearMap<C>>,
    {
        let rows = y.numel();
        let output = self.output(y);
        let trivial = |k: usize| Gathered::of(self.trivial(y, output, k));
        let mut sums: Vec<Gathered<C::E>> = (0..self.leaves.len()).map(trivial).collect();
        let mut at: Vec<Option<Gathered<C::E>>> = vec![None; self.nodes.len()];
        if let Source::Node(k) = output {
            at[k] = Some(Gathered::of(Jacobian::identity(rows)));
        }
        for n in (0..self.nodes.len()).rev() {
            let Some(j) = at[n].take() else { continue };
            let j = j.total()?;
            for (wrt, edge) in self.nodes[n].inputs().iter().enumerate() {
                let source = self.source(edge);
                if source == Source::Elsewhere {
                    continue;
                }
                let part = j.clone().before(&local(n, wrt)?)?;
                match source {
                    Source::Leaf(k) => sums[k].add(part)?,
                    Source::Node(k) => match &mut at[k] {
                        Some(sum) => sum.add(part)?,
                        none => *none = Some(Gathered::of(part)),
                    },
                    Source::Elsewhere => {}
                }
            }
        }
        sums.into_iter().map(Gathered::total).collect()
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

/// A sum of Jacobians. Many parts of few entries each, as the elements of a vector give them, are added two by
/// two: one after the other, each addition would go through all entries so far.
#[derive(Clone)]
struct Gathered<E: Element> {
    count: usize,
    /// Sums of so many parts, as a power of 2, in order; the powers fall.
    parts: Vec<(u32, Jacobian<E>)>,
}

/// Up to so many parts are added one after the other.
const IN_TURN: usize = 32;

impl<E: Element> Gathered<E> {
    fn of(part: Jacobian<E>) -> Gathered<E> {
        Gathered { count: 1, parts: vec![(u32::MAX, part)] }
    }

    fn add(&mut self, part: Jacobian<E>) -> Outcome<()> {
        self.count += 1;
        if self.count <= IN_TURN || !matches!(part.form, Form::Bands(_)) {
            let before = Gathered { parts: std::mem::take(&mut self.parts), ..*self };
            self.parts.push((u32::MAX, before.total()?.plus(part)?));
            return Ok(());
        }
        self.parts.push((0, part));
        while let [.., (a, _), (b, _)] = self.parts.as_slice()
            && a == b
            && let (Some((power, last)), Some((_, before))) = (self.parts.pop(), self.parts.pop())
        {
            self.parts.push((power + 1, before.plus(last)?));
        }
        Ok(())
    }

    fn total(self) -> Outcome<Jacobian<E>> {
        let mut all = self.parts.into_iter().map(|(_, part)| part);
        let first = all.next().unwrap_or(Jacobian::zero(0, 0));
        all.try_fold(first, Jacobian::plus)
    }
}

fn add<E: Element>(sum: &mut Jacobian<E>, part: Jacobian<E>) -> Outcome<()> {
    let before = std::mem::replace(sum, Jacobian::zero(0, 0));
    *sum = before.plus(part)?;
    Ok(())
}

/// ∂y/∂leaf in numbers, size(y) × size(leaf).
pub fn numeric(y: &Variable, leaf: &Variable) -> Outcome<Jacobian<f64>> {
    let mut all = numeric_many(y, std::slice::from_ref(leaf))?;
    Ok(all.swap_remove(0))
}

/// [`numeric`] for several leaves, sharing the walk.
pub fn numeric_many(y: &Variable, leaves: &[Variable]) -> Outcome<Vec<Jacobian<f64>>> {
    let walk = Walk::new(y, leaves)?;
    // 0·∞ where a sweep chooses 0.
    let blocked = |all: &[Jacobian<f64>]| {
        walk.nodes.iter().any(|n| n.operation().chooses())
            && all.iter().any(|j| j.any(|v: &f64| v.is_nan()))
    };
    if let Some(all) = tiles::diagonals(&walk, y)?
        && !blocked(&all)
    {
        return Ok(all);
    }
    let map = |n: usize, wrt: usize| {
        let node: &Node = &walk.nodes[n];
        node.check_derived(wrt)?;
        let map = at_values(node, |at| node.operation().linear_tensor(at, wrt));
        vjp_tensor::budget::refused()?;
        Ok(map)
    };
    let all = walk.compose::<Tensor, _>(y, map)?;
    if !blocked(&all) {
        return Ok(all);
    }
    walk.compose::<Tensor, _>(y, |n, wrt| {
        let map = map(n, wrt)?;
        Ok(match walk.nodes[n].operation().chooses() {
            true => without_blocked(map),
            false => map,
        })
    })
}

/// Whether every element of `y` depends on the one of `leaf` in its own place, by operations that have
/// no other paths.
pub fn is_elementwise(y: &Variable, leaf: &Variable) -> bool {
    let walk = Walk::new(y, std::slice::from_ref(leaf));
    walk.is_ok_and(|walk| tiles::is_elementwise(&walk, y))
}

/// A map that blocks also what is infinite: where its slope is 0 the path was not chosen.
fn without_blocked(map: LinearMap<Tensor>) -> LinearMap<Tensor> {
    match map {
        LinearMap::Diagonal { by, shape } if by.shape() == shape => {
            let wire = |(k, slope): (usize, &f64)| if *slope == 0.0 { ElementMap::NONE } else { k };
            let index: Vec<usize> = by.data().iter().enumerate().map(wire).collect();
            let pairs = (0..index.len()).filter(|k| index[*k] == ElementMap::NONE).map(|k| (k, k));
            let (pairs, from, to) = (pairs.collect(), shape.clone(), shape.clone());
            let kept = LinearMap::Gather(element_map(&shape, &shape, index));
            LinearMap::Plus(vec![
                LinearMap::Then(vec![kept, LinearMap::Diagonal { by, shape }]),
                LinearMap::Unchosen { pairs, from, to },
            ])
        }
        LinearMap::Then(maps) => LinearMap::Then(maps.into_iter().map(without_blocked).collect()),
        map => map,
    }
}
