//! What a node keeps for backward, by PyTorch's names: `y.grad_fn._saved_self`. The names are data.

use super::attribute::Attribute;
use crate::autodiff::edge::{Edge, with_values};

use super::packing::{self, Pack};
use crate::autodiff::grad_mode::with_grad;
use crate::autodiff::node::{At, Unpack};
use crate::autodiff::torch_node::Behind;
use crate::composite::{entering, is_entry};
use crate::{Elementwise, Node, Saves, Variable};
use vjp_tensor::{Dtype, Outcome, Tensor, complain, torch_messages};

/// One line for each name of a node.
const NAMES: &str = include_str!("kept.txt");
/// So far inside an operation made of others it is looked for what these say.
const INSIDE: usize = 4;

/// What is found under a name.
pub enum Kept {
    Variable(Variable),
    Attribute(Attribute),
}

/// A name and where that stands, as a line has it: `other=1`.
#[derive(Clone, Copy)]
struct Word {
    name: &'static str,
    source: &'static str,
    /// Also where no gradient needs it.
    always: bool,
    default: &'static str,
}

fn words(grad_fn: &str) -> impl Iterator<Item = Word> {
    let line = NAMES.lines().find_map(|line| line.split_once(' ').filter(|(n, _)| *n == grad_fn));
    line.map_or("", |(_, words)| words).split(' ').filter(|word| !word.is_empty()).map(|word| {
        let (word, default) = word.split_once('?').unwrap_or((word, ""));
        let (word, always) = match word.strip_suffix('!') {
            Some(word) => (word, true),
            None => (word, false),
        };
        let (name, source) = word.split_once('=').unwrap_or((word, word));
        let source = match source {
            "self" => "0",
            "result" => "y",
            _ => source,
        };
        Word { name, source, always, default }
    })
}

/// An input as it entered, and whether the node keeps it.
fn input(node: &Node, k: usize) -> Option<(Edge, bool)> {
    match node.operation().behind() {
        Behind::Entries(entries) => {
            let entry = entries.get(k)?.clone()?;
            Some((entry.inputs().first()?.clone(), entry.saved().0 & 1 != 0))
        }
        Behind::Before => input(node.inputs().first()?.node()?, k),
        _ => {
            let edge = node.inputs().get(k)?;
            Some((edge.clone(), node.saved().0 >> k & 1 != 0))
        }
    }
}

/// A Python number as the tensor that PyTorch makes of it.
fn wrapped(value: &Tensor) -> Tensor {
    let dtype = if value.dtype().is_float() { Dtype::Float64 } else { value.dtype() };
    value.clone().with_weak(false).with_dtype(dtype)
}

/// A parameter as it was given: not as the kernel rounded it.
fn number(v: f64, float: bool) -> Attribute {
    let single = v as f32;
    match v {
        _ if v.is_infinite() => Attribute::Nothing,
        _ if v.fract() == 0.0 && !float => Attribute::Int(v as i64),
        _ if f64::from(single) == v => Attribute::Float(single.to_string().parse().unwrap_or(v)),
        _ => Attribute::Float(v),
    }
}

/// Whether numbers beside it become tensors.
fn wraps(node: &Node) -> bool {
    let row = node.operation().elementwise().map(Elementwise::row);
    row.is_some_and(|row| row.wraps && row.grad_fn == node.grad_fn())
}

/// The order in which PyTorch has the inputs: numbers become tensors and stand behind.
fn sorted(node: &Node, k: usize) -> usize {
    let order = if wraps(node) { node.operation().arguments(node.inputs()) } else { Vec::new() };
    order.get(k).copied().flatten().unwrap_or(k)
}

impl Word {
    fn place(self, node: &Node) -> At {
        match self.source.parse::<usize>() {
            Ok(k) => At::Input(sorted(node, k)),
            Err(_) if self.source == "y" => At::Output,
            Err(_) => At::Aside,
        }
    }

    fn found(self, node: &Node) -> Option<Kept> {
        match self.place(node) {
            At::Input(k) => Some(self.of_input(node, k)),
            At::Output if self.always || keeps_output(node) => {
                Some(Kept::Variable(Variable::saved(node.clone(), node.value().clone())))
            }
            At::Output => Some(Kept::Attribute(Attribute::Nothing)),
            At::Aside => self.said(node).map(Kept::Attribute),
        }
    }

    fn of_input(self, node: &Node, k: usize) -> Kept {
        let Some((edge, kept)) = input(node, k) else { return Kept::Attribute(Attribute::Nothing) };
        let wraps = wraps(node);
        match edge.is_number() {
            true if wraps && kept => Kept::Variable(Variable::constant(wrapped(&edge.value))),
            true if wraps => Kept::Attribute(Attribute::Nothing),
            true => Kept::Attribute(match (edge.value.dtype().is_float(), edge.value.item()) {
                (true, Some(v)) => Attribute::Float(v),
                (_, v) => Attribute::Int(v.unwrap_or_default() as i64),
            }),
            false if kept || self.always => Kept::Variable(entering(&edge).variable()),
            false => Kept::Attribute(Attribute::Nothing),
        }
    }

