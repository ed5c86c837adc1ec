//! Logical lines: is a text complete, and which inputs does it hold? The prompt, the pipe and
//! the parser ask here, so that they never disagree.

use super::tokens::{Scanner, Token, TokenKind};

/// May the text be evaluated, or does it ask for more lines?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    Complete,
    Open(Reason),
}

/// What is still open at the end of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A bracket, a triple-quoted string or a line that ends in `\`.
    Unclosed,
    /// A header without its block, a decorator without its function.
    Header,
    /// A block, which a blank line ends.
    Block,
}

/// Where a text comes from: who types ends a block with a blank line, a file just ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    Prompt,
    File,
}

/// Words that begin a statement with a block.
const HEADERS: &[&str] = &["if", "for", "while", "def", "class", "with", "try", "async"];
/// Words that go on with the statement above them.
pub const CONTINUATIONS: &[&str] = &["elif", "else", "except", "finally"];

/// Does the text ask for more lines? At the prompt `text` is what has been typed, without the
/// newline that Enter would add.
pub fn complete(text: &str, setting: Setting) -> Completeness {
    if text.trim_start().starts_with(':') {
        return Completeness::Complete;
    }
    let mut scanner = Scanner::new(text);
    let (mut line, mut last) = (Vec::new(), Vec::new());
    let mut blocks = 0;
    loop {
        line.clear();
        let more = scanner.logical_line(&mut line);
        if scanner.fault().is_some_and(|f| f.open) {
            return Completeness::Open(Reason::Unclosed);
        }
        if line.iter().any(|t| is_text(t.kind)) {
            last.clone_from(&line);
        }
        if !more {
            // Blocks that only the end of the text ends.
            let ended = line.iter().rev().take_while(|t| !is_text(t.kind));
            blocks += ended.filter(|t| t.kind == TokenKind::Dedent).count();
            break;
        }
    }
    let blank_end = text.rsplit('\n').next().is_some_and(|l| l.trim().is_empty());
    let typed_on = setting == Setting::Prompt && !(blank_end && text.contains('\n'));
    if opens_block(text, &last) && (typed_on || setting == Setting::File) {
        Completeness::Open(Reason::Header)
    } else if blocks > 0 && typed_on {
        Completeness::Open(Reason::Block)
    } else {
        Completeness::Complete
    }
}

fn is_text(kind: TokenKind) -> bool {
    use TokenKind::*;
    !matches!(kind, Newline | Indent | Dedent | End)
}

fn word<'a>(text: &'a str, token: &Token) -> &'a str {
    &text[token.span.start as usize..token.span.end as usize]
}

/// A line that ends in `:`, or a decorator.
fn opens_block(text: &str, line: &[Token]) -> bool {
    let mut words = line.iter().filter(|t| is_text(t.kind)).map(|t| word(text, t));
    let first = words.next();
    first == Some("@") || words.next_back().or(first) == Some(":")
}

/// One input of a piped program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input<'a> {
    /// Blank and comment lines above it.
    pub lead: &'a str,
    /// Its lines, the last newline included.
    pub text: &'a str,
    /// Bytes from the beginning of the given text to the input's end.
    pub end: usize,
}

/// The inputs of a whole text, as a pipe gives them: a block ends before the first line that is
/// neither indented, blank nor a comment, and does not continue it.
pub fn inputs(text: &str) -> Vec<Input<'_>> {
    let (mut list, mut at) = (Vec::new(), 0);
    while let Some(input) = first_input(&text[at..], true) {
        at += input.end;
        list.push(input);
    }
    list
}

/// The first input of a text. None where there is none, or (unless the text is `whole`) where
/// lines to come may still belong to it.
pub fn first_input(text: &str, whole: bool) -> Option<Input<'_>> {
    let start = next_line(text, 0)?;
    let (lead, rest) = text.split_at(start);
    let input = |end: usize| Input { lead, text: &rest[..end], end: start + end };
    if rest.starts_with([':', '?', '!']) {
        let end = line_end(rest, 0);
        return (whole || rest[..end].ends_with('\n')).then(|| input(end));
    }
    let mut scanner = Scanner::new(rest);
    let mut line = Vec::new();
    let (mut block, mut decorated) = (false, false);
    loop {
        line.clear();
        let more = scanner.logical_line(&mut line);
        let end = scanner.pos();
        let cut_off = scanner.fault().is_some_and(|f| f.open) || !rest[..end].ends_with('\n');
        if !more || end == rest.len() {
            let open =
                cut_off || block || decorated || opens_block(rest, &line) || header(rest, &line);
            return (whole || !open).then(|| input(end));
        }
        decorated = line.iter().find(|t| is_text(t.kind)).is_some_and(|t| word(rest, t) == "@");
        block |= decorated || header(rest, &line) || opens_block(rest, &line);
        if !block {
            return Some(input(end));
        }
        let Some(next) = next_line(rest, end) else {
            return whole.then(|| input(end + indented_comments(&rest[end..])));
        };
        let next_text = &rest[next..];
        let end_word = next_text.find(|c: char| !c.is_alphanumeric() && c != '_');
        let next_word = &next_text[..end_word.unwrap_or(next_text.len())];
        let goes_on = next_text.starts_with([' ', '\t'])
            || CONTINUATIONS.contains(&next_word)
            || decorated
                && (next_text.starts_with('@') || matches!(next_word, "def" | "class" | "async"));
        if !goes_on {
            return Some(input(end + indented_comments(&rest[end..next])));
        }
    }
}

