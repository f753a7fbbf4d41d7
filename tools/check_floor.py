#!/usr/bin/env python3
"""Fails when conformance/floor.json fell, or lacks a run that ./dev test makes.

It is compared with the last versions of it in the history that is here, and with the one that origin/main has in common
with us. A name may only go with what it names: an op's row, an attribute or its value, a choice point. A count may only
fall with what it counts: a file of recorded cases or an op that is gone, or a case for which the ledger
(conformance/deviations.txt) has a new line. Without any history there is nothing to compare with, and it says so.
"""
import json
import re
import subprocess
import sys
from dataclasses import dataclass, field

from op_sources import ROOT, SIGNATURE, catalogue, text_of, tracked
from where import row_text

FLOOR = "conformance/floor.json"
LEDGER = "conformance/deviations.txt"
CASES = "conformance/golden/cases"
VERSIONS = 4  # of the floor, from the newest back
ROUNDS = 3  # of a run that does not say
GENERIC = {"true", "false", "default", "other", "given"}  # values of attributes that no row writes out
# What was taken once and is refused now, on both sides, because TensorFlow refuses it.
REFUSED_SINCE = {
    "DepthwiseConv2dNative dilations=other": "its kernel is for windows that are not dilated (UNIMPLEMENTED)",
}


@dataclass
class Tree:
    """What names and counts of the floor stand for, in one version of the project."""
    rows: dict = field(default_factory=dict)  # text by op; of an old version: empty texts
    sources: str = ""  # of the fast path; of the present version alone
    cases: set = field(default_factory=set)
    ledger: set = field(default_factory=set)


