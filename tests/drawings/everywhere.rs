//! What holds for every drawing.

use super::made::*;
use super::support::*;
use vjp::eval::record::event::*;
use vjp::report::{Ink, Style};

#[test]
fn ascii_draws_nothing_but_ascii() {
    let mut style = Style::canonical();
    style.ascii = true;
    let mut events: Vec<Event> = [hooked(), earlier(), simple(30), accumulated(), many(30, 3)]
        .into_iter()
        .chain([identity(), rank_three(), unnamed(), empty()])
        .map(|b| Event::Backward(b.into()))
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
fn colour_says_nothing_that_words_do_not() {
    let mut style = Style::canonical();
    style.color = true;
    let text = shown(vec![Event::Backward(simple(2).into())], &style);
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
    let symbolic = symbols(&[&[Some(s[0].times(6.0)), None], &[None, Some(s[1].times(6.0))]]);
    let x = with_symbols(leaf("x", vector(&[1., 2.]), j, &[6., 120.]), symbolic);
    let b = backward("y", vector(&[3., 12.]), vector(&[1., 10.]), vec![x]);
    let got = vjp::report::json::object(&Event::Backward(b.into()));
    let leaf = &got["leaves"][0];
    assert_eq!(got["event"], "backward");
    assert_eq!(got["v"].to_string(), "[1,10]");
    assert_eq!(leaf["jacobian"].to_string(), "[[6,0],[0,12]]");
    assert_eq!(leaf["symbolic"].to_string(), r#"[["6*x[0]","0"],["0","6*x[1]"]]"#);
    assert_eq!(leaf["vjp"].to_string(), "[6,120]");
    assert_eq!(leaf["grad"].to_string(), "[6,120]");
    assert!(leaf["grad_before"].is_null());
    assert_eq!(leaf["agrees"], true);
    assert_eq!(leaf["max_difference"].to_string(), "0");
}

#[test]
fn a_jacobian_too_large_for_json_stands_as_its_structure() {
    let n = 1001;
    let x = vec![2.0; n];
    let j = vjp::jacobian::Jacobian::diagonal(x.clone());
    let b = backward("y", vector(&x), vector(&x), vec![leaf("x", vector(&x), j, &x)]);
    let got = vjp::report::json::object(&Event::Backward(b.into()));
    let leaf = &got["leaves"][0];
    assert!(leaf["jacobian"].is_null() && leaf["symbolic"].is_null());
    assert_eq!(leaf["structure"], "diagonal");
    assert_eq!(leaf["diagonal"].as_array().map(Vec::len), Some(n));
}

#[test]
fn a_repeated_jacobian_as_json_has_its_rows_repeated() {
    let x = leaf("x", scalar(1.0), filled(&[[2.0]]), &[22.0]);
    let mut b = backward("y", scalar(1.0), vector(&[1., 10.]), vec![x]);
    b.repeated = true;
    let got = vjp::report::json::object(&Event::Backward(b.into()));
    assert_eq!(got["leaves"][0]["jacobian"].to_string(), "[[2],[2]]");
    assert_eq!(got["leaves"][0]["grad"].to_string(), "22");
}

#[test]
fn panels_can_be_drawn_again() {
    let mut reporter = vjp::report::Reporter::new(Style::canonical());
    let mut drop = |_, _: Ink<'_>| Ok(());
    for n in [2, 3] {
        let event = Event::Backward(simple(n).into());
        reporter.event(event, &mut drop).unwrap();
    }
    reporter.end_of_input(&mut drop).unwrap();
    let mut text = String::new();
    let mut take = |_, piece: Ink<'_>| {
        text.push_str(piece.text());
        Ok(())
    };
    assert!(reporter.panel(2, &mut take).unwrap());
    assert!(!reporter.panel(3, &mut take).unwrap());
    assert!(!reporter.panel(0, &mut take).unwrap());
    assert_eq!(text, panel(simple(2)));
}

#[test]
fn errors_and_notes_go_to_the_error_stream_after_what_led_to_them() {
    let mut reporter = vjp::report::Reporter::new(Style::canonical());
    let mut seen = Vec::new();
    let mut take = |stream, piece: Ink<'_>| {
        seen.push((stream, piece.text().lines().last().unwrap_or("").to_string()));
        Ok(())
    };
    let mut b = simple(2);
    b.repeats = true;
    let events =
        [Event::Backward(b.into()), Event::Note(none()), Event::Error(Box::new(no_scalar()))];
    for event in events {
        reporter.event(event, &mut take).unwrap();
    }
    use vjp::report::Stream;
    let streams: Vec<Stream> = seen.iter().map(|s| s.0).collect();
    assert_eq!(streams, [Stream::Err, Stream::Out, Stream::Err]);
}

