//! Words of the method itself that `:help` explains: what flows backward, where it ends, how a session is
//! kept.

use super::words::Word;

pub static CONCEPTS: &[Word] = &[
    Word {
        name: "vjp",
        also: &["vᵀj", "pullback"],
        says: "Vector times Jacobian: vᵀJ, the rows of J added with the weights v. One sweep backwards gives\n\
               it without making J: each operation turns the cotangent of its output into that of its\n\
               inputs. backward adds it to x.grad, vjp(y, x, v) only returns it, torch.func.vjp gives it\n\
               as a function. v = [1, 0] gives the first row of J.",
        example: "x = [1, 2]; y = 3*x^2; vjp(y, x, [1, 10])",
    },
    Word {
        name: "jvp",
        also: &["pushforward", "tangent"],
        says: "Jacobian times vector: J·u, how y moves when x moves along u. One sweep forwards gives it;\n\
               u = [1, 0] gives the first column of J. Where x has few elements and y many it is the\n\
               cheaper of the two; for a loss, which is one number, the vjp is.",
        example: "x = [1, 2]; y = 3*x^2; jvp(y, x, [1, 0])",
    },
    Word {
        name: "cotangent",
        also: &["cotangents", "upstream"],
        says: "What arrives at a value on the way back: how much the differentiated number changes for each\n\
               unit of that value. It has the value's shape. At y it is v; each operation multiplies it by\n\
               its own Jacobian; where a value was used twice the cotangents are added. What arrives at a\n\
               leaf is added to its .grad. :explain shows each.",
        example: "x = [1, 2]; h = x^2; h.retain_grad(); (3*h).backward([1, 10]); h.grad",
    },
    Word {
        name: "grad_fn",
        also: &["graph", "node"],
        says: "The operation that computed a tensor, kept with what its derivative needs: a node of the\n\
               graph. Its next_functions are those of its inputs; the sweep walks them from y down to the\n\
               leaves, which have none.",
        example: "x = [1, 2]; y = (3*x^2).sum(); y.grad_fn; y.grad_fn.next_functions",
    },
    Word {
        name: "detach",
        also: &["data"],
        says: "h.detach() has the values of h and no history: the sweep ends there, and what lies behind\n\
               it gets no gradient from this path. In J such a path is absent. .item(), float() and\n\
               torch.tensor(h) end it too. :why names the place.",
        example: "x = [1, 2]; y = (x*(x^2).detach()).sum(); y.backward(); x.grad",
    },
    Word {
        name: "retain_grad",
        also: &["retains_grad"],
        says: "h.retain_grad(), called before backward, makes a computed h keep its .grad, the cotangent\n\
               that arrives at it. A leaf keeps its own anyway.",
        example: "x = 2; h = x^2; h.retain_grad(); y = 3*h; y.backward(); h.grad",
    },
    Word {
        name: "requires_grad_",
        also: &[],
        says: "w.requires_grad_() turns gradients on for the tensor w and returns it. torch.tensor(…,\n\
               requires_grad=True) does so from the start; w.requires_grad shows whether they are on.\n\
               At the prompt a bare number or list needs neither.",
        example: "w = torch.ones(2).requires_grad_(); (w**2).sum().backward(); w.grad",
    },
    Word {
        name: "is_leaf",
        also: &[],
        says: "x.is_leaf is False for what was computed from something that requires a gradient, else\n\
               True. backward fills the .grad of leaves that require one.",
        example: "w = torch.ones(2, requires_grad=True); y = w**2; [w.is_leaf, y.is_leaf]",
    },
    Word {
        name: "item",
        also: &[],
        says: "y.item() is the Python number in a tensor with one element, with no record of how it was\n\
               computed: no gradient passes through it. Print and count with it; keep the tensor where\n\
               backward is to pass.",
        example: "y = torch.tensor([1., 2.]).sum(); y.item()",
    },
    Word {
        name: "Tensor",
        also: &["tensors"],
        says: "Numbers of one dtype in a shape, torch.tensor([[1., 2.], [3., 4.]]), with .shape, .dtype and,\n\
               where gradients are on, .grad and .grad_fn. x. and Tab list what it can do. At the prompt\n\
               a list of numbers is one as soon as it is computed with.",
        example: "t = torch.tensor([1., 2.], requires_grad=True); (3*t**2).sum().backward(); t.grad",
    },
    Word {
        name: "no_grad",
        also: &["inference_mode"],
        says: "Inside `with torch.no_grad():` nothing is recorded: what is computed there is a constant.\n\
               A step of training belongs there, because it changes the leaf and is not part of the\n\
               function that is differentiated.",
        example: "w = torch.tensor([1., 2.], requires_grad=True); (w**2).sum().backward()\nwith torch.no_grad():\n    w -= 0.1*w.grad\n",
    },
    Word {
        name: "retain_graph",
        also: &["freed"],
        says: "PyTorch frees what the sweep needed as soon as it has passed, so that a second backward\n\
               through the same graph fails; retain_graph=True keeps it for one more. Here the graph is\n\
               always kept, so you can try another v; under `:set strict on` it is not.",
        example: "x = [1, 2]; y = x^2; y.backward([1, 0], retain_graph=True); y.backward([0, 1])",
    },
    Word {
        name: "session",
        also: &["sessions", "replay"],
        says: "What was typed and shown, as a text file: :save FILE writes it, `vjp replay FILE` shows it\n\
               again, --step waits before each input, --check compares every output with the file. Lines\n\
               that begin with # between an output and the next prompt are narration.",
        example: "x = [1, 2]; y = x^2; y.backward([1, 1])",
    },
    Word {
        name: "blanks",
        also: &["____", "blank", "exercise"],
        says: "____ in the output of a session file is something to find out. With `vjp replay --step` the\n\
               room predicts and Enter reveals; filled in, `vjp replay --check FILE` marks it, numbers as\n\
               numbers, and says what a wrong answer would have been right for.",
        example: "x = [1, 2]; y = x^2; y.backward([1, 10]); x.grad",
    },
];
