//! `:why`: what went wrong last, or why a name has no gradient, followed back through the statements that
//! were carried out.

use crate::path::broken_path::{Break, Cutter, breaks, leaves_inside};
use crate::path::first_backward::first_backward;
use crate::path::fixes::{self, Goal};
use crate::path::path_cutters::block_around;
use std::collections::HashSet;
use vjp_eval::language::exception::raise::NoPath;
use vjp_eval::leaf::naming::held;
use vjp_eval::record::bindings::read;
use vjp_eval::record::event::{Remark, Shown, ValueEvent};
use vjp_eval::record::held::Wonder;
use vjp_eval::record::questions::Reasons;
use vjp_eval::record::source_lookup;
use vjp_eval::record::statements::{Statement, slice, statements};
use vjp_eval::{Fault, Help, Machine, Note, Value};
use vjp_maths::Variable;
use vjp_maths::autodiff::variable::Cut;
use vjp_syntax::ast::{Expr, ExprKind, StmtKind};
use vjp_tensor::{Complaint, Fact, Kind, Outcome, Tensor};
use vjp_text::{Source, Span, Symbol};

/// Breaks that are told.
const TOLD: usize = 3;

/// Answers `:why` and `:why NAME`.
pub fn why(m: &mut Machine, name: &str) -> Outcome<Reasons> {
    if !name.is_empty() {
        return why_name(m, name).map(Reasons::of);
    }
    let (failed, later) = match &m.wonder {
        Some(Wonder::Failed { fault, later }) => (Some(fault.clone()), *later),
        Some(Wonder::NoPath { later, .. }) => (None, *later),
        _ => (None, false),
    };
    let mut reasons = Reasons::of(why_now(m)?);
    if let Some(fault) = failed {
        reasons.names = if later { Vec::new() } else { values(m, &fault) };
        reasons.failed = Some(fault);
    }
    if later {
        let says = "the last input had no error; this is about the error before it:";
        reasons.notes.insert(0, plain(says.to_owned()));
    }
    Ok(reasons)
}

/// What the names in the statement that failed stand for: as before it, since it changed nothing.
fn values(m: &mut Machine, fault: &Fault) -> Vec<ValueEvent> {
    let Some(statement) = source_lookup::tree(&fault.source, fault.span) else {
        return Vec::new();
    };
    let mut names: Vec<Symbol> = Vec::new();
    read(&statement, &mut |name| names.push(name));
    // Names of a function are gone with its call.
    let own = source_lookup::own_names(&fault.source, fault.span);
    let mut seen = HashSet::new();
    names.retain(|name| !own.contains(name) && seen.insert(*name));
    // Functions, modules and the like are not told by their values.
    let data = |value: &Value| {
        let list = matches!(value, Value::List(_) | Value::Tuple(_) | Value::Dict(_));
        let tensor = vjp_eval::leaf::existing(value).is_some();
        let array = matches!(value, Value::Array(_) | Value::NpScalar(..));
        let number = matches!(value, Value::Int(_) | Value::Long(_) | Value::Float(_));
        list || tensor || array || number || matches!(value, Value::Str(_) | Value::None)
    };
    let mut all = Vec::new();
    for name in names {
        let Some(value) = m.global(name).filter(data) else { continue };
        let (shown, remark) = m.shown(&value);
        let shape = |t: &Tensor| (t.rank() > 0).then(|| Remark::Shape { shape: t.shape().into() });
        let remark = remark.or_else(|| match &shown {
            Shown::Tensor(t) => shape(t),
            _ => None,
        });
        all.push(ValueEvent { name: Some(name.to_string()), shown, remark });
    }
    all
}

