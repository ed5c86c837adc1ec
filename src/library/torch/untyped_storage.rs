//! `x.untyped_storage()`: the memory of a tensor, which its views share.

use std::rc::Rc;
use vjp_eval::library::builtins;
use vjp_eval::{Args, Machine, Object, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_tensor::Kind;
use vjp_text::Symbol;

struct Storage(Variable);

/// The memory of `t`.
pub fn of(t: Variable) -> Value {
    Value::Object(Rc::new(Storage(t)))
}

builtins! {
    static METHODS in "torch.storage.UntypedStorage";
    "data_ptr" "(self)" |_, a| asked(&a, |t| t.memory_address() as i64), "Returns the memory address.";
    "nbytes" "(self)" |_, a| asked(&a, |t| t.memory_size() as i64), "Returns the number of bytes.";
    "size" "(self)" |_, a| asked(&a, |t| t.memory_size() as i64), "Returns the number of bytes.";
}

fn asked(args: &Args, of: impl FnOnce(&Variable) -> i64) -> Tried<Value> {
    match args.positional.first() {
        Some(Value::Object(o)) if let Some(storage) = o.as_any().downcast_ref::<Storage>() => {
            Ok(Value::Int(of(&storage.0)))
        }
        _ => raise!(Kind::Type, "{}() needs a storage", args.name()),
    }
}

impl Object for Storage {
    fn type_name(&self) -> String {
        "torch.storage.UntypedStorage".to_owned()
    }

    fn get(&self, this: &Value, name: Symbol, _: &mut Machine) -> Tried<Option<Value>> {
        let method = METHODS.iter().find(|b| b.name == name.as_str());
        Ok(method.map(|method| vjp_binder::results::bound(this, method)))
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        let size = self.0.memory_size();
        Ok(format!("[torch.storage.UntypedStorage(device=cpu) of size {size}]"))
    }

    fn identity(&self) -> Option<usize> {
        Some(self.0.memory_address() as usize)
    }
}
