//! The state of a session, as an error puts it back and `:undo` returns to it.

use super::held::{Pages, Parts, Snapshot, Wish};
use crate::language::env::{Frame, Globals, Scope};
use crate::values::dict::Table;
use crate::values::shared::{Remembered, Shared, Whole};
use crate::values::value::{Function, List, Set};
use crate::{Class, Dict, Instance, Latest, Machine, Value};
use std::cell::RefCell;
use std::rc::Rc;
use vjp_maths::Variable;
use vjp_maths::autodiff::ancestors;
use vjp_maths::observe::sweeps;
use vjp_tensor::budget;
use vjp_tensor::ids::IdSet;
use vjp_text::Symbol;

impl Snapshot {
    pub fn take(machine: &Machine) -> Snapshot {
        let before = budget::in_use();
        let mut walk = Walk { pages: Pages::now(), ..Walk::default() };
        for (_, value) in machine.globals.iter() {
            walk.waiting.push(value.clone());
        }
        walk.waiting.extend(crate::language::import::put::values(machine));
        walk.run();
        // A leaf whose name is another value's now still gets gradients.
        let leaves = ancestors::leaves_above(both(&walk.pages, &walk.parts));
        leaves.iter().for_each(|leaf| walk.variable(leaf));
        Snapshot {
            options: machine.options,
            globals: machine.globals.clone(),
            whole: walk.pages.whole && !walk.running,
            pages: walk.pages,
            parts: walk.parts,
            library: crate::library::taken(machine),
            past: machine.past.clone(),
            latest: machine.latest.clone(),
            sweeps: sweeps::now(),
            bytes: budget::in_use().saturating_sub(before),
            plain: !walk.instances,
            done: machine.done.clone(),
        }
    }

    /// Whether everything that may change is held.
    pub fn whole(&self) -> bool {
        self.whole
    }

    /// Whether an input without a call runs no code of the program's.
    pub fn plain(&self) -> bool {
        self.plain
    }

    /// The backwards that stood.
    pub fn told(&self) -> &Rc<Vec<u64>> {
        &self.past.told
    }

    pub fn names(&self) -> impl Iterator<Item = (Symbol, &Value)> {
        self.globals.iter()
    }

    /// The tensors in it.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        both(&self.pages, &self.parts)
    }

    /// Whether a program would find everything as it was: what has only been looked at is. `_` is what was
    /// looked at.
    pub fn holds(&self, machine: &Machine) -> bool {
        let named = |names: &Globals| -> Vec<(Symbol, Value)> {
            let names = names.iter().filter(|(n, _)| n.as_str() != "_");
            names.map(|(n, v)| (n, v.clone())).collect()
        };
        let latest = |m: &Option<Rc<Latest>>| m.as_ref().map(Rc::as_ptr);
        self.options == machine.options
            && latest(&self.latest) == latest(&machine.latest)
            && all_same(&named(&self.globals), &named(&machine.globals))
            && self.pages.parts.hold()
            && self.parts.hold()
            && self.library.same(&crate::library::taken(machine))
            // Sweeps free the graph there.
            && (!machine.options.strict || self.sweeps == sweeps::now())
    }

    pub fn restore(&self, machine: &mut Machine) {
        machine.options = self.options;
        machine.globals = self.globals.clone();
        machine.library = self.library.clone();
        machine.past = self.past.clone();
        machine.latest = self.latest.clone();
        sweeps::return_to(&self.sweeps);
        machine.done = self.done.clone();
        self.pages.parts.put_back();
        self.parts.put_back();
        crate::library::restored(machine);
    }
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        // Numbers that are equal may have come about in other ways.
        (Value::Number(a), Value::Number(b)) => a.variable.same(&b.variable),
        (Value::Number(_), _) | (_, Value::Number(_)) => false,
        _ => a.same(b),
    }
}

/// Whether nothing that can be reached from here can change.
fn still(value: &Value, depth: u32) -> bool {
    match value {
        Value::Tuple(t) => depth > 0 && t.items.iter().all(|v| still(v, depth - 1)),
        Value::NpScalar(..) | Value::Range(_) | Value::Dtype(_) | Value::Builtin(_) => true,
        value => !value.is_shared(),
    }
}

/// Names and what they stand for.
type Named = Vec<(Symbol, Value)>;

fn all_same(a: &[(Symbol, Value)], b: &[(Symbol, Value)]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|((n, v), (m, w))| n == m && same(v, w))
}

thread_local! {
    static PAGES: RefCell<Rc<Pages>> = RefCell::default();
}

impl Pages {
    fn now() -> Rc<Pages> {
        let frames = crate::library::prelude::frames();
        let known = PAGES.with_borrow(Rc::clone);
        if known.whole && known.run == frames.len() && known.parts.hold() {
            return known;
        }
        let mut walk = Walk::default();
        for frame in &frames {
            walk.frame(frame);
        }
        walk.run();
        let whole = !walk.running && !budget::stopping();
        let Walk { seen, parts, .. } = walk;
        let pages = Rc::new(Pages { run: frames.len(), seen, parts, whole });
        PAGES.replace(Rc::clone(&pages));
        pages
    }
}

