//! `y.backward(v)`: the reverse sweep, J by another road, and the event that shows both.

pub mod agreement;
mod behind;
pub mod disagreement;
mod edges;
pub mod finite_differences;
pub mod gradient_argument;
mod magnified;
mod notes;
pub mod slope;
pub mod unreached;
pub mod weight_labels;

use crate::gradient_argument::Weights;
use crate::magnified::magnified;
use std::collections::HashMap;
use std::rc::Rc;
use vjp_eval::language::call::misspelled;
use vjp_eval::language::machine::Telling;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::leaf::naming::{LeafName, Places};
use vjp_eval::record::event::{Cause, EdgeReport};
use vjp_eval::record::symbolic::Symbolic;
use vjp_eval::{
    Args, At, Backward, Event, Latest, LeafReport, Machine, Note, Site, Tried, Value, raise,
};
use vjp_jacobian::{Entry, Jacobian, walk};
use vjp_maths::autodiff::grad_mode::is_transforming;
use vjp_maths::autodiff::reverse;
use vjp_maths::autodiff::reverse::{Reached, Sweep, SweepOptions, ancestors};
use vjp_maths::observe::value_reads;
use vjp_maths::{Node, Origin, Variable};
use vjp_tensor::{Complaint, Kind, Tensor, budget};
use vjp_text::{QuickMap, Span, Symbol};

/// What a call of backward asks for.
pub struct Request {
    /// Outputs with their weights as given; one, except in `torch.autograd.backward([...], [...])`.
    pub roots: Vec<(Value, Option<Value>)>,
    pub retain: Option<bool>,
    pub create_graph: bool,
    pub inputs: Option<Vec<Variable>>,
    /// Where the output is written: `y`.
    pub output: Span,
    /// Where v is written.
    pub weights: Option<Span>,
}

/// `y.backward(gradient=None, retain_graph=None, create_graph=False, inputs=None)`.
pub fn method(m: &mut Machine, mut args: Args) -> Tried<Value> {
    const KNOWN: [&str; 4] = ["gradient", "retain_graph", "create_graph", "inputs"];
    for (name, _) in &args.named {
        if !KNOWN.contains(&name.as_str()) {
            let says = format!("Tensor.backward() got an unexpected keyword argument '{name}'");
            let complaint = Complaint::new(Kind::Type, says);
            return Err(misspelled::keyword(complaint, name.as_str(), KNOWN.into_iter()).into());
        }
    }
    if is_transforming() {
        raise!(
            "backward() called inside a functorch transform. This is not supported, please use functorch.grad or functorch.vjp instead or call backward() outside of functorch transforms."
        );
    }
    let Some(y) = args.positional.first().cloned() else {
        raise!(Kind::Type, "Tensor.backward() missing 1 required positional argument: 'self'");
    };
    let written = args.site.args.first().copied();
    let second = args.site.args.get(1).copied().filter(|_| args.positional.len() > 2);
    let mut gradient = args.take_at(1, "gradient").filter(|v| !v.is_none());
    // A sequence of gradients, of which an output takes the first.
    if m.strict()
        && let Some(given @ (Value::List(_) | Value::Tuple(_))) = &gradient
        && let Some(first @ (None | Some(Value::Tensor(_)))) =
            gradient_argument::each(m, given)?.into_iter().next()
    {
        gradient = first;
    }
    let retain = args.take_at(2, "retain_graph").filter(|v| !v.is_none());
    let create = args.take_at(3, "create_graph").filter(|v| !v.is_none());
    let inputs = args.take_at(4, "inputs").filter(|v| !v.is_none());
    let request = Request {
        weights: gradient.as_ref().and(written),
        roots: vec![(y, gradient)],
        retain: retain.as_ref().map(|v| flag(m, v)).transpose()?,
        create_graph: create.map(|v| flag(m, &v)).transpose()?.unwrap_or(false),
        inputs: inputs.map(|v| gradient_argument::inputs(m, &v)).transpose()?,
        output: args.site.receiver.unwrap_or(args.site.span),
    };
    run(m, request, &args.site)?;
    // A second weight, where v should have been a list.
    if let (Some(at), Some(v), Some(Value::Int(_) | Value::Float(_) | Value::Number(_))) =
        (second, written, &retain)
    {
        let text = args.site.text(at).trim().to_string();
        let v = args.site.text(v).trim();
        let says =
            format!("{text} is taken as retain_graph; weights stand in one list: [{v}, {text}]");
        m.note("weight as retain_graph", Note::plain(says));
    }
    Ok(Value::None)
}

