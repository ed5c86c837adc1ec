//! Panels: frame, order of giving way, names.

use super::made::*;
use super::support::*;
use vjp::eval::record::event::*;

#[test]
fn what_was_there_before_is_added() {
    same(
        &panel(accumulated()),
        r"

           J = ∂y/∂x
    v         x₁   x₂
    1  y₁  ⎡   6    · ⎤
    1  y₂  ⎣   ·   12 ⎦
           ────────────
  vᵀJ      [   6   12 ]    1×6,  1×12
  x.grad   [  12  132 ] = [6, 120] + [6, 12] ✓ the gradient of y.sum()
",
    );
}

#[test]
fn what_was_there_before_takes_a_row() {
    same(
        &panel(long_accumulated()),
        r"

           J = ∂y/∂x
    v           x₁     x₂     x₃     x₄     x₅     x₆
    1  y₁  ⎡  2.00      ·      ·      ·      ·      · ⎤
    1  y₂  ⎢     ·   4.00      ·      ·      ·      · ⎥
    1  y₃  ⎢     ·      ·   6.00      ·      ·      · ⎥
    1  y₄  ⎢     ·      ·      ·   8.00      ·      · ⎥
    1  y₅  ⎢     ·      ·      ·      ·  10.00      · ⎥
    1  y₆  ⎣     ·      ·      ·      ·      ·  12.00 ⎦
           ────────────────────────────────────────────
  vᵀJ      [  2.00   4.00   6.00   8.00  10.00  12.00 ]
  before   [  0.12   0.12   0.12   0.12   0.12   0.12 ]
  x.grad   [  2.12   4.12   6.12   8.12  10.12  12.12 ] ✓ = before + vᵀJ
           the gradient of y.sum()
",
    );
}

#[test]
fn a_large_leaf_takes_one_line() {
    same(
        &panel(scalar_loss(vec![wide_leaf("W1", &[128, 784]), wide_leaf("b1", &[4])])),
        r"
loss = 3.594                                                a scalar: v = 1

    v             b1₁     b1₂     b1₃     b1₄
    1  loss  [ -3.000  -2.857  -2.714  -2.571 ]
  .grad=vᵀJ  [ -3.000  -2.857  -2.714  -2.571 ] ✓
  W1.grad  [128, 784]  100352 entries  largest 14333 at W1₁₂₈,₇₈₄  ✓
",
    );
}

#[test]
fn the_last_leaves_give_way() {
    same(
        &panel(many(7, 9)),
        r"
loss = 3.594                                                a scalar: v = 1

    v             p0₁     p0₂     p0₃  …     p0₉
    1  loss  [ -3.000  -2.857  -2.714  …  -1.857 ]
  .grad=vᵀJ  [ -3.000  -2.857  -2.714  …  -1.857 ] ✓

    v             p1₁     p1₂     p1₃  …     p1₉
    1  loss  [ -3.000  -2.857  -2.714  …  -1.857 ]
  .grad=vᵀJ  [ -3.000  -2.857  -2.714  …  -1.857 ] ✓

    v             p2₁     p2₂     p2₃  …     p2₉
    1  loss  [ -3.000  -2.857  -2.714  …  -1.857 ]
  .grad=vᵀJ  [ -3.000  -2.857  -2.714  …  -1.857 ] ✓
  p3.grad  [9]  9 entries  largest -3 at p3₁  ✓
  p4.grad  [9]  9 entries  largest -3 at p4₁  ✓
  p5.grad  [9]  9 entries  largest -3 at p5₁  ✓
  p6.grad  [9]  9 entries  largest -3 at p6₁  ✓
",
    );
}

#[test]
fn leaves_beyond_the_frame_are_counted() {
    same(
        &panel(many(30, 3)),
        r"
loss = 3.594                                                a scalar: v = 1

  p0.grad   [3]  3 entries  largest -3 at p0₁  ✓
  p1.grad   [3]  3 entries  largest -3 at p1₁  ✓
  p2.grad   [3]  3 entries  largest -3 at p2₁  ✓
  p3.grad   [3]  3 entries  largest -3 at p3₁  ✓
  p4.grad   [3]  3 entries  largest -3 at p4₁  ✓
  p5.grad   [3]  3 entries  largest -3 at p5₁  ✓
  p6.grad   [3]  3 entries  largest -3 at p6₁  ✓
  p7.grad   [3]  3 entries  largest -3 at p7₁  ✓
  p8.grad   [3]  3 entries  largest -3 at p8₁  ✓
  p9.grad   [3]  3 entries  largest -3 at p9₁  ✓
  p10.grad  [3]  3 entries  largest -3 at p10₁  ✓
  p11.grad  [3]  3 entries  largest -3 at p11₁  ✓
  p12.grad  [3]  3 entries  largest -3 at p12₁  ✓
  p13.grad  [3]  3 entries  largest -3 at p13₁  ✓
  p14.grad  [3]  3 entries  largest -3 at p14₁  ✓
  … 15 more leaves, all ✓
",
    );
}

