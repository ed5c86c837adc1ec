//! `:step`: the last backward one operation at a time, with what each receives and from whom, what it hands
//! on, and what waits; or its forward pass.

use super::{share, sums};
use crate::graph::model::{Model, Open, whole};
use crate::graph::sweep::added;
use crate::graph::{From, Graph};
use std::collections::HashMap;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::leaf::naming::Places;
use vjp_eval::record::questions::{Place, Step};
use vjp_eval::record::stepped::{Ahead, Back, Stepped, Turn, Waiting};
use vjp_eval::{Latest, Machine, Tried};
use vjp_maths::composite::entering;
use vjp_tensor::{Complaint, Kind, Outcome, Tensor, budget};

/// More operations than anybody steps through.
const MOST: usize = 2000;

/// The last backward, or its forward pass.
///
/// # Errors
/// Too many operations; what a backward of the program raises; memory, or a wish to stop.
pub fn stepped(m: &mut Machine, latest: &Latest, forward: bool) -> Tried<Stepped> {
    let places = Places::of(m);
    let swept = Graph::of(m, latest);
    let n = swept.steps.len();
    if n > MOST {
        let message = format!("the graph has {n} operations: :step shows at most {MOST}");
        return Err(Complaint::new(Kind::Value, message).into());
    }
    let leaves = swept.ids().zip(swept.leaves.clone()).collect();
    let output = latest.event.output.clone();
    let graph = whole(m, &places, &latest.y, &output, leaves);
    let (turns, arrived) = lend(m, || passed(&graph, &latest.v))?;
    let totals = arrived.totals();
    let totals = Some(&totals).filter(|_| !forward);
    let model = Model::new(m, &places, &graph, &latest.y, totals);
    let drawn = lend(m, || model.drawn(&output, !forward, &Open::Nothing))?;
    let sums = sums(&graph, latest, arrived.0);
    let (turns, sums) = match forward {
        false => (turns, sums),
        true => (ahead(&graph), Vec::new()),
    };
    Ok(Stepped { output, v: latest.v.clone(), drawn, turns, sums, only: None })
}

/// What came to each value, in parts.
struct Arrived(HashMap<From, Vec<Tensor>>);

impl Arrived {
    fn totals(&self) -> HashMap<From, Tensor> {
        self.0.iter().map(|(at, parts)| (*at, added(parts))).collect()
    }
}

/// The sweep, turn by turn.
fn passed(graph: &Graph, v: &Tensor) -> Outcome<(Vec<Turn>, Arrived)> {
    let mut turns: Vec<Back> = Vec::new();
    let mut all: HashMap<From, Vec<Tensor>> = HashMap::new();
    all.insert(graph.start(), vec![v.clone()]);
    let mut senders: HashMap<From, Vec<String>> = HashMap::new();
    // Which values have something and have not handed it on, in the order in which it came.
    let mut open: Vec<From> = Vec::new();
    let mut waits: Vec<Vec<(From, usize)>> = Vec::new();
    graph.sweep(v, &mut |passed| {
        let at = From::Step(passed.step);
        let name = graph.bare(at).to_string();
        let shares = passed.given.iter().map(|given| share(graph, passed.step, given)).collect();
        for given in &passed.given {
            all.entry(given.to).or_default().push(given.cotangent.clone());
            senders.entry(given.to).or_default().push(name.clone());
            if !open.contains(&given.to) {
                open.push(given.to);
            }
        }
        open.retain(|other| *other != at);
        waits.push(open.iter().map(|other| (*other, all[other].len())).collect());
        turns.push(Back {
            step: Step {
                number: passed.step + 1,
                place: Place {
                    name: graph.name(at).to_string(),
                    value: graph.steps[passed.step].value().clone(),
                },
                text: graph.told(passed.step),
                received: passed.received,
                shares,
            },
            senders: senders.remove(&at).unwrap_or_default(),
            waiting: Vec::new(),
        });
    })?;
    for (turn, waits) in turns.iter_mut().zip(waits) {
        budget::tick()?;
        let waiting = waits.into_iter().map(|(at, has)| Waiting {
            name: graph.bare(at).to_string(),
            has,
            of: all[&at].len(),
            sum: added(&all[&at][..has]),
        });
        turn.waiting = waiting.collect();
    }
    Ok((turns.into_iter().map(Turn::Backward).collect(), Arrived(all)))
}

/// The values in the order in which they were computed.
fn ahead(graph: &Graph) -> Vec<Turn> {
    let turn = |k: usize| {
        let node = &graph.steps[k];
        let at = From::Step(k);
        let inputs = node.inputs().iter().filter_map(|edge| {
            let name = match graph.source(edge) {
                Some(from) => graph.bare(from).to_string(),
                None => graph.constant(edge)?,
            };
            Some(Place { name, value: entering(edge).value.clone() })
        });
        Turn::Forward(Ahead {
            number: k + 1,
            place: Place { name: graph.name(at).to_string(), value: node.value().clone() },
            text: graph.told(k),
            inputs: inputs.collect(),
        })
    };
    (0..graph.steps.len()).map(turn).collect()
}
