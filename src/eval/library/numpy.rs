//! The module `numpy`: arrays without a graph.

use super::arrays::ArrayType;
use super::bind::{Given, as_dtype, as_ints};
use super::catalogue::{self, Form, array_or_scalar, as_array, contents};
use super::constructors::{dtype_of_number, even, identity, range_of};
use super::nested::{Reader, tensor_of};
use super::torch::values;
use super::{Builtin, Module, Type};
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::Value;
use crate::maths::complaint::{Complaint, Kind, Outcome};
use crate::maths::grad_mode::with_grad;
use crate::maths::ops::{Arg, Bound, Forms, Out};
use crate::maths::tensor::{Dtype, Tensor};
use crate::maths::variable::Variable;
use crate::raise;

pub static NUMPY: Module = Module {
    name: "numpy",
    help: "Arrays of numbers.",
    contents: numpy,
};
pub static LINALG: Module = Module {
    name: "numpy.linalg",
    help: "Linear algebra of arrays.",
    contents: linalg,
};

pub fn modules() -> Vec<&'static Module> {
    vec![&NUMPY, &LINALG]
}

macro_rules! functions {
    ($($name:literal $signature:literal $run:expr, $help:literal;)*) => {
        /// Functions of `numpy` that are not the catalogue's.
        pub static BUILTINS: &[Builtin] = &[$(Builtin {
            name: $name,
            module: "numpy",
            signature: $signature,
            help: $help,
            run: $run,
        }),*];
    };
}

functions! {
    "array" "(object, dtype=None, *, copy=True, ndmin=0)" array, "An array of the numbers in nested lists.";
    "asarray" "(object, dtype=None)" asarray, "An array; an array is not copied.";
    "zeros" "(shape, dtype=None)" |_, a| filled(a, 0.0), "All elements 0.";
    "ones" "(shape, dtype=None)" |_, a| filled(a, 1.0), "All elements 1.";
    "empty" "(shape, dtype=None)" |_, a| filled(a, 0.0), "An array to be filled (here with zeros at first).";
    "full" "(shape, fill_value, dtype=None)" full, "All elements the same number.";
    "eye" "(int N, int M=None, *, dtype=None)" eye, "The identity matrix.";
    "identity" "(int N, int M=None, *, dtype=None)" eye, "The identity matrix.";
    "arange" "(start, end=None, step=None, dtype dtype=None)" arange, "start, start + step, … below end.";
    "linspace" "(start, stop, int num=50)" linspace, "Evenly spaced numbers, both ends included.";
    "zeros_like" "(object, dtype=None)" |m, a| like(m, a, Some(0.0)), "Zeros of the same shape and type.";
    "ones_like" "(object, dtype=None)" |m, a| like(m, a, Some(1.0)), "Ones of the same shape and type.";
    "empty_like" "(object, dtype=None)" |m, a| like(m, a, Some(0.0)), "An array of the same shape and type.";
    "full_like" "(object, fill_value, dtype=None)" |m, a| like(m, a, None), "The same number in the same shape.";
    "repeat" "(a, repeats, axis=None)" repeat, "Each element several times.";
    "dot" "(a, b)" dot, "The product of vectors or matrices.";
    "std" "(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False)" |m, a| spread(m, a, true), "The standard deviation.";
    "var" "(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False)" |m, a| spread(m, a, false), "The variance.";
    "allclose" "(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)" allclose, "Whether all elements are nearly equal.";
    "array_equal" "(a, b)" array_equal, "Whether shapes and elements are the same.";
    "round" "(a, int decimals=0)" round, "Rounded to so many decimals.";
    "around" "(a, int decimals=0)" round, "Rounded to so many decimals.";
    "shape" "(a)" shape, "The shape.";
    "ndim" "(a)" |m, a| Ok(Value::Int(first(m, a)?.rank() as i64)), "How many dimensions.";
    "size" "(a)" |m, a| Ok(Value::Int(first(m, a)?.numel() as i64)), "How many elements.";
    "copy" "(a)" |m, a| Ok(Value::Array(Variable::constant(first(m, a)?.value()))), "A copy.";
    "isscalar" "(a)" |_, a| Ok(Value::Bool(a.positional.first().is_some_and(|v| v.as_float().is_some()))), "Whether it is a number.";
    "set_printoptions" "(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, formatter=None, sign=None, floatmode=None)" set_printoptions, "How arrays print.";
    "seterr" "(all=None, divide=None, over=None, under=None, invalid=None)" |_, _| Ok(Value::None), "Nothing here: no warnings are printed.";
}

