//! What normalises rows: mean 0, variance 1, then a weight and a bias by channel.

use crate::moments::batch::{Batch, Sums};
use crate::moments::{self, EachRow, Factors, Kernel, Moments, ROWS_FROM, Row, Work};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use vjp_maths::matrix::selection::copies;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::primitives::sum::Rows;
use vjp_maths::saved::attribute::{Attribute, Attributes};
use vjp_maths::{
    Array, Edge, Expr, Formula, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable, apply,
    table,
};
use vjp_ops::arrange::layout;
use vjp_ops::compose::{grouped, number, unary};
use vjp_ops::reduce::statistics::Var;
use vjp_ops::reduce::{Axes, mean};
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::kernels::Cpu;
use vjp_tensor::kernels::blocks::{self, Stored};
use vjp_tensor::torch_messages::sizes;
use vjp_tensor::{
    Dtype, ElementMap, Kind, Outcome, Tensor, budget, complain, mixed_dtypes, shape, torch_messages,
};

/// `y = (x − m) / √(v + ε)` over some dimensions, then times a weight and plus a bias by channel, where these
/// are inputs.
#[derive(Debug)]
pub(crate) struct LayerNorm {
    pub axes: Axes,
    pub eps: f64,
    pub kernel: Kernel,
    pub channels: Channels,
    /// What was normed, and the moments of its rows: backward needs them again.
    known: RefCell<Option<(Tensor, Rc<[Moments]>)>>,
    pulled: RefCell<Option<Pulled>>,
}

/// Of a batch: what was normed, what was pulled, and the sums of its channels.
type Pulled = (Tensor, Tensor, Rc<[Sums]>);

/// Which of the factors each element has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Channels {
    /// How many elements of a channel lie together.
    pub inner: usize,
    pub count: usize,
    pub weight: bool,
    pub bias: bool,
}

impl Channels {
    fn of(self, p: usize) -> usize {
        p / self.inner.max(1) % self.count.max(1)
    }

    /// The first channel of row `k` of `n` elements.
    fn of_row(self, kernel: Kernel, k: usize, n: usize) -> usize {
        match kernel {
            // A row is a channel, or what lies together of one.
            Kernel::Batch { .. } => k % self.count.max(1),
            _ => self.of(k * n),
        }
    }

    /// Which input the bias is.
    fn bias_at(self) -> usize {
        1 + usize::from(self.weight)
    }
}

/// `x` normed, with the factors that are given.
pub(crate) fn norm(
    x: Variable,
    (weight, bias): (Option<Variable>, Option<Variable>),
    (axes, eps, kernel): (Axes, f64, Kernel),
    (inner, count): (usize, usize),
) -> Outcome<(Variable, Rc<[Moments]>)> {
    let channels = Channels { inner, count, weight: weight.is_some(), bias: bias.is_some() };
    let given: Vec<Variable> = [Some(x), weight, bias].into_iter().flatten().collect();
    let (own, all) = (given[0].dtype(), given.iter().map(Variable::dtype));
    // Of 16-bit floats beside factors of 32, all is done in 32.
    let work = all.into_iter().find(|d| *d != own).unwrap_or(own);
    let given: Outcome<Vec<Variable>> = given.iter().map(|v| layout::to_dtype(v, work)).collect();
    let (op, given) = (Rc::new(LayerNorm::new(axes, eps, kernel, channels)), given?);
    let y = apply(op.clone(), &given)?;
    Ok((layout::to_dtype(&y, own)?, op.moments(&given[0].value())?))
}

impl LayerNorm {
    fn new(axes: Axes, eps: f64, kernel: Kernel, channels: Channels) -> LayerNorm {
        let (known, pulled) = Default::default();
        LayerNorm { axes, eps, kernel, channels, known, pulled }
    }

    /// The moments of all rows.
    pub fn moments(&self, x: &Tensor) -> Outcome<Rc<[Moments]>> {
        if let Some((own, known)) = &*self.known.borrow()
            && own.shares_numbers(x)
        {
            return Ok(known.clone());
        }
        let all: Rc<[Moments]> = match self.batch() {
            Some(batch) => batch.moments(x, self.eps)?.into(),
            None => self.of_rows(x)?.into(),
        };
        *self.known.borrow_mut() = Some((x.clone(), all.clone()));
        Ok(all)
    }

