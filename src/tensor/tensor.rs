//! A tensor's value: numbers, a shape and the type they are said to have. Values never change;
//! what changes is which value a variable holds.

use super::budget;
use super::complaint::Outcome;
use super::exact_integers::{self, Exact, by_doubles_or_longs, is_exact};
use super::matrix::{Manner, manner};
use super::shape;
use super::storage::element::{Element, is_single};
use super::storage::late::{Late, Recipe};
use super::storage::numbers::{Array, Data, Kept, Numbers, Stored};
use crate::kernels::single::shorten;
use crate::kernels::strided::CHUNK;
use crate::sparse::Scattered;
use crate::{Scalar, with_floats, with_floats_mut, with_numbers};
use ndarray::{ArrayD, ArrayViewD, IxDyn};
use smallvec::SmallVec;
use std::rc::Rc;

pub use super::dtype::{Dtype, default_dtype, set_default_dtype};

/// Numbers in row-major order with a shape. Cloning is cheap: two words, the numbers shared.
#[derive(Clone, Debug)]
pub struct Tensor(Repr);

/// Either case carries the type, so that the whole is two words.
#[derive(Clone, Debug)]
enum Repr {
    Scalar { dtype: Dtype, weak: bool, value: f64 },
    Array { dtype: Dtype, weak: bool, array: Rc<Array> },
}

