//! How a formula is written: for people (`6x₁²`), in ASCII (`6*x1^2`), and as code of the language
//! (`6*x[0]^2`); LaTeX has a walk of its own, for its fractions.

use crate::symbol::Node;
use crate::symbol::constants::{named, under_root};
use crate::symbol::names::{ends, is_call, is_word, number, variable, which};
use crate::{Expr, Form, Fun};

/// A formula is at most this long; a longer one is not written at all.
pub const LONGEST: usize = 10_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Pretty,
    Ascii,
    Code,
    /// For a typeset text: `6x_{1}`, `\frac{1}{2\sqrt{x}}`.
    Latex,
}

/// The formula as text; None where it is unknown or longer than [`LONGEST`].
pub fn write(e: &Expr, style: Style) -> Option<String> {
    if e.is_unknown() {
        return None;
    }
    let text = match style {
        Style::Latex => super::latex::text(e),
        _ => Writer { style }.expr(e).text,
    };
    (text.chars().count() <= LONGEST).then_some(text)
}

/// How tightly a text holds together, loosest first.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(crate) enum Hold {
    Comparison,
    Sum,
    Product,
    Power,
    Atom,
}

struct Text {
    text: String,
    hold: Hold,
}

impl Text {
    fn new(text: impl Into<String>, hold: Hold) -> Text {
        Text { text: text.into(), hold }
    }

    /// In brackets where it holds less than `need`.
    fn at_least(self, need: Hold) -> String {
        if self.hold < need { format!("({})", self.text) } else { self.text }
    }
}

struct Writer {
    style: Style,
}

impl Writer {
    fn pretty(&self) -> bool {
        self.style == Style::Pretty
    }

