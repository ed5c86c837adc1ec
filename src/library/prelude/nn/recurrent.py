# Recurrent layers and cells: torch.nn.modules.rnn. Weights are named weight_ih_l0, weight_hh_l0,
# bias_ih_l0, bias_hh_l0, with _reverse for the way back and weight_hr for a projection.

import warnings
from torch.nn.utils.rnn import PackedSequence


def _linear(hidden, across, bias):
    """F.linear with the weight turned already: once for all steps."""
    return hidden.mm(across) if bias is None else torch.addmm(bias, hidden, across)


def _tanh_step(gates, hidden, across, bias, project):
    return ((gates + _linear(hidden[0], across, bias)).tanh(),)


def _relu_step(gates, hidden, across, bias, project):
    return ((gates + _linear(hidden[0], across, bias)).relu(),)


def _lstm_step(gates, hidden, across, bias, project):
    """i, f, o = σ(…), g = tanh(…); c′ = f·c + i·g; h′ = o·tanh c′"""
    h, c = hidden
    i, f, g, o = (_linear(h, across, bias) + gates).chunk(4, -1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    h = o.sigmoid() * c.tanh()
    return (h if project is None else F.linear(h, project), c)


def _gru_step(gates, hidden, across, bias, project):
    """r, z = σ(…), n = tanh(xₙ + r·hₙ); h′ = (h − n)·z + n"""
    h = hidden[0]
    xr, xz, xn = gates.chunk(3, -1)
    hr, hz, hn = _linear(h, across, bias).chunk(3, -1)
    r = (hr + xr).sigmoid()
    z = (hz + xz).sigmoid()
    n = (xn + hn * r).tanh()
    return ((h - n) * z + n,)


def _resized(state, size, first, ended):
    """Hidden states of as many sequences as have the next step: some end, or on the way back begin."""
    known = state[0].size(0)
    if size < known:
        ended.append(tuple(h[size:] for h in state))
        return tuple(h[:size] for h in state)
    if size > known:
        return tuple(torch.cat([h, h0[known:size]]) for h, h0 in zip(state, first))
    return state


class _RNNBase(nn.Module):
    __module__ = "torch.nn.modules.rnn"
    mode = 'RNN_TANH'
    gates = 1

    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None):
        self._begin(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, proj_size, dtype)

    def _begin(self, input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, proj_size, dtype):
        nn.Module.__init__(self)
        if isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError('dropout should be a number in range [0, 1] representing the probability of an element being zeroed')
        if dropout > 0 and num_layers == 1:
            warnings.warn(f'dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers greater than 1, but got dropout={dropout} and num_layers={num_layers}')
        if hidden_size <= 0:
            raise ValueError('hidden_size must be greater than zero')
        if num_layers <= 0:
            raise ValueError('num_layers must be greater than zero')
        if proj_size >= hidden_size:
            raise ValueError('proj_size has to be smaller than hidden_size')
        if proj_size != 0 and self.mode != 'LSTM':
            raise ValueError('proj_size argument is only supported for LSTM, not RNN or GRU')
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        rows = self.gates * hidden_size
        out = proj_size if proj_size > 0 else hidden_size
        for layer in range(num_layers):
            width = input_size if layer == 0 else out * (2 if bidirectional else 1)
            for way in self._ways():
                end = f'_l{layer}{way}'
                setattr(self, 'weight_ih' + end, nn.Parameter(torch.empty((rows, width), dtype=dtype)))
                setattr(self, 'weight_hh' + end, nn.Parameter(torch.empty((rows, out), dtype=dtype)))
                if bias:
                    setattr(self, 'bias_ih' + end, nn.Parameter(torch.empty(rows, dtype=dtype)))
                    setattr(self, 'bias_hh' + end, nn.Parameter(torch.empty(rows, dtype=dtype)))
                if proj_size > 0:
                    setattr(self, 'weight_hr' + end, nn.Parameter(torch.empty((proj_size, hidden_size), dtype=dtype)))
        self.reset_parameters()

    def _ways(self):
        return ('', '_reverse') if self.bidirectional else ('',)

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            nn.init.uniform_(weight, -bound, bound)

    def flatten_parameters(self):
        pass

    @property
    def all_weights(self):
        names = ('weight_ih', 'weight_hh', 'bias_ih', 'bias_hh', 'weight_hr')
        return [[getattr(self, f'{n}_l{k}{way}') for n in names if hasattr(self, f'{n}_l{k}{way}')] for k in range(self.num_layers) for way in self._ways()]

    def extra_repr(self):
        text = f'{self.input_size}, {self.hidden_size}'
        return text + nn._options(self, proj_size=0, num_layers=1, bias=True, batch_first=False, dropout=0, bidirectional=False)

    def _step(self):
        return {'LSTM': _lstm_step, 'GRU': _gru_step, 'RNN_TANH': _tanh_step, 'RNN_RELU': _relu_step}[self.mode]

    def _checked(self, input, hidden, sizes):
        weight = self.weight_ih_l0
        if input.dtype != weight.dtype:
            raise ValueError(f'RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). Convert input: input.to({weight.dtype}), or convert model: model.to({input.dtype})')
        if self.input_size != input.size(-1):
            raise RuntimeError(f'input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}')
        names = ('hidden[0]', 'hidden[1]') if self.mode == 'LSTM' else ('hidden',)
        for h, size, name in zip(hidden, sizes, names):
            wanted = (self.num_layers * len(self._ways()), input.size(0 if self.batch_first else 1), size)
            if tuple(h.size()) != wanted:
                what = f' {name}' if self.mode == 'LSTM' else ' hidden'
                raise RuntimeError(f'Expected{what} size {wanted}, got {list(h.size())}')

    def forward(self, input, hx=None):
        name = 'RNN' if self.mode.startswith('RNN') else self.mode
        if isinstance(input, PackedSequence):
            return self._of_packed(input, hx)
        if input.dim() not in (2, 3):
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {input.dim()}D{' tensor' if name == 'RNN' else ''} instead")
        lstm = self.mode == 'LSTM'
        alone = input.dim() == 2
        batch = 0 if self.batch_first else 1
        out = self.proj_size if self.proj_size > 0 else self.hidden_size
        sizes = (out, self.hidden_size) if lstm else (out,)
        x = input.unsqueeze(batch) if alone else input
        if hx is None:
            count = self.num_layers * len(self._ways())
            hidden = tuple(torch.zeros(count, x.size(batch), size, dtype=x.dtype) for size in sizes)
        else:
            hidden = tuple(hx) if lstm else (hx,)
            ranks = [h.dim() for h in hidden]
            if any(r != (2 if alone else 3) for r in ranks):
                kind = 'unbatched 2-D' if alone else 'batched 3-D'
                wanted = '2-D' if alone else '3-D'
                if lstm:
                    raise RuntimeError(f'For {kind} input, hx and cx should also be {wanted} but got ({ranks[0]}-D, {ranks[1]}-D) tensors')
                raise RuntimeError(f'For {kind} input, hx should also be {wanted} but got {ranks[0]}-D tensor')
            if alone:
                hidden = tuple(h.unsqueeze(1) for h in hidden)
        self._checked(x, hidden, sizes)
        if self.batch_first:
            x = x.transpose(0, 1)
        y, last = self._run(x, hidden)
        if self.batch_first:
            y = y.transpose(0, 1) if lstm else y.transpose_(0, 1)
        if alone:
            y = y.squeeze(batch)
            last = tuple(h.squeeze(1) for h in last)
        return (y, last) if lstm else (y, last[0])

    def _of_packed(self, packed, hx):
        """Runs over a packed sequence; the hidden states stand in the order of the sequences given."""
        lstm = self.mode == 'LSTM'
        x, sizes = packed.data, packed.batch_sizes.tolist()
        out = self.proj_size if self.proj_size > 0 else self.hidden_size
        widths = (out, self.hidden_size) if lstm else (out,)
        if x.dim() != 2:
            raise RuntimeError(f'input must have 2 dimensions, got {x.dim()}')
        if hx is None:
            count = self.num_layers * len(self._ways())
            hidden = tuple(torch.zeros(count, sizes[0], width, dtype=x.dtype) for width in widths)
        else:
            hidden = tuple(hx) if lstm else (hx,)
            if packed.sorted_indices is not None:
                hidden = tuple(h.index_select(1, packed.sorted_indices) for h in hidden)
        self._checked(x.unsqueeze(0 if self.batch_first else 1).expand(*((sizes[0], -1) if self.batch_first else (-1, sizes[0])), -1), hidden, widths)
        y, last = self._run(x, hidden, sizes)
        if packed.unsorted_indices is not None:
            last = tuple(h.index_select(1, packed.unsorted_indices) for h in last)
        y = PackedSequence(y, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices)
        return (y, last) if lstm else (y, last[0])

    def _stacked(self, states):
        # PyTorch has a kernel of its own for most LSTMs in float32.
        own = self.mode == 'LSTM' and self.proj_size == 0 and states[0].dtype == torch.float32
        return torch.autograd.graph._stacked_as(states, 'MkldnnRnnLayerBackward0' if own else 'StackBackward0')

    def _run(self, x, hidden, sizes=None):
        """Runs all layers in each direction over a sequence; returns the outputs and the last hidden states."""
        step = self._step()
        lasts = []
        place = 0
        for layer in range(self.num_layers):
            outputs = []
            for way in self._ways():
                end = f'_l{layer}{way}'
                bias = getattr(self, 'bias_hh' + end) if self.bias else None
                project = getattr(self, 'weight_hr' + end) if self.proj_size > 0 else None
                across = getattr(self, 'weight_hh' + end).t()
                gates = F.linear(x, getattr(self, 'weight_ih' + end), getattr(self, 'bias_ih' + end) if self.bias else None)
                gates = gates.unbind(0) if sizes is None else gates.split(sizes)
                first = state = tuple(h[place] for h in hidden)
                if sizes is not None and way:
                    state = tuple(h[:sizes[-1]] for h in first)
                states, ended = [], []
                for g in (reversed(gates) if way else gates):
                    if sizes is not None:
                        state = _resized(state, g.size(0), first, ended)
                    state = step(g, state, across, bias, project)
                    states.append(state[0])
                if ended:
                    state = tuple(torch.cat(parts) for parts in zip(state, *reversed(ended)))
                if way:
                    states.reverse()
                outputs.append(self._stacked(states) if sizes is None else torch.cat(states))
                lasts.append(state)
                place += 1
            x = outputs[0] if len(outputs) == 1 else torch.cat(outputs, -1)
            if self.dropout > 0 and layer < self.num_layers - 1:
                x = F.dropout(x, self.dropout, self.training)
        return x, tuple(torch.stack([state[k] for state in lasts], 0) for k in range(len(hidden)))


