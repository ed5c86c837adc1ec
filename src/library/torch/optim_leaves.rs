//! `torch.optim`: its classes are pages of the prelude; here is what they cannot say themselves,
//! how a number list that is a leaf takes part.

use vjp_eval::library::builtins;
use vjp_eval::{Args, Machine, Tried, Value, leaf};
use vjp_maths::Variable;
use vjp_tensor::{Complaint, Kind};
use vjp_text::Symbol;

builtins! {
    pub static BUILTINS in "torch.optim";
    "_leaf" "(value)" tensor_of, "Returns the tensor of a list of numbers; anything else unchanged.";
    "_written" "(value)" written, "Copies the values of its tensor into a list.";
}

/// `torch.optim.optimizer`.
pub fn base() -> Vec<(&'static str, Value)> {
    let name = "Optimizer";
    let found = vjp_eval::library::prelude::get("torch.optim", Symbol::new(name));
    found.map(|class| (name, class)).into_iter().collect()
}

fn first(args: Args) -> Value {
    args.positional.into_iter().next().unwrap_or(Value::None)
}

fn tensor_of(machine: &mut Machine, args: Args) -> Tried<Value> {
    let value = first(args);
    Ok(match &value {
        Value::List(list) if list.numeric.get() && !machine.strict() => {
            Value::Tensor(leaf::stacked(&value)?)
        }
        // A number is a value of Python's: no step can change it in place.
        Value::Number(n) if !machine.strict() => Err(Complaint::new(
            Kind::Type,
            "optimizer can only optimize Tensors, but one of the params is float",
        )
        .hint(in_brackets(machine, &n.variable)))?,
        _ => value,
    })
}

/// A leaf in brackets in place of a number: of the number itself, or of the vector whose element it is.
fn in_brackets(machine: &Machine, number: &Variable) -> String {
    let named = |leaf: &Variable| {
        let own = |v: &Value| leaf::existing(v).is_some_and(|v| v.same(leaf));
        machine.names().into_iter().find(|(_, v)| own(v)).map(|(name, _)| name)
    };
    let whole = number.node().and_then(|n| n.inputs().first()?.leaf().cloned());
    if let Some(name) = whole.and_then(|leaf| named(&leaf)) {
        return format!("an optimizer takes leaves in a list: [{name}]");
    }
    let name = named(number).unwrap_or_else(|| "x".to_owned());
    let line = format!("{name} = [{}]", number.value().data()[0]);
    format!("a number cannot change in place; a leaf in brackets can: {line}")
}

fn written(_: &mut Machine, args: Args) -> Tried<Value> {
    if let Value::List(list) = first(args) {
        let tensor = list.tensor();
        if let Some(tensor) = tensor {
            leaf::rewrite(&list, &tensor);
        }
    }
    Ok(Value::None)
}
