//! Questions between two inputs: what `:v`, `:what-if` … answer, and that nothing is changed by them.

use vjp::report::Style;
use vjp::shell::session_options::Common;
use vjp::shell::shell::Shell;
use vjp::shell::view::Face;

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
        assert!(panel.contains("sweep    [  6   0 ] ✓  the gradient of y₁ alone"), "{panel}");
        assert!(panel.contains("x.grad is unchanged: [6, 120]"), "{panel}");
        assert_eq!(shown(&[CARD, ":v 1 0", "x.grad"]), "[6, 120]");
        assert_eq!(shown(&[CARD, ":v [1, 0]/2", "x.grad"]), "[6, 120]");
        let panel = shown(&[CARD, ":v 1 2 3"]);
        assert!(panel.starts_with("error  v has 3 weights, y has 2 elements"), "{panel}");
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
  one other name would stay the same; nothing was changed";
        assert_eq!(
            table.split_whitespace().collect::<Vec<_>>(),
            expected.split_whitespace().collect::<Vec<_>>()
        );
        assert_eq!(with(&[":what-if x = [1, 3]", "x.grad"]), "[6, 120]");
        assert_eq!(with(&[":what-if x = [1, 3]", "y"]), "[3, 12]");
        assert!(with(&[":what-if q = 3"]).starts_with("error  q was never assigned"));
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
        let lesson = ["x = [1, 2]", "y = (3*x^2).sum()", "y.backward()", ":undo", "y.backward()"];
        assert!(!shown(&lesson).contains("retain_graph"));
        let twice = [&lesson[..], &["y.backward()"]].concat();
        assert!(shown(&twice).contains("retain_graph"));
        let redone = [&lesson[..3], &[":undo", ":redo", "y.backward()"]].concat();
        assert!(shown(&redone).contains("retain_graph"));
    });
}

#[test]
fn the_worked_example_multiplies_and_adds() {
    deep(|| {
        let told = shown(&[CARD, ":explain"]);
        for line in [
            "  2 y    = [3, 12]                   3*x^2",
            "  2 y    receives v = [1, 10]",
            "         x^2 gets [1×3, 10×3] = [3, 30]",
            "         ∂(x^2)/∂x = 2x = [2, 4]   element by element",
            "    x.grad = [6, 120] ✓",
        ] {
            assert!(told.lines().any(|l| l == line), "{line}\n{told}");
        }
        assert!(told.lines().all(|l| l.chars().count() <= 80), "{told}");
        // What was there before is added, and said.
        let again = shown(&[CARD, "y.backward([1, 0])", ":explain"]);
        assert!(again.contains("x.grad = [6, 120] + [6, 0] = [12, 120]"), "{again}");
    });
}

#[test]
fn an_entry_is_the_sum_over_its_paths() {
    deep(|| {
        let told =
            shown(&["x = [2, 3]", "a = x[0]*x[1]; b = a + x[0]^2; b.backward()", ":explain x[0]"]);
        assert!(told.contains("x₁ → x[0] → a → b"), "{told}");
        assert!(told.contains("1 × 3 × 1 × 1 = 3"), "{told}");
        assert!(told.contains("3 + 4 = 7 ✓ agrees with backward"), "{told}");
        let told = shown(&["x = [2, 3]", "y = relu(-x).sum(); y.backward()", ":explain x[1]"]);
        assert!(told.contains("gets 0"), "{told}");
        let told = shown(&[CARD, ":explain x[2]"]);
        assert!(
            told.starts_with("error  index 2 is out of bounds for dimension 0 with size 2"),
            "{told}"
        );
        // So many paths that nobody could add them one by one.
        let many = [
            "x = 1.",
            "y = x",
            "for k in range(40):\n    y = y*y/2 + y\n",
            "y.backward()",
            ":explain x",
        ];
        let told = shown(&many);
        assert!(told.contains("  and more than "), "{told}");
        let why = "  too many to add one by one; backward adds once at each step";
        assert!(told.contains(why), "{told}");
    });
}

