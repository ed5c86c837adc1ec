//! `import` binds what the program provides itself, and says what there is in place of other modules.

use super::machine::Machine;
use crate::language::exception::raise::{At, Halt};
use crate::library;
use crate::values::value::Value;
use vjp_syntax::ast::Name;
use vjp_tensor::complaint::{Complaint, Kind};
use vjp_text::did_you_mean::{asks, closest};
use vjp_text::names::Symbol;

fn dotted(path: &[Name]) -> String {
    let parts: Vec<&str> = path.iter().map(|n| n.symbol.as_str()).collect();
    parts.join(".")
}

fn missing(name: &str) -> Box<Complaint> {
    let mut names: Vec<&str> = library::modules().iter().map(|m| m.name).collect();
    names.sort_unstable();
    let top: Vec<&str> = names.into_iter().filter(|n| !n.contains('.')).collect();
    let complaint = Complaint::new(Kind::ModuleNotFound, format!("No module named '{name}'"));
    match instead(name) {
        Some(hint) => complaint.hint(hint),
        None => complaint.hint(format!(
            "available modules: {}; vjp installs nothing else",
            vjp_text::words::list(&top, "and")
        )),
    }
}

/// A module, or an object that represents one in another module (`torch.backends.cudnn`).
fn named(whole: &str) -> Option<Value> {
    let object = || {
        let (outer, name) = whole.rsplit_once('.')?;
        let value = library::module(outer)?.get(Symbol::new(name));
        value.filter(|v| matches!(v, Value::Instance(_)))
    };
    library::module(whole).map(Value::Module).or_else(object)
}

