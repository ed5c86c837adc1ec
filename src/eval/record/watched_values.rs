//! What a run showed at each place of its text.

use crate::Value;
use std::collections::HashMap;
use vjp_maths::Variable;
use vjp_tensor::{Dtype, Element, Tensor, with_numbers};
use vjp_text::{Span, Symbol};

/// A place keeps this many different values.
pub(super) const KINDS: usize = 8;

/// Which text, and where in it.
pub type Place = (u32, Span);

/// Values by place, and the backwards in order.
#[derive(Default)]
pub struct Watch {
    pub(super) seen: HashMap<Place, Sight>,
    pub sweeps: Vec<Sweep>,
    pub moments: Vec<Moment>,
    /// Of every name, a mark of its numbers and what it is bound to.
    pub(super) latest: HashMap<Symbol, (u64, usize)>,
}

/// What an expression was, each time it was evaluated.
#[derive(Default)]
pub struct Sight {
    pub times: usize,
    /// The different ones, at most [`KINDS`].
    pub kinds: Vec<Seen>,
    /// More than [`KINDS`].
    pub many: bool,
    /// What a call gave that drew random numbers, each time; of a layer its tensors.
    pub drawn: Vec<Value>,
}

/// A tensor by what matters for writing its operations, anything else as it was.
#[derive(Clone)]
pub enum Seen {
    Tensor(Form),
    Array(Form),
    Value(Value),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    pub dtype: Dtype,
    pub shape: Vec<usize>,
    pub requires_grad: bool,
    pub leaf: bool,
    /// Integers beyond 32 bits are in it.
    pub wide: bool,
    /// No infinity and no NaN is in it.
    pub finite: bool,
    /// A 0 is in it.
    pub zero: bool,
    /// A finite number is in it beside which 1 is lost, or whose square is.
    pub extreme: bool,
}

/// A parameter or a buffer of a module: its name, its id, its numbers.
pub type Member = (String, usize, Tensor);

/// What a statement at the top level left.
pub struct Moment {
    pub place: Place,
    /// Names whose numbers are others than before.
    pub changed: Vec<Symbol>,
    /// Modules that names were bound to, with the numbers of their parameters and buffers.
    pub modules: Vec<(Symbol, Vec<Member>)>,
}

/// A call of backward.
pub struct Sweep {
    pub place: Place,
    /// y is a number and v is not: the weights add up.
    pub repeated: bool,
    pub leaves: Vec<Reached>,
}

/// A leaf that a backward reached.
#[derive(Clone, Debug)]
pub struct Reached {
    pub id: usize,
    /// `x`, `params[0]`; empty where no name leads to it.
    pub path: String,
    /// The name represents something newer by now.
    pub earlier: bool,
    /// Its gradient before: none, zeros, or others.
    pub before: Before,
    /// A computed tensor that retains its gradient.
    pub computed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    None,
    Zeros,
    Some,
}

/// Whether a sum with 1 loses the 1, or the square leaves the type.
fn is_extreme(x: f64, dtype: Dtype) -> bool {
    let (large, small) = match dtype {
        Dtype::Float64 => (1e15, 1e-150),
        _ => (1e7, 1e-18),
    };
    x.is_finite() && x != 0.0 && !(small..large).contains(&x.abs())
}

impl Form {
    pub fn of(v: &Variable) -> Form {
        let value = v.value();
        Form {
            finite: with_numbers!(value, all => all.iter().all(|x| x.wide().is_finite())),
            zero: with_numbers!(value, all => all.iter().any(|x| x.wide() == 0.0)),
            extreme: v.dtype().is_float() && value.data().iter().any(|x| is_extreme(*x, v.dtype())),
            dtype: v.dtype(),
            shape: v.shape(),
            requires_grad: v.requires_grad(),
            leaf: v.is_leaf(),
            wide: v.dtype() == Dtype::Int64
                && with_numbers!(value, all => all.iter().any(|n| n.wide().abs() > 2e9)),
        }
    }
}

impl Seen {
    pub fn of(value: &Value) -> Seen {
        match value {
            Value::Tensor(v) => Seen::Tensor(Form::of(v)),
            Value::Array(v) => Seen::Array(Form::of(v)),
            other => Seen::Value(other.clone()),
        }
    }

    fn same(&self, value: &Value) -> bool {
        match (self, value) {
            (Seen::Tensor(f), Value::Tensor(v)) | (Seen::Array(f), Value::Array(v)) => {
                *f == Form::of(v)
            }
            (Seen::Value(a), b) => alike(a, b),
            _ => false,
        }
    }
}

/// The same, or containers of one type: what is in them is seen where it is taken out.
fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) => {
            a.items.len() == b.items.len()
                && a.items.iter().zip(&b.items).all(|(a, b)| Seen::of(a).same(b))
        }
        (Value::List(_), Value::List(_))
        | (Value::Dict(_), Value::Dict(_))
        | (Value::Iterator(_), Value::Iterator(_)) => true,
        _ => a.same(b),
    }
}

impl Watch {
    pub fn at(&self, place: Place) -> Option<&Sight> {
        self.seen.get(&place)
    }

    pub fn sights(&self) -> impl Iterator<Item = &Sight> {
        self.seen.values()
    }

    /// Whether a text drew random numbers.
    pub fn drew(&self, text: u32) -> bool {
        self.seen.iter().any(|((id, _), sight)| *id == text && !sight.drawn.is_empty())
    }

    pub(super) fn see(&mut self, place: Place, value: &Value) -> &mut Sight {
        let sight = self.seen.entry(place).or_default();
        sight.times += 1;
        if !sight.kinds.iter().any(|k| k.same(value)) {
            match sight.kinds.len() < KINDS {
                true => sight.kinds.push(Seen::of(value)),
                false => sight.many = true,
            }
        }
        sight
    }
}
