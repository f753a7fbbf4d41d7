#!/usr/bin/env python3
"""Fails when conformance/floor.json fell, lacks a run that ./dev test makes, an op that has samples, or a side of a
choice point (spec/core/choice_point.h) that no drawn size takes and no test is named for.

It is compared with the last versions of it in the history that is here, and with the one that origin/main has in common
with us. A name may only go with what it names: an op's row, an attribute or its value, a choice point. A count, which is
one op's or one file's of recorded cases, may only fall by what it counted: with its op or file, or by as many cases as
are gone from the file or have a new line in the ledger (conformance/deviations.txt). Without any history there is
nothing to compare with, and it says so. Whatever the history, every recorded case that no line forgives has to pass.
"""
import gzip
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from op_sources import ROOT, SIGNATURE, catalogue, text_of, tracked
from where import HAS_GPU, row_text

FLOOR = "conformance/floor.json"
LEDGER = "conformance/deviations.txt"
CASES = "conformance/golden/cases"
ENDING = ".golden.gz"  # of a file there; the floor leaves it out
VERSIONS = 4  # of the floor, from the newest back
# Kinds of earlier floors, which counted as well what chance decides, and what has come in their place.
BEFORE = {"compared": "settled", "certain": "settled"}
ROUNDS = 3  # of a run that does not say
GENERIC = {"true", "false", "default", "other", "given"}  # values of attributes that no row writes out
# In the text of a row.
NO_SAMPLE = re.compile(r'\.samples\s*=\s*\{\s*"-')
# What was taken once and is refused now, on both sides, because TensorFlow refuses it.
REFUSED_SINCE = {
    "DepthwiseConv2dNative dilations=other": "its kernel is for windows that are not dilated (UNIMPLEMENTED)",
}

# How the names of loops began that now run in another function, and how they begin there: the floor has them with the
# same side. The functions that had them are there still.
MOVED_LOOPS = {
    "fast::cpu::ForEachMatrix(ThreadPool&, int64_t, int64_t, const MatrixExponentialKernel::Run(":
        "fast::cpu::ForEachMatrix(ThreadPool&, int64_t, int64_t, const MatrixExponentialKernel::RunAs(",
    "fast::cpu::FromTensor::Run(": "fast::cpu::CopyParts(",
    "fast::cpu::QuantizedAddKernel::Add(": "fast::cpu::Combine(KernelContext&",
    "fast::cpu::QuantizedMulKernel::Multiply(": "fast::cpu::Combine(KernelContext&",
    "fast::cpu::ScatterRows(ThreadPool&, cpu::TensorList&": "fast::cpu::CopyParts(",
    "fast::cpu::WriteParts(": "fast::cpu::CopyParts(",
    "fast::cpu::Sum(": "fast::cpu::SumOfSeen(",
}

# Ops with samples that no run on this backend passes, by the name of the run in the floor, with the reason.
UNTRIED = {"ops cpu": {},
           "ops gpu-emulated": {
               "TensorListPushBackBatch":
                   "Pack makes the vector of lists, which the host alone does, and lists are where all their users can "
                   "be (fastpath/gpu/data_flow/tensor_list_test.cc)",
           }}

