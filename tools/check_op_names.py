#!/usr/bin/env python3
"""Fails when code outside the files of an op's topic decides anything by the op's name; when an op is not at home in
three files, its row with the rules that the row names, a kernel of the reference and one of the fast path; or when a
file of a topic does not stand once in its tree's list; or when there is a list of ops that LISTS lacks, or that
docs/adding-an-op.md does not tell of. What has to stand in these lists, the tests that LISTS names see to.

What is known of an op stands in its row (spec/ops/) and in its kernels. Elsewhere a name may only say which node to
build: to a function that builds one (ROOTS of op_decisions.py, and whoever hands a name on to these), or through a
variable or a function that nobody asks. A part of a name may not be asked for. Tests may name what they try. All our
folders are searched, but for EXEMPT.
"""
import re
import sys
from collections import Counter, defaultdict

from op_decisions import (LITERAL, NEEDED, OTHERS, ROOTS, Source, asked_about, builders, known_to, ops_in, parts,
                          without_comments)
from op_sources import ROOT, SIGNATURE, catalogue, is_topic_file, known_ops, line_of, text_of, tracked
from where import definition, row_text

# A backend of somebody else, who has no rows, and so a table of names.
EXEMPT = "examples/backend/"


def is_ours_to_judge(path):
    if path.endswith(("_test.cc", "_check.cc", "_testing.h", "test_graph.h", "kernel_harness.h")) or "/testing/" in path:
        return False
    return not path.startswith(EXEMPT)


def decisions(path, text, ops, parts_of_ops=None, asked=frozenset(), known=ROOTS):
    """The names by which this text decides, with their offsets. The file of a topic may do so by its own ops'. `asked`:
    the functions that anybody asks for a name; `known`: those that build."""
    parts_of_ops = parts(ops) if parts_of_ops is None else parts_of_ops
    source = Source(path, text, asked, known)
    for match in LITERAL.finditer(source.text):
        first, last = match.span()
        named = ops_in(match[1], ops)
        if named:
            others = [op for op in named if not is_topic_file(path, {ops[op][0]})]
            if others and (len(named) > 1 or not source.builds(first)) and not source.is_other(first):
                yield others[0], first
        elif match[1] in parts_of_ops and source.is_part(match[1], first) and source.is_asked(first, last):
            if not any(match[1] in op and is_topic_file(path, {ops[op][0]}) for op in ops):
                yield parts_of_ops[match[1]], first


ROW = r'\{"(\w+)",'
ROWS = {"reference": (["reference/ops/**.cc"], ROW),
        "cpu": (["fastpath/cpu/**.cc", "fastpath/formulas/**.h"], ROW + r"|^PLUMB_(?:UNARY|BINARY)\((\w+),"),
        "gpu": (["fastpath/gpu/**.cu", "fastpath/gpu/**.cc"], ROW)}
RULE = re.compile(r"\.(shape_fn|gradient|fold) = (?:From\w+\()?(\w+)\)?(?=,|\})")


def shared_rules():
    """What declares the rules that belong to no topic."""
    return "".join(text_of(path) for path in tracked("spec/ops/*.h") if path.count("/") == 2)


def strange_rules(ops, shared):
    """A line for each row that names a rule of another topic's file, or stands there twice."""
    for op, (_, path, line) in ops.items():
        text = text_of(path)
        for column, rule in RULE.findall(row_text(text, line)):
            if not definition(path, rule) and not re.search(rf"\b{rule}\b", shared):
                yield f"{path}:{line}: {op} has its {column}, {rule}, neither in this file nor in spec/ops/*.h"
    rows = Counter(name for path in tracked("spec/ops/*/*.cc") if not path.endswith("_test.cc")
                   for name in SIGNATURE.findall(text_of(path)))
    yield from (f"{ops[op][1]}: {op} has {count} rows" for op, count in rows.items() if count > 1)


def kernel_ops(ops):
    """The ops whose rows say that a kernel runs them."""
    return {op for op, (_, path, line) in ops.items() if ".kind = " not in row_text(text_of(path), line)}


def strange_homes(tree, ops, owed, texts):
    """A line for each op whose kernel in this tree is not in one file, that of its topic. `owed`: who must have one."""
    homes_of = defaultdict(list)
    for path, text in texts.items():
        for name in {match[match.lastindex] for match in re.finditer(ROWS[tree][1], text, re.M)}:
            homes_of[name].append(path)
    for op, (topic, path, _) in ops.items():
        homes = homes_of[op]
        if len(homes) > 1 or any(not is_topic_file(home, {topic}) for home in homes):
            yield f"{path}: {op} has its {tree} kernel in {' and '.join(homes)}, not in one file called {topic}"
        elif not homes and op in owed:
            yield f"{path}: {op} has no {tree} kernel; its row belongs into a file called {topic}"


def count_places(ops):
    """A line for each op that is not at home in three files."""
    yield from strange_rules(ops, shared_rules())
    for tree, (patterns, _) in ROWS.items():
        texts = {path: text_of(path) for path in tracked(*patterns) if not path.endswith("_test.cc")}
        yield from strange_homes(tree, ops, set() if tree == "gpu" else kernel_ops(ops), texts)


