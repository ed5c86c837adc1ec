//! The graph of a result as a reader would walk it: operations between its leaves and y, with names.
//! Begin with [`Graph`]; [`sweep`] walks it backwards, [`slopes`] writes local slopes, and [`model`]
//! makes of it what `:graph` draws, with the help of [`fold`].

mod fold;
pub mod model;
pub(crate) mod slopes;
pub(crate) mod sweep;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use vjp_backward::unreached::text_of;
use vjp_eval::leaf::naming::{LETTERS, Places, numbered};
use vjp_eval::{Latest, LeafReport, Machine};
use vjp_maths::autodiff::cotangent::at_values;
use vjp_maths::autodiff::reverse::ancestors;
use vjp_maths::autodiff::variable::Cut;
use vjp_maths::composite::{entering, is_entry};
use vjp_maths::symbol::names::which;
use vjp_maths::{Edge, LinearMap, Node, Origin, Variable};
use vjp_tensor::Tensor;
use vjp_text::Symbol;

/// The longest text used in place of a name.
const TEXT: usize = 20;

/// Where an input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum From {
    Leaf(usize),
    Step(usize),
}

/// What a step is called.
struct Name {
    name: String,
    /// What computed it, where the name does not say so.
    text: String,
    /// The call that ran the operation of that text, as one of several.
    within: Option<String>,
    /// The program's own: a name that represents it now, or the path of the module whose output it is.
    given: Option<Given>,
}

/// Where a step's name comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Name,
    Module,
}

/// Operations on a path from a leaf to y, in the order they ran.
pub(crate) struct Graph {
    pub steps: Vec<Node>,
    names: Vec<Name>,
    pub leaves: Vec<String>,
    /// Steps without a name and a text of their own: h₁, h₂ …
    numbered: Vec<bool>,
    /// Where nodes are: steps, and values on the way that are asked about as leaves.
    place: HashMap<u64, From>,
    ids: Vec<usize>,
    /// Tensors with a name that want no gradient.
    constants: Vec<Constant>,
    /// What cuts, as it is written.
    cuts: Vec<(Rc<Cut>, String)>,
}

/// A tensor that wants no gradient: its identity, its numbers, its name, and where it was cut off.
struct Constant {
    id: usize,
    value: Tensor,
    name: String,
    cut: Option<Rc<Cut>>,
}

impl Graph {
    /// Of the last backward.
    pub fn of(m: &Machine, latest: &Latest) -> Graph {
        let leaves = Graph::leaves(m, &Places::of(m), latest);
        Graph::above(m, &latest.y, &latest.event.output, leaves, Vec::new())
    }

    /// The leaves of a backward: identities, and what they are called now.
    fn leaves(m: &Machine, places: &Places, latest: &Latest) -> Vec<(usize, String)> {
        let mut now = places.leaves(latest.leaves.iter());
        let leaves = latest.event.leaves.iter().zip(&latest.leaves).map(|(report, x)| {
            // It may have been assigned since that backward.
            let (deleted, name) = (report.deleted, report.name.as_str());
            let now = now.remove(&x.id()).unwrap_or_default();
            let now = LeafReport {
                earlier: report.earlier || now.earlier,
                deleted: deleted || m.global(Symbol::new(name)).is_none(),
                turn: report.turn.max(now.turn),
                ..report.clone()
            };
            (x.id(), format!("{name}{}", now.since()))
        });
        leaves.collect()
    }

    /// From leaves with these names to y with its own.
    pub fn between(
        m: &Machine,
        leaves: &[Variable],
        names: Vec<String>,
        (y, output): (&Variable, &str),
    ) -> Graph {
        let place = |(k, x): (usize, &Variable)| Some((x.node()?.id(), From::Leaf(k)));
        let place = leaves.iter().enumerate().filter_map(place).collect();
        let leaves = leaves.iter().map(Variable::id).zip(names).collect();
        Graph::built(m, y, output, leaves, Vec::new(), place)
    }

    /// Of a result and its leaves; `beyond`: what leads to it only through a cut.
    fn above(
        m: &Machine,
        y: &Variable,
        output: &str,
        leaves: Vec<(usize, String)>,
        beyond: Vec<Node>,
    ) -> Graph {
        Graph::built(m, y, output, leaves, beyond, HashMap::new())
    }

