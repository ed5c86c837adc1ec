//! `--step` on a terminal: a calm screen for each input, forwards and back; nothing scrolls away.

use super::replay::{Player, Role, show_step};
use super::step::{Key, reveals};
use super::transcript::{Step, Transcript};
use std::io;
use vjp_report::Painted;

/// A player with its own screen and keyboard.
pub trait Stage: Player {
    /// Rows and columns, as they are now.
    fn size(&self) -> (usize, usize);

    /// A line in its colours.
    fn painted(&self, line: &str, role: Role) -> Painted;

    /// Runs an input and keeps what it shows. After a blank, `reveal`: also a panel held back.
    ///
    /// # Errors
    /// Of the screen.
    fn perform(&mut self, input: &str, reveal: bool) -> io::Result<Performed>;

    /// Draws the whole screen.
    ///
    /// # Errors
    /// Of the screen.
    fn draw(&mut self, lines: &[Painted]) -> io::Result<()>;

    /// Waits for what the person wants.
    ///
    /// # Errors
    /// Of the keyboard.
    fn wish(&mut self) -> io::Result<Wish>;

    /// Says that something runs, on the line of the keys.
    ///
    /// # Errors
    /// Of the screen.
    fn busy(&mut self) -> io::Result<()>;

    /// Lets the time of one typed character pass; false if the line should be completed now.
    ///
    /// # Errors
    /// Of the keyboard.
    fn pause(&mut self) -> io::Result<bool>;

    /// Empties the screen for what scrolls, or leaves it as it is for the shell.
    ///
    /// # Errors
    /// Of the screen.
    fn leave(&mut self, clear: bool) -> io::Result<()>;
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
    /// The terminal has another size.
    Resized,
    Nothing,
}

/// What the screen shows of the input `at`.
pub(super) enum Scene {
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

pub(super) struct Presenter<'a> {
    pub(super) transcript: &'a Transcript,
    pub(super) name: &'a str,
    pub(super) stage: &'a mut dyn Stage,
    pub(super) at: usize,
    pub(super) scene: Scene,
    pub(super) page: usize,
    /// What each input showed, up to where the state is.
    pub(super) shown: Vec<Vec<Painted>>,
    /// Inputs are typed out.
    typed: bool,
}

/// Lets a person lead a class through the session called `name`; `typed`: inputs are typed out.
///
/// # Errors
/// Of the screen or the keyboard.
pub fn present(
    transcript: &Transcript,
    name: &str,
    stage: &mut dyn Stage,
    typed: bool,
) -> io::Result<()> {
    if transcript.steps.is_empty() {
        return Ok(());
    }
    stage.restart();
    let mut presenter = Presenter {
        transcript,
        name,
        stage,
        at: 0,
        scene: Scene::Before,
        page: 0,
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
            match self.stage.wish()? {
                Wish::Resized | Wish::Nothing => {}
                Wish::Key(Key::Quit) => return self.stage.leave(false),
                Wish::Key(Key::Rest) => return self.rest(),
                Wish::Key(Key::Back) => self.back()?,
                Wish::Key(Key::Go(number)) => {
                    self.go(number.clamp(1, self.transcript.steps.len()) - 1)?;
                    self.scene = Scene::Before;
                }
                Wish::Key(Key::Try(input)) => self.attempt(&input)?,
                Wish::Key(Key::Next) => {
                    if !self.next()? {
                        return self.stage.leave(false);
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

    pub(super) fn step(&self) -> &Step {
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

    fn run(&mut self) -> io::Result<()> {
        let (text, reveal) = (self.step().text(), reveals(&self.transcript.steps, self.at));
        self.stage.busy()?;
        let done = self.stage.perform(&text, reveal)?;
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
        for (k, step) in self.transcript.steps[..at].iter().enumerate() {
            match self.stage.play(&step.text(), false) {
                // What stood on the screen keeps its colours.
                Ok(_) if k < shown.len() => {}
                Ok(lines) => shown.push(lines.iter().map(|l| Painted::plain(l)).collect()),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {
                    self.at = k;
                    break;
                }
                Err(e) => return Err(e),
            }
        }
        shown.truncate(self.at);
        self.shown = shown;
        Ok(())
    }

    fn attempt(&mut self, input: &str) -> io::Result<()> {
        let done = self.stage.perform(input, false)?;
        let typed: Vec<String> = input.lines().map(str::to_owned).collect();
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

    /// Leaves the calm screen: the rest is shown as it comes.
    fn rest(&mut self) -> io::Result<()> {
        if let Scene::Tried(_, from) = std::mem::replace(&mut self.scene, Scene::Before) {
            self.come_back(*from)?;
        }
        let done = match self.scene {
            Scene::After | Scene::End => self.at + 1,
            _ => self.at,
        };
        self.stage.leave(true)?;
        for step in &self.transcript.steps[done..] {
            show_step(step, self.stage)?;
        }
        let mut tail = self.transcript.tail.iter();
        tail.try_for_each(|line| self.stage.line(line, Role::Narration))
    }
}
