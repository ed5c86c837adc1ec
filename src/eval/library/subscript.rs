//! What stands between the brackets of `x[…]`: a plan of views and of lists of positions.

use super::nested::{Reader, tensor_of};
use super::types::name_of;
use crate::complain;
use crate::eval::value::Value;
use crate::maths::complaint::{Complaint, Kind, Outcome};
use crate::maths::store::Layout;
use crate::maths::tensor::{Dtype, Tensor};
use crate::maths::torch_says;
use crate::maths::variable::Variable;

/// Whose rules and words hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    Torch,
    Numpy,
}

/// A view of a view.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Select { dim: usize, at: usize },
    Slice { dim: usize, start: usize, length: usize, step: usize },
    Unsqueeze { dim: usize },
}

/// Positions chosen along a dimension of the view.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    pub dim: usize,
    pub shape: Vec<usize>,
    pub index: Vec<usize>,
}

#[derive(Debug, Default)]
pub struct Plan {
    pub steps: Vec<Step>,
    pub picks: Vec<Pick>,
    /// One boolean mask chose.
    pub mask: bool,
}

impl Step {
    pub fn layout(&self, of: &Layout) -> Layout {
        let mut new = of.clone();
        match *self {
            Step::Select { dim, at } => {
                new.offset += at * new.strides[dim];
                new.shape.remove(dim);
                new.strides.remove(dim);
            }
            Step::Slice { dim, start, length, step } => {
                new.offset += start * new.strides[dim];
                new.shape[dim] = length;
                new.strides[dim] *= step;
            }
            Step::Unsqueeze { dim } => {
                let stride = match (of.shape.get(dim), of.strides.get(dim)) {
                    (Some(n), Some(s)) => n * s,
                    _ => 1,
                };
                new.shape.insert(dim, 1);
                new.strides.insert(dim, stride);
            }
        }
        new
    }

    pub fn name(&self) -> &'static str {
        match self {
            Step::Select { .. } => "select",
            Step::Slice { .. } => "slice",
            Step::Unsqueeze { .. } => "unsqueeze",
        }
    }

    pub fn grad_fn(&self) -> &'static str {
        match self {
            Step::Select { .. } => "SelectBackward0",
            Step::Slice { .. } => "SliceBackward0",
            Step::Unsqueeze { .. } => "UnsqueezeBackward0",
        }
    }
}

/// Reads an index for `t`.
///
/// # Errors
/// Out of range, too many, or no index at all.
pub fn plan(t: &Variable, key: &Value, library: Library) -> Outcome<Plan> {
    let items: Vec<Value> = match key {
        Value::Tuple(tuple) => tuple.items.clone(),
        other => vec![other.clone()],
    };
    let shape = t.shape();
    let mut used = 0;
    for item in &items {
        used += consumed(item)?;
    }
    if used > shape.len() {
        let plain = matches!(key, Value::Int(_) | Value::Number(_));
        return Err(match library {
            Library::Torch if shape.is_empty() && plain => torch_says::index_of_number(),
            Library::Torch => torch_says::too_many_indices(shape.len()),
            Library::Numpy => Complaint::new(
                Kind::Index,
                format!(
                    "too many indices for array: array is {}-dimensional, but {used} were indexed",
                    shape.len()
                ),
            ),
        });
    }
    let mut reading = Reading {
        plan: Plan::default(),
        shape,
        dim: 0,
        axis: 0,
        library,
        alone: items.len() == 1,
    };
    let rest = reading.shape.len() - used;
    for item in &items {
        reading.item(item, rest)?;
    }
    Ok(reading.plan)
}

/// How many dimensions an item takes.
fn consumed(item: &Value) -> Outcome<usize> {
    Ok(match item {
        Value::None | Value::Ellipsis | Value::Bool(_) => 0,
        Value::Tensor(t) | Value::Array(t) if matches!(t.dtype(), Dtype::Bool) => t.rank(),
        Value::List(_) => {
            let read = tensor_of(item, Reader::Torch)?;
            if read.dtype() == Dtype::Bool { read.rank() } else { 1 }
        }
        _ => 1,
    })
}

struct Reading {
    plan: Plan,
    /// Of the view so far.
    shape: Vec<usize>,
    /// Dimension of the view that comes next.
    dim: usize,
    /// Dimension of the original, for messages.
    axis: usize,
    library: Library,
    alone: bool,
}

impl Reading {
    fn item(&mut self, item: &Value, rest: usize) -> Outcome<()> {
        match item {
            Value::None => {
                self.plan.steps.push(Step::Unsqueeze { dim: self.dim });
                self.shape.insert(self.dim, 1);
                self.dim += 1;
                Ok(())
            }
            Value::Ellipsis => {
                self.dim += rest;
                self.axis += rest;
                Ok(())
            }
            Value::Bool(flag) => {
                self.plan.steps.push(Step::Unsqueeze { dim: self.dim });
                self.shape.insert(self.dim, 1);
                let index = if *flag { vec![0] } else { Vec::new() };
                self.pick(vec![index.len()], index);
                Ok(())
            }
            Value::Slice(bounds) => self.slice(bounds),
            Value::Tensor(t) | Value::Array(t) => self.tensor(&t.value()),
            Value::List(_) | Value::Range(_) | Value::Tuple(_) => {
                let read = tensor_of(item, Reader::Torch)?;
                let read = if read.numel() == 0 { read.to_dtype(Dtype::Int64) } else { read };
                self.tensor(&read)
            }
            Value::Str(_) if self.library == Library::Torch => {
                complain!(Kind::Type, "new(): invalid data type 'str'")
            }
            other => match other.as_int() {
                Some(i) => self.select(i),
                None => Err(self.no_index(other)),
            },
        }
    }

