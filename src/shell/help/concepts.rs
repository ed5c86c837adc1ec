//! Terms of automatic differentiation and of sessions that `:help` explains.

use super::words::Word;

pub static CONCEPTS: &[Word] = &[
    Word {
        name: "vjp",
        also: &["vᵀj", "pullback", "reverse mode"],
        says: "Vector times Jacobian: vᵀJ, the sum of the rows of J weighted by v. One backward sweep\n\
               computes it without building J: each operation turns the cotangent of its output into\n\
               those of its inputs. backward adds vᵀJ to x.grad, vjp(y, x, v) only returns it, and\n\
               torch.func.vjp returns it as a function. v = [1, 0] gives the first row of J.",
        example: "x = [1, 2]; y = 3*x^2; vjp(y, x, [1, 10])",
    },
    Word {
        name: "jvp",
        also: &["pushforward", "u", "directional derivative", "forward mode", "dual numbers"],
        says: "Jacobian times vector: J·u, the rate of change of y as x moves along u. One forward sweep\n\
               computes it; u = [1, 0] gives the first column of J. The whole J takes one jvp for each\n\
               element of x, or one vjp for each element of y: for a loss, which is one number, one vjp.",
        example: "x = [1, 2]; y = 3*x^2; jvp(y, x, [1, 0])",
    },
    Word {
        name: "cotangent",
        also: &["cotangents", "upstream"],
        says: "The gradient that reaches a value in the backward sweep: the derivative of vᵀy with respect\n\
               to that value, in its shape. At y it is v; each operation multiplies it by its own Jacobian; where a value\n\
               is used twice, its cotangents add. What reaches a leaf is added to its .grad. :explain\n\
               shows each of them.",
        example: "x = [1, 2]; h = x^2; h.retain_grad(); (3*h).backward([1, 10]); h.grad",
    },
    Word {
        name: "hooks",
        also: &["hook", "register_hook"],
        says: "A hook is a function that backward calls with the gradient that reaches a tensor:\n\
               h.register_hook(f). What f returns, unless it is None, goes on in its place; print shows it.\n\
               register_full_backward_hook does so for a module.",
        example: "x = [1, 2]; h = x^2; h.register_hook(lambda g: 10*g); h.sum().backward(); x.grad",
    },
    Word {
        name: "create_graph",
        also: &["second derivative", "second derivatives", "double backward"],
        says: "create_graph=True, in grad(y, x) and in y.backward(), records how the gradient was computed,\n\
               so that it can be differentiated again: for second derivatives, and for losses with a\n\
               gradient in them.",
        example: "x = 3; y = x^3; g = grad(y, x, create_graph=True); grad(g, x)",
    },
    Word {
        name: "in-place",
        also: &["inplace", "in place", "+=", "-=", "*=", "/="],
        says: "x.add_(1), x += 1 and x[0] = 1 change the numbers of a tensor that is there; x = x + 1 makes\n\
               another. A leaf that requires a gradient may be changed only where nothing is recorded,\n\
               with torch.no_grad(): and backward fails where a value that it needs was changed.\n\
               Outside no_grad, x += 1 gives a bare number or list a computed value: x is then no longer\n\
               a leaf.",
        example: "w = torch.ones(2, requires_grad=True)\nwith torch.no_grad():\n    w += 1\n",
    },
    Word {
        name: "Function",
        also: &[
            "custom function",
            "autograd.function",
            "torch.autograd.function",
            "ctx",
            "save_for_backward",
            "ctx.save_for_backward",
            "saved tensors",
            "saved_tensors",
        ],
        says: "A class derived from torch.autograd.Function has a forward(ctx, x) and a backward(ctx, g) of\n\
               your own: g is the gradient that reaches the output, and backward returns one for each\n\
               input. ctx.save_for_backward(x) keeps a tensor, ctx.saved_tensors gives it back. Call\n\
               apply on the class. gradcheck tells whether backward is right.",
        example: "class Double(torch.autograd.Function):\n    forward = staticmethod(lambda ctx, x: 2*x)\n    backward = staticmethod(lambda ctx, g: 2*g)\n\nDouble.apply(torch.ones(2, requires_grad=True)).sum().backward()",
    },
    Word {
        name: "grad_fn",
        also: &["graph", "node", "edge", "computational graph", "computation graph", "tape"],
        says: "The operation that computed a tensor, with the values saved for its derivative: a node of\n\
               the graph. Its next_functions are the nodes of its inputs; backward follows them from y to\n\
               the leaves, whose grad_fn is None.",
        example: "x = [1, 2]; y = (3*x^2).sum(); y.grad_fn; y.grad_fn.next_functions",
    },
    Word {
        name: "detach",
        also: &["data", "stop gradient", "stop_gradient", "fixed", "held", "held fixed"],
        says: "h.detach() has the values of h but no history: backward stops there, and nothing before it\n\
               gets a gradient along this path. J does not include such a path. .item(), float() and\n\
               torch.tensor(h) cut it too. :why shows where.",
        example: "x = [1, 2]; y = (x*(x^2).detach()).sum(); y.backward(); x.grad",
    },
    Word {
        name: "retain_grad",
        also: &["retains_grad"],
        says: "h.retain_grad(), called before backward, makes a computed h keep its .grad, the cotangent\n\
               that reaches it. A leaf keeps its .grad anyway.",
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
        says: "x.is_leaf is False for a tensor that requires a gradient and was computed from others,\n\
               otherwise True. backward fills the .grad of leaves that require a gradient.",
        example: "w = torch.ones(2, requires_grad=True); y = w**2; [w.is_leaf, y.is_leaf]",
    },
    Word {
        name: "item",
        also: &[],
        says: "y.item() is the Python number in a tensor with one element, with no record of how it was\n\
               computed: no gradient passes through it. Use it to print or count; keep the tensor where\n\
               backward should pass.",
        example: "y = torch.tensor([1., 2.]).sum(); y.item()",
    },
    Word {
        name: "Tensor",
        also: &["tensors"],
        says: "Numbers of one dtype in a shape, torch.tensor([[1., 2.], [3., 4.]]), with .shape, .dtype and,\n\
               if gradients are on, .grad and .grad_fn. Type x. and press Tab to list its methods. At the\n\
               prompt a list of numbers becomes one when you compute with it.",
        example: "t = torch.tensor([1., 2.], requires_grad=True); (3*t**2).sum().backward(); t.grad",
    },
    Word {
        name: "no_grad",
        also: &["inference_mode"],
        says: "Inside `with torch.no_grad():` nothing is recorded: a value computed there is a\n\
               constant. A training step belongs there, because it changes the leaf and is not part of\n\
               the function that is differentiated.",
        example: "w = torch.tensor([1., 2.], requires_grad=True); (w**2).sum().backward()\nwith torch.no_grad():\n    w -= 0.1*w.grad\n",
    },
    Word {
        name: "retain_graph",
        also: &["freed"],
        says: "In PyTorch backward frees the saved values of the graph, so a second backward through it\n\
               fails; retain_graph=True keeps them for one more. vjp keeps the graph so you can try\n\
               another v, except under `:set strict on`.",
        example: "x = [1, 2]; y = x^2; y.backward([1, 0], retain_graph=True); y.backward([0, 1])",
    },
    Word {
        name: "session",
        also: &["sessions", "replay", "page", "pages"],
        says: "A text file of what the terminal showed: :save FILE writes it, `vjp replay FILE` shows it\n\
               again, --step waits before each input, --check compares every output with the file. Lines\n\
               that begin with # between an output and the next prompt are narration. `vjp page FILE -o OUT`\n\
               makes a page for a browser of it, `vjp export` a program for PyTorch or JAX, or a notebook.",
        example: "x = [1, 2]; y = x^2; y.backward([1, 1])",
    },
    Word {
        name: "blanks",
        also: &["____", "blank", "exercise"],
        says: "____ in a session file is a blank to fill in with numbers, in an output or in an input. With\n\
               `vjp replay --step` the class predicts and Enter reveals the answer; `vjp replay --check FILE`\n\
               marks the answers and explains common mistakes. An input runs once its blanks are filled in.",
        example: "x = [1, 2]; y = x^2; y.backward([1, 10]); x.grad",
    },
    Word {
        name: "sheet",
        also: &["sheets", "range", "ranges"],
        says: "A session file with blanks for a class. With ranges in its inputs, x = {1..5}, v = {-3..3}^2\n\
               (two numbers), A = {1..5}^(2,3), `vjp sheet FILE --students NAMES -o FOLDER` draws other\n\
               numbers for each student; see `vjp help sheet`.",
        example: "x = [2, 5]; y = x[0]*x[1]; y.backward(); x.grad",
    },
];
