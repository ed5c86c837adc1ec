//! Powers and what they are taken of: numbers, groups, roots, bars.

use super::reader::{DERIVATIVE, FRACTION, FRACTIONS, GROUP, POWER, ROOT, Reader};
use super::signs::{Piece, pieces};
use super::written::{Holds, Kind, Written, bare, is_negative_number, power};

impl Reader<'_> {
    /// An exponent behind a `^`: a sign, and what holds tightly.
    pub(super) fn exponent(&mut self) -> Option<Written> {
        if self.eat('{') {
            self.rule(GROUP);
            let inside = self.sum()?;
            return self.eat('}').then_some(inside);
        }
        if self.eat('-') {
            let of = self.power()?;
            return Some(Written { text: format!("-{}", of.at_least(Holds::Power)), ..of });
        }
        if let Some(c) = self.sign().filter(|c| FRACTIONS.0.contains(*c)) {
            self.at += 1;
            self.rule(FRACTION);
            return Some(Written {
                text: fraction(c)?.into(),
                holds: Holds::Sum,
                kind: Kind::Number,
            });
        }
        self.power()
    }

    /// `x^2`, `x²`, `x!`, `Aᵀ`, `30°`, `50%`.
    pub(super) fn power(&mut self) -> Option<Written> {
        let mut base = self.atom()?;
        loop {
            if let Some(Piece::Raised(_)) = self.peek() {
                if matches!(self.pieces.get(self.at + 1), Some(Piece::Sign('√'))) {
                    return Some(base);
                }
                let raised = self.raised()?;
                base = self.raise(base, &raised)?;
                continue;
            }
            match self.sign() {
                Some('^') => {
                    self.at += 1;
                    if let Some(Piece::Word(word)) = self.peek()
                        && word == "T"
                        && self.kind("T").is_none()
                    {
                        self.at += 1;
                        base = self.raise(base, "T")?;
                        continue;
                    }
                    let exponent = self.exponent()?;
                    base = match base.kind == Kind::Matrix && exponent.text == "-1" {
                        true => self.raise(base, "-1")?,
                        false => power(&base, &exponent)?,
                    };
                }
                Some('!') => {
                    self.at += 1;
                    if !self.names.has("math") {
                        self.imports = "import math; ";
                    }
                    let n = bare(&base.text);
                    let text = match n
                        .split([' ', '+', '-', '*'])
                        .all(|n| n.is_empty() || self.names.is_whole(n))
                    {
                        true => {
                            self.rule("a factorial is math.factorial(n)");
                            format!("math.factorial({n})")
                        }
                        false => {
                            self.rule("x! is math.gamma(x + 1)");
                            format!("math.gamma({n} + 1)")
                        }
                    };
                    base = Written::atom(text, Kind::Number);
                }
                Some('°') => {
                    self.at += 1;
                    self.rule("angles are in radians: 30*pi/180 is 30 degrees");
                    base = Written {
                        text: format!("{}*pi/180", base.at_least(Holds::Product)),
                        holds: Holds::Product,
                        kind: Kind::Number,
                    };
                }
                Some('%') => {
                    self.at += 1;
                    if self.begins_factor() {
                        return None;
                    }
                    self.rule("a percentage is a fraction: 50/100");
                    base = Written {
                        text: format!("{}/100", base.at_least(Holds::Product)),
                        holds: Holds::Product,
                        kind: Kind::Number,
                    };
                }
                Some('\'') => {
                    self.at += 1;
                    let vector = base.kind == Kind::Vector;
                    let array = |word: &String| {
                        matches!(self.kind(word), Some(Kind::Matrix | Kind::Vector))
                    };
                    let next = self.pieces.get(self.at + 1);
                    let times = self.sign() == Some('*')
                        && matches!(next, Some(Piece::Word(word)) if array(word));
                    // Nobody differentiates x by itself.
                    let turned =
                        self.begins_factor() || times || base.text == self.names.variable();
                    if base.kind == Kind::Matrix || vector && turned {
                        self.primed = true;
                        base = self.raise(base, "T")?;
                        continue;
                    }
                    self.rule(DERIVATIVE);
                    let name = match self.eat('\'') {
                        true => "hessian",
                        false if vector => "jacobian",
                        false => "grad",
                    };
                    let x = self.names.variable();
                    base = Written::atom(format!("{name}({}, {x})", base.text), Kind::Number);
                }
                _ => return Some(base),
            }
        }
    }

    pub(super) fn raise(&mut self, base: Written, raised: &str) -> Option<Written> {
        if raised == "T" {
            self.primed = true;
            self.rule(match base.kind {
                Kind::Vector | Kind::Row => "x.T of a vector is x itself; u @ v is u₁v₁ + u₂v₂ + …",
                Kind::Number => "x.T of a number is x itself",
                _ => "the transpose of A is A.T",
            });
            // A vector has no other side, nor has a number.
            return Some(match base.kind {
                Kind::Vector => Written { kind: Kind::Row, ..base },
                Kind::Row => Written { kind: Kind::Vector, ..base },
                Kind::Number => base,
                _ => Written::atom(format!("{}.T", base.at_least(Holds::Atom)), base.kind),
            });
        }
        if raised == "-1" && base.kind == Kind::Matrix {
            self.rule("the inverse of A is inverse(A)");
            return Some(Written::atom(format!("inverse({})", base.text), Kind::Matrix));
        }
        if let (Kind::Matrix, false, Ok(n @ 2..)) = (base.kind, self.second, raised.parse::<u32>())
        {
            self.rule(
                "a power of a matrix is a product with itself; ^ takes powers of the elements",
            );
            let text = vec![base.at_least(Holds::Power); n.min(9) as usize].join(" @ ");
            return Some(Written { text, holds: Holds::Product, kind: Kind::Matrix });
        }
        self.rule(POWER);
        let exponent = self.inside(raised)?;
        power(&base, &exponent)
    }

    /// What is raised, as an expression of its own.
    pub(super) fn inside(&mut self, text: &str) -> Option<Written> {
        let known = |name: &str| self.kind(name).is_some();
        let pieces = pieces(text, &known)?;
        let outer = (std::mem::replace(&mut self.pieces, pieces), std::mem::take(&mut self.at));
        let read = self.sum().filter(|_| self.at == self.pieces.len());
        (self.pieces, self.at) = outer;
        let read = read?;
        Some(match is_negative_number(&read.text) {
            true => Written { holds: Holds::Atom, ..read },
            false => read,
        })
    }

    pub(super) fn atom(&mut self) -> Option<Written> {
        if let Some(found) = self.perhaps(Self::derivative) {
            return Some(found);
        }
        let piece = self.peek()?.clone();
        self.at += 1;
        match piece {
            Piece::Number(text) => match self.sign().filter(|c| FRACTIONS.0.contains(*c)) {
                Some(c) => {
                    self.at += 1;
                    self.rule(FRACTION);
                    Some(Written {
                        text: format!("{text} + {}", fraction(c)?),
                        holds: Holds::Sum,
                        kind: Kind::Number,
                    })
                }
                None => Some(Written::atom(text, Kind::Number)),
            },
            Piece::Word(word) => self.named(&word),
            Piece::Raised(index) => {
                self.eat('√').then_some(())?;
                self.root(&index)
            }
            Piece::Lowered(_) => None,
            Piece::Sign(c) => match c {
                '(' => self.group(),
                '{' => {
                    self.rule(GROUP);
                    let inside = self.sum()?;
                    self.eat('}').then_some(inside)
                }
                '√' => self.root("2"),
                '∛' => self.root("3"),
                '∜' => self.root("4"),
                '∞' => {
                    self.rule("infinity is inf");
                    Some(Written::atom("inf", Kind::Number))
                }
                '\\' => {
                    let mut part = || {
                        self.eat('{').then_some(())?;
                        let part = self.sum()?;
                        self.eat('}').then_some(part)
                    };
                    let (above, below) = (part()?, part()?);
                    self.rule("write fractions as a/b");
                    Some(Written {
                        text: format!(
                            "{}/{}",
                            above.at_least(Holds::Product),
                            below.at_least(Holds::Power)
                        ),
                        holds: Holds::Product,
                        kind: above.kind,
                    })
                }
                '|' => {
                    let inside = self.inside_bars('|')?;
                    self.rule("write an absolute value as abs(…), a length as norm(…)");
                    let name = match (inside.kind, self.second) {
                        (Kind::Vector, false) => "norm",
                        (Kind::Matrix, false) => "det",
                        _ => "abs",
                    };
                    let kind = if self.second { inside.kind } else { Kind::Number };
                    Some(Written::atom(format!("{name}({})", inside.text), kind))
                }
                '‖' => {
                    let inside = self.inside_bars('‖')?;
                    self.rule("write a length as norm(…)");
                    Some(Written::atom(format!("norm({})", inside.text), Kind::Number))
                }
                '⌊' | '⌈' => {
                    let (name, close) = if c == '⌊' { ("floor", '⌋') } else { ("ceil", '⌉') };
                    let inside = self.sum()?;
                    self.eat(close).then_some(())?;
                    self.rule("write floor(x) and ceil(x)");
                    Some(Written::atom(format!("{name}({})", inside.text), inside.kind))
                }
                '⟨' | '<' => self.pair(),
                '∑' | '∏' => self.series(if c == '∑' { "sum" } else { "prod" }),
                '∇' => {
                    self.rule(DERIVATIVE);
                    let word = self.word()?;
                    let x = self.names.variable().to_owned();
                    Some(match self.kind(&word)? {
                        Kind::Function if self.sign() == Some('(') => {
                            self.at += 1;
                            let arguments = self.arguments(')')?;
                            Written::atom(format!("grad({word})({arguments})"), Kind::Number)
                        }
                        Kind::Function => Written::atom(format!("grad({word})({x})"), Kind::Number),
                        Kind::Number => Written::atom(format!("grad({word}, {x})"), Kind::Number),
                        _ => Written::atom(format!("jacobian({word}, {x})"), Kind::Matrix),
                    })
                }
                c => {
                    let text = fraction(c)?;
                    self.rule(FRACTION);
                    Some(Written { text: text.into(), holds: Holds::Product, kind: Kind::Number })
                }
            },
        }
    }

    /// `(a + b)`, `(f∘g)`.
    pub(super) fn group(&mut self) -> Option<Written> {
        let composed = self.perhaps(|r| {
            let first = r.word()?;
            let text = r.composition(first)?;
            r.eat(')').then_some(text)
        });
        if let Some(parts) = composed {
            return self.composed(&parts);
        }
        let bars = std::mem::take(&mut self.bars);
        let inside = self.relation()?;
        self.bars = bars;
        self.eat(')').then_some(())?;
        // One pair says it.
        let kind = inside.kind;
        Some(match inside.holds == Holds::Atom {
            true => inside,
            false => Written::atom(format!("({})", inside.text), kind),
        })
    }

    pub(super) fn composition(&mut self, first: String) -> Option<Vec<String>> {
        let mut parts = vec![first];
        while self.eat('∘') {
            parts.push(self.word()?);
        }
        let functions = parts.iter().all(|f| self.kind(f) == Some(Kind::Function));
        (parts.len() > 1 && functions).then_some(parts)
    }

    pub(super) fn composed(&mut self, parts: &[String]) -> Option<Written> {
        self.rule("write f∘g as f(g(x))");
        let argument = match self.eat('(') {
            true => self.arguments(')')?,
            false => self.names.variable().to_owned(),
        };
        let text = parts.iter().rev().fold(argument, |inside, f| format!("{f}({inside})"));
        Some(Written::atom(text, Kind::Number))
    }

    pub(super) fn inside_bars(&mut self, bar: char) -> Option<Written> {
        self.bars += 1;
        let inside = self.sum()?;
        self.bars -= 1;
        self.eat(bar).then_some(inside)
    }

    /// `⟨u, v⟩`: of two vectors their product.
    pub(super) fn pair(&mut self) -> Option<Written> {
        let mut all = vec![self.sum()?];
        while self.eat(',') {
            all.push(self.sum()?);
        }
        (self.eat('⟩') || self.eat('>')).then_some(())?;
        match all.as_slice() {
            [a, b] if a.kind == Kind::Vector && b.kind == Kind::Vector && !self.second => {
                self.rule("the inner product of vectors is written with @");
                Some(Written {
                    text: format!("{} @ {}", a.at_least(Holds::Power), b.at_least(Holds::Power)),
                    holds: Holds::Product,
                    kind: Kind::Number,
                })
            }
            all => {
                self.rule("write a vector in brackets");
                let parts: Vec<&str> = all.iter().map(|w| w.text.as_str()).collect();
                Some(Written::atom(format!("[{}]", parts.join(", ")), Kind::Vector))
            }
        }
    }

    pub(super) fn root(&mut self, index: &str) -> Option<Written> {
        self.rule(ROOT);
        let mut of = self.atom()?;
        while let Some(raised) = self.raised() {
            of = self.raise(of, &raised)?;
        }
        let kind = of.kind;
        Some(match index {
            "2" => Written::atom(format!("sqrt({})", bare(&of.text)), kind),
            _ => {
                let text = format!("{}^(1/{index})", of.at_least(Holds::Atom));
                Written { text, holds: Holds::Power, kind }
            }
        })
    }
}

fn fraction(c: char) -> Option<&'static str> {
    let at = FRACTIONS.0.chars().position(|sign| sign == c)?;
    FRACTIONS.1.get(at).copied()
}
