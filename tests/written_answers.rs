//! Answers as people write them: formulas that are right for any equal expression, matrices, parts of an output.

use crate::blanks::blessed_and_marked;
use crate::support::run;
use run::Test;

const EQUATIONS: &str = "vjp> :panel off
vjp> X = torch.tensor([[1., 2.], [3., 4.], [0., 1.]]); t = torch.tensor([0, 2, 1]); W1 = [[1, 2], [3, 4]]; W2 = [[1, 0, 2], [2, 1, 0]]
vjp> h = tanh(X @ W1 / 10); z = h @ W2; loss = F.cross_entropy(z, t); loss.backward()
vjp> :equations
  z = ____
  ∂z       = ____
  ∂h       = ____
  W₁.grad = ____
";

#[test]
fn an_equation_is_right_for_any_equal_expression() {
    for answers in [
        ["h W₂", "⅓ (softmax(z) − onehot(t))", "∂z W₂ᵀ", "(1/10) Xᵀ (∂h ⊙ (1 − h²))"],
        [
            "h @ W2",
            "(softmax(z) - F.one_hot(t, 3)) / 3",
            "d_z @ W2.T",
            "0.1 X.T (∂h ⊙ (1−h) ⊙ (1+h))",
        ],
        [
            "tanh(X W1/10) W2",
            "softmax(h W2)/3 - onehot(t)/3",
            "(W2 ∂zᵀ)ᵀ",
            "X.T @ (d_h * (1 - h**2)) / 10  [2, 2] ✓",
        ],
    ] {
        let (sheet, marks) = blessed_and_marked(EQUATIONS, &answers);
        assert!(sheet.contains("  ∂h      = ____"), "{sheet}");
        assert_eq!(marks, "✓ a.vjp  1 of 1 right\n", "{answers:?}");
    }
    let wrong = ["W2 W2", "softmax(z) - onehot(t)", "-∂z W₂ᵀ", "X.T @ q"];
    let (_, marks) = blessed_and_marked(EQUATIONS, &wrong);
    for says in [
        "matrices of sizes 2×3 and 2×3 cannot be multiplied",
        "it is 3 times what it should be",
        "correct except for the sign",
        "vjp cannot read the formula from  q  on",
        "✗ a.vjp  0 of 1 right",
    ] {
        assert!(marks.contains(says), "no {says} in\n{marks}");
    }
    let own = ["h W₂", "∂z + 0", "∂h", "(1/10) Xᵀ (∂h ⊙ (1 − h²))"];
    let (_, marks) = blessed_and_marked(EQUATIONS, &own);
    assert_eq!(marks.matches("the answer contains what is asked for").count(), 2, "{marks}");
    let (_, marks) = blessed_and_marked(EQUATIONS, &["h", "z + W2", "∂z", "(h"]);
    for says in [
        "it has the shape [3, 2], not [3, 3]",
        "it cannot be evaluated: The size of tensor a (3) must match the",
        "vjp cannot read  (h  as a formula",
    ] {
        assert!(marks.contains(says), "no {says} in\n{marks}");
    }
    // Equal at x = 2 alone.
    let square =
        "vjp> :panel off\nvjp> x = 2; y = x^2; y.backward()\nvjp> :equations\n  x.grad = ____\n";
    let (_, marks) = blessed_and_marked(square, &["x^2"]);
    assert!(marks.contains("it is equal at these numbers alone, not at others"), "{marks}");
    let (_, marks) = blessed_and_marked(square, &["x + x"]);
    assert_eq!(marks, "✓ a.vjp  1 of 1 right\n");
}

