//! Graph, memory and sweep together, against PyTorch's behaviour and finite differences.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::complaint::Outcome;
use super::grad_mode::with_grad;
use super::linear::Array;
use super::ops::index::{self, Index};
use super::ops::{Arg, Bound, Out, Scalar, layout, lookup, product, reduce};
use super::reverse::{SweepOptions, accumulate, ones_like, sweep};
use super::table;
use super::tensor::{Dtype, Tensor};
use super::variable::Variable;

fn t(shape: &[usize], data: &[f64]) -> Tensor {
    Tensor::new(shape, data.to_vec())
}

fn leaf(shape: &[usize], data: &[f64]) -> Variable {
    Variable::leaf(t(shape, data))
}

fn number(v: f64) -> Variable {
    Variable::constant(Scalar::Float(v).tensor())
}

fn op(name: &'static str, args: Vec<Arg>) -> Variable {
    match (lookup(name).unwrap_or_else(|| panic!("no {name}")).call)(&mut Bound::new(name, args))
        .unwrap()
    {
        Out::One(v) => v,
        Out::Named(_, parts) => parts[0].1.clone(),
        Out::Many(v) => v[0].clone(),
        other => panic!("{other:?}"),
    }
}

fn backward(y: &Variable, options: SweepOptions) -> Outcome<()> {
    let v = ones_like(y)?;
    accumulate(&sweep(&[(y.clone(), v)], options)?)
}

fn grad(x: &Variable) -> Vec<f64> {
    x.grad().unwrap().value().data().to_vec()
}

/// The sweep's gradient of `Σ wₖ·f(x)ₖ`, against central differences.
fn check(shape: &[usize], data: &[f64], f: &dyn Fn(&Variable) -> Variable) {
    let x = leaf(shape, data);
    let y = f(&x);
    let weights: Vec<f64> = (0..y.numel()).map(|k| 1.0 + 0.37 * k as f64).collect();
    let v = Variable::constant(Tensor::new(&y.shape(), weights.clone()));
    let found = sweep(&[(y, v)], SweepOptions::default()).unwrap();
    let g = found.leaves[0].1.value();
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
    let options = SweepOptions {
        create_graph: true,
        retain_graph: true,
        ..SweepOptions::default()
    };
    let again = sweep(&[(y, v)], options).unwrap().leaves[0].1.value();
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
    check(&[2, 3], &M, &|x| product::matmul(x, &w).unwrap());
    check(&[3], &M[..3], &|x| product::matmul(x, &w).unwrap());
    check(&[3], &M[..3], &|x| product::matmul(x, x).unwrap());
    check(&[2, 3], &M, &|x| {
        product::matmul(x, &layout::reversed(x).unwrap()).unwrap()
    });
    check(&[2, 1, 3], &M, &|x| product::matmul(x, &w).unwrap());
    check(&[3], &M[..3], &|x| product::outer(x, x).unwrap());
    let batch = Variable::constant(t(&[2, 3, 1], &M));
    check(&[2, 3], &M, &|x| product::matmul(x, &batch).unwrap());
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
            op(
                name,
                vec![Arg::Tensor(x.clone()), Arg::Tensor(target.clone())],
            )
        });
        check(&[2, 3], &p, &|x| {
            op(
                name,
                vec![Arg::Tensor(target.clone()), Arg::Tensor(x.clone())],
            )
        });
    }
    check(&[2, 3], &p, &|x| {
        op(
            "binary_cross_entropy",
            vec![Arg::Tensor(x.clone()), Arg::Tensor(target.clone())],
        )
    });
    check(&[2, 3], &M, &|x| {
        op(
            "cross_entropy",
            vec![Arg::Tensor(x.clone()), Arg::Tensor(classes.clone())],
        )
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
    let data: Vec<f64> = (0..32)
        .map(|k| (f64::from(k) * 1.7).sin() + if k % 5 == 0 { 2.0 } else { 0.0 })
        .collect();
    for n in 1..=4usize {
        for name in ["inverse", "det"] {
            eprintln!("{name} {n}");
            check(&[n, n], &data[..n * n], &|x| {
                op(name, vec![Arg::Tensor(x.clone())])
            });
        }
    }
    check(&[2, 3, 3], &data[..18], &|x| {
        op("det", vec![Arg::Tensor(x.clone())])
    });
    check(&[2, 2], &[0.0, 1.0, 0.0, 2.0], &|x| {
        op("det", vec![Arg::Tensor(x.clone())])
    });
    let b = Variable::constant(t(&[3], &M[..3]));
    check(&[3, 3], &data[..9], &|x| {
        op(
            "solve",
            vec![Arg::Tensor(x.clone()), Arg::Tensor(b.clone())],
        )
    });
    let power = vec![Arg::Scalar(Scalar::Int(-3))];
    check(&[2, 2], &data[..4], &|x| {
        op(
            "matrix_power",
            [vec![Arg::Tensor(x.clone())], power.clone()].concat(),
        )
    });
}

#[test]
fn sums_by_letters_agree_with_differences() {
    let w = Variable::constant(t(&[3, 2], &[1.0, 2.0, -1.0, 0.5, 0.0, 3.0]));
    let one =
        |e: &str, x: &Variable| super::ops::einsum::einsum(e, std::slice::from_ref(x)).unwrap();
    let two =
        |e: &str, x: &Variable| super::ops::einsum::einsum(e, &[x.clone(), w.clone()]).unwrap();
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
        let y = super::ops::einsum::einsum(e, &[x.clone(), x.clone()]).unwrap();
        y.node().unwrap().grad_fn()
    };
    assert_eq!(named("i,i->"), "ViewBackward0");
    assert_eq!(named("i,j->ij"), "MulBackward0");
}

