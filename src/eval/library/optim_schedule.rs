//! `torch.optim.lr_scheduler`: learning rates that change from step to step.

use super::Builtin;
use super::bind::Given;
use super::optim::{Optimizer, number, option, set_option};
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::{Dict, Object, Value};
use crate::maths::complaint::Kind;
use crate::raise;
use crate::text::names::Symbol;
use std::any::Any;
use std::cell::Cell;
use std::f64::consts::PI;
use std::rc::Rc;

macro_rules! schedules {
    ($($name:literal $signature:literal $rate:expr, $help:literal;)*) => {
        pub static BUILTINS: &[Builtin] = &[$(Builtin {
            name: $name,
            module: "torch.optim.lr_scheduler",
            signature: $signature,
            help: $help,
            run: construct,
        }),*];
        /// The rate of a group at a step, by the name of the schedule.
        static RATES: &[(&str, Rate)] = &[$(($name, $rate)),*];
    };
}

/// Of the schedule, the group's present and first rate, and the group's place.
type Rate = fn(&mut Machine, &Schedule, f64, f64, usize) -> Result<f64, Halt>;

schedules! {
    "StepLR" "(optimizer, step_size, gamma=0.1, last_epoch=-1)" |_, s, now, _, _| {
        let every = s.number("step_size").max(1.0) as i64;
        Ok(if s.at() % every == 0 { now * s.number("gamma") } else { now })
    }, "The rate times gamma after every step_size steps.";
    "MultiStepLR" "(optimizer, milestones, gamma=0.1, last_epoch=-1)" |m, s, now, _, _| {
        let milestones = m.collect(&s.value("milestones"))?;
        let times = milestones.iter().filter(|v| v.as_int() == Some(s.at())).count();
        Ok(if times > 0 { now * s.number("gamma").powi(times as i32) } else { now })
    }, "The rate times gamma at some steps.";
    "ExponentialLR" "(optimizer, gamma, last_epoch=-1)" |_, s, now, _, _| Ok(now * s.number("gamma")),
        "The rate times gamma after every step.";
    "LambdaLR" "(optimizer, lr_lambda, last_epoch=-1)" |m, s, _, first, place| {
        let function = match s.value("lr_lambda") {
            Value::List(l) => l.items.borrow().get(place).cloned().unwrap_or(Value::None),
            one => one,
        };
        let site = m.here();
        let factor = m.call_with(&function, vec![Value::Int(s.at())], &site)?;
        match super::values::as_number(&factor) {
            Some(factor) => Ok(first * factor),
            None => raise!(Kind::Type, "lr_lambda must give a number"),
        }
    }, "The first rate times a function of the step.";
    "CosineAnnealingLR" "(optimizer, T_max, eta_min=0.0, last_epoch=-1)" |_, s, now, first, _| {
        let (half, least, at) = (s.number("T_max"), s.number("eta_min"), s.at() as f64);
        if (at - 1.0 - half) % (2.0 * half) == 0.0 {
            return Ok(now + (first - least) * (1.0 - (PI / half).cos()) / 2.0);
        }
        let wave = |k: f64| 1.0 + (PI * k / half).cos();
        Ok(wave(at) / wave(at - 1.0) * (now - least) + least)
    }, "The rate along half a cosine down to eta_min, and up again.";
}

struct Schedule {
    name: &'static str,
    options: Given,
    optimizer: Rc<dyn Object>,
    epoch: Rc<Cell<i64>>,
}

impl Schedule {
    fn at(&self) -> i64 {
        self.epoch.get()
    }

    fn value(&self, name: &str) -> Value {
        self.options.value(name).unwrap_or(Value::None)
    }

    fn number(&self, name: &str) -> f64 {
        self.options.float(name).ok().flatten().unwrap_or(0.0)
    }

    fn groups(&self) -> Vec<Rc<Dict>> {
        let optimizer = self.optimizer.as_any().downcast_ref::<Optimizer>();
        optimizer.map(Optimizer::groups).unwrap_or_default()
    }

