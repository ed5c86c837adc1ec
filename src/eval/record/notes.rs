//! What a person is told once in a session.

use super::bindings::root;
use super::event::{Event, Help, Note};
use super::held::Wonder;
use crate::leaf::naming::Places;
use crate::{Args, At, Machine, Tried, Value};
use vjp_maths::Variable;
use vjp_syntax::ast::{Arg, ArgKind, Expr, ExprKind, Stmt, StmtKind, Trailer, TrailerKind};
use vjp_tensor::{mixed_dtypes, source_place, warnings};
use vjp_text::names::is_name_continue;
use vjp_text::{Span, Symbol};

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
    pub(crate) fn pass_warnings(&mut self, span: Span) -> Tried<()> {
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
    pub fn line_now(&self) -> (String, usize, String) {
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
            let help = match text.contains("`x.T` on tensors of dimension other than 2") {
                true => vec![Help::words("a vector is its own transpose: v @ W @ v".into())],
                false => Vec::new(),
            };
            return self.emit(Event::Note(Note { help, ..Note::plain(text) }));
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
        if mixed_dtypes::take_happened() {
            self.note("mixed types", mixed());
        }
        // PyTorch warns where `.grad` of a computed tensor is read that did not ask to keep it.
        let missing = self.ungraded.take();
        if let Some(t) = missing.as_ref().filter(|t| t.grad().is_none())
            && let Some(name) = Places::of(self).path(t)
        {
            let (name, object) = (name.to_string(), Value::Tensor(t.clone()));
            self.wonder = Some(Wonder::NoGrad { name, object, notes: Vec::new() });
        }
        if let Some(t) = missing
            && !(self.strict() || t.is_leaf() || t.retains_grad() || !t.shows())
            && !self.noted.contains("grad of non-leaf")
        {
            let name = Places::of(self).path(&t).unwrap_or("y").to_string();
            self.note("grad of non-leaf", non_leaf(&name));
        }
    }

    /// Tells what a statement at the top level that went well did not mean, perhaps.
    pub(crate) fn note_carried_out(&mut self, statement: &Stmt) {
        self.note_arrow(statement);
        self.note_sign_behind(statement);
        if let StmtKind::Expr(value) = &statement.kind {
            return self.note_mathematical(value);
        }
        self.note_rebound(statement);
    }

    fn note_rebound(&mut self, statement: &Stmt) {
        let targets = match &statement.kind {
            StmtKind::Assign { targets, .. } => targets.as_slice(),
            StmtKind::Augment { target, .. } => std::slice::from_ref(target),
            StmtKind::With { body, .. } => return body.iter().for_each(|s| self.note_rebound(s)),
            _ => return,
        };
        for (name, _) in targets.iter().filter_map(root) {
            (self.hints.rebound)(self, name);
        }
    }

    /// `x = 1,5` is a pair and `x = {1, 2}` a set, where a decimal number or a vector was perhaps meant.
    pub(crate) fn note_mathematical(&mut self, value: &Expr) {
        if self.options.strict {
            return;
        }
        let written = self.source().slice(value.span).trim().to_string();
        let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
        let (key, text) = match &value.kind {
            ExprKind::Tuple(_) => match written.split_once(',') {
                Some((a, b)) if digits(a) && digits(b) => {
                    let thousand = match b.len() {
                        3 => format!(", a whole one {a}{b}"),
                        _ => String::new(),
                    };
                    let says = format!("{a},{b} is a pair; a decimal number is {a}.{b}{thousand}");
                    ("decimal comma", says)
                }
                _ => return,
            },
            ExprKind::Set(all)
                if all.iter().all(|e| matches!(e.kind, ExprKind::Int(_) | ExprKind::Float(_))) =>
            {
                let inside = written.trim_matches(['{', '}']);
                ("set", format!("{written} is a set, which has no order; a vector is [{inside}]"))
            }
            ExprKind::Trailers { base, trailers } => {
                let [Trailer { kind: TrailerKind::Call(args), .. }] = trailers.as_slice() else {
                    return;
                };
                let [Arg { kind: ArgKind::Positional, value, .. }] = args.as_slice() else {
                    return;
                };
                if self.source().slice(base.span) != "gradient" {
                    return;
                }
                let y = self.source().slice(value.span);
                let says = format!(
                    "gradient({y}) takes {y} as samples of a function; a derivative is grad({y}, x)"
                );
                ("samples", says)
            }
            _ => return,
        };
        self.note(key, Note::plain(text));
    }

    /// `w =+ 1` assigns, where `w += 1` was perhaps meant.
    fn note_sign_behind(&mut self, statement: &Stmt) {
        let StmtKind::Assign { targets, .. } = &statement.kind else { return };
        let text = self.source().slice(statement.span).trim();
        let sign = text.split_once(" =").map(|(_, rest)| rest);
        let sign = sign.filter(|rest| rest.starts_with("+ ") || rest.starts_with("- "));
        let (Some(rest), [target]) = (sign, targets.as_slice()) else { return };
        let (sign, by) = rest.split_at(1);
        let (name, by) = (self.source().slice(target.span).to_owned(), by.trim());
        let text =
            format!("{name} ={sign} {by} assigns {sign}{by}; {name} {sign}= {by} adds to {name}");
        let text = if sign == "-" { text.replace(" adds to ", " subtracts from ") } else { text };
        self.note("sign behind", Note::plain(text));
    }

    /// `y <- 3` compares, where an assignment was perhaps meant.
    fn note_arrow(&mut self, statement: &Stmt) {
        if self.options.strict || !matches!(statement.kind, StmtKind::Expr(_)) {
            return;
        }
        let text = self.source().slice(statement.span).trim();
        let arrow = text.split_once("<- ").map(|(name, value)| (name.trim(), value.trim()));
        if let Some((name, value)) = arrow.filter(|(name, _)| name.chars().all(is_name_continue)) {
            let text = format!(
                "{name} <- {value} compares {name} with -{value}; an assignment is written {name} = {value}"
            );
            self.note("arrow", Note::plain(text));
        }
    }

    /// `^` of a matrix, whose entries are raised, where a product of matrices was perhaps meant.
    pub(crate) fn note_matrix_power(&mut self, base: &Value, exponent: &Value) {
        let Value::List(list) = base else { return };
        let Some(n) = exponent.as_int().filter(|n| *n >= 2 || *n == -1) else { return };
        let Some(x) = list.tensor().filter(|x| matches!(*x.shape(), [a, b] if a == b && a > 1))
        else {
            return;
        };
        let name = Places::of(self).path(&x).unwrap_or("A").to_string();
        let says = match n {
            -1 => format!("the inverse matrix is inverse({name})"),
            2 => format!("the matrix product is {name} @ {name}"),
            n => format!("the matrix power is torch.linalg.matrix_power({name}, {n})"),
        };
        let key = if n == -1 { "matrix inverse" } else { "matrix power" };
        self.note(key, Note::plain(format!("^ is taken entry by entry; {says}")));
    }

    /// The tensor whose missing `.grad` this statement read, told once.
    pub fn take_ungraded(&mut self) -> Option<Variable> {
        self.ungraded.take()
    }

    /// The `.grad` of a tensor was read, and there is none.
    pub fn read_no_grad(&mut self, t: &Variable) {
        self.ungraded = Some(t.clone());
    }
}

/// Why a computed tensor has no `.grad`.
pub fn non_leaf(name: &str) -> Note {
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

fn mixed() -> Note {
    Note {
        text: "the dtypes in this product differ, and the wider one is used; PyTorch requires equal dtypes: 1. for 1, or x.double()".into(),
        at: None,
        help: Vec::new(),
        source: None,
    }
}
