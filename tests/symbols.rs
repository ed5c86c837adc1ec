//! Formulas of the Jacobian, in code notation, run by the language itself: each entry of every row of the
//! table must give the number that the Jacobian has there.

use crate::support::random;

use random::Random;
use std::rc::Rc;
use vjp::eval::language::machine::{Machine, Manner, Options};
use vjp::eval::record::event::{Backward, Event};
use vjp::eval::values::value::Value;
use vjp::jacobian::Entry;
use vjp::jacobian::walk::{Limits, numeric_many, symbolic_many};
use vjp::maths::autodiff::variable::{Variable, apply};
use vjp::maths::symbol::formula::{Style, write};
use vjp::maths::symbol::names::number as spelled;
use vjp::maths::table::{self, Row};
use vjp::tensor::tensor::Tensor;
use vjp::text::source::Source;

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Numbers exactly as written: all digits.
fn literal(data: &[f64]) -> String {
    let items: Vec<String> = data.iter().map(|x| format!("{x:?}")).collect();
    format!("[{}]", items.join(", "))
}

fn number(value: Option<Value>) -> f64 {
    match value {
        Some(Value::Tensor(t)) => t.value().data()[0],
        Some(v) => v.as_float().unwrap(),
        None => panic!("not computed"),
    }
}

/// The entries of J with respect to each operand, as (formula, number).
fn entries(row: &Row, xs: &[Variable]) -> Vec<(String, f64)> {
    let params: Vec<f64> = row.params.iter().map(|(_, d)| *d).collect();
    let y = apply((row.fun.operation)(&params), xs).unwrap();
    let names = |v: &Variable| v.name().map(|n| n.to_string());
    let symbols = symbolic_many(&y, xs, &names, Limits::default()).unwrap().unwrap();
    let numbers = numeric_many(&y, xs).unwrap();
    let mut out = Vec::new();
    for (s, j) in symbols.iter().zip(&numbers) {
        for (i, k, entry) in j.present() {
            if let (Entry::Value(e), Entry::Value(x)) = (s.get(i, k), entry) {
                out.push((write(&e, Style::Code).unwrap(), x));
            }
        }
    }
    out
}

/// Notes each entry whose number the language, run on the operands, does not find; how many there were.
fn check(row: &Row, xs: &[Variable], wrong: &mut Vec<String>) -> usize {
    let entries = entries(row, xs);
    let mut program = String::new();
    for x in xs {
        let data = literal(x.value().data());
        program += &format!("{} = {data}\n", x.name().unwrap());
    }
    for (k, (formula, _)) in entries.iter().enumerate() {
        program += &format!("r{k} = 1.0*({formula})\n");
    }
    let mut machine = vjp::tutor::machine(Options::default());
    let source = Source::new(program.as_str());
    if let Err(fault) = machine.run(&source, Manner::Program, &mut |_| {}) {
        wrong.push(format!("{}: {program}{fault:?}", row.fun.name));
        return 0;
    }
    for (k, (formula, stored)) in entries.iter().enumerate() {
        let got = number(machine.lookup(&format!("r{k}")));
        if (got - stored).abs() > 1e-11 * stored.abs().max(1.0) {
            wrong.push(format!("{}: {formula} = {got}, not {stored}", row.fun.name));
        }
    }
    entries.len()
}

fn operands(row: &Row, mut draw: impl FnMut(f64, f64) -> f64) -> Vec<Variable> {
    row.domain
        .iter()
        .zip(NAMES)
        .map(|((low, high), name)| {
            let data = (0..3).map(|_| draw(*low, *high)).collect();
            let x = Variable::leaf(Tensor::new(&[3], data));
            x.set_name(Some(name.into()));
            x
        })
        .collect()
}

