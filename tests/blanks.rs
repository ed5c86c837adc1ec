//! Blanks in session files: shown before the answer, marked as numbers, kept by `--bless`.

use crate::support::run;
use run::Test;
use serde_json::Value;

const SHEET: &str = "\
# Put a number in place of every ____.
vjp> :panel off
vjp> x = [1, 2]
x = [1, 2]                                                  leaf, shape [2]
vjp> y = 3*x^2
y = [3, 12]
vjp> y.backward([1, 10]); x.grad
[____, ____]
vjp> x.grad = None; z = (x*x).mean(); z.backward(); x.grad
z = 2.5
[____, ____]
";

/// The sheet with answers in place of its questions.
fn filled(answers: &[&str]) -> String {
    let mut sheet = SHEET.to_owned();
    for answer in answers {
        sheet = sheet.replacen("[____, ____]", answer, 1);
    }
    sheet
}

fn marked(answers: &[&str], status: i32) -> String {
    let ran = Test::new()
        .args(&["replay", "--check", "anna.vjp"])
        .file("anna.vjp", &filled(answers))
        .any_stdout()
        .status(status)
        .run();
    ran.stdout
}

#[test]
fn answers_are_compared_as_numbers() {
    let all = "✓ anna.vjp  2 of 2 right\n";
    assert_eq!(marked(&["[6, 120]", "[1, 2]"], 0), all);
    assert_eq!(marked(&["6.0 1.2e2", "tensor([1., 4/2])"], 0), all);
}

#[test]
fn infinity_answers_nothing_finite() {
    for given in ["[inf, inf]", "[6, ∞]", "[-inf, 1e309]", "[nan, 120]"] {
        let marks = marked(&[given, "[1, 2]"], 1);
        assert!(marks.contains("1 of 2 right"), "{given}: {marks}");
    }
    let infinite = Test::new()
        .args(&["replay", "--check", "a.vjp"])
        .file("a.vjp", "# ____\nvjp> 1/tensor(0.)\n1e9\n");
    infinite
        .stdout(" 1 of 1   ✗  1e9            1/tensor(0.) is inf\n✗ a.vjp  0 of 1 right\n")
        .status(1)
        .run();
}

#[test]
fn each_answer_has_the_name_of_its_own_line() {
    let sheet = "# Fill in.\nvjp> :panel off\nvjp> W = [[1, 2], [3, 4]]; x = [1, 1]; y = W@x; y.backward([1, 2]); W.grad; x.grad\ny = ____\n____\n____\n";
    let theirs = sheet.replacen("____", "three", 1).replacen("____", "[[1, 2], [1, 2]]", 1);
    let marks = |file: &str, status: i32| {
        Test::new()
            .args(&["replay", "--check", "--sheet", "sheet.vjp", "a.vjp"])
            .file("sheet.vjp", sheet)
            .file("a.vjp", file)
            .any_stdout()
            .status(status)
            .run()
            .stdout
    };
    let open = marks(sheet, 0);
    assert!(open.starts_with(" 1 of 1   open  y\n 1 of 1   open  W.grad\n"), "{open}");
    let wrong = marks(&theirs, 1);
    assert!(wrong.contains("✗  three          y is [3, 7]"), "{wrong}");
    assert!(wrong.contains("W.grad is [[1, 1], [2, 2]]"), "{wrong}");
}

#[test]
fn an_input_is_marked_by_the_numbers_that_follow_from_it() {
    let sheet = "# Fill in.\nvjp> :panel off\nvjp> x = [1, 2]; y = 3*x^2; y.backward([____, ____]); x.grad\ny = [3, 12]\n[6, 120]\nvjp> c = 3; c^2\nc = 3\n____\n";
    let marks = |weights: &str, status: i32| {
        let file = sheet.replacen("____, ____", weights, 1).replace("____", "9");
        Test::new()
            .args(&["replay", "--check", "--sheet", "sheet.vjp", "a.vjp"])
            .file("sheet.vjp", sheet)
            .file("a.vjp", &file)
            .any_stdout()
            .status(status)
            .run()
            .stdout
    };
    // The sheet's surplus line is no reader's mistake.
    assert!(marks("1, 10", 0).starts_with("✓"), "{}", marks("1, 10", 0));
    assert!(marks("1, 1", 1).contains("x.grad comes out as [6, 12], not [6, 120]"));
    let many = marks("1, 2, 3", 1);
    assert!(many.contains("it fails: "), "{many}");
    assert!(marks("a, b", 1).contains("write numbers in place of ____"));
}

