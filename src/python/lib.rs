//! What Python provides ready-made: builtins, the methods of its classes by name, modules. The language knows
//! of it by the one table [`PYTHON`].
//! Depends on `text`, `syntax`, `tensor`, `maths`, `ops`, `eval`.

pub mod collections;
pub mod convert;
pub(crate) mod copy;
pub mod dicts;
pub(crate) mod dunder;
pub mod inspect;
pub mod iterators;
pub mod keywords;
pub mod lists;
pub mod math;
pub mod numbers;
mod pages;
pub mod random;
pub mod sequences;
pub mod strings;
pub mod time;
pub mod types;

use inspect::texts;
use num_traits::Signed;
use std::collections::HashMap;
use vjp_eval::display::python::{repr, str};
use vjp_eval::language::exception;
use vjp_eval::library::table::{Python, given};
use vjp_eval::library::{builtins, prelude};
use vjp_eval::{Args, Builtin, Event, Halt, Machine, Tried, Value, name_of, raise, tp_name};
use vjp_ops::Arg;
use vjp_tensor::{Complaint, Kind, budget};
use vjp_text::Symbol;

type Made = Tried<Value>;

builtins! {
    /// What `sys` is made of.
    pub static SYS in "sys";
    "_write_error" "(text, /)" write_error, "Writes to standard error.";
}

builtins! {
    /// Functions that are there from the start.
    pub static FUNCTIONS in "builtins";
    "print" "(*values, sep=' ', end='\\n', file=None, flush=False)" print, "Prints values.";
    "len" "(obj, /)" sequences::len, "Returns the number of elements.";
    "sum" "(iterable, /, start=0)" |m, a| or_python(m, a, sequences::sum), "Adds the elements.";
    "abs" "(x, /)" abs, "The absolute value.";
    "min" "(*values, key=None, default=…)" |m, a| or_python(m, a, |m, a| sequences::extreme(m, a, false)), "Returns the smallest value.";
    "max" "(*values, key=None, default=…)" |m, a| or_python(m, a, |m, a| sequences::extreme(m, a, true)), "Returns the largest value.";
    "round" "(number, ndigits=None)" |m, a| or_python(m, a, numbers::round), "Rounds to a number of digits, halves to even.";
    "repr" "(obj, /)" |m, a| { a.count(1, 1)?; Ok(Value::from(repr(m, &a.positional[0])?)) }, "Returns the repr: the value as Python code.";
    "ascii" "(obj, /)" |m, a| { a.count(1, 1)?; Ok(Value::from(vjp_eval::display::quote::ascii(&repr(m, &a.positional[0])?))) }, "Returns the repr in ASCII.";
    "sorted" "(iterable, /, *, key=None, reverse=False)" |m, a| or_python(m, a, sequences::sorted), "Returns a sorted list of the elements.";
    "any" "(iterable, /)" |m, a| or_python(m, a, |m, a| sequences::some(m, a, true)), "Returns whether any element is true.";
    "all" "(iterable, /)" |m, a| or_python(m, a, |m, a| sequences::some(m, a, false)), "Returns whether all elements are true.";
    "isinstance" "(obj, class_or_tuple, /)" inspect::isinstance, "Returns whether a value is an instance of a class.";
    "issubclass" "(cls, class_or_tuple, /)" inspect::issubclass, "Returns whether a class is a subclass of another.";
    "getattr" "(obj, name[, default], /)" inspect::getattr, "Returns an attribute by name.";
    "hasattr" "(obj, name, /)" inspect::hasattr, "Returns whether an attribute exists.";
    "setattr" "(obj, name, value, /)" inspect::setattr, "Sets an attribute by name.";
    "delattr" "(obj, name, /)" inspect::delattr, "Deletes an attribute by name.";
    "callable" "(obj, /)" |m, a| { a.count(1, 1)?; Ok(Value::Bool(m.callable(&a.positional[0]))) }, "Returns whether the object can be called.";
    "iter" "(iterable[, sentinel], /)" sequences::iter, "Returns an iterator over the elements.";
    "next" "(iterator[, default], /)" sequences::next, "Returns the next element of an iterator.";
    "divmod" "(x, y, /)" numbers::divmod, "Quotient and remainder.";
    "pow" "(base, exp, mod=None)" numbers::pow, "A power.";
    "id" "(obj, /)" |_, a| { a.count(1, 1)?; Ok(Value::Int(a.positional[0].address() as i64)) }, "Returns a number unique to the object.";
    "hash" "(obj, /)" inspect::hash, "Returns the hash, equal for equal values.";
    "dir" "([obj], /)" inspect::dir, "Lists the attribute names of a value.";
    "vars" "([obj], /)" inspect::vars, "Returns the attributes of an object.";
    "globals" "()" texts::globals, "Returns the global names.";
    "locals" "()" texts::locals, "Returns the names of the function that runs.";
    "format" "(value, format_spec='', /)" format, "Formats the value by a format specification.";
    "chr" "(i, /)" numbers::chr, "Returns the character with a code point.";
    "ord" "(c, /)" numbers::ord, "Returns the code point of a character.";
    "bin" "(number, /)" |m, a| numbers::radix(m, a, "#b"), "Converts to binary text.";
    "hex" "(number, /)" |m, a| numbers::radix(m, a, "#x"), "Converts to hexadecimal text.";
    "oct" "(number, /)" |m, a| numbers::radix(m, a, "#o"), "Converts to octal text.";
    "input" "(prompt='', /)" |_, _| refuse("input() is not available: vjp programs read no input", "write the value in the program"), "Not available: vjp programs read no input.";
    "open" "(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None)" |m, a| prelude::call(m, "io", a), "Opens a file of the program's own, in memory.";
    "exec" "(source, globals=None, locals=None, /)" texts::exec, "Runs a text as statements.";
    "eval" "(source, globals=None, locals=None, /)" texts::eval, "Returns the value of a text.";
    "__import__" "(name, globals=None, locals=None, fromlist=(), level=0)" texts::import, "Returns a module by name.";
    "exit" "(code=0)" exit, "Ends the program or the session.";
    "quit" "(code=0)" exit, "Ends the program or the session.";
}