/// `retain_graph` and its like, which the engine takes as whole numbers.
pub fn flag(m: &mut Machine, value: &Value) -> Tried<bool> {
    match value.plain() {
        Value::Bool(_) | Value::Int(_) | Value::Tensor(_) => m.truth(value),
        other => raise!(
            Kind::Type,
            "'{}' object cannot be interpreted as an integer",
            vjp_eval::name_of(&other)
        ),
    }
}

/// Sweeps, accumulates, and tells what happened.
pub fn run(m: &mut Machine, mut request: Request, site: &Site) -> Tried<()> {
    if let Some((y, _)) = request.roots.first() {
        m.asks(y).at(site.span)?;
    }
    let mut roots = Vec::with_capacity(request.roots.len());
    let mut all = Vec::with_capacity(request.roots.len());
    let (list, count) = (request.output, request.roots.len());
    for k in 0..count {
        let own = (count > 1).then(|| gradient_argument::item(site, list, k, count)).flatten();
        request.output = own.unwrap_or(list);
        let (value, given) = &request.roots[k];
        let found = gradient_argument::pair(m, value, given.as_ref(), &request, site);
        let (y, w) = found.map_err(|halt| match count {
            1 => halt,
            _ => gradient_argument::of_several(m, halt, (&request, list), k, site),
        })?;
        roots.push((y.clone(), Variable::constant(w.for_sweep(&y))));
        all.push((y, w));
    }
    request.output = list;
    let options = SweepOptions {
        create_graph: request.create_graph,
        retain_graph: request.retain.unwrap_or(request.create_graph),
        inputs: request.inputs.as_deref(),
        strict_free: m.strict(),
        accumulate: true,
        unasked: false,
    };
    if request.create_graph {
        vjp_tensor::warnings::warn_once(
            "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you have to use this function, make sure to reset the .grad fields of your parameters to None after use to break the cycle and avoid the leak.",
        );
    }
    for x in request.inputs.iter().flatten() {
        x.retain_grad().at(site.span)?;
    }
    // Hooks are functions of the program: they need the machine while the sweep runs. A backward of
    // their own is not told.
    let telling = std::mem::replace(&mut m.telling, Telling::Nothing);
    let swept = lend(m, || reverse::sweep(&roots, options));
    m.telling = telling;
    let sweep = match swept {
        Ok(sweep) => sweep,
        Err(mut halt) => {
            if let [(y, _)] = roots.as_slice() {
                (m.hints.refused)(m, &mut halt, y, site);
            }
            return Err(halt.place(site.span));
        }
    };
    let repeated = all.iter().any(|(_, w)| w.repeated);
    m.saw_sweep((site.source.id(), site.span), repeated, &sweep);
    let call = m.swept.entry(line_of(site)).or_default();
    *call += 1;
    let first = *call == 1;
    let repeats = m.repeats() && !first;
    let reports = match (all.as_slice(), m.telling) {
        (_, Telling::Nothing) => None,
        // Further calls of a line in a loop are told without symbols.
        ([(y, w)], told) => {
            let symbols = first || !m.repeats() || told == Telling::Everything;
            let graph = Graph { nodes: ancestors(y.node()), places: Places::of(m) };
            let mut made = None;
            let all = told == Telling::Everything;
            // A Function's code may have to run.
            lend(m, || {
                made = Some(report(&graph, y, w, &sweep.leaves, symbols, all));
                Ok(())
            })?;
            made.map(|drafts| (graph, drafts))
        }
        _ => None,
    };
    m.past.swept = Some((site.source.clone(), site.span));
    let result = after(m, reports, &all, &sweep, &request, site, !repeats);
    if sweep.would_raise {
        m.note("retain_graph", notes::kept_note());
    }
    let told = m.telling != Telling::Nothing && !repeats && result.is_ok();
    if let Some(note) = notes::passed_by(m, &sweep).filter(|_| told) {
        m.flush_echoes();
        m.emit(Event::Note(note));
    }
    result
}

