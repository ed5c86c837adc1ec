# torch.optim: the optimisers, each with the formula of its step as PyTorch writes it for one
# tensor after the other.

import collections
import copy
import functools
import warnings


def _checked(lr=0.0, betas=(), wrong=lambda value: not 0.0 <= value, **named):
    if isinstance(lr, torch.Tensor) and lr.numel() != 1:
        raise ValueError('Tensor lr must be 1-element')
    if wrong(lr):
        raise ValueError(f'Invalid learning rate: {lr}')
    for name, value in named.items():
        if wrong(value):
            words = 'epsilon' if name == 'eps' else name
            raise ValueError(f'Invalid {words} value: {value}')
    for k, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f'Invalid beta parameter at index {k}: {beta}')


def _number(value):
    return value.item() if isinstance(value, torch.Tensor) else value


def _scalar(value):
    """Makes a 0-d tensor for a counter: float32, or float64 if that is the default."""
    double = torch.get_default_dtype() == torch.float64
    return torch.tensor(value, dtype=torch.float64 if double else torch.float32)


class _Handle:
    __module__ = "torch.utils.hooks"

    def __init__(self, hooks, hook, prepend=False):
        hooks.insert(0 if prepend else len(hooks), hook)
        self._hooks = hooks
        self._hook = hook

    def remove(self):
        if self._hook in self._hooks:
            self._hooks.remove(self._hook)


def _hooked(step):
    """A step with the hooks around it; a step within one that a class overrides has none."""
    @functools.wraps(step)
    def hooked(self, *args, **kwargs):
        hooks = self._hooks
        if self._stepping or not (hooks['before'] or hooks['after']):
            return step(self, *args, **kwargs)
        args = (self, *args)
        for hook in list(hooks['before']):
            changed = hook(self, args, kwargs)
            if changed is not None:
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(f'{step} must return None or a tuple of (new_args, new_kwargs), but got {changed}.')
                args, kwargs = changed
        self._stepping = True
        try:
            result = step(*args, **kwargs)
        finally:
            self._stepping = False
        for hook in list(hooks['after']):
            hook(self, args, kwargs)
        return result
    hooked.hooked = True
    return hooked


