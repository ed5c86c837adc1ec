//! The tree as text again: `parse(print(tree))` is the same tree but for its spans, in both
//! modes. Parentheses stand where the grammar needs them and nowhere else.

pub(crate) mod statement;
pub(crate) mod string;

use super::ast::*;
use crate::print::string::{fstring, string};
use vjp_text::number::{self, decimal};

/// How tightly an expression binds, in the order of the ladder.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Yield,
    Named,
    Expression,
    Disjunction,
    Conjunction,
    Inversion,
    Comparison,
    BitwiseOr,
    BitwiseXor,
    BitwiseAnd,
    Shift,
    Sum,
    Term,
    Factor,
    Power,
    Primary,
    Atom,
}

/// A whole program, one statement a line.
pub fn print(program: &Program) -> String {
    let mut printer = Printer::default();
    printer.block(&program.body);
    printer.out
}

/// What has been written so far.
#[derive(Default)]
pub(super) struct Printer {
    pub(super) out: String,
    pub(super) indent: usize,
    /// Inside a field of an f-string, where a string holds no backslash.
    pub(super) no_escapes: bool,
}

impl Printer {
    pub(super) fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Items with commas between them.
    pub(super) fn list<T>(&mut self, items: &[T], mut one: impl FnMut(&mut Self, &T)) {
        for (n, item) in items.iter().enumerate() {
            if n > 0 {
                self.push(", ");
            }
            one(self, item);
        }
    }

    pub(super) fn exprs(&mut self, items: &[Expr]) {
        self.list(items, |p, e| p.expr(e, Level::Expression));
    }

    /// An expression where one of at least `least` must stand.
    pub(super) fn expr(&mut self, e: &Expr, least: Level) {
        let brackets = level(&e.kind) < least;
        if brackets {
            self.push("(");
        }
        self.kind(&e.kind);
        if brackets {
            self.push(")");
        }
    }

