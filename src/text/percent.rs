//! printf-style formatting, `"%5.2f" % x`: the pieces of a format and one conversion at a time.

use super::number::{fixed, general, scientific};
use num_bigint::{BigInt, BigUint, Sign};

/// A width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    Missing,
    Given(usize),
    /// `*`: taken from the arguments.
    Argument,
}

/// `%[(key)][flags][width][.precision]type`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    pub key: Option<String>,
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
    pub width: Amount,
    pub precision: Amount,
    pub kind: char,
    /// Where in the format `kind` stands.
    pub at: usize,
}

/// A format is text and conversions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    Conversion(Conversion),
}

/// Takes a format apart, piece by piece; an error is the text of Python's ValueError.
pub fn pieces(format: &str) -> Pieces {
    Pieces { chars: format.chars().collect(), at: 0 }
}

/// What is left of a format.
pub struct Pieces {
    chars: Vec<char>,
    at: usize,
}

impl Iterator for Pieces {
    type Item = Result<Piece, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut text = String::new();
        while let Some(&c) = self.chars.get(self.at) {
            let start = self.at;
            self.at += 1;
            if c != '%' {
                text.push(c);
                continue;
            }
            if self.chars.get(self.at) == Some(&'%') {
                text.push('%');
                self.at += 1;
                continue;
            }
            match conversion(&self.chars, &mut self.at) {
                found if text.is_empty() => return Some(found.map(Piece::Conversion)),
                _ => {
                    // The text before it comes first.
                    self.at = start;
                    break;
                }
            }
        }
        (!text.is_empty()).then_some(Ok(Piece::Text(text)))
    }
}

fn conversion(chars: &[char], at: &mut usize) -> Result<Conversion, String> {
    let incomplete = || "incomplete format".to_string();
    let mut c = Conversion {
        key: None,
        left: false,
        plus: false,
        space: false,
        alternate: false,
        zero: false,
        width: Amount::Missing,
        precision: Amount::Missing,
        kind: '%',
        at: 0,
    };
    if chars.get(*at) == Some(&'(') {
        c.key = Some(key(chars, at)?);
    }
    while let Some(flag) = chars.get(*at) {
        match flag {
            '-' => c.left = true,
            '+' => c.plus = true,
            ' ' => c.space = true,
            '#' => c.alternate = true,
            '0' => c.zero = true,
            _ => break,
        }
        *at += 1;
    }
    c.width = amount(chars, at, "width too big")?;
    if chars.get(*at) == Some(&'.') {
        *at += 1;
        c.precision = match amount(chars, at, "precision too big")? {
            Amount::Missing => Amount::Given(0),
            given => given,
        };
    }
    // C's length modifiers are read and ignored.
    if matches!(chars.get(*at), Some('h' | 'l' | 'L')) {
        *at += 1;
    }
    c.kind = *chars.get(*at).ok_or_else(incomplete)?;
    c.at = *at;
    *at += 1;
    Ok(c)
}

fn key(chars: &[char], at: &mut usize) -> Result<String, String> {
    let (start, mut depth) = (*at + 1, 0usize);
    while let Some(c) = chars.get(*at) {
        *at += 1;
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Ok(chars[start..*at - 1].iter().collect()),
            ')' => depth -= 1,
            _ => {}
        }
    }
    Err("incomplete format key".into())
}

fn amount(chars: &[char], at: &mut usize, too_big: &str) -> Result<Amount, String> {
    if chars.get(*at) == Some(&'*') {
        *at += 1;
        return Ok(Amount::Argument);
    }
    let start = *at;
    while chars.get(*at).is_some_and(char::is_ascii_digit) {
        *at += 1;
    }
    if start == *at {
        return Ok(Amount::Missing);
    }
    let digits: String = chars[start..*at].iter().collect();
    match digits.parse::<i32>() {
        Ok(n) => Ok(Amount::Given(n as usize)),
        Err(_) => Err(too_big.into()),
    }
}

