//! What PyTorch has and this program does not need: compilers.

use vjp_eval::library::builtins;
use vjp_eval::{Args, Machine, Tried, Value};

builtins! {
    pub static BUILTINS in "torch";
    "compile" "(model=None, *, fullgraph=False, dynamic=None, backend='inductor', mode=None, options=None, disable=False)" compile, "Returns the function or module unchanged: vjp compiles nothing.";
}

fn compile(_: &mut Machine, args: Args) -> Tried<Value> {
    let Some(model) = args.positional.into_iter().next() else {
        // With options it is a decorator, which is this function again.
        return Ok(Value::Builtin(&BUILTINS[0]));
    };
    Ok(model)
}
