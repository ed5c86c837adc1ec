//! The program in a terminal: keys go in, what stands on the screen comes out.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The program in a terminal of 80 columns and 30 lines.
pub struct Terminal {
    screen: Arc<Mutex<vt100::Parser>>,
    bytes: Arc<Mutex<Vec<u8>>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    columns: u16,
    pub home: tempfile::TempDir,
}

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_vjp");
pub const ENTER: &str = "\r";
pub const CTRL_C: &str = "\x03";
pub const CTRL_D: &str = "\x04";
pub const CTRL_L: &str = "\x0c";
pub const CTRL_Z: &str = "\x1a";
pub const TAB: &str = "\t";
pub const LEFT: &str = "\x1b[D";
pub const RIGHT: &str = "\x1b[C";
pub const DOWN: &str = "\x1b[B";
pub const HOME: &str = "\x01";
pub const BACKSPACE: &str = "\x7f";
pub const CTRL_R: &str = "\x12";
const PATIENCE: Duration = Duration::from_secs(30);
pub const UP: &str = "\x1b[A";

fn size(rows: u16, columns: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

impl Terminal {
    pub fn new() -> Terminal {
        Terminal::with(&[], tempfile::tempdir().unwrap())
    }

    pub fn with(args: &[&str], home: tempfile::TempDir) -> Terminal {
        Terminal::sized(args, home, 30, 80)
    }

    pub fn sized(args: &[&str], home: tempfile::TempDir, rows: u16, columns: u16) -> Terminal {
        Terminal::of(PROGRAM, args, home, rows, columns)
    }

    /// Another program in the terminal: the shell that starts ours.
    pub fn of(
        program: &str,
        args: &[&str],
        home: tempfile::TempDir,
        rows: u16,
        columns: u16,
    ) -> Terminal {
        let pair = native_pty_system().openpty(size(rows, columns)).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(args);
        command.cwd(home.path());
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("HOME", home.path());
        command.env("XDG_STATE_HOME", home.path());
        command.env("XDG_CONFIG_HOME", home.path());
        command.env_remove("VJP_HISTORY");
        command.env_remove("VJP_CONFIG");
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let (high, wide) = (NonZero::new(rows).unwrap(), NonZero::new(columns).unwrap());
        let screen = Arc::new(Mutex::new(vt100::Parser::new(high, wide, 1000)));
        let (mut reader, shared) = (pair.master.try_clone_reader().unwrap(), Arc::clone(&screen));
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&bytes);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                log.lock().unwrap().extend_from_slice(&bytes[..count]);
                shared.lock().unwrap().process(&bytes[..count]);
            }
        });
        Terminal {
            screen,
            bytes,
            keys: pair.master.take_writer().unwrap(),
            child,
            master: pair.master,
            columns,
            home,
        }
    }

    /// Gives the terminal another size, as a person does with the mouse.
    pub fn resize(&mut self, rows: u16, columns: u16) {
        self.columns = columns;
        let (high, wide) = (NonZero::new(rows).unwrap(), NonZero::new(columns).unwrap());
        let mut screen = self.screen.lock().unwrap();
        screen.screen_mut().set_size(high, wide);
        drop(screen);
        self.master.resize(size(rows, columns)).unwrap();
    }

    /// All lines of the screen, without blanks at their ends.
    pub fn lines(&self) -> Vec<String> {
        let screen = self.screen.lock().unwrap();
        let rows = screen.screen().rows(0, self.columns);
        rows.map(|row| row.trim_end().to_owned()).collect()
    }

    pub fn text(&self) -> String {
        self.lines().join("\n").trim_end().to_owned()
    }

    /// Waits until a text stands on the screen.
    #[track_caller]
    pub fn sees(&self, text: &str) {
        self.until(text, |screen| screen.contains(text));
    }

    /// Everything that came so far, byte for byte.
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().unwrap().clone()
    }

    /// Waits until the program has ended; everything it wrote.
    #[track_caller]
    pub fn until_closed(&mut self) -> Vec<u8> {
        self.ended();
        let mut before = self.bytes().len();
        loop {
            std::thread::sleep(Duration::from_millis(50));
            let now = self.bytes();
            if now.len() == before {
                return now;
            }
            before = now.len();
        }
    }

    /// The line where the cursor stands.
    pub fn last(&self) -> String {
        self.text().lines().last().unwrap_or("").to_owned()
    }

    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the screen is as wanted.
    #[track_caller]
    pub fn until(&self, what: &str, wanted: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        while !wanted(&self.text()) {
            assert!(begun.elapsed() < Duration::from_secs(20), "no {what} on\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Types a line and waits for the prompt after its answer.
    #[track_caller]
    pub fn enter(&mut self, line: &str, answer: &str) {
        self.prompt();
        self.press(line);
        self.press(ENTER);
        self.until(answer, |text| text.contains(answer) && text.ends_with("\nvjp>"));
    }

    #[track_caller]
    pub fn prompt(&self) {
        self.until("prompt", |text| text == "vjp>" || text.ends_with("\nvjp>"));
    }

    /// Waits until the program is gone.
    #[track_caller]
    pub fn left(mut self) -> (u32, tempfile::TempDir) {
        (self.ended(), self.home)
    }

    /// How long the program has worked so far, on all its threads: a busy machine makes it wait, not
    /// work. None where the system does not tell.
    pub fn worked(&self) -> Option<Duration> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.process_id()?)).ok()?;
        let nanoseconds = tasks.filter_map(|task| {
            let told = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
            told.split(' ').next()?.parse::<u64>().ok()
        });
        Some(Duration::from_nanos(nanoseconds.sum()))
    }

    /// The status of the program, which must end.
    #[track_caller]
    fn ended(&mut self) -> u32 {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(begun.elapsed() < PATIENCE, "still runs\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The cursor's row and column.
    pub fn cursor(&self) -> (u16, u16) {
        self.screen.lock().unwrap().screen().cursor_position()
    }

    pub fn row(&self) -> u16 {
        self.cursor().0
    }

    /// Whether keys are read one by one.
    pub fn raw(&self) -> bool {
        let descriptor = self.master.as_raw_fd().unwrap();
        // SAFETY: the master end is open as long as this terminal lives.
        let master = unsafe { std::os::fd::BorrowedFd::borrow_raw(descriptor) };
        let modes = rustix::termios::tcgetattr(master).unwrap();
        !modes.local_modes.contains(rustix::termios::LocalModes::ICANON)
    }

    /// Sends SIGTERM.
    pub fn terminate(&mut self) {
        let id = self.child.process_id().unwrap();
        let pid = rustix::process::Pid::from_raw(id.try_into().unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    }

    #[track_caller]
    pub fn until_column(&self, column: u16) {
        let begun = Instant::now();
        while self.cursor().1 != column {
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "the cursor stands in column {}, not {column}",
                self.cursor().1
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// What stands in a cell of the screen, and how.
    pub fn cell(&self, row: u16, column: u16) -> vt100::Cell {
        let screen = self.screen.lock().unwrap();
        screen.screen().cell(row, column).unwrap().clone()
    }

    /// Types on and waits for a last line. A busy machine may have no time for a preview: it is
    /// asked for again by another key.
    #[track_caller]
    pub fn shows(&mut self, keys: &str, last: &str) {
        self.press(keys);
        let (begun, wanted) = (Instant::now(), format!("\n{last}"));
        while !self.text().ends_with(&wanted) {
            assert!(begun.elapsed() < PATIENCE, "no {last} on\n{}", self.text());
            let asked = Instant::now();
            while asked.elapsed() < Duration::from_secs(1) && !self.text().ends_with(&wanted) {
                std::thread::sleep(Duration::from_millis(5));
            }
            if !self.text().ends_with(&wanted) {
                self.press(" ");
                self.press(BACKSPACE);
            }
        }
    }

    /// Drops what is typed.
    #[track_caller]
    pub fn drop_line(&mut self) {
        self.press(CTRL_C);
        self.prompt();
    }
}
