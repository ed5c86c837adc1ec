//! Formulas of whole arrays as people write them, as code of the language: `∂y W₂ᵀ`, `d_y @ W2.T`,
//! `(1/4)(p − onehot(t))`. A product without a sign is one of matrices, and holds more tightly than `⊙`.

use super::spelling::{fraction, plain};
use std::fmt::Write;
use vjp_maths::table;
use vjp_text::digits::{lowered, raised};

/// Longer formulas are not written by hand.
pub(super) const LONGEST: usize = 1000;

/// Brackets may stand so deep in each other.
const DEEPEST: usize = 60;

/// What a product without a sign, and the words of the board, are in the language; `WIDTH` is put in for the
/// number of classes. Two columns side by side, which no product of matrices takes, are multiplied entry by entry.
pub(super) const HELPERS: &str = "\
def _beside(a, b):
    a, b = torch.as_tensor(a), torch.as_tensor(b)
    alone = a.numel() == 1 or b.numel() == 1
    columns = a.dim() == 2 and a.shape[1] == 1 and a.shape == b.shape
    return a * b if alone or columns else a @ b
def _diag(a):
    a = torch.as_tensor(a)
    return torch.diag(a[:, 0]) if a.dim() == 2 and a.shape[1] == 1 else torch.diag(a)
def _turned(a):
    a = torch.as_tensor(a)
    return a.T if a.dim() == 2 else a.mT if a.dim() > 2 else a
def _rows(a): return a.sum(0, keepdim=True)
def _columns(a): return a.sum(1, keepdim=True)
def onehot(t): return torch.nn.functional.one_hot(t, WIDTH) * 1.0
def softmax(a, dim=-1): return torch.softmax(a, dim)
def log_softmax(a, dim=-1): return torch.log_softmax(a, dim)
";

/// A name of the equations.
#[derive(Clone, Debug)]
pub struct Name {
    /// How it may be written.
    pub way: String,
    /// What code calls it.
    pub code: String,
    /// The dimensions of its value, whose entries may be written `x₁` and `W₁₂`.
    pub dims: usize,
}

/// Code that computes what a formula says.
pub fn code(text: &str, names: &[Name]) -> Result<String, String> {
    if text.trim().chars().count() > LONGEST {
        return Err(text.trim().chars().take(20).collect::<String>() + "…");
    }
    let spelled = plain(text.trim());
    let text = spelled.trim();
    let written: Vec<char> = text.chars().collect();
    let signs = flat(text).chars().collect();
    let mut reader = Reader { signs, written, at: 0, depth: 0, names };
    let whole = reader.whole();
    reader.blanks();
    match whole {
        Some(code) if reader.at == reader.signs.len() => Ok(code),
        _ => {
            let rest = reader.written[reader.at..].iter().take(20);
            let rest = rest.collect::<String>();
            Err(if rest.trim().is_empty() { text } else { rest.trim() }.to_owned())
        }
    }
}

/// With figures for lowered ones: `W₁` is W1.
pub(super) fn flat(text: &str) -> String {
    let figure = |c: char| lowered(c).and_then(|n| char::from_digit(n, 10)).unwrap_or(c);
    text.trim().chars().map(figure).collect()
}

struct Reader<'a> {
    signs: Vec<char>,
    /// The same with lowered figures, as many signs.
    written: Vec<char>,
    at: usize,
    depth: usize,
    names: &'a [Name],
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() && raised(c).is_none() && c != 'ᵀ' && c != 'Σ' || c == '_'
}

fn is_number(code: &str) -> bool {
    code.trim_start_matches("(-").trim_end_matches(')').parse::<f64>().is_ok()
}

