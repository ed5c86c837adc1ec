//! Jacobians that keep their structure: what `jacobian(y, x)` gives at the prompt. A small one is a
//! tensor of which the structure is remembered; a large one ([`Kept`]) holds only the structure and
//! becomes a tensor of all its entries where an operation needs them and they have room.

use crate::jacobian::named::Picture;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use vjp_binder::readers::tensor_like;
use vjp_eval::record::event::MatrixEvent;
use vjp_eval::{Halt, Machine, Tried, Value};
use vjp_jacobian::{Entry, Form, Jacobian};
use vjp_maths::autodiff::variable::WeakVariable;
use vjp_maths::{Array, Variable};
use vjp_syntax::ast::{BinaryOp, UnaryOp};
use vjp_tensor::budget::refused;
use vjp_tensor::{Dtype, ElementMap, Outcome, Tensor, budget, torch_messages};

/// More entries than this are not written out before they are asked for.
pub(crate) const SMALL: usize = 1_000_000;

/// So many tensors are remembered before those that are gone are forgotten.
const MANY: usize = 64;

/// A tensor of which the structure is known.
#[derive(Clone)]
pub struct Known {
    tensor: WeakVariable,
    /// What it was when the structure was found.
    version: u32,
    matrix: Rc<Jacobian<f64>>,
    pub picture: Option<Rc<Picture>>,
}

/// All that is known, by the tensors' ids.
type AllKnown = HashMap<usize, Known>;

/// A Jacobian of so many entries that they are not written out.
pub struct Kept {
    pub(crate) matrix: Rc<Jacobian<f64>>,
    pub(crate) layout: Layout,
    pub picture: Option<Rc<Picture>>,
    written: RefCell<Option<Variable>>,
}

/// How the entries of a matrix lie as a tensor.
#[derive(Clone)]
pub struct Layout {
    /// That of y and then that of x.
    pub shape: Vec<usize>,
    /// How many of the dimensions are y's.
    pub outer: usize,
    pub dtype: Dtype,
}

impl Layout {
    /// Rows and columns.
    pub fn matrix(rows: usize, columns: usize, dtype: Dtype) -> Layout {
        Layout { shape: vec![rows, columns], outer: 1, dtype }
    }

    /// Whether the tensor is the matrix.
    pub fn is_matrix(&self) -> bool {
        self.shape.len() == 2 && self.outer == 1
    }
}

/// What is known of this tensor, unless it was written since.
pub fn known(machine: &Machine, t: &Variable) -> Option<Known> {
    let known = machine.library.known.as_ref()?.downcast_ref::<AllKnown>()?.get(&t.id())?;
    let own = known.tensor.upgrade()?;
    (own.same(t) && known.version == t.version()).then(|| known.clone())
}

/// How a Jacobian is drawn that knows of what it is one: always a large one, `all`: also one whose entries
/// an echo would show.
pub fn drawn(machine: &Machine, value: &Value, all: bool) -> Option<MatrixEvent> {
    let picture = match value {
        Value::Tensor(t) if all => known(machine, t)?.picture,
        other => of(other)?.picture.clone(),
    };
    picture?.event().ok()
}

/// A Jacobian as a value.
pub fn value(
    machine: &mut Machine,
    matrix: Jacobian<f64>,
    layout: Layout,
    picture: Option<Rc<Picture>>,
) -> Tried<Value> {
    let matrix = Rc::new(matrix);
    let cells = matrix.rows.saturating_mul(matrix.columns);
    if cells > SMALL && !matches!(matrix.form, Form::Dense(_)) {
        return Ok(Value::Object(Rc::new(Kept {
            matrix,
            layout,
            picture,
            written: RefCell::default(),
        })));
    }
    let all = matrix.all()?.reshaped(&layout.shape);
    let tensor = Variable::constant(all.to_dtype(layout.dtype));
    let known = Known { tensor: tensor.downgrade(), version: tensor.version(), matrix, picture };
    let earlier = machine.library.known.take().and_then(|all| all.downcast::<AllKnown>().ok());
    let mut shared = earlier.unwrap_or_default();
    let all = Rc::make_mut(&mut shared);
    if all.len() >= MANY && all.len() == all.capacity() {
        all.retain(|_, k| k.tensor.upgrade().is_some());
    }
    all.insert(tensor.id(), known);
    machine.library.known = Some(shared);
    Ok(Value::Tensor(tensor))
}

