"""Mutations of expressions: arithmetic, comparison, logic, bound, offset, cut."""

import re

from expressions import arguments, callee, is_binary, left_operand, primary_start, right_operand
from kinds_facts import CLASSES

ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|"}
COMPARISON = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
LOGIC = {"&&": "||", "||": "&&"}
ASSIGNMENT = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "&=": "|=", "|=": "&="}
# A name that says where something lies, such that 0 is another place.
PLACE = re.compile(r"(\w+_)?(row|column|begin|start|offset|first|image|batch|plane|channel|axis|part|piece|index|i|j|k"
                   r"|position|lane|outer|inner|chunk|block|slot|edge)_?$")


def find(file):
    yield from binary_operators(file)
    yield from assignments(file)
    yield from negations(file)
    yield from literals(file)
    yield from places(file)
    yield from constants(file)
    yield from extremes(file)


def binary_operators(file):
    tokens = file.tokens
    for i, token in enumerate(tokens):
        if not token.code or not is_binary(token):
            continue
        first, last = left_operand(tokens, i), right_operand(tokens, i)
        if not first < i < last - 1:
            continue
        left, right = file.slice(first, i), file.slice(i + 1, last)
        if len(left) + len(right) > 300 or '"' in left + right:
            continue
        for kind, table in (("arithmetic", ARITHMETIC), ("comparison", COMPARISON), ("logic", LOGIC)):
            if token.text in table:
                form = "truth" if kind == "logic" else "value"
                yield file.site(kind, first, last, f"{left} {table[token.text]} {right}", form)
        if token.text in "+-":
            yield file.site("offset", first, last, left)
        if token.text in LOGIC:
            yield file.site("logic", first, last, right, "truth")
            yield file.site("logic", first, last, left, "truth")


def assignments(file):
    for i, token in enumerate(file.tokens):
        if token.code and token.text in ASSIGNMENT and token.binary:
            first, last = i, i
            while file.tokens[first - 1].parent == token.parent and file.tokens[first - 1].text not in ";{},)" \
                    or file.tokens[first - 1].partner > 0 and file.tokens[first - 1].text in "])" \
                    and file.tokens[first - 1].partner < first - 1 and not file.tokens[first].spaced_before:
                first -= 1
            while file.tokens[last].text != ";" and last + 1 != file.tokens[token.parent].partner \
                    and not (file.tokens[last].text == "," and file.tokens[last].parent == token.parent):
                last += 1
            last += file.tokens[last].text not in (";", ",")
            if first < i and "[&" not in file.slice(first, last):
                left, right = file.slice(first, i), file.slice(i + 1, last)
                yield file.site("arithmetic", first, last, f"{left} {ASSIGNMENT[token.text]} {right}", "statement")


def negations(file):
    """A dropped `!`, and a guard that is never or always taken."""
    tokens = file.tokens
    for i, token in enumerate(tokens):
        if token.code and token.text == "!" and not token.spaced_after:
            last = i + 1
            while tokens[last].text in ("::", ".", "->") or tokens[last].kind == "word" or tokens[last].partner > last:
                last = max(last, tokens[last].partner) + 1
                if tokens[last].spaced_before or tokens[last].text in (")", "]", "}"):
                    break
            if last > i + 1:
                yield file.site("logic", i, last, file.slice(i + 1, last), "truth")
        if token.code and token.text in ("if", "while") and tokens[i + 1].text == "(":
            first, last = i + 2, tokens[i + 1].partner
            inside = [t for t in tokens[first:last] if t.parent == i + 1]
            if any(t.text in ("=", ";") for t in inside):
                continue
            yield file.site("logic", first, last, "false", "condition")


def literals(file):
    """A whole number that is one off; a fraction that is one off."""
    tokens = file.tokens
    for i, token in enumerate(tokens):
        if not token.code or token.kind != "number" or tokens[token.parent - 1].text in CLASSES:
            continue
        whole = re.fullmatch(r"(\d+)([uUlLzZ]*)", token.text)
        if whole:
            value, suffix = int(whole.group(1)), whole.group(2)
            yield file.site("bound", i, i + 1, f"{value + 1}{suffix}")
            if value > 0:
                yield file.site("bound", i, i + 1, f"{value - 1}{suffix}")
        elif re.fullmatch(r"\d+\.\d*(e-?\d+)?[fF]?", token.text):
            yield file.site("arithmetic", i, i + 1, f"{token.text} + 1")


def places(file):
    """Row 0 for every part, image 0 for every image: an argument or an index that says where becomes 0."""
    tokens = file.tokens
    for i, token in enumerate(tokens):
        if not token.code or token.kind != "word" or not PLACE.match(token.text):
            continue
        last, following = tokens[i - 1], tokens[i + 1]
        indexed = last.text == "[" and following.text == "]" and tokens[last.partner + 1].text not in ("(", "{", "<")
        called = last.text in ("(", ",") and following.text in (",", ")") and token.parent >= 0 \
            and tokens[token.parent].text == "(" and callee(tokens, token.parent) is not None
        factor = following.text == "*" and following.binary and last.text in ("+", "(", ",", "=") \
            or last.text == "*" and last.binary and following.text in ("+", ")", ",", ";")
        if indexed or called or factor:
            yield file.site("offset", i, i + 1, "0")


def constants(file):
    """A named limit that is one higher, or half."""
    tokens = file.tokens
    for i, token in enumerate(tokens):
        if token.code and token.text in file.constants and tokens[i - 1].text != "::" and tokens[i + 1].text not in "(<{[":
            if tokens[i - 1].text in ("&", "=") and tokens[i - 1].spaced_before != tokens[i - 1].spaced_after:
                continue  # captured
            yield file.site("cut", i, i + 1, f"{token.text} + 1")
            yield file.site("cut", i, i + 1, f"{token.text} / 2")


def extremes(file):
    """The smaller of two taken for the larger; a clamp forgotten."""
    tokens = file.tokens
    for i, token in enumerate(tokens):
        if token.text != "(" or not token.code or token.partner < 0 or not tokens[token.partner].code:
            continue
        name = callee(tokens, i)
        if name is None or tokens[name].text not in ("min", "max", "clamp", "Min", "Max"):
            continue
        given = arguments(tokens, i)
        first = primary_start(tokens, name)
        if tokens[name].text == "clamp" and len(given) == 3:
            yield file.site("cut", first, token.partner + 1, file.slice(*given[0]))
        elif len(given) == 2:
            for argument in given:
                yield file.site("cut", first, token.partner + 1, file.slice(*argument))
