//! Python's builtins, and the methods of its classes by name.

use super::types::{full_name, name_of};
use super::{Builtin, dicts, exceptions, inspect, lists, numbers, strings, types};
use crate::eval::call::Args;
use crate::eval::display::python::{repr, str};
use crate::eval::event::Event;
use crate::eval::exception;
use crate::eval::machine::Machine;
use crate::eval::raise::Halt;
use crate::eval::value::Value;
use crate::maths::complaint::{Complaint, Kind};
use crate::maths::ops::Arg;
use crate::raise;
use crate::syntax::ast::BinaryOp;
use crate::text::names::Symbol;
use std::collections::HashMap;

type Made = Result<Value, Halt>;

macro_rules! builtins {
    ($($name:literal $signature:literal $run:expr, $help:literal;)*) => {
        /// Functions that are there from the start.
        pub static FUNCTIONS: &[Builtin] = &[$(Builtin {
            name: $name,
            module: "builtins",
            signature: $signature,
            help: $help,
            run: $run,
        }),*];
    };
}

builtins! {
    "print" "(*values, sep=' ', end='\\n')" print, "Prints values.";
    "len" "(obj, /)" len, "How many elements there are.";
    "sum" "(iterable, /, start=0)" sum, "The elements added one after the other.";
    "abs" "(x, /)" abs, "The absolute value.";
    "min" "(*values, key=None, default=…)" |m, a| extreme(m, a, false), "The smallest of the values.";
    "max" "(*values, key=None, default=…)" |m, a| extreme(m, a, true), "The largest of the values.";
    "round" "(number, ndigits=None)" numbers::round, "Rounded to digits, halves to even.";
    "repr" "(obj, /)" |m, a| { a.count(1, 1)?; Ok(Value::from(repr(m, &a.positional[0])?)) }, "The value as Python would write it.";
    "sorted" "(iterable, /, *, key=None, reverse=False)" sorted, "A list of the elements in order.";
    "any" "(iterable, /)" |m, a| some(m, a, true), "Whether an element is true.";
    "all" "(iterable, /)" |m, a| some(m, a, false), "Whether all elements are true.";
    "isinstance" "(obj, class_or_tuple, /)" inspect::isinstance, "Whether a value is of a class.";
    "issubclass" "(cls, class_or_tuple, /)" inspect::issubclass, "Whether a class derives from another.";
    "getattr" "(obj, name[, default])" inspect::getattr, "An attribute by name.";
    "hasattr" "(obj, name, /)" inspect::hasattr, "Whether there is such an attribute.";
    "setattr" "(obj, name, value, /)" inspect::setattr, "Sets an attribute by name.";
    "delattr" "(obj, name, /)" inspect::delattr, "Deletes an attribute by name.";
    "callable" "(obj, /)" |m, a| { a.count(1, 1)?; Ok(Value::Bool(m.callable(&a.positional[0]))) }, "Whether it can be called.";
    "iter" "(iterable[, sentinel])" iter, "An iterator over the elements.";
    "next" "(iterator[, default])" next, "The next element of an iterator.";
    "divmod" "(x, y, /)" numbers::divmod, "Quotient and remainder.";
    "pow" "(base, exp, mod=None)" numbers::pow, "A power.";
    "id" "(obj, /)" |_, a| { a.count(1, 1)?; Ok(Value::Int(a.positional[0].address() as i64)) }, "A number that only this object has.";
    "hash" "(obj, /)" inspect::hash, "A number equal for equal values.";
    "dir" "([obj])" inspect::dir, "The names that a value has.";
    "vars" "([obj])" inspect::vars, "The attributes of an object.";
    "globals" "()" |m, _| inspect::names_as_dict(m), "The names of the program.";
    "locals" "()" |m, _| inspect::names_as_dict(m), "The names of the program.";
    "format" "(value, format_spec='', /)" format, "The value as the format says.";
    "chr" "(i, /)" numbers::chr, "The character with a number.";
    "ord" "(c, /)" numbers::ord, "The number of a character.";
    "bin" "(number, /)" |m, a| numbers::radix(m, a, "#b"), "In binary.";
    "hex" "(number, /)" |m, a| numbers::radix(m, a, "#x"), "In hexadecimal.";
    "oct" "(number, /)" |m, a| numbers::radix(m, a, "#o"), "In octal.";
    "input" "(prompt='', /)" |_, _| refuse("input() is not available: a program here reads nothing", "put the value into the program"), "Not available: programs read nothing.";
    "open" "(file, …)" |_, _| refuse("open() is not available: programs here touch no files", ":save and :load keep and run sessions"), "Not available: programs touch no files.";
    "exec" "(source, /)" |_, _| refuse("exec() is not available", "write the statements themselves"), "Not available.";
    "eval" "(source, /)" |_, _| refuse("eval() is not available", "write the expression itself"), "Not available.";
    "exit" "(code=0)" exit, "Ends the program or the session.";
    "quit" "(code=0)" exit, "Ends the program or the session.";
}

