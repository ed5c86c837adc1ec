//! The Jacobian of elementwise operations that follow each other: a diagonal, composed forwards tile by
//! tile, so that what lies between leaf and output stays near the processor.

use crate::Jacobian;
use crate::walk::{Source, Walk};
use smallvec::SmallVec;
use vjp_maths::autodiff::algebra::{Input, Tile};
use vjp_maths::runs::program::{Arg, Program, Ready};
use vjp_maths::table::{ADD, MUL, Reads};
use vjp_maths::{Algebra, Elementwise, Formula, Node, Variable};
use vjp_tensor::kernels::{TILE, blocks};
use vjp_tensor::{Dtype, Outcome, Tensor};

/// One operation on the way, as far as all cores may see it.
struct Step<'a> {
    row: &'a dyn Elementwise,
    x: SmallVec<[Arg; 2]>,
    y: Arg,
    paths: SmallVec<[Path; 2]>,
}

/// An operand that depends on the leaf.
struct Path {
    wrt: usize,
    /// The step that made it; None: it is the leaf.
    from: Option<usize>,
    /// Nobody asks that step again.
    last: bool,
}

/// ∂(what a step made)/∂leaf over a tile; None: no path.
type Tangent<'a> = Option<Formula<Tile<'a>>>;

/// Whether a loop over arrays of this shape reads an operand as it is: not repeated.
fn fits(t: &Tensor, shape: &[usize]) -> bool {
    let exact = matches!(t.dtype(), Dtype::Float64 | Dtype::Int64);
    exact && (t.shape() == shape || t.rank() <= shape.len() && t.numel() == 1)
}

/// The way from one leaf to y, where all of it is elementwise.
fn steps<'a>(
    walk: &'a Walk,
    y: &Variable,
    leaf: usize,
    program: &mut Program,
) -> Option<Vec<Step<'a>>> {
    let shape = y.shape();
    let own = |v: &Tensor| v.shape() == shape.as_slice() && v.dtype() == Dtype::Float64;
    let fits = walk.leaves[leaf].shape() == shape && walk.leaves[leaf].dtype() == Dtype::Float64;
    let ends = walk.output(y) == Source::Node(walk.nodes.len().checked_sub(1)?);
    if !fits || !ends || y.numel() == 0 {
        return None;
    }
    let mut all: Vec<Step> = Vec::with_capacity(walk.nodes.len());
    for node in &walk.nodes {
        all.push(step(walk, node, leaf, program).filter(|_| own(node.value()))?);
    }
    let mut asked = vec![false; all.len()];
    for step in all.iter_mut().rev() {
        for path in step.paths.iter_mut().rev() {
            if let Some(k) = path.from {
                path.last = !std::mem::replace(&mut asked[k], true);
            }
        }
    }
    Some(all)
}

fn step<'a>(walk: &Walk, node: &'a Node, leaf: usize, program: &mut Program) -> Option<Step<'a>> {
    let (row, shape) = (node.operation().elementwise()?, node.value().shape());
    let mut paths: SmallVec<[Path; 2]> = SmallVec::new();
    let mut read = Reads::NONE;
    for (wrt, edge) in node.inputs().iter().enumerate() {
        if !fits(&edge.value, shape) {
            return None;
        }
        let from = match walk.source(edge) {
            Source::Elsewhere => continue,
            Source::Leaf(k) if k != leaf => continue,
            Source::Leaf(_) => None,
            Source::Node(k) => Some(k),
        };
        let operation = node.operation();
        // A path whose slope is 0 is told from no path entry by entry.
        let plain = node.check_derived(wrt).is_ok() && !operation.steps(wrt);
        if edge.value.shape() != shape || !plain {
            return None;
        }
        if let Formula::In(more) = row.reads(wrt) {
            read = read.and(&more);
        }
        let last = false;
        paths.push(Path { wrt, from, last });
    }
    let mut find = |asked: bool, t: &Tensor| match asked {
        true => program.find(t),
        false => Arg::One(f64::NAN),
    };
    let inputs = node.inputs().iter().enumerate();
    let x = inputs.map(|(k, edge)| find(read.operand(k), &edge.value)).collect();
    let y = find(read.output(), node.value());
    Some(Step { row, x, y, paths })
}

