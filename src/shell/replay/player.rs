//! A shell as what plays a session file: each input runs here, each line is shown in its colours.

use super::marking;
use crate::keys::{self, Raw};
use crate::prompt::highlight;
use crate::screen::{Origin, Screen};
use crate::shell::Setting;
use crate::view::{Face, ascii};
use crate::{Ended, Shell};
use std::io::{self, IsTerminal};
use std::rc::Rc;
use std::time::Duration;
use vjp_eval::Backward;
use vjp_eval::leaf::existing;
use vjp_eval::leaf::naming::Places;
use vjp_eval::record::questions::Equations;
use vjp_jacobian::walk::value as in_symbols;
use vjp_maths::Expr;
use vjp_maths::symbol::formula;
use vjp_report::panel::build::Which;
use vjp_report::{Painted, Stream};
use vjp_session::Player;
use vjp_session::marking::diagnosis::{Diagnosis, Question};
use vjp_session::marking::formulas::formula::Computed;
use vjp_session::replay::Role;
use vjp_session::transcript::{CONTINUATION, Ending, PROMPT};
use vjp_tensor::clock;
use vjp_text::Symbol;

impl Player for Shell {
    fn restart(&mut self) {
        self.forget();
        self.setting = Setting::Replayed;
        self.view.screen.origin = Origin::Session;
    }

    fn play(&mut self, input: &str, shown: bool) -> io::Result<Vec<String>> {
        self.view.muted = !shown;
        self.view.equations = None;
        self.view.unread = false;
        let (ended, output) = self.input(input);
        if shown {
            self.view.screen.fresh_line();
        }
        match ended {
            Ended::Interrupted => Err(io::ErrorKind::Interrupted.into()),
            _ => Ok(output),
        }
    }

    fn backward(&self) -> Option<Rc<Backward>> {
        self.view.backward(Which::Last(1), &self.machine.past.told)
    }

    fn equations(&self) -> Option<Rc<Equations>> {
        self.view.equations.clone()
    }

    fn unread(&self) -> bool {
        self.view.unread
    }

    fn computed(&self, name: &str) -> Option<Computed> {
        let value = existing(&self.machine.global(Symbol::new(name))?)?;
        let places = Places::of(&self.machine);
        let symbols = in_symbols(&value, &|x| Some(places.leaf(x)?.in_formula()))?;
        let written = |e: &Expr| formula::write(e, formula::Style::Pretty);
        let entries = symbols.data.iter().map(written).collect::<Option<_>>()?;
        Some(Computed { shape: symbols.shape, entries })
    }

    fn diagnose(&mut self, question: &Question<'_>) -> Option<Diagnosis> {
        marking::diagnose(self, question)
    }

    fn holds(&self, backward: &Rc<Backward>) -> bool {
        self.view.holds(backward)
    }

    fn reveal(&mut self, backward: &Rc<Backward>) -> io::Result<()> {
        self.view.reveal(backward);
        Ok(())
    }

    fn ending(&self) -> Ending {
        self.view.ending
    }

    fn exact(&self) -> Option<Vec<String>> {
        self.view.exact().map(<[String]>::to_vec)
    }

    fn line(&mut self, line: &str, role: Role) -> io::Result<()> {
        if self.view.face != Face::Json {
            let mut text = self.painted(line, role);
            match (self.pace, role) {
                (Some(pace), Role::Input | Role::Waiting) => {
                    typed_out(&mut self.view.screen, &text, pace)?;
                }
                _ => self.view.screen.paint(Stream::Out, text.push("\n")),
            }
        }
        Ok(())
    }
}

impl Shell {
    /// A line of a replay in its colours, with the cursor where it waits.
    pub(crate) fn painted(&self, line: &str, role: Role) -> Painted {
        let style = self.view.style();
        if role == Role::Frame && style.ascii {
            return Painted::plain(&ascii(line));
        }
        let mut painted = highlight::line(line, role, style.color);
        if role == Role::Waiting {
            painted.push(if style.ascii { "_" } else { "▌" });
        }
        painted
    }
}

/// Types a line out as by a person: first the prompt, then one character after another; any key, Ctrl-C
/// too, finishes the line.
fn typed_out(screen: &mut Screen, line: &Painted, pace: Duration) -> io::Result<()> {
    // Without a terminal nobody presses a key: standard input belongs to others.
    let raw = io::stdin().is_terminal().then(Raw::begin).transpose()?;
    let text = line.as_str();
    let prompt =
        [PROMPT, CONTINUATION].iter().find_map(|p| Some(text.find(p)? + p.len())).unwrap_or(0);
    let (start, mut rest) = line.split_at(prompt);
    screen.paint(Stream::Out, &start);
    while let Some(length) = first(rest.as_str()) {
        let (sign, after) = rest.split_at(length);
        screen.paint(Stream::Out, &sign);
        screen.flush();
        rest = after;
        let go_on = match raw {
            Some(_) => keys::pause(pace)?,
            None => {
                clock::wait(pace);
                true
            }
        };
        if !go_on {
            break;
        }
    }
    screen.paint(Stream::Out, rest.push("\n"));
    Ok(())
}

/// Bytes of the first character, with the colours before it.
fn first(text: &str) -> Option<usize> {
    let mut at = 0;
    while text[at..].starts_with('\x1b') {
        at += text[at..].find('m').map_or(text.len() - at, |m| m + 1);
    }
    let sign = text[at..].chars().next()?;
    Some(at + sign.len_utf8())
}
