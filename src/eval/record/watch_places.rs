//! What a run shows at each place of its text: for writing the program in another language.

use super::watched_values::{Before, Moment, Place, Reached, Sweep, Watch};
use crate::library::table::given;
use crate::{Machine, Value};
use std::hash::{DefaultHasher, Hash, Hasher};
use vjp_maths::Variable;
use vjp_maths::autodiff::reverse;
use vjp_syntax::ast::Expr;
use vjp_tensor::{Element, Tensor, random, with_numbers};
use vjp_text::Span;

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
    pub(crate) fn eval_watched(&mut self, e: &Expr) -> crate::Tried<Value> {
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
            let now = (mark(&value), value.address());
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

/// Values in values are read so deep, and so many of them: a list may hold itself.
const NESTED: usize = 8;
const VALUES: usize = 1_000_000;

/// Differs where the numbers of a value, or of what it holds, differ.
fn mark(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    take(value, NESTED, &mut VALUES.clone(), &mut hasher);
    hasher.finish()
}

fn take(value: &Value, depth: usize, left: &mut usize, hasher: &mut DefaultHasher) {
    let Some(rest) = left.checked_sub(1) else { return };
    *left = rest;
    let mut each = |items: &mut dyn Iterator<Item = &Value>| {
        if depth > 0 {
            items.for_each(|v| take(v, depth - 1, left, hasher));
        }
        hasher.write_u8(b']');
    };
    match value {
        Value::Tensor(v) | Value::Array(v) => {
            let t = v.value();
            t.shape().hash(hasher);
            match t.long() {
                Some(all) => all.hash(hasher),
                None => t.data().iter().for_each(|x| x.to_bits().hash(hasher)),
            }
        }
        Value::List(l) => each(&mut l.items.borrow().iter()),
        Value::Tuple(t) => each(&mut t.items.iter()),
        Value::Dict(d) => each(&mut d.entries.borrow().iter().map(|(_, _, v)| v)),
        Value::Int(i) => i.hash(hasher),
        Value::Float(f) => f.to_bits().hash(hasher),
        Value::Bool(b) => b.hash(hasher),
        Value::Str(s) => s.hash(hasher),
        value => {
            let members = (given().members)(value);
            let tensors: Vec<Value> =
                members.into_iter().flatten().map(|(_, t)| Value::Tensor(t)).collect();
            each(&mut tensors.iter());
        }
    }
}

fn is_zero(t: &Tensor) -> bool {
    with_numbers!(t, all => all.iter().all(|v| v.wide() == 0.0))
}
