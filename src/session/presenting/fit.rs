//! Lines that fit a screen, colours and wide characters included.

use unicode_width::UnicodeWidthChar;
use vjp_report::Painted;
use vjp_report::terminal::line::width;
use vjp_report::terminal::painted::RESET;
use vjp_text::visible::visible;

const TAB: usize = 8;

/// What a line is made of.
enum Part<'a> {
    /// A colour, which takes no room.
    Color(&'a str),
    Sign(char),
}

/// The parts of a line, which holds no other codes than colours.
fn parts(line: &Painted) -> impl Iterator<Item = Part<'_>> {
    let mut rest = line.as_str();
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let color = rest.strip_prefix('\x1b').and_then(|code| code.find('m'));
        let (part, after) = rest.split_at(color.map_or(first.len_utf8(), |end| end + 2));
        rest = after;
        Some(color.map_or(Part::Sign(first), |_| Part::Color(part)))
    })
}

/// Columns that a sign takes where `at` are taken before it.
fn columns_of(sign: char, at: usize) -> usize {
    match sign {
        '\t' => TAB - at % TAB,
        _ => sign.width().unwrap_or(0),
    }
}

/// A line in pieces of at most so many columns, each with its colours; broken behind a blank, if one comes
/// late enough.
pub fn wrapped(line: &Painted, columns: usize) -> Vec<Painted> {
    let mut pieces = Vec::new();
    let (mut piece, mut at, mut color) = (String::new(), 0, "");
    // Behind the last blank: where it is in the piece, its column, and the colour there.
    let mut blank = (0, 0, "");
    // What is taken out of painted text is still painted.
    let whole = |piece: String| Painted::control(piece);
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
            let (mut end, mut column, mut here) = blank;
            if sign == ' ' || column * 3 < columns * 2 {
                (end, column, here) = (piece.len(), at, color);
            }
            let rest = here.to_owned() + &piece.split_off(end);
            if !here.is_empty() {
                piece.push_str(RESET);
            }
            pieces.push(whole(std::mem::replace(&mut piece, rest)));
            at -= column;
            blank = (0, 0, "");
        }
        match sign {
            '\t' => piece.extend(std::iter::repeat_n(' ', wide)),
            _ => piece.push(sign),
        }
        at += wide;
        if sign == ' ' {
            blank = (piece.len(), at, color);
        }
    }
    pieces.push(whole(piece));
    pieces
}

/// The beginning of a text.
pub fn cut(text: &str, columns: usize) -> String {
    let (mut at, mut kept) = (0, visible(text).into_owned());
    let end = kept.char_indices().find(|(_, sign)| {
        at += columns_of(*sign, at);
        at > columns
    });
    if let Some((end, _)) = end {
        kept.truncate(end);
    }
    kept
}

/// Stands between two keys.
const BETWEEN: &str = " · ";

/// Keys in fewer letters.
const SHORT: [(&str, &str); 4] =
    [(": try something", ": try"), ("g go to", "g go"), ("q leave", "q"), (": try more", ": try")];

/// The keys that fit: they are shortened first; the first and the last stay.
pub fn fewer(keys: &str, columns: usize) -> String {
    let mut all: Vec<&str> = keys.split(BETWEEN).collect();
    for (long, short) in SHORT {
        if width(&all.join(BETWEEN)) > columns {
            all.iter_mut().filter(|key| **key == long).for_each(|key| *key = short);
        }
    }
    while all.len() > 2 && width(&all.join(BETWEEN)) > columns {
        all.remove(all.len() - 2);
    }
    all.join(BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_take_no_room_and_are_kept() {
        let colored = Painted::control("\x1b[1;36mvjp> \x1b[0mᵀ数");
        assert_eq!((wrapped(&colored, 8).len(), wrapped(&colored, 7).len()), (1, 2));
        let pieces = wrapped(&Painted::control("ab\x1b[32mcde\x1b[0mf"), 3);
        let texts: Vec<&str> = pieces.iter().map(Painted::as_str).collect();
        assert_eq!(texts, ["ab\x1b[32mc\x1b[0m", "\x1b[32mde\x1b[0mf"]);
        assert_eq!(wrapped(&Painted::new(), 3), [Painted::new()]);
    }

    #[test]
    fn words_stay_whole_where_a_blank_comes_late() {
        let pieces = wrapped(&Painted::control("x = 12; \x1b[32my = torch.ones\x1b[0m(3)"), 14);
        let texts: Vec<&str> = pieces.iter().map(Painted::as_str).collect();
        assert_eq!(texts, ["x = 12; \x1b[32my = \x1b[0m", "\x1b[32mtorch.ones\x1b[0m(3)"]);
    }

    #[test]
    fn wide_signs_and_tabs_stay_on_the_screen() {
        let pieces = |text, columns| wrapped(&Painted::plain(text), columns);
        assert_eq!(pieces("数数数", 5), [Painted::plain("数数"), Painted::plain("数")]);
        assert_eq!(pieces("a\tb", 20), [Painted::plain("a       b")]);
        assert_eq!((cut("a\x1b[2Jb\rc", 5), cut("数数", 3)), ("a\\x1b".into(), "数".into()));
    }
}
