//! `--step` on a terminal: a calm screen for each input, forwards and back; nothing scrolls away.

use super::panels::{Panels, runs};
use super::staged::{Staged, direct};
use super::step::{self, Key};
use crate::replay::Role;
use crate::{Player, Step, Transcript};
use std::io;
use vjp_report::Painted;

/// A player with its own screen and keyboard.
pub trait Stage: Player {
    /// Rows and columns, as they are now.
    fn size(&self) -> (usize, usize);

    /// A line in its colours.
    fn painted(&self, line: &str, role: Role) -> Painted;

    /// Runs an input and keeps what it and `after` show.
    fn perform(
        &mut self,
        input: &str,
        after: &mut dyn FnMut(&mut dyn Player) -> io::Result<()>,
    ) -> io::Result<Performed>;

    /// Draws the whole screen.
    fn draw(&mut self, lines: &[Painted]) -> io::Result<()>;

    /// Waits for what the person wants.
    fn wish(&mut self) -> io::Result<Wish>;

    /// Goes through the last backward one operation at a time; says what prevents it.
    fn steps(&mut self) -> io::Result<Option<String>>;

    /// Says that something runs, on the line of the keys.
    fn busy(&mut self) -> io::Result<()>;

    /// Lets the time of one typed character pass; false if the line should be completed now.
    fn pause(&mut self) -> io::Result<bool>;

    /// Leaves the screen as it is, for the shell.
    fn leave(&mut self) -> io::Result<()>;
}

/// What an input showed.
pub struct Performed {
    /// Lines in their colours.
    pub lines: Vec<Painted>,
    /// Ctrl-C: the state is as before it.
    pub interrupted: bool,
}

/// What happens at the keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    Key(Key),
    /// The steps of the backward on the screen.
    Steps,
    /// The terminal has another size.
    Resized,
    Nothing,
}

/// What the screen shows of the input `at`.
pub(crate) enum Scene {
    /// It waits to be run.
    Before,
    /// With what it showed.
    After,
    /// It was interrupted, and waits again.
    Interrupted(Vec<Painted>),
    /// An input of one's own, and where to come back to.
    Tried(Vec<Painted>, Box<Scene>),
    /// The last words.
    End,
}

pub(crate) struct Presenter<'a> {
    /// As it is in the file.
    file: &'a Transcript,
    /// What is carried out before each input.
    directions: &'a [Vec<String>],
    /// With the blanks of inputs as they were filled in.
    pub(crate) transcript: Transcript,
    /// When panels that were held back are shown.
    panels: Panels,
    pub(crate) name: &'a str,
    pub(crate) stage: &'a mut dyn Stage,
    pub(crate) at: usize,
    pub(crate) scene: Scene,
    pub(crate) page: usize,
    /// Said on the line of the keys until the next one.
    pub(crate) notice: Option<String>,
    /// What each input showed, up to where the state is.
    pub(crate) shown: Vec<Vec<Painted>>,
    /// Inputs are typed out.
    typed: bool,
}

/// Lets a person lead a class through the session called `name`; `typed`: inputs are typed out.
pub fn present(
    transcript: &Transcript,
    name: &str,
    stage: &mut dyn Stage,
    typed: bool,
) -> io::Result<()> {
    let staged = Staged::of(transcript);
    if staged.transcript.steps.is_empty() {
        return Ok(());
    }
    let panels = Panels::of(&staged, stage)?;
    let Staged { transcript, directions } = &staged;
    stage.restart();
    let mut presenter = Presenter {
        file: transcript,
        directions,
        transcript: transcript.clone(),
        panels,
        name,
        stage,
        at: 0,
        scene: Scene::Before,
        page: 0,
        notice: None,
        shown: Vec::new(),
        typed,
    };
    presenter.arrive()?;
    presenter.lead()
}

