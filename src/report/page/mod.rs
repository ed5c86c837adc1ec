//! Pictures for a page, in place of drawings made of signs: graphs and plots as SVG, formulas as MathML.

mod equations;
pub mod mathml;
mod plot;
mod steps;

use crate::document::Block;
use crate::graph::svg;
use crate::terminal::html::{Format, PICTURE};
use crate::{Medium, Painted, Style};
use vjp_eval::record::drawn_graph::{Drawn, Level};
use vjp_eval::record::questions::{Answer, Written};

/// A drawing of more boxes is better read as text.
const BOXES: usize = 120;

/// A picture that says what a drawing made of signs says.
pub struct Figure {
    medium: Medium,
    /// Elements of a page; in a notebook a format and its text.
    markup: String,
    /// The text follows, too.
    above: bool,
}

impl Figure {
    /// Elements that may stand in a line of text.
    pub fn of_page(html: &str, above: bool) -> Figure {
        Figure { medium: Medium::Page, markup: format!("{PICTURE}{html}</span>"), above }
    }

    /// A text in a format that Jupyter knows.
    pub fn of_notebook(format: Format, text: &str, above: bool) -> Figure {
        let markup = format!("{}\n{text}", format.name());
        Figure { medium: Medium::Notebook, markup, above }
    }

    /// Whether the drawing made of signs is shown or kept.
    pub fn needs_text(&self) -> bool {
        self.above || self.medium == Medium::Notebook
    }

    /// The picture with the drawing made of signs.
    pub fn with(&self, text: &Painted) -> Painted {
        let mut painted = Painted::new();
        painted.markup(&self.markup);
        match (self.medium, self.above) {
            (Medium::Notebook, true) => painted.markup(""),
            (Medium::Notebook, false) => &mut painted,
            _ => painted.push("\n"),
        };
        painted.append(text);
        painted
    }
}

/// The picture of a block; None where its text says it best.
pub fn figure(block: &Block, style: &Style) -> Option<Figure> {
    match style.medium {
        Medium::Text => None,
        Medium::Page => in_a_page(block, style),
        Medium::Notebook => in_a_notebook(block, style),
    }
}

fn in_a_page(block: &Block, style: &Style) -> Option<Figure> {
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
    Some(Figure::of_page(&html, above))
}

fn in_a_notebook(block: &Block, style: &Style) -> Option<Figure> {
    let (format, text, above) = match block {
        Block::Plot(event) => (Format::Svg, plot::file(event)?, false),
        Block::Answer(answer) => match answer.as_ref() {
            Answer::Graph(drawn) => (Format::Svg, svg::file(drawn, level(drawn)?), false),
            Answer::Step(event) => {
                let drawn = &event.drawn;
                (Format::Svg, svg::file(drawn, level(drawn)?), true)
            }
            Answer::Equations(event) => match event.written {
                Written::Board => (Format::Latex, equations::latex(event, style), false),
                Written::Latex => (Format::Latex, equations::latex(event, style), true),
                Written::Numbers | Written::Code => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    Some(Figure::of_notebook(format, &text, above))
}

/// The finest folding that can be drawn.
fn level(drawn: &Drawn) -> Option<&Level> {
    drawn.levels.iter().find(|level| level.nodes.len() <= BOXES)
}
