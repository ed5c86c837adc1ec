//! v: what was given to backward, what is understood, and what PyTorch says of either.

use crate::{Request, weight_labels};
use vjp_eval::record::event::Drawing;
use vjp_eval::{At, Halt, Help, Machine, Note, Site, Tried, Value};
use vjp_maths::Variable;
use vjp_tensor::{Complaint, Kind, Tensor, shape, torch_messages};
use vjp_text::Span;
use vjp_text::words::count;

/// v as it is used.
pub struct Weights {
    pub tensor: Tensor,
    /// Nothing was given: 1 is understood.
    pub implicit: bool,
    /// y is a scalar and v is not: J is repeated, one row for each weight.
    pub repeated: bool,
}

impl Weights {
    /// What the sweep starts from, in the shape of y. Repeated rows are equal, so their weights add.
    pub fn for_sweep(&self, y: &Variable) -> Tensor {
        let total = if self.repeated {
            Tensor::scalar(self.tensor.data().iter().sum())
        } else {
            self.tensor.clone()
        };
        total.to_dtype(y.dtype())
    }
}

/// An output as a tensor (a tensor, a number that remembers, a list of numbers), and v for it.
///
/// # Errors
/// It is not a tensor, v does not fit it, or nothing leads from it to a leaf: in PyTorch's order.
pub fn pair(
    m: &mut Machine,
    value: &Value,
    given: Option<&Value>,
    request: &Request,
    site: &Site,
) -> Tried<(Variable, Weights)> {
    let y = vjp_eval::leaf::stacked(value).at(site.span)?;
    y.check_history().at(site.span)?;
    if y.is_reached() || given.is_some() {
        let w = of(m, &y, given, request, site)?;
        if y.is_reached() {
            return Ok((y, w));
        }
    }
    let mut halt = Halt::from(torch_messages::no_grad_fn(0)).place(site.span);
    weight_labels::no_graph(&mut halt, site, &y);
    Err(halt)
}

/// v for one output.
///
/// # Errors
/// PyTorch's: no v for a y of several elements, a v of another shape, a v that is not a tensor.
fn of(
    m: &mut Machine,
    y: &Variable,
    given: Option<&Value>,
    request: &Request,
    site: &Site,
) -> Tried<Weights> {
    let shape = y.shape();
    let Some(given) = given else {
        if y.numel() == 1 {
            return Ok(Weights {
                tensor: Tensor::new(&shape, vec![1.0]),
                implicit: true,
                repeated: false,
            });
        }
        return Err(weight_labels::needs_v(m, y, request, site));
    };
    let at = request.weights.unwrap_or(site.span);
    let v = tensor(m, given, y, (site, request.weights)).map_err(|halt| one_by_one(halt, y, site));
    let v = v.map_err(|halt| same_for_all(m, halt, given, y, site));
    let v = v.map_err(|halt| in_the_call(halt, request, site)).at(at)?;
    if v.shape() == shape {
        return Ok(Weights { tensor: v, implicit: false, repeated: false });
    }
    let scalar = shape.is_empty() && v.numel() > 0;
    if scalar && !m.strict() {
        return Ok(Weights { tensor: v, implicit: false, repeated: true });
    }
    Err(weight_labels::wrong_shape(m, y, &v, request, site))
}

/// v as a tensor. Under strict only tensors will do.
fn tensor(
    m: &mut Machine,
    given: &Value,
    y: &Variable,
    at: (&Site, Option<Span>),
) -> Tried<Tensor> {
    if let Value::Tensor(v) = given {
        return Ok(v.value());
    }
    let number = given.is_number() || matches!(given, Value::NpScalar(..));
    if m.strict() || (number && !y.shape().is_empty()) {
        return Err(refused(m, given, y, at));
    }
    match vjp_eval::leaf::stacked(given) {
        Ok(v) => Ok(v.value()),
        Err(_) => Err(refused(m, given, y, at)),
    }
}

/// What is said of a v that is written as a tensor, and as a list.
const MADE: &str = "makes v a tensor";
const LISTED: &str = "makes v a list";

/// The whole call with that v.
fn in_the_call(mut halt: Halt, request: &Request, site: &Site) -> Halt {
    let within = request.weights.filter(|w| site.span.start <= w.start && w.end <= site.span.end);
    if let (Some(at), Some(help)) = (within, halt.told().help.last_mut())
        && [MADE, LISTED].contains(&help.says.as_str())
    {
        let call = site.text(site.span);
        let [start, end] = [at.start, at.end].map(|n| (n - site.span.start) as usize);
        help.code = format!("{}{}{}", &call[..start], help.code, &call[end..]);
    }
    halt
}

