//! The grey text after the cursor: the arguments of the call that it stands in, the result of the line,
//! what a command does.

use crate::commands;
use crate::commands::table::COMMANDS;
use vjp_eval::Machine;
use vjp_eval::record::event::{Remark, Shown};
use vjp_library::introspect;
use vjp_library::introspect::Call;
use vjp_report::{Style, echo};
use vjp_tensor::Tensor;
use vjp_text::TokenKind;
use vjp_text::tokens::{Scanner, Token};
use vjp_tutor::preview::{Preview, preview};

/// Longer inputs get no hint.
pub const LONGEST: usize = 4096;

/// Less room than this says nothing.
const LEAST: usize = 8;

/// So many gradients are shown with their values.
const GRADIENTS: usize = 2;

/// The hint for `text` with the cursor at `at`, at most `room` columns wide; `values`: also what the
/// line would give.
pub fn hint(
    machine: &mut Machine,
    style: &Style,
    text: &str,
    at: usize,
    room: usize,
    values: bool,
) -> Option<String> {
    if room < LEAST || text.trim().is_empty() || text.len() > LONGEST {
        return None;
    }
    if let Some(command) = text.trim_start().strip_prefix(':') {
        return about_command(command, room);
    }
    if let Some(signature) = signature(machine, &text[..at], room) {
        return Some(signature);
    }
    // A block that is gone into has its value once it stands whole.
    let within = text.contains('\n') && at < text.len();
    if !values || within || commands::spoken(text, machine).is_some() {
        return None;
    }
    let preview = preview(machine, text)?;
    let shown = value(text, &preview, room.saturating_sub(2), style)?;
    Some(format!("→ {shown}"))
}

fn about_command(typed: &str, room: usize) -> Option<String> {
    let command = COMMANDS.iter().find(|c| c.name == typed.trim_end())?;
    let text = match command.args {
        "" => command.one_line.to_owned(),
        args => format!("{args}  {}", command.one_line),
    };
    Some(cut(&text, room))
}

/// How the call that is open at the end of `text` is made, with the present parameter marked.
fn signature(machine: &Machine, text: &str, room: usize) -> Option<String> {
    let at = call_at(text)?;
    let call = call_of(machine, &at)?;
    let name = format!("{}{}", if at.computed { "." } else { "" }, at.path.join("."));
    let current = current(&call, &at);
    let parts: Vec<String> = call
        .params
        .iter()
        .enumerate()
        .map(|(k, p)| if Some(k) == current { format!("«{p}»") } else { p.clone() })
        .collect();
    let whole = format!("{name}({})", parts.join(", "));
    if whole.chars().count() <= room {
        return Some(whole);
    }
    // Around the present one, as many as fit.
    let (mut from, mut to) = (current.unwrap_or(0), (current.unwrap_or(0) + 1).min(parts.len()));
    let text = |from: usize, to: usize| {
        let before = if from > 0 { "…, " } else { "" };
        let after = if to < parts.len() { ", …" } else { "" };
        format!("({before}{}{after})", parts[from..to].join(", "))
    };
    let fits = |from: usize, to: usize| text(from, to).chars().count() <= room;
    loop {
        if to < parts.len() && fits(from, to + 1) {
            to += 1;
        } else if from > 0 && fits(from - 1, to) {
            from -= 1;
        } else {
            break;
        }
    }
    fits(from, to).then(|| text(from, to))
}

/// How the call at the cursor is made.
pub fn call_of(machine: &Machine, at: &CallAt) -> Option<Call> {
    let (first, method) = (at.path.first()?, at.path.last()?);
    match at.computed || at.path.len() > 1 && machine.lookup(first).is_none() {
        false => introspect::call(&introspect::known(machine, &at.path)?),
        // Of what is not there yet, a tensor is the likeliest.
        true => introspect::tensor_method(method),
    }
}

