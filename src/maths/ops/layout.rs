//! Shapes: reshape, transpose, expand, join and split.

use super::{Entry, Forms, Out, USUAL};
use crate::complain;
use crate::maths::complaint::{Kind, Outcome};
use crate::maths::linear::{Array, LinearMap, Wires};
use crate::maths::rule::{Point, Rule, Saves};
use crate::maths::store::Layout;
use crate::maths::symbol::Symbols;
use crate::maths::tensor::{Dtype, Tensor};
use crate::maths::tensor_kernels as kernels;
use crate::maths::variable::{Variable, apply, view};
use crate::maths::{shape, torch_says};
use std::rc::Rc;

/// The same elements in another shape.
#[derive(Debug)]
pub struct Reshape {
    to: Vec<usize>,
    name: &'static str,
    grad_fn: &'static str,
}

impl Reshape {
    pub fn view(to: &[usize]) -> Reshape {
        Reshape {
            to: to.to_vec(),
            name: "view",
            grad_fn: "ViewBackward0",
        }
    }

    pub fn named(to: &[usize], name: &'static str, grad_fn: &'static str) -> Reshape {
        Reshape {
            to: to.to_vec(),
            name,
            grad_fn,
        }
    }
}

fn identity<A>(from: &[usize], to: &[usize]) -> LinearMap<A> {
    if from == to {
        LinearMap::Scale {
            by: 1.0,
            shape: to.to_vec(),
        }
    } else {
        LinearMap::Gather(Wires::reshape(from, to))
    }
}

impl Rule for Reshape {
    fn name(&self) -> &'static str {
        self.name
    }

    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        Saves::Nothing
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        Ok(inputs[0].reshaped(&self.to))
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(Symbols {
            shape: self.to.clone(),
            data: inputs[0].data.clone(),
        })
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        identity(at.values[0].shape(), &self.to)
    }
}

/// Elements repeated along new or single dimensions.
#[derive(Debug)]
pub struct Expand {
    pub to: Vec<usize>,
}

impl Rule for Expand {
    fn name(&self) -> &'static str {
        "expand"
    }

    fn grad_fn(&self) -> &'static str {
        "ExpandBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::Nothing
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        kernels::expand(inputs[0], &self.to)
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(inputs[0].expand(&self.to))
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        LinearMap::Expand {
            from: at.values[0].shape().to_vec(),
            to: self.to.clone(),
        }
    }
}

/// The last two dimensions exchanged.
#[derive(Debug)]
pub struct Swap;

fn swap_wires(shape: &[usize]) -> Wires {
    let (a, b) = (shape.len() - 2, shape.len() - 1);
    permuted(&Layout::whole(shape), &swapped(shape.len(), a, b)).wires(&Layout::whole(shape))
}

fn swapped(rank: usize, a: usize, b: usize) -> Vec<usize> {
    let mut dims: Vec<usize> = (0..rank).collect();
    dims.swap(a, b);
    dims
}

/// A layout with its dimensions in another order.
pub fn permuted(of: &Layout, dims: &[usize]) -> Layout {
    Layout {
        shape: dims.iter().map(|d| of.shape[*d]).collect(),
        strides: dims.iter().map(|d| of.strides[*d]).collect(),
        offset: of.offset,
    }
}

impl Rule for Swap {
    fn name(&self) -> &'static str {
        "transpose"
    }

    fn grad_fn(&self) -> &'static str {
        "TransposeBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::Nothing
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        kernels::swap(inputs[0])
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(inputs[0].gather(&swap_wires(&inputs[0].shape)))
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        LinearMap::Gather(swap_wires(at.values[0].shape()))
    }
}

/// Any view that shows some of the elements: transpose, select, slice …
#[derive(Debug)]
pub struct View {
    pub name: &'static str,
    pub grad_fn: &'static str,
    pub wires: Wires,
}

impl Rule for View {
    fn name(&self) -> &'static str {
        self.name
    }

    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        Saves::Nothing
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        kernels::gather(inputs[0], &self.wires)
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(inputs[0].gather(&self.wires))
    }

    fn linear<A: Array>(&self, _: &Point<A>, _: usize) -> LinearMap<A> {
        LinearMap::Gather(self.wires.clone())
    }
}

/// A copy.
#[derive(Debug)]
pub struct Clone;

