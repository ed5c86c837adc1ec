//! Commands that touch files, and leaving.

use crate::interrupt::Evaluating;
use crate::screen::Origin;
use crate::shell::Setting;
use crate::{Ended, Problem, Shell};
use std::path::{Path, PathBuf};
use vjp_session::replay::Role;
use vjp_session::save::{self, Former, Stamp};
use vjp_session::transcript::prompted;
use vjp_session::{Player, Transcript, program, reading};
use vjp_text::visible;
use vjp_text::words::{count, list};

/// What stands where a session is to be saved.
enum There {
    Nothing,
    /// `whole`: the new text holds all of it.
    Session {
        stamp: Stamp,
        whole: bool,
    },
    Other(Option<Stamp>),
}

impl There {
    fn look(path: &Path, new: &Transcript) -> There {
        match reading::text(path) {
            // Saving reports what it cannot replace.
            Err(error) if error.hides() => There::Other(None),
            Err(_) => There::Nothing,
            Ok((text, _)) if text.is_empty() => There::Nothing,
            Ok((text, stamp)) => match program::is_session(&text) {
                true => There::Session {
                    stamp,
                    whole: program::read(&text).is_ok_and(|(old, _)| new.holds(&old)),
                },
                false => There::Other(Some(stamp)),
            },
        }
    }
}

/// `:save FILE`, `:save! FILE`
pub fn save(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let (insists, args) = match args.strip_prefix('!') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, args),
    };
    let path = file_name(args, ":save lesson.vjp", "writes the session so far")?;
    let session = shell.view.session();
    let there = There::look(&path, &session);
    let seen = shell.files.get(&path).filter(|_| !insists);
    let former = match &there {
        There::Nothing => Former::Unknown,
        There::Session { stamp, whole: true } => Former::Known(seen.unwrap_or(stamp)),
        There::Session { stamp, whole: false } => Former::Kept(seen.unwrap_or(stamp)),
        There::Other(Some(stamp)) if insists => Former::Kept(stamp),
        There::Other(None) if insists => Former::Unknown,
        There::Other(_) => {
            return Err(Problem::new(format!("{} is not a session file", visible::name(&path)))
                .help(format!(":save! {args}"), "replaces it and keeps the old file"));
        }
    };
    let saved =
        save::save(&path, program::written(&session, &path).as_bytes(), former).map_err(|e| {
            Problem::new(e.to_string()).help(":save other.vjp", "writes to another file")
        })?;
    shell.files.insert(path.clone(), saved.stamp);
    shell.unsaved = 0;
    let inputs = count(session.steps.len(), "input");
    let mut said = format!("saved {inputs} to {}", visible::name(&path));
    if let Some(older) = saved.kept {
        said += &format!("; the old file is kept as {}", visible::name(&older));
    }
    if shell.stopped > 0 {
        said += &format!(", without {} that did not finish", count(shell.stopped, "input"));
    }
    shell.view.aside(&(said + "\n"));
    Ok(Ended::Well)
}

/// `:load FILE`
pub fn load(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let path = file_name(args, ":load lesson.vjp", "runs a session file here")?;
    let listening = Evaluating::begin(shell.common.time_limit);
    let (text, stamp) = reading::text(&path)?;
    let (loaded, session) = program::read(&text)
        .map_err(|problem| Problem::new(format!("{}: {problem}", visible::name(&path))))?;
    drop(listening);
    shell.files.insert(path, stamp);
    shell.view.screen.origin = Origin::Session;
    let before = std::mem::replace(&mut shell.setting, Setting::Replayed);
    shell.skipped.clear();
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
    if ended != Ended::Interrupted {
        for line in &loaded.tail {
            let _ = shell.line(line, Role::Narration);
        }
        shell.view.narrate(&loaded.tail);
    }
    shell.setting = before;
    let skipped: Vec<String> = shell.skipped.drain(..).collect();
    if !skipped.is_empty() && shell.setting == Setting::Live {
        let all = list(&skipped, "and");
        let them = if skipped.len() == 1 { "it" } else { "them" };
        shell.view.aside(&format!("only shown: {all}; type {them} here to carry {them} out\n"));
    }
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

/// `:quit`
pub fn quit(shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    if shell.interactive && shell.unsaved > 0 && !shell.warned {
        shell.warned = true;
        shell.view.aside(&format!(
            "{} not saved. :save lesson.vjp saves {}; exit again or Ctrl-D leaves anyway.\n",
            count(shell.unsaved, "input"),
            if shell.unsaved == 1 { "it" } else { "them" }
        ));
        return Ok(Ended::Well);
    }
    shell.leaving = true;
    Ok(Ended::Well)
}

/// The one argument that is a path: quotes may stand around it, `~/` is the home folder.
pub(crate) fn file_name(args: &str, example: &str, says: &str) -> Result<PathBuf, Problem> {
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
