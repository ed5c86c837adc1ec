//! `owner.name`: reading, writing, deleting; and calls of anything.

use crate::language::class::{of_tensors, tensor_class};
use crate::language::{class, function};
use crate::library::table::given;
use crate::values::class_names;
use crate::values::containers::{Attributes, find, put};
use crate::values::value::TupleKind;
use crate::{Args, Halt, Machine, Tried, Value, leaf, library};
use vjp_maths::saved::packing;
use vjp_tensor::{Complaint, Fact, Kind};
use vjp_text::{Symbol, did_you_mean};

impl Machine {
    /// `owner.name`.
    pub fn get_attr(&mut self, owner: &Value, name: Symbol) -> Tried<Value> {
        match self.find_attr(owner, name)? {
            Some(v) => Ok(v),
            None => Err(self.no_attribute(owner, name).into()),
        }
    }

    /// `owner.name`, or None where there is none.
    pub fn find_attr(&mut self, owner: &Value, name: Symbol) -> Tried<Option<Value>> {
        let text = name.as_str();
        let found = match owner {
            Value::Tensor(_) if let Some(class) = tensor_class::class_of(owner) => {
                self.tensor_class_attribute(owner, &class, name)?
            }
            Value::Tensor(_) | Value::Array(_) | Value::NpScalar(..) | Value::Dtype(_) => {
                (given().attribute)(self, owner, name)?
            }
            Value::Number(n) => match python_method(&n.number(), text) {
                Some(v) => Some(v),
                None => (given().attribute)(self, &Value::Tensor(n.variable.clone()), name)?,
            },
            Value::Int(_) | Value::Float(_) if !self.exact() => match python_method(owner, text) {
                Some(v) => Some(v),
                // An operation of mathematics, as functions of the number have it.
                None => (given().number_method)(owner, name),
            },
            Value::List(_) => match python_method(owner, text) {
                Some(v) => Some(v),
                // What a list lacks is the tensor's.
                None if !self.exact() && !text.starts_with('_') => match leaf::stacked(owner) {
                    Ok(t) => (given().attribute)(self, &Value::Tensor(t), name)?,
                    Err(c) if c.kind.is_stop() => return Err(c.into()),
                    Err(_) => None,
                },
                None => None,
            },
            Value::Module(m) => match text {
                "__name__" => Some(Value::from(m.name)),
                _ => self.of_module(m, name),
            },
            Value::Function(f) => match find(&f.attributes, name) {
                None => function::attribute(self, f, text)?,
                found => found,
            },
            Value::BoundFunction(b) => match text {
                "__self__" => Some(b.1.clone()),
                "__func__" => Some(b.0.clone()),
                _ => return self.find_attr(&b.0.clone(), name),
            },
            Value::Builtin(b) => match builtin_attribute(b, text) {
                None => (given().attribute)(self, owner, name)?,
                found => found,
            },
            Value::Method(b) => match text {
                "__self__" => Some(b.0.clone()),
                _ => builtin_attribute(b.1, text),
            },
            Value::Type(t) => match text {
                "__name__" | "__qualname__" => Some(Value::from(t.name)),
                "__module__" => Some(Value::from(t.module)),
                "__doc__" => Some(Value::from(t.help)),
                "__mro__" => {
                    let line = std::iter::successors(Some(*t), |t| t.base).map(Value::Type);
                    let object = Value::Type(given().python.object);
                    let top = (t.name != "object").then_some(object);
                    Some(Value::tuple(line.chain(top).collect()))
                }
                "__base__" => Some(match t.base {
                    Some(base) => Value::Type(base),
                    None if t.name == "object" => Value::None,
                    None => Value::Type(given().python.object),
                }),
                _ => std::iter::successors(Some(*t), |t| t.base)
                    .find_map(|t| (t.attribute)(text))
                    .or_else(|| of_tensors::of_all(t, text)),
            },
            Value::Class(c) => self.class_attribute(c, name)?,
            Value::Instance(i) => return self.instance_attribute(owner, i, name),
            Value::Exception(e) => match text {
                "args" => Some(Value::tuple(e.args.borrow().clone())),
                _ => match find(&e.attributes, name) {
                    Some(v) => Some(v),
                    None if text == "__cause__" || text == "__context__" => Some(Value::None),
                    None if text == "__suppress_context__" => Some(Value::Bool(false)),
                    None if text == "__traceback__" => Some(Value::None),
                    None if text == "__dict__" => Some(self.as_dict(&e.attributes)?),
                    None if text == "value" && e.kind == Kind::StopIteration => {
                        Some(e.args.borrow().first().cloned().unwrap_or(Value::None))
                    }
                    None if text == "code" && e.kind == Kind::SystemExit => {
                        Some(e.args.borrow().first().cloned().unwrap_or(Value::None))
                    }
                    None => match &e.own {
                        Some(c) => self.bound_attribute(owner, &c.clone(), name)?,
                        None => None,
                    },
                },
            },
            Value::Object(o) => o.get(owner, name, self)?,
            Value::Tuple(t) => match &t.kind {
                TupleKind::Named(_, fields) if fields.contains(&text) => {
                    let i = fields.iter().position(|f| *f == text).unwrap_or(0);
                    t.items.get(i).cloned()
                }
                TupleKind::Size if text == "numel" => given().python.size_numel.bind(owner.clone()),
                _ => python_method(owner, text),
            },
            Value::Slice(s) => match text {
                "start" => Some(s[0].clone()),
                "stop" => Some(s[1].clone()),
                "step" => Some(s[2].clone()),
                _ => python_method(owner, text),
            },
            Value::Range(r) => match text {
                "start" => Some(r.start.into()),
                "stop" => Some(r.stop.into()),
                "step" => Some(r.step.into()),
                _ => python_method(owner, text),
            },
            _ => python_method(owner, text),
        };
        Ok(match found {
            None if text == "__class__" => Some((given().python.class_of)(owner)),
            None if text.starts_with("__") && !matches!(owner, Value::Type(_)) => {
                python_method(owner, text)
            }
            other => other,
        })
    }