    fn built(
        m: &Machine,
        y: &Variable,
        output: &str,
        leaves: Vec<(usize, String)>,
        beyond: Vec<Node>,
        place: HashMap<u64, From>,
    ) -> Graph {
        let (ids, leaves) = leaves.into_iter().unzip();
        let mut graph = Graph {
            steps: Vec::new(),
            names: Vec::new(),
            leaves,
            numbered: Vec::new(),
            place,
            ids,
            constants: constants(m),
            cuts: Vec::new(),
        };
        for node in ancestors(y.node().into_iter().chain(beyond)) {
            if !is_entry(&node)
                && !graph.place.contains_key(&node.id())
                && node.inputs().iter().any(|e| graph.source(e).is_some())
            {
                graph.place.insert(node.id(), From::Step(graph.steps.len()));
                graph.steps.push(node);
            }
        }
        let edges = graph.steps.iter().flat_map(|node| node.inputs());
        for cut in edges.filter_map(|edge| entering(edge).cut()) {
            if !cut.stepped && !graph.cuts.iter().any(|(own, _)| Rc::ptr_eq(own, &cut)) {
                let text = text_of(m, &cut);
                graph.cuts.push((cut, text));
            }
        }
        (graph.names, graph.numbered) = names(m, y, output, &graph.steps, &graph.leaves);
        graph.transposed();
        graph.placed();
        graph
    }

    /// `xs[2]` in the text of a step for `xs[t]`, of which a loop took one after the other.
    fn placed(&mut self) {
        let mut said: HashMap<usize, (String, String)> = HashMap::new();
        for k in 0..self.steps.len() {
            let called = &self.names[k];
            // Its name is its text, where that is short.
            let named = called.text.is_empty() && called.given.is_none();
            let text = if named { called.name.clone() } else { called.text.clone() };
            let mut now = text.clone();
            for edge in self.steps[k].inputs() {
                if let Some(From::Step(j)) = self.source(edge)
                    && let Some((before, after)) = said.get(&j)
                {
                    now = now.replace(before.as_str(), after);
                }
            }
            for c in self.constants.iter().filter(|c| text.contains(&format!("{}[", c.name))) {
                for edge in self.steps[k].inputs().iter().filter(|e| self.source(e).is_none()) {
                    if let Some((from, to)) = indexed(&now, &c.name)
                        && let Some(row) = row(&c.value, &edge.value)
                    {
                        now.replace_range(from..to, &row.to_string());
                    }
                }
            }
            if now != text {
                let own = &mut self.names[k];
                let slot = if named { &mut own.name } else { &mut own.text };
                slot.clone_from(&now);
                said.insert(k, (text, now));
            }
        }
    }

    /// `W.T` for what a layer computes of its weight, which has no text of its own.
    fn transposed(&mut self) {
        for k in 0..self.steps.len() {
            let node = &self.steps[k];
            let of = node.inputs().first().and_then(|edge| self.source(edge));
            let numbered = |of: &From| matches!(of, From::Step(k) if self.numbered[*k]);
            if let Some(of) = of.filter(|of| !numbered(of)).map(|of| self.name(of))
                && node.operation().name() == "t"
                && self.numbered[k]
            {
                let name = format!("{of}.T");
                self.names[k] = Name { name, text: String::new(), within: None, given: None };
                self.numbered[k] = false;
            }
        }
    }

    /// Where a gradient that arrives along this input goes on to; None where it ends.
    pub fn source(&self, edge: &Edge) -> Option<From> {
        match &entering(edge).origin {
            Origin::Constant(_) | Origin::LostView(_) => None,
            Origin::Leaf(x) => self.ids.iter().position(|id| *id == x.id()).map(From::Leaf),
            Origin::Node(n) => self.place.get(&n.id()).copied(),
        }
    }

    /// The name of an input that wants no gradient.
    pub fn constant(&self, edge: &Edge) -> Option<String> {
        let edge = entering(edge);
        match &edge.origin {
            Origin::Leaf(x) => x.name().map(|name| name.to_string()),
            Origin::Constant(None) => {
                let same = |c: &&Constant| match edge.constant() {
                    Some(id) if id == c.id => true,
                    // Numbers in the same memory are the same tensor.
                    _ => c.value.rank() > 0 && std::ptr::eq(c.value.data(), edge.value.data()),
                };
                self.constants.iter().find(same).map(|c| c.name.clone())
            }
            Origin::Constant(Some(cut)) => {
                let same = |c: &&Constant| {
                    c.cut.as_ref().is_some_and(|own| Rc::ptr_eq(own, cut))
                        && c.value.shape() == edge.value.shape()
                        && c.value.data() == edge.value.data()
                };
                if let Some(own) = self.constants.iter().find(same) {
                    return Some(own.name.clone());
                }
                // The numbers are those of what was cut off.
                let from = cut.from.upgrade().filter(|_| !cut.stepped)?;
                let text = self.cuts.iter().find(|(own, _)| Rc::ptr_eq(own, cut));
                let text = text.map(|(_, text)| text.as_str()).filter(|text| {
                    !text.is_empty() && text.chars().count() <= TEXT && text.ends_with(".detach()")
                });
                if let Some(text) = text
                    && from.value().data() == edge.value.data()
                {
                    return Some(text.to_owned());
                }
                let at = match from.node() {
                    Some(node) => self.place.get(&node.id()).copied(),
                    None => self.ids.iter().position(|id| *id == from.id()).map(From::Leaf),
                };
                at.map(|at| self.bare(at).to_string())
            }
            _ => None,
        }
    }