/// The large Jacobian that a value is.
#[inline]
pub fn of(value: &Value) -> Option<&Kept> {
    match value {
        Value::Object(o) => o.as_any().downcast_ref(),
        _ => None,
    }
}

/// A large Jacobian as a tensor of all its entries; every other value as it is.
pub fn opened(value: &Value) -> Outcome<Value> {
    match of(value) {
        Some(kept) => Ok(Value::Tensor(kept.dense()?)),
        None => Ok(value.clone()),
    }
}

/// `J.structure` and `J.T` of a tensor whose structure is known.
pub fn attribute(machine: &mut Machine, t: &Variable, name: &str) -> Tried<Option<Value>> {
    if machine.library.known.is_none() || !matches!(name, "structure" | "T" | "mT") {
        return Ok(None);
    }
    let Some(known) = known(machine, t) else {
        return Ok(None);
    };
    if name == "structure" {
        return Ok(Some(Value::from(known.matrix.structure())));
    }
    match t.shape().as_slice() {
        [m, n] if [*m, *n] == [known.matrix.rows, known.matrix.columns] => {
            transposed(machine, &known.matrix, t.dtype()).map(Some)
        }
        _ => Ok(None),
    }
}

pub(crate) fn transposed(
    machine: &mut Machine,
    matrix: &Jacobian<f64>,
    dtype: Dtype,
) -> Tried<Value> {
    let layout = Layout::matrix(matrix.columns, matrix.rows, dtype);
    value(machine, matrix.transposed()?, layout, None)
}

impl Kept {
    /// All entries, written once.
    pub(crate) fn dense(&self) -> Outcome<Variable> {
        if let Some(v) = &*self.written.borrow() {
            return Ok(v.clone());
        }
        let all = self.matrix.all()?.reshaped(&self.layout.shape);
        let v = Variable::constant(all.to_dtype(self.layout.dtype));
        *self.written.borrow_mut() = Some(v.clone());
        Ok(v)
    }

    /// How many rows `len` counts.
    pub fn length(&self) -> Option<usize> {
        self.layout.shape.first().copied()
    }

    /// vᵀJ or J·u for a vector; None for anything else.
    fn weighed(&self, v: &Variable, left: bool) -> Tried<Option<Value>> {
        let dtype = self.layout.dtype;
        if v.rank() != 1 || v.dtype() != dtype {
            return Ok(None);
        }
        let (m, n) = (self.matrix.rows, self.matrix.columns);
        let (rows, columns) = if left { (n, m) } else { (m, n) };
        if v.numel() != columns {
            return Err(torch_messages::mv_shapes(rows, &[rows, columns], v.numel()).into());
        }
        let product = match v.requires_grad() {
            true => self.recorded(v, left)?,
            false => {
                let u = v.value();
                let data = match left {
                    true => self.matrix.left_multiply(u.data()),
                    false => self.matrix.right_multiply(u.data()),
                };
                Variable::constant(Tensor::typed(&[data.len()], data, dtype))
            }
        };
        Ok(Some(Value::Tensor(product)))
    }
}

impl Kept {
    /// The product with a vector that remembers how it was computed: entry by entry.
    fn recorded(&self, v: &Variable, left: bool) -> Outcome<Variable> {
        let count = self.matrix.stored();
        budget::reserve(count.saturating_mul(3 * size_of::<f64>()))?;
        let (mut rows, mut columns) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut values = Vec::with_capacity(count);
        for (i, j, entry) in self.matrix.present() {
            if let Entry::Value(x) = entry {
                rows.push(i);
                columns.push(j);
                values.push(x);
            }
        }
        let (m, n) = (self.matrix.rows, self.matrix.columns);
        let (from, to, read, written) = match left {
            true => (m, n, rows, columns),
            false => (n, m, columns, rows),
        };
        let count = values.len();
        let element_map = |of: usize, index: Vec<usize>| ElementMap {
            from: vec![of],
            to: vec![count],
            index: index.into(),
        };
        let values = Tensor::typed(&[count], values, self.layout.dtype);
        let terms = v.gather(&element_map(from, read)).mul(&Variable::constant(values));
        let sum = terms.scatter(&element_map(to, written));
        refused()?;
        Ok(sum)
    }
}

