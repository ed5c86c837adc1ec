//! "Did you mean …?" where a keyword, a call or an index is not what Python has.

use crate::{Halt, Help, Site, Value};
use vjp_syntax::Mend;
use vjp_tensor::Complaint;
use vjp_text::did_you_mean::{asks, closest};
use vjp_text::names::is_name_continue;
use vjp_text::{Span, Symbol, foreign_spellings};

/// A complaint about a keyword argument, with the one it was perhaps meant to be.
pub fn keyword<'a>(
    complaint: Box<Complaint>,
    word: &str,
    known: impl Iterator<Item = &'a str>,
) -> Box<Complaint> {
    let known: Vec<&str> = known.collect();
    let meant = foreign_spellings::keyword(word, known.iter().copied());
    let begun = known.iter().find(|name| word.len() > 2 && name.starts_with(word)).copied();
    match meant.or_else(|| closest(word, known)).or(begun) {
        Some(near) => complaint.hint(asks(&format!("{near}="))),
        None => complaint,
    }
}

/// What a pair of parentheses behind a number or a list was perhaps meant to be: a product, as in
/// `2(x + 1)`, a power of a function, as in `sin^2(x)`, or an index.
pub(crate) fn no_call(halt: Halt, callee: &Value, site: &Site, strict: bool) -> Halt {
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
    let ints = |a: &vjp_text::Span| site.text(*a).parse::<i64>().is_ok();
    let indices = site.args.len() > 1 && site.args.iter().all(ints);
    let behind = Span { start: site.callee.end, end: site.span.end };
    let hidden = |name: &str| {
        let given = crate::library::builtin(Symbol::new(name), strict);
        given.is_some_and(|v| matches!(v, Value::Builtin(_) | Value::Type(_) | Value::Function(_)))
    };
    if hidden(called) {
        let mut halt = halt;
        let says = format!("{called} is a variable now; this brings the function back");
        halt.told().help.push(Help { code: format!("del {called}"), says });
        return halt;
    }
    let short = |mend: Mend, short: String| Mend { short, ..mend };
    let flag = "requires_grad";
    let mend = match callee {
        _ if let Some(object) = called.strip_suffix(flag).filter(|o| o.ends_with('.')) => {
            let start = site.callee.end - flag.len() as u32;
            let says = "requires_grad is a flag; requires_grad_() sets it";
            let method = format!("{flag}_({inside})");
            let mend = Mend::new(Span { start, end: site.span.end }, method.clone(), says);
            short(mend, format!("{object}{method}"))
        }
        Value::None => return halt,
        _ if inside.trim().is_empty() => {
            let mend = Mend::new(behind, "", format!("{called} is not a function: write {called}"));
            short(mend, String::new())
        }
        Value::Int(_) | Value::Float(_) if function.is_some_and(|f| !f.is_empty()) => {
            let power = format!("{sign}{called}");
            let function = function.unwrap_or("");
            return halt.helped(vjp_syntax::habits::power_of(function, &power, inside));
        }
        Value::List(_) | Value::Tensor(_) | Value::Array(_) if indices => {
            let says = "use brackets for an index, counted from 0";
            let mend = Mend::new(behind, format!("[{inside}]"), says);
            short(mend, format!("{called}[{inside}]"))
        }
        Value::Tuple(_) | Value::List(_) | Value::Dict(_) | Value::Tensor(_) | Value::Array(_)
            if index =>
        {
            let mend = Mend::new(behind, format!("[{inside}]"), "use brackets for an index");
            short(mend, format!("{called}[{inside}]"))
        }
        Value::Int(_)
        | Value::Float(_)
        | Value::Number(_)
        | Value::NpScalar(..)
        | Value::Tensor(_)
        | Value::Array(_)
        | Value::List(_) => {
            let at = Span { end: behind.start, ..behind };
            let mend = Mend::new(at, "*", "write a product with *");
            short(mend, format!("{called}*{arguments}"))
        }
        _ => return halt,
    };
    halt.meant(mend)
}

/// What brackets behind something that is called were perhaps meant to be: `y.backward[1, 1]`.
pub(crate) fn no_index(halt: Halt, value: &Value, [called, key]: [&str; 2], at: Span) -> Halt {
    let calls = matches!(value, Value::Builtin(_) | Value::Method(_) | Value::Function(_));
    let inside = key.strip_prefix('[').and_then(|k| k.strip_suffix(']'));
    let Some(inside) = inside.filter(|_| calls) else {
        return halt;
    };
    let arguments = match inside.contains(',') {
        true => format!("([{inside}])"),
        false => format!("({inside})"),
    };
    let mend = Mend::new(at, arguments.as_str(), "use parentheses for a call");
    halt.meant(Mend { short: format!("{called}{arguments}"), ..mend })
}