    fn of_rows(&self, x: &Tensor) -> Outcome<Vec<Moments>> {
        let (n, rows) = (self.axes.count().max(1), self.axes.by_row(x)?);
        let (cpu, dtype) = (Cpu::over(x.numel()), x.dtype());
        let (kernel, eps) = (self.kernel, self.eps);
        let mut all = budget::filled(x.numel() / n, Moments::default())?;
        let some = (ROWS_FROM / n).max(1);
        let parts = all.chunks_mut(some).enumerate();
        let short = x.single().is_some();
        blocks::each(parts, x.numel() >= blocks::PARALLEL_FROM, |(k, out)| {
            let own = (k * some..).take(out.len());
            if short {
                let rows: Vec<Cow<[f32]>> = own.map(|row| rows.get(row)).collect();
                moments::work(dtype, cpu, OfRows { kernel, eps, rows: &rows, out });
            } else {
                let rows: Vec<Cow<[f64]>> = own.map(|row| rows.get(row)).collect();
                moments::work(dtype, cpu, OfRows { kernel, eps, rows: &rows, out });
            }
        })?;
        Ok(all)
    }

    fn batch(&self) -> Option<Batch> {
        match self.kernel {
            Kernel::Batch { inner } => {
                Some(Batch { channels: self.channels.count, inner: inner.max(1) })
            }
            _ => None,
        }
    }

    /// The sums of a batch's channels, whichever input is asked for first.
    fn sums(&self, x: &Tensor, v: &Tensor) -> Outcome<Option<Rc<[Sums]>>> {
        let Some(batch) = self.batch() else { return Ok(None) };
        if let Some((own, of, known)) = &*self.pulled.borrow()
            && own.shares_numbers(x)
            && of.shares_numbers(v)
        {
            return Ok(Some(known.clone()));
        }
        let all: Rc<[Sums]> = batch.sums(x, v, &self.moments(x)?)?.into();
        *self.pulled.borrow_mut() = Some((x.clone(), v.clone(), all.clone()));
        Ok(Some(all))
    }

    fn mean_map<A>(&self) -> Vec<LinearMap<A>> {
        let ones = self.axes.ones();
        vec![
            LinearMap::Collapse { from: self.axes.from.clone(), to: ones.clone() },
            LinearMap::Scale { by: 1.0 / self.axes.count() as f64, shape: ones.clone() },
            LinearMap::Expand { from: ones, to: self.axes.from.clone() },
        ]
    }

    /// The value, or vᵀJ with respect to the rows.
    fn by_row(&self, inputs: &[&Tensor], v: Option<&Tensor>) -> Outcome<Tensor> {
        /// Shorter parts of a batch are sooner put beside each other.
        const LONG: usize = 16;
        let (x, dtype) = (inputs[0], inputs[0].dtype());
        let moments = self.moments(x)?;
        let sums = v.map(|v| self.sums(x, v)).transpose()?.flatten();
        let sums = sums.as_deref().unwrap_or_default();
        let mut axes = Cow::Borrowed(&self.axes);
        // Once its sums are known, each part of a batch is on its own.
        if self.batch().is_some_and(|batch| batch.inner >= LONG) {
            axes.to_mut().dims.retain(|d| *d > 1);
        }
        let n = axes.count().max(1);
        let rows = axes.by_row(x)?;
        let v = v.map(|v| axes.by_row(v)).transpose()?;
        let (kernel, parts) = (self.kernel, n / self.kernel.part(n));
        let factors: Vec<&[f64]> = inputs[1..].iter().map(|t| t.data()).collect();
        let (channels, moments) = (self.channels, &*moments);
        let all = NormedRows { rows, v, factors, channels, moments, sums, kernel, parts, dtype };
        moments::by_row(&axes, x, &all)
    }

