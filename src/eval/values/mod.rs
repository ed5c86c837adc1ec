//! What names can stand for, and how values are compared, ordered and written.

pub mod class_names;
pub mod collector;
pub mod compare;
pub mod containers;
pub mod deep_drop;
pub mod dict;
pub mod format;
pub mod integer;
pub mod iterate;
mod key;
pub mod long_text;
pub mod number;
pub(crate) mod percent;
pub(crate) mod sequence_repeat;
pub mod set_order;
pub mod shared;
pub(crate) mod sort;
pub mod tensor_operators;
pub mod value;
