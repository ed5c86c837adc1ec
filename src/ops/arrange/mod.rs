//! Elements in another order or another shape; several arrays into one and one into several.

pub mod blocks;
pub mod construct;
pub mod flip_and_repeat;
pub mod join;
pub mod layout;
pub mod rotate_and_unfold;
pub mod views;
