//! Functions made from functions, and the differentiation of calls that they share:
//! `torch.func.grad(f)`, `torch.autograd.functional.jacobian(f, x)` …

use crate::jacobian::dense;
use std::rc::Rc;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::{Args, At, Machine, Object, Site, Tried, Value, raise};
use vjp_maths::autodiff::grad_mode::with_grad;
use vjp_maths::autodiff::reverse::{SweepOptions, ancestors, ones_like, sweep};
use vjp_maths::primitives::moves::cloned;
use vjp_maths::{LinearMap, Node, Origin, Saves, Variable, apply};
use vjp_ops::arrange::join::{split, stack};
use vjp_ops::arrange::layout::{clone, permute, reshape, squeeze, strided, view_as};
use vjp_tensor::ids::IdSet;
use vjp_tensor::{Complaint, Outcome, Tensor, budget, complain};
use vjp_text::Symbol;

/// A function of the library that holds others.
pub struct Transform {
    pub name: &'static str,
    pub run: fn(&mut Machine, &[Value], Args) -> Tried<Value>,
    pub parts: Vec<Value>,
}

pub fn transform(t: Transform) -> Value {
    Value::Object(Rc::new(t))
}

impl Object for Transform {
    fn type_name(&self) -> String {
        "function".to_owned()
    }

    fn get(&self, _: &Value, name: Symbol, machine: &mut Machine) -> Tried<Option<Value>> {
        if name.as_str() != "__name__" {
            return Ok(None);
        }
        // `functools.wraps`: named after the function it was made from.
        Ok(Some(match self.parts.first() {
            Some(
                made @ (Value::Function(_)
                | Value::Builtin(_)
                | Value::BoundFunction(_)
                | Value::Object(_)),
            ) => machine.get_attr(made, name)?,
            _ => Value::str(self.name),
        }))
    }

    fn call(&self, _: &Value, args: Args, machine: &mut Machine) -> Option<Tried<Value>> {
        Some((self.run)(machine, &self.parts, args))
    }

    fn callable(&self) -> bool {
        true
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok(format!("<function {}>", self.name))
    }

    fn children(&self) -> Vec<Value> {
        self.parts.clone()
    }
}

/// One call of a function that is differentiated: the variables watched in it, and since when.
pub struct Level {
    start: u64,
    inputs: IdSet,
    /// What is watched, and what it represents.
    watched: Vec<(Variable, Variable)>,
}

/// What a function that is differentiated gets in place of a tensor with a history.
#[derive(Clone, Copy, PartialEq)]
pub enum Watching {
    /// What does the same: where the function returns it, the tensor itself is returned.
    Itself,
    /// A view of it.
    View,
    /// Its numbers, without the history.
    Detached,
}

impl Level {
    pub fn begin() -> Level {
        let start = vjp_maths::autodiff::node::mark();
        Level { start, inputs: IdSet::default(), watched: Vec::new() }
    }

    /// A variable that a derivative is taken with respect to: what `x` was computed from stays behind
    /// it, so that derivatives of derivatives reach it. Outside strict whole numbers become floats.
    ///
    /// # Errors
    /// No floating point; the budget.
    pub fn watch(&mut self, x: &Variable, how: Watching, strict: bool) -> Outcome<Variable> {
        if x.requires_grad() && how != Watching::Detached {
            let watched = with_grad(true, || match how {
                Watching::View => alias(x, "view", "ViewBackward0"),
                _ => clone(x),
            })?;
            if how == Watching::Itself {
                self.watched.push((watched.clone(), x.clone()));
            }
            return Ok(watched);
        }
        let value = x.value().with_weak(false);
        let value = match value.dtype().is_float() {
            true => value,
            false if strict => {
                complain!("only Tensors of floating point dtype can require gradients")
            }
            false => value.to_dtype(vjp_tensor::tensor::default_dtype()),
        };
        let leaf = Variable::leaf(value);
        self.inputs.insert(leaf.id() as u64);
        Ok(leaf)
    }

