//! `:explain`: the last backward step by step, each with what it receives, its own Jacobian, and what it
//! hands on.

pub mod entry;
pub mod step;

use crate::graph::sweep::{Given, added};
use crate::graph::{From, Graph, slopes};
use std::collections::HashMap;
use std::rc::Rc;
use vjp_backward::{agreement, slope};
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::record::event::Cause;
use vjp_eval::record::questions::{Ended, Local, Place, Share, Step, Sum, Worked};
use vjp_eval::{Latest, Machine, Note, Tried};
use vjp_maths::autodiff::reverse::{SweepOptions, ancestors, sweep};
use vjp_maths::autodiff::variable::Cut;
use vjp_maths::composite::entering;
use vjp_maths::symbol::names::which;
use vjp_maths::{Array, Edge, LinearMap, Variable};
use vjp_tensor::{Complaint, Kind, Outcome, Tensor};
use vjp_text::Symbol;
use vjp_text::words::list;

/// Of more steps than twice this and one, so many at each end are told.
const ENDS: usize = 6;

/// A local Jacobian of at most so many rows or columns is told entry by entry.
const SIDE: usize = 6;

/// The last backward as a worked example: the whole of it, or from y down to a value: a leaf, or a step, counted
/// after the leaves.
pub fn worked(m: &mut Machine, latest: &Latest, to: Option<usize>) -> Tried<Worked> {
    unchanged(latest)?;
    let graph = Graph::of(m, latest);
    lend(m, || walk(&graph, latest, to.map(|to| graph.numbered_value(to))))
}

/// Why nothing can be told of a name that the last backward has no value for.
pub fn no_value(m: &Machine, latest: &Latest, name: &str) -> String {
    let Some(value) = m.lookup(name) else {
        return format!("{name} is not defined");
    };
    let v = vjp_eval::leaf::existing(&value);
    let edges: Vec<Edge> =
        ancestors(latest.y.node()).iter().flat_map(|node| node.inputs().to_vec()).collect();
    let cut = v.as_ref().and_then(Variable::cut);
    let is = |e: &Edge| {
        let same = v.as_ref().is_some_and(|v| entering(e).constant() == Some(v.id()));
        let from = |own: &Rc<Cut>| entering(e).cut().is_some_and(|other| Rc::ptr_eq(own, &other));
        same || cut.as_ref().is_some_and(from)
    };
    let output = &latest.event.output;
    match v.as_ref().is_some_and(|v| !v.requires_grad()) && edges.iter().any(is) {
        true => format!("{name} is held fixed: no gradient passes through it"),
        false => format!("no gradient passes through {name} in the last backward, of {output}"),
    }
}

/// Whether y still is what its graph computes from the leaves.
pub(crate) fn unchanged(latest: &Latest) -> Outcome<()> {
    let changed = latest.event.causes.iter().find_map(|cause| match cause {
        Cause::Changed { leaf, output } => Some((leaf, output)),
        _ => None,
    });
    match changed {
        None => Ok(()),
        Some((leaf, y)) => Err(Complaint::new(
            Kind::Value,
            format!("{y} was computed from earlier values of {leaf}: compute {y} again"),
        )),
    }
}