#[test]
fn equations_with_numbers_and_in_code_are_questions_too() {
    let numbers = "vjp> :panel off\nvjp> x = [1, 2]; w = [3, 4]; y = (w*x).sum(); y.backward()\n\
                   vjp> :equations numbers\n  w.grad = ____\n";
    let (sheet, marks) = blessed_and_marked(numbers, &["1*x"]);
    let below = sheet.lines().skip_while(|line| !line.contains("w.grad")).nth(1).map(str::trim);
    assert_eq!(below, Some("[1, 2]"), "{sheet}");
    assert_eq!(marks, "✓ a.vjp  1 of 1 right\n");
    let asked = sheet.replace("  [1, 2]\n", "  [____, 2]\n");
    let (kept, marks) = blessed_and_marked(&asked, &["x", "1"]);
    assert_eq!(kept, asked);
    assert_eq!(marks, "✓ a.vjp  1 of 1 right\n");
    let code = "vjp> :panel off\nvjp> x = [1, 2]; y = (x^3).sum(); y.backward()\n\
                vjp> :equations code\ngrad = {}\ngrad[\"x\"] = ____\n";
    let (sheet, marks) = blessed_and_marked(code, &["3 * x * x"]);
    assert!(sheet.ends_with("grad[\"x\"] = ____\n"), "{sheet}");
    assert_eq!(marks, "✓ a.vjp  1 of 1 right\n");
}

const DRAWN: &str = "vjp> :panel off
vjp> x = [1, 2]
vjp> y = 3*x^2; y.backward([1, 10])
vjp> :graph

  ● x    [1, 2] ─ ×____ ───▶ ○ x^2   [1, ____] ─ ×3 ───▶ ◎ y = 3*x^2  [3, 12]
    ∂  [____, 120]              ∂    [3, 30]             ∂          [1, 10]

  ● leaf  ○ step  ◎ result   ∂: the gradient of vᵀy
  ×: a step's slope, 1 where none stands
";

#[test]
fn values_gradients_and_slopes_of_a_graph_are_questions() {
    for slope in ["2x", "2*x", "x + x"] {
        let (sheet, marks) = blessed_and_marked(DRAWN, &[slope, "4", "6"]);
        assert_eq!(sheet.matches("____").count(), 3, "{sheet}");
        assert_eq!(marks, "✓ a.vjp  1 of 1 right\n", "{slope}");
    }
    let (_, marks) = blessed_and_marked(DRAWN, &["3x", "5", "7"]);
    for says in ["the slope from x is 2x", "x^2 is [1, 4]", "the gradient of x is [6, 120]"] {
        assert!(marks.contains(says), "no {says} in\n{marks}");
    }
    // Without the legend, or one line of it, nothing else changes.
    for lines in [7, 9] {
        let part = DRAWN.lines().take(lines).collect::<Vec<_>>().join("\n") + "\n";
        assert_eq!(marks_of(&part, &["2x", "4", "6"]), "✓ a.vjp  1 of 1 right\n", "{lines}");
        let marks = marks_of(&part, &["3x", "5", "7"]);
        for says in ["the slope from x is 2x", "x^2 is [1, 4]", "the gradient of x is [6, 120]"] {
            assert!(marks.contains(says), "no {says} in\n{marks}");
        }
    }
    // Right slopes do not make up for what cannot be read.
    for (value, gradient) in [("banana", "7"), ("banana", "6"), ("4", "seven")] {
        let (_, marks) = blessed_and_marked(DRAWN, &["2x", value, gradient]);
        assert!(marks.contains("✗ a.vjp  0 of 1 right"), "{value} {gradient}\n{marks}");
    }
}

const STEPPED: &str = "vjp> :panel off
vjp> x = 3; u = x^2; y = 6*u; y.backward()
vjp> :step
vjp> 1 + 1
____
";

#[test]
fn a_slope_of_a_step_is_right_for_any_equal_expression() {
    let whole = blessed_and_marked(STEPPED, &[]).0;
    let asked = whole
        .replace("∂u/∂x = 2x = 6   x gets 6×6 = 36", "∂u/∂x = ____ = ____   x gets 6×6 = ____");
    assert_ne!(asked, whole);
    for slope in ["2x", "2*x", "x + x"] {
        let (_, marks) = blessed_and_marked(&asked, &[slope, "6", "36", "2"]);
        assert_eq!(marks, "✓ a.vjp  2 of 2 right\n", "{slope}");
    }
    let (_, marks) = blessed_and_marked(&asked, &["3x", "6", "36", "2"]);
    assert!(marks.contains("the slope ∂u/∂x is 2x"), "{marks}");
    let (_, marks) = blessed_and_marked(&asked, &["2x", "six", "36", "2"]);
    assert!(marks.contains("✗ a.vjp"), "{marks}");
}