#[test]
fn broadcast_operands_get_sums() {
    let b = leaf(&[3], &[1.0, 2.0, 3.0]);
    let m = leaf(&[2, 1], &[10.0, 20.0]);
    let y = table::mul(&b, &m).unwrap();
    backward(&y, SweepOptions::default()).unwrap();
    assert_eq!(grad(&b), [30.0, 30.0, 30.0]);
    assert_eq!(grad(&m), [6.0, 6.0]);
    backward(&y, SweepOptions::default()).unwrap();
    assert_eq!(grad(&m), [12.0, 12.0]);
}

#[test]
fn views_share_memory_and_history() {
    let x = leaf(&[3], &[1.0, 2.0, 3.0]);
    let w = table::mul(&x, &number(2.0)).unwrap();
    let slice = |a, b| Index::Slice {
        start: a,
        stop: b,
        step: None,
    };
    let v = index::get(&w, &[slice(None, Some(2))]).unwrap();
    assert_eq!(v.node().unwrap().grad_fn(), "SliceBackward0");
    v.update(&table::mul(&v, &number(10.0)).unwrap()).unwrap();
    assert_eq!(w.value().data(), [20.0, 40.0, 6.0]);
    assert_eq!(w.node().unwrap().grad_fn(), "CopySlices");
    assert_eq!(v.node().unwrap().grad_fn(), "AsStridedBackward0");
    backward(
        &reduce::sum(&w, None, false).unwrap(),
        SweepOptions::default(),
    )
    .unwrap();
    assert_eq!(grad(&x), [20.0, 20.0, 2.0]);
    let d = x.detach();
    index::set(&d, &[Index::Int(0)], &number(7.0)).unwrap();
    assert_eq!(x.value().data()[0], 7.0);
}

#[test]
fn assignment_through_an_index_is_recorded() {
    let x = leaf(&[2], &[1.0, 2.0]);
    let y = Variable::constant(t(&[3], &[0.0; 3]));
    for (k, c) in [(0, 3.0), (1, 5.0), (2, 10.0)] {
        let e = index::get(&x, &[Index::Int(k % 2)]).unwrap();
        let e = table::mul(&e, &number(c)).unwrap();
        index::set(&y, &[Index::Int(k)], &e).unwrap();
    }
    assert_eq!(y.value().data(), [3.0, 10.0, 10.0]);
    assert_eq!(y.node().unwrap().grad_fn(), "CopySlices");
    let v = Variable::constant(t(&[3], &[1.0, 10.0, 100.0]));
    let found = sweep(&[(y, v)], SweepOptions::default()).unwrap();
    assert_eq!(found.leaves[0].1.value().data(), [1003.0, 50.0]);
    let whole = Variable::constant(t(&[2], &[0.0; 2]));
    index::set(&whole, &[Index::Ellipsis], &x).unwrap();
    assert_eq!(whole.node().unwrap().grad_fn(), "CopyBackwards");
    let message = index::set(&x, &[Index::Int(0)], &number(1.0))
        .unwrap_err()
        .message;
    assert_eq!(
        message,
        "a view of a leaf Variable that requires grad is being used in an in-place operation."
    );
}

