//! What `inspect` is made of: frames of calls, and what functions take.

use std::rc::Rc;
use vjp_eval::language::env::{Frame, FrameKind, Scope};
use vjp_eval::library::builtins;
use vjp_eval::values::dict::Key;
use vjp_eval::{Args, Dict, Machine, Object, Tried, Value};
use vjp_syntax::ast::{Function, ParamKind};
use vjp_text::{Source, Symbol};

type Made = Tried<Value>;

builtins! {
    /// What `inspect` is made of.
    pub static INSPECT in "inspect";
    "_frame" "()" frame, "Returns the frame of the call from which this function was called.";
    "_parameters" "(function, /)" of_function, "Returns name, kind, default and annotation of each parameter.";
    "_source" "(function, /)" source, "Returns the text of a function.";
}

/// A call that is under way; the first of `scopes` is its own, those after it the calls around it.
struct CallFrame {
    scopes: Rc<[Scope]>,
}

impl CallFrame {
    fn code(&self, machine: &Machine) -> Option<Rc<Function>> {
        machine.code_of(self.scopes.first()?.as_ref()?)
    }
}

fn frame(machine: &mut Machine, _: Args) -> Made {
    let function = |s: &&Scope| s.as_ref().is_none_or(|f| f.kind == FrameKind::Function);
    let scopes: Rc<[Scope]> = machine.callers().iter().rev().filter(function).cloned().collect();
    Ok(Value::Object(Rc::new(CallFrame { scopes })))
}

impl Object for CallFrame {
    fn type_name(&self) -> String {
        "frame".into()
    }

    fn get(&self, _: &Value, name: Symbol, m: &mut Machine) -> Tried<Option<Value>> {
        Ok(match name.as_str() {
            "f_back" => Some(match self.scopes.get(1..) {
                Some(around) if !around.is_empty() => {
                    Value::Object(Rc::new(CallFrame { scopes: around.into() }))
                }
                _ => Value::None,
            }),
            "f_locals" => match self.scopes.first() {
                Some(Some(frame)) => Some(names_of(m, frame)?),
                _ => Some(super::names_as_dict(m)?),
            },
            "f_globals" => Some(super::names_as_dict(m)?),
            "f_code" => Some(Value::Object(Rc::new(Code(self.code(m))))),
            "f_lineno" => Some(Value::Int(m.line_now().1 as i64)),
            "_parameters" => Some(match self.code(m) {
                Some(code) => parameters(&code, &[], None),
                None => Value::list(Vec::new()),
            }),
            _ => None,
        })
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok("<frame object>".into())
    }
}

/// The names of a call as a dict.
pub(super) fn names_of(machine: &Machine, frame: &Frame) -> Made {
    let dict = Dict::default();
    let mut values = frame.values.borrow().to_vec();
    // Python keeps `*args` and `**kwargs` after the other parameters.
    if let Some(code) = machine.code_of(frame) {
        let params = &code.params.list;
        let of = |name| params.iter().find(|p| p.name.symbol == name);
        values.sort_by_key(|(name, _)| match of(*name).map(|p| p.kind) {
            Some(ParamKind::Rest) => 1,
            Some(ParamKind::RestKeywords) => 2,
            Some(_) => 0,
            None => 3,
        });
    }
    for (name, value) in &values {
        let name = Value::from(name.as_str());
        dict.written()?.insert(Key::of(&name)?, name, value.clone());
    }
    Ok(Value::dict(dict))
}

/// The code of a frame: its name.
struct Code(Option<Rc<Function>>);

impl Object for Code {
    fn type_name(&self) -> String {
        "code".into()
    }

    fn get(&self, _: &Value, name: Symbol, _: &mut Machine) -> Tried<Option<Value>> {
        Ok(match (name.as_str(), &self.0) {
            ("co_name", Some(code)) => Some(Value::from(code.name.as_str())),
            ("co_name", None) => Some(Value::from("<module>")),
            _ => None,
        })
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok("<code object>".into())
    }
}

/// A list of what is known of each: name, kind in Python's numbers, whether it has a default, the
/// default, the annotation as text.
fn parameters(code: &Function, defaults: &[Option<Value>], source: Option<&Source>) -> Value {
    let one = |(k, p): (usize, &vjp_syntax::ast::Param)| {
        let kind = match p.kind {
            ParamKind::PositionalOnly => 0,
            ParamKind::Normal => 1,
            ParamKind::Rest => 2,
            ParamKind::KeywordOnly => 3,
            ParamKind::RestKeywords => 4,
        };
        let default = defaults.get(k).cloned().flatten();
        let annotation = p.annotation.as_ref().zip(source);
        Value::tuple(vec![
            Value::from(p.name.as_str()),
            Value::Int(kind),
            Value::Bool(default.is_some()),
            default.unwrap_or(Value::None),
            annotation.map_or(Value::None, |(a, s)| Value::from(s.slice(a.span))),
        ])
    };
    Value::list(code.params.list.iter().enumerate().map(one).collect())
}

fn of_function(_: &mut Machine, args: Args) -> Made {
    Ok(match args.positional.first() {
        Some(Value::Function(f)) => parameters(&f.code, &f.defaults, Some(&f.source)),
        _ => Value::None,
    })
}

fn source(_: &mut Machine, args: Args) -> Made {
    Ok(match args.positional.first() {
        Some(Value::Function(f)) => Value::from(format!("{}\n", f.source.slice(f.code.span))),
        _ => Value::None,
    })
}
