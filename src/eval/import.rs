//! `import`: binds what the program provides itself.

use super::library;
use super::machine::Machine;
use super::raise::{At, Halt};
use super::value::Value;
use vjp_maths::complaint::{Complaint, Kind};
use vjp_syntax::ast::Name;
use vjp_text::names::Symbol;

fn dotted(path: &[Name]) -> String {
    let parts: Vec<&str> = path.iter().map(|n| n.symbol.as_str()).collect();
    parts.join(".")
}

fn missing(name: &str) -> Box<Complaint> {
    let mut names: Vec<&str> = library::modules().iter().map(|m| m.name).collect();
    names.sort_unstable();
    let top: Vec<&str> = names.into_iter().filter(|n| !n.contains('.')).collect();
    let complaint = Complaint::new(Kind::ModuleNotFound, format!("No module named '{name}'"));
    match super::elsewhere::instead(name) {
        Some(hint) => complaint.hint(hint),
        None => complaint.hint(format!(
            "available modules: {}; vjp installs nothing else",
            vjp_text::words::list(&top, "and")
        )),
    }
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

impl Machine {
    pub(super) fn import(&mut self, list: &[(Vec<Name>, Option<Name>)]) -> Result<(), Halt> {
        for (path, name) in list {
            let Some(first) = path.first() else {
                continue;
            };
            let whole = dotted(path);
            let span = path.iter().fold(first.span, |s, n| s.to(n.span));
            let Some(module) = named(&whole) else {
                return Err(missing(&whole)).at(span);
            };
            match name {
                Some(n) => self.store(n.symbol, module),
                // `import torch.nn` binds `torch`.
                None => {
                    let top = library::module(first.symbol.as_str()).map(Value::Module);
                    self.store(first.symbol, top.unwrap_or(module));
                }
            }
        }
        Ok(())
    }

    pub(super) fn import_from(
        &mut self,
        path: &[Name],
        names: &[(Name, Option<Name>)],
    ) -> Result<(), Halt> {
        let whole = dotted(path);
        let span = path.iter().map(|n| n.span).reduce(|a, b| a.to(b)).unwrap_or_default();
        if whole == "__future__" {
            return Ok(());
        }
        let Some(module) = library::module(&whole) else {
            return Err(missing(&whole)).at(span);
        };
        if names.is_empty() {
            for name in module.names() {
                let symbol = vjp_text::names::Symbol::new(name);
                if let Some(v) = module.get(symbol).filter(|_| !name.starts_with('_')) {
                    self.store(symbol, v);
                }
            }
        }
        for (name, bound) in names {
            let text = name.symbol.as_str();
            let inner = || library::module(&format!("{whole}.{text}")).map(Value::Module);
            let Some(v) = module.get(name.symbol).or_else(inner) else {
                let complaint = Complaint::new(
                    Kind::Import,
                    format!("cannot import name '{text}' from '{whole}'"),
                );
                let near = vjp_text::similar::closest(text, module.names());
                return Err(match near {
                    Some(near) => complaint.hint(super::misspelled::asks(near)),
                    None => complaint,
                })
                .at(name.span);
            };
            self.store(bound.unwrap_or(*name).symbol, v);
        }
        Ok(())
    }
}
