//! Words of the subject that `:help` explains: a few lines and an example that runs.

pub struct Word {
    pub name: &'static str,
    pub also: &'static [&'static str],
    pub says: &'static str,
    pub example: &'static str,
}

pub static WORDS: &[Word] = &[
    Word {
        name: "leaf",
        also: &["leaves", "leaf tensor", "leaf node", "requires_grad", "constant", "constants"],
        says: "A leaf is a value that gradients are taken with respect to. At the prompt `x = 2` and\n\
               `x = [1, 2]` make leaves; a tensor with requires_grad=True is one. A value computed\n\
               from leaves is not a leaf: its .grad stays None unless y.retain_grad() asks for it.\n\
               torch.tensor(0.1) is a constant: it has no gradient and no column in the panel.",
        example: "x = [1, 2]; y = x^2; y.backward([1, 1]); x.grad",
    },
    Word {
        name: "backward",
        also: &["y.backward", "backprop", "backpropagation", "autograd", "autodiff"],
        says: "y.backward(v) computes vᵀJ, the gradient of v₁y₁ + v₂y₂ + …, by one sweep from y back to\n\
               the leaves, and adds it to the .grad of each. A scalar y needs no v: y.backward().\n\
               \u{20}v              a weight for each element of y, a list or a tensor\n\
               \u{20}retain_graph   True keeps the graph for one more backward; here it stays\n\
               \u{20}create_graph   True makes x.grad differentiable, for second derivatives\n\
               \u{20}inputs         only these leaves get a gradient",
        example: "x = [1, 2]; y = 3*x^2; y.backward([1, 10]); x.grad",
    },
    Word {
        name: "v",
        also: &["weights", "weight"],
        says: "y.backward(v) adds the rows of J, weighted by v: vᵀJ = v₁ × row 1 + v₂ × row 2 + …, which\n\
               is the gradient of the number v₁y₁ + v₂y₂ + …  A scalar y has one row, and v is 1.\n\
               v = ones is the gradient of y.sum(); v = [1, 0] picks the first row. :v 1 0 shows\n\
               another v on the same J.",
        example: "x = [1, 2]; y = 3*x^2; y.backward([1, 10])",
    },
    Word {
        name: "gradient",
        also: &["gradients"],
        says: "The gradient of a scalar y with respect to x holds the slopes ∂y/∂xⱼ, in the shape of x;\n\
               y.backward() adds it to x.grad. Where y has several elements, the weights v say of\n\
               which number it is the gradient: of v₁y₁ + v₂y₂ + … torch.gradient is something else:\n\
               it estimates slopes between neighbouring samples (:help torch.gradient).",
        example: "x = [1, 2]; y = sum(x^2); y.backward(); x.grad",
    },
    Word {
        name: "x.grad",
        also: &[".grad", "none", "nonetype"],
        says: "The gradients of all backwards so far, added up, in the shape of x; None before the first.\n\
               x.grad = None clears them. A computed value h has a .grad only after\n\
               h.retain_grad(). :why x explains why x.grad is None.",
        example: "x = [1, 2]; y = 3*x^2; y.backward([1, 10]); x.grad",
    },
    Word {
        name: "jacobian",
        also: &["j", "jacobians", "row", "rows", "column", "columns"],
        says: "J has a row for each element of y and a column for each element of x; its entry is\n\
               ∂yᵢ/∂xⱼ. In a panel a lone · is zero because this run recorded no path from xⱼ to yᵢ,\n\
               and 0 is a path whose slope is 0 here. jacobian(y, x) gives J alone, :formula writes\n\
               its entries.",
        example: "x = [1, 2]; jacobian(3*x^2, x)",
    },
    Word {
        name: "signs",
        also: &["·", "0", "✓", "✗", "*", "symbols", "dot", "marks"],
        says: "The parts of a panel:\n\
               \u{20}v     the weight of each row; 1 where y is a scalar\n\
               \u{20}J     ∂y/∂x: a row for each element of y, a column for each element of x\n\
               \u{20}vᵀJ   the weighted rows added up: what this backward adds to x.grad\n\
               \u{20}·     zero: this run recorded no path from that input to that output\n\
               \u{20}0     a path with slope 0 here, or a branch that was not taken\n\
               \u{20}*     at a kink: the slope that PyTorch takes there\n\
               \u{20}✓     x.grad and vᵀJ, computed separately, agree\n\
               \u{20}✗     they differ, and the panel says why if it can\n\
               \u{20}x₁    the first element, x[0] in code",
        example: "x = [1, 0]; y = x[0]*x[1]; y.backward()",
    },
    Word {
        name: "chain rule",
        also: &["chain_rule", "chain", "chainrule", "total derivative"],
        says: "The slope of a composition is the product of the slopes along the path: for y = f(h)\n\
               and h = g(x), both differentiable, dy/dx = dy/dh · dh/dx. With several paths from x to y their products\n\
               add. With vectors the slopes are Jacobians and the product is the matrix product.\n\
               :explain shows each step.",
        example: "x = 3; h = x^2; y = sin(h); y.backward()",
    },
    Word {
        name: "product rule",
        also: &["quotient rule", "rules", "sum rule", "power rule"],
        says: "(fg)' = f'g + fg', (f/g)' = (f'g − fg')/g², (f + g)' = f' + g', (xⁿ)' = n xⁿ⁻¹. In a graph\n\
               a product has two inputs: the slope to one is the value of the other, and the chain rule\n\
               with two paths gives the product rule.",
        example: "x = 3; y = x^2*sin(x); y.backward()",
    },
    Word {
        name: "accumulate",
        also: &["accumulation", "zero_grad"],
        says: "Each backward adds to .grad and never clears it. The panel then shows\n\
               x.grad = before + vᵀJ. `x.grad = None` or zero_grad() resets it.",
        example: "x = 1.; y = x^2; y.backward(); y.backward(); x.grad = None",
    },
    Word {
        name: "broadcast",
        also: &["broadcasting"],
        says: "Where shapes differ, an axis of length 1 is repeated. backward adds what each copy\n\
               receives: the gradient of an element used n times is a sum of n terms.",
        example: "b = 1.; x = [1, 2, 3]; y = x + b; y.backward([1, 10, 100])",
    },
    Word {
        name: "loss",
        also: &["mse", "cross entropy", "objective", "cost"],
        says: "A number that says how far predictions are from targets; training makes it small. backward\n\
               of it gives the slope for every parameter in one sweep. F.mse_loss(y, t) is the mean of\n\
               squared differences, F.cross_entropy(logits, classes) and F.binary_cross_entropy(p, t)\n\
               are for classes.",
        example: "w = [1, 2]; x = [3, 4]; loss = (w@x - 5)^2; loss.backward(); w.grad",
    },
    Word {
        name: "optimizer",
        also: &[
            "optim",
            "sgd",
            "gradient descent",
            "learning rate",
            "lr",
            "training",
            "step",
            "convergence",
        ],
        says: "Gradient descent goes downhill: w −= lr · w.grad, with a small learning rate lr, again and\n\
               again. An optimizer does so for all parameters: opt.zero_grad(), loss.backward(), opt.step().\n\
               :descend walks and draws the path.",
        example: "w = torch.ones(2, requires_grad=True); opt = torch.optim.SGD([w], lr=0.1); (w**2).sum().backward(); opt.step(); w",
    },
    Word {
        name: "hessian",
        also: &["hessians", "second order"],
        says: "H has a row and a column for each element of x; its entry is ∂²y/∂xᵢ∂xⱼ, and H is symmetric.\n\
               hessian(y, x) gives it for a scalar y, :latex H writes it in symbols, and the derivative of\n\
               grad(y, x, create_graph=True) along u is H·u.",
        example: "x = [1, 2]; hessian(x[0]^2*x[1], x)",
    },
    Word {
        name: "dtype",
        also: &["dtypes", "float32", "float64", "precision", "rounding"],
        says: "The type of a tensor's elements: torch.float64 (about 16 digits; that of new tensors here),\n\
               torch.float32 (about 7; that of PyTorch), torch.int64, torch.bool and others. x.float(),\n\
               x.double() and x.long() convert. Only floats have gradients. --dtype float32 begins as\n\
               PyTorch does.",
        example: "x = torch.tensor([1, 2]); x.dtype; x.double().dtype",
    },
    Word {
        name: "kink",
        also: &["relu0", "subgradient", "except where"],
        says: "At a kink the slopes from left and right differ, so there is no derivative. PyTorch takes\n\
               a fixed slope there; the panel marks the entry with * and gives that slope. :formula writes\n\
               a slope with the places where it does not hold: except where x = 0.",
        example: "x = [-1, 0, 2]; y = relu(x); y.backward([1, 10, 100])",
    },
    Word {
        name: "plot",
        also: &["plt", "matplotlib", "pyplot", "graphics", "chart"],
        says: "matplotlib.pyplot draws lines, points, bars and histograms in the terminal: plot, scatter,\n\
               bar, barh, hist, semilogx, semilogy, loglog, axhline, axvline, with title, xlabel,\n\
               ylabel, xlim, ylim, legend. plt.show() draws everything plotted since the last plt.show().",
        example: "import matplotlib.pyplot as plt; plt.plot([1, 2, 3], [1, 4, 9]); plt.show()",
    },
    Word {
        name: "for",
        also: &[
            "while",
            "if",
            "elif",
            "else",
            "break",
            "continue",
            "loop",
            "loops",
            "def",
            "lambda",
            "return",
            "function",
            "functions",
        ],
        says: "for runs its lines once for each value, while runs them as long as a condition holds, and\n\
               if runs them when it holds. The lines that belong to it are indented; at the prompt an\n\
               empty line ends them. break leaves a loop, continue goes on with its next turn.\n\
               f(x) = x^2 defines a function on one line, and so does f = lambda x: x^2; def f(x): has\n\
               indented lines, and return gives the result.",
        example: "for k in range(3): print(k^2)",
    },
    Word {
        name: "strict",
        also: &["python"],
        says: "`:set strict on` means Python and PyTorch exactly: lists are lists, ^ is xor, a bare number\n\
               is not a leaf, a second backward needs retain_graph=True, v must have the shape of y.",
        example: ":set strict on",
    },
    Word {
        name: "derivative",
        also: &[
            "derivatives",
            "derive",
            "deriv",
            "differentiate",
            "differentiation",
            "diff",
            "slope",
            "slopes",
            "tangent",
            "tangents",
            "prime",
            "dy/dx",
            "d/dx",
            "partial",
            "partial derivative",
            "partial derivatives",
        ],
        says: "The derivative of y with respect to x is the slope of y at this x: how fast y grows as x\n\
               grows. grad(y, x) gives it, and y.backward() adds it to x.grad. Of a function f, grad(f)\n\
               is the derivative f', and grad(f)(3) its value at 3. For several numbers x, the slopes\n\
               together are the gradient; grad(grad(f)) is the second derivative.\n\
               :plot f at 3 draws f with its tangent at 3, :formula writes the derivative as a formula.",
        example: "f(x) = x^2; grad(f)(3)",
    },
    Word {
        name: "@",
        also: &[
            "dot product",
            "inner product",
            "matrix product",
            "^",
            "operators",
            "operator",
            "+",
            "-",
            "/",
            "//",
            "%",
            "**",
            "⊙",
        ],
        says: "+ - * / and ^ work element by element, with broadcasting; // divides and rounds down,\n\
               % gives the remainder. A @ B is the product of matrices and vectors. In :equations ⊙ is\n\
               the product element by element.\n\
               x^2 is a power, as x**2 is; under --strict ^ is Python's exclusive or.",
        example: "A = [[1, 2], [3, 4]]; x = [1, 2]; A @ x; x^2",
    },
];
