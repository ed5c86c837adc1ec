//! Lines under the numbers: remarks, kinks, causes, leaves that were not reached.

use super::{block, formula, kinks, phrase};
use crate::matrix::element_names::Names;
use crate::matrix::{self, Cell, Measure};
use crate::panel::margin::{self, Placed};
use crate::panel::{Sheet, weighted_rows};
use crate::terminal::line::fold;
use crate::{Line, Role, Style, echo};
use vjp_eval::record::event::{Cause, Unreached};
use vjp_eval::{Backward, LeafReport};
use vjp_jacobian::custom_function::BY_DIFFERENCES;
use vjp_tensor::Tensor;
use vjp_text::digits::{Digits, lone};
use vjp_text::words::list;

/// Unreached leaves that are named.
const NAMED: usize = 3;

/// `[128, 784]  100352 entries  largest -0.0213 at W1₇,₄₀₆  ✓`
pub fn one_line(leaf: &LeafReport, style: &Style) -> Line {
    let names = Names::new(&leaf.called(), leaf.value.shape(), style.ascii);
    let mut line = Line::new();
    let data = leaf.grad.data();
    match leaf.value.shape() {
        [] => {
            line.push(Role::Cotangent, echo::list(&leaf.grad, style));
        }
        shape => {
            let entries = match data.len() {
                0 => "no entries".to_string(),
                1 => "1 entry".to_string(),
                n => format!("{n} entries"),
            };
            line.plain(format!("{shape:?}"));
            // The sum behind it needs the room.
            if block::before(leaf).is_none() {
                line.plain(format!("  {entries}"));
            }
            let size = |i: usize| data[i].abs();
            // NaN counts as the largest: it is what one must know.
            let largest =
                (0..data.len()).max_by(|&a, &b| size(a).total_cmp(&size(b)).then(b.cmp(&a)));
            if let Some(at) = largest {
                line.plain("  largest ");
                line.push(Role::Cotangent, lone(data[at], style.digits));
                line.plain(" at ").push(Role::User, names.full(at));
            }
        }
    }
    if block::before(leaf).is_some() {
        line.plain("  = before + vᵀJ");
    }
    line.plain("  ").append(&weighted_rows::mark(leaf.agrees, style));
    if !leaf.agrees {
        line.plain(" ").append(&margin::differing(leaf, style));
    }
    line
}

/// `… 7 more leaves, all ✓`
pub fn counted(leaves: &[LeafReport], style: &Style) -> Vec<Line> {
    if leaves.is_empty() {
        return Vec::new();
    }
    let mut line = Line::of(Role::Plain, format!("  … {} more ", leaves.len()));
    line.plain(if leaves.len() == 1 { "leaf, " } else { "leaves, " });
    let bad: Vec<String> = leaves.iter().filter(|l| !l.agrees).map(LeafReport::called).collect();
    if bad.is_empty() {
        line.plain("all ").append(&weighted_rows::mark(true, style));
    } else {
        line.append(&weighted_rows::mark(false, style)).plain(" at ");
        line.push(Role::User, bad[..bad.len().min(NAMED)].join(", "));
        if bad.len() > NAMED {
            line.plain(format!(" and {} more", bad.len() - NAMED));
        }
    }
    fold(&line, style.frame(), 4)
}

