//! Texts of any length: places in them are found piece by piece, so that a wish to stop is heard.

use std::rc::Rc;
use vjp_tensor::{Outcome, budget};

/// So much is searched, compared or copied between two looks at the wish to stop.
const PIECE: usize = 1 << 20;

/// The last place up to `at` where a character begins, or the end.
fn floor(s: &str, at: usize) -> usize {
    let mut at = at.min(s.len());
    while !s.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The characters, until somebody wishes to stop.
pub fn chars(s: &str) -> impl Iterator<Item = char> {
    budget::unless_stopped(s.chars())
}

/// A text in pieces, until somebody wishes to stop.
pub fn pieces(s: &str) -> impl Iterator<Item = &str> {
    let mut rest = s;
    std::iter::from_fn(move || {
        let (piece, later) = rest.split_at(floor(rest, PIECE));
        rest = later;
        (!piece.is_empty() && !budget::stopping()).then_some(piece)
    })
}

/// `left` and `right` times the fill character around a text, until somebody wishes to stop.
pub fn padded(s: &str, fill: char, (left, right): (usize, usize)) -> Outcome<String> {
    let missing = left.saturating_add(right).saturating_mul(fill.len_utf8());
    budget::reserve(s.len().saturating_add(missing))?;
    let run = String::from(fill).repeat(left.max(right).min(PIECE));
    let runs = |n: usize| std::iter::repeat_n(n, n.div_ceil(PIECE)).enumerate();
    let piece = |(k, n): (usize, usize)| &run[..PIECE.min(n - k * PIECE) * fill.len_utf8()];
    let mut out = String::with_capacity(s.len() + missing);
    out.extend(budget::unless_stopped(runs(left).map(piece)));
    out.extend(pieces(s));
    out.extend(budget::unless_stopped(runs(right).map(piece)));
    budget::tick()?;
    Ok(out)
}

/// The same text, to be shared; a wish to stop leaves nothing of it.
pub fn shared(s: &str) -> Rc<str> {
    if s.len() <= PIECE {
        return Rc::from(s);
    }
    let mut bytes = Rc::<[u8]>::new_uninit_slice(s.len());
    let places = Rc::get_mut(&mut bytes).into_iter().flat_map(|b| b.chunks_mut(PIECE));
    for (place, piece) in places.zip(s.as_bytes().chunks(PIECE)) {
        if budget::stopping() {
            return Rc::from("");
        }
        // SAFETY: as many bytes as there are places for, which nobody else has.
        unsafe {
            place.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(piece.as_ptr(), piece.len())
        };
    }
    // SAFETY: all bytes were written, and they are those of a text.
    unsafe { Rc::from_raw(Rc::into_raw(bytes.assume_init()) as *const str) }
}

/// Texts one after the other.
pub fn joined(parts: &[&str]) -> Outcome<String> {
    let size = parts.iter().fold(0usize, |all, part| all.saturating_add(part.len()));
    // What was wished and why is told in short texts.
    if size <= PIECE {
        return Ok(parts.concat());
    }
    budget::reserve(size)?;
    let mut all = String::with_capacity(size);
    parts.iter().for_each(|part| all.extend(pieces(part)));
    budget::tick()?;
    Ok(all)
}

/// In lower case: piece by piece, each with some text around it, on which a Σ at a word's end depends.
pub fn lower(s: &str) -> String {
    const AROUND: usize = 64;
    let (mut out, mut at) = (String::with_capacity(s.len()), 0);
    for piece in pieces(s) {
        let end = at + piece.len();
        let (before, after) = (floor(s, at.saturating_sub(AROUND)), floor(s, end + AROUND));
        let all = s[before..after].to_lowercase();
        let skipped = s[before..at].to_lowercase().len();
        let left = s[end..after].to_lowercase().len();
        out.push_str(&all[skipped..all.len() - left]);
        at = end;
    }
    out
}

/// How many characters there are.
pub fn count(s: &str) -> usize {
    pieces(s).map(|p| p.chars().count()).sum()
}

/// Whether `s` begins with `part`, which may be as long as it.
fn begins(s: &str, part: &str) -> bool {
    s.len() >= part.len() && {
        let mut pairs = s.as_bytes().chunks(PIECE).zip(part.as_bytes().chunks(PIECE));
        pairs.all(|(a, b)| !budget::stopping() && a.starts_with(b))
    }
}

/// Where `part` stands first, or last, with an end in `s[from..to]`.
fn found(s: &str, part: &str, (from, to): (usize, usize), last: bool) -> Option<usize> {
    // What begins a long part is looked for first.
    let head = &part[..floor(part, PIECE)];
    let end = to;
    let (mut from, mut to) = (from, to);
    while from <= to && to - from >= head.len() && !budget::stopping() {
        let width = PIECE + head.len();
        let window = match last {
            false => from..floor(s, (from + width).min(to)),
            true => floor(s, to.saturating_sub(width).max(from))..to,
        };
        let at = match last {
            false => s[window.clone()].find(head),
            true => s[window.clone()].rfind(head),
        };
        match at.map(|at| window.start + at) {
            Some(at) if part.len() == head.len() => return Some(at),
            Some(at) if at + part.len() <= end && begins(&s[at..], part) => return Some(at),
            Some(at) if last => to = floor(s, (at + head.len()).saturating_sub(1)),
            Some(at) => from = at + s[at..].chars().next().map_or(1, char::len_utf8),
            None if window == (from..to) => return None,
            None if last => to = floor(s, window.start + head.len().saturating_sub(1)),
            None => from = floor(s, window.end - head.len().saturating_sub(1)),
        }
    }
    None
}

/// Where `part` stands, from the start on and without overlaps, until somebody wishes to stop.
pub fn matches<'a>(s: &'a str, part: &'a str) -> impl Iterator<Item = usize> + 'a {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let at = found(s, part, (next?, s.len()), false)?;
        // An empty part stands between all characters.
        let width = match part.len() {
            0 => s[at..].chars().next().map(char::len_utf8),
            n => Some(n),
        };
        next = width.map(|n| at + n);
        Some(at)
    })
}

