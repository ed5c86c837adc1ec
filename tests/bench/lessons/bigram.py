# A bigram model of made-up names: one row of logits for each character, then names drawn from it.
import torch
import torch.nn.functional as F

syllables = ['an', 'be', 'cor', 'da', 'el', 'fi', 'gor', 'ha', 'il', 'jo', 'ka', 'lin', 'mar', 'no', 'ri', 'sa', 'ta', 'vi']
g = torch.Generator().manual_seed(2147483647)
words = [''.join(syllables[i] for i in torch.randint(len(syllables), (3,), generator=g).tolist()) for _ in range(1000)]
chars = sorted(set(''.join(words)))
stoi = {c: i + 1 for i, c in enumerate(chars)}
stoi['.'] = 0
itos = {i: c for c, i in stoi.items()}

xs, ys = [], []
for w in words:
    chs = ['.'] + list(w) + ['.']
    for a, b in zip(chs, chs[1:]):
        xs.append(stoi[a])
        ys.append(stoi[b])
xs, ys = torch.tensor(xs), torch.tensor(ys)
size = len(stoi)
W = torch.randn((size, size), generator=g, requires_grad=True)
for k in range(100):
    xenc = F.one_hot(xs, num_classes=size).float()
    logits = xenc @ W
    counts = logits.exp()
    probs = counts / counts.sum(1, keepdims=True)
    loss = -probs[torch.arange(len(xs)), ys].log().mean() + 0.01 * (W**2).mean()
    W.grad = None
    loss.backward()
    W.data += -50 * W.grad
    if k % 10 == 0:
        print(f'{k:3d} {loss.item():.4f}')

for _ in range(5):
    name, at = '', 0
    while True:
        p = W[at].exp() / W[at].exp().sum()
        at = torch.multinomial(p, num_samples=1, replacement=True, generator=g).item()
        if at == 0 or len(name) > 20:
            break
        name += itos[at]
    print(name)
