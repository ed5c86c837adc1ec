//! Operations made of others that PyTorch's graph shows as one node, and those that give several outputs
//! of one node. Each input enters through a node of its own, where what comes back along several ways is
//! added up; each output leaves through one that bears the name.

use super::symbol::Symbols;
use crate::autodiff::grad_mode::is_grad_enabled;
use crate::autodiff::node::WeakNode;
use crate::autodiff::torch_node::Behind;
use crate::inplace::view::view_of;
use crate::primitives::moves::cloned;
use crate::second_order::names::{last_name, second_name};
use crate::{
    Array, Edge, Fixed, LinearMap, Node, Origin, Point, Rule, Saves, TorchNode, Variable, apply,
};
use std::rc::Rc;
use vjp_tensor::{ElementMap, Layout, Outcome, Tensor, budget};

/// Where an input enters.
struct Entry {
    grad_fn: &'static str,
    /// Which input it is.
    place: usize,
    saves: Saves,
    /// What PyTorch's node saved of the inputs.
    beside: Rc<[Edge]>,
}

/// Where an output leaves: as it is, or a part.
#[derive(Debug)]
struct Exit {
    part: Fixed,
    /// Which output it is.
    place: usize,
    /// None: PyTorch's node is the one that the output comes from.
    entries: Option<Entries>,
}

/// The nodes of the inputs; None: no gradient flows there.
#[derive(Clone)]
struct Entries(Rc<[Option<WeakNode>]>);

impl std::fmt::Debug for Entries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} inputs", self.0.len())
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "input {} of {}", self.place, self.grad_fn)
    }
}

impl Rule for Entry {
    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        Ok(inputs[0].clone())
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(inputs[0].clone())
    }

    fn composed<A: Array>(&self, inputs: &[&A]) -> Option<A> {
        Some(inputs[0].clone())
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        LinearMap::Scale { by: 1.0, shape: at.value.shape().to_vec() }
    }

    fn name(&self) -> &'static str {
        "input"
    }
}

impl TorchNode for Entry {
    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        self.saves
    }

    fn second(&self, _: usize) -> Option<&'static str> {
        second_name(self.grad_fn, self.place)
    }

    fn last(&self) -> Option<&'static str> {
        last_name(self.grad_fn)
    }

    fn beside(&self) -> &[Edge] {
        &self.beside
    }

    fn behind(&self) -> Behind {
        Behind::Entry
    }
}

impl Rule for Exit {
    fn name(&self) -> &'static str {
        self.part.name
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        Rule::value(&self.part, inputs)
    }

    fn composed<A: Array>(&self, inputs: &[&A]) -> Option<A> {
        self.part.composed(inputs)
    }

    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], y: &Tensor) -> Option<Symbols> {
        Rule::symbols(&self.part, inputs, values, y)
    }

    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        self.part.linear(at, wrt)
    }

    fn places(&self, wrt: usize) -> Option<&ElementMap> {
        self.part.places(wrt)
    }
}

impl TorchNode for Exit {
    fn grad_fn(&self) -> &'static str {
        self.part.grad_fn
    }

    fn saves(&self) -> Saves {
        self.part.saves
    }

    fn is_piece(&self) -> bool {
        // Of what repeats elements several pieces may come to one place.
        let apart = |places: &ElementMap| places.index.layout().is_some_and(Layout::is_apart);
        self.entries.is_some() && self.part.places(0).is_some_and(apart)
    }

    fn second(&self, _: usize) -> Option<&'static str> {
        None
    }

    fn place(&self) -> usize {
        self.place
    }

    fn behind(&self) -> Behind {
        let Some(entries) = &self.entries else { return Behind::Before };
        let alive = |n: &Option<WeakNode>| n.as_ref().and_then(WeakNode::upgrade);
        Behind::Entries(entries.0.iter().map(alive).collect())
    }
}

/// An operation that is being made.
pub struct Group {
    name: &'static str,
    grad_fn: &'static str,
    /// What the operation is to be made of.
    pub inputs: Vec<Option<Variable>>,
    /// What its node keeps for backward beside its inputs.
    pub keeps: Saves,
    entries: Entries,
}

