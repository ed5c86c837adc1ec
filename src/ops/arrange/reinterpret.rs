//! `view(dtype)`: the bytes of a tensor read as another type. The result has memory of its own.

use vjp_maths::Variable;
use vjp_tensor::exact_integers::exact;
use vjp_tensor::{Complaint, Dtype, Outcome, Tensor, complain};

/// The bytes of an element.
fn bytes(v: f64, dtype: Dtype, out: &mut Vec<u8>) {
    match dtype {
        Dtype::Float64 => out.extend(v.to_le_bytes()),
        Dtype::Float32 => out.extend((v as f32).to_le_bytes()),
        other => out.extend_from_slice(&(v as i64).to_le_bytes()[..other.size()]),
    }
}

/// The element that bytes are.
fn element(bytes: &[u8], dtype: Dtype) -> Outcome<f64> {
    let mut whole = [0; 8];
    whole[..bytes.len()].copy_from_slice(bytes);
    let whole = i64::from_le_bytes(whole);
    Ok(match dtype {
        Dtype::Float64 => f64::from_bits(whole as u64),
        Dtype::Float32 => f64::from(f32::from_bits(whole as u32)),
        Dtype::Int64 => exact(whole)?,
        Dtype::Int32 => f64::from(whole as i32),
        Dtype::Int16 => f64::from(whole as i16),
        Dtype::Int8 => f64::from(whole as i8),
        _ => whole as f64,
    })
}

/// # Errors
/// PyTorch's sentences on sizes; floats of 16 bits; integers that no double is equal to.
pub fn reinterpreted(x: &Variable, dtype: Dtype) -> Outcome<Variable> {
    let own = x.dtype();
    if own.is_half() || dtype.is_half() {
        return Err(Complaint::absent(format_args!("view() to or from floats of 16 bits")));
    }
    let pair = format!(
        "to view {} as {} (different element sizes)",
        own.scalar_type(),
        dtype.scalar_type()
    );
    let (from, to) = (own.size(), dtype.size());
    let mut shape = x.shape();
    if from != to {
        let Some(last) = shape.last_mut() else {
            complain!("self.dim() cannot be 0 {pair}");
        };
        if to > from && *last % (to / from) != 0 {
            let (by, n) = (to / from, *last);
            complain!("self.size(-1) must be divisible by {by} {pair}, but got {n}");
        }
        let step = x.layout().strides.last().copied().unwrap_or(1);
        if to > from && step != 1 {
            complain!("self.stride(-1) must be 1 {pair}, but got {step}");
        }
        *last = *last * from / to;
    }
    let mut all = Vec::with_capacity(x.numel() * from);
    x.value().data().iter().for_each(|v| bytes(*v, own, &mut all));
    let data = all.chunks(to).map(|c| element(c, dtype)).collect::<Outcome<_>>()?;
    Ok(Variable::constant(Tensor::typed(&shape, data, dtype)))
}
