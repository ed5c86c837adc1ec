//! `torch.optim`: SGD and Adam.

use super::Builtin;
use super::bind::Given;
use super::types::name_of;
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::{Object, Value};
use crate::maths::complaint::{Kind, Outcome};
use crate::maths::grad_mode::with_grad;
use crate::maths::tensor::Tensor;
use crate::maths::variable::Variable;
use crate::raise;
use crate::text::names::Symbol;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

static SGD: Builtin = Builtin {
    name: "SGD",
    module: "torch.optim",
    signature: "(params, float lr=0.001, float momentum=0.0, float dampening=0.0, float weight_decay=0.0, bool nesterov=False, *, bool maximize=False, foreach=None, differentiable=None, fused=None)",
    help: "Gradient descent, with momentum if wanted.",
    run: sgd,
};

static ADAM: Builtin = Builtin {
    name: "Adam",
    module: "torch.optim",
    signature: "(params, float lr=0.001, betas=None, float eps=1e-08, float weight_decay=0.0, bool amsgrad=False, *, bool maximize=False)",
    help: "Steps scaled by running means of gradients and of their squares.",
    run: adam,
};

pub fn contents() -> Vec<(&'static str, Value)> {
    vec![
        ("SGD", Value::Builtin(&SGD)),
        ("Adam", Value::Builtin(&ADAM)),
    ]
}

#[derive(Clone, Debug)]
enum Method {
    Sgd {
        momentum: f64,
        dampening: f64,
        nesterov: bool,
    },
    Adam {
        first: f64,
        second: f64,
        eps: f64,
    },
}

/// What is remembered of a parameter between steps.
#[derive(Clone, Debug, Default)]
struct Memory {
    steps: i32,
    /// Momentum, or the running mean of gradients.
    first: Option<Tensor>,
    /// The running mean of squares.
    second: Option<Tensor>,
}

struct Optimizer {
    method: Method,
    rate: Rc<Cell<f64>>,
    decay: f64,
    maximize: bool,
    params: Vec<Variable>,
    memory: Rc<RefCell<Vec<Memory>>>,
    groups: Value,
}

fn given(args: Args) -> Result<Given, Halt> {
    let span = args.site.span;
    let signature = args.callee.map_or("()", |b| b.signature);
    Given::read(args, signature, false).at(span)
}

fn params(machine: &mut Machine, value: &Value) -> Result<Vec<Variable>, Halt> {
    if let Value::Tensor(t) = value {
        raise!(
            Kind::Type,
            "params argument given to the optimizer should be an iterable of Tensors or dicts, but got {}",
            t.dtype().type_name()
        );
    }
    let items = machine.collect(value)?;
    if items.is_empty() {
        raise!(Kind::Value, "optimizer got an empty parameter list");
    }
    let mut all = Vec::with_capacity(items.len());
    for item in &items {
        let t = match crate::eval::leaf::existing(item) {
            Some(t) => t,
            None => raise!(
                Kind::Type,
                "optimizer can only optimize Tensors, but one of the params is {}",
                name_of(item)
            ),
        };
        if !t.is_leaf() {
            raise!(Kind::Value, "can't optimize a non-leaf Tensor");
        }
        all.push(t);
    }
    Ok(all)
}

fn positive(name: &str, value: f64) -> Result<(), Halt> {
    if value < 0.0 {
        raise!(
            Kind::Value,
            "Invalid {name}: {}",
            crate::eval::display::numpy::python_float(value, crate::maths::tensor::Dtype::Float64)
        );
    }
    Ok(())
}

fn make(machine: &mut Machine, g: &Given, method: Method) -> Result<Value, Halt> {
    let rate = g.float("lr")?.unwrap_or(0.001);
    positive("learning rate", rate)?;
    let decay = g.float("weight_decay")?.unwrap_or(0.0);
    positive("weight_decay value", decay)?;
    let params = params(machine, &g.raw(0).unwrap_or(Value::None)).at(g.site.span)?;
    let memory = vec![Memory::default(); params.len()];
    let list = Value::list(params.iter().map(|p| Value::Tensor(p.clone())).collect());
    Ok(Value::Object(Rc::new(Optimizer {
        method,
        rate: Rc::new(Cell::new(rate)),
        decay,
        maximize: g.bool("maximize")?,
        params,
        memory: Rc::new(RefCell::new(memory)),
        groups: list,
    })))
}

