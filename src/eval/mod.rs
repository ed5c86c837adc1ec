//! Runs programs: values, names, statements, the library, and what a backward has to tell.
//! Depends on `text`, `syntax`, `maths`. Tells what happened as [`event::Event`]s, never as text.

mod agree;
pub mod backward;
pub mod call;
mod causes;
pub mod dict;
pub mod display;
mod echo;
pub mod env;
pub mod event;
mod explain;
mod fault;
pub mod leaf;
pub mod library;
pub mod machine;
pub mod names;
pub mod naming;
mod provisional;
pub mod raise;
pub mod reach;
mod sink;
mod snapshot;
mod trash;
pub mod value;
mod weights;
mod written;
