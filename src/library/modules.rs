//! The modules of PyTorch, and the classes of its values.

use crate::methods;
use std::cell::RefCell;
use std::collections::HashMap;
use vjp_binder::catalogue::{Form, Origin, contents};
use vjp_binder::{device, readers};
use vjp_eval::library::values;
use vjp_eval::values::value::TupleKind;
use vjp_eval::{Args, At, Machine, Module, Tried, Type, Value, raise};
use vjp_numpy::modules as numpy;
use vjp_ops::Forms;
use vjp_tensor::{Dtype, Kind};
use vjp_text::Symbol;
use vjp_torch::nn::{init, parameter, utils};
use vjp_torch::{
    absent, constructors, contexts, functions, generator, legacy_constructors, nn, optim_leaves,
    random, register_hook, saved_hooks, subclasses, tensor_methods,
};
use vjp_transforms::autograd::{function_class, functional, gradcheck};
use vjp_transforms::func::{products, vmap};
use vjp_transforms::{autograd, func};

macro_rules! modules {
    ($($id:ident $name:literal $contents:expr, $help:literal;)*) => {
        $(pub static $id: Module = Module { name: $name, help: $help, contents: $contents };)*
        static ALL: &[&Module] = &[$(&$id),*];
    };
}

modules! {
    TORCH "torch" torch, "Tensors, their functions and their derivatives.";
    AUTOGRAD "torch.autograd" of_autograd, "Automatic differentiation of graphs.";
    FUNCTIONAL "torch.autograd.functional" || values(functional::FUNCTIONAL), "Derivatives of functions at a point.";
    GRADCHECK "torch.autograd.gradcheck" gradcheck::contents, "Gradient checks by finite differences.";
    FUNCTIONS "torch.autograd.function" || vec![("Function", function_class::value())], "Custom operations with their own backward.";
    GRAPH "torch.autograd.graph" of_graph, "Hooks for what operations keep for backward.";
    FUNC "torch.func" of_func, "Transforms of functions: grad, vjp, jvp, jacrev, hessian, vmap.";
    NN "torch.nn" of_nn, "Layers and losses of neural networks.";
    UTILS "torch.utils" || vec![("data", Value::Module(&DATA)), ("checkpoint", Value::Module(&CHECKPOINT)), ("_pytree", Value::Module(&PYTREE)), ("hooks", Value::Module(&HOOKS))], "Data loading and checkpointing.";
    DATA "torch.utils.data" Vec::new, "Data sets and batches.";
    CHECKPOINT "torch.utils.checkpoint" Vec::new, "Checkpointing: recomputing instead of storing.";
    JIT "torch.jit" Vec::new, "TorchScript: functions and modules run as they are.";
    SWA_UTILS "torch.optim.swa_utils" Vec::new, "Averages of weights.";
    PARAMETRIZE "torch.nn.utils.parametrize" Vec::new, "Parameters that are computed from others.";
    PARAMETRIZATIONS "torch.nn.utils.parametrizations" Vec::new, "Parameters with a norm, orthogonal parameters.";
    PRUNE "torch.nn.utils.prune" Vec::new, "Parameters with elements that are held at 0.";
    TESTING "torch.testing" Vec::new, "Whether values are close.";
    FORWARD_AD "torch.autograd.forward_ad" || values(products::FORWARD_AD), "Tensors with tangents.";
    PROFILER "torch.profiler" Vec::new, "Profilers (they measure nothing).";
    AUTOGRAD_PROFILER "torch.autograd.profiler" Vec::new, "Profilers (they measure nothing).";
    COMPILER "torch.compiler" Vec::new, "The compiler (there is none).";
    ACCELERATOR "torch.accelerator" Vec::new, "Accelerators (none available).";
    CUDA "torch.cuda" || vec![("amp", Value::Module(&CUDA_AMP))], "CUDA devices (none available).";
    C "torch._C" || values(subclasses::OF_C), "What classes of tensors are built on.";
    BACKENDS "torch.backends" Vec::new, "Backend libraries (not available).";
    VERSION "torch.version" || vec![("__version__", Value::str("2.15.0")), ("cuda", Value::None), ("hip", Value::None), ("debug", Value::Bool(false))], "Which PyTorch this follows.";
    AMP "torch.amp" Vec::new, "Mixed precision (of devices that are not there).";
    CUDA_AMP "torch.cuda.amp" || all_of(&AMP), "Mixed precision (of devices that are not there).";
    RANDOM "torch.random" of_random, "Random numbers.";
    NN_INIT "torch.nn.init" || values(init::BUILTINS), "Initial values of parameters.";
    NN_UTILS "torch.nn.utils" || values(utils::BUILTINS), "Gradient clipping and parametrisations.";
    F "torch.nn.functional" functional, "Functions of neural networks: activations, layers and losses.";
    LINALG "torch.linalg" of_linalg, "Linear algebra.";
    SPECIAL "torch.special" || contents(Forms::SPECIAL, Form::Function, "torch.special"), "Special functions.";
    LR_SCHEDULER "torch.optim.lr_scheduler" Vec::new, "Learning rate schedules.";
    OPTIMIZER "torch.optim.optimizer" vjp_torch::optim_leaves::base, "The base class of optimisers.";
    OPTIM "torch.optim" of_optim, "Optimisers.";
    DISTRIBUTIONS "torch.distributions" || vec![("constraints", Value::Module(&CONSTRAINTS)), ("transforms", Value::Module(&TRANSFORMS))], "Probability distributions.";
    TRANSFORMS "torch.distributions.transforms" Vec::new, "Invertible functions of random numbers.";
    CONSTRAINTS "torch.distributions.constraints" Vec::new, "Where parameters and values of distributions may lie.";
    SPARSE "torch.sparse" Vec::new, "Matrices of which only the elements that are not 0 are kept.";
    ATTENTION "torch.nn.attention" Vec::new, "Ways to compute attention (there is one).";
    NN_HOOKS "torch.nn._hooks" Vec::new, "What runs before and after modules.";
    HOOKS "torch.utils.hooks" || values(register_hook::BUILTINS), "The handles of hooks.";
    PYTREE "torch.utils._pytree" Vec::new, "Values nested in lists, tuples and dicts.";
    NN_RNN "torch.nn.utils.rnn" Vec::new, "Sequences of several lengths.";
    NN_TUPLES "torch.nn.modules.utils" Vec::new, "Numbers as tuples.";
    NN_PARAMETER "torch.nn.parameter" of_parameter, "Parameters.";
    PICKLE "pickle" Vec::new, "Values in streams, and copies of them.";
    IPYTHON "IPython" Vec::new, "What notebooks call between their lines.";
    DISPLAY "IPython.display" Vec::new, "Values that are displayed: printed.";
    INLINE "matplotlib_inline" Vec::new, "How notebooks show plots (no effect).";
    FORMATS "matplotlib_inline.backend_inline" Vec::new, "How notebooks show plots (no effect).";
    CM "matplotlib.cm" Vec::new, "Maps of colours (no effect).";
    COLORS "matplotlib.colors" Vec::new, "Colours (no effect).";
    TICKER "matplotlib.ticker" Vec::new, "Ticks of axes (no effect).";
    PATCHES "matplotlib.patches" Vec::new, "Shapes (not drawn).";
    LINES "matplotlib.lines" Vec::new, "Looks of lines (no effect).";
    SEABORN "seaborn" Vec::new, "Styles of plots (no effect), and plots of arrays.";
}