    /// vᵀJ with respect to the weight or the bias.
    fn factor_pulled(&self, inputs: &[&Tensor], wrt: usize, v: &Tensor) -> Outcome<Tensor> {
        let (x, factor, n) = (inputs[0], inputs[wrt], self.axes.count().max(1));
        // A bias does not ask where it is added.
        let (weight, dtype) = (self.channels.weight && wrt == 1, x.dtype());
        if let Some(sums) = self.sums(x, v)? {
            let work = if dtype == Dtype::Float64 { dtype } else { Dtype::Float32 };
            let moments = self.moments(x)?;
            let given = sums.iter().zip(&*moments).map(|(sums, at)| match weight {
                true => work.cast(sums.along * at.scale),
                false => work.cast(sums.total),
            });
            return Ok(Tensor::typed(factor.shape(), given.collect(), dtype));
        }
        let (count, short, v) = (v.numel(), v.single().is_some(), self.axes.by_row(v)?);
        let of = || -> Outcome<_> { Ok((self.axes.by_row(x)?, self.moments(x)?)) };
        let rows = weight.then(of).transpose()?;
        let rows = rows.as_ref().map(|(rows, moments)| (rows, &**moments));
        let (cpu, kernel) = (Cpu::over(count), self.kernel);
        let mut sums = vec![0.0; factor.numel()];
        let given = Given { kernel, rows, v, dtype, cpu };
        let add = |k: usize, sums: &mut [f64]| match short {
            true => given.add::<f32>(k, sums),
            false => given.add::<f64>(k, sums),
        };
        for k in 0..count / n {
            add(k, &mut sums[self.channels.of_row(kernel, k, n)..]);
            budget::tick()?;
        }
        Ok(Tensor::typed(factor.shape(), sums, dtype))
    }

    /// From the factors `from` to the elements that have them.
    fn element_map(&self, from: &[usize]) -> ElementMap {
        let to = &self.axes.from;
        let index = (0..to.iter().product()).map(|p| self.channels.of(p)).collect();
        element_map(from, to, index)
    }

    /// `1/√(v + ε)` for every element.
    fn scale<A: Array>(&self, x: &A) -> Formula<A> {
        if A::WHOLE {
            let variance = Rc::new(Var::of_all(self.axes.clone()));
            let variance = A::run(variance, &[x], &self.axes.ones());
            return (Formula::In(variance.expand(&self.axes.from)) + self.eps).sqrt().reciprocal();
        }
        let centred = self.centred(x);
        let variance = LinearMap::Then(self.mean_map()).apply(&centred.mul(&centred));
        (Formula::In(variance) + self.eps).sqrt().reciprocal()
    }

    fn centred<A: Array>(&self, x: &A) -> A {
        x.add(&LinearMap::Then(self.mean_map()).apply(x).scale(-1.0))
    }

    /// `(x − m) / √(v + ε)`.
    fn standard<A: Array>(&self, at: &Point<A>) -> A {
        if !self.channels.weight && !self.channels.bias {
            return at.output.clone();
        }
        let x = at.inputs[0];
        if A::WHOLE {
            let channels = Channels { weight: false, bias: false, ..self.channels };
            let (axes, eps, kernel) = (self.axes.clone(), self.eps, self.kernel);
            let bare = LayerNorm::new(axes, eps, kernel, channels);
            return A::run(Rc::new(bare), &[x], at.value.shape());
        }
        match self.scale(x) {
            Formula::In(r) => self.centred(x).mul(&r),
            Formula::Const(r) => self.centred(x).scale(r),
        }
    }
}

/// The means and the reciprocal deviations of some rows.
struct OfRows<'a, T: Stored> {
    kernel: Kernel,
    eps: f64,
    rows: &'a [Cow<'a, [T]>],
    out: &'a mut [Moments],
}

impl<T: Stored> Row for OfRows<'_, T> {
    type Out = ();

    #[inline(always)]
    fn done<W: Work>(self, w: W) {
        for (at, row) in self.out.iter_mut().zip(self.rows) {
            *at = self.kernel.moments(w, row, self.eps);
        }
    }
}

/// All rows normed, or `v` pulled through that.
struct NormedRows<'a> {
    rows: Rows<'a>,
    v: Option<Rows<'a>>,
    factors: Vec<&'a [f64]>,
    channels: Channels,
    moments: &'a [Moments],
    /// Of a batch's channels.
    sums: &'a [Sums],
    kernel: Kernel,
    /// Factors of a row.
    parts: usize,
    dtype: Dtype,
}

impl EachRow for NormedRows<'_> {
    fn row<T: Stored>(&self, cpu: Cpu, first: usize, out: &mut [T]) {
        let (k, kernel, channels) = (first / out.len(), self.kernel, self.channels);
        let start = channels.of_row(kernel, k, out.len());
        let of = |at: usize| &self.factors[at - 1][start..][..self.parts];
        let by = Factors {
            weight: channels.weight.then(|| of(1)),
            bias: channels.bias.then(|| of(channels.bias_at())),
        };
        let row: &[T] = &self.rows.get(k);
        let v = self.v.as_ref().map(|v| v.get(k));
        let at = k % self.moments.len();
        let at = (self.moments[at], self.sums.get(at).copied().unwrap_or_default());
        moments::work(self.dtype, cpu, Through { kernel, row, v: v.as_deref(), at, by, out });
    }
}

