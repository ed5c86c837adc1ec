//! Sheets out of a pattern: numbers are drawn until each question can be solved, and is as hard as usual.

use super::dice::Dice;
use super::difficulty::{Level, levels, misses};
use super::ranges::{self, Drawn};
use crate::compare::asked_for;
use crate::marking::answer::{self, Answer};
use crate::marking::filled::{failure, shown};
use crate::marking::numbers::{BLANK, Piece, Token, lines, pieces};
use crate::marking::waiting::{GRADIENTS, Names, State, states};
use crate::replay::kept;
use crate::{Player, Step, Transcript};
use std::collections::HashSet;
use std::io;
use std::rc::Rc;
use vjp_eval::Backward;
use vjp_text::words::list;

/// So often numbers are drawn for one sheet.
const TRIES: usize = 400;

/// So often an input is given other numbers before those of the inputs above it are drawn again too.
const PATIENCE: usize = 6;

/// From so many sheets it is known what is usual.
const USUAL: u64 = 9;

/// A sheet with ranges in its inputs.
pub struct Pattern {
    file: Transcript,
    /// The line of each input in the pattern as it was given.
    lines: Vec<usize>,
    seed: u64,
    ranged: Vec<bool>,
    /// Whether what an input gives depends on a range.
    moves: Vec<bool>,
    usual: Vec<Vec<Level>>,
    /// What of each output is left out: what the pattern does not show of it.
    trimmed: Vec<bool>,
    /// Inputs whose panels show an answer, whatever numbers are drawn.
    panels: Vec<usize>,
    /// Inputs whose outputs do beside a panel.
    told: Vec<usize>,
    /// Those of them that ask for it themselves.
    told_itself: Vec<usize>,
    /// Lines of inputs whose panels showed an answer and are left out.
    pub hidden: Vec<usize>,
}

/// A sheet for one student.
pub struct Sheet {
    pub open: Transcript,
    /// The same with every blank filled in.
    pub solved: Transcript,
}