fn is_inside(c: char) -> bool {
    is_letter(c) || c.is_ascii_digit()
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.signs.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn next(&mut self) -> Option<char> {
        self.blanks();
        self.peek()
    }

    /// Takes one of these texts.
    fn take<'t>(&mut self, all: &[&'t str]) -> Option<&'t str> {
        self.blanks();
        let rest = &self.signs[self.at..];
        let stands = |text: &&&str| {
            text.chars().count() <= rest.len() && text.chars().zip(rest).all(|(a, b)| a == *b)
        };
        let found = *all.iter().find(stands)?;
        self.at += found.chars().count();
        Some(found)
    }

    /// `a > b`, `dim=0`
    fn whole(&mut self) -> Option<String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut all = self.sum()?;
        while let Some(sign) = self.take(&[">=", "<=", "==", "≥", "≤", ">", "<", "="]) {
            let sign = match sign {
                "≥" => ">=",
                "≤" => "<=",
                sign => sign,
            };
            let right = self.sum()?;
            let _ = write!(all, " {sign} {right}");
        }
        self.depth -= 1;
        Some(all)
    }

    fn sum(&mut self) -> Option<String> {
        let mut all = self.times()?;
        while let Some(sign) = self.take(&["+", "-", "−", "–"]) {
            let right = self.times()?;
            let _ = write!(all, " {} {right}", if sign == "+" { "+" } else { "-" });
        }
        Some(all)
    }

    fn times(&mut self) -> Option<String> {
        let mut all = self.beside()?;
        while let Some(sign) = self.take(&["*", "⊙", "∘", "·", "⋅", "×", "/", "÷", "@"]) {
            let right = self.beside()?;
            let sign = match sign {
                "/" | "÷" => "/",
                "@" => "@",
                _ => "*",
            };
            let _ = write!(all, " {sign} {right}");
        }
        Some(all)
    }

    /// `Xᵀ ∂z`
    fn beside(&mut self) -> Option<String> {
        let mut all = self.signed()?;
        if is_number(&all) {
            all = self.over(&all).unwrap_or(all);
        }
        while self
            .next()
            .is_some_and(|c| is_inside(c) || "(∂√Σ".contains(c) || fraction(c).is_some())
        {
            let right = self.power()?;
            all = format!("_beside({all}, {right})");
        }
        Some(all)
    }

    fn signed(&mut self) -> Option<String> {
        match self.take(&["-", "−", "–", "+"]) {
            Some("+") => self.signed(),
            Some(_) => Some(format!("(-{})", self.signed()?)),
            None => self.power(),
        }
    }

    fn power(&mut self) -> Option<String> {
        let base = self.behind()?;
        match self.take(&["**", "^"]) {
            Some(_) => {
                let power = self.signed()?;
                Some(format!("({base})**({power})"))
            }
            None => Some(base),
        }
    }

    /// What stands behind a value: `ᵀ`, `.T`, `²`, `[0]`, `.sum(0)`.
    fn behind(&mut self) -> Option<String> {
        let mut all = self.atom()?;
        loop {
            let power = self.raised();
            if !power.is_empty() {
                all = format!("({all})**({power})");
            } else if self.take(&["ᵀ", "^T", "^⊤", ".mT", ".T"]).is_some() {
                all = format!("_turned({all})");
            } else if self.peek() == Some('.') {
                self.at += 1;
                let word = self.word();
                if word.is_empty() {
                    return None;
                }
                let _ = write!(all, ".{word}");
                if self.peek() == Some('(') {
                    let inside = self.list('(', ')')?;
                    let _ = write!(all, "({inside})");
                }
            } else if self.peek() == Some('[') {
                let inside = self.list('[', ']')?;
                let _ = write!(all, "[{inside}]");
            } else {
                return Some(all);
            }
        }
    }

    fn raised(&mut self) -> String {
        let mut power = String::new();
        while let Some(c) = self.peek() {
            match (raised(c), c) {
                (Some(figure), _) => power += &figure.to_string(),
                (None, '⁻') if power.is_empty() => power.push('-'),
                _ => break,
            }
            self.at += 1;
        }
        power
    }

    fn word(&mut self) -> String {
        let rest = self.signs[self.at..].iter();
        let word: String = rest.take_while(|c| is_inside(**c)).collect();
        self.at += word.chars().count();
        word
    }

    /// What stands between two brackets, parts with commas between them.
    fn list(&mut self, open: char, close: char) -> Option<String> {
        (self.next() == Some(open)).then(|| self.at += 1)?;
        let mut parts = Vec::new();
        loop {
            match self.next()? {
                c if c == close => {
                    self.at += 1;
                    return Some(parts.join(""));
                }
                c @ (',' | ':') => {
                    self.at += 1;
                    parts.push(format!("{c} "));
                }
                _ => parts.push(self.whole()?),
            }
        }
    }

    fn atom(&mut self) -> Option<String> {
        let first = self.next()?;
        if let Some(over) = self.take(&["mean of rows of ", "mean of columns of "]) {
            let dim = u8::from(over == "mean of columns of ");
            return Some(format!("({}).mean({dim}, keepdim=True)", self.whole()?));
        }
        if let Some((name, code)) = self.name().or_else(|| self.entry()) {
            self.at += name;
            return Some(code);
        }
        if let Some(value) = fraction(first) {
            self.at += 1;
            return Some(value.to_owned());
        }
        match first {
            '(' => Some(format!("({})", self.list('(', ')')?)),
            // A condition, as 1 where it holds.
            '[' => {
                let inside = self.list('[', ']')?;
                let condition = inside.contains(['<', '>']) || inside.contains("==");
                Some(if condition { format!("(({inside}) * 1.0)") } else { format!("[{inside}]") })
            }
            '√' => {
                self.at += 1;
                Some(format!("torch.sqrt(torch.as_tensor({}))", self.behind()?))
            }
            'Σ' => {
                self.at += 1;
                let over = self.take(&["rows of ", "columns of "]);
                let of = self.whole()?;
                Some(match over {
                    Some("rows of ") => format!("_rows({of})"),
                    Some(_) => format!("_columns({of})"),
                    None => format!("torch.sum({of})"),
                })
            }
            c if c.is_ascii_digit() || c == '.' => {
                let figure = |c: &&char| c.is_ascii_digit() || **c == '.';
                let number: String = self.signs[self.at..].iter().take_while(figure).collect();
                number.parse::<f64>().ok()?;
                self.at += number.chars().count();
                Some(number)
            }
            c if is_letter(c) => {
                let start = self.at;
                let word = self.word();
                let code = self.called(&word);
                if code.is_none() {
                    self.at = start;
                }
                code
            }
            _ => None,
        }
    }

    /// `2/3` in front of more is a fraction.
    fn over(&mut self, number: &str) -> Option<String> {
        let start = self.at;
        let under = self.take(&["/"]).and_then(|_| {
            self.blanks();
            let rest = self.signs[self.at..].iter();
            let under: String = rest.take_while(|c| c.is_ascii_digit() || **c == '.').collect();
            self.at += under.chars().count();
            let goes_on = self.peek().is_some_and(|c| c == '^' || c == '*' || raised(c).is_some());
            (!goes_on && under.parse::<f64>().is_ok()).then_some(under)
        });
        if under.is_none() {
            self.at = start;
        }
        under.map(|under| format!("({number}/{under})"))
    }

    /// A function with what it is given, a part of the library, a constant.
    fn called(&mut self, word: &str) -> Option<String> {
        if let Some(function) = function(word) {
            if self.next() == Some('(') {
                return Some(format!("{function}({})", self.list('(', ')')?));
            }
            // `cos b`
            return Some(format!("{function}(torch.as_tensor({}))", self.behind()?));
        }
        match word {
            "torch" | "F" => Some(word.to_owned()),
            _ => constant(word).map(str::to_owned),
        }
    }

    /// The longest name of the equations that stands here: its length, and what code calls it.
    fn name(&self) -> Option<(usize, String)> {
        let rest = &self.signs[self.at..];
        let stands = |name: &str| {
            let length = name.chars().count();
            let here = length <= rest.len() && name.chars().zip(rest).all(|(a, b)| a == *b);
            let ends = rest.get(length).is_none_or(|c| !is_inside(*c));
            here && ends
        };
        let found = self.names.iter().filter(|name| stands(&name.way));
        let longest = found.max_by_key(|name| name.way.chars().count())?;
        Some((longest.way.chars().count(), longest.code.clone()))
    }

    /// An entry in the panel's notation: `x₁`, `x1`, `x_1`, `W₁₂`, `W₁,₁₂`.
    fn entry(&self) -> Option<(usize, String)> {
        let rest = &self.signs[self.at..];
        let figure = |k: usize| rest.get(k).is_some_and(char::is_ascii_digit);
        let low = |k: usize| self.written.get(self.at + k).is_some_and(|c| lowered(*c).is_some());
        let found = |name: &Name| {
            let length = name.way.chars().count();
            let here = length <= rest.len() && name.way.chars().zip(rest).all(|(a, b)| a == *b);
            let start = length + usize::from(rest.get(length) == Some(&'_'));
            let (mut end, mut parts) = (start, vec![String::new()]);
            while let Some(sign) = rest.get(end).filter(|_| here) {
                match sign {
                    c if c.is_ascii_digit() => parts.last_mut()?.push(*c),
                    ',' if low(end - 1) && low(end + 1) && figure(end + 1) => {
                        parts.push(String::new());
                    }
                    _ => break,
                }
                end += 1;
            }
            if let ([one], true) = (parts.as_slice(), name.dims > 1) {
                parts = one.chars().map(String::from).collect();
            }
            let places: Option<Vec<usize>> =
                parts.iter().map(|part| part.parse::<usize>().ok()?.checked_sub(1)).collect();
            let places = places.filter(|all| name.dims > 0 && all.len() == name.dims)?;
            let ends = rest.get(end).is_none_or(|c| !is_inside(*c));
            ends.then(|| (end, length, format!("{}{places:?}", name.code)))
        };
        let longest = self.names.iter().filter_map(found).max_by_key(|(_, length, _)| *length)?;
        Some((longest.0, longest.2))
    }
}

