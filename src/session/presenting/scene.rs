//! How a scene of `--step` is laid out: header, what was before, narration, input, output, keys.

use super::fit::{cut, fewer, wrapped};
use super::presenter::{Presenter, Scene};
use super::step::{self, KEYS, MARGIN, asks};
use crate::replay::Role;
use crate::transcript::prompted;
use std::io;
use vjp_report::Painted;
use vjp_report::terminal::line;

impl Presenter<'_> {
    /// Draws the scene; `written`: so many characters of the input are typed.
    pub(crate) fn draw(&mut self, written: Option<usize>) -> io::Result<()> {
        let (rows, columns) = self.stage.size();
        let pages = self.pages(written);
        let mut lines = vec![self.header(columns), Painted::new()];
        lines.extend(pages[self.page.min(pages.len() - 1)].iter().cloned());
        lines.resize(rows.saturating_sub(1).max(lines.len()), Painted::new());
        let keys = self.notice.clone().unwrap_or_else(|| self.keys(pages.len()));
        let room = columns.saturating_sub(1);
        let cut = cut(&fewer(&format!("{MARGIN}{keys}"), room), room);
        lines.push(self.stage.painted(&cut, Role::Frame));
        self.stage.draw(&lines)
    }

    fn header(&self, columns: usize) -> Painted {
        let total = self.transcript.steps.len();
        let title = step::title(&self.transcript);
        let place = match self.scene {
            Scene::End => format!(" end   {title}"),
            _ => format!(" {} of {total}   {title}", self.at + 1),
        };
        // The file's name ends at the right edge, where the title leaves room for it.
        let gap = columns.saturating_sub(line::width(&place) + line::width(self.name) + 1);
        let whole = match gap {
            0 | 1 if line::width(&place) > columns => cut(&place, columns - 1) + "…",
            0 | 1 => cut(&place, columns),
            _ => cut(&format!("{place}{:gap$}{}", "", self.name), columns),
        };
        self.stage.painted(&whole, Role::Frame)
    }

    fn keys(&self, pages: usize) -> String {
        let enter = match &self.scene {
            _ if self.page + 1 < pages => {
                format!("Enter more ({} of {pages})", self.page + 1)
            }
            Scene::Before => step::enter(&self.transcript.steps, self.at).into(),
            Scene::Interrupted(_) => "Enter run again".into(),
            Scene::Tried(..) => return "Enter return · : try more · q leave".into(),
            Scene::After if self.at + 1 < self.transcript.steps.len() => "Enter next".into(),
            Scene::After if !self.transcript.tail.is_empty() => "Enter next".into(),
            Scene::After | Scene::End => "Enter leave".into(),
        };
        match self.has_steps() {
            true => format!("{enter} · s steps · {KEYS}"),
            false => format!("{enter} · {KEYS}"),
        }
    }

    /// The scene in pieces as high as the screen.
    pub(crate) fn pages(&self, written: Option<usize>) -> Vec<Vec<Painted>> {
        let (rows, columns) = self.stage.size();
        // Header and keys, a blank line at each.
        let room = rows.saturating_sub(4).max(3);
        let (mut prose, mut rest): (Vec<String>, Vec<Painted>) = (Vec::new(), Vec::new());
        match &self.scene {
            Scene::End => {
                let tail = self.transcript.tail.iter().filter(|l| !l.is_empty());
                let room = columns.saturating_sub(MARGIN.len());
                prose = step::paragraphs(tail.map(String::as_str), room);
            }
            Scene::Tried(lines, _) => rest.clone_from(lines),
            _ => {
                let room = columns.saturating_sub(MARGIN.len());
                prose = step::narration(&self.transcript, self.at, room);
                rest = self.input(written);
            }
        }
        match &self.scene {
            Scene::After => rest.extend(self.output(self.at)),
            Scene::Interrupted(lines) => rest.extend(lines.iter().cloned()),
            // The place of what is not typed yet is kept free.
            Scene::Before if written.is_some() => {
                let step = self.step();
                let below = if asks(step) { step.output.len() } else { 0 };
                rest.resize(step.input.len() + below, Painted::new());
            }
            Scene::Before if asks(self.step()) => {
                rest.extend(self.step().output.iter().map(|l| Painted::plain(l)));
            }
            _ => {}
        }
        let prose = prose.iter().map(|l| self.stage.painted(l, Role::Narration)).collect();
        let (prose, rest) = (set(prose, columns), set(rest, columns));
        let gap = usize::from(!prose.is_empty() && !rest.is_empty());
        if prose.len() + gap + rest.len() <= room {
            let mut page = self.context(room - prose.len() - gap - rest.len(), columns);
            page.extend(prose);
            page.extend(vec![Painted::new(); gap]);
            page.extend(rest);
            return vec![page];
        }
        // What was read already may go, so that the output stands together.
        let whole = match self.scene {
            Scene::After | Scene::Interrupted(_) => rest,
            _ => [prose, vec![Painted::new(); gap], rest].concat(),
        };
        whole.chunks(room).map(<[Painted]>::to_vec).collect()
    }

    /// The input with its prompts, as far as it is typed.
    fn input(&self, written: Option<usize>) -> Vec<Painted> {
        let mut left = written.unwrap_or(usize::MAX);
        let mut lines = Vec::new();
        for line in &self.step().input {
            let length = line.chars().count();
            lines.push(line.chars().take(left).collect::<String>());
            if left <= length && written.is_some() {
                break;
            }
            left -= length.min(left);
        }
        let waits = matches!(self.scene, Scene::Before | Scene::Interrupted(_));
        self.typed_lines(&lines, waits)
    }

    /// Input lines with their prompts; `waits`: the cursor stands after the last one.
    pub(crate) fn typed_lines(&self, input: &[String], waits: bool) -> Vec<Painted> {
        let count = input.len();
        prompted(input)
            .enumerate()
            .map(|(n, line)| match waits && n + 1 == count {
                true => self.stage.painted(&line, Role::Waiting),
                false => self.stage.painted(&line, Role::Input),
            })
            .collect()
    }

    fn output(&self, at: usize) -> impl Iterator<Item = Painted> + '_ {
        self.shown.get(at).into_iter().flatten().cloned()
    }

    /// The inputs before, with what they showed, as many as there is room for whole.
    fn context(&self, room: usize, columns: usize) -> Vec<Painted> {
        let mut above: Vec<Painted> = Vec::new();
        if matches!(self.scene, Scene::Tried(..) | Scene::End) {
            return above;
        }
        for at in (0..self.at).rev() {
            let input = prompted(&self.transcript.steps[at].input);
            let input = input.map(|l| self.stage.painted(&l, Role::Input));
            let mut piece = set(input.chain(self.output(at)).collect(), columns);
            piece.push(Painted::new());
            if piece.len() + above.len() > room {
                break;
            }
            piece.append(&mut above);
            above = piece;
        }
        above
    }
}

/// Lines with their margin, the long ones in pieces.
fn set(lines: Vec<Painted>, columns: usize) -> Vec<Painted> {
    let room = columns.saturating_sub(MARGIN.len()).max(1);
    let pieces = lines.iter().flat_map(|line| wrapped(line, room));
    let whole = |line: Painted| match line.is_empty() {
        true => line,
        false => {
            let mut whole = Painted::plain(MARGIN);
            whole.append(&line);
            whole
        }
    };
    pieces.map(whole).collect()
}
