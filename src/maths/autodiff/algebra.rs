//! One algebra for numbers, symbols and recorded nodes, so that a derivative is written once.

use super::rule::Operation;
use crate::table;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::rc::Rc;
use vjp_tensor::kernels::Cpu;
use vjp_tensor::kernels::blocks::{Slots, Stored};
use vjp_tensor::{Dtype, Outcome, Tensor};

/// What a rule's coefficients may be: `f64`, a symbolic expression, a whole array of either, or a
/// recorded variable. Everything else (operators, sin, pow …) is built from these two methods.
pub trait Algebra: Clone {
    /// A constant beside `self` (for arrays: a 0-d one, broadcast on use).
    fn lift(&self, c: f64) -> Self;

    /// A function of the table applied to arguments, elementwise with broadcasting.
    fn call(fun: &'static Fun, args: &[&Self]) -> Self;

    /// The first power: itself, unless what was done is recorded.
    fn first_power(&self) -> Self {
        self.clone()
    }

    /// `a·b + c`, which numbers round once.
    fn fused(a: &Self, b: &Self, c: &Self) -> Self {
        Self::call(&table::ADD, &[&Self::call(&table::MUL, &[a, b]), c])
    }

    /// `otherwise`, or where `agreed` holds `c`: there the slope is what PyTorch has agreed on, and in symbols
    /// `otherwise` says more.
    fn unless(agreed: &Self, c: f64, otherwise: &Self) -> Self {
        Self::call(&table::WHERE, &[agreed, &agreed.lift(c), otherwise])
    }
}

/// A scalar function of the table: the part that the algebra needs to know.
pub struct Fun {
    /// As the language spells it: `tanh`.
    pub name: &'static str,
    /// As a person writes it, and what stands behind the arguments: `gelu`, `approximate='tanh'`.
    pub spelled: (&'static str, &'static str),
    /// Arguments in all: operands first, then fixed parameters (`leaky_relu(x, 0.01)`).
    pub arity: usize,
    pub operands: usize,
    pub form: Form,
    /// LaTeX's command for it: `\tanh`; empty where there is none.
    pub latex: &'static str,
    pub value: fn(&[f64]) -> f64,
    /// The value over arrays, in one loop; parameters are single numbers.
    pub tensor: fn(&[&Tensor]) -> Outcome<Tensor>,
    /// The value over a tile of the operands in float64, or step by step in float32; as many elements are written.
    pub tile: fn(Cpu, Dtype, &[Input], Slots),
    /// The operation to record, from the values of the parameters.
    pub operation: fn(&[f64]) -> Rc<dyn Operation>,
}

impl std::fmt::Debug for Fun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// What a function is in algebra: how the symbols treat it and how formulas write it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    Add,
    Sub,
    /// The second argument minus the first.
    ReversedSub,
    /// Between its arguments: `//`, `%`.
    Infix(&'static str),
    /// Written σ.
    Sigmoid,
    Mul,
    Div,
    /// The quotient rounded towards 0, written `trunc(a/b)`.
    Truncated,
    Neg,
    /// A fixed power: square 2, sqrt 0.5, reciprocal -1.
    Power(f64),
    Pow,
    Exp,
    /// 1 where the argument is positive, else 0.
    Step,
    /// 1 where the arguments are equal, else 0.
    Equal,
    Where,
    Abs,
    /// Written by its name and arguments.
    Named,
    /// As [`Form::Named`], parameters first: `polygamma(1, x)`.
    Swapped,
}

impl Algebra for f64 {
    #[inline]
    fn lift(&self, c: f64) -> f64 {
        c
    }

    #[inline]
    fn call(fun: &'static Fun, args: &[&f64]) -> f64 {
        match args {
            [a] => (fun.value)(&[**a]),
            [a, b] => (fun.value)(&[**a, **b]),
            _ => (fun.value)(&args.iter().map(|a| **a).collect::<Vec<_>>()),
        }
    }

