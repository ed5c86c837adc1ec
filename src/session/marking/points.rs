//! Partial credit: each number of an answer counts on its own.

use super::answer::{Answer, is_bare};
use super::numbers::{Token, pieces};
use crate::compare::{Grade, Mark};

/// How many numbers an answer has, as the program gives it; what is no list of numbers counts as one.
fn size(answer: &Answer) -> usize {
    let shown = || {
        let bare = is_bare(std::slice::from_ref(&answer.right));
        let all = pieces(&answer.right);
        let count = all.iter().filter(|p| matches!(p.token, Token::Number(_))).count();
        if bare { count } else { 1 }
    };
    match answer.numbers.len() {
        0 => shown().max(1),
        count => count,
    }
}

/// Whether both answer the same blanks of a question.
fn same(asked: &Answer, given: &Answer) -> bool {
    let rights = |answer: &Answer| -> Vec<f64> {
        answer.numbers.iter().map(|(_, right)| right.value).collect()
    };
    asked.name == given.name
        && (asked.right == given.right
            || !given.numbers.is_empty() && rights(asked) == rights(given))
}

/// How each number of an answer went.
fn graded(answer: &Answer, size: usize) -> Vec<Grade> {
    if answer.numbers.len() != size {
        return vec![if answer.holds { Grade::Open } else { Grade::Wrong }; size];
    }
    let one = |(given, right): &(Option<_>, _)| match given {
        None => Grade::Open,
        Some(given) if super::numbers::Written::answers(*given, *right) => Grade::Right,
        Some(_) => Grade::Wrong,
    };
    answer.numbers.iter().map(one).collect()
}

impl Mark {
    /// How each number that is asked for went.
    pub fn blanks(&self) -> Vec<Grade> {
        let mut all: Vec<Vec<Grade>> =
            self.asked.iter().map(|asked| vec![Grade::Right; size(asked)]).collect();
        let whole = match self.answers.as_slice() {
            _ if self.changed => Some(Grade::Changed),
            // The input itself is not filled in, or waits for another.
            [one] if one.answer.open > 0 && one.answer.numbers.is_empty() => Some(Grade::Open),
            _ => None,
        };
        if let Some(grade) = whole {
            return vec![grade; self.asked_for(all).len()];
        }
        let mut at = 0;
        for marked in &self.answers {
            let answer = &marked.answer;
            if answer.holds && answer.open == 0 || all.is_empty() {
                continue;
            }
            let place = (at..all.len()).find(|k| same(&self.asked[*k], answer));
            let place = place.unwrap_or(at.min(all.len() - 1));
            all[place] = graded(answer, all[place].len());
            at = place + 1;
        }
        self.asked_for(all)
    }

    /// Of the grades of all numbers, those of what the sheet left blank.
    fn asked_for(&self, all: Vec<Vec<Grade>>) -> Vec<Grade> {
        let of = |(grades, asked): (Vec<Grade>, &Answer)| -> Vec<Grade> {
            let shown = |k: usize| asked.numbers.get(k).is_some_and(|(number, _)| number.is_some());
            let kept = grades.into_iter().enumerate();
            kept.filter(|(k, _)| !(self.by_sheet && shown(*k))).map(|(_, grade)| grade).collect()
        };
        all.into_iter().zip(&self.asked).flat_map(of).collect()
    }

    /// How many of its numbers are right, and how many it has.
    pub fn points(&self) -> (usize, usize) {
        let all = self.blanks();
        (all.iter().filter(|grade| **grade == Grade::Right).count(), all.len())
    }
}
