#!/usr/bin/env python3
"""Prints every place of an op's life, a line each: row, rules, kernels, what these stand on, formula, lines in lists,
recorded cases, bench rows, tests. "none" stands where an op may have something and has not."""
import functools
import gzip
import re
import signal
import sys

from op_sources import ROOT, TAKEN_APART, catalogue, known_ops, line_of, text_of, tracked


def row_text(text, line, first=""):
    """The row that begins at this line, of several that with this text, to the end of its braces."""
    start = sum(len(part) + 1 for part in text.split("\n")[:line - 1])
    begin = text.index("{" + first, start)
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


@functools.cache
def shared_sources():
    """Where rules stand that belong to no topic."""
    shared = [path for path in tracked("spec/ops/*.cc", "spec/ops/*.h") if path.count("/") == 2]
    return [*shared, "spec/graph/function_gradient.cc"]


@functools.cache
def definition_of_rule(path, name):
    """Of a rule that the row in this file names: in the file itself, or among those that topics share."""
    return next(filter(None, (definition(source, name) for source in [path, *shared_sources()])), None)


# A row that has a gradient, of its own or of its function.
DIFFERENTIATED = re.compile(r"\.gradient = | differentiates_body\b")
NONE = "none"


def spec_places(op, path, line):
    yield "row", f"{path}:{line}"
    row = row_text(text_of(path), line)
    for what, column in (("shapes", "shape_fn"), ("gradient", "gradient"), ("known values", "fold")):
        match = re.search(rf"\.{column} = (?:From\w+\()?(\w+)", row)
        place = match and definition_of_rule(path, match[1])
        if place:
            yield what, place
        if what == "gradient" and not DIFFERENTIATED.search(row):
            yield what, NONE + ": asking for one is an error"
    if ".samples" in row:
        yield "samples", f"{path}:{line + row[:row.index('.samples')].count(chr(10))}"


def definition_or_class(path, name):
    """Where it stands, and of a class in a header its first function in each source beside that."""
    match = re.search(rf"^(?:(?:class|struct) {name}\b(?!;)|[\w:<>*&, ]+\b{name}\()", text_of(path), re.M)
    stem = path.removesuffix(".h")
    beside = tracked(f"{stem}.cc", f"{stem}_*.cc") if match and path.endswith(".h") else []
    methods = ((source, re.search(rf"^(?:[\w:<>*&, ]+ )?{name}::[\w~]+\(", text_of(source), re.M))
               for source in beside if not source.endswith("_test.cc"))
    return [f"{at}:{line_of(text_of(at), found.start())}" for at, found in [(path, match), *methods] if found]


def computed_at(op, path):
    """What the op's rows in a table of kernels name: the functions and classes that compute, in this file or in what it
    includes of its family; the row itself where it stands for all."""
    text = text_of(path)
    for row in re.finditer(rf'\{{"{re.escape(op)}",', text):
        rest = row_text(text, line_of(text, row.start()), f'"{op}"').partition(",")[2]
        names = dict.fromkeys(re.findall(r"\b[A-Z]\w+", rest))
        sources = [path, *(header for header in MACHINERY.findall(text) if not COMMON.search(header))]
        for name in names:
            yield from next(filter(None, (definition_or_class(source, name) for source in sources)), [])


def mentions(op, patterns):
    """The first place in each file that names the op, as a text or as a line of formulas."""
    literal = re.compile(rf'"{re.escape(op)}"|^PLUMB_(?:UNARY|BINARY)\({re.escape(op)},', re.M)
    for path in tracked(*patterns):
        text = text_of(path)
        match = literal.search(text)
        if match:
            yield f"{path}:{line_of(text, match.start())}"


KERNEL_TREES = (("reference", "reference/ops", [".cc"]), ("formula", "fastpath/formulas", ["-inl.h", ".h"]),
                ("cpu", "fastpath/cpu", [".cc"]), ("gpu", "fastpath/gpu", [".cu", ".cc"]))


# A row that has kernels for GPUs.
HAS_GPU = re.compile(r'\.gpu\s*=\s*"[^"]')


def kernel_places(op, topic, row, kind=None):
    """Where the op is named. In a tree that does not name it, the file of its topic makes it of a formula; but not one
    of a kind that the executors carry out, nor for a GPU one whose row has nothing there."""
    for what, tree, ends in KERNEL_TREES:
        pattern = f"{tree}/**.h" if what == "formula" else f"{tree}/*/*{ends[0]}"
        named = [place for place in mentions(op, [pattern]) if "_test.cc" not in place and "/lib/" not in place]
        places = [place for name in named for place in list(computed_at(op, name.partition(":")[0])) or [name]]
        if not places and kind is None and (what != "gpu" or HAS_GPU.search(row)):
            places = tracked(*(f"{tree}/{topic}{end}" for end in ends))
        yield from ((what, place) for place in places)