class Optimizer:
    """The base class of optimisers: parameter groups with options, and a state per parameter."""
    __module__ = "torch.optim.optimizer"
    _stepped = None
    _stepping = False

    def __init__(self, params, defaults):
        self.defaults = defaults
        if isinstance(params, torch.Tensor):
            raise TypeError('params argument given to the optimizer should be an iterable of Tensors or dicts, but got ' + params.type())
        self.state = collections.defaultdict(dict)
        self.param_groups = []
        self._lists = []
        self._hooks = {kind: [] for kind in ('before', 'after', 'saving', 'saved', 'loading', 'loaded')}
        groups = list(params)
        if len(groups) == 0:
            raise ValueError('optimizer got an empty parameter list')
        if not isinstance(groups[0], dict):
            groups = [{'params': groups}]
        for group in groups:
            self.add_param_group(dict(group))

    def __repr__(self):
        text = type(self).__name__ + ' ('
        for k, group in enumerate(self.param_groups):
            text += f'\nParameter Group {k}\n'
            for name in sorted(group.keys()):
                if name != 'params':
                    text += f'    {name}: {group[name]}\n'
        return text + ')'

    def add_param_group(self, param_group):
        if not isinstance(param_group, dict):
            raise TypeError(f'param_group must be a dict, but got {type(param_group)}')
        params = param_group['params']
        if isinstance(params, torch.Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError('optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets will change between runs. Please use a list instead.')
        params = list(params)
        names = [p[0] for p in params if isinstance(p, tuple)]
        params = [p[1] if isinstance(p, tuple) else p for p in params]
        tensors = []
        for p in params:
            tensor = torch.optim._leaf(p)
            if not isinstance(tensor, torch.Tensor):
                raise TypeError('optimizer can only optimize Tensors, but one of the params is ' + torch.typename(p))
            if isinstance(p, list):
                self._lists.append(p)
            if not self.defaults.get('differentiable', None) and not (tensor.is_leaf or tensor.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
            tensors.append(tensor)
        param_group['params'] = tensors
        if len(tensors) != len(set(tensors)):
            warnings.warn('optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see github.com/pytorch/pytorch/issues/40967 for more information')
        if names:
            if len(names) != len(tensors):
                raise ValueError('all optimizer params should be with/without names. Some param names are missing')
            param_group['param_names'] = names
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        known = set()
        for group in self.param_groups:
            known.update(group['params'])
            if ('param_names' in param_group) != ('param_names' in group):
                words = 'with names' if 'param_names' in param_group else 'without names'
                raise ValueError(f'all optimizer param groups should be with/without names. cannot add param group {words} to the optimizer')
        if any(p in known for p in set(tensors)):
            raise ValueError('some parameters appear in more than one parameter group')
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for p in group['params']:
                if p.grad is not None:
                    if set_to_none:
                        p.grad = None
                    else:
                        p.grad = torch.zeros_like(p.grad) if p.grad.requires_grad else p.grad.zero_()

    @_hooked
    def step(self, closure=None):
        self._stepped = True
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                for p in group['params']:
                    grad = p.grad
                    if grad is not None:
                        self._update(p, -grad if group.get('maximize') else grad, group)
        self._shown()
        return loss

    def _shown(self):
        """Updates lists that are leaves with their new values."""
        for p in self._lists:
            torch.optim._written(p)

    def _update(self, p, grad, group):
        raise NotImplementedError

    def _next(self, p, *zeros, **numbers):
        """Returns the state of p at its next step; it starts from numbers and from zeros of p's shape."""
        state = self.state[p]
        if not state:
            for name, number in {'step': 0.0, **numbers}.items():
                state[name] = _scalar(number)
            for name in zeros:
                state[name] = torch.zeros_like(p)
        state['step'] += 1
        return state

    def _decayed(self, p, grad, group):
        """Adds weight decay to the gradient, or applies it directly to the parameter."""
        decay = group['weight_decay']
        if decay == 0:
            return grad
        if group.get('decoupled_weight_decay'):
            p.mul_(1 - _number(group['lr']) * decay)
            return grad
        return grad.add(p, alpha=decay)

    def _around_step(self, kind, hook):
        if not hasattr(type(self).step, 'hooked'):
            type(self).step = _hooked(type(self).step)
        return _Handle(self._hooks[kind], hook)

    def register_step_pre_hook(self, hook):
        return self._around_step('before', hook)

    def register_step_post_hook(self, hook):
        return self._around_step('after', hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        return _Handle(self._hooks['saving'], hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        return _Handle(self._hooks['saved'], hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        return _Handle(self._hooks['loading'], hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        return _Handle(self._hooks['loaded'], hook, prepend)

    def state_dict(self):
        for hook in list(self._hooks['saving']):
            hook(self)
        places = {}
        groups = []
        for group in self.param_groups:
            for p in group['params']:
                places.setdefault(p, len(places))
            packed = {name: value for name, value in group.items() if name != 'params'}
            packed['params'] = [places[p] for p in group['params']]
            groups.append(packed)
        state = {places.get(p, p): kept for p, kept in self.state.items() if kept}
        result = {'state': state, 'param_groups': groups}
        for hook in list(self._hooks['saved']):
            changed = hook(self, result)
            result = result if changed is None else changed
        return result

    def load_state_dict(self, state_dict):
        state_dict = dict(state_dict)
        for hook in list(self._hooks['loading']):
            changed = hook(self, state_dict)
            state_dict = state_dict if changed is None else changed
        saved = copy.deepcopy(state_dict['param_groups'])
        if len(self.param_groups) != len(saved):
            raise ValueError('loaded state dict has a different number of parameter groups')
        if any(len(g['params']) != len(s['params']) for g, s in zip(self.param_groups, saved)):
            raise ValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's group")
        own = {}
        for group, new in zip(self.param_groups, saved):
            own.update(zip(new['params'], group['params']))
            new['params'] = group['params']
        fitted = lambda p, name, value: value.to(p.dtype) if isinstance(value, torch.Tensor) and name != 'step' else value
        self.state = collections.defaultdict(dict)
        for key, kept in state_dict['state'].items():
            p = own.get(key, key)
            self.state[p] = {name: fitted(p, name, value) for name, value in kept.items()}
        self.param_groups = saved
        for hook in list(self._hooks['loaded']):
            hook(self)


class SGD(Optimizer):
    """Stochastic gradient descent, optionally with momentum."""
    __module__ = "torch.optim.sgd"

    def __init__(self, params, lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None, differentiable=False, fused=None):
        # It alone lets NaN pass.
        _checked(lr, wrong=lambda value: value < 0.0, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError('Nesterov momentum requires a momentum and zero dampening')
        super().__init__(params, dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov, maximize=maximize, foreach=foreach, differentiable=differentiable, fused=fused))

    def _update(self, p, grad, group):
        grad = self._decayed(p, grad, group)
        momentum = group['momentum']
        if momentum != 0:
            state = self.state[p]
            buffer = state.get('momentum_buffer')
            if buffer is None:
                buffer = state['momentum_buffer'] = grad.detach().clone()
            else:
                buffer.mul_(momentum).add_(grad, alpha=1 - group['dampening'])
            grad = grad.add(buffer, alpha=momentum) if group['nesterov'] else buffer
        p.add_(grad, alpha=-_number(group['lr']))


class Adam(Optimizer):
    """Adam: steps scaled by running means of the gradients and of their squares."""
    __module__ = "torch.optim.adam"

    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, amsgrad=False, *, foreach=None, maximize=False, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False):
        _checked(lr, eps=eps)
        _checked(betas=betas, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize, foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused, decoupled_weight_decay=decoupled_weight_decay))

    def _update(self, p, grad, group):
        state = self._next(p, 'exp_avg', 'exp_avg_sq', *['max_exp_avg_sq'] * group['amsgrad'])
        step = _number(state['step'])
        grad = self._decayed(p, grad, group)
        beta1, beta2 = group['betas']
        mean, square = state['exp_avg'], state['exp_avg_sq']
        mean.lerp_(grad, 1 - beta1)
        square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        size = _number(group['lr']) / (1 - beta1 ** step)
        root = (1 - beta2 ** step) ** 0.5
        if group['amsgrad']:
            square = torch.maximum(state['max_exp_avg_sq'], square)
            state['max_exp_avg_sq'].copy_(square)
        p.addcdiv_(mean, (square.sqrt() / root).add_(group['eps']), value=-size)


class AdamW(Adam):
    """Adam with decoupled weight decay."""
    __module__ = "torch.optim.adamw"

    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01, amsgrad=False, *, maximize=False, foreach=None, capturable=False, differentiable=False, fused=None):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable, differentiable=differentiable, fused=fused, decoupled_weight_decay=True)


class RMSprop(Optimizer):
    """RMSprop: steps scaled by the running mean of squared gradients."""
    __module__ = "torch.optim.rmsprop"

    def __init__(self, params, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0, momentum=0, centered=False, capturable=False, foreach=None, maximize=False, differentiable=False):
        _checked(lr, eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        super().__init__(params, dict(lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered, weight_decay=weight_decay, capturable=capturable, foreach=foreach, maximize=maximize, differentiable=differentiable))

    def _update(self, p, grad, group):
        kept = ['momentum_buffer'] * (group['momentum'] > 0) + ['grad_avg'] * group['centered']
        state = self._next(p, 'square_avg', *kept)
        grad = self._decayed(p, grad, group)
        alpha = group['alpha']
        square = state['square_avg']
        square.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if group['centered']:
            mean = state['grad_avg']
            mean.lerp_(grad, 1 - alpha)
            below = square.addcmul(mean, mean, value=-1).sqrt_()
        else:
            below = square.sqrt()
        below.add_(group['eps'])
        if group['momentum'] > 0:
            buffer = state['momentum_buffer']
            buffer.mul_(group['momentum']).addcdiv_(grad, below)
            p.add_(buffer, alpha=-_number(group['lr']))
        else:
            p.addcdiv_(grad, below, value=-_number(group['lr']))


class Adagrad(Optimizer):
    """Adagrad: steps scaled by the sum of squared gradients."""
    __module__ = "torch.optim.adagrad"

    def __init__(self, params, lr=0.01, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *, maximize=False, differentiable=False, fused=None):
        _checked(lr, lr_decay=lr_decay, weight_decay=weight_decay)
        if initial_accumulator_value < 0.0:
            raise ValueError(f'Invalid initial_accumulator_value value: {initial_accumulator_value}')
        _checked(eps=eps)
        super().__init__(params, dict(lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay, initial_accumulator_value=initial_accumulator_value, foreach=foreach, maximize=maximize, differentiable=differentiable, fused=fused))
        for group in self.param_groups:
            for p in group['params']:
                self._started(p)

    def _started(self, p):
        state = self.state[p]
        if not state:
            state['step'] = _scalar(0.0)
            state['sum'] = torch.full_like(p, self.defaults['initial_accumulator_value']).detach()
        return state

    def _update(self, p, grad, group):
        state = self._started(p)
        state['step'] += 1
        grad = self._decayed(p, grad, group)
        rate = _number(group['lr']) / (1 + (_number(state['step']) - 1) * group['lr_decay'])
        state['sum'].addcmul_(grad, grad, value=1)
        p.addcdiv_(grad, state['sum'].sqrt().add_(group['eps']), value=-rate)


class Adadelta(Optimizer):
    """Adadelta: steps scaled by running means of squared gradients and squared steps."""
    __module__ = "torch.optim.adadelta"

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-06, weight_decay=0, foreach=None, *, capturable=False, maximize=False, differentiable=False):
        _checked(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f'Invalid rho value: {rho}')
        _checked(eps=eps, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize, capturable=capturable, foreach=foreach, differentiable=differentiable))

    def _update(self, p, grad, group):
        state = self._next(p, 'square_avg', 'acc_delta')
        grad = self._decayed(p, grad, group)
        rho, eps = group['rho'], group['eps']
        square, steps = state['square_avg'], state['acc_delta']
        square.mul_(rho).addcmul_(grad, grad, value=1 - rho)
        delta = steps.add(eps).sqrt_().div_(square.add(eps).sqrt_()).mul_(grad)
        steps.mul_(rho).addcmul_(delta, delta, value=1 - rho)
        p.add_(delta, alpha=-_number(group['lr']))


class Adamax(Optimizer):
    """Adamax: Adam with a decaying maximum of the gradients instead of the mean of squares."""
    __module__ = "torch.optim.adamax"

    def __init__(self, params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, foreach=None, *, maximize=False, differentiable=False, capturable=False):
        _checked(lr, eps=eps)
        _checked(betas=betas, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach, maximize=maximize, differentiable=differentiable, capturable=capturable))

    def _update(self, p, grad, group):
        state = self._next(p, 'exp_avg', 'exp_inf')
        grad = self._decayed(p, grad, group)
        beta1, beta2 = group['betas']
        mean, most = state['exp_avg'], state['exp_inf']
        mean.lerp_(grad, 1 - beta1)
        most.copy_(torch.maximum(most.mul_(beta2), grad.abs().add_(group['eps'])))
        p.addcdiv_(mean, most, value=-(_number(group['lr']) / (1 - beta1 ** _number(state['step']))))


