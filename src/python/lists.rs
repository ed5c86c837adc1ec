//! Methods of `list` and `tuple`.

use num_traits::ToPrimitive;
use std::rc::Rc;
use vjp_eval::library::builtins;
use vjp_eval::values::value::List;
use vjp_eval::{Args, Machine, Site, Tried, Value, leaf, name_of, raise};
use vjp_maths::observe::value_reads;
use vjp_tensor::{Kind, budget};

type Made = Tried<Value>;

builtins! {
    pub static METHODS;
    "list" "append" "(obj, /)" append, "Appends an element.";
    "list" "extend" "(iterable, /)" extend, "Appends the elements of an iterable.";
    "list" "insert" "(index, obj, /)" insert, "Inserts an element before an index.";
    "list" "pop" "(index=-1, /)" pop, "Removes an element.";
    "list" "remove" "(value, /)" remove, "Removes the first element equal to the value.";
    "list" "clear" "()" |_, a| { let l = list(&a)?; l.put(Vec::new()); l.touch(); Ok(Value::None) }, "Removes all elements.";
    "list" "copy" "()" copy, "Makes a shallow copy.";
    "list" "reverse" "()" |_, a| { let l = list(&a)?; l.written()?.reverse(); l.touch(); Ok(Value::None) }, "Reverses the list in place.";
    "list" "sort" "(*, key=None, reverse=False)" sort, "Sorts the elements in place.";
    "list" "index" "(value, start=0, stop=…, /)" index, "Returns the first index of a value.";
    "list" "count" "(value, /)" count, "Counts how often a value occurs.";
    "tuple" "index" "(value, start=0, stop=…, /)" index, "Returns the first index of a value.";
    "tuple" "count" "(value, /)" count, "Counts how often a value occurs.";
    "range" "index" "(value, /)" index, "Returns the first index of a value.";
    "range" "count" "(value, /)" count, "Counts how often a value occurs.";
    "slice" "indices" "(len, /)" |m, a| {
        a.count_beyond(1, 1, 1)?;
        let Value::Slice(s) = &a.positional[0] else { return Ok(Value::None) };
        let n = usize::try_from(m.as_index(&a.positional[1])?).unwrap_or(0);
        let (start, stop, step) = m.bounds(&s.clone(), n)?;
        Ok(Value::tuple(vec![Value::Int(start), Value::Int(stop), Value::Int(step)]))
    }, "Returns (start, stop, step) for a sequence of the given length.";
}

fn list(args: &Args) -> Tried<Rc<List>> {
    match args.positional.first() {
        Some(Value::List(l)) => Ok(Rc::clone(l)),
        other => raise!(
            Kind::Type,
            "descriptor '{}' for 'list' objects doesn't apply to a '{}' object",
            args.name(),
            other.map_or_else(|| "NoneType".into(), name_of)
        ),
    }
}

/// Called after elements came in from outside.
fn changed(l: &List, components: bool) {
    if !components || l.items.borrow().is_empty() {
        l.numeric.set(false);
    }
    l.touch();
}

fn append(_: &mut Machine, args: Args) -> Made {
    let l = list(&args)?;
    args.count_beyond(1, 1, 1)?;
    let mut v = args.positional[1].clone();
    leaf::join(&l, std::slice::from_mut(&mut v))?;
    let component = leaf::is_component(&v);
    l.written()?.push(v);
    changed(&l, component);
    Ok(Value::None)
}

fn extend(m: &mut Machine, args: Args) -> Made {
    let l = list(&args)?;
    args.count_beyond(1, 1, 1)?;
    let mut new = m.collect(&args.positional[1])?;
    leaf::join(&l, &mut new)?;
    let components = new.iter().all(leaf::is_component);
    l.written()?.extend(new);
    changed(&l, components);
    Ok(Value::None)
}

fn insert(m: &mut Machine, args: Args) -> Made {
    let l = list(&args)?;
    args.count_beyond(1, 2, 2)?;
    let at = m.as_index(&args.positional[1])?;
    let n = l.items.borrow().len() as i64;
    let at = if at < 0 { (at + n).max(0) } else { at.min(n) };
    let mut v = args.positional[2].clone();
    leaf::join(&l, std::slice::from_mut(&mut v))?;
    let component = leaf::is_component(&v);
    l.written()?.insert(at as usize, v);
    changed(&l, component);
    Ok(Value::None)
}

