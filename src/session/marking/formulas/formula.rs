//! Formulas as answers: `∂y/∂x = ____` below `:formula` is right for any equal expression. Both are evaluated
//! at random points by the program's own language.

use super::equation;
use super::reader::{LONGEST, constant};
use super::spelling;
use crate::drawing::dice::Dice;
use crate::marking::answer::Answer;
use crate::marking::mistakes::LOOK_AT_SIGNS;
use crate::marking::numbers::BLANK;
use crate::marking::remarks;
use crate::marking::why::Why;
use vjp_eval::Options;
use vjp_eval::language::machine::Telling;
use vjp_maths::table;
use vjp_tensor::tensor::Tensor;
use vjp_text::digits::{lowered, raised};

/// So many points are tried, half of them with positive numbers alone.
const POINTS: usize = 16;

/// At so many of them both must have a value.
const ENOUGH: usize = 4;

/// What a session's values are called.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    pub names: &'a [String],
    pub computed: &'a dyn Fn(&str) -> Option<Computed>,
}

/// What a value is computed as: each entry a formula of the leaves.
pub struct Computed {
    pub shape: Vec<usize>,
    pub entries: Vec<String>,
}

impl Known<'_> {
    fn is(&self, word: &str) -> bool {
        self.names.iter().any(|name| name == word)
    }

    /// The formula of an entry of a computed value.
    fn entry(&self, name: &str, index: &[usize]) -> Option<String> {
        let Computed { shape, mut entries } = (self.computed)(name)?;
        let inside = |(k, n): (&usize, &usize)| k < n;
        let stands = index.len() == shape.len() && index.iter().zip(&shape).all(inside);
        let at = index.iter().zip(&shape).fold(0, |at, (k, n)| at * n + k);
        (stands && at < entries.len()).then(|| entries.swap_remove(at))
    }
}

/// The two sides of a line `∂y/∂x = 2x`.
fn sides(line: &str) -> Option<(&str, &str)> {
    let (label, formula) = line.trim().split_once('=')?;
    label.starts_with('∂').then(|| (label.trim(), formula.trim()))
}

/// The answers to the formulas that a sheet asks for; None where it asks for something else.
pub fn answers(
    sheet: &[String],
    given: &[String],
    now: &[String],
    known: &Known<'_>,
) -> Option<Vec<Answer>> {
    let blank = |text: &str| text.trim_matches('_').is_empty();
    let open = sheet.iter().map(|line| line.trim()).filter(|line| line.contains(BLANK));
    let open: Vec<&str> = open.collect();
    let printed: Vec<&str> = now.iter().filter_map(|l| Some(sides(l)?.0)).collect();
    // A blank alone stands for all that `:formula` prints, one for each line for that line.
    let begins =
        now.iter().find(|line| !line.trim().is_empty()).is_some_and(|l| sides(l).is_some());
    let alone = begins && open.iter().all(|line| blank(line));
    let labels: Vec<&str> = match alone && [1, printed.len()].contains(&open.len()) {
        true => printed,
        false => {
            let asked = open.iter().map(|line| sides(line).filter(|(_, formula)| blank(formula)));
            asked.map(|sides| Some(sides?.0)).collect::<Option<_>>()?
        }
    };
    if open.is_empty() || labels.is_empty() {
        return None;
    }
    let under = |lines: &[String], label: &str| -> Option<String> {
        let mut all = lines.iter().filter_map(|line| sides(line));
        all.find(|(own, _)| *own == label).map(|(_, formula)| formula.to_owned())
    };
    // One formula needs no label, nor do those for blanks alone.
    let bare: Vec<&String> = given.iter().filter(|line| sides(line).is_none()).collect();
    let unlabelled = |k: usize| match labels.len() {
        1 => bare.last(),
        _ => bare.get(k).filter(|_| alone),
    };
    let answered = |(k, label): (usize, &&str)| {
        let right = under(now, label)?;
        let own = under(given, label).or_else(|| unlabelled(k).map(|line| (*line).clone()));
        let judge = |text: &str| equal(text, &right, known);
        Some(Answer::formula((*label).to_owned(), own, &right, judge))
    };
    labels.iter().enumerate().map(answered).collect()
}

