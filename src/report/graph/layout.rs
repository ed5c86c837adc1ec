//! Where the boxes of a graph stand: in ranks, with few crossings, beside what they are joined to. The same
//! places serve the terminal and SVG.
//!
//! A box stands just before the first box that uses it; an edge over several ranks passes through a place
//! of its own in each. Order and coordinates in a rank are those of Sugiyama's method (crate `rust-sugiyama`,
//! after Gansner et al. 1993 and Brandes and Köpf 2001).

use rust_sugiyama::configure::{Config, RankingType};
use rust_sugiyama::from_vertices_and_edges;
use vjp_eval::record::drawn_graph::Level;

/// Boxes and ways in ranks.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Of each place: first those of the boxes, then those that edges pass through.
    pub places: Vec<Place>,
    /// Edges in pieces, each from one rank to the next.
    pub pieces: Vec<Piece>,
    pub ranks: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub rank: usize,
    /// The middle, across the ranks.
    pub at: f64,
    /// The edge that passes here; None: a box.
    pub edge: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Places.
    pub from: usize,
    pub to: usize,
    pub edge: usize,
}

/// How large things are across the ranks.
pub struct Sizes<'a> {
    pub node: &'a dyn Fn(usize) -> f64,
    /// What an edge takes that passes.
    pub way: f64,
    /// Between two neighbours.
    pub gap: f64,
    /// Where edges part from one box and meet in another, a rank of ways lies between, so that each edge
    /// can be told apart.
    pub apart: bool,
}

impl Layout {
    pub fn of(level: &Level, sizes: &Sizes) -> Layout {
        let mut layout = Layout::default();
        let mut ranks = ranks(level);
        if sizes.apart {
            spread(level, &mut ranks);
        }
        let place = |rank, edge| Place { rank, at: 0.0, edge };
        layout.places = ranks.iter().map(|rank| place(*rank, None)).collect();
        for (k, edge) in level.edges.iter().enumerate() {
            let mut from = edge.from;
            for rank in ranks[edge.from] + 1..ranks[edge.to] {
                layout.places.push(place(rank, Some(k)));
                let to = layout.places.len() - 1;
                layout.pieces.push(Piece { from, to, edge: k });
                from = to;
            }
            layout.pieces.push(Piece { from, to: edge.to, edge: k });
        }
        layout.ranks = ranks.iter().max().map_or(0, |last| last + 1);
        layout.arrange(sizes);
        layout
    }

    /// Order and coordinates in each rank.
    fn arrange(&mut self, sizes: &Sizes) {
        let extent = |(k, place): (usize, &Place)| match place.edge {
            Some(_) => sizes.way,
            None => (sizes.node)(k),
        };
        let all: Vec<f64> = self.places.iter().enumerate().map(extent).collect();
        let size = |k: usize| all[k];
        let vertices: Vec<(u32, (f64, f64))> =
            (0..self.places.len()).map(|k| (k as u32, (size(k), 1.0))).collect();
        let edges: Vec<(u32, u32)> =
            self.pieces.iter().map(|piece| (piece.from as u32, piece.to as u32)).collect();
        let config = Config {
            vertex_spacing: sizes.gap,
            ranking_type: RankingType::Down,
            dummy_vertices: false,
            ..Config::default()
        };
        // Parts that nothing joins stand one after the other.
        let mut start = 0.0;
        for (part, _, _) in from_vertices_and_edges(&vertices, &edges, &config) {
            let ends = part.iter().map(|(k, (x, _))| (x - size(*k) / 2.0, x + size(*k) / 2.0));
            let (low, high) = ends
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (a, b)| {
                    (low.min(a), high.max(b))
                });
            for (k, (x, _)) in &part {
                self.places[*k].at = start + x - low;
            }
            start += high - low + sizes.gap;
        }
    }

    /// The places of a rank, in order.
    pub fn rank(&self, rank: usize) -> Vec<usize> {
        let mut all: Vec<usize> =
            (0..self.places.len()).filter(|k| self.places[*k].rank == rank).collect();
        all.sort_by(|a, b| self.places[*a].at.total_cmp(&self.places[*b].at));
        all
    }
}

/// Of each box, how far it stands from the beginning: just before the first that uses it.
fn ranks(level: &Level) -> Vec<usize> {
    let n = level.nodes.len();
    let mut back = vec![0usize; n];
    // Boxes stand after those they depend on.
    let mut edges: Vec<(usize, usize)> = level.edges.iter().map(|e| (e.to, e.from)).collect();
    edges.sort_unstable_by(|a, b| b.cmp(a));
    for (to, from) in edges {
        back[from] = back[from].max(back[to] + 1);
    }
    let most = back.iter().max().copied().unwrap_or(0);
    back.iter().map(|b| most - b).collect()
}

/// Makes room for a rank of ways wherever an edge both parts from others and meets others.
fn spread(level: &Level, ranks: &mut [usize]) {
    let most = ranks.iter().max().copied().unwrap_or(0);
    let mut room = vec![0; most + 1];
    for edge in &level.edges {
        let parts = level.uses(edge.from).count() > 1;
        let meets = level.inputs(edge.to).count() > 1;
        if parts && meets && ranks[edge.to] == ranks[edge.from] + 1 {
            room[ranks[edge.to]] = 1;
        }
    }
    let mut before = 0;
    let shifts = room.iter().map(|r| {
        before += r;
        before
    });
    let shifts: Vec<usize> = shifts.collect();
    ranks.iter_mut().for_each(|rank| *rank += shifts[*rank]);
}
