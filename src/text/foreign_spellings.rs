//! What people write by habit from other languages and from mathematics, and what to write here instead. One table for signs, one for the word a statement begins with, one for
//! names, one for keyword arguments.

/// Signs that start no token.
pub const SIGNS: &[(&str, &str)] = &[
    ("−–—", "write a minus sign as -"),
    ("×·⋅∙・⊙∘", "write a product as *"),
    ("÷", "write a quotient as /"),
    ("“”„‘’‚", "write quotes as \" or '"),
    ("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ", "write a power with ^, as in x^2"),
    ("≤", "write <="),
    ("≥", "write >="),
    ("≠", "write !="),
    ("≈", "write isclose(a, b)"),
    ("√", "write sqrt(…)"),
    ("∑", "write sum(…)"),
    ("∏", "write prod(…)"),
    ("∇∂", "grad(y, x) is the derivative of y with respect to x; jacobian(y, x) for a vector y"),
    ("∞", "write inf"),
    ("∈", "write in"),
    ("∧", "write `and`"),
    ("∨", "write `or`"),
    ("¬", "write `not`"),
    ("←", "write an assignment with ="),
    ("‖∥", "write norm(x)"),
    ("½", "write 1/2"),
    ("，", "write a comma as ,"),
    ("（）", "write parentheses as ( and )"),
    ("…", "write ... with three dots"),
    ("&", "write `and`"),
    ("!", "write `not x`; a factorial is math.factorial(n)"),
    ("?", "there is no `?` operator: write `a if condition else b`"),
    ("$", "names cannot contain `$`"),
    ("°", "angles are in radians: 30*pi/180 is 30 degrees"),
    ("⌊⌋", "write floor(x)"),
    ("⌈⌉", "write ceil(x)"),
    ("↦→⇒⟼", "write a function as  f(x) = x^2"),
    (
        "∫",
        "nothing here integrates; t = linspace(0, 1, 101); torch.trapezoid(t^2, t) is the integral of t^2 from 0 to 1, nearly",
    ),
    ("±∓", "write both signs: [a + b, a - b]"),
    ("⟨⟩〈〉", "write a vector in brackets: [1, 2]"),
];

/// What stands for such a sign here, where one sign or word does.
const REPLACED: &[(&str, &[&str])] = &[
    ("−–—", &["-"]),
    ("×·⋅∙・⊙∘", &["*"]),
    ("÷", &["/"]),
    ("“”„", &["\""]),
    ("‘’‚", &["'"]),
    ("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ", &["^0", "^1", "^2", "^3", "^4", "^5", "^6", "^7", "^8", "^9", "^n"]),
    ("≤", &["<="]),
    ("≥", &[">="]),
    ("≠", &["!="]),
    ("∞", &["inf"]),
    ("∈", &[" in "]),
    ("∧", &[" and "]),
    ("∨", &[" or "]),
    ("¬", &["not "]),
    ("←", &["="]),
    ("½", &["1/2"]),
    ("，", &[","]),
    ("（", &["("]),
    ("）", &[")"]),
    ("°", &["*pi/180"]),
    ("⟨〈", &["["]),
    ("⟩〉", &["]"]),
    ("⌊", &["floor("]),
    ("⌈", &["ceil("]),
    ("⌋⌉", &[")"]),
];

/// What to write for a sign.
pub fn replacement(c: char) -> Option<&'static str> {
    let (chars, texts) = REPLACED.iter().find(|(chars, _)| chars.contains(c))?;
    let at = chars.chars().position(|sign| sign == c)?;
    texts.get(at.min(texts.len() - 1)).copied()
}

/// Operators that other languages write as words.
const OPERATORS: &[(&str, &str)] = &[
    ("mod", "%"),
    ("div", "//"),
    ("xor", "^"),
    ("plus", "+"),
    ("minus", "-"),
    ("times", "*"),
    ("dot", "@"),
    ("matmul", "@"),
    ("over", "/"),
];

/// The sign of an operator that is written as a word elsewhere.
pub fn operator(word: &str) -> Option<&'static str> {
    OPERATORS.iter().find(|(name, _)| *name == word).map(|(_, sign)| *sign)
}

/// Words that ask for a value, which an expression alone does.
pub const ASKS_FOR: &[&str] =
    &["calculate", "calc", "compute", "evaluate", "eval", "simplify", "expand"];

/// The sign's meaning.
pub fn sign(c: char) -> Option<&'static str> {
    SIGNS.iter().find(|(chars, _)| chars.contains(c)).map(|(_, says)| *says)
}

/// Words before an assigned name that are left out here.
pub const DECLARES: &[&str] =
    &["let", "var", "const", "val", "auto", "my", "local", "int", "float", "double", "set"];

/// Words that other languages have, at the beginning of a statement or in it.
const WORDS: &[(&[&str], &str)] = &[
    (
        &["function", "fn", "func", "fun", "define", "sub"],
        "write a function as  f(x) = x^2  or with def",
    ),
    (&["then", "do", "begin"], "a block begins with : and is indented"),
    (&["end", "endif", "endfor", "done", "fi"], "a block ends where its indentation ends"),
    (&["elseif", "elsif", "elsewhere"], "write `elif`"),
    (
        &["foreach", "repeat", "until", "loop"],
        "write a loop as  for i in range(3):  or  while x > 1:",
    ),
    (&["switch", "case", "select"], "write `if` and `elif`"),
    (&["throw", "throws"], "write `raise`"),
    (&["catch"], "write `except`"),
    (&["new"], "leave out `new`"),
    (&["echo", "disp", "println", "printf", "puts", "display"], "write print(…)"),
    (&["using", "include", "require", "use"], "write `import`"),
    (&["pip", "conda"], "torch, numpy and matplotlib.pyplot are built in: import torch"),
    (
        &["solve"],
        "nothing here solves equations; a loop of Newton's steps can: x = 2; x - (x^2 - 4)/(2*x)",
    ),
    (&["lim", "limit"], "nothing here takes limits; look at values nearby: x = 1e-6; sin(x)/x"),
    (
        &["integrate", "integral"],
        "nothing here integrates; t = linspace(0, 1, 101); torch.trapezoid(t^2, t) is the integral of t^2 from 0 to 1, nearly",
    ),
    (&["squared", "cubed"], "write a power with ^, as in x^2"),
    (&["Σ"], "write a sum as sum(…)"),
    (&["Π"], "write a product as prod(…)"),
];