#[test]
fn formulas_run_and_give_the_entries() {
    let mut random = Random::new(7);
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for row in table::rows().filter(|row| row.underived == 0) {
        // Where the row is smooth, and across all of its pieces where it is defined everywhere.
        seen += check(row, &operands(row, |low, high| random.between(low, high)), &mut wrong);
        let everywhere = row.domain.iter().all(|(low, _)| *low < 0.0);
        if everywhere || matches!(row.fun.name, "sign" | "step" | "hardshrink" | "floor") {
            seen += check(row, &operands(row, |_, _| random.between(-4.0, 4.0)), &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 3 * table::rows().count() / 2, "only {seen} entries");
}

/// A number in a formula reads back as itself, or says that digits are left out.
#[test]
fn a_constant_looks_exact_only_where_it_is() {
    let mut random = Random::new(11);
    for k in 0..2000 {
        let digits = 1 + k % 17;
        let typed = format!("{:.*e}", digits - 1, random.between(1e-3, 1.0));
        let c = typed.parse::<f64>().unwrap() * 10f64.powi(random.below(12) as i32 - 4);
        for style in [Style::Pretty, Style::Ascii, Style::Code] {
            let text = spelled(c, style);
            match text.split_once(['…', '~']) {
                None => assert_eq!(text.parse(), Ok(c), "{c} as {text}"),
                Some((kept, power)) => {
                    let least: f64 = format!("{kept}{power}").parse().unwrap();
                    assert!(
                        style != Style::Code && least <= c && c < least * 1.002,
                        "{c} as {text}"
                    );
                }
            }
        }
    }
    assert_eq!(spelled(12345.678, Style::Pretty), "12345.678");
    assert_eq!(spelled(2f64.sqrt(), Style::Pretty), "1.414…");
    assert_eq!(spelled(0.1 * 3.0, Style::Pretty), "0.3000…");
}

/// A function of x with corners at whole numbers, and nothing steep.
fn bent(random: &mut Random, depth: usize) -> String {
    const ALONE: [&str; 12] = [
        "abs({})",
        "relu({})",
        "({})^2",
        "({})^3",
        "sin({})",
        "torch.clamp({}, 0, 1)",
        "F.leaky_relu({})",
        "-({})",
        "2*({})",
        "torch.sort({})[0]",
        "torch.cummax({}, 0)[0]",
        "torch.flip({}, [0])",
    ];
    const REDUCED: [&str; 8] = [
        "x*torch.max({})",
        "x + torch.min({})",
        "x*torch.amax({})",
        "x - torch.norm({})",
        "x*torch.norm({}, 1)",
        "x + torch.std({})",
        "x*torch.median({})",
        "x + torch.kthvalue({}, 2)[0]",
    ];
    const PAIRS: [&str; 5] = [
        "({}) + ({})",
        "({})*({})",
        "({}) - ({})",
        "torch.maximum({}, {})",
        "torch.minimum({}, {})",
    ];
    if depth == 0 {
        return ["x", "x", "x - 1", "1.5*x", "x*x"][random.below(5)].to_owned();
    }
    let pattern = match random.below(10) {
        0..5 => ALONE[random.below(ALONE.len())],
        5..7 => REDUCED[random.below(REDUCED.len())],
        _ => PAIRS[random.below(PAIRS.len())],
    };
    let mut text = pattern.to_owned();
    while text.contains("{}") {
        let part = bent(random, depth - 1);
        text = text.replacen("{}", &part, 1);
    }
    text
}

fn run(machine: &mut Machine, program: &str) -> Option<Rc<Backward>> {
    let mut told = None;
    let mut tell = |event| {
        if let Event::Backward(b) = event {
            told = Some(b);
        }
    };
    let done = machine.run(&Source::new(program), Manner::Program, &mut tell);
    assert!(done.is_ok(), "{program}");
    told
}

/// The three elements of f at x.
fn values(machine: &mut Machine, x: &[f64], f: &str) -> Vec<f64> {
    run(machine, &format!("x = tensor({})\ny = {f}\n", literal(x)));
    match machine.lookup("y") {
        Some(Value::Tensor(y)) => y.value().data().to_vec(),
        _ => panic!("{f}"),
    }
}

/// A star on an entry of J says that its slopes from the left and from the right are not both the one
/// shown; no star says that they are.
#[test]
fn a_star_stands_where_a_derivative_does_not_exist() {
    const H: f64 = 1e-6;
    let mut random = Random::new(23);
    let mut machine = vjp::tutor::machine(Options { strict: false, ..Options::default() });
    let (mut wrong, mut starred, mut plain) = (Vec::new(), 0, 0);
    for _ in 0..100 {
        let f = bent(&mut random, 2);
        let x: Vec<f64> = (0..3).map(|_| random.below(4) as f64 - 1.0).collect();
        let data = literal(&x);
        let call = "y.backward(tensor([1., 1., 1.]))";
        let program = format!("x = tensor({data}, requires_grad=True)\ny = {f}\n{call}\n");
        let b = run(&mut machine, &program).unwrap();
        let y = b.value.data();
        for j in 0..3 {
            let mut side = |h: f64| -> Vec<f64> {
                let mut moved = x.clone();
                moved[j] += h;
                let there = values(&mut machine, &moved, &f);
                there.iter().zip(y.iter()).map(|(a, b)| (a - b) / h).collect()
            };
            let (right, left) = (side(H), side(-H));
            for i in 0..3 {
                let shown = match b.leaves[0].jacobian.get(i, j) {
                    Entry::Value(x) => x,
                    Entry::Absent | Entry::Unchosen => 0.0,
                };
                let near = |slope: f64| (slope - shown).abs() < 1e-3 * shown.abs().max(1.0);
                let smooth = near(right[i]) && near(left[i]);
                let star = b.corners.iter().any(|c| c.entries.contains(&(0, i, j)));
                *if star { &mut starred } else { &mut plain } += 1;
                if star == smooth {
                    let (l, r) = (left[i], right[i]);
                    wrong.push(format!(
                        "{f} at {x:?}, entry {i} {j}: {l}, {r}, shown {shown}, star {star}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(starred > 50 && plain > 500, "{starred} {plain}");
}

/// What a textbook prints.
#[test]
fn derivatives_are_written_as_in_a_textbook() {
    let cases = [
        ("x = 2; y = x^3 - 2*x + 1", "3x² − 2"),
        ("x = 2; y = (3*x^2 + 1)^4", "24x(3x² + 1)³"),
        ("x = 2; y = x/(x^2 + 1)", "(1 − x²)/(x² + 1)²"),
        ("x = 2; y = (x - 1)/(x + 1)", "2/(x + 1)²"),
        ("x = 2; y = (x^2 + 1)/(x^2 - 1)", "−4x/(x² − 1)²"),
        ("x = 2; y = (2*x + 3)/(4*x - 1)", "−14/(4x − 1)²"),
        ("x = 2; y = sin(x)/x", "(x cos(x) − sin(x))/x²"),
        ("x = 2; y = log(x)/x", "(1 − log(x))/x²"),
        ("x = 2; y = sqrt(x^2 + 1)", "x/√(x² + 1)"),
        ("x = 2; y = exp(-x^2/2)", "−xe^(−x²/2)"),
        ("x = 2; y = x*exp(-x)", "e^(−x)(1 − x)"),
        ("x = 2; y = x*log(x)", "log(x) + 1"),
        ("x = 2; y = x^2/2 + x^3/12", "x·(x/4 + 1)"),
        ("x = 2; y = x^3/6", "x²/2"),
        ("x = 2; y = sigmoid(x)", "σ(x)(1 − σ(x))"),
        ("x = 2; y = log(1 + exp(x))", "e^x/(e^x + 1)"),
        ("x = 2; t = tensor(1.); y = -t*log(sigmoid(x)) - (1 - t)*log(1 - sigmoid(x))", "σ(x) − 1"),
        (
            "x = 2; m = tensor(3.); y = 5*exp(-(m - 1)^2/(2*x^2))/(x*sqrt(2*pi))",
            "1.994…e^(−2/x²)(4 − x²)/x⁴",
        ),
    ];
    for (program, formula) in cases {
        let ran = crate::support::run::Test::new()
            .stdin(format!(":panel off\n{program}\ny.backward()\n:formula\n"))
            .any_stdout()
            .run();
        let last = ran.stdout.lines().last().unwrap_or_default().trim();
        assert_eq!(last, format!("∂y/∂x = {formula}"), "{program}");
    }
}
