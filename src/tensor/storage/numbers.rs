//! Where a tensor's numbers lie: doubles, or an array of their own type where that is shorter (float32) or says
//! more (integers beyond 2⁵³). Whoever asks those for doubles has them widened, once, and kept beside. Of a long array
//! they may not be computed yet: see [`super::late`].

use crate::kernels::single;
use crate::sparse::Scattered;
use crate::storage::late::Late;
use crate::{Dtype, Element, Outcome, Scalar, Tensor, budget, exact_integers};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;

/// What arrays of each type become.
pub trait Stored: Element {
    /// As Python has it.
    fn scalar(self, dtype: Dtype) -> Scalar;
    /// A tensor of type `dtype`, for which these are legal.
    fn tensor(shape: &[usize], all: Vec<Self>, dtype: Dtype) -> Tensor;
}

impl Stored for f64 {
    fn scalar(self, dtype: Dtype) -> Scalar {
        match dtype {
            Dtype::Bool => Scalar::Bool(self != 0.0),
            d if d.is_float() => Scalar::Float(self),
            _ => Scalar::Int(self as i64),
        }
    }
    fn tensor(shape: &[usize], all: Vec<f64>, dtype: Dtype) -> Tensor {
        Tensor::new(shape, all).with_dtype(dtype)
    }
}

impl Stored for f32 {
    fn scalar(self, dtype: Dtype) -> Scalar {
        self.wide().scalar(dtype)
    }
    fn tensor(shape: &[usize], all: Vec<f32>, dtype: Dtype) -> Tensor {
        Tensor::from_single(shape, all).with_dtype(dtype)
    }
}

impl Stored for i64 {
    fn scalar(self, _: Dtype) -> Scalar {
        Scalar::Int(self)
    }
    fn tensor(shape: &[usize], all: Vec<i64>, dtype: Dtype) -> Tensor {
        Tensor::from_whole(shape, all, dtype)
    }
}

/// Numbers where they lie.
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'a> {
    Double(&'a [f64]),
    Single(&'a [f32]),
    Long(&'a [i64]),
}

impl Numbers<'_> {
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Numbers::Double(all) => all.len(),
            Numbers::Single(all) => all.len(),
            Numbers::Long(all) => all.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// All elements of a tensor as float32: where they lie, if they lie so.
pub fn shortened(t: &Tensor) -> Outcome<Cow<'_, [f32]>> {
    Ok(match t.single() {
        Some(all) => Cow::Borrowed(all),
        None => Cow::Owned(single::shorten(t.data())?),
    })
}

/// The same for each type in which numbers may lie: `with_numbers!(t, data => f(data))`.
#[macro_export]
macro_rules! with_numbers {
    ($t:expr, $data:ident => $body:expr) => {
        match $t.numbers() {
            $crate::storage::numbers::Numbers::Double($data) => $body,
            $crate::storage::numbers::Numbers::Single($data) => $body,
            $crate::storage::numbers::Numbers::Long($data) => $body,
        }
    };
}

/// The same of what is computed with doubles, or with float32 where those lie there.
#[macro_export]
macro_rules! with_floats {
    ($t:expr, $data:ident => $body:expr) => {
        match $t.single() {
            Some($data) => $body,
            None => {
                let $data = $t.data();
                $body
            }
        }
    };
}

/// [`with_floats!`], for writing.
#[macro_export]
macro_rules! with_floats_mut {
    ($t:expr, $data:ident => $body:expr) => {
        if let Some($data) = $t.single_mut() {
            $body
        } else {
            let $data = $t.data_mut();
            $body
        }
    };
}

/// Numbers of another type than doubles, and the doubles that somebody asked for.
#[derive(Debug)]
pub(crate) struct Kept<T> {
    pub own: Vec<T>,
    wide: OnceCell<Vec<f64>>,
}

impl<T> Kept<T> {
    pub fn new(own: Vec<T>) -> Kept<T> {
        Kept { own, wide: OnceCell::new() }
    }
}

impl Kept<f32> {
    fn widened(&self) -> Vec<f64> {
        // Whoever wishes to stop does not look at the numbers.
        single::lengthen(&self.own)
            .map_err(budget::refuse)
            .unwrap_or_else(|()| vec![0.0; self.own.len()])
    }

    fn data(&self) -> &[f64] {
        self.wide.get_or_init(|| self.widened())
    }

    fn take(&mut self) -> Vec<f64> {
        self.wide.take().unwrap_or_else(|| self.widened())
    }
}

impl Kept<i64> {
    /// Doubles that are not all equal to the numbers: see [`exact_integers::all_read`].
    fn data(&self) -> &[f64] {
        if let Some(v) = self.own.iter().find(|v| !exact_integers::is_exact(**v)) {
            exact_integers::misread(*v);
        }
        self.wide.get_or_init(|| self.own.iter().map(|v| *v as f64).collect())
    }
}

#[derive(Debug)]
pub(crate) enum Data {
    Own(Vec<f64>),
    Single(Kept<f32>),
    /// Some of them no double is equal to.
    Long(Kept<i64>),
    /// Zeros in nearly all places.
    Scattered(Scattered),
    /// The numbers of an array of another shape, itself no such one.
    Of(Rc<Array>),
    Late(Rc<Late>),
}

#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub shape: SmallVec<[usize; 3]>,
    pub data: Data,
}

