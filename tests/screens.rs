//! The screens that the project has agreed on, drawn from events made by hand.

use crate::support::events as support;
use crate::support::screen_events as made;

use made::*;
use support::*;
use vjp::report::Style;

/// Compares whole blocks of text; both are shown on a difference.
#[track_caller]
fn same(got: &str, want: &str) {
    let want = want.strip_prefix('\n').unwrap_or(want);
    assert!(got == want, "got:\n{got}\nwanted:\n{want}");
}

#[test]
fn the_cards_line() {
    same(
        &panel(card()),
        r"

           J = ∂y/∂x       in symbols
    v         x₁   x₂         x₁   x₂
    1  y₁  ⎡   6    · ⎤    ⎡ 6x₁    · ⎤
   10  y₂  ⎣   ·   12 ⎦    ⎣   ·  6x₂ ⎦
           ────────────
  vᵀJ      [   6  120 ]    1×6,  10×12
  x.grad   [   6  120 ] ✓  the gradient of y₁ + 10y₂
",
    );
}

#[test]
fn the_cards_line_in_ascii() {
    same(
        &ascii(card()),
        r"

           J = dy/dx       in symbols
    v         x1   x2          x1    x2
    1  y1  [   6    . ]    [ 6*x1     . ]
   10  y2  [   .   12 ]    [    .  6*x2 ]
           ------------
  v'J      [   6  120 ]    1*6,  10*12
  x.grad   [   6  120 ] ok the gradient of y1 + 10*y2
",
    );
}

#[test]
fn three_outputs_and_indices_in_code() {
    same(
        &panel(three()),
        r"
y = [3, 17, 20]

           J = ∂y/∂x         in symbols
    v          x₁    x₂          x₁    x₂
    1  y₁  ⎡    6     · ⎤    ⎡  6x₁     · ⎤   y₁ is y[0] in code
   10  y₂  ⎢    2    24 ⎥    ⎢  2x₁  6x₂² ⎥
  100  y₃  ⎣    ·    10 ⎦    ⎣    ·    10 ⎦
           ──────────────
  vᵀJ      [   26  1240 ]    1×6 + 10×2,  10×24 + 100×10
  x.grad   [   26  1240 ] ✓  the gradient of y₁ + 10y₂ + 100y₃
",
    );
}

#[test]
fn matrix_leaves_side_by_side() {
    same(
        &panel(losses()),
        r"
losses = [[0.4335, 0.1805]]

                 ∂losses/∂W                       ∂losses/∂b
    v                  W₁₁      W₁₂      W₁₃            b₁₁      b₁₂
  0.5  losses₁₁  ⎡  0.0296   0.0592   0.0888 ⎤    ⎡  0.2962        · ⎤
  0.5  losses₁₂  ⎣ -0.0831  -0.1246  -0.1661 ⎦    ⎣       ·  -0.2076 ⎦
                 ─────────────────────────────────────────────────────
  vᵀJ            [ -0.0267  -0.0327  -0.0386 ]    [  0.1481  -0.1038 ]
  .grad          [ -0.0267  -0.0327  -0.0386 ] ✓  [  0.1481  -0.1038 ] ✓
                 the gradient of losses.mean()
",
    );
}

#[test]
fn a_scalar_loss_has_one_line_for_both() {
    same(
        &panel(two_layers()),
        r"
loss = 3.594                                                a scalar: v = 1

    v            W1₁₁    W1₁₂    W1₂₁    W1₂₂    W1₃₁    W1₃₂
    1  loss  [ -3.244  -6.489   0.393   0.785  -0.488  -0.976 ]
  .grad=vᵀJ  [ -3.244  -6.489   0.393   0.785  -0.488  -0.976 ] ✓ shape [3, 2]

    v             b1₁     b1₂     b1₃          W2₁₁    W2₁₂    W2₁₃
    1  loss  [ -3.244   0.393  -0.488 ]    [  1.441  -3.590  -3.267 ]
  .grad=vᵀJ  [ -3.244   0.393  -0.488 ] ✓  [  1.441  -3.590  -3.267 ] ✓
",
    );
}

#[test]
fn a_scalar_loss_in_ascii() {
    same(
        &ascii(two_layers()),
        r"
loss = 3.594                                                a scalar: v = 1

    v           W1_11   W1_12   W1_21   W1_22   W1_31   W1_32
    1  loss  [ -3.244  -6.489   0.393   0.785  -0.488  -0.976 ]
  .grad=v'J  [ -3.244  -6.489   0.393   0.785  -0.488  -0.976 ] ok shape [3, 2]

    v            b1_1    b1_2    b1_3         W2_11   W2_12   W2_13
    1  loss  [ -3.244   0.393  -0.488 ]    [  1.441  -3.590  -3.267 ]
  .grad=v'J  [ -3.244   0.393  -0.488 ] ok [  1.441  -3.590  -3.267 ] ok
",
    );
}

#[test]
fn accumulation_in_a_loop() {
    same(
        &shown(calls(4), &Style::canonical()),
        r"
y = 1

       ∂y/∂x    in symbols
         x         x
    y  [ 2 ]    [ 2x ]

       v  x.grad = before + v×J
       1       2 =          1×2   ✓
      10      22 =   2 +   10×2   ✓
     100     222 =  22 +  100×2   ✓
    1000    2222 = 222 + 1000×2   ✓      x.grad = None resets it
",
    );
}

