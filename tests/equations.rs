//! `:equations`: known derivatives of matrix calculus, and its lines of PyTorch, run on random networks.

use crate::support::random::Random;
use std::fmt::Write as _;
use vjp::report::Style;
use vjp::shell::session_options::Common;
use vjp::shell::shell::Shell;
use vjp::shell::view::Face;

/// Runs a test with the stack that programs have.
fn deep(test: impl FnOnce() + Send + 'static) {
    let worker = std::thread::Builder::new().stack_size(1 << 28);
    worker.spawn(test).unwrap().join().unwrap();
}

fn shell() -> Shell {
    let mut shell = Shell::new(Common::default(), Face::Drawn, Style::canonical());
    shell.keep_history();
    shell.view.muted = true;
    shell.view.panels = false;
    shell
}

/// What an input shows.
fn said(shell: &mut Shell, input: &str) -> String {
    shell.input(input).1.join("\n")
}

/// Blocks of an expression, and the lines it must give.
const FACTS: &str = include_str!("data/equations.txt");

#[test]
fn known_derivatives_are_written_as_books_write_them() {
    deep(|| {
        let (setup, facts) = FACTS.split_once("\n\n").unwrap();
        let mut failed = String::new();
        let mut count = 0;
        for fact in facts.trim_end().split("\n\n") {
            let (code, expected) = fact.split_once('\n').unwrap();
            let mut shell = shell();
            setup.lines().for_each(|line| drop(said(&mut shell, line)));
            let got = said(&mut shell, &format!(":equations {code}"));
            let lines = got.lines().map(str::trim_end).filter(|l| !l.is_empty());
            let lines: Vec<&str> = lines.filter(|l| l.contains(" = ") || l.contains('✗')).collect();
            count += lines.iter().filter(|l| l.ends_with('✓')).count();
            if lines != expected.lines().collect::<Vec<_>>() {
                write!(failed, "{code}\n{}\n\n", lines.join("\n")).unwrap();
            }
        }
        assert!(failed.is_empty(), "other than in tests/data/equations.txt:\n\n{failed}");
        assert!(count > 55, "only {count} lines were checked");
    });
}

/// A network of layers drawn at random, its parameters, and a loss.
fn network(random: &mut Random) -> (Vec<String>, Vec<String>) {
    let mut lines = vec!["torch.manual_seed(1)".to_owned(), "x = torch.randn(4, 3)".to_owned()];
    let mut leaves = Vec::new();
    let mut width = 3;
    let leaf = |lines: &mut Vec<String>, leaves: &mut Vec<String>, shape: String| {
        let name = format!("W{}", leaves.len());
        lines.push(format!("{name} = torch.randn({shape}, requires_grad=True)"));
        leaves.push(name.clone());
        name
    };
    let mut h = "x".to_owned();
    for k in 0..2 + random.below(4) {
        let code = match random.below(10) {
            0..=2 => {
                let next = 2 + random.below(3);
                let w = leaf(&mut lines, &mut leaves, format!("{width}, {next}"));
                let b = leaf(&mut lines, &mut leaves, format!("{next}"));
                width = next;
                format!("{h} @ {w} + {b}")
            }
            3 => format!("torch.tanh({h})"),
            4 => format!("torch.sigmoid({h}) * {h}"),
            5 => format!("torch.relu({h}) + 0.1*{h}**2"),
            6 => {
                let w = leaf(&mut lines, &mut leaves, format!("{width}, {width}"));
                format!("torch.softmax({h} @ {w} @ {h}.T / 3**0.5, dim=1) @ {h}")
            }
            7 => {
                let w = leaf(&mut lines, &mut leaves, format!("{width}"));
                format!("F.layer_norm({h}, ({width},), {w})")
            }
            8 => format!("({h} - {h}.mean(dim=0)) / ({h}.std() + 1)"),
            _ => {
                let w = leaf(&mut lines, &mut leaves, format!("{width}, {width}"));
                format!("{h} + torch.sin(F.linear({h}, {w}))")
            }
        };
        // Some values have a name and some have none.
        h = match random.below(3) {
            0 => format!("({code})"),
            _ => {
                lines.push(format!("h{k} = {code}"));
                format!("h{k}")
            }
        };
    }
    if leaves.is_empty() {
        let w = leaf(&mut lines, &mut leaves, format!("{width}"));
        h = format!("({h} * {w})");
    }
    lines.push(match random.below(4) {
        0 => format!("loss = ({h}**2).mean()"),
        1 => format!("loss = F.cross_entropy({h}, torch.tensor([0, 1, 1, 0]))"),
        2 => format!("loss = torch.logsumexp({h}, dim=1).sum()"),
        _ => format!("loss = F.mse_loss({h}, torch.zeros(4, {width}) + x[:, :1])"),
    });
    lines.push("loss.backward()".to_owned());
    (lines, leaves)
}

