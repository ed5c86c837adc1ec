//! `:sweep x[0] -2 2`: y and its slope as one entry of a leaf moves.

use super::point::{Asked, Failed, evaluated};
use super::{POINTS, bulk, spaced};
use vjp_eval::Machine;
use vjp_eval::record::event::{Mark, Plot, Series};
use vjp_tensor::{Kind, budget};

/// The weighted output of the last backward, and its derivative, over a range of one entry.
///
/// `scalar` is what y is called, `entry` the moving number.
pub fn sweep(
    m: &mut Machine,
    asked: &Asked,
    element: usize,
    (low, high): (f64, f64),
    scalar: &str,
    entry: &str,
) -> Result<Plot, Failed> {
    let x = m.tried(|m, _| evaluated(m, &asked.leaf))?.value();
    let xs = spaced(low, high, POINTS);
    let (mut ys, mut slopes) = (Vec::with_capacity(POINTS), Vec::with_capacity(POINTS));
    for &moved in &xs {
        budget::tick()?;
        let mut data = x.data().to_vec();
        data[element] = moved;
        let (y, slope) = match asked.at(m, &vjp_tensor::Tensor::new(x.shape(), data)) {
            Ok(point) => (point.y, point.slopes[element]),
            // A pole has no value, and neither ends the curve nor the question.
            Err(Failed::Fault(fault)) if fault.kind == Kind::ZeroDivision => (f64::NAN, f64::NAN),
            Err(failed) => return Err(failed),
        };
        ys.push(y);
        slopes.push(slope);
    }
    let all: Vec<f64> = ys.iter().chain(&slopes).copied().collect();
    let line = |mark, label: String, y| Series::new(mark, label, xs.clone(), y);
    Ok(Plot {
        title: String::new(),
        x_label: entry.to_owned(),
        y_label: String::new(),
        x_limits: Some((low, high)),
        y_limits: bulk(&all),
        log_x: false,
        log_y: false,
        series: vec![
            line(Mark::Line, scalar.to_owned(), ys),
            line(Mark::Dotted, "its slope".to_owned(), slopes),
        ],
    })
}
