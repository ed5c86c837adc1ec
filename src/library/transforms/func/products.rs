//! `torch.func.vjp`, `jvp` and `linearize`: products with the Jacobian of a function.

use crate::autograd::functional::pushed;
use crate::func::transforms::{Level, Watching, pullback, recorded, unpacked};
use crate::func::tree::{Tree, flatten};
use crate::func::{split, tree};
use std::rc::Rc;
use vjp_binder::Given;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Machine, Object, Site, Tried, Value, name_of, raise};
use vjp_maths::autodiff::forward::push;
use vjp_maths::autodiff::grad_mode::transforming;
use vjp_maths::autodiff::reverse::ancestors;
use vjp_maths::{Array, Variable};
use vjp_tensor::{Kind, Tensor, torch_messages};
use vjp_text::Symbol;

builtins! {
    /// Of `torch.autograd.forward_ad`.
    pub static FORWARD_AD in "torch.autograd.forward_ad";
    "_has_jvp" "(output)" |_, a| Ok(Value::Bool(matches!(a.positional.first(), Some(Value::Tensor(y)) if has_jvp(y)))), "Whether a Function with a jvp of its own leads to the output.";
    "_dual" "(tensor)" |m, a| Ok(Value::Tensor(Variable::dual(tree::tensor(m, a.positional.first().unwrap_or(&Value::None))?.value()))), "A tensor that may have a tangent.";
    "_tracked" "(tensor)" |_, a| Ok(Value::Bool(matches!(a.positional.first(), Some(Value::Tensor(t)) if t.requires_grad()))), "Whether a dual tensor or a leaf leads to the tensor.";
    "_pushed" "(output, duals, tangents)" push_duals, "The tangent of what was computed from duals, or None.";
}

fn push_duals(machine: &mut Machine, args: Args) -> Tried<Value> {
    let mut all = args.positional.iter();
    let mut tensors = || -> Tried<Vec<Variable>> {
        let Some(given) = all.next() else { return Ok(Vec::new()) };
        let (leaves, _) = flatten(machine, given)?;
        leaves.iter().map(|leaf| tree::tensor(machine, leaf)).collect()
    };
    let (ys, xs, us) = (tensors()?, tensors()?, tensors()?);
    let Some(y) = ys.first() else { return Ok(Value::None) };
    let moves: Vec<_> = xs.into_iter().zip(us.iter().map(Variable::value)).collect();
    let moved = lend(machine, || push(y, &moves))?;
    Ok(moved.map_or(Value::None, |u| Value::Tensor(Variable::constant(u.to_dtype(y.dtype())))))
}

const VJP: &str = "vjp(f, *primals)";
const JVP: &str = "jvp(f, primals, tangents)";

/// A function called with watched primals.
struct Traced {
    level: Level,
    inputs: Vec<Variable>,
    /// The containers of all primals together.
    primals: Tree,
    outputs: Vec<Variable>,
    shape: Tree,
    extra: Option<Value>,
}

impl Traced {
    fn of(
        machine: &mut Machine,
        api: &str,
        (function, has_aux): (&Value, &Value),
        primals: Vec<Value>,
        site: &Site,
    ) -> Tried<Traced> {
        let mut level = Level::begin();
        let (leaves, tree) = flatten(machine, &Value::tuple(primals))?;
        let mut inputs = Vec::with_capacity(leaves.len());
        for leaf in &leaves {
            let x = tree::tensor(machine, leaf).at(site.span)?;
            inputs.push(level.watch(&x, Watching::Itself, machine.strict()).at(site.span)?);
        }
        let given = tree.build(&mut inputs.iter().cloned().map(Value::Tensor));
        let call = Args::new(items(&given), site.clone());
        let result = transforming(|| recorded(machine, function, call))?;
        let (result, extra) = split(machine, api, result, has_aux)?;
        let (outputs, shape) = tree::results(machine, api, &result)?;
        let extra = extra.map(|e| level.bare(machine, &e)).transpose()?;
        Ok(Traced { level, inputs, primals: tree, outputs, shape, extra })
    }

    /// The function's value.
    fn value(&self) -> Value {
        let ys = self.outputs.iter().map(|y| self.level.finish(y.clone()));
        self.shape.build(&mut ys.map(Value::Tensor))
    }

    /// The function's value as forward mode gives it back.
    fn primal(&self) -> Tried<Value> {
        let mut ys = Vec::with_capacity(self.outputs.len());
        for y in &self.outputs {
            let y = self.level.finish(y.clone());
            ys.push(Value::Tensor(if y.requires_grad() { unpacked(&y)? } else { y }));
        }
        Ok(self.shape.build(&mut ys.into_iter()))
    }

