//! Equations as answers: `∂h = ____` below `:equations` is right for any equal expression. Both sides are
//! evaluated at the program's values and at others near them, each value computed from those before it.

use super::reader::{self, HELPERS, Name, flat};
use crate::drawing::dice::Dice;
use crate::marking::answer::{Answer, is_bare};
use crate::marking::mistakes::{FACTOR, OF_ANY, TRANSPOSED};
use crate::marking::numbers::BLANK;
use crate::marking::remarks;
use crate::marking::why::Why;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use vjp_eval::language::machine::Telling;
use vjp_eval::record::event::Shown;
use vjp_eval::record::questions::{Equation, Equations, Left, Written};
use vjp_eval::{Event, Machine, Manner, Options, Value};
use vjp_maths::Variable;
use vjp_report::answers::equations::sides;
use vjp_tensor::Tensor;
use vjp_text::Source;

/// The program's own values, and so many others near them.
const NEAR: usize = 2;

/// How far the others are.
const AWAY: f64 = 0.03;

/// How far apart equal values may be, and where the board rounds a number.
const TOLERANCE: f64 = 1e-7;
const ROUNDED: f64 = 1e-3;

/// Larger arrays are compared by their text alone.
const LARGEST: usize = 100_000;

/// An equation in an output: which, what stands right of its sign, and the lines it takes.
struct Found {
    which: usize,
    text: String,
    lines: Range<usize>,
}

/// The answers among the equations of an output, and what else stands in the file's and in the program's.
pub struct Marked {
    pub answers: Vec<Answer>,
    pub rest: Vec<String>,
    pub rest_now: Vec<String>,
    /// What of the sheet is no equation.
    pub rest_sheet: Vec<String>,
}

/// The answers to the equations that a sheet asks for; without a sheet what stands there otherwise than the
/// program writes it. None where no equation is asked for.
pub fn marked(
    sheet: Option<&[String]>,
    given: &[String],
    now: &[String],
    event: &Equations,
) -> Option<Marked> {
    if event.written == Written::Latex {
        return None;
    }
    let all = sides(event);
    let labels: Vec<String> = all.iter().map(|(label, ..)| flat(label)).collect();
    let sizes: Vec<String> = all.iter().map(|(.., e)| shape(e)).collect();
    let read = |lines: &[String]| found(lines, &labels, &sizes);
    let (ours, theirs) = (read(now), read(given));
    let on_sheet = sheet.map(read);
    let own = |which: usize| theirs.iter().find(|f| f.which == which);
    let asked: Vec<usize> = match &on_sheet {
        Some(all) => all.iter().filter(|f| f.text.contains(BLANK)).map(|f| f.which).collect(),
        None => {
            let other = |f: &&Found| own(f.which).is_some_and(|o| tight(&o.text) != tight(&f.text));
            ours.iter().filter(other).map(|f| f.which).collect()
        }
    };
    let asked: Vec<usize> = asked.into_iter().filter(|k| all[*k].1.is_some()).collect();
    if asked.is_empty() {
        return None;
    }
    let mut judge = Judge::of(event);
    let one = |which: usize| {
        let (label, right, e) = &all[which];
        let right = right.as_deref().unwrap_or_default();
        let given = own(which).map(|f| f.text.clone()).filter(|text| !text.is_empty());
        Answer::formula(label.clone(), given, right, |text| {
            if tight(text) == tight(right) {
                return Ok(true);
            }
            match judge.equal(text, right, e) {
                Ok(()) => Ok(true),
                Err(why) if why.says.is_empty() => Ok(false),
                Err(why) => Err(why),
            }
        })
    };
    let answers = asked.into_iter().map(one).collect();
    let without = |lines: &[String], found: &[Found]| -> Vec<String> {
        let taken = |k: &usize| found.iter().any(|f| f.lines.contains(k));
        let kept = (0..lines.len()).filter(|k| !taken(k) && !lines[*k].trim().is_empty());
        kept.map(|k| lines[k].clone()).collect()
    };
    let rest_sheet = sheet.zip(on_sheet.as_ref()).map(|(lines, found)| without(lines, found));
    Some(Marked {
        answers,
        rest: without(given, &theirs),
        rest_now: without(now, &ours),
        rest_sheet: rest_sheet.unwrap_or_default(),
    })
}

