//! Constructors of Python's classes.
use super::Type;
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::Halt;
use crate::eval::value::Value;

/// A class that programs cannot call.
///
/// # Errors
/// Always.
pub fn refused(_: &mut Machine, class: &'static Type, _: Args) -> Result<Value, Halt> {
    crate::raise!(
        crate::maths::complaint::Kind::Type,
        "cannot create '{}' instances",
        class.name
    )
}
pub use refused as object;
pub use refused as int;
pub use refused as bool;
pub use refused as float;
pub use refused as no_complex;
pub use refused as str;
pub use refused as list;
pub use refused as tuple;
pub use refused as dict;
pub use refused as set;
pub use refused as frozenset;
pub use refused as range;
pub use refused as slice;
pub use refused as type_of;
pub use refused as super_of;
pub use refused as property;
pub use refused as staticmethod;
pub use refused as classmethod;
pub use refused as enumerate;
pub use refused as zip;
pub use refused as map;
pub use refused as filter;
pub use refused as reversed;
