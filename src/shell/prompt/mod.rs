//! The line editor: what a person sees and may press while typing.

pub(crate) mod assistant;
pub mod completion;
pub(crate) mod describe;
pub(crate) mod editing;
pub mod highlight;
pub mod hint;
pub mod history;
pub(crate) mod indent;
pub(crate) mod margin;
pub(crate) mod paths;
pub mod repl;
