"""Mutations of statements and calls: statement, lock, wiring, attribute, exit."""

import re

from expressions import CONTROL, arguments, callee, is_declarator, primary_start, statements
from regions import starts_declaration

# Which code a failure has: the neighbour that could be meant.
MAKERS = {"InvalidArgument": "OutOfRange", "NotFound": "FailedPrecondition", "AlreadyExists": "InvalidArgument",
          "FailedPrecondition": "InvalidArgument", "OutOfRange": "InvalidArgument", "Unimplemented": "Internal",
          "Internal": "InvalidArgument", "Cancelled": "Internal", "DataLoss": "OutOfRange",
          "ResourceExhausted": "InvalidArgument"}
# Their arguments may be exchanged, or are for people.
SYMMETRIC = {"min", "max", "Min", "Max", "Add", "Mul", "And", "Or", "Xor", "swap", "Eq", "Ne", "Str", "Require", "Hash",
             "Same", "SameElement", "SameFeeds", "AddSizes", "MultiplySizes",
             "FusedMultiplyAdd", "Allocate", "is_same_v", "isnan"}
PORTS = re.compile(r"\w*([iI]nputs?|[oO]utputs?|InputType|OutputType|[pP]ort|AllocateOutput|SetOutput|Forward\w*)$")
# A section under a lock of its own; of MutexLockIf the second argument says whether there are other threads at all.
LOCKS = re.compile(r"(const )?(std::(lock_guard|scoped_lock)(<[^()]*>)? \w+\([^,]*\)|MutexLock \w+\([^,]*\)"
                   r"|MutexLockIf \w+\([^,]*, [^,]*\))$")
LEAVES = {"return", "throw", "break", "continue", "goto", "co_return", "using", "case", "default", "delete", "static_assert"}


def find(file):
    yield from removed_statements(file)
    yield from ports(file)
    yield from swapped_arguments(file)
    yield from attributes(file)
    yield from exits(file)


def removed_statements(file):
    tokens = file.tokens
    for first, semicolon in statements(tokens):
        text = file.slice(first, semicolon)
        if LOCKS.match(text):
            yield file.site("lock", first, semicolon, "", "lock")
            continue
        if tokens[first].text in LEAVES | CONTROL or len(text) > 300 or starts_declaration(tokens, first):
            continue
        acts = any(t.text.endswith("=") and t.kind == "sign" and t.parent == tokens[first].parent or t.text == "("
                   for t in tokens[first:semicolon])
        if acts and tokens[first].code and not re.search(r"\[[&=]?\w*\] ?[({]|\[&", text):
            yield file.site("statement", first, semicolon, "", "statement")


def calls(file):
    """(name, parenthesis, arguments) of the calls that run."""
    for i, token in enumerate(file.tokens):
        if token.text == "(" and token.code and token.partner > i + 1 and file.tokens[token.partner].code:
            name = callee(file.tokens, i)
            if name is not None and file.tokens[name].code:
                yield name, i, arguments(file.tokens, i)


def ports(file):
    """input(0) for input(1); the wrong output."""
    for name, _, given in calls(file):
        if not PORTS.match(file.tokens[name].text):
            continue
        for first, last in given:
            text = file.slice(first, last)
            if last == first + 1 and re.fullmatch(r"\d", text):
                yield file.site("wiring", first, last, str(int(text) + 1))
                if text != "0":
                    yield file.site("wiring", first, last, str(int(text) - 1))


def swapped_arguments(file):
    """Two neighbouring arguments that look alike, exchanged."""
    for name, opening, given in calls(file):
        if file.tokens[name].text in SYMMETRIC | set(MAKERS) or is_declarator(file.tokens, name):
            continue
        first, last = primary_start(file.tokens, name), file.tokens[opening].partner + 1
        if file.tokens[first].parent != file.tokens[opening].parent \
                or is_member_initialiser(file.tokens, first):
            continue
        for one, other in zip(given, given[1:]):
            a, b = file.slice(*one), file.slice(*other)
            if a != b and looks(a) and looks(a) == looks(b) and last - first < 80:
                before, between = file.slice(first, opening + 1), file.text[
                    file.tokens[one[1] - 1].end:file.tokens[other[0]].start]
                head = file.text[file.tokens[opening].end:file.tokens[one[0]].start]
                tail = file.text[file.tokens[other[1] - 1].end:file.tokens[last - 1].end]
                yield file.site("wiring", first, last, f"{before}{head}{b}{between}{a}{tail}")


def is_member_initialiser(tokens, first):
    return tokens[first].parent < 0 or tokens[tokens[first].parent].text == "{" and not tokens[first].code


def looks(argument):
    """What an argument looks like: names of the same look are often of the same type."""
    for look, pattern in (("name", r"[a-z]\w*"), ("member", r"[a-z]\w*(\.|->)[a-z]\w*"), ("call", r"[\w.:>-]+\([^()]*\)"),
                          ("element", r"[a-z][\w.>-]*\[[^\]]*\]"), ("address", r"&\w+")):
        if re.fullmatch(pattern, argument):
            return look
    return ""


def attributes(file):
    """Another attribute of the same type than the one to be read; a switch read the wrong way round."""
    read = {}
    for name, opening, given in calls(file):
        if re.search(r"[aA]ttr(Or)?$", file.tokens[name].text):
            kind = file.slice(name, opening)
            for first, last in given[:2]:
                if last == first + 1 and file.tokens[first].kind == "string" and file.tokens[first].code:
                    read.setdefault(kind, []).append((name, opening, first))
    for kind, reads in read.items():
        names = sorted({file.tokens[first].text for _, _, first in reads})
        for name, opening, first in reads:
            here = file.tokens[first].text
            other = names[(names.index(here) + 1) % len(names)]
            yield file.site("attribute", first, first + 1, other if other != here else here[:-1] + '_"')
            if "<bool>" in kind:
                start = primary_start(file.tokens, name)
                call = file.slice(start, file.tokens[opening].partner + 1)
                if file.tokens[start].code:
                    yield file.site("attribute", start, file.tokens[opening].partner + 1, f"!{call}")


def exits(file):
    """Another answer, another exit code, another error."""
    tokens = file.tokens
    other = {"true": "false", "false": "true", "0": "1", "1": "0"}
    for i, token in enumerate(tokens):
        if token.code and token.text == "return" and tokens[i + 2].text == ";" and tokens[i + 1].text in other:
            yield file.site("exit", i + 1, i + 2, other[tokens[i + 1].text])
    for name, opening, given in calls_of_makers(file):
        call = file.slice(name, file.tokens[opening].partner + 1)
        if "\n" not in call or len(call) < 300:
            yield file.site("exit", name, file.tokens[opening].partner + 1, MAKERS[tokens[name].text] + call[len(tokens[name].text):])
    for name, _, given in calls(file):
        if tokens[name].text in ("_exit", "exit") and given and re.fullmatch(r"\d+|k\w+", file.slice(*given[0])):
            yield file.site("exit", *given[0], f"{file.slice(*given[0])} + 1")


def calls_of_makers(file):
    for i, token in enumerate(file.tokens):
        if token.text == "(" and token.code and file.tokens[i - 1].text in MAKERS and file.tokens[i - 1].code:
            if not is_declarator(file.tokens, i - 1) and token.partner > i + 1:
                yield i - 1, i, arguments(file.tokens, i)
