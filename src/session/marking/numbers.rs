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
    /// A whole number in figures.
    whole: bool,
    /// Whether every digit is the number's.
    known: bool,
    /// Of a number of the program, as what it stands in its text.
    printed: Option<Print>,
}

/// The digits of a number in a text: their value and one unit of the last of them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Print {
    value: f64,
    unit: Option<f64>,
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
        Written { value, unit: None, digits: 17, whole: false, known: false, printed: None }
    }

    /// A number of the program, of which every digit is known: one of more than four significant digits
    /// is right as far as four of them go.
    pub(crate) fn known(value: f64) -> Written {
        let short = |x: f64| format!("{x:.*e}", SHOWN - 1).parse() == Ok(x);
        let rounds = value.is_finite() && value.fract() != 0.0 && !short(value);
        let unit =
            rounds.then(|| 10f64.powi(value.abs().log10().floor() as i32 + 1 - SHOWN as i32));
        Written { unit: unit.map(|u| u.min(1.0)), known: true, ..Written::exact(value) }
    }

    /// `1.23·10^-3`: rounded where the number before the power of ten is.
    pub(crate) fn times_ten_to(self, k: i32) -> Written {
        let scale = 10f64.powi(k);
        let unit = self.unit.or(self.whole.then_some(1.0)).map(|unit| unit * scale);
        let value = format!("{}e{k}", self.value).parse().unwrap_or(self.value * scale);
        Written { value, unit, whole: false, ..self }
    }

    /// A number that the program printed itself, as it stands there; `set`: with digits that its text asks
    /// for.
    fn printed(self, set: bool) -> Written {
        let decimals = self.unit.map_or(0.0, |u| -u.log10());
        let rounded = set || self.digits >= SHOWN || decimals >= SHOWN as f64 - 0.5;
        Written { unit: self.unit.filter(|_| rounded), ..Written::exact(self.value) }
    }

    /// Whether this answer is the number of the program: equal to it, or rounded rightly to three
    /// significant digits or more, or right as far as the program's own form goes.
    pub fn answers(self, shown: Written) -> bool {
        if close(self.value, shown.value) {
            return true;
        }
        let off = (self.value - shown.value).abs();
        // A whole number may stand for one that is not.
        let whole = (self.whole && shown.value.fract() != 0.0).then_some(1.0);
        let own = self.unit.or(whole).filter(|_| self.digits >= ENOUGH);
        // Where all digits are known, those beyond the ones that the program shows are right digits too.
        let finest = self.unit.or(self.whole.then_some(1.0)).unwrap_or(f64::INFINITY);
        let as_shown = |unit: f64| off <= half(unit) && (!shown.known || finest >= 0.5 * unit);
        own.is_some_and(|own| off <= half(own))
            || shown.unit.is_some_and(as_shown)
            || shown.printed.is_some_and(|print| self.copies(print))
    }

    /// Whether it is what the program prints, which may be fewer digits than are asked for: in a matrix the smaller
    /// numbers. Of a number printed as 0 or without decimals too much is lost to tell.
    fn copies(self, print: Print) -> bool {
        let fine = |unit: f64| self.value != 0.0 || self.unit.is_some_and(|own| own <= unit * 1.5);
        self.value == print.value && print.unit.is_some_and(fine)
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
    // An edge of a drawing may have any length.
    if "─┄".contains(first) {
        let end = rest.find(|c| c != first).unwrap_or(rest.len());
        return (Token::Text(&rest[..first.len_utf8()]), end);
    }
    let length = match first {
        c if c.is_alphanumeric() || c == '_' => {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        }
        c => c.len_utf8(),
    };
    let value = match &rest[..length] {
        "∞" => f64::INFINITY,
        word if word.eq_ignore_ascii_case("nan") => f64::NAN,
        word if INFINITE.iter().any(|w| word.eq_ignore_ascii_case(w)) => f64::INFINITY,
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
    // `2469e2` is rounded to hundreds.
    let hundreds = (mantissa < end && power > 0).then(|| places(0));
    let written = Written {
        value,
        unit: decimals.map(places).or(hundreds),
        digits: significant(&body[..mantissa]),
        whole: decimals.is_none() && mantissa == end,
        known: false,
        printed: None,
    };
    Some((written, text.len() - body.len() + end))
}

const INFINITE: [&str; 2] = ["inf", "infinity"];

/// `-inf`; a sign alone is not a number.
fn infinite(sign: Option<char>, body: &str, text: &str) -> Option<(Written, usize)> {
    let letters = body.find(|c: char| !c.is_alphabetic()).unwrap_or(body.len());
    let word = match body.strip_prefix('∞') {
        Some(_) => "∞",
        None => &body[..letters],
    };
    if word != "∞" && !INFINITE.iter().any(|w| word.eq_ignore_ascii_case(w)) {
        return None;
    }
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

/// A line of the program's output, with its numbers as they are, whatever the digits that it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub text: String,
    numbers: Vec<Written>,
}

impl Line {
    /// A text whose numbers are these; where they are not as many, those that the text shows.
    pub fn new(text: String, numbers: Vec<Written>) -> Line {
        Line { text, numbers }
    }

    /// The pieces of its text, each number with its value.
    pub fn pieces(&self) -> Vec<Piece<'_>> {
        self.valued(pieces(&self.text))
    }

    /// The numbers of some of its text; `all`: the pieces of what is left of it.
    pub fn valued<'a>(&self, mut all: Vec<Piece<'a>>) -> Vec<Piece<'a>> {
        let places = all.iter_mut().filter_map(|p| match &mut p.token {
            Token::Number(n) => Some(n),
            _ => None,
        });
        let places: Vec<&mut Written> = places.collect();
        if places.len() == self.numbers.len() {
            for (place, number) in places.into_iter().zip(&self.numbers) {
                let print = Print { value: place.value, unit: place.unit };
                *place = Written { printed: Some(print), ..*number };
            }
        }
        all
    }

    pub fn numbers(&self) -> &[Written] {
        &self.numbers
    }

    /// The text with every digit of its numbers.
    pub fn with_all_digits(&self) -> String {
        let mut text = self.text.clone();
        for piece in self.pieces().iter().rev() {
            if let Token::Number(n) = piece.token {
                let number = vjp_text::digits::lone(n.value, None);
                text.replace_range(piece.start..piece.end, &number);
            }
        }
        text
    }

    /// Whether the digits that it shows make up its numbers.
    pub fn shows_all(&self) -> bool {
        let own = pieces(&self.text);
        let shown = own.iter().filter_map(|p| match p.token {
            Token::Number(n) => Some(n),
            _ => None,
        });
        shown.zip(&self.numbers).all(|(shown, number)| shown.answers(*number))
    }
}

