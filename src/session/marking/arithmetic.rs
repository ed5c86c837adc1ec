//! Answers worked out: `10*2`, `(1 + 2)/4`, `-3^2`, `sqrt(2)` among commas and brackets.

use crate::marking::numbers::{Piece, Token, Written, raw};
use std::f64::consts::{E, PI};
use vjp_maths::table;

/// So deep brackets nest.
const DEPTH: usize = 200;

/// The numbers of an answer that holds nothing else, None for each blank; None where it holds words.
pub fn figures(answer: &str) -> Option<Vec<Option<Written>>> {
    let pieces = raw(answer);
    let mut reader = Reader { text: answer, pieces: &pieces, at: 0, depth: 0 };
    let mut found = Vec::new();
    while let Some(piece) = reader.pieces.get(reader.at) {
        match piece.token {
            Token::Blank => {
                found.push(None);
                reader.at += 1;
            }
            _ => match reader.number() {
                Some(number) => found.push(Some(number)),
                None if reader.separates() => reader.at += 1,
                None => return None,
            },
        }
    }
    Some(found)
}

/// Both sides of the last `sign` of an expression that stands in no bracket, where nothing weaker does.
pub fn operands<'a>(step: &'a str, sign: &str) -> Option<(&'a str, &'a str)> {
    let (mut depth, mut found) = (0i32, None);
    let bytes = step.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        match rest[0] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            // A power, not two products.
            b'*' if rest.starts_with(b"**") => at += 1,
            b'+' | b'-' if depth == 0 && at > 0 => return None,
            b'*' | b'/' | b'@' if depth == 0 => found = Some(at),
            _ => {}
        }
        at += 1;
    }
    let at = found.filter(|at| step[*at..].starts_with(sign))?;
    Some((step[..at].trim(), step[at + 1..].trim()))
}

struct Reader<'a> {
    text: &'a str,
    pieces: &'a [Piece<'a>],
    at: usize,
    depth: usize,
}

