//! The modules that only call a function of `torch.nn.functional` with their options.

use crate::nn::{class, functional, module, own, parts, set, this};
use std::rc::Rc;
use vjp_binder::signature::{Accepts, Usual};
use vjp_binder::{Given, signature};
use vjp_eval::display::python::repr;
use vjp_eval::{Args, At, Builtin, Class, Machine, Tried, Value, raise};
use vjp_tensor::Kind;
use vjp_text::Symbol;

/// What the repr says of the options.
#[derive(Clone, Copy, PartialEq)]
enum Shown {
    Nothing,
    /// `name=value`, and `inplace` where it is true.
    Options,
    /// The values alone.
    Values,
}

/// One class: `forward` calls `function` on its inputs with the options as keyword arguments.
struct Row {
    name: &'static str,
    module: &'static str,
    function: &'static str,
    /// Names of the inputs that `forward` takes.
    inputs: &'static [&'static str],
    shown: Shown,
    methods: [Builtin; 3],
}

const INIT: usize = 0;
const FORWARD: usize = 1;

macro_rules! rows {
    ($($name:literal $module:literal $function:literal $options:literal [$($input:literal),*] $shown:ident;)*) => {
        static ROWS: &[Row] = &[$(Row {
            name: $name,
            module: concat!("torch.nn.modules.", $module),
            function: $function,
            inputs: &[$($input),*],
            shown: Shown::$shown,
            methods: [
                Builtin { name: concat!($name, ".__init__"), module: "torch.nn", signature: concat!("(self, ", $options, ")"), help: concat!("F.", $function, " as a module with these options (:help ", $function, ")."), jax: "", run: init },
                Builtin { name: concat!($name, ".forward"), module: "torch.nn", signature: concat!("(self", $(", ", $input,)* ")"), help: concat!("Calls F.", $function, " with the options."), jax: "", run: forward },
                Builtin { name: concat!($name, ".extra_repr"), module: "torch.nn", signature: "(self)", help: "Returns the options for the repr.", jax: "", run: extra_repr },
            ],
        }),*];
    };
}

