//! Errors: the first line, the place, a way out, and nothing changed by what failed.

use crate::support::run;
use run::Test;
use vjp::eval::language::machine::{Machine, Manner, Options};
use vjp::eval::record::event::Help;
use vjp::session::transcript::Transcript;
use vjp::syntax::{Mode, parse};
use vjp::text::source::Source;

/// An input that fails: what runs before, the input, what PyTorch or Python says, the text
/// under which the carets stand, and a word of the explanation or of the way out.
struct Case {
    before: &'static str,
    input: &'static str,
    says: &'static str,
    under: &'static str,
    helps: &'static str,
}

const XY: &str = "x = [1, 2]\ny = 3*x^2";

const SHAPES: &str = "a = torch.ones(2, 3); b = torch.ones(2, 2); W = torch.ones(4, 5)";

const CASES: &[Case] = &[
    Case {
        before: XY,
        input: "y.backward()",
        says: "grad can be implicitly created only for scalar outputs",
        under: "y.backward()",
        helps: "y.backward([1, 1])",
    },
    Case {
        before: XY,
        input: "y.backward([1, 10, 100])",
        says: "Mismatch in shape: grad_output[0] has a shape of torch.Size([3]) and output[0] has a shape of torch.Size([2]).",
        under: "[1, 10, 100]",
        helps: "y.backward([1, 10])",
    },
    Case {
        before: SHAPES,
        input: "torch.cat([a, b], 0)",
        says: "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 2 for tensor number 1 in the list.",
        under: "torch.cat",
        helps: "b has shape [2, 2]",
    },
    Case {
        before: SHAPES,
        input: "F.linear(a, W)",
        says: "mm: mat1 and mat2 shapes cannot be multiplied (2x3 and 5x4)",
        under: "F.linear",
        helps: "W has shape [4, 5]",
    },
    Case {
        before: SHAPES,
        input: "s = a.view(4, 2)",
        says: "shape '[4, 2]' is invalid for input of size 6",
        under: ".view",
        helps: "a has shape [2, 3]",
    },
    Case {
        before: SHAPES,
        input: "torch.einsum('ij,jk->ik', a, b)",
        says: "einsum(): subscript j has size 2 for operand 1 which does not broadcast with previously seen size 3",
        under: "torch.einsum",
        helps: "a has shape [2, 3]",
    },
    Case {
        before: "xs = [1]",
        input: "xs.appnd(3)",
        says: "'list' object has no attribute 'appnd'",
        under: "xs.appnd",
        helps: "xs.append(3)",
    },
    Case {
        before: "",
        input: "torch.ones(2, requires_gard=True)",
        says: "ones() got an unexpected keyword argument 'requires_gard'",
        under: "torch.ones(2, requires_gard=True)",
        helps: "torch.ones(2, requires_grad=True)",
    },
    Case {
        before: "a = 1",
        input: "b = a + nowhere",
        says: "name 'nowhere' is not defined",
        under: "nowhere",
        helps: "",
    },
    Case {
        before: "velocity = 1",
        input: "velocty + 1",
        says: "name 'velocty' is not defined",
        under: "velocty",
        helps: "velocity",
    },
    Case {
        before: "A = [[1, 2, 3], [4, 5, 6]]\nB = [[1, 2], [3, 4]]",
        input: "A @ B",
        says: "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x2)",
        under: "@",
        helps: "",
    },
    Case { before: "a = 1", input: "a = a / 0", says: "division by zero", under: "", helps: "" },
    Case {
        before: "t = torch.tensor([1., 2.])",
        input: "t[5]",
        says: "index 5 is out of bounds for dimension 0 with size 2",
        under: "",
        helps: "",
    },
    Case {
        before: "l = [1, 'a']",
        input: "l[2]",
        says: "list index out of range",
        under: "",
        helps: "",
    },
    Case {
        before: "t = torch.tensor([1., 2.])",
        input: "t.sum().backward()",
        says: "element 0 of tensors does not require grad and does not have a grad_fn",
        under: "t.sum().backward()",
        helps: "",
    },
    Case {
        before: "w = torch.tensor([1., 2.], requires_grad=True)",
        input: "w -= 1",
        says: "a leaf Variable that requires grad is being used in an in-place operation.",
        under: "",
        helps: "no_grad",
    },
    Case {
        before: "a = [1, 2]",
        input: "raise ValueError('mine')",
        says: "mine",
        under: "raise ValueError('mine')",
        helps: "",
    },
    Case {
        before: "a = 1",
        input: "a = 2; a.append(3)",
        says: "has no attribute 'append'",
        under: "",
        helps: "",
    },
    Case { before: "a = 1", input: "x = (1,", says: "", under: "", helps: "" },
    Case {
        before: "a = 1",
        input: "import nunpy",
        says: "No module named 'nunpy'",
        under: "",
        helps: "",
    },
];

