//! `:equations`: the derivation on the board, with numbers beside it, in LaTeX, or as lines of PyTorch.

use crate::panel::weighted_rows::mark;
use crate::terminal::line::{fold, width};
use crate::{Line, Role, Style, echo};
use vjp_eval::record::questions::{Equation, Equations, Left, Written};
use vjp_maths::matrix::board::Board;
use vjp_maths::matrix::board::operations::of_rows;
use vjp_maths::matrix::code::code;
use vjp_maths::matrix::{Matrix, Node};
use vjp_maths::symbol::formula;
use vjp_tensor::Tensor;

/// Lines at each end, where there are more than twice as many and one.
const ENDS: usize = 20;

/// Columns of the left sides at most.
const WIDEST: usize = 24;

/// A longer text of a constant says less than its shape.
const TYPED: usize = 40;

/// Between two equations on one line.
const GAP: usize = 4;

/// Whether a 1 is a factor of a product of matrices: `1 xᵀ`, `A 1`.
fn has_ones(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let is_one = |word: &str| matches!(word.trim_matches(['(', ')']), "1" | "1ᵀ" | "1.T");
    let is_value = |word: &&str| {
        let first = word.trim_start_matches('(').chars().next();
        first.is_some_and(char::is_alphabetic) || word.starts_with('∂')
    };
    words.iter().enumerate().any(|(k, word)| {
        let before = k.checked_sub(1).and_then(|k| words.get(k)).filter(|w| !w.ends_with('('));
        let after = words.get(k + 1).filter(|_| !word.ends_with([')', ',']));
        // `Σ dim 1 of x` names a dimension.
        let named = after == Some(&"of");
        is_one(word) && !named && (after.is_some_and(is_value) || before.is_some_and(is_value))
    })
}

/// `t` of `a[i, t]`, where it is a name.
fn chosen(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("[i, ")?;
    let (list, _) = rest.split_once(']')?;
    Some(if list.starts_with('[') { "t".to_owned() } else { list.to_owned() })
}

/// Whether a part of a formula is so.
fn holds(m: &Matrix, so: &dyn Fn(&Matrix) -> bool) -> bool {
    so(m) || m.node().parts().into_iter().any(|part| holds(part, so))
}

/// Whether something is broadcast, where no product with ones says so.
fn repeats(m: &Matrix, said: bool) -> bool {
    let parts = m.node().parts();
    let own = match m.node() {
        Node::Expand(x) => x.numel() > 1 && !said,
        Node::Sum(_) | Node::Times(_) | Node::Call(..) => {
            parts.iter().any(|p| p.numel() > 1 && p.numel() < m.numel())
        }
        _ => false,
    };
    let below = matches!(m.node(), Node::Product(_));
    own || parts.into_iter().any(|part| repeats(part, below))
}

/// Whether several elements are placed at one place.
fn meets(m: &Matrix) -> bool {
    let Node::Scatter(_, w) = m.node() else { return false };
    let mut seen = std::collections::HashSet::new();
    w.index.iter().any(|p| !seen.insert(*p))
}

/// Signs that textbooks differ in, and what they say here.
const WORDS: [(&str, &str); 9] = [
    (" | ", "[a | b] puts a and b side by side"),
    (" ; ", "[a ; b] puts a above b"),
    ("place(", "place(a, i of n) has a at the places i, counted from 0, and 0 elsewhere"),
    ("put(", "put(a, b, i) is a with b at the places i, counted from 0"),
    ("pick(", "pick(a, i) takes what a has at the places i, counted from 0"),
    ("correction=0", "var and std divide by n − 1, with correction=0 by n"),
    ("unpool(", "unpool puts each element back where the maximum was"),
    ("(vjp of ", "(vjp of f(x))(v) is vᵀJ of f at x"),
    ("reshape(", "reshape(a, m×n) has the elements of a in that shape"),
];

/// So many elements are code; more are left to the reader.
const ELEMENTS: usize = 400;

pub fn lines(event: &Equations, style: &Style) -> Vec<Line> {
    match event.written {
        Written::Board => board(event, style, false),
        Written::Numbers => board(event, style, true),
        Written::Latex => latex(event).lines().map(|l| Line::of(Role::Formula, l)).collect(),
        Written::Code => program(event).lines().map(|l| Line::of(Role::Formula, l)).collect(),
    }
}

pub(crate) fn of<'a>(event: &'a Equations, style: formula::Style) -> Board<'a> {
    Board::new(style, &event.lists, event.means)
}

