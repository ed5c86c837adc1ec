//! The config file: settings of the prompt, one `name = value` a line, the names those of `:set`.

use crate::Shell;
use crate::commands::settings;
use std::path::{Path, PathBuf};
use vjp_session::reading::{self, ReadError};
use vjp_text::visible;

/// Where it is: `VJP_CONFIG`, or the platform's place. `VJP_CONFIG` set and empty: none.
pub fn locate() -> Option<PathBuf> {
    match std::env::var_os("VJP_CONFIG") {
        Some(path) => (!path.is_empty()).then(|| PathBuf::from(path)),
        None => Some(
            crate::prompt::history::platform("XDG_CONFIG_HOME", ".config")?
                .join("vjp")
                .join("config.toml"),
        ),
    }
}

/// Applies the file to a prompt that starts; `fixed` are settings that the command line gave. What is
/// wrong in it is reported with its place; the rest applies.
pub fn apply(shell: &mut Shell, path: &Path, fixed: &[&str]) -> Vec<String> {
    match reading::text(path) {
        Ok((text, _)) => lines(shell, &text, &visible::name(path), fixed),
        Err(ReadError::Missing(..)) => Vec::new(),
        Err(error) => vec![error.to_string()],
    }
}

fn lines(shell: &mut Shell, text: &str, file: &str, fixed: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let Some((name, value)) = line.split_once('=') else {
            wrong.push(format!("{file}:{}: `{line}` is not `name = value`", n + 1));
            continue;
        };
        let (name, value) = (name.trim(), value.trim().trim_matches('"'));
        let value = match value {
            "true" => "on",
            "false" => "off",
            value => value,
        };
        if fixed.contains(&name) {
            continue;
        }
        if let Err(problem) = settings::set(shell, name, value) {
            wrong.push(format!("{file}:{}: {problem}", n + 1));
        }
    }
    wrong
}