fn walk(graph: &Graph, latest: &Latest, to: Option<From>) -> Outcome<Worked> {
    let lies = to.map(|to| graph.above_value(to));
    let between = |k: usize| lies.as_ref().is_none_or(|lies| lies[k]);
    let way: Vec<usize> = (0..graph.steps.len()).filter(|k| between(*k)).collect();
    let n = way.len();
    let told = |at: usize| n <= 2 * ENDS + 1 || at < ENDS || at >= n - ENDS;
    let mut steps = Vec::new();
    let mut reached = None;
    let arrived = graph.sweep(&latest.v, &mut |passed| {
        let k = passed.step;
        if to == Some(From::Step(k)) {
            reached = Some(added(&passed.received));
        }
        if way.binary_search(&k).is_ok_and(told) {
            let leads = |given: &&Given| match given.to {
                From::Step(step) => between(step) && to != Some(From::Step(k)),
                leaf => to.is_none_or(|to| to == leaf),
            };
            let shares = passed.given.iter().filter(leads).map(|given| share(graph, k, given));
            let shares = shares.collect();
            steps.push(Step {
                number: k + 1,
                place: Place {
                    name: graph.name(From::Step(k)).to_string(),
                    value: graph.steps[k].value().clone(),
                },
                text: graph.told(k),
                received: passed.received,
                shares,
            });
        }
    })?;
    steps.reverse();
    let gap = (n > 2 * ENDS + 1).then_some(ENDS - 1);
    let asked = |k: usize| to.is_none_or(|to| to == From::Leaf(k));
    let ended = match to {
        Some(From::Step(k)) => Some(ended(graph, latest, k, reached.as_ref())),
        _ => None,
    };
    let sums = sums(graph, latest, arrived).into_iter().enumerate();
    let sums = sums.filter(|(k, _)| asked(*k)).map(|(_, sum)| sum).collect();
    let leaves = latest.event.leaves.iter().zip(&graph.leaves).enumerate();
    let leaves = leaves.filter(|(k, _)| asked(*k)).map(|(_, leaf)| leaf);
    Ok(Worked {
        output: latest.event.output.clone(),
        v: latest.v.clone(),
        leaves: leaves
            .map(|(leaf, name)| Place { name: name.clone(), value: leaf.value.clone() })
            .collect(),
        held: match to {
            Some(From::Step(_)) => Vec::new(),
            _ => held(latest),
        },
        from: to.map(|to| graph.name(to).to_string()),
        ended,
        left_out: gap.map(|at| (at + 1, n - steps.len())),
        steps,
        sums,
    })
}

/// Where the way ends at a step: whether a sweep that asks for it gives what arrived there.
fn ended(graph: &Graph, latest: &Latest, k: usize, reached: Option<&Tensor>) -> Ended {
    let from = |e: &&Edge| graph.source(e) == Some(From::Step(k));
    let edge = graph.steps.iter().flat_map(|node| node.inputs()).find(from);
    let swept = edge.and_then(|edge| {
        let inputs = [entering(edge).variable()];
        let root = Variable::constant(latest.v.clone());
        let options = SweepOptions {
            retain_graph: true,
            unasked: true,
            inputs: Some(&inputs),
            ..SweepOptions::default()
        };
        let sweep = sweep(&[(latest.y.clone(), root)], options).ok()?;
        sweep.inputs.into_iter().next().flatten()
    });
    let tolerance = agreement::tolerance(&latest.y, &latest.leaves);
    let agrees = reached.zip(swept).is_some_and(|(reached, swept)| {
        let scale: Vec<f64> = reached.data().iter().map(|x| x.abs()).collect();
        agreement::compare(reached.data(), swept.value().data(), &scale, tolerance).agrees()
    });
    Ended { agrees, hooked: hooked(latest) }
}

/// What was held fixed, as it is written.
fn held(latest: &Latest) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for cause in &latest.event.causes {
        let Cause::Fixed { by, .. } = cause else { continue };
        for text in by {
            if !all.contains(text) {
                all.push(text.clone());
            }
        }
    }
    all
}

/// A value with a hook that changed the gradient.
pub(crate) fn hooked(latest: &Latest) -> Option<String> {
    latest.event.causes.iter().find_map(|cause| match cause {
        Cause::Hook { name } => Some(name.clone()),
        _ => None,
    })
}

/// The name of a backward's output, where it stands for another value by now.
pub fn output_since(m: &Machine, latest: &Latest) -> Option<Note> {
    let node = |y: &Variable| y.node().map(|node| node.id());
    let output = latest.event.output.as_str();
    let now = vjp_eval::leaf::existing(&m.global(Symbol::new(output))?)?;
    let same = now.same(&latest.y) || node(&now).is_some_and(|now| Some(now) == node(&latest.y));
    (!same).then(|| since(&[output]))
}

/// Names of a backward that stand for other values by now.
pub fn assigned_since(m: &Machine, latest: &Latest) -> Option<Note> {
    if let Some(note) = output_since(m, latest) {
        return Some(note);
    }
    let graph = Graph::of(m, latest);
    let leaves = graph.leaves.iter().map(|leaf| which(leaf)).filter(|leaf| leaf.1 == " (earlier)");
    let names: Vec<&str> = leaves.map(|leaf| leaf.0).collect();
    (!names.is_empty()).then(|| since(&names))
}

