# One block with causal self-attention learns to repeat the first half of a sequence.
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(1337)
vocab, context, width, heads = 16, 16, 32, 4


class SelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width)
        self.register_buffer('mask', torch.tril(torch.ones(context, context)))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (z.view(B, T, heads, C // heads).transpose(1, 2) for z in self.qkv(x).chunk(3, dim=-1))
        scores = q @ k.transpose(-2, -1) * (C // heads) ** -0.5
        scores = scores.masked_fill(self.mask[:T, :T] == 0, float('-inf'))
        mixed = F.softmax(scores, dim=-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = SelfAttention()
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocab, width), nn.Embedding(context, width)
        self.block = Block()
        self.ln = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocab)

    def forward(self, idx):
        x = self.tokens(idx) + self.places(torch.arange(idx.shape[1]))
        return self.head(self.ln(self.block(x)))


model = Model()
print(sum(p.numel() for p in model.parameters()))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for step in range(150):
    half = torch.randint(vocab, (32, context // 2 + 1))
    batch = torch.cat([half, half[:, 1:]], dim=1)
    logits = model(batch[:, :-1])
    loss = F.cross_entropy(logits.reshape(-1, vocab), batch[:, 1:].reshape(-1))
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % 15 == 0:
        print(f'{step:3d} {loss.item():.3f}')
