//! The writer of a program for JAX: its parts are written by what stands in the files beside.

use super::code::is_name;
use super::nn::state::{Modules, Optimiser, Rates};
use super::steps::{Ask, Called, Names};
use std::collections::{BTreeSet, HashMap, HashSet};
use vjp_eval::leaf::existing;
use vjp_eval::record::watched_values::{Seen, Watch};
use vjp_eval::{Machine, Value};
use vjp_export_torch::page::Page;
use vjp_syntax::ast::{Expr, Function, Stmt};
use vjp_tensor::Dtype;
use vjp_text::{Source, Span};

/// Functions that the program brings along.
pub(super) const HELPERS: Page = Page(include_str!("helpers.py"));

/// What is known while the program is written.
pub(super) struct Writer<'a> {
    pub source: &'a Source,
    pub watch: &'a Watch,
    pub machine: Machine,
    /// Floats have 64 bits.
    pub double: bool,
    /// Floats of several widths meet.
    pub mixed: bool,
    /// An infinity or NaN is among the values or gradients.
    pub infinite: bool,
    /// Values are traced: inside a function that is differentiated.
    pub traced: bool,
    /// A gradient is taken inside such a function.
    pub nested: bool,
    /// Inside `no_grad`.
    pub quiet: bool,
    /// Names that the present step reads, and of these what gradients flow to.
    pub reads: Names,
    pub recorded: Names,
    pub asks: Vec<Ask<'a>>,
    pub effect: bool,
    /// What functions write to that the step calls.
    pub called: Called,
    /// The tensor that the step writes to in place.
    pub over: Option<String>,
    /// Helpers that are used.
    pub used: BTreeSet<String>,
    /// Functions that the PyTorch program brought along.
    pub brought: HashSet<String>,
    /// Names that the program binds at its top level.
    pub bound: HashSet<String>,
    /// Names that functions take from functions around them to change them.
    pub nonlocals: HashSet<String>,
    /// Names that the comprehensions around bind.
    pub comprehended: Vec<HashSet<String>>,
    /// Of these, what the function that is being made takes.
    pub given: Vec<String>,
    /// Names of the functions around, innermost last.
    pub locals: Vec<HashSet<String>>,
    /// Names that some backward differentiates by, and containers of such.
    pub leaves: HashSet<String>,
    pub containers: HashSet<String>,
    /// Names of computed values that retain their gradients.
    pub computed: HashSet<String>,
    /// Gradients that are read where there may be none.
    pub unset: BTreeSet<String>,
    pub next: usize,
    /// Names of parameters of hooks, and what they are called with.
    pub places: Vec<(String, String)>,
    /// Texts that stand in the places of others.
    pub replaced: Vec<(Span, String)>,
    pub hooks: Vec<Hook<'a>>,
    pub modules: Modules<'a>,
    pub optimisers: Vec<Optimiser>,
    pub rates: Rates,
    /// The program's Functions, and JAX's functions for them.
    pub functions: HashMap<String, String>,
    /// Functions made for backwards: their names and texts.
    pub made: Vec<(String, String)>,
    /// Lines that stand in functions made for backwards too.
    pub copied: HashSet<usize>,
    /// The values whose backward is called, by the place of the call.
    pub roots: &'a HashMap<Span, Expr>,
    /// Where the backward that is being written stands.
    pub sweeping: usize,
    pub effects_of: HashMap<String, Effects>,
    /// The `ctx` of the Function that is being written.
    pub context: Option<Context>,
    /// Names of errors, whose values are written down.
    pub unwritten: Vec<String>,
    /// Names that are bound to what JAX has no counterpart for.
    pub gone: Vec<String>,
    /// Leaves whose gradients have been set to None.
    pub begun: HashSet<String>,
    /// What names at the top level were last bound to.
    pub defined: Vec<(String, (&'a Stmt, &'a Expr))>,
}

/// What a `ctx` holds.
pub(super) struct Context {
    pub name: String,
    /// Attributes that forward set, in order.
    pub kept: Vec<String>,
    pub saves: bool,
    pub backward: bool,
    /// So many gradients backward returns.
    pub inputs: usize,
}

/// What calling a function does besides.
#[derive(Default, Clone)]
pub(super) struct Effects {
    pub prints: bool,
    /// Names outside that it reads.
    pub reads: Names,
    /// Names outside that it writes to, and whether it binds them anew.
    pub writes: Called,
    /// Parameters that it writes to in place.
    pub params: Vec<usize>,
}

/// A function that sees a gradient on its way.
pub(super) struct Hook<'a> {
    pub name: String,
    pub code: String,
    /// From where in the program on, and up to where.
    pub from: usize,
    pub until: usize,
    /// Called with the leaf when its gradient has been added to.
    pub after: Option<&'a Function>,
    pub handle: Option<String>,
}

impl<'a> Writer<'a> {
    pub fn new(
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
            called: Called::new(),
            over: None,
            used: BTreeSet::new(),
            bound,
            brought: HashSet::new(),
            nonlocals: HashSet::new(),
            comprehended: Vec::new(),
            given: Vec::new(),
            locals: Vec::new(),
            leaves: HashSet::new(),
            containers: HashSet::new(),
            computed: HashSet::new(),
            unset: BTreeSet::new(),
            next: 1,
            places: Vec::new(),
            replaced: Vec::new(),
            hooks: Vec::new(),
            modules: Modules::default(),
            optimisers: Vec::new(),
            rates: Rates::default(),
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
            if is_name(&leaf.path) && !leaf.earlier {
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

    /// A helper's name as it is called here.
    pub fn helper(&mut self, name: &str) -> String {
        self.used.insert(name.to_owned());
        name.to_owned()
    }
}
