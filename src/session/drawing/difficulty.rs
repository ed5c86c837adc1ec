//! How hard the answers of a sheet are: whole numbers stay whole numbers, and of as many digits, one more or
//! less.

/// What an answer looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Whole,
    /// Of a few decimals.
    Short,
    /// 1/3
    Long,
}

/// What the answer to one blank should look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    zero: bool,
    kind: Kind,
    digits: usize,
}

const OTHER: &str = "its answers are easier or harder than usual";

/// Longer decimals are rounded by hand.
const DECIMALS: usize = 3;

impl Level {
    fn of(answer: f64) -> Level {
        let text = format!("{:.*}", DECIMALS, answer.abs());
        let digits =
            text.trim_end_matches('0').trim_end_matches('.').trim_start_matches(['0', '.']);
        let digits = digits.bytes().filter(u8::is_ascii_digit).count().max(1);
        let short = text.parse().is_ok_and(|x: f64| (x - answer.abs()).abs() <= 1e-9 * x.max(1.0));
        let kind = match answer.fract() == 0.0 {
            true => Kind::Whole,
            false if short => Kind::Short,
            false => Kind::Long,
        };
        let whole = format!("{:.0}", answer.abs().trunc()).len();
        Level {
            zero: answer == 0.0,
            kind,
            digits: if kind == Kind::Whole { whole } else { digits },
        }
    }

    /// The level that most of some answers have.
    fn most(answers: &[f64]) -> Option<Level> {
        let all: Vec<Level> = answers.iter().map(|x| Level::of(*x)).collect();
        let zeros = all.iter().filter(|level| level.zero).count();
        let zero = zeros == all.len();
        let rest: Vec<&Level> = all.iter().filter(|level| level.zero == zero).collect();
        let count = |kind: Kind| rest.iter().filter(|level| level.kind == kind).count();
        let kind = [Kind::Long, Kind::Short, Kind::Whole].into_iter().max_by_key(|k| count(*k))?;
        let mut digits: Vec<usize> =
            rest.iter().filter(|level| level.kind == kind).map(|level| level.digits).collect();
        digits.sort_unstable();
        Some(Level { zero, kind, digits: *digits.get(digits.len() / 2)? })
    }

    /// Why an answer is not of this level; None where it is.
    fn misses(self, answer: f64) -> Option<&'static str> {
        let own = Level::of(answer);
        if own.zero && !self.zero {
            return Some("an answer is 0");
        }
        let far = own.kind != Kind::Long && own.digits.abs_diff(self.digits) > 1;
        (own.zero != self.zero || own.kind != self.kind || far).then_some(OTHER)
    }
}

/// The levels of the answers of an input, from those of several sheets.
pub fn levels(sheets: &[Vec<f64>]) -> Vec<Level> {
    let mut sizes: Vec<usize> = sheets.iter().map(Vec::len).collect();
    sizes.sort_unstable();
    let size = sizes.get(sizes.len() / 2).copied().unwrap_or(0);
    let of = |k: usize| {
        let answers: Vec<f64> = sheets.iter().filter_map(|all| all.get(k).copied()).collect();
        Level::most(&answers)
    };
    (0..size).filter_map(of).collect()
}

/// Why answers are harder or easier than usual.
pub fn misses(levels: &[Level], answers: &[f64]) -> Option<&'static str> {
    if levels.len() != answers.len() {
        return Some(OTHER);
    }
    levels.iter().zip(answers).find_map(|(level, answer)| level.misses(*answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_stay_as_hard_as_they_are() {
        let usual = |answers: &[f64]| levels(&answers.iter().map(|x| vec![*x]).collect::<Vec<_>>());
        let fits = |usual: &[Level], answer: f64| misses(usual, &[answer]).is_none();
        let whole = usual(&[12.0, 8.0, 0.0, 20.0, -14.0]);
        for (answer, fit) in
            [(6.0, true), (-100.0, true), (1000.0, false), (0.0, false), (2.5, false)]
        {
            assert_eq!(fits(&whole, answer), fit, "{answer}");
        }
        let zero = usual(&[0.0, 0.0, 0.0]);
        assert!(fits(&zero, 0.0) && !fits(&zero, 3.0));
        let short = usual(&[0.5, 1.25, 2.5, 2.0]);
        assert!(fits(&short, 7.5) && !fits(&short, 3.0) && !fits(&short, 1.0 / 3.0));
        let long = usual(&[1.0 / 3.0, 2.0_f64.sqrt(), 1.0]);
        assert!(fits(&long, 700.0 / 3.0) && !fits(&long, 1.0));
        assert_eq!(misses(&long, &[]), Some(OTHER));
    }
}
