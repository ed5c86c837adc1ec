//! Derivatives in symbols entry by entry, also where they are too large or their cells too wide for a
//! panel; parts that long formulas share are named once, below.

use super::formula::{elsewhere, people, undated};
use super::kinks;
use super::remarks::held;
use crate::matrix::element_names::{Names, operand};
use crate::terminal::line::{fold, width};
use crate::{Line, Role, Style};
use std::borrow::Cow;
use std::collections::HashSet;
use vjp_eval::Backward;
use vjp_eval::record::event::{Cause, Choice, Hessian, HessianBlock, MatrixEvent};
use vjp_eval::record::symbolic::Missing;
use vjp_jacobian::{Entry, Jacobian};
use vjp_maths::symbol::Node;
use vjp_maths::symbol::names::which;
use vjp_maths::symbol::share::share;
use vjp_maths::{Expr, Form, Fun};
use vjp_text::digits::lone;
use vjp_text::words::list;

/// So many lines for a leaf fit a screen.
const LINES: usize = 20;

/// Lines to be written: what stands left of `=`, and the formula; or a line of words.
struct Listing {
    lines: Vec<(String, Option<Expr>)>,
    /// What the derivative is here, where its formula gives another number.
    here: Vec<Option<f64>>,
    /// Names that mean something already: the session's, and those in the formulas.
    names: HashSet<String>,
    columns: usize,
    ascii: bool,
    /// Cases in which the formulas do not hold.
    except: Vec<Expr>,
    /// What the derivatives are there, where that is a number.
    there: Vec<Option<f64>>,
}

/// `∂y₁/∂x₁ = 6x₁` for each entry that a path leads to.
pub fn formulas(backward: &Backward, taken: &HashSet<String>, style: &Style) -> String {
    let mut listing = Listing::new(taken, &backward.output, style);
    for leaf in &backward.leaves {
        let called = leaf.called();
        let names =
            [(backward.output.as_str(), backward.value.shape()), (&called, leaf.value.shape())];
        let here = |i: usize, j: usize, e: &Expr| elsewhere(backward, leaf, (i, j), e);
        listing.jacobian(names, leaf.symbolic.found(), here);
    }
    let mut text = listing.text();
    let earlier = earlier(backward);
    if !earlier.is_empty() {
        text = text.lines().map(|line| undated(line) + "\n").collect();
    }
    let fixed = backward.causes.iter().filter_map(|cause| match cause {
        Cause::Fixed { by, .. } => Some(by),
        _ => None,
    });
    let mut remarks = chosen(&backward.choices, style);
    for name in earlier {
        let mut line = Line::of(Role::Plain, "  here ");
        line.push(Role::User, name).plain(" is ").push(Role::User, name);
        remarks.push(std::mem::take(line.plain(" before it was assigned again")));
    }
    remarks.extend(kinks::ties(backward, style.frame()));
    let named = |text: &&String| !fixed.clone().flatten().any(|by| by == *text);
    let held_only: Vec<String> = backward.held.iter().filter(named).cloned().collect();
    let also = Some(&held_only).filter(|by| !by.is_empty());
    for by in fixed.clone().chain(also) {
        let mut line = Line::of(Role::Plain, "  ");
        line.append(&held(by));
        let line = fold(&line, style.frame(), 2);
        if !remarks.ends_with(&line) {
            remarks.extend(line);
        }
    }
    append(&mut text, remarks);
    text
}

