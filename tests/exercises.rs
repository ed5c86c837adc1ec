//! The exercise sheets: their questions have answers, and each usual wrong answer is told what it is.

use crate::support::run;
use run::Test;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Sheet, question from 1, a wrong answer, the mistake that leads to it.
const WRONG: &[(&str, usize, &str, &str)] = &[
    ("01", 2, "9", "value"),
    ("01", 2, "1", "slope-forgotten"),
    ("01", 2, "-6", "sign"),
    ("01", 3, "16", "value"),
    ("01", 5, "6", "ones-for-v"),
    ("02", 3, "4", "slope-forgotten"),
    ("02", 3, "6", "path-forgotten"),
    ("02", 3, "3", "stopped"),
    ("02", 4, "27", "slope-forgotten"),
    ("02", 5, "4", "slope-forgotten"),
    ("03", 1, "2", "other-leaf"),
    ("03", 2, "5", "other-leaf"),
    ("03", 3, "3", "path-forgotten"),
    ("03", 4, "4", "path-forgotten"),
    ("03", 5, "5", "slope-forgotten"),
    ("03", 6, "20", "other-leaf"),
    ("04", 1, "[2, 3]", "value"),
    ("04", 2, "[1, 1]", "slope-forgotten"),
    ("04", 2, "[2, 3]", "value"),
    ("04", 3, "[4, 12]", "reversed"),
    ("04", 4, "[1, 1]", "slope-forgotten"),
    ("05", 1, "[6, 12]", "ones-for-v"),
    ("05", 1, "[3, 30]", "slope-forgotten"),
    ("05", 1, "[60, 12]", "v-reversed"),
    ("05", 2, "[3, 4]", "one-row"),
    ("05", 4, "[12, 43]", "j-times-v"),
    ("05", 4, "[5, 5]", "ones-for-v"),
    ("05", 4, "[3, 7]", "row-sums"),
    ("05", 4, "[2, 1]", "one-row"),
    ("05", 4, "[30, 40]", "one-row"),
    ("05", 4, "[302, 401]", "v-twice"),
    ("06", 1, "[3, 5]", "value"),
    ("06", 2, "[3, 5]", "value"),
    ("06", 3, "[6, 10]", "sum-for-mean"),
    ("06", 4, "[6, 10]", "ones-for-v"),
    ("07", 2, "2", "accumulation-forgotten"),
    ("07", 3, "20", "accumulation-forgotten"),
    ("07", 3, "6", "ones-for-v"),
    ("07", 4, "224", "accumulated"),
    ("07", 6, "[0, 120]", "accumulation-forgotten"),
    ("07", 6, "[6, 0]", "before"),
    ("08", 1, "[21, 43]", "j-times-v"),
    ("08", 1, "[4, 6]", "ones-for-v"),
    ("08", 2, "[[1, 10], [-1, -10]]", "transposed"),
    ("08", 3, "[2, 4]", "j-times-v"),
    ("09", 1, "[1, 10, 100]", "value"),
    ("09", 1, "[0, 10, 100]", "kink"),
    ("09", 2, "[1, 4]", "value"),
    ("10", 2, "[4, 2]", "sum-for-mean"),
    ("10", 2, "[0.5, 0.5]", "slope-forgotten"),
    ("10", 3, "[[2, 1], [6, 3]]", "transposed"),
    ("11", 4, "2", "slope-forgotten"),
    ("11", 5, "8", "sign"),
    ("12", 1, "4", "path-forgotten"),
    ("12", 2, "6", "path-forgotten"),
    ("12", 6, "2", "other-leaf"),
    ("13", 2, "3", "ones-for-v"),
    ("14", 2, "[0.5, 0.5]", "value"),
    ("15", 2, "[[0, 0, 0, 0]]", "value"),
    ("16", 2, "[[[9, 6]]]", "reversed"),
    ("17", 4, "[[1, 0], [1, 0]]", "factor"),
    ("19", 4, "4", "other-leaf"),
    ("20", 1, "8", "other-value"),
];

const BLANK: &str = "____";

/// How many sheets there are.
const SHEETS: usize = 20;

fn sheets() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions/exercises");
    let entries = fs::read_dir(folder).unwrap();
    let mut all: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

