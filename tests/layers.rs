//! The layers hold: who may import whom is written here, each arrow with its reason, and read
//! from the sources themselves.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines of a file at most, so that each can be read in one go.
const LINES: usize = 700;

/// (from, to, why): every arrow between layers that the sources have.
const ARROWS: &[(&str, &str, &str)] = &[
    ("syntax", "text", "spans, names, numbers and logical lines of what is parsed"),
    ("maths", "text", "names of dtypes and numbers as people write them"),
    ("eval", "text", "spans of errors, interned names, numbers as text"),
    ("eval", "syntax", "runs the tree"),
    ("eval", "maths", "tensors, operations, graphs, the budget"),
    ("report", "eval", "events are what it draws"),
    ("report", "maths", "tensors, Jacobians and formulas inside events"),
    ("report", "text", "carets, widths, numbers as text"),
    ("session", "text", "where a plain program's inputs begin and end"),
    ("session", "report", "folds narration as reports fold their lines"),
    ("export", "session", "the inputs of a session file, and what commands do"),
    ("export", "eval", "runs the session to learn what became a leaf"),
    ("export", "maths", "dtypes, the catalogue's names"),
    ("export", "syntax", "changes the text where the tree differs"),
    ("export", "text", "spans, and names spelled as Python takes them"),
    ("shell", "export", "writes programs"),
    (
        "session",
        "eval",
        "what wrong answers would be right for is computed from the backwards that happened",
    ),
    ("session", "maths", "J of those backwards, entry by entry; places of their operations"),
    ("shell", "session", "replays, checks and saves what it ran"),
    ("shell", "report", "draws what happened"),
    ("shell", "eval", "owns the machine"),
    ("shell", "maths", "the budget's limits, the default dtype, the catalogue for help"),
    ("shell", "syntax", "the parser's verdict on what is being typed"),
    ("shell", "text", "when an input is complete; counts in words"),
];

/// From the bottom to the top; `syntax` and `maths` stand side by side.
const LAYERS: &[&[&str]] = &[
    &["text"],
    &["syntax", "maths"],
    &["eval"],
    &["report"],
    &["session"],
    &["export"],
    &["shell"],
];

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

/// The layer of a file, where it is in one.
fn layer_of(path: &Path) -> Option<String> {
    let inside = path.strip_prefix(src()).unwrap();
    let first = inside.components().next()?.as_os_str().to_str()?;
    LAYERS.iter().flat_map(|l| l.iter()).any(|l| *l == first).then(|| first.to_owned())
}

/// Layers that a text names after `crate::`, also in `use crate::{a, b}`.
fn named(text: &str) -> Vec<&str> {
    let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
    code.flat_map(|line| {
        line.match_indices("crate::").flat_map(|(at, found)| {
            let rest = &line[at + found.len()..];
            let list = match rest.strip_prefix('{') {
                Some(inside) => inside.split('}').next().unwrap_or(inside),
                None => {
                    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(rest)
                }
            };
            list.split(',')
                .map(|item| item.trim().split("::").next().unwrap_or(""))
                .collect::<Vec<_>>()
        })
    })
    .collect()
}

fn height(layer: &str) -> Option<usize> {
    LAYERS.iter().position(|l| l.contains(&layer))
}

#[test]
fn every_arrow_is_allowed_and_has_its_reason() {
    let mut found = BTreeSet::new();
    for path in sources(&src()) {
        let Some(from) = layer_of(&path) else {
            continue;
        };
        let text = fs::read_to_string(&path).unwrap();
        for to in named(&text) {
            if height(to).is_none() || to == from {
                continue;
            }
            assert!(
                ARROWS.iter().any(|(f, t, _)| *f == from && *t == to),
                "{} imports {to}: {from} may not, or the arrow is not in tests/layers.rs",
                path.display()
            );
            found.insert((from.clone(), to.to_owned()));
        }
    }
    for (from, to, why) in ARROWS {
        assert!(!why.is_empty());
        assert!(height(from) > height(to), "{from} → {to} points upwards");
        assert!(
            found.contains(&((*from).to_owned(), (*to).to_owned())),
            "{from} → {to} is listed, but nothing uses it"
        );
    }
}

#[test]
fn a_forbidden_import_would_be_seen() {
    assert_eq!(named("use crate::shell::cli;"), ["shell"]);
    assert_eq!(named("use crate::{eval::event, report};"), ["eval", "report"]);
    assert_eq!(named("    let x = crate::maths::budget::size(1);"), ["maths"]);
    assert!(named("// crate::shell is above").is_empty());
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

/// Words of a stilted voice, which no sentence for people has: `is no leaf`, `tells`, `of its own` …
const STILTED: &str = r"\b(is|are) no\b|\btells?\b|\btold\b|\bany more\b|\bof its own\b|\bstands? for\b|\bshall\b|\bif not said\b|\bonce more\b|\bweigh(s|ed)?\b|\bways? out\b";

/// Layers whose sentences are held to it.
const PLAIN: &[&str] = &["shell", "report", "session", "syntax", "text"];

#[test]
fn sentences_are_plain() {
    let literal = regex::Regex::new(r#""(?:[^"\\]|\\.)* (?:[^"\\]|\\.)*""#).unwrap();
    let stilted = regex::Regex::new(STILTED).unwrap();
    let said = |sentence: &str| stilted.is_match(&sentence.replace("there is no", ""));
    let mut found = Vec::new();
    for path in sources(&src()) {
        if layer_of(&path).is_some_and(|layer| PLAIN.contains(&layer.as_str())) {
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