    fn minus(&self) -> &'static str {
        if self.pretty() { "−" } else { "-" }
    }

    fn expr(&self, e: &Expr) -> Text {
        match e.node() {
            Node::Const(c) if *c < 0.0 => {
                let size = self.term(-c, &[]).at_least(Hold::Product);
                Text::new(format!("{}{size}", self.minus()), Hold::Sum)
            }
            Node::Const(c) => self.term(*c, &[]),
            Node::Var(leaf, index) => {
                // What is no word may be an expression: `2(x (earlier))`, `3(x*y)`.
                let plain = self.style == Style::Code || is_word(&leaf.name) || is_call(&leaf.name);
                let hold = match plain {
                    true => Hold::Atom,
                    false if which(&leaf.name).1.is_empty() => Hold::Sum,
                    false => Hold::Product,
                };
                Text::new(variable(leaf, *index, self.style), hold)
            }
            Node::Sum(terms) => self.sum(terms),
            Node::Product(factors) => self.term(1.0, factors),
            Node::Call(fun, args) => self.call(fun, args),
            Node::Unknown => Text::new("?", Hold::Atom),
        }
    }

    fn sum(&self, terms: &[(f64, Expr)]) -> Text {
        let mut out = String::new();
        for (c, t) in as_written(terms) {
            match (out.is_empty(), *c < 0.0) {
                (true, true) => out.push_str(self.minus()),
                (true, false) => {}
                (false, true) => out.push_str(&format!(" {} ", self.minus())),
                (false, false) => out.push_str(" + "),
            }
            let term = match t.node() {
                Node::Const(d) => self.term(c.abs() * d, &[]),
                Node::Product(factors) => self.term(c.abs(), factors),
                _ => self.term(c.abs(), &[(t.clone(), 1.0)]),
            };
            out.push_str(&term.at_least(Hold::Product));
        }
        let single = terms.len() == 1 && terms[0].0 >= 0.0;
        Text::new(out, if single { Hold::Product } else { Hold::Sum })
    }

    /// A number times powers: what has a negative exponent goes below the line.
    fn term(&self, c: f64, factors: &[(Expr, f64)]) -> Text {
        let (below, above): (Vec<_>, Vec<_>) = factors.iter().partition(|(_, e)| *e < 0.0);
        let line = !below.is_empty() || halves(c) && !factors.is_empty();
        let named = named(c, self.style);
        let root = if named.is_none() { under_root(c, self.style) } else { None };
        let (p, q) = match (&named, fraction(c, line)) {
            (Some(named), _) => (named.times, named.over),
            _ if let Some((p, _)) = &root => (*p, 1.0),
            // Code is the number to the last digit.
            (None, (p, q)) if self.style == Style::Code && p / q != c => (c, 1.0),
            (None, pair) => pair,
        };
        let mut top: Vec<Text> = Vec::new();
        if p != 1.0 || above.is_empty() && named.is_none() {
            top.push(Text::new(number(p, self.style), Hold::Atom));
        }
        let hold = named.as_ref().map_or(Hold::Atom, |n| n.hold());
        top.extend(named.map(|n| Text::new(n.word(self.style), hold)));
        top.extend(above.iter().map(|(b, e)| self.power(b, *e)));
        let mut bottom: Vec<Text> = Vec::new();
        if q != 1.0 {
            bottom.push(Text::new(number(q, self.style), Hold::Atom));
        }
        bottom.extend(root.map(|(_, q)| Text::new(q, Hold::Power)));
        bottom.extend(below.iter().map(|(b, e)| self.power(b, -e)));
        if bottom.is_empty() {
            return self.product(top);
        }
        let top = self.product(top).at_least(Hold::Product);
        let bottom = self.product(bottom).at_least(Hold::Power);
        Text::new(format!("{top}/{bottom}"), Hold::Product)
    }

    fn product(&self, mut factors: Vec<Text>) -> Text {
        if factors.len() == 1 {
            return factors.remove(0);
        }
        let mut out = String::new();
        for f in factors {
            let bare = f.hold >= Hold::Power;
            let f = f.at_least(Hold::Power);
            if !out.is_empty() {
                out.push_str(self.times(&out, &f, bare));
            }
            out.push_str(&f);
        }
        Text::new(out, Hold::Product)
    }

    /// What stands between two factors: nothing where a person would write nothing.
    fn times(&self, before: &str, after: &str, bare: bool) -> &'static str {
        if !self.pretty() {
            return "*";
        }
        let digit = |c: char| c.is_ascii_digit();
        let first = after.chars().next().unwrap_or(' ');
        if before.chars().all(|c| digit(c) || matches!(c, '.' | '…')) {
            return if digit(first) { "·" } else { "" };
        }
        let last_letters = trailing_letters(before);
        let letters = after.chars().take_while(|c| c.is_alphabetic()).count();
        match (bare, before.ends_with(')')) {
            // σ(x)(1 − σ(x)), but x·(x + 1), which would read as a call.
            (false, true) => "",
            (false, false) => "·",
            // x cos(x)
            (true, _) if letters > 1 && after.contains('(') => " ",
            (true, false) if last_letters > 1 || letters > 1 || digit(first) => "·",
            (true, true) => " ",
            (true, false) => "",
        }
    }

    fn power(&self, base: &Expr, e: f64) -> Text {
        if e == 1.0 {
            return self.expr(base);
        }
        if e == 0.5 {
            let inner = self.expr(base);
            return if self.pretty() {
                Text::new(format!("√{}", inner.at_least(Hold::Atom)), Hold::Power)
            } else {
                Text::new(format!("sqrt({})", inner.text), Hold::Atom)
            };
        }
        let base = self.expr(base).at_least(Hold::Atom);
        if self.pretty() && e == e.trunc() && e.abs() < 1000.0 {
            return Text::new(format!("{base}{}", superscript(e as i64)), Hold::Power);
        }
        let e = self.expr(&Expr::constant(e)).at_least(Hold::Atom);
        Text::new(format!("{base}^{e}"), Hold::Power)
    }

    fn call(&self, fun: &'static Fun, args: &[Expr]) -> Text {
        let pretty = self.pretty();
        match (fun.form, args) {
            (Form::Exp, [x]) if pretty => {
                let x = self.expr(x).at_least(Hold::Atom);
                Text::new(format!("e^{x}"), Hold::Power)
            }
            (Form::Sigmoid, [x]) if pretty => {
                Text::new(format!("σ({})", self.expr(x).text), Hold::Atom)
            }
            (Form::Abs, [x]) if pretty => Text::new(format!("|{}|", self.expr(x).text), Hold::Atom),
            (Form::Step, [x]) if self.style != Style::Code => self.condition(x, ">"),
            (Form::Equal, [a, b]) => self.equality(a, b),
            (Form::Where, [c, a, b]) => {
                let condition = match c.node() {
                    Node::Call(f, args) if f.form == Form::Step => self.condition(&args[0], ">"),
                    _ => self.expr(c),
                };
                let (a, b) = (self.expr(a).text, self.expr(b).text);
                Text::new(format!("where({}, {a}, {b})", condition.text), Hold::Atom)
            }
            (Form::Pow, [a, b]) => {
                let (a, b) = (self.expr(a).at_least(Hold::Atom), self.expr(b).at_least(Hold::Atom));
                Text::new(format!("{a}^{b}"), Hold::Power)
            }
            (Form::Infix(op), [a, b]) => {
                let (a, b) =
                    (self.expr(a).at_least(Hold::Power), self.expr(b).at_least(Hold::Power));
                Text::new(format!("{a} {op} {b}"), Hold::Sum)
            }
            _ => {
                let mut args: Vec<String> = args.iter().map(|a| self.expr(a).text).collect();
                if fun.form == Form::Swapped {
                    args.rotate_left(fun.operands);
                }
                let (name, option) = fun.spelled;
                args.extend((!option.is_empty()).then(|| option.to_owned()));
                Text::new(format!("{name}({})", args.join(", ")), Hold::Atom)
            }
        }
    }

    fn space(&self) -> &'static str {
        // In a cell of a matrix a comparison stands without blanks.
        if self.style == Style::Code { " " } else { "" }
    }

    /// `t > 0`, written as a person would: `x>1` for `x − 1 > 0`, `x<2` for `2 − x > 0`.
    fn condition(&self, t: &Expr, sign: &str) -> Text {
        let (left, right, below) = comparison(t);
        let sign = if below { "<" } else { sign };
        let right = self.expr(&Expr::constant(right)).text;
        let (left, s) = (self.expr(&left).text, self.space());
        Text::new(format!("{left}{s}{sign}{s}{right}"), Hold::Comparison)
    }

    fn equality(&self, a: &Expr, b: &Expr) -> Text {
        let sign = if self.pretty() { "=" } else { "==" };
        let s = self.space();
        let (a, b) = (self.expr(a).text, self.expr(b).text);
        Text::new(format!("{a}{s}{sign}{s}{b}"), Hold::Comparison)
    }
}