#[test]
fn a_blank_alone_stands_for_all_equations() {
    let asked = "vjp> :panel off\nvjp> x = 3; y = x^2; y.backward()\nvjp> :equations\n____\n";
    assert!(blessed_and_marked(asked, &[]).0.ends_with("vjp> :equations\n____\n"));
}

const SWEPT: &str = "vjp> :panel off\nvjp> a = 2.; b = -3.; c = 10.\nvjp> e = a*b; d = e + c; L = d^2\ne = -6\nd = 4\nL = 16\nvjp> \
                     L.backward()\nvjp> :step\n";

/// A right answer is right whether or not the sheet holds all that is shown around it.
#[test]
fn a_sheet_may_show_a_part_of_the_steps() {
    for (part, right, wrong) in [
        ("   ∂L/∂d = ____\n", &["8", "2d", "2*d", "2d = 8", "2*4"][..], &["7", "3d", "2d = 7"][..]),
        (" step 1 of 4   back through L = d^2\n   ∂L/∂d = ____\n", &["8", "d + d"], &["4"]),
        ("   ∂L/∂d = 2d = ____   d gets 1×8 = 8\n", &["8"], &["7"]),
        ("   ∂e/∂a = ____ = -3   a gets 8×(-3) = -24\n", &["b"], &["a"]),
        ("   ∂e/∂a = ____   a gets ____\n", &["b", "-3"], &["3"]),
        ("   e receives ____\n", &["8"], &["-8"]),
        ("   so far: d has 8\n   a.grad = ____\n", &["-24"], &["24"]),
    ] {
        let sheet = format!("{SWEPT}{part}");
        let rest = if part.contains("a gets ____") { "-24" } else { "" };
        for (answers, holds) in [(right, true), (wrong, false)] {
            for answer in answers {
                let marks = marks_of(&sheet, &[answer, rest]);
                assert_eq!(marks.ends_with("1 of 1 right\n"), holds, "{part}{answer}: {marks}");
            }
        }
        let blessed = blessed_and_marked(&sheet, &[right[0], rest]);
        assert_eq!(blessed.1, "✓ a.vjp  1 of 1 right\n", "{}", blessed.0);
    }
    let marks = marks_of(&format!("{SWEPT}   ∂e/∂a = b = -3   a gets ____\n"), &["24"]);
    assert!(marks.contains("what a gets is 8×(-3) = -24"), "{marks}");
}

#[test]
fn a_gradient_is_no_answer_yet() {
    let (_, marks) =
        blessed_and_marked(EQUATIONS, &["X.grad", "2 z.grad", "h.grad + ∂z", "W1.grad"]);
    for name in ["X", "z", "h", "W1"] {
        let says = format!("{name}.grad is not a formula yet: write what it equals");
        assert!(marks.contains(&says), "{marks}");
    }
    let number = "vjp> :panel off\nvjp> x = 3; b = 2; y = b*x; y.backward(); x.grad\n____\nvjp> :formula\n  ∂y/∂b = ____\n  ∂y/∂x = ____\n";
    let marks = marks_of(number, &["b.grad", "b.grad", "2*x.grad"]);
    for says in [
        "1 number expected; b.grad is not a number yet: write its value",
        "b.grad is not a formula yet",
        "x.grad is not a formula yet",
    ] {
        assert!(marks.contains(says), "{marks}");
    }
    assert!(!marks.contains("NoneType"), "{marks}");
}