#[test]
fn the_code_of_the_equations_gives_the_gradients() {
    deep(|| {
        let mut random = Random::new(20);
        let mut compared = 0;
        for _ in 0..60 {
            let (lines, leaves) = network(&mut random);
            let program = lines.join("\n");
            let mut shell = shell();
            lines.iter().for_each(|line| drop(said(&mut shell, line)));
            let code = said(&mut shell, ":equations code");
            for line in code.lines() {
                let answer = said(&mut shell, line);
                assert!(!answer.starts_with("error"), "{program}\n{code}\n{line}\n{answer}");
            }
            for leaf in &leaves {
                let grad = said(&mut shell, &format!("{leaf}.grad is None"));
                if grad == "True" {
                    continue;
                }
                let apart = format!(
                    "print(((grad[\"{leaf}\"] - {leaf}.grad).abs() <= 1e-9 + 1e-9*{leaf}.grad.abs()).all().item())"
                );
                assert_eq!(said(&mut shell, &apart), "True", "{leaf} of\n{program}\n{code}");
                compared += 1;
            }
        }
        assert!(compared > 120, "{compared}");
    });
}

#[test]
fn a_line_that_does_not_agree_is_not_shown_as_true() {
    deep(|| {
        let mut shell = shell();
        for line in [
            "x = torch.tensor([1., 2.], requires_grad=True)",
            "x.register_hook(lambda g: 2*g)",
            "y = (x**3).sum()",
            "y.backward()",
        ] {
            said(&mut shell, line);
        }
        let shown = said(&mut shell, ":equations");
        assert!(shown.contains("x.grad   no formula agrees with the sweep  [2] ✗"), "{shown}");
        assert!(!shown.contains("3x²"), "{shown}");
        let code = said(&mut shell, ":equations code");
        assert!(code.contains("# grad[\"x\"]: no formula"), "{code}");
    });
}

#[test]
fn ascii_writes_no_other_signs() {
    let program = "import torch, torch.nn.functional as F
X = torch.tensor([[1., 2.], [3., 4.]]); t = torch.tensor([0, 1])
W = torch.tensor([[1., 0.], [0.5, 1.]], requires_grad=True)
z = torch.tanh(X @ W); loss = F.cross_entropy(z, t)
:panel off
loss.backward()
:equations
";
    let shown = "  z = tanh(X @ W)    loss = -mean(log_softmax(z)[i, t])

  d_z    = (1/2)*(softmax(z) - onehot(t))  [2, 2]
  W.grad = X.T @ (d_z * (1 - z^2))         [2, 2] ok
  d_z is dloss/dz   a[i, t] takes from each row i of a the element t names
  softmax is that of each row
  ok the line, evaluated, is what the sweep left in .grad
";
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_vjp"));
    let mut run = command
        .arg("--ascii")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut run.stdin.take().unwrap(), program.as_bytes()).unwrap();
    let said = String::from_utf8(run.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.ends_with(shown), "{said}");
}

