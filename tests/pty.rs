//! The prompt on a real terminal: what stands on the screen is compared, not the bytes.
#![allow(clippy::unwrap_used, clippy::panic)]

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The program in a terminal of 80 columns and 30 lines.
struct Terminal {
    screen: Arc<Mutex<vt100::Parser>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
    home: tempfile::TempDir,
}

const ENTER: &str = "\r";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const UP: &str = "\x1b[A";

impl Terminal {
    fn new() -> Terminal {
        Terminal::with(&[], tempfile::tempdir().unwrap())
    }

    fn with(args: &[&str], home: tempfile::TempDir) -> Terminal {
        let size = PtySize {
            rows: 30,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_vjp"));
        command.args(args);
        command.cwd(home.path());
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("HOME", home.path());
        command.env("XDG_STATE_HOME", home.path());
        command.env_remove("VJP_HISTORY");
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let (rows, columns) = (NonZero::new(30).unwrap(), NonZero::new(80).unwrap());
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, 1000)));
        let (mut reader, shared) = (pair.master.try_clone_reader().unwrap(), Arc::clone(&screen));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                shared.lock().unwrap().process(&bytes[..count]);
            }
        });
        Terminal {
            screen,
            keys: pair.master.take_writer().unwrap(),
            child,
            _master: pair.master,
            home,
        }
    }

    fn text(&self) -> String {
        let screen = self.screen.lock().unwrap();
        let rows = screen.screen().rows(0, 80);
        let lines: Vec<String> = rows.map(|row| row.trim_end().to_owned()).collect();
        lines.join("\n").trim_end().to_owned()
    }

    /// The line where the cursor stands.
    fn last(&self) -> String {
        self.text().lines().last().unwrap_or("").to_owned()
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the screen is as wanted.
    #[track_caller]
    fn until(&self, what: &str, wanted: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        while !wanted(&self.text()) {
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "no {what} on\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Types a line and waits for the prompt after its answer.
    #[track_caller]
    fn enter(&mut self, line: &str, answer: &str) {
        self.prompt();
        self.press(line);
        self.press(ENTER);
        self.until(answer, |text| {
            text.contains(answer) && text.ends_with("\nvjp>")
        });
    }

    #[track_caller]
    fn prompt(&self) {
        self.until("prompt", |text| text.ends_with("\nvjp>"));
    }

    /// Waits until the program is gone.
    fn left(mut self) -> (u32, tempfile::TempDir) {
        (self.child.wait().unwrap().exit_code(), self.home)
    }
}

#[test]
fn a_newcomers_first_minute() {
    let mut terminal = Terminal::new();
    terminal.prompt();
    assert!(
        terminal
            .text()
            .starts_with("vjp: try  x = [1, 2]; y = 3*x^2; y.backward([1, 10])")
    );
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
    terminal.until("continuation", |text| {
        text.contains("print('i is', i)\n...>")
    });
    terminal.press(ENTER);
    terminal.until("output", |text| {
        text.ends_with("\n...>\ni is 0\ni is 1\nvjp>")
    });
    terminal.press("print([\r");
    terminal.until("continuation", |text| text.ends_with("\n...>"));
    terminal.press("7])\r");
    terminal.until("output", |text| text.ends_with("\n[7]\nvjp>"));
}

#[test]
fn control_c_drops_a_line_and_stops_a_loop_with_the_state_kept() {
    let mut terminal = Terminal::new();
    terminal.enter("n = 41", "n = 41");
    terminal.press("never evaluated");
    terminal.until("text", |text| text.ends_with("never evaluated"));
    terminal.press(CTRL_C);
    terminal.until("fresh prompt", |text| text.ends_with("\nvjp>"));
    terminal.press("while True: n = n + 1\r");
    std::thread::sleep(Duration::from_millis(300));
    let pressed = Instant::now();
    terminal.press(CTRL_C);
    terminal.until("stop", |text| {
        text.contains("stopped by Ctrl-C") && text.ends_with("\nvjp>")
    });
    assert!(pressed.elapsed() < Duration::from_secs(2));
    terminal.enter("print('n is', n)", "\nn is 41\n");
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
        text.contains("for i in [7]:") && text.contains("print('seven', i)")
    });
    again.press(ENTER);
    again.until("output or continuation", |text| {
        text.ends_with("seven 7\nvjp>") || text.ends_with("\n...>")
    });
    if again.last() == "...>" {
        again.press(ENTER);
        again.until("output", |text| text.ends_with("seven 7\nvjp>"));
    }
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
    terminal.until("the name", |text| text.ends_with("vjp> xylophone"));
    terminal.press(CTRL_C);
    terminal.until("fresh prompt", |text| text.ends_with("\nvjp>"));
    terminal.press(":und\t");
    terminal.until("the command", |text| text.ends_with("vjp> :undo"));
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
    std::fs::write(
        home.path().join("a.vjp"),
        "# Two.\nvjp> n = 2\nvjp> print('n is', n)\n",
    )
    .unwrap();
    let mut terminal = Terminal::with(&["replay", "--step", "a.vjp"], home);
    terminal.until("first", |text| {
        text.contains(" 1 of 2") && text.contains("Enter run")
    });
    assert!(terminal.text().contains("# Two."));
    terminal.press(ENTER);
    terminal.until("second", |text| text.contains(" 2 of 2"));
    terminal.press("b");
    terminal.until("first again", |text| text.matches(" 1 of 2").count() == 2);
    terminal.press("r");
    terminal.until("the end", |text| text.ends_with("n is 2"));
    assert_eq!(terminal.left().0, 0);
}
