//! A session as a JAX program. The session's PyTorch program is run once and seen at each of its
//! places ([`facts`]); its statements become steps ([`statement`], [`expr`], [`call`], [`write`])
//! in JAX's words ([`template`]). JAX differentiates functions, not graphs: each backward becomes
//! a function of its leaves, made of the steps that led to it, and `jax.grad` of that ([`sweep`]).

mod alias;
mod assign;
mod call;
mod code;
pub mod derivatives;
mod expr;
mod facts;
mod function;
mod named;
mod names;
pub mod nn;
mod problem;
mod statement;
mod steps;
mod words;
mod write;
mod writer;

use derivatives::backward::roots;
use names::methods::as_methods;
use names::renamed::{renamed, unbound};
use names::unrolled::unrolled;
use problem::Problem;
use steps::Step;
use vjp_export_torch::page::{names, starts};
use vjp_export_torch::session_run::{Item, Session};
use vjp_export_torch::writer::Program;
use vjp_export_torch::{Format, Refusal, verify};
use vjp_syntax::Mode;
use vjp_syntax::ast::{Stmt, StmtKind};
use vjp_tensor::Dtype;
use vjp_tensor::tensor::set_default_dtype;
use vjp_text::Source;
use writer::{HELPERS, Writer};

const IMPORTS: &[(&str, &str)] = &[
    ("math.", "import math"),
    ("np.", "import numpy as np"),
    ("jax.", "import jax"),
    ("jnp.", "import jax.numpy as jnp"),
];

/// The program.
pub fn write(session: &Session, title: &str) -> Result<String, Refusal> {
    // Random numbers are drawn as in the session, whose dtype is not the program's choice.
    let changes = session.items.iter().any(|i| matches!(i, Item::Dtype(_)));
    let begins = if changes { Dtype::Float32 } else { session.dtype };
    let mut program = vjp_export_torch::writer::write(session, title, changes);
    for rewrite in [as_methods, unrolled, unrolled] {
        program = rewrite(&program).unwrap_or(program);
    }
    let mut source = Source::new(program.text.as_str());
    let (mut machine, printed, fault) = verify::run(&source, true, begins);
    let compared = verify::compared(session, &program, &machine, &printed, fault.as_deref());
    let mode = Mode { strict: true };
    let mut tree = vjp_syntax::parse(&source, mode);
    if let Some(other) = tree.as_ref().ok().and_then(|tree| renamed(&program, &tree.body)) {
        program = other;
        source = Source::new(program.text.as_str());
        machine = verify::run(&source, true, begins).0;
        tree = vjp_syntax::parse(&source, mode);
    }
    let watch = machine.watched();
    let written = compared.and_then(|()| {
        let tree = tree.map_err(|fault| Refusal {
            line: 1,
            problem: fault.message,
            hint: "write the line in PyTorch's form, with torch.tensor(…)".into(),
        })?;
        let roots = roots(&tree.body);
        let mut writer = Writer::new(&source, &watch, machine, &roots);
        derivatives::pure::nonlocals(&tree.body, &mut writer.nonlocals);
        let text = writer.program(session, &program, &tree.body);
        text.and_then(|body| complete(writer.finished(title, &body), &source, &tree.body))
            .map_err(|p| refusal(session, &program, &source, p))
    });
    set_default_dtype(session.dtype);
    written
}

/// The program, where it binds every name that it reads.
fn complete(text: String, source: &Source, body: &[Stmt]) -> Result<String, Problem> {
    let Some(name) = unbound(&text) else {
        return Ok(text);
    };
    let imports = |s: &Stmt| matches!(s.kind, StmtKind::Import(_) | StmtKind::FromImport { .. });
    let reads = |s: &&Stmt| !imports(s) && names(source.slice(s.span), &name);
    let at = body.iter().find(reads).map_or(0, |s| s.span.start as usize);
    Err(Problem::lacks(&name).or_at(at))
}

fn refusal(session: &Session, program: &Program, source: &Source, problem: Problem) -> Refusal {
    let at = problem.at.unwrap_or(0);
    let item = program.item_at(at);
    let begins =
        item.and_then(|n| program.pieces.iter().find(|p| p.item == n)).map_or(0, |p| p.start);
    let inside = source.line_of(at as u32).saturating_sub(source.line_of(begins as u32));
    let line = item.and_then(|n| verify::line_of(session, n)).unwrap_or(1);
    let own = |n: usize| match &session.items[n] {
        Item::Statement(ran) => ran.source.text().lines().count(),
        _ => 1,
    };
    // Lines count from the statement's own, where it has as many.
    let inside = item.map_or(0, |n| inside.min(own(n).saturating_sub(1)));
    Refusal { line: line + inside, problem: problem.what, hint: problem.hint }
}

impl<'a> Writer<'a> {
    /// The program's lines below its imports.
    fn program(
        &mut self,
        session: &Session,
        program: &Program,
        body: &'a [Stmt],
    ) -> Result<String, Problem> {
        // The header's own statements stand before the first piece or between two.
        let inside = |s: &Stmt| {
            let at = s.span.start as usize;
            program.pieces.iter().any(|p| (p.start..p.end).contains(&at))
        };
        self.brought.extend(body.iter().filter(|s| !inside(s)).filter_map(|s| match &s.kind {
            StmtKind::Def { function, .. } => Some(function.name.symbol.to_string()),
            _ => None,
        }));
        let mut steps: Vec<Step<'a>> = Vec::new();
        let mut statements = body.iter().filter(|s| inside(s)).peekable();
        for piece in &program.pieces {
            match &session.items[piece.item] {
                Item::Statement(ran) if ran.failed.is_none() => {}
                Item::Dtype(_) => {}
                _ => {
                    let text = self.source.text()[piece.start..piece.end].trim_end_matches('\n');
                    steps.extend(text.split('\n').map(|l| Step::Comment(l.to_owned())));
                    continue;
                }
            }
            while let Some(s) = statements.next_if(|s| (s.span.start as usize) < piece.end) {
                let mut made = self.statement(s)?;
                self.settle(s, &mut made).map_err(|p| p.or_at(s.span.start as usize))?;
                steps.extend(made);
            }
        }
        let outs = self.resolved(&steps)?;
        let outs = steps::prune(outs, &self.copied);
        let mut lines = Vec::new();
        outs.iter().for_each(|o| o.lines(0, &mut lines));
        Ok(tidied(&lines))
    }

    /// The whole file.
    fn finished(&self, title: &str, body: &str) -> String {
        let helpers: Vec<String> = self.used.iter().cloned().collect();
        let helpers = HELPERS.needed(&helpers, &|_| false);
        let mut out = Format::Jax.heading(title);
        if helpers.contains("collections.") {
            out += "import collections\n";
        }
        for (begin, line) in IMPORTS {
            if matches!(*begin, "jax." | "jnp.") || starts(body, begin) || starts(&helpers, begin) {
                out += &format!("{line}\n");
            }
        }
        if self.double {
            out += "\njax.config.update(\"jax_enable_x64\", True)\n";
        }
        out += &helpers;
        if !helpers.is_empty() {
            out.push('\n');
        }
        if !body.starts_with('\n') {
            out.push('\n');
        }
        out += body.trim_end();
        out.push('\n');
        out
    }
}

/// No more than one empty line in a row, two before a function at the top level's own.
fn tidied(lines: &[String]) -> String {
    let mut out: Vec<&str> = Vec::new();
    for line in lines {
        if line.is_empty() && out.last().is_none_or(|l: &&str| l.is_empty()) {
            continue;
        }
        out.push(line);
    }
    out.join("\n")
}
