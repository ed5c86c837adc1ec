//! What a selection of elements is: another shape, a transpose, whole rows, one element of each row.

use vjp_tensor::ElementMap;

/// The last two dimensions exchanged.
pub fn is_swap(w: &ElementMap) -> bool {
    let rank = w.from.len();
    if rank < 2 {
        return false;
    }
    let mut order: Vec<usize> = (0..rank).collect();
    order.swap(rank - 2, rank - 1);
    is_permutation(w, &order)
}

/// Whether dimension d of the result is dimension `order[d]` of the source.
fn is_permutation(w: &ElementMap, order: &[usize]) -> bool {
    let to: Vec<usize> = order.iter().map(|d| w.from[*d]).collect();
    let strides = strides(&w.from);
    let own: Vec<usize> = order.iter().map(|d| strides[*d]).collect();
    w.to == to && places(&w.to).zip(w.index.iter()).all(|(at, p)| dot(&at, &own) == *p)
}

/// The last two of the dimensions exchanged, where all others are of size 1.
pub fn turned(w: &ElementMap) -> Option<[usize; 2]> {
    let bare = |shape: &[usize]| shape.iter().copied().filter(|d| *d != 1).collect::<Vec<_>>();
    let (from, to) = (bare(&w.from), bare(&w.to));
    let [m, n] = from[..] else { return None };
    let turns = |(k, p): (usize, &usize)| *p == k % m * n + k / m;
    (to == [n, m] && w.index.iter().enumerate().all(turns)).then_some([m, n])
}

/// The diagonal of a square matrix.
pub fn is_diagonal(w: &ElementMap) -> bool {
    let n = w.to.iter().product::<usize>();
    w.from == [n, n] && n > 1 && w.index.iter().enumerate().all(|(k, p)| *p == k * n + k)
}

fn dot(a: &[usize], b: &[usize]) -> usize {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn strides(shape: &[usize]) -> Vec<usize> {
    let mut all = vec![1; shape.len()];
    for d in (0..shape.len().saturating_sub(1)).rev() {
        all[d] = all[d + 1] * shape[d + 1];
    }
    all
}

/// The index of each element in turn.
fn places(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<'_> {
    let strides = strides(shape);
    (0..shape.iter().product())
        .map(move |k| strides.iter().zip(shape).map(|(s, n)| k / s % n).collect())
}

/// The shape in which the source broadcasts to the result, where each element is only copied.
pub fn copies(w: &ElementMap) -> Option<Vec<usize>> {
    let n: usize = w.from.iter().product();
    if n < 2 || w.index.len() <= n {
        return None;
    }
    let inner = w.index.iter().position(|p| *p != 0).filter(|inner| *inner > 0)?;
    if w.index.iter().enumerate().any(|(k, p)| *p != k / inner % n) {
        return None;
    }
    let rank = w.to.len();
    let size = |from: usize, to: usize| w.to[from..to].iter().product::<usize>();
    let end = (0..=rank).rev().find(|e| size(*e, rank) == inner)?;
    let start = (0..=end).rev().find(|s| size(*s, end) == n)?;
    let mut shape = w.to[start..end].to_vec();
    shape.resize(rank - start, 1);
    Some(shape)
}

/// The map that picks back, where each element is picked once, whatever is beside them.
pub fn inverse(w: &ElementMap) -> Option<ElementMap> {
    let n: usize = w.from.iter().product();
    if n > w.index.len() {
        return None;
    }
    let mut back = vec![ElementMap::NONE; n];
    for (k, p) in w.index.iter().enumerate().filter(|(_, p)| **p != ElementMap::NONE) {
        let slot = back.get_mut(*p).filter(|slot| **slot == ElementMap::NONE)?;
        *slot = k;
    }
    if back.contains(&ElementMap::NONE) {
        return None;
    }
    Some(ElementMap { from: w.to.clone(), to: w.from.clone(), index: back.into() })
}

/// What a selection picks.
#[derive(Clone, Debug, PartialEq)]
pub enum Picks {
    /// Dimension d of the result is this dimension of the source.
    Order(Vec<usize>),
    /// For each dimension of the source its indices: all, one (the dimension goes), or some.
    Along(Vec<Along>),
    /// Rows of the source's first dimension, in the shape of the result's first dimensions.
    Rows(Vec<usize>),
    /// Of each place, the element of this number along dimension 1 (of a vector: 0).
    Each(Vec<usize>),
    /// Some of the elements where they are.
    Mask(Vec<bool>),
    /// Others.
    Elements,
}

/// Indices along one dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum Along {
    All,
    One(usize),
    /// Start, stop, step.
    Range(usize, usize, usize),
    Some(Vec<usize>),
}

