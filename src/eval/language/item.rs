//! `x[key]`: reading, writing, deleting; slices of sequences.

use crate::language::class::tensor_class;
use crate::language::exception;
use crate::library::prelude;
use crate::library::table::given;
use crate::values::long_text::Counted;
use crate::values::value::{List, Range, TupleKind};
use crate::{Halt, Machine, Tried, Value, leaf};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use std::borrow::Cow;
use std::rc::Rc;
use vjp_tensor::{Complaint, Dtype, Kind, Outcome, budget};
use vjp_text::Symbol;

impl Machine {
    /// `owner[key]`.
    pub fn get_item(&mut self, owner: &Value, key: &Value) -> Tried<Value> {
        match owner {
            Value::Tensor(_) if tensor_class::class_of(owner).is_some() => {
                if let Some(method) = self.special(owner, "__getitem__") {
                    let site = self.here();
                    return self.call_with(&method, vec![key.clone()], &site);
                }
                match tensor_class::speaks(owner) {
                    true => Ok(self.tensor_class_item(owner, key)?.unwrap_or(Value::None)),
                    false => (given().item)(self, owner, key),
                }
            }
            Value::Tensor(_) | Value::Array(_) => (given().item)(self, owner, key),
            Value::NpScalar(..) => match key {
                Value::Tuple(t) if t.items.is_empty() => Ok(owner.clone()),
                Value::None | Value::Ellipsis | Value::Tuple(_) if is_new_axis(key) => {
                    let whole = leaf::stacked(owner)?;
                    self.get_item(&Value::Array(whole), key)
                }
                _ => crate::raise!(Kind::Index, "invalid index to scalar variable."),
            },
            Value::List(l) => {
                if self.selects(owner, key) {
                    return self.select(l, key);
                }
                if let Value::Slice(s) = key {
                    return self.slice_of_list(l, s);
                }
                let i =
                    self.index(key, l.items.borrow().len(), "list", "list index out of range")?;
                let item = l.items.borrow()[i].clone();
                Ok(leaf::element(l, i, item))
            }
            Value::Tuple(t) => {
                if let Value::Slice(s) = key {
                    let kind =
                        if t.kind == TupleKind::Size { TupleKind::Size } else { TupleKind::Plain };
                    let items = self.picked(s, &t.items)?;
                    return Ok(Value::Tuple(Rc::new(crate::values::value::Tuple { items, kind })));
                }
                let i = self.index(key, t.items.len(), "tuple", "tuple index out of range")?;
                Ok(t.items[i].clone())
            }
            Value::Str(s) => {
                let text = Counted::new(s);
                if let Value::Slice(slice) = key {
                    let (from, to, step) = self.bounds(slice, text.len)?;
                    if step == 1 {
                        return Ok(Value::from(text.slice(from as usize, to.max(from) as usize)));
                    }
                    let chars = budget::collected(s.chars())?;
                    let picked = self.positions(slice, chars.len())?.map(|i| chars[i]);
                    return Ok(Value::from(budget::unless_stopped(picked).collect::<String>()));
                }
                let i = self.index(key, text.len, "string", "string index out of range")?;
                Ok(Value::from(text.slice(i, i + 1)))
            }
            Value::Range(r) => {
                if let Value::Slice(s) = key {
                    let (start, stop, step) = self.bounds(s, r.len())?;
                    let step = r.step.checked_mul(step.into());
                    let range = step.and_then(|step| Range::new(r.at(start), r.at(stop), step));
                    return Ok(Value::Range(Rc::new(range.ok_or_else(Range::too_long)?)));
                }
                let i = self.as_whole(key)?.to_i128().unwrap_or(i128::MAX);
                let count = r.count() as i128;
                match if i < 0 { i.saturating_add(count) } else { i } {
                    i if (0..count).contains(&i) => Ok((r.start + i * r.step).into()),
                    _ => crate::raise!(Kind::Index, "range object index out of range"),
                }
            }
            Value::Dict(d) => {
                let k = self.key(key)?;
                match d.entries.borrow().get(&k) {
                    Some(v) => Ok(v.clone()),
                    None => Err(exception::halt(Kind::Key, vec![key.clone()])),
                }
            }
            Value::Object(o) => match o.item(key, self) {
                Some(v) => v,
                None => Err(not_subscriptable(owner)),
            },
            Value::Instance(_) => match self.special(owner, "__getitem__") {
                Some(method) => {
                    let site = self.here();
                    match self.call_with(&method, vec![key.clone()], &site) {
                        Err(h) if h.kind() == Kind::Key => {
                            match self.special(owner, "__missing__") {
                                Some(missing) => self.call_with(&missing, vec![key.clone()], &site),
                                None => Err(h),
                            }
                        }
                        other => other,
                    }
                }
                None => Err(not_subscriptable(owner)),
            },
            Value::Class(c)
                if c.meta.is_some()
                    && let Some(method) = self.special(owner, "__getitem__") =>
            {
                let site = self.here();
                self.call_with(&method, vec![key.clone()], &site)
            }
            Value::Class(c) if super::class::has(c, "__class_getitem__") => {
                let hook = self.get_attr(owner, vjp_text::Symbol::new("__class_getitem__"))?;
                let site = self.here();
                // A plain function is a classmethod here.
                let own = matches!(hook, Value::Function(_)).then(|| owner.clone());
                let args = own.into_iter().chain([key.clone()]).collect();
                self.call_with(&hook, args, &site)
            }
            Value::Type(t)
                if matches!(t.name, "list" | "dict" | "tuple" | "set" | "frozenset" | "type") =>
            {
                let Some(alias) = prelude::get("types", Symbol::new("GenericAlias")) else {
                    return Err(not_subscriptable(owner));
                };
                let site = self.here();
                self.call_with(&alias, vec![owner.clone(), key.clone()], &site)
            }
            Value::Type(t) => crate::raise!(Kind::Type, "type '{}' is not subscriptable", t.name),
            Value::Class(c) => crate::raise!(Kind::Type, "type '{}' is not subscriptable", c.name),
            // `x[..., None]`: a number that remembers has the dimensions of a 0-d tensor.
            Value::Number(n) if !self.exact() => {
                let tensor = Value::Tensor(n.variable.clone());
                (given().item)(self, &tensor, key)
                    .map_err(|h| if h.kind().is_stop() { h } else { not_subscriptable(owner) })
            }
            _ => Err(not_subscriptable(owner)),
        }
    }

