//! `torch.Generator`: random numbers of their own, and where the usual ones stand.

use num_traits::ToPrimitive;
use std::cell::RefCell;
use std::rc::Rc;
use vjp_binder::Given;
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Builtin, Halt, Machine, Object, Tried, Type, Value, raise};
use vjp_maths::Variable;
use vjp_tensor::random::Generator;
use vjp_tensor::random::generator_bytes::STATE_BYTES;
use vjp_tensor::{Dtype, Kind, Tensor, random, torch_messages};
use vjp_text::Symbol;

/// A generator as a program holds it; None is the usual one.
struct Held(Option<Rc<RefCell<Generator>>>);

/// PyTorch's seed of a generator that nobody seeded.
const UNSEEDED: u64 = 67_280_421_310_721;

pub static GENERATOR: Type = Type {
    name: "Generator",
    module: "torch._C",
    help: "An independent source of random numbers.",
    includes: |v| matches!(v, Value::Object(o) if o.as_any().is::<Held>()),
    construct: |_, _, _| {
        let fresh = Rc::new(RefCell::new(Generator::new(UNSEEDED)));
        Ok(Value::Object(Rc::new(Held(Some(fresh)))))
    },
    attribute: |name| Some(Value::Builtin(METHODS.iter().find(|b| b.name == name)?)),
    exception: None,
    base: None,
};

/// `torch.default_generator`.
pub fn default() -> Value {
    Value::Object(Rc::new(Held(None)))
}

/// Runs a function that draws with the generator that its argument `generator` names.
pub fn using(
    machine: &mut Machine,
    mut args: Args,
    run: fn(&mut Machine, Args) -> Tried<Value>,
) -> Tried<Value> {
    let held = match args.take("generator") {
        None | Some(Value::None) => None,
        Some(Value::Object(o)) => match o.as_any().downcast_ref::<Held>() {
            Some(held) => held.0.clone(),
            None => return Err(no_generator(&args, &Value::Object(Rc::clone(&o)))),
        },
        Some(other) => return Err(no_generator(&args, &other)),
    };
    let Some(held) = held else {
        return run(machine, args);
    };
    let usual = random::state();
    random::restore(held.borrow().clone());
    let result = run(machine, args);
    held.replace(random::state());
    random::restore(usual);
    result
}

fn no_generator(args: &Args, value: &Value) -> Halt {
    Halt::new(
        Kind::Type,
        format!(
            "{}(): argument 'generator' must be torch.Generator, not {}",
            args.name(),
            vjp_eval::name_of(value)
        ),
    )
}

/// The seed of a generator.
pub fn seed_shown(g: &Generator) -> Value {
    Value::from(i128::from(g.seed()))
}

/// The seed that a call gives.
pub fn seed_of(value: Value) -> Tried<u64> {
    match (value.whole(), value.as_float()) {
        (Some(n), _) => match (n.to_i64(), n.to_u64()) {
            (Some(seed), _) => Ok(seed as u64),
            (None, Some(seed)) => Ok(seed),
            _ => Err(torch_messages::long_unpacked().into()),
        },
        (None, Some(seed)) => Ok(seed as i64 as u64),
        _ => {
            raise!(Kind::Type, "manual_seed expected a long, but got {}", vjp_eval::name_of(&value))
        }
    }
}

builtins! {
    static METHODS in "Generator";
    "manual_seed" "(self, seed)" |m, a| with_held(m, a, |g, given, this| {
        *g = Generator::new(seed_of(given.value("seed").unwrap_or(Value::None))?);
        Ok(this.clone())
    }), "Sets the seed; returns the generator.";
    "seed" "(self)" |m, a| with_held(m, a, |g, _, _| {
        *g = Generator::new(by_chance());
        Ok(seed_shown(g))
    }), "Sets a random seed and returns it.";
    "initial_seed" "(self)" |m, a| with_held(m, a, |g, _, _| Ok(seed_shown(g))), "Returns the current seed.";
    "get_state" "(self)" |m, a| with_held(m, a, |g, _, _| Ok(shown(g))), "Returns the state of the generator.";
    "set_state" "(self, new_state)" |m, a| with_held(m, a, |g, given, this| {
        *g = read(given)?;
        Ok(this.clone())
    }), "Restores a state of the generator.";
}

