//! `np.linalg.det` and `slogdet`: by logarithms, as NumPy computes them.

use crate::create::read;
use vjp_binder::Given;
use vjp_binder::numpy_call::array_or_scalar;
use vjp_binder::results::named;
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_tensor::matrix::lu;
use vjp_tensor::{Dtype, Kind, Tensor};

builtins! {
    pub static BUILTINS in "numpy.linalg";
    "det" "(a)" |_, a| determinant(a, false), "The determinant of a square matrix.";
    "slogdet" "(a)" |_, a| determinant(a, true), "Returns the sign and logarithm of the determinant.";
}

fn determinant(args: Args, logarithm: bool) -> Tried<Value> {
    let g = Given::of(args)?;
    let a = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?.value();
    let shape = a.shape().to_vec();
    let [batch @ .., rows, columns] = shape.as_slice() else {
        raise!(
            Kind::ArrayLinAlg,
            "{}-dimensional array given. Array must be at least two-dimensional",
            shape.len()
        );
    };
    if rows != columns {
        raise!(Kind::ArrayLinAlg, "Last 2 dimensions of the array must be square");
    }
    let dtype = match a.dtype() {
        Dtype::Float32 => Dtype::Float32,
        _ => Dtype::Float64,
    };
    let n = *rows;
    let count: usize = batch.iter().product();
    let (mut signs, mut logs) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for k in 0..count {
        let own = &a.data()[k * n * n..(k + 1) * n * n];
        let (sign, log) = lu::sign_and_log(own, n).at(g.site.span)?;
        signs.push(sign);
        logs.push(log);
    }
    let made = |data: Vec<f64>| {
        array_or_scalar(Variable::constant(Tensor::new(batch, data).to_dtype(dtype)))
    };
    if logarithm {
        let parts = vec![("sign", made(signs)), ("logabsdet", made(logs))];
        return Ok(named("SlogdetResult", parts));
    }
    Ok(made(signs.iter().zip(&logs).map(|(s, l)| s * l.exp()).collect()))
}
