//! `with torch.no_grad():` and its like, which are decorators too.

use std::cell::RefCell;
use std::rc::Rc;
use vjp_eval::library::builtins;
use vjp_eval::{Args, Machine, Object, Tried, Value, raise};
use vjp_maths::autodiff::grad_mode::{
    Mode, asks_for_grad, checks_nan, detects_anomalies, is_inferring, set_detect_anomalies,
    set_grad_enabled,
};
use vjp_ops::autocast;
use vjp_tensor::Kind;
use vjp_text::Symbol;

/// Switches recording inside a `with` block.
struct GradMode {
    name: &'static str,
    mode: Mode,
    /// What was, before each `with` entered and not left.
    before: RefCell<Vec<Mode>>,
}

impl GradMode {
    fn make(name: &'static str, mode: Mode) -> Value {
        Value::Object(Rc::new(GradMode { name, mode, before: RefCell::default() }))
    }
}

impl Object for GradMode {
    fn type_name(&self) -> String {
        self.name.to_owned()
    }

    /// As a decorator: the function, run in this mode.
    fn call(&self, _: &Value, args: Args, _: &mut Machine) -> Option<Tried<Value>> {
        let function = args.positional.into_iter().next()?;
        Some(Ok(Value::Object(Rc::new(Decorated { function, mode: self.mode }))))
    }

    fn enter(&self, _: &mut Machine) -> Option<Tried<Value>> {
        self.before.borrow_mut().push(self.mode.set());
        Some(Ok(Value::None))
    }

    fn exit(&self, _: &mut Machine) -> Tried<()> {
        if let Some(before) = self.before.borrow_mut().pop() {
            before.set();
        }
        Ok(())
    }

    fn callable(&self) -> bool {
        true
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok(format!("<torch.autograd.grad_mode.{}>", self.name))
    }
}

/// `detect_anomaly` and `set_detect_anomaly`: a sweep stops at a gradient that is not a number.
struct Anomaly {
    name: &'static str,
    /// Whether NaN counts as one; None: off.
    on: Option<bool>,
    /// What was, before each `with` entered and not left.
    before: RefCell<Vec<Option<bool>>>,
}

impl Object for Anomaly {
    fn type_name(&self) -> String {
        self.name.to_owned()
    }

    fn enter(&self, _: &mut Machine) -> Option<Tried<Value>> {
        let before = set_detect_anomalies(self.on);
        // Setting acted already, and left behind what was before.
        if self.name == "detect_anomaly" {
            self.before.borrow_mut().push(before);
        }
        Some(Ok(Value::None))
    }

    fn exit(&self, _: &mut Machine) -> Tried<()> {
        if let Some(before) = self.before.borrow_mut().pop() {
            set_detect_anomalies(before);
        }
        Ok(())
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok(format!("<torch.autograd.anomaly_mode.{}>", self.name))
    }
}

/// `with torch.autograd.detect_anomaly():`
pub fn anomaly(machine: &mut Machine, mut args: Args) -> Tried<Value> {
    let name = args.name();
    let setting = name == "set_detect_anomaly";
    let on = match setting.then(|| args.take_at(0, "mode")).flatten() {
        Some(mode) => machine.truth(&mode)?,
        None => true,
    };
    let checks = match args.take_at(usize::from(setting), "check_nan") {
        Some(flag) => machine.truth(&flag)?,
        None => true,
    };
    let on = on.then_some(checks);
    let before = match setting {
        true => vec![set_detect_anomalies(on)],
        false => Vec::new(),
    };
    Ok(Value::Object(Rc::new(Anomaly { name, on, before: RefCell::new(before) })))
}

/// A function that runs in a mode of its own.
struct Decorated {
    function: Value,
    mode: Mode,
}

impl Object for Decorated {
    fn type_name(&self) -> String {
        "function".to_owned()
    }

    fn get(&self, _: &Value, name: Symbol, machine: &mut Machine) -> Tried<Option<Value>> {
        machine.get_attr(&self.function, name).map(Some)
    }

    fn call(&self, _: &Value, args: Args, machine: &mut Machine) -> Option<Tried<Value>> {
        let before = self.mode.set();
        let result = machine.call(&self.function, args);
        before.set();
        Some(result)
    }

    fn callable(&self) -> bool {
        true
    }

    fn repr(&self, machine: &mut Machine) -> Tried<String> {
        vjp_eval::display::python::repr(machine, &self.function)
    }

    fn children(&self) -> Vec<Value> {
        vec![self.function.clone()]
    }
}

