//! The TextMate grammar of session files: made from the scanner's tables, and of its opinion on every session.

use crate::support;

use fancy_regex::Regex;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use support::corpus;
use vjp::session::transcript::{CONTINUATION, PROMPT, Transcript};
use vjp::text::tokens::{KEYWORDS, OPERATORS, Scanner, TokenKind};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The first character of a name, and those after it.
const START: &str = r"[_\p{XID_Start}]";
const CONTINUE: &str = "(?![\u{30FB}\u{FF65}])[\\p{XID_Continue}\u{2080}-\u{2089}]";

/// Keywords that are values.
const VALUES: [&str; 3] = ["False", "None", "True"];

fn one_of(words: &[&str]) -> String {
    let escaped: Vec<String> = words.iter().map(|word| regex::escape(word)).collect();
    escaped.join("|")
}

/// A literal between quotes; one of three goes over lines.
fn string(quote: &str, name: &str) -> Value {
    let end = if quote.len() == 3 { quote.to_owned() } else { format!(r"{quote}|(?<!\\)\n") };
    json!({
        "name": name,
        "begin": format!("(?i:fr|rf|br|rb|f|r|b|u)?{quote}"),
        "end": end,
        "patterns": [
            { "match": format!("^{}", regex::escape(CONTINUATION)), "name": "punctuation.definition.prompt.vjp" },
            { "match": r"\\[\s\S]", "name": "constant.character.escape.vjp" },
        ],
    })
}

/// The grammar as a file.
fn grammar() -> String {
    let others: Vec<&str> = KEYWORDS.iter().copied().filter(|k| !VALUES.contains(k)).collect();
    let word = |words: &[&str]| format!("(?:{})(?!{CONTINUE})", one_of(words));
    let digit = format!("(?![eE]){CONTINUE}");
    let number = format!(
        r"(?=\.?[0-9])(?:0[xXoObB](?:{CONTINUE})*|(?:{digit})*(?:\.(?:{digit})*)?(?:[eE][-+]?(?:{digit})*)*)"
    );
    let signs = |own: &dyn Fn(&str) -> bool| {
        let signs: Vec<&str> = OPERATORS.iter().copied().filter(|o| own(o)).collect();
        one_of(&signs)
    };
    let stands = |sign: &str| "()[]{},:;.".contains(sign);
    let prompt = |mark: &str| regex::escape(mark.trim_end());
    let prompts = format!("{}|{}", prompt(PROMPT), prompt(CONTINUATION));
    let strings =
        [("\"\"\"", "double.block"), ("'''", "single.block"), ("\"", "double"), ("'", "single")];
    let strings = strings.map(|(quote, name)| string(quote, &format!("string.quoted.{name}.vjp")));
    let grammar = json!({
        "name": "vjp",
        "scopeName": "source.vjp",
        "fileTypes": ["vjp"],
        "patterns": [
            { "match": "^#.*", "name": "comment.line.number-sign.narration.vjp" },
            {
                "begin": format!("^({prompts})(?: +(:[-\\w?]*))?(?=\\s|$)"),
                "beginCaptures": {
                    "1": { "name": "punctuation.definition.prompt.vjp" },
                    "2": { "name": "keyword.other.command.vjp" },
                },
                "end": "$",
                "patterns": [{ "include": "#code" }],
            },
        ],
        "repository": {
            "code": {
                "patterns": [
                    { "match": "#.*", "name": "comment.line.number-sign.vjp" },
                    { "include": "#strings" },
                    { "match": number, "name": "constant.numeric.vjp" },
                    { "match": word(&VALUES), "name": "constant.language.vjp" },
                    { "match": word(&others), "name": "keyword.control.vjp" },
                    { "match": format!("{START}(?:{CONTINUE})*"), "name": "variable.other.vjp" },
                    { "match": signs(&|sign| !stands(sign)), "name": "keyword.operator.vjp" },
                    { "match": signs(&stands), "name": "punctuation.vjp" },
                ],
            },
            "strings": { "patterns": strings },
        },
    });
    format!("{grammar:#}\n")
}

fn stored() -> PathBuf {
    root().join("grammar/vjp.tmLanguage.json")
}

#[test]
fn the_textmate_grammar_is_that_of_the_scanner() {
    let grammar = grammar();
    if std::env::var_os("VJP_BLESS").is_some() {
        fs::write(stored(), &grammar).unwrap();
    }
    let written = fs::read_to_string(stored()).unwrap_or_default();
    assert!(
        written == grammar,
        "grammar/vjp.tmLanguage.json is not what the scanner says: VJP_BLESS=1 cargo test --test tests textmate::"
    );
}

/// Reads a file line by line as editors do: of all patterns the one that fits first counts, and a pattern
/// with an end lasts until that.
struct Editor {
    grammar: Value,
    patterns: HashMap<String, Regex>,
}

impl Editor {
    fn new() -> Editor {
        let grammar = fs::read_to_string(stored()).unwrap();
        let mut grammar: Value = serde_json::from_str(&grammar).unwrap();
        // Here it is what a menu says.
        grammar["name"] = Value::Null;
        Editor { grammar, patterns: HashMap::new() }
    }

    fn find(&mut self, pattern: &Value, line: &str, at: usize) -> Option<(usize, usize)> {
        let pattern = pattern.as_str()?;
        let compiled = self.patterns.entry(pattern.to_owned());
        let regex = compiled.or_insert_with(|| Regex::new(pattern).unwrap());
        let found = regex.find_from_pos(line, at).unwrap()?;
        Some((found.start(), found.end()))
    }