/// Names that are there from the start.
pub fn contents() -> Vec<(&'static str, Value)> {
    let mut all: Vec<(&'static str, Value)> = types::ALL
        .iter()
        .chain(exceptions::ALL)
        .filter(|t| t.name != "Interrupted" && t.name != "_LinAlgError")
        .map(|t| (t.name, Value::Type(t)))
        .collect();
    all.extend(FUNCTIONS.iter().map(|b| (b.name, Value::Builtin(b))));
    all.push(("NotImplemented", Value::NotImplemented));
    all
}

thread_local! {
    static METHODS: HashMap<(&'static str, &'static str), &'static Builtin> =
        [strings::METHODS, lists::METHODS, dicts::METHODS, numbers::METHODS]
            .into_iter()
            .flatten()
            .map(|b| ((b.module, b.name), b))
            .collect();
}

/// A method of one of Python's classes, unbound.
pub fn method_of(class: &str, name: &str) -> Option<Value> {
    lookup(class, name).map(Value::Builtin)
}

fn lookup(class: &str, name: &str) -> Option<&'static Builtin> {
    let class = match class {
        "Size" => "tuple",
        "bool" => "int",
        other => other,
    };
    METHODS.with(|m| {
        m.iter()
            .find(|((c, n), _)| *c == class && *n == name)
            .map(|(_, b)| *b)
    })
}

/// The methods of one of Python's classes.
pub fn method_names(class: &str) -> Vec<&'static str> {
    METHODS.with(|m| {
        let mut names: Vec<_> = m
            .keys()
            .filter(|(c, _)| *c == class)
            .map(|(_, n)| *n)
            .collect();
        names.sort_unstable();
        names
    })
}

/// `owner.name` where `owner` is of one of Python's classes: a bound method or a plain attribute.
pub fn method(class: &str, name: &str, owner: &Value) -> Option<Value> {
    if let Some(v) = numbers::attribute(owner, name) {
        return Some(v);
    }
    lookup(class, name)?.bind(owner.clone())
}

fn refuse(message: &str, hint: &str) -> Made {
    Err(Complaint::new(Kind::Runtime, message).hint(hint).into())
}

fn exit(_: &mut Machine, args: Args) -> Made {
    Err(exception::halt(Kind::SystemExit, args.positional))
}

fn print(m: &mut Machine, mut args: Args) -> Made {
    let mut text_of = |name: &str, usual: &str| -> Result<String, Halt> {
        match args.take(name) {
            None | Some(Value::None) => Ok(usual.to_owned()),
            Some(Value::Str(s)) => Ok(s.to_string()),
            Some(other) => raise!(
                Kind::Type,
                "{name} must be None or a string, not {}",
                name_of(&other)
            ),
        }
    };
    let (sep, end) = (text_of("sep", " ")?, text_of("end", "\n")?);
    args.take("flush");
    args.take("file");
    args.only_names(&[])?;
    let mut line = String::new();
    for (i, v) in args.positional.iter().enumerate() {
        if i > 0 {
            line.push_str(&sep);
        }
        line.push_str(&str(m, v)?);
    }
    line.push_str(&end);
    m.flush_echoes();
    m.emit(Event::Print(line));
    Ok(Value::None)
}

