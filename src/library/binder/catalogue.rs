//! The operations of `maths::ops` as functions, methods and attributes of programs: arguments are
//! bound from the entry's signature, results become values.

use crate::operation_arguments::bind;
use crate::results::result;
use crate::signature::Signature;
use crate::{numpy_call, signature};
use std::cell::{Cell, RefCell};
use vjp_catalogue::catalogue;
use vjp_eval::{Args, At, Builtin, Machine, Site, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::node::mark;
use vjp_maths::inplace::overlap;
use vjp_ops::reduce::predicates;
use vjp_ops::{Arg, Bound, Entry, Forms, Out, Scalar, batched, missing_kernels};
use vjp_tensor::tensor::default_dtype;
use vjp_tensor::warnings::warn_once;
use vjp_tensor::{Complaint, Dtype, Kind, Outcome, complain, torch_messages};
use vjp_text::{QuickMap, Symbol};

/// How an entry is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    Function,
    Method,
    InPlace,
    Numpy,
    /// A method of an array.
    ArrayMethod,
}

/// What a builtin is made from.
#[derive(Clone, Copy)]
pub struct Origin {
    pub entry: &'static Entry,
    pub form: Form,
}

/// Of a builtin made from an entry, its first signature being read when it is first called.
struct Made {
    origin: Origin,
    first: Cell<Option<&'static Signature>>,
}

/// A name in a form and a module, and which of the entries that share it.
type Called = (&'static str, Form, &'static str, u16);

thread_local! {
    /// Builtins made from entries, by address.
    static MADE: RefCell<QuickMap<usize, Made>> = RefCell::default();
    static KNOWN: RefCell<QuickMap<Called, &'static Builtin>> = RefCell::default();
    static INDEX: RefCell<QuickMap<(&'static str, u16), &'static Entry>> = RefCell::default();
}

/// The entry and form of a builtin; None where it was not made from the catalogue.
pub fn origin(builtin: &'static Builtin) -> Option<Origin> {
    let key = std::ptr::from_ref(builtin) as usize;
    MADE.with_borrow(|m| Some(m.get(&key)?.origin))
}

/// [`origin`], and the first signature.
pub fn origin_signed(builtin: &'static Builtin) -> Option<(Origin, &'static Signature)> {
    let key = std::ptr::from_ref(builtin) as usize;
    MADE.with_borrow(|m| {
        let made = m.get(&key)?;
        if made.first.get().is_none() {
            made.first.set(builtin.signature.lines().next().map(signature));
        }
        Some((made.origin, made.first.get()?))
    })
}

/// The entry that has `name` in one of these forms.
pub fn entry(name: &str, form: Forms) -> Option<&'static Entry> {
    INDEX.with_borrow_mut(|index| {
        if index.is_empty() {
            for e in catalogue() {
                for bit in (0..16).map(|k| 1 << k) {
                    for n in e.names(Forms(bit)) {
                        index.entry((n, bit)).or_insert(e);
                    }
                }
            }
        }
    });
    INDEX.with_borrow(|index| {
        // Keys live longer than `name`; a shorter borrow of the map accepts it.
        let index: &QuickMap<(&str, u16), &'static Entry> = index;
        index.get(&(name, form.0)).copied()
    })
}

/// The function that an entry becomes, made once per thread.
pub fn builtin(
    name: &'static str,
    entry: &'static Entry,
    form: Form,
    module: &'static str,
) -> &'static Builtin {
    let key = (name, form, module, entry.forms.0);
    if let Some(known) = KNOWN.with_borrow(|k| k.get(&key).copied()) {
        return known;
    }
    let made: &'static Builtin = Box::leak(Box::new(Builtin {
        name,
        module,
        signature: entry.signature,
        help: entry.formula,
        jax: "",
        run,
    }));
    let origin = Origin { entry, form };
    let first = Cell::new(None);
    MADE.with_borrow_mut(|m| m.insert(std::ptr::from_ref(made) as usize, Made { origin, first }));
    KNOWN.with_borrow_mut(|k| k.insert(key, made));
    made
}

