//! README says what is so: its panel is drawn, its commands come first, its index names every session.

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

/// Inputs with the lines below each.
fn inputs(session: &str) -> Vec<(&str, Vec<&str>)> {
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in session.lines() {
        match (line.strip_prefix("vjp> "), all.last_mut()) {
            (Some(input), _) => all.push((input, Vec::new())),
            (None, Some((_, below))) => below.push(line),
            (None, None) => {}
        }
    }
    all
}

/// One session through all the examples: what README shows below an input is a part of what comes.
#[test]
fn the_examples_come_out_so() {
    let blocks = blocks(&read("README.md"), "text");
    // Typing with its preview, and the command line, are no session.
    let examples = blocks.iter().filter(|b| b.starts_with("vjp> ") && !b.contains("  → ["));
    let examples: String = examples.map(String::as_str).collect();
    let readme = inputs(&examples);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("readme.vjp");
    let lines: String = readme.iter().map(|(input, _)| format!("vjp> {input}\n")).collect();
    fs::write(&file, lines).unwrap();
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_vjp"))
        .args(["replay".as_ref(), file.as_os_str()])
        .output()
        .unwrap();
    let out = String::from_utf8(out.stdout).unwrap();
    let came = inputs(&out);
    assert!(readme.len() > 10 && readme.len() == came.len(), "{out}");
    for ((input, shown), (_, came)) in readme.iter().zip(&came) {
        let part = shown.is_empty() || came.windows(shown.len()).any(|w| w == shown.as_slice());
        assert!(part, "{input}\n{}\ncomes as\n{}", shown.join("\n"), came.join("\n"));
    }
}
