//! Events for the rules of drawings, made by hand.

use super::support::*;
use vjp::eval::record::event::*;
use vjp::tensor::complaint::Kind;
use vjp::tensor::tensor::Tensor;
use vjp::report::Style;
use vjp::text::source::{Source, Span};

pub fn narrow() -> Style {
    let mut style = Style::canonical();
    style.width = 40;
    style
}

pub fn simple(n: usize) -> Backward {
    let x: Vec<f64> = (1..=n).map(|i| i as f64).collect();
    let rows: Vec<Vec<Option<f64>>> =
        (0..n).map(|i| (0..n).map(|k| (i == k).then_some(2.0 * x[k])).collect()).collect();
    let rows: Vec<&[Option<f64>]> = rows.iter().map(Vec::as_slice).collect();
    let grad: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
    let y: Vec<f64> = x.iter().map(|x| x * x).collect();
    let leaf = leaf("x", vector(&x), jacobian(&rows), &grad);
    backward("y", vector(&y), vector(&vec![1.0; n]), vec![leaf])
}

pub fn wide_leaf(name: &str, shape: &[usize]) -> LeafReport {
    let n: usize = shape.iter().product();
    let data: Vec<f64> = (0..n).map(|i| (i as f64) / 7.0 - 3.0).collect();
    let j = dense(1, n, data.iter().map(|x| vjp::jacobian::Entry::Value(*x)).collect());
    leaf(name, Tensor::new(shape, data.clone()), j, &data)
}

pub fn scalar_loss(leaves: Vec<LeafReport>) -> Backward {
    let mut b = backward("loss", scalar(3.5942), scalar(1.0), leaves);
    b.implicit = true;
    b.echoed = false;
    b
}

pub fn fault(text: &str, span: (usize, usize), message: &str) -> Fault {
    Fault {
        by_raise: false,
        kind: Kind::Runtime,
        class: "RuntimeError".to_string(),
        message: message.to_string(),
        source: Source::new(text),
        span: Span::new(span.0, span.1),
        label: None,
        more: Vec::new(),
        elsewhere: Vec::new(),
        drawing: None,
        help: Vec::new(),
        unchanged: None,
        undone: Vec::new(),
    }
}

pub fn help(code: &str, says: &str) -> Help {
    Help { code: code.to_string(), says: says.to_string() }
}

pub fn error(f: Fault) -> String {
    shown(vec![Event::Error(Box::new(f))], &Style::canonical())
}

pub fn wrong_shape() -> Fault {
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
    f.help = vec![help("y.backward([1, 10])", "one weight per element of y")];
    f.unchanged = Some(("x.grad".to_string(), vector(&[6., 120.])));
    f
}

pub fn few() -> Fault {
    let mut f = wrong_shape();
    f.drawing = Some(Drawing::Weights {
        v: vector(&[12.]),
        output: "y".to_string(),
        output_shape: vec![2],
    });
    f
}

pub fn no_scalar() -> Fault {
    let mut f =
        fault("y.backward()", (0, 12), "grad can be implicitly created only for scalar outputs");
    f.label = Some("y has 2 elements, so J has 2 rows: how should they be weighted?".to_string());
    f.help = vec![
        help("y.backward([1, 1])", "adds the rows: the gradient of y.sum()"),
        help("y.backward([1, 0])", "picks the first row"),
        help("y.mean().backward()", "makes y a scalar first"),
    ];
    f
}

pub fn none() -> Note {
    Note {
        text: "no gradient reached x: the path x → h → y is cut here".to_string(),
        at: Some((Span::new(7, 17), "the values pass through, the gradient does not".to_string())),
        help: vec![help("without .detach():  y = (w*h).sum(); y.backward()", "x.grad = [4, 8]")],
        source: Some("y = (w*h.detach()).sum()".to_string()),
    }
}

pub fn accumulated() -> Backward {
    let j = jacobian(&[&[Some(6.0), NONE], &[NONE, Some(12.0)]]);
    let l = after(leaf("x", vector(&[1., 2.]), j, &[6., 12.]), &[6., 120.]);
    backward("y", vector(&[3., 12.]), vector(&[1., 1.]), vec![l])
}

pub fn long_accumulated() -> Backward {
    let mut b = simple(6);
    let l = b.leaves.pop().unwrap();
    b.leaves.push(after(l, &[0.125; 6]));
    b
}

pub fn value(name: Option<&str>, shown_: Shown, remark: Option<Remark>) -> String {
    shown(
        vec![Event::Value(ValueEvent { name: name.map(str::to_string), shown: shown_, remark })],
        &Style::canonical(),
    )
}