/// The codes of the ways out that a text names.
fn ways(text: &str) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    let mut help = false;
    for line in text.lines() {
        help = line.starts_with("  help  ") || (help && line.starts_with("        "));
        let code = line.get(8..).unwrap_or("");
        if help && !code.starts_with("    ") && code.contains(['=', '(']) {
            let code = code.split("    ").next().unwrap_or("");
            // A long one goes on below, behind a statement.
            match codes.last_mut().filter(|last| last.ends_with(';')) {
                Some(last) => *last += &format!(" {code}"),
                None => codes.push(code.to_string()),
            }
        }
    }
    codes
}

/// Sessions that end in an error or a gradient that is None; what the answer says, and how many ways out.
const BROKEN: &[(&[&str], &str, usize)] = &[
    (
        &[
            "x = torch.tensor([1., 2.], requires_grad=True)",
            "s = x.sum().item()",
            "y = s*torch.tensor(2.)",
            "y.backward()",
        ],
        "the path x → s → y is cut here",
        2,
    ),
    (&["w = torch.tensor([3., 4.])", "y = (w**2).sum()", "y.backward()"], "requires a gradient", 2),
    (
        &[
            "x = torch.tensor([1., 2.], requires_grad=True)",
            "with torch.no_grad():\n    k = x**2\n",
            "k.sum().backward()",
        ],
        "the path x → k → k.sum() is cut here",
        2,
    ),
    (
        &["x = [1, 2]; w = 2; h = x^2", "y = (w*h.detach()).sum(); y.backward()", "x.grad"],
        "no gradient reached x: the path x → h → y is cut here",
        2,
    ),
    (
        &["x = [1, 2]; w = 2", "m = float(x[0])*w; m.backward()", "x.grad"],
        "the path x → m is cut here",
        2,
    ),
    (&["x = [1, 2]", "z = torch.tensor([x[0]*2, x[1]]).sum()", "z.backward()"], "is cut here", 1),
    (
        &[
            "x = torch.tensor([0., 1.], requires_grad=True)",
            "y = torch.exp(x)",
            "y.add_(1)",
            "y.sum().backward()",
        ],
        "modified in place here, now version 1",
        2,
    ),
    (
        &[
            "x = torch.tensor([0., 1.], requires_grad=True)",
            "y = torch.exp(x)",
            "y[0] = 5.",
            "y.sum().backward()",
        ],
        "torch.exp(x) saved its result for backward at version 0",
        2,
    ),
    (
        &[
            ":set strict on",
            "x = torch.tensor([1., 2.], requires_grad=True)",
            "y = (x**2).sum()",
            "y.backward()",
            "y.backward()",
        ],
        "x**2 saved x for one backward",
        2,
    ),
];

#[test]
fn why_names_the_place_and_every_way_out_runs() {
    deep(|| {
        for (inputs, says, count) in BROKEN {
            let told = shown(&[inputs, &[":why"][..]].concat());
            assert!(told.contains(says), "{inputs:?}\n{told}");
            let codes = ways(&told);
            assert_eq!(codes.len(), *count, "{codes:?}\n{told}");
            for code in codes {
                let after = shown(&[inputs, &[code.as_str()][..]].concat());
                assert!(
                    !after.starts_with("error") && !after.contains("\nerror"),
                    "{code}\n{after}"
                );
            }
        }
    });
}

#[test]
fn words_are_explained_with_examples_that_run() {
    deep(|| {
        for word in vjp::shell::help::words() {
            let text = vjp::shell::help::about(word.name).unwrap();
            // A command of the same name follows.
            let page = text.split("\n\n").next().unwrap();
            assert!((3..=12).contains(&page.lines().count()), "{text}");
            let ran = shown(&[word.example]);
            assert!(!ran.contains("error"), "{}: {ran}", word.name);
        }
        let overview = shown(&[":help"]);
        assert!(overview.lines().count() <= 24, "{overview}");
    });
}

