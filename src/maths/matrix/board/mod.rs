//! How a formula of whole arrays is written: for people (`∂h ⊙ (1 − h²)`), in ASCII, in LaTeX.

pub mod operations;
mod reading;
pub mod selections;

use super::{Matrix, Named, Node};
use crate::symbol::constants::{Constant, named, under_root};
use crate::symbol::formula::{Style, fraction, superscript};
use crate::symbol::{latex, names};
use crate::{Form, Fun};
use operations::softmax_by;
use reading::{How, Reshaping, reshaping};
use std::cell::RefCell;

/// How tightly a text holds together, loosest first.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Hold {
    Words,
    Sum,
    Times,
    Chain,
    Atom,
}

struct Text(String, Hold);

impl Text {
    fn at_least(self, need: Hold) -> String {
        if self.1 < need { format!("({})", self.0) } else { self.0 }
    }
}

fn atom(text: impl Into<String>) -> Text {
    Text(text.into(), Hold::Atom)
}

/// Lists of whole numbers that have names: classes, rows.
pub type Lists = [(String, Vec<usize>)];

/// Writes formulas.
pub struct Board<'a> {
    pub style: Style,
    pub lists: &'a Lists,
    /// A sum divided by the count of what it adds is a mean.
    pub means: bool,
    /// What was found in the formula that there is no notation for.
    untold: RefCell<Option<String>>,
}

