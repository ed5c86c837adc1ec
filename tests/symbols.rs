//! Formulas of the Jacobian, in code notation, run by the language itself: each entry of every row of the
//! table must give the number that the Jacobian has there.

use crate::support::random;

use random::Random;
use vjp::eval::machine::{Machine, Manner, Options};
use vjp::eval::value::Value;
use vjp::maths::formula::{Style, write};
use vjp::maths::jacobian::Entry;
use vjp::maths::jacobian_walk::{Limits, numeric_many, symbolic_many};
use vjp::maths::table::{self, Row};
use vjp::maths::tensor::Tensor;
use vjp::maths::variable::{Variable, apply};
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
    let mut machine = Machine::new(Options::default());
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