#[test]
fn at_most_three_calls_and_the_last() {
    same(
        &shown(calls(6), &Style::canonical()),
        r"
y = 1

       ∂y/∂x    in symbols
         x         x
    y  [ 2 ]    [ 2x ]

         v  x.grad = before + v×J
         1       2 =              1×2   ✓
        10      22 =     2 +     10×2   ✓
       100     222 =    22 +    100×2   ✓
         ⋮
    100000  222222 = 22222 + 100000×2   ✓      x.grad = None resets it
    6 calls; :panel call N shows any of them
",
    );
}

#[test]
fn absent_is_not_zero() {
    same(
        &panel(product()),
        r"

           ∂y/∂A                               ∂y/∂x
    v        A₁₁  A₁₂  A₁₃  A₂₁  A₂₂  A₂₃        x₁  x₂  x₃
    1  y₁  ⎡   1    0   -1    ·    ·    · ⎤    ⎡  1   2   3 ⎤
   10  y₂  ⎣   ·    ·    ·    1    0   -1 ⎦    ⎣  4   5   6 ⎦
           ──────────────────────────────────────────────────
  vᵀJ      [   1    0   -1   10    0  -10 ]    [ 41  52  63 ]
  .grad    [   1    0   -1   10    0  -10 ] ✓  [ 41  52  63 ] ✓
           as A:  [[1, 0, -1], [10, 0, -10]]    ∂y/∂x is A itself
           the gradient of y₁ + 10y₂
",
    );
}

#[test]
fn a_kink_has_a_star_and_a_sentence() {
    same(
        &panel(kink()),
        r"

           J = ∂y/∂x            in symbols
    v         x₁   x₂   x₃          x₁    x₂    x₃
    1  y₁  ⎡   0    ·    · ⎤    ⎡ x₁>0     ·     · ⎤
   10  y₂  ⎢   ·    0*   · ⎥    ⎢    ·  x₂>0     · ⎥   1 where true,
  100  y₃  ⎣   ·    ·    1 ⎦    ⎣    ·     ·  x₃>0 ⎦   0 where false
           ─────────────────
  vᵀJ      [   0    0  100 ]    1×0,  10×0,  100×1
  x.grad   [   0    0  100 ] ✓  the gradient of y₁ + 10y₂ + 100y₃
  * kink   at x₂ = 0: slope 0 from the left, 1 from the right; relu takes 0
",
    );
}

#[test]
fn nan_from_a_branch_not_taken() {
    same(
        &panel(branch()),
        r"

           J = ∂y/∂x
    v          x₁    x₂    x₃
    1  y₁  ⎡    0     ·     · ⎤
    1  y₂  ⎢    ·     0     · ⎥
    1  y₃  ⎣    ·     ·  0.25 ⎦
           ────────────────────
  vᵀJ      [    0     0  0.25 ]
  x.grad   [  nan   nan  0.25 ] ✗ differs from vᵀJ at x₁, x₂

  NaN      the sweep also runs through the branch not taken: sqrt receives
           [    0     0     1 ]   and multiplies by  1/(2√x) =
           [  nan   inf  0.25 ]   0×inf = nan and 0×nan = nan
  help     keep such values out of sqrt:
           y = where(x > 0, sqrt(where(x > 0, x, 1)), 0)
",
    );
}

#[test]
fn nan_in_ascii() {
    same(
        &ascii(branch()),
        r"

           J = dy/dx
    v          x1    x2    x3
    1  y1  [    0     .     . ]
    1  y2  [    .     0     . ]
    1  y3  [    .     .  0.25 ]
           --------------------
  v'J      [    0     0  0.25 ]
  x.grad   [  nan   nan  0.25 ] !! differs from v'J at x1, x2

  NaN      the sweep also runs through the branch not taken: sqrt receives
           [    0     0     1 ]   and multiplies by  1/(2*sqrt(x)) =
           [  nan   inf  0.25 ]   0*inf = nan and 0*nan = nan
  help     keep such values out of sqrt:
           y = where(x > 0, sqrt(where(x > 0, x, 1)), 0)
",
    );
}

#[test]
fn a_leaf_that_was_not_reached() {
    same(
        &panel(unreached()),
        r"

    v          w
    1  y     [ 5 ]
  .grad=vᵀJ  [ 5 ] ✓      x: not reached, cut by h.detach()
",
    );
}

#[test]
fn a_scalar_with_a_vector() {
    same(
        &panel(repeated()),
        r"

           J = ∂y/∂x   in symbols
     v          x         x
     1  y  ⎡    2 ⎤    ⎡ 2x ⎤
    10  y  ⎢    2 ⎥    ⎢ 2x ⎥   one row, repeated
   100  y  ⎢    2 ⎥    ⎢ 2x ⎥   for each weight
  1000  y  ⎣    2 ⎦    ⎣ 2x ⎦
           ────────
  vᵀJ      [ 2222 ]    1×2 + 10×2 + 100×2 + 1000×2
  x.grad   [ 2222 ] ✓
",
    );
}

#[test]
fn a_thousand_by_its_corners() {
    same(
        &panel(thousand()),
        r"

              J = ∂y/∂x    1000 × 1000, diagonal, ∂yᵢ/∂xᵢ = 3xᵢ²
    v                x₁       x₂       x₃  …    x₁₀₀₀
    1  y₁     ⎡       0        ·        ·  …        · ⎤
    1  y₂     ⎢       ·  3.0e-06        ·  …        · ⎥
    ⋮         ⎢                            ⋱          ⎥
    1  y₁₀₀₀  ⎣       ·        ·        ·  …    3.000 ⎦
              ─────────────────────────────────────────
  vᵀJ         [       0  3.0e-06  1.2e-05  …    3.000 ]
  x.grad      [       0  3.0e-06  1.2e-05  …    3.000 ] ✓
              the gradient of y.sum()
",
    );
}
