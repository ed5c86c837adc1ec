//! Session files: shown, checked, blessed, stepped through, saved and loaded; never lost.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/run.rs"]
mod run;
use run::Test;
use std::process::Command;

const SESSION: &str = "\
# Two inputs and an error.
vjp> n = 2
n = 2                                                       leaf

# Errors are outputs.
vjp> for i in range(n):
...>     print(i)
...>
0
1
vjp> print('# no narration')
\\# no narration
";

#[test]
fn a_replay_is_the_file_again() {
    let ran = Test::new()
        .args(&["replay", "--bless", "a.vjp"])
        .file("a.vjp", SESSION)
        .stdout("a.vjp  3 inputs, as it was\n")
        .run();
    let blessed = ran.read("a.vjp");
    assert_eq!(blessed, SESSION);
    Test::new()
        .args(&["replay", "a.vjp"])
        .file("a.vjp", SESSION)
        .stdout(&SESSION.replace("\\#", "#"))
        .run();
    Test::new()
        .args(&["replay", "--check", "a.vjp"])
        .file("a.vjp", SESSION)
        .stdout("✓ a.vjp  3 of 3 as in the file\n")
        .run();
}

#[test]
fn errors_in_a_session_are_outputs() {
    let ran = Test::new()
        .args(&["replay", "a.vjp"])
        .file("a.vjp", "vjp> 1/0\nvjp> 1+2\n")
        .any_stdout()
        .run();
    assert!(ran.stdout.contains("division by zero"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("vjp> 1+2\n3\n"), "{}", ran.stdout);
}

#[test]
fn check_shows_what_differs_and_where() {
    Test::new()
        .args(&["replay", "--check", "a.vjp", "b.vjp"])
        .file("a.vjp", "# n\n\nvjp> print('n', 1+2)\nn 4\n")
        .file("b.vjp", "vjp> 1+2\n3\n")
        .stdout(
            "a.vjp:3: input 1\n    vjp> print('n', 1+2)\n  - n 4\n  + n 3\n    - the file, + now\n\n\
             ✗ a.vjp  0 of 1 as in the file\n✓ b.vjp  1 of 1 as in the file\n",
        )
        .status(1)
        .run();
}

#[test]
fn what_is_checked_is_canonical_whatever_the_flags() {
    let flags = ["--ascii", "--color", "always"];
    let card = "vjp> x = [1, 2]; y = 3*x^2; y.backward([1, 10])\n";
    let ran = Test::new()
        .args(&["replay", "--bless", "a.vjp"])
        .args(&flags)
        .file("a.vjp", card)
        .stdout("a.vjp  1 input, 1 output rewritten\n")
        .run();
    let blessed = ran.read("a.vjp");
    assert!(blessed.contains("vᵀJ      [   6  120 ]"), "{blessed}");
    Test::new()
        .args(&["replay", "--check", "a.vjp", "--color", "always"])
        .file("a.vjp", &blessed)
        .stdout("✓ a.vjp  1 of 1 as in the file\n")
        .run();
}

#[test]
fn bless_makes_a_session_of_a_program() {
    let program = "# first\nx = 2\n\n# a loop\nfor i in range(2):\n    print(i)\nprint([\n  1])\n";
    let ran = Test::new()
        .args(&["replay", "--bless", "a.py"])
        .file("a.py", program)
        .stdout("a.py  now a session of 3 inputs; the program is a.py~\n")
        .run();
    assert_eq!(ran.read("a.py~"), program);
    assert_eq!(
        ran.read("a.py"),
        "# first\nvjp> x = 2\nx = 2                                                       leaf\n\n# a loop\n\
         vjp> for i in range(2):\n...>     print(i)\n...>\n0\n1\nvjp> print([\n...>   1])\n[1]\n"
    );
}

#[test]
fn commands_that_touch_files_are_shown_and_not_carried_out() {
    let session = "vjp> :save b.vjp\nvjp> :load none.vjp\nvjp> :quit\nvjp> 1+2\n3\n";
    let ran = Test::new().args(&["replay", "a.vjp"]).file("a.vjp", session).stdout(session).run();
    assert_eq!(ran.files(), ["a.vjp"]);
}

#[test]
fn save_load_and_save_again() {
    let ran =
        Test::new().stdin("n = 2\n:save a.vjp\nprint(n)\n:save a.vjp\n:quit\n").any_stdout().run();
    let leaf = "vjp> n = 2\nn = 2                                                       leaf\n";
    assert_eq!(ran.read("a.vjp"), format!("{leaf}vjp> print(n)\n2\n"));
    assert_eq!(ran.files(), ["a.vjp"]);
    let ran = Test::new()
        .file("a.vjp", &ran.read("a.vjp"))
        .stdin(":load a.vjp\nprint(n + 1)\n:save b.vjp\n")
        .any_stdout()
        .run();
    assert_eq!(ran.read("b.vjp"), format!("{}vjp> print(n + 1)\n3\n", ran.read("a.vjp")));
}

#[test]
fn options_are_the_first_inputs_of_a_saved_session() {
    let ran = Test::new()
        .args(&["--strict", "--dtype", "float32"])
        .stdin("1+2\n:save a.vjp\n")
        .any_stdout()
        .run();
    assert_eq!(ran.read("a.vjp"), "vjp> :set strict on\nvjp> :set dtype float32\nvjp> 1+2\n3\n");
}

#[test]
fn times_never_reach_a_session_file() {
    let ran = Test::new().stdin(":set timing on\n1+2\n:time\n:save a.vjp\n").any_stdout().run();
    assert_eq!(ran.read("a.vjp"), "vjp> :set timing on\nvjp> 1+2\n3\nvjp> :time\n");
    assert!(ran.stdout.contains(" ms\n"), "{}", ran.stdout);
}

#[test]
fn stepping_goes_on_back_to_a_number_and_away() {
    let session = "# Start.\nvjp> n = 1\nvjp> n = n + 1; print('n', n)\nvjp> print('end', n)\n";
    let keys = "\n\nb\n\n: n = 100\n\ng 2\nr\n";
    let ran = Test::new()
        .args(&["replay", "--step", "a.vjp"])
        .file("a.vjp", session)
        .stdin(keys)
        .any_stdout()
        .run();
    let printed: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|l| !l.contains('=') && (l.starts_with("n ") || l.starts_with("end ")))
        .collect();
    // On, back and on again: the state went back too; what was tried left no trace.
    assert_eq!(printed, ["n 2", "n 2", "end 2"], "{}", ran.stdout);
    assert!(ran.stdout.contains(" 1 of 3 "), "{}", ran.stdout);
}

