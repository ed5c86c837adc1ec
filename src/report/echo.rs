//! Echoes: values on one line where they fit, by the digits rule, cut to a screenful.

use crate::{Line, Role, Style};
use vjp_eval::record::event::{Remark, Shown, ValueEvent};
use vjp_tensor::{Dtype, Element, Tensor, with_numbers};
use vjp_text::digits::{Digits, grouped};

/// Remarks begin in this column (from 0), or two blanks after a longer value.
const REMARK: usize = 60;

/// An echoed text is cut after so many characters and lines.
const SCREENFUL: usize = 1000;
const LINES: usize = 24;

/// Elements shown at each end of a list that is too long, and rows of one that is too high.
const ENDS: usize = 3;
const ROWS: usize = 8;

/// The lines of an echo.
pub fn lines(event: &ValueEvent, style: &Style) -> Vec<Line> {
    let remark = event.remark.as_ref().and_then(|remark| match remark {
        Remark::Number => None,
        Remark::Leaf { shape } if shape.is_empty() => Some("leaf".to_string()),
        Remark::Leaf { shape } => Some(format!("leaf, shape {shape:?}")),
        Remark::Shape { shape } => Some(format!("shape {shape:?}")),
        Remark::Computed { grad_fn, shape } if shape.is_empty() => Some(grad_fn.clone()),
        Remark::Computed { grad_fn, shape } => Some(format!("{grad_fn}, shape {shape:?}")),
    });
    let mut head = Line::new();
    if let Some(name) = &event.name {
        head.push(Role::User, name.as_str()).plain(" = ");
    }
    match &event.shown {
        Shown::Tensor(tensor) => {
            let typed = matches!(event.remark, Some(Remark::Leaf { .. } | Remark::Number));
            value(head, tensor, remark.as_deref(), &Style { typed, ..*style })
        }
        Shown::Int(n) => {
            for part in screenful(&n.to_string(), Role::Value) {
                head.append(&part);
            }
            vec![remarked(head, remark.as_deref(), style)]
        }
        Shown::Text(text) => {
            let mut lines = screenful(text, Role::User).into_iter();
            let first = lines.next().unwrap_or_default();
            head.append(&first);
            let mut all = vec![remarked(head, remark.as_deref(), style)];
            all.extend(lines);
            all
        }
        Shown::Repr(text) => text.lines().map(|line| Line::of(Role::User, line)).collect(),
    }
}

/// A line with a remark in its column.
pub fn remarked(mut line: Line, remark: Option<&str>, style: &Style) -> Line {
    if let Some(remark) = remark {
        // A long remark begins earlier, to end with the frame.
        let latest = style.frame().saturating_sub(remark.chars().count());
        let column = match style.frame() < crate::terminal::style::WIDTH {
            true => line.width() + 2,
            false => REMARK.min(latest).max(line.width() + 2),
        };
        line.pad(column).plain(remark);
    }
    line
}

/// `name = numbers`, and a remark, on one line if they fit, else row by row.
pub fn value(head: Line, tensor: &Tensor, remark: Option<&str>, style: &Style) -> Vec<Line> {
    let room = style.frame().saturating_sub(head.width());
    let beside = remark.map_or(0, |r| r.chars().count() + 2);
    if let Some(text) = on_one_line(tensor, room.saturating_sub(beside), style) {
        let mut line = head;
        line.push(Role::Value, text);
        return vec![remarked(line, remark, style)];
    }
    let rows = stacked(tensor, room, style);
    let indent = head.width();
    let mut lines = Vec::with_capacity(rows.len());
    for (k, row) in rows.into_iter().enumerate() {
        let mut line = if k == 0 { head.clone() } else { Line::new() };
        line.pad(indent).push(Role::Value, row);
        lines.push(line);
    }
    if let Some(last) = lines.pop() {
        lines.push(remarked(last, remark, style));
    }
    lines
}

