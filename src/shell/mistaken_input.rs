//! What an input that is not a program was probably meant to be: a command without its colon, a question
//! in words.

use super::help;
use crate::commands::settings::SETTINGS;
use crate::commands::table::{COMMANDS, Command, called};
use vjp_eval::{Fault, Help};
use vjp_session::drawing::ranges;
use vjp_tensor::Kind;
use vjp_text::foreign_spellings;

/// A command of the prompt among the lines of a program.
pub fn command(text: &str, fault: &Fault) -> Option<Help> {
    let line = text.lines().nth(fault.source.line_of(fault.span.start))?.trim();
    let word = line.strip_prefix(':')?.split_whitespace().next()?;
    let command = called(word).filter(|_| fault.kind.is_a(Kind::Syntax))?;
    let says = format!(
        ":{} is a command of the prompt, and of a session file, where  vjp>  stands before it",
        command.name
    );
    Some(Help::words(says))
}

/// Words that begin a question.
const ASKS: &[&str] = &[
    "what", "whats", "what's", "how", "why", "where", "when", "which", "who", "can", "does", "do",
    "is", "define", "tell",
];

/// Words that begin a wish.
const WISHES: &[&str] = &["compute", "calculate", "find", "give", "get", "print", "display"];

/// What somebody asks for who does not know where to begin.
const BEGINNINGS: &[&str] = &["example", "examples", "tutorial", "demo", "manual", "commands"];

/// Words of a question that it is not about.
const SMALL: &[&str] = &[
    "a",
    "an",
    "the",
    "is",
    "are",
    "was",
    "does",
    "do",
    "did",
    "i",
    "me",
    "my",
    "it",
    "this",
    "that",
    "of",
    "in",
    "to",
    "for",
    "from",
    "with",
    "by",
    "on",
    "and",
    "or",
    "not",
    "no",
    "get",
    "use",
    "make",
    "mean",
    "means",
    "work",
    "works",
    "about",
    "between",
    "difference",
    "x",
    "y",
];

/// The way to what the failed input was perhaps meant to be.
pub fn help(text: &str, fault: &Fault) -> Option<Help> {
    if let Some(help) = behind_statement(text, fault) {
        return Some(help);
    }
    if fault.kind == Kind::Syntax
        && let Some(range) = ranges::first(&[text.to_owned()])
    {
        let says = format!("{range} is a range: vjp sheet draws its numbers");
        return Some(Help { code: String::new(), says });
    }
    let text = text.trim();
    if text.contains('\n') || !matches!(fault.kind, Kind::Syntax | Kind::Name) {
        return None;
    }
    if let Some(help) = in_words(text) {
        return Some(help);
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '\''));
    let (first, rest) = text.split_at(end.unwrap_or(text.len()));
    let last = text.rsplit(' ').next().unwrap_or(text).trim_end_matches('?');
    let prose = text.chars().all(|c| c.is_alphabetic() || " _?'".contains(c));
    if BEGINNINGS.contains(&last) && prose {
        return Some(Help { code: ":help".into(), says: "lists the topics".into() });
    }
    // `reset gradient`, which `:reset` would not do.
    if prose && zeroes_gradient(text) {
        return question(text);
    }
    let unknown = fault.message == format!("name '{first}' is not defined");
    if fault.kind == Kind::Name && !unknown {
        return None;
    }
    if ASKS.contains(&&*first.to_lowercase()) || text.ends_with('?') {
        return question(text);
    }
    // `compute the gradient`, which has no better answer yet
    let wished = fault.help.iter().all(|help| help.code.is_empty())
        && ["the ", "a ", "me ", "an "].iter().any(|w| rest.trim_start().starts_with(w));
    // `v W v` of a v of the program.
    let read = fault.help.iter().any(|help| !help.code.is_empty());
    if first == "v" && read {
        return None;
    }
    let Some(command) = called(first) else {
        let wishes = WISHES.contains(&&*first.to_lowercase()) && wished;
        return wishes.then(|| question(text)).flatten();
    };
    // `load lesson.vjp`, `undo()`, and a lone name; `save = 3` is not a command.
    let argument = match rest.strip_prefix('(').and_then(|r| r.strip_suffix(')')) {
        Some(inside) => inside.trim_matches(['"', '\'']),
        None if rest.is_empty() => rest,
        // `graph of y`
        None if rest.starts_with(" of ") => rest[4..].trim(),
        None if command.args.is_empty() => return None,
        None if rest.starts_with(' ') && !unknown && is_argument(rest.trim()) => rest.trim(),
        None => return None,
    };
    // `set x = 3`
    let is_setting = |word: &str| SETTINGS.iter().any(|s| s.name == word);
    if command.name == "set"
        && argument.contains('=')
        && !argument.split([' ', '=']).any(is_setting)
    {
        return None;
    }
    // `show me the graph`
    let last = argument.split_whitespace().next_back().and_then(called);
    if let Some(other) = last.filter(|_| command.name == "show") {
        let code = format!(":{}", other.name);
        return Some(Help { code, says: other.one_line.to_owned() });
    }
    if command.name == "show" && argument.starts_with("me the ") {
        return wished.then(|| question(text)).flatten();
    }
    // `show J`
    if foreign_spellings::name(argument).is_some() {
        return None;
    }
    // `explain backward`
    if command.name == "explain" && argument.len() > 1 && help::about(argument).is_some() {
        return question(argument);
    }
    // What these take is one name.
    let named = ["[NAME]", "[x[1]]", "[y|-o FILE]", "[MODEL]"].contains(&command.args);
    if named && argument.contains([' ', '=']) {
        return None;
    }
    // `plot(x, y)` is matplotlib's.
    if command.args.starts_with('F') && argument.contains(',') {
        return None;
    }
    let unknown = command.name == "help" && help::about(argument).is_none();
    let argument = if unknown { "" } else { argument };
    let code = format!(":{} {}", command.name, given(command, argument));
    Some(Help { code: code.trim_end().to_owned(), says: command.one_line.to_owned() })
}

