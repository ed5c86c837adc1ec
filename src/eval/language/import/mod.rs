//! `import` binds what the program provides itself; of what it does not provide, a stand-in whose use is
//! the error.

mod instead;
pub(crate) mod put;
pub mod stand_in;

use super::machine::Machine;
use crate::{At, Note, Tried, Value, library};
use stand_in::StandIn;
use vjp_syntax::ast::{Expr, ExprKind, Handler, Name};
use vjp_tensor::{Complaint, Kind};
use vjp_text::Symbol;
use vjp_text::did_you_mean::{asks, closest};

pub use instead::instead;

fn dotted(path: &[Name]) -> String {
    let parts: Vec<&str> = path.iter().map(|n| n.as_str()).collect();
    parts.join(".")
}

/// What is said of a module that is not provided.
fn missing(name: &str) -> Box<Complaint> {
    let top = name.split('.').next().unwrap_or(name);
    let partly = library::module(top).is_some();
    let message = format!("No module named '{}'", if partly { name } else { top });
    let hint = match instead(name) {
        None if !partly => {
            "vjp cannot install modules: write what you need of it in the program".to_owned()
        }
        _ => lacking(name),
    };
    Complaint::new(Kind::ModuleNotFound, message).hint(hint)
}

/// What to do in place of something of a module that is provided in part.
pub(crate) fn lacking(full: &str) -> String {
    let unknown = || match full.starts_with("torch") {
        true if let Some(place) = elsewhere(full) => format!("PyTorch has it as {place}"),
        true => format!("check the spelling; if it is right, vjp does not have {full}"),
        false => format!("vjp does not know {full}: check the spelling"),
    };
    instead(full).map_or_else(unknown, str::to_owned)
}

/// Modules of PyTorch, as programs write them, in which a name is looked for that another lacks.
const PLACES: [(&str, &str); 7] = [
    ("torch", "torch"),
    ("torch.nn.functional", "F"),
    ("torch.nn", "nn"),
    ("torch.autograd", "torch.autograd"),
    ("torch.optim", "torch.optim"),
    ("torch.linalg", "torch.linalg"),
    ("torch.func", "torch.func"),
];

/// Where a name of PyTorch's is, if not in the module that was asked.
pub(crate) fn elsewhere(full: &str) -> Option<String> {
    let (_, name) = full.rsplit_once('.')?;
    let has =
        |module: &str| library::module(module).is_some_and(|m| m.get(Symbol::new(name)).is_some());
    let (_, short) = PLACES.iter().find(|(module, _)| has(module))?;
    Some(format!("{short}.{name}"))
}

/// The module that a name was perhaps meant to be: one that is not known and is a slip away from one.
fn slip(name: &str) -> Option<String> {
    if instead::knows(name) {
        return None;
    }
    let provided = library::modules().into_iter().map(|m| m.name);
    let top = name.split('.').next().unwrap_or(name);
    if library::module(top).is_none() {
        let near = closest(top, provided.chain(instead::names()).filter(|n| !n.contains('.')))?;
        return Some(near.to_owned());
    }
    let (outer, last) = name.rsplit_once('.')?;
    let within = provided.filter_map(|n| n.strip_prefix(outer)?.strip_prefix('.'));
    closest(last, within).map(|near| format!("{outer}.{near}"))
}

/// A module, or an object that represents one in another module (`torch.backends.cudnn`).
fn named(whole: &str) -> Option<Value> {
    let object = || {
        let (outer, name) = whole.rsplit_once('.')?;
        let value = library::module(outer)?.get(Symbol::new(name));
        value.filter(|v| matches!(v, Value::Instance(_)))
    };
    library::module(whole).map(Value::Module).or_else(object)
}

/// Whether an `except` clause waits for an import to fail.
pub(crate) fn awaits_import(handler: &Handler) -> bool {
    fn names(e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Name(n) => matches!(
                n.as_str(),
                "ImportError" | "ModuleNotFoundError" | "Exception" | "BaseException"
            ),
            ExprKind::Tuple(all) => all.iter().any(names),
            _ => false,
        }
    }
    handler.class.as_ref().is_none_or(names)
}

