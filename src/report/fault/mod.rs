//! Errors and notes: what is wrong, where, in the field's words, and fixes.

pub mod snippet;

use super::echo;
use super::matrix;
use crate::fault::snippet::{Margin, Mark};
use crate::matrix::element_names::Names;
use crate::terminal::line::{fold, width};
use crate::{Line, Role, Style};
use vjp_eval::record::event::Drawing;
use vjp_eval::{Fault, Help, Note};
use vjp_tensor::{Kind, Tensor};
use vjp_text::digits::Digits;
use vjp_text::{Source, Span};

/// Blanks between a line to type and what it does.
const SAYS_GAP: usize = 4;

/// The lines of an error.
pub fn lines(fault: &Fault, style: &Style) -> Vec<Line> {
    let mut lines = pictured(("error", Role::Differs), fault, style);
    if let Some((name, grad)) = &fault.unchanged {
        let mut line = Line::new();
        line.pad(8).push(Role::User, name.as_str());
        line.plain(" is unchanged: ");
        line.push(Role::Cotangent, echo::list(grad, style));
        lines.push(line);
    }
    if !fault.undone.is_empty() {
        lines.extend(undone(&fault.undone, style));
    }
    lines
}

/// What is wrong after a word, where, and the ways out.
pub(crate) fn pictured(word: (&str, Role), fault: &Fault, style: &Style) -> Vec<Line> {
    let mut lines = headline(word, &headline_text(fault), Role::User, style);
    if !fault.source.text().is_empty() {
        let mut marks = vec![Mark { span: fault.span, label: fault.label.clone(), main: true }];
        marks.extend(fault.more.iter().map(|(span, label)| Mark {
            span: *span,
            label: Some(label.clone()),
            main: false,
        }));
        // What is in the same text stands once, with all its marks.
        let apart = |a: Span, b: Span| a.end <= b.start || b.end <= a.start;
        let mut texts: Vec<(&Source, Vec<Mark>)> = vec![(&fault.source, marks)];
        for (source, span, label) in &fault.elsewhere {
            let mark = Mark { span: *span, label: Some(label.clone()), main: false };
            let beside = |(known, marks): &&mut (&Source, Vec<Mark>)| {
                known.text() == source.text() && marks.iter().all(|m| apart(m.span, *span))
            };
            match texts.iter_mut().find(beside) {
                Some((_, marks)) => marks.push(mark),
                None => texts.push((source, vec![mark])),
            }
        }
        for (source, marks) in texts {
            lines.extend(snippet::lines(source, &marks, style));
        }
        if let Some(drawing) = &fault.drawing {
            lines.extend(weights(drawing, Margin::of(&fault.source), style));
        }
    }
    lines.extend(help(&fault.help, style));
    lines
}

/// `the statement was undone: x.grad is None`
fn undone(grads: &[(String, Option<Tensor>)], style: &Style) -> Vec<Line> {
    /// More are counted.
    const NAMED: usize = 3;
    let mut line = Line::new();
    line.pad(8).plain("the whole statement was undone, its backward too: ");
    for (k, (name, grad)) in grads.iter().take(NAMED).enumerate() {
        line.plain(if k == 0 { "" } else { ", " });
        line.push(Role::User, name.as_str()).plain(" is ");
        let room = style.frame() / 2;
        match grad.as_ref().map(|grad| echo::on_one_line(grad, room, style)) {
            None => line.plain("None"),
            Some(Some(text)) => line.push(Role::Cotangent, text),
            Some(None) => line.plain("as before"),
        };
    }
    if grads.len() > NAMED {
        line.plain(format!(", and {} more", grads.len() - NAMED));
    }
    fold(&line, style.frame(), 8)
}

/// The message; with its class as in the last line of Python's traceback, but for the kinds that PyTorch's
/// own errors have and those that say themselves what is missing or misspelled.
fn headline_text(fault: &Fault) -> String {
    let own = fault.class != fault.kind.name();
    let terse = matches!(
        fault.kind,
        Kind::Key
            | Kind::Lookup
            | Kind::Arithmetic
            | Kind::ZeroDivision
            | Kind::Overflow
            | Kind::FloatingPoint
            | Kind::Recursion
            | Kind::Unicode
            | Kind::UnicodeDecode
            | Kind::UnicodeEncode
            | Kind::Assertion
            | Kind::StopIteration
            | Kind::NotImplemented
            | Kind::Exception
            | Kind::SystemExit
    );
    match (fault.message.is_empty(), own || terse || fault.by_raise) {
        (true, _) => fault.class.clone(),
        (false, true) => format!("{}: {}", fault.class, fault.message),
        (false, false) => fault.message.clone(),
    }
}

/// `error  …` or `note  …`, folded with a hanging indent on a terminal.
/// A message of PyTorch's stays as it is (`User`); words of our own have an ASCII form (`Plain`).
fn headline((word, hue): (&str, Role), text: &str, role: Role, style: &Style) -> Vec<Line> {
    let indent = word.len() + 2;
    let mut lines = Vec::new();
    for (k, part) in text.split('\n').enumerate() {
        let mut line = Line::new();
        if k == 0 {
            line.push(hue, word);
        }
        line.pad(indent).push(role, part);
        if style.fold {
            lines.extend(fold(&line, style.frame(), indent));
        } else {
            lines.push(line);
        }
    }
    lines
}

