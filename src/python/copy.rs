//! Python's `copy` module: `copy.copy` and `copy.deepcopy`, of modules and their parameters too.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use vjp_eval::library::{builtins, values};
use vjp_eval::values::dict::Table;
use vjp_eval::values::shared::Shared;
use vjp_eval::values::value::{List, Set, Tuple};
use vjp_eval::values::{collector, shared};
use vjp_eval::{Args, Dict, Instance, Machine, Module, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::variable::memory::Copied;
use vjp_tensor::{Kind, budget};
use vjp_text::Symbol;

pub static COPY: Module =
    Module { name: "copy", help: "Shallow and deep copies", contents: || values(BUILTINS) };

builtins! {
    static BUILTINS in "copy";
    "copy" "(x)" |m, a| shallow(m, &a), "Makes a shallow copy, which shares its parts with the original.";
    "deepcopy" "(x, memo=None)" |m, a| deep(m, &the_value(&a)?, &mut Memo::default()), "Makes a deep copy, which shares nothing mutable.";
}

fn the_value(args: &Args) -> Tried<Value> {
    match args.positional.first() {
        Some(value) => Ok(value.clone()),
        None => raise!(Kind::Type, "{}() missing 1 required positional argument: 'x'", args.name()),
    }
}

fn shallow(machine: &mut Machine, args: &Args) -> Tried<Value> {
    let value = the_value(args)?;
    if let Some(method) = machine.special(&value, "__copy__") {
        let site = machine.here();
        return machine.call_with(&method, Vec::new(), &site);
    }
    Ok(match &value {
        Value::List(_) => super::lists::all_of(machine, &value)?,
        Value::Dict(d) => {
            let copy = Dict::default();
            copy.entries.replace(d.entries.borrow().copied()?.into());
            Value::dict(copy)
        }
        Value::Set(s) => {
            let copy = Set::new(s.frozen);
            copy.entries.replace(s.entries.borrow().copied()?.into());
            Value::Set(Rc::new(copy))
        }
        Value::Instance(i) => {
            Value::Instance(Instance::shared(&i.class(), i.attributes.borrow().clone()))
        }
        Value::Tensor(t) => Value::Tensor(t.aliased()),
        Value::Array(t) => Value::Array(Variable::constant(t.value())),
        other => other.clone(),
    })
}

/// The copies made so far, by the address of their original, and of the memory of tensors.
#[derive(Default)]
struct Memo {
    values: HashMap<usize, Value>,
    memory: Copied,
}

/// A copy of a value and of all in it that can change; what is met twice is copied once.
fn deep(machine: &mut Machine, value: &Value, memo: &mut Memo) -> Tried<Value> {
    let key = match value {
        Value::Tensor(t) | Value::Array(t) => !t.id(),
        other => other.address(),
    };
    if value.is_shared()
        && let Some(copy) = memo.values.get(&key)
    {
        return Ok(copy.clone());
    }
    machine.enter_call()?;
    let copy = copied(machine, value, key, memo);
    machine.leave_call();
    copy
}

/// `copy.deepcopy(value)`.
pub fn whole(m: &mut Machine, value: &Value) -> Tried<Value> {
    deep(m, value, &mut Memo::default())
}

/// Whether a method is of the program: Python's own classes are copied by what they hold, below.
fn written(method: &Value) -> bool {
    !matches!(method, Value::Method(_) | Value::Builtin(_))
}

fn copied(machine: &mut Machine, value: &Value, key: usize, memo: &mut Memo) -> Tried<Value> {
    if let Some(method) = machine.special(value, "__deepcopy__")
        && written(&method)
    {
        let site = machine.here();
        let copy = machine.call_with(&method, vec![Value::Dict(Rc::default())], &site)?;
        memo.values.insert(key, copy.clone());
        return Ok(copy);
    }
    // What may hold itself is known before its parts are copied.
    let copy = match value {
        Value::Tensor(t) => {
            let copy = Value::Tensor(tensor(t, &mut memo.memory)?);
            memo.values.insert(key, copy.clone());
            copy
        }
        Value::Array(t) => Value::Array(Variable::constant(t.value())),
        Value::List(l) => {
            let copy = List::shared(Vec::new());
            memo.values.insert(key, Value::List(Rc::clone(&copy)));
            let items = budget::copied(&l.items.borrow())?;
            for item in &items {
                let item = deep(machine, item, memo)?;
                copy.written()?.push(item);
            }
            copy.numeric.set(l.numeric.get());
            Value::List(copy)
        }
        Value::Tuple(t) => {
            let mut items = Vec::with_capacity(t.items.len());
            for item in &t.items {
                items.push(deep(machine, item, memo)?);
            }
            let kind = t.kind.clone();
            Value::Tuple(Rc::new(Tuple { items, kind }))
        }
        Value::Dict(d) => {
            let copy = collector::shared(Dict::default());
            memo.values.insert(key, Value::Dict(Rc::clone(&copy)));
            let entries = d.entries.borrow().copied()?;
            table(machine, &entries, &copy.entries, memo)?;
            Value::Dict(copy)
        }
        Value::Set(s) => {
            let copy = Rc::new(Set::new(s.frozen));
            memo.values.insert(key, Value::Set(Rc::clone(&copy)));
            let entries = s.entries.borrow().copied()?;
            table(machine, &entries, &copy.entries, memo)?;
            Value::Set(copy)
        }
        Value::Instance(i) => {
            let copy = Instance::shared(&i.class(), Vec::new());
            memo.values.insert(key, Value::Instance(Rc::clone(&copy)));
            let attributes: Vec<(Symbol, Value)> = i.attributes.borrow().clone();
            for (name, part) in &attributes {
                let part = deep(machine, part, memo)?;
                copy.attributes.borrow_mut().push((*name, part));
            }
            Value::Instance(copy)
        }
        other => other.clone(),
    };
    if copy.is_shared() {
        memo.values.insert(key, copy.clone());
    }
    Ok(copy)
}

fn table(
    machine: &mut Machine,
    from: &Table,
    to: &RefCell<Shared<Table>>,
    memo: &mut Memo,
) -> Tried<()> {
    for (_, name, value) in from.iter() {
        let (name, value) = (deep(machine, name, memo)?, deep(machine, value, memo)?);
        let key = vjp_eval::values::dict::Key::of(&name)?;
        shared::written(to)?.insert(key, name, value);
    }
    Ok(())
}

/// A leaf like this one, with its gradient where it is no parameter.
fn tensor(t: &Variable, memory: &mut Copied) -> Tried<Variable> {
    if !t.is_leaf() {
        raise!(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
        );
    }
    let copy = t.copied(memory);
    if let Some(g) = t.grad().filter(|_| !t.is_parameter()) {
        copy.set_grad(Some(Variable::constant(g.value())))?;
    }
    Ok(copy)
}
