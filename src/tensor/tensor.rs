//! A tensor's value: numbers, a shape and the type they are said to have. Values never change;
//! what changes is which value a variable holds.

use super::budget;
use super::complaint::Outcome;
use super::shape;
use crate::sparse::Scattered;
use ndarray::{ArrayD, ArrayViewD, IxDyn};
use smallvec::SmallVec;
use std::rc::Rc;

pub use super::dtype::{Dtype, default_dtype, set_default_dtype};
pub use crate::dtype::{promote, promote_float};

/// Numbers in row-major order with a shape. Cloning is cheap: two words, the numbers shared.
#[derive(Clone, Debug)]
pub struct Tensor(Repr);

/// Either case carries the type, so that the whole is two words.
#[derive(Clone, Debug)]
enum Repr {
    Scalar { dtype: Dtype, weak: bool, value: f64 },
    Array { dtype: Dtype, weak: bool, array: Rc<Array> },
}

#[derive(Clone, Debug)]
struct Array {
    shape: SmallVec<[usize; 3]>,
    data: Data,
}

#[derive(Debug)]
enum Data {
    Own(Vec<f64>),
    /// Zeros in nearly all places.
    Scattered(Scattered),
    /// The numbers of an array of another shape, itself no such one.
    Of(Rc<Array>),
}

impl Clone for Data {
    fn clone(&self) -> Data {
        const LONG: usize = 1 << 16;
        match self {
            // Whoever wishes to stop does not look at the numbers.
            Data::Own(all) if all.len() > LONG => Data::Own(
                budget::copied(all)
                    .map_err(budget::refuse)
                    .unwrap_or_else(|()| vec![0.0; all.len()]),
            ),
            Data::Own(all) => Data::Own(all.clone()),
            Data::Scattered(all) => Data::Scattered(all.clone()),
            Data::Of(whole) => Data::Of(whole.clone()),
        }
    }
}

/// The shape of a scalar is not a dimension of these: an address that exists, for comparing with memory
/// that does not takes the processor a hundred times as long, even where nothing is to be compared.
static NO_DIMENSION: [usize; 1] = [0];

impl Array {
    fn data(&self) -> &[f64] {
        match &self.data {
            Data::Own(data) => data,
            Data::Scattered(all) => all.data(),
            Data::Of(array) => match &array.data {
                Data::Own(data) => data,
                Data::Scattered(all) => all.data(),
                Data::Of(_) => &[],
            },
        }
    }

    fn data_mut(&mut self) -> &mut [f64] {
        match &mut self.data {
            Data::Own(data) => data,
            Data::Scattered(all) => all.data_mut(),
            Data::Of(array) => Rc::make_mut(array).data_mut(),
        }
    }

    fn data_own(&mut self) -> Option<&mut [f64]> {
        match &mut self.data {
            Data::Own(data) => Some(data),
            Data::Scattered(all) => Some(all.data_mut()),
            Data::Of(array) => Rc::get_mut(array)?.data_own(),
        }
    }

    fn into_data(self) -> Vec<f64> {
        match self.data {
            Data::Own(data) => data,
            Data::Scattered(all) => all.into_data(),
            Data::Of(array) => Rc::unwrap_or_clone(array).into_data(),
        }
    }
}

impl Tensor {
    #[inline]
    pub fn scalar(value: f64) -> Tensor {
        Tensor(Repr::Scalar { dtype: Dtype::Float64, weak: false, value })
    }

    /// A Python number: its type gives way to that of real tensors (PyTorch's wrapped number).
    #[inline]
    pub fn number(value: f64, dtype: Dtype) -> Tensor {
        Tensor(Repr::Scalar { dtype, weak: true, value })
    }

    /// From row-major data; `data.len()` is the product of `shape`.
    #[inline]
    pub fn new(shape: &[usize], data: Vec<f64>) -> Tensor {
        debug_assert_eq!(data.len(), shape.iter().product::<usize>());
        match (shape, data.as_slice()) {
            ([], [value]) => Tensor::scalar(*value),
            _ => Tensor::array(shape, Data::Own(data), Dtype::Float64, false),
        }
    }

    /// From row-major data that is zero in nearly all places.
    pub fn scattered(shape: &[usize], data: Scattered) -> Tensor {
        debug_assert_eq!(data.data().len(), shape.iter().product::<usize>());
        match (shape, data.data()) {
            ([], [value]) => Tensor::scalar(*value),
            _ => Tensor::array(shape, Data::Scattered(data), Dtype::Float64, false),
        }
    }