impl Presenter<'_> {
    /// Follows the keys until the end.
    fn lead(&mut self) -> io::Result<()> {
        loop {
            self.page = self.page.min(self.pages(None).len() - 1);
            self.draw(None)?;
            let wish = self.stage.wish()?;
            if matches!(wish, Wish::Key(_) | Wish::Steps) {
                self.notice = None;
            }
            let total = self.transcript.steps.len();
            match wish {
                Wish::Resized | Wish::Nothing => {}
                Wish::Steps if self.has_steps() => self.notice = self.stage.steps()?,
                Wish::Steps => {}
                Wish::Key(Key::Quit) => return self.stage.leave(),
                Wish::Key(Key::Rest) => self.rest()?,
                Wish::Key(Key::Back) => self.back()?,
                Wish::Key(Key::Go(number)) if (1..=total).contains(&number) => {
                    self.go(number - 1)?;
                    self.scene = Scene::Before;
                }
                Wish::Key(Key::Go(_)) => self.notice = Some(step::inputs(total)),
                Wish::Key(Key::Try(input)) => self.attempt(&input)?,
                Wish::Key(Key::Next) => {
                    if !self.next()? {
                        return self.stage.leave();
                    }
                }
            }
        }
    }

    /// One page or one scene on; false at the end.
    fn next(&mut self) -> io::Result<bool> {
        if self.page + 1 < self.pages(None).len() {
            self.page += 1;
            return Ok(true);
        }
        self.page = 0;
        match std::mem::replace(&mut self.scene, Scene::After) {
            Scene::Before | Scene::Interrupted(_) => self.run()?,
            Scene::After if self.at + 1 < self.transcript.steps.len() => {
                self.at += 1;
                self.arrive()?;
            }
            Scene::After if self.transcript.tail.iter().any(|l| !l.is_empty()) => {
                self.scene = Scene::End;
            }
            Scene::After | Scene::End => return Ok(false),
            Scene::Tried(_, from) => self.come_back(*from)?,
        }
        Ok(true)
    }

    /// One page or one scene back, state included.
    fn back(&mut self) -> io::Result<()> {
        if self.page > 0 {
            self.page -= 1;
            return Ok(());
        }
        match std::mem::replace(&mut self.scene, Scene::Before) {
            Scene::Before | Scene::Interrupted(_) if self.at > 0 => {
                self.at -= 1;
                self.scene = Scene::After;
            }
            Scene::Before | Scene::Interrupted(_) => {}
            Scene::After => self.go(self.at)?,
            Scene::End => self.scene = Scene::After,
            Scene::Tried(_, from) => self.come_back(*from)?,
        }
        Ok(())
    }

    /// Whether the input on the screen made a backward.
    pub(crate) fn has_steps(&self) -> bool {
        matches!(self.scene, Scene::After)
            && self.panels.made(self.at)
            && runs(&self.transcript.steps, self.at)
    }

    pub(crate) fn step(&self) -> &Step {
        &self.transcript.steps[self.at]
    }

    /// A new input: shown whole, or typed.
    fn arrive(&mut self) -> io::Result<()> {
        self.scene = Scene::Before;
        self.page = 0;
        if !self.typed || self.pages(None).len() > 1 {
            return Ok(());
        }
        let total: usize = self.step().input.iter().map(|l| l.chars().count()).sum();
        for written in 0..total {
            self.draw(Some(written))?;
            if !self.stage.pause()? {
                break;
            }
        }
        Ok(())
    }

    /// Runs an input; one with blanks shows what the file shows.
    fn perform(&mut self, at: usize) -> io::Result<Performed> {
        direct(&self.directions[at], self.stage)?;
        let step = &self.transcript.steps[at];
        if !runs(&self.transcript.steps, at) {
            let lines = step.output.iter().map(|l| Painted::plain(l)).collect();
            return Ok(Performed { lines, interrupted: false });
        }
        let before = self.stage.backward();
        let (panels, steps) = (&mut self.panels, &self.transcript.steps);
        self.stage
            .perform(&step.text(), &mut |player| panels.after(steps, at, before.as_ref(), player))
    }

    fn run(&mut self) -> io::Result<()> {
        self.stage.busy()?;
        let done = self.perform(self.at)?;
        if done.interrupted {
            self.scene = Scene::Interrupted(done.lines);
            return Ok(());
        }
        self.shown.truncate(self.at);
        self.shown.push(done.lines);
        self.scene = Scene::After;
        Ok(())
    }

    /// The state before an input is what the inputs before it make: nothing else can be wrong.
    /// Where Ctrl-C ends one of them, we stand there.
    fn go(&mut self, at: usize) -> io::Result<()> {
        let mut shown = std::mem::take(&mut self.shown);
        self.stage.busy()?;
        self.stage.restart();
        self.at = at;
        self.page = 0;
        step::reopen(&mut self.transcript, self.file, at);
        for k in 0..at {
            let done = self.perform(k)?;
            if done.interrupted {
                self.at = k;
                break;
            }
            // What stood on the screen stays as it was.
            if k >= shown.len() {
                shown.push(done.lines);
            }
        }
        shown.truncate(self.at);
        self.shown = shown;
        Ok(())
    }

    fn attempt(&mut self, input: &str) -> io::Result<()> {
        let typed: Vec<String> = input.lines().map(str::to_owned).collect();
        if matches!(self.scene, Scene::Before)
            && step::fill(&mut self.transcript.steps[self.at], typed.clone())
        {
            self.page = 0;
            return self.run();
        }
        direct(&self.directions[self.at], self.stage)?;
        let done = self.stage.perform(input, &mut |_| Ok(()))?;
        let mut lines = self.typed_lines(&typed, false);
        lines.extend(done.lines);
        self.page = 0;
        let before = std::mem::replace(&mut self.scene, Scene::End);
        self.scene = match before {
            Scene::Tried(mut earlier, from) => {
                earlier.push(Painted::new());
                earlier.extend(lines);
                Scene::Tried(earlier, from)
            }
            from => Scene::Tried(lines, Box::new(from)),
        };
        // The newest stands at the end.
        self.page = self.pages(None).len() - 1;
        Ok(())
    }

    /// What was tried is forgotten.
    fn come_back(&mut self, from: Scene) -> io::Result<()> {
        let (at, behind) = (self.at, matches!(from, Scene::After | Scene::End));
        self.go(at + usize::from(behind))?;
        // Where nothing came between, the place is the same.
        if self.at == at + usize::from(behind) {
            self.at = at;
            self.scene = from;
        } else {
            self.scene = Scene::Before;
        }
        Ok(())
    }

    /// Runs the rest; what it showed is there to go back to.
    fn rest(&mut self) -> io::Result<()> {
        if let Scene::Tried(_, from) = std::mem::replace(&mut self.scene, Scene::Before) {
            self.come_back(*from)?;
        }
        self.page = 0;
        loop {
            match self.scene {
                Scene::Before | Scene::Interrupted(_) => self.run()?,
                Scene::After if self.at + 1 < self.transcript.steps.len() => {
                    self.at += 1;
                    self.scene = Scene::Before;
                    continue;
                }
                _ => return Ok(()),
            }
            if matches!(self.scene, Scene::Interrupted(_)) {
                return Ok(());
            }
        }
    }
}
