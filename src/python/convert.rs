//! Constructors of Python's classes: `int(…)`, `list(…)`, `zip(…)` …

use crate::types;
use num_bigint::BigInt;
use num_traits::Num;
use std::cell::RefCell;
use std::rc::Rc;
use vjp_eval::display::{python, quote};
use vjp_eval::language::class::descriptor::{Descriptor, Role};
use vjp_eval::language::class::meta;
use vjp_eval::values::{integer, long_text, number, value};
use vjp_eval::{Args, Halt, Machine, Tried, Type, Value, leaf, raise, tp_name};
use vjp_maths::autodiff::grad_mode::is_grad_enabled;
use vjp_tensor::{Complaint, Kind, Outcome, Scalar};
use vjp_text::Symbol;
use vjp_text::number::{MAX_DIGITS, too_many_digits};

type Made = Tried<Value>;

/// A class that programs cannot call.
pub fn refused(_: &mut Machine, class: &'static Type, _: Args) -> Made {
    raise!(Kind::Type, "cannot create '{}' instances", class.name)
}

pub fn no_complex(_: &mut Machine, _: &'static Type, _: Args) -> Made {
    raise!(Kind::Type, "complex numbers are not supported")
}

pub fn object(_: &mut Machine, _: &'static Type, args: Args) -> Made {
    if !args.positional.is_empty() {
        raise!(Kind::Type, "object() takes no arguments");
    }
    let class = Rc::new(value::Class {
        name: vjp_text::Symbol::new("object"),
        qualified: "object".into(),
        bases: Vec::new(),
        meta: None,
        order: RefCell::default(),
        attributes: RefCell::default(),
    });
    Ok(Value::Instance(value::Instance::shared(&class, Vec::new())))
}

/// One positional argument at most.
pub fn single(class: &Type, args: &Args, most: usize) -> Outcome<()> {
    let n = args.positional.len();
    if n > most {
        let message = if most == 1 {
            format!("{} expected at most 1 argument, got {n}", class.name)
        } else {
            format!("{}() takes at most {most} arguments ({n} given)", class.name)
        };
        return Err(Complaint::new(Kind::Type, message));
    }
    Ok(())
}

pub fn int(m: &mut Machine, class: &'static Type, mut args: Args) -> Made {
    single(class, &args, 2)?;
    let base = args.take_at(1, "base");
    args.positional.first().and_then(leaf::taken);
    let Some(v) = args.positional.first().map(Value::plain) else {
        return Ok(Value::Int(0));
    };
    if let Value::Str(s) = &v {
        let base = match base {
            Some(b) => m.as_index(&b)?,
            None => 10,
        };
        return parse_int(s, base).map(Value::from).map_err(Halt::from);
    }
    if base.is_some() {
        raise!(Kind::Type, "int() can't convert non-string with explicit base");
    }
    whole(m, &v)
}

/// `int(v)`.
pub fn whole(m: &mut Machine, v: &Value) -> Made {
    match v {
        Value::Str(s) => parse_int(s, 10).map(Value::from).map_err(Halt::from),
        Value::Tensor(t) | Value::Array(t) => {
            if let Some(Scalar::Int(i)) = t.value().item_scalar() {
                return Ok(i.into());
            }
            let x = single_element(v, t)?;
            Ok(integer::of_float(x)?.into())
        }
        Value::Instance(_) => match m.special(v, "__int__") {
            Some(method) => {
                let site = m.here();
                m.call_with(&method, Vec::new(), &site)
            }
            None => Err(not_a_number(
                "int() argument must be a string, a bytes-like object or a real number",
                v,
            )),
        },
        _ => match (v.whole(), v.as_float()) {
            (Some(n), _) => Ok(n.into_owned().into()),
            (None, Some(x)) => Ok(integer::of_float(x)?.into()),
            _ => Err(not_a_number(
                "int() argument must be a string, a bytes-like object or a real number",
                v,
            )),
        },
    }
}

fn not_a_number(says: &str, v: &Value) -> Halt {
    Halt::new(Kind::Type, format!("{says}, not '{}'", tp_name(v)))
}

