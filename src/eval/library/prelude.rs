//! Classes and functions of the library that are written in the language itself (`prelude/*.py`):
//! each page is run when one of its names is first asked for.

use super::given;
use super::table::Page;
use crate::language::env::{Frame, FrameKind};
use crate::language::names::Names;
use crate::{Args, Machine, Tried, Value};
use std::cell::RefCell;
use std::rc::Rc;
use vjp_syntax::Mode;
use vjp_tensor::Complaint;
use vjp_tensor::budget::{self, Limits};
use vjp_text::{QuickMap, Source, Symbol};

/// A table of pages: the module and the file, beside the table's own.
#[macro_export]
macro_rules! pages {
    ($(#[$doc:meta])* $vis:vis static $id:ident; $($module:literal $file:literal;)*) => {
        $(#[$doc])*
        $vis static $id: &[$crate::library::table::Page] = &[$($crate::library::table::Page {
            module: $module,
            text: include_str!(concat!("prelude/", $file, ".py")),
        }),*];
    };
}

thread_local! {
    /// The values of pages that were run, by the page's place.
    static RUN: RefCell<QuickMap<usize, Rc<Frame>>> = RefCell::default();
}

impl Page {
    /// The classes, functions and constants that the page defines.
    fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let bound = |line: &&str| line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        self.text.split('\n').filter(bound).filter_map(|line| {
            let made = line.strip_prefix("class ").or_else(|| line.strip_prefix("def "));
            let rest = made.unwrap_or(line);
            let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
            let end = rest.as_bytes().iter().position(|b| !is_name(b))?;
            (made.is_some() || rest[end..].starts_with(" = ")).then(|| &rest[..end])
        })
    }

    /// Runs the page in a frame of its own, whole: neither time nor memory end it on the way. None where
    /// Ctrl-C did.
    fn run(&self) -> Option<Rc<Frame>> {
        const ROOM: usize = 16 << 20;
        let _whole = Limits::new(None, budget::memory_limit().saturating_add(ROOM));
        let frame = Rc::new(Frame::new(FrameKind::Function, Rc::new(Names::default()), None));
        let source = Source::own(self.text);
        let program = vjp_syntax::parse(&source, Mode { strict: true });
        let done = match &program {
            Ok(program) => Machine::run_own(&source, program, Rc::clone(&frame))
                .map_err(|halt| (halt.message(), halt.raised().span)),
            Err(fault) => Err((fault.message.clone(), Some(fault.span))),
        };
        // A test runs every page.
        let whole = done.is_ok();
        debug_assert!(whole || budget::stopping(), "{done:?} {:?}", self.names().next());
        whole.then_some(frame)
    }
}

/// Those of Python's library, and those of the library above.
fn all() -> impl Iterator<Item = &'static Page> {
    given().python.pages.iter().chain(given().pages)
}

/// What the pages that were run hold.
pub fn frames() -> Vec<Rc<Frame>> {
    RUN.with_borrow(|r| r.values().cloned().collect())
}

/// The pages of a module, and which of them defines a name.
struct Index {
    places: Vec<usize>,
    names: QuickMap<Symbol, usize>,
}

impl Index {
    fn of(module: &str) -> Rc<Index> {
        thread_local! {
            static MADE: RefCell<QuickMap<Symbol, Rc<Index>>> = RefCell::default();
        }
        let make = || {
            let mut index = Index { places: Vec::new(), names: QuickMap::default() };
            for (place, page) in all().enumerate().filter(|(_, page)| page.module == module) {
                index.places.push(place);
                for name in page.names() {
                    index.names.entry(Symbol::new(name)).or_insert(place);
                }
            }
            Rc::new(index)
        };
        let key = Symbol::new(module);
        MADE.with_borrow_mut(|made| Rc::clone(made.entry(key).or_insert_with(make)))
    }

    /// What the pages that were run bind the name to.
    fn loaded(&self, name: Symbol) -> Option<Value> {
        RUN.with_borrow(|run| self.places.iter().find_map(|place| run.get(place)?.get(name)))
    }
}

/// [`get`], of a page that has been run.
pub fn loaded(module: &str, name: Symbol) -> Option<Value> {
    Index::of(module).loaded(name)
}

/// A name of a module that a page defines.
pub fn get(module: &str, name: Symbol) -> Option<Value> {
    let index = Index::of(module);
    let Some(place) = index.names.get(&name) else {
        return index.loaded(name);
    };
    let known = RUN.with_borrow(|run| run.get(place).cloned());
    let frame = match known {
        Some(frame) => frame,
        None => {
            let frame = all().nth(*place)?.run()?;
            RUN.with_borrow_mut(|run| run.insert(*place, Rc::clone(&frame)));
            frame
        }
    };
    frame.get(name)
}

/// Calls a function of a page by the name of the builtin that represents it: `Class.name` or `name`.
pub fn call(machine: &mut Machine, module: &str, args: Args) -> Tried<Value> {
    let name = args.name().rsplit('.').next().unwrap_or_default();
    match get(module, Symbol::new(name)) {
        Some(function) => machine.call(&function, args),
        None => Err(Complaint::absent(name).into()),
    }
}

/// The names that pages give a module, those for its own use left out.
pub fn names(module: &str) -> Vec<&'static str> {
    let pages = all().filter(|p| p.module == module);
    let names = pages.flat_map(Page::names);
    names.filter(|n| !n.starts_with('_')).collect()
}
