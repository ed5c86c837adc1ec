//! Names, interned, so that comparing and looking up costs nothing.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;

/// An interned name. Symbols belong to the thread that made them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

#[derive(Default)]
struct Interner {
    ids: HashMap<&'static str, u32>,
    names: Vec<&'static str>,
}

thread_local! {
    static INTERNER: RefCell<Interner> = RefCell::default();
}

impl Symbol {
    pub fn new(name: &str) -> Symbol {
        INTERNER.with_borrow_mut(|t| {
            if let Some(&id) = t.ids.get(name) {
                return Symbol(id);
            }
            let kept: &'static str = Box::leak(name.into());
            let id = t.names.len() as u32;
            t.names.push(kept);
            t.ids.insert(kept, id);
            Symbol(id)
        })
    }

    pub fn as_str(self) -> &'static str {
        INTERNER.with_borrow(|t| t.names.get(self.0 as usize).copied().unwrap_or(""))
    }

    /// The symbol with an index that [`Symbol::index`] gave.
    pub fn nth(index: usize) -> Symbol {
        Symbol(index as u32)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A letter or `_`.
pub fn is_name_start(c: char) -> bool {
    c == '_' || unicode_ident::is_xid_start(c)
}

/// A character of a name after its first: letters, digits, `_`, marks, subscripts.
pub fn is_name_continue(c: char) -> bool {
    // Katakana middle dots are punctuation here, though newer Unicode counts them in.
    (unicode_ident::is_xid_continue(c) && c != '\u{30FB}' && c != '\u{FF65}') || is_subscript(c)
}

/// `₀` to `₉`: part of a name outside strict mode.
pub fn is_subscript(c: char) -> bool {
    ('\u{2080}'..='\u{2089}').contains(&c)
}
