//! Going through the elements of things.

use crate::language::class::tensor_class;
use crate::library::table::given;
use crate::values::deep_drop::Gathered;
use crate::values::value::{Iteration, List, Range, Set};
use crate::values::{deep_drop, tensor_operators};
use crate::{Dict, Halt, Machine, Tried, Value, leaf};
use std::cell::RefCell;
use std::rc::Rc;
use vjp_ops::{Arg, Out};
use vjp_tensor::{Complaint, Fact, Kind, Outcome, budget};

impl Machine {
    /// `iter(value)`.
    pub fn iterate(&mut self, value: &Value) -> Tried<Box<dyn Iteration>> {
        Ok(match value {
            Value::List(l) => Box::new(Elements { list: Rc::clone(l), next: 0 }),
            Value::Tuple(t) => Box::new(Items::new(budget::copied(&t.items)?, "tuple_iterator")),
            Value::Range(r) => Box::new(Count { range: **r, next: 0 }),
            Value::Str(s) => Box::new(Chars { text: Rc::clone(s), at: 0 }),
            Value::Dict(d) => {
                Box::new(Keys { of: Rc::clone(d), slot: 0, len: d.entries.borrow().len() })
            }
            Value::Set(s) => {
                let elements = super::set_order::elements(&s.entries.borrow());
                Box::new(Members {
                    of: Rc::clone(s),
                    len: elements.len(),
                    elements: elements.into_iter(),
                })
            }
            Value::Iterator(i) => Box::new(Shared(Rc::clone(i))),
            Value::Tensor(_) if self.special(value, "__iter__").is_some() => {
                return self.iterate_instance(value);
            }
            Value::Tensor(t) => {
                if t.rank() == 0 {
                    crate::raise!(Kind::Type, "iteration over a 0-d tensor");
                }
                Box::new(Items::new(self.rows(value)?, "tuple_iterator"))
            }
            Value::Array(t) => {
                if t.rank() == 0 {
                    crate::raise!(Kind::Type, "iteration over a 0-d array");
                }
                Box::new(Items::new(self.rows(value)?, "iterator"))
            }
            Value::Object(o) => match o.elements(self) {
                Some(items) => Box::new(Items::new(items?, "iterator")),
                None => return Err(not_iterable(value)),
            },
            Value::Instance(_) => return self.iterate_instance(value),
            Value::Class(c) if c.meta.is_some() => return self.iterate_instance(value),
            _ => return Err(not_iterable(value)),
        })
    }

    fn iterate_instance(&mut self, value: &Value) -> Tried<Box<dyn Iteration>> {
        let site = self.here();
        if let Some(method) = self.special(value, "__iter__") {
            let made = self.call_with(&method, Vec::new(), &site)?;
            return match &made {
                Value::Instance(_) => match self.special(&made, "__next__") {
                    Some(next) => Ok(Box::new(Calls { next })),
                    None => crate::raise!(
                        Kind::Type,
                        "iter() returned non-iterator of type '{}'",
                        crate::name_of(&made)
                    ),
                },
                other => self.iterate(other),
            };
        }
        if let Some(get) = self.special(value, "__getitem__") {
            return Ok(Box::new(Indexed { get, next: 0 }));
        }
        Err(not_iterable(value))
    }

    /// The rows of a tensor, as iterating unbinds them.
    fn rows(&mut self, value: &Value) -> Tried<Vec<Value>> {
        let (Value::Tensor(t) | Value::Array(t)) = value else {
            return Ok(Vec::new());
        };
        if tensor_class::speaks(value)
            && let Some(rows) = self.tensor_class_rows(value)?
        {
            return Ok(rows);
        }
        if matches!(value, Value::Tensor(_))
            && vjp_ops::operation("unbind").is_some()
            && let Out::Many(rows) =
                tensor_operators::call_any("unbind", vec![Arg::Tensor(t.clone())])?
        {
            return Ok(rows.into_iter().map(Value::Tensor).collect());
        }
        let n = t.shape()[0];
        let mut rows = Gathered::from(budget::vec(n)?);
        for i in 0..n as i64 {
            budget::tick()?;
            rows.push((given().item)(self, value, &Value::Int(i))?);
        }
        Ok(rows.done())
    }

