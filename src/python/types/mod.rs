//! Python's own classes, and the class of every value.

pub mod unions;

use crate::{collections, convert};
use vjp_eval::language::class::tensor_class;
use vjp_eval::library::table::given;
use vjp_eval::values::value::TupleKind;
use vjp_eval::{Builtin, Type, Value, name_of};
use vjp_tensor::Dtype;

macro_rules! types {
    ($($id:ident $name:literal $base:expr, $construct:path, $includes:expr, $help:literal;)*) => {
        $(pub static $id: Type = Type {
            name: $name,
            module: "builtins",
            help: $help,
            includes: $includes,
            construct: $construct,
            attribute: |name| crate::method_of($name, name).or_else(|| crate::dunder::of_class($name, name)),
            exception: None,
            base: $base,
        };)*
        /// Python's classes.
        pub static ALL: &[&Type] = &[$(&$id),*];
    };
}

types! {
    OBJECT "object" None, convert::object, |_| true, "The class of everything.";
    INT "int" None, convert::int, |v| v.plain().is_int() || matches!(v.plain(), Value::Bool(_)), "An integer; converts numbers and strings.";
    BOOL "bool" Some(&INT), convert::bool, |v| matches!(v.plain(), Value::Bool(_)), "True or False.";
    FLOAT "float" None, convert::float, |v| matches!(v.plain(), Value::Float(_) | Value::NpScalar(_, Dtype::Float64)), "A floating-point number; converts numbers and strings.";
    COMPLEX "complex" None, convert::no_complex, |_| false, "Complex numbers are not supported.";
    STR "str" None, convert::str, |v| matches!(v, Value::Str(_)), "A string; converts a value to the text that print shows.";
    LIST "list" None, collections::list, |v| matches!(v, Value::List(_)), "A list; makes one from an iterable.";
    TUPLE "tuple" None, collections::tuple, |v| matches!(v, Value::Tuple(_)), "A tuple; makes one from an iterable.";
    DICT "dict" None, collections::dict, |v| matches!(v, Value::Dict(_)), "A dict of keys and values.";
    SET "set" None, collections::set, |v| matches!(v, Value::Set(s) if !s.frozen), "A set; makes one from an iterable.";
    FROZENSET "frozenset" None, collections::frozenset, |v| matches!(v, Value::Set(s) if s.frozen), "An immutable set.";
    RANGE "range" None, collections::range, |v| matches!(v, Value::Range(_)), "The integers from start up to, but not including, stop, by step.";
    SLICE "slice" None, collections::slice, |v| matches!(v, Value::Slice(_)), "The slice a:b:c in x[a:b:c].";
    TYPE "type" None, convert::type_of, |v| matches!(v, Value::Type(_) | Value::Class(_)), "The class of a value.";
    SUPER "super" None, convert::super_of, |_| false, "Accesses the methods of base classes.";
    PROPERTY "property" None, convert::property, |v| name_of(v) == "property", "Makes a method that reads like an attribute.";
    STATICMETHOD "staticmethod" None, convert::staticmethod, |v| name_of(v) == "staticmethod", "Makes a method that takes no self.";
    CLASSMETHOD "classmethod" None, convert::classmethod, |v| name_of(v) == "classmethod", "Makes a method that receives the class.";
    ENUMERATE "enumerate" None, collections::enumerate, |v| iterates(v, "enumerate"), "Yields (index, element) pairs.";
    ZIP "zip" None, collections::zip, |v| iterates(v, "zip"), "Yields tuples with one element from each iterable.";
    MAP "map" None, collections::map, |v| iterates(v, "map"), "Applies a function to every element.";
    FILTER "filter" None, collections::filter, |v| iterates(v, "filter"), "Yields the elements for which a function is true.";
    REVERSED "reversed" None, collections::reversed, |v| iterates(v, "reversed"), "Yields the elements in reverse order.";
}

/// Classes without a name in the program.
macro_rules! hidden {
    ($($id:ident $name:literal;)*) => {
        $(static $id: Type = Type {
            name: $name,
            module: "builtins",
            help: "",
            includes: |v| name_of(v) == $name,
            construct: convert::refused,
            attribute: |_| None,
            exception: None,
            base: None,
        };)*
        static HIDDEN: &[&Type] = &[$(&$id),*];
    };
}

