//! Functions made from functions, and the differentiation of calls that they share:
//! `torch.func.grad(f)`, `torch.autograd.functional.jacobian(f, x)` …

use super::dense;
use super::lend::lend;
use crate::complain;
use crate::eval::call::{Args, Site};
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::{Object, Value};
use crate::maths::complaint::{Kind, Outcome};
use crate::maths::grad_mode::with_grad;
use crate::maths::ids::IdSet;
use crate::maths::node::Origin;
use crate::maths::ops::join::stack;
use crate::maths::ops::layout::{clone, reshape};
use crate::maths::reverse::{SweepOptions, ones_like, sweep};
use crate::maths::tensor::Tensor;
use crate::maths::variable::Variable;
use crate::raise;
use crate::text::names::Symbol;
use std::any::Any;
use std::rc::Rc;

/// A function of the library that holds others.
pub struct Transform {
    pub name: &'static str,
    pub run: fn(&mut Machine, &[Value], Args) -> Result<Value, Halt>,
    pub parts: Vec<Value>,
}

pub fn transform(t: Transform) -> Value {
    Value::Object(Rc::new(t))
}

impl Object for Transform {
    fn type_name(&self) -> String {
        "function".to_owned()
    }

    fn get(&self, _: &Value, name: Symbol, machine: &mut Machine) -> Result<Option<Value>, Halt> {
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

    fn call(&self, _: &Value, args: Args, machine: &mut Machine) -> Option<Result<Value, Halt>> {
        Some((self.run)(machine, &self.parts, args))
    }

    fn repr(&self, _: &mut Machine) -> Result<String, Halt> {
        Ok(format!("<function {}>", self.name))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn children(&self) -> Vec<Value> {
        self.parts.clone()
    }
}

/// One call of a function that is differentiated: the variables watched in it, and since when.
pub struct Level {
    start: u64,
    inputs: IdSet,
}

impl Level {
    pub fn begin() -> Level {
        Level { start: crate::maths::node::mark(), inputs: IdSet::default() }
    }

    /// A variable that a derivative is taken with respect to: what `x` was computed from stays behind
    /// it, so that derivatives of derivatives reach it. Outside strict whole numbers become floats.
    ///
    /// # Errors
    /// No floating point; the budget.
    pub fn watch(&mut self, x: &Variable, strict: bool) -> Outcome<Variable> {
        if x.requires_grad() {
            return with_grad(true, || clone(x));
        }
        let value = x.value().with_weak(false);
        let value = match value.dtype().is_float() {
            true => value,
            false if strict => complain!(
                Kind::Runtime,
                "only Tensors of floating point dtype can require gradients"
            ),
            false => value.to_dtype(crate::maths::tensor::default_dtype()),
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
        match v.requires_grad() && !self.open(&v) {
            true => v.detach(),
            false => v,
        }
    }

    /// [`Level::finish`] for every tensor in what a function returned besides.
    ///
    /// # Errors
    /// Under strict: something else in it.
    pub fn bare(&self, machine: &Machine, value: &Value) -> Result<Value, Halt> {
        let (mut leaves, tree) = super::tree::flatten(machine, value);
        for leaf in &mut leaves {
            match leaf {
                Value::Tensor(t) => *leaf = Value::Tensor(self.finish(t.clone())),
                other if machine.strict() => raise!(
                    Kind::Runtime,
                    "Expected tensors, got unsupported type <class '{}'>",
                    super::types::name_of(other)
                ),
                _ => {}
            }
        }
        Ok(tree.build(&mut leaves.into_iter()))
    }
}

/// Calls `function` while recording.
///
/// # Errors
/// What it raises.
pub fn recorded(machine: &mut Machine, function: &Value, args: Args) -> Result<Value, Halt> {
    let before = crate::maths::grad_mode::set_grad_enabled(true);
    let result = machine.call(function, args);
    crate::maths::grad_mode::set_grad_enabled(before);
    result
}

/// vᵀJ of `y` with respect to each of `xs`, zeros where there is no path; `keep`: recorded again.
///
/// # Errors
/// What hooks raise; the budget.
pub fn pullback(
    machine: &mut Machine,
    y: &Variable,
    v: &Variable,
    xs: &[Variable],
    keep: bool,
) -> Result<Vec<Variable>, Halt> {
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
///
/// # Errors
/// As [`pullback`].
pub fn jacobians(
    machine: &mut Machine,
    y: &Variable,
    xs: &[Variable],
    keep: bool,
) -> Result<Vec<Variable>, Halt> {
    if !keep && dense::possible(y, xs) {
        return dense::jacobians(y, xs, |v, x| {
            let v = Variable::constant(v);
            Ok(pullback(machine, y, &v, std::slice::from_ref(x), false)?.remove(0).value())
        });
    }
    let shape = y.shape();
    let count = y.numel();
    let mut rows: Vec<Vec<Variable>> = vec![Vec::with_capacity(count); xs.len()];
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
///
/// # Errors
/// The budget.
pub fn forward_jacobians(y: &Variable, xs: &[Variable]) -> Result<Vec<Variable>, Halt> {
    let moved = |u: Tensor, x: &Variable| -> Outcome<Tensor> {
        match crate::maths::forward::push(y, &[(x.clone(), u)])? {
            Some(moved) => Ok(moved),
            None => Tensor::filled(&y.shape(), 0.0, y.dtype()),
        }
    };
    if dense::possible(y, xs) {
        return dense::forward_jacobians(y, xs, |u, x| Ok(moved(u, x)?));
    }
    let rows = y.numel();
    let mut all = Vec::with_capacity(xs.len());
    for x in xs {
        let columns = x.numel();
        let mut data = vec![0.0; crate::maths::shape::count(&[rows, columns])?];
        for j in 0..columns {
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

/// The Jacobians as columns give them, recorded: a derivative of this one may follow.
///
/// # Errors
/// As [`pullback`].
pub fn recorded_columns(
    machine: &mut Machine,
    y: &Variable,
    xs: &[Variable],
) -> Result<Vec<Variable>, Halt> {
    let mut all = Vec::with_capacity(xs.len());
    for x in xs {
        let (shape, count) = (x.shape(), x.numel());
        let mut columns = Vec::with_capacity(count);
        for j in 0..count {
            let mut unit = vec![0.0; count];
            unit[j] = 1.0;
            let u = Variable::constant(Tensor::new(&shape, unit).with_dtype(x.dtype()));
            columns.push(super::functional::pushed(
                machine,
                y,
                std::slice::from_ref(x),
                std::slice::from_ref(&u),
            )?);
        }
        let to: Vec<usize> = y.shape().into_iter().chain(shape).collect();
        all.push(match columns.is_empty() {
            true => Variable::constant(Tensor::filled(&to, 0.0, y.dtype())?),
            false => with_grad(true, || {
                let last = i64::try_from(y.rank()).unwrap_or(i64::MAX);
                let stacked = stack(&columns, last)?;
                let to: Vec<i64> = to.iter().map(|d| *d as i64).collect();
                reshape(&stacked, &to)
            })?,
        });
    }
    Ok(all)
}

fn assembled(
    machine: &mut Machine,
    rows: Vec<Variable>,
    to: &[i64],
    keep: bool,
) -> Result<Variable, Halt> {
    let sizes: Vec<usize> = to.iter().map(|d| *d as usize).collect();
    if !keep || rows.is_empty() {
        let mut data = Vec::new();
        let dtype = rows.first().map_or_else(crate::maths::tensor::default_dtype, Variable::dtype);
        for row in &rows {
            data.extend_from_slice(row.value().data());
        }
        return Ok(Variable::constant(Tensor::new(&sizes, data).with_dtype(dtype)));
    }
    let site = machine.here();
    let list = Value::list(rows.into_iter().map(Value::Tensor).collect());
    let before = crate::maths::grad_mode::set_grad_enabled(true);
    let stacked = super::torch::call_function(machine, "stack", vec![list], &site);
    let shaped = stacked.and_then(|s| match s {
        Value::Tensor(t) => Ok(reshape(&t, to)?),
        _ => Ok(Variable::constant(Tensor::filled(
            &sizes,
            0.0,
            crate::maths::tensor::default_dtype(),
        )?)),
    });
    crate::maths::grad_mode::set_grad_enabled(before);
    shaped
}

/// A gradient of one in every place.
///
/// # Errors
/// The budget.
pub fn ones(y: &Variable, site: &Site) -> Result<Variable, Halt> {
    ones_like(y).at(site.span)
}

/// Result without history unless an argument had one.
pub fn finished(v: Variable, keep: bool) -> Value {
    Value::Tensor(if keep || !v.requires_grad() { v } else { v.detach() })
}
