//! A class with its sheets: numbers of their own for each student, marks as a table, hints, points, formulas.

use crate::support::run;
use run::{Ran, Test};
use std::fs;
use std::path::Path;

const PATTERN: &str = "\
# Find the gradient
vjp> :panel off

vjp> x = {1..5}^2; y = (x^2).sum(); y.backward(); x.grad
____

# Right of 0 alone:
vjp> a = {-3..3}; u = relu(a); z = u^2; z.backward(); a.grad
____

vjp> A = {1..5}^(2,3); w = {-3..3}³; q = A @ w; q.backward([1, {2..9}]); w.grad
____

vjp> t = [1, 2]; s = 3*t^2; s.backward([____{1..9}, ____{1..9}]); t.grad
s = [3, 12]
[6, 120]

vjp> c = {2..5}; d = c^2*sin(c); d.backward()
vjp> :formula
  ∂d/∂c = ____
";

const NAMES: &str = "Anna Schmidt\n\nO'Hara, Jo\n../Ben\nanna schmidt\n";

const FILES: [&str; 4] = ["anna-schmidt", "o-hara-jo", "ben", "anna-schmidt-2"];

fn class(pattern: &str, seed: &str) -> Ran {
    let line = ["sheet", "p.vjp", "--seed", seed, "--students", "names.txt", "--solutions"];
    Test::new()
        .args(&line)
        .args(&["-o", "class"])
        .file("p.vjp", pattern)
        .file("names.txt", NAMES)
        .stdout("class  4 sheets, each with its solutions\n")
        .run()
}

fn text(ran: &Ran, name: &str) -> String {
    ran.read(&format!("class/{name}"))
}

/// Marks files that lie in a folder of their own.
fn marks(folder: &Path, args: &[&str], status: i32) -> String {
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_vjp"))
        .args(["replay", "--check"])
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stdout).unwrap() + &String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(status), "{said}");
    said
}

#[test]
fn each_student_gets_numbers_of_their_own_and_the_same_ones_again() {
    let (first, again, other) = (class(PATTERN, "7"), class(PATTERN, "7"), class(PATTERN, "8"));
    let folder = first.path("");
    let folder = folder.as_path();
    for name in FILES {
        let (open, solved) =
            (text(&first, &format!("{name}.vjp")), text(&first, &format!("{name}.solutions.vjp")));
        assert!(!open.contains('{') && open.matches("____").count() == 6, "{open}");
        assert!(!solved.contains("____"), "{solved}");
        assert_eq!(open, text(&again, &format!("{name}.vjp")));
        assert_ne!(open, text(&other, &format!("{name}.vjp")));
    }
    assert!(text(&first, "o-hara-jo.vjp").starts_with("# O'Hara, Jo\n#\n# Find the gradient\n"));
    assert_ne!(
        text(&first, "anna-schmidt.vjp").split_once('\n').unwrap().1,
        text(&first, "anna-schmidt-2.vjp").split_once('\n').unwrap().1
    );
    let solved: Vec<String> = FILES.iter().map(|n| format!("class/{n}.solutions.vjp")).collect();
    let solved: Vec<&str> = solved.iter().map(String::as_str).collect();
    assert!(marks(folder, &solved, 0).lines().all(|line| line.starts_with('✓')));
    // By the sheets that were handed out, found by their names.
    for name in FILES {
        fs::write(
            folder.join(format!("{name}.vjp")),
            text(&first, &format!("{name}.solutions.vjp")),
        )
        .unwrap();
        let said = marks(folder, &["--sheet", "class", &format!("{name}.vjp")], 0);
        assert_eq!(said, format!("✓ {name}.vjp  5 of 5 right\n"));
        let open = marks(folder, &["--sheet", "class", &format!("class/{name}.vjp")], 0);
        assert!(open.ends_with("0 of 5 right, 5 open\n"), "{open}");
    }
}

