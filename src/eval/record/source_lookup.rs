//! Looking a place up in the program again: the statement or the call that stands there.

use super::bindings::bound;
use vjp_syntax::Mode;
use vjp_syntax::ast::{Arg, ArgKind, Block, Expr, ExprKind, Stmt, StmtKind, TrailerKind};
use vjp_syntax::visit::blocks;
use vjp_text::{Source, Span, Symbol};

/// The text of the innermost statement around a place, on one line; a block's is its header's line.
pub fn statement(source: &Source, at: Span) -> Option<String> {
    let statement = tree(source, at)?;
    let text = source.slice(statement.span);
    let whole = is_simple(&statement) && !text.contains(['#', '\\']) && !text.contains("\"\"\"");
    let lines = text.lines().take(if whole { usize::MAX } else { 1 });
    let joined = lines.fold(String::new(), |all, line| {
        let apart = if all.is_empty() || all.ends_with(['(', '[', '{']) { "" } else { " " };
        all + apart + line.trim()
    });
    Some(joined.trim_end_matches(';').to_string())
}

/// Whether a statement holds no others.
pub fn is_simple(s: &Stmt) -> bool {
    blocks(s).is_empty()
}

/// The innermost statement around a place.
pub fn tree(source: &Source, at: Span) -> Option<Stmt> {
    let program =
        [false, true].iter().find_map(|&strict| vjp_syntax::parse(source, Mode { strict }).ok())?;
    innermost(&program.body, at).cloned()
}

/// The names that functions around a place have for their own.
pub fn own_names(source: &Source, at: Span) -> Vec<Symbol> {
    let parse = |&strict: &bool| vjp_syntax::parse(source, Mode { strict }).ok();
    let Some(program) = [false, true].iter().find_map(parse) else { return Vec::new() };
    let around = |s: &&Stmt| s.span.start <= at.start && at.end <= s.span.end;
    let mut names = Vec::new();
    let mut body: &[Stmt] = &program.body;
    while let Some(s) = body.iter().find(around) {
        if let StmtKind::Def { function, .. } | StmtKind::ShortDef(function) = &s.kind {
            names.extend(function.params.list.iter().map(|p| p.name.symbol));
            function.body.iter().for_each(|s| bound(s, &mut |name| names.push(name)));
        }
        match blocks(s).into_iter().find(|b| within(b, at)) {
            Some(inner) => body = inner,
            None => break,
        }
    }
    names
}

fn innermost(body: &[Stmt], at: Span) -> Option<&Stmt> {
    let mut body = body;
    let mut best = None;
    while let Some(s) = body.iter().find(|s| s.span.start <= at.start && at.end <= s.span.end) {
        best = Some(s);
        match blocks(s).into_iter().find(|b| within(b, at)) {
            Some(inner) => body = inner,
            None => break,
        }
    }
    best
}

fn within(block: &Block, at: Span) -> bool {
    block.iter().any(|s| s.span.start <= at.start && at.end <= s.span.end)
}

/// The texts of a call's positional arguments, given the text of the call.
pub fn arguments(call: &str) -> Option<Vec<String>> {
    let source = Source::new(call);
    let program = vjp_syntax::parse(&source, Mode::default()).ok()?;
    let [
        Stmt {
            kind: StmtKind::Expr(Expr { kind: ExprKind::Trailers { trailers, .. }, .. }), ..
        },
    ] = program.body.as_slice()
    else {
        return None;
    };
    let TrailerKind::Call(args) = &trailers.last()?.kind else {
        return None;
    };
    Some(args.iter().map(|a| source.slice(a.value.span).to_string()).collect())
}

/// A call as it is written: what is called, on what, with which arguments.
#[derive(Clone, Debug)]
pub struct Spoken {
    /// `torch.sort`; of a method its name alone.
    pub callee: String,
    pub receiver: Option<String>,
    /// Keyword and text.
    pub arguments: Vec<(Option<String>, String)>,
    /// What follows the call: `.contiguous()`.
    pub rest: String,
    /// An attribute is not called.
    pub called: bool,
}

/// Reads the text of a call of `name` (or of `name_`), as a function, a method or an attribute.
pub fn spoken(call: &str, name: &str) -> Option<Spoken> {
    let source = Source::new(call);
    let program = vjp_syntax::parse(&source, Mode::default()).ok()?;
    let [
        Stmt {
            kind: StmtKind::Expr(Expr { kind: ExprKind::Trailers { base, trailers }, .. }), ..
        },
    ] = program.body.as_slice()
    else {
        return None;
    };
    let slice = |from: u32, to: u32| {
        let span = Span { start: from, end: to };
        source.slice(span).to_string()
    };
    let own = trailers.iter().rposition(|t| match &t.kind {
        TrailerKind::Attr(attr) => {
            let word = source.slice(attr.span);
            word == name || word.strip_suffix('_') == Some(name)
        }
        _ => false,
    });
    let (start, next) = (base.span.start, own.map_or(0, |k| k + 1));
    let end = next.checked_sub(1).map_or(base.span.end, |k| trailers[k].span.end);
    let before =
        own.map(|k| slice(start, k.checked_sub(1).map_or(base.span.end, |k| trailers[k].span.end)));
    let module = |text: &String| {
        text.split('.').all(|part| matches!(part, "torch" | "linalg" | "special" | "F" | "np"))
    };
    let (receiver, callee) = match before {
        Some(before) if !module(&before) => {
            let attr = slice(start, end)[before.len() + 1..].to_string();
            (Some(before), attr)
        }
        _ => (None, slice(start, end)),
    };
    let args = match trailers.get(next).map(|t| &t.kind) {
        Some(TrailerKind::Call(args)) => Some(args),
        _ => None,
    };
    let argument = |a: &Arg| {
        let keyword = match &a.kind {
            ArgKind::Named(name) => Some(source.slice(name.span).to_string()),
            _ => None,
        };
        (keyword, source.slice(a.value.span).to_string())
    };
    let ends = match args {
        Some(_) => trailers[next].span.end,
        None => end,
    };
    Some(Spoken {
        callee,
        receiver,
        arguments: args.map_or_else(Vec::new, |args| args.iter().map(argument).collect()),
        rest: call.get(ends as usize..).unwrap_or("").to_string(),
        called: args.is_some(),
    })
}

/// The texts of the elements of a list or a tuple.
pub fn elements(list: &str) -> Option<Vec<String>> {
    let source = Source::new(list);
    let program = vjp_syntax::parse(&source, Mode::default()).ok()?;
    let [Stmt { kind: StmtKind::Expr(expr), .. }] = program.body.as_slice() else {
        return None;
    };
    match &expr.kind {
        ExprKind::List(items) | ExprKind::Tuple(items) => {
            Some(items.iter().map(|e| source.slice(e.span).to_string()).collect())
        }
        _ => None,
    }
}
