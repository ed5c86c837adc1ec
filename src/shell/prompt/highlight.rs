//! Colours of what is typed and replayed, by the scanner's tokens and the parser's verdict. Colour
//! never carries a meaning alone.

use crate::commands::table::{self, Completes};
use vjp_eval::Machine;
use vjp_report::Painted;
use vjp_report::terminal::theme::current;
use vjp_session::replay::Role;
use vjp_session::transcript::{CONTINUATION, PROMPT};
use vjp_syntax::Mode;
use vjp_text::tokens::Scanner;
use vjp_text::{Source, Span, TokenKind};

/// What the session has bound.
const OWN: &str = "\x1b[1m";
/// A bracket beside the cursor, and its partner.
const PAIR: &str = "\x1b[1;4m";
/// Never by colour alone: errors are underlined.
const WRONG: &str = "\x1b[4;31m";

/// A text in a colour.
fn colored(color: &str, text: &str) -> Painted {
    let mut painted = Painted::new();
    painted.color(color, text);
    painted
}

/// A prompt in its colour.
pub fn prompt(text: &str) -> Painted {
    colored(current().prompt, text)
}

/// A line of a replayed session.
pub fn line(text: &str, role: Role, color: bool) -> Painted {
    if !color {
        return Painted::plain(text);
    }
    match role {
        Role::Narration => colored(current().prose, text),
        Role::Frame => Painted::plain(text),
        Role::Input | Role::Waiting => {
            let rest = text.trim_start();
            let mut painted = Painted::plain(&text[..text.len() - rest.len()]);
            match [PROMPT, CONTINUATION].iter().find_map(|p| rest.strip_prefix(p).map(|r| (p, r))) {
                Some((start, code)) => painted.append(&prompt(start)).append(&self::code(code)),
                None => painted.append(&prompt(rest)),
            };
            painted
        }
    }
}

/// A hint in its colour.
pub fn hint(text: &str) -> Painted {
    colored(current().preview, text)
}

/// A piece of program by its tokens alone.
pub fn code(text: &str) -> Painted {
    paint(text, &spans(text, &|_| ""))
}

/// What is being typed: names by what they stand for, brackets at the cursor, what cannot be read.
pub fn input(text: &str, cursor: Option<usize>, machine: &Machine) -> Painted {
    let trimmed = text.trim_start();
    if trimmed.starts_with([':', '?', '!']) {
        return command(text, machine);
    }
    let mut spans = spans(text, &|name| standing(name, machine));
    if let Some(cursor) = cursor {
        for at in pair(text, cursor).into_iter().flatten() {
            mark(&mut spans, at, at + 1, PAIR);
        }
    }
    if let Some(wrong) = wrong(text, machine.strict()) {
        mark(&mut spans, wrong.start as usize, wrong.end as usize, WRONG);
    }
    paint(text, &spans)
}

/// The colour of a name by what it stands for.
fn standing(name: &str, machine: &Machine) -> &'static str {
    match machine.binds(name) {
        true => OWN,
        false if machine.lookup(name).is_some() => current().given,
        false => "",
    }
}

/// `:name`, and its argument where that is a piece of program.
fn command(text: &str, machine: &Machine) -> Painted {
    let Some(at) = text.find(':').filter(|_| text.trim_start().starts_with(':')) else {
        return colored(current().keyword, text);
    };
    let end = text[at..].find(' ').map_or(text.len(), |n| at + n);
    let found = table::find(&text[at + 1..end]);
    let color = match &found {
        Ok(_) => current().keyword,
        Err(_) if end < text.len() => WRONG,
        Err(_) => "",
    };
    let mut painted = Painted::plain(&text[..at]);
    painted.color(color, &text[at..end]);
    // More than code may stand there, `at 1.5`: nothing is called wrong.
    let code = &text[end..];
    match found.is_ok_and(|c| c.completes == Completes::Code) {
        true => painted.append(&paint(code, &spans(code, &|name| standing(name, machine)))),
        false => painted.push(code),
    };
    painted
}

