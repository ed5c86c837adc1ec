//! `torch.manual_seed`, `rand`, `randn`, `randint`, `randperm`, `multinomial` …

use crate::constructors::{finished, finished_as};
use crate::generator;
use crate::generator::using;
use vjp_binder::Given;
use vjp_binder::readers::as_ints;
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Machine, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_maths::primitives::drawn::recorded;
use vjp_tensor::kernels::sort;
use vjp_tensor::kernels::strided::expand;
use vjp_tensor::random::Generator;
use vjp_tensor::tensor::default_dtype;
use vjp_tensor::{Dtype, Kind, Outcome, Tensor, budget, random};

builtins! {
    pub static BUILTINS in "torch";
    "manual_seed" "(seed)" manual_seed, "Sets the seed of the random numbers.";
    "seed" "()" generator::seed, "Sets a random seed and returns it.";
    "initial_seed" "()" |_, _| Ok(random::with(|g| generator::seed_shown(g))), "Returns the current seed.";
    "get_rng_state" "()" generator::get_state, "Returns the state of the random numbers.";
    "set_rng_state" "(new_state)" generator::set_state, "Restores a state of the random numbers.";
    "rand" "(int[] size, *, dtype dtype=None, bool requires_grad=False)" |m, a| using(m, a, |m, a| drawn(m, a, |g, n, single, _| g.rand(n, single))), "Draws uniform random numbers from [0, 1).";
    "randn" "(int[] size, *, dtype dtype=None, bool requires_grad=False)" |m, a| using(m, a, |m, a| drawn(m, a, Generator::randn)), "Draws standard normal random numbers.";
    "rand_like" "(Tensor input, *, dtype dtype=None, bool requires_grad=False)" |m, a| using(m, a, |m, a| like(m, a, |g, n, single, _| g.rand(n, single))), "Draws uniform random numbers with the shape of a tensor.";
    "randn_like" "(Tensor input, *, dtype dtype=None, bool requires_grad=False)" |m, a| using(m, a, |m, a| like(m, a, Generator::randn)), "Draws normal random numbers with the shape of a tensor.";
    "randint" "(int low=None, high=None, size=None, *, dtype dtype=None, bool requires_grad=False)" |m, a| using(m, a, randint), "Draws random integers from low up to, but not including, high.";
    "randint_like" "(Tensor input, low=None, high=None, *, dtype dtype=None, bool requires_grad=False)" |m, a| using(m, a, randint_like), "Draws random integers with the shape of a tensor.";
    "randperm" "(int n, *, dtype dtype=None)" |m, a| using(m, a, randperm), "Returns a random permutation of 0, …, n − 1.";
    "normal" "(mean, std=1.0, size=None, *, dtype dtype=None, bool requires_grad=False)" |m, a| using(m, a, normal), "Draws normal random numbers with a mean and a standard deviation.";
    "bernoulli" "(Tensor input, p=None)" |m, a| using(m, a, bernoulli), "Draws 1 with the given probabilities, otherwise 0.";
    "binomial" "(Tensor count, Tensor prob)" |m, a| using(m, a, binomial), "Draws how many of so many trials succeed.";
    "poisson" "(Tensor input)" |m, a| using(m, a, poisson), "Draws from Poisson distributions with the given rates.";
    "_standard_gamma" "(Tensor input)" |m, a| using(m, a, standard_gamma), "Draws from gamma distributions of rate 1 with the given shapes.";
    "_sample_dirichlet" "(Tensor input)" |m, a| using(m, a, dirichlet), "Draws from Dirichlet distributions with the given concentrations.";
    "multinomial" "(Tensor input, int num_samples, bool replacement=False)" |m, a| using(m, a, multinomial), "Draws indices with the given weights.";
}

type Draw = fn(&mut Generator, usize, bool, Dtype) -> Outcome<Vec<f64>>;

/// Whether numbers of a type are drawn as float32. Those of the default type are, so that a seeded
/// program shows what its author saw, unless it chose float64 itself.
pub fn single(machine: &Machine, asked: Option<Dtype>) -> bool {
    match asked {
        Some(dtype) => dtype != Dtype::Float64,
        None => default_dtype() == Dtype::Float32 || !machine.library.chosen_dtype,
    }
}

/// Whether the numbers of a tensor that is there are drawn as float32.
pub fn draws_single(machine: &Machine, dtype: Dtype) -> bool {
    single(machine, (dtype != default_dtype()).then_some(dtype))
}

fn tensor(shape: &[usize], dtype: Dtype, single: bool, draw: Draw) -> Outcome<Tensor> {
    let count = vjp_tensor::shape::count(shape)?;
    let data = random::with(|g| draw(g, count, single, dtype))?;
    Ok(Tensor::typed(shape, data, dtype))
}