/// NumPy's names for operations that PyTorch calls otherwise.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("concatenate", "cat"),
    ("power", "pow"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
    ("absolute", "abs"),
    ("subtract", "sub"),
    ("add", "add"),
    ("multiply", "mul"),
    ("divide", "div"),
    ("true_divide", "div"),
    ("mod", "remainder"),
    ("negative", "neg"),
    ("expand_dims", "unsqueeze"),
    ("maximum", "maximum"),
    ("minimum", "minimum"),
    ("where", "where"),
    ("stack", "stack"),
    ("vstack", "vstack"),
    ("hstack", "hstack"),
    ("outer", "outer"),
    ("matmul", "matmul"),
    ("diag", "diag"),
    ("tile", "tile"),
    ("trace", "trace"),
    ("einsum", "einsum"),
    ("clip", "clamp"),
    ("cumsum", "cumsum"),
    ("cumprod", "cumprod"),
    ("prod", "prod"),
    ("sum", "sum"),
    ("mean", "mean"),
    ("max", "max"),
    ("min", "min"),
    ("amax", "max"),
    ("amin", "min"),
    ("argmax", "argmax"),
    ("argmin", "argmin"),
    ("argsort", "argsort"),
    ("all", "all"),
    ("any", "any"),
    ("isnan", "isnan"),
    ("isinf", "isinf"),
    ("isfinite", "isfinite"),
    ("isclose", "isclose"),
    ("ravel", "ravel"),
    ("squeeze", "squeeze"),
    ("transpose", "t"),
    ("triu", "triu"),
    ("tril", "tril"),
    ("flip", "flip"),
    ("roll", "roll"),
    ("kron", "kron"),
    ("cross", "cross"),
    ("sign", "sign"),
    ("floor", "floor"),
    ("ceil", "ceil"),
    ("square", "square"),
    ("tensordot", "tensordot"),
    ("logaddexp", "logaddexp"),
];

/// Dtypes under NumPy's names.
macro_rules! scalar_types {
    ($($id:ident $name:literal $dtype:ident;)*) => {
        $(static $id: Type = Type {
            name: $name,
            module: "numpy",
            help: "A type of array elements.",
            includes: |v| matches!(v, Value::NpScalar(_, Dtype::$dtype)),
            construct: |_, _, a| scalar(a, Dtype::$dtype),
            attribute: |_| None,
            exception: None,
            base: None,
        };)*
        static SCALAR_TYPES: &[(&Type, Dtype)] = &[$((&$id, Dtype::$dtype)),*];
    };
}

scalar_types! {
    FLOAT64 "float64" Float64;
    FLOAT32 "float32" Float32;
    INT64 "int64" Int64;
    INT32 "int32" Int32;
    UINT8 "uint8" Uint8;
    BOOL "bool" Bool;
}

static NDARRAY: Type = Type {
    name: "ndarray",
    module: "numpy",
    help: "An array.",
    includes: |v| matches!(v, Value::Array(_)),
    construct: |_, _, _| {
        raise!(
            Kind::Type,
            "ndarray() is not provided: use np.array or np.empty"
        )
    },
    attribute: |_| None,
    exception: None,
    base: None,
};

/// The class of an array or a NumPy scalar.
pub fn type_of(value: &Value) -> Option<&'static Type> {
    match value {
        Value::Array(_) => Some(&NDARRAY),
        Value::NpScalar(_, d) => SCALAR_TYPES
            .iter()
            .find(|(_, own)| own == d)
            .map(|(t, _)| *t),
        _ => None,
    }
}

