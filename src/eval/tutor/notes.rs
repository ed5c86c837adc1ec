//! What a person is told once in a session.

use crate::language::call::Args;
use crate::language::exception::raise::{At, Halt};
use crate::language::machine::Machine;
use crate::leaf::naming::Places;
use crate::record::event::{Event, Help, Note};
use crate::record::source_lookup;
use crate::record::statements::{Statement, statements};
use crate::tutor::path_cutters;
use crate::values::value::Value;
use vjp_maths::autodiff::node::{Edge, Node};
use vjp_maths::autodiff::variable::Variable;
use vjp_syntax::ast::{Expr, ExprKind, StmtKind};
use vjp_tensor::complaint::Kind;
use vjp_tensor::{mixing, source_place, warnings};
use vjp_text::names::Symbol;
use vjp_text::source::{Source, Span};

impl Machine {
    /// Says something once per session.
    pub fn note(&mut self, key: &'static str, note: Note) {
        if self.noted.insert(key) {
            self.emit(Event::Note(note));
        }
    }

    /// Passes on what PyTorch warned of, through the filters of `warnings`. What the library's own
    /// code was warned of waits for the program's call that led there.
    ///
    /// # Errors
    /// A filter makes an error of it.
    pub(crate) fn pass_warnings(&mut self, span: Span) -> Result<(), Halt> {
        if self.source.is_own() {
            return Ok(());
        }
        self.stand(span);
        let Some(filtered) = crate::library::prelude::get("warnings", Symbol::new("_warned"))
        else {
            return Ok(());
        };
        for warning in warnings::take() {
            let given = vec![Value::from(warning.text), Value::Bool(warning.once)];
            self.call(&filtered, Args::new(given, self.site(span))).at(span)?;
        }
        Ok(())
    }

    /// The file that the program is in, the line that is being evaluated, from 1, and its text.
    pub(crate) fn line_now(&self) -> (String, usize, String) {
        let place = source_place::now();
        let at = self.source_of(place.source).map(|s| {
            let line = s.line_of(place.span.start);
            (line + 1, s.line(line).trim().to_owned())
        });
        let (line, text) = at.unwrap_or((1, String::new()));
        match &self.file {
            Some(file) => (file.clone(), line, text),
            None => ("<stdin>".into(), line, String::new()),
        }
    }

    /// Shows a warning, once for each key. A strict program's stands among its errors, as Python's.
    pub fn show_warning(&mut self, text: String, key: &str) {
        if !key.is_empty() && !self.noted.insert(Symbol::new(key).as_str()) {
            return;
        }
        if !self.strict() {
            return self.emit(Event::Note(Note::plain(text)));
        }
        let (file, line, code) = self.line_now();
        let code = if code.is_empty() { code } else { format!("  {code}\n") };
        self.emit(Event::PrintError(format!("{file}:{line}: {text}\n{code}")));
    }

    /// Whether a note was said.
    pub fn noted(&self, key: &'static str) -> bool {
        self.noted.contains(key)
    }

    /// Tells what a statement did that a newcomer may not expect.
    pub(crate) fn note_after_statement(&mut self) {
        if mixing::take_happened() {
            self.note("mixed types", mixed());
        }
        // PyTorch warns where `.grad` of a computed tensor is read that did not ask to keep it.
        if let Some(t) = self.ungraded.take()
            && !(self.strict() || t.is_leaf() || t.retains_grad() || !t.shows())
            && !self.noted.contains("grad of non-leaf")
        {
            let name = Places::of(self).path(&t).unwrap_or("y").to_string();
            self.note("grad of non-leaf", non_leaf(&name));
        }
    }

    /// `x = 1,5`: a pair, where a number with a decimal comma was perhaps meant.
    pub(crate) fn note_decimal_comma(&mut self, value: &Expr) {
        if self.options.strict || !matches!(value.kind, ExprKind::Tuple(_)) {
            return;
        }
        let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
        let pair = self.source().slice(value.span).trim().to_string();
        if let Some((a, b)) = pair.split_once(',').filter(|(a, b)| digits(a) && digits(b)) {
            let text = format!("{a},{b} is a pair; a decimal number is {a}.{b}");
            self.note("decimal comma", Note { text, at: None, help: Vec::new(), source: None });
        }
    }

    /// An error whose message speaks of None, after a `.grad` that is None was read: why it is.
    pub(crate) fn explain_no_grad(&mut self, halt: &mut Halt) {
        let speaks = matches!(halt.kind(), Kind::Type | Kind::Attribute)
            && halt.message().contains("'NoneType'");
        let Some(t) = self.ungraded.take_if(|_| speaks && !self.options.strict) else {
            return;
        };
        let name = match Places::of(self).path(&t) {
            Some(name) => name.to_string(),
            None => return,
        };
        let Some(note) = crate::tutor::unreached::why_none(self, &Value::Tensor(t.clone()), &name)
        else {
            return;
        };
        let was = leads_from(&t, &name);
        let told = halt.told();
        if told.label.is_none() {
            told.label = Some(match was {
                true => format!("{name}.grad is None: {name} is no longer a leaf"),
                false => format!("{name}.grad is None: {}", note.text),
            });
        }
        if let Some((source, span)) = computed_at(self, &t).filter(|_| was) {
            halt.told().elsewhere.push((source, span, format!("{name} was computed here")));
        }
        let step = step(self, &name, &t).filter(|_| was);
        match step.map(crate::tutor::refused_sweep::unrecorded) {
            Some(instead) => halt.told().help.push(instead),
            None => halt.told().help.extend(note.help),
        }
    }

    /// The `.grad` of a tensor was read, and there is none.
    pub(crate) fn read_no_grad(&mut self, t: &Variable) {
        self.ungraded = Some(t.clone());
    }
}

