//! `torch.device`: where tensors lie. Programs name others and ask for them; here is the CPU alone.

use crate::Given;
use std::cell::RefCell;
use std::rc::Rc;
use vjp_eval::{At, Machine, Object, Tried, Type, Value};
use vjp_tensor::{Complaint, Kind, Outcome};
use vjp_text::Symbol;

/// The types that PyTorch knows, in the order in which it lists them.
const KINDS: &[&str] = &[
    "cpu",
    "cuda",
    "ipu",
    "xpu",
    "mkldnn",
    "opengl",
    "opencl",
    "ideep",
    "hip",
    "ve",
    "fpga",
    "maia",
    "xla",
    "lazy",
    "vulkan",
    "mps",
    "meta",
    "hpu",
    "mtia",
    "privateuseone",
];

pub static DEVICE: Type = Type {
    name: "device",
    module: "torch",
    help: "Where tensors are stored: torch.device('cpu').",
    includes: |v| matches!(v, Value::Object(o) if o.as_any().is::<Device>()),
    construct: |_, _, mut args| {
        if let Some(kind) = args.take("type") {
            args.positional.push(kind);
        }
        let span = args.site.span;
        let given = Given::read(args, "(device, index=None)", false).at(span)?;
        let index = given.value("index").and_then(|v| v.as_int());
        match (given.raw(0), index) {
            (Some(Value::Str(kind)), Some(index)) => read(&format!("{kind}:{index}")).at(span),
            (Some(named), _) => named_by(&named).at(span),
            (None, _) => named_by(&Value::None).at(span),
        }
    },
    attribute: |_| None,
    exception: None,
    base: None,
};

struct Device {
    kind: &'static str,
    index: Option<i64>,
}

/// One value for each device, so that equal ones are the same.
fn made(kind: &'static str, index: Option<i64>) -> Value {
    type Known = Vec<(&'static str, Option<i64>, Rc<Device>)>;
    thread_local! {
        static MADE: RefCell<Known> = RefCell::default();
    }
    let device = MADE.with_borrow_mut(|known| {
        if let Some((_, _, device)) = known.iter().find(|(k, i, _)| (*k, *i) == (kind, index)) {
            return Rc::clone(device);
        }
        let device = Rc::new(Device { kind, index });
        known.push((kind, index, Rc::clone(&device)));
        device
    });
    Value::Object(device)
}

/// Where every tensor lies.
pub fn cpu() -> Value {
    made("cpu", None)
}

/// `cuda:1`.
fn read(text: &str) -> Outcome<Value> {
    let (kind, index) = match text.split_once(':') {
        Some((kind, index)) => (kind, Some(index)),
        None => (text, None),
    };
    let Some(kind) = KINDS.iter().find(|k| **k == kind) else {
        return Err(Complaint::new(
            Kind::Runtime,
            format!(
                "Expected one of {} device type at start of device string: {kind}",
                KINDS.join(", ")
            ),
        ));
    };
    let index = match index.map(str::parse) {
        None => None,
        Some(Ok(index)) => Some(index),
        Some(Err(_)) => {
            return Err(Complaint::new(Kind::Runtime, format!("Invalid device string: '{text}'")));
        }
    };
    Ok(made(kind, index))
}

/// The device of a name, a number (of a graphics card) or a device.
fn named_by(value: &Value) -> Outcome<Value> {
    match value {
        Value::Str(text) => read(text),
        Value::Object(o) if o.as_any().is::<Device>() => Ok(value.clone()),
        _ => match value.as_int() {
            Some(index) => Ok(made("cuda", Some(index))),
            None => Err(Complaint::new(
                Kind::Type,
                format!(
                    "device() received an invalid combination of arguments - got ({}), but expected one of:\n * (torch.device device)\n * (str type, int index = -1)\n",
                    vjp_eval::name_of(value)
                ),
            )),
        },
    }
}

/// Whether a value names a device: a text or a device.
pub fn names_one(value: &Value) -> bool {
    matches!(value, Value::Str(_)) || (DEVICE.includes)(value)
}

/// Refuses to put anything anywhere but on the CPU.
pub fn reached(value: &Value) -> Outcome<()> {
    if matches!(value, Value::None) {
        return Ok(());
    }
    let named = named_by(value)?;
    let kind = match &named {
        Value::Object(o) => o.as_any().downcast_ref::<Device>().map_or("cpu", |d| d.kind),
        _ => "cpu",
    };
    let message = match kind {
        "cpu" => return Ok(()),
        "cuda" => NO_CARD.to_owned(),
        other => format!("PyTorch is not linked with support for {other} devices"),
    };
    Err(Complaint::new(Kind::Runtime, message)
        .hint("vjp runs on the CPU; torch.device(\"cuda\" if torch.cuda.is_available() else \"cpu\") selects it"))
}

const NO_CARD: &str = "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx";

/// `x.cuda()`.
pub fn no_card() -> Outcome<Value> {
    reached(&made("cuda", None)).map(|()| Value::None)
}

impl Object for Device {
    fn type_name(&self) -> String {
        "torch.device".to_owned()
    }

    fn get(&self, _: &Value, name: Symbol, _: &mut Machine) -> Tried<Option<Value>> {
        Ok(match name.as_str() {
            "type" => Some(Value::str(self.kind)),
            "index" => Some(self.index.map_or(Value::None, Value::Int)),
            _ => None,
        })
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        let index = self.index.map_or(String::new(), |i| format!(", index={i}"));
        Ok(format!("device(type='{}'{index})", self.kind))
    }

    fn str(&self, _: &mut Machine) -> Tried<String> {
        let index = self.index.map_or(String::new(), |i| format!(":{i}"));
        Ok(format!("{}{index}", self.kind))
    }
}
