//! Long arrays are computed late and a tile at a time: to the bit what short ones give, whoever looks on.

use crate::support::run::Test;
use vjp::maths::autodiff::reverse::{SweepOptions, sweep};
use vjp::maths::autodiff::variable::{Variable, apply};
use vjp::maths::table::{self, MUL, Row};
use vjp::tensor::storage::late::LATE_FROM;
use vjp::tensor::tensor::{Dtype, Tensor};

/// The first elements of a long array, as an array that no run takes: whole vectors, and no more than one tile.
const SHORT: usize = 1024;

/// Numbers of an operand's domain.
fn operand(row: &Row, k: usize, n: usize, dtype: Dtype) -> Tensor {
    let (low, high) = row.domain.get(k).or(row.domain.last()).copied().unwrap_or((-2.0, 2.0));
    let at = |i: usize| low + (high - low) * ((i * 37 + 11 * k) % 1009) as f64 / 1009.0;
    Tensor::typed(&[n], (0..n).map(at).collect(), dtype)
}

/// The value of `row` squared, and its gradients at some v, of arrays of n elements.
fn square(row: &Row, n: usize, dtype: Dtype) -> Option<Vec<Tensor>> {
    let defaults: Vec<f64> = row.params.iter().map(|(_, d)| *d).collect();
    let xs: Vec<Variable> =
        (0..row.fun.operands).map(|k| Variable::leaf(operand(row, k, n, dtype))).collect();
    let h = apply((row.fun.operation)(&defaults), &xs).unwrap();
    let y = apply((MUL.operation)(&[]), &[h.clone(), h]).unwrap();
    if !y.requires_grad() || y.dtype() != dtype {
        return None;
    }
    let v = operand(row, 7, n, dtype);
    let options = SweepOptions { inputs: Some(&xs), ..SweepOptions::default() };
    let swept = sweep(&[(y.clone(), Variable::constant(v))], options).ok()?;
    let gradients = swept.inputs.into_iter().flatten().map(|g| g.value());
    Some(gradients.chain([y.value()]).collect())
}

#[test]
fn every_row_is_the_same_of_long_arrays_and_of_short_ones() {
    let mut wrong = Vec::new();
    for row in table::rows() {
        for dtype in [Dtype::Float64, Dtype::Float32] {
            let long = square(row, LATE_FROM + SHORT + 5, dtype);
            let short = square(row, SHORT, dtype);
            let bits =
                |t: &Tensor| t.data()[..SHORT].iter().map(|v| v.to_bits()).collect::<Vec<u64>>();
            let same = match (&long, &short) {
                (Some(a), Some(b)) => {
                    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| bits(a) == bits(b))
                }
                (a, b) => a.is_none() && b.is_none(),
            };
            if !same {
                wrong.push(format!("{} {dtype:?}", row.fun.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Each function is applied to a long array and to the first part of it; `look` stands for whatever a program does in
/// between.
const PROGRAM: &str = r#"
import torch
SHORT = 1024

def chain(x, look): return torch.tanh(torch.sin(x) * x + torch.exp(-(x * x))) / (1.0 + x * x)
def shared(x, look):
    h = torch.sigmoid(x * 3)
    look(h)
    return h * h + torch.relu(h - 0.5) * x + h.sqrt()
def repeated(x, look):
    for _ in range(150):
        x = x * 0.99 + 0.01
    return x
def doubled(x, look):
    for _ in range(12):
        x = x * x * 0.5 + x
        look(x)
    return x
def in_place(x, look):
    h = torch.cos(x)
    k = h * 2
    h = h.mul_(3).add_(x)
    look(h)
    return h + k
def viewed(x, look): return torch.exp(x.view(-1, 1)).reshape(-1) * x - x.clone()
def fixed(x, look): return x.detach() * x + (x > 0) * x + torch.where(x > 0.5, x * 2, x.sin())
def unreached(x, look):
    with torch.no_grad(): a = (x * 1).view(-1)
    return a * 2 + 1 + x
def lost(x, look):
    h = x * 1
    with torch.no_grad(): a = h.view(-1)
    t = a * 2 + 1
    if t.requires_grad: t.backward(torch.ones_like(t))
    return t + h
def mixed(x, look): return (x * 2 + torch.arange(len(x)) % 7 + 2).log1p() / 3
def cast(x, look):
    d, f = x.double(), x.float()
    h = d.exp() * d
    look(h)
    return h.to(x.dtype) * 2 + (f.sin() * f + 1).to(x.dtype) * x + (h * f).to(x.dtype)
FUNCTIONS = [cast, chain, shared, repeated, doubled, in_place, viewed, fixed, unreached, lost, mixed]

hooks = []
def nothing(h): pass
def retained(h):
    if h.requires_grad: h.retain_grad()
def hooked(h):
    if h.requires_grad: h.register_hook(lambda g: g * 2)
def read(h): h[3].item()
LOOKS = [nothing, retained, hooked, read]

def by_backward(f, x, look):
    x = x.clone().requires_grad_(True)
    f(x, look).sum().backward()
    return x.grad
def twice(f, x, look):
    x = x.clone().requires_grad_(True)
    y = f(x, look)
    y.backward(torch.ones_like(x), retain_graph=True)
    y.sum().backward()
    return x.grad
def by_grad(f, x, look):
    x = x.clone().requires_grad_(True)
    h = x * 1.5
    return torch.autograd.grad(f(h, look).sum(), [h, x])[1]
def of_second_order(f, x, look):
    x = x.clone().requires_grad_(True)
    g, = torch.autograd.grad(f(x, nothing).sum(), x, create_graph=True)
    if not g.requires_grad: return g
    g.cos().sum().backward()
    return x.grad
def written_later(f, x, look):
    x = x.clone().requires_grad_(True)
    y = f(x * 1.0, look)
    with torch.no_grad(): x += 5
    return y.detach()
def without(f, x, look):
    with torch.no_grad(): return f(x, nothing)
WAYS = [by_backward, twice, by_grad, of_second_order, written_later, without]

for dtype in (torch.float64, torch.float32):
    x = torch.linspace(-1, 1, 40000, dtype=dtype)[torch.arange(40000) * 7 % 40000]
    for f in FUNCTIONS:
        for look in LOOKS:
            for way in WAYS:
                a, b = way(f, x, look)[:SHORT], way(f, x[:SHORT].clone(), look)
                if not torch.equal(a, b):
                    print(dtype, f.__name__, look.__name__, way.__name__, (a - b).abs().max().item())
print("done")
"#;

#[test]
fn programs_over_long_arrays_give_what_they_give_over_short_ones() {
    Test::new()
        .args(&["run", "--plain", "--strict", "p.py"])
        .file("p.py", PROGRAM)
        .stdout("done\n")
        .run();
}

/// What nobody asks for is not stored: two hundred steps over a hundred megabytes.
#[test]
fn a_chain_of_steps_needs_the_memory_of_a_few() {
    let program = "import torch\nx = torch.ones(2_000_000, dtype=torch.float64)\nx.requires_grad_(True)\ny = x\n\
                   for _ in range(200):\n    y = y * 1.001\n\
                   y.sum().backward()\nprint(x.grad[0])\n";
    Test::new()
        .args(&["run", "--plain", "--strict", "--memory", "150MiB", "p.py"])
        .file("p.py", program)
        .stdout("tensor(1.2213)\n")
        .run();
}