/// PyTorch's words for a v that is not a tensor: it takes a list for several gradients.
fn refused(
    m: &mut Machine,
    given: &Value,
    y: &Variable,
    (site, at): (&Site, Option<Span>),
) -> Halt {
    let name = vjp_eval::tp_name(given);
    let first = m.collect(given).ok().map(|items| items.into_iter().next());
    let mut halt = match first {
        Some(Some(v)) => {
            let name = vjp_eval::name_of(&v);
            Halt::new(
                Kind::Type,
                format!("gradients can be either Tensors or None, but got {name}"),
            )
        }
        Some(None) => Halt::new(Kind::Runtime, "got 1 tensors and 0 gradients"),
        None => Halt::new(Kind::Type, format!("'{name}' object is not iterable")),
    };
    if m.strict() {
        halt.told().label = Some("v must be a tensor".into());
        let typed = vjp_eval::leaf::stacked(given).map(|v| v.value());
        let typed = typed.ok().filter(|v| v.shape() == y.shape());
        let weight = |k: usize| typed.as_ref().map_or(1.0, |v| v.data()[k]);
        let code =
            weight_labels::literal(m, &y.shape(), &|k| weight_labels::number(weight(k), true));
        halt.told().help.push(Help { code, says: MADE.into() });
        return halt;
    }
    let label = match given {
        Value::Int(_) | Value::Float(_) | Value::Number(_) | Value::NpScalar(..) => {
            "a single number works only for a scalar y"
        }
        _ => "v must be a list of numbers or a tensor",
    };
    halt.told().label = Some(label.into());
    let listed = |text: String| Help { code: format!("list({text})"), says: LISTED.into() };
    let help = (name == "range").then(|| at.map(|at| listed(site.text(at).trim().to_owned())));
    halt.told().help.extend(help.flatten());
    halt
}

/// `y.backward(1, 10)`: its weights go in one list.
fn one_by_one(mut halt: Halt, y: &Variable, site: &Site) -> Halt {
    let weights: Vec<&str> = site.args.iter().map(|a| site.text(*a)).collect();
    let numbers = weights.iter().all(|w| w.parse::<f64>().is_ok());
    if numbers && weights.len() == y.numel() && weights.len() > 1 {
        let output = site.receiver.map_or("y", |r| site.text(r));
        let code = format!("{output}.backward([{}])", weights.join(", "));
        let says = "one weight per element, in a list".into();
        halt.told().help.push(Help { code, says });
    }
    halt
}

/// `y.backward(5)`: 5 for each element of y.
fn same_for_all(m: &Machine, mut halt: Halt, given: &Value, y: &Variable, site: &Site) -> Halt {
    let [argument] = site.args.as_slice() else {
        return halt;
    };
    let (output, one) = (site.receiver.map_or("y", |r| site.text(r)), site.text(*argument));
    if given.is_number() && (1..=8).contains(&y.numel()) && one.parse::<f64>().is_ok() {
        let all = weight_labels::literal(m, &y.shape(), &|_| one.to_string());
        let code = format!("{output}.backward({all})");
        let says = format!("the weight {one} for each element of {output}");
        halt.told().help = vec![Help { code, says }];
    }
    halt
}

/// Where an item of a list of `count` stands that is written at `at`.
pub fn item(site: &Site, at: Span, k: usize, count: usize) -> Option<Span> {
    let text = site.text(at);
    if !text.starts_with(['[', '(']) || !text.ends_with([']', ')']) {
        return None;
    }
    let (mut depth, mut start, mut all) = (0i32, 1, Vec::new());
    for (k, c) in text.char_indices() {
        depth += i32::from("[({".contains(c)) - i32::from("])}".contains(c));
        if depth == 1 && c == ',' || depth == 0 {
            all.push(start..k);
            start = k + 1;
        }
    }
    all.retain(|part| text.get(part.clone()).is_some_and(|part| !part.trim().is_empty()));
    let part = all.get(k).filter(|_| all.len() == count && start == text.len())?;
    let trimmed = part.start + text[part.clone()].len() - text[part.clone()].trim_start().len();
    let end = trimmed + text[part.clone()].trim().len();
    Some(Span { start: at.start + trimmed as u32, end: at.start + end as u32 })
}