#[test]
fn a_prompt_without_a_blank_is_told() {
    Test::new()
        .args(&["replay", "--check", "a.vjp"])
        .file("a.vjp", "vjp>x = 2\n")
        .stderr("error  a.vjp:1: the prompt has no blank after it\n  help  write the line as  vjp> x = 2\n")
        .any_stdout()
        .status(2)
        .run();
}

#[test]
fn a_wrong_answer_is_told_what_it_is_right_for() {
    assert_eq!(
        marked(&["[6, 12]", "[2, 4]"], 1),
        " 1 of 2   ✗  [6, 12]        x.grad is [6, 120]\n             \
         6 and 12 are the unweighted sum of the rows, v = [1, 1]\n \
         2 of 2   ✗  [2, 4]         x.grad is [1, 2]\n             \
         2 and 4 are what you get without the division; (x*x).mean() divides\n             by 2\n\
         ✗ anna.vjp  0 of 2 right, 1 of 4 points\n"
    );
}

#[test]
fn an_open_blank_is_no_difference() {
    assert_eq!(
        marked(&["[6, 120]"], 0),
        " 2 of 2   open  x.grad\n· anna.vjp  1 of 2 right, 1 open\n"
    );
    assert_eq!(
        marked(&["[6, ____]"], 0),
        " 1 of 2   open  x.grad\n 2 of 2   open  x.grad\n· anna.vjp  0 of 2 right, 1 of 4 points, 2 open\n"
    );
}

#[test]
fn bless_keeps_blanks_and_rewrites_the_rest() {
    let ran = Test::new()
        .args(&["replay", "--bless", "a.vjp"])
        .file("a.vjp", &SHEET.replace("z = 2.5", "z = 7"))
        .stdout("a.vjp  5 inputs, 1 output rewritten\n")
        .run();
    assert_eq!(ran.read("a.vjp"), SHEET);
    let ran = Test::new()
        .args(&["replay", "--bless", "a.vjp"])
        .file("a.vjp", "vjp> print('a', 1)\nb ____\n")
        .stdout(
            "a.vjp  1 input, unchanged\n\
             a.vjp  input 1: nothing in the new output fits its ____; the old output is kept\n",
        )
        .status(1)
        .run();
    assert_eq!(ran.read("a.vjp"), "vjp> print('a', 1)\nb ____\n");
}

#[test]
fn many_files_are_a_line_each() {
    let run = |args: &[&str]| {
        Test::new()
            .args(args)
            .file("anna.vjp", &filled(&["[6, 12]", "[1, 2]"]))
            .file("ben.vjp", SHEET)
            .file("cleo.vjp", "...> 1\nvjp> 1\n")
            .file("sheet.vjp", SHEET)
            .any_stdout()
            .status(1)
            .run()
            .stdout
    };
    let lines = "✗ anna.vjp  1 of 2 right, 3 of 4 points; wrong: 1\n· ben.vjp  0 of 2 right, 2 open\n\
                 ✗ cleo.vjp: line 1: `...>` without an input to continue\n";
    let files = ["anna.vjp", "ben.vjp", "cleo.vjp"];
    assert_eq!(run(&[&["replay", "--check"], &files[..]].concat()), lines);
    let by_sheet = [&["replay", "--check", "--sheet", "sheet.vjp"], &files[..]].concat();
    assert_eq!(run(&by_sheet), lines);
    let json = run(&[&["replay", "--check", "--json"], &files[..]].concat());
    let events: Vec<Value> = json.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(events.len(), 3);
    assert_eq!((&events[0]["right"], &events[0]["questions"]), (&1.into(), &2.into()));
    let answer = &events[0]["marks"][0]["answers"][0];
    assert_eq!(answer["mistake"], "ones-for-v");
    assert_eq!(events[1]["open"], 2);
    assert!(events[2]["error"].as_str().unwrap().contains("line 1"));
}

