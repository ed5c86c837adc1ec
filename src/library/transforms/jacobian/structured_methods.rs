//! What a large Jacobian answers as a value without its entries being written out.

use crate::jacobian::structured;
use crate::jacobian::structured::{Kept, SMALL, of};
use vjp_eval::display::torch;
use vjp_eval::display::torch::Suffix;
use vjp_eval::library::{builtins, given};
use vjp_eval::{Args, At, Machine, Object, Tried, Value};
use vjp_jacobian::Form;
use vjp_maths::Variable;
use vjp_syntax::ast::BinaryOp;
use vjp_tensor::Tensor;
use vjp_text::Symbol;

builtins! {
    static METHODS in "Tensor";
    "size" "(self, dim=None)" size, "Returns the shape, or the size of one dimension.";
    "numel" "(self)" |_, a| Ok(Value::Int(sizes(&a).iter().product())), "Returns the number of entries, including structural zeros.";
    "dim" "(self)" |_, a| Ok(Value::Int(sizes(&a).len() as i64)), "Returns the number of dimensions.";
    "diagonal" "(self, offset=0)" diagonal, "Returns a diagonal.";
    "diag" "(self, offset=0)" diagonal, "Returns a diagonal.";
    "trace" "(self)" trace, "Returns the trace.";
    "sum" "(self, dim=None, keepdim=False)" sum, "Sums all entries, each column (dim=0) or each row (dim=1).";
    "t" "(self)" |m, a| named(m, &a, "T"), "Transposes rows and columns.";
    "matmul" "(self, other)" product, "J @ other.";
    "mm" "(self, other)" product, "J @ other.";
    "mv" "(self, other)" product, "J @ other.";
    "detach" "(self)" |_, a| Ok(itself(&a)), "Returns the matrix itself, which has no history.";
    "clone" "(self)" |_, a| Ok(itself(&a)), "Returns the matrix itself, which never changes.";
    "to_dense" "(self)" dense, "Returns the dense matrix.";
}

fn itself(args: &Args) -> Value {
    args.positional.first().cloned().unwrap_or(Value::None)
}

fn sizes(args: &Args) -> Vec<i64> {
    let kept = args.positional.first().and_then(of);
    kept.map_or(Vec::new(), |k| k.layout.shape.iter().map(|n| *n as i64).collect())
}

fn size(_: &mut Machine, args: Args) -> Tried<Value> {
    let all = sizes(&args);
    match args.positional.get(1).and_then(Value::as_int) {
        None => Ok(Value::size(&all.iter().map(|n| *n as usize).collect::<Vec<_>>())),
        Some(dim) => {
            let axis = vjp_tensor::shape::axis(dim, all.len()).at(args.site.span)?;
            Ok(Value::Int(all.get(axis).copied().unwrap_or(0)))
        }
    }
}

fn named(machine: &mut Machine, args: &Args, name: &str) -> Tried<Value> {
    machine.get_attr(&itself(args), Symbol::new(name))
}

fn product(machine: &mut Machine, args: Args) -> Tried<Value> {
    args.count(2, 2).at(args.site.span)?;
    structured::binary(machine, BinaryOp::MatMul, &args.positional[0], &args.positional[1])
}

fn dense(_: &mut Machine, args: Args) -> Tried<Value> {
    structured::opened(&itself(&args)).at(args.site.span)
}

fn diagonal(machine: &mut Machine, args: Args) -> Tried<Value> {
    let offset = args.named.iter().find(|(n, _)| n.as_str() == "offset");
    let offset = args.positional.get(1).or(offset.map(|(_, v)| v));
    match of(&itself(&args)) {
        Some(kept) if kept.layout.is_matrix() && args.named.len() + args.positional.len() <= 2 => {
            let offset = offset.and_then(Value::as_int).unwrap_or(0);
            let all = kept.matrix.along(isize::try_from(offset).unwrap_or(isize::MAX));
            let all = Tensor::typed(&[all.len()], all, kept.layout.dtype);
            Ok(Value::Tensor(Variable::constant(all)))
        }
        _ => {
            let all = structured::opened(&itself(&args)).at(args.site.span)?;
            as_tensor(machine, &all, args)
        }
    }
}