macro_rules! addresses {
    ($($name:literal $home:ident;)*) => {
        static ADDRESSES: &[&Module] = &[$(&Module {
            name: $name,
            help: $home.help,
            contents: || all_of(&$home),
        }),*];
    };
}

// Other names of modules: the files in which PyTorch keeps their classes.
addresses! {
    "torch.distributions.bernoulli" DISTRIBUTIONS;
    "torch.distributions.beta" DISTRIBUTIONS;
    "torch.distributions.binomial" DISTRIBUTIONS;
    "torch.distributions.categorical" DISTRIBUTIONS;
    "torch.distributions.cauchy" DISTRIBUTIONS;
    "torch.distributions.chi2" DISTRIBUTIONS;
    "torch.distributions.constraint_registry" DISTRIBUTIONS;
    "torch.distributions.continuous_bernoulli" DISTRIBUTIONS;
    "torch.distributions.dirichlet" DISTRIBUTIONS;
    "torch.distributions.distribution" DISTRIBUTIONS;
    "torch.distributions.exp_family" DISTRIBUTIONS;
    "torch.distributions.exponential" DISTRIBUTIONS;
    "torch.distributions.fishersnedecor" DISTRIBUTIONS;
    "torch.distributions.gamma" DISTRIBUTIONS;
    "torch.distributions.generalized_pareto" DISTRIBUTIONS;
    "torch.distributions.geometric" DISTRIBUTIONS;
    "torch.distributions.gumbel" DISTRIBUTIONS;
    "torch.distributions.half_cauchy" DISTRIBUTIONS;
    "torch.distributions.half_normal" DISTRIBUTIONS;
    "torch.distributions.independent" DISTRIBUTIONS;
    "torch.distributions.inverse_gamma" DISTRIBUTIONS;
    "torch.distributions.kl" DISTRIBUTIONS;
    "torch.distributions.kumaraswamy" DISTRIBUTIONS;
    "torch.distributions.laplace" DISTRIBUTIONS;
    "torch.distributions.lkj_cholesky" DISTRIBUTIONS;
    "torch.distributions.log_normal" DISTRIBUTIONS;
    "torch.distributions.logistic_normal" DISTRIBUTIONS;
    "torch.distributions.lowrank_multivariate_normal" DISTRIBUTIONS;
    "torch.distributions.mixture_same_family" DISTRIBUTIONS;
    "torch.distributions.multinomial" DISTRIBUTIONS;
    "torch.distributions.multivariate_normal" DISTRIBUTIONS;
    "torch.distributions.negative_binomial" DISTRIBUTIONS;
    "torch.distributions.normal" DISTRIBUTIONS;
    "torch.distributions.one_hot_categorical" DISTRIBUTIONS;
    "torch.distributions.pareto" DISTRIBUTIONS;
    "torch.distributions.poisson" DISTRIBUTIONS;
    "torch.distributions.relaxed_bernoulli" DISTRIBUTIONS;
    "torch.distributions.relaxed_categorical" DISTRIBUTIONS;
    "torch.distributions.studentT" DISTRIBUTIONS;
    "torch.distributions.transformed_distribution" DISTRIBUTIONS;
    "torch.distributions.uniform" DISTRIBUTIONS;
    "torch.distributions.utils" DISTRIBUTIONS;
    "torch.distributions.von_mises" DISTRIBUTIONS;
    "torch.distributions.weibull" DISTRIBUTIONS;
    "torch.distributions.wishart" DISTRIBUTIONS;
    "torch.autograd.anomaly_mode" AUTOGRAD;
    "torch.autograd.grad_mode" AUTOGRAD;
    "torch.autograd.variable" AUTOGRAD;
    "torch.functional" TORCH;
    "torch.nn.utils.stateless" FUNC;
    "torch.nn.modules" NN;
    "torch.nn.modules.activation" NN;
    "torch.nn.modules.batchnorm" NN;
    "torch.nn.modules.container" NN;
    "torch.nn.modules.conv" NN;
    "torch.nn.modules.dropout" NN;
    "torch.nn.modules.linear" NN;
    "torch.nn.modules.loss" NN;
    "torch.nn.modules.module" NN;
    "torch.nn.modules.normalization" NN;
    "torch.nn.modules.pooling" NN;
    "torch.nn.modules.rnn" NN;
    "torch.nn.modules.sparse" NN;
    "torch.nn.modules.transformer" NN;
    "torch.optim.adam" OPTIM;
    "torch.optim.adamw" OPTIM;
    "torch.optim.sgd" OPTIM;
    "torch.utils.data.dataloader" DATA;
    "torch.utils.data.dataset" DATA;
    "torch.utils.data.sampler" DATA;
}

