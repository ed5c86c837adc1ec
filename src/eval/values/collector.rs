//! Gives back values that only hold each other, as CPython's collector does: of all that can be reached
//! from the containers there are, what is referred to from elsewhere lives, with all that it leads to.
//!
//! Only what can be changed after it was made closes a circle, so only that is remembered here, by a
//! [`Slot`] in it. What cannot be looked into is taken to be referred to from elsewhere.

use super::value::{Dict, Function, Instance, List, Value};
use crate::language::env::Frame;
use crate::values::deep_drop::{self, Gathered};
use crate::values::shared::Shared;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use vjp_maths::observe::cycles::{self, Child, Part};
use vjp_tensor::budget::{self, Limits};
use vjp_tensor::ids::IdMap;

/// Containers made between two looks at them, at least.
const APART: usize = 10_000;
/// Containers made between two looks at the memory in use.
const GLANCE: usize = 1 << 10;
/// Bytes that a look may take beyond its share of the limit.
const ROOM: usize = 16 << 20;

/// Where a container is remembered, as long as it lives.
pub struct Slot(Cell<u32>);

/// What can be changed so that it holds itself.
pub trait Member {
    fn slot(&self) -> &Slot;
    fn held(self: Rc<Self>) -> Held;
}

/// What can be reached.
pub enum Held {
    Value(Value),
    Frame(Rc<Frame>),
    Part(Part),
}

#[derive(Default)]
struct Register {
    members: Vec<Option<Weak<dyn Member>>>,
    free: Vec<u32>,
    /// With so many of them all are looked at.
    limit: usize,
    made: usize,
    /// Bytes in use after the last look.
    used: usize,
}

thread_local! {
    static REGISTER: RefCell<Register> = RefCell::new(Register { limit: APART, ..Register::default() });
    static LOOKING: Cell<bool> = const { Cell::new(false) };
}

const NOWHERE: u32 = u32::MAX;

impl Default for Slot {
    fn default() -> Slot {
        Slot(Cell::new(NOWHERE))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let place = self.0.get();
        if place != NOWHERE {
            // The thread may be ending.
            let _ = REGISTER.try_with(|r| {
                let mut register = r.borrow_mut();
                register.members[place as usize] = None;
                register.free.push(place);
            });
        }
    }
}

/// A container that may come to hold itself.
pub fn shared<T: Member + 'static>(made: T) -> Rc<T> {
    let made = Rc::new(made);
    watch(&made);
    made
}

/// Remembers a container.
pub fn watch<T: Member + 'static>(member: &Rc<T>) {
    if member.slot().0.get() != NOWHERE {
        return;
    }
    let full = REGISTER.with_borrow_mut(|register| {
        let weak: Weak<T> = Rc::downgrade(member);
        let place = match register.free.pop() {
            Some(place) => {
                register.members[place as usize] = Some(weak);
                place
            }
            None => {
                register.members.push(Some(weak));
                register.members.len() as u32 - 1
            }
        };
        member.slot().0.set(place);
        register.is_full()
    });
    if full {
        collect();
    }
}

impl Register {
    fn is_full(&mut self) -> bool {
        self.made += 1;
        if self.members.len() - self.free.len() >= self.limit {
            return true;
        }
        // Where memory runs short, earlier.
        let limit = budget::memory_limit();
        self.made.is_multiple_of(GLANCE)
            && budget::in_use() > (limit / 2).max(self.used.saturating_add(limit / 8))
    }
}

/// What was found, each once, and how often it is referred to from what was found.
#[derive(Default)]
struct Heap {
    all: Vec<Held>,
    inner: Vec<u32>,
    places: IdMap<u32>,
}

impl Heap {
    fn place(&mut self, held: Held) -> Option<usize> {
        let (address, _) = held.shared()?;
        let place = *self.places.entry(address as u64).or_insert_with(|| {
            self.all.push(held);
            self.inner.push(0);
            self.all.len() as u32 - 1
        });
        Some(place as usize)
    }
}

