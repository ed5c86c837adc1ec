//! How a file of the table is written: the macro that makes everything of a row.

/// Makes, of each row, its operation (`Tanh`), its function (`TANH`) and its entry in `ROWS`.
macro_rules! rows {
    ($(
        $(#[$doc:meta])*
        $Type:ident $FUN:ident $name:ident ($($x:ident),+ $(; $($p:ident = $default:expr),+)?) = $y:ident {
            value: $value:expr,
            partials: $(|$v:ident|)? [$($partial:expr),+ $(,)?],
            saves: $saves:expr,
            $(grad_fn: $grad_fn:literal,)?
            $(underived: $underived:expr,)?
            $(chooses: $chooses:literal,)?
            $(blocks: $blocks:expr,)?
            $(masks: $masks:literal,)?
            $(remembers: $remembers:expr,)?
            $(last: $last:literal,)?
            $(in_place: $in_place:expr,)?
            $(numbers: $numbers:expr,)?
            $(wraps: $wraps:literal,)?
            $(result: $result:ident,)?
            $(whole: $whole:expr,)?
            $(vector: $vector:ident,)?
            $(steps: $steps:ident,)?
            $(single: $single:expr,)?
            $(rounded: |$d:ident, $alone:ident| $rounded:expr,)?
            $(library: $library:expr,)?
            domain: [$($domain:expr),+],
            $(undefined: $where:expr => $says:literal,)?
            $(kinks: $at:expr => $slopes:expr,)?
            $(form: $form:expr,)?
            $(spelled: $spelled:expr,)?
            $(formula: $formula:literal,)?
            example: $example:literal,
            $(called: $forms:expr,)?
            $(aliases: $aliases:expr,)?
            $(signature: $signature:expr,)?
            $(see: $see:expr,)?
            $(jax: $jax:literal,)?
            $(latex: $latex:literal,)?
            $(second: $second:expr,)?
        }
    )*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug)]
            pub struct $Type { $($(pub $p: f64),+)? }

            pub static $FUN: Fun = Fun {
                name: stringify!($name),
                spelled: first!($($spelled,)? (stringify!($name), "")),
                arity: [$(stringify!($x)),+ $(, $(stringify!($p)),+)?].len(),
                operands: [$(stringify!($x)),+].len(),
                form: first!($($form,)? Form::Named),
                latex: first!($($latex,)? ""),
                value: |args| {
                    let [$($x,)+ $($($p),+)?] = args else { return f64::NAN };
                    $(let $x = *$x;)+
                    $($(let $p = *$p;)+)?
                    $value
                },
                tensor: |inputs| {
                    let op = <$Type>::from_inputs(inputs);
                    elementwise::value(&op, inputs)
                },
                tile: |cpu, dtype, args, out| {
                    let mut _params = args[<$Type>::OPERANDS..].iter().map(|p| p.at(0));
                    let op = $Type { $($($p: _params.next().unwrap_or($default)),+)? };
                    vector::typed(&op, (cpu, dtype), args, out);
                },
                operation: |params| {
                    thread_local! {
                        // One for all nodes, where there is nothing to tell them apart.
                        static PLAIN: Rc<$Type> = Rc::new($Type { $($($p: $default),+)? });
                    }
                    if size_of::<$Type>() == 0 {
                        return PLAIN.with(|op| op.clone());
                    }
                    let mut _params = params.iter().copied();
                    Rc::new($Type { $($($p: _params.next().unwrap_or($default)),+)? })
                },
            };

            impl $Type {
                /// The data of its row.
                pub const ROW: &'static Row = &Row {
                    fun: &$FUN,
                    // PyTorch calls the node of most after their type.
                    grad_fn: first!($($grad_fn,)? concat!(stringify!($Type), "Backward0")),
                    saves: $saves,
                    underived: first!($($underived,)? 0),
                    result: first!($(row::Result::$result,)? row::Result::Float),
                    domain: &[$($domain),+],
                    undefined: first!($($says,)? ""),
                    params: &[$($((stringify!($p), $default)),+)?],
                    example: $example,
                    formula: first!($($formula,)? ""),
                    numbers: first!($($numbers,)? ["", ""]),
                    wraps: first!($($wraps,)? false),
                    in_place: first!($(Some($in_place),)? None),
                    kinked: first!($({ let _ = stringify!($at); true },)? false),
                    whole: first!($({ let _ = stringify!($whole); true },)? false),
                    single: first!(
                        $({ let _ = stringify!($steps); true },)?
                        $({ let _ = stringify!($single); true },)?
                        false
                    ),
                    rounded: first!($({ let _ = stringify!($rounded); true },)? false),
                    library: first!($(Some($library),)? None),
                    second: first!($(&$second,)? &[]),
                    called: Called {
                        forms: first!($($forms,)? Forms::NONE),
                        aliases: first!($(&$aliases,)? &[]),
                        signature: first!($($signature,)? called::tensors(Self::OPERANDS)),
                        see_also: first!($(&$see,)? &[]),
                        jax: first!($($jax,)? ""),
                    },
                };

                const OPERANDS: usize = {
                    let all = [$(stringify!($x)),+].len();
                    assert!(all <= row::OPERANDS);
                    all
                };

                /// Parameters given as single numbers after the operands.
                fn from_inputs(inputs: &[&Tensor]) -> $Type {
                    let mut _params = inputs[Self::OPERANDS..].iter().filter_map(|t| t.data().first());
                    $Type { $($($p: _params.next().copied().unwrap_or($default)),+)? }
                }
            }

            impl Pointwise<{ $Type::OPERANDS }> for $Type {
                #[inline(always)]
                fn at(&self, x: [f64; Self::OPERANDS]) -> f64 {
                    let [$($x),+] = x;
                    $($(let $p = self.$p;)+)?
                    $value
                }

                const SINGLE: bool = $Type::ROW.single;

                const LANES: bool = first!($({ let _ = <$vector as Number>::of; true },)? false);

                #[inline(always)]
                fn lane(&self, x: [f64; Self::OPERANDS]) -> f64 {
                    type Kind = kind!($($vector,)? f64);
                    let [$($x),+] = x;
                    $(let $x = <Kind as Number>::of($x);)+
                    $($(let $p = self.$p;)+)?
                    Number::number($value)
                }

                #[inline(always)]
                fn single_at(&self, x: [f64; Self::OPERANDS]) -> f64 {
                    $($(let $p = self.$p;)+)?
                    $($(let _ = $p;)+)?
                    type Kind = kind!($($steps,)? f32);
                    let [$($x),+] = x.map(<Kind as Number>::of);
                    let _ = ($($x,)+);
                    Number::number(first!(
                        $({ let _ = <$steps as Number>::of; $value },)?
                        $($single,)?
                        0.0_f32
                    ))
                }

                #[inline(always)]
                fn single_lane(&self, x: [f64; Self::OPERANDS]) -> f64 {
                    $($(let $p = self.$p;)+)?
                    $($(let _ = $p;)+)?
                    type Kind = <kind!($($steps,)? f32) as Number>::Lane;
                    let [$($x),+] = x.map(<Kind as Number>::of);
                    let _ = ($($x,)+);
                    first!(
                        $({ let _ = <$steps as Number>::of; Number::number($value) },)?
                        self.single_at(x)
                    )
                }

                const LED: bool = first!($({ let _ = stringify!($v); true },)? false);

                #[inline(always)]
                fn pulled<A: Algebra>(
                    &self,
                    wrt: usize,
                    x: &[Formula<A>; Self::OPERANDS],
                    y: &Formula<A>,
                    v: &Formula<A>,
                ) -> Formula<A> {
                    let [$($x),+] = x;
                    let $y = y;
                    $(let $v = v;)?
                    $($(let $p = self.$p;)+)?
                    let _ = ($($x,)+ $y $(, $v)? $(, $($p),+)?);
                    let mut at = 0;
                    $(
                        if wrt == at {
                            return row::led::<A, { Self::LED }>(v, Formula::from($partial));
                        }
                        at += 1;
                    )+
                    let _ = at;
                    Formula::Const(0.0)
                }
            }

            impl Elementwise for $Type {
                fn row(&self) -> &'static Row {
                    $Type::ROW
                }
                fn params(&self) -> Vec<f64> {
                    vec![$($(self.$p),+)?]
                }
                fn at(&self, x: &[f64]) -> f64 {
                    Pointwise::at(self, small_arrays::first(x))
                }
                fn whole(&self, x: &[Input], exact: &Exact, out: &mut [Slot]) {
                    small_arrays::each(x, out, |x: [f64; Self::OPERANDS]| {
                        exact.take(self.whole_at(&x.map(|x| x as i64)))
                    });
                }
                #[inline(always)]
                fn whole_at(&self, x: &[i64]) -> i64 {
                    $($(let $p = self.$p as i64;)+)?
                    let [$($x),+] = small_arrays::first(x);
                    let _ = ($($x,)+ $($($p),+)?);
                    first!($($whole,)? 0)
                }
                fn rounded(&self, dtype: Dtype, x: &[Input], out: &mut [Slot]) {
                    let whole = out.len() - out.len() % row::REGISTERS;
                    $($(let $p = self.$p;)+)?
                    $($(let _ = $p;)+)?
                    let mut at = 0;
                    small_arrays::each(x, out, |x: [f64; Self::OPERANDS]| {
                        let [$($x),+] = x;
                        let _ = ($($x,)+ dtype);
                        at += 1;
                        let _alone = at > whole;
                        first!($({ let ($d, $alone) = (dtype, _alone); $rounded },)? 0.0)
                    });
                }
                fn tile(&self, cpu: Cpu, dtype: Dtype, x: &[Input], out: Slots) {
                    vector::tile(self, (cpu, dtype), x, out);
                }
                fn reads(&self, wrt: usize) -> Formula<Reads> {
                    self.partial(wrt, &Reads::each(), &Formula::In(Reads::OUTPUT))
                }
                fn slope<'a>(&self, wrt: usize, x: &[Tile<'a>], y: &Tile<'a>) -> Formula<Tile<'a>> {
                    self.partial(wrt, &elementwise::formulas(x), &Formula::In(y.clone()))
                }
                fn led<'a>(
                    &self,
                    wrt: usize,
                    x: &[Tile<'a>],
                    y: &Tile<'a>,
                    v: &Tile<'a>,
                ) -> Option<Formula<Tile<'a>>> {
                    elementwise::led(self, wrt, x, y, v)
                }
                fn led_arrays(
                    &self,
                    wrt: usize,
                    x: &[&Tensor],
                    y: &Tensor,
                    v: &Tensor,
                ) -> Option<Formula<Tensor>> {
                    elementwise::led(self, wrt, x, y, v)
                }
                fn pass(&self, wrt: usize, x: &[f64], y: f64, v: f64) -> f64 {
                    small_arrays::pass(self, wrt, small_arrays::first(x), y, v)
                }
                fn pass_few(&self, wrt: usize, x: &[Repeated], y: &[f64], v: &[f64]) -> Vec<f64> {
                    small_arrays::pass_each(self, wrt, small_arrays::first(x), y, v)
                }
                fn undefined(&self, x: &[f64]) -> bool {
                    let [$($x),+] = small_arrays::first(x);
                    $($(let $p = self.$p;)+)?
                    let _ = ($($x,)+ $($($p),+)?);
                    first!($($where,)? false)
                }
                fn kink(&self, x: &[f64]) -> Kinks {
                    let [$($x),+] = small_arrays::first(x);
                    $($(let $p = self.$p;)+)?
                    let _ = ($($x,)+ $($($p),+)?);
                    $(if $at { return Some($slopes); })?
                    None
                }
            }

            impl Rule for $Type {
                fn name(&self) -> &'static str {
                    stringify!($name)
                }
                fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
                    elementwise::value(self, inputs)
                }
                fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], value: &Tensor) -> Option<Symbols> {
                    Some(elementwise::symbols(self, inputs, value.shape()))
                }
                fn composed<A: Array>(&self, inputs: &[&A]) -> Option<A> {
                    elementwise::composed(self, inputs)
                }
                fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
                    let slope = self.partial(wrt, &elementwise::formulas(at.inputs), &Formula::In(at.output.clone()));
                    elementwise::linear(self, slope, at.values[wrt].shape(), at.value.shape(), wrt)
                }
                fn pull(&self, at: &Point<Tensor>, wrt: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
                    elementwise::pull(self, self, at, wrt, v)
                }
                fn pass(&self, x: &[f64], y: f64, wrt: usize, v: f64) -> Option<f64> {
                    match (TorchNode::chooses(self), self.blocks(), $Type::ROW.underived) {
                        (false, None, 0) => Some(small_arrays::pass(self, wrt, x.try_into().ok()?, y, v)),
                        _ => None,
                    }
                }
                fn corners(&self, inputs: &[&Tensor], output: &Tensor) -> Vec<Corner> {
                    elementwise::corners(self, inputs, output)
                }
                fn steps(&self, wrt: usize) -> bool {
                    elementwise::steps(self, wrt)
                }
                fn elementwise(&self) -> Option<&dyn Elementwise> {
                    Some(self)
                }
            }

            impl TorchNode for $Type {
                fn grad_fn(&self) -> &'static str {
                    $Type::ROW.grad_fn
                }
                fn saves(&self) -> Saves {
                    $saves
                }
                fn saves_for(&self, tracked: u8) -> Saves {
                    static KNOWN: small_arrays::Known = small_arrays::Known::new();
                    KNOWN.get(self, tracked)
                }
                fn blocks(&self) -> Option<Blocks> {
                    first!($(Some($blocks),)? None)
                }
                fn chooses(&self) -> bool {
                    first!($($chooses,)? false)
                }
                fn underived(&self) -> u8 {
                    $Type::ROW.underived
                }
                fn masks(&self) -> bool {
                    first!($($masks,)? false)
                }
                fn last(&self) -> Option<&'static str> {
                    first!($(Some($last),)? None)
                }
                fn second(&self, wrt: usize) -> Option<&'static str> {
                    $Type::ROW.second(wrt)
                }
                fn remembers(&self) -> bool {
                    $($(let $p = self.$p;)+)?
                    $($(let _ = $p;)+)?
                    TorchNode::last(self).is_some() || first!($($remembers,)? false)
                }
                fn in_place(&self) -> Option<InPlace> {
                    $Type::ROW.in_place()
                }
                fn arguments(&self, inputs: &[Edge]) -> Vec<Option<usize>> {
                    $Type::ROW.arguments(inputs)
                }
            }
        )*

        /// The rows of this file.
        pub(super) static ROWS: &[&Row] = &[$($Type::ROW),*];
    };
}