fn append(text: &mut String, lines: Vec<Line>) {
    for line in lines {
        line.spans().iter().for_each(|(_, part)| text.push_str(part));
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
}

/// Names of leaves that were assigned again, where the formulas have no other value of these names.
fn earlier(backward: &Backward) -> Vec<&str> {
    let mut letters = HashSet::new();
    for symbolic in backward.leaves.iter().filter_map(|leaf| leaf.symbolic.found().ok()) {
        for (_, _, entry) in symbolic.present() {
            if let Entry::Value(e) = entry {
                e.letters(&mut letters);
            }
        }
    }
    let all = backward.leaves.iter().filter(|leaf| leaf.earlier && !leaf.deleted);
    let names: Vec<&str> = all.map(|leaf| leaf.name.as_str()).collect();
    let shared = |name: &&str| {
        let same = backward.leaves.iter().filter(|leaf| leaf.name == **name).count();
        same > 1 || letters.contains(*name) || backward.output == **name
    };
    if names.iter().any(shared) { Vec::new() } else { names }
}

/// What the formulas take as it is here: what max takes, on which side of a jump floor is.
fn chosen(choices: &[Choice], style: &Style) -> Vec<Line> {
    let ops = |jumps: bool| -> Vec<&str> {
        let all = choices.iter().filter(|choice| choice.jumps == jumps);
        all.map(|choice| choice.op.as_str()).collect()
    };
    let verb = |ops: &[&str], one: &str| format!("{one}{}", if ops.len() == 1 { "s" } else { "" });
    let (choose, jump) = (ops(false), ops(true));
    let mut all = Vec::new();
    for (ops, says) in [
        (
            &choose,
            format!(
                " {} by value: this holds while the choice stays the same",
                verb(&choose, "choose")
            ),
        ),
        (
            &jump,
            format!(" {} slope 0 except at jumps", if jump.len() == 1 { "has" } else { "have" }),
        ),
    ] {
        if !ops.is_empty() {
            let mut line = Line::of(Role::Plain, "  ");
            line.push(Role::User, list(ops, "and")).plain(says);
            all.extend(fold(&line, style.frame(), 2));
        }
    }
    all
}

/// The same for a matrix that was asked for.
pub fn matrix(event: &MatrixEvent, taken: &HashSet<String>, style: &Style) -> String {
    let mut listing = Listing::new(taken, &event.output, style);
    if event.order < 2 {
        let names = [
            (event.output.as_str(), event.row_shape.as_slice()),
            (&event.leaf, &event.column_shape),
        ];
        let here = |_: usize, _: usize, _: &Expr| None;
        listing.jacobian(names, event.symbolic.as_ref().ok_or(Missing::Unasked), here);
    } else {
        let leaf = (event.leaf.clone(), event.column_shape.clone());
        let symbolic = event.symbolic.as_ref();
        listing.second(&event.output, [&leaf, &leaf], symbolic, true);
    }
    let mut text = listing.text();
    append(&mut text, chosen(&event.choices, style));
    text
}

/// A name as an index can follow it; `(earlier)` stands behind that.
fn element(name: &str) -> Cow<'_, str> {
    if which(name).1.is_empty() { operand(name) } else { name.into() }
}

/// `∂²y/∂x₁∂x₂ = 2x₁` for each pair of elements of the leaves, once.
pub fn hessian(event: &Hessian, taken: &HashSet<String>, style: &Style) -> String {
    let output = match event.weighted {
        false => event.output.clone(),
        true => format!("(vᵀ{})", operand(&event.output)),
    };
    let mut listing = Listing::new(taken, &event.output, style);
    for block in &event.blocks {
        let HessianBlock { row, column, .. } = block;
        let leaves = [&event.leaves[*row], &event.leaves[*column]];
        listing.second(&output, leaves, block.symbolic.as_ref(), row == column);
    }
    match listing.lines.is_empty() {
        true => format!("  all second derivatives of {output} are zero\n"),
        false => listing.text(),
    }
}

impl Listing {
    fn new(taken: &HashSet<String>, output: &str, style: &Style) -> Listing {
        let mut names = taken.clone();
        names.insert(output.to_owned());
        let (columns, ascii) = (style.frame(), style.ascii);
        let (lines, here, except, there) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Listing { lines, here, except, there, names, columns, ascii }
    }

    fn words(&mut self, text: String) {
        self.lines.push((text, None));
        self.here.push(None);
    }

    /// ∂y/∂x, entry by entry.
    fn jacobian(
        &mut self,
        names: [(&str, &[usize]); 2],
        symbolic: Result<&Jacobian<Expr>, Missing>,
        here: impl Fn(usize, usize, &Expr) -> Option<f64>,
    ) {
        let [rows, columns] =
            names.map(|(name, shape)| Names::new(&element(name), shape, self.ascii));
        let symbolic = match symbolic {
            Ok(symbolic) => symbolic,
            Err(why) => {
                let [(output, _), (leaf, _)] = names;
                return self.words(missing(&format!("∂{}/∂{leaf}", operand(output)), why));
            }
        };
        self.entries(
            symbolic,
            |_, _| true,
            |i, j| format!("∂{}/∂{}", rows.full(i), columns.full(j)),
            here,
        );
    }

    /// ∂²y/∂a∂b, entry by entry; of a symmetric matrix the upper half.
    fn second(
        &mut self,
        output: &str,
        leaves: [&(String, Vec<usize>); 2],
        symbolic: Option<&Jacobian<Expr>>,
        symmetric: bool,
    ) {
        let output = operand(output);
        let Some(symbolic) = symbolic else {
            let [(a, _), (b, _)] = leaves;
            let below = match symmetric {
                true => format!("∂{a}²"),
                false => format!("∂{a}∂{b}"),
            };
            return self.words(missing(&format!("∂²{output}/{below}"), Missing::Unasked));
        };
        let [rows, columns] = leaves.map(|(name, shape)| Names::new(name, shape, self.ascii));
        self.entries(
            symbolic,
            |i, j| !symmetric || i <= j,
            |i, j| {
                let below = match symmetric && i == j {
                    true => format!("∂{}²", rows.full(i)),
                    false => format!("∂{}∂{}", rows.full(i), columns.full(j)),
                };
                format!("∂²{output}/{below}")
            },
            |_, _, _| None,
        );
    }

