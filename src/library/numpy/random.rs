//! What `numpy.random` is made of: streams of random numbers. The functions and classes themselves are a
//! page of the library (`prelude/numpy/random.py`).

use crate::create::sizes;
use std::cell::RefCell;
use std::rc::Rc;
use vjp_binder::Given;
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Machine, Object, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_tensor::exact_integers::exact;
use vjp_tensor::random::numpy_draws;
use vjp_tensor::random::numpy_stream::{Bounded, Stream};
use vjp_tensor::{Complaint, Dtype, Kind, Tensor, budget};

builtins! {
    pub static BUILTINS in "numpy.random";
    "_usual" "()" |_, _| Ok(held(None)), "The stream of np.random's own functions.";
    "_legacy" "(words)" |_, a| { let g = Given::of(a)?; Ok(held(Some(legacy(&words(&g)?)?))) }, "A stream of mt19937.";
    "_pcg" "(words)" |_, a| { let g = Given::of(a)?; Ok(held(Some(Stream::pcg(&words(&g)?)))) }, "A stream of PCG64.";
    "_seed" "(stream, words)" seed, "Begins a stream again.";
    "_state" "(stream)" |m, a| drawn(m, a, |_, s| Ok(held(Some(s.clone())))), "A copy of a stream.";
    "_restore" "(stream, words)" restore, "Makes a stream continue as another.";
    "_double" "(stream)" |m, a| drawn(m, a, |_, s| Ok(Value::Float(s.double()))), "A number from [0, 1).";
    "_normal" "(stream)" |m, a| drawn(m, a, |_, s| Ok(Value::Float(s.normal()))), "A standard normal number.";
    "_doubles" "(stream, shape)" |m, a| filled(m, a, Stream::double), "Numbers from [0, 1).";
    "_singles" "(stream, shape)" |m, a| filled(m, a, Stream::single), "Numbers from [0, 1) with 24 bits.";
    "_normals" "(stream, shape)" |m, a| filled(m, a, Stream::normal), "Standard normal numbers.";
    "_draws" "(stream, name, shape, a, b)" draws, "Numbers of a distribution; a and b are numbers, or flat lists of them.";
    "_integer" "(stream, low, most, masked)" |m, a| drawn(m, a, |g, s| {
        let (low, most) = (whole(g, "low")?, whole(g, "most")?);
        Ok(Value::from(i128::from(low) + i128::from(s.to(most.wrapping_sub(low) as u64, way(g)))))
    }), "A whole number between two others.";
    "_integers" "(stream, low, most, masked, shape, bits)" integers, "Whole numbers between two others.";
    "_order" "(stream, count, first, masked)" order, "0, 1, … as they stand after a shuffle.";
    "_floyd" "(stream, population, count, shuffle)" floyd, "Some of 0, 1, … without repetition.";
}

/// A stream as a program holds it; None is the one of np.random's own functions.
struct Held(Option<Rc<RefCell<Stream>>>);

fn held(stream: Option<Stream>) -> Value {
    Value::Object(Rc::new(Held(stream.map(|s| Rc::new(RefCell::new(s))))))
}

fn legacy(words: &[u32]) -> Tried<Stream> {
    Ok(match words {
        [] => raise!(Kind::Value, "Seed must be non-empty"),
        [seed] => Stream::legacy(*seed),
        _ => Stream::legacy_by_key(words),
    })
}

fn whole(g: &Given, name: &str) -> Tried<i64> {
    match g.value(name).map(|v| (v.as_int(), v)) {
        Some((Some(n), _)) => Ok(n),
        Some((None, v)) if v.whole().is_some() => {
            raise!(Kind::Value, "{name} is out of bounds for int64")
        }
        _ => raise!(Kind::Type, "an integer is required"),
    }
}

fn way(g: &Given) -> Bounded {
    match g.value("masked") {
        Some(Value::Bool(true)) => Bounded::Masked,
        _ => Bounded::Lemire,
    }
}

