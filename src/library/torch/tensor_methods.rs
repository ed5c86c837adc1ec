//! Methods of tensors that are not mathematics: memory, flags, types, conversions to Python.

use vjp_binder::Given;
use vjp_binder::readers::as_dtype;
use vjp_binder::results::converted;
use vjp_eval::library::{builtins, prelude};
use vjp_eval::values::tensor_operators::nested::check_detached;
use vjp_eval::{Args, At, Machine, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::is_transforming;
use vjp_maths::observe::value_reads;
use vjp_tensor::storage::numbers::Stored;
use vjp_tensor::{
    Complaint, Dtype, Kind, Outcome, Tensor, budget, shape, torch_messages, with_numbers,
};
use vjp_text::Symbol;

builtins! {
    /// `x.item()`, `x.detach()` …
    pub static BUILTINS in "Tensor";
    "backward" "(Tensor input, gradient=None, retain_graph=None, bool create_graph=False, inputs=None)" backward, "Propagates v back through the graph: adds vᵀJ to the .grad of every leaf.";
    "item" "(Tensor input)" item, "Returns the element of a one-element tensor as a Python number.";
    "tolist" "(Tensor input)" tolist, "Converts to nested lists of Python numbers.";
    "numpy" "(Tensor input, *, bool force=False)" numpy, "Returns a NumPy array that shares the memory.";
    "detach" "(Tensor input)" detach, "Returns a tensor with the same memory and no history.";
    "detach_" "(Tensor input)" detach_in_place, "Detaches the tensor from its history, in place.";
    "requires_grad_" "(Tensor input, bool requires_grad=True)" requires_grad, "Turns gradients on, in place.";
    "retain_grad" "(Tensor input)" retain_grad, "Makes backward store .grad for a computed tensor.";
    "register_hook" "(Tensor input, hook)" register_hook, "Registers a function to call with the gradient.";
    "register_post_accumulate_grad_hook" "(Tensor input, hook)" register_after, "Registers a function to call after .grad is accumulated.";
    "size" "(Tensor input, int dim=None)" size, "Returns the shape, or the size of one dimension.";
    "numel" "(Tensor input)" numel, "Returns the number of elements.";
    "nelement" "(Tensor input)" numel, "Returns the number of elements.";
    "dim" "(Tensor input)" dim, "Returns the number of dimensions.";
    "ndimension" "(Tensor input)" dim, "Returns the number of dimensions.";
    "element_size" "(Tensor input)" element_size, "Returns the bytes per element.";
    "is_contiguous" "(Tensor input)" is_contiguous, "Returns whether the elements lie in memory in row-major order without gaps.";
    "is_floating_point" "(Tensor input)" is_floating_point, "Returns whether the type is floating point.";
    "is_complex" "(Tensor input)" is_not, "Returns False: all numbers are real.";
    "is_conj" "(Tensor input)" is_not, "Returns False: all numbers are real.";
    "is_neg" "(Tensor input)" is_not, "Returns False: no tensor waits to be negated.";
    "conj" "(Tensor input)" itself, "Returns the tensor: all numbers are real.";
    "resolve_conj" "(Tensor input)" itself, "Returns the tensor: all numbers are real.";
    "resolve_neg" "(Tensor input)" itself, "Returns the tensor: no tensor waits to be negated.";
    "stride" "(Tensor input, int dim=None)" stride, "Returns the memory step of each dimension.";
    "data_ptr" "(Tensor input)" data_ptr, "Returns the memory address.";
    "untyped_storage" "(Tensor input)" |m, a| Ok(super::untyped_storage::of(taken(m, a)?.0)), "Returns the memory that the tensor shows, or a part of.";
    "storage" "(Tensor input)" storage, "Returns the memory that the tensor shows as numbers.";
    "is_set_to" "(Tensor input, Tensor tensor)" is_set_to, "Returns whether both show the same elements of the same memory.";
    "double" "(Tensor input, *, memory_format=None)" |m, a| cast(m, a, Dtype::Float64), "Converts to float64.";
    "float" "(Tensor input, *, memory_format=None)" |m, a| cast(m, a, Dtype::Float32), "Converts to float32.";
    "long" "(Tensor input, *, memory_format=None)" |m, a| cast(m, a, Dtype::Int64), "Converts to int64.";
    "int" "(Tensor input, *, memory_format=None)" |m, a| cast(m, a, Dtype::Int32), "Converts to int32.";
    "short" "(Tensor input, *, memory_format=None)" |m, a| cast(m, a, Dtype::Int16), "Converts to int16.";
    "char" "(Tensor input, *, memory_format=None)" |m, a| cast(m, a, Dtype::Int8), "Converts to int8.";
    "half" "(Tensor input, *, memory_format=None)" |m, a| cast(m, a, Dtype::Float16), "Converts to float16.";
    "bfloat16" "(Tensor input, *, memory_format=None)" |m, a| cast(m, a, Dtype::Bfloat16), "Converts to bfloat16.";
    "bool" "(Tensor input, *, memory_format=None)" |m, a| cast(m, a, Dtype::Bool), "Converts to bool.";
    "byte" "(Tensor input, *, memory_format=None)" |m, a| cast(m, a, Dtype::Uint8), "Converts to uint8.";
    "to" "(Tensor input, target=None, dtype dtype=None, bool non_blocking=False, bool copy=False)" to, "Converts to another type.";
    "type" "(Tensor input, dtype=None)" type_of, "Returns the type's name, or converts to another type.";
    "type_as" "(Tensor input, Tensor other)" type_as, "Converts to the type of another tensor.";
    "cuda" "(Tensor input, device=None)" |_, _| Ok(vjp_binder::device::no_card()?), "Raises an error: vjp runs on the CPU.";
    "pin_memory" "(Tensor input)" itself, "Itself.";
    "get_device" "(Tensor input)" |_, _| Ok(Value::Int(-1)), "Returns -1: the CPU." jax "-";
    "storage_offset" "(Tensor input)" storage_offset, "Returns the offset in its storage.";
    "is_inference" "(Tensor input)" is_inference, "Returns whether the tensor was created in inference mode.";
    "_is_view" "(Tensor input)" is_view, "Returns whether the tensor is a view of another.";
    "cpu" "(Tensor input)" itself, "Returns itself: vjp runs on the CPU.";
    "share_memory_" "(Tensor input)" itself, "Itself.";
    "new" "(Tensor input, *args)" new, "Makes a tensor of the same type, as torch.FloatTensor(…) does.";
    "new_tensor" "(Tensor input, data, *, dtype dtype=None, bool requires_grad=False)" new_tensor, "Makes a tensor of the same type." jax "jnp.array({data}, dtype={input}.dtype)";
    "new_zeros" "(Tensor input, int[] size, *, dtype dtype=None, bool requires_grad=False)" |m, a| new_filled(m, a, Some(0.0)), "Makes a tensor of zeros of the same type." jax "jnp.zeros({size}, dtype={input}.dtype)";
    "new_ones" "(Tensor input, int[] size, *, dtype dtype=None, bool requires_grad=False)" |m, a| new_filled(m, a, Some(1.0)), "Makes a tensor of ones of the same type." jax "jnp.ones({size}, dtype={input}.dtype)";
    "new_empty" "(Tensor input, int[] size, *, dtype dtype=None, bool requires_grad=False)" |m, a| new_filled(m, a, Some(0.0)), "Makes a tensor of the same type, to fill later.";
    "new_full" "(Tensor input, tuple of ints size, Number fill_value, *, dtype dtype=None, bool requires_grad=False)" |m, a| new_filled(m, a, None), "Makes a tensor of the same type filled with one number." jax "jnp.full({size}, {fill_value}, dtype={input}.dtype)";
    "copy_" "(Tensor input, Tensor other, bool non_blocking=False)" copy, "Copies the values of another tensor.";
    "to_sparse" "(Tensor input, sparse_dim=None)" |m, a| prelude::call(m, "torch.sparse", a), "Returns the elements that are not 0, by their indices.";
    "to_dense" "(Tensor input)" itself, "Itself.";
    "resize_" "(Tensor input, *size)" |m, a| prelude::call(m, "torch._tensor", a), "Gives it another shape and size, in place.";
    "resize_as_" "(Tensor input, the_template)" |m, a| prelude::call(m, "torch._tensor", a), "Gives it the shape of another tensor, in place.";
    "apply_" "(Tensor input, callable)" |m, a| prelude::call(m, "torch._tensor", a), "Replaces each element by what a Python function returns for it.";
    "map_" "(Tensor input, other, callable)" |m, a| prelude::call(m, "torch._tensor", a), "Replaces each element by what a Python function returns for it and another.";
    "__array__" "(Tensor input, dtype=None)" |m, a| prelude::call(m, "torch._tensor", a), "Returns a NumPy array that shares the memory.";
    "solve" "(Tensor input, other)" |m, a| prelude::call(m, "torch", a), "Removed: torch.linalg.solve.";
    "lstsq" "(Tensor input, other)" |m, a| prelude::call(m, "torch", a), "Removed: torch.linalg.lstsq.";
    "symeig" "(Tensor input, eigenvectors=False)" |m, a| prelude::call(m, "torch", a), "Removed: torch.linalg.eigh.";
    "eig" "(Tensor input, eigenvectors=False)" |m, a| prelude::call(m, "torch", a), "Removed: torch.linalg.eig.";
    "set_" "(Tensor input, Tensor source)" set, "Uses the memory of another tensor.";
}

builtins! {
    /// Methods that are functions too.
    pub static FUNCTIONS in "torch";
    "detach" "(Tensor input)" detach, "Returns a tensor with the same memory and no history.";
}

/// The object and the other arguments.
fn taken(machine: &mut Machine, args: Args) -> Tried<(Variable, Given)> {
    let g = Given::of_method(args)?;
    let this = match g.raw(0) {
        Some(Value::Tensor(t) | Value::Array(t)) => t,
        _ => g.the_tensor(machine, "input")?,
    };
    Ok((this, g))
}

fn backward(machine: &mut Machine, args: Args) -> Tried<Value> {
    if args.positional.len() > 5 {
        raise!(
            Kind::Type,
            "Tensor.backward() takes from 1 to 5 positional arguments but {} were given",
            args.positional.len()
        );
    }
    vjp_backward::method(machine, args)
}

/// The one number of a tensor.
///
/// # Errors
/// More than one element.
pub fn number_of(t: &Variable) -> Tried<Value> {
    value_reads::taken(t);
    match t.value().item_scalar() {
        Some(v) if t.numel() == 1 => Ok(v.into()),
        _ => Err(torch_messages::not_a_scalar(t.numel()).into()),
    }
}

fn storage(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    let page = prelude::get("torch", Symbol::new("_typed_storage")).unwrap_or(Value::None);
    machine.call_with(&page, vec![Value::Tensor(t)], &g.site)
}

fn item(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    vjp_ops::batched::item(&t).at(g.site.span)?;
    number_of(&t).at(g.site.span)
}

fn tolist(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    vjp_ops::batched::memory(&t).at(g.site.span)?;
    value_reads::taken(&t);
    let value = t.value();
    Ok(with_numbers!(value, data => nested_list(value.shape(), data, value.dtype()))?)
}

/// `tolist()`: depth is the number of dimensions.
pub fn nested_list<T: Stored>(shape: &[usize], data: &[T], dtype: Dtype) -> Outcome<Value> {
    let Some((&length, inner)) = shape.split_first() else {
        return Ok(data.first().map_or(Value::None, |v| v.scalar(dtype).into()));
    };
    let size: usize = inner.iter().product();
    let part = |i: usize| nested_list(inner, &data[i * size..(i + 1) * size], dtype);
    Ok(Value::list(budget::each(length, part)?))
}

fn numpy(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    vjp_ops::batched::memory(&t).at(g.site.span)?;
    if !g.bool("force")? {
        check_detached(&t).at(g.site.span)?;
    }
    if t.dtype() == Dtype::Bfloat16 {
        raise!(Kind::Type, "Got unsupported ScalarType BFloat16");
    }
    Ok(Value::Array(t.data()))
}

fn detach(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, _) = taken(machine, args)?;
    Ok(Value::Tensor(t.detach()))
}

