//! How formulas are spelled on a board and in LaTeX, in the signs that are read: `\frac{x}{2}` as `((x)/(2))`,
//! `|x|` as `abs(x)`, `tanh²(x)` as `(tanh(x))²`, `sech x` as `(1/cosh(x))`.

use vjp_maths::table;
use vjp_text::board;
use vjp_text::digits::raised;

/// Fractions of one sign.
const FRACTIONS: [(char, &str); 6] = [
    ('½', "(1/2)"),
    ('⅓', "(1/3)"),
    ('⅔', "(2/3)"),
    ('¼', "(1/4)"),
    ('¾', "(3/4)"),
    ('⅛', "(1/8)"),
];

/// What a fraction of one sign is.
pub(super) fn fraction(sign: char) -> Option<&'static str> {
    FRACTIONS.iter().find(|(own, _)| *own == sign).map(|(_, value)| *value)
}

/// A formula in the signs that are read.
pub(super) fn plain(text: &str) -> String {
    let text = if text.contains('\\') { without_commands(text) } else { text.to_owned() };
    let text = if text.contains('{') { without_braces(&text) } else { text };
    let text = if text.contains('|') { without_bars(&text) } else { text };
    called(&text)
}

fn without_commands(text: &str) -> String {
    let (mut all, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once('\\') {
        all += before;
        let end = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
        let (word, after) = behind.split_at(end);
        rest = after;
        match (word, board::command(word)) {
            ("", _) => {
                // `\,` is a gap.
                rest = after.strip_prefix([',', ';', ':', '!', ' ']).unwrap_or(after);
                all.push(' ');
            }
            ("top", _) => {
                all.truncate(all.trim_end_matches('^').len());
                all.push('ᵀ');
            }
            ("odot", _) => all.push('⊙'),
            ("partial", Some(sign)) => {
                all += sign;
                rest = after.trim_start();
            }
            (_, Some(board::FRACTION)) => match groups(after) {
                Some((over, under, after)) => {
                    let parts = [over, under].map(without_commands);
                    all += &format!("(({})/({}))", parts[0], parts[1]);
                    rest = after;
                }
                None => all += word,
            },
            (_, Some(sign)) => all += sign,
            (_, None) => {
                all += word;
                all.push(' ');
            }
        }
    }
    all + rest
}

/// `{a}{b}` and what follows; `12` is one over two.
fn groups(text: &str) -> Option<(&str, &str, &str)> {
    let (over, rest) = group(text)?;
    let (under, rest) = group(rest)?;
    Some((over, under, rest))
}

fn group(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    if !text.starts_with('{') {
        let one = text.chars().next().filter(|c| c.is_alphanumeric())?;
        return Some(text.split_at(one.len_utf8()));
    }
    let end = closing(text, '{', '}')?;
    Some((&text[1..end], &text[end + 1..]))
}

/// Where the bracket that a text begins with is closed.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == open) - i32::from(c == close);
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// `x_{1}` as `x_1`, `e^{2x}` as `e^(2x)`.
fn without_braces(text: &str) -> String {
    let mut all = String::new();
    let mut open = Vec::new();
    for c in text.chars() {
        match c {
            '{' => {
                let lowered = all.ends_with('_');
                open.push(lowered);
                all += if lowered { "" } else { "(" };
            }
            '}' => all += if open.pop() == Some(true) { " " } else { ")" },
            _ => all.push(c),
        }
    }
    all
}

/// `|x|` as `abs(x)`: a bar closes what a value ends in front of it.
fn without_bars(text: &str) -> String {
    let (mut all, mut open) = (String::new(), 0);
    for c in text.chars() {
        let value = |c: char| c.is_alphanumeric() || ")]ᵀ".contains(c) || raised(c).is_some();
        let ended = all.trim_end().chars().next_back().is_some_and(value);
        match c {
            '|' if open > 0 && ended => {
                all.push(')');
                open -= 1;
            }
            '|' => {
                all += if ended { " abs(" } else { "abs(" };
                open += 1;
            }
            _ => all.push(c),
        }
    }
    if open == 0 { all } else { text.to_owned() }
}

/// `sin²(x)`, `sin^2 x` and `sech(x)` by what the language calls.
fn called(text: &str) -> String {
    let (mut all, mut rest) = (String::new(), text);
    let is_word = |c: char| c.is_alphabetic() && raised(c).is_none() || c == '_';
    while let Some(start) = rest.find(is_word) {
        let (before, behind) = rest.split_at(start);
        all += before;
        let end = behind.find(|c| !is_word(c)).unwrap_or(behind.len());
        let (word, after) = behind.split_at(end);
        rest = after;
        let reciprocal = board::reciprocal(word);
        let known = || table::rows().any(|row| row.fun.name == word);
        let (power, after) = power(after);
        let squared = !power.is_empty();
        let argument = match reciprocal.is_some() || squared && known() {
            true => argument(after),
            false => None,
        };
        match (argument, reciprocal) {
            (Some((inside, after)), reciprocal) => {
                let (inside, word) = (called(inside), reciprocal.map_or(word, |(_, own)| own));
                let over = if reciprocal.is_some() { "1/" } else { "" };
                all += &format!("({over}{word}({inside})){power}");
                rest = after;
            }
            _ => all += word,
        }
    }
    all + rest
}

/// `²` or `^2` behind a function's name.
fn power(text: &str) -> (String, &str) {
    let figures =
        |text: &str, is: &dyn Fn(char) -> bool| text.find(|c| !is(c)).unwrap_or(text.len());
    let end = figures(text, &|c| raised(c).is_some());
    if end > 0 {
        return (text[..end].to_owned(), &text[end..]);
    }
    match text.strip_prefix('^').or_else(|| text.strip_prefix("**")) {
        Some(behind) => {
            let end = figures(behind, &|c| c.is_ascii_digit());
            let power = if end > 0 { format!("^{}", &behind[..end]) } else { String::new() };
            if power.is_empty() { (power, text) } else { (power, &behind[end..]) }
        }
        None => (String::new(), text),
    }
}

/// What a function is given: `(x)` or `x₁`.
fn argument(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    if text.starts_with('(') {
        let end = closing(text, '(', ')')?;
        return Some((&text[1..end], &text[end + 1..]));
    }
    let inside = |c: char| (c.is_alphanumeric() && raised(c).is_none()) || "_.[]".contains(c);
    let end = text.find(|c| !inside(c)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn latex_and_the_board_are_read() {
        for (text, signs) in [
            ("\\frac{2}{x}", "((2)/(x))"),
            ("\\frac{1}{\\sqrt{x}}", "((1)/(sqrt (x)))"),
            ("\\frac12 x", "((1)/(2)) x"),
            ("2\\,x \\cdot e^{2x}", "2 x · e^(2x)"),
            ("W^\\top x_{1}", "Wᵀ x_1 "),
            ("\\left(\\sin x\\right)^2", "(sin  x)^2"),
            ("x/|x|", "x/abs(x)"),
            ("2|x + |y||", "2 abs(x + abs(y))"),
            ("|x₁|=|x₃|", "abs(x₁)=abs(x₃)"),
            ("tanh²(x) + 1", "(tanh(x))² + 1"),
            ("cos^2 x", "(cos(x))^2"),
            ("1 - sech²(2x)", "1 - (1/cosh(2x))²"),
            ("2x^2", "2x^2"),
            ("W2ᵀ", "W2ᵀ"),
        ] {
            assert_eq!(plain(text), signs, "{text}");
        }
    }
}