/// Gives back what only holds itself.
pub fn collect() {
    if LOOKING.replace(true) {
        return;
    }
    // To look takes memory too.
    let room = Limits::room(budget::memory_limit() / 8 + ROOM);
    let mut heap = Heap::default();
    REGISTER.with_borrow(|register| {
        for member in register.members.iter().flatten().filter_map(Weak::upgrade) {
            heap.place(member.held());
        }
    });
    cycles::hooked(&mut |part| {
        heap.place(Held::Part(part));
    });
    let garbage = garbage(&mut heap);
    drop(heap);
    // All are opened before one is dropped.
    let mut within = Vec::new();
    garbage.iter().for_each(|held| held.open(&mut within));
    drop(garbage);
    drop(room);
    deep_drop::discard(within);
    REGISTER.with_borrow_mut(|register| {
        register.limit = 2 * (register.members.len() - register.free.len()) + APART;
        register.used = budget::in_use();
    });
    LOOKING.set(false);
}

fn garbage(heap: &mut Heap) -> Vec<Held> {
    let mut reached = Vec::new();
    let mut next = 0;
    while let Some(held) = heap.all.get(next) {
        if budget::stopping() {
            return Vec::new();
        }
        held.children(&mut reached);
        for child in reached.drain(..) {
            if let Some(place) = heap.place(child) {
                heap.inner[place] += 1;
            }
        }
        next += 1;
    }
    // Besides, each is referred to once from here.
    let lives = |(held, inner): (&Held, &u32)| held.references() > *inner as usize + 1;
    let mut alive: Vec<bool> = heap.all.iter().zip(&heap.inner).map(lives).collect();
    let mut waiting: Vec<usize> = (0..alive.len()).filter(|k| alive[*k]).collect();
    while let Some(k) = waiting.pop() {
        heap.all[k].children(&mut reached);
        for child in reached.drain(..) {
            let place = child.shared().and_then(|(address, _)| heap.places.get(&(address as u64)));
            if let Some(&place) = place
                && !std::mem::replace(&mut alive[place as usize], true)
            {
                waiting.push(place as usize);
            }
        }
    }
    let all = std::mem::take(&mut heap.all).into_iter();
    all.zip(alive).filter(|(_, alive)| !alive).map(|(held, _)| held).collect()
}

/// Where it lies and how often it is referred to.
fn rc<T: ?Sized>(of: &Rc<T>) -> Option<(usize, usize)> {
    Some((Rc::as_ptr(of).cast::<()>() as usize, Rc::strong_count(of)))
}

impl Held {
    fn shared(&self) -> Option<(usize, usize)> {
        match self {
            Held::Frame(f) => rc(f),
            Held::Part(part) => Some(part.shared()),
            Held::Value(value) => match value {
                Value::List(v) => rc(v),
                Value::Tuple(v) => rc(v),
                Value::Dict(v) => rc(v),
                Value::Set(v) => rc(v),
                Value::Function(v) => rc(v),
                Value::BoundFunction(v) => rc(v),
                Value::Method(v) => rc(v),
                Value::Class(v) => rc(v),
                Value::Instance(v) => rc(v),
                Value::Exception(v) => rc(v),
                Value::Iterator(v) => rc(v),
                Value::Object(v) => rc(v),
                _ => None,
            },
        }
    }

    fn references(&self) -> usize {
        self.shared().map_or(usize::MAX, |(_, count)| count)
    }

