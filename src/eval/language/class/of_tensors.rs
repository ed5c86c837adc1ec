//! Classes of the program that derive from `torch.Tensor`: their instances are tensors that know their class,
//! whose `__torch_function__` says what operations make of them.

use crate::language::class::descriptor::Descriptor;
use crate::language::class::tensor_class::{
    Plainly, alias, class_of, own, plain, set, speaker, speaks,
};
use crate::library::forms::Type;
use crate::library::table::given;
use crate::values::value::{Tuple, TupleKind};
use crate::{Args, Builtin, Class, Halt, Machine, Object, Tried, Value};
use std::cell::Cell;
use std::rc::Rc;
use vjp_maths::Variable;
use vjp_syntax::ast::{BinaryOp, CompareOp, UnaryOp};
use vjp_tensor::{Kind, Outcome};
use vjp_text::Symbol;

thread_local! {
    /// Whether the next tensor is shown as its class inherits it.
    static BARE: Cell<bool> = const { Cell::new(false) };
}

/// The function that a property of the class sets it by.
pub(crate) fn setter(value: &Value, name: Symbol) -> Option<Value> {
    match own(&class_of(value)?, name.as_str())? {
        Value::Object(o) => o.as_any().downcast_ref::<Descriptor>()?.setter.borrow().clone(),
        _ => None,
    }
}

/// A result as a class has it: tensors in it are of the class too.
///
/// # Errors
/// None that PyTorch has not.
pub fn converted(made: Value, class: &Rc<Class>) -> Outcome<Value> {
    let each = |items: &[Value]| -> Outcome<Vec<Value>> {
        items.iter().map(|v| converted(v.clone(), class)).collect()
    };
    Ok(match &made {
        Value::Tensor(t) => {
            let wanted = Value::Class(Rc::clone(class));
            match class_of(&made).is_some_and(|c| super::is_subclass(&Value::Class(c), &wanted)) {
                true => made,
                false => Value::Tensor(alias(t, class)?),
            }
        }
        Value::Tuple(t) if t.kind != TupleKind::Size => {
            Value::Tuple(Rc::new(Tuple { items: each(&t.items)?, kind: t.kind.clone() }))
        }
        Value::List(l) => Value::list(each(&l.items.borrow())?),
        _ => made,
    })
}

/// `torch.Tensor.__repr__`: what Python's operators and functions call.
pub(crate) fn of_all(class: &'static Type, name: &str) -> Option<Value> {
    if class.module != "torch" || class.name != "Tensor" || !name.starts_with("__") {
        return None;
    }
    let one = Value::Tensor(Variable::constant(vjp_tensor::Tensor::new(&[1], vec![0.0])));
    match (given().python.method)(name, &one)? {
        Value::Method(m) => Some(Value::Builtin(m.1)),
        _ => None,
    }
}

/// `super().__getitem__`: what Python's operators and functions call, past what the class says.
struct Inherited {
    this: Value,
    builtin: &'static Builtin,
}

impl Object for Inherited {
    fn type_name(&self) -> String {
        "method-wrapper".into()
    }

    fn get(&self, _: &Value, name: Symbol, _: &mut Machine) -> Tried<Option<Value>> {
        Ok((name.as_str() == "__name__").then(|| Value::from(self.builtin.name)))
    }

    fn call(&self, _: &Value, args: Args, machine: &mut Machine) -> Option<Tried<Value>> {
        Some(self.carried_out(args, machine))
    }

    fn callable(&self) -> bool {
        true
    }

    fn repr(&self, machine: &mut Machine) -> Tried<String> {
        crate::display::python::repr(machine, &Value::Builtin(self.builtin))
    }
}

impl Inherited {
    fn carried_out(&self, mut args: Args, machine: &mut Machine) -> Tried<Value> {
        if matches!(self.builtin.name, "__repr__" | "__str__") {
            BARE.set(true);
            return Ok(Value::from(crate::display::python::repr(machine, &self.this)?.as_str()));
        }
        let class = speaker(&self.this);
        let this = match &self.this {
            Value::Tensor(t) => Value::Tensor(plain(t)?),
            other => other.clone(),
        };
        args.positional.insert(0, this);
        let made = machine.call(&Value::Builtin(self.builtin), args)?;
        Ok(match class {
            Some(class) => converted(made, &class)?,
            None => made,
        })
    }
}

/// Attributes that PyTorch gives as they are.
const UNCHANGED: [&str; 3] = ["grad", "_grad", "_base"];

/// Attributes of tensors that are tensors themselves.
const TENSORS: [&str; 7] = ["data", "T", "mT", "H", "mH", "real", "imag"];

/// `Tensor.shape.__get__`
struct Getter(Symbol);