/// `what if x = 3`: a command whose name is several words.
fn in_words(text: &str) -> Option<Help> {
    COMMANDS.iter().find_map(|command| {
        let words = command.name.replace('-', " ");
        let rest = text.strip_prefix(words.as_str()).filter(|_| words != command.name)?;
        let code = format!(":{}{}", command.name, rest.trim_end_matches('?'));
        rest.starts_with(' ').then(|| Help { code, says: command.one_line.to_owned() })
    })
}

/// `y = x^2; :explain`: a command behind a statement.
fn behind_statement(text: &str, fault: &Fault) -> Option<Help> {
    let (before, rest) = text.split_at_checked(fault.span.start as usize)?;
    let line = rest.strip_prefix(':')?.lines().next()?.trim_end();
    let end = line.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(line.len());
    let command = called(&line[..end])?;
    (fault.kind == Kind::Syntax && before.trim_end().ends_with([';', '\n'])).then(|| Help {
        code: format!(":{}{}", command.name, &line[end..]),
        says: "a command needs its own line".into(),
    })
}

/// Something other than an operator.
fn is_argument(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || "\"'[._/~".contains(c))
}

/// The argument, or one to begin with where there must be one.
fn given<'a>(command: &Command, argument: &'a str) -> &'a str {
    match (argument, command.args) {
        ("", "FILE") => "lesson.vjp",
        ("", "NUMBERS") => "1 0",
        (argument, _) => argument,
    }
}

/// `zero grad`, `how can I reset the gradient?`
fn zeroes_gradient(text: &str) -> bool {
    let text = text.to_lowercase();
    let begins = |word: &str, all: &[&str]| all.iter().any(|a| word.starts_with(a));
    let any = |all: &[&str]| text.split([' ', '?']).any(|word| begins(word, all));
    any(&["zero", "reset", "clear", "forget"]) && any(&["grad"])
}

