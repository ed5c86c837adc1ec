//! Runs programs: values, names, statements, the library, and what a backward has to tell.
//! Depends on `text`, `syntax`, `maths`. Tells what happened as [`event::Event`]s, never as text.

pub mod display;
pub mod event;
