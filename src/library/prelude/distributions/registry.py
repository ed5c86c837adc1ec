# torch.distributions: from all real numbers into the set of a constraint.

from torch.distributions import constraints, transforms
from torch.distributions.transforms import AbsTransform, AffineTransform, CatTransform, ComposeTransform, CorrCholeskyTransform, CumulativeDistributionTransform, ExpTransform, IndependentTransform, LowerCholeskyTransform, PositiveDefiniteTransform, ReshapeTransform, SigmoidTransform, SoftmaxTransform, StackTransform, StickBreakingTransform

AbsTransform = AbsTransform
CatTransform = CatTransform
CorrCholeskyTransform = CorrCholeskyTransform
CumulativeDistributionTransform = CumulativeDistributionTransform
IndependentTransform = IndependentTransform
LowerCholeskyTransform = LowerCholeskyTransform
PositiveDefiniteTransform = PositiveDefiniteTransform
ReshapeTransform = ReshapeTransform
SoftmaxTransform = SoftmaxTransform
StackTransform = StackTransform
StickBreakingTransform = StickBreakingTransform


class ConstraintRegistry:
    """Which function leads into the set of a constraint."""
    __module__ = "torch.distributions.constraint_registry"

    def __init__(self):
        self._registry = {}

    def register(self, constraint, factory=None):
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        if isinstance(constraint, constraints.Constraint):
            constraint = type(constraint)
        if not isinstance(constraint, type) or not issubclass(constraint, constraints.Constraint):
            raise TypeError(f'Expected constraint to be either a Constraint subclass or instance, but got {constraint}')
        self._registry[constraint] = factory
        return factory

    def __call__(self, constraint):
        if type(constraint) not in self._registry:
            raise NotImplementedError(f'Cannot transform {type(constraint).__name__} constraints')
        return self._registry[type(constraint)](constraint)


def _to_interval(c):
    lower, upper = c.lower_bound, c.upper_bound
    if not isinstance(lower, torch.Tensor) and not isinstance(upper, torch.Tensor) and lower == 0 and upper == 1:
        return SigmoidTransform()
    return ComposeTransform([SigmoidTransform(), AffineTransform(lower, upper - lower)])


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()
for _to in (biject_to, transform_to):
    _to.register(constraints.real, lambda c: transforms.identity_transform)
    _to.register(constraints.independent, lambda c, to=_to: IndependentTransform(to(c.base_constraint), c.reinterpreted_batch_ndims))
    for _c in (constraints.greater_than, constraints.greater_than_eq):
        _to.register(_c, lambda c: ComposeTransform([ExpTransform(), AffineTransform(c.lower_bound, 1)]))
    _to.register(constraints.less_than, lambda c: ComposeTransform([ExpTransform(), AffineTransform(c.upper_bound, -1)]))
    for _c in (constraints.interval, constraints.half_open_interval):
        _to.register(_c, _to_interval)
    _to.register(constraints.corr_cholesky, lambda c: CorrCholeskyTransform())
    _to.register(constraints.cat, lambda c, to=_to: CatTransform([to(part) for part in c.cseq], c.dim, c.lengths))
    _to.register(constraints.stack, lambda c, to=_to: StackTransform([to(part) for part in c.cseq], c.dim))
biject_to.register(constraints.simplex, lambda c: StickBreakingTransform())
transform_to.register(constraints.simplex, lambda c: SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda c: LowerCholeskyTransform())
for _c in (constraints.positive_definite, constraints.positive_semidefinite):
    transform_to.register(_c, lambda c: PositiveDefiniteTransform())