/// The answers of a sheet on which formulas may stand in the place of blanks: what is there otherwise than the
/// program writes it is an answer. None where none is.
pub fn filled(given: &[String], now: &[String], known: &Known<'_>) -> Option<Vec<Answer>> {
    let asked = |line: &String| {
        let (label, formula) = sides(line)?;
        let other = now.iter().filter_map(|line| sides(line)).find(|(own, _)| *own == label)?;
        (other.1 != formula).then(|| format!("{label} = {BLANK}"))
    };
    let sheet: Vec<String> = given.iter().filter_map(asked).collect();
    answers(&sheet, given, now, known)
}

/// The formula in what somebody writes: `dy/dx = 2cos(2x) = -1.307`, `2x ✓`.
fn stated(text: &str) -> &str {
    let text = text.trim().trim_end_matches(['✓', '✗', ' ']);
    let text = match text.strip_suffix('.') {
        Some(before) if !before.ends_with(|c: char| c.is_ascii_digit()) => before,
        _ => text,
    };
    let is_label = |part: &&str| {
        let part = part.trim();
        (part.starts_with(['d', '∂']) && part.contains('/'))
            || part.contains('\'')
            || part.ends_with(".grad")
    };
    let is_number = |part: &str| part.trim().replace('−', "-").parse::<f64>().is_ok();
    let mut parts: Vec<&str> = text.split(" = ").skip_while(is_label).collect();
    while parts.len() > 1 && parts.last().is_some_and(|part| is_number(part)) {
        parts.pop();
    }
    match parts.as_slice() {
        [one] => one.trim(),
        _ => text,
    }
}

/// Whether a formula equals the right one.
pub(super) fn equal(given: &str, right: &str, known: &Known<'_>) -> Result<bool, Why> {
    let tight = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let given = stated(given);
    if tight(given) == tight(right) {
        return Ok(true);
    }
    if let Some(why) = remarks::no_formula(given) {
        return Err(why);
    }
    let unread =
        || Why::from(format!("vjp cannot read  {given}  as a formula; write 2*x[0] or 2x₁"));
    let mut variables = Vec::new();
    let remarked = || given.rsplit_once(" (").map(|(formula, _)| formula.trim());
    let own = code(given, known, &mut variables)
        .or_else(|| code(remarked()?, known, &mut variables))
        .ok_or_else(unread)?;
    let is_number = variables.is_empty();
    let expected = code(right, known, &mut variables);
    let at = |expression: &str| evaluated(expression, variables.len());
    let values = at(&own).ok_or_else(unread)?;
    let Some((expected, rights)) = expected.and_then(|code| at(&code).map(|all| (code, all)))
    else {
        return Ok(false);
    };
    // `6.283…x` has four digits of its factor.
    let share = if right.contains('…') { 1e-3 } else { 1e-7 };
    let equals = |rights: &[f64]| {
        let pairs = values.iter().zip(rights).filter(|(_, right)| right.is_finite());
        let close = |(a, b): (&f64, &f64)| {
            a.is_finite() && (a - b).abs() <= share * a.abs().max(b.abs()).max(1.0)
        };
        pairs.clone().count() >= ENOUGH && pairs.clone().all(close)
    };
    if equals(&rights) {
        return Ok(true);
    }
    if is_number && !variables.is_empty() {
        let says = format!("{given} is a number; write a formula that holds at every point");
        return Err(says.into());
    }
    if one_sign_changed(&expected).iter().any(|other| at(other).is_some_and(|r| equals(&r))) {
        let says = "correct except for the sign of one term";
        return Err(Why::new(says, LOOK_AT_SIGNS));
    }
    let finite = values.iter().zip(&rights).filter(|(a, b)| a.is_finite() && b.is_finite());
    let (values, rights): (Vec<f64>, Vec<f64>) = finite.unzip();
    let vector = |all: Vec<f64>| Tensor::new(&[all.len()], all);
    match equation::compared(&[vector(values)], &[vector(rights)], share) {
        Err(why) if !why.says.is_empty() => Err(why),
        _ => Ok(false),
    }
}

