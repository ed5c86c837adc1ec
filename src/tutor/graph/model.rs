//! What `:graph` draws: values with names, the gradients that arrived, the slopes between them, the places
//! where a path is cut; folded to several degrees, so that each output can take what it has room for.

use super::fold::{Folding, Item, Label, Unit, parent};
use super::slopes::{JACOBIAN, word};
use super::sweep::added;
use super::{From, Graph, entering};
use std::collections::{HashMap, HashSet};
use vjp_backward::unreached::text_of;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::leaf::naming::Places;
use vjp_eval::record::drawn_graph::{Arrived, Drawn, Edge, Kind, Level, Mark, Node};
use vjp_eval::{Latest, Machine, Tried};
use vjp_maths::Variable;
use vjp_maths::autodiff::ancestors::{ancestors, leaves_of};
use vjp_maths::autodiff::edge::with_values;
use vjp_maths::autodiff::node;
use vjp_maths::autodiff::variable::Cut;
use vjp_syntax::ast::{Stmt, StmtKind};
use vjp_syntax::visit::blocks;
use vjp_tensor::{Outcome, Tensor};
use vjp_text::{Source, Span};

/// How many boxes a level has at most.
const LIMITS: [usize; 10] = [400, 120, 60, 40, 30, 24, 18, 14, 10, 7];

/// What is to be seen of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Open {
    /// What there is room for.
    #[default]
    Nothing,
    /// A module with what it computes.
    Module(String),
    /// Steps by number, as `:explain` numbers them: from, to.
    Steps(usize, usize),
}

/// The graph of the last backward.
pub fn of_backward(m: &mut Machine, latest: &Latest, open: &Open) -> Tried<Drawn> {
    let places = Places::of(m);
    let leaves = Graph::leaves(m, &places, latest);
    let graph = whole(m, &places, &latest.y, &latest.event.output, leaves);
    let mut arrived: HashMap<From, Tensor> = HashMap::new();
    let sums = lend(m, || {
        graph.sweep(&latest.v, &mut |passed| {
            arrived.insert(From::Step(passed.step), added(&passed.received));
        })
    })?;
    arrived.extend(sums.iter().map(|(at, parts)| (*at, added(parts))));
    for (k, leaf) in latest.event.leaves.iter().enumerate() {
        arrived.insert(From::Leaf(k), leaf.contribution.clone());
    }
    let model = Model::new(m, &places, &graph, &latest.y, Some(&arrived));
    let drawn = lend(m, || model.drawn(&latest.event.output, true, open))?;
    Ok(Drawn { hooked: crate::explain::hooked(latest), ..drawn })
}

/// The graph of a value of which no backward has run.
pub fn before_backward(m: &mut Machine, y: &Variable, output: &str, open: &Open) -> Tried<Drawn> {
    let places = Places::of(m);
    let leaves = leaves_of(y);
    let explicit = leaves.iter().any(|x| !x.is_implicit());
    let wanted = leaves.iter().filter(|x| !(explicit && x.is_implicit()));
    let leaves = wanted.map(|x| (x.id(), leaf_name(&places, x))).collect();
    let graph = whole(m, &places, y, output, leaves);
    let model = Model::new(m, &places, &graph, y, None);
    lend(m, || model.drawn(output, false, open))
}

fn leaf_name(places: &Places, x: &Variable) -> String {
    let name = places.leaf(x).unwrap_or_default();
    format!("{}{}", name.name, if name.earlier { " (earlier)" } else { "" })
}

/// The graph with what leads to it only through a cut.
pub(crate) fn whole(
    m: &Machine,
    places: &Places,
    y: &Variable,
    output: &str,
    mut leaves: Vec<(usize, String)>,
) -> Graph {
    let mut beyond: Vec<node::Node> = Vec::new();
    let mut looked = 0;
    loop {
        let all = ancestors(y.node().into_iter().chain(beyond.iter().cloned()));
        let cuts = all.iter().flat_map(|n| n.inputs()).filter_map(cut_of);
        let from: Vec<Variable> = cuts.filter_map(|cut| cut.from.upgrade()).collect();
        let known = beyond.len();
        for v in &from {
            if let Some(node) = v.node()
                && !all.iter().chain(&beyond).any(|n| n.same(&node))
            {
                beyond.push(node);
            }
            for x in leaves_of(v).iter().filter(|x| x.requires_grad()) {
                if !leaves.iter().any(|(id, _)| *id == x.id()) {
                    leaves.push((x.id(), leaf_name(places, x)));
                }
            }
        }
        looked += 1;
        if beyond.len() == known || looked > 8 {
            return Graph::above(m, y, output, leaves, beyond);
        }
    }
}