/// Why no sheet can be made.
#[derive(Debug, thiserror::Error)]
pub enum NoSheet {
    #[error("line {line}: {problem}")]
    Wrong { line: usize, problem: String },
    #[error("has no range in its inputs")]
    NoRange,
    #[error("line {line}: {input}  fails: {why}")]
    Fails { line: usize, input: String, why: String },
    #[error("line {line}: no numbers were found for  {input}  in {TRIES} tries: {why}")]
    Unmet { line: usize, input: String, why: String },
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// An input that was run.
struct Ran {
    output: Vec<String>,
    /// The same with the blanks of the pattern.
    open: Vec<String>,
    answers: Vec<f64>,
    /// What its blanks ask for.
    asked: Vec<Answer>,
    /// What the sheet shows of the input.
    input: Vec<String>,
    /// Of the backward that it made.
    leaves: Option<Vec<String>>,
}

/// The lines of a panel in an output, or all others.
fn part(ran: &Ran, panel: bool) -> Vec<String> {
    let drawn = is_drawn(&ran.open);
    let own = |line: &&String| panel == (drawn && line.starts_with(' '));
    ran.open.iter().filter(own).cloned().collect()
}

/// Whether an output shows, in its panel or beside it, what a blank in it asks for.
fn shows_itself(ran: &Ran, panel: bool) -> bool {
    let lines = part(ran, panel);
    ran.asked.iter().any(|answer| tells(&lines, answer))
}

/// Whether lines without a blank hold an answer.
fn tells(open: &[String], answer: &Answer) -> bool {
    let given = open.iter().filter(|line| !line.contains(BLANK));
    if answer.numbers.is_empty() {
        let tight = |text: &str| text.split_whitespace().collect::<String>();
        let cells = given.flat_map(|line| line.split("  ").flat_map(|part| part.split(AROUND)));
        return cells.map(tight).any(|cell| !cell.is_empty() && cell == tight(&answer.right));
    }
    let lines: Vec<Vec<f64>> = given.map(|line| shown_numbers(line)).collect();
    let rights: Vec<f64> = answer.numbers.iter().map(|(_, right)| right.value).collect();
    // Lines are rounded.
    let same = |(shown, right): (&f64, &f64)| (shown - right).abs() <= 1e-3 * right.abs();
    let holds = |line: &[f64], part: &[f64]| {
        line.windows(part.len()).any(|some| some.iter().zip(part).all(same))
    };
    // A matrix stands there row by row.
    let rows = (1..=rights.len() / 2).filter(|rows| rights.len().is_multiple_of(*rows));
    rows.chain((rights.len() == 1).then_some(1)).any(|rows| {
        let parts: Vec<&[f64]> = rights.chunks(rights.len() / rows).collect();
        lines
            .windows(rows)
            .any(|some| some.iter().zip(&parts).all(|(line, part)| holds(line, part)))
    })
}

/// Whether a step of a pattern shows its panel, or asks for a part of it.
fn holds_panel(step: &Step) -> bool {
    let asks = |line: &String| line.starts_with("  ") && line.contains(BLANK);
    !is_command(&step.input) && (is_drawn(&step.output) || step.output.iter().any(asks))
}

/// What stands around a value.
const AROUND: [char; 9] = ['[', ']', '⎡', '⎤', '⎢', '⎥', '⎣', '⎦', '='];

/// The numbers that a line shows, 0 where there is no path.
fn shown_numbers(line: &str) -> Vec<f64> {
    let number = |piece: &Piece| match piece.token {
        Token::Number(n) => Some(n.value),
        Token::Text("·") => Some(0.0),
        _ => None,
    };
    pieces(line).iter().filter_map(number).collect()
}

/// Whether a panel stands there.
fn is_drawn(output: &[String]) -> bool {
    output.iter().any(|line| line.contains("vᵀJ"))
}

fn is_command(input: &[String]) -> bool {
    input.first().is_some_and(|line| line.starts_with(':'))
}

/// What inputs are about: their names, and what those were computed from.
struct About {
    direct: HashSet<String>,
    behind: HashSet<String>,
}

impl About {
    fn of(steps: &[Step]) -> Vec<About> {
        let mut names = Names::default();
        let one = |step: &Step| {
            let input = ranges::opened(&step.input).unwrap_or_else(|_| step.input.clone());
            names.take(&input);
            About { direct: Names::default().behind(&input), behind: names.behind(&input) }
        };
        steps.iter().map(one).collect()
    }
}

/// What the lines of an output begin with: `y` of `y = 4`, `.grad=vᵀJ` of the last row of a panel.
fn beginnings(output: &[String]) -> Vec<&str> {
    /// More are too many to tell.
    const TOLD: usize = 8;
    let mut all: Vec<&str> = Vec::new();
    for line in output {
        let left = line.split_once(" = ").or_else(|| line.split_once(" += "));
        let left = left.map(|(left, _)| left.trim()).filter(|left| !left.contains("  "));
        let row = line.find(['[', '⎡', '⎢', '⎣']).map(|at| line[..at].trim_end());
        let row = row.and_then(|row| row.rsplit("  ").next()).filter(|_| line.starts_with("  "));
        let found = left.or(row).filter(|name| !name.is_empty() && !all.contains(name));
        all.extend(found);
    }
    all.truncate(TOLD);
    all
}

/// The inputs of one try as they ran, or the one that must not stay so, and why.
type Tried = Result<Vec<Ran>, (usize, String)>;

impl Pattern {
    /// Reads the ranges, and finds out what answers are usual. Panels that show an answer are left out,
    /// but for those that stand in the file.
    ///
    /// # Errors
    /// No range, a wrong one, or none that can be solved; those of the player.
    pub fn new(file: &Transcript, seed: u64, player: &mut dyn Player) -> Result<Pattern, NoSheet> {
        let lines = (0..file.steps.len()).map(|k| file.prompt_line(k)).collect();
        let mut pattern = Pattern::read(file.clone(), lines, seed, &[], player)?;
        let (quiet, lines, hidden) = pattern.without_panels();
        if !hidden.is_empty() {
            pattern = Pattern { hidden, ..Pattern::read(quiet, lines, seed, &[], player)? };
        }
        if pattern.told_itself.is_empty() {
            return Ok(pattern);
        }
        let Pattern { file, lines, told_itself, hidden, .. } = pattern;
        Ok(Pattern { hidden, ..Pattern::read(file, lines, seed, &told_itself, player)? })
    }