    fn no_index(&self, value: &Value) -> Box<Complaint> {
        Complaint::new(
            Kind::Index,
            match self.library {
                Library::Torch => format!(
                    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {})",
                    name_of(value)
                ),
                Library::Numpy => "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices".to_owned(),
            },
        )
    }

    fn select(&mut self, i: i64) -> Outcome<()> {
        let at = self.inside(i, self.shape[self.dim])?;
        self.plan.steps.push(Step::Select { dim: self.dim, at });
        self.shape.remove(self.dim);
        self.axis += 1;
        Ok(())
    }

    /// A position in a dimension of `size`, negative ones counted from its end.
    fn inside(&self, i: i64, size: usize) -> Outcome<usize> {
        let at = if i < 0 { i + size as i64 } else { i };
        if at < 0 || at >= size as i64 {
            return Err(match self.library {
                Library::Torch => torch_says::index_out_of_bounds(i, self.axis, size),
                Library::Numpy => Complaint::new(
                    Kind::Index,
                    format!("index {i} is out of bounds for axis {} with size {size}", self.axis),
                ),
            });
        }
        Ok(at as usize)
    }

    fn slice(&mut self, bounds: &[Value; 3]) -> Outcome<()> {
        let size = self.shape[self.dim] as i64;
        let bound = |v: &Value| match v {
            Value::None => Ok(None),
            other => super::bind::as_int(other).map(Some).ok_or_else(|| {
                Complaint::new(
                    Kind::Type,
                    "slice indices must be integers or None or have an __index__ method",
                )
            }),
        };
        let step = bound(&bounds[2])?.unwrap_or(1);
        if step == 0 {
            complain!(Kind::Value, "slice step cannot be zero");
        }
        if step < 0 && self.library == Library::Torch {
            complain!(Kind::Value, "step must be greater than zero");
        }
        let clamp = |v: i64, low: i64, high: i64| (if v < 0 { v + size } else { v }).clamp(low, high);
        let (first, last) = (bound(&bounds[0])?, bound(&bounds[1])?);
        if step < 0 {
            let start = first.map_or(size - 1, |v| clamp(v, -1, size - 1));
            let stop = last.map_or(-1, |v| clamp(v, -1, size - 1));
            let index: Vec<usize> = std::iter::successors(Some(start), |i| Some(i + step))
                .take_while(|i| *i > stop)
                .map(|i| i as usize)
                .collect();
            // Memory is only walked forwards here: backwards is a list of positions.
            self.pick(vec![index.len()], index);
            return Ok(());
        }
        let start = first.map_or(0, |v| clamp(v, 0, size));
        let stop = last.map_or(size, |v| clamp(v, 0, size)).max(start);
        let length = (stop - start + step - 1) / step;
        // PyTorch skips slices that change nothing, unless that is all there is.
        let whole = start == 0 && stop == size && step == 1;
        if !whole || self.alone {
            self.plan.steps.push(Step::Slice {
                dim: self.dim,
                start: start as usize,
                length: length as usize,
                step: step as usize,
            });
            self.shape[self.dim] = length as usize;
        }
        self.dim += 1;
        self.axis += 1;
        Ok(())
    }

    fn tensor(&mut self, index: &Tensor) -> Outcome<()> {
        match index.dtype() {
            Dtype::Bool => return self.mask(index),
            d if d.is_float() => {
                return Err(match self.library {
                    Library::Torch => Complaint::new(
                        Kind::Index,
                        "tensors used as indices must be long, int, byte or bool tensors",
                    ),
                    Library::Numpy => Complaint::new(
                        Kind::Index,
                        "arrays used as indices must be of integer (or boolean) type",
                    ),
                });
            }
            _ => {}
        }
        if let (0, Some(i)) = (index.rank(), index.item()) {
            return self.select(i as i64);
        }
        let size = self.shape[self.dim];
        let mut positions = Vec::with_capacity(index.numel());
        for &i in index.data() {
            positions.push(self.inside(i as i64, size)?);
        }
        self.pick(index.shape().to_vec(), positions);
        Ok(())
    }

    fn mask(&mut self, mask: &Tensor) -> Outcome<()> {
        let rank = mask.rank();
        let own = &self.shape[self.dim..self.dim + rank];
        if mask.shape() != own {
            let at = mask.shape().iter().zip(own).position(|(a, b)| a != b).unwrap_or(0);
            return Err(Complaint::new(
                Kind::Index,
                match self.library {
                    Library::Torch => format!(
                        "The shape of the mask {} at index {at} does not match the shape of the indexed tensor {} at index {at}",
                        torch_says::sizes(mask.shape()),
                        torch_says::sizes(&self.shape),
                    ),
                    Library::Numpy => format!(
                        "boolean index did not match indexed array along axis {}; size of axis is {} but size of corresponding boolean axis is {}",
                        self.axis + at,
                        own[at],
                        mask.shape()[at]
                    ),
                },
            ));
        }
        let chosen: Vec<usize> = mask.data().iter().enumerate().filter(|(_, v)| **v != 0.0).map(|(k, _)| k).collect();
        let strides = crate::maths::shape::strides(mask.shape());
        self.plan.mask = self.plan.picks.is_empty();
        for d in 0..rank {
            let along = chosen.iter().map(|k| k / strides[d].max(1) % mask.shape()[d].max(1)).collect();
            self.pick(vec![chosen.len()], along);
        }
        Ok(())
    }

    fn pick(&mut self, shape: Vec<usize>, index: Vec<usize>) {
        self.plan.picks.push(Pick { dim: self.dim, shape, index });
        self.dim += 1;
        self.axis += 1;
    }
}
