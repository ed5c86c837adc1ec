//! Operations of the catalogue under NumPy's rules: arrays in, arrays and NumPy scalars out, no graph.

use crate::numpy_arguments;
use crate::operation_arguments::bind;
use crate::readers::number;
use crate::results::named;
use crate::signature;
use crate::signature::Accepts;
use vjp_eval::language::call::Site;
use vjp_eval::library::prelude;
use vjp_eval::values::tensor_operators::beside_arrays::to_tensor;
use vjp_eval::values::tensor_operators::from_array;
use vjp_eval::values::tensor_operators::nested::{
    DEEPEST, Reader, check_detached, sequence, tensor_of, too_deep,
};
use vjp_eval::values::tensor_operators::numpy_errors;
use vjp_eval::values::tensor_operators::numpy_messages::check_product;
use vjp_eval::values::tensor_operators::numpy_messages::words;
use vjp_eval::{Args, At, Machine, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::with_grad;
use vjp_ops::Forms;
use vjp_ops::{Arg, Entry, Out};
use vjp_tensor::matrix::as_numpy;
use vjp_tensor::{Complaint, Dtype, Fact, Kind, Outcome, Tensor, mixed_dtypes};
use vjp_text::Symbol;

/// Keywords of NumPy's that PyTorch calls otherwise, by operation (`*`: everywhere).
const RENAMED: &[(&str, &str, &str)] = &[
    ("*", "axis", "dim"),
    ("*", "keepdims", "keepdim"),
    ("diag", "k", "diagonal"),
    ("tensordot", "axes", "dims"),
    ("clamp", "a_min", "min"),
    ("clamp", "a_max", "max"),
    ("tile", "reps", "dims"),
];

/// Operations that NumPy's function of the name goes beyond: where one refuses its arguments, the page `numpy/wider`
/// takes them.
const NARROW: &[&str] = &["bincount", "count_nonzero", "cross", "trace", "unsqueeze"];

/// NumPy: arrays, numbers and lists in, arrays and NumPy scalars out, no graph.
pub fn run(machine: &mut Machine, entry: &'static Entry, args: Args, method: bool) -> Tried<Value> {
    if !NARROW.contains(&entry.name) {
        return carried_out(machine, entry, args, method);
    }
    let found = carried_out(machine, entry, args.clone(), method);
    if found.is_ok() || found.as_ref().is_err_and(|halt| halt.kind().is_stop()) {
        return found;
    }
    match prelude::get("numpy", Symbol::new(&format!("_wider_{}", entry.name))) {
        Some(page) => machine.call(&page, args),
        None => found,
    }
}

fn carried_out(
    machine: &mut Machine,
    entry: &'static Entry,
    mut args: Args,
    method: bool,
) -> Tried<Value> {
    let span = args.site.span;
    // The operations of tensors have no `where=` or `initial=`: the page `numpy/ufuncs` has.
    let asks = |(name, _): &(Symbol, Value)| matches!(name.as_str(), "where" | "initial");
    if args.named.iter().any(asks)
        && let Some(page) = prelude::get("numpy", Symbol::new("_ufunc_chosen"))
        && let Some(callee) = args.callee
    {
        args.positional.insert(0, Value::Builtin(callee));
        return machine.call(&page, args);
    }
    // A tensor is what PyTorch makes of it: NumPy asks it for its own method, or gives a tensor back.
    let tensors = !method && machine.strict() && of_tensors(&args);
    if tensors && let Some(refusal) = refused_by_tensor(entry, &args) {
        return Err(refusal).at(span);
    }
    if matches!(entry.name, "reshape" | "flatten" | "ravel")
        && let Some(order) = order(&mut args)
        && let Some(first) = args.positional.first_mut()
    {
        as_array(first).at(span)?;
        if let (Value::Tensor(t), Some(order)) = (&*first, order.as_str()) {
            let ordered = in_order(t, order).at(span)?;
            let columns = !ordered.same(t);
            if entry.name == "reshape" && columns {
                return turned(machine, entry, args, method);
            }
            *first = Value::Tensor(ordered);
        }
    }
    match entry.name {
        // Every sort is a stable one here.
        "argsort" => {
            args.named.retain(|(name, _)| !matches!(name.as_str(), "kind" | "order" | "stable"));
        }
        "einsum" => {
            args.named.retain(|(name, _)| name.as_str() == "out");
            args = crate::operation_arguments::as_equation(args)?;
        }
        _ => {}
    }
    numpy_arguments::name(entry, &mut args, method).at(span)?;
    // PyTorch takes several axes in these alone.
    let several =
        args.named.iter().any(|(name, v)| name.as_str() == "axis" && matches!(v, Value::Tuple(_)));
    let entry = match entry.name {
        "max" if several => crate::catalogue::entry("amax", Forms::TORCH).unwrap_or(entry),
        "min" if several => crate::catalogue::entry("amin", Forms::TORCH).unwrap_or(entry),
        _ => entry,
    };
    let dtype = numpy_arguments::dtype(machine, entry, &mut args)?;
    let kept = numpy_arguments::keeps_all(&mut args);
    let out = args.take("out").filter(|v| !matches!(v, Value::None));
    let is_array = |v: &Value| matches!(v, Value::Array(_) | Value::Tensor(_));
    let writes = out.as_ref().is_none_or(|v| match v {
        Value::Tuple(all) => all.items.iter().all(is_array),
        one => is_array(one),
    });
    if !writes {
        raise!(Kind::Type, "return arrays must be of ArrayType");
    }
    let called = args.name();
    let params = &signature(entry.signature).params;
    for (i, value) in args.positional.iter_mut().enumerate() {
        // Shapes and axes stay what they are.
        let accepts = params.get(i).map(|p| p.accepts);
        if !matches!(accepts, Some(Accepts::Ints | Accepts::Size | Accepts::Int | Accepts::Dtype)) {
            own_array(machine, value, &args.site)?;
            as_array(value).at(span)?;
        }
    }
    for (name, value) in args.named.iter_mut() {
        let known = RENAMED
            .iter()
            .find(|(op, theirs, _)| [entry.name, "*"].contains(op) && *theirs == name.as_str());
        if let Some((_, _, ours)) = known {
            *name = Symbol::new(ours);
        }
        if matches!(value, Value::Array(_)) {
            as_array(value).at(span)?;
        }
    }
    // The mean of integers is a float here, and what `fabs` gives.
    if (entry.name == "mean" || called == "fabs")
        && let Some(first) = args.positional.first_mut()
    {
        match first {
            Value::Tensor(t) if !t.dtype().is_float() => {
                *t = Variable::constant(t.value().to_dtype(Dtype::Float64));
            }
            Value::Int(whole) => *first = Value::Float(*whole as f64),
            _ => {}
        }
    }
    let elementwise =
        numpy_arguments::elementwise(entry.name).is_some() || METHODS.contains(&entry.name);
    // NumPy takes numbers and lists wherever it takes arrays.
    let strict = machine.strict();
    machine.set_strict(false);
    let bound = bind(machine, entry, args, method);
    machine.set_strict(strict);
    let mut bound = bound?;
    if entry.name == "matmul"
        && let [Arg::Tensor(a), Arg::Tensor(b)] = bound.args.as_slice()
    {
        check_product(a, b).at(span)?;
    }
    if let Some(found) = numpy_arguments::of_bools(called, &mut bound).at(span)? {
        return Ok(found);
    }
    if let Some(dtype) = dtype {
        numpy_arguments::in_type(called, &mut bound, dtype).at(span)?;
    }
    let mixed = mixed_dtypes::allow(true);
    let mut result = as_numpy(|| with_grad(false, || entry.run(&mut bound)));
    // Where PyTorch refuses whole numbers NumPy computes with floats.
    if result.as_ref().is_err_and(|c| refuses_whole(c)) {
        for arg in bound.args.iter_mut() {
            if let Arg::Tensor(t) = arg
                && !t.dtype().is_float()
            {
                *t = Variable::constant(t.value().to_dtype(Dtype::Float64));
            }
        }
        result = as_numpy(|| with_grad(false, || entry.run(&mut bound)));
    }
    mixed_dtypes::allow(mixed);
    mixed_dtypes::take_happened();
    let result = match result {
        Ok(Out::One(v)) => {
            if machine.library.numpy_raises != 0
                && numpy_arguments::elementwise(entry.name).is_some()
            {
                let arrays: Vec<&Variable> = bound.all_tensors().collect();
                let raises = machine.library.numpy_raises;
                numpy_errors::check(raises, called, &arrays, &v).at(span)?;
            }
            array_or_scalar(match dtype {
                Some((dtype, _)) if v.dtype() != Dtype::Bool => {
                    Variable::constant(v.value().to_dtype(dtype))
                }
                _ => v,
            })
        }
        Ok(out) => numpy_result(out),
        Err(complaint) => {
            let arrays: Vec<&Variable> = bound.all_tensors().collect();
            return Err(words(complaint, entry.name, &arrays)).at(span);
        }
    };
    let result = match (kept, &result) {
        (Some(rank), Value::NpScalar(v, dtype)) if rank > 0 => {
            let one = Tensor::number(*v, *dtype).with_weak(false).reshaped(&vec![1; rank]);
            Value::Array(Variable::constant(one))
        }
        _ => result,
    };
    match out {
        Some(out) => {
            let arrays: Vec<&Variable> = bound.all_tensors().collect();
            numpy_arguments::write(called, &out, result, &arrays)
        }
        None if tensors && elementwise => to_tensor(&result).at(span),
        None => Ok(result),
    }
}

/// Takes the argument `order`.
fn order(args: &mut Args) -> Option<Value> {
    let order = args.take("order");
    match args.positional.last() {
        Some(Value::Str(_)) => args.positional.pop(),
        _ => order,
    }
}

/// The array whose rows one after the other are the elements in an order: 'F' is by columns, 'A' too where they lie
/// so in memory, 'K' as they lie there.
///
/// # Errors
/// The budget.
pub fn in_order(t: &Variable, order: &str) -> Outcome<Variable> {
    let layout = t.layout();
    let mut axes: Vec<i64> = (0..t.rank() as i64).collect();
    let turned: Vec<i64> = axes.iter().rev().copied().collect();
    match order {
        "K" => axes.sort_by_key(|axis| std::cmp::Reverse(layout.strides[*axis as usize])),
        "F" => axes = turned,
        "A" if !layout.is_contiguous() => {
            let by_columns = vjp_ops::arrange::layout::permute(t, &turned)?;
            return Ok(if by_columns.layout().is_contiguous() { by_columns } else { t.clone() });
        }
        _ => return Ok(t.clone()),
    }
    vjp_ops::arrange::layout::permute(t, &axes)
}

/// Another shape of the columns: the rows of the transpose.
fn turned(
    machine: &mut Machine,
    entry: &'static Entry,
    mut args: Args,
    method: bool,
) -> Tried<Value> {
    let transposed = |t: &Variable| {
        let backwards: Vec<i64> = (0..t.rank() as i64).rev().collect();
        vjp_ops::arrange::layout::permute(t, &backwards)
    };
    let span = args.site.span;
    for value in args.positional.iter_mut().take(1) {
        as_array(value).at(span)?;
        if let Value::Tensor(t) = value {
            *value = Value::Array(transposed(t).at(span)?);
        }
    }
    let mut shape = args.positional.split_off(1.min(args.positional.len()));
    if let [Value::Tuple(_) | Value::List(_)] = shape.as_slice() {
        shape = machine.collect(&shape[0])?;
    }
    shape.reverse();
    if !shape.is_empty() {
        args.positional.push(Value::tuple(shape));
    }
    match run(machine, entry, args, method)? {
        Value::Array(a) => Ok(Value::Array(transposed(&a).at(span)?)),
        other => Ok(other),
    }
}

/// Operations that a tensor has as a method of NumPy's form.
const METHODS: &[&str] = &["argmax", "argmin", "argsort", "clamp", "cumsum", "reciprocal"];

fn of_tensors(args: &Args) -> bool {
    args.positional.iter().any(|v| matches!(v, Value::Tensor(_)))
}

/// What a tensor's own method says to the keywords that NumPy gives it.
fn refused_by_tensor(entry: &'static Entry, args: &Args) -> Option<Box<Complaint>> {
    let name = entry.name;
    matches!(args.positional.first(), Some(Value::Tensor(_))).then_some(())?;
    let axis = args.positional.len() > 1 || args.named.iter().any(|(n, _)| n.as_str() == "axis");
    let text = match (name, axis) {
        ("sum" | "mean", _) | ("prod" | "max" | "min", true) => {
            format!("{name}() got an unexpected keyword argument 'axis'")
        }
        ("prod" | "max" | "min", false) => {
            format!("{name}(): argument 'dim' must be int, not NoneType")
        }
        _ => return None,
    };
    Some(Complaint::new(Kind::Type, text))
}

/// Whether PyTorch wants floats where it got integers.
fn refuses_whole(complaint: &Complaint) -> bool {
    complaint.fact == Fact::Other && matches!(complaint.kind, Kind::Runtime | Kind::NotImplemented)
}

/// What an object's own `__array__` gives in its place.
///
/// # Errors
/// What that raises.
pub fn own_array(machine: &mut Machine, value: &mut Value, site: &Site) -> Tried<()> {
    if matches!(value, Value::Instance(_))
        && let Ok(method) = machine.get_attr(value, Symbol::new("__array__"))
    {
        *value = machine.call_with(&method, Vec::new(), site)?;
    }
    Ok(())
}

/// What NumPy's functions make of an argument: arrays of tensors (whose history must not matter),
/// numbers and numeric lists.
pub fn as_array(value: &mut Value) -> Outcome<()> {
    // Where nothing ends, the reader of numbers has NumPy's words.
    array_within(value, 0).map_err(|deep| tensor_of(value, Reader::Numpy).err().unwrap_or(deep))
}

fn array_within(value: &mut Value, depth: usize) -> Outcome<()> {
    if depth > DEEPEST {
        return Err(too_deep());
    }
    let tensor = match value {
        Value::Tensor(t) => {
            check_detached(t)?;
            *value = Value::Tensor(t.detach());
            return Ok(());
        }
        Value::Array(t) => {
            *value = Value::Tensor(t.detach());
            return Ok(());
        }
        Value::Number(_) | Value::NpScalar(..) | Value::Float(_) => match value.plain() {
            Value::NpScalar(v, d) => Tensor::scalar(v).with_dtype(d),
            plain => match number(&plain) {
                Some(n) => n.value(),
                None => return Ok(()),
            },
        },
        Value::Long(_) => {
            return Err(vjp_eval::values::tensor_operators::nested::too_long_for_numpy());
        }
        Value::List(list)
            if list.items.borrow().iter().all(|v| {
                v.as_float().is_some() || matches!(v, Value::List(_) | Value::Tuple(_))
            }) =>
        {
            match tensor_of(value, Reader::Numpy) {
                Ok(t) => t,
                Err(c) if c.kind.is_stop() || c.kind == Kind::Overflow => return Err(c),
                Err(_) => return Ok(()),
            }
        }
        Value::List(list) => {
            let mut items = list.items.borrow().to_vec();
            for item in &mut items {
                array_within(item, depth + 1)?;
            }
            *value = Value::list(items);
            return Ok(());
        }
        Value::Tuple(tuple)
            if tuple
                .items
                .iter()
                .any(|v| matches!(v, Value::Array(_) | Value::Tensor(_) | Value::List(_))) =>
        {
            let mut items = tuple.items.clone();
            for item in &mut items {
                array_within(item, depth + 1)?;
            }
            *value = Value::tuple(items);
            return Ok(());
        }
        Value::Instance(_) => {
            let list = sequence(value);
            if matches!(list, Value::Instance(_)) {
                return Ok(());
            }
            *value = list;
            return array_within(value, depth + 1);
        }
        _ => return Ok(()),
    };
    *value = Value::Tensor(Variable::constant(tensor));
    Ok(())
}

fn numpy_result(out: Out) -> Value {
    match out {
        Out::One(v) => array_or_scalar(v),
        Out::Many(all) => Value::list(all.into_iter().map(array_or_scalar).collect()),
        // `a.max(axis)` of NumPy gives the values alone.
        Out::Named(name, mut parts) if parts.len() == 2 && parts[1].0 == "indices" => {
            let _ = name;
            array_or_scalar(parts.swap_remove(0).1)
        }
        Out::Named(name, parts) => named(
            match name {
                "linalg_eigh" => "EighResult",
                "linalg_svd" => "SVDResult",
                "linalg_qr" => "QRResult",
                "linalg_slogdet" => "SlogdetResult",
                other => other,
            },
            parts.into_iter().map(|(n, v)| (n, array_or_scalar(v))).collect(),
        ),
        Out::Bool(b) => Value::Bool(b),
        Out::Int(i) => Value::NpScalar(i as f64, Dtype::Int64),
    }
}

/// NumPy's result: a scalar where there are no dimensions left.
pub fn array_or_scalar(v: Variable) -> Value {
    from_array(v.detach())
}