/// A tensor as a nested list on one line, long vectors by their ends; None where it does not fit, nor its ends.
pub fn on_one_line(tensor: &Tensor, room: usize, style: &Style) -> Option<String> {
    let shape = tensor.shape();
    if shape.is_empty() {
        return Some(Cells::of(tensor, 0..1, style).text(0));
    }
    // Each element takes two columns at least, each empty list three: what cannot fit is never spelled out.
    let leading = shape.iter().take_while(|n| **n > 0);
    let parts = leading.fold(1, |all: usize, n| all.saturating_mul(*n));
    if parts * 2 <= room + 1 {
        let texts = Cells::of(tensor, 0..tensor.numel(), style);
        let text = nested(shape, 0, &mut |i| texts.text(i));
        if text.chars().count() <= room {
            return Some(text);
        }
    }
    match shape {
        [n] => Some(vector(tensor, 0, *n, room, style)).filter(|text| !text.is_empty()),
        _ => None,
    }
}

/// A tensor on one line whatever its size: whole where it fits, else the corners that do.
pub fn corners(tensor: &Tensor, room: usize, style: &Style) -> String {
    let spelled = |ends: usize| {
        let mut shown = Vec::new();
        corner(tensor.shape(), 0, ends, &mut |i| {
            shown.push(i);
            String::new()
        });
        let cells = Cells::of(tensor, shown.into_iter(), style);
        corner(tensor.shape(), 0, ends, &mut |i| cells.text(i))
    };
    let fits = |text: &String| text.chars().count() <= room;
    on_one_line(tensor, room, style)
        .or_else(|| (1..=ENDS).rev().map(spelled).find(fits))
        .unwrap_or_else(|| first_and_last(tensor, style))
}

/// `[[first, …, last]]`
fn first_and_last(tensor: &Tensor, style: &Style) -> String {
    let last = tensor.numel().saturating_sub(1);
    let cells = Cells::of(tensor, [0, last].into_iter(), style);
    let ends = [0, last].map(|i| if i < tensor.numel() { cells.text(i) } else { String::new() });
    let depth = tensor.shape().len();
    format!("{}{}, …, {}{}", "[".repeat(depth), ends[0], ends[1], "]".repeat(depth))
}

/// `[[first, …, last], …, [first, …, last]]`, with so many at each end of each dimension.
fn corner(
    shape: &[usize],
    start: usize,
    ends: usize,
    text: &mut impl FnMut(usize) -> String,
) -> String {
    let [n, inner @ ..] = shape else {
        return text(start);
    };
    let size: usize = inner.iter().product();
    let mut parts = Vec::new();
    for i in 0..*n {
        match (i < ends, i + ends >= *n) {
            (false, false) if i == ends => parts.push("…".to_string()),
            (false, false) => {}
            _ => parts.push(corner(inner, start + i * size, ends, text)),
        }
    }
    format!("[{}]", parts.join(", "))
}

/// A part of a tensor as `[first, …, last]`, as much of its ends as fits.
fn vector(tensor: &Tensor, start: usize, n: usize, room: usize, style: &Style) -> String {
    let mut last = String::new();
    for ends in (1..=ENDS).rev() {
        if n <= 2 * ends {
            continue;
        }
        let shown = || (start..start + ends).chain(start + n - ends..start + n);
        let cells = Cells::of(tensor, shown(), style);
        let mut parts: Vec<String> = shown().map(|i| cells.text(i)).collect();
        parts.insert(ends, "…".to_string());
        last = format!("[{}]", parts.join(", "));
        if last.chars().count() <= room {
            break;
        }
    }
    last
}

