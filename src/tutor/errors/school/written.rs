//! Pieces of the line that is written, with how tightly each holds together and what it stands for.

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Function,
    Number,
    Vector,
    /// A transposed vector.
    Row,
    Matrix,
}

/// How tightly a text holds together.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) enum Holds {
    Relation,
    Sum,
    Product,
    Power,
    Atom,
}

#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) holds: Holds,
    pub(super) kind: Kind,
}

impl Written {
    pub(super) fn atom(text: impl Into<String>, kind: Kind) -> Written {
        Written { text: text.into(), holds: Holds::Atom, kind }
    }

    /// In parentheses where it holds less tightly.
    pub(super) fn at_least(&self, holds: Holds) -> String {
        match self.holds >= holds {
            true => self.text.clone(),
            false => format!("({})", self.text),
        }
    }
}

pub(super) fn is_negative_number(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()))
}

pub(super) fn power(base: &Written, exponent: &Written) -> Option<Written> {
    (base.kind != Kind::Function && exponent.kind != Kind::Function).then_some(())?;
    let negative = is_negative_number(&exponent.text)
        || exponent.text.starts_with('-') && exponent.holds >= Holds::Power;
    let exponent = if negative { exponent.text.clone() } else { exponent.at_least(Holds::Power) };
    let text = format!("{}^{exponent}", base.at_least(Holds::Atom));
    Some(Written { text, holds: Holds::Power, kind: base.kind })
}

/// Without parentheses around all of it.
pub(crate) fn bare(text: &str) -> &str {
    let Some(inside) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0;
    for c in inside.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth < 0 {
            return text;
        }
    }
    inside
}
