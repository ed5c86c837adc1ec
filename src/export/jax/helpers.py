# Functions that an exported JAX program brings along.


@jax.custom_jvp
def power(base, exponent):
    """base ** exponent, with PyTorch's slopes at a base of 0."""
    return jnp.power(base, exponent)

@power.defjvp
def power_slopes(primals, tangents):
    """The derivative of power."""
    base, exponent = primals
    zero = exponent == 0
    slope = jnp.where(zero, 0, exponent * power(base, jnp.where(zero, 1, exponent - 1)))
    value = power(base, exponent)
    flat = (base == 0) & (exponent >= 0)
    log = jnp.where(flat, 0, value * jnp.log(jnp.where(flat, 1, base)))
    parts = zip(tangents, (slope, log))
    return value, sum(t * by for t, by in parts if t.dtype != jax.dtypes.float0)


@jax.custom_jvp
def hypot(input, other):
    """The length of the hypotenuse, without overflow."""
    return jnp.hypot(input, other)

@hypot.defjvp
def hypot_slopes(primals, tangents):
    """The derivative of hypot."""
    length = hypot(*primals)
    return length, sum(t * (a / length) for t, a in zip(tangents, primals))


@jax.custom_jvp
def logaddexp(input, other):
    """log(eᵃ + eᵇ), without overflow."""
    return jnp.logaddexp(input, other)

@logaddexp.defjvp
def logaddexp_slopes(primals, tangents):
    """The derivative of logaddexp: shares that add up to 1."""
    a, b = primals
    t, u = tangents
    return logaddexp(a, b), t / (1 + jnp.exp(b - a)) + u / (1 + jnp.exp(a - b))


@jax.custom_jvp
def logaddexp2(input, other):
    """log2(2ᵃ + 2ᵇ), without overflow."""
    return jnp.logaddexp2(input, other)

@logaddexp2.defjvp
def logaddexp2_slopes(primals, tangents):
    """The derivative of logaddexp2: shares that add up to 1."""
    a, b = primals
    t, u = tangents
    return logaddexp2(a, b), t / (1 + jnp.exp2(b - a)) + u / (1 + jnp.exp2(a - b))


@jax.custom_jvp
def xlog1py(input, other):
    """input * log(1 + other), 0 where input is 0."""
    return jax.scipy.special.xlog1py(input, other)

@xlog1py.defjvp
def xlog1py_slopes(primals, tangents):
    """The derivative of xlog1py, with slope 0 beside what has no logarithm."""
    a, b = primals
    t, u = tangents
    none = (a == 0) & (b <= -1)
    log = jnp.where(none, 0, jnp.log1p(jnp.where(none, 0, b)))
    return xlog1py(a, b), t * log + u * (a / (b + 1))


def mirrored(input):
    """The symmetric matrix that has the lower triangle of input; the slopes are symmetric too."""
    even = (input + input.mT) / 2
    lower = jnp.tril(input) + jnp.tril(input, -1).mT
    return even + jax.lax.stop_gradient(lower - even)


def chain_matmul(matrices):
    """The product of the matrices."""
    return matrices[0] if len(matrices) == 1 else jnp.linalg.multi_dot(matrices)


def absolute(input):
    """|x|, with slope 0 at 0."""
    return input * jnp.sign(input)


def whole(input, dtype):
    """input in whole numbers; infinity and NaN become the least one."""
    fits = jnp.abs(input) <= jnp.iinfo(dtype).max
    return jnp.where(fits, jnp.where(fits, input, 0).astype(dtype), jnp.iinfo(dtype).min)


def clamp(input, min=None, max=None):
    """Limits x to the bounds; at a bound that is a number the slope is 0."""
    if isinstance(min, jax.Array) and isinstance(max, jax.Array):
        low = jnp.maximum(input, min)
        tie = (min == max) & (low == max)
        return jnp.where(tie, jnp.where(input == min, input, min), jnp.minimum(low, max))
    if isinstance(min, jax.Array):
        input = jnp.maximum(input, min)
    elif min is not None:
        input = jnp.where(input <= min, min, input)
    if isinstance(max, jax.Array):
        return jnp.minimum(input, max)
    return input if max is None else jnp.where(input >= max, max, input)


def hardsigmoid(input):
    """(x + 3) / 6 between -3 and 3; PyTorch's slope is 1/6 in float32."""
    raised, sixth = clamp(input + 3, 0, 6), 0.1666666716337204
    return raised * sixth + jax.lax.stop_gradient(raised / 6 - raised * sixth)


def hardswish(input):
    """x (x + 3) / 6 between -3 and 3."""
    return jnp.where(input > -3, jnp.where(input < 3, input * (input + 3) / 6, input), 0 * input)


def softplus(input, beta=1.0, threshold=20.0):
    """log(1 + exp(beta x)) / beta, and x itself beyond the threshold."""
    return jnp.where(input * beta > threshold, input, jax.nn.softplus(input * beta) / beta)


def softshrink(input, lambd=0.5):
    """Moves each element towards 0 by lambd."""
    return jnp.where(input > lambd, input - lambd, jnp.where(input < -lambd, input + lambd, 0 * input))


def copysign(input, other):
    """|input| with the sign of other, as a float."""
    input = jnp.asarray(input)
    size = absolute(input if jnp.issubdtype(input.dtype, jnp.floating) else input.astype(float))
    return jnp.where(jnp.signbit(jnp.asarray(other, dtype=float)), -size, size)


def prelu(input, weight):
    """x where positive, else weight · x, with a weight per channel."""
    shape = [-1 if k == 1 else 1 for k in range(input.ndim)]
    weight = weight.reshape(shape) if input.ndim > 1 else weight
    return jnp.where(input > 0, input, weight * input)


def digamma(input):
    """The logarithmic derivative of the gamma function, infinite at 0."""
    pole = -jnp.copysign(jnp.inf, input)
    return jnp.where(input == 0, pole, jax.scipy.special.digamma(input))


def i0(input):
    """The modified Bessel function of order 0."""
    return jnp.exp(absolute(input)) * jax.scipy.special.i0e(input)