fn why_now(m: &mut Machine) -> Outcome<Vec<Note>> {
    let wonder = m.wonder.clone().filter(|w| match w {
        Wonder::NotFinite { name } => birth_of(m, name).is_some(),
        _ => true,
    });
    match wonder {
        Some(Wonder::NotFinite { name }) => why_name(m, &name),
        None if let Some(note) = differs(m) => Ok(vec![note]),
        None if let Some((name, object)) = not_reached(m) => Ok(why_no_gradient(m, &name, &object)),
        None => Err(Complaint::new(
            Kind::Value,
            "there is nothing to explain now, and no gradient is missing",
        )
        .hint(asks_about(m))),
        Some(Wonder::NoGrad { name, object, notes }) => {
            let id = |v: Value| vjp_eval::leaf::existing(&v).map(|x| x.id());
            let now = m.global(Symbol::new(&name)).and_then(id);
            let again = now.is_some() && now != id(object.clone());
            match again {
                // What is said holds for what the name stood for then.
                true => {
                    let says = format!(
                        "{name} was assigned again since then; this is about the {name} before:"
                    );
                    let before = notes.into_iter().map(|note| Note { help: Vec::new(), ..note });
                    Ok(std::iter::once(plain(says)).chain(before).collect())
                }
                false => Ok(why_no_gradient(m, &name, &object)),
            }
        }
        Some(Wonder::NoPath { source, no_path, statement, .. }) => {
            Ok(why_no_path(m, &source, &no_path, statement))
        }
        Some(Wonder::Failed { fault, .. }) => Ok(of_fault(&fault)),
    }
}

/// Where what is not finite in the gradient of what a name stands for began.
fn birth_of(m: &Machine, name: &str) -> Option<Note> {
    let leaf = m.global(Symbol::new(name)).and_then(|v| vjp_eval::leaf::existing(&v))?;
    m.past.birth(&leaf).cloned()
}

/// What `:why` can be asked here.
fn asks_about(m: &Machine) -> String {
    let (_, x) = m.past.last();
    match m.binds(x) {
        true => format!(":why {x}  explains {x}"),
        false => format!("{}  runs a backward", first_backward(m)),
    }
}

fn why_name(m: &mut Machine, name: &str) -> Outcome<Vec<Note>> {
    let name = asked_name(m, name.trim());
    let name = name.split_once(".grad").map_or(name, |(name, _)| name);
    let inside =
        || held(m).into_iter().find(|(path, _)| path == name).map(|(_, v)| Value::Tensor(v));
    if let Some(object) = m.global(Symbol::new(name)).or_else(inside) {
        return Ok(why_no_gradient(m, name, &object));
    }
    // An element has the gradient of its tensor: `x[0]`.
    let whole = name.split('[').next().unwrap_or(name).trim();
    if let Some(object) = m.global(Symbol::new(whole)) {
        return Ok(why_no_gradient(m, whole, &object));
    }
    let is_name = whole.starts_with(|c: char| c.is_alphabetic() || c == '_');
    Err(Complaint::new(
        Kind::Value,
        match is_name {
            true => format!("{whole} is not defined"),
            false => ":why takes a name".to_owned(),
        },
    )
    .hint(asks_about(m)))
}

/// Of a question in words, what it asks about: `x.grad` of `is x.grad None`.
fn asked_name<'a>(m: &Machine, asked: &'a str) -> &'a str {
    let words = || asked.split_whitespace();
    let bound = |word: &&str| {
        let root = word.split(['.', '[']).next().unwrap_or(word);
        m.global(Symbol::new(root)).is_some()
    };
    match words().count() {
        0 | 1 => asked,
        _ => words()
            .find(|word| word.contains(".grad"))
            .or_else(|| words().find(bound))
            .unwrap_or(asked),
    }
}

/// The first parameter of a module that a name stands for.
fn parameter_of(m: &Machine, name: &str) -> Option<String> {
    let below =
        |path: &str| path.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '[']));
    let held = vjp_eval::leaf::naming::held(m).into_iter();
    held.filter(|(path, x)| below(path) && x.is_parameter()).map(|(path, _)| path).next()
}