/// A file's output and what comes now, alike in their equations: with the blanks of the file's.
pub fn kept(file: &[String], now: &[String], event: &Equations) -> (Vec<String>, Vec<String>) {
    if event.written == Written::Latex {
        return (file.to_vec(), now.to_vec());
    }
    let all = sides(event);
    let labels: Vec<String> = all.iter().map(|(label, ..)| flat(label)).collect();
    let sizes: Vec<String> = all.iter().map(|(.., e)| shape(e)).collect();
    let (theirs, ours) = (found(file, &labels, &sizes), found(now, &labels, &sizes));
    let mut lines: Vec<Option<String>> = now.iter().cloned().map(Some).collect();
    for own in &ours {
        let same = theirs.iter().any(|f| f.which == own.which && f.text.contains(BLANK));
        let (true, Some(right)) = (same, &all[own.which].1) else { continue };
        let size = &sizes[own.which];
        let (first, last) = (&now[own.lines.start], &now[own.lines.end - 1]);
        let aligned = !size.is_empty() && event.written != Written::Code;
        let pad = if aligned { right.chars().count() } else { 0 };
        let blank = match own.lines.len() {
            1 => lines[own.lines.start]
                .as_ref()
                .map(|line| line.replacen(&format!("= {right}"), &format!("= {BLANK:pad$}"), 1)),
            // A formula over several lines is asked for on one.
            _ => first.split_once("= ").map(|(before, _)| {
                let mark = if last.contains('✓') { " ✓" } else { "" };
                format!("{before}= {BLANK}  {size}{mark}").trim_end().to_owned()
            }),
        };
        lines[own.lines.start] = blank;
        lines[own.lines.start + 1..own.lines.end].fill(None);
    }
    let is_rest = |k: usize, found: &[Found]| !found.iter().any(|f| f.lines.contains(&k));
    let mut rest = (0..file.len()).filter(|k| is_rest(*k, &theirs)).map(|k| file[k].clone());
    let (mut shown, mut asked) = (Vec::new(), Vec::new());
    for (k, line) in lines.into_iter().enumerate() {
        let Some(line) = line else { continue };
        let own = is_rest(k, &ours).then(|| rest.next()).flatten();
        asked.push(own.unwrap_or_else(|| line.clone()));
        shown.push(line);
    }
    (asked, shown)
}

fn shape(e: &Equation) -> String {
    match e.value.shape() {
        [] => String::new(),
        shape => format!("{shape:?}"),
    }
}

fn tight(text: &str) -> String {
    flat(text).chars().filter(|c| !c.is_whitespace()).collect()
}

/// Where each label of a line stands: which it is, its start, and where the text behind its sign begins.
fn starts(line: &[char], labels: &[String]) -> Vec<(usize, usize, usize)> {
    let mut all = Vec::new();
    for at in 0..line.len() {
        if at > 0 && !line[at - 1].is_whitespace() || line[at].is_whitespace() {
            continue;
        }
        let here = |label: &String| -> Option<usize> {
            let length = label.chars().count();
            let fits = label.chars().zip(&line[at..]).filter(|(a, b)| a == *b).count() == length;
            // What has no name of its own in code has no line.
            let rest = line.get(at + length..).filter(|_| fits && length > 0)?;
            let pad = rest.iter().take_while(|c| c.is_whitespace()).count();
            let sign = &rest[pad..];
            let plus = usize::from(sign.first() == Some(&'+'));
            let equals = sign.get(plus) == Some(&'=') && sign.get(plus + 1) != Some(&'=');
            equals.then_some(at + length + pad + plus + 1)
        };
        let found = labels.iter().enumerate().filter_map(|(k, label)| Some((k, here(label)?)));
        if let Some((which, behind)) = found.max_by_key(|(k, _)| labels[*k].len()) {
            all.push((which, at, behind));
        }
    }
    all
}

