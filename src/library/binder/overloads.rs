//! What PyTorch's errors say of a call that fits no signature, and Python's of a call of a function that PyTorch writes in
//! Python: taken from PyTorch itself (overloads.txt, by overloads.py).

use crate::signature;
use crate::signature::{Accepts, Signature};
use std::cell::RefCell;
use std::collections::HashMap;
use vjp_eval::language::call::parameters;
use vjp_eval::language::call::parameters::lacks;
use vjp_eval::{Args, Builtin, Value, tp_name};
use vjp_maths::Variable;
use vjp_tensor::{Complaint, Kind, Outcome};
use vjp_text::Symbol;

/// The signatures of a function or method that has several.
pub type Overloads = &'static [&'static str];

/// By name and kind of call.
type Listed = HashMap<(&'static str, &'static str), Overloads>;

fn listed(name: &str, kind: &str) -> Option<Overloads> {
    thread_local! {
        static LISTED: Listed = read();
    }
    LISTED.with(|l| {
        let l: &HashMap<(&str, &str), Overloads> = l;
        l.get(&(name, kind)).copied()
    })
}

/// What PyTorch lists for `name`; None where it has one signature only.
pub fn of(name: &str, method: bool) -> Option<Overloads> {
    listed(name, if method { "method" } else { "function" })
}

fn read() -> Listed {
    include_str!("overloads.txt")
        .lines()
        .filter_map(|line| {
            let mut parts = line.split('|');
            let key = (parts.next()?, parts.next()?);
            let lines: Vec<&'static str> = parts.collect();
            Some((key, &*Box::leak(lines.into_boxed_slice())))
        })
        .collect()
}

/// A parameter of a function that PyTorch writes in Python.
struct Written {
    name: &'static str,
    usual: bool,
    keyword_only: bool,
}

/// The parameters of such a function; None of all others.
fn written(args: &Args) -> Option<Vec<Written>> {
    let callee = args.callee?;
    let text = listed(&format!("{}.{}", callee.module, callee.name), "python")?.first()?;
    let (before, after) = match text.split_once('*') {
        Some((before, after)) => (before, after),
        None => (*text, ""),
    };
    let read = |keyword_only: bool| {
        move |word: &'static str| Written {
            name: word.trim_end_matches('?'),
            usual: word.ends_with('?'),
            keyword_only,
        }
    };
    let named = after.split_whitespace().map(read(true));
    Some(before.split_whitespace().map(read(false)).chain(named).collect())
}

/// What makes no difference here.
const FORGOTTEN: [&str; 4] = ["size_average", "reduce", "_stacklevel", "foreach"];

/// `size_average` and `reduce`, which losses had before `reduction`.
fn legacy_reduction(args: &mut Args) {
    let given = |word: &str| {
        let value = args.named.iter().find(|(n, _)| n.as_str() == word)?.1.plain();
        matches!(value, Value::Bool(_)).then(|| matches!(value, Value::Bool(true)))
    };
    let (average, reduce) = (given("size_average"), given("reduce"));
    if average.is_none() && reduce.is_none() {
        return;
    }
    let word = match (average.unwrap_or(true), reduce.unwrap_or(true)) {
        (true, true) => "mean",
        (false, true) => "sum",
        _ => "none",
    };
    args.named.retain(|(n, _)| n.as_str() != "reduction");
    args.named.push((Symbol::new("reduction"), Value::str(word)));
}