rows! {
    "Sigmoid" "activation" "sigmoid" "" ["input"] Options;
    "Tanh" "activation" "tanh" "" ["input"] Options;
    "ReLU" "activation" "relu" "bool inplace=False" ["input"] Options;
    "ReLU6" "activation" "relu6" "bool inplace=False" ["input"] Options;
    "LeakyReLU" "activation" "leaky_relu" "float negative_slope=0.01, bool inplace=False" ["input"] Options;
    "ELU" "activation" "elu" "float alpha=1.0, bool inplace=False" ["input"] Options;
    "SELU" "activation" "selu" "bool inplace=False" ["input"] Options;
    "CELU" "activation" "celu" "float alpha=1.0, bool inplace=False" ["input"] Options;
    "GELU" "activation" "gelu" "str approximate='none'" ["input"] Options;
    "SiLU" "activation" "silu" "bool inplace=False" ["input"] Options;
    "Mish" "activation" "mish" "bool inplace=False" ["input"] Options;
    "Softplus" "activation" "softplus" "float beta=1.0, float threshold=20.0" ["input"] Options;
    "Softsign" "activation" "softsign" "" ["input"] Options;
    "Tanhshrink" "activation" "tanhshrink" "" ["input"] Options;
    "LogSigmoid" "activation" "logsigmoid" "" ["input"] Options;
    "Hardtanh" "activation" "hardtanh" "float min_val=-1.0, float max_val=1.0, bool inplace=False" ["input"] Options;
    "Hardsigmoid" "activation" "hardsigmoid" "bool inplace=False" ["input"] Nothing;
    "Hardswish" "activation" "hardswish" "bool inplace=False" ["input"] Nothing;
    "Softshrink" "activation" "softshrink" "float lambd=0.5" ["input"] Values;
    "Hardshrink" "activation" "hardshrink" "float lambd=0.5" ["input"] Values;
    "Threshold" "activation" "threshold" "float threshold, float value, bool inplace=False" ["input"] Options;
    "Softmax" "activation" "softmax" "int dim=None" ["input"] Options;
    "LogSoftmax" "activation" "log_softmax" "int dim=None" ["input"] Options;
    "Softmin" "activation" "softmin" "int dim=None" ["input"] Options;
    "GLU" "activation" "glu" "int dim=-1" ["input"] Options;
    "Flatten" "flatten" "flatten" "int start_dim=1, int end_dim=-1" ["input"] Options;
    "CosineSimilarity" "distance" "cosine_similarity" "int dim=1, float eps=1e-08" ["x1", "x2"] Nothing;
    "PairwiseDistance" "distance" "pairwise_distance" "float p=2.0, float eps=1e-06, bool keepdim=False" ["x1", "x2"] Nothing;
    "_Loss" "loss" "" "size_average=None, reduce=None, str reduction='mean'" [] Nothing;
    "_WeightedLoss" "loss" "" "Tensor weight=None, size_average=None, reduce=None, str reduction='mean'" [] Nothing;
    "MSELoss" "loss" "mse_loss" "size_average=None, reduce=None, str reduction='mean'" ["input", "target"] Nothing;
    "L1Loss" "loss" "l1_loss" "size_average=None, reduce=None, str reduction='mean'" ["input", "target"] Nothing;
    "SmoothL1Loss" "loss" "smooth_l1_loss" "size_average=None, reduce=None, str reduction='mean', float beta=1.0" ["input", "target"] Nothing;
    "HuberLoss" "loss" "huber_loss" "str reduction='mean', float delta=1.0" ["input", "target"] Nothing;
    "CrossEntropyLoss" "loss" "cross_entropy" "Tensor weight=None, size_average=None, int ignore_index=-100, reduce=None, str reduction='mean', float label_smoothing=0.0" ["input", "target"] Nothing;
    "NLLLoss" "loss" "nll_loss" "Tensor weight=None, size_average=None, int ignore_index=-100, reduce=None, str reduction='mean'" ["input", "target"] Nothing;
    "BCELoss" "loss" "binary_cross_entropy" "Tensor weight=None, size_average=None, reduce=None, str reduction='mean'" ["input", "target"] Nothing;
    "BCEWithLogitsLoss" "loss" "binary_cross_entropy_with_logits" "Tensor weight=None, size_average=None, reduce=None, str reduction='mean', Tensor pos_weight=None" ["input", "target"] Nothing;
    "KLDivLoss" "loss" "kl_div" "size_average=None, reduce=None, str reduction='mean', bool log_target=False" ["input", "target"] Nothing;
    "HingeEmbeddingLoss" "loss" "hinge_embedding_loss" "float margin=1.0, size_average=None, reduce=None, str reduction='mean'" ["input", "target"] Nothing;
    "SoftMarginLoss" "loss" "soft_margin_loss" "size_average=None, reduce=None, str reduction='mean'" ["input", "target"] Nothing;
    "CosineEmbeddingLoss" "loss" "cosine_embedding_loss" "float margin=0.0, size_average=None, reduce=None, str reduction='mean'" ["input1", "input2", "target"] Nothing;
    "TripletMarginLoss" "loss" "triplet_margin_loss" "float margin=1.0, float p=2.0, float eps=1e-06, bool swap=False, size_average=None, reduce=None, str reduction='mean'" ["anchor", "positive", "negative"] Nothing;
    "GaussianNLLLoss" "loss" "gaussian_nll_loss" "*, bool full=False, float eps=1e-06, str reduction='mean'" ["input", "target", "var"] Nothing;
    "PoissonNLLLoss" "loss" "poisson_nll_loss" "bool log_input=True, bool full=False, size_average=None, float eps=1e-08, reduce=None, str reduction='mean'" ["log_input", "target"] Nothing;
    "MultiMarginLoss" "loss" "multi_margin_loss" "int p=1, float margin=1.0, Tensor weight=None, size_average=None, reduce=None, str reduction='mean'" ["input", "target"] Nothing;
    "MultiLabelMarginLoss" "loss" "multilabel_margin_loss" "size_average=None, reduce=None, str reduction='mean'" ["input", "target"] Nothing;
    "MultiLabelSoftMarginLoss" "loss" "multilabel_soft_margin_loss" "Tensor weight=None, size_average=None, reduce=None, str reduction='mean'" ["input", "target"] Nothing;
    "MarginRankingLoss" "loss" "margin_ranking_loss" "float margin=0.0, size_average=None, reduce=None, str reduction='mean'" ["input1", "input2", "target"] Nothing;
}

