//! Methods of the language's protocols by their names, on values of Python's own classes:
//! `x.__add__(y)`, `"abc".__len__()`, `gen.__next__()`; and those of generators.

use crate::math::integers;
use crate::{convert, numbers, sequences, types};
use vjp_eval::display::python::{repr, str};
use vjp_eval::language::class::meta;
use vjp_eval::language::exception;
use vjp_eval::library::builtins;
use vjp_eval::{Args, Builtin, Halt, Machine, Tried, Value, raise};
use vjp_syntax::ast::{BinaryOp, CompareOp, UnaryOp};
use vjp_tensor::Kind;

type Made = Tried<Value>;

builtins! {
    /// What any value may have.
    pub static METHODS in "object";
    "__len__" "()" sequences::len, "Returns the number of elements.";
    "__iter__" "()" sequences::iter, "Returns an iterator over the elements.";
    "__next__" "()" sequences::next, "Returns the next element.";
    "__contains__" "(key, /)" |m, a| { let (x, y) = two(&a)?; m.contains(x, y).map(Value::Bool) }, "Returns whether some element equals the value.";
    "__getitem__" "(key, /)" |m, a| { let (x, y) = two(&a)?; m.get_item(x, y) }, "Returns an element.";
    "__setitem__" "(key, value, /)" |m, a| { a.count_beyond(1, 2, 2)?; m.set_item(&a.positional[0], &a.positional[1], a.positional[2].clone())?; Ok(Value::None) }, "Sets an element.";
    "__delitem__" "(key, /)" |m, a| { let (x, y) = two(&a)?; m.del_item(x, y)?; Ok(Value::None) }, "Deletes an element.";
    "__eq__" "(value, /)" |m, a| compared(m, &a, CompareOp::Eq), "self == value.";
    "__ne__" "(value, /)" |m, a| compared(m, &a, CompareOp::Ne), "self != value.";
    "__lt__" "(value, /)" |m, a| compared(m, &a, CompareOp::Lt), "self < value.";
    "__le__" "(value, /)" |m, a| compared(m, &a, CompareOp::Le), "self <= value.";
    "__gt__" "(value, /)" |m, a| compared(m, &a, CompareOp::Gt), "self > value.";
    "__ge__" "(value, /)" |m, a| compared(m, &a, CompareOp::Ge), "self >= value.";
    "__add__" "(value, /)" |m, a| computed(m, &a, BinaryOp::Add), "self + value.";
    "__sub__" "(value, /)" |m, a| computed(m, &a, BinaryOp::Sub), "self - value.";
    "__mul__" "(value, /)" |m, a| computed(m, &a, BinaryOp::Mul), "self * value.";
    "__truediv__" "(value, /)" |m, a| computed(m, &a, BinaryOp::Div), "self / value.";
    "__floordiv__" "(value, /)" |m, a| computed(m, &a, BinaryOp::FloorDiv), "self // value.";
    "__mod__" "(value, /)" |m, a| computed(m, &a, BinaryOp::Mod), "self % value.";
    "__pow__" "(value, /)" |m, a| computed(m, &a, BinaryOp::Pow), "self ** value.";
    "__matmul__" "(value, /)" |m, a| computed(m, &a, BinaryOp::MatMul), "self @ value.";
    "__and__" "(value, /)" |m, a| computed(m, &a, BinaryOp::BitAnd), "self & value.";
    "__or__" "(value, /)" |m, a| computed(m, &a, BinaryOp::BitOr), "self | value.";
    "__xor__" "(value, /)" |m, a| computed(m, &a, BinaryOp::BitXor), "self ^ value.";
    "__lshift__" "(value, /)" |m, a| computed(m, &a, BinaryOp::ShiftLeft), "self << value.";
    "__rshift__" "(value, /)" |m, a| computed(m, &a, BinaryOp::ShiftRight), "self >> value.";
    "__divmod__" "(value, /)" |m, a| both_parts(m, a, false), "Returns the quotient and remainder of self and value.";
    "__rdivmod__" "(value, /)" |m, a| both_parts(m, a, true), "Returns the quotient and remainder of value and self.";
    "__radd__" "(value, /)" |m, a| reflected(m, &a, BinaryOp::Add), "value + self.";
    "__rsub__" "(value, /)" |m, a| reflected(m, &a, BinaryOp::Sub), "value - self.";
    "__rmul__" "(value, /)" |m, a| reflected(m, &a, BinaryOp::Mul), "value * self.";
    "__rtruediv__" "(value, /)" |m, a| reflected(m, &a, BinaryOp::Div), "value / self.";
    "__rpow__" "(value, /)" |m, a| reflected(m, &a, BinaryOp::Pow), "value ** self.";
    "__rfloordiv__" "(value, /)" |m, a| reflected(m, &a, BinaryOp::FloorDiv), "value // self.";
    "__rmod__" "(value, /)" |m, a| reflected(m, &a, BinaryOp::Mod), "value % self.";
    "__rand__" "(value, /)" |m, a| reflected(m, &a, BinaryOp::BitAnd), "value & self.";
    "__ror__" "(value, /)" |m, a| reflected(m, &a, BinaryOp::BitOr), "value | self.";
    "__rxor__" "(value, /)" |m, a| reflected(m, &a, BinaryOp::BitXor), "value ^ self.";
    "__rlshift__" "(value, /)" |m, a| reflected(m, &a, BinaryOp::ShiftLeft), "value << self.";
    "__rrshift__" "(value, /)" |m, a| reflected(m, &a, BinaryOp::ShiftRight), "value >> self.";
    "__rmatmul__" "(value, /)" |m, a| reflected(m, &a, BinaryOp::MatMul), "value @ self.";
    "__iadd__" "(value, /)" |m, a| in_place(m, &a, BinaryOp::Add), "self += value.";
    "__isub__" "(value, /)" |m, a| in_place(m, &a, BinaryOp::Sub), "self -= value.";
    "__imul__" "(value, /)" |m, a| in_place(m, &a, BinaryOp::Mul), "self *= value.";
    "__itruediv__" "(value, /)" |m, a| in_place(m, &a, BinaryOp::Div), "self /= value.";
    "__ifloordiv__" "(value, /)" |m, a| in_place(m, &a, BinaryOp::FloorDiv), "self //= value.";
    "__imod__" "(value, /)" |m, a| in_place(m, &a, BinaryOp::Mod), "self %= value.";
    "__ipow__" "(value, /)" |m, a| in_place(m, &a, BinaryOp::Pow), "self **= value.";
    "__iand__" "(value, /)" |m, a| in_place(m, &a, BinaryOp::BitAnd), "self &= value.";
    "__ior__" "(value, /)" |m, a| in_place(m, &a, BinaryOp::BitOr), "self |= value.";
    "__ixor__" "(value, /)" |m, a| in_place(m, &a, BinaryOp::BitXor), "self ^= value.";
    "__ilshift__" "(value, /)" |m, a| in_place(m, &a, BinaryOp::ShiftLeft), "self <<= value.";
    "__irshift__" "(value, /)" |m, a| in_place(m, &a, BinaryOp::ShiftRight), "self >>= value.";
    "__deepcopy__" "(memo, /)" |m, a| { let (x, _) = two(&a)?; crate::copy::whole(m, x) }, "copy.deepcopy(self).";
    "__int__" "()" |m, a| { one(&a)?; convert::int(m, &types::INT, a) }, "int(self).";
    "__float__" "()" |m, a| { one(&a)?; convert::float(m, &types::FLOAT, a) }, "float(self).";
    "__index__" "()" |m, a| Ok(m.as_whole(one(&a)?)?.into()), "Returns self as an index.";
    "__round__" "([ndigits])" numbers::round, "round(self).";
    "__trunc__" "()" |m, a| integers::whole(m, a, f64::trunc), "Drops the fractional part.";
    "__floor__" "()" |m, a| integers::whole(m, a, f64::floor), "Rounds down to an integer.";
    "__ceil__" "()" |m, a| integers::whole(m, a, f64::ceil), "Rounds up to an integer.";
    "__neg__" "()" |m, a| m.unary(UnaryOp::Minus, one(&a)?), "-self.";
    "__pos__" "()" |m, a| m.unary(UnaryOp::Plus, one(&a)?), "+self.";
    "__invert__" "()" |m, a| m.unary(UnaryOp::Invert, one(&a)?), "~self.";
    "__abs__" "()" |m, a| { let f = Value::Builtin(crate::function("abs")); m.call(&f, a) }, "abs(self).";
    "__bool__" "()" |m, a| m.truth(one(&a)?).map(Value::Bool), "Returns whether the value is true.";
    "__hash__" "()" super::inspect::hash, "Returns the hash, equal for equal values.";
    "__repr__" "()" |m, a| Ok(Value::from(repr(m, one(&a)?)?)), "Returns the repr: the value as Python code.";
    "__str__" "()" |m, a| Ok(Value::from(str(m, one(&a)?)?)), "Returns the text that print shows.";
    "__format__" "(format_spec, /)" |m, a| { let (x, y) = two(&a)?; let spec = y.as_str().unwrap_or_default().to_owned(); Ok(Value::from(vjp_eval::values::format::format(m, x, &spec)?)) }, "Formats the value by a format specification.";
    "__call__" "(*args, **kwargs)" |m, mut a| { if a.positional.is_empty() { raise!(Kind::Type, "descriptor '__call__' of 'type' object needs an argument"); } let f = a.positional.remove(0); m.call(&f, a) }, "Calls the object.";
    "__setattr__" "(name, value, /)" set_attribute, "Sets an attribute.";
    "__getattribute__" "(name, /)" |m, a| { let (x, y) = two(&a)?; let name = vjp_text::Symbol::new(y.as_str().unwrap_or_default()); m.get_attr(x, name) }, "Returns an attribute.";
    "__delattr__" "(name, /)" delete_attribute, "Deletes an attribute by name.";
    "__init__" "(*args, **kwargs)" init, "Initialises the instance.";
    "__dir__" "()" super::inspect::dir, "Lists the attribute names.";
}