/// A piece of text and its colour.
type Piece = (usize, usize, &'static str);

/// Tokens and comments with their colours, in order.
fn spans(text: &str, known: &dyn Fn(&str) -> &'static str) -> Vec<Piece> {
    let (tokens, _) = Scanner::new(text).tokens();
    let mut spans = Vec::with_capacity(tokens.len());
    let mut end = 0;
    for (k, token) in tokens.iter().enumerate() {
        let (start, stop) = (token.span.start as usize, token.span.end as usize);
        comments(text, end, start, &mut spans);
        end = end.max(stop);
        let word = &text[start..stop];
        let before = k.checked_sub(1).map(|k| tokens[k]);
        let color = match token.kind {
            TokenKind::Keyword => current().keyword,
            TokenKind::Number => current().number,
            TokenKind::Str => current().string,
            TokenKind::Name
                if before.is_some_and(|b| {
                    text[b.span.start as usize..].starts_with('.') && b.kind == TokenKind::Op
                }) =>
            {
                ""
            }
            TokenKind::Name => known(word),
            TokenKind::Bad if word.starts_with(['"', '\'']) => current().string,
            _ => "",
        };
        if !color.is_empty() && stop > start {
            spans.push((start, stop, color));
        }
    }
    comments(text, end, text.len(), &mut spans);
    spans
}

/// Between two tokens stand blanks and comments only.
fn comments(text: &str, from: usize, to: usize, spans: &mut Vec<Piece>) {
    let mut at = from;
    while at < to
        && let Some(n) = text[at..to].find('#')
    {
        let end = text[at + n..to].find('\n').map_or(to, |e| at + n + e);
        spans.push((at + n, end, current().prose));
        at = end;
    }
}

/// The bracket before or under the cursor and its partner, brackets in strings left out.
fn pair(text: &str, cursor: usize) -> Option<[usize; 2]> {
    let (tokens, _) = Scanner::new(text).tokens();
    let mut open = Vec::new();
    for token in tokens.iter().filter(|t| t.kind == TokenKind::Op) {
        let at = token.span.start as usize;
        match &text[at..token.span.end as usize] {
            "(" | "[" | "{" => open.push(at),
            ")" | "]" | "}" => {
                let first = open.pop()?;
                let near = |b: usize| b == cursor || b + 1 == cursor;
                if near(at) || near(first) {
                    return Some([first, at]);
                }
            }
            _ => {}
        }
    }
    None
}

/// What the parser cannot accept, unless it is only not finished yet.
fn wrong(text: &str, strict: bool) -> Option<Span> {
    let fault = vjp_syntax::parse(&Source::new(text), Mode { strict }).err()?;
    let rest = text.get(fault.span.end as usize..).unwrap_or_default();
    (!fault.incomplete && !rest.trim().is_empty()).then_some(fault.span)
}

/// Gives a part of the text another colour.
fn mark(spans: &mut Vec<Piece>, start: usize, end: usize, color: &'static str) {
    let mut out = Vec::with_capacity(spans.len() + 2);
    for &(s, e, c) in spans.iter() {
        if e <= start || s >= end {
            out.push((s, e, c));
            continue;
        }
        if s < start {
            out.push((s, start, c));
        }
        if e > end {
            out.push((end, e, c));
        }
    }
    out.push((start, end, color));
    out.sort_unstable_by_key(|p| p.0);
    *spans = out;
}

/// The text with its colours; each ends with its line.
fn paint(text: &str, spans: &[Piece]) -> Painted {
    let (mut out, mut end) = (Painted::new(), 0);
    for &(start, stop, color) in spans {
        let (Some(before), Some(piece)) = (text.get(end..start), text.get(start..stop)) else {
            continue;
        };
        out.push(before);
        for (k, line) in piece.split('\n').enumerate() {
            if k > 0 {
                out.push("\n");
            }
            out.color(color, line);
        }
        end = stop;
    }
    out.push(&text[end..]);
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use vjp_report::terminal::painted::RESET;

    fn plain(text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find('\x1b') {
            out.push_str(&rest[..start]);
            rest = rest[start..].split_once('m').unwrap().1;
        }
        out + rest
    }

    #[test]
    fn colours_change_no_character() {
        for text in
            ["for v in [1., 'a\\'b', \"open", "Wᵀ₁ = 3*x^2 # θ", "y.backward([1e-3])\n  'ü'"]
        {
            assert_eq!(plain(code(text).as_str()), text);
        }
        assert_eq!(
            line("vjp> 1", Role::Input, true).as_str(),
            format!("{}vjp> {RESET}{}1{RESET}", current().prompt, current().number)
        );
    }
}