/// The first of its arguments: an optional field or its default.
macro_rules! first {
    ($a:expr $(, $rest:expr)* $(,)?) => {
        $a
    };
}

/// As `first!`, of types.
macro_rules! kind {
    ($a:ty $(, $rest:ty)* $(,)?) => {
        $a
    };
}

/// What every file of rows needs in scope.
macro_rules! imports {
    () => {
        use super::super::symbol::Symbols;
        #[allow(unused_imports, reason = "not every file has a row of each kind")]
        use super::called::{self, *};
        use super::elementwise;
        use super::row::{self, Kinks, Pointwise, Reads, Repeated, Row};
        use super::vector;
        use crate::autodiff::algebra::{Input, Tile};
        use crate::autodiff::rule::Corner;
        use crate::autodiff::torch_node::{Blocks, InPlace};
        use crate::table::small_arrays;
        use crate::{
            Algebra, Array, Edge, Elementwise, Form, Formula, Fun, LinearMap, Point, Rule, Saves,
            TorchNode,
        };
        use std::rc::Rc;
        use vjp_tensor::Outcome;
        use vjp_tensor::exact_integers::Exact;
        use vjp_tensor::kernels::Cpu;
        use vjp_tensor::kernels::blocks::{Slot, Slots};
        #[allow(unused_imports, reason = "not every file has a row of each kind")]
        use vjp_tensor::kernels::lane::{Number, Single};
        use vjp_tensor::{Dtype, Tensor};
    };
}
