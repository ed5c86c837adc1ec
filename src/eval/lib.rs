//! Runs programs, and says what happened as [`record::event::Event`]s, never as text.
//! Depends on `text`, `syntax`, `ops`, `maths`, `tensor`.
//!
//! Begin with [`language::machine`], which runs a program's statements. [`values`] are what names can stand
//! for, [`library`] is what programs find ready-made, [`leaf`] says when a list is a leaf, [`backward`] is
//! the one call that this program is about, and [`tutor`] answers what a person asks afterwards.

pub mod display;
pub mod language;
pub mod leaf;
pub mod library;
pub mod record;
pub mod values;
