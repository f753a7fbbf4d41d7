"""The tests that may kill a mutant, in pieces small enough to say which piece reaches which mutant."""

import contextlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from floor import FLOOR, Reached

# Of the laws: few cases, and always the same ones.
RC_PARAMS = "seed=1 max_success=60"
GOLDEN = "conformance/golden/cases"
BACKENDS = ("reference", "cpu", "sim", "gpu-emulated")
ACCELERATORS = ("sim", "gpu-emulated")
NO_CUDNN = "gpu-emulated without cuDNN"  # what `./dev test` has convolutions run on as well
CORPORA = "property-tests/fuzz/corpora"
AT_MOST = 40  # ops tried on an accelerator for one mutant: what more of them reach is no kernel's, but in all steps
OF_THE_COURT = 100  # ops tried for a mutant of the court itself, which does with each the same
NOTHING = "nothing was compared"  # as `plumb conformance` says it
FILES_AT_ONCE = 24  # recorded files replayed by one command
# A simulated device maps 16 GiB of a memory file, most of which never exists; that counts as a file, and not as data.
LIMITS = ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 16 << 30), (resource.RLIMIT_DATA, 24 << 30))


@dataclass
class Piece:
    """A suite of a GoogleTest binary, an op of `plumb conformance ops`, on an accelerator too, a file of recorded cases,
    or the corpus of a fuzz target."""
    group: str
    name: str
    command: list
    seconds: float = 0
    status: int = 0  # without a mutant
    reached: set = field(default_factory=set)  # numbers of mutants
    compares_nothing: bool = False  # an executor's op, a file of ops that are not there: the run says so, and fails
    backend: str = ""  # of an op whose full run is held to the floor
    reached_by_op: Reached = field(default_factory=Reached)


@dataclass
class Result:
    status: int
    seconds: float
    timed_out: bool
    output: str


class Runner:
    """Runs commands in the mutants' tree, each in a session of its own with limits, so that nothing of it is left."""

    def __init__(self, source, folder):
        self.source, self.scratch = source, folder / "scratch"
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)

    def run(self, command, timeout, **environment):
        scratch = tempfile.mkdtemp(dir=self.scratch)
        variables = {**os.environ, "PLUMB_SOURCE_DIR": str(self.source), "PLUMB_BINARY_DIR": str(self.source / "build"),
                     "RC_PARAMS": RC_PARAMS, "TMPDIR": scratch, **environment}
        started = time.monotonic()
        log = Path(scratch) / "output"
        with log.open("w+", errors="replace") as output:
            process = subprocess.Popen([str(word) for word in command], cwd=self.source, env=variables, stdout=output,
                                       stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                                       preexec_fn=lower_limits)
            try:
                status, timed_out = process.wait(timeout), False
            except subprocess.TimeoutExpired:
                status, timed_out = 124, True
            end_session(process)
        text = log.read_text(errors="replace")[-200000:]
        shutil.rmtree(scratch, ignore_errors=True)
        return Result(status, time.monotonic() - started, timed_out, text)


def lower_limits():
    for limit, value in LIMITS:
        resource.setrlimit(limit, (value, value))


