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
pub mod nn;
mod problem;
mod statement;
mod steps;
mod words;
mod write;

use super::Format;
use super::Refusal;
use super::page::{Page, names, starts};
use super::torch::{self, Program};
use crate::session_run::{Item, Session};
use crate::verify;
use problem::Problem;
use std::collections::{BTreeSet, HashMap, HashSet};
use steps::{Names, Step};
use vjp_eval::language::machine::Machine;
use vjp_eval::leaf::existing;
use vjp_eval::record::sights::{Seen, Watch};
use vjp_eval::values::value::Value;
use vjp_syntax::Mode;
use vjp_syntax::ast::{Expr, Stmt};
use vjp_tensor::tensor::{Dtype, set_default_dtype};
use vjp_text::source::{Source, Span};

/// Functions that the program brings along.
const HELPERS: Page = Page(include_str!("helpers.py"));

const IMPORTS: &[(&str, &str)] = &[
    ("math.", "import math"),
    ("np.", "import numpy as np"),
    ("jax.", "import jax"),
    ("jnp.", "import jax.numpy as jnp"),
];

/// What is known while the program is written.
struct Writer<'a> {
    source: &'a Source,
    watch: &'a Watch,
    machine: Machine,
    /// Floats have 64 bits.
    double: bool,
    /// Floats of several widths meet.
    mixed: bool,
    /// An infinity or NaN is among the values or gradients.
    infinite: bool,
    /// Values are traced: inside a function that is differentiated.
    traced: bool,
    /// A gradient is taken inside such a function.
    nested: bool,
    /// Inside `no_grad`.
    quiet: bool,
    /// Names that the present step reads, and of these what gradients flow to.
    reads: Names,
    recorded: Names,
    asks: Vec<steps::Ask<'a>>,
    effect: bool,
    /// What functions write to that the step calls.
    called: steps::Called,
    /// The tensor that the step writes to in place.
    over: Option<String>,
    /// Helpers that are used.
    used: BTreeSet<String>,
    /// Names that the program binds at its top level.
    bound: HashSet<String>,
    /// Names of the functions around, innermost last.
    locals: Vec<HashSet<String>>,
    /// Names that some backward differentiates by, and containers of such.
    leaves: HashSet<String>,
    containers: HashSet<String>,
    /// Names of computed values that retain their gradients.
    computed: HashSet<String>,
    /// Gradients that are read where there may be none.
    unset: BTreeSet<String>,
    next: usize,
    /// Names of parameters of hooks, and what they are called with.
    places: Vec<(String, String)>,
    /// Texts that stand in the places of others.
    replaced: Vec<(Span, String)>,
    hooks: crate::jax::derivatives::hooks::Hooks<'a>,
    modules: crate::jax::nn::modules::Modules<'a>,
    optimisers: Vec<crate::jax::nn::optim::Optimiser>,
    rates: crate::jax::nn::schedulers::Rates,
    functions: HashMap<String, function::Custom>,
    /// Functions made for backwards: their names and texts.
    made: Vec<(String, String)>,
    /// Lines that stand in functions made for backwards too.
    copied: HashSet<usize>,
    /// The values whose backward is called, by the place of the call.
    roots: &'a HashMap<Span, Expr>,
    /// Where the backward that is being written stands.
    sweeping: usize,
    effects_of: HashMap<String, function::Effects>,
    /// The `ctx` of the Function that is being written.
    context: Option<function::Context>,
    /// Names of errors, whose values are written down.
    unwritten: Vec<String>,
    /// Names that are bound to what JAX has no counterpart for.
    gone: Vec<String>,
    /// Leaves whose gradients have been set to None.
    begun: HashSet<String>,
    /// What names at the top level were last bound to.
    defined: Vec<(String, (&'a Stmt, &'a Expr))>,
}

