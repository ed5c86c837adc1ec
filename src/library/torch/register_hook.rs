//! `x.register_hook(f)`: functions of the program that see a gradient on its way.

use std::any::Any;
use std::cell::Cell;
use std::rc::Rc;
use vjp_backward::weight_labels;
use vjp_eval::language::machine::call_back;
use vjp_eval::library::builtins;
use vjp_eval::{Builtin, Halt, Machine, Object, Site, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_maths::observe::cycles;
use vjp_tensor::{Kind, Outcome};
use vjp_text::Symbol;

/// What `register_hook` returns: removes the hook again.
struct Handle {
    variable: Variable,
    id: u64,
    /// Among all handles.
    number: i64,
}

thread_local! {
    static NEXT: Cell<i64> = const { Cell::new(0) };
    /// Whether there are hooks of every module.
    static EVERYWHERE: Cell<bool> = const { Cell::new(false) };
}

builtins! {
    /// What handles are made of.
    pub static BUILTINS in "torch.utils.hooks";
    "_next" "()" |_, _| Ok(Value::Int(next())), "Returns the number of the next handle.";
    "_everywhere" "(flag)" |machine, args| {
        let flag = args.positional.first().map(|v| machine.truth(v)).transpose()?;
        EVERYWHERE.set(flag.unwrap_or(false));
        Ok(Value::None)
    }, "Says whether there are hooks of every module.";
}

fn next() -> i64 {
    NEXT.replace(NEXT.get() + 1)
}

/// Whether there are hooks of every module.
pub fn everywhere() -> bool {
    EVERYWHERE.get()
}

/// Registers `function`, which is called with the leaf after its gradient was added to.
pub fn register_after(t: &Variable, function: Value, site: &Site) -> Outcome<Value> {
    let site = site.clone();
    let function = Rc::new(function);
    let calls: Rc<dyn Any> = Rc::clone(&function) as _;
    let id = t.add_after_hook(Rc::new(move |leaf: &Variable| {
        call_back::borrowed(|machine| {
            let called = machine.call_with(&function, vec![Value::Tensor(leaf.clone())], &site);
            called.map_err(|halt| registered_at(halt, &site))
        })?;
        Ok(())
    }))?;
    cycles::hook(id, t, &calls);
    Ok(Value::Object(Rc::new(Handle { variable: t.clone(), id, number: next() })))
}

/// Registers `function`, which may return another gradient.
pub fn register(t: &Variable, function: Value, site: &Site) -> Outcome<Value> {
    if !(t.shows() || t.requires_grad() && t.is_number()) {
        return Err(vjp_tensor::torch_messages::cannot_hook());
    }
    let site = site.clone();
    let shape = t.shape();
    let function = Rc::new(function);
    let calls: Rc<dyn Any> = Rc::clone(&function) as _;
    let id = t.add_hook(Rc::new(move |gradient: Option<&Variable>| {
        call_back::borrowed(|machine| {
            returned(machine, &function, gradient, &shape, &site)
                .map_err(|halt| registered_at(halt, &site))
        })
    }))?;
    cycles::hook(id, t, &calls);
    Ok(Value::Object(Rc::new(Handle { variable: t.clone(), id, number: next() })))
}

/// What a hook gives in place of a gradient; None leaves it as it is.
fn returned(
    machine: &mut Machine,
    function: &Value,
    gradient: Option<&Variable>,
    shape: &[usize],
    site: &Site,
) -> Tried<Option<Variable>> {
    let given = gradient.map_or(Value::None, |g| Value::Tensor(g.clone()));
    let writes = gradient.map_or(0, Variable::writes);
    match machine.call_with(function, vec![given], site)? {
        // Written in place, as in `g.mul_(2)`, it goes on as it is now.
        Value::None => Ok(gradient.filter(|g| g.writes() != writes).cloned()),
        Value::Tensor(g) if gradient.is_some_and(|before| before.dtype() != g.dtype()) => {
            let was = gradient.map_or(g.dtype(), Variable::dtype).class_name();
            let got = g.dtype().class_name();
            let name = called(function);
            raise!("hook '{name}' has changed the type of value (was {was} got {got})")
        }
        Value::Tensor(g) if g.shape() != shape => {
            let says = format!("hook '{}' has changed the size of value", called(function));
            let mut halt = Halt::new(Kind::Runtime, says);
            let (got, was) = (weight_labels::shape(&g.shape()), weight_labels::shape(shape));
            halt.told().label = Some(format!("the gradient has shape {was}, the hook gave {got}"));
            Err(halt)
        }
        Value::Tensor(g) => Ok(Some(g)),
        other => raise!(
            Kind::Type,
            "expected Variable, but hook returned '{}'",
            vjp_eval::name_of(&other)
        ),
    }
}

/// An error of a hook, with the place where it was registered; one inside of it stands there.
fn registered_at(mut halt: Halt, site: &Site) -> Halt {
    if halt.raised().span.is_none() {
        let at = (site.source.clone(), site.span, "the hook was registered here".to_owned());
        halt.told().elsewhere.push(at);
    }
    halt
}

/// The name of a hook, as Python's `__name__`.
fn called(function: &Value) -> String {
    match function {
        Value::Function(f) => f.qualified.rsplit('.').next().unwrap_or_default().to_owned(),
        Value::Builtin(b) => b.name.to_owned(),
        _ => "hook".to_owned(),
    }
}

static REMOVE: Builtin = Builtin {
    name: "remove",
    module: "RemovableHandle",
    signature: "(self)",
    help: "Removes the hook.",
    jax: "",
    run: |_, args| {
        if let Some(Value::Object(object)) = args.positional.first()
            && let Some(handle) = object.as_any().downcast_ref::<Handle>()
        {
            handle.variable.remove_hook(handle.id);
        }
        Ok(Value::None)
    },
};

impl Object for Handle {
    fn type_name(&self) -> String {
        "RemovableHandle".to_owned()
    }

    fn get(&self, this: &Value, name: Symbol, _: &mut Machine) -> Tried<Option<Value>> {
        Ok(match name.as_str() {
            "remove" => Some(vjp_binder::results::bound(this, &REMOVE)),
            "id" => Some(Value::Int(self.number)),
            _ => None,
        })
    }

    fn repr(&self, machine: &mut Machine) -> Tried<String> {
        if !machine.strict() {
            return Ok("<torch.utils.hooks.RemovableHandle>".to_owned());
        }
        let at = std::ptr::from_ref(self) as usize;
        Ok(format!("<torch.utils.hooks.RemovableHandle object at {at:#014x}>"))
    }

    fn children(&self) -> Vec<Value> {
        vec![Value::Tensor(self.variable.clone())]
    }
}