#[test]
fn none_has_its_true_reason() {
    let mixed = [
        ("x = [1, 2]", "w = torch.tensor([1., 2.], requires_grad=True)", "y = (x*w).sum()"),
        ("x = 3", "w = torch.ones(2, requires_grad=True)", "f(a) = a*x; y = f(w).sum()"),
    ];
    deep(move || {
        for (x, w, y) in mixed {
            let told = shown(&[x, w, y, "y.backward()", "x.grad"]);
            assert!(told.contains("x is a constant here: w has requires_grad=True"), "{told}");
            // The line of help runs, and makes x a leaf as w is.
            let help = told.lines().find_map(|l| l.trim().strip_prefix("help  ")).unwrap();
            let code = help.split("    ").next().unwrap();
            let grad = shown(&[code, w, y, "y.backward()", "x.grad"]);
            assert!(grad.starts_with("[1, 2]") || grad.starts_with('2'), "{code}: {grad}");
        }
    });
}

#[test]
fn what_a_name_was_is_not_blamed_on_what_it_is() {
    deep(|| {
        let lost = ["x = 3; x += 1; y = x^2; y.backward(); x.grad", "x = [5, 5]"];
        let why = shown(&[&lost[..], &[":why"]].concat());
        assert!(why.contains("x += 1") && !why.contains("[5, 5]"), "{why}");
        assert!(why.contains("x was assigned again since then"), "{why}");
        let panel = shown(&[&lost[..], &[":v 1 0"]].concat());
        assert!(panel.contains("x was assigned again after y was computed"), "{panel}");
        let panel = shown(&["x = 3; y = x^2; y.backward()", "x = 4", ":v 2"]);
        assert!(panel.contains("x was assigned again after y was computed"), "{panel}");
        let panel = shown(&["x = 3; y = x^2; y.backward()", "x += 1", ":v 2"]);
        assert!(panel.contains("y was computed from the earlier x"), "{panel}");
        for asked in [":explain x[0]", ":explain x", ":explain y"] {
            let told = shown(&["x = [1]; y = x^2; x += 1; y.backward([1])", asked]);
            assert!(!told.contains("error") || asked == ":explain x", "{asked}: {told}");
        }
    });
}

/// A step without no_grad: what the error of the next one says, and that its line runs.
#[test]
fn a_step_that_makes_the_leaf_a_result_is_named() {
    let starts = ["x = 2", "x = [2, 3]", "x = torch.tensor([2., 3.], requires_grad=True)"];
    let steps = ["x = x - 0.1*x.grad", "x -= 0.1*x.grad"];
    deep(move || {
        for (start, step) in starts.iter().flat_map(|x| steps.map(|s| (x, s))) {
            let run = |step: &str| {
                let turn = format!("y = ((x-3)**2).sum(); y.backward(); {step}");
                shown(&[&format!("{start}\nfor i in range(3):\n    {turn}\n")])
            };
            let told = run(step);
            assert!(told.contains("error  "), "{told}");
            let instead = "with torch.no_grad(): x -= 0.1*x.grad";
            let says = format!("help  instead, write  {instead}");
            assert!(told.contains(&says), "{start}; {step}: {told}");
            assert!(!run(&format!("\n    {instead}")).contains("error"), "{start}");
        }
        let early = shown(&["x = 2", "x -= 0.1*x.grad"]);
        assert!(early.contains("no backward has run yet"), "{early}");
    });
}

/// What `:help plot` names is drawn.
#[test]
fn the_plots_of_the_help_are_drawn() {
    deep(|| {
        let help = shown(&[":help plot"]).split_whitespace().collect::<Vec<_>>().join(" ");
        let names = help.split_once("terminal: ").and_then(|(_, rest)| rest.split_once(", with "));
        let names: Vec<&str> = names.map(|(names, _)| names.split(", ").collect()).unwrap();
        assert!(names.len() > 5, "{help}");
        for name in names {
            let given = match name {
                "hist" => "[1, 2, 2]",
                "axhline" | "axvline" => "1",
                _ => "[1, 2], [1, 2]",
            };
            let plot = format!("plt.{name}({given}); plt.plot([0, 2], [0, 2]); plt.show()");
            let drawn = shown(&["import matplotlib.pyplot as plt", &plot]);
            let wrong = drawn.contains("note") || drawn.contains("error");
            assert!(drawn.contains(['│', '█']) && !wrong, "{plot}\n{drawn}");
        }
    });
}