/// A call of a function that PyTorch writes in Python: Python's errors, and where its parameters stand in
/// another order than in `own` signature, keywords for positions.
///
/// # Errors
/// Too many, missing or unknown arguments, in Python's words.
pub fn as_python(mut args: Args, own: &Signature) -> Outcome<Args> {
    let Some(params) = written(&args) else {
        return Ok(args);
    };
    let name = args.name();
    let positional = params.iter().filter(|p| !p.keyword_only).count();
    let given = args.positional.len();
    for (word, _) in &args.named {
        let word = word.as_str();
        let place = params.iter().position(|p| p.name == word);
        let says = match place {
            Some(at) if at < given.min(positional) => "multiple values for argument",
            Some(_) => continue,
            None => "an unexpected keyword argument",
        };
        let complaint = Complaint::new(Kind::Type, format!("{name}() got {says} '{word}'"));
        let known = params.iter().map(|p| p.name);
        return Err(match place {
            Some(_) => complaint,
            None => vjp_eval::language::call::misspelled::keyword(complaint, word, known),
        });
    }
    if given > positional {
        let least = params.iter().filter(|p| !p.usual && !p.keyword_only).count();
        let (takes, were) =
            (parameters::takes(least, positional), if given == 1 { "was" } else { "were" });
        let text = format!("{name}() takes {takes} but {given} {were} given");
        return Err(Complaint::new(Kind::Type, text));
    }
    for (kind, keyword_only) in [("positional", false), ("keyword-only", true)] {
        let named = |p: &Written| args.named.iter().any(|(n, _)| n.as_str() == p.name);
        let required = params.iter().enumerate().filter(|(_, p)| !p.usual);
        let missing: Vec<&str> = required
            .filter(|(at, p)| p.keyword_only == keyword_only && *at >= given && !named(p))
            .map(|(_, p)| p.name)
            .collect();
        if !missing.is_empty() {
            return Err(lacks(name, &missing, kind));
        }
    }
    // Some parameters have other names here.
    let own_name = |at: usize| -> &'static str {
        let name = params[at].name;
        let known = |word: &str| params.iter().any(|p| p.name == word);
        match own.params.get(at) {
            Some(there) if own.place(name).is_none() && !known(there.name) => there.name,
            _ => name,
        }
    };
    for (word, _) in &mut args.named {
        if let Some(at) = params.iter().position(|p| p.name == word.as_str()) {
            *word = Symbol::new(own_name(at));
        }
    }
    let places = own.params.iter().filter(|p| !p.keyword_only).enumerate();
    let same = places.take_while(|(at, p)| *at < params.len() && p.name == own_name(*at)).count();
    if same < given {
        for (at, value) in (same..).zip(args.positional.split_off(same)) {
            args.named.push((Symbol::new(own_name(at)), value));
        }
    }
    legacy_reduction(&mut args);
    args.named.retain(|(n, _)| !FORGOTTEN.contains(&n.as_str()));
    Ok(args)
}

/// Functions of `torch.nn.functional` that PyTorch writes in Python and that first ask an argument for an attribute.
const ASKED: [(&str, &str); 16] = [
    ("mse_loss", "size"),
    ("l1_loss", "size"),
    ("smooth_l1_loss", "size"),
    ("huber_loss", "size"),
    ("binary_cross_entropy", "size"),
    ("binary_cross_entropy_with_logits", "size"),
    ("tanhshrink", "tanh"),
    ("glu", "dim"),
    ("interpolate", "dim"),
    ("upsample", "dim"),
    ("softmax", "softmax"),
    ("log_softmax", "log_softmax"),
    ("sigmoid", "sigmoid"),
    ("tanh", "tanh"),
    ("normalize", "norm"),
    ("softsign", "abs"),
];

pub const FUNCTIONAL: &str = "torch.nn.functional";

/// The attribute that a function misses in what is not a tensor.
pub fn asked(name: &str) -> Option<&'static str> {
    ASKED.iter().find(|(n, _)| *n == name).map(|(_, attribute)| *attribute)
}

/// Functions of `torch.nn.functional` that hand their arguments on to one of another name.
const HANDED_ON: [(&str, &str); 3] = [
    ("cross_entropy", "cross_entropy_loss"),
    ("nll_loss", "nll_loss_nd"),
    ("logsigmoid", "log_sigmoid"),
];

/// As PyTorch's errors call a function: those of `torch.linalg` and `torch.special` by their names in C.
pub fn said(args: &Args) -> &'static str {
    let (name, module) = (args.name(), args.callee.map_or("", |callee| callee.module));
    if module == FUNCTIONAL
        && let Some((_, other)) = HANDED_ON.iter().find(|(n, _)| *n == name)
    {
        return other;
    }
    let Some(module) = module.strip_prefix("torch.").filter(|m| matches!(*m, "linalg" | "special"))
    else {
        return name;
    };
    thread_local! {
        static KNOWN: RefCell<HashMap<(&'static str, &'static str), &'static str>> =
            RefCell::default();
    }
    let made = || &*String::leak(format!("{module}_{name}"));
    KNOWN.with_borrow_mut(|known| *known.entry((module, name)).or_insert_with(made))
}

/// Functions of which PyTorch takes numbers for tensors.
const NUMBERS: [&str; 9] =
    ["add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide", "floor_divide"];

/// Functions that take None for all dimensions, though PyTorch's lists do not say so.
const ANY_DIMENSIONS: [&str; 6] = ["mean", "std", "std_mean", "sum", "var", "var_mean"];