# Sides of choice points, loops among them, that no drawn size takes, with the test that does.
ONE_SIDED = {
    "assignment: elements copied, or memory taken over: large": "fastpath/device/variable_test.cc",
    "batch norm: sums in 64 large parts, or in parts worth a chunk: small":
        "fastpath/cpu/normalization/batch_norm_test.cc",
    "convolution: plain, or by oneDNN: small": "fastpath/cpu/lib/image/convolution_test.cc",
    "convolution's input gradient: plain, or by oneDNN: small": "fastpath/cpu/lib/image/convolution_test.cc",
    "convolution's filter gradient: plain, or by oneDNN: small": "fastpath/cpu/lib/image/convolution_test.cc",
    "rows of gates: several at once, or each by itself: large": "fastpath/cpu/rnn/lstm_test.cc",
    "softmax on GPUs: rows kept in registers, or read three times: large": "fastpath/gpu/activation/softmax_test.cc",
    "filters of single pixels on GPUs: one product of all images, or one for each part: small":
        "fastpath/gpu/convolution/conv2d_test.cc",
    "filters of single pixels on GPUs: one product of all images, or one for each part: large":
        "fastpath/gpu/convolution/conv2d_test.cc",
    "CTC on GPUs: a warp for each sequence, or a block of eight: large": "fastpath/gpu/loss/ctc_loss_test.cc",
    "terms of a sum on GPUs: in one launch, or in several: large": "fastpath/gpu/math/add_n_test.cc",
    "products of matrices on GPUs: in one call, or in several: large": "fastpath/gpu/lib/gemm_test.cc",
    # Loops over as many rows and cells, or variants, as would keep the reference busy for minutes.
    "loop: fast::cpu::BlockLstmGrad::Add(ThreadPool&, const float*, float*, int64_t) const::: large":
        "fastpath/cpu/cut_loops_test.cc",
    "loop: fast::cpu::BlockLstmGrad::Weights(ThreadPool&, const LstmSizes&, const cpu::LstmInputs&, const "
    "cpu::FloatInputs&, const float*, cpu::FloatOutputs&) const::: large": "fastpath/cpu/cut_loops_test.cc",
    "loop: fast::cpu::PeepholeSums(ThreadPool&, const LstmSizes&, const float*, int, const float*, float*)::: large":
        "fastpath/cpu/cut_loops_test.cc",
    "loop: fast::cpu::CopyLines(ThreadPool&, const cpu::CopyPlan&, const plumb::Variant*, plumb::Variant*)::: large":
        "fastpath/cpu/lib/strided_copy_test.cc",
}
POINT = re.compile(r'\bChoicePoint\s+\w+\s*[({]\s*((?:"[^"\n]*"\s*)+)[)}]')
SIDES = ("small", "large")
LOOP = "loop: "


@dataclass
class Tree:
    """What names and counts of the floor stand for, in one version of the project."""
    rows: dict = field(default_factory=dict)  # text by op; of an old version: empty texts
    sources: str = ""  # of the fast path; of the present version alone
    cases: dict = field(default_factory=dict)  # names of recorded cases by file, or what reads them when it is called
    ledger: set = field(default_factory=set)

    def names(self, file):
        names = self.cases.get(file, [])
        if callable(names):
            names = self.cases[file] = names()
        return names


def git_bytes(*words):
    """What git says, or None where it cannot."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def git(*words):
    said = git_bytes(*words)
    return None if said is None else said.decode(errors="replace")


def case_names(packed):
    """Of the cases in a file: records (length, checksum, case, checksum) whose first field is the name (golden.proto)."""
    data, at, names = gzip.decompress(packed), 0, []
    while at < len(data):
        length, at = int.from_bytes(data[at:at + 8], "little"), at + 12
        case, at = data[at:at + length], at + length + 4
        size, shift, begin = 0, 0, 1  # behind the field's key
        while True:
            size |= (case[begin] & 127) << shift
            begin, shift = begin + 1, shift + 7
            if case[begin - 1] < 128:
                break
        if case[0] != 0x0A:
            raise ValueError("a recorded case does not begin with its name")
        names.append(case[begin:begin + size].decode())
    return names


def forgiven(ledger):
    """(backend, cases, gate) of every line; a reason may be put better."""
    lines = [[part.strip() for part in line.split("|")] for line in ledger.splitlines()
             if line and not line.startswith("#")]
    return {(backend.strip(), cases, gate) for backends, cases, gate, *_ in lines for backend in backends.split(",")}


def present():
    rows = {op: row_text(text_of(path), line) for op, (_, path, line) in catalogue().items()}
    sources = "\n".join(text_of(path) for path in tracked("fastpath/**.cc", "fastpath/**.h"))
    cases = {path.name.removesuffix(ENDING): case_names(path.read_bytes()) for path in sorted((ROOT / CASES).iterdir())}
    return Tree(rows, sources, cases, forgiven(text_of(LEDGER)))


def past(commit):
    signatures = git("grep", "-h", "-E", r"\.signature *=", commit, "--", "spec/ops/*/*.cc", ":!*_test.cc") or ""
    paths = (git("ls-tree", "-r", "--name-only", commit, CASES) or "").split()
    cases = {path.split("/")[-1].removesuffix(ENDING): lambda path=path: case_names(git_bytes("show", f"{commit}:{path}"))
             for path in paths}
    return Tree(rows=dict.fromkeys(SIGNATURE.findall(signatures), ""), cases=cases,
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

def is_still_there(kind, name, tree, names, news):
    """Whether the project still has what the name names. `names`: what the floor has now; `news`: what it has gained."""
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
        if not point.startswith(LOOP):
            return f'"{point}"' in tree.sources
        head = point.split("(")[0]
        moved = [LOOP + to for was, to in MOVED_LOOPS.items() if point.startswith(LOOP + was)]
        if any(each.startswith(to) and each.endswith(": " + side) for to in moved for each in names):
            return False
        words = re.findall(r"\w+", head.removeprefix(LOOP))

        def replaces(new):  # with other arguments, or as a function of its own where it was a member
            of_new = re.findall(r"\w+", new.split("(")[0].removeprefix(LOOP))
            return of_new[-1] == words[-1] and set(of_new) <= set(words) and new.endswith(": " + side)

        was_rewritten = any(new.startswith(LOOP) and replaces(new) for new in news)
        return all(re.search(rf"\b{word}\b", tree.sources) for word in words) and not was_rewritten
    return name in tree.rows  # "ops"


def forgiven_cases(names, ledger, backend):
    """Those that lines of the ledger forgive on a backend."""
    patterns = [pattern for of_backend, pattern, _ in ledger if of_backend == backend]
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns)]


def excused(backend, file, before, after):
    """How many of the file's cases are gone, or known to differ since."""
    gone = Counter(before.names(file)) - Counter(after.names(file))
    return gone.total() + len(forgiven_cases(after.names(file), after.ledger - before.ledger, backend))


