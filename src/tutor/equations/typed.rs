//! What the program typed for an input: `x > 0`, `1 - y`, `W.detach()`.

use crate::graph::Graph;
use std::collections::{HashMap, HashSet};
use vjp_eval::Machine;
use vjp_eval::record::statements::statements;
use vjp_maths::matrix::Matrix;
use vjp_maths::table::{EQUAL, STEP};
use vjp_maths::{Algebra, Node};
use vjp_syntax::ast::{
    ArgKind, BinaryOp, CompareOp, Expr, ExprKind, StmtKind, Trailer, TrailerKind, UnaryOp,
};
use vjp_syntax::parse;
use vjp_text::{Source, Span};

/// So many texts are read at most.
const MOST: usize = 200;

/// Methods that keep the numbers.
const SAME: [&str; 8] = ["float", "double", "half", "long", "int", "bool", "to", "type_as"];

/// An operand and how it is written.
#[derive(Clone)]
pub(super) struct Typed {
    /// Empty where the text is that of several operations.
    pub text: String,
    expr: Expr,
}

impl Typed {
    /// The name that it is.
    pub fn name(&self) -> Option<&str> {
        match &self.expr.kind {
            ExprKind::Name(name) => Some(name.as_str()),
            _ => None,
        }
    }

    /// What is indexed: `xs` of `xs[t]`.
    pub fn indexed(&self) -> Option<&str> {
        let ExprKind::Trailers { base, trailers } = &self.expr.kind else { return None };
        match (&base.kind, trailers.as_slice()) {
            (ExprKind::Name(name), [Trailer { kind: TrailerKind::Index(at), .. }])
                if !matches!(at.kind, ExprKind::Int(_)) =>
            {
                Some(name.as_str())
            }
            _ => None,
        }
    }
}

/// What takes a number out of the graph.
const TAKES: [&str; 4] = [".item()", "float(", ".tolist()", ".detach()"];

/// What each name was bound to last, as it is written.
pub(super) fn bindings(m: &Machine) -> HashMap<String, String> {
    let mut all = HashMap::new();
    for s in statements(m) {
        let StmtKind::Assign { targets, value } = &s.tree.kind else { continue };
        for target in targets {
            if let ExprKind::Name(name) = target.kind {
                let text = s.source.slice(value.span).trim();
                all.entry(name.as_str().to_owned()).or_insert_with(|| text.to_owned());
            }
        }
    }
    all
}

/// The operands of steps that have constants, by step and input; of numbers those that were taken out of
/// the graph.
pub(super) fn operands(
    m: &Machine,
    graph: &Graph,
    bindings: &HashMap<String, String>,
) -> HashMap<(usize, usize), Typed> {
    let takes = |typed: &Typed| {
        let text = match typed.name() {
            Some(name) => bindings.get(name),
            None => Some(&typed.text),
        };
        text.is_some_and(|text| TAKES.iter().any(|word| text.contains(word)))
    };
    let mut read: HashMap<(u32, Span), Vec<Typed>> = HashMap::new();
    let mut all = HashMap::new();
    let mut operations: HashMap<(u32, Span), HashSet<&str>> = HashMap::new();
    for node in &graph.steps {
        let place = node.place();
        operations.entry((place.source, place.span)).or_default().insert(node.operation().name());
    }
    for (k, node) in graph.steps.iter().enumerate() {
        let constant = |i: &usize| graph.source(&node.inputs()[*i]).is_none();
        let wanted: Vec<usize> = (0..node.inputs().len()).filter(constant).collect();
        let place = node.place();
        let key = (place.source, place.span);
        if wanted.is_empty() || read.len() >= MOST && !read.contains_key(&key) {
            continue;
        }
        let found = read.entry(key).or_insert_with(|| parts(m, node).unwrap_or_default());
        if found.len() >= node.inputs().len() {
            let alone = operations[&key].len() == 1;
            let told = |i: usize| match alone {
                true => found[i].clone(),
                false => Typed { text: String::new(), ..found[i].clone() },
            };
            let all_told = wanted.into_iter().map(|i| (i, told(i)));
            let kept = all_told.filter(|(i, typed)| !node.inputs()[*i].is_number() || takes(typed));
            all.extend(kept.map(|(i, typed)| ((k, i), typed)));
        }
    }
    all
}