/// Whether a tensor was computed from the leaf that had its name.
pub(crate) fn leads_from(t: &Variable, name: &str) -> bool {
    !t.is_leaf()
        && crate::tutor::unreached::leaves_of(t).iter().any(|x| x.name().as_deref() == Some(name))
}

/// Why a computed tensor has no `.grad`.
pub(crate) fn non_leaf(name: &str) -> Note {
    Note {
        text: format!("{name} is not a leaf: backward passes through it and stores no gradient"),
        at: None,
        help: vec![Help {
            code: format!("{name}.retain_grad()"),
            says: "before backward, to keep its gradient".into(),
        }],
        source: None,
    }
}

/// `w = w - 0.1*w.grad`: the name now represents something computed from the leaf it was.
pub(crate) fn no_leaf_any_more(m: &Machine, name: &str, x: &Variable) -> Note {
    let mut help = vec![Help {
        code: format!("{name} = {name}.detach().requires_grad_()"),
        says: format!("makes {name} a leaf again"),
    }];
    help.extend(step(m, name, x).map(|step| Help {
        code: String::new(),
        says: format!("instead of that step:  with torch.no_grad(): {step}"),
    }));
    Note {
        text: format!(
            "{name} is no longer a leaf: it now names a computed value, which stores no gradient"
        ),
        at: None,
        help,
        source: None,
    }
}

/// The statement that computed a tensor.
pub(crate) fn computed_at(m: &Machine, x: &Variable) -> Option<(Source, Span)> {
    let place = x.node()?.place();
    let source = m.source_of(place.source)?;
    let mut span = source_lookup::tree(source, place.span)?.span;
    let text = source.slice(span);
    span.end = span.start + text.trim_end().trim_end_matches(';').trim_end().len() as u32;
    Some((source.clone(), span))
}

/// `w -= 0.1*w.grad`, where this or `w = w - 0.1*w.grad` computed what `w` now represents.
fn step(m: &Machine, name: &str, x: &Variable) -> Option<String> {
    let name = Symbol::new(name);
    let (source, span) = computed_at(m, x)?;
    let is_name = |e: &Expr| matches!(e.kind, ExprKind::Name(n) if n == name);
    match source_lookup::tree(&source, span)?.kind {
        StmtKind::Augment { target, .. } if is_name(&target) => {
            Some(source.slice(span).to_string())
        }
        StmtKind::Assign { targets, value } if matches!(&targets[..], [t] if is_name(t)) => {
            let ExprKind::Chain { first, rest } = value.kind else {
                return None;
            };
            let [only] = rest.as_slice() else {
                return None;
            };
            let text = source.slice(only.operand.span);
            is_name(&first).then(|| format!("{name} {}= {text}", only.op.text()))
        }
        _ => None,
    }
}

/// A number or a list beside a tensor with requires_grad=True.
pub(crate) fn constant_beside(name: &str, explicit: &str, x: &Variable) -> Note {
    let value = x.value();
    // With the point that makes them floats.
    let number = |k: usize| format!("{:?}", value.data()[k]).replace(".0", ".");
    let shown =
        crate::tutor::error_labels::nested(value.shape(), &number).filter(|_| value.numel() <= 6);
    let code = match shown {
        Some(numbers) => format!("{name} = torch.tensor({numbers}, requires_grad=True)"),
        None => format!("{name} = torch.tensor({name}, dtype=torch.float64, requires_grad=True)"),
    };
    Note {
        text: format!(
            "{name} is a constant here: {explicit} has requires_grad=True, and in a computation with such a tensor, numbers and lists are constants"
        ),
        at: None,
        help: vec![Help { code, says: format!("makes {name} a leaf with gradients too") }],
        source: None,
    }
}

const CONSTANT: &str = "constant tensor";

/// Beside numbers and lists, which are leaves as they are, a tensor made without requires_grad=True: `W` of
/// `W @ x`.
pub(crate) fn note_constant(m: &mut Machine, nodes: &[Node], leaves: &[Variable]) {
    if m.noted(CONSTANT) || !leaves.iter().all(Variable::is_implicit) {
        return;
    }
    let inputs = nodes.iter().flat_map(|n| n.inputs());
    let constants: Vec<usize> = inputs.filter_map(Edge::constant).collect();
    // What was written into it since then may have a gradient.
    let is_constant = |t: &Variable| t.dtype().is_float() && !t.requires_grad();
    let mut named = m.names().into_iter().filter_map(|(name, value)| match value {
        Value::Tensor(t) if is_constant(&t) && constants.contains(&t.id()) => {
            Some(Symbol::new(&name))
        }
        _ => None,
    });
    let made = |s: &Statement, name: Symbol| match &s.tree.kind {
        StmtKind::Assign { targets, value } => {
            let own = |t: &Expr| matches!(t.kind, ExprKind::Name(n) if n == name);
            targets.iter().any(own) && path_cutters::maker(&s.source, value).is_some()
        }
        _ => false,
    };
    let Some(first) = named.next() else {
        return;
    };
    let all = statements(m);
    let mut names = std::iter::once(first).chain(named);
    let made = |name: &Symbol| all.iter().find(|s| s.binds(*name)).is_some_and(|s| made(s, *name));
    if let Some(name) = names.find(made) {
        let text = format!("{name} is a constant here: it was made without requires_grad=True");
        m.note(CONSTANT, Note::plain(text));
    }
}

fn mixed() -> Note {
    Note {
        text: "integers were converted to floats in this product; PyTorch requires equal dtypes: write 1. instead of 1".into(),
        at: None,
        help: Vec::new(),
        source: None,
    }
}
