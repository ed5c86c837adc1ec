//! Blocks to lines: which drawing serves which block.

use super::document::Block;
use super::{echo, fault, graph, panel, plot};
use crate::answers::{check, equations, explain, explain_entry, heat, network, step, what_if, why};
use crate::matrix::alone;
use crate::panel::calls;
use crate::{Line, Role, Style};
use vjp_eval::record::questions::Answer;

/// The lines of a block.
pub fn block(block: &Block, style: &Style) -> Vec<Line> {
    match block {
        Block::Value(value) => echo::lines(value, style),
        Block::Backward(backward) => panel::lines(backward, style),
        Block::Calls(several) => calls::lines(several, style),
        Block::Matrix(matrix) => alone::lines(matrix, style),
        Block::Routes(event) => check::lines(event, style),
        Block::Plot(event) => plot::lines(event, style),
        Block::Answer(answer) => match answer.as_ref() {
            Answer::WhatIf(event) => what_if::lines(event, style),
            Answer::Worked(event) => explain::lines(event, style),
            Answer::Followed(event) => explain_entry::lines(event, style),
            Answer::Why(reasons) => why::lines(reasons, style),
            Answer::Network(event) => network::lines(event, style),
            Answer::Cost(event) => network::cost(event),
            Answer::Step(event) => step::lines(event, style),
            Answer::Heat(event) => heat::lines(event, style),
            Answer::Graph(drawn) => graph::lines(drawn, style),
            Answer::Equations(event) => equations::lines(event, style),
        },
        Block::Print(_, text) => text.lines().map(|l| Line::of(Role::User, l)).collect(),
        Block::Note(note) => fault::note(note, style),
        Block::Error(error) => fault::lines(error, style),
        Block::Narration(text) => {
            text.lines().map(|l| Line::of(Role::User, format!("# {l}"))).collect()
        }
    }
}
