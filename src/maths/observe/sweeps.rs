//! Sweeps have numbers, by which nodes remember what freed them; a sweep that was taken back, by undo or
//! after an error, has freed nothing.

use std::cell::{Cell, RefCell};

thread_local! {
    /// Number of the latest sweep; 1 for those of which only the mark remained.
    static LATEST: Cell<u32> = const { Cell::new(1) };
    /// Ranges of sweeps that were taken back: first and last, in order, apart from each other.
    static UNDONE: RefCell<Vec<(u32, u32)>> = const { RefCell::new(Vec::new()) };
}

/// A moment between sweeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    latest: u32,
    undone: Vec<(u32, u32)>,
}

/// The number of the sweep that begins now.
pub(crate) fn next() -> u32 {
    LATEST.with(|n| {
        n.set(n.get().wrapping_add(1).max(2));
        n.get()
    })
}

/// Whether a sweep has happened before the latest.
pub(crate) fn is_earlier(sweep: u32) -> bool {
    sweep < LATEST.get()
}

/// The present moment, to be returned to.
pub fn now() -> Moment {
    Moment { latest: LATEST.get(), undone: UNDONE.with_borrow(Vec::clone) }
}

/// Takes back every sweep that was not there then.
pub fn return_to(moment: &Moment) {
    let mut undone = moment.undone.clone();
    let latest = LATEST.get();
    if latest > moment.latest {
        let first = moment.latest + 1;
        match undone.last_mut() {
            Some((_, end)) if *end + 1 == first => *end = latest,
            _ => undone.push((first, latest)),
        }
    }
    UNDONE.set(undone);
}

/// Whether a sweep has happened and was not taken back; 0 is none.
pub(crate) fn counts(sweep: u32) -> bool {
    sweep != 0
        && UNDONE.with_borrow(|undone| {
            let after = undone.partition_point(|(first, _)| *first <= sweep);
            after == 0 || undone[after - 1].1 < sweep
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_back_counts_no_more_until_it_is_brought_back() {
        let start = now();
        let first = next();
        let middle = now();
        let second = next();
        assert!(counts(first) && counts(second) && !counts(0));
        let end = now();
        return_to(&middle);
        assert!(counts(first) && !counts(second));
        return_to(&start);
        assert!(!counts(first) && !counts(second));
        let third = next();
        assert!(counts(third) && !counts(first));
        return_to(&end);
        assert!(counts(first) && counts(second) && !counts(third));
    }
}
