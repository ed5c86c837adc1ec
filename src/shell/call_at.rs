//! The call whose parentheses the cursor stands in.

use vjp_text::tokens::{Scanner, Token, TokenKind};

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
