//! What an error about v means for this program: labels, pictures and fixes, in the reader's own names.

use crate::{Request, gradient_argument};
use vjp_eval::language::exception::raise::NoPath;
use vjp_eval::leaf::naming::Places;
use vjp_eval::{Halt, Help, Machine, Site};
use vjp_maths::Variable;
use vjp_maths::autodiff::ancestors::leaves_of;
use vjp_tensor::{Tensor, torch_messages};
use vjp_text::digits::Digits;
use vjp_text::names::is_name_continue;
use vjp_text::words::count;

pub fn help(code: impl Into<String>, says: impl Into<String>) -> Help {
    Help { code: code.into(), says: says.into() }
}

/// `[2]` as PyTorch writes shapes.
pub fn shape(s: &[usize]) -> String {
    let parts: Vec<String> = s.iter().map(usize::to_string).collect();
    format!("[{}]", parts.join(", "))
}

/// Values nested to a shape: `[[1, 1], [1, 1]]`; None when too long to type.
pub fn nested(shape: &[usize], value: &dyn Fn(usize) -> String) -> Option<String> {
    fn rec(shape: &[usize], next: &mut usize, value: &dyn Fn(usize) -> String) -> String {
        let Some((&n, rest)) = shape.split_first() else {
            *next += 1;
            return value(*next - 1);
        };
        let parts: Vec<String> = (0..n).map(|_| rec(rest, next, value)).collect();
        format!("[{}]", parts.join(", "))
    }
    if shape.iter().product::<usize>() > 8 {
        return None;
    }
    Some(rec(shape, &mut 0, value))
}

/// v as a line can give it: a bare list, or a tensor under strict.
pub fn literal(m: &Machine, shape: &[usize], value: &dyn Fn(usize) -> String) -> String {
    match (nested(shape, value), m.strict()) {
        (Some(list), false) => list,
        (Some(list), true) => format!("torch.tensor({list})"),
        (None, _) => {
            let parts: Vec<String> = shape.iter().map(usize::to_string).collect();
            format!("torch.ones({})", parts.join(", "))
        }
    }
}

/// All ones for a y that is not a scalar, as its backward takes them.
pub fn ones(m: &Machine, written: &str, shape: &[usize]) -> Option<String> {
    let name = !written.is_empty() && written.chars().all(is_name_continue);
    (shape.iter().product::<usize>() != 1).then(|| match m.strict() && name {
        true => format!("torch.ones_like({written})"),
        false => literal(m, shape, &|_| number(1.0, m.strict())),
    })
}

/// backward() of a y with several elements.
pub fn needs_v(m: &mut Machine, y: &Variable, request: &Request, site: &Site) -> Halt {
    let mut halt = Halt::from(torch_messages::not_scalar_output()).place(site.span);
    let (name, _) = Places::of(m).output(y, site, request.output);
    let written = site.text(request.output).trim().to_string();
    let s = y.shape();
    let n = y.numel();
    let number = |one: f64| {
        if m.strict() {
            format!("{one:?}").trim_end_matches('0').to_string()
        } else {
            format!("{one}")
        }
    };
    let (one, zero) = (number(1.0), number(0.0));
    let told = halt.told();
    told.label = Some(format!(
        "{name} has {}, so J has {}: how should they be weighted?",
        count(n, "element"),
        count(n, "row")
    ));
    if n == 0 {
        told.label = Some(format!("{name} has no elements"));
        return halt;
    }
    let ones = literal(m, &s, &|_| one.clone());
    let told = halt.told();
    told.help.push(help(
        format!("{written}.backward({ones})"),
        format!("adds the rows: the gradient of {written}.sum()"),
    ));
    if let Some(first) = nested(&s, &|k| if k == 0 { one.clone() } else { zero.clone() }) {
        let first = if m.strict() { format!("torch.tensor({first})") } else { first };
        halt.told().help.push(help(format!("{written}.backward({first})"), "picks the first row"));
    }
    halt.told()
        .help
        .push(help(format!("{written}.mean().backward()"), format!("makes {name} a scalar first")));
    halt
}

/// A v whose shape is not y's.
pub fn wrong_shape(
    m: &mut Machine,
    y: &Variable,
    v: &Tensor,
    request: &Request,
    site: &Site,
) -> Halt {
    let mut halt = Halt::from(torch_messages::gradient_shape(0, v.shape(), &y.shape()));
    halt = halt.place(request.weights.unwrap_or(site.span));
    let places = Places::of(m);
    let (name, named) = places.output(y, site, request.output);
    let written = site.text(request.output).trim().to_string();
    let value = if named && y.numel() <= 6 {
        format!("{name} = {}", short(&y.value()))
    } else {
        name.clone()
    };
    let (have, want) = (v.numel(), y.numel());
    let label = if have == want {
        format!("v has the shape {}, {name} has {}", shape(v.shape()), shape(&y.shape()))
    } else {
        format!(
            "v has {}, {value} has {}",
            gradient_argument::weights(have),
            count(want, "element")
        )
    };
    let data: Vec<f64> = (0..want).map(|k| v.data().get(k).copied().unwrap_or(1.0)).collect();
    let code = literal(m, &y.shape(), &|k| number(data[k], m.strict()));
    let unchanged = reached(y, &places);
    let told = halt.told();
    told.label = Some(label);
    told.drawing = (have != want).then(|| gradient_argument::drawing(v, &name, y)).flatten();
    told.help.push(help(
        format!("{written}.backward({code})"),
        format!("one weight per element of {name}"),
    ));
    told.unchanged = unchanged;
    halt
}

pub(crate) fn number(v: f64, strict: bool) -> String {
    let text = format!("{v}");
    if strict && !text.contains(['.', 'n', 'i']) { format!("{text}.") } else { text }
}

/// The one leaf's gradient, which a failed backward left alone.
fn reached(y: &Variable, places: &Places) -> Option<(String, Tensor)> {
    let mut with_grad =
        leaves_of(y).into_iter().filter_map(|x| Some((places.leaf(&x)?, x.grad()?)));
    let (name, grad) = with_grad.next()?;
    with_grad.next().is_none().then(|| (format!("{}.grad", name.name), grad.value()))
}

/// backward on something that no leaf leads to; where the way broke is looked up if nobody catches it.
pub fn no_graph(halt: &mut Halt, site: &Site, y: &Variable) {
    halt.told().no_path = site.receiver.map(|at| NoPath::of(at, y));
}

/// A few numbers on a line, as an echo writes them: `[3, 12]`.
pub fn short(t: &Tensor) -> String {
    let digits = Digits::of(t.data().iter().copied(), None);
    nested(t.shape(), &|k| digits.text(t.data()[k])).unwrap_or_default()
}
