//! What `re` is made of: Python's patterns, translated to those of the crate that searches.

use fancy_regex::{Regex, RegexBuilder};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use vjp_eval::library::builtins;
use vjp_eval::{Args, Machine, Tried, Value, raise};
use vjp_tensor::{Kind, budget};

type Made = Tried<Value>;

builtins! {
    /// What `re` is made of.
    pub static RE in "re";
    "_groups" "(pattern, flags, /)" groups, "Returns the number of groups and their names, or what is wrong and where.";
    "_search" "(pattern, flags, text, pos, how, moved, /)" search, "Returns the spans of the first match and its groups.";
}

const IGNORECASE: i64 = 2;
const MULTILINE: i64 = 8;
const DOTALL: i64 = 16;
const VERBOSE: i64 = 64;
const ASCII: i64 = 256;

/// What is wrong with a pattern, and at which of its characters.
struct Wrong(String, Option<usize>);

/// Takes a pattern of Python's apart.
struct Translation<'a> {
    chars: &'a [char],
    at: usize,
    flags: i64,
    out: String,
    /// Where the groups began that are open.
    open: Vec<usize>,
    /// The names of groups so far.
    names: Vec<String>,
    /// Whether what stands before can be repeated, and whether it is a repetition.
    item: bool,
    repeated: bool,
}

