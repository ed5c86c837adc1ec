//! A line as it stands on a board, in a textbook or in LaTeX, as a line to type: each that is offered was run
//! and everything put back.

mod asked;
mod begun;
mod call;
mod factor;
mod reader;
mod signs;
mod written;

use crate::path::fixes;
pub(crate) use begun::begun;
use reader::Names;
use std::collections::HashMap;
use vjp_eval::{Help, Machine, Value, leaf};
use vjp_syntax::parse;
use vjp_text::foreign_spellings::{self, Means};
use vjp_text::{Source, Symbol, board};
use written::Kind;
pub(crate) use written::bare;

/// What the session and the line so far know.
struct Known<'a> {
    machine: &'a Machine,
    /// Names that the line gives a value.
    given: HashMap<String, Kind>,
    variable: String,
}

impl Names for Known<'_> {
    fn kind(&self, name: &str) -> Option<Kind> {
        let given = self.given.get(name).copied();
        given.or_else(|| kind(&self.machine.lookup(name)?))
    }

    fn usual(&self, name: &str) -> Option<&'static str> {
        const GREEK: &[(&str, &str)] = &[("σ", "sigmoid"), ("tr", "trace"), ("ReLU", "relu")];
        let greek = GREEK.iter().find(|(sign, _)| *sign == name).map(|(_, word)| *word);
        let meant = || match foreign_spellings::name(name) {
            Some(Means::Name(meant)) => Some(meant),
            _ => board::reciprocal(name).map(|(own, _)| own),
        };
        greek.or_else(meant)
    }

    fn has(&self, name: &str) -> bool {
        self.machine.lookup(name).is_some()
    }

    fn is_own(&self, name: &str) -> bool {
        self.machine.globals().get(Symbol::new(name)).is_some()
    }

    fn is_triple(&self, name: &str) -> bool {
        let value = self.machine.lookup(name);
        value.and_then(|v| leaf::stacked(&v).ok()).is_some_and(|v| v.shape() == [3])
    }

    fn is_whole(&self, text: &str) -> bool {
        let whole = |value: Value| {
            let number = if let Value::Number(n) = &value { n.number() } else { value };
            matches!(number, Value::Int(_) | Value::Long(_))
        };
        text.parse::<u64>().is_ok() || self.machine.lookup(text).is_some_and(whole)
    }

    fn variable(&self) -> &str {
        &self.variable
    }
}

fn kind(value: &Value) -> Option<Kind> {
    Some(match value {
        Value::Function(_)
        | Value::Builtin(_)
        | Value::Method(_)
        | Value::BoundFunction(_)
        | Value::Type(_) => Kind::Function,
        Value::Bool(_) | Value::Int(_) | Value::Long(_) | Value::Float(_) => Kind::Number,
        Value::Tensor(_) | Value::Array(_) | Value::Number(_) | Value::List(_) => {
            match leaf::stacked(value).ok()?.rank() {
                0 => Kind::Number,
                1 => Kind::Vector,
                _ => Kind::Matrix,
            }
        }
        _ => return None,
    })
}

/// What a call makes whose value is not known yet: `jacobian(y, x)`, `torch.ones(2, 2)`.
fn made(value: &str) -> Kind {
    let (call, rest) = value.split_once('(').unwrap_or((value, ""));
    let name = call.rsplit('.').next().unwrap_or(call);
    let sizes = rest.split(')').next().unwrap_or("").split(',').map(str::trim);
    let sizes = sizes.take_while(|n| n.parse::<usize>().is_ok()).count();
    match (name, sizes) {
        ("jacobian" | "hessian" | "eye", _) => Kind::Matrix,
        ("ones" | "zeros" | "rand" | "randn", 2) => Kind::Matrix,
        ("ones" | "zeros" | "rand" | "randn" | "arange", 1) => Kind::Vector,
        _ => Kind::Number,
    }
}

/// The line in this program's notation, in one or two readings that run; empty where it is none.
pub(crate) fn readings(m: &mut Machine, text: &str) -> Vec<Help> {
    let text = text.trim_end();
    if m.strict() || m.trying || !fixes::fits(text) {
        return Vec::new();
    }
    // A name of the session asks for nothing: `J v`.
    let first = text.split_whitespace().next().unwrap_or("");
    let own = m.globals().get(Symbol::new(first)).is_some();
    let asked = asked::asked(text).filter(|_| !own);
    let meant = asked.as_deref().unwrap_or(text);
    let found = [false, true].map(|second| rewritten(m, meant, second, HashMap::new()));
    let called = asked.iter().map(|code| (code.clone(), "the derivative"));
    let mut helps: Vec<Help> = Vec::new();
    for (code, says) in called.chain(found.into_iter().flatten()) {
        let same = |a: &str, b: &str| a.split_whitespace().eq(b.split_whitespace());
        let new = !same(&code, text) && helps.iter().all(|help| help.code != code);
        if new && fixes::fits(&code) && fixes::tried(m, &code, None).is_some() {
            helps.push(Help { code, says: says.to_owned() });
        }
    }
    helps
}

/// Code of a command as mathematics, where it is no program. `open`: x varies in it, and another letter
/// without a value may.
pub(crate) fn expression(m: &Machine, code: &str, open: bool) -> Option<String> {
    let mut given = if open { begun::letters(m, code) } else { HashMap::new() };
    given.extend(open.then(|| ("x".to_owned(), Kind::Number)));
    // `xe` of `xe^-x` is a name as far as the grammar knows.
    let word = |name: &String| open && name.chars().count() > 1 && !given.contains_key(name);
    let readable = begun::unknown(m, code).is_some_and(|names| !names.iter().any(word));
    if m.strict() || readable || !fixes::fits(code) {
        return None;
    }
    let (line, _) = rewritten(m, code, false, given)?;
    parse(&Source::new(line.as_str()), m.mode()).is_ok().then_some(line)
}

/// Each statement of the line that is no program yet, read as mathematics; `given`: names that stand for
/// something though nobody gave them a value.
fn rewritten(
    m: &Machine,
    text: &str,
    second: bool,
    given: HashMap<String, Kind>,
) -> Option<(String, &'static str)> {
    let variable = m.past.last().1.to_owned();
    let mut known = Known { machine: m, given, variable };
    let (mut parts, mut rule) = (Vec::new(), None);
    for part in text.split(';').map(str::trim) {
        let readable = parse(&Source::new(part), m.mode()).is_ok();
        let line = match reader::read(part, &known, second) {
            Some((line, says)) => {
                rule.get_or_insert(says);
                line
            }
            None if readable => part.to_owned(),
            None => return None,
        };
        let named = line.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
        if let Some((name, value)) = named {
            let (name, kind) = match name.split_once('(') {
                Some((name, _)) => (name, Kind::Function),
                None if value.starts_with("[[") => (name, Kind::Matrix),
                None if value.starts_with('[') => (name, Kind::Vector),
                None => (name, made(value)),
            };
            known.given.insert(name.to_owned(), kind);
        }
        parts.push(line);
    }
    Some((parts.join("; "), rule?))
}
