#!/usr/bin/env python3
"""Fails when code outside the files of an op's topic decides anything by the op's name, or an op is at home in more
files than three: its row and the rules that the row names, a kernel of the reference, and one of each device.

What is known of an op stands in its row (spec/ops/) and in its kernels. Elsewhere a name may only say which node to
build: as an argument of a call. Tests may name what they try. All our folders are searched, but for EXEMPT.
"""
import re
import sys
from collections import Counter

from op_sources import SIGNATURE, catalogue, is_topic_file, line_of, text_of, tracked
from where import definition, row_text

# Calls that ask whether a name is this one, or one of these.
QUESTIONS = {"IsOp", "contains", "count", "find", "starts_with", "ends_with", "emplace", "insert"}
# A backend of somebody else, who has no rows, and so a table of names.
EXEMPT = "examples/backend/"
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
HANDLE_KIND = re.compile(r"(HandleKind\([^()]*\)|\bhandle) [!=]=$")
CALL = re.compile(r"(\w+)\s*\($")


def is_ours_to_judge(path):
    if path.endswith(("_test.cc", "_check.cc", "_testing.h", "test_graph.h", "kernel_harness.h")) or "/testing/" in path:
        return False
    return not path.startswith(EXEMPT)


def decisions(path, text, ops):
    """The names by which this text decides, with their offsets. The file of a topic may do so by its own ops'."""
    text = without_comments(text)
    for match in LITERAL.finditer(text):
        if match[1] in ops and decides(text, match) and not is_topic_file(path, {ops[match[1]][0]}):
            yield match[1], match.start()


def enclosing(text, offset):
    """What is around this place, within its statement: "{" for a list, else the name of the function called."""
    depth = 0
    for at in range(offset - 1, max(0, offset - 2000), -1):
        c = text[at]
        if c in ")}]":
            depth += 1
        elif c in "({[" and depth > 0:
            depth -= 1
        elif c == "{":
            return "{"
        elif c == "(":
            match = CALL.search(text[max(0, at - 80):at + 1])
            return match[1] if match else ""
        elif c == ";" and depth == 0:
            return ""
    return ""


def decides(text, match):
    """Whether the literal is compared, listed or looked up instead of being built."""
    before = text[max(0, match.start() - 40):match.start()].rstrip()
    after = text[match.end():match.end() + 20].lstrip()
    if HANDLE_KIND.search(before):
        return False  # what a handle leads to, not an op
    if before.endswith(("==", "!=")) or after.startswith(("==", "!=")):
        return True
    around = enclosing(text, match.start())
    return around in QUESTIONS or (around == "{" and not before.endswith(("?", ":", "=")))


def without_comments(text):
    """The same text with blanks for what stands behind //."""
    return re.sub(r"(?m)(?<![:\"'])//.*$", lambda match: " " * len(match[0]), text)


ROWS = {"reference": (["reference/ops/**.cc"], r'\{"%s",'),
        "cpu": (["fastpath/cpu/**.cc", "fastpath/formulas/**.h"], r'(?:\{"%s",|^PLUMB_(?:UNARY|BINARY)\(%s,)'),
        "gpu": (["fastpath/gpu/**.cu", "fastpath/gpu/**.cc"], r'\{"%s",')}
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


def count_places(ops):
    """An op is at home in three files: its row with its rules, and at most one file with a kernel in each tree."""
    strange = list(strange_rules(ops, shared_rules()))
    print("".join(f"{line}\n" for line in strange), end="")
    offences = len(strange)
    for tree, (patterns, row) in ROWS.items():
        texts = {path: text_of(path) for path in tracked(*patterns) if not path.endswith("_test.cc")}
        for op, (topic, path, _) in ops.items():
            pattern = re.compile(row.replace("%s", re.escape(op)), re.M)
            homes = [path for path, text in texts.items() if pattern.search(text)]
            strangers = [home for home in homes if not is_topic_file(home, {topic})]
            if len(homes) > 1 or strangers:
                offences += 1
                print(f"{path}: {op} has its {tree} kernel in {' and '.join(homes)}, not in one file called {topic}")
    return offences


def judged():
    return [path for path in tracked("*.cc", "*.h", "*.cu") if is_ours_to_judge(path)]


def main():
    ops = catalogue()
    offences = count_places(ops)
    files = judged()
    for path in files:
        text = text_of(path)
        for op, offset in decisions(path, text, ops):
            offences += 1
            print(f"{path}:{line_of(text, offset)}: decides by the name of {op}; "
                  "make what it wants to know a column of the row (spec/ops/op_def.h)")
    print(f"op names: {len(ops)} ops, {len(files)} files, {offences} offences")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