# Where an op that is no kernel is carried out, by its row's kind: on the reference, on the fast path.
CALLS = {"kCall", "kSymbolicGradient", "kIf", "kCase", "kWhile"}


def kind_of(path, line):
    """What the row says to run it, where that is not a kernel."""
    match = re.search(r"\.kind = OpKind::(\w+)", row_text(text_of(path), line))
    return match and match[1]


def executor_places(kind, row):
    """Of an op of this kind; what calls without a gradient has no place for one."""
    if kind is None:
        return
    places = [("reference", "reference/step/step.cc", "Rule::" + ("kCall" if kind in CALLS else kind)),
              ("fast path", "fastpath/execute/worker.cc", f"NodeKind::{kind}")]
    if kind in CALLS:
        places[1] = ("fast path", "fastpath/compile/functions/inline_functions.cc", "void Expand(")
        places.append(("fast path", "fastpath/session/call_kernel.cc", "class CallKernel"))  # what is not inlined
        places.append(("reference", "reference/step/calls.cc", "> FirstBody"))
        places += [("fast path", "fastpath/compile/functions/inline_body.cc", "InlinedBody InlineBody"),
                   ("library", "spec/graph/function_library.cc", "FunctionLibrary::Parse"),
                   ("body", "spec/graph/function_body.cc", "FunctionBody Instantiate"),
                   ("shapes", "spec/graph/function_shapes.cc", "Shapes OfFunctions"),  # through bodies (FN10)
                   ("gradient", "spec/graph/function_gradient.cc", "Differentiation DifferentiationOf"),  # (FN8)
                   ("gradient", "spec/graph/function_gradient.cc", "FunctionBody MakeGradientBody"),
                   ("called", "spec/graph/function_calls.cc", "std::vector<CalledFunction> FunctionsCalledBy")]
    if kind in ("kIf", "kCase"):
        places.append(("fast path", "fastpath/compile/functions/inline_functions.cc", "Replacement Choice"))
    if kind in ("kIf", "kCase", "kWhile"):
        places.append(("fast path", "fastpath/compile/functions/branch_kernel.cc", "MakeBranchKernel"))
    if kind == "kWhile":
        places += [("reference", "reference/step/calls.cc", "> NextBody"),
                   ("fast path", "fastpath/compile/functions/inline_functions.cc", "Replacement Loop")]
        places.append(("gradient", "spec/graph/function_loops.cc", "RecordedLoopGradient"))
    if kind in ("kSend", "kRecv"):
        places.append(("fast path", "fastpath/device/transfer.cc", f"class {kind[1:]} "))
    for what, source, text in places:
        if what == "gradient" and not DIFFERENTIATED.search(row):
            continue
        found = re.search(re.escape(text) + r"(?![a-z])", text_of(source))
        if found:
            yield what, f"{source}:{line_of(text_of(source), found.start())}"


# What rows and kernels stand on: what a family shares, the objects behind handles and the machinery of their tree, but
# not what all kernels use.
FAMILIES = r"spec/ops/\w+|reference/(?:state|kernel|ops/\w+)|fastpath/(?:cpu|gpu|formulas)/\w+"
MACHINERY = re.compile(rf'#include "((?:{FAMILIES})/[\w/-]+\.h)"')
COMMON = re.compile(r"/lib/(dispatch|parallel|printed|simd_targets|types|int_vector|grid)\.h|/kernel/op_context\.h")


def machinery(path, kernels):
    """What the row's file and those of the kernels include, once each, and not the formula that is a place itself; the
    objects behind a header of handles; and the source of a header that has kernels."""
    paths = {place.partition(":")[0] for _, place in kernels}
    seen = set(paths)
    for header in sorted(path for path in paths if path.endswith(".h")):
        yield from (("uses", source) for source in tracked(header.removesuffix(".h") + ".cc") if source not in seen)
    for source in [path, *sorted(paths, reverse=True)]:
        for header in MACHINERY.findall(text_of(source)):
            behind = MACHINERY.findall(text_of(header)) if header.endswith("_handle.h") else []
            for used in [header, *(used for used in behind if used.startswith("reference/state/"))]:
                if used not in seen and not COMMON.search(used):
                    seen.add(used)
                    yield "uses", used


LISTS = ("spec/ops/testdata/*.txt", "conformance/compare/testdata/*.txt", "property-tests/testdata/*.txt",
         "conformance/floor.json")


