//! Python's format specifications, `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`,
//! for numbers and text. Errors are the words of Python's ValueError.

use super::number::{fixed, general, general_form, repr, scientific};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::ToPrimitive;

/// A specification taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    pub fill: char,
    pub align: Option<char>,
    /// `+`, `-` or a space.
    pub sign: Option<char>,
    /// `z`: no negative zero.
    pub no_negative_zero: bool,
    pub alternate: bool,
    pub width: usize,
    /// `,` or `_`.
    pub grouping: Option<char>,
    pub precision: Option<usize>,
    pub kind: Option<char>,
}

impl Default for Spec {
    fn default() -> Self {
        Spec {
            fill: ' ',
            align: None,
            sign: None,
            no_negative_zero: false,
            alternate: false,
            width: 0,
            grouping: None,
            precision: None,
            kind: None,
        }
    }
}

/// What is formatted; its name in errors and the side it leans to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Object {
    Int,
    Float,
    Str,
}

impl Object {
    fn name(self) -> &'static str {
        match self {
            Object::Int => "int",
            Object::Float => "float",
            Object::Str => "str",
        }
    }
}

/// Characters a result may have at least: ask the budget before formatting.
pub fn size(spec: &str) -> usize {
    Spec::parse(spec, Object::Float).map_or(0, |s| s.width.saturating_add(s.precision.unwrap_or(0)))
}

impl Spec {
    fn parse(text: &str, object: Object) -> Result<Spec, String> {
        let chars: Vec<char> = text.chars().collect();
        let mut spec = Spec::default();
        let mut at = 0;
        let is_align = |c: Option<&char>| c.is_some_and(|c| matches!(c, '<' | '>' | '=' | '^'));
        let mut filled = false;
        if is_align(chars.get(1)) {
            (spec.fill, spec.align, at, filled) = (chars[0], Some(chars[1]), 2, true);
        } else if is_align(chars.first()) {
            (spec.align, at) = (Some(chars[0]), 1);
        }
        if let Some(&c @ ('+' | '-' | ' ')) = chars.get(at) {
            spec.sign = Some(c);
            at += 1;
        }
        let flag = |c: char, at: &mut usize| {
            let here = chars.get(*at) == Some(&c);
            *at += usize::from(here);
            here
        };
        spec.no_negative_zero = flag('z', &mut at);
        spec.alternate = flag('#', &mut at);
        if !filled && flag('0', &mut at) {
            spec.fill = '0';
            if spec.align.is_none() && object != Object::Str {
                spec.align = Some('=');
            }
        }
        spec.width = digits(&chars, &mut at)?.unwrap_or(0);
        for c in [',', '_'] {
            if chars.get(at) == Some(&c) {
                if spec.grouping.is_some() {
                    return Err("Cannot specify both ',' and '_'.".into());
                }
                spec.grouping = Some(c);
                at += 1;
            }
        }
        if spec.grouping.is_some() && chars.get(at) == Some(&',') {
            return Err(match spec.grouping {
                Some(',') => "Cannot specify ',' with ','.".into(),
                _ => "Cannot specify both ',' and '_'.".into(),
            });
        }
        if chars.get(at) == Some(&'.') {
            at += 1;
            spec.precision = digits(&chars, &mut at)?;
            if spec.precision.is_none() {
                return Err("Format specifier missing precision".into());
            }
        }
        match chars.len() - at {
            0 => {}
            1 => spec.kind = Some(chars[at]),
            _ => {
                let name = object.name();
                return Err(format!(
                    "Invalid format specifier '{text}' for object of type '{name}'"
                ));
            }
        }
        spec.check_grouping()?;
        Ok(spec)
    }

    fn check_grouping(&self) -> Result<(), String> {
        let Some(separator) = self.grouping else {
            return Ok(());
        };
        match self.kind {
            None | Some('d' | 'e' | 'f' | 'g' | 'E' | 'G' | '%' | 'F') => Ok(()),
            Some('b' | 'o' | 'x' | 'X') if separator == '_' => Ok(()),
            Some(kind) => Err(format!("Cannot specify '{separator}' with '{kind}'.")),
        }
    }

    fn unknown(&self, object: Object) -> String {
        let kind = self.kind.unwrap_or(' ');
        let name = object.name();
        match kind.is_ascii_graphic() {
            true => format!("Unknown format code '{kind}' for object of type '{name}'"),
            false => {
                format!("Unknown format code '\\x{:x}' for object of type '{name}'", kind as u32)
            }
        }
    }

