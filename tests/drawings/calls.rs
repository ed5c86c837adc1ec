//! Several calls of one line, and matrices by name.

use super::made::*;
use super::support::*;
use vjp::report::Style;

#[test]
fn a_training_loop() {
    same(
        &shown(training(100), &Style::canonical()),
        r"
loss = 20                                                   a scalar: v = 1

    v           w        b₁  b₂
    1  loss  [ 10 ]    [ 10   2 ]
  .grad=vᵀJ  [ 10 ] ✓  [ 10   2 ] ✓

    call
       2  loss 10  w.grad 5  b.grad [5, 2]  ✓
       3  loss 6.667  w.grad 3.333  b.grad [3.333, 2.000]  ✓
       4  loss 5  w.grad 2.5  b.grad [2.5, 2.0]  ✓
       ⋮
     100  loss 0.2  w.grad 0.1  b.grad [0.1, 2.0]  ✓
    100 calls; :panel call N shows any of them
",
    );
}

#[test]
fn a_training_loop_of_one_leaf() {
    same(
        &shown(descent(100), &Style::canonical()),
        r"
loss = 20                                                   a scalar: v = 1

    v            w₁    w₂
    1  loss  [ 10.0   0.5 ]
  .grad=vᵀJ  [ 10.0   0.5 ] ✓

    call   loss          w.grad = vᵀJ
       2     10  [5.000, 0.500]   ✓
       3  6.667  [3.333, 0.500]   ✓
       4      5  [2.500, 0.500]   ✓
       ⋮
     100    0.2  [0.100, 0.500]   ✓
    100 calls; :panel call N shows any of them
",
    );
}

#[test]
fn a_jacobian_by_name() {
    same(
        &of_matrix(1),
        r"
        J = ∂y/∂x     in symbols
          x₁  x₂         x₁   x₂
    y₁  ⎡  6   · ⎤    ⎡ 6x₁    · ⎤
    y₂  ⎣  ·  12 ⎦    ⎣   ·  6x₂ ⎦
",
    );
}

#[test]
fn a_hessian_by_name() {
    same(
        &of_matrix(2),
        r"
        ∂²y/∂x²       in symbols
          x₁  x₂         x₁   x₂
    x₁  ⎡  6   · ⎤    ⎡ 6x₁    · ⎤
    x₂  ⎣  ·  12 ⎦    ⎣   ·  6x₂ ⎦
",
    );
}
