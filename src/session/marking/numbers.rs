//! Numbers and blanks inside output lines, as they are written: `.5000`, `1/3`, `3.0e-06`, `____`.

/// Stands in an output for something to find out.
pub const BLANK: &str = "____";

/// A number with how exactly it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Written {
    pub value: f64,
    /// One unit of the last decimal; None for a whole number or a fraction, which are exact.
    unit: Option<f64>,
    /// Significant digits.
    digits: usize,
}

/// Digits from which a rounded answer counts as right, and as a sign of a mistake.
const ENOUGH: usize = 3;
const SIGN: usize = 2;

/// Digits that are shown of a number.
const SHOWN: usize = 4;

/// What rounding in f64 may leave.
const ROUNDING: f64 = 1e-9;

impl Written {
    /// A number that is known exactly.
    pub fn exact(value: f64) -> Written {
        Written { value, unit: None, digits: 17 }
    }

    /// Whether this answer is the number that the program shows.
    pub fn answers(self, shown: Written) -> bool {
        if close(self.value, shown.value) {
            return true;
        }
        let off = (self.value - shown.value).abs();
        // A whole number of so many digits may itself be rounded.
        let whole = self.value.fract() != 0.0 && (SHOWN..17).contains(&shown.digits);
        let Some(unit) = shown.unit.or(whole.then_some(1.0)) else { return false };
        // More digits than are shown, or fewer, rightly rounded.
        let coarse = self.unit.filter(|_| self.digits >= ENOUGH);
        off <= half(unit) || coarse.is_some_and(|own| off <= half(own))
    }

    /// Whether this answer is that number of a mistake, as far as it was written out.
    pub fn means(self, number: f64) -> bool {
        close(self.value, number)
            || (self.digits >= SIGN)
                && self.unit.is_some_and(|own| (self.value - number).abs() <= half(own))
    }
}

fn half(unit: f64) -> f64 {
    unit * (0.5 + ROUNDING)
}

/// Equal but for rounding; NaN is NaN, an infinity the same one.
fn close(a: f64, b: f64) -> bool {
    let off = (a - b).abs();
    a == b
        || (a.is_nan() && b.is_nan())
        || off.is_finite() && off <= ROUNDING * a.abs().max(b.abs())
}

/// What a piece of a line is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    Blank,
    Number(Written),
    /// A word, or one sign.
    Text(&'a str),
}

/// A token with its place in the line, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece<'a> {
    pub token: Token<'a>,
    pub start: usize,
    pub end: usize,
}

/// The pieces of a line; blanks between them say nothing.
pub fn pieces(line: &str) -> Vec<Piece<'_>> {
    let mut found: Vec<Piece> = Vec::new();
    for piece in raw(line) {
        found.push(piece);
        fold_fraction(&mut found);
    }
    found
}

/// The pieces of a line with fractions taken apart.
pub(crate) fn raw(line: &str) -> Vec<Piece<'_>> {
    let mut found: Vec<Piece> = Vec::new();
    let mut at = 0;
    while let Some(first) = line[at..].chars().next() {
        let rest = &line[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (token, length) = piece(rest, first);
        let now = Piece { token, start: at, end: at + length };
        at += length;
        found.push(now);
    }
    found
}

fn piece(rest: &str, first: char) -> (Token<'_>, usize) {
    if rest.starts_with(BLANK) {
        let length = rest.find(|c| c != '_').unwrap_or(rest.len());
        return (Token::Blank, length);
    }
    if let Some((written, length)) = number(rest) {
        return (Token::Number(written), length);
    }
    let length = match first {
        c if c.is_alphanumeric() || c == '_' => {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        }
        c => c.len_utf8(),
    };
    let value = match &rest[..length] {
        "nan" | "NaN" => f64::NAN,
        "inf" | "Infinity" | "∞" => f64::INFINITY,
        word => return (Token::Text(word), length),
    };
    (Token::Number(Written::exact(value)), length)
}

/// `1 / 3` as one number.
fn fold_fraction(found: &mut Vec<Piece<'_>>) {
    let [.., above, over, below] = &found[..] else {
        return;
    };
    if let (Token::Number(a), Token::Text("/"), Token::Number(b)) =
        (above.token, over.token, below.token)
        && b.value != 0.0
    {
        let folded = Piece {
            token: Token::Number(Written::exact(a.value / b.value)),
            start: above.start,
            end: below.end,
        };
        found.truncate(found.len() - 3);
        found.push(folded);
    }
}

