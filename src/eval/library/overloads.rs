//! PyTorch's sentence where none of several signatures fits.

use super::types::name_of;
use crate::eval::call::Args;
use crate::maths::complaint::{Complaint, Kind};

/// `Tensor, foo=int`: the types of what was passed.
pub fn got(args: &Args, method: bool) -> String {
    let positional = args
        .positional
        .iter()
        .skip(usize::from(method))
        .map(name_of);
    let named = args
        .named
        .iter()
        .map(|(n, v)| format!("{n}={}", name_of(v)));
    positional.chain(named).collect::<Vec<_>>().join(", ")
}

/// The complaint, listing the signatures.
pub fn none_fits(name: &str, got: &str, lines: &[&str], method: bool) -> Box<Complaint> {
    let mut text = format!(
        "{name}() received an invalid combination of arguments - got ({got}), but expected one of:\n"
    );
    for line in lines {
        text.push_str(" * ");
        text.push_str(&spelled(line, method));
        text.push('\n');
    }
    Complaint::new(Kind::Type, text)
}

/// A signature as PyTorch's messages write it: `bool keepdim = False`, `tuple of ints dim`.
fn spelled(line: &str, method: bool) -> String {
    let inner = line.trim().trim_start_matches('(').trim_end_matches(')');
    let parts: Vec<String> = inner
        .split(", ")
        .skip(usize::from(method))
        .map(|part| {
            part.replace("int[]", "tuple of ints")
                .replace("Tensor|Scalar", "Tensor")
                .replace("Scalar ", "Number ")
                .replace("Dtype ", "torch.dtype ")
                .replace("Tensors ", "tuple of Tensors ")
                .replace('=', " = ")
        })
        .collect();
    format!("({})", parts.join(", "))
}