    /// Whether `y` depends on something tracked outside this call, so that its derivative has a
    /// history of its own.
    pub fn open(&self, y: &Variable) -> bool {
        let Some(node) = y.node() else {
            return y.requires_grad() && !self.inputs.contains(&(y.id() as u64));
        };
        let (mut waiting, mut seen) = (vec![node], IdSet::default());
        while let Some(node) = waiting.pop() {
            if node.id() < self.start {
                return true;
            }
            for edge in node.inputs() {
                match &edge.origin {
                    Origin::Constant(_) | Origin::LostView(_) => {}
                    Origin::Leaf(v) if self.inputs.contains(&(v.id() as u64)) => {}
                    Origin::Leaf(_) => return true,
                    Origin::Node(n) => {
                        if seen.insert(n.id()) {
                            waiting.push(n.clone());
                        }
                    }
                }
            }
        }
        false
    }

    /// A result, which keeps only the history that leads out of the call.
    pub fn finish(&self, v: Variable) -> Variable {
        if let Some((_, x)) = self.watched.iter().find(|(w, _)| w.same(&v)) {
            return x.clone();
        }
        match v.requires_grad() && !self.open(&v) {
            true => v.detach(),
            false => v,
        }
    }

    /// [`Level::finish`] for every tensor in what a function returned besides.
    pub fn bare(&self, machine: &Machine, value: &Value) -> Tried<Value> {
        let (mut leaves, tree) = crate::func::tree::flatten(machine, value)?;
        for leaf in &mut leaves {
            match leaf {
                Value::Tensor(t) => *leaf = Value::Tensor(self.finish(t.clone())),
                other if machine.strict() => raise!(
                    "Expected tensors, got unsupported type <class '{}'>",
                    vjp_eval::name_of(other)
                ),
                _ => {}
            }
        }
        Ok(tree.build(&mut leaves.into_iter()))
    }
}

/// Calls `function` while recording.
pub fn recorded(machine: &mut Machine, function: &Value, args: Args) -> Tried<Value> {
    let before = vjp_maths::autodiff::grad_mode::set_grad_enabled(true);
    let result = machine.call(function, args);
    vjp_maths::autodiff::grad_mode::set_grad_enabled(before);
    result
}

/// vᵀJ of `y` with respect to each of `xs`, zeros where there is no path; `keep`: recorded again.
pub fn pullback(
    machine: &mut Machine,
    y: &Variable,
    v: &Variable,
    xs: &[Variable],
    keep: bool,
) -> Tried<Vec<Variable>> {
    budget::tick()?;
    if !y.requires_grad() {
        return Ok(zeros(xs)?);
    }
    let options = SweepOptions {
        create_graph: keep,
        retain_graph: true,
        inputs: Some(xs),
        ..SweepOptions::default()
    };
    let done = lend(machine, || sweep(&[(y.clone(), v.clone())], options))?;
    let mut all = Vec::with_capacity(xs.len());
    for (x, g) in xs.iter().zip(done.inputs) {
        all.push(match g {
            Some(g) => g,
            None => zeros(std::slice::from_ref(x))?.remove(0),
        });
    }
    Ok(all)
}

fn zeros(xs: &[Variable]) -> Outcome<Vec<Variable>> {
    xs.iter().map(|x| Ok(Variable::constant(Tensor::filled(&x.shape(), 0.0, x.dtype())?))).collect()
}

/// The Jacobians of `y` with respect to each of `xs`, of shape `y.shape + x.shape`, as rows give them;
/// `keep`: recorded again.
pub fn jacobians(
    machine: &mut Machine,
    y: &Variable,
    xs: &[Variable],
    keep: bool,
) -> Tried<Vec<Variable>> {
    if !keep && dense::possible(y, xs) {
        return dense::jacobians(y, xs, |v, x| {
            let v = Variable::constant(v);
            Ok(pullback(machine, y, &v, std::slice::from_ref(x), false)?.remove(0).value())
        });
    }
    let shape = y.shape();
    let count = y.numel();
    if !y.requires_grad() {
        let of = |x: &Variable| {
            let to = [shape.as_slice(), &x.shape()].concat();
            Ok(Variable::constant(Tensor::filled(&to, 0.0, x.dtype())?))
        };
        return Ok(xs.iter().map(of).collect::<Outcome<_>>()?);
    }
    let mut rows: Vec<Vec<Variable>> = vec![budget::vec(count)?; xs.len()];
    for k in 0..count {
        let mut unit = vec![0.0; count];
        unit[k] = 1.0;
        let v = Variable::constant(Tensor::new(&shape, unit).with_dtype(y.dtype()));
        for (column, g) in rows.iter_mut().zip(pullback(machine, y, &v, xs, keep)?) {
            column.push(g);
        }
    }
    let mut all = Vec::with_capacity(xs.len());
    for (x, rows) in xs.iter().zip(rows) {
        let mut to: Vec<i64> = shape.iter().map(|d| *d as i64).collect();
        to.extend(x.shape().iter().map(|d| *d as i64));
        all.push(assembled(machine, rows, &to, keep)?);
    }
    Ok(all)
}