/// The number of a tensor or array with one element.
fn single_element(v: &Value, t: &vjp_maths::Variable) -> Outcome<f64> {
    vjp_ops::batched::item(t)?;
    match t.value().item() {
        Some(x) if t.numel() == 1 => Ok(x),
        _ if matches!(v, Value::Array(_)) => Err(Complaint::new(
            Kind::Type,
            "only 0-dimensional arrays can be converted to Python scalars",
        )),
        _ => Err(Complaint::new(
            Kind::Value,
            "only one element tensors can be converted to Python scalars",
        )),
    }
}

fn parse_int(text: &str, base: i64) -> Outcome<BigInt> {
    let wrong = || {
        let mut shown = String::new();
        quote::quote(text, &mut shown);
        // So much of it CPython shows.
        let shown: String = shown.chars().take(200).collect();
        Complaint::new(Kind::Value, format!("invalid literal for int() with base {base}: {shown}"))
    };
    if base != 0 && !(2..=36).contains(&base) {
        return Err(Complaint::new(Kind::Value, "int() base must be >= 2 and <= 36, or 0"));
    }
    let trimmed = text.trim();
    let (negative, digits) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    let lower = long_text::lower(digits);
    let prefixed = [("0x", 16), ("0b", 2), ("0o", 8)]
        .into_iter()
        .find(|(p, b)| lower.starts_with(p) && (base == *b || base == 0));
    let (radix, digits) = match prefixed {
        Some((p, b)) => (b, lower[p.len()..].strip_prefix('_').unwrap_or(&lower[p.len()..])),
        None => (if base == 0 { 10 } else { base }, lower.as_str()),
    };
    let plain: String = long_text::chars(digits).filter(|c| *c != '_').collect();
    let leading = prefixed.is_none() && base == 0 && plain.starts_with('0');
    if leading && plain.bytes().any(|b| b != b'0') {
        return Err(wrong());
    }
    let separated = digits.starts_with('_') || digits.ends_with('_') || digits.contains("__");
    if plain.is_empty() || separated || !long_text::chars(&plain).all(|c| c.is_digit(radix as u32))
    {
        return Err(wrong());
    }
    // Bases that are powers of two take no more time than there are digits.
    if plain.len() > MAX_DIGITS && !(radix as u64).is_power_of_two() {
        return Err(Complaint::new(Kind::Value, too_many_digits(plain.len())));
    }
    let n = BigInt::from_str_radix(&plain, radix as u32).map_err(|_| wrong())?;
    Ok(if negative { -n } else { n })
}

pub fn bool(m: &mut Machine, class: &'static Type, args: Args) -> Made {
    single(class, &args, 1)?;
    match args.positional.first() {
        Some(v) => Ok(Value::Bool(m.truth(v)?)),
        None => Ok(Value::Bool(false)),
    }
}

/// PyTorch warns of a float made of a tensor that gradients flow to, outside `no_grad`.
pub fn warn_of_history(v: &Value) {
    if let Value::Tensor(t) = v
        && t.requires_grad()
        && t.shows()
        && is_grad_enabled()
    {
        vjp_tensor::warnings::warn_once(
            "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\nConsider using tensor.detach() first.",
        );
    }
}

pub fn float(m: &mut Machine, class: &'static Type, args: Args) -> Made {
    single(class, &args, 1)?;
    args.positional.first().and_then(leaf::taken);
    let Some(v) = args.positional.first().map(Value::plain) else {
        return Ok(Value::Float(0.0));
    };
    match &v {
        Value::Str(s) => match parse_float(s) {
            Some(x) => Ok(Value::Float(x)),
            None => {
                let mut shown = String::new();
                quote::quote(s, &mut shown);
                raise!(Kind::Value, "could not convert string to float: {shown}")
            }
        },
        Value::Tensor(t) | Value::Array(t) => {
            let x = match t.value().item_scalar() {
                Some(Scalar::Int(i)) => i as f64,
                _ => single_element(&v, t)?,
            };
            warn_of_history(&v);
            Ok(Value::Float(x))
        }
        Value::Instance(_) => match m.special(&v, "__float__") {
            Some(method) => {
                let site = m.here();
                m.call_with(&method, Vec::new(), &site)
            }
            None => Err(not_a_number("float() argument must be a string or a real number", &v)),
        },
        Value::Long(_) => Ok(Value::Float(number::float(&v)?)),
        _ => match v.as_float() {
            Some(x) => Ok(Value::Float(x)),
            None => Err(not_a_number("float() argument must be a string or a real number", &v)),
        },
    }
}