#[test]
fn a_transposed_equation_is_told() {
    for (answer, says) in [
        ("(Xᵀ (∂h ⊙ (1 − h²)))ᵀ/10", "the transpose of the correct answer"),
        ("-(1/10) Xᵀ (∂h ⊙ (1 − h²))", "correct except for the sign"),
    ] {
        let answers = ["h W₂", "⅓ (softmax(z) − onehot(t))", "(∂z W₂ᵀ)ᵀ", answer];
        let (_, marks) = blessed_and_marked(EQUATIONS, &answers);
        assert!(marks.contains(says), "{marks}");
        assert_eq!(marks.matches('✗').count(), 3, "{marks}");
    }
}

/// What marking says of a sheet with `answers` in its blanks, in order.
fn marks_of(sheet: &str, answers: &[&str]) -> String {
    let file = answers.iter().fold(sheet.to_owned(), |file, one| file.replacen("____", one, 1));
    let args = ["replay", "--check", "--sheet", "s.vjp", "a.vjp"];
    let test = Test::new().args(&args).file("s.vjp", sheet).file("a.vjp", &file);
    test.any_stdout().any_status().run().stdout
}

const MATRIX: &str =
    "vjp> :panel off\nvjp> x = [1, 2, 3]; y = [x[0]*x[1], x[1]^2]\ny = [2, 4]\nvjp> ";

#[test]
fn a_matrix_is_right_however_its_rows_are_written() {
    for asks in ["jacobian(y, x)", "print(jacobian(y, x))", "jacobian(y, x).tolist()"] {
        let sheet = format!("{MATRIX}{asks}\n____\n");
        for (answer, right) in [
            ("[[2, 1, 0], [0, 4, 0]]", true),
            ("[[2, 1, 0],\n [0, 4, 0]]", true),
            ("2 1 0\n0 4 0", true),
            ("[2 1 0]\n[0 4 0]", true),
            ("  ⎡ 2  1  · ⎤\n  ⎣ ·  4  · ⎦", true),
            ("tensor([[2., 1., 0.],\n        [0., 4., 0.]])", true),
            ("[[2, 1, 0], [0, 3, 0]]", false),
            ("2 1 0\n0 5 0", false),
            ("[[2, 0], [1, 4], [0, 0]]", false),
        ] {
            let marks = marks_of(&sheet, &[answer]);
            assert_eq!(marks.ends_with("1 of 1 right\n"), right, "{asks} {answer}: {marks}");
        }
        let marks = marks_of(&sheet, &["2 0\n1 4\n0 0"]);
        assert!(marks.contains("are the transpose of the correct answer"), "{asks}: {marks}");
    }
}

#[test]
fn a_blank_may_stand_in_a_drawn_matrix_of_any_age() {
    let drawn = "hessian(y, x)\n        ∂²y/∂x²       in symbols\n          x₁  x₂            x₁      x₂\n    \
                 x₁  ⎡ 16  ____ ⎤    ⎡   2x₂³  6x₁x₂² ⎤\n    x₂  ⎣ ____  12 ⎦    ⎣ 6x₁x₂²  6x₁²x₂ ⎦\n";
    let old = "hessian(y, x)\n  ∂²y/∂x²\n      x₁  x₂\n  x₁  [ 16  ____ ]\n  x₂  [ ____ 12 ]\n";
    let printed = "print(hessian(y, x))\ntensor([[16., ____],\n        [____, 12.]])\n";
    for asks in [drawn, old, printed] {
        let sheet =
            format!("vjp> :panel off\nvjp> x = [1, 2]; y = x[0]^2*x[1]^3\ny = 8\nvjp> {asks}");
        assert_eq!(marks_of(&sheet, &["24", "48/2"]), "✓ a.vjp  1 of 1 right\n", "{asks}");
        let marks = marks_of(&sheet, &["24", "25"]);
        // What the sheet shows is worth no point.
        assert!(marks.ends_with("✗ a.vjp  0 of 1 right, 1 of 2 points\n"), "{marks}");
        assert!(marks.contains("hessian(y, x) is "), "{marks}");
        assert_eq!(marks_of(&sheet, &[]).lines().last(), Some("· a.vjp  0 of 1 right, 1 open"));
    }
}

