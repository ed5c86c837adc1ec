//! Questions about a turn of `:step`: what it receives, what each input gets, what a leaf's `.grad` is then;
//! with the numbers that the usual mistakes at one operation lead to.

use super::answer;
use super::diagnosis::{self, Question};
use super::mistakes;
use super::numbers::{Line, Written};
use super::question::{Guess, guess};
use super::why::Why;
use std::collections::HashSet;
use vjp_eval::record::questions::{Local, Share, Step, Sum};
use vjp_eval::record::stepped::{Stepped, Turn};
use vjp_maths::Array;
use vjp_report::{Style, echo};
use vjp_tensor::Tensor;

/// Longer answers are not asked for.
const LONGEST: usize = 12;

/// Columns of what stands before a tensor on the screen.
const ROOM: usize = 20;

/// A question with its answer.
pub struct Asked {
    /// `what does a get?`
    pub text: String,
    /// What the answer follows: `a gets`.
    pub says: String,
    /// It asks for the sum of what an operation receives.
    pub asks_sum: bool,
    right: Tensor,
    guesses: Vec<Guess>,
}

/// What an answer is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    Right,
    /// And why, where that is known.
    Wrong(Option<Why>),
}

/// The questions about a turn, in the order of what happens there.
pub fn questions(event: &Stepped, k: usize) -> Vec<Asked> {
    let mut all = match event.turns.get(k) {
        Some(Turn::Backward(back)) => backward(&back.step),
        Some(Turn::Forward(ahead)) => {
            let name = &ahead.place.name;
            vec![asked(format!("what is {name}?"), format!("{name} ="), &ahead.place.value)]
        }
        None => event.sums.iter().filter_map(leaf).collect(),
    };
    // What the screen shortens cannot be worked out from it.
    let style = Style::canonical();
    let shown = |t: &Tensor| {
        let text = echo::on_one_line(t, style.frame().saturating_sub(ROOM), &style);
        t.numel() <= LONGEST && text.is_some_and(|text| !text.contains('…'))
    };
    let given = match event.turns.get(k) {
        Some(Turn::Backward(back)) => back.step.received.iter().all(shown),
        _ => true,
    };
    all.retain(|asked| given && asked.right.numel() <= LONGEST);
    for asked in &mut all {
        asked.guesses.extend(mistakes::of_any(asked.right.data(), asked.right.shape()));
    }
    all
}

fn asked(text: String, says: String, right: &Tensor) -> Asked {
    Asked { text, says, asks_sum: false, right: right.clone(), guesses: Vec::new() }
}

fn backward(step: &Step) -> Vec<Asked> {
    let name = &step.place.name;
    let Some((first, rest)) = step.received.split_first() else {
        return Vec::new();
    };
    let cotangent = rest.iter().fold(first.clone(), |sum, part| sum.add(part));
    let mut all = Vec::new();
    if !rest.is_empty() {
        let mut one =
            asked(format!("what does {name} receive?"), format!("{name} receives"), &cotangent);
        one.asks_sum = true;
        one.guesses = parts(&step.received, &format!("of what {name} receives"));
        all.push(one);
    }
    for (k, share) in step.shares.iter().enumerate() {
        all.push(handed(step, k, share, &cotangent));
    }
    all
}

/// What an input gets.
fn handed(step: &Step, k: usize, share: &Share, cotangent: &Tensor) -> Asked {
    let (name, to) = (&step.place.name, &share.to);
    let uses = || step.shares.iter().filter(|other| other.to == *to);
    let text = match uses().count() {
        1 => format!("what does {to} get?"),
        n => {
            let use_ = step.shares[..k].iter().filter(|other| other.to == *to).count() + 1;
            format!("what does {to} get for use {use_} of {n}?")
        }
    };
    let mut one = asked(text, format!("{to} gets"), &share.given);
    let local = match &share.local {
        Local::Slopes { .. } => "slope",
        Local::Matrix(_) | Local::Words(..) => "Jacobian",
    };
    let received = format!("what {name} receives; multiply it by the {local} of {name} for {to}");
    one.guesses.push(guess(cotangent.data().to_vec(), received));
    if let Local::Slopes { slopes, .. } = &share.local {
        let says = format!("the slope of {name} for {to}; multiply it by what {name} receives");
        one.guesses.push(guess(slopes.data().to_vec(), says));
        let part = step.received.iter().filter(|part| part.numel() == slopes.numel());
        for part in part.filter(|_| step.received.len() > 1) {
            let times = part.data().iter().zip(slopes.data()).map(|(a, b)| a * b).collect();
            let says =
                format!("one part of what {name} receives, times the slope; add the parts first");
            one.guesses.push(guess(times, says));
        }
    }
    let others = step.shares.iter().filter(|other| other.to != *to);
    for other in others {
        let says = format!("what {} gets", other.to);
        one.guesses.push(guess(other.given.data().to_vec(), says));
    }
    one
}

