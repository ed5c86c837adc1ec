//! Types of numbers for which PyTorch has no kernel, with its sentences.

use crate::{Arg, Bound, Entry, Forms};
use vjp_maths::Variable;
use vjp_tensor::matrix::{Manner, manner};
use vjp_tensor::tensor::promote;
use vjp_tensor::{Complaint, Dtype, Kind, Outcome, Tensor};

/// Whose type counts.
enum Of {
    /// The first argument's.
    First,
    /// That to which all tensors promote.
    All,
    /// That to which all tensors and numbers promote.
    Numbers,
    /// The first type among all tensors that is refused.
    Any,
}
use Of::{All, Any, First, Numbers};

/// Operations (`linalg.name` is not also `torch.name`), the types that are refused (b bool, u uint8,
/// i other whole numbers, h 16-bit floats; with s only of square matrices: of others their shape is
/// refused first), and what is said: `"name"` is a kernel that is not
/// implemented for the type, a sentence has the type for `{}`.
type Row = (&'static str, &'static str, Of, Kind, &'static str);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("hardtanh relu6", "b", First, Kind::NotImplemented, "Bool inputs not supported for hardtanh"),
    ("threshold", "b", First, Kind::NotImplemented, "\"threshold_cpu\""),
    ("erfcx", "h", First, Kind::NotImplemented, "\"erfcx_cpu\""),
    ("log_ndtr", "h", First, Kind::NotImplemented, "\"log_ndtr_cpu\""),
    ("ndtri", "h", First, Kind::NotImplemented, "\"ndtri_cpu\""),
    ("zeta", "h", Numbers, Kind::NotImplemented, "\"zeta_cpu\""),
    ("floor_divide", "b", Numbers, Kind::NotImplemented, "\"div_floor_cpu\""),
    ("remainder", "b", Numbers, Kind::NotImplemented, "\"remainder_cpu\""),
    ("fmod", "b", Numbers, Kind::NotImplemented, "\"fmod_cpu\""),
    ("pow", "b", Numbers, Kind::NotImplemented, "\"pow\""),
    ("clamp", "b", Numbers, Kind::NotImplemented, "\"clamp_cpu\""),
    ("gelu", "bui", First, Kind::NotImplemented, "\"GeluKernelImpl\""),
    ("softsign", "b", First, Kind::NotImplemented, "\"abs_cpu\""),
    ("prelu", "bui", All, Kind::NotImplemented, "\"prelu_cpu\""),
    ("glu", "bui", First, Kind::NotImplemented, "\"glu_cpu\""),
    ("rrelu", "bui", First, Kind::NotImplemented, "\"leaky_relu_cpu\""),
    ("addcmul", "b", All, Kind::NotImplemented, "\"addcmul_cpu_out\""),
    ("mvlgamma", "b", First, Kind::Runtime, "The input tensor may not be a boolean tensor."),
    ("positive", "b", First, Kind::NotImplemented, "The `+` operator, on a bool tensor is not supported."),
    ("trace", "b", First, Kind::NotImplemented, "\"trace\""),
    ("var_mean std_mean", "bui", First, Kind::NotImplemented, "{name} only support floating point and complex dtypes"),
    ("logcumsumexp", "bui", First, Kind::NotImplemented, "\"logcumsumexp_out_cpu\""),
    ("quantile nanquantile", "buih", First, Kind::Runtime, "quantile() input tensor must be either float or double dtype"),
    ("trapezoid cumulative_trapezoid", "b", First, Kind::NotImplemented, "{name}: received a bool input for `y`, but bool is not supported"),
    ("searchsorted bucketize", "b", All, Kind::NotImplemented, "\"searchsorted_out_cpu\""),
    ("interpolate", "bi", First, Kind::NotImplemented, "\"compute_indices_weights_nearest\""),
    ("cross", "b", First, Kind::NotImplemented, "\"cross\""),
    ("isin", "b", First, Kind::NotImplemented, "Unsupported input type encountered for isin(): {}"),
    ("gradient", "u", First, Kind::NotImplemented, "torch.gradient does not support uint8 input."),
    ("cov corrcoef", "b", First, Kind::NotImplemented, "cov(): bool dtype is not supported for input"),
    ("index_reduce", "b", First, Kind::NotImplemented, "\"index_func_\""),
    ("cosine_similarity", "bui", All, Kind::Runtime, "expected common dtype to be floating point, yet common dtype is {}"),
    ("dist", "bui", All, Kind::NotImplemented, "norm(): input dtype should be either floating point or complex. Got {} instead."),
    ("cdist", "h", First, Kind::NotImplemented, "\"cdist\""),
    ("pdist", "bui", First, Kind::Runtime, "pdist only supports floating-point dtypes"),
    ("pdist", "h", First, Kind::NotImplemented, "\"pdist\""),
    ("mse_loss", "bui", All, Kind::NotImplemented, "\"mse_cpu\""),
    ("smooth_l1_loss", "bui", All, Kind::NotImplemented, "\"smooth_l1_cpu\""),
    ("huber_loss", "bui", All, Kind::NotImplemented, "\"huber_cpu\""),
    ("binary_cross_entropy", "bui", First, Kind::NotImplemented, "\"binary_cross_entropy\""),
    ("binary_cross_entropy_with_logits", "bui", First, Kind::NotImplemented, "\"log_sigmoid_cpu\""),
    ("nll_loss", "bui", First, Kind::NotImplemented, "\"nll_loss_out_frame\""),
    ("kl_div", "bui", Any, Kind::Runtime, "kl_div: Integral inputs not supported."),
    ("multi_margin_loss", "buih", First, Kind::NotImplemented, "\"multi_margin_loss_cpu_kernel\""),
    ("multilabel_margin_loss", "buih", First, Kind::NotImplemented, "\"multilabel_margin_loss_forward_out_frame\""),
    ("conv1d conv2d", "b", All, Kind::NotImplemented, "\"slow_conv2d_cpu\""),
    ("conv3d", "b", All, Kind::NotImplemented, "\"compute_columns3d\""),
    ("conv_transpose1d conv_transpose2d", "bu", All, Kind::NotImplemented, "\"slow_conv_transpose2d_out_cpu\""),
    ("max_pool2d", "b", First, Kind::NotImplemented, "\"max_pool2d\""),
    ("max_pool3d", "b", First, Kind::NotImplemented, "\"max_pool3d\""),
    ("avg_pool1d avg_pool2d lp_pool1d lp_pool2d", "u", First, Kind::NotImplemented, "\"avg_pool2d\""),
    ("local_response_norm", "bu", First, Kind::NotImplemented, "\"avg_pool2d\""),
    ("avg_pool3d", "buh", First, Kind::NotImplemented, "\"avg_pool3d_out_frame\""),
    ("fold", "ui", First, Kind::NotImplemented, "\"col2im_out_cpu\""),
    ("igamma", "bui", All, Kind::NotImplemented, "\"igamma_cpu\""),
    ("igammac", "bui", All, Kind::NotImplemented, "\"igammac_cpu\""),
    ("round", "b", First, Kind::NotImplemented, "\"round_vml_cpu\""),
    ("eigh eigvalsh", "sbuih", First, Kind::NotImplemented, "\"linalg_eigh_cpu\""),
    ("cholesky cholesky_ex", "sh", First, Kind::NotImplemented, "\"cholesky_cpu\""),
    ("cholesky_solve", "buih", First, Kind::NotImplemented, "\"cholesky_solve_cpu\""),
    ("cholesky_inverse", "sbuih", First, Kind::NotImplemented, "\"cholesky_inverse_out_cpu\""),
    ("svd svdvals cond", "h", First, Kind::NotImplemented, "\"linalg_svd_cpu\""),
    ("qr", "h", First, Kind::NotImplemented, "\"geqrf_cpu\""),
    ("solve det", "sh", First, Kind::NotImplemented, "\"lu_cpu\""),
    ("lu lu_factor", "buih", First, Kind::NotImplemented, "\"lu_cpu\""),
    ("solve_triangular", "sbuih", First, Kind::NotImplemented, "\"triangular_solve_cpu\""),
    ("matrix_rank lstsq", "buih", First, Kind::Runtime, "This function doesn't handle types other than float and double"),
    ("vecdot", "bui", All, Kind::NotImplemented, "linalg.vecdot: Expected a floating point or complex tensor as input. Got {}"),
    ("linalg.vander", "bh", First, Kind::NotImplemented, "linalg.vander supports floating point, complex, and integer tensors, but got {}"),
    ("cross", "b", All, Kind::NotImplemented, "\"cross\""),
];

