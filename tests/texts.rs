//! The examples of the three texts: every number by each way in, and every original program against
//! what PyTorch 2.15 and NumPy 2 printed for it (tests/data/texts).

use crate::support::run;

use run::Test;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// An example: what is typed (one input a line), a leaf and its gradient to all digits of the text.
struct Example {
    typed: &'static str,
    leaf: &'static str,
    grad: &'static [f64],
    /// As the panel shows it, digits rule included.
    shown: &'static str,
}

const LAYER: &str = "X = torch.tensor([[.1,.2,.3],[.4,.6,.8]]); y_true = torch.tensor([[0., 1.]])\n\
    W = [[.5, -.25, .75]]; b = [[0.431070, -0.347143]]\n\
    losses = (y_true - sigmoid(W @ X.T + b))^2\n";

const EXAMPLES: &[Example] = &[
    Example {
        typed: "x = 2.; y = x*x; loss = y*3; loss.backward()",
        leaf: "x",
        grad: &[12.0],
        shown: "[ 12 ] ✓",
    },
    Example {
        typed: "x = [2, 3]; y = x*x; y.backward([1, .5])",
        leaf: "x",
        grad: &[4.0, 3.0],
        shown: "[  4   3 ] ✓",
    },
    Example {
        typed: "LAYER\n(losses.sum()/2).backward()",
        leaf: "W",
        grad: &[-2.6718e-2, -3.2673e-2, -3.8628e-2],
        shown: "[ -0.0267  -0.0327  -0.0386 ]",
    },
    Example {
        typed: "LAYER\n(losses.sum()/2).backward()",
        leaf: "b",
        grad: &[0.1481, -0.1038],
        shown: "[  0.1481  -0.1038 ]",
    },
    Example {
        typed: "LAYER\nlosses.backward([[.5, .5]])",
        leaf: "W",
        grad: &[-2.6718e-2, -3.2673e-2, -3.8628e-2],
        shown: "[ -0.0267  -0.0327  -0.0386 ]",
    },
    Example {
        typed: "LAYER\nlosses.backward([[.5, .5]])",
        leaf: "b",
        grad: &[0.1481, -0.1038],
        shown: "[  0.1481  -0.1038 ]",
    },
    Example {
        typed: "LAYER\nlosses.backward([[.5, 0]])",
        leaf: "W",
        grad: &[1.4808e-2, 2.9616e-2, 4.4424e-2],
        shown: "[  0.0148   0.0296   0.0444 ]",
    },
    Example {
        typed: "LAYER\nlosses.backward([[0, .5]])",
        leaf: "W",
        grad: &[-4.1526e-2, -6.2289e-2, -8.3053e-2],
        shown: "[ -0.0415  -0.0623  -0.0831 ]",
    },
    Example { typed: "x = 1.; y = x^2; y.backward()", leaf: "x", grad: &[2.0], shown: "[ 2 ] ✓" },
    Example {
        typed: "x = 1.; y = x^2; y.backward(100)",
        leaf: "x",
        grad: &[200.0],
        shown: "[ 200 ] ✓",
    },
    Example {
        typed: "x = [1, 2]; y = sum(x); y.backward()",
        leaf: "x",
        grad: &[1.0, 1.0],
        shown: "[  1   1 ] ✓",
    },
    Example {
        typed: "x = [1, 2]; y = sum(x); y.backward(100)",
        leaf: "x",
        grad: &[100.0, 100.0],
        shown: "[ 100  100 ] ✓",
    },
    Example {
        typed: "x = [1, 2]; y = 3*x^2; y.backward([1, 1])",
        leaf: "x",
        grad: &[6.0, 12.0],
        shown: "[  6  12 ] ✓",
    },
    Example {
        typed: "x = [1, 2]; y = 3*x^2; y.backward([1, 10])",
        leaf: "x",
        grad: &[6.0, 120.0],
        shown: "[   6  120 ] ✓",
    },
    Example {
        typed: "x = [1, 2]; y = torch.empty(3); y[0] = 3*x[0]^2; y[1] = x[0]^2 + 2*x[1]^3; y[2] = 10*x[1]; y.backward([1, 10, 100])",
        leaf: "x",
        grad: &[26.0, 1240.0],
        shown: "[   26  1240 ] ✓",
    },
    Example {
        typed: "x = 1.; y = x^2; y.backward([1, 10, 100, 1000])",
        leaf: "x",
        grad: &[2222.0],
        shown: "[ 2222 ] ✓",
    },
    Example {
        typed: "x = [1, 2]; y = sum(x); y.backward([1, 10, 100, 1000])",
        leaf: "x",
        grad: &[1111.0, 1111.0],
        shown: "[ 1111  1111 ] ✓",
    },
    Example {
        typed: "x = 1.; y = x^2\nfor v in [1., 10., 100., 1000.]: y.backward(v, retain_graph=True)",
        leaf: "x",
        grad: &[2222.0],
        shown: "2222 = 222 + 1000×2   ✓",
    },
    Example {
        typed: "x = [1, 2]; y = sum(x)\nfor v in [1., 10., 100., 1000.]: y.backward(v, retain_graph=True)",
        leaf: "x",
        grad: &[1111.0, 1111.0],
        shown: "[1111, 1111] = [111, 111] + [1000, 1000]   ✓",
    },
];