#[test]
fn a_sheet_runs_its_own_inputs() {
    // The question was changed to fit the answer.
    let cheat = filled(&["[6, 12]", "[1, 2]"]).replace("[1, 10]", "[1, 1]");
    let ran = Test::new()
        .args(&["replay", "--check", "--sheet", "sheet.vjp", "a.vjp"])
        .file("sheet.vjp", SHEET)
        .file("a.vjp", &cheat)
        .any_stdout()
        .status(1)
        .run();
    assert_eq!(
        ran.stdout,
        " 1 of 2   changed  x.grad\n             the question was changed or deleted\n\
         · a.vjp  1 of 2 right, 1 changed\n"
    );
    Test::new()
        .args(&["replay", "--check", "--sheet", "b.vjp", "a.vjp"])
        .file("b.vjp", "vjp> 1\n1\n")
        .file("a.vjp", SHEET)
        .stderr("error  the sheet has no ____ to fill in\n  help  write ____ for a number in one of its inputs or outputs\n")
        .status(2)
        .run();
}

#[test]
fn a_filled_sheet_without_a_word_of_blanks_is_marked_too() {
    let file = "vjp> :panel off\nvjp> x = [1, 2]\n\
                x = [1, 2]                                                  leaf, shape [2]\n\
                vjp> (3*x^2).backward([1, 10]); x.grad\n[6, 12]\nvjp> x.grad[1]\n240/2\n";
    Test::new()
        .args(&["replay", "--check", "a.vjp"])
        .file("a.vjp", file)
        .stdout(
            " 1 of 2   ✗  [6, 12]        x.grad is [6, 120]\n             \
             6 and 12 are the unweighted sum of the rows, v = [1, 1]\n\
             ✗ a.vjp  1 of 2 right, 2 of 3 points\n",
        )
        .status(1)
        .run();
}

#[test]
fn stepping_shows_the_blank_before_the_answer_and_then_the_panel() {
    let ran = Test::new()
        .args(&["replay", "--step", "a.vjp"])
        .file("a.vjp", SHEET)
        .stdin("\n\n\n\nq\n")
        .any_stdout()
        .run();
    let at = |text: &str| {
        let found = ran.stdout.find(text);
        found.unwrap_or_else(|| panic!("no {text} in\n{}", ran.stdout))
    };
    assert!(at("   [____, ____]") < at("   Enter reveal · b back"));
    assert!(at("   Enter reveal · b back") < at("\n[6, 120]"));
    assert!(at("\n[6, 120]") < at("  vᵀJ      [   6  120 ]"));
}

#[test]
fn an_answer_of_another_length_says_so() {
    assert_eq!(
        marked(&["[6]", "[5, 7]"], 1),
        " 1 of 2   ✗  [6]            x.grad is [6, 120]\n             \
         2 numbers expected; your answer has 1 number\n \
         2 of 2   ✗  [5, 7]         x.grad is [1, 2]\n\
         ✗ anna.vjp  0 of 2 right\n"
    );
}

#[test]
fn an_answer_may_be_worked_out_and_named_and_what_cannot_be_read_is_said() {
    let right = "✓ anna.vjp  2 of 2 right\n";
    assert_eq!(marked(&["[2*3, 12*10]", "x.grad = [1, 2]"], 0), right);
    assert_eq!(marked(&["[sqrt(36), 120]", "[e^0, 2/1]"], 0), right);
    assert_eq!(marked(&["2+4 10^2+20", "(3-2, 1 + 1)"], 0), right);
    let says = |answer: &str| {
        let all = marked(&[answer, "[1, 2]"], 1);

        all.lines().nth(1).unwrap().trim().to_owned()
    };
    assert_eq!(says("six, 3"), "2 numbers expected; vjp cannot read  six  as a number");
    assert_eq!(
        says("6 or 12 or 120"),
        "2 numbers expected; vjp cannot read  6 or 12 or 120  as a number"
    );
    assert_eq!(says("[6,5, 120,5]"), "a comma separates numbers; write [6.5, 120.5] with a point");
    assert_eq!(says("[6,5,3]"), "2 numbers expected; your answer has 3 numbers");
    assert_eq!(says("[2+30, 41, 1]"), "2 numbers expected; your answer has 3 numbers");
}

#[test]
fn more_digits_than_are_shown_are_right_and_a_note_is_not_asked_for() {
    let answers = |all: [&str; 3]| {
        format!(
            "vjp> :panel off\nvjp> x = 123.25; y = x^2*5; y.backward(); x.grad\n{}\nvjp> x = 12.5; y = x^3; \
             y.backward(); x.grad\n{}\nvjp> x = 2; x.grad\n{}\n",
            all[0], all[1], all[2]
        )
    };
    for (given, right) in [(["1232.5", "468.75", "None"], 3), (["2465/2", "468.8", "0"], 2)] {
        let status = i32::from(right < 3);
        let ran = Test::new()
            .args(&["replay", "--check", "--sheet", "sheet.vjp", "a.vjp"])
            .file("sheet.vjp", &answers(["____"; 3]))
            .file("a.vjp", &answers(given))
            .any_stdout()
            .status(status)
            .run();
        assert!(ran.stdout.contains(&format!("{right} of 3 right")), "{}", ran.stdout);
    }
}