    /// What it holds, each as often as it holds it.
    fn children(&self, out: &mut Vec<Held>) {
        let value = match self {
            Held::Value(value) => value,
            Held::Frame(f) => {
                let values = f.values.try_borrow();
                values.iter().for_each(|v| put(out, v.iter().map(|(_, v)| v)));
                out.extend(f.parent.clone().map(Held::Frame));
                out.extend(f.class.clone().map(|c| Held::Value(Value::Class(c))));
                return;
            }
            Held::Part(part) => {
                part.children(&mut |child| match child {
                    Child::Part(part) => out.push(Held::Part(part)),
                    Child::Called(called) => put(out, called.downcast_ref::<Value>()),
                });
                return;
            }
        };
        match value {
            Value::List(l) => l.items.try_borrow().iter().for_each(|items| put(out, items.iter())),
            Value::Tuple(t) => put(out, &t.items),
            Value::Dict(d) => table(out, &d.entries),
            Value::Set(s) => table(out, &s.entries),
            Value::Function(f) => {
                put(out, f.defaults.iter().flatten());
                attributes(out, &f.attributes);
                out.extend(f.scope.clone().map(Held::Frame));
            }
            Value::BoundFunction(b) => put(out, [&b.0, &b.1]),
            Value::Method(b) => put(out, [&b.0]),
            Value::Class(c) => {
                put(out, &c.bases);
                out.extend(c.meta.clone().map(|meta| Held::Value(Value::Class(meta))));
                c.order.try_borrow().iter().for_each(|order| put(out, &***order));
                attributes(out, &c.attributes);
            }
            Value::Instance(i) => {
                out.push(Held::Value(Value::Class(i.class())));
                attributes(out, &i.attributes);
            }
            Value::Exception(e) => {
                out.extend(e.own.iter().map(|c| Held::Value(Value::Class(Rc::clone(c)))));
                e.args.try_borrow().iter().for_each(|args| put(out, &***args));
                attributes(out, &e.attributes);
            }
            Value::Object(o) => put(out, &o.children()),
            Value::Iterator(i) => {
                let Ok(now) = i.try_borrow() else {
                    return;
                };
                let mut reached = Vec::new();
                let copy = now.copied(&mut reached);
                drop(copy);
                put(out, &reached);
                out.extend(now.scope().map(Held::Frame));
            }
            _ => {}
        }
    }

    /// Takes out what it holds, so that nothing holds it any longer.
    fn open(&self, out: &mut Vec<Value>) {
        let mut emptied = |attributes: &RefCell<Vec<_>>| {
            let taken = attributes.try_borrow_mut().map(|mut a| std::mem::take(&mut *a));
            out.extend(taken.into_iter().flatten().map(|(_, v)| v));
        };
        match self {
            Held::Frame(f) => {
                let taken = f.values.try_borrow_mut().map(|mut v| std::mem::take(&mut *v));
                out.extend(taken.into_iter().flatten().map(|(_, v)| v));
            }
            Held::Part(part) => part.open(),
            Held::Value(Value::Function(f)) => emptied(&f.attributes),
            Held::Value(Value::Class(c)) => emptied(&c.attributes),
            Held::Value(Value::Instance(i)) => emptied(&i.attributes),
            Held::Value(Value::Exception(e)) => emptied(&e.attributes),
            Held::Value(Value::List(l)) => {
                let taken = l.items.try_borrow_mut().map(|mut i| std::mem::take(&mut *i).done());
                out.extend(taken.into_iter().flatten().flat_map(Gathered::done));
            }
            Held::Value(Value::Dict(d)) => {
                let taken = d.entries.try_borrow_mut().map(|mut t| std::mem::take(&mut *t).done());
                out.extend(taken.into_iter().flatten().flat_map(|mut table| table.take_values()));
            }
            Held::Value(_) => {}
        }
    }
}

fn put<'a>(out: &mut Vec<Held>, values: impl IntoIterator<Item = &'a Value>) {
    for value in values {
        match value {
            Value::Tensor(v) | Value::Array(v) if cycles::any() => {
                out.push(Held::Part(Part::Variable(v.clone())));
            }
            other if other.is_nested() => out.push(Held::Value(other.clone())),
            _ => {}
        }
    }
}

fn attributes(out: &mut Vec<Held>, of: &RefCell<Vec<(vjp_text::Symbol, Value)>>) {
    of.try_borrow().iter().for_each(|all| put(out, all.iter().map(|(_, v)| v)));
}

fn table(out: &mut Vec<Held>, of: &RefCell<Shared<super::dict::Table>>) {
    let entries = of.try_borrow();
    entries.iter().for_each(|t| t.iter().for_each(|(_, name, value)| put(out, [name, value])));
}

macro_rules! members {
    ($($kind:ident $held:expr;)*) => {$(
        impl Member for $kind {
            fn slot(&self) -> &Slot {
                &self.slot
            }
            fn held(self: Rc<Self>) -> Held {
                $held(self)
            }
        }
    )*};
}

members! {
    List |l| Held::Value(Value::List(l));
    Dict |d| Held::Value(Value::Dict(d));
    Instance |i| Held::Value(Value::Instance(i));
    Function |f| Held::Value(Value::Function(f));
    Frame Held::Frame;
}
