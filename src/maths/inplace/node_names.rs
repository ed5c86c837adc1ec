//! An operation that PyTorch's graph calls by another name where it is written in place, or where an
//! operand is a number: `xlogy(x, 3)` is `<XlogyBackward2>`.

use crate::autodiff::rule::Corner;
use crate::autodiff::torch_node::{Behind, InPlace};
use crate::matrix::Matrix;
use crate::saved::packing;
use crate::second_order::names::keeps_result;
use crate::{
    Edge, Elementwise, LinearMap, Node, Operation, Point, Saves, Symbols, TorchNode, Variable,
};
use std::rc::Rc;
use vjp_tensor::{ElementMap, Outcome, Tensor};

#[derive(Debug)]
pub struct Renamed {
    pub operation: Rc<dyn Operation>,
    pub grad_fn: &'static str,
    /// What PyTorch calls it where it has no derivative; see [`TorchNode::underived`].
    pub underived: Option<(&'static str, u8)>,
    /// Whether it keeps for backward what the operation keeps.
    pub keeps: bool,
}

impl Renamed {
    /// The operation under another name of its node.
    pub fn of(operation: Rc<dyn Operation>, grad_fn: &'static str) -> Rc<dyn Operation> {
        Rc::new(Renamed { operation, grad_fn, underived: None, keeps: true })
    }

    /// The operation with a number for its second operand, which is all that its node keeps.
    pub fn with_number(operation: Rc<dyn Operation>, grad_fn: &'static str) -> Rc<dyn Operation> {
        Rc::new(Renamed { operation, grad_fn, underived: None, keeps: false })
    }
}

/// What the operation itself says.
macro_rules! same {
    ($($name:ident($($arg:ident: $Arg:ty),*) -> $Out:ty;)*) => {
        $(fn $name(&self $(, $arg: $Arg)*) -> $Out {
            self.operation.$name($($arg),*)
        })*
    };
}

impl Operation for Renamed {
    fn name(&self) -> &'static str {
        self.underived.map_or_else(|| self.operation.name(), |(name, _)| name)
    }

    same! {
        value(inputs: &[&Tensor]) -> Outcome<Tensor>;
        symbols(inputs: &[&Symbols], values: &[&Tensor], value: &Tensor) -> Option<Symbols>;
        corners(inputs: &[&Tensor], output: &Tensor) -> Vec<Corner>;
        pull(at: &Point<Tensor>, wrt: usize, v: &Tensor) -> Option<Outcome<Tensor>>;
        pass(x: &[f64], y: f64, wrt: usize, v: f64) -> Option<f64>;
        elementwise() -> Option<&dyn Elementwise>;
        linear_tensor(at: &Point<Tensor>, wrt: usize) -> LinearMap<Tensor>;
        linear_symbols(at: &Point<Symbols>, wrt: usize) -> LinearMap<Symbols>;
        linear_variable(at: &Point<Variable>, wrt: usize) -> LinearMap<Variable>;
        linear_matrix(at: &Point<Matrix>, wrt: usize) -> LinearMap<Matrix>;
        value_matrix(inputs: &[&Matrix]) -> Option<Matrix>;
        code(inputs: &[String]) -> Option<String>;
        call(inputs: &[String]) -> Option<String>;
        written() -> Option<&ElementMap>;
        pull_code(wrt: usize, inputs: &[String], v: &str) -> Option<String>;
        broadcasts() -> bool;
        method() -> Option<&'static str>;
    }
}

impl TorchNode for Renamed {
    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn underived(&self) -> u8 {
        self.underived.map_or_else(|| self.operation.underived(), |(_, inputs)| inputs)
    }

    fn in_place(&self) -> Option<InPlace> {
        InPlace::of(self.grad_fn)
    }

    fn arguments(&self, inputs: &[Edge]) -> Vec<Option<usize>> {
        (0..inputs.len()).filter(|k| !inputs[*k].is_number()).map(Some).collect()
    }

    fn saves(&self) -> Saves {
        if self.keeps { self.operation.saves() } else { Saves::Nothing }
    }

    fn saves_for(&self, tracked: u8) -> Saves {
        if self.keeps { self.operation.saves_for(tracked) } else { Saves::Nothing }
    }

    /// What keeps nothing has a slope without history.
    fn masks(&self) -> bool {
        !self.keeps || self.operation.masks()
    }

    same! {
        chooses() -> bool;
        passes_nothing() -> bool;
        remembers() -> bool;
        last() -> Option<&'static str>;
        place() -> usize;
        behind() -> Behind;
    }
}

impl Node {
    /// As PyTorch's graph has it where the operation wrote its result in place.
    #[must_use]
    pub(crate) fn written_in_place(self) -> Node {
        let Some(InPlace { grad_fn, underived }) = self.operation().in_place() else {
            return self;
        };
        let operation = self.shared_operation();
        let renamed = Rc::new(Renamed { operation, grad_fn, underived, keeps: true });
        let node = self.with_operation(renamed, keeps_result(grad_fn));
        packing::note(&node);
        node
    }
}