#[test]
fn an_answer_or_an_input_that_is_gone_is_said() {
    let says = |file: &str| {
        let ran = Test::new()
            .args(&["replay", "--check", "--sheet", "sheet.vjp", "a.vjp"])
            .file("sheet.vjp", SHEET)
            .file("a.vjp", file)
            .any_stdout()
            .any_status()
            .run();
        ran.stdout.lines().nth(1).unwrap().trim().to_owned()
    };
    for gone in ["", "[,]", "[ , ]", "[]", "x.grad ="] {
        let file = filled(&[gone, "[1, 2]"]);
        assert_eq!(says(&file), "there is no answer");
        let alone = marked(&[gone, "[1, 2]"], 0);
        assert!(alone.ends_with("· anna.vjp  1 of 2 right, 1 open\n"), "{alone}");
    }
    let changed = filled(&["[6, 12]", "[1, 2]"]).replace("[1, 10]", "[1, 1]");
    assert_eq!(says(&changed), "the question was changed or deleted");
    let given = filled(&["[7, 121]", "[1, 2]"]).replace("x = [1, 2]", "x = [2, 1]");
    assert_eq!(says(&given), "your file changed or left out an input of the sheet:  x = [1, 2]");
    let spaced = filled(&["[6, 12]", "[1, 2]"]).replace("x^2", "x ^ 2");
    let ran = Test::new()
        .args(&["replay", "--check", "--sheet", "sheet.vjp", "a.vjp"])
        .file("sheet.vjp", SHEET)
        .file("a.vjp", &spaced)
        .any_stdout()
        .status(1)
        .run();
    assert!(ran.stdout.ends_with("✗ a.vjp  1 of 2 right, 3 of 4 points\n"), "{}", ran.stdout);
}

#[test]
fn a_diagnosis_is_true_of_the_numbers() {
    let says = |program: &str, answer: &str| {
        let sheet = format!("vjp> :panel off\nvjp> {program}\nvjp> x.grad\n____\n");
        let ran = Test::new()
            .args(&["replay", "--check", "--json", "--sheet", "s.vjp", "a.vjp"])
            .file("s.vjp", &sheet)
            .file("a.vjp", &sheet.replace("____", answer))
            .any_stdout()
            .status(1)
            .run();
        let event: Value = serde_json::from_str(&ran.stdout).unwrap();
        event["marks"][0]["answers"][0]["mistake"].as_str().unwrap_or("-").to_owned()
    };
    // One path leads to x; of a product of two elements one leads to each.
    assert_ne!(says("x = 3; w = 2; y = x*w; y.backward()", "0"), "path-forgotten");
    assert_ne!(says("x = [3, 2]; y = x[0]*x[1]; y.backward()", "[2, 0]"), "path-forgotten");
    assert_eq!(says("x = 3; y = x*x; y.backward()", "3"), "path-forgotten");
    // Rounding is no mistake of another kind.
    assert_eq!(
        says("x = [1, 2, 4]; y = log(x).sum()/3; y.backward()", "[0.33, 0.17, 0.083]"),
        "rounded"
    );
    assert_eq!(says("x = [3, 3]; y = log(x).sum(); y.backward()", "[0.33, 0.33]"), "rounded");
}

const ASKED: &str = "\
vjp> :panel off
vjp> x = [1, 2]; y = 3*x^2
y = [3, 12]
vjp> y.backward([____, ____]); x.grad
[6, 120]
vjp> x.grad[1]/12
10
vjp> v = ____
vjp> x.grad = None; (3*x^2).backward(v); x.grad
[12, ____]
";

/// The mark of the sheet with other inputs in place of its own.
fn asked(inputs: &[(&str, &str)], status: i32) -> String {
    let file = inputs.iter().fold(ASKED.to_owned(), |file, (a, b)| file.replace(a, b));
    let ran = Test::new()
        .args(&["replay", "--check", "--sheet", "s.vjp", "a.vjp"])
        .file("s.vjp", ASKED)
        .file("a.vjp", &file)
        .any_stdout()
        .status(status)
        .run();
    ran.stdout
}

