//! Graph, memory and sweep together, against PyTorch's behaviour and finite differences.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::lookup;
use vjp_maths::autodiff::reverse::{SweepOptions, ones_like, sweep};
use vjp_maths::{Array, Variable, table};
use vjp_ops::index::{self, Index};
use vjp_ops::{Arg, Bound, Out, reduce};
use vjp_tensor::{Dtype, Outcome, Scalar, Tensor};

pub fn t(shape: &[usize], data: &[f64]) -> Tensor {
    Tensor::new(shape, data.to_vec())
}

pub fn leaf(shape: &[usize], data: &[f64]) -> Variable {
    Variable::leaf(t(shape, data))
}

fn number(v: f64) -> Variable {
    Variable::constant(Scalar::Float(v).tensor())
}

pub fn op(name: &'static str, args: Vec<Arg>) -> Variable {
    let entry = lookup(name).unwrap_or_else(|| panic!("no {name}"));
    match entry.call.run(&mut Bound::new(name, args)).unwrap() {
        Out::One(v) => v,
        Out::Named(_, parts) => parts[0].1.clone(),
        Out::Many(v) => v[0].clone(),
        other => panic!("{other:?}"),
    }
}

fn backward(y: &Variable, options: SweepOptions) -> Outcome<()> {
    let v = ones_like(y)?;
    sweep(&[(y.clone(), v)], SweepOptions { accumulate: true, ..options }).map(|_| ())
}

fn grad(x: &Variable) -> Vec<f64> {
    x.grad().unwrap().value().data().to_vec()
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
    let slice = |a, b| Index::Slice { start: a, stop: b, step: None };
    let v = index::get(&w, &[slice(None, Some(2))]).unwrap();
    assert_eq!(v.node().unwrap().grad_fn(), "SliceBackward0");
    v.update(&table::mul(&v, &number(10.0)).unwrap()).unwrap();
    assert_eq!(w.value().data(), [20.0, 40.0, 6.0]);
    assert_eq!(w.node().unwrap().grad_fn(), "CopySlices");
    assert_eq!(v.node().unwrap().grad_fn(), "AsStridedBackward0");
    backward(&reduce::sum(&w, None, false).unwrap(), SweepOptions::default()).unwrap();
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
    assert_eq!(found.leaves[0].gradient.value().data(), [1003.0, 50.0]);
    let whole = Variable::constant(t(&[2], &[0.0; 2]));
    index::set(&whole, &[Index::Ellipsis], &x).unwrap();
    assert_eq!(whole.node().unwrap().grad_fn(), "CopyBackwards");
    let message = index::set(&x, &[Index::Int(0)], &number(1.0)).unwrap_err().message;
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
    backward(&reduce::sum(&z, None, false).unwrap(), SweepOptions::default()).unwrap();
    assert_eq!(grad(&x), [8.0, 16.0, 24.0]);
}

#[test]
fn a_second_sweep_needs_what_the_first_freed() {
    let x = leaf(&[2], &[1.0, 2.0]);
    let strict = SweepOptions { strict_free: true, ..SweepOptions::default() };
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
    let options =
        SweepOptions { create_graph: true, retain_graph: true, ..SweepOptions::default() };
    let g =
        sweep(&[(y.clone(), ones_like(&y).unwrap())], options).unwrap().leaves[0].gradient.clone();
    assert_eq!(g.value().data(), [12.0, 27.0]);
    let s = reduce::sum(&g, None, false).unwrap();
    let h = sweep(&[(s.clone(), ones_like(&s).unwrap())], SweepOptions::default()).unwrap();
    assert_eq!(h.leaves[0].gradient.value().data(), [12.0, 18.0]);
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