#[test]
fn long_names_stand_in_the_heading() {
    same(
        &panel(renamed("predictions", "model.fc.weight")),
        r"

                        J = ∂predictions/∂model.fc.weight
    v                     ₁  ₂
    1  ₁                ⎡ 2  · ⎤
    1  ₂                ⎣ ·  4 ⎦
                        ────────
  vᵀJ                   [ 2  4 ]    1×2,  1×4
  model.fc.weight.grad  [ 2  4 ] ✓  the gradient of predictions.sum()
",
    );
}

#[test]
fn an_output_without_a_name() {
    same(
        &panel(unnamed()),
        r"
x^2 = [1, 4]

          J = ∂(x^2)/∂x
    v       x₁  x₂
    1  ₁  ⎡  2   · ⎤
    1  ₂  ⎣  ·   4 ⎦
          ──────────
  vᵀJ     [  2   4 ]    1×2,  1×4
  x.grad  [  2   4 ] ✓  the gradient of (x^2).sum()
",
    );
}

#[test]
fn wide_letters_shift_nothing() {
    same(
        &panel(renamed("漢", "é")),
        r"

            J = ∂漢/∂é
    v         é₁  é₂
    1  漢₁  ⎡  2   · ⎤
    1  漢₂  ⎣  ·   4 ⎦
            ──────────
  vᵀJ       [  2   4 ]    1×2,  1×4
  é.grad    [  2   4 ] ✓  the gradient of 漢.sum()
",
    );
}

#[test]
fn an_earlier_leaf_says_what_to_run() {
    same(
        &panel(earlier()),
        r"

                    J = ∂y/∂x (earlier)
    v                 x₁  x₂
    1  y₁           ⎡  2   · ⎤
    1  y₂           ⎣  ·   4 ⎦
                    ──────────
  vᵀJ               [  2   4 ]    1×2,  1×4
  x (earlier).grad  [  2   4 ] ✓  the gradient of y.sum()
  x was assigned again after y was computed: run  y = 3*x^2  again
",
    );
}

#[test]
fn an_empty_output() {
    same(
        &panel(empty()),
        r"

  y is empty: J has no rows
  x.grad  [2]  2 entries  largest 0 at x₁  ✓
",
    );
}

#[test]
fn a_hook_is_named() {
    same(
        &panel(hooked()),
        r"

           J = ∂y/∂x
    v        x₁  x₂
    1  y₁  ⎡  2   · ⎤
    1  y₂  ⎣  ·   4 ⎦
           ──────────
  vᵀJ      [  2   4 ]
  x.grad   [  2   4 ] ✗ differs from vᵀJ at x₁, x₂ by up to 0.5

  hook     the hook on h changed the gradient; J does not include hooks
",
    );
}

#[test]
fn any_rank() {
    same(
        &panel(rank_three()),
        r"

             J = ∂y/∂x
    v          x₁₁₁  x₁₁₂  x₁₂₁  x₁₂₂  x₂₁₁  x₂₁₂  x₂₂₁  x₂₂₂
    1  y₁₁₁  ⎡    2     ·     ·     ·     ·     ·     ·     · ⎤
    1  y₁₁₂  ⎢    ·     4     ·     ·     ·     ·     ·     · ⎥
    1  y₁₂₁  ⎢    ·     ·     6     ·     ·     ·     ·     · ⎥
    1  y₁₂₂  ⎢    ·     ·     ·     8     ·     ·     ·     · ⎥
    1  y₂₁₁  ⎢    ·     ·     ·     ·    10     ·     ·     · ⎥
    1  y₂₁₂  ⎢    ·     ·     ·     ·     ·    12     ·     · ⎥
    1  y₂₂₁  ⎢    ·     ·     ·     ·     ·     ·    14     · ⎥
    1  y₂₂₂  ⎣    ·     ·     ·     ·     ·     ·     ·    16 ⎦
             ──────────────────────────────────────────────────
  vᵀJ        [    2     4     6     8    10    12    14    16 ]
  x.grad     [    2     4     6     8    10    12    14    16 ] ✓
             as x:  [[[2, 4], [6, 8]], [[10, 12], [14, 16]]]
             the gradient of y.sum()
",
    );
}

