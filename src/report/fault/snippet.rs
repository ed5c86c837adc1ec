//! Source lines with places marked under them: carets, other places, labels.

use crate::terminal::line::{fold, width};
use crate::{Line, Role, Style};
use vjp_text::visible::visible;
use vjp_text::{Source, Span};

/// Columns a tab takes, wherever it stands.
const TAB: usize = 4;

/// A label beside the marks gets at least so many columns, else it goes below.
const LABEL: usize = 24;

/// Blanks kept left of a mark where a long line is cut.
const CONTEXT: usize = 20;

/// Columns for `… ` before and ` …` behind a part of a line.
const ELLIPSES: usize = 4;

/// A marked place.
#[derive(Clone, Debug)]
pub struct Mark {
    pub span: Span,
    /// Shown right of the marks, or below them.
    pub label: Option<String>,
    /// The place of the error itself is marked `^`, others `─`.
    pub main: bool,
}

/// A mark measured in columns of its line.
struct Placed<'a> {
    start: usize,
    end: usize,
    mark: &'a Mark,
}

/// The `│` that all lines of a snippet begin with, line numbers where there are several lines.
#[derive(Clone, Copy)]
pub struct Margin {
    number: usize,
}

impl Margin {
    pub fn of(source: &Source) -> Margin {
        let lines = source.text().trim_end_matches('\n').matches('\n').count() + 1;
        Margin { number: if lines > 1 { lines.to_string().len() + 1 } else { 0 } }
    }

    pub fn line(self, number: Option<usize>) -> Line {
        let mut line = Line::of(Role::Plain, "  ");
        if self.number > 0 {
            let text = number.map_or(String::new(), |n| n.to_string());
            line.right(Role::Plain, &text, 1 + self.number);
            line.plain(" ");
        }
        line.plain("│ ");
        line
    }

    pub fn width(self) -> usize {
        4 + self.number
    }
}

/// The lines that hold marks, in order, each with its marks and labels.
pub fn lines(source: &Source, marks: &[Mark], style: &Style) -> Vec<Line> {
    let margin = Margin::of(source);
    let mut places: Vec<usize> = marks.iter().map(|m| source.line_of(m.span.start)).collect();
    places.sort_unstable();
    places.dedup();
    let mut lines = Vec::new();
    for place in places {
        let here = marks.iter().filter(|m| source.line_of(m.span.start) == place);
        lines.extend(snippet(source, place, here.collect(), margin, style));
    }
    lines
}

/// One source line and what is said about it.
fn snippet(
    source: &Source,
    place: usize,
    marks: Vec<&Mark>,
    margin: Margin,
    style: &Style,
) -> Vec<Line> {
    let text = source.line(place);
    let start = line_start(source, place);
    let column = |offset: u32| -> usize {
        let at = (offset as usize).saturating_sub(start).min(text.len());
        text.get(..at).map_or(width(text), |t| expanded(t).1)
    };
    let mut placed: Vec<Placed> = marks
        .iter()
        .map(|mark| {
            let from = column(mark.span.start);
            Placed { start: from, end: column(mark.span.end).max(from + 1), mark }
        })
        .collect();
    placed.sort_by_key(|p| (p.start, p.end));
    let room = style.frame().saturating_sub(margin.width());
    let whole = expanded(text).0;
    if width(&whole) > room && !seen_together(&placed, room) {
        return folded(&whole, &placed, (place, margin, room), style);
    }
    let (shown, skipped) = window(&whole, &placed, room);
    for p in &mut placed {
        p.start = p.start.saturating_sub(skipped);
        p.end = p.end.saturating_sub(skipped).clamp(p.start + 1, room.max(p.start + 1));
    }
    let mut line = margin.line(Some(place + 1));
    line.append(&shown);
    let mut lines = vec![line];
    lines.extend(marked(&placed, margin, style));
    lines
}

