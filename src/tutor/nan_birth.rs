//! Where a NaN or an infinity in a gradient was born: at an operation whose value it is already, or on the
//! way back, where a slope met what arrived.

use crate::explain::entry::code;
use crate::graph::{From, Graph};
use std::collections::HashMap;
use vjp_eval::record::event::Cause;
use vjp_eval::record::held::{Wonder, is_finite};
use vjp_eval::{Help, Latest, LeafReport, Machine, Note};
use vjp_maths::{Array, LinearMap, Node, Variable};
use vjp_tensor::Tensor;
use vjp_text::digits::lone;

/// Graphs of more steps are not searched, nor more numbers of one step.
const STEPS: usize = 1000;
const NUMBERS: usize = 1000;

/// For each leaf to which this backward brought numbers that are not finite, where the first of them came
/// from.
pub(crate) fn of(m: &Machine, latest: &Latest) -> Vec<(usize, Note)> {
    let event = &latest.event;
    if event.leaves.iter().all(|l| finite(&l.contribution)) {
        return Vec::new();
    }
    let graph = Graph::of(m, latest);
    let own = |k: usize| graph.steps[k].operation().has_own_backward();
    let steps = graph.steps.len();
    if steps > STEPS || (0..steps).any(own) || graph.steps.iter().any(|n| !n.hooks().is_empty()) {
        return Vec::new();
    }
    let sweep = Sweep::new(&graph, latest);
    let one = |(k, leaf): (usize, &LeafReport)| {
        let data = leaf.contribution.data();
        let nan = data.iter().position(|x| x.is_nan());
        let at = nan.or_else(|| data.iter().position(|x| !x.is_finite()))?;
        let (step, label) = sweep.born(From::Leaf(k), at)?;
        let place = graph.steps[step].place();
        let source = m.source_of(place.source)?;
        let grad = code(&leaf.name, leaf.value.shape(), at);
        let repair = event.causes.iter().find_map(|c| match c {
            Cause::BranchNotTaken { repair, op, .. } => Some((repair.clone()?, op)),
            _ => None,
        });
        let repair =
            repair.map(|(code, op)| Help { code, says: format!("keeps such values out of {op}") });
        let help = repair.or_else(|| away_from_zero(&graph, step));
        let note = Note {
            text: format!("{grad} is {}, which began here", lone(data[at], None)),
            at: Some((place.span, label)),
            help: help.into_iter().collect(),
            source: Some(source.text().to_string()),
        };
        Some((k, note))
    };
    event.leaves.iter().enumerate().filter_map(one).collect()
}

/// What keeps a divisor of 0 from being one, at the step or where its value goes.
fn away_from_zero(graph: &Graph, step: usize) -> Option<Help> {
    let divisor = |node: &Node| {
        let at = match node.operation().spelled() {
            "div" => 1,
            "reciprocal" => 0,
            _ => return None,
        };
        node.inputs().get(at).filter(|e| e.value.data().contains(&0.0)).cloned()
    };
    let above = graph.above_value(From::Step(step));
    let divisor =
        (step..graph.steps.len()).filter(|k| above[*k]).find_map(|k| divisor(&graph.steps[k]))?;
    let name = match graph.source(&divisor) {
        Some(at) => graph.bare(at).to_owned(),
        None => graph.constant(&divisor)?,
    };
    let is = if divisor.value.numel() == 1 { "is 0" } else { "has a 0" };
    let says = format!("{name} {is}: divide by {name} + 1e-8, or by clamp({name}, min=1e-8)");
    Some(Help::words(says))
}

fn finite(t: &Tensor) -> bool {
    t.data().iter().all(|x| x.is_finite())
}

/// A sweep with all that it handed on.
struct Sweep<'a> {
    graph: &'a Graph,
    /// What arrived: from which step, by which of its inputs.
    arrived: HashMap<From, Vec<(usize, usize, Tensor)>>,
    /// What each step received in all.
    received: HashMap<usize, Tensor>,
}

