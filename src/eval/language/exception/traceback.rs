//! `e.__traceback__`: the calls that an exception came through, for `traceback` and `logging`.

use super::raise::{Raised, Tried};
use crate::values::value::Exception;
use crate::{Machine, Object, Value};
use std::rc::Rc;
use vjp_text::{Source, Span, Symbol};

/// What an exception knew of its way where it was caught.
struct Traceback {
    /// Each function with the place in it and its text, outermost first.
    frames: Vec<(Symbol, Span, Source)>,
}

impl Machine {
    /// `raised.__traceback__`, where an `except` clause of the present call took it.
    pub(crate) fn give_traceback(&self, raised: &Raised) {
        let mut frames = Vec::with_capacity(raised.calls.len() + 1);
        let innermost =
            raised.span.zip(raised.source.clone().or_else(|| Some(self.source.clone())));
        let mut place = innermost;
        for (function, call, text) in &raised.calls {
            frames.extend(place.map(|(at, text)| (*function, at, text)));
            place = Some((*call, text.clone()));
        }
        let here = self.scope.as_ref().and_then(|frame| self.code_of(frame));
        let here = here.map_or_else(|| Symbol::new("<module>"), |code| code.name.symbol);
        frames.extend(place.map(|(at, text)| (here, at, text)));
        // The library's own code is none of the program's.
        frames.retain(|(_, _, text)| !text.is_own());
        frames.reverse();
        let name = Symbol::new("__traceback__");
        let mut attributes = raised.exception.attributes.borrow_mut();
        attributes.retain(|(n, _)| *n != name);
        attributes.push((name, Value::Object(Rc::new(Traceback { frames }))));
    }

    /// The exception whose `except` clause is under way.
    pub fn handled_now(&self) -> Option<Rc<Exception>> {
        self.handled.last().cloned()
    }
}

impl Object for Traceback {
    fn type_name(&self) -> String {
        "traceback".into()
    }

    fn get(&self, _: &Value, name: Symbol, m: &mut Machine) -> Tried<Option<Value>> {
        let line = |(_, at, text): &(Symbol, Span, Source)| text.line_of(at.start);
        Ok(match name.as_str() {
            "tb_lineno" => self.frames.first().map(|f| Value::Int(line(f) as i64 + 1)),
            "tb_next" => Some(match self.frames.get(1..) {
                Some(inner) if !inner.is_empty() => {
                    Value::Object(Rc::new(Traceback { frames: inner.to_vec() }))
                }
                _ => Value::None,
            }),
            // File, line, function and text of each.
            "_frames" => {
                let file = m.file.clone();
                let frame = |f: &(Symbol, Span, Source)| {
                    // Python has no text of a program that came in by the standard input.
                    let text = file.as_ref().map_or("", |_| f.2.line(line(f)).trim());
                    Value::tuple(vec![
                        Value::from(file.as_deref().unwrap_or("<stdin>")),
                        Value::Int(line(f) as i64 + 1),
                        Value::from(f.0.as_str()),
                        Value::from(text),
                    ])
                };
                Some(Value::list(self.frames.iter().map(frame).collect()))
            }
            _ => None,
        })
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        let address = std::ptr::from_ref(self) as usize;
        Ok(format!("<traceback object at 0x{address:x}>"))
    }
}