/// A sum of several terms with the sign of each term changed in turn.
fn one_sign_changed(code: &str) -> Vec<String> {
    let (mut depth, mut before, mut signs) = (0usize, None, Vec::new());
    for (at, c) in code.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '+' | '-' if depth == 0 && before.is_none_or(|b| !"*/^,<>=+-".contains(b)) => {
                signs.push(at);
            }
            _ => {}
        }
        before = Some(c);
    }
    let changed = |at: &usize| {
        let other = if code[*at..].starts_with('-') { "+" } else { "-" };
        format!("{}{other}{}", &code[..*at], &code[at + 1..])
    };
    let first = signs.first().is_none_or(|at| *at > 0).then(|| format!("-{code}"));
    let all: Vec<String> = first.into_iter().chain(signs.iter().map(changed)).collect();
    // Of one term alone the sign is that of the whole.
    if all.len() > 1 { all } else { Vec::new() }
}

/// What an expression in `q0`, `q1` … is at random points.
fn evaluated(expression: &str, variables: usize) -> Option<Vec<f64>> {
    let mut program = String::new();
    for variable in 0..variables {
        let mut dice = Dice::new(0, "formula", &[variable as u64]);
        let number = |k: usize| {
            let low = if k.is_multiple_of(2) { -2500 } else { 100 };
            dice.between(low, 2500) as f64 / 1000.0
        };
        let numbers: Vec<String> = (0..POINTS).map(number).map(|x| x.to_string()).collect();
        program += &format!("q{variable} = torch.tensor([{}]); ", numbers.join(", "));
    }
    program += &format!("torch.zeros({POINTS}) + ({expression})");
    let mut machine = vjp_tutor::machine(Options::default());
    machine.telling = Telling::Everything;
    match equation::last_value(&mut machine, &program).ok()?? {
        t if t.numel() == POINTS => Some(t.data().to_vec()),
        _ => None,
    }
}

/// A piece of a formula.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    /// What a product with what stands beside it may be left out of: `2`, `x[0]`, `)`.
    Value(String),
    /// `sin`, which its brackets follow.
    Function(String),
    Open,
    Close,
    Sign(String),
}

/// A formula as an expression of the language, its variables called `q0`, `q1` …; nothing but numbers,
/// variables, signs and functions of the table gets into it.
fn code(text: &str, known: &Known<'_>, variables: &mut Vec<String>) -> Option<String> {
    if text.chars().count() > LONGEST || text.is_empty() {
        return None;
    }
    let parts = parts(&spelled(text, known), known, variables)?;
    let mut all = String::new();
    for (k, part) in parts.iter().enumerate() {
        let starts = matches!(part, Part::Value(_) | Part::Function(_) | Part::Open);
        let behind = k.checked_sub(1).map(|before| &parts[before]);
        // A raised power ends a factor, as its brackets do.
        let ended = match behind {
            Some(Part::Value(_) | Part::Close) => true,
            Some(Part::Sign(sign)) => sign.starts_with("^("),
            _ => false,
        };
        if starts && ended {
            all.push('*');
        }
        match part {
            Part::Value(text) | Part::Function(text) | Part::Sign(text) => all += text,
            Part::Open => all.push('('),
            Part::Close => all.push(')'),
        }
    }
    Some(all)
}

/// `√x` as `sqrt(x)`, `cos b` as `cos(b)`, `6.283…` as the digits it has.
fn spelled(text: &str, known: &Known<'_>) -> String {
    let text = spelling::plain(text).replace('√', " √ ").replace('…', "");
    let inside = |c: char| c.is_alphanumeric() || "_.[]".contains(c) || lowered(c).is_some();
    let mut all = String::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let run = |text: &str| text.find(|c| !inside(c)).unwrap_or(text.len());
        let (word, behind) =
            rest.split_at(run(rest).max(rest.chars().next().map_or(1, char::len_utf8)));
        all += word;
        rest = behind;
        // `cos` of `2cos`
        let letters = word.rsplit(|c: char| !c.is_alphabetic()).next().filter(|w| !w.is_empty());
        let name = letters.unwrap_or(word);
        if function(name).is_none() || known.is(name) || known.is(word) {
            continue;
        }
        let under = rest.trim_start();
        if under.starts_with(inside) {
            let (under, after) = under.split_at(run(under));
            all += &format!("({under})");
            rest = after;
        } else {
            rest = under;
        }
    }
    all.replace('√', "sqrt")
}