/// What a function of a formula is called in the language.
fn function(word: &str) -> Option<&str> {
    Some(match word {
        "σ" | "sigma" => "torch.sigmoid",
        "ln" => "torch.log",
        "tr" => "torch.trace",
        "transpose" => "_turned",
        "inv" => "torch.linalg.inv",
        "det" => "torch.linalg.det",
        "diag" => "_diag",
        "onehot" | "softmax" | "log_softmax" | "outer" | "sum" | "mean" | "where" | "max"
        | "min" | "abs" | "norm" => word,
        _ => table::rows().find(|row| row.fun.name == word)?.fun.name,
    })
}

/// e or π in figures.
pub(super) fn constant(word: &str) -> Option<&'static str> {
    match word {
        "e" => Some("2.718281828459045"),
        "pi" | "π" => Some("3.141592653589793"),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let names = [("W2", 2), ("∂y", 2), ("h", 0), ("fc1.weight", 2), ("x", 1)];
        let names = names.map(|(name, dims)| Name { way: name.into(), code: name.into(), dims });
        code(text, &names).unwrap_or_else(|rest| format!("? {rest}"))
    }

    #[test]
    fn the_spellings_of_the_board_and_of_code_are_read() {
        for (text, code) in [
            ("∂y W₂ᵀ", "_beside(∂y, _turned(W2))"),
            ("∂y @ W2.T", "∂y @ _turned(W2)"),
            ("∂y ⊙ (1 − h²)", "∂y * (1 - (h)**(2))"),
            ("h ⊙ ∂y W2ᵀ", "h * _beside(∂y, _turned(W2))"),
            ("½(h − ∂y)", "_beside((1/2), (h - ∂y))"),
            ("-h^2/3", "(-(h)**(2)) / 3"),
            ("Σ rows of ∂y", "_rows(∂y)"),
            ("h.sum(0) + fc1.weight", "h.sum(0) + fc1.weight"),
            ("torch.tanh(h)", "torch.tanh(h)"),
            ("∂y ⊙ [h > 0]", "∂y * ((h > 0) * 1.0)"),
            ("[cos(x₁), x12 + x_2]", "[cos(x[0]), x[11] + x[1]]"),
            ("W₂₁₂ + W₂₁₀,₁₂", "W2[0, 1] + W2[9, 11]"),
            ("2x₁ W₂", "_beside(_beside(2, x[0]), W2)"),
            ("transpose(W2)", "_turned(W2)"),
            ("2/3 (h − x)", "_beside((2/3), (h - x))"),
            ("-2/3h", "_beside(((-2)/3), h)"),
            ("h/3^2", "h / (3)**(2)"),
            ("1/2^2 h", "1 / _beside((2)**(2), h)"),
            ("|h| + sech²(h)", "abs(h) + ((1 / cosh(h)))**(2)"),
            ("mean of rows of ∂y", "(∂y).mean(0, keepdim=True)"),
            ("cos h + 1", "cos(torch.as_tensor(h)) + 1"),
        ] {
            assert_eq!(read(text), code, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (text, rest) in [
            ("∂y q", "q"),
            ("h +", "h +"),
            ("(h", "(h"),
            ("exec(h)", "exec(h)"),
            ("x₀", "x₀"),
            ("h₁", "h₁"),
        ] {
            assert_eq!(read(text), format!("? {rest}"), "{text}");
        }
        assert!(read(&"(".repeat(900)).starts_with("? "));
    }
}
