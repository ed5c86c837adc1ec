//! `____` in outputs: which numbers answer it, and how a rewritten output keeps it.

use super::matrix::{self, DERIVATIVE};
use super::remarks;
use super::why::Why;
use crate::marking::numbers::{BLANK, Line, Piece, Token, Written, lines, pieces};
use std::borrow::Cow;
use std::ops::Range;
use vjp_report::graph::labels::SIGNS;

/// One answer of an output: what stands where the program gives a value of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What it answers, where the line says so: `vᵀJ`.
    pub name: Option<String>,
    /// So many values alone stand on lines below it.
    pub before: usize,
    /// As the file holds it: `[8, 34]`.
    pub given: String,
    /// As the program gives it.
    pub right: String,
    /// Blanks that nobody filled in.
    pub open: usize,
    /// Whether what was filled in is right.
    pub holds: bool,
    /// Why there is nothing to compare: what was given is not so many numbers, or it is not there.
    pub unread: Option<Why>,
    /// The numbers of both, where they are as many: None where a blank is open.
    pub numbers: Vec<(Option<Written>, Written)>,
}

impl Answer {
    /// A formula in the place of a blank, judged as a whole; a remark behind `#` does not count. None: it is not there.
    pub fn formula(
        name: String,
        given: Option<String>,
        right: &str,
        judge: impl FnOnce(&str) -> Result<bool, Why>,
    ) -> Answer {
        let nothing = |text: &String| matches!(text.trim(), "" | "?");
        let missing = given.as_ref().is_none_or(nothing).then(|| "there is no answer".into());
        let given = given.unwrap_or_default();
        let text = given.split('#').next().unwrap_or("").trim();
        let open = usize::from(missing.is_some() || text.contains(BLANK));
        let verdict = if open > 0 { Ok(true) } else { judge(text) };
        Answer {
            name: Some(name),
            before: 0,
            given: given.trim().to_owned(),
            right: right.to_owned(),
            open,
            holds: verdict == Ok(true),
            unread: missing.or(verdict.err()),
            numbers: Vec::new(),
        }
    }

    /// An output that is none of the program's but for numbers.
    pub fn other(file: &[String], now: &[String]) -> Answer {
        Answer {
            name: None,
            before: 0,
            given: file.join("\n"),
            right: now.join("\n"),
            open: 0,
            holds: false,
            unread: None,
            numbers: Vec::new(),
        }
    }
}

/// Whether lines hold nothing but blanks.
pub fn is_blank_alone(lines: &[String]) -> bool {
    lines.iter().all(|line| line.trim().trim_matches('_').is_empty())
}

/// Whether a text holds a blank.
pub fn has_blank<T: AsRef<str>>(lines: &[T]) -> bool {
    lines.iter().any(|line| line.as_ref().contains(BLANK))
}

/// Whether an output is one line with nothing but numbers: what an expression alone shows.
pub fn is_bare(output: &[String]) -> bool {
    match output {
        [line] => {
            let line = plain(line);
            let all = pieces(&line);
            let word = matches!(&*line, "None" | "True" | "False");
            word || (numbers(&all).count() > 0 && all.iter().all(is_figure))
        }
        _ => false,
    }
}

/// Whether an output ends with such a line: on a sheet, the answer to a question.
pub fn ends_bare(output: &[String]) -> bool {
    output.last().is_some_and(|last| is_bare(std::slice::from_ref(last)))
}

/// Whether a line holds more than numbers, blanks and their brackets.
pub fn has_words(line: &str) -> bool {
    pieces(line).iter().any(|piece| !is_figure(piece))
}

fn is_figure(piece: &Piece<'_>) -> bool {
    match piece.token {
        Token::Blank | Token::Number(_) => true,
        Token::Text(text) => {
            matches!(text, "[" | "]" | "(" | ")" | "," | ";" | "tensor" | "array")
        }
    }
}

