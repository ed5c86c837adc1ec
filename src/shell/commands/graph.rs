//! `:graph`: the graph of a backward, drawn in the terminal or written to a file.

use super::asking::{evaluating, problem};
use super::check::no_backward;
use super::files::file_name;
use crate::shell::Setting;
use crate::{Ended, Problem, Shell};
use std::path::Path;
use vjp_eval::Event;
use vjp_eval::leaf::existing;
use vjp_eval::leaf::naming::Places;
use vjp_eval::record::drawn_graph::Drawn;
use vjp_eval::record::questions::Answer;
use vjp_maths::Variable;
use vjp_report::graph::{dot, mermaid, svg};
use vjp_session::reading;
use vjp_session::save::{self, Former};
use vjp_text::{Symbol, visible};
use vjp_tutor::first_backward::computed;
use vjp_tutor::graph::model::{Open, before_backward, of_backward};

/// Boxes of a drawing in a file at most.
const BOXES: usize = 120;

/// `:graph`, `:graph y`, `:graph model[0]`, `:graph 4-15`, `:graph -o FILE`
pub fn graph(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let (what, file) = match args.split_once("-o ").filter(|(what, _)| ends_a_word(what)) {
        Some((what, file)) => (what.trim(), Some(file.trim())),
        None if args == "-o" || args.ends_with(" -o") => {
            return Err(Problem::new("a file name is missing")
                .help(":graph -o graph.svg", "writes the drawing; also .dot and .mmd"));
        }
        None => (args.trim(), None),
    };
    let target = file.map(Target::of).transpose()?;
    if target.is_some() && shell.setting == Setting::Replayed {
        // A session file must not write files.
        shell.skipped.push(format!(":graph {args}"));
        return Ok(Ended::Well);
    }
    let drawn = drawn(shell, what)?;
    match target {
        Some(target) => target.write(shell, &drawn)?,
        None => shell.view.event(Event::Answer(Box::new(Answer::Graph(drawn)))),
    }
    Ok(Ended::Well)
}

fn ends_a_word(text: &str) -> bool {
    text.is_empty() || text.ends_with(' ')
}

/// The graph that is asked for.
fn drawn(shell: &mut Shell, what: &str) -> Result<Drawn, Problem> {
    let latest = shell.machine.latest.clone();
    let value = shell.machine.global(Symbol::new(what)).and_then(|v| existing(&v));
    if let Some(y) = value {
        let swept = latest
            .filter(|l| l.y.same(&y) || l.y.node().zip(y.node()).is_some_and(|(a, b)| a.same(&b)));
        return match swept {
            Some(latest) => {
                evaluating(shell, |s| of_backward(&mut s.machine, &latest, &Open::Nothing))
                    .map_err(|halt| problem(&halt))
            }
            None => unswept(shell, &y, what),
        };
    }
    let Some(latest) = latest else {
        if what.is_empty() {
            let problem = no_backward(shell);
            return Err(match computed(&shell.machine) {
                Some((y, _)) => problem.help(
                    format!(":graph {y}"),
                    format!("draws the graph of {y} before any backward"),
                ),
                None => problem,
            });
        }
        return Err(unknown(shell, what));
    };
    let open = match (what, steps(what)) {
        ("", _) => Open::Nothing,
        (_, Some((first, last))) => Open::Steps(first, last),
        (path, None) if path == latest.event.output => Open::Nothing,
        (path, None) if is_module(shell, path) => Open::Module(path.to_string()),
        _ => return Err(unknown(shell, what)),
    };
    evaluating(shell, |s| of_backward(&mut s.machine, &latest, &open))
        .map_err(|halt| problem(&halt))
}

fn unswept(shell: &mut Shell, y: &Variable, name: &str) -> Result<Drawn, Problem> {
    if y.node().is_none() {
        let says = match y.requires_grad() {
            true => format!("{name} is a leaf: nothing was computed before it"),
            false => format!("{name} has no graph: no leaf leads to it"),
        };
        return Err(Problem::new(says));
    }
    evaluating(shell, |s| before_backward(&mut s.machine, y, name, &Open::Nothing))
        .map_err(|halt| problem(&halt))
}