    /// `owner[key] = value`.
    pub fn set_item(&mut self, owner: &Value, key: &Value, value: Value) -> Tried<()> {
        use crate::tp_name;
        match owner {
            Value::Tensor(_) if let Some(method) = self.special(owner, "__setitem__") => {
                let site = self.here();
                self.call_with(&method, vec![key.clone(), value], &site)?;
                Ok(())
            }
            Value::Tensor(_)
                if tensor_class::speaks(owner)
                    && self.tensor_class_set_item(owner, key, &value)? =>
            {
                Ok(())
            }
            Value::Tensor(_) | Value::Array(_) => (given().set_item)(self, owner, key, value),
            Value::List(l) => {
                if self.selects(owner, key) {
                    return self.put(l, key, &value);
                }
                if let Value::Slice(s) = key {
                    let number = value.is_number() && self.is_vector(owner);
                    return match number {
                        true => self.put(l, key, &value),
                        false => self.set_slice(l, s, &value),
                    };
                }
                let n = l.items.borrow().len();
                let i = self.index(key, n, "list", "list assignment index out of range")?;
                Ok(leaf::write(l, i, value, self.scope.is_none())?)
            }
            Value::Dict(d) => {
                let k = self.key(key)?;
                d.written()?.insert(k, key.clone(), value);
                Ok(())
            }
            Value::Object(o) => match o.set_item(key, value, self) {
                Some(r) => r,
                None => crate::raise!(
                    Kind::Type,
                    "'{}' object does not support item assignment",
                    tp_name(owner)
                ),
            },
            _ => match self.special(owner, "__setitem__") {
                Some(method) => {
                    let site = self.here();
                    self.call_with(&method, vec![key.clone(), value], &site)?;
                    Ok(())
                }
                None => crate::raise!(
                    Kind::Type,
                    "'{}' object does not support item assignment",
                    tp_name(owner)
                ),
            },
        }
    }