fn numpy() -> Vec<(&'static str, Value)> {
    let mut all = Vec::new();
    for (name, torch) in OTHER_NAMES {
        let entry = catalogue::entry(name, Forms::NP)
            .or_else(|| catalogue::entry(torch, Forms::TORCH))
            .or_else(|| catalogue::entry(torch, Forms::METHOD));
        if let Some(entry) = entry {
            all.push((
                *name,
                Value::Builtin(catalogue::builtin(name, entry, Form::Numpy, "numpy")),
            ));
        }
    }
    all.extend(contents(Forms::NP, Form::Numpy, "numpy"));
    // Those written here hold where both have a name.
    all.extend(values(BUILTINS));
    all.extend(SCALAR_TYPES.iter().map(|(t, _)| (t.name, Value::Type(t))));
    all.push(("float_", Value::Type(&FLOAT64)));
    all.push(("int_", Value::Type(&INT64)));
    all.push(("bool_", Value::Type(&BOOL)));
    all.push(("ndarray", Value::Type(&NDARRAY)));
    all.push(("linalg", Value::Module(&LINALG)));
    all.push(("newaxis", Value::None));
    for (name, number) in [
        ("pi", std::f64::consts::PI),
        ("e", std::f64::consts::E),
        ("inf", f64::INFINITY),
        ("nan", f64::NAN),
    ] {
        all.push((name, Value::Float(number)));
    }
    all
}

fn linalg() -> Vec<(&'static str, Value)> {
    [
        "inv",
        "norm",
        "solve",
        "det",
        "eigh",
        "eigvalsh",
        "qr",
        "svd",
        "cholesky",
        "pinv",
        "matrix_power",
        "matrix_rank",
    ]
    .into_iter()
    .filter_map(|name| {
        let entry = catalogue::entry(name, Forms::LINALG)?;
        Some((
            name,
            Value::Builtin(catalogue::builtin(name, entry, Form::Numpy, "numpy.linalg")),
        ))
    })
    .collect()
}

fn given(args: Args) -> Result<Given, Halt> {
    let span = args.site.span;
    let signature = args.callee.map_or("()", |b| b.signature);
    Given::read(args, signature, false).at(span)
}

/// The dtype argument, in any of NumPy's spellings.
fn dtype(g: &Given) -> Result<Option<Dtype>, Halt> {
    match g.value("dtype") {
        None => Ok(None),
        Some(Value::Object(o)) => Ok(o.as_any().downcast_ref::<ArrayType>().map(|t| t.0)),
        Some(other) => match as_dtype(&other) {
            Some(d) => Ok(Some(d)),
            None => raise!(
                Kind::Type,
                "Cannot interpret '{}' as a data type",
                super::types::name_of(&other)
            ),
        },
    }
}

/// Any argument as an array's variable.
///
/// # Errors
/// What is no array of numbers.
pub fn read(value: &Value) -> Outcome<Variable> {
    let mut value = value.clone();
    as_array(&mut value)?;
    match value {
        Value::Tensor(t) => Ok(t),
        other => Ok(Variable::constant(tensor_of(&other, Reader::Numpy)?)),
    }
}

fn first(_: &mut Machine, args: Args) -> Result<Variable, Halt> {
    let span = args.site.span;
    read(args.positional.first().unwrap_or(&Value::None)).at(span)
}

fn array(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let object = g.raw(0).unwrap_or(Value::None);
    if let Value::Tensor(t) = &object
        && t.requires_grad()
        && t.shows()
    {
        return Err(super::nested::numpy_of_tracked()).at(g.site.span);
    }
    let read = tensor_of(&object, Reader::Numpy).at(g.site.arg(0))?;
    let read = match dtype(&g)? {
        Some(d) => read.to_dtype(d),
        None => read,
    };
    Ok(Value::Array(Variable::constant(read.with_weak(false))))
}