/// Every name of a form, as a module's contents.
pub fn contents(forms: Forms, form: Form, module: &'static str) -> Vec<(&'static str, Value)> {
    catalogue()
        .flat_map(|e| e.names(forms).map(move |n| (n, e)))
        .map(|(n, e)| (n, Value::Builtin(builtin(n, e, form, module))))
        .collect()
}

/// Operations that may be called in a way no signature states, and what makes one of the other.
type Respelling = fn(Args) -> Tried<Args>;
const RESPELLED: [(&str, Respelling); 5] = [
    ("add", factor_first),
    ("addcdiv", factor_first),
    ("addcmul", factor_first),
    ("einsum", crate::operation_arguments::as_equation),
    ("sub", factor_first),
];

/// The old spelling `torch.add(x, 2, y)` of `torch.add(x, y, alpha=2)`; PyTorch warns of it.
fn factor_first(mut args: Args) -> Tried<Args> {
    let name = args.name();
    let (old, new, keyword, count) = match name.starts_with("addc") {
        true => (
            "Number value, Tensor tensor1, Tensor tensor2",
            "Tensor tensor1, Tensor tensor2, *, Number value = 1",
            "value",
            4,
        ),
        false => ("Number alpha, Tensor other", "Tensor other, *, Number alpha = 1", "alpha", 3),
    };
    let is_number = |v: &Value| matches!(v, Value::Int(_) | Value::Float(_));
    if args.positional.len() != count || !is_number(&args.positional[1]) {
        return Ok(args);
    }
    let [old, new] = match args.callee.is_some_and(|b| b.module == "Tensor") {
        true => [old, new].map(|params| format!("{name}({params})")),
        false => [
            format!("{name}(Tensor input, {old}, *, Tensor out = None)"),
            format!("{name}(Tensor input, {new}, Tensor out = None)"),
        ],
    };
    warn_once(format!(
        "This overload of {name} is deprecated:\n\t{old}\nConsider using one of the following signatures instead:\n\t{new}"
    ));
    let factor = args.positional.remove(1);
    args.named.push((Symbol::new(keyword), factor));
    Ok(args)
}

fn run(machine: &mut Machine, mut args: Args) -> Tried<Value> {
    let Some(Origin { entry, form }) = args.callee.and_then(origin) else {
        raise!("{}() was called without its entry", args.name());
    };
    if form != Form::Numpy
        && let Some((_, respell)) = RESPELLED.iter().find(|r| r.0 == entry.name)
    {
        args = respell(args)?;
    }
    match form {
        Form::Numpy => numpy_call::run(machine, entry, args, false),
        Form::ArrayMethod => numpy_call::run(machine, entry, args, true),
        Form::InPlace => run_in_place(machine, entry, args),
        Form::Function | Form::Method => {
            let name = args.name();
            let span = args.site.span;
            let target = in_place(machine, entry, &mut args)?;
            let mut bound = bind(machine, entry, args, form == Form::Method)?;
            bound.name = name;
            if let Some(this) = target {
                this.check_writable(false).at(span)?;
                write(entry, &this, &mut bound).at(span)?;
                return Ok(Value::Tensor(this));
            }
            let out = entry.carry_out(&mut bound).at(span)?;
            Ok(result(machine, out))
        }
    }
}

/// The tensor that `F.relu(x, inplace=True)` and its like write into.
fn in_place(
    machine: &mut Machine,
    entry: &'static Entry,
    args: &mut Args,
) -> Tried<Option<Variable>> {
    if args.named.is_empty() && args.positional.len() < 2 {
        return Ok(None);
    }
    let params = &signature(entry.signature).params;
    let Some(place) = params.iter().position(|p| p.name == "inplace") else { return Ok(None) };
    let named = args.named.iter_mut().find(|(n, _)| n.as_str() == "inplace").map(|(_, v)| v);
    let Some(flag) = named.or(args.positional.get_mut(place)) else { return Ok(None) };
    // A function of Python's: anything is true or false.
    let asked = machine.truth(flag)?;
    *flag = Value::Bool(asked);
    Ok(match args.positional.first() {
        Some(Value::Tensor(x)) if asked => Some(x.clone()),
        _ => None,
    })
}

