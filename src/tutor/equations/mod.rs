//! `:equations`: a backward as on a board. The rules are asked once more, for formulas of whole arrays:
//! each cotangent goes through the transposed linear map of its operation, and what comes out is put in
//! order, named where the program has a name, and evaluated beside what the sweep gave.

mod constants;
mod kinds;
mod naming;
mod typed;
mod walk;

use super::errors::school;
use super::graph::Graph;
use naming::Names;
use std::collections::HashSet;
use vjp_backward::agreement;
use vjp_backward::disagreement::corners;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::leaf::naming::{LeafName, Places};
use vjp_eval::record::questions::{Equations, Left, Written};
use vjp_eval::{Fault, Halt, Latest, Machine, Manner, Tried};
use vjp_maths::autodiff::ancestors::leaves_of;
use vjp_maths::autodiff::reverse::{SweepOptions, ancestors, sweep};
use vjp_maths::composite::entering;
use vjp_maths::{Edge, Node, Origin, Variable};
use vjp_tensor::{Complaint, Kind, Outcome, Tensor, torch_messages};
use vjp_text::{Source, Symbol};
use walk::{Found, Walk};

/// What is derived: y, the leaves, and what the sweep gave.
struct Asked {
    y: Variable,
    output: String,
    /// The first cotangent, in the shape of y.
    v: Tensor,
    /// It stands for any.
    any: bool,
    /// One formula without names on the way.
    alone: bool,
    leaves: Vec<Leaf>,
    hooked: Option<String>,
    /// How far a formula may be from what the sweep gave.
    tolerance: f64,
}

struct Leaf {
    variable: Variable,
    left: Left,
    /// What the sweep gave.
    swept: Tensor,
    /// `.grad` held something before.
    adds: bool,
}

impl Leaf {
    /// Its numbers are others now than those that were computed with.
    fn changed(&self, graph: &Graph) -> bool {
        let now = self.variable.value();
        let edges = graph.steps.iter().flat_map(|node| node.inputs());
        let mut own =
            edges.filter(|e| matches!(&e.origin, Origin::Leaf(x) if x.same(&self.variable)));
        own.any(|e| e.value.data() != now.data())
    }
}

/// The last backward.
pub fn of_backward(m: &mut Machine, latest: &Latest, written: Written) -> Tried<Equations> {
    let graph = Graph::of(m, latest);
    let leaves = latest.event.leaves.iter().zip(&latest.leaves).zip(&graph.leaves);
    let leaves = leaves.map(|((report, x), name)| Leaf {
        variable: x.clone(),
        left: Left::Gradient(name.clone()),
        swept: report.contribution.clone(),
        adds: report.grad_before.as_ref().is_some_and(|g| g.data().iter().any(|x| *x != 0.0)),
    });
    let asked = Asked {
        y: latest.y.clone(),
        output: latest.event.output.clone(),
        v: latest.v.clone(),
        any: false,
        alone: false,
        leaves: leaves.collect(),
        hooked: crate::explain::hooked(latest),
        tolerance: agreement::tolerance(&latest.y, &latest.leaves),
    };
    derived(m, &graph, &asked, written)
}

/// A value of the program, or an expression, without a backward.
pub fn of_expression(m: &mut Machine, code: &str, written: Written) -> Result<Equations, Problem> {
    let read = school::expression(m, code, false);
    let code = read.as_deref().unwrap_or(code);
    m.tried(|m, _| {
        let hidden = "_of_these_equations";
        let value = match m.binds(code) {
            true => m.global(Symbol::new(code)),
            false => {
                m.run(&Source::new(code), Manner::Program, &mut |_| {}).map_err(Problem::Fault)?;
                let source = Source::new(format!("{hidden} = ({code})"));
                m.run(&source, Manner::Program, &mut |_| {}).map_err(Problem::Fault)?;
                m.global(Symbol::new(hidden))
            }
        };
        let y = value.and_then(|v| vjp_eval::leaf::existing(&v));
        let Some(y) = y.filter(|y| y.node().is_some()) else {
            let says = format!("{code} does not depend on a leaf");
            return Err(Problem::Halt(Complaint::new(Kind::Value, says).into()));
        };
        let output = match code.chars().all(|c| c.is_alphanumeric() || c == '_') {
            true => code.to_owned(),
            false => unlike(m, &y),
        };
        expression(m, y, output, written).map_err(Problem::Halt)
    })
}