fn sgd(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let momentum = g.float("momentum")?.unwrap_or(0.0);
    let dampening = g.float("dampening")?.unwrap_or(0.0);
    let nesterov = g.bool("nesterov")?;
    positive("learning rate", g.float("lr")?.unwrap_or(0.0))?;
    positive("momentum value", momentum)?;
    if nesterov && (momentum <= 0.0 || dampening != 0.0) {
        raise!(
            Kind::Value,
            "Nesterov momentum requires a momentum and zero dampening"
        );
    }
    make(
        machine,
        &g,
        Method::Sgd {
            momentum,
            dampening,
            nesterov,
        },
    )
}

fn adam(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let betas: Vec<f64> = match g.value("betas") {
        Some(Value::Tuple(t)) => t.items.iter().filter_map(Value::as_float).collect(),
        _ => Vec::new(),
    };
    let method = Method::Adam {
        first: betas.first().copied().unwrap_or(0.9),
        second: betas.get(1).copied().unwrap_or(0.999),
        eps: g.float("eps")?.unwrap_or(1e-8),
    };
    make(machine, &g, method)
}

impl Optimizer {
    /// One step for every parameter that has a gradient, as PyTorch's loops write it.
    fn step(&self) -> Outcome<()> {
        let rate = self.rate.get();
        let mut memory = self.memory.borrow_mut();
        for (p, m) in self.params.iter().zip(memory.iter_mut()) {
            let Some(g) = p.grad() else { continue };
            let (value, mut slope) = (p.value(), g.value());
            if self.maximize {
                slope = slope.map(slope.dtype(), |v| -v)?;
            }
            if self.decay != 0.0 {
                slope = zip(&slope, &value, |g, p| g + self.decay * p);
            }
            m.steps += 1;
            let new = match &self.method {
                Method::Sgd {
                    momentum,
                    dampening,
                    nesterov,
                } => {
                    if *momentum != 0.0 {
                        let buffer = match &m.first {
                            None => slope.clone(),
                            Some(b) => zip(b, &slope, |b, g| b * momentum + (1.0 - dampening) * g),
                        };
                        slope = if *nesterov {
                            zip(&slope, &buffer, |g, b| g + momentum * b)
                        } else {
                            buffer.clone()
                        };
                        m.first = Some(buffer);
                    }
                    zip(&value, &slope, |p, g| p - rate * g)
                }
                Method::Adam { first, second, eps } => {
                    let mean = match &m.first {
                        None => slope.map(slope.dtype(), |g| (1.0 - first) * g)?,
                        Some(b) => zip(b, &slope, |b, g| b + (1.0 - first) * (g - b)),
                    };
                    let square = match &m.second {
                        None => slope.map(slope.dtype(), |g| (1.0 - second) * g * g)?,
                        Some(b) => zip(b, &slope, |b, g| b * second + (1.0 - second) * g * g),
                    };
                    let by = rate / (1.0 - first.powi(m.steps));
                    let root = (1.0 - second.powi(m.steps)).sqrt();
                    let change = zip(&mean, &square, |m, v| by * m / (v.sqrt() / root + eps));
                    m.first = Some(mean);
                    m.second = Some(square);
                    zip(&value, &change, |p, c| p - c)
                }
            };
            with_grad(false, || p.update(&Variable::constant(new)))?;
        }
        Ok(())
    }
}

/// Elementwise over two tensors of one shape.
fn zip(a: &Tensor, b: &Tensor, f: impl Fn(f64, f64) -> f64) -> Tensor {
    let data = a
        .data()
        .iter()
        .zip(b.data())
        .map(|(x, y)| f(*x, *y))
        .collect();
    Tensor::typed(a.shape(), data, a.dtype())
}

fn this(args: &Args) -> Option<Rc<dyn Object>> {
    match args.positional.first() {
        Some(Value::Object(o)) => Some(Rc::clone(o)),
        _ => None,
    }
}