/// The seed's words of 32 bits.
fn words(g: &Given) -> Tried<Vec<u32>> {
    let words = match g.value("words") {
        Some(Value::List(list)) => {
            let word = |v: &Value| v.as_int().and_then(|n| u32::try_from(n).ok());
            list.items.borrow().iter().map(word).collect()
        }
        _ => None,
    };
    match words {
        Some(words) => Ok(words),
        None => raise!(Kind::Value, "Seed must be between 0 and 2**32 - 1"),
    }
}

fn count(shape: &[usize]) -> Tried<usize> {
    match shape.iter().try_fold(1usize, |all, n| all.checked_mul(*n)) {
        Some(count) => Ok(count),
        None => raise!(
            Kind::Value,
            "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size."
        ),
    }
}

/// The stream of the first argument.
fn drawn(
    machine: &mut Machine,
    args: Args,
    draw: impl FnOnce(&Given, &mut Stream) -> Tried<Value>,
) -> Tried<Value> {
    let g = Given::of(args)?;
    let Some(Value::Object(o)) = g.raw(0) else {
        raise!(Kind::Type, "{}() needs a stream", g.name);
    };
    match o.as_any().downcast_ref::<Held>() {
        Some(Held(Some(own))) => draw(&g, &mut own.borrow_mut()),
        Some(Held(None)) => {
            draw(&g, machine.library.numpy_stream.get_or_insert_with(|| Stream::legacy(0)))
        }
        None => raise!(Kind::Type, "{}() needs a stream", g.name),
    }
}

fn seed(machine: &mut Machine, args: Args) -> Tried<Value> {
    drawn(machine, args, |g, s| {
        *s = match s {
            Stream::Legacy { .. } => legacy(&words(g)?)?,
            Stream::Pcg { .. } => Stream::pcg(&words(g)?),
        };
        Ok(Value::None)
    })
}

fn restore(machine: &mut Machine, args: Args) -> Tried<Value> {
    drawn(machine, args, |g, s| {
        if let Some(Value::Object(o)) = g.value("words")
            && let Some(Held(Some(other))) = o.as_any().downcast_ref::<Held>()
        {
            s.clone_from(&other.borrow());
            return Ok(Value::None);
        }
        raise!(Kind::Type, "state must be a dict or a tuple.")
    })
}

fn array(shape: &[usize], data: Vec<f64>, dtype: Dtype) -> Value {
    Value::Array(Variable::constant(Tensor::typed(shape, data, dtype)))
}

fn filled(machine: &mut Machine, args: Args, one: fn(&mut Stream) -> f64) -> Tried<Value> {
    drawn(machine, args, |g, s| {
        let shape = sizes(&g.value("shape").unwrap_or(Value::None))?;
        let data = budget::listed(count(&shape)?, |_| one(s)).at(g.site.span)?;
        Ok(array(&shape, data, Dtype::Float64))
    })
}

fn draws(machine: &mut Machine, args: Args) -> Tried<Value> {
    drawn(machine, args, |g, s| {
        let name = g.value("name").as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
        let Some(one) = numpy_draws::draw(&name) else {
            return Err(Complaint::absent(name).into());
        };
        let parameters = |name: &str| match g.value(name) {
            Some(Value::List(list)) => {
                list.items.borrow().iter().filter_map(Value::as_float).collect()
            }
            other => vec![other.as_ref().and_then(Value::as_float).unwrap_or(0.0)],
        };
        let (a, b): (Vec<f64>, Vec<f64>) = (parameters("a"), parameters("b"));
        let shape = sizes(&g.value("shape").unwrap_or(Value::None))?;
        let mut stopped = Ok(());
        let data = budget::listed(count(&shape)?, |k| {
            if k % 1024 == 0 && stopped.is_ok() {
                stopped = budget::tick();
            }
            let at = |v: &[f64]| v.get(k % v.len().max(1)).copied().unwrap_or(0.0);
            if stopped.is_ok() { one(s, at(&a), at(&b)) } else { 0.0 }
        });
        stopped.at(g.site.span)?;
        Ok(array(&shape, data.at(g.site.span)?, Dtype::Float64))
    })
}