/// The arguments of a function that draws.
///
/// # Errors
/// Too many, missing or unknown arguments; inside `vmap`.
pub fn given(args: Args) -> Tried<Given> {
    if args.name() != "manual_seed" {
        vjp_ops::batched::may_draw().at(args.site.span)?;
    }
    Given::of(args)
}

fn manual_seed(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let seed = vjp_python::convert::whole(machine, &g.value("seed").unwrap_or(Value::None))?;
    random::manual_seed(generator::seed_of(seed)?);
    // Echoed at the prompt it would only be an address.
    Ok(match machine.strict() {
        true => generator::default(),
        false => Value::None,
    })
}

fn drawn(machine: &mut Machine, args: Args, draw: Draw) -> Tried<Value> {
    // `torch.rand()` is one number.
    let args = if args.positional.is_empty() && args.named.iter().all(|(n, _)| n.as_str() != "size")
    {
        Args { positional: vec![Value::tuple(Vec::new())], ..args }
    } else {
        args
    };
    let g = given(args)?;
    let asked = g.dtype("dtype")?;
    let dtype = asked.unwrap_or_else(default_dtype);
    let size = g.size("size")?;
    if !dtype.is_float() {
        let kernel = match g.name {
            "rand" => "check_uniform_bounds",
            _ => "normal_kernel_cpu",
        };
        raise!(Kind::NotImplemented, "\"{kernel}\" not implemented for '{}'", dtype.scalar_type());
    }
    let tensor = tensor(&size, dtype, single(machine, asked), draw).at(g.site.span)?;
    finished(tensor, g.bool("requires_grad")?).at(g.site.span)
}

fn like(machine: &mut Machine, args: Args, draw: Draw) -> Tried<Value> {
    let g = given(args)?;
    let of = g.the_tensor(machine, "input")?;
    let dtype = g.dtype("dtype")?.unwrap_or_else(|| of.dtype());
    // Like a tensor of the default type: as that one was drawn.
    let single = draws_single(machine, dtype);
    let tensor = tensor(&of.shape(), dtype, single, draw).at(g.site.span)?;
    finished_as(&of, tensor, g.bool("requires_grad")?).at(g.site.span)
}

fn randint(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let first = g.int("low")?.unwrap_or(0);
    // `randint(high, size)` or `randint(low, high, size)`.
    let (low, high, size) = match (g.value("high"), g.value("size")) {
        (Some(high), Some(size)) => match high.as_int() {
            Some(high) => (first, high, as_ints(&size)),
            None => (0, first, as_ints(&high)),
        },
        (Some(size), None) => (0, first, as_ints(&size)),
        (None, size) => (0, first, size.as_ref().and_then(as_ints)),
    };
    let shape = vjp_tensor::shape::of_lengths(&size.unwrap_or_default()).at(g.site.span)?;
    let dtype = g.dtype("dtype")?.unwrap_or(Dtype::Int64);
    integers(&g, low, high, &shape, dtype)
}

fn randint_like(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let of = g.the_tensor(machine, "input")?;
    let first = g.int("low")?.unwrap_or(0);
    let (low, high) = match g.int("high")? {
        Some(high) => (first, high),
        None => (0, first),
    };
    let dtype = g.dtype("dtype")?.unwrap_or_else(|| of.dtype());
    integers(&g, low, high, &of.shape(), dtype)
}

fn integers(g: &Given, low: i64, high: i64, shape: &[usize], dtype: Dtype) -> Tried<Value> {
    if low >= high {
        raise!("random_ expects 'from' to be less than 'to', but got from={low} >= to={high}");
    }
    let count = vjp_tensor::shape::count(shape).at(g.site.span)?;
    let data = random::with(|r| r.randint(low, high, count, dtype))?;
    finished(Tensor::typed(shape, data, dtype), g.bool("requires_grad")?).at(g.site.span)
}

fn randperm(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let n = vjp_tensor::shape::of_lengths(&[g.int("n")?.unwrap_or(0)]).at(g.site.span)?[0];
    vjp_tensor::shape::count(&[n]).at(g.site.span)?;
    let dtype = g.dtype("dtype")?.unwrap_or(Dtype::Int64);
    let tensor = Tensor::typed(&[n], random::with(|r| r.randperm(n))?, dtype);
    Ok(Value::Tensor(Variable::constant(tensor)))
}

