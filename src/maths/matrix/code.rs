//! A formula of whole arrays as PyTorch code.

use super::board::Lists;
use super::selection::{Along, Picks, picks};
use super::{Matrix, Node};
use crate::symbol::formula::Style;
use crate::symbol::names::number;
use crate::table::called::Forms;
use crate::{Form, Fun, table};
use vjp_tensor::ElementMap;

/// Loosest first.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Hold {
    Sum,
    Product,
    Atom,
}

struct Text(String, Hold);

impl Text {
    fn at_least(self, need: Hold) -> String {
        if self.1 < need { format!("({})", self.0) } else { self.0 }
    }
}

fn atom(text: impl Into<String>) -> Option<Text> {
    Some(Text(text.into(), Hold::Atom))
}

/// The formula as code; None where a part of it is none.
pub fn code(m: &Matrix, lists: &Lists) -> Option<String> {
    let writer = Writer { lists };
    let text = writer.array(m, Hold::Sum)?;
    // one_hot gives whole numbers.
    match m.node() {
        Node::Scatter(..) if text.starts_with("torch.nn.functional.one_hot(") => {
            Some(format!("{text} * 1.0"))
        }
        _ => Some(text),
    }
}

/// `2, 3`
fn sizes(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

struct Writer<'a> {
    lists: &'a Lists,
}

