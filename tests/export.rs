//! `vjp export`: the programs it writes give the same values and gradients, in PyTorch and JAX
//! where `VJP_REF_PYTHON` names a Python that has them, and in vjp itself.

use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use vjp::eval::language::machine::{Machine, Manner, Options};
use vjp::eval::leaf::existing;
use vjp::eval::values::value::Value;
use vjp::export::{Format, export, session_run};
use vjp::maths::autodiff::variable::Variable;
use vjp::tensor::tensor::Tensor;
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

/// Runs programs one after the other and tells names, values and gradients at the end of each.
const TELL: &str = "
import contextlib, io, json, sys, traceback, warnings
warnings.simplefilter('ignore')
def flat(v):
    import numpy
    return [float(x) for x in numpy.asarray(v, dtype=float).reshape(-1)]
def ending(names):
    out = {}
    for name, v in names.items():
        if name.startswith('_') or not hasattr(v, 'shape') and not isinstance(v, (float, list)):
            continue
        try:
            held = v.detach() if hasattr(v, 'detach') else v
            g = names.get(name + '_grad')
            if g is None and (getattr(v, 'is_leaf', False) or getattr(v, 'retains_grad', False)):
                g = v.grad
            out[name] = [flat(held), None if g is None else flat(g)]
        except (TypeError, ValueError, RuntimeError):
            pass
    return out
for program in json.load(sys.stdin):
    names = {'__name__': '__main__'}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(program, names)
        print(json.dumps(ending(names)))
    except BaseException:
        print(json.dumps(traceback.format_exc()))
";

fn told_by(python: &str, programs: &[String]) -> Vec<Result<Ending, String>> {
    said_by(python, programs).iter().map(|line| one_told(line)).collect()
}

/// What [`TELL`] says of each program.
fn said_by(python: &str, programs: &[String]) -> Vec<String> {
    let mut child = Command::new(python)
        .args(["-c", TELL])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text = serde_json::to_string(programs).unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<String> = said.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), programs.len(), "{said}");
    lines
}

fn one_told(line: &str) -> Result<Ending, String> {
    let line = line.replace("-Infinity", "\"-inf\"").replace("Infinity", "\"inf\"");
    let line = line.replace("NaN", "null");
    let told: Json = serde_json::from_str(&line).unwrap();
    let Some(all) = told.as_object() else {
        return Err(told.as_str().unwrap_or_default().to_owned());
    };
    let list = |v: &Json| -> Option<Vec<f64>> {
        let number = |x: &Json| match x.as_str() {
            Some(infinite) => infinite.parse().unwrap(),
            None => x.as_f64().unwrap_or(f64::NAN),
        };
        Some(v.as_array()?.iter().map(number).collect())
    };
    let one = |(name, v): (&String, &Json)| Some((name.clone(), (list(&v[0])?, list(&v[1]))));
    Ok(all.into_iter().filter_map(one).collect())
}

/// Every session by its name, and its text.
fn all_sessions() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions");
    let mut files = Vec::new();
    sessions(&folder, &mut files);
    let named = |path: &PathBuf| path.strip_prefix(&folder).unwrap().display().to_string();
    files.iter().map(|path| (named(path), fs::read_to_string(path).unwrap())).collect()
}

/// The programs of a file under tests/data/export, each below its `# name: …`.
fn cases(file: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/export").join(file);
    let text = fs::read_to_string(path).unwrap();
    let parts = text.split("# name: ").skip(1);
    parts
        .map(|part| {
            let (name, program) = part.split_once('\n').unwrap();
            (name.to_owned(), format!("{}\n", program.trim_end()))
        })
        .collect()
}

/// Compares every program's ending with that of its export, run by `run`; says how many agreed,
/// which were refused, and what differs.
fn compare(
    all: &[(String, String)],
    options: Options,
    format: Format,
    run: impl Fn(&[String]) -> Vec<Result<Ending, String>>,
) -> (usize, Vec<String>, String) {
    let (mut names, mut programs, mut ours) = (Vec::new(), Vec::new(), Vec::new());
    let (mut refused, mut complaints) = (Vec::new(), String::new());
    for (name, text) in all {
        match export(text, name, format, options) {
            Ok(program) => programs.push(program),
            Err(refusal) => {
                refused.push(format!("{name}: {refusal}"));
                continue;
            }
        }
        ours.push(ending(&session_run::run(text, options).unwrap().machine));
        names.push(name.clone());
    }
    for ((name, ours), theirs) in names.iter().zip(&ours).zip(run(&programs)) {
        match theirs {
            Ok(theirs) => agree(name, ours, &theirs, &mut complaints),
            Err(error) => complaints += &format!("{name}: {error}\n"),
        }
    }
    (names.len(), refused, complaints)
}