    /// `del owner[key]`.
    pub fn del_item(&mut self, owner: &Value, key: &Value) -> Tried<()> {
        match owner {
            Value::List(l) => {
                let n = l.items.borrow().len();
                if let Value::Slice(s) = key {
                    let (start, stop, step) = self.bounds(s, n)?;
                    let gone = Range { start: start.into(), stop: stop.into(), step: step.into() };
                    let mut places = 0..;
                    l.written()?.retain(|_| {
                        let place = places.next().and_then(|i| gone.place(i));
                        place.is_none() || budget::stopping()
                    });
                } else {
                    let i = self.index(key, n, "list", "list assignment index out of range")?;
                    let old = l.written()?.remove(i);
                    drop(old);
                }
                l.touch();
                Ok(())
            }
            Value::Dict(d) => {
                let k = self.key(key)?;
                let gone = d.written()?.remove(&k);
                match gone {
                    Some(_) => Ok(()),
                    None => Err(exception::halt(Kind::Key, vec![key.clone()])),
                }
            }
            _ => match self.special(owner, "__delitem__") {
                Some(method) => {
                    let site = self.here();
                    self.call_with(&method, vec![key.clone()], &site)?;
                    Ok(())
                }
                None if matches!(owner, Value::Tensor(_)) => {
                    crate::raise!(Kind::Type, "Tensor does not support deleting items")
                }
                None => crate::raise!(
                    Kind::Type,
                    "'{}' object doesn't support item deletion",
                    crate::name_of(owner)
                ),
            },
        }
    }

    /// The integer that a value is as an index: ints, and 0-d integer tensors.
    ///
    /// # Errors
    /// TypeError with PyTorch's words for other tensors, Python's for the rest.
    pub fn as_index(&mut self, v: &Value) -> Outcome<i64> {
        crate::values::number::look(v);
        if let Some(i) = v.as_int() {
            return Ok(i);
        }
        self.as_whole(v)?.to_i64().ok_or_else(|| too_long(Kind::Overflow))
    }

    /// [`Machine::as_index`] of any size.
    pub fn as_whole(&mut self, v: &Value) -> Outcome<BigInt> {
        crate::values::number::look(v);
        if let Some(n) = v.whole() {
            return Ok(n.into_owned());
        }
        match v {
            Value::Tensor(t) | Value::Array(t) => match t.value().item() {
                Some(x) if t.numel() == 1 && !t.dtype().is_float() => Ok((x as i64).into()),
                _ if matches!(v, Value::Array(_)) => Err(Complaint::new(
                    Kind::Type,
                    "only integer scalar arrays can be converted to a scalar index",
                )),
                _ => Err(Complaint::new(
                    Kind::Type,
                    "only integer tensors of a single element can be converted to an index",
                )),
            },
            Value::NpScalar(x, Dtype::Bool) => Ok((*x as i64).into()),
            _ => self.own_index(v).ok_or_else(|| {
                Complaint::new(
                    Kind::Type,
                    format!("'{}' object cannot be interpreted as an integer", crate::tp_name(v)),
                )
            }),
        }
    }

    /// What `__index__` of a program's class gives.
    fn own_index(&mut self, v: &Value) -> Option<BigInt> {
        let method = self.special(v, "__index__")?;
        let site = self.here();
        Some(self.call_with(&method, Vec::new(), &site).ok()?.whole()?.into_owned())
    }

    /// A place in a sequence of `n` elements.
    fn index(&mut self, key: &Value, n: usize, what: &str, range: &str) -> Tried<usize> {
        crate::values::number::look(key);
        let i = match key {
            Value::Tensor(_) | Value::Array(_) => self.as_index(key)?,
            Value::Int(i) => *i,
            _ => match key.whole().map(Cow::into_owned).or_else(|| self.own_index(key)) {
                Some(i) => match i.to_i64() {
                    Some(i) => i,
                    None => return Err(too_long(Kind::Index).into()),
                },
                None if what == "string" => crate::raise!(
                    Kind::Type,
                    "string indices must be integers, not '{}'",
                    crate::name_of(key)
                ),
                None => crate::raise!(
                    Kind::Type,
                    "{what} indices must be integers or slices, not {}",
                    crate::name_of(key)
                ),
            },
        };
        let at = if i < 0 { i + n as i64 } else { i };
        match usize::try_from(at) {
            Ok(at) if at < n => Ok(at),
            _ => Err(Halt::new(Kind::Index, range)),
        }
    }