/// The shape of a scalar is not a dimension of these: an address that exists, for comparing with memory
/// that does not takes the processor a hundred times as long, even where nothing is to be compared.
static NO_DIMENSION: [usize; 1] = [0];

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

    /// A Python int.
    #[inline]
    pub fn integer(value: i64) -> Tensor {
        match is_exact(value) {
            true => Tensor::number(value as f64, Dtype::Int64),
            false => Tensor::from_whole(&[], vec![value], Dtype::Int64).with_weak(true),
        }
    }

    /// Float32.
    pub fn from_single(shape: &[usize], data: Vec<f32>) -> Tensor {
        debug_assert_eq!(data.len(), shape.iter().product::<usize>());
        match (shape, data.as_slice()) {
            ([], [value]) => Tensor::scalar(f64::from(*value)).with_dtype(Dtype::Float32),
            _ => Tensor::array(shape, Data::Single(Kept::new(data)), Dtype::Float32, false),
        }
    }

    /// Whole numbers, wrapped around in their type; as doubles, where these are equal to them.
    pub fn from_whole(shape: &[usize], mut data: Vec<i64>, dtype: Dtype) -> Tensor {
        debug_assert_eq!(data.len(), shape.iter().product::<usize>());
        if dtype != Dtype::Int64 {
            data.iter_mut().for_each(|v| *v = exact_integers::wrapped(*v, dtype));
        }
        match data.iter().all(|v| is_exact(*v)) {
            true => {
                let data = data.into_iter().map(|v| v as f64).collect();
                Tensor::new(shape, data).with_dtype(dtype)
            }
            false => Tensor::array(shape, Data::Long(Kept::new(data)), dtype, false),
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
        if is_single(dtype, data.len())
            && let Ok(short) = shorten(&data)
        {
            return Tensor::from_single(shape, short);
        }
        dtype.cast_all(&mut data);
        Tensor::new(shape, data).with_dtype(dtype)
    }

    /// All elements `value`.
    pub fn filled(shape: &[usize], value: f64, dtype: Dtype) -> Outcome<Tensor> {
        let count = shape::count(shape)?;
        let value = dtype.cast(value);
        /// Zeros are the system's: nobody writes them.
        fn all<T: Element>(count: usize, value: T, zero: bool) -> Outcome<Vec<T>> {
            if zero { Ok(vec![value; count]) } else { budget::listed(count, |_| value) }
        }
        let zero = value.to_bits() == 0;
        Ok(match is_single(dtype, count) {
            true => Tensor::from_single(shape, all(count, value as f32, zero)?),
            false => Tensor::new(shape, all(count, value, zero)?).with_dtype(dtype),
        })
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
        if let Some(all) = self.long() {
            return of_long(self.shape(), all, dtype);
        }
        if own.fits(dtype) {
            return self.clone().with_dtype(dtype).with_weak(false);
        }
        let convert = match own.is_float() && !dtype.is_float() && dtype != Dtype::Bool {
            true => exact_integers::of_float,
            false => |v: f64, to: Dtype| to.cast(v),
        };
        let data = match is_single(dtype, self.numel()) {
            true => {
                return with_floats!(self, all => self.converted(all, |v| v as f32))
                    .with_dtype(dtype);
            }
            false => with_floats!(self, all => self.converted(all, |v| convert(v, dtype))),
        };
        data.with_dtype(dtype)
    }

    /// Each element through `f`.
    fn converted<T: Element, R: Stored>(&self, all: &[T], f: impl Fn(f64) -> R) -> Tensor {
        let mut data = Vec::with_capacity(all.len());
        for chunk in budget::unless_stopped(all.chunks(CHUNK)) {
            data.extend(chunk.iter().map(|v| f(v.wide())));
        }
        // Whoever wishes to stop does not look at the rest.
        data.resize(all.len(), R::default());
        R::tensor(self.shape(), data, Dtype::Float64)
    }

    /// The same numbers in another shape of the same size, without copying.
    pub fn reshaped(&self, to: &[usize]) -> Tensor {
        debug_assert_eq!(self.numel(), to.iter().product::<usize>());
        let (dtype, weak) = (self.dtype(), self.is_weak() && to.is_empty());
        match (&self.0, to) {
            (_, []) if self.long().is_none() => {
                let value = with_numbers!(self, all => all[0].wide());
                Tensor(Repr::Scalar { dtype, weak, value })
            }
            (Repr::Scalar { value, .. }, _) => {
                Tensor::array(to, Data::Own(vec![*value]), dtype, weak)
            }
            (Repr::Array { array, .. }, _) if *array.shape == *to => self.clone().with_weak(weak),
            (Repr::Array { array, .. }, _) => {
                let root = match &array.data {
                    Data::Of(root) => root,
                    _ => array,
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
        match &self.0 {
            Repr::Scalar { .. } => 1,
            Repr::Array { array, .. } => array.len(),
        }
    }

    /// Numbers of this type that are computed when somebody asks for them.
    pub fn late(shape: &[usize], dtype: Dtype, recipe: impl Recipe) -> Tensor {
        Tensor::array(shape, Data::Late(Rc::new(Late::new(recipe))), dtype, false)
    }

    /// What is not computed yet.
    #[inline]
    pub fn as_late(&self) -> Option<&Rc<Late>> {
        match &self.0 {
            Repr::Scalar { .. } => None,
            Repr::Array { array, .. } => array.late(),
        }
    }

    /// The numbers, which nobody else need have.
    pub(crate) fn into_numbers(self) -> Data {
        match self.0 {
            Repr::Scalar { value, .. } => Data::Own(vec![value]),
            Repr::Array { array, .. } => Rc::unwrap_or_clone(array).data,
        }
    }

    /// The elements where they lie, row-major.
    #[inline]
    pub fn numbers(&self) -> Numbers<'_> {
        match &self.0 {
            Repr::Scalar { value, .. } => Numbers::Double(std::slice::from_ref(value)),
            Repr::Array { array, .. } => array.numbers(),
        }
    }

    /// The elements, where they lie as float32.
    #[inline]
    pub fn single(&self) -> Option<&[f32]> {
        match self.numbers() {
            Numbers::Single(all) => Some(all),
            _ => None,
        }
    }

    /// The elements, where some are integers that no double is equal to.
    #[inline]
    pub fn long(&self) -> Option<&[i64]> {
        if self.as_late().is_some() {
            return None;
        }
        match self.numbers() {
            Numbers::Long(all) => Some(all),
            _ => None,
        }
    }

    /// The elements as doubles, row-major: widened once where they lie in another type.
    #[inline]
    pub fn data(&self) -> &[f64] {
        match &self.0 {
            Repr::Scalar { value, .. } => std::slice::from_ref(value),
            Repr::Array { array, .. } => array.data(),
        }
    }

    /// Whether both read the same memory.
    pub fn shares_numbers(&self, other: &Tensor) -> bool {
        if let (Some(a), Some(b)) = (self.as_late(), other.as_late()) {
            return Rc::ptr_eq(a, b);
        }
        match (self.numbers(), other.numbers()) {
            (Numbers::Double(a), Numbers::Double(b)) => std::ptr::eq(a, b),
            (Numbers::Single(a), Numbers::Single(b)) => std::ptr::eq(a, b),
            (Numbers::Long(a), Numbers::Long(b)) => std::ptr::eq(a, b),
            _ => false,
        }
    }

    /// Whether it has the same shape, and in every place the same bits.
    pub fn is_identical(&self, other: &Tensor) -> bool {
        fn alike<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
            std::ptr::eq(a, b) || a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        self.shape() == other.shape()
            && match (self.numbers(), other.numbers()) {
                (Numbers::Single(a), Numbers::Single(b)) => {
                    alike(a, b, |a, b| a.to_bits() == b.to_bits())
                }
                (Numbers::Long(a), Numbers::Long(b)) => alike(a, b, i64::eq),
                (Numbers::Long(_), _) | (_, Numbers::Long(_)) => false,
                _ => alike(self.data(), other.data(), |a, b| a.to_bits() == b.to_bits()),
            }
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

    /// The elements for writing, where they lie as float32: copied first where another tensor shares them.
    pub fn single_mut(&mut self) -> Option<&mut [f32]> {
        match &mut self.0 {
            Repr::Array { array, .. } if array.is_single() => Rc::make_mut(array).single_mut(),
            _ => None,
        }
    }

    /// 0 for -0.
    pub fn unsign(&mut self) {
        with_floats_mut!(self, all => all.iter_mut().for_each(|v| *v += 0.0));
    }

    /// The elements for writing, where they lie as float32 and no other tensor shares them.
    pub fn single_own(&mut self) -> Option<&mut [f32]> {
        match &mut self.0 {
            Repr::Scalar { .. } => None,
            Repr::Array { array, .. } => Rc::get_mut(array)?.single_own(),
        }
    }

    /// Writes `values`, of the same type, at these places.
    pub fn put(&mut self, places: impl Iterator<Item = usize>, values: &Tensor) {
        if self.long().is_some() || values.long().is_some() {
            let mut all = exact_integers::longs(self).into_owned();
            for (at, v) in places.zip(&*exact_integers::longs(values)) {
                all[at] = *v;
            }
            *self = Tensor::from_whole(self.shape(), all, self.dtype());
            return;
        }
        if let Some(all) = self.single_mut() {
            return with_floats!(values, values => {
                places.zip(values).for_each(|(at, v)| all[at] = v.wide() as f32);
            });
        }
        let all = self.data_mut();
        places.zip(values.data()).for_each(|(at, v)| all[at] = *v);
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
        if self.as_late().is_some() {
            return None;
        }
        match self.numbers() {
            Numbers::Double([v]) => Some(*v),
            Numbers::Single([v]) => Some(f64::from(*v)),
            Numbers::Long([_]) => self.data().first().copied(),
            _ => None,
        }
    }

    /// The one element of a tensor that has one, as Python has it.
    pub fn item_scalar(&self) -> Option<Scalar> {
        with_numbers!(self, all => match all {
            [v] => Some(v.scalar(self.dtype())),
            _ => None,
        })
    }

    /// Each element through `f`, the results made legal for `dtype`.
    pub fn map(&self, dtype: Dtype, f: impl Fn(f64) -> f64) -> Outcome<Tensor> {
        if let Repr::Scalar { value, .. } = self.0 {
            return Ok(Tensor::scalar(dtype.cast(f(value))).with_dtype(dtype));
        }
        fn all<T: Element, R>(from: &[T], f: impl Fn(f64) -> R) -> Outcome<Vec<R>> {
            let mut out = budget::vec(from.len())?;
            for chunk in from.chunks(CHUNK) {
                out.extend(chunk.iter().map(|v| f(v.wide())));
                budget::tick()?;
            }
            Ok(out)
        }
        Ok(match is_single(dtype, self.numel()) {
            true => {
                Tensor::from_single(self.shape(), with_floats!(self, v => all(v, |v| f(v) as f32))?)
            }
            false => Tensor::typed(self.shape(), with_floats!(self, v => all(v, &f))?, dtype),
        })
    }
}

impl Tensor {
    /// Each whole number through `f`, the results wrapped around in `dtype`.
    pub fn map_whole(&self, dtype: Dtype, f: impl Fn(i64) -> i64) -> Outcome<Tensor> {
        let doubles = |exact: &Exact| self.map(dtype, |v| exact.take(f(v as i64)));
        by_doubles_or_longs(&[self], dtype, doubles, || {
            let all = exact_integers::longs(self);
            let data = budget::collected(all.iter().map(|v| f(*v)))?;
            Ok(Tensor::from_whole(self.shape(), data, dtype))
        })
    }
}

/// Integers that no double need be equal to, in another type.
fn of_long(shape: &[usize], all: &[i64], dtype: Dtype) -> Tensor {
    let floats = |f: fn(i64) -> f64| Tensor::new(shape, all.iter().map(|v| f(*v)).collect());
    match dtype {
        Dtype::Bool => floats(|v| f64::from(u8::from(v != 0))).with_dtype(dtype),
        Dtype::Float64 => floats(|v| v as f64),
        // Rounded once.
        Dtype::Float32 => floats(|v| f64::from(v as f32)).with_dtype(dtype),
        d if d.is_float() => floats(|v| f64::from(v as f32)).to_dtype(dtype),
        _ => Tensor::from_whole(shape, all.to_vec(), dtype),
    }
}

/// The type of a result, as PyTorch promotes: tensors with dimensions first, then 0-d tensors,
/// then Python numbers; a lower rank counts only by its category.
#[inline]
pub fn promote(inputs: &[&Tensor]) -> Dtype {
    let double = |d: Dtype| d == Dtype::Float64;
    if inputs.iter().all(|t| double(t.dtype())) && double(default_dtype()) {
        return Dtype::Float64;
    }
    promote_ranks(inputs)
}

fn promote_ranks(inputs: &[&Tensor]) -> Dtype {
    let numpy = manner() == Manner::Numpy;
    let join = |a: Dtype, b: Dtype| if numpy { a.join_numpy(b) } else { a.join(b) };
    let mut ranks: [Option<Dtype>; 3] = [None; 3];
    for t in inputs {
        let (rank, dtype) = match (t.is_weak(), t.rank()) {
            (true, _) if t.dtype().is_float() => (2, default_dtype()),
            (true, _) => (2, t.dtype()),
            // NumPy 2 asks no array for its rank.
            (false, 0) if !numpy => (1, t.dtype()),
            (false, _) => (0, t.dtype()),
        };
        ranks[rank] = Some(ranks[rank].map_or(dtype, |d| join(d, dtype)));
    }
    let combine = |higher: Option<Dtype>, lower: Option<Dtype>| match (higher, lower) {
        (Some(h), Some(l)) if l.category() > h.category() => Some(join(h, l)),
        (Some(h), _) => Some(h),
        (None, l) => l,
    };
    combine(ranks[0], combine(ranks[1], ranks[2])).unwrap_or(Dtype::Float64)
}

/// [`promote`], integers becoming the default float: for division and functions such as sin.
pub fn promote_float(inputs: &[&Tensor]) -> Dtype {
    let dtype = promote(inputs);
    if dtype.is_float() { dtype } else { default_dtype() }
}
