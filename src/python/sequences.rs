//! Builtins that go through elements.

use crate::lists;
use vjp_eval::language::exception;
use vjp_eval::library::table::{given, is_matrix};
use vjp_eval::values::long_text;
use vjp_eval::{Args, Halt, Help, Machine, Note, Tried, Value, raise, tp_name};
use vjp_syntax::ast::BinaryOp;
use vjp_tensor::Kind;

type Made = Tried<Value>;

pub fn len(m: &mut Machine, args: Args) -> Made {
    args.no_names()?;
    args.count(1, 1)?;
    let v = &args.positional[0];
    if let Some(n) = is_matrix(v).then(|| (given().matrix.rows)(v)).flatten() {
        return Ok(Value::Int(n as i64));
    }
    let n = match v {
        Value::Str(s) => long_text::count(s),
        Value::List(l) => l.items.borrow().len(),
        Value::Tuple(t) => t.items.len(),
        Value::Dict(d) => d.entries.borrow().len(),
        Value::Set(s) => s.entries.borrow().len(),
        Value::Range(r) => r.len(),
        Value::Tensor(_) if let Some(method) = m.special(v, "__len__") => {
            let n = m.call_with(&method, Vec::new(), &args.site)?;
            return Ok(Value::Int(m.as_index(&n)?));
        }
        Value::Tensor(t) => match t.shape().first() {
            Some(n) => *n,
            None => raise!(Kind::Type, "len() of a 0-d tensor"),
        },
        Value::Array(t) => match t.shape().first() {
            Some(n) => *n,
            None => raise!(Kind::Type, "len() of unsized object"),
        },
        Value::Object(o) => match o.elements(m) {
            Some(items) => items?.len(),
            None => return Err(no_len(v)),
        },
        Value::Instance(_) | Value::Class(_) => match m.special(v, "__len__") {
            Some(method) => {
                let n = m.call_with(&method, Vec::new(), &args.site)?;
                return Ok(Value::Int(m.as_index(&n)?));
            }
            None => return Err(no_len(v)),
        },
        _ => return Err(no_len(v)),
    };
    if n as u128 == i64::MAX as u128 && matches!(v, Value::Range(r) if r.count() > n as u128) {
        raise!(Kind::Overflow, "Python int too large to convert to C ssize_t");
    }
    Ok(Value::Int(n as i64))
}

fn no_len(v: &Value) -> Halt {
    Halt::new(Kind::Type, format!("object of type '{}' has no len()", tp_name(v)))
}

pub fn sum(m: &mut Machine, mut args: Args) -> Made {
    if args.positional.len() > 2 {
        let n = args.positional.len();
        raise!(Kind::Type, "sum() takes at most 2 arguments ({n} given)");
    }
    let start = args.take_at(1, "start");
    if args.positional.is_empty() {
        raise!(Kind::Type, "sum() takes at least 1 positional argument (0 given)");
    }
    let mut total = start.unwrap_or(Value::Int(0));
    if matches!(total, Value::Str(_)) {
        raise!(Kind::Type, "sum() can't sum strings [use ''.join(seq) instead]");
    }
    let mut elements = m.iterate(&args.positional[0])?;
    while let Some(v) = elements.next(m)? {
        vjp_tensor::budget::tick()?;
        total = m.binary(BinaryOp::Add, &total, &v)?;
    }
    if !m.strict() {
        note_rows(m, &args);
    }
    Ok(total)
}

/// Python's `sum` of a matrix leaves a vector; who writes mathematics means one number.
fn note_rows(m: &mut Machine, args: &Args) {
    let rank = vjp_eval::leaf::existing(&args.positional[0]).map_or(0, |t| t.rank());
    let all = args.site.text(args.site.arg(0)).trim();
    if rank < 2 || all.is_empty() || m.noted("sum-rows") {
        return;
    }
    let note = Note {
        text: "sum adds the rows of a matrix, as in Python, and returns a vector".into(),
        at: None,
        help: vec![Help { code: format!("torch.sum({all})"), says: "adds all elements".into() }],
        source: None,
    };
    m.note("sum-rows", note);
}