    /// Attributes as a dict, for `__dict__` and `vars`.
    pub(crate) fn as_dict(&mut self, attributes: &Attributes) -> Tried<Value> {
        let dict = crate::Dict::default();
        for (n, v) in attributes.borrow().iter() {
            if *n == crate::Instance::base_name() {
                continue;
            }
            let name = Value::from(n.as_str());
            let key = crate::values::dict::Key::of(&name)?;
            dict.written()?.insert(key, name, v.clone());
        }
        Ok(Value::dict(dict))
    }

    fn no_attribute(&self, owner: &Value, name: Symbol) -> Box<Complaint> {
        let message = match owner {
            Value::Module(m) => {
                let known = (m.name == "numpy").then(|| (given().removed)(name.as_str()));
                let text = format!("module '{}' has no attribute '{name}'", m.name);
                known.flatten().unwrap_or(text)
            }
            Value::Type(_) | Value::Class(_) => {
                let class = match owner {
                    Value::Class(c) => c.name.as_str(),
                    Value::Type(t) => t.name,
                    _ => "",
                };
                format!("type object '{class}' has no attribute '{name}'")
            }
            // What is computed from a leaf is asked as a tensor.
            Value::Number(_) => format!("'Tensor' object has no attribute '{name}'"),
            _ => format!("'{}' object has no attribute '{name}'", class_names::tp_name(owner)),
        };
        let absent = matches!(owner, Value::Module(_));
        let fact = if absent {
            Fact::Absent
        } else {
            Fact::NoAttribute { class: class_names::tp_name(owner), name: name.to_string() }
        };
        let complaint = Complaint::new(Kind::Attribute, message).about(fact);
        let of_graphs = ["backward", "grad", "grad_fn", "requires_grad", "retain_grad"];
        if (owner.is_int() || matches!(owner, Value::Float(_)))
            && of_graphs.contains(&name.as_str())
        {
            let leaf = match self.strict() {
                true => "x = torch.tensor(2., requires_grad=True); y = 3*x**2; y.backward()",
                false => "x = 2; y = 3*x^2; y.backward()",
            };
            return complaint
                .hint(format!("a plain number has no history; a leaf has one: {leaf}"));
        }
        if self.trying {
            return complaint;
        }
        let of_leaf = matches!(owner, Value::Tensor(_) | Value::Number(_) | Value::List(_));
        if of_leaf && name.as_str() == "zero_grad" {
            return complaint.hint(
                "modules and optimizers have zero_grad(); of a tensor, set .grad to None or call .grad.zero_()",
            );
        }
        // `x.max(0).backward()`: values stand beside indices.
        if let Value::Tuple(pair) = owner
            && let TupleKind::Named(_, fields) = pair.kind
            && fields.contains(&"values")
            && of_graphs.contains(&name.as_str())
        {
            return complaint.hint(format!("values stand beside indices: .values.{name}"));
        }
        let mut names = library::attributes_of(owner);
        if matches!(owner, Value::List(_)) && self.exact() {
            let tensor = (given().attributes)();
            if tensor.contains(&name.as_str()) {
                return complaint
                    .hint(format!("make a tensor of the list first: torch.tensor(…).{name}"));
            }
            names.retain(|n| !tensor.contains(n));
        }
        // `nn.relu`: rather the function that another module has than the class of a layer.
        if let Value::Module(m) = owner
            && m.name.starts_with("torch")
            && let Some(place) = super::import::elsewhere(&format!("{}.{name}", m.name))
        {
            return complaint.hint(did_you_mean::asks(&place));
        }
        match did_you_mean::near(name.as_str(), names) {
            Some(near) => complaint.hint(did_you_mean::asks(&format!(".{near}"))),
            None => match owner {
                Value::Module(m) if library::is_partial(m.name) => {
                    complaint.hint(super::import::lacking(&format!("{}.{name}", m.name)))
                }
                _ => complaint,
            },
        }
    }

