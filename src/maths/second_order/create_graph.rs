//! Variables as coefficients of derivatives: what a sweep under `create_graph` computes is recorded
//! by the same operations that a program would call.

use crate::inplace::node_names::Renamed;
use crate::primitives::{matmul, moves, sum};
use crate::table::{EQUAL, PASS, POW, POW_NUMBER, STEP};
use crate::{Algebra, Array, Fixed, Fun, Operation, Variable, apply};
use std::rc::Rc;
use vjp_tensor::shape::Shape;
use vjp_tensor::{Dtype, ElementMap, Outcome, Tensor};

fn or_poison(result: Outcome<Variable>) -> Variable {
    result.unwrap_or_else(|complaint| {
        vjp_tensor::budget::refuse(complaint);
        Variable::constant(Tensor::scalar(f64::NAN))
    })
}

fn run(op: impl crate::Rule, inputs: &[&Variable]) -> Variable {
    let op: Rc<dyn Operation> = Rc::new(op);
    let inputs: Vec<Variable> = inputs.iter().map(|v| (*v).clone()).collect();
    or_poison(apply(op, &inputs))
}

/// `g.to(dtype)`, recorded.
pub fn cast(v: &Variable, dtype: Dtype) -> Variable {
    if v.dtype() == dtype {
        v.clone()
    } else {
        run(moves::converted(&Variable::shape(v), dtype), &[v])
    }
}

/// A copy for `.grad`, recorded.
pub fn clone(v: &Variable) -> Variable {
    let op = Fixed { grad_fn: "CopyBackwards", ..moves::cloned(&Variable::shape(v)) };
    run(op, &[v])
}

/// The `x` of a coefficient that was just computed as `1/x`: PyTorch's formulas divide by it.
fn inverted(by: &Variable) -> Option<Variable> {
    let node = by.node()?;
    let (numerator, divisor) = match (node.operation().name(), node.inputs()) {
        ("reciprocal", [x]) => return Some(x.variable()),
        ("div", [c, x]) => (c, x),
        _ => return None,
    };
    let one = !numerator.tracked() && numerator.value.item() == Some(1.0);
    (one && numerator.value.rank() == 0).then(|| divisor.variable())
}

impl Algebra for Variable {
    fn lift(&self, c: f64) -> Variable {
        Variable::constant(Algebra::lift(&self.value(), c))
    }

    fn first_power(&self) -> Variable {
        or_poison(apply((POW_NUMBER.operation)(&[1.0]), std::slice::from_ref(self)))
    }

    fn call(fun: &'static Fun, args: &[&Variable]) -> Variable {
        if [&STEP, &EQUAL, &PASS].iter().any(|mask| std::ptr::eq(*mask, fun)) {
            // A comparison remembers nothing.
            let values: Vec<Tensor> = args.iter().map(|v| v.value()).collect();
            let mask = (fun.tensor)(&values.iter().collect::<Vec<_>>());
            return or_poison(mask.map(Variable::constant));
        }
        if std::ptr::eq(fun, &POW)
            && let [x, e] = args
            && e.is_number()
            && !e.depends()
        {
            let e = e.value().item().unwrap_or(f64::NAN);
            return or_poison(apply((POW_NUMBER.operation)(&[e]), &[(*x).clone()]));
        }
        let inputs: Vec<Variable> = args.iter().map(|v| (*v).clone()).collect();
        or_poison(crate::table::call(fun, &inputs))
    }
}

impl Array for Variable {
    fn shape(&self) -> Shape {
        Variable::shape(self)
    }

    fn full(&self, shape: &[usize], value: f64) -> Variable {
        Variable::constant(self.value().full(shape, value))
    }

    fn expand(&self, to: &[usize]) -> Variable {
        run(moves::expanded(&Variable::shape(self), to), &[self])
    }

    fn collapse(&self, to: &[usize]) -> Variable {
        let from = Variable::shape(self);
        if from == to {
            return self.clone();
        }
        if to.is_empty() {
            return run(sum::summing(&from, None, false), &[self]);
        }
        let lead = from.len() - to.len();
        let dims: Vec<usize> =
            (0..from.len()).filter(|k| *k < lead || (to[k - lead] == 1 && from[*k] != 1)).collect();
        let kept = run(sum::summing(&from, Some(&dims), true), &[self]);
        if lead == 0 {
            return kept;
        }
        run(moves::reshaped(&Variable::shape(&kept), to, "view", "ViewBackward0"), &[&kept])
    }

    fn gather(&self, elements: &ElementMap) -> Variable {
        if elements.index.is_all(self.numel()) {
            return if elements.from == elements.to {
                self.clone()
            } else {
                run(moves::reshaped(&elements.from, &elements.to, "view", "ViewBackward0"), &[self])
            };
        }
        run(Fixed::gather("gather", "GatherBackward0", elements.clone()), &[self])
    }

    fn scatter(&self, elements: &ElementMap) -> Variable {
        if elements.is_identity() {
            return self.gather(&ElementMap {
                from: elements.to.clone(),
                to: elements.from.clone(),
                index: elements.index.clone(),
            });
        }
        run(
            Fixed::new(
                "scatter",
                "ScatterAddBackward0",
                crate::LinearMap::Scatter(elements.clone()),
            ),
            &[self],
        )
    }

    fn matmul(&self, other: &Variable) -> Variable {
        run(matmul::Matmul::of(self.rank()), &[self, other])
    }

    fn swap(&self) -> Variable {
        run(
            Fixed::gather(
                "transpose",
                "TransposeBackward0",
                moves::swap_wires(&Variable::shape(self)),
            ),
            &[self],
        )
    }

    fn mul(&self, other: &Variable) -> Variable {
        if let Some(divisor) = inverted(other) {
            return or_poison(crate::table::div(self, &divisor));
        }
        or_poison(crate::table::mul(self, other))
    }

    fn add(&self, other: &Variable) -> Variable {
        or_poison(crate::table::add(self, other))
    }

    fn scale(&self, by: f64) -> Variable {
        match by {
            -1.0 => or_poison(crate::table::neg(self)),
            _ => {
                let mul = Renamed::with_number((crate::table::MUL.operation)(&[]), "MulBackward1");
                or_poison(apply(mul, &[self.clone(), self.lift(by)]))
            }
        }
    }

    fn run(op: Rc<dyn Operation>, inputs: &[&Variable], _: &[usize]) -> Variable {
        let inputs: Vec<Variable> = inputs.iter().map(|v| (*v).clone()).collect();
        or_poison(apply(op, &inputs))
    }
}