pub fn extreme(m: &mut Machine, mut args: Args, largest: bool) -> Made {
    let name = if largest { "max" } else { "min" };
    let key = args.take("key").filter(|k| !k.is_none());
    let default = args.take("default");
    args.only_names(&[])?;
    let items = match args.positional.as_slice() {
        [] => raise!(Kind::Type, "{name} expected at least 1 argument, got 0"),
        [one] => m.collect(one)?,
        _ if default.is_some() => raise!(
            Kind::Type,
            "Cannot specify a default for {name}() with multiple positional arguments"
        ),
        several => several.to_vec(),
    };
    let mut best: Option<(Value, Value)> = None;
    for v in items {
        let k = match &key {
            Some(f) => m.call_with(f, vec![v.clone()], &args.site)?,
            None => v.clone(),
        };
        let better = match &best {
            None => true,
            Some((b, _)) if largest => m.greater(&k, b)?,
            Some((b, _)) => m.less(&k, b)?,
        };
        if better {
            best = Some((k, v));
        }
    }
    match (best, default) {
        (Some((_, v)), _) | (None, Some(v)) => Ok(v),
        (None, None) => raise!(Kind::Value, "{name}() arg is an empty sequence"),
    }
}

pub fn sorted(m: &mut Machine, mut args: Args) -> Made {
    let key = args.take("key");
    let reverse = args.take("reverse");
    args.only_names(&[])?;
    if args.positional.len() != 1 {
        raise!(Kind::Type, "sorted expected 1 argument, got {}", args.positional.len());
    }
    let items = m.collect(&args.positional[0])?;
    Ok(Value::list(lists::in_order(m, items, key, reverse, &args.site)?))
}

pub fn some(m: &mut Machine, args: Args, wanted: bool) -> Made {
    args.no_names()?;
    args.count(1, 1)?;
    let mut elements = m.iterate(&args.positional[0])?;
    while let Some(v) = elements.next(m)? {
        vjp_tensor::budget::tick()?;
        if m.truth(&v)? == wanted {
            return Ok(Value::Bool(wanted));
        }
    }
    Ok(Value::Bool(!wanted))
}

pub fn iter(m: &mut Machine, args: Args) -> Made {
    args.count(1, 2)?;
    let v = &args.positional[0];
    if let Some(end) = args.positional.get(1) {
        if !m.callable(v) {
            raise!(Kind::Type, "iter(v, w): v must be callable");
        }
        return Ok(Value::iterator(super::iterators::Until {
            function: v.clone(),
            end: end.clone(),
            site: args.site,
        }));
    }
    if let Value::Iterator(_) = v {
        return Ok(v.clone());
    }
    if let Value::Instance(_) = v
        && let Some(method) = m.special(v, "__iter__")
    {
        return m.call_with(&method, Vec::new(), &args.site);
    }
    let of = m.iterate(v)?;
    Ok(Value::Iterator(std::rc::Rc::new(std::cell::RefCell::new(of))))
}

pub fn next(m: &mut Machine, args: Args) -> Made {
    args.count(1, 2)?;
    let default = args.positional.get(1).cloned();
    let mut result = Value::None;
    let found = match &args.positional[0] {
        Value::Iterator(i) => match i.try_borrow_mut() {
            Ok(mut i) => {
                let next = i.next(m)?;
                if next.is_none() {
                    result = i.result();
                }
                next
            }
            Err(_) => raise!(Kind::Value, "generator already executing"),
        },
        v => match m.special(v, "__next__") {
            Some(method) => match m.call_with(&method, Vec::new(), &args.site) {
                Ok(v) => Some(v),
                Err(h) if h.kind() == Kind::StopIteration && default.is_some() => None,
                Err(h) => return Err(h),
            },
            None => raise!(Kind::Type, "'{}' object is not an iterator", tp_name(v)),
        },
    };
    match found.or(default) {
        Some(v) => Ok(v),
        None => Err(stop(result)),
    }
}

/// StopIteration with what the generator returned.
pub fn stop(result: Value) -> Halt {
    let args = match result {
        Value::None => Vec::new(),
        other => vec![other],
    };
    exception::halt(Kind::StopIteration, args)
}
