#!/usr/bin/env python3
"""Prints every place of an op's life, a line each: row, rules, kernels, formula, tests, recorded cases."""
import re
import sys

from op_sources import ROOT, catalogue, line_of, text_of, tracked


def row_text(text, line):
    """The row that begins at this line, to the end of its braces."""
    start = sum(len(part) + 1 for part in text.split("\n")[:line - 1])
    begin = text.index("{", start)
    depth = 0
    quoted = re.compile(r'"(?:\\.|[^"\\])*"')
    at = begin
    while at < len(text):
        literal = quoted.match(text, at)
        if literal:
            at = literal.end()
            continue
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            break
    return text[begin:at]


def definition(path, name):
    match = re.search(rf"^[\w:<>*& ]+\b{name}\(", text_of(path), re.M)
    return f"{path}:{line_of(text_of(path), match.start())}" if match else None


def spec_places(op, path, line):
    yield "row", f"{path}:{line}"
    row = row_text(text_of(path), line)
    for what, column in (("shapes", "shape_fn"), ("gradient", "gradient"), ("known values", "fold")):
        match = re.search(rf"\.{column} = (?:From\w+\()?(\w+)", row)
        if match:
            place = definition(path, match[1]) or definition("spec/ops/shape_helpers.cc", match[1])
            if place:
                yield what, place
    if ".samples" in row:
        yield "samples", f"{path}:{line + row[:row.index('.samples')].count(chr(10))}"


def mentions(op, patterns):
    """The first place in each file that names the op, as a text or as a line of formulas."""
    literal = re.compile(rf'"{re.escape(op)}"|^PLUMB_(?:UNARY|BINARY)\({re.escape(op)},', re.M)
    for path in tracked(*patterns):
        text = text_of(path)
        match = literal.search(text)
        if match:
            yield f"{path}:{line_of(text, match.start())}"


def kernel_places(op):
    for what, pattern in (("reference", "reference/ops/*/*.cc"), ("formula", "fastpath/formulas/**.h"),
                          ("cpu", "fastpath/cpu/*/*.cc"), ("gpu", "fastpath/gpu/*/*.cu")):
        for place in mentions(op, [pattern]):
            if "_test.cc" not in place and "/lib/" not in place:
                yield what, place


def test_places(op):
    for place in mentions(op, ["*_test.cc"]):
        yield "test", place


def main():
    ops = catalogue()
    if len(sys.argv) != 2 or sys.argv[1] not in ops:
        name = sys.argv[1] if len(sys.argv) > 1 else ""
        near = ", ".join(sorted(op for op in ops if name and name.lower() in op.lower())[:8])
        print(f"usage: ./dev where OP; the catalogue has no op '{name}'{'; there are: ' + near if near else ''}",
              file=sys.stderr)
        return 2
    op = sys.argv[1]
    topic, path, line = ops[op]
    print(f"{'topic':14}{topic}")
    for what, place in [*spec_places(op, path, line), *kernel_places(op), *test_places(op)]:
        print(f"{what:14}{place}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