    /// For each step, whether it is this value or computed from it.
    pub fn above_value(&self, at: From) -> Vec<bool> {
        let mut above: Vec<bool> = Vec::with_capacity(self.steps.len());
        for (k, step) in self.steps.iter().enumerate() {
            let from = |edge: &Edge| match self.source(edge) {
                Some(From::Step(j)) => above[j],
                leaf => leaf == Some(at),
            };
            above.push(at == From::Step(k) || step.inputs().iter().any(from));
        }
        above
    }

    /// A value by its number: the leaves, then the steps.
    pub fn numbered_value(&self, at: usize) -> From {
        at.checked_sub(self.leaves.len()).map_or(From::Leaf(at), From::Step)
    }

    /// The leaves' identities, in the order of their names.
    pub fn ids(&self) -> impl Iterator<Item = usize> {
        self.ids.iter().copied()
    }

    pub fn name(&self, at: From) -> &str {
        match at {
            From::Leaf(k) => &self.leaves[k],
            From::Step(k) => &self.names[k].name,
        }
    }

    /// The name as it stands in a formula.
    pub fn bare(&self, at: From) -> &str {
        self.name(at).trim_end_matches(" (deleted)")
    }

    /// Whether a step has a number for a name: h₁.
    pub fn is_numbered(&self, step: usize) -> bool {
        self.numbered[step]
    }

    /// Whether a step is one of several of a call.
    pub fn is_within(&self, step: usize) -> bool {
        self.names[step].within.is_some()
    }

    /// What computed a step, where its name does not say so.
    pub fn text(&self, step: usize) -> &str {
        &self.names[step].text
    }

    /// The same, with the call that it is a part of: `permute in torch.einsum(…)`.
    pub fn told(&self, step: usize) -> String {
        let text = self.text(step);
        match &self.names[step].within {
            Some(callee) => format!("{text} in {callee}(…)"),
            None => text.to_string(),
        }
    }

    /// The program's own name of a step.
    pub fn given(&self, step: usize) -> Option<(&str, Given)> {
        let name = &self.names[step];
        name.given.map(|given| (name.name.as_str(), given))
    }

    /// The local Jacobian of a step with respect to one of its inputs.
    pub fn local(&self, step: usize, input: usize) -> LinearMap<Tensor> {
        let node = &self.steps[step];
        at_values(node, |at| node.operation().linear_tensor(at, input))
    }
}

/// Where the index stands in a text that takes an element of what has this name, if it is a name.
fn indexed(text: &str, name: &str) -> Option<(usize, usize)> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let opens = format!("{name}[");
    text.match_indices(&opens).find_map(|(at, _)| {
        let (from, own) = (at + opens.len(), !text[..at].ends_with(|c| word(c) || c == '.'));
        let index = &text[from..from + text[from..].find(']')?];
        let named =
            index.starts_with(|c: char| word(c) && !c.is_numeric()) && index.chars().all(word);
        (own && named).then_some((from, from + index.len()))
    })
}

/// Which of its rows a tensor has these numbers in.
pub fn row(whole: &Tensor, part: &Tensor) -> Option<usize> {
    let (count, own) = whole.shape().split_first()?;
    let n = part.numel();
    let same = |k: &usize| whole.data()[k * n..][..n] == *part.data();
    (0..*count).find(|k| own == part.shape() && same(k))
}

fn constants(m: &Machine) -> Vec<Constant> {
    let named = m.names().into_iter().filter_map(|(name, value)| {
        let v = vjp_eval::leaf::existing(&value).filter(|v| !v.requires_grad())?;
        Some(Constant { id: v.id(), value: v.value(), name, cut: v.cut() })
    });
    named.collect()
}

