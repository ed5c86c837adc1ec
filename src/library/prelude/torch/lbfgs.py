# torch.optim.LBFGS: a quasi-Newton method with a short memory, and its line search.


def _cubic(x1, f1, g1, x2, f2, g2, bounds=None):
    """Minimises the cubic through two points with given slopes, within bounds."""
    low, high = bounds if bounds is not None else (x1, x2) if x1 <= x2 else (x2, x1)
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1 ** 2 - g1 * g2
    if square < 0:
        return (low + high) / 2.0
    d2 = square.sqrt()
    if x1 <= x2:
        place = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
    else:
        place = x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    return min(max(place, low), high)


def _strong_wolfe(evaluate, x, t, d, f, g, slope, most):
    """Finds a step along d that satisfies the strong Wolfe conditions: value, gradient, step, evaluations."""
    c1, c2, least_change = 0.0001, 0.9, 1e-09
    longest = d.abs().max()
    g = g.clone()
    f_new, g_new = evaluate(x, t, d)
    evaluations, tries = 1, 0
    slope_new = g_new.dot(d)
    before = (0, f, g, slope)
    done = False
    ends = None
    while tries < most:
        here = (t, f_new, g_new.clone(), slope_new)
        if f_new > f + c1 * t * slope or (tries > 1 and f_new >= before[1]):
            ends = [before, here]
            break
        if abs(slope_new) <= -c2 * slope:
            ends = [here]
            done = True
            break
        if slope_new >= 0:
            ends = [before, here]
            break
        t = _cubic(before[0], before[1], before[3], t, f_new, slope_new, bounds=(t + 0.01 * (t - before[0]), t * 10))
        before = here
        f_new, g_new = evaluate(x, t, d)
        evaluations += 1
        slope_new = g_new.dot(d)
        tries += 1
    if tries == most:
        ends = [(0, f, g, slope), (t, f_new, g_new, slope_new)]
    stuck = False
    low, high = (0, 1) if ends[0][1] <= ends[-1][1] else (1, 0)
    while not done and tries < most:
        (t1, f1, _, s1), (t2, f2, _, s2) = ends
        if abs(t2 - t1) * longest < least_change:
            break
        t = _cubic(t1, f1, s1, t2, f2, s2)
        first, last = min(t1, t2), max(t1, t2)
        margin = 0.1 * (last - first)
        if min(last - t, t - first) < margin:
            # Near an end of the interval: a step away from it, the second time or when outside.
            if stuck or t >= last or t <= first:
                t = last - margin if abs(t - last) < abs(t - first) else first + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        f_new, g_new = evaluate(x, t, d)
        evaluations += 1
        slope_new = g_new.dot(d)
        tries += 1
        here = (t, f_new, g_new.clone(), slope_new)
        if f_new > f + c1 * t * slope or f_new >= ends[low][1]:
            ends[high] = here
            low, high = (0, 1) if ends[0][1] <= ends[1][1] else (1, 0)
        else:
            if abs(slope_new) <= -c2 * slope:
                done = True
            elif slope_new * (ends[high][0] - ends[low][0]) >= 0:
                ends[high] = ends[low]
            ends[low] = here
    t, f_new, g_new, _ = ends[low]
    return f_new, g_new, t, evaluations