fn run_in_place(machine: &mut Machine, entry: &'static Entry, args: Args) -> Tried<Value> {
    let span = args.site.span;
    let method = args.callee.is_some_and(|b| b.module == "Tensor");
    let receiver = args.positional.first().cloned();
    let name = args.name();
    let mut bound = bind(machine, entry, args, method)?;
    let Some(receiver @ (Value::Tensor(this) | Value::Array(this))) = &receiver else {
        raise!(Kind::Type, "{name}() needs a tensor");
    };
    this.check_writable(false).at(span)?;
    write(entry, this, &mut bound).at(span)?;
    Ok(receiver.clone())
}

/// Between numbers; PyTorch then calls the types otherwise.
fn clamps(entry: &Entry, bound: &Bound) -> bool {
    let tensor = |arg: &Arg| matches!(arg, Arg::Tensor(_));
    matches!(entry.name, "clamp" | "clamp_min" | "clamp_max") && !bound.args[1..].iter().any(tensor)
}

/// The type of a float that an integer or bool is combined with.
fn float_beside(this: &Variable, bound: &Bound) -> Option<Dtype> {
    let float = |arg: &Arg| match arg {
        Arg::Tensor(t) => Some(t.dtype()).filter(|d| d.is_float()),
        Arg::Scalar(Scalar::Float(_)) => Some(default_dtype()),
        _ => None,
    };
    if this.dtype().is_float() { None } else { bound.args.iter().find_map(float) }
}

/// Carries an operation out and writes the result into `this`.
pub fn write(entry: &'static Entry, this: &Variable, bound: &mut Bound) -> Outcome<()> {
    let since = mark();
    batched::write(bound.name.trim_end_matches('_'), this, batched::given(bound))?;
    if entry.name == "float_power" && this.dtype() != Dtype::Float64 {
        complain!(
            "the base given to float_power_ has dtype {} but the operation's result requires dtype Double",
            this.dtype().scalar_type()
        );
    }
    let made = missing_kernels::check(entry, bound).and_then(|()| entry.call.run(bound));
    let made = made.map_err(|complaint| match float_beside(this, bound) {
        // PyTorch looks at the type of the result before it looks for a kernel.
        Some(float) if complaint.kind == Kind::NotImplemented => {
            torch_messages::cannot_cast(float.scalar_type(), this.dtype().scalar_type())
        }
        _ => complaint,
    });
    let is_view = |out: &Out| matches!(out, Out::One(new) if new.shares_memory(this));
    if !made.as_ref().is_ok_and(is_view) {
        let mut inputs: Vec<&Variable> = Vec::new();
        for arg in &bound.args[1..] {
            match arg {
                Arg::Tensor(t) => inputs.push(t),
                Arg::Tensors(all) => inputs.extend(all),
                _ => {}
            }
        }
        overlap::check(entry.name, this, &inputs)?;
    }
    match made? {
        Out::One(new) if new.same(this) => Ok(()),
        Out::One(new) if this.requires_grad() && predicates::compares(entry.name) => {
            let number = matches!(bound.arg(1), Arg::Scalar(_));
            this.update_since(&predicates::compared(entry.name, number, this, &new)?, since)
        }
        Out::One(new) if clamps(entry, bound) && !new.dtype().can_cast(this.dtype()) => {
            Err(torch_messages::cannot_cast(new.dtype().scalar_type(), this.dtype().c_name()))
        }
        Out::One(new) => this.update_since(&new, since),
        _ => complain!("{}_() has no in-place form", entry.name),
    }
}

/// Calls `torch.name`.
pub fn call_function(
    machine: &mut Machine,
    name: &'static str,
    positional: Vec<Value>,
    site: &Site,
) -> Tried<Value> {
    let Some(entry) = entry(name, Forms::TORCH) else {
        return Err(Complaint::absent(format_args!("torch.{name}")).into());
    };
    let builtin = builtin(name, entry, Form::Function, "torch");
    let mut args = Args::new(positional, site.clone());
    args.callee = Some(builtin);
    (builtin.run)(machine, args)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn every_form_can_be_found() {
        for entry in catalogue() {
            for form in (0..16).map(|k| Forms(1 << k)) {
                assert!(
                    entry.names(form).all(|n| super::entry(n, form).is_some()),
                    "{}",
                    entry.name
                );
            }
        }
    }
}
