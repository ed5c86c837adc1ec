//! Notebooks of Jupyter: their code cells are inputs, their text is narration, and what they show is output.

use super::transcript::{Ending, Malformed, Step, Transcript, note_quoted, output_lines};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;

/// The first input of what was a notebook: its cells mean Python exactly, and show what Jupyter shows.
pub const SETTING: &str = ":set jupyter on";

/// The version that is written.
const FORMAT: [u64; 2] = [4, 5];

/// What stands in the metadata of a notebook that holds a session as it was typed.
const OURS: &str = "vjp";
const SESSION: &str = "session";

/// What a notebook says of its language where vjp was its kernel.
const LANGUAGE: &str = "vjp";

/// Whether a text is a notebook.
pub fn is_notebook(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"nbformat\"")
}

/// Whether it is one that vjp wrote.
pub fn is_ours(text: &str) -> bool {
    is_notebook(text) && parsed(text).is_ok_and(|all| !all["metadata"][OURS].is_null())
}

fn parsed(text: &str) -> Result<Value, Malformed> {
    let wrong = |line, problem: String| Malformed { line, problem: problem.into() };
    let all: Value = serde_json::from_str(text).map_err(|error| {
        wrong(error.line(), "the notebook is not valid JSON; was it cut off?".into())
    })?;
    match (all["nbformat"].as_u64(), all["cells"].is_array()) {
        (Some(4), true) => Ok(all),
        (Some(version @ ..4), _) => Err(wrong(
            1,
            format!("a notebook of version {version}: open it in Jupyter and save it again"),
        )),
        _ => Err(wrong(1, "a notebook whose cells are not in \"cells\"".into())),
    }
}

/// Text in a notebook: a string, or a list of the lines.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

/// Whether vjp was the kernel, not Python.
fn of_our_kernel(all: &Value) -> bool {
    all["metadata"]["language_info"]["name"] == LANGUAGE
}

fn is_code(cell: &Value) -> bool {
    cell["cell_type"] == "code"
}

/// Whether a cell is an input: an empty one is not.
fn is_input(cell: &Value) -> bool {
    is_code(cell) && !text(&cell["source"]).trim().is_empty()
}

/// The notebook as a session: [`SETTING`], then its cells.
pub fn read(notebook: &str) -> Result<Transcript, Malformed> {
    let all = parsed(notebook)?;
    let form = &all["metadata"][OURS]["form"];
    let ran = of_our_kernel(&all);
    let typed = ran || form == SESSION;
    let shown = if ran { drawn } else { shown };
    let mut session = Transcript::default();
    if !typed {
        session.steps.push(Step { input: vec![SETTING.to_owned()], ..Step::default() });
    }
    for cell in all["cells"].as_array().into_iter().flatten() {
        let source = text(&cell["source"]).replace("\r\n", "\n");
        if is_input(cell) {
            // The empty line that ends a block at the prompt is a part of what was typed.
            let source = if typed { &source } else { source.trim_end_matches('\n') };
            let source = if form.is_null() || ran { source } else { command(source) };
            let (output, ending) = shown(&cell["outputs"]);
            session.steps.push(Step {
                narration: std::mem::take(&mut session.tail),
                input: source.split('\n').map(str::to_owned).collect(),
                output,
                ending,
                ..Step::default()
            });
        } else if !is_code(cell) && !source.trim().is_empty() {
            let told = source.trim_matches('\n').split('\n').map(|line| match line.trim_end() {
                "" => "#".to_owned(),
                title if title.starts_with('#') => format!("#{title}"),
                line => format!("# {line}"),
            });
            if !session.steps.is_empty() || !session.tail.is_empty() {
                session.tail.push(String::new());
            }
            session.tail.extend(told);
        }
    }
    // Its title comes first.
    if let [setting, first, ..] = &mut session.steps[..]
        && !typed
    {
        setting.narration = std::mem::take(&mut first.narration);
        if setting.narration.first().is_some_and(String::is_empty) {
            setting.narration.remove(0);
        }
    }
    note_quoted(&mut session.steps);
    Ok(session)
}

/// Whether a step is [`SETTING`].
pub fn is_setting(step: &Step) -> bool {
    step.input == [SETTING]
}

/// Takes [`SETTING`] away, where the session begins with it: whoever plays it knows.
pub fn without_setting(session: &mut Transcript) -> bool {
    if !session.steps.first().is_some_and(is_setting) {
        return false;
    }
    let setting = session.steps.remove(0);
    match session.steps.first_mut() {
        Some(first) => first.narration.splice(0..0, setting.narration),
        None => session.tail.splice(0..0, setting.narration),
    };
    true
}

