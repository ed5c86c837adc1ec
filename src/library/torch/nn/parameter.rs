//! `nn.Parameter`: a tensor that modules count among their parameters.

use vjp_binder::bind::Given;
use vjp_eval::language::call::Args;
use vjp_eval::language::exception::raise::{At, Halt};
use vjp_eval::language::machine::Machine;
use vjp_eval::library::Type;
use vjp_eval::library::table::given;
use vjp_eval::raise;
use vjp_eval::values::tensor_operators::nested::{Reader, tensor_of};
use vjp_eval::values::value::Value;
use vjp_maths::autodiff::variable::Variable;
use vjp_tensor::complaint::Kind;
use vjp_tensor::tensor::{Tensor, default_dtype};
use vjp_tensor::torch_messages;
use vjp_text::names::Symbol;

pub static PARAMETER: Type = Type {
    name: "Parameter",
    module: "torch.nn.parameter",
    help: "A tensor that a module registers as a parameter.",
    includes: |v| matches!(v, Value::Tensor(t) if t.is_parameter()),
    construct,
    attribute: |name| (given().method)(Symbol::new(name)).map(Value::Builtin),
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
            vjp_eval::values::class_names::name_of(&other)
        ),
    };
    let flag = given.bool("requires_grad")?;
    if flag && !tensor.dtype().is_float() {
        return Err(torch_messages::only_floats_require_grad()).at(span);
    }
    Ok(Value::Tensor(Variable::parameter(tensor, flag)))
}
