//! The prompt on a real terminal: what stands on the screen is compared, not the bytes.

use crate::support::terminal;

use std::path::Path;
use std::time::{Duration, Instant};
use terminal::{CTRL_C, CTRL_D, CTRL_Z, ENTER, PROGRAM, Terminal, UP};

#[test]
fn a_newcomers_first_minute() {
    let mut terminal = Terminal::new();
    terminal.prompt();
    assert!(terminal.text().starts_with("vjp: try  x = [1, 2]; y = 3*x^2; y.backward([1, 10])"));
    terminal.enter(
        "x = [1, 2]",
        "x = [1, 2]                                                  leaf, shape [2]",
    );
    terminal.enter("y = 3*x^2; y.backward([1, 10])", "x.grad   [   6  120 ] ✓");
    terminal.enter("_", "vjp> _");
    terminal.enter("help", ":help [TOPIC]");
    terminal.press(CTRL_D);
    assert_eq!(terminal.left().0, 0);
}

#[test]
fn a_block_goes_on_until_an_empty_line() {
    let mut terminal = Terminal::new();
    terminal.prompt();
    terminal.press("for i in range(2):\r");
    terminal.until("continuation", |text| text.ends_with("\n...>"));
    terminal.press("    print('i is', i)\r");
    terminal.until("continuation", |text| text.contains("print('i is', i)\n...>"));
    terminal.press(ENTER);
    terminal.until("output", |text| text.ends_with("\n...>\ni is 0\ni is 1\nvjp>"));
    terminal.press("print([\r");
    terminal.until("continuation", |text| text.contains("print([\n...>"));
    terminal.press("7])\r");
    terminal.until("output", |text| text.ends_with("\n[7]\nvjp>"));
}

#[test]
fn control_c_drops_a_line_and_stops_a_loop_with_the_state_kept() {
    let mut terminal = Terminal::new();
    terminal.enter("n = 41", "n = 41");
    terminal.shows("n + 1", "vjp> n + 1  → 42");
    terminal.press(CTRL_C);
    // As it was typed, marked as dropped, without what it would have given.
    terminal.until("fresh prompt", |text| text.ends_with("\nvjp> n + 1^C\nvjp>"));
    terminal.press("while True: n = n + 1\r");
    // The cursor stands below the line while it runs.
    terminal.until("the loop", |text| text.ends_with("while True: n = n + 1"));
    terminal.until_column(0);
    std::thread::sleep(Duration::from_millis(300));
    let pressed = Instant::now();
    terminal.press(CTRL_C);
    terminal.until("stop", |text| text.contains("stopped by Ctrl-C") && text.ends_with("\nvjp>"));
    assert!(pressed.elapsed() < Duration::from_secs(2));
    terminal.enter("print('n is', n)", "\nn is 41\n");
}

#[test]
fn control_z_stops_and_fg_goes_on_where_one_was() {
    let home = tempfile::tempdir().unwrap();
    let mut shell = Terminal::of("sh", &["-i"], home, 40, 80);
    shell.press(&format!("PS1='$ '; {PROGRAM}\r"));
    shell.until("the prompt", |text| text.ends_with("\nvjp>"));
    // Block by block and line by line: whatever is typed comes back, and keys are read one by one.
    for typed in ["", "1+1", "for i in [7]:\rprint('seven', i)"] {
        shell.press(typed);
        let last = typed.rsplit('\r').next().unwrap();
        shell.until("what was typed", |text| {
            text.lines().last().is_some_and(|l| l.contains(last) && !l.starts_with('$'))
        });
        shell.press(CTRL_Z);
        shell.until("the shell", |text| text.ends_with("\n$"));
        assert!(!shell.raw(), "the shell reads lines");
        shell.press("fg\r");
        shell.until("the prompt again", |text| {
            let (_, after) = text.rsplit_once("$ fg\n").unwrap_or_default();
            let lines: Vec<&str> = after.lines().skip(1).collect();
            lines.first().is_some_and(|l| l.starts_with("vjp>"))
                && lines.last().is_some_and(|l| l.contains(last))
                && lines.len() == typed.split('\r').count()
        });
        assert!(shell.raw());
        shell.press(CTRL_C);
        shell.until("a fresh prompt", |text| text.ends_with("\nvjp>"));
    }
    shell.press(CTRL_D);
    shell.until("the shell", |text| text.ends_with("\n$"));
}

