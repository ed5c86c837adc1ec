//! Blocks side by side with v beside their rows: the weighted sum of rows, as written by hand.

use super::block::{self, Block};
use crate::matrix::element_names::Names;
use crate::matrix::{BLOCK_GAP, Shown};
use crate::terminal::line::width;
use crate::terminal::roles::Spot;
use crate::{Line, Role, Style};
use vjp_eval::Backward;
use vjp_text::digits::Digits;

/// Left of everything, and between v, the row's name and the bracket.
const INDENT: usize = 2;

/// v's column is at least as wide as the label `vᵀJ` under it.
const WEIGHT: usize = 3;

/// The columns left of the blocks: weights and row names, and the labels under them.
#[derive(Clone, Debug)]
pub struct Gutter {
    /// A weight and a row name for each drawn row.
    rows: Vec<(String, String)>,
    /// Which rows these are.
    drawn: Shown,
    weight: usize,
    /// Where the blocks begin.
    pub width: usize,
    /// `x.grad`, `.grad`, or `.grad=vᵀJ` where one line says both.
    pub grad: Line,
}

impl Gutter {
    pub fn of(backward: &Backward, rows: &Shown, compact: bool, style: &Style) -> Gutter {
        let v = backward.v.data();
        let shown = || rows.iter().flatten().copied();
        let drawn = rows.clone();
        let digits = Digits::typed(shown().filter_map(|i| v.get(i).copied()), style.digits);
        let names = Names::new(&backward.output, backward.value.shape(), style.ascii);
        let names = if backward.named { names.fitted(shown()) } else { names.bare() };
        let rows: Vec<(String, String)> = rows
            .iter()
            .map(|row| match row {
                Some(i) => {
                    let weight = v.get(*i).map_or(String::new(), |&w| digits.text(w));
                    let name = if backward.repeated { 0 } else { *i };
                    (weight, names.label(name))
                }
                None => ("⋮".to_string(), String::new()),
            })
            .collect();
        let mut grad = Line::new();
        match backward.leaves.as_slice() {
            _ if backward.trial.is_some() => {
                grad.push(Role::Cotangent, if compact { "sweep=vᵀJ" } else { "sweep" });
            }
            [only] if only.earlier || !compact => {
                grad.push(Role::User, only.name.as_str()).plain(only.since());
                grad.push(Role::Cotangent, if compact { ".grad=vᵀJ" } else { ".grad" });
            }
            _ if compact => {
                grad.push(Role::Cotangent, ".grad=vᵀJ");
            }
            _ => {
                grad.push(Role::Cotangent, ".grad");
            }
        }
        let weight = widest(rows.iter().map(|r| r.0.as_str())).max(WEIGHT);
        let name = widest(rows.iter().map(|r| r.1.as_str()));
        let before = backward.leaves.iter().any(|l| block::before(l).is_some());
        let label = grad.width().max(if before { "before".len() } else { 0 });
        Gutter {
            width: (INDENT + weight + 2 + name + 2).max(INDENT + label + 2),
            weight,
            rows,
            drawn,
            grad,
        }
    }

    /// The left part of drawn row `k`.
    fn row(&self, k: usize) -> Line {
        let mut line = Line::new();
        if let Some((weight, name)) = self.rows.get(k) {
            let role = if weight == "⋮" { Role::Plain } else { Role::Cotangent };
            let at = self.drawn.get(k).copied().flatten();
            line.pad(INDENT + self.weight - width(weight).min(self.weight));
            line.push_spot(role, weight, at.map(Spot::Weight));
            line.plain("  ").push_spot(Role::User, name, at.map(Spot::Row));
        }
        line.pad(self.width);
        line
    }

    fn label(&self, label: &Line) -> Line {
        let mut line = Line::new();
        line.pad(INDENT).append(label).pad(self.width);
        line
    }
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(width).max().unwrap_or(0)
}

/// What stands right of a band, line by line.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    pub heading: Line,
    pub names: Line,
    pub rows: Vec<Line>,
    pub vjp: Line,
    pub grad: Line,
}

/// ✓ or ✗: two columns in ASCII.
pub fn mark(agrees: bool, style: &Style) -> Line {
    let role = if agrees { Role::Agrees } else { Role::Differs };
    let sign = match (agrees, style.ascii) {
        (true, false) => "✓",
        (false, false) => "✗",
        (true, true) => "ok",
        (false, true) => "!!",
    };
    Line::of(role, sign)
}

