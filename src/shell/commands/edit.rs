//! `:edit`: an input written in the person's own editor.

use crate::{Ended, Problem, Shell};
use std::io::IsTerminal;
use vjp_session::Player;
use vjp_session::reading::{self, reason};
use vjp_session::replay::Role;
use vjp_session::transcript::{self, prompted};

/// `:edit`
pub fn edit(shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        return Err(Problem::new(":edit needs a terminal"));
    }
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
        Problem::new(format!("{editor}: {}", reason(&e)))
            .help("EDITOR=nano vjp", "chooses an editor")
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
    let (text, _) = reading::text(file.path())?;
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
