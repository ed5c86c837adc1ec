import torch, torch.nn as nn
torch.manual_seed(0)
e = nn.Embedding(5, 3, padding_idx=0); print(e, e.weight)
y = e(torch.tensor([[0, 2], [2, 4]])); print(y); y.sum().backward(); print(e.weight.grad)
print(nn.Embedding.from_pretrained(torch.eye(3))(torch.tensor([1])), nn.EmbeddingBag(4, 2, mode='sum'), nn.EmbeddingBag(4, 2)(torch.tensor([[0, 1], [2, 3]])))
for l in [nn.TripletMarginLoss(), nn.GaussianNLLLoss(), nn.PoissonNLLLoss(), nn.MultiMarginLoss(), nn.CosineEmbeddingLoss(), nn.MultiLabelSoftMarginLoss(), nn.CrossEntropyLoss(), nn.BCELoss(), nn.HuberLoss()]: print(l)
a, p, q = torch.randn(2,3), torch.randn(2,3), torch.randn(2,3)
print(nn.TripletMarginLoss()(a,p,q), nn.GaussianNLLLoss()(a,p,q.abs()), nn.PoissonNLLLoss()(a,p.abs()), nn.MultiMarginLoss()(a, torch.tensor([0,2])), nn.CosineEmbeddingLoss()(a,p,torch.tensor([1,-1])), nn.MultiLabelSoftMarginLoss()(a, (p>0).to(a.dtype)), nn.TripletMarginWithDistanceLoss()(a,p,q))
print(nn.BCEWithLogitsLoss(pos_weight=torch.tensor([2.,1.,3.]))(a, (p>0).to(a.dtype)))
from torch.nn.utils import parameters_to_vector, vector_to_parameters
l = nn.Linear(2, 1); v = parameters_to_vector(l.parameters()); print(v); vector_to_parameters(torch.arange(3.), l.parameters()); print(l.weight, l.bias)
print(nn.functional.gumbel_softmax(torch.zeros(2,3), hard=True))