/// A row normed, or `v` pulled through that.
struct Through<'a, T> {
    kernel: Kernel,
    row: &'a [T],
    v: Option<&'a [T]>,
    at: (Moments, Sums),
    by: Factors<'a>,
    out: &'a mut [T],
}

impl<T: Stored> Row for Through<'_, T> {
    type Out = ();

    #[inline(always)]
    fn done<W: Work>(self, w: W) {
        let Through { kernel, row, v, at, by, out } = self;
        match v {
            Some(v) => kernel.pulled(w, (row, v), at, by, out),
            None => kernel.normed(w, row, at.0, by, out),
        }
    }
}

/// Rows that give to the weights of their channels, or to their biases.
struct Given<'a> {
    kernel: Kernel,
    /// None of biases.
    rows: Option<(&'a Rows<'a>, &'a [Moments])>,
    v: Rows<'a>,
    dtype: Dtype,
    cpu: Cpu,
}

impl Given<'_> {
    fn add<T: Stored>(&self, k: usize, sums: &mut [f64]) {
        let (kernel, own) = (self.kernel, self.rows.map(|(rows, at)| (rows.get::<T>(k), at[k])));
        let row = own.as_ref().map(|(row, at)| (&**row, *at));
        moments::work(self.dtype, self.cpu, OfFactor { kernel, row, v: &self.v.get(k), sums });
    }
}

/// What a row gives.
struct OfFactor<'a, T> {
    kernel: Kernel,
    row: Option<(&'a [T], Moments)>,
    v: &'a [T],
    sums: &'a mut [f64],
}

impl<T: Stored> Row for OfFactor<'_, T> {
    type Out = ();

    #[inline(always)]
    fn done<W: Work>(self, w: W) {
        match self.row {
            Some((row, at)) => self.kernel.pulled_weight(w, (row, self.v), at, self.sums),
            None => self.kernel.pulled_bias(w, self.v, self.sums),
        }
    }
}

impl Rule for LayerNorm {
    fn name(&self) -> &'static str {
        match self.kernel {
            Kernel::Layer => "layer_norm",
            Kernel::Group { .. } => "group_norm",
            Kernel::Batch { .. } => "batch_norm",
        }
    }

    /// By mean and variance, whichever kernel it is.
    fn call(&self, inputs: &[String]) -> Option<String> {
        let (name, axes) = (Rule::name(self), &self.axes);
        let mut said = inputs.join(", ");
        let last = axes.from.len().saturating_sub(axes.dims.len());
        match self.kernel {
            Kernel::Layer if last + 1 < axes.from.len() => {
                said += &format!(", normalized_shape={:?}", &axes.from[last..]);
            }
            Kernel::Group { .. } => {
                let groups = axes.from[1];
                said += &format!(", num_groups={groups}");
            }
            _ => {}
        }
        if self.eps != 1e-5 {
            said += &format!(", eps={:?}", self.eps);
        }
        Some(format!("torch.nn.functional.{name}({said})"))
    }

    fn code(&self, inputs: &[String]) -> Option<String> {
        let (x, dims) = (&inputs[0], self.axes.code());
        let var = format!("torch.var({x}{dims}, correction=0)");
        let mut text =
            format!("({x} - {x}.mean({})) / torch.sqrt({var} + {})", &dims[2..], self.eps);
        let from =
            |k: usize| if k == 1 && self.channels.weight { 1 } else { self.channels.bias_at() };
        let spread = |k: usize| {
            let map = self.element_map(&[self.channels.count]);
            let shape = copies(&map)?.iter().map(usize::to_string).collect::<Vec<_>>();
            Some(format!("{}.reshape({})", inputs[from(k)], shape.join(", ")))
        };
        if self.channels.weight {
            text = format!("{text} * {}", spread(1)?);
        }
        if self.channels.bias {
            text = format!("{text} + {}", spread(2)?);
        }
        Some(format!("({text})"))
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        self.by_row(inputs, None)
    }

    fn pull(&self, at: &Point<Tensor>, wrt: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let pulled = match wrt {
            0 => self.by_row(at.inputs, Some(v)),
            _ => self.factor_pulled(at.inputs, wrt, v),
        };
        // Nobody asks for these sums again.
        if wrt + 1 == at.inputs.len() {
            self.pulled.take();
        }
        Some(pulled)
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        let x = inputs[0];
        let mut data = x.data.to_vec();
        let n = self.axes.count().max(1);
        for group in self.axes.groups().chunks(n) {
            let row: Vec<Formula<Expr>> =
                group.iter().map(|p| Formula::In(x.data[*p].clone())).collect();
            let average = |terms: Vec<Formula<Expr>>| {
                terms.into_iter().reduce(|a, b| a + b).map(|s| s / n as f64)
            };
            let m = average(row.clone())?;
            let v = average(row.iter().map(|x| (x - &m).square()).collect())?;
            let root = (v + self.eps).sqrt();
            for (p, x) in group.iter().zip(&row) {
                let mut y = (x - &m) / &root;
                let factor = |k: usize| Formula::In(inputs[k].data[self.channels.of(*p)].clone());
                if self.channels.weight {
                    y = y * factor(1);
                }
                if self.channels.bias {
                    y = y + factor(self.channels.bias_at());
                }
                data[*p] = y.expr();
            }
        }
        Some(Symbols { shape: x.shape.clone(), data: data.into() })
    }

    /// dy = r (dx − mean dx − y mean(y dx))
    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        let shape = self.axes.from.clone();
        let weigh = |by: A| LinearMap::Diagonal { by, shape: shape.clone() };
        let scale = |by: f64| LinearMap::Scale { by, shape: shape.clone() };
        let spread = |k: usize| LinearMap::Gather(self.element_map(&at.inputs[k].shape()));
        if wrt != 0 && wrt == self.channels.bias_at() {
            return spread(wrt);
        }
        let y = self.standard(at);
        if wrt != 0 {
            return LinearMap::Then(vec![spread(wrt), weigh(y)]);
        }
        let mut mean = self.mean_map();
        mean.push(scale(-1.0));
        let mut along = vec![weigh(y.clone())];
        along.extend(self.mean_map());
        along.push(weigh(y.scale(-1.0)));
        let inner =
            LinearMap::Plus(vec![scale(1.0), LinearMap::Then(mean), LinearMap::Then(along)]);
        let by_root = match self.scale(at.inputs[0]) {
            Formula::In(r) => weigh(r),
            Formula::Const(r) => scale(r),
        };
        let by_weight = self.channels.weight.then(|| weigh(spread(1).apply(at.inputs[1])));
        LinearMap::Then([inner, by_root].into_iter().chain(by_weight).collect())
    }
}

