//! What a person is told once in a session.

use crate::errors::school::bare;
use crate::path::{fixes, path_cutters};
use vjp_backward::unreached::leads_from;
use vjp_eval::leaf::naming::Places;
use vjp_eval::record::statements::{Statement, slice, statements};
use vjp_eval::record::{bindings, source_lookup};
use vjp_eval::{Halt, Help, Latest, LeafReport, Machine, Note, Value};
use vjp_maths::autodiff::ancestors::leaves_of;
use vjp_maths::{Edge, Node, Variable};
use vjp_syntax::Mend;
use vjp_syntax::ast::{BinaryOp, Expr, ExprKind, StmtKind};
use vjp_syntax::visit::heads;
use vjp_tensor::Kind;
use vjp_text::{Source, Span, Symbol};

/// `w = w - 0.1*w.grad`: the name now represents something computed from the leaf it was.
pub(crate) fn no_leaf_any_more(m: &Machine, name: &str, x: &Variable) -> Note {
    let mut help = vec![Help {
        code: format!("{name} = {name}.detach().requires_grad_()"),
        says: format!("makes {name} a leaf again"),
    }];
    help.extend(step(m, name, x).map(|step| Help {
        code: String::new(),
        says: format!("or :undo, then  with torch.no_grad(): {step}"),
    }));
    Note {
        text: format!(
            "{name} is no longer a leaf: it now names a computed value, which stores no gradient"
        ),
        at: None,
        help,
        source: None,
    }
}

/// The statement that computed a tensor.
pub(crate) fn computed_at(m: &Machine, x: &Variable) -> Option<(Source, Span)> {
    let place = x.node()?.place();
    let source = m.source_of(place.source)?;
    let mut span = source_lookup::tree(source, place.span)?.span;
    let text = source.slice(span);
    span.end = span.start + text.trim_end().trim_end_matches(';').trim_end().len() as u32;
    Some((source.clone(), span))
}

/// `w -= 0.1*w.grad` after a backward that reached w: the next one goes past the new w.
pub(crate) fn note_lost_leaf(m: &mut Machine, name: Symbol) {
    const KEY: &str = "lost leaf";
    if m.strict() || !m.past.ran || m.noted(KEY) {
        return;
    }
    let Some(x) = m.global(name).and_then(|v| vjp_eval::leaf::existing(&v)) else { return };
    let Some(node) = x.node() else {
        if let Some(note) = crate::why::step_not_recorded(m, name.as_str(), &x) {
            m.note(KEY, note);
        }
        return;
    };
    let was = |leaf: &Variable| {
        leaf.name().as_deref() == Some(name.as_str()) && m.past.reached.contains(&leaf.id())
    };
    let downhill = computed_at(m, &x).is_some_and(|(s, at)| reads_grad(s.slice(at), name));
    let stepped = node.inputs().iter().filter_map(Edge::leaf).any(was)
        && step(m, name.as_str(), &x).is_some();
    if stepped || downhill && leaves_of(&x).iter().any(was) {
        let note = no_leaf_any_more(m, name.as_str(), &x);
        m.note(KEY, note);
    }
}

/// `w -= 0.1*w.grad`, where this or `w = w - 0.1*w.grad` computed what `w` now represents.
fn step(m: &Machine, name: &str, x: &Variable) -> Option<String> {
    let name = Symbol::new(name);
    let (source, span) = computed_at(m, x)?;
    // What else the step reads would lose its gradient, which a step downhill does not mean to have.
    let downhill = reads_grad(source.slice(span), name);
    if !downhill && leaves_of(x).iter().any(|leaf| leaf.name().as_deref() != Some(name.as_str())) {
        return None;
    }
    let is_name = |e: &Expr| matches!(e.kind, ExprKind::Name(n) if n == name);
    match source_lookup::tree(&source, span)?.kind {
        StmtKind::Augment { target, .. } if is_name(&target) => {
            Some(source.slice(span).to_string())
        }
        StmtKind::Assign { targets, value } if matches!(&targets[..], [t] if is_name(t)) => {
            let ExprKind::Chain { first, rest } = value.kind else {
                return None;
            };
            let [only] = rest.as_slice() else {
                return None;
            };
            let text = source.slice(only.operand.span);
            is_name(&first).then(|| format!("{name} {}= {text}", only.op.text()))
        }
        _ => None,
    }
}

fn reads_grad(text: &str, name: Symbol) -> bool {
    text.contains(&format!("{name}.grad"))
}

