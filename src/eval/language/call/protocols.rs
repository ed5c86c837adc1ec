//! `__array_function__` and `__torch_function__`: an argument's class says what a function of numpy or of torch
//! gives of it.

use crate::language::class::of_tensors;
use crate::values::dict::Key;
use crate::{Args, Builtin, Dict, Machine, Tried, Value};
use vjp_maths::Variable;

/// So many elements of a list are looked at.
const LOOKED_AT: usize = 64;

/// Functions that ask what a value is, whatever its class says.
const ASKING: [&str; 2] = ["is_tensor", "typename"];

/// Functions that see tensors of a class as tensors.
const UNASKED: [&str; 11] = [
    "__new__",
    "__torch_function__",
    "_make_subclass",
    "_make_wrapper_subclass",
    "as_subclass",
    "as_tensor",
    "asarray",
    "from_numpy",
    "is_tensor",
    "tensor",
    "typename",
];

impl Machine {
    /// What the class of an argument makes of a call of a function or method of the library; None: nothing.
    #[inline]
    pub fn by_protocol(&mut self, b: &'static Builtin, args: &Args) -> Tried<Option<Value>> {
        if Variable::have_classes()
            && matches!(b.module.split('.').next(), Some("torch" | "Tensor"))
            && !UNASKED.contains(&b.name)
            && let Some(made) = self.by_tensor_classes(b, args)?
        {
            return Ok(Some(made));
        }
        let held = args.positional.iter().find_map(|v| match v {
            Value::Instance(_) => Some(v.clone()),
            Value::List(l) => within(&l.items.borrow()),
            Value::Tuple(t) => within(&t.items),
            _ => None,
        });
        match held {
            Some(held) => self.by_class(b, args, &held),
            None => Ok(None),
        }
    }

    fn by_class(&mut self, b: &'static Builtin, args: &Args, held: &Value) -> Tried<Option<Value>> {
        let protocol = match b.module.split('.').next() {
            Some("numpy") => "__array_function__",
            Some("torch" | "Tensor") if !ASKING.contains(&b.name) => "__torch_function__",
            _ => return Ok(None),
        };
        let Some(method) = self.special(held, protocol) else {
            return Ok(None);
        };
        let types = match held {
            Value::Instance(i) => vec![Value::Class(i.class())],
            _ => Vec::new(),
        };
        let always = protocol == "__array_function__";
        let func = Value::Builtin(b);
        let made = self.hand_on(&method, func.clone(), types.clone(), args.clone(), always)?;
        match made {
            Value::NotImplemented if !always => Err(of_tensors::none_says(&func, &types)),
            Value::NotImplemented => Ok(None),
            made => Ok(Some(made)),
        }
    }

    /// Calls the function of a protocol; `always`: with a dict, where there are no keywords too.
    pub(crate) fn hand_on(
        &mut self,
        method: &Value,
        func: Value,
        types: Vec<Value>,
        args: Args,
        always: bool,
    ) -> Tried<Value> {
        let named = Dict::default();
        for (name, v) in &args.named {
            let name = Value::str(name.as_str());
            named.written()?.insert(Key::of(&name)?, name, v.clone());
        }
        let positional = Value::tuple(args.positional);
        let mut given = vec![func, Value::tuple(types), positional];
        // Of no keywords PyTorch hands no dict on.
        if always || !args.named.is_empty() {
            given.push(Value::dict(named));
        }
        self.call_with(method, given, &args.site)
    }
}

fn within(items: &[Value]) -> Option<Value> {
    items.iter().take(LOOKED_AT).find(|v| matches!(v, Value::Instance(_))).cloned()
}