    fn entries(
        &mut self,
        symbolic: &Jacobian<Expr>,
        wanted: impl Fn(usize, usize) -> bool,
        head: impl Fn(usize, usize) -> String,
        here: impl Fn(usize, usize, &Expr) -> Option<f64>,
    ) {
        let mut entries = symbolic.present().filter(|(i, j, _)| wanted(*i, *j));
        for (i, j, entry) in entries.by_ref().take(LINES) {
            let formula = match entry {
                Entry::Value(expr) => expr,
                Entry::Absent | Entry::Unchosen => Expr::constant(0.0),
            };
            let formula = match formula.node() {
                Node::Call(Fun { form: Form::Where, .. }, _) => formula,
                _ => {
                    let before = self.except.len();
                    let usual = usual(&formula, &mut self.except);
                    if usual != formula || before < self.except.len() {
                        self.there.push(in_case(&formula).as_const());
                    }
                    usual
                }
            };
            let here = here(i, j, &formula);
            self.lines.push((head(i, j), Some(formula)));
            self.here.push(here);
        }
        match entries.count() {
            0 => {}
            more => self.words(format!("… {more} more entries; all others are zero")),
        }
    }

    fn text(self) -> String {
        let Listing { lines, here, except, there, mut names, columns, ascii } = self;
        // In one of several cases the parts of the others have their values.
        let there = match there.as_slice() {
            [Some(first), others @ ..]
                if except.len() == 1 && others.iter().all(|x| *x == Some(*first)) =>
            {
                Some(*first)
            }
            _ => None,
        };
        let (heads, formulas): (Vec<String>, Vec<Option<Expr>>) = lines.into_iter().unzip();
        let mut exprs: Vec<Expr> = formulas.iter().flatten().chain(&except).cloned().collect();
        exprs.iter().for_each(|e| e.letters(&mut names));
        let left = heads.iter().map(|h| width(h)).max().unwrap_or(0) + "   = ".len();
        let fits = |e: &Expr| people(e, ascii).is_none_or(|text| left + width(&text) <= columns);
        let named = share(&mut exprs, &fits, &|name| names.contains(name));
        let long = || "too long to write out".to_owned();
        let spelled = |e: &Expr| but_at(e, ascii).or_else(|| people(e, ascii)).unwrap_or_else(long);
        let mut exprs = exprs.into_iter();
        let mut text = String::new();
        for ((head, formula), here) in heads.into_iter().zip(&formulas).zip(here) {
            let here = here.map_or(String::new(), |x| format!("   (here {})", lone(x, None)));
            text += &match formula.as_ref().and_then(|_| exprs.next()) {
                Some(e) => folded(&format!("  {head} = "), &(spelled(&e) + &here), columns),
                None => format!("  {head}\n"),
            };
        }
        let conditions: Vec<String> = exprs.map(|e| spelled(&e).replace('=', " = ")).collect();
        for (k, part) in named.iter().enumerate() {
            let where_ = if k == 0 { "where" } else { "     " };
            let head = format!("  {where_} {} = ", spelled(&part.name));
            text += &folded(&head, &spelled(&part.part), columns);
        }
        if !conditions.is_empty() {
            let there = match there {
                Some(value) => format!(", where it is {}", lone(value, None)),
                None => String::new(),
            };
            text += &folded("  except where ", &(conditions.join(" or ") + &there), columns);
        }
        text
    }
}

/// A formula with the number that each part is in its one case.
fn in_case(e: &Expr) -> Expr {
    if let Some((_, value, _)) = special(e) {
        return value.clone();
    }
    match e.node() {
        Node::Const(_) | Node::Var(..) | Node::Unknown => e.clone(),
        Node::Sum(terms) => Expr::sum(terms.iter().map(|(c, t)| in_case(t).times(*c))),
        Node::Product(factors) => factors
            .iter()
            .fold(Expr::constant(1.0), |all, (base, e)| all.by(&in_case(base).power(*e))),
        Node::Call(fun, args) => {
            let args: Vec<Expr> = args.iter().map(in_case).collect();
            Expr::call(fun, &args.iter().collect::<Vec<_>>())
        }
    }
}