/// Numbers that look random and are the same in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % n
    }

    fn number(&mut self) -> f64 {
        let numbers = [0.0, -0.0, 1.0, -3.0, 0.25, 1e-9, 12345.678, 2.5e7, f64::NAN];
        numbers[self.below(numbers.len())]
    }
}

#[test]
fn whatever_is_drawn_stays_in_its_frame() {
    use vjp::jacobian::{Entry, Jacobian};
    use vjp::tensor::tensor::Tensor;
    let mut chance = Chance(7);
    let names = ["x", "W1", "losses", "model.layers.0.weight", "漢字", "params[0]"];
    let shapes: [&[usize]; 9] =
        [&[], &[1], &[3], &[2, 3], &[0], &[12], &[2, 2, 2], &[45], &[3, 40]];
    for round in 0..600 {
        let shape = shapes[chance.below(shapes.len())];
        let rows: usize = shape.iter().product();
        let repeated = shape.is_empty() && chance.below(4) == 0;
        let v_shape: &[usize] = if repeated { &[11] } else { shape };
        let random = |shape: &[usize], chance: &mut Chance| {
            let n: usize = shape.iter().product();
            Tensor::new(shape, (0..n).map(|_| chance.number()).collect())
        };
        let mut leaves = Vec::new();
        for k in 0..chance.below(6) + usize::from(round % 50 > 0) {
            let shape = shapes[chance.below(shapes.len())];
            let columns: usize = shape.iter().product();
            let entries = (0..rows * columns)
                .map(|_| match chance.below(4) {
                    0 => Entry::Absent,
                    1 => Entry::Unchosen,
                    _ => Entry::Value(chance.number()),
                })
                .collect();
            let j = Jacobian::from_entries(rows, columns, entries);
            let value = random(shape, &mut chance);
            let vjp = random(shape, &mut chance);
            let name = format!("{}{}", names[chance.below(names.len())], ["", "2"][k % 2]);
            let mut l = leaf(&name, value, j, vjp.data());
            if chance.below(3) == 0 {
                let before = random(shape, &mut chance);
                l = after(l, before.data());
            }
            l.agrees = chance.below(4) > 0;
            l.differing = if l.agrees { vec![] } else { (0..columns).collect() };
            l.earlier = chance.below(5) == 0;
            leaves.push(l);
        }
        let (y, v) = (random(shape, &mut chance), random(v_shape, &mut chance));
        let mut b = backward(names[chance.below(names.len())], y, v, leaves);
        b.repeated = repeated;
        b.named = chance.below(3) > 0;
        b.echoed = chance.below(2) > 0;
        b.repeats = chance.below(4) == 0;
        let mut style = Style::canonical();
        style.width = [80, 120, 60][chance.below(3)];
        style.ascii = chance.below(2) > 0;
        let mut events = vec![Event::Backward(b.clone().into())];
        if b.repeats {
            events.push(Event::Backward(b.clone().into()));
            events.push(Event::Backward(b.into()));
        }
        let calls = events.len() > 1;
        let text = shown(events, &style);
        assert!(calls || text.lines().count() <= 18, "{text}");
        for line in text.lines() {
            let columns = unicode_width::UnicodeWidthStr::width(line);
            assert!(columns <= style.frame(), "{columns} columns: {line}\n{text}");
        }
    }
}
