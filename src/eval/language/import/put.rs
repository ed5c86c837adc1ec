//! What a program puts into a module: `F.softargmax = F.softmax`.

use crate::{Machine, Module, Value, library};
use std::rc::Rc;
use vjp_text::Symbol;

/// By module and name.
type Put = Vec<(&'static str, Symbol, Value)>;

fn all(m: &Machine) -> Option<&Put> {
    m.library.put_into_modules.as_deref()?.downcast_ref()
}

/// Puts a value into a module.
pub(crate) fn put(m: &mut Machine, module: &'static Module, name: Symbol, value: Value) {
    let mut put = all(m).cloned().unwrap_or_default();
    put.retain(|(at, other, _)| (*at, *other) != (module.name, name));
    put.push((module.name, name, value));
    m.library.put_into_modules = Some(Rc::new(put));
}

/// All that was put into modules.
pub(crate) fn values(m: &Machine) -> impl Iterator<Item = Value> {
    all(m).into_iter().flatten().map(|(.., value)| value.clone())
}

impl Machine {
    /// What a module has under a name: what the program put there, its own, or a module in it.
    pub(crate) fn of_module(&self, module: &'static Module, name: Symbol) -> Option<Value> {
        let mut put = all(self).into_iter().flatten();
        let put = put.find(|(at, other, _)| (*at, *other) == (module.name, name));
        put.map(|(.., value)| value.clone())
            .or_else(|| module.get(name))
            .or_else(|| library::submodule(module, name))
    }
}
