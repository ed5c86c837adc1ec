//! Attributes and methods of tensors, arrays and NumPy scalars: the catalogue's and those that are
//! no mathematics.

use crate::own_attributes;
use std::cell::RefCell;
use vjp_binder::catalogue;
use vjp_binder::catalogue::Form;
use vjp_binder::results::bound;
use vjp_eval::library::prelude;
use vjp_eval::{Builtin, Halt, Machine, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_numpy::arrays;
use vjp_ops::{Bound, Forms};
use vjp_tensor::warnings::{warn, warn_once};
use vjp_tensor::{Complaint, Dtype, Kind, Outcome, mixed_dtypes, torch_messages};
use vjp_text::{QuickMap, Symbol};
use vjp_torch::{grad_fn, tensor_methods};

/// Attribute `name` of a `Tensor`, `Array`, `NpScalar` or `Dtype`; None where it has none.
pub fn attribute(machine: &mut Machine, this: &Value, name: Symbol) -> Tried<Option<Value>> {
    let symbol = name;
    let name = name.as_str();
    match this {
        Value::Tensor(t) => {
            if let Some(value) = vjp_transforms::jacobian::structured::attribute(machine, t, name)?
            {
                return Ok(Some(value));
            }
            match member(symbol) {
                Member::Property => property(machine, t, name),
                Member::Method(method) => {
                    let own = own_attributes::get(machine, t, symbol);
                    Ok(Some(own.unwrap_or_else(|| bound(this, method))))
                }
                Member::Computed => match computed(machine, t, name)? {
                    None => Ok(own_attributes::get(machine, t, symbol)),
                    found => Ok(found),
                },
            }
        }
        Value::Array(_) | Value::NpScalar(..) => arrays::attribute(machine, this, name),
        Value::Dtype(d) => Ok(match name {
            "is_floating_point" => Some(Value::Bool(d.is_float())),
            "itemsize" => Some(Value::Int(d.size() as i64)),
            "is_complex" => Some(Value::Bool(false)),
            "is_signed" => Some(Value::Bool(!matches!(d, Dtype::Bool | Dtype::Uint8))),
            "name" => Some(Value::str(d.name())),
            _ => None,
        }),
        Value::Builtin(f) => Ok(vjp_numpy::ufuncs::method(f, name)),
        _ => Ok(None),
    }
}

/// What a name is to tensors.
#[derive(Clone, Copy)]
enum Member {
    Property,
    Method(&'static Builtin),
    /// An operation without arguments, or nothing.
    Computed,
}

/// Looked up once for each name.
fn member(name: Symbol) -> Member {
    thread_local! {
        static KNOWN: RefCell<QuickMap<Symbol, Member>> = RefCell::default();
    }
    if let Some(known) = KNOWN.with_borrow(|k| k.get(&name).copied()) {
        return known;
    }
    let text = name.as_str();
    let found = match method(text) {
        _ if PROPERTIES.iter().any(|(n, _)| *n == text) || UNLISTED.contains(&text) => {
            Member::Property
        }
        Some(method) => Member::Method(method),
        None => Member::Computed,
    };
    KNOWN.with_borrow_mut(|k| k.insert(name, found));
    found
}

/// The method of tensors of that name, where no property has it.
pub fn of_tensors(name: Symbol) -> Option<&'static Builtin> {
    match member(name) {
        Member::Method(method) => Some(method),
        _ => None,
    }
}

/// A method of a plain number: an operation of mathematics, as functions of the number have it.
pub fn of_number(owner: &Value, name: Symbol) -> Option<Value> {
    let method = of_tensors(name).filter(|b| catalogue::origin(b).is_some())?;
    Some(bound(&Value::Tensor(vjp_binder::readers::number(owner)?), method))
}

/// The method of tensors that is called so.
pub fn method(name: &str) -> Option<&'static Builtin> {
    if let Some(own) = own_methods().find(|b| b.name == name) {
        return Some(own);
    }
    let kept = Symbol::new(name).as_str();
    if let Some(entry) = catalogue::entry(name, Forms::METHOD) {
        return Some(catalogue::builtin(kept, entry, Form::Method, "Tensor"));
    }
    let plain = name.strip_suffix('_')?;
    let entry = catalogue::entry(plain, Forms::INPLACE)?;
    Some(catalogue::builtin(kept, entry, Form::InPlace, "Tensor"))
}

/// Methods that are not operations of the catalogue.
fn own_methods() -> impl Iterator<Item = &'static Builtin> {
    let draws = ["bernoulli", "multinomial"];
    let draws = vjp_torch::random::BUILTINS.iter().filter(move |b| draws.contains(&b.name));
    let inherited = vjp_torch::subclasses::METHODS;
    tensor_methods::BUILTINS
        .iter()
        .chain(inherited)
        .chain(vjp_torch::random_fill::METHODS)
        .chain(draws)
}

