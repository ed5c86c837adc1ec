//! Errors and notes.

use super::made::*;
use super::support::*;
use vjp::eval::record::event::*;
use vjp::tensor::complaint::Kind;
use vjp::report::Style;

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
  │   100  ?     J has no row for this weight
  help  y.backward([1, 10])    one weight per element of y
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
  │     ?  y₂    v has no weight for this row
  help  y.backward([1, 10])    one weight per element of y
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
  │ ^^^^^^^^^^^^ y has 2 elements, so J has 2 rows: how should they be weighted?
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
note  no gradient reached x: the path x → h → y is cut here
  │ y = (w*h.detach()).sum()
  │        ^^^^^^^^^^ the values pass through, the gradient does not
  help  without .detach():  y = (w*h).sum(); y.backward()    x.grad = [4, 8]
",
    );
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
