//! What is to be shown, as blocks: numbers, names and formulas; nothing rounded, padded or coloured.

use crate::Stream;
use std::rc::Rc;
use vjp_eval::record::event::{MatrixEvent, Plot, Routes, ValueEvent};
use vjp_eval::record::questions::Answer;
use vjp_eval::{Backward, Fault, Note};

/// One thing to show.
#[derive(Clone, Debug)]
pub enum Block {
    Value(ValueEvent),
    /// A full panel.
    Backward(Rc<Backward>),
    /// Further calls of one source line, or all of them where J did not change.
    Calls(Calls),
    Matrix(Box<MatrixEvent>),
    Routes(Box<Routes>),
    Plot(Box<Plot>),
    Answer(Box<Answer>),
    /// As the program wrote it, its newline included, and where to.
    Print(Stream, String),
    Note(Note),
    Error(Box<Fault>),
    /// Prose of a session file.
    Narration(String),
}

/// Several backward calls of one source line.
#[derive(Clone, Debug)]
pub struct Calls {
    /// Those shown as lines with their numbers, from 1: at most three, and the last.
    pub shown: Vec<(usize, Rc<Backward>)>,
    /// How many calls there were.
    pub total: usize,
    /// J was the same in each: it stands once above the lines, and every call is a line.
    pub constant: bool,
}