    /// Sign, prefix and digits, grouped and padded.
    fn number(&self, negative: bool, prefix: &str, digits: &str) -> String {
        let sign = match (negative, self.sign) {
            (true, _) => "-",
            (false, Some('+')) => "+",
            (false, Some(' ')) => " ",
            _ => "",
        };
        let head = sign.len() + prefix.len();
        let align = self.align.unwrap_or('>');
        let body = match self.grouping {
            Some(separator) => {
                let zeros = self.fill == '0' && align == '=';
                let least = if zeros { self.width.saturating_sub(head) } else { 0 };
                let size = if matches!(self.kind, Some('b' | 'o' | 'x' | 'X')) { 4 } else { 3 };
                group(digits, separator, size, least)
            }
            None => digits.to_string(),
        };
        if self.width == 0 {
            return format!("{sign}{prefix}{body}");
        }
        if align == '=' {
            let missing = self.width.saturating_sub(head + body.chars().count());
            let padding: String = std::iter::repeat_n(self.fill, missing).collect();
            return format!("{sign}{prefix}{padding}{body}");
        }
        pad(&format!("{sign}{prefix}{body}"), self.width, self.fill, align)
    }
}

/// A decimal number in a spec.
fn digits(chars: &[char], at: &mut usize) -> Result<Option<usize>, String> {
    let start = *at;
    while chars.get(*at).is_some_and(char::is_ascii_digit) {
        *at += 1;
    }
    if start == *at {
        return Ok(None);
    }
    let text: String = chars[start..*at].iter().collect();
    match text.parse::<i32>() {
        Ok(n) => Ok(Some(n as usize)),
        Err(_) => Err("Too many decimal digits in format string".into()),
    }
}

/// Separators between groups of whole digits, zeros in front up to `least` characters.
fn group(digits: &str, separator: char, size: usize, least: usize) -> String {
    let whole = digits.find(|c: char| !c.is_ascii_hexdigit() || c == 'e' && size == 3);
    let (whole, rest) = digits.split_at(whole.unwrap_or(digits.len()));
    if whole.is_empty() || !whole.starts_with(|c: char| c.is_ascii_hexdigit()) {
        return digits.to_string();
    }
    let mut reversed: Vec<char> = Vec::new();
    let mut given = whole.chars().rev();
    let mut count = 0;
    let tail = rest.chars().count();
    loop {
        let next = match given.next() {
            Some(c) => c,
            None if reversed.len() + tail < least => '0',
            None => break,
        };
        if count > 0 && count % size == 0 {
            reversed.push(separator);
        }
        reversed.push(next);
        count += 1;
    }
    reversed.iter().rev().collect::<String>() + rest
}

/// Text in a field of `width` characters.
pub fn pad(text: &str, width: usize, fill: char, align: char) -> String {
    let (left, right) = missing(text, width, align);
    let run = |n: usize| String::from(fill).repeat(n);
    [&run(left), text, &run(right)].concat()
}

/// How many characters a field has on both sides of its text.
fn missing(text: &str, width: usize, align: char) -> (usize, usize) {
    let missing = width.saturating_sub(text.chars().count());
    let left = match align {
        '<' => 0,
        '^' => missing / 2,
        _ => missing,
    };
    (left, missing - left)
}

/// `format(s, spec)`: what of the text, which character fills the field, and how often on both sides.
pub fn text(s: &str, spec: &str) -> Result<(String, char, (usize, usize)), String> {
    let spec = Spec::parse(spec, Object::Str)?;
    if !matches!(spec.kind, None | Some('s')) {
        return Err(spec.unknown(Object::Str));
    }
    if let Some(sign) = spec.sign {
        let what = if sign == ' ' { "Space" } else { "Sign" };
        return Err(format!("{what} not allowed in string format specifier"));
    }
    if spec.no_negative_zero {
        return Err("Negative zero coercion (z) not allowed in string format specifier".into());
    }
    if spec.alternate {
        return Err("Alternate form (#) not allowed in string format specifier".into());
    }
    if spec.align == Some('=') {
        return Err("'=' alignment not allowed in string format specifier".into());
    }
    if let (Some(separator), None | Some('s')) = (spec.grouping, spec.kind) {
        return Err(format!("Cannot specify '{separator}' with 's'."));
    }
    let cut: String = match spec.precision {
        Some(n) => s.chars().take(n).collect(),
        None => s.into(),
    };
    let sides = missing(&cut, spec.width, spec.align.unwrap_or('<'));
    Ok((cut, spec.fill, sides))
}

/// `format(x, spec)` of a float.
pub fn float(x: f64, spec: &str) -> Result<String, String> {
    float_with(x, &Spec::parse(spec, Object::Float)?)
}

