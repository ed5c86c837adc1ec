//! `:explain`: the last backward step by step, each with what it receives, its own Jacobian, and what it
//! hands on.

use super::graph::{From, Graph};
use std::collections::HashMap;
use vjp_backward::agreement;
use vjp_backward::slope;
use vjp_eval::language::exception::raise::Halt;
use vjp_eval::language::machine::Machine;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::record::event::Cause;
use vjp_eval::record::held::Latest;
use vjp_eval::record::questions::{Local, Place, Share, Step, Sum, Worked};
use vjp_maths::autodiff::linear_map::{Array, LinearMap};
use vjp_maths::autodiff::variable::Variable;
use vjp_tensor::budget;
use vjp_tensor::complaint::Outcome;
use vjp_tensor::tensor::Tensor;

/// Of more steps than twice this and one, so many at each end are told.
const ENDS: usize = 6;

/// A local Jacobian of at most so many rows or columns is told entry by entry.
const SIDE: usize = 6;

/// The last backward as a worked example.
///
/// # Errors
/// What a backward of the program raises; memory, or a wish to stop.
pub fn worked(m: &mut Machine, latest: &Latest) -> Result<Worked, Halt> {
    let graph = Graph::of(m, latest);
    lend(m, || walk(&graph, latest))
}

fn walk(graph: &Graph, latest: &Latest) -> Outcome<Worked> {
    let n = graph.steps.len();
    let told = |k: usize| n <= 2 * ENDS + 1 || k < ENDS || k >= n - ENDS;
    let mut arrived: HashMap<From, Vec<Tensor>> = HashMap::new();
    let start = match latest.y.node() {
        Some(_) => From::Step(n.saturating_sub(1)),
        None => From::Leaf(0),
    };
    arrived.insert(start, vec![latest.v.clone()]);
    let mut steps = Vec::new();
    for k in (0..n).rev() {
        budget::tick()?;
        let Some(received) = arrived.remove(&From::Step(k)) else {
            continue;
        };
        let cotangent = added(&received);
        let mut shares = Vec::new();
        let node = &graph.steps[k];
        let own = node.operation().backward(&|| Some(Variable::constant(cotangent.clone())));
        let own = own.transpose()?;
        for (input, edge) in node.inputs().iter().enumerate() {
            let Some(to) = graph.source(edge) else {
                continue;
            };
            let (given, local) = match &own {
                Some(written) => {
                    let Some(g) = written.get(input).and_then(Option::as_ref) else {
                        continue;
                    };
                    let words = "from its own backward".to_string();
                    (g.value(), Local::Words(words, [node.value().numel(), edge.value.numel()]))
                }
                None => {
                    let map = graph.local(k, input);
                    let given = map.pull(&cotangent);
                    let local = match told(k) {
                        true => local(graph, k, input, &map),
                        false => Local::Words(String::new(), [0, 0]),
                    };
                    (given, local)
                }
            };
            arrived.entry(to).or_default().push(given.clone());
            shares.push(Share { to: graph.bare(to).to_string(), local, given });
        }
        if told(k) {
            steps.push(Step {
                number: k + 1,
                place: Place {
                    name: graph.name(From::Step(k)).to_string(),
                    value: node.value().clone(),
                },
                text: graph.text(k).to_string(),
                received,
                shares,
            });
        }
    }
    steps.reverse();
    let gap = steps.windows(2).position(|w| w[1].number > w[0].number + 1 && n > 2 * ENDS);
    let tolerance = agreement::tolerance(&latest.y, &latest.leaves);
    let hooked = latest.event.causes.iter().find_map(|cause| match cause {
        Cause::Hook { name } => Some(name.clone()),
        _ => None,
    });
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
            agrees: verdict.agrees() && leaf.agrees,
            before: before.filter(|g| g.data().iter().any(|&x| x != 0.0)),
            added: leaf.contribution.clone(),
            hooked: hooked.clone(),
        }
    });
    let sums = sums.collect();
    let leaves = latest.event.leaves.iter().zip(&graph.leaves);
    Ok(Worked {
        output: latest.event.output.clone(),
        v: latest.v.clone(),
        leaves: leaves
            .map(|(leaf, name)| Place { name: name.clone(), value: leaf.value.clone() })
            .collect(),
        left_out: gap.map(|at| (at + 1, n - steps.len())),
        steps,
        sums,
    })
}

fn added(parts: &[Tensor]) -> Tensor {
    let mut all = parts.iter();
    let first = all.next().cloned().unwrap_or_else(|| Tensor::scalar(0.0));
    all.fold(first, |sum, part| sum.add(part))
}

/// The local Jacobian as it is told.
fn local(graph: &Graph, step: usize, input: usize, map: &LinearMap<Tensor>) -> Local {
    let node = &graph.steps[step];
    let (rows, columns) = (node.value().numel(), node.inputs()[input].value.numel());
    let slopes = match map {
        LinearMap::Diagonal { by, shape } => Some(by.expand(shape)),
        LinearMap::Scale { by, shape } => Some(Tensor::new(shape, vec![*by; columns])),
        _ => None,
    };
    if let Some(slopes) = slopes {
        let names: Vec<String> = node
            .inputs()
            .iter()
            .map(|e| match graph.source(e) {
                Some(from) => operand(graph.bare(from)),
                None if e.value.numel() == 1 => format!("{}", e.value.data()[0]),
                None => "c".to_string(),
            })
            .collect();
        let formula = slope::slope_in(node, &names, input);
        // Brackets of our own are not needed inside those of a call, nor alone.
        let wrapped = names.iter().filter(|n| n.starts_with('('));
        let formula = wrapped.fold(formula, |f, n| Some(f?.replace(&format!("({n})"), n)));
        // `(2)` is a step's own name.
        let numbered = |f: &str| f.chars().all(|c| c.is_ascii_digit() || "()".contains(c));
        let alone = |f: String| match numbered(&f) {
            true => f,
            false => vjp_eval::leaf::naming::unwrapped(&f).to_string(),
        };
        let formula = formula.map(alone);
        return Local::Slopes(slopes, formula);
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
    let words = map.describe().and_then(|words| words.split(':').next()).unwrap_or("");
    Local::Words(words.to_string(), [rows, columns])
}

/// A name as it stands in a formula: what is none is put in brackets.
fn operand(name: &str) -> String {
    let simple = name.chars().all(|c| c.is_alphanumeric() || "_.[]".contains(c));
    match simple || vjp_eval::leaf::naming::unwrapped(name) != name {
        true => name.to_string(),
        false => format!("({name})"),
    }
}
