//! The shapes that a reader takes what is written to have, and what is put in where these would say
//! something else than the formula: `v 1ᵀ − 1 vᵀ`, and not `v − v`.

use super::{Board, Hold, Text, bare};
use crate::matrix::fold::stripped;
use crate::matrix::{Matrix, Node};
use vjp_tensor::shape::Shape;

/// How a part stands beside others.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum How {
    Plain,
    /// With its shape said.
    Shaped,
    /// Copied to a matrix of so many rows and columns, as a product with ones.
    Spread(usize, usize),
}

/// What becomes of a shape that another is written in.
#[derive(PartialEq)]
pub(super) enum Reshaping {
    /// A row that is to be a column, or a vector that is to be a row.
    Turns,
    /// A reader needs no word.
    Silent,
    Said,
}

fn is_row(shape: &[usize]) -> bool {
    match shape.split_last() {
        Some((last, others)) => !others.is_empty() && *last != 1 && others.iter().all(|d| *d == 1),
        None => false,
    }
}

pub(super) fn reshaping(from: &[usize], to: &[usize]) -> Reshaping {
    let turns = (is_row(to) && !is_row(from) || is_row(from) && to.len() == 2 && !is_row(to))
        && bare(from) == bare(to);
    // Rows of a batch one below the other.
    let tall = from.len() >= 2 && to.len() >= 2 && from.last() == to.last();
    match () {
        () if turns && from.len() <= 2 => Reshaping::Turns,
        () if bare(from) == bare(to) || tall => Reshaping::Silent,
        () => Reshaping::Said,
    }
}

/// The two last dimensions exchanged; a vector becomes a row.
fn swapped(mut shape: Shape) -> Shape {
    if shape.len() == 1 {
        shape.insert(0, 1);
        return shape;
    }
    if let [.., a, b] = shape.as_mut_slice() {
        std::mem::swap(a, b);
    }
    shape
}

fn is_sum_of_rows(m: &Matrix) -> bool {
    matches!(m.node(), Node::Collapse(_)) && is_row(m.dims())
}

fn is_many(m: &Matrix) -> bool {
    m.numel() > 1 && m.as_number().is_none()
}

/// Without a reshape.
fn flat(m: &Matrix) -> &Matrix {
    match m.node() {
        Node::Reshape(x) => x,
        _ => m,
    }
}

/// Where matrices of two batches are multiplied and the products added: they stand one below the other
/// in both.
fn pairs(parts: &[Matrix], seen: &[Shape]) -> Option<usize> {
    let stacked = |k: usize| {
        let s = &seen[k];
        (parts[k].dims().len() == 2 && s.len() > 2).then(|| &s[..s.len() - 2])
    };
    (1..parts.len()).find(|k| {
        let turned = matches!(parts[*k - 1].node(), Node::Swap(_));
        let before = stacked(*k - 1).filter(|_| turned);
        before.is_some() && before == stacked(*k)
    })
}