/// The Jacobians as columns give them, in forward mode; for inputs that are leaves.
pub fn forward_jacobians(
    machine: &mut Machine,
    y: &Variable,
    xs: &[Variable],
) -> Tried<Vec<Variable>> {
    // The program's own functions may have a jvp of the program.
    let mut moved = |u: Tensor, x: &Variable| -> Tried<Tensor> {
        match lend(machine, || vjp_maths::autodiff::forward::push(y, &[(x.clone(), u)]))? {
            Some(moved) => Ok(moved.to_dtype(y.dtype())),
            None => Ok(Tensor::filled(&y.shape(), 0.0, y.dtype())?),
        }
    };
    if dense::possible(y, xs) {
        return dense::forward_jacobians(y, xs, moved);
    }
    let rows = y.numel();
    let mut all = Vec::with_capacity(xs.len());
    for x in xs {
        let columns = x.numel();
        let mut data = vec![0.0; vjp_tensor::shape::count(&[rows, columns])?];
        for j in 0..columns {
            budget::tick()?;
            let mut unit = vec![0.0; columns];
            unit[j] = 1.0;
            let u = Tensor::new(&x.shape(), unit).with_dtype(x.dtype());
            for (i, v) in moved(u, x)?.data().iter().enumerate() {
                data[i * columns + j] = *v;
            }
        }
        let to: Vec<usize> = y.shape().into_iter().chain(x.shape()).collect();
        all.push(Variable::constant(Tensor::new(&to, data).with_dtype(y.dtype())));
    }
    Ok(all)
}

/// The tangents of `y`, one for each element of the inputs after the other, stacked; recorded, where
/// they depend on the inputs: a derivative of this one may follow.
fn tangents(machine: &mut Machine, y: &Variable, xs: &[Variable]) -> Tried<Variable> {
    let mut all = Vec::new();
    for x in xs {
        for j in 0..x.numel() {
            let mut unit = vec![0.0; x.numel()];
            unit[j] = 1.0;
            let u = Variable::constant(Tensor::new(&x.shape(), unit).with_dtype(x.dtype()));
            let (x, u) = (std::slice::from_ref(x), std::slice::from_ref(&u));
            all.push(crate::autograd::functional::pushed(machine, y, x, u)?);
        }
    }
    let stacked = with_grad(true, || match all.is_empty() {
        true => {
            let shape: Vec<usize> = std::iter::once(0).chain(y.shape()).collect();
            Ok(Variable::constant(Tensor::filled(&shape, 0.0, y.dtype())?))
        }
        false => stack(&all, 0),
    })?;
    if stacked.requires_grad() || !bends(y, xs) {
        return Ok(stacked);
    }
    // PyTorch's tangent of a product depends on its factors also where their own tangents are 0.
    Ok(with_grad(true, || beside(&stacked, xs))?)
}

/// Whether some operation between the inputs and `y` keeps what it was given.
fn bends(y: &Variable, xs: &[Variable]) -> bool {
    let own: Vec<u64> = xs.iter().filter_map(|x| Some(x.node()?.id())).collect();
    let kept = |n: &Node| !matches!(n.operation().saves(), Saves::Nothing | Saves::Aside);
    let start = own.iter().copied().max().unwrap_or(0);
    ancestors(y.node()).iter().any(|n| n.id() > start && kept(n))
}

