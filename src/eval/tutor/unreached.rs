//! Where a gradient did not come, and why: a path that was cut, a backward that never ran.

use super::why::Wonder;
use crate::language::exception::raise::Halt;
use crate::language::machine::Machine;
use crate::leaf::naming::Places;
use crate::record::event::{Event, Help, Note, Unreached};
use crate::tutor::check::Latest;
use crate::values::value::Value;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use vjp_maths::autodiff::node::{Edge, Node, Origin};
use vjp_maths::autodiff::reverse::ancestors;
use vjp_maths::autodiff::variable::{Cut, Variable};
use vjp_syntax::ast::{Expr, ExprKind, TrailerKind};
use vjp_text::source::{Source, Span};

/// What the backwards of a session reached, for questions asked later.
#[derive(Clone, Default)]
pub struct Past {
    /// Leaves that got a gradient at some time.
    reached: HashSet<usize>,
    /// Leaves a later backward might have reached, with the cut and the output's name.
    cut: HashMap<usize, (Rc<Cut>, String)>,
    /// Implicit leaves that counted as constants, with an explicit one beside them.
    beside: HashMap<usize, String>,
    pub ran: bool,
    /// Leaves whose gradient is not finite, and where that began.
    born: HashMap<usize, Note>,
    /// How many backwards and gradchecks were asked for.
    pub asked: usize,
    /// Where the last backward stands.
    pub swept: Option<(Source, Span)>,
    /// Names of the last output and of its first leaf.
    last: Option<(String, String)>,
}

impl Machine {
    /// Keeps where numbers in gradients that are not finite came from: a later sum hides it.
    pub(crate) fn remember_not_finite(&mut self, latest: &Latest) {
        let known = |x: &Variable| x.grad().is_some_and(|g| is_finite(&g));
        let (leaves, past) = (&latest.leaves, &mut self.past);
        leaves.iter().filter(|x| known(x)).for_each(|x| drop(past.born.remove(&x.id())));
        let new = |x: &Variable| !known(x) && !self.past.born.contains_key(&x.id());
        if !leaves.iter().any(new) {
            return;
        }
        for (k, note) in crate::backward::nan_birth::of(self, latest) {
            let leaf = &latest.leaves[k];
            self.past.born.entry(leaf.id()).or_insert(note);
            let name = latest.event.leaves[k].name.clone();
            self.wonder = Some(Wonder::NotFinite { name });
        }
    }
}

fn is_finite(v: &Variable) -> bool {
    v.value().data().iter().all(|x| x.is_finite())
}

impl Past {
    /// Where what is not finite in a leaf's gradient began.
    pub fn birth(&self, leaf: &Variable) -> Option<&Note> {
        self.born.get(&leaf.id()).filter(|_| leaf.grad().is_some_and(|g| !is_finite(&g)))
    }

    /// The last output, where no backward so far has reached a leaf.
    pub fn missed(&self, leaf: &Variable) -> Option<String> {
        let missed = self.ran && !self.reached.contains(&leaf.id());
        self.last.as_ref().filter(|_| missed).map(|(y, _)| y.clone())
    }

    /// Names of the last output and of its first leaf; `y` and `x` before there is one.
    pub fn last(&self) -> (&str, &str) {
        self.last.as_ref().map_or(("y", "x"), |(y, x)| (y, x))
    }
}

/// Leaves on the far side of a cut in the graph of `nodes`, but for those reached another way.
pub fn unreached(
    m: &mut Machine,
    nodes: &[Node],
    output: &str,
    places: &Places,
    reached: &[Variable],
) -> Vec<Unreached> {
    let cuts = cuts_below(nodes);
    m.past.ran = true;
    m.past.last =
        reached.first().and_then(|x| places.leaf(x)).map(|x| (output.to_string(), x.name));
    m.past.reached.extend(reached.iter().map(Variable::id));
    if let Some(first) = reached.first().filter(|x| !x.is_implicit()) {
        let name = places.leaf(first).unwrap_or_default().name;
        let leaves = nodes.iter().flat_map(|n| n.inputs()).filter_map(Edge::leaf);
        let constants = leaves.filter(|x| x.is_implicit()).map(|x| (x.id(), name.clone()));
        m.past.beside.extend(constants);
    }
    if cuts.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut seen: HashSet<usize> = reached.iter().map(Variable::id).collect();
    for cut in cuts {
        let Some(from) = cut.from.upgrade() else {
            continue;
        };
        for leaf in leaves_of(&from) {
            if !seen.insert(leaf.id())
                || leaf.is_implicit() != reached.first().is_some_and(Variable::is_implicit)
            {
                continue;
            }
            let Some(name) = places.leaf(&leaf).filter(|n| !n.earlier) else {
                continue;
            };
            m.past.cut.insert(leaf.id(), (Rc::clone(&cut), output.to_string()));
            out.push(Unreached { name: name.name, cut: text_of(m, &cut) });
        }
    }
    out
}

