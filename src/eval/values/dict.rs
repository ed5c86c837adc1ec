//! Tables of keys in order of insertion, for dicts and sets.

use super::deep_drop;
use super::shared::Whole;
use super::value::Value;
use num_bigint::BigInt;
use std::collections::HashMap;
use std::rc::Rc;
use vjp_tensor::Outcome;
use vjp_tensor::budget::{self, remains};

/// What a key is compared by: Python's equality of hashable values.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Key {
    None,
    /// Bools and whole floats are their integers, as `1 == 1.0 == True`.
    Int(i64),
    Long(Rc<BigInt>),
    Float(u64),
    Str(Rc<str>),
    Tuple(Vec<Key>),
    /// Compared by identity.
    Is(usize),
}

/// Keys and values in order of insertion; lookup in constant time.
#[derive(Default)]
pub struct Table {
    places: HashMap<Key, usize>,
    slots: Vec<Option<(Key, Value, Value)>>,
}

/// So many keys are copied without asking.
const AT_ONCE: usize = 1 << 20;

/// A table of more keys is not let go of at once.
const MANY: usize = 1 << 12;

impl Table {
    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub fn get(&self, key: &Key) -> Option<&Value> {
        let place = *self.places.get(key)?;
        self.slots[place].as_ref().map(|(_, _, v)| v)
    }

    pub fn contains(&self, key: &Key) -> bool {
        self.places.contains_key(key)
    }

    /// Sets a key; a key that was there keeps its place and its first spelling.
    pub fn insert(&mut self, key: Key, name: Value, value: Value) {
        if let Some(&place) = self.places.get(&key) {
            if let Some(slot) = &mut self.slots[place] {
                slot.2 = value;
            }
            return;
        }
        self.places.insert(key.clone(), self.slots.len());
        self.slots.push(Some((key, name, value)));
    }

    pub fn remove(&mut self, key: &Key) -> Option<(Value, Value)> {
        let place = self.places.remove(key)?;
        let (_, name, value) = self.slots[place].take()?;
        if self.slots.len() > 32 && self.slots.len() > 2 * self.places.len() {
            self.compact();
        }
        Some((name, value))
    }

    fn compact(&mut self) {
        self.slots.retain(Option::is_some);
        for (place, slot) in self.slots.iter().enumerate() {
            if let Some((key, _, _)) = slot {
                self.places.insert(key.clone(), place);
            }
        }
    }

    /// The same keys and values once more.
    pub fn copied(&self) -> Outcome<Table> {
        let slots = budget::copied(&self.slots)?;
        budget::reserve(self.places.capacity() * size_of::<(Key, usize)>())?;
        if self.places.len() < AT_ONCE {
            return Ok(Table { places: self.places.clone(), slots });
        }
        let mut made = Table { places: HashMap::with_capacity(self.places.len()), slots };
        for (key, place) in &self.places {
            budget::tick()?;
            made.places.insert(key.clone(), *place);
        }
        Ok(made)
    }

    /// Hands all values over, for dropping.
    pub fn take_values(&mut self) -> Vec<Value> {
        self.places.clear();
        let slots = std::mem::take(&mut self.slots);
        let mut values = Vec::new();
        for (_, name, value) in slots.into_iter().flatten() {
            values.extend([name, value].into_iter().filter(Value::is_shared));
        }
        values
    }

    /// The last pair.
    pub fn last(&self) -> Option<Key> {
        self.iter().next_back().map(|(k, _, _)| k.clone())
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Key, &Value, &Value)> {
        self.slots.iter().flatten().map(|(k, n, v)| (k, n, v))
    }

    /// How many slots there are, used or not: bound for [`Table::slot`].
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// What stands in a slot: iteration that survives changes of values.
    pub fn slot(&self, place: usize) -> Option<(&Value, &Value)> {
        self.slots.get(place)?.as_ref().map(|(_, n, v)| (n, v))
    }
}

impl Whole for Table {
    fn copy(&self) -> Outcome<Table> {
        self.copied()
    }
}

/// Values in values do not take stack, and many wait where somebody wishes to stop.
impl Drop for Table {
    fn drop(&mut self) {
        if self.slots.len() > MANY && remains::waits() {
            let (places, slots) =
                (std::mem::take(&mut self.places), std::mem::take(&mut self.slots));
            remains::keep(Remains(places, slots));
        } else {
            deep_drop::discard(self.take_values());
        }
    }
}

/// A table that waits to be dropped.
struct Remains(HashMap<Key, usize>, Vec<Option<(Key, Value, Value)>>);

impl Drop for Remains {
    fn drop(&mut self) {
        let (places, slots) = (std::mem::take(&mut self.0), std::mem::take(&mut self.1));
        drop(Table { places, slots });
    }
}
