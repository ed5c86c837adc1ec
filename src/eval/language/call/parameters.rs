//! Binding the arguments of a call to the parameters of a function, and what is wrong with them.

use crate::language::env::{Frame, FrameKind};
use crate::values::value::Function;
use crate::{Args, Halt, Machine, Tried, Value};
use std::fmt::Display;
use std::rc::Rc;
use vjp_syntax::ast::{self, ParamKind};
use vjp_tensor::{Complaint, Kind};
use vjp_text::Symbol;

impl Machine {
    /// The frame of a call.
    ///
    /// # Errors
    /// TypeError for arguments that do not fit.
    pub(crate) fn bind_parameters(&mut self, f: &Rc<Function>, args: Args) -> Tried<Frame> {
        let mut frame = Frame::new(FrameKind::Function, Rc::clone(&f.names), f.scope.clone());
        frame.title = Some(Rc::clone(&f.qualified));
        frame.class = f.class.borrow().upgrade();
        let params = &f.code.params.list;
        let given = args.positional.len();
        let mut positional = args.positional.into_iter();
        let mut named = args.named;
        let mut missing: Vec<Symbol> = Vec::new();
        let mut missing_named: Vec<Symbol> = Vec::new();
        let mut keyword_only = 0;
        for (p, default) in params.iter().zip(&f.defaults) {
            let name = p.name.symbol;
            let take = |named: &mut Vec<(Symbol, Value)>| {
                let i = named.iter().position(|(n, _)| *n == name)?;
                Some(named.remove(i).1)
            };
            let value = match p.kind {
                ParamKind::Rest => Some(Value::tuple(positional.by_ref().collect())),
                ParamKind::RestKeywords => continue,
                ParamKind::KeywordOnly => match take(&mut named) {
                    Some(v) => {
                        keyword_only += 1;
                        Some(v)
                    }
                    None if default.is_some() => default.clone(),
                    None => {
                        missing_named.push(name);
                        None
                    }
                },
                ParamKind::Normal | ParamKind::PositionalOnly => match positional.next() {
                    Some(v) => {
                        if p.kind == ParamKind::Normal && take(&mut named).is_some() {
                            crate::raise!(
                                Kind::Type,
                                "{}() got multiple values for argument '{name}'",
                                title(f, &frame)
                            );
                        }
                        Some(v)
                    }
                    None => {
                        let by_name = match p.kind {
                            ParamKind::Normal => take(&mut named),
                            _ => None,
                        };
                        match by_name.or_else(|| default.clone()) {
                            Some(v) => Some(v),
                            None => {
                                missing.push(name);
                                None
                            }
                        }
                    }
                },
            };
            if let Some(v) = value {
                frame.values.get_mut().push((name, v));
            }
        }
        if positional.next().is_some() {
            return Err(too_many(f, given, keyword_only, &frame));
        }
        let rest = params.iter().find(|p| p.kind == ParamKind::RestKeywords);
        match rest {
            Some(p) => {
                let dict = crate::Dict::default();
                for (n, v) in named {
                    let name = Value::str(n.as_str());
                    let key = crate::values::dict::Key::of(&name)?;
                    dict.written()?.insert(key, name, v);
                }
                frame.values.get_mut().push((p.name.symbol, Value::dict(dict)));
            }
            None => {
                let by_position = |n: &Symbol| {
                    let mut only = params.iter().filter(|p| p.kind == ParamKind::PositionalOnly);
                    only.any(|p| p.name.symbol == *n)
                };
                let wrong: Vec<&str> =
                    named.iter().filter(|(n, _)| by_position(n)).map(|(n, _)| n.as_str()).collect();
                if !wrong.is_empty() {
                    crate::raise!(
                        Kind::Type,
                        "{}() got some positional-only arguments passed as keyword arguments: '{}'",
                        f.qualified,
                        wrong.join(", ")
                    );
                }
                if let Some((n, _)) = named.first() {
                    let title = title(f, &frame);
                    let says = format!("{title}() got an unexpected keyword argument '{n}'");
                    let known = f.code.params.list.iter().map(|p| p.name.as_str());
                    let complaint = Complaint::new(Kind::Type, says);
                    return Err(crate::language::call::misspelled::keyword(
                        complaint,
                        n.as_str(),
                        known,
                    )
                    .into());
                }
            }
        }
        for (names, kind) in [(&missing, "positional"), (&missing_named, "keyword-only")] {
            if !names.is_empty() {
                return Err(lacks(&title(f, &frame), names, kind).into());
            }
        }
        Ok(frame)
    }
}

/// What a call's errors call the function. The library's own classes share their `__init__`: it is
/// named after the class that is made.
fn title(f: &Function, frame: &Frame) -> String {
    let this = frame.values.borrow().first().map(|(_, v)| v.clone());
    if let (true, Some(Value::Instance(i))) = (f.source.is_own(), this) {
        let known = crate::language::class::order(&i.class());
        let own = known.iter().find_map(|c| match c {
            Value::Class(c) if c.module().as_str() != Some("__main__") => Some(c.name),
            _ => None,
        });
        if let Some(class) = own {
            return format!("{class}.{}", f.code.name.symbol);
        }
    }
    f.qualified.to_string()
}

/// Python's complaint about arguments that are missing.
pub fn lacks(title: &str, missing: &[impl Display], kind: &str) -> Box<Complaint> {
    let n = missing.len();
    let names: Vec<String> = missing.iter().map(|s| format!("'{s}'")).collect();
    let list = match names.as_slice() {
        [one] => one.clone(),
        [a, b] => format!("{a} and {b}"),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
        [] => String::new(),
    };
    let s = if n == 1 { "" } else { "s" };
    let text = format!("{title}() missing {n} required {kind} argument{s}: {list}");
    Complaint::new(Kind::Type, text)
}

/// What Python says that a function takes: `from 1 to 3 positional arguments`.
pub fn takes(least: usize, most: usize) -> String {
    if least < most {
        return format!("from {least} to {most} positional arguments");
    }
    format!("{most} positional argument{}", if most == 1 { "" } else { "s" })
}

fn too_many(f: &Function, given: usize, named: usize, frame: &Frame) -> Halt {
    let params = &f.code.params.list;
    let is_positional =
        |p: &&ast::Param| matches!(p.kind, ParamKind::Normal | ParamKind::PositionalOnly);
    let most = params.iter().filter(is_positional).count();
    let least =
        params.iter().zip(&f.defaults).filter(|(p, d)| is_positional(p) && d.is_none()).count();
    let takes = takes(least, most);
    let were = if named > 0 {
        format!(
            "{given} positional argument{} (and {named} keyword-only argument{}) were",
            if given == 1 { "" } else { "s" },
            if named == 1 { "" } else { "s" }
        )
    } else {
        format!("{given} {}", if given == 1 { "was" } else { "were" })
    };
    Halt::new(Kind::Type, format!("{}() takes {takes} but {were} given", title(f, frame)))
}
