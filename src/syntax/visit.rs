//! The parts of a node, one level down, in the order of the text.

use super::ast::*;

/// Calls `each` with every expression that stands directly in `e`; functions' bodies are statements.
pub fn parts<'a>(e: &'a Expr, each: &mut dyn FnMut(&'a Expr)) {
    match &e.kind {
        ExprKind::FString(parts) => fields(parts, each),
        ExprKind::List(items)
        | ExprKind::Tuple(items)
        | ExprKind::Set(items)
        | ExprKind::And(items)
        | ExprKind::Or(items) => items.iter().for_each(each),
        ExprKind::Dict(pairs) => {
            for (key, value) in pairs {
                key.iter().for_each(&mut *each);
                each(value);
            }
        }
        ExprKind::ListComp { element, clauses }
        | ExprKind::SetComp { element, clauses }
        | ExprKind::Generator { element, clauses } => {
            each(element);
            of_clauses(clauses, each);
        }
        ExprKind::DictComp { key, value, clauses } => {
            each(key);
            each(value);
            of_clauses(clauses, each);
        }
        ExprKind::Yield { value, .. } => value.iter().for_each(|x| each(x)),
        ExprKind::Starred(inner)
        | ExprKind::Unary { operand: inner, .. }
        | ExprKind::Not { operand: inner, .. }
        | ExprKind::Walrus { value: inner, .. } => each(inner),
        ExprKind::Chain { first, rest } => {
            each(first);
            rest.iter().for_each(|link| each(&link.operand));
        }
        ExprKind::Power { base, exponents } => {
            each(base);
            exponents.iter().for_each(|x| each(&x.operand));
        }
        ExprKind::Compare { first, rest } => {
            each(first);
            rest.iter().for_each(|(_, _, operand)| each(operand));
        }
        ExprKind::IfElse { arms, otherwise } => {
            for (value, test) in arms {
                each(value);
                each(test);
            }
            each(otherwise);
        }
        ExprKind::Lambda(function) => {
            defaults(function, each);
            for s in &function.body {
                heads(s, each);
            }
        }
        ExprKind::Trailers { base, trailers } => {
            each(base);
            for trailer in trailers {
                match &trailer.kind {
                    TrailerKind::Attr(_) => {}
                    TrailerKind::Call(args) => args.iter().for_each(|a| each(&a.value)),
                    TrailerKind::Index(index) => each(index),
                }
            }
        }
        ExprKind::Slice { start, stop, step } => {
            for part in [start, stop, step].into_iter().flatten() {
                each(part);
            }
        }
        ExprKind::None
        | ExprKind::True
        | ExprKind::False
        | ExprKind::Ellipsis
        | ExprKind::Int(_)
        | ExprKind::Long(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::Name(_) => {}
    }
}

fn of_clauses<'a>(clauses: &'a [Clause], each: &mut dyn FnMut(&'a Expr)) {
    for clause in clauses {
        each(&clause.target);
        each(&clause.iter);
        clause.tests.iter().for_each(&mut *each);
    }
}

fn fields<'a>(parts: &'a [FPart], each: &mut dyn FnMut(&'a Expr)) {
    for part in parts {
        if let FPart::Field(field) = part {
            each(&field.value);
            fields(&field.spec, each);
        }
    }
}

fn defaults<'a>(function: &'a Function, each: &mut dyn FnMut(&'a Expr)) {
    let defaults = function.params.list.iter().filter_map(|p| p.default.as_ref());
    defaults.for_each(each);
}

/// Calls `each` with the expressions of a statement itself, not with those of its blocks.
pub fn heads<'a>(s: &'a Stmt, each: &mut dyn FnMut(&'a Expr)) {
    match &s.kind {
        StmtKind::Expr(e) => each(e),
        StmtKind::Assign { targets, value } => {
            targets.iter().for_each(&mut *each);
            each(value);
        }
        StmtKind::Augment { target, value, .. } => {
            each(target);
            each(value);
        }
        StmtKind::Annotate { target, value, .. } => {
            each(target);
            value.iter().for_each(each);
        }
        StmtKind::ShortDef(function) => defaults(function, each),
        StmtKind::Def { function, decorators } => {
            decorators.iter().for_each(&mut *each);
            defaults(function, each);
        }
        StmtKind::Class { bases, decorators, .. } => {
            decorators.iter().for_each(&mut *each);
            bases.iter().for_each(|b| each(&b.value));
        }
        StmtKind::For { target, iter, .. } => {
            each(target);
            each(iter);
        }
        StmtKind::While { test, .. } => each(test),
        StmtKind::If { arms, .. } => arms.iter().for_each(|(test, _)| each(test)),
        StmtKind::With { items, .. } => {
            for (context, name) in items {
                each(context);
                name.iter().for_each(&mut *each);
            }
        }
        StmtKind::Try { handlers, .. } => {
            handlers.iter().filter_map(|h| h.class.as_ref()).for_each(each);
        }
        StmtKind::Raise { exception, cause } => exception.iter().chain(cause).for_each(each),
        StmtKind::Assert { test, message } => {
            each(test);
            message.iter().for_each(each);
        }
        StmtKind::Del(targets) => targets.iter().for_each(each),
        StmtKind::Return(value) => value.iter().for_each(each),
        StmtKind::Global(_)
        | StmtKind::Nonlocal(_)
        | StmtKind::Import(_)
        | StmtKind::FromImport { .. }
        | StmtKind::Pass
        | StmtKind::Break
        | StmtKind::Continue => {}
    }
}

/// The blocks inside a statement.
pub fn blocks(s: &Stmt) -> Vec<&Block> {
    match &s.kind {
        StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
            vec![body, orelse]
        }
        StmtKind::If { arms, orelse } => arms.iter().map(|(_, b)| b).chain([orelse]).collect(),
        StmtKind::With { body, .. } => vec![body],
        StmtKind::Try { body, handlers, orelse, finally } => {
            let handlers = handlers.iter().map(|h| &h.body);
            [body].into_iter().chain(handlers).chain([orelse, finally]).collect()
        }
        StmtKind::Def { function, .. } | StmtKind::ShortDef(function) => vec![&function.body],
        StmtKind::Class { body, .. } => vec![body.as_ref()],
        _ => Vec::new(),
    }
}
