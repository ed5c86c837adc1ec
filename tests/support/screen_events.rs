//! The backwards of the agreed screens, made by hand.

use super::events::*;
use vjp::eval::record::event::*;
use vjp::jacobian::Entry;
use vjp::maths::symbol::Expr;
use vjp::tensor::tensor::Tensor;

pub fn card() -> Backward {
    let x = elements("x", &[2]);
    let symbolic = symbols(&[&[Some(x[0].times(6.0)), None], &[None, Some(x[1].times(6.0))]]);
    let j = jacobian(&[&[Some(6.0), NONE], &[NONE, Some(12.0)]]);
    let leaf = with_symbols(leaf("x", vector(&[1., 2.]), j, &[6., 120.]), symbolic);
    backward("y", vector(&[3., 12.]), vector(&[1., 10.]), vec![leaf])
}

pub fn three() -> Backward {
    let x = elements("x", &[2]);
    let j = jacobian(&[&[Some(6.0), NONE], &[Some(2.0), Some(24.0)], &[NONE, Some(10.0)]]);
    let symbolic = symbols(&[
        &[Some(x[0].times(6.0)), None],
        &[Some(x[0].times(2.0)), Some(x[1].power(2.0).times(6.0))],
        &[None, Some(Expr::constant(10.0))],
    ]);
    let leaf = with_symbols(leaf("x", vector(&[1., 2.]), j, &[26., 1240.]), symbolic);
    let mut b = backward("y", vector(&[3., 17., 20.]), vector(&[1., 10., 100.]), vec![leaf]);
    b.explain_indices = true;
    b.echoed = false;
    b
}

pub fn losses() -> Backward {
    let wj =
        filled(&[[0.02961548, 0.05923097, 0.08884645], [-0.08305272, -0.12457908, -0.16610543]]);
    let w = leaf("W", matrix(&[[0.5, -0.25, 0.75]]), wj, &[-0.02671862, -0.03267405, -0.03862949]);
    let bj = jacobian(&[&[Some(0.29615484), NONE], &[NONE, Some(-0.20763179)]]);
    let b = leaf("b", matrix(&[[0.4311, -0.3471]]), bj, &[0.14807742, -0.1038159]);
    let mut e = backward("losses", matrix(&[[0.4335, 0.1805]]), matrix(&[[0.5, 0.5]]), vec![w, b]);
    e.echoed = false;
    e
}

pub fn two_layers() -> Backward {
    let w1 = [-3.2443, -6.4887, 0.3925, 0.7852, -0.4881, -0.9763];
    let b1 = [-3.2443, 0.3925, -0.4881];
    let w2 = [1.4410, -3.5902, -3.2672];
    let value = Tensor::new(&[3, 2], vec![0.5, -0.5, 1., 0.5, -1., 1.]);
    let leaves = vec![
        leaf("W1", value, filled(&[w1]), &w1),
        leaf("b1", vector(&[0.1, -0.2, 0.3]), filled(&[b1]), &b1),
        leaf("W2", matrix(&[[1., -1., 0.5]]), filled(&[w2]), &w2),
    ];
    let mut b = backward("loss", scalar(3.5942), scalar(1.0), leaves);
    b.implicit = true;
    b.echoed = false;
    b
}

pub fn product() -> Backward {
    let a = jacobian(&[
        &[Some(1.), Some(0.), Some(-1.), NONE, NONE, NONE],
        &[NONE, NONE, NONE, Some(1.), Some(0.), Some(-1.)],
    ]);
    let s = elements("A", &[2, 3]);
    let symbolic = symbols(&[
        &[Some(s[0].clone()), Some(s[1].clone()), Some(s[2].clone())],
        &[Some(s[3].clone()), Some(s[4].clone()), Some(s[5].clone())],
    ]);
    let x =
        leaf("x", vector(&[1., 0., -1.]), filled(&[[1., 2., 3.], [4., 5., 6.]]), &[41., 52., 63.]);
    let leaves = vec![
        leaf("A", matrix(&[[1., 2., 3.], [4., 5., 6.]]), a, &[1., 0., -1., 10., 0., -10.]),
        with_symbols(x, symbolic),
    ];
    backward("y", vector(&[-2., -2.]), vector(&[1., 10.]), leaves)
}