fn parts(text: &str, known: &Known<'_>, variables: &mut Vec<String>) -> Option<Vec<Part>> {
    let signs: Vec<char> = text.chars().collect();
    let mut all = Vec::new();
    let mut at = 0;
    let run = |from: usize, is: &dyn Fn(char) -> bool| {
        signs[from..].iter().take_while(|c| is(**c)).count()
    };
    while let Some(&sign) = signs.get(at) {
        let text = |from: usize, to: usize| signs[from..to].iter().collect::<String>();
        match sign {
            c if c.is_whitespace() => at += 1,
            c if c.is_ascii_digit() || c == '.' => {
                let end = at + run(at, &|c| c.is_ascii_digit() || c == '.');
                let number = text(at, end);
                number.parse::<f64>().ok()?;
                all.push(Part::Value(number));
                at = end;
            }
            _ if let Some(value) = spelling::fraction(sign) => {
                all.push(Part::Value(value.into()));
                at += 1;
            }
            c if raised(c).is_some() || c == '⁻' => {
                let end = at + run(at, &|c| raised(c).is_some() || c == '⁻');
                let power = signs[at..end].iter().map(|c| match raised(*c) {
                    Some(digit) => digit.to_string(),
                    None => "-".to_owned(),
                });
                all.push(Part::Sign(format!("^({})", power.collect::<String>())));
                at = end;
            }
            '(' | '[' => {
                all.push(Part::Open);
                at += 1;
            }
            ')' | ']' => {
                all.push(Part::Close);
                at += 1;
            }
            '*' if signs.get(at + 1) == Some(&'*') => {
                all.push(Part::Sign("^".into()));
                at += 2;
            }
            '*' | '·' | '×' | '⋅' => {
                all.push(Part::Sign("*".into()));
                at += 1;
            }
            '/' | '÷' | '+' | '^' | ',' | '>' | '<' | '-' | '−' | '–' => {
                let sign = match sign {
                    '÷' => "/".to_owned(),
                    '−' | '–' => "-".to_owned(),
                    other => other.to_string(),
                };
                all.push(Part::Sign(sign));
                at += 1;
            }
            '=' => {
                let double = signs.get(at + 1) == Some(&'=');
                let compared = matches!(all.last(), Some(Part::Sign(s)) if s == "<" || s == ">");
                all.push(Part::Sign(if compared { "=" } else { "==" }.into()));
                at += 1 + usize::from(double);
            }
            '≥' | '≤' => {
                all.push(Part::Sign(if sign == '≥' { ">=" } else { "<=" }.into()));
                at += 1;
            }
            c if c.is_alphabetic() || c == '_' => {
                let letters = |c: char| c.is_alphabetic() || c.is_ascii_digit() || c == '_';
                let end = at + run(at, &|c| letters(c) && lowered(c).is_none());
                let (index, next) = index(&signs, end)?;
                let called = signs.get(next) == Some(&'(') && index.is_empty();
                words(&text(at, end), &index, called, known, variables, &mut all)?;
                at = next;
            }
            _ => return None,
        }
    }
    Some(all)
}

/// `₁₂`, `[0, 1]` behind a name: the places from 0, and where it ends.
fn index(signs: &[char], at: usize) -> Option<(Vec<usize>, usize)> {
    if signs.get(at) == Some(&'[') {
        let end = at + signs[at..].iter().position(|c| *c == ']')?;
        let inside: String = signs[at + 1..end].iter().collect();
        let all =
            inside.split(',').map(|n| n.trim().parse().ok()).collect::<Option<Vec<usize>>>()?;
        // `A[0][1]`
        let (more, end) = index(signs, end + 1)?;
        return Some((all.into_iter().chain(more).collect(), end));
    }
    let lowered = signs[at.min(signs.len())..].iter().map_while(|c| lowered(*c));
    let places: Vec<u32> = lowered.collect();
    let end = at + places.len();
    // From ten on the places stand with commas; one number alone is one place.
    let places = places.into_iter().map(|n| (n as usize).checked_sub(1));
    Some((places.collect::<Option<_>>()?, end))
}