builtins! {
    /// What generators have besides.
    pub static GENERATOR in "generator";
    "send" "(value, /)" |m, a| { let (x, y) = two(&a)?; within(m, x, |i, m| i.send(m, y.clone())) }, "Resumes the generator; its yield returns the value.";
    "throw" "(error, /)" throw, "Raises an error where the generator paused.";
    "close" "()" close, "Closes the generator.";
}

/// The method of that name which a value has for its protocols.
pub fn method(owner: &Value, name: &str) -> Option<&'static Builtin> {
    if let Value::Iterator(_) = owner
        && vjp_eval::name_of(owner) == "generator"
        && let Some(found) = GENERATOR.iter().find(|b| b.name == name)
    {
        return Some(found);
    }
    if !name.starts_with("__") || name == "__init__" {
        return None;
    }
    let sized = matches!(
        owner,
        Value::Str(_)
            | Value::List(_)
            | Value::Tuple(_)
            | Value::Dict(_)
            | Value::Set(_)
            | Value::Range(_)
    ) || matches!(owner, Value::Tensor(t) | Value::Array(t) if t.rank() > 0);
    let changes =
        matches!(owner, Value::List(_) | Value::Dict(_) | Value::Tensor(_) | Value::Array(_));
    let number = owner.is_number()
        || matches!(owner, Value::NpScalar(..) | Value::Tensor(_) | Value::Array(_));
    let has = match name {
        "__len__" => sized,
        "__iter__" => sized || matches!(owner, Value::Iterator(_)),
        "__contains__" => sized,
        "__getitem__" => sized && !matches!(owner, Value::Set(_)),
        "__next__" => matches!(owner, Value::Iterator(_)),
        "__setitem__" | "__delitem__" => changes,
        "__add__" => number || matches!(owner, Value::Str(_) | Value::List(_) | Value::Tuple(_)),
        "__mul__" | "__rmul__" => {
            number || (sized && !matches!(owner, Value::Dict(_) | Value::Set(_) | Value::Range(_)))
        }
        "__mod__" => number || matches!(owner, Value::Str(_)),
        "__or__" | "__and__" | "__xor__" | "__sub__" => number || matches!(owner, Value::Set(_)),
        "__index__" | "__lshift__" | "__rshift__" | "__rlshift__" | "__rrshift__" | "__rand__"
        | "__ror__" | "__rxor__" => number && !matches!(owner.plain(), Value::Float(_)),
        "__round__" | "__trunc__" | "__floor__" | "__ceil__" | "__divmod__" | "__rdivmod__" => {
            owner.is_number()
        }
        "__radd__" | "__rsub__" | "__rtruediv__" | "__rpow__" | "__truediv__" | "__floordiv__"
        | "__pow__" | "__neg__" | "__pos__" | "__invert__" | "__abs__" | "__rfloordiv__"
        | "__rmod__" | "__int__" | "__float__" => number,
        "__matmul__" | "__rmatmul__" | "__deepcopy__" | "__isub__" | "__itruediv__"
        | "__ipow__" | "__ifloordiv__" | "__imod__" | "__iand__" | "__ior__" | "__ixor__"
        | "__ilshift__" | "__irshift__" => matches!(owner, Value::Tensor(_) | Value::Array(_)),
        "__iadd__" | "__imul__" => {
            matches!(owner, Value::Tensor(_) | Value::Array(_) | Value::List(_))
        }
        "__call__" => matches!(
            owner,
            Value::Function(_) | Value::Builtin(_) | Value::Method(_) | Value::BoundFunction(_)
        ),
        "__bool__" => number,
        "__hash__" => !matches!(owner, Value::List(_) | Value::Dict(_) | Value::Set(_)),
        _ => true,
    };
    METHODS.iter().find(|b| has && b.name == name)
}

