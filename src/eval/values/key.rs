//! The key of a value in a dict or set, by Python's rules of hashing.

use super::dict::Key;
use super::value::Value;
use crate::{Machine, Tried};
use std::rc::Rc;
use vjp_tensor::{Complaint, Kind, Outcome, budget};

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
    pub fn key(&mut self, value: &Value) -> Tried<Key> {
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
                    let class = Rc::as_ptr(&i.class()) as usize;
                    return match hash.whole() {
                        Some(h) => {
                            let h = Key::Int(super::integer::hash(&h));
                            Ok(Key::Tuple(vec![Key::Is(class), h]))
                        }
                        None if hash.is_none() => Err(unhashable(i.class().name.as_str()).into()),
                        None => {
                            crate::raise!(Kind::Type, "__hash__ method should return an integer")
                        }
                    };
                }
                if self.special(value, "__eq__").is_some() {
                    return Err(unhashable(i.class().name.as_str()).into());
                }
                Ok(Key::Is(value.address()))
            }
            Value::Tuple(t) if t.items.iter().any(|v| matches!(v, Value::Instance(_))) => {
                let keys: Tried<Vec<Key>> = t.items.iter().map(|v| self.key(v)).collect();
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