/// `help  y.backward([1, 1])    adds the rows`, codes and words aligned.
fn help(help: &[Help], style: &Style) -> Vec<Line> {
    let frame = style.frame();
    let code = |h: &Help| width(h.code.lines().next_back().unwrap_or(""));
    let says = |h: &Help| width(&h.says);
    // Words stand in a column of their own, if every one of them fits there.
    let widest = help.iter().map(code).max().unwrap_or(0);
    let column = 8 + widest + SAYS_GAP;
    let aligned = help.iter().all(|h| column + says(h) <= frame);
    let mut lines = Vec::new();
    for (k, h) in help.iter().enumerate() {
        let mut codes =
            h.code.split('\n').flat_map(|code| statements(code, frame.saturating_sub(8)));
        let mut line = Line::of(Role::Plain, "  ");
        if k == 0 {
            line.push(Role::Hint, "help");
        }
        line.pad(8).push(Role::User, codes.next().unwrap_or(""));
        let mut parted = false;
        for code in codes {
            lines.push(std::mem::take(&mut line));
            line.pad(8).push(Role::User, code);
            parted = !h.code.contains('\n');
        }
        if h.code.is_empty() {
            line.plain(h.says.as_str());
            lines.extend(fold(&line, frame, 8));
            continue;
        }
        if h.says.is_empty() {
            lines.push(line);
            continue;
        }
        let at = if aligned { column } else { line.width() + SAYS_GAP };
        if parted || at + says(h) > frame {
            lines.push(std::mem::take(&mut line));
        }
        line.pad(if line.is_empty() { 8 + SAYS_GAP } else { at });
        line.plain(h.says.as_str());
        lines.extend(fold(&line, frame, 8 + SAYS_GAP));
    }
    lines
}

/// A line to type in lines that fit: each ends behind a statement.
fn statements(code: &str, room: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = code;
    while width(rest) > room {
        let ends = rest.match_indices("; ").map(|(at, _)| at + 1);
        let Some(end) = ends.take_while(|end| width(&rest[..*end]) <= room).last() else { break };
        lines.push(&rest[..end]);
        rest = &rest[end + 1..];
    }
    lines.push(rest);
    lines
}

/// v beside the rows it should weigh, `?` where one has no partner.
fn weights(drawing: &Drawing, margin: Margin, style: &Style) -> Vec<Line> {
    let Drawing::Weights { v, output, output_shape } = drawing;
    let size: usize = output_shape.iter().product();
    let n = size.max(v.numel());
    let rows = matrix::rows(n, false);
    let data = v.data();
    let digits =
        Digits::typed(rows.iter().flatten().filter_map(|&i| data.get(i).copied()), style.digits);
    let names = Names::new(output, output_shape, style.ascii).fitted(0..size.min(8));
    let texts: Vec<(String, String, &str)> = rows
        .iter()
        .map(|row| match row {
            None => ("⋮".to_string(), String::new(), ""),
            Some(i) => {
                let weight = data.get(*i).map(|&w| digits.text(w));
                let name = (*i < size).then(|| names.label(*i));
                let remark = match (&weight, &name) {
                    (Some(_), None) => "J has no row for this weight",
                    (None, Some(_)) => "v has no weight for this row",
                    _ => "",
                };
                let question = || "?".to_string();
                (weight.unwrap_or_else(question), name.unwrap_or_else(question), remark)
            }
        })
        .collect();
    let weight = texts.iter().map(|t| width(&t.0)).max().unwrap_or(0).max(3);
    let name = texts.iter().map(|t| width(&t.1)).max().unwrap_or(0);
    let mut told = "";
    texts
        .into_iter()
        .map(|(v, row, remark)| {
            let mut line = margin.line(None);
            let base = line.width() + 2;
            line.right(Role::Cotangent, &v, base + weight);
            line.plain("  ").push(Role::User, row);
            // The reason is given once, at the first row without a partner.
            if !remark.is_empty() && told != remark {
                told = remark;
                line.pad(base + weight + name + 6).plain(remark);
            }
            line
        })
        .collect()
}

/// The lines of a note.
pub fn note(note: &Note, style: &Style) -> Vec<Line> {
    remark("note", note, style)
}

pub(crate) fn remark(word: &str, note: &Note, style: &Style) -> Vec<Line> {
    let mut lines = headline((word, Role::Hint), &note.text, Role::Plain, style);
    if let (Some((span, label)), Some(source)) = (&note.at, &note.source) {
        let mark =
            Mark { span: *span, label: Some(label.clone()).filter(|l| !l.is_empty()), main: true };
        lines.extend(snippet::lines(&Source::new(source.as_str()), &[mark], style));
    }
    lines.extend(help(&note.help, style));
    lines
}