fn refuses(types: &str, dtype: Dtype) -> bool {
    types.contains(match dtype {
        Dtype::Bool => 'b',
        Dtype::Uint8 => 'u',
        Dtype::Float16 | Dtype::Bfloat16 => 'h',
        Dtype::Float32 | Dtype::Float64 => return false,
        _ => 'i',
    })
}

/// Whether PyTorch has a kernel of this operation for what it is given.
pub fn check(entry: &Entry, b: &Bound) -> Outcome<()> {
    let mut tensors = b.args.iter().filter_map(|a| match a {
        Arg::Tensor(v) if !v.is_number() => Some(v.dtype()),
        _ => None,
    });
    // Of floats of 32 and 64 bits there are kernels of all.
    if tensors.clone().all(|d| matches!(d, Dtype::Float32 | Dtype::Float64))
        || manner() == Manner::Numpy
        || entry.formula.starts_with("removed")
    {
        return Ok(());
    }
    let Some(first) = tensors.clone().next() else {
        return Ok(());
    };
    let rows = ROWS.iter().filter(|r| r.0.split(' ').any(|name| means(name, entry)));
    for (_, types, of, kind, text) in rows {
        let dtype = match of {
            First => first,
            All => promoted(b, false),
            // `clamp` without a bound has an error of its own.
            Numbers if b.args.iter().skip(1).all(|a| matches!(a, Arg::Missing | Arg::None)) => {
                continue;
            }
            Numbers => promoted(b, true),
            Any => tensors.find(|d| refuses(types, *d)).unwrap_or(first),
        };
        let square = |x: &Variable| matches!(x.shape()[..], [.., m, n] if m == n);
        if refuses(types, dtype) && (!types.starts_with('s') || square(&b.tensor(0)?)) {
            let name = dtype.scalar_type();
            let text = match text.starts_with('"') {
                true => format!("{text} not implemented for '{name}'"),
                false => text.replace("{name}", entry.name).replace("{}", name),
            };
            return Err(Complaint::new(*kind, text));
        }
    }
    Ok(())
}

fn means(name: &str, entry: &Entry) -> bool {
    match name.strip_prefix("linalg.") {
        Some(rest) => rest == entry.name && !entry.forms.has(Forms::TORCH),
        None => name == entry.name,
    }
}

fn promoted(b: &Bound, numbers: bool) -> Dtype {
    let one = |a: &Arg| match a {
        Arg::Tensor(v) => Some(v.value()),
        Arg::Scalar(s) if numbers => Some(s.tensor()),
        _ => None,
    };
    let all: Vec<Tensor> = b.args.iter().filter_map(one).collect();
    promote(&all.iter().collect::<Vec<_>>())
}
