#!/usr/bin/env python3
"""Prints every place of an op's life, a line each: row, rules, kernels, what these stand on, formula, tests."""
import re
import signal
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


def kernel_places(op, topic):
    """Where the op is named; in a tree that does not name it, the file of its topic, which makes it of a formula."""
    for what, tree, ends in (("reference", "reference/ops", [".cc"]),
                             ("formula", "fastpath/formulas", ["-inl.h", ".h"]),
                             ("cpu", "fastpath/cpu", [".cc"]), ("gpu", "fastpath/gpu", [".cu", ".cc"])):
        pattern = f"{tree}/**.h" if what == "formula" else f"{tree}/*/*{ends[0]}"
        places = [place for place in mentions(op, [pattern]) if "_test.cc" not in place and "/lib/" not in place]
        for place in places or tracked(*(f"{tree}/{topic}{end}" for end in ends)):
            yield what, place


# Where an op that is no kernel is carried out, by its row's kind: on the reference, on the fast path.
CALLS = {"kCall", "kSymbolicGradient", "kIf", "kCase", "kWhile"}


def executor_places(op, path, line):
    match = re.search(r"\.kind = OpKind::(\w+)", row_text(text_of(path), line))
    if not match:
        return
    kind = match[1]
    places = [("reference", "reference/step/step.cc", "Rule::" + ("kCall" if kind in CALLS else kind)),
              ("fast path", "fastpath/execute/worker.cc", f"NodeKind::{kind}")]
    if kind in CALLS:
        places[1] = ("fast path", "fastpath/compile/functions/inline_functions.cc", "void Expand(")
        places.append(("fast path", "fastpath/session/call_kernel.cc", "class CallKernel"))  # what is not inlined
        places.append(("reference", "reference/step/calls.cc", "BodyRun FirstBody"))
    if kind == "kWhile":
        places += [("reference", "reference/step/calls.cc", "> NextBody"),
                   ("fast path", "fastpath/compile/functions/inline_functions.cc", "Replacement Loop")]
    if kind in ("kSend", "kRecv"):
        places.append(("fast path", "fastpath/device/transfer.cc", f"class {kind[1:]} "))
    for what, source, text in places:
        found = re.search(re.escape(text) + r"(?![a-z])", text_of(source))
        if found:
            yield what, f"{source}:{line_of(text_of(source), found.start())}"


# What kernels stand on: the objects behind handles and the machinery of their tree, but not what all kernels use.
MACHINERY = re.compile(r'#include "((?:reference/(?:state|kernel|ops/lib)|fastpath/cpu/\w+)/[\w/-]+\.h)"')
COMMON = re.compile(r"/lib/(dispatch|parallel|printed|simd_targets|types|int_vector)\.h|/kernel/op_context\.h")


def machinery(kernels):
    paths = {place.partition(":")[0] for what, place in kernels if what in ("reference", "cpu")}
    for path in sorted(paths, reverse=True):
        for header in MACHINERY.findall(text_of(path)):
            if not COMMON.search(header):
                yield "uses", header


def test_places(op, topic):
    places = list(mentions(op, ["*_test.cc"]))
    named = {place.partition(":")[0] for place in places}
    trees = ("spec/ops", "reference/ops", "fastpath/cpu", "fastpath/gpu")
    of_topic = tracked(*(f"{tree}/{topic}_test.cc" for tree in trees))
    for place in [*places, *(path for path in of_topic if path not in named)]:
        yield "test", place


def main():
    ops = catalogue()
    if len(sys.argv) != 2 or sys.argv[1] not in ops:
        name = sys.argv[1] if len(sys.argv) > 1 else ""
        if re.search(rf"^{re.escape(name)}\(", text_of("spec/ops/testdata/signatures.txt"), re.M):
            print(f"{name} is an op of TensorFlow that has no row here", file=sys.stderr)
            return 2
        near = ", ".join(sorted(op for op in ops if name and name.lower() in op.lower())[:8])
        print(f"usage: ./dev where OP; the catalogue has no op '{name}'{'; there are: ' + near if near else ''}",
              file=sys.stderr)
        return 2
    op = sys.argv[1]
    topic, path, line = ops[op]
    print(f"{'topic':14}{topic}")
    kernels = list(kernel_places(op, topic))
    rules = list(executor_places(op, path, line))
    for what, place in [*spec_places(op, path, line), *rules, *kernels, *machinery(kernels), *test_places(op, topic)]:
        print(f"{what:14}{place}")
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # whoever reads may have read enough
    sys.exit(main())