/// What an expression is called: y, if the program's own y is not in it.
fn unlike(m: &Machine, y: &Variable) -> String {
    let nodes = ancestors(y.node());
    let stands = |name: &&str| {
        let own = m.global(Symbol::new(name)).and_then(|v| vjp_eval::leaf::existing(&v));
        let own = own.map(|v| (v.id(), v.node().map(|n| n.id())));
        own.is_some_and(|(id, node)| {
            let mut edges = nodes.iter().flat_map(|n| n.inputs());
            edges.any(|e| match &entering(e).origin {
                Origin::Leaf(x) => x.id() == id,
                Origin::Node(n) => node == Some(n.id()),
                Origin::Constant(own) => own.is_none() && e.constant() == Some(id),
                Origin::LostView(_) => false,
            })
        })
    };
    let mut wishes = ["y", "out", "result"].into_iter();
    wishes.find(|name| !stands(name)).unwrap_or("y").to_owned()
}

/// Why there are no equations.
pub enum Problem {
    Fault(Box<Fault>),
    Halt(Halt),
}

fn expression(m: &mut Machine, y: Variable, output: String, written: Written) -> Tried<Equations> {
    let places = Places::of(m);
    let mut leaves = leaves_of(&y);
    leaves.sort_by_key(Variable::id);
    if let Some(now) = present(m, &places, &y, &leaves) {
        leaves = now;
    }
    let known = places.leaves(leaves.iter());
    let called = |x: &Variable| known.get(&x.id()).map_or("leaf".to_owned(), LeafName::in_formula);
    let names: Vec<String> = leaves.iter().map(called).collect();
    let any = y.numel() != 1;
    // Each element another weight, so that a formula that mixes them up shows.
    let weights = (0..y.numel()).map(|k| if any { 1.0 + 0.5 * (k % 7) as f64 } else { 1.0 });
    let v = Tensor::new(&y.shape(), weights.collect());
    let root = Variable::constant(v.clone());
    let options = SweepOptions {
        retain_graph: true,
        unasked: true,
        inputs: Some(&leaves),
        ..SweepOptions::default()
    };
    let swept = lend(m, || sweep(&[(y.clone(), root)], options))?;
    let parts = leaves.iter().zip(&names).zip(swept.inputs);
    let parts = parts.filter_map(|((x, name), found)| {
        let (output, leaf) = (output.clone(), name.clone());
        let left = Left::Derivative { output, leaf, weights: None };
        Some(Leaf { variable: x.clone(), left, swept: found?.value(), adds: false })
    });
    let parts: Vec<Leaf> = parts.collect();
    let (leaves, names): (Vec<Variable>, Vec<String>) =
        parts.iter().map(|leaf| (leaf.variable.clone(), called(&leaf.variable))).unzip();
    let graph = Graph::between(m, &leaves, names, (&y, &output));
    let tolerance = agreement::tolerance(&y, &leaves);
    let hooked = None;
    let asked = Asked { y, output, v, any, alone: true, leaves: parts, hooked, tolerance };
    derived(m, &graph, &asked, written)
}

