//! Arrays of symbols as coefficients: the same structure as for numbers, entry by entry.

use crate::autodiff::linear_map::{Spread, spread};
use crate::symbol::Node;
use crate::{Algebra, Array, Expr, Form, Fun, Operation, Symbols, table};
use std::rc::Rc;
use vjp_tensor::shape::Shape;
use vjp_tensor::{ElementMap, Tensor, shape};

impl Algebra for Expr {
    fn lift(&self, c: f64) -> Expr {
        Expr::constant(c)
    }

    fn call(fun: &'static Fun, args: &[&Expr]) -> Expr {
        Expr::call(fun, args)
    }
}

impl Algebra for Symbols {
    fn lift(&self, c: f64) -> Symbols {
        Symbols::filled(&[], Expr::constant(c))
    }

    fn call(fun: &'static Fun, args: &[&Symbols]) -> Symbols {
        let to = shape::broadcast_all(args.iter().map(|s| s.shape.as_slice()))
            .unwrap_or_else(|_| args[0].shape.clone());
        table::symbols(fun, args, &[], &to)
    }

    fn unless(agreed: &Symbols, c: f64, otherwise: &Symbols) -> Symbols {
        let mut all = Symbols::call(&table::WHERE, &[agreed, &agreed.lift(c), otherwise]);
        let open = |e: &Expr| match e.node() {
            Node::Call(fun, args) if fun.form == Form::Where => args[2].clone(),
            _ => e.clone(),
        };
        all.data = all.data.iter().map(open).collect::<Vec<_>>().into();
        all
    }
}

impl Symbols {
    /// Every entry the same expression.
    pub fn filled(shape: &[usize], e: Expr) -> Symbols {
        Symbols { shape: shape.to_vec(), data: vec![e; shape.iter().product()].into() }
    }

    /// Reads entry `place(k)` for each k of the new shape.
    fn read(&self, shape: &[usize], place: impl Fn(usize) -> usize) -> Symbols {
        let zero = Expr::constant(0.0);
        Symbols {
            shape: shape.to_vec(),
            data: (0..shape.iter().product())
                .map(|k| self.data.get(place(k)).unwrap_or(&zero).clone())
                .collect(),
        }
    }

    /// Adds each entry to place `place(k)` of the new shape.
    fn pour(&self, shape: &[usize], place: impl Fn(usize) -> usize) -> Symbols {
        let mut parts: Vec<Vec<Expr>> = vec![Vec::new(); shape.iter().product()];
        for (k, e) in self.data.iter().enumerate() {
            if let Some(slot) = parts.get_mut(place(k)) {
                slot.push(e.clone());
            }
        }
        Symbols { shape: shape.to_vec(), data: parts.into_iter().map(Expr::sum).collect() }
    }
}

impl Array for Symbols {
    fn shape(&self) -> Shape {
        self.shape.clone()
    }

    fn full(&self, shape: &[usize], value: f64) -> Symbols {
        Symbols::filled(shape, Expr::constant(value))
    }

    fn expand(&self, to: &[usize]) -> Symbols {
        let places = spread(&self.shape, to);
        self.read(to, |k| places.at(k))
    }

    fn collapse(&self, to: &[usize]) -> Symbols {
        match spread(to, &self.shape) {
            Spread::Same => self.clone(),
            places => self.pour(to, |k| places.at(k)),
        }
    }

    fn gather(&self, elements: &ElementMap) -> Symbols {
        self.read(&elements.to, |k| elements.source(k))
    }

    fn scatter(&self, elements: &ElementMap) -> Symbols {
        self.pour(&elements.from, |k| elements.source(k))
    }

    fn matmul(&self, other: &Symbols) -> Symbols {
        let rank = self.shape.len();
        let (m, k, n) = (self.shape[rank - 2], self.shape[rank - 1], other.shape[rank - 1]);
        let mut shape = self.shape.clone();
        shape[rank - 1] = n;
        let batch: usize = shape[..rank - 2].iter().product();
        let mut data = Vec::with_capacity(batch * m * n);
        for b in 0..batch {
            for i in 0..m {
                for j in 0..n {
                    data.push(Expr::sum((0..k).map(|l| {
                        self.data[(b * m + i) * k + l].by(&other.data[(b * k + l) * n + j])
                    })));
                }
            }
        }
        Symbols { shape, data: data.into() }
    }

    fn swap(&self) -> Symbols {
        let rank = self.shape.len();
        if rank < 2 {
            return self.clone();
        }
        let (m, n) = (self.shape[rank - 2], self.shape[rank - 1]);
        let mut shape = self.shape.clone();
        shape.swap(rank - 2, rank - 1);
        self.read(&shape, |k| {
            let (block, at) = (k / (m * n), k % (m * n));
            block * m * n + at % m * n + at / m
        })
    }

    fn mul(&self, other: &Symbols) -> Symbols {
        Algebra::call(&table::MUL, &[self, other])
    }

    fn add(&self, other: &Symbols) -> Symbols {
        Algebra::call(&table::ADD, &[self, other])
    }

    fn scale(&self, by: f64) -> Symbols {
        Symbols { shape: self.shape.clone(), data: self.data.iter().map(|e| e.times(by)).collect() }
    }

    /// Its formula, where it has one that does not choose by value.
    fn run(op: Rc<dyn Operation>, inputs: &[&Symbols], to: &[usize]) -> Symbols {
        let zeros = |shape: &[usize]| Tensor::new(shape, vec![0.0; shape.iter().product()]);
        let values: Vec<Tensor> = inputs.iter().map(|s| zeros(&s.shape)).collect();
        op.symbols(inputs, &values.iter().collect::<Vec<_>>(), &zeros(to))
            .unwrap_or_else(|| Symbols::filled(to, Expr::unknown()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_that_was_refused_reads_zeros() {
        let refused = ElementMap { from: vec![2], to: vec![2, 1], index: Vec::new().into() };
        let two = Symbols::filled(&[2], Expr::constant(2.0));
        let zeros = |shape: &[usize]| Symbols::filled(shape, Expr::constant(0.0)).data;
        assert_eq!(two.gather(&refused).data, zeros(&[2, 1]));
        assert_eq!(two.scatter(&refused).data, zeros(&[2]));
    }
}