const WEIGHTS: &str = "[____, ____]); x";

#[test]
fn a_blank_in_an_input_is_filled_in_and_run() {
    let right =
        [(WEIGHTS, "[1, 20/2]); x"), ("v = ____", "v = [2, 1]"), ("[12, ____]", "[12, 12]")];
    assert_eq!(asked(&right, 0), "✓ a.vjp  3 of 3 right\n");
    // Another v, and its own gradient.
    let other = [(WEIGHTS, "[1, 10]); x"), ("v = ____", "v=[2,10]"), ("[12, ____]", "[12, 120]")];
    assert_eq!(asked(&other, 0), "✓ a.vjp  3 of 3 right\n");
    let wrong = [(WEIGHTS, "[10, 1]); x"), ("v = ____", "v = [1, 10]"), ("[12, ____]", "[6, 120]")];
    assert_eq!(
        asked(&wrong, 1),
        " 1 of 3   ✗  y.backward([10, 1]); x.grad\n             \
         x.grad comes out as [60, 12], not [6, 120]\n \
         2 of 3   ✗  v = [1, 10]\n             \
         x.grad comes out as [6, 120], not [12, ____]\n\
         ✗ a.vjp  1 of 3 right\n"
    );
    // What fills a blank is a number.
    let named = [(WEIGHTS, "v); x"), ("v = ____", "v = [2, 1]"), ("[12, ____]", "[12, 12]")];
    assert_eq!(
        asked(&named, 1),
        " 1 of 3   changed  x.grad\n             the question was changed or deleted\n\
         · a.vjp  2 of 3 right, 1 changed\n"
    );
}

#[test]
fn an_input_that_is_not_filled_in_is_open_and_what_needs_it_waits() {
    let open = " 1 of 3   open  x.grad\n             not filled in\n \
                2 of 3   open  v\n             not filled in\n \
                3 of 3   open  x.grad\n             an input above is not filled in\n\
                · a.vjp  0 of 3 right, 3 open\n";
    let alone = |file: &str| {
        let ran = Test::new()
            .args(&["replay", "--check", "a.vjp"])
            .file("a.vjp", file)
            .any_stdout()
            .run();
        ran.stdout
    };
    assert_eq!(alone(ASKED), open);
    assert_eq!(asked(&[], 0), open);
    assert_eq!(asked(&[(WEIGHTS, "[1, ____]); x")], 0), open);
    let second = asked(&[(WEIGHTS, "[1, 10]); x")], 0);
    assert!(second.ends_with("· a.vjp  1 of 3 right, 2 open\n"), "{second}");
}

#[test]
fn bless_keeps_an_input_with_blanks_and_what_waits_for_it() {
    let stale = ASKED.replace("vjp> y.b", "vjp> 1 + 1\n3\nvjp> y.b");
    let ran =
        Test::new().args(&["replay", "--bless", "a.vjp"]).file("a.vjp", &stale).any_stdout().run();
    assert_eq!(ran.read("a.vjp"), stale.replace("\n3\n", "\n2\n"));
    let ran = Test::new().args(&["replay", "a.vjp"]).file("a.vjp", ASKED).any_stdout().run();
    assert!(ran.stdout.contains("x.grad\n[6, 120]\nvjp> x.grad[1]"), "{}", ran.stdout);
}

#[test]
fn stepping_shows_an_input_with_blanks_as_a_question_that_can_be_filled_in() {
    let shows = |keys: &str| {
        let ran = Test::new()
            .args(&["replay", "--step", "a.vjp"])
            .file("a.vjp", ASKED)
            .stdin(keys)
            .any_stdout()
            .run();
        ran.stdout
    };
    let skipped = shows("\n\nq\n");
    assert!(
        skipped.contains("x.grad▌\n   [6, 120]\n\n   Enter skip, : fill in · b back"),
        "{skipped}"
    );
    assert!(skipped.contains(" 3 of 5 ") && !skipped.contains("error"), "{skipped}");
    let filled = shows("\n: y.backward([1, 9]); x.grad\n\nb\nb\nq\n");
    assert!(filled.contains("\n[6, 108]\n") && filled.contains("\n9\n"), "{filled}");
    assert_eq!(filled.matches("Enter skip").count(), 3, "{filled}");
}

