# torch.optim: optimisers that came later, for large matrices.


class Adafactor(torch.optim.Optimizer):
    """Adam with the mean squares of rows and columns in place of one for each element."""
    __module__ = "torch.optim._adafactor"

    def __init__(self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *, foreach=None, maximize=False):
        if lr < 0.0:
            raise ValueError(f'Learning rate should be >= 0 but is: {lr}')
        if beta2_decay > 0.0:
            raise ValueError(f'beta2_decay should be <= 0 but is: {beta2_decay}')
        if eps[0] is not None and eps[0] < 0.0:
            raise ValueError(f'epsilon1 should be >= 0 but is: {eps[0]}')
        if eps[1] < 0.0:
            raise ValueError(f'epsilon2 should be >= 0 but is: {eps[1]}')
        if d < 1.0:
            raise ValueError(f'Clipping threshold d should be >= 1 but is: {d}')
        if weight_decay < 0.0:
            raise ValueError(f'weight_decay should be >= 0 but is: {weight_decay}')
        super().__init__(params, dict(lr=lr, beta2_decay=beta2_decay, eps=eps, d=d, weight_decay=weight_decay, foreach=foreach, maximize=maximize))

    @torch.optim._hooked
    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group['params']:
                if p.grad is not None:
                    self._one(p, group)
        return loss

    def _one(self, p, group):
        grad = -p.grad if group['maximize'] else p.grad
        state = self.state[p]
        if not state:
            state['step'] = torch.tensor(0.0, dtype=torch.float32)
            if grad.dim() > 1:
                state['row_var'] = grad.new_zeros(grad.shape[:-1] + (1,))
                state['col_var'] = grad.new_zeros(grad.shape[:-2] + (1, grad.shape[-1]))
            else:
                state['variance'] = torch.zeros_like(grad)
        eps1, eps2 = group['eps']
        if eps1 is None:
            eps1 = torch.finfo(p.dtype).eps
        state['step'] += 1
        step = state['step'].item()
        share = step ** group['beta2_decay']
        alpha = max(eps2, p.norm(2).item() / math.sqrt(p.numel())) * min(group['lr'], 1 / math.sqrt(step))
        if group['weight_decay'] != 0:
            p.mul_(1 - group['lr'] * group['weight_decay'])
        if grad.dim() > 1:
            rows, columns = state['row_var'], state['col_var']
            rows.lerp_(torch.norm(grad, dim=-1, keepdim=True).square().div(grad.size(-1)), share)
            columns.lerp_(torch.norm(grad, dim=-2, keepdim=True).square().div(grad.size(-2)), share)
            squares = rows @ columns
            squares.div_(rows.mean(dim=-2, keepdim=True).clamp(min=eps1))
        else:
            state['variance'].lerp_(grad * grad, share)
            squares = state['variance'].clone()
        update = squares.clamp(min=eps1 * eps1).rsqrt().mul(grad)
        bound = max(1.0, update.norm(2).item() / (math.sqrt(update.numel()) * group['d']))
        p.add_(update, alpha=-alpha / bound)


class Muon(torch.optim.Optimizer):
    """Momentum whose step is the nearest orthogonal matrix, by Newton and Schulz."""
    __module__ = "torch.optim._muon"

    def __init__(self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True, ns_coefficients=(3.4445, -4.775, 2.0315), eps=1e-7, ns_steps=5, adjust_lr_fn=None):
        if lr < 0.0:
            raise ValueError(f'Learning rate should be >= 0 but is: {lr}')
        if momentum < 0.0:
            raise ValueError(f'momentum should be >= 0 but is: {momentum}')
        if weight_decay < 0.0:
            raise ValueError(f'weight decay should be >= 0 but is: {weight_decay}')
        if adjust_lr_fn not in (None, 'original', 'match_rms_adamw'):
            raise ValueError(f'Adjust learning rate function {adjust_lr_fn} is not supported')
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov, ns_coefficients=ns_coefficients, eps=eps, ns_steps=ns_steps, adjust_lr_fn=adjust_lr_fn))
        for group in self.param_groups:
            for p in group['params']:
                if p.ndim != 2:
                    raise ValueError(f'Muon only supports 2D parameters whereas we found a parameter with size: {p.size()}')

    @torch.optim._hooked
    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group['params']:
                if p.grad is None:
                    continue
                state = self.state[p]
                if 'momentum_buffer' not in state:
                    state['momentum_buffer'] = torch.zeros_like(p.grad)
                buffer = state['momentum_buffer']
                buffer.lerp_(p.grad, 1 - group['momentum'])
                update = p.grad.lerp(buffer, group['momentum']) if group['nesterov'] else buffer
                update = self._orthogonal(update, group)
                rows, columns = p.shape
                rate = group['lr']
                if group['adjust_lr_fn'] == 'match_rms_adamw':
                    rate = rate * 0.2 * math.sqrt(max(rows, columns))
                else:
                    rate = rate * math.sqrt(max(1, rows / columns))
                p.mul_(1 - group['lr'] * group['weight_decay'])
                p.add_(update, alpha=-rate)
        return loss

    def _orthogonal(self, grad, group):
        a, b, c = group['ns_coefficients']
        x = grad.bfloat16()
        tall = grad.size(0) > grad.size(1)
        if tall:
            x = x.T
        x = x / x.norm().clamp(min=group['eps'])
        for _ in range(group['ns_steps']):
            gram = x @ x.T
            gram = (b * gram.float() + c * (gram.float() @ gram.float())).bfloat16()
            x = (a * x.float() + gram.float() @ x.float()).bfloat16()
        return x.T if tall else x