    /// `owner.name = value`.
    ///
    /// # Errors
    /// What has no such attribute, or a value that does not fit.
    pub fn set_attr(&mut self, owner: &Value, name: Symbol, value: Value) -> Tried<()> {
        let done = match owner {
            Value::Tensor(_) if let Some(setter) = of_tensors::setter(owner, name) => {
                let site = self.here();
                self.call_with(&setter, vec![owner.clone(), value], &site)?;
                true
            }
            Value::Tensor(_) | Value::Array(_) => {
                (given().set_attribute)(self, owner, name, value)?
            }
            Value::Number(n) => {
                (given().set_attribute)(self, &Value::Tensor(n.variable.clone()), name, value)?
            }
            Value::List(_) if !self.exact() => match leaf::stacked(owner) {
                Ok(t) => (given().set_attribute)(self, &Value::Tensor(t), name, value)?,
                Err(_) => false,
            },
            Value::Object(o) => o.set(name, value, self)?,
            Value::Module(m) => {
                super::import::put::put(self, m, name, value);
                true
            }
            Value::Instance(i) => return self.set_instance_attribute(owner, i, name, value),
            Value::Class(c) => {
                class::own_function(&value, c);
                put(&c.attributes, name, value);
                true
            }
            Value::Function(f) => {
                crate::values::collector::watch(f);
                put(&f.attributes, name, value);
                true
            }
            Value::Exception(e) => {
                put(&e.attributes, name, value);
                true
            }
            _ => false,
        };
        if done {
            Ok(())
        } else if self.find_attr(owner, name)?.is_some() {
            crate::raise!(
                Kind::Attribute,
                "'{}' object attribute '{name}' is read-only",
                class_names::tp_name(owner)
            )
        } else {
            let complaint = self.no_attribute(owner, name);
            Err(match owner {
                Value::Tensor(_) | Value::Number(_) if !self.trying => complaint.hint(
                    "under --strict a tensor keeps attributes of your own; here a name of its own or a dict does",
                ),
                _ => complaint,
            }
            .into())
        }
    }

    /// `del owner.name`.
    pub fn del_attr(&mut self, owner: &Value, name: Symbol) -> Tried<()> {
        if let Value::Instance(i) = owner
            && let Some(deleter) = self.deleter(i, name)
        {
            let site = self.here();
            self.call_with(&deleter, vec![owner.clone()], &site)?;
            return Ok(());
        }
        if let Some(method) = self.special(owner, "__delattr__") {
            let site = self.here();
            self.call_with(&method, vec![Value::from(name.as_str())], &site)?;
            return Ok(());
        }
        self.del_own_attr(owner, name)
    }