fn asarray(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    match args.positional.first() {
        Some(Value::Array(a)) if args.positional.len() == 1 && args.named.is_empty() => {
            Ok(Value::Array(a.clone()))
        }
        _ => array(machine, args),
    }
}

fn sized(g: &Given) -> Result<Vec<usize>, Halt> {
    let value = g.raw(0).unwrap_or(Value::None);
    let Some(ints) = as_ints(&value) else {
        raise!(
            Kind::Type,
            "'{}' object cannot be interpreted as an integer",
            super::types::name_of(&value)
        );
    };
    let mut size = Vec::with_capacity(ints.len());
    for n in ints {
        match usize::try_from(n) {
            Ok(n) => size.push(n),
            Err(_) => raise!(Kind::Value, "negative dimensions are not allowed"),
        }
    }
    Ok(size)
}

fn filled(args: Args, number: f64) -> Result<Value, Halt> {
    let g = given(args)?;
    let dtype = dtype(&g)?.unwrap_or(Dtype::Float64);
    let tensor = Tensor::filled(&sized(&g)?, number, dtype).at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}

fn full(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let number = g.float("fill_value")?.unwrap_or(0.0);
    let own = g
        .value("fill_value")
        .map_or(Dtype::Float64, |v| match v.plain() {
            Value::Float(_) => Dtype::Float64,
            other => dtype_of_number(&other),
        });
    let dtype = dtype(&g)?.unwrap_or(own);
    let tensor = Tensor::filled(&sized(&g)?, number, dtype).at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}

fn eye(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let rows = g.int("N")?.unwrap_or(0);
    let columns = g.int("M")?.unwrap_or(rows);
    let dtype = dtype(&g)?.unwrap_or(Dtype::Float64);
    let tensor = identity(rows, columns, dtype).at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}

fn arange(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let tensor = range_of(&g, Dtype::Float64).at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}

fn linspace(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let (start, stop) = (
        g.float("start")?.unwrap_or(0.0),
        g.float("stop")?.unwrap_or(0.0),
    );
    let Ok(count) = usize::try_from(g.int("num")?.unwrap_or(50)) else {
        raise!(Kind::Value, "Number of samples must be non-negative.");
    };
    let tensor = even(start, stop, count).at(g.site.span)?;
    // NumPy counts from the start throughout.
    let step = if count > 1 {
        (stop - start) / (count - 1) as f64
    } else {
        0.0
    };
    let data = (0..count)
        .map(|i| {
            if i + 1 == count && count > 1 {
                stop
            } else {
                i as f64 * step + start
            }
        })
        .collect();
    Ok(Value::Array(Variable::constant(Tensor::new(
        tensor.shape(),
        data,
    ))))
}

fn like(_: &mut Machine, args: Args, number: Option<f64>) -> Result<Value, Halt> {
    let g = given(args)?;
    let of = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?;
    let number = match number {
        Some(v) => v,
        None => g.float("fill_value")?.unwrap_or(0.0),
    };
    let dtype = dtype(&g)?.unwrap_or_else(|| of.dtype());
    let tensor = Tensor::filled(&of.shape(), number, dtype).at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}