class LBFGS(torch.optim.Optimizer):
    """Limited-memory BFGS: Newton's method with a Hessian estimated from recent steps; step needs a closure."""
    __module__ = "torch.optim.lbfgs"

    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-07, tolerance_change=1e-09, history_size=100, line_search_fn=None, *, maximize=False):
        if lr < 0.0:
            raise ValueError(f'Invalid learning rate: {lr}')
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        super().__init__(params, dict(lr=lr, max_iter=max_iter, max_eval=max_eval, tolerance_grad=tolerance_grad, tolerance_change=tolerance_change, history_size=history_size, line_search_fn=line_search_fn, maximize=maximize))
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]['params']

    def _gradient(self):
        """Returns all gradients in one vector."""
        flat = torch.cat([torch.zeros(p.numel(), dtype=p.dtype) if p.grad is None else p.grad.view(-1) for p in self._params], 0)
        return -flat if self.param_groups[0].get('maximize') else flat

    def _move(self, size, direction):
        place = 0
        for p in self._params:
            p.add_(direction[place:place + p.numel()].view_as(p), alpha=_float(size))
            place += p.numel()

    def _evaluate(self, closure, x, t, d):
        """Evaluates the loss and its gradient a step away, without changing the parameters."""
        self._move(t, d)
        loss = self._loss(closure())
        flat = self._gradient()
        for p, kept in zip(self._params, x):
            p.copy_(kept)
        return loss, flat

    def _loss(self, value):
        return -float(value) if self.param_groups[0].get('maximize') else float(value)

    @torch.optim._hooked
    def step(self, closure):
        self._stepped = True
        def enabled():
            with torch.enable_grad():
                return closure()
        with torch.no_grad():
            result = self._search(enabled)
        self._shown()
        return result

    def _search(self, closure):
        group = self.param_groups[0]
        lr, history = group['lr'], group['history_size']
        least_gradient, least_change = group['tolerance_grad'], group['tolerance_change']
        state = self.state[self._params[0]]
        state.setdefault('func_evals', 0)
        state.setdefault('n_iter', 0)
        first = closure()
        loss = self._loss(first)
        evaluations = 1
        state['func_evals'] += 1
        flat = self._gradient()
        if flat.abs().max() <= least_gradient:
            return first
        d, t = state.get('d'), state.get('t')
        dirs, steps, ro = state.get('old_dirs'), state.get('old_stps'), state.get('ro')
        scale, previous = state.get('H_diag'), state.get('prev_flat_grad')
        previous_loss = state.get('prev_loss')
        count = 0
        while count < group['max_iter']:
            count += 1
            state['n_iter'] += 1
            if state['n_iter'] == 1:
                d, dirs, steps, ro, scale = flat.neg(), [], [], [], 1
            else:
                y = flat.sub(previous)
                s = d.mul(t)
                ys = y.dot(s)
                if ys > 1e-10:
                    if len(dirs) == history:
                        dirs.pop(0)
                        steps.pop(0)
                        ro.pop(0)
                    dirs.append(y)
                    steps.append(s)
                    ro.append(1.0 / ys)
                    scale = ys / y.dot(y)
                # The guessed inverse Hessian times the gradient, in two loops over the memory.
                q = flat.neg()
                al = [None] * len(dirs)
                for i in range(len(dirs) - 1, -1, -1):
                    al[i] = steps[i].dot(q) * ro[i]
                    q.add_(dirs[i], alpha=-_float(al[i]))
                d = torch.mul(q, scale)
                for i in range(len(dirs)):
                    be = dirs[i].dot(d) * ro[i]
                    d.add_(steps[i], alpha=_float(al[i] - be))
            previous = flat.clone() if previous is None else previous.copy_(flat)
            previous_loss = loss
            t = min(1.0, 1.0 / flat.abs().sum()) * lr if state['n_iter'] == 1 else lr
            slope = flat.dot(d)
            if slope > -least_change:
                break
            tried = 0
            enough = False
            if group['line_search_fn'] is not None:
                if group['line_search_fn'] != 'strong_wolfe':
                    raise RuntimeError("only 'strong_wolfe' is supported")
                start = [p.clone() for p in self._params]
                evaluate = lambda x, t, d: self._evaluate(closure, x, t, d)
                loss, flat, t, tried = _strong_wolfe(evaluate, start, t, d, loss, flat, slope, group['max_eval'] - evaluations)
                self._move(t, d)
                enough = flat.abs().max() <= least_gradient
            else:
                self._move(t, d)
                if count != group['max_iter']:
                    loss = self._loss(closure())
                    flat = self._gradient()
                    enough = flat.abs().max() <= least_gradient
                    tried = 1
            evaluations += tried
            state['func_evals'] += tried
            if count == group['max_iter'] or evaluations >= group['max_eval'] or enough:
                break
            if d.mul(t).abs().max() <= least_change or abs(loss - previous_loss) < least_change:
                break
        state.update(dict(d=d, t=t, old_dirs=dirs, old_stps=steps, ro=ro, H_diag=scale, prev_flat_grad=previous, prev_loss=previous_loss))
        return first


def _float(value):
    return value.item() if isinstance(value, torch.Tensor) else value
