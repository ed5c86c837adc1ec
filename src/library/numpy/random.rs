//! `numpy.random`: another generator than PyTorch's, which is not provided; each name says what is.

use vjp_eval::language::call::Args;
use vjp_eval::language::exception::raise::Halt;
use vjp_eval::language::machine::Machine;
use vjp_eval::library::builtins;
use vjp_eval::values::value::Value;
use vjp_tensor::complaint::Complaint;

builtins! {
    pub static BUILTINS in "numpy.random";
    "seed" "(seed=None)" refuse, "Not available: use torch.manual_seed(0) and torch.rand(3).numpy().";
    "rand" "(*shape)" refuse, "Not available: use torch.rand(2, 3).numpy().";
    "randn" "(*shape)" refuse, "Not available: use torch.randn(2, 3).numpy().";
    "random" "(size=None)" refuse, "Not available: use torch.rand(3).numpy().";
    "random_sample" "(size=None)" refuse, "Not available: use torch.rand(3).numpy().";
    "ranf" "(size=None)" refuse, "Not available: use torch.rand(3).numpy().";
    "uniform" "(low=0.0, high=1.0, size=None)" refuse, "Not available: use torch.empty(3).uniform_(low, high).numpy().";
    "normal" "(loc=0.0, scale=1.0, size=None)" refuse, "Not available: use torch.normal(mean, std, (3,)).numpy().";
    "standard_normal" "(size=None)" refuse, "Not available: use torch.randn(3).numpy().";
    "multivariate_normal" "(mean, cov, size=None)" refuse, "Not available: use torch.randn and a Cholesky factor.";
    "randint" "(low, high=None, size=None)" refuse, "Not available: use torch.randint(0, 10, (3,)).numpy().";
    "choice" "(a, size=None, replace=True, p=None)" refuse, "Not available: use random.choice, or torch.multinomial.";
    "permutation" "(x)" refuse, "Not available: use torch.randperm(10).numpy().";
    "shuffle" "(x)" refuse, "Not available: use random.shuffle, or index with torch.randperm.";
    "binomial" "(n, p, size=None)" refuse, "Not available: use torch.bernoulli.";
    "exponential" "(scale=1.0, size=None)" refuse, "Not available: use torch.empty(3).exponential_().numpy().";
    "default_rng" "(seed=None)" refuse, "Not available: use torch.Generator().manual_seed(0).";
    "RandomState" "(seed=None)" refuse, "Not available: use torch.Generator().manual_seed(0).";
}

fn refuse(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let hint = match args.callee.map(|b| b.help.trim_start_matches("Not available: use ")) {
        Some(instead) => format!("NumPy's random generators are not available: use {instead}"),
        None => String::new(),
    };
    let complaint = Complaint::absent(format_args!("np.random.{}", args.name()));
    Err(complaint.hint(hint.trim_end_matches('.')).into())
}
