//! Programs with networks and optimisers beside the output that real PyTorch gave
//! (`tests/nn/capture.sh`), at float32 as PyTorch starts and with float64 as the default.

use vjp::eval::language::machine::{Manner, Options};
use vjp::eval::record::event::Event;
use vjp::tensor::tensor::Dtype;
use vjp::text::source::Source;

/// What a program prints, each in a fresh machine.
fn run(program: String, dtype: Dtype) -> String {
    std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(move || {
            let strict = true;
            let mut machine = vjp::tutor::machine(Options { strict, dtype });
            let mut printed = String::new();
            let mut take = |event| match event {
                Event::Print(text) => printed.push_str(&text),
                Event::Error(fault) => {
                    printed.push_str(&format!("{}: {}", fault.class, fault.message));
                }
                _ => {}
            };
            let _ = machine.run(&Source::new(program.as_str()), Manner::Program, &mut take);
            printed
        })
        .unwrap()
        .join()
        .unwrap()
}

fn at_float32(program: &str) -> String {
    run(program.to_owned(), Dtype::Float32)
}

fn at_float64(program: &str) -> String {
    let first = "import torch; torch.set_default_dtype(torch.float64)\n";
    run(format!("{first}{program}"), Dtype::Float64)
}

macro_rules! same_text {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let program = include_str!(concat!("nn/", stringify!($name), ".py"));
            assert_eq!(at_float32(program), include_str!(concat!("nn/", stringify!($name), ".float32.out")));
            assert_eq!(at_float64(program), include_str!(concat!("nn/", stringify!($name), ".float64.out")));
        }
    )*};
}

same_text! { modules layers optimisers function parts schedules stepping chance hooks losses loading written }

/// What is written in the language itself runs: every name that a module has is there.
#[test]
fn every_name_is_there() {
    let program = "import torch\nfor m in [torch.nn, torch.nn.functional, torch.nn.init, torch.nn.utils, torch.optim, torch.optim.lr_scheduler]:\n    for name in dir(m):\n        if not hasattr(m, name):\n            print(m, name)\n";
    assert_eq!(at_float64(program), "");
}

/// Every number within a relative distance of the wanted one.
fn near(got: &str, want: &str, within: f64) {
    assert_eq!(got.lines().count(), want.lines().count(), "{got}");
    for (g, w) in got.split_whitespace().zip(want.split_whitespace()) {
        let (g, w): (f64, f64) = (g.parse().unwrap(), w.parse().unwrap());
        assert!((g - w).abs() <= within * w.abs(), "{g} instead of {w}");
    }
}

#[test]
fn a_network_trained_for_500_steps() {
    let program = include_str!("nn/train.py");
    near(&at_float32(program), include_str!("nn/train.float32.out"), 5e-5);
    near(&at_float64(program), include_str!("nn/train.float64.out"), 5e-13);
}

/// Unless the program chooses float64 itself, it sees the float32 numbers its author saw.
#[test]
fn default_numbers_are_drawn_as_float32() {
    let draw = "import torch\ntorch.manual_seed(0)\nprint(torch.randn(16)[:3], torch.nn.Linear(2, 1).weight.data)\n";
    let widened = run(draw.to_owned(), Dtype::Float64);
    assert_eq!(widened, at_float32(draw));
    assert_ne!(widened, at_float64(draw));
}

/// J of a Function is that of its forward code, whatever its backward says.
#[test]
fn jacobian_of_a_function() {
    let class = |body: &str| {
        format!(
            "import torch\nclass F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return {body}\n    @staticmethod\n    def backward(ctx, g):\n        return g * 7\nx = torch.tensor([1., 2.], requires_grad=True)\ny = F.apply(x)\ny.backward(torch.tensor([1., 10.]))\n"
        )
    };
    for (body, method) in [
        ("x ** 2", "the forward code"),
        ("torch.tensor([v ** 2 for v in x.tolist()])", "central differences"),
    ] {
        let mut machine = vjp::tutor::machine(Options { strict: false, dtype: Dtype::Float64 });
        let mut leaves = Vec::new();
        let source = Source::new(class(body).as_str());
        let mut take = |event| {
            if let Event::Backward(b) = event {
                leaves = b.leaves.clone();
            }
        };
        assert!(machine.run(&source, Manner::Line, &mut take).is_ok());
        let leaf = &leaves[0];
        assert_eq!(leaf.method, Some(method));
        assert_eq!(leaf.grad.data(), [7.0, 70.0]);
        assert!(!leaf.agrees);
        for (j, want) in leaf.jacobian.left_multiply(&[1.0, 10.0]).iter().zip([2.0, 40.0]) {
            assert!((j - want).abs() < 1e-8, "{j}");
        }
    }
}
