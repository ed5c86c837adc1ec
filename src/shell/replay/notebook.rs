//! A session whose inputs are cells of Jupyter.

use crate::commands::spoken;
use crate::input::parts;
use crate::prompt::hint::{call_at, call_of};
use crate::prompt::indent;
use crate::replay::cells;
use crate::screen::Taker;
use crate::session_options::Common;
use crate::{Shell, help, shell};
use vjp_report::Medium;
use vjp_syntax::Mode;
use vjp_text::Source;
use vjp_text::lines::{self, Completeness, Setting};

/// A shell for cells: `taker` takes what they show as it comes.
pub fn shell(common: Common, taker: Taker) -> Shell {
    let mut shell = cells::on(Medium::Notebook, common);
    shell.setting = shell::Setting::Live;
    shell.view.screen.give(taker);
    shell
}

/// Whether a cell asked to leave, once.
pub fn leaves(shell: &mut Shell) -> bool {
    std::mem::take(&mut shell.leaving)
}

/// Whether a text may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    Yes,
    /// More belongs to it: a new line begins with so many blanks.
    Open(usize),
    /// More cannot mend it.
    Wrong,
}

/// Whether Enter runs a text.
pub fn whole(shell: &Shell, text: &str) -> Whole {
    let program = |part: &&str| spoken(part, &shell.machine).is_none();
    let more = || Whole::Open(indent::next(text));
    for part in parts(text, &shell.machine).into_iter().filter(program) {
        if lines::complete(part, Setting::Prompt) != Completeness::Complete {
            return more();
        }
        let mode = Mode { strict: shell.machine.strict() };
        match vjp_syntax::parse(&Source::new(part), mode) {
            Err(fault) if fault.incomplete => return more(),
            Err(_) => return Whole::Wrong,
            Ok(_) => {}
        }
    }
    Whole::Yes
}

/// What the word at `at` is, or the function whose call is written there.
pub fn about(shell: &Shell, text: &str, at: usize) -> Option<String> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
    let start = text[..at]
        .rfind(|c| !part(c))
        .map_or(0, |k| k + text[k..].chars().next().map_or(1, char::len_utf8));
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let end = text[at..].find(|c| !inside(c)).map_or(text.len(), |k| at + k);
    let word = text[start..end].trim_end_matches(['.', ':']);
    if !word.is_empty() {
        return help::of_session(shell, word).or_else(|| help::about(word));
    }
    let at = call_at(&text[..at])?;
    let name = at.path.join(".");
    let own = help::of_session(shell, &name).or_else(|| help::about(&name));
    own.or_else(|| Some(call_of(&shell.machine, &at)?.written(&name)))
}
