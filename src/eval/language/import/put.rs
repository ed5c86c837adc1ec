//! What a program puts into a module: `F.softargmax = F.softmax`.

use crate::language::machine::Machine;
use crate::library::{self, Module};
use crate::values::value::Value;
use std::rc::Rc;
use vjp_text::names::Symbol;

/// By module and name.
type Put = Vec<(&'static str, Symbol, Value)>;

fn all(m: &Machine) -> Rc<Put> {
    let put = m.library.put_into_modules.clone();
    put.and_then(|put| put.downcast().ok()).unwrap_or_default()
}

/// Puts a value into a module.
pub(crate) fn put(m: &mut Machine, module: &'static Module, name: Symbol, value: Value) {
    let mut put = all(m).to_vec();
    put.retain(|(at, other, _)| (*at, *other) != (module.name, name));
    put.push((module.name, name, value));
    m.library.put_into_modules = Some(Rc::new(put));
}

/// All that was put into modules.
pub(crate) fn values(m: &Machine) -> Vec<Value> {
    all(m).iter().map(|(.., value)| value.clone()).collect()
}

impl Machine {
    /// What a module has under a name: what the program put there, its own, or a module in it.
    pub(crate) fn of_module(&self, module: &'static Module, name: Symbol) -> Option<Value> {
        let put = self.library.put_into_modules.as_ref().and_then(|_| {
            let put = all(self);
            let is = |(at, other, _): &&(&str, Symbol, Value)| *at == module.name && *other == name;
            put.iter().find(is).map(|(.., value)| value.clone())
        });
        put.or_else(|| module.get(name)).or_else(|| library::submodule(module, name))
    }
}