/// Names of all attributes and methods of tensors, for completion and `dir`.
pub fn names() -> Vec<&'static str> {
    let own = own_methods().map(|b| b.name).filter(|n| !n.starts_with('_'));
    let mut all: Vec<&'static str> = own.chain(PROPERTIES.iter().map(|(n, _)| *n)).collect();
    for e in vjp_catalogue::catalogue() {
        all.extend(e.names(Forms::METHOD).chain(e.names(Forms::ATTRIBUTE)));
        let in_place = e.names(Forms::INPLACE);
        all.extend(in_place.map(|n| Symbol::new(&format!("{n}_")).as_str()));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Attributes of tensors that are not operations, and what they say.
pub const PROPERTIES: &[(&str, &str)] = &[
    ("shape", "the shape"),
    ("dtype", "the type of the elements"),
    ("ndim", "how many dimensions"),
    ("device", "the device: the CPU"),
    ("requires_grad", "whether operations on it are recorded"),
    ("is_leaf", "whether it is a leaf: created, not computed"),
    ("grad", "the gradient accumulated so far, or None"),
    ("grad_fn", "the operation that computed it"),
    ("data", "its values without the history"),
    ("retains_grad", "whether a computed tensor stores .grad"),
    ("names", "the names of the dimensions"),
    ("layout", "the memory layout"),
    ("_version", "how often it was modified in place"),
    ("_base", "the tensor it is a view of, or None"),
    ("is_cuda", "False: vjp runs on the CPU"),
    ("itemsize", "bytes per element"),
    ("nbytes", "total bytes"),
    ("output_nr", "its output number in grad_fn"),
];

/// Properties that completion does not offer.
const UNLISTED: &[&str] = &["__dict__", "is_cpu", "is_sparse", "is_quantized", "is_mps", "real"];

fn property(machine: &mut Machine, t: &Variable, name: &str) -> Tried<Option<Value>> {
    // Asked itself, a number tells of its graph; PyTorch's tensors made from it do not.
    let shows = t.shows() || t.is_number();
    Ok(Some(match name {
        "shape" if t.is_uninitialized() => raise!(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the parameters before accessing their attributes."
        ),
        "shape" => Value::size(&t.shape()),
        "dtype" => Value::Dtype(t.dtype()),
        "ndim" => Value::Int(t.rank() as i64),
        "requires_grad" => Value::Bool(t.requires_grad() && shows),
        "is_leaf" => {
            t.check_history()?;
            Value::Bool(t.is_leaf() || !shows)
        }
        "retains_grad" => Value::Bool(t.retains_grad()),
        "grad" => match t.grad() {
            Some(g) => {
                vjp_maths::observe::value_reads::lost();
                Value::Tensor(g)
            }
            None => {
                if machine.strict() && !t.is_leaf() && !t.retains_grad() {
                    warn(
                        "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information.",
                    );
                }
                machine.read_no_grad(t);
                Value::None
            }
        },
        "grad_fn" => {
            t.check_history()?;
            grad_fn::grad_fn(t)
        }
        "data" => Value::Tensor(t.data()),
        "__dict__" => own_attributes::all_of(machine, t)?,
        "_version" if t.is_inference() => {
            raise!("Inference tensors do not track version counter.")
        }
        "_version" => Value::Int(i64::from(t.version())),
        "_base" => t.base().map_or(Value::None, Value::Tensor),
        "device" => vjp_binder::device::cpu(),
        "is_cpu" => Value::Bool(true),
        "is_cuda" | "is_sparse" | "is_quantized" | "is_mps" => Value::Bool(false),
        "layout" => return Ok(prelude::get("torch", Symbol::new("strided"))),
        "itemsize" => Value::Int(t.dtype().size() as i64),
        "nbytes" => Value::Int((t.dtype().size() * t.numel()) as i64),
        "output_nr" => Value::Int(t.output() as i64),
        "real" => Value::Tensor(t.clone()),
        _ => return Ok(None),
    }))
}

/// Of what is no matrix, PyTorch would rather not have a transpose.
fn warn_of_transposing(name: &str, rank: usize) {
    match (name, rank) {
        ("T" | "mT", 0) => warn_once(format!(
            "Tensor.{name} is deprecated on 0-D tensors. This function is the identity in these cases."
        )),
        ("H" | "mH", 0) => warn_once(format!(
            "Tensor.{name} is deprecated on 0-D tensors. Consider using x.conj()."
        )),
        ("T", 1 | 3..) => warn_once(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error in a future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.",
        ),
        _ => {}
    }
}

/// Attributes that are operations: `x.T`, `x.mT`.
fn computed(machine: &Machine, t: &Variable, name: &str) -> Tried<Option<Value>> {
    let Some(entry) = catalogue::entry(name, Forms::ATTRIBUTE) else {
        return Ok(None);
    };
    warn_of_transposing(name, t.rank());
    let mut args = Bound::new(entry.name, vec![vjp_ops::Arg::Tensor(t.clone())]);
    Ok(Some(vjp_binder::results::result(machine, entry.carry_out(&mut args)?)))
}

/// `this.name = value`; false where it has no such attribute.
///
/// # Errors
/// A value that does not fit.
pub fn set_attribute(
    machine: &mut Machine,
    this: &Value,
    name: Symbol,
    value: Value,
) -> Tried<bool> {
    let Value::Tensor(t) = this else {
        return arrays::set_attribute(this, name.as_str(), &value);
    };
    match name.as_str() {
        "grad" => {
            let grad = match &value {
                Value::None => None,
                Value::Tensor(g) => Some(g.clone()),
                other => match vjp_binder::readers::tensor_like(machine, other)? {
                    // A whole number among floats.
                    Some(g) if !machine.strict() => {
                        let own = g.value().with_weak(false).to_dtype(t.dtype());
                        Some(Variable::constant(own))
                    }
                    Some(g) => Some(Variable::constant(g.value().with_weak(false))),
                    None => raise!(
                        Kind::Type,
                        "assigned grad expected to be a Tensor or None but got grad of type {}",
                        vjp_eval::name_of(&value)
                    ),
                },
            };
            if let Some(g) = &grad {
                if g.id() == t.id() {
                    raise!("can't assign Variable as its own grad");
                }
                if g.dtype() != t.dtype() && !mixed_dtypes::is_allowed() {
                    return Err(torch_messages::gradient_of_type(g.dtype(), t.dtype()).into());
                }
            }
            t.set_grad(grad)?;
        }
        "requires_grad" => match value.plain() {
            Value::Bool(flag) => set_requires_grad(t, flag)?,
            _ => raise!("requires_grad must be a bool"),
        },
        "data" => match &value {
            Value::Tensor(new) if t.requires_grad() && !new.dtype().is_float() => raise!(
                "data set to a tensor that requires gradients must be floating point or complex dtype"
            ),
            Value::Tensor(new) => t.set_data(new),
            other => match vjp_binder::readers::tensor_like(machine, other)? {
                Some(new) => {
                    let new = new.value().with_weak(false);
                    let whole = t.requires_grad() && !new.dtype().is_float();
                    let new = if whole { new.with_dtype(t.dtype()) } else { new };
                    t.set_data(&Variable::constant(new));
                }
                None => raise!(
                    Kind::Type,
                    "Variable data has to be a tensor, but got {}",
                    vjp_eval::name_of(&value)
                ),
            },
        },
        _ if !is_writable(name) => return Err(not_writable(name)),
        _ if machine.strict() => own_attributes::set(machine, t, name, value),
        _ => return Ok(false),
    }
    Ok(true)
}

/// `del x.name`; false where there is no such attribute.
pub fn delete_attribute(machine: &mut Machine, this: &Value, name: Symbol) -> Tried<bool> {
    let Value::Tensor(t) = this else { return Ok(false) };
    match name.as_str() {
        "grad" => t.set_grad(None)?,
        "requires_grad" => raise!("requires_grad must be a bool"),
        "data" => {
            raise!("Deleting tensor data is not allowed. Delete tensor instead!")
        }
        _ if !is_writable(name) => return Err(not_writable(name)),
        _ => return Ok(own_attributes::delete(machine, t, name)),
    }
    Ok(true)
}

/// Whether a program may keep something of its own under a name.
fn is_writable(name: Symbol) -> bool {
    let computed = || catalogue::entry(name.as_str(), Forms::ATTRIBUTE).is_some();
    !matches!(member(name), Member::Property) && name.as_str() != "name" && !computed()
}

fn not_writable(name: Symbol) -> Halt {
    let text = format!("attribute '{name}' of 'torch._C.TensorBase' objects is not writable");
    Halt::new(Kind::Attribute, text)
}

/// `x.requires_grad = flag`, whose words differ from those of `requires_grad_`.
fn set_requires_grad(t: &Variable, flag: bool) -> Outcome<()> {
    if flag && !t.dtype().is_float() {
        return Err(Complaint::new(
            Kind::Runtime,
            "only Tensors of floating point and complex dtype can require gradients",
        ));
    }
    if flag && t.node().is_some() {
        let text = "you can only change requires_grad flags of leaf variables.";
        return Err(Complaint::new(Kind::Runtime, text));
    }
    t.set_requires_grad(flag)
}