hidden! {
    NONE_TYPE "NoneType";
    ELLIPSIS "ellipsis";
    NOT_IMPLEMENTED "NotImplementedType";
    FUNCTION "function";
    BUILTIN "builtin_function_or_method";
    METHOD "method";
    MODULE "module";
    GENERATOR "generator";
    LIST_ITERATOR "list_iterator";
    TUPLE_ITERATOR "tuple_iterator";
    RANGE_ITERATOR "range_iterator";
    STR_ITERATOR "str_ascii_iterator";
    DICT_ITERATOR "dict_keyiterator";
    SET_ITERATOR "set_iterator";
}

fn iterates(value: &Value, name: &str) -> bool {
    matches!(value, Value::Iterator(_)) && name_of(value) == name
}

/// `type(value)`.
pub fn class_of(value: &Value) -> Value {
    match value {
        Value::Instance(i) => Value::Class(i.class()),
        Value::Tensor(_) if let Some(class) = tensor_class::class_of(value) => Value::Class(class),
        Value::Class(c) => c.meta.clone().map_or(Value::Type(&TYPE), Value::Class),
        Value::Exception(e) => vjp_eval::language::exception::classes::of(e),
        Value::Tuple(t) if t.kind == TupleKind::Plain => Value::Type(&TUPLE),
        other => {
            let name = name_of(other);
            let library = (given().type_of)(other);
            library.map(Value::Type).unwrap_or_else(|| {
                ALL.iter()
                    .chain(HIDDEN)
                    .find(|t| t.name == name)
                    .map_or(Value::Type(&OBJECT), |t| Value::Type(t))
            })
        }
    }
}

macro_rules! lone {
    ($($id:ident $name:literal $signature:literal $run:expr, $help:literal;)*) => {
        $(pub static $id: Builtin = Builtin {
            name: $name,
            module: "object",
            signature: $signature,
            help: $help, jax: "",
            run: $run,
        };)*
    };
}

lone! {
    SIZE_NUMEL "numel" "()" |_, a| Ok(match a.positional.first() {
        Some(Value::Tuple(t)) => Value::Int(t.items.iter().filter_map(Value::as_int).product()),
        _ => Value::None,
    }), "Returns the number of elements of that shape.";
    OBJECT_NEW "__new__" "(cls, *args)" |m, mut a| {
        if a.positional.is_empty() {
            vjp_eval::raise!(vjp_tensor::Kind::Type, "object.__new__(): not enough arguments");
        }
        match a.positional.remove(0) {
            Value::Class(c) if vjp_eval::language::class::meta::is_meta(&c) => {
                a.positional.insert(0, Value::Class(c));
                m.class_of_meta(a)
            }
            Value::Class(c) => m.blank(&c, a),
            other => vjp_eval::raise!(
                vjp_tensor::Kind::Type,
                "object.__new__(X): X is not a type object ({})",
                name_of(&other)
            ),
        }
    }, "Makes an instance without calling __init__.";
    OBJECT_INIT "__init__" "(self)" |_, _| Ok(Value::None), "Does nothing.";
    EXCEPTION_INIT "__init__" "(self, *args)" |_, mut a| {
        if a.positional.is_empty() {
            return Ok(Value::None);
        }
        let this = a.positional.remove(0);
        if let Value::Exception(e) = this {
            e.args.replace(a.positional);
        }
        Ok(Value::None)
    }, "Stores the arguments.";
    PROPERTY_GETTER "getter" "(function)" convert::property_part, "Returns the property with another getter.";
    PROPERTY_SETTER "setter" "(function)" convert::property_part, "Returns the property with a setter.";
    PROPERTY_DELETER "deleter" "(function)" convert::property_part, "Returns the property with a deleter.";
}

/// `getter`, `setter` or `deleter` of a property.
pub fn property_part(name: &str) -> Option<&'static Builtin> {
    [&PROPERTY_GETTER, &PROPERTY_SETTER, &PROPERTY_DELETER].into_iter().find(|b| b.name == name)
}
