//! Tensors as coefficients of derivatives. The budget is asked before a sweep and between nodes;
//! in here a refusal can only be a race with it, and then the value is not a number.

use super::algebra::{Algebra, Fun};
use super::rule::Operation;
use crate::{Array, table};
use std::rc::Rc;
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::shape::Shape;
use vjp_tensor::tensor::{default_dtype, promote};
use vjp_tensor::{Dtype, ElementMap, Outcome, Tensor};

/// A stop or a lack of memory inside a derivative: remembered, and raised by the sweep.
fn or_poison(result: Outcome<Tensor>, shape: &[usize]) -> Tensor {
    result.unwrap_or_else(|complaint| {
        vjp_tensor::budget::refuse(complaint);
        Tensor::new(&vec![1; shape.len()], vec![f64::NAN])
    })
}

fn float(t: &Tensor) -> Dtype {
    match t.dtype() {
        d if d.is_float() => d,
        _ => default_dtype(),
    }
}

impl Algebra for Tensor {
    fn lift(&self, c: f64) -> Tensor {
        Tensor::number(c, default_dtype())
    }

    fn call(fun: &'static Fun, args: &[&Tensor]) -> Tensor {
        let out = (fun.tensor)(args);
        or_poison(out, args.first().map_or(&[], |t| t.shape()))
    }

    fn fused(a: &Tensor, b: &Tensor, c: &Tensor) -> Tensor {
        Tensor::call(&table::ADDCMUL, &[c, a, b, &a.lift(1.0)])
    }
}

impl Array for Tensor {
    fn shape(&self) -> Shape {
        Tensor::shape(self).to_vec()
    }

    fn full(&self, shape: &[usize], value: f64) -> Tensor {
        or_poison(Tensor::filled(shape, value, float(self)), shape)
    }

    fn expand(&self, to: &[usize]) -> Tensor {
        or_poison(kernels::expand(self, to), to)
    }

    fn collapse(&self, to: &[usize]) -> Tensor {
        or_poison(kernels::collapse(self, to), to)
    }

    fn gather(&self, elements: &ElementMap) -> Tensor {
        if elements.from == elements.to && elements.is_identity() {
            return self.clone();
        }
        or_poison(kernels::gather(self, elements), &elements.to)
    }

    fn scatter(&self, elements: &ElementMap) -> Tensor {
        or_poison(kernels::scatter(self, elements), &elements.from)
    }

    fn matmul(&self, other: &Tensor) -> Tensor {
        or_poison(kernels::matmul(self, other), self.shape())
    }

    fn swap_matmul(&self, other: &Tensor) -> Tensor {
        let product = kernels::matmul_swapped(self, other, [true, false]);
        or_poison(product, self.shape())
    }

    fn matmul_swap(&self, other: &Tensor) -> Tensor {
        let product = kernels::matmul_swapped(self, other, [false, true]);
        or_poison(product, self.shape())
    }

    fn swap(&self) -> Tensor {
        or_poison(kernels::swap(self), self.shape())
    }

    fn mul(&self, other: &Tensor) -> Tensor {
        or_poison(pair(&table::MUL, self, other), self.shape())
    }

    fn add(&self, other: &Tensor) -> Tensor {
        or_poison(pair(&table::ADD, self, other), self.shape())
    }

    fn scale(&self, by: f64) -> Tensor {
        or_poison(pair(&table::MUL, self, &Tensor::number(by, float(self))), self.shape())
    }

    fn run(op: Rc<dyn Operation>, inputs: &[&Tensor], to: &[usize]) -> Tensor {
        or_poison(op.value(inputs), to)
    }
}

/// A function of the table, its result a float.
fn pair(fun: &'static Fun, a: &Tensor, b: &Tensor) -> Outcome<Tensor> {
    if promote(&[a, b]).is_float() {
        return (fun.tensor)(&[a, b]);
    }
    kernels::zip(a, b, default_dtype(), |a, b| (fun.value)(&[a, b]))
}