/// Which parameter the argument at the cursor is for.
fn current(call: &Call, at: &CallAt) -> Option<usize> {
    let named = |p: &String| p.split('=').next().unwrap_or(p).trim_start_matches('*').to_owned();
    if let Some(keyword) = at.keyword {
        return call
            .params
            .iter()
            .position(|p| named(p) == keyword)
            .or_else(|| call.params.iter().position(|p| p.starts_with("**")));
    }
    let mut left = at.argument;
    for (k, p) in call.params.iter().enumerate() {
        match p.as_str() {
            "/" => continue,
            "*" => return None,
            p if p.starts_with("**") => return None,
            p if p.starts_with('*') || left == 0 => return Some(k),
            _ => left -= 1,
        }
    }
    None
}

/// What a preview says in `room` columns; None where the text says it itself.
fn value(text: &str, preview: &Preview, room: usize, style: &Style) -> Option<String> {
    if !preview.grads.is_empty() {
        return gradients(&preview.grads, room, style);
    }
    let (shown, remark) = preview.value.as_ref()?;
    let brief = brief(shown, remark.as_ref(), room, style)?;
    let bare = |t: &str| t.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    // `x = [1, 2]` shows its value already.
    let before = bare(text);
    let told =
        before.strip_suffix(&bare(&brief)).is_some_and(|b| b.is_empty() || b.ends_with(['=', ';']));
    (!told).then_some(brief)
}

/// A value in `room` columns, by its shape where it is large.
pub fn brief(shown: &Shown, remark: Option<&Remark>, room: usize, style: &Style) -> Option<String> {
    match shown {
        Shown::Tensor(t) => {
            let shape = match (t.shape(), remark) {
                ([], _) => String::new(),
                ([_], None | Some(Remark::Leaf { .. })) if t.numel() <= 6 => String::new(),
                (shape, _) => format!("shape {shape:?}"),
            };
            tensor(t, &shape, room, style)
        }
        Shown::Int(n) => Some(n.to_string()).filter(|t| t.len() <= room),
        Shown::Text(text) if text.starts_with('<') => None,
        Shown::Text(text) | Shown::Repr(text) => {
            let line = text.lines().next().unwrap_or_default();
            Some(match line.len() < text.len() {
                true => cut(&format!("{line} …"), room),
                false => cut(line, room),
            })
        }
    }
}

/// The numbers with the shape behind; one of the two where both are too long.
fn tensor(t: &Tensor, shape: &str, room: usize, style: &Style) -> Option<String> {
    let beside = match shape {
        "" => 0,
        shape => shape.chars().count() + 2,
    };
    let numbers = |room: usize| {
        let text = echo::on_one_line(t, room, style)?;
        (text.chars().count() <= room).then_some(text)
    };
    if let Some(numbers) = room.checked_sub(beside).and_then(numbers) {
        return Some(match shape {
            "" => numbers,
            shape => format!("{numbers}  {shape}"),
        });
    }
    let whole = numbers(room).filter(|n| !n.contains('…'));
    whole.or_else(|| Some(format!("shape {:?}", t.shape())).filter(|s| s.chars().count() <= room))
}

fn gradients(grads: &[(String, Tensor)], room: usize, style: &Style) -> Option<String> {
    let shown = grads.len().min(GRADIENTS);
    for values in [true, false] {
        let each = room / shown;
        let mut parts = Vec::new();
        for (name, grad) in &grads[..shown] {
            let head = format!("{name}.grad ");
            let shape = match grad.shape() {
                [] => String::new(),
                shape => format!("shape {shape:?}"),
            };
            let left = each.saturating_sub(head.chars().count());
            let body = match values {
                true => tensor(grad, &shape, left, style),
                false => Some(shape),
            };
            parts.extend(body.map(|body| format!("{head}{body}")));
        }
        let mut text = parts.join("  ");
        if grads.len() > shown {
            let more = grads.len() - shown;
            text += &format!("  … {more} more gradient{}", if more == 1 { "" } else { "s" });
        }
        if parts.len() == shown && text.chars().count() <= room {
            return Some(text);
        }
    }
    None
}

