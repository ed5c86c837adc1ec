//! Answers of commands as JSON.

use crate::answers::equations::{latex, program, right};
use crate::json::{note, number, tensor, value, whole};
use serde_json::{Value, json};
use vjp_eval::record::drawn_graph::{Arrived, Drawn, Kind, Mark};
use vjp_eval::record::event::Shown;
use vjp_eval::record::network::{Network, Units};
use vjp_eval::record::questions::{
    Answer, Equation, Equations, Followed, Left, Step, WhatIf, Worked,
};
use vjp_eval::record::stepped::{Stepped, Turn};
use vjp_maths::symbol::formula::Style;

/// The JSON object of an answer.
pub fn answer(answer: &Answer) -> Value {
    match answer {
        Answer::WhatIf(event) => what_if(event),
        Answer::Worked(event) => worked(event),
        Answer::Followed(event) => followed(event),
        Answer::Equations(event) => equations(event),
        Answer::Why(reasons) => {
            let notes: Vec<Value> = reasons.notes.iter().map(note).collect();
            let names: Vec<Value> = reasons.names.iter().map(value).collect();
            json!({"event": "why", "notes": notes, "names": names})
        }
        Answer::Network(event) => network(event),
        Answer::Cost(event) => {
            json!({"event": "cost", "rows": event.rows, "columns": event.columns, "multiplications": event.sweep})
        }
        Answer::Step(event) => stepped(event),
        Answer::Heat(event) => {
            json!({"event": "heat", "name": event.name, "value": tensor(&event.value)})
        }
        Answer::Graph(drawn) => graph(drawn),
    }
}

fn graph(drawn: &Drawn) -> Value {
    let arrived = |arrived: &Arrived| match arrived {
        Arrived::Gradient(g) => tensor(g),
        Arrived::NotYet | Arrived::Nothing => Value::Null,
    };
    let Some(level) = drawn.levels.first() else {
        return Value::Null;
    };
    let nodes = level.nodes.iter().map(|n| {
        let kind = match n.kind {
            Kind::Leaf => "leaf",
            Kind::Constant => "constant",
            Kind::Step => "step",
            Kind::Module(_) => "module",
            Kind::Loop(..) => "loop",
            Kind::Steps(_) => "steps",
        };
        let marks: Vec<&str> = n.marks.iter().map(|mark| match mark {
            Mark::InPlace => "in place",
            Mark::Kink => "kink",
        }).collect();
        let parameters = n.parameters.iter();
        let parameters: Vec<Value> =
            parameters.map(|(name, g)| json!({"name": name, "grad": arrived(g)})).collect();
        json!({"name": n.name, "text": n.text, "kind": kind, "result": n.result, "value": tensor(&n.value),
            "grad": arrived(&n.arrived), "parameters": parameters, "marks": marks})
    });
    let edges = level
        .edges
        .iter()
        .map(|e| json!({"from": e.from, "to": e.to, "slope": e.slope, "factor": e.factor.map(number), "cut": e.cut}));
    json!({"event": "graph", "output": drawn.output, "swept": drawn.swept, "nodes": nodes.collect::<Vec<_>>(),
        "edges": edges.collect::<Vec<_>>(), "sweep": level.sweep})
}

fn what_if(event: &WhatIf) -> Value {
    let side = |shown: &Option<Shown>| match shown {
        None => Value::Null,
        Some(Shown::Tensor(t)) => tensor(t),
        Some(Shown::Int(n)) => whole(n),
        Some(Shown::Text(text) | Shown::Repr(text)) => json!(text),
    };
    let changes = event.changes.iter();
    let changes: Vec<Value> = changes
        .map(|c| json!({"name": c.name, "now": side(&c.now), "then": side(&c.then)}))
        .collect();
    json!({"event": "what_if", "code": event.code, "changes": changes})
}

