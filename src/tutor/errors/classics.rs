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

/// Rows `"message" in "text" => "says";`: the text stands in the statement, with `at` where the error is; `type`
/// is a line to type.
macro_rules! classics {
    ($($message:literal $(in $text:literal)? $(at $here:literal)? $(type $code:literal)? => $says:literal;)*) => {
        const CLASSICS: &[Classic] = &[$(Classic {
            message: $message,
            text: concat!($($text)? $($here)?),
            here: { let all: &[&str] = &[$($here)?]; !all.is_empty() },
            code: concat!($($code)?),
            says: $says,
        }),*];
    };
}

classics! {
    "optimizer got an empty parameter list"
        => "a module registers nn.Parameter(…), layers and nn.ModuleList([…]), not plain tensors or lists of layers";
    "can't optimize a non-leaf Tensor"
        => "compute the numbers first, then make a leaf of them:  w = (0.1*torch.randn(3)).requires_grad_()";
    "argument given to the optimizer should be an iterable of Tensors"
        => "put the tensor in a list, as in  torch.optim.SGD([w], lr=0.1)";
    "'int' object is not iterable" in "grad("
        => "the derivative of a function at a number is  grad(f)(2)";
    "gradient() received an invalid combination of arguments - got (function"
        => "the derivative of a function at a number is  grad(f)(2)";
    "argument 'input' (position 1) must be Tensor, not function" in "gradient("
        => "the derivative of a function at a number is  grad(f)(2)";
    "'function' object has no attribute 'derivative'"
        => "the derivative of a function at a number is  grad(f)(2)";
    "'function' object has no attribute 'grad'"
        => "the derivative of a function at a number is  grad(f)(2)";
    "'function' object has no attribute 'backward'" => "call the function first:  f(x).backward()";
    "'str' object is not callable" in "''(" => "a second derivative is written  grad(grad(f))(3)";
    "unsupported operand type(s) for ** or pow(): 'function' and"
        => "a function is called first: f(x)^2 is a power of its value, f(g(x)) a composition";
    "'module' object is not callable" in "optim."
        => "the class has capitals, as in  torch.optim.SGD([w], lr=0.1)";
    "Loss' object has no attribute 'backward'" in "("
        => "make the loss first, then call it, as in  nn.CrossEntropyLoss()(input, target)";
    "__init__() takes 1 positional argument but 2 were given" in "nn."
        => "make the layer first, then call it, as in  nn.Tanh()(x)";
    "'numpy.ndarray' object has no attribute 'backward'"
        => "an array has no history: x = torch.tensor(x, requires_grad=True) makes a leaf of its numbers";
    "cannot assign module before Module.__init__() call"
        => "begin __init__ with  super().__init__()";
    "object has no attribute" at "self."
        => "set it in __init__ (two underscores on each side):  self.name = …";
    "'NoneType' object has no attribute 'zero_'" at ".grad.zero_"
        => "zero the gradient after a backward, or set it to None, which always works";
    "'NoneType' object has no attribute 'backward'" in "("
        => "a function without `return` gives None, and so does backward()";
    "bitwise_xor" in "^" => "^ is Python's exclusive or; a power is **, as in  x**2";
    "'NoneType' object has no attribute" in ".grad_fn."
        => "grad_fn is None for a leaf, and for what was not computed from a leaf";
    "and (1,)" in ".grad" => "a .grad is None until a backward has run";
    "'NoneType' object has no attribute" in ".backward("
        => "backward() gives None: the gradient is in the leaf, as x.grad";
    "'NoneType' object has no attribute" in ")"
        => "perhaps a `return` is missing: a function without one gives None, forward too";
    ".forward() takes" in ".apply("
        => "forward takes ctx, then a parameter for each argument of apply:  def forward(ctx, x):";
    ".forward() takes" => "the first parameter of a method is self:  def forward(self, x):";
    "'tuple' object has no attribute 'backward'"
        => "parentheses make a tuple; write a vector in brackets: [1, 2]";
    "'tuple' object has no attribute"
        => "take a part of the tuple: t[0] is the first, or unpack it as in  out, hidden = lstm(x)";
    "is not a Module subclass" at "("
        => "the parts are layers, not classes or functions: with parentheses, nn.ReLU() makes one";
    "'builtin_function_or_method' object does not support the context manager protocol" at ""
        => "call it:  with {at}():";
    "'type' object does not support the context manager protocol" at ""
        => "call it:  with {at}():";
    "where() received an invalid combination of arguments - got (Tensor, "
        => "where(condition, a, b) takes a where the condition holds, else b";
    "Found dtype Long but expected" => "targets are floats here: target.double()";
    "can't be cast to the desired output type Long"
        => "make floats of whole numbers first, also of the targets of a loss: .double()";
    "both arguments to linear need to be at least 1D"
        => "a layer takes a vector: [1] rather than 1";
    "expected target dtype to be Long"
        => "targets are class numbers: target.long(), or torch.tensor([0, 2])";
    "'indices' to have one of the following scalar types" => "indices are whole numbers: .long()";
    "shapes cannot be multiplied" in "("
        => "a Linear layer takes in_features numbers along the last dimension: compare the sizes, also from layer to layer; x.flatten(1) makes one row of each image";
    "returned an incorrect number of gradients"
        => "backward returns one gradient for each input of forward, None for those without";
    "'method' object is not iterable" in ".parameters" => "call it: .parameters()";
    "object is not iterable" in "optim." => "an optimizer takes parameters: net.parameters()";
    "attempting to assign a gradient of size '[]'" in ".grad" type "{at} = None"
        => "deletes the gradient";
    "'int' object is not iterable" in "for "
        => "count with range:  for k in range(3):  takes 0, 1, 2";
    "object is not iterable" in ".backward("
        => "write the weights in brackets, as in  y.backward([1, 10])";
    "log() takes 1 positional argument"
        => "log(x)/log(2) is the logarithm to the base 2, log10(x) the one to the base 10";
    "missing 1 required positional arguments: \"dim\""
        => "name the dimension: dim=0 for the first, dim=-1 for the last";
    "'builtin_function_or_method' object has no attribute"
        => "a method is called with parentheses first, as in  x.sum().backward()";
    "must be tuple of Tensors, not Tensor" in "("
        => "put the tensors in a list, as in  torch.cat([a, b])";
    "cannot be converted to Scalar" in ".item("
        => "item() gives the number of a single element: x[0].item(); tolist() gives all";
    "argument 'retain_variables'" => "the argument is called retain_graph now";
    "more than one value is ambiguous"
        => "one truth value is needed: .any() or .all() gives it; & and | combine conditions element by element";
    "as parameter '" at "."
        => "nn.Parameter(…) makes a parameter of a tensor; {at}.data = … changes its numbers";
    "object has no attribute 'gradient'" => "the gradient is called grad: x.grad";
    "invalid index of a 0-dim tensor" in ".data[0]"
        => "a loss is a single number: loss.item() gives it";
    "Dimension out of range" at "" => "dimensions are counted from 0, and from -1 at the end";
    "appears to not have been used in the graph"
        => "the output does not depend on that input: allow_unused=True gives None for it";
    "argument 'dim' (position 2) must be int, not Tensor" in "("
        => "put the tensors in a list, as in  torch.cat([a, b])";
    "tensor() takes 1 positional argument"
        => "write the numbers in a list, as in  torch.tensor([1., 2.])";
    "only Tensors of floating point and complex dtype can require gradients"
        => "write 1. for 1, or convert with .double()";
    "only Tensors of floating point dtype can require gradients"
        => "write 1. for 1, or convert with .double()";
    "pow(): 'set'" => "braces make a set; write a vector in brackets: [1, 2]";
    "pow(): 'range'" => "arange(5)^2 computes with the numbers of range(5)";
}

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
