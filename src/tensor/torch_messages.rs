//! PyTorch's sentences, each once, byte for byte.

use super::complaint::{Complaint, Fact, Kind};
use super::dtype::Dtype;
use std::fmt::Display;

/// PyTorch's complaint about a tangent of another shape.
pub fn tangent_shape(own: &[usize], given: &[usize]) -> Box<Complaint> {
    Complaint::new(
        Kind::Runtime,
        format!(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not supported. Tensor is of size {} while the given forward gradient is of size {}.",
            sizes(own),
            sizes(given)
        ),
    )
}

/// Where a view was made: unless as usual, neither it nor what it shows may be written with a gradient.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Made {
    #[default]
    Usual,
    /// By an operation that gives several: unbind, split.
    OneOfSeveral,
    /// By a Function of the program.
    ByFunction,
    WithoutGrad,
    Inferring,
}

type Said = Box<Complaint>;

fn runtime(text: impl Into<String>) -> Said {
    Complaint::new(Kind::Runtime, text)
}

/// `[2, 3]`.
pub fn sizes<T: Display>(shape: &[T]) -> String {
    let parts: Vec<String> = shape.iter().map(T::to_string).collect();
    format!("[{}]", parts.join(", "))
}

/// `torch.Size([2, 3])`.
pub fn torch_size(shape: &[usize]) -> String {
    format!("torch.Size({})", sizes(shape))
}

fn by<T: Display>(shape: &[T]) -> String {
    let parts: Vec<String> = shape.iter().map(T::to_string).collect();
    parts.join("x")
}

pub fn sizes_differ(a: usize, b: usize, dim: usize) -> Said {
    runtime(format!(
        "The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}"
    ))
}

pub fn dimension_out_of_range(dim: i64, n: i64) -> Said {
    Complaint::new(
        Kind::Index,
        format!(
            "Dimension out of range (expected to be in range of [{}, {}], but got {dim})",
            -n,
            n - 1
        ),
    )
    .about(Fact::DimensionOutOfRange(dim))
}

/// Of a number that is asked for a size.
pub fn no_dimensions(dim: i64) -> Said {
    Complaint::new(
        Kind::Index,
        format!("Dimension specified as {dim} but tensor has no dimensions"),
    )
}

pub fn shape_invalid(wanted: &[i64], numel: usize) -> Said {
    runtime(format!("shape '{}' is invalid for input of size {numel}", sizes(wanted)))
        .about(Fact::Reshape(wanted.to_vec()))
}

pub fn view_incompatible() -> Said {
    runtime(
        "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
    )
}

pub fn not_scalar_output() -> Said {
    runtime("grad can be implicitly created only for scalar outputs")
}

/// Of numbers of a type that PyTorch's kernel does not take.
pub fn no_kernel(kernel: &str, dtype: Dtype) -> Said {
    let says = format!("\"{kernel}\" not implemented for '{}'", dtype.scalar_type());
    Complaint::new(Kind::NotImplemented, says)
}

/// Whole numbers and truths are refused.
pub fn floats_only(kernel: &str, dtype: Dtype) -> Result<(), Said> {
    if dtype.is_float() { Ok(()) } else { Err(no_kernel(kernel, dtype)) }
}

/// Of an operation PyTorch has no backward for.
pub fn no_derivative(name: &str) -> Said {
    runtime(format!("derivative for aten::{name} is not implemented"))
}

/// Of an operation that has a backward, but not for one of its inputs.
pub fn no_partial(name: &str) -> Said {
    Complaint::new(Kind::NotImplemented, format!("the derivative for '{name}' is not implemented."))
}

pub fn freed() -> Said {
    runtime(
        "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.",
    )
    .about(Fact::Freed)
}

pub fn gradient_shape(index: usize, v: &[usize], y: &[usize]) -> Said {
    runtime(format!(
        "Mismatch in shape: grad_output[{index}] has a shape of {} and output[{index}] has a shape of {}.",
        torch_size(v),
        torch_size(y)
    ))
}

pub fn no_grad_fn(index: usize) -> Said {
    runtime(format!("element {index} of tensors does not require grad and does not have a grad_fn"))
}

pub fn leaf_written() -> Said {
    runtime("a leaf Variable that requires grad is being used in an in-place operation.")
        .hint("update it without recording the step: with torch.no_grad(): w -= lr*w.grad")
        .about(Fact::LeafWritten)
}

pub fn leaf_view_written() -> Said {
    runtime("a view of a leaf Variable that requires grad is being used in an in-place operation.")
        .about(Fact::LeafWritten)
}

pub fn inference_written() -> Said {
    runtime(
        "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details.",
    )
}