#[test]
fn every_sheet_can_be_solved_and_none_is_harder() {
    // A third of the numbers would fail, have a kink, or be 0 or no whole number.
    let pattern = "vjp> :panel off\nvjp> a = {-2..2}; b = {-1..3}; y = relu(a)*6/b; y.backward(); a.grad\n____\nvjp> 1/int(b - 3)\n";
    let names: String = (0..40).map(|k| format!("student {k}\n")).collect();
    let ran = Test::new()
        .args(&["sheet", "p.vjp", "--students", "n.txt", "--solutions", "-o", "class"])
        .file("p.vjp", pattern)
        .file("n.txt", &names)
        .stdout("class  40 sheets, each with its solutions\n")
        .run();
    for k in 0..40 {
        let solved = text(&ran, &format!("student-{k}.solutions.vjp"));
        let line = solved.lines().find(|line| line.contains("a = ")).unwrap();
        assert!(!line.contains("a = 0;") && !line.contains("b = 0;") && !line.contains("b = 3;"));
        let answer: f64 = solved.lines().rev().nth(2).unwrap().parse().unwrap();
        assert!(answer != 0.0 && answer.is_finite(), "{solved}");
        assert!(!solved.contains("error"), "{solved}");
    }
}

#[test]
fn what_no_numbers_can_meet_is_told() {
    for (input, why) in [
        ("x = {0..0}; y = 1/tensor(float(x)); y", "a number is infinite or NaN"),
        ("x = {1..3}; [1, 2][x + 5]", "list index out of range"),
        ("x = {0..0}; y = relu(x); y.backward(); x.grad", "y has a kink there"),
        ("x = {0..1}^14; y = x^2; y.backward(x); x.grad", "an answer is 0"),
        ("x = {1..2}^14; y = x/2; y", "its answers are easier or harder than usual"),
        ("print({1..5}, 'a')", "nothing in its output fits its ____"),
    ] {
        let answer = if why.contains("fits") { "x is ____" } else { "____" };
        let ran = Test::new()
            .args(&["sheet", "p.vjp"])
            .file("p.vjp", &format!("vjp> :panel off\nvjp> {input}\n{answer}\n"))
            .any_stderr()
            .status(1)
            .run();
        let says = format!(
            "error  p.vjp, line 2: no numbers were found for  {input}  in 400 tries: {why}\n  help  change a range in that input or above it, or its ____\n"
        );
        assert_eq!(ran.stderr, says);
    }
}

const SHEET: &str = "\
vjp> :panel off
vjp> x = [1, 2, 3]; y = x^2; y.backward([1, 10, 100]); x.grad
y = [1, 4, 9]
____
vjp> z = x^3; z.sum()
z = [1, 8, 27]
____
vjp> x.grad = None; y.backward([____, ____, 1]); x.grad
[4, 12, 6]
";

fn filled(answers: [&str; 3]) -> String {
    let [first, second, input] = answers;
    let sheet = SHEET.replacen("____, ____", input, 1).replacen("____", first, 1);
    sheet.replacen("____", second, 1)
}

#[test]
fn a_table_has_a_line_for_each_sheet_and_a_cell_for_each_blank() {
    let files = [
        ("a, \"b\".vjp", filled(["[2, 40, 600]", "36", "2, 3"])),
        ("b.vjp", filled(["[2, 40, 7]", "____", "1, 1"])),
        ("c.vjp", filled(["[2, 4, 6]", "36", "____, ____"])),
    ];
    let mut test = Test::new().file("sheet.vjp", SHEET);
    for (name, text) in &files {
        test = test.file(name, text);
    }
    let names = files.each_ref().map(|(name, _)| *name);
    test.args(&["replay", "--check", "--csv", "--sheet", "sheet.vjp"])
        .args(&names)
        .args(&["d.vjp"])
        .stdout(
            "file,right,of,points,of points,1.1,1.2,1.3,2,3,diagnosis\n\
             \"a, \"\"b\"\".vjp\",3,3,5,5,right,right,right,right,right,\n\
             b.vjp,0,3,2,5,right,right,wrong,open,wrong,\"3: x.grad comes out as [2, 4, 6], not [4, 12, 6]\"\n\
             c.vjp,1,3,2,5,right,wrong,wrong,right,open,\"1: 2, 4 and 6 are the unweighted sum of the rows, v = [1, 1, 1]\"\n\
             d.vjp,,,,,,,,,,there is no file d.vjp\n",
        )
        .status(1)
        .run();
}