fn line_start(source: &Source, place: usize) -> usize {
    let text = source.text();
    let line = source.line(place);
    // `line` is a slice of `text`: its offset is its distance from the beginning.
    (line.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// A line as it is drawn, with tabs as blanks, and its width.
fn expanded(text: &str) -> (String, usize) {
    let text = visible(text).replace('\t', &" ".repeat(TAB));
    let columns = width(&text);
    (text, columns)
}

/// Whether the part of a long line around the main mark shows the others too.
fn seen_together(placed: &[Placed], room: usize) -> bool {
    let (from, ends) = (begin(placed, room), placed.iter().map(|p| p.end).max().unwrap_or(0));
    placed.len() < 2 || placed.iter().all(|p| p.start >= from) && ends + ELLIPSES <= from + room
}

/// A long line in pieces, those that have marks each above its own.
fn folded(
    text: &str,
    placed: &[Placed],
    (place, margin, room): (usize, Margin, usize),
    style: &Style,
) -> Vec<Line> {
    let pieces = pieces(text, room.saturating_sub(ELLIPSES));
    let inside = |at: usize| {
        let end = pieces.get(at + 1).map_or(usize::MAX, |(next, _)| *next);
        let start = pieces[at].0;
        placed.iter().filter(move |p| (start..end).contains(&p.start))
    };
    let has_marks = |at: usize| inside(at).next().is_some();
    let mut lines = Vec::new();
    for (at, (start, piece)) in pieces.iter().enumerate().filter(|(at, _)| has_marks(*at)) {
        let first = lines.is_empty();
        let mut line = margin.line(first.then_some(place + 1));
        let before = line.width();
        if at > 0 && !has_marks(at - 1) {
            line.plain("… ");
        }
        let shift = line.width() - before;
        line.push(Role::User, piece.as_str());
        if at + 1 < pieces.len() && !has_marks(at + 1) {
            line.plain(" …");
        }
        lines.push(line);
        let columns = width(piece).max(1);
        let own: Vec<Placed> = inside(at)
            .map(|p| {
                let from = (p.start - start).min(columns - 1);
                let to = (p.end - start).clamp(from + 1, columns.max(from + 1));
                Placed { start: from + shift, end: to + shift, mark: p.mark }
            })
            .collect();
        lines.extend(marked(&own, margin, style));
    }
    lines
}

/// A text in pieces that fit, broken behind a statement where one ends in time, else at a blank: each
/// with the column where it begins.
fn pieces(text: &str, room: usize) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    let (mut start, mut rest) = (0, text);
    while width(rest) > room {
        let mut used = 0;
        let full = rest.char_indices().skip(1).find(|(_, c)| {
            used += width(c.encode_utf8(&mut [0; 4]));
            used >= room
        });
        let head = &rest[..full.map_or(rest.len(), |(at, _)| at)];
        let behind = |sign: &str| head.rfind(sign).map(|at| at + sign.len());
        let sound = |at: &usize| !head[..*at].trim().is_empty();
        let at = behind("; ").or_else(|| behind(" ")).filter(sound).unwrap_or(head.len());
        all.push((start, rest[..at].trim_end().to_string()));
        start += width(&rest[..at]);
        rest = &rest[at..];
        if rest.is_empty() {
            return all;
        }
    }
    all.push((start, rest.to_string()));
    all
}

/// The column at which the part of a long line around its main mark begins.
fn begin(placed: &[Placed], room: usize) -> usize {
    let main = placed.iter().find(|p| p.mark.main).or(placed.first());
    let start = main.map_or(0, |p| p.start);
    if start + CONTEXT < room { 0 } else { start - CONTEXT }
}

/// The part of a long line around the marks, and how many columns it leaves out before.
fn window(text: &str, placed: &[Placed], room: usize) -> (Line, usize) {
    if width(text) <= room {
        return (Line::of(Role::User, text), 0);
    }
    let from = begin(placed, room);
    let mut line = Line::new();
    let mut column = 0;
    let mut skipped = 0;
    let mut piece = String::new();
    let mut used = 0;
    for c in text.chars() {
        let columns = width(c.encode_utf8(&mut [0; 4]));
        if from > 0 && column < from {
            column += columns;
            skipped = column;
            continue;
        }
        if used + columns + 3 > room {
            piece.push('…');
            break;
        }
        piece.push(c);
        used += columns;
        column += columns;
    }
    if skipped > 0 {
        line.plain("… ");
        skipped -= 2;
    }
    let cut = piece.strip_suffix('…').map(str::to_string);
    match cut {
        Some(shown) => line.push(Role::User, shown).plain("…"),
        None => line.push(Role::User, piece),
    };
    (line, skipped)
}

/// The row of carets, the rightmost label beside it, the others below.
fn marked(placed: &[Placed], margin: Margin, style: &Style) -> Vec<Line> {
    let mut row = margin.line(None);
    let base = row.width();
    let end = placed.iter().map(|p| p.end).max().unwrap_or(0);
    let mut signs = vec![(Role::Plain, ' '); end];
    for main in [false, true] {
        for p in placed.iter().filter(|p| p.mark.main == main) {
            let sign = if main { (Role::Differs, '^') } else { (Role::Plain, '─') };
            signs[p.start..p.end].fill(sign);
        }
    }
    for (role, sign) in signs {
        row.push(role, sign.to_string());
    }
    let mut labelled: Vec<&Placed> = placed.iter().filter(|p| p.mark.label.is_some()).collect();
    labelled.sort_by_key(|p| p.start);
    let mut lines = Vec::new();
    let room = style.frame().saturating_sub(base + end + 1);
    // The rightmost stands beside the carets, if nothing is marked right of it.
    let beside =
        labelled.last().is_some_and(|p| p.end == end && (room >= LABEL || width(label(p)) <= room));
    if beside && let Some(p) = labelled.pop() {
        let text = fold(&Line::of(Role::Plain, label(p)), room, 0);
        let mut rest = text.into_iter();
        row.plain(" ");
        let column = row.width();
        row.append(&rest.next().unwrap_or_default());
        lines.push(row);
        for part in rest {
            let mut line = margin.line(None);
            bars(&mut line, base, &labelled);
            line.pad(column).append(&part);
            lines.push(line);
        }
    } else {
        lines.push(row);
    }
    if labelled.len() > 1 || beside && !labelled.is_empty() {
        let mut line = margin.line(None);
        bars(&mut line, base, &labelled);
        lines.push(line);
    }
    while let Some(p) = labelled.pop() {
        // It begins at its mark; without room for words there, it ends at it.
        let frame = style.frame().saturating_sub(base);
        let long = width(label(p));
        let right = frame.saturating_sub(p.start);
        let ends = right < LABEL.min(long) && p.start > right;
        let room = if ends { p.start - 1 } else { frame.saturating_sub(p.start) };
        let parts = fold(&Line::of(Role::Plain, label(p)), room, 0);
        let wide = parts.iter().map(Line::width).max().unwrap_or(0);
        let start = if ends { p.start.saturating_sub(wide + 1) } else { p.start };
        let before = labelled.iter().filter(|other| other.start + 1 < start).copied();
        let before: Vec<&Placed> = before.collect();
        for (k, part) in parts.iter().enumerate() {
            let mut line = margin.line(None);
            bars(&mut line, base, &before);
            line.pad(base + start).append(part);
            if ends && k == 0 {
                line.pad(base + p.start).plain("┘");
            }
            lines.push(line);
        }
    }
    lines
}

fn label<'a>(p: &Placed<'a>) -> &'a str {
    p.mark.label.as_deref().unwrap_or("")
}