/// Runs the program under a limit of the shell's.
fn limited(test: &Test, limit: &str) -> Command {
    let whole = test.command();
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("{limit}; exec \"$0\" \"$@\""))
        .arg(whole.get_program())
        .args(whole.get_args())
        .current_dir(whole.get_current_dir().unwrap())
        .envs(whole.get_envs().filter_map(|(n, v)| Some((n, v?))))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    command
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    let old = "vjp> 1+2\n3\n";
    let test = Test::new()
        .args(&["replay", "--bless", "a.vjp"])
        .file("a.vjp", &format!("vjp> print('x'*2000000)\n{old}"))
        .any_stderr()
        .status(1);
    let before = std::fs::read_to_string(test.path("a.vjp")).unwrap();
    let command = limited(&test, "ulimit -f 100");
    let ran = test.run_as(command);
    assert_eq!(ran.read("a.vjp"), before);
    assert_eq!(ran.files(), ["a.vjp"]);
    assert!(ran.stderr.contains("nothing there was changed"), "{}", ran.stderr);
}

#[test]
fn a_kill_in_the_middle_leaves_a_whole_file() {
    let long: String = (0..20_000).map(|i| format!("vjp> print({i})\n{i}\n")).collect();
    let test = Test::new()
        .args(&["replay", "--bless", "a.vjp"])
        .file("a.vjp", &long.replace("\n7\n", "\nold\n"));
    let old = std::fs::read_to_string(test.path("a.vjp")).unwrap();
    for wait in [0, 5, 20, 60, 150, 300] {
        let mut child = test.command().spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        let _ = child.kill();
        child.wait().unwrap();
        let now = std::fs::read_to_string(test.path("a.vjp")).unwrap();
        assert!(now == old || now == long, "torn after {wait} ms");
    }
}