/// `normal(mean, std, size)` of numbers, or of tensors, which broadcast.
fn normal(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let tensors = |name: &str| matches!(g.value(name), Some(Value::Tensor(_)));
    if !tensors("mean") && !tensors("std") {
        let (mean, std) = (g.float("mean")?.unwrap_or(0.0), g.float("std")?.unwrap_or(1.0));
        no_negative(std)?;
        let asked = g.dtype("dtype")?;
        let dtype = asked.unwrap_or_else(default_dtype);
        let single = single(machine, asked);
        let tensor = tensor(&g.size("size")?, dtype, single, Generator::randn).at(g.site.span)?;
        let tensor = tensor.map(dtype, |v| v * std + mean).at(g.site.span)?;
        return crate::constructors::finished(tensor, g.bool("requires_grad")?).at(g.site.span);
    }
    let part = |name: &str, usual: f64| -> Tried<Variable> {
        Ok(match g.value(name) {
            Some(Value::Tensor(t)) => t.clone(),
            _ => {
                let number = g.float(name)?.unwrap_or(usual);
                Variable::constant(Tensor::number(number, default_dtype()))
            }
        })
    };
    let (mean, std) = (part("mean", 0.0)?, part("std", 1.0)?);
    if let Some(least) = std.value().data().iter().copied().reduce(f64::min)
        && least < 0.0
    {
        raise!("normal expects all elements of std >= 0.0");
    }
    let shape = vjp_tensor::shape::broadcast(&mean.shape(), &std.shape()).at(g.site.span)?;
    let dtype = if tensors("mean") { mean.dtype() } else { std.dtype() };
    of_floats(dtype, "normal_kernel_cpu")?;
    let single = draws_single(machine, dtype);
    let unit = Variable::constant(tensor(&shape, dtype, single, Generator::randn).at(g.site.span)?);
    let scaled = vjp_maths::table::mul(&unit, &std.detach()).at(g.site.span)?;
    let moved = vjp_maths::table::add(&scaled, &mean.detach()).at(g.site.span)?;
    let grad_fn = match (tensors("mean"), tensors("std")) {
        (true, false) => "NormalBackward1",
        (false, _) => "NormalBackward2",
        (true, true) => "NormalBackward3",
    };
    Ok(Value::Tensor(recorded(&[mean, std], moved.value(), ("normal", grad_fn), true)))
}

/// # Errors
/// PyTorch draws only floats so.
fn of_floats(dtype: Dtype, kernel: &str) -> Tried<()> {
    if !dtype.is_float() {
        let name = dtype.scalar_type();
        raise!(Kind::NotImplemented, "\"{kernel}\" not implemented for '{name}'");
    }
    Ok(())
}

/// # Errors
/// A negative deviation.
pub fn no_negative(std: f64) -> Tried<()> {
    if std < 0.0 {
        let shown = vjp_text::number::general(std, 6, false);
        raise!("normal expects std >= 0.0, but found std {shown}");
    }
    Ok(())
}

/// A tensor like this one, made of its elements in a row.
fn each(of: &Variable, mut draw: impl FnMut(&mut Generator, f64) -> f64) -> Outcome<Tensor> {
    let value = of.value();
    let data = random::with(|r| budget::collected(value.data().iter().map(|p| draw(r, *p))))?;
    Ok(Tensor::typed(value.shape(), data, value.dtype()))
}

/// [`each`], recorded under these names with slope 0.
fn each_recorded(
    of: &Variable,
    names: (&'static str, &'static str),
    draw: impl FnMut(&mut Generator, f64) -> f64,
) -> Outcome<Value> {
    Ok(Value::Tensor(recorded(std::slice::from_ref(of), each(of, draw)?, names, true)))
}

fn bernoulli(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let input = g.the_tensor(machine, "input")?;
    if let Some(p) = g.float("p")? {
        probability(p)?;
        let names = ("bernoulli", "NotImplemented");
        let drawn = each(&input, |r, _| r.bernoulli(p))?;
        return Ok(Value::Tensor(recorded(&[input], drawn, names, false)));
    }
    let outside = |p: &f64| !(0.0..=1.0).contains(p);
    if input.value().data().iter().any(outside) {
        raise!(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)"
        );
    }
    of_floats(input.dtype(), "bernoulli_tensor_cpu_p_")?;
    let single = draws_single(machine, input.dtype());
    let names = ("bernoulli", "BernoulliBackward0");
    Ok(each_recorded(&input, names, |r, p| f64::from(r.uniform(single) < p))?)
}

/// # Errors
/// It is not a probability.
pub fn probability(p: f64) -> Tried<()> {
    if !(0.0..=1.0).contains(&p) {
        let shown = vjp_text::number::general(p, 6, false);
        raise!("bernoulli_ expects p to be in [0, 1], but got p={shown}");
    }
    Ok(())
}

fn poisson(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let rates = g.the_tensor(machine, "input")?;
    of_floats(rates.dtype(), "poisson_cpu")?;
    if rates.value().data().iter().any(|r| r.is_nan() || *r < 0.0) {
        raise!("invalid Poisson rate, expected rate to be non-negative");
    }
    Ok(each_recorded(&rates, ("poisson", "PoissonBackward0"), Generator::poisson)?)
}