/// What the class itself has: `object.__setattr__`, `list.__len__`.
pub fn of_class(class: &str, name: &str) -> Option<Value> {
    if name == "__new__" {
        return Some(Value::Builtin(&super::types::OBJECT_NEW));
    }
    if class == "type"
        && let Some(found) = meta::METHODS.iter().find(|b| b.name == name)
    {
        return Some(Value::Builtin(found));
    }
    if name == "__init__" {
        let fills = matches!(class, "list" | "dict" | "set" | "tuple" | "str" | "int" | "float");
        let found = METHODS.iter().find(|b| fills && b.name == name);
        return found.map(Value::Builtin);
    }
    let shared = matches!(
        name,
        "__eq__"
            | "__ne__"
            | "__repr__"
            | "__str__"
            | "__hash__"
            | "__setattr__"
            | "__getattribute__"
            | "__delattr__"
            | "__format__"
    );
    // Instances of classes that derive from Python's own are neither called nor iterators.
    if class == "object" && !shared || matches!(name, "__call__" | "__next__") {
        return None;
    }
    let found = METHODS.iter().find(|b| b.name == name)?;
    Some(Value::Builtin(found))
}

fn one(args: &Args) -> Tried<&Value> {
    args.count_beyond(1, 0, 0)?;
    Ok(&args.positional[0])
}

