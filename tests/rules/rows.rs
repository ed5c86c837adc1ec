//! Every row of the pointwise table, at random points of its domain and under broadcasting.

use super::random::Random;
use vjp::jacobian::Entry;
use vjp::jacobian::central_differences;
use vjp::jacobian::walk::{Limits, numeric, numeric_many, symbolic_many};
use vjp::maths::autodiff::linear_map::LinearMap;
use vjp::maths::autodiff::reverse::{SweepOptions, sweep};
use vjp::maths::autodiff::rule::Point;
use vjp::maths::autodiff::torch_node::UNDERIVED;
use vjp::maths::autodiff::variable::{Variable, apply};
use vjp::maths::table::{self, Row};
use vjp::tensor::tensor::Tensor;

fn leaf(shape: &[usize], data: Vec<f64>) -> Variable {
    Variable::leaf(Tensor::new(shape, data))
}

fn ones(shape: &[usize]) -> Tensor {
    Tensor::new(shape, vec![1.0; shape.iter().product()])
}

/// The row as an operation with its default parameters.
fn run(row: &Row, operands: &[Variable]) -> Variable {
    let params: Vec<f64> = row.params.iter().map(|(_, d)| *d).collect();
    apply((row.fun.operation)(&params), operands).unwrap()
}

/// Operands drawn from a row's domain.
fn operands(row: &Row, shapes: &[&[usize]], random: &mut Random) -> Vec<Variable> {
    row.domain
        .iter()
        .enumerate()
        .map(|(k, (low, high))| {
            let shape = shapes[k % shapes.len()];
            let n = shape.iter().product();
            leaf(shape, (0..n).map(|_| random.between(*low, *high)).collect())
        })
        .collect()
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b
        || (a.is_nan() && b.is_nan())
        || (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0)
}

fn value(entry: &Entry<f64>) -> f64 {
    match entry {
        Entry::Value(x) => *x,
        Entry::Absent | Entry::Unchosen => 0.0,
    }
}

/// Gradients of Σ v·y by the reverse sweep.
fn reverse(y: &Variable, v: &Tensor, leaves: &[Variable]) -> Vec<Vec<f64>> {
    let options = SweepOptions {
        create_graph: false,
        retain_graph: true,
        inputs: Some(leaves),
        ..SweepOptions::default()
    };
    let s = sweep(&[(y.clone(), Variable::constant(v.clone()))], options).unwrap();
    s.inputs
        .iter()
        .zip(leaves)
        .map(|(g, l)| g.as_ref().map_or(vec![0.0; l.numel()], |g| g.value().data().to_vec()))
        .collect()
}

/// The rows whose every operand has a derivative in PyTorch.
fn differentiable() -> impl Iterator<Item = &'static Row> {
    table::rows().filter(|row| row.underived == 0)
}

#[test]
fn every_row_agrees_with_differences_under_broadcasting() {
    let mut random = Random::new(1);
    for row in differentiable() {
        let patterns: [&[&[usize]]; 3] = [&[&[3]], &[&[2, 1], &[3]], &[&[], &[2]]];
        for shapes in patterns {
            let xs = operands(row, shapes, &mut random);
            let y = run(row, &xs);
            for x in &xs {
                let report = central_differences::gradcheck(&y, x, 1e-7).unwrap();
                assert!(report.agrees, "{} {shapes:?}: {report:?}", row.fun.name);
            }
        }
    }
}

#[test]
fn every_row_has_an_example_and_a_domain_per_operand() {
    for row in table::rows() {
        assert!(!row.example.is_empty(), "{}", row.fun.name);
        assert_eq!(row.domain.len(), row.fun.operands, "{}", row.fun.name);
    }
}

fn tensor(shape: &[usize], random: &mut Random) -> Tensor {
    let n = shape.iter().product();
    Tensor::new(shape, (0..n).map(|_| random.between(-2.0, 2.0)).collect())
}

fn dot(a: &Tensor, b: &Tensor) -> f64 {
    a.data().iter().zip(b.data()).map(|(a, b)| a * b).sum()
}

#[test]
fn transposes_are_dual_and_entries_are_what_is_applied() {
    let mut random = Random::new(2);
    for row in differentiable() {
        let xs = operands(row, &[&[2, 1], &[3]], &mut random);
        let y = run(row, &xs);
        let node = y.node().unwrap();
        let values: Vec<&Tensor> = node.inputs().iter().map(|e| &e.value).collect();
        let at =
            Point { inputs: &values, output: node.value(), values: &values, value: node.value() };
        for (wrt, x) in xs.iter().enumerate() {
            let map: LinearMap<Tensor> = node.operation().linear_tensor(&at, wrt);
            let (u, v) = (tensor(map.from(), &mut random), tensor(map.to(), &mut random));
            let (forward, back) = (dot(&v, &map.apply(&u)), dot(&map.transpose().apply(&v), &u));
            assert!(close(forward, back, 1e-12), "{} {wrt}", row.fun.name);
            let j = numeric(&y, x).unwrap();
            for column in 0..j.columns {
                let mut unit = vec![0.0; j.columns];
                unit[column] = 1.0;
                let applied = map.apply(&Tensor::new(map.from(), unit));
                for i in 0..j.rows {
                    assert_eq!(applied.data()[i], value(&j.get(i, column)), "{}", row.fun.name);
                }
            }
        }
    }
}

