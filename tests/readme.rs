//! README says what is so: its panel is drawn, its commands come first, its index names every session.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The fenced blocks of one language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_string()).collect()
}

#[test]
fn the_panel_is_the_one_that_is_drawn() {
    let first = blocks(&read("README.md"), "text").remove(0);
    assert_eq!(first, read("sessions/screens/01-the-card.vjp"));
}

#[test]
fn two_commands_do_all() {
    let commands: Vec<String> = blocks(&read("README.md"), "sh")
        .iter()
        .flat_map(|b| b.lines().map(str::to_string).collect::<Vec<_>>())
        .filter(|l| l.starts_with("cargo"))
        .take(2)
        .collect();
    assert_eq!(commands, ["cargo run --release", "cargo test"]);
}

#[test]
fn the_index_names_every_session() {
    let readme = read("README.md");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(readme.contains(&format!("sessions/{name}")), "README does not name {name}");
    }
}

#[test]
fn the_programs_run() {
    for program in blocks(&read("README.md"), "python") {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_vjp"))
            .args(["run", "--plain", "--strict", "-"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), program.as_bytes()).unwrap();
        let out = child.wait_with_output().unwrap();
        assert!(out.status.success(), "{program}");
    }
}
