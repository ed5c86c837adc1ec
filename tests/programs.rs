//! Programs: the sweep, vᵀJ of the explicit Jacobian and finite differences agree, and with PyTorch.

use crate::support::lenient;
use crate::support::random;

use num_traits::ToPrimitive;
use random::Random;
use std::rc::Rc;
use vjp::eval::language::machine::{Manner, Options, Telling};
use vjp::eval::record::event::{Backward, Event, Shown};
use vjp::jacobian::Entry;
use vjp::jacobian::central_differences;
use vjp::jacobian::walk::numeric_many;
use vjp::maths::autodiff::reverse::{SweepOptions, sweep};
use vjp::maths::autodiff::variable::{Variable, apply};
use vjp::maths::table::{self, Row};
use vjp::tensor::tensor::Tensor;
use vjp::text::source::Source;

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
    Variable::constant(Tensor::number(c, vjp::tensor::tensor::Dtype::Float64))
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
            let (slopes, errors) = central_differences::central(
                &mut |at| central_differences::replay(&y, x, at),
                &x.value(),
            )
            .unwrap();
            let report = central_differences::compare(j, &slopes, &errors, 1e-6);
            assert!(report.agrees, "program {count}: {report:?}");
        }
    }
}

/// What a program told.
fn told(program: &str) -> Vec<Event> {
    let mut machine = vjp::tutor::machine(Options::default());
    let mut events = Vec::new();
    let _ = machine.run(&Source::new(program), Manner::Program, &mut |event| events.push(event));
    events
}

/// The backward that a program ran last.
fn backward(program: &str) -> Result<Rc<Backward>, String> {
    let events = told(program);
    let error = events.iter().find_map(|e| match e {
        Event::Error(fault) => Some(fault.message.clone()),
        _ => None,
    });
    let last = events.into_iter().rev().find_map(|e| match e {
        Event::Backward(b) => Some(b),
        _ => None,
    });
    last.ok_or_else(|| error.unwrap_or_else(|| "no backward".into()))
}

fn entry(j: &vjp::jacobian::Jacobian<f64>, row: usize, column: usize) -> f64 {
    match j.get(row, column) {
        Entry::Value(x) => x,
        Entry::Absent | Entry::Unchosen => 0.0,
    }
}

