# Connectionist temporal classification: the loss of all alignments of a text with a longer sequence.


def _added(terms):
    """log Σ exp of the reachable states; None if there are none."""
    terms = [t for t in terms if t is not None]
    if not terms:
        return None
    return terms[0] if len(terms) == 1 else torch.logsumexp(torch.stack(terms), 0)


def _one(log_probs, labels, blank):
    """−log p(labels), computed with forward variables α over the labels separated by blanks."""
    states = [blank]
    for label in labels:
        states += [label, blank]
    alpha = [log_probs[0, s] if i < 2 else None for i, s in enumerate(states)]
    for t in range(1, log_probs.shape[0]):
        now = []
        for i, s in enumerate(states):
            terms = [alpha[i]]
            if i > 0:
                terms.append(alpha[i - 1])
            if i > 1 and s != blank and s != states[i - 2]:
                terms.append(alpha[i - 2])
            before = _added(terms)
            now.append(None if before is None else before + log_probs[t, s])
        alpha = now
    total = _added(alpha[-2:])
    if total is None:
        # Too short for the labels: as in PyTorch infinite, with a gradient of NaN.
        return torch.where(torch.tensor(True), math.inf, log_probs.sum() * math.nan)
    # PyTorch's slope is that through a log_softmax before it: of these numbers it has exp added.
    mass = log_probs.exp().sum()
    return -total + (mass - mass.detach())


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction='mean', zero_infinity=False):
    """−log of the probability of each label sequence, summed over its alignments."""
    single = log_probs.dim() == 2
    if single:
        log_probs = log_probs.unsqueeze(1)
    plain = lambda v: [int(n) for n in (v.reshape(-1).tolist() if isinstance(v, torch.Tensor) else [v] if isinstance(v, int) else v)]
    inputs, lengths = plain(input_lengths), plain(target_lengths)
    count = log_probs.shape[1]
    if len(inputs) != count:
        raise RuntimeError('input_lengths must be of size batch_size')
    if len(lengths) != count:
        raise RuntimeError('target_lengths must be of size batch_size')
    if not 0 <= blank < log_probs.shape[2]:
        raise RuntimeError('blank must be in label range')
    losses, place = [], 0
    for k, (n, m) in enumerate(zip(inputs, lengths)):
        if n > log_probs.shape[0]:
            raise RuntimeError(f'Expected input_lengths to have value at most {log_probs.shape[0]}, but got value {n} (while checking arguments for ctc_loss_cpu)')
        if targets.dim() == 1:
            labels = targets[place:place + m].tolist()
            place += m
        else:
            labels = targets[k, :m].tolist()
        loss = _one(log_probs[:n, k], labels, blank)
        if zero_infinity and torch.isinf(loss):
            loss = log_probs[:n, k].masked_fill(torch.tensor(True), 0.0).sum()
        losses.append(loss)
    if reduction == 'none':
        return losses[0] if single else torch.stack(losses)
    loss = torch.stack(losses)
    if reduction == 'sum':
        return loss.sum()
    return (loss / torch.tensor(lengths, dtype=loss.dtype).clamp(min=1)).mean()
