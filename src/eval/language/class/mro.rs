//! The order in which a class and those it derives from are looked through.

use crate::library::forms::Type;
use crate::values::containers::find;
use crate::{Class, Value};
use std::rc::Rc;
use vjp_text::Symbol;

/// The classes to look through, the class itself first (C3).
pub fn order(class: &Rc<Class>) -> Vec<Value> {
    let mut all = vec![Value::Class(Rc::clone(class))];
    all.extend(class.order.borrow().iter().cloned());
    all
}

/// The first class that has the attribute.
pub fn lookup(order: &[Value], name: Symbol) -> Option<Value> {
    order.iter().find_map(|c| match c {
        Value::Class(c) => find(&c.attributes, name),
        Value::Type(t) => std::iter::successors(Some(*t), |t: &&'static Type| t.base)
            .find_map(|t| (t.attribute)(name.as_str())),
        _ => None,
    })
}

/// C3: a common order of the bases' own orders; None where there is none.
pub(crate) fn merge(bases: &[Value]) -> Option<Vec<Value>> {
    let mut lists: Vec<Vec<Value>> = bases
        .iter()
        .map(|b| match b {
            Value::Class(c) => order(c),
            other => vec![other.clone()],
        })
        .collect();
    lists.push(bases.to_vec());
    let mut merged = Vec::new();
    loop {
        lists.retain(|l| !l.is_empty());
        if lists.is_empty() {
            return Some(merged);
        }
        let next = lists
            .iter()
            .map(|l| l[0].clone())
            .find(|c| !lists.iter().any(|l| l[1..].iter().any(|d| d.same(c))))?;
        for l in &mut lists {
            if l[0].same(&next) {
                l.remove(0);
            }
        }
        merged.push(next);
    }
}