def atan2(input, other):
    """The angle of the point, with slopes 0 at the origin."""
    origin = (input == 0) & (other == 0)
    angle = jnp.arctan2(jnp.where(origin, 0, input), jnp.where(origin, 1, other))
    return jnp.where(origin, jax.lax.stop_gradient(jnp.arctan2(input, other)), angle)


def fmax(input, other):
    """The larger element, ignoring NaN."""
    larger = jnp.maximum(input, other)
    return jnp.where(jnp.isnan(input), other, jnp.where(jnp.isnan(other), input, larger))


def moving(input):
    """0, with slope 1."""
    return jnp.where(jnp.isfinite(input), input - jax.lax.stop_gradient(input), 0)


def remainder(input, other):
    """input % other, with slope -floor(input / other) by other."""
    turns = jax.lax.stop_gradient(jnp.floor_divide(input, other))
    return input % jax.lax.stop_gradient(other) - turns * moving(other)


def nextafter(input, other):
    """The next number towards other, with slope 1 unless they are equal."""
    after = jnp.nextafter(*jax.lax.stop_gradient((input, other)))
    return jnp.where(input == other, after, input + jax.lax.stop_gradient(after - input))


def fmin(input, other):
    """The smaller element, ignoring NaN."""
    smaller = jnp.minimum(input, other)
    return jnp.where(jnp.isnan(input), other, jnp.where(jnp.isnan(other), input, smaller))


def glu(input, dim=-1):
    """The first half times the sigmoid of the second half."""
    a, b = jnp.split(input, 2, axis=dim)
    return a * jax.nn.sigmoid(b)


def flatten(input, start_dim=0, end_dim=-1):
    """Merges dimensions start_dim to end_dim into one."""
    start, end = start_dim % max(input.ndim, 1), end_dim % max(input.ndim, 1)
    return input.reshape(input.shape[:start] + (-1,) + input.shape[end + 1:])


def unflatten(input, dim, sizes):
    """Splits one dimension into several."""
    dim = dim % input.ndim
    return input.reshape(input.shape[:dim] + tuple(sizes) + input.shape[dim + 1:])


def squeeze(input, dim):
    """Drops the given dimensions of size 1."""
    dims = [d % max(input.ndim, 1) for d in (dim if isinstance(dim, tuple) else (dim,))]
    return input.reshape([n for k, n in enumerate(input.shape) if n != 1 or k not in dims])


def split(input, split_size, dim=0):
    """Splits a dimension into parts of the given sizes."""
    count = input.shape[dim]
    if isinstance(split_size, int):
        ends = list(range(split_size, count, split_size))
    else:
        ends = [sum(split_size[:k]) for k in range(1, len(split_size))]
    return tuple(jnp.split(input, ends, axis=dim))


def tensor_split(input, indices, dim=0):
    """Splits a dimension before the given places."""
    edges = zip([0, *indices], [*indices, None])
    return tuple(input[along(input, dim, slice(a, b))] for a, b in edges)