/// `np.repeat(a, n, axis)`: each element (or row) n times; without an axis, of the flat array.
///
/// # Errors
/// An axis out of range.
pub fn repeat(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let a = read(&g.raw(0).unwrap_or(Value::None))
        .at(g.site.span)?
        .value();
    let counts = g.raw(1).as_ref().and_then(as_ints).unwrap_or_default();
    let (a, axis) = match g.value("axis").and_then(|v| v.as_int()) {
        Some(axis) => {
            let axis = crate::maths::shape::axis(axis, a.rank()).at(g.site.span)?;
            (a, axis)
        }
        None => (a.reshaped(&[a.numel()]), 0),
    };
    let length = a.shape().get(axis).copied().unwrap_or(1);
    if counts.len() != 1 && counts.len() != length {
        raise!(
            Kind::Value,
            "operands could not be broadcast together with shape ({length},) ({},)",
            counts.len()
        );
    }
    if counts.iter().any(|n| *n < 0) {
        raise!(Kind::Value, "counts cannot be negative");
    }
    let times = |i: usize| if counts.len() == 1 { counts[0] } else { counts[i] } as usize;
    let inner: usize = a.shape().iter().skip(axis + 1).product();
    let outer: usize = a.shape().iter().take(axis).product();
    let total: usize = (0..length).map(times).sum();
    crate::maths::budget::reserve(
        outer
            .saturating_mul(total)
            .saturating_mul(inner)
            .saturating_mul(8),
    )
    .at(g.site.span)?;
    let mut data = Vec::with_capacity(outer * total * inner);
    for o in 0..outer {
        for i in 0..length {
            let start = (o * length + i) * inner;
            for _ in 0..times(i) {
                data.extend_from_slice(&a.data()[start..start + inner]);
            }
        }
    }
    let mut shape = a.shape().to_vec();
    if let Some(slot) = shape.get_mut(axis) {
        *slot = total;
    }
    Ok(Value::Array(Variable::constant(
        Tensor::new(&shape, data).with_dtype(a.dtype()),
    )))
}

/// `np.dot`: the product as NumPy's matmul for one and two dimensions, scaling for numbers.
///
/// # Errors
/// Shapes that do not fit.
pub fn dot(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let a = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?;
    let b = read(&g.raw(1).unwrap_or(Value::None)).at(g.site.span)?;
    let op = if a.rank() == 0 || b.rank() == 0 {
        "mul"
    } else {
        let (p, q) = (a.shape(), b.shape());
        let (inner, other) = (p.len() - 1, q.len().saturating_sub(2));
        if p[inner] != q[other] {
            raise!(
                Kind::Value,
                "shapes {} and {} not aligned: {} (dim {inner}) != {} (dim {other})",
                crate::eval::display::torch::tuple(&p).replace(' ', ""),
                crate::eval::display::torch::tuple(&q).replace(' ', ""),
                p[inner],
                q[other]
            );
        }
        "matmul"
    };
    let Some(entry) = crate::maths::ops::lookup(op) else {
        raise!(Kind::NotImplemented, "np.dot is not provided");
    };
    let mut bound = Bound::new(entry.name, vec![Arg::Tensor(a), Arg::Tensor(b)]);
    match with_grad(false, || (entry.call)(&mut bound)).at(g.site.span)? {
        Out::One(v) => Ok(array_or_scalar(v)),
        _ => raise!(Kind::Runtime, "np.dot gave no array"),
    }
}

/// Standard deviation or variance, divided by n - ddof.
///
/// # Errors
/// An axis out of range.
pub fn spread(machine: &mut Machine, args: Args, root: bool) -> Result<Value, Halt> {
    let g = given(args)?;
    let a = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?;
    let site = g.site.clone();
    let a = Variable::constant(a.value().to_dtype(Dtype::Float64));
    let name = if root { "std" } else { "var" };
    let Some(entry) = catalogue::entry(name, Forms::METHOD) else {
        raise!(Kind::NotImplemented, "np.{name} is not provided");
    };
    let mut args = Args::new(vec![Value::Tensor(a)], site.clone());
    if let Some(axis) = g.value("axis") {
        args.named
            .push((crate::text::names::Symbol::new("dim"), axis));
    }
    if let Some(keep) = g.value("keepdims") {
        args.named
            .push((crate::text::names::Symbol::new("keepdim"), keep));
    }
    let ddof = g.float("ddof")?.unwrap_or(0.0);
    args.named.push((
        crate::text::names::Symbol::new("unbiased"),
        Value::Bool(ddof == 1.0),
    ));
    let mut bound = catalogue::bind(machine, entry, args, false)?;
    match with_grad(false, || (entry.call)(&mut bound)).at(site.span)? {
        Out::One(v) => Ok(array_or_scalar(v)),
        _ => raise!(Kind::Runtime, "np.{name} gave no array"),
    }
}