def least_left(run, kind, name, count, before, after):
    """To what the count of an op or a file may have fallen."""
    suite, backend = run.split()[:2]
    if suite == "ops":
        return count if name in after.rows else 0
    if name not in after.cases:
        return 0
    cases = excused(backend, name, before, after)
    return max(count - cases, 0) if kind == "passed" or not cases else 0  # how much a case compared nobody counted


def least_sum(run, kind, count, before, after):
    """The same of a count over all of a run, as floors had them."""
    suite, backend = run.split()[:2]
    if suite == "ops":
        return 0 if set(before.rows) - set(after.rows) else count
    cases = sum(excused(backend, file, before, after) for file in before.cases)
    return count - cases if kind == "passed" or not cases else 0


def of_run(floor, run):
    """What the floor says of a run; one with more seeds speaks for those with fewer, which have none of their own."""
    return floor.get(run, floor.get(run.partition(" --rounds")[0], {}))


def fallen(old, new, before, after):
    """What the floor `new` lacks of `old`, a line each."""
    for run, kinds in old.items():
        reached = of_run(new, run)
        for kind, least in kinds.items():
            if reached.get(BEFORE.get(kind)):
                continue
            now = reached.get(kind, 0)
            if isinstance(least, list):
                names = set(now) if isinstance(now, list) else set()
                lost = [name for name in least
                        if name not in names and is_still_there(kind, name, after, names, names - set(least))]
                if lost:
                    yield f"{run}: gone from {kind}: {'; '.join(lost)}"
            elif isinstance(now, list):
                if not now:
                    yield f"{run}: {kind} was {least}, and names nothing now"
            elif isinstance(least, dict):
                counts = now if isinstance(now, dict) else {}
                for name, count in least.items():
                    if counts.get(name, 0) < least_left(run, kind, name, count, before, after):
                        yield f"{run}: {kind} of {name} fell from {count} to {counts.get(name, 0)}"
            else:
                total = sum(now.values()) if isinstance(now, dict) else now
                if total < least and total < least_sum(run, kind, least, before, after):
                    yield f"{run}: {kind} fell from {least} to {total}"


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
        kinds = {"ops": list, "attributes": list, "choices": list, "passed": dict}
        if run.startswith("golden"):
            kinds = {"passed": dict, "settled": (dict, int)}
        reached = of_run(floor, run)
        lacking = [kind for kind, form in kinds.items()
                   if not isinstance(reached.get(kind), form) or not reached[kind]]
        if lacking:
            yield f"{run}: no {', '.join(lacking)}; set by: {raising(run)}"


