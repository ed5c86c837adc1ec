//! `:explain`: forward values, then each step of the backward with what it receives, its own Jacobian and
//! what it passes on, then the sums.

use crate::matrix::element_names::operand;
use crate::panel::remarks::held;
use crate::panel::weighted_rows::mark;
use crate::terminal::line::{fold, width};
use crate::terminal::style::WIDTH;
use crate::{Line, Role, Style, echo};
use vjp_eval::record::questions::{Ended, Local, Share, Step, Sum, Worked};
use vjp_maths::Array;
use vjp_tensor::Tensor;
use vjp_text::digits::{Digits, factor, lone, sum};

/// Products are written out for so many elements.
const PRODUCTS: usize = 4;

/// Names wider than this do not move the others.
const WIDEST: usize = 20;

/// A remark of so many columns is worth shortening the numbers for.
const REMARK: usize = 22;

/// Columns: numbers of steps, then names, then what is said.
pub(super) struct Columns {
    pub number: usize,
    pub said: usize,
}

/// The worked example.
pub fn lines(event: &Worked, style: &Style) -> Vec<Line> {
    let numbers = event.steps.last().map_or(1, |s| s.number.to_string().len());
    let names = event.leaves.iter().map(|l| width(&l.name));
    let names = names.chain(event.steps.iter().map(|s| width(&s.place.name)));
    let widest = names.filter(|w| *w <= WIDEST).max().unwrap_or(1);
    let columns = Columns { number: 2 + numbers, said: 2 + numbers + 1 + widest + 2 };
    let mut all = vec![match &event.from {
        Some(from) => heading(&format!("Forward: {from}, and what was computed from it")),
        None => heading("Forward: each value from those above it"),
    }];
    for leaf in &event.leaves {
        all.push(value(&columns, None, &leaf.name, &leaf.value, "leaf", style));
    }
    let gap = |all: &mut Vec<Line>, k: usize| {
        if let Some((_, count)) = event.left_out.filter(|(at, _)| *at == k) {
            all.push(Line::of(Role::Plain, format!("  … {count} more steps")));
        }
    };
    for (k, step) in event.steps.iter().enumerate() {
        gap(&mut all, k);
        let number = Some(step.number);
        all.push(value(&columns, number, &step.place.name, &step.place.value, &step.text, style));
    }
    all.push(Line::new());
    all.push(heading("Backward: v first, then one step for each operation"));
    for (k, step) in event.steps.iter().enumerate().rev() {
        let first = k + 1 == event.steps.len();
        all.extend(backwards(&columns, step, first, style));
        gap(&mut all, k);
    }
    if let (Some(ended), Some(from)) = (&event.ended, &event.from) {
        all.extend(end(&columns, ended, event, from, style));
    }
    if !event.sums.is_empty() {
        all.push(Line::new());
        all.push(match &event.from {
            Some(from) => heading(&format!("Sums: what reached {from}")),
            None => heading("Sums: what reached each leaf"),
        });
    }
    for sum in &event.sums {
        all.extend(arrived(&columns, sum, style));
    }
    if !event.held.is_empty() {
        let mut line = Line::of(Role::Plain, "  ");
        line.append(&held(&event.held));
        all.extend(fold(&line, style.frame(), 2));
    }
    all
}

/// `that is ∂L/∂u ✓`
fn end(columns: &Columns, ended: &Ended, event: &Worked, from: &str, style: &Style) -> Vec<Line> {
    let mut line = Line::new();
    line.pad(columns.said);
    if let Some(name) = &ended.hooked {
        line.plain("the hook on ").push(Role::User, name.as_str());
        line.plain(" changed the gradient; the steps are without hooks");
        return fold(&line, style.frame(), columns.said);
    }
    let v = if event.v.shape().is_empty() && event.v.data() == [1.0] { "" } else { "vᵀ " };
    line.plain(format!("that is {v}∂{}/∂{} ", operand(&event.output), operand(from)));
    line.append(&mark(ended.agrees, style));
    vec![line]
}

fn heading(text: &str) -> Line {
    Line::of(Role::Hint, text)
}