impl TorchNode for LayerNorm {
    fn grad_fn(&self) -> &'static str {
        "NativeLayerNormBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::Inputs(if self.channels.weight { 0b11 } else { 1 })
    }

    /// Beside the input, weight and bias.
    fn arguments(&self, _: &[Edge]) -> Vec<Option<usize>> {
        let Channels { weight, bias, .. } = self.channels;
        vec![Some(0), weight.then_some(1), bias.then_some(self.channels.bias_at())]
    }

    /// The mean and the reciprocal deviation of each row.
    fn attributes(&self, inputs: &[&Tensor]) -> Attributes {
        let x = inputs[0];
        let Ok(all) = self.moments(x) else { return Attributes::new() };
        let (means, factors) = all.iter().map(|at| (at.mean, at.scale)).unzip();
        let keeps = self.kernel == Kernel::Layer;
        let shape = shape::reduced(&self.axes.from, &self.axes.dims, keeps);
        let own = |all| Attribute::Tensor(Tensor::typed(&shape, all, x.dtype()));
        vec![("result1", own(means)), ("result2", own(factors))]
    }
}

/// The first of the dimensions that `wanted` names, the last ones of `x`; a weight and a bias have the
/// same.
pub(crate) fn normalized(
    b: &Bound,
    x: &Variable,
    factors: &[(usize, &str)],
    star: &str,
    kernel: &str,
) -> Outcome<usize> {
    let (own, wanted) = (x.shape(), b.ints(1).unwrap_or_default());
    if wanted.is_empty() {
        complain!(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []"
        );
    }
    for (k, name) in factors.iter().filter(|(k, _)| b.has(*k)) {
        let given: Vec<i64> = b.tensor(*k)?.shape().iter().map(|n| *n as i64).collect();
        if given != wanted {
            complain!(
                "Expected {name} to be of same shape as normalized_shape, but got {name} of shape {} and normalized_shape = {}",
                sizes(&given),
                sizes(&wanted)
            );
        }
    }
    let tail = own
        .len()
        .checked_sub(wanted.len())
        .filter(|k| own[*k..].iter().zip(&wanted).all(|(a, w)| *a as i64 == *w));
    let Some(tail) = tail else {
        complain!(
            "Given normalized_shape={}, expected input with shape [*{star}{}, but got input of size{}",
            sizes(&wanted),
            &sizes(&wanted)[1..],
            sizes(&own)
        );
    };
    if kernel == "LayerNormKernelImpl" {
        one_type(b, x, &[2, 3])?;
    }
    torch_messages::floats_only(kernel, x.dtype())?;
    Ok(tail)
}

