//! Echoes of values.

use super::made::*;
use num_bigint::BigInt;
use vjp::eval::record::event::*;

#[test]
fn echo_of_a_long_vector() {
    same(
        &value(Some("x"), tensor(&[1000], |i| i / 999.0), Some(Remark::Leaf { shape: vec![1000] })),
        r"
x = [0, 1.0e-03, 2.0e-03, …, 0.998, 0.999, 1.000]           leaf, shape [1000]
",
    );
}

#[test]
fn echo_with_a_remark_in_column_61() {
    same(
        &value(Some("x"), tensor(&[2], |i| i + 1.0), Some(Remark::Leaf { shape: vec![2] })),
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
            Some(Remark::Shape { shape: vec![100, 100] }),
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
        &value(Some("n"), Shown::Int(12_345_678.into()), None),
        r"
n = 12345678
",
    );
}

#[test]
fn an_echo_is_cut_to_a_screenful() {
    let text = value(None, Shown::Text("a".repeat(1_000_000)), None);
    assert!(text.ends_with("a… 999,000 more characters\n"), "{}", text.len());
    let text = value(None, Shown::Int(BigInt::from(7).pow(4000)), None);
    assert!(text.ends_with("… 2,381 more characters\n"), "{text}");
}
