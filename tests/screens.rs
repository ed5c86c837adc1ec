//! The screens that the project has agreed on, drawn from events made by hand.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/events.rs"]
mod support;

use support::*;
use vjp::eval::event::*;
use vjp::maths::jacobian::Entry;
use vjp::maths::tensor::Tensor;
use vjp::report::Style;

fn card() -> Backward {
    let x = elements("x", &[2]);
    let symbolic = symbols(&[
        &[Some(x[0].times(6.0)), None],
        &[None, Some(x[1].times(6.0))],
    ]);
    let j = jacobian(&[&[Some(6.0), NONE], &[NONE, Some(12.0)]]);
    let leaf = with_symbols(leaf("x", vector(&[1., 2.]), j, &[6., 120.]), symbolic);
    backward("y", vector(&[3., 12.]), vector(&[1., 10.]), vec![leaf])
}

fn three() -> Backward {
    let x = elements("x", &[2]);
    let j = jacobian(&[
        &[Some(6.0), NONE],
        &[Some(2.0), Some(24.0)],
        &[NONE, Some(10.0)],
    ]);
    let symbolic = symbols(&[
        &[Some(x[0].times(6.0)), None],
        &[Some(x[0].times(2.0)), Some(x[1].power(2.0).times(6.0))],
        &[None, Some(vjp::maths::symbol::Expr::constant(10.0))],
    ]);
    let leaf = with_symbols(leaf("x", vector(&[1., 2.]), j, &[26., 1240.]), symbolic);
    let mut b = backward(
        "y",
        vector(&[3., 17., 20.]),
        vector(&[1., 10., 100.]),
        vec![leaf],
    );
    b.explain_indices = true;
    b.echoed = false;
    b
}

fn losses() -> Backward {
    let wj = filled(&[
        [0.02961548, 0.05923097, 0.08884645],
        [-0.08305272, -0.12457908, -0.16610543],
    ]);
    let w = leaf(
        "W",
        matrix(&[[0.5, -0.25, 0.75]]),
        wj,
        &[-0.02671862, -0.03267405, -0.03862949],
    );
    let bj = jacobian(&[&[Some(0.29615484), NONE], &[NONE, Some(-0.20763179)]]);
    let b = leaf(
        "b",
        matrix(&[[0.4311, -0.3471]]),
        bj,
        &[0.14807742, -0.1038159],
    );
    let mut e = backward(
        "losses",
        matrix(&[[0.4335, 0.1805]]),
        matrix(&[[0.5, 0.5]]),
        vec![w, b],
    );
    e.echoed = false;
    e
}

fn two_layers() -> Backward {
    let w1 = [-3.2443, -6.4887, 0.3926, 0.7853, -0.4881, -0.9763];
    let b1 = [-3.2443, 0.3926, -0.4881];
    let w2 = [1.4410, -3.5902, -3.2672];
    let value = Tensor::new(&[3, 2], vec![0.5, -0.5, 1., 0.5, -1., 1.]);
    let leaves = vec![
        leaf("W1", value, filled(&[w1]), &w1),
        leaf("b1", vector(&[0.1, -0.2, 0.3]), filled(&[b1]), &b1),
        leaf("W2", matrix(&[[1., -1., 0.5]]), filled(&[w2]), &w2),
    ];
    let mut b = backward("loss", scalar(3.5942), scalar(1.0), leaves);
    b.implicit = true;
    b.echoed = false;
    b
}

fn product() -> Backward {
    let a = jacobian(&[
        &[Some(1.), Some(0.), Some(-1.), NONE, NONE, NONE],
        &[NONE, NONE, NONE, Some(1.), Some(0.), Some(-1.)],
    ]);
    let s = elements("A", &[2, 3]);
    let symbolic = symbols(&[
        &[Some(s[0].clone()), Some(s[1].clone()), Some(s[2].clone())],
        &[Some(s[3].clone()), Some(s[4].clone()), Some(s[5].clone())],
    ]);
    let x = leaf(
        "x",
        vector(&[1., 0., -1.]),
        filled(&[[1., 2., 3.], [4., 5., 6.]]),
        &[41., 52., 63.],
    );
    let leaves = vec![
        leaf(
            "A",
            matrix(&[[1., 2., 3.], [4., 5., 6.]]),
            a,
            &[1., 0., -1., 10., 0., -10.],
        ),
        with_symbols(x, symbolic),
    ];
    backward("y", vector(&[-2., -2.]), vector(&[1., 10.]), leaves)
}

fn thousand() -> Backward {
    let x: Vec<f64> = (0..1000).map(|i| f64::from(i) / 999.0).collect();
    let s = elements("x", &[1000]);
    let diagonal = |i: usize| x[i] * x[i] * 3.0;
    let n = 1000;
    let mut entries = vec![Entry::Absent; n * n];
    let mut symbolic = vec![Entry::Absent; n * n];
    for i in 0..n {
        entries[i * n + i] = Entry::Value(diagonal(i));
        symbolic[i * n + i] = Entry::Value(s[i].power(2.0).times(3.0));
    }
    let grad: Vec<f64> = (0..n).map(diagonal).collect();
    let leaf = leaf("x", vector(&x), dense(n, n, entries), &grad);
    let leaf = with_symbols(leaf, dense(n, n, symbolic));
    let y: Vec<f64> = x.iter().map(|x| x.powi(3)).collect();
    backward("y", vector(&y), vector(&[1.0; 1000]), vec![leaf])
}

