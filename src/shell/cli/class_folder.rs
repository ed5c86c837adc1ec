//! A folder of sheets, one for each student: which of them a file answers. Systems and people change names: their case,
//! how accents are encoded, what stands between words.

use super::status::Usage;
use anyhow::{Context, Result, anyhow};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization;
use vjp_session::reading;
use vjp_text::{did_you_mean, visible};

/// Beside a sheet, the same filled in.
const SOLUTIONS: &str = ".solutions.vjp";

/// A name without what may change in it: two with the same key are one.
pub fn key(name: &str) -> String {
    let folded = name.nfkc().collect::<String>().to_uppercase().to_lowercase();
    let plain: String = folded.nfkc().collect();
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// A file's name without its folder and its ending.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

pub struct Folder {
    path: PathBuf,
    /// Each with its key, in the order of their names.
    sheets: Vec<(String, PathBuf)>,
    /// The files that were looked up: their folder and their sheet.
    seen: HashMap<(PathBuf, PathBuf), PathBuf>,
}

impl Folder {
    /// # Errors
    /// The folder cannot be read.
    pub fn open(path: &Path) -> Result<Folder> {
        let entries = fs::read_dir(path).with_context(|| visible::name(path))?;
        let mut sheets: Vec<(String, PathBuf)> = Vec::new();
        for entry in entries {
            let file = entry.with_context(|| visible::name(path))?.path();
            let solves = file.to_string_lossy().ends_with(SOLUTIONS);
            if file.is_file() && !solves && file.extension().is_some_and(|e| e == "vjp") {
                sheets.push((key(&stem(&file)), file));
            }
        }
        sheets.sort();
        Ok(Folder { path: path.to_owned(), sheets, seen: HashMap::new() })
    }

    /// The sheet that a file answers.
    ///
    /// # Errors
    /// None has its name, or several; another file beside it answers the same sheet.
    pub fn sheet(&mut self, file: &Path) -> Result<PathBuf> {
        let own = key(&stem(file));
        let exact = self.path.join(file.file_name().unwrap_or_default());
        let alike = || self.sheets.iter().filter(|(key, _)| *key == own).map(|(_, path)| path);
        let found = match alike().count() {
            _ if alike().any(|path| *path == exact) => exact,
            1 => alike().next().cloned().unwrap_or(exact),
            0 => return Err(self.missing(file, &own)),
            _ => {
                let names: Vec<String> = alike().map(|path| visible::name(path)).collect();
                let says = format!("{} may be {}", reading::called(file), names.join(" or "));
                return Err(Usage::new(says, "give the file the name of its sheet").into());
            }
        };
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let first = self.seen.entry((folder, found.clone())).or_insert_with(|| file.to_owned());
        if first != file {
            return Err(anyhow!("it answers the same sheet as {}", reading::called(first)));
        }
        Ok(found)
    }

    fn missing(&self, file: &Path, own: &str) -> anyhow::Error {
        let says =
            format!("{} has no sheet for {}", visible::name(&self.path), reading::called(file));
        let near = did_you_mean::closest(own, self.sheets.iter().map(|(key, _)| key.as_str()));
        let path = near.and_then(|near| self.sheets.iter().find(|(key, _)| key == near));
        let hint = match path {
            Some((_, path)) => format!("did you mean {}?", visible::name(path)),
            None => "give the file the name of its sheet".to_owned(),
        };
        Usage::new(says, hint).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_system_changed_are_the_same() {
        let decomposed: String = "Émile Zola".nfd().collect();
        for name in ["émile-zola", "Émile Zola", "ÉMILE_ZOLA", " émile  zola ", &decomposed] {
            assert_eq!(key(name), "émile-zola", "{name}");
        }
        assert_eq!(key("Straße"), key("STRASSE"));
        assert_ne!(key("Emile Zola"), key("Émile Zola"));
        assert_ne!(key("anna"), key("anna-2"));
    }
}
