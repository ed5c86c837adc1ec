//! A piece of Python, with what holds it together.

use vjp_text::Span;

/// An expression's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    pub text: String,
    /// An operator stands at its top level.
    loose: bool,
}

impl Code {
    pub fn of(text: String) -> Code {
        let loose = is_loose(&text);
        Code { text, loose }
    }

    /// Fit to stand beside operators and before a dot.
    pub fn tight(&self) -> String {
        match self.loose {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }

    pub fn is_name(&self) -> bool {
        is_name(&self.text)
    }
}

impl From<String> for Code {
    fn from(text: String) -> Code {
        Code::of(text)
    }
}

impl From<&str> for Code {
    fn from(text: &str) -> Code {
        Code::of(text.to_owned())
    }
}

/// A plain name of Python.
pub fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether something outside brackets and quotes binds less than a dot.
fn is_loose(text: &str) -> bool {
    let mut depth = 0;
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(q), c) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ' ' | '+' | '*' | '/' | '%' | '@' | '<' | '>' | '&' | '|' | '^' | '~' | ',')
                if depth == 0 =>
            {
                return true;
            }
            // A sign, but not that of an exponent: 1e-3.
            (None, '-') if depth == 0 => {
                let digits = text[..at].trim_end_matches(['e', 'E']);
                if !(at > 0
                    && digits.len() < at
                    && digits.ends_with(|c: char| c.is_ascii_digit() || c == '.'))
                {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// The object of a method, or a function's first argument.
#[derive(Clone)]
pub(super) struct Subject {
    pub code: Code,
    pub span: Span,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_would_fall_apart_gets_brackets() {
        for (text, tight) in [
            ("x", "x"),
            ("f(a + b)[0]", "f(a + b)[0]"),
            ("a + b", "(a + b)"),
            ("-x", "(-x)"),
            ("1e-3", "1e-3"),
            ("x.sum(axis=-1)", "x.sum(axis=-1)"),
            ("'a b'", "'a b'"),
            ("lambda x: x", "(lambda x: x)"),
        ] {
            assert_eq!(Code::of(text.to_owned()).tight(), tight);
        }
    }
}
