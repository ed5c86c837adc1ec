//! `vjp sheet`: sheets with numbers of their own out of one pattern, a file for each student.

use super::class_folder;
use super::status::Usage;
use crate::session_options::Common;
use crate::view::Face;
use crate::{Shell, interrupt};
use anyhow::{Context, Result};
use serde_json::json;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use unicode_normalization::UnicodeNormalization;
use vjp_report::Stream;
use vjp_report::json::written;
use vjp_session::drawing::search::{NoSheet, Pattern, Sheet};
use vjp_session::save::{self, Former};
use vjp_session::{Transcript, reading, transcript};
use vjp_text::visible;
use vjp_text::words::{count, list};

/// So long an input runs, unless the command line says otherwise.
const PATIENCE: Duration = Duration::from_secs(10);

/// Longer file names are cut.
const LONGEST: usize = 60;

/// What `vjp sheet` is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Order {
    pub file: PathBuf,
    pub seed: u64,
    /// A name on each line.
    pub students: Option<PathBuf>,
    /// A folder with `students`, else a file.
    pub out: Option<PathBuf>,
    pub solutions: bool,
}

/// Makes the sheets.
///
/// # Errors
/// The pattern cannot be read or solved; a file cannot be written.
pub fn run(order: &Order, common: &Common, face: Face) -> Result<u8> {
    interrupt::listen(false);
    let name = reading::called(&order.file);
    let (text, _) = reading::argument(&order.file)?;
    if !transcript::is_session(&text) {
        let hint = "a sheet has inputs after  vjp>  and a ____ for each answer";
        return Err(Usage::new(format!("{name} has no inputs"), hint).into());
    }
    let file = Transcript::parse(&text).with_context(|| name.clone())?;
    let students = order.students.as_deref().map(names).transpose()?;
    let limit = common.time_limit.or(Some(PATIENCE));
    let mut shell = Shell::standard(&Common { time_limit: limit, ..common.clone() }, face);
    shell.keep_history();
    shell.view.keep_exact();
    let pattern = Pattern::new(&file, order.seed, &mut shell);
    let pattern = pattern.map_err(|error| refused(&name, error))?;
    let mut notes = Vec::new();
    if !pattern.hidden.is_empty() {
        notes.push(hidden(&name, &pattern.hidden));
    }
    notes.extend(pattern.trimmed().iter().map(|line| trimmed(&name, *line)));
    notes.extend(pattern.told().iter().map(|(line, panel)| told(&name, *line, *panel)));
    notes.extend(students.as_deref().and_then(same_names));
    let tell = |shell: &mut Shell| {
        notes.iter().for_each(|note| shell.view.screen.write(Stream::Err, note));
    };
    let Some(students) = students else {
        let sheet = pattern.sheet("", &mut shell).map_err(|error| refused(&name, error))?;
        tell(&mut shell);
        return single(order, &sheet, &mut shell, face);
    };
    let Some(folder) = &order.out else {
        return Err(Usage::new("--students needs a folder: -o FOLDER", EXAMPLE).into());
    };
    fs::create_dir_all(folder).with_context(|| visible::name(folder))?;
    let files = file_names(&students);
    for (student, file) in students.iter().zip(&files) {
        let sheet = pattern.sheet(student, &mut shell).map_err(|error| refused(&name, error))?;
        let path = folder.join(file);
        write(&path, &sheet, order.solutions, &mut shell)?;
        if face == Face::Json {
            let told = json!({"event": "sheet", "student": student, "file": path});
            shell.view.screen.write(Stream::Out, &written(&told));
        }
    }
    tell(&mut shell);
    if face != Face::Json {
        let solutions = if order.solutions { ", each with its solutions" } else { "" };
        let folder = visible::name(folder);
        let told = format!("{folder}  {}{solutions}\n", count(files.len(), "sheet"));
        shell.view.screen.write(Stream::Out, &told);
    }
    shell.view.screen.flush();
    Ok(0)
}

pub const EXAMPLE: &str = "vjp sheet sheet.vjp --seed 7 --students names.txt -o FOLDER";

/// One sheet, on the screen or in a file.
fn single(order: &Order, sheet: &Sheet, shell: &mut Shell, face: Face) -> Result<u8> {
    match &order.out {
        Some(path) => write(path, sheet, order.solutions, shell)?,
        None => {
            let asked = if order.solutions { &sheet.solved } else { &sheet.open };
            let text = match face {
                Face::Json => written(&json!({"event": "sheet", "text": asked.to_string()})),
                _ => asked.to_string(),
            };
            shell.view.screen.write(Stream::Out, &text);
        }
    }
    shell.view.screen.flush();
    Ok(0)
}

