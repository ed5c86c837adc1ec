//! `:show model`: its layers, and what the last backward left in them.

use std::rc::Rc;
use vjp_eval::display::python::repr;
use vjp_eval::leaf::naming::Places;
use vjp_eval::record::network::{Layer, Network, Units};
use vjp_eval::{Instance, Machine, Tried, Value};
use vjp_maths::autodiff::cotangent::at_values;
use vjp_maths::autodiff::reverse::ancestors;
use vjp_maths::{Array, LinearMap, Node};
use vjp_tensor::Tensor;
use vjp_torch::nn::module::{Members, children, own_members};

/// A slope of less than such a share of the largest lets little through.
const FLAT: f64 = 0.05;

/// The layers of the module that `name` is bound to.
pub fn network(m: &mut Machine, name: &str, module: &Rc<Instance>) -> Tried<Network> {
    let mut found = Vec::new();
    layers(module, String::new(), &mut found);
    let y = m.latest.as_ref().map(|latest| latest.y.clone());
    let nodes: Vec<Node> = y.map_or(Vec::new(), |y| ancestors(y.node()));
    let places = Places::of(m);
    let own = |path: &str| match path.is_empty() {
        true => name.to_owned(),
        false => joined(name, path),
    };
    let reached = nodes.iter().any(|n| places.module(n).is_some_and(|(p, _)| p.starts_with(name)));
    let mut all = Vec::new();
    for (path, layer) in found {
        let whole = own(&path);
        let mut steps = nodes.iter().filter(|n| places.module(n).is_some_and(|(p, _)| p == whole));
        let last = steps.next_back();
        let text = repr(m, &Value::Instance(Rc::clone(&layer)))?;
        let parameters = own_members(&layer, Members::Parameters).into_iter().map(|(_, t)| {
            let largest = |g: Tensor| g.data().iter().fold(0.0f64, |most, x| most.max(x.abs()));
            (t.numel(), t.grad().map(|g| largest(g.value())))
        });
        all.push(Layer {
            path: if path.is_empty() { name.to_owned() } else { path },
            what: in_short(&text),
            output: last.map(|n| n.value().shape().to_vec()),
            parameters: parameters.collect(),
            units: last.and_then(units),
        });
    }
    Ok(Network { layers: all, operations: reached.then_some(nodes.len()) })
}

/// `net[0]`, `net.fc1`, as a path is written.
fn joined(name: &str, path: &str) -> String {
    path.split('.').fold(name.to_owned(), |whole, part| match part.parse::<usize>() {
        Ok(_) => format!("{whole}[{part}]"),
        Err(_) => format!("{whole}.{part}"),
    })
}

/// Modules that hold no others, and what holds numbers of its own, by their path.
fn layers(module: &Rc<Instance>, path: String, found: &mut Vec<(String, Rc<Instance>)>) {
    let inner = children(module);
    if inner.is_empty() || !own_members(module, Members::Parameters).is_empty() {
        found.push((path.clone(), Rc::clone(module)));
    }
    for (name, child) in inner {
        let path = if path.is_empty() { name } else { format!("{path}.{name}") };
        layers(&child, path, found);
    }
}

/// `Linear(2, 3)` for `Linear(in_features=2, out_features=3, bias=True)`: values without their names, and
/// without switches.
fn in_short(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    let Some((class, rest)) = first.split_once('(') else {
        return first.to_owned();
    };
    let (mut values, mut depth, mut piece) = (Vec::new(), 0, String::new());
    for c in rest.strip_suffix(')').unwrap_or(rest).chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                values.push(std::mem::take(&mut piece));
                continue;
            }
            _ => {}
        }
        piece.push(c);
    }
    values.push(piece);
    let values = values.iter().map(|v| v.split_once('=').map_or(v.as_str(), |(_, v)| v).trim());
    let kept: Vec<&str> =
        values.filter(|v| !matches!(*v, "True" | "False" | "" | "None")).collect();
    match kept.is_empty() {
        true => class.to_owned(),
        false => format!("{class}({})", kept.join(", ")),
    }
}

/// What an activation's slopes say: `relu` has dead units, `tanh` and `sigmoid` flat outputs.
fn units(node: &Node) -> Option<Units> {
    let map = at_values(node, |at| node.operation().linear_tensor(at, 0));
    let LinearMap::Diagonal { by, shape } = map else {
        return None;
    };
    let slopes = by.expand(&shape);
    let columns = shape.last().copied().filter(|n| *n > 0)?;
    let data = slopes.data();
    let dead = |column: usize| data.iter().skip(column).step_by(columns).all(|s| *s == 0.0);
    let units = (0..columns).filter(|c| dead(*c)).count();
    if data.contains(&0.0) {
        return (units > 0).then_some(Units::Dead { units, of: columns });
    }
    let most = data.iter().fold(0.0f64, |most, s| most.max(s.abs()));
    let outputs = data.iter().filter(|s| s.abs() < FLAT * most).count();
    (outputs > 0).then_some(Units::Flat { outputs, of: data.len() })
}