fn two(args: &Args) -> Tried<(&Value, &Value)> {
    args.count_beyond(1, 1, 1)?;
    Ok((&args.positional[0], &args.positional[1]))
}

/// Both operands, as values of Python's own classes where they hold one.
fn operands(args: &Args) -> Tried<(Value, Value)> {
    let (x, y) = two(args)?;
    Ok((x.base(), y.base()))
}

/// `list.__init__(self, …)` in a class that derives from `list`: fills what the instance holds.
fn init(m: &mut Machine, mut args: Args) -> Made {
    if args.positional.is_empty() {
        raise!(Kind::Type, "descriptor '__init__' of 'list' object needs an argument");
    }
    let this = args.positional.remove(0);
    match this.base() {
        Value::List(l) => {
            let items = match args.positional.first() {
                Some(v) => m.collect(v)?,
                None => Vec::new(),
            };
            l.put(items);
            l.touch();
        }
        Value::Dict(d) => {
            if let Some(v) = args.positional.first() {
                super::dicts::update(m, &d, &v.base())?;
            }
            for (n, v) in args.named {
                let name = Value::from(n.as_str());
                let key = m.key(&name)?;
                d.written()?.insert(key, name, v);
            }
        }
        Value::Set(s) => {
            if let Some(v) = args.positional.first() {
                for item in m.collect(v)? {
                    let key = m.key(&item)?;
                    s.written()?.insert(key, item, Value::None);
                }
            }
        }
        _ => {}
    }
    Ok(Value::None)
}

/// Operators answer NotImplemented where the other operand is not theirs.
fn or_not_implemented(made: Made) -> Made {
    match made {
        Err(h) if h.kind() == Kind::Type => Ok(Value::NotImplemented),
        other => other,
    }
}

