"""Stored PyTorch numbers for operations other than pointwise ones.

Run with real PyTorch: `python tests/data/families.py > tests/data/families.jsonl`.
Each case is a program in the common language, printed lists being its result: the value, the
gradient of every input for a fixed cotangent and, for smooth cases, a Hessian-vector product.
"""

import contextlib
import io
import json
import sys
import warnings

INPUTS = {
    "x": "torch.tensor([1., 2., 3.])",
    "y": "torch.tensor([2., 1., 4.])",
    "z": "torch.tensor([0., -1., 0., 2., 2.])",
    "s": "torch.tensor(1.5)",
    "n": "torch.tensor([1., float('nan'), -3.])",
    "e": "torch.zeros(0, 3)",
    "p": "torch.tensor([0.2, 0.7, 0.5])",
    "A": "torch.tensor([[4., 1.], [1., 3.]])",
    "B": "torch.tensor([[0.5, -1., 2.], [1.5, 0.25, -0.75]])",
    "C": "torch.tensor([[4., 1., 0.5, 0.], [1., 3., 1., 0.2], [0.5, 1., 5., 1.], [0., 0.2, 1., 2.5]])",
    "P": "torch.tensor([[[4., 1., 0.], [1., 3., 1.], [0., 1., 5.]], [[2., 0.5, 0.], [0.5, 3., 1.], [0., 1., 4.]]])",
    "line": "torch.tensor([[[1., 3., 2., 5., 4., 0.], [2., 1., 1., 0., 3., 3.]]])",
    "plane": "(torch.arange(16.).reshape(1, 1, 4, 4) * 7 % 11)",
    "w": "torch.tensor([[[1., -1.], [0.5, 2.]], [[0., 1.], [1., -2.]]])",
    "k": "torch.tensor([[[[1., -1.], [0.5, 2.]]], [[[0., 1.], [1., -2.]]]])",
}

