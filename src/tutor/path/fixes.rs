//! Ways out of a broken path: lines that run when typed, made of the session's own statements.

use crate::path::broken_path::{Break, Cutter};
use vjp_eval::record::statements::{Statement, slice};
use vjp_eval::{Help, Machine, Manner, Value};
use vjp_syntax::ast::{ExprKind, StmtKind};
use vjp_tensor::budget::Limits;
use vjp_text::{Source, Span, Symbol};

/// Longer lines help nobody.
const LONGEST: usize = 160;

/// So many steps a way may take when it is tried.
const STEPS: u64 = 1_000_000;

/// What was asked for and failed: `y.backward()`, where it stands, and names it reads.
pub struct Goal<'a> {
    pub source: &'a Source,
    pub span: Span,
    pub names: &'a [Symbol],
    /// The v that its `backward()` needs, where it is not a scalar.
    pub weights: Option<&'a str>,
    /// Of whose gradient one would like to know.
    pub leaf: Option<&'a str>,
}

/// Two ways to a gradient in spite of a break, each tried where the state can be put back.
pub fn out(m: &mut Machine, all: &[Statement], found: &Break, goal: &Goal) -> Vec<Help> {
    let mut help = Vec::new();
    for (text, says, leaf) in offers(m, all, found) {
        let Some(code) = whole(m, all, found, goal, &text) else {
            continue;
        };
        let leaf = leaf.as_deref().or(goal.leaf);
        let says = match tried(m, &code, leaf) {
            Some(Some(grad)) => format!("{says}: {grad}"),
            Some(None) => says,
            None => continue,
        };
        help.push(Help { code, says });
    }
    help
}

/// `torch.tensor([1, 2])` with numbers that can have a gradient: `torch.tensor([1., 2.])`.
fn of_floats(made: &str) -> String {
    let Some((call, inner)) = made.strip_suffix(')').and_then(|open| open.split_once('(')) else {
        return made.to_owned();
    };
    if !inner.chars().all(|c| c.is_ascii_digit() || "[]-, ".contains(c)) {
        return format!("{call}({inner}, dtype=torch.float64)");
    }
    let mut text = String::new();
    for c in inner.chars() {
        let after = text.ends_with(|last: char| last.is_ascii_digit());
        text.extend((after && !c.is_ascii_digit()).then_some('.'));
        text.push(c);
    }
    text.extend(text.ends_with(|last: char| last.is_ascii_digit()).then_some('.'));
    format!("{call}({text})")
}

