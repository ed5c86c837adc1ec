//! NumPy's types of elements: `a.dtype`, `np.dtype(…)`, `np.issubdtype`, and the families that
//! scalars belong to (`np.floating`).

use std::rc::Rc;
use vjp_eval::library::builtins;
use vjp_eval::{Args, Machine, Object, Tried, Type, Value, raise};
use vjp_tensor::{Dtype, Kind};
use vjp_text::Symbol;

builtins! {
    pub static BUILTINS in "numpy";
    "issubdtype" "(arg1, arg2)" issubdtype, "Returns whether a type is a subtype: np.issubdtype(a.dtype, np.floating).";
    "result_type" "(*arrays_and_dtypes)" result_type, "Returns the type of a combination of arrays.";
    "promote_types" "(type1, type2)" result_type, "Returns the smallest type that can hold both.";
    "can_cast" "(from_, to)" can_cast, "Returns whether one type can be cast to another safely.";
}

/// `a.dtype`: prints `float64`.
pub struct ArrayType(pub Dtype);

impl ArrayType {
    pub fn value(dtype: Dtype) -> Value {
        Value::Object(Rc::new(ArrayType(dtype)))
    }
}

/// Bytes of an element.
pub fn width(dtype: Dtype) -> i64 {
    let digits: String = dtype.name().chars().filter(char::is_ascii_digit).collect();
    digits.parse::<i64>().map_or(1, |bits| bits / 8)
}

/// NumPy's letter of a family: b, u, i or f.
fn kind(dtype: Dtype) -> char {
    match dtype {
        Dtype::Bool => 'b',
        Dtype::Uint8 => 'u',
        d if d.is_float() => 'f',
        _ => 'i',
    }
}

impl Object for ArrayType {
    fn type_name(&self) -> String {
        let name = self.0.name();
        let (first, rest) = name.split_at(1);
        format!("numpy.dtypes.{}{rest}DType", first.to_uppercase())
    }

    fn get(&self, _: &Value, name: Symbol, _: &mut Machine) -> Tried<Option<Value>> {
        Ok(Some(match name.as_str() {
            "name" => Value::str(self.0.name()),
            "kind" => Value::from(kind(self.0).to_string()),
            "itemsize" => Value::Int(width(self.0)),
            "str" => Value::from(format!(
                "{}{}{}",
                if width(self.0) == 1 { '|' } else { '<' },
                kind(self.0),
                width(self.0)
            )),
            "type" => crate::modules::scalar_type(self.0),
            _ => return Ok(None),
        }))
    }

    fn equals(&self, other: &Value) -> Option<bool> {
        Some(read(other) == Some(self.0))
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok(format!("dtype('{}')", self.0.name()))
    }

    fn str(&self, _: &mut Machine) -> Tried<String> {
        Ok(self.0.name().to_owned())
    }
}

/// A type in any of NumPy's spellings: a dtype, a scalar class, Python's class, a name.
pub fn read(value: &Value) -> Option<Dtype> {
    match value {
        Value::Object(o) => o.as_any().downcast_ref::<ArrayType>().map(|t| t.0),
        Value::Dtype(_) => None,
        other => vjp_binder::readers::as_dtype(other),
    }
}

/// [`read`], with NumPy's refusal.
pub fn wanted(value: &Value) -> Tried<Dtype> {
    match (read(value), value) {
        (Some(dtype), _) => Ok(dtype),
        (None, Value::None) => Ok(Dtype::Float64),
        (None, Value::Str(s)) if s.starts_with("complex") => raise!(
            Kind::NotImplemented,
            "complex numbers are not supported: arrays hold floats, integers and bools"
        ),
        (None, Value::Str(s)) => raise!(Kind::Type, "data type '{s}' not understood"),
        (None, Value::Type(t)) if t.name == "complex" => raise!(
            Kind::NotImplemented,
            "complex numbers are not supported: arrays hold floats, integers and bools"
        ),
        (None, Value::Dtype(d)) => {
            raise!(Kind::Type, "Cannot interpret 'torch.{}' as a data type", d.name())
        }
        (None, Value::Int(number)) => {
            raise!(Kind::Type, "Cannot interpret '{number}' as a data type")
        }
        (None, other) => {
            raise!(Kind::Type, "Cannot interpret '{}' as a data type", vjp_eval::name_of(other))
        }
    }
}

/// Abstract classes, each with the letters of the types below it.
macro_rules! families {
    ($($id:ident $name:literal $kinds:literal;)*) => {
        $(static $id: Type = Type {
            name: $name,
            module: "numpy",
            help: "A group of element types.",
            includes: |v| matches!(v, Value::NpScalar(_, d) if $kinds.contains(kind(*d))),
            construct: |_, t, _| raise!(Kind::Type, "cannot create 'numpy.{}' instances", t.name),
            attribute: |_| None,
            exception: None,
            base: None,
        };)*
        /// The families, and the letters of their members.
        pub static FAMILIES: &[(&Type, &str)] = &[$((&$id, $kinds)),*];
    };
}

families! {
    GENERIC "generic" "buif";
    NUMBER "number" "uif";
    INTEGER "integer" "ui";
    SIGNED "signedinteger" "i";
    UNSIGNED "unsignedinteger" "u";
    INEXACT "inexact" "f";
    FLOATING "floating" "f";
}

pub static DTYPE: Type = Type {
    name: "dtype",
    module: "numpy",
    help: "An element type: np.dtype('float32').",
    includes: |v| matches!(v, Value::Object(o) if o.as_any().is::<ArrayType>()),
    construct: |_, _, args| {
        args.count(1, 1)?;
        Ok(ArrayType::value(wanted(&args.positional[0])?))
    },
    attribute: |_| None,
    exception: None,
    base: None,
};

fn issubdtype(_: &mut Machine, args: Args) -> Tried<Value> {
    args.count(2, 2)?;
    let (a, b) = (&args.positional[0], &args.positional[1]);
    let family = |v: &Value| match v {
        Value::Type(t) => FAMILIES.iter().find(|(f, _)| std::ptr::eq(*f, *t)),
        _ => None,
    };
    Ok(Value::Bool(match (family(a), family(b)) {
        (Some((_, own)), Some((_, wide))) => own.chars().all(|c| wide.contains(c)),
        (Some(_), None) => false,
        (None, Some((_, kinds))) => kinds.contains(kind(wanted(a)?)),
        (None, None) => wanted(a)? == wanted(b)?,
    }))
}

fn result_type(_: &mut Machine, args: Args) -> Tried<Value> {
    let mut joined: Option<Dtype> = None;
    for v in &args.positional {
        let own = match v {
            Value::Array(a) => a.dtype(),
            Value::NpScalar(_, d) => *d,
            other => wanted(other)?,
        };
        joined = Some(joined.map_or(own, |d| d.join_numpy(own)));
    }
    Ok(ArrayType::value(joined.unwrap_or(Dtype::Float64)))
}

fn can_cast(_: &mut Machine, args: Args) -> Tried<Value> {
    args.count(2, 2)?;
    let (from, to) = (wanted(&args.positional[0])?, wanted(&args.positional[1])?);
    Ok(Value::Bool(from.join_numpy(to) == to))
}
