//! Questions between two inputs: what `:v`, `:what-if` … answer, and that nothing is changed by them.
#![allow(clippy::unwrap_used, clippy::panic)]

use vjp::report::Style;
use vjp::shell::options::Common;
use vjp::shell::shell::Shell;
use vjp::shell::view::Face;

#[global_allocator]
static ALLOCATOR: vjp::maths::budget::Counting = vjp::maths::budget::Counting;

/// Runs a test with the stack that programs have.
fn deep(test: impl FnOnce() + Send + 'static) {
    let worker = std::thread::Builder::new().stack_size(1 << 28);
    worker.spawn(test).unwrap().join().unwrap();
}

/// What the last of the inputs shows.
fn shown(inputs: &[&str]) -> String {
    let mut shell = Shell::new(Common::default(), Face::Drawn, Style::canonical());
    shell.keep_history();
    shell.view.muted = true;
    let mut last = Vec::new();
    for input in inputs {
        last = shell.input(input).1;
    }
    last.join("\n")
}

const CARD: &str = "x = [1, 2]; y = 3*x^2; y.backward([1, 10])";

#[test]
fn another_v_leaves_the_gradient_alone() {
    deep(|| {
        let panel = shown(&[CARD, ":v 1 0"]);
        assert!(
            panel.contains("sweep    [  6   0 ] ✓  the gradient of y₁ alone"),
            "{panel}"
        );
        assert!(panel.contains("x.grad is unchanged: [6, 120]"), "{panel}");
        assert_eq!(shown(&[CARD, ":v 1 0", "x.grad"]), "[6, 120]");
        assert_eq!(shown(&[CARD, ":v [1, 0]/2", "x.grad"]), "[6, 120]");
        let panel = shown(&[CARD, ":v 1 2 3"]);
        assert!(
            panel.starts_with("error  v has 3 weights, y has 2 elements"),
            "{panel}"
        );
        assert!(panel.contains("help  :v 1 1"), "{panel}");
    });
}

#[test]
fn what_if_shows_both_sides_and_changes_nothing() {
    deep(|| {
        let lesson = ["x = [1, 2]", "w = 5.", "y = 3*x^2", "y.backward([1, 10])"];
        let with = |more: &[&str]| shown(&[&lesson[..], more].concat());
        let table = with(&[":what-if x = [1, 3]"]);
        let expected = "          now        with x = [1, 3]
  x        [1, 2]     [1, 3]
  y        [3, 12]    [3, 27]
  x.grad   [6, 120]   [6, 180]
  one other name would stay as it is; nothing is changed";
        assert_eq!(
            table.split_whitespace().collect::<Vec<_>>(),
            expected.split_whitespace().collect::<Vec<_>>()
        );
        assert_eq!(with(&[":what-if x = [1, 3]", "x.grad"]), "[6, 120]");
        assert_eq!(with(&[":what-if x = [1, 3]", "y"]), "[3, 12]");
        assert!(with(&[":what-if q = 3"]).starts_with("error  no input has bound q"));
        assert!(with(&[":what-if x = [1, 2, 3]"]).starts_with("error  Mismatch in shape"));
        assert_eq!(
            with(&[":what-if x = [1, 2, 3]", "x"]),
            "[1, 2]                                                      leaf, shape [2]"
        );
    });
}

#[test]
fn undo_takes_the_graph_back_too() {
    deep(|| {
        // After :undo no backward has run, so the graph was not used before.
        let again = shown(&[CARD, ":undo", CARD]);
        assert!(!again.contains("retain_graph"), "{again}");
        let lesson = [
            "x = [1, 2]",
            "y = (3*x^2).sum()",
            "y.backward()",
            ":undo",
            "y.backward()",
        ];
        assert!(!shown(&lesson).contains("retain_graph"));
        let twice = [&lesson[..], &["y.backward()"]].concat();
        assert!(shown(&twice).contains("retain_graph"));
        let redone = [&lesson[..3], &[":undo", ":redo", "y.backward()"]].concat();
        assert!(shown(&redone).contains("retain_graph"));
    });
}
