//! `--step` on a terminal: a [`Stage`] of a shell, a whole screen and single keys.

use crate::keys::{self, Pressed, Raw};
use crate::prompt::repl;
use crate::{Ended, Shell, commands, screen};
use std::io;
use std::rc::Rc;
use std::time::Duration;
use vjp_eval::Backward;
use vjp_eval::record::questions::Equations;
use vjp_report::Painted;
use vjp_session::Player;
use vjp_session::marking::diagnosis::{Diagnosis, Question};
use vjp_session::presenting::presenter::{Performed, Stage, Wish};
use vjp_session::presenting::step::{Key, MARGIN};
use vjp_session::replay::Role;

/// How soon a new size of the terminal is seen.
const GLANCE: Duration = Duration::from_millis(200);

/// A shell before a class.
pub struct Podium<'a> {
    shell: &'a mut Shell,
    /// Time of a typed character.
    pace: Duration,
    raw: Option<Raw>,
    /// Of the screen as it was drawn.
    size: (usize, usize),
}

impl Podium<'_> {
    /// # Errors
    /// The terminal cannot be used.
    pub fn new(shell: &mut Shell, speed: Option<f64>) -> io::Result<Podium<'_>> {
        Ok(Podium {
            shell,
            pace: speed.map_or(Duration::ZERO, pace),
            raw: Some(Raw::begin()?),
            size: screen::size(),
        })
    }

    /// The keyboard while something runs; the modes before come back first.
    fn running(&mut self) -> io::Result<()> {
        self.raw = None;
        self.raw = Some(Raw::running()?);
        Ok(())
    }

    /// An input of one's own, typed on the last line with the prompt's own editing.
    fn attempt(&mut self) -> io::Result<Wish> {
        self.raw = None;
        self.shell.view.screen.control("\r\x1b[K");
        self.shell.view.screen.flush();
        let typed = repl::once(self.shell);
        self.raw = Some(Raw::begin()?);
        Ok(typed?.map_or(Wish::Nothing, |text| Wish::Key(Key::Try(text))))
    }
}

/// Time of one character.
pub fn pace(speed: f64) -> Duration {
    Duration::try_from_secs_f64(1.0 / speed).unwrap_or(Duration::MAX)
}

impl Stage for Podium<'_> {
    fn size(&self) -> (usize, usize) {
        screen::size()
    }

    fn painted(&self, line: &str, role: Role) -> Painted {
        self.shell.painted(line, role)
    }

    fn perform(
        &mut self,
        input: &str,
        after: &mut dyn FnMut(&mut dyn Player) -> io::Result<()>,
    ) -> io::Result<Performed> {
        self.running()?;
        let columns = screen::size().1.saturating_sub(MARGIN.len());
        let view = &mut self.shell.view;
        view.restyle(|style| style.width = columns);
        view.muted = false;
        view.screen.hold();
        let (ended, _) = self.shell.input(input);
        let revealed = after(&mut *self.shell);
        let lines = self.shell.view.screen.release();
        self.raw = None;
        self.raw = Some(Raw::begin()?);
        revealed?;
        Ok(Performed { lines, interrupted: ended == Ended::Interrupted })
    }

    fn draw(&mut self, lines: &[Painted]) -> io::Result<()> {
        self.size = screen::size();
        self.shell.view.screen.page(lines);
        Ok(())
    }

    fn wish(&mut self) -> io::Result<Wish> {
        // The modes before come back first.
        self.raw = None;
        self.raw = Some(Raw::begin()?);
        while !keys::pending(Some(GLANCE))? {
            if screen::size() != self.size {
                return Ok(Wish::Resized);
            }
        }
        Ok(match keys::press()? {
            Pressed::Next => Wish::Key(Key::Next),
            Pressed::Back => Wish::Key(Key::Back),
            Pressed::Rest => Wish::Key(Key::Rest),
            Pressed::Quit => Wish::Key(Key::Quit),
            Pressed::Steps => Wish::Steps,
            Pressed::Other => Wish::Nothing,
            Pressed::Go => keys::number()?.map_or(Wish::Nothing, Wish::Key),
            Pressed::Try => self.attempt()?,
        })
    }

    fn steps(&mut self) -> io::Result<Option<String>> {
        self.raw = None;
        let shown = commands::step::enter(self.shell);
        self.raw = Some(Raw::begin()?);
        shown
    }

    fn busy(&mut self) -> io::Result<()> {
        // What is said of Ctrl-C holds from now on: it is a signal again.
        self.running()?;
        self.shell.view.screen.control("\r\x1b[K   running; Ctrl-C stops it");
        self.shell.view.screen.flush();
        Ok(())
    }

    fn pause(&mut self) -> io::Result<bool> {
        keys::pause(self.pace)
    }

    fn leave(&mut self) -> io::Result<()> {
        self.raw = None;
        self.shell.view.screen.control("\r\n");
        self.shell.view.screen.flush();
        Ok(())
    }
}

impl Player for Podium<'_> {
    fn restart(&mut self) {
        self.shell.restart();
    }

    fn play(&mut self, input: &str, shown: bool) -> io::Result<Vec<String>> {
        self.running()?;
        let played = self.shell.play(input, shown);
        self.raw = None;
        self.raw = Some(Raw::begin()?);
        played
    }

    fn holds(&self, backward: &Rc<Backward>) -> bool {
        self.shell.holds(backward)
    }

    fn reveal(&mut self, backward: &Rc<Backward>) -> io::Result<()> {
        self.shell.reveal(backward)
    }

    fn backward(&self) -> Option<Rc<Backward>> {
        self.shell.backward()
    }

    fn equations(&self) -> Option<Rc<Equations>> {
        self.shell.equations()
    }

    fn diagnose(&mut self, question: &Question<'_>) -> Option<Diagnosis> {
        self.shell.diagnose(question)
    }

    fn line(&mut self, line: &str, role: Role) -> io::Result<()> {
        self.shell.line(line, role)
    }
}
