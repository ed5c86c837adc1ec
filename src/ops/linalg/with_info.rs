//! Inverses, solutions and factors that report what cannot be done as a number, `info`, beside the result.

use crate::inverse;
use crate::maps::{batch, sizes};
use vjp_maths::Variable;
use vjp_ops::compose::one_of;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::{Dtype, Fact, Kind, Outcome, Tensor};

/// A result for the matrices of `a`, and for each 0 or the element where it failed: then NaN stands there.
fn tried(
    b: &Bound,
    name: &'static str,
    result: &'static str,
    (called, check): (&str, usize),
    work: impl Fn(&Variable) -> Outcome<Variable>,
) -> Outcome<Out> {
    let a = b.tensor(0)?;
    let own = a.shape();
    let count: usize = batch(&own).iter().product();
    let mut info = vec![0.0; count];
    let y = match work(&a) {
        Ok(y) => y,
        Err(mut c) if c.kind == Kind::LinAlg && b.bool_or(check, false) => {
            c.message = c.message.replacen(called, &format!("{called}_ex"), 1);
            return Err(c);
        }
        Err(c) if c.kind == Kind::LinAlg => {
            let (value, (m, n)) = (a.value(), sizes(&own));
            for (k, slot) in info.iter_mut().enumerate() {
                let matrix = value.data()[k * m * n..(k + 1) * m * n].to_vec();
                let matrix = Variable::constant(Tensor::typed(&[m, n], matrix, a.dtype()));
                if let Err(c) = inverse(&matrix) {
                    *slot = match c.fact {
                        Fact::Singular(element) => element as f64,
                        _ => 1.0,
                    };
                }
            }
            let like = if b.has(1) && called == "linalg.solve" { b.tensor(1)? } else { a.clone() };
            Variable::constant(Tensor::filled(&like.shape(), f64::NAN, like.dtype())?)
        }
        Err(c) => return Err(c),
    };
    let info = Variable::constant(Tensor::typed(batch(&own), info, Dtype::Int32));
    Ok(Out::Named(name, vec![(result, y), ("info", info)]))
}

const LINALG: Forms = Forms::LINALG;

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "inv_ex" LINALG, "(Tensor A, *, bool check_errors=False)", "A⁻¹, and an error code, 0 on success; dY = −Y dA Y", "torch.linalg.inv_ex(tensor([[2., 0.], [0., 4.]]))", ["inverse"] jax "-"
        => |b| tried(b, "linalg_inv_ex", "inverse", ("linalg.inv", 1), inverse);
    "solve_ex" LINALG, "(Tensor A, Tensor B, *, bool left=True, bool check_errors=False)", "X with A X = B, and an error code, 0 on success; dX = A⁻¹(dB − dA X)", "torch.linalg.solve_ex(tensor([[2., 0.], [0., 4.]]), tensor([1., 2.]))", ["solve"] jax "-"
        => |b| {
            let (y, left) = (b.tensor(1)?, b.bool_or(2, true));
            tried(b, "linalg_solve_ex", "result", ("linalg.solve", 3), |a| one_of(crate::triangular::ENTRIES, "solve", vec![a.into(), (&y).into(), left.into()]))
        };
};