#[test]
fn each_number_of_an_answer_counts() {
    let said = Test::new()
        .args(&["replay", "--check", "--sheet", "sheet.vjp", "b.vjp", "c.vjp"])
        .file("sheet.vjp", SHEET)
        .file("b.vjp", &filled(["[2, 40, 7]", "36", "2, 3"]))
        .file("c.vjp", &filled(["[1, 2, 7]", "36", "2, 3"]));
    said.stdout(
        "✗ b.vjp  2 of 3 right, 4 of 5 points; wrong: 1\n✗ c.vjp  2 of 3 right; wrong: 1\n",
    )
    .status(1)
    .run();
}

#[test]
fn a_hint_has_the_mistake_and_not_the_answer() {
    let wrong = filled(["[2, 4, 6]", "35", "2, 4"]);
    let hint = |args: &[&str]| {
        Test::new()
            .args(&["replay", "--check", "--hint", "--sheet", "sheet.vjp", "b.vjp"])
            .args(args)
            .file("sheet.vjp", SHEET)
            .file("b.vjp", &wrong)
            .any_stdout()
            .status(1)
            .run()
            .stdout
    };
    let said = hint(&[]);
    assert!(said.contains("2, 4 and 6 are the unweighted sum of the rows"), "{said}");
    for said in [said, hint(&["--json"])] {
        assert!(!said.contains("600") && !said.contains("36"), "{said}");
    }
    let changed = Test::new()
        .args(&["replay", "--check", "--hint", "a.vjp"])
        .file("a.vjp", "vjp> x = 2; f'{x}5'\n'24'\n")
        .any_stdout()
        .status(1)
        .run();
    let says = "a.vjp:1: input 1\n    vjp> x = 2; f'{x}5'\n    something else comes out than the file has\n";
    assert!(changed.stdout.starts_with(says) && !changed.stdout.contains("'25'"));
}

#[test]
fn any_numbers_that_give_what_the_sheet_shows_are_right() {
    let sheet = "vjp> :panel off\nvjp> x = ____; x^2\n9\nvjp> t = 2; s = stack([3*t, t]); s.backward([____, ____]); t.grad\n7\n";
    for (x, v, right) in [("3", "2, 1", 2), ("-3", "1, 4", 2), ("2", "0, 7", 1), ("-2", "1, 1", 0)]
    {
        let file = sheet.replacen("____, ____", v, 1).replacen("____", x, 1);
        for by in [&["--sheet", "sheet.vjp"][..], &[]] {
            let ran = Test::new()
                .args(&["replay", "--check", "a.vjp"])
                .args(by)
                .file("sheet.vjp", sheet)
                .file("a.vjp", &file)
                .any_stdout()
                .any_status()
                .run();
            let last = format!(" a.vjp  {right} of 2 right\n");
            assert!(ran.stdout.ends_with(&last), "{x} {v}: {}", ran.stdout);
        }
    }
}

#[test]
fn a_blank_alone_below_formula_is_for_its_formulas() {
    let sheet = "vjp> :panel off\nvjp> x = [1, 2]; y = 3*x^2; y.backward([1, 10])\ny = [3, 12]\nvjp> :formula\n____\n";
    for (given, right) in [
        ("6x₁\n6x₂", true),
        ("∂y₂/∂x₂ = 6*x[1]\n∂y₁/∂x₁ = 3*2*x[0]", true),
        ("6x₂\n6x₁", false),
        ("6x₁\n7x₂", false),
    ] {
        let sheets = [sheet.to_owned(), sheet.replace("____", "____\n____")];
        for sheet in sheets {
            Test::new()
                .args(&["replay", "--check", "--sheet", "sheet.vjp", "a.vjp"])
                .file("sheet.vjp", &sheet)
                .file("a.vjp", &sheet.replace("____\n____", "____").replace("____", given))
                .any_stdout()
                .status(i32::from(!right))
                .run();
        }
    }
}

/// What is drawn or told in several lines is no answer: it is left to the teacher, not marked wrong.
#[test]
fn a_blank_alone_below_another_command_is_not_marked() {
    for command in [":equations", ":graph", ":explain", ":v 2"] {
        let sheet = format!(
            "vjp> :panel off\nvjp> x = 2; y = 3*x^2; y.backward()\ny = 12\nvjp> {command}\n____\n"
        );
        let ran = Test::new()
            .args(&["replay", "--check", "--sheet", "sheet.vjp", "a.vjp"])
            .file("sheet.vjp", &sheet)
            .file("a.vjp", &sheet.replace("____", "12"))
            .any_stdout()
            .run();
        let says = format!("below {command} a ____ stands in place of a number");
        assert!(ran.stdout.contains(&says), "{command}: {}", ran.stdout);
    }
}

