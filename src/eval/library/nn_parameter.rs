//! `nn.Parameter`: a tensor that modules count among their parameters.

use super::Type;
use super::bind::Given;
use super::nested::{Reader, tensor_of};
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::Value;
use crate::maths::complaint::Kind;
use crate::maths::tensor::{Tensor, default_dtype};
use crate::maths::torch_says;
use crate::maths::variable::Variable;
use crate::raise;

pub static PARAMETER: Type = Type {
    name: "Parameter",
    module: "torch.nn.parameter",
    help: "A tensor that a module registers as a parameter.",
    includes: |v| matches!(v, Value::Tensor(t) if t.is_parameter()),
    construct,
    attribute: |name| super::methods::method(name).map(Value::Builtin),
    exception: None,
    base: None,
};

fn construct(machine: &mut Machine, _: &'static Type, args: Args) -> Result<Value, Halt> {
    let span = args.site.span;
    let given = Given::read(args, "(data=None, bool requires_grad=True)", false).at(span)?;
    let tensor = match given.value("data") {
        None => Tensor::filled(&[0], 0.0, default_dtype()).at(span)?,
        Some(Value::Tensor(t)) => t.value(),
        Some(list @ (Value::List(_) | Value::Number(_) | Value::Float(_))) if !machine.strict() => {
            tensor_of(&list, Reader::Torch).at(span)?.with_weak(false)
        }
        Some(other) => raise!(
            Kind::Type,
            "Cannot subclass Parameter with data of type {}",
            super::types::name_of(&other)
        ),
    };
    let flag = given.bool("requires_grad")?;
    if flag && !tensor.dtype().is_float() {
        return Err(torch_says::only_floats_require_grad()).at(span);
    }
    Ok(Value::Tensor(Variable::parameter(tensor, flag)))
}
