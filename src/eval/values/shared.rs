//! What a container holds. Moments that are remembered share it, so that to remember costs nothing: who
//! writes to it copies it first.

use std::cell::{Cell, RefCell, RefMut};
use std::ops::Deref;
use std::rc::Rc;
use vjp_tensor::Outcome;

/// What can be copied whole.
pub trait Whole: Default {
    /// The same once more.
    fn copy(&self) -> Outcome<Self>;
}

/// Parts that are copied when they are written to while a moment remembers them.
#[derive(Default)]
pub struct Shared<T> {
    own: T,
    /// Where a moment remembers them; then `own` is empty.
    remembered: Option<Rc<Remembered<T>>>,
}

/// Parts as they were at a moment.
pub struct Remembered<T> {
    parts: T,
    /// Nothing in them can change.
    pub still: Cell<bool>,
}

impl<T: Whole> Shared<T> {
    /// What is held now.
    pub fn remember(&mut self) -> Rc<Remembered<T>> {
        let own = &mut self.own;
        let parts = || Rc::new(Remembered { parts: std::mem::take(own), still: Cell::new(false) });
        Rc::clone(self.remembered.get_or_insert_with(parts))
    }

    /// Whether nothing was written since.
    pub fn is(&self, then: &Rc<Remembered<T>>) -> bool {
        self.remembered.as_ref().is_some_and(|now| Rc::ptr_eq(now, then))
    }

    /// The parts, for writing.
    #[inline]
    pub fn written(&mut self) -> Outcome<&mut T> {
        if let Some(shared) = &self.remembered {
            let copy = match Rc::strong_count(shared) {
                1 => None,
                _ => Some(shared.parts.copy()?),
            };
            let alone = self.remembered.take().and_then(|shared| Rc::try_unwrap(shared).ok());
            self.own = copy.or(alone.map(|alone| alone.parts)).unwrap_or_default();
        }
        Ok(&mut self.own)
    }

    /// Hands the parts over.
    pub fn done(mut self) -> Outcome<T> {
        self.written().map(std::mem::take)
    }
}

/// What a cell holds, for writing.
#[inline]
pub fn written<T: Whole>(cell: &RefCell<Shared<T>>) -> Outcome<RefMut<'_, T>> {
    let mut now = cell.borrow_mut();
    now.written()?;
    Ok(RefMut::map(now, |now| &mut now.own))
}

impl<T> From<T> for Shared<T> {
    fn from(own: T) -> Shared<T> {
        Shared { own, remembered: None }
    }
}

impl<T: Default> From<&Rc<Remembered<T>>> for Shared<T> {
    fn from(then: &Rc<Remembered<T>>) -> Shared<T> {
        Shared { own: T::default(), remembered: Some(Rc::clone(then)) }
    }
}

impl<T> Deref for Remembered<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.parts
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        match &self.remembered {
            None => &self.own,
            Some(shared) => &shared.parts,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    impl Whole for String {
        fn copy(&self) -> Outcome<String> {
            Ok(self.clone())
        }
    }

    #[test]
    fn only_what_is_written_to_is_copied() {
        let mut text = Shared::from("old".to_owned());
        let then = text.remember();
        let place = text.as_ptr();
        assert!(text.is(&then) && Rc::ptr_eq(&then, &text.remember()));
        assert_eq!(place, then.as_ptr());
        text.written().unwrap().push('!');
        assert!(!text.is(&then));
        assert_eq!((text.as_str(), then.as_str()), ("old!", "old"));
        text = Shared::from(&then);
        drop(then);
        text.written().unwrap().push('?');
        assert_eq!((text.as_str(), text.as_ptr()), ("old?", place));
        assert_eq!(text.done().unwrap(), "old?");
    }
}
