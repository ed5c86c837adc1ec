//! Indentation while a block is typed: what a new line begins with, and where a clause belongs.

use vjp_text::lines::{self, CONTINUATIONS, Completeness, Reason, Setting};

/// Columns of a step.
pub const STEP: usize = 4;

/// Statements behind which a block ends.
const LAST: &[&str] = &["return", "raise", "break", "continue", "pass"];

/// Columns before the first letter of a line.
pub fn column(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The column where the line after `text` begins: a step further in after a header, a step back
/// after a statement that ends a block.
pub fn next(text: &str) -> usize {
    let line = text.rsplit('\n').next().unwrap_or("");
    let own = column(line);
    let words = line.trim_start();
    match lines::complete(text, Setting::Prompt) {
        Completeness::Open(Reason::Header) if !words.starts_with('@') => own + STEP,
        Completeness::Open(Reason::Block) if LAST.contains(&first_word(words)) => {
            own.saturating_sub(STEP)
        }
        _ => own,
    }
}

/// The column before `column` where a step ends.
pub fn back(column: usize) -> usize {
    column.saturating_sub(1) / STEP * STEP
}

/// Where `else:` and its like, the last line of `text`, should stand instead: in the column of the
/// innermost header above that it goes on with. None where it stands right, or nowhere would be.
pub fn clause(text: &str) -> Option<usize> {
    let (above, line) = text.rsplit_once('\n')?;
    let word = first_word(line.trim_start());
    if !CONTINUATIONS.contains(&word) {
        return None;
    }
    let goes_on_with: &[&str] = match word {
        "elif" => &["if", "elif"],
        "else" => &["if", "elif", "for", "while", "except"],
        _ => &["try", "except"],
    };
    let mut limit = column(line) + 1;
    for header in above.lines().rev().filter(|l| !l.trim().is_empty()) {
        let own = column(header);
        if own < limit {
            limit = own;
            if goes_on_with.contains(&first_word(header.trim_start())) {
                return (own != column(line)).then_some(own);
            }
        }
    }
    None
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_begins_where_python_s_prompt_begins_it() {
        let cases = [
            ("x = 1", 0),
            ("for i in x:", 4),
            ("for i in x:  # all", 4),
            ("def f(x):\n    y = x", 4),
            ("def f(x):\n    if x > 0:", 8),
            ("def f(x):\n    if x > 0:\n        return x", 4),
            ("def f(x):\n    return x", 0),
            ("@torch.no_grad()", 0),
            ("d = {1:", 0),
            ("def f(x):\n    y = [x,", 4),
        ];
        for (text, column) in cases {
            assert_eq!(next(text), column, "{text}");
        }
        assert_eq!([8, 6, 4, 1, 0].map(back), [4, 4, 0, 0, 0]);
    }

    #[test]
    fn a_clause_stands_below_its_header() {
        let cases = [
            ("if x:\n    y\n    else:", Some(0)),
            ("if x:\n    y\nelse:", None),
            ("for i in x:\n    if i:\n        y\n        elif z:", Some(4)),
            ("for i in x:\n    if i:\n        y\n    else:", None),
            ("try:\n    y\n    except E as e:", Some(0)),
            ("try:\n    y\nexcept E:\n    z\n    finally:", Some(0)),
            ("def f(x):\n    return x\n    else:", None),
            ("if x:\n    y\n    z = 3", None),
        ];
        for (text, wanted) in cases {
            assert_eq!(clause(text), wanted, "{text}");
        }
    }
}
