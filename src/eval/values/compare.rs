//! Comparisons, membership, truth, and ordering for `sorted`.

use super::number::look;
use crate::language::class::tensor_class;
use crate::language::import::stand_in;
use crate::library::table::{given, is_matrix};
use crate::values::{integer, long_text, number, tensor_operators};
use crate::{Machine, Tried, Value};
use num_traits::ToPrimitive;
use std::borrow::Cow;
use std::cmp::Ordering;
use vjp_syntax::ast::CompareOp;
use vjp_tensor::{Kind, budget};

/// Containers compare no deeper.
const DEPTH: u32 = 500;

impl Machine {
    /// `a op b`.
    pub fn compare(&mut self, op: CompareOp, a: &Value, b: &Value) -> Tried<Value> {
        match op {
            CompareOp::Is => return Ok(Value::Bool(a.same(b))),
            CompareOp::IsNot => return Ok(Value::Bool(!a.same(b))),
            CompareOp::In => return Ok(Value::Bool(self.contains(b, a)?)),
            CompareOp::NotIn => return Ok(Value::Bool(!self.contains(b, a)?)),
            _ => {}
        }
        budget::tick()?;
        if a.is_number() && b.is_number() {
            look(a);
            look(b);
            return Ok(Value::Bool(holds(op, number::order(&a.plain(), &b.plain()))));
        }
        if matches!(a, Value::Instance(_)) || matches!(b, Value::Instance(_)) {
            return self.compare_instances(op, a, b);
        }
        if (tensor_class::class_of(a).is_some() || tensor_class::class_of(b).is_some())
            && let Some(made) = self.tensor_class_comparison(op, a, b)?
        {
            return Ok(made);
        }
        if is_matrix(a) || is_matrix(b) {
            return self.compare(op, &(given().matrix.opened)(a)?, &(given().matrix.opened)(b)?);
        }
        let vector = self.is_vector(a) || self.is_vector(b);
        // Two lists are in Python's order, but for those of which one is a leaf.
        let lists = match (a, b) {
            (Value::List(x), Value::List(y)) => {
                let is_leaf = x.leaf.borrow().is_some() || y.leaf.borrow().is_some();
                !(is_leaf && self.is_vector(a) && self.is_vector(b))
            }
            _ => false,
        };
        let elementwise = tensor_operators::is_array(a)
            || tensor_operators::is_array(b)
            || (vector && !lists && !matches!(op, CompareOp::Eq | CompareOp::Ne));
        if elementwise && let Some(v) = tensor_operators::compare(self, op, a, b)? {
            return Ok(v);
        }
        match op {
            CompareOp::Eq => Ok(Value::Bool(self.equal(a, b, 0)?)),
            CompareOp::Ne => Ok(Value::Bool(!self.equal(a, b, 0)?)),
            _ => self.ordered(op, a, b).map(Value::Bool),
        }
    }

    pub(super) fn ordered(&mut self, op: CompareOp, a: &Value, b: &Value) -> Tried<bool> {
        match (a, b) {
            (Value::Str(x), Value::Str(y)) => Ok(holds(op, Some(x.cmp(y)))),
            (Value::List(_), Value::List(_)) | (Value::Tuple(_), Value::Tuple(_)) => {
                let (x, y) = (self.collect_raw(a)?, self.collect_raw(b)?);
                for (l, r) in x.iter().zip(&y) {
                    self.tick(self.place)?;
                    if !self.equal(l, r, 0)? {
                        let v = self.compare(op, l, r)?;
                        return self.truth(&v);
                    }
                }
                Ok(holds(op, Some(x.len().cmp(&y.len()))))
            }
            (Value::Set(x), Value::Set(y)) => {
                let within = |p: &super::value::Set, q: &super::value::Set| {
                    let q = q.entries.borrow();
                    p.entries.borrow().iter().all(|(k, _, _)| !budget::stopping() && q.contains(k))
                };
                let (m, n) = (x.entries.borrow().len(), y.entries.borrow().len());
                Ok(match op {
                    CompareOp::Lt => m < n && within(x, y),
                    CompareOp::Le => within(x, y),
                    CompareOp::Gt => n < m && within(y, x),
                    _ => within(y, x),
                })
            }
            _ => {
                use crate::tp_name;
                if let Some((x, y)) = self.view_sets(a, b) {
                    return self.ordered(op, &x, &y);
                }
                if let Some(blamed) = stand_in::blamed(&[a, b]) {
                    return Err(blamed.into());
                }
                crate::raise!(
                    Kind::Type,
                    "'{}' not supported between instances of '{}' and '{}'",
                    op.text(),
                    tp_name(a),
                    tp_name(b)
                )
            }
        }
    }

