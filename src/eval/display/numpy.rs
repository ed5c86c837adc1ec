//! `print(array)` and `repr(array)` as NumPy 2 does it (its `arrayprint.py`; rules in words: golden/printing.md 4).

use super::{Item, c_exponent, edges, items, non_finite};
use vjp_tensor::{Dtype, Tensor, budget};
use vjp_text::number;

/// `np.set_printoptions`.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintOptions {
    pub precision: usize,
    pub threshold: f64,
    pub edgeitems: usize,
    pub linewidth: usize,
    /// Small numbers do not force scientific notation.
    pub suppress: bool,
    /// What stands before numbers that are not negative: `-` nothing, `+` or a space.
    pub sign: char,
    pub floatmode: FloatMode,
}

/// How many digits floats have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatMode {
    Fixed,
    Unique,
    MaxPrec,
    MaxPrecEqual,
}

impl FloatMode {
    pub const ALL: [(&str, FloatMode); 4] = [
        ("fixed", FloatMode::Fixed),
        ("unique", FloatMode::Unique),
        ("maxprec", FloatMode::MaxPrec),
        ("maxprec_equal", FloatMode::MaxPrecEqual),
    ];
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions {
            precision: 8,
            threshold: 1000.0,
            edgeitems: 3,
            linewidth: 75,
            suppress: false,
            sign: '-',
            floatmode: FloatMode::MaxPrec,
        }
    }
}

/// `[1.  2.5]`; `written`: what the program's own formatter makes of the elements.
pub fn str(array: &Tensor, written: Option<Vec<String>>, options: &PrintOptions) -> String {
    match (array.shape(), array.long()) {
        ([], Some(all)) => return all[0].to_string(),
        ([], None) => {
            return scalar(array.data().first().copied().unwrap_or(0.0), array.dtype());
        }
        _ => {}
    }
    match written {
        Some(texts) => laid_out(texts, array.shape(), " ", (0, 0), options),
        None => contents(array, " ", 0, options.linewidth, options),
    }
}

/// `array([1. , 2.5])`.
pub fn repr(array: &Tensor, written: Option<Vec<String>>, options: &PrintOptions) -> String {
    const PREFIX: &str = "array(";
    let width = options.linewidth.saturating_sub(1);
    let body = match written {
        Some(texts) => laid_out(texts, array.shape(), ", ", (PREFIX.len(), 1), options),
        None => contents(array, ", ", PREFIX.len(), width, options),
    };
    let mut extras = Vec::new();
    let numel = array.numel();
    if (numel == 0 && array.shape() != [0]) || numel as f64 > options.threshold {
        extras.push(format!("shape={}", super::torch::tuple(array.shape())));
    }
    if numel == 0 || !matches!(array.dtype(), Dtype::Float64 | Dtype::Int64 | Dtype::Bool) {
        extras.push(format!("dtype={}", super::torch::dtype_name(array.dtype())));
    }
    if extras.is_empty() {
        return format!("{PREFIX}{body})");
    }
    let text = format!("{PREFIX}{body},");
    let extras = format!("{})", extras.join(", "));
    let last_line = text.len() - text.rfind('\n').map_or(0, |at| at + 1);
    if last_line + extras.len() + 1 > options.linewidth {
        format!("{text}\n{:width$}{extras}", "", width = PREFIX.len())
    } else {
        format!("{text} {extras}")
    }
}

/// Elements written already, in the shape of their array; `prefix`: the column where they begin, `less`: so
/// much of the line is taken.
pub fn laid_out(
    texts: Vec<String>,
    shape: &[usize],
    separator: &str,
    (prefix, less): (usize, usize),
    options: &PrintOptions,
) -> String {
    if texts.is_empty() {
        return "[]".to_owned();
    }
    let places: Vec<f64> = (0..texts.len()).map(|k| k as f64).collect();
    let summary = texts.len() as f64 > options.threshold;
    let style = Style::Written(texts);
    let layout = Layout { style, summary, separator, edge: options.edgeitems };
    layout.slice(shape, &places, prefix + 1, options.linewidth.saturating_sub(less))
}

/// A NumPy scalar's `str`: as Python's.
pub fn scalar(value: f64, dtype: Dtype) -> String {
    match dtype {
        Dtype::Bool => (if value != 0.0 { "True" } else { "False" }).to_owned(),
        d if d.is_float() => python_float(value, dtype),
        _ => format!("{value:.0}"),
    }
}

