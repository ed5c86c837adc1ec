//! Moments of a session: what an error puts back and `:undo` returns to.

use super::env::{Frame, Globals, Scope};
use super::machine::{Machine, Options};
use super::value::{Class, Dict, Function, Instance, List, Set, Value};
use std::collections::HashSet;
use std::rc::Rc;
use vjp_maths::sweeps;
use vjp_maths::variable::{State, Variable};
use vjp_text::source::Source;

/// Every binding and the state of every object that could be reached.
pub(super) struct Snapshot {
    options: Options,
    globals: Globals,
    /// One closure an object, which puts this moment back.
    objects: Vec<Box<dyn Fn()>>,
    variables: Vec<(Variable, State)>,
    library: super::library::State,
    past: super::reach::Past,
    /// Everything that may change can be put back: no iterator is being asked.
    whole: bool,
    latest: Option<Rc<super::routes::Latest>>,
    sweeps: sweeps::Moment,
    /// No object of a program's own class is in it, so that only calls run code.
    plain: bool,
    done: super::done::Done,
}

impl Snapshot {
    pub fn take(machine: &Machine) -> Snapshot {
        let mut walk = Walk::default();
        for (_, value) in machine.globals.iter() {
            walk.waiting.push(value.clone());
        }
        walk.run();
        // What modules of our own language hold, a figure for one, is not the program's to see.
        let instances = walk.instances;
        for frame in super::library::prelude::frames() {
            walk.frame(&frame);
        }
        walk.run();
        walk.instances = instances;
        Snapshot {
            options: machine.options,
            globals: machine.globals.clone(),
            objects: walk.objects,
            variables: walk.variables,
            library: super::library::taken(machine),
            past: machine.past.clone(),
            whole: !walk.running,
            latest: machine.latest.clone(),
            sweeps: sweeps::now(),
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

    /// The tensors in it.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter().map(|(v, _)| v)
    }

    pub fn restore(&self, machine: &mut Machine) {
        machine.options = self.options;
        machine.globals = self.globals.clone();
        machine.library = self.library.clone();
        machine.past = self.past.clone();
        machine.latest = self.latest.clone();
        sweeps::return_to(&self.sweeps);
        machine.done = self.done.clone();
        for put_back in &self.objects {
            put_back();
        }
        for (variable, state) in &self.variables {
            variable.restore(state.clone());
        }
        super::library::restored(machine);
    }
}

/// Visits what can be reached, each object once, without recursion.
#[derive(Default)]
struct Walk {
    seen: HashSet<usize>,
    waiting: Vec<Value>,
    objects: Vec<Box<dyn Fn()>>,
    variables: Vec<(Variable, State)>,
    running: bool,
    instances: bool,
}

impl Walk {
    fn run(&mut self) {
        while let Some(value) = self.waiting.pop() {
            self.visit(&value);
        }
    }

    fn fresh(&mut self, address: usize) -> bool {
        self.seen.insert(address)
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
                self.objects.push(Box::new(move || {
                    let again = copy.copied(&mut Vec::new());
                    let old =
                        iterator.try_borrow_mut().map(|mut i| std::mem::replace(&mut *i, again));
                    drop(old);
                }));
            }
            Value::Exception(e) if self.fresh(value.address()) => {
                let (args, attributes) = (e.args.borrow().clone(), e.attributes.borrow().clone());
                self.waiting.extend(args.iter().cloned());
                self.waiting.extend(attributes.iter().map(|(_, v)| v.clone()));
                self.waiting.push(e.class.clone());
                let exception = Rc::clone(e);
                self.objects.push(Box::new(move || {
                    exception.args.replace(args.clone());
                    exception.attributes.replace(attributes.clone());
                }));
            }
            Value::Object(o) if self.fresh(value.address()) => {
                self.objects.extend(o.snapshot());
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
            self.variables.push((v.clone(), v.state()));
        }
    }

    fn list(&mut self, l: &Rc<List>) {
        if !self.fresh(Rc::as_ptr(l) as usize) {
            return;
        }
        let items = l.items.borrow().clone();
        self.waiting.extend(items.iter().filter(|v| v.is_shared()).cloned());
        let kept = l.kept.borrow().clone();
        l.tensor().iter().for_each(|t| self.variable(t));
        let (list, numeric, leaf) = (Rc::clone(l), l.numeric.get(), l.leaf.borrow().clone());
        self.objects.push(Box::new(move || {
            let old = list.items.replace(items.clone());
            list.kept.replace(kept.clone());
            list.numeric.set(numeric);
            list.leaf.replace(leaf.clone());
            drop(old);
        }));
    }

