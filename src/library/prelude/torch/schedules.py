# torch.optim.lr_scheduler: learning rates that change from step to step.

import warnings

_EPOCH = 'The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use `scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed form is used instead of the new chainable form, where available. Please open an issue if you are unable to replicate your use case: https://github.com/pytorch/pytorch/issues/new/choose.'
_ORDER = 'Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in PyTorch skipping the first value of the learning rate schedule. See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate'


def _rates(optimizer, name='lr'):
    return [group[name] for group in optimizer.param_groups]


def _each(name, optimizer, value):
    """Returns one value per parameter group."""
    if isinstance(value, (list, tuple)):
        if len(value) != len(optimizer.param_groups):
            raise ValueError(f'{name} must have the same length as optimizer.param_groups. {name} has {len(value)} values, param_groups has {len(optimizer.param_groups)}.')
        return list(value)
    return [value for _ in optimizer.param_groups]


def _is_optimizer(value):
    if not isinstance(value, torch.optim.Optimizer):
        raise TypeError(f'{type(value).__name__} is not an Optimizer')


class LRScheduler:
    """The base class of schedules: step() calls get_lr() for the next learning rates."""
    __module__ = "torch.optim.lr_scheduler"
    _is_initial = False

    def __init__(self, optimizer, last_epoch=-1):
        _is_optimizer(optimizer)
        self.optimizer = optimizer
        if last_epoch == -1:
            for group in optimizer.param_groups:
                group.setdefault('initial_lr', group['lr'])
        else:
            for k, group in enumerate(optimizer.param_groups):
                if 'initial_lr' not in group:
                    raise KeyError(f"param 'initial_lr' is not specified in param_groups[{k}] when resuming scheduler with last_epoch >= 0.\nThis typically happens when:\n1. You're trying to resume training from a checkpoint but haven't properly loaded the optimizer state\n2. You're using last_epoch >= 0 for a fresh training run (not recommended)")
        self.base_lrs = _rates(optimizer, 'initial_lr')
        self.last_epoch = last_epoch
        # A step that a program wrote itself is not seen.
        if type(optimizer).__module__.startswith('torch.optim'):
            optimizer._stepped = False
        self._initial_step()

    def _initial_step(self):
        self._step_count = 0
        self._is_initial = True
        self.step()
        self._is_initial = False

    def state_dict(self):
        return {name: value for name, value in self.__dict__.items() if name not in ('optimizer', '_schedulers', 'lr_lambdas')}

    def load_state_dict(self, state_dict):
        for name, value in state_dict.items():
            setattr(self, name, value)

    def get_last_lr(self):
        return self._last_lr

    def get_lr(self):
        raise NotImplementedError

    def step(self, epoch=None):
        if self._step_count == 1 and self.optimizer._stepped is False:
            warnings.warn(_ORDER)
        self._step_count += 1
        if epoch is not None:
            warnings.warn(_EPOCH)
        self._to(epoch)

    def _to(self, epoch=None):
        self._get_lr_called_within_step = False
        if epoch is None:
            self.last_epoch += 1
            values = self.get_lr()
        else:
            self.last_epoch = epoch
            values = self._closed_lr()
        for group, rate in zip(self.optimizer.param_groups, values):
            group['lr'] = rate
        self._last_lr = _rates(self.optimizer)

    def _closed_lr(self):
        """Computes the learning rates of a given epoch, if the schedule has a closed form."""
        return self.get_lr()


class _LRScheduler(LRScheduler):
    """The old name of the base class."""


class LambdaLR(LRScheduler):
    """The initial learning rate times a function of the step."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.lr_lambdas = _lambdas(optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [rate * factor(self.last_epoch) for factor, rate in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(LRScheduler):
    """Multiplies the learning rate by a function of the step at every step."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.lr_lambdas = _lambdas(optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self._is_initial:
            return _rates(self.optimizer)
        return [rate * factor(self.last_epoch) for factor, rate in zip(self.lr_lambdas, _rates(self.optimizer))]


def _lambdas(optimizer, given):
    if not isinstance(given, (list, tuple)):
        return [given] * len(optimizer.param_groups)
    if len(given) != len(optimizer.param_groups):
        raise ValueError(f'Expected {len(optimizer.param_groups)} lr_lambdas, but got {len(given)}')
    return list(given)