/// Names that are there from the start.
pub fn contents() -> Vec<(&'static str, Value)> {
    let mut all: Vec<(&'static str, Value)> = types::ALL
        .iter()
        .chain(vjp_eval::language::exception::classes::ALL)
        .filter(|t| t.module == "builtins" && t.name != "Interrupted")
        .map(|t| (t.name, Value::Type(t)))
        .collect();
    all.extend(FUNCTIONS.iter().map(|b| (b.name, Value::Builtin(b))));
    all.push(("NotImplemented", Value::NotImplemented));
    all.push(("Ellipsis", Value::Ellipsis));
    all
}

/// Methods by class and name.
type Methods = HashMap<&'static str, HashMap<&'static str, &'static Builtin>>;

thread_local! {
    static METHODS: Methods = {
        let mut methods = Methods::new();
        for b in [strings::METHODS, lists::METHODS, dicts::METHODS, numbers::METHODS]
            .into_iter()
            .flatten()
        {
            methods.entry(b.module).or_default().insert(b.name, b);
        }
        methods
    };
}

/// A method of one of Python's classes, unbound.
pub fn method_of(class: &str, name: &str) -> Option<Value> {
    lookup(class, name).map(Value::Builtin)
}

fn lookup(class: &str, name: &str) -> Option<&'static Builtin> {
    METHODS.with(|m| m.get(class)?.get(name).copied())
}

/// The method of that name, of the first class that has one.
pub fn any_method(name: &str) -> Option<&'static Builtin> {
    ["list", "str", "dict", "set", "tuple"].into_iter().find_map(|class| lookup(class, name))
}

/// A builtin function.
pub fn function(name: &str) -> &'static Builtin {
    let found = FUNCTIONS.iter().find(|b| b.name == name);
    found.expect("a builtin of that name")
}

/// The methods of one of Python's classes.
pub fn method_names(class: &str) -> Vec<&'static str> {
    METHODS.with(|m| {
        let mut names: Vec<_> =
            m.get(class).map(|c| c.keys().copied().collect()).unwrap_or_default();
        names.sort_unstable();
        names
    })
}

/// The class whose methods a value has.
fn class_of(v: &Value) -> &'static str {
    match v {
        Value::Str(_) => "str",
        Value::List(_) => "list",
        Value::Tuple(_) => "tuple",
        Value::Dict(_) => "dict",
        Value::Set(_) => "set",
        Value::Range(_) => "range",
        Value::Slice(_) => "slice",
        Value::Int(_) | Value::Long(_) | Value::Bool(_) => "int",
        Value::Float(_) => "float",
        Value::Number(n) => class_of(&n.number()),
        _ => "",
    }
}

/// `owner.name` where `owner` is of one of Python's classes: a bound method or a plain attribute.
pub fn method(name: &str, owner: &Value) -> Option<Value> {
    if let Some(v) = numbers::attribute(owner, name) {
        return Some(v);
    }
    let found = lookup(class_of(owner), name).or_else(|| crate::dunder::method(owner, name));
    found?.bind(owner.clone())
}

fn refuse(message: &str, hint: &str) -> Made {
    Err(Complaint::new(Kind::Runtime, message).hint(hint).into())
}

fn exit(_: &mut Machine, args: Args) -> Made {
    Err(exception::halt(Kind::SystemExit, args.positional))
}

