//! Jacobians as values: with their structure, or written out.

pub(crate) mod dense;
pub mod named;
pub mod structured;
pub(crate) mod structured_methods;