/// The program of a notebook: its code cells one after the other.
pub fn program(notebook: &str) -> Result<String, Malformed> {
    let session = read(notebook)?;
    let cells = session.inputs().filter(|input| !input.starts_with(':'));
    Ok(cells.map(|cell| cell_code(&cell) + "\n\n").collect())
}

/// A cell without what is meant for the notebook: `%matplotlib inline`, `!pip install`, `x?`. One whose first
/// line is such as `%%html` holds no Python.
pub fn cell_code(cell: &str) -> String {
    const PYTHON: [&str; 6] = ["time", "timeit", "capture", "prun", "python", "python3"];
    let first = cell.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let other = first.strip_prefix("%%").is_some_and(|magic| {
        !PYTHON.contains(&magic.split_whitespace().next().unwrap_or_default())
    });
    if other {
        return String::new();
    }
    let repaired = vjp_text::paste::without_magics(cell);
    repaired.unwrap_or_else(|| cell.to_owned())
}

/// What a cell shows as text; figures and what goes to stderr do not count.
fn shown(outputs: &Value) -> (Vec<String>, Ending) {
    let (mut all, mut ending) = (String::new(), Ending::Printed);
    for output in outputs.as_array().into_iter().flatten() {
        let plain = || text(&output["data"]["text/plain"]);
        let (part, kind): (String, fn(usize) -> Ending) = match output["output_type"].as_str() {
            Some("stream") if output["name"] != "stderr" => {
                all += &text(&output["text"]);
                ending = Ending::Printed;
                continue;
            }
            Some("execute_result") if !is_figure(&output["data"]) => (plain(), Ending::Value),
            Some("display_data") if !is_figure(&output["data"]) => (plain(), |_| Ending::Printed),
            Some("error") => {
                let [name, says] = ["ename", "evalue"].map(|key| text(&output[key]));
                (error(&name, &says), Ending::Error)
            }
            _ => continue,
        };
        if !all.is_empty() && !all.ends_with('\n') {
            all.push('\n');
        }
        ending = kind(part.split('\n').count());
        all += &part;
        all.push('\n');
    }
    (output_lines(&all), ending)
}

/// What a cell shows as text where vjp was the kernel: its drawings have a text beside them.
fn drawn(outputs: &Value) -> (Vec<String>, Ending) {
    let mut all = String::new();
    for output in outputs.as_array().into_iter().flatten() {
        let stream = output["output_type"] == "stream";
        if !stream && !all.is_empty() && !all.ends_with('\n') {
            all.push('\n');
        }
        if stream {
            all += &text(&output["text"]);
        } else if output["output_type"] == "error" {
            let lines = output["traceback"].as_array().into_iter().flatten();
            lines.filter_map(Value::as_str).for_each(|line| all += &(uncoloured(line) + "\n"));
        } else if let part @ (Value::String(_) | Value::Array(_)) = &output["data"]["text/plain"] {
            all += &(text(part) + "\n");
        }
    }
    (output_lines(&all), Ending::Printed)
}

/// A line without the colours of a terminal.
fn uncoloured(line: &str) -> String {
    let mut parts = line.split("\x1b[");
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| part.split_once('m').map_or(part, |(_, after)| after));
    first.to_owned() + &rest.collect::<String>()
}

/// An error as one line of output, or as many as its text has.
pub fn error(name: &str, says: &str) -> String {
    match says {
        "" => name.to_owned(),
        says => format!("{name}: {says}"),
    }
}

/// A picture, or a part of one, which Jupyter names where a terminal draws.
fn is_figure(data: &Value) -> bool {
    const PARTS: [&str; 6] =
        ["<matplotlib.", "<Figure", "<Axes", "BarContainer object", "<mpl_", "Text("];
    let plain = text(&data["text/plain"]);
    let kinds = data.as_object().into_iter().flat_map(Map::keys);
    kinds.into_iter().any(|kind| kind.starts_with("image/"))
        || PARTS.iter().any(|part| plain.trim_start_matches(['[', '(']).starts_with(part))
        || plain.contains(PARTS[3])
}

/// A command as a comment of Python: Jupyter passes over it. One `#` more where the input begins so itself.
fn commented(input: &str) -> String {
    match input.trim_start_matches('#').starts_with(':') {
        true => format!("#{input}"),
        false => input.to_owned(),
    }
}

/// [`commented`], undone.
fn command(source: &str) -> &str {
    source.strip_prefix('#').filter(|rest| commented(rest) == source).unwrap_or(source)
}

