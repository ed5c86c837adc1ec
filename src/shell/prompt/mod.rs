//! The line editor: what a person sees and may press while typing.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod assistant;
pub mod completion;
pub(crate) mod describe;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod editing;
pub mod highlight;
pub mod hint;
#[cfg(not(target_arch = "wasm32"))]
pub mod history;
// A page asks only for the next line's column.
#[cfg_attr(target_arch = "wasm32", allow(dead_code))]
pub(crate) mod indent;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod margin;
#[cfg_attr(target_arch = "wasm32", path = "../in_a_page/paths.rs")]
pub(crate) mod paths;
#[cfg(not(target_arch = "wasm32"))]
pub mod repl;
