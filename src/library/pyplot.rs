//! `matplotlib.pyplot`: written in the language (`prelude/pyplot.py`); here is what hands a plot over.

use vjp_eval::library::{builtins, module};
use vjp_eval::record::event::{Mark, Plot, Series};
use vjp_eval::{Args, Event, Machine, Module, Note, Tried, Value, raise};
use vjp_tensor::Kind;
use vjp_tensor::matrix::contours::contours;
use vjp_text::Symbol;

type Made = Tried<Value>;

pub static MATPLOTLIB: Module = Module {
    name: "matplotlib",
    help: "Plots in the terminal.",
    contents: || {
        let mut all: Vec<_> = TOP.iter().map(|b| (b.name, Value::Builtin(b))).collect();
        all.extend(module("matplotlib.pyplot").map(|m| ("pyplot", Value::Module(m))));
        all
    },
};

pub static PYPLOT: Module = Module {
    name: "matplotlib.pyplot",
    help: "Plots in the terminal, drawn by show().",
    contents: || FUNCTIONS.iter().map(|b| (b.name, Value::Builtin(b))).collect(),
};

/// What lessons take with a star: NumPy's names and those of plots.
pub static PYLAB: Module = Module {
    name: "matplotlib.pylab",
    help: "NumPy and plots together.",
    contents: || {
        let all = ["numpy", "numpy.random", "matplotlib.pyplot"];
        let all = all.into_iter().filter_map(module).flat_map(|m| {
            m.names().into_iter().filter_map(|name| Some((name, m.get(Symbol::new(name))?)))
        });
        let mut all: Vec<_> = all.filter(|(name, _)| !name.starts_with('_')).collect();
        for (short, name) in [("np", "numpy"), ("plt", "matplotlib.pyplot")] {
            all.extend(module(name).map(|m| (short, Value::Module(m))));
        }
        all
    },
};

builtins! {
    static TOP in "matplotlib";
    "use" "(backend)" |_, _| Ok(Value::None), "Does nothing: plots are text.";
}

builtins! {
    static FUNCTIONS in "matplotlib.pyplot";
    "_draw" "(title, xlabel, ylabel, xlim, ylim, logx, logy, series)" draw, "Shows the plot.";
    "_contours" "(xs, ys, heights, levels)" lines, "Returns points on the lines of equal height.";
    "_undrawn" "(name)" undrawn, "Reports what a terminal cannot draw.";
}

/// Only pyplot.py calls what is here.
const COLLECTED: &str = "_draw() takes what Axes collects";

fn word(v: &Value) -> String {
    match v {
        Value::Str(s) => s.to_string(),
        _ => String::new(),
    }
}

fn numbers(v: &Value) -> Vec<f64> {
    let items = match v {
        Value::List(list) => list.items.borrow().to_vec(),
        Value::Tuple(tuple) => tuple.items.clone(),
        _ => Vec::new(),
    };
    items.iter().filter_map(Value::as_float).collect()
}

fn limits(v: &Value) -> Option<(f64, f64)> {
    match numbers(v).as_slice() {
        [a, b] if a < b => Some((*a, *b)),
        _ => None,
    }
}

fn draw(machine: &mut Machine, args: Args) -> Made {
    let [title, x_label, y_label, x_limits, y_limits, log_x, log_y, Value::List(series)] =
        args.positional.as_slice()
    else {
        raise!(Kind::Type, "{COLLECTED}");
    };
    let mut all = Vec::new();
    for one in series.items.borrow().iter() {
        let Value::Tuple(parts) = one else { continue };
        let [kind, label, x, y, names, shades] = parts.items.as_slice() else {
            continue;
        };
        let names = match names {
            Value::List(list) => list.items.borrow().iter().map(word).collect(),
            _ => Vec::new(),
        };
        all.push(Series {
            mark: match word(kind).as_str() {
                "points" => Mark::Points,
                "bars" => Mark::Bars,
                "level" => Mark::Level,
                "upright" => Mark::Upright,
                "dotted" => Mark::Dotted,
                "dots" => Mark::Dots,
                "words" => Mark::Words,
                "shades" => Mark::Shades,
                "image" => Mark::Image,
                _ => Mark::Line,
            },
            label: word(label),
            x: numbers(x),
            y: numbers(y),
            names,
            shades: numbers(shades),
        });
    }
    let plot = Plot {
        title: word(title),
        x_label: word(x_label),
        y_label: word(y_label),
        x_limits: limits(x_limits),
        y_limits: limits(y_limits),
        log_x: matches!(log_x, Value::Bool(true)),
        log_y: matches!(log_y, Value::Bool(true)),
        series: all,
    };
    machine.emit(Event::Plot(Box::new(plot)));
    Ok(Value::None)
}

fn lines(_: &mut Machine, args: Args) -> Made {
    let [xs, ys, heights, levels] = args.positional.as_slice() else {
        raise!(Kind::Type, "{COLLECTED}");
    };
    let (xs, ys, heights) = (numbers(xs), numbers(ys), numbers(heights));
    if heights.len() != xs.len() * ys.len() {
        raise!(Kind::Type, "{COLLECTED}");
    }
    let (x, y) = contours(&xs, &ys, &heights, &numbers(levels))?;
    let list = |all: Vec<f64>| Value::list(all.into_iter().map(Value::Float).collect());
    Ok(Value::tuple(vec![list(x), list(y)]))
}

fn undrawn(machine: &mut Machine, args: Args) -> Made {
    let name = args.positional.first().map(word).unwrap_or_default();
    let (key, text) = match name.as_str() {
        "savefig" => {
            ("savefig", "vjp writes no files: plt.show() draws the plot in the terminal".to_owned())
        }
        _ => (
            "undrawn",
            format!(
                "{name} cannot be drawn in a terminal; lines, points, bars, images and contours can"
            ),
        ),
    };
    machine.note(key, Note { text, at: None, help: Vec::new(), source: None });
    Ok(Value::None)
}