/// The beginning of a line about a step or a leaf.
fn start(columns: &Columns, number: Option<usize>, name: &str) -> Line {
    let mut line = Line::new();
    if let Some(number) = number {
        line.right(Role::Plain, &number.to_string(), columns.number);
    }
    line.pad(columns.number + 1).push(Role::User, name);
    line.plain(" ").pad(columns.said);
    line
}

pub(super) fn value(
    columns: &Columns,
    number: Option<usize>,
    name: &str,
    value: &Tensor,
    remark: &str,
    style: &Style,
) -> Line {
    let mut line = start(columns, number, name);
    // A remark keeps its place beside numbers that can be shortened.
    let beside = if remark.is_empty() { 0 } else { width(remark) + 2 };
    let room = style.frame().saturating_sub(line.width() + 2);
    let room = if beside <= REMARK { room.saturating_sub(beside) } else { room };
    line.plain("= ").push(Role::Value, numbers(value, room, style));
    let column = line.width().max(columns.said + 26) + 2;
    let room = style.frame().saturating_sub(column);
    if let Some(remark) = fitting(remark, room) {
        line.pad(column).push(Role::User, remark);
    }
    line
}

/// Code in `room` columns: of a long call its name, of another expression its end, where the operation
/// stands that was done last.
fn fitting(code: &str, room: usize) -> Option<String> {
    const LEAST: usize = 12;
    if width(code) <= room {
        return Some(code.to_owned()).filter(|code| !code.is_empty());
    }
    let named = |c: char| c.is_alphanumeric() || "_.".contains(c);
    let call = code.split_once('(').filter(|(name, rest)| {
        !name.is_empty() && name.chars().all(named) && rest.find(')') == Some(rest.len() - 1)
    });
    if let Some((name, _)) = call {
        return Some(format!("{name}(…)")).filter(|text| width(text) <= room);
    }
    let left = code.chars().count() - room.checked_sub(1).filter(|room| *room >= LEAST)?;
    Some(format!("…{}", code.chars().skip(left).collect::<String>()))
}

/// A tensor, or its corners and its shape.
fn numbers(t: &Tensor, room: usize, style: &Style) -> String {
    let text = echo::corners(t, room, style);
    let shape = format!("  {:?}", t.shape());
    match text.contains('…') && width(&text) + shape.len() <= room {
        true => text + &shape,
        false => text,
    }
}

fn backwards(columns: &Columns, step: &Step, first: bool, style: &Style) -> Vec<Line> {
    let mut all = receives(columns, Some(step.number), step, first, style);
    for share in &step.shares {
        all.extend(local(columns, step, share, style));
        all.push(gets(columns.said, step, share, style));
    }
    all
}

/// `e receives -2`
pub(super) fn receives(
    columns: &Columns,
    number: Option<usize>,
    step: &Step,
    first: bool,
    style: &Style,
) -> Vec<Line> {
    let mut line = start(columns, number, &step.place.name);
    line.plain("receives ");
    if first {
        line.plain("v = ");
    }
    summed(line, &step.received, style)
}

/// `[1, 2] + [3, 4] = [4, 6]`, as much as fits.
fn summed(line: Line, parts: &[Tensor], style: &Style) -> Vec<Line> {
    let many = format!("{} contributions, sum ", parts.len());
    summed_as(line, parts, &many, 0, style)
}

/// [`summed`], with words for parts that have no room on the line, and `behind` columns left free.
fn summed_as(
    mut line: Line,
    parts: &[Tensor],
    many: &str,
    behind: usize,
    style: &Style,
) -> Vec<Line> {
    let frame = style.frame().saturating_sub(behind);
    let room = frame.saturating_sub(line.width());
    let total = parts.iter().skip(1).fold(parts.first().cloned(), |sum, part| Some(sum?.add(part)));
    let Some(total) = total else {
        line.plain("nothing");
        return vec![line];
    };
    if parts.len() > 1 {
        let each = parts.iter().map(|p| echo::on_one_line(p, room, style));
        let each: Option<Vec<String>> = each.collect();
        let text = each.map(|t| format!("{} = ", sum(&t))).unwrap_or_default();
        let end = numbers(&total, room, style);
        if !text.is_empty() && width(&text) + width(&end) <= room {
            line.push(Role::Cotangent, text + &end);
            return vec![line];
        }
        line.plain(many);
    }
    let room = frame.saturating_sub(line.width());
    line.push(Role::Cotangent, numbers(&total, room, style));
    vec![line]
}

