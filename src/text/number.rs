//! Numbers as text: Python's float repr, ints in decimal, and C's %e, %f, %g.

use num_bigint::BigUint;

/// f64 has at most this many digits after the point; further ones are zeros.
const EXACT_DIGITS: usize = 1100;

/// Python's `repr`: the shortest digits that read back as the same number.
pub fn repr(x: f64) -> String {
    if !x.is_finite() {
        return non_finite(x, false);
    }
    let (negative, digits, point) = shortest(x);
    let sign = if negative { "-" } else { "" };
    let n = digits.len() as i32;
    // `0.d₁d₂… × 10^point`; an exponent below 1e-4 and from 1e16 on.
    let body = if !(-3..=16).contains(&point) {
        exponent_form(&digits, point - 1, false)
    } else if point <= 0 {
        format!("0.{}{digits}", "0".repeat(-point as usize))
    } else if n <= point {
        format!("{digits}{}.0", "0".repeat((point - n) as usize))
    } else {
        let (whole, fraction) = digits.split_at(point as usize);
        format!("{whole}.{fraction}")
    };
    format!("{sign}{body}")
}

/// `nan`, `inf`, `-inf`.
fn non_finite(x: f64, upper: bool) -> String {
    let text = match (x.is_nan(), x < 0.0) {
        (true, _) => "nan",
        (false, true) => "-inf",
        (false, false) => "inf",
    };
    if upper { text.to_ascii_uppercase() } else { text.into() }
}

/// Fewer digits than this never stand halfway between two texts that read back.
const TIES_FROM: usize = 15;

/// Sign, shortest significant digits and the place of the point before which they end:
/// `x = ±0.d₁d₂… × 10^point`. Halfway between two such texts the last digit is even, as in Python.
pub fn shortest(x: f64) -> (bool, String, i32) {
    let text = format!("{x:e}");
    let short = split(&text);
    if short.1.len() >= TIES_FROM {
        let rounded = format!("{x:.*e}", short.1.len() - 1);
        if rounded != text && rounded.parse() == Ok(x) {
            return split(&rounded);
        }
    }
    short
}

/// The same with `count` significant digits, correctly rounded.
pub fn significant(x: f64, count: usize) -> (bool, String, i32) {
    let kept = count.clamp(1, EXACT_DIGITS);
    let (negative, mut digits, point) = split(&format!("{x:.*e}", kept - 1));
    digits.push_str(&"0".repeat(count.saturating_sub(kept)));
    (negative, digits, point)
}

/// Takes `-d.ddde±x` apart.
fn split(text: &str) -> (bool, String, i32) {
    let negative = text.starts_with('-');
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    (negative, digits, point)
}

/// `d.ddde±xx`; `point` keeps a point behind a single digit.
fn exponent_form(digits: &str, exponent: i32, point: bool) -> String {
    let (first, rest) = digits.split_at(1);
    let dot = if rest.is_empty() && !point { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{first}{dot}{rest}e{sign}{:02}", exponent.unsigned_abs())
}

/// C's `%.*f`; `alternate` (`#`) keeps the point.
pub fn fixed(x: f64, precision: usize, alternate: bool) -> String {
    if !x.is_finite() {
        return non_finite(x, false);
    }
    let kept = precision.min(EXACT_DIGITS);
    let mut text = format!("{x:.kept$}");
    text.push_str(&"0".repeat(precision - kept));
    if alternate && precision == 0 {
        text.push('.');
    }
    text
}

/// C's `%.*e`.
pub fn scientific(x: f64, precision: usize, alternate: bool) -> String {
    if !x.is_finite() {
        return non_finite(x, false);
    }
    let (negative, digits, point) = significant(x, precision.saturating_add(1));
    let exponent = if x == 0.0 { 0 } else { point - 1 };
    let sign = if negative { "-" } else { "" };
    format!("{sign}{}", exponent_form(&digits, exponent, alternate))
}

/// C's `%.*g`; `alternate` keeps trailing zeros.
pub fn general(x: f64, precision: usize, alternate: bool) -> String {
    general_form(x, precision, alternate, false)
}

/// `%g`, or Python's variant for a precision without a type, which keeps `.0` and turns to
/// an exponent one digit earlier.
pub fn general_form(x: f64, precision: usize, alternate: bool, float: bool) -> String {
    if !x.is_finite() {
        return non_finite(x, false);
    }
    let precision = precision.max(1);
    let (negative, mut digits, point) = significant(x, precision);
    let point = if x == 0.0 { 1 } else { point };
    if !alternate {
        let kept = digits.trim_end_matches('0').len().max(1);
        digits.truncate(kept);
    }
    let limit = i32::try_from(precision).unwrap_or(i32::MAX) - i32::from(float);
    let body = if point <= -4 || point > limit {
        exponent_form(&digits, point - 1, alternate)
    } else {
        positional(&digits, point, alternate, float)
    };
    format!("{}{body}", if negative { "-" } else { "" })
}

/// `0.d₁d₂… × 10^point` without an exponent.
fn positional(digits: &str, point: i32, alternate: bool, float: bool) -> String {
    if point <= 0 {
        return format!("0.{}{digits}", "0".repeat(-point as usize));
    }
    let point = point as usize;
    if digits.len() > point {
        return format!("{}.{}", &digits[..point], &digits[point..]);
    }
    let zeros = "0".repeat(point - digits.len());
    let end = match (float, alternate) {
        (true, _) => ".0",
        (false, true) => ".",
        (false, false) => "",
    };
    format!("{digits}{zeros}{end}")
}

/// CPython's limit for decimal texts of ints: to write or read more takes quadratic time.
pub const MAX_DIGITS: usize = 4300;

/// A natural number in decimal.
///
/// # Errors
/// The words of Python's ValueError beyond [`MAX_DIGITS`].
pub fn decimal(n: &BigUint) -> Result<String, String> {
    // A digit holds more than 3.3 bits.
    let short = n.bits() <= MAX_DIGITS as u64 * 10 / 3 + 10;
    let text = if short { n.to_string() } else { String::new() };
    if !short || text.len() > MAX_DIGITS {
        return Err(format!("{}; {RAISES_LIMIT}", over_limit()));
    }
    Ok(text)
}

/// What a text with more digits is refused with.
pub fn too_many_digits(count: usize) -> String {
    format!("{}: value has {count} digits; {RAISES_LIMIT}", over_limit())
}

fn over_limit() -> String {
    format!("Exceeds the limit ({MAX_DIGITS} digits) for integer string conversion")
}

const RAISES_LIMIT: &str = "use sys.set_int_max_str_digits() to increase the limit";