/// A formula with what holds in general for each part that is another number in one case, and the cases.
fn usual(e: &Expr, except: &mut Vec<Expr>) -> Expr {
    if let Some((condition, _, general)) = special(e) {
        let condition = plain(condition);
        if !except.contains(&condition) {
            except.push(condition);
        }
        return usual(general, except);
    }
    match e.node() {
        Node::Const(_) | Node::Var(..) | Node::Unknown => e.clone(),
        Node::Sum(terms) => Expr::sum(terms.iter().map(|(c, t)| usual(t, except).times(*c))),
        Node::Product(factors) => factors
            .iter()
            .fold(Expr::constant(1.0), |all, (base, e)| all.by(&usual(base, except).power(*e))),
        Node::Call(fun, args) => {
            let args: Vec<Expr> = args.iter().map(|arg| usual(arg, except)).collect();
            Expr::call(fun, &args.iter().collect::<Vec<_>>())
        }
    }
}

/// `t=0` for `0.7…√t=0`.
fn plain(condition: &Expr) -> Expr {
    let Node::Call(equal, args) = condition.node() else { return condition.clone() };
    let [value, zero] = args.as_slice() else { return condition.clone() };
    let inner = match value.node() {
        Node::Sum(terms) if terms.len() == 1 => &terms[0].1,
        Node::Product(factors) => match factors.as_slice() {
            [(base, e)] if *e > 0.0 => base,
            _ => return condition.clone(),
        },
        _ => return condition.clone(),
    };
    match (equal.form, zero.as_const()) {
        (Form::Equal, Some(0.0)) => plain(&Expr::call(equal, &[inner, zero])),
        _ => condition.clone(),
    }
}

/// The case, its number and the general formula of `where(t=0, 0, x/t)`.
fn special(e: &Expr) -> Option<(&Expr, &Expr, &Expr)> {
    let Node::Call(choice, args) = e.node() else { return None };
    let (Form::Where, [condition, value, usual]) = (choice.form, args.as_slice()) else {
        return None;
    };
    let Node::Call(Fun { form: Form::Equal, .. }, _) = condition.node() else { return None };
    value.as_const().map(|_| (condition, value, usual))
}

/// `x₁/√(x₁² + x₂²)   (0 where √(x₁² + x₂²)=0)` for `where(√(x₁² + x₂²)=0, 0, x₁/√(x₁² + x₂²))`.
fn but_at(e: &Expr, ascii: bool) -> Option<String> {
    let (condition, value, usual) = special(e)?;
    let [condition, value, usual] = [condition, value, usual].map(|e| people(e, ascii));
    Some(format!("{}   ({} where {})", usual?, value?, condition?))
}

/// Why a derivative is not written in symbols.
fn missing(derivative: &str, why: Missing) -> String {
    match why {
        Missing::Operation(name) => format!("{derivative}: vjp has no formula for {name}"),
        Missing::Long => format!("{derivative} is too long to write out"),
        Missing::Unasked => format!("{derivative} has no short formula"),
    }
}

/// A formula behind its head, folded before a sign where that is in time, else at a blank or behind
/// a sign of a product: outside brackets rather than inside, and never inside a name.
fn folded(head: &str, formula: &str, columns: usize) -> String {
    let indent = width(head).min(columns / 2);
    let mut text = head.to_owned();
    let mut column = width(head);
    let mut rest = formula;
    while column + width(rest) > columns {
        let room = columns.saturating_sub(column);
        let mut depth = 0;
        let mut places = Vec::new();
        for (at, c) in rest.char_indices() {
            if width(&rest[..at]) > room {
                break;
            }
            places.push((at, depth));
            depth += i32::from(c == '(') - i32::from(c == ')');
        }
        let breaks = |wanted: fn(&str) -> bool| {
            let far = |at: usize| width(&rest[..at]) * 3 >= room;
            let found = places.iter().filter(|(at, _)| *at > 0 && wanted(&rest[*at..]));
            let key = |(at, depth): &&(usize, i32)| (far(*at), -depth, *at);
            found.max_by_key(key).map(|(at, _)| *at)
        };
        let sign = |text: &str| text.starts_with(" + ") || text.starts_with(" − ");
        let factor = |text: &str| text.starts_with([' ', '·']);
        let Some(at) = breaks(sign).or_else(|| breaks(factor)) else {
            break;
        };
        text += &rest[..at];
        text += &format!("\n{}", " ".repeat(indent));
        (rest, column) = (rest[at..].trim_start(), indent);
    }
    text + rest + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_breaks_at_a_sign_whatever_the_width() {
        let text = folded("  ∂y/∂x = ", "2x·cos(x²) + 3x²·sin(x³) − x·cosh(x)", 36);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines, ["∂y/∂x = 2x·cos(x²) + 3x²·sin(x³)", "− x·cosh(x)"]);
        assert!(text.lines().all(|line| width(line) <= 36), "{text}");
    }
}