/// The cut that an input carries, where a gradient might have gone on.
fn cut_of(edge: &node::Edge) -> Option<std::rc::Rc<Cut>> {
    edge.cut().filter(|cut| !cut.stepped && !matches!(edge.origin, node::Origin::Leaf(_)))
}

/// From one item to another: which input of which step, or what cuts it.
struct Link {
    input: Option<(usize, usize)>,
    cut: Option<String>,
}

/// Values and links of a graph, unfolded.
pub(crate) struct Model<'a> {
    graph: &'a Graph,
    arrived: Option<&'a HashMap<From, Tensor>>,
    /// A step's number, where it is one.
    nodes: Vec<(Node, Option<usize>)>,
    items: Vec<Item>,
    links: Vec<Link>,
    ends: Vec<(usize, usize)>,
    at: HashMap<From, usize>,
    /// Steps by where their numbers stand, which what is detached shares.
    numbers: HashMap<*const f64, usize>,
    classes: HashMap<String, &'static str>,
    loops: Loops,
    result: usize,
}

impl<'a> Model<'a> {
    pub fn new(
        m: &Machine,
        places: &Places,
        graph: &'a Graph,
        y: &Variable,
        arrived: Option<&'a HashMap<From, Tensor>>,
    ) -> Model<'a> {
        let mut model = Model {
            graph,
            arrived,
            nodes: Vec::new(),
            items: Vec::new(),
            links: Vec::new(),
            ends: Vec::new(),
            at: HashMap::new(),
            numbers: HashMap::new(),
            classes: HashMap::new(),
            loops: Loops::default(),
            result: 0,
        };
        let mut constants: HashMap<String, usize> = HashMap::new();
        if y.node().is_none() {
            model.leaf(0, &y.value());
        }
        for k in 0..graph.steps.len() {
            model.step(m, places, k, &mut constants);
        }
        model.result = model.at.get(&graph.start()).copied().unwrap_or(0);
        model
    }

    fn arrived(&self, at: From) -> Arrived {
        match self.arrived {
            None => Arrived::NotYet,
            Some(all) => all.get(&at).map_or(Arrived::Nothing, |g| Arrived::Gradient(g.clone())),
        }
    }

    fn push(&mut self, name: &str, kind: Kind, value: &Tensor, arrived: Arrived) -> usize {
        let node = Node {
            name: name.to_string(),
            text: String::new(),
            kind,
            steps: Vec::new(),
            result: false,
            value: value.clone(),
            arrived,
            parameters: Vec::new(),
            marks: Vec::new(),
        };
        self.nodes.push((node, None));
        let source = matches!(kind, Kind::Leaf | Kind::Constant);
        self.items.push(Item { source, leaf: kind == Kind::Leaf, ..Item::default() });
        self.nodes.len() - 1
    }

    /// A leaf's place, made where it is first used.
    fn leaf(&mut self, k: usize, value: &Tensor) -> usize {
        if let Some(&at) = self.at.get(&From::Leaf(k)) {
            return at;
        }
        let name = self.graph.leaves[k].clone();
        let at = self.push(&name, Kind::Leaf, value, self.arrived(From::Leaf(k)));
        self.items[at].module = parent(&name).map(str::to_string);
        self.at.insert(From::Leaf(k), at);
        at
    }

    fn link(&mut self, from: usize, to: usize, link: Link) {
        self.ends.push((from, to));
        self.links.push(link);
    }

    fn step(
        &mut self,
        m: &Machine,
        places: &Places,
        k: usize,
        constants: &mut HashMap<String, usize>,
    ) {
        let graph = self.graph;
        let step = &graph.steps[k];
        // Sources stand just before the first step that uses them.
        let mut from = Vec::new();
        for (input, edge) in step.inputs().iter().enumerate() {
            let inner = entering(edge);
            let found = match graph.source(edge) {
                Some(From::Leaf(leaf)) => Some((self.leaf(leaf, &inner.value), None)),
                Some(at) => self.at.get(&at).map(|at| (*at, None)),
                None => match cut_of(inner) {
                    Some(cut) => Some(self.cut(m, &cut, &inner.value)),
                    None => graph.constant(inner).map(|name| {
                        let made = constants.get(&name).copied();
                        let at = made.unwrap_or_else(|| {
                            self.push(&name, Kind::Constant, &inner.value, Arrived::Nothing)
                        });
                        constants.insert(name, at);
                        (at, None)
                    }),
                },
            };
            from.extend(found.map(|(at, cut)| (input, at, cut)));
        }
        let (name, text) = (graph.name(From::Step(k)), graph.text(k));
        let at = self.push(name, Kind::Step, step.value(), self.arrived(From::Step(k)));
        self.nodes[at].0.text = text.to_string();
        self.nodes[at].1 = Some(k);
        self.at.insert(From::Step(k), at);
        if step.value().rank() > 0 {
            self.numbers.insert(step.value().data().as_ptr(), at);
        }
        for (input, from, cut) in from {
            let input = cut.is_none().then_some((k, input));
            self.link(from, at, Link { input, cut });
        }
        if let Some((path, class)) = places.module(step) {
            self.items[at].module = Some(path.to_string());
            self.classes.insert(path.to_string(), class);
        }
        self.items[at].helper = step.operation().name() == "t";
        let place = step.place();
        let around = self.loops.around(m, place.source, place.span);
        self.loops.count(step, &around);
        self.items[at].loops = around;
    }

    /// Where a cut comes from, and what cuts.
    fn cut(&mut self, m: &Machine, cut: &Cut, value: &Tensor) -> (usize, Option<String>) {
        let text = text_of(m, cut);
        let from = cut.from.upgrade();
        let known = from.as_ref().and_then(|v| match v.node() {
            Some(node) => {
                let place = self.graph.place.get(&node.id())?;
                self.at.get(place).copied()
            }
            None => {
                let leaf = self.graph.ids.iter().position(|id| *id == v.id())?;
                Some(self.leaf(leaf, &v.value()))
            }
        });
        let shared = || self.numbers.get(&value.data().as_ptr()).copied();
        let known = known.or_else(|| shared().filter(|_| value.rank() > 0));
        match known {
            Some(at) => {
                let rest = text.strip_prefix(self.nodes[at].0.name.as_str());
                let rest = rest.filter(|rest| rest.starts_with('.'));
                let last = || text.rfind('.').map(|dot| &text[dot..]);
                let said = rest.or_else(last).filter(|said| said.chars().count() <= 14);
                (at, Some(said.unwrap_or("no_grad").to_string()))
            }
            None => {
                let name = if text.is_empty() { "a constant" } else { text.as_str() };
                let at = self.push(name, Kind::Constant, value, Arrived::Nothing);
                (at, Some(String::new()))
            }
        }
    }

    pub fn drawn(&self, output: &str, swept: bool, open: &Open) -> Outcome<Drawn> {
        let path = match open {
            Open::Module(path) => Some(path.as_str()),
            _ => None,
        };
        let mut folding = Folding::new(&self.items, &self.ends, self.result);
        folding.modules(path);
        if let Open::Steps(first, last) = open {
            let at = |k: usize| self.at.get(&From::Step(k.saturating_sub(1)));
            let unit = |k: usize| at(k).map(|item| folding.of[*item]);
            if let (Some(first), Some(last)) = (unit(*first), unit(*last)) {
                let after = folding.units.len().saturating_sub(last + 1);
                folding.middle(last + 1, 1.min(after), true);
                folding.middle(0, folding.units.len().saturating_sub(first), true);
            }
        }
        let mut loops = self.loops.repeated();
        let mut levels: Vec<Level> = Vec::new();
        for limit in LIMITS {
            folding.down_to(limit, &mut loops, path);
            if levels.last().is_none_or(|last| last.nodes.len() > folding.units.len()) {
                levels.push(self.level(&folding)?);
            }
        }
        Ok(Drawn { output: output.to_string(), swept, hooked: None, levels })
    }

    fn level(&self, folding: &Folding) -> Outcome<Level> {
        let mut level = Level::default();
        for unit in &folding.units {
            vjp_tensor::budget::tick()?;
            level.nodes.push(self.unit(folding, unit));
        }
        let mut joined: HashMap<(usize, usize, bool), (usize, usize)> = HashMap::new();
        for (&(a, b), link) in self.ends.iter().zip(&self.links) {
            let (from, to) = (folding.of[a], folding.of[b]);
            if from == to {
                continue;
            }
            vjp_tensor::budget::tick()?;
            let (slope, factor) = match link.input {
                Some((step, input)) if folding.units[to].items.len() == 1 => {
                    self.slope(a, step, input)
                }
                Some(_) => (JACOBIAN.to_string(), None),
                None => (String::new(), None),
            };
            let key = (from, to, link.cut.is_some());
            match joined.get(&key) {
                Some(&(at, value)) if value == a => {
                    let edge: &mut Edge = &mut level.edges[at];
                    edge.slope = both(&edge.slope, &slope);
                    edge.factor = edge.factor.zip(factor).map(|(a, b)| a + b);
                }
                // Two values leave the same fold: no slope is that of both.
                Some(&(at, _)) => {
                    level.edges[at].slope = JACOBIAN.to_string();
                    level.edges[at].factor = None;
                }
                None => {
                    joined.insert(key, (level.edges.len(), a));
                    let cut = link.cut.clone();
                    level.edges.push(Edge { from, to, slope, factor, cut });
                }
            }
        }
        level.order();
        Ok(level)
    }

    /// The slope of a step as a word, and as a number where it is one.
    fn slope(&self, from: usize, step: usize, input: usize) -> (String, Option<f64>) {
        let node = &self.graph.steps[step];
        if self.nodes[from].0.kind == Kind::Constant {
            return (String::new(), None);
        }
        // A backward that the program wrote states no map.
        if node.grad_fn().ends_with("Backward") {
            return (JACOBIAN.to_string(), None);
        }
        let map = self.graph.local(step, input);
        let one = Tensor::scalar(1.0);
        let scalar = map.from().is_empty() && map.to().is_empty();
        let factor = scalar.then(|| map.apply(&one).as_scalar()).flatten();
        (word(self.graph, step, input, &map), factor)
    }

    fn unit(&self, folding: &Folding, unit: &Unit) -> Node {
        let own = folding.of[unit.items[0]];
        let leaves = |i: &&usize| {
            let outside = |(from, to): &(usize, usize)| from == *i && folding.of[*to] != own;
            self.ends.iter().any(outside)
        };
        let last = match unit.items.as_slice() {
            [one] => Some(one),
            many => {
                let steps = || many.iter().rev().filter(|i| self.nodes[**i].1.is_some());
                let found = if many.len() <= 64 { steps().find(leaves) } else { None };
                found.or_else(|| steps().next()).or(many.last())
            }
        };
        let (mut node, step) = self.nodes[last.copied().unwrap_or(0)].clone();
        node.result = unit.items.contains(&self.result);
        node.marks = self.marks(&unit.items);
        let inside = unit.items.iter().filter_map(|i| self.nodes[*i].1);
        node.steps = inside.map(|step| step + 1).collect();
        let steps = unit.items.iter().filter(|i| self.nodes[**i].1.is_some()).count();
        match &unit.label {
            Label::Single => {
                // Inside an opened module: the operation itself.
                let inside = unit.items.first().and_then(|i| self.items[*i].module.as_ref());
                if let Some(step) = step.filter(|_| inside.is_some()) {
                    node.text = self.graph.steps[step].operation().spelled().to_string();
                }
            }
            Label::Module(path) => {
                node.kind = Kind::Module(steps);
                node.text = self.classes.get(path).copied().unwrap_or_default().to_string();
                if !node.result && unit.items.len() > 1 && !node.name.starts_with(path.as_str()) {
                    node.name = path.clone();
                }
                let parameters = unit.items.iter().map(|i| &self.nodes[*i].0);
                let parameters = parameters.filter(|n| n.kind == Kind::Leaf);
                node.parameters = parameters
                    .map(|n| {
                        let short = n.name.strip_prefix(path.as_str()).unwrap_or(&n.name);
                        (short.trim_start_matches('.').to_string(), n.arrived.clone())
                    })
                    .collect();
            }
            Label::Loop(which) => {
                node.kind = Kind::Loop(self.turns(&unit.items), steps);
                node.text = std::mem::replace(&mut node.name, self.loops.text(*which));
            }
            Label::Steps => {
                node.kind = Kind::Steps(steps);
                let first = unit.items.iter().find_map(|i| self.nodes[*i].1);
                let from = first.map_or(0, |k| k + 1);
                node.text = format!("{from}–{}", step.map_or(from, |k| k + 1));
                node.name = format!("… {steps} steps …");
            }
        }
        node
    }

    /// How often the operation that was done most often at one place was done.
    fn turns(&self, items: &[usize]) -> usize {
        let mut often: HashMap<(u32, Span, &'static str), usize> = HashMap::new();
        for step in items.iter().filter_map(|i| self.nodes[*i].1) {
            let node = &self.graph.steps[step];
            let place = node.place();
            *often.entry((place.source, place.span, node.grad_fn())).or_default() += 1;
        }
        often.values().max().copied().unwrap_or(1)
    }

    fn marks(&self, items: &[usize]) -> Vec<Mark> {
        let mut marks = Vec::new();
        for step in items.iter().take(64).filter_map(|i| self.nodes[*i].1) {
            let node = &self.graph.steps[step];
            let text = self.graph.text(step);
            let name = self.graph.name(From::Step(step));
            let in_place = |t: &str| t.contains("_(") && t.contains('.') && ends_in_place(t);
            if node.grad_fn() == "CopySlices" || in_place(text) || in_place(name) {
                marks.push(Mark::InPlace);
            }
            let corner = |values: &[&Tensor]| node.operation().corners(values, node.value());
            if !with_values(node.inputs(), corner).is_empty() {
                marks.push(Mark::Kink);
            }
        }
        marks.dedup();
        marks
    }
}