/// The class of every row whose function there is.
pub fn classes() -> Vec<(&'static str, Value)> {
    let mut made: Vec<(&str, Rc<Class>)> = Vec::new();
    for row in ROWS.iter().filter(|row| is_base(row) || functional(row.function).is_ok()) {
        let base = made.iter().find(|(name, _)| Some(*name) == base_of(row));
        let base = base.map_or_else(module::class, |(_, class)| Rc::clone(class));
        let methods = row.methods.iter().enumerate().filter(|(k, _)| *k == INIT || !is_base(row));
        let methods = methods.map(|(_, method)| method);
        made.push((row.name, class(row.name, row.module, Some(base), methods)));
    }
    made.into_iter().map(|(name, class)| (name, Value::Class(class))).collect()
}

/// Whether a class only has others of it.
fn is_base(row: &Row) -> bool {
    row.function.is_empty()
}

fn base_of(row: &Row) -> Option<&'static str> {
    let parsed = signature(row.methods[INIT].signature);
    let weighted = parsed.params.get(1).is_some_and(|p| p.name == "weight");
    match (row.name, weighted) {
        ("_Loss", _) => None,
        ("BCEWithLogitsLoss" | "_WeightedLoss", _) => Some("_Loss"),
        (_, true) => Some("_WeightedLoss"),
        _ => row.module.ends_with(".loss").then_some("_Loss"),
    }
}

/// The function that a class calls, and whether its modules are only such calls.
pub fn function_of(class: &str) -> Option<&'static str> {
    ROWS.iter().find(|row| row.name == class).map(|row| row.function)
}

fn row(args: &Args) -> Tried<&'static Row> {
    let called = |row: &&Row| {
        let is = |b: &Builtin| args.callee.is_some_and(|c| std::ptr::eq(c, b));
        row.methods.iter().any(is)
    };
    match ROWS.iter().find(called) {
        Some(row) => Ok(row),
        None => raise!("{}() has no class", args.name()),
    }
}

/// Names of the options that are kept, with their defaults.
fn options(row: &'static Row) -> Vec<(&'static str, Value)> {
    let parsed = signature(row.methods[INIT].signature);
    parsed
        .params
        .iter()
        .skip(1)
        .filter(|p| !matches!(p.name, "size_average" | "reduce"))
        .map(|p| (p.name, value_of(&p.usual)))
        .collect()
}

fn value_of(usual: &Usual) -> Value {
    match usual {
        Usual::Required | Usual::None | Usual::Ints(_) => Value::None,
        Usual::Bool(b) => Value::Bool(*b),
        Usual::Int(i) => Value::Int(*i),
        Usual::Float(f) => Value::Float(*f),
        Usual::Text(t) => Value::from(t.as_str()),
    }
}

