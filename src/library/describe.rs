//! What help can tell of an operation from the operation itself: its slopes as formulas, the shape
//! of its Jacobian, its grad_fn, and its example carried to the gradient.

use vjp_backward::slope::partial;
use vjp_eval::language::machine::{Hints, Telling};
use vjp_eval::record::source_lookup;
use vjp_eval::record::source_lookup::Spoken;
use vjp_eval::{Machine, Manner, Options, leaf};
use vjp_jacobian::walk;
use vjp_maths::autodiff::grad_mode;
use vjp_maths::autodiff::rule::Corner;
use vjp_maths::composite::entering;
use vjp_maths::{LinearMap, Node, Origin, Point, Variable, table};
use vjp_ops::Entry;
use vjp_tensor::{Dtype, Tensor, random, tensor};
use vjp_text::Source;

pub struct Description {
    /// `("x", "1 − tanh(x)²")` for each operand, where the slope is a formula of each element.
    pub slopes: Vec<(&'static str, String)>,
    /// The parameters that the slopes are for: `min = 0, max = 1`.
    pub with: String,
    /// Of a function of one number: where its slope jumps, and how.
    pub kinks: Vec<(f64, Corner)>,
    /// `diagonal: each output depends on its own input`
    pub structure: String,
    pub grad_fn: String,
    /// A line that runs, up to the backward.
    pub code: String,
    /// What it leaves in x.grad.
    pub grad: Tensor,
}

/// None where no argument of the example has a gradient: what comes out is not a float, or a position.
pub fn describe(entry: &Entry) -> Option<Description> {
    let spoken = source_lookup::spoken(entry.example, entry.name)?;
    let tensors = entry.signature.lines().map(|line| line.matches("Tensor").count());
    let operands = tensors.max().unwrap_or(0);
    let described = |call: &Spoken| {
        let mut all = variants(call).into_iter();
        all.find_map(|code| described(&code, operands))
    };
    // What gives its input back says nothing: with the usual parameters it may.
    let first = variants(&spoken).into_iter().next();
    if first.is_some_and(|code| gives_back(&code)) {
        let arguments = spoken.arguments.iter().take(1).cloned().collect();
        let usual = Spoken { arguments, ..spoken.clone() };
        if let Some(found) = described(&usual) {
            return Some(found);
        }
    }
    described(&spoken)
}

/// A machine beside the session's own: what they share on the thread is put back at the end.
struct Elsewhere {
    random: random::Generator,
    recording: bool,
    dtype: Dtype,
}

impl Elsewhere {
    fn begin() -> Elsewhere {
        Elsewhere {
            random: random::state(),
            recording: grad_mode::is_grad_enabled(),
            dtype: tensor::default_dtype(),
        }
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        random::restore(self.random.clone());
        grad_mode::set_grad_enabled(self.recording);
        tensor::set_default_dtype(self.dtype);
    }
}

/// Whether a line leaves x itself in y.
fn gives_back(code: &str) -> bool {
    let _elsewhere = Elsewhere::begin();
    let mut machine = crate::machine(Options::default(), &Hints::NONE);
    machine.telling = Telling::Nothing;
    let ran = run(&mut machine, code);
    let (x, y) = (variable(&mut machine, "x"), variable(&mut machine, "y"));
    ran.is_some() && x.zip(y).is_some_and(|(x, y)| x.same(&y))
}

/// `operands`: so many tensors are given.
fn described(code: &str, operands: usize) -> Option<Description> {
    let _elsewhere = Elsewhere::begin();
    let mut machine = crate::machine(Options::default(), &Hints::NONE);
    // What is drawn at random is the same each time.
    random::manual_seed(2);
    machine.telling = Telling::Nothing;
    run(&mut machine, code)?;
    let y = variable(&mut machine, "y")?;
    let node = y.node()?;
    let x = variable(&mut machine, "x")?;
    let edge = node.inputs().iter().position(|e| match &entering(e).origin {
        Origin::Leaf(leaf) => leaf.same(&x),
        _ => false,
    });
    let map = edge.map(|wrt| local(&node, wrt));
    let simple = map.as_ref().and_then(LinearMap::describe);
    let structure = match simple.filter(|words| *words != "sum") {
        Some(words) => words.to_string(),
        // Composed of several operations or maps: what they come to.
        None => walk::numeric(&y, &x).ok()?.structure(),
    };
    let v = match y.shape().as_slice() {
        [] => String::new(),
        shape => ones(shape),
    };
    let backward = format!("y.backward({v})");
    run(&mut machine, &backward)?;
    // A factor that was drawn is no operand.
    let fixed = node.inputs().iter().any(|e| !e.tracked() && !e.is_number());
    let drawn = fixed && node.inputs().len() > operands.max(1);
    Some(Description {
        kinks: kinks(&node),
        with: parameters(&node),
        slopes: map.filter(|_| !drawn).map_or_else(Vec::new, |map| slopes(&node, &map)),
        structure,
        grad_fn: node.grad_fn().to_string(),
        code: format!("{code}; {backward}"),
        grad: x.grad()?.value(),
    })
}

/// The example with x for one of its tensors, and y for its result or the first of them.
fn variants(call: &Spoken) -> Vec<String> {
    let mut all = Vec::new();
    let mut say = |x: &str, with: &Spoken| {
        for x in leaf_of(x) {
            let y = text(with);
            all.extend(["", "[0]", "[1]"].map(|part| format!("x = {x}; y = {y}{part}")));
        }
    };
    if let Some(receiver) = &call.receiver {
        let mut with = call.clone();
        with.receiver = Some("x".to_string());
        say(receiver, &with);
        // In place, which a leaf must not be changed.
        with.receiver = Some("x.clone()".to_string());
        say(receiver, &with);
    }
    for (k, (_, argument)) in call.arguments.iter().enumerate() {
        let mut with = call.clone();
        with.arguments[k].1 = "x".to_string();
        say(argument, &with);
        let items = source_lookup::elements(argument).unwrap_or_default();
        if let Some((first, others)) = items.split_first() {
            let others: String = others.iter().map(|o| format!(", {o}")).collect();
            with.arguments[k].1 = format!("[x{others}]");
            say(first, &with);
        }
    }
    all
}

/// What may make a leaf of an argument; nothing for a plain number or a text.
fn leaf_of(argument: &str) -> Vec<String> {
    if argument.starts_with('[') {
        return vec![argument.to_string()];
    }
    let Some(inner) = source_lookup::spoken(argument, "tensor") else {
        return Vec::new();
    };
    let plain = inner.callee == "tensor" && inner.rest.is_empty() && inner.called;
    let list = match inner.arguments.as_slice() {
        [(None, list)] if plain && list.starts_with('[') => Some(list.clone()),
        _ => None,
    };
    list.into_iter().chain([format!("{argument}.requires_grad_()")]).collect()
}

fn text(call: &Spoken) -> String {
    // `sum`, `max` … alone are Python's.
    let python = vjp_python::contents().iter().any(|(n, _)| *n == call.callee);
    let home = match &call.receiver {
        Some(receiver) => format!("{receiver}."),
        None if python => "torch.".to_string(),
        None => String::new(),
    };
    let argument = |(keyword, text): &(Option<String>, String)| match keyword {
        Some(keyword) => format!("{keyword}={text}"),
        None => text.clone(),
    };
    let arguments: Vec<String> = call.arguments.iter().map(argument).collect();
    let brackets = match call.called {
        true => format!("({})", arguments.join(", ")),
        false => String::new(),
    };
    format!("{home}{}{brackets}{}", call.callee, call.rest)
}

fn run(machine: &mut Machine, code: &str) -> Option<()> {
    machine.run(&Source::new(code), Manner::Program, &mut |_| {}).ok()
}

fn variable(machine: &mut Machine, name: &str) -> Option<Variable> {
    let value = machine.lookup(name)?;
    leaf::stacked(&value).ok()
}

fn ones(shape: &[usize]) -> String {
    match shape.split_first() {
        None => "1".to_string(),
        Some((n, rest)) => format!("[{}]", vec![ones(rest); *n].join(", ")),
    }
}

fn local(node: &Node, wrt: usize) -> LinearMap<Tensor> {
    let values: Vec<&Tensor> = node.inputs().iter().map(|e| &e.value).collect();
    let at = Point { inputs: &values, output: node.value(), values: &values, value: node.value() };
    node.operation().linear_tensor(&at, wrt)
}

/// Where kinks are looked for: the places that PyTorch's own functions have them at.
const PLACES: [f64; 11] = [-6.0, -3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 6.0, 20.0];

/// The jumps of the slope of a function of one number.
fn kinks(node: &Node) -> Vec<(f64, Corner)> {
    let name = node.operation().name();
    if node.inputs().len() != 1 || !table::rows().any(|row| row.fun.name == name) {
        return Vec::new();
    }
    let at = |place: f64| {
        let x = Tensor::new(&[1], vec![place]);
        let y = node.operation().value(&[&x]).ok().filter(|y| y.numel() == 1)?;
        let mut found = node.operation().corners(&[&x], &y);
        Some((place, found.pop()?))
    };
    PLACES.into_iter().filter_map(at).collect()
}

/// The parameters of an elementwise operation with their values.
fn parameters(node: &Node) -> String {
    let Some(op) = node.operation().elementwise() else { return String::new() };
    let names = op.row().params.iter().map(|(name, _)| *name);
    let values = op.params();
    // What stands for no bound says nothing.
    if values.iter().any(|value| value.abs() > 1e6 || value.is_nan()) {
        return String::new();
    }
    names
        .zip(values)
        .map(|(name, value)| format!("{name} = {value}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The slopes of an elementwise operation, in `x`, or in `a` and `b`.
fn slopes(node: &Node, map: &LinearMap<Tensor>) -> Vec<(&'static str, String)> {
    let name = node.operation().name();
    let diagonal = matches!(map, LinearMap::Diagonal { .. } | LinearMap::Scale { .. });
    if !diagonal && !table::rows().any(|row| row.fun.name == name) {
        return Vec::new();
    }
    let names: &[&str] = match node.inputs().len() {
        1 => &["x"],
        2 => &["a", "b"],
        3 => &["a", "b", "c"],
        _ => return Vec::new(),
    };
    let each = |wrt: usize| Some((names[wrt], partial(node, names, None, wrt)?));
    let derived = |wrt: &usize| node.operation().underived() >> wrt & 1 == 0;
    (0..names.len()).filter(derived).map(each).collect::<Option<_>>().unwrap_or_default()
}