/// A word as a function, a constant or variables: `wx` may be w times x.
fn words(
    word: &str,
    index: &[usize],
    called: bool,
    known: &Known<'_>,
    variables: &mut Vec<String>,
    all: &mut Vec<Part>,
) -> Option<()> {
    if called && let Some(function) = function(word) {
        all.push(Part::Function(function.to_owned()));
        return Some(());
    }
    // `x_1` and `x1` are x₁.
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let parted = match letters.strip_suffix('_') {
        Some(name) => Some((name, &word[letters.len()..])),
        None => Some((letters, &word[letters.len()..])).filter(|_| !known.is(word)),
    };
    if let Some((name, place)) = parted
        && known.is(name)
        && index.is_empty()
        && let Some(place) = place.parse::<usize>().ok().and_then(|n| n.checked_sub(1))
    {
        all.push(variable(name, &[place], known, variables));
        return Some(());
    }
    if known.is(word) {
        all.push(variable(word, index, known, variables));
        return Some(());
    }
    if let Some(constant) = constant(word).filter(|_| index.is_empty()) {
        all.push(Part::Value(constant.into()));
        return Some(());
    }
    // The longest name or function at its end, and what stands before.
    for (cut, _) in word.char_indices().skip(1) {
        let (before, last) = word.split_at(cut);
        let is_function = called && function(last).is_some();
        let is_e = last == "e" && index.is_empty();
        // `x2` of `x1x2`
        let name = last.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        if !(is_function || known.is(last) || known.is(name) || is_e) {
            continue;
        }
        let mut front = Vec::new();
        if words(before, &[], false, known, variables, &mut front).is_some() {
            all.extend(front);
            return words(last, index, called, known, variables, all);
        }
    }
    None
}

fn variable(name: &str, index: &[usize], known: &Known<'_>, variables: &mut Vec<String>) -> Part {
    // `2h(1 − h²)` for h = tanh(x) is a formula of x.
    let leaves = Known { computed: &|_| None, ..*known };
    let computed = known.entry(name, index).and_then(|text| code(&text, &leaves, variables));
    if let Some(code) = computed {
        return Part::Value(format!("({code})"));
    }
    let places: Vec<String> = index.iter().map(usize::to_string).collect();
    let key = format!("{name}[{}]", places.join(","));
    let k = variables.iter().position(|own| *own == key).unwrap_or(variables.len());
    if k == variables.len() {
        variables.push(key);
    }
    Part::Value(format!("q{k}"))
}