/// A value without what PyTorch says beside its numbers: `torch.Size(`, `, dtype=torch.float64`.
fn plain(value: &str) -> Cow<'_, str> {
    let mut value = Cow::Borrowed(value);
    for size in ["torch.Size(", "Size("] {
        if value.contains(size) {
            value = value.replace(size, "(").into();
        }
    }
    for beside in [", dtype=", ", requires_grad=", ", grad_fn="] {
        while let Some(start) = value.find(beside) {
            let text = &value[start + beside.len()..];
            let inside = |c: char| c.is_alphanumeric() || "._<>".contains(c);
            let end = text.find(|c| !inside(c)).unwrap_or(text.len());
            let rest = text[end..].to_owned();
            value = (value[..start].to_owned() + &rest).into();
        }
    }
    value
}

fn numbers<'a>(all: &'a [Piece<'_>]) -> impl Iterator<Item = Written> + 'a {
    all.iter().filter_map(|p| match p.token {
        Token::Number(n) => Some(n),
        _ => None,
    })
}

/// The answers that an output of a file holds, given what the program gives; None where the two
/// differ in more than numbers and blanks.
pub fn answers(file: &[String], now: &[Line]) -> Option<Vec<Answer>> {
    let given: Vec<Line> = file.iter().map(|l| Line::new(l.clone(), Vec::new())).collect();
    let now = matrix::drawn(now).unwrap_or_else(|| whole_values(now));
    let given = whole_values(&given);
    let is_matrix =
        |line: &Line| is_bare(std::slice::from_ref(&line.text)) && line.text.contains("[[");
    let by_rows = now.last().is_some_and(is_matrix).then(|| matrix::by_rows(&given, now.len()));
    let given = by_rows.flatten().unwrap_or(given);
    let file: Vec<String> = given.into_iter().map(|line| line.text).collect();
    let (file, now) = (file.as_slice(), now.as_slice());
    let asked = asked_last(now);
    if let [line] = file
        && line.trim() == BLANK
        && asked.is_none()
    {
        return Some(vec![open(texts(now).join("\n"))]);
    }
    // An answer alone answers the last line: what comes before it was given.
    if let ([given], Some(right)) = (file, asked) {
        return Some(alone(given, right));
    }
    if file.len() != now.len() {
        return None;
    }
    let is_value = |line: &Line| is_bare(std::slice::from_ref(&line.text));
    let mut all = Vec::new();
    for (k, (line, right)) in file.iter().zip(now).enumerate() {
        if *line == right.text && (right.shows_all() || !is_value(right)) {
            continue;
        }
        let last = (k + 1 == now.len()).then_some(asked).flatten();
        let usual = remarks::beside(line, &right.text);
        let line = &usual;
        let found = match (align(line, right), right.text.split_once(" = ")) {
            (Some(pairs), _) if *line != right.text => {
                let above = k.checked_sub(1).map_or("", |k| now[k].text.as_str());
                groups(line, right, above, &pairs)
            }
            _ if is_value(right) || last.is_some() => alone(line, right),
            // What stands for the value of a name.
            (_, Some((name, value))) if is_bare(&[without_leaf(value).to_owned()]) => {
                let line = without_leaf(line);
                let given = match line.split_once('=') {
                    Some((own, given)) if own.trim() == name => given,
                    Some(_) => return None,
                    None => line,
                };
                let value = without_leaf(value).to_owned();
                let shown = numbers(&pieces(&value)).count();
                let exact = right.numbers().get(..shown).unwrap_or_default().to_vec();
                let value = Line::new(value, exact);
                vec![Answer { name: Some(name.to_owned()), ..bare(given, &value) }]
            }
            _ => return None,
        };
        let before = now[k + 1..].iter().filter(|line| is_value(line)).count();
        all.extend(found.into_iter().map(|answer| Answer { before, ..answer }));
    }
    Some(all)
}

/// An echo without what it says of a leaf: `x = 3        leaf, shape [2]`.
fn without_leaf(line: &str) -> &str {
    line.find("  leaf").map_or(line, |at| line[..at].trim_end())
}

/// The answers of a line that stands for a value alone.
fn alone(given: &str, right: &Line) -> Vec<Answer> {
    let word = matches!(right.text.trim(), "True" | "False" | "None");
    if word || !is_bare(std::slice::from_ref(&right.text)) {
        return vec![in_words(given, &right.text)];
    }
    let whole = bare(given, right);
    // A blank may stand for a whole row.
    if whole.numbers.is_empty()
        && given.contains(BLANK)
        && let Some(pairs) = align(given, right)
    {
        return groups(given, right, "", &pairs);
    }
    vec![whole]
}

/// What an output asks for where one line alone answers it: a value without a name, at its end.
fn asked_last(now: &[Line]) -> Option<&Line> {
    let last = now.last()?;
    let drawn = |line: &Line| line.text.contains(DERIVATIVE) || line.text.starts_with(' ');
    let echoes = now[..now.len() - 1].iter().all(|line| line.text.contains(" = "));
    let word = is_word(&last.text) && echoes && !now.iter().any(drawn);
    (is_bare(std::slice::from_ref(&last.text)) || word).then_some(last)
}

/// `torch.float64`, `'mean'`, `<PowBackward0>`: a value in words, without a name before it.
fn is_word(line: &str) -> bool {
    let said =
        ["note", "error", "warning", "help"].iter().any(|w| line.starts_with(&format!("{w} ")));
    let named = line.contains(" = ") || line.contains("  ");
    let counts = pieces(line).iter().any(|p| !matches!(p.token, Token::Text(_)));
    let words = !line.is_empty() && line.chars().count() <= 60 && !counts;
    words && !said && !named && !line.starts_with([' ', '│'])
}

/// An answer in words; `float64` is `torch.float64`.
fn in_words(given: &str, right: &str) -> Answer {
    let answer = remarks::word(given);
    let tight = |text: &str| {
        let text = text.strip_prefix("torch.").unwrap_or(text).replace('"', "'");
        let bare = text.strip_prefix("tensor(").and_then(|text| text.strip_suffix(')'));
        let text = bare.unwrap_or(&text).replace("true", "True").replace("false", "False");
        text.chars().filter(|c| !c.is_whitespace()).collect::<String>()
    };
    let untouched = answer == BLANK;
    let unread = answer.is_empty().then(|| "there is no answer".into());
    Answer {
        given: given.trim().into(),
        open: usize::from(untouched),
        holds: untouched || tight(answer) == tight(right),
        unread,
        ..open(right.into())
    }
}

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|line| line.text.clone()).collect()
}