impl Sweep<'_> {
    fn new<'a>(graph: &'a Graph, latest: &Latest) -> Sweep<'a> {
        let mut sweep = Sweep { graph, arrived: HashMap::new(), received: HashMap::new() };
        let last = graph.steps.len().saturating_sub(1);
        for k in (0..graph.steps.len()).rev() {
            let parts = sweep.arrived.get(&From::Step(k)).into_iter().flatten();
            let sum = parts.map(|(_, _, t)| t.clone()).reduce(|a, b| a.add(&b));
            let Some(received) = (if k == last { Some(latest.v.clone()) } else { sum }) else {
                continue;
            };
            for (input, edge) in graph.steps[k].inputs().iter().enumerate() {
                if let Some(to) = graph.source(edge) {
                    let given = graph.local(k, input).pull(&received);
                    sweep.arrived.entry(to).or_default().push((k, input, given));
                }
            }
            sweep.received.insert(k, received);
        }
        sweep
    }

    /// The step at which what arrives at an element ceased to be finite, and how.
    fn born(&self, at: From, element: usize) -> Option<(usize, String)> {
        let (mut at, mut element) = (at, element);
        loop {
            let parts = self.arrived.get(&at)?;
            let of = |t: &Tensor| t.data()[element];
            let sum: f64 = parts.iter().map(|(_, _, t)| of(t)).sum();
            // A NaN came with one part, or two infinities add up to it.
            let bad = |x: f64| if sum.is_nan() { x.is_nan() } else { !x.is_finite() };
            let found = parts.iter().find(|(_, _, t)| bad(of(t)));
            let Some((step, input, given)) = found else {
                let all: Vec<String> = parts.iter().map(|(_, _, t)| lone(of(t), None)).collect();
                let label = format!("sends one of {}; their sum is nan", all.join(" and "));
                return Some((parts.first()?.0, label));
            };
            // An element that arrived so already, where this one depends on it.
            let received = self.received.get(step)?;
            let map = self.graph.local(*step, *input);
            let pulled = |k: usize, x: f64| {
                let mut unit = vec![0.0; received.numel()];
                unit[k] = x;
                map.pull(&Tensor::new(received.shape(), unit)).data()[element]
            };
            // A slope of 0 hands a NaN on, too.
            let hands_nan = |k: usize| pulled(k, f64::NAN).is_nan() && !pulled(k, 0.0).is_nan();
            let depends = |k: usize| pulled(k, 1.0) != 0.0 || hands_nan(k);
            let mut before = (0..received.numel()).filter(|k| bad(received.data()[*k]));
            let Some(one) = before.find(|k| received.numel() <= NUMBERS && depends(*k)) else {
                return Some(self.here(*step, element, given.data()[element], &map));
            };
            element = one;
            at = From::Step(*step);
        }
    }

    /// Why a step hands on what is not finite.
    fn here(
        &self,
        step: usize,
        element: usize,
        given: f64,
        map: &LinearMap<Tensor>,
    ) -> (usize, String) {
        let node = &self.graph.steps[step];
        let by = match map {
            LinearMap::Diagonal { by, shape } => Some(by.expand(shape)),
            _ => None,
        };
        let by = by.filter(|by| by.numel() == self.received[&step].numel());
        let has_nan = |t: &Tensor| match t.numel() == node.value().numel() && by.is_some() {
            true => t.data()[element].is_nan(),
            false => t.data().iter().any(|x| x.is_nan()),
        };
        let fed = |k: usize| self.graph.steps[k].inputs().iter().any(|e| has_nan(&e.value));
        let slope = by.as_ref().map(|by| by.data()[element]);
        // A slope that is NaN because a value is one began with that value.
        if slope.is_none_or(f64::is_nan) && (has_nan(node.value()) || fed(step)) {
            let first = (0..=step).find(|&k| has_nan(self.graph.steps[k].value()) && !fed(k));
            return match first {
                Some(first) => (first, self.value(first, element)),
                None => (step, "is computed from a nan".to_owned()),
            };
        }
        let Some(slope) = slope else {
            let given = lone(given, None);
            return (step, format!("receives no {given}, but sends {given} back"));
        };
        let arrived = self.received[&step].data()[element];
        let formula = vjp_backward::slope::slope(node).filter(|_| node.inputs().len() == 1);
        let formula = formula.map_or(String::new(), |f| format!("{f} = "));
        let [arrived, slope, given] = [arrived, slope, given].map(|x| lone(x, None));
        let product = format!("{arrived} × {slope} = {given}");
        (step, format!("receives {arrived}, and its slope is {formula}{slope}: {product}"))
    }

    /// `is nan at [2], computed from -1`
    fn value(&self, step: usize, element: usize) -> String {
        let node = &self.graph.steps[step];
        let value = node.value();
        let first = || value.data().iter().position(|x| x.is_nan()).unwrap_or_default();
        let at = Some(element).filter(|k| value.data().get(*k).is_some_and(|x| x.is_nan()));
        let at = at.unwrap_or_else(first);
        let place = code("", value.shape(), at).replace(".grad", "");
        let place = if place.is_empty() { place } else { format!(" at {place}") };
        let alike = |t: &Tensor| t.numel() == value.numel() || t.numel() == 1;
        let from = match node.inputs().iter().all(|e| alike(&e.value)) {
            false => String::new(),
            true => {
                let of = |t: &Tensor| lone(t.data()[if t.numel() == 1 { 0 } else { at }], None);
                let all: Vec<String> = node.inputs().iter().map(|e| of(&e.value)).collect();
                format!(", computed from {}", all.join(" and "))
            }
        };
        format!("its value is nan{place}{from}")
    }
}

/// Keeps where numbers in gradients that are not finite came from: a later sum hides it.
pub(crate) fn remember_not_finite(m: &mut Machine, latest: &Latest) {
    let known = |x: &Variable| x.grad().is_some_and(|g| is_finite(&g));
    let (leaves, past) = (&latest.leaves, &mut m.past);
    leaves.iter().filter(|x| known(x)).for_each(|x| drop(past.born.remove(&x.id())));
    let new = |x: &Variable| !known(x) && !m.past.born.contains_key(&x.id());
    if !leaves.iter().any(new) {
        return;
    }
    for (k, note) in of(m, latest) {
        let leaf = &latest.leaves[k];
        m.past.born.entry(leaf.id()).or_insert(note);
        let name = latest.event.leaves[k].name.clone();
        m.wonder = Some(Wonder::NotFinite { name });
    }
}
