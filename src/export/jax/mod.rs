//! A session as a JAX program. JAX differentiates functions, not graphs, so each backward becomes a
//! function of its leaves ([`slice`]: the statements that led to it), and `jax.vjp` of that. The words
//! of PyTorch are JAX's by one table ([`words`]); [`statement`], [`assign`], [`sweep`] and [`expr`] write them.

mod assign;
mod expr;
mod slice;
mod statement;
mod sweep;
mod words;

use super::Refusal;
use super::ran::{Bound, Item, Ran, Session};
use super::torch;
use crate::eval::watch::Sweep;
use crate::maths::tensor::{Dtype, Tensor};
use crate::syntax::ast::*;
use crate::syntax::{self, Mode};
use crate::text::source::Source;
use std::collections::{BTreeSet, HashMap, HashSet};
use words::Problem;

const IMPORTS: &[(&str, &str)] = &[
    ("math", "import math"),
    ("np", "import numpy as np"),
    ("jax", "import jax"),
    ("jnp", "import jax.numpy as jnp"),
];

/// One statement of the session as a PyTorch program has it.
struct Line<'a> {
    /// Which item it came from.
    item: usize,
    ran: &'a Ran,
    source: Source,
    tree: Stmt,
}

/// Whether `x_grad` is None where the program stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    None,
    Some,
    Perhaps,
}

/// What is known while the program is written, statement by statement.
struct Writer<'a> {
    session: &'a Session,
    lines: &'a [Line<'a>],
    /// Names that are differentiated by somewhere.
    leaves: HashSet<String>,
    /// Names bound by `def` and `lambda`.
    functions: HashSet<String>,
    /// Words of `from torch import …`, with where they live.
    imported: HashMap<String, Vec<String>>,
    held: HashMap<String, Held>,
    /// Functions made for values, by the value's text: their names and leaves.
    made: HashMap<String, (String, Vec<String>)>,
    /// Inside the function of a backward, where values are traced.
    traced: bool,
    /// Which backward of its statement comes next.
    sweep: usize,
    /// Functions that the program brings along.
    helpers: BTreeSet<&'static str>,
}

/// The program.
///
/// # Errors
/// What JAX has no counterpart for, with its line.
pub fn write(session: Session, title: &str) -> Result<String, Refusal> {
    let lines = lines(&session)?;
    let mut writer = Writer {
        session: &session,
        lines: &lines,
        leaves: leaves(&session),
        functions: HashSet::new(),
        imported: HashMap::new(),
        held: HashMap::new(),
        made: HashMap::new(),
        traced: false,
        sweep: 0,
        helpers: BTreeSet::new(),
    };
    let mut body = String::new();
    for (n, item) in session.items.iter().enumerate() {
        match item {
            Item::Prose(line) => body += &format!("{line}\n"),
            Item::Remark(line) => body += &format!("# {line}\n"),
            Item::Dtype(_) => {}
            Item::Statement(ran) if ran.failed.is_some() => {
                body += &torch::item(&session, n, true, session.kept, &mut Vec::new());
            }
            Item::Statement(ran) => {
                writer.sweep = 0;
                for at in (0..lines.len()).filter(|at| lines[*at].item == n) {
                    let written = writer.top(at).map_err(|problem| refusal(ran, &problem))?;
                    for line in written {
                        body += &format!("{line}\n");
                    }
                }
            }
        }
    }
    let mut out = format!("# {title} as a JAX program.\n");
    for (name, line) in IMPORTS {
        let mut words = body.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
        let begins = |word: &str| word.strip_prefix(name).is_some_and(|r| r.starts_with('.'));
        if matches!(*name, "jax" | "jnp") || words.any(begins) {
            out += &format!("{line}\n");
        }
    }
    if session.dtype != Dtype::Float32 {
        out += "\njax.config.update(\"jax_enable_x64\", True)\n";
    }
    for helper in &writer.helpers {
        out += &format!("\n\n{helper}");
    }
    if !writer.helpers.is_empty() {
        out.push('\n');
    }
    out += "\n";
    out += body.trim_end();
    out.push('\n');
    Ok(out)
}

fn refusal(ran: &Ran, problem: &Problem) -> Refusal {
    Refusal { line: ran.line, problem: problem.what.clone(), hint: problem.hint.clone() }
}

/// The session's statements as PyTorch has them, each parsed again.
fn lines(session: &Session) -> Result<Vec<Line<'_>>, Refusal> {
    let mut lines = Vec::new();
    for (n, item) in session.items.iter().enumerate() {
        let Item::Statement(ran) = item else { continue };
        if ran.failed.is_some() {
            continue;
        }
        let code = torch::item(session, n, true, session.kept, &mut Vec::new());
        let source = Source::new(code.as_str());
        let program = syntax::parse(&source, Mode { strict: true }).map_err(|fault| Refusal {
            line: ran.line,
            problem: format!("{} (in `{}`)", fault.message, code.trim_end()),
            hint: "write it in Python's notation".into(),
        })?;
        lines.extend(program.body.into_iter().map(|tree| Line {
            item: n,
            ran,
            source: source.clone(),
            tree,
        }));
    }
    Ok(lines)
}

/// Names that some backward or short form differentiates by.
fn leaves(session: &Session) -> HashSet<String> {
    let mut all = HashSet::new();
    for item in &session.items {
        let Item::Statement(ran) = item else { continue };
        let swept = swept(session, ran);
        let leaves = swept.iter().flat_map(|s| &s.leaves).filter(|x| !x.earlier);
        all.extend(leaves.map(|x| python(&x.path)));
        for (name, bound) in &ran.after {
            if matches!(bound, Bound::Leaf(id) if session.reached.contains(id)) {
                all.insert(python(name));
            }
        }
    }
    all
}

/// The backwards of a statement.
fn swept<'a>(session: &'a Session, ran: &Ran) -> Vec<&'a Sweep> {
    session.watch.sweeps.iter().filter(|s| s.place.0 == ran.source.id()).collect()
}

/// A name as Python spells it.
fn python(name: &str) -> String {
    super::names::spelled(name).unwrap_or_else(|| name.to_owned())
}

/// Numbers as a program writes them.
fn literal(t: &Tensor) -> String {
    fn nested(shape: &[usize], data: &[f64], out: &mut String) {
        let Some((n, rest)) = shape.split_first() else {
            *out += &format!("{:?}", data[0]);
            return;
        };
        out.push('[');
        let size = data.len() / (*n).max(1);
        for k in 0..*n {
            if k > 0 {
                *out += ", ";
            }
            nested(rest, &data[k * size..(k + 1) * size], out);
        }
        out.push(']');
    }
    let mut out = String::new();
    nested(t.shape(), t.data(), &mut out);
    out
}
