//! Lines of equal height over a grid.

use crate::{Outcome, budget};

/// Points along each level's lines: in every cell of the grid, from edge to edge. Heights stand row by
/// row, one row for each y.
pub fn contours(
    xs: &[f64],
    ys: &[f64],
    heights: &[f64],
    levels: &[f64],
) -> Outcome<(Vec<f64>, Vec<f64>)> {
    let corner =
        |column: usize, row: usize| ((xs[column], ys[row]), heights[row * xs.len() + column]);
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for level in levels {
        for row in 1..ys.len() {
            budget::tick()?;
            for column in 1..xs.len() {
                let around = [
                    corner(column - 1, row - 1),
                    corner(column, row - 1),
                    corner(column, row),
                    corner(column - 1, row),
                ];
                let crossings: Vec<(f64, f64)> = (0..4)
                    .filter_map(|k| crossing(around[k], around[(k + 1) % 4], *level))
                    .collect();
                for ends in crossings.chunks_exact(2) {
                    for t in [0.0, 0.25, 0.5, 0.75, 1.0] {
                        x.push(ends[0].0 + t * (ends[1].0 - ends[0].0));
                        y.push(ends[0].1 + t * (ends[1].1 - ends[0].1));
                    }
                }
            }
        }
    }
    Ok((x, y))
}

/// A place with the height there.
type Height = ((f64, f64), f64);

/// Where the level lies between two places.
fn crossing((from, a): Height, (to, b): Height, level: f64) -> Option<(f64, f64)> {
    let crosses = (a < level) != (b < level) && a.is_finite() && b.is_finite();
    let t = (level - a) / (b - a);
    crosses.then_some((from.0 + t * (to.0 - from.0), from.1 + t * (to.1 - from.1)))
}