/// What to write instead of a word of another language.
pub fn word(text: &str) -> Option<&'static str> {
    WORDS.iter().find(|(all, _)| all.contains(&text)).map(|(_, says)| *says)
}

/// What an undefined name probably means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// This one.
    Name(&'static str),
    /// A sentence; `{y}` and `{x}` stand for what was differentiated last.
    Says(&'static str),
}

const DERIVATIVE: &str = "grad({y}, {x}) is the derivative of {y} with respect to {x}; jacobian({y}, {x}) for a vector {y}";

const NAMES: &[(&[&str], Means)] = &[
    (&["ln"], Means::Name("log")),
    (&["lg"], Means::Name("log10")),
    (&["tg"], Means::Name("tan")),
    (&["sh"], Means::Name("sinh")),
    (&["ch"], Means::Name("cosh")),
    (&["th"], Means::Name("tanh")),
    (&["sen"], Means::Name("sin")),
    (&["raiz", "racine", "wurzel"], Means::Name("sqrt")),
    (&["arctg", "atg"], Means::Name("atan")),
    (&["sqr"], Means::Name("square")),
    (&["fabs", "magnitude"], Means::Name("abs")),
    (&["avg", "average"], Means::Name("mean")),
    (&["logistic"], Means::Name("sigmoid")),
    (&["length", "count"], Means::Name("len")),
    (&["identity", "ident"], Means::Name("eye")),
    (&["π", "Pi", "PI"], Means::Name("pi")),
    (&["Σ"], Means::Name("sum")),
    (&["Π"], Means::Name("prod")),
    (
        &["choose", "binom", "binomial", "nCr"],
        Means::Says("import math; math.comb(5, 2)  is the number of choices of 2 from 5"),
    ),
    (&["ex"], Means::Name("exp")),
    (&["sn", "sine", "sinus"], Means::Name("sin")),
    (&["cs", "cosine", "cosinus"], Means::Name("cos")),
    (&["cot", "ctg"], Means::Says("cot(x) is 1/tan(x)")),
    (&["cbrt"], Means::Says("the cube root of x > 0 is x^(1/3)")),
    (
        &["eig", "eigvals"],
        Means::Says("torch.linalg.eigh(A) gives the eigenvalues of a symmetric A"),
    ),
    (&["sec"], Means::Says("sec(x) is 1/cos(x)")),
    (&["csc", "cosec"], Means::Says("csc(x) is 1/sin(x)")),
    (&["T"], Means::Says("the transpose of A is A.T")),
    (&["infinity", "Infinity", "oo"], Means::Name("inf")),
    (&["true", "TRUE"], Means::Name("True")),
    (&["false", "FALSE"], Means::Name("False")),
    (&["none", "null", "NULL", "nil", "undefined"], Means::Name("None")),
    (&["string"], Means::Name("str")),
    (&["double"], Means::Name("float")),
    (&["boolean"], Means::Name("bool")),
    (&["disp", "display", "println", "printf", "puts"], Means::Name("print")),
    (
        &[
            "derivative",
            "derive",
            "deriv",
            "differentiate",
            "diff",
            "D",
            "d",
            "gradient",
            "nabla",
            "partial",
            "slope",
            "prime",
        ],
        Means::Says(DERIVATIVE),
    ),
    (
        &["tf", "tensorflow"],
        Means::Says("torch is here in place of TensorFlow: y.backward(); x.grad"),
    ),
    (&["jax"], Means::Says("torch.func has what jax has: grad(f)(2.), vjp, jvp, jacrev, hessian")),
    (&["J"], Means::Says("jacobian({y}, {x}) is the Jacobian of {y} with respect to {x}")),
    (&["H"], Means::Says("hessian({y}, {x}) is the Hessian of a scalar {y}")),
];

/// What an undefined name probably means.
pub fn name(text: &str) -> Option<Means> {
    NAMES.iter().find(|(all, _)| all.contains(&text)).map(|(_, means)| *means)
}

/// Whether a word asks for a derivative.
pub fn derives(word: &str) -> bool {
    name(word) == Some(Means::Says(DERIVATIVE))
}

/// A sentence of [`Means::Says`] about these two.
pub fn with_names(says: &str, y: &str, x: &str) -> String {
    says.replace("{y}", y).replace("{x}", x)
}

/// How the derivative of y by x is written.
pub fn derivative(y: &str, x: &str) -> String {
    with_names(DERIVATIVE, y, x)
}

/// Keyword arguments by other names.
const KEYWORDS: &[(&str, &str)] = &[
    ("v", "gradient"),
    ("vector", "gradient"),
    ("weights", "gradient"),
    ("axis", "dim"),
    ("dim", "axis"),
    ("keepdims", "keepdim"),
    ("keepdim", "keepdims"),
    ("learning_rate", "lr"),
];

/// The keyword argument among `known` that another word means.
pub fn keyword<'a>(word: &str, mut known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known.find(|name| KEYWORDS.contains(&(word, name)))
}