/// A nested list row by row, its columns aligned.
fn stacked(tensor: &Tensor, room: usize, style: &Style) -> Vec<String> {
    let shape = tensor.shape();
    let Some((&n, outer)) = shape.split_last() else {
        return Vec::new();
    };
    let depth = outer.len();
    let total: usize = outer.iter().product();
    let shown: Vec<Option<usize>> = if total <= ROWS {
        (0..total).map(Some).collect()
    } else {
        let head = (0..ENDS).map(Some);
        let tail = (total - ENDS..total).map(Some);
        head.chain([None]).chain(tail).collect()
    };
    let whole = n * 2 <= room;
    let elements = || {
        let rows = shown.iter().flatten();
        rows.flat_map(move |r| r * n..(r + 1) * n)
    };
    let aligned = whole.then(|| {
        let cells = Cells::of(tensor, elements(), style);
        let texts: Vec<String> = elements().map(|i| cells.text(i)).collect();
        let widest = texts.iter().map(|t| t.chars().count()).max().unwrap_or(0);
        (texts, widest)
    });
    let aligned = aligned.filter(|(_, widest)| (widest + 2) * n + 2 * depth <= room);
    let mut lines = Vec::new();
    for (k, row) in shown.iter().enumerate() {
        let Some(row) = *row else {
            lines.push(format!("{}…", " ".repeat(depth)));
            continue;
        };
        let body = match &aligned {
            Some((texts, widest)) => {
                let at = shown[..k].iter().flatten().count() * n;
                let cells: Vec<String> =
                    texts[at..at + n].iter().map(|t| format!("{t:>widest$}")).collect();
                format!("[{}]", cells.join(", "))
            }
            None => {
                let room = room.saturating_sub(2 * depth);
                if n > 2 * ENDS {
                    vector(tensor, row * n, n, room, style)
                } else {
                    let cells = Cells::of(tensor, row * n..(row + 1) * n, style);
                    let texts: Vec<String> =
                        (row * n..(row + 1) * n).map(|i| cells.text(i)).collect();
                    format!("[{}]", texts.join(", "))
                }
            }
        };
        // A bracket opens for each dimension that begins in this row, and closes likewise.
        let opens = ends_at(row, outer, total, false);
        let closes = ends_at(row, outer, total, true);
        let comma = if row + 1 < total { "," } else { "" };
        lines.push(format!(
            "{}{}{body}{}{comma}",
            " ".repeat(depth - opens),
            "[".repeat(opens),
            "]".repeat(closes),
        ));
    }
    lines
}

/// How many outer dimensions begin (or end) at a row.
fn ends_at(row: usize, outer: &[usize], total: usize, end: bool) -> usize {
    let row = if end { total - 1 - row } else { row };
    let mut size = 1;
    let mut count = 0;
    for n in outer.iter().rev() {
        size *= n;
        if row % size != 0 {
            break;
        }
        count += 1;
    }
    count
}

/// How the elements of one tensor are written: floats by the digits rule, integers and bools as they are.
struct Cells<'a> {
    tensor: &'a Tensor,
    digits: Digits,
}

impl<'a> Cells<'a> {
    fn of(
        tensor: &'a Tensor,
        shown: impl Iterator<Item = usize> + Clone,
        style: &Style,
    ) -> Cells<'a> {
        let numbers = shown.map(|i| with_numbers!(tensor, all => all[i].wide()));
        let digits = match style.typed {
            true => Digits::typed(numbers, style.digits),
            false => Digits::of(numbers, style.digits),
        };
        Cells { tensor, digits }
    }

    /// Of element `i`.
    fn text(&self, i: usize) -> String {
        if let Some(all) = self.tensor.long() {
            return all[i].to_string();
        }
        match (self.tensor.dtype(), self.tensor.data()[i]) {
            (Dtype::Bool, 0.0) => "False".to_string(),
            (Dtype::Bool, _) => "True".to_string(),
            (d, x) if !d.is_float() => format!("{x:.0}"),
            (_, x) => self.digits.text(x),
        }
    }
}

/// A small tensor as a nested list on one line, whatever its length: `[6, 120]`.
pub fn list(tensor: &Tensor, style: &Style) -> String {
    on_one_line(tensor, style.frame().saturating_sub(4), style)
        .unwrap_or_else(|| first_and_last(tensor, style))
}

/// Brackets and commas for row-major data. Depth is the tensor's rank, which is small.
pub fn nested(shape: &[usize], start: usize, text: &mut impl FnMut(usize) -> String) -> String {
    match shape {
        [] => text(start),
        [n, inner @ ..] => {
            let size: usize = inner.iter().product();
            let parts: Vec<String> =
                (0..*n).map(|i| nested(inner, start + i * size, text)).collect();
            format!("[{}]", parts.join(", "))
        }
    }
}

/// A text cut to a screenful, with a count of what is left out.
fn screenful(text: &str, role: Role) -> Vec<Line> {
    let mut shown = String::new();
    let mut breaks = 0;
    let mut rest = text.chars();
    for (k, c) in text.chars().enumerate() {
        breaks += usize::from(c == '\n');
        if k == SCREENFUL || breaks == LINES {
            break;
        }
        shown.push(c);
        rest.next();
    }
    let left = rest.count();
    let mut lines: Vec<Line> = shown.split('\n').map(|line| Line::of(role, line)).collect();
    if left > 0
        && let Some(last) = lines.last_mut()
    {
        last.plain(format!("… {} more characters", grouped(left)));
    }
    lines
}
