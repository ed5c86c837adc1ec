//! Answers to what a person asks of the session between two inputs: numbers, names and formulas, nothing
//! rounded or padded.

use super::event::Shown;

/// What a command was asked.
#[derive(Clone, Debug)]
pub enum Answer {
    WhatIf(WhatIf),
}

/// `:what-if x = [1, 3]`: what would be otherwise.
#[derive(Clone, Debug)]
pub struct WhatIf {
    /// `x = [1, 3]`
    pub code: String,
    /// Names in the order they were bound, each followed by its gradient.
    pub changes: Vec<Change>,
    /// Names that stay as they are.
    pub same: usize,
}

/// What a name, or its `.grad`, stands for now and would stand for then; None where it does not exist.
#[derive(Clone, Debug)]
pub struct Change {
    pub name: String,
    pub now: Option<Shown>,
    pub then: Option<Shown>,
}
