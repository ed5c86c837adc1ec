//! Types of elements and how they promote.

use std::cell::Cell;

/// Element type. All arithmetic is f64; float32 results are rounded, integers stay integral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dtype {
    Bool,
    Uint8,
    Int32,
    Int64,
    Float32,
    Float64,
}

thread_local! {
    static DEFAULT: Cell<Dtype> = const { Cell::new(Dtype::Float64) };
}

/// What a bare float becomes: `torch.get_default_dtype()`.
pub fn default_dtype() -> Dtype {
    DEFAULT.with(Cell::get)
}

/// `torch.set_default_dtype`, `--dtype`.
pub fn set_default_dtype(dtype: Dtype) {
    DEFAULT.with(|d| d.set(dtype));
}

impl Dtype {
    pub fn is_float(self) -> bool {
        matches!(self, Dtype::Float32 | Dtype::Float64)
    }

    /// `torch.float64`'s last part.
    pub fn name(self) -> &'static str {
        match self {
            Dtype::Bool => "bool",
            Dtype::Uint8 => "uint8",
            Dtype::Int32 => "int32",
            Dtype::Int64 => "int64",
            Dtype::Float32 => "float32",
            Dtype::Float64 => "float64",
        }
    }

    /// As error messages say it: `Long`, `Double`.
    pub fn scalar_type(self) -> &'static str {
        match self {
            Dtype::Bool => "Bool",
            Dtype::Uint8 => "Byte",
            Dtype::Int32 => "Int",
            Dtype::Int64 => "Long",
            Dtype::Float32 => "Float",
            Dtype::Float64 => "Double",
        }
    }

    /// As C spells it: `double`, `long int`.
    pub fn c_name(self) -> &'static str {
        match self {
            Dtype::Bool => "bool",
            Dtype::Uint8 => "unsigned char",
            Dtype::Int32 => "int",
            Dtype::Int64 => "long int",
            Dtype::Float32 => "float",
            Dtype::Float64 => "double",
        }
    }

    /// `torch.DoubleTensor`, as `type()` says it.
    pub fn type_name(self) -> String {
        format!("torch.{}Tensor", self.scalar_type())
    }

    /// The nearest legal value of this type.
    pub fn cast(self, v: f64) -> f64 {
        match self {
            Dtype::Bool => f64::from(u8::from(v != 0.0)),
            Dtype::Uint8 => f64::from(v.trunc() as i64 as u8),
            // What no whole number stands for becomes the least one, and −0 is 0.
            Dtype::Int32 if !v.is_finite() => f64::from(i32::MIN),
            Dtype::Int32 => f64::from(v.trunc() as i64 as i32),
            Dtype::Int64 if !v.is_finite() => i64::MIN as f64,
            Dtype::Int64 => v.trunc() + 0.0,
            Dtype::Float32 => f64::from(v as f32),
            Dtype::Float64 => v,
        }
    }

    pub(super) fn category(self) -> u8 {
        match self {
            Dtype::Bool => 0,
            Dtype::Uint8 | Dtype::Int32 | Dtype::Int64 => 1,
            _ => 2,
        }
    }

    /// Whether a result of this type may be written into a tensor of type `to`.
    pub fn can_cast(self, to: Dtype) -> bool {
        self.category() <= to.category()
    }

    /// The type that holds both (`torch.promote_types`).
    pub fn join(self, other: Dtype) -> Dtype {
        self.max(other)
    }
}
