//! Names, interned, so that comparing and looking up costs nothing.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};

/// An interned name. Symbols belong to the thread that made them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

/// A map whose keys nobody chooses against us: symbols, addresses, our own names.
pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Spread>>;

/// Spreads the bits of small keys; no defence against chosen ones.
#[derive(Default)]
pub struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        // Tables look at the lowest bits, and those of a product know the lowest of its factors only.
        self.0.rotate_left(26)
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.write_u64(word.try_into().map_or(0, u64::from_le_bytes));
        }
        for &byte in words.remainder() {
            self.write_u64(byte.into());
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    fn write_u16(&mut self, n: u16) {
        self.write_u64(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}

#[derive(Default)]
struct Interner {
    ids: QuickMap<&'static str, u32>,
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
