"""io: streams in memory."""

from io import _absent


class _Stream:
    def __init__(self):
        self._at = 0

    def seek(self, offset, whence=0, /):
        self._at = offset if whence == 0 else self._end() if whence == 2 else self._at
        return self._at

    def tell(self):
        return self._at

    def flush(self):
        pass

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


class _Text(_Stream):
    """Text that is read and written at a place."""

    def _end(self):
        return len(self._text)

    def _kept(self, text):
        self._text = text

    def write(self, text, /):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._kept(self._text[: self._at] + text + self._text[self._at + len(text) :])
        self._at += len(text)
        return len(text)

    def writelines(self, lines, /):
        for line in lines:
            self.write(line)

    def read(self, size=-1, /):
        end = self._end() if size is None or size < 0 else self._at + size
        text = self._text[self._at : end]
        self._at += len(text)
        return text

    def readline(self, size=-1, /):
        end = self._text.find("\n", self._at) + 1
        return self.read((end or self._end()) - self._at)

    def readlines(self, hint=-1, /):
        return list(self)

    def __iter__(self):
        line = self.readline()
        while line:
            yield line
            line = self.readline()


class StringIO(_Text):
    __module__ = "_io"

    def __init__(self, initial_value="", newline=None):
        super().__init__()
        self._text = initial_value or ""

    def getvalue(self):
        return self._text


class _Objects(_Stream):
    """What torch.save and pickle.dump wrote, one after the other."""

    def _end(self):
        return len(self._saved)

    def write(self, saved, /):
        if not hasattr(saved, "_pickled"):
            raise TypeError(f"a bytes-like object is required, not '{type(saved).__name__}'")
        self._saved[self._at :] = [saved]
        self._at += 1

    def read(self, size=-1, /):
        if self._at >= len(self._saved):
            raise EOFError("Ran out of input")
        self._at += 1
        return self._saved[self._at - 1]


class BytesIO(_Objects):
    __module__ = "_io"

    def __init__(self, initial_bytes=None):
        super().__init__()
        if isinstance(initial_bytes, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        self._saved = [] if initial_bytes is None else [initial_bytes]

    def getvalue(self):
        return self._saved[0]

    def getbuffer(self):
        return self._saved[0]


class _TextFile(_Text):
    __module__ = "_io"

    def __init__(self, name, full, mode):
        import os

        super().__init__()
        self.name = name
        self.mode = mode
        self.closed = False
        self._full = full
        self._files = os._files
        self._text = "" if "w" in mode or "x" in mode else self._files.get(full, "")
        if mode[0] != "r":
            self._kept(self._text)
        if "a" in mode:
            self._at = len(self._text)

    def _kept(self, text):
        self._text = text
        self._files[self._full] = text

    def close(self):
        self.closed = True

    def __exit__(self, *error):
        self.close()


class _ObjectFile(_Objects):
    __module__ = "_io"

    def __init__(self, name, full, mode):
        import os

        super().__init__()
        self.name = name
        if "w" in mode:
            os._files[full] = []
        self._saved = os._files[full]


def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, **options):
    import os

    name = os.fspath(file)
    full = os._full(name)
    if mode[0] not in "rwax":
        raise ValueError(f"invalid mode: {mode!r}")
    if mode[0] == "r" and full not in os._files or os.path.dirname(full) not in os._folders:
        _absent(name)
    if mode[0] == "x" and full in os._files:
        raise FileExistsError(17, "File exists", name)
    return (_ObjectFile if "b" in mode else _TextFile)(name, full, mode)