fn with_held(
    _: &mut Machine,
    args: Args,
    run: impl FnOnce(&mut Generator, &Given, &Value) -> Tried<Value>,
) -> Tried<Value> {
    let given = Given::of(args)?;
    let this = given.raw(0).unwrap_or(Value::None);
    let Value::Object(o) = &this else {
        raise!(Kind::Type, "{}() needs a generator", given.name);
    };
    match o.as_any().downcast_ref::<Held>() {
        Some(Held(Some(own))) => run(&mut own.borrow_mut(), &given, &this),
        Some(Held(None)) => random::with(|g| run(g, &given, &this)),
        None => raise!(Kind::Type, "{}() needs a generator", given.name),
    }
}

/// A seed that differs from run to run.
fn by_chance() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0) >> 11
}

pub fn seed(_: &mut Machine, _: Args) -> Tried<Value> {
    let seed = by_chance();
    random::manual_seed(seed);
    Ok(Value::Int(seed as i64))
}

fn shown(g: &Generator) -> Value {
    let bytes = g.to_bytes().into_iter().map(f64::from).collect();
    let made = Tensor::typed(&[STATE_BYTES], bytes, Dtype::Uint8);
    Value::Tensor(Variable::constant(made))
}

fn read(given: &Given) -> Tried<Generator> {
    let Some(Value::Tensor(t)) = given.value("new_state") else {
        raise!(
            Kind::Type,
            "expected a torch.ByteTensor, but got {}",
            vjp_eval::name_of(&given.value("new_state").unwrap_or(Value::None))
        );
    };
    if t.dtype() != Dtype::Uint8 {
        raise!(Kind::Type, "expected a torch.ByteTensor, but got {}", t.dtype().type_name());
    }
    let bytes: Vec<u8> = t.value().data().iter().map(|v| *v as u8).collect();
    match Generator::from_bytes(&bytes) {
        Some(generator) => Ok(generator),
        None => raise!(
            "Expected a CPUGeneratorImplState of size {STATE_BYTES} but found the input RNG state size to be {}",
            bytes.len()
        ),
    }
}

pub fn get_state(_: &mut Machine, _: Args) -> Tried<Value> {
    Ok(random::with(|g| shown(g)))
}

pub fn set_state(_: &mut Machine, args: Args) -> Tried<Value> {
    let span = args.site.span;
    let given = Given::read(args, "(new_state)", false).at(span)?;
    let generator = read(&given)?;
    random::restore(generator);
    Ok(Value::None)
}

impl Object for Held {
    fn type_name(&self) -> String {
        "torch._C.Generator".to_owned()
    }

    fn get(&self, this: &Value, name: Symbol, _: &mut Machine) -> Tried<Option<Value>> {
        if name.as_str() == "device" {
            return Ok(Some(vjp_binder::device::cpu()));
        }
        let method: Option<&'static Builtin> = METHODS.iter().find(|b| b.name == name.as_str());
        Ok(method.map(|m| vjp_binder::results::bound(this, m)))
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        let address = match &self.0 {
            Some(own) => Rc::as_ptr(own) as usize,
            None => vjp_tensor::ids::ADDRESSES,
        };
        Ok(format!("<torch._C.Generator object at {address:#x}>"))
    }

    fn snapshot(&self) -> Option<Box<dyn Fn()>> {
        let own = Rc::clone(self.0.as_ref()?);
        let kept = own.borrow().clone();
        Some(Box::new(move || {
            own.replace(kept.clone());
        }))
    }
}

/// `with torch.random.fork_rng():` leaves the random numbers where they stood.
struct Forked(RefCell<Vec<Generator>>);

builtins! {
    /// `torch.random`.
    pub static RANDOM in "torch.random";
    "_fork" "()" |_, _| {
        let seed = random::with(Generator::long) & i64::MAX as u64;
        let held = Rc::new(RefCell::new(Generator::new(seed)));
        Ok(Value::Object(Rc::new(Held(Some(held)))))
    }, "A generator with a random seed.";
    "fork_rng" "(*args, **kwargs)" |_, _| Ok(Value::Object(Rc::new(Forked(RefCell::default())))), "Restores the random state at the end of the block.";
}

impl Object for Forked {
    fn type_name(&self) -> String {
        "contextlib._GeneratorContextManager".to_owned()
    }

    fn enter(&self, _: &mut Machine) -> Option<Tried<Value>> {
        self.0.borrow_mut().push(random::state());
        Some(Ok(Value::None))
    }

    fn exit(&self, _: &mut Machine) -> Tried<()> {
        if let Some(state) = self.0.borrow_mut().pop() {
            random::restore(state);
        }
        Ok(())
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok("<contextlib._GeneratorContextManager object>".to_owned())
    }
}
