//! Modules that lessons import and that are not here: what is provided in their place.

/// Names of modules, outermost first, with what to do instead; the longest name that fits counts.
const INSTEAD: &[(&str, &str)] = &[
    (
        "torchvision",
        "there are no pictures or ready networks here: make a few inputs with torch.randn, and networks of torch.nn",
    ),
    ("torchaudio", "make a few inputs with torch.randn"),
    ("torchtext", "write a few sentences into the program"),
    ("torch.utils.tensorboard", "print the numbers, or collect them for plt.plot and plt.show"),
    ("tensorboard", "print the numbers, or collect them for plt.plot and plt.show"),
    ("tensorboardX", "print the numbers, or collect them for plt.plot and plt.show"),
    ("wandb", "print the numbers, or collect them for plt.plot and plt.show"),
    (
        "torchviz",
        "y.grad_fn.next_functions walks the graph, and :explain y tells each step of a backward",
    ),
    (
        "graphviz",
        "y.grad_fn.next_functions walks the graph, and :explain y tells each step of a backward",
    ),
    ("torchsummary", "print(model) shows the layers, p.shape of model.parameters() the sizes"),
    ("torchinfo", "print(model) shows the layers, p.shape of model.parameters() the sizes"),
    ("pandas", "write the numbers into lists, np.array or torch.tensor"),
    ("sklearn", "make the data with torch or np; the models of lessons are a few lines of torch"),
    (
        "scipy",
        "np.linalg, torch.linalg and torch.special have what lessons use of it; a minimum is found by torch.optim",
    ),
    ("sympy", "the panel of a backward shows J in symbols"),
    (
        "jax",
        "torch.func has grad, vjp, jvp, jacrev, jacfwd, hessian and vmap; export --to jax turns a program into one of JAX",
    ),
    ("tensorflow", "the same is written with torch"),
    ("keras", "the same is written with torch.nn"),
    ("d2l", "its functions are short: copy those that the lesson uses into the program"),
    ("fastai", "the same is written with torch"),
    ("micrograd", "its class Value is short: copy it into the program"),
    ("requests", "nothing is fetched here: put the data into the program"),
    ("urllib", "nothing is fetched here: put the data into the program"),
    ("seaborn", "matplotlib.pyplot draws plots in the terminal"),
    ("plotly", "matplotlib.pyplot draws plots in the terminal"),
    ("bokeh", "matplotlib.pyplot draws plots in the terminal"),
    ("mpl_toolkits", "matplotlib.pyplot draws plots of two dimensions in the terminal"),
    ("matplotlib_inline", "leave it out: matplotlib.pyplot draws plots in the terminal"),
    ("ipywidgets", "leave it out: change a number and run the line again"),
    ("IPython", "leave it out: print shows values"),
    ("PIL", "there are no pictures here: make an input with torch.rand"),
    ("cv2", "there are no pictures here: make an input with torch.rand"),
    ("imageio", "there are no pictures here: make an input with torch.rand"),
    ("skimage", "there are no pictures here: make an input with torch.rand"),
    ("pickle", "files are neither read nor written; copy.deepcopy keeps values within a program"),
    ("os", "files and processes are out of reach: put the data into the program"),
    ("pathlib", "files are out of reach: put the data into the program"),
    ("glob", "files are out of reach: put the data into the program"),
    ("shutil", "files are out of reach"),
    ("csv", "files are out of reach: put the rows into a list, or split a text"),
    ("gzip", "files are out of reach: put the data into the program"),
    ("zipfile", "files are out of reach: put the data into the program"),
    ("tarfile", "files are out of reach: put the data into the program"),
    ("tempfile", "files are out of reach"),
    ("subprocess", "no other programs are started"),
    ("multiprocessing", "a program here runs by itself: call the function"),
    ("threading", "a program here runs by itself: call the function"),
    ("concurrent", "a program here runs by itself: call the function"),
    ("argparse", "a program here has no arguments: write lr = 0.1"),
    ("logging", "print shows messages"),
    ("datetime", "time.time() is there"),
    ("re", "the methods of strings (split, replace, find, strip) are there"),
    ("pdb", "at the prompt every line can be tried, and :explain y tells each step of a backward"),
    ("unittest", "assert and np.testing.assert_allclose compare"),
    ("pytest", "assert and np.testing.assert_allclose compare"),
    ("decimal", "numbers here are floats of 64 bits"),
    ("fractions", "numbers here are floats of 64 bits"),
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