/// Tells what a sweep did.
fn after(
    m: &mut Machine,
    reports: Option<(Graph, Drafts)>,
    all: &[(Variable, Weights)],
    sweep: &Sweep,
    request: &Request,
    site: &Site,
    again: bool,
) -> Tried<()> {
    if all.len() > 1 && m.telling != Telling::Nothing {
        m.latest = None;
        m.past.undrawn = Some("the last backward was of several outputs, and has no panel".into());
        let says = "each output adds to the gradients; a panel shows the backward of one output";
        m.note("several outputs", Note::plain(says.to_owned()));
    }
    let (Some((graph, reports)), [(y, w)]) = (reports, all) else {
        return Ok(());
    };
    if sweep.leaves.is_empty() {
        m.latest = None;
        m.past.undrawn = Some("the last backward came to no leaf, and has no panel".into());
        return Ok(());
    }
    match reports {
        Ok(mut reports) => {
            let steps = finite_differences::steps_for(m, &site.source, again);
            let agree = reports.iter().all(|d| d.verdict.agrees());
            let reached = variables(&sweep.leaves);
            let agree = agree && disagreement::changed(&graph.nodes, &reached).is_empty();
            if let Some(steps) = steps.filter(|_| agree) {
                let begun = budget::work::done();
                let vjps: Vec<&Tensor> = reports.iter().map(|d| &d.vjp).collect();
                let name = |k: usize| {
                    let leaf = &sweep.leaves[k].leaf;
                    graph.places.leaf(leaf).unwrap_or_default().name
                };
                let apart = crate::finite_differences::apart(
                    m,
                    steps,
                    (y, &w.for_sweep(y)),
                    &sweep.leaves,
                    &vjps,
                    &name,
                    (&site.source, request.output),
                );
                for apart in apart {
                    let draft = &mut reports[apart.leaf];
                    if !apart.places.is_empty() {
                        draft.verdict.largest = 0.0;
                    }
                    (draft.verdict.differing, draft.apart) = (apart.places, Some(apart.cause));
                }
                finite_differences::spend(m, &site.source, budget::work::done() - begun);
            }
            tell(m, (y, w), &graph, &sweep.leaves, reports, request, site, again);
            Ok(())
        }
        // The gradient is there; only its picture is not.
        Err(complaint) if complaint.kind == Kind::OutOfMemory => {
            m.latest = None;
            let (name, _) = graph.places.output(y, site, request.output);
            let says = format!("the J of the last backward, of {name}, is too large to show");
            m.past.undrawn = Some(says);
            let note = notes::not_shown(&graph, y, sweep, &complaint);
            // A loop is told once.
            let said = Some((m.source().id(), note.text.clone()));
            if m.past.too_large != said {
                m.past.too_large = said;
                m.emit(Event::Note(note));
            }
            Ok(())
        }
        Err(complaint) => Err(complaint).at(site.span),
    }
}

/// What was swept: its nodes, parents first, and what the program calls things.
struct Graph {
    nodes: Vec<Node>,
    places: Places,
}

impl Graph {
    /// The names of its leaves and of others on the way, no two alike.
    fn names(&self, leaves: &[Variable]) -> QuickMap<usize, LeafName> {
        let on_the_way = self.nodes.iter().flat_map(|n| n.inputs());
        let on_the_way = on_the_way.filter_map(|e| match &e.origin {
            Origin::Leaf(x) => Some(x),
            _ => None,
        });
        self.places.leaves(on_the_way.chain(leaves))
    }
}