fn kink() -> Backward {
    let j = jacobian(&[
        &[Some(0.), NONE, NONE],
        &[NONE, Some(0.), NONE],
        &[NONE, NONE, Some(1.)],
    ]);
    let leaf = leaf("x", vector(&[-1., 0., 2.]), j, &[0., 0., 100.]);
    let mut b = backward(
        "y",
        vector(&[0., 0., 2.]),
        vector(&[1., 10., 100.]),
        vec![leaf],
    );
    b.corners.push(CornerReport {
        op: "relu".to_string(),
        leaf: 0,
        element: Some(1),
        at: 0.0,
        left: 0.0,
        right: 1.0,
        taken: 0.0,
        entries: vec![(0, 1, 1)],
    });
    b
}

fn branch() -> Backward {
    let unchosen = Entry::Unchosen;
    let absent = Entry::Absent;
    let j = dense(
        3,
        3,
        vec![
            unchosen.clone(),
            absent.clone(),
            absent.clone(),
            absent.clone(),
            unchosen,
            absent.clone(),
            absent.clone(),
            absent,
            Entry::Value(0.25),
        ],
    );
    let mut leaf = leaf("x", vector(&[-1., 0., 4.]), j, &[0., 0., 0.25]);
    leaf.contribution = vector(&[f64::NAN, f64::NAN, 0.25]);
    leaf.grad = leaf.contribution.clone();
    leaf.agrees = false;
    leaf.max_difference = f64::NAN;
    leaf.differing = vec![0, 1];
    let mut b = backward(
        "y",
        vector(&[0., 0., 2.]),
        vector(&[1., 1., 1.]),
        vec![leaf],
    );
    b.causes.push(Cause::BranchNotTaken {
        op: "sqrt".to_string(),
        formula: "1/(2√x)".to_string(),
        received: vector(&[0., 0., 1.]),
        slope: vector(&[f64::NAN, f64::INFINITY, 0.25]),
        repair: Some("y = where(x > 0, sqrt(where(x > 0, x, 1)), 0)".to_string()),
    });
    b
}

fn calls(n: usize) -> Vec<Event> {
    let x = elements("x", &[]);
    let mut grad = 0.0;
    (0..n)
        .map(|k| {
            let v = 10f64.powi(k as i32);
            let symbolic = symbols(&[&[Some(x[0].times(2.0))]]);
            let mut l = leaf("x", scalar(1.0), filled(&[[2.0]]), &[2.0 * v]);
            if k > 0 {
                l = after(l, &[grad]);
            }
            grad += 2.0 * v;
            let mut b = backward("y", scalar(1.0), scalar(v), vec![with_symbols(l, symbolic)]);
            b.repeats = true;
            b.echoed = false;
            Event::Backward(Box::new(b))
        })
        .collect()
}

fn unreached() -> Backward {
    let w = leaf("w", scalar(2.0), filled(&[[5.0]]), &[5.0]);
    let mut b = backward("y", scalar(10.0), scalar(1.0), vec![w]);
    b.unreached.push(Unreached {
        name: "x".to_string(),
        cut: Some("h.detach()".to_string()),
    });
    b.implicit = true;
    b
}

fn repeated() -> Backward {
    let x = elements("x", &[]);
    let symbolic = symbols(&[&[Some(x[0].times(2.0))]]);
    let l = leaf("x", scalar(1.0), filled(&[[2.0]]), &[2222.0]);
    let mut b = backward(
        "y",
        scalar(1.0),
        vector(&[1., 10., 100., 1000.]),
        vec![with_symbols(l, symbolic)],
    );
    b.repeated = true;
    b
}

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
    1000    2222 = 222 + 1000×2   ✓      x.grad = None starts afresh
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
    100000  222222 = 22222 + 100000×2   ✓      x.grad = None starts afresh
    6 calls; :panel shows any
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

           J = ∂y/∂x
    v         x₁   x₂   x₃
    1  y₁  ⎡   0    ·    · ⎤
   10  y₂  ⎢   ·    0*   · ⎥
  100  y₃  ⎣   ·    ·    1 ⎦
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
  x.grad   [  nan   nan  0.25 ] ✗ not vᵀJ at x₁, x₂

  NaN      the sweep also walks the branch not taken. sqrt receives
           [    0     0     1 ]   and multiplies by  1/(2√x) =
           [  nan   inf  0.25 ]   0×inf = nan and 0×nan = nan
  help     keep bad values out before sqrt:
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
  x.grad   [  nan   nan  0.25 ] DIFFERS not v'J at x1, x2

  NaN      the sweep also walks the branch not taken. sqrt receives
           [    0     0     1 ]   and multiplies by  1/(2*sqrt(x)) =
           [  nan   inf  0.25 ]   0*inf = nan and 0*nan = nan
  help     keep bad values out before sqrt:
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