/// Both sides of each equation as the board has them, or code, and the equation; no right side where no true
/// formula is known.
pub fn sides(event: &Equations) -> Vec<(String, Option<String>, &Equation)> {
    let board = of(event, formula::Style::Pretty);
    let all = event.forward.iter().chain(&event.backward);
    all.map(|e| match event.written {
        Written::Code => (in_code(e), in_lines(event, e), e),
        _ => (left(&board, &e.left), right(&board, e), e),
    })
    .collect()
}

/// The left side of a line of code.
fn in_code(e: &Equation) -> String {
    match &e.left {
        Left::Gradient(name) | Left::Derivative { leaf: name, .. } => entry(name),
        _ => e.code.clone(),
    }
}

/// The right side of a line of code; None where it cannot be written.
fn in_lines(event: &Equations, e: &Equation) -> Option<String> {
    code(e.right.as_ref().filter(|_| e.agrees)?, &event.lists)
}

/// The left side of an equation.
pub(crate) fn left(board: &Board, left: &Left) -> String {
    let latex = board.style == formula::Style::Latex;
    match left {
        Left::Value(name) => board.name(name),
        Left::Cotangent(name) => board.name(&format!("∂{name}")),
        Left::Gradient(name) if latex => {
            format!(r"{}\texttt{{.grad}}", board.name(name))
        }
        Left::Gradient(name) => format!("{}.grad", board.name(name)),
        Left::Derivative { output, leaf, weights } => {
            let (y, x) = (board.name(output), board.name(leaf));
            let slope = match board.style {
                formula::Style::Latex => format!(r"\frac{{\partial {y}}}{{\partial {x}}}"),
                formula::Style::Pretty => format!("∂{y}/∂{x}"),
                _ => format!("d{y}/d{x}"),
            };
            match (board.style, weights.as_ref().map(|v| board.name(v))) {
                (_, None) => slope,
                (formula::Style::Latex, Some(v)) => format!(r"{v}^{{\top}} {slope}"),
                (formula::Style::Pretty, Some(v)) => format!("{v}ᵀ {slope}"),
                (_, Some(v)) => format!("{v}^T {slope}"),
            }
        }
    }
}

/// The right side; None where no true formula is known.
pub(crate) fn right(board: &Board, e: &Equation) -> Option<String> {
    board.text(e.right.as_ref().filter(|_| e.agrees)?).ok()
}

/// What is said in the place of a formula.
pub(crate) fn instead(board: &Board, e: &Equation) -> String {
    match (&e.right, e.words.is_empty()) {
        (Some(m), _) if e.agrees => {
            let what = board.text(m).err().unwrap_or_default();
            match code(m, board.lists) {
                Some(_) => format!("no notation for {what}; :equations code has it"),
                None => format!("no notation for {what}"),
            }
        }
        (None, false) => e.words.clone(),
        (None, true) => "nothing arrives".to_owned(),
        (Some(_), _) => "no formula agrees with the sweep".to_owned(),
    }
}

fn board(event: &Equations, style: &Style, numbers: bool) -> Vec<Line> {
    let spelled = if style.ascii { formula::Style::Ascii } else { formula::Style::Pretty };
    let board = of(event, spelled);
    let mut all = match numbers {
        true => listed(&board, &event.forward, style, true),
        false => side_by_side(&board, event, style),
    };
    if !all.is_empty() {
        all.push(Line::new());
    }
    all.extend(listed(&board, &event.backward, style, numbers));
    all.extend(remarks(event, &board, style));
    all
}

/// Short equations beside each other.
fn side_by_side(board: &Board, event: &Equations, style: &Style) -> Vec<Line> {
    let room = style.frame();
    let mut all: Vec<Line> = Vec::new();
    for (k, e) in event.forward.iter().enumerate() {
        if event.forward.len() > 2 * ENDS + 1 && (ENDS..event.forward.len() - ENDS).contains(&k) {
            if k == ENDS {
                all.push(left_out(event.forward.len() - 2 * ENDS));
            }
            continue;
        }
        let mut one = Line::new();
        one.push(Role::Formula, left(board, &e.left));
        match right(board, e) {
            Some(text) => one.plain(" = ").push(Role::Formula, text),
            None => one.plain(format!(": {}", instead(board, e))),
        };
        match all.last_mut() {
            Some(last) if k > 0 && last.width() + GAP + one.width() <= room => {
                last.plain(" ".repeat(GAP)).append(&one);
            }
            _ => {
                let mut line = Line::new();
                line.plain("  ").append(&one);
                all.extend(fold(&line, room, 6));
            }
        }
    }
    all
}

fn left_out(count: usize) -> Line {
    Line::of(Role::Plain, format!("  … {count} more lines"))
}

