//! int64 that no double is equal to, in operations that only ask which number is larger, equal to another or 0: the
//! numbers' ranks or signs stand for them.

use crate::{Arg, Bound, Entry, Out};
use vjp_maths::Variable;
use vjp_tensor::exact_integers::longs;
use vjp_tensor::{Dtype, Outcome, Tensor};

/// The first result is some of the elements, the others are places and counts.
const CHOOSE: &[&str] = &[
    "unique",
    "unique_consecutive",
    "mode",
    "median",
    "nanmedian",
    "kthvalue",
    "cummax",
    "cummin",
];

/// The results are places or truth values.
const COMPARE: &[&str] = &["isin", "searchsorted", "bucketize"];

/// They ask how far numbers are apart, to the precision of doubles.
const NEAR: &[&str] = &["allclose", "isclose"];

/// They ask no more than the sign.
const SIGNS: &[&str] = &[
    "all",
    "any",
    "argwhere",
    "count_nonzero",
    "isfinite",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "isreal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "nonzero",
    "sgn",
    "signbit",
];

/// Whether an argument is a tensor with such numbers.
fn is_long(arg: &Arg) -> bool {
    matches!(arg, Arg::Tensor(t) if t.dtype() == Dtype::Int64 && t.value().long().is_some())
}

impl Entry {
    /// Runs the operation.
    pub fn run(&self, b: &mut Bound) -> Outcome<Out> {
        if !b.args.iter().any(is_long) {
            return self.call.run(b);
        }
        if SIGNS.contains(&self.name) {
            for arg in b.args.iter_mut() {
                replace(arg, |v| v.signum());
            }
            return self.call.run(b);
        }
        if NEAR.contains(&self.name) {
            for arg in b.args.iter_mut() {
                if let Arg::Tensor(t) = arg {
                    *t = Variable::constant(t.value().to_dtype(Dtype::Float64));
                }
            }
            return self.call.run(b);
        }
        let (chooses, compares) = (CHOOSE.contains(&self.name), COMPARE.contains(&self.name));
        let whole = |a: &Arg| match a {
            Arg::Tensor(t) => !t.dtype().is_float(),
            Arg::Scalar(_) => false,
            _ => true,
        };
        // Only the first two are elements; beside numbers and floats ranks say nothing.
        if !(chooses || compares && b.args.iter().take(2).all(whole)) {
            return self.call.run(b);
        }
        let mut all = Vec::new();
        for arg in b.args.iter().take(2) {
            if let Arg::Tensor(t) = arg {
                all.extend_from_slice(&longs(&t.value()));
            }
        }
        all.sort_unstable();
        all.dedup();
        for arg in b.args.iter_mut().take(2) {
            replace(arg, |v| all.binary_search(&v).unwrap_or_default() as i64);
        }
        let out = self.call.run(b)?;
        let element = |v: &mut Variable| {
            let ranks = v.value();
            let elements = longs(&ranks).iter().map(|rank| all[*rank as usize]).collect();
            *v = Variable::constant(Tensor::from_whole(ranks.shape(), elements, Dtype::Int64));
        };
        Ok(match out {
            Out::One(mut v) if chooses => {
                element(&mut v);
                Out::One(v)
            }
            Out::Many(mut parts) if chooses => {
                parts.iter_mut().take(1).for_each(element);
                Out::Many(parts)
            }
            Out::Named(name, mut parts) if chooses => {
                parts.iter_mut().take(1).for_each(|(_, v)| element(v));
                Out::Named(name, parts)
            }
            other => other,
        })
    }
}

/// Other numbers in the place of a tensor's.
fn replace(arg: &mut Arg, f: impl Fn(i64) -> i64) {
    if let Arg::Tensor(t) = arg
        && !t.dtype().is_float()
    {
        let value = t.value();
        let numbers = longs(&value).iter().map(|v| f(*v)).collect();
        *t = Variable::constant(Tensor::from_whole(value.shape(), numbers, Dtype::Int64));
    }
}