    /// J·u for each output.
    fn pushed(&self, machine: &mut Machine, us: &[Variable]) -> Tried<Value> {
        let mut products = Vec::with_capacity(self.outputs.len());
        for y in &self.outputs {
            // Numbers where no derivative of this one may follow, or a jvp of the program says them.
            let plain = !self.level.open(y) && !us.iter().any(Variable::requires_grad);
            let product = match plain || has_jvp(y) {
                true => tangent(machine, y, &self.inputs, us)?,
                false => pushed(machine, y, &self.inputs, us)?,
            };
            products.push(Value::Tensor(self.level.finish(product)));
        }
        Ok(self.shape.build(&mut products.into_iter()))
    }
}

/// Whether a Function with a jvp of the program leads to `y`.
pub fn has_jvp(y: &Variable) -> bool {
    ancestors(y.node()).iter().any(|n| n.operation().own_jvp().is_some())
}

/// J·u as numbers.
pub fn tangent(
    machine: &mut Machine,
    y: &Variable,
    xs: &[Variable],
    us: &[Variable],
) -> Tried<Variable> {
    let moves: Vec<_> = xs.iter().cloned().zip(us.iter().map(Variable::value)).collect();
    Ok(Variable::constant(match lend(machine, || push(y, &moves))? {
        Some(moved) => moved.to_dtype(y.dtype()),
        None => Tensor::filled(&y.shape(), 0.0, y.dtype())?,
    }))
}

fn items(value: &Value) -> Vec<Value> {
    match value {
        Value::Tuple(t) => t.items.clone(),
        other => vec![other.clone()],
    }
}

/// The function of `vjp(func, *primals)` and its primals; `has_aux` by name.
fn called(mut args: Args) -> Tried<(Value, Value, Vec<Value>)> {
    let name = args.name();
    let has_aux = args.take("has_aux").unwrap_or(Value::Bool(false));
    if let Some((word, _)) = args.named.first() {
        raise!(Kind::Type, "{name}() got an unexpected keyword argument '{word}'");
    }
    if args.positional.is_empty() {
        raise!(Kind::Type, "{name}() missing 1 required positional argument: 'func'");
    }
    let function = args.positional.remove(0);
    Ok((function, has_aux, args.positional))
}

/// `torch.func.vjp(f, *primals)`.
pub fn vjp(machine: &mut Machine, args: Args) -> Tried<Value> {
    let site = args.site.clone();
    let (function, has_aux, primals) = called(args)?;
    let t = Traced::of(machine, VJP, (&function, &has_aux), primals, &site)?;
    let (value, extra) = (t.value(), t.extra.clone());
    let mut parts = vec![value, Product::value(t, Product::pull)];
    parts.extend(extra);
    Ok(Value::tuple(parts))
}

/// `torch.func.linearize(f, *primals)`.
pub fn linearize(machine: &mut Machine, args: Args) -> Tried<Value> {
    let site = args.site.clone();
    let (function, has_aux, primals) = called(args)?;
    let t = Traced::of(machine, JVP, (&function, &has_aux), primals, &site)?;
    Ok(Value::tuple(vec![t.value(), Product::value(t, Product::push)]))
}

type Multiply = fn(&Product, &mut Machine, Args) -> Tried<Value>;

/// The function that multiplies a vector with the Jacobian of a call: from the left (`vjp_fn`) or from
/// the right (`jvp_fn`).
struct Product {
    traced: Traced,
    run: Multiply,
}

impl Product {
    fn value(traced: Traced, run: Multiply) -> Value {
        Value::Object(Rc::new(Product { traced, run }))
    }

    /// vᵀJ for each primal.
    fn pull(&self, machine: &mut Machine, args: Args) -> Tried<Value> {
        let t = &self.traced;
        let Some(given) = args.positional.first() else {
            raise!(
                Kind::Type,
                "_vjp_with_argnums.<locals>.wrapper() missing 1 required positional argument: 'cotangents'"
            );
        };
        let (leaves, tree) = flatten(machine, given)?;
        if !tree.same(&t.shape) {
            raise!(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. cotangents: {}, primal output: {}",
                tree.sketch(machine)?,
                t.shape.sketch(machine)?
            );
        }
        let mut sums: Vec<Option<Variable>> = vec![None; t.inputs.len()];
        for (k, (y, leaf)) in t.outputs.iter().zip(&leaves).enumerate() {
            let v = tree::tensor(machine, leaf).at(args.site.span)?;
            let (want, got) = (y.shape(), v.shape());
            if want != got {
                return Err(torch_messages::gradient_shape(k, &got, &want)).at(args.site.span);
            }
            let keep = t.level.open(y) || v.requires_grad();
            for (sum, part) in sums.iter_mut().zip(pullback(machine, y, &v, &t.inputs, keep)?) {
                *sum = Some(match sum.take() {
                    None => part,
                    Some(before) => before.add(&part),
                });
            }
        }
        let mut found = sums.into_iter().map(|s| match s {
            Some(s) => Value::Tensor(t.level.finish(s)),
            None => Value::None,
        });
        Ok(t.primals.build(&mut found))
    }

