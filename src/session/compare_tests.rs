//! Verdicts of files, with outputs that are given.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::compare::{Grade, Verdict, check};
use crate::replay::Role;
use crate::{Player, Transcript};
use std::io;

/// Answers each input with the next of its outputs.
struct Fixed(Vec<Vec<String>>);

impl Player for Fixed {
    fn restart(&mut self) {}

    fn play(&mut self, _: &str, _: bool) -> io::Result<Vec<String>> {
        Ok(self.0.remove(0))
    }

    fn line(&mut self, _: &str, _: Role) -> io::Result<()> {
        Ok(())
    }
}

fn checked(file: &str, now: &str) -> Verdict {
    let read = |text: &str| Transcript::parse(text).unwrap();
    let outputs = read(now).steps.into_iter().map(|s| s.output).collect();
    check(&read(file), &mut Fixed(outputs)).unwrap()
}

#[test]
fn layout_and_narration_do_not_count() {
    let verdict = checked("# a\nvjp> 1\n1\n\n\n# b\nvjp> 2\n2\n", "vjp> 1\n1\nvjp> 2\n2\n");
    assert!(verdict.agrees());
    assert_eq!(verdict.describe("a.vjp"), "✓ a.vjp  2 of 2 unchanged\n");
}

#[test]
fn a_difference_shows_its_input_and_both_texts() {
    let verdict = checked(
        "vjp> 1\n1\n\nvjp> x = [1, 2]\nx = [1, 3]\nmore\n",
        "vjp> 1\n1\nvjp> x = [1, 2]\nx = [1, 2]\nmore\n",
    );
    assert_eq!(
        verdict.describe("a.vjp"),
        "a.vjp:4: input 2\n    vjp> x = [1, 2]\n  - x = [1, 3]\n  + x = [1, 2]\n    more\n    \
         - the file, + now\n\n✗ a.vjp  1 of 2 unchanged\n"
    );
}

#[test]
fn a_sheet_counts_its_questions() {
    let sheet =
        "# Fill in each ____.\nvjp> y = 2\ny = 2  leaf\nvjp> a\nA\nvjp> b\nB\nvjp> c\n[C]\n";
    let filled = |a: &str, b: &str, c: &str| sheet.replace('A', a).replace('B', b).replace('C', c);
    let verdict = checked(&filled("3.0", "____", "7, 9"), &filled("3", "4", "8, 9"));
    assert_eq!(verdict.tally(), (3, 1));
    assert!(!verdict.agrees());
    assert_eq!(
        verdict.describe("a.vjp"),
        " 2 of 3   open  b\n 3 of 3   ✗  [7, 9]         c is [8, 9]\n✗ a.vjp  1 of 3 right, 2 of 4 points, 1 open\n"
    );
    assert_eq!(verdict.brief("a.vjp"), "✗ a.vjp  1 of 3 right, 2 of 4 points, 1 open; wrong: 3\n");
    let open = checked(&filled("____", "4", "8, ____"), &filled("3", "4", "8, 9"));
    assert!(open.agrees());
    assert_eq!(open.brief("a.vjp"), "· a.vjp  1 of 3 right, 2 of 4 points, 2 open\n");
}

#[test]
fn what_the_sheet_gives_stays_as_it_is() {
    let file = "# ____\nvjp> y = 2\ny = 3  leaf\nvjp> a\n3\n";
    let verdict = checked(file, &file.replace("y = 3", "y = 2"));
    assert_eq!(verdict.numbered(Grade::Wrong), [1]);
    let verdict = checked(file, &file.replace("leaf", "other"));
    assert_eq!((verdict.differences.len(), verdict.tally()), (1, (1, 1)));
}
