//! printf-style formatting, `"%5.2f" % x`: the pieces of a format and one conversion at a time.

use super::number::{fixed, general, scientific};

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
}

/// A format is text and conversions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    Conversion(Conversion),
}

/// Takes a format apart; the error is the text of Python's ValueError.
pub fn pieces(format: &str) -> Result<Vec<Piece>, String> {
    let chars: Vec<char> = format.chars().collect();
    let (mut out, mut text, mut at) = (Vec::new(), String::new(), 0);
    while at < chars.len() {
        if chars[at] != '%' {
            text.push(chars[at]);
            at += 1;
            continue;
        }
        at += 1;
        let conversion = conversion(&chars, &mut at)?;
        if conversion.kind == '%' {
            text.push('%');
            continue;
        }
        if !text.is_empty() {
            out.push(Piece::Text(std::mem::take(&mut text)));
        }
        out.push(Piece::Conversion(conversion));
    }
    if !text.is_empty() {
        out.push(Piece::Text(text));
    }
    Ok(out)
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
    if !"%diouxXeEfFgGcrsa".contains(c.kind) {
        let code = c.kind as u32;
        let shown = if c.kind.is_ascii_graphic() || c.kind == ' ' { c.kind } else { '?' };
        return Err(format!("unsupported format character '{shown}' (0x{code:x}) at index {at}"));
    }
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

    /// `%d`, `%x`, `%o`.
    pub fn int(&self, n: i64) -> String {
        let magnitude = n.unsigned_abs();
        let (prefix, digits) = match self.kind {
            'o' => ("0o", format!("{magnitude:o}")),
            'x' => ("0x", format!("{magnitude:x}")),
            'X' => ("0X", format!("{magnitude:X}")),
            _ => ("", magnitude.to_string()),
        };
        let least = self.precision().unwrap_or(0);
        let zeros = "0".repeat(least.saturating_sub(digits.len()));
        let prefix = if self.alternate { prefix } else { "" };
        let head = format!("{}{prefix}", self.sign(n < 0));
        self.padded(&head, &(zeros + &digits), if self.zero { '0' } else { ' ' })
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
