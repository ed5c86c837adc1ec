//! Classes and functions of the library that are written in the language itself (`prelude/`).

vjp_eval::pages! {
    /// By module.
    pub static PAGES;
    "numpy" "numpy/statistics";
    "numpy" "numpy/calculus";
    "numpy" "numpy/shapes";
    "numpy" "numpy/choices";
    "numpy" "numpy/types";
    "numpy" "numpy/more";
    "numpy.linalg" "numpy/linalg";
    "numpy.random" "numpy/random";
    "numpy.testing" "numpy/testing";
    "torch" "torch/devices";
    "torch" "torch/limits";
    "torch" "torch/windows";
    "torch" "torch/more";
    "torch.linalg" "torch/linalg";
    "torch.cuda" "torch/cuda";
    "torch.backends" "torch/backends";
    "torch.nn" "nn/conv";
    "torch.nn" "nn/pooling";
    "torch.nn" "nn/norms";
    "torch.nn" "nn/lazy";
    "torch.nn" "nn/recurrent";
    "torch.nn" "nn/shapes";
    "torch.nn" "nn/attention";
    "torch.nn" "nn/sparse";
    "torch.nn" "nn/ctc_layer";
    "torch.nn" "nn/parameters";
    "torch.nn._hooks" "nn/hooked";
    "torch.nn.functional" "nn/functional";
    "torch.nn.functional" "nn/ctc";
    "torch.nn.utils" "nn/utils";
    "torch.nn.utils" "nn/weights";
    "torch.autograd.function" "torch/autograd_function";
    "torch.utils.data" "torch/data";
    "torch.utils.checkpoint" "torch/checkpoint";
    "torch.nn.init" "nn/init";
    "torch" "torch/saving";
    "pickle" "lessons/pickle";
    "IPython" "lessons/notebook_top";
    "IPython.display" "lessons/notebook";
    "matplotlib_inline.backend_inline" "lessons/formats";
    "seaborn" "lessons/seaborn";
    "matplotlib" "lessons/matplotlib";
    "matplotlib.cm" "lessons/looks";
    "matplotlib.colors" "lessons/looks";
    "matplotlib.ticker" "lessons/looks";
    "matplotlib.patches" "lessons/looks";
    "matplotlib.lines" "lessons/looks";
    "matplotlib.pyplot" "lessons/pyplot";
    "torch.optim" "torch/optim";
    "torch.optim" "torch/lbfgs";
    "torch.optim.lr_scheduler" "torch/schedules";
}
