# torch.utils.data: data sets, and loaders that bring their items together in batches.


class Dataset:
    """Items by index; a subclass defines __getitem__ and __len__."""
    __module__ = "torch.utils.data.dataset"

    @classmethod
    def __class_getitem__(cls, kind):
        return cls

    def __getitem__(self, index):
        raise NotImplementedError('Subclasses of Dataset should implement __getitem__.')

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    """Items in sequence; a subclass defines __iter__."""
    __module__ = "torch.utils.data.dataset"

    def __iter__(self):
        raise TypeError(f"Can't instantiate abstract class {type(self).__name__} with abstract method __iter__")


class TensorDataset(Dataset):
    """Tensors in parallel: item k holds row k of each."""
    __module__ = "torch.utils.data.dataset"

    def __init__(self, *tensors):
        if any(tensors[0].size(0) != tensor.size(0) for tensor in tensors):
            raise AssertionError('Size mismatch between tensors')
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return self.tensors[0].size(0)


def _items(dataset, numbers):
    """Several items, all at once where the data set gives them so."""
    at_once = getattr(dataset, '__getitems__', None)
    return at_once(numbers) if at_once else [dataset[k] for k in numbers]


class Subset(Dataset):
    """A subset of a data set."""
    __module__ = "torch.utils.data.dataset"

    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx):
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices):
        return _items(self.dataset, [self.indices[i] for i in indices])

    def __len__(self):
        return len(self.indices)


class ConcatDataset(Dataset):
    """Several data sets joined into one."""
    __module__ = "torch.utils.data.dataset"

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if len(self.datasets) == 0:
            raise AssertionError('datasets should not be an empty iterable')
        self.cumulative_sizes = []
        total = 0
        for dataset in self.datasets:
            total += len(dataset)
            self.cumulative_sizes.append(total)

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx):
        if idx < 0:
            if -idx > len(self):
                raise ValueError('absolute value of index should not exceed dataset length')
            idx += len(self)
        before = 0
        for dataset, end in zip(self.datasets, self.cumulative_sizes):
            if idx < end:
                return dataset[idx - before]
            before = end
        raise IndexError('list index out of range')


def random_split(dataset, lengths, generator=None):
    """Splits a data set at random into parts of given sizes or fractions."""
    lengths = list(lengths)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        fractions = lengths
        for k, part in enumerate(fractions):
            if part < 0 or part > 1:
                raise ValueError(f'Fraction at index {k} is not between 0 and 1')
        lengths = [math.floor(len(dataset) * part) for part in fractions]
        for k in range(len(dataset) - sum(lengths)):
            lengths[k % len(lengths)] += 1
    if sum(lengths) != len(dataset):
        raise ValueError('Sum of input lengths does not equal the length of the input dataset!')
    order = torch.randperm(sum(lengths), generator=generator).tolist()
    parts = []
    begin = 0
    for length in lengths:
        parts.append(Subset(dataset, order[begin:begin + length]))
        begin += length
    return parts


class Sampler:
    """Indices of items in some order."""
    __module__ = "torch.utils.data.sampler"

    @classmethod
    def __class_getitem__(cls, kind):
        return cls

    def __init__(self, data_source=None):
        self.data_source = data_source


class SequentialSampler(Sampler):
    """The indices of all items, in order."""

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler):
    """The indices of all items in random order, or a given number drawn with replacement."""

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            raise TypeError(f'replacement should be a boolean value, but got replacement={replacement}')
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f'num_samples should be a positive integer value, but got num_samples={self.num_samples}')

    @property
    def num_samples(self):
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        n, wanted = len(self.data_source), self.num_samples
        generator = torch.random._fork() if self.generator is None else self.generator
        drawn = []
        if self.replacement:
            for _ in range(wanted // 32):
                drawn += torch.randint(n, (32,), generator=generator).tolist()
            drawn += torch.randint(n, (wanted % 32,), generator=generator).tolist()
        else:
            for _ in range(wanted // n):
                drawn += torch.randperm(n, generator=generator).tolist()
            drawn += torch.randperm(n, generator=generator).tolist()[:wanted % n]
        return iter(drawn)

    def __len__(self):
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """The given indices in random order."""

    def __init__(self, indices, generator=None):
        self.indices = indices
        self.generator = generator

    def __iter__(self):
        return iter([self.indices[i] for i in torch.randperm(len(self.indices), generator=self.generator).tolist()])

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """Indices drawn with given weights."""

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        self.weights = torch.as_tensor(weights, dtype=torch.double)
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self):
        return iter(torch.multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator).tolist())

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    """Indices in batches."""

    def __init__(self, sampler, batch_size, drop_last):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f'batch_size should be a positive integer value, but got batch_size={batch_size}')
        if not isinstance(drop_last, bool):
            raise ValueError(f'drop_last should be a boolean value, but got drop_last={drop_last}')
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        return _Chunks(self.sampler, self.batch_size, self.drop_last)

    def __len__(self):
        if self.drop_last:
            return len(self.sampler) // self.batch_size
        return (len(self.sampler) + self.batch_size - 1) // self.batch_size


