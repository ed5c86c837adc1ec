//! A plain program as a session: one input for each top-level statement, comments as narration.

use super::notebook;
use super::transcript::{self, Malformed, Step, Transcript, heed};
use std::path::Path;
use vjp_text::lines::{self, Completeness, Setting};
use vjp_text::paste;

/// A file as a session, and whether it is one already: else it is what typing the program would make.
///
/// # Errors
/// A session file that is not well formed; Ctrl-C, the limits.
pub fn read(text: &str) -> Result<(Transcript, bool), Malformed> {
    match (notebook::is_notebook(text), transcript::is_session(text)) {
        (true, _) => notebook::read(text).map(|session| (session, true)),
        (false, true) => Transcript::parse(text).map(|session| (session, true)),
        (false, false) => as_session(text).map(|session| (session, false)),
    }
}

/// Whether a file holds inputs with their outputs: a session file or a notebook.
pub fn is_session(text: &str) -> bool {
    notebook::is_notebook(text) || transcript::is_session(text)
}

/// A session as the text of a file of this name.
pub fn written(session: &Transcript, path: &Path) -> String {
    match path.extension().is_some_and(|e| e == "ipynb") {
        true => notebook::write(session),
        false => session.to_string(),
    }
}

fn as_session(text: &str) -> Result<Transcript, Malformed> {
    let text = &text.replace("\r\n", "\n").replace('\r', "\n");
    let repaired = paste::repair(text);
    let text = repaired.as_ref().map_or(text.as_str(), |r| r.text.as_str());
    let mut session = Transcript::default();
    let mut at = 0;
    for (count, input) in lines::inputs(text).into_iter().enumerate() {
        heed(count)?;
        let mut narration = std::mem::take(&mut session.tail);
        narrate(&mut narration, input.lead);
        let mut typed: Vec<String> = input.text.lines().map(str::to_owned).collect();
        // As at the prompt, an empty line ends a block.
        if lines::complete(&typed.join("\n"), Setting::Prompt) != Completeness::Complete {
            typed.push(String::new());
        }
        session.steps.push(Step { narration, input: typed, ..Step::default() });
        at += input.end;
    }
    narrate(&mut session.tail, &text[at..]);
    Ok(session)
}

/// Comments and blank lines, indented ones too, as narration.
fn narrate(narration: &mut Vec<String>, between: &str) {
    narration.extend(between.lines().map(|line| line.trim().to_owned()));
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn statements_become_inputs_and_comments_narration() {
        let session =
            as_session("# a\nx = 1; y = 2\n\nfor i in x:\n    # inside\n    a\n\n# b\nz\n# end\n")
                .unwrap();
        assert_eq!(
            session.to_string(),
            "# a\nvjp> x = 1; y = 2\n\nvjp> for i in x:\n...>     # inside\n...>     a\n...>\n\n# b\nvjp> z\n# end\n"
        );
        assert_eq!(Transcript::parse(&session.to_string()).unwrap(), session);
    }
}
