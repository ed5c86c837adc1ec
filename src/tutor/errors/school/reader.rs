//! Reads mathematics as it stands on a board and writes it as a line to type: `sin²x + 2πx` as
//! `sin(x)^2 + 2*pi*x`. A product needs no sign, a call no parentheses; what the names stand for decides.

use super::signs::{Piece, pieces};
use super::written::{Holds, Kind, Written};
use vjp_text::foreign_spellings;

/// What the session knows.
pub(super) trait Names {
    fn kind(&self, name: &str) -> Option<Kind>;
    /// The name here of a function that is written otherwise elsewhere: `ln`, `σ`.
    fn usual(&self, name: &str) -> Option<&'static str>;
    fn has(&self, name: &str) -> bool;
    /// Whether the session gave it its value.
    fn is_own(&self, name: &str) -> bool;
    /// Whether it is a vector of three numbers.
    fn is_triple(&self, name: &str) -> bool;
    /// Whether it is a whole number.
    fn is_whole(&self, text: &str) -> bool;
    /// What was differentiated last by.
    fn variable(&self) -> &str;
}

/// A line in this program's notation, and which of its rules was needed first. `second`: of two
/// readings the rarer one, the product of vectors element by element, say.
pub(super) fn read(text: &str, names: &dyn Names, second: bool) -> Option<(String, &'static str)> {
    let known = |name: &str| names.kind(name).is_some();
    let pieces = pieces(text, &known)?;
    let mut reader = Reader {
        pieces,
        at: 0,
        names,
        second,
        own: Vec::new(),
        bound: None,
        bars: 0,
        rule: None,
        primed: false,
        imports: "",
    };
    let line = reader.statement().filter(|_| reader.at == reader.pieces.len())?;
    let rule = match reader.rule.unwrap_or("in this program's notation") {
        DERIVATIVE => derivative(&line),
        other => other,
    };
    Some((format!("{}{line}", reader.imports), rule))
}

fn derivative(line: &str) -> &'static str {
    const NAMED: &[(&str, &str)] = &[
        ("grad(grad(grad(", "the third derivative"),
        ("grad(grad(", "the second derivative"),
        ("hessian(", "the second derivative"),
        ("jacobian(", "the Jacobian"),
    ];
    NAMED.iter().find(|(call, _)| line.contains(call)).map_or(DERIVATIVE, |(_, says)| says)
}

pub(super) struct Reader<'a> {
    pub(super) pieces: Vec<Piece>,
    pub(super) at: usize,
    pub(super) names: &'a dyn Names,
    pub(super) second: bool,
    /// Parameters and counters.
    pub(super) own: Vec<String>,
    /// The counter of a sum, which counts from 1.
    pub(super) bound: Option<String>,
    /// Open bars of absolute values.
    pub(super) bars: usize,
    pub(super) rule: Option<&'static str>,
    /// Something was transposed, as v in vᵀ*J or in MATLAB's v'*J: * is the product of matrices.
    pub(super) primed: bool,
    pub(super) imports: &'static str,
}

pub(super) const PRODUCT: &str = "write a product with *";
pub(super) const CALL: &str = "write a call with parentheses";
pub(super) const SPELLED: &str = "this is its name here";
pub(super) const POWER: &str = "write a power with ^";
pub(super) const ROOT: &str = "write roots as sqrt(x) and x^(1/3)";
pub(super) const SUM: &str = "write sums as sum(…)";
pub(super) const DERIVATIVE: &str = "the derivative";
pub(super) const FRACTION: &str = "write fractions as 1/2";
pub(super) const GROUP: &str = "group with parentheses";
pub(super) const ARROW: &str = "write a function as  f(x) = x^2";
pub(super) const FRACTIONS: (&str, [&str; 9]) =
    ("½⅓⅔¼¾⅕⅙⅛⅒", ["1/2", "1/3", "2/3", "1/4", "3/4", "1/5", "1/6", "1/8", "1/10"]);

