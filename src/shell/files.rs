//! Commands that touch files, and leaving.

use super::complete::Choice;
use super::fault::Problem;
use super::shell::{Ended, Setting, Shell};
use crate::session::program;
use crate::session::replay::{Player, Role};
use crate::session::save::{self, Former, Stamp};
use crate::session::transcript::{self, Transcript, prompted};
use crate::text::words::count;
use std::io::Read;
use std::path::{Path, PathBuf};

/// `:save FILE`
pub fn save(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let path = file_name(args, ":save lesson.vjp", "writes the session so far")?;
    let transcript = shell.view.transcript().cloned().unwrap_or_default();
    let contents = transcript.to_string();
    let former = shell.files.get(&path).map_or(Former::Unknown, Former::Known);
    let saved = save::save(&path, contents.as_bytes(), former).map_err(|e| {
        Problem::new(e.to_string()).help(":save other.vjp", "writes to another file")
    })?;
    shell.files.insert(path.clone(), saved.stamp);
    shell.unsaved = 0;
    let kept = match saved.kept {
        Some(older) => format!("; the older file is {}", older.display()),
        None => String::new(),
    };
    shell.view.aside(&format!(
        "saved {} to {}{kept}\n",
        count(transcript.steps.len(), "input"),
        path.display()
    ));
    Ok(Ended::Well)
}

/// `:load FILE`
pub fn load(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let path = file_name(args, ":load lesson.vjp", "runs a session file here")?;
    let (text, stamp) = read(&path)?;
    let session = transcript::is_session(&text);
    let loaded = match session {
        true => Transcript::parse(&text)
            .map_err(|e| Problem::new(format!("{}: {e}", path.display())))?,
        false => program::as_session(&text),
    };
    shell.files.insert(path, stamp);
    let before = std::mem::replace(&mut shell.setting, Setting::Replayed);
    let mut ended = Ended::Well;
    for step in &loaded.steps {
        for line in &step.narration {
            let _ = shell.line(line, Role::Narration);
        }
        for line in prompted(&step.input) {
            let _ = shell.line(&line, Role::Input);
        }
        shell.view.narrate(&step.narration);
        let (now, _) = shell.input(&step.text());
        shell.view.screen.fresh_line();
        ended = if now == Ended::Well { ended } else { now };
        // A session shows its errors as outputs; a program ends at its first one.
        if now == Ended::Interrupted || (now == Ended::Failed && !session) {
            break;
        }
    }
    shell.setting = before;
    Ok(match (session, ended) {
        (true, Ended::Failed) => Ended::Well,
        _ => ended,
    })
}

/// `:fix`
pub fn fix(shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    let Some(text) = shell.mended.take() else {
        let problem = Problem::new("there is no block to indent");
        return Err(problem.help(":help fix", "explains it"));
    };
    if shell.interactive {
        shell.offered = Some(text);
    } else {
        shell.view.aside(&text);
    }
    Ok(Ended::Well)
}

/// `:edit`
pub fn edit(shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    let editor = ["VISUAL", "EDITOR"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|v| !v.trim().is_empty()))
        .unwrap_or_else(|| "vi".to_owned());
    let last = shell
        .view
        .transcript()
        .and_then(|t| t.steps.last())
        .map(transcript::Step::text)
        .unwrap_or_default();
    let failed = |e: std::io::Error| {
        Problem::new(format!("{editor}: {e}")).help("EDITOR=nano vjp", "chooses an editor")
    };
    let file = tempfile::Builder::new().suffix(".py").tempfile().map_err(failed)?;
    std::fs::write(file.path(), format!("{last}\n")).map_err(failed)?;
    shell.view.screen.flush();
    // The shell reads $EDITOR as git does: it may bring options along.
    let status = std::process::Command::new("sh")
        .arg("-c")
        .arg(format!("{editor} \"$1\""))
        .arg("sh")
        .arg(file.path())
        .status()
        .map_err(failed)?;
    let text = std::fs::read_to_string(file.path()).map_err(failed)?;
    let text = text.trim_end();
    if !status.success() || text.is_empty() || text == last {
        shell.view.aside("nothing to evaluate\n");
        return Ok(Ended::Well);
    }
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for line in prompted(&lines) {
        let _ = shell.line(&line, Role::Input);
    }
    Ok(shell.input(text).0)
}

/// `:quit`
pub fn quit(shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    if shell.interactive && shell.unsaved > 0 && !shell.warned {
        shell.warned = true;
        shell.view.aside(&format!(
            "{} not saved. :save lesson.vjp saves {}; exit again to leave anyway.\n",
            count(shell.unsaved, "input"),
            if shell.unsaved == 1 { "it" } else { "them" }
        ));
        return Ok(Ended::Well);
    }
    shell.leaving = true;
    Ok(Ended::Well)
}

/// Session files and programs whose path begins so, folders with a slash; each with its first
/// line of narration.
pub fn beginning(typed: &str) -> Vec<Choice> {
    let (folder, begun) = match typed.rfind('/') {
        Some(slash) => typed.split_at(slash + 1),
        None => ("", typed),
    };
    let place = match (folder, folder.strip_prefix("~/"), std::env::var_os("HOME")) {
        ("", ..) => PathBuf::from("."),
        (_, Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(folder),
    };
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let wanted =
                name.starts_with(begun) && (begun.starts_with('.') || !name.starts_with('.'));
            let path = entry.path();
            wanted.then(|| match path.is_dir() {
                true => Choice::new(format!("{folder}{name}/"), "folder"),
                false => Choice::new(format!("{folder}{name}"), title(&path)),
            })
        })
        .collect()
}

/// The first line of a session's narration or a program's comment.
fn title(path: &Path) -> String {
    let known = path.extension().is_some_and(|e| e == "vjp" || e == "py");
    let mut start = [0; 256];
    let read = std::fs::File::open(path).and_then(|mut f| f.read(&mut start));
    let text = String::from_utf8_lossy(&start[..read.unwrap_or(0)]).into_owned();
    let first = text.lines().next().and_then(|l| l.strip_prefix('#'));
    first.filter(|_| known).map_or(String::new(), |l| l.trim().to_owned())
}

/// Reads a text file.
///
/// # Errors
/// It is not there, is no file, is no UTF-8.
pub fn read(path: &Path) -> Result<(String, Stamp), Problem> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|e| Problem::new(format!("{name}: {e}")))?;
    let stamp = Stamp::of(&bytes);
    match String::from_utf8(bytes) {
        Ok(text) => Ok((text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text), stamp)),
        Err(_) => Err(Problem::new(format!("{name} is no UTF-8 text"))),
    }
}

/// The one argument that is a path: quotes may stand around it, `~/` is the home folder.
fn file_name(args: &str, example: &str, says: &str) -> Result<PathBuf, Problem> {
    let bare =
        ['"', '\''].iter().find_map(|q| args.strip_prefix(*q)?.strip_suffix(*q)).unwrap_or(args);
    if bare.is_empty() {
        return Err(Problem::new("a file name is missing").help(example, says));
    }
    Ok(match (bare.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(bare),
    })
}
