//! Slopes of the catalogue's operations against central differences, plain and recorded.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::autograd_tests::{leaf, op, t};
use vjp_maths::autodiff::grad_mode::with_grad;
use vjp_maths::autodiff::reverse::{SweepOptions, sweep};
use vjp_maths::{Variable, table};
use vjp_ops::Arg;
use vjp_ops::arrange::layout;
use vjp_ops::product::matmul;
use vjp_tensor::{Dtype, Scalar, Tensor};

/// The sweep's gradient of `Σ wₖ·f(x)ₖ`, against central differences.
fn check(shape: &[usize], data: &[f64], f: &dyn Fn(&Variable) -> Variable) {
    let x = leaf(shape, data);
    let y = f(&x);
    let weights: Vec<f64> = (0..y.numel()).map(|k| 1.0 + 0.37 * k as f64).collect();
    let v = Variable::constant(Tensor::new(&y.shape(), weights.clone()));
    let found = sweep(&[(y, v)], SweepOptions::default()).unwrap();
    let g = found.leaves[0].gradient.value();
    assert_eq!(g.shape(), shape);
    let total = |data: &[f64]| -> f64 {
        let y = with_grad(false, || f(&Variable::constant(t(shape, data)))).value();
        y.data().iter().zip(&weights).map(|(y, w)| y * w).sum()
    };
    for k in 0..data.len() {
        let (mut up, mut down) = (data.to_vec(), data.to_vec());
        up[k] += 1e-6;
        down[k] -= 1e-6;
        let slope = (total(&up) - total(&down)) / 2e-6;
        assert!(
            (slope - g.data()[k]).abs() <= 1e-6 * (1.0 + slope.abs()),
            "element {k}: {slope} by differences, {} by the sweep",
            g.data()[k]
        );
    }
    // The recorded sweep gives the same numbers.
    let x = leaf(shape, data);
    let y = f(&x);
    let v = Variable::constant(Tensor::new(&y.shape(), weights));
    let options =
        SweepOptions { create_graph: true, retain_graph: true, ..SweepOptions::default() };
    let again = sweep(&[(y, v)], options).unwrap().leaves[0].gradient.value();
    for (a, b) in g.data().iter().zip(again.data()) {
        assert!((a - b).abs() <= 1e-12 * (1.0 + a.abs()), "{a} {b}");
    }
}

const M: [f64; 6] = [0.3, -1.2, 2.0, 0.7, 1.1, -0.4];

#[test]
fn slopes_of_the_catalogue_agree_with_differences() {
    let ints = |v: &[i64]| Arg::Ints(v.to_vec());
    let int = |v: i64| Arg::Scalar(Scalar::Int(v));
    let yes = Arg::Scalar(Scalar::Bool(true));
    let none = Arg::None;
    let cases: Vec<(&'static str, Vec<Arg>)> = vec![
        ("sum", vec![]),
        ("sum", vec![ints(&[0])]),
        ("sum", vec![ints(&[1]), yes.clone()]),
        ("mean", vec![]),
        ("mean", vec![ints(&[-1])]),
        ("prod", vec![]),
        ("prod", vec![int(0)]),
        ("max", vec![]),
        ("max", vec![int(1)]),
        ("min", vec![int(0), yes.clone()]),
        ("amax", vec![ints(&[0, 1])]),
        ("median", vec![]),
        ("sort", vec![int(1)]),
        ("topk", vec![int(2)]),
        ("reshape", vec![ints(&[3, 2])]),
        ("flatten", vec![]),
        ("transpose", vec![int(0), int(1)]),
        ("T", vec![]),
        ("unsqueeze", vec![int(1)]),
        ("expand", vec![ints(&[2, 2, 3])]),
        ("flip", vec![ints(&[0])]),
        ("roll", vec![ints(&[1]), ints(&[1])]),
        ("repeat", vec![ints(&[2, 1])]),
        ("repeat_interleave", vec![int(2), none.clone()]),
        ("triu", vec![]),
        ("diagonal", vec![]),
        ("diag", vec![]),
        ("trace", vec![]),
        ("diag_embed", vec![]),
        ("split", vec![int(2), int(1)]),
        ("var", vec![]),
        ("var", vec![ints(&[1])]),
        ("std", vec![ints(&[0])]),
        ("norm", vec![]),
        ("norm", vec![Arg::Scalar(Scalar::Int(1))]),
        ("logsumexp", vec![ints(&[1])]),
        ("cumsum", vec![int(1)]),
        ("cumprod", vec![int(0)]),
        ("softmax", vec![int(1)]),
        ("log_softmax", vec![int(0)]),
        ("layer_norm", vec![ints(&[3])]),
        ("pad", vec![ints(&[1, 0, 0, 2])]),
        ("select", vec![int(0), int(1)]),
        ("unbind", vec![int(1)]),
    ];
    for (name, rest) in cases {
        eprintln!("{name}");
        check(&[2, 3], &M, &|x| {
            let mut args = vec![Arg::Tensor(x.clone())];
            args.extend(rest.clone());
            let y = op(name, args);
            table::mul(&y, &y).unwrap()
        });
    }
}