/// The program.
///
/// # Errors
/// What JAX has no counterpart for, with its line.
pub fn write(session: &Session, title: &str) -> Result<String, Refusal> {
    // Random numbers are drawn as in the session, whose dtype is not the program's choice.
    let changes = session.items.iter().any(|i| matches!(i, Item::Dtype(_)));
    let begins = if changes { Dtype::Float32 } else { session.dtype };
    let program = torch::write(session, title, changes);
    let source = Source::new(program.text.as_str());
    let (mut machine, printed, fault) = verify::run(&source, true, begins);
    let watch = machine.watched();
    let compared = verify::compared(session, &program, &machine, &printed, fault.as_deref());
    let written = compared.and_then(|()| {
        let tree = vjp_syntax::parse(&source, Mode { strict: true });
        let tree = tree.map_err(|fault| Refusal {
            line: 1,
            problem: fault.message,
            hint: "write the line in PyTorch's form, with torch.tensor(…)".into(),
        })?;
        let roots = crate::jax::derivatives::backward::roots(&tree.body);
        let mut writer = Writer::new(&source, &watch, machine, &roots);
        let text = writer.program(session, &program, &tree.body);
        text.map(|body| writer.finished(title, &body))
            .map_err(|p| refusal(session, &program, &source, p))
    });
    set_default_dtype(session.dtype);
    written
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
    fn new(
        source: &'a Source,
        watch: &'a Watch,
        machine: Machine,
        roots: &'a HashMap<Span, Expr>,
    ) -> Writer<'a> {
        let (mut floats, mut wide) = (HashSet::new(), false);
        for sight in watch.sights() {
            for seen in &sight.kinds {
                match seen {
                    Seen::Tensor(f) | Seen::Array(f) if f.dtype.is_float() => {
                        floats.insert(f.dtype);
                    }
                    Seen::Tensor(f) => wide |= f.wide,
                    Seen::Value(Value::Dtype(d)) if d.is_float() => {
                        floats.insert(*d);
                    }
                    _ => {}
                }
            }
        }
        let double = floats.contains(&Dtype::Float64) || wide;
        let usual = if double { Dtype::Float64 } else { Dtype::Float32 };
        let mixed = floats.iter().any(|d| *d != usual);
        let mut seen = watch.sights().flat_map(|s| &s.kinds);
        let infinite = seen.any(|seen| matches!(seen, Seen::Tensor(f) if !f.finite))
            || machine.names().iter().any(|(_, value)| {
                let grad = existing(value).and_then(|v| v.grad());
                grad.is_some_and(|g| g.value().data().iter().any(|x| !x.is_finite()))
            });
        let bound = machine.names().into_iter().map(|(name, _)| name).collect();
        let mut writer = Writer {
            source,
            watch,
            machine,
            double,
            mixed,
            infinite,
            traced: false,
            nested: false,
            quiet: false,
            reads: Names::new(),
            recorded: Names::new(),
            asks: Vec::new(),
            effect: false,
            called: steps::Called::new(),
            over: None,
            used: BTreeSet::new(),
            bound,
            locals: Vec::new(),
            leaves: HashSet::new(),
            containers: HashSet::new(),
            computed: HashSet::new(),
            unset: BTreeSet::new(),
            next: 1,
            places: Vec::new(),
            replaced: Vec::new(),
            hooks: crate::jax::derivatives::hooks::Hooks::default(),
            modules: crate::jax::nn::modules::Modules::default(),
            optimisers: Vec::new(),
            rates: crate::jax::nn::schedulers::Rates::default(),
            functions: HashMap::new(),
            made: Vec::new(),
            copied: HashSet::new(),
            roots,
            sweeping: 0,
            effects_of: HashMap::new(),
            context: None,
            unwritten: Vec::new(),
            gone: Vec::new(),
            begun: HashSet::new(),
            defined: Vec::new(),
        };
        for leaf in watch.sweeps.iter().flat_map(|s| &s.leaves) {
            if code::is_name(&leaf.path) && !leaf.earlier {
                let names = match leaf.computed {
                    true => &mut writer.computed,
                    false => &mut writer.leaves,
                };
                names.insert(leaf.path.clone());
            } else if let (Some(root), false) = (leaf.path.split(['.', '[']).next(), leaf.computed)
            {
                writer.containers.insert(root.to_owned());
            }
        }
        writer
    }

    /// The program's lines below its imports.
    fn program(
        &mut self,
        session: &Session,
        program: &Program,
        body: &'a [Stmt],
    ) -> Result<String, Problem> {
        let mut steps: Vec<Step<'a>> = Vec::new();
        let mut statements = body.iter().peekable();
        for (n, piece) in program.pieces.iter().enumerate() {
            let end = program.pieces.get(n + 1).map_or(self.source.text().len(), |p| p.start);
            match &session.items[piece.item] {
                Item::Statement(ran) if ran.failed.is_none() => {}
                Item::Dtype(_) => {}
                _ => {
                    let text = self.source.text()[piece.start..end].trim_end_matches('\n');
                    steps.extend(text.split('\n').map(|l| Step::Comment(l.to_owned())));
                    continue;
                }
            }
            while let Some(s) = statements.next_if(|s| (s.span.start as usize) < end) {
                // The header's own statements stand before the first piece or between two.
                if (s.span.start as usize) >= piece.start {
                    let mut made = self.statement(s)?;
                    self.settle(s, &mut made).map_err(|p| p.or_at(s.span.start as usize))?;
                    steps.extend(made);
                }
            }
        }
        let outs = self.resolved(&steps)?;
        let outs = steps::prune(outs, &self.copied);
        self.once(&outs)?;
        let mut lines = Vec::new();
        outs.iter().for_each(|o| o.lines(0, &mut lines));
        Ok(tidied(&lines))
    }

    /// The whole file.
    fn finished(&self, title: &str, body: &str) -> String {
        let helpers: Vec<String> = self.used.iter().cloned().collect();
        let helpers = HELPERS.needed(&helpers, &|name| self.bound.contains(name));
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

    /// A helper's name as it is called here.
    fn helper(&mut self, name: &str) -> String {
        self.used.insert(name.to_owned());
        match self.bound.contains(name) {
            true => format!("{name}_"),
            false => name.to_owned(),
        }
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