# Expressions in the inputs above. What is in SMOOTH is differentiated twice.
SMOOTH = """
F.conv1d(line, w)
F.conv1d(line, w, x[:2], stride=2, padding=1, dilation=2)
F.conv1d(line, w, padding='same')
F.conv1d(line[0], w)
F.conv1d(line, w[:, :1], groups=2)
F.conv2d(plane, k)
F.conv2d(plane, k, x[:2], stride=2, padding=1)
F.conv2d(plane, k, stride=(2, 1), padding=(0, 1))
F.linear(B, B, x[:2])
F.batch_norm(A, None, None, training=True)
F.batch_norm(line, None, None, x[:2], y[:2], training=True)
F.batch_norm(A, torch.zeros(2), torch.ones(2) * 2, x[:2])
F.layer_norm(B, (3,), x, y)
F.rms_norm(B, (3,), x)
F.group_norm(line, 2)
F.group_norm(line, 1, x[:2], y[:2])
F.instance_norm(line)
F.pairwise_distance(A, A * A)
F.scaled_dot_product_attention(A, A, B)
F.scaled_dot_product_attention(A, A, B, attn_mask=torch.tensor([[True, False], [True, True]]))
F.soft_margin_loss(x, torch.tensor([1., -1., 1.]))
F.soft_margin_loss(x, torch.tensor([1., -1., 1.]), reduction='none')
F.poisson_nll_loss(x, torch.tensor([2., 1., 4.]))
F.poisson_nll_loss(x, torch.tensor([2., 1., 4.]), log_input=False, full=True, reduction='sum')
F.cosine_embedding_loss(A, B[:, :2], torch.tensor([1., -1.]))
F.gaussian_nll_loss(x, y, torch.ones(3))
F.gaussian_nll_loss(x, torch.ones(3), y, full=True)
F.mse_loss(x, y)
F.mse_loss(x, y, reduction='none')
F.mse_loss(x, y, reduction='sum')
F.huber_loss(x, y, delta=0.5)
F.cross_entropy(B, torch.tensor([2, 0]))
F.cross_entropy(B, torch.tensor([2, 0]), reduction='sum')
F.cross_entropy(B, torch.tensor([2, 0]), reduction='none')
F.cross_entropy(B, torch.tensor([2, 0]), weight=torch.tensor([1., 2., 0.5]))
F.cross_entropy(B, torch.tensor([2, 0]), label_smoothing=0.1)
F.cross_entropy(B, torch.tensor([2, 0]), weight=torch.tensor([1., 2., 0.5]), label_smoothing=0.1)
F.cross_entropy(B, torch.tensor([2, -100]))
F.cross_entropy(B, torch.tensor([2, 0]), ignore_index=2, label_smoothing=0.2)
F.cross_entropy(B, torch.tensor([[0.2, 0.3, 0.5], [1., 0., 0.]]))
F.cross_entropy(line, torch.tensor([[0, 1, 1, 0, 0, 1]]))
F.cross_entropy(x, torch.tensor(1))
F.nll_loss(B, torch.tensor([2, 0]), weight=torch.tensor([1., 2., 0.5]))
F.binary_cross_entropy(p, torch.tensor([1., 0., 0.3]))
F.binary_cross_entropy(p, torch.tensor([1., 0., 0.3]), weight=torch.tensor([1., 2., 0.5]), reduction='sum')
F.binary_cross_entropy_with_logits(x, torch.tensor([1., 0., 0.3]))
F.binary_cross_entropy_with_logits(x, torch.tensor([1., 0., 0.3]), pos_weight=torch.tensor([2., 1., 3.]))
F.binary_cross_entropy_with_logits(x, torch.tensor([1., 0., 0.3]), weight=torch.tensor([2., 1., 3.]), reduction='none')
F.kl_div(x, p)
F.kl_div(x, p, reduction='batchmean', log_target=True)
F.softmax(B, 1)
F.log_softmax(B, 0)
F.softmin(x, 0)
F.normalize(A)
F.normalize(x, dim=0, p=3)
F.cosine_similarity(A, B[:, :2])
torch.dist(x, y)
torch.dist(x, y, 3)
torch.renorm(A, 2, 0, 4.)
torch.trapezoid(x, y)
torch.cumulative_trapezoid(x * x)
torch.cov(B)
torch.corrcoef(B)
torch.linalg.vecdot(x, y)
torch.var(B)
torch.var(B, 1)
torch.std(B, 0, keepdim=True)
torch.std(B, unbiased=False)
torch.norm(B)
torch.norm(B, 3, 1)
torch.norm(B, 1.5)
torch.linalg.norm(B)
torch.logsumexp(B, 1)
torch.logsumexp(B, (0, 1), keepdim=True)
torch.prod(x)
torch.prod(z)
torch.prod(B, 1)
torch.cumprod(x, 0)
torch.cumprod(z, 0)
torch.cumsum(x * x, 0)
torch.logcumsumexp(x, 0)
torch.logcumsumexp(B, 1)
torch.bmm(P, P)
torch.matmul(P, x)
torch.einsum('ij,kj->ik', B, B)
torch.einsum('i,j,k->ijk', x, y, x)
torch.einsum('bij,bjk->ik', P, P)
torch.tensordot(A, B, 1)
torch.kron(A, B)
torch.outer(x, y)
torch.inner(A, A)
torch.vdot(x, y)
torch.linalg.cross(x, y)
torch.addmm(A, A, A)
torch.addr(A, x[:2], y[:2])
torch.det(A)
torch.det(C)
torch.det(P)
torch.det(torch.block_diag(C, A))
torch.logdet(A)
torch.logdet(C)
torch.slogdet(C)[1]
torch.inverse(C)
torch.inverse(P)
torch.linalg.solve(C, torch.tensor([1., 2., 3., 4.]) * s)
torch.linalg.solve(P, P * P)
torch.matrix_power(A, 3)
torch.matrix_power(A, -2)
torch.linalg.multi_dot([A, B, C[:3]])
torch.linalg.matrix_norm(B)
torch.linalg.eigh(C + C.T)[0]
torch.linalg.eigh(P + P.mT)[1] ** 2
torch.linalg.eigh(A + A.T, UPLO='U')[1]
torch.linalg.eigvalsh(C + C.T)
torch.linalg.svd(B)[0]
torch.linalg.svd(B.T)[2]
torch.linalg.svd(B, full_matrices=False)[2]
torch.linalg.svd(B.T, full_matrices=False)[0]
torch.linalg.svd(P)[0] ** 2
torch.linalg.svdvals(B)
torch.linalg.svdvals(C)
torch.linalg.qr(B)[0]
torch.linalg.qr(B)[1]
torch.linalg.qr(B.T)[0]
torch.linalg.qr(P)[1]
torch.linalg.cholesky(A + A.T)
torch.linalg.cholesky(P + P.mT, upper=True)
torch.linalg.lu(C)[1]
torch.linalg.lu(B)[2]
torch.linalg.lu(B.T)[1]
torch.linalg.pinv(B)
torch.linalg.pinv(B.T)
torch.linalg.lstsq(B.T, x[:, None])[0]
torch.linalg.matrix_exp(A)
torch.linalg.matrix_exp(P / 2)
torch.linalg.solve(A, x[:2])
torch.linalg.solve(A, B.T, left=False)
torch.linalg.solve(P, x)
torch.linalg.solve(P, B.T)
torch.linalg.solve_triangular(A, B, upper=True)
torch.linalg.solve_triangular(A, B, upper=False, unitriangular=True)
torch.linalg.solve_triangular(P, B, upper=False, left=False)
torch.linalg.matrix_norm(B, 2)
torch.linalg.matrix_norm(B, -2)
torch.linalg.matrix_norm(B, 'nuc')
torch.linalg.matrix_norm(P, 2, dim=(0, 1), keepdim=True)
torch.linalg.norm(C, 'fro')
torch.linalg.vector_norm(B, 3, dim=0)
torch.linalg.cond(C)
torch.linalg.matrix_power(A, 0)
torch.linalg.slogdet(P)[1]
torch.linalg.vander(x)
torch.linalg.cross(x, y)
torch.tensordot(A, B, dims=([1], [0]))
torch.tensordot(P, P, dims=([0, 2], [0, 1]))
torch.addbmm(P[0], P, P)
F.bilinear(A, A, P[:, :2, :2])
F.local_response_norm(line, 3, alpha=0.5)
F.multilabel_soft_margin_loss(B, torch.tensor([[1., 0., 1.], [0., 1., 0.]]))
F.multilabel_soft_margin_loss(B, torch.tensor([[1., 0., 1.], [0., 1., 0.]]), weight=x.detach(), reduction='none')
F.pdist(C)
F.conv_transpose1d(line, w)
F.conv_transpose1d(line, w, x[:1] * torch.ones(2), stride=2, padding=1, output_padding=1)
F.conv_transpose1d(line, w[:, :1], groups=2, dilation=2)
F.conv_transpose2d(plane, k[:1], stride=2)
F.conv_transpose2d(plane[0], k[:1])
F.lp_pool1d(line, 3, 2)
F.lp_pool2d(plane + 1, 2, 2)
F.interpolate(line, size=7, mode='linear')
F.interpolate(line, size=4, mode='linear', align_corners=True)
F.interpolate(plane, scale_factor=1.5, mode='bilinear')
F.interpolate(plane, size=(3, 6), mode='bilinear', align_corners=True)
F.cross_entropy(B, torch.tensor([[0.2, 0.3, 0.5], [1., 0., 0.]]), weight=torch.tensor([1., 2., 0.5]))
torch.mvlgamma(x + 1, 2)
torch.ldexp(x, y)
torch.float_power(x, y)
torch.rsub(x, y, alpha=2)
torch.special.softmax(B, 0)
torch.special.logsumexp(B, 1)
x.scatter_reduce(0, torch.tensor([0, 0, 2]), y, 'prod')
x.scatter_reduce(0, torch.tensor([0, 0, 2]), y, 'mean', include_self=False)
torch.gradient(x * x)[0]
torch.var_mean(B, 1)[0]
"""

