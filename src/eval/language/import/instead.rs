//! What to do in place of modules that are not provided: the data.

/// Modules, outermost first, that the same advice is for; the longest name that fits counts.
const INSTEAD: &[(&[&str], &str)] = &[
    (
        &[
            "torchvision",
            "timm",
            "torch_geometric",
            "transformers",
            "diffusers",
            "open_clip",
            "huggingface_hub",
        ],
        "vjp has no images or pretrained networks: make inputs with torch.randn and build networks with torch.nn",
    ),
    (&["torchaudio", "librosa", "soundfile", "wave"], "make inputs with torch.randn"),
    (
        &[
            "torchtext",
            "nltk",
            "spacy",
            "datasets",
            "tokenizers",
            "sentencepiece",
            "tiktoken",
            "gensim",
        ],
        "write a few sentences in the program itself",
    ),
    (
        &[
            "torch.utils.tensorboard",
            "tensorboard",
            "tensorboardX",
            "wandb",
            "mlflow",
            "visdom",
            "hiddenlayer",
            "livelossplot",
        ],
        "print the numbers, or plot them with plt.plot and plt.show",
    ),
    (
        &["torchviz", "graphviz", "pydot", "networkx", "onnx"],
        "y.grad_fn.next_functions walks the graph, and :explain shows every step of backward",
    ),
    (
        &["torchsummary", "torchinfo", "torchmetrics", "thop", "fvcore"],
        "print(model) shows the layers; p.shape for p in model.parameters() gives the sizes",
    ),
    (
        &["pandas", "polars", "pyarrow", "h5py", "openpyxl"],
        "put the numbers in lists, np.array or torch.tensor",
    ),
    (
        &["sklearn", "xgboost", "lightgbm", "statsmodels"],
        "make the data with torch or np; simple models take a few lines of torch",
    ),
    (&["scipy"], "use np.linalg, torch.linalg and torch.special instead; torch.optim finds minima"),
    (&["sympy"], ":formula shows J in symbols"),
    (
        &["jax", "jaxlib", "flax", "optax", "autograd", "functorch"],
        "torch.func has grad, vjp, jvp, jacrev, jacfwd, hessian and vmap; vjp export --to jax translates a program to JAX",
    ),
    (
        &["tensorflow", "mxnet", "theano", "paddle", "fastai", "fastcore", "cupy"],
        "use torch instead",
    ),
    (&["keras", "pytorch_lightning", "lightning", "ignite", "skorch"], "use torch.nn instead"),
    (
        &["numba", "cython", "torch.utils.cpp_extension", "triton"],
        "leave it out: vjp runs the functions themselves",
    ),
    (&["d2l"], "its functions are short: copy the ones you need into the program"),
    (&["micrograd"], "its Value class is short: copy it into the program"),
    (&["gym", "gymnasium"], "write the environment as a class in the program"),
    (
        &[
            "requests", "urllib", "http", "socket", "ssl", "wget", "gdown", "kaggle", "yfinance",
            "bs4", "google", "boto3",
        ],
        "vjp downloads nothing: put the data in the program",
    ),
    (
        &["plotly", "bokeh", "altair", "pylab", "plotnine", "celluloid", "dash"],
        "matplotlib.pyplot draws plots in the terminal",
    ),
    (
        &["seaborn"],
        "matplotlib.pyplot draws plots in the terminal: plt.plot, plt.scatter, plt.hist",
    ),
    (
        &["mpl_toolkits", "matplotlib.animation"],
        "matplotlib.pyplot draws two-dimensional plots in the terminal",
    ),
    (&["ipywidgets", "matplotlib.widgets"], "leave it out: edit a number and run the line again"),
    (
        &["IPython", "ipykernel", "notebook", "jupyter_client"],
        "leave it out: print displays values",
    ),
    (
        &["PIL", "cv2", "imageio", "skimage", "albumentations", "kornia"],
        "vjp has no images: make an input with torch.rand",
    ),
    (
        &[
            "gzip",
            "zipfile",
            "tarfile",
            "zlib",
            "bz2",
            "lzma",
            "csv",
            "sqlite3",
            "yaml",
            "toml",
            "tomllib",
            "configparser",
            "xml",
            "fileinput",
            "mmap",
        ],
        "vjp has no access to files: put the data in the program",
    ),
    (
        &[
            "subprocess",
            "platform",
            "psutil",
            "resource",
            "GPUtil",
            "pynvml",
            "ctypes",
            "signal",
            "getpass",
        ],
        "vjp starts no other programs and asks nothing of the computer",
    ),
    (
        &[
            "multiprocessing",
            "torch.multiprocessing",
            "threading",
            "concurrent",
            "asyncio",
            "queue",
            "joblib",
            "dask",
            "ray",
            "torch.distributed",
            "torch.nn.parallel",
            "accelerate",
            "horovod",
        ],
        "vjp runs a single thread: call the function directly",
    ),
    (
        &[
            "pdb",
            "dis",
            "ast",
            "tracemalloc",
            "cProfile",
            "profile",
            "pstats",
            "line_profiler",
            "memory_profiler",
            "torch.profiler",
            "torch.utils.benchmark",
            "timeit",
        ],
        "try lines at the prompt; :explain shows every step of backward, :time how long an input takes",
    ),
    (
        &["unittest", "pytest", "doctest", "hypothesis"],
        "use assert or np.testing.assert_allclose instead",
    ),
    (&["decimal", "cmath", "gmpy2", "mpmath"], "use 64-bit floats instead"),
    (
        &["struct", "array", "base64", "hashlib", "secrets", "uuid", "codecs", "binascii"],
        "vjp has no bytes: use lists of numbers, or tensors",
    ),
    (
        &["locale", "calendar", "gettext", "html", "difflib"],
        "write what you need of it in the program",
    ),
    (
        &[
            "six",
            "future",
            "builtins",
            "importlib",
            "pkg_resources",
            "packaging",
            "site",
            "attr",
            "attrs",
            "pydantic",
            "omegaconf",
            "hydra",
            "absl",
            "fire",
            "click",
            "docopt",
            "einops",
            "opt_einsum",
            "termcolor",
            "colorama",
            "tabulate",
            "rich",
            "loguru",
            "prettytable",
            "natsort",
            "more_itertools",
            "toolz",
            "optuna",
            "botorch",
            "gpytorch",
            "pyro",
            "torchdiffeq",
            "higher",
            "learn2learn",
            "torchdyn",
            "weakref",
            "numbers",
            "select",
            "cycler",
            "utils",
            "helpers",
            "helper_functions",
            "models",
            "model",
            "dataset",
            "data",
            "config",
        ],
        "write what you need of it in the program",
    ),
];

/// What is provided in place of a module.
pub fn instead(module: &str) -> Option<&'static str> {
    let fits = |name: &str| {
        let rest = module.strip_prefix(name);
        rest.is_some_and(|r| r.is_empty() || r.starts_with('.'))
    };
    let fitting = |row: &(&[&str], &'static str)| {
        let longest = row.0.iter().filter(|name| fits(name)).map(|name| name.len()).max()?;
        Some((longest, row.1))
    };
    let found = INSTEAD.iter().filter_map(fitting).max_by_key(|(length, _)| *length);
    found.map(|(_, hint)| hint)
}

/// Whether it is a module that people know: no slip.
pub(super) fn knows(module: &str) -> bool {
    instead(module).is_some()
}

/// Their names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    INSTEAD.iter().flat_map(|(names, _)| names.iter().copied())
}
