//! Types of numbers: which one JAX gives, and what it takes to give PyTorch's.

use super::Writer;
use super::code::Code;
use vjp_maths::tensor::Dtype;

/// PyTorch's type as JAX names it.
pub(super) fn name(dtype: Dtype, double: bool) -> &'static str {
    match dtype {
        Dtype::Float64 => "jnp.float64",
        Dtype::Float32 => "jnp.float32",
        Dtype::Float16 => "jnp.float16",
        Dtype::Bfloat16 => "jnp.bfloat16",
        // Without 64 bits JAX has no wider integers.
        Dtype::Int64 if !double => "jnp.int32",
        Dtype::Int64 => "jnp.int64",
        Dtype::Int32 => "jnp.int32",
        Dtype::Int16 => "jnp.int16",
        Dtype::Int8 => "jnp.int8",
        Dtype::Uint8 => "jnp.uint8",
        Dtype::Bool => "jnp.bool_",
    }
}

fn width(dtype: Dtype) -> u8 {
    match dtype {
        Dtype::Bool => 0,
        Dtype::Uint8 | Dtype::Int8 => 1,
        Dtype::Int16 | Dtype::Float16 | Dtype::Bfloat16 => 2,
        Dtype::Int32 | Dtype::Float32 => 4,
        Dtype::Int64 | Dtype::Float64 => 8,
    }
}

/// The type of an operation on arrays of these types, as JAX promotes them.
fn promoted(a: Dtype, b: Dtype) -> Dtype {
    match (a.is_float(), b.is_float()) {
        (true, false) => a,
        (false, true) => b,
        (true, true) if a != b && width(a) == width(b) => Dtype::Float32,
        (false, false) if a != b && width(a) == 1 && width(b) == 1 => Dtype::Int16,
        _ if width(a) >= width(b) => a,
        _ => b,
    }
}

impl Writer<'_> {
    /// What JAX makes of floats that nobody gave a type.
    pub(super) fn default_float(&self) -> Dtype {
        if self.double { Dtype::Float64 } else { Dtype::Float32 }
    }

    /// `code`, of an operation on arrays of types `from`, in PyTorch's type `to`.
    pub(super) fn fitted(&self, code: Code, from: &[Dtype], to: Option<Dtype>) -> Code {
        let (true, Some(to)) = (self.mixed, to) else {
            return code;
        };
        let Some((first, rest)) = from.split_first() else {
            return code;
        };
        let mut given = rest.iter().fold(*first, |a, b| promoted(a, *b));
        match (given.is_float(), to.is_float()) {
            (false, true) => given = self.default_float(),
            // Comparisons, places, counts.
            (_, false) if given.is_float() || matches!(to, Dtype::Bool | Dtype::Int64) => {
                return code;
            }
            _ => {}
        }
        match given == to {
            true => code,
            false => format!("{}.astype({})", code.tight(), name(to, self.double)).into(),
        }
    }
}
