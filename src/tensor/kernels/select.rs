//! Sorting and selecting as the C++ standard library does it (GNU's), step by step: PyTorch calls it, and which of equal
//! elements comes first follows from the steps.

use super::super::budget;
use super::super::complaint::Outcome;

/// Up to so many are inserted one by one.
const FEW: usize = 16;

/// Places in an order that `less` decides.
struct Order<'a, F: Fn(usize, usize) -> bool> {
    at: &'a mut [usize],
    less: F,
}

/// `std::sort` of the places 0..n.
pub fn sort(n: usize, less: impl Fn(usize, usize) -> bool) -> Outcome<Vec<usize>> {
    let mut at = budget::listed(n, |k| k)?;
    Order { at: &mut at, less }.sort(0, n)?;
    Ok(at)
}

/// The places 0..n, the k-th in order at k, what is less before it: `std::nth_element`.
pub fn nth(n: usize, k: usize, less: impl Fn(usize, usize) -> bool) -> Outcome<Vec<usize>> {
    let mut at = budget::listed(n, |k| k)?;
    Order { at: &mut at, less }.nth(k)?;
    Ok(at)
}

/// The places of the `low`-th and the `high`-th in order, `low ≤ high`, as `quantile` finds them.
pub fn both(
    n: usize,
    (low, high): (usize, usize),
    less: impl Fn(usize, usize) -> bool,
) -> Outcome<(usize, usize)> {
    let mut at = budget::listed(n, |k| k)?;
    Order { at: &mut at, less: &less }.nth(high)?;
    let upper = at[high];
    if low < high {
        Order { at: &mut at[..high], less: &less }.nth(low)?;
    }
    Ok((at[low], upper))
}

/// The first `k` of the places 0..n in order, as `topk` finds them; the others follow anyhow.
pub fn top(n: usize, k: usize, less: impl Fn(usize, usize) -> bool) -> Outcome<Vec<usize>> {
    let mut at = budget::listed(n, |k| k)?;
    let mut order = Order { at: &mut at, less };
    if k == 0 {
        return Ok(at);
    }
    if k.saturating_mul(64) <= n {
        order.heap_select(0, k, n)?;
        order.sort_heap(0, k);
    } else {
        order.nth(k - 1)?;
        order.sort(0, k - 1)?;
    }
    Ok(at)
}

/// The places 0..n with the k-th in order at k, as `kthvalue` finds it: by halves, around a median of three.
pub fn quick(n: usize, k: usize, greater: impl Fn(usize, usize) -> bool) -> Outcome<Vec<usize>> {
    let mut at = budget::listed(n, |k| k)?;
    let (mut left, mut right) = (0, n.saturating_sub(1));
    while right > left {
        budget::tick()?;
        let order = |at: &mut [usize], a: usize, b: usize| {
            if greater(at[a], at[b]) {
                at.swap(a, b);
            }
        };
        if right == left + 1 {
            order(&mut at, left, right);
            break;
        }
        at.swap(left + (right - left) / 2, left + 1);
        order(&mut at, left + 1, right);
        order(&mut at, left, right);
        order(&mut at, left + 1, left);
        let (mut i, mut j, pivot) = (left + 1, right, at[left]);
        loop {
            i += 1;
            while greater(pivot, at[i]) {
                i += 1;
            }
            j -= 1;
            while greater(at[j], pivot) {
                j -= 1;
            }
            if j < i {
                break;
            }
            at.swap(i, j);
        }
        at.swap(left, j);
        if j <= k {
            left = i;
        }
        if j >= k {
            right = j.saturating_sub(1);
        }
    }
    Ok(at)
}

