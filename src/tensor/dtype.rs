//! Types of elements, and the type of a result.

use std::cell::Cell;

/// Element type. All arithmetic is f64; shorter floats are rounded, integers stay integral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dtype {
    Bool,
    Uint8,
    Int8,
    Int16,
    Int32,
    Int64,
    Float16,
    Bfloat16,
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
        self >= Dtype::Float16
    }

    /// Integers, with a sign or without; a bool is none.
    pub fn is_whole(self) -> bool {
        !self.is_float() && self != Dtype::Bool
    }

    /// Whether PyTorch computes with it in float32.
    pub fn is_short(self) -> bool {
        self.is_float() && self != Dtype::Float64
    }

    /// The type that PyTorch computes with it in.
    pub fn computed_in(self) -> Dtype {
        if self.is_short() { Dtype::Float32 } else { self }
    }

    /// Whether loops compute in it, a tile at a time: whole numbers and 16-bit floats they bring to another.
    pub fn is_tiled(self) -> bool {
        matches!(self, Dtype::Float64 | Dtype::Float32)
    }

    /// Whether it is a float of 16 bits.
    pub fn is_half(self) -> bool {
        matches!(self, Dtype::Float16 | Dtype::Bfloat16)
    }

    /// `torch.float64`'s last part.
    pub fn name(self) -> &'static str {
        match self {
            Dtype::Bool => "bool",
            Dtype::Uint8 => "uint8",
            Dtype::Int8 => "int8",
            Dtype::Int16 => "int16",
            Dtype::Int32 => "int32",
            Dtype::Int64 => "int64",
            Dtype::Float16 => "float16",
            Dtype::Bfloat16 => "bfloat16",
            Dtype::Float32 => "float32",
            Dtype::Float64 => "float64",
        }
    }

    /// As error messages say it: `Long`, `Double`.
    pub fn scalar_type(self) -> &'static str {
        match self {
            Dtype::Bool => "Bool",
            Dtype::Uint8 => "Byte",
            Dtype::Int8 => "Char",
            Dtype::Int16 => "Short",
            Dtype::Int32 => "Int",
            Dtype::Int64 => "Long",
            Dtype::Float16 => "Half",
            Dtype::Bfloat16 => "BFloat16",
            Dtype::Float32 => "Float",
            Dtype::Float64 => "Double",
        }
    }

    /// As C spells it: `double`, `long int`.
    pub fn c_name(self) -> &'static str {
        match self {
            Dtype::Bool => "bool",
            Dtype::Uint8 => "unsigned char",
            Dtype::Int8 => "signed char",
            Dtype::Int16 => "short int",
            Dtype::Int32 => "int",
            Dtype::Int64 => "long int",
            Dtype::Float16 => "c10::Half",
            Dtype::Bfloat16 => "c10::BFloat16",
            Dtype::Float32 => "float",
            Dtype::Float64 => "double",
        }
    }

    pub const ALL: [Dtype; 10] = [
        Dtype::Bool,
        Dtype::Uint8,
        Dtype::Int8,
        Dtype::Int16,
        Dtype::Int32,
        Dtype::Int64,
        Dtype::Float16,
        Dtype::Bfloat16,
        Dtype::Float32,
        Dtype::Float64,
    ];

    /// The name that C++ has for its tensors: `torch.DoubleTensor`, but of two types the class.
    pub fn class_name(self) -> String {
        match self {
            Dtype::Bool => "CPUBoolType".to_owned(),
            Dtype::Bfloat16 => "CPUBFloat16Type".to_owned(),
            other => other.type_name(),
        }
    }

    /// `torch.DoubleTensor`, as `type()` says it.
    pub fn type_name(self) -> String {
        format!("torch.{}Tensor", self.scalar_type())
    }

    /// As the C library's fixed-width types are called: `uint8_t`, `int`, `int64_t`.
    pub fn c_type(self) -> &'static str {
        match self {
            Dtype::Uint8 => "uint8_t",
            Dtype::Int8 => "int8_t",
            Dtype::Int16 => "int16_t",
            Dtype::Int64 => "int64_t",
            other => other.c_name(),
        }
    }

    /// Bytes of an element.
    pub fn size(self) -> usize {
        match self {
            Dtype::Bool | Dtype::Uint8 | Dtype::Int8 => 1,
            Dtype::Int16 | Dtype::Float16 | Dtype::Bfloat16 => 2,
            Dtype::Int32 | Dtype::Float32 => 4,
            Dtype::Int64 | Dtype::Float64 => 8,
        }
    }

    /// The least and the largest value of an integer type.
    pub fn limits(self) -> Option<(f64, f64)> {
        match self {
            Dtype::Uint8 => Some((0.0, 255.0)),
            Dtype::Int8 => Some((f64::from(i8::MIN), f64::from(i8::MAX))),
            Dtype::Int16 => Some((f64::from(i16::MIN), f64::from(i16::MAX))),
            Dtype::Int32 => Some((f64::from(i32::MIN), f64::from(i32::MAX))),
            Dtype::Int64 => Some((i64::MIN as f64, i64::MAX as f64)),
            _ => None,
        }
    }

    /// Whether a Python number may become one of this type: `whole` says that it is an int, and
    /// those wrap around in uint8 down to −255.
    pub fn takes(self, value: f64, whole: bool) -> bool {
        self.limits().is_none_or(|(least, most)| {
            let least = if whole && least == 0.0 { -most } else { least };
            (least..=most).contains(&value)
        })
    }

    /// The nearest legal value of this type.
    pub fn cast(self, v: f64) -> f64 {
        match self {
            Dtype::Bool => f64::from(u8::from(v != 0.0)),
            Dtype::Uint8 => f64::from(v.trunc() as i64 as u8),
            Dtype::Int8 => f64::from(v.trunc() as i64 as i8),
            Dtype::Int16 => f64::from(v.trunc() as i64 as i16),
            // What no whole number represents becomes the least one, and −0 is 0.
            Dtype::Int32 if !v.is_finite() => f64::from(i32::MIN),
            Dtype::Int32 => f64::from(v.trunc() as i64 as i32),
            Dtype::Int64 if !v.is_finite() => i64::MIN as f64,
            Dtype::Int64 => v.trunc() + 0.0,
            Dtype::Float16 => half(v as f32),
            Dtype::Bfloat16 => brain(v as f32),
            Dtype::Float32 => f64::from(v as f32),
            Dtype::Float64 => v,
        }
    }

    /// [`Dtype::cast`] of every number.
    pub fn cast_all(self, data: &mut [f64]) {
        match self {
            Dtype::Float64 => {}
            // A loop of its own: asked for each number, the type costs more than the work.
            Dtype::Float32 => crate::kernels::single::round(data),
            Dtype::Bool => data.iter_mut().for_each(|v| *v = f64::from(u8::from(*v != 0.0))),
            _ => data.iter_mut().for_each(|v| *v = self.cast(*v)),
        }
    }

    pub fn category(self) -> u8 {
        match self {
            Dtype::Bool => 0,
            d if d.is_float() => 2,
            _ => 1,
        }
    }

    /// Whether every value of this type is one of `to`.
    pub fn fits(self, to: Dtype) -> bool {
        match (self, to) {
            (Dtype::Bool, _) | (_, Dtype::Float64) => true,
            (Dtype::Uint8, Dtype::Int8) | (Dtype::Float16, Dtype::Bfloat16) => false,
            _ => self.category() == to.category() && self < to,
        }
    }

    /// Whether a result of this type may be written into a tensor of type `to`.
    pub fn can_cast(self, to: Dtype) -> bool {
        self.category() <= to.category()
    }

    /// The type that holds both in NumPy, where whole numbers need a float of twice their size.
    pub fn join_numpy(self, other: Dtype) -> Dtype {
        let (low, high) = (self.min(other), self.max(other));
        match (low, high) {
            (Dtype::Int32 | Dtype::Int64, d) if d.is_float() => Dtype::Float64,
            _ => high,
        }
    }

    /// The type that holds both (`torch.promote_types`).
    pub fn join(self, other: Dtype) -> Dtype {
        match (self.min(other), self.max(other)) {
            // Neither of these holds the other.
            (Dtype::Uint8, Dtype::Int8) => Dtype::Int16,
            (Dtype::Float16, Dtype::Bfloat16) => Dtype::Float32,
            (_, larger) => larger,
        }
    }
}

/// To the nearest IEEE half: 11 binary digits, exponents from −14 to 15.
fn half(v: f32) -> f64 {
    let v = f64::from(v);
    if v == 0.0 || !v.is_finite() {
        return v;
    }
    let exponent = ((v.abs().to_bits() >> 52) as i32 - 1023).max(-14);
    let unit = f64::from(exponent - 10).exp2();
    let rounded = (v / unit).round_ties_even() * unit;
    if rounded.abs() > 65504.0 { f64::INFINITY.copysign(v) } else { rounded }
}

/// To the nearest bfloat16: a float32 of which the upper 16 bits are left.
fn brain(v: f32) -> f64 {
    if v.is_nan() {
        return f64::NAN;
    }
    let bits = v.to_bits();
    let even = 0x7fff + ((bits >> 16) & 1);
    f64::from(f32::from_bits(bits.wrapping_add(even) & 0xffff_0000))
}
