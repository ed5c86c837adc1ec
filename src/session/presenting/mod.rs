//! `--step`: a session before a class, screen by screen.

pub(crate) mod fit;
pub mod presenter;
pub(crate) mod scene;
pub mod step;