/// A bar under each mark whose label is still to come.
fn bars(line: &mut Line, base: usize, labelled: &[&Placed]) {
    for p in labelled {
        line.pad(base + p.start);
        if line.width() == base + p.start {
            line.plain("│");
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::terminal;

    fn drawn(text: &str, marks: &[(usize, usize, &str, bool)]) -> String {
        let marks: Vec<Mark> = marks
            .iter()
            .map(|&(a, b, label, main)| Mark {
                span: Span::new(a, b),
                label: (!label.is_empty()).then(|| label.to_string()),
                main,
            })
            .collect();
        let style = Style::canonical();
        terminal::text(&lines(&Source::new(text), &marks, &style), &style).into_string()
    }

    #[test]
    fn operands_and_operator() {
        let text = drawn(
            "A @ x",
            &[
                (2, 3, "", true),
                (0, 1, "A has shape [2, 3]: 3 columns; they must be equal", false),
                (4, 5, "x has shape [2, 2]: 2 rows", false),
            ],
        );
        assert_eq!(
            text,
            "  │ A @ x\n  │ ─ ^ ─ x has shape [2, 2]: 2 rows\n  │ │\n  │ A has shape [2, 3]: 3 columns; they must be equal\n"
        );
    }

    #[test]
    fn tabs_and_wide_letters_shift_nothing() {
        assert_eq!(
            drawn("\t漢 = z", &[(7, 8, "here", true)]),
            "  │     漢 = z\n  │          ^ here\n"
        );
    }

    #[test]
    fn lines_are_numbered_where_there_are_several() {
        assert_eq!(
            drawn("x = 1\ny = z\n", &[(10, 11, "z is not defined", true)]),
            "  2 │ y = z\n    │     ^ z is not defined\n"
        );
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{} + z + {}", "1+".repeat(100), "2+".repeat(100));
        let shown = drawn(&text, &[(203, 204, "here", true)]);
        let mut rows = shown.lines();
        let (code, carets) = (rows.next().unwrap(), rows.next().unwrap());
        assert!(width(code) <= 80, "{code}");
        let caret = carets.chars().position(|c| c == '^').unwrap();
        assert_eq!(code.chars().nth(caret), Some('z'), "{shown}");
    }

    #[test]
    fn spans_over_lines_and_ends() {
        assert_eq!(drawn("f(", &[(2, 2, "", true)]), "  │ f(\n  │   ^\n");
        let text = drawn("f(1,\n  2)", &[(0, 9, "two", true)]);
        assert_eq!(text, "  1 │ f(1,\n    │ ^^^^ two\n");
    }
}
