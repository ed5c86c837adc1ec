//! The panel of a backward: what goes where, and what gives way where space is short.

pub mod block;
pub mod build;
pub mod calls;
pub mod formula;
pub mod kinks;
pub mod listing;
pub mod margin;
pub mod phrase;
pub mod remarks;
pub mod weighted_rows;

use super::echo;
use super::matrix::{self, Shown};
use crate::panel::block::Block;
use crate::panel::weighted_rows::{Beside, Form, Gutter};
use crate::terminal::line::fold;
use crate::terminal::style::HEIGHT;
use crate::{Line, Role, Style};
use vjp_eval::{Backward, LeafReport};

/// In a panel of one row a leaf of more entries takes one line.
const ENTRIES: usize = 40;

/// What has given way so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan {
    /// Remarks and worked sums are left out.
    terse: bool,
    /// Rows are cut also where there are few.
    cut_rows: bool,
    /// How many leaves, from the last upwards, take one line.
    one_line: usize,
    /// How many leaves, from the last upwards, are only counted.
    counted: usize,
}

/// What a panel's parts need to know of the whole.
pub struct Sheet<'a> {
    pub backward: &'a Backward,
    pub style: &'a Style,
    pub rows: Shown,
    pub gutter: Gutter,
    pub form: Form,
    pub terse: bool,
}

/// The panel with the value of y where no echo showed it, at most 18 lines.
pub fn lines(backward: &Backward, style: &Style) -> Vec<Line> {
    let mut head = if backward.echoed { Vec::new() } else { value(backward, style) };
    head.push(Line::new());
    let n = backward.leaves.len();
    let room = HEIGHT.saturating_sub(head.len());
    let mut plans = vec![Plan::default(), Plan { terse: true, ..Plan::default() }];
    // Each leaf takes a line at least: where that is too much no other plan needs a try.
    let few = n.min(room);
    plans.extend((0..=few).map(|one_line| Plan {
        terse: true,
        cut_rows: true,
        one_line: if n > room { n } else { one_line },
        counted: 0,
    }));
    let mut body = Vec::new();
    for plan in plans {
        body = draw(backward, plan, style);
        if body.len() <= room {
            head.append(&mut body);
            return head;
        }
        if plan.one_line == n && n > 0 {
            // Only counting the last leaves is left.
            let over = body.len() - room + 1;
            let counted = over.min(n);
            body = draw(backward, Plan { counted, ..plan }, style);
            break;
        }
    }
    head.append(&mut body);
    head
}

/// `y = [3, 12]`, for a scalar with its implicit weight.
pub fn value(backward: &Backward, style: &Style) -> Vec<Line> {
    let mut head = Line::of(Role::User, backward.output.as_str());
    head.plain(" = ");
    let remark = backward.implicit.then_some("a scalar: v = 1");
    echo::value(head, &backward.value, remark, style)
}

/// One row, v = 1, nothing there before: vᵀJ and the gradient are the same line.
fn is_compact(backward: &Backward) -> bool {
    !backward.repeated
        && backward.v.data() == [1.0]
        && backward.leaves.iter().all(|leaf| leaf.agrees && block::before(leaf).is_none())
}

fn draw(backward: &Backward, plan: Plan, style: &Style) -> Vec<Line> {
    let n = backward.leaves.len();
    let compact = is_compact(backward);
    let drawn_rows = if backward.repeated { backward.v.numel() } else { backward.value.numel() };
    let rows = matrix::rows(drawn_rows, plan.cut_rows);
    let gutter = Gutter::of(backward, &rows, compact, style);
    // Right of the blocks stands a mark: `✓`, `ok`.
    let room = style.frame().saturating_sub(gutter.width + 3);
    let full = n - plan.one_line.min(n);
    let mut blocks = Vec::new();
    let mut short = Vec::new();
    for (k, leaf) in backward.leaves.iter().enumerate().take(n - plan.counted) {
        let small = drawn_rows > 1 || leaf.value.numel() <= ENTRIES;
        let block =
            (k < full && small).then(|| block::block(backward, k, &rows, room, style)).flatten();
        match block {
            Some(block) => blocks.push(block),
            None => short.push(leaf),
        }
    }
    let form = Form { compact, before: before_row(backward, &blocks, &gutter, style) };
    let sheet = Sheet { backward, style, rows, gutter, form, terse: plan.terse };
    let mut lines = matrices(&sheet, blocks);
    lines.extend(one_lines(&short, backward.trial.is_some(), style));
    lines.extend(remarks::counted(&backward.leaves[n - plan.counted..], style));
    lines.extend(remarks::sentences(&sheet));
    lines
}

/// Whether the gradients before take a row: not where they fit behind a single gradient.
fn before_row(backward: &Backward, blocks: &[Block], gutter: &Gutter, style: &Style) -> bool {
    let any = blocks.iter().any(|b| b.before.is_some());
    any && match (backward.leaves.as_slice(), blocks) {
        ([leaf], [block]) => match margin::accumulated(leaf, Some(block.digits), style) {
            Some(text) => gutter.width + block.width + text.width() + 6 > style.frame(),
            None => true,
        },
        _ => true,
    }
}

fn matrices(sheet: &Sheet, blocks: Vec<Block>) -> Vec<Line> {
    let Sheet { backward, style, gutter, form, .. } = sheet;
    let mut lines = Vec::new();
    let mut placed = margin::Placed::default();
    let drawn: Vec<usize> = blocks.iter().map(|b| b.leaf).collect();
    let bands = weighted_rows::bands(blocks, gutter.width, *form, style.frame());
    let last = bands.len().saturating_sub(1);
    for (k, band) in bands.iter().enumerate() {
        if k > 0 {
            lines.push(Line::new());
        }
        let mut right = match (backward.leaves.as_slice(), band.as_slice()) {
            ([leaf], [block]) => margin::single(sheet, leaf, block, &mut placed),
            _ => Beside::default(),
        };
        right.grad = margin::ending(sheet, band, k == last, &mut placed);
        lines.extend(weighted_rows::lines(backward, gutter, band, *form, &right, style));
    }
    lines.extend(remarks::remarks(sheet, &placed, &drawn));
    lines
}

/// `W1.grad  [128, 784]  100352 entries  largest -0.0213 at W1₇,₄₀₆  ✓`, names aligned.
fn one_lines(leaves: &[&LeafReport], trial: bool, style: &Style) -> Vec<Line> {
    let label = |leaf: &LeafReport| {
        let mut line = Line::new();
        line.plain("  ").push(Role::User, leaf.called());
        line.push(Role::Cotangent, if trial { " sweep" } else { ".grad" });
        line
    };
    let widest = leaves.iter().map(|l| label(l).width()).max().unwrap_or(0);
    leaves
        .iter()
        .flat_map(|leaf| {
            let mut line = label(leaf);
            line.pad(widest + 2);
            line.append(&remarks::one_line(leaf, style));
            fold(&line, style.frame(), 4)
        })
        .collect()
}
