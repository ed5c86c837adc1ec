//! vᵀJ of a run: from the node that a cotangent came to down to where its ancestors are no elementwise operations
//! over arrays like it, all in one loop over tiles. What backward reads and nobody has stored is computed again in the
//! tile; sums have the order that they have node by node.

use super::late;
use super::program::{Arg, Program, Ready};
use crate::autodiff::algebra::Tile;
use crate::{Algebra, Elementwise, Formula, Node, Origin, table};
use smallvec::SmallVec;
use vjp_tensor::kernels::TILE;
use vjp_tensor::kernels::blocks::{self, Slots};
use vjp_tensor::kernels::operand::{Input, OPERANDS};
use vjp_tensor::{Outcome, Tensor};

/// More nodes are passed by several loops.
const LONGEST: usize = 64;

/// The nodes of a run, the youngest first, and where cotangents leave it.
pub(crate) struct Run {
    nodes: Vec<Node>,
    exits: Vec<Origin>,
}

/// Where a cotangent goes.
#[derive(Clone, Copy)]
enum To {
    Node(usize),
    Exit(usize),
}

/// A cotangent that passes a node along one edge.
struct Pass<'a> {
    wrt: usize,
    to: To,
    p: &'a dyn Elementwise,
    /// Its slope, where that is a number; else what it reads.
    slope: Option<f64>,
    x: SmallVec<[Arg; OPERANDS]>,
    y: Arg,
}

impl Run {
    /// The run below `root`; `leads`: whether a cotangent is wanted there; `is_plain`: whether nobody looks on at a node.
    /// None: it would be of one node.
    pub fn below(
        root: &Node,
        v: &Tensor,
        leads: impl Fn(&Origin) -> bool,
        is_plain: impl Fn(&Node) -> bool,
    ) -> Option<Run> {
        let belongs = |n: &Node| {
            let alike = n.value().shape() == v.shape() && n.value().dtype() == v.dtype();
            alike && is_plain(n) && passes(n, &leads)
        };
        if !belongs(root) {
            return None;
        }
        let mut nodes = vec![root.clone()];
        let mut newest = 0;
        let mut next = 0;
        while let Some(n) = nodes.get(next).cloned() {
            next += 1;
            for edge in n.inputs().iter().filter(|e| leads(&e.origin)) {
                match &edge.origin {
                    Origin::Node(m) if nodes.iter().any(|n| n.same(m)) => {}
                    Origin::Node(m) if nodes.len() < LONGEST && belongs(m) => nodes.push(m.clone()),
                    // What is younger than this may reach it by other ways: it is then passed by no loop.
                    Origin::Node(m) => newest = newest.max(m.id()),
                    _ => {}
                }
            }
        }
        nodes.retain(|n| n.id() > newest);
        nodes.sort_by_key(|n| std::cmp::Reverse(n.id()));
        if nodes.len() < 2 {
            return None;
        }
        let mut exits: Vec<Origin> = Vec::new();
        for edge in nodes.iter().flat_map(Node::inputs).filter(|e| leads(&e.origin)) {
            let inside = edge.node().is_some_and(|m| nodes.iter().any(|n| n.same(m)));
            if !inside && place(&exits, &edge.origin).is_none() {
                exits.push(edge.origin.clone());
            }
        }
        // A view without a history leads nowhere.
        (!exits.is_empty()).then_some(Run { nodes, exits })
    }

    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub fn exits(&self) -> &[Origin] {
        &self.exits
    }

    /// What comes to each exit of the cotangent `v` of the first node.
    pub fn pull(&self, v: &Tensor, leads: impl Fn(&Origin) -> bool) -> Outcome<Vec<Tensor>> {
        let mut program = Program::new(v.dtype());
        let start = program.find(v);
        let passes: Vec<Vec<Pass>> =
            self.nodes.iter().map(|n| self.passes(n, &leads, &mut program)).collect();
        let ready = program.ready(v.numel());
        fill(&ready, start, &passes, (self.exits.len(), v))
    }