fn times<'a>(slope: Formula<Tile<'a>>, inner: Formula<Tile<'a>>) -> Formula<Tile<'a>> {
    match (slope, inner) {
        (Formula::Const(a), Formula::Const(b)) => Formula::Const(a * b),
        (Formula::Const(1.0), other) | (other, Formula::Const(1.0)) => other,
        (Formula::Const(c), Formula::In(t)) | (Formula::In(t), Formula::Const(c)) => {
            Formula::In(Tile::call(&MUL, &[&t, &t.lift(c)]))
        }
        (Formula::In(a), Formula::In(b)) => Formula::In(Tile::call(&MUL, &[&a, &b])),
    }
}

fn plus<'a>(a: Formula<Tile<'a>>, b: Formula<Tile<'a>>) -> Formula<Tile<'a>> {
    match (a, b) {
        (Formula::Const(a), Formula::Const(b)) => Formula::Const(a + b),
        (Formula::Const(c), Formula::In(t)) | (Formula::In(t), Formula::Const(c)) => {
            Formula::In(Tile::call(&ADD, &[&t, &t.lift(c)]))
        }
        (Formula::In(a), Formula::In(b)) => Formula::In(Tile::call(&ADD, &[&a, &b])),
    }
}

/// ∂y/∂leaf over `len` elements from `at` on.
fn tangent<'a>(steps: &[Step], ready: &'a Ready, at: usize, len: usize) -> Tangent<'a> {
    let values = ready.run(at, len);
    let tile = |arg: &Arg| ready.tile(*arg, &values, at, len);
    let mut done: Vec<Tangent<'a>> = Vec::with_capacity(steps.len());
    for step in steps {
        let x: SmallVec<[Tile<'a>; 2]> = step.x.iter().map(tile).collect();
        let y = tile(&step.y);
        let mut sum: Tangent<'a> = None;
        for path in &step.paths {
            let inner = match path.from {
                None => Some(Formula::Const(1.0)),
                Some(k) if path.last => done[k].take(),
                Some(k) => done[k].clone(),
            };
            let Some(inner) = inner else { continue };
            let part = match step.row.slope(path.wrt, &x, &y) {
                Formula::Const(0.0) => continue,
                slope => times(slope, inner),
            };
            sum = Some(match sum {
                None => part,
                Some(before) => plus(before, part),
            });
        }
        done.push(sum);
    }
    done.pop().flatten()
}

fn diagonal(steps: &[Step], ready: &Ready, n: usize) -> Outcome<Jacobian<f64>> {
    let first = n.min(TILE);
    // Whether there is a path, and whether slopes are constants, is the same in all tiles.
    let data = match tangent(steps, ready, 0, first) {
        None => return Ok(Jacobian::zero(n, n)),
        Some(Formula::Const(c)) => {
            return Jacobian::identity(n).scaled(c);
        }
        Some(Formula::In(all)) if first == n => match all.input() {
            Input::Many(all) => all.to_vec(),
            one => vec![one.at(0); n],
        },
        Some(Formula::In(_)) => blocks::fill(n, Dtype::Float64, &|at, out| {
            let found = tangent(steps, ready, at, out.len());
            let numbers = match &found {
                Some(Formula::In(tile)) => tile.input(),
                Some(Formula::Const(c)) => Input::One(*c),
                None => Input::One(0.0),
            };
            out.copy(numbers);
        })?,
    };
    Ok(Jacobian::diagonal(data))
}

/// ∂y/∂leaf for each leaf, where all operations on the way are elementwise; else None.
pub(crate) fn diagonals(walk: &Walk, y: &Variable) -> Outcome<Option<Vec<Jacobian<f64>>>> {
    let mut all = Vec::with_capacity(walk.leaves.len());
    for leaf in 0..walk.leaves.len() {
        let mut program = Program::new(Dtype::Float64);
        let Some(steps) = steps(walk, y, leaf, &mut program) else {
            return Ok(None);
        };
        all.push(diagonal(&steps, &program.ready(y.numel()), y.numel())?);
    }
    Ok(Some(all))
}

/// Whether [`diagonals`] has an answer for the first leaf.
pub(crate) fn is_elementwise(walk: &Walk, y: &Variable) -> bool {
    !walk.leaves.is_empty() && steps(walk, y, 0, &mut Program::new(Dtype::Float64)).is_some()
}