/// What stands in place of what cuts (or before its statement, where it ends in `; `), in words, and whose
/// gradient it gives.
fn offers(m: &Machine, all: &[Statement], found: &Break) -> Vec<(Offer, String, Option<String>)> {
    let slice = |span: Span| found.source.slice(span);
    let (cut, whole, inner) = (slice(found.span), slice(found.whole), slice(found.inner));
    let statement = found.statement.map(|k| &all[k]);
    let bound = statement.and_then(|s| match &s.tree.kind {
        StmtKind::Assign { targets, value } if targets.len() == 1 => match targets[0].kind {
            ExprKind::Name(name) => Some((name.to_string(), value.span)),
            _ => None,
        },
        _ => None,
    });
    let mut offers = Vec::new();
    match found.cutter {
        Cutter::Flag => {
            if let Some((name, _)) = &bound {
                let value = m.global(Symbol::new(name));
                let whole_numbers =
                    matches!(&value, Some(Value::Tensor(t)) if !t.dtype().is_float());
                if !whole_numbers {
                    let says = "turns gradients on from here".to_string();
                    let text = format!("{name}.requires_grad_()");
                    offers.push((Offer::Instead(text), says, Some(name.clone())));
                }
                let made = if whole_numbers { of_floats(whole) } else { whole.to_owned() };
                if let Some(open) = made.strip_suffix(')') {
                    let comma = if open.ends_with('(') { "" } else { ", " };
                    let text = format!("{open}{comma}requires_grad=True)");
                    let says = "turns gradients on from the start".to_string();
                    offers.push((Offer::Replace(text), says, Some(name.clone())));
                }
            }
            return offers;
        }
        Cutter::Off => {
            let on = |name: &String| {
                let says = "turns gradients on again".to_string();
                (Offer::Instead(format!("{name}.requires_grad_()")), says, Some(name.clone()))
            };
            return found.path.first().map(on).into_iter().collect();
        }
        Cutter::Disabled => return offers,
        Cutter::NoGrad => {
            if let Some(s) = statement
                && let StmtKind::With { body, .. } = &s.tree.kind
            {
                let lines: Vec<&str> =
                    body.iter().map(|s| found.source.slice(s.span).trim()).collect();
                if lines.iter().all(|l| !l.contains('\n')) {
                    let says = "runs outside the block".to_string();
                    offers.push((Offer::Instead(lines.join("; ")), says, None));
                }
                if let Some(name) = found.path.first() {
                    let says = format!("makes {name} a new leaf");
                    let text = format!("{name}.requires_grad_()");
                    offers.push((Offer::Instead(text), says, Some(name.clone())));
                }
            }
            return offers;
        }
        Cutter::Gradient => {
            let says = "keeps the graph of the gradient".to_string();
            let text = match whole.strip_suffix(')') {
                Some(open) => Some(format!("{open}, create_graph=True)")),
                None => again(m, inner),
            };
            offers.extend(text.map(|text| (Offer::Replace(text), says, None)));
            return offers;
        }
        Cutter::Comparison => {
            if let Some(step) = smooth(whole) {
                offers.push((Offer::Replace(step), "a smooth step in its place".into(), None));
            }
        }
        Cutter::Whole if [".int(", ".long("].iter().any(|word| cut.starts_with(word)) => {
            offers.push((Offer::Replace(bracketed(inner)), format!("without {cut}"), None));
        }
        Cutter::Whole | Cutter::Bool => {}
        Cutter::Copy if inner.starts_with('[') || is_list(m, inner) => {
            let says = format!("without {}", cut.split('(').next().unwrap_or(cut));
            offers.push((Offer::Replace(format!("torch.stack({inner})")), says, None));
        }
        _ => {
            let plain = matches!(found.cutter, Cutter::Number | Cutter::Numpy);
            let (text, says) = match recorded(whole).filter(|_| plain) {
                Some(own) => {
                    let module = whole.split('.').next().unwrap_or(whole);
                    let says = "'s result has no history, this one is recorded";
                    (own.to_owned(), format!("{module}{says}"))
                }
                None if cut == whole => {
                    (bracketed(inner), format!("without {}", cut.split('(').next().unwrap_or(cut)))
                }
                None => (bracketed(inner), format!("without {cut}")),
            };
            offers.push((Offer::Replace(text), says, None));
        }
    }
    let leaf = match found.cutter {
        Cutter::Detach => format!("{whole}.requires_grad_()"),
        Cutter::Copy => {
            format!("{}, requires_grad=True)", whole.strip_suffix(')').unwrap_or(whole))
        }
        Cutter::Whole | Cutter::Comparison | Cutter::Bool => return offers,
        _ => format!("torch.tensor({whole}, requires_grad=True)"),
    };
    match bound {
        Some((name, value)) if value == found.whole => {
            let says = format!("makes {name} a new leaf");
            offers.push((Offer::Replace(leaf), says, Some(name)));
        }
        _ => {
            let free =
                ["c", "k", "q", "u", "c1"].iter().find(|n| m.global(Symbol::new(n)).is_none());
            if let Some(name) = free {
                let says = format!("makes {name} a new leaf");
                offers.push((
                    Offer::Named(format!("{name} = {leaf}"), name.to_string()),
                    says,
                    Some(name.to_string()),
                ));
            }
        }
    }
    offers
}

/// `sin(x)` of `math.sin(x)`: the function of the same name that is recorded.
fn recorded(call: &str) -> Option<&str> {
    let modules = ["math.", "np.", "numpy."];
    let own = modules.iter().find_map(|module| call.strip_prefix(module))?;
    let name = own.split('(').next()?;
    let given = vjp_eval::library::builtin(Symbol::new(name), false);
    matches!(given, Some(Value::Builtin(_))).then_some(own)
}

/// `torch.sigmoid(10*(x - 1))` of `x > 1`.
fn smooth(comparison: &str) -> Option<String> {
    let sign = comparison.find(['<', '>'])?;
    let (a, b) = (comparison[..sign].trim(), comparison[sign + 1..].trim());
    if b.contains(['<', '>', '=', '!']) {
        return None;
    }
    let (high, low) = if comparison[sign..].starts_with('>') { (a, b) } else { (b, a) };
    Some(format!("torch.sigmoid(10*({high} - {}))", bracketed(low)))
}

/// Whether a name stands for a list of tensors.
fn is_list(m: &Machine, name: &str) -> bool {
    let tensor = |v: &Value| vjp_eval::leaf::existing(v).is_some();
    match m.global(Symbol::new(name)) {
        Some(Value::List(list)) => list.items.borrow().iter().all(tensor),
        _ => false,
    }
}

/// What gives the gradient of a leaf again, as the last backward gave it, with its graph.
fn again(m: &Machine, leaf: &str) -> Option<String> {
    let latest = m.latest.as_ref()?;
    let y = &latest.event.output;
    let text = match (m.strict(), latest.v.numel()) {
        (true, 1) => format!("torch.autograd.grad({y}, {leaf}, create_graph=True)[0]"),
        (true, _) => return None,
        (false, 1) => format!("grad({y}, {leaf}, create_graph=True)"),
        (false, _) => {
            let v = vjp_backward::weight_labels::short(&latest.v);
            format!("grad({y}, {leaf}, {v}, create_graph=True)")
        }
    };
    Some(text)
}