/// `t > 0` as a person would say it: left, right, and whether left is below.
pub(crate) fn comparison(t: &Expr) -> (Expr, f64, bool) {
    let (mut left, mut right) = (t.clone(), 0.0);
    if let Node::Sum(terms) = t.node()
        && let Some((c, last)) = terms.last()
        && last.is_const(1.0)
    {
        left = t.plus(&Expr::constant(-c));
        right = -c;
    }
    if let Node::Sum(terms) = left.node()
        && terms.iter().all(|(c, _)| *c < 0.0)
    {
        return (left.times(-1.0), -right, true);
    }
    (left, right, false)
}

/// Terms in the order of writing: powers of letters of higher degree first (`wx + b`), and `1 − x²`,
/// not `−x² + 1`.
pub(crate) fn as_written(terms: &[(f64, Expr)]) -> Vec<&(f64, Expr)> {
    let mut all: Vec<&(f64, Expr)> = terms.iter().collect();
    all.sort_by(|a, b| degree(&b.1).total_cmp(&degree(&a.1)));
    if let Some((c, _)) = all.first()
        && *c < 0.0
        && let Some(lead) = all.iter().position(|(c, _)| *c > 0.0)
    {
        let term = all.remove(lead);
        all.insert(0, term);
    }
    all
}

/// The degree of a monomial; 0 of anything else, which stays where it is.
fn degree(term: &Expr) -> f64 {
    match term.node() {
        Node::Var(..) => 1.0,
        Node::Product(factors) => factors
            .iter()
            .map(|(base, e)| match base.node() {
                Node::Var(..) if *e > 0.0 => *e,
                _ => 0.0,
            })
            .sum(),
        _ => 0.0,
    }
}

fn trailing_letters(s: &str) -> usize {
    s.chars()
        .rev()
        .skip_while(|c| !c.is_alphabetic())
        .take_while(|c| c.is_alphabetic() && c.is_ascii())
        .count()
}

pub(crate) fn superscript(n: i64) -> String {
    n.to_string()
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            '0' => '⁰',
            d => char::from_u32('⁴' as u32 + d as u32 - '4' as u32).unwrap_or(d),
        })
        .collect()
}

/// Whether a person divides by its inverse: v²/2, not 0.5v².
pub(crate) fn halves(c: f64) -> bool {
    [2.0, 4.0, 8.0].contains(&(1.0 / c.abs()))
}

/// A coefficient as p/q, where that is what a person would write: below a line always when it is a
/// small fraction, elsewhere when its decimals would not end soon. A decimal that ends is one only where
/// p/q is that number to the last digit.
pub(crate) fn fraction(c: f64, line: bool) -> (f64, f64) {
    let (short, ends) = ((c * 1000.0) == (c * 1000.0).trunc(), ends(c));
    if c == c.trunc() || !c.is_finite() || (!line && short) {
        return (c, 1.0);
    }
    let rounding = if ends { 0.0 } else { 32.0 * f64::EPSILON * c.abs() };
    let small = (2..=120)
        .map(f64::from)
        .map(|q| ((c * q).round(), q))
        .find(|(p, q)| *p != 0.0 && p.abs() < LARGE && (p / q - c).abs() <= rounding);
    // 1/12345.678
    let inverse = || {
        let q: f64 = format!("{:.11e}", 1.0 / c.abs()).parse().ok()?;
        (!ends && (1.0 / q - c.abs()).abs() <= rounding).then_some((1f64.copysign(c), q))
    };
    small.or_else(inverse).unwrap_or((c, 1.0))
}

/// Numbers below which p and q are small.
const LARGE: f64 = 1000.0;