fn reference() -> Option<String> {
    let python = std::env::var("VJP_REF_PYTHON").ok().filter(|p| !p.is_empty());
    if python.is_none() {
        eprintln!("exported programs are not run, VJP_REF_PYTHON names no Python");
    }
    python
}

/// What PyTorch 2.15 computed in each session's program, by the session's name: what a machine without
/// PyTorch compares with. Where `VJP_REF_PYTHON` names one that has it, it is asked, and with
/// `VJP_BLESS` what it says is written down.
fn pytorch_said(programs: &[String]) -> Vec<Result<Ending, String>> {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/export/sessions.torch.txt");
    let names: Vec<String> = all_sessions().into_iter().map(|(name, _)| name).collect();
    if let Some(python) = reference() {
        let said = said_by(&python, programs);
        if std::env::var("VJP_BLESS").is_ok() {
            let lines = names.iter().zip(&said).map(|(name, line)| format!("{name}: {line}\n"));
            fs::write(&kept, lines.collect::<String>()).unwrap();
        }
        return said.iter().map(|line| one_told(line)).collect();
    }
    let text = fs::read_to_string(&kept).unwrap();
    let (stored, said): (Vec<_>, Vec<_>) =
        text.lines().map(|line| line.split_once(": ").unwrap()).unzip();
    assert_eq!(stored, names, "PyTorch has to be asked again: VJP_REF_PYTHON, VJP_BLESS=1");
    said.into_iter().map(one_told).collect()
}

#[test]
fn pytorch_computes_the_same() {
    let (agreed, refused, complaints) = on_a_large_stack(|| {
        compare(&all_sessions(), Options::default(), Format::Torch, pytorch_said)
    });
    assert!(complaints.is_empty(), "{complaints}");
    assert!(refused.is_empty(), "{refused:?}");
    assert!(agreed > 30);
}

/// Sessions about what JAX does not have: a write to a leaf between its use and the backward, a leaf
/// whose name is assigned anew.
const NOT_FOR_JAX: [&str; 3] = ["questions/13", "questions/24", "screens/18"];

#[test]
fn jax_computes_the_same() {
    let Some(python) = reference() else { return };
    let (agreed, refused, complaints) = on_a_large_stack(move || {
        compare(&all_sessions(), Options::default(), Format::Jax, |p| told_by(&python, p))
    });
    assert!(complaints.is_empty(), "{complaints}");
    let unknown: Vec<&String> =
        refused.iter().filter(|r| !NOT_FOR_JAX.iter().any(|own| r.starts_with(own))).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(agreed > 30);
}