/// All that a module has.
fn all_of(home: &'static Module) -> Vec<(&'static str, Value)> {
    let names = home.names().into_iter();
    names.filter_map(|name| Some((name, home.get(Symbol::new(name))?))).collect()
}

/// Every module that can be imported, besides `math`.
pub fn all() -> Vec<&'static Module> {
    ALL.iter().chain(ADDRESSES).copied().chain(numpy::modules()).collect()
}

/// Methods that write in place and are functions of `torch` too.
const IN_PLACE: &[&str] = &[
    "abs_",
    "acos_",
    "acosh_",
    "addmv_",
    "arccos_",
    "arccosh_",
    "arcsin_",
    "arcsinh_",
    "arctan_",
    "arctanh_",
    "as_strided_",
    "asin_",
    "asinh_",
    "atan_",
    "atanh_",
    "ceil_",
    "clamp_",
    "clamp_max_",
    "clamp_min_",
    "clip_",
    "cos_",
    "cosh_",
    "deg2rad_",
    "detach_",
    "erf_",
    "erfc_",
    "exp2_",
    "exp_",
    "expm1_",
    "fill_",
    "fix_",
    "floor_",
    "frac_",
    "gcd_",
    "i0_",
    "index_put_",
    "lcm_",
    "ldexp_",
    "log10_",
    "log1p_",
    "log2_",
    "log_",
    "logit_",
    "nan_to_num_",
    "neg_",
    "negative_",
    "rad2deg_",
    "reciprocal_",
    "round_",
    "rsqrt_",
    "sigmoid_",
    "sin_",
    "sinc_",
    "sinh_",
    "sqrt_",
    "square_",
    "tan_",
    "tanh_",
    "trunc_",
    "xlogy_",
    "zero_",
];