/// The operands in the text that ran a step.
fn parts(m: &Machine, node: &Node) -> Option<Vec<Typed>> {
    let place = node.place();
    let source = Source::new(m.source_of(place.source)?.slice_balanced(place.span));
    let program = parse(&source, m.mode()).ok()?;
    let [statement] = program.body.as_slice() else { return None };
    let StmtKind::Expr(expr) = &statement.kind else { return None };
    let typed = |e: &Expr| Typed { text: source.slice(e.span).trim().to_owned(), expr: e.clone() };
    Some(match &expr.kind {
        ExprKind::Chain { first, rest } => {
            let (last, before) = rest.split_last()?;
            let left = match before.last() {
                None => (**first).clone(),
                Some(link) => Expr {
                    span: Span { start: expr.span.start, end: link.operand.span.end },
                    kind: ExprKind::Chain { first: first.clone(), rest: before.to_vec() },
                },
            };
            vec![typed(&left), typed(&last.operand)]
        }
        ExprKind::Trailers { base, trailers } => {
            let (call, callee) = trailers.split_last()?;
            let TrailerKind::Call(args) = &call.kind else { return None };
            let given = args.iter().take_while(|a| a.kind == ArgKind::Positional);
            let receiver = match callee.split_last() {
                Some((_, before)) if !leads_to_function(m, base) => Some(up_to(base, before)),
                _ => None,
            };
            let called = match (callee.last().map(|t| &t.kind), &base.kind) {
                (Some(TrailerKind::Attr(name)), _) => name.as_str(),
                (None, ExprKind::Name(name)) => name.as_str(),
                _ => return None,
            };
            let all = receiver.iter().chain(given.map(|a| &a.value)).map(typed);
            // Of a call that uses the operation the operands are others.
            let op = node.operation();
            match [op.name(), op.spelled()].contains(&called.trim_end_matches('_')) {
                true => all.collect(),
                false => all.map(|typed| Typed { text: String::new(), ..typed }).collect(),
            }
        }
        _ => return None,
    })
}

/// Whether a path begins with a module, as in `torch.where`.
fn leads_to_function(m: &Machine, base: &Expr) -> bool {
    let ExprKind::Name(name) = &base.kind else { return false };
    m.global(*name).is_none_or(|v| vjp_eval::leaf::existing(&v).is_none())
}

fn up_to(base: &Expr, trailers: &[Trailer]) -> Expr {
    match trailers.last() {
        None => base.clone(),
        Some(last) => Expr {
            span: Span { start: base.span.start, end: last.span.end },
            kind: ExprKind::Trailers { base: Box::new(base.clone()), trailers: trailers.to_vec() },
        },
    }
}

/// The formula of an operand; None where it is no arithmetic of what `named` knows.
pub(super) fn formula(
    typed: &Typed,
    named: &mut dyn FnMut(&str) -> Option<Matrix>,
) -> Option<Matrix> {
    made(&typed.expr, named)
}

fn made(e: &Expr, named: &mut dyn FnMut(&str) -> Option<Matrix>) -> Option<Matrix> {
    let number = |c: f64| Matrix::number(c, &[]);
    let add = |a: Matrix, c: f64, b: Matrix| sum(&a, c, &b);
    Some(match &e.kind {
        ExprKind::Name(name) => named(name.as_str())?,
        ExprKind::Int(n) => number(*n as f64),
        ExprKind::Float(c) => number(*c),
        ExprKind::Unary { signs, operand } => {
            let mut m = made(operand, named)?;
            for (sign, _) in signs.iter().rev() {
                m = match sign {
                    UnaryOp::Minus => m.multiple(-1.0),
                    UnaryOp::Invert => add(number(1.0), -1.0, m),
                    UnaryOp::Plus => m,
                };
            }
            m
        }
        ExprKind::Chain { first, rest } => {
            let mut m = made(first, named)?;
            for link in rest {
                let b = made(&link.operand, named)?;
                m = match link.op {
                    BinaryOp::Add => add(m, 1.0, b),
                    BinaryOp::Sub => add(m, -1.0, b),
                    BinaryOp::Mul | BinaryOp::BitAnd => product(&m, &b, 1.0),
                    BinaryOp::Div => product(&m, &b, -1.0),
                    _ => return None,
                };
            }
            m
        }
        ExprKind::Power { base, exponents } => match exponents.as_slice() {
            [one] if one.signs.is_empty() => {
                let e = made(&one.operand, named)?.as_number()?;
                made(base, named)?.power(e)
            }
            _ => return None,
        },
        ExprKind::Compare { first, rest } => {
            let [(op, _, second)] = rest.as_slice() else { return None };
            let (a, b) = (made(first, named)?, made(second, named)?);
            let not = |m: Matrix| sum(&number(1.0), -1.0, &m);
            let above = |a: &Matrix, b: &Matrix| Matrix::call(&STEP, &[&sum(a, -1.0, b)]);
            match op {
                CompareOp::Gt => above(&a, &b),
                CompareOp::Lt => above(&b, &a),
                CompareOp::Ge => not(above(&b, &a)),
                CompareOp::Le => not(above(&a, &b)),
                CompareOp::Eq => Matrix::call(&EQUAL, &[&a, &b]),
                CompareOp::Ne => not(Matrix::call(&EQUAL, &[&a, &b])),
                _ => return None,
            }
        }
        ExprKind::Trailers { base, trailers } => match trailers.as_slice() {
            [before @ .., attr, call] => match (&attr.kind, &call.kind) {
                (TrailerKind::Attr(name), TrailerKind::Call(_))
                    if SAME.contains(&name.as_str()) =>
                {
                    made(&up_to(base, before), named)?
                }
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    })
}

fn sum(a: &Matrix, c: f64, b: &Matrix) -> Matrix {
    vjp_maths::Array::add(a, &b.multiple(c))
}

fn product(a: &Matrix, b: &Matrix, e: f64) -> Matrix {
    vjp_maths::Array::mul(a, &b.power(e))
}
