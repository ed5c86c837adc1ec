//! `:explain x[1]`: one entry of a gradient, as the sum over the paths from it to y of the product of the
//! slopes on each.

use crate::graph::sweep::added;
use crate::graph::{From, Graph};
use std::collections::HashMap;
use std::rc::Rc;
use vjp_backward::agreement;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::record::questions::{Followed, Path};
use vjp_eval::{Latest, Machine, Tried};
use vjp_jacobian::{Entry, Jacobian};
use vjp_maths::{Node, Variable};
use vjp_tensor::{Outcome, Tensor, budget};

/// Paths that are told, and walked at most.
const TOLD: usize = 6;
const WALKED: usize = 10_000;
/// Steps of the walk, dead ends included.
const STEPS: usize = 1_000_000;

/// A place on the way: a step's element.
type At = (usize, usize);

/// The next places from one, with the slope on the way there.
type Onwards = Rc<[(At, f64)]>;

struct Walk<'a> {
    graph: &'a Graph,
    /// Whether the leaf's whole gradient is.
    finite: bool,
    /// Who uses a value: step and which of its inputs.
    users: HashMap<From, Vec<(usize, usize)>>,
    known: HashMap<(From, usize), Onwards>,
}

/// The steps of a backward, by name and shape.
pub fn steps(m: &Machine, latest: &Latest) -> Vec<(String, Vec<usize>)> {
    let graph = Graph::of(m, latest);
    let named = |(k, node): (usize, &Node)| {
        (graph.name(From::Step(k)).to_owned(), node.value().shape().to_vec())
    };
    graph.steps.iter().enumerate().map(named).collect()
}

/// One entry of the gradient along its paths: of the k-th leaf, or of a step, counted after the leaves.
pub fn followed(m: &mut Machine, latest: &Latest, at: usize, element: usize) -> Tried<Followed> {
    crate::explain::unchanged(latest)?;
    let graph = Graph::of(m, latest);
    let at = graph.numbered_value(at);
    lend(m, || follow(&graph, latest, at, element))
}

/// What a sweep hands to a step.
fn received(graph: &Graph, latest: &Latest, step: usize) -> Outcome<Tensor> {
    let value = graph.steps[step].value();
    let mut found = Tensor::new(value.shape(), vec![0.0; value.numel()]);
    graph.sweep(&latest.v, &mut |passed| {
        if passed.step == step {
            found = added(&passed.received);
        }
    })?;
    Ok(found)
}

fn follow(graph: &Graph, latest: &Latest, from: From, element: usize) -> Outcome<Followed> {
    let mut users: HashMap<From, Vec<(usize, usize)>> = HashMap::new();
    for (k, node) in graph.steps.iter().enumerate() {
        for (input, edge) in node.inputs().iter().enumerate() {
            if let Some(from) = graph.source(edge) {
                users.entry(from).or_default().push((k, input));
            }
        }
    }
    let end = graph.steps.len().wrapping_sub(1);
    let (value, contribution, within) = match from {
        From::Leaf(k) => {
            let leaf = &latest.event.leaves[k];
            (&leaf.value, leaf.contribution.clone(), false)
        }
        From::Step(k) => (graph.steps[k].value(), received(graph, latest, k)?, true),
    };
    let shape = value.shape().to_vec();
    let name = graph.name(from).to_owned();
    let finite = contribution.data().iter().all(|g| g.is_finite());
    let mut walk = Walk { graph, finite, users, known: HashMap::new() };
    let start = (name.clone(), shape.clone(), element);
    let (mut paths, mut count, mut sum, mut steps) = (Vec::new(), 0, 0.0, 0);
    let mut computed: Vec<(String, String)> = Vec::new();
    let mut complete = true;
    if from == graph.start() {
        let weight = latest.v.data()[element];
        (count, sum) = (1, weight);
        paths.push(Path { stations: vec![start], factors: Vec::new(), weight, product: weight });
    } else {
        // The way so far: what can come next, and which of it comes now.
        let mut way: Vec<(Onwards, usize)> = vec![(walk.onwards(from, element)?, 0)];
        while let Some((next, turn)) = way.last_mut() {
            let Some(&(at, _)) = next.get(*turn) else {
                way.pop();
                continue;
            };
            *turn += 1;
            steps += 1;
            budget::tick()?;
            if steps > STEPS || count >= WALKED {
                complete = false;
                break;
            }
            if at.0 != end {
                let onwards = walk.onwards(From::Step(at.0), at.1)?;
                way.push((onwards, 0));
                continue;
            }
            let weight = latest.v.data()[at.1];
            if weight == 0.0 {
                continue;
            }
            let taken: Vec<(At, f64)> = way.iter().map(|(next, turn)| next[turn - 1]).collect();
            let product = taken.iter().map(|(_, slope)| slope).product::<f64>() * weight;
            if product == 0.0 {
                continue;
            }
            count += 1;
            sum += product;
            if paths.len() < TOLD {
                let taken = whole_calls(graph, taken);
                for ((step, _), _) in &taken {
                    let told = (graph.name(From::Step(*step)).to_string(), graph.told(*step));
                    if graph.is_numbered(*step) && !computed.contains(&told) {
                        computed.push(told);
                    }
                }
                let stations = taken.iter().map(|((step, element), _)| {
                    let shape = graph.steps[*step].value().shape().to_vec();
                    (graph.name(From::Step(*step)).to_string(), shape, *element)
                });
                paths.push(Path {
                    stations: std::iter::once(start.clone()).chain(stations).collect(),
                    factors: taken.iter().map(|(_, slope)| *slope).collect(),
                    weight,
                    product,
                });
            }
        }
    }
    let swept = contribution.data()[element];
    let tolerance = agreement::tolerance(&latest.y, &latest.leaves);
    let verdict = agreement::compare(&[sum], &[swept], &[swept.abs()], tolerance);
    Ok(Followed {
        code: match from {
            From::Leaf(_) => code(&name, &shape, element),
            From::Step(_) => format!("{name}{}", index(&shape, element)),
        },
        within,
        name,
        shape,
        element,
        more: count - paths.len(),
        paths,
        endless: !complete,
        sum: complete.then_some(sum),
        swept,
        leads: match from {
            From::Leaf(k) => {
                let j = &latest.event.leaves[k].jacobian;
                Some((0..j.rows).any(|i| !matches!(j.get(i, element), Entry::Absent)))
            }
            From::Step(_) => None,
        },
        agrees: complete && verdict.agrees(),
        hooked: super::hooked(latest),
        computed,
    })
}