/// [`Vec::clone`], of many numbers by way of the budget.
fn copied<T: Element>(all: &[T]) -> Vec<T> {
    const LONG: usize = 1 << 16;
    if all.len() <= LONG {
        return all.to_vec();
    }
    // Whoever wishes to stop does not look at the numbers.
    let copy = budget::copied(all).map_err(budget::refuse);
    copy.unwrap_or_else(|()| vec![T::default(); all.len()])
}

impl Clone for Data {
    fn clone(&self) -> Data {
        match self {
            Data::Own(all) => Data::Own(copied(all)),
            Data::Single(all) => Data::Single(Kept::new(copied(&all.own))),
            Data::Long(all) => Data::Long(Kept::new(copied(&all.own))),
            Data::Scattered(all) => Data::Scattered(all.clone()),
            Data::Of(whole) => Data::Of(whole.clone()),
            Data::Late(late) => Data::Late(late.clone()),
        }
    }
}

impl Array {
    #[inline]
    pub fn data(&self) -> &[f64] {
        match &self.data {
            Data::Own(data) => data,
            Data::Single(all) => all.data(),
            Data::Long(all) => all.data(),
            Data::Scattered(all) => all.data(),
            Data::Of(array) => array.data_of(),
            Data::Late(late) => late.made().data(),
        }
    }

    /// Apart, so that the common cases are inlined.
    #[inline(never)]
    fn data_of(&self) -> &[f64] {
        self.data()
    }

    #[inline]
    pub fn numbers(&self) -> Numbers<'_> {
        match &self.data {
            Data::Own(data) => Numbers::Double(data),
            Data::Single(all) => Numbers::Single(&all.own),
            Data::Long(all) => Numbers::Long(&all.own),
            Data::Scattered(all) => Numbers::Double(all.data()),
            Data::Of(array) => array.numbers_of(),
            Data::Late(late) => late.made().numbers(),
        }
    }

    #[inline(never)]
    fn numbers_of(&self) -> Numbers<'_> {
        self.numbers()
    }

    #[inline]
    pub fn len(&self) -> usize {
        match self.late() {
            Some(_) => self.shape.iter().product(),
            None => self.numbers().len(),
        }
    }

    /// What is not computed yet.
    #[inline]
    pub fn late(&self) -> Option<&Rc<Late>> {
        match &self.data {
            Data::Late(late) => Some(late).filter(|l| l.is_open()),
            Data::Of(array) => match &array.data {
                Data::Late(late) => Some(late).filter(|l| l.is_open()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Computed, where it is not yet.
    fn settle(&mut self) {
        if let Data::Late(late) = &self.data {
            let made = late.made().clone();
            // Where nobody else has it, it is not copied.
            self.data = Data::Own(Vec::new());
            self.data = made.into_numbers();
        }
    }

    /// Doubles from now on, to be written.
    pub fn data_mut(&mut self) -> &mut [f64] {
        self.settle();
        if let Data::Single(_) | Data::Long(_) = &self.data {
            self.data = match std::mem::replace(&mut self.data, Data::Own(Vec::new())) {
                Data::Single(mut all) => Data::Own(all.take()),
                Data::Long(all) => Data::Own(all.data().to_vec()),
                other => other,
            };
        }
        match &mut self.data {
            Data::Own(data) => data,
            Data::Scattered(all) => all.data_mut(),
            Data::Of(array) => Rc::make_mut(array).data_mut(),
            Data::Single(_) | Data::Long(_) | Data::Late(_) => &mut [],
        }
    }

    /// [`Array::data_mut`], where nobody else has them.
    pub fn data_own(&mut self) -> Option<&mut [f64]> {
        match self.data {
            Data::Of(ref mut array) => Rc::get_mut(array)?.data_own(),
            _ => Some(self.data_mut()),
        }
    }

    pub fn is_single(&self) -> bool {
        matches!(self.numbers(), Numbers::Single(_))
    }

    /// Float32 for writing, where they lie so.
    pub fn single_mut(&mut self) -> Option<&mut [f32]> {
        self.settle();
        match &mut self.data {
            Data::Single(all) => {
                all.wide.take();
                Some(&mut all.own)
            }
            Data::Of(array) => Rc::make_mut(array).single_mut(),
            _ => None,
        }
    }

    /// [`Array::single_mut`], where nobody else has them.
    pub fn single_own(&mut self) -> Option<&mut [f32]> {
        match self.data {
            Data::Of(ref mut array) => Rc::get_mut(array)?.single_own(),
            _ => self.single_mut(),
        }
    }

    pub fn into_data(mut self) -> Vec<f64> {
        self.settle();
        match self.data {
            Data::Own(data) => data,
            Data::Single(mut all) => all.take(),
            Data::Long(all) => all.data().to_vec(),
            Data::Scattered(all) => all.into_data(),
            Data::Of(array) => Rc::unwrap_or_clone(array).into_data(),
            Data::Late(_) => Vec::new(),
        }
    }
}