#[test]
fn any_equal_formula_is_right() {
    let sheet = "vjp> :panel off\nvjp> x = [1, 2]; w = 3; y = w*x[0]^2*x[1]; y.backward()\ny = 6\nvjp> :formula\n  ∂y/∂x₁ = ____\n  ∂y/∂x₂ = ____\n  ∂y/∂w = x₁²x₂\n";
    for (given, right) in [
        ("2*w*x[0]*x[1]", true),
        ("2wx₁x₂", true),
        ("w*((x_1 + x_2)^2 - x_1^2 - x_2^2)", true),
        ("2*w*x[0]", false),
        ("2*w*x[1]*x[1]", false),
        ("print(w)", false),
    ] {
        let file = sheet.replacen("____", given, 1).replacen("____", "w x₁²", 1);
        for by in [&["--sheet", "sheet.vjp"][..], &[]] {
            let ran = Test::new()
                .args(&["replay", "--check", "a.vjp"])
                .args(by)
                .file("sheet.vjp", sheet)
                .file("a.vjp", &file)
                .any_stdout()
                .status(i32::from(!right))
                .run();
            if given.contains("print") {
                let says = "vjp cannot read  print(w)  as a formula; write 2*x[0] or";
                assert!(ran.stdout.contains(says), "{}", ran.stdout);
            }
        }
    }
}

#[test]
fn names_that_systems_change_find_their_sheet_and_two_files_are_not_merged() {
    let students = "Émile Zola\nEmile Zola\nStraße, Max\n";
    let ran = Test::new()
        .args(&["sheet", "p.vjp", "--students", "n.txt", "--solutions", "-o", "class"])
        .file("p.vjp", "vjp> :panel off\nvjp> x = {1..9}; y = x^2; y.backward(); x.grad\n____\n")
        .file("n.txt", students)
        .stdout("class  3 sheets, each with its solutions\n")
        .run();
    let folder = ran.path("");
    // The accent as a sign of its own, as macOS stores names.
    for (sheet, handed_in) in [
        ("émile-zola", "E\u{301}mile Zola.vjp"),
        ("emile-zola", "EMILE_zola.vjp"),
        ("straße-max", "STRASSE max.vjp"),
        ("straße-max", "straße-max.vjp"),
        ("émile-zola", "nobody.vjp"),
    ] {
        let solved = ran.read(&format!("class/{sheet}.solutions.vjp"));
        fs::write(folder.join(handed_in), solved).unwrap();
    }
    let files = [
        "E\u{301}mile Zola.vjp",
        "EMILE_zola.vjp",
        "STRASSE max.vjp",
        "straße-max.vjp",
        "nobody.vjp",
    ];
    let said = marks(&folder, &[&["--csv", "--sheet", "class"], &files[..]].concat(), 1);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines,
        [
            "file,student,right,of,points,of points,1,diagnosis",
            "E\u{301}mile Zola.vjp,émile-zola,1,1,1,1,right,",
            "EMILE_zola.vjp,emile-zola,1,1,1,1,right,",
            "STRASSE max.vjp,straße-max,1,1,1,1,right,",
            "straße-max.vjp,,,,,,,it answers the same sheet as STRASSE max.vjp",
            "nobody.vjp,,,,,,,class has no sheet for nobody.vjp",
        ]
    );
}

/// What a sheet of a pattern says beside it, and the sheet.
fn drawn(pattern: &str) -> (String, String) {
    let ran = Test::new().args(&["sheet", "p.vjp"]).file("p.vjp", pattern);
    let ran = ran.any_stdout().any_stderr().any_status().run();
    (ran.stderr, ran.stdout)
}

