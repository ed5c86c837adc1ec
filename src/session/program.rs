//! A plain program as a session: one input for each top-level statement, comments as narration.

use super::transcript::{Step, Transcript};

/// Whether a text as typed so far is a whole input; a block is one once an empty line follows.
pub fn complete(text: &str) -> bool {
    let lines: Vec<&str> = text.split('\n').collect();
    let last = lines.last().copied().unwrap_or("");
    let block = lines.iter().any(|l| l.trim_end().ends_with(':')) || last.starts_with([' ', '\t']);
    balance(text) <= 0 && (!block || last.trim().is_empty())
}

fn balance(text: &str) -> i32 {
    text.chars().fold(0, |n, c| match c {
        '(' | '[' | '{' => n + 1,
        ')' | ']' | '}' => n - 1,
        _ => n,
    })
}

/// Where the inputs of a program text begin and end, by bytes.
pub fn inputs(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut all: Vec<std::ops::Range<usize>> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let bare = line.trim_end();
        let continues = bare.is_empty()
            || bare.starts_with([' ', '\t'])
            || ["elif", "else", "except", "finally"]
                .iter()
                .any(|w| bare.starts_with(w));
        match all.last_mut() {
            Some(last)
                if continues
                    || balance(&text[last.clone()]) > 0
                    || text[last.clone()].starts_with('@') =>
            {
                last.end = end
            }
            _ => all.push(at..end),
        }
        at = end;
    }
    all
}

/// The session that typing the program would make.
pub fn as_session(text: &str) -> Transcript {
    let mut session = Transcript::default();
    for range in inputs(text) {
        let mut input: Vec<String> = text[range].lines().map(str::to_owned).collect();
        let blank = input
            .iter()
            .rev()
            .take_while(|l| l.trim().is_empty())
            .count();
        input.truncate(input.len() - blank);
        if input.iter().all(|l| l.is_empty() || l.starts_with('#')) {
            session.tail.append(&mut input);
        } else {
            // As at the prompt, an empty line ends a block.
            if input.len() > 1 && !complete(&input.join("\n")) {
                input.push(String::new());
            }
            session.steps.push(Step {
                narration: std::mem::take(&mut session.tail),
                input,
                output: Vec::new(),
            });
        }
        session
            .tail
            .extend(std::iter::repeat_n(String::new(), blank));
    }
    session
}
