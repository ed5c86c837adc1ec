//! What kind of formula one is: element by element, a product of matrices, a multiple of another.

use vjp_maths::matrix::{Matrix, Node as Part};

/// Without a number before it.
pub(super) fn parted(m: &Matrix) -> Matrix {
    let (_, m) = m.parted();
    match m.node() {
        Part::Expand(x) | Part::Reshape(x) => parted(x),
        _ => m,
    }
}

/// Whether each element comes from those in its own place.
pub(super) fn elementwise(m: &Matrix) -> bool {
    let own = match m.node() {
        Part::Name(_) | Part::Number(_) | Part::Sum(_) | Part::Times(_) | Part::Call(..) => true,
        Part::Expand(_) | Part::Reshape(_) | Part::Swap(_) => true,
        _ => !m.has_names(),
    };
    own && m.node().parts().into_iter().all(elementwise)
}

/// A product of matrices, perhaps with a number.
pub(super) fn chain(m: &Matrix) -> bool {
    matches!(parted(m).node(), Part::Product(_))
}
