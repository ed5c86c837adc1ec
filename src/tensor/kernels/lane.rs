//! Numbers that a row of the table may be computed with in place of `f64`: [`Lane`] in a vector loop, where elementary
//! functions have no branches, and [`Single`], which rounds each step to float32.

use super::{exp, log, sleef, trig};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// What a row of the table computes with.
pub trait Number: Copy {
    /// What stands for it in a vector loop.
    type Lane: Number;
    fn of(x: f64) -> Self;
    fn number(self) -> f64;
    #[inline(always)]
    fn erf(self) -> Self {
        Self::of(libm::erf(self.number()))
    }
}

impl Number for f64 {
    type Lane = Lane;
    #[inline(always)]
    fn of(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn number(self) -> f64 {
        self
    }
}

impl Number for f32 {
    type Lane = f32;
    #[inline(always)]
    fn of(x: f64) -> f32 {
        x as f32
    }
    #[inline(always)]
    fn number(self) -> f64 {
        f64::from(self)
    }
}

/// A float32 that meets the row's constants as such; its functions are PyTorch's in a vector loop.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Single<const LANE: bool = false>(f32);

impl<const LANE: bool> Number for Single<LANE> {
    type Lane = Single<true>;
    #[inline(always)]
    fn of(x: f64) -> Self {
        Single(x as f32)
    }
    #[inline(always)]
    fn number(self) -> f64 {
        f64::from(self.0)
    }
    #[inline(always)]
    fn erf(self) -> Self {
        let x = self.number();
        Number::of(if LANE { exp::erf_single(x) } else { libm::erf(x) })
    }
}

impl<const LANE: bool> From<f64> for Single<LANE> {
    #[inline(always)]
    fn from(x: f64) -> Self {
        Number::of(x)
    }
}

impl<const LANE: bool> Single<LANE> {
    #[inline(always)]
    pub fn abs(self) -> Self {
        Single(self.0.abs())
    }

    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Single(self.0.sqrt())
    }

    #[inline(always)]
    pub fn is_nan(self) -> bool {
        self.0.is_nan()
    }

    #[inline(always)]
    pub fn min(self, other: f64) -> Self {
        Single(self.0.min(other as f32))
    }

    #[inline(always)]
    pub fn max(self, other: f64) -> Self {
        Single(self.0.max(other as f32))
    }

    #[inline(always)]
    pub fn clamp(self, least: f64, most: f64) -> Self {
        Single(self.0.clamp(least as f32, most as f32))
    }

    /// Rounded once.
    #[inline(always)]
    pub fn mul_add(self, by: impl Into<Self>, and: impl Into<Self>) -> Self {
        Single(self.0.mul_add(by.into().0, and.into().0))
    }
}

/// Where a kernel cannot know the value (arguments too large, subnormal, infinite), it is NaN:
/// who finds a NaN asks the C library's functions.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Lane(f64);

impl Number for Lane {
    type Lane = Lane;
    #[inline(always)]
    fn of(x: f64) -> Lane {
        Lane(x)
    }
    #[inline(always)]
    fn number(self) -> f64 {
        self.0
    }
}

/// Named as the methods of `f64`.
macro_rules! functions {
    ($Number:ty, $wide:path, $kind:ty; $($name:ident = $path:path),* $(,)?) => {
        impl $Number {
            $(
                #[inline(always)]
                pub fn $name(mut self) -> $Number {
                    self.0 = $path($wide(self.0)) as $kind;
                    self
                }
            )*
        }
    };
}

functions! {
    Single<false>, f64::from, f32;
    exp = f64::exp, exp_m1 = f64::exp_m1, exp2 = f64::exp2, tanh = f64::tanh, ln = f64::ln, ln_1p = f64::ln_1p,
}

functions! {
    Single<true>, std::convert::identity, f32;
    exp = sleef::exp, exp_m1 = sleef::expm1, tanh = sleef::tanh, ln = sleef::log, ln_1p = sleef::log1p,
}

functions! {
    Lane, std::convert::identity, f64;
    exp = exp::exp, exp_m1 = exp::expm1, tanh = exp::tanh, ln = log::log, ln_1p = log::log1p,
    sin = trig::sin, cos = trig::cos, abs = f64::abs,
}

impl Lane {
    /// Rounded once.
    #[inline(always)]
    pub fn mul_add(self, by: f64, and: Lane) -> Lane {
        Lane(self.0.mul_add(by, and.0))
    }

    #[inline(always)]
    pub fn min(self, other: f64) -> Lane {
        Lane(if self.0 > other { other } else { self.0 })
    }
}

impl PartialEq<f64> for Lane {
    #[inline(always)]
    fn eq(&self, other: &f64) -> bool {
        self.0 == *other
    }
}

impl<const LANE: bool> PartialEq<f64> for Single<LANE> {
    #[inline(always)]
    fn eq(&self, other: &f64) -> bool {
        self.0 == *other as f32
    }
}

impl<const LANE: bool> PartialOrd<f64> for Single<LANE> {
    #[inline(always)]
    fn partial_cmp(&self, other: &f64) -> Option<std::cmp::Ordering> {
        self.0.partial_cmp(&(*other as f32))
    }
    #[inline(always)]
    fn gt(&self, other: &f64) -> bool {
        self.0 > *other as f32
    }
    #[inline(always)]
    fn lt(&self, other: &f64) -> bool {
        self.0 < *other as f32
    }
}

impl PartialOrd<f64> for Lane {
    #[inline(always)]
    fn partial_cmp(&self, other: &f64) -> Option<std::cmp::Ordering> {
        self.0.partial_cmp(other)
    }
    #[inline(always)]
    fn gt(&self, other: &f64) -> bool {
        self.0 > *other
    }
    #[inline(always)]
    fn lt(&self, other: &f64) -> bool {
        self.0 < *other
    }
}

macro_rules! operators {
    ($Number:ty, $kind:ty: $($Trait:ident $method:ident $assign:tt)*) => {
        impl Neg for $Number {
            type Output = $Number;
            #[inline(always)]
            fn neg(mut self) -> $Number {
                self.0 = -self.0;
                self
            }
        }
        $(
            impl $Trait for $Number {
                type Output = $Number;
                #[inline(always)]
                fn $method(mut self, other: $Number) -> $Number {
                    self.0 $assign other.0;
                    self
                }
            }
            impl $Trait<f64> for $Number {
                type Output = $Number;
                #[inline(always)]
                fn $method(mut self, other: f64) -> $Number {
                    self.0 $assign other as $kind;
                    self
                }
            }
            impl $Trait<$Number> for f64 {
                type Output = $Number;
                #[inline(always)]
                fn $method(self, other: $Number) -> $Number {
                    <$Number as Number>::of(self).$method(other)
                }
            }
        )*
    };
}

operators!(Lane, f64: Add add += Sub sub -= Mul mul *= Div div /=);
operators!(Single<false>, f32: Add add += Sub sub -= Mul mul *= Div div /=);
operators!(Single<true>, f32: Add add += Sub sub -= Mul mul *= Div div /=);
