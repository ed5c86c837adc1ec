//! `:step` in a page: the graph once, and below it each turn; what a turn lights stands in attributes.

use crate::Style;
use crate::answers::step::{self, Shown};
use crate::graph::svg;
use crate::terminal::html::html;
use crate::terminal::text;
use vjp_eval::record::stepped::Stepped;

/// The pass; None where the graph is too large to be drawn.
pub fn element(event: &Stepped, style: &Style) -> Option<String> {
    let level = super::level(&event.drawn)?;
    let turn = |k: usize| {
        let lit = step::light(event, level, k, Shown::All);
        let list = |all: &[usize]| all.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
        let waiting = [lit.waiting, lit.inside].concat();
        let mut lines = vec![step::heading(event, k)];
        if k == 0 {
            lines.splice(0..0, step::opening(event, style).into_iter().chain([Default::default()]));
        }
        lines.extend(step::turn(event, k, style));
        format!(
            "<span class=\"turn\" data-node=\"{}\" data-edges=\"{}\" data-waiting=\"{}\" data-ahead=\"{}\">{}</span>",
            list(lit.node.as_slice()),
            list(&lit.edges),
            list(&waiting),
            list(&lit.ahead),
            html(&text(&lines, style)).trim_end()
        )
    };
    let turns: Vec<String> = (0..event.count()).map(turn).collect();
    Some(format!(
        "<span class=\"steps\" data-at=\"{}\"><span class=\"picture\">{}</span>{}</span>",
        event.only.unwrap_or(0),
        svg::element(&event.drawn, level),
        turns.join("\n")
    ))
}
