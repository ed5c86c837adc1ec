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
        also: &["leaves", "requires_grad"],
        says: "A leaf is a value that gradients are taken with respect to. At the prompt `x = 2` and\n\
               `x = [1, 2]` make leaves; a tensor is one with requires_grad=True. What is computed\n\
               from leaves is none: its .grad stays None unless y.retain_grad() asks for it.",
        example: "x = [1, 2]; y = x^2; y.backward([1, 1]); x.grad",
    },
    Word {
        name: "v",
        also: &["gradient", "weights", "vjp"],
        says: "y.backward(v) mixes the rows of J: x.grad = vᵀJ = v₁ × row 1 + v₂ × row 2 + …, which is\n\
               the gradient of the number v₁y₁ + v₂y₂ + …  A scalar y has one row, and v is 1.\n\
               v = ones is the gradient of y.sum(); v = [1, 0] picks the first row.",
        example: "x = [1, 2]; y = 3*x^2; y.backward([1, 10])",
    },
    Word {
        name: "jacobian",
        also: &["j"],
        says: "J has a row for each element of y and a column for each element of x; its entry is\n\
               ∂yᵢ/∂xⱼ. In a panel a lone · is zero whatever x is (no path leads from xⱼ to yᵢ), and\n\
               0 is a path whose slope is 0 here.",
        example: "x = [1, 2]; jacobian(3*x^2, x)",
    },
    Word {
        name: "accumulate",
        also: &["accumulation", "zero_grad"],
        says: "Each backward adds to .grad; nothing resets it but you. The panel then shows\n\
               x.grad = before + vᵀJ. `x.grad = None` or zero_grad() starts afresh.",
        example: "x = 1.; y = x^2; y.backward(); y.backward(); x.grad = None",
    },
    Word {
        name: "broadcast",
        also: &["broadcasting"],
        says: "Where shapes differ, an axis of length 1 is repeated. Backward undoes it by adding:\n\
               an element that was used n times has a column with n entries.",
        example: "b = 1.; x = [1, 2, 3]; y = x + b; y.backward([1, 10, 100])",
    },
    Word {
        name: "kink",
        also: &["relu0", "subgradient"],
        says: "At a kink the slopes from left and right differ; PyTorch takes one of them, the panel\n\
               stars the entry and says which.",
        example: "x = [-1, 0, 2]; y = relu(x); y.backward([1, 10, 100])",
    },
    Word {
        name: "strict",
        also: &["python"],
        says: "`:set strict on` is Python and PyTorch exactly: lists are lists, ^ is xor, a bare number\n\
               is no leaf, a second backward needs retain_graph=True, v must have y's shape.",
        example: ":set strict on",
    },
];