/// A program as cells for Jupyter: one for each paragraph, which narration or a blank line ends.
pub fn of_program(program: Transcript) -> Transcript {
    let setting = Step { input: vec![SETTING.to_owned()], ..Step::default() };
    let mut cells = vec![setting];
    for mut step in program.steps {
        // The empty line that ends a block at the prompt.
        if step.input.last().is_some_and(String::is_empty) {
            step.input.pop();
        }
        match cells.last_mut() {
            Some(cell) if step.narration.is_empty() && !is_setting(cell) => {
                cell.input.append(&mut step.input);
            }
            _ => cells.push(step),
        }
    }
    Transcript { steps: cells, tail: program.tail }
}

/// The session as a notebook that Jupyter opens. What was read from one is one again, for Python; any other is
/// kept as it was typed, for this program's kernel, and its outputs are text.
pub fn write(session: &Transcript) -> String {
    let from_jupyter = session.steps.iter().position(is_setting);
    let mut cells = Vec::new();
    let mut add = |kind: &str, source: &str, more: Value| {
        let mut cell =
            json!({ "cell_type": kind, "id": format!("cell-{}", cells.len() + 1), "metadata": {} });
        let rest = more.as_object().cloned().unwrap_or_default();
        cell.as_object_mut().into_iter().for_each(|cell| {
            cell.extend(rest.clone());
            cell.insert("source".into(), lines_of(source));
            cell.sort_keys();
        });
        cells.push(cell);
    };
    let mut count = 0;
    for (k, step) in session.steps.iter().enumerate() {
        told(&step.narration).iter().for_each(|prose| add("markdown", prose, json!({})));
        if from_jupyter == Some(k) {
            continue;
        }
        count += 1;
        let text = step.text();
        add(
            "code",
            &if from_jupyter.is_some() { commented(&text) } else { text },
            json!({ "execution_count": count, "outputs": outputs(step, count) }),
        );
    }
    told(&session.tail).iter().for_each(|prose| add("markdown", prose, json!({})));
    let (form, kernel, shown, language) = match from_jupyter {
        Some(_) => ("jupyter", "python3", "Python 3 (ipykernel)", "python"),
        None => (SESSION, LANGUAGE, LANGUAGE, LANGUAGE),
    };
    in_json(&json!({
        "cells": cells,
        "metadata": {
            "kernelspec": { "display_name": shown, "language": language, "name": kernel },
            "language_info": { "name": language },
            OURS: { "form": form },
        },
        "nbformat": FORMAT[0],
        "nbformat_minor": FORMAT[1],
    }))
}

/// The notebook with what its cells show now; all else, figures too, stays as it is.
pub fn with_outputs(notebook: &str, session: &Transcript) -> Result<String, Malformed> {
    let mut all = parsed(notebook)?;
    let mut steps: VecDeque<&Step> = session.steps.iter().collect();
    if steps.front().is_some_and(|step| is_setting(step)) {
        steps.pop_front();
    }
    let shown = if of_our_kernel(&all) { drawn } else { shown };
    let cells = all["cells"].as_array_mut().into_iter().flatten();
    for (cell, step) in cells.filter(|cell| is_input(cell)).zip(steps) {
        if shown(&cell["outputs"]).0 == step.output {
            continue;
        }
        let now = outputs(step, cell["execution_count"].as_u64().unwrap_or(1));
        let old = cell["outputs"].as_array().into_iter().flatten();
        let kept = old.filter(|output| is_figure(&output["data"])).cloned();
        cell["outputs"] = Value::Array(now.into_iter().chain(kept).collect());
    }
    Ok(in_json(&all))
}

/// As Jupyter writes it: one blank for each level, a newline at the end.
fn in_json(all: &Value) -> String {
    let wide = format!("{all:#}");
    let line = |line: &str| {
        let bare = line.trim_start_matches(' ');
        format!("{:1$}{bare}\n", "", (line.len() - bare.len()) / 2)
    };
    wide.lines().map(line).collect()
}

/// A text as the list of its lines, each with the newline that ends it.
fn lines_of(text: &str) -> Value {
    text.split_inclusive('\n').collect()
}