/// Why `name.grad` is None, or what it holds.
pub(crate) fn why_no_gradient(m: &mut Machine, name: &str, object: &Value) -> Vec<Note> {
    let Some(x) = vjp_eval::leaf::existing(object) else {
        if let Some(parameter) = parameter_of(m, name) {
            let says =
                format!("{name} is a module: its parameters have gradients, as {parameter}.grad");
            return vec![plain(says)];
        }
        return of_constant(m, name, "holds no numbers, so it has no gradient");
    };
    if let Some(birth) = m.past.birth(&x) {
        return vec![birth.clone()];
    }
    if let Some(grad) = x.grad() {
        let numbers = vjp_backward::weight_labels::short(&grad.value());
        let says = match (numbers.is_empty(), accumulated(m, &x)) {
            (true, _) => format!("{name} has a gradient: {name}.grad, of shape {:?}", grad.shape()),
            (false, None) => format!("{name} has a gradient: {name}.grad = {numbers}"),
            (false, Some((before, added))) => {
                let says = format!(
                    "{name}.grad = {numbers}: the last backward added {added} to the {before} from before"
                );
                let mut note = plain(says);
                let code = format!("{name}.grad = None");
                note.help
                    .push(Help { code, says: "before a backward makes it start from zero".into() });
                return vec![note];
            }
        };
        return vec![plain(says)];
    }
    if !x.requires_grad() {
        return of_constant(
            m,
            name,
            "does not require a gradient, and was not computed from a leaf that does",
        );
    }
    let Some(mut note) = crate::unreached::why_none(m, object, name) else {
        return Vec::new();
    };
    if !x.is_leaf() {
        if let Some((source, span)) = super::notes::computed_at(m, &x) {
            note.at = Some((span, "computed here".into()));
            note.source = Some(source.text().to_string());
        }
        return vec![note];
    }
    let undone = m.undone.contains(&x.id());
    if let Some(output) = m.past.missed(&x).filter(|_| !undone) {
        let found = breaks_between(m, name, &output);
        if !found.is_empty() {
            return found;
        }
    }
    vec![note]
}

/// What a leaf's gradient was before the last backward, and what that added.
fn accumulated(m: &Machine, x: &Variable) -> Option<(String, String)> {
    let latest = m.latest.as_ref()?;
    let k = latest.leaves.iter().position(|leaf| leaf.same(x))?;
    let leaf = latest.event.leaves.get(k)?;
    let before = leaf.grad_before.as_ref().filter(|g| g.data().iter().any(|v| *v != 0.0))?;
    let [before, added] = [before, &leaf.contribution].map(vjp_backward::weight_labels::short);
    (!before.is_empty() && !added.is_empty()).then_some((before, added))
}

/// Where the way from a leaf to the last output breaks, with fixes.
pub(crate) fn breaks_between(m: &mut Machine, leaf: &str, output: &str) -> Vec<Note> {
    let all = statements(m);
    let source = Source::new(format!("{output}.backward()"));
    let span = Span::new(0, output.len());
    let found = breaks(m, &all, &source, span, Some(Symbol::new(leaf)));
    let statement = Span::new(0, source.text().len());
    let y = m.global(Symbol::new(output)).and_then(|v| vjp_eval::leaf::existing(&v));
    let shape = y.map_or(Vec::new(), |y| y.shape().to_vec());
    notes(m, &all, &found, &source, (span, &shape), statement, Some(leaf))
}

fn why_no_path(m: &mut Machine, source: &Source, no_path: &NoPath, statement: Span) -> Vec<Note> {
    let (output, shape) = (no_path.output, no_path.shape.as_slice());
    let all = statements(m);
    let found = breaks(m, &all, source, output, None);
    let notes = notes(m, &all, &found, source, (output, shape), statement, None);
    if !notes.is_empty() {
        return notes;
    }
    let name = source.slice(output).trim();
    if let Some(cut) = no_path.cut.as_ref().and_then(|cut| place(m, cut)) {
        return vec![cut_off(name, cut)];
    }
    vec![plain(format!("{name} was not computed from a leaf that requires a gradient"))]
}

/// Where the output of a `backward` stands that was made a plain number, and the shape of a number.
pub(crate) fn cut_to_number(m: &Machine, source: &Source, at: Span, fact: &Fact) -> Option<NoPath> {
    let Fact::NoAttribute { class, name } = fact else {
        return None;
    };
    let end = source.slice(at).find(".backward")?;
    let output = Span { start: at.start, end: at.start + end as u32 };
    let number = matches!(class.as_str(), "float" | "int" | "bool") || class.starts_with("numpy.");
    let cut =
        name == "backward" && number && !breaks(m, &statements(m), source, output, None).is_empty();
    cut.then(|| NoPath { output, shape: Vec::new(), cut: None })
}

