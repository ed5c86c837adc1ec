//! Cuts a text into the tokens that grammar/vjp.ebnf names, from its patterns and its words on
//! layout alone.

use super::ebnf::Grammar;
use regex::Regex;
use std::collections::HashMap;

/// A token: its terminal in the grammar and its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    pub terminal: usize,
    pub text: String,
}

pub struct Lexer {
    patterns: HashMap<String, Regex>,
    /// Signs, longest first.
    signs: Vec<String>,
    terminals: HashMap<String, usize>,
}

struct Run<'a> {
    lexer: &'a Lexer,
    out: Vec<Token>,
    open: Vec<char>,
}

type Lexed = Result<(), ()>;

impl Lexer {
    pub fn new(g: &Grammar) -> Self {
        let whole = |(name, p): &(String, String)| {
            (name.clone(), Regex::new(&format!("^(?:{p})")).unwrap())
        };
        let mut patterns: HashMap<String, Regex> = g.patterns.iter().map(whole).collect();
        let keyword = g.patterns.iter().find(|(n, _)| n == "KEYWORD").unwrap();
        patterns.insert("KEYWORD".into(), Regex::new(&format!("^(?:{})$", keyword.1)).unwrap());
        let quoted = g.terminals.iter().filter_map(|t| t.strip_prefix('"')?.strip_suffix('"'));
        let mut signs: Vec<String> = quoted
            .filter(|t| !t.starts_with(char::is_alphabetic) && *t != "!")
            .map(String::from)
            .collect();
        signs.sort_by_key(|s| std::cmp::Reverse(s.len()));
        let terminals = g.terminals.iter().enumerate().map(|(n, t)| (t.clone(), n)).collect();
        Lexer { patterns, signs, terminals }
    }

    /// The tokens of a text; None where some of it is no token.
    pub fn tokens(&self, text: &str) -> Option<Vec<Token>> {
        let mut run = Run { lexer: self, out: Vec::new(), open: Vec::new() };
        run.program(text).ok()?;
        Some(run.out)
    }

    fn matched<'t>(&self, name: &str, text: &'t str) -> Option<&'t str> {
        self.patterns[name].find(text).map(|m| m.as_str())
    }
}

