//! Constructors of Python's containers and iterators.

use crate::convert::single;
use crate::iterators;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::rc::Rc;
use vjp_eval::values::value;
use vjp_eval::values::value::Set;
use vjp_eval::{Args, Dict, Machine, Tried, Type, Value, name_of, raise};
use vjp_tensor::{Kind, budget};

type Made = Tried<Value>;

pub fn list(m: &mut Machine, class: &'static Type, args: Args) -> Made {
    single(class, &args, 1)?;
    match args.positional.first() {
        Some(v) => Ok(Value::list(m.collect(v)?)),
        None => Ok(Value::list(Vec::new())),
    }
}

pub fn tuple(m: &mut Machine, class: &'static Type, args: Args) -> Made {
    single(class, &args, 1)?;
    match args.positional.first() {
        Some(v) => Ok(Value::tuple(m.collect(v)?)),
        None => Ok(Value::tuple(Vec::new())),
    }
}

pub fn dict(m: &mut Machine, class: &'static Type, args: Args) -> Made {
    single(class, &args, 1)?;
    let made = Dict::default();
    if let Some(v) = args.positional.first() {
        super::dicts::update(m, &made, v)?;
    }
    for (n, v) in args.named {
        let name = Value::from(n.as_str());
        let key = m.key(&name)?;
        made.written()?.insert(key, name, v);
    }
    Ok(Value::dict(made))
}

/// A set of the elements of something.
///
/// # Errors
/// Elements that are not hashable.
pub fn set_of(m: &mut Machine, v: Option<&Value>, frozen: bool) -> Made {
    let made = Set::new(frozen);
    if let Some(v) = v {
        for item in m.collect(v)? {
            budget::tick()?;
            let key = m.key(&item)?;
            made.written()?.insert(key, item, Value::None);
        }
    }
    Ok(Value::Set(Rc::new(made)))
}

pub fn set(m: &mut Machine, class: &'static Type, args: Args) -> Made {
    single(class, &args, 1)?;
    set_of(m, args.positional.first(), false)
}

pub fn frozenset(m: &mut Machine, class: &'static Type, args: Args) -> Made {
    single(class, &args, 1)?;
    set_of(m, args.positional.first(), true)
}

pub fn range(m: &mut Machine, _: &'static Type, args: Args) -> Made {
    if !args.named.is_empty() {
        raise!(Kind::Type, "range() takes no keyword arguments");
    }
    let n = args.positional.len();
    if !(1..=3).contains(&n) {
        let (word, bound, s) = if n == 0 { ("at least", 1, "") } else { ("at most", 3, "s") };
        raise!(Kind::Type, "range expected {word} {bound} argument{s}, got {n}");
    }
    let mut parts = Vec::with_capacity(3);
    for v in &args.positional {
        // What is too far away for 128 bits is so for a range.
        parts.push(m.as_whole(v)?.to_i128().unwrap_or(i128::MAX));
    }
    let made = match parts.as_slice() {
        [stop] => value::Range::new(0, *stop, 1),
        [start, stop] => value::Range::new(*start, *stop, 1),
        [_, _, 0] => raise!(Kind::Value, "range() arg 3 must not be zero"),
        [start, stop, step] => value::Range::new(*start, *stop, *step),
        _ => return Ok(Value::None),
    };
    Ok(Value::Range(Rc::new(made.ok_or_else(value::Range::too_long)?)))
}

pub fn slice(_: &mut Machine, _: &'static Type, args: Args) -> Made {
    let p = args.positional;
    Ok(Value::Slice(Rc::new(match p.as_slice() {
        [stop] => [Value::None, stop.clone(), Value::None],
        [start, stop] => [start.clone(), stop.clone(), Value::None],
        [start, stop, step] => [start.clone(), stop.clone(), step.clone()],
        _ => raise!(Kind::Type, "slice expected at least 1 argument, got {}", p.len()),
    })))
}

pub fn enumerate(m: &mut Machine, _: &'static Type, mut args: Args) -> Made {
    if args.positional.len() > 2 {
        let n = args.positional.len();
        raise!(Kind::Type, "enumerate() takes at most 2 arguments ({n} given)");
    }
    let start = match args.take_at(1, "start") {
        Some(v) => m.as_whole(&v)?,
        None => BigInt::ZERO,
    };
    let Some(v) = args.take_at(0, "iterable") else {
        raise!(Kind::Type, "enumerate() missing required argument 'iterable'");
    };
    let of = m.iterate(&v)?;
    Ok(Value::iterator(iterators::Enumerate { of, next: start }))
}

pub fn zip(m: &mut Machine, _: &'static Type, mut args: Args) -> Made {
    let strict = match args.take("strict") {
        Some(v) => m.truth(&v)?,
        None => false,
    };
    let mut of = Vec::new();
    for v in &args.positional {
        of.push(m.iterate(v)?);
    }
    Ok(Value::iterator(iterators::Zip { of, strict }))
}

pub fn map(m: &mut Machine, _: &'static Type, args: Args) -> Made {
    let [function, rest @ ..] = args.positional.as_slice() else {
        raise!(Kind::Type, "map() must have at least two arguments.");
    };
    if rest.is_empty() {
        raise!(Kind::Type, "map() must have at least two arguments.");
    }
    let mut of = Vec::new();
    for v in rest {
        of.push(m.iterate(v)?);
    }
    Ok(Value::iterator(iterators::Map { function: function.clone(), of, site: args.site }))
}

pub fn filter(m: &mut Machine, _: &'static Type, args: Args) -> Made {
    let [function, v] = args.positional.as_slice() else {
        raise!(Kind::Type, "filter expected 2 arguments, got {}", args.positional.len());
    };
    let of = m.iterate(v)?;
    Ok(Value::iterator(iterators::Filter { function: function.clone(), of, site: args.site }))
}

pub fn reversed(m: &mut Machine, _: &'static Type, args: Args) -> Made {
    let [v] = args.positional.as_slice() else {
        raise!(Kind::Type, "reversed expected 1 argument, got {}", args.positional.len());
    };
    if let Value::Instance(_) = v
        && let Some(method) = m.special(v, "__reversed__")
    {
        return m.call_with(&method, Vec::new(), &args.site);
    }
    if let Value::Instance(_) = v
        && let (Some(len), Some(_)) = (m.special(v, "__len__"), m.special(v, "__getitem__"))
    {
        let count = m.call_with(&len, Vec::new(), &args.site)?.as_int().unwrap_or(0);
        let items =
            (0..count).rev().map(|k| m.get_item(v, &Value::Int(k))).collect::<Result<_, _>>()?;
        let items = vjp_eval::values::iterate::Items::new(items, "reversed");
        return Ok(Value::iterator(items));
    }
    match v {
        Value::List(_)
        | Value::Tuple(_)
        | Value::Str(_)
        | Value::Range(_)
        | Value::Dict(_)
        | Value::Tensor(_)
        | Value::Array(_) => {
            let mut items = m.collect(v)?;
            items.reverse();
            let name = match v {
                Value::List(_) => "list_reverseiterator",
                Value::Range(_) => "range_iterator",
                Value::Dict(_) => "dict_reversekeyiterator",
                _ => "reversed",
            };
            let items = vjp_eval::values::iterate::Items::new(items, name);
            Ok(Value::iterator(items))
        }
        Value::Object(o) if o.reversible() => {
            let mut items = m.collect(v)?;
            items.reverse();
            let items = vjp_eval::values::iterate::Items::new(items, "reversed");
            Ok(Value::iterator(items))
        }
        _ => raise!(Kind::Type, "'{}' object is not reversible", name_of(v)),
    }
}