    #[inline(always)]
    fn array(shape: &[usize], data: Data, dtype: Dtype, weak: bool) -> Tensor {
        let shape = SmallVec::from_slice(shape);
        Tensor(Repr::Array { dtype, weak, array: Rc::new(Array { shape, data }) })
    }

    /// Like [`Tensor::new`], the numbers made legal for `dtype`.
    #[inline]
    pub fn typed(shape: &[usize], mut data: Vec<f64>, dtype: Dtype) -> Tensor {
        dtype.cast_all(&mut data);
        Tensor::new(shape, data).with_dtype(dtype)
    }

    /// All elements `value`.
    ///
    /// # Errors
    /// Too large for the budget.
    pub fn filled(shape: &[usize], value: f64, dtype: Dtype) -> Outcome<Tensor> {
        let count = shape::count(shape)?;
        let value = dtype.cast(value);
        let data = match value.to_bits() {
            0 => vec![0.0; count],
            _ => budget::listed(count, |_| value)?,
        };
        Ok(Tensor::new(shape, data).with_dtype(dtype))
    }

    /// From an array, made contiguous (row-major).
    pub fn from_array(array: ArrayD<f64>) -> Tensor {
        let shape: SmallVec<[usize; 3]> = array.shape().into();
        let data = if array.is_standard_layout() {
            let (data, offset) = array.into_raw_vec_and_offset();
            match offset {
                Some(o) if o > 0 => data[o..o + shape.iter().product::<usize>()].to_vec(),
                _ => data,
            }
        } else {
            array.iter().copied().collect()
        };
        Tensor::new(&shape, data)
    }

    /// The same numbers under another name of type; the numbers must already be legal for it.
    #[inline]
    pub fn with_dtype(mut self, to: Dtype) -> Tensor {
        match &mut self.0 {
            Repr::Scalar { dtype, .. } | Repr::Array { dtype, .. } => *dtype = to,
        }
        self
    }

    /// Marked as a Python number, or as a real tensor.
    #[inline]
    pub fn with_weak(mut self, to: bool) -> Tensor {
        match &mut self.0 {
            Repr::Scalar { weak, .. } | Repr::Array { weak, .. } => *weak = to,
        }
        self
    }

    /// Whether this came from a Python number.
    #[inline]
    pub fn is_weak(&self) -> bool {
        match &self.0 {
            Repr::Scalar { weak, .. } | Repr::Array { weak, .. } => *weak,
        }
    }

    /// Converted: rounded, truncated or compared with 0.
    pub fn to_dtype(&self, dtype: Dtype) -> Tensor {
        let own = self.dtype();
        // A Python number is not yet rounded to the type that it has.
        if dtype == own && !(self.is_weak() && own.is_short()) {
            return self.clone().with_weak(false);
        }
        let exact = own.fits(dtype);
        if exact {
            return self.clone().with_dtype(dtype).with_weak(false);
        }
        let convert = match own.is_float() && !dtype.is_float() && dtype != Dtype::Bool {
            true => crate::exact_integers::of_float,
            false => |v: f64, to: Dtype| to.cast(v),
        };
        let mut data = Vec::with_capacity(self.numel());
        for chunk in budget::unless_stopped(self.data().chunks(crate::kernels::strided::CHUNK)) {
            data.extend(chunk.iter().map(|v| convert(*v, dtype)));
        }
        // Whoever wishes to stop does not look at the rest.
        data.resize(self.numel(), 0.0);
        Tensor::new(self.shape(), data).with_dtype(dtype)
    }

    /// The same numbers in another shape of the same size, without copying.
    pub fn reshaped(&self, to: &[usize]) -> Tensor {
        debug_assert_eq!(self.numel(), to.iter().product::<usize>());
        let (dtype, weak) = (self.dtype(), self.is_weak() && to.is_empty());
        match (&self.0, to) {
            (_, []) => Tensor(Repr::Scalar { dtype, weak, value: self.data()[0] }),
            (Repr::Scalar { value, .. }, _) => {
                Tensor::array(to, Data::Own(vec![*value]), dtype, weak)
            }
            (Repr::Array { array, .. }, _) if *array.shape == *to => self.clone().with_weak(weak),
            (Repr::Array { array, .. }, _) => {
                let root = match &array.data {
                    Data::Own(_) | Data::Scattered(_) => array,
                    Data::Of(root) => root,
                };
                Tensor::array(to, Data::Of(root.clone()), dtype, weak)
            }
        }
    }

