//! Vector kernels: the elementary functions against numbers of high precision (made by `data/kernels.py`),
//! and every row of the table over long arrays against the same row taken one number at a time.

use std::mem::MaybeUninit;
use vjp::maths::autodiff::algebra::Fun;
use vjp::maths::autodiff::algebra::Input;
use vjp::maths::autodiff::rule::Point;
use vjp::maths::table::{self, Row};
use vjp::tensor::kernels::blocks::Slots;
use vjp::tensor::kernels::{Cpu, LANES_FROM};
use vjp::tensor::tensor::{Dtype, Tensor};

fn fun(name: &str) -> &'static Fun {
    let is = |r: &&Row| r.fun.name == name && r.fun.operands == 1;
    table::rows().find(is).unwrap().fun
}

/// Every kind of processor whose instructions this one has.
fn cpus() -> Vec<Cpu> {
    let best = Cpu::over(LANES_FROM);
    #[cfg(target_arch = "x86_64")]
    if best == Cpu::Avx512 {
        return vec![Cpu::Plain, Cpu::Avx2, best];
    }
    vec![Cpu::Plain, best]
}

fn run(fun: &Fun, cpu: Cpu, x: &[f64]) -> Vec<f64> {
    let mut out = vec![MaybeUninit::uninit(); x.len()];
    (fun.tile)(cpu, Dtype::Float64, &[Input::Many(x)], Slots::Double(&mut out));
    // SAFETY: a function of the table writes all elements.
    out.into_iter().map(|v| unsafe { v.assume_init() }).collect()
}

/// The distance between neighbours at `y`.
fn ulp(y: f64) -> f64 {
    let y = y.abs().min(f64::MAX.next_down());
    y.next_up() - y
}

#[test]
fn functions_are_within_one_unit_in_the_last_place() {
    let bits = |s: &str| f64::from_bits(u64::from_str_radix(s, 16).unwrap());
    let lines: Vec<_> = include_str!("data/kernels.txt")
        .lines()
        .map(|l| l.split(' ').collect::<Vec<_>>())
        .collect();
    for name in ["exp", "expm1", "tanh", "log", "log1p", "sin", "cos"] {
        let points: Vec<[f64; 3]> =
            lines.iter().filter(|l| l[0] == name).map(|l| [1, 2, 3].map(|k| bits(l[k]))).collect();
        assert!(points.len() > 400, "{name}");
        let x: Vec<f64> = points.iter().map(|p| p[0]).collect();
        for cpu in cpus() {
            let y: Vec<f64> = x.chunks(256).flat_map(|x| run(fun(name), cpu, x)).collect();
            for (y, [x, near, rest]) in y.iter().zip(&points) {
                let off = ((y - near) - rest).abs() / ulp(*near);
                // The C library's own functions are checked less sharply.
                let most = if cpu == Cpu::Plain { 2.0 } else { 1.0 };
                let alike = y == near && y.is_sign_negative() == near.is_sign_negative();
                assert!(alike || off < most, "{name} {x:e} {cpu:?}: {y:e}, off {off}");
            }
        }
    }
}

#[test]
fn what_is_no_number_stays_what_the_c_library_says() {
    let x = [f64::NAN, f64::INFINITY, -f64::INFINITY, -1.0, 0.0, -0.0, 1e7, -3e9, 1e-310];
    for row in table::rows().filter(|r| r.fun.operands == 1 && r.params.is_empty()) {
        for cpu in cpus() {
            for (y, x) in run(row.fun, cpu, &x).iter().zip(x) {
                let plain = (row.fun.value)(&[x]);
                let close = (y - plain).abs() <= 4.0 * ulp(plain) || *y == plain;
                let alike = y.is_nan() && plain.is_nan()
                    || close && y.is_sign_negative() == plain.is_sign_negative();
                assert!(alike, "{} {x:e} {cpu:?}: {y:e} {plain:e}", row.fun.name);
            }
        }
    }
}

/// Points of a row's domain, in no order that a pattern could hide in.
fn points(row: &Row, operand: usize, n: usize) -> Vec<f64> {
    let (low, high) = row.domain[operand];
    let step = |k: usize| ((k * 7919 + operand * 31) % 1009) as f64 / 1009.0;
    (0..n).map(|k| low + (high - low) * step(k)).collect()
}

fn near(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1e-3)
}

#[test]
fn every_row_over_a_long_array_is_the_row_itself() {
    for row in table::rows() {
        let n = row.fun.operands;
        let params: Vec<f64> = row.params.iter().map(|p| p.1).collect();
        let op = (row.fun.operation)(&params);
        // With one operand a single number, and with none.
        for single in 0..=n {
            let size = |k: usize| if k == single && n > 1 { 1 } else { 2500 };
            let inputs: Vec<Tensor> = (0..n)
                .map(|k| match size(k) {
                    1 => Tensor::scalar(points(row, k, 9)[8]),
                    n => Tensor::new(&[n], points(row, k, n)),
                })
                .collect();
            let refs: Vec<&Tensor> = inputs.iter().collect();
            let y = op.value(&refs).unwrap();
            let at = |k: usize, t: &Tensor| t.data()[k % t.numel()];
            for k in 0..y.numel() {
                let mut x: Vec<f64> = refs.iter().map(|t| at(k, t)).collect();
                x.extend(&params);
                let plain = y.dtype().cast((row.fun.value)(&x));
                assert!(near(y.data()[k], plain), "{} {x:?}: {}", row.fun.name, y.data()[k]);
            }
            if !y.dtype().is_float() {
                continue;
            }
            let v = Tensor::new(&[2500], (0..2500).map(|k| f64::from(k % 17) - 8.0).collect());
            let at = Point { inputs: &refs, output: &y, values: &refs, value: &y };
            for wrt in 0..n {
                let Some(pulled) = op.pull(&at, wrt, &v) else {
                    continue;
                };
                let mapped = op.linear_tensor(&at, wrt).transpose().apply(&v);
                assert_eq!(pulled.as_ref().unwrap().shape(), mapped.shape());
                let pairs = pulled.unwrap();
                for (a, b) in pairs.data().iter().zip(mapped.data()) {
                    assert!(near(*a, *b), "{} by operand {wrt}: {a} {b}", row.fun.name);
                }
            }
        }
    }
}
