//! The command line: each way in, both streams, the status.

use crate::support::run;
use run::Test;
use std::process::Stdio;

const CARD: &str = "x = [1, 2]; y = 3*x^2; y.backward([1, 10])";
const CARD_PANEL: &str = "\
y = [3, 12]

           J = ∂y/∂x       in symbols
    v         x₁   x₂         x₁   x₂
    1  y₁  ⎡   6    · ⎤    ⎡ 6x₁    · ⎤
   10  y₂  ⎣   ·   12 ⎦    ⎣   ·  6x₂ ⎦
           ────────────
  vᵀJ      [   6  120 ]    1×6,  10×12
  x.grad   [   6  120 ] ✓  the gradient of y₁ + 10y₂
";

#[test]
fn code_is_evaluated_as_if_typed() {
    Test::new().args(&["-e", CARD]).stdout(CARD_PANEL).run();
}

#[test]
fn inputs_that_follow_each_other_can_be_undone_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.vjp").display().to_string();
    let save = format!(":save {file}");
    let args = ["-e", "x = 2", "-e", "x = 3", "-e", ":undo", "-e", "print(x)", "-e", &save];
    let ran = Test::new().args(&args).any_stdout().run();
    assert!(ran.stdout.contains("undone  x = 3\nx = 2\n2\nsaved 4 inputs"), "{}", ran.stdout);
    assert!(std::fs::read_to_string(file).unwrap().contains("vjp> print(x)\n2\n"));
}

#[test]
fn a_pipe_is_the_prompt_without_a_prompt() {
    let lines = "x = [1, 2]\ny = 3*x^2; y.backward([1, 10])\n";
    let echo = "x = [1, 2]                                                  leaf, shape [2]\n";
    Test::new().stdin(lines).stdout(&format!("{echo}{CARD_PANEL}")).run();
}

#[test]
fn a_pipe_goes_on_after_an_error_and_ends_with_status_1() {
    let ran = Test::new()
        .stdin("print(1)\nnowhere\nprint(2)\n")
        .stdout("1\n2\n")
        .any_stderr()
        .status(1)
        .run();
    assert!(ran.stderr.contains("name 'nowhere' is not defined"), "{}", ran.stderr);
}

#[test]
fn a_block_on_a_pipe_ends_before_the_next_statement() {
    Test::new()
        .stdin("for i in range(2):\n    print(i)\n# between\nelse:\n    print('else')\nprint('after')\n")
        .stdout("0\n1\nelse\nafter\n")
        .run();
}

#[test]
fn run_prints_what_the_program_prints_and_panels() {
    let program = "x = [1, 2]\ny = 3*x^2\ny.backward([1, 10])\nprint(x.grad)\n";
    Test::new()
        .args(&["run", "-"])
        .stdin(program)
        .stdout(&format!("{CARD_PANEL}tensor([  6., 120.])\n"))
        .run();
    Test::new()
        .args(&["run", "--plain", "-"])
        .stdin(program)
        .stdout("tensor([  6., 120.])\n")
        .run();
}

/// The lines among `wanted`, in the order in which a program shows them.
fn in_order(program: &str, wanted: &[&str]) {
    let ran =
        Test::new().args(&["run", "a.py"]).file("a.py", program).any_stdout().any_stderr().run();
    let shown = ran.stdout.lines().filter_map(|l| wanted.iter().find(|w| l.starts_with(**w)));
    assert_eq!(shown.copied().collect::<Vec<_>>(), wanted, "{}", ran.stdout);
}