/// The values that an expression is of, where names of its leaves were assigned again: of `w` after `w -= g` the
/// present one. None where it is of earlier values too.
fn present(
    m: &Machine,
    places: &Places,
    y: &Variable,
    leaves: &[Variable],
) -> Option<Vec<Variable>> {
    let now = leaves.iter().filter_map(|x| {
        let name = places.leaf(x).filter(|found| found.earlier && !found.deleted)?.name;
        vjp_eval::leaf::existing(&m.global(Symbol::new(&name))?)
    });
    let now: Vec<Variable> = now.filter(|v| v.node().is_some()).collect();
    let of_now = |n: &Node| now.iter().find(|v| v.node().is_some_and(|own| own.id() == n.id()));
    let (mut found, mut behind) = (Vec::<Variable>::new(), Vec::<Node>::new());
    let (mut pending, mut seen) = (vec![y.node()?], HashSet::new());
    while let Some(node) = pending.pop() {
        for edge in node.inputs() {
            match &entering(edge).origin {
                Origin::Leaf(x) => found.push(x.clone()),
                Origin::Node(n) => match of_now(n) {
                    Some(v) => {
                        found.push(v.clone());
                        behind.extend(ancestors([n.clone()]));
                    }
                    None if seen.insert(n.id()) => pending.push(n.clone()),
                    None => {}
                },
                Origin::Constant(_) | Origin::LostView(_) => {}
            }
        }
    }
    found.sort_by_key(Variable::id);
    found.dedup_by_key(|v| v.id());
    let is_found = |e: &Edge| match &entering(e).origin {
        Origin::Leaf(x) => found.iter().any(|v| v.same(x)),
        Origin::Node(n) => of_now(n).is_some(),
        Origin::Constant(_) | Origin::LostView(_) => false,
    };
    let apart = !behind.iter().any(|n| n.inputs().iter().any(is_found));
    (apart && !behind.is_empty()).then_some(found)
}

/// An operation that stands at a kink or tie.
fn tied(asked: &Asked) -> Option<String> {
    let leaves: Vec<Variable> = asked.leaves.iter().map(|leaf| leaf.variable.clone()).collect();
    Some(corners(&asked.y, &leaves).into_iter().next()?.op)
}

/// Whether a sum divided by the count of what it adds is told as a mean: not where only sums were taken.
fn means(graph: &Graph) -> bool {
    let names = || graph.steps.iter().map(|node| node.operation().name());
    let averages = ["mean", "loss", "norm", "var", "std", "entropy"];
    !names().any(|name| name == "sum")
        || names().any(|name| averages.iter().any(|word| name.contains(word)))
}

/// # Errors
/// A leaf was given another shape since `y` was computed.
fn keep_their_shapes(y: &Variable) -> Outcome<()> {
    let nodes = ancestors(y.node());
    let leaves =
        nodes.iter().flat_map(|node| node.inputs()).filter_map(|edge| match &edge.origin {
            Origin::Leaf(x) => Some((edge.value.shape(), x.shape())),
            _ => None,
        });
    for (then, now) in leaves {
        if *then != *now {
            return Err(torch_messages::gradient_assigned(then, &now));
        }
    }
    Ok(())
}

fn derived(m: &mut Machine, graph: &Graph, asked: &Asked, written: Written) -> Tried<Equations> {
    keep_their_shapes(&asked.y)?;
    let names = Names::of(m, graph, asked);
    let constants = constants::Constants::of(m);
    let mut lists = constants.lists();
    let bindings = typed::bindings(m);
    let typed = typed::operands(m, graph, &bindings);
    lend(m, || -> Outcome<Equations> {
        let mut walk = Walk::new(graph, asked, names, constants, typed, bindings);
        walk.forwards()?;
        walk.backwards()?;
        lists.extend(walk.conditions());
        let output = walk.output().unwrap_or_else(|| asked.output.clone());
        let found = walk.finished();
        let Found { forward, backward, constants, held, earlier, numbers, v, known } = found;
        let differs = backward.iter().any(|e| e.right.is_some() && !e.agrees);
        Ok(Equations {
            written,
            output,
            forward,
            backward,
            v,
            lists,
            constants,
            held,
            earlier,
            numbers,
            hooked: asked.hooked.clone(),
            tied: differs.then(|| tied(asked)).flatten(),
            means: means(graph),
            known,
        })
    })
}
