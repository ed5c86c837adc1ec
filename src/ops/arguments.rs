//! Arguments of an operation after binding, and its results.

use smallvec::SmallVec;
use vjp_maths::Variable;
use vjp_tensor::{Dtype, Kind, Outcome, Scalar, Tensor, complain, exact_integers, mixed_dtypes};

/// One argument.
#[derive(Clone, Debug, Default)]
pub enum Arg {
    /// Not given: the default holds.
    #[default]
    Missing,
    None,
    Tensor(Variable),
    Tensors(Vec<Variable>),
    Scalar(Scalar),
    Ints(Vec<i64>),
    Str(String),
    Dtype(Dtype),
}

impl From<&Variable> for Arg {
    fn from(v: &Variable) -> Arg {
        Arg::Tensor(v.clone())
    }
}

impl From<f64> for Arg {
    fn from(v: f64) -> Arg {
        Arg::Scalar(Scalar::Float(v))
    }
}

impl From<i64> for Arg {
    fn from(v: i64) -> Arg {
        Arg::Scalar(Scalar::Int(v))
    }
}

impl From<bool> for Arg {
    fn from(v: bool) -> Arg {
        Arg::Scalar(Scalar::Bool(v))
    }
}

impl From<&[i64]> for Arg {
    fn from(v: &[i64]) -> Arg {
        Arg::Ints(v.to_vec())
    }
}

/// Arguments in a row, most often few.
pub type Args = SmallVec<[Arg; 3]>;

/// The arguments of a call, by position in the signature.
#[derive(Debug)]
pub struct Bound {
    pub name: &'static str,
    pub args: Args,
    /// Which line of the signature was matched.
    pub overload: usize,
}

impl Bound {
    pub fn new(name: &'static str, args: impl Into<Args>) -> Bound {
        Bound { name, args: args.into(), overload: 0 }
    }

    /// All that are tensors.
    pub fn all_tensors(&self) -> impl Iterator<Item = &Variable> + Clone {
        self.args.iter().filter_map(|arg| match arg {
            Arg::Tensor(x) => Some(x),
            _ => None,
        })
    }

    /// Makes floats of whole numbers, where no argument is more than a bare number; false where there
    /// is nothing to make.
    pub(super) fn floats_of_bare_numbers(&mut self) -> bool {
        // Under strict a bare number is not a tensor.
        if !mixed_dtypes::is_allowed() {
            return false;
        }
        let mut made = false;
        for arg in &mut self.args {
            match arg {
                Arg::Tensor(v) if !v.is_number() => return false,
                Arg::Tensor(v) if !v.dtype().is_float() => {
                    let number = v.value().item().unwrap_or(0.0);
                    *v = Variable::constant(Tensor::number(number, Dtype::Float64));
                    made = true;
                }
                _ => {}
            }
        }
        made
    }

    pub fn arg(&self, k: usize) -> &Arg {
        self.args.get(k).unwrap_or(&Arg::Missing)
    }

    /// Whether it was given (and not as None).
    pub fn has(&self, k: usize) -> bool {
        !matches!(self.arg(k), Arg::Missing | Arg::None)
    }

    /// A tensor; a number becomes a weak 0-d one.
    pub fn tensor(&self, k: usize) -> Outcome<Variable> {
        match self.arg(k) {
            Arg::Tensor(v) => Ok(v.clone()),
            Arg::Scalar(s) => Ok(Variable::constant(s.tensor())),
            other => complain!(
                Kind::Type,
                "{}(): argument (position {}) must be Tensor, not {}",
                self.name,
                k + 1,
                other.kind()
            ),
        }
    }

    /// A tensor, or a number that elements of type `dtype` become.
    ///
    /// # Errors
    /// A number that the type does not reach.
    pub fn filling(&self, k: usize, dtype: Dtype) -> Outcome<Variable> {
        if let Arg::Scalar(s) = self.arg(k) {
            exact_integers::scalar(s.value(), !matches!(s, Scalar::Float(_)), dtype)?;
        }
        self.tensor(k)
    }

    pub fn tensors(&self, k: usize) -> Vec<Variable> {
        match self.arg(k) {
            Arg::Tensors(v) => v.clone(),
            Arg::Tensor(v) => vec![v.clone()],
            _ => Vec::new(),
        }
    }

    pub fn scalar(&self, k: usize) -> Option<Scalar> {
        match self.arg(k) {
            Arg::Scalar(s) => Some(*s),
            Arg::Ints(i) if i.len() == 1 => Some(Scalar::Int(i[0])),
            Arg::Tensor(v) => v.value().item_scalar(),
            _ => None,
        }
    }

    /// As a double: an int is rounded beside floats, and no integers are computed with what it is not.
    pub fn float(&self, k: usize) -> Option<f64> {
        let scalar = self.scalar(k)?;
        let float = |a: &Arg| matches!(a, Arg::Tensor(t) if t.dtype().is_float());
        if let Scalar::Int(i) = scalar
            && !self.args.iter().any(float)
        {
            return Some(exact_integers::double(i));
        }
        Some(scalar.value())
    }

    pub fn float_or(&self, k: usize, default: f64) -> f64 {
        self.float(k).unwrap_or(default)
    }

    pub fn int(&self, k: usize) -> Option<i64> {
        match self.scalar(k) {
            Some(Scalar::Int(i)) => Some(i),
            Some(Scalar::Bool(b)) => Some(i64::from(b)),
            _ => None,
        }
    }

    pub fn int_or(&self, k: usize, default: i64) -> i64 {
        self.int(k).unwrap_or(default)
    }

    /// An int or several; None where not given.
    pub fn ints(&self, k: usize) -> Option<Vec<i64>> {
        match self.arg(k) {
            Arg::Ints(v) => Some(v.clone()),
            _ => self.int(k).map(|i| vec![i]),
        }
    }

    pub fn bool_or(&self, k: usize, default: bool) -> bool {
        self.scalar(k).map_or(default, |s| s.value() != 0.0)
    }

    pub fn str_or<'a>(&'a self, k: usize, default: &'a str) -> &'a str {
        match self.arg(k) {
            Arg::Str(s) => s,
            _ => default,
        }
    }

    pub fn dtype(&self, k: usize) -> Option<Dtype> {
        match self.arg(k) {
            Arg::Dtype(d) => Some(*d),
            _ => None,
        }
    }
}

impl Arg {
    /// Python's name of the type.
    pub fn kind(&self) -> &'static str {
        match self {
            Arg::Missing | Arg::None => "NoneType",
            Arg::Tensor(_) => "Tensor",
            Arg::Tensors(_) => "tuple of Tensors",
            Arg::Scalar(Scalar::Bool(_)) => "bool",
            Arg::Scalar(Scalar::Int(_)) => "int",
            Arg::Scalar(Scalar::Float(_)) => "float",
            Arg::Ints(_) => "tuple of ints",
            Arg::Str(_) => "str",
            Arg::Dtype(_) => "torch.dtype",
        }
    }
}

/// What an operation gives.
#[derive(Clone, Debug)]
pub enum Out {
    One(Variable),
    /// A tuple.
    Many(Vec<Variable>),
    /// `torch.return_types.max(values=…, indices=…)`.
    Named(&'static str, Vec<(&'static str, Variable)>),
    Bool(bool),
    Int(i64),
}