/// Activations that also stand with `_`, where they write in place.
const ACTIVATIONS_IN_PLACE: &[&str] =
    &["celu", "elu", "hardtanh", "leaky_relu", "relu", "rrelu", "selu", "threshold"];

/// The same of `torch` alone.
const DROPOUTS_IN_PLACE: &[&str] =
    &["alpha_dropout", "dropout", "feature_alpha_dropout", "feature_dropout"];

fn in_place(
    names: &[&'static str],
    form: Forms,
    module: &'static str,
) -> Vec<(&'static str, Value)> {
    let made = |name: &&'static str| {
        let entry = vjp_binder::catalogue::entry(name, form)?;
        let name = Symbol::new(&format!("{name}_")).as_str();
        let function = vjp_binder::catalogue::builtin(name, entry, Form::InPlace, module);
        Some((name, Value::Builtin(function)))
    };
    names.iter().filter_map(made).collect()
}

fn functional() -> Vec<(&'static str, Value)> {
    const NAME: &str = "torch.nn.functional";
    let mut all = contents(Forms::F, Form::Function, NAME);
    all.extend(in_place(ACTIVATIONS_IN_PLACE, Forms::F, NAME));
    all
}

fn torch() -> Vec<(&'static str, Value)> {
    let mut all = contents(Forms::TORCH, Form::Function, "torch");
    for table in [
        constructors::BUILTINS,
        functions::BUILTINS,
        contexts::BUILTINS,
        random::BUILTINS,
        absent::BUILTINS,
    ] {
        all.extend(values(table));
    }
    all.extend(values(tensor_methods::FUNCTIONS));
    all.extend(in_place(ACTIVATIONS_IN_PLACE, Forms::TORCH, "torch"));
    all.extend(in_place(DROPOUTS_IN_PLACE, Forms::TORCH, "torch"));
    for name in IN_PLACE {
        let Some(method) = methods::method(name) else { continue };
        let function = match vjp_binder::catalogue::origin(method) {
            Some(Origin { entry, form }) => {
                vjp_binder::catalogue::builtin(name, entry, form, "torch")
            }
            None => method,
        };
        all.push((*name, Value::Builtin(function)));
    }
    all.extend(readers::NAMES.iter().map(|(n, d)| (*n, Value::Dtype(*d))));
    all.extend(TENSOR_TYPES.iter().map(|t| (t.name, Value::Type(t))));
    all.push(("Size", Value::Type(&SIZE)));
    all.push(("dtype", Value::Type(&DTYPE)));
    all.push(("vmap", Value::Builtin(vmap::VMAP)));
    for (name, module) in [
        ("autograd", &AUTOGRAD),
        ("func", &FUNC),
        ("nn", &NN),
        ("linalg", &LINALG),
        ("special", &SPECIAL),
        ("optim", &OPTIM),
        ("random", &RANDOM),
        ("utils", &UTILS),
        ("jit", &JIT),
        ("version", &VERSION),
        ("amp", &AMP),
        ("cuda", &CUDA),
        ("backends", &BACKENDS),
        ("distributions", &DISTRIBUTIONS),
        ("sparse", &SPARSE),
    ] {
        all.push((name, Value::Module(module)));
    }
    all.extend(vjp_python::math::CONSTANTS);
    all.push(("device", Value::Type(&device::DEVICE)));
    all.push(("Generator", Value::Type(&generator::GENERATOR)));
    all.push(("default_generator", generator::default()));
    all.push(("newaxis", Value::None));
    all.push(("__version__", Value::str("2.15.0")));
    all
}