def chunk(input, chunks, dim=0):
    """Splits a dimension into equal parts; the last may be smaller."""
    if input.shape[dim] == 0:
        return (input,) * chunks
    return split(input, max(-(-input.shape[dim] // chunks), 1), dim)


def narrow(input, dim, start, length):
    """length elements, beginning at start."""
    start = start % input.shape[dim] if start < 0 else start
    return jax.lax.slice_in_dim(input, start, start + length, axis=dim)


def windows(input, dimension, size, step):
    """All windows along a dimension, in a new last dimension."""
    starts = jnp.arange(0, input.shape[dimension] - size + 1, step)
    index = starts[:, None] + jnp.arange(size)
    rows = jnp.moveaxis(input, dimension, -1)[..., index]
    return jnp.moveaxis(rows, -2, dimension % input.ndim)


def diag_embed(input, offset=0):
    """Puts the last dimension on a diagonal."""
    n = input.shape[-1] + abs(offset)
    at = jnp.arange(input.shape[-1])
    rows, columns = at + max(-offset, 0), at + max(offset, 0)
    return jnp.zeros(input.shape[:-1] + (n, n), input.dtype).at[..., rows, columns].set(input)


def along(input, dim, index):
    """An index that selects along one dimension."""
    return (slice(None),) * (dim % max(input.ndim, 1)) + (index,)


def gather(input, dim, index):
    """The elements of input at index along a dimension."""
    dim = dim % max(input.ndim, 1)
    part = tuple(slice(n) if k != dim else slice(None) for k, n in enumerate(index.shape))
    return jnp.take_along_axis(input[part], index, axis=dim)


def places(input, dim, index):
    """The positions that scatter writes to."""
    grid = jnp.meshgrid(*[jnp.arange(n) for n in index.shape], indexing="ij")
    grid[dim % index.ndim] = index
    return tuple(grid)


def scatter(input, dim, index, src, reduce=None):
    """input with src written at index along a dimension."""
    part = src[tuple(slice(n) for n in index.shape)] if jnp.ndim(src) else src
    at = input.at[places(input, dim, index)]
    return {None: at.set, "add": at.add, "multiply": at.multiply}[reduce](part)


def scatter_add(input, dim, index, src):
    """input with src added at index along a dimension."""
    return scatter(input, dim, index, src, "add")


def index_add(input, dim, index, source, alpha=1):
    """input with source added to the rows at index."""
    return input.at[along(input, dim, index)].add(alpha * source)


def index_copy(input, dim, index, source):
    """input with the rows at index replaced by source."""
    return input.at[along(input, dim, index)].set(source)


def index_fill(input, dim, index, value):
    """input with the rows at index filled with value."""
    return input.at[along(input, dim, index)].set(value)


def select_scatter(input, src, dim, index):
    """input with one row replaced by src."""
    return input.at[along(input, dim, index)].set(src)


def masked_select(input, mask):
    """The elements where mask is true."""
    input, mask = jnp.broadcast_arrays(input, mask)
    return input[mask]


def cartesian_prod(*tensors):
    """All combinations of one element from each tensor."""
    if len(tensors) == 1:
        return tensors[0]
    return jnp.stack([g.ravel() for g in jnp.meshgrid(*tensors, indexing="ij")], axis=1)


def pair(values, indices):
    """Values and their indices."""
    return collections.namedtuple("pair", "values indices")(values, indices)


def at_place(input, index, dim, keepdim):
    """The elements at index along a dimension, with index."""
    if jnp.ndim(input) == 0:
        return pair(input, jnp.zeros((), dtype=int))
    values = jnp.take_along_axis(input, jnp.expand_dims(index, dim), axis=dim)
    if keepdim:
        return pair(values, jnp.expand_dims(index, dim))
    return pair(jnp.squeeze(values, dim), index)


def max_along(input, dim, keepdim=False):
    """The maximum along a dimension and its index."""
    return at_place(input, jnp.argmax(input, dim) if jnp.ndim(input) else None, dim, keepdim)


def min_along(input, dim, keepdim=False):
    """The minimum along a dimension and its index."""
    return at_place(input, jnp.argmin(input, dim) if jnp.ndim(input) else None, dim, keepdim)


def aminmax(input, dim=None, keepdim=False):
    """The minimum and the maximum."""
    values = [f(input, axis=dim, keepdims=keepdim) for f in (jnp.min, jnp.max)]
    return collections.namedtuple("aminmax", "min max")(*values)


def sort(input, dim=-1, descending=False):
    """Sorted along a dimension, with the original indices."""
    if jnp.ndim(input) == 0:
        return pair(input, jnp.zeros((), dtype=int))
    index = jnp.argsort(input, axis=dim, descending=descending)
    return pair(jnp.take_along_axis(input, index, axis=dim), index)


def topk(input, k, dim=-1, largest=True):
    """The k largest along a dimension and their indices."""
    values, index = sort(input, dim, largest)
    if jnp.ndim(input) == 0:
        return pair(values, index)
    return pair(*[jax.lax.slice_in_dim(a, 0, k, axis=dim) for a in (values, index)])


def kthvalue(input, k, dim=-1, keepdim=False):
    """The kth smallest along a dimension and its index."""
    index = jnp.argsort(input, axis=dim) if jnp.ndim(input) else None
    index = None if index is None else jnp.take(index, k - 1, axis=dim)
    return at_place(input, index, dim, keepdim)


def evenly(input, value):
    """value, with its slope shared equally among the elements equal to it."""
    value = jax.lax.stop_gradient(value)
    same = (input == value) | (jnp.isnan(input) & jnp.isnan(value))
    return value + jnp.sum(jnp.where(same, input - jax.lax.stop_gradient(input), 0)) / jnp.sum(same)


def median(input, dim=None, keepdim=False):
    """The median; of two middle elements, the lower."""
    if dim is None and input.size == 0:
        return jnp.full((), jnp.nan, input.dtype)
    if dim is None:
        return evenly(input, median(input.ravel(), 0).values)
    count = input.shape[dim] if jnp.ndim(input) else 1
    place = (count + 1) // 2
    if jnp.ndim(input) == 0:
        return kthvalue(input, 1, dim, keepdim)
    missing = jnp.isnan(input)
    index = jnp.take(jnp.argsort(input, axis=dim), place - 1, axis=dim)
    index = jnp.where(missing.any(dim), jnp.argmax(missing, dim), index)
    return at_place(input, index, dim, keepdim)


def nanmedian(input, dim=None, keepdim=False):
    """The median, ignoring NaN."""
    if dim is None:
        return evenly(input, nanmedian(input.ravel(), 0).values)
    if jnp.ndim(input) == 0:
        return at_place(input, None, dim, keepdim)
    count = jnp.sum(~jnp.isnan(input), axis=dim, keepdims=True)
    place = jnp.maximum(count - 1, 0) // 2
    index = jnp.take_along_axis(jnp.argsort(input, axis=dim), place, axis=dim)
    return at_place(input, jnp.squeeze(index, dim), dim, keepdim)


def mode(input, dim=-1, keepdim=False):
    """The most frequent element along a dimension (the smallest at a tie) and its last index."""
    if jnp.ndim(input) == 0:
        return pair(input, jnp.zeros((), dtype=int))
    rows = jnp.moveaxis(input, dim, -1)
    same = rows[..., :, None] == rows[..., None, :]
    count = same.sum(-1)
    often = count == count.max(-1, keepdims=True)
    least = jnp.where(often, rows, rows.max() + 1).min(-1, keepdims=True)
    last = rows.shape[-1] - 1 - jnp.argmax((rows == least)[..., ::-1], -1)
    return at_place(input, last, dim, keepdim)


def root(square):
    """The square root, with slope 0 at 0."""
    zero = square == 0
    return jnp.where(zero, 0 * square, jnp.sqrt(jnp.where(zero, 1, square)))


def std(input, dim=None, unbiased=True, keepdim=False, correction=None):
    """The standard deviation."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    ddof = int(unbiased) if correction is None else correction
    return root(jnp.var(input, axis=dim, ddof=ddof, keepdims=keepdim))


def std_mean(input, dim=None, unbiased=True, keepdim=False, correction=None):
    """The standard deviation and the mean."""
    return (std(input, dim, unbiased, keepdim, correction),
            jnp.mean(input, axis=None if isinstance(dim, bool) else dim, keepdims=keepdim))


def var_mean(input, dim=None, unbiased=True, keepdim=False, correction=None):
    """The variance and the mean."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    ddof = int(unbiased) if correction is None else correction
    return (jnp.var(input, axis=dim, ddof=ddof, keepdims=keepdim),
            jnp.mean(input, axis=dim, keepdims=keepdim))


def vector_norm(x, ord=2, dim=None, keepdim=False):
    """(Σ|x|ᵖ)^(1/p), with slope 0 at 0."""
    dim = dim if x.ndim else None
    if ord == float("inf"):
        return jnp.max(absolute(x), axis=dim, keepdims=keepdim)
    if ord == -float("inf"):
        return jnp.min(absolute(x), axis=dim, keepdims=keepdim)
    if ord == 0:
        return jnp.sum(x != 0, axis=dim, keepdims=keepdim).astype(x.dtype)
    if ord == 1:
        return jnp.sum(absolute(x), axis=dim, keepdims=keepdim)
    if ord == 2:
        return root(jnp.sum(x * x, axis=dim, keepdims=keepdim))
    zero = x == 0
    powers = jnp.where(zero, 0 * x, absolute(jnp.where(zero, 1, x)) ** ord)
    total = jnp.sum(powers, axis=dim, keepdims=keepdim)
    return jnp.where(total == 0, 0 * total, jnp.where(total == 0, 1, total) ** (1 / ord))


def norm(input, p=2, dim=None, keepdim=False):
    """The p-norm of all elements, or along dimensions."""
    if p == "nuc":
        return jnp.sum(jnp.linalg.svdvals(input), keepdims=keepdim)
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False):
    """A norm of matrices."""
    if ord == "fro":
        return vector_norm(A, 2, dim, keepdim)
    if ord in (1, -1, float("inf"), -float("inf")):
        rows, columns = (d % A.ndim for d in dim)
        along, over = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = jnp.sum(absolute(A), axis=along, keepdims=True)
        extreme = jnp.max if ord > 0 else jnp.min
        value = extreme(sums, axis=over, keepdims=True)
        return value if keepdim else jnp.squeeze(value, (rows, columns))
    return jnp.linalg.norm(A, ord, axis=dim, keepdims=keepdim)


def linalg_norm(A, ord=None, dim=None, keepdim=False):
    """A norm of vectors, or of matrices."""
    if ord is None or isinstance(dim, int) or (dim is None and A.ndim == 1):
        return vector_norm(A, 2 if ord is None else ord, dim, keepdim)
    return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim)


def logcumsumexp(input, dim):
    """The logarithm of the cumulative sum of exponentials."""
    return jax.lax.cumlogsumexp(input, axis=dim % input.ndim)


def running(input, dim, better):
    """The best element so far along a dimension and its index."""
    if jnp.ndim(input) == 0:
        return pair(input, jnp.zeros((), dtype=int))
    shape = [-1 if k == dim % input.ndim else 1 for k in range(input.ndim)]
    index = jnp.broadcast_to(jnp.arange(input.shape[dim]).reshape(shape), input.shape)

    def latest(a, b):
        take = better(b[0], a[0]) | jnp.isnan(b[0])
        return jnp.where(take, b[0], a[0]), jnp.where(take, b[1], a[1])

    frozen = jax.lax.stop_gradient(input)
    _, index = jax.lax.associative_scan(latest, (frozen, index), axis=dim % input.ndim)
    return pair(jnp.take_along_axis(input, index, axis=dim), index)


def cummax(input, dim):
    """The cumulative maximum along a dimension and its index."""
    return running(input, dim, lambda new, old: new >= old)


def cummin(input, dim):
    """The cumulative minimum along a dimension and its index."""
    return running(input, dim, lambda new, old: new <= old)


def cumulative_trapezoid(y, x=None, dx=1, dim=-1):
    """Cumulative integral by the trapezoidal rule."""
    y = jnp.moveaxis(y, dim, -1)
    width = dx if x is None else jnp.diff(x)
    return jnp.moveaxis(jnp.cumsum((y[..., 1:] + y[..., :-1]) / 2 * width, -1), -1, dim)


def gradient(input):
    """Central differences in each dimension."""
    slopes = jnp.gradient(input)
    return tuple(slopes) if isinstance(slopes, (list, tuple)) else (slopes,)


def histc(input, bins=100, min=0, max=0):
    """The number of elements in each bin."""
    low, high = (input.min(), input.max()) if min == max else (min, max)
    low, high = (low - 1, high + 1) if low == high else (low, high)
    place = jnp.clip(((input - low) * bins / (high - low)).astype(int), 0, bins - 1)
    inside = (input >= low) & (input <= high)
    return jnp.zeros(bins, input.dtype).at[place].add(inside.astype(input.dtype))


def renorm(input, p, dim, maxnorm):
    """Scales slices along a dimension down to norm maxnorm."""
    others = tuple(k for k in range(input.ndim) if k != dim % input.ndim)
    length = vector_norm(input, p, others, True)
    factor = jnp.where(length > maxnorm, maxnorm / (length + 1e-7), 1)
    return input * factor


def turns(vectors, signs):
    """1 or -1 for each column, so that its first large component has the given sign."""
    size = jnp.abs(vectors)
    first = jnp.argmax(size > 0.618 * size.max(-2, keepdims=True), -2, keepdims=True)
    large = jnp.take_along_axis(vectors, first, -2)
    return jax.lax.stop_gradient(jnp.sign(large)) * jnp.array(signs, vectors.dtype)


def eigh(A, signs):
    """Eigenvalues and eigenvectors, these with the given signs."""
    parts = jnp.linalg.eigh(mirrored(A))
    return parts._replace(eigenvectors=parts.eigenvectors * turns(parts.eigenvectors, signs))


def svd(A, signs):
    """Singular values and vectors, these with the given signs."""
    parts = jnp.linalg.svd(A, full_matrices=False)
    turn = turns(parts.U, signs)
    return parts._replace(U=parts.U * turn, Vh=parts.Vh * turn.mT)


def lstsq(A, B):
    """The least squares solution."""
    fields = collections.namedtuple("lstsq", "solution residuals rank singular_values")
    if A.shape[-1] == A.shape[-2]:
        return fields(jnp.linalg.solve(A, B), jnp.zeros(0), A.shape[-1], jnp.zeros(0))
    return fields(*jnp.linalg.lstsq(A, B))


def lu_factor(A):
    """L and U in one matrix, and the pivots."""
    matrix, pivots = jax.scipy.linalg.lu_factor(A)
    return collections.namedtuple("lu_factor", "LU pivots")(matrix, pivots + 1)


def cdist(x1, x2, p=2.0):
    """The distances between all pairs of rows."""
    return vector_norm(x1[..., :, None, :] - x2[..., None, :, :], p, -1)


def dist(input, other, p=2):
    """The norm of the difference."""
    return vector_norm(input - other, p)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """The norm of the differences along the last dimension."""
    return vector_norm(x1 - x2 + eps, p, -1, keepdim)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosine of the angle between vectors along a dimension."""
    x1, x2 = jnp.broadcast_arrays(x1, x2)
    lengths = [clamp(vector_norm(x, 2, dim), eps) for x in (x1, x2)]
    return jnp.sum(x1 * x2, axis=dim) / (lengths[0] * lengths[1])


def normalize(input, p=2.0, dim=1, eps=1e-12):
    """Vectors scaled to norm 1."""
    return input / clamp(vector_norm(input, p, dim, True), eps)


def standardized(input, axes, eps):
    """Normalises to mean 0 and variance 1 over the axes."""
    mean = jnp.mean(input, axis=axes, keepdims=True)
    variance = jnp.var(input, axis=axes, keepdims=True)
    return (input - mean) / jnp.sqrt(variance + eps)


def scaled(input, weight, bias, shape):
    """weight · input + bias, each in the given shape; either may be None."""
    if weight is not None:
        input = input * weight.reshape(shape)
    return input if bias is None else input + bias.reshape(shape)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """Normalises to mean 0 and variance 1 over the last dimensions."""
    shape = tuple(normalized_shape)
    axes = tuple(range(-len(shape), 0))
    return scaled(standardized(input, axes, eps), weight, bias, shape)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """Normalises to mean square 1 over the last dimensions."""
    shape = tuple(normalized_shape)
    eps = jnp.finfo(input.dtype).eps if eps is None else eps
    square = jnp.mean(input**2, axis=tuple(range(-len(shape), 0)), keepdims=True)
    return scaled(input / jnp.sqrt(square + eps), weight, None, shape)


def channels(input):
    """A shape with one number per channel."""
    return (1, -1) + (1,) * (input.ndim - 2)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Normalises each group of channels to mean 0 and variance 1."""
    parts = input.reshape((input.shape[0], num_groups, -1))
    return scaled(standardized(parts, (2,), eps).reshape(input.shape), weight, bias, channels(input))


def batch_norm(input, running_mean=None, running_var=None, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Normalises each channel to mean 0 and variance 1."""
    shape = channels(input)
    if training:
        axes = tuple(k for k in range(input.ndim) if k != 1)
        return scaled(standardized(input, axes, eps), weight, bias, shape)
    ready = (input - running_mean.reshape(shape)) / jnp.sqrt(running_var.reshape(shape) + eps)
    return scaled(ready, weight, bias, shape)


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5):
    """Normalises each channel of each sample to mean 0 and variance 1."""
    return scaled(standardized(input, tuple(range(2, input.ndim)), eps), weight, bias, channels(input))


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """Divides by a mean over the neighbouring channels."""
    ends = [(0, 0)] * input.ndim
    ends[1] = (size // 2, (size - 1) // 2)
    square = jnp.pad(input**2, ends)
    around = sum(narrow(square, 1, at, input.shape[1]) for at in range(size)) / size
    return input / (k + alpha * around) ** beta


def pad(input, pad, mode="constant", value=None):
    """Pads both ends of dimensions, beginning with the last."""
    ends = [(pad[k], pad[k + 1]) for k in range(0, len(pad), 2)][::-1]
    ahead = input.ndim - len(ends)
    for k, (low, high) in enumerate(ends):
        if low < 0 or high < 0:
            stop = input.shape[k + ahead] + min(high, 0)
            input = jax.lax.slice_in_dim(input, max(-low, 0), stop, axis=k + ahead)
    ends = [(0, 0)] * ahead + [(max(a, 0), max(b, 0)) for a, b in ends]
    if mode == "constant":
        return jnp.pad(input, ends, constant_values=0 if value is None else value)
    return jnp.pad(input, ends, mode={"reflect": "reflect", "replicate": "edge", "circular": "wrap"}[mode])


def reduced(values, reduction):
    """The mean, the sum or all values."""
    return {"mean": jnp.mean, "sum": jnp.sum, "none": lambda v: v}[reduction](values)


def smooth_l1_loss(input, target, reduction="mean", beta=1.0):
    """Quadratic for small errors, linear for large ones."""
    error = absolute(input - target)
    if beta == 0:
        return reduced(error, reduction)
    return reduced(jnp.where(error < beta, 0.5 * error**2 / beta, error - 0.5 * beta), reduction)


def huber_loss(input, target, reduction="mean", delta=1.0):
    """Quadratic for small errors, linear with slope delta for large ones."""
    error = absolute(input - target)
    return reduced(jnp.where(error <= delta, 0.5 * error**2, delta * (error - 0.5 * delta)), reduction)


def hinge_embedding_loss(input, target, margin=1.0, reduction="mean"):
    """x where the target is 1, max(0, margin - x) where it is -1."""
    zero = 0 * input
    near = jnp.where(target != 1, jax.nn.relu(margin - input), zero)
    return reduced(near + jnp.where(target != -1, input, zero), reduction)


@jax.custom_jvp
def leaning(x, slope):
    """0, with the given slope by x, which may be infinite."""
    return jnp.zeros_like(x * slope)

@leaning.defjvp
def leaning_slopes(primals, tangents):
    """The derivative of leaning."""
    x, slope = primals
    return leaning(x, slope), tangents[0] * slope


def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    """-t log(p) - (1 - t) log(1 - p), with logarithms limited to -100."""
    end = input * (1 - input) < 1e-12
    inside = jnp.where(end, 0.5, input)
    loss = -target * clamp(jnp.log(inside), -100) - (1 - target) * clamp(jnp.log(1 - inside), -100)
    # At 0 and 1 the slope is PyTorch's, whose 1e-12 is float32's.
    kept = jax.lax.stop_gradient(input)
    fixed = jax.lax.stop_gradient(target)
    ends = -fixed * clamp(jnp.log(kept), -100) - (1 - fixed) * clamp(jnp.log(1 - kept), -100)
    ends = ends + (input - kept) * (kept - fixed) / 9.999999960041972e-13
    by_target = leaning(target, jnp.where(end, jnp.log(1 - kept) - jnp.log(kept), 0))
    loss = jnp.where(end, ends, loss) + by_target
    return reduced(loss if weight is None else weight * loss, reduction)


def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    """Binary cross-entropy of the sigmoid of input."""
    factor = 1 if pos_weight is None else 1 + (pos_weight - 1) * target
    loss = (1 - target) * input - factor * jax.nn.log_sigmoid(input)
    return reduced(loss if weight is None else weight * loss, reduction)


def kl_div(input, target, reduction="mean", log_target=False):
    """t (log(t) - input)."""
    if log_target:
        loss = jnp.exp(target) * (target - input)
    else:
        loss = jax.scipy.special.xlogy(target, target) - target * input
    return loss.sum() / input.shape[0] if reduction == "batchmean" else reduced(loss, reduction)


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """-input at the target class."""
    axis = 1 if input.ndim > 1 else 0
    kept = target != ignore_index
    place = jnp.expand_dims(jnp.where(kept, target, 0), axis)
    picked = -jnp.squeeze(jnp.take_along_axis(input, place, axis=axis), axis)
    factor = kept * (1.0 if weight is None else weight[jnp.where(kept, target, 0)])
    loss = jnp.where(kept, factor * picked, 0)
    return loss.sum() / factor.sum() if reduction == "mean" else reduced(loss, reduction)


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Cross-entropy of the softmax of input; targets are classes or probabilities."""
    axis = 1 if input.ndim > 1 else 0
    logs = jax.nn.log_softmax(input, axis=axis)
    count = input.shape[axis]
    shape = [-1 if k == axis else 1 for k in range(input.ndim)]
    spread = logs if weight is None else logs * weight.reshape(shape)
    if jnp.issubdtype(target.dtype, jnp.floating):
        target = target * (1 - label_smoothing) + label_smoothing / count
        loss = -jnp.sum(spread * target, axis=axis)
        return loss.sum() / (loss.size or 1) if reduction == "mean" else reduced(loss, reduction)
    loss = nll_loss(logs, target, weight, ignore_index, reduction)
    if label_smoothing == 0:
        return loss
    kept = target != ignore_index
    smooth = jnp.where(kept, -jnp.sum(spread, axis=axis), 0)
    if reduction == "mean":
        factor = kept * (1.0 if weight is None else weight[jnp.where(kept, target, 0)])
        smooth = smooth.sum() / factor.sum()
    else:
        smooth = reduced(smooth, reduction)
    return (1 - label_smoothing) * loss + label_smoothing / count * smooth


def poisson_nll_loss(input, target, log_input=True, full=False, eps=1e-8, reduction="mean"):
    """exp(x) - t x, or x - t log(x)."""
    loss = jnp.exp(input) - target * input if log_input else input - target * jnp.log(input + eps)
    if full:
        log = jnp.log(jnp.where(target > 1, target, 1))
        more = target * log - target + 0.5 * (jnp.log(2 * jnp.pi) + log)
        loss = loss + jnp.where(target > 1, more, 0)
    return reduced(loss, reduction)


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, reduction="mean"):
    """Penalises other classes within the margin of the target class."""
    picked = jnp.take_along_axis(input, target[..., None], axis=-1)
    other = jnp.arange(input.shape[-1]) != target[..., None]
    error = jnp.where(other, jax.nn.relu(margin - picked + input), 0) ** p
    if weight is not None:
        error = error * weight[target][..., None]
    return reduced(error.sum(-1) / input.shape[-1], reduction)


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """max(0, -t (a - b) + margin)."""
    return reduced(clamp(-target * (input1 - input2) + margin, 0), reduction)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False, reduction="mean"):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin)."""
    near, far = (pairwise_distance(anchor, x, p, eps) for x in (positive, negative))
    if swap:
        far = jnp.minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduced(clamp(margin + near - far, 0), reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """The negative logarithm of a normal density."""
    var = jnp.asarray(var, dtype=input.dtype)
    var = var + jax.lax.stop_gradient(clamp(var, eps) - var)
    loss = 0.5 * (jnp.log(var) + (input - target) ** 2 / var)
    return reduced(loss + (0.5 * jnp.log(2 * jnp.pi) if full else 0), reduction)


def one_hot(input, num_classes=-1):
    """1 at the class index, else 0."""
    return jax.nn.one_hot(input, int(input.max()) + 1 if num_classes < 0 else num_classes, dtype=int)


def bilinear(input1, input2, weight, bias=None):
    """aᵀ W b for each W."""
    y = jnp.einsum("...i,kij,...j->...k", input1, weight, input2)
    return y if bias is None else y + bias


def spread(value, count):
    """Repeats one number for each dimension."""
    value = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    return value * count if len(value) == 1 else value


def conv(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """A convolution over the last dimensions."""
    n = weight.ndim - 2
    batch = input if input.ndim == n + 2 else input[None]
    if isinstance(padding, str):
        ends = padding.upper()
    else:
        ends = [(p, p) for p in spread(padding, n)]
    y = jax.lax.conv_general_dilated(
        batch, weight, spread(stride, n), ends, rhs_dilation=spread(dilation, n), feature_group_count=groups)
    y = y if bias is None else y + bias.reshape((-1,) + (1,) * n)
    return y if input.ndim == n + 2 else y[0]


def conv_transpose(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transposed convolution over the last dimensions."""
    n = weight.ndim - 2
    batch = input if input.ndim == n + 2 else input[None]
    sizes = zip(weight.shape[2:], spread(dilation, n), spread(padding, n), spread(output_padding, n))
    ends = [(d * (k - 1) - p, d * (k - 1) - p + more) for k, d, p, more in sizes]
    kernel = jnp.flip(weight, tuple(range(2, n + 2)))
    kernel = kernel.reshape((groups, -1) + kernel.shape[1:])
    kernel = jnp.swapaxes(kernel, 1, 2).reshape((-1, kernel.shape[1]) + kernel.shape[3:])
    y = jax.lax.conv_general_dilated(
        batch, kernel, (1,) * n, ends, lhs_dilation=spread(stride, n), rhs_dilation=spread(dilation, n),
        feature_group_count=groups)
    y = y if bias is None else y + bias.reshape((-1,) + (1,) * n)
    return y if input.ndim == n + 2 else y[0]


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """The patches of images, as columns."""
    size, dilation, padding, stride = (spread(v, 2) for v in (kernel_size, dilation, padding, stride))
    patches = jax.lax.conv_general_dilated_patches(
        input, size, stride, [(p, p) for p in padding], rhs_dilation=dilation)
    return patches.reshape(patches.shape[:2] + (-1,))