impl<'a> Board<'a> {
    pub fn new(style: Style, lists: &'a Lists, means: bool) -> Board<'a> {
        Board { style, lists, means, untold: RefCell::default() }
    }

    /// The formula as the right side of an equation.
    pub fn text(&self, m: &Matrix) -> Result<String, String> {
        let text = self.line(m);
        self.untold.take().map_or(Ok(text), Err)
    }

    /// A place for what has no notation.
    fn untold(&self, what: &str) -> Text {
        self.untold.borrow_mut().get_or_insert_with(|| what.to_owned());
        atom(what)
    }

    fn line(&self, m: &Matrix) -> String {
        // Alone, another shape is all that the step does; inside a product it only makes room.
        if let Node::Reshape(x) = m.node()
            && let Node::Name(_) = x.node()
            && bare(x.dims()) != bare(m.dims())
        {
            return self.reshape(x, m.dims()).0;
        }
        let (c, inner) = m.parted();
        match self.spread(&inner) {
            Some(text) if c == 1.0 => text.0,
            Some(text) => self.scaled(c, &text.at_least(Hold::Chain)),
            None if self.whole(&inner).0 == self.of(&inner).0 => self.of(m).0,
            None if c == 1.0 => self.whole(&inner).0,
            None => self.scaled(c, &self.whole(&inner).at_least(Hold::Chain)),
        }
    }

    fn scaled(&self, c: f64, text: &str) -> String {
        let sign = if c < 0.0 { self.minus() } else { "" };
        match c.abs() == 1.0 {
            true => format!("{sign}{text}"),
            false => {
                let size = self.size(c.abs()).at_least(Hold::Chain);
                format!("{sign}{size}{}{text}", self.pick(" ", "*", " "))
            }
        }
    }

    /// A name as it is written: `W₁`, `W_{1}`.
    pub fn name(&self, text: &str) -> String {
        let (mark, bare) = match text.strip_prefix('∂') {
            Some(bare) => (self.pick("∂", "d", r"\partial "), bare),
            None => ("", text),
        };
        let bare = bare.trim_end_matches(" (earlier)").trim_end_matches(" (deleted)");
        let stem = bare.trim_end_matches(|c: char| c.is_ascii_digit());
        match self.style {
            Style::Latex => format!("{mark}{}", latex_name(bare)),
            // W1 is W₁; fc1 stays, as a module is called so.
            Style::Pretty if is_word(bare) && stem.chars().count() == 1 => {
                format!("{mark}{stem}{}", subscript(&bare[stem.len()..]))
            }
            Style::Ascii if !mark.is_empty() => format!("d_{bare}"),
            _ => format!("{mark}{bare}"),
        }
    }

    fn pick<'t>(&self, pretty: &'t str, ascii: &'t str, latex: &'t str) -> &'t str {
        match self.style {
            Style::Pretty => pretty,
            Style::Latex => latex,
            _ => ascii,
        }
    }

    fn minus(&self) -> &'static str {
        self.pick("−", "-", "-")
    }

    fn number(&self, c: f64) -> String {
        match self.style {
            Style::Latex => latex::number(c),
            style => names::number(c, style),
        }
    }

    /// A column copied along the rows of a matrix, as the product it is.
    fn spread(&self, m: &Matrix) -> Option<Text> {
        let Node::Expand(x) = m.node() else { return None };
        let one = self.pick("1", "1", r"\mathbf{1}");
        match (x.dims(), m.dims()) {
            ([n, 1], [p, q]) if n == p && *q > 1 && *n > 1 => {
                let x = self.of(x).at_least(Hold::Chain);
                Some(Text(format!("{x} {}", self.top(one.to_owned(), "T")), Hold::Chain))
            }
            ([1, n], [p, q]) if n == q && *p > 1 && *n > 1 => {
                Some(Text(format!("{one} {}", self.of(x).at_least(Hold::Chain)), Hold::Chain))
            }
            ([n], [p, q]) if n == q && *p > 1 && *n > 1 => {
                Some(Text(format!("{one} {}", self.turned(x).at_least(Hold::Chain)), Hold::Chain))
            }
            _ => None,
        }
    }

    fn of(&self, m: &Matrix) -> Text {
        match m.node() {
            Node::Name(name) => self.named(name),
            Node::Number(c) => self.constant(*c),
            Node::Sum(terms) => self.sum(terms, m.dims()),
            Node::Times(factors) => self.times(factors, m),
            Node::Call(fun, args) => self.call(fun, args, m.dims()),
            Node::Product(parts) => self.product(parts),
            Node::Swap(x) => match x.node() {
                Node::Run(op, args) if op.name() == "inverse" => self.power_of(&args[0], "-T"),
                _ => self.turned(x),
            },
            Node::Reshape(x) => self.reshaped(x, m.dims()),
            Node::Expand(x) => self.of(x),
            Node::Collapse(x) => self.collapsed(x, m.dims()),
            Node::Gather(x, w) => self.picked(x, w),
            Node::Scatter(x, w) => self.placed(x, w),
            Node::Run(op, args) => self.run(&**op, args, m.dims()),
            Node::Pull(op, wrt, args) => self.pulled(&**op, *wrt, args),
        }
    }

    fn named(&self, name: &Named) -> Text {
        let text = self.name(&name.text);
        let plain = |c: char| c.is_alphanumeric() || "∂_.[]\\{}^ₜ".contains(c) || !c.is_ascii();
        match self.style == Style::Latex || text.chars().all(plain) {
            true => atom(text),
            false => Text(text, Hold::Sum),
        }
    }

    fn constant(&self, c: f64) -> Text {
        match c < 0.0 {
            true => Text(format!("{}{}", self.minus(), self.size(-c).0), Hold::Sum),
            false => self.size(c),
        }
    }

    /// A number not below 0: ½, (2/3), 1/√8.
    fn size(&self, c: f64) -> Text {
        if let Some(named) = named(c, self.style) {
            return self.constant_name(&named);
        }
        let (p, q) = fraction(c, true);
        let below = |under: String, p: f64| match self.style {
            Style::Latex => atom(format!(r"\tfrac{{{}}}{{{under}}}", self.number(p))),
            _ => Text(format!("{}/{under}", self.number(p)), Hold::Times),
        };
        let root = self.root(c);
        // 0.9 as it was typed.
        let decimal = p > 3.0 && c * 1000.0 == (c * 1000.0).trunc();
        if q != 1.0 && root.is_none() && !decimal {
            let short = [
                (1.0, 2.0, "½"),
                (1.0, 4.0, "¼"),
                (3.0, 4.0, "¾"),
                (1.0, 3.0, "⅓"),
                (2.0, 3.0, "⅔"),
                (1.0, 8.0, "⅛"),
            ];
            let one = short.iter().find(|(a, b, _)| *a == p && *b == q);
            return match one.filter(|_| self.style == Style::Pretty) {
                Some((.., one)) => atom(*one),
                None => below(self.number(q), p),
            };
        }
        match root {
            Some(under) => below(under, 1.0),
            None => atom(self.number(c)),
        }
    }

    /// π, 2π, π/2.
    fn constant_name(&self, named: &Constant) -> Text {
        let top = named.text(self.style);
        match (named.over, self.style) {
            (1.0, _) => Text(top, if named.times == 1.0 { Hold::Atom } else { Hold::Chain }),
            (over, Style::Latex) => atom(format!(r"\tfrac{{{top}}}{{{}}}", self.number(over))),
            (over, _) => Text(format!("{top}/{}", self.number(over)), Hold::Times),
        }
    }

    /// √n of what is 1/√n.
    fn root(&self, c: f64) -> Option<String> {
        under_root(c, self.style).filter(|(p, _)| *p == 1.0).map(|(_, q)| q)
    }

    fn sum(&self, terms: &[(f64, Matrix)], to: &[usize]) -> Text {
        if let [(c, t)] = terms
            && let Some(mean) = self.mean(*c, t)
        {
            return mean;
        }
        if let Some(blocks) = self.blocks(terms) {
            return blocks;
        }
        let parts: Vec<&Matrix> = terms.iter().map(|(_, t)| t).collect();
        let mut order: Vec<(&(f64, Matrix), How)> =
            terms.iter().zip(self.hows(&parts, to)).collect();
        // A + Aᵀ, 1 − h², and what is added before what is taken away.
        order.sort_by_key(|((c, t), _)| *c > 0.0 && matches!(t.node(), Node::Swap(_)));
        if let Some(lead) = order.iter().position(|((c, _), _)| *c > 0.0) {
            let first = order.remove(lead);
            order.insert(0, first);
        }
        let mut out = String::new();
        for (k, ((c, t), how)) in order.iter().enumerate() {
            match (k, *c < 0.0) {
                (0, true) => out.push_str(self.minus()),
                (0, false) => {}
                (_, true) => out.push_str(&format!(" {} ", self.minus())),
                (_, false) => out.push_str(" + "),
            }
            out.push_str(&self.term(c.abs(), t, *how));
        }
        let single = terms.len() == 1 && terms[0].0 >= 0.0;
        Text(out, if single { Hold::Times } else { Hold::Sum })
    }

    /// A sum divided by the count of what is added.
    fn mean(&self, c: f64, t: &Matrix) -> Option<Text> {
        let mut bare = t;
        while let Node::Reshape(x) = bare.node() {
            bare = x;
        }
        let Node::Collapse(x) = bare.node() else { return None };
        if !self.means || x.numel() == t.numel() || c != 1.0 / (x.numel() as f64 / t.numel() as f64)
        {
            return None;
        }
        if t.numel() == 1 {
            return Some(self.function("mean", &[self.of(x).0]));
        }
        let text = self.collapsed(x, bare.dims());
        let sign = self.pick("Σ", "sum", r"\textstyle\sum");
        let mean = self.pick("mean of", "mean of", r"\operatorname{mean}");
        Some(Text(text.0.replacen(sign, mean, 1), text.1))
    }

    /// `c t`, c not below 0.
    fn term(&self, c: f64, t: &Matrix, how: How) -> String {
        if let Some(d) = t.as_number() {
            return self.size(c * d).0;
        }
        if let Some(mean) = self.mean(c, t).filter(|_| how == How::Plain) {
            return mean.at_least(Hold::Times);
        }
        let text = self.beside(t, how).at_least(Hold::Times);
        if c == 1.0 {
            return text;
        }
        // a / √2
        if let Some(under) = self.root(c) {
            let factors = matches!(t.node(), Node::Times(_));
            return match self.style {
                Style::Latex if factors => format!(r"\tfrac{{1}}{{{under}}} {text}"),
                Style::Latex => format!(r"\frac{{{text}}}{{{under}}}"),
                _ if factors => format!("(1/{under}){}{text}", self.pick(" ", "*", " ")),
                _ => format!("{text} / {under}"),
            };
        }
        let size = self.size(c).at_least(Hold::Chain);
        let close = size.chars().all(|c| c.is_ascii_digit())
            && text.chars().next().is_some_and(char::is_alphabetic)
            && !text.contains(' ')
            && !["masked(", "written("].iter().any(|word| text.starts_with(word));
        match self.style {
            Style::Ascii => format!("{size}*{text}"),
            Style::Latex => format!("{size} {text}"),
            _ if close => format!("{size}{text}"),
            _ => format!("{size} {text}"),
        }
    }

    fn times(&self, factors: &[(Matrix, f64)], whole: &Matrix) -> Text {
        let small = |t: &Matrix| t.numel() == 1;
        let (mut single, mut many, mut under) = (Vec::new(), Vec::new(), Vec::new());
        let parts: Vec<&Matrix> = factors.iter().map(|(t, _)| t).collect();
        for ((t, e), how) in factors.iter().zip(self.hows(&parts, whole.dims())) {
            match (*e < 0.0, small(t) && whole.numel() > 1) {
                (true, _) => under.push(self.power(t, -e, how)),
                // A product of vectors is a number that keeps its brackets.
                (false, true) => single.push(match self.power(t, *e, how) {
                    Text(text, Hold::Chain) => Text(text, Hold::Times),
                    text => text,
                }),
                (false, false) => many.push(self.power(t, *e, how)),
            }
        }
        let dot = match whole.numel() {
            1 => self.pick(" ", "*", r" \, "),
            _ => self.pick(" ⊙ ", " * ", r" \odot "),
        };
        let joined = |all: Vec<Text>, dot: &str| match all.len() {
            1 => all.into_iter().next().unwrap_or(atom("")),
            0 => atom("1"),
            _ => {
                let bracketed = |t: Text| match t.1 == Hold::Chain && t.0.contains(' ') {
                    true => format!("({})", t.0),
                    false => t.at_least(Hold::Chain),
                };
                let each = all.into_iter().map(bracketed);
                Text(each.collect::<Vec<_>>().join(dot), Hold::Times)
            }
        };
        let mut top = match (single.is_empty(), many.is_empty()) {
            (true, _) => joined(many, dot),
            (false, true) => joined(single, self.pick(" ", "*", r" \, ")),
            (false, false) => {
                let gap = self.pick(" ", "*", r" \, ");
                let scalars = match single.len() {
                    1 => joined(single, gap).at_least(Hold::Chain),
                    _ => joined(single, gap).0,
                };
                Text(
                    format!("{scalars}{gap}{}", joined(many, dot).at_least(Hold::Times)),
                    Hold::Times,
                )
            }
        };
        if !under.is_empty() {
            let below = joined(under, dot);
            top = match self.style {
                Style::Latex => atom(format!(r"\frac{{{}}}{{{}}}", top.0, below.0)),
                _ => Text(
                    format!("{} / {}", top.at_least(Hold::Times), below.at_least(Hold::Atom)),
                    Hold::Times,
                ),
            };
        }
        top
    }

    fn power(&self, base: &Matrix, e: f64, how: How) -> Text {
        let inner = self.beside(base, how);
        if e == 1.0 {
            return inner;
        }
        if e == 0.5 {
            return atom(match self.style {
                Style::Pretty if inner.1 == Hold::Atom => format!("√{}", inner.0),
                Style::Pretty => format!("√({})", inner.0),
                Style::Latex => format!(r"\sqrt{{{}}}", inner.0),
                _ => format!("sqrt({})", inner.0),
            });
        }
        let base = inner.at_least(Hold::Atom);
        atom(match self.style {
            Style::Latex => format!("{base}^{{{}}}", self.constant(e).0),
            Style::Pretty if e == e.trunc() && e.abs() < 1000.0 => {
                format!("{base}{}", superscript(e as i64))
            }
            _ => format!("{base}^{}", self.constant(e).at_least(Hold::Atom)),
        })
    }

    /// Marks set high: ᵀ, ⁻¹, ⁻ᵀ.
    fn top(&self, base: String, mark: &str) -> String {
        match (self.style, mark) {
            (Style::Latex, "T") => format!(r"{base}^{{\top}}"),
            (Style::Latex, "-T") => format!(r"{base}^{{-\top}}"),
            (Style::Latex, mark) => format!("{base}^{{{mark}}}"),
            (Style::Pretty, "T") => format!("{base}ᵀ"),
            (Style::Pretty, "-T") => format!("{base}⁻ᵀ"),
            (Style::Pretty, _) => format!("{base}⁻¹"),
            (_, "T") => format!("{base}.T"),
            (_, "-T") => format!("inv({base}).T"),
            _ => format!("inv({base})"),
        }
    }

    fn power_of(&self, x: &Matrix, mark: &str) -> Text {
        let text = self.of(x);
        let base = if self.style == Style::Ascii && mark != "T" {
            text.0
        } else {
            text.at_least(Hold::Atom)
        };
        atom(self.top(base, mark))
    }

    fn turned(&self, x: &Matrix) -> Text {
        // Turned twice, with dimensions of 1 put before.
        let mut bare = x;
        while let Node::Reshape(inner) = bare.node()
            && inner.dims().iter().rev().take(2).eq(x.dims().iter().rev().take(2))
        {
            bare = inner;
        }
        match bare.node() {
            Node::Swap(inner) => self.of(inner),
            Node::Reshape(inner) if reshaping(inner.dims(), bare.dims()) == Reshaping::Turns => {
                self.of(inner)
            }
            _ => self.power_of(x, "T"),
        }
    }

    fn reshaped(&self, x: &Matrix, to: &[usize]) -> Text {
        match reshaping(x.dims(), to) {
            Reshaping::Turns => self.turned(x),
            Reshaping::Silent => self.of(x),
            Reshaping::Said => self.reshape(x, to),
        }
    }

    fn reshape(&self, x: &Matrix, to: &[usize]) -> Text {
        let text = if self.held(x) { self.of(x) } else { self.shaped(x) };
        self.function("reshape", &[text.0, self.size_of(to)])
    }

    /// 2×3
    fn size_of(&self, to: &[usize]) -> String {
        let size: Vec<String> = to.iter().map(usize::to_string).collect();
        if size.is_empty() { "1".to_owned() } else { size.join(self.pick("×", "x", r" \times ")) }
    }

    fn function(&self, name: &str, args: &[String]) -> Text {
        let head = match self.style {
            Style::Latex => match latex_command(name) {
                Some(command) => command.to_owned(),
                None => format!(r"\operatorname{{{}}}", latex::escaped(name)),
            },
            _ => name.to_owned(),
        };
        atom(format!("{head}({})", args.join(", ")))
    }

    fn collapsed(&self, x: &Matrix, to: &[usize]) -> Text {
        let sign = self.pick("Σ", "sum", r"\sum");
        let from = x.dims();
        let bare = to.iter().all(|d| *d == 1);
        if let (true, Node::Gather(x, w)) = (bare, x.node())
            && self.diagonal(w)
        {
            return self.function("tr", &[self.of(x).0]);
        }
        if bare {
            let inner = self.of(x);
            return match self.style {
                Style::Ascii => atom(format!("sum({})", inner.0)),
                Style::Latex => {
                    Text(format!(r"\textstyle\sum {}", inner.at_least(Hold::Times)), Hold::Times)
                }
                _ => Text(format!("{sign} {}", inner.at_least(Hold::Chain)), Hold::Times),
            };
        }
        let padded = [&vec![1; from.len() - to.len()], to].concat();
        let gone: Vec<usize> =
            (0..from.len()).filter(|d| padded[*d] == 1 && from[*d] != 1).collect();
        if gone.is_empty() {
            return self.of(x);
        }
        self.summed(&gone, from.len(), self.exact(x).at_least(Hold::Times))
    }

    /// A sum over some of so many dimensions.
    fn summed(&self, gone: &[usize], rank: usize, inner: String) -> Text {
        let over = match (rank, gone) {
            (2, [0]) => "rows".to_owned(),
            (2, [1]) => "columns".to_owned(),
            _ => {
                let dims: Vec<String> = gone.iter().map(usize::to_string).collect();
                let s = if gone.len() == 1 { "" } else { "s" };
                format!("dim{s} {}", dims.join(", "))
            }
        };
        let sign = self.pick("Σ", "sum", r"\textstyle\sum");
        match self.style {
            Style::Latex => Text(format!(r"{sign}_{{\text{{{over}}}}} {inner}"), Hold::Words),
            _ => Text(format!("{sign} {over} of {inner}"), Hold::Words),
        }
    }

    fn call(&self, fun: &'static Fun, args: &[Matrix], to: &[usize]) -> Text {
        let parts: Vec<&Matrix> = args.iter().collect();
        let hows = self.hows(&parts, to);
        let text = |k: usize| self.beside(&args[k], hows[k]);
        match (fun.form, args.len()) {
            (Form::Exp, 1) => match args[0].node() {
                Node::Run(op, of) if op.name() == "log_softmax" => {
                    self.named_call("softmax", &**op, of)
                }
                Node::Sum(terms) if let Some(op) = softmax_by(terms) => {
                    self.named_call("softmax", op, std::slice::from_ref(&terms[0].1))
                }
                _ => self.function("exp", &[text(0).0]),
            },
            (Form::Sigmoid, 1) => match self.style {
                Style::Pretty => atom(format!("σ({})", text(0).0)),
                Style::Latex => atom(format!(r"\sigma({})", text(0).0)),
                _ => self.function(fun.name, &[text(0).0]),
            },
            (Form::Abs, 1) if self.style != Style::Ascii => atom(format!("|{}|", text(0).0)),
            (Form::Step, 1) => atom(format!("[{}]", self.condition(&args[0]))),
            (Form::Equal, 2) => {
                let sign = self.pick("=", "==", "=");
                atom(format!("[{} {sign} {}]", text(0).0, text(1).0))
            }
            (Form::Pow, 2) => {
                let (a, b) = (text(0).at_least(Hold::Atom), text(1));
                atom(match self.style {
                    Style::Latex => format!("{a}^{{{}}}", b.0),
                    _ => format!("{a}^{}", b.at_least(Hold::Atom)),
                })
            }
            (Form::Infix(sign), 2) => {
                let (a, b) = (text(0).at_least(Hold::Chain), text(1).at_least(Hold::Chain));
                Text(format!("{a} {sign} {b}"), Hold::Sum)
            }
            _ => {
                let mut all: Vec<String> = (0..args.len()).map(|k| text(k).0).collect();
                // Parameters at their default say nothing.
                let row = crate::table::rows().find(|row| std::ptr::eq(row.fun, fun));
                if let Some(row) = row {
                    let usual = |k: usize| {
                        let param = row.params.get(k - fun.operands).map(|(_, usual)| *usual);
                        args[k].as_number().is_some() && args[k].as_number() == param
                    };
                    while all.len() > fun.operands && usual(all.len() - 1) {
                        all.pop();
                    }
                }
                if fun.form == Form::Swapped {
                    all.rotate_left(fun.operands);
                }
                all.extend(self.option(fun));
                self.function(fun.spelled.0, &all)
            }
        }
    }

    /// `t > 0`, as a person says it: `x > 1` for `x − 1 > 0`, `x < 2` for `2 − x > 0`.
    fn condition(&self, t: &Matrix) -> String {
        let Node::Sum(terms) = t.node() else { return format!("{} > 0", self.of(t).0) };
        let number = |(c, t): &(f64, Matrix)| t.as_number().map(|n| c * n);
        let known: f64 = terms.iter().filter_map(number).sum();
        let rest = terms.iter().filter(|t| number(t).is_none()).cloned();
        let rest: Vec<(f64, Matrix)> = rest.collect();
        let below = rest.iter().all(|(c, _)| *c < 0.0);
        let (sign, turn) = if below { ("<", -1.0) } else { (">", 1.0) };
        let left = Matrix::sum(rest.into_iter().map(|(c, t)| (turn * c, t)).collect());
        let right = self.constant(if below { known } else { -known } + 0.0).0;
        format!("{} {sign} {right}", self.of(&left).0)
    }

    /// What stands behind the arguments of a call.
    fn option(&self, fun: &'static Fun) -> Option<String> {
        let option = fun.spelled.1;
        let text = match self.style {
            Style::Latex => format!(r"\text{{{}}}", latex::escaped(option)),
            _ => option.to_owned(),
        };
        (!option.is_empty()).then_some(text)
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// `W_{1}`, `\hat{y}`.
fn latex_name(text: &str) -> String {
    let stem = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let marked = |stem: &str| match stem.strip_suffix("_hat").unwrap_or(stem) {
        "ŷ" => r"\hat{y}".to_owned(),
        "x̂" => r"\hat{x}".to_owned(),
        bare if bare != stem => format!(r"\hat{{{}}}", latex::name(bare)),
        _ => latex::name(stem),
    };
    match is_word(text) {
        true if stem.is_empty() || stem.len() == text.len() => marked(text),
        true => format!("{}_{{{}}}", marked(stem), &text[stem.len()..]),
        false => format!(r"\mathtt{{{}}}", latex::escaped(text)),
    }
}

fn latex_command(name: &str) -> Option<&'static str> {
    let row = crate::table::rows().find(|row| row.fun.name == name && !row.fun.latex.is_empty());
    row.map(|row| row.fun.latex).or(match name {
        "det" => Some(r"\det"),
        _ => None,
    })
}

fn subscript(digits: &str) -> String {
    let low = |c: char| c.to_digit(10).and_then(|d| char::from_u32('₀' as u32 + d)).unwrap_or(c);
    digits.chars().map(low).collect()
}

/// Sizes other than 1.
fn bare(shape: &[usize]) -> Vec<usize> {
    shape.iter().copied().filter(|d| *d != 1).collect()
}