/// A leaf's report, but for names and gradients.
struct Draft {
    jacobian: Jacobian<f64>,
    symbolic: Symbolic,
    vjp: Tensor,
    contribution: Tensor,
    verdict: agreement::Verdict,
    /// What the program's text says instead.
    apart: Option<Cause>,
}

/// One for each leaf.
type Drafts = Result<Vec<Draft>, Box<Complaint>>;

/// What the J of a panel may take, in bytes, and so in time: the panel shows a corner of it.
const PICTURE: usize = 96 << 20;

fn report(
    graph: &Graph,
    y: &Variable,
    w: &Weights,
    leaves: &[Reached],
    symbols: bool,
    all: bool,
) -> Drafts {
    let variables = variables(leaves);
    let room = budget::memory_limit().saturating_sub(budget::in_use());
    let limits = (!all && room > PICTURE).then(|| budget::Limits::within(PICTURE));
    let numeric = walk::numeric_many(y, &variables);
    let numeric = numeric.map_err(|complaint| match limits {
        Some(_) if complaint.kind == Kind::OutOfMemory => {
            Complaint::new(Kind::OutOfMemory, "it is too large for a panel")
        }
        _ => complaint,
    });
    drop(limits);
    let numeric = numeric?;
    let v = w.for_sweep(y);
    let tolerance = agreement::within(y, &variables, &graph.nodes);
    let mut symbolic = match symbols {
        true => in_symbols(graph, y, variables)?,
        false => Vec::new(),
    }
    .into_iter();
    let draft = |(jacobian, leaf): (Jacobian<f64>, &Reached)| {
        let symbolic = symbolic.next().unwrap_or_default();
        let product = jacobian.left_multiply(v.data());
        let scale = jacobian.left_magnitude(v.data());
        let contribution = leaf.gradient.value();
        let verdict = agreement::compare(contribution.data(), &product, &scale, tolerance);
        Draft {
            vjp: Tensor::new(&leaf.leaf.shape(), product),
            jacobian,
            symbolic,
            contribution,
            verdict,
            apart: None,
        }
    };
    Ok(numeric.into_iter().zip(leaves).map(draft).collect())
}

fn variables(leaves: &[Reached]) -> Vec<Variable> {
    leaves.iter().map(|r| r.leaf.clone()).collect()
}

/// J in symbols, left for whoever looks at it unless a Function of the program takes part.
fn in_symbols(
    graph: &Graph,
    y: &Variable,
    leaves: Vec<Variable>,
) -> Result<Vec<Symbolic>, Box<Complaint>> {
    // Names as they are now: they may stand for something else when somebody looks.
    let names = graph.names(&leaves).into_iter();
    let names: HashMap<usize, String> = names.map(|(id, name)| (id, name.in_formula())).collect();
    let (y, count) = (y.clone(), leaves.len());
    let search = move || {
        let name = |x: &Variable| names.get(&x.id()).cloned();
        vjp_eval::record::symbolic::search(&y, &leaves, &name)
    };
    match graph.nodes.iter().all(|n| n.operation().method().is_none()) {
        true => Ok(Symbolic::later(count, search)),
        false => Ok(Symbolic::known(search()?)),
    }
}