    /// What the operation says, or a size.
    fn said(self, node: &Node) -> Option<Attribute> {
        let sized = self.name.split_once("_sym_").and_then(|(owner, what)| {
            let owner = words(node.grad_fn()).find(|w| w.name == owner);
            let k = owner.and_then(|w| w.source.parse().ok()).unwrap_or(0);
            let (edge, _) = input(node, k)?;
            let shape = edge.value.shape().iter().map(|n| *n as i64);
            match what {
                "sizes" => Some(Attribute::Sizes(shape.collect())),
                "numel" => Some(Attribute::Int(shape.product())),
                _ => None,
            }
        });
        let row = node.operation().elementwise();
        let parameter = row.and_then(|row| {
            let (word, float) = match self.source.strip_suffix('.') {
                Some(word) => (word, true),
                None => (self.source, false),
            };
            let k = row.row().params.iter().position(|(name, _)| *name == word)?;
            Some(number(*row.params().get(k)?, float))
        });
        let stated = || {
            let made_of = match node.operation().behind() {
                Behind::Before | Behind::Entries(_) => INSIDE,
                _ => 1,
            };
            let mut places = std::iter::successors(Some(node), |n| first(n)).take(made_of);
            places.find_map(|n| n.stated(self.source).or_else(|| self.computed(n)))
        };
        let default = || self.default.parse().ok().map(Attribute::Int);
        sized.or(parameter).or_else(stated).or_else(default)
    }
}

impl Word {
    /// What the operation of a node says under this name.
    fn computed(self, node: &Node) -> Option<Attribute> {
        let all = with_values(node.inputs(), |values| node.operation().attributes(values));
        all.into_iter().find(|(own, _)| *own == self.source).map(|(_, attribute)| attribute)
    }
}

/// What computed the first input.
fn first(node: &Node) -> Option<&Node> {
    node.inputs().first().and_then(Edge::node)
}

fn keeps_output(node: &Node) -> bool {
    node.saved().1 || matches!(node.operation().saves(), Saves::InputsAndOutput(_) | Saves::Output)
}

/// What the node keeps under this name.
pub fn kept(node: &Node, name: &str) -> Outcome<Option<Kept>> {
    let found = words(node.grad_fn()).find(|word| word.name == name).and_then(|w| w.found(node));
    if matches!(found, Some(Kept::Variable(_) | Kept::Attribute(Attribute::Tensor(_))))
        && node.freed()
    {
        return Err(torch_messages::freed());
    }
    match node.packed().into_iter().find(|(own, ..)| *own == name) {
        Some((_, _, unpack)) => Ok(Some(Kept::Variable(unpack()?))),
        None => Ok(found),
    }
}

/// Where stands what the node keeps under this name.
pub fn place(node: &Node, name: &str) -> At {
    let word = words(node.grad_fn()).find(|word| word.name == name);
    word.map_or(At::Aside, |word| word.place(node))
}

/// The names under which it keeps something.
pub fn names(node: &Node) -> Vec<&'static str> {
    words(node.grad_fn()).filter(|w| w.found(node).is_some()).map(|w| w.name).collect()
}

/// Calls the hooks for the nodes that were made since.
pub fn pack() -> Outcome<()> {
    let waiting = packing::waiting();
    for (place, (node, pack)) in waiting.iter().enumerate() {
        let inside = waiting[place..].iter().any(|(outer, _)| is_part(node, outer));
        if is_entry(node) || inside {
            continue;
        }
        let kept = words(node.grad_fn()).map(|word| (word, word.found(node)));
        for (word, kept) in kept {
            let each = match kept {
                Some(Kept::Variable(v)) if !is_wrapped(&v, node) => vec![v],
                Some(Kept::Attribute(Attribute::Tensor(t))) => vec![Variable::constant(t)],
                Some(Kept::Attribute(Attribute::Tensors(ts))) => {
                    ts.into_iter().map(Variable::constant).collect()
                }
                _ => Vec::new(),
            };
            for v in each {
                node.pack(word.name, word.place(node), packed(pack, &v)?);
            }
        }
    }
    Ok(())
}

/// A Python number that became a tensor: no hook sees it.
fn is_wrapped(v: &Variable, node: &Node) -> bool {
    let number = |e: &Edge| e.is_number() && e.value.item() == v.value().item();
    v.rank() == 0 && !v.requires_grad() && node.inputs().iter().any(number)
}

/// Whether `node` is one of those that the operation of `outer` is made of.
fn is_part(node: &Node, outer: &Node) -> bool {
    let entries = match outer.operation().behind() {
        Behind::Entries(entries) => entries,
        _ => return false,
    };
    let first = entries.iter().flatten().map(Node::id).min();
    !node.same(outer) && first.is_some_and(|first| (first..outer.id()).contains(&node.id()))
}

/// What one hook makes of one tensor.
pub fn packed(pack: &Pack, v: &Variable) -> Outcome<Unpack> {
    let before = v.version();
    let unpack = with_grad(false, || pack(v))?;
    if v.version() != before {
        complain!(
            "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need to perform in-place operations on the input to a pack hook."
        );
    }
    Ok(unpack)
}