/// A way without the steps inside a call of the library: the slope of the call stands for theirs.
fn whole_calls(graph: &Graph, way: Vec<(At, f64)>) -> Vec<(At, f64)> {
    let inside =
        |a: usize, b: usize| graph.is_within(a) && graph.steps[a].place() == graph.steps[b].place();
    let mut all: Vec<(At, f64)> = Vec::with_capacity(way.len());
    let mut slope = 1.0;
    for (k, (at, factor)) in way.iter().enumerate() {
        slope *= factor;
        if way.get(k + 1).is_none_or(|(next, _)| !inside(at.0, next.0)) {
            all.push((*at, slope));
            slope = 1.0;
        }
    }
    all
}

impl Walk<'_> {
    /// Where an element leads: with a slope that is not 0, or, where some slope is infinite or NaN, with any,
    /// as 0 times it is NaN.
    fn onwards(&mut self, from: From, element: usize) -> Outcome<Onwards> {
        if let Some(known) = self.known.get(&(from, element)) {
            return Ok(known.clone());
        }
        let mut all = Vec::new();
        for &(step, input) in self.users.get(&from).into_iter().flatten() {
            let shape = self.graph.steps[step].inputs()[input].value.shape().to_vec();
            let size = shape.iter().product();
            budget::reserve(8 * size)?;
            let mut unit = vec![0.0; size];
            unit[element] = 1.0;
            let node = &self.graph.steps[step];
            if node.operation().has_own_backward() {
                all.extend(own(node, input, element)?.into_iter().map(|(i, s)| ((step, i), s)));
                continue;
            }
            let map = self.graph.local(step, input);
            if self.finite {
                let column = map.apply(&Tensor::new(&shape, unit));
                let slopes = column.data().iter().enumerate().filter(|(_, s)| **s != 0.0);
                all.extend(slopes.map(|(i, s)| ((step, i), *s)));
                continue;
            }
            let local = Jacobian::identity(size).after(&map)?;
            let slope = |i| match local.get(i, element) {
                Entry::Value(slope) => Some(((step, i), slope)),
                Entry::Absent | Entry::Unchosen => None,
            };
            all.extend((0..local.rows).filter_map(slope));
        }
        let all: Onwards = all.into();
        self.known.insert((from, element), all.clone());
        Ok(all)
    }
}

/// The slopes from an element of an input to each element of a Function's output, as its backward has them.
fn own(node: &Node, input: usize, element: usize) -> Outcome<Vec<(usize, f64)>> {
    let (shape, size) = (node.value().shape(), node.value().numel());
    let mut slopes = Vec::new();
    for i in 0..size {
        budget::tick()?;
        let mut unit = vec![0.0; size];
        unit[i] = 1.0;
        let unit = || Some(Variable::constant(Tensor::new(shape, unit.clone())));
        let given = node.operation().backward(&unit).transpose()?;
        let given = given.and_then(|all| all.get(input).cloned().flatten());
        let slope = given.and_then(|g| g.value().data().get(element).copied()).unwrap_or(0.0);
        slopes.extend((slope != 0.0).then_some((i, slope)));
    }
    Ok(slopes)
}

/// `x.grad[1]`, `W.grad[0, 1]`, `x.grad`.
pub(crate) fn code(name: &str, shape: &[usize], element: usize) -> String {
    format!("{name}.grad{}", index(shape, element))
}

/// `[1]`, `[0, 1]`; nothing for a number.
pub(crate) fn index(shape: &[usize], element: usize) -> String {
    let mut rest = element;
    let mut index: Vec<String> = Vec::new();
    for d in shape.iter().rev() {
        index.push((rest % d).to_string());
        rest /= d;
    }
    index.reverse();
    match index.is_empty() {
        true => String::new(),
        false => format!("[{}]", index.join(", ")),
    }
}