fn detach_in_place(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    t.detach_in_place().at(g.site.span)?;
    Ok(Value::Tensor(t))
}

fn requires_grad(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    let flag = g.bool("requires_grad")?;
    if is_transforming() {
        raise!(
            "You are attempting to call Tensor.requires_grad_() (or perhaps using torch.autograd.functional.* APIs) inside of a function being transformed by a functorch transform. This is unsupported, please attempt to use the functorch transforms (e.g. grad, vjp, jacrev, jacfwd, hessian) or call requires_grad_() outside of a function being transformed instead."
        );
    }
    if flag && !t.dtype().is_float() {
        return Err(Complaint::new(
            Kind::Runtime,
            "only Tensors of floating point dtype can require gradients",
        ))
        .at(g.site.span);
    }
    t.set_requires_grad(flag).at(g.site.span)?;
    Ok(Value::Tensor(t))
}

fn retain_grad(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    t.retain_grad().at(g.site.span)?;
    Ok(Value::None)
}

fn register_hook(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    let function = g.raw(1).unwrap_or(Value::None);
    crate::register_hook::register(&t, function, &g.site).at(g.site.span)
}

fn register_after(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    let function = g.raw(1).unwrap_or(Value::None);
    crate::register_hook::register_after(&t, function, &g.site).at(g.site.span)
}