#[test]
fn products_agree_with_differences() {
    let w = Variable::constant(t(&[3, 2], &[1.0, 2.0, -1.0, 0.5, 0.0, 3.0]));
    check(&[2, 3], &M, &|x| matmul::matmul(x, &w).unwrap());
    check(&[3], &M[..3], &|x| matmul::matmul(x, &w).unwrap());
    check(&[3], &M[..3], &|x| matmul::matmul(x, x).unwrap());
    check(&[2, 3], &M, &|x| matmul::matmul(x, &layout::reversed(x).unwrap()).unwrap());
    check(&[2, 1, 3], &M, &|x| matmul::matmul(x, &w).unwrap());
    check(&[3], &M[..3], &|x| matmul::outer(x, x).unwrap());
    let batch = Variable::constant(t(&[2, 3, 1], &M));
    check(&[2, 3], &M, &|x| matmul::matmul(x, &batch).unwrap());
}

#[test]
fn losses_agree_with_differences() {
    let p = [0.3, 0.2, 0.9, 0.7, 0.15, 0.4];
    let target = Variable::constant(t(&[2, 3], &[0.2, 0.9, 0.4, 0.6, 0.1, 0.7]));
    let classes = Variable::constant(t(&[2], &[2.0, 0.0]).with_dtype(Dtype::Int64));
    let weights = Variable::constant(t(&[3], &[1.0, 2.0, 0.5]));
    for name in [
        "mse_loss",
        "l1_loss",
        "smooth_l1_loss",
        "huber_loss",
        "kl_div",
        "binary_cross_entropy_with_logits",
        "cross_entropy",
    ] {
        eprintln!("{name}");
        check(&[2, 3], &M, &|x| {
            op(name, vec![Arg::Tensor(x.clone()), Arg::Tensor(target.clone())])
        });
        check(&[2, 3], &p, &|x| {
            op(name, vec![Arg::Tensor(target.clone()), Arg::Tensor(x.clone())])
        });
    }
    check(&[2, 3], &p, &|x| {
        op("binary_cross_entropy", vec![Arg::Tensor(x.clone()), Arg::Tensor(target.clone())])
    });
    check(&[2, 3], &M, &|x| {
        op("cross_entropy", vec![Arg::Tensor(x.clone()), Arg::Tensor(classes.clone())])
    });
    check(&[2, 3], &M, &|x| {
        let args = vec![
            Arg::Tensor(x.clone()),
            Arg::Tensor(classes.clone()),
            Arg::Tensor(weights.clone()),
        ];
        op("nll_loss", args)
    });
}

#[test]
fn linear_algebra_agrees_with_differences() {
    let data: Vec<f64> =
        (0..32).map(|k| (f64::from(k) * 1.7).sin() + if k % 5 == 0 { 2.0 } else { 0.0 }).collect();
    let other = Variable::constant(t(&[2, 3], &data[..6]));
    check(&[2, 3], &M, &|x| op("cross", vec![Arg::Tensor(x.clone()), Arg::Tensor(other.clone())]));
    for n in 1..=4usize {
        for name in ["inverse", "det"] {
            eprintln!("{name} {n}");
            check(&[n, n], &data[..n * n], &|x| op(name, vec![Arg::Tensor(x.clone())]));
        }
    }
    check(&[2, 3, 3], &data[..18], &|x| op("det", vec![Arg::Tensor(x.clone())]));
    check(&[2, 2], &[0.0, 1.0, 0.0, 2.0], &|x| op("det", vec![Arg::Tensor(x.clone())]));
    let b = Variable::constant(t(&[3], &M[..3]));
    check(&[3, 3], &data[..9], &|x| {
        op("solve", vec![Arg::Tensor(x.clone()), Arg::Tensor(b.clone())])
    });
    let power = vec![Arg::Scalar(Scalar::Int(-3))];
    check(&[2, 2], &data[..4], &|x| {
        op("matrix_power", [vec![Arg::Tensor(x.clone())], power.clone()].concat())
    });
}

#[test]
fn sums_by_letters_agree_with_differences() {
    let w = Variable::constant(t(&[3, 2], &[1.0, 2.0, -1.0, 0.5, 0.0, 3.0]));
    let one = |e: &str, x: &Variable| {
        vjp_ops::product::einsum::einsum(e, std::slice::from_ref(x)).unwrap()
    };
    let two = |e: &str, x: &Variable| {
        vjp_ops::product::einsum::einsum(e, &[x.clone(), w.clone()]).unwrap()
    };
    check(&[2, 3], &M, &|x| two("ij,jk->ik", x));
    check(&[2, 3], &M, &|x| two("ij,jk->ki", x));
    check(&[2, 3], &M, &|x| two("ij,ji->", x));
    check(&[2, 3], &M, &|x| two("ij,jk->ijk", x));
    check(&[2, 3], &M, &|x| two("ij,ab->jb", x));
    check(&[2, 3], &M, &|x| one("ij->j", x));
    check(&[2, 2], &M[..4], &|x| one("ii->", x));
    check(&[2, 2], &M[..4], &|x| one("ii->i", x));
    check(&[1, 2, 3], &M, &|x| two("...ij,jk->...ik", x));
    let x = leaf(&[3], &[1.0, 2.0, 3.0]);
    let named = |e: &str| {
        let y = vjp_ops::product::einsum::einsum(e, &[x.clone(), x.clone()]).unwrap();
        y.node().unwrap().grad_fn()
    };
    assert_eq!(named("i,i->"), "ViewBackward0");
    assert_eq!(named("i,j->ij"), "MulBackward0");
}
