//! A preview has no effect: sessions with a preview before every input print and compute what they
//! do without.

use vjp::eval::language::machine::{Machine, Manner, Options};
use vjp::eval::record::event::{Event, Shown};
use vjp::text::source::Source;
use vjp::tutor::preview::{self, Preview};
use vjp::tutor::why::why;

/// Inputs whose effects would show twice, and questions about them.
const SESSIONS: &[&[&str]] = &[
    &["x = [1, 2]", "y = 3*x^2", "y.backward([1, 10])", "y.backward([1, 10])", "x.grad"],
    // A leaf that only the graph still holds.
    &[
        "x = [1, 2]",
        "y = 3*x^2",
        "old = x",
        "x = [5, 5]",
        "y.backward([1, 1])",
        "y.backward([1, 1])",
        "old.grad",
    ],
    &["x = [1, 2]", "y = 3*x^2", "x = [5, 5]", "y.backward([1, 1])", "y.backward([1, 1])"],
    &["torch.manual_seed(3)", "torch.rand(2)", "torch.rand(2)", "torch.randn(3)"],
    &["import random", "random.seed(1)", "random.random()", "random.random()"],
    &["a = []", "a.append(1)", "a.append(2)", "a.pop()", "a"],
    &["d = {'k': 1}", "d.update(k=2)", "d.pop('k')", "d"],
    &["i = iter([1, 2, 3])", "next(i)", "next(i)", "next(i)"],
    &["e = enumerate('abc')", "next(e)", "list(e)"],
    &["t = torch.zeros(3)", "t.add_(1)", "t.mul_(3)", "t[0] = 7", "t"],
    &[
        "t = torch.ones(2, requires_grad=True)",
        "y = (t*t).sum()",
        "y.backward()",
        "t.grad",
        "t.grad.zero_()",
        "t.grad",
    ],
    &[
        "h = torch.ones(2, requires_grad=True)",
        "k = h*2",
        "k.retain_grad()",
        "k.sum().backward()",
        "k.grad",
    ],
    &[
        "h = torch.ones(2, requires_grad=True)",
        "k = h.register_hook(lambda g: g*10)",
        "(h*h).sum().backward()",
        "k.remove()",
        "(h*h).sum().backward()",
        "h.grad",
    ],
    &[
        "m = nn.Linear(2, 1)",
        "o = torch.optim.SGD(m.parameters(), lr=0.1)",
        "m(torch.ones(2)).sum().backward()",
        "o.step()",
        "m.weight",
        "o.zero_grad()",
        "m.weight.grad",
    ],
    &["torch.set_printoptions(precision=2)", "print(torch.tensor([1/3]))"],
    &["torch.set_default_dtype(torch.float32)", "torch.tensor([1.]).dtype"],
    &[
        "torch.set_grad_enabled(False)",
        "x = torch.ones(1, requires_grad=True)*2",
        "x.requires_grad",
        "torch.set_grad_enabled(True)",
    ],
    &["1 + 1", "_ + 1", "_ + 1"],
    &["x = 2", "y = x^3", "y.backward()", "y.backward()"],
    &["jacobian([1., 2.], [1., 2.])", "x = [1, 2]; jacobian(3*x^2, x)"],
    &["n = 0", "def count():\n    global n\n    n += 1\n    return n\n", "count()", "count()", "n"],
    &["x = [1, 2]", "x[0]", "y = x*2; y.backward([1, 1])", "y.grad", "y.grad"],
    &["s = {1}", "s.add(2)", "s"],
    &["f(x) = 3*x", "f(2)", "x = [1]; grad(f(x).sum(), x)"],
];

/// A preview that there is, on a busy machine too: it has a few milliseconds only.
fn preview(machine: &mut Machine, text: &str) -> Preview {
    (0..200).find_map(|_| preview::preview(machine, text)).unwrap()
}

/// Under strict, one backward frees the graph.
const STRICT: &[&[&str]] = &[
    &[
        "x = torch.ones(2, requires_grad=True)",
        "y = (x**2).sum()",
        "y.backward()",
        "x.grad",
        "y.backward()",
    ],
    &[
        "x = torch.ones(2, requires_grad=True)",
        "y = x.exp()",
        "z = (y*y).sum()",
        "z.backward()",
        "x.grad",
    ],
];

/// Where an object lies differs from run to run.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split("0x");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.trim_start_matches(|c: char| c.is_ascii_hexdigit()))
}

fn told(inputs: &[&str], strict: bool, previews: bool) -> Vec<String> {
    let mut machine = vjp::tutor::machine(Options { strict, ..Options::default() });
    machine.keep_history(true);
    let mut told = Vec::new();
    for input in inputs {
        if previews {
            for end in (1..=input.len()).filter(|e| input.is_char_boundary(*e)) {
                preview::preview(&mut machine, &input[..end]);
            }
            preview::preview(&mut machine, input);
        }
        let _ = machine.run(&Source::new(*input), Manner::Line, &mut |event| {
            told.push(match event {
                Event::Backward(b) => format!("{} {:?}", b.output, b.leaves),
                Event::Error(f) => f.message.clone(),
                other => without_addresses(&format!("{other:?}")),
            });
        });
    }
    let names: Vec<String> = machine.names().into_iter().map(|(n, _)| n).collect();
    told.push(names.join(" "));
    let mut undone = 0;
    while machine.undo().is_some() {
        undone += 1;
    }
    told.push(format!("{undone} undone"));
    told
}

