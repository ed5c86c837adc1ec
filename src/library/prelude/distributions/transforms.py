# torch.distributions.transforms: invertible functions with the logarithm of their slope.

from torch.distributions import constraints
from torch.distributions import _sum_rightmost


class Transform:
    """An invertible function."""
    __module__ = "torch.distributions.transforms"
    bijective = True
    event_dim = 0

    def __init__(self, cache_size=0):
        self._inverse_of = None

    @property
    def inv(self):
        return _InverseTransform(self)

    @property
    def sign(self):
        return 1

    def __call__(self, x):
        return self._call(x)

    def forward_shape(self, shape):
        return shape

    def inverse_shape(self, shape):
        return shape

    def __repr__(self):
        return type(self).__name__ + '()'

    def __eq__(self, other):
        return type(self) is type(other)


class _InverseTransform(Transform):
    """The way back."""
    __module__ = "torch.distributions.transforms"

    def __init__(self, transform):
        self._inv = transform

    @property
    def domain(self):
        return self._inv.codomain

    @property
    def codomain(self):
        return self._inv.domain

    @property
    def sign(self):
        return self._inv.sign

    @property
    def event_dim(self):
        return self._inv.event_dim

    @property
    def bijective(self):
        return self._inv.bijective

    @property
    def inv(self):
        return self._inv

    def forward_shape(self, shape):
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inv.forward_shape(shape)

    def _call(self, x):
        return self._inv._inverse(x)

    def _inverse(self, y):
        return self._inv._call(y)

    def log_abs_det_jacobian(self, x, y):
        return -self._inv.log_abs_det_jacobian(y, x)

    def __repr__(self):
        return f'{type(self).__name__}({self._inv!r})'


class ComposeTransform(Transform):
    """One function after the other."""
    __module__ = "torch.distributions.transforms"

    def __init__(self, parts, cache_size=0):
        self.parts = list(parts)
        self._back = None

    @property
    def inv(self):
        if self._back is None:
            self._back = ComposeTransform([part.inv for part in reversed(self.parts)])
            self._back._back = self
        return self._back

    @property
    def domain(self):
        return self.parts[0].domain if self.parts else constraints.real

    @property
    def codomain(self):
        return self.parts[-1].codomain if self.parts else constraints.real

    @property
    def event_dim(self):
        return max([part.event_dim for part in self.parts] + [0])

    @property
    def bijective(self):
        return all(part.bijective for part in self.parts)

    def forward_shape(self, shape):
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape):
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    @property
    def sign(self):
        sign = 1
        for part in self.parts:
            sign = sign * part.sign
        return sign

    def _call(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def _inverse(self, y):
        for part in reversed(self.parts):
            y = part._inverse(y)
        return y

    def log_abs_det_jacobian(self, x, y):
        if not self.parts:
            return torch.zeros_like(x)
        result, events = None, self.event_dim
        for part in self.parts:
            y = part(x)
            term = _sum_rightmost(part.log_abs_det_jacobian(x, y), events - part.event_dim)
            result = term if result is None else result + term
            x = y
        return result

    def __repr__(self):
        return type(self).__name__ + '(\n    ' + ',\n    '.join(repr(p) for p in self.parts) + '\n)'


class ExpTransform(Transform):
    __module__ = "torch.distributions.transforms"
    domain = constraints.real
    codomain = constraints.positive

    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        return x


class PowerTransform(Transform):
    __module__ = "torch.distributions.transforms"
    domain = constraints.positive
    codomain = constraints.positive

    def __init__(self, exponent, cache_size=0):
        self.exponent = exponent if isinstance(exponent, torch.Tensor) else torch.tensor(exponent, dtype=torch.get_default_dtype())

    @property
    def sign(self):
        return self.exponent.sign()

    def _call(self, x):
        return x.pow(self.exponent)

    def _inverse(self, y):
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        return (self.exponent * y / x).abs().log()


class SigmoidTransform(Transform):
    __module__ = "torch.distributions.transforms"
    domain = constraints.real
    codomain = constraints.unit_interval

    def _call(self, x):
        finfo = torch.finfo(x.dtype)
        return torch.clamp(torch.sigmoid(x), min=finfo.tiny, max=1.0 - finfo.eps)

    def _inverse(self, y):
        finfo = torch.finfo(y.dtype)
        y = y.clamp(min=finfo.tiny, max=1.0 - finfo.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        return -F.softplus(-x) - F.softplus(x)


class TanhTransform(Transform):
    __module__ = "torch.distributions.transforms"
    domain = constraints.real
    codomain = constraints.interval(-1.0, 1.0)

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return torch.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - F.softplus(-2.0 * x))


class SoftplusTransform(Transform):
    __module__ = "torch.distributions.transforms"
    domain = constraints.real
    codomain = constraints.positive

    def _call(self, x):
        return F.softplus(x)

    def _inverse(self, y):
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x, y):
        return -F.softplus(-x)


class AffineTransform(Transform):
    __module__ = "torch.distributions.transforms"
    domain = constraints.real
    codomain = constraints.real

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    @property
    def event_dim(self):
        return self._event_dim

    @property
    def sign(self):
        return self.scale.sign() if isinstance(self.scale, torch.Tensor) else 1 if self.scale > 0 else -1

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        if isinstance(self.scale, torch.Tensor):
            return _sum_rightmost(torch.abs(self.scale).log().expand(x.shape), self._event_dim)
        return _sum_rightmost(torch.full_like(x, math.log(abs(self.scale))), self._event_dim)


identity_transform = ComposeTransform([])