#[test]
fn panels_of_a_loop_come_before_what_later_statements_show() {
    let loops = "x = torch.tensor([1., 2.], requires_grad=True)\n\
                 for i in range(3):\n    y = (x*x).sum()\n    y.backward()\n    print('step', i)\n";
    in_order(
        &format!("{loops}print('after')\nz = x.sum()\nz.backward()\nprint('end')\n"),
        &["step 0", "step 1", "step 2", "y = 5", "     x.grad = before", "after", "z = 3", "end"],
    );
    // Another loop has its own; calls of one line are folded as long as nothing is shown between.
    let function = "x = torch.tensor([1., 2.], requires_grad=True)\ndef f(v):\n    y = x*x\n    y.backward(v)\n";
    let v = |n: usize| format!("f(torch.tensor([{n}., 0.]))\n");
    in_order(
        &format!("{function}{}{}print('two')\n{}print('three')\n", v(1), v(2), v(3)),
        &["y = [1, 4]", "    [1, 0]", "    [2, 0]", "two", "y = [1, 4]", "three"],
    );
    in_order(
        &format!(
            "{loops}for i in range(2):\n    z = (x*i).sum()\n    z.backward()\n    print('more', i)\n"
        ),
        &["step 0", "step 1", "step 2", "y = 5", "more 0", "more 1", "z = 0"],
    );
}

#[test]
fn a_call_for_its_effect_in_a_loop_shows_nothing_and_keeps_its_panels_together() {
    let loop_of = |last: &str| {
        format!("w = [1, 2]\nfor i in range(9):\n    (w*w).sum().backward()\n    {last}\n\n")
    };
    let shown = |last: &str| {
        let ran = Test::new().stdin(loop_of(last)).any_stdout().any_stderr().run();
        (ran.stdout.matches(" a scalar: v = 1").count(), ran.stdout.contains("9 calls"))
    };
    assert_eq!(shown("w.grad.zero_()"), (1, true));
    assert_eq!(shown("w.grad = None"), (1, true));
    // A value is asked for: it stands under its panel.
    assert_eq!(shown("w.grad"), (9, false));
}