/// The method of the same name of all entries, written out.
fn as_tensor(machine: &mut Machine, all: &Value, mut args: Args) -> Tried<Value> {
    let method = machine.get_attr(all, Symbol::new(args.name()))?;
    args.positional.remove(0);
    machine.call(&method, args)
}

fn trace(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = itself(&args);
    match of(&this) {
        Some(kept) if kept.layout.is_matrix() && args.positional.len() == 1 => {
            let sum = kept.matrix.along(0).iter().sum();
            let sum = Tensor::typed(&[], vec![sum], kept.layout.dtype);
            Ok(Value::Tensor(Variable::constant(sum)))
        }
        _ => {
            let all = structured::opened(&this).at(args.site.span)?;
            as_tensor(machine, &all, args)
        }
    }
}

/// Sums without the entries: ones on one side of the matrix, or on both.
fn sum(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = itself(&args);
    let dim = match (args.positional.get(1), args.named.as_slice()) {
        (None, []) => Some(None),
        (Some(dim), []) if args.positional.len() == 2 => dim.as_int().map(Some),
        (None, [(name, dim)]) if matches!(name.as_str(), "dim" | "axis") => dim.as_int().map(Some),
        _ => None,
    };
    let (Some(kept), Some(dim)) = (of(&this), dim) else {
        let all = structured::opened(&this).at(args.site.span)?;
        return as_tensor(machine, &all, args);
    };
    let (matrix, dtype) = (&kept.matrix, kept.layout.dtype);
    let of_columns = || matrix.left_multiply(&vec![1.0; matrix.rows]);
    let of_rows = || matrix.right_multiply(&vec![1.0; matrix.columns]);
    let tensor = match dim {
        None => Tensor::typed(&[], vec![of_columns().iter().sum()], dtype),
        Some(dim) if kept.layout.is_matrix() => {
            let axis = vjp_tensor::shape::axis(dim, 2).at(args.site.span)?;
            let sums = if axis == 0 { of_columns() } else { of_rows() };
            Tensor::typed(&[sums.len()], sums, dtype)
        }
        Some(_) => {
            let all = structured::opened(&this).at(args.site.span)?;
            return as_tensor(machine, &all, args);
        }
    };
    Ok(Value::Tensor(Variable::constant(tensor)))
}

/// Whether a part of a key leaves places alone: an integer or a slice.
fn is_plain(key: &Value) -> bool {
    matches!(key, Value::Int(_) | Value::Slice(_))
}

/// Some rows or columns, and the shape in which they were asked for.
struct Places {
    at: Vec<usize>,
    shape: Vec<usize>,
}

impl Kept {
    /// The positions that a part of a key picks along y's dimensions or x's, and their shape.
    fn picked(machine: &mut Machine, sizes: &[usize], key: &[Value]) -> Tried<Option<Places>> {
        if key.is_empty() {
            return Ok(None);
        }
        let count = sizes.iter().product::<usize>();
        vjp_tensor::budget::reserve(count * size_of::<f64>())?;
        let all = Tensor::new(sizes, (0..count).map(|k| k as f64).collect());
        let all = Value::Tensor(Variable::constant(all));
        let Value::Tensor(some) = machine.get_item(&all, &Value::tuple(key.to_vec()))? else {
            return Ok(None);
        };
        Ok(Some(Places {
            at: some.value().data().iter().map(|k| *k as usize).collect(),
            shape: some.shape(),
        }))
    }

