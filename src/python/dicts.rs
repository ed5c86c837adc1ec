//! Methods of `dict` and `set`.

use std::cell::Cell;
use std::rc::Rc;
use vjp_eval::language::exception;
use vjp_eval::library::builtins;
use vjp_eval::values::deep_drop::Gathered;
use vjp_eval::values::dict::Key;
use vjp_eval::values::value::Set;
use vjp_eval::{Args, Dict, Halt, Machine, Object, Tried, Value, name_of, raise};
use vjp_syntax::ast::BinaryOp;
use vjp_tensor::{Kind, Outcome, budget};
use vjp_text::Symbol;

type Made = Tried<Value>;

builtins! {
    pub static METHODS;
    "dict" "keys" "()" |_, a| view(&a, Part::Keys), "Returns the keys.";
    "dict" "values" "()" |_, a| view(&a, Part::Values), "Returns the values.";
    "dict" "items" "()" |_, a| view(&a, Part::Items), "Returns (key, value) pairs.";
    "dict" "get" "(key, default=None, /)" get, "Returns the value for a key, or the default.";
    "dict" "pop" "(key[, default])" pop, "Removes a key and returns its value.";
    "dict" "popitem" "()" popitem, "Removes and returns the last pair.";
    "dict" "setdefault" "(key, default=None, /)" setdefault, "Returns the value for a key; inserts the default if the key is missing.";
    "dict" "update" "([other], **kwargs)" update_method, "Adds the pairs from another dict.";
    "dict" "clear" "()" |_, a| { dict(&a)?.entries.take(); Ok(Value::None) }, "Removes all pairs.";
    "dict" "copy" "()" |_, a| { let made = Dict::default(); made.entries.replace(dict(&a)?.entries.borrow().copied()?.into()); Ok(Value::dict(made)) }, "Makes a shallow copy.";
    "dict" "fromkeys" "(iterable, value=None, /)" fromkeys, "Makes a dict with the given keys.";
    "set" "add" "(elem, /)" add, "Adds an element.";
    "set" "discard" "(elem, /)" |m, a| discard(m, &a, false), "Removes an element if present.";
    "set" "remove" "(elem, /)" |m, a| discard(m, &a, true), "Removes an element.";
    "set" "pop" "()" pop_element, "Removes and returns an arbitrary element.";
    "set" "clear" "()" |_, a| { set(&a)?.entries.take(); Ok(Value::None) }, "Removes all elements.";
    "set" "update" "(*others)" |m, a| { let s = set(&a)?; for other in &a.positional[1..] { for v in m.collect(other)? { let k = m.key(&v)?; s.written()?.insert(k, v, Value::None); } } Ok(Value::None) }, "Adds the elements of other iterables.";
    "set" "copy" "()" |m, a| super::collections::set_of(m, a.positional.first(), false), "Makes a shallow copy.";
    "set" "union" "(*others)" |m, a| combined(m, &a, BinaryOp::BitOr), "Returns the elements in either set.";
    "set" "intersection" "(*others)" |m, a| combined(m, &a, BinaryOp::BitAnd), "Returns the elements in both sets.";
    "set" "difference" "(*others)" |m, a| combined(m, &a, BinaryOp::Sub), "Returns the elements in this set but not the others.";
    "set" "symmetric_difference" "(other, /)" |m, a| combined(m, &a, BinaryOp::BitXor), "Returns the elements in exactly one of the two sets.";
    "set" "issubset" "(other, /)" |m, a| { let (x, y) = pair(m, &a)?; let y = y.entries.borrow(); Ok(Value::Bool(x.entries.borrow().iter().all(|(k, _, _)| !budget::stopping() && y.contains(k)))) }, "Returns whether another set contains this set.";
    "set" "issuperset" "(other, /)" |m, a| { let (x, y) = pair(m, &a)?; let x = x.entries.borrow(); Ok(Value::Bool(y.entries.borrow().iter().all(|(k, _, _)| !budget::stopping() && x.contains(k)))) }, "Returns whether this set contains another.";
    "set" "isdisjoint" "(other, /)" |m, a| { let (x, y) = pair(m, &a)?; let x = x.entries.borrow(); Ok(Value::Bool(!y.entries.borrow().iter().any(|(k, _, _)| budget::stopping() || x.contains(k)))) }, "Returns whether the two sets have no element in common.";
}

