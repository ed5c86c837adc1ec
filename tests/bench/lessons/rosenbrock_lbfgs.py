# Down the Rosenbrock valley by LBFGS and, for comparison, by Adam and by plain steps.
import torch


def rosenbrock(p):
    x, y = p
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


p = torch.tensor([-1.5, 2.0], requires_grad=True)
optimizer = torch.optim.LBFGS([p], lr=1, max_iter=4, history_size=10, line_search_fn='strong_wolfe')


def closure():
    optimizer.zero_grad()
    loss = rosenbrock(p)
    loss.backward()
    return loss


# The path through the valley hangs on last digits, its beginning and its end do not.
for step in range(25):
    loss = optimizer.step(closure)
    if step < 5 or step > 20:
        print(f'{step:2d} {loss.item():.3f}')
print([round(c, 3) for c in p.tolist()])

for make in (lambda q: torch.optim.Adam([q], lr=0.02), lambda q: torch.optim.SGD([q], lr=1e-3)):
    q = torch.tensor([-1.5, 2.0], requires_grad=True)
    optimizer = make(q)
    for step in range(1500):
        optimizer.zero_grad()
        loss = rosenbrock(q)
        loss.backward()
        optimizer.step()
        if step % 300 == 0:
            print(f'{step:4d} {loss.item():.4f}')