/// Remarks that belong to the matrices: `as A:`, the phrase, indices in code.
pub fn remarks(sheet: &Sheet, placed: &Placed, drawn: &[usize]) -> Vec<Line> {
    let (b, style) = (sheet.backward, sheet.style);
    let mut lines = Vec::new();
    let indent = sheet.gutter.width;
    let frame = style.frame();
    if !sheet.terse && !sheet.form.compact {
        let mut line = Line::new();
        for leaf in &b.leaves {
            for part in as_leaf(leaf, b, style) {
                let gap = if line.is_empty() { indent } else { line.width() + 4 };
                if gap + part.width() <= frame {
                    line.pad(gap).append(&part);
                }
            }
        }
        lines.extend((!line.is_empty()).then_some(line));
    }
    if !placed.phrase
        && let Some(phrase) = phrase::phrase(b, style)
    {
        let mut line = Line::new();
        let start = indent.min(frame.saturating_sub(phrase.width()));
        line.pad(start).append(&phrase);
        lines.extend(fold(&line, frame, 4));
    }
    if !placed.indices
        && !sheet.terse
        && let Some(text) = margin::indices(sheet)
    {
        let mut line = Line::new();
        line.pad(indent).push(Role::User, text);
        lines.push(line);
    }
    if b.value.numel() == 0 {
        let mut line = Line::of(Role::Plain, "  ");
        line.push(Role::User, b.output.as_str());
        line.plain(" is empty: J has no rows");
        lines.push(line);
    }
    if !placed.differs {
        // Leaves on a line of their own say it there.
        let drawn = drawn.iter().map(|&k| &b.leaves[k]);
        let bad: Vec<&LeafReport> = drawn.filter(|l| !l.agrees).collect();
        for leaf in bad.iter().take(NAMED) {
            let mut line = Line::new();
            line.plain("  ").append(&weighted_rows::mark(false, style)).plain(" ");
            line.push(Role::User, leaf.called()).plain(".grad ");
            line.append(&margin::differing(leaf, style));
            lines.extend(fold(&line, frame, 5));
        }
        if bad.len() > NAMED {
            let more = bad.len() - NAMED;
            let text = if more == 1 { "leaf differs" } else { "leaves differ" };
            lines.push(Line::of(Role::Differs, format!("  … {more} more {text}")));
        }
    }
    if !placed.unreached {
        for leaf in b.unreached.iter().take(NAMED) {
            let mut line = Line::of(Role::Plain, "  ");
            line.append(&unreached(leaf));
            lines.push(line);
        }
        if b.unreached.len() > NAMED {
            let more = b.unreached.len() - NAMED;
            let text = if more == 1 { "leaf was" } else { "leaves were" };
            lines.push(Line::of(Role::Plain, format!("  … {more} more {text} not reached")));
        }
    }
    lines
}

/// `as A:  [[1, 0, -1], [10, 0, -10]]` and `∂y/∂x is A itself`.
fn as_leaf(leaf: &LeafReport, backward: &Backward, style: &Style) -> Vec<Line> {
    let mut parts = Vec::new();
    let shape = leaf.value.shape();
    if shape.len() > 1
        && shape[0] > 1
        && let Some(text) = echo::on_one_line(&leaf.grad, style.frame(), style)
    {
        let mut line = Line::of(Role::Plain, "as ");
        line.push(Role::User, leaf.called()).plain(":  ");
        line.push(Role::Cotangent, text);
        parts.push(line);
    }
    if let Some(name) = leaf.symbolic.get().and_then(formula::itself) {
        let mut line = block::derivative(&backward.output, leaf);
        line.plain(" is ").push(Role::User, name).plain(" itself");
        parts.push(line);
    }
    parts
}

/// `x: not reached, cut by h.detach()`
pub fn unreached(leaf: &Unreached) -> Line {
    let mut line = Line::of(Role::User, leaf.name.as_str());
    line.plain(": not reached, cut by ").push(Role::User, leaf.cut.as_str());
    line
}

/// Sentences under the panel: kinks, causes of ✗, earlier leaves.
pub fn sentences(sheet: &Sheet) -> Vec<Line> {
    let (b, style) = (sheet.backward, sheet.style);
    let mut lines = kinks::lines(b, sheet.gutter.width, style);
    for cause in apart(&b.causes) {
        if lines.last().is_none_or(|l| !l.is_empty()) {
            lines.push(Line::new());
        }
        lines.extend(because(cause, &b.causes, sheet.gutter.width, style));
    }
    lines.extend(untouched(b, style));
    let mut methods: Vec<&str> = b.leaves.iter().filter_map(|l| l.method).collect();
    methods.dedup();
    for method in methods {
        let how = match method {
            BY_DIFFERENCES => "forward by central differences",
            _ => "forward",
        };
        let grad = match b.leaves.as_slice() {
            [leaf] => leaf.name.as_str(),
            _ => "",
        };
        let text =
            format!("  J was computed from the Function's {how}, {grad}.grad by its backward");
        lines.extend(fold(&Line::of(Role::Plain, text), style.frame(), 4));
    }
    lines.extend(moved(b, style));
    lines
}

/// Leaves whose name has another value now.
pub fn moved(b: &Backward, style: &Style) -> Vec<Line> {
    let mut lines = Vec::new();
    for leaf in b.leaves.iter().filter(|l| l.earlier && l.turn < 2).take(NAMED) {
        let name = leaf.name.trim_end_matches(" (earlier)");
        let mut line = Line::of(Role::Plain, "  ");
        line.push(Role::User, name);
        if leaf.deleted {
            line.plain(" was deleted; ").push(Role::User, b.output.as_str());
            line.plain(" was computed from it");
            lines.extend(fold(&line, style.frame(), 4));
            continue;
        }
        let Some(again) = &b.again else {
            if name == b.output {
                line.plain(" was assigned again; this is the gradient for its earlier value");
            } else {
                line.plain(" now names another value; ");
                line.push(Role::User, b.output.as_str());
                line.plain(" was computed from the earlier ").push(Role::User, name);
            }
            lines.extend(fold(&line, style.frame(), 4));
            continue;
        };
        line.plain(" was assigned again after ");
        line.push(Role::User, b.output.as_str());
        line.plain(" was computed: run  ").push(Role::User, again.as_str()).plain("  again");
        lines.extend(fold(&line, style.frame(), 4));
    }
    lines
}