fn listed(board: &Board, equations: &[Equation], style: &Style, numbers: bool) -> Vec<Line> {
    let names = equations.iter().map(|e| width(&left(board, &e.left)));
    let stem = names.filter(|w| *w <= WIDEST).max().unwrap_or(1) + 2;
    let frame = style.frame();
    let sign = if equations.iter().any(|e| e.adds) { 4 } else { 3 };
    let rights = equations.iter().map(|e| right(board, e).ok_or_else(|| instead(board, e)));
    let rights: Vec<Result<String, String>> = rights.collect();
    let shape = |e: &Equation| match e.value.shape() {
        [] => String::new(),
        shape => format!("{shape:?}"),
    };
    let widest = equations.iter().map(|e| width(&shape(e))).max().unwrap_or(0);
    let room = frame.saturating_sub(stem + sign + 2 + widest + 2);
    let texts = rights.iter().map(|right| right.as_ref().unwrap_or_else(|said| said));
    let broken: Vec<Vec<String>> =
        texts.map(|t| broken(t, frame.saturating_sub(stem + sign))).collect();
    let lasts = broken.iter().filter_map(|pieces| pieces.last()).map(|t| width(t));
    let column = stem + sign + lasts.filter(|w| *w <= room).max().unwrap_or(0) + 2;
    let mut all = Vec::new();
    for (k, (e, pieces)) in equations.iter().zip(broken).enumerate() {
        if equations.len() > 2 * ENDS + 1 && (ENDS..equations.len() - ENDS).contains(&k) {
            if k == ENDS {
                all.push(left_out(equations.len() - 2 * ENDS));
            }
            continue;
        }
        let mut line = Line::new();
        line.plain("  ").push(Role::Formula, left(board, &e.left)).pad(stem);
        let told = rights[k].is_ok();
        let equals = match (told, e.adds) {
            (true, true) => "+= ",
            (true, false) => "= ",
            (false, _) => "  ",
        };
        line.plain(format!("{equals:>sign$}"));
        let role = if told { Role::Formula } else { Role::Plain };
        let mut pieces = pieces.into_iter();
        line.push(role, pieces.next().unwrap_or_default());
        let mut folded = vec![line];
        for piece in pieces {
            let mut line = Line::new();
            line.pad(stem + sign).push(role, piece);
            folded.push(line);
        }
        let mut last = folded.pop().unwrap_or_default();
        if last.width() + 2 + widest + 2 > frame {
            folded.push(std::mem::take(&mut last));
        }
        all.append(&mut folded);
        if last.width() > stem + sign {
            last.plain("  ");
        }
        last.pad(column).plain(shape(e));
        let leaf = !matches!(e.left, Left::Value(_) | Left::Cotangent(_));
        if e.right.is_some() && (leaf && told || !e.agrees) {
            last.pad(column + widest).plain(" ").append(&mark(e.agrees, style));
        }
        all.push(last);
        if numbers {
            let text = echo::corners(&e.value, frame.saturating_sub(stem + sign), style);
            for piece in text.lines() {
                let mut line = Line::new();
                line.pad(stem + sign).push(Role::Value, piece.trim());
                all.push(line);
            }
        }
    }
    all
}

/// A formula in lines that fit: broken where its parts hold together least, and not in its first half.
fn broken(text: &str, room: usize) -> Vec<String> {
    let mut all = Vec::new();
    let mut rest = text;
    while width(rest) > room {
        let Some(at) = weakest(rest, room) else { break };
        let (line, more) = rest.split_at(at);
        all.push(line.trim_end().to_owned());
        rest = more.trim_start();
    }
    all.push(rest.to_owned());
    all
}

/// The best place to break a text.
fn weakest(text: &str, room: usize) -> Option<usize> {
    // In brackets deeper is worse; a sum, then what is multiplied, then what stands beside.
    let hold = |behind: &str| match behind.chars().nth(1) {
        Some('+' | '−' | '-' | '|' | ';') => 0,
        Some('⊙' | '*' | '/' | '★') => 1,
        _ => 2,
    };
    let (mut depth, mut column) = (0usize, 0);
    let mut best: Option<(usize, usize)> = None;
    for (at, c) in text.char_indices() {
        if column > room {
            break;
        }
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            // A sign that stands between two parts goes down with the second.
            ' ' if column > 0
                && !text[..at].ends_with(['+', '−', '-', '⊙', '*', '/', '|', ';']) =>
            {
                let badness = 3 * depth + hold(&text[at..]) + if 2 * column < room { 4 } else { 0 };
                if best.is_none_or(|(least, _)| badness <= least) {
                    best = Some((badness, at));
                }
            }
            _ => {}
        }
        column += width(c.encode_utf8(&mut [0; 4]));
    }
    best.map(|(_, at)| at)
}

