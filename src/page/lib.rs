//! A session as a page: one file that reads without scripts and, with the engine inside, runs. Knows a
//! session's texts and their colours; who ran it stands above this layer.

mod engine;
mod narration;

use serde_json::json;
use vjp_report::terminal::html::escaped;
use vjp_session::marking::waiting::State;
use vjp_session::transcript::prompted;
use vjp_session::{Step, Transcript};

pub use engine::{Engine, packed};

/// The font and the colours by their names, for a reader's screen that is light or dark.
pub const COLOURS: &str = include_str!("colours.css");

/// The words of outputs and inputs, each class in its colour.
pub const WORDS: &str = include_str!("words.css");

const STYLE: [&str; 3] = [COLOURS, WORDS, include_str!("page.css")];

const WORKER: &str = include_str!("script/worker.js");
const EARLY: &str = include_str!("script/early.js");

/// One script, in this order.
const SCRIPT: [&str; 11] = [
    include_str!("script/begin.js"),
    include_str!("script/engine.js"),
    include_str!("script/cells.js"),
    include_str!("script/editor.js"),
    include_str!("script/slider.js"),
    include_str!("script/panels.js"),
    include_str!("script/steps.js"),
    include_str!("script/sheet.js"),
    include_str!("script/look.js"),
    include_str!("script/files.js"),
    include_str!("script/main.js"),
];

/// The line by which `vjp page` knows its own files.
pub const FIRST: &str = "<!-- written by vjp page -->";

/// A session, ready to be shown.
pub struct Lesson {
    /// The file that Save gives: `03-a-chain.vjp`.
    pub name: String,
    pub session: Transcript,
    /// Of each step.
    pub cells: Vec<Cell>,
    /// How its programs are read.
    pub strict: bool,
    pub dtype: &'static str,
}

/// How one step looks.
pub struct Cell {
    pub state: State,
    /// The input and its output as HTML.
    pub input: String,
    pub output: String,
}

impl Lesson {
    /// The first line of the narration where it stands alone; else what the file's name says.
    pub fn title(&self) -> String {
        let first = self.session.steps.first().map_or(&self.session.tail, |step| &step.narration);
        narration::title(first).unwrap_or_else(|| narration::named(&self.name))
    }

    /// What the page's script starts from.
    fn data(&self) -> String {
        let steps = self.session.steps.iter().zip(&self.cells).map(|(step, cell)| {
            json!({
                "narration": step.narration,
                "input": step.text(),
                "output": step.output,
                "open": cell.state == State::Open,
                "waits": cell.state == State::Waits,
            })
        });
        let steps: Vec<_> = steps.collect();
        let options = json!({ "strict": self.strict, "dtype": self.dtype });
        let data = json!({
            "name": self.name,
            "options": options,
            "steps": steps,
            "tail": self.session.tail,
        });
        in_a_script(&data.to_string())
    }
}

/// A text of JSON that ends no script.
fn in_a_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Ways to other pages: their files, and what is said there.
fn links(label: &str, others: &[(String, &str)]) -> String {
    if others.is_empty() {
        return String::new();
    }
    let link = |(file, says): &(String, &str)| format!("<a href=\"{}\">{says}</a>", escaped(file));
    let links: String = others.iter().map(link).collect();
    format!("<nav aria-label=\"{label}\">{links}</nav>\n")
}

/// The page. `others`: the index, and the lessons before and after.
pub fn page(lesson: &Lesson, engine: &Engine, others: &[(String, &str)]) -> String {
    let title = lesson.title();
    let mut main = String::new();
    for (k, (step, cell)) in lesson.session.steps.iter().zip(&lesson.cells).enumerate() {
        let named = k == 0 && narration::title(&step.narration).is_some();
        main += &narration::html(&step.narration, named);
        main += &self::cell(k + 1, step, cell);
    }
    let named = lesson.session.steps.is_empty();
    main += &narration::html(&lesson.session.tail, named);
    let runs = engine.html();
    let how = match runs.is_empty() {
        true => {
            "This page shows a finished session of vjp. It was written without the engine that runs it."
        }
        false => {
            "This page runs in your browser: nothing is sent anywhere. \
             <noscript>Scripts are off here, so it is for reading only.</noscript>"
        }
    };
    document(
        &title,
        &format!(
            "<header>\n{}<h1>{}</h1>\n<div id=\"tools\"></div>\n</header>\n\
             <main>\n{main}<div id=\"prompt\"></div>\n</main>\n\
             <footer>\n{}<p>{how}</p></footer>\n\
             <script type=\"application/json\" id=\"lesson\">{}</script>\n{}",
            links("Lessons", others),
            escaped(&title),
            links("More lessons", others),
            lesson.data(),
            match runs.is_empty() {
                true => String::new(),
                false => format!(
                    "<script type=\"text/plain\" id=\"worker\">\n{WORKER}</script>\n\
                     <script>\n{EARLY}</script>\n{runs}\
                     <script>\n\"use strict\";\n{{\n{}}}\n</script>\n",
                    SCRIPT.join("\n")
                ),
            }
        ),
    )
}