/// The Jacobians of each of `outputs` with respect to each of `xs` as `torch.autograd.functional` makes
/// them of tangents.
pub fn forward_recorded(
    machine: &mut Machine,
    y: &Variable,
    xs: &[Variable],
) -> Tried<Vec<Variable>> {
    let all = tangents(machine, y, xs)?;
    let counts: Vec<usize> = xs.iter().map(Variable::numel).collect();
    let blocks = with_grad(true, || {
        let parts = split(&all, &counts, 0, "SplitWithSizesBackward0")?;
        let mut blocks = Vec::with_capacity(xs.len());
        for (part, x) in parts.iter().zip(xs) {
            let order: Vec<i64> = (1..part.rank() as i64).chain([0]).collect();
            let to: Vec<i64> = y.shape().iter().chain(&x.shape()).map(|d| *d as i64).collect();
            blocks.push(reshape(&permute(part, &order)?, &to)?);
        }
        Ok(blocks)
    });
    Ok(blocks.map_err(|c: Box<Complaint>| c)?)
}

/// The same as `torch.func.jacfwd` makes them.
pub fn recorded_columns(
    machine: &mut Machine,
    y: &Variable,
    xs: &[Variable],
) -> Tried<Vec<Variable>> {
    let all = tangents(machine, y, xs)?;
    let counts: Vec<usize> = xs.iter().map(Variable::numel).collect();
    let blocks = with_grad(true, || {
        let rank = all.rank() as i64;
        let order: Vec<i64> = (1..rank).chain([0]).collect();
        let parts = split(&permute(&all, &order)?, &counts, -1, "SplitWithSizesBackward0")?;
        let mut blocks = Vec::with_capacity(xs.len());
        for (part, x) in parts.iter().zip(xs) {
            let mut to: Vec<i64> = y.shape().iter().map(|d| *d as i64).collect();
            to.extend(x.shape().iter().map(|d| *d as i64));
            blocks.push(match x.rank() {
                0 => squeeze(part, Some(&[-1]))?,
                _ => view_as(part, &to)?,
            });
        }
        Ok(blocks)
    });
    Ok(blocks.map_err(|c: Box<Complaint>| c)?)
}

/// The same tensor, recorded as depending on `others` too.
pub fn beside(y: &Variable, others: &[Variable]) -> Outcome<Variable> {
    let mut op = cloned(&y.shape());
    let mut inputs = vec![y.clone()];
    for x in others {
        op.maps.push(LinearMap::Zero { from: x.shape(), to: y.shape() });
        inputs.push(x.clone());
    }
    apply(Rc::new(op), &inputs)
}

/// The same memory under a node of its own.
fn alias(x: &Variable, name: &'static str, grad_fn: &'static str) -> Outcome<Variable> {
    strided(x, x.layout(), name, grad_fn)
}

/// A primal as forward mode gives it back: a view.
pub fn unpacked(y: &Variable) -> Outcome<Variable> {
    with_grad(true, || alias(y, "alias", "AliasBackward0"))
}

fn assembled(
    machine: &mut Machine,
    rows: Vec<Variable>,
    to: &[i64],
    keep: bool,
) -> Tried<Variable> {
    let sizes: Vec<usize> = to.iter().map(|d| *d as usize).collect();
    if !keep || rows.is_empty() {
        let mut data = Vec::new();
        let dtype = rows.first().map_or_else(vjp_tensor::tensor::default_dtype, Variable::dtype);
        for row in &rows {
            data.extend_from_slice(row.value().data());
        }
        return Ok(Variable::constant(Tensor::new(&sizes, data).with_dtype(dtype)));
    }
    let site = machine.here();
    let list = Value::list(rows.into_iter().map(Value::Tensor).collect());
    let before = vjp_maths::autodiff::grad_mode::set_grad_enabled(true);
    let stacked = vjp_binder::catalogue::call_function(machine, "stack", vec![list], &site);
    let shaped = stacked.and_then(|s| match s {
        Value::Tensor(t) => Ok(reshape(&t, to)?),
        _ => Ok(Variable::constant(Tensor::filled(
            &sizes,
            0.0,
            vjp_tensor::tensor::default_dtype(),
        )?)),
    });
    vjp_maths::autodiff::grad_mode::set_grad_enabled(before);
    shaped
}

/// A gradient of one in every place.
pub fn ones(y: &Variable, site: &Site) -> Tried<Variable> {
    ones_like(y).at(site.span)
}

/// Result without history unless an argument had one.
pub fn finished(v: Variable, keep: bool) -> Value {
    Value::Tensor(if keep || !v.requires_grad() { v } else { v.detach() })
}
