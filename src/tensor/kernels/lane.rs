//! A number in a vector loop: as `f64`, but its elementary functions have no branches.

use super::{exp, log, trig};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// What a row of the table computes with: `f64`, or [`Lane`] where all its functions have a kernel.
pub trait Number: Copy {
    fn of(x: f64) -> Self;
    fn number(self) -> f64;
}

impl Number for f64 {
    #[inline(always)]
    fn of(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn number(self) -> f64 {
        self
    }
}

/// Where a kernel cannot know the value (arguments too large, subnormal, infinite), it is NaN:
/// who finds a NaN asks the C library's functions.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Lane(f64);

impl Number for Lane {
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
    ($($name:ident = $path:path),* $(,)?) => {
        impl Lane {
            $(
                #[inline(always)]
                pub fn $name(self) -> Lane {
                    Lane($path(self.0))
                }
            )*
        }
    };
}

functions! {
    exp = exp::exp, exp_m1 = exp::expm1, tanh = exp::tanh, ln = log::log, ln_1p = log::log1p,
    sin = trig::sin, cos = trig::cos, abs = f64::abs,
}

impl Lane {
    #[inline(always)]
    pub fn min(self, other: f64) -> Lane {
        Lane(if self.0 > other { other } else { self.0 })
    }
}

impl Neg for Lane {
    type Output = Lane;
    #[inline(always)]
    fn neg(self) -> Lane {
        Lane(-self.0)
    }
}

impl PartialEq<f64> for Lane {
    #[inline(always)]
    fn eq(&self, other: &f64) -> bool {
        self.0 == *other
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

macro_rules! operator {
    ($($Trait:ident $method:ident $op:tt)*) => {
        $(
            impl $Trait for Lane {
                type Output = Lane;
                #[inline(always)]
                fn $method(self, other: Lane) -> Lane {
                    Lane(self.0 $op other.0)
                }
            }
            impl $Trait<f64> for Lane {
                type Output = Lane;
                #[inline(always)]
                fn $method(self, other: f64) -> Lane {
                    Lane(self.0 $op other)
                }
            }
            impl $Trait<Lane> for f64 {
                type Output = Lane;
                #[inline(always)]
                fn $method(self, other: Lane) -> Lane {
                    Lane(self $op other.0)
                }
            }
        )*
    };
}

operator!(Add add + Sub sub - Mul mul * Div div /);
