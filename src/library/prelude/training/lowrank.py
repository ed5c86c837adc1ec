# torch: the largest singular values of a matrix, from products with a few random vectors; lists of tensors.


def _of_products(A, q, niter):
    Q = torch.linalg.qr(A @ torch.randn(A.shape[-1], q, dtype=A.dtype)).Q
    for _ in torch.arange(niter):
        Q = torch.linalg.qr(A.mT @ Q).Q
        Q = torch.linalg.qr(A @ Q).Q
    return Q


def svd_lowrank(A, q=6, niter=2, M=None):
    """The q largest singular values of A, or of A - M, with their vectors."""
    if M is not None:
        A = A - M.broadcast_to(A.size())
    wide = A.shape[-2] < A.shape[-1]
    if wide:
        A = A.mT
    Q = _of_products(A, 6 if q is None else q, 2 if niter is None else niter)
    U, S, Vh = torch.linalg.svd(Q.mT @ A, full_matrices=False)
    U, V = Q @ U, Vh.mT
    return (V, S, U) if wide else (U, S, V)


def pca_lowrank(A, q=None, center=True, niter=2):
    """The principal components of the rows of A."""
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(f'q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}')
    if niter < 0:
        raise ValueError(f'niter(={niter}) must be non-negative integer')
    return svd_lowrank(A - A.mean(dim=-2, keepdim=True) if center else A, q, niter)


def _each(name, in_place):
    def function(tensors, *others, **options):
        made = []
        for k, t in enumerate(tensors):
            own = [o[k] if isinstance(o, (list, tuple)) else o for o in others]
            made.append(getattr(t, name)(*own, **options))
        return None if in_place else tuple(made)

    return function


def _foreach_norm(tensors, ord=2, dtype=None):
    return tuple([torch.linalg.vector_norm(t, ord, dtype=dtype) for t in tensors])


_foreach_abs = _each('abs', False)
_foreach_add = _each('add', False)
_foreach_add_ = _each('add_', True)
_foreach_addcdiv = _each('addcdiv', False)
_foreach_addcdiv_ = _each('addcdiv_', True)
_foreach_addcmul = _each('addcmul', False)
_foreach_addcmul_ = _each('addcmul_', True)
_foreach_clamp_max = _each('clamp_max', False)
_foreach_clamp_max_ = _each('clamp_max_', True)
_foreach_clamp_min = _each('clamp_min', False)
_foreach_clamp_min_ = _each('clamp_min_', True)
_foreach_copy_ = _each('copy_', True)
_foreach_div = _each('div', False)
_foreach_div_ = _each('div_', True)
_foreach_exp = _each('exp', False)
_foreach_exp_ = _each('exp_', True)
_foreach_lerp = _each('lerp', False)
_foreach_lerp_ = _each('lerp_', True)
_foreach_log = _each('log', False)
_foreach_maximum = _each('maximum', False)
_foreach_minimum = _each('minimum', False)
_foreach_mul = _each('mul', False)
_foreach_mul_ = _each('mul_', True)
_foreach_neg = _each('neg', False)
_foreach_neg_ = _each('neg_', True)
_foreach_pow = _each('pow', False)
_foreach_reciprocal = _each('reciprocal', False)
_foreach_sign = _each('sign', False)
_foreach_sqrt = _each('sqrt', False)
_foreach_sqrt_ = _each('sqrt_', True)
_foreach_sub = _each('sub', False)
_foreach_sub_ = _each('sub_', True)
_foreach_zero_ = _each('zero_', True)
