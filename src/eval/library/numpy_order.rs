//! NumPy's sorting: `np.sort`, `a.sort()`, along any axis, nan last.

use super::numpy_make::{given, read};
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::Value;
use crate::maths::complaint::{Complaint, Kind, Outcome};
use crate::maths::tensor::Tensor;
use crate::maths::variable::Variable;
use std::cmp::Ordering;

/// `np.sort(a, axis)`; None sorts all elements in a row.
///
/// # Errors
/// An axis out of range; what is not an array.
pub fn sort(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
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
pub fn sort_here(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    if let Some(Value::Array(a) | Value::Tensor(a)) = g.raw(0) {
        let axis = g.int("axis")?.unwrap_or(-1);
        let sorted = sorted(&a.value(), axis).at(g.site.span)?;
        a.copy(&Variable::constant(sorted)).at(g.site.span)?;
    }
    Ok(Value::None)
}

/// Each row along an axis in order; nan is the largest.
fn sorted(value: &Tensor, axis: i64) -> Outcome<Tensor> {
    let rank = value.rank() as i64;
    if !(-rank..rank).contains(&axis) {
        return Err(Complaint::new(
            Kind::Axis,
            format!("axis {axis} is out of bounds for array of dimension {rank}"),
        ));
    }
    let axis = axis.rem_euclid(rank) as usize;
    let shape = value.shape().to_vec();
    let inner: usize = shape[axis + 1..].iter().product();
    let (length, outer) = (shape[axis], shape[..axis].iter().product::<usize>());
    let mut data = value.data().to_vec();
    let mut row = Vec::with_capacity(length);
    for start in (0..outer).flat_map(|o| (0..inner).map(move |i| o * length * inner + i)) {
        row.clear();
        row.extend((0..length).map(|k| data[start + k * inner]));
        row.sort_by(|a, b| {
            let missing = a.is_nan().cmp(&b.is_nan());
            missing.then_with(|| a.partial_cmp(b).unwrap_or(Ordering::Equal))
        });
        for (k, v) in row.iter().enumerate() {
            data[start + k * inner] = *v;
        }
    }
    Ok(Tensor::new(&shape, data).with_dtype(value.dtype()))
}