pub fn inference_requires_grad() -> Said {
    runtime("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
}

pub fn inference_saved() -> Said {
    runtime(
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.",
    )
}

/// Of a view that was not made as usual; `node`: what made it, `what` happened to it.
pub fn view_written(made: Made, node: Option<&str>, output: u32, what: &str) -> Said {
    let clarify = |mode: &str| {
        format!(
            " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the {mode} block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."
        )
    };
    let node = node.map(|n| format!("Output {output} of {}", short(n)));
    let mode = match (made, &node) {
        (Made::Inferring, _) => Some(("inference mode", "in normal mode")),
        (Made::WithoutGrad, _) | (_, None) => Some(("no_grad mode", "with grad mode enabled")),
        _ => None,
    };
    let start = match (mode, node) {
        (Some((mode, now)), Some(node)) => {
            format!(
                "{node} is a view of a view which was created in {mode} and {what} modified inplace {now}."
            )
        }
        (Some((mode, now)), None) => {
            format!("A view was created in {mode} and {what} modified inplace {now}.")
        }
        (None, node) => {
            format!("{} is a view and {what} modified inplace.", node.unwrap_or_default())
        }
    };
    let rest = match made {
        Made::OneOfSeveral => " This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.".to_owned(),
        Made::ByFunction => " This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function.".to_owned(),
        Made::Inferring => clarify("inference_mode"),
        Made::WithoutGrad | Made::Usual => clarify("no_grad"),
    };
    runtime(start + &rest)
}

/// The name of a node as its complaints have it: `Mul` of `MulBackward0`.
pub fn short(node: &str) -> &str {
    let stem = node.trim_end_matches(|c: char| c.is_ascii_digit());
    stem.strip_suffix("Backward").unwrap_or(stem)
}

/// `kind` as in `torch.DoubleTensor`; `node` without its `Backward0`.
pub fn modified_in_place(
    kind: &str,
    shape: &[usize],
    node: Option<(String, usize)>,
    (now, then): (u32, u32),
    traced: bool,
) -> Said {
    let place = match node {
        Some((n, output)) => format!(", which is output {output} of {n},"),
        None => String::new(),
    };
    let hint = match traced {
        true => {
            "the backtrace further above shows the operation that failed to compute its gradient. The variable in question was changed in there or anywhere later. Good luck!"
        }
        false => {
            "enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
        }
    };
    runtime(format!(
        "one of the variables needed for gradient computation has been modified by an inplace operation: [{kind} {}]{place} is at version {now}; expected version {then} instead. Hint: {hint}",
        sizes(shape)
    ))
    .about(Fact::Overwritten)
}

/// Of a parameter whose shape is not known yet, given to a function.
pub fn uninitialized(function: &str) -> Said {
    Complaint::new(
        Kind::Value,
        format!(
            "Attempted to use an uninitialized parameter in {function}. This error happens when you are using a `LazyModule` or explicitly manipulating `torch.nn.parameter.UninitializedParameter` objects. When using LazyModules Call `forward` with a dummy batch to initialize the parameters before calling torch functions"
        ),
    )
}

/// Of a method given one.
pub fn uninitialized_in(method: &str) -> Said {
    uninitialized(&format!("<method '{method}' of 'torch._C.TensorBase' objects>"))
}

pub fn parameters_of_floats() -> Said {
    runtime("Only Tensors of floating point and complex dtype can require gradients")
}

pub fn saved_detached() -> Said {
    runtime(
        "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, please use out-of-place `.detach()` instead",
    )
}

pub fn flag_of_non_leaf() -> Said {
    runtime(
        "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().",
    )
}

pub fn only_floats_require_grad() -> Said {
    runtime("only Tensors of floating point and complex dtype can require gradients")
}

pub fn cannot_retain() -> Said {
    runtime("can't retain_grad on Tensor that has requires_grad=False")
}

pub fn cannot_hook() -> Said {
    runtime("cannot register a hook on a tensor that doesn't require gradient")
}

pub fn gradient_of_type(v: Dtype, x: Dtype) -> Said {
    runtime(format!(
        "attempting to assign a gradient with dtype '{}' to a tensor with grad_dtype '{}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break downstream systems that assume they match.",
        v.c_name(),
        x.scalar_type()
    ))
}

/// Of two operands that must be of one type.
pub fn other_type(expected: Dtype, found: Dtype) -> Said {
    runtime(format!(
        "expected scalar type {} but found {}",
        expected.scalar_type(),
        found.scalar_type()
    ))
}

/// `inputs=[]` of `backward`, of `grad`.
pub fn no_inputs(function: &str) -> Said {
    runtime(format!("`inputs` argument to `{function}()` cannot be empty."))
}

pub fn invalid_gradient(index: usize, v: &[usize], y: &[usize]) -> Said {
    runtime(format!(
        "invalid gradient at index {index} - got {} but expected shape compatible with {}",
        sizes(v),
        sizes(y)
    ))
}

/// Of what an operation gave to its input number `index`.
pub fn function_gradient(name: &str, index: usize, v: &[usize], x: &[usize]) -> Said {
    runtime(format!(
        "Function {name} returned an invalid gradient at index {index} - got {} but expected shape compatible with {}",
        sizes(v),
        sizes(x)
    ))
}

pub fn gradient_assigned(v: &[usize], x: &[usize]) -> Said {
    runtime(format!(
        "attempting to assign a gradient of size '{}' to a tensor of size '{}'. Please ensure that the gradient and the tensor are the same size",
        sizes(v),
        sizes(x)
    ))
}

fn refers_to_one(what: &str) -> Said {
    runtime(format!(
        "unsupported operation: {what} to a single memory location. Please clone() the tensor before performing the operation."
    ))
}

/// Of a view that shows one element several times.
pub fn written_twice() -> Said {
    refers_to_one("more than one element of the written-to tensor refers")
}

/// Of an input that shares memory with what is written.
pub fn read_and_written() -> Said {
    refers_to_one("some elements of the input tensor and the written-to tensor refer")
}

pub fn output_shape(own: &[usize], result: &[usize]) -> Said {
    runtime(format!(
        "output with shape {} doesn't match the broadcast shape {}",
        sizes(own),
        sizes(result)
    ))
}

pub fn cannot_cast(from: &str, to: &str) -> Said {
    runtime(format!("result type {from} can't be cast to the desired output type {to}"))
}

pub fn cannot_expand(to: i64, from: usize, dim: usize, wanted: &[i64], own: &[usize]) -> Said {
    runtime(format!(
        "The expanded size of the tensor ({to}) must match the existing size ({from}) at non-singleton dimension {dim}.  Target sizes: {}.  Tensor sizes: {}",
        sizes(wanted),
        sizes(own)
    ))
    .about(Fact::Expand(wanted.to_vec()))
}

pub fn expand_too_few(kind: &str, own: &[usize], wanted: &[i64]) -> Said {
    runtime(format!(
        "expand({kind}{{{}}}, size={}): the number of sizes provided ({}) must be greater or equal to the number of dimensions in the tensor ({})",
        sizes(own),
        sizes(wanted),
        wanted.len(),
        own.len()
    ))
}

pub fn not_a_scalar(numel: usize) -> Said {
    runtime(format!("a Tensor with {numel} elements cannot be converted to Scalar"))
}

pub fn ambiguous_truth() -> Said {
    runtime("Boolean value of Tensor with more than one value is ambiguous")
}

/// Of `mm` or `addmm`.
pub fn mm_shapes(name: &str, a: &[usize], b: &[usize]) -> Said {
    runtime(format!("{name}: mat1 and mat2 shapes cannot be multiplied ({} and {})", by(a), by(b)))
}

pub fn mv_shapes(rows: usize, mat: &[usize], vec: usize) -> Said {
    runtime(format!("size mismatch, got input ({rows}), mat ({}), vec ({vec})", by(mat)))
}

/// What helps where two dtypes meet that PyTorch does not mix.
pub const DTYPES: &str =
    "new tensors are float64: x.double() converts one, and --dtype float32 begins as PyTorch does";

pub fn dot_shapes(a: usize, b: usize) -> Said {
    runtime(format!(
        "inconsistent tensor size, expected tensor [{a}] and src [{b}] to have the same number of elements, but got {a} and {b} elements respectively"
    ))
}

pub fn index_out_of_bounds(index: i64, dim: usize, size: usize) -> Said {
    Complaint::new(
        Kind::Index,
        format!("index {index} is out of bounds for dimension {dim} with size {size}"),
    )
    .about(Fact::OutOfBounds { index, axis: dim, size })
}

pub fn too_many_indices(rank: usize) -> Said {
    Complaint::new(Kind::Index, format!("too many indices for tensor of dimension {rank}"))
        .about(Fact::TooManyIndices)
}

pub fn index_of_number() -> Said {
    Complaint::new(
        Kind::Index,
        "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number",
    )
}

pub fn cannot_detach_view() -> Said {
    runtime(
        "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution.",
    )
}

/// What `detect_anomaly` says.
pub fn not_a_number(grad_fn: &str, place: usize) -> Box<Complaint> {
    Complaint::new(
        Kind::Runtime,
        format!("Function '{grad_fn}' returned nan values in its {place}th output."),
    )
}

/// A Python int beyond 64 bits where one of 64 is meant.
pub fn long_unpacked() -> Box<Complaint> {
    Complaint::new(Kind::Value, "Overflow when unpacking long long")
}

/// A Python int beyond 64 bits where a number is meant.
pub fn long_converted() -> Box<Complaint> {
    Complaint::new(Kind::Overflow, "int too big to convert")
        .hint("PyTorch integers have 64 bits: write a float, such as 1e30")
}

/// A number as C++ writes it.
pub fn number(x: f64) -> String {
    vjp_text::number::general(x, 6, false)
}