/// Expressions of few parts, of which many differ only in a dimension, an order, or where a size of 1 stands.
fn expressions(random: &mut Random) -> String {
    let pick = |random: &mut Random, all: &[&str]| all[random.below(all.len())].to_owned();
    let leaf = pick(random, &["x", "v", "w", "x", "v"]);
    let square = pick(random, &["x", "x[None]", "x.T", "v[:, None]", "v[None]", "v", "w", "w.T"]);
    let shaped = match random.below(4) {
        0 => square,
        1 => pick(random, &["x.view(1, 3, 3)", "x.view(3, 1, 3)", "x.view(3, 3, 1)", "x.view(9)"]),
        2 => format!("({leaf} + {square})"),
        _ => format!("({leaf} * {square})"),
    };
    match random.below(14) {
        0 => format!("{shaped}.sum({})", random.below(2)),
        1 => format!("{shaped}.norm({})", 1 + random.below(4)),
        2 => format!("torch.linalg.vector_norm({shaped}, {}, dim=-1)", 1 + random.below(3)),
        3 => format!("F.pad({shaped}, ({}, {}))", random.below(2), random.below(2)),
        4 => pick(
            random,
            &[
                "torch.einsum('ij,ij->i', x, x)",
                "torch.einsum('ij,ij->j', x, x)",
                "torch.einsum('ij,ji->i', x, x)",
                "torch.einsum('ij,j->i', x, v)",
                "torch.einsum('i,ij->j', v, x)",
                "torch.einsum('i,j->ij', v, v)",
            ],
        ),
        5 => format!(
            "x.{}({}){}",
            pick(random, &["amax", "amin", "cumsum", "prod", "var", "logsumexp", "softmax"]),
            random.below(2),
            ""
        ),
        6 => format!(
            "x.{}({}).values",
            pick(random, &["max", "min", "median", "sort", "cummax"]),
            random.below(2)
        ),
        7 => format!(
            "{}({}, {})",
            pick(random, &["torch.tril", "torch.triu"]),
            pick(random, &["x", "w"]),
            random.below(2)
        ),
        8 => format!(
            "F.{}(x[None], 2, stride={})",
            pick(random, &["max_pool1d", "avg_pool1d"]),
            1 + random.below(2)
        ),
        9 => format!(
            "F.conv1d(x[None], w[None], padding={}, stride={})",
            random.below(2),
            1 + random.below(2)
        ),
        10 => pick(
            random,
            &[
                "torch.linalg.svdvals(x)",
                "torch.linalg.svd(x)[0].abs()",
                "torch.linalg.eigvalsh(x)",
                "torch.linalg.eigh(x)[1].abs()",
                "torch.linalg.qr(x)[1].abs()",
            ],
        ),
        11 => format!("({shaped} - {leaf})"),
        12 => format!("{shaped} @ {}", pick(random, &["x", "w", "x.T"])),
        _ => format!("{shaped}.flatten()[:3] - {leaf}"),
    }
}

/// The line is a function of what stands in it.
#[test]
fn what_has_other_values_is_written_otherwise() {
    deep(|| {
        let mut shell = shell();
        for line in [
            "x = torch.tensor([[1., 2., -3.], [0.5, 4., 1.5], [2.5, -1., 6.]], requires_grad=True)",
            "v = torch.tensor([1., -2., 0.5], requires_grad=True)",
            "w = torch.tensor([[2., 1., 7.], [-1., 3., 0.25], [1.25, 0.75, 5.]], requires_grad=True)",
        ] {
            said(&mut shell, line);
        }
        let mut random = Random::new(7);
        let mut known: std::collections::HashMap<String, (String, String)> = Default::default();
        for _ in 0..300 {
            let code = expressions(&mut random);
            let value = said(&mut shell, &format!("print(torch.squeeze({code}).tolist())"));
            let shown = said(&mut shell, &format!(":equations {code}"));
            let line = shown.split("\n\n").next().unwrap_or_default().to_owned();
            // Of a number the shape is not said.
            if value.starts_with("error") || !line.contains("y = ") || line == "  y = 0" {
                continue;
            }
            let (other, first) = known.entry(line.clone()).or_insert((value.clone(), code.clone()));
            assert_eq!(*other, value, "{line}\n{first}\n{code}");
        }
        assert!(known.len() > 80, "{}", known.len());
    });
}
