//! `:why`: what went wrong last, or why a name has no gradient, followed back through the statements that
//! were carried out.

use crate::language::machine::Machine;
use crate::record::event::{Fault, Help, Note};
use crate::record::statements::{Statement, statements};
use crate::tutor::broken_path::{Break, Cutter, breaks};
use crate::tutor::fixes::{self, Goal};
use crate::values::value::Value;
use vjp_tensor::complaint::{Complaint, Kind, Outcome};
use vjp_text::names::Symbol;
use vjp_text::source::{Source, Span};

/// Breaks that are told.
const TOLD: usize = 3;

/// What a person may be wondering about.
#[derive(Clone)]
pub enum Wonder {
    /// An input failed.
    Failed(Box<Fault>),
    /// A result that no leaf leads to was to be differentiated: where it stands, and the statement.
    NoPath { source: Source, output: Span, shape: Vec<usize>, statement: Span },
    /// `name.grad` was None, and why.
    NoGrad { name: String, object: Value, notes: Vec<Note> },
    /// A gradient got numbers that are not finite.
    NotFinite { name: String },
}

impl Machine {
    /// Answers `:why` and `:why NAME`.
    ///
    /// # Errors
    /// Nothing to wonder about; a name that is not defined.
    pub fn why(&mut self, name: &str) -> Outcome<Vec<Note>> {
        if !name.is_empty() {
            return self.why_name(name);
        }
        let wonder = self.wonder.clone().filter(|w| match w {
            Wonder::NotFinite { name } => self.birth_of(name).is_some(),
            _ => true,
        });
        match wonder {
            Some(Wonder::NotFinite { name }) => self.why_name(&name),
            None => Err(Complaint::new(
                Kind::Value,
                "there is nothing to explain now, and no gradient is missing",
            )
            .hint(":why x  explains x")),
            Some(Wonder::NoGrad { name, object, notes }) => {
                let id = |v: Value| crate::leaf::existing(&v).map(|x| x.id());
                let now = self.global(Symbol::new(&name)).and_then(id);
                let again = now.is_some() && now != id(object.clone());
                match again {
                    // What is said holds for what the name stood for then.
                    true => {
                        let says = format!("{name} was assigned again since then");
                        Ok(notes.into_iter().chain([plain(says)]).collect())
                    }
                    false => Ok(self.why_no_gradient(&name, &object)),
                }
            }
            Some(Wonder::NoPath { source, output, shape, statement }) => {
                Ok(self.why_no_path(&source, (output, &shape), statement))
            }
            Some(Wonder::Failed(fault)) => Ok(of_fault(&fault)),
        }
    }

    /// Where what is not finite in the gradient of what a name stands for began.
    fn birth_of(&self, name: &str) -> Option<Note> {
        let leaf = self.global(Symbol::new(name)).and_then(|v| crate::leaf::existing(&v))?;
        self.past.birth(&leaf).cloned()
    }

    fn why_name(&mut self, name: &str) -> Outcome<Vec<Note>> {
        let name = name.trim();
        let name = name.split_once(".grad").map_or(name, |(name, _)| name);
        let Some(object) = self.global(Symbol::new(name)) else {
            return Err(Complaint::new(Kind::Value, format!("{name} is not defined")));
        };
        Ok(self.why_no_gradient(name, &object))
    }

    /// Why `name.grad` is None, or what it holds.
    pub(crate) fn why_no_gradient(&mut self, name: &str, object: &Value) -> Vec<Note> {
        let Some(x) = crate::leaf::existing(object) else {
            return self.of_constant(name, "holds no numbers, so it has no gradient");
        };
        if let Some(birth) = self.past.birth(&x) {
            return vec![birth.clone()];
        }
        if let Some(grad) = x.grad() {
            let grad = crate::tutor::error_labels::short(&grad.value());
            return vec![plain(format!("{name} has a gradient: {name}.grad = {grad}"))];
        }
        if !x.requires_grad() {
            return self.of_constant(
                name,
                "does not require a gradient, and was not computed from a leaf that does",
            );
        }
        let Some(mut note) = crate::tutor::unreached::why_none(self, object, name) else {
            return Vec::new();
        };
        if !x.is_leaf() {
            if let Some((source, span)) = super::notes::computed_at(self, &x) {
                note.at = Some((span, "computed here".into()));
                note.source = Some(source.text().to_string());
            }
            return vec![note];
        }
        if let Some(output) = self.past.missed(&x) {
            let found = self.breaks_between(name, &output);
            if !found.is_empty() {
                return found;
            }
        }
        vec![note]
    }

    /// Where the way from a leaf to the last output breaks, with fixes.
    pub(crate) fn breaks_between(&mut self, leaf: &str, output: &str) -> Vec<Note> {
        let all = statements(self);
        let source = Source::new(format!("{output}.backward()"));
        let span = Span::new(0, output.len());
        let found = breaks(self, &all, &source, span, Some(Symbol::new(leaf)));
        let statement = Span::new(0, source.text().len());
        let y = self.global(Symbol::new(output)).and_then(|v| crate::leaf::existing(&v));
        let shape = y.map_or(Vec::new(), |y| y.shape().to_vec());
        self.told(&all, &found, &source, (span, &shape), statement, Some(leaf))
    }