class NAdam(Optimizer):
    """NAdam: Adam with Nesterov momentum."""
    __module__ = "torch.optim.nadam"

    def __init__(self, params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, momentum_decay=0.004, decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False):
        _checked(lr, eps=eps)
        _checked(betas=betas, weight_decay=weight_decay, momentum_decay=momentum_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay, decoupled_weight_decay=decoupled_weight_decay, maximize=maximize, foreach=foreach, capturable=capturable, differentiable=differentiable))

    def _update(self, p, grad, group):
        state = self._next(p, 'exp_avg', 'exp_avg_sq', mu_product=1.0)
        step = _number(state['step'])
        lr = _number(group['lr'])
        beta1, beta2 = group['betas']
        grad = self._decayed(p, grad, group)
        mu = beta1 * (1.0 - 0.5 * (0.96 ** (step * group['momentum_decay'])))
        following = beta1 * (1.0 - 0.5 * (0.96 ** ((step + 1) * group['momentum_decay'])))
        state['mu_product'] *= mu
        product = _number(state['mu_product'])
        mean, square = state['exp_avg'], state['exp_avg_sq']
        mean.lerp_(grad, 1 - beta1)
        square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        below = square.div(1 - beta2 ** step).sqrt().add_(group['eps'])
        p.addcdiv_(grad, below, value=-lr * (1.0 - mu) / (1.0 - product))
        p.addcdiv_(mean, below, value=-lr * following / (1.0 - product * following))