fn of_linalg() -> Vec<(&'static str, Value)> {
    let mut all = contents(Forms::LINALG, Form::Function, "torch.linalg");
    all.extend([(
        "LinAlgError",
        vjp_eval::language::exception::classes::exception_class(Kind::LinAlg),
    )]);
    all
}

fn of_autograd() -> Vec<(&'static str, Value)> {
    let mut all = vec![
        ("grad", Value::Builtin(&autograd::GRAD)),
        ("functional", Value::Module(&FUNCTIONAL)),
        ("function", Value::Module(&FUNCTIONS)),
        ("graph", Value::Module(&GRAPH)),
        ("Variable", Value::Type(&VARIABLE)),
        ("Function", function_class::value()),
    ];
    all.extend(values(functions::AUTOGRAD));
    all.extend(values(contexts::BUILTINS));
    all.extend(values(gradcheck::BUILTINS));
    all
}

fn of_graph() -> Vec<(&'static str, Value)> {
    let mut all = values(saved_hooks::BUILTINS);
    all.extend(values(vjp_torch::grad_fn::BUILTINS));
    all.push(("Node", Value::Type(&NODE)));
    all
}

fn of_random() -> Vec<(&'static str, Value)> {
    let names = ["manual_seed", "seed", "initial_seed", "get_rng_state", "set_rng_state"];
    let mut all = values(generator::RANDOM);
    all.extend(values(random::BUILTINS).into_iter().filter(|(n, _)| names.contains(n)));
    all.push(("default_generator", generator::default()));
    all
}

fn of_nn() -> Vec<(&'static str, Value)> {
    let inner = [
        ("functional", &F),
        ("init", &NN_INIT),
        ("utils", &NN_UTILS),
        ("parameter", &NN_PARAMETER),
        ("attention", &ATTENTION),
    ];
    let inner = inner.into_iter().map(|(name, module)| (name, Value::Module(module)));
    inner.chain(nn::contents()).collect()
}

fn of_parameter() -> Vec<(&'static str, Value)> {
    let classes = [&parameter::PARAMETER, &parameter::UNINITIALIZED];
    classes.into_iter().map(|class| (class.name, Value::Type(class))).collect()
}

fn of_optim() -> Vec<(&'static str, Value)> {
    let own = values(optim_leaves::BUILTINS);
    own.into_iter().chain([("lr_scheduler", Value::Module(&LR_SCHEDULER))]).collect()
}

fn of_func() -> Vec<(&'static str, Value)> {
    let mut all = values(func::BUILTINS);
    all.push(("vmap", Value::Builtin(vmap::VMAP)));
    all
}

/// A tensor, or one that knows its structure.
fn is_tensor(v: &Value) -> bool {
    match v {
        Value::Tensor(_) => true,
        other => vjp_transforms::jacobian::structured::of(other).is_some(),
    }
}

macro_rules! classes {
    ($($id:ident $name:literal $module:literal $construct:expr, $includes:expr, $help:literal;)*) => {
        $(static $id: Type = Type {
            name: $name,
            module: $module,
            help: $help,
            includes: $includes,
            construct: $construct,
            attribute: |name| class_attribute($name, name),
            exception: None,
            base: None,
        };)*
    };
}

