//! `print(tensor)` as PyTorch 2.15 does it (its `_tensor_str.py`; rules in words: golden/printing.md 1).

use super::{Item, edges, items, non_finite, scientific};
use vjp_tensor::{Dtype, Tensor, budget};
use vjp_text::{format_spec, number};

/// `torch.set_printoptions`.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintOptions {
    pub precision: usize,
    /// More elements than this are summarised; `f64` because `inf` is a usual choice.
    pub threshold: f64,
    pub edgeitems: usize,
    pub linewidth: usize,
    /// None: decided by the numbers.
    pub sci_mode: Option<bool>,
    /// The dtype that goes without saying.
    pub default_dtype: Dtype,
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions {
            precision: 4,
            threshold: 1000.0,
            edgeitems: 3,
            linewidth: 80,
            sci_mode: None,
            default_dtype: Dtype::Float64,
        }
    }
}

/// What is said about the gradient, behind the numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Suffix<'a> {
    None,
    RequiresGrad,
    GradFn(&'a str),
}

/// `float64` as in `torch.float64`.
pub fn dtype_name(dtype: Dtype) -> &'static str {
    dtype.name()
}

/// `tensor([1., 2.], requires_grad=True)`; `print`, `str` and `repr` are the same text. A dual tensor's
/// tangent comes last.
pub fn repr(
    prefix: &str,
    tensor: &Tensor,
    suffix: Suffix,
    tangent: Option<&str>,
    options: &PrintOptions,
) -> String {
    let indent = prefix.len();
    let mut suffixes = Vec::new();
    let implied = [options.default_dtype, Dtype::Int64, Dtype::Bool];
    let empty = tensor.numel() == 0;
    if empty && tensor.shape().len() != 1 {
        suffixes.push(format!("size={}", tuple(tensor.shape())));
    }
    if (empty && tensor.dtype() != options.default_dtype) || !implied.contains(&tensor.dtype()) {
        suffixes.push(format!("dtype=torch.{}", dtype_name(tensor.dtype())));
    }
    match suffix {
        Suffix::None => {}
        Suffix::RequiresGrad => suffixes.push("requires_grad=True".to_owned()),
        Suffix::GradFn(name) => suffixes.push(format!("grad_fn=<{name}>")),
    }
    suffixes.extend(tangent.map(str::to_owned));
    let mut text = format!("{prefix}{}", contents(tensor, indent, options));
    // PyTorch counts the two characters of the coming ", " from the start.
    let mut column = text.len() - text.rfind('\n').map_or(0, |at| at + 1) + 2;
    for suffix in suffixes {
        if column + suffix.len() + 2 > options.linewidth {
            text.push_str(&format!(",\n{:indent$}{suffix}", ""));
            column = indent + suffix.len();
        } else {
            text.push_str(", ");
            text.push_str(&suffix);
            column += suffix.len() + 2;
        }
    }
    text.push(')');
    text
}

/// `(2, 0)`, `(3,)`.
pub fn tuple(shape: &[usize]) -> String {
    let parts: Vec<String> = shape.iter().map(usize::to_string).collect();
    match parts.as_slice() {
        [one] => format!("({one},)"),
        _ => format!("({})", parts.join(", ")),
    }
}

/// The numbers in their brackets; the first bracket stands in column `indent`.
fn contents(tensor: &Tensor, indent: usize, options: &PrintOptions) -> String {
    if tensor.numel() == 0 {
        return "[]".to_owned();
    }
    let summary = tensor.numel() as f64 > options.threshold;
    let places = places(tensor);
    let data = places.as_deref().unwrap_or_else(|| tensor.data());
    let style = if summary {
        Style::of(&edges(tensor.shape(), data, options.edgeitems), tensor, options)
    } else {
        Style::of(data, tensor, options)
    };
    let layout = Layout { style, summary, options };
    layout.slice(tensor.shape(), data, indent)
}

/// Where integers are no doubles, each is written by its place.
fn places(tensor: &Tensor) -> Option<Vec<f64>> {
    tensor.long().map(|all| (0..all.len()).map(|k| k as f64).collect())
}

/// One format for all elements.
struct Style<'a> {
    kind: StyleKind<'a>,
    width: usize,
    precision: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum StyleKind<'a> {
    Bool,
    Integer,
    /// Integers by their places.
    Long(&'a [i64]),
    /// Floats that are whole numbers: `3.`
    Whole,
    Fixed,
    Scientific,
}

