//! When a class sees a panel that `:panel off` held back: after the last question that it answers, and
//! below its own input.

use super::staged::{Staged, direct};
use super::step::MARGIN;
use crate::marking::waiting::{GRADIENTS, Names, State, states};
use crate::replay::{Role, play_step};
use crate::transcript::prompted;
use crate::{Player, Step};
use std::collections::HashSet;
use std::io;
use std::rc::Rc;
use vjp_eval::Backward;

/// A panel that is shown after an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The input that made the backward.
    of: usize,
    /// Other inputs stand between: its own stands above the panel again.
    late: bool,
}

/// The panels of a session.
#[derive(Default)]
pub(crate) struct Panels {
    /// What is shown after each input.
    plan: Vec<Vec<Shown>>,
    /// The backward of each input, as it ran last.
    swept: Vec<Option<Rc<Backward>>>,
}

impl Panels {
    /// Runs the session once, where it asks something, to see which inputs make a backward.
    pub fn of(session: &Staged, player: &mut dyn Player) -> io::Result<Panels> {
        let steps = &session.transcript.steps;
        let mut panels =
            Panels { plan: vec![Vec::new(); steps.len()], swept: vec![None; steps.len()] };
        if !steps.iter().any(|step| step.asks_below()) {
            return Ok(panels);
        }
        player.restart();
        let mut leaves = vec![None; steps.len()];
        for (at, (step, state)) in steps.iter().zip(states(steps)).enumerate() {
            let before = player.backward();
            let played = direct(&session.directions[at], player)
                .and_then(|()| play_step(step, state, player, false));
            match played {
                // What was stopped is asked about one by one.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => break,
                played => drop(played?),
            }
            let made = made(before.as_ref(), player.backward());
            leaves[at] = made.map(|b| b.leaves.iter().map(|leaf| leaf.name.clone()).collect());
        }
        panels.plan = plan(steps, &leaves);
        Ok(panels)
    }

    /// Whether an input made a backward when it ran last.
    pub fn made(&self, at: usize) -> bool {
        self.swept.get(at).is_some_and(Option::is_some)
    }

    /// Remembers the backward of an input that ran again; `before`: the last one before it.
    pub fn seen(&mut self, at: usize, before: Option<&Rc<Backward>>, player: &dyn Player) {
        self.swept[at] = made(before, player.backward());
    }

    /// Shows the panels whose turn it is after an input; `before`: the last backward before it.
    pub fn after(
        &mut self,
        steps: &[Step],
        at: usize,
        before: Option<&Rc<Backward>>,
        player: &mut dyn Player,
    ) -> io::Result<()> {
        self.seen(at, before, player);
        for shown in self.plan[at].clone() {
            let Some(backward) = self.swept[shown.of].clone() else { continue };
            if shown.late && player.holds(&backward) {
                player.line("", Role::Frame)?;
                for line in prompted(&steps[shown.of].input) {
                    player.line(&format!("{MARGIN}{line}"), Role::Input)?;
                }
            }
            player.reveal(&backward)?;
        }
        Ok(())
    }
}

/// The backward that came last, where it is another than before.
fn made(before: Option<&Rc<Backward>>, now: Option<Rc<Backward>>) -> Option<Rc<Backward>> {
    now.filter(|now| !before.is_some_and(|before| Rc::ptr_eq(before, now)))
}

/// Which panels are shown after each input; `leaves`: of the backward that an input makes.
fn plan(steps: &[Step], leaves: &[Option<HashSet<String>>]) -> Vec<Vec<Shown>> {
    let mut names = Names::default();
    let behind: Vec<HashSet<String>> = steps
        .iter()
        .map(|step| {
            names.take(&step.input);
            names.behind(&step.input)
        })
        .collect();
    let asks = |at: usize| steps[at].asks_below();
    let mut plan = vec![Vec::new(); steps.len()];
    for (of, own) in leaves.iter().enumerate() {
        let Some(own) = own else { continue };
        let mut last = asks(of).then_some(of);
        for at in of + 1..steps.len() {
            let shared = |l: &HashSet<String>| l.iter().any(|name| own.contains(name));
            if leaves[at].as_ref().is_some_and(shared) {
                break;
            }
            let about = own.iter().any(|name| behind[at].contains(name))
                && GRADIENTS.iter().any(|word| behind[at].contains(*word));
            if asks(at) && about {
                last = Some(at);
            }
        }
        if let Some(last) = last {
            let late = (of + 1..=last).any(|at| !asks(at) || leaves[at].is_some());
            plan[last].push(Shown { of, late });
        }
    }
    plan
}

/// Whether an input runs now.
pub(crate) fn runs(steps: &[Step], at: usize) -> bool {
    states(&steps[..=at]).last() == Some(&State::Runs)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Transcript;

    /// After which input each backward is shown, and whether late.
    fn shown(sheet: &str, leaves: &[&str]) -> Vec<(usize, usize, bool)> {
        let steps = Transcript::parse(sheet).unwrap().steps;
        let leaves: Vec<_> = leaves
            .iter()
            .map(|l| (!l.is_empty()).then(|| l.split(' ').map(str::to_owned).collect()))
            .collect();
        let all = plan(&steps, &leaves).into_iter().enumerate();
        all.flat_map(|(at, shown)| shown.into_iter().map(move |s| (s.of, at, s.late))).collect()
    }

    #[test]
    fn a_panel_waits_for_the_last_blank_that_it_answers() {
        let sheet = "vjp> x = 1; w = 2; y = x*w; y.backward()\nvjp> x.grad\n____\nvjp> w.grad\n____\n\
                     vjp> y.backward(); x.grad\n____\nvjp> 1\n1\n";
        assert_eq!(shown(sheet, &["x w", "", "", "x w", ""]), [(0, 2, false), (3, 3, false)]);
        let other = "vjp> a = 2; b = 5; y = a*b; y.backward(); a.grad\n____\n\
                     vjp> u = 3; q = u^2; q.backward(); u.grad\n____\nvjp> b.grad\n____\n";
        assert_eq!(shown(other, &["a b", "u", ""]), [(1, 1, false), (0, 2, true)]);
        let far = "vjp> w = 1; z = w^2; z.backward(); w.grad\n____\nvjp> 5*3\n____\n";
        assert_eq!(shown(far, &["w", ""]), [(0, 0, false)]);
    }
}