impl Group {
    /// `saves`: the inputs that PyTorch keeps, one bit each.
    pub fn new(
        name: &'static str,
        grad_fn: &'static str,
        saves: u8,
        given: &[Option<Variable>],
    ) -> Outcome<Group> {
        let mut inputs = given.to_vec();
        let mut entries = vec![None; given.len()];
        let kept = |k: usize| saves & 1u8.checked_shl(k as u32).unwrap_or(0) != 0;
        let beside = given.iter().enumerate().filter(|(k, _)| is_grad_enabled() && kept(*k));
        let beside = beside.filter_map(|(_, x)| x.as_ref().filter(|x| x.requires_grad()));
        let beside: Rc<[Edge]> = beside.map(Edge::of).collect();
        // The youngest has its turn first: in the order of the inputs, as the leaves of one node of PyTorch have.
        for (place, x) in inputs.iter_mut().enumerate().rev() {
            let Some(x) = x.as_mut().filter(|x| is_grad_enabled() && x.requires_grad()) else {
                continue;
            };
            let saves = if kept(place) { Saves::Inputs(1) } else { Saves::Nothing };
            let entry = Entry { grad_fn, place, saves, beside: beside.clone() };
            *x = apply(Rc::new(entry), std::slice::from_ref(x))?;
            entries[place] = x.node().map(|n| n.downgrade());
        }
        Ok(Group { name, grad_fn, inputs, keeps: Saves::Aside, entries: Entries(entries.into()) })
    }

    /// The only output.
    pub fn output(&self, y: &Variable) -> Outcome<Variable> {
        self.output_at(0, y)
    }

    /// One of several outputs.
    pub fn output_at(&self, place: usize, y: &Variable) -> Outcome<Variable> {
        if !y.requires_grad() {
            return Ok(y.clone());
        }
        let part = Fixed { name: self.name, grad_fn: self.grad_fn, ..cloned(&y.shape()) };
        let part = Fixed { saves: self.keeps, ..part };
        let exit = Exit { part, place, entries: Some(self.entries.clone()) };
        let y = apply(Rc::new(exit), std::slice::from_ref(y))?;
        Ok(y.number_of_several(place))
    }

    /// One of several outputs, that is a view of the only input `x`.
    pub fn view_at(&self, place: usize, x: &Variable, layout: Layout) -> Outcome<Variable> {
        budget::tick()?;
        let source = self.inputs[0].as_ref().unwrap_or(x);
        if !source.requires_grad() {
            return Ok(x.view_untracked(layout).one_of_several(place));
        }
        let part = Fixed::gather(self.name, self.grad_fn, layout.element_map(&x.layout()));
        let exit = Exit { part, place, entries: Some(self.entries.clone()) };
        Ok(view_of(Rc::new(exit), source, x, layout)?.one_of_several(place))
    }
}

/// Output number `place` of PyTorch's node, which gave the parts `from` joined.
pub fn part(from: &Variable, part: Fixed, place: usize) -> Outcome<Variable> {
    let y = apply(Rc::new(Exit { part, place, entries: None }), std::slice::from_ref(from))?;
    Ok(y.number_of_several(place))
}

/// The number of PyTorch's node, which outputs of one operation share.
pub fn origin(node: &Node) -> u64 {
    match node.operation().behind() {
        Behind::Entries(entries) => {
            entries.iter().flatten().map(Node::id).min().unwrap_or(node.id())
        }
        Behind::Before => node.inputs().first().and_then(Edge::node).map_or(node.id(), Node::id),
        _ => node.id(),
    }
}

/// Whether it is only where an input enters an operation made of others.
pub fn is_entry(node: &Node) -> bool {
    matches!(node.operation().behind(), Behind::Entry)
}

/// The input itself, where it enters an operation made of others.
pub fn entering(mut edge: &Edge) -> &Edge {
    while let Origin::Node(n) = &edge.origin
        && is_entry(n)
        && let Some(input) = n.inputs().first()
    {
        edge = input;
    }
    edge
}

/// What PyTorch's graph shows before a node: `next_functions`, of which a number has none.
pub fn before(node: &Node) -> Vec<Option<Edge>> {
    let operation = node.operation();
    let first = |n: &Node| n.inputs().first().cloned();
    match operation.behind() {
        Behind::Entries(entries) => entries.iter().map(|n| first(n.as_ref()?)).collect(),
        Behind::Before => match first(node) {
            Some(Edge { origin: Origin::Node(n), .. }) => before(&n),
            _ => Vec::new(),
        },
        Behind::Written => {
            let inner = node.inputs().get(1).and_then(Edge::node).map(before).unwrap_or_default();
            std::iter::once(first(node)).chain(inner.into_iter().skip(1)).collect()
        }
        Behind::Inputs | Behind::Entry => {
            let arguments = operation.arguments(node.inputs()).into_iter();
            arguments.map(|k| k.and_then(|k| node.inputs().get(k).cloned())).collect()
        }
    }
}
