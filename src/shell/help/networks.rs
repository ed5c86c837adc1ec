//! Words of networks and their training that `:help` explains.

use super::words::Word;

pub static NETWORKS: &[Word] = &[
    Word {
        name: "errors",
        also: &["error", "traceback", "tab"],
        says: "An error shows the message that PyTorch or Python has, the place, and below `help` what to do\n\
               instead. Tab on an empty line puts the first such line there, each further Tab the next. A\n\
               statement that fails changes nothing. :why explains the last error; try and except catch one,\n\
               and traceback.format_exc() gives its text.",
        example: "try: torch.ones(2) + torch.ones(3)\nexcept RuntimeError as error: print(error)\n",
    },
    Word {
        name: "scalar",
        also: &["scalars", "vector", "vectors"],
        says: "A scalar is one number, a vector is several in a row, a matrix has rows and columns. Of a\n\
               scalar y the derivative with respect to a vector is one row, its gradient; of a vector y it has\n\
               a row for each element: J. So y.backward() works without v where y is one number.",
        example: "x = [1, 2]; y = x^2; y.backward([1, 10]); z = sum(x^2); z.backward()",
    },
    Word {
        name: "dim",
        also: &["dims", "axis", "axes", "dimension", "dimensions", "keepdim"],
        says: "dim says along which axis an operation works. In a matrix sum(dim=0) adds down each column,\n\
               sum(dim=1) along each row; dim=-1 is the last axis. The axis disappears from the shape;\n\
               with keepdim=True it stays, with length 1, and the result can be broadcast.",
        example: "A = [[1, 2], [3, 4]]; A.sum(dim=0); A.sum(dim=1); A.sum(dim=1, keepdim=True)",
    },
    Word {
        name: "reduction",
        also: &["reductions"],
        says: "What a loss does with its terms: 'mean' divides their sum by their number, 'sum' adds them,\n\
               'none' keeps them. With 'none' the loss has several elements, so backward needs v;\n\
               v = ones gives the gradient of 'sum'.",
        example: "y = [1, 2]; t = torch.zeros(2); loss = F.mse_loss(y, t, reduction='none'); loss.backward([1, 1])",
    },
    Word {
        name: "finite differences",
        also: &[
            "finite difference",
            "difference quotient",
            "central difference",
            "numerical gradient",
            "numerical derivative",
            "gradient check",
            "gradient checking",
            "epsilon",
        ],
        says: "(f(x + h) − f(x − h)) / 2h, with a small h, approximates the slope of a smooth f at x. It needs\n\
               two evaluations for each element of x, and rounding limits its digits; backward needs one\n\
               sweep. :check compares the two for what you typed, gradcheck for a function.",
        example: "f(x) = x^3; (f(2 + 1e-5) - f(2 - 1e-5)) / 2e-5; grad(f)(2)",
    },
    Word {
        name: "linearization",
        also: &["linear approximation", "taylor", "taylor series", "tangent line", "sensitivity"],
        says: "Near a point where f is differentiable, f(x + d) is f(x) + J·d and a rest that becomes small\n\
               faster than d. jvp(y, x, d) is J·d; :what-if computes y at another x, to compare.",
        example: "x = [1, 2]; y = x^2; jvp(y, x, [0.1, 0]); jacobian(y, x)",
    },
    Word {
        name: "activation",
        also: &[
            "activations",
            "nonlinearity",
            "neuron",
            "perceptron",
            "layer",
            "layers",
            "network",
            "neural network",
            "mlp",
        ],
        says: "A layer computes A x + b and applies a function to each element: its activation, such as relu,\n\
               tanh or sigmoid. Without one, layers in a row would be one linear map. nn.Sequential chains\n\
               layers; A and b, weight and bias, are leaves that training changes.",
        example: "net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1)); net(torch.ones(2)).backward(); net[2].bias.grad",
    },
    Word {
        name: "parameter",
        also: &["parameters", "bias", "biases", "hyperparameter"],
        says: "A leaf that training changes. A module lists its own with .parameters(), and\n\
               nn.Parameter(t) makes one of a tensor. backward fills the .grad of each, and the optimizer\n\
               takes a step with it.",
        example: "lin = nn.Linear(2, 1); [p.shape for p in lin.parameters()]",
    },
    Word {
        name: "batch",
        also: &["batches", "minibatch", "mini-batch", "epoch", "epochs", "dataloader"],
        says: "Several examples that go through a network together, one in each row of x. The loss is usually\n\
               the mean over them, and then so is its gradient. An epoch is one pass over all examples, batch by\n\
               batch, with a step of the optimizer after each.",
        example: "w = [1, 2]; X = torch.tensor([[1., 0.], [0., 1.], [1., 1.]]); loss = (X@w).mean(); loss.backward(); w.grad",
    },
    Word {
        name: "momentum",
        also: &[
            "weight decay",
            "weight_decay",
            "regularization",
            "regularisation",
            "l2",
            "overfitting",
        ],
        says: "With momentum=m the optimizer keeps b = m · b + w.grad and goes w −= lr · b: steps in the same\n\
               direction grow. With weight_decay=d it adds d · w to the gradient, the slope of ½ d |w|² that\n\
               keeps weights small (Adam too; AdamW shrinks w instead).",
        example: "w = torch.ones(1, requires_grad=True); opt = torch.optim.SGD([w], lr=0.1, momentum=0.9)\nfor k in range(2):\n    opt.zero_grad(); (w**2).sum().backward(); opt.step()\n\nw",
    },
    Word {
        name: "logits",
        also: &["scores", "one-hot", "one hot", "onehot", "classification"],
        says: "A network's raw scores, one for each class. softmax turns them into probabilities, and\n\
               F.cross_entropy(logits, classes) takes the logits themselves and the number of the right\n\
               class. The gradient to them is softmax(logits) − one_hot(class), divided by the number of\n\
               examples under the usual reduction='mean'.",
        example: "z = [2, 1, 0]; loss = F.cross_entropy(z, torch.tensor(0)); loss.backward(); softmax(z, dim=0)",
    },
    Word {
        name: "mask",
        also: &["masks", "masking", "masked"],
        says: "A tensor of True and False that chooses elements. x[x > 0] keeps those where it is True,\n\
               torch.where(m, a, b) takes a there and b elsewhere, x.masked_fill(m, c) writes c there.\n\
               What is not chosen gets gradient 0; the mask itself has none.",
        example: "x = [-1, 2, 3]; y = torch.where(x > 0, x^2, 0); y.backward([1, 1, 1])",
    },
    Word {
        name: "conv",
        also: &["convolution", "convolutions", "cnn", "convolutional"],
        says: "A small kernel slides over x; each output is the sum of the products of the kernel with what\n\
               it covers. The same weights stand in every row of J, shifted, so the gradient to a weight\n\
               is a sum over all places. F.conv1d, conv2d and conv3d compute it, nn.Conv2d is the layer.",
        example: "x = [1, 2, 4, 8]; k = [1, -1]; y = F.conv1d(x.view(1, 1, 4), k.view(1, 1, 2)); y.sum().backward(); k.grad",
    },
    Word {
        name: "vanishing gradients",
        also: &[
            "vanishing gradient",
            "exploding gradient",
            "exploding gradients",
            "gradient clipping",
            "clipping",
            "residual",
            "residual connection",
            "skip connection",
        ],
        says: "Along a path slopes multiply. Many factors below 1 make the gradient tiny, many above 1 make\n\
               it huge. relu, normalization and additions that skip a layer help against the first,\n\
               nn.utils.clip_grad_norm_ against the second.",
        example: "x = 2.; h = x\nfor k in range(10): h = sigmoid(h)\n\nh.backward(); x.grad",
    },
    Word {
        name: "eigenvalue",
        also: &[
            "eigenvalues",
            "eigenvector",
            "eigenvectors",
            "saddle",
            "saddle point",
            "saddle points",
            "local minimum",
            "minimum",
        ],
        says: "A v = λ v: A only scales the eigenvector v, by the eigenvalue λ. torch.linalg.eigh gives\n\
               both of a symmetric matrix, with derivatives. Where the Hessian at a point with gradient 0 has\n\
               positive eigenvalues only, the point is a local minimum; with both signs it is a saddle.",
        example: "A = torch.tensor([[2., 1.], [1., 2.]]); torch.linalg.eigh(A)",
    },
    Word {
        name: "nan",
        also: &["inf", "infinity"],
        says: "No number: 0/0, inf − inf, 0 · inf, log or sqrt of a negative number. A gradient becomes nan where\n\
               an infinite slope meets a 0: sqrt(x) at 0 has one, and torch.where(c, a, b) hands 0 to the\n\
               branch it did not take. :why shows where the first nan began.",
        example: "x = [0, 4]; y = torch.where(x > 0, sqrt(x), 0); y.sum().backward(); x.grad",
    },
    Word {
        name: "attention",
        also: &["self-attention", "transformer"],
        says: "softmax(Q Kᵀ/√d) V: each row of Q asks, the rows of K answer, and the softmax of the answers\n\
               weights the rows of V. F.scaled_dot_product_attention computes it,\n\
               nn.MultiheadAttention is the layer.",
        example: "Q = [[1, 0]]; K = [[1, 0], [0, 1]]; V = [[1, 2], [3, 4]]; P = softmax(Q@K.T/sqrt(2), dim=1); y = P@V; y.backward([[1, 1]]); Q.grad",
    },
    Word {
        name: "seed",
        also: &["random seed", "random numbers"],
        says: "torch.manual_seed(0) makes the random numbers that follow the same in every run, and the same\n\
               as PyTorch's. In reverse mode the weights v are called a seed too: :help v.",
        example: "torch.manual_seed(0); torch.randn(2)",
    },
];