#[test]
fn a_panel_is_held_back_until_another_backward_whoever_makes_it() {
    let sheet = "vjp> :panel off\nvjp> x = 2; w = 3; y = x*w\nvjp> def go():\n...>     y.backward()\n...>\n\
                 vjp> go(); x.grad\n____\nvjp> w.grad\n____\nvjp> go(); x.grad\n____\n\
                 vjp> print('backward', w.grad)\n____\n";
    let ran = Test::new()
        .args(&["replay", "--step", "a.vjp"])
        .file("a.vjp", sheet)
        .stdin("\n".repeat(8))
        .any_stdout()
        .run();
    let panels: Vec<usize> = ran.stdout.match_indices("vᵀJ").map(|(at, _)| at).collect();
    let at = |text: &str| ran.stdout.find(text).unwrap();
    assert!(panels.iter().all(|p| *p > at(" 4 of 6 ")), "{}", ran.stdout);
    assert!(!panels.iter().any(|p| (at(" 5 of 6 ")..at(" 6 of 6 ")).contains(p)), "{}", ran.stdout);
    assert!(panels.iter().any(|p| *p < at(" 5 of 6 ")), "{}", ran.stdout);
}

#[test]
fn a_plain_program_is_answered_with_what_can_be_typed() {
    Test::new()
        .args(&["replay", "--check", "-"])
        .stdin("x = 1\n")
        .stderr(
            "error  standard input is a plain program: it has no outputs to compare\n  \
             help  vjp replay --bless FILE  turns a program in a file into a session file\n",
        )
        .status(2)
        .run();
}

/// A sheet written by hand shows some of what comes out: its lines are what an input is judged by.
#[test]
fn an_input_is_judged_by_the_lines_that_the_sheet_shows() {
    let told = "vjp> :panel off\nvjp> x = 3; y = x*____; y\n15\n";
    let noted = "vjp> y = [1, 2]*____\ny = [5, 10]\n";
    let part = "vjp> x = 4\nvjp> y = ____*x; y.backward(); x.grad\n5\n";
    let untold = "vjp> x = 2\nvjp> y = ____*x\n";
    for (sheet, number, says) in [
        (told, "5", "✓ a.vjp  1 of 1 right\n"),
        (told, "7", "y comes out as 21, not 15\n✗ a.vjp  0 of 1 right\n"),
        (noted, "5", "✓ a.vjp  1 of 1 right\n"),
        (noted, "7", "it comes out as: y = [7, 14]\n✗ a.vjp  0 of 1 right\n"),
        (part, "5", "✓ a.vjp  1 of 1 right\n"),
        (part, "7", "x.grad comes out as 7, not 5\n✗ a.vjp  0 of 1 right\n"),
        (
            untold,
            "7",
            "the sheet shows nothing that depends on it\n· a.vjp  0 of 1 right, 1 open\n",
        ),
    ] {
        let ran = Test::new()
            .args(&["replay", "--check", "--sheet", "s.vjp", "a.vjp"])
            .file("s.vjp", sheet)
            .file("a.vjp", &sheet.replace("____", number))
            .any_stdout()
            .status(i32::from(says.contains('✗')))
            .run();
        assert!(ran.stdout.ends_with(says), "{sheet}{}", ran.stdout);
    }
}

/// The sheet blessed, and what marking a copy of it says, the blanks filled in with `answers` in order.
pub(crate) fn blessed_and_marked(sheet: &str, answers: &[&str]) -> (String, String) {
    let blessed =
        Test::new().args(&["replay", "--bless", "s.vjp"]).file("s.vjp", sheet).any_stdout().run();
    let sheet = blessed.read("s.vjp");
    let fill = |file: String, answer: &&str| file.replacen("____", answer, 1);
    let file = answers.iter().fold(sheet.clone(), fill);
    let args = ["replay", "--check", "--sheet", "s.vjp", "a.vjp"];
    let test = Test::new().args(&args).file("s.vjp", &sheet).file("a.vjp", &file);
    (sheet, test.any_stdout().any_status().run().stdout)
}

#[test]
fn a_blank_stands_for_no_line_of_a_note() {
    let loops = "vjp> :panel off\nvjp> x = [1, 2]; y = x^2\nvjp> for v in [[1, 0], [0, 1]]:\n\
                 ...>     x.grad = None; y.backward(v); print(x.grad)\n...>\n____\n____\n";
    let (sheet, marks) = blessed_and_marked(loops, &["[2, 0]", "[0, 4]"]);
    assert_eq!(
        sheet.matches("\n____\n").count() + sheet.matches("____\n____").count(),
        2,
        "{sheet}"
    );
    assert!(!sheet.contains("tensor(") && sheet.contains("retain_graph=True"), "{sheet}");
    assert_eq!(marks, "✓ a.vjp  1 of 1 right\n");
}