/// A longer value is not answered by hand.
const TALLEST: usize = 100;

/// An output with each value on one line, where its brackets close on a later one.
fn whole_values(lines: &[Line]) -> Vec<Line> {
    let depth = |line: &str| {
        let deeper = |c| i32::from("([".contains(c)) - i32::from(")]".contains(c));
        line.chars().map(deeper).sum::<i32>()
    };
    let (mut all, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let mut open = 0;
        let mut closes = |line: &Line| {
            open += depth(&line.text);
            open <= 0
        };
        let end = lines[at..].iter().take(TALLEST).position(&mut closes).map_or(0, |k| k);
        let one = &lines[at..=at + end];
        let text: Vec<&str> = one.iter().map(|line| line.text.trim()).collect();
        let text = match end {
            0 => lines[at].text.clone(),
            _ => text.join(" "),
        };
        let numbers = one.iter().flat_map(|line| line.numbers().iter().copied()).collect();
        all.push(Line::new(text, numbers));
        at += end + 1;
    }
    all
}

/// Whether two outputs differ in their numbers alone, as those of the same input do.
pub fn same_words(file: &[String], now: &[String]) -> bool {
    let words = |lines: &[String]| -> Vec<String> {
        let all = lines.iter().flat_map(|line| pieces(line));
        all.filter(|p| !is_figure(p))
            .filter_map(|p| match p.token {
                Token::Text(text) => Some(text.to_owned()),
                _ => None,
            })
            .collect()
    };
    file.len() == now.len() && words(file) == words(now)
}

