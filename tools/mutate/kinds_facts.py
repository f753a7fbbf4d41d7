"""Mutations of facts: accuracy classes, enumerators, and the texts of a row of the catalogue."""

import re

from expressions import arguments

CLASSES = {
    "Exact": ["Summation()"],
    "ExactIfReal": ["Exact()"],
    "Ulps": ["Exact()", "Composed()"],
    "Summation": ["Exact()", "Composed()"],
    "Composed": ["Exact()", "Summation()"],
    "Statistical": ["Exact()"],
}
ROW_TEXTS = {"signature", "attrs", "shape"}


def find(file):
    yield from classes(file)
    yield from enumerators(file)
    yield from row_texts(file)


def classes(file):
    tokens = file.tokens
    for i, token in enumerate(tokens):
        if not token.code or token.text not in CLASSES or tokens[i + 1].text != "(" or tokens[i - 1].text in (".", "->"):
            continue
        closing = tokens[i + 1].partner
        for mutated in CLASSES[token.text]:
            yield file.site("class", i, closing + 1, mutated)
        given = arguments(tokens, i + 1)
        if given and re.fullmatch(r"\d+", file.slice(*given[0])):
            rest = file.slice(given[0][1], closing + 1)
            yield file.site("class", i, closing + 1, f"{token.text}({2 * int(file.slice(*given[0]))}{rest}")


def enumerators(file):
    """The next enumerator of the same enumeration; of an error's code it is an exit."""
    tokens = file.tokens
    for i in range(2, len(tokens)):
        if not tokens[i].code or tokens[i - 1].text != "::" or tokens[i - 2].text not in file.enumerators:
            continue
        names = file.enumerators[tokens[i - 2].text]
        if tokens[i].text not in names or len(names) < 2:
            continue
        first = i - 2
        while tokens[first - 1].text == "::" and tokens[first - 2].kind == "word":
            first -= 2
        other = names[(names.index(tokens[i].text) + 1) % len(names)]
        kind = "exit" if tokens[i - 2].text in ("Code", "Outcome", "Gate") else "class"
        yield file.site(kind, first, i + 1, file.slice(first, i) + other)


def row_texts(file):
    """`.attrs = "…"` and the like: one text that says something else."""
    tokens = file.tokens
    for i in range(3, len(tokens) - 1):
        if (tokens[i].kind == "string" and tokens[i].code and tokens[i - 1].text == "=" and tokens[i - 3].text == "."
                and tokens[i - 2].text in ROW_TEXTS and tokens[i + 1].text in (",", "}")):
            kind = "attribute" if tokens[i - 2].text == "attrs" else "class" if tokens[i - 2].text == "shape" else "wiring"
            for changed in changed_texts(tokens[i - 2].text, tokens[i].text):
                yield file.site(kind, i, i + 1, changed)


def changed_texts(which, text):
    if which == "attrs":
        yield from swapped_words(text, "= true", "= false")
        yield from replaced(text, r"(?<=, )\w+(?=\])", None)  # a type that is no longer allowed
        yield from replaced(text, r"(?<== )\d+", lambda n: str(int(n) + 1))
        yield from replaced(text, r"(?<=>= )\d+", lambda n: str(int(n) + 1))
    elif which == "shape":
        yield from replaced(text, r"(?<=-> \[)\w+ ", "")
        yield from replaced(text, r"\b\d+\b", lambda n: str(int(n) + 1))
        sides = text.split("->")
        names = re.findall(r"\b[a-z]\b(?!\.)", sides[-1])
        if len(sides) == 2 and len(set(names)) > 1:
            yield sides[0] + "->" + sides[1].replace(names[-1], names[0])
    else:
        yield from replaced(text, r" stateful| commutative| aggregate| allows_uninitialized_input", "")
        yield from replaced(text, r" (?!(?:stateful|commutative|aggregate)\W)[a-z_]+(?=\"$)", "")  # a trait
        yield from replaced(text, r"(?<=: )ref ", "")


def swapped_words(text, one, other):
    if one in text:
        yield text.replace(one, other, 1)
    elif other in text:
        yield text.replace(other, one, 1)


def replaced(text, pattern, by):
    match = re.search(pattern, text)
    if not match:
        return
    if by is None:
        yield text[:match.start()].rstrip(", ") + text[match.end():]
    else:
        yield text[:match.start()] + (by(match.group()) if callable(by) else by) + text[match.end():]
