"""csv: rows of text with separators."""

QUOTE_MINIMAL = 0
QUOTE_ALL = 1
QUOTE_NONNUMERIC = 2
QUOTE_NONE = 3


class Error(Exception):
    pass


class _Dialect:
    def __init__(self, dialect="excel", delimiter=None, quotechar='"', lineterminator=None, quoting=QUOTE_MINIMAL, skipinitialspace=False, doublequote=True, escapechar=None, strict=False):
        self.delimiter = delimiter or ("\t" if dialect == "excel-tab" else ",")
        self.quotechar = quotechar
        self.lineterminator = lineterminator or ("\n" if dialect == "unix" else "\r\n")
        self.quoting = QUOTE_ALL if dialect == "unix" else quoting
        self.skipinitialspace = skipinitialspace
        self.doublequote = doublequote
        self.escapechar = escapechar


class _Reader:
    def __init__(self, lines, dialect):
        self.dialect = dialect
        self.line_num = 0
        self._lines = iter(lines)

    def __iter__(self):
        return self

    def _line(self):
        line = next(self._lines)
        self.line_num += 1
        return line

    def __next__(self):
        d = self.dialect
        line = self._line()
        if d.quotechar is None or d.quotechar not in line and not d.escapechar:
            line = line.rstrip("\r\n")
            fields = line.split(d.delimiter) if line else []
            if d.skipinitialspace:
                fields = [f.lstrip(" ") for f in fields]
            plain = [True] * len(fields)
        else:
            fields, plain = self._quoted(line)
        if d.quoting == QUOTE_NONNUMERIC:
            return [float(f) if p else f for f, p in zip(fields, plain)]
        return fields

    def _quoted(self, line):
        d = self.dialect
        fields, plain, field, quoted, inside, k = [], [], "", False, False, 0
        while True:
            if k >= len(line):
                if not inside:
                    break
                try:
                    line, k = self._line(), 0
                except StopIteration:
                    break
                continue
            c = line[k]
            k += 1
            if c == d.escapechar:
                field += line[k : k + 1]
                k += 1
            elif inside:
                if c != d.quotechar:
                    field += c
                elif d.doublequote and line[k : k + 1] == c:
                    field += c
                    k += 1
                else:
                    inside = False
            elif c == d.quotechar and not field and not quoted:
                inside = quoted = True
            elif c == d.delimiter:
                fields.append(field)
                plain.append(not quoted)
                field, quoted = "", False
            elif c in "\r\n":
                break
            elif not (c == " " and d.skipinitialspace and not field and not quoted):
                field += c
        return fields + [field], plain + [not quoted]


class _Writer:
    def __init__(self, file, dialect):
        self.dialect = dialect
        self._file = file

    def writerow(self, row):
        if not hasattr(row, "__iter__"):
            raise Error(f"iterable expected, not {type(row).__name__}")
        texts = [self._text(value) for value in row]
        if texts == [""] and self.dialect.quoting != QUOTE_NONE:
            texts = [self.dialect.quotechar * 2]
        return self._file.write(self.dialect.delimiter.join(texts) + self.dialect.lineterminator)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)

    def _text(self, value):
        d = self.dialect
        text = "" if value is None else str(value)
        needs = d.quoting == QUOTE_ALL
        needs = needs or d.quoting == QUOTE_NONNUMERIC and not isinstance(value, (int, float))
        special = [d.delimiter, d.quotechar or "", "\r", "\n"]
        special = [c for c in special if c and c in text]
        if d.quoting == QUOTE_NONE:
            if special and d.escapechar is None:
                raise Error("need to escape, but no escapechar set")
            for c in special:
                text = text.replace(c, d.escapechar + c)
            return text
        if not (needs or special):
            return text
        return d.quotechar + text.replace(d.quotechar, d.quotechar * 2) + d.quotechar


def reader(csvfile, dialect="excel", **options):
    return _Reader(csvfile, _Dialect(dialect, **options))


def writer(csvfile, dialect="excel", **options):
    return _Writer(csvfile, _Dialect(dialect, **options))


class DictReader:
    __module__ = "csv"

    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", **options):
        self.reader = reader(f, dialect, **options)
        self._names = fieldnames
        self.restkey = restkey
        self.restval = restval

    @property
    def line_num(self):
        return self.reader.line_num

    @property
    def fieldnames(self):
        if self._names is None:
            self._names = next(self.reader, None)
        return self._names

    def __iter__(self):
        return self

    def __next__(self):
        names = self.fieldnames
        row = next(self.reader)
        while row == []:
            row = next(self.reader)
        made = dict(zip(names, row))
        if len(row) > len(names):
            made[self.restkey] = row[len(names) :]
        for name in names[len(row) :]:
            made[name] = self.restval
        return made


class DictWriter:
    __module__ = "csv"

    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", **options):
        self.fieldnames = fieldnames
        self.restval = restval
        self.extrasaction = extrasaction
        self.writer = writer(f, dialect, **options)

    def writeheader(self):
        return self.writerow(dict(zip(self.fieldnames, self.fieldnames)))

    def writerow(self, rowdict):
        wrong = [repr(k) for k in rowdict if k not in self.fieldnames]
        if wrong and self.extrasaction == "raise":
            raise ValueError("dict contains fields not in fieldnames: " + ", ".join(wrong))
        return self.writer.writerow([rowdict.get(n, self.restval) for n in self.fieldnames])

    def writerows(self, rowdicts):
        for row in rowdicts:
            self.writerow(row)
