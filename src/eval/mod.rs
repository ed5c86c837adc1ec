//! Runs programs: values, names, statements, the library, and what a backward has to tell.
//! Depends on `text`, `syntax`, `maths`. Tells what happened as [`event::Event`]s, never as text.

pub mod call;
pub mod dict;
pub mod display;
mod echo;
pub mod env;
pub mod event;
mod fault;
pub mod leaf;
pub mod library;
pub mod machine;
pub mod names;
mod provisional;
pub mod raise;
mod sink;
mod snapshot;
mod trash;
pub mod value;
mod agree;
pub mod backward;
mod causes;
mod explain;
pub mod naming;
pub mod reach;
mod weights;
mod written;
