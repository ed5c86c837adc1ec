//! Formulas of whole arrays as coefficients.

use super::{Matrix, Node};
use crate::{Algebra, Array, Form, Fun, Operation};
use std::rc::Rc;
use vjp_tensor::ElementMap;
use vjp_tensor::shape::{self, Shape};

impl Algebra for Matrix {
    fn lift(&self, c: f64) -> Matrix {
        Matrix::number(c, &[])
    }

    fn call(fun: &'static Fun, args: &[&Matrix]) -> Matrix {
        let to = broadcast(args.iter().copied());
        let made = match (fun.form, args) {
            (Form::Add, [a, b]) => Matrix::sum(vec![(1.0, (*a).clone()), (1.0, (*b).clone())]),
            (Form::Sub, [a, b]) => Matrix::sum(vec![(1.0, (*a).clone()), (-1.0, (*b).clone())]),
            (Form::ReversedSub, [a, b]) => {
                Matrix::sum(vec![(1.0, (*b).clone()), (-1.0, (*a).clone())])
            }
            (Form::Mul, [a, b]) => Matrix::times(vec![((*a).clone(), 1.0), ((*b).clone(), 1.0)]),
            (Form::Div, [a, b]) => Matrix::times(vec![((*a).clone(), 1.0), ((*b).clone(), -1.0)]),
            (Form::Neg, [a]) => a.multiple(-1.0),
            (Form::Power(e), [a]) => a.power(e),
            (Form::Pow, [a, b]) if b.as_number().is_some() => a.power(b.as_number().unwrap_or(1.0)),
            _ => Matrix::called(fun, args),
        };
        made.fit(&to)
    }

    /// On the board `otherwise` says more.
    fn unless(_: &Matrix, _: f64, otherwise: &Matrix) -> Matrix {
        otherwise.clone()
    }
}

/// The shape of what is broadcast together.
pub(super) fn broadcast<'a>(parts: impl Iterator<Item = &'a Matrix> + Clone) -> Shape {
    shape::broadcast_all(parts.clone().map(Matrix::dims))
        .unwrap_or_else(|_| parts.map(|m| m.dims().to_vec()).next().unwrap_or_default())
}

impl Array for Matrix {
    const WHOLE: bool = true;

    fn shape(&self) -> Shape {
        self.dims().to_vec()
    }

    fn full(&self, shape: &[usize], value: f64) -> Matrix {
        Matrix::number(value, shape)
    }

    fn expand(&self, to: &[usize]) -> Matrix {
        self.fit(to)
    }

    fn collapse(&self, to: &[usize]) -> Matrix {
        self.summed(to)
    }

    fn gather(&self, elements: &ElementMap) -> Matrix {
        self.picked(elements)
    }

    fn scatter(&self, elements: &ElementMap) -> Matrix {
        self.placed(elements)
    }

    fn matmul(&self, other: &Matrix) -> Matrix {
        Matrix::product(vec![self.clone(), other.clone()])
    }

    fn swap(&self) -> Matrix {
        self.transposed()
    }

    fn mul(&self, other: &Matrix) -> Matrix {
        let to = broadcast([self, other].into_iter());
        Matrix::times(vec![(self.clone(), 1.0), (other.clone(), 1.0)]).fit(&to)
    }

    fn add(&self, other: &Matrix) -> Matrix {
        let to = broadcast([self, other].into_iter());
        Matrix::sum(vec![(1.0, self.clone()), (1.0, other.clone())]).fit(&to)
    }

    fn scale(&self, by: f64) -> Matrix {
        self.multiple(by)
    }

    fn run(op: Rc<dyn Operation>, inputs: &[&Matrix], to: &[usize]) -> Matrix {
        if let Some(made) = op.value_matrix(inputs).filter(|made| made.dims() == to) {
            return made;
        }
        Matrix::build(Node::Run(op, inputs.iter().map(|m| (*m).clone()).collect()), to)
    }
}