TREES = ("spec/ops/", "reference/ops/", "fastpath/cpu/", "fastpath/gpu/")
TOPIC_FILE = re.compile(rf"(?:{'|'.join(TREES)})((?!lib/)\w+/\w+)\.(?:cc|cu)")
# In a list: TOPIC(ArrayConcat), or TOPIC(array, concat, ArrayConcat).
LISTED = re.compile(r"\bTOPIC\((?:\w+, \w+, )?(\w+)\)")
# Where a file gives its rows: a function, or the name of one that is made of formulas.
GIVES_ROWS = re.compile(r"^(?:std::span<const \w*Row> (\w+)\(\) \{|#define PLUMB_TOPIC (\w+)$)", re.M)
NAMES_TOPIC = re.compile(r"\bTOPIC\([^()\n]*?(\w+)\)|\btopics::(\w+)|(?<![\w\"])([A-Z]\w+)\(\)")


def topic_of(path):
    """What lists call the topic of this file: ArrayConcat for reference/ops/array/concat.cc; else nothing."""
    match = TOPIC_FILE.fullmatch(path)
    return match and "".join(word[:1].upper() + word[1:] for word in re.split("[/_]", match[1]))


def names_in(pattern, text):
    return [name for names in pattern.findall(text) for name in names if name]


def strange_topics(texts):
    """A line for each file that gives rows and does not stand once in the topics.h of its tree, or stands elsewhere."""
    topics = set()
    for tree in TREES:
        listed = Counter(LISTED.findall(texts[f"{tree}topics.h"]))
        topics.update(listed)
        for path, text in texts.items():
            if path.startswith(tree) and topic_of(path):
                for name in names_in(GIVES_ROWS, text):
                    if name != topic_of(path):
                        yield f"{path}: gives its rows as {name}, not as {topic_of(path)}"
                    elif listed[name] != 1:
                        yield f"{path}: {name} stands {listed[name]} times in {tree}topics.h, not once"
    for path, text in texts.items():
        if not path.endswith("/topics.h"):
            for name in sorted(topics & set(names_in(NAMES_TOPIC, text)) - {topic_of(path)}):
                yield f"{path}: names the topic {name}, which stands in the topics.h of its trees alone"


# What stands in lists by the name of an op, besides its three files, with the test that asks for it.
LISTS = {"spec/ops/known/": "spec/ops/known/known_ops_test.cc",
         "spec/ops/testdata/signatures.txt": "spec/ops/signatures_test.cc",
         "spec/ops/testdata/deprecations.txt": "spec/ops/signatures_test.cc",
         "spec/ops/testdata/int32_attributes.txt": "conformance/suites/int32_attributes_test.cc",
         "spec/ops/testdata/refused_attributes.txt": "conformance/suites/refused_attributes_test.cc",
         "spec/ops/testdata/refused_ranks.txt": "spec/ops/refused_ranks_test.cc",
         "property-tests/testdata/gradient_trials.txt": "property-tests/gradient_trials_test.cc",
         "conformance/floor.json": "tools/check_floor.py",
         "bench/graphs/without_rows.txt": "bench/peers/check_rows.py",
         "conformance/compare/testdata/grants.txt": "conformance/compare/grants_test.cc",
         "conformance/compare/testdata/known_shapes.txt": "conformance/compare/known_shapes_test.cc",
         "conformance/compare/testdata/lax_shapes.txt": "conformance/compare/refused_shapes_test.cc"}
TOLD = "docs/adding-an-op.md"
LIST_OF_OPS = 50  # names of ops in a file of data, from which on it is a list of them
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
           "Eleven", "Twelve")


def strange_lists(ops, texts, told):
    """A line for each file of data that lists ops and is not known, and for what the page does not tell. `texts`: of
    files of data by path."""
    for path, text in texts.items():
        named = len(set(ops) & set(re.findall(r"\w+", text)))
        if named > LIST_OF_OPS and path not in LISTS:
            yield f"{path}: lists {named} ops; who adds one has to know: name it in LISTS of tools/check_op_names.py"
    told = re.sub(r"\s+", " ", told)
    for name in LISTS:
        if name not in told:
            yield f"{TOLD}: does not tell of {name}, which lists ops"
    if f"{NUMBERS[len(LISTS)]} lists follow" not in told:
        yield f"{TOLD}: does not say that {NUMBERS[len(LISTS)].lower()} lists follow"


def judged():
    return [path for path in tracked("*.cc", "*.h", "*.cu") if is_ours_to_judge(path)]


def main():
    ops = catalogue()
    strange = [*count_places(ops), *strange_topics({path: without_comments(text_of(path)) for path in judged()}),
               *strange_lists(ops, {path: text_of(path) for path in tracked("*.txt", "*.json", "*.csv")}, text_of(TOLD)),
               *(f"LISTS names {test}, which is not there" for test in LISTS.values() if not (ROOT / test).exists())]
    print("".join(f"{line}\n" for line in strange), end="")
    offences = len(strange)
    texts, named = {path: text_of(path) for path in judged()}, {**known_ops(), **ops}
    asked = set().union(*map(asked_about, texts.values()))
    parts_of_ops = parts(named)
    known = builders({**texts, **{path: text_of(path) for path in tracked("*_testing.h")}})
    for path, text in texts.items():
        for op, offset in decisions(path, text, named, parts_of_ops, asked, known_to(known, path)):
            offences += 1
            print(f"{path}:{line_of(text, offset)}: decides by the name of {op}; "
                  "make what it wants to know a column of the row (spec/ops/op_def.h), or, where this builds a node, "
                  "hand the name on to what builds it (tools/op_decisions.py)")
    for path, pattern in sorted(set(OTHERS) - NEEDED):
        offences += 1
        print(f"tools/op_decisions.py: OTHERS has {pattern!r} in '{path}', where it excuses nothing")
    print(f"op names: {len(ops)} ops, {len(texts)} files, {offences} offences")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