/// Whether the list is that of the function called: some names are those of functions of `torch.nn.functional` and of
/// NumPy too.
pub fn speaks_for(args: &Args, method: bool) -> bool {
    let tensor = |v: Option<&Value>| matches!(v, Some(Value::Tensor(_)));
    match args.callee {
        Some(callee) if !method => {
            matches!(callee.module, "torch" | "torch.linalg" | "torch.special")
        }
        _ => method && tensor(args.positional.first()),
    }
}

/// Whether PyTorch takes a call of a function that is no operation of the catalogue: how many arguments, and
/// where `strict` of which types.
pub fn check(callee: &'static Builtin, args: &Args, strict: bool) -> Outcome<()> {
    if callee.module != "torch" || crate::catalogue::origin(callee).is_some() {
        return Ok(());
    }
    let (name, given) = (callee.name, args.positional.len());
    // `@torch.no_grad` without brackets decorates a function.
    let decorates = matches!(name, "no_grad" | "enable_grad")
        && matches!(args.positional.first(), Some(Value::Function(_) | Value::BoundFunction(_)));
    if callee.signature == "()" && given > 0 && !decorates {
        let text = match listed(&format!("torch.{name}"), "python") {
            Some(_) => {
                let were = if given == 1 { "was" } else { "were" };
                format!("{name}() takes 0 positional arguments but {given} {were} given")
            }
            None => format!("torch.{name}() takes no arguments ({given} given)"),
        };
        return Err(Complaint::new(Kind::Type, text));
    }
    let Some(lines) = of(name, false).filter(|_| strict) else {
        return Ok(());
    };
    if accepted(args, lines, false) {
        return Ok(());
    }
    let one = || lines.iter().find_map(|line| wrong(line, name, args));
    none_fits(args, Some(lines), false).or_else(one).map_or(Ok(()), Err)
}

/// Functions that PyTorch gives tensors to one by one.
const SPREAD: [&str; 2] = ["meshgrid", "einsum"];

/// The complaint about tensors one by one, as in `hstack(a, b)`, where PyTorch takes a list of them.
pub fn one_by_one(args: &Args, line: &'static str) -> Option<Box<Complaint>> {
    let (name, own) = (args.name(), signature(line));
    let list = own.params.iter().any(|p| p.accepts == Accepts::Tensors && !p.starred);
    let (takes, given) = (own.positional(), args.positional.len());
    let known = listed(&format!("torch.{name}"), "python").is_some() || of(name, false).is_some();
    (list && takes == 1 && given > takes && !known && !SPREAD.contains(&name)).then(|| {
        let text = format!("{name}() takes {takes} positional argument but {given} were given");
        Complaint::new(Kind::Type, text)
    })
}

/// The one argument of a call that is not of its parameter's type.
fn wrong(line: &str, called: &str, args: &Args) -> Option<Box<Complaint>> {
    let places = pieces(line).take_while(|p| *p != "*");
    let (at, (piece, value)) =
        places.zip(&args.positional).enumerate().find(|(_, (p, v))| !takes(p, v, false))?;
    let (name, kind, given) = (name(piece), kind(piece), tp_name(value));
    let at = at + 1;
    let text = format!("{called}(): argument '{name}' (position {at}) must be {kind}, not {given}");
    Some(Complaint::new(Kind::Type, text))
}

/// Whether one of PyTorch's signatures takes a call, by the types of its arguments.
pub fn accepted(args: &Args, lines: Overloads, method: bool) -> bool {
    let positional = &args.positional[usize::from(method).min(args.positional.len())..];
    let numbers = NUMBERS.contains(&args.name().trim_end_matches('_'));
    lines.iter().any(|line| takes_call(line, positional, args, numbers))
}

fn takes_call(line: &str, positional: &[Value], args: &Args, numbers: bool) -> bool {
    let (mut places, mut named_only) = (Vec::new(), Vec::new());
    let any_dimensions = ANY_DIMENSIONS.contains(&args.name());
    let takes = |piece: &str, v: &Value| {
        takes(piece, v, numbers) || any_dimensions && v.is_none() && kind(piece) == "tuple of ints"
    };
    let mut starred = false;
    for piece in pieces(line).filter(|p| !p.is_empty() && *p != "()") {
        match piece {
            "*" => starred = true,
            piece if starred => named_only.push(piece),
            piece => places.push(piece),
        }
    }
    // `x.view(2, 2)`: the ints are one argument.
    let ints =
        |v: &Value| matches!(v.plain(), Value::Int(_) | Value::Long(_) | Value::NpScalar(..));
    let gathered = match places.as_slice() {
        [only] => kind(only) == "tuple of ints" && positional.first().is_none_or(ints),
        _ => false,
    };
    if !gathered {
        let fits = |(piece, v): (&&str, &Value)| takes(piece, v);
        if positional.len() > places.len() || !places.iter().zip(positional).all(fits) {
            return false;
        }
    }
    let taken = if gathered { positional.len().min(1) } else { positional.len() };
    let rest = || places.iter().skip(taken).chain(&named_only);
    let named =
        |piece: &str| args.named.iter().find(|(word, _)| usual_name(word.as_str()) == name(piece));
    let known = args.named.iter().all(|(word, value)| {
        let word = usual_name(word.as_str());
        if matches!(word, "out" | "generator") {
            return true;
        }
        rest().any(|piece| name(piece) == word && takes(piece, value))
    });
    known && rest().all(|piece| piece.contains(" = ") || named(piece).is_some())
}

