//! Pictures of how a value changes: `:plot`, `:sweep`, `:descend`, `:curve`.

use super::asking::{Spot, entry, evaluating, first_entry, hinted, leaves, problem};
use super::check::no_backward;
use crate::{Ended, Problem, Shell};
use std::rc::Rc;
use vjp_eval::record::event::{Mark, Plot, Series};
use vjp_eval::record::held::TOLD;
use vjp_eval::{Backward, Event, Value, leaf};
use vjp_maths::autodiff::ancestors::leaves_of;
use vjp_report::panel::build::Which;
use vjp_report::terminal::line::width;
use vjp_tensor::Tensor;
use vjp_text::digits::lone;
use vjp_text::words::count;
use vjp_tutor::plots::descent::descend as walk;
use vjp_tutor::plots::function::{Wanted, plot as plotted};
use vjp_tutor::plots::sweep::sweep as swept;
use vjp_tutor::plots::{Asked, Failed};
use vjp_tutor::what_if::value_of;

/// `:plot f -2 2`, `:plot x^2 - 1 at 1.5, -2 to 3`
pub fn plot(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let usage = |wrong: &str| {
        Problem::new(wrong)
            .help(":plot x^2 - 1 at 1.5, -2 to 3", "draws it from -2 to 3, and its tangent at 1.5")
    };
    if args.is_empty() {
        return Err(usage(":plot needs a function or an expression in x"));
    }
    let (rest, range) = ranged(shell, args)?;
    if let Some((f, g)) = rest.split_once(" and ") {
        return Err(Problem::new("commas stand between functions, not `and`")
            .help(format!(":plot {f}, {g}"), "draws both"));
    }
    if rest.ends_with(" at") {
        return Err(usage("at takes one number"));
    }
    let lone = rest.chars().all(|c| c.is_alphanumeric() || c == '_');
    if lone && rest.starts_with(char::is_alphabetic) && shell.machine.lookup(rest).is_none() {
        return Err(Problem::new(format!("name '{rest}' is not defined"))
            .help(":plot x^2", "draws an expression in x"));
    }
    let (code, at) = match rest.rsplit_once(" at ") {
        // `at x = 1`
        Some((code, at)) => {
            let at = at.split_once('=').map_or(at, |(_, at)| at);
            (code.trim_end_matches(','), Some(number(shell, at)?))
        }
        None => (rest, None),
    };
    let digits = shell.view.style().digits;
    let wanted = Wanted { code: code.trim(), at, range };
    let found = evaluating(shell, |shell| plotted(&mut shell.machine, &wanted, digits));
    drawn(shell, found)
}

/// `:sweep x[0] -2 2`
pub fn sweep(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let Some(latest) = shell.machine.latest.clone() else {
        return Err(no_backward(shell));
    };
    let (moving, range) = ranged(shell, args)?;
    let spots = leaves(&latest.event);
    let usage = || match spots.iter().find(|spot| !spot.earlier) {
        Some(spot) => {
            let (code, says) = sweep_of(spot);
            Problem::new(":sweep needs an entry of a leaf and a range").help(code, says)
        }
        None => Problem::new("the leaves of the last backward no longer have names")
            .help("x = [1, 2]; y = 3*x^2; y.backward([1, 1])", "keeps x a leaf"),
    };
    // A third number is no part of a range.
    let third = moving.rsplit(' ').next().is_some_and(|word| word.parse::<f64>().is_ok());
    let Some(range) = range.filter(|_| !moving.is_empty() && !third) else {
        return Err(usage());
    };
    let whole = spots.iter().find(|spot| spot.name == moving);
    if whole.is_some_and(|spot| spot.shape.iter().product::<usize>() != 1) {
        return Err(usage());
    }
    let (leaf, at) = entry(&spots, moving, sweep_of)?;
    let report = &latest.event.leaves[leaf];
    let asked = asked(&latest.event, &latest.v, &report.name);
    let scalar = weighted(&latest.event, &latest.v);
    let found =
        evaluating(shell, |shell| swept(&mut shell.machine, &asked, at, range, &scalar, moving));
    drawn(shell, found)
}