    fn dict(&mut self, d: &Rc<Dict>) {
        if !self.fresh(Rc::as_ptr(d) as usize) {
            return;
        }
        let entries = d.entries.borrow().clone();
        self.waiting.extend(entries.iter().map(|(_, _, v)| v).filter(|v| v.is_shared()).cloned());
        let dict = Rc::clone(d);
        self.objects.push(Box::new(move || {
            dict.entries.replace(entries.clone());
        }));
    }

    fn set(&mut self, s: &Rc<Set>) {
        if !self.fresh(Rc::as_ptr(s) as usize) {
            return;
        }
        let entries = s.entries.borrow().clone();
        let set = Rc::clone(s);
        self.objects.push(Box::new(move || {
            set.entries.replace(entries.clone());
        }));
    }

    fn function(&mut self, f: &Rc<Function>) {
        if !self.fresh(Rc::as_ptr(f) as usize) {
            return;
        }
        self.waiting.extend(f.defaults.iter().flatten().cloned());
        let attributes = f.attributes.borrow().clone();
        self.waiting.extend(attributes.iter().map(|(_, v)| v.clone()));
        self.scope(f.scope.clone());
        let function = Rc::clone(f);
        self.objects.push(Box::new(move || {
            function.attributes.replace(attributes.clone());
        }));
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
        let values = frame.values.borrow().clone();
        self.waiting.extend(values.iter().map(|(_, v)| v.clone()));
        let frame = Rc::clone(frame);
        self.objects.push(Box::new(move || {
            let old = frame.values.replace(values.clone());
            drop(old);
        }));
        true
    }

    fn class(&mut self, c: &Rc<Class>) {
        if !self.fresh(Rc::as_ptr(c) as usize) {
            return;
        }
        let attributes = c.attributes.borrow().clone();
        self.waiting.extend(attributes.iter().map(|(_, v)| v.clone()));
        self.waiting.extend(c.bases.iter().cloned());
        let class = Rc::clone(c);
        self.objects.push(Box::new(move || {
            class.attributes.replace(attributes.clone());
        }));
    }

    fn instance(&mut self, i: &Rc<Instance>) {
        if !self.fresh(Rc::as_ptr(i) as usize) {
            return;
        }
        let attributes = i.attributes.borrow().clone();
        self.waiting.extend(attributes.iter().map(|(_, v)| v.clone()));
        self.waiting.push(Value::Class(Rc::clone(&i.class)));
        let instance = Rc::clone(i);
        self.objects.push(Box::new(move || {
            let old = instance.attributes.replace(attributes.clone());
            drop(old);
        }));
    }
}

/// The state on one side of an input, and the input's text.
pub(super) struct Moment {
    pub state: Snapshot,
    pub input: Source,
    /// It ended in an error, after statements that stayed.
    pub failed: bool,
}

/// Moments before the last inputs, and after those undone.
#[derive(Default)]
pub(super) struct History {
    on: bool,
    past: Vec<Moment>,
    future: Vec<Moment>,
}

/// How many inputs can be undone.
const KEPT: usize = 100;

impl History {
    pub fn kept(&self) -> bool {
        self.on
    }

    pub fn keep(&mut self, on: bool) {
        self.on = on;
        if !on {
            self.past.clear();
            self.future.clear();
        }
    }

    pub fn push(&mut self, now: Moment) {
        self.future.clear();
        // Old values must not use up the memory that programs may have.
        if self.past.len() >= KEPT
            || vjp_maths::budget::in_use() > vjp_maths::budget::memory_limit() / 2
        {
            let half = self.past.len().div_ceil(2);
            self.past.drain(..half);
        }
        self.past.push(now);
    }

    /// The last input failed; at its first statement it changed nothing, and there is nothing to undo.
    pub fn failed(&mut self, at_first: bool) {
        if at_first {
            self.past.pop();
        } else if let Some(last) = self.past.last_mut() {
            last.failed = true;
        }
    }

    /// The inputs that are remembered, oldest first, and whether each ended in an error.
    pub fn inputs(&self) -> Vec<(Source, bool)> {
        let moments = self.past.iter();
        moments.map(|m| (m.input.clone(), m.failed)).collect()
    }

    /// Goes back to before an input, which stays remembered.
    pub fn enter(&self, input: usize, machine: &mut Machine) {
        if let Some(moment) = self.past.get(input) {
            moment.state.restore(machine);
        }
    }

    /// Leaves an empty history, so that a trial forgets nothing, and returns the present one.
    pub fn aside(&mut self) -> History {
        let empty = History { on: true, ..History::default() };
        std::mem::replace(self, empty)
    }

    pub fn undo(&mut self) -> Option<Moment> {
        self.past.pop()
    }

    pub fn redo(&mut self) -> Option<Moment> {
        self.future.pop()
    }

    pub fn undone(&mut self, now: Moment) {
        self.future.push(now);
    }

    pub fn redone(&mut self, now: Moment) {
        self.past.push(now);
    }
}
