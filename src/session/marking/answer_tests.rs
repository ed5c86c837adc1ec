//! Answers found, marked and kept.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::answer::{Answer, has_blank, keep};
use crate::marking::numbers::{self, BLANK};
use proptest::prelude::*;

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn answers(file: &[String], now: &[String]) -> Option<Vec<Answer>> {
    super::answer::answers(file, &numbers::lines(now, None, false))
}

fn one(file: &str, now: &str) -> Answer {
    let mut all = answers(&lines(file), &lines(now)).unwrap();
    assert_eq!(all.len(), 1, "{all:?}");
    all.swap_remove(0)
}

#[test]
fn an_answer_is_right_wrong_or_open() {
    assert!(one("[26.0, 1.24e3]", "[26, 1240]").holds);
    assert!(one("26 1240", "[26, 1240]").holds);
    assert!(one("tensor([.5, 1/4])", "[0.5000, 0.2500]").holds);
    assert!(!one("[8, 34]", "[26, 1240]").holds);
    assert!(!one("26", "[26, 1240]").holds);
    assert!(!one("0", "None").holds && one("None", "None").holds);
    let open = one("[____, 1240]", "[26, 1240]");
    assert!((open.open, open.holds) == (1, true));
    let both = one("[____, 7]", "[26, 1240]");
    assert!((both.open, both.holds) == (1, false));
    assert_eq!(one("____", "a\nb").right, "a\nb");
    assert!(one("6.0", "y = 9\n6").holds && !one("9", "y = 9\n6").holds);
    assert_eq!(one("[____, ____]", "[[1, 2], [3, 4]]").open, 2);
}

#[test]
fn a_value_over_several_lines_is_one_answer() {
    let printed = "tensor([[2., 4.],\n        [6., 8.]])";
    for given in
        ["[[2, 4], [6, 8]]", "[[2, 4],\n [6, 8]]", "tensor([[2., 4.],\n[6., 8.]])", printed]
    {
        assert!(one(given, "[[2, 4], [6, 8]]").holds, "{given}");
        let all = answers(&lines(given), &lines(printed)).unwrap();
        assert!(all.iter().all(|a| a.holds && a.unread.is_none()), "{given}: {all:?}");
    }
    assert!(!one("[[2, 4],\n [6, 9]]", printed).holds);
    let under = answers(&lines("y = 9\n[[2, 4], [6, 8]]"), &lines(&format!("y = 9\n{printed}")));
    assert!(under.unwrap().iter().all(|a| a.holds));
    assert_eq!(one("[[____, ____],\n [____, 8]]", printed).open, 3);
}

#[test]
fn what_pytorch_says_beside_the_numbers_is_no_matter() {
    assert!(one("tensor([2., 1.], dtype=torch.float64)", "[2, 1]").holds);
    assert!(one("tensor(2., grad_fn=<SumBackward0>)", "2").holds);
    for shape in ["(2, 3)", "[2, 3]", "torch.Size((2, 3))", "2, 3"] {
        assert!(one(shape, "torch.Size([2, 3])").holds, "{shape}");
    }
    assert!(!one("(3, 2)", "torch.Size([2, 3])").holds);
}

#[test]
fn a_drawn_matrix_is_answered_by_its_rows() {
    let now = "     J = ∂y/∂x  in symbols\n        x₁  x₂       x₁   x₂\n y₁  ⎡   6   · ⎤  ⎡ 6x₁    · ⎤\n y₂  ⎣   ·  12 ⎦  ⎣   ·  6x₂ ⎦";
    for (given, holds) in [("[[6, 0], [0, 12]]", true), ("[[6, 0], [12, 0]]", false)] {
        assert_eq!(one(given, now).holds, holds, "{given}");
    }
    let scalar =
        "     J = ∂((x*2).sum())/∂x\n              x₁  x₂\n (x*2).sum()  [  2   3 ]    constant";
    assert!(one("[2, 3]", scalar).holds && !one("[3, 2]", scalar).holds);
    assert_eq!(one("[[6, 0], [0, 13]]", now).right, "[[6, 0], [0, 12]]");
    for sheet in ["____", "[[____, ____], [____, ____]]", "[[____, 0],\n [____, 12]]"] {
        assert!(one(sheet, now).open > 0 && one(sheet, now).holds, "{sheet}");
        assert_eq!(keep(&lines(sheet), &lines(now)), Some(lines(sheet)));
    }
}