/// `x.grad is unchanged: [6, 120]`, where the panel only tries a v.
fn untouched(b: &Backward, style: &Style) -> Vec<Line> {
    let Some(held) = &b.trial else {
        return Vec::new();
    };
    let mut line = Line::of(Role::Plain, "  ");
    match (b.leaves.as_slice(), held.as_slice()) {
        ([leaf], [held]) => {
            line.push(Role::User, leaf.name.as_str()).plain(leaf.since()).plain(".grad is ");
            match held {
                Some(grad) => {
                    let room = style.frame().saturating_sub(line.width() + 11);
                    line.plain("unchanged");
                    if let Some(text) = echo::on_one_line(grad, room, style) {
                        line.plain(": ").push(Role::Cotangent, text);
                    }
                }
                None => {
                    line.plain("still None");
                }
            }
        }
        _ => {
            line.plain("no .grad was changed");
        }
    }
    vec![line]
}

/// `W[0, 1]`
fn code_of(leaf: &str, shape: &[usize], at: usize) -> String {
    let mut left = at;
    let mut index: Vec<String> = Vec::with_capacity(shape.len());
    for d in shape.iter().rev() {
        index.insert(0, (left % d).to_string());
        left /= d;
    }
    match index.is_empty() {
        true => leaf.to_string(),
        false => format!("{leaf}[{}]", index.join(", ")),
    }
}

/// `x.detach() is held fixed: no gradient passes through it`
pub fn held(by: &[String]) -> Line {
    let what = match by {
        [] => "what was taken out of the graph".to_owned(),
        all => list(all, "and"),
    };
    let mut line = Line::of(Role::User, what);
    line.plain(match by.len() {
        0 | 1 => " is held fixed: no gradient passes through it",
        _ => " are held fixed: no gradient passes through them",
    });
    line
}

/// Whether two causes say the same of two leaves: what is held fixed.
fn is_like(a: &Cause, b: &Cause) -> bool {
    matches!((a, b), (Cause::Fixed { by, .. }, Cause::Fixed { by: other, .. }) if by == other)
}

/// Causes without those that another before them tells too.
pub(super) fn apart(all: &[Cause]) -> impl Iterator<Item = &Cause> {
    let new = |k: usize| !all[..k].iter().any(|before| is_like(before, &all[k]));
    all.iter().enumerate().filter(move |(k, _)| new(*k)).map(|(_, cause)| cause)
}

/// A bound says its first digit.
fn digit(error: f64) -> f64 {
    let unit = 10f64.powf(error.log10().floor());
    (error / unit).round() * unit
}

