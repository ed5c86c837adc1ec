# 08-all-ones.vjp as a PyTorch program.
import torch

torch.set_default_dtype(torch.float64)

# All ones
#
# y = 3x², element by element.
x = torch.tensor([1., 2.], requires_grad=True)

y = 3*x**2

# y₁ depends on x₁ alone and y₂ on x₂ alone: a dot in J means that no path
# leads from one to the other. With all weights 1 the rows are added as they
# are: that is the gradient of y.sum().
y.backward(torch.tensor([1., 1.]))
print(x.grad)
