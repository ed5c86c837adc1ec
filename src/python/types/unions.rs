//! `int | str`: a choice of classes, as annotations and `isinstance` write it.

use std::rc::Rc;
use vjp_eval::{Machine, Object, Tried, Value};
use vjp_text::Symbol;

/// The classes to choose from; None represents its class.
pub struct Union {
    pub members: Vec<Value>,
}

/// `a | b` of classes; None where one is not a class.
pub fn either(a: &Value, b: &Value) -> Option<Value> {
    let mut members = Vec::new();
    for v in [a, b] {
        match v {
            Value::Type(_) | Value::Class(_) => members.push(v.clone()),
            Value::None => members.push(crate::types::class_of(v)),
            Value::Object(o) => {
                members.extend(o.as_any().downcast_ref::<Union>()?.members.iter().cloned());
            }
            _ => return None,
        }
    }
    if a.is_none() && b.is_none() {
        return None;
    }
    let mut kept: Vec<Value> = Vec::new();
    for v in members {
        if !kept.iter().any(|k| k.same(&v)) {
            kept.push(v);
        }
    }
    Some(match kept.as_slice() {
        [one] => one.clone(),
        _ => Value::Object(Rc::new(Union { members: kept })),
    })
}

impl Object for Union {
    fn type_name(&self) -> String {
        "types.UnionType".into()
    }
    fn get(&self, _: &Value, name: Symbol, _: &mut Machine) -> Tried<Option<Value>> {
        Ok((name.as_str() == "__args__").then(|| Value::tuple(self.members.clone())))
    }
    fn repr(&self, m: &mut Machine) -> Tried<String> {
        let mut names = Vec::new();
        for v in &self.members {
            names.push(match v {
                Value::Type(t) if t.name == "NoneType" => "None".to_owned(),
                Value::Type(t) if t.module == "builtins" => t.name.to_owned(),
                other => {
                    let text = vjp_eval::display::python::repr(m, other)?;
                    text.trim_start_matches("<class '").trim_end_matches("'>").to_owned()
                }
            });
        }
        Ok(names.join(" | "))
    }
}
