//! Names of element types.

use vjp_tensor::Dtype;

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

/// The type that NumPy calls so, `bool_` and the like included.
pub fn named(name: &str) -> Option<Dtype> {
    match name {
        "float" => Some(Dtype::Float64),
        "int" => Some(Dtype::Int64),
        _ => {
            let name = name.trim_end_matches('_');
            NAMES.iter().find(|(n, _)| *n == name).map(|(_, d)| *d)
        }
    }
}