#[test]
fn run_stops_at_the_first_error() {
    let ran = Test::new()
        .args(&["run", "a.py"])
        .file("a.py", "print(1)\n1/0\nprint(2)\n")
        .stdout("1\n")
        .any_stderr()
        .status(1)
        .run();
    assert!(
        ran.stderr.starts_with("error  ZeroDivisionError: division by zero\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_file_is_taken_for_what_it_is() {
    Test::new()
        .args(&["a.vjp", "b.py"])
        .file("a.vjp", "# one\nvjp> 1+2\nold\n")
        .file("b.py", "print(4)\n")
        .stdout("# one\nvjp> 1+2\n3\n4\n")
        .run();
}

#[test]
fn a_strict_program_warns_once() {
    Test::new()
        .args(&["run", "--plain", "--strict", "-"])
        .stdin("import warnings, torch\nfor i in range(2): warnings.warn('again')\ntorch.ones(1, 1, 1).T; torch.ones(3).T\n1/0\n")
        .stderr("<stdin>:2: UserWarning: again\n<stdin>:3: UserWarning: The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error in a future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.\nerror  ZeroDivisionError: division by zero\n  4 │ 1/0\n    │ ^^^\n")
        .status(1)
        .run();
}

#[test]
fn wrong_usage_is_status_2_and_says_what_is_right() {
    let wrong = |args: &[&str], text: &str| {
        Test::new().args(args).stderr(text).status(2).run();
    };
    wrong(&["--stric"], "error  there is no option --stric\n  help  did you mean --strict?\n");
    wrong(&["run"], "error  run needs a file\n  help  vjp run FILE, or - for standard input\n");
    wrong(
        &["--memory", "lots"],
        "error  lots is not a size\n  help  write 512MiB, 2GB or a number of bytes\n",
    );
    Test::new()
        .args(&["replay", "--check", "a.py"])
        .file("a.py", "print(1)\n")
        .stderr(
            "error  a.py is a plain program: it has no outputs to compare\n  help  vjp replay --bless a.py  \
             turns it into a session file\n",
        )
        .status(2)
        .run();
}

#[test]
fn a_missing_file_is_status_1() {
    Test::new()
        .args(&["run", "none.py"])
        .stderr("error  there is no file none.py\n")
        .status(1)
        .run();
}

#[test]
fn help_on_the_command_line_is_that_of_the_prompt_too() {
    for topic in ["relu", "step", "plot", "derivative", "jvp", ":step"] {
        let page = Test::new().args(&["-e", &format!(":help {topic}")]).any_stdout().run().stdout;
        Test::new().args(&["help", topic]).stdout(&page).run();
    }
}

#[test]
fn what_is_neither_a_command_nor_a_file_may_be_a_slip() {
    let wrong = |args: &[&str], status: i32, text: &str| {
        let test = Test::new().args(args).file("lesson.vjp", "vjp> 1\n1\n");
        test.stderr(text).status(status).run();
    };
    let list = "  help  vjp --help lists commands and options\n";
    wrong(&["help", "frob"], 2, &format!("error  there is no help on frob\n{list}"));
    wrong(
        &["help", "replya"],
        2,
        "error  there is no help on replya\n  help  did you mean vjp help replay?\n",
    );
    wrong(
        &["frobnicate"],
        2,
        "error  there is no command or file frobnicate\n  help  vjp --help lists the commands\n",
    );
    wrong(
        &["exprot"],
        2,
        "error  there is no command or file exprot\n  help  did you mean vjp export?\n",
    );
    wrong(
        &["replay", "leson.vjp"],
        1,
        "error  there is no file leson.vjp\n  help  did you mean lesson.vjp?\n",
    );
}

#[test]
fn a_dash_is_standard_input_wherever_a_file_is_read() {
    let session = "vjp> x = 2\nx = 2                                                       leaf\n";
    let read = |args: &[&str], stdout: &str| {
        Test::new().args(args).stdin(session).stdout(stdout).run();
    };
    read(&["replay", "-"], session);
    read(&["-"], session);
    read(&["replay", "--check", "-"], "✓ standard input  1 of 1 unchanged\n");
    let program = "# standard input as a PyTorch program.\nimport torch\n\n\
                   torch.set_default_dtype(torch.float64)\n\nx = 2\n";
    read(&["export", "--to", "torch", "-"], program);
    let refused = |flag: &str, problem: &str| {
        let help = "  help  vjp replay --check -  reads a session from standard input\n";
        let text = format!("error  {problem}\n{help}");
        Test::new().args(&["replay", flag, "-"]).stdin(session).stderr(&text).status(2).run();
    };
    refused("--bless", "--bless rewrites a file, not standard input");
    refused("--step", "--step reads keys from standard input; the session must be a file");
}

#[test]
fn export_replaces_only_what_it_wrote() {
    let test = Test::new().file("a.vjp", "vjp> x = 2\n").file("own.py", "import os\n");
    let folder = test.path("");
    let export = |args: &[&str], status: i32, stderr: &str| {
        let all = [&["export", "--to", "torch", "a.vjp", "-o"], args].concat();
        let next = Test::new().args(&all);
        let mut process = next.command();
        process.current_dir(&folder);
        next.status(status).stderr(stderr).run_as(process);
    };
    let refused = "error  own.py was not written by vjp export\n  \
                   help  --force replaces it and keeps the old file\n";
    export(&["own.py"], 1, refused);
    assert_eq!(std::fs::read_to_string(test.path("own.py")).unwrap(), "import os\n");
    export(&["own.py", "--force"], 0, "note  the old file is kept as own.py~\n");
    assert_eq!(std::fs::read_to_string(test.path("own.py~")).unwrap(), "import os\n");
    export(&["own.py"], 0, "");
    std::fs::write(test.path("a.vjp"), "vjp> x = 3\n").unwrap();
    export(&["own.py"], 0, "note  the old file is kept as own.py~2\n");
}

#[test]
fn a_locale_without_unicode_is_drawn_in_ascii() {
    for (locale, unicode) in [("C", false), ("POSIX", false), ("C.UTF-8", true), ("", true)] {
        let ran = Test::new()
            .args(&["-e", "x = [1, 2]; y = x^2; y.backward([1, 10])"])
            .env("LC_ALL", locale)
            .any_stdout()
            .run();
        assert_eq!(ran.stdout.is_ascii(), !unicode, "{locale}: {}", ran.stdout);
    }
}

#[test]
fn help_and_version() {
    let ran = Test::new().args(&["--help"]).any_stdout().run();
    assert!(ran.stdout.contains("vjp replay [--step | --check | --bless] FILE…"));
    let ran = Test::new().args(&["replay", "--help"]).any_stdout().run();
    assert!(ran.stdout.contains("--bless                     rewrite the outputs"));
    Test::new().args(&["--version"]).stdout(concat!("vjp ", env!("CARGO_PKG_VERSION"), "\n")).run();
}

#[test]
fn json_has_every_event_on_standard_output() {
    let ran = Test::new()
        .args(&["--json"])
        .stdin("x = [1, 2]; y = 3*x^2\ny.backward([1, 10])\nprint(1)\n1/0\n")
        .any_stdout()
        .status(1)
        .run();
    let kinds: Vec<String> = ran
        .stdout
        .lines()
        .map(|line| {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            object["event"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(kinds, ["value", "backward", "print", "error"], "{}", ran.stdout);
}

#[test]
fn colour_is_for_those_who_ask() {
    let coloured = |args: &[&str]| {
        let ran = Test::new().args(args).args(&["-e", CARD]).any_stdout().run();
        ran.stdout.contains('\x1b')
    };
    assert!(!coloured(&[]) && !coloured(&["--color", "never"]) && coloured(&["--color", "always"]));
}

#[test]
fn ascii_draws_with_ascii() {
    let ran = Test::new().args(&["--ascii", "-e", CARD]).any_stdout().run();
    assert!(ran.stdout.is_ascii(), "{}", ran.stdout);
}

#[test]
fn commands_work_on_a_pipe_and_a_wrong_one_fails() {
    let ran = Test::new().stdin(":set digits 2\n:set strikt on\n").any_stderr().status(1).run();
    assert!(ran.stderr.contains("there is no setting strikt"), "{}", ran.stderr);
}

#[test]
fn quit_on_a_pipe_ends_it() {
    Test::new().stdin("print(1)\n:quit\nprint(2)\n").stdout("1\n").run();
    Test::new().stdin("print(1)\nexit()\nprint(2)\n").stdout("1\n").run();
    Test::new().stdin("import sys\nsys.exit(7)\n").status(7).run();
    Test::new().args(&["-e", "exit(4)", "-e", "1"]).status(4).run();
}

#[test]
fn a_closed_pipe_is_no_error() {
    let test = Test::new().args(&["-e", "for i in range(1000000): print(i)"]);
    let mut child = test.command().spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn a_full_disk_is_said() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let test = Test::new().args(&["-e", "1+2"]);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = test.command().stdout(Stdio::from(full)).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot write the output"));
}

#[test]
fn interrupting_a_program_is_status_130() {
    let test = Test::new().args(&["-e", "print(1)\nwhile True: pass"]);
    let mut child = test.command().spawn().unwrap();
    let mut first = [0];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut first).unwrap();
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn undo_takes_back_what_changed_something() {
    Test::new()
        .stdin("a = [1]; a.append(2)\nb = 3\nnowhere\n:undo\n:undo\n:redo\nprint(a)\n:undo\n:undo\n:undo\n")
        .stdout(
            "b = 3                                                       leaf\n\
             undone  b = 3\nundone  a = [1]; a.append(2)\nredone  a = [1]; a.append(2)\na = [1, 2]\n[1, 2]\n\
             undone  a = [1]; a.append(2)\n",
        )
        .any_stderr()
        .status(1)
        .run();
}

#[test]
fn what_goes_to_standard_error_arrives_there() {
    let program =
        "import sys\nprint('a')\nprint('b', 1, file=sys.stderr)\nsys.stderr.writelines(['c\\n'])\n";
    let run = |args: &[&str]| Test::new().args(args).stdin(program);
    run(&["run", "--plain", "-"]).stdout("a\n").stderr("b 1\nc\n").run();
    run(&["run", "-"]).stdout("a\n").stderr("b 1\nc\n").run();
    run(&[]).stdout("a\n").stderr("b 1\nc\n").run();
    let json = r#"{"event":"print","text":"a\n"}
{"event":"print","text":"b 1\n","stream":"stderr"}
{"event":"print","text":"c\n","stream":"stderr"}
"#;
    run(&["--json", "run", "-"]).stdout(json).run();
}