/// The same from the end on.
pub fn matches_from_end<'a>(s: &'a str, part: &'a str) -> impl Iterator<Item = usize> + 'a {
    let mut end = Some(s.len());
    std::iter::from_fn(move || {
        let at = found(s, part, (0, end?), true)?;
        end = match part.len() {
            0 => s[..at].char_indices().next_back().map(|(k, _)| k),
            _ => Some(at),
        };
        Some(at)
    })
}

/// A text whose characters are counted: places of bytes are those of characters where all are ASCII.
pub struct Counted<'a> {
    text: &'a str,
    ascii: bool,
    pub len: usize,
}

impl<'a> Counted<'a> {
    pub fn new(text: &'a str) -> Counted<'a> {
        let ascii = pieces(text).all(str::is_ascii);
        Counted { text, ascii, len: if ascii { text.len() } else { count(text) } }
    }

    /// Where character `at` begins.
    fn byte(&self, at: usize) -> usize {
        if self.ascii || at == 0 {
            return at.min(self.text.len());
        }
        let (mut start, mut left) = (0, at);
        for piece in pieces(self.text) {
            match piece.char_indices().nth(left) {
                Some((k, _)) => return start + k,
                None => left -= piece.chars().count(),
            }
            start += piece.len();
        }
        self.text.len()
    }

    /// The characters from one place up to another.
    pub fn slice(&self, from: usize, to: usize) -> &'a str {
        let start = self.byte(from);
        let rest = &self.text[start..];
        let end = Counted { text: rest, ascii: self.ascii, len: 0 }.byte(to.saturating_sub(from));
        &rest[..end]
    }

    /// Which character begins at a byte.
    pub fn place(&self, byte: usize) -> usize {
        if self.ascii { byte } else { count(&self.text[..byte]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_as_in_one_piece() {
        let long = "ab".repeat(PIECE / 2 - 1) + "äb€" + &"ab".repeat(PIECE) + "c";
        for part in ["", "äb", "€a", "c", "bä", "none", "abab", &long[5..], &long[..PIECE + 4]]
        {
            let all: Vec<usize> = long.match_indices(part).map(|(k, _)| k).take(50).collect();
            assert_eq!(matches(&long, part).take(50).collect::<Vec<_>>(), all, "{part:.9}");
            let all: Vec<usize> = long.rmatch_indices(part).map(|(k, _)| k).take(50).collect();
            let own: Vec<usize> = matches_from_end(&long, part).take(50).collect();
            assert_eq!(own, all, "{part:.9} from the end");
        }
        assert_eq!(matches("aaa", "aa").count(), 1);
        assert_eq!(matches("aäa", "").collect::<Vec<_>>(), [0, 1, 3, 4]);
    }

    #[test]
    fn a_letter_at_the_end_of_a_word_is_lowered_as_in_one_piece() {
        for word in ["ΑΣ ", "Σ", "ΑΣ.Α", "İΣ"] {
            let text = word.repeat(2 * PIECE / word.len() + 3);
            assert!(lower(&text) == text.to_lowercase(), "{word}");
        }
    }

    #[test]
    fn characters_are_counted() {
        let text = "aä€b".repeat(PIECE / 3);
        let counted = Counted::new(&text);
        assert_eq!(counted.len, PIECE / 3 * 4);
        assert_eq!(counted.slice(1, 5), "ä€ba");
        assert_eq!(counted.slice(counted.len - 2, counted.len), "€b");
        assert_eq!(counted.place(text.len() - 1), counted.len - 1);
        assert_eq!(Counted::new("abc").slice(1, 2), "b");
    }
}