    fn kind(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::None => self.push("None"),
            ExprKind::True => self.push("True"),
            ExprKind::False => self.push("False"),
            ExprKind::Ellipsis => self.push("..."),
            ExprKind::Int(n) => self.push(&n.to_string()),
            ExprKind::Long(n) => {
                // In hexadecimal what no decimal literal may hold.
                let text = decimal(n.magnitude()).unwrap_or_else(|_| format!("{:#x}", **n));
                self.push(&text);
            }
            ExprKind::Float(x) if x.is_infinite() => self.push("1e999"),
            ExprKind::Float(x) => self.push(&number::repr(*x)),
            ExprKind::Str(text) => {
                let text = string(text, self.no_escapes);
                self.push(&text);
            }
            ExprKind::FString(parts) => fstring(self, parts),
            ExprKind::Name(symbol) => self.push(symbol.as_str()),
            ExprKind::Starred(value) => {
                self.push("*");
                self.expr(value, Level::BitwiseOr);
            }
            ExprKind::Yield { value, from } => {
                self.push(if *from { "yield from" } else { "yield" });
                if let Some(value) = value {
                    self.push(" ");
                    self.expr(value, Level::Expression);
                }
            }
            ExprKind::Walrus { name, value } => {
                self.push(&format!("{} := ", name.symbol));
                self.expr(value, Level::Expression);
            }
            ExprKind::List(_) | ExprKind::Tuple(_) | ExprKind::Set(_) | ExprKind::Dict(_) => {
                self.display(kind);
            }
            ExprKind::ListComp { element, clauses } => {
                self.comprehension("[", element, clauses, "]")
            }
            ExprKind::SetComp { element, clauses } => {
                self.comprehension("{", element, clauses, "}")
            }
            ExprKind::Generator { element, clauses } => {
                self.comprehension("(", element, clauses, ")")
            }
            ExprKind::DictComp { key, value, clauses } => {
                self.push("{");
                self.expr(key, Level::Expression);
                self.push(": ");
                self.comprehension("", value, clauses, "}");
            }
            ExprKind::Lambda(function) => {
                let gap = if function.params.list.is_empty() { "lambda" } else { "lambda " };
                self.push(gap);
                self.params(&function.params);
                self.push(": ");
                self.result(&function.body);
            }
            ExprKind::Trailers { base, trailers } => {
                let number =
                    matches!(base.kind, ExprKind::Int(_) | ExprKind::Long(_) | ExprKind::Float(_));
                // `1.real` would read as a float.
                self.push(if number { "(" } else { "" });
                self.expr(base, Level::Atom);
                self.push(if number { ")" } else { "" });
                trailers.iter().for_each(|t| self.trailer(&t.kind));
            }
            ExprKind::Slice { start, stop, step } => self.slice(start, stop, step),
            _ => self.operators(kind),
        }
    }

    fn operators(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Unary { signs, operand } => {
                signs.iter().for_each(|(sign, _)| self.push(sign_text(*sign)));
                self.expr(operand, Level::Power);
            }
            ExprKind::Not { count, operand } => {
                (0..*count).for_each(|_| self.push("not "));
                self.expr(operand, Level::Comparison);
            }
            ExprKind::Chain { first, rest } => {
                let above = rest.first().map_or(Level::Sum, |link| chain_level(link.op).1);
                self.expr(first, above);
                for link in rest {
                    self.push(&format!(" {} ", link.op.text()));
                    self.expr(&link.operand, above);
                }
            }
            ExprKind::Power { base, exponents } => {
                self.expr(base, Level::Primary);
                for exponent in exponents {
                    self.push("**");
                    exponent.signs.iter().for_each(|(sign, _)| self.push(sign_text(*sign)));
                    self.expr(&exponent.operand, Level::Primary);
                }
            }
            ExprKind::Compare { first, rest } => {
                self.expr(first, Level::BitwiseOr);
                for (op, _, operand) in rest {
                    self.push(&format!(" {} ", op.text()));
                    self.expr(operand, Level::BitwiseOr);
                }
            }
            ExprKind::And(operands) => self.joined(operands, " and ", Level::Inversion),
            ExprKind::Or(operands) => self.joined(operands, " or ", Level::Conjunction),
            ExprKind::IfElse { arms, otherwise } => {
                for (value, test) in arms {
                    self.expr(value, Level::Disjunction);
                    self.push(" if ");
                    self.expr(test, Level::Disjunction);
                    self.push(" else ");
                }
                let lambda = matches!(otherwise.kind, ExprKind::Lambda(_));
                self.expr(otherwise, if lambda { Level::Expression } else { Level::Disjunction });
            }
            _ => {}
        }
    }

    fn joined(&mut self, operands: &[Expr], word: &str, least: Level) {
        for (n, operand) in operands.iter().enumerate() {
            if n > 0 {
                self.push(word);
            }
            self.expr(operand, least);
        }
    }

    /// The value of a lambda or short function: its body is one `return`.
    pub(super) fn result(&mut self, body: &Block) {
        if let [Stmt { kind: StmtKind::Return(Some(value)), .. }] = body.as_slice() {
            self.expr(value, Level::Expression);
        }
    }

    /// Lists, tuples, sets, dicts.
    fn display(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::List(items) => self.between("[", "]", |p| p.exprs(items)),
            ExprKind::Set(items) => self.between("{", "}", |p| p.exprs(items)),
            ExprKind::Tuple(items) => self.between("(", ")", |p| p.bare_tuple(items)),
            ExprKind::Dict(pairs) => self.between("{", "}", |p| {
                p.list(pairs, |p, (key, value)| match key {
                    Some(key) => {
                        p.expr(key, Level::Expression);
                        p.push(": ");
                        p.expr(value, Level::Expression);
                    }
                    None => {
                        p.push("**");
                        p.expr(value, Level::BitwiseOr);
                    }
                });
            }),
            _ => {}
        }
    }

    fn between(&mut self, open: &str, close: &str, inside: impl FnOnce(&mut Self)) {
        self.push(open);
        inside(self);
        self.push(close);
    }

    /// `a, b` or `a,`.
    fn bare_tuple(&mut self, items: &[Expr]) {
        self.exprs(items);
        if items.len() == 1 {
            self.push(",");
        }
    }

    fn comprehension(&mut self, open: &str, element: &Expr, clauses: &[Clause], close: &str) {
        self.push(open);
        self.expr(element, Level::Expression);
        for clause in clauses {
            self.push(" for ");
            self.expr(&clause.target, Level::BitwiseOr);
            self.push(" in ");
            self.expr(&clause.iter, Level::Disjunction);
            for test in &clause.tests {
                self.push(" if ");
                self.expr(test, Level::Disjunction);
            }
        }
        self.push(close);
    }

    fn trailer(&mut self, trailer: &TrailerKind) {
        match trailer {
            TrailerKind::Attr(name) => self.push(&format!(".{}", name.symbol)),
            TrailerKind::Call(args) => self.between("(", ")", |p| p.args(args)),
            TrailerKind::Index(index) => self.between("[", "]", |p| match &index.kind {
                ExprKind::Tuple(items) if !items.is_empty() => p.bare_tuple(items),
                _ => p.expr(index, Level::Expression),
            }),
        }
    }

    pub(super) fn args(&mut self, args: &[Arg]) {
        self.list(args, |p, arg| {
            match arg.kind {
                ArgKind::Positional => {}
                ArgKind::Named(name) => p.push(&format!("{}=", name.symbol)),
                ArgKind::Spread => p.push("*"),
                ArgKind::SpreadNamed => p.push("**"),
            }
            p.expr(&arg.value, Level::Expression);
        });
    }

    fn slice(&mut self, start: &Part, stop: &Part, step: &Part) {
        for (n, part) in [start, stop, step].into_iter().enumerate() {
            if n == 1 || (n == 2 && part.is_some()) {
                self.push(":");
            }
            if let Some(part) = part {
                self.expr(part, Level::Expression);
            }
        }
    }
}