    /// J·u for each output.
    fn push(&self, machine: &mut Machine, args: Args) -> Tried<Value> {
        let (leaves, tree) = flatten(machine, &Value::tuple(args.positional))?;
        if !tree.same(&self.traced.primals) {
            raise!(
                "Expected the tangents {} to have the same argspec as the primals {}",
                tree.spec(machine)?,
                self.traced.primals.spec(machine)?
            );
        }
        let mut us = Vec::with_capacity(leaves.len());
        for (k, (leaf, x)) in leaves.iter().zip(&self.traced.inputs).enumerate() {
            let u = tree::tensor(machine, leaf).at(args.site.span)?;
            if u.shape() != x.shape() {
                raise!(
                    "tangent:{k} with shape {} in flattened pytree doesn't match the shape {} of the corresponding primal.",
                    torch_messages::torch_size(&u.shape()),
                    torch_messages::torch_size(&x.shape())
                );
            }
            us.push(u);
        }
        self.traced.pushed(machine, &us)
    }
}

impl Object for Product {
    fn type_name(&self) -> String {
        "function".to_owned()
    }

    fn get(&self, _: &Value, name: Symbol, _: &mut Machine) -> Tried<Option<Value>> {
        Ok((name.as_str() == "__name__").then(|| Value::str("wrapper")))
    }

    fn call(&self, _: &Value, args: Args, machine: &mut Machine) -> Option<Tried<Value>> {
        Some((self.run)(self, machine, args))
    }

    fn callable(&self) -> bool {
        true
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok("<function wrapper>".to_owned())
    }

    fn children(&self) -> Vec<Value> {
        let all = self.traced.inputs.iter().chain(&self.traced.outputs);
        all.cloned().map(Value::Tensor).collect()
    }
}

/// `torch.func.jvp(f, primals, tangents)`.
pub fn jvp(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let raw = |k: usize| g.raw(k).unwrap_or(Value::None);
    let (function, primals, tangents) = (raw(0), raw(1), raw(2));
    let has_aux = g.value("has_aux").unwrap_or(Value::Bool(false));
    if !matches!(primals, Value::Tuple(_)) {
        raise!(
            "{JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        );
    }
    let (xs, tree) = flatten(machine, &primals)?;
    let (us, moves) = flatten(machine, &tangents)?;
    if !tree.same(&moves) {
        raise!(
            "{JVP}: Expected primals and tangents to have the same python structure. For example, if primals is a tuple of 3 tensors, tangents also must be. Got primals with structure {} and tangents with structure {}",
            tree.spec(machine)?,
            moves.spec(machine)?
        );
    }
    let tangents = tensors(machine, "tangents", &us);
    let primals_given = tensors(machine, "primals", &xs)?;
    let tangents = tangents?;
    for (x, u) in primals_given.iter().zip(&tangents) {
        let (own, given) = (x.shape(), u.shape());
        if own != given {
            return Err(torch_messages::tangent_shape(&own, &given).into());
        }
    }
    let t = Traced::of(machine, JVP, (&function, &has_aux), items(&primals), &g.site)?;
    let mut parts = vec![t.primal()?, t.pushed(machine, &tangents)?];
    parts.extend(t.extra);
    Ok(Value::tuple(parts))
}

/// All leaves as tensors.
fn tensors(machine: &mut Machine, what: &str, leaves: &[Value]) -> Tried<Vec<Variable>> {
    if leaves.is_empty() {
        raise!("{JVP}: Expected {what} to contain at least one Tensor.");
    }
    let mut all = Vec::with_capacity(leaves.len());
    for leaf in leaves {
        match tree::tensor(machine, leaf) {
            Ok(t) => all.push(t),
            Err(_) => raise!(
                "{JVP}: Expected {what} to only contain Tensors, got <class '{}'>",
                name_of(leaf)
            ),
        }
    }
    Ok(all)
}
