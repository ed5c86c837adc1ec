//! Long arrays that are zero in nearly all places, as a Jacobian written out is. Clearing memory is
//! most of the work of making one; so when one is dropped, what was written is cleared again and the
//! memory kept for the next.

use super::budget;
use super::complaint::Outcome;
use std::cell::RefCell;

/// Shorter arrays are cleared as fast as found again.
const FROM: usize = 16 << 10;

/// Longer ones are given back.
const MOST: usize = 8 << 20;

/// So many are kept.
const COUNT: usize = 2;

thread_local! {
    /// Nothing but zeros.
    static CLEAR: RefCell<Vec<Vec<f64>>> = const { RefCell::new(Vec::new()) };
}

/// Places at equal distances.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub start: usize,
    pub step: usize,
    pub count: usize,
}

/// An array and where it was written; None: perhaps anywhere.
#[derive(Clone, Debug)]
pub struct Scattered {
    data: Vec<f64>,
    runs: Option<Vec<Run>>,
}

impl Scattered {
    /// Zeros.
    pub fn zeros(count: usize) -> Outcome<Scattered> {
        let kept = CLEAR.with_borrow_mut(|all| {
            let at = all.iter().position(|data| data.len() == count)?;
            Some(all.swap_remove(at))
        });
        let data = match kept {
            Some(data) => data,
            None => {
                budget::reserve(count.saturating_mul(8))?;
                vec![0.0; count]
            }
        };
        Ok(Scattered { data, runs: Some(Vec::new()) })
    }

    /// The numbers at these places, to be written.
    pub fn at(&mut self, run: Run) -> impl Iterator<Item = &mut f64> {
        if let Some(runs) = &mut self.runs {
            runs.push(run);
        }
        let from = self.data.get_mut(run.start..).unwrap_or(&mut []);
        from.iter_mut().step_by(run.step.max(1)).take(run.count)
    }

    #[inline]
    pub fn data(&self) -> &[f64] {
        &self.data
    }

    /// For writing anywhere.
    pub fn data_mut(&mut self) -> &mut [f64] {
        self.runs = None;
        &mut self.data
    }

    /// The numbers, taken out.
    pub fn into_data(mut self) -> Vec<f64> {
        self.runs = None;
        std::mem::take(&mut self.data)
    }
}

impl Drop for Scattered {
    fn drop(&mut self) {
        let data = std::mem::take(&mut self.data);
        let Some(runs) = self.runs.take() else { return };
        if !(FROM..=MOST).contains(&data.len()) {
            return;
        }
        let mut own = Scattered { data, runs: None };
        for run in runs {
            own.at(run).for_each(|v| *v = 0.0);
        }
        let data = own.into_data();
        // A thread that ends keeps nothing.
        let _ = CLEAR.try_with(|all| {
            let mut all = all.borrow_mut();
            if all.len() == COUNT {
                all.remove(0);
            }
            all.push(data);
        });
    }
}

/// Gives the memory that is kept back. The allocator may ask for it at any moment.
pub fn release() {
    let all = CLEAR.try_with(|all| all.try_borrow_mut().map(|mut all| std::mem::take(&mut *all)));
    drop(all);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_was_written_is_zero_again() {
        let count = 4 * FROM;
        let run = Run { start: 3, step: 7, count: 1000 };
        for _ in 0..3 {
            let mut all = Scattered::zeros(count).unwrap();
            assert!(all.data().iter().all(|v| *v == 0.0));
            all.at(run).for_each(|v| *v = 1.0);
            assert_eq!(all.data().iter().sum::<f64>(), 1000.0);
        }
        let mut all = Scattered::zeros(count).unwrap();
        all.data_mut().fill(2.0);
        drop(all);
        let all = Scattered::zeros(count).unwrap();
        assert!(all.data().iter().all(|v| *v == 0.0));
        release();
    }
}