ONCE = """
F.max_pool1d(line, 2)
F.max_pool1d(line[0], 3, stride=2, padding=1)
F.max_pool2d(plane, 2)
F.max_pool2d(plane, 3, 1, 1)
F.max_pool2d(plane, 3, 2, ceil_mode=True)
F.max_pool2d(plane * 0, 2)
F.avg_pool1d(line, 2)
F.avg_pool1d(line, 3, 2, 1)
F.avg_pool2d(plane, 2)
F.avg_pool2d(plane, 3, 2, 1, count_include_pad=False)
F.avg_pool2d(plane, 3, 2, 1, ceil_mode=True)
F.avg_pool2d(plane, 2, divisor_override=3)
F.adaptive_avg_pool2d(plane, 1)
F.adaptive_avg_pool2d(plane, (2, 3))
F.adaptive_avg_pool1d(line, 4)
F.embedding(torch.tensor([1, 0, 1]), B)
F.embedding(torch.tensor([[1, 0], [1, 1]]), B, padding_idx=0)
F.unfold(plane, 2)
F.unfold(plane, 2, stride=2, padding=1)
F.pad(x, (1, 1))
F.pad(x, (1, 2), value=3.)
F.pad(line, (1, 2), mode='reflect')
F.pad(line, (1, 2), mode='replicate')
F.pad(line, (1, 2), mode='circular')
F.pad(B, (-1, 1))
F.l1_loss(x, y)
F.l1_loss(x, x * 1)
F.smooth_l1_loss(x, y)
F.smooth_l1_loss(x, y, beta=0.5, reduction='none')
F.smooth_l1_loss(x, y, beta=1.0, reduction='sum')
F.hinge_embedding_loss(x, torch.tensor([1., -1., 1.]))
F.hinge_embedding_loss(x, torch.tensor([-1., -1., 1.]), margin=2.5, reduction='none')
F.multi_margin_loss(A, torch.tensor([0, 1]))
F.multi_margin_loss(B, torch.tensor([2, 1]), p=2, margin=0.5, reduction='sum')
F.margin_ranking_loss(x, y, torch.tensor([1., -1., 1.]))
F.margin_ranking_loss(x, y, torch.tensor([1., -1., 1.]), margin=0.5, reduction='none')
F.triplet_margin_loss(A, A + 1, A - 1)
F.cosine_similarity(A, A * 0)
F.normalize(A * 0)
torch.cdist(A, A + 1)
torch.cdist(A, A, p=1.)
torch.cdist(A, A)
torch.dist(x, y, 1)
torch.dist(x, x * 1)
torch.renorm(A, 2, 0, 1.)
torch.diff(x)
torch.diff(B, n=2)
torch.diff(B, dim=0)
torch.diff(x, prepend=torch.zeros(1))
torch.sum(e)
torch.sum(e, 0)
torch.prod(e)
torch.mean(e, 1)
torch.norm(z * 0)
torch.norm(z, 1)
torch.norm(z, float('inf'))
torch.norm(B, float('inf'), 1)
torch.norm(z, 0)
torch.linalg.matrix_norm(B, 1)
torch.linalg.matrix_norm(B, -1)
torch.linalg.matrix_norm(B, float('inf'))
torch.linalg.matrix_norm(P, float('-inf'), dim=(0, 2))
torch.linalg.vector_norm(z, 0.5)
torch.linalg.eigvalsh(torch.eye(3) * s)
torch.linalg.svdvals(torch.eye(2) * s)
torch.slogdet(A[:1] * x[:2, None])[1]
torch.cdist(A, A, p=0.5)
torch.std(z * 0)
torch.max(z)
torch.min(z)
torch.amax(z)
torch.amax(B, (0, 1))
torch.max(z, 0)[0]
torch.median(z)
torch.median(z, 0)[0]
torch.median(B, 1)[0]
torch.nanmedian(n)
torch.sort(z)[0]
torch.sort(z, descending=True, stable=True)[0]
torch.topk(B, 2)[0]
torch.kthvalue(B, 2)[0]
torch.mode(z)[0]
torch.quantile(y, 0.3)
torch.quantile(B, torch.tensor([0.25, 0.5]), dim=1)
torch.quantile(B, 0.6, dim=1, keepdim=True, interpolation='lower')
torch.nansum(n)
torch.nanmean(n)
torch.cummax(z, 0)[0]
torch.cummin(z, 0)[0]
torch.cummax(B, 1)[0]
torch.cumsum(e, 0)
torch.maximum(z, torch.zeros(5))
torch.trace(C)
torch.diag(x)
torch.diag(C, 1)
torch.diagonal(P, 0, 1, 2)
torch.diag_embed(B)
torch.tril(C)
torch.triu(P, 1)
torch.flip(B, (0, 1))
torch.roll(B, 1)
torch.roll(B, (1, 2), (0, 1))
torch.rot90(B)
torch.rot90(B, 2)
torch.rot90(B, -1, (1, 0))
B.unfold(1, 2, 1)
x.unfold(0, 2, 1)
line.unfold(2, 3, 2)
B.movedim(0, 1)
torch.movedim(P, (0, 1), (2, 0))
B.swapaxes(0, 1)
B.ravel()
B.narrow(1, 0, 2)
B.T
P.mT
torch.cat([B, A], 1)
torch.stack([x, y])
torch.hstack([x, y])
torch.vstack([x, y])
torch.dstack([x, y])
torch.block_diag(A, B)
torch.cartesian_prod(x, y)
torch.combinations(x)
torch.meshgrid(x, y, indexing='ij')[0]
torch.meshgrid(x, y, indexing='xy')[1]
torch.broadcast_tensors(x, B)[0]
torch.split(x, 2)[0]
torch.chunk(B, 2, 1)[1]
torch.tensor_split(x, 2)[0]
torch.hsplit(B, 3)[1]
torch.vsplit(B, 2)[1]
B.unbind(1)[2]
torch.unflatten(line, 2, (3, 2))
B.sum_to_size(1, 3)
x.repeat(2, 2)
x.tile((2,))
x.repeat_interleave(2)
B.repeat_interleave(torch.tensor([1, 2]), dim=0)
x.expand(2, 3)
torch.gather(B, 1, torch.tensor([[0, 2], [1, 1]]))
torch.take(B, torch.tensor([0, 5, 5]))
torch.take_along_dim(B, torch.tensor([[0], [2]]), 1)
torch.index_select(B, 1, torch.tensor([2, 0, 2]))
torch.masked_select(z, z > 0)
B[:, torch.tensor([0, 0])]
B[B > 0]
B[1, ::2]
B.masked_fill(B > 0, 7.)
torch.where(B > 0, B, B * B)
x.scatter(0, torch.tensor([0, 2]), y[:2])
x.scatter_add(0, torch.tensor([0, 0]), y[:2])
x.index_add(0, torch.tensor([0, 0]), y[:2])
x.index_copy(0, torch.tensor([2]), y[:1])
x.index_fill(0, torch.tensor([0]), 5.)
x.index_put((torch.tensor([0, 2]),), y[:2])
x.masked_scatter(torch.tensor([True, False, True]), y)
x.clone().add_(y)
x.clone().mul_(y)
x.clone().clamp_(1., 2.)
x.clone().fill_(s)
x.clone().copy_(y)
x.clone().index_fill_(0, torch.tensor([1]), 2.)
x.clone().zero_()
x.clone().masked_fill_(x > 1, 0.)
B.clone().tril_()
x.clone().cumsum_(0)
F.interpolate(line, scale_factor=2)
F.interpolate(plane, size=(3, 5))
F.interpolate(line, size=4, mode='area')
F.pixel_shuffle(plane.reshape(1, 4, 2, 2), 2)
F.pixel_unshuffle(plane, 2)
F.channel_shuffle(plane.reshape(1, 4, 2, 2), 2)
F.fold(plane.reshape(1, 2, 8), (2, 5), (1, 2))
F.adaptive_max_pool1d(line, 4)
F.adaptive_max_pool2d(plane, (2, 3))
F.embedding_bag(torch.tensor([[1, 0], [1, 1]]), B)
F.embedding_bag(torch.tensor([1, 0, 1]), B, torch.tensor([0, 2]), mode='sum')
F.multilabel_margin_loss(B, torch.tensor([[2, 0, -1], [1, -1, 0]]))
torch.aminmax(z).max
torch.aminmax(B, dim=1).min
torch.msort(B)
torch.nanquantile(n, 0.3)
torch.quantile(B, torch.tensor([0.25, 0.5]), dim=0)
torch.median(e)
torch.select_scatter(B, x, 0, 1)
torch.slice_scatter(B, A, 1, 0, 3, 2)
torch.diagonal_scatter(A, x[:2])
torch.as_strided(B, (2, 2), (1, 2), 1)
torch.diagflat(A)
x.scatter_reduce(0, torch.tensor([0, 0, 2]), y, 'sum')
x.scatter_reduce(0, torch.tensor([0, 0, 2]), y, 'amax')
x.scatter_reduce(0, torch.tensor([0, 0, 2]), y, 'amax', include_self=False)
torch.index_reduce(x, 0, torch.tensor([2, 2]), y[:2], 'mean')
x.index_add(0, torch.tensor([0, 0]), y[:2], alpha=3)
x.where(x > 1, y)
B.clone().t_()
B.clone().transpose_(0, 1)
x.clone().unsqueeze_(0)
B.clone().fill_diagonal_(7.)
x.clone().masked_scatter_(x > 1, y)
torch.column_stack([x, y])
torch.atleast_3d(x)
torch.dsplit(P, 3)[1]
torch.bincount(torch.tensor([0, 2, 2]), minlength=4) * s
torch.histc(y.detach(), 4) * s
torch.searchsorted(x, y) * s
torch.bucketize(y, x, right=True) * s
torch.unique(torch.tensor([2., 1., 2.])) * s
"""

