//! Types of numbers that arrays are made of.

use crate::dtype::Dtype;
use std::borrow::Cow;

pub trait Element: Copy + Default + PartialOrd + std::fmt::Debug + Send + Sync + 'static {
    fn wide(self) -> f64;

    /// All as doubles.
    fn doubles(all: &[Self]) -> Cow<'_, [f64]> {
        Cow::Owned(all.iter().map(|v| v.wide()).collect())
    }
}

impl Element for f64 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }

    fn doubles(all: &[f64]) -> Cow<'_, [f64]> {
        Cow::Borrowed(all)
    }
}

impl Element for f32 {
    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self)
    }
}

impl Element for i64 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self as f64
    }
}

/// From so many elements on float32 is kept in an array of its own: fewer are sooner read as doubles.
pub const SINGLE_FROM: usize = 256;

/// Whether the elements of a new array of type `dtype` lie as float32.
#[inline]
pub fn is_single(dtype: Dtype, count: usize) -> bool {
    dtype == Dtype::Float32 && count >= SINGLE_FROM
}
