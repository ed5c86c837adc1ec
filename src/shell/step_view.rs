//! `:step` on a terminal: a whole screen for each turn of a pass, and single keys.

use crate::keys::{self, Raw, Stroke};
use crate::{Shell, screen};
use std::collections::HashSet;
use std::io;
use std::time::Duration;
use vjp_eval::record::stepped::Stepped;
use vjp_report::answers::step::{self, Shown};
use vjp_report::terminal::line::fold;
use vjp_report::{Line, Painted, Role, Style, terminal};
use vjp_session::marking::turns::{Asked, Mark, questions};
use vjp_session::presenting::fit::fewer;

/// How soon a new size of the terminal is seen.
const GLANCE: Duration = Duration::from_millis(200);

/// A lower picture of the graph says nothing.
const LOWEST: usize = 3;

/// What is said of a turn has room for so many lines, whatever the picture wants.
const USUAL: usize = 7;

/// Heading, keys, and the empty lines beside them and the picture.
const BESIDE: usize = 5;

/// An answer has so many characters at most.
const LONGEST: usize = 60;

/// Goes through a pass, from a turn on, until the person leaves.
pub fn show(shell: &mut Shell, event: &Stepped, begin: usize) -> io::Result<()> {
    let raw = Raw::begin()?;
    // A screen of its own: what stood there comes back.
    shell.view.screen.control("\x1b[?1049h");
    let mut view = View {
        shell,
        event,
        at: begin,
        asks: false,
        typed: String::new(),
        open: Vec::new(),
        told: Vec::new(),
        answered: HashSet::new(),
        notice: None,
    };
    let ended = view.lead();
    shell.view.screen.control("\x1b[?1049l");
    shell.view.screen.flush();
    drop(raw);
    ended
}

struct View<'a> {
    shell: &'a mut Shell,
    event: &'a Stepped,
    at: usize,
    /// Each turn is asked about before it is shown.
    asks: bool,
    /// An answer or a number, as far as it is typed.
    typed: String,
    /// Questions about this turn, the next one last.
    open: Vec<Asked>,
    /// What became of the others.
    told: Vec<Line>,
    /// Turns that were shown whole.
    answered: HashSet<usize>,
    /// Said on the line of the keys until the next one.
    notice: Option<String>,
}