    fn read(
        file: Transcript,
        lines: Vec<usize>,
        seed: u64,
        trimmed: &[usize],
        player: &mut dyn Player,
    ) -> Result<Pattern, NoSheet> {
        let wrong = |k: usize, problem: String| NoSheet::Wrong { line: lines[k], problem };
        let (mut ranged, mut opened) = (Vec::new(), Vec::new());
        for (k, step) in file.steps.iter().enumerate() {
            ranged.push(ranges::has_range(&step.input).map_err(|says| wrong(k, says))?);
            let input = ranges::opened(&step.input).map_err(|says| wrong(k, says))?;
            if !ranged[k] && crate::marking::fill::is_open(&input) {
                let says = "a ____ in an input needs a range for its number: ____{1..5}";
                return Err(wrong(k, says.to_owned()));
            }
            opened.push(Step { input, ..step.clone() });
        }
        if !ranged.contains(&true) {
            return Err(NoSheet::NoRange);
        }
        let moves = states(&opened).into_iter().map(|state| state != State::Runs).collect();
        let pattern = Pattern {
            file,
            lines,
            seed,
            ranged,
            moves,
            usual: Vec::new(),
            trimmed: opened.iter().enumerate().map(|(k, _)| trimmed.contains(&k)).collect(),
            panels: Vec::new(),
            told: Vec::new(),
            told_itself: Vec::new(),
            hidden: Vec::new(),
        };
        let mut sheets = Vec::new();
        for k in 0..USUAL {
            sheets.push(pattern.search("", k, player)?.1);
        }
        // The number is found from what comes out, where the pattern shows any of it.
        let silent = |k: &usize| {
            let ran = &sheets[0][*k];
            let asks = crate::marking::fill::is_open(&opened[*k].input);
            asks && ran.open.is_empty() && !ran.output.is_empty() && !is_drawn(&ran.output)
        };
        if let Some(k) = (0..opened.len()).find(silent) {
            let says = "the sheet shows nothing that depends on its ____; write a line of the output below it";
            let problem = says.to_owned();
            return Err(NoSheet::Wrong { line: pattern.lines[k], problem });
        }
        let of = |k: usize| -> Vec<Vec<f64>> {
            sheets.iter().map(|ran: &Vec<Ran>| ran[k].answers.clone()).collect()
        };
        let all = 0..pattern.file.steps.len();
        let about = About::of(&opened);
        let always = |shows: &dyn Fn(&[Ran], usize) -> bool| -> Vec<usize> {
            all.clone().filter(|k| sheets.iter().all(|ran| shows(ran, *k))).collect()
        };
        let panels = always(&|ran, k| pattern.shows(&about, ran, k, true));
        let told = always(&|ran, k| pattern.shows(&about, ran, k, false));
        let told_itself = always(&|ran, k| {
            let panel = holds_panel(&pattern.file.steps[k]) && shows_itself(&ran[k], true);
            panel || shows_itself(&ran[k], false)
        });
        let usual = all.map(|k| levels(&of(k))).collect();
        Ok(Pattern { panels, told, told_itself, usual, ..pattern })
    }

    /// Whether an output shows, in its panel or beside it, what a blank in it or below another input asks for.
    fn shows(&self, about: &[About], all: &[Ran], at: usize, panel: bool) -> bool {
        let ran = &all[at];
        let lines = part(ran, panel);
        let of_gradients = panel || is_command(&self.file.steps[at].input);
        // What stands in the inputs is no secret.
        let open = |answer: &&Answer| {
            of_gradients || !all[..=at].iter().any(|above| tells(&above.input, answer))
        };
        let asks = |k: usize, answer: &Answer| {
            if answer.numbers.len() > 1 || of_gradients && is_command(&self.file.steps[k].input) {
                return true;
            }
            if !of_gradients {
                return about[k].direct.is_subset(&about[at].direct);
            }
            let own = |name: &String| about[k].behind.contains(name);
            let reached = ran.leaves.as_ref().is_none_or(|leaves| leaves.iter().any(own));
            reached && GRADIENTS.iter().any(|word| about[k].behind.contains(*word))
        };
        let elsewhere = (0..all.len()).filter(|k| *k != at).any(|k| {
            let mut asked = all[k].asked.iter().filter(open);
            asked.any(|answer| asks(k, answer) && tells(&lines, answer))
        });
        shows_itself(ran, panel) || elsewhere
    }

