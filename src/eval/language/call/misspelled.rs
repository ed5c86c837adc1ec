//! "Did you mean …?" where a keyword, a call or an index is not what Python has.

use crate::language::call::Site;
use crate::language::exception::raise::Halt;
use crate::values::value::Value;
use vjp_tensor::complaint::Complaint;
use vjp_text::did_you_mean::{asks, closest};
use vjp_text::foreign_spellings;
use vjp_text::names::is_name_continue;

/// A complaint about a keyword argument, with the one it was perhaps meant to be.
pub fn keyword<'a>(
    complaint: Box<Complaint>,
    word: &str,
    known: impl Iterator<Item = &'a str>,
) -> Box<Complaint> {
    let known: Vec<&str> = known.collect();
    let meant = foreign_spellings::keyword(word, known.iter().copied());
    match meant.or_else(|| closest(word, known)) {
        Some(near) => complaint.hint(asks(&format!("{near}="))),
        None => complaint,
    }
}

/// What a pair of parentheses behind a number or a list was perhaps meant to be: a product, as in
/// `2(x + 1)`, a power of a function, as in `sin^2(x)`, or an index.
pub(crate) fn no_call(halt: Halt, callee: &Value, site: &Site) -> Halt {
    let (whole, called) = (site.text(site.span), site.text(site.callee));
    let Some(arguments) = whole.strip_prefix(called).filter(|a| a.starts_with('(')) else {
        return halt;
    };
    let before = site.source.text()[..site.span.start as usize].trim_end();
    let (before, sign) = match before.strip_suffix('-') {
        Some(before) => (before, "-"),
        None => (before, ""),
    };
    let power = before.strip_suffix('^').or_else(|| before.strip_suffix("**"));
    let function = power.map(|text| {
        let name = text.rfind(|c| !is_name_continue(c) && c != '.').map_or(0, |at| at + 1);
        &text[name..]
    });
    let index = site.args.len() == 1 && site.text(site.args[0]).parse::<i64>().is_ok();
    let inside = &arguments[1..arguments.len() - 1];
    let ints = |a: &vjp_text::source::Span| site.text(*a).parse::<i64>().is_ok();
    let indices = site.args.len() > 1 && site.args.iter().all(ints);
    let hint = match callee {
        Value::None => return halt,
        _ if inside.trim().is_empty() => format!("{called} is not a function: write {called}"),
        Value::Int(_) | Value::Float(_) if function.is_some_and(|f| !f.is_empty()) => {
            let power = format!("{sign}{called}");
            vjp_syntax::habits::power_of(function.unwrap_or(""), &power, inside)
        }
        Value::List(_) | Value::Tensor(_) | Value::Array(_) if indices => {
            format!("use brackets for an index, counted from 0: {called}[{inside}]")
        }
        Value::Tuple(_) | Value::List(_) | Value::Dict(_) | Value::Tensor(_) | Value::Array(_)
            if index =>
        {
            format!("use brackets for an index: {called}[{inside}]")
        }
        Value::Int(_)
        | Value::Float(_)
        | Value::Number(_)
        | Value::NpScalar(..)
        | Value::Tensor(_)
        | Value::Array(_)
        | Value::List(_) => format!("write a product with *: {called}*{arguments}"),
        _ => return halt,
    };
    halt.helped(hint)
}

/// What brackets behind something that is called were perhaps meant to be: `y.backward[1, 1]`.
pub(crate) fn no_index(halt: Halt, value: &Value, [called, key]: [&str; 2]) -> Halt {
    let calls = matches!(value, Value::Builtin(_) | Value::Method(_) | Value::Function(_));
    let inside = key.strip_prefix('[').and_then(|k| k.strip_suffix(']'));
    match inside.filter(|_| calls) {
        Some(list) if list.contains(',') => {
            halt.helped(format!("use parentheses for a call: {called}([{list}])"))
        }
        Some(one) => halt.helped(format!("use parentheses for a call: {called}({one})")),
        None => halt,
    }
}
