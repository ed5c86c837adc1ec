//! `:graph`: a graph as a drawing. [`layout`] places the boxes, [`across`] draws ranks side by side in the
//! terminal, [`down`] one box a line where that needs less room; [`svg`], [`dot`] and [`mermaid`] are
//! files. All of them draw the same [`Drawn`].

pub mod across;
pub mod canvas;
pub mod dot;
pub mod down;
pub mod labels;
pub mod layout;
pub mod mermaid;
pub mod svg;

use crate::terminal::line::fold;
use crate::{Line, Role, Style};
use vjp_eval::record::drawn_graph::{Drawn, Level};

/// What a drawing speaks of: one step of the sweep.
#[derive(Clone, Debug, Default)]
pub struct Lit {
    /// The box that hands its gradient on; it stands in brackets.
    pub node: Option<usize>,
    /// Edges that are drawn heavy.
    pub edges: Vec<usize>,
    /// Boxes whose gradient has not arrived: `?` stands in its place.
    pub waiting: Vec<usize>,
    /// Boxes with operations that were not passed: `?` stands for the gradients of leaves inside.
    pub inside: Vec<usize>,
    /// Boxes that are not computed yet: `?` stands in place of the value.
    pub ahead: Vec<usize>,
}

/// The drawing in the terminal: the finest folding that fits the frame and the window. Where none does,
/// the legend gives way.
pub fn lines(drawn: &Drawn, style: &Style) -> Vec<Line> {
    let room = style.height.saturating_sub(3).max(8);
    let mut last = Vec::new();
    for (said, level) in
        [true, false].iter().flat_map(|s| drawn.levels.iter().map(move |l| (*s, l)))
    {
        let legend = |lines: &[Line]| match said {
            true => legend(drawn, level, dotted(lines), style),
            false => Vec::new(),
        };
        let fits = |lines: &Vec<Line>| lines.len() + legend(lines).len() < room;
        let whole = picture(level, style, &Lit::default()).filter(fits);
        let listed = down::lines(level, style, &Lit::default());
        let found = whole.or_else(|| Some(listed.clone()).filter(fits));
        let fitted = found.is_some();
        last = found.unwrap_or(listed);
        let legend = legend(&last);
        last.insert(0, Line::new());
        last.extend(legend);
        if fitted {
            return last;
        }
    }
    if last.len() > style.height
        && let Some(level) = drawn.levels.last()
    {
        last = down::one_line_each(level, style);
        last.insert(0, Line::new());
    }
    last
}

/// One degree of folding with some of it lit, without a legend: ranks side by side where that fits the
/// frame and `style.height`, else one box a line. For drawings beside other text, as `:step` has them.
pub fn lit(level: &Level, style: &Style, lit: &Lit) -> Vec<Line> {
    let whole = picture(level, style, lit).filter(|lines| lines.len() <= style.height);
    whole.unwrap_or_else(|| down::lines(level, style, lit))
}

/// Ranks side by side, airy or dense, where the frame is wide enough.
fn picture(level: &Level, style: &Style, lit: &Lit) -> Option<Vec<Line>> {
    let tall = |lines: &Vec<Line>| lines.len() + 6 <= style.height;
    let airy = across::lines(level, style, lit, 1.0).filter(tall);
    airy.or_else(|| across::lines(level, style, lit, 0.0))
}

/// An empty line and what the signs mean.
fn legend(drawn: &Drawn, level: &Level, dotted: bool, style: &Style) -> Vec<Line> {
    let said = labels::legend(drawn, level, dotted, style);
    let line = |text: String| fold(&Line::of(Role::Plain, format!("  {text}")), style.frame(), 2);
    std::iter::once(Line::new()).chain(said.into_iter().flat_map(line)).collect()
}

/// Whether a line of the drawing is dotted.
fn dotted(lines: &[Line]) -> bool {
    lines.iter().any(|line| line.spans().iter().any(|(_, text)| text.contains(['┄', '┆'])))
}