class RNN(_RNNBase):
    """h′ = tanh(W x + b + U h + c) along a sequence."""

    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity='tanh', bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None):
        if nonlinearity not in ('tanh', 'relu'):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        self.mode = 'RNN_TANH' if nonlinearity == 'tanh' else 'RNN_RELU'
        self.nonlinearity = nonlinearity
        self._begin(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, 0, dtype)


class LSTM(_RNNBase):
    """Long short-term memory (LSTM) along a sequence."""
    mode = 'LSTM'
    gates = 4


class GRU(_RNNBase):
    """Gated recurrent units (GRU) along a sequence."""
    mode = 'GRU'
    gates = 3


class _CellBase(nn.Module):
    __module__ = "torch.nn.modules.rnn"
    gates = 1

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = self.gates * hidden_size
        self.weight_ih = nn.Parameter(torch.empty((rows, input_size), dtype=dtype))
        self.weight_hh = nn.Parameter(torch.empty((rows, hidden_size), dtype=dtype))
        if bias:
            self.bias_ih = nn.Parameter(torch.empty(rows, dtype=dtype))
            self.bias_hh = nn.Parameter(torch.empty(rows, dtype=dtype))
        else:
            self.register_parameter('bias_ih', None)
            self.register_parameter('bias_hh', None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            nn.init.uniform_(weight, -bound, bound)

    def extra_repr(self):
        text = f'{self.input_size}, {self.hidden_size}'
        return text + nn._options(self, bias=True, nonlinearity='tanh')

    def _stepped(self, input, hidden, step, count):
        if input.dim() not in (1, 2):
            raise ValueError(f'{type(self).__name__}: Expected input to be 1D or 2D, got {input.dim()}D instead')
        alone = input.dim() == 1
        x = input.unsqueeze(0) if alone else input
        if hidden is None:
            hidden = tuple(torch.zeros(x.size(0), self.hidden_size, dtype=x.dtype) for _ in range(count))
        elif alone:
            hidden = tuple(h.unsqueeze(0) for h in hidden)
        if x.size(1) != self.input_size:
            raise RuntimeError(f'input has inconsistent input_size: got {x.size(1)} expected {self.input_size}')
        for k, h in enumerate(hidden):
            if h.dim() != 2:
                raise RuntimeError(f'Expected 2D hidden{k} (batch x hidden_size), but got {h.dim()}D tensor')
            if x.size(0) != h.size(0):
                raise RuntimeError(f"Input batch size {x.size(0)} doesn't match hidden{k} batch size {h.size(0)}")
            if h.size(1) != self.hidden_size:
                raise RuntimeError(f'hidden{k} has inconsistent hidden_size: got {h.size(1)}, expected {self.hidden_size}')
        state = step(F.linear(x, self.weight_ih, self.bias_ih), hidden, self.weight_hh.t(), self.bias_hh, None)
        return tuple(h.squeeze(0) for h in state) if alone else state


class RNNCell(_CellBase):
    """One step of a simple recurrent network: h′ = tanh(W x + b + U h + c)."""

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity='tanh', device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        if self.nonlinearity not in ('tanh', 'relu'):
            raise RuntimeError(f'Unknown nonlinearity: {self.nonlinearity}')
        step = _tanh_step if self.nonlinearity == 'tanh' else _relu_step
        return self._stepped(input, None if hx is None else (hx,), step, 1)[0]


class LSTMCell(_CellBase):
    """One step of an LSTM."""
    gates = 4

    def forward(self, input, hx=None):
        return self._stepped(input, hx, _lstm_step, 2)


class GRUCell(_CellBase):
    """One step of a GRU."""
    gates = 3

    def forward(self, input, hx=None):
        return self._stepped(input, None if hx is None else (hx,), _gru_step, 1)[0]
