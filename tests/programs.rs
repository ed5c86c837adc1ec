//! Random programs: the sweep, vᵀJ of the explicit Jacobian and finite differences agree.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/random.rs"]
mod random;

use random::Random;
use vjp::maths::gradcheck;
use vjp::maths::jacobian_walk::numeric_many;
use vjp::maths::reverse::{SweepOptions, sweep};
use vjp::maths::table::{self, Row};
use vjp::maths::tensor::Tensor;
use vjp::maths::variable::{Variable, apply};

fn leaf(shape: &[usize], data: Vec<f64>) -> Variable {
    Variable::leaf(Tensor::new(shape, data))
}

/// The row as an operation with its default parameters.
fn run(row: &Row, operands: &[Variable]) -> Variable {
    let params: Vec<f64> = row.params.iter().map(|(_, d)| *d).collect();
    apply((row.fun.operation)(&params), operands).unwrap()
}

/// Gradients of Σ v·y by the reverse sweep.
fn reverse(y: &Variable, v: &Tensor, leaves: &[Variable]) -> Vec<Vec<f64>> {
    let options =
        SweepOptions { retain_graph: true, inputs: Some(leaves), ..SweepOptions::default() };
    let s = sweep(&[(y.clone(), Variable::constant(v.clone()))], options).unwrap();
    s.inputs
        .iter()
        .zip(leaves)
        .map(|(g, l)| g.as_ref().map_or(vec![0.0; l.numel()], |g| g.value().data().to_vec()))
        .collect()
}

fn tensor(shape: &[usize], random: &mut Random) -> Tensor {
    let n = shape.iter().product();
    Tensor::new(shape, (0..n).map(|_| random.between(-2.0, 2.0)).collect())
}

/// A random program over two or three small leaves.
fn program(random: &mut Random) -> Option<(Variable, Vec<Variable>)> {
    const SMOOTH: &[&str] = &[
        "sin",
        "cos",
        "tanh",
        "sigmoid",
        "exp",
        "square",
        "softplus",
        "silu",
        "gelu",
        "atan",
        "relu",
        "abs",
        "leaky_relu",
        "elu",
        "sinh",
        "erf",
        "neg",
        "mish",
        "asinh",
        "log1p",
        "sqrt",
    ];
    let shapes: &[&[usize]] = &[&[2], &[], &[2, 2], &[1, 2], &[2, 1]];
    let leaves: Vec<Variable> = (0..2 + random.below(2))
        .map(|_| {
            let shape = shapes[random.below(shapes.len())];
            let n = shape.iter().product();
            leaf(shape, (0..n).map(|_| random.between(-1.5, 1.5)).collect())
        })
        .collect();
    let mut pool = leaves.clone();
    for _ in 0..2 + random.below(6) {
        let a = pool[pool.len() - 1 - random.below(pool.len().min(3))].clone();
        let b = pool[random.below(pool.len())].clone();
        let next = match random.below(8) {
            0 => table::add(&a, &b),
            1 => table::sub(&a, &b),
            2 | 3 => table::mul(&a, &b),
            4 => table::div(&a, &table::add(&table::mul(&b, &b).ok()?, &number(1.0)).ok()?),
            5 => table::pow(&a, &number(f64::from(2 + random.below(2) as u8))),
            _ => {
                let name = SMOOTH[random.below(SMOOTH.len())];
                let row = table::rows().find(|r| r.fun.name == name).unwrap();
                Ok(run(row, &[a]))
            }
        };
        pool.push(next.ok()?);
    }
    let y = pool.pop()?;
    let tame = |v: &Variable| v.value().data().iter().all(|x| x.abs() < 1e3);
    (y.requires_grad() && pool.iter().all(tame) && tame(&y)).then_some((y, leaves))
}

fn number(c: f64) -> Variable {
    Variable::constant(Tensor::number(c, vjp::maths::tensor::Dtype::Float64))
}

#[test]
fn a_thousand_random_programs_agree_by_three_roads() {
    let mut random = Random::new(5);
    let mut count = 0;
    while count < 1000 {
        let Some((y, leaves)) = program(&mut random) else {
            continue;
        };
        count += 1;
        let v = tensor(&y.shape(), &mut random);
        let grads = reverse(&y, &v, &leaves);
        let js = numeric_many(&y, &leaves).unwrap();
        for ((x, grad), j) in leaves.iter().zip(&grads).zip(&js) {
            let product = j.left_multiply(v.data());
            let size = j.left_magnitude(v.data());
            for ((a, b), s) in grad.iter().zip(&product).zip(&size) {
                let nan = a.is_nan() && b.is_nan();
                let same = nan || a == b || (a - b).abs() <= 1e-12 * s.max(1.0);
                assert!(same, "program {count}: sweep {a}, product {b}");
            }
            let (slopes, errors) =
                gradcheck::central(&mut |at| gradcheck::replay(&y, x, at), &x.value()).unwrap();
            let report = gradcheck::compare(j, &slopes, &errors, 1e-6);
            assert!(report.agrees, "program {count}: {report:?}");
        }
    }
}