/// Where the answer to a question is not there: nothing, or the lines above it alone, or brackets with
/// nothing in them.
pub fn missing(file: &[String], now: &[Line]) -> Option<Answer> {
    let last = asked_last(now)?;
    let above = &now[..now.len() - 1];
    let empty = |line: &str| remarks::read(line).is_some_and(|(all, _)| all.is_empty());
    let gone = file.is_empty()
        || file == texts(above)
        || file.last().is_some_and(|given| last.text != *given && empty(given));
    gone.then(|| deleted(&texts(now)))
}

/// An answer that somebody took away.
pub fn deleted(now: &[String]) -> Answer {
    let given = String::new();
    Answer { given, unread: Some("there is no answer".into()), ..open(now.join("\n")) }
}

fn open(right: String) -> Answer {
    Answer {
        name: None,
        before: 0,
        given: BLANK.into(),
        right,
        open: 1,
        holds: true,
        unread: None,
        numbers: Vec::new(),
    }
}

/// Numbers alone, worked out or not: brackets and commas may be written in any way, the name of what is
/// asked may stand before, a remark behind.
fn bare(given: &str, right: &Line) -> Answer {
    let (answer, value) = (plain(given), plain(&right.text));
    let shown: Vec<Written> = numbers(&right.valued(pieces(&value))).collect();
    let read = remarks::read(&answer).map(|(all, _)| all);
    // `4,200` is one number where one is asked for.
    let grouped = || remarks::read(&remarks::thousands(&answer)).map(|(all, _)| all);
    let mixed = || remarks::read(&remarks::mixed(&answer)?).map(|(all, _)| all);
    let as_many = |all: &Vec<Option<Written>>| all.len() == shown.len();
    let figures = match read {
        Some(all) if as_many(&all) => Some(all),
        other => grouped().filter(as_many).or_else(|| mixed().filter(as_many)).or(other),
    };
    let holes = figures.clone().unwrap_or_default();
    let pairs: Vec<(Option<Written>, Written)> = match as_many(&holes) {
        true => holes.iter().copied().zip(shown.iter().copied()).collect(),
        false => Vec::new(),
    };
    let open = pieces(given).iter().filter(|p| p.token == Token::Blank).count();
    let untouched = open > 0 && open == holes.len();
    let unread = || remarks::unread(&answer, figures.as_ref().map(Vec::len), shown.len());
    let fits = given.trim() == right.text.trim() || !pairs.is_empty() || untouched;
    let holds = fits && right_where_filled(&pairs);
    // A comma for the point, as in `6,283` for 6.283, which was read as thousands.
    let pointed = (!holds).then(|| remarks::commas_as_points(&answer)).flatten();
    let pointed = pointed.filter(|text| {
        let all = remarks::read(text).map(|(all, _)| all).filter(as_many).unwrap_or_default();
        let right =
            |(given, shown): (&Option<Written>, &Written)| given.is_some_and(|n| n.answers(*shown));
        !all.is_empty() && all.iter().zip(&shown).all(right)
    });
    let pairs = if pointed.is_some() { Vec::new() } else { pairs };
    // Where the digits that are shown would make a wrong answer of the right one.
    let right = match holds || right.shows_all() {
        true => right.text.clone(),
        false => right.with_all_digits(),
    };
    Answer {
        name: None,
        before: 0,
        given: given.trim().into(),
        right,
        open,
        holds,
        unread: match pointed {
            Some(text) => Some(remarks::with_point(&text)),
            None => (!fits).then(unread).flatten(),
        },
        numbers: pairs,
    }
}

fn right_where_filled(pairs: &[(Option<Written>, Written)]) -> bool {
    pairs.iter().all(|(given, shown)| given.is_none_or(|n| n.answers(*shown)))
}

/// Which pieces of the program's line stand for each piece of the file's.
type Pairs<'a> = Vec<(Piece<'a>, Range<usize>)>;