# Where PyTorch itself computes with less, or a decomposition amplifies rounding.
LOOSE = {"eigvalsh": 1e-10, "svdvals": 1e-10, "linalg.svd": 1e-10, "eigh": 1e-10, "linalg.cond": 1e-10, "matrix_exp": 1e-11, "pinv": 1e-10, "matrix_norm": 1e-10, "cov": 1e-11, "mvlgamma": 1e-8, "binary_cross_entropy(": 1e-10}


def program(expression, names, twice):
    lines = ["import torch", "import torch.nn.functional as F", "torch.set_default_dtype(torch.float64)"]
    lines += [f"{n} = {INPUTS[n]}.requires_grad_()" for n in names]
    inputs = "[" + ", ".join(names) + "]"
    lines += [
        f"r = {expression}",
        "print(r.flatten().tolist())",
        "v = torch.cos(torch.arange(r.numel()) + 0.5).reshape(r.shape)",
        f"g = torch.autograd.grad((r * v).sum(), {inputs}, create_graph={twice}, allow_unused=True)",
        "for d in g:",
        "    print([] if d is None else d.flatten().tolist())",
    ]
    if twice:
        lines += [
            "q = sum([(d * torch.sin(torch.arange(d.numel()) + 1.).reshape(d.shape)).sum() for d in g if d is not None] + [torch.zeros(())])",
            f"h = torch.autograd.grad(q, {inputs}, allow_unused=True) if q.requires_grad else [None for d in g]",
            "for d in h:",
            "    print([] if d is None else d.flatten().tolist())",
        ]
    return "\n".join(lines) + "\n"


def main():
    import re

    warnings.simplefilter("ignore")
    for block, twice in ((SMOOTH, True), (ONCE, False)):
        for expression in block.strip().split("\n"):
            words = set(re.findall(r"(?<![.\w'])[A-Za-z]\w*(?!\w*=)", expression))
            names = [n for n in INPUTS if n in words]
            text = program(expression, names, twice)
            out = io.StringIO()
            try:
                with contextlib.redirect_stdout(out):
                    exec(text, {})
            except Exception as error:
                print(expression, "|", error, file=sys.stderr)
                continue
            printed = out.getvalue().splitlines()
            rows = ["value"] + [f"gradient of {n}" for n in names] + [f"second order, {n}" for n in names]
            case = {"expression": expression, "program": text, "printed": printed, "rows": rows[: len(printed)]}
            for word, tolerance in LOOSE.items():
                if word in expression:
                    case["tolerance"] = tolerance
            print(json.dumps(case))


main()
