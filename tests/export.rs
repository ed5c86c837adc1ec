//! `vjp export`: the programs it writes give the same values and gradients, in PyTorch and JAX
//! where `VJP_REF_PYTHON` names a Python that has them, and in vjp itself.
#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use vjp::eval::leaf::existing;
use vjp::eval::machine::{Machine, Manner, Options};
use vjp::eval::value::Value;
use vjp::export::{Format, export, ran};
use vjp::maths::tensor::Tensor;
use vjp::maths::variable::Variable;
use vjp::text::source::Source;

/// Name to value and gradient, row-major.
type Ending = BTreeMap<String, (Vec<f64>, Option<Vec<f64>>)>;

fn sessions(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sessions(&path, all);
        } else if path.extension().is_some_and(|e| e == "vjp") {
            all.push(path);
        }
    }
    all.sort();
}

fn on_a_large_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let worker = std::thread::Builder::new().stack_size(256 << 20);
    worker.spawn(work).unwrap().join().unwrap()
}

fn numbers(t: &Tensor) -> Vec<f64> {
    t.data().to_vec()
}

fn ending(machine: &Machine) -> Ending {
    let tensor = |v: &Value| -> Option<Variable> {
        match v {
            Value::List(_) | Value::Number(_) | Value::Tensor(_) | Value::Array(_) => existing(v),
            _ => None,
        }
    };
    let names = machine.names().into_iter();
    names
        .filter_map(|(name, value)| {
            let v = tensor(&value)?;
            let grad = v.grad().map(|g| numbers(&g.value()));
            let name = name.chars().map(|c| match c {
                '₀'..='₉' => char::from(b'0' + (c as u32 - '₀' as u32) as u8),
                c => c,
            });
            Some((name.collect(), (numbers(&v.value()), grad)))
        })
        .collect()
}

fn agree(what: &str, ours: &Ending, theirs: &Ending, complaints: &mut String) {
    let close = |a: &[f64], b: &[f64]| {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| {
                a == b
                    || (a.is_nan() && b.is_nan())
                    || (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
            })
    };
    for (name, (value, grad)) in ours {
        let Some((other, other_grad)) = theirs.get(name) else {
            continue;
        };
        if !close(value, other) {
            *complaints += &format!("{what}: {name} is {value:?} here, {other:?} there\n");
        }
        match (grad, other_grad) {
            (Some(a), Some(b)) if !close(a, b) => {
                *complaints += &format!("{what}: {name}.grad is {a:?} here, {b:?} there\n");
            }
            (Some(a), None) => {
                *complaints += &format!("{what}: {name}.grad is {a:?} here, none there\n")
            }
            _ => {}
        }
    }
}

/// Tells names, values and gradients at the end of a program.
const TELL: &str = "
import json as _json
def _flat(v):
    import numpy
    return [float(x) for x in numpy.asarray(v, dtype=float).reshape(-1)]
def _tell(all):
    out = {}
    for name, v in list(all.items()):
        if name.startswith('_') or not hasattr(v, 'shape') and not isinstance(v, (float, list)):
            continue
        try:
            held = v.detach() if hasattr(v, 'detach') else v
            g = all.get(name + '_grad')
            if g is None and getattr(v, 'is_leaf', False):
                g = v.grad
            out[name] = [_flat(held), None if g is None else _flat(g)]
        except (TypeError, ValueError, RuntimeError):
            pass
    print('@@' + _json.dumps(out))
_tell(dict(globals()))
";

fn told_by(python: &str, program: &str) -> Result<Ending, String> {
    let mut child = Command::new(python)
        .args(["-W", "ignore", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let text = format!("{program}{TELL}");
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let Some(line) = said.lines().rev().find_map(|l| l.strip_prefix("@@")) else {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    };
    let line = line
        .replace("-Infinity", "-1e999")
        .replace("Infinity", "1e999")
        .replace("NaN", "null");
    let all: BTreeMap<String, (Json, Json)> = serde_json::from_str(&line).unwrap();
    let list = |v: &Json| -> Option<Vec<f64>> {
        let items = v.as_array()?;
        Some(
            items
                .iter()
                .map(|x| x.as_f64().unwrap_or(f64::NAN))
                .collect(),
        )
    };
    Ok(all
        .into_iter()
        .filter_map(|(name, (value, grad))| Some((name, (list(&value)?, list(&grad)))))
        .collect())
}

/// Compares every session's ending with that of its export, run by `run`.
fn compare(
    format: Format,
    run: impl Fn(&str) -> Result<Ending, String>,
) -> (usize, Vec<String>, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions");
    let mut files = Vec::new();
    sessions(&folder, &mut files);
    let (mut agreed, mut refused, mut complaints) = (0, Vec::new(), String::new());
    for path in files {
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let program = match export(&text, &name, format, Options::default()) {
            Ok(program) => program,
            Err(refusal) => {
                refused.push(format!("{name}: {refusal}"));
                continue;
            }
        };
        let ours = ending(&ran::run(&text, Options::default()).unwrap().machine);
        match run(&program) {
            Ok(theirs) => agree(&name, &ours, &theirs, &mut complaints),
            Err(error) => complaints += &format!("{name}: {error}\n"),
        }
        agreed += 1;
    }
    (agreed, refused, complaints)
}

fn reference() -> Option<String> {
    let python = std::env::var("VJP_REF_PYTHON")
        .ok()
        .filter(|p| !p.is_empty());
    if python.is_none() {
        eprintln!("SKIPPED: exported programs were not run, VJP_REF_PYTHON names no Python");
    }
    python
}

#[test]
fn pytorch_computes_the_same() {
    let Some(python) = reference() else { return };
    let (agreed, refused, complaints) =
        on_a_large_stack(move || compare(Format::Torch, |program| told_by(&python, program)));
    assert!(complaints.is_empty(), "{complaints}");
    assert!(refused.is_empty(), "{refused:?}");
    assert!(agreed > 30);
}

#[test]
fn the_torch_program_runs_here_under_strict() {
    let (agreed, refused, complaints) = on_a_large_stack(|| {
        compare(Format::Torch, |program| {
            let options = Options {
                strict: true,
                ..Options::default()
            };
            let mut machine = Machine::new(options);
            machine.keep_history(true);
            match machine.run(&Source::new(program), Manner::Program, &mut |_| {}) {
                Ok(()) => Ok(ending(&machine)),
                Err(fault) => Err(format!("{} at {:?}", fault.message, fault.span)),
            }
        })
    });
    assert!(complaints.is_empty(), "{complaints}");
    assert!(refused.is_empty(), "{refused:?}");
    assert!(agreed > 30);
}
