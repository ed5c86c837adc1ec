//! The rules of all drawings: frame, order of giving way, names, echoes, errors.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/events.rs"]
mod support;

use support::*;
use vjp::eval::event::*;
use vjp::maths::complaint::Kind;
use vjp::maths::tensor::Tensor;
use vjp::report::Style;
use vjp::text::source::{Source, Span};

fn narrow() -> Style {
    let mut style = Style::canonical();
    style.width = 40;
    style
}

fn simple(n: usize) -> Backward {
    let x: Vec<f64> = (1..=n).map(|i| i as f64).collect();
    let rows: Vec<Vec<Option<f64>>> = (0..n)
        .map(|i| (0..n).map(|k| (i == k).then_some(2.0 * x[k])).collect())
        .collect();
    let rows: Vec<&[Option<f64>]> = rows.iter().map(Vec::as_slice).collect();
    let grad: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
    let y: Vec<f64> = x.iter().map(|x| x * x).collect();
    let leaf = leaf("x", vector(&x), jacobian(&rows), &grad);
    backward("y", vector(&y), vector(&vec![1.0; n]), vec![leaf])
}

fn wide_leaf(name: &str, shape: &[usize]) -> LeafReport {
    let n: usize = shape.iter().product();
    let data: Vec<f64> = (0..n).map(|i| (i as f64) / 7.0 - 3.0).collect();
    let j = dense(
        1,
        n,
        data.iter()
            .map(|x| vjp::maths::jacobian::Entry::Value(*x))
            .collect(),
    );
    leaf(name, Tensor::new(shape, data.clone()), j, &data)
}

fn scalar_loss(leaves: Vec<LeafReport>) -> Backward {
    let mut b = backward("loss", scalar(3.5942), scalar(1.0), leaves);
    b.implicit = true;
    b.echoed = false;
    b
}

fn fault(text: &str, span: (usize, usize), message: &str) -> Fault {
    Fault {
        kind: Kind::Runtime,
        class: "RuntimeError".to_string(),
        message: message.to_string(),
        source: Source::new(text),
        span: Span::new(span.0, span.1),
        label: None,
        more: Vec::new(),
        drawing: None,
        help: Vec::new(),
        unchanged: None,
    }
}

fn help(code: &str, says: &str) -> Help {
    Help {
        code: code.to_string(),
        says: says.to_string(),
    }
}

fn error(f: Fault) -> String {
    shown(vec![Event::Error(Box::new(f))], &Style::canonical())
}

fn wrong_shape() -> Fault {
    let mut f = fault(
        "y.backward([1, 10, 100])",
        (11, 23),
        "Mismatch in shape: grad_output[0] has a shape of torch.Size([3]) and output[0] has a shape of torch.Size([2]).",
    );
    f.label = Some("v has 3 weights, y = [3, 12] has 2 elements".to_string());
    f.drawing = Some(Drawing::Weights {
        v: vector(&[1., 10., 100.]),
        output: "y".to_string(),
        output_shape: vec![2],
    });
    f.help = vec![help(
        "y.backward([1, 10])",
        "one weight for each element of y",
    )];
    f.unchanged = Some(("x.grad".to_string(), vector(&[6., 120.])));
    f
}

fn few() -> Fault {
    let mut f = wrong_shape();
    f.drawing = Some(Drawing::Weights {
        v: vector(&[12.]),
        output: "y".to_string(),
        output_shape: vec![2],
    });
    f
}

fn no_scalar() -> Fault {
    let mut f = fault(
        "y.backward()",
        (0, 12),
        "grad can be implicitly created only for scalar outputs",
    );
    f.label = Some("y has 2 elements, so J has 2 rows: which mixture of them?".to_string());
    f.help = vec![
        help(
            "y.backward([1, 1])",
            "adds the rows: the gradient of y.sum()",
        ),
        help("y.backward([1, 0])", "picks the first row"),
        help("y.mean().backward()", "makes y a scalar first"),
    ];
    f
}