/// Whether a product of matrices has a factor that is written as A·A or the exponential of a matrix are in a textbook.
fn multiplies_power(m: &Matrix) -> bool {
    matches!(m.node(), Node::Product(factors) if factors.iter().any(is_power_of_square))
}

fn is_power_of_square(m: &Matrix) -> bool {
    let square = |m: &Matrix| matches!(*m.dims(), [a, b] if a == b && a > 1);
    match m.node() {
        Node::Times(factors) => factors.iter().any(|(base, e)| e.abs() != 1.0 && square(base)),
        Node::Call(fun, parts) => {
            ["exp", "log", "sqrt", "sin", "cos"].contains(&fun.name) && parts.iter().any(square)
        }
        _ => false,
    }
}

/// What signs mean, each where it stands for the first time.
pub(crate) fn remarks(event: &Equations, board: &Board, style: &Style) -> Vec<Line> {
    let mut says: Vec<String> = Vec::new();
    let cotangent = event.backward.iter().find_map(|e| match &e.left {
        Left::Cotangent(name) => Some(board.name(&format!("∂{name}"))),
        _ => None,
    });
    let (y, d) = (board.name(&event.output), if style.ascii { "d" } else { "∂" });
    if let Some(of) = cotangent {
        let h = of.trim_start_matches("d_").trim_start_matches('∂');
        says.push(match &event.v {
            None => format!("{of} is {d}{y}/{d}{h}"),
            Some((v, _)) => format!("{of} is {}ᵀ times {d}{y}/{d}{h}", board.name(v)),
        });
    }
    if let Some((v, _)) = &event.v {
        says.push(format!("{}: one weight for each element of {y}", board.name(v)));
    }
    let all = event.forward.iter().chain(&event.backward);
    let texts: Vec<String> = all.filter_map(|e| right(board, e)).collect();
    let uses = |sign: &str| texts.iter().any(|t| t.contains(sign));
    let rights = || event.forward.iter().chain(&event.backward).filter_map(|e| e.right.as_ref());
    if uses("⊙") {
        says.push("⊙ multiplies element by element".to_owned());
    }
    if rights().any(|m| holds(m, &multiplies_power)) {
        says.push("powers and functions of a matrix are taken element by element".to_owned());
    }
    if uses("★") {
        says.push("★ slides the first over the second".to_owned());
    }
    let scalars = event.backward.iter().all(|e| e.value.shape().is_empty());
    if !scalars && texts.iter().any(|text| has_ones(text)) {
        says.push("1 beside a matrix is made of ones".to_owned());
    }
    if let Some(list) = texts.iter().find_map(|t| chosen(t)) {
        says.push(format!("a[i, {list}] takes from each row i of a the element {list} names"));
    }
    if rights()
        .any(|m| holds(m, &|m| matches!(m.node(), Node::Run(op, x) if of_rows(&**op, &x[0]))))
    {
        says.push("softmax is that of each row".to_owned());
    }
    let back = event.backward.iter().filter_map(|e| e.right.as_ref());
    if back.map(Matrix::parted).any(|(_, m)| repeats(&m, true)) {
        says.push("a row or column is repeated where more are needed".to_owned());
    }
    for (sign, meaning) in WORDS {
        if uses(sign) {
            says.push(meaning.to_owned());
        }
    }
    if uses("place(") && rights().any(|m| holds(m, &meets)) {
        says.push("place adds up what it puts at the same place".to_owned());
    }
    for (symbol, name) in &event.earlier {
        let (symbol, name) = (board.name(symbol), board.name(name));
        says.push(format!("{symbol} is {name} before it was assigned again"));
    }
    let earlier = |symbol: &String| event.earlier.iter().any(|(known, _)| known == symbol);
    for (name, t) in event.numbers.iter().filter(|(name, _)| !earlier(name)) {
        if name.starts_with("leaf") {
            says.push(format!(
                "{} is a leaf without a name, of shape {:?}",
                board.name(name),
                t.shape()
            ));
        }
    }
    for (name, text) in &event.held {
        let name = board.name(name);
        says.push(match text.is_empty() || width(text) > TYPED {
            true => format!("{name} is held fixed"),
            false => format!("{name} = {text} is held fixed"),
        });
    }
    let held = |symbol: &String| event.held.iter().any(|(name, _)| name == symbol);
    for (name, text, t) in event.constants.iter().filter(|(name, ..)| !held(name)) {
        let name = board.name(name);
        says.push(match text.is_empty() || width(text) > TYPED {
            true => format!("{name} is held fixed, of shape {:?}", t.shape()),
            false => format!("{name} is {text}"),
        });
    }
    let proved = event.backward.iter().filter(|e| !matches!(e.left, Left::Cotangent(_)));
    let of_grad = proved.clone().any(|e| matches!(e.left, Left::Gradient(_)));
    if proved.clone().all(|e| e.agrees) && proved.clone().any(|e| right(board, e).is_some()) {
        says.push(match of_grad {
            true => "✓ the line, evaluated, is what the sweep left in .grad".to_owned(),
            false => "✓ the line, evaluated, is what a sweep gives".to_owned(),
        });
    }
    let differs = event.backward.iter().any(|e| !e.agrees);
    if let Some(name) = event.hooked.as_ref().filter(|_| differs) {
        says.push(format!(
            "✗ the hook on {name} changed the gradient; the formulas are without it"
        ));
    }
    if let Some(op) = event.tied.as_ref().filter(|_| event.hooked.is_none()) {
        says.push(format!("✗ {op} is at a kink or tie here; the formula holds away from it"));
    }
    let mut all = Vec::new();
    let mut line = Line::of(Role::Plain, "  ");
    for say in says {
        let extra = if line.width() > 2 { 3 } else { 0 };
        if line.width() + extra + width(&say) > style.frame() && line.width() > 2 {
            all.push(std::mem::replace(&mut line, Line::of(Role::Plain, "  ")));
        } else if extra > 0 {
            line.plain("   ");
        }
        line.plain(say);
    }
    if line.width() > 2 {
        all.push(line);
    }
    all
}