impl<F: Fn(usize, usize) -> bool> Order<'_, F> {
    /// Whether the element at place `a` comes before that at `b`.
    fn before(&self, a: usize, b: usize) -> bool {
        (self.less)(self.at[a], self.at[b])
    }

    fn sort(&mut self, first: usize, last: usize) -> Outcome<()> {
        if last - first < 2 {
            return Ok(());
        }
        self.introsort(first, last, 2 * (last - first).ilog2())?;
        let few = last.min(first + FEW);
        self.insertion_sort(first, few);
        (few..last).for_each(|k| self.insert(k));
        Ok(())
    }

    fn introsort(&mut self, first: usize, mut last: usize, mut depth: u32) -> Outcome<()> {
        while last - first > FEW {
            budget::tick()?;
            if depth == 0 {
                self.heap_select(first, last, last)?;
                self.sort_heap(first, last);
                return Ok(());
            }
            depth -= 1;
            let cut = self.partition(first, last);
            self.introsort(cut, last, depth)?;
            last = cut;
        }
        Ok(())
    }

    fn nth(&mut self, nth: usize) -> Outcome<()> {
        let (mut first, mut last) = (0, self.at.len());
        if nth >= last {
            return Ok(());
        }
        let mut depth = 2 * last.ilog2();
        while last - first > 3 {
            budget::tick()?;
            if depth == 0 {
                self.heap_select(first, nth + 1, last)?;
                self.at.swap(first, nth);
                return Ok(());
            }
            depth -= 1;
            let cut = self.partition(first, last);
            if cut <= nth {
                first = cut;
            } else {
                last = cut;
            }
        }
        self.insertion_sort(first, last);
        Ok(())
    }

    /// Around the median of three; where the second part begins.
    fn partition(&mut self, first: usize, last: usize) -> usize {
        let (a, b, c) = (first + 1, first + (last - first) / 2, last - 1);
        let median = match (self.before(a, b), self.before(b, c), self.before(a, c)) {
            (true, true, _) | (false, false, false) => b,
            (true, false, true) | (false, true, false) => c,
            (true, false, false) | (false, _, true) => a,
        };
        self.at.swap(first, median);
        let (mut low, mut high) = (first + 1, last);
        loop {
            while low + 1 < last && self.before(low, first) {
                low += 1;
            }
            high -= 1;
            while high > first && self.before(first, high) {
                high -= 1;
            }
            if low >= high {
                return low;
            }
            self.at.swap(low, high);
            low += 1;
        }
    }

    fn insertion_sort(&mut self, first: usize, last: usize) {
        for k in first + 1..last {
            if self.before(k, first) {
                self.at[first..=k].rotate_right(1);
            } else {
                self.insert(k);
            }
        }
    }

    /// Moves the element at `k` down to where it belongs; one before it is not greater.
    fn insert(&mut self, mut k: usize) {
        let own = self.at[k];
        while k > 0 && (self.less)(own, self.at[k - 1]) {
            self.at[k] = self.at[k - 1];
            k -= 1;
        }
        self.at[k] = own;
    }

    /// The least of `first..last` as a heap in `first..middle`.
    fn heap_select(&mut self, first: usize, middle: usize, last: usize) -> Outcome<()> {
        let n = middle - first;
        for parent in (0..n / 2).rev() {
            let own = self.at[first + parent];
            self.sift(first, parent, n, own);
        }
        for k in middle..last {
            budget::tick()?;
            if self.before(k, first) {
                self.pop(first, middle, k);
            }
        }
        Ok(())
    }

    fn sort_heap(&mut self, first: usize, last: usize) {
        for end in (first + 1..last).rev() {
            self.pop(first, end, end);
        }
    }

    /// The top of the heap goes to `to`, what was there into the heap.
    fn pop(&mut self, first: usize, last: usize, to: usize) {
        let own = self.at[to];
        self.at[to] = self.at[first];
        self.sift(first, 0, last - first, own);
    }

    fn sift(&mut self, first: usize, top: usize, n: usize, own: usize) {
        let (mut hole, mut child) = (top, top);
        while child < n.saturating_sub(1) / 2 {
            child = 2 * (child + 1);
            if self.before(first + child, first + child - 1) {
                child -= 1;
            }
            self.at[first + hole] = self.at[first + child];
            hole = child;
        }
        if n.is_multiple_of(2) && n > 1 && child == (n - 2) / 2 {
            child = 2 * child + 1;
            self.at[first + hole] = self.at[first + child];
            hole = child;
        }
        while hole > top && (self.less)(self.at[first + (hole - 1) / 2], own) {
            self.at[first + hole] = self.at[first + (hole - 1) / 2];
            hole = (hole - 1) / 2;
        }
        self.at[first + hole] = own;
    }
}
