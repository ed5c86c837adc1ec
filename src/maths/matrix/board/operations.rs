//! Operations that are carried out, as they are called: with the dimension they go along, the order of a
//! norm, which variance it is.

use super::{Board, Hold, Text, atom, is_word};
use crate::Operation;
use crate::matrix::fold::stripped;
use crate::matrix::{Matrix, Node};
use crate::symbol::formula::Style;
use crate::symbol::latex;

/// A call as PyTorch writes it: the function, what is said beside the inputs, what stands behind.
struct Call {
    name: String,
    options: Vec<String>,
    behind: String,
}

/// Parts between commas that are in no brackets.
fn parts(text: &str) -> Vec<&str> {
    let (mut all, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                all.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(text[start..].trim());
    all
}

/// How an operation of `n` inputs is called; None where its code is no call of one function.
fn call(op: &dyn Operation, n: usize) -> Option<Call> {
    let marks: Vec<String> = (0..n).map(|k| format!("input{k}")).collect();
    let code = op.call(&marks)?;
    let (name, rest) = code.strip_prefix("torch.")?.split_once('(')?;
    let name = name.rsplit('.').next().filter(|name| is_word(name))?;
    let (inside, behind) = rest.rsplit_once(')')?;
    let all = parts(inside);
    let (inputs, options) = all.split_at_checked(n)?;
    (inputs == marks).then(|| Call {
        name: name.to_owned(),
        options: options.iter().map(|text| (*text).to_owned()).collect(),
        behind: behind.trim_start_matches(".values").to_owned(),
    })
}

/// What a call says by a name: `0` of `torch.var(x, dim=0)`.
fn option(call: &Call, name: &str) -> Option<String> {
    let said = call.options.iter().filter_map(|text| text.split_once('='));
    said.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
}

/// Whether it is a softmax of each row.
pub fn of_rows(op: &dyn Operation, x: &Matrix) -> bool {
    let last = x.dims().len().saturating_sub(1).to_string();
    let own = op.name().ends_with("softmax") || op.name() == "logsumexp";
    own && x.dims().len() > 1
        && call(op, 1).is_some_and(|call| option(&call, "dim").is_some_and(|d| d == last))
}

/// Whether an option is what is meant where none is said.
fn usual(call: &str, text: &str) -> bool {
    let Some((name, value)) = text.split_once('=') else { return false };
    let all = |one: char| value.chars().all(|c| c == one || "(), ".contains(c));
    match name {
        "keepdim" => true,
        "correction" | "groups" => value == "1",
        "ord" => value == "2",
        "dilation" => all('1'),
        "stride" => call.contains("conv") && all('1'),
        "padding" | "output_padding" => all('0'),
        _ => false,
    }
}

/// The logsumexp of `x − logsumexp(x)`.
pub(super) fn softmax_by(terms: &[(f64, Matrix)]) -> Option<&dyn Operation> {
    let mut last = match terms {
        [(1.0, _), (-1.0, last)] => last,
        _ => return None,
    };
    while let Node::Reshape(x) | Node::Expand(x) = last.node() {
        last = x;
    }
    match last.node() {
        Node::Run(op, args) if op.name() == "logsumexp" && args[0] == terms[0].1 => Some(&**op),
        _ => None,
    }
}

impl Board<'_> {
    /// The dimension along which an operation of one input goes.
    pub(super) fn axis(&self, op: &dyn Operation) -> Option<String> {
        option(&call(op, 1)?, "dim")
    }

    /// What has to be said of an operation beside its inputs, and what behind.
    fn options(
        &self,
        op: &dyn Operation,
        args: &[Matrix],
    ) -> Option<(String, Vec<String>, String)> {
        let Call { name, mut options, behind } = call(op, args.len())?;
        let line = args.first().is_some_and(|x| x.dims().len() < 2 || of_rows(op, x));
        options.retain(|text| !(usual(&name, text) || line && text.starts_with("dim=")));
        for text in &mut options {
            // `padding=1` for `padding=(1, 1,)`.
            let Some((name, all)) = text.split_once("=(") else { continue };
            let all = parts(all.trim_end_matches([')', ',']));
            if !name.starts_with("dim") && all.iter().all(|one| one == &all[0]) {
                *text = format!("{name}={}", all[0]);
            }
        }
        Some((name, options, behind))
    }

    /// The call of an operation, under its own name or another.
    pub(super) fn named_call(&self, name: &str, op: &dyn Operation, args: &[Matrix]) -> Text {
        let Some((own, options, behind)) = self.options(op, args) else {
            return match op.has_own_backward() {
                true => {
                    let all: Vec<String> = args.iter().map(|a| self.exact(a).0).collect();
                    self.function(op.name(), &all)
                }
                false => self.untold(op.name()),
            };
        };
        let name = match (name, own.as_str()) {
            ("", "vector_norm") if !options.iter().any(|text| text.starts_with("ord=")) => "norm",
            ("", own) => own,
            (name, _) => name,
        };
        let along = options.iter().any(|text| text.contains('='));
        let vector =
            |a: &Matrix| stripped(a.dims()) == [a.numel(), 1] && self.seen(a) == [a.numel()];
        let texts = args.iter().map(|a| match !along && vector(a) {
            true => self.of(a).0,
            false => self.exact(a).0,
        });
        let options = options.into_iter().map(|text| match self.style {
            Style::Latex => format!(r"\text{{{}}}", latex::escaped(&text)),
            _ => text,
        });
        let all: Vec<String> = texts.chain(options).collect();
        let text = self.function(name, &all);
        Text(text.0 + &behind, text.1)
    }

    /// ‖x‖ of all elements: ‖x‖₃, ‖A‖_F.
    fn norm(&self, op: &dyn Operation, x: &Matrix) -> Option<Text> {
        let (_, options, _) = self.options(op, std::slice::from_ref(x))?;
        let order = match (options.as_slice(), x.dims().len()) {
            ([], 0 | 1) => String::new(),
            ([], 2) => "F".to_owned(),
            ([one], 0 | 1) => one.strip_prefix("ord=")?.to_owned(),
            _ => return None,
        };
        let order = match order.as_str() {
            "float(\"inf\")" => self.pick("∞", "inf", r"\infty").to_owned(),
            "float(\"-inf\")" => self.pick("−∞", "-inf", r"-\infty").to_owned(),
            _ => order,
        };
        let x = self.of(x).0;
        let digits = !order.is_empty() && order.chars().all(|c| c.is_ascii_digit());
        match self.style {
            Style::Pretty if digits => Some(atom(format!("‖{x}‖{}", super::subscript(&order)))),
            Style::Pretty if order.is_empty() => Some(atom(format!("‖{x}‖"))),
            Style::Pretty => Some(atom(format!("‖{x}‖_{order}"))),
            Style::Latex if order.is_empty() => Some(atom(format!(r"\lVert {x} \rVert"))),
            Style::Latex => Some(atom(format!(r"\lVert {x} \rVert_{{{order}}}"))),
            _ => None,
        }
    }

    /// Whether what an operation is called with is said by its sign alone.
    fn is_plain(&self, op: &dyn Operation, args: &[Matrix]) -> bool {
        self.options(op, args).is_some_and(|(_, options, _)| options.is_empty())
    }

    pub(super) fn run(&self, op: &dyn Operation, args: &[Matrix], to: &[usize]) -> Text {
        if let Some(p) = op.elementwise() {
            let params = p.params().into_iter().map(|c| Matrix::number(c, &[]));
            let all: Vec<Matrix> = args.iter().cloned().chain(params).collect();
            return self.call(p.row().fun, &all, to);
        }
        if let (Some(part), [a, b]) = (op.written(), args) {
            return self.function("put", &[self.exact(a).0, self.of(b).0, self.places(part)]);
        }
        let named = || self.named_call("", op, args);
        match (op.name(), args) {
            ("inverse", [x]) => self.power_of(x, "-1"),
            ("norm", [x]) => self.norm(op, x).unwrap_or_else(named),
            ("conv", [x, w, bias @ ..]) if self.is_plain(op, args) => {
                let star = self.pick(" ★ ", " (*) ", r" \star ");
                let (w, x) = (self.exact(w), self.exact(x));
                let y = format!("{}{star}{}", w.at_least(Hold::Chain), x.at_least(Hold::Chain));
                match bias {
                    [b] => Text(format!("{y} + {}", self.of(b).at_least(Hold::Times)), Hold::Sum),
                    _ => Text(y, Hold::Times),
                }
            }
            _ => named(),
        }
    }

    pub(super) fn pulled(&self, op: &dyn Operation, wrt: usize, args: &[Matrix]) -> Text {
        let (inputs, v) = (&args[..args.len() - 2], self.exact(&args[args.len() - 2]));
        let star = self.pick(" ★ ", " (*) ", r" \star ");
        match (op.spelled(), wrt) {
            ("conv", 0) if self.is_plain(op, inputs) => {
                let w = self.exact(&inputs[1]).at_least(Hold::Chain);
                let star = self.pick(" ★ᵀ ", " (*).T ", r" \star^{\top} ");
                Text(format!("{w}{star}{}", v.at_least(Hold::Chain)), Hold::Times)
            }
            ("conv", 1) if self.is_plain(op, inputs) => {
                let x = self.exact(&inputs[0]).at_least(Hold::Chain);
                Text(format!("{}{star}{x}", v.at_least(Hold::Chain)), Hold::Times)
            }
            (name, _) if name.contains("max_pool") => self.function("unpool", &[v.0]),
            _ => {
                let call = self.run(op, inputs, &[]).0;
                let of = match inputs {
                    [_] => String::new(),
                    _ => format!(" in {}", self.exact(&inputs[wrt]).0),
                };
                match self.style {
                    Style::Latex => {
                        atom(format!(r"(\text{{vjp of }} {call}{})({})", latex_in(&of), v.0))
                    }
                    _ => self.function(&format!("(vjp of {call}{of})"), &[v.0]),
                }
            }
        }
    }
}

fn latex_in(of: &str) -> String {
    of.strip_prefix(" in ").map_or(String::new(), |of| format!(r" \text{{ in }} {of}"))
}