    /// `list(value)`: all elements.
    pub fn collect(&mut self, value: &Value) -> Tried<Vec<Value>> {
        match value {
            Value::Tuple(t) => return Ok(budget::copied(&t.items)?),
            Value::Range(r) => {
                budget::reserve(r.len().saturating_mul(size_of::<Value>()))?;
            }
            _ => {}
        }
        let mut elements = self.iterate(value)?;
        let mut items = Gathered::default();
        if let Value::Range(r) = value {
            items.reserve(r.len());
        }
        while let Some(v) = elements.next(self)? {
            budget::tick()?;
            items.push(v);
        }
        Ok(items.done())
    }

    /// The elements of a list or tuple as they lie, without memory of the list they came from.
    pub(crate) fn collect_raw(&self, value: &Value) -> Outcome<Vec<Value>> {
        match value {
            Value::List(l) => budget::copied(&l.items.borrow()),
            Value::Tuple(t) => budget::copied(&t.items),
            _ => Ok(Vec::new()),
        }
    }
}

fn not_iterable(value: &Value) -> Halt {
    let name = crate::tp_name(value);
    let message = format!("'{name}' object is not iterable");
    Complaint::new(Kind::Type, message).about(Fact::NotIterable).into()
}

/// A list, whose elements may change meanwhile.
#[derive(Clone)]
struct Elements {
    list: Rc<List>,
    next: usize,
}

impl Iteration for Elements {
    fn next(&mut self, _: &mut Machine) -> Tried<Option<Value>> {
        let item = self.list.items.borrow().get(self.next).cloned();
        let at = self.next;
        self.next += 1;
        Ok(item.map(|v| leaf::element(&self.list, at, v)))
    }
    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        reached.push(Value::List(Rc::clone(&self.list)));
        Box::new(self.clone())
    }
    fn type_name(&self) -> &'static str {
        "list_iterator"
    }
}

/// Elements made beforehand.
#[derive(Clone)]
pub struct Items {
    items: std::vec::IntoIter<Value>,
    name: &'static str,
    title: Option<&'static str>,
}

impl Items {
    pub fn new(items: Vec<Value>, name: &'static str) -> Items {
        Items { items: items.into_iter(), name, title: None }
    }

    /// A generator of the method of this name.
    pub fn of_method(items: Vec<Value>, title: &'static str) -> Items {
        Items { items: items.into_iter(), name: "generator", title: Some(title) }
    }
}

impl Drop for Items {
    fn drop(&mut self) {
        deep_drop::discard(std::mem::take(&mut self.items).collect());
    }
}

impl Iteration for Items {
    fn next(&mut self, _: &mut Machine) -> Tried<Option<Value>> {
        Ok(self.items.next())
    }
    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        let shared = self.items.as_slice().iter().filter(|v| v.is_shared());
        reached.extend(shared.cloned());
        Box::new(self.clone())
    }
    fn type_name(&self) -> &'static str {
        self.name
    }
    fn title(&self) -> Option<Rc<str>> {
        self.title.map(Rc::from)
    }
}

#[derive(Clone)]
struct Count {
    range: Range,
    next: i64,
}

impl Iteration for Count {
    fn next(&mut self, _: &mut Machine) -> Tried<Option<Value>> {
        if self.next >= self.range.len() as i64 {
            return Ok(None);
        }
        self.next += 1;
        Ok(Some(self.range.at(self.next - 1).into()))
    }
    fn copied(&self, _: &mut Vec<Value>) -> Box<dyn Iteration> {
        Box::new(self.clone())
    }
    fn type_name(&self) -> &'static str {
        "range_iterator"
    }
}

#[derive(Clone)]
struct Chars {
    text: Rc<str>,
    at: usize,
}