/// Whether PyTorch leaves what this gives as it is.
pub fn is_unchanged(func: &Value) -> bool {
    let Value::Object(o) = func else { return false };
    o.as_any().downcast_ref::<Getter>().is_some_and(|g| UNCHANGED.contains(&g.0.as_str()))
}

impl Object for Getter {
    fn type_name(&self) -> String {
        "method-wrapper".into()
    }

    fn get(&self, _: &Value, name: Symbol, _: &mut Machine) -> Tried<Option<Value>> {
        Ok((name.as_str() == "__name__").then(|| Value::from("__get__")))
    }

    fn call(&self, _: &Value, args: Args, machine: &mut Machine) -> Option<Tried<Value>> {
        Some(machine.get_attr(args.positional.first()?, self.0))
    }

    fn callable(&self) -> bool {
        true
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok("<method-wrapper '__get__' of getset_descriptor object>".into())
    }
}

impl Machine {
    /// `super().name` of a tensor.
    pub(crate) fn inherited(&mut self, this: &Value, name: Symbol) -> Tried<Option<Value>> {
        match (given().python.method)(name.as_str(), this) {
            Some(Value::Method(m)) => {
                let of = Inherited { this: this.clone(), builtin: m.1 };
                Ok(Some(Value::Object(Rc::new(of))))
            }
            _ => (given().attribute)(self, this, name),
        }
    }

    /// What the foremost of the classes of these makes of a call; None: they have none that speaks.
    fn said(
        &mut self,
        of: &[&Value],
        func: impl FnOnce() -> Option<Value>,
        args: Args,
        native: impl FnOnce(&mut Machine, Args) -> Tried<Value>,
    ) -> Tried<Option<Value>> {
        let mut classes: Vec<Rc<Class>> = Vec::new();
        for class in of.iter().filter_map(|v| speaker(v)) {
            if !classes.iter().any(|c| Rc::ptr_eq(c, &class)) {
                classes.push(class);
            }
        }
        let value = |c: &Rc<Class>| Value::Class(Rc::clone(c));
        let below = |c: &Rc<Class>| {
            let more = |d: &&Rc<Class>| !Rc::ptr_eq(c, d);
            classes.iter().filter(more).any(|d| super::is_subclass(&value(d), &value(c)))
        };
        let Some(class) = classes.iter().find(|c| !below(c)).cloned() else { return Ok(None) };
        let strangers = classes.iter().any(|c| !super::is_subclass(&value(&class), &value(c)));
        let says = own(&class, "__torch_function__").is_some();
        if (says || strangers)
            && let Some(func) = func()
        {
            let types: Vec<Value> = classes.iter().map(value).collect();
            let method = self.get_attr(&value(&class), Symbol::new("__torch_function__"))?;
            let made = match says {
                true => self.hand_on(&method, func.clone(), types.clone(), args, false)?,
                false => Value::NotImplemented,
            };
            return match made {
                Value::NotImplemented => Err(none_says(&func, &types)),
                made => Ok(Some(made)),
            };
        }
        let made = {
            let _plain = Plainly::begin();
            native(self, args)?
        };
        Ok(Some(converted(made, &class)?))
    }

    /// A call of a function or method of torch.
    pub(crate) fn by_tensor_classes(
        &mut self,
        b: &'static Builtin,
        args: &Args,
    ) -> Tried<Option<Value>> {
        let named = args.named.iter().map(|(_, v)| v);
        let mut of = Vec::new();
        for v in args.positional.iter().chain(named) {
            match v {
                Value::List(l) => of.extend(l.items.borrow().iter().cloned()),
                Value::Tuple(t) => of.extend(t.items.iter().cloned()),
                one => of.push(one.clone()),
            }
        }
        let of: Vec<&Value> = of.iter().filter(|v| speaks(v)).collect();
        if of.is_empty() {
            return Ok(None);
        }
        let native = |m: &mut Machine, args| (given().call)(m, b, args);
        self.said(&of, || Some(Value::Builtin(b)), args.clone(), native)
    }

    /// What stands for a method of tensors, `add` or `__getitem__`.
    fn said_of(
        &mut self,
        name: &str,
        args: Vec<Value>,
        native: impl FnOnce(&mut Machine) -> Tried<Value>,
    ) -> Tried<Option<Value>> {
        let of: Vec<Value> = args.iter().filter(|v| speaks(v)).cloned().collect();
        let site = self.here();
        let func = || {
            let method = (given().method)(Symbol::new(name)).map(Value::Builtin);
            method.or_else(|| match (given().python.method)(name, &args[0])? {
                Value::Method(m) => Some(Value::Builtin(m.1)),
                other => Some(other),
            })
        };
        let handed = Args::new(args.clone(), site);
        self.said(&of.iter().collect::<Vec<_>>(), func, handed, |m, _| native(m))
    }