/// A NumPy scalar's `repr`: `np.float64(2.0)`.
pub fn scalar_repr(value: f64, dtype: Dtype) -> String {
    match dtype {
        Dtype::Bool => (if value != 0.0 { "np.True_" } else { "np.False_" }).to_owned(),
        _ => format!("np.{}({})", super::torch::dtype_name(dtype), scalar(value, dtype)),
    }
}

/// The powers of ten below which a type surely has all digits before the point.
fn sure(dtype: Dtype) -> f64 {
    match dtype {
        Dtype::Float16 => 1e3,
        Dtype::Float32 => 1e6,
        _ => 1e16,
    }
}

/// The shortest text that reads back, as Python writes it: `1e-05`, `0.0001`, `1e+16`; of shorter types as NumPy.
pub fn python_float(value: f64, dtype: Dtype) -> String {
    if let Some(text) = non_finite(value) {
        return text.to_owned();
    }
    if dtype == Dtype::Float64 {
        return number::repr(value);
    }
    if value != 0.0 && !(1e-4..sure(dtype)).contains(&value.abs()) {
        return c_exponent(&shortest_scientific(value, dtype));
    }
    let text = shortest_positional(value, dtype);
    if text.contains('.') { text } else { text + ".0" }
}

fn shortest_positional(value: f64, dtype: Dtype) -> String {
    match dtype {
        Dtype::Float32 => single(value).parse::<f64>().unwrap_or(value).to_string(),
        Dtype::Float16 => short_half(value).to_string(),
        // Python's rule for ties, where it writes no exponent.
        _ if (1e-4..1e16).contains(&value.abs()) => {
            number::repr(value).trim_end_matches(".0").to_owned()
        }
        _ => value.to_string(),
    }
}

/// A float32 in its fewest digits; halfway between two such texts the last one is even.
fn single(value: f64) -> String {
    let x = value as f32;
    let text = format!("{x:e}");
    let mantissa = text.split('e').next().unwrap_or_default();
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let rounded = format!("{x:.decimals$e}");
    if rounded.parse() == Ok(x) { rounded } else { text }
}

fn shortest_scientific(value: f64, dtype: Dtype) -> String {
    match dtype {
        Dtype::Float32 => single(value),
        Dtype::Float16 => format!("{:e}", short_half(value)),
        _ => format!("{value:e}"),
    }
}

/// The number of the fewest digits that is this half when rounded.
fn short_half(value: f64) -> f64 {
    let written = |digits: usize| format!("{value:.digits$e}").parse().unwrap_or(value);
    let reads_back = |v: &f64| Dtype::Float16.cast(*v) == value;
    (0..5).map(written).find(reads_back).unwrap_or(value)
}

fn contents(
    array: &Tensor,
    separator: &str,
    prefix: usize,
    width: usize,
    options: &PrintOptions,
) -> String {
    if array.numel() == 0 {
        return "[]".to_owned();
    }
    if let Some(all) = array.long() {
        // Right-justified, as other integers.
        let wide = all.iter().map(|v| v.to_string().len()).max().unwrap_or(0);
        let wide = if array.shape().is_empty() { 0 } else { wide };
        let texts = all.iter().map(|v| format!("{v:>wide$}")).collect();
        let less = options.linewidth.saturating_sub(width);
        return laid_out(texts, array.shape(), separator, (prefix, less), options);
    }
    let summary = array.numel() as f64 > options.threshold;
    let style = if summary {
        Style::of(&edges(array.shape(), array.data(), options.edgeitems), array, options)
    } else {
        Style::of(array.data(), array, options)
    };
    let layout = Layout { style, summary, separator, edge: options.edgeitems };
    if array.shape().is_empty() {
        return layout.style.text(array.data().first().copied().unwrap_or(0.0));
    }
    layout.slice(array.shape(), array.data(), prefix + 1, width)
}

/// One format for all elements.
enum Style {
    /// What stands there already.
    Written(Vec<String>),
    /// Right-justified words.
    Words {
        dtype: Dtype,
        width: usize,
        sign: char,
    },
    Positional {
        dtype: Dtype,
        precision: usize,
        left: usize,
        right: usize,
        mode: FloatMode,
        sign: char,
    },
    Scientific {
        precision: usize,
        left: usize,
        right: usize,
        exponent: usize,
        sign: char,
    },
}

