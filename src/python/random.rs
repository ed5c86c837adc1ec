//! Python's `random`: the Mersenne Twister, so that a seed gives the numbers it gives in CPython.

use num_bigint::{BigInt, BigUint};
use num_traits::{Signed, Zero};
use std::rc::Rc;
use vjp_eval::library::builtins;
use vjp_eval::library::python_random::Twister;
use vjp_eval::values::integer;
use vjp_eval::{Args, Machine, Module, Object, Tried, Value, raise};
use vjp_tensor::{Kind, budget};

type Made = Tried<Value>;

pub static RANDOM: Module = Module {
    name: "random",
    help: "Random numbers",
    contents: || FUNCTIONS.iter().map(|b| (b.name, Value::Builtin(b))).collect(),
};

builtins! {
    static FUNCTIONS in "random";
    "seed" "(a=None)" seed, "Sets the seed.";
    "random" "()" |m, a| { a.count(0, 0)?; Ok(Value::Float(twister(m).float())) }, "Draws a number from [0, 1).";
    "uniform" "(a, b)" uniform, "Draws a number between two bounds.";
    "randint" "(a, b)" |m, a| { a.count(2, 2)?; let low = m.as_whole(&a.positional[0])?; let beyond = m.as_whole(&a.positional[1])? + 1; between(m, low, beyond) }, "Draws an integer from a to b.";
    "randrange" "(start, stop=None, step=1)" randrange, "Draws an element of range(start, stop, step).";
    "choice" "(seq)" choice, "Returns a random element.";
    "_sample" "(population, k)" sample, "Draws k elements without replacement.";
    "shuffle" "(x)" shuffle, "Shuffles a list in place.";
    "gauss" "(mu=0.0, sigma=1.0)" gauss, "Draws a normally distributed number.";
    "normalvariate" "(mu=0.0, sigma=1.0)" normal, "Draws a normally distributed number.";
    "_swap" "(state, /)" swap, "Draws from another state, and returns the one before.";
    "_words" "()" words, "Returns the state as numbers.";
    "_of_words" "(words, spare, /)" of_words, "Makes the state of its numbers.";
    "getrandbits" "(k)" bits, "Draws an integer with k random bits.";
}

fn twister(m: &mut Machine) -> &mut Twister {
    &mut m.library.twister
}

/// The state of a `random.Random`; it never changes, so that `:undo` finds it as it was.
struct Held(Twister);

impl Object for Held {
    fn type_name(&self) -> String {
        "state".into()
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok("<state>".into())
    }
}

fn swap(m: &mut Machine, args: Args) -> Made {
    let state = match args.positional.first() {
        Some(Value::Object(o)) => o.as_any().downcast_ref::<Held>().map(|h| h.0.clone()),
        _ => None,
    };
    let before = std::mem::replace(twister(m), state.unwrap_or_default());
    Ok(Value::Object(Rc::new(Held(before))))
}

fn words(m: &mut Machine, _: Args) -> Made {
    let t = twister(m);
    let words = t.words().into_iter().map(|w| Value::Int(w.into())).collect();
    let spare = t.spare.map_or(Value::None, Value::Float);
    Ok(Value::tuple(vec![Value::Int(3), Value::tuple(words), spare]))
}

fn of_words(m: &mut Machine, args: Args) -> Made {
    let word = |v: &Value| u32::try_from(v.as_int()?).ok();
    let all = m.collect(&args.positional[0])?;
    let all: Option<Vec<u32>> = all.iter().map(word).collect();
    let spare = args.positional[1].as_float();
    match all.and_then(|all| Twister::of_words(&all, spare)) {
        Some(made) => *twister(m) = made,
        None => raise!(Kind::Value, "state vector is the wrong size"),
    }
    Ok(Value::None)
}

fn seed(m: &mut Machine, mut args: Args) -> Made {
    let n = match args.take_at(0, "a") {
        None | Some(Value::None) => BigUint::ZERO,
        Some(Value::Str(text)) => of_text(text.as_bytes()),
        Some(v) => match v.whole() {
            Some(n) => n.magnitude().clone(),
            None if v.as_float().is_none() => raise!(
                Kind::Type,
                "The only supported seed types are: None,\nint, float, str, bytes, and bytearray."
            ),
            None => {
                vjp_eval::values::set_order::hash(&m.key(&v)?).unwrap_or(0).unsigned_abs().into()
            }
        },
    };
    budget::reserve(n.bits() as usize / 8)?;
    *twister(m) = Twister::seeded(&n);
    Ok(Value::None)
}

/// A text and its SHA-512, as one number.
fn of_text(text: &[u8]) -> BigUint {
    let digest = hmac_sha512::Hash::hash(text);
    BigUint::from_bytes_be(&[text, digest.as_slice()].concat())
}

fn bits(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let k = m.as_index(&args.positional[0])?;
    let Ok(k) = u64::try_from(k) else {
        raise!(Kind::Value, "number of bits must be non-negative");
    };
    Ok(BigInt::from(twister(m).long_bits(k)?).into())
}