#[test]
fn symbols_evaluate_to_the_numbers() {
    let mut random = Random::new(3);
    for row in differentiable() {
        let xs = operands(row, &[&[2, 1], &[3]], &mut random);
        for (k, x) in xs.iter().enumerate() {
            x.set_name(Some(["a", "b", "c"][k].into()));
        }
        let y = run(row, &xs);
        let names = |v: &Variable| v.name().map(|n| n.to_string());
        let symbols = symbolic_many(&y, &xs, &names, Limits::default()).unwrap().unwrap();
        let numbers = numeric_many(&y, &xs).unwrap();
        for (s, j) in symbols.iter().zip(&numbers) {
            for (i, k, entry) in j.present() {
                let e = match s.get(i, k) {
                    Entry::Value(e) => e,
                    Entry::Unchosen if matches!(entry, Entry::Unchosen) => continue,
                    _ => panic!("{}", row.fun.name),
                };
                let got = e.evaluate(&|leaf, at| {
                    let x = xs.iter().find(|x| *x.name().unwrap() == *leaf.name).unwrap();
                    x.value().data()[at]
                });
                assert!(close(got, value(&entry), 1e-12), "{}: {got} {entry:?}", row.fun.name);
            }
        }
    }
}

#[test]
fn second_order_agrees_with_differences_of_the_first() {
    let mut random = Random::new(4);
    for row in differentiable() {
        let xs = operands(row, &[&[2]], &mut random);
        let y = run(row, &xs);
        let options = SweepOptions {
            create_graph: true,
            retain_graph: true,
            inputs: Some(&xs),
            ..SweepOptions::default()
        };
        let v = Variable::constant(ones(&y.shape()));
        let first = sweep(&[(y, v)], options).unwrap();
        let derived = |g: &Variable| g.node().is_some_and(|n| n.grad_fn() != UNDERIVED);
        for g in first.inputs.into_iter().flatten().filter(derived) {
            // An operand with a single point for a domain is a condition: it does not move.
            let moves = |k: &usize| row.domain[*k].0 != row.domain[*k].1;
            for x in (0..xs.len()).filter(moves).map(|k| &xs[k]) {
                let j = numeric(&g, x).unwrap();
                let (slopes, errors) = central_differences::central(
                    &mut |at| {
                        let moved: Vec<Variable> = xs
                            .iter()
                            .map(|o| if o.same(x) { Variable::leaf(at.clone()) } else { o.clone() })
                            .collect();
                        let y = run(row, &moved);
                        let k = first_index(&xs, &g, row);
                        let grads = reverse(&y, &ones(&y.shape()), &moved);
                        Ok(Tensor::new(&[2], grads[k].clone()))
                    },
                    &x.value(),
                )
                .unwrap();
                let report = central_differences::compare(&j, &slopes, &errors, 1e-6);
                assert!(report.agrees, "{}: {report:?}", row.fun.name);
            }
        }
    }
}

/// Which operand's gradient `g` is: found by comparing numbers.
fn first_index(xs: &[Variable], g: &Variable, row: &Row) -> usize {
    let y = run(row, xs);
    let grads = reverse(&y, &ones(&y.shape()), xs);
    grads.iter().position(|d| d.as_slice() == g.value().data()).unwrap()
}

#[test]
fn a_row_says_where_its_function_has_no_value() {
    const GRID: [f64; 15] =
        [-20.0, -3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.0, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 20.0];
    let mut wrong = String::new();
    for row in vjp::maths::table::rows() {
        let defaults: Vec<f64> = row.params.iter().map(|(_, default)| *default).collect();
        // An exponent of 2 suits every number.
        let others = (row.fun.name == "pow_number").then(|| vec![0.5]);
        for params in std::iter::once(defaults).chain(others) {
            let operation = (row.fun.operation)(&params);
            let function = operation.elementwise().unwrap();
            let places = GRID.len().pow(row.fun.operands as u32);
            for place in 0..places {
                let at = |k: usize| GRID[place / GRID.len().pow(k as u32) % GRID.len()];
                let x: Vec<f64> = (0..row.fun.operands).map(at).collect();
                let y = function.at(&[x.as_slice(), &[0.0; 3]].concat());
                if y.is_nan() != function.undefined(&x) {
                    wrong += &format!("{}{x:?}{params:?} = {y}\n", row.fun.name);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
