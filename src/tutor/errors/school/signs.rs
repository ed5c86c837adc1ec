//! Mathematics as it stands on a board or in LaTeX, in pieces: numbers, words, raised and lowered signs.

use vjp_text::board;

/// One piece.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Number(String),
    /// Letters, with digits behind them.
    Word(String),
    /// `₁₂`, `_1`, `_{n}`, in plain characters.
    Lowered(String),
    /// `²`, `⁻¹`, `ᵀ`, in plain characters.
    Raised(String),
    Sign(char),
}

const LOWERED: (&str, &str) = ("₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₘₓ", "0123456789ijknmx");
const RAISED: (&str, &str) = ("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱˣᵏᵗᵀ", "0123456789+-nixktT");
/// Signs of one meaning, the first of them being the one that is read.
const ALIKE: &[&str] =
    &["-−–—", "·⋅∙•・", "/⁄", "∑Σ", "∏Π", "‖∥", "→↦⟼", "≥⩾", "≤⩽", "∂", "[［", "]］", "(（", ")）"];
fn plain(table: (&str, &str), c: char) -> Option<char> {
    let at = table.0.chars().position(|sign| sign == c)?;
    table.1.chars().nth(at)
}

/// Signs of several characters.
const PAIRS: &[(&str, char)] = &[
    ("=>", '⇒'),
    ("=<", '≤'),
    ("<=", '≤'),
    (">=", '≥'),
    ("!=", '≠'),
    ("->", '→'),
    (":=", '←'),
    ("**", '^'),
    ("<-", '←'),
    ("||", '‖'),
];

/// The pieces of a line; None where it holds what is no mathematics: quotes, attributes, comments.
/// `is_name` knows the names of the session.
pub(super) fn pieces(text: &str, is_name: &dyn Fn(&str) -> bool) -> Option<Vec<Piece>> {
    let mut out = Vec::new();
    let mut rest = text.trim_end();
    // `x = <1,2>` is a vector: there a comma stands between numbers.
    let angled = text.split_once('<').is_some_and(|(before, after)| {
        after.contains('>') && (before.trim().is_empty() || before.trim_end().ends_with('='))
    });
    let mut depth = i32::from(angled);
    while let Some(c) = rest.chars().next() {
        let one = c.len_utf8();
        depth += i32::from("([{⟨".contains(c)) - i32::from(")]}⟩".contains(c));
        let run = |of: &dyn Fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
        if c.is_whitespace() {
            rest = &rest[one..];
        } else if c == '\\' {
            let end = rest[1..].find(|c: char| !c.is_ascii_alphabetic())? + 1;
            let word = &rest[1..end];
            match board::command(word) {
                Some(signs) => out.extend(signs.chars().map(Piece::Sign)),
                None if word.is_empty() => return None,
                None => out.push(Piece::Word(word.to_owned())),
            }
            rest = &rest[end..];
        } else if c.is_ascii_digit()
            || c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())
        {
            let mut end = run(&|c| c.is_ascii_digit());
            let behind = rest[end..].strip_prefix(',').filter(|_| depth == 0 && c != '.');
            if let Some(digits) = behind.filter(|d| d.starts_with(|c: char| c.is_ascii_digit())) {
                let more = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
                out.push(Piece::Number(format!("{}.{}", &rest[..end], &digits[..more])));
                rest = &digits[more..];
                continue;
            }
            let point = rest[end..].strip_prefix('.').filter(|_| c != '.');
            if let Some(behind) = point.or(rest.strip_prefix('.')) {
                end += 1 + behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
            }
            let exponent = rest[end..].strip_prefix(['e', 'E']);
            let digits = exponent.map(|e| e.strip_prefix(['+', '-']).unwrap_or(e));
            if let Some(digits) = digits.filter(|d| d.starts_with(|c: char| c.is_ascii_digit())) {
                let more = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
                end = rest.len() - digits.len() + more;
            }
            out.push(Piece::Number(rest[..end].to_owned()));
            rest = &rest[end..];
        } else if plain(RAISED, c).is_some() {
            let end = run(&|c| plain(RAISED, c).is_some());
            out.push(Piece::Raised(rest[..end].chars().filter_map(|c| plain(RAISED, c)).collect()));
            rest = &rest[end..];
        } else if plain(LOWERED, c).is_some() {
            let end = run(&|c| plain(LOWERED, c).is_some());
            out.push(Piece::Lowered(
                rest[..end].chars().filter_map(|c| plain(LOWERED, c)).collect(),
            ));
            rest = &rest[end..];
        } else if c == '_' {
            let behind = &rest[1..];
            let (inside, end) = match behind.strip_prefix('{') {
                Some(inside) => (inside.split_once('}')?.0, inside.find('}')? + 3),
                None => {
                    let end = behind.find(|c: char| !c.is_alphanumeric()).unwrap_or(behind.len());
                    (&behind[..end], end + 1)
                }
            };
            out.push(Piece::Lowered(inside.trim().to_owned()));
            rest = &rest[end..];
        } else if c.is_alphabetic() {
            let whole = run(&|c| c.is_alphanumeric() || c == '_' || plain(LOWERED, c).is_some());
            let own = |c: char| {
                c.is_alphabetic() && plain(RAISED, c).is_none() && plain(LOWERED, c).is_none()
            };
            let letters = run(&own);
            // `log10`, and what somebody called x₁.
            let end = if is_name(&rest[..whole]) { whole } else { letters };
            let (word, one) = (&rest[..end], end == one);
            let sign =
                ALIKE.iter().find(|alike| one && alike.contains(c)).and_then(|a| a.chars().next());
            out.push(match sign.filter(|_| !is_name(word)) {
                Some(sign) => Piece::Sign(sign),
                None => Piece::Word(word.to_owned()),
            });
            rest = &rest[end..];
        } else if let Some((pair, sign)) = PAIRS.iter().find(|(pair, _)| rest.starts_with(pair)) {
            out.push(Piece::Sign(*sign));
            rest = &rest[pair.len()..];
        } else {
            let next = rest[one..].chars().next();
            let attribute = c == '.' || matches!(c, '"' | '#' | '$' | '@' | '&' | '~' | '?' | '`');
            if attribute || c == '/' && next == Some('/') || c == '=' && next == Some('=') {
                return None;
            }
            let alike = ALIKE.iter().find(|alike| alike.contains(c));
            out.push(Piece::Sign(alike.and_then(|a| a.chars().next()).unwrap_or(c)));
            rest = &rest[one..];
        }
    }
    Some(out)
}