/// What an error can tell of a result that no leaf leads to.
pub(crate) fn tell_no_path(
    m: &mut Machine,
    source: &Source,
    no_path: &NoPath,
    statement: Span,
    told: &mut vjp_eval::language::exception::raise::Told,
) {
    let (output, shape) = (no_path.output, no_path.shape.as_slice());
    let name = source.slice(output).trim().to_string();
    let all = statements(m);
    let found = breaks(m, &all, source, output, None);
    let cut = no_path.cut.as_ref().filter(|_| found.is_empty()).and_then(|cut| place(m, cut));
    told.label = Some(match !found.is_empty() || cut.is_some() {
        true => format!("the graph has no path from a leaf to {name}"),
        false => format!("{name} was not computed from a leaf that requires a gradient"),
    });
    let is_cut = cut.is_some();
    if let Some(cut) = cut {
        told.help.extend(cut.help());
        told.elsewhere.push((cut.source, cut.marked, cut.says.into()));
    }
    let first = &found[..found.len().min(1)];
    let notes = notes(m, &all, first, source, (output, shape), statement, None);
    for (b, note) in found.iter().zip(notes) {
        told.elsewhere.push((b.source.clone(), b.marked(), b.cutter.says().into()));
        told.help.extend(note.help);
    }
    if told.help.is_empty() && !is_cut && !m.strict() {
        told.help.extend(list_to_leaf(m, &all, &self::names(&name)));
    }
    let leafless = leaves_inside(m).is_empty();
    if told.help.is_empty() && !is_cut && leafless && found.iter().all(|b| b.cutter == Cutter::Flag)
    {
        // Tab puts it on the line: no name of the program may be lost by it.
        let free = |name: &str| m.global(Symbol::new(name)).is_none();
        let mut pairs = [("x", "y"), ("a", "b"), ("p", "q")].into_iter();
        let (x, y) = pairs.find(|(x, y)| free(x) && free(y)).unwrap_or(("x", "y"));
        let (code, says) = match m.strict() {
            true => (format!("{x} = torch.tensor([1., 2.], requires_grad=True)"), "makes a leaf"),
            false => (format!("{x} = [1, 2]; {y} = 3*{x}^2"), "makes a leaf and a function of it"),
        };
        told.help.push(Help { code, says: says.into() });
    }
}

/// `x = [1., sqrt(2)]`: only a list of numbers as they are written is a leaf by itself.
fn list_to_leaf(m: &Machine, all: &[Statement], names: &[Symbol]) -> Option<Help> {
    let list = |k: usize| {
        let StmtKind::Assign { targets, value } = &all[k].tree.kind else { return None };
        let [Expr { kind: ExprKind::Name(name), .. }] = targets.as_slice() else { return None };
        let is_list = matches!(value.kind, ExprKind::List(_));
        let holds = matches!(m.global(*name), Some(Value::List(l)) if l.numeric.get());
        let text = all[k].source.slice(value.span);
        (is_list && holds && !text.contains('\n')).then(|| Help {
            code: format!("{name} = torch.tensor({text}, requires_grad=True)"),
            says: "makes a leaf of it: a list is one by itself if it holds plain numbers".into(),
        })
    };
    slice(m, all, names).into_iter().find_map(list)
}

fn notes(
    m: &mut Machine,
    all: &[Statement],
    found: &[Break],
    source: &Source,
    (output, shape): (Span, &[usize]),
    statement: Span,
    leaf: Option<&str>,
) -> Vec<Note> {
    let names = names(source.slice(output));
    let weights = vjp_backward::weight_labels::ones(m, source.slice(output).trim(), shape);
    let mut notes = Vec::new();
    for b in found.iter().take(TOLD) {
        let way = way_to(m, all, b, leaf);
        let goal = Goal {
            source,
            span: statement,
            names: &names,
            weights: weights.as_deref(),
            leaf: way.first().map(String::as_str),
        };
        let help = fixes::out(m, all, b, &goal);
        notes.push(note(b, leaf, &way, source.slice(output).trim(), help));
    }
    notes
}