/// What a short program gives beside what PyTorch gives where its leaves are tensors
/// (tests/data/short.jsonl, written by short.py).
#[test]
fn short_programs_have_the_values_and_jacobians_of_pytorch() {
    let mut wrong = Vec::new();
    for line in include_str!("data/short.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let program =
            format!("{}\ny.backward({})", case["program"].as_str().unwrap(), case["ones"]);
        let b = match backward(&program) {
            Ok(b) => b,
            Err(e) => {
                wrong.push(format!("{program}\n  {e}"));
                continue;
            }
        };
        let numbers = |v: &serde_json::Value| -> Vec<f64> {
            v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
        };
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs().max(1.0);
        let value = numbers(&case["value"]);
        if value.len() != b.value.numel()
            || !value.iter().zip(b.value.data()).all(|(a, b)| near(*b, *a))
        {
            wrong.push(format!("{program}\n  is {:?}, not {value:?}", b.value.data()));
        }
        for (name, rows) in case["jacobian"].as_object().unwrap() {
            let rows: Vec<Vec<f64>> = rows.as_array().unwrap().iter().map(numbers).collect();
            let leaf = b.leaves.iter().find(|l| l.name == *name);
            for (i, row) in rows.iter().enumerate() {
                for (j, want) in row.iter().enumerate() {
                    let got = leaf.map_or(0.0, |l| entry(&l.jacobian, i, j));
                    if !near(got, *want) {
                        wrong.push(format!(
                            "{program}\n  ∂y[{i}]/∂{name}[{j}] is {got}, not {want}"
                        ));
                    }
                }
            }
            assert!(leaf.is_none_or(|l| l.agrees && !l.earlier), "{program}: {name}");
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is selected of a list is a list, and prints as one.
#[test]
fn selections_of_a_list_print_as_lists() {
    for (expression, printed) in [
        ("t[:1]", "[[1.0, 2]]"),
        ("t[::-1]", "[[3, 4], [1.0, 2]]"),
        ("t[:, 1:]", "[[2], [4]]"),
        ("t[[1, 0]]", "[[3, 4], [1.0, 2]]"),
        ("t[...]", "[[1.0, 2], [3, 4]]"),
        ("t[0, 1]", "2"),
        ("t[t > 1.5]", "[2, 3, 4]"),
        ("list(zip(t, t))[0]", "([1.0, 2], [1.0, 2])"),
        ("max(t), min(t), sum(t), sorted(t[1]), round(t[0][0])", "4 1.0 10.0 [3, 4] 1"),
    ] {
        let events = told(&format!("t = [[1., 2], [3, 4]]\nprint({expression})"));
        let text = events.iter().find_map(|e| match e {
            Event::Print(text) => Some(text.trim_end()),
            _ => None,
        });
        assert_eq!(text, Some(printed), "{expression}");
    }
}

/// Lists share their rows: what is written through one is seen through all, and by what is stacked of them.
#[test]
fn a_list_whose_data_was_replaced_is_chosen_from_as_it_is_now() {
    let events = told("x = [1., 2.]\nx.data = torch.ones(3)\nx[[1, 2]]");
    assert!(!events.iter().any(|event| matches!(event, Event::Error(_))));
}

#[test]
fn what_is_written_into_a_list_is_seen() {
    for (program, printed) in [
        ("u = t[:1]; z = u*2; t[0][0] = 9; print((t*1).tolist())", "[[9.0, 2.0], [3.0, 4.0]]"),
        ("u = t[:1]; z = u*2; t[0][0] = 9; print((u*1).tolist())", "[[9.0, 2.0]]"),
        ("t[0, 1] = 7; t[:, 0] = [5, 6]; print(t)", "[[5, 7], [6, 4]]"),
        ("t[t > 2] = 0; print(t)", "[[1, 2], [0, 0]]"),
        ("t[0, 1] += 1; print(t[0])", "[1, 3]"),
        ("r = t[0]\nwith no_grad(): t -= 1\nprint(r, (r*1).tolist())", "[0.0, 1.0] [0.0, 1.0]"),
        (
            "a = t[0][0]\nwith no_grad(): t -= 1\ny = a^2; y.backward(); print(y, t.grad[0, 0])",
            "1 tensor(2.)",
        ),
        ("w = 2\np = [w]\nwith no_grad(): w -= 0.5\nprint(p, (p*1).tolist())", "[1.5] [1.5]"),
        ("a = torch.tensor(1.); p = [a, 2]; z = p*1; a += 1; print((p*1).tolist())", "[2.0, 2.0]"),
        (
            "y = (t*t).sum(); y.backward()\nwith no_grad(): t[0][0] -= 0.5\nprint(t[0], t.grad[0])",
            "[0.5, 2] tensor([2., 4.])",
        ),
    ] {
        let events = told(&format!("t = [[1, 2], [3, 4]]\n{program}"));
        let text: Vec<String> = events
            .iter()
            .filter_map(|e| match e {
                Event::Print(text) => Some(text.trim_end().to_owned()),
                Event::Error(fault) => Some(fault.message.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(text, [printed], "{program}");
    }
}

/// `·` stands where no path is whatever the leaves are, 0 where values chose another or a slope is 0; y is
/// called linear only where it is.
#[test]
fn what_a_value_chose_is_no_missing_path() {
    for (setup, entries, linear, flat) in [
        ("x = [1, 3, 2]; y = max(x)", "010", false, false),
        ("x = [1, 3, 2]; y = sorted(x)[0]", "100", false, false),
        ("x = [1, 3, 2]; y = x[argmax(x)]", "010", false, false),
        ("x = [1, 3, 2]; y = x[x > 2.5]", "010", false, false),
        ("x = [1, 3, 2]; y = x[1]", ".1.", true, false),
        ("x = [1, 3, 2]; y = x[[1]]", ".1.", true, false),
        ("x = [1.5]; y = floor(x)", "0", false, true),
        ("x = [1.5]; y = sign(x)*2", "0", false, true),
        ("x = [1.5]; y = round(x) + 0*x", "0", false, false),
        ("x = [1.5]; y = floor(x) + x", "1", false, false),
        ("x = [1.5]; y = x % 2", "1", false, false),
        ("x = [1.5]; y = frac(x)", "1", false, false),
        ("x = [1.5]; y = (x > 0)*x", "1", false, false),
        ("x = [1.5]; y = where(x > tensor(0), x, 0)", "1", false, false),
        ("x = [1.5]; y = x.detach()*x", "2", false, false),
        ("x = [1.5]; y = x*float(x[0])", "2", false, false),
        ("x = [1.5]; y = x if x[0] > 0 else -x; y = y*1", "1", false, false),
        ("x = [1.5]; y = 3*x + 1", "3", true, false),
        ("a = 2; b = 3; y = [max(a, b)]", "0", false, false),
    ] {
        let b = backward(&format!("{setup}\ny.backward([1])")).unwrap();
        let leaf = &b.leaves[0];
        let drawn: String = (0..leaf.jacobian.columns)
            .map(|j| match leaf.jacobian.get(0, j) {
                Entry::Absent => ".".to_owned(),
                Entry::Unchosen => "0".to_owned(),
                Entry::Value(x) => format!("{:.0}", x.ceil()),
            })
            .collect();
        assert_eq!((drawn.as_str(), leaf.linear, leaf.flat), (entries, linear, flat), "{setup}");
    }
}

/// Parts of random texts: of one value, or two.
const PARTS: &[&str] = &[
    "relu(A)",
    "abs(A)",
    "A.detach()",
    "torch.sort(A)[0]",
    "A.cumsum(0)",
    "A.max()",
    "A.median()",
    "A.clamp(-1, 1)",
    "where(A > 0, A, 0*A)",
    "where(m, A, 2*A)",
    "A[[2, 0, 1]]",
    "A.flip(0)",
    "A.sum()",
    "A*c",
    "c/A",
    "A**1",
    "A**2",
    "A**0",
    "-A",
    "A.sign()",
    "floor(A)",
    "A - floor(A)",
    "A % 2",
    "A*A.detach()",
    "torch.topk(A, 2)[0].sum()",
    "A.masked_fill(A > 1, 0.)",
    "F.leaky_relu(A)",
    "torch.diff(A)",
    "A.norm(1)",
    "torch.lerp(A, c, 0.3)",
    "torch.lerp(A, c, A)",
    "A[A > 0]",
    "A[A.argsort()]",
    "A[A.argmax()]",
    "max(A)",
    "sorted(A)[0]",
    "min(A, key=abs)",
    "(A[0] if A[0] > 0 else 2*A[0])",
    "A[0].item()*A",
    "len(A)*A",
    "int(A[0])*A",
    "sum([a for a in A if a > 0])",
    "A[int(A[0] > 0)]",
    "A*len(A[A > 0])",
    "A*A.unique().shape[0]",
    "A*torch.equal(A, abs(A))",
    "A*float(f'{A[0]:.1f}')",
    "A*math.floor(A[0])",
    "A*len(set(A.tolist()))",
    "A*{True: 2, False: 3}[bool(A[0] > 0)]",
    "A + B",
    "A*B",
    "torch.maximum(A, B)",
    "torch.stack([A, B])",
    "where(A > B, A, B)",
];

/// y is called linear, and J flat, only where J at other points is the same.
#[test]
fn a_slope_that_is_called_constant_is_the_same_elsewhere() {
    let mut random = Random::new(23);
    let mut text = |depth: usize| {
        let mut text = String::from("A");
        for _ in 0..=depth {
            let part = PARTS[random.below(PARTS.len())].replace('B', "x");
            text = part.replace('A', &format!("({text})"));
        }
        text.replace("(A)", "x")
    };
    let points = ["[1.3, -0.7, 2.1]", "[-1.1, 0.4, -2.3]", "[0.2, 1.9, -0.6]"];
    let mut claims = 0;
    for k in 0..240 {
        let y = text(k % 3);
        let slopes = |point: &str| {
            let x = match k % 2 {
                0 => point.to_owned(),
                _ => format!("torch.tensor({point}, requires_grad=True)"),
            };
            let program = format!(
                "x = {x}\nc = torch.tensor([.5, -2., 3.]); m = torch.tensor([True, False, True])\n\
                 y = {y}\ny.backward(torch.ones(y.shape))"
            );
            let b = backward(&program).ok()?;
            let leaf = b.leaves.iter().find(|leaf| leaf.name == "x")?;
            let entry = |e| if let Entry::Value(x) = e { x } else { 0.0 };
            let (rows, columns) = (leaf.jacobian.rows, leaf.jacobian.columns);
            let at = |n| leaf.jacobian.get(n / columns, n % columns);
            let j: Vec<f64> = (0..rows * columns).map(|n| entry(at(n))).collect();
            Some((j, leaf.linear, leaf.flat))
        };
        let found: Vec<_> = points.iter().filter_map(|p| slopes(p)).collect();
        let Some((first, _, _)) = found.first().filter(|_| found.len() == points.len()) else {
            continue;
        };
        for (j, linear, flat) in &found {
            claims += usize::from(*linear);
            assert!(!linear || found.iter().all(|(other, ..)| other == j), "{y} is not linear");
            assert!(!flat || first.iter().chain(j).all(|x| *x == 0.0), "{y} is not flat");
        }
    }
    assert!(claims > 40, "{claims}");
}

/// What a text gives: its last value, its last backward, or the error that ended it.
fn outcome(text: &str, telling: Telling) -> Result<(Tensor, Option<Rc<Backward>>), String> {
    let mut machine = vjp::tutor::machine(Options::default());
    machine.telling = telling;
    let (mut value, mut backward) = (None, None);
    let run = machine.run(&Source::new(text), Manner::Block, &mut |event| match event {
        Event::Value(v) => value = Some(v.shown),
        Event::Backward(b) => backward = Some(b),
        _ => {}
    });
    match (run, value) {
        (Err(fault), _) => Err(fault.message),
        (Ok(()), Some(Shown::Tensor(t))) => Ok((t, backward)),
        (Ok(()), Some(Shown::Int(n))) => Ok((Tensor::scalar(n.to_f64().unwrap()), backward)),
        _ => Err("no value".into()),
    }
}

/// J and x.grad against differences of the text itself, in programs of lists, their parts, comprehensions,
/// functions and loops: no path may be lost before it comes into the graph.
#[test]
fn no_path_from_text_to_graph_is_lost() {
    let worker = std::thread::Builder::new().stack_size(1 << 28);
    worker.spawn(text_against_graph).unwrap().join().unwrap();
}

fn text_against_graph() {
    let programs = std::env::var("PROGRAMS").map_or(500, |n| n.parse().unwrap());
    const STEP: f64 = 1e-5;
    let seed: u64 = std::env::var("SEED").map_or(0, |s| s.parse().unwrap());
    let (mut refused, mut bent, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..programs {
        let mut random = Random::new(seed * 1_000_000 + number);
        let program = lenient::program(&mut random);
        let text = program.text(&|_, _| 0.0);
        let (y, backward) = match outcome(&text, Telling::Panels) {
            Ok((y, Some(b))) => (y, b),
            Ok(_) => continue,
            Err(message) => {
                refused.push(format!("{message}\n{text}"));
                continue;
            }
        };
        // A leaf is told by its numbers: its name may be another's by now.
        let report = |k: usize| {
            let own = program.leaves[k].numbers.iter().map(|n| n.parse::<f64>().unwrap());
            let own: Vec<f64> = own.collect();
            backward.leaves.iter().find(|r| r.value.data().to_vec() == own)
        };
        let explicit =
            (0..program.leaves.len()).any(|k| program.leaves[k].explicit && report(k).is_some());
        let moved: Vec<usize> =
            (0..program.leaves.len()).filter(|&k| program.leaves[k].explicit == explicit).collect();
        let by: Vec<Vec<f64>> = program
            .leaves
            .iter()
            .map(|leaf| leaf.numbers.iter().map(|_| random.between(0.5, 1.5)).collect())
            .collect();
        let at = |h: f64, only: Option<(usize, usize)>| -> Option<f64> {
            let text = program.text(&|k, j| match only {
                Some(one) if one == (k, j) => h,
                Some(_) => 0.0,
                None if moved.contains(&k) => h * by[k][j],
                None => 0.0,
            });
            let (y, _) = outcome(&text, Telling::Nothing).ok()?;
            Some(y.data().iter().zip(backward.v.data().iter()).map(|(y, v)| y * v).sum())
        };
        let own: f64 = y.data().iter().zip(backward.v.data().iter()).map(|(y, v)| y * v).sum();
        // The slope in one direction, of all leaves or of one element.
        let slope = |only: Option<(usize, usize)>| -> Option<(f64, bool)> {
            let (above, below) = (at(STEP, only)?, at(-STEP, only)?);
            let (right, left) = ((above - own) / STEP, (own - below) / STEP);
            let smooth = (right - left).abs() <= 1e-2 * right.abs().max(left.abs()).max(1.0);
            Some(((above - below) / (2.0 * STEP), smooth))
        };
        let one = |k: usize, j: usize| slope(Some((k, j)));
        let gradient = |k: usize, j: usize| report(k).map_or(0.0, |r| r.contribution.data()[j]);
        let (mut expected, mut scale) = (0.0, own.abs().max(1.0));
        for &k in &moved {
            for (j, by) in by[k].iter().enumerate() {
                expected += gradient(k, j) * by;
                scale += (gradient(k, j) * by).abs();
            }
        }
        let agree = backward.leaves.iter().all(|leaf| leaf.agrees);
        match slope(None) {
            Some((slope, _)) if agree && (slope - expected).abs() <= 1e-5 * scale => {}
            Some((_, false)) | None if agree => bent.push(text),
            // So steep a wave bends within the step; a lost path is a term of the sum.
            Some((slope, _)) if agree && (slope - expected).abs() < 2e-4 * expected.abs() => {
                bent.push(text);
            }
            Some((slope, _)) => {
                let mut told = format!("{number}: {expected}, text {slope}, agree {agree}\n{text}");
                for &k in &moved {
                    for j in 0..by[k].len() {
                        let text = one(k, j).map_or(f64::NAN, |(slope, _)| slope);
                        let name = &program.leaves[k].name;
                        told += &format!("{name}, {j}: {}, text {text}\n", gradient(k, j));
                    }
                }
                wrong.push(told);
            }
            None => wrong.push(format!("{number}: agree {agree}\n{text}")),
        }
    }
    println!("{} refused, {} bent, {} wrong", refused.len(), bent.len(), wrong.len());
    for text in refused.iter().take(10).chain(wrong.iter().take(10)) {
        println!("----\n{text}");
    }
    assert!(wrong.is_empty());
    assert!(bent.len() < programs as usize / 20);
    assert!(refused.len() < programs as usize / 20);
}
