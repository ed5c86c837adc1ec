//! NumPy's `__array_function__`: an argument's class says what a function of numpy gives of it.

use crate::language::call::Args;
use crate::language::exception::raise::Halt;
use crate::language::machine::Machine;
use crate::library::Builtin;
use crate::values::dict::Key;
use crate::values::value::{Dict, Value};

/// So many elements of a list are looked at.
const LOOKED_AT: usize = 64;

impl Machine {
    /// What the class of an argument makes of a call of a function of numpy; None: nothing.
    ///
    /// # Errors
    /// What it raises.
    #[inline]
    pub fn array_function(
        &mut self,
        b: &'static Builtin,
        args: &Args,
    ) -> Result<Option<Value>, Halt> {
        match b.module.starts_with("numpy") {
            true => self.by_class(b, args),
            false => Ok(None),
        }
    }

    fn by_class(&mut self, b: &'static Builtin, args: &Args) -> Result<Option<Value>, Halt> {
        let instance = |v: &Value| matches!(v, Value::Instance(_));
        let held = args.positional.iter().find_map(|v| match v {
            Value::Instance(_) => Some(v.clone()),
            Value::List(l) => {
                l.items.borrow().iter().take(LOOKED_AT).find(|v| instance(v)).cloned()
            }
            Value::Tuple(t) => t.items.iter().take(LOOKED_AT).find(|v| instance(v)).cloned(),
            _ => None,
        });
        let Some(method) = held.and_then(|v| self.special(&v, "__array_function__")) else {
            return Ok(None);
        };
        let named = Dict::default();
        for (name, v) in &args.named {
            let name = Value::str(name.as_str());
            named.written()?.insert(Key::of(&name)?, name, v.clone());
        }
        let positional = Value::tuple(args.positional.clone());
        let types = Value::tuple(Vec::new());
        let given = vec![Value::Builtin(b), types, positional, Value::dict(named)];
        let made = self.call_with(&method, given, &args.site)?;
        Ok((!matches!(made, Value::NotImplemented)).then_some(made))
    }
}
