//! `torch.func.jacrev`, `jacfwd` and `hessian`: Jacobians of functions, in the containers of what goes
//! in and comes out.

use crate::func::products::has_jvp;
use crate::func::transforms::{
    Transform, forward_jacobians, jacobians, pullback, recorded_columns, transform,
};
use crate::func::{beside, tree, watch};
use vjp_eval::{Args, Machine, Tried, Value};
use vjp_maths::{Array, Variable};
use vjp_tensor::Tensor;

/// `jacrev(f)(*args)`: a sweep for each row.
///
/// # Errors
/// What the function raises; PyTorch's sentences on what goes in and comes out.
pub fn jacobian(machine: &mut Machine, parts: &[Value], args: Args) -> Tried<Value> {
    matrices(machine, parts, args, false)
}

/// `jacfwd(f)(*args)`: a push for each column.
pub fn forward_jacobian(machine: &mut Machine, parts: &[Value], args: Args) -> Tried<Value> {
    matrices(machine, parts, args, true)
}

/// `hessian(f)` is `jacfwd(jacrev(f))`.
pub fn hessian(machine: &mut Machine, parts: &[Value], args: Args) -> Tried<Value> {
    let inner = transform(Transform {
        name: "jacrev",
        run: jacobian,
        parts: vec![parts[0].clone(), parts[1].clone(), Value::Bool(false)],
    });
    let outer = [inner, parts[1].clone(), Value::Bool(false)];
    forward_jacobian(machine, &outer, args)
}

fn matrices(machine: &mut Machine, parts: &[Value], args: Args, forward: bool) -> Tried<Value> {
    let api = match forward {
        true => "jvp(f, primals, tangents)",
        false => "vjp(f, *primals)",
    };
    let w = watch(machine, &parts[1], args)?;
    let (result, extra) = w.call(machine, &parts[0], api, &parts[2])?;
    let (ys, tree) = tree::results(machine, api, &result)?;
    let mut blocks_of = Vec::with_capacity(ys.len());
    for y in &ys {
        let keep = w.level.open(y);
        let blocks = match (forward, keep && !(forward && has_jvp(y))) {
            (true, false) => forward_jacobians(machine, y, &w.inputs)?,
            (true, true) => recorded_columns(machine, y, &w.inputs)?,
            (false, _) => jacobians(machine, y, &w.inputs, keep)?,
        };
        blocks_of.push(blocks);
    }
    if !forward && ys.len() > 1 {
        signed_zeros(machine, &ys, &w.inputs, &mut blocks_of)?;
    }
    let all: Vec<Value> = blocks_of.into_iter().map(|b| w.shaped(b)).collect();
    let extra = extra.map(|e| w.level.bare(machine, &e)).transpose()?;
    Ok(beside(tree.build(&mut all.into_iter()), extra))
}

/// PyTorch sweeps from all outputs at once, those whose row it is not with zeros: where these reach an
/// input, a -0 there becomes 0.
fn signed_zeros(
    machine: &mut Machine,
    ys: &[Variable],
    xs: &[Variable],
    blocks: &mut [Vec<Variable>],
) -> Tried<()> {
    let mut zeros = Vec::with_capacity(ys.len());
    for y in ys {
        let v = Variable::constant(Tensor::filled(&y.shape(), 0.0, y.dtype())?);
        zeros.push(pullback(machine, y, &v, xs, false)?);
    }
    for (k, blocks) in blocks.iter_mut().enumerate() {
        for (input, block) in blocks.iter_mut().enumerate() {
            if block.requires_grad() {
                continue;
            }
            for (other, zeros) in zeros.iter().enumerate() {
                if other != k {
                    *block = block.add(&zeros[input]);
                }
            }
        }
    }
    Ok(())
}