    /// Start, stop and step of a slice of `n` elements, as `slice.indices`.
    ///
    /// # Errors
    /// A step of zero, parts that are not integers.
    pub fn bounds(&mut self, slice: &[Value; 3], n: usize) -> Tried<(i64, i64, i64)> {
        let n = n as i64;
        let mut part = |v: &Value| -> Tried<Option<i64>> {
            if v.is_none() {
                return Ok(None);
            }
            match self.as_whole(v) {
                Ok(i) => Ok(Some(i.to_i64().unwrap_or(match i.is_negative() {
                    true => i64::MIN,
                    false => i64::MAX,
                }))),
                Err(_) if !matches!(v, Value::Tensor(_) | Value::Array(_)) => crate::raise!(
                    Kind::Type,
                    "slice indices must be integers or None or have an __index__ method"
                ),
                Err(c) => Err(c.into()),
            }
        };
        let step = part(&slice[2])?.unwrap_or(1);
        if step == 0 {
            crate::raise!(Kind::Value, "slice step cannot be zero");
        }
        let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
        let clamp = |i: i64| {
            let i = if i < 0 { i.saturating_add(n) } else { i };
            i.clamp(low, high)
        };
        let start = part(&slice[0])?.map_or(if step > 0 { low } else { high }, clamp);
        let stop = part(&slice[1])?.map_or(if step > 0 { high } else { low }, clamp);
        Ok((start, stop, step))
    }

    fn positions(
        &mut self,
        slice: &[Value; 3],
        n: usize,
    ) -> Tried<impl Iterator<Item = usize> + use<>> {
        let (start, stop, step) = self.bounds(slice, n)?;
        let range = Range { start: start.into(), stop: stop.into(), step: step.into() };
        Ok((0..range.len() as i64).map(move |i| range.at(i) as usize))
    }

    fn picked(&mut self, slice: &[Value; 3], items: &[Value]) -> Tried<Vec<Value>> {
        Ok(budget::collected(self.positions(slice, items.len())?.map(|i| items[i].clone()))?)
    }

    fn slice_of_list(&mut self, l: &Rc<List>, slice: &[Value; 3]) -> Tried<Value> {
        let items = budget::copied(&l.items.borrow())?;
        let places = budget::collected(self.positions(slice, items.len())?)?;
        let part = places.iter().map(|&i| leaf::element(l, i, items[i].clone()));
        let list = List::shared(budget::collected(part)?);
        list.numeric.set(l.numeric.get() && !places.is_empty());
        leaf::sliced(l, &places, &list)?;
        Ok(Value::List(list))
    }

    fn set_slice(&mut self, l: &Rc<List>, slice: &[Value; 3], value: &Value) -> Tried<()> {
        let Ok(new) = self.collect(value) else {
            crate::raise!(Kind::Type, "can only assign an iterable");
        };
        let top = self.scope.is_none();
        let new: Outcome<Vec<Value>> = new.into_iter().map(|v| leaf::written(l, v, top)).collect();
        let new = new?;
        let n = l.items.borrow().len();
        let (start, stop, step) = self.bounds(slice, n)?;
        if new.iter().any(|v| !leaf::is_component(v)) {
            l.numeric.set(false);
        }
        if step == 1 {
            let (from, to) = (start as usize, stop.max(start) as usize);
            let old: Vec<Value> = l.written()?.splice(from..to, new).collect();
            drop(old);
        } else {
            let places = budget::collected(self.positions(slice, n)?)?;
            if places.len() != new.len() {
                crate::raise!(
                    Kind::Value,
                    "attempt to assign sequence of size {} to extended slice of size {}",
                    new.len(),
                    places.len()
                );
            }
            for (i, v) in places.into_iter().zip(new) {
                l.written()?[i] = v;
            }
        }
        l.touch();
        Ok(())
    }
}

/// What an int beyond 64 bits is refused with as a place or a count.
pub(crate) fn too_long(kind: Kind) -> Box<Complaint> {
    Complaint::new(kind, "cannot fit 'int' into an index-sized integer")
}

fn not_subscriptable(v: &Value) -> Halt {
    let name = crate::tp_name(v);
    Halt::new(Kind::Type, format!("'{name}' object is not subscriptable"))
}

/// Whether an index only adds dimensions.
fn is_new_axis(key: &Value) -> bool {
    match key {
        Value::Tuple(all) => all.items.iter().all(|k| matches!(k, Value::None | Value::Ellipsis)),
        key => matches!(key, Value::None | Value::Ellipsis),
    }
}
