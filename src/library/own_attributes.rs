//! Attributes that a program keeps on a tensor: `t.label = 'mine'`.

use std::collections::HashMap;
use std::rc::Rc;
use vjp_eval::values::dict::Key;
use vjp_eval::{Dict, Machine, Value};
use vjp_maths::Variable;
use vjp_maths::autodiff::variable::WeakVariable;
use vjp_tensor::Outcome;
use vjp_text::Symbol;

/// By the tensors' ids.
type All = HashMap<usize, (WeakVariable, Vec<(Symbol, Value)>)>;

fn all(machine: &Machine) -> Option<&All> {
    machine.library.own_attributes.as_ref()?.downcast_ref()
}

pub fn get(machine: &Machine, t: &Variable, name: Symbol) -> Option<Value> {
    let (_, held) = all(machine)?.get(&t.id())?;
    held.iter().find(|(n, _)| *n == name).map(|(_, v)| v.clone())
}

/// `t.__dict__`.
pub fn all_of(machine: &Machine, t: &Variable) -> Outcome<Value> {
    let dict = Dict::default();
    let held = all(machine).and_then(|all| all.get(&t.id()));
    for (name, v) in held.iter().flat_map(|(_, held)| held) {
        let name = Value::str(name.as_str());
        dict.written()?.insert(Key::of(&name)?, name, v.clone());
    }
    Ok(Value::dict(dict))
}

/// Whether there was one to delete.
pub fn delete(machine: &mut Machine, t: &Variable, name: Symbol) -> bool {
    if get(machine, t, name).is_none() {
        return false;
    }
    let mut new = all(machine).cloned().unwrap_or_default();
    if let Some((_, held)) = new.get_mut(&t.id()) {
        held.retain(|(n, _)| *n != name);
    }
    machine.library.own_attributes = Some(Rc::new(new));
    true
}

/// In a table of its own: a snapshot keeps the one before.
pub fn set(machine: &mut Machine, t: &Variable, name: Symbol, value: Value) {
    let mut new = all(machine).cloned().unwrap_or_default();
    new.retain(|_, (owner, _)| owner.upgrade().is_some());
    let (_, held) = new.entry(t.id()).or_insert_with(|| (t.downgrade(), Vec::new()));
    held.retain(|(n, _)| *n != name);
    held.push((name, value));
    machine.library.own_attributes = Some(Rc::new(new));
}