impl Parts {
    /// Whether all are as they were.
    fn hold(&self) -> bool {
        self.variables.iter().all(|(v, state)| v.is_at(state))
            && self.objects.iter().all(|object| object(Wish::Compare))
    }

    fn put_back(&self) {
        for object in &self.objects {
            object(Wish::PutBack);
        }
        for (variable, state) in &self.variables {
            variable.restore(state.clone());
        }
    }
}

/// The tensors of the modules and of the program.
fn both<'a>(pages: &'a Pages, parts: &'a Parts) -> impl Iterator<Item = &'a Variable> {
    pages.parts.variables.iter().chain(&parts.variables).map(|(v, _)| v)
}

/// Visits what can be reached, each object once, without recursion.
#[derive(Default)]
struct Walk {
    pages: Rc<Pages>,
    seen: IdSet,
    waiting: Vec<Value>,
    parts: Parts,
    running: bool,
    instances: bool,
}

impl Walk {
    fn run(&mut self) {
        // What is taken while somebody wishes to stop is not whole: nobody may go back to it.
        while !budget::stopping()
            && let Some(value) = self.waiting.pop()
        {
            self.visit(&value);
        }
    }

    fn fresh(&mut self, address: usize) -> bool {
        !self.pages.seen.contains(&(address as u64)) && self.seen.insert(address as u64)
    }

    /// What a container holds, from now on shared with it; None while it is in use.
    fn remember<T: Whole>(&mut self, of: &RefCell<Shared<T>>) -> Option<Rc<Remembered<T>>> {
        let then = of.try_borrow_mut().map(|mut now| now.remember()).ok();
        self.running |= then.is_none();
        then
    }