/// What `.grad` is after the sweep, where something must be added for it.
fn leaf(sum: &Sum) -> Option<Asked> {
    let adds = sum.parts.len() > 1 || sum.before.is_some();
    if !adds || !sum.agrees {
        return None;
    }
    let name = format!("{}.grad", sum.leaf);
    let right = sum.before.as_ref().map_or(sum.added.clone(), |before| before.add(&sum.added));
    let mut one = asked(format!("what is {name} then?"), format!("{name} ="), &right);
    one.guesses = parts(&sum.parts, &format!("of what {} receives", sum.leaf));
    if let Some(before) = &sum.before {
        let says =
            format!("what {} receives now; {name} held a gradient already, and they add", sum.leaf);
        one.guesses.push(guess(sum.added.data().to_vec(), says));
        one.guesses.push(guess(before.data().to_vec(), format!("{name} before this backward")));
    }
    Some(one)
}

/// Each of several parts taken for the whole.
fn parts(parts: &[Tensor], of: &str) -> Vec<Guess> {
    let many = parts.len();
    let says = || format!("one of {many} parts {of}; the parts add");
    let several = parts.iter().filter(|_| many > 1);
    several.map(|part| guess(part.data().to_vec(), says())).collect()
}

impl Asked {
    /// The answer as it is shown.
    pub fn right(&self, style: &Style) -> String {
        echo::list(&self.right, style)
    }

    /// Marks an answer as a blank is marked.
    pub fn mark(&self, given: &str) -> Mark {
        let numbers = self.right.data().iter().map(|x| Written::known(*x)).collect();
        let right = Line::new(self.right(&Style::canonical()), numbers);
        let found = answer::answers(&[given.to_owned()], &[right]).unwrap_or_default();
        let Some(answer) = found.into_iter().next() else {
            return Mark::Wrong(None);
        };
        if answer.holds && answer.open == 0 {
            return Mark::Right;
        }
        let behind = HashSet::new();
        let (numbers, right) = (&answer.numbers, answer.right.as_str());
        let question = Question { text: &self.text, given, numbers, right, behind: &behind };
        Mark::Wrong(answer.unread.or_else(|| diagnosis::among(&question, &self.guesses)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vjp_eval::record::questions::Place;

    fn product() -> Step {
        let number = |x: f64| Tensor::scalar(x);
        let share = |to: &str, slope: f64| Share {
            to: to.to_owned(),
            turn: 0,
            local: Local::Slopes { slopes: number(slope), formula: None, one: true },
            given: number(-2.0 * slope),
        };
        Step {
            number: 1,
            place: Place { name: "e".into(), value: number(-6.0) },
            text: "a*b".into(),
            received: vec![number(-3.0), number(1.0)],
            shares: vec![share("a", -3.0), share("b", 2.0)],
        }
    }

    #[test]
    fn each_wrong_answer_has_its_own_reason() {
        let all = backward(&product());
        let texts: Vec<&str> = all.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["what does e receive?", "what does a get?", "what does b get?"]);
        let why = |k: usize, given: &str| match all[k].mark(given) {
            Mark::Right => "right".to_owned(),
            Mark::Wrong(why) => why.map(|why| why.says).unwrap_or_default(),
        };
        assert_eq!(why(0, "-2"), "right");
        assert_eq!(why(0, "1"), "1 is one of 2 parts of what e receives; the parts add");
        assert_eq!([why(1, "6"), why(1, "-2*-3")], ["right", "right"]);
        assert_eq!(why(1, "-3"), "-3 is the slope of e for a; multiply it by what e receives");
        assert_eq!(why(1, "-2"), "-2 is what e receives; multiply it by the slope of e for a");
        assert_eq!(why(1, "-4"), "-4 is what b gets");
        assert_eq!(why(1, "17"), "");
    }
}