/// A value as a matrix of this type whose structure is known, or that has none.
fn matrix_of(
    machine: &mut Machine,
    v: &Value,
    dtype: Dtype,
) -> Result<Option<Rc<Jacobian<f64>>>, Halt> {
    if let Some(kept) = of(v) {
        let fits = kept.layout.is_matrix() && kept.layout.dtype == dtype;
        return Ok(fits.then(|| kept.matrix.clone()));
    }
    let Some(t) = tensor_like(machine, v)? else {
        return Ok(None);
    };
    if t.dtype() != dtype || t.requires_grad() {
        return Ok(None);
    }
    let [m, n] = t.shape()[..] else {
        return Ok(None);
    };
    Ok(Some(match known(machine, &t) {
        Some(known) if (known.matrix.rows, known.matrix.columns) == (m, n) => known.matrix,
        _ => Rc::new(Jacobian { rows: m, columns: n, form: Form::Dense(t.value()) }),
    }))
}

/// The number that a value is, where it is not an array.
fn number(v: &Value) -> Option<f64> {
    match v {
        Value::Tensor(t) if t.rank() == 0 && !t.requires_grad() => Some(t.value().data()[0]),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => v.as_float(),
        _ => None,
    }
}

/// `a op b` where one is a large Jacobian.
pub fn binary(machine: &mut Machine, op: BinaryOp, a: &Value, b: &Value) -> Tried<Value> {
    if let Some(v) = structured(machine, op, a, b)? {
        return Ok(v);
    }
    machine.binary(op, &opened(a)?, &opened(b)?)
}

/// What needs no entry that is not there.
fn structured(machine: &mut Machine, op: BinaryOp, a: &Value, b: &Value) -> Tried<Option<Value>> {
    let layout = match (of(a), of(b)) {
        (Some(j), _) | (_, Some(j)) if j.layout.dtype.is_float() => j.layout.clone(),
        _ => return Ok(None),
    };
    let by = match (op, of(a), of(b)) {
        (BinaryOp::Mul, Some(j), None) => number(b).map(|c| (j, c)),
        (BinaryOp::Mul, None, Some(j)) => number(a).map(|c| (j, c)),
        (BinaryOp::Div, Some(j), None) => number(b).filter(|c| *c != 0.0).map(|c| (j, 1.0 / c)),
        _ => None,
    };
    // What is absent stays so: 0 times infinity is not asked for.
    if let Some((j, c)) = by
        && c.is_finite()
    {
        let scaled = (*j.matrix).clone().scaled(c)?;
        return value(machine, scaled, layout, None).map(Some);
    }
    if !layout.is_matrix() || !matches!(op, BinaryOp::MatMul | BinaryOp::Add | BinaryOp::Sub) {
        return Ok(None);
    }
    if op == BinaryOp::MatMul {
        let side = match (of(a), of(b)) {
            (Some(j), None) => Some((j, b, false)),
            (None, Some(j)) => Some((j, a, true)),
            _ => None,
        };
        if let Some((j, other, left)) = side
            && let Some(v) = tensor_like(machine, other)?
            && let Some(product) = j.weighed(&v, left)?
        {
            return Ok(Some(product));
        }
    }
    let sides = (matrix_of(machine, a, layout.dtype)?, matrix_of(machine, b, layout.dtype)?);
    let (Some(a), Some(b)) = sides else {
        return Ok(None);
    };
    let (a, b) = ((*a).clone(), (*b).clone());
    let found = match op {
        BinaryOp::MatMul if a.columns == b.rows => a.times(b)?,
        BinaryOp::Add if (a.rows, a.columns) == (b.rows, b.columns) => a.plus(b)?,
        BinaryOp::Sub if (a.rows, a.columns) == (b.rows, b.columns) => a.plus(b.scaled(-1.0)?)?,
        _ => return Ok(None),
    };
    let layout = Layout::matrix(found.rows, found.columns, layout.dtype);
    value(machine, found, layout, None).map(Some)
}

/// `-J` keeps the structure; the other operators do not.
pub fn unary(machine: &mut Machine, op: UnaryOp, v: &Value) -> Tried<Value> {
    match of(v) {
        Some(j) if op == UnaryOp::Minus => {
            let minus = (*j.matrix).clone().scaled(-1.0)?;
            value(machine, minus, j.layout.clone(), None)
        }
        _ => machine.unary(op, &opened(v)?),
    }
}
