//! What PyTorch has and this program has not, or not need: compilers.

use vjp_eval::language::call::Args;
use vjp_eval::language::exception::raise::Halt;
use vjp_eval::language::machine::Machine;
use vjp_eval::library::builtins;
use vjp_eval::values::value::Value;
use vjp_tensor::complaint::Complaint;

builtins! {
    pub static BUILTINS in "torch";
    "compile" "(model=None, *, fullgraph=False, dynamic=None, backend='inductor', mode=None, options=None, disable=False)" compile, "Returns the function or module unchanged: vjp compiles nothing.";
}

builtins! {
    /// `torch.jit`.
    pub static JIT in "torch.jit";
    "script" "(obj)" no_script, "Not available: vjp has no TorchScript.";
    "trace" "(func, example_inputs=None)" no_script, "Not available: vjp has no TorchScript.";
}

fn compile(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let Some(model) = args.positional.into_iter().next() else {
        // With options it is a decorator, which is this function again.
        return Ok(Value::Builtin(&BUILTINS[0]));
    };
    Ok(model)
}

fn no_script(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let complaint = Complaint::absent(format_args!("torch.jit.{}", args.name()));
    Err(complaint.hint("leave it out: the function alone gives the same values").into())
}
