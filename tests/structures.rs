//! Jacobians as linear maps with structure, through the language: what `jacobian(y, x)` gives at the
//! prompt knows what kind of matrix it is, and a large one is never written out unless asked for.

use std::time::{Duration, Instant};
use vjp::eval::language::machine::{Manner, Options};
use vjp::eval::record::event::{Event, Shown};
use vjp::tensor::budget;
use vjp::text::source::Source;

/// What a program printed and what it ended with.
fn told(program: &str) -> (String, Option<String>) {
    let program = program.to_owned();
    let work = move || {
        let mut machine = vjp::tutor::machine(Options::default());
        let mut printed = String::new();
        let ended = machine.run(&Source::new(program), Manner::Program, &mut |event| {
            if let Event::Print(text) = event {
                printed.push_str(&text);
            }
        });
        (printed, ended.err().map(|fault| fault.message))
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20);
    thread.spawn(work).unwrap().join().unwrap()
}

#[track_caller]
fn prints(program: &str, expected: &str) {
    assert_eq!(told(program), (expected.to_owned(), None), "{program}");
}

#[track_caller]
fn refuses(program: &str, words: &[&str]) {
    let message = told(program).1.expect("an error");
    for part in words {
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
}

#[track_caller]
fn structure(setup: &str, expected: &str) {
    let program = format!("{setup}\nprint(jacobian(y, x).structure)");
    prints(&program, &format!("{expected}\n"));
}

const X5: &str = "x = torch.linspace(1, 5, 5, requires_grad=True)\n";

#[test]
fn every_structure_has_its_name() {
    for (y, expected) in [
        ("tanh(x)*x", "diagonal"),
        ("x.clone()", "identity"),
        ("x + x", "identity × 2"),
        ("x.detach()*2 + 0*x.detach()", "zero"),
        ("x.flip(0)", "permutation"),
        ("x[1:4]", "selection"),
        ("x.repeat(2)", "selection"),
        ("x.cumsum(0)", "lower triangular"),
        ("x.softmax(0)", "dense"),
        ("x.sum()", "dense"),
        ("torch.ones(3, 5) @ x", "dense"),
        ("tanh(torch.ones(3, 5) @ x)", "diagonal × matrix"),
    ] {
        structure(&format!("{X5}y = {y}"), expected);
    }
    let x = "x = torch.linspace(1, 2, 40, requires_grad=True)\n";
    structure(&format!("{x}y = x[:-2]*x[1:-1]*x[2:]"), "banded (3 diagonals)");
    let x = "x = torch.ones(3, 4, requires_grad=True)\n";
    structure(&format!("{x}y = torch.ones(2, 3) @ x"), "matrix ⊗ identity");
}

#[test]
fn a_small_one_is_a_tensor_until_it_is_written_to() {
    let j = format!("{X5}y = x**2\nJ = jacobian(y, x)\n");
    prints(
        &format!("{j}print((J @ x).tolist(), J.T.structure)"),
        "[2.0, 8.0, 18.0, 32.0, 50.0] diagonal\n",
    );
    prints(
        &format!("{j}print(J.diagonal().tolist(), J[1, 1].item(), J.shape)"),
        "[2.0, 4.0, 6.0, 8.0, 10.0] 4.0 torch.Size([5, 5])\n",
    );
    refuses(&format!("{j}J[0, 1] = 7\nprint(J[0, 1].item())\nJ.structure"), &["structure"]);
}

/// 10⁶ × 10⁶.
const LARGE: &str =
    "x = torch.linspace(0, 1, 1000000, requires_grad=True)\ny = x**2\nJ = jacobian(y, x)\n";

#[test]
fn a_large_one_answers_without_its_entries() {
    for (asked, expected) in [
        ("J.structure", "diagonal"),
        ("J.shape", "torch.Size([1000000, 1000000])"),
        ("len(J), J.ndim, J.dtype", "1000000 2 torch.float64"),
        ("J.diagonal()[-1].item(), J.diagonal(1).sum().item()", "2.0 0.0"),
        ("J.diagonal(-3).shape", "torch.Size([999997])"),
        ("J[999999, 999999].item(), J[-1, 0].item()", "2.0 0.0"),
        ("J[999999].sum().item(), J[:, 999999].sum().item()", "2.0 2.0"),
        ("J[:3, :3].tolist()[0]", "[0.0, 0.0, 0.0]"),
        (
            "J[:500000].structure, J[:500000].shape",
            "banded (1 diagonal) torch.Size([500000, 1000000])",
        ),
        ("(J @ torch.ones(1000000))[-1].item()", "2.0"),
        ("(torch.ones(1000000) @ J)[-1].item()", "2.0"),
        ("J.mv(torch.ones(1000000)).shape", "torch.Size([1000000])"),
        ("J.T.structure, J.T[-1, -1].item(), J.t().shape[0]", "diagonal 2.0 1000000"),
        ("(J @ J).structure, (J @ J)[-1, -1].item()", "diagonal 4.0"),
        ("(J + J)[-1, -1].item(), (J - J.T)[-1, -1].item()", "4.0 0.0"),
        ("(3*J)[-1, -1].item(), (-J)[-1, -1].item()", "6.0 -2.0"),
        ("(J/4)[-1, -1].item(), (J/4).structure", "0.5 diagonal"),
        (
            "J.sum().item() == J.trace().item(), J.sum(0)[-1].item(), J.sum(dim=1).shape",
            "True 2.0 torch.Size([1000000])",
        ),
        ("(J @ torch.ones(1000000, 2)).sum(0)[1].item() > 0", "True"),
        ("isinstance(J, torch.Tensor), type(J)", "True <class 'torch.Tensor'>"),
        (
            "J",
            "Jacobian(1000000 × 1000000, diagonal: tensor([0.0000e+00, 2.0000e-06, 4.0000e-06,  ..., 2.0000e+00, 2.0000e+00,\n        2.0000e+00]))",
        ),
    ] {
        prints(&format!("{LARGE}print({asked})"), &format!("{expected}\n"));
    }
}

#[test]
fn what_needs_all_entries_names_their_size() {
    for asked in
        ["J + 1", "J.exp()", "torch.sin(J)", "J == J", "J.to_dense()", "J[[0, 1]]", "list(J)"]
    {
        refuses(
            &format!("{LARGE}{asked}"),
            &["J is 1000000 × 1000000 (7.3 TiB dense)", "of 4 GiB already used"],
        );
    }
    refuses(&format!("{LARGE}J @ torch.ones(3)"), &["size mismatch"]);
    refuses(&format!("{LARGE}J[1000000]"), &["out of bounds"]);
    refuses(&format!("{LARGE}J.nothing"), &["no attribute 'nothing'"]);
}

#[test]
fn large_bands_and_factors_stay_so() {
    let stencil = "x = torch.linspace(0, 1, 100000, requires_grad=True)\n\
                   y = x[:-2]*x[1:-1]*x[2:]\nJ = jacobian(y, x)\n";
    for (asked, expected) in [
        ("J.structure", "banded (3 diagonals)"),
        ("J.T.structure, J.T.shape", "banded (3 diagonals) torch.Size([100000, 99998])"),
        ("(J @ J.T).structure", "banded (5 diagonals)"),
        ("torch.allclose(torch.ones(99998) @ J, grad(y.sum(), x))", "True"),
        ("abs(J @ x - 3*y).max().item() < 1e-12", "True"),
        ("J[5, 7].item() == (x[5]*x[6]).item()", "True"),
        ("torch.allclose(grad((J @ x).sum(), x), torch.ones(99998) @ J)", "True"),
    ] {
        prints(&format!("{stencil}print({asked})"), &format!("{expected}\n"));
    }
    let product = "x = torch.ones(2000, requires_grad=True)\nA = torch.eye(2000)\n\
                   y = tanh(A @ x)\nJ = jacobian(y, x)\n";
    for (asked, expected) in [
        ("J.structure, J.shape", "diagonal × matrix torch.Size([2000, 2000])"),
        ("(J @ torch.ones(2000))[0].item() == J[0, 0].item()", "True"),
        ("(J + 0).shape", "torch.Size([2000, 2000])"),
    ] {
        prints(&format!("{product}print({asked})"), &format!("{expected}\n"));
    }
}

#[test]
fn a_million_elements_take_little_memory_and_time() {
    let work = || {
        let mut machine = vjp::tutor::machine(Options::default());
        let start = Instant::now();
        let line = "x = torch.linspace(0, 1, 1000000, requires_grad=True); y = torch.tanh(x)*x; J = jacobian(y, x)";
        let mut drawn = 0;
        machine
            .run(&Source::new(line), Manner::Line, &mut |event| {
                if let Event::Matrix(m) = event {
                    drawn += 1;
                    assert_eq!(m.matrix.structure(), "diagonal");
                } else if let Event::Value(v) = event {
                    assert!(!matches!(v.shown, Shown::Tensor(t) if t.numel() > 1_000_000));
                }
            })
            .unwrap();
        assert_eq!(drawn, 1);
        assert!(budget::in_use() < 100 << 20, "{}", budget::in_use());
        // A wide margin for a debug build on a busy machine.
        assert!(start.elapsed() < Duration::from_secs(30));
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_vector_before_a_matrix_is_one_product_of_matrices() {
    let program = "A = torch.arange(6.).reshape(3, 2)\nB = torch.arange(12.).reshape(3, 4) - 5\n\
                   x = torch.ones(2, requires_grad=True)\ny = ((A @ x).cumsum(0)**2) @ B\n\
                   print(torch.equal(jacobian(y, x), torch.autograd.functional.jacobian(\
                   lambda x: ((A @ x).cumsum(0)**2) @ B, x, strategy='reverse-mode')))\n";
    prints(program, "True\n");
}