/// The equations of an output.
fn found(lines: &[String], labels: &[String], sizes: &[String]) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    let mut open = false;
    for (k, line) in lines.iter().enumerate() {
        let signs: Vec<char> = flat_line(line);
        let starts = starts(&signs, labels);
        if starts.is_empty() {
            // It goes on below, further in; numbers are no part of it.
            let deep = line.len() - line.trim_start().len() >= 4;
            let goes_on = open && deep && !is_array(line.trim());
            match all.last_mut().filter(|_| goes_on) {
                Some(last) => {
                    last.text = format!("{} {}", last.text, line.trim());
                    last.lines.end = k + 1;
                }
                None => open = false,
            }
            continue;
        }
        open = true;
        for (n, (which, _, behind)) in starts.iter().enumerate() {
            let end = starts.get(n + 1).map_or(signs.len(), |next| next.1);
            // In its own letters: as many signs as the flat line has.
            let text: String = line.chars().skip(*behind).take(end - behind).collect();
            all.push(Found { which: *which, text, lines: k..k + 1 });
        }
    }
    for f in &mut all {
        f.text = bare(&f.text, &sizes[f.which]);
    }
    all
}

/// Whether a line is of an array below its equation.
fn is_array(line: &str) -> bool {
    let inside = line.trim_start_matches(['[', ' ', '-']);
    is_bare(&[line.to_owned()])
        || line != inside && inside.starts_with(|c: char| c.is_ascii_digit())
}

fn flat_line(line: &str) -> Vec<char> {
    let figure =
        |c: char| vjp_text::digits::lowered(c).and_then(|n| char::from_digit(n, 10)).unwrap_or(c);
    line.chars().map(figure).collect()
}

/// Without the size, the mark and a remark behind a formula.
fn bare(text: &str, size: &str) -> String {
    let mut text = text.split('#').next().unwrap_or("");
    loop {
        text = text.trim().trim_end_matches(['✓', '✗']).trim();
        match text.strip_suffix(size).filter(|rest| !size.is_empty() && !rest.trim().is_empty()) {
            Some(rest) => text = rest,
            None => return text.to_owned(),
        }
    }
}

/// One point: what each name is there.
type Point = HashMap<usize, Tensor>;

/// The key of the name that stands left in an equation.
fn key(names: &[(String, usize)], e: &Equation) -> Option<usize> {
    let text = match &e.left {
        Left::Value(name) => name.clone(),
        Left::Cotangent(name) => format!("∂{name}"),
        _ => return None,
    };
    names.iter().find(|(way, _)| *way == flat(&text)).map(|(_, key)| *key)
}

/// Tells whether a formula is equal to one of the equations.
struct Judge<'a> {
    event: &'a Equations,
    /// How names may be written, and their keys.
    names: Vec<(String, usize)>,
    points: Vec<Point>,
}

