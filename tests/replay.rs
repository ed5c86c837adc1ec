//! Session files: shown, checked, blessed, stepped through, saved and loaded; never lost.

use crate::support::run;
use crate::support::terminal;
use run::Test;
use std::path::Path;
use std::process::Command;
use terminal::{CTRL_C, ENTER, Terminal};

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
        .stdout("a.vjp  3 inputs, unchanged\n")
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
        .stdout("✓ a.vjp  3 of 3 unchanged\n")
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
             ✗ a.vjp  0 of 1 unchanged\n✓ b.vjp  1 of 1 unchanged\n",
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
        .stdout("✓ a.vjp  1 of 1 unchanged\n")
        .run();
}

#[test]
fn bless_makes_a_session_of_a_program() {
    let program = "# first\nx = 2\n\n# a loop\nfor i in range(2):\n    print(i)\nprint([\n  1])\n";
    let ran = Test::new()
        .args(&["replay", "--bless", "a.py"])
        .file("a.py", program)
        .stdout("a.py  now a session with 3 inputs; the old file is kept as a.py~\n")
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
    assert!(ran.stderr.contains("nothing was written"), "{}", ran.stderr);
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

/// A session of one input saved at the prompt, once for each text that is printed.
fn saved_in_turn(test: Test, prints: &[&str], command: &str) -> run::Ran {
    let folder = test.path("");
    let mut ran = None;
    for text in prints {
        let next = Test::new().stdin(format!("print('{text}')\n{command}\n"));
        let mut process = next.command();
        process.current_dir(&folder);
        ran = Some(next.any_stdout().run_as(process));
    }
    drop(ran);
    test.run()
}

#[test]
fn no_older_file_is_lost_however_often_is_saved() {
    let test = Test::new().args(&["-e", "pass"]).file("a.vjp", "vjp> print('first')\nfirst\n");
    let ran = saved_in_turn(test, &["second", "third", "fourth"], ":save a.vjp");
    let held = |name: &str| ran.read(name);
    assert_eq!(ran.files(), ["a.vjp", "a.vjp~", "a.vjp~2", "a.vjp~3"]);
    for (name, text) in
        [("a.vjp~", "first"), ("a.vjp~2", "second"), ("a.vjp~3", "third"), ("a.vjp", "fourth")]
    {
        assert_eq!(held(name), format!("vjp> print('{text}')\n{text}\n"));
    }
}

#[test]
fn what_is_no_session_file_is_replaced_only_on_demand() {
    let ran = Test::new()
        .file("notes.txt", "original\n")
        .stdin("print(1)\n:save notes.txt\n")
        .stdout("1\n")
        .stderr(
            "error  notes.txt is not a session file\n  │ :save notes.txt\n  │ ^^^^^^^^^^^^^^^\n  \
             help  :save! notes.txt    replaces it and keeps the old file\n",
        )
        .status(1)
        .run();
    assert_eq!(
        (ran.files(), ran.read("notes.txt")),
        (vec!["notes.txt".into()], "original\n".into())
    );
    let ran = Test::new()
        .file("notes.txt", "original\n")
        .stdin("print(1)\n:save! notes.txt\n")
        .stdout("1\nsaved 1 input to notes.txt; the old file is kept as notes.txt~\n")
        .run();
    assert_eq!(ran.read("notes.txt~"), "original\n");
    assert_eq!(ran.read("notes.txt"), "vjp> print(1)\n1\n");
}

#[test]
fn a_loaded_file_is_replaced_where_the_session_holds_all_of_it() {
    let text = "# Title\nvjp> print(1)\n1\n\n# The end.\n";
    let whole = Test::new().file("a.vjp", text).stdin(":load a.vjp\nprint(2)\n:save a.vjp\n");
    let ran = whole.any_stdout().run();
    assert_eq!(ran.files(), ["a.vjp"]);
    assert_eq!(ran.read("a.vjp"), format!("{text}vjp> print(2)\n2\n"));
    // A student's answer would be lost.
    let answered = text.replace("\n1\n", "\n7\n");
    let ran =
        Test::new().file("a.vjp", &answered).stdin(":load a.vjp\n:save a.vjp\n").any_stdout().run();
    assert_eq!((ran.read("a.vjp"), ran.read("a.vjp~")), (text.to_owned(), answered));
}

#[test]
fn blessing_a_filled_sheet_keeps_the_answers() {
    let sheet = "# Fill in every ____.\nvjp> print(1)\n7\n";
    let ran = Test::new()
        .args(&["replay", "--bless", "a.vjp"])
        .file("a.vjp", sheet)
        .stdout("a.vjp  1 input, 1 output rewritten; the old file is kept as a.vjp~\n")
        .run();
    assert_eq!(ran.read("a.vjp~"), sheet);
}

#[test]
fn a_file_without_an_input_is_not_blessed() {
    for text in ["", "\n", "# a thought\n\n# another\n"] {
        let ran = Test::new()
            .args(&["replay", "--bless", "a.vjp"])
            .file("a.vjp", text)
            .stderr("error  a.vjp has no inputs to bless\n")
            .status(1)
            .run();
        assert_eq!(ran.read("a.vjp"), text);
    }
}

#[test]
fn a_kill_while_saving_loses_nothing() {
    let old = "vjp> print('old')\nold\n";
    let test = Test::new().file("a.vjp", old).stdin("");
    let long: String = (0..3000).map(|i| format!("print('{i:0>200}')\n")).collect();
    let new: String = (0..3000).map(|i| format!("vjp> print('{i:0>200}')\n{i:0>200}\n")).collect();
    let mut process = test.command();
    for wait in [0, 1, 2, 3, 5, 8, 13, 21, 34] {
        let mut child = process.spawn().unwrap();
        let mut keys = child.stdin.take().unwrap();
        let reader = child.stdout.take().unwrap();
        let (typed, last) = (long.clone(), format!("{:0>200}", 2999));
        let writer = std::thread::spawn(move || {
            let _ =
                std::io::Write::write_all(&mut keys, format!("{typed}:save a.vjp\n").as_bytes());
            keys
        });
        // Saving begins when the last number is there.
        let mut lines = std::io::BufRead::lines(std::io::BufReader::new(reader));
        assert!(lines.any(|l| l.unwrap() == last));
        std::thread::sleep(std::time::Duration::from_millis(wait));
        let _ = child.kill();
        child.wait().unwrap();
        drop(writer.join());
        let read = |name: &str| std::fs::read_to_string(test.path(name)).unwrap_or_default();
        let now = read("a.vjp");
        assert!(now == old || now == new, "torn after {wait} ms");
        assert!(now == old || read("a.vjp~") == old, "lost after {wait} ms");
        std::fs::write(test.path("a.vjp"), old).unwrap();
        let _ = std::fs::remove_file(test.path("a.vjp~"));
    }
}

#[test]
fn an_input_that_was_stopped_is_not_saved() {
    let ran = Test::new()
        .args(&["--time-limit", "0.2"])
        .stdin("n = 1\nwhile True: pass\nprint(n)\n:save a.vjp\n")
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    assert!(
        ran.stdout.ends_with("saved 2 inputs to a.vjp, without 1 input that did not finish\n"),
        "{}",
        ran.stdout
    );
    assert!(!ran.read("a.vjp").contains("while"), "{}", ran.read("a.vjp"));
}

#[test]
fn control_c_leaves_an_endless_session() {
    let home = tempfile::tempdir().unwrap();
    let file = "vjp> n = 7\nvjp> while True: pass\nvjp> print('after')\n";
    std::fs::write(home.path().join("a.vjp"), file).unwrap();
    let mut prompt = Terminal::with(&[], home);
    prompt.prompt();
    prompt.press(":load a.vjp\r");
    prompt.sees("while True: pass");
    std::thread::sleep(std::time::Duration::from_millis(100));
    prompt.press(CTRL_C);
    prompt.until("the prompt", |text| text.ends_with("\nvjp>"));
    assert!(!prompt.text().contains("after"));
    prompt.enter("print(n + 1)", "\n8\n");
    prompt.enter(":save b.vjp", "without 1 input");
    let saved = std::fs::read_to_string(prompt.home.path().join("b.vjp")).unwrap();
    assert!(saved.contains("n = 7") && !saved.contains("while"), "{saved}");
}

/// Whatever is read, through every door, by the name of what cannot be read.
fn doors(name: &str) -> Vec<Vec<&str>> {
    vec![
        vec!["run", name],
        vec![name],
        vec!["replay", name],
        vec!["replay", "--check", name],
        vec!["replay", "--bless", name],
        vec!["replay", "--step", name],
        vec!["replay", "--check", "--sheet", name, "a.vjp"],
        vec!["export", "--to", "torch", name],
    ]
}

#[test]
fn only_regular_files_are_read_and_nothing_is_waited_for() {
    let test = Test::new().file("a.vjp", SESSION);
    let made = Command::new("mkfifo").arg(test.path("pipe")).status().unwrap();
    assert!(made.success());
    let folder = test.path("");
    for (name, kind) in [("pipe", "named pipe"), ("/dev/zero", "device"), (".", "folder")] {
        // A folder may hold the sheets of a class.
        let refused = |args: &Vec<&str>| kind != "folder" || !args.contains(&"--sheet");
        for args in doors(name).into_iter().filter(refused) {
            let next = Test::new().args(&args);
            let mut process = next.command();
            process.current_dir(&folder);
            let ran = next.any_stderr().status(1).run_as(process);
            let says = format!("error  {name} is a {kind}, not a regular file\n");
            assert!(ran.stderr.starts_with(&says), "{args:?}: {}", ran.stderr);
        }
        let next = Test::new().stdin(format!(":load {name}\nprint('on')\n"));
        let mut process = next.command();
        process.current_dir(&folder);
        let ran = next.stdout("on\n").any_stderr().status(1).run_as(process);
        assert!(ran.stderr.contains("not a regular file"), "{}", ran.stderr);
    }
}

#[test]
fn a_prompt_starts_with_a_pipe_for_config_and_history() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("vjp")).unwrap();
    for name in ["vjp/config.toml", "vjp/history", "a.vjp"] {
        assert!(Command::new("mkfifo").arg(home.path().join(name)).status().unwrap().success());
    }
    let mut prompt = Terminal::with(&[], home);
    prompt.prompt();
    assert!(prompt.text().replace('\n', "").contains("config.toml is a named pipe"));
    prompt.press(":load a\t");
    prompt.until("the file's name", |text| text.ends_with(":load a.vjp"));
    prompt.press(ENTER);
    prompt.until("a refusal", |text| text.contains("a.vjp is a named pipe"));
    prompt.enter("print('still', 'here')", "\nstill here\n");
}

