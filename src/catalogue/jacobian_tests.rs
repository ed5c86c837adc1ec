//! The explicit Jacobian: forms, formulas, both directions of composing.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::lookup;
use vjp_jacobian::Entry;
use vjp_jacobian::walk::*;
use vjp_maths::symbol::formula::{Style, write};
use vjp_maths::{Variable, table};
use vjp_ops::{Arg, Bound, Out};
use vjp_tensor::{Scalar, Tensor};

fn leaf(name: &str, shape: &[usize], data: &[f64]) -> Variable {
    let v = Variable::leaf(Tensor::new(shape, data.to_vec()));
    v.set_name(Some(name.into()));
    v
}

fn number(c: f64) -> Variable {
    Variable::constant(Scalar::Float(c).tensor())
}

fn call(name: &'static str, args: &[&Variable]) -> Variable {
    let args: Vec<Arg> = args.iter().map(|v| Arg::Tensor((*v).clone())).collect();
    match lookup(name).unwrap().call.run(&mut Bound::new(name, args)).unwrap() {
        Out::One(v) => v,
        other => panic!("{other:?}"),
    }
}

fn shown(y: &Variable, x: &Variable, style: Style) -> Vec<String> {
    let names = |v: &Variable| v.name().map(|n| n.to_string());
    let j = symbolic(y, x, &names, Limits::default()).unwrap().unwrap();
    let text = |e| match e {
        Entry::Absent => "·".to_owned(),
        Entry::Unchosen => "0".to_owned(),
        Entry::Value(e) => write(&e, style).unwrap(),
    };
    j.entries().map(text).collect()
}

#[test]
fn the_card() {
    let x = leaf("x", &[2], &[1.0, 2.0]);
    let y = table::mul(&number(3.0), &table::pow(&x, &number(2.0)).unwrap()).unwrap();
    let j = numeric(&y, &x).unwrap();
    assert_eq!(j.structure(), "diagonal");
    assert_eq!(j.left_multiply(&[1.0, 10.0]), [6.0, 120.0]);
    assert_eq!(shown(&y, &x, Style::Pretty), ["6x₁", "·", "·", "6x₂"]);
    assert_eq!(shown(&y, &x, Style::Ascii), ["6*x1", "·", "·", "6*x2"]);
    assert_eq!(shown(&y, &x, Style::Code), ["6*x[0]", "·", "·", "6*x[1]"]);
}

#[test]
fn formulas_are_written_as_people_write_them() {
    let x = leaf("x", &[], &[0.7]);
    let one = |y: &Variable| shown(y, &x, Style::Pretty).swap_remove(0);
    let f = |name| one(&call(name, &[&x]));
    assert_eq!(f("sqrt"), "1/(2√x)");
    assert_eq!(f("tanh"), "1 − tanh(x)²");
    assert_eq!(f("sigmoid"), "σ(x)(1 − σ(x))");
    assert_eq!(f("exp"), "e^x");
    assert_eq!(f("sin"), "cos(x)");
    assert_eq!(f("cos"), "−sin(x)");
    assert_eq!(f("log"), "1/x");
    assert_eq!(f("relu"), "x>0");
    assert_eq!(f("square"), "2x");
    assert_eq!(f("reciprocal"), "−1/x²");
    let xx = table::mul(&x, &x).unwrap();
    assert_eq!(one(&table::mul(&xx, &x).unwrap()), "3x²");
    assert_eq!(one(&table::add(&xx, &x).unwrap()), "2x + 1");
    assert_eq!(one(&table::div(&xx, &number(2.0)).unwrap()), "x");
    assert_eq!(one(&table::pow(&x, &number(3.0)).unwrap()), "3x²");
    let sx = table::mul(&x, &call("sin", &[&x])).unwrap();
    assert_eq!(one(&sx), "x cos(x) + sin(x)");
    let p = table::add(&x, &number(1.0)).unwrap();
    let q = table::mul(&xx, &p).unwrap();
    assert_eq!(one(&q), "3x² + 2x");
    assert_eq!(one(&call("square", &[&p])), "2(x + 1)");
}

#[test]
fn nothing_is_multiplied_with_what_is_absent() {
    let x = leaf("x", &[2], &[0.0, 1.0]);
    let y = table::mul(&number(2.0), &call("sqrt", &[&x])).unwrap();
    let j = numeric(&y, &x).unwrap();
    assert_eq!(j.left_multiply(&[1.0, 1.0]), [f64::INFINITY, 1.0]);
}