fn none() -> Note {
    Note {
        text: "no gradient came to x: the path x → h → y is cut here".to_string(),
        at: Some((
            Span::new(7, 17),
            "the values pass, the gradient does not".to_string(),
        )),
        help: vec![help(
            "without .detach():  y = (w*h).sum(); y.backward()",
            "x.grad = [4, 8]",
        )],
        source: Some("y = (w*h.detach()).sum()".to_string()),
    }
}

fn accumulated() -> Backward {
    let j = jacobian(&[&[Some(6.0), NONE], &[NONE, Some(12.0)]]);
    let l = after(leaf("x", vector(&[1., 2.]), j, &[6., 12.]), &[6., 120.]);
    backward("y", vector(&[3., 12.]), vector(&[1., 1.]), vec![l])
}

fn long_accumulated() -> Backward {
    let mut b = simple(6);
    let l = b.leaves.pop().unwrap();
    b.leaves.push(after(l, &[0.125; 6]));
    b
}

fn value(name: Option<&str>, shown_: Shown, remark: Option<Remark>) -> String {
    shown(
        vec![Event::Value(ValueEvent {
            name: name.map(str::to_string),
            shown: shown_,
            remark,
        })],
        &Style::canonical(),
    )
}

fn many(n: usize, size: usize) -> Backward {
    scalar_loss(
        (0..n)
            .map(|k| wide_leaf(&format!("p{k}"), &[size]))
            .collect(),
    )
}

fn renamed(output: &str, leaf: &str) -> Backward {
    let mut b = simple(2);
    b.output = output.to_string();
    b.leaves[0].name = leaf.to_string();
    b
}

fn unnamed() -> Backward {
    let mut b = renamed("x^2", "x");
    b.named = false;
    b.echoed = false;
    b
}

fn earlier() -> Backward {
    let mut b = simple(2);
    b.leaves[0].earlier = true;
    b.again = Some("y = 3*x^2".to_string());
    b
}

fn empty() -> Backward {
    let x = leaf("x", vector(&[1., 2.]), dense(0, 2, vec![]), &[0., 0.]);
    backward("y", vector(&[]), vector(&[]), vec![x])
}

fn hooked() -> Backward {
    let mut b = simple(2);
    b.leaves[0].agrees = false;
    b.leaves[0].differing = vec![0, 1];
    b.leaves[0].max_difference = 0.5;
    b.causes.push(Cause::Hook {
        name: "h".to_string(),
    });
    b
}

fn rank_three() -> Backward {
    let mut b = simple(8);
    let cube = |t: &Tensor| Tensor::new(&[2, 2, 2], t.data().to_vec());
    b.value = cube(&b.value);
    b.leaves[0].value = cube(&b.leaves[0].value);
    b.leaves[0].grad = cube(&b.leaves[0].grad);
    b
}

fn weighted(v: &[f64]) -> String {
    let mut b = simple(v.len());
    b.v = vector(v);
    let text = panel(b);
    let at = text.find("the gradient").unwrap();
    text[at..].lines().next().unwrap().to_string()
}

fn tensor(shape: &[usize], f: impl Fn(f64) -> f64) -> Shown {
    let n: usize = shape.iter().product();
    Shown::Tensor(Tensor::new(shape, (0..n).map(|i| f(i as f64)).collect()))
}

fn identity() -> Backward {
    let mut x = leaf(
        "x",
        vector(&[1., 2.]),
        jacobian(&[&[Some(1.), NONE], &[NONE, Some(1.)]]),
        &[3., 4.],
    );
    x.identity = true;
    backward("x", vector(&[1., 2.]), vector(&[3., 4.]), vec![x])
}

fn training(n: usize) -> Vec<Event> {
    (0..n)
        .map(|k| {
            let slope = 10.0 / (k + 1) as f64;
            let w = leaf("w", scalar(1.0), filled(&[[slope]]), &[slope]);
            let b = leaf(
                "b",
                vector(&[1., 2.]),
                filled(&[[slope, 2.0]]),
                &[slope, 2.0],
            );
            let mut b = backward("loss", scalar(slope * 2.0), scalar(1.0), vec![w, b]);
            b.repeats = true;
            b.implicit = true;
            b.echoed = false;
            Event::Backward(Box::new(b))
        })
        .collect()
}

