//! Why a gradient is not vᵀJ, and where a slope had two values.

use crate::finite_differences::{LONGEST, NAMED};
use crate::gradient_argument::Weights;
use crate::slope::local;
use crate::unreached::text_of;
use vjp_eval::leaf::naming::named;
use vjp_eval::record::event::{Cause, Choice, CornerReport};
use vjp_eval::record::source_lookup;
use vjp_eval::{LeafReport, Machine};
use vjp_maths::autodiff::edge::Edge;
use vjp_maths::autodiff::reverse;
use vjp_maths::autodiff::reverse::{SweepOptions, ancestors};
use vjp_maths::{LinearMap, Node, Origin, Point, Variable};
use vjp_tensor::Tensor;
use vjp_tensor::storage::written_silently;

/// Explanations for the columns that differ.
pub fn of(
    m: &Machine,
    y: &Variable,
    w: &Weights,
    leaves: &[Variable],
    reports: &[LeafReport],
) -> Vec<Cause> {
    if reports.iter().all(|r| r.agrees) {
        return Vec::new();
    }
    let mut causes = Vec::new();
    let nodes = ancestors(y.node());
    let nan =
        reports.iter().any(|r| r.differing.iter().any(|&j| r.contribution.data()[j].is_nan()));
    if nan {
        causes.extend(branch(m, y, w, &nodes));
    }
    if !nodes.iter().all(|n| n.hooks().is_empty()) || !leaves.iter().all(|x| x.hooks().is_empty()) {
        causes.push(Cause::Hook { name: hooked(m, &nodes, leaves, reports) });
    }
    causes
}

/// Whether something was computed from other numbers of `x` than it holds now; `of_it` knows its edges.
fn is_stale(x: &Variable, nodes: &[Node], of_it: impl Fn(&Edge) -> bool) -> bool {
    let value = x.value();
    let mut edges = nodes.iter().flat_map(|n| n.inputs());
    edges.any(|e| of_it(e) && !e.value.is_identical(&value))
}

/// Leaves that were given other values after y was computed: `.data` leaves no record.
pub fn changed<'a>(nodes: &[Node], leaves: &'a [Variable]) -> Vec<(usize, &'a Variable)> {
    let of = |x: &Variable, e: &Edge| matches!(&e.origin, Origin::Leaf(l) if l.same(x));
    leaves.iter().enumerate().filter(|(_, x)| is_stale(x, nodes, |e| of(x, e))).collect()
}

/// Names of tensors that were written through `.data` since something on the way to y was computed from them.
pub fn rewritten(m: &Machine, nodes: &[Node]) -> Vec<String> {
    if !written_silently() {
        return Vec::new();
    }
    let stale = |v: &Variable| {
        let node = v.node();
        let of_it = |e: &Edge| node.as_ref().zip(e.node()).is_some_and(|(a, b)| a.id() == b.id());
        v.is_written_silently() && is_stale(v, nodes, of_it)
    };
    named(m).into_iter().filter(|(_, v)| stale(v)).map(|(name, _)| name).collect()
}

/// Where hooks hang, in words: a tensor's name, or that of several.
fn hooked(m: &Machine, nodes: &[Node], leaves: &[Variable], reports: &[LeafReport]) -> String {
    let hung = leaves.iter().zip(reports).filter(|(x, _)| !x.hooks().is_empty());
    let mut names: Vec<String> = hung.map(|(_, report)| report.name.clone()).collect();
    let known = named(m);
    for node in nodes.iter().filter(|n| !n.hooks().is_empty()) {
        let of_node = |v: &Variable| v.node().is_some_and(|n| n.id() == node.id());
        let named = known.iter().find(|(_, v)| of_node(v)).map(|(name, _)| name.clone());
        names.push(named.unwrap_or_else(|| node.grad_fn().to_string()));
    }
    names.join(" or on ")
}

