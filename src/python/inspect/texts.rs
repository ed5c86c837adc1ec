//! `eval`, `exec` and the names that they are given; `__import__`.

use super::names_as_dict;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use vjp_eval::{Args, At, Dict, Machine, Tried, Value, name_of, raise};
use vjp_tensor::Kind;

type Made = Tried<Value>;

thread_local! {
    /// What `globals()` gave last: what a text binds in it, it binds in the program.
    static GLOBALS: RefCell<Weak<Dict>> = RefCell::default();
}

pub fn globals(m: &mut Machine, args: Args) -> Made {
    args.count(0, 0)?;
    let names = names_as_dict(m)?;
    if let Value::Dict(dict) = &names {
        GLOBALS.replace(Rc::downgrade(dict));
    }
    Ok(names)
}

pub fn locals(m: &mut Machine, args: Args) -> Made {
    match m.innermost() {
        Some(frame) => super::frames::names_of(m, &frame),
        None => globals(m, args),
    }
}

pub fn eval(m: &mut Machine, args: Args) -> Made {
    run(m, args, true)
}

pub fn exec(m: &mut Machine, args: Args) -> Made {
    run(m, args, false)
}

fn run(m: &mut Machine, args: Args, expression: bool) -> Made {
    args.count(1, 3)?;
    let name = args.name();
    let text = match &args.positional[0] {
        Value::Str(text) => text.to_string(),
        _ => raise!(Kind::Type, "{name}() arg 1 must be a string, bytes or code object"),
    };
    let mut names = Vec::new();
    for given in args.positional[1..].iter().rev() {
        match given.base() {
            Value::None => {}
            // The program's own are found anyway.
            Value::Dict(dict) if GLOBALS.with_borrow(|g| g.ptr_eq(&Rc::downgrade(&dict))) => {}
            Value::Dict(dict) => names.push(dict),
            _ if expression => raise!(Kind::Type, "globals must be a dict"),
            other => raise!(Kind::Type, "exec() globals must be a dict, not {}", name_of(&other)),
        }
    }
    m.run_text(&text, expression, &names, args.site.span).at(args.site.span)
}

pub fn import(m: &mut Machine, args: Args) -> Made {
    let Some(Value::Str(name)) = args.positional.first() else {
        raise!(Kind::Type, "module name must be a string");
    };
    let name = name.to_string();
    let asks = matches!(args.positional.get(3), Some(Value::List(_) | Value::Tuple(_)));
    m.imported(&name, !asks).at(args.site.span)
}