fn size(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    let own = t.shape();
    match g.int("dim")? {
        None => Ok(Value::size(&own)),
        Some(dim) => {
            let axis = shape::axis(dim, own.len()).at(g.site.span)?;
            Ok(Value::Int(own.get(axis).map_or(0, |n| *n as i64)))
        }
    }
}

fn numel(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, _) = taken(machine, args)?;
    Ok(Value::Int(t.numel() as i64))
}

fn dim(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, _) = taken(machine, args)?;
    Ok(Value::Int(t.rank() as i64))
}

fn element_size(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, _) = taken(machine, args)?;
    Ok(Value::Int(t.dtype().size() as i64))
}

fn storage_offset(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, _) = taken(machine, args)?;
    Ok(Value::Int(t.layout().offset as i64))
}

/// `x.is_inference()`, `torch.is_inference(x)`.
pub fn is_inference(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, _) = taken(machine, args)?;
    Ok(Value::Bool(t.is_inference()))
}

fn is_view(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, _) = taken(machine, args)?;
    Ok(Value::Bool(t.base().is_some()))
}

fn is_contiguous(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, _) = taken(machine, args)?;
    Ok(Value::Bool(t.is_contiguous()))
}

fn is_floating_point(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, _) = taken(machine, args)?;
    Ok(Value::Bool(t.dtype().is_float()))
}