#[test]
fn a_formula_may_use_what_the_session_computed_and_name_entries_as_the_panel_does() {
    let sheet = "vjp> :panel off\nvjp> x = 0.5; t = [0.3, 2]\nvjp> h = tanh(x)\nvjp> y = h^2; y.backward()\nvjp> :formula\n  ∂y/∂x = ____\n\
                 vjp> s = sigmoid(t); s.sum().backward()\nvjp> :formula\n  ∂(s.sum())/∂t₁ = ____\nvjp> t.grad[0]\n____\n\
                 vjp> x = [2, 5]; w = sin(x[0]); w.backward()\nvjp> :equations\n  x.grad = ____\n";
    let right = ["2h(1-h^2)", "s₁(1 - s[0])", "0.2445", "[cos(x₁), 0]"];
    assert_eq!(marks_of(sheet, &right), "✓ a.vjp  4 of 4 right\n");
    let right = ["2*h*(1-h**2)", "s[0]*(1-s_1)", "0.2445", "[cos(x1), 0]"];
    assert_eq!(marks_of(sheet, &right), "✓ a.vjp  4 of 4 right\n");
    let marks = marks_of(sheet, &["2h(1-h)", "s₂(1 - s₂)", "s*(1-s)", "[cos(x₂), 0]"]);
    assert!(marks.contains("vjp cannot read  s*(1-s)  as a number"), "{marks}");
    assert!(marks.ends_with("✗ a.vjp  0 of 4 right\n"), "{marks}");
}

/// A matrix shows its smaller numbers with few digits.
#[test]
fn what_the_program_prints_is_right() {
    let sheet = "vjp> :panel off\nvjp> A = [[1, 2], [3, 4]]; u = [4, 1]; z = sum(tanh(A @ u / 10)); z.backward()\nvjp> A.grad\n____\n";
    for (answer, right) in [
        ("[[0.2846, 0.0712], [0.0602, 0.0151]]", true),
        ("[[0.285, 0.071], [0.0602, 0.0151]]", false),
        ("[[0.2846, 0.0712], [0.0602, 0.0152]]", false),
    ] {
        let marks = marks_of(sheet, &[answer]);
        assert_eq!(marks.ends_with("1 of 1 right\n"), right, "{marks}");
    }
}

#[test]
fn a_printed_blank_asks_for_nothing() {
    let session =
        "vjp> s = 'fill in ____'\ns = 'fill in ____'\nvjp> print(s, 'here')\nfill in ____ here\n";
    let check = |text: &str| {
        let test = Test::new().args(&["replay", "--check", "a.vjp"]).file("a.vjp", text);
        test.any_stdout().any_status().run().stdout
    };
    assert_eq!(check(session), "✓ a.vjp  2 of 2 unchanged\n");
    let altered = check(&session.replace("____ here", "____ there"));
    assert!(altered.ends_with("✗ a.vjp  1 of 2 unchanged\n"), "{altered}");
    let sheet = format!("vjp> :panel off\n{session}vjp> 1 + 1\n____\n");
    let file = sheet.replace("1 + 1\n____", "1 + 1\n2");
    let args = ["replay", "--check", "--sheet", "s.vjp", "a.vjp"];
    let marks = Test::new().args(&args).file("s.vjp", &sheet).file("a.vjp", &file).any_stdout();
    assert_eq!(marks.run().stdout, "✓ a.vjp  1 of 1 right\n");
}

/// Where numbers stand in a line: digits with nothing of a name or a formula at either side.
fn numbers_in(line: &str) -> Vec<std::ops::Range<usize>> {
    let part = |c: char| c.is_alphanumeric() || "._".contains(c) || ('₀'..='₉').contains(&c);
    let mut all = Vec::new();
    let mut start = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (part(c), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let word = &line[from..at];
                let behind = !line[at..].starts_with(['*', '^', '/']);
                let before = !line[..from].ends_with(['^', '/', '-']);
                if word.parse::<f64>().is_ok() && behind && before {
                    all.push(from..at);
                }
                start = None;
            }
            _ => {}
        }
    }
    all
}