/// Why a gradient is not vᵀJ; `all`: of one panel.
pub(super) fn because(cause: &Cause, all: &[Cause], indent: usize, style: &Style) -> Vec<Line> {
    let start = |word: &str| {
        let mut line = Line::of(Role::Plain, "  ");
        line.push(Role::Hint, word);
        line.pad(indent.max(line.width() + 1));
        line
    };
    let lone = |x: f64| vjp_text::digits::lone(x, style.digits);
    let known = |x: f64| lone(crate::answers::check::known(x));
    match cause {
        Cause::Text { leaf, shape, at, rule, text }
        | Cause::Rounding { leaf, shape, at, rule, text, .. } => {
            let code = code_of(leaf, shape, *at);
            let (program, graph) = (known(*text), lone(*rule));
            let rounding = matches!(cause, Cause::Rounding { .. });
            let mut line = start(if rounding { "digits" } else { "text" });
            if !rounding {
                line.plain("the graph lacks a path from ").push(Role::User, code.as_str());
                line.plain(": ");
            }
            line.plain("run again with a slightly different ").push(Role::User, code.as_str());
            line.plain(match cause {
                Cause::Rounding { sure: true, .. } => format!(
                    ", the program gives the slope {program}; rounding errors in the values make it {graph} here"
                ),
                Cause::Rounding { .. } => format!(
                    ", the rounded values give the slope {program}, the rules {graph}: rounding hides the slope in one of them"
                ),
                _ => format!(", the program gives the slope {program}, the graph {graph}"),
            });
            fold(&line, style.frame(), indent)
        }
        Cause::Triangle { leaf, shape, at, rule, text, op } => {
            let mut line = start("triangle");
            line.push(Role::User, op.as_str());
            line.plain(
                " reads one triangle of its matrix, and PyTorch's gradient is that of the whole matrix: moved alone, ",
            );
            line.push(Role::User, code_of(leaf, shape, *at));
            line.plain(format!(" has the slope {}, not {}", known(*text), lone(*rule)));
            fold(&line, style.frame(), indent)
        }
        Cause::Fixed { by, .. } => {
            let mut line = start("fixed");
            line.append(&held(by));
            let mut begins =
                if by.len() > 1 { ". If they moved with " } else { ". If it moved with " };
            for other in all.iter().filter(|other| is_like(cause, other)) {
                let Cause::Fixed { leaf, shape, at, rule, text, .. } = other else { continue };
                let would = if begins.starts_with('.') { "the slope would be " } else { "" };
                line.plain(begins).push(Role::User, code_of(leaf, shape, *at));
                // What differences leave of 0 are roundings.
                let slope = if text.abs() < 1e-12 * rule.abs() { 0.0 } else { *text };
                line.plain(format!(", {would}{}, not {}", known(slope), lone(*rule)));
                begins = "; with ";
            }
            fold(&line, style.frame(), indent)
        }
        Cause::Magnified { code, output, weighted, error } => {
            let mut line = start("digits");
            line.plain("the rounding error in ").push(Role::User, code.as_str());
            line.plain(" is magnified: ").plain(if *weighted { "vᵀ" } else { "" });
            line.push(Role::User, output.as_str());
            line.plain(format!(" may be off by about {}", lone(digit(*error))));
            fold(&line, style.frame(), indent)
        }
        Cause::Changed { leaf, output } => {
            let mut line = start("changed");
            line.push(Role::User, output.as_str()).plain(" was computed from earlier values of ");
            line.push(Role::User, leaf.as_str()).plain("; compute it again for the present ones");
            fold(&line, style.frame(), indent)
        }
        Cause::Hook { name } => {
            let mut line = start("hook");
            line.plain("the hook on ").push(Role::User, name.as_str());
            line.plain(" changed the gradient; J does not include hooks");
            let column = indent;
            fold(&line, style.frame(), column)
        }
        Cause::BranchNotTaken { op, formula, received, slope, repair } => {
            let mut lines = Vec::new();
            let mut line = start("NaN");
            line.plain("the sweep also runs through the branch not taken: ");
            line.push(Role::User, op.as_str()).plain(" receives");
            lines.extend(fold(&line, style.frame(), indent));
            let (above, under, products) = products(received, slope, style);
            let mut line = Line::new();
            line.pad(indent).append(&above);
            line.plain(format!("   and multiplies by  {formula} ="));
            lines.extend(fold(&line, style.frame(), indent));
            let mut line = Line::new();
            line.pad(indent).append(&under).plain(format!("   {products}"));
            lines.extend(fold(&line, style.frame(), indent));
            if let Some(repair) = repair {
                let mut line = start("help");
                line.plain("keep such values out of ");
                line.push(Role::User, op.as_str()).plain(":");
                lines.push(line);
                let mut line = Line::new();
                line.pad(indent).push(Role::User, repair.as_str());
                lines.push(line);
            }
            lines
        }
    }
}

/// What an operation received over its slopes, and which products are not numbers.
fn products(received: &Tensor, slope: &Tensor, style: &Style) -> (Line, Line, String) {
    let (a, s) = (received.data(), slope.data());
    let n = a.len().min(s.len());
    let [given, by] = [a, s].map(|data| Digits::of(data.iter().copied(), style.digits));
    let room = style.frame() / 2;
    let mut lines = None;
    matrix::columns(n, room, |shown| {
        let cells = |data: &[f64], digits: Digits| -> Vec<Cell> {
            let cell = |i: &Option<usize>| match i {
                Some(i) => Cell::new(Role::Cotangent, digits.text(data[*i])),
                None => Cell::gap("…"),
            };
            shown.iter().map(cell).collect()
        };
        let (above, under) = (cells(a, given), cells(s, by));
        let measure = Measure::of(shown, above.iter().chain(&under).map(|c| c.text.as_str()));
        lines =
            Some((measure.bracketed(&above, ('[', ']')), measure.bracketed(&under, ('[', ']'))));
        measure.width() <= room
    });
    let (above, under) = lines.unwrap_or_default();
    let mut seen: Vec<String> = Vec::new();
    for slope in ["inf", "-inf", "nan"] {
        let hit = a.iter().zip(s).any(|(x, y)| *x == 0.0 && !y.is_finite() && by.text(*y) == slope);
        if hit {
            seen.push(format!("0×{slope} = nan"));
        }
    }
    (above, under, seen.join(" and "))
}