#[test]
fn what_does_not_depend_on_a_blank_is_run_blessed_and_marked() {
    let sheet = "vjp> :panel off\nvjp> x = ____; y = x^2; y.backward(); x.grad\n6\nvjp> 2*x\n____\n\
                 vjp> w = 2; z = w^3; z.backward(); w.grad\nz = 7\n____\nvjp> q = 'a'; q.foo()\n";
    let (blessed, marks) = blessed_and_marked(sheet, &["3", "6", "12"]);
    assert!(blessed.contains("z = 8\n") && blessed.contains("no attribute 'foo'"), "{blessed}");
    assert_eq!(marks, "✓ a.vjp  3 of 3 right\n");
    let (_, marks) = blessed_and_marked(sheet, &["4", "8", "12"]);
    assert!(marks.starts_with(" 1 of 3   ✗") && marks.ends_with("2 of 3 right\n"), "{marks}");
    assert!(marks.contains("x.grad comes out as 8, not 6"), "{marks}");
    // An answer that depends on no blank is judged while others are open.
    let mut file = blessed.clone();
    file.replace_range(file.rfind("____").unwrap()..file.rfind("____").unwrap() + 4, "11");
    let args = ["replay", "--check", "--sheet", "s.vjp", "a.vjp"];
    let test = Test::new().args(&args).file("s.vjp", &blessed).file("a.vjp", &file);
    let marks = test.any_stdout().status(1).run().stdout;
    assert!(marks.contains("3 of 3   ✗  11"), "{marks}");
    let said = Test::new().args(&["replay", "--bless", "s.vjp"]).file("s.vjp", sheet);
    said.stdout(
        "s.vjp  5 inputs, 2 outputs rewritten\n\
         s.vjp  inputs 2 and 3 wait for a ____ in an input; their outputs are kept\n",
    )
    .run();
}

#[test]
fn the_number_itself_decides_and_remarks_do_not_count() {
    let ask = |program: &str, answer: &str| {
        let sheet = format!("vjp> :panel off\nvjp> :set digits 2\nvjp> {program}\n____\n");
        let (_, marks) = blessed_and_marked(&sheet, &[answer]);
        marks.ends_with("1 of 1 right\n")
    };
    let quarter = "x = 6.25; y = x^2; y.backward(); x.grad";
    assert!(ask(quarter, "12.5") && ask(quarter, "25/2") && !ask(quarter, "12"));
    let large = "x = 2100; y = x^2; y.backward(); x.grad";
    assert!(ask(large, "4,200") && ask(large, "4.2·10³") && !ask(large, "4200.4"));
    let half = "x = 2; y = x^3; y.backward(0.5); x.grad";
    for answer in [
        "6  # since y = 8",
        "6 (y = 8)",
        "6 ✓",
        "\n6",
        "6\nbecause 3x^2 = 12",
        "because 3x^2 = 12\n6",
        "# I think:\n6",
        "0.5*12 = 6",
    ] {
        assert!(ask(half, answer), "{answer}");
    }
    assert!(!ask(half, "12  # since y = 6") && !ask(half, "6 or 12"));
    let words = "x = 1; y = x^2; y.backward(); x.grad.dtype";
    assert!(ask(words, "torch.float64") && ask(words, "float64") && !ask(words, "float32"));
}

#[test]
fn an_open_blank_tells_no_answer() {
    let sheet =
        "vjp> :panel off\nvjp> x = 1; print('y =', 7*x.item(), 'slope', 5)\ny = ____ slope ____\n";
    let (_, marks) = blessed_and_marked(sheet, &[]);
    assert!(marks.contains("open") && !marks.contains('7'), "{marks}");
}