fn parse_float(text: &str) -> Option<f64> {
    let t = text.trim().replace('_', "");
    let bare = t.trim_start_matches(['+', '-']).to_ascii_lowercase();
    match bare.as_str() {
        "inf" | "infinity" | "nan" => {
            let x = if bare == "nan" { f64::NAN } else { f64::INFINITY };
            Some(if t.starts_with('-') { -x } else { x })
        }
        _ if bare.starts_with(|c: char| c.is_ascii_digit() || c == '.') => t.parse().ok(),
        _ => None,
    }
}

pub fn str(m: &mut Machine, class: &'static Type, args: Args) -> Made {
    single(class, &args, 1)?;
    match args.positional.first() {
        Some(v) => {
            vjp_eval::values::number::look(v);
            Ok(Value::from(python::str(m, v)?))
        }
        None => Ok(Value::from("")),
    }
}

pub fn type_of(m: &mut Machine, _: &'static Type, args: Args) -> Made {
    match args.positional.as_slice() {
        [v] => Ok(types::class_of(v)),
        [Value::Str(name), Value::Tuple(bases), Value::Dict(contents)] => {
            if let Some(meta) = meta::inherited(&bases.items) {
                return m.class_by(&meta, args);
            }
            let contents = contents.entries.borrow().copied()?;
            let attributes = contents
                .iter()
                .filter_map(|(_, n, v)| Some((Symbol::new(n.as_str()?), v.clone())))
                .collect();
            m.class_of_parts(Symbol::new(name), bases.items.clone(), attributes, None, args.named)
        }
        _ => raise!(Kind::Type, "type() takes 1 or 3 arguments"),
    }
}

pub fn super_of(m: &mut Machine, _: &'static Type, _: Args) -> Made {
    m.make_super()
}

fn descriptor(role: Role, class: &Type, args: Args) -> Made {
    let mut given = args.positional.into_iter();
    let Some(function) = given.next() else {
        raise!(Kind::Type, "{} expected 1 argument, got 0", class.name);
    };
    Ok(Value::Object(Rc::new(Descriptor {
        role,
        function,
        setter: RefCell::new(given.next()),
        deleter: given.next(),
    })))
}

pub fn property(_: &mut Machine, class: &'static Type, args: Args) -> Made {
    descriptor(Role::Property, class, args)
}

pub fn staticmethod(_: &mut Machine, class: &'static Type, args: Args) -> Made {
    descriptor(Role::Static, class, args)
}

pub fn classmethod(_: &mut Machine, class: &'static Type, args: Args) -> Made {
    descriptor(Role::Class, class, args)
}

/// `property.getter`, `.setter`, `.deleter`: the property with one of its functions replaced.
pub fn property_part(_: &mut Machine, args: Args) -> Made {
    let name = args.name();
    let own = match args.positional.first() {
        Some(Value::Object(o)) => o.as_any().downcast_ref::<Descriptor>(),
        _ => None,
    };
    let (Some(d), Some(function)) = (own, args.positional.get(1)) else {
        raise!(Kind::Type, "{name}() takes exactly one argument (0 given)");
    };
    let mut made = Descriptor {
        role: d.role,
        function: d.function.clone(),
        setter: d.setter.clone(),
        deleter: d.deleter.clone(),
    };
    match name {
        "getter" => made.function = function.clone(),
        "setter" => made.setter = RefCell::new(Some(function.clone())),
        _ => made.deleter = Some(function.clone()),
    }
    Ok(Value::Object(Rc::new(made)))
}