type Part = Option<Box<Expr>>;

fn sign_text(sign: UnaryOp) -> &'static str {
    match sign {
        UnaryOp::Minus => "-",
        UnaryOp::Plus => "+",
        UnaryOp::Invert => "~",
    }
}

/// The level of a chain of this operator, and the one of its operands.
fn chain_level(op: BinaryOp) -> (Level, Level) {
    match op {
        BinaryOp::BitOr => (Level::BitwiseOr, Level::BitwiseXor),
        BinaryOp::BitXor => (Level::BitwiseXor, Level::BitwiseAnd),
        BinaryOp::BitAnd => (Level::BitwiseAnd, Level::Shift),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => (Level::Shift, Level::Sum),
        BinaryOp::Add | BinaryOp::Sub => (Level::Sum, Level::Term),
        _ => (Level::Term, Level::Factor),
    }
}

fn level(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::Yield { .. } => Level::Yield,
        ExprKind::Walrus { .. } => Level::Named,
        // Stars and slices stand only where they need no parentheses, nor could have any.
        ExprKind::Starred(_) | ExprKind::Slice { .. } => Level::Atom,
        ExprKind::Lambda(_) | ExprKind::IfElse { .. } => Level::Expression,
        ExprKind::Or(_) => Level::Disjunction,
        ExprKind::And(_) => Level::Conjunction,
        ExprKind::Not { .. } => Level::Inversion,
        ExprKind::Compare { .. } => Level::Comparison,
        ExprKind::Chain { rest, .. } => {
            rest.first().map_or(Level::Sum, |link| chain_level(link.op).0)
        }
        ExprKind::Unary { .. } => Level::Factor,
        ExprKind::Power { .. } => Level::Power,
        ExprKind::Trailers { .. } => Level::Primary,
        _ => Level::Atom,
    }
}