/// What helps where the `at`-th of several outputs has no v that fits: the call with all of them.
pub fn of_several(
    m: &Machine,
    mut halt: Halt,
    (request, list): (&Request, Span),
    at: usize,
    site: &Site,
) -> Halt {
    let weight = |(k, (y, given)): (usize, &(Value, Option<Value>))| -> Option<String> {
        let count = request.roots.len();
        match given {
            Some(_) if k != at => Some(site.text(item(site, request.weights?, k, count)?).into()),
            _ => {
                let shape = vjp_eval::leaf::stacked(y).ok()?.shape();
                let ones = || {
                    weight_labels::literal(m, &shape, &|_| weight_labels::number(1.0, m.strict()))
                };
                Some(if shape.is_empty() { "None".to_owned() } else { ones() })
            }
        }
    };
    let weights: Option<Vec<String>> = request.roots.iter().enumerate().map(weight).collect();
    let told = halt.told();
    told.help.clear();
    let function = site.text(site.span).split('(').next().unwrap_or("");
    if let Some(weights) = weights.filter(|_| !function.is_empty()) {
        let code = format!("{function}({}, [{}])", site.text(list), weights.join(", "));
        told.help.push(Help { code, says: "one weight per element of each output".into() });
    }
    halt
}

/// The gradients of several outputs as PyTorch takes them: one tensor, or what can be gone through; None stands for one
/// that is not given.
pub fn each(m: &mut Machine, given: &Value) -> Tried<Vec<Option<Value>>> {
    let items = match given {
        Value::Tensor(_) => vec![given.clone()],
        other => m.collect(other)?,
    };
    Ok(items.into_iter().map(|v| Some(v).filter(|v| !v.is_none())).collect())
}

/// PyTorch's error about gradient `at` of several, which is not shaped as its output. To name it, PyTorch looks for it
/// among them with `==`, which fails where one before it is no single number.
pub fn not_shaped(vs: &[Option<Variable>], at: usize, y: &Variable) -> Box<Complaint> {
    let Some(v) = vs.get(at).and_then(Option::as_ref) else {
        return torch_messages::not_scalar_output();
    };
    for (k, before) in vs.iter().enumerate().take(at) {
        let Some(before) = before else { continue };
        match shape::broadcast(&before.shape(), &v.shape()) {
            Err(complaint) => return complaint,
            Ok(common) if common.iter().product::<usize>() != 1 => {
                return torch_messages::ambiguous_truth();
            }
            Ok(_) if before.value().item() == v.value().item() => {
                return torch_messages::gradient_shape(k, &v.shape(), &y.shape());
            }
            Ok(_) => {}
        }
    }
    torch_messages::gradient_shape(at, &v.shape(), &y.shape())
}

/// The tensors of `inputs=`: one or a sequence.
pub fn inputs(m: &Machine, value: &Value) -> Tried<Vec<Variable>> {
    let items = match value {
        // Of numbers with a history each is meant, not the vector that they are together.
        Value::List(l) if !l.numeric.get() || m.strict() || names_several(value) => {
            l.items.borrow().to_vec()
        }
        Value::Tuple(t) => t.items.clone(),
        one => vec![one.clone()],
    };
    if items.is_empty() {
        return Err(torch_messages::no_inputs("backward").into());
    }
    Ok(items.iter().map(vjp_eval::leaf::stacked).collect::<Result<_, _>>()?)
}

/// Said once, where PyTorch would refuse a vector v for a scalar y.
pub fn repeated_note(v: &Tensor) -> Note {
    let says = torch_messages::gradient_shape(0, v.shape(), &[]);
    Note {
        text: format!("PyTorch 2.15 refuses this: \"{says}\""),
        at: None,
        help: Vec::new(),
        source: None,
    }
}

/// The picture of v beside the rows of y, for a v of another shape.
pub fn drawing(v: &Tensor, output: &str, y: &Variable) -> Option<Drawing> {
    let small = v.numel() <= 8 && y.numel() <= 8;
    small.then(|| Drawing::Weights {
        v: v.clone(),
        output: output.to_string(),
        output_shape: y.shape(),
    })
}

/// `3 weights`.
pub fn weights(n: usize) -> String {
    count(n, "weight")
}

/// Whether a sequence names several inputs, `(a, b)` or `[a, b]`, and is not itself a vector of the graph:
/// it was never used as one, and each element is a tensor, a number with a history, or a list that is
/// a leaf.
pub fn names_several(value: &Value) -> bool {
    let tracked = |v: &Value| match v {
        Value::List(l) => l.leaf.borrow().is_some(),
        v => matches!(v, Value::Tensor(_) | Value::Number(_)),
    };
    match value {
        Value::Tuple(t) => !t.items.is_empty() && t.items.iter().all(tracked),
        Value::List(l) => {
            let items = l.items.borrow();
            let fresh = l.tensor().is_none() && l.leaf.borrow().is_none();
            fresh && !items.is_empty() && items.iter().all(tracked)
        }
        _ => false,
    }
}