#[test]
fn eight_rows_are_whole() {
    same(
        &panel(simple(8)),
        r"

           J = ∂y/∂x
    v        x₁  x₂  x₃  x₄  x₅  x₆  x₇  x₈
    1  y₁  ⎡  2   ·   ·   ·   ·   ·   ·   · ⎤
    1  y₂  ⎢  ·   4   ·   ·   ·   ·   ·   · ⎥
    1  y₃  ⎢  ·   ·   6   ·   ·   ·   ·   · ⎥
    1  y₄  ⎢  ·   ·   ·   8   ·   ·   ·   · ⎥
    1  y₅  ⎢  ·   ·   ·   ·  10   ·   ·   · ⎥
    1  y₆  ⎢  ·   ·   ·   ·   ·  12   ·   · ⎥
    1  y₇  ⎢  ·   ·   ·   ·   ·   ·  14   · ⎥
    1  y₈  ⎣  ·   ·   ·   ·   ·   ·   ·  16 ⎦
           ──────────────────────────────────
  vᵀJ      [  2   4   6   8  10  12  14  16 ]
  x.grad   [  2   4   6   8  10  12  14  16 ] ✓  the gradient of y.sum()
",
    );
}

#[test]
fn nine_rows_are_cut() {
    same(
        &panel(simple(9)),
        r"

           J = ∂y/∂x    9 × 9, diagonal
    v        x₁  x₂  x₃  x₄  x₅  x₆  x₇  x₈  x₉
    1  y₁  ⎡  2   ·   ·   ·   ·   ·   ·   ·   · ⎤
    1  y₂  ⎢  ·   4   ·   ·   ·   ·   ·   ·   · ⎥
    ⋮      ⎢  ⋮   ⋮   ⋮   ⋮   ⋮   ⋮   ⋮   ⋮   ⋮ ⎥
    1  y₉  ⎣  ·   ·   ·   ·   ·   ·   ·   ·  18 ⎦
           ──────────────────────────────────────
  vᵀJ      [  2   4   6   8  10  12  14  16  18 ]
  x.grad   [  2   4   6   8  10  12  14  16  18 ] ✓  the gradient of y.sum()
",
    );
}

#[test]
fn rows_and_columns_are_cut() {
    same(
        &panel(simple(30)),
        r"

            J = ∂y/∂x    30 × 30, diagonal
    v          x₁   x₂   x₃  …  x₃₀
    1  y₁   ⎡   2    ·    ·  …    · ⎤
    1  y₂   ⎢   ·    4    ·  …    · ⎥
    ⋮       ⎢                ⋱      ⎥
    1  y₃₀  ⎣   ·    ·    ·  …   60 ⎦
            ─────────────────────────
  vᵀJ       [   2    4    6  …   60 ]
  x.grad    [   2    4    6  …   60 ] ✓  the gradient of y.sum()
",
    );
}

#[test]
fn a_narrow_terminal() {
    same(
        &shown(vec![Event::Backward(simple(9).into())], &narrow()),
        r"

           J = ∂y/∂x    9 × 9, diagonal
    v        x₁  x₂  x₃  …  x₉
    1  y₁  ⎡  2   ·   ·  …   · ⎤
    1  y₂  ⎢  ·   4   ·  …   · ⎥
    ⋮      ⎢             ⋱     ⎥
    1  y₉  ⎣  ·   ·   ·  …  18 ⎦
           ─────────────────────
  vᵀJ      [  2   4   6  …  18 ]
  x.grad   [  2   4   6  …  18 ] ✓
           the gradient of y.sum()
",
    );
}

#[test]
fn j_of_a_leaf_itself() {
    same(
        &panel(identity()),
        r"

           J = ∂x/∂x
    v        x₁  x₂
    3  x₁  ⎡  1   · ⎤    x is the leaf itself
    4  x₂  ⎣  ·   1 ⎦
           ──────────
  vᵀJ      [  3   4 ]    3×1,  4×1
  x.grad   [  3   4 ] ✓  the gradient of 3x₁ + 4x₂
",
    );
}

#[test]
fn what_v_amounts_to() {
    assert_eq!(weighted(&[1., 1.]), "the gradient of y.sum()");
    assert_eq!(weighted(&[0.5, 0.5]), "the gradient of y.mean()");
    assert_eq!(weighted(&[1., 0.]), "the gradient of y₁ alone");
    assert_eq!(weighted(&[0., 3.]), "the gradient of 3y₂");
    assert_eq!(weighted(&[-1., 2.]), "the gradient of −y₁ + 2y₂");
    assert_eq!(weighted(&[1., -0.5]), "the gradient of y₁ − 0.5y₂");
    assert_eq!(weighted(&[0., 0.]), "the gradient of 0: every weight is 0");
    assert_eq!(weighted(&[1., 2., 3., 4., 5., 6.]), "the gradient of y₁ + 2y₂ + … + 6y₆");
    assert_eq!(weighted(&[2.; 6]), "the gradient of 2*y.sum()");
}