    /// `a op b` where one of them is of a class that speaks.
    pub(crate) fn tensor_class_operator(
        &mut self,
        op: BinaryOp,
        a: &Value,
        b: &Value,
    ) -> Tried<Option<Value>> {
        if let Some(made) = self.instance_operator(op, a, b)? {
            return Ok(Some(made));
        }
        if !speaks(a) && !speaks(b) {
            return Ok(None);
        }
        let (name, reflected) = match op {
            BinaryOp::Add => ("add", "add"),
            BinaryOp::Sub => ("sub", "__rsub__"),
            BinaryOp::Mul => ("mul", "mul"),
            BinaryOp::Div => ("div", "__rtruediv__"),
            BinaryOp::FloorDiv => ("__floordiv__", "__rfloordiv__"),
            BinaryOp::Mod => ("remainder", "__rmod__"),
            BinaryOp::Pow => ("pow", "__rpow__"),
            BinaryOp::MatMul => ("matmul", "__rmatmul__"),
            BinaryOp::BitAnd => ("__and__", "__rand__"),
            BinaryOp::BitOr => ("__or__", "__ror__"),
            BinaryOp::BitXor => ("__xor__", "__rxor__"),
            BinaryOp::ShiftLeft => ("__lshift__", "__rlshift__"),
            BinaryOp::ShiftRight => ("__rshift__", "__rrshift__"),
        };
        let native = |m: &mut Machine| m.binary(op, a, b);
        let said = match a {
            Value::Tensor(_) => self.said_of(name, vec![a.clone(), b.clone()], native),
            _ => self.said_of(reflected, vec![b.clone(), a.clone()], native),
        };
        // Python then looks for another that knows the operator.
        said.map_err(|h| match h.message().starts_with(NONE_SAYS) {
            true => crate::language::operators::unsupported(op, a, b).into(),
            false => h,
        })
    }

    /// `a op= b`; None: none speaks.
    pub(crate) fn tensor_class_in_place(
        &mut self,
        op: BinaryOp,
        a: &Value,
        b: &Value,
    ) -> Tried<Option<Value>> {
        if let Some(method) = self.special(a, crate::language::operators::in_place_name(op)) {
            let site = self.here();
            return self.call_with(&method, vec![b.clone()], &site).map(Some);
        }
        if !speaks(a) && !speaks(b) {
            return Ok(None);
        }
        let name = match op {
            BinaryOp::Add => "add_",
            BinaryOp::Sub => "sub_",
            BinaryOp::Mul => "mul_",
            BinaryOp::Div => "div_",
            BinaryOp::Pow => "pow_",
            other => crate::language::operators::in_place_name(other),
        };
        let native = |m: &mut Machine| match m.in_place(op, a, b)? {
            Some(made) => Ok(made),
            None => m.binary(op, a, b),
        };
        self.said_of(name, vec![a.clone(), b.clone()], native)
    }

    /// `a op b`, a comparison; None: none speaks.
    pub(crate) fn tensor_class_comparison(
        &mut self,
        op: CompareOp,
        a: &Value,
        b: &Value,
    ) -> Tried<Option<Value>> {
        let (name, special, mirrored) = match op {
            CompareOp::Eq => ("__eq__", "__eq__", "__eq__"),
            CompareOp::Ne => ("ne", "__ne__", "__ne__"),
            CompareOp::Lt => ("lt", "__lt__", "__gt__"),
            CompareOp::Le => ("le", "__le__", "__ge__"),
            CompareOp::Gt => ("gt", "__gt__", "__lt__"),
            _ => ("ge", "__ge__", "__le__"),
        };
        for (this, name, other) in [(a, special, b), (b, mirrored, a)] {
            if let Some(method) = self.special(this, name) {
                let site = self.here();
                return self.call_with(&method, vec![other.clone()], &site).map(Some);
            }
        }
        let reflected = match op {
            CompareOp::Lt => "gt",
            CompareOp::Le => "ge",
            CompareOp::Gt => "lt",
            CompareOp::Ge => "le",
            _ => name,
        };
        let native = |m: &mut Machine| m.compare(op, a, b);
        match a {
            Value::Tensor(_) => self.said_of(name, vec![a.clone(), b.clone()], native),
            _ => self.said_of(reflected, vec![b.clone(), a.clone()], native),
        }
    }

    /// `-a`, `+a`, `~a`.
    pub(crate) fn tensor_class_sign(&mut self, op: UnaryOp, a: &Value) -> Tried<Option<Value>> {
        let name = match op {
            UnaryOp::Minus => "neg",
            UnaryOp::Plus => "positive",
            UnaryOp::Invert => "bitwise_not",
        };
        self.said_of(name, vec![a.clone()], |m| m.unary(op, a))
    }

    /// `a[key]`.
    pub(crate) fn tensor_class_item(&mut self, a: &Value, key: &Value) -> Tried<Option<Value>> {
        self.said_of("__getitem__", vec![a.clone(), key.clone()], |m| m.get_item(a, key))
    }