def pooled(input, n, kernel_size, stride, padding, ceil_mode):
    """The size, steps and padding of windows over the last n dimensions."""
    size = spread(kernel_size, n)
    steps = size if stride is None or stride == () else spread(stride, n)
    ends = [(p, p) for p in spread(padding, n)]
    if ceil_mode:
        for k, (length, (p, _)) in enumerate(zip(input.shape[-n:], ends)):
            last = -(-(length + 2 * p - size[k]) // steps[k]) * steps[k]
            last -= steps[k] if last >= length + p else 0
            ends[k] = (p, max(last + size[k] - length - p, p))
    ahead = input.ndim - n
    return (1,) * ahead + size, (1,) * ahead + steps, [(0, 0)] * ahead + ends


def windowed(input, size, steps, ends, fill):
    """Every window, flattened into a last dimension."""
    full = jnp.pad(input, ends, constant_values=fill)
    for axis in range(input.ndim):
        if size[axis] > 1 or steps[axis] > 1:
            full = windows(full, axis, size[axis], steps[axis])
    return full.reshape(full.shape[:input.ndim] + (-1,))


def max_pool(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The maximum of each window."""
    if return_indices or set(spread(dilation, 1)) != {1}:
        raise NotImplementedError("max_pool with indices or dilation")
    n = len(kernel_size) if isinstance(kernel_size, (tuple, list)) else max(input.ndim - 2, 1)
    parts = windowed(input, *pooled(input, n, kernel_size, stride, padding, ceil_mode), -jnp.inf)
    return max_along(parts, -1).values


def avg_pool(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    """The mean of each window."""
    n = len(kernel_size) if isinstance(kernel_size, (tuple, list)) else max(input.ndim - 2, 1)
    size, steps, ends = pooled(input, n, kernel_size, stride, padding, ceil_mode)
    total = windowed(input, size, steps, ends, 0).sum(-1)
    if divisor_override is not None:
        return total / divisor_override
    inside = jnp.ones(input.shape)
    if count_include_pad:
        plain = [(p, p) for p in spread(padding, n)]
        plain = [(0, 0)] * (input.ndim - n) + plain
        inside = jnp.pad(inside, plain, constant_values=1)
        ends = [(a - b, c - d) for (a, c), (b, d) in zip(ends, plain)]
    return total / windowed(inside, size, steps, ends, 0).sum(-1)


def first_max(input, axis):
    """The maxima along a dimension; at a tie the first gets the gradient."""
    index = jnp.argmax(input, axis, keepdims=True)
    return jnp.squeeze(jnp.take_along_axis(input, index, axis), axis)


def adaptive_pool(f, input, output_size, n):
    """Applies f to nearly equal parts of the last n dimensions."""
    f = first_max if f is jnp.max else f
    for axis, count in [*zip(range(input.ndim - n, input.ndim), spread(output_size, n))][::-1]:
        length = input.shape[axis]
        count = length if count is None else count
        parts = [(k * length // count, -(-(k + 1) * length // count)) for k in range(count)]
        rows = [jax.lax.slice_in_dim(input, a, b, axis=axis) for a, b in parts]
        found = [f(r, axis=axis) for r in rows]
        input = jnp.stack(found, axis=axis) if found else jax.lax.slice_in_dim(input, 0, 0, axis=axis)
    return input


def lp_pool(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The p-norm of each window."""
    n = len(kernel_size) if isinstance(kernel_size, (tuple, list)) else max(input.ndim - 2, 1)
    parts = windowed(input, *pooled(input, n, kernel_size, stride, 0, ceil_mode), 0)
    return vector_norm(parts, norm_type, -1)


def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean"):
    """Rows of weight, combined bag by bag."""
    return {"mean": jnp.mean, "sum": jnp.sum, "max": first_max}[mode](weight[input], axis=1)


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    """softmax(q kᵀ / √d) v."""
    scores = query @ key.mT * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        attn_mask = jnp.tril(jnp.ones(scores.shape[-2:], dtype=bool))
    if attn_mask is not None and attn_mask.dtype == bool:
        scores = jnp.where(attn_mask, scores, -jnp.inf)
    elif attn_mask is not None:
        scores = scores + attn_mask
    return jax.nn.softmax(scores, axis=-1) @ value


def pixel_shuffle(input, upscale_factor):
    """Rearranges channels into finer pixels."""
    r, (*batch, c, h, w) = upscale_factor, input.shape
    parts = input.reshape((*batch, c // r**2, r, r, h, w))
    n = len(batch)
    order = tuple(range(n + 1)) + (n + 3, n + 1, n + 4, n + 2)
    return parts.transpose(order).reshape((*batch, c // r**2, h * r, w * r))


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Resizes the last dimensions by interpolation."""
    n = input.ndim - 2
    if mode not in ("nearest", "linear", "bilinear", "trilinear") or align_corners:
        raise NotImplementedError("interpolate with " + mode)
    if size is None:
        size = [int(s * f) for s, f in zip(input.shape[2:], spread(scale_factor, n))]
    shape = input.shape[:2] + tuple(spread(size, n))
    if mode == "nearest":
        for axis in range(2, input.ndim):
            index = jnp.arange(shape[axis]) * input.shape[axis] // shape[axis]
            input = jnp.take(input, index, axis=axis)
        return input
    return jax.image.resize(input, shape, "linear", antialias=False)


def led_back(forward, function):
    """forward for a gradient that is differentiated: what it kept leads to inputs and output."""
    def rule(*inputs):
        output, kept = forward(*inputs)
        value = function(*inputs)

        def leads(part):
            if part is output and not any(part is x for x in inputs):
                return value
            own = any(part is x for x in inputs) or not isinstance(part, jax.Array)
            return part if own else jax.lax.stop_gradient(part)

        return value, jax.tree.map(leads, kept)

    return rule


def reverse_hessian(func, argnums=0):
    """The Hessian by two sweeps in reverse: custom functions have no other."""
    return jax.jacrev(jax.jacrev(func, argnums), argnums)


def functional_vjp(func, inputs, v=None):
    """The value and vᵀJ."""
    several = isinstance(inputs, (tuple, list))
    value, pullback = jax.vjp(func, *(inputs if several else (inputs,)))
    found = pullback(jnp.ones_like(value) if v is None else v)
    return value, found if several else found[0]


def functional_jvp(func, inputs, v=None):
    """The value and J·v."""
    several = isinstance(inputs, (tuple, list))
    inputs = tuple(inputs) if several else (inputs,)
    v = tuple(v) if several else (jnp.ones_like(inputs[0]) if v is None else v,)
    return jax.jvp(func, inputs, v)


def functional_hvp(func, inputs, v):
    """The value and H·v."""
    return func(inputs), jax.jvp(jax.grad(func), (inputs,), (v,))[1]


def functional_vhp(func, inputs, v):
    """The value and vᵀH."""
    return func(inputs), jax.vjp(jax.grad(func), inputs)[1](v)[0]


def grad_and_value(func, argnums=0, has_aux=False):
    """A function for the gradient and the value."""
    def both(*args):
        value, grad = jax.value_and_grad(func, argnums, has_aux)(*args)
        return grad, value
    return both


def hooked(value, hook):
    """value; in the backward pass the hook runs."""
    @jax.custom_vjp
    def same(value):
        return value

    same.defvjp(lambda value: (value, None), lambda _, grad: (changed(hook, grad),))
    return same(value)


def changed(hook, grad):
    """The gradient after a hook."""
    new = hook(grad)
    return grad if new is None else new


def added(old, new):
    """old + new, or new if old is None."""
    return new if old is None else old + new


def added_each(old, new):
    """old + new for each pair, or new if old is None."""
    if isinstance(new, dict):
        return {**old, **{name: added(old.get(name), grad) for name, grad in new.items()}}
    return new if old is None else jax.tree.map(jnp.add, old, new)


def in_order(grads, params):
    """The gradients in the order of the parameters."""
    return tuple(grads[name] for name in params)


def clip_grad_norm(grads, max_norm):
    """Scales the gradients so that their total norm is at most max_norm."""
    total = jnp.sqrt(sum(jnp.sum(g * g) for g in grads.values()))
    factor = jnp.minimum(max_norm / (total + 1e-6), 1)
    return {name: factor * g for name, g in grads.items()}


def clip_grad_value(grads, clip_value):
    """Clamps every element to [-clip_value, clip_value]."""
    return {name: jnp.clip(g, -clip_value, clip_value) for name, g in grads.items()}


def updated(step, params, grads, state):
    """Updates each parameter that has a gradient, and its state."""
    if isinstance(params, dict):
        state = state or {}
        pairs = {k: updated(step, p, grads.get(k), state.get(k)) for k, p in params.items()}
        return {k: p for k, (p, _) in pairs.items()}, {k: s for k, (_, s) in pairs.items()}
    if isinstance(params, tuple):
        pairs = [updated(step, *each) for each in zip(params, grads, state or len(params) * [None])]
        return tuple(p for p, _ in pairs), tuple(s for _, s in pairs)
    return (params, state) if grads is None else step(params, grads, state)


def sgd(params, grads, state, lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False,
        maximize=False):
    """A step of stochastic gradient descent: the new parameters and the new state."""
    def step(p, g, buffer):
        g = (-g if maximize else g) + weight_decay * p
        if momentum:
            buffer = g if buffer is None else momentum * buffer + (1 - dampening) * g
            g = g + momentum * buffer if nesterov else buffer
        return p - lr * g, buffer

    return updated(step, params, grads, state)


def adam(params, grads, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0,
         amsgrad=False, maximize=False):
    """A step of Adam: the new parameters and the new state."""
    def step(p, g, state):
        t, mean, square, most = state or (0, 0, 0, 0)
        g = (-g if maximize else g) + weight_decay * p
        t = t + 1
        mean = betas[0] * mean + (1 - betas[0]) * g
        square = betas[1] * square + (1 - betas[1]) * g * g
        most = jnp.maximum(most, square)
        size = jnp.sqrt((most if amsgrad else square) / (1 - betas[1] ** t)) + eps
        return p - lr / (1 - betas[0] ** t) * mean / size, (t, mean, square, most)

    return updated(step, params, grads, state)


def adamw(params, grads, state, lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01,
          amsgrad=False, maximize=False):
    """A step of AdamW, whose weight decay stays out of the means."""
    def decay(p, g, state):
        return p * (1 - lr * weight_decay), state

    decayed, _ = updated(decay, params, grads, None)
    return adam(decayed, grads, state, lr, betas, eps, 0, amsgrad, maximize)


def rmsprop(params, grads, state, lr=0.01, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0,
            centered=False, maximize=False):
    """A step of RMSprop: the new parameters and the new state."""
    def step(p, g, state):
        square, mean, buffer = state or (0, 0, 0)
        g = (-g if maximize else g) + weight_decay * p
        square = alpha * square + (1 - alpha) * g * g
        mean = alpha * mean + (1 - alpha) * g
        size = jnp.sqrt(square - mean * mean if centered else square) + eps
        buffer = momentum * buffer + g / size
        return p - lr * buffer, (square, mean, buffer)

    return updated(step, params, grads, state)


def adagrad(params, grads, state, lr=0.01, lr_decay=0, weight_decay=0, initial_accumulator_value=0,
            eps=1e-10, maximize=False):
    """A step of Adagrad: the new parameters and the new state."""
    def step(p, g, state):
        t, total = state or (0, initial_accumulator_value)
        g = (-g if maximize else g) + weight_decay * p
        total = total + g * g
        return p - lr / (1 + t * lr_decay) * g / (jnp.sqrt(total) + eps), (t + 1, total)

    return updated(step, params, grads, state)