/// An index of lessons: the files of their pages and their titles, by parts.
pub fn index(title: &str, parts: &[(String, Vec<(String, String)>)]) -> String {
    let mut main = String::new();
    for (part, lessons) in parts {
        if !part.is_empty() {
            main += &format!("<h2>{}</h2>\n", escaped(&narration::named(part)));
        }
        let entry = |(file, title): &(String, String)| {
            format!("<li><a href=\"{}\">{}</a></li>\n", escaped(file), escaped(title))
        };
        let entries: String = lessons.iter().map(entry).collect();
        main += &format!("<ol>\n{entries}</ol>\n");
    }
    document(
        title,
        &format!("<header><h1>{}</h1></header>\n<main>\n{main}</main>\n", escaped(title)),
    )
}

fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n{FIRST}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title),
        STYLE.concat()
    )
}

fn cell(number: usize, step: &Step, cell: &Cell) -> String {
    let prompts = prompted(&vec![String::new(); step.input.len()]).collect::<Vec<_>>().join("\n");
    let output = match step.output.is_empty() {
        true => String::new(),
        false => format!("<pre class=\"output\">{}</pre>\n", cell.output),
    };
    format!(
        "<div class=\"cell\" role=\"group\" aria-label=\"Input {number}\">\n\
         <div class=\"input{}\"><pre class=\"prompt\" aria-hidden=\"true\">{}</pre>\
         <pre class=\"code\"><code>{}</code></pre></div>\n{output}</div>\n",
        if step.input.len() > 1 { " lines" } else { "" },
        escaped(&prompts),
        cell.input
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn lesson(text: &str) -> Lesson {
        let session = Transcript::parse(text).unwrap();
        let cells = session.steps.iter().map(|step| Cell {
            state: State::Runs,
            input: escaped(&step.text()),
            output: escaped(&step.output.join("\n")),
        });
        Lesson {
            name: "a<b.vjp".into(),
            cells: cells.collect(),
            session,
            strict: false,
            dtype: "float64",
        }
    }

    #[test]
    fn a_text_ends_no_script_and_opens_no_element() {
        let text = "# </script><b>\n#\n# `<i>` & more\nvjp> '<u></script>'\n<s>\n";
        let lesson = lesson(text);
        assert_eq!(lesson.title(), "</script><b>");
        let page = page(&lesson, &Engine::None, &[]);
        assert!(page.contains("<title>&lt;/script&gt;&lt;b&gt;</title>"));
        assert!(page.contains("<p><code>&lt;i&gt;</code> &amp; more</p>"));
        assert!(page.contains("<pre class=\"output\">&lt;s&gt;</pre>"));
        assert_eq!(page.matches("</script>").count(), 1);
        assert!(!page.contains("<b>") && !page.contains("<u>"));
    }

    #[test]
    fn a_file_s_name_is_a_title_where_no_line_is() {
        let title = |name: &str| Lesson { name: name.into(), ..lesson("vjp> 1\n1\n") }.title();
        assert_eq!(title("19-graph-of-attention.vjp"), "Graph of attention");
        assert_eq!(["7.vjp", "3d_plots.vjp", "élan.vjp"].map(title), ["7", "3d plots", "Élan"]);
    }

    #[test]
    fn packed_bytes_are_gzip_in_base64() {
        let text = packed(b"vjp", 9);
        assert!(text.starts_with("H4sI") && text.len().is_multiple_of(4));
    }
}
