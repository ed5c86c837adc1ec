//! Texts that PyTorch 2.15 and NumPy 2.4 really printed (tests/corpus/display.jsonl).

#![allow(clippy::unwrap_used, clippy::panic)]

use super::{numpy, torch};
use serde_json::Value;
use vjp_tensor::{Dtype, Tensor};

fn number(v: &Value) -> f64 {
    match v {
        Value::Bool(b) => f64::from(u8::from(*b)),
        Value::String(s) => s.parse().unwrap(),
        other => other.as_f64().unwrap(),
    }
}

fn tensor(case: &Value) -> Tensor {
    let shape: Vec<usize> =
        case["shape"].as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as usize).collect();
    let data: Vec<f64> = case["data"].as_array().unwrap().iter().map(number).collect();
    let dtype = match case["dtype"].as_str().unwrap() {
        "bool" => Dtype::Bool,
        "int32" => Dtype::Int32,
        "int64" => Dtype::Int64,
        "float32" => Dtype::Float32,
        _ => Dtype::Float64,
    };
    Tensor::new(&shape, data).with_dtype(dtype)
}

fn size(options: &Value, name: &str, usual: usize) -> usize {
    options[name].as_u64().map_or(usual, |v| v as usize)
}

#[test]
fn recorded_texts() {
    let text = include_str!("../../../tests/corpus/display.jsonl");
    let (mut bad, mut all) = (Vec::new(), 0);
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (value, o) = (tensor(&case), &case["options"]);
        let mut compare = |key: &str, got: String| {
            all += 1;
            let want = case[key].as_str().unwrap();
            if got != want {
                bad.push(format!("{o}\n{want}\n--- but\n{got}"));
            }
        };
        if case["library"] == "torch" {
            let usual = torch::PrintOptions::default();
            let options = torch::PrintOptions {
                precision: size(o, "precision", 4),
                threshold: size(o, "threshold", 1000) as f64,
                edgeitems: size(o, "edgeitems", 3),
                linewidth: size(o, "linewidth", 80),
                sci_mode: o["sci_mode"].as_bool(),
                ..usual
            };
            let suffix = match case["suffix"].as_str() {
                Some("requires_grad=True") => torch::Suffix::RequiresGrad,
                Some(_) => torch::Suffix::GradFn("CloneBackward0"),
                None => torch::Suffix::None,
            };
            compare("repr", torch::repr("tensor(", &value, suffix, None, &options));
        } else {
            let options = numpy::PrintOptions {
                precision: size(o, "precision", 8),
                linewidth: size(o, "linewidth", 75),
                suppress: o["suppress"].as_bool().unwrap_or(false),
                ..numpy::PrintOptions::default()
            };
            compare("str", numpy::str(&value, None, &options));
            compare("repr", numpy::repr(&value, None, &options));
        }
    }
    assert!(all > 900);
    assert!(
        bad.is_empty(),
        "{} of {all}:\n{}",
        bad.len(),
        bad[..bad.len().min(4)].join("\n======\n")
    );
}

#[test]
fn numpy_scalars() {
    assert_eq!(numpy::scalar(2.0, Dtype::Float64), "2.0");
    assert_eq!(numpy::scalar_repr(2.0, Dtype::Float64), "np.float64(2.0)");
    assert_eq!(numpy::scalar_repr(3.0, Dtype::Int64), "np.int64(3)");
    assert_eq!(numpy::scalar_repr(1.0, Dtype::Bool), "np.True_");
    assert_eq!(numpy::scalar(1e-5, Dtype::Float64), "1e-05");
    assert_eq!(numpy::scalar(1e16, Dtype::Float64), "1e+16");
}
