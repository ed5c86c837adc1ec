# torch.optim.swa_utils: averages of the weights that training passes through.

import copy
import itertools


def get_ema_avg_fn(decay=0.999):
    """A mean in which older weights count less and less."""
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f'Invalid decay value {decay} provided. Please provide a value in [0,1] range.')

    @torch.no_grad()
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    """The mean of all weights."""

    @torch.no_grad()
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_ema_multi_avg_fn(decay=0.999):
    """The same for lists of weights."""
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f'Invalid decay value {decay} provided. Please provide a value in [0,1] range.')

    @torch.no_grad()
    def ema_update(ema_param_list, current_param_list, num_averaged):
        for average, now in zip(ema_param_list, current_param_list):
            average.lerp_(now, 1 - decay)

    return ema_update


def get_swa_multi_avg_fn():
    """The same for lists of weights."""

    @torch.no_grad()
    def swa_update(averaged_param_list, current_param_list, num_averaged):
        for average, now in zip(averaged_param_list, current_param_list):
            average.lerp_(now, float(1 / (num_averaged + 1)))

    return swa_update


class AveragedModel(nn.Module):
    """A copy of a model whose weights are averages of that model's."""
    __module__ = "torch.optim.swa_utils"

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError('Only one of avg_fn and multi_avg_fn should be provided')
        self.module = copy.deepcopy(model)
        self.register_buffer('n_averaged', torch.tensor(0, dtype=torch.long))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        def of(module):
            rest = module.buffers() if self.use_buffers else ()
            return [p.detach() for p in itertools.chain(module.parameters(), rest)]

        averages, weights = of(self), of(model)
        if self.use_buffers:
            averages, weights = of(self.module), of(model)
        if self.n_averaged == 0:
            for average, weight in zip(averages, weights):
                average.copy_(weight)
        elif self.multi_avg_fn is not None:
            self.multi_avg_fn(averages, weights, self.n_averaged)
        else:
            mean = self.avg_fn or get_swa_avg_fn()
            for average, weight in zip(averages, weights):
                average.copy_(mean(average, weight, self.n_averaged))
        if not self.use_buffers:
            for own, theirs in zip(self.module.buffers(), model.buffers()):
                own.detach().copy_(theirs.detach())
        self.n_averaged += 1


@torch.no_grad()
def update_bn(loader, model, device=None):
    """Computes the running statistics of batch normalisation anew, of the data in a loader."""
    momenta = {}
    for module in model.modules():
        if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None
    for batch in loader:
        model(batch[0] if isinstance(batch, (list, tuple)) else batch)
    for module in momenta:
        module.momentum = momenta[module]
    model.train(was_training)


class SWALR(torch.optim.lr_scheduler.LRScheduler):
    """Goes over to a constant learning rate."""
    __module__ = "torch.optim.swa_utils"

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy='cos', last_epoch=-1):
        rates = swa_lr if isinstance(swa_lr, (list, tuple)) else [swa_lr] * len(optimizer.param_groups)
        for rate, group in zip(rates, optimizer.param_groups):
            group['swa_lr'] = rate
        if anneal_strategy not in ('cos', 'linear'):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f'anneal_epochs must be equal or greater than 0, got {anneal_epochs}')
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _share(self, step):
        t = max(0, min(1, step / max(1, self.anneal_epochs)))
        return t if self._anneal_strategy == 'linear' else (1 - math.cos(math.pi * t)) / 2

    def get_lr(self):
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._share(step - 1), self._share(step)
        rates = []
        for group in self.optimizer.param_groups:
            first = group['swa_lr']
            if before != 1:
                first = (group['lr'] - before * group['swa_lr']) / (1 - before)
            rates.append(group['swa_lr'] * now + first * (1 - now))
        return rates