fn allclose(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let a = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?;
    let b = read(&g.raw(1).unwrap_or(Value::None)).at(g.site.span)?;
    let (rtol, atol) = (
        g.float("rtol")?.unwrap_or(1e-5),
        g.float("atol")?.unwrap_or(1e-8),
    );
    let equal_nan = matches!(g.value("equal_nan"), Some(Value::Bool(true)));
    let close = super::torch_functions::close(&a.value(), &b.value(), rtol, atol, equal_nan)
        .map_err(|c| shapes_differ(c, false, &a, &b));
    Ok(Value::Bool(close.at(g.site.span)?))
}

/// NumPy's sentence on shapes that do not go together.
pub fn shapes_differ(
    complaint: Box<Complaint>,
    product: bool,
    a: &Variable,
    b: &Variable,
) -> Box<Complaint> {
    let (p, q) = (a.shape(), b.shape());
    if product {
        let (Some(inner), false) = (p.last(), q.is_empty()) else {
            return complaint;
        };
        let at = q.len().saturating_sub(2);
        return if q[at] == *inner {
            complaint
        } else {
            Complaint::new(
                Kind::Value,
                format!(
                    "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {} is different from {inner})",
                    q[at]
                ),
            )
        };
    }
    if crate::maths::shape::broadcast(&p, &q).is_ok() {
        return complaint;
    }
    let text = |s: &[usize]| crate::eval::display::torch::tuple(s).replace(' ', "");
    Complaint::new(
        Kind::Value,
        format!(
            "operands could not be broadcast together with shapes {} {} ",
            text(&p),
            text(&q)
        ),
    )
}

fn array_equal(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let a = read(&g.raw(0).unwrap_or(Value::None))
        .at(g.site.span)?
        .value();
    let b = read(&g.raw(1).unwrap_or(Value::None))
        .at(g.site.span)?
        .value();
    Ok(Value::Bool(a.shape() == b.shape() && a.data() == b.data()))
}

fn round(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let a = read(&g.raw(0).unwrap_or(Value::None))
        .at(g.site.span)?
        .value();
    let decimals = g.int("decimals")?.unwrap_or(0);
    // As NumPy: scaled, rounded half to even, scaled back.
    let scale = 10f64.powi(decimals.unsigned_abs().min(300) as i32);
    let rounded = a
        .map(a.dtype(), |v| match decimals {
            0 => v.round_ties_even(),
            d if d > 0 => (v * scale).round_ties_even() / scale,
            _ => (v / scale).round_ties_even() * scale,
        })
        .at(g.site.span)?;
    Ok(array_or_scalar(Variable::constant(rounded)))
}

fn shape(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let a = first(machine, args)?;
    Ok(Value::tuple(
        a.shape().iter().map(|n| Value::Int(*n as i64)).collect(),
    ))
}

fn scalar(args: Args, dtype: Dtype) -> Result<Value, Halt> {
    let span = args.site.span;
    let a = match args.positional.first() {
        None => return Ok(Value::NpScalar(0.0, dtype)),
        Some(Value::Str(s)) => match s.trim().parse::<f64>() {
            Ok(v) => Variable::constant(Tensor::scalar(v)),
            Err(_) => raise!(Kind::Value, "could not convert string to float: '{s}'"),
        },
        Some(value) => read(value).at(span)?,
    };
    Ok(array_or_scalar(Variable::constant(
        a.value().to_dtype(dtype),
    )))
}

fn set_printoptions(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let mut options = machine.library.numpy_print.clone();
    let size = |name: &str| {
        g.value(name)
            .and_then(|v| v.as_int())
            .map(|n| n.max(0) as usize)
    };
    options.precision = size("precision").unwrap_or(options.precision);
    options.edgeitems = size("edgeitems").unwrap_or(options.edgeitems);
    options.linewidth = size("linewidth").unwrap_or(options.linewidth);
    options.threshold = g.float("threshold")?.unwrap_or(options.threshold);
    if let Some(flag) = g.value("suppress") {
        options.suppress = machine.truth(&flag)?;
    }
    machine.library.numpy_print = options;
    Ok(Value::None)
}