/// `∂e/∂a = b = -3`
pub(super) fn local(columns: &Columns, step: &Step, share: &Share, style: &Style) -> Vec<Line> {
    let (mut local, mut first, mut elementwise) = (Line::new(), None, false);
    let to = match share.turn {
        0 => operand(&share.to).into_owned(),
        turn => format!("({} {})", ordinal(turn), share.to),
    };
    local.pad(columns.said).plain(format!("∂{}/∂{to} ", operand(&step.place.name)));
    let room = style.frame().saturating_sub(local.width());
    match &share.local {
        Local::Slopes { slopes, formula, one } => {
            let uniform = slopes
                .data()
                .first()
                .filter(|s| (*one || formula.is_none()) && slopes.data().iter().all(|x| x == *s));
            let values = |room: usize| match uniform {
                Some(one) => lone(*one, style.digits),
                None => numbers(slopes, room, style),
            };
            let formula = formula.as_ref().filter(|f| **f != values(room));
            let whole = formula.map(|f| format!("= {f} = {}", values(WIDTH)));
            let text = match (formula, whole.filter(|w| width(w) <= room && !w.contains('…'))) {
                (_, Some(whole)) => whole,
                (Some(f), None) if width(f) + 2 <= room => {
                    local.push(Role::Value, format!("= {f}"));
                    first = Some(std::mem::replace(&mut local, Line::new()));
                    local.pad(columns.said + 2);
                    format!("= {}", values(style.frame().saturating_sub(columns.said + 4)))
                }
                _ => format!("= {}", values(room.saturating_sub(2))),
            };
            local.push(Role::Value, text);
            elementwise = slopes.numel() > 1;
        }
        Local::Matrix(matrix) => {
            let text = numbers(matrix, room.saturating_sub(2), style);
            match permutation(matrix).filter(|_| text.contains('…')) {
                Some(n) => drop(local.plain(format!("is {n} × {n}: entries only change places"))),
                None => drop(local.plain("= ").push(Role::Value, text)),
            }
        }
        Local::Words(words, [rows, c]) => {
            let colon = if words.is_empty() { "" } else { ": " };
            local.plain(format!("is {rows} × {c}{colon}{words}"));
        }
    }
    let mut all: Vec<Line> = first.into_iter().collect();
    all.extend(fold(&local, style.frame(), columns.said + 2));
    let says = "   element by element";
    match all.last_mut().filter(|last| last.width() + says.len() <= style.frame()) {
        _ if !elementwise => {}
        Some(last) => drop(last.plain(says)),
        None => {
            let mut below = Line::new();
            below.pad(columns.said + 2).plain(says.trim_start());
            all.push(below);
        }
    }
    all
}

/// `first`, `second`: which of several inputs of one name.
fn ordinal(turn: usize) -> String {
    match turn {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        _ => format!("input {turn}:"),
    }
}

/// Of a matrix with a single 1 in each row and each column: how many rows it has.
fn permutation(matrix: &Tensor) -> Option<usize> {
    let &[n, columns] = matrix.shape() else {
        return None;
    };
    let mut taken = vec![false; columns];
    let single = |row: &[f64]| {
        let at = row.iter().position(|x| *x != 0.0)?;
        let alone = row[at] == 1.0 && row[at + 1..].iter().all(|x| *x == 0.0);
        (alone && !std::mem::replace(&mut taken[at], true)).then_some(())
    };
    (n == columns && n > 0).then_some(())?;
    matrix.data().chunks(columns).map(single).collect::<Option<Vec<()>>>().map(|_| n)
}

/// `a gets -2×(-3) = 6`, from a column on.
pub(super) fn gets(column: usize, step: &Step, share: &Share, style: &Style) -> Line {
    let mut line = Line::new();
    line.pad(column).push(Role::User, share.to.as_str()).plain(" gets ");
    let cotangent =
        step.received.iter().skip(1).fold(step.received[0].clone(), |sum, part| sum.add(part));
    let room = style.frame().saturating_sub(line.width());
    let end = numbers(&share.given, room, style);
    if let Some(text) = products(&cotangent, share, style)
        && width(&text) + 3 + width(&end) <= room
    {
        line.plain(format!("{text} = "));
    }
    line.push(Role::Cotangent, end);
    line
}

