//! Calls: arguments, binding them to parameters, running functions.

pub mod misspelled;
pub mod parameters;
mod protocols;

use crate::library::forms::Builtin;
use crate::{Machine, Tried, Value};
use smallvec::SmallVec;
use vjp_tensor::{Complaint, Kind, Outcome};
use vjp_text::{Source, Span, Symbol};

/// What a call passes.
#[derive(Clone)]
pub struct Args {
    pub positional: Vec<Value>,
    pub named: Vec<(Symbol, Value)>,
    pub site: Site,
    /// Which builtin is called; None for functions of the program.
    pub callee: Option<&'static Builtin>,
}

/// Where a call stands.
#[derive(Clone, Debug)]
pub struct Site {
    /// The whole call, `y.backward(v)`.
    pub span: Span,
    /// What is called: `y.backward`.
    pub callee: Span,
    /// The object of a method: `y`.
    pub receiver: Option<Span>,
    /// Each argument as written, the receiver not counted.
    pub args: SmallVec<[Span; 4]>,
    pub source: Source,
}

impl Args {
    pub fn new(positional: Vec<Value>, site: Site) -> Args {
        Args { positional, named: Vec::new(), site, callee: None }
    }

    /// Name of the called builtin, for messages.
    pub fn name(&self) -> &'static str {
        self.callee.map_or("function", |b| b.name)
    }

    /// Takes a named argument out.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        let i = self.named.iter().position(|(n, _)| n.as_str() == name)?;
        Some(self.named.remove(i).1)
    }

    /// Positional argument `i`, or the one named so.
    pub fn take_at(&mut self, i: usize, name: &str) -> Option<Value> {
        match self.take(name) {
            Some(v) => Some(v),
            None => self.positional.get(i).cloned(),
        }
    }

    /// No named arguments may be left.
    pub fn no_names(&self) -> Outcome<()> {
        if self.named.is_empty() {
            return Ok(());
        }
        Err(Complaint::new(Kind::Type, format!("{}() takes no keyword arguments", self.name())))
    }

    /// Only these names may be given.
    pub fn only_names(&self, allowed: &[&str]) -> Outcome<()> {
        match self.named.iter().find(|(n, _)| !allowed.contains(&n.as_str())) {
            None => Ok(()),
            Some((n, _)) => Err(Complaint::new(
                Kind::Type,
                format!("'{n}' is an invalid keyword argument for {}()", self.name()),
            )),
        }
    }

    /// How many positional arguments (the receiver of a method not counted) are allowed.
    pub fn count(&self, least: usize, most: usize) -> Outcome<()> {
        self.count_beyond(0, least, most)
    }

    /// [`Args::count`] of a method, whose receiver is argument 0.
    pub fn count_beyond(&self, receiver: usize, least: usize, most: usize) -> Outcome<()> {
        let n = self.positional.len().saturating_sub(receiver);
        if (least..=most).contains(&n) {
            return Ok(());
        }
        let name = self.name();
        let message = if least == most {
            // Methods and functions of modules are named with their class or module here.
            let full = match self.callee {
                Some(b) if b.module != "builtins" => format!("{}.{name}", b.module),
                _ => name.to_owned(),
            };
            match least {
                0 => format!("{full}() takes no arguments ({n} given)"),
                1 => format!("{full}() takes exactly one argument ({n} given)"),
                _ => format!("{name} expected {least} arguments, got {n}"),
            }
        } else {
            let (word, bound) = if n < least { ("at least", least) } else { ("at most", most) };
            let s = if bound == 1 { "" } else { "s" };
            format!("{name} expected {word} {bound} argument{s}, got {n}")
        };
        Err(Complaint::new(Kind::Type, message))
    }
}

impl Site {
    /// Span of argument `i`, or of the call.
    pub fn arg(&self, i: usize) -> Span {
        self.args.get(i).copied().unwrap_or(self.span)
    }

    /// Text of a place in it.
    pub fn text(&self, span: Span) -> &str {
        self.source.slice(span)
    }
}

impl Machine {
    /// Calls any value with positional arguments from inside a builtin (a key function, a hook …).
    pub fn call_with(
        &mut self,
        function: &Value,
        positional: Vec<Value>,
        site: &Site,
    ) -> Tried<Value> {
        self.call(function, Args::new(positional, site.clone()))
    }
}