fn descent(n: usize) -> Vec<Event> {
    (0..n)
        .map(|k| {
            let slope = 10.0 / (k + 1) as f64;
            let mut b = backward(
                "loss",
                scalar(slope * 2.0),
                scalar(1.0),
                vec![leaf(
                    "w",
                    vector(&[1.0, 2.0]),
                    filled(&[[slope, 0.5]]),
                    &[slope, 0.5],
                )],
            );
            b.repeats = true;
            b.implicit = true;
            b.echoed = false;
            Event::Backward(Box::new(b))
        })
        .collect()
}

fn of_matrix(order: u8) -> String {
    let s = elements("x", &[2]);
    let event = MatrixEvent {
        output: "y".to_string(),
        leaf: "x".to_string(),
        order,
        row_shape: vec![2],
        column_shape: vec![2],
        matrix: jacobian(&[&[Some(6.0), NONE], &[NONE, Some(12.0)]]),
        symbolic: Some(symbols(&[
            &[Some(s[0].times(6.0)), None],
            &[None, Some(s[1].times(6.0))],
        ])),
    };
    shown(vec![Event::Matrix(Box::new(event))], &Style::canonical())
}

#[track_caller]
fn same(got: &str, want: &str) {
    let want = want.strip_prefix('\n').unwrap_or(want);
    assert!(got == want, "got:\n{got}\nwanted:\n{want}");
}

#[test]
fn a_wrong_shape_shows_weights_and_rows() {
    same(
        &error(wrong_shape()),
        r"
error  Mismatch in shape: grad_output[0] has a shape of torch.Size([3]) and
       output[0] has a shape of torch.Size([2]).
  │ y.backward([1, 10, 100])
  │            ^^^^^^^^^^^^ v has 3 weights, y = [3, 12] has 2 elements
  │     1  y₁
  │    10  y₂
  │   100  ?     no row of J is left for this weight
  help  y.backward([1, 10])    one weight for each element of y
        x.grad is unchanged: [6, 120]
",
    );
}

#[test]
fn too_few_weights() {
    same(
        &error(few()),
        r"
error  Mismatch in shape: grad_output[0] has a shape of torch.Size([3]) and
       output[0] has a shape of torch.Size([2]).
  │ y.backward([1, 10, 100])
  │            ^^^^^^^^^^^^ v has 3 weights, y = [3, 12] has 2 elements
  │    12  y₁
  │     ?  y₂    no weight is left for this row of J
  help  y.backward([1, 10])    one weight for each element of y
        x.grad is unchanged: [6, 120]
",
    );
}

#[test]
fn ways_out_are_aligned() {
    same(
        &error(no_scalar()),
        r"
error  grad can be implicitly created only for scalar outputs
  │ y.backward()
  │ ^^^^^^^^^^^^ y has 2 elements, so J has 2 rows: which mixture of them?
  help  y.backward([1, 1])     adds the rows: the gradient of y.sum()
        y.backward([1, 0])     picks the first row
        y.mean().backward()    makes y a scalar first
",
    );
}

