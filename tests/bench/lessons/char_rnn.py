# A recurrent network over the characters of a verse, then a sample from it.
import torch
from torch import nn

torch.manual_seed(4)
text = 'the rows of j are the slopes of y; the weights of v add the rows; the sum is the gradient. ' * 8
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])


class CharRNN(nn.Module):
    def __init__(self, size, hidden):
        super().__init__()
        self.embed = nn.Embedding(size, 16)
        self.rnn = nn.RNN(16, hidden, batch_first=True)
        self.out = nn.Linear(hidden, size)

    def forward(self, x, h=None):
        y, h = self.rnn(self.embed(x), h)
        return self.out(y), h


model = CharRNN(len(chars), 64)
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
for step in range(120):
    starts = torch.randint(len(data) - 33, (16,))
    x = torch.stack([data[s:s + 32] for s in starts])
    y = torch.stack([data[s + 1:s + 33] for s in starts])
    logits, _ = model(x)
    loss = nn.functional.cross_entropy(logits.transpose(1, 2), y)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    if step % 15 == 0:
        print(f'{step:3d} {loss.item():.3f}')

model.eval()
with torch.no_grad():
    at, h, line = torch.tensor([[stoi['t']]]), None, 't'
    for _ in range(40):
        logits, h = model(at, h)
        at = logits[:, -1].argmax(dim=-1, keepdim=True)
        line += chars[at.item()]
print(line)