fn since(names: &[&str]) -> Note {
    let verb = if names.len() == 1 { "was" } else { "were" };
    Note::plain(format!("{} {verb} assigned again since this backward", list(names, "and")))
}

/// What arrived at each leaf, beside what backward added there.
pub(crate) fn sums(
    graph: &Graph,
    latest: &Latest,
    mut arrived: HashMap<From, Vec<Tensor>>,
) -> Vec<Sum> {
    let tolerance = agreement::tolerance(&latest.y, &latest.leaves);
    let hooked = hooked(latest);
    let sums = latest.event.leaves.iter().enumerate().map(|(k, leaf)| {
        let parts = arrived.remove(&From::Leaf(k)).unwrap_or_default();
        let total = match parts.is_empty() {
            true => Tensor::new(leaf.value.shape(), vec![0.0; leaf.value.numel()]),
            false => added(&parts),
        };
        let scale: Vec<f64> = total.data().iter().map(|x| x.abs()).collect();
        let verdict = agreement::compare(total.data(), leaf.contribution.data(), &scale, tolerance);
        let before = leaf.grad_before.clone();
        Sum {
            leaf: graph.name(From::Leaf(k)).to_string(),
            parts,
            total,
            // A Function's own backward is followed here, whatever its forward says.
            agrees: verdict.agrees() && (leaf.agrees || leaf.method.is_some()),
            before: before.filter(|g| g.data().iter().any(|&x| x != 0.0)),
            added: leaf.contribution.clone(),
            hooked: hooked.clone(),
            unlike: Some(&leaf.vjp).filter(|_| leaf.method.is_some() && !leaf.agrees).cloned(),
        }
    });
    sums.collect()
}

/// What an input is handed, as it is told.
pub(crate) fn share(graph: &Graph, step: usize, given: &Given) -> Share {
    let node = &graph.steps[step];
    let local = match &given.map {
        Some(map) => local(graph, step, given.input, map),
        None => {
            let words = "from its own backward".to_string();
            let columns = node.inputs()[given.input].value.numel();
            Local::Words(words, [node.value().numel(), columns])
        }
    };
    let to = graph.bare(given.to).to_string();
    let same = |input: usize| graph.source(&node.inputs()[input]) == Some(given.to);
    let turn = match (0..node.inputs().len()).filter(|k| same(*k)).count() {
        0 | 1 => 0,
        _ => (0..=given.input).filter(|k| same(*k)).count(),
    };
    Share { to, turn, local, given: given.cotangent.clone() }
}

/// The local Jacobian as it is told.
fn local(graph: &Graph, step: usize, input: usize, map: &LinearMap<Tensor>) -> Local {
    let node = &graph.steps[step];
    let (rows, columns) = (node.value().numel(), node.inputs()[input].value.numel());
    let slopes = match map {
        LinearMap::Diagonal { by, shape } => Some((by.expand(shape), by.numel() == 1)),
        LinearMap::Scale { by, shape } => Some((Tensor::new(shape, vec![*by; columns]), true)),
        _ => None,
    };
    if let Some((slopes, one)) = slopes {
        let formula = slopes::formula(graph, step, input, None);
        let formula = formula.filter(|_| slope::holds(node, input, &slopes));
        return Local::Slopes { slopes, formula, one };
    }
    if rows <= SIDE && columns <= SIDE {
        let mut entries = vec![0.0; rows * columns];
        for j in 0..columns {
            let mut unit = vec![0.0; columns];
            unit[j] = 1.0;
            let column = map.apply(&Tensor::new(node.inputs()[input].value.shape(), unit));
            for (i, x) in column.data().iter().enumerate() {
                entries[i * columns + j] = *x;
            }
        }
        return Local::Matrix(Tensor::new(&[rows, columns], entries));
    }
    // With a copy of its input before it, no other map is what it is alone.
    let said = match map {
        LinearMap::Then(maps) => maps.last().filter(|one| {
            maps.len() == 1 || matches!(one, LinearMap::Left { .. } | LinearMap::Right { .. })
        }),
        LinearMap::Dense { .. } => None,
        one => Some(one),
    };
    let words = said.and_then(LinearMap::describe).filter(|_| map.describe().is_some());
    Local::Words(words.unwrap_or("").to_string(), [rows, columns])
}
