//! Where names are kept: globals by symbol, frames of calls, comprehensions and class bodies.

use super::names::Names;
use crate::values::collector::Slot;
use crate::values::deep_drop;
use crate::{Class, Value};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;
use vjp_text::Symbol;

/// The names of the program, indexed by symbol.
#[derive(Clone, Default)]
pub struct Globals {
    values: Vec<Option<Value>>,
}

impl Globals {
    pub fn get(&self, name: Symbol) -> Option<&Value> {
        self.values.get(name.index())?.as_ref()
    }

    #[inline(always)]
    pub fn set(&mut self, name: Symbol, value: Value) {
        match self.values.get_mut(name.index()) {
            // Replaced first, dropped then: the new value need not be kept beside the old one.
            Some(slot) => drop(slot.replace(value)),
            None => self.grow(name, value),
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, name: Symbol, value: Value) {
        self.values.resize(name.index() + 1, None);
        self.values[name.index()] = Some(value);
    }

    /// Unbinds; false where there was no such name.
    pub fn remove(&mut self, name: Symbol) -> bool {
        self.values.get_mut(name.index()).is_some_and(|v| v.take().is_some())
    }

    pub fn iter(&self) -> impl Iterator<Item = (Symbol, &Value)> {
        self.values.iter().enumerate().filter_map(|(i, v)| Some((Symbol::nth(i), v.as_ref()?)))
    }
}

/// The innermost frame that code can see; None at the top level.
pub type Scope = Option<Rc<Frame>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    Function,
    Comprehension,
    /// Seen by its own statements only, not by the functions in it.
    Class,
}

/// The names of one call. Closures share it, so that they see later changes, as Python's cells.
pub struct Frame {
    pub kind: FrameKind,
    pub names: Rc<Names>,
    pub values: RefCell<SmallVec<[(Symbol, Value); 4]>>,
    pub parent: Scope,
    /// Class of the method that runs here, for `super()`.
    pub class: Option<Rc<Class>>,
    /// The function's or class's qualified name.
    pub title: Option<Rc<str>>,
    pub slot: Slot,
}

impl Frame {
    pub fn new(kind: FrameKind, names: Rc<Names>, parent: Scope) -> Frame {
        Frame {
            kind,
            names,
            values: RefCell::default(),
            parent,
            class: None,
            title: None,
            slot: Slot::default(),
        }
    }

    pub fn get(&self, name: Symbol) -> Option<Value> {
        self.values.borrow().iter().find(|(n, _)| *n == name).map(|(_, v)| v.clone())
    }

    pub fn set(&self, name: Symbol, value: Value) {
        let mut values = self.values.borrow_mut();
        let old = match values.iter_mut().find(|(n, _)| *n == name) {
            Some(slot) => Some(std::mem::replace(&mut slot.1, value)),
            None => {
                values.push((name, value));
                None
            }
        };
        // What is dropped may look into this frame.
        drop(values);
        drop(old);
    }

    pub fn remove(&self, name: Symbol) -> bool {
        let mut values = self.values.borrow_mut();
        match values.iter().position(|(n, _)| *n == name) {
            Some(i) => {
                let old = values.remove(i);
                drop(values);
                drop(old);
                true
            }
            None => false,
        }
    }
}

impl Frame {
    /// The call is over. Where only functions that it made hold the frame, and nobody but the frame holds them, its
    /// names are let go: they would keep each other, and all else that they name.
    pub fn ended(self: &Rc<Frame>) {
        let own = |v: &Value| match v {
            Value::Function(f) => {
                Rc::strong_count(f) == 1 && f.scope.as_ref().is_some_and(|s| Rc::ptr_eq(s, self))
            }
            _ => false,
        };
        let own = self.values.borrow().iter().filter(|(_, v)| own(v)).count();
        if own > 0 && Rc::strong_count(self) == own + 1 {
            let values = std::mem::take(&mut *self.values.borrow_mut());
            deep_drop::discard(values.into_iter().map(|(_, v)| v).collect());
        }
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        let values = self.values.get_mut();
        if values.iter().any(|(_, v)| v.is_nested()) {
            let values = std::mem::take(values);
            deep_drop::discard(values.into_iter().map(|(_, v)| v).collect());
        }
    }
}