fn outcome(case: &Case) -> run::Ran {
    let vars = "print('<')\n:vars\nprint('>')\n";
    Test::new()
        .stdin(format!("{}\n{vars}{}\n{vars}", case.before, case.input))
        .any_stdout()
        .any_stderr()
        .status(1)
        .run()
}

#[test]
fn each_error_says_what_where_and_how_to_go_on() {
    for case in CASES {
        let error = outcome(case).stderr;
        let first = error.lines().next().unwrap_or("");
        assert!(
            first.starts_with("error  ") && first.contains(case.says),
            "{}\n{error}",
            case.input
        );
        assert!(error.contains(case.helps), "{:?} is not in\n{error}", case.helps);
        if case.under.is_empty() {
            continue;
        }
        let mut lines = error.lines().skip_while(|l| !l.ends_with(case.input));
        let (code, carets) = (lines.next().unwrap_or(""), lines.next().unwrap_or(""));
        let at = carets.find('^').map(|at| carets[..at].chars().count());
        let found = at.map(|at| code.chars().skip(at).collect::<String>());
        assert!(
            found.as_ref().is_some_and(|f| f.starts_with(case.under)),
            "the carets are not under {:?}:\n{error}",
            case.under
        );
    }
}

#[test]
fn a_failed_statement_changes_nothing() {
    for case in CASES.iter().filter(|c| !c.input.contains(';') && !c.says.is_empty()) {
        let output = outcome(case).stdout;
        let dumps: Vec<&str> =
            output.split("<\n").skip(1).map(|part| part.split(">\n").next().unwrap()).collect();
        assert_eq!(dumps.len(), 2, "{output}");
        assert_eq!(dumps[0], dumps[1], "{}", case.input);
    }
}

#[test]
fn what_stood_before_it_on_the_line_stays() {
    Test::new()
        .stdin("a = 1; b = 2; 1/0\nprint(a, b)\n")
        .any_stderr()
        .stdout("1 2\n")
        .status(1)
        .run();
}

#[test]
fn except_catches_the_very_text() {
    Test::new()
        .args(&["run", "-"])
        .stdin(
            "x = torch.tensor([1., 2.], requires_grad=True)\ny = x * 2\ntry:\n    y.backward()\n\
             except RuntimeError as e:\n    print(e)\n",
        )
        .stdout("grad can be implicitly created only for scalar outputs\n")
        .run();
}

#[test]
fn a_gradient_is_not_counted_twice_by_an_error() {
    let ran = Test::new()
        .stdin("x = [1, 2]; y = 3*x^2\ny.backward([1, 10])\nfor i in [1]:\n    y.backward([1, 1])\n    1/0\nprint(x.grad)\n")
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    assert!(ran.stdout.ends_with("tensor([  6., 120.])\n"), "{}", ran.stdout);
}

