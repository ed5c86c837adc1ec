"""tqdm: progress bars, which are accepted but not drawn."""


class tqdm:
    def __init__(self, iterable=None, desc=None, total=None, **options):
        self.iterable = iterable
        self.total = total
        self.n = 0

    def __iter__(self):
        for item in self.iterable:
            yield item
            self.n += 1

    def __len__(self):
        return self.total if self.iterable is None else len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def update(self, n=1):
        self.n += n

    def set_description(self, desc=None, refresh=True):
        return None

    def set_postfix(self, ordered_dict=None, refresh=True, **values):
        return None

    def close(self):
        return None

    @staticmethod
    def write(s, file=None, end="\n"):
        print(s, end=end)


def trange(*args, **options):
    return tqdm(range(*args), **options)