fn init(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (row, this) = (row(&args)?, this(&args)?);
    // `nn.Sigmoid` and its like take anything; they have no options.
    let span = args.site.span;
    let given = Given::read(args, row.methods[INIT].signature, false).at(span)?;
    module::begin(machine, &this)?;
    let parsed = signature(row.methods[INIT].signature);
    for (name, usual) in options(row) {
        let value = given.value(name).unwrap_or(usual);
        // Weights of a loss move and are saved with it.
        if parsed.params.iter().any(|p| p.name == name && p.accepts == Accepts::Tensor) {
            parts::put_buffer(&this, name, value);
            continue;
        }
        if name == "dim"
            && matches!(row.name, "Softmax" | "LogSoftmax")
            && !matches!(value, Value::None | Value::Int(_))
        {
            let class = repr(machine, &vjp_python::types::class_of(&value))?;
            raise!(Kind::Type, "dim must be an int or None, got {class}");
        }
        set(&this, name, value);
    }
    if let (Some(low), Some(high)) = (given.value("min_val"), given.value("max_val"))
        && let (Some(a), Some(b)) = (low.as_float(), high.as_float())
        && a >= b
    {
        let [low, high] = [low, high].map(|v| vjp_eval::display::python::repr(machine, &v));
        raise!(Kind::Assertion, "max_val ({}) must be greater than min_val ({})", high?, low?);
    }
    if let ("TripletMarginLoss", Some(margin)) = (row.name, given.value("margin"))
        && margin.as_float().is_some_and(|v| v <= 0.0)
    {
        let margin = repr(machine, &margin)?;
        raise!(
            Kind::Value,
            "TripletMarginLoss: expected margin to be greater than 0, got {margin} instead"
        );
    }
    // Old spellings of `reduction`.
    let old = |name: &str| given.value(name).filter(|v| !v.is_none());
    if old("reduce").or(old("size_average")).is_some() {
        let mut truth = |name: &str| match old(name) {
            Some(value) => machine.truth(&value).at(span).map_err(|halt| {
                let made = format!("nn.{}()(input, target)", row.name);
                halt.helped(format!("make the loss first, then call it: {made}"))
            }),
            None => Ok(true),
        };
        let average = truth("size_average")?;
        let reduction = match (truth("reduce")?, average) {
            (false, _) => "none",
            (true, false) => "sum",
            (true, true) => "mean",
        };
        vjp_tensor::warnings::warn(format!(
            "size_average and reduce args will be deprecated, please use reduction='{reduction}' instead."
        ));
        set(&this, "reduction", Value::from(reduction));
    }
    Ok(Value::None)
}

fn forward(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (row, this) = (row(&args)?, this(&args)?);
    let site = args.site.clone();
    let given = Given::read(args, row.methods[FORWARD].signature, false).at(site.span)?;
    let inputs = (1..=row.inputs.len()).filter_map(|i| given.raw(i)).collect();
    let mut call = Args::new(inputs, site);
    let function = functional(row.function)?;
    let takes = signature(function.signature);
    for (name, _) in options(row) {
        let value = own(&this, name).filter(|v| !v.is_none());
        if let (Some(value), Some(place)) = (value, takes.place(name)) {
            // Activations hand theirs on by position, which shows in a complaint.
            let by_place = row.module.ends_with(".activation") && !takes.params[place].keyword_only;
            if by_place && place == call.positional.len() {
                call.positional.push(value);
            } else {
                call.named.push((Symbol::new(name), value));
            }
        }
    }
    call.callee = Some(function);
    (function.run)(machine, call)
}

fn extra_repr(machine: &mut Machine, args: Args) -> Tried<Value> {
    let (row, this) = (row(&args)?, this(&args)?);
    let mut parts = Vec::new();
    if row.shown != Shown::Nothing {
        for (name, _) in options(row) {
            let value = own(&this, name).unwrap_or(Value::None);
            let text = match name {
                "inplace" if machine.truth(&value)? => "True".to_owned(),
                "inplace" => continue,
                _ => repr(machine, &value)?,
            };
            parts.push(match row.shown {
                Shown::Values => text,
                _ => format!("{name}={text}"),
            });
        }
    }
    Ok(Value::from(parts.join(", ")))
}
