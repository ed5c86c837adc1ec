//! A scalar of the session and its gradient, as they are or with a leaf at another value.

use crate::what_if;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::{Fault, Halt, Machine, Manner, leaf};
use vjp_jacobian::central_differences::{record, size};
use vjp_maths::autodiff::reverse::{SweepOptions, ancestors, sweep};
use vjp_maths::{Edge, Origin, Variable};
use vjp_tensor::{Complaint, Kind, Tensor};
use vjp_text::{Source, Symbol};

/// What is looked at: code of an output and of a leaf, and the weights of an output that is no scalar.
#[derive(Clone, Debug)]
pub struct Asked {
    pub output: String,
    pub weights: Option<Tensor>,
    pub leaf: String,
}

/// The weighted output, and its gradient with respect to the leaf, flattened.
#[derive(Clone, Debug)]
pub struct Point {
    pub y: f64,
    pub slopes: Vec<f64>,
}

/// Why there is no point.
pub enum Failed {
    Fault(Box<Fault>),
    Halt(Halt),
}

impl From<Box<Fault>> for Failed {
    fn from(fault: Box<Fault>) -> Failed {
        Failed::Fault(fault)
    }
}

impl From<Halt> for Failed {
    fn from(halt: Halt) -> Failed {
        Failed::Halt(halt)
    }
}

impl From<Box<Complaint>> for Failed {
    fn from(complaint: Box<Complaint>) -> Failed {
        Failed::Halt(complaint.into())
    }
}

impl Asked {
    /// What the scalar is called.
    pub fn title(&self, m: &mut Machine) -> String {
        let many = |v| leaf::stacked(&v).is_ok_and(|t| t.numel() > 1);
        match m.lookup(&self.output).is_some_and(many) {
            true => format!("{}.sum()", self.output),
            false => self.output.clone(),
        }
    }

    /// The point with the leaf at `value`: the session's inputs run again. Where the leaf was written after
    /// the output was computed, as in a training loop, they would not compute the output again: its graph is.
    ///
    /// # Errors
    /// What they raise; an output that the leaf does not lead to; a value that is not finite.
    pub fn at(&self, m: &mut Machine, value: &Tensor) -> Result<Point, Failed> {
        let (y, x) = self.ends(m)?;
        match held(&y, &x) {
            None => {
                let swapped = held(&x, &y).is_some();
                let cut = !y.requires_grad();
                let (y, x) = (&self.output, &self.leaf);
                let message = match swapped {
                    true => format!("{x} was computed from {y}: name {x} first, then {y}"),
                    false if cut => format!("no path leads from {x} to {y}"),
                    false => {
                        format!("no path leads from {x} as it is now to {y}: compute {y} again")
                    }
                };
                Err(Complaint::new(Kind::Value, message).into())
            }
            Some(then) if then.data() != x.value().data() => {
                let (y, x) = lend(m, || record(&y, &x, value))?;
                let v = self.weights(&y);
                point(m, &y, &v, &x)
            }
            Some(_) => self.again(m, &x, value),
        }
    }

    /// About how many numbers one point computes; an input costs as much as some hundred of them.
    pub fn cost(&self, m: &mut Machine) -> Result<usize, Failed> {
        const INPUT: usize = 300;
        let (y, x) = self.ends(m)?;
        Ok(size(&y, &x) + INPUT * m.inputs().len())
    }

    /// The output and the leaf.
    fn ends(&self, m: &mut Machine) -> Result<(Variable, Variable), Failed> {
        m.tried(|m, _| Ok((evaluated(m, &self.output)?, evaluated(m, &self.leaf)?)))
    }

    fn again(&self, m: &mut Machine, x: &Variable, value: &Tensor) -> Result<Point, Failed> {
        let name = &self.leaf;
        let Some(numbers) = what_if::literal(value) else {
            let message = match value.data().iter().any(|x| x.is_nan()) {
                true => format!(
                    "{name} becomes nan: {} or its slope has no value there; try a smaller rate",
                    self.output
                ),
                false => format!("{name} grows beyond all finite numbers: try a smaller rate"),
            };
            return Err(Complaint::new(Kind::Value, message).into());
        };
        let code = match x.is_implicit() {
            true => format!("{name} = {numbers}"),
            false => format!("{name}.data = torch.tensor({numbers}, dtype={name}.dtype)"),
        };
        what_if::with(m, &code, |m| self.here(m))?
    }

    /// The weights that were given, where they fit y, else ones.
    fn weights(&self, y: &Variable) -> Tensor {
        let fitting = self.weights.as_ref().filter(|v| v.numel() == y.numel());
        let ones = || Tensor::new(&y.shape(), vec![1.0; y.numel()]);
        fitting.map_or_else(ones, |v| v.reshaped(&y.shape()))
    }

    /// The point as names are bound now.
    ///
    /// # Errors
    /// Code that fails; weights that do not fit.
    pub fn here(&self, m: &mut Machine) -> Result<Point, Failed> {
        let y = evaluated(m, &self.output)?;
        let x = evaluated(m, &self.leaf)?;
        let v = self.weights(&y);
        point(m, &y, &v, &x)
    }
}

/// What the leaf held when y was computed from it; None where no path leads from it.
fn held(y: &Variable, x: &Variable) -> Option<Tensor> {
    if y.same(x) {
        return Some(x.value());
    }
    ancestors(y.node()).into_iter().find_map(|node| {
        let own = |edge: &&Edge| matches!(&edge.origin, Origin::Leaf(leaf) if leaf.same(x));
        node.inputs().iter().find(own).map(|edge| edge.value.clone())
    })
}

/// The variable that code evaluates to.
pub fn evaluated(m: &mut Machine, code: &str) -> Result<Variable, Failed> {
    m.run(&Source::new(code), Manner::Line, &mut |_| {})?;
    match m.global(Symbol::new("_")) {
        Some(value) => Ok(leaf::stacked(&value)?),
        None => {
            let message = format!("{} has no numeric value", code.trim());
            Err(Complaint::new(Kind::Value, message).into())
        }
    }
}

/// v·y, and the reverse sweep from it to x.
pub fn point(m: &mut Machine, y: &Variable, v: &Tensor, x: &Variable) -> Result<Point, Failed> {
    let weighted = y.value().data().iter().zip(v.data()).map(|(y, v)| y * v).sum();
    let none = vec![0.0; x.numel()];
    if !y.requires_grad() {
        return Ok(Point { y: weighted, slopes: none });
    }
    let options = SweepOptions {
        retain_graph: true,
        unasked: true,
        inputs: Some(std::slice::from_ref(x)),
        ..SweepOptions::default()
    };
    let roots = [(y.clone(), Variable::constant(v.clone()))];
    let swept = lend(m, || sweep(&roots, options))?;
    let gradient = swept.inputs.into_iter().flatten().next();
    Ok(Point { y: weighted, slopes: gradient.map_or(none, |g| g.value().data().to_vec()) })
}