fn float_with(x: f64, spec: &Spec) -> Result<String, String> {
    let precision = spec.precision.unwrap_or(6);
    let magnitude = x.abs();
    let body = match spec.kind {
        None if spec.precision.is_none() => match spec.alternate {
            _ if !x.is_finite() => repr(magnitude),
            false => repr(magnitude),
            true => with_point(repr(magnitude)),
        },
        None => general_form(magnitude, precision, spec.alternate, true),
        Some('e' | 'E') => scientific(magnitude, precision, spec.alternate),
        Some('f' | 'F') => fixed(magnitude, precision, spec.alternate),
        Some('g' | 'G' | 'n') => general(magnitude, precision, spec.alternate),
        Some('%') => fixed(magnitude * 100.0, precision, spec.alternate) + "%",
        Some(_) => return Err(spec.unknown(Object::Float)),
    };
    let body = match spec.kind {
        Some('E' | 'F' | 'G') => body.to_ascii_uppercase(),
        _ => body,
    };
    let zero =
        body.chars().take_while(|c| !matches!(c, 'e' | 'E')).all(|c| !matches!(c, '1'..='9'));
    let negative =
        x.is_sign_negative() && !x.is_nan() && !(spec.no_negative_zero && zero && x.is_finite());
    Ok(spec.number(negative, "", &body))
}

/// `1e+16` with the point that `#` asks for.
fn with_point(text: String) -> String {
    match text.split_once('e') {
        Some((mantissa, exponent)) if !mantissa.contains('.') => format!("{mantissa}.e{exponent}"),
        _ => text,
    }
}

/// Why a number cannot be formatted: the words of Python's error, and which one it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    Value(String),
    Overflow(String),
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal::Value(message)
    }
}

/// `format(n, spec)` of an integer. `digits` spells a natural number in a base, which may take long.
pub fn int<E: From<Refusal>>(
    n: &BigInt,
    spec: &str,
    digits: impl FnOnce(&BigUint, u32) -> Result<String, E>,
) -> Result<String, E> {
    let spec = Spec::parse(spec, Object::Int).map_err(Refusal::Value)?;
    let (prefix, radix) = match spec.kind {
        Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') => {
            let too_large = || Refusal::Overflow("int too large to convert to float".into());
            let x = n.to_f64().filter(|x| x.is_finite()).ok_or_else(too_large)?;
            return Ok(float_with(x, &spec).map_err(Refusal::Value)?);
        }
        None | Some('d' | 'n') => ("", 10),
        Some('b') => ("0b", 2),
        Some('o') => ("0o", 8),
        Some('x') => ("0x", 16),
        Some('X') => ("0X", 16),
        Some('c') => return Ok(character(n, &spec)?),
        Some(_) => return Err(Refusal::Value(spec.unknown(Object::Int)).into()),
    };
    refuse_for_int(&spec).map_err(Refusal::Value)?;
    let mut digits = digits(n.magnitude(), radix)?;
    if spec.kind == Some('X') {
        digits.make_ascii_uppercase();
    }
    let prefix = if spec.alternate { prefix } else { "" };
    Ok(spec.number(n.sign() == Sign::Minus, prefix, &digits))
}

fn refuse_for_int(spec: &Spec) -> Result<(), String> {
    if spec.precision.is_some() {
        return Err("Precision not allowed in integer format specifier".into());
    }
    if spec.no_negative_zero {
        return Err("Negative zero coercion (z) not allowed in integer format specifier".into());
    }
    Ok(())
}

fn character(n: &BigInt, spec: &Spec) -> Result<String, Refusal> {
    refuse_for_int(spec)?;
    let refused =
        |what| Refusal::Value(format!("{what} not allowed with integer format specifier 'c'"));
    if spec.sign.is_some() {
        return Err(refused("Sign"));
    }
    if spec.alternate {
        return Err(refused("Alternate form (#)"));
    }
    let Some(code) = n.to_i64() else {
        return Err(Refusal::Overflow("Python int too large to convert to C long".into()));
    };
    match u32::try_from(code).ok().and_then(char::from_u32) {
        Some(c) => Ok(pad(&c.to_string(), spec.width, spec.fill, spec.align.unwrap_or('>'))),
        None => Err(Refusal::Overflow("%c arg not in range(0x110000)".into())),
    }
}

/// `format(b, spec)` of a bool: text without a spec, else an integer.
pub fn boolean(b: bool, spec: &str) -> Result<String, Refusal> {
    match spec {
        "" => Ok(if b { "True" } else { "False" }.into()),
        _ => int(&u8::from(b).into(), spec, |n, radix| Ok(n.to_str_radix(radix))),
    }
}