    fn step(&self, machine: &mut Machine) -> Result<(), Halt> {
        self.epoch.set(self.at() + 1);
        self.change(machine)
    }

    fn change(&self, machine: &mut Machine) -> Result<(), Halt> {
        let Some((_, rate)) = RATES.iter().find(|(n, _)| *n == self.name) else {
            return Ok(());
        };
        for (place, group) in self.groups().iter().enumerate() {
            let (now, first) = (number(group, "lr"), number(group, "initial_lr"));
            let new = rate(machine, self, now, first, place)?;
            set_option(group, "lr", Value::Float(new))?;
        }
        Ok(())
    }
}

fn construct(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let span = args.site.span;
    let (name, text) = args.callee.map_or(("", "()"), |b| (b.name, b.signature));
    let options = Given::read(args, text, false).at(span)?;
    let optimizer = match options.raw(0) {
        Some(Value::Object(o)) if o.as_any().is::<Optimizer>() => o,
        other => raise!(
            Kind::Type,
            "{} is not an Optimizer",
            super::types::name_of(&other.unwrap_or(Value::None))
        ),
    };
    let schedule = Schedule {
        name,
        options,
        optimizer,
        epoch: Rc::default(),
    };
    for group in schedule.groups() {
        if option(&group, "initial_lr").is_none() {
            let first = option(&group, "lr").unwrap_or(Value::None);
            set_option(&group, "initial_lr", first)?;
        }
    }
    // The function of the step says the first rate too; the others leave it.
    if name == "LambdaLR" {
        schedule.change(machine)?;
    }
    Ok(Value::Object(Rc::new(schedule)))
}

static METHODS: &[Builtin] = &[
    Builtin {
        name: "step",
        module: "LRScheduler",
        signature: "(self, epoch=None)",
        help: "Changes the learning rate.",
        run: |machine, args| {
            if let Some(Value::Object(o)) = args.positional.first()
                && let Some(schedule) = o.as_any().downcast_ref::<Schedule>()
            {
                schedule.step(machine)?;
            }
            Ok(Value::None)
        },
    },
    Builtin {
        name: "get_last_lr",
        module: "LRScheduler",
        signature: "(self)",
        help: "The learning rate of each group.",
        run: |_, args| {
            let mut rates = Vec::new();
            if let Some(Value::Object(o)) = args.positional.first()
                && let Some(schedule) = o.as_any().downcast_ref::<Schedule>()
            {
                for group in schedule.groups() {
                    rates.push(option(&group, "lr").unwrap_or(Value::None));
                }
            }
            Ok(Value::list(rates))
        },
    },
];

impl Object for Schedule {
    fn type_name(&self) -> String {
        self.name.to_owned()
    }

    fn get(&self, this: &Value, name: Symbol, _: &mut Machine) -> Result<Option<Value>, Halt> {
        if let Some(method) = METHODS.iter().find(|b| b.name == name.as_str()) {
            return Ok(Some(super::methods::bound(this, method)));
        }
        Ok(match name.as_str() {
            "last_epoch" => Some(Value::Int(self.at())),
            "optimizer" => Some(Value::Object(Rc::clone(&self.optimizer))),
            "base_lrs" => {
                let groups = self.groups();
                let first = groups.iter().filter_map(|g| option(g, "initial_lr"));
                Some(Value::list(first.collect()))
            }
            word @ ("gamma" | "step_size" | "T_max" | "eta_min" | "milestones") => {
                self.options.value(word)
            }
            _ => None,
        })
    }

    fn repr(&self, _: &mut Machine) -> Result<String, Halt> {
        let address = std::ptr::from_ref(self) as usize;
        Ok(format!(
            "<torch.optim.lr_scheduler.{} object at 0x{address:x}>",
            self.name
        ))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn snapshot(&self) -> Option<Box<dyn Fn()>> {
        let (epoch, was) = (Rc::clone(&self.epoch), self.at());
        Some(Box::new(move || epoch.set(was)))
    }

    fn children(&self) -> Vec<Value> {
        vec![Value::Object(Rc::clone(&self.optimizer))]
    }
}