pub fn is_not(machine: &mut Machine, args: Args) -> Tried<Value> {
    taken(machine, args)?;
    Ok(Value::Bool(false))
}

fn stride(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    let strides = t.layout().strides;
    match g.int("dim")? {
        None => Ok(Value::tuple(strides.iter().map(|s| Value::Int(*s as i64)).collect())),
        Some(dim) => {
            let axis = shape::axis(dim, strides.len()).at(g.site.span)?;
            Ok(Value::Int(strides.get(axis).map_or(0, |s| *s as i64)))
        }
    }
}

fn data_ptr(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, _) = taken(machine, args)?;
    Ok(Value::Int(t.address() as i64))
}

fn is_set_to(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    let other = g.value("tensor");
    let same = |o: &Variable| t.shares_memory(o) && t.layout() == o.layout();
    Ok(Value::Bool(matches!(other, Some(Value::Tensor(o)) if same(&o))))
}

fn cast(machine: &mut Machine, args: Args, dtype: Dtype) -> Tried<Value> {
    let (t, _) = taken(machine, args)?;
    converted(&t, dtype)
}

fn to(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    let dtype = match (g.dtype("dtype")?, g.value("target")) {
        (Some(dtype), _) => Some(dtype),
        (None, Some(Value::Tensor(other))) => Some(other.dtype()),
        (None, Some(target)) => match (as_dtype(&target), target.as_str()) {
            (Some(dtype), None) => Some(dtype),
            _ => {
                vjp_binder::device::reached(&target).at(g.site.span)?;
                None
            }
        },
        (None, None) => None,
    };
    match dtype {
        Some(dtype) => converted(&t, dtype),
        None => Ok(Value::Tensor(t)),
    }
}

