//! How a command is called: recognised in an input and run.

pub mod asking;
pub mod check;
#[cfg_attr(target_arch = "wasm32", path = "../in_a_page/edit.rs")]
pub mod edit;
pub mod files;
pub mod graph;
pub mod networks;
pub mod plots;
pub mod settings;
pub mod state;
pub mod step;
pub mod table;

use super::fault::Problem;
use super::shell::{Ended, Setting, Shell};
use crate::commands::table::{Recorded, behind, find};
use std::panic::{AssertUnwindSafe, catch_unwind};
use vjp_eval::Machine;
use vjp_text::Source;

/// A command as it was typed: its name and the rest of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    name: String,
    rest: String,
}

/// The command in an input, if it is one: `:name rest`, or a newcomer's `help`, `exit`, `?sin`
/// where no such name is defined.
pub fn spoken(typed: &str, machine: &Machine) -> Option<Spoken> {
    let text = typed.trim();
    let say = |name: &str, rest: &str| {
        Some(Spoken { name: name.to_owned(), rest: rest.trim().to_owned() })
    };
    if let Some(line) = text.strip_prefix(':') {
        let end = line
            .find(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '?'))
            .unwrap_or(line.len());
        return match line.split_at(end) {
            ("", rest) => say("help", rest),
            (name, rest) => say(name, rest),
        };
    }
    if text.contains('\n') {
        return None;
    }
    let topic = |s: &str| s.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'));
    // Notebooks have `relu??`, too.
    if text.starts_with('?') || text.ends_with('?') {
        let word = text.trim_matches('?').trim();
        return topic(word).then(|| say("help", word)).flatten();
    }
    let (word, argument) = match text.split_once('(') {
        Some((word, rest)) => (word.trim(), rest.strip_suffix(')')?.trim()),
        None => (text, ""),
    };
    let name = match word {
        "help" => "help",
        "exit" | "quit" if argument.is_empty() => "quit",
        _ => return None,
    };
    let hidden = machine.names().iter().any(|(name, _)| name == word);
    (!hidden && topic(argument)).then(|| say(name, argument)).flatten()
}

/// Runs a command; also says whether the session file keeps the input.
pub fn run(shell: &mut Shell, spoken: &Spoken, typed: &str) -> (Ended, bool) {
    let command = match find(&spoken.name) {
        Ok(command) => command,
        Err(problem) => {
            shell.complain(problem.at(typed.trim()));
            return (Ended::Failed, true);
        }
    };
    let rest = behind(command, &spoken.name, &spoken.rest);
    // What takes no code takes no statement behind it either.
    let takes_more = ["CODE", "=", "FILE"].iter().any(|code| command.args.contains(code));
    let other = rest.split_once(';').filter(|_| !takes_more);
    if let Some((own, _)) = other {
        let problem = Problem::new("a command needs its own line");
        let code = format!(":{} {}", command.name, own.trim());
        shell.complain(problem.help(code.trim_end(), "on its own line").at(typed.trim()));
        return (Ended::Failed, true);
    }
    if command.args.is_empty() && !rest.trim().is_empty() {
        let problem = Problem::new(format!(":{} takes no argument", command.name));
        let help = problem.help(format!(":{}", command.name), command.one_line);
        shell.complain(help.at(typed.trim()));
        return (Ended::Failed, true);
    }
    // `:graph of y`
    let of = rest.trim_start().strip_prefix("of ").filter(|_| !shell.machine.binds("of"));
    let rest = of.unwrap_or(rest);
    let recorded = command.recorded == Recorded::Yes;
    if shell.setting == Setting::Replayed && !recorded {
        // Shown, not carried out: a file must not write files or end a lesson.
        shell.skipped.push(typed.trim().to_owned());
        return (Ended::Well, true);
    }
    let takes_code = ["CODE", "VALUE", "NUMBERS", "F"]
        .iter()
        .any(|word| command.args.split(|c: char| !c.is_alphabetic()).any(|part| part == *word));
    shell.view.command = takes_code.then(|| (command.name, rest.trim().to_owned()));
    let ended = catch_unwind(AssertUnwindSafe(|| (command.run)(shell, rest)));
    shell.view.command = None;
    let ended = ended.unwrap_or_else(|_| {
        let says = "this is a bug in vjp, not in your program";
        shell.defect(&Source::new(typed.trim()), says);
        Ok(Ended::Failed)
    });
    let ended = ended.unwrap_or_else(|problem| {
        shell.complain(problem.at(typed.trim()));
        Ended::Failed
    });
    (ended, recorded)
}