#[test]
fn a_panel_that_comes_late_stands_below_its_own_input() {
    let sheet = "vjp> :panel off\nvjp> a = 2; b = 5; y = a*b; y.backward(); a.grad\ny = 10\n____\n\
                 vjp> u = 3; q = u^2; q.backward(); u.grad\nq = 9\n____\nvjp> b.grad\n____\nvjp> 5*3\n____\n";
    let test = Test::new().args(&["replay", "--step", "a.vjp"]).file("a.vjp", sheet);
    let shown = test.stdin("\n".repeat(5)).any_stdout().run().stdout;
    let at = |text: &str, from: usize| from + shown[from..].find(text).unwrap();
    let third = at(" 3 of 4 ", 0);
    let late = at("vjp> a = 2; b = 5", third);
    assert!(!shown[..third].contains("1  y ") && shown[..third].contains("1  q "), "{shown}");
    assert!(late < at("1  y ", third) && at("1  y ", third) < at(" 4 of 4 ", third), "{shown}");
    assert!(!shown[at(" 4 of 4 ", 0)..].contains("grad"), "{shown}");
}

#[test]
fn a_students_file_spoils_neither_its_own_marks_nor_those_of_others() {
    let sheet = "vjp> :panel off\nvjp> n = 0\nvjp> for i in range(____):\n...>     n = n + 2\n...>\nvjp> n\n4\n";
    let marks = |file: &str, extra: &[&str], status: i32| {
        let args = [&["replay", "--check", "--sheet", "s.vjp", "a.vjp"], extra].concat();
        let test = Test::new().args(&args).file("s.vjp", sheet).file("a.vjp", file);
        test.any_stdout().status(status).run().stdout
    };
    let endless = marks(&sheet.replace("____", "1000000000000"), &["--time-limit", "0.5"], 1);
    let [first, body, why, _] = endless.lines().collect::<Vec<_>>()[..] else {
        panic!("{endless}")
    };
    assert_eq!(first, " 1 of 1   ✗  for i in range(1000000000000):");
    assert_eq!(
        (body.trim(), why.trim()),
        ("n = n + 2", "it did not end within the time limit and was stopped")
    );
    let remarked = format!("Kim\n{}# I think\nmy working: 2*2\n", sheet.replace("____", "2"));
    assert_eq!(marks(&remarked, &[], 0), "✓ a.vjp  1 of 1 right\n");
    let refused = Test::new().args(&["export", "--to", "jax", "s.vjp"]).file("s.vjp", sheet);
    refused
        .stderr("error  s.vjp, line 3: this input has a ____ that is not filled in\n  help  put a number in its place\n")
        .status(1)
        .run();
}

/// Numbers are drawn for ranges before such an input runs; what it shows stays as it is.
#[test]
fn bless_leaves_ranges_alone_and_writes_no_syntax_error() {
    let pattern = "vjp> :panel off\nvjp> x = {1..5}; v = {-3..3}^2\nx = 3\nvjp> A = {1..5}^(2,3); y = x^2\nvjp> \
                   y.backward([____{1..9}]); x.grad\n[6]\nvjp> x.grad\n____\nvjp> print('a')\nb\n";
    let bless = |file: &str, says: &str, status: i32| {
        let test = Test::new().args(&["replay", "--bless", "p.vjp"]).file("p.vjp", file);
        test.stdout(says).status(status).run().read("p.vjp")
    };
    let says = "p.vjp  6 inputs, 1 output rewritten\np.vjp  inputs 2, 3, 4 and 5 wait for a ____ or a range in an input; their\n       outputs are kept\n";
    assert_eq!(bless(pattern, says, 0), pattern.replace("\nb\n", "\na\n"));
    for wrong in ["x = {5..1}", "x = 3 4", "x = {..}"] {
        let file = format!("vjp> :panel off\nvjp> {wrong}\nvjp> 1 + 1\n____\n");
        let says = "p.vjp  3 inputs, unchanged\np.vjp  input 2 has a syntax error; the old output is kept\n";
        assert_eq!(bless(&file, says, 1), file);
    }
    let marked = Test::new().args(&["replay", "--check", "--sheet", "p.vjp", "p.vjp"]);
    marked
        .file("p.vjp", pattern)
        .stderr("error  p.vjp has ranges in its inputs: sheets are made from it\n  help  vjp sheet p.vjp -o OUT  makes one, with numbers\n")
        .status(2)
        .run();
    let shown = Test::new().args(&["replay", "p.vjp"]).file("p.vjp", pattern).any_stdout().run();
    assert!(!shown.stdout.contains("error") && shown.stdout.contains("x = 3"), "{}", shown.stdout);
    let refused = Test::new().args(&["export", "--to", "jax", "p.vjp"]).file("p.vjp", pattern);
    refused
        .stderr("error  p.vjp, line 2: this input has a range\n  help  vjp sheet FILE -o OUT  draws its numbers\n")
        .status(1)
        .run();
}