/// Whatever number of an output a sheet asks for, with all that stands around it, with its line alone or with
/// what stands before it: that number is right, and another is not.
#[test]
fn a_right_answer_is_right_wherever_its_blank_stands() {
    const HEAD: &str = "vjp> :panel off\nvjp> x = [3, 2]; w = 4.; u = w*x; y = (u*x).sum()/10; z = 5*y^2; z.backward()\n";
    const ASKED: &[&str] = &[
        ":explain",
        ":explain x[1]",
        ":explain w",
        ":check",
        ":graph",
        "x",
        "print('a is', 3, 'and more')",
        "print('loss: %.1f%%' % 12.5)",
        "x.grad, w.grad",
        "{'a': 3, 'b': 4}",
        "w.grad_fn is None, 3",
        "hessian(z, x)",
    ];
    let inputs: String = ASKED.iter().map(|input| format!("vjp> {input}\n")).collect();
    let shown = Test::new()
        .args(&["replay", "p.vjp"])
        .file("p.vjp", &format!("{HEAD}{inputs}"))
        .any_stdout()
        .run();
    let mut cases: Vec<[String; 3]> = Vec::new();
    for input in ASKED {
        let output = shown.stdout.split(&format!("vjp> {input}\n")).nth(1).unwrap();
        let output = output.split("vjp> ").next().unwrap().trim_end();
        let lines: Vec<&str> = output.lines().collect();
        for (k, line) in lines.iter().enumerate() {
            let all = numbers_in(line);
            let first = all.first().filter(|_| all.len() > 1);
            for at in first.into_iter().chain(all.last()) {
                let (before, after) = (&line[..at.start], &line[at.end..]);
                let depth =
                    |open, close| before.matches(open).count() > before.matches(close).count();
                let inside = depth('[', ']') || before.contains(['⎡', '⎢', '⎣']);
                let ends = numbers_in(after).is_empty() && !inside && !before.trim().is_empty();
                let written = |how: usize, number: &str| match how {
                    0 => {
                        let mut all: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
                        all[k] = format!("{before}{number}{after}");
                        all.join("\n")
                    }
                    1 => format!("{before}{number}{after}"),
                    _ => format!("{before}{number}"),
                };
                let right = &line[at.clone()];
                let wrong = (right.parse::<f64>().unwrap() + 7.0).to_string();
                for how in 0..if ends { 3 } else { 2 } {
                    let file =
                        |number: &str| format!("{HEAD}vjp> {input}\n{}\n", written(how, number));
                    cases.push([file("____"), file(right), file(&wrong)]);
                }
            }
        }
    }
    let kept = tempfile::tempdir().unwrap();
    let folder = kept.path();
    for (k, files) in cases.iter().enumerate() {
        for (name, text) in ["sheets", "right", "wrong"].iter().zip(files) {
            std::fs::create_dir_all(folder.join(name)).unwrap();
            std::fs::write(folder.join(format!("{name}/c{k}.vjp")), text).unwrap();
        }
    }
    let grades = |name: &str| -> Vec<String> {
        let mut test = Test::new().args(&["replay", "--check", "--csv", "--sheet"]);
        test = test.args(&[folder.join("sheets").to_str().unwrap()]);
        for k in 0..cases.len() {
            test = test.args(&[folder.join(format!("{name}/c{k}.vjp")).to_str().unwrap()]);
        }
        let ran = test.any_stdout().any_stderr().any_status().run();
        ran.stdout.lines().skip(1).map(str::to_owned).collect()
    };
    let (right, wrong) = (grades("right"), grades("wrong"));
    let mut bad = String::new();
    for (k, (right, wrong)) in right.iter().zip(&wrong).enumerate() {
        if !right.contains(",right") || !wrong.contains(",wrong") {
            bad += &format!("{right}  {wrong}\n{}\n", cases[k][0]);
        }
    }
    assert!(cases.len() > 200 && right.len() == cases.len(), "{} cases", cases.len());
    assert!(bad.is_empty(), "{bad}");
}
