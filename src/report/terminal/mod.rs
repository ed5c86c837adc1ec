//! Lines to text for a terminal: colour from roles, and ASCII for everything that we draw.

pub mod html;
pub mod line;
pub mod painted;
pub mod roles;
pub mod style;
pub mod theme;

use crate::{Line, Medium, Painted, Role, Style};

use std::borrow::Cow;

/// Our own signs in ASCII, one for one, so that the layout never changes.
const ASCII: &[(&str, &str)] = &[
    ("₀₁₂₃₄₅₆₇₈₉", "0123456789"),
    ("·∂ᵀ×⋮…−→←▌⋱│─", ".d'*:~-><_\\|-"),
    ("⎡⎢⎣⎤⎥⎦", "[[[]]]"),
    ("ᵢⱼ", "ij"),
    ("┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋", "++++++++++++++++++"),
    ("━┃┄┆▶╳", "=|.:>X"),
    ("●□○◎▣◌Σ′–µ", "@#oYM~S'-u"),
];

/// Our own signs that grow: they stand at line ends only.
const WIDER: &[(char, &str)] = &[('✓', "ok"), ('✗', "!!"), ('²', "^2")];

/// Our own text in ASCII.
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    while let Some(c) = signs.next() {
        if c.is_ascii() {
            out.push(c);
        } else if c == '√' {
            // `2√x` reads as `2*sqrt(x)`.
            if out.ends_with(|c: char| c.is_ascii_alphanumeric()) {
                out.push('*');
            }
            out.push_str("sqrt");
            if signs.peek() != Some(&'(') {
                out.push('(');
                while let Some(c) = signs.next_if(|c| c.is_alphanumeric()) {
                    out.push(one_for_one(c).unwrap_or(c));
                }
                out.push(')');
            }
        } else if let Some((_, wide)) = WIDER.iter().find(|(sign, _)| *sign == c) {
            out.push_str(wide);
        } else {
            // Letters of a user's word stay as typed.
            out.push(one_for_one(c).unwrap_or(c));
        }
    }
    out
}

fn one_for_one(sign: char) -> Option<char> {
    ASCII.iter().find_map(|(ours, theirs)| {
        let at = ours.chars().position(|c| c == sign)?;
        theirs.chars().nth(at)
    })
}

/// Lines as text, each with its newline; trailing blanks are left out.
pub fn text(lines: &[Line], style: &Style) -> Painted {
    let mut out = Painted::new();
    for line in lines {
        let mut ends = line.spans().len();
        while ends > 0 && line.spans()[ends - 1].1.trim_end_matches(' ').is_empty() {
            ends -= 1;
        }
        for (k, (role, piece)) in line.spans()[..ends].iter().enumerate() {
            let piece = if k + 1 == ends { piece.trim_end_matches(' ') } else { piece };
            let piece = match style.ascii && !matches!(role, Role::User | Role::Formula) {
                true => Cow::Owned(ascii(piece)),
                false => Cow::Borrowed(piece),
            };
            let spot = line.spot(k).filter(|_| style.medium == Medium::Page);
            if let Some(spot) = spot {
                out.markup(&format!("<span data-spot=\"{}\">", spot.attribute()));
            }
            // Whatever the crate thinks of the terminal: `Style` has decided.
            match theme::current().of(*role).filter(|_| style.color) {
                None => out.push(&piece),
                Some(color) => {
                    let word = piece.trim_start_matches(' ');
                    out.push(&piece[..piece.len() - word.len()]);
                    out.color(&format!("\u{1b}[{}m", color.to_fg_str()), word)
                }
            };
            if spot.is_some() {
                out.markup("</span>");
            }
        }
        out.push("\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_is_one_for_one_but_at_line_ends() {
        let ours = "₁₂·⎡⎢⎣─∂ᵀ×⋮…⎤⎥⎦⋱│−→▌ᵢⱼ";
        let text = ascii(ours);
        assert_eq!(text, "12.[[[-d'*:~]]]\\|->_ij");
        assert_eq!(text.chars().count(), ours.chars().count());
        assert_eq!(ascii("✓ ✗"), "ok !!");
        assert_eq!(ascii("1/(2√x₁)"), "1/(2*sqrt(x1))");
    }

    #[test]
    fn the_users_own_text_stays_as_typed() {
        let mut line = Line::of(Role::User, "θ₁");
        line.plain(" ·  ");
        let mut style = Style::canonical();
        style.ascii = true;
        assert_eq!(text(&[line], &style).as_str(), "θ₁ .\n");
    }

    #[test]
    fn colour_only_where_asked() {
        let line = Line::of(Role::Agrees, "✓");
        let mut style = Style::canonical();
        assert_eq!(text(std::slice::from_ref(&line), &style).as_str(), "✓\n");
        style.color = true;
        assert_eq!(text(&[line], &style).as_str(), "\u{1b}[32m✓\u{1b}[0m\n");
    }
}