/// Each step by the name that represents it now, by its text where that is short and its own, or by a
/// letter with its number, and whether it is called so.
fn names(
    m: &Machine,
    y: &Variable,
    output: &str,
    steps: &[Node],
    leaves: &[String],
) -> (Vec<Name>, Vec<bool>) {
    let taken: HashSet<String> = m.names().into_iter().map(|(name, _)| name).collect();
    // A name that another value has by now says too little in a text.
    let others: Vec<&str> =
        leaves.iter().map(|leaf| which(leaf)).filter(|w| !w.1.is_empty()).map(|w| w.0).collect();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    // What a loop or an unpacking takes has no text of its own: `t in xs`, `a, b = x`.
    let reads = |text: &str| {
        let shared = text.contains(" in ") || text.contains(" = ");
        shared || text.split(|c: char| !word(c)).any(|word| others.contains(&word))
    };
    // `h₁` is no element of an h.
    let own = |letter: &&&str| {
        let begins = |name: &String| {
            let rest = name.strip_prefix(**letter);
            rest.is_some_and(|rest| rest.chars().all(char::is_numeric))
        };
        !taken.iter().any(begins)
    };
    let letter = LETTERS.iter().find(own).copied().unwrap_or("step");
    let mut bound: HashMap<u64, String> = HashMap::new();
    for (name, value) in m.names() {
        if let Some(node) = vjp_eval::leaf::existing(&value).and_then(|v| v.node()) {
            bound.entry(node.id()).or_insert(name);
        }
    }
    if let Some(node) = y.node() {
        bound.insert(node.id(), output.to_string());
    }
    let text = |n: &Node| {
        let place = n.place();
        let text = m.source_of(place.source).map(|s| s.slice_balanced(place.span));
        text.map(unwrapped).unwrap_or_default().to_string()
    };
    let texts: Vec<String> = steps.iter().map(text).collect();
    // The same text may stand for the same value, `x[0]` twice, or for that of each turn of a loop.
    let from = |n: &Node| -> Vec<(bool, u64)> {
        let ids = n.inputs().iter().map(|e| match &entering(e).origin {
            Origin::Constant(_) | Origin::LostView(_) => (false, 0),
            Origin::Leaf(x) => (false, x.id() as u64 + 1),
            Origin::Node(p) => (true, p.id()),
        });
        ids.collect()
    };
    let mut often: HashMap<&str, HashSet<Vec<(bool, u64)>>> = HashMap::new();
    for (text, node) in texts.iter().zip(steps) {
        often.entry(text).or_default().insert(from(node));
    }
    let places = Places::of(m);
    let mut calls: HashMap<&str, usize> = HashMap::new();
    let mut module = |node: &Node| {
        let (path, class) = places.module(node)?;
        let call = calls.entry(path).or_default();
        *call += 1;
        Some((path, class, *call))
    };
    let modules: Vec<Option<(&str, &str, usize)>> = steps.iter().map(&mut module).collect();
    let called = |(k, node): (usize, &Node)| {
        let text = &texts[k];
        let line = text.lines().next().unwrap_or("").to_string();
        let short = !text.is_empty() && text.chars().count() <= TEXT && !text.contains('\n');
        let mut within = None;
        // `y[0]` is what is written, not the value with it.
        let target = node.operation().written();
        let target = target.filter(|_| text.ends_with(']') && !text.contains('='));
        let set = target.and_then(|_| text.rfind('[').map(|at| &text[..at]));
        let (name, text) = match (bound.get(&node.id()), modules[k]) {
            (name, None) if let Some(whole) = set => {
                let name = name.cloned().unwrap_or_else(|| numbered(letter, k + 1));
                (name, format!("{whole} with {line} set"))
            }
            (Some(name), _) if name == text => (name.clone(), String::new()),
            (Some(name), _) => (name.clone(), line),
            (None, Some((path, class, call))) => match calls[path] {
                1 => (path.to_string(), class.to_string()),
                _ => (format!("{path} call {call}"), class.to_string()),
            },
            (None, None) if short && often[text.as_str()].len() == 1 && !reads(text) => {
                (text.clone(), String::new())
            }
            (None, None) => {
                // The same text made several steps: the operation says which.
                let named = |n: &Node| n.operation().spelled();
                let operation = named(node);
                let same = steps.iter().zip(&texts).filter(|(_, t)| *t == text);
                let alone = same.map(|(n, _)| named(n)).all(|other| other == operation);
                let remark = match often[text.as_str()].len() {
                    _ if alone && !line.is_empty() => line,
                    1 => line,
                    _ if short => format!("{operation} in {line}"),
                    _ => {
                        within = callee(&line).map(str::to_owned);
                        operation.to_string()
                    }
                };
                (numbered(letter, k + 1), remark)
            }
        };
        let given = match (bound.contains_key(&node.id()), modules[k]) {
            (true, _) => Some(Given::Name),
            (false, Some(_)) => Some(Given::Module),
            (false, None) => None,
        };
        Name { name, text, within, given }
    };
    let names: Vec<Name> = steps.iter().enumerate().map(called).collect();
    let is_numbered = |(k, called): (usize, &Name)| called.name == numbered(letter, k + 1);
    let own = names.iter().enumerate().map(is_numbered).collect();
    (names, own)
}

/// What a text calls: `torch.einsum` of `torch.einsum('ij->i', a)`.
fn callee(text: &str) -> Option<&str> {
    let (callee, _) = text.split_once('(')?;
    let path = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    (!callee.is_empty() && callee.chars().all(path)).then_some(callee)
}

/// A text without brackets around the whole of it.
fn unwrapped(text: &str) -> &str {
    vjp_eval::leaf::naming::unwrapped(text.trim())
}
