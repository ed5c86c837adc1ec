//! What is noted beside the graph, for whoever asks later: places, values that were read, whether the order of a sweep is seen.

pub mod cycles;
pub mod leaf_births;
pub mod order;
pub mod sweeps;
pub mod undefined;
pub mod value_reads;
