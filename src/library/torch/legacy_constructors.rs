//! `torch.Tensor(2, 3)` is a shape, `torch.Tensor([1, 2])` are numbers; so `torch.FloatTensor` and its like.

use vjp_binder::overloads;
use vjp_eval::values::tensor_operators::nested::{Reader, sequence, tensor_of};
use vjp_eval::values::value::TupleKind;
use vjp_eval::{Args, At, Builtin, Machine, Tried, Value, name_of, raise};
use vjp_maths::Variable;
use vjp_maths::inplace::view;
use vjp_tensor::tensor::default_dtype;
use vjp_tensor::{Complaint, Dtype, Kind, Tensor, shape};

/// As PyTorch's errors call such a constructor.
static NEW: Builtin = Builtin {
    name: "new",
    module: "Tensor",
    signature: "(*args, device=None)",
    help: "",
    jax: "-",
    run: |machine, args| construct(machine, args, None),
};

/// A tensor of a type, or of the default one.
pub fn construct(machine: &mut Machine, mut args: Args, dtype: Option<Dtype>) -> Tried<Value> {
    let span = args.site.span;
    args.callee = Some(&NEW);
    let words = args.named.iter().map(|(word, _)| word.as_str()).filter(|word| *word != "device");
    match words.collect::<Vec<_>>().as_slice() {
        [] => {}
        ["size"] if args.positional.is_empty() => {
            let lengths = args.take("size").as_ref().and_then(overloads::listed_values);
            args.positional
                .push(vjp_eval::language::operators::size_of(lengths.unwrap_or_default())?);
        }
        [word @ ("other" | "data")] if args.positional.is_empty() => {
            let given = args.take(word);
            args.positional.extend(given);
        }
        _ => return Err(fits_none(&args).into()),
    }
    if let Some(device) = args.take("device") {
        vjp_binder::device::reached(&device).at(span)?;
    }
    if let [storage @ Value::Instance(_)] = args.positional.as_slice()
        && let memory @ Value::Tensor(_) = sequence(storage)
    {
        args.positional = vec![memory];
    }
    let to = dtype.unwrap_or_else(default_dtype);
    let filled = |size: &[usize]| -> Tried<Value> {
        Ok(Value::Tensor(Variable::constant(Tensor::filled(size, 0.0, to).at(span)?)))
    };
    match args.positional.as_slice() {
        [] => filled(&[0]),
        [Value::Tensor(t)] => match dtype {
            Some(own) if own != t.dtype() => Err(other_type(own, t.dtype()).into()),
            _ => {
                let layout = t.layout();
                let (shape, strides) = (layout.shape, layout.strides);
                let alias = view::in_shape(t, shape, strides, "alias", "AliasBackward0");
                Ok(Value::Tensor(alias.at(span)?))
            }
        },
        [Value::Tuple(size)] if size.kind == TupleKind::Size => filled(&lengths(&size.items)?),
        [Value::Str(_)] => raise!(Kind::Type, "new(): invalid data type 'str'"),
        [one] if int(one).is_none() => {
            let data = match &sequence(one) {
                one @ (Value::List(_) | Value::Tuple(_) | Value::Array(_)) => one.clone(),
                one @ Value::Range(_) => Value::list(machine.collect(one)?),
                other => {
                    raise!(Kind::Type, "new(): data must be a sequence (got {})", name_of(other))
                }
            };
            let read =
                tensor_of(&data, Reader::Torch).map_err(|complaint| no_number(complaint, to));
            let tensor = read.at(span)?.to_dtype(to);
            Ok(Value::Tensor(Variable::constant(tensor)))
        }
        sizes if int(&sizes[0]).is_some() => filled(&lengths(sizes)?),
        _ => Err(fits_none(&args).into()),
    }
}

fn fits_none(args: &Args) -> Box<Complaint> {
    let none = overloads::none_fits(args, overloads::of("new", true), false);
    let complaint = none.unwrap_or_else(|| {
        Complaint::new(Kind::Type, "new() received an invalid combination of arguments")
    });
    match args.named.iter().any(|(word, _)| matches!(word.as_str(), "requires_grad" | "dtype")) {
        true => complaint.hint("torch.tensor(…) and torch.zeros(…) take requires_grad and dtype"),
        false => complaint,
    }
}

/// What does not look for a type reads every element as the one that it has.
fn no_number(complaint: Box<Complaint>, to: Dtype) -> Box<Complaint> {
    let Some(kind) = complaint.message.strip_prefix("new(): invalid data type ") else {
        return complaint;
    };
    let text = match to.is_float() {
        true => format!("must be real number, not {}", kind.trim_matches('\'')),
        false => format!("{kind} object cannot be interpreted as an integer"),
    };
    Complaint::new(complaint.kind, text)
}

/// A length, as it stands in a size: an int that is no bool, or a tensor of one.
fn int(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(_) => None,
        Value::Tensor(t) if t.numel() == 1 && !t.dtype().is_float() => {
            t.value().item().map(|n| n as i64)
        }
        other => other.as_int(),
    }
}

fn lengths(sizes: &[Value]) -> Tried<Vec<usize>> {
    let mut ints = Vec::with_capacity(sizes.len());
    for (k, size) in sizes.iter().enumerate() {
        match int(size) {
            Some(n) => ints.push(n),
            None => raise!(
                Kind::Type,
                "new(): argument 'size' failed to unpack the object at pos {} with error \"type must be tuple of ints,but got {}\"",
                k + 1,
                name_of(size)
            ),
        }
    }
    Ok(shape::of_lengths(&ints)?)
}

/// What PyTorch says of `torch.FloatTensor(t)`, `t` being of another type.
fn other_type(own: Dtype, given: Dtype) -> Box<Complaint> {
    let options = |dtype: Dtype| {
        let name = match dtype {
            Dtype::Float32 => "float",
            Dtype::Float64 => "double",
            Dtype::Float16 => "c10::Half",
            Dtype::Bfloat16 => "c10::BFloat16",
            Dtype::Int64 => "long int",
            Dtype::Int32 => "int",
            Dtype::Int16 => "short int",
            Dtype::Int8 => "signed char",
            Dtype::Uint8 => "unsigned char",
            other => other.name(),
        };
        format!(
            "TensorOptions(dtype={name}, device=cpu, layout=Strided, requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt))"
        )
    };
    let (own, given) = (options(own), options(given));
    Complaint::new(Kind::Type, format!("expected {own} (got {given})"))
}
