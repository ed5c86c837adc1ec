//! The rules of all drawings, each with a test.
#![allow(clippy::unwrap_used, clippy::panic)]

mod calls;
mod echoes;
mod everywhere;
mod faults;
mod made;
mod panels;
#[path = "../support/events.rs"]
mod support;
