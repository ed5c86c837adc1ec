//! Powers as PyTorch's loops compute them.

use crate::matrix::{Manner, manner};

/// `aᵉ`, with the short cuts that PyTorch takes, so that the last digits agree.
pub fn power(a: f64, e: f64) -> f64 {
    match e {
        0.5 => a.sqrt(),
        1.0 => a,
        2.0 => a * a,
        3.0 if manner() == Manner::Torch => a * a * a,
        -1.0 => 1.0 / a,
        -2.0 => 1.0 / (a * a),
        -0.5 => 1.0 / a.sqrt(),
        _ => a.powf(e),
    }
}