/// What README says that JAX has no counterpart for, each with a program.
const REFUSED: &[(&str, &str)] = &[
    ("drawn in a loop", "for k in range(3): x = torch.rand(2); print(x)"),
    ("more than 5000 of them", "x = torch.rand(5001); print(x.sum())"),
    ("dropout", "y = F.dropout(torch.ones(4), 0.5)"),
    ("modified inside a function", "def f(x):\n    x.add_(1)\nx = torch.ones(2)\nf(x)\nprint(x)"),
    ("under a second name", "a = b = torch.ones(2); a.add_(1); print(b)"),
    ("through some views", "x = torch.ones(4); y = x.chunk(2)[0]; y.mul_(2); print(x)"),
    (
        "a leaf modified between its use and the backward",
        "w = torch.ones(2, requires_grad=True); y = (3*w).sum()\nwith torch.no_grad(): w += 1\ny.backward()",
    ),
    (
        "a function that prints",
        "w = torch.ones(2, requires_grad=True)\ndef f(t):\n    print(1); return t*2\ny = f(w); y.sum().backward()",
    ),
    (
        "modifies what is outside it (`global`",
        "w = torch.ones(2, requires_grad=True)\nn = 0\ndef f(t):\n    global n; n += 1; return t*n\ny = f(w); y.sum().backward()",
    ),
    (
        "a list that is a default",
        "w = torch.ones(2, requires_grad=True)\ndef f(t, seen=[]):\n    seen.append(1); return t*len(seen)\ny = f(w) + f(w); y.sum().backward()",
    ),
    (
        "an attribute)",
        "w = torch.ones(2, requires_grad=True)\nclass C: n = 0\nc = C()\ndef f(t):\n    c.n += 1; return t*c.n\ny = f(w); y.sum().backward()",
    ),
    (
        "`random`",
        "w = torch.ones(2, requires_grad=True)\nimport random; random.seed(3); y = w*random.uniform(1, 2); y.sum().backward()",
    ),
    (
        "iterators",
        "w = torch.ones(2, requires_grad=True)\nk = iter([2., 5.]); y = w*next(k); y.sum().backward()",
    ),
    (
        "generators",
        "w = torch.ones(2, requires_grad=True)\ndef g():\n    yield 2.\ny = w*sum(g()); y.sum().backward()",
    ),
    ("`:=`", "w = torch.ones(2, requires_grad=True)\ny = (u := w*2) + u; y.sum().backward()"),
    (
        "operators of objects",
        "w = torch.ones(2, requires_grad=True)\nclass C:\n    def __mul__(self, o): return o*2\ny = C()*w; y.sum().backward()",
    ),
    (
        "a backward inside a function",
        "def f(x):\n    y = (x*x).sum(); y.backward()\nw = torch.ones(2, requires_grad=True)\nf(w)",
    ),
    (
        "of several outputs",
        "w = torch.ones(2, requires_grad=True); y = w*2; torch.autograd.backward([y.sum(), (y*y).sum()])",
    ),
    (
        "through earlier iterations of a loop",
        "w = torch.ones(2, requires_grad=True)\nfor k in range(3):\n    y = w.sum()*k if k == 0 else y*w.sum()\n    y.backward(retain_graph=True)",
    ),
    (
        "through earlier iterations of a loop",
        "w = torch.tensor(2., requires_grad=True)\nh = w\nfor k in range(3):\n    h = h*w\n    h.backward(retain_graph=True)",
    ),
    (
        "through earlier iterations of a loop",
        "w = torch.tensor(2., requires_grad=True)\ny = torch.tensor(1.)\nwhile y < 50:\n    y = y*w\n    print(torch.autograd.grad(y, w, retain_graph=True))",
    ),
    (
        "through earlier iterations of a loop",
        "w = torch.tensor(2., requires_grad=True)\nh = torch.tensor(1.)\nfor k in range(3):\n    h = torch.tanh(w*h)\n    h.backward()\n    h = h.detach()",
    ),
    (
        "the gradient of a leaf with a hook",
        "w = torch.ones(2, requires_grad=True); w.register_hook(lambda g: g*2); print(torch.autograd.grad((w*w).sum(), w))",
    ),
    (
        "a second derivative through a hook",
        "w = torch.ones(2, requires_grad=True); y = w.sin(); y.register_hook(lambda g: g*2)\nu = torch.autograd.grad(y.sum(), w, create_graph=True)[0]; u.sum().backward()",
    ),
    ("running statistics", "net = nn.BatchNorm1d(2); y = net(torch.ones(3, 2))"),
    ("lazy layers", "net = nn.LazyLinear(2); y = net(torch.ones(3, 2))"),
    ("`state_dict`", "net = nn.Linear(2, 1); print(net.state_dict())"),
    (
        "layers made in a loop",
        "for k in range(2):\n    net = nn.Linear(2, 1)\n    print(net(torch.ones(2)))",
    ),
    (
        "set from outside",
        "class B(nn.Module):\n    def __init__(self):\n        super().__init__(); self.k = 1.\n    def forward(self, x): return x*self.k\nb = B(); b.k = 3.; print(b(torch.ones(2)))",
    ),
    (
        "other than SGD, Adam, AdamW, RMSprop and Adagrad",
        "w = torch.ones(2, requires_grad=True); opt = torch.optim.NAdam([w]); w.sum().backward(); opt.step()",
    ),
    (
        "groups with different options",
        "w = torch.ones(2, requires_grad=True); u = torch.ones(2, requires_grad=True); opt = torch.optim.SGD([{'params': [w], 'lr': 1.}, {'params': [u]}], lr=0.1)\n(w*u).sum().backward(); opt.step()",
    ),
    (
        "other than StepLR, MultiStepLR and ExponentialLR",
        "w = torch.ones(2, requires_grad=True); opt = torch.optim.SGD([w], lr=0.1)\ns = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 5)\nw.sum().backward(); opt.step(); s.step()",
    ),
    ("`grad_fn`", "w = torch.ones(2, requires_grad=True); y = w*2; print(y.grad_fn)"),
    (
        "`gradcheck`",
        "w = torch.ones(2, requires_grad=True); print(torch.autograd.gradcheck(lambda t: t*t, (w.double(),)))",
    ),
    (
        "`setup_context`",
        "class S(torch.autograd.Function):\n    @staticmethod\n    def forward(x): return x*x\n    @staticmethod\n    def setup_context(ctx, inputs, output): ctx.save_for_backward(*inputs)\n    @staticmethod\n    def backward(ctx, g):\n        x, = ctx.saved_tensors; return 2*x*g\nw = torch.ones(2, requires_grad=True); S.apply(w).sum().backward()",
    ),
    (
        "an object called like a function",
        "class A:\n    def __call__(self, x): return 2*x\na = A()\nprint(a(torch.ones(2)))",
    ),
    (
        "a `try` block that stops in the middle",
        "try:\n    x = torch.ones(2)\n    z = torch.ones(3) + x\nexcept RuntimeError as e:\n    print(e)",
    ),
    (
        "slopes at infinities and NaN",
        "x = torch.tensor([1., float('nan')], requires_grad=True); y = F.relu(x); y.sum().backward()",
    ),
];

