//! Values that no gradient flows to: by the name that leads to one, as a number, or by a name of their own.

use std::rc::Rc;
use vjp_eval::Machine;
use vjp_eval::leaf::naming::held;
use vjp_maths::{Array, Edge, Variable};
use vjp_tensor::Tensor;

/// How a constant is made of a tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    Same,
    Reshaped,
    Transposed,
    Repeated,
    Scaled(f64),
}

/// Tensors that names lead to.
pub(super) struct Constants {
    known: Vec<(String, Variable, Tensor)>,
}

impl Constants {
    pub fn of(m: &Machine) -> Constants {
        let named = m
            .names()
            .into_iter()
            .filter_map(|(name, value)| Some((name, vjp_eval::leaf::existing(&value)?)));
        let known = named.chain(held(m)).map(|(name, v)| {
            let value = v.value();
            (name, v, value)
        });
        Constants { known: known.collect() }
    }

    /// The name of the tensor that a constant is.
    pub fn own(&self, edge: &Edge) -> Option<(&str, &Tensor)> {
        let own = edge.constant().or(edge.leaf().map(Variable::id));
        let own = own.filter(|_| !edge.value.is_weak())?;
        let same = self.known.iter().find(|(_, v, t)| v.id() == own && equal(t, &edge.value));
        same.map(|(name, _, t)| (name.as_str(), t))
    }

    /// The name of the number that was taken out of the graph there.
    pub fn cut(&self, edge: &Edge) -> Option<&str> {
        let cut = edge.cut()?;
        let from = |v: &Variable| v.cut().is_some_and(|own| Rc::ptr_eq(&own, &cut));
        let same = self.known.iter().find(|(_, v, t)| from(v) && equal(t, &edge.value));
        same.map(|(name, ..)| name.as_str())
    }

    /// What a name is bound to.
    pub fn named(&self, name: &str) -> Option<(&Variable, &Tensor)> {
        self.known.iter().find(|(known, ..)| known == name).map(|(_, v, t)| (v, t))
    }

    /// The tensor that a constant may be made of in one of the ways that programs do.
    pub fn alike(&self, value: &Tensor) -> Option<(&str, &Tensor, Way)> {
        // What a gradient may flow to is no constant, whatever its numbers are.
        let fixed = |v: &Variable| !v.requires_grad() && !v.is_implicit();
        let known = || {
            let alike = |t: &Tensor| t.numel() == value.numel() && t.numel() > 1;
            self.known.iter().filter(move |(_, v, t)| fixed(v) && alike(t))
        };
        [Way::Same, Way::Reshaped, Way::Transposed]
            .into_iter()
            .find_map(|way| {
                let found = known().find(|(.., t)| match way {
                    Way::Same => equal(t, value),
                    Way::Reshaped => t.data() == value.data(),
                    _ => t.rank() == 2 && equal(&Array::swap(t), value),
                });
                found.map(|(name, _, t)| (name.as_str(), t, way))
            })
            .or_else(|| {
                let repeats = |t: &Tensor| {
                    let to = vjp_tensor::shape::broadcast_all([t.shape(), value.shape()]);
                    t.numel() > 1
                        && t.numel() < value.numel()
                        && to.is_ok_and(|to| to == value.shape())
                        && Array::expand(t, value.shape()).data() == value.data()
                };
                let found = self.known.iter().find(|(_, v, t)| fixed(v) && repeats(t))?;
                Some((found.0.as_str(), &found.2, Way::Repeated))
            })
            .or_else(|| {
                known().find_map(|(name, _, t)| {
                    Some((name.as_str(), t, Way::Scaled(factor(t, value)?)))
                })
            })
    }

    /// Lists of whole numbers, which may have been classes or rows.
    pub fn lists(&self) -> Vec<(String, Vec<usize>)> {
        let whole = |t: &Tensor| -> Option<Vec<usize>> {
            let each = t.data().iter();
            each.map(|x| (x.trunc() == *x && *x >= 0.0).then_some(*x as usize)).collect()
        };
        let lists = self.known.iter().filter(|(.., t)| !t.dtype().is_float() && t.rank() > 0);
        lists.filter_map(|(name, _, t)| Some((name.clone(), whole(t)?))).collect()
    }
}

pub(super) fn equal(a: &Tensor, b: &Tensor) -> bool {
    a.shape() == b.shape() && a.data() == b.data()
}

/// The number that all elements of one are multiplied by.
fn factor(t: &Tensor, by: &Tensor) -> Option<f64> {
    let (a, b) = (t.data().iter(), by.data().iter());
    let pair = a.clone().zip(b.clone()).find(|(a, _)| **a != 0.0)?;
    let c = pair.1 / pair.0;
    (t.shape() == by.shape() && c != 0.0 && a.zip(b).all(|(a, b)| a * c == *b)).then_some(c)
}

/// The number that all elements are.
pub(super) fn uniform(t: &Tensor) -> Option<f64> {
    let first = *t.data().first()?;
    t.data().iter().all(|x| *x == first).then_some(first)
}
