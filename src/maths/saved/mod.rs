//! What nodes keep for backward: under which names, and through which functions of the program it goes.

pub mod attribute;
pub mod kept;
pub mod packing;
