//! The page's engine gives the text that the terminal gives: every session runs through it in Node.

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// Where `cargo build --profile page --target wasm32-unknown-unknown -p vjp-page-engine` puts it.
const ENGINE: &str = "target/wasm32-unknown-unknown/page/vjp_page_engine.wasm";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files below a folder whose names end so.
fn below(folder: &Path, ending: &str, all: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        match path.is_dir() {
            true => below(&path, ending, all),
            false if path.to_string_lossy().ends_with(ending) => all.push(path),
            false => {}
        }
    }
    all.sort();
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// The engine, where it is built from the sources as they are, and Node can run it.
fn engine() -> Option<PathBuf> {
    let engine = root().join(ENGINE);
    let Some(built) = changed(&engine) else {
        eprintln!("SKIPPED: there is no {ENGINE}; README's \"As a page\" names the command");
        return None;
    };
    let mut sources = Vec::new();
    below(&root().join("src"), ".rs", &mut sources);
    if sources.iter().any(|s| changed(s) > Some(built)) {
        eprintln!("SKIPPED: {ENGINE} is older than the sources");
        return None;
    }
    let node = Command::new("node").arg("--version").stdout(Stdio::null()).status();
    if !node.is_ok_and(|s| s.success()) {
        eprintln!("SKIPPED: no node here");
        return None;
    }
    Some(engine)
}

/// Answers of one engine to questions, in order.
fn asked(engine: &Path, questions: &[Value]) -> Vec<Value> {
    let mut node = Command::new("node")
        .arg(root().join("tests/page/engine.mjs"))
        .arg(engine)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines: String = questions.iter().map(|q| format!("{q}\n")).collect();
    let mut stdin = node.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = node.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_session_gives_the_same_text() {
    let Some(engine) = engine() else { return };
    let mut files = Vec::new();
    below(&root().join("sessions"), ".vjp", &mut files);
    assert!(files.len() > 50);
    below(&root().join("tests/data/sentences"), ".vjp", &mut files);
    let texts: Vec<String> = files.iter().map(|f| fs::read_to_string(f).unwrap()).collect();
    let questions: Vec<Value> =
        texts.iter().map(|text| json!({"ask": "bless", "text": text})).collect();
    let answers = asked(&engine, &questions);
    assert_eq!(answers.len(), files.len(), "the engine ended early");
    let other = files
        .iter()
        .zip(&texts)
        .zip(&answers)
        .filter(|((_, text), answer)| answer["session"].as_str() != Some(text.as_str()));
    let other: Vec<_> = other.map(|((file, _), answer)| format!("{file:?}: {answer}")).collect();
    assert!(other.is_empty(), "{} differ:\n{}", other.len(), other.join("\n"));
}

#[test]
fn deep_calls_and_brackets_are_answered() {
    let Some(engine) = engine() else { return };
    let input = |text: &str| json!({"ask": "input", "text": text});
    let deep = format!("{}1{}", "(".repeat(150), ")".repeat(150));
    let answers = asked(
        &engine,
        &[
            input("def f(n): return 0 if n == 0 else 1 + f(n - 1)\n"),
            input("f(900)"),
            input("f(5000)"),
            input(&deep),
            input(&"[".repeat(5000)),
            input("torch.ones(100000, 100000)"),
            input("2 + 2"),
        ],
    );
    let first = |k: usize| answers[k]["output"][0].as_str().unwrap_or_default().to_owned();
    assert_eq!(answers.len(), 7);
    assert_eq!([first(1), first(3), first(6)], ["900", "1", "4"]);
    assert!(first(2).contains("RecursionError"), "{}", first(2));
    assert!(first(4).starts_with("error") && first(5).starts_with("error"));
}