/// A number as it stands: `0.00123`, in brackets too, and `1.23·10^-3` with the digits of its first part.
fn written(pieces: &[Piece<'_>]) -> Option<Written> {
    let sign = |piece: &Piece<'_>, signs: &[&str]| matches!(piece.token, Token::Text(text) if signs.contains(&text));
    match pieces {
        [one] => match one.token {
            Token::Number(written) => Some(written),
            _ => None,
        },
        [open, inside @ .., closed] if sign(open, &["("]) && sign(closed, &[")"]) => {
            written(inside)
        }
        [first, times, ten, power @ .., exponent] if sign(times, &["*", "×", "·"]) => {
            let (Token::Number(first), Token::Number(ten), Token::Number(k)) =
                (first.token, ten.token, exponent.token)
            else {
                return None;
            };
            let raises = match power {
                [caret] => sign(caret, &["^"]),
                [a, b] => sign(a, &["*"]) && sign(b, &["*"]),
                _ => false,
            };
            let fits = raises && ten.value == 10.0 && k.value.fract() == 0.0;
            fits.then(|| first.times_ten_to(k.value as i32))
        }
        _ => None,
    }
}

impl<'a> Reader<'a> {
    fn separates(&self) -> bool {
        let signs = ["[", "]", "(", ")", "<", ">", "{", "}", "ᵀ", ",", ";", "tensor", "array"];
        self.sign().is_some_and(|sign| signs.contains(&sign))
    }

    fn sign(&self) -> Option<&'a str> {
        match self.pieces.get(self.at)?.token {
            Token::Text(text) => Some(text),
            _ => None,
        }
    }

    fn takes(&mut self, sign: &str) -> bool {
        let takes = self.sign() == Some(sign);
        self.at += usize::from(takes);
        takes
    }

    /// A number as it is written, or what an expression comes to; nothing is read where there is none.
    fn number(&mut self) -> Option<Written> {
        let start = self.at;
        self.depth = 0;
        let value = self.sum().filter(|value| value.is_finite() || self.at == start + 1);
        let Some(value) = value else {
            self.at = start;
            return None;
        };
        Some(written(&self.pieces[start..self.at]).unwrap_or_else(|| Written::exact(value)))
    }

    fn sum(&mut self) -> Option<f64> {
        let mut sum = self.product()?;
        loop {
            let minus = ["-", "−"].iter().any(|sign| self.takes(sign));
            if minus || self.takes("+") {
                let term = self.product()?;
                sum += if minus { -term } else { term };
            } else if self.joined() {
                sum += self.product()?;
            } else {
                return Some(sum);
            }
        }
    }

    /// Whether a number with its sign follows without a blank: `2+30`.
    fn joined(&self) -> bool {
        let (Some(next), Some(last)) = (self.pieces.get(self.at), self.pieces.get(self.at - 1))
        else {
            return false;
        };
        let signed = self.text[next.start..].starts_with(['+', '-', '−']);
        matches!(next.token, Token::Number(_)) && signed && last.end == next.start
    }

    fn product(&mut self) -> Option<f64> {
        let mut product = self.power()?;
        loop {
            if self.is_power() {
                return None;
            } else if ["*", "×", "·"].iter().any(|sign| self.takes(sign)) {
                product *= self.power()?;
            } else if self.takes("/") {
                product /= self.power()?;
            } else {
                return Some(product);
            }
        }
    }

    fn is_power(&self) -> bool {
        let next = self.pieces.get(self.at + 1).map(|p| p.token);
        self.sign() == Some("^") || (self.sign() == Some("*") && next == Some(Token::Text("*")))
    }

    fn power(&mut self) -> Option<f64> {
        let negative =
            self.pieces.get(self.at).is_some_and(|p| self.text[p.start..].starts_with(['-', '−']));
        let base = self.atom()?;
        if !self.is_power() {
            return Some(base);
        }
        self.at += if self.sign() == Some("^") { 1 } else { 2 };
        let power = base.abs().powf(self.power()?);
        Some(if negative { -power } else { power })
    }

    fn atom(&mut self) -> Option<f64> {
        if let Token::Number(written) = self.pieces.get(self.at)?.token {
            self.at += 1;
            return Some(written.value);
        }
        if ["-", "−"].iter().any(|sign| self.takes(sign)) {
            return self.atom().map(|value| -value);
        }
        if self.sign() != Some("(") {
            return self.word();
        }
        self.inside()
    }

    /// `(…)`
    fn inside(&mut self) -> Option<f64> {
        self.depth += 1;
        let opens = self.takes("(") && self.depth <= DEPTH;
        let inside = opens.then(|| self.sum()).flatten()?;
        self.depth -= 1;
        self.takes(")").then_some(inside)
    }

    /// `pi`, or a function of one number: `sqrt(2)`, `math.exp(1)`.
    fn word(&mut self) -> Option<f64> {
        let module = ["torch", "math", "np"].iter().any(|name| self.takes(name));
        let name = (!module || self.takes(".")).then(|| self.sign()).flatten()?;
        self.at += 1;
        match name {
            "pi" | "π" => Some(PI),
            "e" => Some(E),
            _ => {
                let named = |row: &&table::Row| row.fun.name == name && row.fun.arity == 1;
                let row = table::rows().find(named)?;
                self.inside().map(|x| (row.fun.value)(&[x]))
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_worked_out() {
        let of = |text: &str| -> Option<Vec<f64>> {
            figures(text).map(|all| all.iter().map(|n| n.unwrap().value).collect())
        };
        for (text, value) in [
            ("10*2", 20.0),
            ("2+30", 32.0),
            ("2 + 3*4", 14.0),
            ("(1+2)/4", 0.75),
            ("2/3^2", 2.0 / 9.0),
            ("-3^2", -9.0),
            ("2**3", 8.0),
            ("1/2/2", 0.25),
            ("7 - 9", -2.0),
            ("-(2 + 3)", -5.0),
            ("sqrt(4) + 2*exp(0)", 4.0),
            ("-math.sqrt(1/4)", -0.5),
            ("cos(pi)", -1.0),
        ] {
            assert_eq!(of(text), Some(vec![value]), "{text}");
        }
        assert_eq!(of("[2+30, 41]"), Some(vec![32.0, 41.0]));
        assert_eq!(of("tensor([[1., -2], [3, 4]])"), Some(vec![1.0, -2.0, 3.0, 4.0]));
        assert_eq!(of("[2/1, sqrt(1)]"), Some(vec![2.0, 1.0]));
        assert_eq!(of("6 -120"), Some(vec![6.0, -120.0]));
        assert_eq!(of("(6, 120)"), Some(vec![6.0, 120.0]));
        for words in [
            "one",
            "6 because 2x",
            "x.grad = 6",
            "2*",
            "1/0",
            "6 apples",
            "sqrt",
            "sqrt 4",
            "sqrt(-1)",
            "math.6",
        ] {
            assert_eq!(of(words), None, "{words}");
        }
        assert_eq!(of(&"(".repeat(100_000)), Some(Vec::new()));
        assert_eq!(figures("[____, 2]").unwrap()[0], None);
    }
}