/// The way from a leaf (the one asked about, or any) to what is cut, by names.
fn way_to(m: &Machine, all: &[Statement], b: &Break, wanted: Option<&str>) -> Vec<String> {
    let mut names: Vec<(Symbol, Option<usize>)> = Vec::new();
    let add = |names: &mut Vec<(Symbol, Option<usize>)>, new: Vec<Symbol>, by| {
        for name in new {
            if names.iter().all(|(n, _)| *n != name) {
                names.push((name, by));
            }
        }
    };
    add(&mut names, self::names(b.source.slice(b.inner)), None);
    let from = b.statement.map_or(0, |k| k + 1);
    let mut k = 0;
    while let Some(&(name, _)) = names.get(k) {
        let value = m.global(name).and_then(|v| vjp_eval::leaf::existing(&v));
        let found = match wanted {
            Some(wanted) => name.as_str() == wanted,
            None => value.is_some_and(|v| v.is_leaf() && v.requires_grad()),
        };
        if found {
            let on = |at: &usize| names[*at].1;
            let way = std::iter::successors(Some(k), on);
            return way.map(|at| names[at].0.to_string()).collect();
        }
        if let Some(s) = all.iter().skip(from).find(|s| s.binds(name)) {
            add(&mut names, s.reads(), Some(k));
        }
        k += 1;
    }
    wanted.map(str::to_string).into_iter().collect()
}

/// `w = w - lr*w.grad`, where nothing is recorded.
pub(crate) fn step_not_recorded(m: &Machine, name: &str, x: &Variable) -> Option<Note> {
    let cut = place(m, &*x.cut()?).filter(|_| !x.requires_grad())?;
    let help = step_of_leaf(&cut.source, cut.at)?;
    Some(Note {
        text: format!("{name} is no longer a leaf: the step made a new tensor, without a gradient"),
        at: Some((cut.at, "computed here".into())),
        help: vec![help],
        source: Some(cut.source.text().to_string()),
    })
}

fn of_constant(m: &mut Machine, name: &str, otherwise: &str) -> Vec<Note> {
    let object = m.global(Symbol::new(name)).and_then(|v| vjp_eval::leaf::existing(&v));
    if let Some(note) = object.and_then(|x| step_not_recorded(m, name, &x)) {
        return vec![note];
    }
    let all = statements(m);
    let source = Source::new(format!("{name}.backward()"));
    let span = Span::new(0, name.len());
    let found = breaks(m, &all, &source, span, None);
    let notes: Vec<Note> = found
        .iter()
        .take(TOLD)
        .map(|b| {
            let way = way_to(m, &all, b, None);
            note(b, None, &way, name, Vec::new())
        })
        .collect();
    let object = m.global(Symbol::new(name)).and_then(|v| vjp_eval::leaf::existing(&v));
    match object.and_then(|x| place(m, &*x.cut()?)) {
        _ if !notes.is_empty() => notes,
        Some(cut) => vec![cut_off(name, cut)],
        None => vec![plain(format!("{name} {otherwise}"))],
    }
}

/// What is said of the place of a cut.
const PASSES: &str = "the values pass through, the gradient does not";

/// Where a cut was made: what computes, and what is marked with what is said of it.
struct CutPlace {
    source: Source,
    at: Span,
    marked: Span,
    says: &'static str,
}

impl CutPlace {
    /// How the gradient would go on.
    fn help(&self) -> Option<Help> {
        if self.marked != self.at {
            return Some(Help::words(
                "what is computed outside the block has a gradient".to_owned(),
            ));
        }
        let ends = [".detach()", ".data"];
        let text = self.source.slice(self.at);
        let ends = ends.iter().find(|end| text.ends_with(**end));
        step_of_leaf(&self.source, self.at).or_else(|| {
            ends.map(|end| Help::words(format!("without {end} the gradient passes through")))
        })
    }
}

/// Where a cut was made, if its text is still there.
fn place(m: &Machine, cut: &Cut) -> Option<CutPlace> {
    let (source, at) = (m.source_of(cut.place.source)?.clone(), cut.place.span);
    if cut.stepped || at.end <= at.start {
        return None;
    }
    // A step that was to keep its leaf says so itself.
    let block = block_around(&source, at).filter(|_| step_of_leaf(&source, at).is_none());
    Some(match block {
        Some(marked) => CutPlace { source, at, marked, says: Cutter::NoGrad.says() },
        None => CutPlace { source, at, marked: at, says: PASSES },
    })
}

fn cut_off(name: &str, cut: CutPlace) -> Note {
    Note {
        text: format!("the path to {name} is cut here"),
        at: Some((cut.marked, cut.says.into())),
        help: cut.help().into_iter().collect(),
        source: Some(cut.source.text().to_string()),
    }
}

