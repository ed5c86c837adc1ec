//! The house: no file is too long to read, each says what it is for, and its sentences are plain.

use std::fs;
use std::path::{Path, PathBuf};

/// Lines of a file at most, so that each can be read in one go.
const LINES: usize = 700;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(sources(&path)),
            false if path.extension().is_some_and(|e| e == "rs") => all.push(path),
            false => {}
        }
    }
    all.sort();
    all
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The crate of a file, by its folder.
fn crate_of(path: &Path) -> String {
    let inside = path.strip_prefix(src()).unwrap();
    inside.iter().next().unwrap().to_string_lossy().into_owned()
}

#[test]
fn no_file_is_longer_than_can_be_read_in_one_go() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for path in sources(&src()).into_iter().chain(sources(&tests)) {
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().count();
        assert!(lines <= LINES, "{} has {lines} lines", path.display());
        assert!(text.starts_with("//!"), "{} does not say what it is for", path.display());
    }
}

/// Entries of a folder at most, so that a glance takes it in.
const ENTRIES: usize = 20;

fn folders(folder: &Path, all: &mut Vec<PathBuf>) {
    all.push(folder.to_path_buf());
    let entries = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    entries.filter(|p| p.is_dir()).for_each(|p| folders(&p, all));
}

#[test]
fn a_glance_takes_in_a_folder() {
    let mut all = Vec::new();
    folders(&src(), &mut all);
    let full = all.iter().filter(|f| fs::read_dir(f).unwrap().count() > ENTRIES);
    let full: Vec<_> = full.map(|f| f.display().to_string()).collect();
    assert!(full.is_empty(), "more than {ENTRIES} entries: {}", full.join(", "));
}

/// Words of a stilted voice, which no sentence for people has: `is no leaf`, `tells`, `of its own` …
const STILTED: &str = r"\b(is|are) no\b|\btells?\b|\btold\b|\bany more\b|\bof its own\b|\bstands? for\b|\bshall\b|\bif not said\b|\bonce more\b|\bweigh(s|ed)?\b|\bways? out\b";

/// Crates whose sentences are held to it.
const PLAIN: &[&str] = &["shell", "report", "session", "syntax", "text"];

#[test]
fn sentences_are_plain() {
    let literal = regex::Regex::new(r#""(?:[^"\\]|\\.)* (?:[^"\\]|\\.)*""#).unwrap();
    let stilted = regex::Regex::new(STILTED).unwrap();
    let said = |sentence: &str| stilted.is_match(&sentence.replace("there is no", ""));
    let mut found = Vec::new();
    for path in sources(&src()) {
        if PLAIN.contains(&crate_of(&path).as_str()) {
            let text = fs::read_to_string(&path).unwrap();
            let lines = text.lines().filter(|l| !l.trim_start().starts_with("//"));
            let sentences = lines.flat_map(|l| literal.find_iter(l)).map(|m| m.as_str());
            found.extend(sentences.filter(|s| said(s)).map(|s| format!("{}: {s}", path.display())));
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["", "exercises", "pytorch", "questions", "screens"] {
        for entry in fs::read_dir(root.join("sessions").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let narration = text.lines().filter(|l| l.starts_with("# ") && said(l));
            found.extend(narration.map(|l| format!("{}: {l}", path.display())));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(said("x is no leaf any more") && !said("there is no panel 0"));
}