/// The page of help that a question is about, or the command that answers it.
fn question(text: &str) -> Option<Help> {
    let words = || {
        let bare = |w: &str| w.trim_matches(['?', '!', ',', '.', '"', '\'', '`', ':']).to_owned();
        text.split_whitespace().map(bare).filter(|w| !w.is_empty())
    };
    let of_grad = words().find_map(|w| w.strip_suffix(".grad").map(str::to_owned));
    let adds = |w: String| ["accumul", "double", "twice", "grow"].iter().any(|a| w.starts_with(a));
    let why = text.to_lowercase().starts_with("why");
    if why && zeroes_gradient(text) {
        let says = "shows the steps of the sweep, and where one passes 0 on";
        return Some(Help { code: ":explain".into(), says: says.into() });
    }
    if words().any(|w| w.starts_with("draw")) {
        return Some(Help { code: ":graph".into(), says: "draws the graph".into() });
    }
    if words().any(adds) || zeroes_gradient(text) {
        return Some(Help { code: ":help accumulate".into(), says: "explains it".into() });
    }
    // `why do I need v?` is about v.
    let need = words().any(|w| matches!(w.as_str(), "need" | "needs"));
    if why && !need {
        let name = of_grad.unwrap_or_default();
        let says = "explain an error, or why .grad is None";
        return Some(Help { code: format!(":why {name}").trim_end().into(), says: says.into() });
    }
    let wanted = |w: &String| !SMALL.contains(&&*w.to_lowercase()) && !ASKS.contains(&w.as_str());
    let all: Vec<String> = words().filter(wanted).collect();
    let known = all.iter().find_map(|w| help::word(w)).map(|word| word.name);
    let topic = known.or_else(|| all.iter().map(String::as_str).find(|w| help::about(w).is_some()));
    Some(match topic {
        Some(topic) => Help { code: format!(":help {topic}"), says: "explains it".into() },
        None => Help { code: ":help".into(), says: "lists the topics".into() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use vjp_eval::{Manner, Options};
    use vjp_text::Source;

    #[test]
    fn a_command_behind_a_statement_has_a_line_of_its_own() {
        assert_eq!(meant("x = 2; :explain").as_deref(), Some(":explain"));
        assert_eq!(meant("x = 2;:v 1 0").as_deref(), Some(":v 1 0"));
        assert_eq!(meant("x = 2; :frob"), None);
        assert_eq!(meant("x = [1, 2]; x[:"), None);
    }

    fn meant(text: &str) -> Option<String> {
        let mut machine = vjp_tutor::machine(Options::default());
        let fault = machine.run(&Source::new(text), Manner::Line, &mut |_| {}).err()?;
        help(text, &fault).map(|h| h.code)
    }

    #[test]
    fn commands_without_a_colon_and_questions_are_understood() {
        let cases = [
            ("undo", ":undo"),
            ("clear", ":clear"),
            ("cls", ":clear"),
            ("ls", ":vars"),
            ("reset()", ":reset"),
            ("save", ":save lesson.vjp"),
            ("save lesson.vjp", ":save lesson.vjp"),
            ("load('a.vjp')", ":load a.vjp"),
            ("help sin", ":help sin"),
            ("set digits 3", ":set digits 3"),
            ("what is J?", ":help jacobian"),
            ("what is a leaf", ":help leaf"),
            ("What does retain_graph do?", ":help retain_graph"),
            ("how do I get the gradient?", ":help gradient"),
            ("help me", ":help"),
            ("why is x.grad None?", ":why x"),
            ("what if x = 3?", ":what-if x = 3"),
            ("is it raining?", ":help"),
            ("why do I need v?", ":help v"),
            ("explain backward", ":help backward"),
            ("reset gradient", ":help accumulate"),
            ("how can I zero the gradients?", ":help accumulate"),
            ("why is my gradient zero", ":explain"),
            ("how do I draw the graph?", ":graph"),
            ("show me an example", ":help"),
            ("tutorial", ":help"),
        ];
        for (text, code) in cases {
            assert_eq!(meant(text).as_deref(), Some(code), "{text}");
        }
        for text in [
            "graph y = x^2",
            "show me x",
            "set x = 3",
            "save = ",
            "unknown",
            "x = load",
            "undo + 1",
            "1/0",
            "sin x",
        ] {
            assert_eq!(meant(text), None, "{text}");
        }
    }
}