fn pop(m: &mut Machine, args: Args) -> Made {
    let l = list(&args)?;
    args.count_beyond(1, 0, 1)?;
    let n = l.items.borrow().len() as i64;
    if n == 0 {
        raise!(Kind::Index, "pop from empty list");
    }
    let at = match args.positional.get(1) {
        Some(v) => m.as_index(v)?,
        None => -1,
    };
    let at = if at < 0 { at + n } else { at };
    if !(0..n).contains(&at) {
        raise!(Kind::Index, "pop index out of range");
    }
    let v = l.written()?.remove(at as usize);
    let v = leaf::element(&l, at as usize, v);
    l.touch();
    Ok(v)
}

fn remove(m: &mut Machine, args: Args) -> Made {
    let l = list(&args)?;
    args.count_beyond(1, 1, 1)?;
    let items = budget::copied(&l.items.borrow())?;
    for (i, v) in items.iter().enumerate() {
        if m.is_or_equals(v, &args.positional[1])? {
            l.written()?.remove(i);
            l.touch();
            return Ok(Value::None);
        }
    }
    raise!(Kind::Value, "list.remove(x): x not in list")
}

fn copy(m: &mut Machine, args: Args) -> Made {
    all_of(m, &Value::List(list(&args)?))
}

/// `list[:]`.
pub fn all_of(m: &mut Machine, list: &Value) -> Made {
    m.get_item(list, &Value::Slice(Rc::new([Value::None, Value::None, Value::None])))
}

/// The elements sorted by a key.
pub fn in_order(
    m: &mut Machine,
    items: Vec<Value>,
    key: Option<Value>,
    reverse: Option<Value>,
    site: &Site,
) -> Tried<Vec<Value>> {
    let reverse = match reverse {
        Some(v) => m.truth(&v)?,
        None => false,
    };
    let key = key.filter(|k| !k.is_none());
    let mut keyed = budget::vec(items.len())?;
    for v in items {
        budget::tick()?;
        let k = match &key {
            Some(f) => m.call_with(f, vec![v.clone()], site)?,
            None => v.clone(),
        };
        keyed.push((k, v));
    }
    m.sort(&mut keyed, reverse)?;
    Ok(budget::collected(keyed.into_iter().map(|(_, v)| v))?)
}

fn sort(m: &mut Machine, mut args: Args) -> Made {
    let l = list(&args)?;
    let (key, reverse) = (args.take("key"), args.take("reverse"));
    args.only_names(&[])?;
    if args.positional.len() > 1 {
        raise!(Kind::Type, "sort() takes no positional arguments");
    }
    l.tensor().iter().for_each(value_reads::at);
    let items = budget::copied(&l.items.borrow())?;
    let sorted = in_order(m, items, key, reverse, &args.site)?;
    l.put(sorted);
    l.touch();
    Ok(Value::None)
}

fn index(m: &mut Machine, args: Args) -> Made {
    args.count_beyond(1, 1, 3)?;
    let of = &args.positional[0];
    if let (Value::Range(r), 2) = (of, args.positional.len())
        && let Some(n) = args.positional[1].whole()
        && let Some(place) = n.to_i128().and_then(|n| r.place(n))
    {
        return Ok(place.into());
    }
    let items = m.collect(of)?;
    let bound = |i: usize| args.positional.get(i).cloned().unwrap_or(Value::None);
    let (from, to, _) = m.bounds(&[bound(2), bound(3), Value::None], items.len())?;
    for i in from..to {
        if m.is_or_equals(&items[i as usize], &args.positional[1])? {
            return Ok(Value::Int(i));
        }
    }
    if let Value::Tuple(_) = of {
        raise!(Kind::Value, "tuple.index(x): x not in tuple");
    }
    let shown = vjp_eval::display::python::repr(m, &args.positional[1])?;
    raise!(Kind::Value, "{shown} is not in {}", name_of(of))
}

fn count(m: &mut Machine, args: Args) -> Made {
    args.count_beyond(1, 1, 1)?;
    let mut n = 0;
    for v in m.collect(&args.positional[0])? {
        n += i64::from(m.is_or_equals(&v, &args.positional[1])?);
    }
    Ok(Value::Int(n))
}
