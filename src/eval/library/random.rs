//! `torch.manual_seed`, `rand`, `randn`, `randint`, `randperm`.

use super::bind::Given;
use super::builtins;
use super::constructors::finished;
use super::values::as_ints;
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::Value;
use crate::maths::complaint::{Kind, Outcome};
use crate::maths::random::{self, Generator};
use crate::maths::tensor::{Dtype, Tensor, default_dtype};
use crate::maths::variable::Variable;
use crate::raise;

builtins! {
    pub static BUILTINS in "torch";
    "manual_seed" "(seed)" manual_seed, "Starts the random numbers at a known place.";
    "initial_seed" "()" |_, _| Ok(Value::Int(random::with(|g| g.seed()) as i64)), "The seed in use.";
    "rand" "(int[] size, *, dtype dtype=None, bool requires_grad=False)" |m, a| drawn(m, a, Generator::rand), "Uniform random numbers in [0, 1).";
    "randn" "(int[] size, *, dtype dtype=None, bool requires_grad=False)" |m, a| drawn(m, a, Generator::randn), "Normal random numbers.";
    "rand_like" "(Tensor input, *, dtype dtype=None, bool requires_grad=False)" |m, a| like(m, a, Generator::rand), "Uniform random numbers in the shape of a tensor.";
    "randn_like" "(Tensor input, *, dtype dtype=None, bool requires_grad=False)" |m, a| like(m, a, Generator::randn), "Normal random numbers in the shape of a tensor.";
    "randint" "(int low, high=None, size=None, *, dtype dtype=None, bool requires_grad=False)" randint, "Random whole numbers from low up to high.";
    "randperm" "(int n, *, dtype dtype=None)" randperm, "The numbers below n in random order.";
    "normal" "(mean, std=1.0, size=None)" normal, "Normal random numbers with a mean and a deviation.";
    "bernoulli" "(Tensor input)" bernoulli, "1 with the given probabilities, else 0.";
}

type Draw = fn(&mut Generator, usize, bool) -> Vec<f64>;

/// Whether numbers of a type are drawn as float32. Those of the default type are, so that a seeded
/// program shows what its author saw, unless it chose float64 itself.
pub fn single(machine: &Machine, asked: Option<Dtype>) -> bool {
    match asked {
        Some(dtype) => dtype == Dtype::Float32,
        None => default_dtype() == Dtype::Float32 || !machine.library.chosen_dtype,
    }
}

fn tensor(shape: &[usize], dtype: Dtype, single: bool, draw: Draw) -> Outcome<Tensor> {
    let count = crate::maths::shape::count(shape)?;
    let data = random::with(|g| draw(g, count, single));
    Ok(Tensor::typed(shape, data, dtype))
}

fn given(args: Args) -> Result<Given, Halt> {
    let span = args.site.span;
    if args.name() != "manual_seed" {
        super::vmap::may_draw().at(span)?;
    }
    let signature = args.callee.map_or("()", |b| b.signature);
    Given::read(args, signature, false).at(span)
}

fn manual_seed(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let Some(seed) = g.raw(0).and_then(|v| v.as_float()) else {
        raise!(
            Kind::Type,
            "manual_seed expected a long, but got {}",
            super::types::name_of(&g.raw(0).unwrap_or(Value::None))
        );
    };
    random::manual_seed(seed as i64 as u64);
    Ok(Value::None)
}

fn drawn(machine: &mut Machine, args: Args, draw: Draw) -> Result<Value, Halt> {
    // `torch.rand()` is one number.
    let args = if args.positional.is_empty() && args.named.iter().all(|(n, _)| n.as_str() != "size")
    {
        Args {
            positional: vec![Value::tuple(Vec::new())],
            ..args
        }
    } else {
        args
    };
    let g = given(args)?;
    let asked = g.dtype("dtype")?;
    let dtype = asked.unwrap_or_else(default_dtype);
    let size = g.size("size")?;
    let tensor = tensor(&size, dtype, single(machine, asked), draw).at(g.site.span)?;
    finished(tensor, g.bool("requires_grad")?).at(g.site.span)
}

fn like(machine: &mut Machine, args: Args, draw: Draw) -> Result<Value, Halt> {
    let g = given(args)?;
    let of = g.the_tensor(machine, "input")?;
    let dtype = g.dtype("dtype")?.unwrap_or_else(|| of.dtype());
    // Like a tensor of the default type: as that one was drawn.
    let asked = (dtype != default_dtype()).then_some(dtype);
    let tensor = tensor(&of.shape(), dtype, single(machine, asked), draw).at(g.site.span)?;
    finished(tensor, g.bool("requires_grad")?).at(g.site.span)
}

fn randint(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let first = g.int("low")?.unwrap_or(0);
    // `randint(high, size)` or `randint(low, high, size)`.
    let (low, high, size) = match (g.value("high"), g.value("size")) {
        (Some(high), Some(size)) => (first, high.as_int().unwrap_or(first), as_ints(&size)),
        (Some(size), None) => (0, first, as_ints(&size)),
        (None, size) => (0, first, size.as_ref().and_then(as_ints)),
    };
    if low >= high {
        raise!(
            Kind::Runtime,
            "random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        );
    }
    let shape: Vec<usize> = size
        .unwrap_or_default()
        .iter()
        .map(|n| (*n).max(0) as usize)
        .collect();
    let count = crate::maths::shape::count(&shape).at(g.site.span)?;
    let data = random::with(|r| r.randint(low, high, count));
    let dtype = g.dtype("dtype")?.unwrap_or(Dtype::Int64);
    finished(Tensor::typed(&shape, data, dtype), g.bool("requires_grad")?).at(g.site.span)
}

fn randperm(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let Ok(n) = usize::try_from(g.int("n")?.unwrap_or(0)) else {
        raise!(
            Kind::Runtime,
            "n must be non-negative, got {}",
            g.int("n")?.unwrap_or(0)
        );
    };
    crate::maths::shape::count(&[n]).at(g.site.span)?;
    let tensor = Tensor::new(&[n], random::with(|r| r.randperm(n))).with_dtype(Dtype::Int64);
    Ok(Value::Tensor(Variable::constant(tensor)))
}

fn normal(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let (mean, std) = (
        g.float("mean")?.unwrap_or(0.0),
        g.float("std")?.unwrap_or(1.0),
    );
    let dtype = default_dtype();
    let tensor = tensor(
        &g.size("size")?,
        dtype,
        single(machine, None),
        Generator::randn,
    )
    .at(g.site.span)?;
    let tensor = tensor.map(dtype, |v| v * std + mean).at(g.site.span)?;
    Ok(Value::Tensor(Variable::constant(tensor)))
}

fn bernoulli(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let p = g.the_tensor(machine, "input")?.value();
    let data = random::with(|r| {
        p.data()
            .iter()
            .map(|p| f64::from(r.uniform(false) < *p))
            .collect()
    });
    Ok(Value::Tensor(Variable::constant(Tensor::typed(
        p.shape(),
        data,
        p.dtype(),
    ))))
}
