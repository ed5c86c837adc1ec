//! Blocks to lines: which drawing serves which block.

use super::document::Block;
use super::line::Line;
use super::roles::Role;
use super::style::Style;
use super::{calls, echo, fault, followed, matrices, panel, plot, routes, what_if, worked};
use vjp_eval::asked::Answer;

/// The lines of a block.
pub fn block(block: &Block, style: &Style) -> Vec<Line> {
    match block {
        Block::Value(value) => echo::lines(value, style),
        Block::Backward(backward) => panel::lines(backward, style),
        Block::Calls(several) => calls::lines(several, style),
        Block::Matrix(matrix) => matrices::lines(matrix, style),
        Block::Routes(event) => routes::lines(event, style),
        Block::Plot(event) => plot::lines(event, style),
        Block::Answer(answer) => match answer.as_ref() {
            Answer::WhatIf(event) => what_if::lines(event, style),
            Answer::Worked(event) => worked::lines(event, style),
            Answer::Followed(event) => followed::lines(event, style),
            Answer::Why(notes) => fault::why(notes, style),
        },
        Block::Print(_, text) => text.lines().map(|l| Line::of(Role::User, l)).collect(),
        Block::Note(note) => fault::note(note, style),
        Block::Error(error) => fault::lines(error, style),
        Block::Narration(text) => {
            text.lines().map(|l| Line::of(Role::User, format!("# {l}"))).collect()
        }
    }
}