    /// Goes on to those parts of a container that may change. Where none may, nobody has to look again.
    fn reach<'a, T>(&mut self, then: &Remembered<T>, parts: impl Iterator<Item = &'a Value>) {
        /// So deep in tuples.
        const DEPTH: u32 = 4;
        if then.still.get() {
            return;
        }
        let reached = self.waiting.len();
        for part in parts {
            if budget::stopping() {
                return;
            }
            if !still(part, DEPTH) {
                self.waiting.push(part.clone());
            }
        }
        then.still.set(self.waiting.len() == reached);
    }

    /// A part of an object that is kept as it is at this moment.
    fn hold<X: 'static, T: Clone + 'static>(
        &mut self,
        object: &Rc<X>,
        part: fn(&X) -> &RefCell<T>,
        same: fn(&T, &T) -> bool,
    ) {
        let (object, then) = (Rc::clone(object), part(object).borrow().clone());
        self.parts.objects.push(Box::new(move |wish| match wish {
            Wish::Compare => same(&part(&object).borrow(), &then),
            Wish::PutBack => {
                let changed = !same(&part(&object).borrow(), &then);
                let old = changed.then(|| part(&object).replace(then.clone()));
                drop(old);
                true
            }
        }));
    }

    /// Names in an object.
    fn attributes<X: 'static>(&mut self, object: &Rc<X>, part: fn(&X) -> &RefCell<Named>) {
        self.hold(object, part, |a, b| all_same(a, b));
        self.waiting.extend(part(object).borrow().iter().map(|(_, v)| v.clone()));
    }

    fn entries<X: 'static>(&mut self, object: &Rc<X>, part: fn(&X) -> &RefCell<Shared<Table>>) {
        let Some(then) = self.remember(part(object)) else {
            return;
        };
        self.reach(&then, then.iter().flat_map(|(_, name, value)| [name, value]));
        let object = Rc::clone(object);
        self.parts.objects.push(Box::new(move |wish| {
            let now = part(&object);
            let unchanged = now.borrow().is(&then);
            if wish == Wish::Compare {
                let now = now.borrow();
                let same = |(a, b): ((_, &Value, &Value), (_, &Value, &Value))| {
                    same(a.1, b.1) && same(a.2, b.2)
                };
                return unchanged
                    || now.len() == then.len() && now.iter().zip(then.iter()).all(same);
            }
            let old = (!unchanged).then(|| now.replace(Shared::from(&then)));
            drop(old);
            true
        }));
    }

    fn visit(&mut self, value: &Value) {
        match value {
            Value::Tensor(v) | Value::Array(v) => self.variable(v),
            Value::Number(n) => self.variable(&n.variable),
            Value::List(l) => self.list(l),
            Value::Tuple(t) if self.fresh(value.address()) => {
                self.waiting.extend(t.items.iter().filter(|v| v.is_shared()).cloned());
            }
            Value::Dict(d) => self.dict(d),
            Value::Set(s) => self.set(s),
            Value::Function(f) => self.function(f),
            Value::BoundFunction(b) => {
                self.waiting.push(b.0.clone());
                self.waiting.push(b.1.clone());
            }
            Value::Method(b) => self.waiting.push(b.0.clone()),
            Value::Class(c) => self.class(c),
            Value::Instance(i) => {
                self.instances = true;
                self.instance(i);
            }
            Value::Iterator(i) if self.fresh(value.address()) => {
                let Ok(now) = i.try_borrow() else {
                    self.running = true;
                    return;
                };
                let copy = now.copied(&mut self.waiting);
                self.scope(now.scope());
                let iterator = Rc::clone(i);
                self.parts.objects.push(Box::new(move |wish| {
                    if wish == Wish::Compare {
                        return false;
                    }
                    let again = copy.copied(&mut Vec::new());
                    let old =
                        iterator.try_borrow_mut().map(|mut i| std::mem::replace(&mut *i, again));
                    drop(old);
                    true
                }));
            }
            Value::Exception(e) if self.fresh(value.address()) => {
                self.hold(
                    e,
                    |e| &e.args,
                    |a, b| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
                );
                self.waiting.extend(e.args.borrow().iter().cloned());
                self.attributes(e, |e| &e.attributes);
                self.waiting.extend(e.own.clone().map(Value::Class));
            }
            Value::Object(o) if self.fresh(value.address()) => {
                if let Some(put_back) = o.snapshot() {
                    self.parts.objects.push(Box::new(move |wish| {
                        let puts = wish == Wish::PutBack;
                        if puts {
                            put_back();
                        }
                        puts
                    }));
                }
                self.waiting.extend(o.children());
            }
            _ => {}
        }
    }

    fn variable(&mut self, v: &Variable) {
        let mut next = Some(v.clone());
        while let Some(v) = next {
            // Ids of variables are small numbers, addresses are not; keep them apart.
            if !self.fresh(!v.id()) {
                return;
            }
            next = v.grad();
            self.parts.variables.push((v.clone(), v.state()));
        }
    }

    fn list(&mut self, l: &Rc<List>) {
        if !self.fresh(Rc::as_ptr(l) as usize) {
            return;
        }
        let Some(then) = self.remember(&l.items) else {
            return;
        };
        self.reach(&then, then.iter());
        let kept = l.kept.borrow().clone();
        l.tensor().iter().for_each(|t| self.variable(t));
        let (list, numeric, leaf) = (Rc::clone(l), l.numeric.get(), l.leaf.borrow().clone());
        self.parts.objects.push(Box::new(move |wish| {
            let unchanged = list.items.borrow().is(&then);
            if wish == Wish::Compare {
                let now = list.items.borrow();
                let same = |(a, b): (&Value, &Value)| same(a, b);
                return unchanged
                    || now.len() == then.len() && now.iter().zip(then.iter()).all(same);
            }
            let old = (!unchanged).then(|| list.items.replace(Shared::from(&then)));
            list.kept.replace(kept.clone());
            list.numeric.set(numeric);
            list.leaf.replace(leaf.clone());
            drop(old);
            true
        }));
    }

    fn dict(&mut self, d: &Rc<Dict>) {
        if !self.fresh(Rc::as_ptr(d) as usize) {
            return;
        }
        self.entries(d, |d| &d.entries);
    }

    fn set(&mut self, s: &Rc<Set>) {
        if !self.fresh(Rc::as_ptr(s) as usize) {
            return;
        }
        self.entries(s, |s| &s.entries);
    }

    fn function(&mut self, f: &Rc<Function>) {
        if !self.fresh(Rc::as_ptr(f) as usize) {
            return;
        }
        self.waiting.extend(f.defaults.iter().flatten().cloned());
        self.attributes(f, |f| &f.attributes);
        self.scope(f.scope.clone());
    }

    /// A frame and those around it.
    fn scope(&mut self, mut scope: Scope) {
        while let Some(frame) = scope {
            if !self.frame(&frame) {
                break;
            }
            scope = frame.parent.clone();
        }
    }

    fn frame(&mut self, frame: &Rc<Frame>) -> bool {
        if !self.fresh(Rc::as_ptr(frame) as usize) {
            return false;
        }
        self.hold(frame, |f| &f.values, |a, b| all_same(a, b));
        self.waiting.extend(frame.values.borrow().iter().map(|(_, v)| v.clone()));
        true
    }

    fn class(&mut self, c: &Rc<Class>) {
        if !self.fresh(Rc::as_ptr(c) as usize) {
            return;
        }
        self.attributes(c, |c| &c.attributes);
        self.waiting.extend(c.bases.iter().cloned());
        self.waiting.extend(c.meta.clone().map(Value::Class));
    }

    fn instance(&mut self, i: &Rc<Instance>) {
        if !self.fresh(Rc::as_ptr(i) as usize) {
            return;
        }
        self.attributes(i, |i| &i.attributes);
        self.hold(i, |i| &i.class, Rc::ptr_eq);
        self.waiting.push(Value::Class(i.class()));
    }
}
