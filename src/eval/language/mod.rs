//! The language by itself: statements, expressions, calls, names.

pub(crate) mod assign;
pub mod attribute;
pub mod call;
pub mod call_back;
pub mod class;
pub(crate) mod comprehension;
pub mod env;
pub mod exception;
pub(crate) mod expr;
pub(crate) mod fast_arithmetic;
pub(crate) mod flow;
pub(crate) mod function;
pub(crate) mod generator;
pub mod hints;
pub(crate) mod import;
pub(crate) mod item;
pub mod machine;
pub mod misspelled;
pub mod names;
pub(crate) mod operators;
pub mod parameters;
pub(crate) mod run;
pub(crate) mod statement;
pub(crate) mod trailers;
