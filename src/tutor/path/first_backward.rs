//! A line that runs a backward, of what the session holds where it can.

use vjp_eval::record::bindings;
use vjp_eval::{Machine, leaf};
use vjp_maths::Variable;
use vjp_text::Symbol;

/// Longer lists of weights are written as `ones`.
const WEIGHTS: usize = 8;

/// `y.backward()` of the value computed last, `(x^2).sum().backward()` of a leaf, or a line that begins
/// with both.
pub fn first_backward(m: &Machine) -> String {
    if let Some((name, y)) = computed(m) {
        return of(&y, &name, m.strict());
    }
    let power = if m.strict() { "**" } else { "^" };
    if let Some((name, x)) = latest(m, Variable::requires_grad) {
        let sum = if x.rank() == 0 { "" } else { ".sum()" };
        return format!("({name}{power}2){sum}.backward()");
    }
    match m.strict() {
        true => "x = torch.tensor([1., 2.], requires_grad=True); (3*x**2).sum().backward()",
        false => "x = [1, 2]; y = 3*x^2; y.backward([1, 10])",
    }
    .to_owned()
}

/// The value with a graph that was named last.
pub fn computed(m: &Machine) -> Option<(String, Variable)> {
    latest(m, |y| y.requires_grad() && !y.is_leaf())
}

fn latest(m: &Machine, wanted: impl Fn(&Variable) -> bool) -> Option<(String, Variable)> {
    latest_names(m).into_iter().rev().find_map(|name| {
        let value = leaf::existing(&m.global(Symbol::new(&name))?)?;
        wanted(&value).then_some((name, value))
    })
}

fn of(y: &Variable, name: &str, strict: bool) -> String {
    match (y.rank(), y.shape().as_slice()) {
        (0, _) => format!("{name}.backward()"),
        (1, &[n]) if n <= WEIGHTS => match strict {
            true => format!("{name}.backward(torch.tensor([{}]))", vec!["1."; n].join(", ")),
            false => format!("{name}.backward([{}])", vec!["1"; n].join(", ")),
        },
        _ => format!("{name}.sum().backward()"),
    }
}

/// Names in the order in which the inputs bound them last.
fn latest_names(m: &Machine) -> Vec<String> {
    let mut order: Vec<String> = Vec::new();
    for (past, _) in m.inputs() {
        let Ok(program) = vjp_syntax::parse(&past, m.mode()) else { continue };
        for statement in &program.body {
            bindings::bound(statement, &mut |name| {
                order.retain(|n| n != name.as_str());
                order.push(name.to_string());
            });
        }
    }
    order
}