/// Runs with an endless standard input.
fn fed(args: &[&str], folder: &Path, bytes: &[u8]) -> String {
    let test = Test::new().args(args);
    let mut process = test.command();
    let mut child = process.current_dir(folder).spawn().unwrap();
    let mut keys = child.stdin.take().unwrap();
    let chunk = bytes.repeat((1 << 16) / bytes.len() + 1);
    let writer = std::thread::spawn(move || {
        use std::io::Write;
        while keys.write_all(&chunk).is_ok() {}
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn an_endless_line_of_standard_input_ends_at_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.vjp"), SESSION).unwrap();
    for (args, says) in [
        (&["run", "-"][..], "standard input is larger than 64 MiB"),
        (&[], "an input from standard input is larger than 64 MiB"),
        (&["replay", "--step", "a.vjp"], "a line of standard input is larger than 64 MiB"),
        (&["--memory", "50MiB"], "standard input: this needs "),
        (&["--memory", "50MiB", "run", "-"], "standard input: this needs "),
    ] {
        for bytes in [&b"x"[..], b"\0", b"\xff"] {
            let said = fed(args, folder.path(), bytes);
            assert!(said.starts_with(&format!("error  {says}")), "{args:?}: {said}");
        }
    }
}

/// What speaks to a terminal or cannot be seen: OSC, BEL, a C1 control, DEL, backspace, and marks of
/// direction and of no width.
const HOSTILE: &str = "\x1b]52;c;QUJD\x07\u{9b}2J\x7f\x08\u{202e}\u{200b}\u{feff}\u{2066}";

/// The same as a literal of a program.
fn literal() -> String {
    let one = |c: char| match u32::from(c) {
        i if i < 256 => format!("\\x{i:02x}"),
        i => format!("\\u{i:04x}"),
    };
    HOSTILE.chars().map(one).collect()
}

/// A session with it in every place where a file can hold a text.
fn hostile() -> String {
    let (raw, text) = (HOSTILE, literal());
    let inputs = [
        format!("x = [1., 2.] # {raw}"),
        format!("print('{text}')"),
        format!("raise ValueError('{text}')"),
        format!(
            "d = {{'{text}': torch.ones(2, requires_grad=True)}}; (d['{text}']**2).sum().backward()"
        ),
        format!("class A: __repr__ = lambda self: '{text}'\n...>"),
        "A()".to_owned(),
        format!("type('{text}', (), {{}})().foo"),
        format!("getattr(1, '{text}')"),
        format!(":foo{raw}"),
        format!(":help {raw}"),
        format!("import os{raw}"),
        format!("m = nn.ModuleDict({{'{text}': nn.Linear(1, 1)}}); m"),
        format!("import warnings; warnings.warn('{text}')"),
        format!("plt.title('{text}'); plt.plot([1, 2], [3, 4], label='{text}'); plt.show()"),
        ":vars".to_owned(),
        ":why".to_owned(),
        ":explain".to_owned(),
        ":latex".to_owned(),
        format!("x = [1, 2]; y = 3*x; y.backward([1, 10]); x.grad # {raw}"),
    ];
    let inputs = inputs.iter().enumerate().map(|(n, input)| {
        let blank = if n % 2 == 0 { "____" } else { "" };
        format!("# {n} {raw}\nvjp> {input}\n{blank}[{n}]{raw}\n")
    });
    inputs.chain([format!("# the end {raw}\n")]).collect()
}

/// That nothing of it came through.
#[track_caller]
fn nothing_hostile(bytes: &[u8], how: &str) {
    for c in HOSTILE.chars().filter(|c| !c.is_ascii_graphic()) {
        let raw = match c {
            '\x1b' => "\x1b]".to_owned(),
            c => c.to_string(),
        };
        let found = bytes.windows(raw.len()).position(|w| w == raw.as_bytes());
        if let Some(at) = found {
            let near = String::from_utf8_lossy(&bytes[at.saturating_sub(60)..]).into_owned();
            panic!("{how}: {c:?} in {:?}", near.chars().take(100).collect::<String>());
        }
    }
}

/// A folder with hostile files, names and settings.
fn hostile_home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(home.path().join(name), text).unwrap();
    write("a.vjp", &hostile());
    write(&format!("b{HOSTILE}\n.vjp"), &hostile());
    write("p.py", &format!("print('{0}') # {HOSTILE}\nraise ValueError('{0}')\n", literal()));
    std::fs::create_dir(home.path().join("vjp")).unwrap();
    write("vjp/config.toml", &format!("theme = {HOSTILE}\n{HOSTILE}\n{HOSTILE} = 1\n"));
    write("vjp/history", &format!("print(1) # {HOSTILE}\n"));
    home
}

#[test]
fn a_file_cannot_speak_to_the_terminal() {
    let other = format!("b{HOSTILE}\n.vjp");
    let none = format!("none{HOSTILE}");
    let doors = [
        vec!["replay", "a.vjp"],
        vec!["replay", "--color", "never", "a.vjp"],
        vec!["replay", "--speed", "9999", "a.vjp"],
        vec!["replay", "--check", "a.vjp"],
        vec!["replay", "--check", "--ascii", "a.vjp", &other],
        vec!["replay", "--check", "--sheet", "a.vjp", &other],
        vec!["replay", "--bless", &other],
        vec!["--json", "replay", "a.vjp"],
        vec!["--json", "replay", "--check", &other],
        vec!["export", "--to", "torch", "a.vjp"],
        vec!["run", "p.py"],
        vec!["run", "--plain", "p.py"],
        vec![&other],
        vec!["run", &none],
        vec!["replay", "--check", "a.vjp", &none],
        vec!["--dtype", HOSTILE],
        vec![HOSTILE],
    ];
    for args in doors {
        let how = format!("{args:?}");
        let mut terminal = Terminal::with(&args, hostile_home());
        let bytes = terminal.until_closed();
        assert!(bytes.windows(2).any(|w| w == b"\\x" || w == b"\\u"), "{how} shows none of it");
        nothing_hostile(&bytes, &how);
    }
}

#[test]
fn a_file_cannot_speak_to_the_terminal_step_by_step() {
    let mut steps = Terminal::with(&["replay", "--step", "a.vjp"], hostile_home());
    for n in 1..=19 {
        for _ in 0..2 {
            steps.until("a key awaited", |text| text.contains(" go to · r rest"));
            steps.press(ENTER);
        }
        if n < 19 {
            steps.sees(&format!(" {} of 19 ", n + 1));
        }
    }
    steps.until("the end", |text| text.contains("# the end"));
    nothing_hostile(&steps.bytes(), "--step");
}

#[test]
fn a_file_cannot_speak_to_the_terminal_at_the_prompt() {
    let mut prompt = Terminal::with(&[], hostile_home());
    prompt.prompt();
    assert!(
        prompt.text().contains("config.toml:3: there is no setting \\x1b]52"),
        "{}",
        prompt.text()
    );
    prompt.press("\x1b[A");
    prompt.until("the earlier input", |text| text.contains("\nvjp> print(1) # "));
    prompt.drop_line();
    prompt.press(":load \t\t");
    prompt.until("the files", |text| text.contains("a.vjp"));
    prompt.press("a.vjp\r");
    prompt.until("the end", |text| text.contains("# the end") && text.ends_with("\nvjp>"));
    // What a loaded file defined prints, too.
    prompt.enter("print(A())", "\\x1b]52");
    prompt.press(":load p.py\r");
    prompt.until("its error", |text| {
        text.contains("error  ValueError: \\x1b]52") && text.ends_with("\nvjp>")
    });
    prompt.enter(":save c.vjp", "saved ");
    nothing_hostile(&prompt.bytes(), "the prompt");
}

#[test]
fn what_is_typed_here_and_what_a_pipe_takes_is_as_the_program_prints_it() {
    let print = format!("print('{}')", literal());
    Test::new().args(&["-e", &print]).stdout(&format!("{HOSTILE}\n")).run();
    Test::new().args(&["run", "--plain", "-"]).stdin(&print).stdout(&format!("{HOSTILE}\n")).run();
    let mut typed = Terminal::with(&["-e", "print('\\x1b[31mred')"], tempfile::tempdir().unwrap());
    assert_eq!(typed.until_closed(), b"\x1b[31mred\r\n");
    // In a session file nothing is: whoever pipes it on looks at it in the end.
    let ran = Test::new().args(&["replay", "a.vjp"]).file("a.vjp", &hostile()).any_stdout().run();
    nothing_hostile(ran.stdout.as_bytes(), "a pipe");
}

#[test]
fn json_writes_what_cannot_be_seen_by_its_number() {
    let ran = Test::new()
        .args(&["--json", "run", "-"])
        .stdin(format!("print('{}', end='')", literal()))
        .any_stdout()
        .run();
    nothing_hostile(ran.stdout.as_bytes(), "--json");
    let event: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(event["text"], HOSTILE);
}

#[test]
fn what_runs_stands_on_a_line_of_its_own() {
    // A carriage return ends a line for Python, not on a screen.
    Test::new()
        .args(&["replay", "a.vjp"])
        .file("a.vjp", "vjp> n = 1 # look\rprint('run')\n")
        .stdout("vjp> n = 1 # look\n...> print('run')\nrun\n")
        .run();
    // Nor does a name hide what is in it.
    let ran = Test::new()
        .args(&["replay", "a.vjp"])
        .file("a.vjp", "vjp> a\u{202e}b = 1\nvjp> a\u{fe0f} = 2\n")
        .any_stdout()
        .run();
    assert!(ran.stdout.contains("invalid non-printable character U+202E"), "{}", ran.stdout);
    assert!(ran.stdout.contains("vjp> a\\ufe0f = 2\na\\ufe0f = 2"), "{}", ran.stdout);
}

/// What a recording shows, without its colours.
fn shown(cast: &str) -> String {
    let colour = regex::Regex::new("\x1b\\[[0-9;]*m").unwrap();
    let mut before = 0.0;
    let mut text = String::new();
    for line in cast.lines().skip(1) {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        let (time, kind) = (event[0].as_f64().unwrap(), event[1].as_str().unwrap());
        assert!(time >= before && kind == "o", "{line}");
        before = time;
        text += event[2].as_str().unwrap();
    }
    colour.replace_all(&text, "").replace("\r\n", "\n")
}

#[test]
fn a_recording_shows_what_a_replay_shows() {
    let ran = Test::new()
        .args(&["replay", "--cast", "--speed", "20", "a.vjp"])
        .file("a.vjp", SESSION)
        .any_stdout()
        .run();
    let header: serde_json::Value =
        serde_json::from_str(ran.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((&header["version"], &header["width"]), (&2.into(), &80.into()));
    assert_eq!(shown(&ran.stdout), SESSION.replace("\\#", "#"));
    let typed = ran.stdout.lines().skip(1).filter(|line| line.contains("vjp")).count();
    assert!(ran.stdout.lines().count() > typed + 40, "characters come one after another");
}
