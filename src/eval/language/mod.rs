//! The language by itself: statements, expressions, calls, names.

pub(crate) mod assign;
pub mod attribute;
pub mod call;
pub mod class;
pub(crate) mod comprehension;
pub mod env;
pub mod exception;
pub(crate) mod expr;
pub(crate) mod fast_arithmetic;
pub(crate) mod flow;
pub(crate) mod function;
pub(crate) mod generator;
pub mod import;
pub(crate) mod item;
pub mod machine;
pub mod names;
pub mod operators;
pub(crate) mod statement;
pub(crate) mod trailers;