impl Machine {
    pub(crate) fn import(&mut self, list: &[(Vec<Name>, Option<Name>)]) -> Result<(), Halt> {
        for (path, name) in list {
            let Some(first) = path.first() else {
                continue;
            };
            let whole = dotted(path);
            let span = path.iter().fold(first.span, |s, n| s.to(n.span));
            let Some(module) = named(&whole) else {
                return Err(missing(&whole)).at(span);
            };
            match name {
                Some(n) => self.store(n.symbol, module),
                // `import torch.nn` binds `torch`.
                None => {
                    let top = library::module(first.symbol.as_str()).map(Value::Module);
                    self.store(first.symbol, top.unwrap_or(module));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn import_from(
        &mut self,
        path: &[Name],
        names: &[(Name, Option<Name>)],
    ) -> Result<(), Halt> {
        let whole = dotted(path);
        let span = path.iter().map(|n| n.span).reduce(|a, b| a.to(b)).unwrap_or_default();
        if whole == "__future__" {
            return Ok(());
        }
        let Some(module) = library::module(&whole) else {
            return Err(missing(&whole)).at(span);
        };
        if names.is_empty() {
            for name in module.names() {
                let symbol = vjp_text::names::Symbol::new(name);
                if let Some(v) = module.get(symbol).filter(|_| !name.starts_with('_')) {
                    self.store(symbol, v);
                }
            }
        }
        for (name, bound) in names {
            let text = name.symbol.as_str();
            let inner = || library::module(&format!("{whole}.{text}")).map(Value::Module);
            let Some(v) = module.get(name.symbol).or_else(inner) else {
                let complaint = Complaint::new(
                    Kind::Import,
                    format!("cannot import name '{text}' from '{whole}'"),
                );
                let near = closest(text, module.names());
                return Err(match near {
                    Some(near) => complaint.hint(asks(near)),
                    None if library::is_partial(&whole) => {
                        complaint.hint(format!("vjp has no {whole}.{text}"))
                    }
                    None => complaint,
                })
                .at(name.span);
            };
            self.store(bound.unwrap_or(*name).symbol, v);
        }
        Ok(())
    }
}

/// Names of modules, outermost first, with what to do instead; the longest name that fits counts.
const INSTEAD: &[(&str, &str)] = &[
    (
        "torchvision",
        "vjp has no images or pretrained networks: make inputs with torch.randn and build networks with torch.nn",
    ),
    ("torchaudio", "make inputs with torch.randn"),
    ("torchtext", "write a few sentences in the program itself"),
    ("torch.utils.tensorboard", "print the numbers, or plot them with plt.plot and plt.show"),
    ("tensorboard", "print the numbers, or plot them with plt.plot and plt.show"),
    ("tensorboardX", "print the numbers, or plot them with plt.plot and plt.show"),
    ("wandb", "print the numbers, or plot them with plt.plot and plt.show"),
    (
        "torchviz",
        "y.grad_fn.next_functions walks the graph, and :explain shows every step of backward",
    ),
    (
        "graphviz",
        "y.grad_fn.next_functions walks the graph, and :explain shows every step of backward",
    ),
    (
        "torchsummary",
        "print(model) shows the layers; p.shape for p in model.parameters() gives the sizes",
    ),
    (
        "torchinfo",
        "print(model) shows the layers; p.shape for p in model.parameters() gives the sizes",
    ),
    ("pandas", "put the numbers in lists, np.array or torch.tensor"),
    ("sklearn", "make the data with torch or np; simple models take a few lines of torch"),
    ("scipy", "use np.linalg, torch.linalg and torch.special instead; torch.optim finds minima"),
    ("sympy", ":formula shows J in symbols"),
    (
        "jax",
        "torch.func has grad, vjp, jvp, jacrev, jacfwd, hessian and vmap; vjp export --to jax translates a program to JAX",
    ),
    ("tensorflow", "use torch instead"),
    ("keras", "use torch.nn instead"),
    ("d2l", "its functions are short: copy the ones you need into the program"),
    ("fastai", "use torch instead"),
    ("micrograd", "its Value class is short: copy it into the program"),
    ("requests", "vjp downloads nothing: put the data in the program"),
    ("urllib", "vjp downloads nothing: put the data in the program"),
    ("seaborn", "matplotlib.pyplot draws plots in the terminal"),
    ("plotly", "matplotlib.pyplot draws plots in the terminal"),
    ("bokeh", "matplotlib.pyplot draws plots in the terminal"),
    ("mpl_toolkits", "matplotlib.pyplot draws two-dimensional plots in the terminal"),
    ("matplotlib_inline", "leave it out: matplotlib.pyplot draws plots in the terminal"),
    ("ipywidgets", "leave it out: edit a number and run the line again"),
    ("IPython", "leave it out: print displays values"),
    ("PIL", "vjp has no images: make an input with torch.rand"),
    ("cv2", "vjp has no images: make an input with torch.rand"),
    ("imageio", "vjp has no images: make an input with torch.rand"),
    ("skimage", "vjp has no images: make an input with torch.rand"),
    ("pickle", "vjp reads and writes no files; copy.deepcopy copies values within a program"),
    ("os", "vjp has no access to files or processes: put the data in the program"),
    ("pathlib", "vjp has no access to files: put the data in the program"),
    ("glob", "vjp has no access to files: put the data in the program"),
    ("shutil", "vjp has no access to files"),
    ("csv", "vjp has no access to files: put the rows in a list, or split a string"),
    ("gzip", "vjp has no access to files: put the data in the program"),
    ("zipfile", "vjp has no access to files: put the data in the program"),
    ("tarfile", "vjp has no access to files: put the data in the program"),
    ("tempfile", "vjp has no access to files"),
    ("subprocess", "vjp starts no other programs"),
    ("multiprocessing", "vjp runs a single thread: call the function directly"),
    ("threading", "vjp runs a single thread: call the function directly"),
    ("concurrent", "vjp runs a single thread: call the function directly"),
    ("argparse", "programs take no arguments in vjp: write lr = 0.1"),
    ("logging", "use print for messages"),
    ("datetime", "use time.time() instead"),
    ("re", "use string methods instead: split, replace, find, strip"),
    ("pdb", "try lines at the prompt; :explain shows every step of backward"),
    ("unittest", "use assert or np.testing.assert_allclose instead"),
    ("pytest", "use assert or np.testing.assert_allclose instead"),
    ("decimal", "use 64-bit floats instead"),
    ("fractions", "use 64-bit floats instead"),
];

/// What is provided in place of a module.
pub fn instead(module: &str) -> Option<&'static str> {
    let fits = |name: &&(&str, &str)| {
        let rest = module.strip_prefix(name.0);
        rest.is_some_and(|r| r.is_empty() || r.starts_with('.'))
    };
    let found = INSTEAD.iter().filter(fits).max_by_key(|(name, _)| name.len());
    found.map(|(_, hint)| *hint)
}