class RAdam(Optimizer):
    """RAdam: Adam that rectifies the variance of its first steps."""
    __module__ = "torch.optim.radam"

    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False):
        _checked(lr, eps=eps)
        _checked(betas=betas, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize, foreach=foreach, capturable=capturable, decoupled_weight_decay=decoupled_weight_decay, differentiable=differentiable))

    def _update(self, p, grad, group):
        state = self._next(p, 'exp_avg', 'exp_avg_sq')
        step = _number(state['step'])
        lr = _number(group['lr'])
        beta1, beta2 = group['betas']
        grad = self._decayed(p, grad, group)
        mean, square = state['exp_avg'], state['exp_avg_sq']
        mean.lerp_(grad, 1 - beta1)
        square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        left = 1 - beta2 ** step
        corrected = mean / (1 - beta1 ** step)
        limit = 2 / (1 - beta2) - 1
        length = limit - 2 * step * (beta2 ** step) / left
        if length > 5.0:
            rect = ((length - 4) * (length - 2) * limit / ((limit - 4) * (limit - 2) * length)) ** 0.5
            p.add_(corrected * lr * ((left ** 0.5) / square.sqrt().add_(group['eps'])) * rect, alpha=-1.0)
        else:
            p.add_(corrected * lr, alpha=-1.0)