impl Example {
    fn lines(&self) -> String {
        self.typed.replace("LAYER\n", LAYER)
    }
}

/// Numbers of a nested list, row-major.
fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(flat).collect(),
        other => vec![other.as_f64().unwrap()],
    }
}

/// Equal to the digits that the text gives: half a unit of the fifth significant digit, or fourth decimal.
fn close(got: f64, want: f64) -> bool {
    (got - want).abs() <= 5.1e-5_f64.min(want.abs() * 2e-4).max(1e-12)
}

/// The last backward event of a JSON stream.
fn last_backward(stdout: &str) -> Value {
    let events = stdout.lines().map(|l| serde_json::from_str::<Value>(l).unwrap());
    events.rev().find(|e| e["event"] == "backward").unwrap()
}

fn check_event(example: &Example, stdout: &str, way: &str) {
    let event = last_backward(stdout);
    let leaves = event["leaves"].as_array().unwrap();
    let leaf = leaves.iter().find(|l| l["name"] == example.leaf).unwrap();
    let got = flat(&leaf["grad"]);
    assert_eq!(got.len(), example.grad.len(), "{way}: {}", example.typed);
    for (g, w) in got.iter().zip(example.grad) {
        assert!(
            close(*g, *w),
            "{way}: {} gives {got:?}, the text {:?}",
            example.typed,
            example.grad
        );
    }
    assert_eq!(leaf["agrees"], true, "{way}: {}", example.typed);
}

#[test]
fn every_number_by_pipe() {
    for e in EXAMPLES {
        let ran = Test::new().stdin(e.lines() + "\n").any_stdout().any_stderr().run();
        assert!(
            ran.stdout.contains(e.shown),
            "{} shows\n{}\nwithout {}",
            e.typed,
            ran.stdout,
            e.shown
        );
    }
}

#[test]
fn every_number_by_e() {
    for e in EXAMPLES {
        let ran = Test::new().args(&["-e", &e.lines()]).any_stdout().any_stderr().run();
        assert!(
            ran.stdout.contains(e.shown),
            "{} shows\n{}\nwithout {}",
            e.typed,
            ran.stdout,
            e.shown
        );
    }
}

#[test]
fn every_number_in_json_to_the_digits_of_the_text() {
    for e in EXAMPLES {
        let piped = Test::new().args(&["--json"]).stdin(e.lines() + "\n").any_stdout().run();
        check_event(e, &piped.stdout, "pipe");
        let given = Test::new().args(&["--json", "-e", &e.lines()]).any_stdout().run();
        check_event(e, &given.stdout, "-e");
    }
}

/// The program of a pasted session, and its name.
fn pasted() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions/pytorch");
    let mut all: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let program: String = text
                .lines()
                .filter_map(|l| l.strip_prefix("vjp>").or_else(|| l.strip_prefix("...>")))
                .map(|l| format!("{}\n", l.strip_prefix(' ').unwrap_or(l)))
                .collect();
            (path.file_stem().unwrap().to_str().unwrap().to_string(), program)
        })
        .collect();
    all.sort();
    all
}

fn recorded(name: &str, ending: &str) -> Option<String> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/texts/{name}.{ending}"));
    fs::read_to_string(path).ok()
}

#[test]
fn original_programs_print_what_pytorch_and_numpy_print() {
    let programs = pasted();
    assert_eq!(programs.len(), 17);
    for (name, program) in programs {
        let want = recorded(&name, "out").unwrap();
        for flags in [
            ["run", "--plain", "--strict", "-"].as_slice(),
            &["run", "--plain", "--strict", "--dtype", "float32", "-"],
        ] {
            let refused = recorded(&name, "err");
            let status = i32::from(refused.is_some());
            let ran = Test::new()
                .args(flags)
                .stdin(&program)
                .stdout(&want)
                .any_stderr()
                .status(status)
                .run();
            let message = refused.unwrap_or_default();
            let message = message.trim().trim_start_matches("RuntimeError: ");
            assert!(ran.stderr.contains(message), "{name}: {}", ran.stderr);
        }
        // Not strict, the same is printed, but where PyTorch refuses: there its older answer comes.
        let ran = Test::new()
            .args(&["run", "--plain", "-"])
            .stdin(&program)
            .any_stdout()
            .any_stderr()
            .run();
        assert!(ran.stdout.starts_with(&want), "{name} prints\n{}", ran.stdout);
    }
}

#[test]
fn what_pytorch_refuses_is_answered_outside_strict() {
    for (name, grad) in [
        ("14-a-vector-for-a-scalar", "x.grad: tensor(2222.)\n"),
        ("16-a-vector-for-a-sum", "x.grad: tensor([1111., 1111.])\n"),
    ] {
        let (_, program) = pasted().into_iter().find(|(n, _)| n == name).unwrap();
        let ran = Test::new().args(&["run", "-"]).stdin(&program).any_stdout().any_stderr().run();
        assert!(ran.stdout.ends_with(grad), "{}", ran.stdout);
        assert!(
            ran.stderr.contains("Mismatch in shape: grad_output[0] has a shape of torch.Size([4])"),
            "{}",
            ran.stderr
        );
    }
}