#[test]
fn saved_values_have_versions() {
    let x = leaf(&[3], &[1.0, 2.0, 3.0]);
    let y = op("exp", vec![Arg::Tensor(x.clone())]);
    let s = reduce::sum(&y, None, false).unwrap();
    y.update(&table::add(&y, &number(1.0)).unwrap()).unwrap();
    let message = backward(&s, SweepOptions::default()).unwrap_err().message;
    assert!(message.starts_with(
        "one of the variables needed for gradient computation has been modified by an inplace operation: [torch.DoubleTensor [3]], which is output 0 of Exp, is at version 1; expected version 0 instead. Hint:"
    ), "{message}");
    // An in-place operation keeps a copy of what it overwrites.
    let z = table::mul(&x, &number(2.0)).unwrap();
    z.update(&table::pow(&z, &number(2.0)).unwrap()).unwrap();
    backward(
        &reduce::sum(&z, None, false).unwrap(),
        SweepOptions::default(),
    )
    .unwrap();
    assert_eq!(grad(&x), [8.0, 16.0, 24.0]);
}

#[test]
fn a_second_sweep_needs_what_the_first_freed() {
    let x = leaf(&[2], &[1.0, 2.0]);
    let strict = SweepOptions {
        strict_free: true,
        ..SweepOptions::default()
    };
    let linear = reduce::sum(&table::add(&x, &x).unwrap(), None, false).unwrap();
    backward(&linear, strict).unwrap();
    backward(&linear, strict).unwrap();
    let square = reduce::sum(&table::mul(&x, &x).unwrap(), None, false).unwrap();
    backward(&square, strict).unwrap();
    let v = ones_like(&square).unwrap();
    let kept = sweep(&[(square.clone(), v)], SweepOptions::default()).unwrap();
    assert!(kept.would_raise);
    let message = backward(&square, strict).unwrap_err().message;
    assert!(message.starts_with("Trying to backward through the graph a second time"));
}

#[test]
fn implicit_leaves_are_constants_beside_explicit_ones() {
    let lr = Variable::implicit(Tensor::number(0.1, Dtype::Float64), "lr".into());
    let w = leaf(&[2], &[1.0, 2.0]);
    let y = reduce::sum(&table::mul(&w, &lr).unwrap(), None, false).unwrap();
    backward(&y, SweepOptions::default()).unwrap();
    assert!(lr.grad().is_none() && w.grad().is_some());
    let alone = table::mul(&lr, &lr).unwrap();
    assert!(alone.is_number() && !alone.shows());
    backward(&alone, SweepOptions::default()).unwrap();
    assert_eq!(grad(&lr), [0.2]);
}

#[test]
fn second_derivatives_are_recorded() {
    let x = leaf(&[2], &[2.0, 3.0]);
    let cube = table::pow(&x, &number(3.0)).unwrap();
    let y = reduce::sum(&cube, None, false).unwrap();
    let options = SweepOptions {
        create_graph: true,
        retain_graph: true,
        ..SweepOptions::default()
    };
    let g = sweep(&[(y.clone(), ones_like(&y).unwrap())], options)
        .unwrap()
        .leaves[0]
        .1
        .clone();
    assert_eq!(g.value().data(), [12.0, 27.0]);
    let s = reduce::sum(&g, None, false).unwrap();
    let h = sweep(
        &[(s.clone(), ones_like(&s).unwrap())],
        SweepOptions::default(),
    )
    .unwrap();
    assert_eq!(h.leaves[0].1.value().data(), [12.0, 18.0]);
}

#[test]
fn a_chain_of_a_million_operations_is_swept_and_dropped() {
    let x = leaf(&[], &[1.0]);
    let mut y = x.clone();
    let one = number(1.0);
    for _ in 0..1_000_000 {
        y = table::add(&y, &one).unwrap();
    }
    backward(&y, SweepOptions::default()).unwrap();
    assert_eq!(grad(&x), [1.0]);
    drop(y);
}

#[test]
fn types_promote_as_in_pytorch() {
    let add = |a: &Tensor, b: &Tensor| {
        let (a, b) = (Variable::constant(a.clone()), Variable::constant(b.clone()));
        table::add(&a, &b).unwrap().dtype()
    };
    let ints = t(&[2], &[1.0, 2.0]).with_dtype(Dtype::Int64);
    let single = t(&[2], &[1.0, 2.0]).with_dtype(Dtype::Float32);
    assert_eq!(add(&ints, &Scalar::Int(1).tensor()), Dtype::Int64);
    assert_eq!(add(&ints, &Scalar::Float(1.5).tensor()), Dtype::Float64);
    assert_eq!(add(&single, &Scalar::Float(1.5).tensor()), Dtype::Float32);
    assert_eq!(add(&single, &Tensor::scalar(1.0)), Dtype::Float32);
    assert_eq!(add(&single, &ints), Dtype::Float32);
    let third = Variable::constant(single);
    let y = table::div(&third, &number(3.0)).unwrap().value();
    assert_eq!(y.data()[0], f64::from(1.0f32 / 3.0));
    assert_eq!(Array::scale(&ints, 0.5).dtype(), Dtype::Float64);
}