pub fn thousand() -> Backward {
    let x: Vec<f64> = (0..1000).map(|i| f64::from(i) / 999.0).collect();
    let s = elements("x", &[1000]);
    let diagonal = |i: usize| x[i] * x[i] * 3.0;
    let n = 1000;
    let mut entries = vec![Entry::Absent; n * n];
    let mut symbolic = vec![Entry::Absent; n * n];
    for i in 0..n {
        entries[i * n + i] = Entry::Value(diagonal(i));
        symbolic[i * n + i] = Entry::Value(s[i].power(2.0).times(3.0));
    }
    let grad: Vec<f64> = (0..n).map(diagonal).collect();
    let leaf = leaf("x", vector(&x), dense(n, n, entries), &grad);
    let leaf = with_symbols(leaf, dense(n, n, symbolic));
    let y: Vec<f64> = x.iter().map(|x| x.powi(3)).collect();
    backward("y", vector(&y), vector(&[1.0; 1000]), vec![leaf])
}

pub fn kink() -> Backward {
    let j = jacobian(&[&[Some(0.), NONE, NONE], &[NONE, Some(0.), NONE], &[NONE, NONE, Some(1.)]]);
    let leaf = leaf("x", vector(&[-1., 0., 2.]), j, &[0., 0., 100.]);
    let x = elements("x", &[3]);
    let step = |k: usize| Some(Expr::call(&vjp::maths::table::STEP, &[&x[k]]));
    let symbolic =
        symbols(&[&[step(0), None, None], &[None, step(1), None], &[None, None, step(2)]]);
    let leaf = with_symbols(leaf, symbolic);
    let mut b = backward("y", vector(&[0., 0., 2.]), vector(&[1., 10., 100.]), vec![leaf]);
    b.corners.push(CornerReport {
        op: "relu".to_string(),
        leaf: 0,
        element: Some(1),
        at: 0.0,
        left: 0.0,
        right: 1.0,
        taken: 0.0,
        tie: false,
        whole: true,
        entries: vec![(0, 1, 1)],
    });
    b
}

pub fn branch() -> Backward {
    let unchosen = Entry::Unchosen;
    let absent = Entry::Absent;
    let j = dense(
        3,
        3,
        vec![
            unchosen.clone(),
            absent.clone(),
            absent.clone(),
            absent.clone(),
            unchosen,
            absent.clone(),
            absent.clone(),
            absent,
            Entry::Value(0.25),
        ],
    );
    let mut leaf = leaf("x", vector(&[-1., 0., 4.]), j, &[0., 0., 0.25]);
    leaf.contribution = vector(&[f64::NAN, f64::NAN, 0.25]);
    leaf.grad = leaf.contribution.clone();
    leaf.agrees = false;
    leaf.max_difference = f64::NAN;
    leaf.differing = vec![0, 1];
    let mut b = backward("y", vector(&[0., 0., 2.]), vector(&[1., 1., 1.]), vec![leaf]);
    b.causes.push(Cause::BranchNotTaken {
        op: "sqrt".to_string(),
        formula: "1/(2√x)".to_string(),
        received: vector(&[0., 0., 1.]),
        slope: vector(&[f64::NAN, f64::INFINITY, 0.25]),
        repair: Some("y = where(x > 0, sqrt(where(x > 0, x, 1)), 0)".to_string()),
    });
    b
}

pub fn calls(n: usize) -> Vec<Event> {
    let x = elements("x", &[]);
    let mut grad = 0.0;
    (0..n)
        .map(|k| {
            let v = 10f64.powi(k as i32);
            let symbolic = symbols(&[&[Some(x[0].times(2.0))]]);
            let mut l = leaf("x", scalar(1.0), filled(&[[2.0]]), &[2.0 * v]);
            if k > 0 {
                l = after(l, &[grad]);
            }
            grad += 2.0 * v;
            let mut b = backward("y", scalar(1.0), scalar(v), vec![with_symbols(l, symbolic)]);
            b.repeats = true;
            b.echoed = false;
            Event::Backward(b.into())
        })
        .collect()
}

pub fn unreached() -> Backward {
    let w = leaf("w", scalar(2.0), filled(&[[5.0]]), &[5.0]);
    let mut b = backward("y", scalar(10.0), scalar(1.0), vec![w]);
    b.unreached.push(Unreached { name: "x".to_string(), cut: "h.detach()".to_string() });
    b.implicit = true;
    b
}

pub fn repeated() -> Backward {
    let x = elements("x", &[]);
    let symbolic = symbols(&[&[Some(x[0].times(2.0))]]);
    let l = leaf("x", scalar(1.0), filled(&[[2.0]]), &[2222.0]);
    let mut b = backward(
        "y",
        scalar(1.0),
        vector(&[1., 10., 100., 1000.]),
        vec![with_symbols(l, symbolic)],
    );
    b.repeated = true;
    b
}