impl Writer<'_> {
    fn filled(&self, c: f64, shape: &[usize]) -> Option<String> {
        let comma = if shape.len() == 1 { "," } else { "" };
        Some(format!("torch.full(({}{comma}), {})", sizes(shape), self.float(c)))
    }

    fn float(&self, c: f64) -> String {
        let text = match c {
            c if c.is_nan() => "float(\"nan\")".to_owned(),
            c if c.is_infinite() => "float(\"inf\")".to_owned(),
            c => number(c.abs(), Style::Code),
        };
        let text = if text.contains(['.', 'e', '(']) { text } else { format!("{text}.0") };
        if c < 0.0 { format!("-{text}") } else { text }
    }

    fn short(&self, c: f64) -> String {
        match c == c.trunc() && c.abs() < 1e9 {
            true => format!("{c}"),
            false => self.float(c),
        }
    }

    fn of(&self, m: &Matrix) -> Option<Text> {
        match m.node() {
            Node::Name(name) => match name.code.is_empty() {
                true => None,
                false => atom(name.code.clone()),
            },
            Node::Number(c) if *c < 0.0 => Some(Text(self.short(*c), Hold::Sum)),
            Node::Number(c) => atom(self.short(*c)),
            Node::Sum(terms) => self.sum(terms),
            Node::Times(factors) => self.times(factors),
            Node::Call(fun, args) => self.call(fun, args),
            Node::Product(parts) => {
                let each = parts.iter().map(|p| self.array(p, Hold::Atom));
                Some(Text(each.collect::<Option<Vec<_>>>()?.join(" @ "), Hold::Product))
            }
            Node::Swap(x) => {
                let mark = if m.dims().len() == 2 { ".T" } else { ".mT" };
                atom(format!("{}{mark}", self.array(x, Hold::Atom)?))
            }
            Node::Reshape(x) => self.reshaped(x, m.dims()),
            // What is around it broadcasts.
            Node::Expand(x) => self.of(x),
            Node::Collapse(x) => self.collapsed(x, m.dims()),
            Node::Gather(x, w) => self.picked(x, w),
            Node::Scatter(x, w) => self.placed(x, w),
            Node::Run(op, args) => {
                let args = args.iter().map(|a| self.array(a, Hold::Atom));
                atom(op.code(&args.collect::<Option<Vec<_>>>()?)?)
            }
            Node::Pull(op, wrt, parts) => {
                let (made, parts) = parts.split_last()?;
                let texts = parts.iter().map(|p| self.array(p, Hold::Atom));
                let called = texts.collect::<Option<Vec<String>>>().and_then(|mut texts| {
                    let v = texts.pop()?;
                    op.pull_code(*wrt, &texts, &v)
                });
                match called {
                    Some(call) => atom(call),
                    None => self.of(made),
                }
            }
        }
    }

    /// In its own shape, whatever stands around it.
    fn array(&self, m: &Matrix, need: Hold) -> Option<String> {
        let (c, inner) = m.parted();
        match inner.node() {
            Node::Number(d) => self.filled(c * d, m.dims()),
            Node::Expand(x) => {
                let text = self.array(&x.multiple(c), Hold::Atom)?;
                Some(format!("{text}.expand({})", sizes(m.dims())))
            }
            _ => Some(self.of(m)?.at_least(need)),
        }
    }

    fn sum(&self, terms: &[(f64, Matrix)]) -> Option<Text> {
        let mut order: Vec<&(f64, Matrix)> = terms.iter().collect();
        if let Some(lead) = order.iter().position(|(c, _)| *c > 0.0) {
            let first = order.remove(lead);
            order.insert(0, first);
        }
        let mut out = String::new();
        for (k, (c, t)) in order.iter().enumerate() {
            out.push_str(match (k, *c < 0.0) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            });
            let size = c.abs();
            let text = match (t.as_number(), size == 1.0) {
                (Some(d), _) => self.short(size * d),
                (None, true) => self.of(t)?.at_least(Hold::Product),
                (None, false) => self.scaled(size, t)?,
            };
            out.push_str(&text);
        }
        let single = terms.len() == 1 && terms[0].0 >= 0.0;
        Some(Text(out, if single { Hold::Product } else { Hold::Sum }))
    }

    /// `x / 4` where that is the number exactly, else `0.3 * x`.
    fn scaled(&self, c: f64, t: &Matrix) -> Option<String> {
        let under = (1.0 / c).round();
        let text = self.of(t)?;
        // A product of matrices and one element by element bind alike, from the left.
        let text = match t.node() {
            Node::Times(_) => text.at_least(Hold::Product),
            _ => text.at_least(Hold::Atom),
        };
        Some(match under > 1.0 && 1.0 / under == c {
            true => format!("{text} / {under}"),
            false => format!("{} * {text}", self.short(c)),
        })
    }

    fn times(&self, factors: &[(Matrix, f64)]) -> Option<Text> {
        let (under, over): (Vec<_>, Vec<_>) = factors.iter().partition(|(_, e)| *e < 0.0);
        let over = over.iter().map(|(t, e)| self.power(t, *e));
        let over: Vec<String> = over.collect::<Option<_>>()?;
        let mut text = if over.is_empty() { "1".to_owned() } else { over.join(" * ") };
        for (t, e) in under {
            text += &format!(" / {}", self.power(t, -e)?);
        }
        Some(Text(text, Hold::Product))
    }

    fn power(&self, t: &Matrix, e: f64) -> Option<String> {
        let base = self.of(t)?;
        Some(match e {
            1.0 => base.at_least(Hold::Atom),
            0.5 => format!("torch.sqrt({})", base.0),
            e => format!("{}**{}", base.at_least(Hold::Atom), self.short(e)),
        })
    }

    fn call(&self, fun: &'static Fun, args: &[Matrix]) -> Option<Text> {
        let text = |k: usize| self.of(&args[k]);
        match (fun.form, args.len()) {
            (Form::Exp, 1)
                if let Node::Run(op, of) = args[0].node()
                    && op.name() == "log_softmax" =>
            {
                let call = op.code(&[self.array(&of[0], Hold::Sum)?])?;
                return atom(call.replacen("log_softmax", "softmax", 1));
            }
            (Form::Step, 1) => {
                return Some(Text(
                    format!("({} > 0) * 1.0", text(0)?.at_least(Hold::Product)),
                    Hold::Product,
                ));
            }
            (Form::Equal, 2) => {
                let (a, b) = (text(0)?.at_least(Hold::Product), text(1)?.at_least(Hold::Product));
                return Some(Text(format!("({a} == {b}) * 1.0"), Hold::Product));
            }
            (Form::Where, 3) => {
                let (a, b) = (text(1)?.0, text(2)?.0);
                return atom(format!(
                    "torch.where({} != 0, {a}, {b})",
                    text(0)?.at_least(Hold::Product)
                ));
            }
            (Form::Pow, 2) => {
                return atom(format!("torch.pow({}, {})", text(0)?.0, text(1)?.0));
            }
            (Form::Infix(sign), 2) => {
                let (a, b) = (text(0)?.at_least(Hold::Atom), text(1)?.at_least(Hold::Atom));
                return Some(Text(format!("{a} {sign} {b}"), Hold::Product));
            }
            _ => {}
        }
        let row = table::rows().find(|row| std::ptr::eq(row.fun, fun))?;
        let has = |form: Forms| row.called.forms.has(form);
        let head = match () {
            () if has(Forms::TORCH) => "torch.",
            () if has(Forms::F) => "torch.nn.functional.",
            () if has(Forms::SPECIAL) => "torch.special.",
            // Bound by hand, for the sake of its options.
            () if fun.spelled.0 == "gelu" => "torch.nn.functional.",
            () if fun.spelled.0 == "div" => "torch.",
            () if fun.name.starts_with("clamp") => "torch.",
            () => return None,
        };
        let mut all = Vec::new();
        for (k, a) in args.iter().enumerate() {
            match (k < fun.operands, a.as_number()) {
                (true, Some(c)) => all.push(format!("torch.tensor({})", self.float(c))),
                (true, None) => all.push(self.of(a)?.0),
                (false, Some(c)) => {
                    let (name, usual) = row.params.get(k - fun.operands)?;
                    if c != *usual {
                        all.push(format!("{name}={}", self.short(c)));
                    }
                }
                (false, None) => return None,
            }
        }
        let (name, option) = fun.spelled;
        all.extend((!option.is_empty()).then(|| option.to_owned()));
        atom(format!("{head}{name}({})", all.join(", ")))
    }

    fn reshaped(&self, x: &Matrix, to: &[usize]) -> Option<Text> {
        let from = x.dims();
        if let (Node::Product(parts), true) = (x.node(), to.len() < 2)
            && let Some(text) = self.vectors(parts, to)
        {
            return Some(text);
        }
        match (from, to) {
            ([_], [1, _]) => return atom(format!("{}[None, :]", self.array(x, Hold::Atom)?)),
            ([_], [_, 1]) => return atom(format!("{}[:, None]", self.array(x, Hold::Atom)?)),
            ([1, _], [_, 1]) | ([_, 1], [1, _]) => {
                return atom(format!("{}.T", self.array(x, Hold::Atom)?));
            }
            _ => {}
        }
        let size = if to.is_empty() { "()".to_owned() } else { sizes(to) };
        atom(format!("{}.reshape({size})", self.array(x, Hold::Atom)?))
    }

    /// A chain that ends in a vector, or begins with one too.
    fn vectors(&self, parts: &[Matrix], to: &[usize]) -> Option<Text> {
        let vector = |m: &Matrix, shape: &[usize]| match m.node() {
            Node::Reshape(x) if x.dims().len() == 1 && m.dims() == shape => Some(x.clone()),
            _ => None,
        };
        let (first, rest) = parts.split_first()?;
        let (last, middle) = rest.split_last()?;
        let last = vector(last, &[last.numel(), 1])?;
        let mut all = vec![match to.is_empty() {
            true => self.array(&vector(first, &[1, first.numel()])?, Hold::Atom)?,
            false => self.array(first, Hold::Atom)?,
        }];
        for part in middle.iter().chain([&last]) {
            all.push(self.array(part, Hold::Atom)?);
        }
        Some(Text(all.join(" @ "), Hold::Product))
    }

    fn collapsed(&self, x: &Matrix, to: &[usize]) -> Option<Text> {
        let from = x.dims();
        let text = self.array(x, Hold::Atom)?;
        if to.is_empty() {
            return atom(format!("{text}.sum()"));
        }
        let lead = from.len() - to.len();
        let gone = |d: &usize| *d < lead || to[*d - lead] == 1 && from[*d] != 1;
        let dims: Vec<usize> = (0..from.len()).filter(gone).collect();
        let over = match dims.len() {
            1 => sizes(&dims),
            _ => format!("({})", sizes(&dims)),
        };
        let text = match dims.iter().all(|d| *d < lead) {
            true => format!("{text}.sum({over})"),
            false => format!("{text}.sum({over}, keepdim=True)"),
        };
        atom(match dims.iter().all(|d| *d < lead) || lead == 0 {
            true => text,
            false => format!("{text}.reshape({})", sizes(to)),
        })
    }

    fn list(&self, list: &[usize]) -> String {
        match self.lists.iter().find(|(_, known)| known == list) {
            Some((name, _)) => format!("{name}.reshape(-1)"),
            None => format!("torch.tensor([{}])", sizes(list)),
        }
    }

    fn picked(&self, x: &Matrix, w: &ElementMap) -> Option<Text> {
        let text = self.array(x, Hold::Atom)?;
        let size = if w.to.is_empty() { "()".to_owned() } else { sizes(&w.to) };
        match picks(w) {
            Picks::Order(order) => return atom(format!("{text}.permute({})", sizes(&order))),
            Picks::Along(all) if all.iter().filter(|a| matches!(a, Along::Some(_))).count() < 2 => {
                return atom(format!("{text}[{}]", self.along(&all)));
            }
            Picks::Rows(rows) => {
                return atom(format!("{text}[{}].reshape({size})", self.list(&rows)));
            }
            _ => {}
        }
        let n: usize = w.from.iter().product();
        let flat = match w.index.contains(&ElementMap::NONE) {
            true => format!("torch.cat([{text}.reshape(-1), {text}.new_zeros(1)])"),
            false => format!("{text}.reshape(-1)"),
        };
        atom(format!("{flat}[{}].reshape({size})", self.places(w, n)))
    }

    /// Where each element comes from, `none` where from nowhere.
    fn places(&self, w: &ElementMap, none: usize) -> String {
        let all: Vec<usize> =
            w.index.iter().map(|p| if *p == ElementMap::NONE { none } else { *p }).collect();
        format!("torch.tensor([{}])", sizes(&all))
    }

    fn along(&self, all: &[Along]) -> String {
        let part = |along: &Along| match along {
            Along::All => ":".to_owned(),
            Along::One(i) => i.to_string(),
            Along::Range(a, b, 1) => format!("{a}:{b}"),
            Along::Range(a, b, step) => format!("{a}:{b}:{step}"),
            Along::Some(list) => format!("[{}]", sizes(list)),
        };
        all.iter().map(part).collect::<Vec<_>>().join(", ")
    }

    fn placed(&self, x: &Matrix, w: &ElementMap) -> Option<Text> {
        let picked = picks(w);
        if let (Picks::Each(list), Some(c), [_, n]) = (&picked, x.as_number(), w.from.as_slice()) {
            let hot = format!("torch.nn.functional.one_hot({}, {n})", self.list(list));
            return match c == 1.0 {
                true => atom(hot),
                false => Some(Text(format!("{} * {hot}", self.float(c)), Hold::Product)),
            };
        }
        let text = self.array(x, Hold::Atom)?;
        if let Picks::Rows(rows) = &picked {
            let width: usize = w.from[1..].iter().product();
            return atom(format!(
                "{text}.new_zeros({}, {width}).index_add(0, {}, {text}.reshape(-1, {width})).reshape({})",
                w.from[0],
                self.list(rows),
                sizes(&w.from)
            ));
        }
        let n: usize = w.from.iter().product();
        let none = w.index.contains(&ElementMap::NONE);
        let (room, cut) = if none { (n + 1, format!("[:{n}]")) } else { (n, String::new()) };
        let size = if w.from.is_empty() { "()".to_owned() } else { sizes(&w.from) };
        atom(format!(
            "{text}.new_zeros({room}).index_add(0, {}, {text}.reshape(-1)){cut}.reshape({size})",
            self.places(w, n)
        ))
    }
}