/// Aligned at the signs of equality.
pub fn latex(event: &Equations) -> String {
    let board = of(event, formula::Style::Latex);
    let each = event.forward.iter().chain(&event.backward).filter_map(|e| {
        let sign = if e.adds { r"\mathrel{+}=" } else { "=" };
        Some(format!("  {} &{sign} {}", left(&board, &e.left), right(&board, e)?))
    });
    let rows: Vec<String> = each.collect();
    format!("\\begin{{aligned}}\n{}\n\\end{{aligned}}\n", rows.join(" \\\\\n"))
}

/// What to call a leaf's entry of `grad`.
fn entry(name: &str) -> String {
    format!("grad[\"{name}\"]")
}

/// Lines of PyTorch that run after the program; what cannot be written is a comment.
pub fn program(event: &Equations) -> String {
    let mut out = String::new();
    let mut put = |name: &str, text: Option<String>| match text {
        Some(text) => out.push_str(&format!("{name} = {text}\n")),
        None => out.push_str(&format!("# {name}: no formula\n")),
    };
    if let Some((name, v)) = &event.v {
        put(name, literal(v));
    }
    let constants = event.constants.iter().map(|(name, _, t)| (name, t));
    for (name, t) in constants.chain(event.numbers.iter().map(|(name, t)| (name, t))) {
        put(name, literal(t));
    }
    let needed = needed(event);
    for e in event.forward.iter().filter(|e| !e.code.is_empty() && needed.contains(&e.code)) {
        put(&e.code, in_lines(event, e));
    }
    put("grad", Some("{}".to_owned()));
    for e in &event.backward {
        put(&in_code(e), in_lines(event, e));
    }
    out
}

/// Names that some line of the way back needs, directly or not.
fn needed(event: &Equations) -> std::collections::HashSet<String> {
    let mut names = std::collections::HashSet::new();
    let mut see = |e: &Equation| {
        if let Some(m) = &e.right {
            m.each_name(&mut |name, _| names.extend([name.code.clone()]));
        }
    };
    event.backward.iter().for_each(&mut see);
    for e in event.forward.iter().rev() {
        if let Some(m) = e.right.as_ref().filter(|_| names.contains(&e.code)) {
            m.each_name(&mut |name, _| names.extend([name.code.clone()]));
        }
    }
    names
}

fn literal(t: &Tensor) -> Option<String> {
    if t.numel() > ELEMENTS {
        return None;
    }
    let each: Vec<String> = t.data().iter().map(|x| format!("{x:?}")).collect();
    let numbers = each.join(", ");
    let size: Vec<String> = t.shape().iter().map(usize::to_string).collect();
    Some(match size.as_slice() {
        [] => format!("torch.tensor({numbers})"),
        [_] => format!("torch.tensor([{numbers}])"),
        size => format!("torch.tensor([{numbers}]).reshape({})", size.join(", ")),
    })
}
