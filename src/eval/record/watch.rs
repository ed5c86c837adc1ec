//! What a run shows at each place of its text: for writing the program in another language.

use crate::language::machine::Machine;
use crate::library::table::given;
use crate::values::value::Value;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use vjp_maths::autodiff::reverse;
use vjp_maths::autodiff::variable::Variable;
use vjp_syntax::ast::Expr;
use vjp_tensor::random;
use vjp_tensor::tensor::{Dtype, Tensor};
use vjp_text::names::Symbol;
use vjp_text::source::Span;

/// A place keeps this many different values.
const KINDS: usize = 8;

/// Which text, and where in it.
pub type Place = (u32, Span);

/// Values by place, and the backwards in order.
#[derive(Default)]
pub struct Watch {
    seen: HashMap<Place, Sight>,
    pub sweeps: Vec<Sweep>,
    pub moments: Vec<Moment>,
    /// Of every name, a mark of its numbers and what it is bound to.
    latest: HashMap<Symbol, (u64, usize)>,
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
    /// Integers beyond 32 bits are in it.
    pub wide: bool,
    /// No infinity and no NaN is in it.
    pub finite: bool,
    /// A 0 is in it.
    pub zero: bool,
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

impl Form {
    pub fn of(v: &Variable) -> Form {
        let value = v.value();
        Form {
            finite: value.data().iter().all(|x| x.is_finite()),
            zero: value.data().contains(&0.0),
            dtype: v.dtype(),
            shape: v.shape(),
            requires_grad: v.requires_grad(),
            wide: v.dtype() == Dtype::Int64 && value.data().iter().any(|n| n.abs() > 2e9),
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

    fn see(&mut self, place: Place, value: &Value) -> &mut Sight {
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

impl Machine {
    /// Remembers from now on what every expression of the program is.
    pub fn watch(&mut self) {
        self.watch = Some(Box::default());
    }

    /// What was seen, at the end.
    pub fn watched(&mut self) -> Watch {
        self.watch.take().map_or_else(Watch::default, |w| *w)
    }

    #[cold]
    pub(crate) fn eval_watched(
        &mut self,
        e: &Expr,
    ) -> Result<Value, crate::language::exception::raise::Halt> {
        let value = self.eval_unwatched(e)?;
        self.saw(e.span, &value);
        Ok(value)
    }

    /// Notes what stands at a place of the program.
    pub(crate) fn saw(&mut self, span: Span, value: &Value) {
        if let Some(watch) = &mut self.watch
            && !self.source.is_own()
        {
            watch.see((self.source.id(), span), value);
        }
    }

    /// Notes what a call gave if it drew: the random numbers stood at `before`.
    pub(crate) fn saw_drawn(&mut self, span: Span, value: &Value, before: random::Stand) {
        if let Some(watch) = &mut self.watch
            && !self.source.is_own()
            && random::stand() != before
        {
            // As it is now: it may be written to.
            let constant = |v: &Variable| Value::Tensor(Variable::constant(v.value()));
            let now = match value {
                Value::Tensor(v) => constant(v),
                Value::Instance(i) => {
                    let attributes = i.attributes.borrow();
                    let tensors = attributes.iter().filter_map(|(_, v)| match v {
                        Value::Tensor(t) => Some(constant(t)),
                        _ => None,
                    });
                    Value::tuple(tensors.collect())
                }
                other => other.clone(),
            };
            watch.seen.entry((self.source.id(), span)).or_default().drawn.push(now);
        }
    }

    /// Notes what a statement at the top level left.
    pub(crate) fn saw_statement(&mut self, span: Span) {
        let Some(mut watch) = self.watch.take() else {
            return;
        };
        let (mut changed, mut modules) = (Vec::new(), Vec::new());
        for (name, value) in self.bindings() {
            let now = (mark(&value, 0), value.address());
            let before = watch.latest.insert(name, now);
            if before.is_some_and(|b| b == now) {
                continue;
            }
            if before.is_none_or(|b| b.0 != now.0) {
                changed.push(name);
            }
            if before.is_none_or(|b| b.1 != now.1)
                && let Some(members) = (given().members)(&value)
            {
                let members = members.into_iter().map(|(n, t)| (n, t.id(), t.value()));
                modules.push((name, members.collect()));
            }
        }
        let place = (self.source.id(), span);
        watch.moments.push(Moment { place, changed, modules });
        self.watch = Some(watch);
    }

    /// Notes a backward.
    pub fn saw_sweep(&mut self, place: Place, repeated: bool, sweep: &reverse::Sweep) {
        if self.watch.is_none() {
            return;
        }
        let places = crate::leaf::naming::Places::of(self);
        let all = sweep.leaves.iter().chain(&sweep.retained);
        let reached = all.map(|reverse::Reached { leaf: x, before, .. }| {
            let name = places.leaf(x).unwrap_or_default();
            let named = name.name != "leaf" || places.path(x).is_some();
            Reached {
                id: x.id(),
                path: if named { name.name } else { String::new() },
                earlier: name.earlier,
                before: match before {
                    None => Before::None,
                    Some(g) if is_zero(g) => Before::Zeros,
                    Some(_) => Before::Some,
                },
                computed: !x.is_leaf(),
            }
        });
        let sweep = Sweep { place, repeated, leaves: reached.collect() };
        if let Some(watch) = &mut self.watch {
            watch.sweeps.push(sweep);
        }
    }
}

/// Differs where the numbers of a value, or of what it holds, differ.
fn mark(value: &Value, depth: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    let each = |items: &[Value], hasher: &mut DefaultHasher| {
        if depth < 8 {
            items.iter().for_each(|v| mark(v, depth + 1).hash(hasher));
        }
    };
    match value {
        Value::Tensor(v) | Value::Array(v) => {
            let t = v.value();
            t.shape().hash(&mut hasher);
            t.data().iter().for_each(|x| x.to_bits().hash(&mut hasher));
        }
        Value::List(l) => each(&l.items.borrow(), &mut hasher),
        Value::Tuple(t) => each(&t.items, &mut hasher),
        Value::Dict(d) => {
            d.entries.borrow().iter().for_each(|(_, _, v)| mark(v, depth + 1).hash(&mut hasher));
        }
        Value::Int(i) => i.hash(&mut hasher),
        Value::Float(f) => f.to_bits().hash(&mut hasher),
        Value::Bool(b) => b.hash(&mut hasher),
        Value::Str(s) => s.hash(&mut hasher),
        value => {
            let members = (given().members)(value);
            let tensors: Vec<Value> =
                members.into_iter().flatten().map(|(_, t)| Value::Tensor(t)).collect();
            each(&tensors, &mut hasher);
        }
    }
    hasher.finish()
}

fn is_zero(t: &Tensor) -> bool {
    t.data().iter().all(|v| *v == 0.0)
}
