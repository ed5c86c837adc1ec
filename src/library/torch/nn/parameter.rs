//! `nn.Parameter`: a tensor that modules count among their parameters.

use vjp_binder::Given;
use vjp_eval::library::table::given;
use vjp_eval::values::tensor_operators::nested::{Reader, tensor_of};
use vjp_eval::{Args, At, Machine, Tried, Type, Value, raise};
use vjp_maths::Variable;
use vjp_tensor::tensor::default_dtype;
use vjp_tensor::{Kind, Tensor, torch_messages};
use vjp_text::Symbol;

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

pub static UNINITIALIZED: Type = Type {
    name: "UninitializedParameter",
    module: "torch.nn.parameter",
    help: "A parameter whose shape is not known before the first input.",
    includes: |v| matches!(v, Value::Tensor(t) if t.is_uninitialized()),
    construct: |machine, class, args| match construct(machine, class, args)? {
        Value::Tensor(t) => {
            t.mark_uninitialized();
            Ok(Value::Tensor(t))
        }
        other => Ok(other),
    },
    attribute: PARAMETER.attribute,
    exception: None,
    base: Some(&PARAMETER),
};

fn construct(machine: &mut Machine, _: &'static Type, args: Args) -> Tried<Value> {
    let span = args.site.span;
    let known = |word: &str| matches!(word, "data" | "requires_grad");
    if let Some((word, _)) = args.named.iter().find(|(word, _)| !known(word.as_str())) {
        raise!(Kind::Type, "Parameter.__new__() got an unexpected keyword argument '{word}'");
    }
    let given = Given::read(args, "(data=None, requires_grad=True)", false).at(span)?;
    let data = match given.value("data") {
        None => Variable::constant(Tensor::filled(&[0], 0.0, default_dtype()).at(span)?),
        Some(Value::Tensor(t)) => t,
        Some(list @ (Value::List(_) | Value::Number(_) | Value::Float(_))) if !machine.strict() => {
            Variable::constant(tensor_of(&list, Reader::Torch).at(span)?.with_weak(false))
        }
        Some(other) => raise!(
            Kind::Attribute,
            "'{}' object has no attribute 'detach'",
            vjp_eval::tp_name(&other)
        ),
    };
    let flag = match given.raw(1) {
        None => true,
        Some(Value::Bool(flag)) => flag,
        Some(other) => raise!(
            Kind::Type,
            "_make_subclass(): argument 'require_grad' (position 3) must be bool, not {}",
            vjp_eval::tp_name(&other)
        ),
    };
    if flag && !data.dtype().is_float() {
        return Err(torch_messages::parameters_of_floats()).at(span);
    }
    Ok(Value::Tensor(data.as_parameter(flag)))
}
