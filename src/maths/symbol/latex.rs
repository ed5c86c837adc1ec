//! Formulas as LaTeX, for the math mode of a typeset text.

use super::formula::{Hold, Style, as_written, comparison, fraction, halves};
use crate::symbol::constants::{named, under_root};
use crate::symbol::names::{GENERIC, digits, which};
use crate::symbol::{Leaf, Node};
use crate::{Expr, Form, Fun};

const GREEK: &[&str] = &[
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda", "mu",
    "nu", "xi", "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega",
];

/// The command of a Greek letter, where TeX has one.
fn greek(letter: char) -> Option<&'static str> {
    let small = "αβγδεζηθκλμνξπρστφχψω".chars().position(|c| c == letter);
    let large = "ΓΔΘΛΞΠΣΦΨΩ".chars().position(|c| c == letter);
    small.map(|k| GREEK[k]).or_else(|| large.map(|k| LARGE[k]))
}

const LARGE: &[&str] =
    &["Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega"];

/// The formula; `?` where a part of it is unknown.
pub fn text(e: &Expr) -> String {
    expr(e).0
}

/// A name: a letter as it is, a Greek one by its command, more letters upright.
pub fn name(name: &str) -> String {
    let (bare, which) = which(name);
    if !which.is_empty() {
        return format!("{}_{{{}}}", self::name(bare), upright(which));
    }
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(c), None) if c.is_ascii_alphabetic() => name.to_owned(),
        (Some(c), None) if let Some(command) = greek(c) => format!("\\{command}"),
        _ if GREEK.contains(&name) => format!("\\{name}"),
        _ => format!(r"\mathrm{{{}}}", escaped(name)),
    }
}

/// A number, a power of ten written as one.
pub fn number(c: f64) -> String {
    if c.is_nan() {
        return r"\mathrm{nan}".to_owned();
    }
    let sign = if c < 0.0 { "-" } else { "" };
    if c.is_infinite() {
        return format!(r"{sign}\infty");
    }
    if c == 0.0 {
        return "0".to_owned();
    }
    match digits(c.abs(), r"\ldots ") {
        (text, None) => format!("{sign}{text}"),
        (text, Some(power)) => format!(r"{sign}{text} \cdot 10^{{{power}}}"),
    }
}

/// The subscript of an element, counted from 1: `_{12}`, `_{3,12}`.
pub fn subscript(shape: &[usize], index: usize) -> String {
    if shape.is_empty() {
        return String::new();
    }
    if index == GENERIC {
        let letters: String = (0..shape.len()).map(|k| ["i", "j", "k", "l"][k % 4]).collect();
        return format!("_{{{letters}}}");
    }
    let mut rest = index;
    let mut at: Vec<String> = Vec::with_capacity(shape.len());
    for d in shape.iter().rev() {
        at.push((rest % d.max(&1) + 1).to_string());
        rest /= d.max(&1);
    }
    at.reverse();
    let apart = if shape.iter().any(|d| *d > 9) { "," } else { "" };
    format!("_{{{}}}", at.join(apart))
}

fn variable(leaf: &Leaf, index: usize) -> String {
    let (bare, which) = which(&leaf.name);
    let subscript = subscript(&leaf.shape, index);
    if which.is_empty() {
        return name(bare) + &subscript;
    }
    let index = subscript.trim_start_matches("_{").trim_end_matches('}');
    let comma = if index.is_empty() { "" } else { "," };
    format!(r"{}_{{{index}{comma}{}}}", name(bare), upright(which))
}

/// `\text{earlier}`
fn upright(which: &str) -> String {
    format!(r"\text{{{}}}", which.trim_matches([' ', '(', ')']))
}

