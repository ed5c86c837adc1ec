//! Runs a case in the language itself: its inputs as leaves, its outputs, their gradients.

use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use vjp::eval::language::machine::{Machine, Manner, Options};
use vjp::eval::values::value::Value;
use vjp::maths::autodiff::reverse::{SweepOptions, sweep};
use vjp::maths::autodiff::variable::Variable;
use vjp::tensor::tensor::{Dtype, Tensor};
use vjp::text::source::Source;

pub const PREAMBLE: &str =
    "import torch\nimport torch.nn.functional as F\nfrom math import inf, nan";

/// A machine as PyTorch is in the script that stored the numbers.
pub fn machine() -> Machine {
    let mut machine = vjp::tutor::machine(Options { strict: true, dtype: Dtype::Float64 });
    execute(&mut machine, PREAMBLE).unwrap();
    machine
}

/// Runs what needs a deep stack.
pub fn deep<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(256 << 20);
    match thread.spawn(work).unwrap().join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// What is said of work that panicked, before where: never right.
pub const PANIC: &str = "panic";

thread_local! {
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A panic within `work` is an error that says where; it is not printed.
pub fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let catching = PLACE.with_borrow_mut(|place| match place {
                Some(text) => {
                    *text = info.to_string();
                    true
                }
                None => false,
            });
            if !catching {
                before(info);
            }
        }));
    });
    PLACE.set(Some(String::new()));
    let result = catch_unwind(AssertUnwindSafe(work));
    let place = PLACE.take().unwrap_or_default();
    result.unwrap_or_else(|_| Err(format!("{PANIC}: {place}")))
}

pub fn execute(machine: &mut Machine, code: &str) -> Result<(), String> {
    let source = Source::new(code);
    caught(|| {
        machine
            .run(&source, Manner::Program, &mut |_| {})
            .map_err(|fault| format!("{}: {}", fault.class, fault.message))
    })
}

/// Names of inputs that are leaves, if they hold floats.
pub const LEAVES: RangeInclusive<char> = 'a'..='h';

pub struct Ran {
    /// Inputs with their names.
    pub leaves: Vec<(String, Variable)>,
    pub outputs: Vec<Variable>,
}

impl Ran {
    pub fn inputs(&self) -> Vec<Variable> {
        self.leaves.iter().map(|(_, v)| v.clone()).collect()
    }
}

/// Tensors in a result, in order; PyTorch's numbers and bools count as 0-d ones.
fn collect(value: &Value, out: &mut Vec<Variable>) {
    match value {
        Value::Tensor(v) | Value::Array(v) => out.push(v.clone()),
        Value::Tuple(t) => t.items.iter().for_each(|v| collect(v, out)),
        Value::List(l) => l.items.borrow().iter().for_each(|v| collect(v, out)),
        Value::Bool(b) => out.push(number(f64::from(u8::from(*b)), Dtype::Bool)),
        Value::Int(i) => out.push(number(*i as f64, Dtype::Int64)),
        _ => {}
    }
}

fn number(value: f64, dtype: Dtype) -> Variable {
    Variable::constant(Tensor::number(value, dtype))
}

/// Runs `a = [1.0]; i = [0]; torch.f(a, i)`: lists become tensors, those of floats leaves. `moved`
/// holds other values for the leaves.
pub fn run(machine: &mut Machine, program: &str, moved: Option<&[Tensor]>) -> Result<Ran, String> {
    let parts: Vec<&str> = program.split("; ").collect();
    let (expression, inputs) = parts.split_last().unwrap();
    let mut leaves = Vec::new();
    for input in inputs {
        let (name, text) = input.split_once(" = ").unwrap();
        let code = if text.starts_with("torch.") {
            (*input).to_owned()
        } else {
            format!("{name} = torch.tensor({text})")
        };
        execute(machine, &code)?;
        let Some(Value::Tensor(v)) = machine.lookup(name) else {
            return Err(format!("{name} is no tensor"));
        };
        if v.dtype().is_float() && name.starts_with(|c| LEAVES.contains(&c)) {
            let value = moved.map_or_else(|| v.value(), |m| m[leaves.len()].clone());
            let leaf = Variable::leaf(value);
            leaf.set_name(Some(name.into()));
            machine.bind(name, Value::Tensor(leaf.clone()));
            leaves.push((name.to_owned(), leaf));
        }
    }
    execute(machine, &format!("r = {expression}"))?;
    let mut outputs = Vec::new();
    collect(&machine.lookup("r").unwrap(), &mut outputs);
    Ok(Ran { leaves, outputs })
}

/// Whether a sweep from here finds a derivative at every operation, as in PyTorch.
pub fn derived(y: &Variable) -> bool {
    let mut pending: Vec<_> = y.node().into_iter().collect();
    while let Some(n) = pending.pop() {
        for (k, edge) in n.inputs().iter().enumerate() {
            if edge.tracked() && n.check_derived(k).is_err() {
                return false;
            }
            pending.extend(edge.node().cloned());
        }
    }
    y.requires_grad()
}

/// A cotangent without symmetry: cos(k + ½ + shift).
pub fn weights(shape: &[usize], shift: usize) -> Tensor {
    let n: usize = shape.iter().product();
    let at = |k: usize| (k as f64 + 0.5 + shift as f64).cos();
    Tensor::new(shape, (0..n).map(at).collect())
}

/// Gradients of Σ weights·outputs with respect to `inputs`, recorded.
pub fn gradients(
    outputs: &[Variable],
    inputs: &[Variable],
) -> Result<Vec<Option<Variable>>, String> {
    let roots: Vec<(Variable, Variable)> = outputs
        .iter()
        .enumerate()
        .filter(|(_, y)| y.requires_grad())
        .map(|(k, y)| {
            let v = weights(&y.shape(), k).to_dtype(y.dtype());
            (y.clone(), Variable::constant(v))
        })
        .collect();
    if roots.is_empty() {
        return Ok(vec![None; inputs.len()]);
    }
    let options = SweepOptions {
        create_graph: true,
        retain_graph: true,
        inputs: Some(inputs),
        ..SweepOptions::default()
    };
    caught(|| match sweep(&roots, options) {
        Ok(found) => Ok(found.inputs),
        Err(e) => Err(format!("backward: {}", e.message)),
    })
}

/// The gradients that exist.
pub fn present(gradients: &[Option<Variable>]) -> Vec<Variable> {
    gradients.iter().flatten().cloned().collect()
}