/// NumPy's words for PyTorch's.
fn usual_name(word: &str) -> &str {
    match word {
        "axis" => "dim",
        "keepdims" => "keepdim",
        "a" | "x" | "x1" => "input",
        "x2" => "other",
        word => word,
    }
}

/// Whether a parameter takes a value, by its type.
fn takes(piece: &str, value: &Value, numbers: bool) -> bool {
    let plain = value.plain();
    let number =
        plain.is_int() || matches!(plain, Value::Float(_) | Value::Bool(_) | Value::NpScalar(..));
    let single = |v: &Variable| v.rank() == 0 && !v.requires_grad();
    match (kind(piece), &plain) {
        (_, Value::None) => piece.ends_with("= None"),
        (_, Value::Object(_)) => true,
        ("Tensor", Value::Tensor(_)) => true,
        ("Tensor", _) => numbers && number,
        ("Number" | "float", Value::Tensor(v)) => single(v),
        ("Number" | "float", _) => number,
        ("int", Value::Tensor(v)) => single(v) && !v.dtype().is_float(),
        ("int", Value::NpScalar(_, d)) => !d.is_float(),
        ("int", v) => v.is_int(),
        ("bool", v) => matches!(v, Value::Bool(_) | Value::NpScalar(..)),
        ("str", v) => matches!(v, Value::Str(_)),
        // No single int where the default is two.
        ("tuple of ints", Value::Int(_) | Value::Long(_) | Value::NpScalar(..)) => {
            !piece.contains("= {") && name(piece) != "size"
        }
        ("tuple of ints", Value::Tensor(v)) => !v.dtype().is_float() && v.numel() == 1,
        ("tuple of ints", v) => listed_values(v).is_some_and(|items| {
            let int = |v: &Value| match v.plain() {
                Value::Int(_) | Value::Long(_) | Value::Bool(_) => true,
                Value::NpScalar(_, d) => !d.is_float(),
                Value::Tensor(t) => !t.dtype().is_float(),
                _ => false,
            };
            items.first().is_none_or(int)
        }),
        ("tuple of Tensors", v) => listed_values(v).is_some(),
        ("torch.dtype", v) => crate::readers::as_dtype(v).is_some(),
        _ => true,
    }
}

pub fn listed_values(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::List(list) => Some(list.items.borrow().to_vec()),
        Value::Tuple(tuple) => Some(tuple.items.clone()),
        Value::Range(_) => Some(Vec::new()),
        _ => None,
    }
}