/// The sheet of that number.
fn sheet(number: &str) -> String {
    let mut all = sheets().into_iter();
    let path = all.find(|p| p.file_name().unwrap().to_str().unwrap().starts_with(number));
    fs::read_to_string(path.unwrap()).unwrap()
}

fn marked(text: &str, status: i32) -> Value {
    let ran = Test::new()
        .args(&["replay", "--check", "--json", "a.vjp"])
        .file("a.vjp", text)
        .any_stdout()
        .status(status)
        .run();
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The right answers, as the program gives them.
fn answers(sheet: &str) -> Vec<String> {
    let event = marked(sheet, 0);
    assert!(event["differences"].as_array().unwrap().is_empty(), "{event}");
    assert_eq!(event["open"], event["questions"], "{event}");
    let marks = event["marks"].as_array().unwrap().iter();
    marks
        .map(|mark| {
            let [answer] = &mark["answers"].as_array().unwrap()[..] else {
                panic!("{mark}");
            };
            answer["right"].as_str().unwrap().to_owned()
        })
        .collect()
}

/// The sheet with its blanks filled in; each question is a line.
fn filled(sheet: &str, answers: &[String]) -> String {
    let mut answers = answers.iter();
    let lines = sheet.lines().map(|line| {
        let open = !line.starts_with('#') && line.contains(BLANK);
        let line = if open { answers.next().unwrap() } else { line };
        format!("{line}\n")
    });
    lines.collect()
}

#[test]
fn each_sheet_asks_for_a_few_numbers() {
    let all = sheets();
    assert_eq!(all.len(), SHEETS);
    for path in all {
        let text = fs::read_to_string(&path).unwrap();
        let outputs = text.lines().filter(|l| !l.starts_with('#'));
        let blanks: usize = outputs.map(|l| l.matches(BLANK).count()).sum();
        let name = path.display();
        assert!((4..=18).contains(&blanks), "{name} has {blanks} blanks");
        assert!(text.contains("vjp> :panel off\n"), "{name} shows the answers");
        assert!(text.starts_with("# ") && text.contains(&format!("each {BLANK}")), "{name}");
    }
}

#[test]
fn the_right_answers_mark_fully() {
    for path in sheets() {
        let text = fs::read_to_string(&path).unwrap();
        let event = marked(&filled(&text, &answers(&text)), 0);
        assert_eq!(event["right"], event["questions"], "{}", path.display());
    }
}

#[test]
fn each_usual_wrong_answer_is_told_what_it_is() {
    let mut complaints = Vec::new();
    for (number, question, wrong, mistake) in WRONG {
        let text = sheet(number);
        let mut given = answers(&text);
        given[question - 1] = (*wrong).to_owned();
        let event = marked(&filled(&text, &given), 1);
        let marks = event["marks"].as_array().unwrap();
        for (k, mark) in marks.iter().enumerate() {
            let grade = if k + 1 == *question { "wrong" } else { "right" };
            assert_eq!(mark["grade"], grade, "{number}: {mark}");
        }
        let answer = &marks[question - 1]["answers"][0];
        if answer["mistake"] != *mistake {
            complaints.push(format!("{number} {question} {wrong}: {answer}, not {mistake}"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Small random numbers, the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn numbers(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.below(9) as f64 - 3.0).collect()
    }
}

fn zip(a: &[f64], b: &[f64], f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| f(*a, *b)).collect()
}

fn list(numbers: &[f64]) -> String {
    let texts: Vec<String> = numbers.iter().map(f64::to_string).collect();
    format!("[{}]", texts.join(", "))
}

/// A program about x, with what its gradient is made of, worked out here.
struct Lesson {
    program: String,
    x: Vec<f64>,
    w: Option<Vec<f64>>,
    y: Vec<f64>,
    v: Vec<f64>,
    j: Vec<Vec<f64>>,
    before: Vec<f64>,
    /// What a sweep gives where the slope of a step is taken as 1.
    slopes: Vec<(&'static str, Vec<f64>)>,
    /// Where one path is left out.
    paths: Vec<(&'static str, Vec<f64>)>,
    /// What arrives at a step.
    arrives: Vec<&'static str>,
    divided: Option<f64>,
    summed: Option<f64>,
}

impl Lesson {
    fn sweep(&self, v: &[f64]) -> Vec<f64> {
        let add = |sum: Vec<f64>, (row, v): (&Vec<f64>, &f64)| zip(&sum, row, |s, r| s + v * r);
        self.j.iter().zip(v).fold(vec![0.0; self.x.len()], add)
    }

    fn right(&self) -> Vec<f64> {
        zip(&self.before, &self.sweep(&self.v), |b, g| b + g)
    }

    fn random(dice: &mut Dice) -> Lesson {
        let n = 2 + dice.below(2) as usize;
        let (x, w, mut v) = (dice.numbers(n), dice.numbers(n), dice.numbers(n));
        let a = 2.0 + dice.below(4) as f64;
        let (twice, fixed) = (zip(&x, &x, |x, _| 2.0 * x), vec![a; n]);
        let mut lesson = Lesson {
            program: String::new(),
            x: x.clone(),
            w: None,
            y: Vec::new(),
            v: Vec::new(),
            j: Vec::new(),
            before: vec![0.0; n],
            slopes: Vec::new(),
            paths: Vec::new(),
            arrives: Vec::new(),
            divided: None,
            summed: None,
        };
        let diagonal = |d: &[f64]| -> Vec<Vec<f64>> {
            (0..n).map(|i| (0..n).map(|k| if i == k { d[i] } else { 0.0 }).collect()).collect()
        };
        let body = match dice.below(6) {
            0 => {
                lesson.y = zip(&x, &fixed, |x, a| a * x * x);
                lesson.j = diagonal(&zip(&twice, &fixed, |t, a| t * a));
                lesson.slopes = vec![
                    ("x^2", zip(&v, &fixed, |v, a| v * a)),
                    ("a*x^2", zip(&v, &twice, |v, t| v * t)),
                ];
                "a*x^2"
            }
            1 => {
                lesson.j = (0..n).map(|_| dice.numbers(n)).collect();
                lesson.y =
                    lesson.j.iter().map(|row| zip(row, &x, |r, x| r * x).iter().sum()).collect();
                lesson.slopes = vec![("A @ x", v.clone())];
                "A @ x"
            }
            2 | 3 => {
                let mean = dice.below(2) == 0;
                let of = if mean { n as f64 } else { 1.0 };
                lesson.y = vec![x.iter().map(|x| x * x).sum::<f64>() / of];
                lesson.j = vec![zip(&twice, &x, |t, _| t / of)];
                v = vec![1.0];
                lesson.slopes = vec![("x^2", vec![1.0 / of; n])];
                (lesson.divided, lesson.summed) = (mean.then_some(of), (!mean).then_some(n as f64));
                if mean { "(x^2).mean()" } else { "(x^2).sum()" }
            }
            4 => {
                lesson.y = zip(&x, &w, |x, w| x * w);
                lesson.j = diagonal(&w);
                lesson.w = Some(w.clone());
                lesson.slopes = vec![("x*w", v.clone())];
                lesson.arrives = vec!["x*w"];
                "x*w"
            }
            _ => {
                lesson.y = zip(&x, &fixed, |x, a| x * x + a * x);
                lesson.j = diagonal(&zip(&twice, &fixed, |t, a| t + a));
                let one = |f: fn(f64, f64) -> f64| zip(&v, &zip(&x, &fixed, f), |v, d| v * d);
                lesson.slopes = vec![("a*x", one(|x, _| 2.0 * x + 1.0))];
                lesson.paths = vec![("x*x + a*x", one(|x, _| 2.0 * x)), ("x*x", one(|x, a| x + a))];
                lesson.arrives = vec!["x*x", "x*x + a*x"];
                "x*x + a*x"
            }
        };
        let constant = |text: &str| text.replace("a*", &format!("{a}*"));
        for (step, _) in &mut lesson.slopes {
            *step = Box::leak(constant(step).into_boxed_str());
        }
        for (step, _) in &mut lesson.paths {
            *step = Box::leak(constant(step).into_boxed_str());
        }
        for step in &mut lesson.arrives {
            *step = Box::leak(constant(step).into_boxed_str());
        }
        lesson.v = v;
        let mut lines = vec![format!("x = {}", list(&x)), format!("w = {}", list(&w))];
        if body == "A @ x" {
            let rows: Vec<String> = lesson.j.iter().map(|row| list(row)).collect();
            lines.push(format!("A = torch.tensor([{}]).double()", rows.join(", ")));
        }
        if dice.below(3) == 0 {
            lesson.before = dice.numbers(n);
            lines.push(format!("(x*torch.tensor({})).sum().backward()", list(&lesson.before)));
        }
        let weights = if lesson.v == [1.0] { String::new() } else { list(&lesson.v) };
        lines.push(format!("y = {}; y.backward({weights})", constant(body)));
        lesson.program = lines.iter().map(|line| format!("vjp> {line}\n")).collect();
        lesson
    }

    /// A wrong answer, of each usual kind or any.
    fn wrong(&self, dice: &mut Dice) -> Vec<f64> {
        let (right, n) = (self.right(), self.x.len());
        let ones = vec![1.0; self.v.len()];
        let along =
            |v: &[f64]| self.j.iter().map(|row| zip(row, v, |r, v| r * v).iter().sum()).collect();
        let times = |c: f64| right.iter().map(|r| r * c).collect::<Vec<f64>>();
        match dice.below(14) {
            0 => self.v.clone(),
            1 => right.iter().rev().copied().collect(),
            2 => self.sweep(&ones),
            3 => self.slopes[0].1.clone(),
            4 => times(-1.0),
            5 => times([2.0, 3.0, 0.5, 10.0][dice.below(4) as usize]),
            6 => self.x.clone(),
            7 => self.y.clone(),
            8 => along(&self.v),
            9 => self.sweep(&self.v),
            10 => self.before.clone(),
            11 => vec![0.0; n],
            12 => zip(&right, &self.x, |r, x| if x > 1.0 { r } else { -r }),
            _ => dice.numbers(n),
        }
    }

    /// The numbers that a sentence speaks of: any of them makes it true; None where it is not known.
    fn claims(&self, says: &str) -> Option<Vec<Vec<f64>>> {
        let lacking = says.strip_suffix("; the gradient already in x.grad is missing");
        let on_top = says.strip_prefix("the gradient already in x.grad plus ");
        let held = self.before.iter().any(|b| *b != 0.0);
        if lacking.or(on_top).is_some() && !held {
            return Some(Vec::new());
        }
        let core = lacking.or(on_top).unwrap_or(says);
        let (mut found, of_sweep) = self.claim(core)?;
        if on_top.is_some() {
            found = found.iter().map(|f| zip(f, &self.before, |f, b| f + b)).collect();
        }
        // What a sweep alone gives is said to lack what was there.
        let said = lacking.or(on_top).is_some();
        Some(if of_sweep && held != said { Vec::new() } else { found })
    }

    /// The numbers, and whether they are those of a sweep.
    fn claim(&self, says: &str) -> Option<(Vec<Vec<f64>>, bool)> {
        let right = self.right();
        let ones = vec![1.0; self.v.len()];
        let even = vec![1.0 / self.v.len() as f64; self.v.len()];
        let back: Vec<f64> = self.v.iter().rev().copied().collect();
        let twice: Vec<f64> = self.v.iter().map(|v| v * v).collect();
        let along =
            |v: &[f64]| self.j.iter().map(|row| zip(row, v, |r, v| r * v).iter().sum()).collect();
        let scaled = |c: f64| self.sweep(&self.v).iter().map(|g| g * c).collect::<Vec<f64>>();
        let whole = |c: f64| right.iter().map(|r| r * c).collect::<Vec<f64>>();
        let named = |steps: &[(&str, Vec<f64>)], before: &str, after: &str| -> Vec<Vec<f64>> {
            let here = steps.iter().filter(|(s, _)| says.contains(&format!("{before}{s}{after}")));
            here.map(|(_, numbers)| numbers.clone()).collect()
        };
        let begins = |start: &str| says.starts_with(start);
        let sweep = |numbers: Vec<f64>| Some((vec![numbers], true));
        let plain = |numbers: Vec<f64>| Some((vec![numbers], false));
        if begins("v itself") {
            return plain(self.v.clone());
        } else if begins("x itself") {
            return plain(self.x.clone());
        } else if begins("the value of y") {
            return plain(self.y.clone());
        } else if begins("the value of x.grad before") {
            return plain(self.before.clone());
        } else if let Some(name) = says.strip_prefix("the value of ") {
            let a = self.j.concat();
            return match name {
                "x" => plain(self.x.clone()),
                "A" => plain(a),
                // w is the only other name, and any numbers are in its line.
                "w" => Some((vec![self.line("w = ")], false)),
                _ => None,
            };
        } else if begins("w.grad, the gradient for another leaf") {
            let of = self.w.is_some().then(|| zip(&self.v, &self.x, |v, x| v * x));
            return Some((of.into_iter().collect(), false));
        } else if begins("the gradient of a constant") {
            let moves = self.j.concat().iter().any(|s| *s != 0.0);
            return Some((moves.then(|| vec![0.0; right.len()]).into_iter().collect(), false));
        } else if begins("the gradient of this backward alone") {
            let held = self.before.iter().any(|b| *b != 0.0);
            return Some((held.then(|| self.sweep(&self.v)).into_iter().collect(), false));
        } else if begins("the unweighted sum of the rows") || begins("the gradient for v = 1") {
            return sweep(self.sweep(&ones));
        } else if begins("J·v") {
            return sweep(along(&self.v));
        } else if begins("the sums across the rows") {
            return sweep(along(&vec![1.0; self.x.len()]));
        } else if begins("the rows weighted in reverse order") {
            return sweep(self.sweep(&back));
        } else if begins("the rows multiplied by v twice")
            || begins("the slope multiplied by v twice")
        {
            return sweep(self.sweep(&twice));
        } else if begins("the gradient of y.mean()") {
            return sweep(self.sweep(&even));
        } else if let Some(rest) = says.strip_prefix("row ") {
            let i = rest[..1].parse::<usize>().unwrap() - 1;
            let weight = if rest.contains("without its weight") { 1.0 } else { self.v[i] };
            return sweep(self.j[i].iter().map(|r| r * weight).collect());
        } else if begins("what you get without the")
            && !begins("what you get without the division;")
        {
            return Some((named(&self.slopes, " of ", ";"), true));
        } else if begins("what you get when one path from x to y is left out") {
            return Some((self.paths.iter().map(|(_, numbers)| numbers.clone()).collect(), true));
        } else if begins("the contribution of one path alone; 3 paths") {
            let c = self.program.split(" + ").nth(1).unwrap()[..1].parse::<f64>().unwrap();
            let one = |f: fn(f64, f64) -> f64| -> Vec<f64> {
                self.v.iter().zip(&self.x).map(|(v, x)| v * f(*x, c)).collect()
            };
            return Some((vec![one(|x, _| x), one(|_, c| c)], true));
        } else if begins("what you get when the slopes of both factors of x*x are multiplied") {
            let c = self.program.split(" + ").nth(1).unwrap()[..1].parse::<f64>().unwrap();
            return Some((vec![self.v.iter().map(|v| v * (1.0 + c)).collect()], true));
        } else if begins("correct except for the sign of one path from x to y") {
            let turned = |(_, rest): &(&'static str, Vec<f64>)| {
                rest.iter().zip(&right).map(|(rest, right)| 2.0 * rest - right).collect()
            };
            return Some((self.paths.iter().map(turned).collect(), true));
        } else if begins("the gradient that arrives at") {
            let known = self.arrives.iter().any(|s| says.contains(&format!("at {s};")));
            return Some((known.then(|| self.v.clone()).into_iter().collect(), true));
        } else if begins("what you get without the division") {
            return Some((self.divided.map(scaled).into_iter().collect(), true));
        } else if begins("what you get when dividing by") {
            return Some((self.summed.map(|n| scaled(1.0 / n)).into_iter().collect(), true));
        } else if begins("correct except for the sign") {
            return plain(whole(-1.0));
        } else if begins("the right numbers in reverse order") {
            return plain(right.iter().rev().copied().collect());
        } else if let Some((c, _)) = says.split_once(" times the correct answer") {
            return plain(whole(c.parse().unwrap()));
        } else if let Some((c, _)) = says.split_once(" of the correct answer") {
            return plain(whole(1.0 / c.strip_prefix("1/").unwrap().parse::<f64>().unwrap()));
        }
        None
    }

    fn line(&self, start: &str) -> Vec<f64> {
        let line = self.program.lines().find_map(|l| l.strip_prefix("vjp> ")?.strip_prefix(start));
        let inside = line.unwrap().trim_matches(['[', ']']);
        inside.split(", ").map(|n| n.parse().unwrap()).collect()
    }
}

#[test]
fn each_diagnosis_is_true_of_random_programs_and_answers() {
    let mut dice = Dice(20);
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1e-3);
    let same =
        |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(*a, *b));
    let mut all = Vec::new();
    while all.len() < 400 {
        let lesson = Lesson::random(&mut dice);
        let answer = lesson.wrong(&mut dice);
        if answer.len() == lesson.x.len() && !same(&answer, &lesson.right()) {
            all.push((lesson, answer));
        }
    }
    let mut test = Test::new();
    let names: Vec<String> = (0..all.len()).map(|k| format!("{k}.vjp")).collect();
    for ((lesson, answer), name) in all.iter().zip(&names) {
        let file =
            format!("# ____\nvjp> :panel off\n{}vjp> x.grad\n{}\n", lesson.program, list(answer));
        test = test.file(name, &file);
    }
    let args: Vec<&str> = ["replay", "--check", "--json"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    let ran = test.args(&args).any_stdout().status(1).run();
    let (mut complaints, mut told) = (Vec::new(), 0);
    for ((lesson, answer), line) in all.iter().zip(ran.stdout.lines()) {
        let event: Value = serde_json::from_str(line).unwrap();
        let marks = event["marks"].as_array().unwrap();
        let marked = &marks.last().unwrap()["answers"][0];
        assert_eq!(marked["holds"], false, "{line}");
        let right = lesson.right();
        let Some(whole) = marked["diagnosis"].as_str() else { continue };
        told += 1;
        // `x.grad[0] and x.grad[2]: 3 and 4 are …`: of these entries alone.
        let entry = |k: &usize| whole.split(": ").next().unwrap().contains(&format!("x.grad[{k}]"));
        let named: Vec<usize> = (0..answer.len()).filter(entry).collect();
        let of = if named.is_empty() { (0..answer.len()).collect() } else { named.clone() };
        if let Some((_, says)) = whole.split_once(" lacks the contribution of row ") {
            let i = says[..1].parse::<usize>().unwrap() - 1;
            let lacks = |k: &usize| near(answer[*k] + lesson.v[i] * lesson.j[i][*k], right[*k]);
            assert!(named.len() == 1 && named.iter().all(lacks), "{}{whole}", lesson.program);
            continue;
        }
        let says = whole.split_once(" is ").into_iter().chain(whole.split_once(" are "));
        let says = says.min_by_key(|(subject, _)| subject.len()).unwrap().1;
        let about = |claim: &Vec<f64>| {
            claim.len() == answer.len() && of.iter().all(|k| near(claim[*k], answer[*k]))
        };
        let truth = lesson.claims(says).map(|claims| claims.iter().any(about));
        let simple =
            !same(answer, &lesson.x) || says.starts_with("x itself") || same(answer, &lesson.y);
        let own = lesson.v.len() < 2 || !same(answer, &lesson.v) || says.starts_with("v itself");
        let first = own || same(answer, &lesson.x) || same(answer, &lesson.y);
        let simple = simple || !named.is_empty();
        if truth != Some(true) || !simple || !first {
            complaints.push(format!(
                "{}{} of {}: {whole}",
                lesson.program,
                list(answer),
                list(&right)
            ));
        }
    }
    assert!(complaints.is_empty(), "{} of {told}\n{}", complaints.len(), complaints.join("\n\n"));
    assert!(told > all.len() / 2, "{told}");
}

/// The right answers to a sheet whose own outputs may be incomplete.
fn rights(sheet: &str) -> Vec<String> {
    let args = ["replay", "--check", "--json", "--sheet", "s.vjp", "s.vjp"];
    let ran = Test::new().args(&args).file("s.vjp", sheet).any_stdout().run();
    let event: Value = serde_json::from_str(&ran.stdout).unwrap();
    let right = |mark: &Value| mark["answers"][0]["right"].as_str().unwrap().to_owned();
    event["marks"].as_array().unwrap().iter().map(right).collect()
}

/// The numbers of a text, without their signs; places in brackets behind a name are none.
fn numbers_in(text: &str) -> Vec<f64> {
    let places = regex::Regex::new(r"(?:\w|\.)\[[\d, ]+\]:| \d+ numbers?( |$)").unwrap();
    let number = regex::Regex::new(r"\d+(?:\.\d*)?(?:e[-+]?\d+)?").unwrap();
    let text = places.replace_all(text, " ").into_owned();
    number.find_iter(&text).map(|found| found.as_str().parse().unwrap()).collect()
}

/// Wrong answers of each usual kind to a question whose answer is this.
fn wrong_answers(right: &str) -> Vec<String> {
    let number = regex::Regex::new(r"-?\d+(?:\.\d*)?(?:e[-+]?\d+)?").unwrap();
    let all: Vec<f64> =
        number.find_iter(right).map(|found| found.as_str().parse().unwrap()).collect();
    let with = |numbers: &[f64]| {
        let mut numbers = numbers.iter();
        number
            .replace_all(right, |_: &regex::Captures| numbers.next().unwrap().to_string())
            .into_owned()
    };
    let each = |change: fn(f64) -> f64| with(&all.iter().map(|x| change(*x)).collect::<Vec<f64>>());
    let mut answers =
        vec![each(|x| -x), each(|x| 2.0 * x), each(|x| x / 3.0), each(|_| 0.0), each(|_| 1.0)];
    answers.push(with(&all.iter().rev().copied().collect::<Vec<f64>>()));
    let n = all.len();
    for rows in (2..n).filter(|rows| n.is_multiple_of(*rows)) {
        answers.push(with(
            &(0..n).map(|k| all[k % rows * (n / rows) + k / rows]).collect::<Vec<f64>>(),
        ));
    }
    for k in 0..n.min(2) {
        for change in [|x: f64| x + 1.0, |x: f64| -x, |_| 0.0] {
            let mut other = all.clone();
            other[k] = change(other[k]);
            answers.push(with(&other));
        }
    }
    answers
}

/// A hint has no number of the right answer, unless it stands in the question or in the answer that was given.
#[test]
fn no_hint_gives_an_answer_away() {
    let (mut complaints, mut told) = (Vec::new(), 0);
    let mut sheets: Vec<String> = sheets().iter().map(|p| fs::read_to_string(p).unwrap()).collect();
    let mut dice = Dice(7);
    sheets.extend((0..12).map(|_| {
        let program = Lesson::random(&mut dice).program;
        format!("# ____\nvjp> :panel off\n{program}vjp> x.grad\n{BLANK}\n")
    }));
    for sheet in sheets {
        let rights = rights(&sheet);
        let mut files: Vec<(usize, String, String)> = Vec::new();
        for (k, right) in rights.iter().enumerate() {
            let others = rights.iter().filter(|other| *other != right).take(2).cloned();
            for wrong in wrong_answers(right).into_iter().chain(others) {
                let mut given = rights.clone();
                given[k].clone_from(&wrong);
                files.push((k, filled(&sheet, &given), wrong));
            }
        }
        let names: Vec<String> = (0..files.len()).map(|k| format!("{k}.vjp")).collect();
        let mut test = Test::new().file("s.vjp", &sheet);
        for ((_, file, _), name) in files.iter().zip(&names) {
            test = test.file(name, file);
        }
        let args = ["replay", "--check", "--json", "--hint", "--sheet", "s.vjp"];
        let args: Vec<&str> = args.into_iter().chain(names.iter().map(String::as_str)).collect();
        let ran = test.args(&args).any_stdout().any_status().run();
        for ((k, _, wrong), line) in files.iter().zip(ran.stdout.lines()) {
            let event: Value = serde_json::from_str(line).unwrap();
            let Some(answer) = event["marks"][k].get("answers").and_then(|all| all.get(0)) else {
                continue;
            };
            assert_eq!(answer["right"], Value::Null, "{line}");
            let said = ["diagnosis", "why"].map(|key| answer[key].as_str().unwrap_or("")).join(" ");
            told += usize::from(!said.trim().is_empty());
            let known = [numbers_in(&sheet), numbers_in(wrong)].concat();
            let near = |a: f64, all: &[f64]| all.iter().any(|b| (a - b).abs() <= 1e-9 * a.abs());
            let right = numbers_in(&rights[*k]);
            let gives = |n: &f64| near(*n, &right) && !near(*n, &known);
            if numbers_in(&said).iter().any(gives) {
                complaints.push(format!("{sheet}{wrong} for {}: {said}", rights[*k]));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
    assert!(told > 700, "{told}");
}

/// Program, a wrong answer about x.grad, and how the sentence about it begins; nothing where none is true.
const SAID: &[(&str, &str, &str)] = &[
    ("x = 2; y = x^2 + x^3 + x", "13", "13 is what you get when one path from x to y is left out"),
    ("x = 2; y = x^2 + x^3 + x", "4", "4 is the contribution of one path alone; 3 paths lead"),
    ("x = 3; y = x*x*x", "18", "18 is what you get when one path from x to y is left out"),
    ("x = 3; y = x*x*x", "9", "9 is the contribution of one path alone; 3 paths lead"),
    ("x = 2; u = x + x; y = u*u", "12", "12 is what you get when one path"),
    ("x = 0; y = sqrt(x)", "nan", ""),
    ("x = 1; y = 7*x^3", "3", "3 is what you get without the factor 7 of 7*x^3"),
    (
        "x = 2; y = sqrt(x^2 + 12)",
        "4",
        "4 is what you get without the outer slope of sqrt(x^2 + 12)",
    ),
    ("a = 4; x = 1; h = 2*x + 1; y = h^2", "4", "4 is 1/3 of the correct answer"),
    ("a = 4; x = 1; h = 2*x + 1; y = h^2", "3", "3 is the value of h"),
    ("x = 2; y = sin(3*x^2)", "0.8439", "0.8439 is the gradient that arrives at 3*x^2"),
    ("x = 2; y = x*sin(x)", "-0.41615", "-0.41615 is what you get when the slopes of both factors"),
    ("w = 3; x = 2; s = sigmoid(w*x); y = s^2", "1.99505", "1.99505 is the gradient that arrives"),
    ("w = 2; x = 2; y = w/x", "0.5", "0.5 is correct except for the sign"),
    ("x = 2; y = x*sin(x)", "1.74159", "1.74159 is correct except for the sign of one path"),
    ("x = 3; y = sin(x)/x^2", "-0.165", "-0.165 is what you get when the slopes of numerator"),
    (
        "x = [[1, 2, 3]]; y = F.cross_entropy(x, torch.tensor([0]))",
        "[0.0900, 0.2447, 0.6652]",
        "0.0900, 0.2447 and 0.6652 are the softmax part",
    ),
    ("x = [1, 4]; y = [2*x[0], x[0] + 3*x[1]]; v = [1, 10]", "[12, 31]", ""),
    ("x = [1, 4]; y = [2*x[0], x[0] + 3*x[1]]; v = [1, 10]", "[2, 31]", "2 and 31 are J·v"),
    (
        "x = [1, 4]; y = [2*x[0], x[0] + 3*x[1]]; v = [1, 10]",
        "[12, -30]",
        "x.grad[1]: -30 is correct except",
    ),
    (
        "x = [1, 2, 3]; y = x^3; v = [1, 10, 100]",
        "[3, 120, 0]",
        "x.grad[2]: 0 lacks the contribution of row 3 of J, 100 × 27",
    ),
    ("x = [1, 2, 3]; y = x^3; v = [1, 10, 100]", "[3, 120, 3]", ""),
];

#[test]
fn a_sentence_is_true_of_the_whole_answer_or_of_a_named_entry() {
    for (program, answer, says) in SAID {
        let v = if program.contains("v = ") { "v" } else { "" };
        let file =
            format!("vjp> :panel off\nvjp> {program}; y.backward({v})\nvjp> x.grad\n{answer}\n");
        let event = marked(&file, 1);
        let marks = event["marks"].as_array().unwrap();
        let found = marks.last().unwrap()["answers"][0]["diagnosis"].as_str().unwrap_or("");
        assert!(
            found.starts_with(says) && says.is_empty() == found.is_empty(),
            "{program}: {answer}: {found}"
        );
    }
}