    /// `a == b` as one truth value: containers by their elements.
    pub fn equal(&mut self, a: &Value, b: &Value, depth: u32) -> Tried<bool> {
        if depth > DEPTH {
            crate::raise!(Kind::Recursion, "maximum recursion depth exceeded in comparison");
        }
        budget::tick()?;
        look(a);
        look(b);
        if a.is_number() && b.is_number() {
            return Ok(number::order(&a.plain(), &b.plain()) == Some(Ordering::Equal));
        }
        match (a, b) {
            (Value::Str(x), Value::Str(y)) => Ok(x == y),
            (Value::List(_), Value::List(_)) | (Value::Tuple(_), Value::Tuple(_)) => {
                if a.same(b) {
                    return Ok(true);
                }
                let (x, y) = (self.collect_raw(a)?, self.collect_raw(b)?);
                if x.len() != y.len() {
                    return Ok(false);
                }
                for (l, r) in x.iter().zip(&y) {
                    self.tick(self.place)?;
                    // Identical elements are equal without being asked, as in CPython.
                    let identical = l.same(r) && !l.is_number();
                    if !identical && !self.equal(l, r, depth + 1)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Dict(x), Value::Dict(y)) => {
                let (x, y) = (x.entries.borrow().copied()?, y.entries.borrow().copied()?);
                if x.len() != y.len() {
                    return Ok(false);
                }
                for (key, _, v) in x.iter() {
                    match y.get(key) {
                        Some(w) if self.equal(v, w, depth + 1)? => {}
                        _ => return Ok(false),
                    }
                }
                Ok(true)
            }
            (Value::Set(x), Value::Set(y)) => {
                let (x, y) = (x.entries.borrow(), y.entries.borrow());
                Ok(x.len() == y.len()
                    && x.iter().all(|(k, _, _)| !budget::stopping() && y.contains(k)))
            }
            (Value::Range(x), Value::Range(y)) => Ok(x.parts() == y.parts()),
            (Value::Slice(x), Value::Slice(y)) => {
                for (l, r) in x.iter().zip(y.iter()) {
                    if !self.equal(l, r, depth + 1)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Method(x), Value::Method(y)) => Ok(std::ptr::eq(x.1, y.1) && x.0.same(&y.0)),
            (Value::BoundFunction(x), Value::BoundFunction(y)) => {
                Ok(x.0.same(&y.0) && x.1.same(&y.1))
            }
            (Value::Instance(_), _) | (_, Value::Instance(_)) => {
                let v = self.compare_instances(CompareOp::Eq, a, b)?;
                self.truth(&v)
            }
            _ if tensor_operators::is_array(a) || tensor_operators::is_array(b) => {
                match tensor_operators::compare(self, CompareOp::Eq, a, b)? {
                    Some(v) => self.truth(&v),
                    None => Ok(false),
                }
            }
            (Value::Object(_), _) | (_, Value::Object(_)) => match self.view_sets(a, b) {
                Some((x, y)) => self.equal(&x, &y, depth + 1),
                None => {
                    let asked = |v: &Value, other: &Value| match v {
                        Value::Object(o) => o.equals(other),
                        _ => None,
                    };
                    let equal = asked(a, b).or_else(|| asked(b, a));
                    Ok(equal.unwrap_or_else(|| a.same(b)))
                }
            },
            _ => Ok(a.same(b)),
        }
    }

    /// Two sets, of which at least one is the keys or the items of a dict.
    fn view_sets(&mut self, a: &Value, b: &Value) -> Option<(Value, Value)> {
        if !matches!((a, b), (Value::Object(_), _) | (_, Value::Object(_))) {
            return None;
        }
        let x = (given().python.view_set)(self, a)?;
        let y = (given().python.view_set)(self, b)?;
        Some((Value::Set(x), Value::Set(y)))
    }

    fn compare_instances(&mut self, op: CompareOp, a: &Value, b: &Value) -> Tried<Value> {
        let (forward, backward) = match op {
            CompareOp::Eq => ("__eq__", "__eq__"),
            CompareOp::Ne => ("__ne__", "__ne__"),
            CompareOp::Lt => ("__lt__", "__gt__"),
            CompareOp::Le => ("__le__", "__ge__"),
            CompareOp::Gt => ("__gt__", "__lt__"),
            _ => ("__ge__", "__le__"),
        };
        for (this, name, other) in [(a, forward, b), (b, backward, a)] {
            if let Some(method) = self.special(this, name) {
                let site = self.here();
                let v = self.call_with(&method, vec![other.clone()], &site)?;
                if !matches!(v, Value::NotImplemented) {
                    return Ok(v);
                }
            }
        }
        match op {
            CompareOp::Eq => Ok(Value::Bool(a.same(b))),
            CompareOp::Ne => {
                let v = self.compare_instances(CompareOp::Eq, a, b)?;
                Ok(Value::Bool(!self.truth(&v)?))
            }
            _ => self.ordered(op, a, b).map(Value::Bool),
        }
    }

    /// Whether two values are one, or equal: as containers look for an element.
    pub fn is_or_equals(&mut self, a: &Value, b: &Value) -> Tried<bool> {
        Ok(a.same(b) && !a.is_number() || self.equal(a, b, 0)?)
    }

    /// `item in container`.
    pub fn contains(&mut self, container: &Value, item: &Value) -> Tried<bool> {
        use crate::name_of;
        look(container);
        look(item);
        match container {
            Value::Str(s) => match item {
                Value::Str(part) => Ok(long_text::matches(s, part).next().is_some()),
                _ => crate::raise!(
                    Kind::Type,
                    "'in <string>' requires string as left operand, not {}",
                    name_of(item)
                ),
            },
            Value::Dict(d) => {
                let key = self.key(item)?;
                Ok(d.entries.borrow().contains(&key))
            }
            Value::Set(s) => {
                let key = self.key(item)?;
                Ok(s.entries.borrow().contains(&key))
            }
            Value::Range(r) => {
                let whole = match (item.whole(), item.as_float()) {
                    (None, Some(x)) if x.fract() == 0.0 => integer::of_float(x).ok(),
                    (whole, _) => whole.map(Cow::into_owned),
                };
                Ok(whole.and_then(|n| n.to_i128()).is_some_and(|i| r.place(i).is_some()))
            }
            Value::Tensor(_) | Value::Array(_) => {
                if !(item.is_number() || tensor_operators::is_array(item)) {
                    crate::raise!(
                        "Tensor.__contains__ only supports Tensor or scalar, but you passed in a <class '{}'>.",
                        name_of(item)
                    );
                }
                match tensor_operators::compare(self, CompareOp::Eq, container, item)? {
                    Some(Value::Tensor(t) | Value::Array(t)) => {
                        Ok(t.value().data().iter().any(|v| *v != 0.0))
                    }
                    Some(other) => self.truth(&other),
                    None => Ok(false),
                }
            }
            Value::List(_) | Value::Tuple(_) => {
                for v in self.collect_raw(container)? {
                    self.tick(self.place)?;
                    if self.is_or_equals(&v, item)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => {
                if let Some(method) = self.special(container, "__contains__") {
                    let site = self.here();
                    let v = self.call_with(&method, vec![item.clone()], &site)?;
                    return self.truth(&v);
                }
                let Ok(mut elements) = self.iterate(container) else {
                    crate::raise!(
                        Kind::Type,
                        "argument of type '{}' is not iterable",
                        name_of(container)
                    );
                };
                while let Some(v) = elements.next(self)? {
                    if self.equal(&v, item, 0)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// `bool(value)`.
    pub fn truth(&mut self, value: &Value) -> Tried<bool> {
        Ok(match value {
            Value::None => false,
            Value::Bool(b) => *b,
            Value::Int(i) => *i != 0,
            Value::Long(_) => true,
            Value::Float(f) => *f != 0.0,
            Value::Number(n) => {
                look(value);
                return self.truth(&n.number());
            }
            Value::NpScalar(f, _) => *f != 0.0,
            Value::Str(s) => !s.is_empty(),
            Value::List(l) => !l.items.borrow().is_empty(),
            Value::Tuple(t) => !t.items.is_empty(),
            Value::Dict(d) => !d.entries.borrow().is_empty(),
            Value::Set(s) => !s.entries.borrow().is_empty(),
            Value::Range(r) => !r.is_empty(),
            Value::Tensor(t) => match (given().branch)(t).map(|()| t.value().item_scalar())? {
                Some(v) if t.numel() == 1 => {
                    look(value);
                    v.value() != 0.0
                }
                _ if t.numel() == 0 => {
                    crate::raise!("Boolean value of Tensor with no values is ambiguous")
                }
                _ => crate::raise!("Boolean value of Tensor with more than one value is ambiguous"),
            },
            Value::Array(t) => match t.value().item_scalar() {
                Some(v) if t.numel() == 1 => v.value() != 0.0,
                _ if t.numel() == 0 => crate::raise!(
                    Kind::Value,
                    "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty."
                ),
                _ => crate::raise!(
                    Kind::Value,
                    "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
                ),
            },
            Value::Instance(_) => {
                for name in ["__bool__", "__len__"] {
                    if let Some(method) = self.special(value, name) {
                        let site = self.here();
                        let v = self.call_with(&method, Vec::new(), &site)?;
                        return self.truth(&v);
                    }
                }
                true
            }
            _ => true,
        })
    }
}

fn holds(op: CompareOp, order: Option<Ordering>) -> bool {
    match (op, order) {
        (CompareOp::Ne, None) => true,
        (_, None) => false,
        (CompareOp::Eq, Some(o)) => o == Ordering::Equal,
        (CompareOp::Ne, Some(o)) => o != Ordering::Equal,
        (CompareOp::Lt, Some(o)) => o == Ordering::Less,
        (CompareOp::Le, Some(o)) => o != Ordering::Greater,
        (CompareOp::Gt, Some(o)) => o == Ordering::Greater,
        (_, Some(o)) => o != Ordering::Less,
    }
}