/// The lines of an output; `exact`: the same with all digits; `set`: the input asks for digits of its own.
pub fn lines(now: &[String], exact: Option<&[String]>, set: bool) -> Vec<Line> {
    fn all(lines: &[String]) -> Vec<(Token<'_>, &str)> {
        let of_line = |line| {
            let each = pieces(line).into_iter();
            each.map(move |piece: Piece| (piece.token, &line[piece.start..piece.end]))
        };
        lines.iter().map(String::as_str).flat_map(of_line).collect()
    }
    let (shown, known) = (all(now), exact.map(all).unwrap_or_default());
    let alike = |((a, _), (b, _)): (&(Token, &str), &(Token, &str))| match (a, b) {
        (Token::Number(_), Token::Number(_)) => true,
        (a, b) => a == b,
    };
    let fits = shown.len() == known.len() && shown.iter().zip(&known).all(alike);
    let mut at = 0;
    let value = |piece: &Piece<'_>, k: usize| {
        let Token::Number(n) = piece.token else { return None };
        Some(match known.get(k) {
            // Written otherwise in full: the program knows more digits than it shows, if only zeros.
            Some((Token::Number(e), text)) if fits && *text != shown[k].1 => {
                Written::known(e.value)
            }
            _ => n.printed(set),
        })
    };
    now.iter()
        .map(|line| {
            let own = pieces(line);
            let numbers = own.iter().enumerate().filter_map(|(k, p)| value(p, at + k)).collect();
            at += own.len();
            Line::new(line.clone(), numbers)
        })
        .collect()
}

/// Whether an input writes numbers with digits of its own: `f"{x:.2f}"`, `round(x, 2)`.
pub fn sets_digits(input: &[String]) -> bool {
    input.iter().any(|line| {
        let spec = |at: usize| line[at + 1..].starts_with(|c: char| c.is_ascii_digit());
        let format = line.match_indices('.').any(|(at, _)| {
            spec(at)
                && line[..at].trim_end_matches(|c: char| c.is_ascii_digit()).ends_with([':', '%'])
        });
        format || line.contains("round(")
    })
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
        // The number itself, whatever digits are shown of it.
        let right = |given, value| one(given).answers(Written::known(value));
        for (value, rights, wrongs) in [
            (0.5, &["0.5", ".5000", "1/2", "0.500"][..], &["0.5004", "0.49", "0.6"][..]),
            (
                1.0 / 3.0,
                &["1/3", "0.333", "0.3333", "0.33333", "3.33e-1"],
                &["0.33", "0.334", "0.3", "0.33334"],
            ),
            (1200.0, &["1200", "1200.0", "1.2e3", "1.20e3"], &["1199.5", "1200.4", "1200.1"]),
            (12344.0, &["12344", "1.234e4", "1.23e4", "12344."], &["12344.5", "1.2e4", "12340"]),
            (246_912.0, &["2.469e5", "2469e2"], &["2.5e5", "246900"]),
            (1234.5, &["1234.5", "1234", "1235", "1.23e3"], &["1236", "1230"]),
            (12.5, &["12.5", "12.50", "25/2"], &["12", "13", "12.54"]),
            (6.0, &["6", "6.", "6.000"], &["6.0001", "7"]),
            (-2e-6, &["-2e-6", "-.000002"], &["-2.1e-6", "0", "2e-6"]),
            (0.0, &["0", "0.0", "-0"], &["0.001", "1e-9"]),
        ] {
            for given in rights {
                assert!(right(given, value), "{given} is {value}");
            }
            for given in wrongs {
                assert!(!right(given, value), "{given} is not {value}");
            }
        }
        assert!(right("nan", f64::NAN) && right("NAN", f64::NAN) && right("Inf", f64::INFINITY));
        // What a program prints itself is all that is known of it.
        let printed = |given, shown, set| one(given).answers(one(shown).printed(set));
        assert!(printed("1/3", "0.3333", false) && printed("3.14159", "3.142", false));
        assert!(!printed("0.54", "0.5", false) && printed("1/3", "0.33", true));
        assert!(one("0.148").means(0.14808) && !one("0.1").means(0.14808) && !one("6").means(6.3));
    }

    #[test]
    fn a_line_knows_its_numbers() {
        let text = |line: &str| vec![line.to_owned()];
        let of = |now: &str, exact: &str| lines(&text(now), Some(&text(exact)), false);
        let line = &of("[10, 0.33]", "[10.5, 0.33333333333333331]")[0];
        let values: Vec<f64> = line.numbers().iter().map(|n| n.value).collect();
        assert_eq!(values, [10.5, 1.0 / 3.0]);
        assert!(!line.shows_all() && of("12", "12")[0].shows_all());
        assert_eq!(of("a 1", "b 2")[0].numbers()[0].value, 1.0);
    }
}