    fn why_no_path(
        &mut self,
        source: &Source,
        (output, shape): (Span, &[usize]),
        statement: Span,
    ) -> Vec<Note> {
        let all = statements(self);
        let found = breaks(self, &all, source, output, None);
        let notes = self.told(&all, &found, source, (output, shape), statement, None);
        if !notes.is_empty() {
            return notes;
        }
        let name = source.slice(output).trim();
        vec![plain(format!("{name} was not computed from a leaf that requires a gradient"))]
    }

    /// Where the output of a `backward` stands that was made a plain number, and the shape of a number.
    pub(crate) fn cut_to_number(
        &self,
        source: &Source,
        at: Span,
        message: &str,
    ) -> Option<(Span, Vec<usize>)> {
        let of = message.strip_suffix(" object has no attribute 'backward'")?;
        let end = source.slice(at).find(".backward")?;
        let output = Span { start: at.start, end: at.start + end as u32 };
        let number = matches!(of, "'float'" | "'int'");
        let cut = number && !breaks(self, &statements(self), source, output, None).is_empty();
        cut.then(|| (output, Vec::new()))
    }

    /// What an error can tell of a result that no leaf leads to.
    pub(crate) fn tell_no_path(
        &mut self,
        source: &Source,
        (output, shape): (Span, &[usize]),
        statement: Span,
        told: &mut crate::language::exception::raise::Told,
    ) {
        let name = source.slice(output).trim().to_string();
        let all = statements(self);
        let found = breaks(self, &all, source, output, None);
        told.label = Some(match found.first() {
            Some(_) => format!("the graph has no path from a leaf to {name}"),
            None => format!("{name} was not computed from a leaf that requires a gradient"),
        });
        let first = &found[..found.len().min(1)];
        let notes = self.told(&all, first, source, (output, shape), statement, None);
        for (b, note) in found.iter().zip(notes) {
            told.elsewhere.push((b.source.clone(), b.marked(), b.cutter.says().into()));
            told.help.extend(note.help);
        }
        if told.help.is_empty() {
            let (code, says) = match self.strict() {
                true => ("x = torch.tensor([1., 2.], requires_grad=True)", "makes a leaf"),
                false => ("x = [1, 2]; y = 3*x^2", "makes a leaf and a function of it"),
            };
            told.help.push(Help { code: code.into(), says: says.into() });
        }
    }

    fn told(
        &mut self,
        all: &[Statement],
        found: &[Break],
        source: &Source,
        (output, shape): (Span, &[usize]),
        statement: Span,
        leaf: Option<&str>,
    ) -> Vec<Note> {
        let names = names(source.slice(output));
        let weights = crate::tutor::error_labels::ones(self, source.slice(output).trim(), shape);
        let mut notes = Vec::new();
        for b in found.iter().take(TOLD) {
            let way = self.way_to(all, b, leaf);
            let goal = Goal {
                source,
                span: statement,
                names: &names,
                weights: weights.as_deref(),
                leaf: way.first().map(String::as_str),
            };
            let help = fixes::out(self, all, b, &goal);
            notes.push(note(b, leaf, &way, source.slice(output).trim(), help));
        }
        notes
    }

    /// The way from a leaf (the one asked about, or any) to what is cut, by names.
    fn way_to(&self, all: &[Statement], b: &Break, wanted: Option<&str>) -> Vec<String> {
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
            let value = self.global(name).and_then(|v| crate::leaf::existing(&v));
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

    fn of_constant(&mut self, name: &str, otherwise: &str) -> Vec<Note> {
        let all = statements(self);
        let source = Source::new(format!("{name}.backward()"));
        let span = Span::new(0, name.len());
        let found = breaks(self, &all, &source, span, None);
        let notes: Vec<Note> = found
            .iter()
            .take(TOLD)
            .map(|b| {
                let way = self.way_to(&all, b, None);
                note(b, None, &way, name, Vec::new())
            })
            .collect();
        match notes.is_empty() {
            true => vec![plain(format!("{name} {otherwise}"))],
            false => notes,
        }
    }
}

/// Names in a text.
pub(crate) fn names(text: &str) -> Vec<Symbol> {
    let Ok(program) = vjp_syntax::parse(&Source::new(text), Default::default()) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for s in &program.body {
        crate::record::bindings::read(s, &mut |n| {
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
    if path.last() != Some(&output) && output.chars().count() <= 20 {
        path.push(output);
    }
    let path = path.join(" → ");
    let text = match (b.cutter, missed) {
        (Cutter::Flag, _) if !path.contains('→') => format!("{path} does not require a gradient"),
        (Cutter::Flag, _) => format!("nothing on the path {path} requires a gradient"),
        (_, Some(leaf)) => format!("no gradient reached {leaf}: the path {path} is cut here"),
        (_, None) => format!("the path {path} is cut here"),
    };
    Note {
        text,
        at: Some((b.marked(), b.cutter.says().into())),
        help,
        source: Some(b.source.text().to_string()),
    }
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
