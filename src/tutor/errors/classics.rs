//! Errors that every course meets, and what is usually the matter: one row for each.

use vjp_eval::Help;

/// An error and its cure.
struct Classic {
    /// In the message, and in the statement that failed.
    message: &'static str,
    text: &'static str,
    /// The text stands where the error is.
    here: bool,
    /// A line to type, `{at}` being what failed.
    code: &'static str,
    says: &'static str,
}

const fn row(
    message: &'static str,
    text: &'static str,
    code: &'static str,
    says: &'static str,
) -> Classic {
    Classic { message, text, here: false, code, says }
}

const CLASSICS: &[Classic] = &[
    row(
        "optimizer got an empty parameter list",
        "",
        "",
        "a module registers nn.Parameter(…), layers and nn.ModuleList([…]), not plain tensors or lists of layers",
    ),
    row(
        "can't optimize a non-leaf Tensor",
        "",
        "",
        "compute the numbers first, then make a leaf of them:  w = (0.1*torch.randn(3)).requires_grad_()",
    ),
    row(
        "argument given to the optimizer should be an iterable of Tensors",
        "",
        "",
        "put the tensor in a list, as in  torch.optim.SGD([w], lr=0.1)",
    ),
    row(
        "'int' object is not iterable",
        "grad(",
        "",
        "the derivative of a function at a number is  grad(f)(2)",
    ),
    row(
        "gradient() received an invalid combination of arguments - got (function",
        "",
        "",
        "the derivative of a function at a number is  grad(f)(2)",
    ),
    row(
        "argument 'input' (position 1) must be Tensor, not function",
        "gradient(",
        "",
        "the derivative of a function at a number is  grad(f)(2)",
    ),
    row(
        "'function' object has no attribute 'derivative'",
        "",
        "",
        "the derivative of a function at a number is  grad(f)(2)",
    ),
    row(
        "'function' object has no attribute 'grad'",
        "",
        "",
        "the derivative of a function at a number is  grad(f)(2)",
    ),
    row(
        "'function' object has no attribute 'backward'",
        "",
        "",
        "call the function first:  f(x).backward()",
    ),
    row(
        "'str' object is not callable",
        "''(",
        "",
        "a second derivative is written  grad(grad(f))(3)",
    ),
    row(
        "unsupported operand type(s) for ** or pow(): 'function' and",
        "",
        "",
        "a function is called first: f(x)^2 is a power of its value, f(g(x)) a composition",
    ),
    row(
        "'module' object is not callable",
        "optim.",
        "",
        "the class has capitals, as in  torch.optim.SGD([w], lr=0.1)",
    ),
    row(
        "Loss' object has no attribute 'backward'",
        "(",
        "",
        "make the loss first, then call it, as in  nn.CrossEntropyLoss()(input, target)",
    ),
    row(
        "__init__() takes 1 positional argument but 2 were given",
        "nn.",
        "",
        "make the layer first, then call it, as in  nn.Tanh()(x)",
    ),
    row(
        "'numpy.ndarray' object has no attribute 'backward'",
        "",
        "",
        "an array has no history: x = torch.tensor(x, requires_grad=True) makes a leaf of its numbers",
    ),
    row(
        "cannot assign module before Module.__init__() call",
        "",
        "",
        "begin __init__ with  super().__init__()",
    ),
    Classic {
        here: true,
        ..row(
            "object has no attribute",
            "self.",
            "",
            "set it in __init__ (two underscores on each side):  self.name = …",
        )
    },
    Classic {
        here: true,
        ..row(
            "'NoneType' object has no attribute 'zero_'",
            ".grad.zero_",
            "",
            "zero the gradient after a backward, or set it to None, which always works",
        )
    },
    row(
        "'NoneType' object has no attribute 'backward'",
        "(",
        "",
        "a function without `return` gives None, and so does backward()",
    ),
    row("bitwise_xor", "^", "", "^ is Python's exclusive or; a power is **, as in  x**2"),
    row(
        "'NoneType' object has no attribute",
        ".grad_fn.",
        "",
        "grad_fn is None for a leaf, and for what was not computed from a leaf",
    ),
    row("and (1,)", ".grad", "", "a .grad is None until a backward has run"),
    row(
        "'NoneType' object has no attribute",
        ".backward(",
        "",
        "backward() gives None: the gradient is in the leaf, as x.grad",
    ),
    row(
        "'NoneType' object has no attribute",
        ")",
        "",
        "perhaps a `return` is missing: a function without one gives None, forward too",
    ),
    row(
        ".forward() takes",
        ".apply(",
        "",
        "forward takes ctx, then a parameter for each argument of apply:  def forward(ctx, x):",
    ),
    row(
        ".forward() takes",
        "",
        "",
        "the first parameter of a method is self:  def forward(self, x):",
    ),
    row(
        "'tuple' object has no attribute 'backward'",
        "",
        "",
        "parentheses make a tuple; write a vector in brackets: [1, 2]",
    ),
    row(
        "'tuple' object has no attribute",
        "",
        "",
        "take a part of the tuple: t[0] is the first, or unpack it as in  out, hidden = lstm(x)",
    ),
    Classic {
        here: true,
        ..row(
            "is not a Module subclass",
            "(",
            "",
            "the parts are layers, not classes or functions: with parentheses, nn.ReLU() makes one",
        )
    },
    Classic {
        here: true,
        ..row(
            "'builtin_function_or_method' object does not support the context manager protocol",
            "",
            "",
            "call it:  with {at}():",
        )
    },
    Classic {
        here: true,
        ..row(
            "'type' object does not support the context manager protocol",
            "",
            "",
            "call it:  with {at}():",
        )
    },
    row(
        "where() received an invalid combination of arguments - got (Tensor, ",
        "",
        "",
        "where(condition, a, b) takes a where the condition holds, else b",
    ),
    row("Found dtype Long but expected", "", "", "targets are floats here: target.double()"),
    row(
        "can't be cast to the desired output type Long",
        "",
        "",
        "make floats of whole numbers first, also of the targets of a loss: .double()",
    ),
    row(
        "both arguments to linear need to be at least 1D",
        "",
        "",
        "a layer takes a vector: [1] rather than 1",
    ),
    row(
        "expected target dtype to be Long",
        "",
        "",
        "targets are class numbers: target.long(), or torch.tensor([0, 2])",
    ),
    row(
        "'indices' to have one of the following scalar types",
        "",
        "",
        "indices are whole numbers: .long()",
    ),
    row(
        "shapes cannot be multiplied",
        "(",
        "",
        "a Linear layer takes in_features numbers along the last dimension: compare the sizes, also from layer to layer; x.flatten(1) makes one row of each image",
    ),
    row(
        "returned an incorrect number of gradients",
        "",
        "",
        "backward returns one gradient for each input of forward, None for those without",
    ),
    row("'method' object is not iterable", ".parameters", "", "call it: .parameters()"),
    row("object is not iterable", "optim.", "", "an optimizer takes parameters: net.parameters()"),
    row(
        "attempting to assign a gradient of size '[]'",
        ".grad",
        "{at} = None",
        "deletes the gradient",
    ),
    row(
        "'int' object is not iterable",
        "for ",
        "",
        "count with range:  for k in range(3):  takes 0, 1, 2",
    ),
    row(
        "object is not iterable",
        ".backward(",
        "",
        "write the weights in brackets, as in  y.backward([1, 10])",
    ),
    row(
        "log() takes 1 positional argument",
        "",
        "",
        "log(x)/log(2) is the logarithm to the base 2, log10(x) the one to the base 10",
    ),
    row(
        "missing 1 required positional arguments: \"dim\"",
        "",
        "",
        "name the dimension: dim=0 for the first, dim=-1 for the last",
    ),
    row(
        "'builtin_function_or_method' object has no attribute",
        "",
        "",
        "a method is called with parentheses first, as in  x.sum().backward()",
    ),
    row(
        "must be tuple of Tensors, not Tensor",
        "(",
        "",
        "put the tensors in a list, as in  torch.cat([a, b])",
    ),
    row(
        "cannot be converted to Scalar",
        ".item(",
        "",
        "item() gives the number of a single element: x[0].item(); tolist() gives all",
    ),
    row("argument 'retain_variables'", "", "", "the argument is called retain_graph now"),
    row(
        "more than one value is ambiguous",
        "",
        "",
        "one truth value is needed: .any() or .all() gives it; & and | combine conditions element by element",
    ),
    Classic {
        here: true,
        ..row(
            "as parameter '",
            ".",
            "",
            "nn.Parameter(…) makes a parameter of a tensor; {at}.data = … changes its numbers",
        )
    },
    row("object has no attribute 'gradient'", "", "", "the gradient is called grad: x.grad"),
    row(
        "invalid index of a 0-dim tensor",
        ".data[0]",
        "",
        "a loss is a single number: loss.item() gives it",
    ),
    Classic {
        here: true,
        ..row(
            "Dimension out of range",
            "",
            "",
            "dimensions are counted from 0, and from -1 at the end",
        )
    },
    row(
        "appears to not have been used in the graph",
        "",
        "",
        "the output does not depend on that input: allow_unused=True gives None for it",
    ),
    row(
        "argument 'dim' (position 2) must be int, not Tensor",
        "(",
        "",
        "put the tensors in a list, as in  torch.cat([a, b])",
    ),
    row(
        "tensor() takes 1 positional argument",
        "",
        "",
        "write the numbers in a list, as in  torch.tensor([1., 2.])",
    ),
    row(
        "only Tensors of floating point and complex dtype can require gradients",
        "",
        "",
        "write 1. for 1, or convert with .double()",
    ),
    row(
        "only Tensors of floating point dtype can require gradients",
        "",
        "",
        "write 1. for 1, or convert with .double()",
    ),
    row("pow(): 'set'", "", "", "braces make a set; write a vector in brackets: [1, 2]"),
    row("pow(): 'range'", "", "", "arange(5)^2 computes with the numbers of range(5)"),
];

/// What usually helps where a message like this stands at a text like this; `statement`: all of it, where
/// nothing else is said of the error.
pub(crate) fn help(message: &str, at: &str, statement: Option<&str>) -> Option<Help> {
    let stands = |row: &Classic| match row.here {
        true => at.contains(row.text),
        false => statement.is_some_and(|all| all.contains(row.text)),
    };
    let found = CLASSICS.iter().find(|row| message.contains(row.message) && stands(row))?;
    Some(Help { code: found.code.replace("{at}", at), says: found.says.replace("{at}", at) })
}