    /// Lines of inputs whose outputs show an answer, and whether a panel does.
    pub fn told(&self) -> Vec<(usize, bool)> {
        let panels = self.panels.iter().map(|k| (*k, true));
        let mut all: Vec<_> = panels.chain(self.told.iter().map(|k| (*k, false))).collect();
        all.sort_unstable_by_key(|(k, panel)| (*k, !panel));
        all.into_iter().map(|(k, panel)| (self.lines[k], panel)).collect()
    }

    /// Lines of inputs whose outputs are shown as far as the pattern shows them.
    pub fn trimmed(&self) -> Vec<usize> {
        let left = (0..self.lines.len()).filter(|k| self.trimmed[*k] && !self.told.contains(k));
        left.map(|k| self.lines[k]).collect()
    }

    /// The same session with the panels off that show an answer and do not stand in the file, the line of
    /// each input, and the lines of those panels' inputs.
    fn without_panels(&self) -> (Transcript, Vec<usize>, Vec<usize>) {
        let mut file = Transcript { steps: Vec::new(), tail: self.file.tail.clone() };
        let (mut lines, mut hidden, mut off) = (Vec::new(), Vec::new(), false);
        for (k, step) in self.file.steps.iter().enumerate() {
            let mut step = step.clone();
            let hides = self.panels.contains(&k) && !holds_panel(&step);
            if hides {
                hidden.push(self.lines[k]);
            }
            if hides != off && (hides || holds_panel(&step)) {
                off = hides;
                file.steps.push(Step {
                    narration: std::mem::take(&mut step.narration),
                    input: vec![format!(":panel {}", if off { "off" } else { "on" })],
                    ..Step::default()
                });
                lines.push(self.lines[k]);
            }
            file.steps.push(step);
            lines.push(self.lines[k]);
        }
        (file, lines, hidden)
    }

    /// The sheet of a student; that of a name is always the same.
    ///
    /// # Errors
    /// No numbers can be found; those of the player.
    pub fn sheet(&self, name: &str, player: &mut dyn Player) -> Result<Sheet, NoSheet> {
        let (drawn, ran) = self.search(name, USUAL, player)?;
        let narration = match name {
            "" => Vec::new(),
            name => vec![format!("# {name}"), "#".to_owned()],
        };
        let mut open = Transcript { steps: Vec::new(), tail: self.file.tail.clone() };
        let mut solved = open.clone();
        for (k, (drawn, ran)) in drawn.into_iter().zip(ran).enumerate() {
            let mut told = if k == 0 { narration.clone() } else { Vec::new() };
            told.extend(self.file.steps[k].narration.iter().cloned());
            let step =
                |input, output| Step { narration: told.clone(), input, output, ..Step::default() };
            open.steps.push(step(drawn.shown, ran.open));
            solved.steps.push(step(drawn.filled, ran.output));
        }
        Ok(Sheet { open, solved })
    }

    /// Draws until every input can stay as it is.
    fn search(
        &self,
        name: &str,
        turn: u64,
        player: &mut dyn Player,
    ) -> Result<(Vec<Drawn>, Vec<Ran>), NoSheet> {
        let mut drawings = vec![0u64; self.file.steps.len()];
        let mut missed = vec![(0usize, String::new()); drawings.len()];
        for _ in 0..TRIES {
            let drawn = self.draw(name, turn, &drawings)?;
            let (k, why) = match self.run(&drawn, player)? {
                Ok(ran) => return Ok((drawn, ran)),
                Err(missed) => missed,
            };
            if !self.moves[k] {
                let input = self.file.steps[k].input.join(" ").trim().to_owned();
                return Err(NoSheet::Fails { line: self.lines[k], input, why });
            }
            missed[k] = (missed[k].0 + 1, why);
            let above: Vec<usize> = (0..=k).rev().filter(|k| self.ranged[*k]).collect();
            if above.is_empty() {
                break;
            }
            let depth = 1 + missed[k].0 / PATIENCE;
            above.iter().take(depth).for_each(|k| drawings[*k] += 1);
        }
        let most = (0..missed.len()).max_by_key(|k| missed[*k].0).unwrap_or(0);
        let input = self.file.steps[most].input.join(" ").trim().to_owned();
        let why = missed[most].1.clone();
        Err(NoSheet::Unmet { line: self.lines[most], input, why })
    }

