//! Runs the program as a person would and compares all of what it says.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// One run of `vjp`: arguments and input, then what is expected. Whole texts are compared.
pub struct Test {
    args: Vec<String>,
    stdin: Vec<u8>,
    env: Vec<(String, String)>,
    folder: tempfile::TempDir,
    stdout: Option<String>,
    stderr: Option<String>,
    status: Option<i32>,
}

#[allow(dead_code)]
impl Test {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Test {
        Test {
            args: Vec::new(),
            stdin: Vec::new(),
            env: Vec::new(),
            folder: tempfile::tempdir().unwrap(),
            stdout: Some(String::new()),
            stderr: Some(String::new()),
            status: Some(0),
        }
    }

    pub fn args(mut self, args: &[&str]) -> Test {
        self.args.extend(args.iter().map(|a| (*a).to_owned()));
        self
    }

    pub fn stdin(mut self, text: impl AsRef<[u8]>) -> Test {
        self.stdin = text.as_ref().to_vec();
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Test {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A file in the folder where the program runs.
    pub fn file(self, name: &str, text: &str) -> Test {
        std::fs::write(self.folder.path().join(name), text).unwrap();
        self
    }

    pub fn stdout(mut self, text: &str) -> Test {
        self.stdout = Some(text.to_owned());
        self
    }

    pub fn stderr(mut self, text: &str) -> Test {
        self.stderr = Some(text.to_owned());
        self
    }

    /// What it says is looked at by the caller.
    pub fn any_stdout(mut self) -> Test {
        self.stdout = None;
        self
    }

    pub fn any_stderr(mut self) -> Test {
        self.stderr = None;
        self
    }

    pub fn status(mut self, status: i32) -> Test {
        self.status = Some(status);
        self
    }

    /// Only that it ends by itself.
    pub fn any_status(mut self) -> Test {
        self.status = None;
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vjp"));
        command
            .args(&self.args)
            .current_dir(self.folder.path())
            .env("VJP_HISTORY", "")
            .env_remove("NO_COLOR")
            .env("LC_ALL", "C.UTF-8")
            .envs(self.env.iter().map(|(n, v)| (n, v)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs it and compares.
    pub fn run(self) -> Ran {
        let command = self.command();
        self.run_as(command)
    }

    /// Runs another command in its stead: the same one under a limit.
    pub fn run_as(self, mut command: Command) -> Ran {
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let text = self.stdin.clone();
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(&text);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        self.compare(&output);
        Ran { stdout: text_of(output.stdout), stderr: text_of(output.stderr), folder: self.folder }
    }

    fn compare(&self, output: &Output) {
        let (out, err) = (text_of(output.stdout.clone()), text_of(output.stderr.clone()));
        if let Some(expected) = &self.stdout {
            assert_eq!(&out, expected, "standard output of {:?}; errors:\n{err}", self.args);
        }
        if let Some(expected) = &self.stderr {
            assert_eq!(&err, expected, "standard error of {:?}; output:\n{out}", self.args);
        }
        let (out, err): (String, String) =
            (out.chars().take(2000).collect(), err.chars().take(2000).collect());
        let status = output.status.code();
        let right = status.is_some() && (self.status.is_none() || self.status == status);
        assert!(right, "status {status:?} of {:?}\n{out}\n{err}", self.args);
    }
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// What a run left behind.
#[allow(dead_code)]
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    folder: tempfile::TempDir,
}

#[allow(dead_code)]
impl Ran {
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Names of the files there, sorted.
    pub fn files(&self) -> Vec<String> {
        names(self.folder.path())
    }
}

#[allow(dead_code)]
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut all: Vec<String> =
        entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    all.sort();
    all
}