def end_session(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # It and all that it started are gone.
    process.wait()


def list_pieces(runner, near):
    """Every piece there is; on accelerators the ops that are near the mutants (nearby.py)."""
    build = runner.source / "build"
    pieces = []
    for binary in sorted(build.glob("bin/plumb_*_test")):
        listed = runner.run([binary, "--gtest_list_tests"], 60).output
        suites = dict.fromkeys(re.findall(r"^(\w[\w/]*)\.", listed, re.M))
        pieces += [Piece(binary.name, suite, [binary, f"--gtest_filter={suite}.*"]) for suite in suites]
    plumb = build / "bin" / "plumb"
    ops = re.findall(r"^([A-Z_]\w*) ", runner.run([plumb, "ops"], 60).output, re.M)
    pieces += [Piece("ops", op, [plumb, "conformance", "ops", "--filter", op], backend="cpu") for op in ops]
    for backend in ACCELERATORS:
        tried = [plumb, "conformance", "ops", "--backend", backend, "--rounds", "1", "--filter"]
        there = [op for op in ops_on(backend, runner.source, ops) if op in near]
        pieces += [Piece(ops_group(backend), op, [*tried, op], backend=backend) for op in there]
        if NO_CUDNN.startswith(backend):
            without = ["env", "PLUMB_EMULATED_CUDNN=absent", *tried]
            pieces += [Piece(ops_group(NO_CUDNN), op, [*without, op]) for op in there if op.startswith("Conv")]
    for binary in sorted(build.glob("fuzzers/fuzz_*")):
        name = binary.name.removeprefix("fuzz_")
        if binary.is_file() and (runner.source / CORPORA / name).is_dir():
            pieces.append(Piece("fuzz", name, [binary, runner.source / CORPORA / name]))
    for file in sorted((runner.source / GOLDEN).glob("*.golden.gz")):
        pieces.append(Piece("golden", file.name, golden_command(runner, [file.name], "one-" + file.name)))
    return pieces


def ops_group(backend):
    return f"ops --backend {backend}"


def ops_on(backend, source, ops):
    """Those that have run on this accelerator, by the floor; of others the run says that nothing was compared."""
    floor = json.loads((source / FLOOR).read_text())
    there = floor.get(f"ops {backend}", {}).get("ops", ops)
    return [op for op in ops if op in there]


def golden_command(runner, files, folder):
    """Replays some of the recorded files: from a folder of links to them."""
    links = runner.source / "build" / "golden" / folder
    shutil.rmtree(links, ignore_errors=True)
    links.mkdir(parents=True)
    for file in files:
        (links / file).symlink_to(runner.source / GOLDEN / file)
    backends = [word for backend in BACKENDS for word in ("--backend", backend)]
    return [runner.source / "build" / "bin" / "plumb", "conformance", "golden", links, "--jobs", "1", *backends]


def survey(runner, pieces, jobs):
    """Runs each piece without a mutant: how long it takes, its exit status, and which mutants it reaches."""
    def look(piece):
        trace = Path(tempfile.mkstemp(dir=runner.scratch)[1])
        result, piece.reached_by_op = run_piece(runner, piece.command, piece, 1200, PLUMB_MUTANT_TRACE=str(trace))
        piece.seconds, piece.status = result.seconds, result.status
        piece.compares_nothing = result.status == 1 and NOTHING in result.output
        piece.reached = {int(number) for number in trace.read_text().split()}
        trace.unlink()

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(look, pieces))


def run_piece(runner, command, piece, timeout, **environment):
    """(The result, what the op reached, if the piece is one that is held to the floor.)"""
    if piece is None or not piece.backend:
        return runner.run(command, timeout, **environment), Reached()
    report = Path(tempfile.mkstemp(dir=runner.scratch)[1])
    result = runner.run([*command, "--report", report], timeout, **environment)
    reached = piece.reached_by_op if result.status == 0 else Reached()
    with contextlib.suppress(ValueError, TypeError, LookupError, AttributeError):  # a mutant may write anything
        reached = Reached.read(report)
    report.unlink()
    return result, reached


def own_groups(path):
    """The groups that are there for this file, the nearest first."""
    if not path.startswith("fastpath/gpu/"):
        return [f"plumb_{path.split('/')[0]}_test"]
    return ["plumb_emulator_test" if path.startswith("fastpath/gpu/emulator/") else "plumb_gpu_test",
            ops_group("gpu-emulated")]


@dataclass
class Trial:
    """One command that tries a mutant on some pieces."""
    group: str
    command: list
    seconds: float
    piece: Piece = None  # if it is one alone


def trials(runner, site, pieces, near=frozenset()):
    """What to run for a mutant, the likeliest to kill it first; only pieces that reach it and pass without it. `near`:
    the ops whose topic the mutated file is of, which come first where not all are tried."""
    groups = defaultdict(list)
    for piece in pieces:
        if site.number in piece.reached and piece.status == 0:
            groups[piece.group].append(piece)
    own, late = own_groups(site.path), ["golden", *map(ops_group, (*ACCELERATORS, NO_CUDNN))]
    cost = {group: sum(p.seconds for p in members) for group, members in groups.items()}
    most = OF_THE_COURT if site.path.startswith("conformance/") else None
    for group in sorted(groups, key=lambda g: (own.index(g) if g in own else len(own), g in late, cost[g])):
        members = sorted(groups[group], key=lambda p: p.seconds)
        if group == "ops" or group in late[1:]:
            members.sort(key=lambda p: p.name not in near)
            some = members[:most if group == "ops" else AT_MOST]
            yield from (Trial(f"conformance {group} {p.name}", p.command, p.seconds, p) for p in some)
        elif group == "fuzz":
            yield from (Trial(f"fuzz {p.name}", p.command, p.seconds, p) for p in members)
        elif group == "golden":
            for at in range(0, len(members), FILES_AT_ONCE):
                some = members[at:at + FILES_AT_ONCE]
                command = golden_command(runner, [p.name for p in some], f"mutant-{site.number}")
                yield Trial("conformance golden", command, sum(p.seconds for p in some))
        else:
            suites = ":".join(f"{p.name}.*" for p in members)
            yield Trial(group, [members[0].command[0], f"--gtest_filter={suites}", "--gtest_fail_fast",
                                "--gtest_brief=1"], cost[group])
