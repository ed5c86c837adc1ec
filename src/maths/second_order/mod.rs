//! Sweeps that are recorded themselves, so that gradients can be differentiated again.

pub mod cotangent;
pub mod create_graph;
pub mod names;