/// Lays a line of a file over the program's: numbers over numbers, a blank over a number, a word
/// or a bracket; None where anything else differs.
fn align<'a>(file: &'a str, now: &Line) -> Option<Pairs<'a>> {
    let (ours, theirs) = (pieces(file), now.pieces());
    let mut pairs = Vec::new();
    let mut at = 0;
    for (k, piece) in ours.iter().enumerate() {
        let other = theirs.get(at)?;
        let end = match (piece.token, other.token) {
            // The last blank of a line stands for all the rest.
            (Token::Blank, _) if k + 1 == ours.len() => theirs.len(),
            (Token::Blank, _) => bracket(&theirs, at)?,
            (Token::Number(_), Token::Number(_)) => at + 1,
            // No path: the slope is zero.
            (Token::Number(n), Token::Text("·")) if n.value == 0.0 => at + 1,
            (Token::Text(a), Token::Text(b)) if a == b => at + 1,
            _ => return None,
        };
        pairs.push((*piece, at..end));
        at = end;
    }
    let ends = matches!(ours.last()?.token, Token::Number(_)) || is_sign(ours.last()?, &CLOSED);
    (at == theirs.len() || ends && only_says(&now.text, &theirs[at..])).then_some(pairs)
}

/// Whether what follows a value says something of it, without another value: `: multiply the slopes`, ` of them`, `]`.
fn only_says(now: &str, rest: &[Piece<'_>]) -> bool {
    let Some(first) = rest.first() else { return true };
    let behind = &now[first.start..];
    let apart = now[..first.start].ends_with(' ');
    let word = behind.chars().take_while(|c| c.is_alphabetic()).count();
    let begins = behind.starts_with([':', ',', '%', '✓', '✗', ']', ')', '⎤', '⎥', '⎦', '}'])
        || apart && word > 1 && !behind.contains('(');
    begins && rest.iter().all(|piece| matches!(piece.token, Token::Text(_)))
}

/// How many numbers of a line of a file are those of the program's line; None where it is another line.
pub(crate) fn likeness(file: &str, now: &str) -> Option<usize> {
    let line = Line::new(now.to_owned(), Vec::new());
    let pairs = align(file, &line)?;
    let theirs = line.pieces();
    let same = |(piece, range): &&(Piece<'_>, Range<usize>)| {
        matches!(piece.token, Token::Number(_))
            && file[piece.start..piece.end] == *text(now, &theirs, range)
    };
    Some(pairs.iter().filter(same).count())
}

/// The brackets of drawn rows.
const DRAWN: ([char; 3], [char; 3]) = (['⎡', '⎢', '⎣'], ['⎤', '⎥', '⎦']);

const OPEN: [&str; 4] = ["[", "(", "⎡", "⎢"];
const CLOSED: [&str; 5] = ["]", ")", "⎤", "⎥", "⎦"];

fn is_sign(piece: &Piece<'_>, signs: &[&str]) -> bool {
    matches!(piece.token, Token::Text(t) if signs.contains(&t))
}

fn opens(piece: &Piece<'_>) -> bool {
    is_sign(piece, &OPEN) || is_sign(piece, &["⎣"])
}

/// Where the value that begins at `at` ends: one piece, or a bracket with all that is in it.
fn bracket(all: &[Piece<'_>], at: usize) -> Option<usize> {
    let named = is_sign(all.get(at)?, &["tensor", "array"]);
    let start = at + usize::from(named);
    if !all.get(start).is_some_and(opens) {
        return Some(at + 1);
    }
    let mut depth = 0usize;
    for (k, piece) in all.iter().enumerate().skip(start) {
        if opens(piece) {
            depth += 1;
        } else if is_sign(piece, &CLOSED) {
            depth -= 1;
        }
        if depth == 0 {
            return Some(k + 1);
        }
    }
    None
}

/// The answers of an aligned line: each bracket, or number outside of one, that holds a blank or
/// another number. `above`: the program's line above, which names the gradients of a graph.
fn groups(file: &str, now: &Line, above: &str, pairs: &Pairs<'_>) -> Vec<Answer> {
    let theirs = now.pieces();
    let mut all = Vec::new();
    let mut at = 0;
    while at < pairs.len() {
        let end = group_end(pairs, at);
        let group = &pairs[at..end];
        at = end;
        let touched = group.iter().any(|(piece, range)| match piece.token {
            Token::Blank => true,
            Token::Number(_) => file[piece.start..piece.end] != *text(&now.text, &theirs, range),
            Token::Text(_) => false,
        });
        if touched {
            // The file's own text: the program's would show what it asks for.
            let before = file[..group[0].0.start].trim_end();
            let one = answer(file, &now.text, &theirs, group, before);
            let start = theirs[group[0].1.start].start;
            let name = in_graph(&now.text[..start], above).or(one.name);
            all.push(Answer { name, ..one });
        }
    }
    all
}

/// What stands behind a part of a line of a graph: a value, or the gradient of the value right above or in
/// the same row.
fn in_graph(before: &str, above: &str) -> Option<String> {
    let sign = |c: char| SIGNS.iter().any(|(sign, _)| *sign == c);
    let named = |value: &str| -> Option<String> {
        let value = value.trim_start_matches([' ', '─', '│', '┘', '┤', '┐', '┴', '▶']);
        let name = value.split("  ").next()?.split(" = ").next()?.trim();
        (!name.is_empty()).then(|| name.to_owned())
    };
    let value = before.rsplit_once(sign).map(|(_, value)| value);
    if !before.trim_end().rsplit("  ").next()?.trim_start().starts_with('∂') {
        let value = value?.trim_end();
        let whole = value.trim_start_matches(|c: char| !c.is_alphanumeric());
        return named(value).filter(|_| !whole.contains("  ") && !value.contains('▶'));
    }
    let column = before[..before.rfind('∂')?].chars().count();
    let right_above: String = above.chars().skip(column).collect();
    let is_graph = value.is_some() || above.contains(sign);
    let of = named(value.unwrap_or(&right_above)).filter(|_| is_graph)?;
    Some(format!("the gradient of {of}"))
}

fn text<'a>(now: &'a str, theirs: &[Piece<'_>], range: &Range<usize>) -> &'a str {
    &now[theirs[range.start].start..theirs[range.end - 1].end]
}

/// One past the last pair of the group at `at`.
fn group_end(pairs: &Pairs<'_>, at: usize) -> usize {
    let mut depth = 0usize;
    // `tensor` belongs to the bracket behind it.
    let named = is_sign(&pairs[at].0, &["tensor", "array"]);
    let start = at + usize::from(named && pairs.get(at + 1).is_some_and(|(p, _)| opens(p)));
    for (k, (piece, _)) in pairs.iter().enumerate().skip(start) {
        if opens(piece) {
            depth += 1;
        } else if is_sign(piece, &CLOSED) {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 {
            return k + 1;
        }
    }
    pairs.len()
}

fn answer(
    file: &str,
    now: &str,
    theirs: &[Piece<'_>],
    group: &[(Piece<'_>, Range<usize>)],
    before: &str,
) -> Answer {
    let (first, last) = (&group[0], &group[group.len() - 1]);
    let mut found = Vec::new();
    let mut open = 0;
    for (piece, range) in group {
        let shown = numbers(&theirs[range.clone()]);
        match piece.token {
            Token::Blank => {
                open += 1;
                found.extend(shown.map(|n| (None, n)));
            }
            Token::Number(n) => {
                let zero = Written::exact(0.0);
                found.push((Some(n), shown.last().unwrap_or(zero)));
            }
            Token::Text(_) => {}
        }
    }
    // `   10  y₂  ⎡ 1  0 ⎤   [` names the row, or nothing.
    let name = before.trim_end_matches(['=', ':']).trim_end();
    let (above, name) = name.rsplit_once("  ").unwrap_or(("", name));
    // `  4 z    receives v =`: what receives stands in a cell of its own.
    let value = above.trim_end().rsplit("  ").next().unwrap_or(above).trim();
    let value = value.trim_start_matches(|c: char| c.is_ascii_digit()).trim();
    let joined = (name.trim().starts_with("receives") && !value.is_empty())
        .then(|| format!("{value} {}", name.trim()));
    let name = joined.as_deref().unwrap_or(name.trim());
    // `a gets 8×(-3) =` and `∂L/∂d = 2d =` say more than what it is.
    let of_step = |says: &str| name.split_once(says).map(|(of, _)| format!("what {of}{says}"));
    let of_step = of_step(" gets").or_else(|| of_step(" receives"));
    let name = of_step.as_deref().unwrap_or(name).split(" = ").next().unwrap_or(name);
    let name = if pieces(name).iter().any(|p| is_sign(p, &CLOSED)) { "" } else { name };
    // The marks under an error name nothing.
    let name = if name.contains(['^', '─', '│']) { "" } else { name };
    let short = name.contains(char::is_alphabetic) && name.chars().count() <= 20;
    let right = text(now, theirs, &(first.1.start..last.1.end));
    let is_row = right.starts_with(DRAWN.0);
    let plain = |row: &str| row.replace(DRAWN.0, "[").replace(DRAWN.1, "]");
    Answer {
        name: short.then(|| if is_row { format!("row {name}") } else { name.to_owned() }),
        before: 0,
        given: plain(&file[first.0.start..last.0.end]),
        right: plain(right),
        open,
        holds: right_where_filled(&found),
        unread: None,
        numbers: found,
    }
}

/// The output that comes now, with the blanks of the file's; None where one of them finds no place.
pub fn keep(file: &[String], now: &[String]) -> Option<Vec<String>> {
    if !has_blank(file) {
        return Some(now.to_vec());
    }
    let shown = lines(now, None, false);
    if let [line] = file
        && line.trim() == BLANK
        && asked_last(&shown).is_none()
    {
        return Some(file.to_vec());
    }
    let (ours, theirs) = (kinds(file), kinds(now));
    let fits = |k: usize, at: usize| {
        (ours[k] == theirs[at]).then(|| align(&file[k], &shown[at])).flatten()
    };
    let mut kept = now.to_vec();
    let open = |k: &usize| file[*k].contains(BLANK);
    // Line by line, where each has stayed in its place.
    if file.len() == now.len() {
        let places: Option<Vec<_>> =
            (0..file.len()).filter(open).map(|k| Some((k, fits(k, k)?))).collect();
        if let Some(places) = places {
            for (k, pairs) in places {
                kept[k] = blanked(&file[k], &now[k], &pairs);
            }
            return Some(kept);
        }
    }
    // A value over several lines may have been asked for on one.
    let asked = || answers(file, &shown)?.into_iter().all(|answer| answer.holds).then_some(());
    if (matrix::drawn(&shown).is_some() || whole_values(&shown) != shown) && asked().is_some() {
        return Some(file.to_vec());
    }
    // From the end: an answer is what an output ends with.
    let mut end = now.len();
    for k in (0..file.len()).rev().filter(open) {
        let (at, pairs) = (0..end).rev().find_map(|at| Some((at, fits(k, at)?)))?;
        kept[at] = blanked(&file[k], &now[at], &pairs);
        end = at;
    }
    Some(kept)
}

/// What a line of an output belongs to: a blank stands only for a line of its own kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    Value,
    Note,
    Error,
}

/// The kind of each line of an output; what is indented belongs to the note or error above it.
pub fn kinds(output: &[String]) -> Vec<LineKind> {
    let mut now = LineKind::Value;
    let kind = |line: &String| {
        now = match line {
            l if l.starts_with("note  ") => LineKind::Note,
            l if l.starts_with("error  ") || l.starts_with("warning  ") => LineKind::Error,
            l if l.starts_with("  ") => now,
            _ => LineKind::Value,
        };
        now
    };
    output.iter().map(kind).collect()
}

/// The program's line with the file's blanks.
fn blanked(file: &str, now: &str, pairs: &Pairs<'_>) -> String {
    let theirs = pieces(now);
    let unchanged = pairs.iter().all(|(piece, range)| match piece.token {
        Token::Blank => true,
        _ => file[piece.start..piece.end] == *text(now, &theirs, range),
    });
    if unchanged {
        return file.to_owned();
    }
    let mut line = now.to_owned();
    // From the end, so that places before stay right.
    for (_, range) in pairs.iter().rev().filter(|(p, _)| p.token == Token::Blank) {
        let (start, end) = (theirs[range.start].start, theirs[range.end - 1].end);
        line.replace_range(start..end, BLANK);
    }
    line
}