class StepLR(LRScheduler):
    """Multiplies the learning rate by gamma every step_size steps."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return _rates(self.optimizer)
        return [rate * self.gamma for rate in _rates(self.optimizer)]

    def _closed_lr(self):
        return [rate * self.gamma ** (self.last_epoch // self.step_size) for rate in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Multiplies the learning rate by gamma at given steps."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self._steps = list(milestones)
        self.milestones = {}
        for m in self._steps:
            self.milestones[m] = self.milestones.get(m, 0) + 1
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch not in self.milestones:
            return _rates(self.optimizer)
        return [rate * self.gamma ** self.milestones[self.last_epoch] for rate in _rates(self.optimizer)]

    def _closed_lr(self):
        passed = sum(1 for m in self._steps if m <= self.last_epoch)
        return [rate * self.gamma ** passed for rate in self.base_lrs]


class ConstantLR(LRScheduler):
    """Multiplies the learning rate by a factor for the first steps."""

    def __init__(self, optimizer, factor=0.3333333333333333, total_iters=5, last_epoch=-1):
        if factor > 1.0 or factor < 0:
            raise ValueError('Constant multiplicative factor expected to be between 0 and 1.')
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0:
            return [rate * self.factor for rate in _rates(self.optimizer)]
        if self.last_epoch != self.total_iters:
            return _rates(self.optimizer)
        return [rate * (1.0 / self.factor) for rate in _rates(self.optimizer)]

    def _closed_lr(self):
        return [rate * (self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)) for rate in self.base_lrs]


class LinearLR(LRScheduler):
    """Multiplies the learning rate by a factor that changes linearly over the first steps."""

    def __init__(self, optimizer, start_factor=0.3333333333333333, end_factor=1.0, total_iters=5, last_epoch=-1):
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError('Starting multiplicative factor expected to be greater than 0 and less or equal to 1.')
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError('Ending multiplicative factor expected to be between 0 and 1.')
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        rates = _rates(self.optimizer)
        if self.last_epoch == 0:
            return [rate * self.start_factor for rate in rates]
        if self._is_initial or self.last_epoch > self.total_iters:
            return rates
        return [rate * (1.0 + (self.end_factor - self.start_factor) / (self.total_iters * self.start_factor + (self.last_epoch - 1) * (self.end_factor - self.start_factor))) for rate in rates]

    def _closed_lr(self):
        return [rate * (self.start_factor + (self.end_factor - self.start_factor) * min(self.total_iters, self.last_epoch) / self.total_iters) for rate in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Multiplies the learning rate by gamma at every step."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self._is_initial:
            return _rates(self.optimizer)
        return [rate * self.gamma for rate in _rates(self.optimizer)]

    def _closed_lr(self):
        return [rate * self.gamma ** self.last_epoch for rate in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Decays the learning rate as a power of the remaining fraction of steps."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        rates = _rates(self.optimizer)
        if self._is_initial or self.last_epoch > self.total_iters:
            return rates
        factor = ((1.0 - self.last_epoch / self.total_iters) / (1.0 - (self.last_epoch - 1) / self.total_iters)) ** self.power
        return [rate * factor for rate in rates]

    def _closed_lr(self):
        return [rate * (1.0 - min(self.total_iters, self.last_epoch) / self.total_iters) ** self.power for rate in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Anneals the learning rate along a cosine to eta_min and back."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        rates = _rates(self.optimizer)
        if self._is_initial:
            return rates
        if self._step_count == 1 and self.last_epoch > 0:
            return [self.eta_min + (rate - self.eta_min) * (1 + math.cos(self.last_epoch * math.pi / self.T_max)) / 2 for rate in self.base_lrs]
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            return [now + (rate - self.eta_min) * (1 - math.cos(math.pi / self.T_max)) / 2 for rate, now in zip(self.base_lrs, rates)]
        return [(1 + math.cos(math.pi * self.last_epoch / self.T_max)) / (1 + math.cos(math.pi * (self.last_epoch - 1) / self.T_max)) * (now - self.eta_min) + self.eta_min for now in rates]

    def _closed_lr(self):
        return [self.eta_min + (rate - self.eta_min) * (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2 for rate in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Anneals the learning rate along a cosine with warm restarts."""

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f'Expected positive integer T_0, but got {T_0}')
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f'Expected integer T_mult >= 1, but got {T_mult}')
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [self.eta_min + (rate - self.eta_min) * (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2 for rate in self.base_lrs]

    def step(self, epoch=None):
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur = self.T_cur + 1
            if self.T_cur >= self.T_i:
                self.T_cur = self.T_cur % self.T_i
                self.T_i = self.T_i * self.T_mult
        elif epoch < 0:
            raise ValueError(f'Expected non-negative epoch, but got {epoch}')
        elif epoch < self.T_0:
            self.T_i = self.T_0
            self.T_cur = epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult ** n - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult ** n
        self.last_epoch = math.floor(epoch)
        for group, rate in zip(self.optimizer.param_groups, self.get_lr()):
            group['lr'] = rate
        self._last_lr = _rates(self.optimizer)


class SequentialLR(LRScheduler):
    """Runs schedules in sequence."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        if len(schedulers) < 1:
            raise ValueError(f'{type(self).__name__} expects at least one scheduler, but got no scheduler.')
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(f'Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone points, but got number of schedulers {len(schedulers)} and the number of milestones to be equal to {len(milestones)}')
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            group['lr'] = group['initial_lr']
        self._undone(self)
        first = self._schedulers[self._place(0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def _undone(self, schedule):
        """Undoes the first step that each schedule takes when it is created."""
        for inner in schedule._schedulers:
            if hasattr(inner, '_schedulers'):
                self._undone(inner)
            else:
                inner.last_epoch -= 1

    def _place(self, epoch):
        return sum(1 for m in self._milestones if m <= epoch)

    def step(self):
        self.last_epoch += 1
        place = self._place(self.last_epoch)
        now = self._schedulers[place]
        if place > 0 and self._milestones[place - 1] == self.last_epoch:
            now._to(0)
        else:
            now.step()
        self._last_lr = now.get_last_lr()


class ChainedScheduler(LRScheduler):
    """Applies several schedules together."""

    def __init__(self, schedulers, optimizer=None):
        if len(schedulers) < 1:
            raise ValueError(f'{type(self).__name__} expects at least one scheduler to be chained, but got no scheduler.')
        self._schedulers = schedulers
        self.optimizer = optimizer or schedulers[0].optimizer
        self._last_lr = _rates(self.optimizer)

    def step(self):
        for schedule in self._schedulers:
            schedule.step()
        self._last_lr = _rates(self.optimizer)


class ReduceLROnPlateau(LRScheduler):
    """Multiplies the learning rate by a factor when a metric stops improving."""

    def __init__(self, optimizer, mode='min', factor=0.1, patience=10, threshold=0.0001, threshold_mode='rel', cooldown=0, min_lr=0, eps=1e-08):
        if factor >= 1.0:
            raise ValueError('Factor should be < 1.0.')
        _is_optimizer(optimizer)
        if isinstance(min_lr, (list, tuple)) and len(min_lr) != len(optimizer.param_groups):
            raise ValueError(f'expected {len(optimizer.param_groups)} min_lrs, got {len(min_lr)}')
        if mode not in ('min', 'max'):
            raise ValueError('mode ' + mode + ' is unknown!')
        if threshold_mode not in ('rel', 'abs'):
            raise ValueError('threshold mode ' + threshold_mode + ' is unknown!')
        self.factor = factor
        self.optimizer = optimizer
        self.default_min_lr = None if isinstance(min_lr, (list, tuple)) else min_lr
        self.min_lrs = _each('min_lr', optimizer, min_lr)
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = _rates(optimizer)
        self.mode_worse = math.inf if mode == 'min' else -math.inf
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    @property
    def in_cooldown(self):
        return self.cooldown_counter > 0

    def _is_better(self, a, best):
        sign = 1.0 if self.mode == 'min' else -1.0
        if self.threshold_mode == 'rel':
            limit = best * (1.0 - self.threshold if self.mode == 'min' else self.threshold + 1.0)
        else:
            limit = best - sign * self.threshold
        return a < limit if self.mode == 'min' else a > limit

    def step(self, metrics, epoch=None):
        current = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(current, self.best):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            for least, group in zip(self.min_lrs, self.optimizer.param_groups):
                old = float(group['lr'])
                new = max(old * self.factor, least)
                if old - new > self.eps:
                    group['lr'] = new
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = _rates(self.optimizer)


def _momenta(optimizer, most, least, resumed):
    """Sets the bounds of the momentum in every group, which moves opposite to the learning rate; in Adam it is the first beta."""
    if 'momentum' not in optimizer.defaults and 'betas' not in optimizer.defaults:
        raise ValueError('optimizer must support momentum or beta1 with `cycle_momentum` option enabled')
    if not resumed:
        for high, low, group in zip(most, least, optimizer.param_groups):
            _set_momentum(group, high)
            group['max_momentum'] = high
            group['base_momentum'] = low
    return 'betas' in optimizer.defaults


def _set_momentum(group, value):
    if 'betas' in group:
        group['betas'] = (value, *group['betas'][1:])
    else:
        group['momentum'] = value


class CyclicLR(LRScheduler):
    """Cycles the learning rate between two bounds."""

    def __init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode='triangular', gamma=1.0, scale_fn=None, scale_mode='cycle', cycle_momentum=True, base_momentum=0.8, max_momentum=0.9, last_epoch=-1):
        _is_optimizer(optimizer)
        lows = _each('base_lr', optimizer, base_lr)
        if last_epoch == -1:
            for rate, group in zip(lows, optimizer.param_groups):
                group['lr'] = rate
        self.max_lrs = _each('max_lr', optimizer, max_lr)
        up = float(step_size_up)
        down = float(step_size_down) if step_size_down is not None else up
        self.total_size = up + down
        self.step_ratio = up / self.total_size
        if mode not in ('triangular', 'triangular2', 'exp_range') and scale_fn is None:
            raise ValueError('mode is invalid and scale_fn is None')
        self.mode = mode
        self.gamma = gamma
        self._scale = scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else 'iterations' if mode == 'exp_range' else 'cycle'
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.base_momentums = _each('base_momentum', optimizer, base_momentum)
            self.max_momentums = _each('max_momentum', optimizer, max_momentum)
            self.use_beta1 = _momenta(optimizer, self.max_momentums, self.base_momentums, last_epoch != -1)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = lows

    def scale_fn(self, x):
        if self._scale is not None:
            return self._scale(x)
        return {'triangular': lambda x: 1.0, 'triangular2': lambda x: 1 / 2.0 ** (x - 1), 'exp_range': lambda x: self.gamma ** x}[self.mode](x)

    def get_lr(self):
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == 'cycle' else self.last_epoch)
        if self.cycle_momentum:
            for low, high, group in zip(self.base_momentums, self.max_momentums, self.optimizer.param_groups):
                _set_momentum(group, high - (high - low) * height * scale)
        return [low + (high - low) * height * scale for low, high in zip(self.base_lrs, self.max_lrs)]


class OneCycleLR(LRScheduler):
    """Raises the learning rate once to max_lr, then lowers it far below the initial one."""

    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, anneal_strategy='cos', cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=10000.0, three_phase=False, last_epoch=-1):
        _is_optimizer(optimizer)
        if total_steps is not None:
            if total_steps <= 0 or not isinstance(total_steps, int):
                raise ValueError(f'Expected positive integer total_steps, but got {total_steps}')
            self.total_steps = total_steps
        elif epochs is not None and steps_per_epoch is not None:
            if not isinstance(epochs, int) or epochs <= 0:
                raise ValueError(f'Expected positive integer epochs, but got {epochs}')
            if not isinstance(steps_per_epoch, int) or steps_per_epoch <= 0:
                raise ValueError(f'Expected positive integer steps_per_epoch, but got {steps_per_epoch}')
            self.total_steps = epochs * steps_per_epoch
        else:
            raise ValueError('You must define either total_steps OR (epochs AND steps_per_epoch)')
        turn = float(pct_start * self.total_steps) - 1
        up = (turn, 'initial_lr', 'max_lr', 'max_momentum', 'base_momentum')
        if three_phase:
            self._phases = [up, (float(2 * pct_start * self.total_steps) - 2, 'max_lr', 'initial_lr', 'base_momentum', 'max_momentum'), (self.total_steps - 1, 'initial_lr', 'min_lr', 'max_momentum', 'max_momentum')]
        else:
            self._phases = [up, (self.total_steps - 1, 'max_lr', 'min_lr', 'base_momentum', 'max_momentum')]
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f'Expected float between 0 and 1 pct_start, but got {pct_start}')
        if anneal_strategy not in ('cos', 'linear'):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._strategy = anneal_strategy
        if last_epoch == -1:
            for high, group in zip(_each('max_lr', optimizer, max_lr), optimizer.param_groups):
                group['initial_lr'] = high / div_factor
                group['max_lr'] = high
                group['min_lr'] = group['initial_lr'] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = _momenta(optimizer, _each('max_momentum', optimizer, max_momentum), _each('base_momentum', optimizer, base_momentum), last_epoch != -1)
        super().__init__(optimizer, last_epoch)

    def _between(self, start, end, part):
        if self._strategy == 'cos':
            return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)
        return (end - start) * part + start

    def get_lr(self):
        now = self.last_epoch
        if now > self.total_steps:
            raise ValueError(f'Tried to step {now} times. The specified number of total steps is {self.total_steps}')
        begin = 0.0
        for k, (end, low, high, first, last) in enumerate(self._phases):
            if now <= end or k == len(self._phases) - 1:
                part = (now - begin) / (end - begin)
                break
            begin = end
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._between(group[low], group[high], part))
            if self.cycle_momentum:
                _set_momentum(group, self._between(group[first], group[last], part))
        return rates