fn header(text: &str, line: &[Token]) -> bool {
    line.iter().find(|t| is_text(t.kind)).is_some_and(|t| HEADERS.contains(&word(text, t)))
}

/// Where the next line begins that is neither blank nor a comment.
fn next_line(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    while at < text.len() {
        let end = line_end(text, at);
        let line = text[at..end].trim();
        if !line.is_empty() && !line.starts_with('#') {
            return Some(at);
        }
        at = end;
    }
    None
}

/// Behind the newline of the line at `at`.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |n| at + n + 1)
}

/// Bytes of the indented comment lines at the beginning: they still belong to the block above.
fn indented_comments(text: &str) -> usize {
    let (mut at, mut kept) = (0, 0);
    while at < text.len() {
        let end = line_end(text, at);
        let line = &text[at..end];
        if line.trim_start().starts_with('#') {
            if !line.starts_with([' ', '\t']) {
                break;
            }
            kept = end;
        } else if !line.trim().is_empty() {
            break;
        }
        at = end;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prompt_asks_for_more_while_something_is_open() {
        use Completeness::*;
        let cases = [
            ("x = 1", Complete),
            ("", Complete),
            ("x = [1,", Open(Reason::Unclosed)),
            ("x = '''a", Open(Reason::Unclosed)),
            ("x = 1 + \\", Open(Reason::Unclosed)),
            ("for i in x:", Open(Reason::Header)),
            ("for i in x:  # each", Open(Reason::Header)),
            ("for i in x:\n    y", Open(Reason::Block)),
            ("for i in x:\n    y\n", Complete),
            ("for i in x:\n    f(1,\n", Open(Reason::Unclosed)),
            ("if a: b", Complete),
            ("@f", Open(Reason::Header)),
            ("def f():\n    x\ny = 1", Complete),
            ("x = (1]", Complete),
            ("x = 'a", Complete),
            (":help (", Complete),
            ("{'a': 1}", Complete),
        ];
        for (text, expected) in cases {
            assert_eq!(complete(text, Setting::Prompt), expected, "{text:?}");
        }
    }

    #[test]
    fn a_file_ends_its_blocks_itself() {
        assert_eq!(complete("if a:\n  b", Setting::File), Completeness::Complete);
        assert_eq!(complete("if a:\n", Setting::File), Completeness::Open(Reason::Header));
    }

    #[test]
    fn a_pipe_is_split_at_lines_that_do_not_continue_a_block() {
        let cases: &[(&str, &[&str])] = &[
            ("a\nb\n", &["a\n", "b\n"]),
            // What a line cannot be read for takes nothing from those below it.
            ("f(\"a)\nb\n", &["f(\"a)\n", "b\n"]),
            ("[1.\\5, 2]\nb\n", &["[1.\\5, 2]\n", "b\n"]),
            ("a\nb", &["a\n", "b"]),
            ("if a:\n  b\n\n  c\nelse:\n  d\ne\n", &["if a:\n  b\n\n  c\nelse:\n  d\n", "e\n"]),
            ("if a: b\nelse: c\nd\n", &["if a: b\nelse: c\n", "d\n"]),
            ("@f\n@g\ndef h():\n  x\ny\n", &["@f\n@g\ndef h():\n  x\n", "y\n"]),
            ("x = [1,\n2]\ny\n", &["x = [1,\n2]\n", "y\n"]),
            ("# c\n\n:help (\nx\n", &[":help (\n", "x\n"]),
            ("for i in x:\n  a\n  # in\n# out\nb\n", &["for i in x:\n  a\n  # in\n", "b\n"]),
            ("x = 'a\ny\n", &["x = 'a\n", "y\n"]),
            ("x = (1\n", &["x = (1\n"]),
            (
                "try:\n  a\nexcept E:\n  b\nfinally:\n  c\n",
                &["try:\n  a\nexcept E:\n  b\nfinally:\n  c\n"],
            ),
            ("x = 1\r\ny = 2\r\n", &["x = 1\r\n", "y = 2\r\n"]),
            ("else: a\nb\n", &["else: a\n", "b\n"]),
            ("# only\n", &[]),
        ];
        for (text, expected) in cases {
            let got: Vec<&str> = inputs(text).iter().map(|i| i.text).collect();
            assert_eq!(&got, expected, "{text:?}");
        }
    }

    #[test]
    fn a_stream_waits_for_lines_that_may_belong_to_the_block() {
        assert_eq!(first_input("x = 1", false), None);
        assert_eq!(first_input("x = 1\n", false).map(|i| i.text), Some("x = 1\n"));
        assert_eq!(first_input("if a:\n  b\n", false), None);
        assert_eq!(first_input("if a:\n  b\nc", false).map(|i| i.text), Some("if a:\n  b\n"));
        assert_eq!(first_input("if a: b\n", false), None);
        assert_eq!(first_input("f(1,\n", false), None);
    }
}