classes! {
    TENSOR "Tensor" "torch" |m, _, a| legacy_constructors::construct(m, a, None), |v| is_tensor(v), "A tensor; torch.Tensor(2, 3) makes one with that shape.";
    DOUBLE_TENSOR "DoubleTensor" "torch" |m, _, a| legacy_constructors::construct(m, a, Some(Dtype::Float64)), |v| is_of(v, Dtype::Float64), "A float64 tensor.";
    FLOAT_TENSOR "FloatTensor" "torch" |m, _, a| legacy_constructors::construct(m, a, Some(Dtype::Float32)), |v| is_of(v, Dtype::Float32), "A float32 tensor.";
    LONG_TENSOR "LongTensor" "torch" |m, _, a| legacy_constructors::construct(m, a, Some(Dtype::Int64)), |v| is_of(v, Dtype::Int64), "An int64 tensor.";
    INT_TENSOR "IntTensor" "torch" |m, _, a| legacy_constructors::construct(m, a, Some(Dtype::Int32)), |v| is_of(v, Dtype::Int32), "An int32 tensor.";
    SHORT_TENSOR "ShortTensor" "torch" |m, _, a| legacy_constructors::construct(m, a, Some(Dtype::Int16)), |v| is_of(v, Dtype::Int16), "An int16 tensor.";
    CHAR_TENSOR "CharTensor" "torch" |m, _, a| legacy_constructors::construct(m, a, Some(Dtype::Int8)), |v| is_of(v, Dtype::Int8), "An int8 tensor.";
    BYTE_TENSOR "ByteTensor" "torch" |m, _, a| legacy_constructors::construct(m, a, Some(Dtype::Uint8)), |v| is_of(v, Dtype::Uint8), "A uint8 tensor.";
    HALF_TENSOR "HalfTensor" "torch" |m, _, a| legacy_constructors::construct(m, a, Some(Dtype::Float16)), |v| is_of(v, Dtype::Float16), "A float16 tensor.";
    BFLOAT16_TENSOR "BFloat16Tensor" "torch" |m, _, a| legacy_constructors::construct(m, a, Some(Dtype::Bfloat16)), |v| is_of(v, Dtype::Bfloat16), "A bfloat16 tensor.";
    BOOL_TENSOR "BoolTensor" "torch" |m, _, a| legacy_constructors::construct(m, a, Some(Dtype::Bool)), |v| is_of(v, Dtype::Bool), "A bool tensor.";
    VARIABLE "Variable" "torch.autograd" variable, |v| matches!(v, Value::Tensor(_)), "The old name of a tensor: Variable(data, requires_grad=True).";
    NODE "Node" "torch.autograd.graph" refused, |v| vjp_torch::grad_fn::is_node(v), "An operation of the graph: y.grad_fn.";
    SIZE "Size" "torch" size, |v| matches!(v, Value::Tuple(t) if t.kind == TupleKind::Size), "A shape.";
    DTYPE "dtype" "torch" refused, |v| matches!(v, Value::Dtype(_)), "An element type.";
}

static TENSOR_TYPES: &[&Type] = &[
    &TENSOR,
    &DOUBLE_TENSOR,
    &FLOAT_TENSOR,
    &LONG_TENSOR,
    &INT_TENSOR,
    &SHORT_TENSOR,
    &CHAR_TENSOR,
    &BYTE_TENSOR,
    &HALF_TENSOR,
    &BFLOAT16_TENSOR,
    &BOOL_TENSOR,
];

fn is_of(value: &Value, dtype: Dtype) -> bool {
    matches!(value, Value::Tensor(t) if t.dtype() == dtype)
}

/// `torch.Tensor.sum` is the method as a function.
fn class_attribute(class: &str, name: &str) -> Option<Value> {
    if !class.ends_with("Tensor") {
        return None;
    }
    crate::methods::method(name).map(Value::Builtin)
}

fn refused(_: &mut Machine, class: &'static Type, _: Args) -> Tried<Value> {
    raise!(Kind::Type, "cannot create '{}.{}' instances", class.module, class.name)
}

fn variable(machine: &mut Machine, _: &'static Type, mut args: Args) -> Tried<Value> {
    let span = args.site.span;
    let flag = match args.take("requires_grad") {
        Some(flag) => machine.truth(&flag)?,
        None => false,
    };
    match args.positional.first() {
        Some(Value::Tensor(t)) => {
            let new = t.detach();
            if flag {
                new.set_requires_grad(true).at(span)?;
            }
            Ok(Value::Tensor(new))
        }
        Some(other) => raise!(
            Kind::Type,
            "Variable data has to be a tensor, but got {}",
            vjp_eval::name_of(other)
        ),
        None => raise!(Kind::Type, "Variable() missing 1 required positional argument: 'data'"),
    }
}