/// Writes a sheet, and its solutions beside it; an older file that differs is kept.
fn write(path: &Path, sheet: &Sheet, solutions: bool, shell: &mut Shell) -> Result<()> {
    let mut one = |path: &Path, text: String| -> Result<()> {
        if let Some(kept) = save::save(path, text.as_bytes(), Former::Unknown)?.kept {
            let told = format!("note  the old file is kept as {}\n", visible::name(&kept));
            shell.view.screen.write(Stream::Err, &told);
        }
        Ok(())
    };
    one(path, sheet.open.to_string())?;
    if solutions {
        one(&path.with_extension("solutions.vjp"), sheet.solved.to_string())?;
    }
    Ok(())
}

/// The output of an input shows what its own blank asks for, but not in what the pattern shows of it.
fn trimmed(name: &str, line: usize) -> String {
    format!(
        "note  {name}, line {line}: the output shows the answer to its ____; its lines that are \
         not in {name} are left out\n"
    )
}

/// The output of an input shows what a blank asks for.
fn told(name: &str, line: usize, panel: bool) -> String {
    let help = match panel {
        true => ":panel off  above that input leaves the panel out",
        false => "a ____ in that output asks for it there",
    };
    format!("note  {name}, line {line}: the output shows the answer to a ____\n  help  {help}\n")
}

/// The panels of inputs show what a blank asks for.
fn hidden(name: &str, inputs: &[usize]) -> String {
    let numbers: Vec<String> = inputs.iter().map(usize::to_string).collect();
    let at = match numbers.as_slice() {
        [one] => format!("line {one}: the panel shows the answer to a ____, and is left out"),
        all => format!(
            "lines {}: the panels show the answers to ____, and are left out",
            list(all, "and")
        ),
    };
    format!("note  {name}, {at}\n  help  a panel that stands below its input in {name} stays\n")
}

/// Names that several students have.
fn same_names(students: &[String]) -> Option<String> {
    let several = |name: &&String| students.iter().filter(|other| other == name).count() > 1;
    let mut names: Vec<&str> = students.iter().filter(several).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    let list = names.join(", ");
    let note = "in the list more than once; the sheets of one name have the same numbers";
    (!names.is_empty()).then(|| format!("note  {list}: {note}\n"))
}

fn refused(name: &str, error: NoSheet) -> anyhow::Error {
    let says = format!("{name}, {error}");
    match error {
        NoSheet::Wrong { .. } => Usage::new(says, "vjp help sheet  shows how ranges are written"),
        NoSheet::NoRange => {
            let says = format!("{name} has no range in its inputs");
            Usage::new(says, "write one in place of a number: x = {1..5}")
        }
        NoSheet::Unmet { .. } => {
            return anyhow::Error::new(Hard {
                says,
                hint: "change a range in that input or above it, or its ____",
            });
        }
        NoSheet::Fails { .. } => {
            let hint = "correct that input, or what stands below it";
            return anyhow::Error::new(Hard { says, hint });
        }
        NoSheet::Io(error) => return error.into(),
    }
    .into()
}

/// A pattern without a solution.
#[derive(Debug, thiserror::Error)]
#[error("{says}")]
pub struct Hard {
    says: String,
    pub hint: &'static str,
}

/// The names of the students: the lines of a file.
fn names(path: &Path) -> Result<Vec<String>> {
    let (text, _) = reading::argument(path)?;
    let plain = |line: &str| line.nfc().filter(|c| !c.is_control()).collect::<String>();
    let lines = text.lines().map(|line| plain(line).trim().to_owned());
    let names: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    if names.is_empty() {
        let says = format!("{} has no names", reading::called(path));
        return Err(Usage::new(says, "write one name on each line").into());
    }
    Ok(names)
}

/// A file name for each student: letters and digits, the rest is a hyphen; no two can be taken for the same.
fn file_names(students: &[String]) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut taken = std::collections::HashSet::new();
    let one = |student: &String| {
        let signs = student.to_lowercase();
        let words = signs.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut stem = words.collect::<Vec<_>>().join("-");
        stem = stem.chars().take(LONGEST).collect();
        if stem.is_empty() {
            stem = "student".to_owned();
        }
        loop {
            let times = seen.entry(stem.clone()).or_insert(0);
            *times += 1;
            let name = if *times == 1 { stem.clone() } else { format!("{stem}-{times}") };
            if taken.insert(class_folder::key(&name)) {
                return format!("{name}.vjp");
            }
        }
    };
    students.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_safe_and_different() {
        let students = [
            "Anna Schmidt",
            "../../etc/passwd",
            "O'Hara, Jo",
            "anna schmidt",
            "…",
            "Zoë",
            "-o",
            "Straße",
            "Strasse",
        ];
        let names = file_names(&students.map(str::to_owned));
        assert_eq!(
            names,
            [
                "anna-schmidt.vjp",
                "etc-passwd.vjp",
                "o-hara-jo.vjp",
                "anna-schmidt-2.vjp",
                "student.vjp",
                "zoë.vjp",
                "o.vjp",
                "straße.vjp",
                "strasse-2.vjp"
            ]
        );
    }
}
