//! What values share: lists, tuples, dicts, functions, classes, instances, exceptions.

use super::value::Value;
use crate::values::collector::{self, Slot};
use crate::values::deep_drop::{self, Gathered};
use crate::values::dict::Table;
use crate::values::shared::{self, Shared};
use std::cell::{Cell, RefCell, RefMut};
use std::rc::{Rc, Weak};
use vjp_maths::Variable;
use vjp_syntax::ast;
use vjp_tensor::ids::IdSet;
use vjp_tensor::{Complaint, Kind, Outcome, Place, source_place};
use vjp_text::Symbol;

/// A number with a place in the graph.
pub struct Tracked {
    /// `Int`, `Long`, `Float` or `Bool`, as it was made.
    number: Value,
    pub variable: Variable,
}

impl Tracked {
    pub fn new(number: Value, variable: Variable) -> Tracked {
        Tracked { number, variable }
    }

    /// The Python number. A leaf may have been updated since, by whichever name.
    pub fn number(&self) -> Value {
        if !self.variable.is_implicit() {
            return self.number.clone();
        }
        match self.variable.value().item() {
            Some(now) if self.number.as_float() != Some(now) => Value::Float(now),
            _ => self.number.clone(),
        }
    }
}

/// A list. Written in brackets with numbers in it, it is numeric: arithmetic sees a tensor.
#[derive(Default)]
pub struct List {
    pub items: RefCell<Shared<Gathered>>,
    /// The leaf or the stacked tensor this list represents; cleared when the list changes.
    pub kept: RefCell<Option<Kept>>,
    /// A display whose elements are numbers or 0-d tensors, maybe nested.
    pub numeric: Cell<bool>,
    /// Where such a display is written, or was changed last.
    pub written: Cell<Place>,
    /// The name of the leaf this list is or was: changed, it becomes a new leaf of that name.
    pub leaf: RefCell<Option<Rc<str>>>,
    /// The lists of lists whose tensors hold the numbers of this one.
    owners: RefCell<Vec<Weak<List>>>,
    pub slot: Slot,
}

/// The tensor of a list.
#[derive(Clone)]
pub struct Kept {
    tensor: Variable,
    /// How often the tensors in the list were written when it was made; None: there are none.
    writes: Option<u32>,
}

impl List {
    pub fn shared(items: Vec<Value>) -> Rc<List> {
        let list = collector::shared(List::default());
        list.put(items);
        list
    }

    /// Holds these elements from now on.
    pub fn put(&self, items: Vec<Value>) {
        let old = self.items.replace(Shared::from(Gathered::from(items)));
        drop(old);
    }

    /// Its elements, for writing.
    #[inline]
    pub fn written(&self) -> Outcome<RefMut<'_, Gathered>> {
        shared::written(&self.items)
    }

    /// Hands its elements over.
    pub fn emptied(&self) -> Outcome<Vec<Value>> {
        Ok(self.items.take().done()?.done())
    }

    /// The tensor it represents, if that was made from what it holds now.
    pub fn tensor(&self) -> Option<Variable> {
        let kept = self.kept.borrow().clone()?;
        let now = kept.writes.is_none() || writes(&self.items.borrow()) == kept.writes;
        now.then_some(kept.tensor)
    }

    /// Keeps the tensor it represents. The lists in it forget it with their own when they change.
    pub fn keep(self: &Rc<List>, tensor: &Variable) {
        let writes = writes(&self.items.borrow());
        self.kept.replace(Some(Kept { tensor: tensor.clone(), writes }));
        let mut waiting = vec![Rc::clone(self)];
        while let Some(outer) = waiting.pop() {
            for inner in outer.rows() {
                let mut owners = inner.owners.borrow_mut();
                if !owners.iter().any(|o| std::ptr::eq(o.as_ptr(), Rc::as_ptr(&outer))) {
                    owners.retain(|o| o.strong_count() > 0);
                    owners.push(Rc::downgrade(&outer));
                    drop(owners);
                    waiting.push(inner);
                }
            }
        }
    }

    /// The lists in it.
    fn rows(&self) -> Vec<Rc<List>> {
        let row = |v: &Value| match v {
            Value::List(l) => Some(Rc::clone(l)),
            _ => None,
        };
        self.items.borrow().iter().map_while(row).collect()
    }

    /// The lists that hold it, those that are gone left out.
    pub fn holders(&self) -> Vec<Rc<List>> {
        self.owners.borrow().iter().filter_map(Weak::upgrade).collect()
    }

    /// Called after every change: what was stacked from the old elements is no longer this list.
    pub fn touch(&self) {
        self.changed();
        let mut waiting = self.holders();
        let mut seen = IdSet::default();
        while let Some(list) = waiting.pop() {
            // A list may hold itself.
            if seen.insert(Rc::as_ptr(&list) as u64) {
                list.changed();
                waiting.extend(list.holders());
            }
        }
    }

    /// Without its tensor, and a leaf's rows without their parts of it.
    fn changed(&self) {
        if self.written.get() != Place::default() {
            self.written.set(source_place::now());
        }
        self.kept.take();
        let mut waiting = match *self.leaf.borrow() {
            Some(_) => self.rows(),
            None => Vec::new(),
        };
        let mut seen = IdSet::default();
        while let Some(row) = waiting.pop() {
            if row.leaf.borrow().is_none() && seen.insert(Rc::as_ptr(&row) as u64) {
                row.kept.take();
                waiting.extend(row.rows());
            }
        }
    }
}

