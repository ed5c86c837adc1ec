//! What is noted beside the graph, for whoever asks later: places, kinks, values that were read.

pub mod cycles;
pub mod kinks;
pub mod leaf_births;
pub mod sweeps;
pub mod value_reads;
