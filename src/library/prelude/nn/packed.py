# torch.nn.utils.rnn: sequences of several lengths, padded to one or packed step by step.


class PackedSequence:
    """Sequences step by step: the first elements of all, the second of those that have one, and so on."""
    __module__ = "torch.nn.utils.rnn"

    def __init__(self, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None and sorted_indices is not None:
            unsorted_indices = invert_permutation(sorted_indices)
        self.data = data
        self.batch_sizes = batch_sizes
        self.sorted_indices = sorted_indices
        self.unsorted_indices = unsorted_indices

    def _fields(self):
        return ('data', 'batch_sizes', 'sorted_indices', 'unsorted_indices')

    def __iter__(self):
        return iter([getattr(self, name) for name in self._fields()])

    def __getitem__(self, index):
        return tuple(self)[index]

    def __len__(self):
        return 4

    def __repr__(self):
        return 'PackedSequence(' + ', '.join(f'{name}={getattr(self, name)!r}' for name in self._fields()) + ')'

    @property
    def is_cuda(self):
        return False

    def to(self, *args, **kwargs):
        return PackedSequence(self.data.to(*args, **kwargs), self.batch_sizes, self.sorted_indices, self.unsorted_indices)

    def cpu(self):
        return self

    def float(self):
        return self.to(torch.float32)

    def double(self):
        return self.to(torch.float64)


def invert_permutation(permutation):
    """Where each place of a permutation goes."""
    if permutation is None:
        return None
    places = torch.empty_like(permutation)
    places[permutation] = torch.arange(permutation.numel())
    return places


def _packed(rows, lengths, sorted_indices):
    """Packs rows, longest first: rows[k][t] is element t of sequence k."""
    if lengths[-1] <= 0:
        raise RuntimeError("Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0")
    sizes = [sum(1 for n in lengths if n > t) for t in range(lengths[0])]
    data = torch.cat([rows[:size, t] for t, size in enumerate(sizes)])
    return PackedSequence(data, torch.tensor(sizes), sorted_indices)


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Packs padded sequences, of which only `lengths` elements count."""
    if not isinstance(lengths, torch.Tensor):
        lengths = torch.as_tensor(lengths, dtype=torch.int64)
    sorted_indices = None
    if not enforce_sorted:
        lengths, sorted_indices = torch.sort(lengths, descending=True)
        input = input.index_select(0 if batch_first else 1, sorted_indices)
    rows = input if batch_first else input.transpose(0, 1)
    lengths = lengths.tolist()
    if len(lengths) != rows.size(0):
        raise RuntimeError(f"Expected `len(lengths)` to be equal to batch_size, but got {len(lengths)} (batch_size={rows.size(0)})")
    if any(a < b for a, b in zip(lengths, lengths[1:])):
        raise RuntimeError('`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability.')
    return _packed(rows, lengths, sorted_indices)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """Unpacks into padded sequences and their lengths."""
    sizes = sequence.batch_sizes.tolist()
    steps = len(sizes)
    if total_length is not None:
        if total_length < steps:
            raise ValueError(f'Expected total_length to be at least the length of the longest sequence in input, but got total_length={total_length} and max sequence length being {steps}')
        steps = total_length
    data, width = sequence.data, sizes[0]
    parts = list(data.split(sizes))
    missing = [width - size for size in sizes] + [width] * (steps - len(sizes))
    parts += [data[:0]] * (steps - len(sizes))
    rest = data.shape[1:]
    full = [torch.cat([part, torch.full((n, *rest), padding_value, dtype=data.dtype)]) if n else part for part, n in zip(parts, missing)]
    padded = torch.stack(full)
    padded = padded.transpose(0, 1) if batch_first else padded
    lengths = torch.tensor([sum(1 for size in sizes if size > k) for k in range(width)])
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(0 if batch_first else 1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices]
    return padded, lengths


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side='right'):
    """Stacks sequences of several lengths, the shorter ones padded."""
    if isinstance(sequences, torch.Tensor):
        sequences = sequences.unbind(0)
    elif not hasattr(sequences, '__iter__'):
        raise RuntimeError(f'pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}')
    sequences = list(sequences)
    if len(sequences) == 0:
        raise RuntimeError('received an empty list of sequences')
    if padding_side not in ('left', 'right'):
        raise RuntimeError(f'Expected padding_side to be one of left or right, but got {padding_side}.')
    longest = max(s.size(0) for s in sequences)
    rest = sequences[0].shape[1:]
    shape = (len(sequences), longest) if batch_first else (longest, len(sequences))
    padded = torch.full((*shape, *rest), padding_value, dtype=sequences[0].dtype)
    for k, s in enumerate(sequences):
        places = slice(0, s.size(0)) if padding_side == 'right' else slice(longest - s.size(0), longest)
        if batch_first:
            padded[k, places] = s
        else:
            padded[places, k] = s
    return padded


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """Cuts padded sequences to their lengths."""
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[:int(n)] for row, n in zip(rows, lengths)]


def pack_sequence(sequences, enforce_sorted=True):
    """Packs sequences of several lengths."""
    lengths = torch.as_tensor([s.size(0) for s in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    """Unpacks into a list of sequences."""
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)
