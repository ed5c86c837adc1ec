//! Which elements of an input make each output of a pool.

use vjp_ops::reduce::extreme::Groups;
use vjp_tensor::kernels::blocks;
use vjp_tensor::{Outcome, budget, shape};

/// A box of elements for each output: some places in each dimension of the space.
#[derive(Debug)]
pub(crate) struct Parts {
    /// Of each dimension, and of each output along it, the places.
    pub along: Vec<Vec<Vec<usize>>>,
    pub space: Vec<usize>,
    /// How often there is such a space: examples times channels.
    pub planes: usize,
}

impl Parts {
    /// How many elements a plane of the input has.
    pub fn area(&self) -> usize {
        self.space.iter().product()
    }

    /// How many outputs a plane makes.
    pub fn each(&self) -> usize {
        self.along.iter().map(Vec::len).product()
    }

    pub fn outputs(&self) -> usize {
        self.planes * self.each()
    }

    /// How many elements the largest box has.
    pub fn widest(&self) -> usize {
        self.along.iter().map(|lines| lines.iter().map(Vec::len).max().unwrap_or(0)).product()
    }

    /// How long the sides of the box of each output of a plane are.
    pub fn sides(&self) -> Vec<[i64; 3]> {
        let mut all = vec![[1; 3]];
        for (d, lines) in self.along.iter().enumerate() {
            let side = |mut sides: [i64; 3], line: &Vec<usize>| {
                sides[d] = line.len() as i64;
                sides
            };
            all = all.iter().flat_map(|sides| lines.iter().map(|l| side(*sides, l))).collect();
        }
        all
    }

    /// Tells `f` each output of a plane and its elements there, row-major.
    pub fn of_plane(&self, mut f: impl FnMut(usize, &[usize])) {
        let (d, mut at, mut elements) = (self.along.len(), vec![0; self.along.len()], Vec::new());
        for k in 0..self.each() {
            elements.clear();
            let lines = |d: usize| self.along[d][at[d]].as_slice();
            reached(d, &lines, &self.space, 0, &mut elements);
            f(k, &elements);
            for d in (0..d).rev() {
                at[d] += 1;
                if at[d] < self.along[d].len() {
                    break;
                }
                at[d] = 0;
            }
        }
    }

    /// Calls `work` with the number of each plane and its share of `all`, which has as many numbers for each.
    pub fn by_plane<T: Send>(
        &self,
        all: &mut [T],
        work: impl Fn(usize, &mut [T]) + Sync,
    ) -> Outcome<()> {
        let share = (all.len() / self.planes.max(1)).max(1);
        let many = self.planes * self.area() >= blocks::PARALLEL_FROM;
        let shares = all.chunks_mut(share).enumerate();
        blocks::each(shares, many, |(plane, own)| work(plane, own))
    }

    /// Those of every plane.
    pub fn boxes(&self) -> Outcome<Boxes> {
        let mut boxes = Boxes { elements: Vec::new(), ends: budget::vec(self.each())? };
        budget::reserve(shape::count(&[self.each(), self.widest()])? * size_of::<usize>())?;
        self.of_plane(|_, elements| {
            boxes.elements.extend_from_slice(elements);
            boxes.ends.push(boxes.elements.len());
        });
        Ok(boxes)
    }

    /// # Errors
    /// Too large for the budget.
    pub fn check(&self, factor: usize) -> Outcome<usize> {
        shape::count(&[self.outputs(), self.widest(), factor])
    }
}

/// The elements of each output of a plane, one box after the other.
pub(crate) struct Boxes {
    elements: Vec<usize>,
    ends: Vec<usize>,
}

impl Boxes {
    pub fn iter(&self) -> impl Iterator<Item = &[usize]> {
        let mut start = 0;
        self.ends.iter().map(move |end| &self.elements[std::mem::replace(&mut start, *end)..*end])
    }
}

impl Groups for Parts {
    fn each_group(&self, f: &mut dyn FnMut(usize, &[usize])) {
        let mut own = Vec::new();
        for plane in 0..self.planes {
            self.of_plane(|k, elements| {
                own.clear();
                own.extend(elements.iter().map(|p| plane * self.area() + p));
                f(plane * self.each() + k, &own);
            });
        }
    }
}

/// Appends the elements whose place in each dimension is one of a line, row-major.
fn reached<'a>(
    left: usize,
    lines: &impl Fn(usize) -> &'a [usize],
    space: &[usize],
    start: usize,
    all: &mut Vec<usize>,
) {
    let d = space.len() - left;
    for at in lines(d) {
        let at = start * space[d] + at;
        match left {
            1 => all.push(at),
            _ => reached(left - 1, lines, space, at, all),
        }
    }
}