/// Columns of the longest weight that is shown as it was typed.
const TYPED: usize = 8;

/// `[1×3, 10×3]`: each element of what is handed on, as a sum of products.
fn products(v: &Tensor, share: &Share, style: &Style) -> Option<String> {
    // A v as it was typed; what was computed from it may have many digits. Of few only: it looks at each.
    let weights = || {
        let typed = Digits::typed(v.data().iter().copied(), style.digits);
        let long = v.data().iter().any(|x| width(&typed.text(*x)) > TYPED);
        if long { Digits::of(v.data().iter().copied(), style.digits) } else { typed }
    };
    let times = |weights: Digits, i: usize, slope: f64, digits: Digits| {
        let (a, b) = (weights.text(v.data()[i]), digits.text(slope));
        format!("{}×{}", a, factor(b))
    };
    let elements: Vec<String> = match &share.local {
        Local::Slopes { slopes, .. }
            if slopes.numel() <= PRODUCTS && slopes.numel() == v.numel() =>
        {
            let weights = weights();
            let digits = Digits::of(slopes.data().iter().copied(), style.digits);
            let each = slopes.data().iter().enumerate();
            each.map(|(i, s)| times(weights, i, *s, digits)).collect()
        }
        Local::Matrix(matrix) => {
            let &[rows, columns] = matrix.shape() else {
                return None;
            };
            let weights = weights();
            let digits = Digits::of(matrix.data().iter().copied(), style.digits);
            let column = |j: usize| {
                let entries = (0..rows).map(|i| (i, matrix.data()[i * columns + j]));
                let terms = entries.filter(|(_, s)| *s != 0.0);
                let terms: Vec<String> = terms.map(|(i, s)| times(weights, i, s, digits)).collect();
                sum(&terms)
            };
            (0..columns).map(column).collect()
        }
        _ => return None,
    };
    match share.given.shape().len() {
        0 => Some(elements.join(", ")),
        1 => Some(format!("[{}]", elements.join(", "))),
        _ => None,
    }
}

pub(super) fn arrived(columns: &Columns, sum: &Sum, style: &Style) -> Vec<Line> {
    // Without a gradient before it, and unchanged on its way, what arrives is the gradient.
    let whole = sum.before.is_none() && sum.agrees;
    // `x receives` and `x.grad =` below each other.
    let said = match whole {
        true => columns.said,
        false => columns.said.max(columns.number + 1 + width(&sum.leaf) + 6),
    };
    let starts = |with: &str, says: &str| {
        let mut line = Line::new();
        line.pad(columns.number + 1).push(Role::User, sum.leaf.as_str());
        line.plain(with).pad(said).plain(says);
        line
    };
    let line = if whole { starts(".grad ", "= ") } else { starts(" ", "receives ") };
    let many = format!("{} contributions, sum ", sum.parts.len());
    let mut all = summed_as(line, &sum.parts, &many, 2, style);
    if let Some(line) = all.last_mut() {
        line.plain(" ").append(&mark(sum.agrees && sum.unlike.is_none(), style));
    }
    if let Some(forward) = &sum.unlike {
        let mut line = Line::new();
        line.pad(columns.said).plain("vᵀJ of the forward code is ");
        let room = style.frame().saturating_sub(line.width());
        line.push(Role::Cotangent, numbers(forward, room, style));
        all.push(line);
    }
    if !whole {
        let parts: Vec<Tensor> = sum.before.iter().chain([&sum.added]).cloned().collect();
        let many = "the earlier gradient + this one = ";
        all.extend(summed_as(starts(".grad ", "= "), &parts, many, 0, style));
    }
    if let (false, Some(name)) = (sum.agrees, &sum.hooked) {
        let mut line = Line::new();
        line.pad(columns.said)
            .plain("the hook on ")
            .push(Role::User, name.as_str())
            .plain(" changed the gradient; the steps are without hooks");
        all.extend(fold(&line, style.frame(), columns.said));
    }
    all
}
