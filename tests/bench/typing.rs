//! How long a key takes while a line is typed: colours, hint, completion, on a session of 500
//! lines; the slowest key is told beside its goal.

use serde_json::{Value as Json, json};
use std::hint::black_box;
use std::time::Instant;
use vjp::eval::language::machine::{Machine, Manner, Options};
use vjp::report::Style;
use vjp::shell::prompt::completion::{Known, complete};
use vjp::shell::prompt::{highlight, hint};
use vjp::text::source::Source;

/// Typed key by key.
const TYPED: &[&str] = &[
    "y = 3*x7^2; y.backward([1, 10])",
    "torch.clamp(x3 @ W, min=0).sum().backward()",
    "loss = ((model(torch.ones(4, 8)) - 1)**2).mean(); loss.backward()",
    "jacobian(h12, x12)",
    "big @ big",
    "while_true()",
];

/// What is completed: a name, a method, an argument, a command.
const COMPLETED: &[&str] = &["t", "x3.s", "torch.", "torch.clamp(x3, m", ":help "];

/// Keys on a session of 500 lines, and colours of 4 kB, in milliseconds.
pub fn times() -> Vec<Json> {
    let mut machine = session();
    let style = Style::canonical();
    let (mut coloured, mut hinted, mut completed) = (0.0, 0.0, 0.0);
    for text in TYPED {
        for end in 1..=text.len() {
            let typed = &text[..end];
            slowest(&mut coloured, || black_box(highlight::input(typed, Some(end), &machine)));
            slowest(&mut hinted, || {
                black_box(hint::hint(&mut machine, &style, typed, end, 40, true))
            });
        }
    }
    for text in COMPLETED {
        let known = Known { machine: &machine, offers: &[], style: &style };
        slowest(&mut completed, || black_box(complete(&known, text, text.len())));
    }
    let mut long = String::new();
    while long.len() < 4096 {
        long += "y = torch.clamp(3*x7^2 + [1, 2], min=0.5)  # as 'before'\n";
    }
    let mut large = 0.0;
    slowest(&mut large, || black_box(highlight::input(&long, Some(long.len()), &machine)));
    let line = |task: &str, ms: f64, goal: f64| json!({"task": task, "ms": (ms * 1e3).round() / 1e3, "goal_ms": goal});
    vec![
        line("typing colours, slowest key", coloured, 10.0),
        line("typing hint, slowest key", hinted, 10.0),
        line("typing completion, slowest", completed, 10.0),
        line("typing colours of 4 kB", large, 1.0),
    ]
}

/// The least of three times, so that the machine's other work does not count; the greatest of those.
fn slowest<T>(so_far: &mut f64, mut work: impl FnMut() -> T) {
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let before = Instant::now();
        drop(black_box(work()));
        least = least.min(before.elapsed().as_secs_f64() * 1e3);
    }
    *so_far = so_far.max(least);
}

/// 500 inputs: vectors and what was computed from them, a network, a large matrix, a loop.
fn session() -> Machine {
    let mut machine = vjp::tutor::machine(Options::default());
    machine.keep_history(true);
    let mut inputs = vec![
        "import torch".to_owned(),
        "W = torch.randn(2, 2, requires_grad=True)".to_owned(),
        "model = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))".to_owned(),
        "big = torch.randn(600, 600)".to_owned(),
        "def while_true():\n    while True: pass\n".to_owned(),
    ];
    inputs.extend((0..165).flat_map(|i| {
        [
            format!("x{i} = [{i}, 2]"),
            format!("h{i} = 3*x{i}^2 + sin(x{i})"),
            format!("h{i}.backward([1, 10])"),
        ]
    }));
    for input in &inputs {
        let done = machine.run(&Source::new(input.as_str()), Manner::Line, &mut |_| {});
        assert!(done.is_ok(), "{input}");
    }
    machine
}