/// The complaint that lists the signatures; None where PyTorch speaks of the one argument that is
/// wrong, because only one signature takes so many.
pub fn none_fits(args: &Args, listed: Option<Overloads>, method: bool) -> Option<Box<Complaint>> {
    let lines = listed?;
    let positional = &args.positional[usize::from(method).min(args.positional.len())..];
    let count = positional.len() + args.named.len();
    let plausible = lines.iter().filter(|l| {
        let (least, most) = arity(l);
        (least..=most).contains(&count)
    });
    let plausible: Vec<&&str> = plausible.collect();
    if let [only] = plausible.as_slice() {
        return lacking(only, positional, args);
    }
    // From the last to the first, as C++ walks its map of them.
    let named = |mark: &str| -> Vec<String> {
        let all = args.named.iter().rev();
        all.map(|(n, v)| format!("{n}={mark}{}{mark}", tp_name(v))).collect()
    };
    let mut got: Vec<String> = positional.iter().map(tp_name).collect();
    got.extend(named(""));
    let got = got.join(", ") + if positional.is_empty() && !got.is_empty() { ", " } else { "" };
    let begins = format!("{}() received an invalid combination of arguments - ", said(args));
    if let [line] = lines {
        let all: Vec<&str> = pieces(line).collect();
        let known = |n: &str| all.iter().any(|p| name(p) == n);
        let unknown: Vec<&str> =
            args.named.iter().rev().map(|(n, _)| n.as_str()).filter(|n| !known(n)).collect();
        let got = match all.len() == count {
            true => marked(positional, &all, &named("")),
            false => got,
        };
        return Some(Complaint::new(
            Kind::Type,
            match unknown.is_empty() {
                true => format!("{begins}got ({got}), but expected {line}"),
                false => {
                    let unknown = unknown.join(", ");
                    format!("{begins}got unrecognized keyword arguments: {unknown}")
                }
            },
        ));
    }
    let mut text = format!("{begins}got ({got}), but expected one of:\n");
    for line in lines {
        text.push_str(&format!(" * {line}\n"));
        // PyTorch counts what stands between commas, a lone star too.
        let pieces: Vec<&str> = pieces(line).collect();
        if pieces.len() != count {
            continue;
        }
        let unknown: Vec<&str> = args
            .named
            .iter()
            .rev()
            .map(|(n, _)| n.as_str())
            .filter(|n| !pieces.iter().any(|p| name(p) == *n))
            .collect();
        if unknown.is_empty() {
            text.push_str(&format!(
                "      didn't match because some of the arguments have invalid types: ({})\n",
                marked(positional, &pieces, &named(""))
            ));
        } else {
            text.push_str(&format!(
                "      didn't match because some of the keywords were incorrect: {}\n",
                unknown.join(", ")
            ));
        }
    }
    Some(Complaint::new(Kind::Type, text))
}

/// The complaint of the one signature that takes so many arguments, where it lacks some.
fn lacking(line: &str, positional: &[Value], args: &Args) -> Option<Box<Complaint>> {
    let places: Vec<&str> =
        pieces(line).take_while(|p| *p != "*").filter(|p| !matches!(*p, "" | "()")).collect();
    if !places.iter().zip(positional).all(|(piece, v)| takes(piece, v, true)) {
        return None;
    }
    let given = |piece: &str| args.named.iter().any(|(w, _)| usual_name(w.as_str()) == name(piece));
    let rest = places.iter().skip(positional.len());
    let missing: Vec<String> = rest
        .filter(|piece| !piece.contains(" = ") && !given(piece))
        .map(|piece| format!("\"{}\"", name(piece)))
        .collect();
    let n = missing.len();
    (n > 0).then(|| {
        let missing = missing.join(", ");
        let s = if n == 1 { "s" } else { "" };
        let text =
            format!("{}() missing {n} required positional argument{s}: {missing}", said(args));
        Complaint::new(Kind::Type, text)
    })
}

/// The types of arguments, those between marks that are not of their parameter.
fn marked(positional: &[Value], pieces: &[&str], named: &[String]) -> String {
    let one = |(v, p): (&Value, &&str)| {
        let elements = match v {
            Value::List(_) => Some(("[", "]")),
            Value::Tuple(t) if t.items.len() == 1 => Some(("(", ",)")),
            Value::Tuple(_) => Some(("(", ")")),
            _ => None,
        };
        let text = match (elements, listed_values(v)) {
            (Some((open, close)), Some(items)) => {
                let items: Vec<String> = items.iter().map(tp_name).collect();
                format!("{} of {open}{}{close}", tp_name(v), items.join(", "))
            }
            _ => tp_name(v),
        };
        if fits(p, v) { text } else { format!("!{text}!") }
    };
    let all: Vec<String> = positional.iter().zip(pieces).map(one).collect();
    [all, named.to_vec()].concat().join(", ")
}

fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let inner = line.trim_start_matches('(').trim_end_matches(')');
    // `()` counts as one piece.
    inner.split(", ")
}

/// The name in `tuple of ints dim = None`.
fn name(piece: &str) -> &str {
    let head = piece.split(" = ").next().unwrap_or(piece);
    head.rsplit(' ').next().unwrap_or(head)
}

/// How many arguments a signature needs and how many it takes.
fn arity(line: &str) -> (usize, usize) {
    let inner = line.trim_start_matches('(').trim_end_matches(')');
    let real = || inner.split(", ").filter(|p| !p.is_empty() && *p != "*");
    (real().filter(|p| !p.contains(" = ")).count(), real().count())
}

/// PyTorch compares the names of types only: an int is no Number to it here.
fn fits(piece: &str, value: &Value) -> bool {
    kind(piece) == tp_name(value)
}

/// The type in `tuple of ints dim = None`.
fn kind(piece: &str) -> &str {
    let head = piece.split(" = ").next().unwrap_or(piece);
    head.rsplit_once(' ').map_or("", |(kind, _)| kind)
}