/// A number or a list beside a tensor with requires_grad=True.
pub(crate) fn constant_beside(name: &str, explicit: &str, x: &Variable) -> Note {
    let value = x.value();
    // With the point that makes them floats.
    let number = |k: usize| format!("{:?}", value.data()[k]).replace(".0", ".");
    let shown =
        vjp_backward::weight_labels::nested(value.shape(), &number).filter(|_| value.numel() <= 6);
    let code = match shown {
        Some(numbers) => format!("{name} = torch.tensor({numbers}, requires_grad=True)"),
        None => format!("{name} = torch.tensor({name}, dtype=torch.float64, requires_grad=True)"),
    };
    Note {
        text: format!(
            "{name} is a constant here: {explicit} has requires_grad=True, and in a computation with such a tensor, numbers and lists are constants"
        ),
        at: None,
        help: vec![Help { code, says: format!("makes {name} a leaf with gradients too") }],
        source: None,
    }
}

const CONSTANT: &str = "constant tensor";

/// Beside numbers and lists, which are leaves as they are, a tensor made without requires_grad=True: `W` of
/// `W @ x`.
pub(crate) fn note_constant(m: &mut Machine, nodes: &[Node], leaves: &[Variable]) {
    if m.noted(CONSTANT) || !leaves.iter().all(Variable::is_implicit) {
        return;
    }
    let inputs = nodes.iter().flat_map(|n| n.inputs());
    let constants: Vec<usize> = inputs.filter_map(Edge::constant).collect();
    // What was written into it since then may have a gradient.
    let is_constant = |t: &Variable| t.dtype().is_float() && !t.requires_grad();
    let mut named = m.names().into_iter().filter_map(|(name, value)| match value {
        Value::Tensor(t) if is_constant(&t) && constants.contains(&t.id()) => {
            Some(Symbol::new(&name))
        }
        _ => None,
    });
    let made = |s: &Statement, name: Symbol| match &s.tree.kind {
        StmtKind::Assign { targets, value } => {
            let own = |t: &Expr| matches!(t.kind, ExprKind::Name(n) if n == name);
            targets.iter().any(own) && path_cutters::maker(&s.source, value).is_some()
        }
        _ => false,
    };
    let Some(first) = named.next() else {
        return;
    };
    let all = statements(m);
    let mut names = std::iter::once(first).chain(named);
    let made = |name: &Symbol| all.iter().find(|s| s.binds(*name)).is_some_and(|s| made(s, *name));
    if let Some(name) = names.find(made) {
        let text = format!("{name} is a constant here: it was made without requires_grad=True");
        m.note(CONSTANT, Note::plain(text));
    }
}

/// `s = 0` before `s = s + …`: the number that it begins with has a column.
pub(crate) fn note_start(m: &mut Machine, latest: &Latest) {
    let output = &latest.event.output;
    let own = |leaf: &&LeafReport| leaf.earlier && leaf.name == *output && leaf.value.numel() == 1;
    let Some(leaf) = latest.event.leaves.iter().find(own) else { return };
    let number = format!("{:?}", leaf.value.data()[0]).replace(".0", ".");
    let note = Note {
        help: vec![Help {
            code: format!("{output} = torch.tensor({number})"),
            says: "makes it a constant".into(),
        }],
        ..Note::plain(format!("the first {output} is a leaf, as every bare number is"))
    };
    m.note("first number", note);
}

/// `a/b` as `div(a, b)`, which divides numbers as tensors are divided; `at`: the quotient or its sign.
fn as_call(source: &Source, at: Span) -> Option<Mend> {
    let statement = source_lookup::tree(source, at)?;
    let mut found = None;
    heads(&statement, &mut |e| {
        bindings::walk(e, &mut |part| {
            let ExprKind::Chain { first, rest } = &part.kind else { return };
            for link in rest.iter().filter(|link| link.op == BinaryOp::Div) {
                let whole = Span { start: first.span.start, end: link.operand.span.end };
                if link.op_span == at || whole == at {
                    found = Some((whole, link.op_span));
                }
            }
        });
    });
    let (whole, sign) = found?;
    let above = balanced(source, Span { end: sign.start, ..whole });
    let below = balanced(source, Span { start: sign.end, ..whole });
    let [a, b] = [above, below].map(|part| bare(source.slice(part).trim()));
    let says = "divides as PyTorch does: inf, -inf or nan";
    Some(Mend::new(above.to(below), format!("div({a}, {b})"), says))
}

