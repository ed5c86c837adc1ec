//! `--step`: a session before a class, screen by screen.

pub mod fit;
pub(crate) mod panels;
pub mod presenter;
pub(crate) mod scene;
pub(crate) mod staged;
pub mod step;