#[test]
fn history_outlives_the_session_and_keeps_blocks_whole() {
    let mut terminal = Terminal::new();
    terminal.enter("a = 1", "a = 1 ");
    terminal.press("for i in [7]:\r    print('seven', i)\r\r");
    terminal.until("output", |text| text.ends_with("\nseven 7\nvjp>"));
    terminal.press(CTRL_D);
    let (status, home) = terminal.left();
    assert_eq!(status, 0);
    let file = home.path().join("vjp").join("history");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "a = 1\nfor i in [7]:\\n    print('seven', i)\n"
    );
    private(&file);
    let mut again = Terminal::with(&[], home);
    again.prompt();
    again.press(UP);
    again.until("the block", |text| {
        text.ends_with("vjp> for i in [7]:\n...>     print('seven', i)\n...>")
    });
    again.press(ENTER);
    again.until("output", |text| text.ends_with("seven 7\nvjp>"));
}

fn private(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_paste_is_one_input_with_its_indentation() {
    let mut terminal = Terminal::new();
    terminal.prompt();
    let pasted =
        "def f(x):\n    if x > 0:\n        return 'up'\n    return 'down'\n\nprint(f(1), f(-1))";
    terminal.press(&format!("\x1b[200~{pasted}\x1b[201~"));
    terminal.until("the text", |text| text.contains("print(f(1), f(-1))"));
    terminal.press(ENTER);
    terminal.until("output", |text| text.ends_with("\nup down\nvjp>"));
}

#[test]
fn leaving_asks_once_where_work_is_not_saved() {
    let mut terminal = Terminal::new();
    terminal.enter("a = 1", "a = 1 ");
    terminal.enter("exit", ":save");
    terminal.press("exit\r");
    assert_eq!(terminal.left().0, 0);
    let mut terminal = Terminal::new();
    terminal.prompt();
    terminal.press("quit()\r");
    assert_eq!(terminal.left().0, 0);
}

#[test]
fn tab_completes() {
    let mut terminal = Terminal::new();
    terminal.enter("xylophone = 3", "xylophone = 3");
    terminal.press("xyl\t");
    terminal.until("the name", |text| {
        text.ends_with("vjp> xylophone") || text.ends_with("vjp> xylophone  → 3")
    });
    terminal.press(CTRL_C);
    terminal.until("fresh prompt", |text| text.ends_with("\nvjp>"));
    terminal.press(":und\t");
    terminal.until("the command", |text| text.contains("vjp> :undo  take back the last input"));
}

#[test]
fn undo_takes_an_input_back() {
    let mut terminal = Terminal::new();
    terminal.enter("a = 1", "a = 1 ");
    terminal.enter("a = 2", "a = 2 ");
    terminal.enter(":undo", "vjp> :undo");
    terminal.enter("print('a is', a)", "\na is 1\n");
    terminal.enter(":undo", "vjp> :undo");
}

#[test]
fn a_stepped_session_waits_for_keys() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("a.vjp"), "# Two.\nvjp> n = 2\nvjp> print('n is', n)\n")
        .unwrap();
    let mut terminal = Terminal::with(&["replay", "--step", "a.vjp"], home);
    terminal.until("first", |text| {
        text.contains(" 1 of 2") && text.contains("# Two.") && text.contains("Enter run")
    });
    terminal.press(ENTER);
    terminal.until("its output", |text| text.contains("Enter next"));
    terminal.press(ENTER);
    terminal.until("second", |text| text.contains(" 2 of 2") && text.contains("Enter run"));
    terminal.press("b");
    terminal.until("first again", |text| text.contains(" 1 of 2"));
    terminal.press("r");
    terminal.until("the end", |text| text.contains("n is 2") && text.contains("Enter leave"));
    terminal.press(ENTER);
    assert_eq!(terminal.left().0, 0);
}

#[test]
fn a_line_typed_after_the_terminal_shrank_stands_there_once() {
    let mut terminal = Terminal::new();
    terminal.prompt();
    terminal.resize(30, 40);
    std::thread::sleep(Duration::from_millis(200));
    for key in "x=[1,2,3]; y=x^3; y.backward([1,10,100])".chars() {
        terminal.press(&key.to_string());
        std::thread::sleep(Duration::from_millis(20));
    }
    terminal.until("the line, in two rows", |text| text.contains("\n100])"));
    std::thread::sleep(Duration::from_millis(300));
    let text = terminal.text();
    assert_eq!(text.matches("x=[1,2,3]").count(), 1, "{text}");
}