impl Rule for Clone {
    fn name(&self) -> &'static str {
        "clone"
    }

    fn grad_fn(&self) -> &'static str {
        "CloneBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::Nothing
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        Ok(inputs[0].clone().with_weak(false))
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(inputs[0].clone())
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        identity(at.values[0].shape(), at.values[0].shape())
    }
}

/// Another element type.
#[derive(Debug)]
pub struct ToCopy {
    pub dtype: Dtype,
}

impl Rule for ToCopy {
    fn name(&self) -> &'static str {
        "to"
    }

    fn grad_fn(&self) -> &'static str {
        "ToCopyBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::Nothing
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        Ok(inputs[0].to_dtype(self.dtype))
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(inputs[0].clone())
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        identity(at.values[0].shape(), at.values[0].shape())
    }
}

/// `x.reshape(shape)`: a view where memory allows it, else a copy.
///
/// # Errors
/// A shape of another size.
pub fn reshape(x: &Variable, wanted: &[i64]) -> Outcome<Variable> {
    let to = shape::infer(wanted, x.numel())?;
    match x.layout().viewed(&to) {
        Some(layout) => view(Rc::new(Reshape::view(&to)), x, layout),
        None => {
            let copy = apply(Rc::new(Clone), std::slice::from_ref(x))?;
            let op = Reshape::named(&to, "reshape", "UnsafeViewBackward0");
            apply(Rc::new(op), &[copy])
        }
    }
}

/// `x.view(shape)`.
///
/// # Errors
/// A shape of another size, or one that memory cannot show.
pub fn view_as(x: &Variable, wanted: &[i64]) -> Outcome<Variable> {
    let to = shape::infer(wanted, x.numel())?;
    match x.layout().viewed(&to) {
        Some(layout) => view(Rc::new(Reshape::view(&to)), x, layout),
        None => Err(torch_says::view_incompatible()),
    }
}

/// A view of part of `x`'s memory, recorded under a name.
///
/// # Errors
/// The budget.
pub fn strided(
    x: &Variable,
    layout: Layout,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<Variable> {
    let wires = layout.wires(&x.layout());
    view(
        Rc::new(View {
            name,
            grad_fn,
            wires,
        }),
        x,
        layout,
    )
}

/// `x.permute(dims)`; `x.T` reverses them.
///
/// # Errors
/// Dimensions out of range or repeated.
pub fn permute(x: &Variable, dims: &[i64]) -> Outcome<Variable> {
    let rank = x.rank();
    if dims.len() != rank {
        complain!(
            Kind::Runtime,
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = {rank} is not equal to len(dims) = {}",
            dims.len()
        );
    }
    let order = shape::axes(dims, rank)?;
    let layout = permuted(&x.layout(), &order);
    strided(x, layout, "permute", "PermuteBackward0")
}

pub static ENTRIES: &[Entry] = &[
    Entry {
        name: "reshape",
        aliases: &[],
        forms: USUAL.and(Forms::NP),
        signature: "(Tensor input, int[] shape)",
        formula: "y = x in another shape; ∂y/∂x: each output is its input",
        example: "reshape([1, 2, 3, 4], [2, 2])",
        see_also: &["view", "flatten"],
        call: |b| {
            let dims = b.ints(1).unwrap_or_default();
            Ok(Out::One(reshape(&b.tensor(0)?, &dims)?))
        },
    },
    Entry {
        name: "view",
        aliases: &[],
        forms: Forms::METHOD,
        signature: "(Tensor input, int[] size)",
        formula: "y = x in another shape, in the same memory",
        example: "tensor([1, 2, 3, 4]).view(2, 2)",
        see_also: &["reshape"],
        call: |b| {
            let dims = b.ints(1).unwrap_or_default();
            Ok(Out::One(view_as(&b.tensor(0)?, &dims)?))
        },
    },
    Entry {
        name: "permute",
        aliases: &[],
        forms: USUAL,
        signature: "(Tensor input, int[] dims)",
        formula: "dimensions in another order",
        example: "permute([[1, 2], [3, 4]], [1, 0])",
        see_also: &["transpose"],
        call: |b| {
            let dims = b.ints(1).unwrap_or_default();
            Ok(Out::One(permute(&b.tensor(0)?, &dims)?))
        },
    },
];