/// What a function of a formula is called in the language.
fn function(word: &str) -> Option<&'static str> {
    Some(match word {
        "σ" | "sigma" | "sigmoid" => "torch.sigmoid",
        "ln" => "torch.log",
        "where" => "where",
        "max" => "torch.maximum",
        "min" => "torch.minimum",
        "√" | "sqrt" => "torch.sqrt",
        _ => table::rows().find(|row| row.fun.name == word)?.fun.name,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn same(given: &str, right: &str) -> Result<bool, Why> {
        let names = ["x", "w", "b", "xs", "W", "h", "m"].map(str::to_owned);
        let computed = |name: &str| {
            let (shape, entries): (&[usize], &[&str]) = match name {
                "h" => (&[], &["tanh(x)"]),
                "m" => (&[2], &["x₁²", "wx₂"]),
                _ => return None,
            };
            let entries = entries.iter().map(|e| (*e).to_owned()).collect();
            Some(Computed { shape: shape.to_vec(), entries })
        };
        equal(given, right, &Known { names: &names, computed: &computed })
    }

    #[test]
    fn a_formula_is_found_in_what_is_written_around_it() {
        for (text, formula) in [
            ("dq/dw = 2cos(2w)", "2cos(2w)"),
            ("q' = 2cos(2w) = -1.307", "2cos(2w)"),
            ("w.grad = 2w ✓", "2w"),
            ("2cos(w).", "2cos(w)"),
            ("2.", "2."),
            ("-1.3", "-1.3"),
            ("2w = 3w", "2w = 3w"),
        ] {
            assert_eq!(stated(text), formula, "{text}");
        }
    }

    #[test]
    fn any_equal_expression_is_right() {
        for (given, right) in [
            ("6*x[0]", "6x₁"),
            ("2*3*x_1", "6x₁"),
            ("6*x1", "6x₁"),
            ("x*x*cos(x) + 2x sin(x)", "x·(x cos(x) + 2sin(x))"),
            ("x[1]*w", "wx₂"),
            ("exp(x[0])", "e^x₁"),
            ("2*(tanh(w*x+b)-1)*(1-tanh(b+wx)^2)*w", "2w·(1 − tanh(wx + b)²)(tanh(wx + b) − 1)"),
            ("W[0,1] + W[1][0]", "W₁₂ + W₂₁"),
            ("1/(1+exp(-x))", "σ(x)"),
            ("6", "6"),
            ("3**2 - 3", "6"),
            ("(x + 1)(x - 1)", "x² − 1"),
            ("x/x * 4", "4"),
            ("exp(xs[0])/(exp(xs[0]) + exp(xs[1]))", "e^(xs₁ − log(e^xs₁ + e^xs₂))"),
            ("1/x", "x⁻¹"),
            ("(x > 0)*1", "(x>0)"),
            ("1/(2 sqrt(x))", "1/(2√x)"),
            ("0.5 x^(-1/2)", "1/(2√x)"),
            ("1.5√x", "1.5 sqrt(x)"),
            ("x/sqrt(x^2 + 1)", "x/√(x² + 1)"),
            ("6.28318530718x", "6.283…x"),
            ("2h(1-h^2)", "2tanh(x)(1 − tanh(x)²)"),
            ("2*h*(1-h**2)", "2tanh(x)(1 − tanh(x)²)"),
            ("m₁ + m[1]", "x₁² + wx₂"),
            ("2cos w x", "2x cos(w)"),
            ("3*x[0]**2*x[1]", "3x₁²x₂"),
            ("3x1^2 x2", "3x₁²x₂"),
            ("x2*3x₁²", "3x₁²x₂"),
            ("3*x^2*w^2", "3w²x²"),
            ("2x1x2", "2x₁x₂"),
            ("2*x_{1}x_{2}", "2x₁x₂"),
            ("2 x_1x_2 e^{w b}", "2x₁x₂ e^(wb)"),
            ("x^2 + ln b - sin 2x", "x² + log(b) − sin(2x)"),
            ("cos (w + b) x", "x cos(w + b)"),
        ] {
            assert_eq!(same(given, right), Ok(true), "{given} is {right}");
        }
        for (given, right) in [
            ("6x", "6x₁"),
            ("x^2", "2x"),
            ("2x + 1e-3", "2x"),
            ("7", "6"),
            ("x[1]*w", "wx₁"),
            ("0", "x"),
            ("x/0", "2x"),
            ("x/(x - x)", "1/x"),
            ("6x", "6.283…x"),
            ("h", "x"),
            ("m₂", "x₁²"),
        ] {
            assert_ne!(same(given, right), Ok(true), "{given} is not {right}");
        }
        for words in [
            "open('a')",
            "two x",
            "x.grad",
            "2*",
            "[i for i in x]",
            "__import__(x)",
            "lambda: x",
            "y",
        ] {
            assert!(same(words, "2x").is_err(), "{words}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_formula_is_said() {
        for (given, right, says) in [
            ("18", "2wb", "18 is a number; write a formula that holds at every point"),
            ("w^2 - cos(b)", "w² + cos(b)", "correct except for the sign of one term"),
            ("w^2 + cos b", "-w² + cos(b)", "correct except for the sign of one term"),
            ("-2x", "2x", "correct except for the sign"),
            ("6x", "2x", "it is 3 times what it should be"),
        ] {
            let why = same(given, right).err().map(|why| why.says);
            assert_eq!(why.as_deref(), Some(says), "{given} for {right}");
        }
        assert_eq!(same("w^3", "w² + cos(b)"), Ok(false));
    }
}
