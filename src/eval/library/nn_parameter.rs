//! `nn.Parameter`: a tensor that modules count among their parameters.

use super::Type;
use super::bind::Given;
use super::nested::{Reader, tensor_of};
use crate::call::Args;
use crate::machine::Machine;
use crate::raise;
use crate::raise::{At, Halt};
use crate::value::Value;
use vjp_maths::complaint::Kind;
use vjp_maths::tensor::{Tensor, default_dtype};
use vjp_maths::torch_says;
use vjp_maths::variable::Variable;

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
            Kind::Attribute,
            "'{}' object has no attribute 'detach'",
            super::types::name_of(&other)
        ),
    };
    let flag = given.bool("requires_grad")?;
    if flag && !tensor.dtype().is_float() {
        return Err(torch_says::only_floats_require_grad()).at(span);
    }
    Ok(Value::Tensor(Variable::parameter(tensor, flag)))
}
