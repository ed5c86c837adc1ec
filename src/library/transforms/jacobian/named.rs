//! What `jacobian(y, x)` and `hessian(y, x)` give, and how it is drawn when echoed: with its names.

use crate::func::transforms::jacobians;
use crate::jacobian::dense::written_by_hand;
use crate::jacobian::structured;
use crate::jacobian::structured::Layout;
use std::rc::Rc;
use vjp_backward::disagreement::choices;
use vjp_backward::slope::is_chosen_by_value;
use vjp_eval::record::event::MatrixEvent;
use vjp_eval::{Help, Machine, Note, Site, Tried, Value};
use vjp_jacobian::walk::{Limits, numeric, symbolic};
use vjp_jacobian::{Form, Jacobian};
use vjp_maths::Variable;
use vjp_maths::autodiff::ancestors::{ancestors, leaves_of};
use vjp_maths::symbol::names::is_word;
use vjp_text::{Span, Symbol};

/// Longer texts are called `output`.
const LONGEST_NAME: usize = 20;

/// Of what a matrix is the derivative.
pub struct Picture {
    output: String,
    leaf: String,
    order: u8,
    y: Variable,
    x: Variable,
    matrix: Jacobian<f64>,
}

/// ∂y/∂x as a value that keeps its structure; of order 2, `y` is itself a gradient.
pub fn derivative(
    machine: &mut Machine,
    site: &Site,
    y: &Variable,
    x: &Variable,
    order: u8,
) -> Tried<Value> {
    let named = |span: Span, otherwise: &str| {
        let text = site.text(span).trim();
        if text.is_empty() || text.chars().count() > LONGEST_NAME {
            otherwise.to_owned()
        } else {
            text.to_owned()
        }
    };
    if !y.requires_grad()
        && let Some(note) = unrecorded(machine, y)
    {
        machine.note("create_graph", note);
    }
    let matrix = if !y.requires_grad() {
        Jacobian::zero(y.numel(), x.numel())
    } else if written_by_hand(y) {
        // What the sweeps give: the rules do not know the program's own backward.
        let rows = jacobians(machine, y, std::slice::from_ref(x), false)?.remove(0);
        Jacobian::dense(y.numel(), x.numel(), rows.value().data().to_vec())
    } else {
        numeric(y, x)?
    };
    let exchanged = order == 1
        && matches!(matrix.form, Form::Zero)
        && !x.is_leaf()
        && leaves_of(x).iter().any(|leaf| leaf.same(y));
    if exchanged {
        let (y, x) = (named(site.arg(0), "the first"), named(site.arg(1), "the second"));
        let help = Help { code: format!("jacobian({x}, {y})"), says: "the other way".to_owned() };
        let text = format!("{x} depends on {y}, not {y} on {x}");
        machine.note("exchanged", Note { text, at: None, help: vec![help], source: None });
    }
    // Nobody derives with respect to 2: the function's parameter has a name.
    let is_name = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_name = |text: &str| is_name(text) && is_word(text);
    let given = named(site.arg(1), "input");
    let leaf = match is_name(&given) {
        true => given,
        false => parameter(machine, site.text(site.arg(0)).trim()).unwrap_or("input".to_owned()),
    };
    let picture = Picture {
        output: named(site.arg(0), "output"),
        leaf,
        order,
        y: y.clone(),
        x: x.clone(),
        matrix: matrix.clone(),
    };
    let layout = Layout {
        shape: y.shape().into_iter().chain(x.shape()).collect(),
        outer: y.rank(),
        dtype: x.dtype(),
    };
    structured::value(machine, matrix, layout, Some(Rc::new(picture)))
}

/// The first parameter of a function that has a name.
fn parameter(machine: &Machine, function: &str) -> Option<String> {
    match machine.global(Symbol::new(function))? {
        Value::Function(f) => Some(f.code.params.list.first()?.name.as_str().to_owned()),
        _ => None,
    }
}

/// What is said of the derivative of a gradient that has no path.
fn unrecorded(machine: &Machine, y: &Variable) -> Option<Note> {
    let place = y.cut()?.place;
    let call = machine.source_of(place.source)?.slice(place.span).to_owned();
    let arguments = call.strip_suffix(')').filter(|c| c.contains("grad("))?;
    let help = Help {
        code: format!("{arguments}, create_graph=True)"),
        says: "records how it was computed".to_owned(),
    };
    let text = "a gradient is computed without a graph: no path leads to it, so its J is zero";
    Some(Note { text: text.to_owned(), at: None, help: vec![help], source: None })
}

impl Picture {
    /// What an echo tells: the formulas are found here, where they are shown.
    pub fn event(&self) -> Tried<MatrixEvent> {
        let names = |v: &Variable| match v.same(&self.x) {
            true => Some(self.leaf.clone()),
            false => v.name().map(|n| n.to_string()),
        };
        let symbolic = match self.y.requires_grad() && !written_by_hand(&self.y) {
            true => symbolic(&self.y, &self.x, &names, Limits::default())?,
            false => None,
        };
        Ok(MatrixEvent {
            output: self.output.clone(),
            leaf: self.leaf.clone(),
            order: self.order,
            row_shape: self.y.shape(),
            column_shape: self.x.shape(),
            matrix: self.matrix.clone(),
            everywhere: symbolic.is_some() && !is_chosen_by_value(&self.y),
            symbolic,
            choices: if self.order < 2 { choices(&ancestors(self.y.node())) } else { Vec::new() },
        })
    }
}
