//! What PyTorch has and this program has not, or not need: compilers and files.

use super::builtins;
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::Halt;
use crate::eval::value::Value;
use crate::maths::complaint::{Complaint, Kind};

builtins! {
    pub static BUILTINS in "torch";
    "compile" "(model=None, *, fullgraph=False, dynamic=None, backend='inductor', mode=None, options=None, disable=False)" compile, "The function or module as it is: there is nothing to compile.";
    "save" "(obj, f)" no_files, "Not provided: no files are written.";
    "load" "(f, map_location=None, weights_only=None)" no_files, "Not provided: no files are read.";
}

builtins! {
    /// `torch.jit`.
    pub static JIT in "torch.jit";
    "script" "(obj)" no_script, "Not provided.";
    "trace" "(func, example_inputs=None)" no_script, "Not provided.";
}

fn compile(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let Some(model) = args.positional.into_iter().next() else {
        // With options it is a decorator, which is this function again.
        return Ok(Value::Builtin(&BUILTINS[0]));
    };
    Ok(model)
}

fn no_files(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let complaint =
        Complaint::new(Kind::NotImplemented, format!("torch.{} is not provided", args.name()));
    let hint = "files are neither read nor written; state = copy.deepcopy(model.state_dict()) and model.load_state_dict(state) keep values within a program";
    Err(complaint.hint(hint).into())
}

fn no_script(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let complaint =
        Complaint::new(Kind::NotImplemented, format!("torch.jit.{} is not provided", args.name()));
    Err(complaint.hint("leave it out: the function itself gives the same values").into())
}