/// `y.mul_(2)`
fn ends_in_place(text: &str) -> bool {
    let method = text.rsplit_once('.').map_or("", |(_, method)| method);
    method.split('(').next().is_some_and(|name| name.ends_with('_') && !name.starts_with('_'))
}

/// The slopes of two inputs that are the same value: `×(x + x)`.
fn both(a: &str, b: &str) -> String {
    let bare = |s: &str| match s {
        "" => Some("1".to_string()),
        JACOBIAN => None,
        s => s.strip_prefix('×').map(str::to_string),
    };
    let sum = bare(a).zip(bare(b)).map(|(a, b)| {
        let a = a.strip_prefix('(').and_then(|a| a.strip_suffix(')')).unwrap_or(&a).to_string();
        format!("×({a} + {b})")
    });
    sum.filter(|s| s.chars().count() <= 16).unwrap_or_else(|| JACOBIAN.to_string())
}

/// The loops of the program's texts.
#[derive(Default)]
struct Loops {
    /// By text: where each loop stands, and its number.
    of: HashMap<u32, Vec<(Span, usize)>>,
    texts: Vec<String>,
    /// Where a loop stands, for the order from the inside out.
    sizes: Vec<usize>,
    /// How often an operation was done at a place.
    often: HashMap<(u32, Span, &'static str), usize>,
    /// The loops with several turns.
    turned: HashSet<usize>,
}

impl Loops {
    /// The loops around a place.
    fn around(&mut self, m: &Machine, source: u32, span: Span) -> Vec<usize> {
        if !self.of.contains_key(&source) {
            let mut found = Vec::new();
            if let Some(text) = m.source_of(source) {
                let program = vjp_syntax::parse(text, m.mode());
                program.iter().for_each(|p| collect(&p.body, text, &mut found));
            }
            let numbered = found.into_iter().map(|(span, text)| {
                self.texts.push(text);
                self.sizes.push(span.len());
                (span, self.texts.len() - 1)
            });
            let numbered = numbered.collect();
            self.of.insert(source, numbered);
        }
        let inside = |at: &&(Span, usize)| at.0.start <= span.start && span.end <= at.0.end;
        self.of[&source].iter().filter(inside).map(|(_, which)| *which).collect()
    }

    fn count(&mut self, node: &node::Node, around: &[usize]) {
        let place = node.place();
        let times = self.often.entry((place.source, place.span, node.grad_fn())).or_default();
        *times += 1;
        if *times > 1 {
            self.turned.extend(around);
        }
    }

    fn text(&self, which: usize) -> String {
        self.texts[which].clone()
    }

    /// Loops with several turns, the innermost first.
    fn repeated(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.turned.iter().copied().collect();
        all.sort_by_key(|which| (self.sizes[*which], *which));
        all
    }
}

/// Every loop of some statements, with its first line.
fn collect(body: &[Stmt], text: &Source, found: &mut Vec<(Span, String)>) {
    for s in body {
        if matches!(s.kind, StmtKind::For { .. } | StmtKind::While { .. }) {
            let header = text.slice(s.span).lines().next().unwrap_or_default();
            let header = header.split(':').next().unwrap_or(header).trim();
            found.push((s.span, header.to_string()));
        }
        for block in blocks(s) {
            collect(block, text, found);
        }
    }
}