impl Translation<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn wrong<T>(&self, says: &str, at: usize) -> Result<T, Wrong> {
        Err(Wrong(says.to_owned(), Some(at)))
    }

    /// `(?im)` at the beginning: flags of the whole pattern.
    fn leading_flags(&mut self) {
        let rest = &self.chars[self.at..];
        let end = rest.iter().position(|c| *c == ')').unwrap_or(0);
        if !rest.starts_with(&['(', '?']) || end < 3 {
            return;
        }
        let mut flags = 0;
        for c in &rest[2..end] {
            flags |= match c {
                'i' => IGNORECASE,
                'm' => MULTILINE,
                's' => DOTALL,
                'x' => VERBOSE,
                'a' => ASCII,
                'u' | 'L' => 0,
                _ => return,
            };
        }
        self.flags |= flags;
        self.at += end + 1;
    }

    fn whole(&mut self) -> Result<(), Wrong> {
        self.leading_flags();
        while let Some(c) = self.peek(0) {
            let start = self.at;
            self.at += 1;
            match c {
                '\\' => self.escape(false)?,
                '[' => self.set(start)?,
                '(' => self.group(start)?,
                ')' if self.open.pop().is_none() => {
                    return self.wrong("unbalanced parenthesis", start);
                }
                ')' => {
                    self.out.push(')');
                    (self.item, self.repeated) = (true, false);
                }
                '*' | '+' | '?' => self.repeat(start, &c.to_string())?,
                '{' => match self.bounds() {
                    Some(bounds) => self.repeat(start, &bounds)?,
                    None => self.plain("\\{"),
                },
                '}' => self.plain("\\}"),
                '$' if self.flags & MULTILINE == 0 => self.edge("(?=\\n?\\z)"),
                '^' | '$' => self.edge(&c.to_string()),
                '|' => {
                    self.out.push('|');
                    (self.item, self.repeated) = (false, false);
                }
                '#' if self.flags & VERBOSE != 0 => {
                    while self.peek(0).is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                c if self.flags & VERBOSE != 0 && c.is_whitespace() => {}
                '#' => self.plain("\\#"),
                c => self.plain(&c.to_string()),
            }
        }
        match self.open.last() {
            Some(&at) => self.wrong("missing ), unterminated subpattern", at),
            None => Ok(()),
        }
    }

    fn plain(&mut self, text: &str) {
        self.out.push_str(text);
        (self.item, self.repeated) = (true, false);
    }

    fn edge(&mut self, text: &str) {
        self.out.push_str(text);
        (self.item, self.repeated) = (false, false);
    }

    fn repeat(&mut self, start: usize, sign: &str) -> Result<(), Wrong> {
        if self.repeated {
            return self.wrong("multiple repeat", start);
        }
        if !self.item {
            return self.wrong("nothing to repeat", start);
        }
        self.out.push_str(sign);
        if let Some(c @ ('?' | '+')) = self.peek(0) {
            self.out.push(c);
            self.at += 1;
        }
        self.repeated = true;
        Ok(())
    }

    /// `{2,3}` after its brace; None where the brace is a plain character.
    fn bounds(&mut self) -> Option<String> {
        let rest = &self.chars[self.at..];
        let end = rest.iter().position(|c| *c == '}')?;
        let inner: String = rest[..end].iter().collect();
        let (low, high) = match inner.split_once(',') {
            Some((low, high)) => (low, Some(high)),
            None => (inner.as_str(), None),
        };
        let digits = |t: &str| t.chars().all(|c| c.is_ascii_digit());
        if !digits(low) || !digits(high.unwrap_or("")) || (low.is_empty() && high.is_none()) {
            return None;
        }
        self.at += end + 1;
        let low = if low.is_empty() { "0" } else { low };
        Some(match high {
            Some(high) => format!("{{{low},{high}}}"),
            None => format!("{{{low}}}"),
        })
    }

    /// What stands after an opening parenthesis.
    fn group(&mut self, start: usize) -> Result<(), Wrong> {
        if self.peek(0) == Some('?') && self.peek(1) == Some('#') {
            while self.peek(0).is_some_and(|c| c != ')') {
                self.at += 1;
            }
            self.at += 1;
            return Ok(());
        }
        self.open.push(start);
        self.out.push('(');
        (self.item, self.repeated) = (false, false);
        if self.peek(0) != Some('?') {
            return Ok(());
        }
        // What is between `?` and the group's own pattern is the same in both.
        let rest = &self.chars[self.at..];
        let named = rest.starts_with(&['?', 'P', '<']);
        let length = match rest {
            ['?', ':' | '=' | '!' | '>', ..] => 2,
            ['?', '<', '=' | '!', ..] => 3,
            ['?', 'P', '=', ..] => rest.iter().position(|c| *c == ')').unwrap_or(rest.len()),
            ['?', 'P', '<', ..] => {
                rest.iter().position(|c| *c == '>').map_or(rest.len(), |k| k + 1)
            }
            ['?', '(', ..] => rest.iter().position(|c| *c == ')').map_or(rest.len(), |k| k + 1),
            ['?', ..] => rest.iter().position(|c| *c == ':').map_or(rest.len(), |k| k + 1),
            _ => 0,
        };
        let text: String = rest[..length].iter().collect();
        if named && !text.ends_with('>') {
            return self.wrong("missing >, unterminated name", self.at + 3);
        }
        match (text.strip_prefix("?P="), text.strip_prefix("?P<")) {
            (Some(name), _) if !self.names.iter().any(|n| n == name) => {
                return self.wrong(&format!("unknown group name '{name}'"), self.at + 3);
            }
            (_, Some(name)) => self.names.push(name.trim_end_matches('>').to_owned()),
            _ => {}
        }
        self.out.push_str(&text);
        self.at += length;
        Ok(())
    }

    /// What stands after a backslash.
    fn escape(&mut self, in_set: bool) -> Result<(), Wrong> {
        let start = self.at - 1;
        let Some(c) = self.peek(0) else {
            return self.wrong("bad escape (end of pattern)", start);
        };
        self.at += 1;
        let known = if in_set { "dDsSwWafnrtvxuUNb" } else { "AbBdDsSwWZafnrtvxuUN" };
        if c.is_ascii_alphabetic() && !known.contains(c) {
            return self.wrong(&format!("bad escape \\{c}"), start);
        }
        let ascii = self.flags & ASCII != 0;
        let text = match c {
            'd' if ascii => if in_set { "0-9" } else { "[0-9]" }.to_owned(),
            'w' if ascii => if in_set { "A-Za-z0-9_" } else { "[A-Za-z0-9_]" }.to_owned(),
            's' if ascii => {
                if in_set { " \\t\\n\\r\\f\\v" } else { "[ \\t\\n\\r\\f\\v]" }.to_owned()
            }
            'Z' => "\\z".to_owned(),
            'b' if in_set => "\\x08".to_owned(),
            '0' => "\\x00".to_owned(),
            c if c.is_ascii_alphanumeric() => format!("\\{c}"),
            c => escaped(c),
        };
        match matches!(c, 'A' | 'b' | 'B' | 'Z') && !in_set {
            true => self.edge(&text),
            false => self.plain(&text),
        }
        Ok(())
    }

    /// A set of characters, after its bracket.
    fn set(&mut self, start: usize) -> Result<(), Wrong> {
        self.out.push('[');
        if self.peek(0) == Some('^') {
            self.out.push('^');
            self.at += 1;
        }
        let first = self.at;
        loop {
            let Some(c) = self.peek(0) else {
                return self.wrong("unterminated character set", start);
            };
            self.at += 1;
            match c {
                ']' if self.at > first + 1 => break,
                '\\' => self.escape(true)?,
                // A range, or a minus at either end.
                '-' if self.at > first + 1 && self.peek(0) != Some(']') => self.out.push('-'),
                c if c.is_alphanumeric() => self.out.push(c),
                c => self.out.push_str(&escaped(c)),
            }
        }
        self.plain("]");
        Ok(())
    }
}

