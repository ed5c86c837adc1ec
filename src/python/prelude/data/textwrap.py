"""textwrap: text in lines of a width."""


def dedent(text):
    lines = text.split("\n")
    lines = ["" if not line.strip() else line for line in lines]
    margin = None
    for line in lines:
        if line:
            indent = line[: len(line) - len(line.lstrip(" \t"))]
            if margin is None:
                margin = indent
            while not indent.startswith(margin):
                margin = margin[:-1]
    margin = margin or ""
    return "\n".join([line[len(margin) :] for line in lines])


def indent(text, prefix, predicate=None):
    def marked(line):
        return predicate(line) if predicate is not None else line.strip()

    return "".join([prefix + line if marked(line) else line for line in text.splitlines(True)])


def wrap(text, width=70, initial_indent="", subsequent_indent="", break_long_words=True, **options):
    words = text.expandtabs().split()
    lines = []
    line = initial_indent
    empty = True
    for word in words:
        while True:
            room = width - len(line) - (0 if empty else 1)
            if len(word) <= room:
                line += word if empty else " " + word
                empty = False
                break
            if empty and not break_long_words:
                line += word
                empty = False
                break
            if empty:
                line += word[: max(room, 1)]
                word = word[max(room, 1) :]
            lines.append(line)
            line = subsequent_indent
            empty = True
    return lines + [line] if not empty else lines


def fill(text, width=70, **options):
    return "\n".join(wrap(text, width, **options))


def shorten(text, width, placeholder=" [...]"):
    words = text.split()
    if len(" ".join(words)) <= width:
        return " ".join(words)
    while words and len(" ".join(words)) + len(placeholder) > width:
        words.pop()
    return " ".join(words) + placeholder if words else placeholder.lstrip()