impl Style {
    fn of(data: &[f64], array: &Tensor, options: &PrintOptions) -> Style {
        let dtype = array.dtype();
        match dtype {
            // NumPy writes ` True` in any array with dimensions.
            Dtype::Bool if !array.shape().is_empty() => Style::Words { dtype, width: 5, sign: '-' },
            Dtype::Bool => Style::Words { dtype, width: 0, sign: '-' },
            d if !d.is_float() => Style::Words {
                dtype,
                width: budget::unless_stopped(data.iter())
                    .map(|v| signed(scalar(*v, dtype), options.sign).len())
                    .max()
                    .unwrap_or(0)
                    + usize::from(options.sign == ' ' && data.iter().all(|v| *v >= 0.0)),
                sign: options.sign,
            },
            _ => Style::float(data, dtype, options),
        }
    }

    fn float(data: &[f64], dtype: Dtype, options: &PrintOptions) -> Style {
        let finite = || budget::unless_stopped(data.iter().copied().filter(|v| v.is_finite()));
        let (mut low, mut high) = (f64::INFINITY, 0.0f64);
        for value in finite().filter(|v| *v != 0.0) {
            low = low.min(value.abs());
            high = high.max(value.abs());
        }
        // At most eight digits.
        let cutoff = sure(dtype).min(1e8);
        // Compared and divided in the type itself.
        let [least, ratio] = [1e-4, high / low].map(|v| dtype.cast(v));
        let far_apart = !options.suppress && (low < least || ratio > 1000.0);
        let (mode, sign) = (options.floatmode, options.sign);
        let precision = if mode == FloatMode::Unique { usize::MAX } else { options.precision };
        let plus = |whole: &str| signed(whole.to_owned(), sign).len();
        let mut style = if high > 0.0 && (high >= cutoff || far_apart) {
            let parts: Vec<_> = finite().map(|v| mantissa(v, dtype, precision)).collect();
            Style::Scientific {
                precision: match mode {
                    FloatMode::Fixed => precision,
                    _ => parts.iter().map(|p| p.1.len()).max().unwrap_or(0),
                },
                left: parts.iter().map(|p| plus(&p.0)).max().unwrap_or(0),
                right: 0,
                exponent: parts.iter().map(|p| p.2.len() - 1).max().unwrap_or(2),
                sign,
            }
        } else {
            let parts: Vec<_> = finite().map(|v| halves(v, dtype, precision, mode)).collect();
            Style::Positional {
                dtype,
                precision,
                left: parts.iter().map(|p| plus(&p.0)).max().unwrap_or(0),
                right: parts.iter().map(|p| p.1.len()).max().unwrap_or(0),
                mode,
                sign,
            }
        };
        if let Style::Scientific { left, .. } | Style::Positional { left, .. } = &mut style
            && sign == ' '
            && !finite().any(f64::is_sign_negative)
        {
            *left += 1;
        }
        let rest = budget::unless_stopped(data.iter()).filter_map(|v| non_finite(*v));
        let longest = rest
            .map(|t| if t == "inf" && sign != '-' { t.len() + 1 } else { t.len() })
            .max()
            .unwrap_or(0);
        match &mut style {
            Style::Scientific { left, right, precision, exponent, .. } => {
                *right = *exponent + 2 + *precision;
                *left = (*left).max(longest.saturating_sub(*right + 1));
            }
            Style::Positional { left, right, .. } => {
                *left = (*left).max(longest.saturating_sub(*right + 1));
            }
            Style::Words { .. } | Style::Written(_) => {}
        }
        style
    }

    fn text(&self, value: f64) -> String {
        match *self {
            Style::Written(ref all) => all.get(value as usize).cloned().unwrap_or_default(),
            Style::Words { dtype, width, sign } => {
                format!("{:>width$}", signed(scalar(value, dtype), sign))
            }
            Style::Positional { left, right, sign, .. }
            | Style::Scientific { left, right, sign, .. }
                if !value.is_finite() =>
            {
                let width = left + right + 1;
                let text = non_finite(value).unwrap_or_default().to_owned();
                format!("{:>width$}", signed(text, sign))
            }
            Style::Positional { dtype, precision, left, right, mode, sign } => {
                let (whole, part) = halves(value, dtype, precision, mode);
                let whole = signed(whole, sign);
                match mode {
                    FloatMode::MaxPrecEqual => format!("{whole:>left$}.{part:0<right$}"),
                    _ => format!("{whole:>left$}.{part:<right$}"),
                }
            }
            Style::Scientific { precision, left, exponent, sign: shown, .. } => {
                // Beyond the shortest digits NumPy goes on with the exact ones (seen in float32).
                let text = c_exponent(&format!("{value:.precision$e}"));
                let (digits, power) = text.split_once('e').unwrap_or((&text, "+00"));
                let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
                let (sign, power) = power.split_at(1);
                let whole = signed(whole.to_owned(), shown);
                format!("{whole:>left$}.{part}e{sign}{power:0>exponent$}")
            }
        }
    }
}

