//! The path of a gradient: where it breaks, and ways around.

pub(crate) mod broken_path;
pub mod first_backward;
pub(crate) mod fixes;
pub(crate) mod path_cutters;