/// Numbers that are normed and the factors beside them are of one type; 16-bit floats may have factors
/// of 32.
pub fn one_type(b: &Bound, x: &Variable, factors: &[usize]) -> Outcome<()> {
    for k in factors.iter().filter(|k| b.has(**k)) {
        let (own, by) = (x.dtype(), b.tensor(*k)?.dtype());
        let half = own.is_half();
        if own != by && !(half && by == Dtype::Float32) && !mixed_dtypes::permitted() {
            let says = match by != Dtype::Float32 {
                true => "expect parameter to have scalar type of Float",
                false => "all inputs must share same datatype.",
            };
            complain!("mixed dtype (CPU): {says}");
        }
    }
    Ok(())
}

fn layer_norm(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let own = x.shape();
    let tail = normalized(b, &x, &[(2, "weight"), (3, "bias")], ", ", "LayerNormKernelImpl")?;
    let dims: Vec<i64> = (tail..own.len()).map(|d| d as i64).collect();
    let axes = Axes::new(&own, Some(&dims), true)?;
    let grad_fn = "NativeLayerNormBackward0";
    let kernel = (axes, b.float_or(4, 1e-5), Kernel::Layer);
    let count = own[tail..].iter().product();
    if !b.has(2) && !b.has(3) {
        return Ok(Out::One(norm(x, (None, None), kernel, (1, count))?.0));
    }
    let group = grouped(b, "layer_norm", grad_fn, 0b111, &[0, 2, 3])?;
    let (y, _) = norm(b.tensor(0)?, factors(b, 2, 3)?, kernel, (1, count))?;
    Ok(Out::One(group.output(&y)?))
}

/// The weight and the bias, where they are given.
pub(super) fn factors(
    b: &Bound,
    weight: usize,
    bias: usize,
) -> Outcome<(Option<Variable>, Option<Variable>)> {
    let given = |k: usize| b.has(k).then(|| b.tensor(k)).transpose();
    Ok((given(weight)?, given(bias)?))
}

fn rms_norm(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    if x.rank() == 0 {
        complain!(Kind::Value, "Input tensor must have at least 1 dimensions, but got 0");
    }
    normalized(b, &x, &[(2, "weight")], "", "rms_norm")?;
    let dims: Vec<i64> = (1..=b.ints(1).unwrap_or_default().len() as i64).map(|d| -d).collect();
    let own = x.dtype();
    let work = if own == Dtype::Float64 { own } else { Dtype::Float32 };
    let x = layout::to_dtype(&x, work)?;
    let least = if own == Dtype::Float64 { f64::EPSILON } else { f64::from(f32::EPSILON) };
    let eps = b.float_or(3, least);
    let power = mean(&unary("square", &x)?, Some(&dims), true)?;
    let root = unary("rsqrt", &table::add(&power, &number(eps))?)?;
    let mut y = table::mul(&x, &root)?;
    if b.has(2) {
        y = table::mul(&y, &b.tensor(2)?)?;
    }
    Ok(Out::One(layout::to_dtype(&y, own)?))
}

const F: Forms = Forms::F;
const RMS: &str = "(Tensor input, ints normalized_shape, Tensor weight=None, float eps=None)";

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "layer_norm" F.and(Forms::TORCH), "(Tensor input, ints normalized_shape, Tensor weight=None, Tensor bias=None, float eps=1e-05)", "y = (x − m)/√(v + ε), times weight, plus bias; with z = (x − m)/√(v + ε): ∂zᵢ/∂xⱼ = (δᵢⱼ − 1/n − zᵢzⱼ/n)/√(v + ε)", "F.layer_norm(tensor([1., 2., 4.]), (3,))", ["normalize", "var"] jax "layer_norm({*})"
        => layer_norm;
    "rms_norm" F.and(Forms::TORCH), RMS, "y = x/√(mean x² + ε)", "F.rms_norm(tensor([3., 4.]), (2,))", ["layer_norm"] jax "rms_norm({*})"
        => rms_norm;
};