fn type_of(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    match g.value("dtype") {
        None => Ok(Value::str(t.dtype().type_name())),
        Some(target) => match kind_of_tensor(&target) {
            Some(dtype) => converted(&t, dtype),
            None => match target {
                Value::Type(own) => raise!(Kind::Value, "invalid type: '{}'", own.name),
                Value::Str(name) => raise!(Kind::Value, "invalid type: '{name}'"),
                _ => raise!(Kind::Type, "dtype must be a type, str, or dtype object"),
            },
        },
    }
}

/// `torch.FloatTensor`, or its name, or a dtype.
fn kind_of_tensor(value: &Value) -> Option<Dtype> {
    let name = match value {
        Value::Dtype(dtype) => return Some(*dtype),
        Value::Str(name) => name.to_string(),
        Value::Type(t) => format!("{}.{}", t.module, t.name),
        _ => return None,
    };
    Dtype::ALL.into_iter().find(|dtype| dtype.type_name() == name)
}

fn type_as(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    let other = g.the_tensor(machine, "other")?;
    converted(&t, other.dtype())
}

pub fn itself(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, _) = taken(machine, args)?;
    Ok(Value::Tensor(t))
}

fn new(machine: &mut Machine, mut args: Args) -> Tried<Value> {
    match args.positional.remove(0) {
        Value::Tensor(t) => crate::legacy_constructors::construct(machine, args, Some(t.dtype())),
        _ => Ok(Value::None),
    }
}

fn new_tensor(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    let data = g.raw(1).unwrap_or(Value::None);
    crate::constructors::warn_of_copying(&data, "tensor.new_tensor");
    let dtype = g.dtype("dtype")?.unwrap_or_else(|| t.dtype());
    let read = vjp_eval::values::tensor_operators::nested::unrounded(
        &data,
        vjp_eval::values::tensor_operators::nested::Reader::Torch,
        dtype,
    );
    let read = read.at(g.site.span)?;
    crate::constructors::finished(read.to_dtype(dtype), g.bool("requires_grad")?).at(g.site.span)
}

fn new_filled(machine: &mut Machine, args: Args, value: Option<f64>) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    let dtype = g.dtype("dtype")?.unwrap_or_else(|| t.dtype());
    let value = match value {
        Some(v) => Tensor::number(v, dtype),
        None => {
            let number = g.float("fill_value")?.unwrap_or(0.0);
            let given = g.raw(2).unwrap_or(Value::None);
            crate::constructors::filling(&given, number, dtype).at(g.site.span)?
        }
    };
    let tensor = crate::constructors::filled_with(&g.size("size")?, &value).at(g.site.span)?;
    crate::constructors::finished(tensor, g.bool("requires_grad")?).at(g.site.span)
}

fn copy(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    t.check_writable(false).at(g.site.span)?;
    let source = match g.raw(1).as_ref().and_then(vjp_binder::readers::number) {
        Some(number) => number,
        None => g.the_tensor(machine, "other")?,
    };
    vjp_ops::batched::write("copy", &t, std::iter::once(&source)).at(g.site.span)?;
    let own = t.shape();
    let both = vjp_tensor::shape::broadcast(&own, &source.shape()).at(g.site.span)?;
    if both != own {
        return Err(torch_messages::output_shape(&own, &both)).at(g.site.span);
    }
    t.copy(&source).at(g.site.span)?;
    Ok(Value::Tensor(t))
}

fn set(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (t, g) = taken(machine, args)?;
    let source = g.the_tensor(machine, "source")?;
    t.set_memory(&source).at(g.site.span)?;
    Ok(Value::Tensor(t))
}
