//! The dimensions that an operation was given, which PyTorch's nodes keep: `y.grad_fn._saved_dim`.

use crate::{Bound, Out};
use vjp_maths::Variable;
use vjp_maths::saved::attribute::Attribute;

/// What an argument is.
enum Kind {
    /// An int, or this where it is not given.
    Int(i64),
    Ints,
    Flag,
}

/// Names under which PyTorch keeps arguments of an operation, their places, and what they are.
fn kept(name: &str) -> &'static [(&'static str, usize, Kind)] {
    match name {
        "softmax" | "log_softmax" | "cumsum" | "cumprod" | "logcumsumexp" | "cummax" | "cummin"
        | "gather" | "index_select" | "unsqueeze" | "cat" | "stack" => &[("dim", 1, Kind::Int(0))],
        "sort" => &[("dim", 1, Kind::Int(-1))],
        "topk" => &[("dim", 2, Kind::Int(-1))],
        "mode" => &[("dim", 1, Kind::Int(-1)), ("keepdim", 2, Kind::Flag)],
        "kthvalue" => &[("dim", 2, Kind::Int(-1)), ("keepdim", 3, Kind::Flag)],
        "sum" | "mean" | "logsumexp" | "amax" | "amin" => {
            &[("dim", 1, Kind::Ints), ("keepdim", 2, Kind::Flag)]
        }
        "max" | "min" | "prod" | "median" => {
            &[("dim", 1, Kind::Int(0)), ("keepdim", 2, Kind::Flag)]
        }
        "transpose" => &[("dim0", 1, Kind::Int(0)), ("dim1", 2, Kind::Int(0))],
        "permute" | "flip" => &[("dims", 1, Kind::Ints)],
        "repeat" => &[("repeats", 1, Kind::Ints)],
        _ => &[],
    }
}

/// Tells the node of what an operation gave.
pub(crate) fn tell(name: &str, bound: &Bound, out: &Out) {
    let all = kept(name);
    let made: Option<&Variable> = match out {
        Out::One(v) => Some(v),
        Out::Named(_, all) => all.first().map(|(_, v)| v),
        _ => None,
    };
    let Some(made) = made.filter(|v| !all.is_empty() && v.requires_grad()) else { return };
    for (word, place, kind) in all {
        made.keeps(
            word,
            match kind {
                Kind::Int(usual) => Attribute::Whole(bound.int_or(*place, *usual)),
                Kind::Ints => Attribute::Sizes(bound.ints(*place).unwrap_or_default()),
                Kind::Flag => Attribute::Flag(bound.bool_or(*place, false)),
            },
        );
    }
}
