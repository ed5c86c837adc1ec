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