/// What becomes of the statement that cuts.
enum Offer {
    /// Its cutting part becomes this.
    Replace(String),
    /// A statement before it, and its name in place of the cutting part.
    Named(String, String),
    /// All of it becomes this.
    Instead(String),
}

/// A text in brackets, where it is more than a name or a call.
fn bracketed(text: &str) -> String {
    let simple = text.chars().all(|c| c.is_alphanumeric() || "_.()[], ".contains(c));
    let source = Source::new(text);
    let parsed = vjp_syntax::parse(&source, Default::default()).ok();
    let postfix = parsed.is_some_and(|p| match p.body.as_slice() {
        [s] => matches!(&s.kind, StmtKind::Expr(e) if matches!(e.kind, ExprKind::Trailers { .. })),
        _ => false,
    });
    match simple || postfix {
        true => text.to_string(),
        false => format!("({text})"),
    }
}

/// The statement that cuts, changed, those between, and what was asked for.
fn whole(
    m: &Machine,
    all: &[Statement],
    found: &Break,
    goal: &Goal,
    offer: &Offer,
) -> Option<String> {
    let changed = |source: &Source, span: Span| {
        let mut text = source.slice(span).to_string();
        let at = |s: Span| (s.start - span.start) as usize..(s.end - span.start) as usize;
        match offer {
            Offer::Replace(new) => text.replace_range(at(found.whole), new),
            Offer::Named(before, name) => {
                text.replace_range(at(found.whole), name);
                text = format!("{before}; {text}");
            }
            Offer::Instead(new) => text = new.clone(),
        }
        text.trim_end().trim_end_matches(';').to_string()
    };
    let weighted = |text: &str| match (text.strip_suffix(".backward()"), goal.weights) {
        (Some(output), Some(v)) => format!("{output}.backward({v})"),
        _ => text.to_string(),
    };
    let last = weighted(goal.source.slice(goal.span).trim_end().trim_end_matches(';'));
    let Some(at) = found.statement else {
        return Some(weighted(&changed(goal.source, goal.span))).filter(|c| fits(c));
    };
    // What follows a `def` on its line belongs to it.
    if matches!(all[at].tree.kind, StmtKind::Def { .. }) {
        return Some(changed(&all[at].source, all[at].tree.span)).filter(|c| fits(c));
    }
    let mut lines = vec![changed(&all[at].source, all[at].tree.span)];
    let mut affected: Vec<Symbol> = Vec::new();
    vjp_eval::record::bindings::bound(&all[at].tree, &mut |n| affected.push(n));
    // A switch binds no name: what came after it is computed again.
    let switched = found.path.first().filter(|_| found.cutter == Cutter::Off);
    affected.extend(switched.map(|name| Symbol::new(name)));
    for k in slice(m, all, goal.names) {
        if k < at && all[k].reads().iter().any(|n| affected.contains(n)) {
            if !all[k].is_simple() {
                return None;
            }
            lines.push(all[k].text().to_string());
            vjp_eval::record::bindings::bound(&all[k].tree, &mut |n| affected.push(n));
        }
    }
    lines.push(last);
    Some(lines.join("; ")).filter(|c| fits(c))
}

pub(crate) fn fits(code: &str) -> bool {
    code.chars().count() <= LONGEST && !code.contains('\n')
}

/// Whether a line runs, and the gradient it leaves: `x.grad = [4, 8]`, or adds to one that is there. Where
/// nothing can be put back it is taken on trust. What fails while a line is tried is given no fix: trying
/// that one could fail in turn, without end.
pub(crate) fn tried(m: &mut Machine, code: &str, leaf: Option<&str>) -> Option<Option<String>> {
    if m.trying {
        return None;
    }
    if !m.keeps_history() {
        return Some(None);
    }
    let limits = Limits::work(STEPS);
    let gradient = |m: &Machine, name: &str| {
        let value = m.global(Symbol::new(name))?;
        vjp_eval::leaf::existing(&value)?.grad().map(|grad| grad.value())
    };
    let held = leaf.is_some_and(|name| gradient(m, name).is_some());
    let found = m.tried(|m, _| {
        m.trying = true;
        for (_, value) in m.names() {
            if let Some(v) = vjp_eval::leaf::existing(&value) {
                let _ = v.set_grad(None);
            }
        }
        m.run(&Source::new(code), Manner::Program, &mut |_| {}).ok()?;
        // A backward that brings no gradient to the leaf mends nothing.
        let swept = leaf.filter(|_| code.contains(".backward("));
        let named = swept.filter(|name| m.global(Symbol::new(name)).is_some());
        if named.is_some_and(|name| gradient(m, name).is_none()) {
            return None;
        }
        let grad = leaf.and_then(|name| {
            let grad = vjp_backward::weight_labels::short(&gradient(m, name)?);
            let says = match held {
                true => format!("adds {grad} to {name}.grad"),
                false => format!("{name}.grad = {grad}"),
            };
            Some(says).filter(|_| !grad.is_empty())
        });
        Some(grad)
    });
    drop(limits);
    found
}