class _Chunks:
    """Batches of items, drawn from the source on demand."""

    def __init__(self, source, size, drop_last):
        self._source = source
        self._items = None
        self._size = size
        self._drop_last = drop_last

    def __iter__(self):
        return self

    def __next__(self):
        if self._items is None:
            self._items = iter(self._source)
        batch = []
        while len(batch) < self._size:
            item = next(self._items, _END)
            if item is _END:
                break
            batch.append(item)
        if not batch or (self._drop_last and len(batch) < self._size):
            raise StopIteration
        return batch


_END = ['end']


def default_collate(batch):
    """Combines items into a batch: stacks tensors, puts numbers in a tensor, and treats tuples and dicts part by part."""
    first = batch[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(batch, 0)
    if type(first).__module__ == 'numpy':
        return default_collate([torch.as_tensor(item) for item in batch])
    if isinstance(first, float):
        return torch.tensor(batch, dtype=torch.float64)
    if isinstance(first, int):
        return torch.tensor(batch)
    if isinstance(first, str):
        return batch
    if isinstance(first, dict):
        return {key: default_collate([item[key] for item in batch]) for key in first}
    if isinstance(first, (list, tuple)):
        if not all(len(item) == len(first) for item in batch):
            raise RuntimeError('each element in list of batch should be of equal size')
        parts = [default_collate(part) for part in zip(*batch)]
        return tuple(parts) if hasattr(first, '_fields') else parts
    raise TypeError(f'default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {type(first)}')


class DataLoader:
    """Batches of a data set, in order or shuffled."""
    __module__ = "torch.utils.data.dataloader"

    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None, *, prefetch_factor=None, persistent_workers=False, pin_memory_device='', in_order=True):
        self.dataset = dataset
        self.num_workers = num_workers
        self.pin_memory = pin_memory
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        if num_workers < 0:
            raise ValueError('num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.')
        one_by_one = isinstance(dataset, IterableDataset)
        if one_by_one and shuffle:
            raise ValueError(f'DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle={shuffle}')
        if sampler is not None and shuffle:
            raise ValueError('sampler option is mutually exclusive with shuffle')
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError('batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last')
            batch_size = None
            drop_last = False
        elif batch_size is None and drop_last:
            raise ValueError('batch_size=None option disables auto-batching and is mutually exclusive with drop_last')
        if sampler is None and not one_by_one:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None and not one_by_one:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        self._one_by_one = one_by_one
        self._batched = batch_sampler is not None or (one_by_one and batch_size is not None)
        self.collate_fn = collate_fn if collate_fn is not None else default_collate if self._batched else default_convert

    def __iter__(self):
        return _Batches(self)

    def __len__(self):
        if self._one_by_one:
            count = len(self.dataset)
            if self.batch_size is None:
                return count
            return count // self.batch_size if self.drop_last else math.ceil(count / self.batch_size)
        return len(self.batch_sampler if self._batched else self.sampler)


def default_convert(data):
    """Makes tensors of NumPy's arrays and numbers, in lists, tuples and dicts too."""
    if isinstance(data, (np.ndarray, np.generic)):
        return torch.as_tensor(data)
    if isinstance(data, dict):
        return {name: default_convert(part) for name, part in data.items()}
    if isinstance(data, tuple) and hasattr(data, '_fields'):
        return type(data)(*(default_convert(part) for part in data))
    if isinstance(data, (list, tuple, range)):
        return [default_convert(part) for part in data]
    return data


class _Batches:
    """An iterator over the batches of a loader."""
    __module__ = "torch.utils.data.dataloader"

    def __init__(self, loader):
        self._loader = loader
        if loader._one_by_one:
            size = loader.batch_size
            self._numbers = iter(loader.dataset) if size is None else _Chunks(loader.dataset, size, loader.drop_last)
        else:
            self._numbers = None
        # PyTorch draws a seed for its workers, also where there are none.
        torch.empty((), dtype=torch.float64).random_(generator=loader.generator)

    def __iter__(self):
        return self

    def __len__(self):
        return len(self._loader)

    def __next__(self):
        loader = self._loader
        if self._numbers is None:
            self._numbers = iter(loader.batch_sampler if loader._batched else loader.sampler)
        numbers = next(self._numbers)
        if loader._one_by_one:
            items = numbers
        elif loader._batched:
            items = _items(loader.dataset, numbers)
        else:
            items = loader.dataset[numbers]
        return loader.collate_fn(items)


def get_worker_info():
    """None: batches are made by the program itself."""
    return None