    #[inline]
    fn fused(a: &f64, b: &f64, c: &f64) -> f64 {
        a.mul_add(*b, *c)
    }
}

/// Each step is rounded to float32.
impl Algebra for f32 {
    fn lift(&self, c: f64) -> f32 {
        c as f32
    }

    fn call(fun: &'static Fun, args: &[&f32]) -> f32 {
        let args: smallvec::SmallVec<[f64; 4]> = args.iter().map(|a| f64::from(**a)).collect();
        (fun.value)(&args) as f32
    }
}

/// A half-evaluated term of a rule. Constants stay visible, so that a constant slope becomes a
/// multiple of the identity and a zero one no path at all.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula<A> {
    Const(f64),
    In(A),
}

use Formula::{Const, In};

impl<A: Algebra> Formula<A> {
    /// A function of the table; constants are folded.
    #[inline]
    pub fn call(fun: &'static Fun, args: &[&Formula<A>]) -> Formula<A> {
        match args {
            [In(a)] => In(A::call(fun, &[a])),
            [In(a), In(b)] => In(A::call(fun, &[a, b])),
            [In(a), Const(c)] => In(A::call(fun, &[a, &a.lift(*c)])),
            [Const(c), In(b)] => In(A::call(fun, &[&b.lift(*c), b])),
            _ => Formula::call_any(fun, args),
        }
    }

    fn call_any(fun: &'static Fun, args: &[&Formula<A>]) -> Formula<A> {
        let Some(beside) = args.iter().find_map(|a| match a {
            In(a) => Some(a),
            Const(_) => None,
        }) else {
            let known: Vec<f64> = args.iter().filter_map(|a| a.constant()).collect();
            return Const((fun.value)(&known));
        };
        let args: Vec<A> = args
            .iter()
            .map(|a| match a {
                Const(c) => beside.lift(*c),
                In(a) => a.clone(),
            })
            .collect();
        In(A::call(fun, &args.iter().collect::<Vec<_>>()))
    }

    pub fn constant(&self) -> Option<f64> {
        match self {
            Const(c) => Some(*c),
            In(_) => None,
        }
    }

    /// `selfᵉ`.
    pub fn pow(&self, e: &Formula<A>) -> Formula<A> {
        match e {
            Const(0.0) => Const(1.0),
            Const(1.0) => match self {
                In(a) => In(a.first_power()),
                Const(_) => self.clone(),
            },
            Const(2.0) => self.square(),
            Const(-1.0) => self.reciprocal(),
            Const(0.5) => self.sqrt(),
            _ => Formula::call(&table::POW, &[self, e]),
        }
    }

    /// See [`Algebra::fused`].
    pub fn fused(a: impl Into<Formula<A>>, b: &Formula<A>, c: impl Into<Formula<A>>) -> Formula<A> {
        let (a, c) = (a.into(), c.into());
        match (&a, b, &c) {
            (In(x), In(y), In(z)) => In(A::fused(x, y, z)),
            (In(x), In(y), Const(z)) => In(A::fused(x, y, &x.lift(*z))),
            (Const(x), In(y), In(z)) => In(A::fused(&y.lift(*x), y, z)),
            (Const(x), In(y), Const(z)) => In(A::fused(&y.lift(*x), y, &y.lift(*z))),
            _ => a * b + c,
        }
    }

    /// 1 where equal, else 0.
    pub fn equals(&self, other: impl Into<Formula<A>>) -> Formula<A> {
        Formula::call(&table::EQUAL, &[self, &other.into()])
    }

    /// See [`Algebra::unless`].
    pub fn unless(&self, agreed: &Formula<A>, c: f64) -> Formula<A> {
        match (agreed, self) {
            (In(agreed), In(otherwise)) => In(A::unless(agreed, c, otherwise)),
            _ => agreed.choose(c, self),
        }
    }

    /// `a` where this is not 0, else `b`.
    pub fn choose(&self, a: impl Into<Formula<A>>, b: impl Into<Formula<A>>) -> Formula<A> {
        Formula::call(&table::WHERE, &[self, &a.into(), &b.into()])
    }