impl View<'_> {
    /// Follows the keys until the end.
    fn lead(&mut self) -> io::Result<()> {
        loop {
            let size = screen::size();
            self.draw(size);
            while !keys::pending(Some(GLANCE))? {
                let now = screen::size();
                if now != size {
                    self.draw(now);
                    break;
                }
            }
            if !keys::pending(Some(Duration::ZERO))? {
                continue;
            }
            self.notice = None;
            let last = self.event.count().saturating_sub(1);
            match keys::stroke()? {
                Stroke::Stop => return Ok(()),
                Stroke::On => self.go(self.at + 1),
                Stroke::Back => self.go(self.at.saturating_sub(1)),
                Stroke::Home => self.go(0),
                Stroke::End => self.go(last),
                Stroke::Escape => self.typed.clear(),
                Stroke::Erase if self.typed.is_empty() => self.go(self.at.saturating_sub(1)),
                Stroke::Erase => drop(self.typed.pop()),
                Stroke::Enter => self.enter(),
                Stroke::Sign(sign) if self.takes(sign) => self.typed.push(sign),
                Stroke::Sign('q') if self.typed.is_empty() => return Ok(()),
                Stroke::Sign('p') if self.typed.is_empty() => self.ask(!self.asks),
                Stroke::Sign('n' | ' ') if self.typed.is_empty() => self.go(self.at + 1),
                Stroke::Sign('b') if self.typed.is_empty() => self.go(self.at.saturating_sub(1)),
                Stroke::Sign(_) | Stroke::Other => {}
            }
        }
    }

    /// Whether a sign belongs to what is typed: the number of a turn, or an answer.
    fn takes(&self, sign: char) -> bool {
        let begins = match self.open.is_empty() {
            true => return sign.is_ascii_digit() && self.typed.len() < 6,
            false => sign.is_ascii_digit() || "+-.[(".contains(sign),
        };
        begins || !self.typed.is_empty() && self.typed.len() < LONGEST
    }

    fn go(&mut self, to: usize) {
        let last = self.event.count().saturating_sub(1);
        if to > last {
            self.notice = Some("that was the last step; q leaves".to_owned());
            return;
        }
        if to != self.at {
            self.at = to;
            self.ask(self.asks);
        }
    }

    /// Asks about the turn that stands here, or no more.
    fn ask(&mut self, asks: bool) {
        self.asks = asks;
        self.typed.clear();
        self.told.clear();
        self.open.clear();
        if asks && !self.answered.contains(&self.at) {
            self.open = questions(self.event, self.at);
            self.open.reverse();
        }
    }

    /// Enter ends an answer or a number; alone it shows the answer, or goes on.
    fn enter(&mut self) {
        let typed = std::mem::take(&mut self.typed);
        if let Some(asked) = self.open.last() {
            let style = self.style(screen::size());
            let mut line = Line::new();
            let mark = asked.mark(&typed);
            if let (Mark::Wrong(why), false) = (&mark, typed.is_empty()) {
                line.plain("   ").push(Role::Differs, "✗").plain(format!(" {typed}"));
                if let Some(why) = why {
                    line.plain(format!("   {}", why.says));
                }
                self.told.extend(fold(&line, style.frame(), 5));
                return;
            }
            match typed.is_empty() {
                true => line.plain("     "),
                false => line.plain("   ").push(Role::Agrees, "✓").plain(" "),
            };
            line.push(Role::User, asked.says.as_str()).plain(" ");
            line.push(Role::Cotangent, asked.right(&style));
            self.told.push(line);
            self.open.pop();
            if self.open.is_empty() {
                self.answered.insert(self.at);
            }
            return;
        }
        let count = self.event.count();
        match typed.parse::<usize>() {
            Ok(number) if (1..=count).contains(&number) => self.go(number - 1),
            Ok(_) => self.notice = Some(format!("the steps are 1 to {count}")),
            Err(_) => self.go(self.at + 1),
        }
    }

    fn style(&self, (rows, columns): (usize, usize)) -> Style {
        // The last column stays free: some terminals break the line there.
        Style { width: columns.saturating_sub(1), height: rows, ..self.shell.view.style().clone() }
    }

    /// How much of this turn may be seen.
    fn shown(&self) -> Shown {
        match self.open.last() {
            None => Shown::All,
            Some(asked) if asked.asks_sum => Shown::Nothing,
            Some(_) => Shown::Received,
        }
    }

    /// What happens at a turn, or what is asked about it.
    fn says(&self, k: usize, style: &Style) -> Vec<Line> {
        let shown = if k == self.at { self.shown() } else { Shown::All };
        let mut all = step::part(self.event, k, shown, style);
        if k == 0 && shown == Shown::All {
            all.splice(0..0, step::opening(self.event, style).into_iter().chain([Line::new()]));
        }
        all
    }

    fn draw(&mut self, size: (usize, usize)) {
        let style = self.style(size);
        let (rows, columns) = size;
        let asking = self.open.last();
        let mut says = self.says(self.at, &style);
        says.extend(self.told.iter().cloned());
        if let Some(asked) = asking {
            let mut line = Line::new();
            line.plain("   ").push(Role::Hint, asked.text.as_str());
            line.plain(format!("  {}", self.typed)).plain(if style.ascii { "_" } else { "▌" });
            says.push(line);
        }
        // The picture has the same room at every turn but for one that says more.
        let usual = (1..self.event.count()).map(|k| self.says(k, &style).len()).max().unwrap_or(0);
        let usual = usual.clamp(USUAL, USUAL.max(rows / 2)).max(says.len());
        let room = rows.saturating_sub(BESIDE + usual);
        let mut lines = vec![step::heading(self.event, self.at), Line::new()];
        if room >= LOWEST {
            lines.extend(step::picture(self.event, self.at, self.shown(), &style, room));
            lines.push(Line::new());
        }
        lines.extend(says);
        lines.truncate(rows.saturating_sub(2));
        let mut page: Vec<Painted> = terminal::text(&lines, &style).lines().collect();
        page.resize(rows.saturating_sub(1).max(page.len()), Painted::new());
        let keys = fewer(&format!("   {}", self.keys()), columns.saturating_sub(1));
        let keys = Line::of(Role::Plain, keys);
        page.extend(terminal::text(&[keys], &style).lines());
        self.shell.view.screen.page(&page);
    }

    fn keys(&self) -> String {
        if let Some(notice) = &self.notice {
            return notice.clone();
        }
        match (self.open.is_empty(), self.typed.is_empty()) {
            (false, true) => "Enter shows it · ← → step · p stop asking · q leave".to_owned(),
            (false, false) => "Enter answer · Esc clear".to_owned(),
            (true, false) => format!("go to step {}   Enter · Esc", self.typed),
            (true, true) => {
                let ask = if self.asks { "p stop asking" } else { "p ask me" };
                format!("← → step · Home End · number, Enter go to · {ask} · q leave")
            }
        }
    }
}
