//! Programs to check the language on: the recorded corpus, our sessions, the README.

use std::path::{Path, PathBuf};

pub struct Text {
    pub name: String,
    pub text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Programs of the recorded corpus.
pub fn recorded() -> Vec<Text> {
    let text = |entry: &serde_json::Value, part: &str| entry[part].as_str().unwrap().to_string();
    let lines = include_str!("../corpus/recorded.jsonl").lines();
    let entries = lines.map(|line| serde_json::from_str(line).unwrap());
    entries.map(|e| Text { name: text(&e, "id"), text: text(&e, "program") }).collect()
}

/// Files of a folder by the end of their name, sorted.
pub fn files(folder: &Path, end: &str) -> Vec<Text> {
    let mut paths: Vec<PathBuf> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.map(|e| e.unwrap().path()).collect(),
        Err(_) => Vec::new(),
    };
    paths.retain(|p| p.extension().is_some_and(|e| e == end));
    paths.sort();
    let read = |p: &PathBuf| Text {
        name: p.display().to_string(),
        text: std::fs::read_to_string(p).unwrap(),
    };
    paths.iter().map(read).collect()
}

/// The inputs of our session files and of the sessions that README shows; commands left out.
pub fn sessions() -> Vec<Text> {
    let mut out = Vec::new();
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap_or_default();
    let mut texts = files(&root().join("sessions"), "vjp");
    texts.push(Text { name: "README.md".into(), text: readme });
    for file in texts {
        for (n, text) in inputs(&file.text).into_iter().enumerate() {
            out.push(Text { name: format!("{} input {}", file.name, n + 1), text });
        }
    }
    out
}

/// What stands behind `vjp> ` and `...> `, one text an input. Answers that are errors of syntax
/// mark inputs that are meant not to parse: they are left out.
fn inputs(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut refused = Vec::new();
    for line in text.lines() {
        let rest = |mark: &str| {
            let bare = (line == mark.trim_end()).then_some("");
            line.strip_prefix(mark).or(bare)
        };
        if let Some(input) = rest("vjp> ") {
            // README shows what the prompt shows while a line is typed.
            let typed = input.split("  → ").next().unwrap_or(input);
            out.push(format!("{typed}\n"));
        } else if let (Some(input), Some(last)) = (rest("...> "), out.last_mut()) {
            last.push_str(&format!("{input}\n"));
        } else if line.contains("SyntaxError") || line.contains("IndentationError") {
            refused.push(out.len());
        }
    }
    let keep = |(n, text): (usize, String)| {
        (!text.starts_with(':') && !refused.contains(&(n + 1))).then_some(text)
    };
    out.into_iter().enumerate().filter_map(keep).collect()
}