fn compared(m: &mut Machine, args: &Args, op: CompareOp) -> Made {
    let (x, y) = operands(args)?;
    if let (Value::Instance(_), CompareOp::Eq) = (&x, op) {
        return Ok(match x.same(&y) {
            true => Value::Bool(true),
            false => Value::NotImplemented,
        });
    }
    or_not_implemented(m.compare(op, &x, &y))
}

/// Whether an int leaves a float to the float's own method.
fn leaves(x: &Value, y: &Value) -> bool {
    x.whole().is_some() && matches!(y.plain(), Value::Float(_))
}

fn computed(m: &mut Machine, args: &Args, op: BinaryOp) -> Made {
    let (x, y) = operands(args)?;
    // An instance of a class that derives from int is unknown to the float's method.
    if leaves(&x, &y) && !matches!(args.positional[0], Value::Instance(_)) {
        return Ok(Value::NotImplemented);
    }
    or_not_implemented(m.binary(op, &x, &y))
}

fn in_place(m: &mut Machine, args: &Args, op: BinaryOp) -> Made {
    let (x, y) = two(args)?;
    m.augmented(op, x, y, None)
}

fn reflected(m: &mut Machine, args: &Args, op: BinaryOp) -> Made {
    let (x, y) = operands(args)?;
    if leaves(&x, &y) {
        return Ok(Value::NotImplemented);
    }
    or_not_implemented(m.binary(op, &y, &x))
}

fn both_parts(m: &mut Machine, mut args: Args, reflected: bool) -> Made {
    let (x, y) = operands(&args)?;
    if leaves(&x, &y) {
        return Ok(Value::NotImplemented);
    }
    args.positional = if reflected { vec![y, x] } else { vec![x, y] };
    or_not_implemented(numbers::divmod(m, args))
}

/// `object.__setattr__(x, name, value)`: past a `__setattr__` of the class.
fn set_attribute(m: &mut Machine, args: Args) -> Made {
    args.count_beyond(1, 2, 2)?;
    let Value::Str(name) = &args.positional[1] else {
        raise!(Kind::Type, "attribute name must be string");
    };
    let name = vjp_text::Symbol::new(name);
    match &args.positional[0] {
        this @ Value::Instance(i) => {
            m.set_plain_attribute(this, i, name, args.positional[2].clone())?;
        }
        other => m.set_attr(other, name, args.positional[2].clone())?,
    }
    Ok(Value::None)
}

/// `object.__delattr__(x, name)`: past a `__delattr__` of the class.
fn delete_attribute(m: &mut Machine, args: Args) -> Made {
    let (owner, name) = two(&args)?;
    let name = vjp_text::Symbol::new(name.as_str().unwrap_or_default());
    m.del_own_attr(owner, name)?;
    Ok(Value::None)
}

/// Drives a generator; its end is a StopIteration.
fn within(
    m: &mut Machine,
    generator: &Value,
    body: impl FnOnce(&mut dyn vjp_eval::values::value::Iteration, &mut Machine) -> Tried<Option<Value>>,
) -> Made {
    let Value::Iterator(i) = generator else {
        raise!(Kind::Type, "no generator");
    };
    let Ok(mut i) = i.try_borrow_mut() else {
        raise!(Kind::Value, "generator already executing");
    };
    match body(&mut **i, m)? {
        Some(v) => Ok(v),
        None => Err(sequences::stop(i.result())),
    }
}

fn throw(m: &mut Machine, args: Args) -> Made {
    let (generator, error) = two(&args)?;
    let halt = Halt::of(m.exception_of(error.clone(), args.site.span)?);
    within(m, generator, |i, m| i.throw(m, halt))
}

fn close(m: &mut Machine, args: Args) -> Made {
    let generator = one(&args)?;
    let halt = exception::halt(Kind::GeneratorExit, Vec::new());
    match within(m, generator, |i, m| i.throw(m, halt)) {
        Ok(_) => raise!("generator ignored GeneratorExit"),
        Err(h) if matches!(h.kind(), Kind::GeneratorExit | Kind::StopIteration) => Ok(Value::None),
        Err(h) => Err(h),
    }
}