static METHODS: &[Builtin] = &[
    Builtin {
        name: "step",
        module: "Optimizer",
        signature: "(self, closure=None)",
        help: "Changes the parameters by their gradients.",
        run: |machine, args| {
            let Some(object) = this(&args) else {
                return Ok(Value::None);
            };
            let mut loss = Value::None;
            if let Some(closure) = args.positional.get(1).cloned() {
                let site = args.site.clone();
                loss = machine.call_with(&closure, Vec::new(), &site)?;
            }
            if let Some(optimizer) = object.as_any().downcast_ref::<Optimizer>() {
                optimizer.step().at(args.site.span)?;
            }
            Ok(loss)
        },
    },
    Builtin {
        name: "zero_grad",
        module: "Optimizer",
        signature: "(self, set_to_none=True)",
        help: "Forgets the gradients.",
        run: |machine, mut args| {
            let Some(object) = this(&args) else {
                return Ok(Value::None);
            };
            let none = match args.take_at(1, "set_to_none") {
                Some(flag) => machine.truth(&flag)?,
                None => true,
            };
            if let Some(optimizer) = object.as_any().downcast_ref::<Optimizer>() {
                for p in &optimizer.params {
                    match p.grad() {
                        Some(g) if !none => {
                            let zero = Tensor::filled(&g.shape(), 0.0, g.dtype())?;
                            with_grad(false, || g.update(&Variable::constant(zero)))?;
                        }
                        _ => p.set_grad(None)?,
                    }
                }
            }
            Ok(Value::None)
        },
    },
];

impl Object for Optimizer {
    fn type_name(&self) -> String {
        match self.method {
            Method::Sgd { .. } => "SGD".to_owned(),
            Method::Adam { .. } => "Adam".to_owned(),
        }
    }

    fn get(&self, this: &Value, name: Symbol, _: &mut Machine) -> Result<Option<Value>, Halt> {
        if let Some(method) = METHODS.iter().find(|b| b.name == name.as_str()) {
            return Ok(Some(super::methods::bound(this, method)));
        }
        if name.as_str() == "param_groups" {
            let group = Group {
                rate: Rc::clone(&self.rate),
                params: self.groups.clone(),
            };
            return Ok(Some(Value::list(vec![Value::Object(Rc::new(group))])));
        }
        Ok(None)
    }

    fn repr(&self, _: &mut Machine) -> Result<String, Halt> {
        Ok(format!(
            "{} (\nParameter Group 0\n    lr: {}\n)",
            self.type_name(),
            self.rate.get()
        ))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn snapshot(&self) -> Option<Box<dyn Fn()>> {
        let (memory, kept) = (Rc::clone(&self.memory), self.memory.borrow().clone());
        let (rate, was) = (Rc::clone(&self.rate), self.rate.get());
        Some(Box::new(move || {
            memory.replace(kept.clone());
            rate.set(was);
        }))
    }

    fn children(&self) -> Vec<Value> {
        vec![self.groups.clone()]
    }
}

/// `optimizer.param_groups[0]`: its learning rate can be read and set.
struct Group {
    rate: Rc<Cell<f64>>,
    params: Value,
}

impl Object for Group {
    fn type_name(&self) -> String {
        "dict".to_owned()
    }

    fn get(&self, _: &Value, _: Symbol, _: &mut Machine) -> Result<Option<Value>, Halt> {
        Ok(None)
    }

    fn item(&self, key: &Value, _: &mut Machine) -> Option<Result<Value, Halt>> {
        Some(match key.as_str() {
            Some("lr") => Ok(Value::Float(self.rate.get())),
            Some("params") => Ok(self.params.clone()),
            _ => Err(Halt::new(
                Kind::Key,
                key.as_str().map_or_else(String::new, |k| format!("'{k}'")),
            )),
        })
    }

    fn set_item(&self, key: &Value, value: Value, _: &mut Machine) -> Option<Result<(), Halt>> {
        Some(match (key.as_str(), value.as_float()) {
            (Some("lr"), Some(rate)) => {
                self.rate.set(rate);
                Ok(())
            }
            _ => Err(Halt::new(Kind::Key, "only 'lr' can be set here")),
        })
    }

    fn repr(&self, _: &mut Machine) -> Result<String, Halt> {
        Ok(format!("{{'lr': {}}}", self.rate.get()))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