#[test]
fn what_is_echoed_holds_after_the_statement() {
    let ran = Test::new()
        .stdin("l = []; [l.append(1), 1/0]\ns = 0\nfor i in [1]:\n    s += 1; 1/0\n\n")
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    assert!(ran.stdout.contains("l = []\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("s = 1"), "{}", ran.stdout);
}

/// A session at the prompt after some inputs.
fn session(before: &str) -> Machine {
    let mut machine = vjp::tutor::machine(Options::default());
    machine.keep_history(true);
    machine.run(&Source::new(before), Manner::Program, &mut |_| {}).unwrap();
    machine
}

/// What the error of an input offers.
fn help(before: &str, input: &str) -> Vec<Help> {
    let fault = session(before).run(&Source::new(input), Manner::Line, &mut |_| {}).err();
    fault.map_or(Vec::new(), |fault| fault.help)
}

/// Lines that the errors of these inputs offer and that do not run in their place.
fn broken<'a>(before: &str, inputs: impl Iterator<Item = &'a str>) -> String {
    let mut all = String::new();
    for input in inputs {
        for line in help(before, input).into_iter().map(|help| help.code) {
            // The header of a block is the beginning of a program.
            let source = Source::new(line.as_str());
            let run = match line.ends_with(':') {
                true => parse(&source, Mode::default())
                    .map(|_| ())
                    .or_else(|fault| fault.incomplete.then_some(()).ok_or(fault.message)),
                false => {
                    let mut failed = session(before);
                    let _ = failed.run(&Source::new(input), Manner::Line, &mut |_| {});
                    failed.run(&source, Manner::Program, &mut |_| {}).map_err(|f| f.message)
                }
            };
            if let Err(fault) = run {
                all += &format!("{input}: {line}: {fault}\n");
            }
        }
    }
    all
}

const BEFORE_HABITS: &str = "x = [1, 2]; y = 3*x^2; n = 3; W1 = [[1, 2], [3, 4]]";

/// What an input's error offers: lines to type and sentences.
fn offered(input: &str) -> Vec<String> {
    help(BEFORE_HABITS, input).into_iter().flat_map(|help| [help.code, help.says]).collect()
}

#[test]
fn every_line_that_is_offered_for_a_habit_runs() {
    let cases = include_str!("data/habits.txt").lines();
    let inputs = cases.filter(|l| !l.starts_with('#')).filter_map(|l| l.rsplit_once(" => "));
    let broken = broken(BEFORE_HABITS, inputs.map(|(input, _)| input.trim()));
    assert!(broken.is_empty(), "{broken}");
}

#[test]
fn mathematics_as_on_a_board_is_answered_with_a_line_that_runs_and_means_it() {
    let (before, cases) = include_str!("data/board.txt").split_once("\n\n").unwrap();
    let before = before.lines().filter(|l| !l.starts_with('#')).collect::<Vec<_>>().join("\n");
    let cases: Vec<_> = cases.lines().filter_map(|l| l.rsplit_once(" => ")).collect();
    let broken = broken(&before, cases.iter().map(|(input, _)| input.trim()));
    let mut wrong = String::new();
    for (input, means) in &cases {
        let offered: Vec<_> = help(&before, input.trim()).into_iter().map(|h| h.code).collect();
        if offered.join("  or  ") != means.trim() {
            wrong += &format!("{}: {offered:?}, not {means}\n", input.trim());
        }
    }
    assert!(cases.len() > 150 && broken.is_empty() && wrong.is_empty(), "{broken}{wrong}");
}

#[test]
fn a_line_whose_letters_have_no_values_is_offered_behind_values() {
    let cases = include_str!("data/begun.txt").lines().filter_map(|l| l.rsplit_once(" => "));
    let cases: Vec<_> = cases.map(|(input, offer)| (input.trim(), offer.trim())).collect();
    let broken = broken("", cases.iter().map(|(input, _)| *input));
    let mut wrong = String::new();
    for (input, offer) in cases {
        let offered: Vec<_> = help("", input).into_iter().map(|h| h.code).collect();
        let offered = offered.iter().filter(|code| !code.is_empty()).cloned().collect::<Vec<_>>();
        if offered != if offer == "-" { vec![] } else { vec![offer.to_owned()] } {
            wrong += &format!("{input}: {offered:?}, not {offer}\n");
        }
    }
    assert!(broken.is_empty() && wrong.is_empty(), "{broken}{wrong}");
}

#[test]
fn what_people_write_by_habit_is_answered_with_what_is_written_here() {
    let cases = include_str!("data/habits.txt").lines();
    let mut wrong = String::new();
    for line in cases.filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (input, helps) = line.rsplit_once(" => ").unwrap();
        let (input, helps) = (input.trim(), helps.trim());
        let offered = offered(input);
        let right = match helps {
            "-" => offered.is_empty(),
            helps => offered.iter().any(|text| text.contains(helps)),
        };
        if !right {
            wrong += &format!("{input}: {offered:?}, not {helps}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Inputs, and what the last of them shows.
const TOLD: &[(&str, i32, &str)] = &[
    ("b = [5, 8]; (1 - tanh(b)^2).sum().backward()\n:why b", 0, "b.grad = [-3.6e-04, -9.0e-07]"),
    ("x = 3; y = x^2\nx = 4; y.backward()", 0, "x (earlier).grad=vᵀJ"),
    ("x = 3; y = x^2\nx = 3; y.backward()", 0, "x was assigned again after y was computed"),
    ("x = 3; y = x^2\nx = 4; y.backward()\nx.grad", 0, "this x was assigned after y was computed"),
    ("x = [2, 3]; y = x^2\nx = [2, 3]; y.sum().backward()", 0, "was computed from the earlier x"),
    ("x = [1, 2]; z = (x > 1).float().sum(); z.backward()", 1, "a comparison gives True or False"),
    ("x = [1, 2]; z = (x^2).sum().item()\nz.backward()", 1, "a plain number, with no record"),
    ("x = 1,5", 0, "1,5 is a pair; a decimal number is 1.5"),
    ("x = {1, 2}", 0, "{1, 2} is a set, which has no order; a vector is [1, 2]"),
];

#[test]
fn what_happened_is_told_in_the_words_of_the_echo_and_of_the_text() {
    for (inputs, status, shows) in TOLD {
        let args = inputs.lines().flat_map(|line| ["-e", line]).collect::<Vec<_>>();
        let ran = Test::new().args(&args).any_stdout().any_stderr().status(*status).run();
        assert!(
            (ran.stdout.clone() + &ran.stderr).contains(shows),
            "{inputs}: {}{}",
            ran.stdout,
            ran.stderr
        );
    }
}

/// The sessions of tests/data/sentences go on after each error; a line that it offers must run in its place.
#[test]
fn every_line_that_a_page_of_sentences_offers_runs() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sentences");
    let pages = std::fs::read_dir(folder).unwrap().map(|page| page.unwrap().path());
    let pages = pages.filter(|page| page.extension().is_some_and(|e| e == "vjp"));
    let (mut count, mut broken) = (0, String::new());
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        let mut machine = session("");
        for step in Transcript::parse(&text).unwrap().steps {
            let input = step.text();
            match input.trim() {
                ":reset" => machine = session(""),
                ":set strict on" => machine.set_strict(true),
                ":set strict off" => machine.set_strict(false),
                command if command.starts_with(':') => {}
                program => {
                    let block = program.contains('\n');
                    let manner = if block { Manner::Block } else { Manner::Line };
                    let fault = machine.run(&Source::new(input.as_str()), manner, &mut |_| {});
                    let help = fault.err().map_or(Vec::new(), |fault| fault.help);
                    let lines = help.into_iter().map(|help| help.code);
                    for line in lines.filter(|l| !l.is_empty() && !l.ends_with(':')) {
                        count += 1;
                        let source = Source::new(line.as_str());
                        let run = machine.tried(|m, _| m.run(&source, Manner::Line, &mut |_| {}));
                        if let Err(fault) = run {
                            broken += &format!("{program}: {line}: {}\n", fault.message);
                        }
                    }
                }
            }
        }
    }
    assert!(count > 100 && broken.is_empty(), "{count} lines\n{broken}");
}