impl Reader<'_> {
    pub(super) fn peek(&self) -> Option<&Piece> {
        self.pieces.get(self.at)
    }

    pub(super) fn sign(&self) -> Option<char> {
        match self.peek() {
            Some(Piece::Sign(c)) => Some(*c),
            _ => None,
        }
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        let there = self.sign() == Some(c);
        self.at += usize::from(there);
        there
    }

    pub(super) fn rule(&mut self, rule: &'static str) {
        self.rule.get_or_insert(rule);
    }

    pub(super) fn raised(&mut self) -> Option<String> {
        match self.peek() {
            Some(Piece::Raised(text)) => {
                let text = text.clone();
                self.at += 1;
                Some(text)
            }
            _ => None,
        }
    }

    pub(super) fn lowered(&mut self) -> Option<String> {
        match self.peek() {
            Some(Piece::Lowered(text)) => {
                let text = text.clone();
                self.at += 1;
                Some(text)
            }
            _ => None,
        }
    }

    pub(super) fn kind(&self, name: &str) -> Option<Kind> {
        match self.own.iter().any(|own| own == name) {
            true => Some(Kind::Number),
            false => self.names.kind(name),
        }
    }

    /// Tries a way to read; where it fails nothing was read.
    pub(super) fn perhaps<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (at, own, bars, rule) = (self.at, self.own.clone(), self.bars, self.rule);
        let found = read(self);
        if found.is_none() {
            (self.at, self.own, self.bars, self.rule) = (at, own, bars, rule);
        }
        found
    }

    pub(super) fn word(&mut self) -> Option<String> {
        match self.peek() {
            Some(Piece::Word(word)) => {
                let word = word.clone();
                self.at += 1;
                Some(word)
            }
            _ => None,
        }
    }

    /// `x = …`, `f(x) = …`, `f: x ↦ …`, `x ↦ …`, an expression.
    pub(super) fn statement(&mut self) -> Option<String> {
        if let Some(line) = self.perhaps(Self::function) {
            return Some(line);
        }
        let name = self.perhaps(|r| {
            let name = r.word()?;
            let lowered = r.lowered().unwrap_or_default();
            let plain = lowered.chars().all(char::is_alphanumeric);
            if r.sign() == Some('←') {
                r.rule("write an assignment with =");
            }
            ((r.eat('=') || r.eat('←')) && plain)
                .then(|| if lowered.is_empty() { name } else { format!("{name}_{lowered}") })
        });
        let value = self.relation()?.text;
        match name {
            Some(name) => Some(format!("{name} = {value}")),
            None if self.eat('=') => {
                let other = self.relation()?.text;
                self.rule = Some("compare with ==; an assignment begins with a name");
                Some(format!("{value} == {other}"))
            }
            None => Some(value),
        }
    }

    pub(super) fn function(&mut self) -> Option<String> {
        let head = self.perhaps(|r| {
            let name = r.word()?;
            let parameters = r.parameters()?;
            (r.eat('=') || r.eat('←')).then_some((name, parameters))
        });
        if let Some((name, parameters)) = head {
            self.own = parameters.clone();
            let body = self.relation()?.text;
            return Some(format!("{name}({}) = {body}", parameters.join(", ")));
        }
        let name = self.perhaps(|r| r.word().filter(|_| r.eat(':') || r.eat('=')));
        let parameters = match self.sign() {
            Some('(') => self.parameters()?,
            _ => vec![self.word()?],
        };
        if !self.eat('→') {
            return None;
        }
        self.rule(if name.is_some() { ARROW } else { "a function of one line" });
        self.own = parameters.clone();
        let body = self.relation()?.text;
        let parameters = parameters.join(", ");
        Some(match name {
            Some(name) => format!("{name}({parameters}) = {body}"),
            None => format!("lambda {parameters}: {body}"),
        })
    }

    /// `(x, y)`.
    pub(super) fn parameters(&mut self) -> Option<Vec<String>> {
        let mut all = Vec::new();
        self.eat('(').then_some(())?;
        loop {
            all.push(self.word()?);
            match self.eat(',') {
                true => {}
                false => return self.eat(')').then_some(all),
            }
        }
    }

    pub(super) fn relation(&mut self) -> Option<Written> {
        if self.eat('¬') {
            let of = self.relation()?;
            return Some(Written { text: format!("not {}", of.text), ..of });
        }
        let mut first = self.sum()?;
        while let Some(sign) = self.sign() {
            let written = match sign {
                '<' | '>' => sign.to_string(),
                '≤' => "<=".into(),
                '≥' | '⇒' => ">=".into(),
                '≠' => "!=".into(),
                '∈' => "in".into(),
                '∉' => "not in".into(),
                '∧' => "and".into(),
                '∨' => "or".into(),
                '≈' => {
                    self.at += 1;
                    let other = self.sum()?;
                    self.rule("write isclose(a, b)");
                    let text = format!("isclose({}, {})", first.text, other.text);
                    return Some(Written::atom(text, Kind::Number));
                }
                _ => break,
            };
            self.at += 1;
            let other = self.sum()?;
            // `x => x^2` is a function.
            if sign == '⇒' && other.text.contains(&first.text) {
                return None;
            }
            self.rule(match sign {
                '≤' | '≥' | '≠' | '⇒' => "write comparisons as <=, >= and !=",
                _ => "write `in`, `and`, `or`",
            });
            first = Written {
                text: format!("{} {written} {}", first.text, other.text),
                holds: Holds::Relation,
                kind: Kind::Number,
            };
        }
        Some(first)
    }

    pub(super) fn sum(&mut self) -> Option<Written> {
        let mut all = self.signed()?;
        while let Some(sign @ ('+' | '-' | '±')) = self.sign() {
            self.at += 1;
            let next = self.product(false)?;
            if sign == '±' {
                self.rule("write both signs");
                let (a, b) = (all.text, next.at_least(Holds::Product));
                all = Written::atom(format!("[{a} + {b}, {a} - {b}]"), Kind::Vector);
                continue;
            }
            let kind = if all.kind == Kind::Number { next.kind } else { all.kind };
            let text = format!("{} {sign} {}", all.text, next.at_least(Holds::Product));
            all = Written { text, holds: Holds::Sum, kind };
        }
        (all.kind != Kind::Function || all.holds == Holds::Atom).then_some(all)
    }

    pub(super) fn signed(&mut self) -> Option<Written> {
        let minus = self.eat('-');
        let first = self.product(false)?;
        Some(match minus {
            true => Written {
                text: format!("-{}", first.at_least(Holds::Product)),
                holds: Holds::Sum,
                ..first
            },
            false => first,
        })
    }

    /// Whether a factor may begin here.
    pub(super) fn begins_factor(&self) -> bool {
        match self.peek() {
            Some(Piece::Number(_) | Piece::Word(_)) => true,
            Some(Piece::Sign(c)) => {
                "(√∛∜∑∏∇‖⌊⌈⟨∞\\".contains(*c) && !(*c == '‖' && self.bars > 0)
                    || FRACTIONS.0.contains(*c)
                    || *c == '|' && self.bars == 0
            }
            Some(Piece::Raised(_)) => {
                matches!(self.pieces.get(self.at + 1), Some(Piece::Sign('√')))
            }
            _ => false,
        }
    }

    /// Factors; `argument`: those that a function without parentheses takes.
    pub(super) fn product(&mut self, argument: bool) -> Option<Written> {
        let mut all = self.power()?;
        loop {
            let sign = self.sign();
            let given = sign.filter(|c| !argument && "*·×/÷⊙⊗∘".contains(*c));
            if given.is_none() {
                let next_is_function = match self.peek() {
                    Some(Piece::Word(word)) => {
                        self.segments(word).and_then(|s| self.kind(s.first()?))
                            == Some(Kind::Function)
                    }
                    Some(Piece::Sign(c)) => "(∑∏|‖∇√".contains(*c),
                    _ => false,
                };
                if !self.begins_factor() || argument && next_is_function {
                    break;
                }
            }
            // `5 mod 3`, `x(0)`.
            let operator = matches!(self.peek(), Some(Piece::Word(w)) if foreign_spellings::operator(w).is_some());
            let index = all.kind != Kind::Number
                && sign == Some('(')
                && matches!(self.pieces.get(self.at + 1), Some(Piece::Number(_)))
                && matches!(self.pieces.get(self.at + 2), Some(Piece::Sign(')' | ',')));
            if all.kind == Kind::Function || operator || index {
                return None;
            }
            self.at += usize::from(given.is_some());
            let before = self.at;
            let next = match given == Some('/') && self.second {
                true => self.product(true)?,
                false => self.power()?,
            };
            // `2 3` is no product.
            let number = |w: &Written| w.text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
            if given.is_none() && number(&next) && matches!(self.pieces[before], Piece::Number(_)) {
                return None;
            }
            let by_elements = given.filter(|sign| *sign != '*' || !self.primed);
            all = self.times(all, by_elements, next)?;
        }
        Some(all)
    }

    pub(super) fn times(&mut self, a: Written, sign: Option<char>, b: Written) -> Option<Written> {
        use Kind::{Function, Matrix, Number, Row, Vector};
        if b.kind == Function {
            return None;
        }
        let arrays = a.kind != Number && b.kind != Number;
        let vectors = a.kind == Vector && b.kind == Vector;
        let kind = match (a.kind, b.kind) {
            (Number, other) | (other, Number) => other,
            (Vector, Vector) => Vector,
            (Matrix, Matrix) | (Vector, Row) => Matrix,
            (Row, Matrix) => Row,
            (Row, Vector) => Number,
            _ => Vector,
        };
        let call =
            |name: &str, kind| Written::atom(format!("{name}({}, {})", a.text, b.text), kind);
        let joined = |sign: &str, holds, kind| Written {
            text: format!("{}{sign}{}", a.at_least(Holds::Product), b.at_least(holds)),
            holds: Holds::Product,
            kind,
        };
        match sign {
            Some('*' | '/') => {}
            Some('÷') => self.rule("write a quotient with /"),
            _ => self.rule(PRODUCT),
        }
        let dot = match sign {
            Some('·') => vectors != (vectors && self.second) || arrays && !vectors,
            None | Some('×') => arrays && !vectors,
            _ => false,
        };
        // `v W v`: what a vector and a matrix make is multiplied on.
        let kind = if dot && (a.kind, b.kind) == (Vector, Matrix) { Row } else { kind };
        Some(match sign {
            Some('/' | '÷') => joined("/", Holds::Power, kind),
            Some('×') if self.names.is_triple(&a.text) && vectors && !self.second => {
                call("cross", Vector)
            }
            Some('⊗') if vectors => call("outer", Matrix),
            Some('·') | None if a.kind == Vector && b.kind == Row => call("outer", Matrix),
            Some('⊗') => call("kron", Matrix),
            _ if dot => {
                self.rule = Some("@ is the product of matrices and vectors");
                joined(" @ ", Holds::Power, if vectors { Number } else { kind })
            }
            _ => joined("*", Holds::Power, kind),
        })
    }
}