    /// `J[i]`, `J[i, j]`, `J[a:b, :]`; None for keys that need all entries.
    fn part(&self, machine: &mut Machine, key: &Value) -> Tried<Option<Value>> {
        let keys = match key {
            Value::Tuple(t) => t.items.clone(),
            one => vec![one.clone()],
        };
        let layout = &self.layout;
        if keys.len() > layout.shape.len() || !keys.iter().all(is_plain) {
            return Ok(None);
        }
        let (of_y, of_x) = keys.split_at(keys.len().min(layout.outer));
        let (outer, inner) = layout.shape.split_at(layout.outer);
        let rows = Kept::picked(machine, outer, of_y)?;
        let columns = Kept::picked(machine, inner, of_x)?;
        let (outer, inner) = (
            rows.as_ref().map_or(outer, |p| &p.shape),
            columns.as_ref().map_or(inner, |p| &p.shape),
        );
        let new = structured::Layout {
            shape: [outer, inner].concat(),
            outer: outer.len(),
            dtype: layout.dtype,
        };
        let rows = rows.as_ref().map(|p| p.at.as_slice());
        let columns = columns.as_ref().map(|p| p.at.as_slice());
        let cells = new.shape.iter().fold(1usize, |n, d| n.saturating_mul(*d));
        if cells > SMALL {
            let part = self.matrix.part(rows, columns)?;
            return structured::value(machine, part, new, None).map(Some);
        }
        let mut data = Vec::with_capacity(cells);
        let each = |some: Option<&[usize]>, all: usize, visit: &mut dyn FnMut(usize)| match some {
            Some(some) => some.iter().for_each(|k| visit(*k)),
            None => (0..all).for_each(visit),
        };
        each(rows, self.matrix.rows, &mut |i| {
            each(columns, self.matrix.columns, &mut |j| {
                data.push(self.matrix.number(i, j));
            });
        });
        let part = Tensor::typed(&new.shape, data, new.dtype);
        Ok(Some(Value::Tensor(Variable::constant(part))))
    }
}

impl Object for Kept {
    fn type_name(&self) -> String {
        "Tensor".to_owned()
    }

    fn get(&self, this: &Value, name: Symbol, machine: &mut Machine) -> Tried<Option<Value>> {
        let layout = &self.layout;
        Ok(match name.as_str() {
            "structure" => Some(Value::from(self.matrix.structure())),
            "shape" => Some(Value::size(&layout.shape)),
            "ndim" => Some(Value::Int(layout.shape.len() as i64)),
            "dtype" => Some(Value::Dtype(layout.dtype)),
            "requires_grad" => Some(Value::Bool(false)),
            "is_leaf" => Some(Value::Bool(true)),
            "grad" | "grad_fn" => Some(Value::None),
            "T" | "mT" if layout.is_matrix() => {
                Some(structured::transposed(machine, &self.matrix, layout.dtype)?)
            }
            text if text.starts_with("__") => None,
            text => match METHODS.iter().find(|b| b.name == text) {
                Some(b) => Some(vjp_binder::results::bound(this, b)),
                // A name that tensors do not have needs no entries to be refused.
                None if !(given().attributes)().contains(&text) => None,
                None => machine.find_attr(&Value::Tensor(self.dense()?), name)?,
            },
        })
    }

    fn item(&self, key: &Value, machine: &mut Machine) -> Option<Tried<Value>> {
        Some(match self.part(machine, key) {
            Ok(Some(part)) => Ok(part),
            Ok(None) => match self.dense() {
                Ok(all) => machine.get_item(&Value::Tensor(all), key),
                Err(e) => Err(e.into()),
            },
            Err(halt) => Err(halt),
        })
    }

    fn elements(&self, machine: &mut Machine) -> Option<Tried<Vec<Value>>> {
        let all = match self.dense() {
            Ok(all) => Value::Tensor(all),
            Err(e) => return Some(Err(e.into())),
        };
        let rows = (0..self.length().unwrap_or(0) as i64).map(Value::Int);
        Some(rows.map(|i| machine.get_item(&all, &i)).collect())
    }

    /// The diagonal of a diagonal one, size and structure of another.
    fn repr(&self, machine: &mut Machine) -> Tried<String> {
        let sizes: Vec<String> = self.layout.shape.iter().map(usize::to_string).collect();
        let head = format!("Jacobian({}, {}", sizes.join(" × "), self.matrix.structure());
        Ok(match &self.matrix.form {
            Form::Diagonal(d) => {
                let d = torch::repr("tensor(", d, Suffix::None, None, &machine.library.torch_print);
                format!("{head}: {d})")
            }
            _ => format!("{head})"),
        })
    }
}
