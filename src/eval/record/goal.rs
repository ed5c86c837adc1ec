//! A run of the program's text that ends at one of its questions for a derivative.

use super::held::Goal;
use crate::language::machine::{Hints, Telling};
use crate::library::table::given;
use crate::record::held::Deed;
use crate::{Halt, Machine, Tried, Value};
use std::rc::Rc;
use vjp_maths::observe::leaf_births;
use vjp_syntax::Mode;
use vjp_syntax::ast::Stmt;
use vjp_tensor::Kind;
use vjp_text::Source;

/// A statement: its input, the statements of that, and which of them it is.
pub type Placed = (Source, Rc<Vec<Stmt>>, usize);

impl Machine {
    /// Counts the questions for a derivative; where a run was to end here, its end.
    pub fn asks(&mut self, y: &Value) -> Tried<()> {
        self.past.asked += 1;
        let at = self.past.asked;
        let Some(goal) = self.goal.as_mut().filter(|goal| goal.at == at) else {
            return Ok(());
        };
        goal.found = crate::leaf::stacked(y).ok();
        Err(Halt::new(Kind::Interrupted, ""))
    }

    /// A statement of a run.
    pub(crate) fn counts(&mut self) {
        self.carried_out += 1;
        if self.goal.is_some() {
            for leaf in leaf_births::passed() {
                self.follows(&leaf);
            }
        }
    }

    /// A new machine that runs the same text up to a goal, and says nothing.
    pub fn again(&self, goal: Goal) -> Machine {
        let mut fresh = Machine::new(self.options, given(), &Hints::NONE);
        fresh.telling = Telling::Nothing;
        fresh.base = self.base;
        fresh.goal = Some(goal);
        fresh
    }

    /// Carries out a statement of a text.
    pub fn carry_out(&mut self, source: &Source, statement: &Stmt) -> Tried<()> {
        self.source = source.clone();
        if self.sources.last().is_none_or(|s| s.id() != source.id()) {
            self.sources.push(source.clone());
        }
        self.exec(statement).map(drop)
    }

    /// The statements carried out so far, and the one that is being carried out.
    pub fn deeds(&self) -> Option<Vec<Placed>> {
        let mode = Mode { strict: false };
        let mut all: Vec<&Deed> = self.done.iter().collect();
        all.reverse();
        all.extend(self.present.as_ref());
        let mut deeds: Vec<(Source, Rc<Vec<Stmt>>, usize)> = Vec::with_capacity(all.len());
        for deed in all {
            let body = match deeds.last().filter(|(s, ..)| s.id() == deed.source.id()) {
                Some((_, body, _)) => Rc::clone(body),
                None => Rc::new(vjp_syntax::parse(&deed.source, mode).ok()?.body),
            };
            let position = body.iter().position(|s| s.span == deed.span)?;
            deeds.push((deed.source.clone(), body, position));
        }
        Some(deeds)
    }
}
