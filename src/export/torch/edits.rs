//! Changes to a text by place, so that what is not changed stays as it was written.

use vjp_text::Span;

/// At one place, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Close,
    Open,
    Replace,
}

struct Edit {
    span: Span,
    kind: Kind,
    text: String,
}

/// Replacements of spans, and brackets around them.
#[derive(Default)]
pub struct Edits(Vec<Edit>);

impl Edits {
    pub fn replace(&mut self, span: Span, text: impl Into<String>) {
        self.push(span, Kind::Replace, text.into());
    }

    /// Before what stands at `at`.
    pub fn before(&mut self, at: u32, text: impl Into<String>) {
        self.push(Span { start: at, end: at }, Kind::Open, text.into());
    }

    /// After what ends at `at`.
    pub fn after(&mut self, at: u32, text: impl Into<String>) {
        self.push(Span { start: at, end: at }, Kind::Close, text.into());
    }

    /// Around an expression; an outer one is to come before its parts.
    pub fn around(&mut self, span: Span, before: impl Into<String>, after: impl Into<String>) {
        self.before(span.start, before);
        self.after(span.end, after);
    }

    fn push(&mut self, span: Span, kind: Kind, text: String) {
        self.0.push(Edit { span, kind, text });
    }

    /// The part of `text` in `within`, changed.
    pub fn apply(self, text: &str, within: Span) -> String {
        let mut order: Vec<(u32, Kind, isize, &Edit)> = (0isize..)
            .zip(&self.0)
            .map(|(n, e)| match e.kind {
                Kind::Close => (e.span.start, e.kind, -n, e),
                _ => (e.span.start, e.kind, n, e),
            })
            .collect();
        order.sort_by_key(|(at, kind, n, _)| (*at, *kind, *n));
        let mut out = String::new();
        let mut at = within.start;
        for (_, _, _, edit) in order {
            let span = edit.span;
            // Inside something that was replaced as a whole, or elsewhere.
            if span.start < at || span.end > within.end {
                continue;
            }
            out += &text[at as usize..span.start as usize];
            out += &edit.text;
            at = span.end;
        }
        out += &text[at as usize..within.end as usize];
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_nest_where_they_end_together() {
        let mut edits = Edits::default();
        edits.around(Span::new(0, 3), "f(", ")");
        edits.around(Span::new(2, 3), "g[", "]");
        edits.replace(Span::new(1, 2), "**");
        assert_eq!(edits.apply("a^b", Span::new(0, 3)), "f(a**g[b])");
    }
}
