//! Modules that lessons import and that are not here: what is provided in their place.

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
