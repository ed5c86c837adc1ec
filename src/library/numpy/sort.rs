//! NumPy's sorting: `np.sort`, `a.sort()`, along any axis, nan last.

use crate::create::read;
use std::cmp::Ordering;
use vjp_binder::Given;
use vjp_eval::{Args, At, Machine, Tried, Value};
use vjp_maths::Variable;
use vjp_tensor::kernels::sort;
use vjp_tensor::storage::numbers::Stored;
use vjp_tensor::{Outcome, Tensor, budget, with_numbers};

/// A wish to stop is looked for after so many elements.
const TURN: usize = 1 << 16;

/// `np.sort(a, axis)`; None sorts all elements in a row.
///
/// # Errors
/// An axis out of range; what is not an array.
pub fn sort(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let value = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?.value();
    let flat = matches!(g.raw(1), Some(Value::None));
    let value = match flat {
        true => value.reshaped(&[value.numel()]),
        false => value,
    };
    let axis = g.int("axis")?.filter(|_| !flat).unwrap_or(-1);
    let sorted = sorted(&value, axis).at(g.site.span)?;
    Ok(Value::Array(Variable::constant(sorted)))
}

/// `a.sort(axis)`: in place.
///
/// # Errors
/// An axis out of range.
pub fn sort_here(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    if let Some(Value::Array(a) | Value::Tensor(a)) = g.raw(0) {
        let axis = g.int("axis")?.unwrap_or(-1);
        let sorted = sorted(&a.value(), axis).at(g.site.span)?;
        a.copy(&Variable::constant(sorted)).at(g.site.span)?;
    }
    Ok(Value::None)
}

/// Each row along an axis in order; nan is the largest.
fn sorted(value: &Tensor, axis: i64) -> Outcome<Tensor> {
    let axis = crate::functions::axis_of(axis, value.rank())?;
    let shape = value.shape().to_vec();
    let inner: usize = shape[axis + 1..].iter().product();
    let (length, outer) = (shape[axis], shape[..axis].iter().product::<usize>());
    with_numbers!(value, from => {
        let data = by_lines(from, [outer, length, inner])?;
        Ok(Stored::tensor(&shape, data, value.dtype()))
    })
}

/// The lines of an array, `inner` apart, each in order; NaN is the largest.
fn by_lines<T: Stored>(from: &[T], [outer, length, inner]: [usize; 3]) -> Outcome<Vec<T>> {
    let mut data = budget::listed(from.len(), |_| T::default())?;
    for start in (0..outer).flat_map(|o| (0..inner).map(move |i| o * length * inner + i)) {
        let at = |k: usize| from[start + k * inner];
        let order = sort::positions(length, |a, b| {
            let missing = at(a).wide().is_nan().cmp(&at(b).wide().is_nan());
            missing.then_with(|| at(a).partial_cmp(&at(b)).unwrap_or(Ordering::Equal))
        })?;
        for (k, place) in order.into_iter().enumerate() {
            if k.is_multiple_of(TURN) {
                budget::tick()?;
            }
            data[start + k * inner] = at(place);
        }
    }
    Ok(data)
}