fn network(event: &Network) -> Value {
    let layers = event.layers.iter().map(|layer| {
        let parameters = layer.parameters.iter();
        let parameters: Vec<Value> = parameters
            .map(|(count, gradient)| json!({"numbers": count, "gradient": gradient.map(number)}))
            .collect();
        let (dead, flat) = match layer.units {
            Some(Units::Dead { units, .. }) => (units, 0),
            Some(Units::Flat { outputs, .. }) => (0, outputs),
            None => (0, 0),
        };
        json!({"path": layer.path, "what": layer.what, "output": layer.output, "parameters": parameters,
            "dead": dead, "flat": flat})
    });
    json!({"event": "network", "layers": layers.collect::<Vec<_>>(), "operations": event.operations})
}

fn worked(event: &Worked) -> Value {
    let steps = event.steps.iter().map(step);
    json!({"event": "worked", "output": event.output, "v": tensor(&event.v), "steps": steps.collect::<Vec<_>>()})
}

fn equations(event: &Equations) -> Value {
    let board = crate::answers::equations::of(event, Style::Pretty);
    let one = |e: &Equation| {
        let (kind, name) = match &e.left {
            Left::Value(name) => ("value", name),
            Left::Cotangent(name) => ("cotangent", name),
            Left::Gradient(name) => ("gradient", name),
            Left::Derivative { leaf, .. } => ("derivative", leaf),
        };
        let formula = right(&board, e);
        json!({"of": kind, "name": name, "formula": formula, "value": tensor(&e.value), "agrees": e.agrees})
    };
    let all = |equations: &[Equation]| equations.iter().map(one).collect::<Vec<_>>();
    json!({"event": "equations", "output": event.output, "forward": all(&event.forward),
        "backward": all(&event.backward), "latex": latex(event), "code": program(event)})
}

/// An operation of a backward.
fn step(s: &Step) -> Value {
    let received: Vec<Value> = s.received.iter().map(tensor).collect();
    let shares = s.shares.iter();
    let shares: Vec<Value> =
        shares.map(|s| json!({"to": s.to, "given": tensor(&s.given)})).collect();
    json!({"number": s.number, "name": s.place.name, "value": tensor(&s.place.value), "received": received, "shares": shares})
}

fn stepped(event: &Stepped) -> Value {
    let asked = |k: &usize| event.only.is_none_or(|only| only == *k);
    let turns = event.turns.iter().enumerate().filter(|(k, _)| asked(k));
    let turns = turns.map(|(_, turn)| match turn {
        Turn::Backward(back) => {
            let waiting = back.waiting.iter();
            let waiting: Vec<Value> = waiting
                .map(|w| json!({"name": w.name, "has": w.has, "of": w.of, "sum": tensor(&w.sum)}))
                .collect();
            let mut turn = step(&back.step);
            turn["from"] = json!(back.senders);
            turn["waiting"] = json!(waiting);
            turn
        }
        Turn::Forward(ahead) => {
            let inputs = ahead.inputs.iter();
            let inputs: Vec<Value> =
                inputs.map(|i| json!({"name": i.name, "value": tensor(&i.value)})).collect();
            json!({"number": ahead.number, "name": ahead.place.name,
                "value": tensor(&ahead.place.value), "inputs": inputs})
        }
    });
    let sums = event.sums.iter().filter(|_| asked(&event.turns.len()));
    let leaves = sums.map(|sum| {
        let parts: Vec<Value> = sum.parts.iter().map(tensor).collect();
        let before = sum.before.as_ref().map(tensor);
        json!({"name": sum.leaf, "received": parts, "before": before, "added": tensor(&sum.added)})
    });
    json!({"event": "step", "output": event.output, "turns": turns.collect::<Vec<_>>(),
        "leaves": leaves.collect::<Vec<_>>()})
}

fn followed(event: &Followed) -> Value {
    let numbers = |xs: &[f64]| xs.iter().copied().map(number).collect::<Vec<_>>();
    let paths = event.paths.iter().map(|p| {
        let stations: Vec<Value> = p.stations.iter().map(|(name, _, k)| json!([name, k])).collect();
        json!({"stations": stations, "factors": numbers(&p.factors), "weight": number(p.weight), "product": number(p.product)})
    });
    json!({"event": "followed", "leaf": event.name, "element": event.element, "paths": paths.collect::<Vec<_>>(),
        "more": event.more, "grad": number(event.swept), "agrees": event.agrees})
}