/// A decimal number at the start of a text, a sign directly before it included.
fn number(text: &str) -> Option<(Written, usize)> {
    let sign = text.chars().next().filter(|c| "+-−".contains(*c));
    let body = &text[sign.map_or(0, char::len_utf8)..];
    let whole = digits(body);
    let mut end = whole;
    let mut decimals = None;
    if body[end..].starts_with('.') {
        let after = digits(&body[end + 1..]);
        if whole + after == 0 {
            return infinite(sign, body, text);
        }
        decimals = (after > 0).then_some(after);
        end += 1 + after;
    }
    if whole == 0 && decimals.is_none() {
        return infinite(sign, body, text);
    }
    let mantissa = end;
    let mut power = 0;
    if body[end..].starts_with(['e', 'E']) {
        let signed = usize::from(body[end + 1..].starts_with(['+', '-']));
        let figures = digits(&body[end + 1 + signed..]);
        if figures > 0 {
            let stop = end + 1 + signed + figures;
            power = body[end + 1..stop].parse().unwrap_or(0);
            end = stop;
        }
    }
    // `3x`, `2nd`: a word that begins with a digit is not a number.
    if body[end..].starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let mut value: f64 = body[..end].replace('_', "").parse().ok()?;
    if matches!(sign, Some('-' | '−')) {
        value = -value;
    }
    let places = |n: usize| 10f64.powi(power - i32::try_from(n).unwrap_or(i32::MAX));
    let written =
        Written { value, unit: decimals.map(places), digits: significant(&body[..mantissa]) };
    Some((written, text.len() - body.len() + end))
}

/// `-inf`; a sign alone is not a number.
fn infinite(sign: Option<char>, body: &str, text: &str) -> Option<(Written, usize)> {
    let word = ["inf", "∞"].into_iter().find(|w| body.starts_with(w))?;
    let value = match sign? {
        '+' => f64::INFINITY,
        _ => f64::NEG_INFINITY,
    };
    let length = text.len() - body.len() + word.len();
    Some((Written::exact(value), length))
}

fn digits(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())
}

fn significant(mantissa: &str) -> usize {
    let figures = mantissa.chars().filter(char::is_ascii_digit);
    figures.skip_while(|c| *c == '0').count()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn one(text: &str) -> Written {
        match pieces(text)[..] {
            [Piece { token: Token::Number(n), .. }] => n,
            ref other => panic!("{text} is {other:?}"),
        }
    }

    #[test]
    fn numbers_are_read_as_numbers() {
        let cases = [
            (".5000", 0.5),
            ("6.", 6.0),
            ("-3.0e-06", -3e-6),
            ("−2", -2.0),
            ("1/4", 0.25),
            ("+1.235e+08", 1.235e8),
        ];
        for (text, value) in cases {
            assert_eq!(one(text).value, value, "{text}");
        }
        assert!(one("nan").value.is_nan());
        assert_eq!(one("-inf").value, f64::NEG_INFINITY);
    }

    #[test]
    fn words_and_signs_are_text() {
        let texts = |line| {
            let all: Vec<String> = pieces(line).iter().map(|p| format!("{:?}", p.token)).collect();
            all
        };
        assert_eq!(texts("x.grad").len(), 3);
        assert_eq!(texts("3x₁² + 1").len(), 3);
        assert_eq!(pieces("[____, 2]")[1].token, Token::Blank);
        assert_eq!(pieces("________")[0].end, 8);
    }

    #[test]
    fn an_answer_is_right_as_a_number() {
        let right = |given, shown| one(given).answers(one(shown));
        assert!(right("0.5", ".5000") && right("1/3", "0.3333") && right("0.333", "0.3333"));
        assert!(right("3.14159", "3.142") && right("-2", "-2.0"));
        assert!(!right("0.33", "0.3333") && !right("1.2e3", "1240") && !right("7", "6"));
        assert!(!right("0.001", "0") && right("0.0", "0") && right("nan", "nan"));
        assert!(one("0.148").means(0.14808) && !one("0.1").means(0.14808) && !one("6").means(6.3));
    }
}