#[test]
fn none_says_why() {
    same(
        &shown(vec![Event::Note(none())], &Style::canonical()),
        r"
note  no gradient came to x: the path x → h → y is cut here
  │ y = (w*h.detach()).sum()
  │        ^^^^^^^^^^ the values pass, the gradient does not
  help  without .detach():  y = (w*h).sum(); y.backward()    x.grad = [4, 8]
",
    );
}

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
        &panel(scalar_loss(vec![
            wide_leaf("W1", &[128, 784]),
            wide_leaf("b1", &[4]),
        ])),
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
    v        x₁  x₂
    1  y₁  ⎡  2   · ⎤
    1  y₂  ⎣  ·   4 ⎦
           ──────────
  vᵀJ      [  2   4 ]    1×2,  1×4
  x.grad   [  2   4 ] ✓  the gradient of y.sum()
  x has a new value since; y still holds the earlier one: run  y = 3*x^2  again
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
  x.grad   [  2   4 ] ✗ not vᵀJ at x₁, x₂, by up to 0.5

  hook     the hook on h changed the gradient on its way; a hook is no part of J
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

           J = ∂y/∂x    9 × 9, dense
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

            J = ∂y/∂x    30 × 30, dense
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
        &shown(vec![Event::Backward(Box::new(simple(9)))], &narrow()),
        r"

           J = ∂y/∂x    9 × 9, dense
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
    100 calls; :panel shows any
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
    100 calls; :panel shows any
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

#[test]
fn echo_of_a_long_vector() {
    same(
        &value(
            Some("x"),
            tensor(&[1000], |i| i / 999.0),
            Some(Remark::Leaf { shape: vec![1000] }),
        ),
        r"
x = [0, 1.0e-03, 2.0e-03, …, 0.998, 0.999, 1.000]           leaf, shape [1000]
",
    );
}

#[test]
fn echo_with_a_remark_in_column_61() {
    same(
        &value(
            Some("x"),
            tensor(&[2], |i| i + 1.0),
            Some(Remark::Leaf { shape: vec![2] }),
        ),
        r"
x = [1, 2]                                                  leaf, shape [2]
",
    );
}

#[test]
fn echo_of_rank_three() {
    same(
        &value(None, tensor(&[3, 4, 5], |i| i), None),
        r"
[[[ 0,  1,  2,  3,  4],
  [ 5,  6,  7,  8,  9],
  [10, 11, 12, 13, 14],
  …
  [45, 46, 47, 48, 49],
  [50, 51, 52, 53, 54],
  [55, 56, 57, 58, 59]]]
",
    );
}

#[test]
fn echo_of_a_large_matrix() {
    same(
        &value(
            Some("A"),
            tensor(&[100, 100], |i| i),
            Some(Remark::Shape {
                shape: vec![100, 100],
            }),
        ),
        r"
A = [[0, 1, 2, …, 97, 98, 99],
     [100, 101, 102, …, 197, 198, 199],
     [200, 201, 202, …, 297, 298, 299],
     …
     [9700, 9701, 9702, …, 9797, 9798, 9799],
     [9800, 9801, 9802, …, 9897, 9898, 9899],
     [9900, 9901, 9902, …, 9997, 9998, 9999]]               shape [100, 100]
",
    );
}

#[test]
fn echo_of_a_matrix_by_rows() {
    same(
        &value(Some("A"), tensor(&[6, 6], |i| i / 7.0), None),
        r"
A = [[    0, 0.143, 0.286, 0.429, 0.571, 0.714],
     [0.857, 1.000, 1.143, 1.286, 1.429, 1.571],
     [1.714, 1.857, 2.000, 2.143, 2.286, 2.429],
     [2.571, 2.714, 2.857, 3.000, 3.143, 3.286],
     [3.429, 3.571, 3.714, 3.857, 4.000, 4.143],
     [4.286, 4.429, 4.571, 4.714, 4.857, 5.000]]
",
    );
}