/// With the plus that numbers that are not negative may have; a space only takes room.
fn signed(text: String, sign: char) -> String {
    match sign {
        '+' if !text.starts_with('-') => format!("+{text}"),
        _ => text,
    }
}

/// The shortest digits before and after the point, at most `precision` after it, no zeros at the end; where fixed,
/// that many.
fn halves(value: f64, dtype: Dtype, precision: usize, mode: FloatMode) -> (String, String) {
    if mode == FloatMode::Fixed {
        let text = format!("{value:.precision$}");
        let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
        return (whole.to_owned(), part.to_owned());
    }
    let mut text = shortest_positional(value, dtype);
    if text.split_once('.').is_some_and(|(_, part)| part.len() > precision) {
        text = format!("{value:.precision$}");
    }
    match text.split_once('.') {
        Some((whole, part)) => (whole.to_owned(), part.trim_end_matches('0').to_owned()),
        None => (text, String::new()),
    }
}

/// Sign and digit, digits after the point, exponent with its sign.
fn mantissa(value: f64, dtype: Dtype, precision: usize) -> (String, String, String) {
    let mut text = shortest_scientific(value, dtype);
    let digits = text.split_once('e').map_or(text.as_str(), |(m, _)| m);
    if digits.split_once('.').is_some_and(|(_, part)| part.len() > precision) {
        text = format!("{value:.precision$e}");
    }
    let text = c_exponent(&text);
    let (digits, power) = text.split_once('e').unwrap_or((&text, "+00"));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    (whole.to_owned(), part.trim_end_matches('0').to_owned(), power.to_owned())
}

struct Layout<'a> {
    style: Style,
    summary: bool,
    separator: &'a str,
    edge: usize,
}

impl Layout<'_> {
    /// `indent`: column of the first element; `width`: what a line may take, less one per open bracket.
    fn slice(&self, shape: &[usize], data: &[f64], indent: usize, width: usize) -> String {
        let Some((&length, inner)) = shape.split_first() else {
            return self.style.text(data.first().copied().unwrap_or(0.0));
        };
        let items = items(length, self.edge, self.summary);
        if inner.is_empty() {
            return self.row(&items, data, indent, width.saturating_sub(1));
        }
        let size: usize = inner.iter().product();
        let mut text = String::from("[");
        for (place, item) in items.iter().enumerate() {
            if budget::stopping() {
                break;
            }
            if place > 0 {
                text.push_str(self.separator.trim_end());
                text.extend(std::iter::repeat_n('\n', shape.len() - 1));
                text.extend(std::iter::repeat_n(' ', indent));
            }
            match item {
                Item::Dots => text.push_str("..."),
                Item::Index(i) => {
                    let part = &data[i * size..(i + 1) * size];
                    text.push_str(&self.slice(inner, part, indent + 1, width.saturating_sub(1)));
                }
            }
        }
        text.push(']');
        text
    }

    fn row(&self, items: &[Item], data: &[f64], indent: usize, width: usize) -> String {
        let mut text = String::from("[");
        let mut line = String::new();
        for (place, item) in budget::unless_stopped(items.iter()).enumerate() {
            let word = match item {
                Item::Dots => "...".to_owned(),
                Item::Index(i) => self.style.text(data[*i]),
            };
            if indent + line.len() + word.len() > width && !line.is_empty() {
                text.push_str(line.trim_end());
                text.push('\n');
                text.extend(std::iter::repeat_n(' ', indent));
                line.clear();
            }
            line.push_str(&word);
            if place + 1 < items.len() {
                line.push_str(self.separator);
            }
        }
        text.push_str(&line);
        text.push(']');
        text
    }
}