    fn draw(&self, name: &str, turn: u64, drawings: &[u64]) -> Result<Vec<Drawn>, NoSheet> {
        let one = |(k, step): (usize, &Step)| {
            let mut dice = Dice::new(self.seed, name, &[turn, k as u64, drawings[k]]);
            let wrong = |problem| NoSheet::Wrong { line: self.lines[k], problem };
            ranges::draw(&step.input, &mut dice).map_err(wrong)
        };
        self.file.steps.iter().enumerate().map(one).collect()
    }

    /// Runs the inputs up to the first that must not stay so.
    fn run(&self, drawn: &[Drawn], player: &mut dyn Player) -> io::Result<Tried> {
        player.restart();
        let (mut all, mut names) = (Vec::new(), Names::default());
        for (k, drawn) in drawn.iter().enumerate() {
            let before = player.backward();
            let output = player.play(&drawn.filled.join("\n"), false)?;
            names.take(&drawn.filled);
            let mut ran = match self.judged(k, drawn, output, &names.known(), &*player) {
                Ok(ran) => ran,
                Err(why) => return Ok(Err((k, why))),
            };
            let swept = player
                .backward()
                .filter(|now| before.as_ref().is_none_or(|before| !Rc::ptr_eq(before, now)));
            let named = |b: &Rc<Backward>| b.leaves.iter().map(|leaf| leaf.name.clone()).collect();
            ran.leaves = swept.as_ref().map(named);
            let kinked = swept.is_some_and(|b| !b.corners.is_empty() || !b.edges.is_empty());
            if kinked && self.moves[k] {
                return Ok(Err((k, "y has a kink there".to_owned())));
            }
            all.push(ran);
        }
        Ok(Ok(all))
    }

    fn judged(
        &self,
        k: usize,
        drawn: &Drawn,
        output: Vec<String>,
        names: &[String],
        player: &dyn Player,
    ) -> Result<Ran, String> {
        let step = &self.file.steps[k];
        let now = lines(&output, player.exact().as_deref(), false);
        if let Some(error) = failure(&step.output, &output) {
            return Err(error);
        }
        if self.moves[k] {
            let finite = |token: Token<'_>| match token {
                Token::Number(n) => n.value.is_finite(),
                _ => true,
            };
            if !output.iter().flat_map(|line| pieces(line)).all(|piece| finite(piece.token)) {
                return Err("a number is infinite or NaN".to_owned());
            }
        }
        let unfit = || match beginnings(&output).as_slice() {
            [] => "nothing in its output fits its ____".to_owned(),
            all => format!("nothing in its output fits its ____; it gives {}", list(all, "and")),
        };
        let mut open = match drawn.hides {
            // The rest of what comes out may say what is asked for.
            true => shown(&step.output, &output).ok_or_else(unfit)?,
            false => kept(&step.output, &output, player).ok_or_else(unfit)?,
        };
        if self.trimmed[k] {
            let one = std::slice::from_ref::<String>;
            open.retain(|line| {
                let own = |other: &String| answer::same_words(one(other), one(line));
                line.contains(BLANK) || step.output.iter().any(own)
            });
        }
        let found = answer::answers(&open, &now).unwrap_or_default();
        let found = found.iter().filter(|answer| answer.open > 0);
        let answers: Vec<f64> =
            found.flat_map(|answer| answer.numbers.iter().map(|(_, right)| right.value)).collect();
        if let Some(usual) = self.usual.get(k).filter(|_| self.moves[k])
            && let Some(why) = misses(usual, &answers)
        {
            return Err(why.to_owned());
        }
        let sheet = Step { input: drawn.filled.clone(), output: open.clone(), ..Step::default() };
        let asked = asked_for(&sheet, &output, names, player);
        Ok(Ran { output, open, answers, asked, input: drawn.shown.clone(), leaves: None })
    }
}
