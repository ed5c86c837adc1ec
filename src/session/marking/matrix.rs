//! Matrices in outputs and answers: drawn with brackets, or with a row on each line, read as lists of their rows.

use super::numbers::{Line, Piece, Token, Written, pieces};

/// Stands above every matrix of derivatives.
pub(super) const DERIVATIVE: char = '∂';

/// A row of a matrix: its entries as they are written, and the numbers of those that are not blanks.
type Row = (Vec<String>, Vec<Written>);

/// Entries between two pieces; what no path leads to is 0.
fn entries(line: &Line, all: &[Piece<'_>]) -> Option<Row> {
    let (mut texts, mut numbers) = (Vec::new(), Vec::new());
    for piece in all {
        match piece.token {
            Token::Number(n) => {
                texts.push(line.text[piece.start..piece.end].to_owned());
                numbers.push(n);
            }
            Token::Blank => texts.push(line.text[piece.start..piece.end].to_owned()),
            Token::Text("·") => {
                texts.push("0".to_owned());
                numbers.push(Written::exact(0.0));
            }
            Token::Text(",") => {}
            Token::Text(_) => return None,
        }
    }
    (!texts.is_empty()).then_some((texts, numbers))
}

/// `y₁  ⎡ 6  · ⎤    ⎡ 6x₁  · ⎤`: the numbers in the first of its brackets.
fn drawn_row(line: &Line) -> Option<Row> {
    let all = line.pieces();
    let is = |piece: &Piece<'_>, signs: &[&str]| matches!(piece.token, Token::Text(t) if signs.contains(&t));
    let apart = |p: &Piece<'_>| line.text[..p.start].ends_with("  ") || p.start == 0;
    let from = all.iter().position(|p| is(p, &["[", "⎡", "⎢", "⎣"]) && apart(p))?;
    let inside = &all[from + 1..];
    let to = inside.iter().position(|p| is(p, &["]", "⎤", "⎥", "⎦"]))?;
    entries(line, &inside[..to])
}

/// `2  1  0`, with or without brackets: one row of numbers and nothing else.
fn plain_row(line: &Line) -> Option<Row> {
    let all = line.pieces();
    let edge = |p: &&Piece<'_>| {
        !matches!(p.token, Token::Text("[" | "]" | "⎡" | "⎢" | "⎣" | "⎤" | "⎥" | "⎦"))
    };
    let inside: Vec<Piece<'_>> = all.iter().filter(edge).copied().collect();
    entries(line, &inside)
}

fn list(rows: Vec<Row>) -> Line {
    let (texts, numbers): (Vec<Vec<String>>, Vec<Vec<Written>>) = rows.into_iter().unzip();
    let rows: Vec<String> = texts.iter().map(|row| format!("[{}]", row.join(", "))).collect();
    Line::new(format!("[{}]", rows.join(", ")), numbers.concat())
}

/// An output that ends with a matrix of derivatives, with that matrix on one line: what `jacobian(y, x)` alone shows.
/// None where it ends otherwise.
pub(super) fn drawn(lines: &[Line]) -> Option<Vec<Line>> {
    let heading = lines.iter().rposition(|line| line.text.contains(DERIVATIVE))?;
    let below = &lines[heading + 1..];
    let names = below.iter().take_while(|line| drawn_row(line).is_none()).count();
    let rows: Option<Vec<Row>> = below[names..].iter().map(drawn_row).collect();
    let rows = rows.filter(|rows| !rows.is_empty())?;
    Some(lines[..heading].iter().cloned().chain([list(rows)]).collect())
}

/// An answer that gives a matrix row by row, with it on one line; `shown`: how many lines the output has that it
/// answers. None where it gives none.
pub(super) fn by_rows(file: &[Line], shown: usize) -> Option<Vec<Line>> {
    if let Some(drawn) = drawn(file) {
        return Some(drawn);
    }
    let row = |line: &Line| drawn_row(line).or_else(|| plain_row(line));
    let mut rows: Vec<Row> = file.iter().rev().map_while(row).collect();
    rows.reverse();
    let alike = rows.windows(2).all(|two| two[0].0.len() == two[1].0.len());
    let above = file.len() - rows.len();
    let fits = above == 0 || above + 1 == shown;
    let several = rows.len() > 1 && file.len() != shown;
    (alike && fits && several).then(|| file[..above].iter().cloned().chain([list(rows)]).collect())
}

/// The sizes of a value in nested brackets: `[[1, 2, 3], [4, 5, 6]]` is [2, 3].
pub(super) fn sizes(text: &str) -> Vec<usize> {
    let all = pieces(text);
    let mut counts: Vec<usize> = Vec::new();
    let mut depth = 0;
    let mut deepest = 0;
    for piece in &all {
        match piece.token {
            Token::Text("[") => {
                depth += 1;
                deepest = depth.max(deepest);
                counts.resize(counts.len().max(depth), 0);
                counts[depth - 1] += 1;
            }
            Token::Text("]") if depth > 0 => depth -= 1,
            _ => {}
        }
    }
    let numbers = all.iter().filter(|p| !matches!(p.token, Token::Text(_))).count();
    counts.push(numbers);
    let even = counts.windows(2).all(|two| two[0] > 0 && two[1] % two[0] == 0);
    if counts.first() != Some(&1) || !even {
        return Vec::new();
    }
    counts.windows(2).map(|two| two[1] / two[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Line> {
        text.split('\n').map(|line| Line::new(line.to_owned(), Vec::new())).collect()
    }

    fn texts(lines: Option<Vec<Line>>) -> Vec<String> {
        lines.unwrap_or_default().into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn a_matrix_is_read_as_the_list_of_its_rows() {
        let panel = "y = 1\n   J = ∂y/∂x       in symbols\n      x₁  x₂        x₁  x₂\n y₁  ⎡  2   · ⎤   ⎡ x₂  · ⎤\n y₂  ⎣ ____  4 ⎦   ⎣  ·  1 ⎦";
        assert_eq!(texts(drawn(&lines(panel))), ["y = 1", "[[2, 0], [____, 4]]"]);
        for (rows, shown) in [
            ("2 0\n1 4", 1),
            ("[2, 0]\n[1, 4]", 1),
            ("⎡ 2  · ⎤\n⎣ 1  4 ⎦", 1),
            ("[[2, 0],\n [1, 4]]", 1),
            (panel.split_once('\n').map_or("", |(_, rest)| rest), 1),
        ] {
            let found = texts(by_rows(&lines(rows), shown));
            assert!(found.len() == 1 && found[0].starts_with("[[2, 0], ["), "{rows}: {found:?}");
        }
        assert_eq!(texts(by_rows(&lines("y = 1\n2 0\n1 4"), 2)), ["y = 1", "[[2, 0], [1, 4]]"]);
        for other in ["[3, 7]\n[1, 2]", "2 0\n1", "6\nbecause 2"] {
            assert_eq!(by_rows(&lines(other), 2), None, "{other}");
        }
    }

    #[test]
    fn brackets_tell_sizes() {
        assert_eq!(sizes("tensor([[1., 2., 3.], [4., ____, 6.]])"), [2, 3]);
        assert_eq!(sizes("[[[1], [2]]]"), [1, 2, 1]);
        assert_eq!(sizes("[6, 120]"), [2]);
        for other in ["6", "([1], [2, 3])", "[[1, 2], [3]]"] {
            assert!(sizes(other).len() != 2, "{other}");
        }
    }
}