#[test]
fn echo_of_a_lone_int() {
    same(
        &value(Some("n"), Shown::Int(12_345_678), None),
        r"
n = 12345678
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
    assert_eq!(
        weighted(&[0., 0.]),
        "the gradient of 0: every row weighs nothing"
    );
    assert_eq!(
        weighted(&[1., 2., 3., 4., 5., 6.]),
        "the gradient of y₁ + 2y₂ + … + 6y₆"
    );
    assert_eq!(weighted(&[2.; 6]), "the gradient of 2*y.sum()");
}

#[test]
fn an_echo_is_cut_to_a_screenful() {
    let text = value(None, Shown::Text("a".repeat(1_000_000)), None);
    assert!(
        text.ends_with("a… 999,000 more characters\n"),
        "{}",
        text.len()
    );
}

#[test]
fn ascii_draws_nothing_but_ascii() {
    let mut style = Style::canonical();
    style.ascii = true;
    let mut events: Vec<Event> = [hooked(), earlier(), simple(30), accumulated(), many(30, 3)]
        .into_iter()
        .chain([identity(), rank_three(), unnamed(), empty()])
        .map(|b| Event::Backward(Box::new(b)))
        .collect();
    events.extend(training(10));
    events.extend(descent(10));
    for f in [wrong_shape(), few(), no_scalar()] {
        events.push(Event::Error(Box::new(f)));
    }
    for event in events {
        let text = shown(vec![event], &style);
        assert!(text.is_ascii(), "{text}");
    }
}

#[test]
fn no_panel_is_higher_than_18_lines_or_wider_than_80_columns() {
    for n in [1, 2, 5, 8, 9, 40] {
        for size in [1, 3, 20, 41] {
            let text = panel(many(n, size));
            assert!(text.lines().count() <= 18, "{text}");
            assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
        }
        let mut b = simple(n);
        let second = b.leaves[0].clone();
        b.leaves.extend([second.clone(), second]);
        let text = panel(b);
        assert!(text.lines().count() <= 18, "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    }
}

#[test]
fn an_unfolded_error_can_be_searched_for() {
    let mut style = Style::canonical();
    style.fold = false;
    let text = shown(vec![Event::Error(Box::new(wrong_shape()))], &style);
    let message = wrong_shape().message;
    assert!(text.contains(&message), "{text}");
}

#[test]
fn a_class_is_named_where_the_message_alone_says_nothing() {
    let mut f = fault("d['b']", (0, 6), "'b'");
    f.kind = Kind::Key;
    f.class = "KeyError".to_string();
    assert!(error(f).starts_with("error  KeyError: 'b'\n"));
    let mut f = fault("raise Mine('x')", (0, 15), "x");
    f.class = "Mine".to_string();
    assert!(error(f).starts_with("error  Mine: x\n"));
    let mut f = fault("assert False", (0, 12), "");
    f.kind = Kind::Assertion;
    f.class = "AssertionError".to_string();
    assert!(error(f).starts_with("error  AssertionError\n"));
}

#[test]
fn colour_says_nothing_that_words_do_not() {
    let mut style = Style::canonical();
    style.color = true;
    let text = shown(vec![Event::Backward(Box::new(simple(2)))], &style);
    assert!(text.contains("\u{1b}["));
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('\u{1b}') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = &rest[rest.find('m').unwrap() + 1..];
    }
    plain.push_str(rest);
    assert_eq!(plain, panel(simple(2)));
}

#[test]
fn a_backward_as_json() {
    let j = jacobian(&[&[Some(6.0), NONE], &[NONE, Some(12.0)]]);
    let s = elements("x", &[2]);
    let symbolic = symbols(&[
        &[Some(s[0].times(6.0)), None],
        &[None, Some(s[1].times(6.0))],
    ]);
    let x = with_symbols(leaf("x", vector(&[1., 2.]), j, &[6., 120.]), symbolic);
    let b = backward("y", vector(&[3., 12.]), vector(&[1., 10.]), vec![x]);
    let got = vjp::report::json::object(&Event::Backward(Box::new(b)));
    let leaf = &got["leaves"][0];
    assert_eq!(got["event"], "backward");
    assert_eq!(got["v"].to_string(), "[1,10]");
    assert_eq!(leaf["jacobian"].to_string(), "[[6,0],[0,12]]");
    assert_eq!(
        leaf["symbolic"].to_string(),
        r#"[["6*x[0]","0"],["0","6*x[1]"]]"#
    );
    assert_eq!(leaf["vjp"].to_string(), "[6,120]");
    assert_eq!(leaf["grad"].to_string(), "[6,120]");
    assert!(leaf["grad_before"].is_null());
    assert_eq!(leaf["agrees"], true);
    assert_eq!(leaf["max_difference"].to_string(), "0");
}