impl Conversion {
    /// Whether there is such a conversion, which is asked once it has its value; the error is the text
    /// of Python's ValueError.
    pub fn supported(&self) -> Result<(), String> {
        let kind = self.kind;
        if "diouxXeEfFgGcrsa".contains(kind) {
            return Ok(());
        }
        let shown = if kind.is_ascii_graphic() || kind == ' ' { kind } else { '?' };
        let (code, at) = (kind as u32, self.at);
        Err(format!("unsupported format character '{shown}' (0x{code:x}) at index {at}"))
    }

    /// Fills in what the arguments say for `*`; a negative width means left.
    pub fn with_width(mut self, width: i64) -> Self {
        self.left |= width < 0;
        self.width = Amount::Given(width.unsigned_abs() as usize);
        self
    }

    /// As [`Conversion::with_width`]; a negative precision is 0.
    pub fn with_precision(mut self, precision: i64) -> Self {
        self.precision = Amount::Given(precision.max(0) as usize);
        self
    }

    /// Characters the result may have at least: ask the budget first.
    pub fn size(&self) -> usize {
        let given = |a: Amount| if let Amount::Given(n) = a { n } else { 0 };
        given(self.width).saturating_add(given(self.precision))
    }

    fn precision(&self) -> Option<usize> {
        match self.precision {
            Amount::Given(n) => Some(n),
            _ => None,
        }
    }

    /// `%s`, `%r`, `%a`, `%c` of what has been made text already.
    pub fn text(&self, s: &str) -> String {
        let cut: String = match self.precision() {
            Some(n) if self.kind != 'c' => s.chars().take(n).collect(),
            _ => s.into(),
        };
        self.padded("", &cut, ' ')
    }

    /// `%e`, `%f`, `%g` and their capitals.
    pub fn float(&self, x: f64) -> String {
        let precision = self.precision().unwrap_or(6);
        let magnitude = x.abs();
        let body = match self.kind.to_ascii_lowercase() {
            'e' => scientific(magnitude, precision, self.alternate),
            'f' => fixed(magnitude, precision, self.alternate),
            _ => general(magnitude, precision, self.alternate),
        };
        let body = match self.kind.is_ascii_uppercase() {
            true => body.to_ascii_uppercase(),
            false => body,
        };
        let negative = x.is_sign_negative() && !x.is_nan();
        self.padded(self.sign(negative), &body, if self.zero { '0' } else { ' ' })
    }

    /// `%d`, `%x`, `%o`. `digits` spells a natural number in a base, which may take long.
    pub fn int<E>(
        &self,
        n: &BigInt,
        digits: impl FnOnce(&BigUint, u32) -> Result<String, E>,
    ) -> Result<String, E> {
        let (prefix, radix) = match self.kind {
            'o' => ("0o", 8),
            'x' => ("0x", 16),
            'X' => ("0X", 16),
            _ => ("", 10),
        };
        let mut digits = digits(n.magnitude(), radix)?;
        if self.kind == 'X' {
            digits.make_ascii_uppercase();
        }
        let least = self.precision().unwrap_or(0);
        let zeros = "0".repeat(least.saturating_sub(digits.len()));
        let prefix = if self.alternate { prefix } else { "" };
        let head = format!("{}{prefix}", self.sign(n.sign() == Sign::Minus));
        Ok(self.padded(&head, &(zeros + &digits), if self.zero { '0' } else { ' ' }))
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn padded(&self, head: &str, body: &str, fill: char) -> String {
        let width = if let Amount::Given(n) = self.width { n } else { 0 };
        let missing = width.saturating_sub(head.len() + body.chars().count());
        match (self.left, fill) {
            (true, _) => format!("{head}{body}{}", " ".repeat(missing)),
            (false, '0') => format!("{head}{}{body}", "0".repeat(missing)),
            (false, _) => format!("{}{head}{body}", " ".repeat(missing)),
        }
    }
}