impl Iteration for Chars {
    fn next(&mut self, _: &mut Machine) -> Tried<Option<Value>> {
        let Some(c) = self.text[self.at..].chars().next() else {
            return Ok(None);
        };
        self.at += c.len_utf8();
        Ok(Some(Value::from(c.to_string())))
    }
    fn copied(&self, _: &mut Vec<Value>) -> Box<dyn Iteration> {
        Box::new(self.clone())
    }
    fn type_name(&self) -> &'static str {
        "str_ascii_iterator"
    }
}

/// Keys of a dict.
#[derive(Clone)]
struct Keys {
    of: Rc<Dict>,
    slot: usize,
    len: usize,
}

impl Iteration for Keys {
    fn next(&mut self, _: &mut Machine) -> Tried<Option<Value>> {
        let table = self.of.entries.borrow();
        if table.len() != self.len {
            crate::raise!("dictionary changed size during iteration");
        }
        while self.slot < table.slots() {
            self.slot += 1;
            if let Some((name, _)) = table.slot(self.slot - 1) {
                return Ok(Some(name.clone()));
            }
        }
        Ok(None)
    }
    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        reached.push(Value::Dict(Rc::clone(&self.of)));
        Box::new(self.clone())
    }
    fn type_name(&self) -> &'static str {
        "dict_keyiterator"
    }
}

/// Elements of a set, in CPython's order.
#[derive(Clone)]
struct Members {
    of: Rc<Set>,
    len: usize,
    elements: std::vec::IntoIter<Value>,
}

impl Iteration for Members {
    fn next(&mut self, _: &mut Machine) -> Tried<Option<Value>> {
        if self.of.entries.borrow().len() != self.len {
            crate::raise!("Set changed size during iteration");
        }
        Ok(self.elements.next())
    }
    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        reached.push(Value::Set(Rc::clone(&self.of)));
        Box::new(self.clone())
    }
    fn type_name(&self) -> &'static str {
        "set_iterator"
    }
}

/// An iterator that is a value: going through it uses it up.
struct Shared(Rc<RefCell<Box<dyn Iteration>>>);

impl Iteration for Shared {
    fn next(&mut self, machine: &mut Machine) -> Tried<Option<Value>> {
        machine.enter_call()?;
        let next = match self.0.try_borrow_mut() {
            Ok(mut i) => i.next(machine),
            Err(_) => Err(Halt::new(Kind::Value, "generator already executing")),
        };
        machine.leave_call();
        next
    }
    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        reached.push(Value::Iterator(Rc::clone(&self.0)));
        Box::new(Shared(Rc::clone(&self.0)))
    }
    fn type_name(&self) -> &'static str {
        "iterator"
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Iterators of iterators may be very many.
        deep_drop::discard(vec![Value::Iterator(Rc::clone(&self.0))]);
    }
}

/// `__next__` of a program's class.
#[derive(Clone)]
struct Calls {
    next: Value,
}

impl Iteration for Calls {
    fn next(&mut self, machine: &mut Machine) -> Tried<Option<Value>> {
        let site = machine.here();
        match machine.call_with(&self.next, Vec::new(), &site) {
            Ok(v) => Ok(Some(v)),
            Err(h) if h.kind() == Kind::StopIteration => Ok(None),
            Err(h) => Err(h),
        }
    }
    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        reached.push(self.next.clone());
        Box::new(self.clone())
    }
    fn type_name(&self) -> &'static str {
        "iterator"
    }
}

/// The old protocol: `__getitem__` from 0 until IndexError.
#[derive(Clone)]
struct Indexed {
    get: Value,
    next: i64,
}

impl Iteration for Indexed {
    fn next(&mut self, machine: &mut Machine) -> Tried<Option<Value>> {
        let site = machine.here();
        self.next += 1;
        match machine.call_with(&self.get, vec![Value::Int(self.next - 1)], &site) {
            Ok(v) => Ok(Some(v)),
            Err(h) if h.kind() == Kind::Index => Ok(None),
            Err(h) => Err(h),
        }
    }
    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        reached.push(self.get.clone());
        Box::new(self.clone())
    }
    fn type_name(&self) -> &'static str {
        "iterator"
    }
}
