"""io: text streams in memory."""


class StringIO:
    __module__ = "_io"

    def __init__(self, initial_value="", newline=None):
        self._text = initial_value

    def write(self, text):
        self._text += text
        return len(text)

    def getvalue(self):
        return self._text

    def read(self):
        return self._text

    def flush(self):
        pass

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None