fn binomial(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let (counts, probs) = (g.the_tensor(machine, "count")?, g.the_tensor(machine, "prob")?);
    of_floats(counts.dtype(), "binomial_cpu")?;
    let shape = vjp_tensor::shape::broadcast(&counts.shape(), &probs.shape())?;
    let counts = Variable::constant(expand(&counts.value(), &shape)?);
    let probs = expand(&probs.value(), &shape)?;
    let mut probs = probs.data().iter().copied();
    let drawn = each(&counts, |r, n| r.binomial(n, probs.next().unwrap_or_default()))?;
    Ok(Value::Tensor(Variable::constant(drawn)))
}

fn standard_gamma(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let alpha = g.the_tensor(machine, "input")?;
    let single = draws_single(machine, alpha.dtype());
    let drawn = each(&alpha, |r, a| r.gamma(a, single).max(f64::from(f32::MIN_POSITIVE)))?;
    Ok(Value::Tensor(Variable::constant(drawn)))
}

/// Gamma numbers over their sum along the last dimension.
fn dirichlet(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let alpha = g.the_tensor(machine, "input")?;
    let (value, width) = (alpha.value(), alpha.shape().last().copied().unwrap_or(1).max(1));
    let mut drawn =
        random::with(|r| budget::collected(value.data().iter().map(|a| r.gamma(*a, false))))?;
    for row in drawn.chunks_mut(width) {
        let sum: f64 = row.iter().sum();
        row.iter_mut().for_each(|v| *v = (*v / sum).max(f64::from(f32::MIN_POSITIVE)));
    }
    Ok(Value::Tensor(Variable::constant(Tensor::typed(value.shape(), drawn, value.dtype()))))
}

/// With replacement a search in the running sums; without, the greatest weights over exponential
/// numbers.
fn multinomial(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let weights = g.the_tensor(machine, "input")?;
    let count = g.int("num_samples")?.unwrap_or(0);
    let again = g.bool("replacement")?;
    let shape = weights.shape();
    let Some(&width) = shape.last().filter(|_| shape.len() <= 2) else {
        raise!("prob_dist must be 1 or 2 dim");
    };
    if !weights.dtype().is_float() {
        raise!(
            "multinomial only supports floating-point dtypes for input, got: {}",
            weights.dtype().scalar_type()
        );
    }
    if count <= 0 {
        raise!("cannot sample n_sample <= 0 samples");
    }
    let count = count as usize;
    if !again && count > width {
        raise!("cannot sample n_sample > prob_dist.size(-1) samples without replacement");
    }
    let value = weights.value();
    let bad = |p: &f64| !p.is_finite() || *p < 0.0;
    if value.data().iter().any(bad) {
        raise!("probability tensor contains either `inf`, `nan` or element < 0");
    }
    let rows: Vec<&[f64]> = value.data().chunks(width.max(1)).collect();
    if rows.iter().any(|r| r.iter().sum::<f64>() <= 0.0) {
        raise!("invalid multinomial distribution (sum of probabilities <= 0)");
    }
    let cast = |v: f64| value.dtype().cast(v);
    let mut drawn = budget::vec(rows.len().saturating_mul(count))?;
    random::with(|r| {
        if again && count > 1 {
            return rows.iter().try_for_each(|row| replaced(r, row, count, cast, &mut drawn));
        }
        let scores = value.data().iter().map(|p| cast(*p / cast(r.exponential(1.0))));
        for row in budget::collected(scores)?.chunks(width.max(1)) {
            let order = sort::positions(row.len(), |a, b| row[b].total_cmp(&row[a]))?;
            drawn.extend(order.iter().take(count).map(|k| *k as f64));
        }
        Ok(())
    })?;
    let mut to = shape[..shape.len() - 1].to_vec();
    to.push(count);
    let made = Tensor::typed(&to, drawn, Dtype::Int64);
    Ok(Value::Tensor(Variable::constant(made)))
}

fn replaced(
    r: &mut Generator,
    row: &[f64],
    count: usize,
    cast: impl Fn(f64) -> f64,
    drawn: &mut Vec<f64>,
) -> Outcome<()> {
    let mut sum = 0.0;
    let mut sums: Vec<f64> = row
        .iter()
        .map(|p| {
            sum = cast(sum + p);
            sum
        })
        .collect();
    sums.iter_mut().for_each(|s| *s = cast(*s / sum));
    if let Some(last) = sums.last_mut() {
        *last = 1.0;
    }
    for _ in 0..count {
        budget::tick()?;
        let u = r.uniform(false);
        drawn.push(sums.partition_point(|s| *s < u) as f64);
    }
    Ok(())
}
