//! A program whose blocks lost their indentation: its probable original.

use super::{Mode, parse};
use vjp_text::Source;

/// Blocks that may have lost their indentation; more would be another defect.
const MOST: usize = 50;

/// The text with the lines below each header without a block indented, up to an empty line; None
/// where that makes no program of it, or where nothing is missing. A guess, to be looked at.
pub fn indented(text: &str, mode: Mode) -> Option<String> {
    let mut text = text.to_owned();
    for round in 0..MOST {
        let fault = match parse(&Source::new(text.as_str()), mode) {
            Ok(_) => return (round > 0).then_some(text),
            Err(fault) => fault,
        };
        if !fault.lacks_block {
            return None;
        }
        let before = text.get(..fault.span.start as usize)?;
        let first = before.matches('\n').count();
        text = one_block(&text, first)?;
    }
    None
}

/// The lines from `first` on, as far as they belong together, four columns further in.
fn one_block(text: &str, first: usize) -> Option<String> {
    let column = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let lines: Vec<&str> = text.lines().collect();
    let own = column(lines.get(first).filter(|l| !l.trim().is_empty())?);
    // Of a loop or a function, what begins with `else:` belongs to an `if` inside.
    let header = lines[..first].iter().rev().find(|l| !l.trim().is_empty())?;
    let word = header.trim_start().split([' ', ':']).next()?;
    let has_clauses = ["if", "elif", "else", "try", "except", "finally"].contains(&word);
    let ends = |line: &&str| {
        let word = line.trim_start();
        let clause = ["else:", "elif ", "except", "finally:"].iter().any(|c| word.starts_with(c));
        word.is_empty() || column(line) < own || column(line) == own && clause && has_clauses
    };
    let last = first + lines[first..].iter().take_while(|l| !ends(l)).count();
    // The block is missing: a clause follows directly.
    if last == first {
        return None;
    }
    let moved = |(n, line): (usize, &&str)| match (first..last).contains(&n) {
        true => format!("    {line}\n"),
        false => format!("{line}\n"),
    };
    Some(lines.iter().enumerate().map(moved).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> Option<String> {
        indented(text, Mode::default())
    }

    #[test]
    fn blocks_get_their_indentation_back() {
        let lost = "x = 1\nfor i in range(3):\nx = x + i\nprint(x)\n\nprint('done')\n";
        let whole = "x = 1\nfor i in range(3):\n    x = x + i\n    print(x)\n\nprint('done')\n";
        assert_eq!(mended(lost).as_deref(), Some(whole));
        let lost = "for i in range(3):\nif i > 1:\nprint(i)\nelse:\nprint('small')\n";
        let whole = "for i in range(3):\n    if i > 1:\n        print(i)\n    else:\n        print('small')\n";
        assert_eq!(mended(lost).as_deref(), Some(whole));
    }

    #[test]
    fn what_is_whole_or_broken_otherwise_stays() {
        assert_eq!(mended("for i in range(3):\n    print(i)\n"), None);
        assert_eq!(mended("for i in range(3):\n"), None);
        assert_eq!(mended("for i in range(3):\nprint(i\n"), None);
        assert_eq!(mended("x = = 2\n"), None);
    }
}
