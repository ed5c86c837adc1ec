//! Names of element types.

use vjp_tensor::tensor::Dtype;

/// Every spelling in `torch`, with its type.
pub const NAMES: &[(&str, Dtype)] = &[
    ("float64", Dtype::Float64),
    ("double", Dtype::Float64),
    ("float32", Dtype::Float32),
    ("float", Dtype::Float32),
    ("int64", Dtype::Int64),
    ("long", Dtype::Int64),
    ("int32", Dtype::Int32),
    ("int", Dtype::Int32),
    ("int16", Dtype::Int16),
    ("short", Dtype::Int16),
    ("int8", Dtype::Int8),
    ("uint8", Dtype::Uint8),
    ("float16", Dtype::Float16),
    ("half", Dtype::Float16),
    ("bfloat16", Dtype::Bfloat16),
    ("bool", Dtype::Bool),
];

/// The type that NumPy calls so, by name (`bool_` and the like included) or letter code (`f4`).
pub fn named(name: &str) -> Option<Dtype> {
    match name.trim_start_matches(['<', '=', '|']) {
        "float" => Some(Dtype::Float64),
        "int" | "l" | "q" | "i8" => Some(Dtype::Int64),
        "?" | "b1" => Some(Dtype::Bool),
        "u1" | "B" => Some(Dtype::Uint8),
        "b" | "i1" => Some(Dtype::Int8),
        "h" | "i2" => Some(Dtype::Int16),
        "i" | "i4" => Some(Dtype::Int32),
        "e" | "f2" => Some(Dtype::Float16),
        "f" | "f4" | "single" => Some(Dtype::Float32),
        "d" | "f8" => Some(Dtype::Float64),
        _ => {
            let name = name.trim_end_matches('_');
            NAMES.iter().find(|(n, _)| *n == name).map(|(_, d)| *d)
        }
    }
}