fn size(machine: &mut Machine, _: &'static Type, args: Args) -> Tried<Value> {
    if !args.named.is_empty() {
        raise!(Kind::Type, "tuple() takes no keyword arguments");
    }
    let items = match args.positional.as_slice() {
        [] => Vec::new(),
        [one] => machine.collect(one)?,
        many => raise!(Kind::Type, "tuple expected at most 1 argument, got {}", many.len()),
    };
    vjp_eval::language::operators::size_of(items)
}

/// The class of a tensor, an array or another value of the library: `torch.Tensor`.
pub fn type_of(value: &Value) -> Option<&'static Type> {
    match value {
        Value::Tensor(t) if t.is_uninitialized() => Some(&parameter::UNINITIALIZED),
        Value::Tensor(t) if t.is_parameter() => Some(&parameter::PARAMETER),
        Value::Tensor(_) => Some(&TENSOR),
        Value::Dtype(_) => Some(&DTYPE),
        Value::Type(t) if std::ptr::eq(*t, &raw const TENSOR) => {
            Some(named("torch._C._TensorMeta".to_owned(), None))
        }
        Value::Object(_) if (device::DEVICE.includes)(value) => Some(&device::DEVICE),
        Value::Tuple(t) if t.kind == TupleKind::Size => Some(&SIZE),
        Value::Array(_) | Value::NpScalar(..) => numpy::type_of(value),
        Value::Object(_) if vjp_transforms::jacobian::structured::of(value).is_some() => {
            Some(&TENSOR)
        }
        Value::Object(o) if vjp_torch::grad_fn::is_node(value) => {
            let whole = match o.type_name() {
                own if own.ends_with("Backward") => format!("torch.autograd.function.{own}"),
                made => format!("builtins.{made}"),
            };
            Some(named(whole, Some(&NODE)))
        }
        Value::Object(o) => Some(named(o.type_name(), None)),
        Value::Tuple(t) => match &t.kind {
            TupleKind::Named(full, _) => Some(named((*full).to_owned(), None)),
            _ => None,
        },
        _ => None,
    }
}

/// A class of which a program needs only the name; made once.
fn named(name: String, base: Option<&'static Type>) -> &'static Type {
    thread_local! {
        static MADE: RefCell<HashMap<String, &'static Type>> = RefCell::default();
    }
    MADE.with_borrow_mut(|made| {
        *made.entry(name.clone()).or_insert_with(|| {
            let (module, short) = name.rsplit_once('.').unwrap_or(("", &name));
            Box::leak(Box::new(Type {
                name: Box::leak(short.to_owned().into_boxed_str()),
                module: Box::leak(module.to_owned().into_boxed_str()),
                help: "",
                includes: |_| false,
                construct: refused,
                attribute: |_| None,
                exception: None,
                base,
            }))
        })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use vjp_eval::language::machine::Hints;
    use vjp_eval::{Event, Manner, Options};
    use vjp_text::Source;

    /// Runs as typed at the prompt; what it echoed, or the error.
    fn typed(text: &str) -> Result<usize, String> {
        let mut machine = crate::machine(Options::default(), &Hints::NONE);
        let (mut shown, mut error) = (0, None);
        let _ = machine.run(&Source::new(text), Manner::Line, &mut |event| match event {
            Event::Value(_) => shown += 1,
            Event::Error(fault) => error = Some(fault.message.clone()),
            _ => {}
        });
        match error {
            Some(e) => Err(e),
            None => Ok(shown),
        }
    }

    #[test]
    fn every_example_shows_something() {
        let mut bad = Vec::new();
        for entry in vjp_catalogue::catalogue() {
            match typed(entry.example) {
                Ok(0) => bad.push(format!("{}: {} shows nothing", entry.name, entry.example)),
                Ok(_) => {}
                Err(e) => bad.push(format!("{}: {}: {e}", entry.name, entry.example)),
            }
        }
        assert!(bad.is_empty(), "{} bad:\n{}", bad.len(), bad.join("\n"));
    }
}