    /// The rules of a rule, those that it includes in their place.
    fn rules(&self, rule: &Value) -> Vec<Value> {
        let own = rule["patterns"].as_array().cloned().unwrap_or_default();
        let opened = own.into_iter().flat_map(|one| match one["include"].as_str() {
            Some(name) => self.rules(&self.grammar["repository"][name.trim_start_matches('#')]),
            None => vec![one],
        });
        opened.collect()
    }

    /// The name that each byte of a text has, the innermost.
    fn names(&mut self, text: &str) -> Vec<String> {
        let mut names = Vec::new();
        let mut stack = vec![self.grammar.clone()];
        for line in text.split_inclusive('\n') {
            let mut own = vec![String::new(); line.len()];
            let (mut at, mut done) = (0, 0);
            loop {
                let top = stack.last().unwrap().clone();
                let inside = top["name"].as_str().unwrap_or_default().to_owned();
                let mut best = self.find(&top["end"], line, at).map(|place| (place, None));
                for rule in self.rules(&top) {
                    let pattern =
                        if rule["match"].is_null() { &rule["begin"] } else { &rule["match"] };
                    if let Some(place) = self.find(pattern, line, at)
                        && best.as_ref().is_none_or(|(first, _)| place.0 < first.0)
                    {
                        best = Some((place, Some(rule)));
                    }
                }
                let Some(((start, end), rule)) = best else {
                    own[done..].fill(inside);
                    break;
                };
                own[done..start].fill(inside.clone());
                let name = match &rule {
                    Some(rule) => rule["name"].as_str().unwrap_or(&inside).to_owned(),
                    None => inside,
                };
                own[start..end].fill(name);
                let opens = rule.as_ref().is_some_and(|rule| !rule["begin"].is_null());
                match rule {
                    Some(rule) if opens => stack.push(rule),
                    Some(_) => assert!(end > start, "a pattern that takes nothing: {line}"),
                    None => drop(stack.pop()),
                }
                (at, done) = (end, end);
            }
            names.extend(own);
        }
        names
    }
}

/// What the scanner's tokens are called in the grammar.
fn called(kind: TokenKind) -> &'static [&'static str] {
    match kind {
        TokenKind::Name => &["variable"],
        TokenKind::Keyword => &["keyword.control", "constant.language"],
        TokenKind::Number => &["constant.numeric"],
        TokenKind::Str => &["string", "constant.character"],
        TokenKind::Op => &["keyword.operator", "punctuation"],
        _ => &[],
    }
}

/// Where the grammar and the scanner differ on an input.
fn differences(editor: &mut Editor, input: &str) -> Vec<String> {
    let lines = input.split('\n').enumerate();
    let marked: Vec<(&str, &str)> =
        lines.map(|(k, line)| (if k == 0 { PROMPT } else { CONTINUATION }, line)).collect();
    let file: String = marked.iter().map(|(mark, line)| format!("{mark}{line}\n")).collect();
    let names = editor.names(&file);
    // The names of the input's own bytes.
    let (mut own, mut at) = (Vec::new(), 0);
    for (mark, line) in marked {
        at += mark.len();
        own.extend_from_slice(&names[at..=at + line.len()]);
        at += line.len() + 1;
    }
    let (tokens, fault) = Scanner::new(input).tokens();
    // Behind what cannot be read, everybody may think otherwise.
    let end = fault.map_or(input.len(), |fault| fault.span.start as usize);
    let mut wrong = Vec::new();
    let mut before = 0;
    for token in tokens {
        let (start, stop) = (token.span.start as usize, token.span.end as usize);
        if stop > end {
            break;
        }
        let fits = |name: &String| called(token.kind).iter().any(|known| name.starts_with(known));
        if !called(token.kind).is_empty() && !own[start..stop].iter().all(fits) {
            wrong.push(format!("{:?} {:?}: {:?}", token.kind, &input[start..stop], own[start]));
        }
        if let Some(at) = input[before..start.max(before)].find('#')
            && !own[before + at].starts_with("comment")
        {
            wrong.push(format!("a comment: {:?}", own[before + at]));
        }
        before = before.max(stop);
    }
    wrong
}

#[test]
fn the_grammar_names_every_token_of_every_session() {
    let mut editor = Editor::new();
    let mut inputs: Vec<(String, String)> = Vec::new();
    let folders = ["sessions", "sessions/course", "sessions/exercises", "sessions/pytorch"];
    let more = ["sessions/questions", "sessions/screens", "tests/data/sentences"];
    for file in folders.iter().chain(&more).flat_map(|f| corpus::files(&root().join(f), "vjp")) {
        let session = Transcript::parse_answers(&file.text).unwrap();
        inputs.extend(session.inputs().map(|input| (file.name.clone(), input)));
    }
    inputs.extend(corpus::recorded().into_iter().map(|text| (text.name, text.text)));
    assert!(inputs.len() > 2000, "{}", inputs.len());
    let mut wrong = Vec::new();
    for (name, input) in &inputs {
        // A command has its own name, and more than code may follow.
        if !input.trim_start().starts_with([':', '?', '!']) {
            let found = differences(&mut editor, input);
            wrong.extend(found.into_iter().map(|difference| format!("{name}: {difference}")));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn prompts_commands_and_outputs_are_told_apart() {
    let mut editor = Editor::new();
    let file = "# for a leaf\nvjp> :explain x[1]\nfor 1\nvjp> s = '''a\n...> b''' # c\nvjp> 'a\\\n...> in' in s\n";
    let names = editor.names(file);
    let name = |text: &str| names[file.find(text).unwrap()].split('.').next().unwrap_or_default();
    assert_eq!(name("# for"), "comment");
    assert_eq!(name("x[1]"), "variable");
    assert_eq!(name("for 1"), "");
    assert_eq!([name("'''a"), name("b'''"), name("# c")], ["string", "string", "comment"]);
    assert_eq!([name("in' in"), name("in s")], ["string", "keyword"]);
}