/// `w = w - 0.1*w.grad`, where nothing is recorded: what it makes is no longer a leaf.
fn step_of_leaf(source: &Source, at: Span) -> Option<Help> {
    let before = source.text().get(..at.start as usize)?.trim_end().strip_suffix('=')?.trim_end();
    let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |k| k + 1);
    let name = &before[start..];
    let change = source.slice(at).strip_prefix(name)?.trim_start();
    let sign = change.chars().next().filter(|c| matches!(c, '-' | '+'))?;
    let by = change[1..].trim();
    by.contains(&format!("{name}.grad")).then(|| Help {
        code: format!("{name}.requires_grad_()"),
        says: format!(
            "makes {name} a leaf again; a step that keeps it one is  with torch.no_grad(): {name} {sign}= {by}"
        ),
    })
}

/// Names in a text.
pub(crate) fn names(text: &str) -> Vec<Symbol> {
    let Ok(program) = vjp_syntax::parse(&Source::new(text), Default::default()) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for s in &program.body {
        vjp_eval::record::bindings::read(s, &mut |n| {
            if !all.contains(&n) {
                all.push(n);
            }
        });
    }
    all
}

fn note(b: &Break, missed: Option<&str>, way: &[String], output: &str, help: Vec<Help>) -> Note {
    let mut path: Vec<&str> = way.iter().map(String::as_str).collect();
    let rest = b.path.iter().map(String::as_str);
    path.extend(rest.filter(|name| !way.iter().any(|w| w == name)));
    if path.last() != Some(&output) && (path.is_empty() || output.chars().count() <= 20) {
        path.push(output);
    }
    let path = path.join(" → ");
    let text = match (b.cutter, missed) {
        (Cutter::Flag, _) if !path.contains('→') => format!("{path} does not require a gradient"),
        (Cutter::Flag, _) => format!("nothing on the path {path} requires a gradient"),
        (_, Some(leaf)) => format!("no gradient reached {leaf}: the path {path} is cut here"),
        (_, None) if !path.contains('→') => format!("the path to {path} is cut here"),
        (_, None) => format!("the path {path} is cut here"),
    };
    Note {
        text,
        at: Some((b.marked(), b.cutter.says().into())),
        help,
        source: Some(b.source.text().to_string()),
    }
}

/// A leaf that the last backward did not reach, and has no gradient.
fn not_reached(m: &Machine) -> Option<(String, Value)> {
    let unreached = m.latest.as_ref()?.event.unreached.iter();
    let known = |name: &str| {
        let value = m.global(Symbol::new(name))?;
        let bare = vjp_eval::leaf::existing(&value).is_some_and(|x| x.grad().is_none());
        bare.then_some(value)
    };
    unreached.map(|u| &u.name).find_map(|name| Some((name.clone(), known(name)?)))
}

/// That a gradient of the last backward is not vᵀJ.
fn differs(m: &Machine) -> Option<Note> {
    let latest = m.latest.as_ref()?;
    let leaf = latest.event.leaves.iter().find(|leaf| !leaf.agrees)?;
    let text = match leaf.method {
        Some(_) => format!(
            "{}.grad comes from the Function's own backward, vᵀJ from its forward: they do not agree",
            leaf.name
        ),
        None => format!("{}.grad differs from vᵀJ: the lines below the panel say why", leaf.name),
    };
    let help = |code: &str, says: &str| Help { code: code.to_owned(), says: says.to_owned() };
    let help = vec![
        help(":panel", "shows the panel again"),
        help(":check", "compares both with differences of y"),
    ];
    Some(Note { help, ..plain(text) })
}

fn plain(text: String) -> Note {
    Note { text, at: None, help: Vec::new(), source: None }
}

/// What an error told, place by place.
fn of_fault(fault: &Fault) -> Vec<Note> {
    let source = |s: &Source| Some(s.text().to_string()).filter(|t| !t.is_empty());
    let mut notes = vec![Note {
        text: fault.message.lines().next().unwrap_or("").to_string(),
        at: Some((fault.span, fault.label.clone().unwrap_or_default())),
        help: fault.help.clone(),
        source: source(&fault.source),
    }];
    for (text, span, label) in &fault.elsewhere {
        notes.push(Note {
            text: label.clone(),
            at: Some((*span, String::new())),
            help: Vec::new(),
            source: source(text),
        });
    }
    notes
}