/// A character that means only itself.
fn escaped(c: char) -> String {
    match c.is_ascii_punctuation() && c != '_' {
        true => format!("\\{c}"),
        false => c.to_string(),
    }
}

/// The pattern, compiled: what it matches at the search's place, where `how` says so.
fn compile(pattern: &str, flags: i64, how: &str) -> Result<Rc<Regex>, Wrong> {
    type Known = HashMap<(String, i64, String), Rc<Regex>>;
    thread_local! {
        static KNOWN: RefCell<Known> = RefCell::default();
    }
    let key = (pattern.to_owned(), flags, how.to_owned());
    if let Some(known) = KNOWN.with_borrow(|k| k.get(&key).cloned()) {
        return Ok(known);
    }
    let chars: Vec<char> = pattern.chars().collect();
    let mut read = Translation {
        chars: &chars,
        at: 0,
        flags,
        out: String::new(),
        open: Vec::new(),
        names: Vec::new(),
        item: false,
        repeated: false,
    };
    read.whole()?;
    let mut set = String::new();
    for (flag, letter) in [(IGNORECASE, 'i'), (MULTILINE, 'm'), (DOTALL, 's')] {
        set.extend((read.flags & flag != 0).then_some(letter));
    }
    let inner = match set.is_empty() {
        true => read.out,
        false => format!("(?{set}){}", read.out),
    };
    let text = match how {
        "match" => format!("\\G(?:{inner})"),
        "fullmatch" => format!("\\G(?:{inner})\\z"),
        "moved" => format!("(?:{inner})(?!\\G)"),
        _ => inner,
    };
    let made = RegexBuilder::new(&text).build().map_err(|e| Wrong(e.to_string(), None))?;
    let made = Rc::new(made);
    KNOWN.with_borrow_mut(|known| {
        if known.len() > 500 {
            known.clear();
        }
        known.insert(key, Rc::clone(&made));
    });
    Ok(made)
}

fn text(args: &Args, at: usize) -> Tried<&str> {
    match args.positional.get(at) {
        Some(Value::Str(s)) => Ok(s),
        _ => raise!(Kind::Type, "expected string or bytes-like object"),
    }
}

fn number(args: &Args, at: usize) -> i64 {
    args.positional.get(at).and_then(Value::as_int).unwrap_or(0)
}

fn groups(_: &mut Machine, args: Args) -> Made {
    let made = match compile(text(&args, 0)?, number(&args, 1), "search") {
        Ok(made) => made,
        Err(Wrong(says, at)) => {
            let at = at.map_or(Value::None, |k| Value::Int(k as i64));
            return Ok(Value::tuple(vec![Value::from(says), at]));
        }
    };
    let named = made
        .capture_names()
        .enumerate()
        .filter_map(|(k, name)| Some(Value::tuple(vec![Value::from(name?), Value::Int(k as i64)])));
    let names = Value::list(named.collect());
    let count = Value::Int(made.captures_len() as i64 - 1);
    Ok(Value::tuple(vec![count, names, Value::None]))
}

fn search(_: &mut Machine, args: Args) -> Made {
    let (pattern, subject, how) = (text(&args, 0)?, text(&args, 2)?, text(&args, 4)?);
    let moved = matches!(args.positional.get(5), Some(Value::Bool(true)));
    let how = if moved { "moved" } else { how };
    let made = match compile(pattern, number(&args, 1), how) {
        Ok(made) => made,
        Err(Wrong(says, _)) => raise!(Kind::Value, "{says}"),
    };
    budget::tick()?;
    let plain = subject.is_ascii();
    let pos = number(&args, 3).max(0) as usize;
    let from = match plain {
        true => pos.min(subject.len()),
        false => subject.char_indices().nth(pos).map_or(subject.len(), |(at, _)| at),
    };
    let found = match made.captures_from_pos(subject, from) {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(Value::None),
        Err(_) => raise!("the pattern takes too many steps on this text"),
    };
    let place = |at: usize| match plain {
        true => at as i64,
        false => subject[..at].chars().count() as i64,
    };
    let spans = found.iter().map(|group| match group {
        Some(m) => Value::tuple(vec![Value::Int(place(m.start())), Value::Int(place(m.end()))]),
        None => Value::None,
    });
    Ok(Value::list(spans.collect()))
}
