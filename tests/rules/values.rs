//! Arrays of a case: their numbers, how they are written, how they are moved to points without ties.

use vjp::maths::autodiff::variable::Variable;
use vjp::tensor::tensor::Dtype;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Float,
    Int,
    Bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    pub shape: Vec<usize>,
    pub data: Vec<f64>,
    pub kind: Kind,
}

impl Data {
    pub fn of(v: &Variable) -> Data {
        let kind = match v.dtype() {
            Dtype::Bool => Kind::Bool,
            d if d.is_float() => Kind::Float,
            _ => Kind::Int,
        };
        Data { shape: v.shape(), data: v.value().data().to_vec(), kind }
    }

    /// The same numbers, as often as needed, in another shape.
    pub fn shaped(&self, shape: &[usize]) -> Data {
        let n: usize = shape.iter().product();
        let from: &[f64] = if self.data.is_empty() { &[0.5] } else { &self.data };
        Data {
            shape: shape.to_vec(),
            data: (0..n).map(|k| from[k % from.len()]).collect(),
            kind: self.kind,
        }
    }

    /// Moved a little, each element otherwise: no ties, no corners.
    pub fn generic(&self, which: usize) -> Data {
        let mut moved = self.clone();
        if self.kind == Kind::Float {
            for (k, x) in moved.data.iter_mut().enumerate() {
                let by = 0.05 + 0.04 * (2.3 * k as f64 + 1.7 * which as f64).sin();
                *x = ((*x + by) * 1e4).round() / 1e4;
            }
        }
        moved
    }

    /// `pattern` in place of the first elements; None where there are none.
    pub fn beginning(&self, pattern: &[f64]) -> Option<Data> {
        let mut changed = self.clone();
        let slots = changed.data.iter_mut().zip(pattern);
        slots.for_each(|(x, p)| *x = *p);
        (!self.data.is_empty()).then_some(changed)
    }

    /// All elements from `pattern`, again and again.
    pub fn filled(&self, pattern: &[f64]) -> Data {
        let mut changed = self.clone();
        for (k, x) in changed.data.iter_mut().enumerate() {
            *x = pattern[k % pattern.len()];
        }
        changed
    }

    /// As Python writes it.
    pub fn literal(&self) -> String {
        if self.data.is_empty() {
            let dtype = match self.kind {
                Kind::Float => "",
                Kind::Int => ", dtype=torch.int64",
                Kind::Bool => ", dtype=torch.bool",
            };
            let shape: Vec<String> = self.shape.iter().map(usize::to_string).collect();
            return format!("torch.zeros(({},){dtype})", shape.join(", "));
        }
        self.nested(&self.shape, &self.data)
    }

    fn nested(&self, shape: &[usize], data: &[f64]) -> String {
        let Some((n, rest)) = shape.split_first() else {
            return self.number(data[0]);
        };
        let step = rest.iter().product::<usize>();
        let parts: Vec<String> =
            (0..*n).map(|k| self.nested(rest, &data[k * step..(k + 1) * step])).collect();
        format!("[{}]", parts.join(", "))
    }

    fn number(&self, x: f64) -> String {
        match self.kind {
            Kind::Bool if x != 0.0 => "True".to_owned(),
            Kind::Bool => "False".to_owned(),
            Kind::Int => format!("{x:.0}"),
            Kind::Float if x.is_nan() => "nan".to_owned(),
            Kind::Float => format!("{x:?}"),
        }
    }
}