pub fn escaped(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if matches!(c, '_' | '#' | '$' | '%' | '&' | '{' | '}') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

type Part = (String, Hold);

fn at_least((text, hold): Part, need: Hold) -> String {
    if hold < need { format!(r"\left({text}\right)") } else { text }
}

/// As deep as the expression, whose depth building bounded.
fn expr(e: &Expr) -> Part {
    match e.node() {
        Node::Const(c) if *c < 0.0 => (format!("-{}", term(-c, &[]).0), Hold::Sum),
        Node::Const(c) => term(*c, &[]),
        Node::Var(leaf, index) => (variable(leaf, *index), Hold::Atom),
        Node::Sum(terms) => sum(terms),
        Node::Product(factors) => term(1.0, factors),
        Node::Call(fun, args) => call(fun, args),
        Node::Unknown => ("?".to_owned(), Hold::Atom),
    }
}

fn sum(terms: &[(f64, Expr)]) -> Part {
    let mut out = String::new();
    for (c, t) in as_written(terms) {
        out += match (out.is_empty(), *c < 0.0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let part = match t.node() {
            Node::Const(d) => term(c.abs() * d, &[]),
            Node::Product(factors) => term(c.abs(), factors),
            _ => term(c.abs(), &[(t.clone(), 1.0)]),
        };
        out += &at_least(part, Hold::Product);
    }
    let single = terms.len() == 1 && terms[0].0 >= 0.0;
    (out, if single { Hold::Product } else { Hold::Sum })
}

fn term(c: f64, factors: &[(Expr, f64)]) -> Part {
    let (below, above): (Vec<_>, Vec<_>) = factors.iter().partition(|(_, e)| *e < 0.0);
    let named = named(c, Style::Latex);
    let root = if named.is_none() { under_root(c, Style::Latex) } else { None };
    let (p, q) = match &named {
        Some(named) => (named.times, named.over),
        None if let Some((p, _)) = &root => (*p, 1.0),
        None => fraction(c, !below.is_empty() || halves(c) && !factors.is_empty()),
    };
    let mut top: Vec<Part> = Vec::new();
    if p != 1.0 || above.is_empty() && named.is_none() {
        top.push((number(p), Hold::Atom));
    }
    top.extend(named.map(|n| (n.word(Style::Latex), n.hold())));
    top.extend(above.iter().map(|(b, e)| power(b, *e)));
    let mut bottom: Vec<Part> = Vec::new();
    if q != 1.0 {
        bottom.push((number(q), Hold::Atom));
    }
    bottom.extend(root.map(|(_, q)| (q, Hold::Power)));
    bottom.extend(below.iter().map(|(b, e)| power(b, -e)));
    if bottom.is_empty() {
        return product(top);
    }
    let (top, bottom) = (product(top).0, product(bottom).0);
    (format!(r"\frac{{{top}}}{{{bottom}}}"), Hold::Power)
}

fn product(mut factors: Vec<Part>) -> Part {
    if factors.len() == 1 {
        return factors.remove(0);
    }
    let mut out = String::new();
    for factor in factors {
        let text = at_least(factor, Hold::Power);
        let digit = text.starts_with(|c: char| c.is_ascii_digit());
        if !out.is_empty() && digit {
            out += r" \cdot ";
        } else if !out.is_empty() && !out.ends_with(|c: char| c.is_ascii_digit()) {
            out += r" \, ";
        }
        out += &text;
    }
    (out, Hold::Product)
}

fn power(base: &Expr, e: f64) -> Part {
    if e == 1.0 {
        return expr(base);
    }
    if e == 0.5 {
        return (format!(r"\sqrt{{{}}}", expr(base).0), Hold::Power);
    }
    let base = at_least(expr(base), Hold::Atom);
    (format!("{base}^{{{}}}", term(e, &[]).0), Hold::Power)
}

fn call(fun: &'static Fun, args: &[Expr]) -> Part {
    let atom = |text: String| (text, Hold::Atom);
    match (fun.form, args) {
        (Form::Exp, [x]) => (format!("e^{{{}}}", expr(x).0), Hold::Power),
        (Form::Sigmoid, [x]) => atom(format!(r"\sigma\left({}\right)", expr(x).0)),
        (Form::Abs, [x]) => atom(format!(r"\left|{}\right|", expr(x).0)),
        (Form::Step | Form::Equal, _) => {
            atom(format!(r"\mathbf{{1}}_{{{}}}", condition(fun, args)))
        }
        (Form::Where, [c, a, b]) => {
            let condition = match c.node() {
                Node::Call(f, args) => condition(f, args),
                _ => expr(c).0,
            };
            atom(format!(
                r"\begin{{cases}} {} & {condition} \\ {} & \text{{otherwise}} \end{{cases}}",
                expr(a).0,
                expr(b).0
            ))
        }
        (Form::Pow, [a, b]) => {
            let base = at_least(expr(a), Hold::Atom);
            (format!("{base}^{{{}}}", expr(b).0), Hold::Power)
        }
        (Form::Infix("//"), [a, b]) => {
            atom(format!(r"\left\lfloor\frac{{{}}}{{{}}}\right\rfloor", expr(a).0, expr(b).0))
        }
        (Form::Infix(_), [a, b]) => {
            let (a, b) = (at_least(expr(a), Hold::Power), at_least(expr(b), Hold::Power));
            (format!(r"{a} \bmod {b}"), Hold::Sum)
        }
        _ => {
            let mut args: Vec<String> = args.iter().map(|a| expr(a).0).collect();
            args.extend(option(fun));
            let head = match fun.latex {
                "" => format!(r"\operatorname{{{}}}", escaped(fun.spelled.0)),
                command => command.to_owned(),
            };
            atom(format!("{head}({})", args.join(", ")))
        }
    }
}

/// What stands behind the arguments of a call.
fn option(fun: &'static Fun) -> Option<String> {
    let option = fun.spelled.1;
    (!option.is_empty()).then(|| format!(r"\text{{{}}}", escaped(option)))
}

/// What a step or an equality asks.
fn condition(fun: &'static Fun, args: &[Expr]) -> String {
    match (fun.form, args) {
        (Form::Step, [t]) => {
            let (left, right, below) = comparison(t);
            let sign = if below { "<" } else { ">" };
            format!("{} {sign} {}", expr(&left).0, number(right))
        }
        (Form::Equal, [a, b]) => format!("{} = {}", expr(a).0, expr(b).0),
        _ => call(fun, args).0,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use crate::symbol::formula::{Style, write};
    use crate::{Algebra, LinearMap, Point, Symbols, table};
    use vjp_tensor::Tensor;

    fn balanced(text: &str) -> bool {
        let mut depth = 0;
        let mut escaped = false;
        for c in text.chars() {
            match c {
                '{' if !escaped => depth += 1,
                '}' if !escaped => depth -= 1,
                _ => {}
            }
            if depth < 0 {
                return false;
            }
            escaped = c == '\\' && !escaped;
        }
        let count = |s: &str| text.matches(s).count();
        depth == 0
            && count(r"\left") == count(r"\right") + count(r"\leftarrow")
            && count(r"\begin") == count(r"\end")
    }

    /// A row's value and its slopes, as LaTeX.
    fn rendered(row: &table::Row) -> Vec<String> {
        let params: Vec<f64> = row.params.iter().map(|(_, x)| *x).collect();
        let op = (row.fun.operation)(&params);
        let names = ["x", "weight_2", "z"];
        let inputs: Vec<Symbols> =
            (0..row.fun.operands).map(|k| Symbols::leaf(names[k % 3], &[])).collect();
        let inputs: Vec<&Symbols> = inputs.iter().collect();
        let one = Tensor::scalar(0.5);
        let values: Vec<&Tensor> = inputs.iter().map(|_| &one).collect();
        let Some(y) = op.symbols(&inputs, &values, &one) else {
            return Vec::new();
        };
        let at = Point { inputs: &inputs, output: &y, values: &values, value: &one };
        let mut all: Vec<_> = y.data.first().cloned().into_iter().collect();
        for k in 0..inputs.len() {
            if let LinearMap::Diagonal { by, .. } = op.linear_symbols(&at, k) {
                all.extend(by.data.first().cloned());
            }
        }
        all.iter().filter_map(|e| write(e, Style::Latex)).collect()
    }

    #[test]
    fn every_formula_of_the_table_renders_with_balanced_braces() {
        let mut count = 0;
        for row in table::rows() {
            for text in rendered(row) {
                assert!(balanced(&text), "{}: {text}", row.fun.name);
                assert!(text.is_ascii() && !text.contains('?'), "{text}");
                count += 1;
            }
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn as_a_text_writes_them() {
        let x = Symbols::leaf("x", &[2]).data[0].clone();
        let say = |e: &crate::Expr| write(e, Style::Latex).unwrap();
        assert_eq!(say(&x.times(6.0)), "6x_{1}");
        let s = Symbols::leaf("x", &[]).data[0].clone();
        let root = Algebra::call(&table::SQRT, &[&s]);
        let inverse = Algebra::call(&table::RECIPROCAL, &[&root]);
        assert_eq!(say(&inverse.times(0.5)), r"\frac{1}{2\sqrt{x}}");
        let t = Algebra::call(&table::TANH, &[&s]);
        assert_eq!(say(&t.by(&t)), r"\tanh(x)^{2}");
    }
}