fn print(m: &mut Machine, mut args: Args) -> Made {
    let mut text_of = |name: &str, usual: &str| -> Tried<String> {
        match args.take(name) {
            None | Some(Value::None) => Ok(usual.to_owned()),
            Some(Value::Str(s)) => Ok(s.to_string()),
            Some(other) => {
                raise!(Kind::Type, "{name} must be None or a string, not {}", name_of(&other))
            }
        }
    };
    let (sep, end) = (text_of("sep", " ")?, text_of("end", "\n")?);
    args.take("flush");
    let file = args.take("file").filter(|f| !f.is_none());
    args.only_names(&[])?;
    let mut line = String::new();
    for (i, v) in args.positional.iter().enumerate() {
        let text = str(m, v)?;
        if i == 0 {
            line = text;
            continue;
        }
        budget::reserve(sep.len() + text.len())?;
        line.push_str(&sep);
        line.push_str(&text);
    }
    line.push_str(&end);
    if let Some(file) = file {
        let write = m.get_attr(&file, Symbol::new("write"))?;
        m.call_with(&write, vec![Value::from(line)], &args.site)?;
        return Ok(Value::None);
    }
    m.flush_echoes();
    m.emit(Event::Print(line));
    Ok(Value::None)
}

fn write_error(m: &mut Machine, args: Args) -> Made {
    let text = str(m, &args.positional[0])?;
    m.flush_echoes();
    m.emit(Event::PrintError(text));
    Ok(Value::None)
}

fn abs(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let v = &args.positional[0];
    Ok(match v {
        Value::Int(i) => i128::from(*i).abs().into(),
        Value::Long(n) => n.abs().into(),
        Value::Bool(b) => Value::Int(i64::from(*b)),
        Value::Float(f) => Value::Float(f.abs()),
        Value::Number(n) => {
            let mut inner = Args::new(vec![n.number()], args.site.clone());
            inner.callee = args.callee;
            let number = abs(m, inner)?;
            if !vjp_maths::autodiff::grad_mode::is_grad_enabled() {
                return Ok(number);
            }
            let variable = vjp_eval::values::tensor_operators::call(
                "abs",
                vec![Arg::Tensor(n.variable.clone())],
            )?;
            Value::Number(std::rc::Rc::new(vjp_eval::values::value::Tracked::new(number, variable)))
        }
        Value::NpScalar(x, d) => Value::NpScalar(x.abs(), *d),
        Value::Instance(_) => match m.special(v, "__abs__") {
            Some(method) => return m.call_with(&method, Vec::new(), &args.site),
            None => return Err(bad_abs(v)),
        },
        Value::Array(x) => Value::Array(vjp_eval::values::tensor_operators::call(
            "abs",
            vec![Arg::Tensor(x.clone())],
        )?),
        Value::Tensor(_) => {
            let method = m.get_attr(v, Symbol::new("abs"))?;
            return m.call_with(&method, Vec::new(), &args.site);
        }
        Value::List(_) if m.is_vector(v) => {
            let x = vjp_eval::leaf::stacked(v)?;
            Value::Tensor(vjp_eval::values::tensor_operators::call("abs", vec![Arg::Tensor(x)])?)
        }
        _ => return Err(bad_abs(v)),
    })
}

fn bad_abs(v: &Value) -> Halt {
    Halt::new(Kind::Type, format!("bad operand type for abs(): '{}'", tp_name(v)))
}

fn format(m: &mut Machine, args: Args) -> Made {
    args.count(1, 2)?;
    let spec = match args.positional.get(1) {
        Some(Value::Str(s)) => s.to_string(),
        None => String::new(),
        Some(other) => {
            raise!(Kind::Type, "format() argument 2 must be str, not {}", name_of(other))
        }
    };
    Ok(Value::from(vjp_eval::values::format::format(m, &args.positional[0], &spec)?))
}

/// What the call means of a leaf, else what Python means.
fn or_python(m: &mut Machine, mut args: Args, python: fn(&mut Machine, Args) -> Made) -> Made {
    if !m.exact() {
        if let [Value::Iterator(_)] = args.positional.as_slice()
            && matches!(args.name(), "max" | "min" | "sorted")
        {
            let items = m.collect(&args.positional[0])?;
            args.positional[0] = Value::list(items);
        }
        if let Some(made) = (given().of_leaves)(m, &args)? {
            return Ok(made);
        }
    }
    keywords::check(&args)?;
    python(m, args)
}

/// What the language is given.
pub static PYTHON: Python = Python {
    contents,
    modules: || {
        let written = [&copy::COPY, &math::MATH, &random::RANDOM, &time::TIME];
        written.into_iter().chain(pages::MODULES).collect()
    },
    pages: pages::PAGES,
    method,
    method_names,
    check: keywords::check,
    check_class: keywords::check_class,
    class_of: types::class_of,
    object: &types::OBJECT,
    object_new: &types::OBJECT_NEW,
    object_init: &types::OBJECT_INIT,
    exception_init: &types::EXCEPTION_INIT,
    property_part: types::property_part,
    size_numel: &types::SIZE_NUMEL,
    either: types::unions::either,
    combine: dicts::combine,
    combine_views: dicts::combine_views,
    view_set: dicts::view_set,
};