def list_places(op):
    """Where the op stands in the lists of ops, at its first line in each."""
    line = re.compile(rf'^{re.escape(op)}(?=[ (]|$)|"{re.escape(op)}[" ]', re.M)
    for path in tracked(*LISTS):
        text = text_of(path)
        match = line.search(text)
        if match:
            yield "list", f"{path}:{line_of(text, match.start())}"


BENCH = "bench/peers/write_op_graphs.cc"
CASES = "conformance/golden/cases"
MOST_FILES = 8


@functools.cache
def recorded_cases():
    """The bytes of each file of recorded cases."""
    return {path: gzip.decompress((ROOT / path).read_bytes()) for path in tracked(f"{CASES}/*.gz")}


def recorded_places(op):
    """The files of recorded cases that reach the op, those with the most such cases first, with their number."""
    # `ops` of conformance/golden/golden.proto, field 5, as it is on the wire; names are shorter than 128 bytes.
    field = bytes([5 << 3 | 2, len(op)]) + op.encode()
    counts = {path: cases.count(field) for path, cases in recorded_cases().items()}
    found = sorted((path for path in counts if counts[path]), key=lambda path: (-counts[path], path))
    if not found:
        yield "recorded", NONE
    for path in found[:MOST_FILES]:
        yield "recorded", f"{path}: {counts[path]} case{'s' if counts[path] > 1 else ''}"
    if found[MOST_FILES:]:
        rest = found[MOST_FILES:]
        yield "recorded", f"{CASES}: {sum(counts[path] for path in rest)} cases in {len(rest)} more files"


def bench_places(op):
    """The rows that are written by hand. Of other ops bench/peers draws inputs, where their rows have large numbers."""
    places = list(mentions(op, ["bench/graphs/*.cc", "bench/*_bench.cc"]))
    yield from (("bench", place) for place in places or [f"{BENCH}: drawn, if the row has large inputs of numbers"])


def trials(op):
    """The first place in each test that gives inputs to the op, by its name or by its function of the client. A name in
    a list is none."""
    name = re.escape(op)
    call = re.compile(rf'[\w>(](?:[({{]\s*|\(\s*"[^"\n]*"\s*,\s*)"{name}"\s*,\s*\{{|\bops::{name}\(|"{name}/')
    for path in tracked("*_test.cc"):
        text = text_of(path)
        match = call.search(text)
        if match:
            yield f"{path}:{line_of(text, match.start())}"


def test_places(op, topic):
    places = list(trials(op))
    named = {place.partition(":")[0] for place in places}
    trees = ("spec/ops", "reference/ops", "fastpath/cpu", "fastpath/gpu")
    of_topic = tracked(*(f"{tree}/{topic}_test.cc" for tree in trees))
    for place in [*places, *(path for path in of_topic if path not in named)]:
        yield "test", place


def places_of(op, ops):
    """What stands where, of an op of the catalogue."""
    topic, path, line = ops[op]
    kind = kind_of(path, line)
    row = row_text(text_of(path), line)
    kernels = list(kernel_places(op, topic, row, kind))
    return [*spec_places(op, path, line), *executor_places(kind, row), *kernels, *machinery(path, kernels),
            *list_places(op), *recorded_places(op), *bench_places(op), *test_places(op, topic)]


def places_of_known(op):
    """What stands where, of an op that is known by its signature alone."""
    _, path, _ = known_ops()[op]
    for what, source, text in (("signature", path, f"{op}("), ("taken apart", TAKEN_APART, f'"{op}"')):
        found = re.search(rf"(?<!\w){re.escape(text)}", text_of(source))
        if found:
            yield what, f"{source}:{line_of(text_of(source), found.start())}"


def main():
    ops = catalogue()
    if len(sys.argv) != 2 or sys.argv[1] not in ops:
        name = sys.argv[1] if len(sys.argv) > 1 else ""
        if name in known_ops():
            print(f"{name} is an op of TensorFlow that has no row here: a step that needs it is refused, unless it is "
                  f"taken apart (clauses A8 and A9)", *(f"{what:14}{place}" for what, place in places_of_known(name)),
                  sep="\n", file=sys.stderr)
            return 2
        near = ", ".join(sorted(op for op in ops if name and name.lower() in op.lower())[:8])
        print(f"usage: ./dev where OP; the catalogue has no op '{name}'{'; there are: ' + near if near else ''}",
              file=sys.stderr)
        return 2
    op = sys.argv[1]
    print(f"{'topic':14}{ops[op][0]}")
    for what, place in places_of(op, ops):
        print(f"{what:14}{place}")
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # whoever reads may have read enough
    sys.exit(main())
