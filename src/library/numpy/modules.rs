//! The module `numpy`: arrays without a graph.

use crate::create::{
    arange, array, asarray, by_columns, eye, filled, first, full, like, linspace, ordered,
};
use crate::functions::{
    allclose, cumulative, dot, get_printoptions, laid_out, repeat, round, scalar, set_printoptions,
    shape, shares_memory, size,
};
use crate::sort::sort;
use crate::{dtype, words};
use vjp_binder::catalogue;
use vjp_binder::catalogue::{Form, contents};
use vjp_eval::library::{builtins, values};
use vjp_eval::values::tensor_operators::numpy_errors;
use vjp_eval::{Args, Machine, Module, Tried, Type, Value, raise};
use vjp_maths::Variable;
use vjp_ops::Forms;
use vjp_tensor::{Complaint, Dtype, Kind};

pub static NUMPY: Module = Module { name: "numpy", help: "Arrays of numbers.", contents: numpy };
pub static LINALG: Module =
    Module { name: "numpy.linalg", help: "Linear algebra of arrays.", contents: linalg };

pub static RANDOM: Module = Module {
    name: "numpy.random",
    help: "NumPy's random numbers: a seed gives those that NumPy gives.",
    contents: || values(crate::random::BUILTINS),
};
pub static TESTING: Module =
    Module { name: "numpy.testing", help: "Comparison of arrays in tests.", contents: Vec::new };
pub static LIB: Module = Module {
    name: "numpy.lib",
    help: "Parts of NumPy with names of their own.",
    contents: || vec![("stride_tricks", Value::Module(&STRIDES))],
};
pub static STRIDES: Module = Module {
    name: "numpy.lib.stride_tricks",
    help: "Views of arrays by steps in memory.",
    contents: Vec::new,
};
pub static CHAR: Module = Module {
    name: "numpy.char",
    help: "Methods of strings for arrays of them.",
    contents: Vec::new,
};
pub static STRINGS: Module = Module {
    name: "numpy.strings",
    help: "Methods of strings for arrays of them.",
    contents: Vec::new,
};
pub static EXCEPTIONS: Module = Module {
    name: "numpy.exceptions",
    help: "NumPy's exception classes.",
    contents: || {
        let class = vjp_eval::language::exception::classes::exception_class(Kind::Axis);
        vec![("AxisError", class)]
    },
};

pub fn modules() -> Vec<&'static Module> {
    vec![&NUMPY, &LIB, &STRIDES, &LINALG, &EXCEPTIONS, &RANDOM, &TESTING, &CHAR, &STRINGS]
}

