//! Runs of elementwise steps over long arrays, a tile at a time: values are computed when somebody
//! asks for them ([`late`]), vᵀJ of a whole run in one loop ([`pull`]), both by the rows of the table
//! ([`program`]). In between nothing is stored.

pub(crate) mod late;
pub mod program;
pub(crate) mod pull;