    fn passes<'a>(
        &'a self,
        node: &'a Node,
        leads: &impl Fn(&Origin) -> bool,
        program: &mut Program,
    ) -> Vec<Pass<'a>> {
        let Some(p) = node.operation().elementwise() else { return Vec::new() };
        let edges = node.inputs().iter().enumerate().filter(|(_, e)| leads(&e.origin));
        edges
            .filter_map(|(wrt, edge)| {
                let inside = |m: &Node| self.nodes.iter().position(|n| n.same(m));
                let to = match edge.node().and_then(inside) {
                    Some(k) => To::Node(k),
                    None => To::Exit(place(&self.exits, &edge.origin)?),
                };
                let mut read = |reads: bool, t: &Tensor| match reads {
                    true => program.find(t),
                    false => Arg::One(f64::NAN),
                };
                let (slope, reads) = match p.reads(wrt) {
                    Formula::Const(c) => (Some(c), table::Reads::NONE),
                    Formula::In(reads) => (None, reads),
                };
                let operands = node.inputs().iter().take(p.row().fun.operands).enumerate();
                let x = operands.map(|(k, e)| read(reads.operand(k), &e.value)).collect();
                let y = read(reads.output(), node.value());
                Some(Pass { wrt, to, p, slope, x, y })
            })
            .collect()
    }
}

/// What comes to so many exits of the cotangent `v`, which the program has at `start`.
fn fill(
    ready: &Ready,
    start: Arg,
    passes: &[Vec<Pass>],
    (exits, v): (usize, &Tensor),
) -> Outcome<Vec<Tensor>> {
    let work = |at: usize, out: Vec<Slots>| {
        let len = out[0].len();
        let steps = ready.run(at, len);
        let mut arrived: Vec<Option<Tile>> = vec![None; passes.len()];
        let mut left: Vec<Option<Tile>> = vec![None; exits];
        arrived[0] = Some(whole(ready, ready.tile(start, &steps, at, len), len));
        for (k, passes) in passes.iter().enumerate() {
            let Some(v) = arrived[k].take() else { continue };
            for pass in passes {
                let passed = pass.pull(ready, &steps, (at, len), &v);
                let slot = match pass.to {
                    To::Node(k) => &mut arrived[k],
                    To::Exit(k) => &mut left[k],
                };
                *slot = Some(match slot.take() {
                    Some(before) => Tile::call(&table::ADD, &[&before, &passed]),
                    None => passed,
                });
            }
        }
        for (out, left) in out.into_iter().zip(&left) {
            out.copy(left.as_ref().map_or(Input::One(0.0), Tile::input));
        }
    };
    blocks::tensors(v.shape(), (v.numel(), exits), v.dtype(), &work)
}

impl Pass<'_> {
    /// vᵀJ in a tile.
    fn pull<'t>(
        &self,
        ready: &'t Ready,
        steps: &[Tile<'t>],
        (at, len): (usize, usize),
        v: &Tile<'t>,
    ) -> Tile<'t> {
        match self.slope {
            Some(1.0) => return v.clone(),
            Some(c) => return Tile::call(&table::MUL, &[v, &v.lift(c)]),
            None => {}
        }
        let x: SmallVec<[Tile; OPERANDS]> =
            self.x.iter().map(|arg| ready.tile(*arg, steps, at, len)).collect();
        let y = ready.tile(self.y, steps, at, len);
        Tile::made(ready.cpu, ready.dtype, len, |out| {
            table::pull_tile(self.p, (self.wrt, &x, &y, v), (ready.cpu, ready.dtype), out);
        })
    }
}

/// A number repeated, so that each step with it is rounded.
fn whole<'t>(ready: &Ready, tile: Tile<'t>, len: usize) -> Tile<'t> {
    debug_assert!(len <= TILE);
    match tile.input() {
        Input::One(_) => Tile::made(ready.cpu, ready.dtype, len, |out| out.copy(tile.input())),
        _ => tile,
    }
}

/// Whether a cotangent passes this node, along all edges that lead somewhere, in a loop over tiles.
fn passes(n: &Node, leads: &impl Fn(&Origin) -> bool) -> bool {
    let operation = n.operation();
    let Some(p) = operation.elementwise() else { return false };
    let operands = p.row().fun.operands;
    let special = operation.has_own_backward()
        || operation.chooses()
        || operation.blocks().is_some()
        || operation.passes_nothing()
        || operation.underived() != 0;
    let inputs: SmallVec<[&Tensor; 2]> =
        n.inputs().iter().take(operands).map(|e| &e.value).collect();
    if special || n.inputs().len() != operands || late::fits(p, &inputs).is_none() {
        return false;
    }
    n.inputs().iter().enumerate().filter(|(_, e)| leads(&e.origin)).all(|(k, e)| {
        let slope = match p.reads(k) {
            Formula::Const(c) => c.abs() == 1.0,
            Formula::In(_) => true,
        };
        slope && e.value.rank() > 0
    })
}

fn place(exits: &[Origin], origin: &Origin) -> Option<usize> {
    exits.iter().position(|exit| match (exit, origin) {
        (Origin::Leaf(a), Origin::Leaf(b)) => a.same(b),
        (Origin::Node(a), Origin::Node(b)) => a.same(b),
        _ => false,
    })
}