#[test]
fn products_are_dense_by_two_roads() {
    let a = leaf("A", &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let x = leaf("x", &[3, 1], &[1.0, 0.0, -1.0]);
    let op = vjp_ops::product::matmul::Matmul::of(2);
    let y = vjp_maths::apply(std::rc::Rc::new(op), &[a.clone(), x.clone()]).unwrap();
    let js = numeric_many(&y, &[a.clone(), x.clone()]).unwrap();
    assert_eq!(js[0].left_multiply(&[1.0, 10.0]), [1.0, 0.0, -1.0, 10.0, 0.0, -10.0]);
    assert_eq!(js[1].left_multiply(&[1.0, 10.0]), [41.0, 52.0, 63.0]);
    assert!(!js[0].reaches(0, 3));
    let s = call("sum", &[&y]);
    let from_output = numeric_many(&s, &[a.clone(), x.clone()]).unwrap();
    assert_eq!(from_output[1].left_multiply(&[1.0]), [5.0, 7.0, 9.0]);
    assert_eq!(
        shown(&y, &a, Style::Pretty),
        ["x₁₁", "x₂₁", "x₃₁", "·", "·", "·", "·", "·", "·", "x₁₁", "x₂₁", "x₃₁"]
    );
}

#[test]
fn a_million_elements_stay_a_diagonal() {
    let n = 1_000_000;
    let x = leaf("x", &[n], &vec![0.5; n]);
    let y = table::mul(&x, &call("sin", &[&x])).unwrap();
    let j = numeric(&y, &x).unwrap();
    assert_eq!((j.structure().as_str(), j.stored()), ("diagonal", n));
}

#[test]
fn large_symbols_are_given_up_soon() {
    let a = leaf("A", &[64, 64], &vec![0.5; 64 * 64]);
    let product = |a: &Variable| {
        let op = vjp_ops::product::matmul::Matmul::of(2);
        vjp_maths::apply(std::rc::Rc::new(op), &[a.clone(), a.clone()]).unwrap()
    };
    let y = call("sum", &[&call("tanh", &[&product(&product(&a))])]);
    let names = |v: &Variable| v.name().map(|n| n.to_string());
    let start = std::time::Instant::now();
    let all = symbolic(&y, &a, &names, Limits::default()).unwrap();
    assert!(all.is_none());
    assert!(start.elapsed().as_secs() < 5);
}

#[test]
fn a_thousand_cells_are_quick() {
    let x = leaf("x", &[1000], &vec![0.5; 1000]);
    let y = table::pow(&x, &number(3.0)).unwrap();
    let names = |v: &Variable| v.name().map(|n| n.to_string());
    let j = symbolic(&y, &x, &names, Limits::default()).unwrap().unwrap();
    assert_eq!(j.structure(), "diagonal");
    let Entry::Value(cell) = j.get(999, 999) else { panic!() };
    assert_eq!(write(&cell, Style::Pretty).unwrap(), "3x₁₀₀₀²");
    let s = call("sum", &[&y]);
    let total = symbolic(&s, &x, &names, Limits::default()).unwrap();
    assert!(total.is_some());
}

#[test]
fn elements_are_named_in_three_ways() {
    let w = leaf("W1", &[2, 12], &[0.5; 24]);
    let y = call("square", &[&w]);
    let last = |style| shown(&y, &w, style).pop().unwrap();
    assert_eq!(last(Style::Pretty), "2W1₂,₁₂");
    assert_eq!(last(Style::Ascii), "2*W1_2,12");
    assert_eq!(last(Style::Code), "2*W1[1,11]");
}

#[test]
fn pieces_are_conditions_for_people_and_functions_in_code() {
    let x = leaf("x", &[1], &[0.5]);
    let one = |name, style| shown(&call(name, &[&x]), &x, style).swap_remove(0);
    assert_eq!(one("relu", Style::Pretty), "x₁>0");
    assert_eq!(one("relu", Style::Code), "step(x[0])");
    assert_eq!(one("abs", Style::Pretty), "sign(x₁)");
    assert_eq!(one("leaky_relu", Style::Code), "where(x[0] > 0, 1, 0.01)");
    let clamped = table::call(&table::CLAMP, &[x.clone(), number(1.0), number(2.0)]).unwrap();
    assert_eq!(shown(&clamped, &x, Style::Pretty), ["(x₁>1)(x₁<2)"]);
    assert_eq!(shown(&clamped, &x, Style::Code), ["step(x[0] - 1)*step(2 - x[0])"]);
}

#[test]
fn structure_is_kept_through_selection_and_products() {
    let n = 1000;
    let a = Variable::constant(Tensor::new(&[n, n], vec![0.001; n * n]));
    let x = leaf("x", &[n], &vec![0.5; n]);
    let y = call("tanh", &[&call("matmul", &[&a, &x])]);
    let j = numeric(&y, &x).unwrap();
    assert_eq!(j.structure(), "diagonal × matrix");
    assert_eq!(j.stored(), n * n);
    let flipped = match lookup("flip")
        .unwrap()
        .call
        .run(&mut Bound::new("flip", vec![Arg::Tensor(x.clone()), Arg::Ints(vec![0])]))
        .unwrap()
    {
        Out::One(v) => v,
        other => panic!("{other:?}"),
    };
    assert_eq!(numeric(&flipped, &x).unwrap().structure(), "permutation");
    let start = std::time::Instant::now();
    let s = call("sum", &[&y]);
    let row = numeric(&s, &x).unwrap();
    assert_eq!((row.rows, row.columns), (1, n));
    assert!(start.elapsed().as_secs() < 3);
}