fn float_at(m: &mut Machine, args: &mut Args, i: usize, name: &str, usual: f64) -> Tried<f64> {
    match args.take_at(i, name) {
        Some(v) => super::math::real(m, &v),
        None => Ok(usual),
    }
}

fn uniform(m: &mut Machine, mut args: Args) -> Made {
    let a = float_at(m, &mut args, 0, "a", 0.0)?;
    let b = float_at(m, &mut args, 1, "b", 1.0)?;
    Ok(Value::Float(a + (b - a) * twister(m).float()))
}

fn between(m: &mut Machine, start: BigInt, stop: BigInt) -> Made {
    let width: BigInt = &stop - &start;
    if !width.is_positive() {
        raise!(Kind::Value, "empty range for randrange() ({start}, {stop}, {width})");
    }
    let r = twister(m).long_below(width.magnitude())?;
    Ok((start + BigInt::from(r)).into())
}

fn randrange(m: &mut Machine, args: Args) -> Made {
    args.count(1, 3)?;
    let mut parts = Vec::new();
    for v in &args.positional {
        parts.push(m.as_whole(v)?);
    }
    match parts.as_slice() {
        [stop] if !stop.is_positive() => raise!(Kind::Value, "empty range for randrange()"),
        [stop] => between(m, BigInt::ZERO, stop.clone()),
        [start, stop] => between(m, start.clone(), stop.clone()),
        [start, stop, step] if *step == BigInt::from(1) => between(m, start.clone(), stop.clone()),
        [start, stop, step] => {
            if step.is_zero() {
                raise!(Kind::Value, "zero step for randrange()");
            }
            let count = -integer::floor_divided(&(start - stop), step)?.0;
            if !count.is_positive() {
                raise!(Kind::Value, "empty range for randrange()");
            }
            let i = twister(m).long_below(count.magnitude())?;
            Ok((start + step * BigInt::from(i)).into())
        }
        _ => Ok(Value::None),
    }
}

fn choice(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    if let Value::Range(r) = &args.positional[0]
        && !r.is_empty()
    {
        let i = twister(m).below(r.len() as u64);
        return Ok(r.at(i as i64).into());
    }
    let items = m.collect(&args.positional[0])?;
    if items.is_empty() {
        raise!(Kind::Index, "Cannot choose from an empty sequence");
    }
    let i = twister(m).below(items.len() as u64);
    Ok(items[i as usize].clone())
}

fn sample(m: &mut Machine, args: Args) -> Made {
    args.count(2, 2)?;
    let mut pool = m.collect(&args.positional[0])?;
    let (n, k) = (pool.len(), m.as_index(&args.positional[1])?);
    let Some(k) = usize::try_from(k).ok().filter(|k| *k <= n) else {
        raise!(Kind::Value, "Sample larger than population or is negative");
    };
    // CPython draws from a shrinking pool where that is the smaller table, else by rejection.
    let mut table = 21;
    if k > 5 {
        table += 4usize.pow(((k * 3) as f64).log(4.0).ceil() as u32);
    }
    let mut drawn = Vec::with_capacity(k);
    if n <= table {
        for i in 0..k {
            budget::tick()?;
            let j = twister(m).below((n - i) as u64) as usize;
            drawn.push(pool[j].clone());
            pool[j] = pool[n - i - 1].clone();
        }
    } else {
        let mut taken = std::collections::HashSet::new();
        for _ in 0..k {
            budget::tick()?;
            let mut j = twister(m).below(n as u64);
            while !taken.insert(j) {
                j = twister(m).below(n as u64);
            }
            drawn.push(pool[j as usize].clone());
        }
    }
    Ok(Value::list(drawn))
}

fn shuffle(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let Value::List(l) = &args.positional[0] else {
        raise!(Kind::Type, "random.shuffle takes a list");
    };
    let n = l.items.borrow().len();
    for i in (1..n).rev() {
        budget::tick()?;
        let j = twister(m).below(i as u64 + 1);
        l.written()?.swap(i, j as usize);
    }
    l.touch();
    Ok(Value::None)
}

fn gauss(m: &mut Machine, mut args: Args) -> Made {
    let mu = float_at(m, &mut args, 0, "mu", 0.0)?;
    let sigma = float_at(m, &mut args, 1, "sigma", 1.0)?;
    let t = twister(m);
    let z = match t.spare.take() {
        Some(z) => z,
        None => {
            let angle = t.float() * std::f64::consts::TAU;
            let radius = (-2.0 * (1.0 - t.float()).ln()).sqrt();
            t.spare = Some(angle.sin() * radius);
            angle.cos() * radius
        }
    };
    Ok(Value::Float(mu + z * sigma))
}

fn normal(m: &mut Machine, mut args: Args) -> Made {
    let mu = float_at(m, &mut args, 0, "mu", 0.0)?;
    let sigma = float_at(m, &mut args, 1, "sigma", 1.0)?;
    let magic = 4.0 * (-0.5f64).exp() / 2f64.sqrt();
    let t = twister(m);
    loop {
        let u = t.float();
        let v = 1.0 - t.float();
        let z = magic * (u - 0.5) / v;
        if z * z / 4.0 <= -v.ln() {
            return Ok(Value::Float(mu + z * sigma));
        }
    }
}