    /// `a[key] = value`; whether it is done.
    pub(crate) fn tensor_class_set_item(
        &mut self,
        a: &Value,
        key: &Value,
        value: &Value,
    ) -> Tried<bool> {
        let all = vec![a.clone(), key.clone(), value.clone()];
        let native = |m: &mut Machine| {
            m.set_item(a, key, value.clone())?;
            Ok(Value::None)
        };
        Ok(self.said_of("__setitem__", all, native)?.is_some())
    }

    /// The rows of a tensor.
    pub(crate) fn tensor_class_rows(&mut self, a: &Value) -> Tried<Option<Vec<Value>>> {
        let native = |m: &mut Machine| Ok(Value::list(m.collect(a)?));
        Ok(match self.said_of("unbind", vec![a.clone()], native)? {
            Some(all) => Some(self.collect(&all)?),
            None => None,
        })
    }

    /// An attribute of a tensor of a class: what the class defines, or what tensors have, as the class says.
    pub(crate) fn tensor_class_attribute(
        &mut self,
        a: &Value,
        class: &Rc<Class>,
        name: Symbol,
    ) -> Tried<Option<Value>> {
        let text = name.as_str();
        if text == "__class__" {
            return Ok(Some(Value::Class(Rc::clone(class))));
        }
        if let Some(found) = own(class, text) {
            return self.bound(found, a, class).map(Some);
        }
        let found = (given().attribute)(self, a, name)?;
        if found.is_none() && own(class, "__getattr__").is_some() {
            return self.by_getattr(a, name);
        }
        let property = !text.starts_with("__")
            && !matches!(found, None | Some(Value::Method(_)))
            && (given().attributes)().contains(&text);
        if !speaks(a) || !property {
            return Ok(found);
        }
        let getter = || Some(Value::Object(Rc::new(Getter(name)) as Rc<dyn Object>));
        let site = self.here();
        let handed = Args::new(vec![a.clone()], site);
        let changes = TENSORS.contains(&text);
        if !changes && own(class, "__torch_function__").is_none() {
            return Ok(found);
        }
        let found = found.unwrap_or(Value::None);
        self.said(&[a], getter, handed, |_, _| Ok(found))
    }

    /// `repr(a)`, where the program says what that is.
    pub(crate) fn tensor_class_repr(&mut self, a: &Value) -> Tried<Option<Value>> {
        if BARE.take() {
            return Ok(None);
        }
        if let Some(method) = self.special(a, "__repr__") {
            let site = self.here();
            return self.call_with(&method, Vec::new(), &site).map(Some);
        }
        let Some(class) = speaker(a) else { return Ok(None) };
        if own(&class, "__torch_function__").is_none() {
            return Ok(None);
        }
        let text = |m: &mut Machine| Ok(Value::from(crate::display::python::repr(m, a)?.as_str()));
        self.said_of("__repr__", vec![a.clone()], text)
    }

    /// `Class(…)` without a `__new__` of the program.
    pub fn blank_tensor(
        &mut self,
        class: &Rc<Class>,
        base: &'static Type,
        args: Args,
    ) -> Tried<Value> {
        let made = {
            let _plain = Plainly::begin();
            (base.construct)(self, base, args)?
        };
        if let Value::Tensor(t) = &made {
            set(t, class);
        }
        Ok(made)
    }
}

/// PyTorch's words where no class makes something of a call.
pub(crate) fn none_says(func: &Value, types: &[Value]) -> Halt {
    let name = match func {
        Value::Builtin(b) if b.module == "Tensor" || b.name.starts_with("__") => {
            format!("torch.Tensor.{}", b.name)
        }
        Value::Builtin(b) => format!("{}.{}", b.module, b.name),
        _ => "torch.Tensor.__get__".to_owned(),
    };
    let class = |t: &Value| match t {
        Value::Class(c) => {
            format!("<class '{}.{}'>", c.module().as_str().unwrap_or("__main__"), c.name)
        }
        other => format!("<class '{}'>", crate::name_of(other)),
    };
    let classes: Vec<String> = types.iter().map(class).collect();
    let text = match func {
        Value::Builtin(b) if b.module == "torch.nn.functional" => format!(
            "no implementation found for '{name}' on types that implement __torch_function__: [{}]",
            classes.join(", ")
        ),
        _ => format!(
            "{NONE_SAYS} for '{name}'; all __torch_function__ handlers returned NotImplemented:\n{}\n\nFor more information, try re-running with TORCH_LOGS=not_implemented",
            classes.iter().map(|c| format!("\n  - tensor subclass {c}")).collect::<String>()
        ),
    };
    Halt::new(Kind::Type, text)
}

const NONE_SAYS: &str = "Multiple dispatch failed";