/// `4-15`: steps by number.
fn steps(text: &str) -> Option<(usize, usize)> {
    let (first, last) = text.split_once(['-', '–']).unwrap_or((text, text));
    let number = |t: &str| t.trim().parse().ok().filter(|n: &usize| *n > 0);
    Some((number(first)?, number(last)?)).filter(|(a, b)| a <= b)
}

fn is_module(shell: &Shell, path: &str) -> bool {
    Places::of(&shell.machine).is_object(path)
}

fn unknown(shell: &Shell, what: &str) -> Problem {
    let problem = Problem::new(format!("{what} is neither a value with a graph nor a module"));
    match shell.machine.latest.is_some() {
        true => problem.help(":graph", "draws the graph of the last backward"),
        false => problem.help(":help graph", "says what can be drawn"),
    }
}

/// A file to draw in.
struct Target<'a> {
    name: &'a str,
    path: std::path::PathBuf,
    format: Format,
}

#[derive(Clone, Copy)]
enum Format {
    Svg,
    Dot,
    Mermaid,
}

impl<'a> Target<'a> {
    fn of(name: &'a str) -> Result<Target<'a>, Problem> {
        let path =
            file_name(name, ":graph -o graph.svg", "writes the drawing; also .dot and .mmd")?;
        let ending = path.extension().and_then(|e| e.to_str()).map(str::to_lowercase);
        let format = match ending.as_deref() {
            Some("svg") => Format::Svg,
            Some("dot" | "gv") => Format::Dot,
            Some("mmd") => Format::Mermaid,
            _ => {
                let says = format!("{} must end in .svg, .dot or .mmd", visible::name(&path));
                return Err(Problem::new(says).help(":graph -o graph.svg", "writes a drawing"));
            }
        };
        Ok(Target { name, path, format })
    }

    /// Writes the drawing; a file that is not a drawing of ours stays as it is.
    fn write(&self, shell: &mut Shell, drawn: &Drawn) -> Result<(), Problem> {
        let level = drawn.levels.iter().find(|l| l.nodes.len() <= BOXES).or(drawn.levels.last());
        let Some(level) = level else {
            return Ok(());
        };
        let text = match self.format {
            Format::Svg => svg::file(drawn, level),
            Format::Dot => dot::file(drawn, level),
            Format::Mermaid => mermaid::file(level),
        };
        if self.is_foreign(&self.path) {
            let says = format!("{} was not written by :graph", visible::name(&self.path));
            return Err(Problem::new(says).help(":graph -o other.svg", "writes to another file"));
        }
        // What this session wrote need not be kept.
        let former = shell.files.get(&self.path).map_or(Former::Unknown, Former::Known);
        let saved = save::save(&self.path, text.as_bytes(), former).map_err(|e| {
            Problem::new(e.to_string()).help(":graph -o other.svg", "writes to another file")
        })?;
        shell.files.insert(self.path.clone(), saved.stamp);
        let mut said = format!("wrote the graph of {} to {}", drawn.output, self.name);
        if let Some(older) = saved.kept {
            said += &format!("; the old file is kept as {}", visible::name(&older));
        }
        shell.view.aside(&(said + "\n"));
        Ok(())
    }

    /// Whether something else stands there; saving reports what it cannot replace.
    fn is_foreign(&self, path: &Path) -> bool {
        let ours = match self.format {
            Format::Svg => svg::FIRST,
            Format::Dot => dot::FIRST,
            Format::Mermaid => mermaid::FIRST,
        };
        match reading::text(path) {
            Ok((text, _)) => !text.is_empty() && !text.lines().take(2).any(|l| l == ours),
            Err(error) => error.hides(),
        }
    }
}
