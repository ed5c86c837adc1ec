//! Sheets out of a pattern: numbers are drawn until each question can be solved, and is as hard as usual.

use super::dice::Dice;
use super::difficulty::{Level, levels, misses};
use super::ranges::{self, Drawn};
use crate::marking::answer;
use crate::marking::filled::{failure, shown};
use crate::marking::numbers::{Piece, Token, lines, pieces};
use crate::marking::waiting::{State, states};
use crate::replay::{Player, kept};
use crate::transcript::{Step, Transcript};
use std::io;
use std::rc::Rc;
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
    /// Inputs whose outputs show an answer, whatever numbers are drawn.
    told: Vec<usize>,
    /// Inputs that make a backward.
    swept: Vec<usize>,
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
    /// The same, by blank.
    rights: Vec<Vec<f64>>,
    /// It made a backward.
    swept: bool,
}

/// Whether an output shows what a blank in it asks for, or one below a later input.
fn shows(all: &[Ran], at: usize) -> bool {
    let tells = |right: &Vec<f64>| tells(&all[at].open, right);
    let mut later = all[at + 1..].iter().flat_map(|ran| &ran.rights);
    all[at].rights.iter().any(tells) || later.any(|right| right.len() > 1 && tells(right))
}

/// Whether the numbers of an answer stand side by side in a line without a blank.
fn tells(open: &[String], rights: &[f64]) -> bool {
    let given = open.iter().map(|line| pieces(line));
    let given = given.filter(|line| line.iter().all(|piece| piece.token != Token::Blank));
    // Lines are rounded.
    let same = |(shown, right): (&f64, &f64)| (shown - right).abs() <= 1e-3 * right.abs();
    let holds = |line: Vec<Piece>| {
        let numbers = line.iter().filter_map(|piece| match piece.token {
            Token::Number(n) => Some(n.value),
            _ => None,
        });
        let numbers: Vec<f64> = numbers.collect();
        numbers.windows(rights.len()).any(|some| some.iter().zip(rights).all(same))
    };
    !rights.is_empty() && given.into_iter().any(holds)
}

/// What the lines of an output begin with: `y` of `y = 4`.
fn beginnings(output: &[String]) -> Vec<&str> {
    /// More are too many to tell.
    const TOLD: usize = 6;
    let mut all: Vec<&str> = Vec::new();
    for line in output {
        let left = line.split_once(" = ").or_else(|| line.split_once(" += "));
        let left = left.map(|(left, _)| left.trim()).filter(|left| !left.contains("  "));
        all.extend(left.filter(|left| !all.contains(left)));
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
        let pattern = Pattern::read(file.clone(), lines, seed, player)?;
        let (quiet, lines, hidden) = pattern.without_panels();
        if hidden.is_empty() {
            return Ok(pattern);
        }
        Ok(Pattern { hidden, ..Pattern::read(quiet, lines, seed, player)? })
    }

    fn read(
        file: Transcript,
        lines: Vec<usize>,
        seed: u64,
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
        let mut pattern = Pattern {
            file,
            lines,
            seed,
            ranged,
            moves,
            usual: Vec::new(),
            told: Vec::new(),
            swept: Vec::new(),
            hidden: Vec::new(),
        };
        let mut sheets = Vec::new();
        for k in 0..USUAL {
            sheets.push(pattern.search("", k, player)?.1);
        }
        let of = |k: usize| -> Vec<Vec<f64>> {
            sheets.iter().map(|ran: &Vec<Ran>| ran[k].answers.clone()).collect()
        };
        let all = 0..pattern.file.steps.len();
        let told = all.clone().filter(|k| sheets.iter().all(|ran| shows(ran, *k)));
        let swept = all.clone().filter(|k| sheets.iter().any(|ran| ran[*k].swept));
        (pattern.told, pattern.swept) = (told.collect(), swept.collect());
        pattern.usual = all.map(|k| levels(&of(k))).collect();
        Ok(pattern)
    }

    /// Lines of inputs whose outputs show an answer.
    pub fn told(&self) -> Vec<usize> {
        self.told.iter().map(|k| self.lines[*k]).collect()
    }

    /// The same session with the panels off that show an answer and do not stand in the file, the line of
    /// each input, and the lines of those panels' inputs.
    fn without_panels(&self) -> (Transcript, Vec<usize>, Vec<usize>) {
        let drawn = |step: &Step| step.output.iter().any(|line| line.contains("vᵀJ"));
        let mut file = Transcript { steps: Vec::new(), tail: self.file.tail.clone() };
        let (mut lines, mut hidden, mut off) = (Vec::new(), Vec::new(), false);
        for (k, step) in self.file.steps.iter().enumerate() {
            let mut step = step.clone();
            let hides = self.told.contains(&k) && self.swept.contains(&k) && !drawn(&step);
            if hides {
                hidden.push(self.lines[k]);
            }
            if hides != off && (hides || drawn(&step)) {
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
        let mut all = Vec::new();
        for (k, (drawn, step)) in drawn.iter().zip(&self.file.steps).enumerate() {
            let before = player.backward();
            let output = player.play(&drawn.filled.join("\n"), false)?;
            let mut ran = match self.judged(k, drawn, step, output, &*player) {
                Ok(ran) => ran,
                Err(why) => return Ok(Err((k, why))),
            };
            let swept = player
                .backward()
                .filter(|now| before.as_ref().is_none_or(|before| !Rc::ptr_eq(before, now)));
            ran.swept = swept.is_some();
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
        step: &Step,
        output: Vec<String>,
        player: &dyn Player,
    ) -> Result<Ran, String> {
        let now = lines(&output, player.exact().as_deref(), false);
        if self.moves[k] {
            if let Some(error) = failure(&step.output, &output) {
                return Err(error);
            }
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
        let open = match drawn.hides {
            // The rest of what comes out may say what is asked for.
            true => shown(&step.output, &output).ok_or_else(unfit)?,
            false => kept(&step.output, &output, player).ok_or_else(unfit)?,
        };
        let found = answer::answers(&open, &now).unwrap_or_default();
        let asked = found.iter().filter(|answer| answer.open > 0);
        let each: Vec<Vec<f64>> = asked
            .map(|answer| answer.numbers.iter().map(|(_, right)| right.value).collect())
            .collect();
        let answers = each.concat();
        if let Some(usual) = self.usual.get(k).filter(|_| self.moves[k])
            && let Some(why) = misses(usual, &answers)
        {
            return Err(why.to_owned());
        }
        Ok(Ran { output, open, answers, rights: each, swept: false })
    }
}