impl Board<'_> {
    /// The shape that a reader sees.
    pub(super) fn seen(&self, m: &Matrix) -> Shape {
        let own = || m.dims().to_vec();
        match m.node() {
            Node::Number(_) => Vec::new(),
            Node::Expand(x) => self.seen(x),
            Node::Swap(x) => swapped(self.seen(x)),
            Node::Reshape(x) => match reshaping(x.dims(), m.dims()) {
                // A sum of rows that is a vector may be either.
                Reshaping::Silent if m.dims().len() == 1 && is_sum_of_rows(x) => own(),
                Reshaping::Silent => self.seen(x),
                Reshaping::Said => own(),
                Reshaping::Turns => m.dims()[m.dims().len() - 2..].to_vec(),
            },
            Node::Sum(_) | Node::Times(_) | Node::Call(..) => {
                self.laid(&m.node().parts(), m.dims()).1
            }
            Node::Product(parts) => {
                let seen: Vec<Shape> = parts.iter().map(|p| self.seen(p)).collect();
                let plain = parts.iter().all(|p| p.dims().len() == 2);
                match seen[0].split_last() {
                    Some((_, before))
                        if plain && before.len() > 1 && pairs(parts, &seen).is_none() =>
                    {
                        [before, &m.dims()[1..]].concat()
                    }
                    _ => own(),
                }
            }
            Node::Collapse(x) | Node::Gather(x, _) if x.dims().len() < 2 || m.numel() == 1 => own(),
            // One number for each row is a column.
            Node::Collapse(x) if m.dims().len() == 1 && x.dims()[..1] == *m.dims() => {
                vec![m.numel(), 1]
            }
            Node::Run(op, args) if m.dims().len() == 1 => match args.first().map(Matrix::dims) {
                Some([rows, _])
                    if *rows == m.numel() && self.axis(&**op).is_some_and(|d| d == "1") =>
                {
                    vec![*rows, 1]
                }
                _ => own(),
            },
            _ => own(),
        }
    }

    /// How parts are written whose elements meet each in their place, the smaller ones broadcast.
    pub(super) fn hows(&self, parts: &[&Matrix], to: &[usize]) -> Vec<How> {
        self.laid(parts, to).0
    }

    /// See [`Board::hows`]; and the shape that is seen then.
    fn laid(&self, parts: &[&Matrix], to: &[usize]) -> (Vec<How>, Shape) {
        let n: usize = to.iter().product();
        let seen: Vec<Option<Shape>> =
            parts.iter().map(|p| is_many(p).then(|| self.seen(p))).collect();
        let each = |how: &dyn Fn(&Matrix, &Shape) -> How| {
            let all = parts.iter().zip(&seen);
            let hows = all.map(|(p, s)| s.as_ref().map_or(How::Plain, |s| how(p, s)));
            (hows.collect::<Vec<How>>(), to.to_vec())
        };
        let many = || parts.iter().zip(&seen).filter_map(|(p, s)| Some((*p, s.as_ref()?)));
        let aligned = |p: &Matrix, s: &Shape| stripped(s) == stripped(p.dims());
        if many().all(|(p, _)| p.numel() == n) {
            let mut all = many().map(|(_, s)| s);
            let plain = vec![How::Plain; parts.len()];
            let Some(first) = all.next() else { return (plain, Vec::new()) };
            let column = |s: &Shape| s.len() > 1 && s.last() == Some(&1);
            let turned = many().any(|(_, s)| is_row(s)) && many().any(|(_, s)| column(s));
            if !turned && all.all(|s| bare(s) == bare(first)) {
                return (plain, first.clone());
            }
            return each(&|p, s| if aligned(p, s) { How::Plain } else { How::Shaped });
        }
        let full = many().any(|(p, _)| p.numel() == n);
        let plain = many().all(|(p, s)| aligned(p, s));
        match stripped(to) {
            [rows, columns] if *rows > 1 && *columns > 1 && !(full && plain) => {
                each(&|p, s| match (p.numel() == n, aligned(p, s)) {
                    (true, true) => How::Plain,
                    (true, false) => How::Shaped,
                    (false, _) => How::Spread(*rows, *columns),
                })
            }
            _ => each(&|p, s| if aligned(p, s) { How::Plain } else { How::Shaped }),
        }
    }

    /// A part as it stands beside others.
    pub(super) fn beside(&self, m: &Matrix, how: How) -> Text {
        match how {
            How::Plain => self.of(m),
            How::Shaped => self.shaped(m),
            How::Spread(rows, columns) => {
                let own = match stripped(m.dims()) {
                    own @ [_, _] => m.reshaped(own),
                    _ if m.dims().len() > 2 => m.reshaped(&m.dims()[m.dims().len() - 2..]),
                    _ => m.clone(),
                };
                let (c, own) = own.parted();
                let whole = Matrix::build(Node::Expand(own), &[rows, columns]);
                match self.spread(&whole) {
                    Some(text) if c == 1.0 => text,
                    Some(text) => Text(self.scaled(c, &text.at_least(Hold::Chain)), Hold::Times),
                    None => self.shaped(m),
                }
            }
        }
    }

    /// In the shape that it has.
    pub(super) fn exact(&self, m: &Matrix) -> Text {
        let (seen, own) = (self.seen(m), m.dims());
        match m.as_number().is_some() || seen == own || own.len() < 2 && bare(&seen) == bare(own) {
            true => self.of(m),
            false => self.shaped(m),
        }
    }

    /// Whether all elements are seen.
    pub(super) fn held(&self, m: &Matrix) -> bool {
        self.seen(m).iter().product::<usize>() == m.numel()
    }

    /// With its shape said.
    pub(super) fn shaped(&self, m: &Matrix) -> Text {
        match m.node() {
            Node::Expand(x) => self.spread(m).unwrap_or_else(|| {
                self.function("expand", &[self.exact(x).0, self.size_of(m.dims())])
            }),
            _ if self.held(m) => self.reshape(flat(m), m.dims()),
            _ => self.function("expand", &[self.of(m).0, self.size_of(m.dims())]),
        }
    }

    /// What is all that a line says: its shape stands beside it.
    pub(super) fn whole(&self, m: &Matrix) -> Text {
        let says = |x: &Matrix| bare(&self.seen(x)) == bare(x.dims());
        match m.node() {
            Node::Expand(x) if x.numel() == 1 || stripped(&self.seen(x)) == stripped(x.dims()) => {
                self.of(x)
            }
            Node::Number(_) => self.of(m),
            _ if says(m) => self.of(m),
            _ => self.shaped(m),
        }
    }

    pub(super) fn product(&self, parts: &[Matrix]) -> Text {
        let gap = self.pick(" ", " @ ", r" \, ");
        let shapes: Vec<Shape> = parts.iter().map(|p| self.seen(p)).collect();
        let pair = pairs(parts, &shapes);
        let mut all: Vec<Text> = Vec::new();
        for (k, (p, seen)) in parts.iter().zip(&shapes).enumerate() {
            let own = p.dims();
            let rest = || shapes[1..].iter().all(|s| s.len() < 3);
            let tall = own.len() == 2 && seen.len() > 2 && seen.last() == own.last();
            let paired = pair.is_some_and(|at| k == at || k + 1 == at);
            let fits = stripped(seen) == stripped(own)
                || seen.len() == 1 && stripped(own) == [seen[0], 1]
                || tall && k == 0 && rest()
                || paired
                || p.as_number().is_some();
            let text = match (self.spread(p), fits) {
                (Some(text), _) => text,
                (None, true) => self.of(p),
                (None, false) => self.shaped(p),
            };
            if Some(k) == pair
                && let Some(before) = all.pop()
            {
                let both = [before, text].map(|t| t.at_least(Hold::Chain)).join(gap);
                let gone: Vec<usize> = (0..seen.len() - 2).collect();
                all.push(self.summed(&gone, seen.len(), both));
                continue;
            }
            all.push(text);
        }
        match all.len() {
            1 => all.remove(0),
            _ => {
                let each = all.into_iter().map(|t| t.at_least(Hold::Chain));
                Text(each.collect::<Vec<_>>().join(gap), Hold::Chain)
            }
        }
    }
}
