//! Runs programs, and says what happened as [`record::event::Event`]s, never as text. What Python and PyTorch
//! provide ready-made stands above, and is known by the one table [`library::table`].
//! Depends on `text`, `syntax`, `ops`, `maths`, `tensor`.
//!
//! Begin with [`language::machine`], which runs a program's statements. [`values`] are what names can stand
//! for, [`leaf`] says when a list is a leaf, [`record`] is what an evaluation leaves.

pub mod display;
pub mod language;
pub mod leaf;
pub mod library;
pub mod record;
pub mod values;

// Its main types, named without their place.
pub use crate::language::call::{Args, Site};
pub use crate::language::exception::raise::{At, Halt, Tried};
pub use crate::language::machine::{Machine, Manner, Options};
pub use crate::library::{Builtin, Module, Type};
pub use crate::record::event::{Backward, Event, Fault, Help, LeafReport, Note};
pub use crate::record::held::Latest;
pub use crate::values::class_names::{name_of, tp_name};
pub use crate::values::value::{Class, Dict, Instance, Object, Value};