def too_low(floor, now):
    """A line for each file of recorded cases of which the floor lets one fail that no line of the ledger forgives."""
    for run in floor:
        if not run.startswith("golden"):
            continue
        backend, passed, settled = run.split()[1], floor[run].get("passed"), floor[run].get("settled")
        for file in now.cases if isinstance(passed, dict) else []:
            names = now.names(file)
            least = len(names) - len(forgiven_cases(names, now.ledger, backend))
            if passed.get(file, 0) < least:
                yield (f"{run}: {file} has {len(names)} cases, of which the ledger forgives {len(names) - least}, and its "
                       f"floor is {passed.get(file, 0)}; set by: {raising(run)}")
            elif isinstance(settled, dict) and file not in settled:
                yield f"{run}: nobody counted what {file} compares; set by: {raising(run)}"


def raising(run):
    """The command whose full green run raises the floor of this one."""
    of_suite = (run.replace("golden ", "golden conformance/golden/cases --backend ") if run.startswith("golden")
                else run.replace("ops ", "ops --backend ", 1))
    return f"build/bin/plumb conformance {of_suite} --raise-floor"


def with_samples(rows):
    """The ops that the court can try, by run: their rows say how, and, of a GPU, that it has a kernel."""
    tried = {op for op, row in rows.items() if not NO_SAMPLE.search(row)}
    return {"ops cpu": tried, "ops gpu-emulated": {op for op in tried if HAS_GPU.search(rows[op])}}


def untried(floor, rows, excused=None):
    """Which of these ops the floor does not name, a line for each run; and who needs no excuse, or is not there."""
    for run, ops in with_samples(rows).items():
        names, reasons = set(of_run(floor, run).get("ops", [])), (UNTRIED if excused is None else excused).get(run, {})
        lacking = sorted(ops - names - set(reasons))
        if lacking:
            yield (f"{run}: {len(lacking)} ops have samples and are not there: {'; '.join(lacking)}; those that pass "
                   f"come in by: {raising(run)}; of others say why in UNTRIED of tools/check_floor.py")
        yield from (f"{run}: {op} is excused in UNTRIED of tools/check_floor.py, and "
                    + ("passes" if op in names else "is not to be tried")
                    for op in sorted(reasons) if op in names or op not in ops)


def points(sources):
    """(name, whether it is a GPU's) of each choice point that the sources, by path, declare."""
    for path, text in sources.items():
        for literals in POINT.findall(text):
            yield "".join(re.findall(r'"([^"]*)"', literals)), path.startswith("fastpath/gpu/")


def one_sided_loops(floor):
    """The sides of loops, which are points by themselves, that no run takes, though one takes the other."""
    taken = {choice for run in floor if run.startswith("ops ") for choice in floor[run].get("choices", [])
             if choice.startswith(LOOP)}
    loops = {choice.rpartition(": ")[0] for choice in taken}
    return sorted(f"{loop}: {side}" for loop in loops for side in SIDES if f"{loop}: {side}" not in taken)


def one_sided(floor, sources, excused=None):
    """A line for each side of a point that no run takes and no test is named for; and for a name that is not needed."""
    excused, needed = ONE_SIDED if excused is None else excused, set()
    for side in one_sided_loops(floor):
        needed.add(side)
        if side not in excused:
            yield (f"ops cpu: no size takes '{side}'; give the op a sample of such sizes, or name a test that has them "
                   "in ONE_SIDED of tools/check_floor.py")
    for name, is_gpu in points(sources):
        runs = ("ops gpu-emulated",) if is_gpu else ("ops cpu", "ops sim")
        taken = {choice for run in runs for choice in of_run(floor, run).get("choices", [])}
        for side in (f"{name}: {side}" for side in SIDES if f"{name}: {side}" not in taken):
            needed.add(side)
            if side not in excused:
                yield f"{runs[0]}: no size takes '{side}'; name a test that does in ONE_SIDED of tools/check_floor.py"
    yield from (f"ONE_SIDED of tools/check_floor.py has '{side}', which a run takes or nobody declares"
                for side in sorted(set(excused) - needed))


def main():
    floor = json.loads(text_of(FLOOR))
    versions = list(earlier_versions())
    others = [(commit, old) for commit, old in versions if old != floor]
    after = present()
    offences = [*missing(floor, full_runs(text_of("dev"))), *too_low(floor, after), *untried(floor, after.rows)]
    sources = {path: text_of(path) for path in tracked("fastpath/**.cc", "fastpath/**.h", "fastpath/**.cu")
               if not path.endswith("_test.cc") and "/testing/" not in path}
    offences += one_sided(floor, sources)
    offences += [f"ONE_SIDED names {test}, which is not there" for test in set(ONE_SIDED.values())
                 if not (ROOT / test).exists()]
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