    /// This where it is not above 0, else 0: e^x of a branch that is not taken may be ∞, and 0·∞ is nan.
    pub fn below(&self) -> Formula<A> {
        self.pass().choose(0.0, self)
    }
}

macro_rules! unary {
    ($($name:ident $fun:ident),* $(,)?) => {
        impl<A: Algebra> Formula<A> {
            $(
                #[doc = concat!("`", stringify!($name), "` of the table.")]
                pub fn $name(&self) -> Formula<A> {
                    Formula::call(&table::$fun, &[self])
                }
            )*
        }
    };
}

unary! {
    exp EXP, log LOG, sqrt SQRT, rsqrt RSQRT, square SQUARE, reciprocal RECIPROCAL, sin SIN, cos COS, sinh SINH,
    cosh COSH, tanh TANH, sigmoid SIGMOID, erf ERF, sign SIGN, step STEP, pass PASS, floor FLOOR,
    abs ABS,
}

impl<A> From<f64> for Formula<A> {
    fn from(c: f64) -> Formula<A> {
        Const(c)
    }
}

impl<A: Clone> From<&Formula<A>> for Formula<A> {
    fn from(f: &Formula<A>) -> Formula<A> {
        f.clone()
    }
}

impl<A: Algebra> Neg for &Formula<A> {
    type Output = Formula<A>;
    fn neg(self) -> Formula<A> {
        Formula::call(&table::NEG, &[self])
    }
}

impl<A: Algebra> Neg for Formula<A> {
    type Output = Formula<A>;
    fn neg(self) -> Formula<A> {
        -&self
    }
}

fn add<A: Algebra>(a: &Formula<A>, b: &Formula<A>) -> Formula<A> {
    match (a, b) {
        (Const(0.0), x) | (x, Const(0.0)) => x.clone(),
        _ => Formula::call(&table::ADD, &[a, b]),
    }
}

fn sub<A: Algebra>(a: &Formula<A>, b: &Formula<A>) -> Formula<A> {
    match b {
        Const(0.0) => a.clone(),
        _ => Formula::call(&table::SUB, &[a, b]),
    }
}

fn mul<A: Algebra>(a: &Formula<A>, b: &Formula<A>) -> Formula<A> {
    match (a, b) {
        (Const(0.0), _) | (_, Const(0.0)) => Const(0.0),
        (Const(1.0), x) | (x, Const(1.0)) => x.clone(),
        _ => Formula::call(&table::MUL, &[a, b]),
    }
}

fn div<A: Algebra>(a: &Formula<A>, b: &Formula<A>) -> Formula<A> {
    match b {
        Const(1.0) => a.clone(),
        _ => Formula::call(&table::DIV, &[a, b]),
    }
}

/// An operator for every mixture of formulas, references and numbers, so that rules read well.
macro_rules! operator {
    ($Trait:ident $method:ident) => {
        impl<A: Algebra> $Trait<Formula<A>> for Formula<A> {
            type Output = Formula<A>;
            fn $method(self, other: Formula<A>) -> Formula<A> {
                $method(&self, &other)
            }
        }
        impl<A: Algebra> $Trait<&Formula<A>> for Formula<A> {
            type Output = Formula<A>;
            fn $method(self, other: &Formula<A>) -> Formula<A> {
                $method(&self, other)
            }
        }
        impl<A: Algebra> $Trait<Formula<A>> for &Formula<A> {
            type Output = Formula<A>;
            fn $method(self, other: Formula<A>) -> Formula<A> {
                $method(self, &other)
            }
        }
        impl<A: Algebra> $Trait<&Formula<A>> for &Formula<A> {
            type Output = Formula<A>;
            fn $method(self, other: &Formula<A>) -> Formula<A> {
                $method(self, other)
            }
        }
        impl<A: Algebra> $Trait<Formula<A>> for f64 {
            type Output = Formula<A>;
            fn $method(self, other: Formula<A>) -> Formula<A> {
                $method(&Const(self), &other)
            }
        }
        impl<A: Algebra> $Trait<&Formula<A>> for f64 {
            type Output = Formula<A>;
            fn $method(self, other: &Formula<A>) -> Formula<A> {
                $method(&Const(self), other)
            }
        }
        impl<A: Algebra> $Trait<f64> for Formula<A> {
            type Output = Formula<A>;
            fn $method(self, other: f64) -> Formula<A> {
                $method(&self, &Const(other))
            }
        }
        impl<A: Algebra> $Trait<f64> for &Formula<A> {
            type Output = Formula<A>;
            fn $method(self, other: f64) -> Formula<A> {
                $method(self, &Const(other))
            }
        }
    };
}