#[allow(clippy::too_many_arguments)]
fn tell(
    m: &mut Machine,
    (y, w): (&Variable, &Weights),
    graph: &Graph,
    reached: &[Reached],
    drafts: Vec<Draft>,
    request: &Request,
    site: &Site,
    again: bool,
) {
    let Graph { nodes, places } = graph;
    let leaves = &variables(reached);
    let mut names = graph.names(leaves);
    let said: Vec<Option<Cause>> = drafts.iter().map(|d| d.apart.clone()).collect();
    m.flush_echoes();
    let (output, named) = places.output(y, site, request.output);
    let linear = slope::is_linear(nodes, leaves) && !leaves.iter().any(value_reads::has);
    let method = nodes.iter().find_map(|n| n.operation().method());
    let mut reports: Vec<LeafReport> = reached
        .iter()
        .zip(drafts)
        .map(|(Reached { leaf: x, before, .. }, d)| {
            let name = names.remove(&x.id()).unwrap_or_default();
            LeafReport {
                earlier: name.earlier,
                deleted: name.earlier && m.global(Symbol::new(&name.name)).is_none(),
                turn: name.turn,
                name: name.name,
                value: x.value(),
                identity: y.same(x),
                linear: linear && !chosen(&d.jacobian),
                flat: slope::is_flat(nodes, x),
                grad: x.grad().map_or_else(|| d.contribution.clone(), |g| g.value()),
                jacobian: d.jacobian,
                symbolic: d.symbolic,
                vjp: d.vjp,
                contribution: d.contribution,
                grad_before: before.clone(),
                agrees: d.verdict.agrees(),
                max_difference: d.verdict.largest,
                differing: d.verdict.differing,
                unlike_text: matches!(
                    d.apart,
                    Some(
                        Cause::Text { .. }
                            | Cause::Rounding { sure: true, .. }
                            | Cause::Triangle { .. }
                    )
                ),
                method,
            }
        })
        .collect();
    let corners = match w.repeated {
        true => Vec::new(),
        false => crate::disagreement::corners(y, leaves),
    };
    let edges = match again && !w.repeated {
        true => edges::of(m, y, nodes, leaves, &reports, &corners),
        false => Vec::new(),
    };
    let changed = disagreement::changed(nodes, leaves);
    let stale = |k: usize| changed.iter().any(|(leaf, _)| *leaf == k);
    let edges: Vec<EdgeReport> = edges.into_iter().filter(|e| !stale(e.leaf)).collect();
    let rewritten = disagreement::rewritten(m, nodes);
    let mut said = without_edges(&mut reports, said, &edges);
    if !rewritten.is_empty() {
        // What the text gives today is not what y was computed from.
        said.retain(|cause| !matches!(cause, Cause::Fixed { .. }));
    }
    let tolerance = agreement::within(y, leaves, nodes);
    right_at_kinks(&mut reports, &edges, &w.for_sweep(y), tolerance);
    let mut causes = match said.iter().any(|c| matches!(c, Cause::Text { .. })) {
        true => Vec::new(),
        false => crate::disagreement::of(m, y, w, leaves, &reports),
    };
    causes.extend(said);
    let leaf = |(k, _): &(usize, &Variable)| reports[*k].name.clone();
    for leaf in changed.iter().map(leaf).chain(rewritten) {
        causes.push(Cause::Changed { leaf, output: output.clone() });
    }
    if causes.is_empty() && again {
        causes.extend(magnified(m, y, &w.for_sweep(y), nodes, &output));
    }
    let again = self::again(m, y, &output, &reports);
    let unreached = unreached::unreached(m, nodes, &output, places, leaves);
    m.told += 1;
    m.past.tells(m.told);
    m.undone.clear();
    let event = Rc::new(Backward {
        output,
        named,
        value: y.value(),
        echoed: m.was_echoed(y),
        v: w.tensor.clone(),
        implicit: w.implicit,
        repeated: w.repeated,
        corners,
        edges,
        unreached,
        choices: disagreement::choices(nodes),
        held: disagreement::taken(m, nodes),
        causes,
        explain_indices: m.indexed && !std::mem::replace(&mut m.explained_indices, m.indexed),
        source: site.source.clone(),
        span: site.span,
        repeats: m.repeats(),
        call: m.swept.get(&line_of(site)).copied().unwrap_or(1),
        serial: m.told,
        leaves: reports,
        again,
        trial: None,
    });
    // The numbers of a gradient came from y, though no path says so.
    for grad in leaves.iter().filter_map(Variable::grad) {
        let _ = grad.stepped_from(y);
    }
    let latest = Rc::new(Latest {
        asked: m.past.asked,
        y: y.clone(),
        v: w.for_sweep(y),
        leaves: leaves.clone(),
        event: Rc::clone(&event),
    });
    m.latest = Some(Rc::clone(&latest));
    m.past.undrawn = None;
    // What went wrong before is over.
    m.wonder = None;
    m.emit(Event::Backward(event));
    (m.hints.swept)(m, &latest, nodes);
    if w.repeated {
        m.note("repeated", gradient_argument::repeated_note(&w.tensor));
    }
}