def git(*words):
    """What git says, or None where it cannot."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def forgiven(ledger):
    """(backend, cases, gate) of every line; a reason may be put better."""
    lines = [[part.strip() for part in line.split("|")] for line in ledger.splitlines()
             if line and not line.startswith("#")]
    return {(backend.strip(), cases, gate) for backends, cases, gate, *_ in lines for backend in backends.split(",")}


def present():
    rows = {op: row_text(text_of(path), line) for op, (_, path, line) in catalogue().items()}
    sources = "\n".join(text_of(path) for path in tracked("fastpath/**.cc", "fastpath/**.h"))
    return Tree(rows, sources, {path.name for path in (ROOT / CASES).iterdir()}, forgiven(text_of(LEDGER)))


def past(commit):
    signatures = git("grep", "-h", "-E", r"\.signature *=", commit, "--", "spec/ops/*/*.cc", ":!*_test.cc") or ""
    cases = git("ls-tree", "-r", "--name-only", commit, CASES) or ""
    return Tree(rows=dict.fromkeys(SIGNATURE.findall(signatures), ""), cases={p.split("/")[-1] for p in cases.split()},
                ledger=forgiven(git("show", f"{commit}:{LEDGER}") or ""))


def earlier_versions():
    """(commit, floor), the newest first."""
    commits = (git("log", f"-{VERSIONS}", "--format=%H", "--", FLOOR) or "").split()
    commits += (git("merge-base", "HEAD", "origin/main") or "").split()
    for commit in dict.fromkeys(commits):
        text = git("show", f"{commit}:{FLOOR}")
        if text:
            yield commit, json.loads(text)


# --- What may go ----------------------------------------------------------------------------------------------------

def is_still_there(kind, name, tree, news):
    """Whether the project still has what the name names. `news`: names that the floor has gained since."""
    if kind == "attributes":
        if name in REFUSED_SINCE:
            return False
        op, _, rest = name.partition(" ")
        attr, _, value = rest.partition("=")
        row = tree.rows.get(op, "")
        was_rewritten = any(new.startswith(f"{op} {attr}=") for new in news)  # it has got a default, or other values
        return bool(re.search(rf"\b{re.escape(attr)}:", row)) and (value in GENERIC or value in row) and not was_rewritten
    if kind == "choices":
        point, _, side = name.rpartition(": ")
        if not point.startswith("loop: "):
            return f'"{point}"' in tree.sources
        head = point.split("(")[0]
        words = re.findall(r"\w+", head.removeprefix("loop: "))

        def replaces(new):  # with other arguments, or as a function of its own where it was a member
            of_new = re.findall(r"\w+", new.split("(")[0].removeprefix("loop: "))
            return of_new[-1] == words[-1] and set(of_new) <= set(words) and new.endswith(": " + side)

        was_rewritten = any(new.startswith("loop: ") and replaces(new) for new in news)
        return all(re.search(rf"\b{word}\b", tree.sources) for word in words) and not was_rewritten
    return name in tree.rows  # "ops"


def may_fall(run, before, after):
    """Whether something that the run counted is gone, or known to differ."""
    suite, backend = run.split()[:2]
    if suite == "ops":
        return bool(set(before.rows) - set(after.rows))
    is_forgiven = any(of_backend == backend for of_backend, _, _ in after.ledger - before.ledger)
    return is_forgiven or bool(before.cases - after.cases)


def fallen(old, new, before, after):
    """What the floor `new` lacks of `old`, a line each."""
    for run, kinds in old.items():
        of_run = new.get(run, new.get(run.partition(" --rounds")[0], {}))  # more seeds may take the place of fewer
        for kind, least in kinds.items():
            now = of_run.get(kind, 0)
            if isinstance(least, list):
                names = set(now) if isinstance(now, list) else set()
                lost = [name for name in least
                        if name not in names and is_still_there(kind, name, after, names - set(least))]
                if lost:
                    yield f"{run}: gone from {kind}: {'; '.join(lost)}"
            elif isinstance(now, list):
                if not now:
                    yield f"{run}: {kind} was {least}, and names nothing now"
            elif now < least and not may_fall(run, before, after):
                yield f"{run}: {kind} fell from {least} to {now}"


# --- What has to be there -------------------------------------------------------------------------------------------

def full_runs(dev):
    """The runs over all of the project's own cases among the checks of ./dev, as the floor calls them."""
    for command in re.findall(r"plumb conformance (.*)", dev):
        words = command.split("|")[0].split()
        if "--filter" in words or "--device" in words:
            continue
        backends = [words[i + 1] for i, word in enumerate(words) if word == "--backend"]
        if words[0] == "golden":
            yield from (f"golden {backend}" for backend in backends or ["reference", "cpu"])
        elif words[0] == "ops":
            rounds = int(words[words.index("--rounds") + 1]) if "--rounds" in words else ROUNDS
            yield from (f"ops {backend}" + (f" --rounds {rounds}" if rounds < ROUNDS else "")
                        for backend in backends or ["cpu"])


def missing(floor, runs):
    """What the floor does not say of these runs, a line each."""
    for run in runs:
        kinds = {"ops": list, "attributes": list, "choices": list, "passed": int}
        if run.startswith("golden"):
            kinds = {"passed": int, "compared": int}
        lacking = [kind for kind, form in kinds.items()
                   if not isinstance(floor.get(run, {}).get(kind), form) or not floor[run][kind]]
        if lacking:
            yield (f"{run}: no {', '.join(lacking)}; set by: build/bin/plumb conformance "
                   + ("golden conformance/golden/cases --backend " + run.split()[1] if run.startswith("golden")
                      else run.replace("ops ", "ops --backend ", 1)) + " --raise-floor")


def main():
    floor = json.loads(text_of(FLOOR))
    versions = list(earlier_versions())
    others = [(commit, old) for commit, old in versions if old != floor]
    offences = list(missing(floor, full_runs(text_of("dev"))))
    after = present() if others else Tree()
    for commit, old in others:
        offences += [f"since {commit[:9]}, {line}" for line in fallen(old, floor, past(commit), after)]
    for line in offences:
        print(f"{FLOOR}: {line}")
    compared = f"compared with {len(others)} other versions"
    if not versions:
        compared = "there is no history here to compare it with"
    print(f"floor: {len(floor)} runs, {compared}, {len(offences)} offences")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