/// `:descend loss x 0.1 20`
pub fn descend(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let words: Vec<&str> = args.split_whitespace().collect();
    let &[output, leaf, rate, steps] = words.as_slice() else {
        let (y, x) = shell.machine.past.last();
        let is_leaf = |v: &Value| leaf::existing(v).is_some_and(|v| v.is_leaf());
        let named = |word: &str| shell.machine.lookup(word).is_some_and(|v| is_leaf(&v));
        let whole = |word: &&str| word.split('[').next().is_some_and(named);
        let given = words.iter().find(|word| whole(word)).and_then(|word| word.split('[').next());
        // Rather what was computed from the leaf than the last output.
        let moved = given.and_then(|x| leaf::existing(&shell.machine.lookup(x)?));
        let follows = |v: &Value| {
            leaf::existing(v).is_some_and(|y| {
                let from = leaves_of(&y);
                y.numel() == 1
                    && !y.is_leaf()
                    && !from.is_empty()
                    && moved.as_ref().is_none_or(|x| from.iter().any(|leaf| leaf.same(x)))
            })
        };
        let last = y
            .split_whitespace()
            .next()
            .filter(|y| shell.machine.lookup(y).is_some_and(|v| moved.is_none() || follows(&v)));
        let typed = words.iter().find(|word| !whole(word)).copied();
        let y = typed.or(last).map(str::to_owned);
        let y = y.or_else(|| {
            shell.machine.names().into_iter().find_map(|(n, v)| follows(&v).then_some(n))
        });
        let y = y.unwrap_or_else(|| "loss".to_owned());
        let mut names = shell.machine.names().into_iter();
        let x = match given {
            Some(x) => x.to_owned(),
            None if shell.machine.binds(x) => x.to_owned(),
            None => names.find(|(_, v)| is_leaf(v)).map_or(x.to_owned(), |(name, _)| name),
        };
        return Err(Problem::new(":descend needs a loss, a leaf, a rate and a number of steps")
            .help(format!(":descend {y} {x} 0.1 20"), "takes 20 steps of 0.1 times the gradient"));
    };
    if let Some((whole, _)) = leaf.split_once('[')
        && shell.machine.binds(whole)
    {
        return Err(Problem::new(format!(
            "a walk moves a whole leaf, and {leaf} is a part of {whole}"
        ))
        .help(format!(":descend {output} {whole} {rate} {steps}"), format!("moves {whole}")));
    }
    let rate = number(shell, rate)?;
    let steps: usize =
        steps.parse().ok().filter(|n| (1..=MOST_STEPS).contains(n)).ok_or_else(|| {
            Problem::new(format!("the number of steps is from 1 to {MOST_STEPS}"))
        })?;
    let asked = Asked { output: output.to_owned(), weights: None, leaf: leaf.to_owned() };
    let digits = shell.view.style().digits;
    let found = evaluating(shell, |shell| walk(&mut shell.machine, &asked, rate, steps));
    let walk = match found {
        Ok(walk) => walk,
        Err(failed) => return failure(shell, failed),
    };
    shell.view.event(Event::Plot(Box::new(walk.plot)));
    let (first, last) = (lone(walk.losses.0, digits), lone(walk.losses.1, digits));
    let steps = format!("{} of {}", count(steps, "step"), lone(rate, digits));
    let under = " ".repeat(width(&steps));
    let output = asked.title(&mut shell.machine);
    let names = width(&output).max(width(leaf));
    // The rest of the line is shared.
    let style = shell.view.style();
    let room = style.frame().saturating_sub(under.len() + names + 10);
    let from = vjp_report::echo::corners(&walk.start, room / 2, style);
    let to = vjp_report::echo::corners(&walk.end, room.saturating_sub(width(&from)), style);
    let text = format!(
        "  {steps}   {output:names$}  {first} → {last}\n  {under}   {leaf:names$}  {from} → {to}\n  nothing was changed\n"
    );
    shell.view.say(&text);
    Ok(Ended::Well)
}

/// Steps of a walk.
const MOST_STEPS: usize = 10_000;

/// `:curve`: the outputs of the last loop's backwards.
pub fn curve(shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    let Some(last) = shell.view.backward(Which::Last(1), &shell.machine.past.told) else {
        return Err(no_backward(shell));
    };
    let line = |b: &Backward| b.source.line_of(b.span.start);
    let same = |b: &Rc<Backward>| line(b) == line(&last) && b.source.text() == last.source.text();
    let nth = |n| shell.view.backward(Which::Last(n), &shell.machine.past.told);
    let turns = (1..).map_while(nth).take_while(same);
    let mut ys: Vec<f64> = turns.map(|b| scalar(&b.value, &b.v)).collect();
    if ys.len() < 2 {
        let text = "the last backward ran once: :curve draws the loss of a loop";
        let problem = Problem::new(text);
        let leaf = last.leaves.first().map(|leaf| leaf.called()).unwrap_or_default();
        let named = [last.output.as_str(), &leaf].iter().all(|n| shell.machine.binds(n));
        return Err(match named {
            true => problem.help(
                format!(":descend {} {leaf} 0.1 20", last.output),
                "walks downhill, and draws that",
            ),
            false => problem,
        });
    }
    ys.reverse();
    let digits = shell.view.style().digits;
    let ends = (lone(ys[0], digits), lone(ys[ys.len() - 1], digits));
    // Of those before them nothing is kept.
    let which = if ys.len() == TOLD { "the last " } else { "" };
    let of = weighted(&last, &last.v);
    let title = format!("{of}: {} → {} in {which}{} backwards", ends.0, ends.1, ys.len());
    let turns = (1..=ys.len()).map(|k| k as f64).collect();
    let series = Series::new(Mark::Line, "", turns, ys);
    shell.view.event(Event::Plot(Box::new(Plot {
        title,
        x_label: "backward".to_owned(),
        y_label: String::new(),
        x_limits: None,
        y_limits: None,
        log_x: false,
        log_y: false,
        series: vec![series],
    })));
    Ok(Ended::Well)
}