#[test]
fn the_readme_names_what_is_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let readme = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    on_a_large_stack(move || {
        for &(named, program) in REFUSED {
            assert!(readme.contains(named), "{named}");
            let head = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n";
            let made =
                export(&format!("{head}{program}\n"), named, Format::Jax, Options::default());
            assert!(made.is_err(), "{named} is exported: {}", made.unwrap_or_default());
        }
    });
}

/// What every case becomes, or why it is refused.
fn written(cases: &[(String, String)], options: Options, format: Format) -> String {
    let one = |(name, text): &(String, String)| {
        let program = match export(text, "a program", format, options) {
            Ok(program) => program,
            Err(refusal) => format!("# {refusal}\n# {}\n", refusal.hint),
        };
        format!("# name: {name}\n{program}")
    };
    cases.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// The classes of programs, each as it is exported; with a Python also run, and compared.
fn classes(file: &str, format: Format, golden: &str, options: Options) {
    let (file, golden) = (file.to_owned(), golden.to_owned());
    on_a_large_stack(move || {
        let cases = cases(&file);
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/export").join(golden);
        let text = written(&cases, options, format);
        if std::env::var("VJP_BLESS").is_ok() {
            fs::write(&kept, &text).unwrap();
        }
        assert_eq!(text, fs::read_to_string(&kept).unwrap(), "{}", kept.display());
        let Some(python) = reference() else { return };
        let (_, _, complaints) = compare(&cases, options, format, |p| told_by(&python, p));
        assert!(complaints.is_empty(), "{complaints}");
    });
}

#[test]
fn what_the_prompt_takes_becomes_pytorch_s_and_jax_s() {
    classes("lenient.py", Format::Torch, "lenient.torch.py", Options::default());
    classes("lenient.py", Format::Jax, "lenient.jax.py", Options::default());
}

#[test]
fn programs_become_functions_of_their_leaves() {
    let options = Options { strict: true, ..Options::default() };
    classes("programs.py", Format::Jax, "programs.jax.py", options);
    classes("programs.py", Format::Torch, "programs.torch.py", options);
}

#[test]
fn training_becomes_functions_of_parameters() {
    let options = Options { strict: true, ..Options::default() };
    classes("training.py", Format::Jax, "training.jax.py", options);
}

/// The texts themselves, of a few: what is handed out in a class.
#[test]
fn programs_read_as_they_should() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    on_a_large_stack(move || {
        for (session, format, golden) in [
            ("08-all-ones", Format::Torch, "08-all-ones.torch.py"),
            ("08-all-ones", Format::Jax, "08-all-ones.jax.py"),
            ("12-the-same-with-v", Format::Jax, "12-the-same-with-v.jax.py"),
            ("15-the-same-by-accumulation", Format::Jax, "15-the-same-by-accumulation.jax.py"),
        ] {
            let name = format!("{session}.vjp");
            let text = fs::read_to_string(root.join("sessions").join(&name)).unwrap();
            let program = export(&text, &name, format, Options::default()).unwrap();
            let kept = root.join("tests/data/export").join(golden);
            if std::env::var("VJP_BLESS").is_ok() {
                fs::write(&kept, &program).unwrap();
            }
            assert_eq!(program, fs::read_to_string(&kept).unwrap(), "{golden}");
        }
    });
}

#[test]
fn the_torch_program_runs_here_under_strict() {
    let (agreed, refused, complaints) = on_a_large_stack(|| {
        compare(&all_sessions(), Options::default(), Format::Torch, |programs| {
            let strict = |program: &String| {
                let options = Options { strict: true, ..Options::default() };
                let mut machine = vjp::tutor::machine(options);
                machine.keep_history(true);
                let source = Source::new(program.as_str());
                match machine.run(&source, Manner::Program, &mut |_| {}) {
                    Ok(()) => Ok(ending(&machine)),
                    Err(fault) => Err(format!("{} at {:?}", fault.message, fault.span)),
                }
            };
            programs.iter().map(strict).collect()
        })
    });
    assert!(complaints.is_empty(), "{complaints}");
    assert!(refused.is_empty(), "{refused:?}");
    assert!(agreed > 30);
}