/// How blocks are drawn in a band.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// vᵀJ and the gradient share a line.
    pub compact: bool,
    /// The gradients before stand in a line of their own.
    pub before: bool,
}

/// The lines of blocks side by side.
pub fn lines(
    backward: &Backward,
    gutter: &Gutter,
    blocks: &[Block],
    form: Form,
    beside: &Beside,
    style: &Style,
) -> Vec<Line> {
    let row = |left: Line, pick: &dyn Fn(&Block) -> Line| -> Line {
        let mut line = left;
        let mut start = gutter.width;
        for block in blocks {
            line.pad(start).append(&pick(block));
            start += outer(block, form) + BLOCK_GAP;
        }
        line
    };
    let attach = |mut line: Line, right: &Line| -> Line {
        if !right.is_empty() {
            let clear = if line.width() > gutter.width { line.width() + 2 } else { 0 };
            line.pad(right_of(gutter, blocks, form).max(clear)).append(right);
        }
        line
    };
    let mut lines = Vec::new();
    if !form.compact || blocks.iter().any(|b| b.bare) {
        let line = match blocks {
            [only] => {
                let rest = style.frame().saturating_sub(only.heading.width());
                let mut line = Line::new();
                line.pad(gutter.width.min(rest)).append(&only.heading);
                line
            }
            _ => row(Line::new(), &|b| b.heading.clone()),
        };
        lines.push(attach(line, &beside.heading));
    }
    let mut names = Line::new();
    names.right(Role::Cotangent, "v", INDENT + gutter.weight);
    lines.push(attach(row(names, &|b| b.names.clone()), &beside.names));
    let height = blocks.first().map_or(0, |b| b.rows.len());
    for k in 0..height {
        let line = row(gutter.row(k), &|b| b.rows[k].clone());
        lines.push(match beside.rows.get(k) {
            Some(right) => attach(line, right),
            None => line,
        });
    }
    if !form.compact {
        let end = right_of(gutter, blocks, form) - BLOCK_GAP;
        let mut rule = Line::new();
        rule.pad(gutter.width);
        rule.plain("─".repeat(end - gutter.width));
        lines.push(rule);
        let label = gutter.label(&Line::of(Role::Cotangent, "vᵀJ"));
        lines.push(attach(row(label, &|b| b.vjp.clone()), &beside.vjp));
        if form.before {
            let label = gutter.label(&Line::of(Role::Cotangent, "before"));
            lines.push(row(label, &|b| b.before.clone().unwrap_or_default()));
        }
    }
    let mut line = gutter.label(&gutter.grad);
    let mut start = gutter.width;
    for (k, block) in blocks.iter().enumerate() {
        let last = k + 1 == blocks.len();
        line.pad(start).append(&block.grad).plain(" ");
        // At the very end the caller adds the mark: words may belong before it.
        if !last {
            line.append(&mark(backward.leaves[block.leaf].agrees, style));
        }
        start += outer(block, form) + BLOCK_GAP;
    }
    lines.push(attach_tight(line, &beside.grad));
    lines
}

/// Text right after a line, without a column of its own.
fn attach_tight(mut line: Line, right: &Line) -> Line {
    line.append(right);
    line
}

/// A block's width with its heading, where that is drawn.
fn outer(block: &Block, form: Form) -> usize {
    if form.compact && !block.bare { block.width } else { block.width.max(block.heading.width()) }
}

/// The column where what stands beside the blocks begins.
pub fn right_of(gutter: &Gutter, blocks: &[Block], form: Form) -> usize {
    let mut start = gutter.width;
    for (k, block) in blocks.iter().enumerate() {
        // A heading may reach over what stands right of the last block.
        let last = k + 1 == blocks.len();
        start += if last { block.width } else { outer(block, form) };
        start += BLOCK_GAP;
    }
    start
}

/// Blocks in order, as many in each band as fit the frame.
pub fn bands(blocks: Vec<Block>, gutter: usize, form: Form, frame: usize) -> Vec<Vec<Block>> {
    let mut bands: Vec<Vec<Block>> = Vec::new();
    let mut end = 0;
    for block in blocks {
        let width = outer(&block, form);
        match bands.last_mut() {
            Some(band) if end + BLOCK_GAP + width + 3 <= frame => {
                end += BLOCK_GAP + width;
                band.push(block);
            }
            _ => {
                end = gutter + width;
                bands.push(vec![block]);
            }
        }
    }
    bands
}
