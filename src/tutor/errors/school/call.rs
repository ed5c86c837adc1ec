//! Names and what stands behind them: calls without parentheses, powers and primes of functions, indices,
//! sums over a counter, derivatives.

use super::reader::{CALL, DERIVATIVE, ROOT, Reader, SPELLED, SUM};
use super::signs::Piece;
use super::written::{Holds, Kind, Written, bare, is_negative_number, power};
use vjp_text::{board, foreign_spellings};

/// Longer words are no products of names.
const LONGEST: usize = 12;

impl Reader<'_> {
    /// `∑ x²`, `∑_{i=1}^{n} i^2`, `∑ᵢ xᵢ`.
    pub(super) fn series(&mut self, name: &str) -> Option<Written> {
        self.rule(if name == "sum" { SUM } else { "write products as prod(…)" });
        let below = self.lowered();
        let (counter, from) = match below.as_deref().map(|b| b.split_once('=').unwrap_or((b, ""))) {
            Some((counter, from)) => (Some(counter.trim().to_owned()), from.trim().to_owned()),
            None => (None, String::new()),
        };
        let to = match self.peek() {
            Some(Piece::Raised(_)) => self.raised(),
            Some(Piece::Sign('^')) => {
                self.at += 1;
                Some(self.exponent()?.text)
            }
            _ => None,
        };
        if let Some(counter) = counter {
            let outer = self.bound.replace(counter.clone());
            if to.is_some() {
                self.own.push(counter.clone());
            }
            let term = self.product(false)?;
            self.bound = outer;
            return match to {
                None => Some(Written::atom(format!("{name}({})", term.text), Kind::Number)),
                Some(to) => {
                    let end = match to.parse::<i64>() {
                        Ok(n) => n.checked_add(1)?.to_string(),
                        Err(_) => format!("{to} + 1"),
                    };
                    let all = format!("{} for {counter} in range({from}, {end})", term.text);
                    let all = if name == "sum" { all } else { format!("[{all}]") };
                    Some(Written::atom(format!("{name}({all})"), Kind::Number))
                }
            };
        }
        let term = self.product(false)?;
        Some(Written::atom(format!("{name}({})", bare(&term.text)), Kind::Number))
    }

    /// A word as one known name or several in a row: `xy`, `sinx`, `2πr`.
    pub(super) fn segments(&self, word: &str) -> Option<Vec<String>> {
        let known = |name: &str| self.kind(name).is_some() || self.names.usual(name).is_some();
        if word.is_empty() {
            return Some(Vec::new());
        }
        // Each letter doubles the ways to read a word.
        if word.chars().count() > LONGEST {
            return None;
        }
        let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
        ends.rev().filter(|end| known(&word[..*end])).find_map(|end| {
            let mut rest = self.segments(&word[end..])?;
            rest.insert(0, word[..end].to_owned());
            Some(rest)
        })
    }

    /// `derivative(f)`, `slope(f, 3)`, `diff(x^2, x)`, `derivative of x^2`, behind the word.
    fn derivative_of(&mut self) -> Option<Written> {
        let of = matches!(self.peek(), Some(Piece::Word(word)) if word == "of");
        let mut parts = match of {
            true => {
                self.at += 1;
                vec![self.sum()?]
            }
            false => {
                self.eat('(').then_some(())?;
                let mut parts = vec![self.sum()?];
                while self.eat(',') {
                    parts.push(self.sum()?);
                }
                self.eat(')').then_some(parts)?
            }
        };
        let by = if parts.len() == 2 { parts.pop() } else { None };
        let [of] = parts.as_slice() else { return None };
        self.rule(DERIVATIVE);
        let by = match (by, of.kind) {
            (None, Kind::Function) if self.eat('(') => self.arguments(')')?,
            (Some(by), _) => by.text,
            (None, _) => self.names.variable().to_owned(),
        };
        let text = match of.kind {
            Kind::Function => format!("grad({})({by})", of.text),
            Kind::Number => format!("grad({}, {by})", of.text),
            _ => format!("jacobian({}, {by})", of.text),
        };
        Some(Written::atom(text, Kind::Number))
    }

    pub(super) fn named(&mut self, word: &str) -> Option<Written> {
        if word != "d"
            && foreign_spellings::derives(word)
            && !self.names.is_own(word)
            && let Some(found) = self.perhaps(Self::derivative_of)
        {
            return Some(found);
        }
        let segments = self.segments(word)?;
        let (first, rest) = segments.split_first()?;
        if !rest.is_empty() {
            // Those behind the first come next.
            self.pieces.splice(self.at..self.at, rest.iter().cloned().map(Piece::Word));
        }
        let kind = self.kind(first);
        let own = kind.is_some();
        let name = match own {
            true => first.clone(),
            false => self.names.usual(first)?.to_owned(),
        };
        if !own {
            match self.kind(&name) {
                Some(Kind::Number) => self.rule("π is pi"),
                _ => self.rule(SPELLED),
            }
        }
        match kind.or_else(|| self.kind(&name)).or(Some(Kind::Function))? {
            Kind::Function => self.call(&name),
            kind => self.indexed(name, kind),
        }
    }

    /// `x₁` is `x[0]`, `A₁₂` is `A[0, 1]`.
    pub(super) fn indexed(&mut self, name: String, kind: Kind) -> Option<Written> {
        let Some(lowered) = self.lowered() else {
            return Some(Written::atom(name, kind));
        };
        if self.bound.as_ref() == Some(&lowered) {
            return Some(match self.own.contains(&lowered) {
                true => Written::atom(format!("{name}[{lowered} - 1]"), Kind::Number),
                false => Written::atom(name, kind),
            });
        }
        self.rule("indices are written in brackets and count from 0");
        let counted = |digit: &str| digit.parse::<usize>().ok()?.checked_sub(1);
        Some(match kind {
            Kind::Vector => Written::atom(format!("{name}[{}]", counted(&lowered)?), Kind::Number),
            Kind::Matrix => {
                let parts: Vec<String> = match lowered.split_once(',') {
                    Some((i, j)) => vec![i.trim().to_owned(), j.trim().to_owned()],
                    None => lowered.chars().map(|c| c.to_string()).collect(),
                };
                let [i, j] = parts.as_slice() else { return None };
                Written::atom(format!("{name}[{}, {}]", counted(i)?, counted(j)?), Kind::Number)
            }
            _ => return None,
        })
    }

    /// What stands behind the name of a function: `²x`, `'(2)`, `₂(x)`, `[3](x)`, ` 2x`.
    pub(super) fn call(&mut self, name: &str) -> Option<Written> {
        if self.sign() == Some('∘') {
            let parts = self.composition(name.to_owned())?;
            return self.composed(&parts);
        }
        if name == "print" {
            return None;
        }
        let mut exponent = None;
        let base = self.lowered();
        if let Some(raised) = self.raised() {
            exponent = Some(raised);
        } else if self.sign() == Some('^') {
            self.at += 1;
            exponent = Some(self.exponent_of_function()?);
        }
        match exponent.as_deref() {
            Some("-1") => self.rule("inverse functions are asin, acos and atan"),
            Some(_) => self.rule("write the power after the call"),
            None => {}
        }
        let mut primes = 0;
        while self.eat('\'') {
            primes += 1;
        }
        let index = match name == "sqrt" && self.eat('[') {
            true => {
                let Some(Piece::Number(index)) = self.peek().cloned() else { return None };
                self.at += 1;
                self.eat(']').then_some(())?;
                Some(index)
            }
            false => None,
        };
        let arguments = match self.sign() {
            Some('(') => {
                self.at += 1;
                self.arguments(')')?
            }
            Some('{') => {
                self.at += 1;
                self.arguments('}')?
            }
            _ if self.begins_factor()
                || self.sign() == Some('-') && exponent.is_none() && primes == 0 =>
            {
                self.perhaps(|r| {
                    let minus = r.eat('-');
                    // `f - 3`
                    if minus && !matches!(r.peek(), Some(Piece::Number(_) | Piece::Word(_))) {
                        return None;
                    }
                    let of = r.product(true)?;
                    r.rule(CALL);
                    Some(if minus { format!("-{}", of.text) } else { of.text })
                })?
            }
            _ if primes > 0 => self.names.variable().to_owned(),
            _ if exponent.is_none() && base.is_none() => {
                return Some(Written::atom(name, Kind::Function));
            }
            _ => return None,
        };
        if primes > 0 {
            self.rule(DERIVATIVE);
            let of = (0..primes).fold(name.to_owned(), |f, _| format!("grad({f})"));
            return Some(Written::atom(format!("{of}({arguments})"), Kind::Number));
        }
        let inside = bare(&arguments);
        let called = match (name, base.as_deref(), index.as_deref()) {
            ("log", Some(base @ ("2" | "10")), _) => {
                self.rule = Some("logarithms are log(x), log2(x) and log10(x)");
                Written::atom(format!("log{base}({inside})"), Kind::Number)
            }
            ("log", Some(base), _) => {
                let known = base.parse::<f64>().is_ok() || self.kind(base) == Some(Kind::Number);
                known.then_some(())?;
                self.rule("log(x)/log(b) is the logarithm to the base b");
                Written {
                    text: format!("log({inside})/log({base})"),
                    holds: Holds::Product,
                    kind: Kind::Number,
                }
            }
            (_, Some(_), _) => return None,
            (_, _, Some(index)) => {
                self.rule(ROOT);
                let inside = if inside.chars().all(char::is_alphanumeric) {
                    inside.to_owned()
                } else {
                    format!("({inside})")
                };
                Written {
                    text: format!("{inside}^(1/{index})"),
                    holds: Holds::Power,
                    kind: Kind::Number,
                }
            }
            _ => match board::reciprocal(name) {
                Some((_, of)) => Written {
                    text: format!("1/{of}({inside})"),
                    holds: Holds::Product,
                    kind: Kind::Number,
                },
                None => Written::atom(format!("{name}({inside})"), self.result_of(name)),
            },
        };
        let Some(exponent) = exponent else { return Some(called) };
        const INVERTED: [&str; 6] = ["sin", "cos", "tan", "sinh", "cosh", "tanh"];
        if exponent == "-1" {
            let inverse = INVERTED.contains(&name);
            inverse.then_some(())?;
            if self.second {
                self.rule = Some("or the quotient");
            }
            return Some(match self.second {
                true => Written {
                    text: format!("1/{name}({inside})"),
                    holds: Holds::Product,
                    kind: Kind::Number,
                },
                false => Written::atom(format!("a{name}({inside})"), Kind::Number),
            });
        }
        if exponent == "2" && self.second && self.names.is_own(name) {
            return Some(Written::atom(format!("{name}({name}({inside}))"), Kind::Number));
        }
        let holds = if exponent.chars().all(char::is_alphanumeric) || is_negative_number(&exponent)
        {
            Holds::Atom
        } else {
            Holds::Sum
        };
        power(&called, &Written { text: exponent, holds, kind: Kind::Number })
    }

    pub(super) fn exponent_of_function(&mut self) -> Option<String> {
        if self.eat('{') {
            let inside = self.sum()?;
            return self.eat('}').then_some(inside.text);
        }
        let minus = self.eat('-');
        let Some(Piece::Number(text)) = self.peek().cloned() else { return None };
        self.at += 1;
        Some(if minus { format!("-{text}") } else { text })
    }

    pub(super) fn result_of(&self, name: &str) -> Kind {
        match name {
            "inverse" | "inv" => Kind::Matrix,
            _ => Kind::Number,
        }
    }

    pub(super) fn arguments(&mut self, close: char) -> Option<String> {
        let bars = std::mem::take(&mut self.bars);
        let mut all = Vec::new();
        loop {
            all.push(self.relation()?.text);
            if !self.eat(',') {
                break;
            }
        }
        self.bars = bars;
        self.eat(close).then(|| all.join(", "))
    }

    /// `dy/dx`, `d/dx x^2`, `d(x^2)/dx`, `∂y/∂x`, `d²y/dx²`.
    pub(super) fn derivative(&mut self) -> Option<Written> {
        let d = |r: &mut Self| -> Option<String> {
            match r.peek()?.clone() {
                Piece::Sign('∂') => {
                    r.at += 1;
                    Some(String::new())
                }
                Piece::Word(word) if r.kind(&word).is_none() => {
                    r.at += 1;
                    word.strip_prefix('d').map(str::to_owned)
                }
                _ => None,
            }
        };
        let order = |r: &mut Self| -> Option<String> {
            r.raised().or_else(|| {
                r.perhaps(|r| {
                    r.eat('^').then_some(())?;
                    match r.peek().cloned() {
                        Some(Piece::Number(n)) => {
                            r.at += 1;
                            // `d^2y` is one number and a word.
                            Some(n)
                        }
                        _ => None,
                    }
                })
            })
        };
        let mut of = d(self)?;
        let twice = order(self);
        if of.is_empty()
            && let Some(Piece::Word(word)) = self.peek().cloned()
            && (self.kind(&word).is_some_and(|k| k != Kind::Function) || self.call_is_bare())
        {
            self.at += 1;
            of = word;
        }
        let expression = match of.is_empty() && self.sign() != Some('/') {
            true => Some(self.power()?.text),
            false => None,
        };
        self.eat('/').then_some(())?;
        let mut by = d(self)?;
        if by.is_empty() {
            by = self.word()?;
        }
        let again = order(self);
        if twice != again || twice.as_deref().is_some_and(|t| t != "2") || self.kind(&by).is_none()
        {
            return None;
        }
        self.rule(DERIVATIVE);
        let kind = if of.is_empty() { None } else { Some(self.kind(&of)?) };
        let expression = match (expression, of.is_empty()) {
            (Some(text), _) => Some(text),
            (None, true) => Some(self.product(false)?.text),
            (None, false) => None,
        };
        let twice = twice.is_some();
        let text = match (expression, kind) {
            (Some(e), _) if twice => format!("hessian({}, {by})", bare(&e)),
            (Some(e), _) => format!("grad({}, {by})", bare(&e)),
            (None, Some(Kind::Function)) if twice => format!("grad(grad({of}))({by})"),
            (None, Some(Kind::Function)) => format!("grad({of})({by})"),
            _ if twice => format!("hessian({of}, {by})"),
            (None, Some(Kind::Number)) => format!("grad({of}, {by})"),
            _ => format!("jacobian({of}, {by})"),
        };
        Some(Written::atom(text, Kind::Number))
    }

    /// Whether the function here is followed by no argument: `d f / dx`.
    pub(super) fn call_is_bare(&self) -> bool {
        matches!(self.pieces.get(self.at + 1), Some(Piece::Sign('/')))
    }
}