fn dict(args: &Args) -> Tried<Rc<Dict>> {
    match args.positional.first() {
        Some(Value::Dict(d)) => Ok(Rc::clone(d)),
        other => raise!(
            Kind::Type,
            "descriptor '{}' for 'dict' objects doesn't apply to a '{}' object",
            args.name(),
            other.map_or_else(|| "NoneType".into(), name_of)
        ),
    }
}

fn set(args: &Args) -> Tried<Rc<Set>> {
    match args.positional.first() {
        Some(Value::Set(s)) => Ok(Rc::clone(s)),
        other => raise!(
            Kind::Type,
            "descriptor '{}' for 'set' objects doesn't apply to a '{}' object",
            args.name(),
            other.map_or_else(|| "NoneType".into(), name_of)
        ),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Keys,
    Values,
    Items,
}

/// What `keys()`, `values()` and `items()` give: it follows the dict.
struct View {
    of: Rc<Dict>,
    part: Part,
    /// Of an OrderedDict.
    ordered: Cell<bool>,
}

fn view(args: &Args, part: Part) -> Made {
    Ok(Value::Object(Rc::new(View { of: dict(args)?, part, ordered: Cell::default() })))
}

impl View {
    fn list(&self) -> Outcome<Vec<Value>> {
        let table = self.of.entries.borrow();
        let mut all = Gathered::from(budget::vec(table.len())?);
        for (_, k, v) in table.iter() {
            budget::tick()?;
            all.push(match self.part {
                Part::Keys => k.clone(),
                Part::Values => v.clone(),
                Part::Items => Value::tuple(vec![k.clone(), v.clone()]),
            });
        }
        Ok(all.done())
    }
}

impl Object for View {
    fn type_name(&self) -> String {
        let part = match self.part {
            Part::Keys => "dict_keys",
            Part::Values => "dict_values",
            Part::Items => "dict_items",
        };
        format!("{}{part}", if self.ordered.get() { "o" } else { "" })
    }
    /// OrderedDict's page says that a view is of one.
    fn set(&self, name: Symbol, _: Value, _: &mut Machine) -> Tried<bool> {
        let says = name.as_str() == "_ordered";
        self.ordered.set(says || self.ordered.get());
        Ok(says)
    }
    fn reversible(&self) -> bool {
        true
    }
    fn elements(&self, _: &mut Machine) -> Option<Tried<Vec<Value>>> {
        Some(self.list().map_err(Halt::from))
    }
    fn repr(&self, m: &mut Machine) -> Tried<String> {
        let list = vjp_eval::display::python::repr(m, &Value::list(self.list()?))?;
        Ok(format!("{}({list})", self.type_name()))
    }
    fn children(&self) -> Vec<Value> {
        vec![Value::Dict(Rc::clone(&self.of))]
    }
}

fn get(m: &mut Machine, args: Args) -> Made {
    let d = dict(&args)?;
    args.count_beyond(1, 1, 2)?;
    let key = m.key(&args.positional[1])?;
    let found = d.entries.borrow().get(&key).cloned();
    Ok(found.unwrap_or_else(|| args.positional.get(2).cloned().unwrap_or(Value::None)))
}

fn pop(m: &mut Machine, args: Args) -> Made {
    let d = dict(&args)?;
    args.count_beyond(1, 1, 2)?;
    let key = m.key(&args.positional[1])?;
    let found = d.written()?.remove(&key);
    match (found, args.positional.get(2)) {
        (Some((_, v)), _) => Ok(v),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => Err(exception::halt(Kind::Key, vec![args.positional[1].clone()])),
    }
}

fn popitem(_: &mut Machine, args: Args) -> Made {
    let d = dict(&args)?;
    let last = d.entries.borrow().last();
    let mut entries = d.written()?;
    let taken = last.and_then(|k| entries.remove(&k));
    drop(entries);
    match taken {
        Some((k, v)) => Ok(Value::tuple(vec![k, v])),
        None => {
            Err(exception::halt(Kind::Key, vec![Value::from("popitem(): dictionary is empty")]))
        }
    }
}

fn setdefault(m: &mut Machine, args: Args) -> Made {
    let d = dict(&args)?;
    args.count_beyond(1, 1, 2)?;
    let key = m.key(&args.positional[1])?;
    if let Some(v) = d.entries.borrow().get(&key) {
        return Ok(v.clone());
    }
    let v = args.positional.get(2).cloned().unwrap_or(Value::None);
    d.written()?.insert(key, args.positional[1].clone(), v.clone());
    Ok(v)
}

/// Adds the pairs of a dict or of an iterable of pairs.
///
/// # Errors
/// What holds no pairs, keys that are not hashable.
pub fn update(m: &mut Machine, d: &Dict, from: &Value) -> Tried<()> {
    if let Value::Dict(other) = &from.base() {
        if std::ptr::eq(&**other, d) {
            return Ok(());
        }
        for (k, n, v) in other.entries.borrow().iter() {
            budget::tick()?;
            d.written()?.insert(k.clone(), n.clone(), v.clone());
        }
        return Ok(());
    }
    for (i, pair) in m.collect(from)?.into_iter().enumerate() {
        let Ok(items) = m.collect(&pair) else {
            raise!(
                Kind::Type,
                "cannot convert dictionary update sequence element #{i} to a sequence"
            );
        };
        let [name, v] = items.as_slice() else {
            raise!(
                Kind::Value,
                "dictionary update sequence element #{i} has length {}; 2 is required",
                items.len()
            );
        };
        let key = m.key(name)?;
        d.written()?.insert(key, name.clone(), v.clone());
    }
    Ok(())
}

fn update_method(m: &mut Machine, args: Args) -> Made {
    let d = dict(&args)?;
    if let Some(other) = args.positional.get(1) {
        update(m, &d, other)?;
    }
    for (n, v) in args.named {
        let name = Value::from(n.as_str());
        let key = Key::of(&name)?;
        d.written()?.insert(key, name, v);
    }
    Ok(Value::None)
}

fn fromkeys(m: &mut Machine, args: Args) -> Made {
    // `dict.fromkeys(keys)` on the class, `d.fromkeys(keys)` on a dict.
    let mut given = args.positional.as_slice();
    if given.len() > 1 && matches!(given[0], Value::Dict(_)) && m.iterate(&given[1]).is_ok() {
        given = &given[1..];
    }
    let Some(keys) = given.first() else {
        raise!(Kind::Type, "fromkeys expected at least 1 argument, got 0");
    };
    let v = given.get(1).cloned().unwrap_or(Value::None);
    let made = Dict::default();
    for name in m.collect(keys)? {
        let key = m.key(&name)?;
        made.written()?.insert(key, name, v.clone());
    }
    Ok(Value::dict(made))
}

fn add(m: &mut Machine, args: Args) -> Made {
    let s = set(&args)?;
    args.count_beyond(1, 1, 1)?;
    let v = args.positional[1].clone();
    let key = m.key(&v)?;
    s.written()?.insert(key, v, Value::None);
    Ok(Value::None)
}

fn discard(m: &mut Machine, args: &Args, must: bool) -> Made {
    let s = set(args)?;
    args.count_beyond(1, 1, 1)?;
    let key = m.key(&args.positional[1])?;
    let gone = s.written()?.remove(&key);
    if must && gone.is_none() {
        return Err(exception::halt(Kind::Key, vec![args.positional[1].clone()]));
    }
    Ok(Value::None)
}

fn pop_element(m: &mut Machine, args: Args) -> Made {
    let s = set(&args)?;
    let first = vjp_eval::values::set_order::elements(&s.entries.borrow());
    let first = match first.first() {
        Some(v) => Some(m.key(v)?),
        None => None,
    };
    let mut elements = s.written()?;
    let gone = first.and_then(|k| elements.remove(&k));
    drop(elements);
    match gone {
        Some((v, _)) => Ok(v),
        None => Err(exception::halt(Kind::Key, vec![Value::from("pop from an empty set")])),
    }
}

/// Set algebra; None for an operator that sets lack.
pub fn combine(op: BinaryOp, x: &Rc<Set>, y: &Rc<Set>) -> Option<Value> {
    if !matches!(op, BinaryOp::BitOr | BinaryOp::BitAnd | BinaryOp::Sub | BinaryOp::BitXor) {
        return None;
    }
    let (a, b) = (x.entries.borrow(), y.entries.borrow());
    let made = Set::new(x.frozen);
    {
        let mut out = vjp_eval::values::dict::Table::default();
        for (k, n, _) in budget::unless_stopped(a.iter()) {
            let keep = match op {
                BinaryOp::BitOr => true,
                BinaryOp::BitAnd => b.contains(k),
                _ => !b.contains(k),
            };
            if keep {
                out.insert(k.clone(), n.clone(), Value::None);
            }
        }
        if matches!(op, BinaryOp::BitOr | BinaryOp::BitXor) {
            let others = b.iter().filter(|(k, _, _)| !a.contains(k));
            for (k, n, _) in budget::unless_stopped(others) {
                out.insert(k.clone(), n.clone(), Value::None);
            }
        }
        made.entries.replace(out.into());
    }
    Some(Value::Set(Rc::new(made)))
}

/// The set that the keys or the items of a dict are, for comparing.
pub fn view_set(m: &mut Machine, v: &Value) -> Option<Rc<Set>> {
    match v {
        Value::Set(s) => Some(Rc::clone(s)),
        Value::Object(o) => match o.as_any().downcast_ref::<View>() {
            Some(view) if view.part != Part::Values => as_set(m, v).ok(),
            _ => None,
        },
        _ => None,
    }
}

/// Set algebra of the keys or the items of a dict with any elements; None where neither is one.
///
/// # Errors
/// Elements that are not hashable.
pub fn combine_views(m: &mut Machine, op: BinaryOp, a: &Value, b: &Value) -> Tried<Option<Value>> {
    let is_view = |v: &Value| matches!(v, Value::Object(o) if o.as_any().downcast_ref::<View>().is_some_and(|v| v.part != Part::Values));
    if !(is_view(a) || is_view(b))
        || !matches!(op, BinaryOp::BitOr | BinaryOp::BitAnd | BinaryOp::Sub | BinaryOp::BitXor)
    {
        return Ok(None);
    }
    let (x, y) = (as_set(m, a)?, as_set(m, b)?);
    Ok(combine(op, &x, &y))
}

fn as_set(m: &mut Machine, v: &Value) -> Tried<Rc<Set>> {
    match super::collections::set_of(m, Some(v), false)? {
        Value::Set(s) => Ok(s),
        _ => Ok(Rc::default()),
    }
}

fn pair(m: &mut Machine, args: &Args) -> Tried<(Rc<Set>, Rc<Set>)> {
    args.count_beyond(1, 1, 1)?;
    Ok((set(args)?, as_set(m, &args.positional[1])?))
}

fn combined(m: &mut Machine, args: &Args, op: BinaryOp) -> Made {
    let mut result = set(args)?;
    for other in &args.positional[1..] {
        let other = as_set(m, other)?;
        if let Some(Value::Set(s)) = combine(op, &result, &other) {
            result = s;
        }
    }
    Ok(Value::Set(result))
}