impl Machine {
    pub(crate) fn import(&mut self, list: &[(Vec<Name>, Option<Name>)]) -> Tried<()> {
        for (path, name) in list {
            let Some(first) = path.first() else {
                continue;
            };
            let whole = dotted(path);
            let span = path.iter().fold(first.span, |s, n| s.to(n.span));
            let module = match named(&whole) {
                Some(module) => module,
                None => self.absent(&whole, missing(&whole)).at(span)?,
            };
            match name {
                Some(n) => self.store(n.symbol, module),
                // `import torch.nn` binds `torch`.
                None => {
                    let top = first.as_str();
                    let top = match library::module(top) {
                        Some(top) => Value::Module(top),
                        None if path.len() > 1 => StandIn::value(top.to_owned(), missing(&whole)),
                        None => module,
                    };
                    self.store(first.symbol, top);
                }
            }
        }
        Ok(())
    }

    /// What `__import__` gives: the module, of a dotted name the first, if `top`.
    pub fn imported(&mut self, name: &str, top: bool) -> Tried<Value> {
        let first = name.split('.').next().unwrap_or(name);
        match (named(name), library::module(first)) {
            (Some(_), Some(outer)) if top => Ok(Value::Module(outer)),
            (Some(module), _) => Ok(module),
            (None, _) => Err(missing(name).into()),
        }
    }

    pub(crate) fn import_from(
        &mut self,
        path: &[Name],
        names: &[(Name, Option<Name>)],
    ) -> Tried<()> {
        let whole = dotted(path);
        let span = path.iter().map(|n| n.span).reduce(|a, b| a.to(b)).unwrap_or_default();
        if whole == "__future__" {
            return Ok(());
        }
        let Some(module) = library::module(&whole) else {
            let module = self.absent(&whole, missing(&whole)).at(span)?;
            for (name, bound) in names {
                let v = self.get_attr(&module, name.symbol).at(name.span)?;
                self.store(bound.unwrap_or(*name).symbol, v);
            }
            return Ok(());
        };
        if names.is_empty() {
            for name in module.names() {
                let symbol = vjp_text::Symbol::new(name);
                if let Some(v) = module.get(symbol).filter(|_| !name.starts_with('_')) {
                    self.store(symbol, v);
                }
            }
        }
        for (name, bound) in names {
            let text = name.as_str();
            let v = match self.of_module(module, name.symbol) {
                Some(v) => v,
                None => self.absent_name(&whole, text, module.names()).at(name.span)?,
            };
            self.store(bound.unwrap_or(*name).symbol, v);
        }
        Ok(())
    }

    /// A stand-in for a module that is not provided; the error itself where an `except` waits for it.
    fn absent(&mut self, whole: &str, complaint: Box<Complaint>) -> Tried<Value> {
        if let Some(near) = slip(whole) {
            return Err(Complaint::new(complaint.kind, complaint.message).hint(asks(&near)).into());
        }
        if self.awaits_imports {
            return Err(complaint.into());
        }
        let hint = complaint.hint.as_deref().unwrap_or_default();
        let text = format!("{}, so using it will be an error; {hint}", complaint.message);
        if !self.strict() {
            self.note(Symbol::new(&complaint.message).as_str(), Note::plain(text));
        }
        Ok(StandIn::value(whole.to_owned(), complaint))
    }

    /// The same for a name of a module of which only a part is provided; of other modules, the error.
    fn absent_name(&mut self, whole: &str, name: &str, known: Vec<&'static str>) -> Tried<Value> {
        let message = format!("cannot import name '{name}' from '{whole}'");
        let complaint = Complaint::new(Kind::Import, message);
        let full = format!("{whole}.{name}");
        match closest(name, known) {
            Some(near) => Err(complaint.hint(asks(near)).into()),
            None if !library::is_partial(whole) => Err(complaint.into()),
            None => {
                let hint = lacking(&full);
                self.absent(&full, complaint.hint(hint))
            }
        }
    }
}