impl<'a> Judge<'a> {
    fn of(event: &'a Equations) -> Judge<'a> {
        let mut names: Vec<(String, usize)> = Vec::new();
        let mut shapes: HashSet<usize> = HashSet::new();
        let all = || event.forward.iter().chain(&event.backward);
        for m in all().filter_map(|e| e.right.as_ref()) {
            m.each_name(&mut |name, _| {
                if shapes.insert(name.key) {
                    let bare = name.text.trim_start_matches('∂');
                    let mut ways = vec![name.text.clone(), name.code.clone()];
                    if bare != name.text {
                        ways.push(format!("d_{bare}"));
                    }
                    let ways = ways.iter().filter(|way| !way.is_empty()).map(|way| flat(way));
                    names.extend(ways.map(|way| (way, name.key)));
                }
            });
        }
        // What an equation of the board computes follows from the others.
        let computed =
            |e: &'a Equation| Some((key(&names, e)?, e.right.as_ref().filter(|_| e.agrees)?));
        let made: Vec<_> = all().filter_map(computed).collect();
        let small = event.known.values().map(Tensor::numel).sum::<usize>() <= LARGEST;
        let mut points = Vec::new();
        for turn in (0..=NEAR as u64).filter(|_| small) {
            let mut point = Point::new();
            for (key, value) in &event.known {
                let moved = || {
                    let mut dice = Dice::new(turn, "equation", &[*key as u64]);
                    let mut off = || dice.between(-1000, 1000) as f64 / 1000.0;
                    let size = |x: f64| if x == 0.0 { 1.0 } else { x };
                    let all = value.data().iter().map(|x| x + AWAY * size(*x) * off());
                    Tensor::new(value.shape(), all.collect())
                };
                point.insert(*key, if turn == 0 { value.clone() } else { moved() });
            }
            let mut holds = true;
            for (key, m) in made.iter().filter(|_| turn > 0) {
                match m.evaluate(&point) {
                    Some(value) => drop(point.insert(*key, value)),
                    None => holds = false,
                }
            }
            points.extend(Some(point).filter(|_| holds));
        }
        Judge { event, names, points }
    }

    /// # Errors
    /// Why it is not equal; empty where nothing more is known.
    fn equal(&mut self, given: &str, right: &str, e: &Equation) -> Result<(), Why> {
        if let Some(why) = remarks::no_formula(given) {
            return Err(why);
        }
        let Some(m) = e.right.as_ref().filter(|_| e.agrees && !self.points.is_empty()) else {
            return Err("".into());
        };
        let rights: Option<Vec<Tensor>> = self.points.iter().map(|p| m.evaluate(p)).collect();
        let Some(rights) = rights else { return Err("".into()) };
        let dims = |key: &usize| self.points[0].get(key).map_or(0, |value| value.shape().len());
        let name = |(way, key): &(String, usize)| Name {
            way: way.clone(),
            code: format!("q{key}"),
            dims: dims(key),
        };
        let mut ways: Vec<Name> = self.names.iter().map(name).collect();
        let lists = self.event.lists.iter();
        let list = |name: &str| Name { way: flat(name), code: format!("list_{name}"), dims: 0 };
        ways.extend(lists.map(|(name, _)| list(name)));
        // An equation does not say what it is by itself.
        let own = key(&self.names, e).map(|key| format!("q{key}"));
        let others: Vec<_> =
            ways.iter().filter(|way| Some(&way.code) != own.as_ref()).cloned().collect();
        let code = reader::code(given, &others).map_err(|rest| match rest == given.trim() {
            _ if reader::code(given, &ways).is_ok() => {
                "the answer contains what is asked for".to_owned()
            }
            _ if let Some(of) = self.differential(&rest) => {
                format!("vjp cannot read  d{of}  as a gradient; write d_{of} or ∂{of}")
            }
            true => format!("vjp cannot read  {rest}  as a formula"),
            false => format!("vjp cannot read the formula from  {rest}  on"),
        });
        let code = code.map_err(Why::from)?;
        let share = if right.contains('…') || right.contains("0.") { ROUNDED } else { TOLERANCE };
        let mut why = Why::from("");
        // As it stands, and with every vector as a column.
        for columns in [false, true] {
            let values: Result<Vec<Tensor>, String> =
                self.points.iter().map(|p| self.run(&code, p, columns, &rights[0])).collect();
            match values {
                Ok(values) => match compared(&values, &rights, share) {
                    Ok(()) => return Ok(()),
                    Err(says) => why = says,
                },
                Err(says) if why.says.is_empty() => why = says.into(),
                Err(_) => {}
            }
        }
        Err(why)
    }

    /// The value whose gradient a text begins with: h of `dh*(1 - h^2)`.
    fn differential(&self, text: &str) -> Option<String> {
        let text = flat(text);
        let of = text.strip_prefix('d')?;
        let end = of.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(of.len());
        let named = |(way, _): &&(String, usize)| way.strip_prefix('∂') == Some(&of[..end]);
        self.names.iter().find(named).map(|_| of[..end].to_owned())
    }

    /// The value of code at a point.
    fn run(
        &self,
        code: &str,
        point: &Point,
        columns: bool,
        right: &Tensor,
    ) -> Result<Tensor, String> {
        let mut machine = vjp_tutor::machine(Options::default());
        machine.telling = Telling::Everything;
        let width = right.shape().last().copied().unwrap_or(1).to_string();
        let mut lists = String::new();
        for (name, list) in &self.event.lists {
            lists += &format!("list_{name} = torch.tensor({list:?})\n");
        }
        let program = format!("import torch.nn.functional as F\n{HELPERS}{lists}");
        last_value(&mut machine, &program.replace("WIDTH", &width))?;
        for (key, value) in point {
            let value = match value.shape() {
                [n] if columns => value.reshaped(&[*n, 1]),
                _ => value.clone(),
            };
            machine.bind(&format!("q{key}"), Value::Tensor(Variable::constant(value)));
        }
        let shown = last_value(&mut machine, &format!("torch.as_tensor({code}) * 1.0"))?;
        shown.ok_or_else(String::new)
    }
}

/// Why a formula has no value.
fn unfit(message: &str) -> String {
    let sizes = message.split_once("multiplied (").and_then(|(_, rest)| rest.split_once(')'));
    match sizes {
        Some((sizes, _)) => {
            format!("matrices of sizes {} cannot be multiplied", sizes.replace('x', "×"))
        }
        None => match lengths(message) {
            Some((a, b)) => format!("vectors of {a} and {b} numbers cannot be multiplied"),
            None => format!("it cannot be evaluated: {message}"),
        },
    }
}

/// The lengths of two vectors whose product was asked for.
fn lengths(message: &str) -> Option<(&str, &str)> {
    let rest = message.strip_prefix("inconsistent tensor size, expected tensor [")?;
    let (a, rest) = rest.split_once("] and src [")?;
    Some((a, rest.split_once(']')?.0))
}

/// Runs lines; the last value that they show.
pub(super) fn last_value(machine: &mut Machine, program: &str) -> Result<Option<Tensor>, String> {
    let mut shown = None;
    let ran = machine.run(&Source::new(program), Manner::Line, &mut |event| {
        if let Event::Value(value) = event {
            shown = Some(value.shown);
        }
    });
    ran.map_err(|fault| unfit(&fault.message))?;
    Ok(match shown {
        Some(Shown::Tensor(t)) => Some(t),
        _ => None,
    })
}

/// # Errors
/// How the values differ from the right ones, where that says something.
pub(super) fn compared(values: &[Tensor], rights: &[Tensor], share: f64) -> Result<(), Why> {
    let bare = |t: &Tensor| t.shape().iter().copied().filter(|n| *n != 1).collect::<Vec<_>>();
    let (Some(value), Some(right)) = (values.first(), rights.first()) else {
        return Err("".into());
    };
    let fits = |factor: f64, a: &Tensor, b: &[f64]| {
        let largest = b.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let room = share * (factor * largest).abs().max(1e-9);
        let near =
            |(a, b): (&f64, &f64)| (a - factor * b).abs() <= room || a.is_nan() && b.is_nan();
        a.numel() == b.len() && a.data().iter().zip(b).all(near)
    };
    let pairs = || values.iter().zip(rights);
    let same = bare(value) == bare(right);
    if same && pairs().all(|(a, b)| fits(1.0, a, b.data())) {
        return Ok(());
    }
    let turned = value.shape().iter().rev().eq(right.shape());
    let wrong = OF_ANY.iter().filter(|one| same || turned && one.name == TRANSPOSED.name);
    let mut wrong = wrong.filter(|one| {
        let like = |(a, b): (&Tensor, &Tensor)| {
            (one.wrong)(b.data(), b.shape()).is_some_and(|numbers| fits(1.0, a, &numbers))
        };
        pairs().all(like)
    });
    if let Some(one) = wrong.next() {
        return Err(Why::new(one.says, one.hint));
    }
    if !same {
        let says = format!("it has the shape {:?}, not {:?}", value.shape(), right.shape());
        return Err(says.into());
    }
    if fits(1.0, value, right.data()) {
        return Err("it is equal at these numbers alone, not at others".into());
    }
    let at = right.data().iter().position(|x| *x != 0.0);
    let factor =
        at.map(|k| value.data()[k] / right.data()[k]).filter(|c| c.is_finite() && *c != 0.0);
    Err(match factor.filter(|c| pairs().all(|(a, b)| fits(*c, a, b.data()))) {
        Some(c) if (c - 1.0).abs() < ROUNDED => {
            Why::from("nearly right: write a fraction such as 2/3, not a rounded number")
        }
        Some(c) => {
            let number = crate::marking::question::number(c);
            Why::new(format!("it is {number} times what it should be"), FACTOR)
        }
        None => "".into(),
    })
}
