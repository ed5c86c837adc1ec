//! What is provided ready-made has these forms: functions, modules, classes; and the table by which the
//! language knows of them.

pub mod forms;
pub mod prelude;
pub mod python_random;
pub mod state;
pub mod table;

/// A table of functions, one a row: `"name" "(signature)" run, "What it does.";` — under the place
/// where they live, or with each row's own class in front. `jax "…"` at a row's end says it in JAX.
#[macro_export]
macro_rules! builtins {
    ($(#[$doc:meta])* $vis:vis static $id:ident in $module:literal;
     $($name:literal $signature:literal $run:expr, $help:literal $(jax $jax:literal)?;)*) => {
        $(#[$doc])*
        $vis static $id: &[$crate::library::Builtin] = &[$($crate::library::Builtin {
            name: $name,
            module: $module,
            signature: $signature,
            help: $help,
            jax: concat!($($jax)?),
            run: $run,
        }),*];
    };
    ($(#[$doc:meta])* $vis:vis static $id:ident;
     $($class:literal $name:literal $signature:literal $run:expr, $help:literal;)*) => {
        $(#[$doc])*
        $vis static $id: &[$crate::library::Builtin] = &[$($crate::library::Builtin {
            name: $name,
            module: $class,
            signature: $signature,
            help: $help, jax: "",
            run: $run,
        }),*];
    };
}

use crate::{Args, Machine, Value};
use std::cell::RefCell;
use std::rc::Rc;
use vjp_tensor::{Dtype, Outcome};
use vjp_text::{QuickMap, Symbol};

pub use crate::language::exception::classes::exception_class;
pub use builtins;
pub use forms::{Builtin, Module, Type};
pub use state::State;
pub use table::given;

impl Builtin {
    /// A method of Python's own classes works on what an instance of a deriving class holds.
    ///
    /// # Errors
    /// Keywords that it does not take.
    pub fn of_base(&'static self, m: &Machine, args: &mut Args) -> Outcome<()> {
        // The arguments of a method of str are strings as well.
        let own = if self.module == "str" { usize::MAX } else { 1 };
        for v in args.positional.iter_mut().take(own) {
            if matches!(v, Value::Instance(_)) && self.is_python_method() {
                *v = v.base();
            }
        }
        (given().check)(self, args, m.strict())?;
        match m.exact() || !(given().takes_more)(self) {
            true => (given().python.check)(args),
            false => Ok(()),
        }
    }

    /// Whether it belongs to one of Python's own classes and does not speak of attributes.
    pub fn is_python_method(&self) -> bool {
        matches!(
            self.module,
            "str" | "list" | "tuple" | "dict" | "set" | "int" | "float" | "object"
        ) && !matches!(
            self.name,
            "__setattr__" | "__getattribute__" | "__delattr__" | "__dir__" | "__init__"
        )
    }

    /// As a method of `owner`.
    pub fn bind(&'static self, owner: Value) -> Option<Value> {
        Some(Value::Method(Rc::new((owner, self))))
    }
}

/// Values by name.
pub type Table = QuickMap<Symbol, Value>;

thread_local! {
    static CONTENTS: RefCell<QuickMap<usize, Rc<Table>>> = RefCell::default();
    static BUILTINS: RefCell<Option<Rc<Table>>> = const { RefCell::new(None) };
}

impl Module {
    fn table(&'static self) -> Rc<Table> {
        let key = std::ptr::from_ref(self) as usize;
        if let Some(t) = CONTENTS.with_borrow(|c| c.get(&key).cloned()) {
            return t;
        }
        let table =
            Rc::new((self.contents)().into_iter().map(|(n, v)| (Symbol::new(n), v)).collect());
        CONTENTS.with_borrow_mut(|c| c.insert(key, Rc::clone(&table)));
        table
    }

    pub fn get(&'static self, name: Symbol) -> Option<Value> {
        let key = std::ptr::from_ref(self) as usize;
        let known = CONTENTS.with_borrow(|c| Some(c.get(&key)?.get(&name).cloned()));
        known
            .unwrap_or_else(|| self.table().get(&name).cloned())
            .or_else(|| prelude::get(self.name, name))
    }

    /// Its names, sorted.
    pub fn names(&'static self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.table().keys().map(|s| s.as_str()).collect();
        names.extend(prelude::names(self.name));
        names.sort_unstable();
        names
    }
}

/// Modules that can be imported, by dotted name.
pub fn modules() -> Vec<&'static Module> {
    let mut all = (given().python.modules)();
    all.extend((given().modules)());
    all
}

/// The module `torch.nn` …
pub fn module(dotted: &str) -> Option<&'static Module> {
    modules().into_iter().find(|m| m.name == dotted)
}

/// `os.path` of `os`.
pub fn submodule(outer: &Module, name: Symbol) -> Option<Value> {
    module(&format!("{}.{name}", outer.name)).map(Value::Module)
}

/// A name that is there from the start: Python's builtins, the modules, and (not strict) the short forms.
pub fn builtin(name: Symbol, strict: bool) -> Option<Value> {
    let known = BUILTINS.with_borrow(|b| Some(b.as_ref()?.get(&name).cloned()));
    let found = known.unwrap_or_else(|| {
        let table: Rc<Table> = Rc::new(
            (given().python.contents)()
                .into_iter()
                .chain(start_modules())
                .map(|(n, v)| (Symbol::new(n), v))
                .collect(),
        );
        BUILTINS.set(Some(Rc::clone(&table)));
        table.get(&name).cloned()
    });
    let written = |name: Symbol| match name.as_str() {
        "bytes" | "bytearray" => prelude::get("builtins", name),
        _ => None,
    };
    match found {
        None if !strict => (given().short_name)(name).or_else(|| written(name)),
        None => written(name),
        found => found,
    }
}

/// The names bound from the start, under strict too: `torch`, `np`, `F`, `nn`, `math`.
fn start_modules() -> Vec<(&'static str, Value)> {
    [
        ("torch", "torch"),
        ("np", "numpy"),
        ("F", "torch.nn.functional"),
        ("nn", "torch.nn"),
        ("math", "math"),
    ]
    .into_iter()
    .filter_map(|(name, dotted)| Some((name, Value::Module(module(dotted)?))))
    .collect()
}

/// Every name that help and completion know at the top level, with its value.
pub fn all(strict: bool) -> Vec<(&'static str, Value)> {
    let mut names = (given().python.contents)();
    names.extend(start_modules());
    if !strict {
        names.extend((given().short_names)());
    }
    names
}

impl Machine {
    /// The value of a top-level name, built-in ones included.
    pub fn lookup(&self, name: &str) -> Option<Value> {
        let symbol = Symbol::new(name);
        self.globals().get(symbol).cloned().or_else(|| builtin(symbol, self.strict()))
    }

    pub fn set_dtype(&mut self, dtype: Dtype) {
        self.options.dtype = dtype;
        follow_dtype(self);
    }
}

/// The type of new tensors follows the setting, until the program chooses one.
pub fn follow_dtype(machine: &mut Machine) {
    let dtype = machine.dtype();
    machine.library.default_dtype = dtype;
    machine.library.torch_print.default_dtype = dtype;
    vjp_tensor::tensor::set_default_dtype(dtype);
}

/// Called once for every new machine.
pub fn start(machine: &mut Machine) {
    follow_dtype(machine);
    // What an earlier machine of this thread left behind.
    vjp_maths::autodiff::grad_mode::Mode::inference(false).set();
    vjp_maths::autodiff::grad_mode::set_detect_anomalies(None);
    vjp_maths::saved::packing::set(Vec::new());
    vjp_maths::saved::packing::disable(None);
    vjp_ops::autocast::set(None);
    vjp_tensor::random::manual_seed(0);
}

/// The library's state with what is kept elsewhere, for a snapshot.
pub fn taken(machine: &Machine) -> State {
    State {
        recording: Some(vjp_maths::autodiff::grad_mode::is_grad_enabled()),
        random: Some(Rc::new(vjp_tensor::random::state())),
        ..machine.library.clone()
    }
}

/// Called after a snapshot was put back: state kept elsewhere follows `machine.library`.
pub fn restored(machine: &mut Machine) {
    // A setting is no input: it stays.
    match machine.library.chosen_dtype {
        true => vjp_tensor::tensor::set_default_dtype(machine.library.default_dtype),
        false => follow_dtype(machine),
    }
    vjp_ops::autocast::set(None);
    if let Some(recording) = machine.library.recording.take() {
        vjp_maths::autodiff::grad_mode::set_grad_enabled(recording);
    }
    if let Some(random) = machine.library.random.take() {
        vjp_tensor::random::restore((*random).clone());
    }
}

/// Whether a module is one of those of which only a part is provided.
pub fn is_partial(module: &str) -> bool {
    let whole = module.split('.').next().unwrap_or(module);
    matches!(whole, "torch" | "numpy" | "matplotlib" | "seaborn" | "IPython" | "os" | "importlib")
}

/// The names that a value has, for `dir`, completion and "did you mean".
pub fn attributes_of(value: &Value) -> Vec<&'static str> {
    match value {
        Value::Module(m) => m.names(),
        Value::Tensor(_) | Value::Array(_) | Value::NpScalar(..) => (given().attributes)(),
        Value::Number(_) => (given().attributes)(),
        Value::List(l) => {
            let mut names = (given().python.method_names)("list");
            if l.numeric.get() {
                names.extend((given().attributes)());
            }
            names
        }
        Value::Instance(i) => {
            let mut names: Vec<&'static str> =
                i.attributes.borrow().iter().map(|(n, _)| n.as_str()).collect();
            names.extend(class_names(&i.class()));
            names
        }
        Value::Class(c) => class_names(c),
        Value::Type(t) if t.module.starts_with("torch") && t.name == "Tensor" => {
            (given().attributes)()
        }
        Value::Type(t) => (given().python.method_names)(t.name),
        Value::Object(o) => o.names(),
        other => (given().python.method_names)(&crate::name_of(other)),
    }
}

/// Refuses keywords that a class of Python's does not take.
pub fn check_keywords(class: &Type, args: &Args) -> Outcome<()> {
    match class.module == "builtins" && !args.named.is_empty() {
        true => (given().python.check_class)(class, args),
        false => Ok(()),
    }
}

fn class_names(class: &Rc<crate::Class>) -> Vec<&'static str> {
    let mut names = Vec::new();
    for c in crate::language::class::order(class) {
        if let Value::Class(c) = c {
            names.extend(c.attributes.borrow().iter().map(|(n, _)| n.as_str()));
        }
    }
    names
}

/// A table of functions as contents.
pub fn values(table: &'static [Builtin]) -> Vec<(&'static str, Value)> {
    table.iter().map(|b| (b.name, Value::Builtin(b))).collect()
}