/// The cuts that constants of y's graph carry.
fn cuts_below(nodes: &[Node]) -> Vec<Rc<Cut>> {
    let inputs = nodes.iter().flat_map(|n| n.inputs());
    inputs.filter_map(|e| e.cut()).filter(|cut| !cut.stepped).collect()
}

pub fn leaves_of(v: &Variable) -> Vec<Variable> {
    let Some(node) = v.node() else {
        return vec![v.clone()];
    };
    let mut found: HashMap<usize, Variable> = HashMap::new();
    for n in ancestors([node]) {
        for e in n.inputs() {
            if let Origin::Leaf(x) = &e.origin {
                found.insert(x.id(), x.clone());
            }
        }
    }
    let mut leaves: Vec<Variable> = found.into_values().collect();
    leaves.sort_by_key(Variable::id);
    leaves
}

fn text_of(m: &Machine, cut: &Cut) -> String {
    m.source_of(cut.place.source)
        .map(|s| s.slice(cut.place.span).trim().to_string())
        .unwrap_or_default()
}

/// Why a `.grad` is None; `name` is the tensor as written.
pub fn why_none(m: &Machine, object: &Value, name: &str) -> Option<Note> {
    let x = crate::leaf::existing(object)?;
    let note = |text: String, help: Vec<Help>| Some(Note { text, at: None, help, source: None });
    if !x.requires_grad() {
        return note(
            format!("{name} does not require a gradient, so backward never sets {name}.grad"),
            vec![Help {
                code: format!("{name}.requires_grad_()"),
                says: "turns gradients on from here".into(),
            }],
        );
    }
    if !x.is_leaf() {
        return Some(match super::notes::leads_from(&x, name) {
            true => super::notes::no_leaf_any_more(m, name, &x),
            false => super::notes::non_leaf(name),
        });
    }
    if let Some((cut, output)) = m.past.cut.get(&x.id()) {
        return Some(cut_note(m, &x, name, cut, output));
    }
    if m.past.reached.contains(&x.id()) {
        return note(format!("{name}.grad was reset; the next backward sets it again"), Vec::new());
    }
    if let Some(explicit) = m.past.beside.get(&x.id()) {
        return Some(super::notes::constant_beside(name, explicit, &x));
    }
    if let Some(latest) = &m.latest
        && latest.leaves.iter().any(|l| l.name().as_deref() == Some(name) && !l.same(&x))
    {
        let y = &latest.event.output;
        let why = match x.id() > latest.y.id() {
            true => format!("this {name} was assigned after {y} was computed"),
            false => format!("{y} was computed from it"),
        };
        return note(format!("the gradient went to the earlier {name}: {why}"), Vec::new());
    }
    if m.past.ran {
        return note(
            format!(
                "no backward has reached {name}: the graph has no path from {name} to the differentiated value"
            ),
            Vec::new(),
        );
    }
    note(format!("no backward has run yet, so {name} has no gradient"), Vec::new())
}

/// `the path x → h → y is cut here`, with the line and a fix.
fn cut_note(m: &Machine, x: &Variable, name: &str, cut: &Rc<Cut>, output: &str) -> Note {
    let places = Places::of(m);
    let mut path = vec![name.to_string()];
    if let Some(from) = cut.from.upgrade()
        && !from.same(x)
        && let Some(p) = places.path(&from)
    {
        path.push(p.to_string());
    }
    path.push(output.to_string());
    let source = m.source_of(cut.place.source);
    let cutting = text_of(m, cut);
    let mut help = Vec::new();
    if let (Some(s), Some(stripped)) = (source, cutting.strip_suffix(".detach()"))
        && let Some(statement) = crate::record::source_lookup::statement(s, cut.place.span)
    {
        help.push(Help {
            code: statement.replacen(&cutting, stripped, 1),
            says: "without .detach()".into(),
        });
    }
    Note {
        text: format!("no gradient reached {name}: the path {} is cut here", path.join(" → ")),
        at: Some((cut.place.span, "the values pass through, the gradient does not".into())),
        help,
        source: source.map(|s| s.text().to_string()),
    }
}

impl Machine {
    /// Under a `x.grad` that is None: why.
    pub(crate) fn tell_why_none(&mut self, e: &Expr) -> Result<(), Halt> {
        let ExprKind::Trailers { base, trailers } = &e.kind else {
            return Ok(());
        };
        let Some((last, before)) = trailers.split_last() else {
            return Ok(());
        };
        let is_grad = matches!(&last.kind, TrailerKind::Attr(n) if n.symbol.as_str() == "grad");
        // Looking the object up again must do nothing else.
        let calls = before.iter().any(|t| matches!(t.kind, TrailerKind::Call(_)));
        if !is_grad || calls || !self.echoes() {
            return Ok(());
        }
        let object = self.eval_trailers(base, before, e.span)?;
        let end = before.last().map_or(base.span, |t| t.span);
        let name = self.source().slice(base.span.to(end)).to_string();
        self.ungraded = None;
        let notes = self.why_no_gradient(&name, &object);
        if let Some(note) = notes.first() {
            self.emit(Event::Note(note.clone()));
        }
        self.wonder = Some(Wonder::NoGrad { name, object, notes });
        Ok(())
    }
}