    /// `del owner.name`, past what the class says of it.
    pub fn del_own_attr(&mut self, owner: &Value, name: Symbol) -> Tried<()> {
        let attributes = match owner {
            Value::Instance(i) => &i.attributes,
            Value::Class(c) => &c.attributes,
            Value::Function(f) => &f.attributes,
            Value::Tensor(_) if (given().delete_attribute)(self, owner, name)? => return Ok(()),
            Value::List(_) | Value::Number(_) if name.as_str() == "grad" && !self.exact() => {
                return self.set_attr(owner, name, Value::None);
            }
            Value::Object(o) if o.delete(name) => return Ok(()),
            _ => return Err(self.no_attribute(owner, name).into()),
        };
        let mut list = attributes.borrow_mut();
        match list.iter().position(|(n, _)| *n == name) {
            Some(i) => {
                let old = list.remove(i);
                drop(list);
                drop(old);
                Ok(())
            }
            None => {
                drop(list);
                Err(self.no_attribute(owner, name).into())
            }
        }
    }

    /// Calls a value.
    pub fn call(&mut self, function: &Value, mut args: Args) -> Tried<Value> {
        if packing::waits() {
            self.pack()?;
        }
        match function {
            Value::Function(f) => self.call_function(f, args),
            Value::Builtin(b) => {
                args.callee = Some(b);
                b.of_base(self, &mut args)?;
                match self.by_protocol(b, &args)? {
                    Some(made) => Ok(made),
                    None => (b.run)(self, args),
                }
            }
            Value::Method(b) => {
                args.callee = Some(b.1);
                if b.1.signature == "()" {
                    args.no_names()?;
                    args.count(0, 0)?;
                }
                args.positional.insert(0, b.0.clone());
                b.1.of_base(self, &mut args)?;
                match self.by_protocol(b.1, &args)? {
                    Some(made) => Ok(made),
                    None => (b.1.run)(self, args),
                }
            }
            Value::BoundFunction(b) => {
                args.positional.insert(0, b.1.clone());
                self.call(&b.0, args)
            }
            Value::Type(t) => {
                library::check_keywords(t, &args)?;
                (t.construct)(self, t, args)
            }
            Value::Class(c) => self.instantiate(c, args),
            Value::Instance(_) | Value::Tensor(_) => match self.special(function, "__call__") {
                Some(method) => self.call(&method, args),
                None => Err(not_callable(function)),
            },
            Value::Object(o) => match o.call(function, args, self) {
                Some(result) => result,
                None => Err(not_callable(function)),
            },
            _ => Err(not_callable(function)),
        }
    }

    /// Calls what stands before the parentheses of a program; of what cannot be called, says what they
    /// may have meant.
    pub(crate) fn call_written(&mut self, function: &Value, args: Args) -> Tried<Value> {
        if function.may_be_called() {
            return self.call(function, args);
        }
        Err(crate::language::call::misspelled::no_call(
            not_callable(function),
            function,
            &args.site,
            self.options.strict,
        ))
    }

    /// Whether a value can be called.
    pub fn callable(&mut self, v: &Value) -> bool {
        match v {
            Value::Function(_)
            | Value::Builtin(_)
            | Value::Method(_)
            | Value::BoundFunction(_)
            | Value::Type(_)
            | Value::Class(_) => true,
            Value::Instance(_) => self.special(v, "__call__").is_some(),
            Value::Object(o) => o.callable(),
            _ => false,
        }
    }
}

fn not_callable(v: &Value) -> Halt {
    let name = class_names::tp_name(v);
    Halt::new(Kind::Type, format!("'{name}' object is not callable"))
}

/// A method of one of Python's own classes, bound.
fn python_method(owner: &Value, name: &str) -> Option<Value> {
    (given().python.method)(name, owner)
}

fn builtin_attribute(b: &'static library::Builtin, name: &str) -> Option<Value> {
    match name {
        "__name__" | "__qualname__" => Some(Value::from(b.name)),
        "__module__" => Some(Value::from(b.module)),
        "__doc__" => Some(Value::from(b.help)),
        _ => None,
    }
}