/// Types of 1, 8 and 16 bits are cut from one word after the other.
fn integers(machine: &mut Machine, args: Args) -> Tried<Value> {
    drawn(machine, args, |g, s| {
        let (shape, bits, way) =
            (sizes(&g.value("shape").unwrap_or(Value::None))?, whole(g, "bits")?, way(g));
        let (low, most) = (whole(g, "low")?, whole(g, "most")?);
        let span = most.wrapping_sub(low) as u64;
        let (mut word, mut left) = (0u32, 0u32);
        let mask = u64::MAX.checked_shr(span.leading_zeros()).unwrap_or(0);
        let mut narrow = |s: &mut Stream, width: u32| {
            if left == 0 {
                (word, left) = (s.word(), 32 / width);
            } else {
                word >>= width;
            }
            left -= 1;
            u64::from(word & ((1 << width) - 1))
        };
        let mut one = |s: &mut Stream| match bits {
            1 | 8 | 16 if span == 0 => 0,
            1 => narrow(s, 1),
            8 | 16 if way == Bounded::Masked => loop {
                let value = narrow(s, bits as u32) & mask;
                if value <= span {
                    return value;
                }
            },
            8 | 16 => {
                let (size, count) = (1u64 << bits, span + 1);
                if count == size {
                    return narrow(s, bits as u32);
                }
                loop {
                    let product = narrow(s, bits as u32) * count;
                    if product % size >= (size - count) % count {
                        return product / size;
                    }
                }
            }
            _ => s.to(span, way),
        };
        let mut beyond = Ok(());
        let data = budget::listed(count(&shape)?, |_| {
            let n = low.wrapping_add(one(s) as i64);
            exact(n).unwrap_or_else(|complaint| {
                beyond = Err(complaint);
                f64::NAN
            })
        });
        beyond.at(g.site.span)?;
        let dtype = match bits {
            1 => Dtype::Bool,
            8 => Dtype::Uint8,
            16 => Dtype::Int16,
            32 => Dtype::Int32,
            _ => Dtype::Int64,
        };
        Ok(array(&shape, data.at(g.site.span)?, dtype))
    })
}

fn listed(places: Vec<i64>) -> Value {
    let data = places.iter().map(|p| *p as f64).collect();
    array(&[places.len()], data, Dtype::Int64)
}

fn order(machine: &mut Machine, args: Args) -> Tried<Value> {
    drawn(machine, args, |g, s| {
        let (count, first) =
            (whole(g, "count")?.max(0) as usize, whole(g, "first")?.max(0) as usize);
        let mut places = budget::listed(count, |k| k as i64).at(g.site.span)?;
        s.shuffle(&mut places, first, way(g)).at(g.site.span)?;
        Ok(listed(places))
    })
}

/// Floyd's way, as Bentley has it: each new place is one that was not taken.
fn floyd(machine: &mut Machine, args: Args) -> Tried<Value> {
    drawn(machine, args, |g, s| {
        let (population, count) = (whole(g, "population")?.max(0), whole(g, "count")?.max(0));
        let mut taken = std::collections::HashSet::new();
        let mut places = Vec::new();
        for j in (population - count).max(0)..population {
            budget::tick().at(g.site.span)?;
            let drawn = s.to(j as u64, Bounded::Lemire) as i64;
            let place = if taken.insert(drawn) { drawn } else { j };
            taken.insert(place);
            places.push(place);
        }
        if matches!(g.value("shuffle"), Some(Value::Bool(true))) {
            s.shuffle(&mut places, 1, Bounded::Lemire).at(g.site.span)?;
        }
        Ok(listed(places))
    })
}

impl Object for Held {
    fn type_name(&self) -> String {
        "numpy.random._stream".to_owned()
    }

    fn repr(&self, _: &mut Machine) -> Tried<String> {
        Ok("<stream of random numbers>".to_owned())
    }

    fn snapshot(&self) -> Option<Box<dyn Fn()>> {
        let own = Rc::clone(self.0.as_ref()?);
        let kept = own.borrow().clone();
        Some(Box::new(move || {
            own.replace(kept.clone());
        }))
    }
}