/// A text in `room` columns.
pub fn cut(text: &str, room: usize) -> String {
    match text.chars().count() <= room {
        true => text.to_owned(),
        false => text.chars().take(room.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// A call under the cursor.
#[derive(Debug, PartialEq, Eq)]
pub struct CallAt<'a> {
    /// `torch`, `clamp`
    pub path: Vec<&'a str>,
    /// Something other than a name comes before the first: `(x + 1).sum(`.
    pub computed: bool,
    /// Which argument is being written, from 0.
    pub argument: usize,
    /// `dim` of `dim=…`, where the argument has a name.
    pub keyword: Option<&'a str>,
    /// Nothing is written of the argument yet, or a name only.
    pub fresh: bool,
}

/// The innermost call that is open at the end of `text`.
pub fn call_at(text: &str) -> Option<CallAt<'_>> {
    let (tokens, _) = Scanner::new(text).tokens();
    let word = |t: &Token| &text[t.span.start as usize..t.span.end as usize];
    let tokens: Vec<&Token> = tokens
        .iter()
        .filter(|t| {
            use TokenKind::{Dedent, End, Indent, Newline};
            // Where the text breaks off inside brackets stands an empty token.
            !t.span.is_empty() && !matches!(t.kind, Newline | Indent | Dedent | End)
        })
        .collect();
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Op {
            continue;
        }
        match word(token) {
            "(" | "[" | "{" => open.push((at, 0, at + 1)),
            ")" | "]" | "}" => {
                open.pop();
            }
            "," => {
                if let Some(last) = open.last_mut() {
                    (last.1, last.2) = (last.1 + 1, at + 1);
                }
            }
            _ => {}
        }
    }
    let is_call = |at: usize| {
        let callee = at.checked_sub(1).is_some_and(|k| tokens[k].kind == TokenKind::Name);
        let defined = at.checked_sub(2).is_some_and(|k| matches!(word(tokens[k]), "def" | "class"));
        word(tokens[at]) == "(" && callee && !defined
    };
    let (at, argument, begins) = open.into_iter().rev().find(|(at, ..)| is_call(*at))?;
    let mut path = vec![word(tokens[at - 1])];
    let mut first = at - 1;
    let mut computed = false;
    while first >= 1 && word(tokens[first - 1]) == "." {
        match first.checked_sub(2).map(|k| tokens[k]) {
            Some(t) if t.kind == TokenKind::Name => {
                first -= 2;
                path.insert(0, word(t));
            }
            _ => {
                computed = true;
                break;
            }
        }
    }
    let written = &tokens[begins.min(tokens.len())..];
    let keyword = match written {
        [name, equals, ..] if name.kind == TokenKind::Name && word(equals) == "=" => {
            Some(word(name))
        }
        _ => None,
    };
    let fresh = written.is_empty() || written.len() == 1 && written[0].kind == TokenKind::Name;
    Some(CallAt { path, computed, argument, keyword, fresh })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<(String, usize, Option<&str>)> {
        call_at(text).map(|c| (c.path.join("."), c.argument, c.keyword))
    }

    #[test]
    fn the_innermost_open_call_is_found() {
        assert_eq!(at("torch.clamp(x, "), Some(("torch.clamp".into(), 1, None)));
        assert_eq!(at("clamp([1, 2"), Some(("clamp".into(), 0, None)));
        assert_eq!(at("clamp(f(1, 2), max="), Some(("clamp".into(), 1, Some("max"))));
        assert_eq!(at("sum((1, (2"), Some(("sum".into(), 0, None)));
        assert_eq!(at("clamp(x)"), None);
        assert_eq!(at("def f(x"), None);
        assert_eq!(at("(x, "), None);
        assert_eq!(at("print('(', "), Some(("print".into(), 1, None)));
        assert!(call_at("clamp(x, m").is_some_and(|c| c.fresh));
        assert!(call_at("clamp(x, m + ").is_some_and(|c| !c.fresh));
        assert!(call_at("(x + 1).sum(").is_some_and(|c| c.computed));
    }
}