builtins! {
    /// Functions of `numpy` that are not the catalogue's.
    pub static BUILTINS in "numpy";
    "array" "(object, dtype=None, *, copy=True, ndmin=0)" |m, a| ordered(m, a, array), "Makes an array from nested lists of numbers.";
    "asarray" "(object, dtype=None)" |m, a| ordered(m, a, asarray), "Makes an array; does not copy an array.";
    "asfortranarray" "(object, dtype=None)" |m, a| Ok(match array(m, a)? {
        Value::Array(a) => Value::Array(by_columns(&a)?),
        other => other,
    }), "Makes an array whose columns lie in one piece of memory each.";
    "asanyarray" "(object, dtype=None)" |m, a| ordered(m, a, asarray), "Makes an array; does not copy an array.";
    "ascontiguousarray" "(object, dtype=None)" asarray, "Makes an array; does not copy an array.";
    "zeros" "(shape, dtype=None)" |m, a| ordered(m, a, |m, a| filled(m, a, 0.0)), "Makes an array filled with zeros.";
    "ones" "(shape, dtype=None)" |m, a| ordered(m, a, |m, a| filled(m, a, 1.0)), "Makes an array filled with ones.";
    "empty" "(shape, dtype=None)" |m, a| ordered(m, a, |m, a| filled(m, a, 0.0)), "Makes an array to fill later; it starts with zeros here.";
    "full" "(shape, fill_value, dtype=None)" |m, a| ordered(m, a, full), "Makes an array filled with one number.";
    "eye" "(int N, int M=None, int k=0, dtype=None, order='C')" eye, "Makes a matrix with ones on the main diagonal, or on the k-th above it.";
    "identity" "(int N, dtype=None)" eye, "Makes an identity matrix.";
    "arange" "(start, end=None, step=None, dtype dtype=None)" arange, "Returns start, start + step, …, stopping before end.";
    "linspace" "(start, stop, int num=50, endpoint=True, retstep=False, dtype=None)" linspace, "Makes evenly spaced numbers, including both ends.";
    "zeros_like" "(object, dtype=None)" |m, a| ordered(m, a, |m, a| like(m, a, 0.0)), "Makes an array of zeros with the same shape and type.";
    "ones_like" "(object, dtype=None)" |m, a| ordered(m, a, |m, a| like(m, a, 1.0)), "Makes an array of ones with the same shape and type.";
    "empty_like" "(object, dtype=None)" |m, a| ordered(m, a, |m, a| like(m, a, 0.0)), "Makes an array with the same shape and type.";
    "repeat" "(a, repeats, axis=None)" repeat, "Repeats each element.";
    "dot" "(a, b, out=None)" dot, "Multiplies vectors or matrices.";
    "cumsum" "(a, axis=None, dtype=None, out=None)" |m, a| cumulative(m, a, "cumsum"), "Cumulative sums; over the flattened array without an axis.";
    "cumprod" "(a, axis=None, dtype=None, out=None)" |m, a| cumulative(m, a, "cumprod"), "Cumulative products; over the flattened array without an axis.";
    "sort" "(a, axis=-1, kind=None, order=None, stable=None)" sort, "Returns the sorted elements.";
    "allclose" "(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)" allclose, "Returns whether all elements are close to each other.";
    "round" "(a, int decimals=0)" round, "Rounds to the given number of decimals.";
    "around" "(a, int decimals=0)" round, "Rounds to the given number of decimals.";
    "shape" "(a)" shape, "Returns the shape.";
    "ndim" "(a)" |m, a| Ok(Value::Int(first(m, a)?.rank() as i64)), "Returns the number of dimensions.";
    "size" "(a, axis=None)" size, "Returns the number of elements, or the size of an axis.";
    "copy" "(a, order=None)" |m, a| ordered(m, a, |m, a| Ok(Value::Array(Variable::constant(first(m, a)?.value())))), "A copy.";
    "set_printoptions" "(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, infstr=None, formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None)" set_printoptions, "Sets how arrays print.";
    "get_printoptions" "()" get_printoptions, "Returns the print options as a dict.";
    "_laid_out" "(texts, shape, separator, prefix, less)" laid_out, "Returns texts in the brackets of an array.";
    "_shares_memory" "(a, b)" shares_memory, "Returns whether two arrays share memory.";
    "load" "(file)" no_files, "Not available: vjp reads no files.";
    "save" "(file, arr)" no_files, "Not available: vjp writes no files.";
    "savez" "(file, *args)" no_files, "Not available: vjp writes no files.";
    "loadtxt" "(fname)" no_files, "Not available: vjp reads no files.";
    "savetxt" "(fname, X)" no_files, "Not available: vjp writes no files.";
    "genfromtxt" "(fname)" no_files, "Not available: vjp reads no files.";
    "complex64" "(x)" no_complex, "Not available: arrays hold real numbers.";
    "complex128" "(x)" no_complex, "Not available: arrays hold real numbers.";
    "datetime64" "(x)" no_dates, "Not available: arrays hold numbers.";
    "_raise_errors" "(kinds)" raise_errors, "Sets which errors of arithmetic raise.";
}

fn raise_errors(machine: &mut Machine, args: Args) -> Tried<Value> {
    let kinds = machine.collect(args.positional.first().unwrap_or(&Value::None))?;
    let bit = |kind: &Value| match kind.as_str() {
        Some("divide") => numpy_errors::DIVIDE,
        Some("over") => numpy_errors::OVER,
        Some("invalid") => numpy_errors::INVALID,
        _ => 0,
    };
    machine.library.numpy_raises = kinds.iter().map(bit).fold(0, |all, one| all | one);
    Ok(Value::None)
}

fn refusal(args: &Args, hint: &str) -> Tried<Value> {
    Err(Complaint::absent(format_args!("np.{}", args.name())).hint(hint).into())
}

fn no_files(_: &mut Machine, args: Args) -> Tried<Value> {
    refusal(&args, "vjp reads and writes no files: put the numbers in the program, np.array([…])")
}

fn no_complex(_: &mut Machine, args: Args) -> Tried<Value> {
    refusal(&args, "vjp has real numbers only: use two arrays for the real and imaginary parts")
}

fn no_dates(_: &mut Machine, args: Args) -> Tried<Value> {
    refusal(&args, "arrays hold numbers: use a number of days or seconds")
}

/// NumPy's names for operations that PyTorch calls otherwise; those with a `_` in front serve the
/// pages of the library (`prelude/numpy_*.py`), which add NumPy's checks and forms.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("_concatenate", "cat"),
    ("_stack", "stack"),
    ("_where", "where"),
    ("_argsort", "argsort"),
    ("_broadcast_to", "broadcast_to"),
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
    ("matmul", "matmul"),
    ("diag", "diag"),
    ("tile", "tile"),
    ("trace", "trace"),
    ("einsum", "einsum"),
    ("clip", "clamp"),
    ("prod", "prod"),
    ("sum", "sum"),
    ("mean", "mean"),
    ("max", "max"),
    ("min", "min"),
    ("amax", "max"),
    ("amin", "min"),
    ("argmax", "argmax"),
    ("argmin", "argmin"),
    ("all", "all"),
    ("any", "any"),
    ("isnan", "isnan"),
    ("isinf", "isinf"),
    ("isfinite", "isfinite"),
    ("isclose", "isclose"),
    ("ravel", "ravel"),
    ("squeeze", "squeeze"),
    ("kron", "kron"),
    ("cross", "cross"),
    ("sign", "sign"),
    ("floor", "floor"),
    ("ceil", "ceil"),
    ("square", "square"),
    ("tensordot", "tensordot"),
    ("logaddexp", "logaddexp"),
    ("rint", "round"),
    ("fabs", "abs"),
    ("radians", "deg2rad"),
    ("degrees", "rad2deg"),
    ("equal", "eq"),
];