/// What a step shows, as outputs of its cell.
fn outputs(step: &Step, count: u64) -> Vec<Value> {
    let at = match step.ending {
        Ending::Printed => step.output.len(),
        Ending::Value(lines) | Ending::Error(lines) => step.output.len().saturating_sub(lines),
    };
    let (printed, last) = step.output.split_at(at);
    let mut all = Vec::new();
    if !printed.is_empty() {
        let text = printed.join("\n") + "\n";
        all.push(json!({ "name": "stdout", "output_type": "stream", "text": lines_of(&text) }));
    }
    let last_text = last.join("\n");
    match step.ending {
        _ if last.is_empty() => {}
        Ending::Error(_) => {
            let (name, says) = last_text.split_once(": ").unwrap_or((&last_text, ""));
            all.push(
                json!({ "ename": name, "evalue": says, "output_type": "error", "traceback": last }),
            );
        }
        _ => all.push(
            json!({ "data": { "text/plain": lines_of(&last_text) }, "execution_count": count,
                              "metadata": {}, "output_type": "execute_result" }),
        ),
    }
    all
}

/// Narration as Markdown: a blank line between its lines begins another cell.
fn told(narration: &[String]) -> Vec<String> {
    let parts = narration.split(String::is_empty).filter(|part| !part.is_empty());
    let line = |line: &String| {
        let bare = line.strip_prefix('#').unwrap_or(line);
        bare.strip_prefix(' ').unwrap_or(bare).to_owned()
    };
    parts.map(|part| part.iter().map(line).collect::<Vec<_>>().join("\n")).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn session(text: &str) -> Transcript {
        Transcript::parse(text).unwrap()
    }

    #[test]
    fn a_session_comes_back_from_its_notebook() {
        let file = "# Why v?\n# A second line.\n#\n# A third.\n\n# Another cell.\nvjp> x = [1, 2]\nx = [1, 2]\nvjp> :explain x\n\
                    x.grad\n\npanel\nvjp> #:no command\nvjp> for v in x:\n...>     v\n...>\n1\n\n# The end.\n";
        let written = write(&session(file));
        assert!(is_notebook(&written) && is_ours(&written));
        assert_eq!(read(&written).unwrap().to_string(), file);
        assert!(written.contains("\":explain x\""), "{written}");
        assert!(written.contains("\"#:no command\""), "{written}");
    }

    #[test]
    fn a_cell_of_jupyter_comes_back_with_its_value_and_its_error() {
        let text = |output: &[&str], ending| Step {
            input: vec!["f()".into()],
            output: output.iter().map(|line| (*line).to_owned()).collect(),
            ending,
            ..Step::default()
        };
        let setting = Step { input: vec![SETTING.into()], ..Step::default() };
        let session = Transcript {
            steps: vec![
                setting,
                text(&["printed", "tensor([[1.],", "        [2.]])"], Ending::Value(2)),
                text(&["KeyError: 'a'"], Ending::Error(1)),
                text(&[], Ending::Printed),
            ],
            tail: Vec::new(),
        };
        let written = write(&session);
        assert_eq!(read(&written).unwrap(), session);
        assert_eq!(with_outputs(&written, &session).unwrap(), written);
    }

    #[test]
    fn where_vjp_was_the_kernel_every_output_has_its_text() {
        let notebook = json!({
            "nbformat": 4, "nbformat_minor": 5,
            "metadata": { "language_info": { "name": "vjp" } },
            "cells": [{ "cell_type": "code", "source": ["print(1)\n", ":graph"], "outputs": [
                { "output_type": "stream", "name": "stderr", "text": "1" },
                { "output_type": "display_data", "data": { "image/svg+xml": "<svg/>", "text/plain": "\n● x" } },
                { "output_type": "error", "traceback": ["\u{1b}[31merror\u{1b}[0m  no", "  ^"] },
            ] }],
        });
        let session = read(&notebook.to_string()).unwrap();
        assert_eq!(session.to_string(), "vjp> print(1)\n...> :graph\n1\n\n● x\nerror  no\n  ^\n");
    }

    #[test]
    fn figures_and_warnings_are_no_text() {
        let outputs = json!([
            { "output_type": "stream", "name": "stderr", "text": "UserWarning" },
            { "output_type": "execute_result", "data": { "text/plain": "[<matplotlib.lines.Line2D at 0x7f>]" } },
            { "output_type": "display_data", "data": { "image/png": "iVBO", "text/plain": "<Figure size 640x480 with 1 Axes>" } },
            { "output_type": "stream", "name": "stdout", "text": ["a\n", "b"] },
        ]);
        assert_eq!(shown(&outputs), (vec!["a".to_owned(), "b".to_owned()], Ending::Printed));
    }

    #[test]
    fn what_is_no_notebook_is_said_to_be_none() {
        let says = |text: &str| read(text).unwrap_err().to_string();
        assert!(
            says("{ \"nbformat\": 4, \"cells\": [")
                .starts_with("line 1: the notebook is not valid JSON")
        );
        assert!(says("{ \"nbformat\": 3, \"worksheets\": [] }").contains("version 3"));
    }
}