/// v·y.
fn scalar(y: &Tensor, v: &Tensor) -> f64 {
    let one = |k: usize| v.data().get(k).copied().unwrap_or(1.0);
    y.data().iter().enumerate().map(|(k, y)| one(k) * y).sum()
}

/// What the scalar is called that a backward gave the gradient of.
fn weighted(backward: &Backward, v: &Tensor) -> String {
    match (backward.value.numel(), v.data().iter().all(|w| *w == 1.0)) {
        (1, true) => backward.output.clone(),
        (_, true) => format!("{}.sum()", backward.output),
        _ => format!("v·{}", backward.output),
    }
}

fn asked(backward: &Backward, v: &Tensor, leaf: &str) -> Asked {
    Asked { output: backward.output.clone(), weights: Some(v.clone()), leaf: leaf.to_owned() }
}

fn drawn(shell: &mut Shell, found: Result<Plot, Failed>) -> Result<Ended, Problem> {
    match found {
        Ok(plot) => {
            shell.view.event(Event::Plot(Box::new(plot)));
            Ok(Ended::Well)
        }
        Err(failed) => failure(shell, failed),
    }
}

pub(super) fn failure(shell: &mut Shell, failed: Failed) -> Result<Ended, Problem> {
    match failed {
        Failed::Fault(fault) => {
            let ended = match fault.kind {
                vjp_tensor::Kind::Interrupted => Ended::Interrupted,
                _ => Ended::Failed,
            };
            shell.view.event(Event::Error(fault));
            Ok(ended)
        }
        Failed::Halt(halt) => match halt.raised().exception.hint.as_deref() {
            Some(hint) => Err(hinted(&halt.message(), Some(hint))),
            None => Err(problem(&halt)),
        },
    }
}

/// Code, and the range behind it.
type Ranged<'a> = (&'a str, Option<(f64, f64)>);

/// A range at the end, `-2 2`, `-2 to 2`, `from -2 to 2`, `between -2 and 2`, `[-2, 2]`, and what stands
/// before it.
fn ranged<'a>(shell: &mut Shell, args: &'a str) -> Result<Ranged<'a>, Problem> {
    let args = args.trim();
    let bare = args.strip_suffix(']').filter(|args| bracketed(args));
    let split = |text: &'a str| text.trim_end().rsplit_once([' ', ',', '[']);
    let Some((before, high)) = split(bare.unwrap_or(args)) else {
        return Ok((args, None));
    };
    let before = before.trim_end();
    let (before, to) = match before.strip_suffix(" to").or_else(|| before.strip_suffix(" and")) {
        Some(rest) => (rest, true),
        None => (before, false),
    };
    let Some((rest, low)) = split(before.trim_end_matches([' ', ','])) else {
        return Ok((args, None));
    };
    // Without `to`, only plain numbers are a range: `x - 1 2` may be anything.
    let plain = |text: &str| text.parse::<f64>().is_ok();
    let range = to || (plain(low) && plain(high));
    if !range {
        return Ok((args, None));
    }
    let (low, high) = (number(shell, low)?, number(shell, high)?);
    if low >= high {
        return Err(Problem::new(format!("a range goes up: from {} to {}", high, low)));
    }
    let mut rest = rest.trim_end_matches([' ', ',', '[']);
    for word in BEFORE_A_RANGE {
        rest = rest.strip_suffix(word).map_or(rest, str::trim_end);
    }
    Ok((rest, Some((low, high))))
}

/// Words between a function and its range, the last one first: `for x in`, `from`.
const BEFORE_A_RANGE: &[&str] = &[" from", " between", " on", " over", " in", " for x", ","];

/// Whether a text that a bracket closes ends in two numbers behind an open one.
fn bracketed(text: &str) -> bool {
    let inside = text.rsplit_once('[').and_then(|(_, inside)| inside.split_once(','));
    inside.is_some_and(|(low, high)| [low, high].iter().all(|n| n.trim().parse::<f64>().is_ok()))
}

/// A number, or what code gives.
fn number(shell: &mut Shell, code: &str) -> Result<f64, Problem> {
    let code = code.trim().trim_end_matches(',');
    if let Ok(number) = code.parse::<f64>()
        && number.is_finite()
    {
        return Ok(number);
    }
    let value = evaluating(shell, |shell| value_of(&mut shell.machine, code));
    let one = value.ok().filter(|v| v.numel() == 1).map(|v| v.data()[0]);
    one.filter(|x| x.is_finite()).ok_or_else(|| Problem::new(format!("{code} is not a number")))
}

fn sweep_of(spot: &Spot) -> (String, &'static str) {
    (format!(":sweep {} -2 2", first_entry(spot)), "moves it from -2 to 2")
}
