//! Functions of torch that are written as methods for JAX: `torch.relu_(y)` is `y.relu_()`.

use super::changed;
use vjp_export_torch::writer::Program;
use vjp_syntax::ast::*;
use vjp_syntax::{Mode, visit};
use vjp_text::{Source, Span};

/// Besides the functions that work in place, whose names end with `_`.
const METHODS: [&str; 5] = ["detach", "detach_", "is_complex", "is_floating_point", "numel"];

/// The program with methods, if there is need.
pub(crate) fn as_methods(program: &Program) -> Option<Program> {
    let tree =
        vjp_syntax::parse(&Source::new(program.text.as_str()), Mode { strict: true }).ok()?;
    let mut changes: Vec<(Span, String)> = Vec::new();
    tree.body.iter().for_each(|s| statement(s, &mut changes));
    changed(program, &changes)
}

fn statement(s: &Stmt, changes: &mut Vec<(Span, String)>) {
    visit::heads(s, &mut |e| expression(e, changes));
    visit::blocks(s).into_iter().flatten().for_each(|s| statement(s, changes));
}

fn expression(e: &Expr, changes: &mut Vec<(Span, String)>) {
    if let ExprKind::Trailers { base, trailers } = &e.kind
        && matches!(&base.kind, ExprKind::Name(n) if n.as_str() == "torch")
        && let [Trailer { kind: TrailerKind::Attr(name), .. }, call, ..] = trailers.as_slice()
        && let TrailerKind::Call(args) = &call.kind
        && let [Arg { kind: ArgKind::Positional, value, span }, rest @ ..] = args.as_slice()
        && let name = name.as_str()
        && (METHODS.contains(&name) || name.ends_with('_'))
    {
        let whole = matches!(value.kind, ExprKind::Name(_) | ExprKind::Trailers { .. });
        let (open, close) = if whole { ("", "") } else { ("(", ")") };
        let next = rest.first().map_or(call.span.end - 1, |arg| arg.span.start);
        changes.push((Span { start: e.span.start, end: span.start }, open.to_owned()));
        changes.push((Span { start: span.end, end: next }, format!("{close}.{name}(")));
    }
    visit::parts(e, &mut |part| expression(part, changes));
}
