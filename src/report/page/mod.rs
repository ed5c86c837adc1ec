//! Pictures for a page, in place of drawings made of signs: graphs and plots as SVG, formulas as MathML.

mod equations;
pub mod mathml;
mod plot;
mod steps;

use crate::document::Block;
use crate::graph::svg;
use crate::terminal::html::PICTURE;
use crate::terminal::style::Style;
use vjp_eval::record::drawn_graph::{Drawn, Level};
use vjp_eval::record::questions::{Answer, Written};

/// A drawing of more boxes is better read as text.
const BOXES: usize = 120;

/// A picture, as elements that may stand in a line of text.
pub struct Figure {
    pub html: String,
    /// The text follows, too.
    pub above: bool,
}

impl Figure {
    pub fn new(html: String, above: bool) -> Figure {
        Figure { html: format!("{PICTURE}{html}</span>"), above }
    }
}

/// The picture of a block; None where its text says it best.
pub fn figure(block: &Block, style: &Style) -> Option<Figure> {
    let (html, above) = match block {
        Block::Plot(event) => (plot::element(event)?, false),
        Block::Answer(answer) => match answer.as_ref() {
            Answer::Graph(drawn) => (svg::element(drawn, level(drawn)?), false),
            Answer::Step(event) => (steps::element(event, style)?, false),
            Answer::Equations(event) => match event.written {
                Written::Board => (equations::element(event, style)?, false),
                Written::Latex => (equations::element(event, style)?, true),
                Written::Numbers | Written::Code => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    Some(Figure::new(html, above))
}

/// The finest folding that can be drawn.
fn level(drawn: &Drawn) -> Option<&Level> {
    drawn.levels.iter().find(|level| level.nodes.len() <= BOXES)
}