fn len(m: &mut Machine, args: Args) -> Made {
    args.no_names()?;
    args.count(1, 1)?;
    let v = &args.positional[0];
    let n = match v {
        Value::Str(s) => s.chars().count(),
        Value::List(l) => l.items.borrow().len(),
        Value::Tuple(t) => t.items.len(),
        Value::Dict(d) => d.entries.borrow().len(),
        Value::Set(s) => s.entries.borrow().len(),
        Value::Range(r) => r.len(),
        Value::Tensor(t) => match t.shape().first() {
            Some(n) => *n,
            None => raise!(Kind::Type, "len() of a 0-d tensor"),
        },
        Value::Array(t) => match t.shape().first() {
            Some(n) => *n,
            None => raise!(Kind::Type, "len() of unsized object"),
        },
        Value::Object(o) => match o.elements(m) {
            Some(items) => items?.len(),
            None => return Err(no_len(v)),
        },
        Value::Instance(_) => match m.special(v, "__len__") {
            Some(method) => {
                let n = m.call_with(&method, Vec::new(), &args.site)?;
                return Ok(Value::Int(m.as_index(&n)?));
            }
            None => return Err(no_len(v)),
        },
        _ => return Err(no_len(v)),
    };
    Ok(Value::Int(n as i64))
}

fn no_len(v: &Value) -> Halt {
    Halt::new(
        Kind::Type,
        format!("object of type '{}' has no len()", full_name(v)),
    )
}

fn sum(m: &mut Machine, mut args: Args) -> Made {
    if args.positional.len() > 2 {
        let n = args.positional.len();
        raise!(Kind::Type, "sum() takes at most 2 arguments ({n} given)");
    }
    let start = args.take_at(1, "start");
    if args.positional.is_empty() {
        raise!(
            Kind::Type,
            "sum() takes at least 1 positional argument (0 given)"
        );
    }
    let mut total = start.unwrap_or(Value::Int(0));
    if matches!(total, Value::Str(_)) {
        raise!(
            Kind::Type,
            "sum() can't sum strings [use ''.join(seq) instead]"
        );
    }
    let mut elements = m.iterate(&args.positional[0])?;
    while let Some(v) = elements.next(m)? {
        crate::maths::budget::tick()?;
        total = m.binary(BinaryOp::Add, &total, &v)?;
    }
    Ok(total)
}

fn abs(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let v = &args.positional[0];
    Ok(match v {
        Value::Int(i) => match i.checked_abs() {
            Some(a) => Value::Int(a),
            None => return Err(crate::eval::number::too_large().into()),
        },
        Value::Bool(b) => Value::Int(i64::from(*b)),
        Value::Float(f) => Value::Float(f.abs()),
        Value::Number(n) => {
            let mut inner = Args::new(vec![n.number.clone()], args.site.clone());
            inner.callee = args.callee;
            let number = abs(m, inner)?;
            if !crate::maths::grad_mode::is_grad_enabled() {
                return Ok(number);
            }
            let variable = crate::eval::arith::call("abs", vec![Arg::Tensor(n.variable.clone())])?;
            Value::Number(std::rc::Rc::new(crate::eval::value::Tracked {
                number,
                variable,
            }))
        }
        Value::NpScalar(x, d) => Value::NpScalar(x.abs(), *d),
        Value::Instance(_) => match m.special(v, "__abs__") {
            Some(method) => return m.call_with(&method, Vec::new(), &args.site),
            None => return Err(bad_abs(v)),
        },
        Value::Tensor(_) | Value::Array(_) => {
            let method = m.get_attr(v, Symbol::new("abs"))?;
            return m.call_with(&method, Vec::new(), &args.site);
        }
        Value::List(_) if m.is_vector(v) => {
            let x = crate::eval::leaf::stacked(m, v)?;
            Value::Tensor(crate::eval::arith::call("abs", vec![Arg::Tensor(x)])?)
        }
        _ => return Err(bad_abs(v)),
    })
}

fn bad_abs(v: &Value) -> Halt {
    Halt::new(
        Kind::Type,
        format!("bad operand type for abs(): '{}'", full_name(v)),
    )
}

