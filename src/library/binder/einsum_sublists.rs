//! `torch.einsum(a, [0, 1], b, [1, 2], [0, 2])`: dimensions by number instead of by letter.

use vjp_eval::{Args, At, Tried, Value};
use vjp_tensor::{Kind, Outcome, complain};

/// The call with an equation in front, as the catalogue states the operation.
pub fn as_equation(mut args: Args) -> Tried<Args> {
    let span = args.site.span;
    if matches!(args.positional.first(), Some(Value::Str(_)) | None) {
        return Ok(args);
    }
    let (mut inputs, mut operands) = (Vec::new(), Vec::new());
    let mut rest = std::mem::take(&mut args.positional).into_iter();
    let mut output = None;
    while let Some(first) = rest.next() {
        match rest.next() {
            Some(list) => {
                inputs.push(letters(&list).at(span)?);
                operands.push(first);
            }
            None => output = Some(letters(&first).at(span)?),
        }
    }
    let mut equation = inputs.join(",");
    if let Some(output) = output {
        equation.push_str("->");
        equation.push_str(&output);
    }
    args.positional = vec![Value::str(&equation)];
    args.positional.extend(operands);
    Ok(args)
}

/// The letters that stand for numbers of dimensions: 0 is A, 26 is a.
fn letters(list: &Value) -> Outcome<String> {
    let items = match list {
        Value::List(list) => list.items.borrow().to_vec(),
        Value::Tuple(tuple) => tuple.items.clone(),
        _ => complain!(
            Kind::Value,
            "einsum(): expected subscripts to be a list of integers and ellipsis"
        ),
    };
    let letter = |item: &Value| match (item, item.as_int()) {
        (Value::Ellipsis, _) => Ok("...".to_owned()),
        (_, Some(n @ 0..26)) => Ok(char::from(b'A' + n as u8).to_string()),
        (_, Some(n @ 26..52)) => Ok(char::from(b'a' + (n - 26) as u8).to_string()),
        _ => complain!(
            Kind::Value,
            "einsum(): subscript in subscript list is not within the valid range [0, 52)"
        ),
    };
    items.iter().map(letter).collect()
}
