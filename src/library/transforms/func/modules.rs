//! `torch.func.functional_call` and `stack_module_state`: modules as functions of their parameters.

use std::rc::Rc;
use vjp_binder::Given;
use vjp_eval::values::containers::Dict;
use vjp_eval::values::dict::{Key, Table};
use vjp_eval::{Args, At, Instance, Machine, Tried, Value, name_of, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::with_grad;
use vjp_ops::arrange::join::stack;
use vjp_tensor::Kind;
use vjp_torch::nn::as_module;
use vjp_torch::nn::module::{Members, all_members};

/// The entries of one dict or of several, by name.
fn entries(value: &Value) -> Tried<Vec<(String, Value)>> {
    Ok(match value {
        Value::Dict(d) => {
            let entries = d.entries.borrow();
            let named = entries.iter();
            named.filter_map(|(_, name, v)| Some((name.as_str()?.to_owned(), v.clone()))).collect()
        }
        Value::Tuple(t) => {
            let mut all: Vec<(String, Value)> = Vec::new();
            for part in &t.items {
                for (name, value) in entries(part)? {
                    if all.iter().any(|(n, _)| *n == name) {
                        raise!(
                            Kind::Value,
                            "{name} appeared in multiple dictionaries; behavior of functional call is ambiguous"
                        );
                    }
                    all.push((name, value));
                }
            }
            all
        }
        other => raise!(
            Kind::Value,
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got <class '{}'>",
            name_of(other)
        ),
    })
}

/// Under `strict` each parameter and buffer is named, and nothing else.
fn check_keys(module: &Rc<Instance>, given: &[(String, Value)]) -> Tried<()> {
    let known: Vec<String> =
        all_members(module, "", Members::Both, true).into_iter().map(|(name, _)| name).collect();
    let listed = |mut names: Vec<&String>| {
        names.sort();
        names.into_iter().map(|n| format!("'{n}'")).collect::<Vec<_>>().join(", ")
    };
    let given: Vec<&String> = given.iter().map(|(name, _)| name).collect();
    let unexpected = listed(given.iter().copied().filter(|n| !known.contains(n)).collect());
    let missing = listed(known.iter().filter(|n| !given.contains(n)).collect());
    let mut says = format!("Error(s) in reparametrizing for {}:", module.class().name);
    if !unexpected.is_empty() {
        says += &format!("\n\tUnexpected key(s): {unexpected}.");
    }
    if !missing.is_empty() {
        says += &format!("\n\tMissing key(s): {missing}.");
    }
    match unexpected.is_empty() && missing.is_empty() {
        true => Ok(()),
        false => raise!("{says}"),
    }
}

/// `functional_call(module, dicts, args, kwargs)`: the module with other tensors in the places that
/// the dicts name, for this call only.
pub fn functional_call(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let raw = |k: usize| g.raw(k).unwrap_or(Value::None);
    let Some(module) = as_module(&raw(0)) else {
        raise!(Kind::Type, "functional_call: expected a torch.nn.Module, got {}", name_of(&raw(0)));
    };
    let positional = match raw(2) {
        Value::None => Vec::new(),
        Value::Tuple(t) => t.items.clone(),
        one => vec![one],
    };
    let mut call = Args::new(positional, g.site.clone());
    if let Some(kwargs @ Value::Dict(_)) = g.raw(3) {
        let named = entries(&kwargs)?.into_iter();
        call.named = named.map(|(n, v)| (vjp_text::Symbol::new(&n), v)).collect();
    }
    let given = entries(&raw(1))?;
    if g.bool("strict")? {
        check_keys(&module, &given)?;
    }
    let mut before: Vec<(Rc<Instance>, vjp_text::Symbol, Value)> = Vec::new();
    for (name, value) in given {
        let (path, last) = name.rsplit_once('.').unwrap_or(("", &name));
        let last = vjp_text::Symbol::new(last);
        let steps = path.split('.').filter(|step| !step.is_empty());
        let home = steps
            .into_iter()
            .try_fold(Rc::clone(&module), |m, step| as_module(&vjp_torch::nn::own(&m, step)?));
        // PyTorch, too, passes over a name that the module does not have.
        let own = home.and_then(|m| Some((vjp_torch::nn::own(&m, last.as_str())?, m)));
        if let Some((old, home)) = own {
            vjp_torch::nn::set(&home, last.as_str(), value);
            before.push((home, last, old));
        }
    }
    let result = machine.call(&Value::Instance(module), call);
    for (home, name, old) in before.into_iter().rev() {
        vjp_torch::nn::set(&home, name.as_str(), old);
    }
    result
}

/// `stack_module_state(models)`: two dicts, parameters and buffers, each stacked over the models.
///
/// # Errors
/// No models; of different shapes.
pub fn stack_module_state(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let mut models = Vec::new();
    for model in machine.collect(&g.raw(0).unwrap_or(Value::None))? {
        match as_module(&model) {
            Some(module) => models.push(module),
            None => raise!(
                Kind::Type,
                "stack_module_state: expected torch.nn.Modules, got {}",
                name_of(&model)
            ),
        }
    }
    if models.is_empty() {
        raise!("stack_module_state: Expected at least one model, got 0.");
    }
    let parameters = stacked(&models, Members::Parameters).at(g.site.span)?;
    let buffers = stacked(&models, Members::Buffers).at(g.site.span)?;
    Ok(Value::tuple(vec![parameters, buffers]))
}

fn stacked(models: &[Rc<Instance>], which: Members) -> vjp_tensor::Outcome<Value> {
    let each: Vec<Vec<(String, Variable)>> =
        models.iter().map(|m| all_members(m, "", which, true)).collect();
    let mut table = Table::default();
    for (name, first) in &each[0] {
        let parts: Vec<Variable> = each
            .iter()
            .filter_map(|all| all.iter().find(|(n, _)| n == name))
            .map(|(_, v)| v.clone())
            .collect();
        let whole = with_grad(false, || stack(&parts, 0))?;
        let whole = match first.requires_grad() {
            true => Variable::leaf(whole.value()),
            false => whole,
        };
        let name = Value::str(name);
        table.insert(Key::of(&name)?, name, Value::Tensor(whole));
    }
    let made = Dict::default();
    made.entries.replace(table.into());
    Ok(Value::dict(made))
}