fn extreme(m: &mut Machine, mut args: Args, largest: bool) -> Made {
    let name = if largest { "max" } else { "min" };
    let key = args.take("key").filter(|k| !k.is_none());
    let default = args.take("default");
    args.only_names(&[])?;
    let items = match args.positional.as_slice() {
        [] => raise!(Kind::Type, "{name} expected at least 1 argument, got 0"),
        [one] => m.collect(one)?,
        several => several.to_vec(),
    };
    let mut best: Option<(Value, Value)> = None;
    for v in items {
        let k = match &key {
            Some(f) => m.call_with(f, vec![v.clone()], &args.site)?,
            None => v.clone(),
        };
        let better = match &best {
            None => true,
            Some((b, _)) if largest => m.greater(&k, b)?,
            Some((b, _)) => m.less(&k, b)?,
        };
        if better {
            best = Some((k, v));
        }
    }
    match (best, default) {
        (Some((_, v)), _) | (None, Some(v)) => Ok(v),
        (None, None) => raise!(Kind::Value, "{name}() arg is an empty sequence"),
    }
}

fn sorted(m: &mut Machine, mut args: Args) -> Made {
    let key = args.take("key");
    let reverse = args.take("reverse");
    args.only_names(&[])?;
    if args.positional.len() != 1 {
        raise!(
            Kind::Type,
            "sorted expected 1 argument, got {}",
            args.positional.len()
        );
    }
    let items = m.collect(&args.positional[0])?;
    Ok(Value::list(lists::in_order(
        m, items, key, reverse, &args.site,
    )?))
}

fn some(m: &mut Machine, args: Args, wanted: bool) -> Made {
    args.no_names()?;
    args.count(1, 1)?;
    let mut elements = m.iterate(&args.positional[0])?;
    while let Some(v) = elements.next(m)? {
        crate::maths::budget::tick()?;
        if m.truth(&v)? == wanted {
            return Ok(Value::Bool(wanted));
        }
    }
    Ok(Value::Bool(!wanted))
}

fn iter(m: &mut Machine, args: Args) -> Made {
    args.count(1, 2)?;
    let v = &args.positional[0];
    if let Some(end) = args.positional.get(1) {
        if !m.callable(v) {
            raise!(Kind::Type, "iter(v, w): v must be callable");
        }
        return Ok(Value::iterator(super::iterators::Until {
            function: v.clone(),
            end: end.clone(),
            site: args.site,
        }));
    }
    if let Value::Iterator(_) = v {
        return Ok(v.clone());
    }
    if let Value::Instance(_) = v
        && let Some(method) = m.special(v, "__iter__")
    {
        return m.call_with(&method, Vec::new(), &args.site);
    }
    let of = m.iterate(v)?;
    Ok(Value::Iterator(std::rc::Rc::new(std::cell::RefCell::new(
        of,
    ))))
}

fn next(m: &mut Machine, args: Args) -> Made {
    args.count(1, 2)?;
    let default = args.positional.get(1).cloned();
    let found = match &args.positional[0] {
        Value::Iterator(i) => match i.try_borrow_mut() {
            Ok(mut i) => i.next(m)?,
            Err(_) => raise!(Kind::Value, "generator already executing"),
        },
        v => match m.special(v, "__next__") {
            Some(method) => match m.call_with(&method, Vec::new(), &args.site) {
                Ok(v) => Some(v),
                Err(h) if h.kind() == Kind::StopIteration && default.is_some() => None,
                Err(h) => return Err(h),
            },
            None => raise!(Kind::Type, "'{}' object is not an iterator", full_name(v)),
        },
    };
    match found.or(default) {
        Some(v) => Ok(v),
        None => Err(exception::halt(Kind::StopIteration, Vec::new())),
    }
}

fn format(m: &mut Machine, args: Args) -> Made {
    args.count(1, 2)?;
    let spec = match args.positional.get(1) {
        Some(Value::Str(s)) => s.to_string(),
        None => String::new(),
        Some(other) => raise!(
            Kind::Type,
            "format() argument 2 must be str, not {}",
            name_of(other)
        ),
    };
    Ok(Value::from(crate::eval::format::format(
        m,
        &args.positional[0],
        &spec,
    )?))
}