operator!(Add add);
operator!(Sub sub);
operator!(Mul mul);
operator!(Div div);

pub use vjp_tensor::kernels::operand::Input;

/// At most [`vjp_tensor::kernels::TILE`] numbers, or one in place of as many.
#[derive(Clone, Debug)]
pub struct Tile<'a> {
    cpu: Cpu,
    /// Float64, or float32: then every step is rounded, and its numbers lie so.
    dtype: Dtype,
    len: usize,
    data: Data<'a>,
}

#[derive(Clone, Debug)]
enum Data<'a> {
    Read(Input<'a>),
    Made(Rc<Vec<f64>>),
    MadeShort(Rc<Vec<f32>>),
}

impl<'a> Tile<'a> {
    pub fn new(cpu: Cpu, dtype: Dtype, len: usize, input: Input<'a>) -> Tile<'a> {
        Tile { cpu, dtype, len, data: Data::Read(input) }
    }

    /// Of the numbers that `write` writes, all of them.
    pub(crate) fn made(cpu: Cpu, dtype: Dtype, len: usize, write: impl FnOnce(Slots)) -> Tile<'a> {
        fn all<T: Stored>(len: usize, write: impl FnOnce(Slots)) -> Rc<Vec<T>> {
            let mut out = Vec::with_capacity(len);
            write(T::slots(&mut out.spare_capacity_mut()[..len]));
            // SAFETY: `write` writes all elements.
            unsafe { out.set_len(len) };
            Rc::new(out)
        }
        let data = match dtype {
            Dtype::Float32 => Data::MadeShort(all(len, write)),
            _ => Data::Made(all(len, write)),
        };
        Tile { cpu, dtype, len, data }
    }

    pub fn input(&self) -> Input<'_> {
        match &self.data {
            Data::Read(input) => *input,
            Data::Made(all) => Input::Many(all),
            Data::MadeShort(all) => Input::Short(all),
        }
    }
}

impl<'a> Algebra for Tile<'a> {
    fn lift(&self, c: f64) -> Tile<'a> {
        Tile::new(self.cpu, self.dtype, self.len, Input::One(c))
    }

    fn call(fun: &'static Fun, args: &[&Tile<'a>]) -> Tile<'a> {
        let (cpu, dtype, len) =
            args.first().map_or((Cpu::Plain, Dtype::Float64, 0), |t| (t.cpu, t.dtype, t.len));
        let inputs: smallvec::SmallVec<[Input; 4]> = args.iter().map(|t| t.input()).collect();
        let numbers: Option<smallvec::SmallVec<[f64; 4]>> = inputs
            .iter()
            .map(|i| match i {
                Input::One(c) => Some(*c),
                Input::Many(_) | Input::Short(_) => None,
            })
            .collect();
        if let Some(numbers) = numbers {
            return Tile::new(cpu, dtype, len, Input::One((fun.value)(&numbers)));
        }
        Tile::made(cpu, dtype, len, |slots| (fun.tile)(cpu, dtype, &inputs, slots))
    }

    fn fused(a: &Tile<'a>, b: &Tile<'a>, c: &Tile<'a>) -> Tile<'a> {
        Tile::call(&table::ADDCMUL, &[c, a, b, &a.lift(1.0)])
    }
}
