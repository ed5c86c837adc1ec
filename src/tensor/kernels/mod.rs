//! Loops over many numbers, written for the processor: products of matrices, functions as vector
//! instructions, long loops in blocks on all cores.
//!
//! `product` multiplies matrices, `single` goes between doubles and float32, `convolve` the patches of images
//! by weights. `exp`, `log` and `trig` are elementary functions without branches, `sleef` and `gelu` those of
//! float32 as PyTorch has them, and `lane` a number that uses them, so that a row of the table computed over
//! lanes becomes a vector loop. `blocks` cuts long loops for the cores and the budget, `operand` is what they
//! read, `sum` adds up, `sort` and `select` find an order. `tile` is a piece of an array as coefficient of
//! derivatives.

/// A function compiled for each kind of processor; which, the first argument says.
macro_rules! per_cpu {
    (
        $(#[$doc:meta])*
        $vis:vis fn $name:ident<$($G:ident: $Bound:path),* $(; $N:ident)?>(
            $($x:ident: $X:ty),* $(,)?
        ) -> $R:ty
        $body:block
    ) => {
        $(#[$doc])*
        $vis fn $name<$($G: $Bound,)* $(const $N: usize)?>(
            cpu: $crate::kernels::Cpu,
            $($x: $X),*
        ) -> $R {
            #[inline(always)]
            fn plain<$($G: $Bound,)* $(const $N: usize)?>($($x: $X),*) -> $R $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2<$($G: $Bound,)* $(const $N: usize)?>($($x: $X),*) -> $R {
                plain::<$($G,)* $($N)?>($($x),*)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,avx512f,avx512dq,avx512vl")]
            fn avx512<$($G: $Bound,)* $(const $N: usize)?>($($x: $X),*) -> $R {
                plain::<$($G,)* $($N)?>($($x),*)
            }

            match cpu {
                // SAFETY: `Cpu::over` has found the processor to have these instructions.
                #[cfg(target_arch = "x86_64")]
                $crate::kernels::Cpu::Avx2 => unsafe { avx2::<$($G,)* $($N)?>($($x),*) },
                #[cfg(target_arch = "x86_64")]
                $crate::kernels::Cpu::Avx512 => unsafe { avx512::<$($G,)* $($N)?>($($x),*) },
                _ => plain::<$($G,)* $($N)?>($($x),*),
            }
        }
    };
}

pub(crate) use per_cpu;

pub mod blocks;
pub mod convolve;
pub mod exp;
pub mod gelu;
pub mod lane;
pub(crate) mod log;
pub mod operand;
pub mod power;
pub mod product;
pub mod select;
pub mod single;
pub mod sleef;
pub mod sort;
pub mod strided;
pub mod sum;
pub(crate) mod sum_numpy;
pub(crate) mod sum_order;
pub(crate) mod trig;

/// Elements that are worked on together: a few such tiles stay in the processor's nearest memory.
pub const TILE: usize = 1024;

/// From this many elements on, functions are computed by vector kernels, to within one unit in the last
/// place. Below, the C library's are used: nearly always the nearest number, and so what PyTorch prints
/// where a program prints every digit. Of longer arrays it prints few digits or a summary.
pub const LANES_FROM: usize = 256;

/// Added and taken away again it rounds to the nearest whole number, whose digits are then the
/// lowest of the sum: 1½·2⁵².
const ROUND: f64 = 6_755_399_441_055_744.0;

/// Which instructions a loop may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cpu {
    /// The C library's functions.
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// Fused products and two lanes belong to every such processor.
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Cpu {
    /// For a loop over an array of `n` elements.
    pub fn over(n: usize) -> Cpu {
        if n < LANES_FROM { Cpu::Plain } else { Cpu::here() }
    }

    /// The widest that the processor has.
    pub fn here() -> Cpu {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            match (avx2, avx512) {
                (true, true) => return Cpu::Avx512,
                (true, false) => return Cpu::Avx2,
                _ => {}
            }
        }
        #[cfg(target_arch = "aarch64")]
        return Cpu::Neon;
        #[cfg(not(target_arch = "aarch64"))]
        Cpu::Plain
    }
}