impl Run<'_> {
    fn push(&mut self, name: &str, text: &str) -> Lexed {
        let terminal = *self.lexer.terminals.get(name).ok_or(())?;
        self.out.push(Token { terminal, text: text.into() });
        Ok(())
    }

    fn program(&mut self, text: &str) -> Lexed {
        let (mut rest, mut indents) = (text, vec![(0, 0)]);
        while !rest.is_empty() {
            let blank = rest.find(|c| !matches!(c, ' ' | '\t' | '\x0c')).unwrap_or(rest.len());
            let here = rest[blank..].chars().next();
            match here {
                None => break,
                Some('\n' | '\r') => rest = &rest[blank + 1..],
                Some('#') => rest = &rest[rest.find(['\n', '\r']).unwrap_or(rest.len())..],
                Some(_) => {
                    self.indentation(columns(&rest[..blank]), &mut indents)?;
                    rest = self.line(&rest[blank..])?;
                    self.push("NEWLINE", "\n")?;
                }
            }
        }
        for _ in 1..indents.len() {
            self.push("DEDENT", "")?;
        }
        self.push("END", "")
    }

    fn indentation(&mut self, columns: (usize, usize), indents: &mut Vec<(usize, usize)>) -> Lexed {
        if columns.0 > indents[indents.len() - 1].0 {
            if columns.1 <= indents[indents.len() - 1].1 {
                return Err(());
            }
            indents.push(columns);
            return self.push("INDENT", "");
        }
        while columns.0 < indents[indents.len() - 1].0 {
            indents.pop();
            self.push("DEDENT", "")?;
        }
        if columns == indents[indents.len() - 1] { Ok(()) } else { Err(()) }
    }

    /// One logical line; what is left behind its newline.
    fn line<'t>(&mut self, text: &'t str) -> Result<&'t str, ()> {
        let mut rest = text;
        loop {
            rest = rest.trim_start_matches([' ', '\t', '\x0c']);
            let Some(c) = rest.chars().next() else {
                return if self.open.is_empty() { Ok(rest) } else { Err(()) };
            };
            match c {
                '#' => rest = &rest[rest.find(['\n', '\r']).unwrap_or(rest.len())..],
                '\n' | '\r' => {
                    let used = if rest.starts_with("\r\n") { 2 } else { 1 };
                    rest = &rest[used..];
                    if self.open.is_empty() {
                        return Ok(rest);
                    }
                }
                '\\' => {
                    let after = rest[1..]
                        .strip_prefix("\r\n")
                        .or(rest[1..].strip_prefix(['\n', '\r']))
                        .ok_or(())?;
                    if after.is_empty() {
                        return Err(());
                    }
                    rest = after;
                }
                _ => rest = self.token(rest)?,
            }
        }
    }

    fn token<'t>(&mut self, text: &'t str) -> Result<&'t str, ()> {
        if let Some(after) = self.fstring(text)? {
            return Ok(after);
        }
        if let Some(string) = self.lexer.matched("STRING", text) {
            self.push("STRING", string)?;
            return Ok(&text[string.len()..]);
        }
        // A quote that is no string, also behind a prefix, is unterminated.
        if let Some(number) = self.lexer.matched("NUMBER", text) {
            let after = &text[number.len()..];
            if self.lexer.matched("NAME", &format!("_{after}")).is_some_and(|n| n.len() > 1) {
                return Err(());
            }
            self.push("NUMBER", number)?;
            return Ok(after);
        }
        if let Some(name) = self.lexer.matched("NAME", text) {
            match self.lexer.patterns["KEYWORD"].is_match(name) {
                // A word without a use in the grammar is no token at all.
                true => self.push(&format!("\"{name}\""), name)?,
                false => self.push("NAME", name)?,
            }
            return Ok(&text[name.len()..]);
        }
        let sign =
            self.lexer.signs.iter().find(|s| text.starts_with(s.as_str())).ok_or(())?.clone();
        match sign.as_str() {
            "(" | "[" | "{" => self.open.push(sign.chars().next().unwrap()),
            ")" | "]" | "}" => {
                let pair = format!("{}{sign}", self.open.pop().ok_or(())?);
                if !matches!(pair.as_str(), "()" | "[]" | "{}") {
                    return Err(());
                }
            }
            _ => {}
        }
        self.push(&format!("\"{sign}\""), &sign)?;
        Ok(&text[sign.len()..])
    }

    /// An f-string with its fields; None where none begins.
    fn fstring<'t>(&mut self, text: &'t str) -> Result<Option<&'t str>, ()> {
        let Some(quote) = text.find(['"', '\'']) else {
            return Ok(None);
        };
        let prefix = text[..quote].to_ascii_lowercase();
        if !matches!(prefix.as_str(), "f" | "rf" | "fr") {
            return Ok(None);
        }
        let string = self.lexer.matched("STRING", &text[quote..]).ok_or(())?;
        let quotes =
            if string.len() >= 6 && (string.starts_with("\"\"\"") || string.starts_with("'''")) {
                3
            } else {
                1
            };
        let mut body = &string[quotes..string.len() - quotes];
        self.push("FSTRING_START", &text[..quote + quotes])?;
        self.parts(&mut body, prefix.contains('r'), 0)?;
        self.push("FSTRING_END", &string[..quotes])?;
        Ok(Some(&text[quote + string.len()..]))
    }

    fn parts(&mut self, body: &mut &str, raw: bool, level: usize) -> Lexed {
        let mut text = String::new();
        while let Some(c) = body.chars().next() {
            let twice = body[c.len_utf8()..].starts_with(c);
            match c {
                '\\' if !raw => {
                    let n = 1 + body[1..].chars().next().map_or(0, char::len_utf8);
                    text.push_str(&body[..n]);
                    *body = &body[n..];
                }
                '{' | '}' if level == 0 && twice => {
                    text.push(c);
                    *body = &body[2..];
                }
                '{' => {
                    self.flush(&mut text)?;
                    self.field(body, raw, level)?;
                }
                '}' if level > 0 => break,
                '}' => return Err(()),
                c => {
                    text.push(c);
                    *body = &body[c.len_utf8()..];
                }
            }
        }
        self.flush(&mut text)
    }

    fn flush(&mut self, text: &mut String) -> Lexed {
        if text.is_empty() {
            return Ok(());
        }
        self.push("FSTRING_TEXT", &std::mem::take(text))
    }

    fn field(&mut self, body: &mut &str, raw: bool, level: usize) -> Lexed {
        if level >= 2 {
            return Err(());
        }
        self.push("\"{\"", "{")?;
        let end = expression_end(&body[1..]).ok_or(())?;
        let (inside, rest) = body[1..].split_at(end);
        *body = rest;
        let outer = std::mem::replace(&mut self.open, vec!['f']);
        // Brackets are balanced by now; the line ends where the field does.
        let mut expression = inside;
        loop {
            expression = expression.trim_start();
            if expression.is_empty() {
                break;
            }
            if expression.starts_with(['#', '\\']) {
                return Err(());
            }
            expression = self.token(expression)?;
        }
        let closed = self.open.len() == 1;
        self.open = outer;
        if !closed {
            return Err(());
        }
        if body.starts_with('=') {
            self.push("\"=\"", "=")?;
            *body = body[1..].trim_start();
        }
        if body.starts_with('!') {
            self.push("\"!\"", "!")?;
            let conversion = self.lexer.matched("CONVERSION", &body[1..]).ok_or(())?.to_string();
            self.push("CONVERSION", &conversion)?;
            *body = &body[1 + conversion.len()..];
        }
        if body.starts_with(':') {
            self.push("\":\"", ":")?;
            *body = &body[1..];
            self.parts(body, raw, level + 1)?;
        }
        if !body.starts_with('}') {
            return Err(());
        }
        self.push("\"}\"", "}")?;
        *body = &body[1..];
        Ok(())
    }
}

/// Columns with tabs to 8 and with tabs as 1.
fn columns(blanks: &str) -> (usize, usize) {
    blanks.chars().fold((0, 0), |(wide, narrow), c| match c {
        '\t' => (wide / 8 * 8 + 8, narrow + 1),
        '\x0c' => (0, 0),
        _ => (wide + 1, narrow + 1),
    })
}

/// Where a field's expression ends: at `!`, `:`, `}` or a closing `=`.
fn expression_end(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0usize, 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        match c {
            '\\' | '#' => return None,
            '"' | '\'' => {
                let q: String = c
                    .to_string()
                    .repeat(if rest.starts_with(&c.to_string().repeat(3)) { 3 } else { 1 });
                at += q.len();
                at += text[at..].find(&q)?;
                at += q.len();
                continue;
            }
            '(' | '[' | '{' => depth += 1,
            '}' | '!' | ':' if depth == 0 && !rest.starts_with("!=") => return Some(at),
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '!' | '<' | '>' | '=' if rest[1..].starts_with('=') => at += 1,
            '=' if depth == 0 => {
                let next = rest[1..].trim_start().chars().next()?;
                return matches!(next, '}' | '!' | ':').then_some(at);
            }
            _ => {}
        }
        at += c.len_utf8();
    }
    None
}
