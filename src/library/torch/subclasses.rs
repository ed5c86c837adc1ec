//! What classes of the program that derive from `torch.Tensor` are made with and inherit.

use std::rc::Rc;
use vjp_eval::language::class::of_tensors;
use vjp_eval::language::class::tensor_class::{self, Plainly};
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Class, Machine, Tried, Value, name_of, raise};
use vjp_tensor::Kind;

builtins! {
    /// Methods of `torch.Tensor` that its subclasses call.
    pub static METHODS in "Tensor";
    "as_subclass" "(Tensor input, cls)" as_subclass, "Returns the same data as a tensor of a subclass of torch.Tensor.";
    "_make_subclass" "(*args)" make_subclass, "Makes a tensor of a subclass of torch.Tensor of the data of another.";
    "_make_wrapper_subclass" "(*args, **kwargs)" make_wrapper_subclass, "Is not provided.";
    "__new__" "(*args, **kwargs)" new, "Makes a tensor of a subclass of torch.Tensor.";
    "__torch_function__" "(cls, func, types, args=(), kwargs=None)" torch_function, "Carries a function of torch out and makes its results tensors of the class.";
}

builtins! {
    pub static OF_C in "torch._C";
    "_silence" "(begins)" silence, "Ends what classes of tensors say of operations, or begins it again.";
}

fn silence(machine: &mut Machine, args: Args) -> Tried<Value> {
    let begins = args.positional.first().map(|v| machine.truth(v)).transpose()?;
    tensor_class::silence(begins.unwrap_or(true));
    Ok(Value::None)
}

/// The class of the program that derives from tensors; None: `torch.Tensor` itself.
fn class(value: Option<&Value>) -> Tried<Option<Rc<Class>>> {
    match value {
        Some(Value::Class(c)) if tensor_class::base(c).is_some() => Ok(Some(Rc::clone(c))),
        Some(Value::Type(t)) if t.name == "Tensor" => Ok(None),
        Some(Value::Class(_) | Value::Type(_)) => raise!(
            Kind::Type,
            "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. Make sure your class inherits from Tensor."
        ),
        other => raise!(
            Kind::Type,
            "cls must be a type (got {})",
            name_of(other.unwrap_or(&Value::None))
        ),
    }
}

fn as_subclass(_: &mut Machine, mut args: Args) -> Tried<Value> {
    let named = args.take("cls");
    let class = class(named.as_ref().or(args.positional.get(1)))?;
    match (args.positional.first(), class) {
        (Some(Value::Tensor(t)), Some(class)) => {
            Ok(Value::Tensor(tensor_class::alias(t, &class).at(args.site.span)?))
        }
        (Some(Value::Tensor(t)), None) => {
            Ok(Value::Tensor(tensor_class::plain(t).at(args.site.span)?))
        }
        _ => Ok(Value::None),
    }
}

/// `torch.Tensor._make_subclass(cls, data, require_grad=False)`
fn make_subclass(machine: &mut Machine, mut args: Args) -> Tried<Value> {
    let flag = args.take("require_grad").or(args.positional.get(2).cloned());
    let flag = flag.map(|f| machine.truth(&f)).transpose()?.unwrap_or(false);
    let Some(class) = class(args.positional.first())? else {
        raise!(Kind::NotImplemented, "_make_subclass is not provided for torch.Tensor itself");
    };
    let t = match args.positional.get(1).cloned().or(args.take("data")) {
        Some(Value::Tensor(t)) => t,
        Some(other) => raise!(
            Kind::Type,
            "_make_subclass(): argument 'data' (position 2) must be Tensor, not {}",
            name_of(&other)
        ),
        None => {
            raise!(Kind::Type, "_make_subclass() missing 1 required positional arguments: \"data\"")
        }
    };
    let made = tensor_class::alias(&t.detach(), &class).at(args.site.span)?.detach();
    tensor_class::set(&made, &class);
    if flag {
        made.set_requires_grad(true).at(args.site.span)?;
    }
    Ok(Value::Tensor(made))
}

fn make_wrapper_subclass(_: &mut Machine, _: Args) -> Tried<Value> {
    raise!(
        Kind::NotImplemented,
        "torch.Tensor._make_wrapper_subclass is not provided: a subclass holds its own numbers here"
    )
}

/// `torch.Tensor.__new__(cls, …)`
fn new(machine: &mut Machine, mut args: Args) -> Tried<Value> {
    if args.positional.is_empty() {
        raise!(Kind::Type, "torch._C.TensorBase.__new__(): not enough arguments");
    }
    let first = args.positional.remove(0);
    match (&first, class(Some(&first))?) {
        (_, Some(class)) => match tensor_class::base(&class) {
            Some(base) => machine.blank_tensor(&class, base, args),
            None => Ok(Value::None),
        },
        (tensor, None) => machine.call(tensor, args),
    }
}

fn torch_function(machine: &mut Machine, args: Args) -> Tried<Value> {
    let mut given = args.positional.iter();
    let (Some(Value::Class(class)), Some(func)) = (given.next(), given.next()) else {
        raise!(Kind::Type, "Tensor.__torch_function__() takes a class, a function and types");
    };
    let at = |k: usize, name: &str| {
        let named = args.named.iter().find(|(n, _)| n.as_str() == name).map(|(_, v)| v.clone());
        named.or_else(|| args.positional.get(k).cloned())
    };
    let mut call = Args::new(Vec::new(), args.site.clone());
    if let Some(all) = at(3, "args") {
        call.positional = machine.collect(&all)?;
    }
    if let Some(Value::Dict(d)) = at(4, "kwargs") {
        for (_, name, v) in d.entries.borrow().iter() {
            call.named.push((vjp_text::Symbol::new(name.as_str().unwrap_or("")), v.clone()));
        }
    }
    let made = {
        let _plain = Plainly::begin();
        machine.call(func, call)?
    };
    if of_tensors::is_unchanged(func) {
        return Ok(made);
    }
    of_tensors::converted(made, class).at(args.site.span)
}