impl<'a> Style<'a> {
    fn of(data: &[f64], tensor: &'a Tensor, options: &PrintOptions) -> Style<'a> {
        let precision = options.precision;
        let kind = match (tensor.dtype(), tensor.long()) {
            (_, Some(all)) => StyleKind::Long(all),
            (Dtype::Bool, _) => StyleKind::Bool,
            (d, _) if d.is_float() => Self::float(data, options),
            _ => StyleKind::Integer,
        };
        let mut style = Style { kind, width: 1, precision };
        let is_float = tensor.dtype().is_float();
        // Zeros, nan and inf take no part in the width of floats: they may overflow it.
        let counted = data.iter().filter(|v| !is_float || (v.is_finite() && **v != 0.0));
        style.width =
            budget::unless_stopped(counted).map(|v| style.bare(*v).len()).max().unwrap_or(1).max(1);
        style
    }

    fn float(data: &[f64], options: &PrintOptions) -> StyleKind<'a> {
        let counted = || data.iter().copied().filter(|v| v.is_finite() && *v != 0.0);
        let (mut low, mut high, mut whole) = (f64::INFINITY, 0.0f64, true);
        for value in budget::unless_stopped(counted()) {
            low = low.min(value.abs());
            high = high.max(value.abs());
            whole &= value == value.ceil();
        }
        if high == 0.0 {
            return StyleKind::Whole;
        }
        let natural = high / low > 1000.0 || high > 1e8 || low < 1e-4;
        match (options.sci_mode.unwrap_or(natural), whole) {
            (true, _) => StyleKind::Scientific,
            (false, true) => StyleKind::Whole,
            (false, false) => StyleKind::Fixed,
        }
    }

    fn bare(&self, value: f64) -> String {
        match self.kind {
            StyleKind::Bool => (if value != 0.0 { "True" } else { "False" }).to_owned(),
            StyleKind::Integer => format!("{value:.0}"),
            StyleKind::Long(all) => all[value as usize].to_string(),
            _ => match (non_finite(value), self.kind) {
                (Some(text), _) => text.to_owned(),
                (None, StyleKind::Whole) => format!("{value:.0}."),
                (None, StyleKind::Scientific) => scientific(value, self.precision),
                (None, _) => number::fixed(value, self.precision, false),
            },
        }
    }

    fn padded(&self, value: f64) -> String {
        format_spec::pad(&self.bare(value), self.width, ' ', '>')
    }
}

struct Layout<'a> {
    style: Style<'a>,
    summary: bool,
    options: &'a PrintOptions,
}

impl Layout<'_> {
    /// Depth is the number of dimensions, so recursion is bounded.
    fn slice(&self, shape: &[usize], data: &[f64], indent: usize) -> String {
        let Some((&length, inner)) = shape.split_first() else {
            return self.style.padded(data.first().copied().unwrap_or(0.0));
        };
        let items = items(length, self.options.edgeitems, self.summary);
        if inner.is_empty() {
            return self.row(&items, data, indent);
        }
        let size: usize = inner.iter().product();
        let mut text = String::from("[");
        for (place, item) in items.iter().enumerate() {
            if budget::stopping() {
                break;
            }
            if place > 0 {
                text.push(',');
                text.extend(std::iter::repeat_n('\n', shape.len() - 1));
                text.extend(std::iter::repeat_n(' ', indent + 1));
            }
            match item {
                Item::Dots => text.push_str("..."),
                Item::Index(i) => {
                    text.push_str(&self.slice(inner, &data[i * size..(i + 1) * size], indent + 1));
                }
            }
        }
        text.push(']');
        text
    }

    fn row(&self, items: &[Item], data: &[f64], indent: usize) -> String {
        let room = self.options.linewidth.saturating_sub(indent);
        let per_line = (room / (self.style.width + 2)).max(1);
        let mut text = String::from("[");
        for (place, item) in budget::unless_stopped(items.iter()).enumerate() {
            if place > 0 && place % per_line == 0 {
                text.push_str(",\n");
                text.extend(std::iter::repeat_n(' ', indent + 1));
            } else if place > 0 {
                text.push_str(", ");
            }
            match item {
                Item::Dots => text.push_str(" ..."),
                Item::Index(i) => text.push_str(&self.style.padded(data[*i])),
            }
        }
        text.push(']');
        text
    }
}
