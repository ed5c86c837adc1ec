//! Lines that fit a screen, colours and wide characters included.

use unicode_width::UnicodeWidthChar;

const RESET: &str = "\x1b[0m";
const TAB: usize = 8;

/// What a line is made of.
enum Part<'a> {
    /// A colour, which takes no room.
    Color(&'a str),
    Sign(char),
}

/// The parts of a line; whatever else would move the cursor is left out.
fn parts(line: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            let first = rest.chars().next()?;
            if first != '\x1b' {
                rest = &rest[first.len_utf8()..];
                match first.is_control() && first != '\t' {
                    true => continue,
                    false => return Some(Part::Sign(first)),
                }
            }
            let body = rest.strip_prefix("\x1b[");
            let end = body.and_then(|b| b.find(|c: char| ('@'..='~').contains(&c)));
            let Some(end) = end else {
                rest = &rest[1..];
                continue;
            };
            let (code, after) = rest.split_at(end + 3);
            rest = after;
            if code.ends_with('m') {
                return Some(Part::Color(code));
            }
        }
    })
}

/// Columns that a sign takes where `at` are taken before it.
fn columns_of(sign: char, at: usize) -> usize {
    match sign {
        '\t' => TAB - at % TAB,
        _ => sign.width().unwrap_or(0),
    }
}

/// Columns that a line takes.
pub fn visible(line: &str) -> usize {
    parts(line).fold(0, |at, part| match part {
        Part::Color(_) => at,
        Part::Sign(sign) => at + columns_of(sign, at),
    })
}

/// A line in pieces of at most so many columns, each with its colours.
pub fn wrapped(line: &str, columns: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let (mut piece, mut at, mut color) = (String::new(), 0, "");
    for part in parts(line) {
        let sign = match part {
            Part::Color(code) => {
                color = if code == RESET { "" } else { code };
                piece.push_str(code);
                continue;
            }
            Part::Sign(sign) => sign,
        };
        let wide = columns_of(sign, at);
        if at > 0 && at + wide > columns {
            if !color.is_empty() {
                piece.push_str(RESET);
            }
            pieces.push(std::mem::replace(&mut piece, color.to_owned()));
            at = 0;
        }
        match sign {
            '\t' => piece.extend(std::iter::repeat_n(' ', wide)),
            _ => piece.push(sign),
        }
        at += wide;
    }
    pieces.push(piece);
    pieces
}

/// The beginning of a line, without colours.
pub fn cut(line: &str, columns: usize) -> String {
    match visible(line) > columns {
        true => wrapped(line, columns).swap_remove(0),
        false => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_take_no_room_and_are_kept() {
        assert_eq!(visible("\x1b[1;36mvjp> \x1b[0mᵀ数"), 8);
        assert_eq!(
            wrapped("ab\x1b[32mcde\x1b[0mf", 3),
            ["ab\x1b[32mc\x1b[0m", "\x1b[32mde\x1b[0mf"]
        );
        assert_eq!(wrapped("", 3), [""]);
    }

    #[test]
    fn wide_signs_and_tabs_stay_on_the_screen() {
        assert_eq!(wrapped("数数数", 5), ["数数", "数"]);
        assert_eq!(wrapped("a\tb", 20), ["a       b"]);
        assert_eq!(cut("a\x1b[2Jb\rc", 2), "ab");
    }
}