/// Dtypes under NumPy's names.
macro_rules! scalar_types {
    ($($id:ident $name:literal $dtype:ident;)*) => {
        $(static $id: Type = Type {
            name: $name,
            module: "numpy",
            help: "An element type.",
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
    FLOAT16 "float16" Float16;
    INT64 "int64" Int64;
    INT32 "int32" Int32;
    INT16 "int16" Int16;
    INT8 "int8" Int8;
    UINT8 "uint8" Uint8;
    BOOL "bool" Bool;
}

static NDARRAY: Type = Type {
    name: "ndarray",
    module: "numpy",
    help: "An array.",
    includes: |v| matches!(v, Value::Array(_)) || words::is_array(v),
    construct: |_, _, _| raise!(Kind::Type, "ndarray() is not available: use np.array or np.empty"),
    attribute: |_| None,
    exception: None,
    base: None,
};

/// The class of scalars of a type.
pub fn scalar_type(dtype: Dtype) -> Value {
    let found = SCALAR_TYPES.iter().find(|(_, own)| *own == dtype);
    Value::Type(found.map_or(&FLOAT64, |(t, _)| t))
}

/// The class of an array or a NumPy scalar.
pub fn type_of(value: &Value) -> Option<&'static Type> {
    match value {
        Value::Array(_) => Some(&NDARRAY),
        Value::NpScalar(_, d) => SCALAR_TYPES.iter().find(|(_, own)| own == d).map(|(t, _)| *t),
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
    // Those written here hold where both have a name, and the pages of the library before all.
    all.extend(values(BUILTINS));
    all.extend(values(dtype::BUILTINS));
    let paged = vjp_eval::library::prelude::names("numpy");
    all.retain(|(name, _)| !paged.contains(name));
    all.extend(SCALAR_TYPES.iter().map(|(t, _)| (t.name, Value::Type(t))));
    let families = dtype::FAMILIES.iter();
    all.extend(families.map(|(t, _)| (t.name, Value::Type(t))));
    all.push(("dtype", Value::Type(&dtype::DTYPE)));
    for (name, class) in [
        ("double", &FLOAT64),
        ("single", &FLOAT32),
        ("half", &FLOAT16),
        ("intp", &INT64),
        ("long", &INT64),
        ("intc", &INT32),
        ("short", &INT16),
        ("byte", &INT8),
        ("ubyte", &UINT8),
        ("longlong", &INT64),
    ] {
        all.push((name, Value::Type(class)));
    }
    all.push(("int_", Value::Type(&INT64)));
    all.push(("bool_", Value::Type(&BOOL)));
    all.push(("ndarray", Value::Type(&NDARRAY)));
    all.push(("lib", Value::Module(&LIB)));
    all.push(("linalg", Value::Module(&LINALG)));
    all.push(("exceptions", Value::Module(&EXCEPTIONS)));
    all.push(("char", Value::Module(&CHAR)));
    all.push(("strings", Value::Module(&STRINGS)));
    all.push(("random", Value::Module(&RANDOM)));
    all.push(("testing", Value::Module(&TESTING)));
    all.push(("__version__", Value::str("2.4.0")));
    all.push(("newaxis", Value::None));
    all.extend(vjp_python::math::CONSTANTS);
    all
}

fn linalg() -> Vec<(&'static str, Value)> {
    let error = [(
        "LinAlgError",
        vjp_eval::language::exception::classes::exception_class(Kind::ArrayLinAlg),
    )];
    [
        "inv",
        "solve",
        "cond",
        "multi_dot",
        "svdvals",
        "vector_norm",
        "matrix_norm",
        "cross",
        "outer",
        "eigh",
        "eigvalsh",
        "qr",
        "eig",
        "cholesky",
        "pinv",
        "matrix_power",
    ]
    .into_iter()
    .filter_map(|name| {
        let entry = catalogue::entry(name, Forms::LINALG)?;
        Some((name, Value::Builtin(catalogue::builtin(name, entry, Form::Numpy, "numpy.linalg"))))
    })
    .chain(error)
    .chain(values(crate::determinant::BUILTINS))
    .chain([("_svd", "svd"), ("_norm", "norm")].into_iter().filter_map(|(own, name)| {
        let entry = catalogue::entry(name, Forms::LINALG)?;
        let made = catalogue::builtin(name, entry, Form::Numpy, "numpy.linalg");
        Some((own, Value::Builtin(made)))
    }))
    .collect()
}