class Rprop(Optimizer):
    """Rprop: steps by the signs of the gradients, with a step size per element."""
    __module__ = "torch.optim.rprop"

    def __init__(self, params, lr=0.01, etas=(0.5, 1.2), step_sizes=(1e-06, 50), *, capturable=False, foreach=None, maximize=False, differentiable=False):
        _checked(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f'Invalid eta values: {etas[0]}, {etas[1]}')
        super().__init__(params, dict(lr=lr, etas=etas, step_sizes=step_sizes, foreach=foreach, maximize=maximize, differentiable=differentiable, capturable=capturable))

    def _update(self, p, grad, group):
        state = self.state[p]
        if not state:
            state['step'] = _scalar(0.0)
            state['prev'] = torch.zeros_like(p)
            state['step_size'] = torch.full_like(grad, _number(group['lr']))
        state['step'] += 1
        less, more = group['etas']
        least, most = group['step_sizes']
        same = grad.mul(state['prev']).sign()
        factor = torch.where(same > 0, more, torch.where(same < 0, less, 1.0)).to(p.dtype)
        state['step_size'].mul_(factor).clamp_(least, most)
        grad = torch.where(same < 0, torch.zeros_like(grad), grad)
        p.addcmul_(grad.sign(), state['step_size'], value=-1)
        state['prev'].copy_(grad)


class ASGD(Optimizer):
    """Gradient descent with averaged parameters."""
    __module__ = "torch.optim.asgd"

    def __init__(self, params, lr=0.01, lambd=0.0001, alpha=0.75, t0=1000000.0, weight_decay=0, foreach=None, maximize=False, differentiable=False, capturable=False):
        _checked(lr, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, foreach=foreach, maximize=maximize, differentiable=differentiable, capturable=capturable))

    def _update(self, p, grad, group):
        lr, lambd = _number(group['lr']), group['lambd']
        state = self._next(p, 'ax', eta=lr, mu=1.0)
        step, eta, mu = _number(state['step']), _number(state['eta']), _number(state['mu'])
        grad = self._decayed(p, grad, group)
        p.mul_(1 - lambd * eta)
        p.add_(grad, alpha=-eta)
        if mu != 1:
            state['ax'].add_(p.sub(state['ax']).mul_(state['mu']))
        else:
            state['ax'].copy_(p)
        state['eta'].copy_(_scalar(lr / ((1 + lambd * lr * step) ** group['alpha'])))
        state['mu'].copy_(_scalar(1 / max(1, step - group['t0'])))