    #[inline]
    pub fn dtype(&self) -> Dtype {
        match &self.0 {
            Repr::Scalar { dtype, .. } | Repr::Array { dtype, .. } => *dtype,
        }
    }

    #[inline]
    pub fn shape(&self) -> &[usize] {
        match &self.0 {
            Repr::Scalar { .. } => &NO_DIMENSION[..0],
            Repr::Array { array, .. } => &array.shape,
        }
    }

    #[inline]
    pub fn rank(&self) -> usize {
        self.shape().len()
    }

    pub fn numel(&self) -> usize {
        self.data().len()
    }

    /// The elements, row-major.
    #[inline]
    pub fn data(&self) -> &[f64] {
        match &self.0 {
            Repr::Scalar { value, .. } => std::slice::from_ref(value),
            Repr::Array { array, .. } => array.data(),
        }
    }

    /// Whether it has the same shape, and in every place the same bits.
    pub fn is_identical(&self, other: &Tensor) -> bool {
        let (a, b) = (self.data(), other.data());
        self.shape() == other.shape()
            && (std::ptr::eq(a, b) || a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits()))
    }

    /// The elements for writing: copied first where another tensor shares them.
    pub fn data_mut(&mut self) -> &mut [f64] {
        match &mut self.0 {
            Repr::Scalar { value, .. } => std::slice::from_mut(value),
            Repr::Array { array, .. } => Rc::make_mut(array).data_mut(),
        }
    }

    /// The elements for writing, where no other tensor shares them.
    pub fn data_own(&mut self) -> Option<&mut [f64]> {
        match &mut self.0 {
            Repr::Scalar { value, .. } => Some(std::slice::from_mut(value)),
            Repr::Array { array, .. } => Rc::get_mut(array)?.data_own(),
        }
    }

    /// The elements, taken out.
    pub fn into_data(self) -> Vec<f64> {
        match self.0 {
            Repr::Scalar { value, .. } => vec![value],
            Repr::Array { array, .. } => Rc::unwrap_or_clone(array).into_data(),
        }
    }

    pub fn view(&self) -> ArrayViewD<'_, f64> {
        ArrayViewD::from_shape(IxDyn(self.shape()), self.data())
            .expect("data has the size of its shape")
    }

    /// The number of a tensor without dimensions.
    #[inline]
    pub fn as_scalar(&self) -> Option<f64> {
        match &self.0 {
            Repr::Scalar { value, .. } => Some(*value),
            Repr::Array { .. } => None,
        }
    }

    /// The number of a double without dimensions that is no Python number.
    #[inline(always)]
    pub fn as_double(&self) -> Option<f64> {
        match self.0 {
            Repr::Scalar { dtype: Dtype::Float64, weak: false, value } => Some(value),
            _ => None,
        }
    }

    /// The number of a tensor without dimensions whose type rounds nothing.
    #[inline(always)]
    pub fn as_exact(&self) -> Option<f64> {
        match self.0 {
            Repr::Scalar { dtype: Dtype::Float64 | Dtype::Int64, value, .. } => Some(value),
            _ => None,
        }
    }

    /// The one element of a tensor that has one.
    pub fn item(&self) -> Option<f64> {
        match self.data() {
            [v] => Some(*v),
            _ => None,
        }
    }

    /// Each element through `f`, the results made legal for `dtype`.
    ///
    /// # Errors
    /// Too large for the budget, or a wish to stop.
    pub fn map(&self, dtype: Dtype, f: impl Fn(f64) -> f64) -> Outcome<Tensor> {
        if let Repr::Scalar { value, .. } = self.0 {
            return Ok(Tensor::scalar(dtype.cast(f(value))).with_dtype(dtype));
        }
        let mut out = budget::vec(self.numel())?;
        for chunk in self.data().chunks(crate::kernels::strided::CHUNK) {
            out.extend(chunk.iter().map(|v| f(*v)));
            budget::tick()?;
        }
        Ok(Tensor::typed(self.shape(), out, dtype))
    }
}