#[test]
fn a_preview_has_no_effect() {
    for (sessions, strict) in [(SESSIONS, false), (STRICT, true)] {
        for inputs in sessions {
            let (with, without) = (told(inputs, strict, true), told(inputs, strict, false));
            for (a, b) in with.iter().zip(&without) {
                assert_eq!(a, b, "{inputs:?}");
            }
            assert_eq!(with.len(), without.len(), "{inputs:?}");
        }
    }
}

fn after(inputs: &[&str]) -> Machine {
    let mut machine = vjp::tutor::machine(Options::default());
    for input in inputs {
        machine.run(&Source::new(*input), Manner::Line, &mut |_| {}).unwrap();
    }
    machine
}

#[test]
fn a_preview_tells_the_value_or_the_gradients() {
    let mut machine = after(&["x = [1, 2]"]);
    let value = preview(&mut machine, "z = 3*x^2").value.unwrap().0;
    assert!(matches!(value, Shown::Tensor(t) if t.data() == [3.0, 12.0]));
    let grads = preview(&mut machine, "y = 3*x^2; y.backward([1, 10])").grads;
    assert_eq!(grads.len(), 1);
    assert_eq!((grads[0].0.as_str(), grads[0].1.data()), ("x", &[6.0, 120.0][..]));
}

#[test]
fn no_preview_where_something_would_be_seen_or_last() {
    let mut machine = after(&[
        "def f():\n    while True: pass\n",
        "def g():\n    print(1)\n    return 2\n",
        "x = [1, 2]",
    ]);
    for text in [
        "",
        "x +",
        "q",
        "x[9]",
        "print(1)",
        "f()",
        "g()",
        "while True: pass",
        "exit()",
        "1/0",
        "import time; time.sleep(1); 1",
        "torch.ones(20000, 20000)",
        "x = ",
        "del x",
        "def h(): pass",
        "a = torch.ones(2000, 2000) @ torch.ones(2000, 2000)",
        "sum(range(10**9))",
        "'a'*10**9",
        "10**10**8",
        "torch.ones(3, 3).matrix_power(10**9).sum() if f() else 1",
        "[0]*10**9",
    ] {
        assert!(preview::preview(&mut machine, text).is_none(), "{text}");
    }
}

#[test]
fn help_has_no_effect_either() {
    let rand = |help: bool| {
        let mut machine = after(&["torch.manual_seed(5)", "torch.rand(1)"]);
        if help {
            assert!(vjp::shell::help::about("sin").is_some());
        }
        format!("{:?}", preview(&mut machine, "torch.rand(3)").value)
    };
    assert_eq!(rand(false), rand(true));
}

#[test]
fn a_preview_is_not_what_why_is_about() {
    let mut machine = after(&["x = [1, 2]"]);
    let _ = machine.run(&Source::new("y"), Manner::Line, &mut |_| {});
    let before = format!("{:?}", why(&mut machine, ""));
    assert!(before.contains("name 'y' is not defined"), "{before}");
    assert!(preview::preview(&mut machine, "x.gra").is_none());
    assert_eq!(format!("{:?}", why(&mut machine, "")), before);
}

#[test]
fn blocks_and_iterators_have_previews() {
    let shown = |machine: &mut Machine, text: &str| {
        let preview = preview(machine, text);
        (format!("{:?}", preview.value.map(|v| v.0)), preview.grads.len())
    };
    let mut machine = after(&["x = 1.", "i = iter([5, 7])", "e = enumerate(zip('ab', i))"]);
    let text = "for k in range(3):\n    s = k*10\n";
    assert_eq!(shown(&mut machine, text).0, "Some(Int(20))", "a name bound in a block");
    let text = "for v in [1., 10.]:\n    (x^2).backward(v)\n";
    assert_eq!(shown(&mut machine, text).1, 1);
    for text in ["next(i)", "next(i)", "list(i)[0]"] {
        assert_eq!(shown(&mut machine, text).0, "Some(Int(5))", "{text}");
    }
    assert!(shown(&mut machine, "next(e)").0.contains("(0, ('a', 5))"));
    assert!(shown(&mut machine, "next(e)").0.contains("(0, ('a', 5))"));
}

#[test]
fn undo_puts_iterators_back() {
    let mut machine = vjp::tutor::machine(Options::default());
    machine.keep_history(true);
    let run = |machine: &mut Machine, text: &str| {
        let mut last = String::new();
        machine
            .run(&Source::new(text), Manner::Line, &mut |event| {
                if let Event::Value(v) = event {
                    last = format!("{:?}", v.shown);
                }
            })
            .unwrap();
        last
    };
    run(&mut machine, "s = {3: 'a', 4: 'b'}; i = map(lambda k: k + 1, iter(s))");
    assert_eq!(run(&mut machine, "next(i)"), "Int(4)");
    assert_eq!(run(&mut machine, "next(i)"), "Int(5)");
    machine.undo().unwrap();
    assert_eq!(run(&mut machine, "next(i)"), "Int(5)");
    machine.undo().unwrap();
    machine.undo().unwrap();
    assert_eq!(run(&mut machine, "list(i)").replace(' ', ""), "Text(\"[4,5]\")");
}