fn mode(args: Args, name: &'static str, enabled: bool) -> Tried<Value> {
    // `@torch.no_grad` without brackets decorates at once.
    match args.positional.into_iter().next() {
        Some(function @ (Value::Function(_) | Value::Builtin(_) | Value::BoundFunction(_))) => {
            Ok(Value::Object(Rc::new(Decorated { function, mode: Mode::grad(enabled) })))
        }
        _ => Ok(GradMode::make(name, Mode::grad(enabled))),
    }
}

builtins! {
    /// `torch.no_grad`, `torch.enable_grad` …
    pub static BUILTINS in "torch";
    "no_grad" "()" |_, a| mode(a, "no_grad", false), "Turns gradient recording off inside the block.";
    "enable_grad" "()" |_, a| mode(a, "enable_grad", true), "Turns gradient recording on inside the block.";
    "inference_mode" "(bool mode=True)" inference, "Turns gradient recording off inside the block.";
    "set_grad_enabled" "(bool mode)" set_enabled, "Turns gradient recording on or off, from here or inside a with block.";
    "is_anomaly_enabled" "()" |_, _| Ok(Value::Bool(detects_anomalies())), "Returns whether backward looks for anomalies.";
    "is_anomaly_check_nan_enabled" "()" |_, _| Ok(Value::Bool(checks_nan())), "Returns whether backward, looking for anomalies, stops at NaN.";
    "is_grad_enabled" "()" |_, _| Ok(Value::Bool(asks_for_grad())), "Returns whether gradient recording is on.";
    "_set_autocast" "(dtype, /)" set_autocast, "Sets the type in which products and convolutions compute; returns the one before.";
    "_autocast_dtype" "()" |_, _| Ok(autocast::dtype().map_or(Value::None, Value::Dtype)), "Returns that type.";
    "is_inference_mode_enabled" "()" |_, _| Ok(Value::Bool(is_inferring())), "Returns whether inference mode is on.";
}

fn set_autocast(_: &mut Machine, args: Args) -> Tried<Value> {
    let before = autocast::set(match args.positional.first() {
        Some(Value::Dtype(dtype)) => Some(*dtype),
        _ => None,
    });
    Ok(before.map_or(Value::None, Value::Dtype))
}

fn inference(machine: &mut Machine, mut args: Args) -> Tried<Value> {
    let on = match args.take_at(0, "mode") {
        Some(function @ Value::Function(_)) => {
            return Ok(Value::Object(Rc::new(Decorated { function, mode: Mode::inference(true) })));
        }
        Some(flag) => machine.truth(&flag)?,
        None => true,
    };
    Ok(GradMode::make("inference_mode", Mode::inference(on)))
}

fn set_enabled(_: &mut Machine, mut args: Args) -> Tried<Value> {
    let Some(Value::Bool(enabled)) = args.take_at(0, "mode").map(|v| v.plain()) else {
        raise!(
            Kind::Type,
            "set_grad_enabled.__init__() missing 1 required positional argument: 'mode'"
        );
    };
    let before = set_grad_enabled(enabled);
    // It acted already; leaving a `with` puts back what was before.
    let object = SetMode { enabled, before: RefCell::new(Some(before)) };
    Ok(Value::Object(Rc::new(object)))
}

/// `torch.set_grad_enabled(flag)`: acts when made.
struct SetMode {
    enabled: bool,
    before: RefCell<Option<bool>>,
}

impl Object for SetMode {
    fn type_name(&self) -> String {
        "set_grad_enabled".to_owned()
    }

    fn call(&self, _: &Value, args: Args, _: &mut Machine) -> Option<Tried<Value>> {
        if let Some(before) = self.before.take() {
            set_grad_enabled(before);
        }
        let function = args.positional.into_iter().next()?;
        let mode = Mode::grad(self.enabled);
        Some(Ok(Value::Object(Rc::new(Decorated { function, mode }))))
    }

    fn enter(&self, _: &mut Machine) -> Option<Tried<Value>> {
        set_grad_enabled(self.enabled);
        Some(Ok(Value::None))
    }

    fn exit(&self, _: &mut Machine) -> Tried<()> {
        if let Some(before) = self.before.take() {
            set_grad_enabled(before);
        }
        Ok(())
    }

    fn callable(&self) -> bool {
        true
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        let flag = if self.enabled { "True" } else { "False" };
        Ok(format!("torch.autograd.grad_mode.set_grad_enabled(mode={flag})"))
    }
}