/// An answer that stands above its blank, or beside it, is left out or told; what the inputs say is no secret.
#[test]
fn no_sheet_gives_an_answer_away() {
    const PANEL: &str = "line 1: the panel shows the answer to a ____, and is left out";
    for asked in [
        "x = {2..5}; y = x^3; y.backward()\nvjp> x.grad\n____",
        "x = {2..5}; y = x^3; y.backward()\nvjp> :formula\n∂y/∂x = ____",
        "x = {2..5}; y = x^3; y.backward()\nvjp> grad(y, x)\n____",
        "x = {2..5}^2; y = x^2; y.backward([1, {2..5}])\nvjp> x.grad[1]\n____",
        "x = {2..5}^2; y = x^2; y.backward([1, {2..5}])\nvjp> jacobian(y, x)\n____",
        "w = {2..5}; x = {6..9}; y = w*x; y.backward()\nvjp> w.grad\n____",
        "x = {2..5}^2; c = x.detach(); y = (c*x).sum(); y.backward()\nvjp> x.grad\n____",
    ] {
        let (notes, sheet) = drawn(&format!("vjp> {asked}\n"));
        assert!(notes.contains(PANEL) && notes.matches("note").count() == 1, "{asked}: {notes}");
        assert!(!sheet.contains("✓"), "{sheet}");
    }
    for (asked, note) in [
        ("w = {2..5}; y = w^2\nvjp> y\n____", "the output shows the answer to a ____\n"),
        (
            ":panel off\nvjp> w = {2..5}; y = w^2; y.backward()\nvjp> :graph\nvjp> w.grad\n____",
            "line 3: the output shows",
        ),
        // A student reads what stands below, too.
        (
            ":panel off\nvjp> w = {2..5}; y = w^2; y.backward()\nvjp> w.grad\n____\nvjp> :explain",
            "line 5: the output shows",
        ),
        (
            ":panel off\nvjp> x = {2..5}; y = (2*x)^2; y.backward()\nvjp> :explain x\nx.grad gets ____",
            "are left out",
        ),
        ("x = {2..5}^2; y = (x^2).sum(); y.backward()\n    1  y  [ ____ ____ ]", "are left out"),
        ("x = {2..5}; y = x^2; y.backward()\n  .grad=vᵀJ  [ ____ ] ✓", "are left out"),
        ("x = {2..5}^2; y = x^2; y.backward([1,3])\n  x.grad  [ ____ ____ ]", "are left out"),
    ] {
        let (notes, sheet) = drawn(&format!("vjp> {asked}\n"));
        assert!(notes.contains(note) && notes.matches("note").count() == 1, "{asked}: {notes}");
        assert!(!sheet.contains("agrees with"), "{sheet}");
    }
    for asked in [
        ":panel off\nvjp> w = {2..5}; x = w; y = 3*x; y.backward()\nvjp> w.grad\n____",
        "x = {2..5}^2; y = 2*x\nvjp> y.sum()\n____",
    ] {
        let (notes, _) = drawn(&format!("vjp> {asked}\n"));
        assert!(!notes.contains("note"), "{asked}: {notes}");
    }
}

#[test]
fn an_error_is_no_answer_of_a_sheet() {
    for (asked, says) in [
        (
            "w = {2..5}; w -= {1..2}\nvjp> x.grad\n____",
            "line 2: x.grad  fails: name 'x' is not defined",
        ),
        ("w = {2..5}\nvjp> zz", "line 2: zz  fails: name 'zz' is not defined"),
    ] {
        let (notes, sheet) = drawn(&format!("vjp> {asked}\n"));
        assert!(notes.contains(says) && sheet.is_empty(), "{asked}: {notes}{sheet}");
    }
    let (notes, sheet) = drawn("vjp> w = {2..5}\nvjp> zz\nerror  name 'zz' is not defined\n");
    assert!(notes.is_empty() && sheet.contains("error  name"), "{notes}{sheet}");
}

#[test]
fn a_given_line_that_a_teacher_wrote_by_hand_is_no_answer() {
    let sheet = "vjp> :panel off\nvjp> x = [1, 2]; y = x^2/3; y.backward([1, 10]); x.grad\ny = [0.333333, 1.33]\n[____, ____]\n";
    for (answer, says) in [
        ("[7]", "2 numbers expected; your answer has 1 number"),
        ("?", "2 numbers expected; vjp cannot read  ?  as a number"),
    ] {
        let ran = Test::new()
            .args(&["replay", "--check", "--sheet", "s.vjp", "a.vjp"])
            .file("s.vjp", sheet)
            .file("a.vjp", &sheet.replace("[____, ____]", answer))
            .any_stdout()
            .status(1)
            .run();
        assert!(ran.stdout.contains(says), "{}", ran.stdout);
        assert!(ran.stdout.ends_with("0 of 1 right\n"), "{}", ran.stdout);
    }
}