#[test]
fn a_line_of_a_panel_holds_answers_by_name() {
    let now = "  vᵀJ      [  26  1240 ]    1×6";
    let answer = one("  vᵀJ  [ 8 1240 ]  1×6", now);
    assert_eq!(answer.name.as_deref(), Some("vᵀJ"));
    assert_eq!((answer.given.as_str(), answer.right.as_str()), ("[ 8 1240 ]", "[  26  1240 ]"));
    let absent = one("  1  y₁  ⎡ 6  0 ⎤ a", "  1  y₁  ⎡ 6  · ⎤ a");
    assert_eq!((absent.name.as_deref(), absent.holds), (Some("row y₁"), true));
    assert_eq!(one("y = ____   shape", "y = [1, 2]   shape").right, "[1, 2]");
}

#[test]
fn other_words_are_no_answer() {
    let none = |file, now| answers(&lines(file), &lines(now)).is_none();
    assert!(none("y = [1, 2]  leaf", "z = [1, 3]  leaf"));
    assert!(none("a\nb", "a") && none("[____] leaf", "[1, 2] leaf"));
}

#[test]
fn a_rewritten_output_keeps_its_blanks() {
    let kept = |file: &str, now: &str| keep(&lines(file), &lines(now)).map(|l| l.join("\n"));
    assert_eq!(kept("[____, 5]", "[26, 1240]").as_deref(), Some("[____, 1240]"));
    assert_eq!(kept("[____,  5]", "[1, 5]").as_deref(), Some("[____,  5]"));
    assert_eq!(
        kept("old\nx = ____", "new\nmore\nx = [1, 2]").as_deref(),
        Some("new\nmore\nx = ____")
    );
    assert_eq!(kept("____", "a\nb").as_deref(), Some("____"));
    assert_eq!(kept("____", "y = 9\n6").as_deref(), Some("y = 9\n____"));
    assert_eq!(kept("[____] leaf", "[1, 2] leaf"), None);
}

/// A piece of an output, and whether a blank may stand for it.
fn part() -> impl Strategy<Value = (String, bool)> {
    prop_oneof![
        (-500i32..500).prop_map(|n| (n.to_string(), true)),
        (0u32..5000).prop_map(|n| (format!("{:.3}", f64::from(n) / 100.0), true)),
        "(y₁|[a-z]{2,5}|⎡|⎦|\\[|\\]|,|=|·|×)".prop_map(|word| (word, false)),
    ]
}

prop_compose! {
    /// An output, and the same with blanks in place of some numbers.
    fn sheet()(output in proptest::collection::vec(proptest::collection::vec((part(), any::<bool>()), 1..7), 1..4)) -> (Vec<String>, Vec<String>) {
        let line = |parts: &[((String, bool), bool)], blanks: bool| {
            let texts = parts.iter().map(|((text, number), open)| match blanks && *number && *open {
                true => BLANK.to_owned(),
                false => text.clone(),
            });
            texts.collect::<Vec<String>>().join("  ")
        };
        let lines = |blanks| output.iter().map(|parts| line(parts, blanks)).collect();
        (lines(true), lines(false))
    }
}

proptest! {
    #[test]
    fn an_untouched_sheet_is_open_and_blessing_keeps_it((file, now) in sheet()) {
        prop_assert_eq!(keep(&file, &now), Some(file.clone()));
        let found = answers(&file, &now).unwrap();
        prop_assert!(found.iter().all(|a| a.holds));
        let open: usize = found.iter().map(|a| a.open).sum();
        prop_assert_eq!(open > 0, has_blank(&file));
    }

    #[test]
    fn the_programs_own_numbers_are_right((_, now) in sheet()) {
        let found = answers(&now, &now).unwrap();
        prop_assert!(found.iter().all(|a| a.holds && a.open == 0));
    }

    #[test]
    fn any_text_may_stand_there(file in proptest::collection::vec("\\PC{0,20}", 0..3), now in proptest::collection::vec("\\PC{0,20}", 0..3)) {
        let _ = answers(&file, &now);
        let _ = keep(&file, &now);
    }
}
