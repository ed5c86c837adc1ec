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