pub fn many(n: usize, size: usize) -> Backward {
    scalar_loss((0..n).map(|k| wide_leaf(&format!("p{k}"), &[size])).collect())
}

pub fn renamed(output: &str, leaf: &str) -> Backward {
    let mut b = simple(2);
    b.output = output.to_string();
    b.leaves[0].name = leaf.to_string();
    b
}

pub fn unnamed() -> Backward {
    let mut b = renamed("x^2", "x");
    b.named = false;
    b.echoed = false;
    b
}

pub fn earlier() -> Backward {
    let mut b = simple(2);
    b.leaves[0].earlier = true;
    b.again = Some("y = 3*x^2".to_string());
    b
}

pub fn empty() -> Backward {
    let x = leaf("x", vector(&[1., 2.]), dense(0, 2, vec![]), &[0., 0.]);
    backward("y", vector(&[]), vector(&[]), vec![x])
}

pub fn hooked() -> Backward {
    let mut b = simple(2);
    b.leaves[0].agrees = false;
    b.leaves[0].differing = vec![0, 1];
    b.leaves[0].max_difference = 0.5;
    b.causes.push(Cause::Hook { name: "h".to_string() });
    b
}

pub fn rank_three() -> Backward {
    let mut b = simple(8);
    let cube = |t: &Tensor| Tensor::new(&[2, 2, 2], t.data().to_vec());
    b.value = cube(&b.value);
    b.leaves[0].value = cube(&b.leaves[0].value);
    b.leaves[0].grad = cube(&b.leaves[0].grad);
    b
}

pub fn weighted(v: &[f64]) -> String {
    let mut b = simple(v.len());
    b.v = vector(v);
    let text = panel(b);
    let at = text.find("the gradient").unwrap();
    text[at..].lines().next().unwrap().to_string()
}

pub fn tensor(shape: &[usize], f: impl Fn(f64) -> f64) -> Shown {
    let n: usize = shape.iter().product();
    Shown::Tensor(Tensor::new(shape, (0..n).map(|i| f(i as f64)).collect()))
}

pub fn identity() -> Backward {
    let mut x =
        leaf("x", vector(&[1., 2.]), jacobian(&[&[Some(1.), NONE], &[NONE, Some(1.)]]), &[3., 4.]);
    x.identity = true;
    backward("x", vector(&[1., 2.]), vector(&[3., 4.]), vec![x])
}

pub fn training(n: usize) -> Vec<Event> {
    (0..n)
        .map(|k| {
            let slope = 10.0 / (k + 1) as f64;
            let w = leaf("w", scalar(1.0), filled(&[[slope]]), &[slope]);
            let b = leaf("b", vector(&[1., 2.]), filled(&[[slope, 2.0]]), &[slope, 2.0]);
            let mut b = backward("loss", scalar(slope * 2.0), scalar(1.0), vec![w, b]);
            b.repeats = true;
            b.implicit = true;
            b.echoed = false;
            Event::Backward(b.into())
        })
        .collect()
}

pub fn descent(n: usize) -> Vec<Event> {
    (0..n)
        .map(|k| {
            let slope = 10.0 / (k + 1) as f64;
            let mut b = backward(
                "loss",
                scalar(slope * 2.0),
                scalar(1.0),
                vec![leaf("w", vector(&[1.0, 2.0]), filled(&[[slope, 0.5]]), &[slope, 0.5])],
            );
            b.repeats = true;
            b.implicit = true;
            b.echoed = false;
            Event::Backward(b.into())
        })
        .collect()
}

pub fn of_matrix(order: u8) -> String {
    let s = elements("x", &[2]);
    let event = MatrixEvent {
        output: "y".to_string(),
        leaf: "x".to_string(),
        order,
        row_shape: vec![2],
        column_shape: vec![2],
        matrix: jacobian(&[&[Some(6.0), NONE], &[NONE, Some(12.0)]]),
        symbolic: Some(symbols(&[&[Some(s[0].times(6.0)), None], &[None, Some(s[1].times(6.0))]])),
    };
    shown(vec![Event::Matrix(Box::new(event))], &Style::canonical())
}

/// Compares whole blocks of text; both are shown on a difference.
#[track_caller]
pub fn same(got: &str, want: &str) {
    let want = want.strip_prefix('\n').unwrap_or(want);
    assert!(got == want, "got:\n{got}\nwanted:\n{want}");
}