/// The line of a call.
fn line_of(site: &Site) -> (u32, u32) {
    (site.source.id(), site.source.line_of(site.span.start) as u32)
}

/// What the program's text says, but for an edge: there no path is missing, its slope is another.
fn without_edges(
    reports: &mut [LeafReport],
    said: Vec<Option<Cause>>,
    edges: &[EdgeReport],
) -> Vec<Cause> {
    let said = reports.iter_mut().zip(said).enumerate().filter_map(|(k, (report, cause))| {
        let cause = cause?;
        let is_edge = |j: &usize| edges.iter().any(|e| e.leaf == k && e.column == *j);
        match &cause {
            Cause::Fixed { at, .. } if is_edge(at) => return None,
            Cause::Text { .. } if report.differing.iter().all(is_edge) => {
                (report.agrees, report.unlike_text) = (true, false);
                report.differing.clear();
                return None;
            }
            _ => {}
        }
        Some(cause)
    });
    said.collect()
}

/// At a kink any slope between those of the two sides is right: a Function's backward may take another than
/// its forward's J.
fn right_at_kinks(reports: &mut [LeafReport], edges: &[EdgeReport], v: &Tensor, tolerance: f64) {
    for (k, report) in reports.iter_mut().enumerate().filter(|(_, r)| r.method.is_some()) {
        let (given, vjp) = (report.contribution.clone(), report.vjp.clone());
        let right = |j: &usize| {
            let here = edges.iter().filter(|e| e.leaf == k && e.column == *j && e.values.is_none());
            let (mut low, mut high) = (vjp.data()[*j], vjp.data()[*j]);
            for e in here {
                let change = |slope: f64| v.data()[e.row] * (slope - e.taken);
                let [a, b] = e.slopes.map(change);
                (low, high) = (low + a.min(b).min(0.0), high + a.max(b).max(0.0));
            }
            let room = tolerance.max(1e-6) * high.abs().max(low.abs()).max(1.0);
            (low - room..=high + room).contains(&given.data()[*j])
        };
        report.differing.retain(|j| !right(j));
        report.agrees = report.differing.is_empty();
    }
}

/// Whether a path was not chosen by value; asked of Jacobians small enough to be shown whole.
fn chosen(j: &Jacobian<f64>) -> bool {
    j.stored() <= 64 && j.present().any(|(_, _, e)| matches!(e, Entry::Unchosen))
}

/// The statement that computed y, where a leaf's name has a new value.
pub fn again(m: &Machine, y: &Variable, output: &str, leaves: &[LeafReport]) -> Option<String> {
    let renewed = |r: &LeafReport| {
        let elsewhere = r.deleted || r.name == output || moved(m, &r.name);
        r.earlier && !elsewhere && renewed_after(m, &r.name, y)
    };
    leaves.iter().any(renewed).then(|| computed_by(m, y)).flatten()
}

/// Whether what a name represents now was made after y.
fn renewed_after(m: &Machine, name: &str, y: &Variable) -> bool {
    let value = m.global(Symbol::new(name));
    value.and_then(|v| vjp_eval::leaf::existing(&v)).is_none_or(|v| v.id() > y.id())
}

/// Whether a name now represents something that was computed from the leaf it was.
fn moved(m: &Machine, name: &str) -> bool {
    let value = m.global(Symbol::new(name));
    let now = value.and_then(|v| vjp_eval::leaf::existing(&v));
    now.is_some_and(|v| unreached::leads_from(&v, name))
}

/// The statement that computed y, where it can be typed again.
fn computed_by(m: &Machine, y: &Variable) -> Option<String> {
    let place = y.node()?.place();
    let text = vjp_eval::record::source_lookup::statement(m.source_of(place.source)?, place.span);
    text.filter(|text| !text.starts_with("return"))
}
