//! Builtins that ask about values: classes, attributes, names.

pub mod frames;
pub mod texts;

use crate::types::unions::Union;
use vjp_eval::language::class;
use vjp_eval::language::import::stand_in;
use vjp_eval::{Args, Machine, Tried, Value, name_of, raise};
use vjp_tensor::Kind;
use vjp_text::Symbol;

type Made = Tried<Value>;

/// Whether any of a class or a tuple of classes holds; a metaclass may have a method of its own for it.
fn any_class(
    m: &mut Machine,
    (function, method): (&str, &str),
    v: &Value,
    classes: &Value,
    holds: fn(&Value, &Value) -> bool,
) -> Tried<bool> {
    let parts = match classes {
        Value::Tuple(t) => t.items.clone(),
        Value::Object(o) if o.as_any().is::<Union>() => {
            let union = o.as_any().downcast_ref::<Union>();
            union.map_or(Vec::new(), |u| u.members.clone())
        }
        Value::Class(_) | Value::Instance(_) if let Some(own) = m.special(classes, method) => {
            let site = m.here();
            let said = m.call_with(&own, vec![v.clone()], &site)?;
            return m.truth(&said);
        }
        Value::Type(_) | Value::Class(_) => return Ok(holds(v, classes)),
        // Nothing is an instance of a class that is not there.
        _ if stand_in::is(classes) => return Ok(false),
        _ => raise!(Kind::Type, "{function}() arg 2 must be a type, a tuple of types, or a union"),
    };
    for part in &parts {
        if any_class(m, (function, method), v, part, holds)? {
            return Ok(true);
        }
    }
    Ok(false)
}

pub fn isinstance(m: &mut Machine, args: Args) -> Made {
    args.count(2, 2)?;
    let names = ("isinstance", "__instancecheck__");
    any_class(m, names, &args.positional[0], &args.positional[1], class::is_instance)
        .map(Value::Bool)
}

pub fn issubclass(m: &mut Machine, args: Args) -> Made {
    args.count(2, 2)?;
    let v = &args.positional[0];
    if !matches!(v, Value::Type(_) | Value::Class(_)) {
        raise!(Kind::Type, "issubclass() arg 1 must be a class");
    }
    let names = ("issubclass", "__subclasscheck__");
    any_class(m, names, v, &args.positional[1], class::is_subclass).map(Value::Bool)
}

fn attribute_name(args: &Args) -> Tried<Symbol> {
    match &args.positional[1] {
        Value::Str(s) => Ok(Symbol::new(s)),
        other => raise!(Kind::Type, "attribute name must be string, not '{}'", name_of(other)),
    }
}

pub fn getattr(m: &mut Machine, args: Args) -> Made {
    args.count(2, 3)?;
    let name = attribute_name(&args)?;
    match args.positional.get(2) {
        None => m.get_attr(&args.positional[0], name),
        Some(default) => match m.get_attr(&args.positional[0], name) {
            Err(h) if h.kind() == Kind::Attribute => Ok(default.clone()),
            other => other,
        },
    }
}

pub fn hasattr(m: &mut Machine, args: Args) -> Made {
    args.count(2, 2)?;
    let name = attribute_name(&args)?;
    match m.get_attr(&args.positional[0], name) {
        Ok(_) => Ok(Value::Bool(true)),
        Err(h) if h.kind() == Kind::Attribute => Ok(Value::Bool(false)),
        Err(h) => Err(h),
    }
}

pub fn setattr(m: &mut Machine, args: Args) -> Made {
    args.count(3, 3)?;
    let name = attribute_name(&args)?;
    m.set_attr(&args.positional[0], name, args.positional[2].clone())?;
    Ok(Value::None)
}

pub fn delattr(m: &mut Machine, args: Args) -> Made {
    args.count(2, 2)?;
    let name = attribute_name(&args)?;
    m.del_attr(&args.positional[0], name)?;
    Ok(Value::None)
}

pub fn hash(m: &mut Machine, args: Args) -> Made {
    use std::hash::{DefaultHasher, Hash, Hasher};
    args.count(1, 1)?;
    let v = &args.positional[0];
    if let Some(method) = m.special(v, "__hash__") {
        return m.call_with(&method, Vec::new(), &args.site);
    }
    if matches!(v, Value::Tensor(_)) {
        return Ok(Value::Int(v.address() as i64));
    }
    let key = m.key(v)?;
    if let Some(h) = vjp_eval::values::set_order::hash(&key) {
        return Ok(Value::Int(h));
    }
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    Ok(Value::Int((hasher.finish() >> 2) as i64))
}

pub fn dir(m: &mut Machine, args: Args) -> Made {
    args.count(0, 1)?;
    let mut names: Vec<String> = match args.positional.first() {
        Some(v) => vjp_eval::library::attributes_of(v).into_iter().map(str::to_owned).collect(),
        None => m.names().into_iter().map(|(n, _)| n).collect(),
    };
    // Names of a library's own.
    if matches!(args.positional.first(), Some(Value::Module(_))) {
        names.retain(|name| !name.starts_with('_') || name.starts_with("__"));
    }
    names.sort();
    Ok(Value::list(names.into_iter().map(Value::from).collect()))
}

pub fn vars(m: &mut Machine, args: Args) -> Made {
    args.count(0, 1)?;
    match args.positional.first() {
        None => names_as_dict(m),
        Some(v) => match m.find_attr(v, Symbol::new("__dict__"))? {
            Some(d) => Ok(d),
            None => raise!(Kind::Type, "vars() argument must have __dict__ attribute"),
        },
    }
}

/// The program's names as a dict.
pub fn names_as_dict(m: &mut Machine) -> Made {
    let dict = vjp_eval::Dict::default();
    for (n, v) in m.names() {
        let name = Value::from(n);
        let key = vjp_eval::values::dict::Key::of(&name)?;
        dict.written()?.insert(key, name, v);
    }
    Ok(Value::Dict(std::rc::Rc::new(dict)))
}