/// Names what a selection picks.
pub fn picks(w: &ElementMap) -> Picks {
    if w.from == w.to && w.index.iter().enumerate().all(|(k, p)| *p == k || *p == ElementMap::NONE)
    {
        return Picks::Mask(w.index.iter().map(|p| *p != ElementMap::NONE).collect());
    }
    if w.index.contains(&ElementMap::NONE) || w.index.is_empty() {
        return Picks::Elements;
    }
    let whole = |all: &[Along]| all.iter().all(|a| *a == Along::All);
    // Rows in any order.
    let along = || match along(w)? {
        Picks::Along(all) => Some(match all.as_slice() {
            [Along::Some(rows), rest @ ..] if whole(rest) && w.from.len() > 1 => {
                Picks::Rows(rows.clone())
            }
            _ => Picks::Along(all),
        }),
        found => Some(found),
    };
    order(w).or_else(along).or_else(|| rows(w)).or_else(|| each(w)).unwrap_or(Picks::Elements)
}

fn order(w: &ElementMap) -> Option<Picks> {
    let rank = w.from.len();
    if w.to.len() != rank || rank > 5 {
        return None;
    }
    // By the distance of neighbours in each dimension.
    let (own, strides) = (strides(&w.to), strides(&w.from));
    let mut order = Vec::new();
    for (size, stride) in w.to.iter().zip(&own) {
        let step = match size {
            1 => None,
            _ => Some(w.index[*stride].checked_sub(w.index[0])?),
        };
        let free = |k: &usize| !order.contains(k) && w.from[*k] == *size;
        let found = (0..rank).filter(free).find(|k| step.is_none_or(|s| s == strides[*k]))?;
        order.push(found);
    }
    is_permutation(w, &order).then_some(Picks::Order(order))
}

fn along(w: &ElementMap) -> Option<Picks> {
    let from = strides(&w.from);
    let at =
        |p: usize| -> Vec<usize> { from.iter().zip(&w.from).map(|(s, n)| p / s % n).collect() };
    let own = strides(&w.to);
    // Dimensions that go are those without a counterpart, found from the left.
    let gone = w.from.len().checked_sub(w.to.len())?;
    if gone > 1 {
        return None;
    }
    let candidates: Vec<Option<usize>> = match gone {
        0 => vec![None],
        _ => (0..w.from.len()).map(Some).collect(),
    };
    for skip in candidates {
        let kept: Vec<usize> = (0..w.from.len()).filter(|d| Some(*d) != skip).collect();
        let first = at(w.index[0]);
        let lists: Vec<Vec<usize>> = kept
            .iter()
            .enumerate()
            .map(|(d, source)| (0..w.to[d]).map(|i| at(w.index[i * own[d]])[*source]).collect())
            .collect();
        let whole = |index: Vec<usize>| -> usize {
            let mut all = first.clone();
            for (d, source) in kept.iter().enumerate() {
                all[*source] = lists[d][index[d]];
            }
            dot(&all, &from)
        };
        if places(&w.to).zip(w.index.iter()).all(|(index, p)| whole(index) == *p) {
            let mut all = vec![Along::All; w.from.len()];
            for (list, source) in lists.into_iter().zip(&kept) {
                all[*source] = named(list, w.from[*source]);
            }
            if let Some(skip) = skip {
                all[skip] = Along::One(first[skip]);
            }
            return Some(Picks::Along(all));
        }
    }
    None
}

fn named(list: Vec<usize>, n: usize) -> Along {
    if list.iter().enumerate().all(|(k, i)| k == *i) && list.len() == n {
        return Along::All;
    }
    let step = match list.as_slice() {
        [a, b, ..] if b > a => b - a,
        [_] => 1,
        _ => return Along::Some(list),
    };
    match list.windows(2).all(|w| w[1] > w[0] && w[1] - w[0] == step) {
        true => Along::Range(list[0], list[list.len() - 1] + 1, step),
        false => Along::Some(list),
    }
}

fn rows(w: &ElementMap) -> Option<Picks> {
    let width: usize = w.from.get(1..)?.iter().product();
    let tail = w.to.len().checked_sub(w.from.len() - 1)?;
    if w.to[tail..] != w.from[1..] || width == 0 {
        return None;
    }
    let all = w.index.chunks(width).map(|row| {
        let whole =
            row[0].is_multiple_of(width) && row.iter().enumerate().all(|(k, p)| *p == row[0] + k);
        whole.then_some(row[0] / width)
    });
    Some(Picks::Rows(all.collect::<Option<Vec<usize>>>()?))
}

fn each(w: &ElementMap) -> Option<Picks> {
    let d = usize::from(w.from.len() > 1);
    let mut rest = w.from.clone();
    let n = (d < rest.len()).then(|| rest.remove(d))?;
    let count: usize = rest.iter().product();
    if w.to.iter().product::<usize>() != count {
        return None;
    }
    let inner: usize = rest[d..].iter().product();
    let list: Vec<usize> = w.index.iter().map(|p| p / inner % n).collect();
    let place = |k: usize, c: usize| (k / inner * n + c) * inner + k % inner;
    let same = list.iter().enumerate().all(|(k, c)| place(k, *c) == w.index[k]);
    same.then_some(Picks::Each(list))
}