/// An operation behind a `where` that took the other branch: its slope is not a number, and the
/// sweep multiplies it by 0.
fn branch(m: &Machine, y: &Variable, w: &Weights, nodes: &[Node]) -> Option<Cause> {
    let choice = nodes.iter().rev().find(|n| n.operation().name() == "where")?;
    // From below the choice downwards: the first slope that is not finite.
    let culprit = ancestors(choice.inputs().iter().filter_map(|e| e.node().cloned()))
        .into_iter()
        .rev()
        .find_map(|n| {
            slope(&n).filter(|s| s.data().iter().any(|v| !v.is_finite())).map(|s| (n, s))
        })?;
    let (node, slope) = culprit;
    let output = nodes
        .iter()
        .flat_map(|n| n.inputs())
        .find(|e| e.node().is_some_and(|n| n.id() == node.id()))?
        .variable();
    let root = Variable::constant(w.for_sweep(y));
    let options = SweepOptions {
        retain_graph: true,
        unasked: true,
        inputs: Some(std::slice::from_ref(&output)),
        ..SweepOptions::default()
    };
    let sweep = reverse::sweep(&[(y.clone(), root)], options).ok()?;
    let received = sweep.inputs.into_iter().next().flatten()?.value();
    Some(Cause::BranchNotTaken {
        op: node.operation().spelled().to_string(),
        formula: crate::slope::slope(&node).unwrap_or_default(),
        received,
        slope,
        repair: repair(m, choice, &node),
    })
}

/// The slopes of a one-input elementwise operation.
fn slope(n: &Node) -> Option<Tensor> {
    let [edge] = n.inputs() else { return None };
    let values = [&edge.value];
    let at = Point { inputs: &values, output: n.value(), values: &values, value: n.value() };
    match n.operation().linear_tensor(&at, 0) {
        LinearMap::Diagonal { by, .. } => Some(by),
        _ => None,
    }
}

/// The double where: `where(c, sqrt(x), 0)` becomes `where(c, sqrt(where(c, x, 1)), 0)`.
fn repair(m: &Machine, choice: &Node, inner: &Node) -> Option<String> {
    let (outer, place) = (choice.place(), inner.place());
    let source = m.source_of(outer.source)?;
    let statement = source_lookup::statement(source, outer.span)?;
    let condition = source_lookup::arguments(source.slice(outer.span))?.into_iter().next()?;
    let call = m.source_of(place.source)?.slice(place.span).to_string();
    let [argument] = source_lookup::arguments(&call)?.try_into().ok()?;
    let name = call.split('(').next()?;
    let safe = format!("{name}(where({condition}, {argument}, 1))");
    statement.contains(&call).then(|| statement.replacen(&call, &safe, 1))
}

/// So many operations are asked what they choose, of so many elements.
const ASKED: usize = 100;
const ELEMENTS: usize = 1000;

/// Operations whose slopes are those of what they chose, and masks: `x > 0` as a factor.
pub fn choices(nodes: &[Node]) -> Vec<Choice> {
    let mut all = Vec::new();
    let asked = |n: &&Node| !n.operation().has_own_backward() && n.value().numel() <= ELEMENTS;
    for n in nodes.iter().filter(asked).take(ASKED) {
        let tracked = (0..n.inputs().len()).filter(|k| n.inputs()[*k].tracked());
        let jumps = tracked.clone().any(|k| n.operation().steps(k));
        if jumps || tracked.clone().any(|k| local(n, k).chose()) {
            let choice = Choice { op: n.operation().spelled().to_string(), jumps };
            if !all.contains(&choice) {
                all.push(choice);
            }
            continue;
        }
        let mask = |edge: &Edge| {
            edge.cut().is_some_and(|cut| cut.stepped)
                && edge.value.data().iter().all(|x| matches!(*x, 0.0 | 1.0))
        };
        let choice = Choice { op: "a mask".to_owned(), jumps: false };
        if n.inputs().iter().any(mask) && !all.contains(&choice) {
            all.push(choice);
        }
    }
    all
}

/// What cuts numbers off that go into these operations, where it is short.
pub fn taken(m: &Machine, nodes: &[Node]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for edge in nodes.iter().take(ASKED).flat_map(Node::inputs) {
        let Some(cut) = edge.cut().filter(|cut| !cut.stepped) else { continue };
        let text = text_of(m, &cut);
        let short = !text.is_empty() && !text.contains('\n') && text.chars().count() <= LONGEST;
        if short && !all.contains(&text) && all.len() < NAMED {
            all.push(text);
        }
    }
    all
}

/// Kinks that were hit on the way from the leaves to y.
pub fn corners(y: &Variable, leaves: &[Variable]) -> Vec<CornerReport> {
    // A remark, not a result: without the memory for it, it is left out.
    let hits = vjp_jacobian::kinks::corners(y, leaves).unwrap_or_default();
    hits.into_iter()
        .map(|h| CornerReport {
            op: h.op.to_string(),
            leaf: h.leaf,
            element: h.element,
            at: h.at,
            left: h.left,
            right: h.right,
            taken: h.taken,
            tie: h.tie,
            whole: h.whole,
            entries: h.entries,
        })
        .collect()
}