/// A place with the parentheses that it lacks: an expression's own ends inside them.
fn balanced(source: &Source, at: Span) -> Span {
    let (text, mut at) = (source.text(), at);
    let count = |at: Span, c: char| source.slice(at).matches(c).count();
    while count(at, '(') > count(at, ')') && text[at.end as usize..].starts_with(')') {
        at.end += 1;
    }
    while count(at, ')') > count(at, '(') && text[..at.start as usize].ends_with('(') {
        at.start -= 1;
    }
    at
}

/// What helps a person beside the message of an error.
pub(crate) fn explain_failure(m: &mut Machine, halt: &mut Halt) {
    let divides = matches!(&*halt.message(), "division by zero" | "float division by zero");
    if divides && halt.kind() == Kind::ZeroDivision && !m.strict() && halt.told().help.is_empty() {
        let raised = halt.raised();
        let source = raised.source.as_ref().unwrap_or(m.source());
        let mend = raised.span.and_then(|at| as_call(source, at));
        halt.told().mend = halt.told().mend.take().or(mend);
    }
    explain_no_grad(m, halt);
}

/// An error whose message speaks of None, after a `.grad` that is None was read: why it is.
fn explain_no_grad(m: &mut Machine, halt: &mut Halt) {
    let speaks = matches!(halt.kind(), Kind::Type | Kind::Attribute)
        && halt.message().contains("'NoneType'");
    let Some(t) = (speaks && !m.strict()).then(|| m.take_ungraded()).flatten() else {
        return;
    };
    let name = match Places::of(m).path(&t) {
        Some(name) => name.to_string(),
        None => return,
    };
    let Some(note) = crate::unreached::why_none(m, &Value::Tensor(t.clone()), &name) else {
        return;
    };
    let was = leads_from(&t, &name);
    let told = halt.told();
    if told.label.is_none() {
        told.label = Some(match was {
            true => format!("{name}.grad is None: {name} is no longer a leaf"),
            false => format!("{name}.grad is None: {}", note.text),
        });
    }
    let mut inside = false;
    if let Some((source, span)) = computed_at(m, &t).filter(|_| was) {
        inside = source.text().trim_end().contains('\n');
        halt.told().elsewhere.push((source, span, format!("{name} was computed here")));
    }
    let step = step(m, &name, &t).filter(|_| was && inside);
    let anew = if was && !inside { swept_anew(m, halt, &name) } else { None };
    let help = &mut halt.told().help;
    match step.map(|step| crate::errors::refused_sweep::unrecorded(step, inside)) {
        Some(instead) => help.push(instead),
        // A leaf again has no gradient yet: what reads it fails before another backward.
        None if let Some(anew) = anew => {
            help.push(anew);
            help.extend(note.help.into_iter().filter(|help| help.code.is_empty()));
        }
        None => help.extend(note.help),
    }
}

/// A leaf again, the last backward again from there, and the statement that failed.
fn swept_anew(m: &mut Machine, halt: &mut Halt, name: &str) -> Option<Help> {
    let raised = halt.raised();
    let source = raised.source.as_ref().unwrap_or(m.source());
    let failing = source_lookup::statement(source, raised.span?)?;
    let (source, span) = m.past.swept.clone()?;
    let goal = source.slice(span).trim().to_owned();
    let all = statements(m);
    let mut lines = vec![format!("{name} = {name}.detach().requires_grad_()")];
    let mut anew = vec![Symbol::new(name)];
    for k in slice(m, &all, &crate::why::names(&goal)) {
        let Statement { tree, .. } = &all[k];
        let reads = all[k].reads().iter().any(|read| anew.contains(read));
        if !reads || all[k].binds(anew[0]) {
            continue;
        }
        if !all[k].is_simple() {
            return None;
        }
        lines.push(all[k].text().to_owned());
        bindings::bound(tree, &mut |bound| anew.push(bound));
    }
    lines.push(goal);
    // A step that changes the leaf in place fails there, and says how it is written.
    for failing in [vec![failing], Vec::new()] {
        let code = [lines.as_slice(), failing.as_slice()].concat().join("; ");
        if fixes::fits(&code) && fixes::tried(m, &code, Some(name)).is_some() {
            return Some(Help {
                code,
                says: format!("makes {name} a leaf again and repeats the backward"),
            });
        }
    }
    None
}
