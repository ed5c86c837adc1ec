//! Tables of keys in order of insertion, for dicts and sets.

use super::deep_drop;
use super::shared::Whole;
use super::value::Value;
use crate::language::exception::raise::Halt;
use crate::language::machine::Machine;
use num_bigint::BigInt;
use std::collections::HashMap;
use std::rc::Rc;
use vjp_tensor::budget::{self, remains};
use vjp_tensor::complaint::{Complaint, Kind, Outcome};

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

impl Key {
    /// The key of a value.
    ///
    /// # Errors
    /// TypeError where Python says unhashable.
    pub fn of(value: &Value) -> Outcome<Key> {
        Key::nested(value, 0)
    }

    fn nested(value: &Value, depth: u32) -> Outcome<Key> {
        Ok(match value {
            Value::None => Key::None,
            Value::Bool(b) => Key::Int(i64::from(*b)),
            Value::Int(i) => Key::Int(*i),
            Value::Long(n) => Key::Long(Rc::clone(n)),
            Value::Float(f) | Value::NpScalar(f, _) => match super::integer::of_float(*f) {
                Ok(n) if f.fract() == 0.0 => Key::nested(&n.into(), depth)?,
                _ => Key::Float(f.to_bits()),
            },
            Value::Number(n) => Key::nested(&n.number(), depth)?,
            Value::Str(s) => Key::Str(s.clone()),
            Value::Tuple(t) => {
                if depth > 500 {
                    return Err(Complaint::new(
                        Kind::Recursion,
                        "maximum recursion depth exceeded",
                    ));
                }
                let item = |k: usize| Key::nested(&t.items[k], depth + 1);
                Key::Tuple(budget::each(t.items.len(), item)?)
            }
            Value::Range(r) => {
                let (count, start, step) = r.parts();
                let part = |n: Option<i128>| n.map_or(Value::None, Value::from);
                Key::of(&Value::tuple(vec![(count as i128).into(), part(start), part(step)]))?
            }
            Value::Dtype(d) => Key::Is(*d as usize + 1),
            Value::Set(s) if s.frozen => {
                let mut hash = 0usize;
                for (key, _, _) in budget::unless_stopped(s.entries.borrow().iter()) {
                    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
                    hash ^= BuildHasherDefault::<DefaultHasher>::default().hash_one(key) as usize;
                }
                Key::Is(hash)
            }
            Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Slice(_) | Value::Array(_) => {
                let name = match value {
                    Value::List(_) => "list",
                    Value::Dict(_) => "dict",
                    Value::Set(_) => "set",
                    Value::Slice(_) => "slice",
                    _ => "numpy.ndarray",
                };
                return Err(unhashable(name));
            }
            other => Key::Is(other.address()),
        })
    }
}

impl Machine {
    /// The key of a value, by `__hash__` where the program defines one: two instances are one key
    /// where their hashes are equal, as `__eq__` of such classes says.
    ///
    /// # Errors
    /// TypeError where Python says unhashable; what `__hash__` raises.
    pub fn key(&mut self, value: &Value) -> Result<Key, Halt> {
        budget::tick()?;
        match value {
            Value::Instance(i) => {
                let own = self.special(value, "__hash__");
                if let (None | Some(Value::Method(_)), Some(base)) = (&own, i.base()) {
                    return self.key(&base);
                }
                if let Some(method) = own {
                    let site = self.here();
                    let hash = match method {
                        Value::None => Value::None,
                        method => self.call_with(&method, Vec::new(), &site)?,
                    };
                    let class = Rc::as_ptr(&i.class) as usize;
                    return match hash.whole() {
                        Some(h) => {
                            let h = Key::Int(super::integer::hash(&h));
                            Ok(Key::Tuple(vec![Key::Is(class), h]))
                        }
                        None if hash.is_none() => Err(unhashable(i.class.name.as_str()).into()),
                        None => {
                            crate::raise!(Kind::Type, "__hash__ method should return an integer")
                        }
                    };
                }
                if self.special(value, "__eq__").is_some() {
                    return Err(unhashable(i.class.name.as_str()).into());
                }
                Ok(Key::Is(value.address()))
            }
            Value::Tuple(t) if t.items.iter().any(|v| matches!(v, Value::Instance(_))) => {
                let keys: Result<Vec<Key>, Halt> = t.items.iter().map(|v| self.key(v)).collect();
                Ok(Key::Tuple(keys?))
            }
            other => {
                super::number::look(other);
                Ok(Key::of(other)?)
            }
        }
    }
}

fn unhashable(name: &str) -> Box<Complaint> {
    Complaint::new(Kind::Type, format!("unhashable type: '{name}'"))
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
    ///
    /// # Errors
    /// Memory, or a wish to stop.
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