/// How often the tensors among the elements, and in lists there, were written so far.
fn writes(items: &[Value]) -> Option<u32> {
    let of = |v: &Value| match v {
        Value::Tensor(t) => Some(t.version()),
        Value::List(l) => writes(&l.items.borrow()),
        _ => None,
    };
    items.iter().filter_map(of).reduce(u32::wrapping_add)
}

/// A tuple, `torch.Size` or a named tuple such as `torch.return_types.max`.
pub struct Tuple {
    pub items: Vec<Value>,
    pub kind: TupleKind,
}

impl Drop for Tuple {
    fn drop(&mut self) {
        deep_drop::discard(std::mem::take(&mut self.items));
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum TupleKind {
    Plain,
    Size,
    /// Type name and field names.
    Named(&'static str, &'static [&'static str]),
}

/// Keys in the order they were first inserted.
#[derive(Default)]
pub struct Dict {
    pub entries: RefCell<Shared<Table>>,
    pub slot: Slot,
}

impl Dict {
    /// Its entries, for writing.
    #[inline]
    pub fn written(&self) -> Outcome<RefMut<'_, Table>> {
        shared::written(&self.entries)
    }
}

/// A set keeps its elements as keys, with None as every value.
#[derive(Default)]
pub struct Set {
    pub entries: RefCell<Shared<Table>>,
    pub frozen: bool,
}

impl Set {
    pub fn new(frozen: bool) -> Set {
        Set { entries: RefCell::default(), frozen }
    }

    /// Its elements, for writing.
    #[inline]
    pub fn written(&self) -> Outcome<RefMut<'_, Table>> {
        shared::written(&self.entries)
    }
}

impl Drop for Exception {
    fn drop(&mut self) {
        let mut kept = std::mem::take(self.args.get_mut());
        kept.extend(self.attributes.get_mut().drain(..).map(|(_, v)| v));
        deep_drop::discard(kept);
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    pub start: i128,
    pub stop: i128,
    pub step: i128,
}

impl Range {
    /// None where a bound is too far away.
    pub fn new(start: i128, stop: i128, step: i128) -> Option<Range> {
        const FARTHEST: u128 = 1 << 120;
        let fits = [start, stop, step].iter().all(|n| n.unsigned_abs() <= FARTHEST);
        fits.then_some(Range { start, stop, step })
    }

    pub fn too_long() -> Box<Complaint> {
        Complaint::new(Kind::Overflow, "a range cannot go beyond 2**120")
    }

    /// How many elements there are.
    pub fn count(&self) -> u128 {
        let span = if self.step > 0 { self.stop - self.start } else { self.start - self.stop };
        if span <= 0 { 0 } else { (span as u128 - 1) / self.step.unsigned_abs() + 1 }
    }

    /// [`Range::count`], up to the largest length that a sequence can have.
    pub fn len(&self) -> usize {
        self.count().min(i64::MAX as u128) as usize
    }

    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Element `i`.
    pub fn at(&self, i: i64) -> i128 {
        self.start + i128::from(i) * self.step
    }

    /// Where an element stands.
    pub fn place(&self, element: i128) -> Option<i128> {
        let (i, rest) = (element.checked_sub(self.start)?, self.step);
        let place = (i % rest == 0).then_some(i / rest)?;
        (0..self.count() as i128).contains(&place).then_some(place)
    }

    /// What equal ranges have in common: how many elements, the first, the step where it counts.
    pub fn parts(&self) -> (u128, Option<i128>, Option<i128>) {
        let count = self.count();
        (count, (count > 0).then_some(self.start), (count > 1).then_some(self.step))
    }

    /// The elements, where all have 64 bits.
    pub fn ints(self) -> Option<impl Iterator<Item = i64>> {
        let (start, step) = (i64::try_from(self.start).ok()?, self.step as i64);
        i64::try_from(self.stop).ok()?;
        // An element fits, so whatever wraps on the way wraps back.
        Some((0..self.len()).map(move |k| (k as i64).wrapping_mul(step).wrapping_add(start)))
    }
}

/// A `def`, `lambda` or `f(x) = …` with what it closes over.
pub struct Function {
    pub code: Rc<ast::Function>,
    /// Which names are its own; see [`crate::language::names`].
    pub names: Rc<crate::language::names::Names>,
    pub defaults: Vec<Option<Value>>,
    pub scope: crate::language::env::Scope,
    /// `outer.<locals>.inner`.
    pub qualified: Rc<str>,
    pub attributes: RefCell<Vec<(Symbol, Value)>>,
    /// The class whose body this was written in: where `super()` looks from.
    pub class: RefCell<Weak<Class>>,
    pub source: vjp_text::Source,
    pub slot: Slot,
}

impl Function {
    /// Its `__qualname__`, which `functools.wraps` may have set.
    pub fn title(&self) -> String {
        let set = find(&self.attributes, Symbol::new("__qualname__"));
        set.as_ref().and_then(Value::as_str).unwrap_or(&self.qualified).to_owned()
    }
}

pub struct Class {
    pub name: Symbol,
    pub qualified: Rc<str>,
    pub bases: Vec<Value>,
    /// The classes after it, in the order of looking up (C3).
    pub order: RefCell<Vec<Value>>,
    pub attributes: RefCell<Vec<(Symbol, Value)>>,
    /// The class that it is an instance of; None: `type`.
    pub meta: Option<Rc<Class>>,
}

impl Class {
    /// The module it was made in: the program's, unless the library made it.
    pub fn module(&self) -> Value {
        find(&self.attributes, Symbol::new("__module__")).unwrap_or_else(|| Value::from("__main__"))
    }
}

pub struct Instance {
    /// Another one once a program assigns `__class__`.
    pub class: RefCell<Rc<Class>>,
    pub attributes: RefCell<Vec<(Symbol, Value)>>,
    pub slot: Slot,
}

impl Instance {
    pub fn shared(class: &Rc<Class>, attributes: Vec<(Symbol, Value)>) -> Rc<Instance> {
        let (class, attributes) = (RefCell::new(Rc::clone(class)), RefCell::new(attributes));
        collector::shared(Instance { class, attributes, slot: Slot::default() })
    }

    pub fn class(&self) -> Rc<Class> {
        Rc::clone(&self.class.borrow())
    }

    /// The name under which an instance of a class that derives from one of Python's own, such as
    /// `class Stack(list)`, holds its list; no program can write it.
    pub fn base_name() -> Symbol {
        Symbol::new("<base>")
    }

    /// What it holds as an instance of one of Python's own classes.
    pub fn base(&self) -> Option<Value> {
        find(&self.attributes, Instance::base_name())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let kept = std::mem::take(self.attributes.get_mut());
        deep_drop::discard(kept.into_iter().map(|(_, v)| v).collect());
    }
}

/// A raised or constructed exception.
pub struct Exception {
    /// A class of the program's own; else it is the class of its kind.
    pub own: Option<Rc<Class>>,
    pub kind: vjp_tensor::Kind,
    pub args: RefCell<Vec<Value>>,
    /// What a place-less complaint brought along.
    pub hint: Option<String>,
    pub attributes: RefCell<Vec<(Symbol, Value)>>,
}

/// Names with values.
pub type Attributes = RefCell<Vec<(Symbol, Value)>>;

/// A value from a small table of attributes.
pub fn find(attributes: &Attributes, name: Symbol) -> Option<Value> {
    let list = attributes.borrow();
    list.iter().find(|(n, _)| *n == name).map(|(_, v)| v.clone())
}

/// Sets in a small table of attributes.
pub fn put(attributes: &Attributes, name: Symbol, value: Value) {
    let mut list = attributes.borrow_mut();
    let old = match list.iter_mut().find(|(n, _)| *n == name) {
        Some(slot) => Some(std::mem::replace(&mut slot.1, value)),
        None => {
            list.push((name, value));
            None
        }
    };
    drop(list);
    drop(old);
}
