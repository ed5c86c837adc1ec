//! Functions that an exported program brings along, when it uses them: the prompt's own short
//! forms, written with PyTorch's or JAX's functions.

/// A function by its name, the ones it uses, and its text.
pub struct Helper {
    pub name: &'static str,
    uses: &'static [&'static str],
    text: &'static str,
}

pub const TORCH: &[Helper] = &[
    Helper {
        name: "stacked",
        uses: &[],
        text: "def stacked(items):
    \"\"\"Numbers and 0-d tensors, nested to equal lengths, as one tensor.\"\"\"
    if not isinstance(items, (list, tuple)):
        return torch.as_tensor(items, dtype=torch.get_default_dtype())
    return torch.stack([stacked(item) for item in items])",
    },
    Helper {
        name: "weighted",
        uses: &[],
        text: "def weighted(y, v, x):
    \"\"\"vJ in the shape of x; zeros where y does not depend on x.\"\"\"
    if not y.requires_grad:
        return torch.zeros_like(x)
    g, = torch.autograd.grad(y, x, v, create_graph=True, allow_unused=True)
    return torch.zeros_like(x) if g is None else g",
    },
    Helper {
        name: "jacobian",
        uses: &["weighted"],
        text: "def jacobian(y, x):
    \"\"\"dy/dx, of shape y.shape + x.shape: one sweep for each row.\"\"\"
    if callable(y):
        return torch.autograd.functional.jacobian(y, x)
    units = torch.eye(y.numel(), dtype=y.dtype)
    rows = [weighted(y, unit.reshape(y.shape), x) for unit in units]
    return torch.stack(rows).reshape(y.shape + x.shape)",
    },
    Helper {
        name: "hessian",
        uses: &["jacobian", "weighted"],
        text: "def hessian(y, x):
    \"\"\"The second derivatives of a scalar y.\"\"\"
    if callable(y):
        return torch.autograd.functional.hessian(y, x)
    return jacobian(weighted(y, torch.ones_like(y), x), x)",
    },
    Helper {
        name: "grad",
        uses: &[],
        text: "def grad(y, x, v=None):
    \"\"\"The gradient of y; with v the gradient of the sum weighted by it.\"\"\"
    return torch.autograd.grad(y, x, v, create_graph=True)[0]",
    },
    Helper {
        name: "vjp",
        uses: &["weighted"],
        text: "def vjp(y, x, v):
    \"\"\"vJ: the rows of J, weighted and added.\"\"\"
    if callable(y):
        return torch.autograd.functional.vjp(y, x, v)
    v = torch.as_tensor(v, dtype=y.dtype)
    return weighted(y, v.sum() if y.dim() == 0 else v, x)",
    },
    Helper {
        name: "jvp",
        uses: &["jacobian"],
        text: "def jvp(y, x, u):
    \"\"\"Ju: how y moves when x moves along u.\"\"\"
    if callable(y):
        return torch.autograd.functional.jvp(y, x, u)
    u = torch.as_tensor(u, dtype=x.dtype)
    return (jacobian(y, x).reshape(y.numel(), x.numel()) @ u.reshape(-1)).reshape(y.shape)",
    },
    Helper {
        name: "gradcheck",
        uses: &["jacobian"],
        text: "def gradcheck(y, x):
    \"\"\"Of a function only: a tensor cannot be computed again.\"\"\"
    return torch.autograd.gradcheck(y, x) if callable(y) else True",
    },
];

/// The texts of those named and of what they use, in the order of the table.
pub fn needed(table: &'static [Helper], named: &[&str]) -> String {
    let mut wanted: Vec<&str> = named.to_vec();
    let mut at = 0;
    while let Some(name) = wanted.get(at).copied() {
        at += 1;
        if let Some(helper) = table.iter().find(|h| h.name == name) {
            wanted.extend(helper.uses);
        }
    }
    let chosen = table.iter().filter(|h| wanted.contains(&h.name));
    chosen.map(|h| format!("\n\n{}\n", h.text)).collect()
}
