//! Tensors inside tuples, lists and dicts, as `torch.func` takes and gives them.

use super::types::name_of;
use super::values::tensor_like;
use crate::eval::containers::Dict;
use crate::eval::dict::Table;
use crate::eval::machine::Machine;
use crate::eval::raise::Halt;
use crate::eval::value::Value;
use crate::maths::complaint::Kind;
use crate::maths::variable::Variable;
use crate::raise;
use std::cell::RefCell;
use std::rc::Rc;

/// Containers in containers deeper than this are no tree of tensors.
const DEEPEST: usize = 100;

/// The same containers, each tensor in them through `f`, in order.
///
/// # Errors
/// What `f` says; something that is neither a tensor nor a container.
pub fn map(
    machine: &mut Machine,
    value: &Value,
    f: &mut dyn FnMut(Variable) -> Result<Variable, Halt>,
) -> Result<Value, Halt> {
    mapped(machine, value, f, 0)
}

fn mapped(
    machine: &mut Machine,
    value: &Value,
    f: &mut dyn FnMut(Variable) -> Result<Variable, Halt>,
    depth: usize,
) -> Result<Value, Halt> {
    if let Some(t) = whole(machine, value)? {
        return f(t).map(Value::Tensor);
    }
    if depth < DEEPEST {
        match value {
            Value::Tuple(tuple) => {
                let mut items = Vec::with_capacity(tuple.items.len());
                for item in &tuple.items {
                    items.push(mapped(machine, item, f, depth + 1)?);
                }
                return Ok(Value::tuple(items));
            }
            Value::List(list) => {
                let given = list.items.borrow().clone();
                let mut items = Vec::with_capacity(given.len());
                for item in &given {
                    items.push(mapped(machine, item, f, depth + 1)?);
                }
                return Ok(Value::list(items));
            }
            Value::Dict(dict) => {
                let given: Vec<_> = {
                    let entries = dict.entries.borrow();
                    let all = entries.iter();
                    all.map(|(k, name, v)| (k.clone(), name.clone(), v.clone()))
                        .collect()
                };
                let mut table = Table::default();
                for (key, name, item) in given {
                    let item = mapped(machine, &item, f, depth + 1)?;
                    table.insert(key, name, item);
                }
                return Ok(Value::Dict(Rc::new(Dict {
                    entries: RefCell::new(table),
                })));
            }
            _ => {}
        }
    }
    raise!(
        Kind::Value,
        "Thing passed to transform API must be Tensor, got <class '{}'>",
        name_of(value)
    )
}

/// A tensor, or what stands for one outside strict: a list of numbers, but not one of tensors.
fn whole(machine: &mut Machine, value: &Value) -> Result<Option<Variable>, Halt> {
    match value {
        Value::Tuple(t) if t.items.iter().any(|v| matches!(v, Value::Tensor(_))) => Ok(None),
        Value::List(l) if !l.numeric.get() => Ok(None),
        _ => tensor_like(machine, value),
    }
}
