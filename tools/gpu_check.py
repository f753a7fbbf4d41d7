#!/usr/bin/env python3
"""Judges the GPU kernels on a card: one report, as JSON and as text, with the card's name.

    tools/gpu_check.py [--quick] [--only REGEX] [--program build/bin/plumb] [--report build/gpu-check.json]

Conformance of all ops, the recorded cases, the laws with nodes at random places, NVIDIA's compute-sanitizer over a part
of the ops where it is installed, and benches: each with its share of what the card can do, beside PyTorch where that
can be imported. In a bundle (./dev build gpu-bundle) it runs the program that lies beside it, and Python is all it
needs. Ends with 1 where a part failed, and with 2 where there is no card to judge on.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUNDLED = HERE / "plumb"
CARD = re.compile(r"^/device:GPU:(\d+)\s+[\d.]+ GiB\s+(.*)$", re.MULTILINE)
COUNTS = re.compile(r"^(\d+) passed, (\d+) failed", re.MULTILINE)
LIMIT = {True: 180, False: 480}  # seconds for all parts, of a quick check and of a full one
EMULATED = "gpu-emulated"
# --elements, --side and --batch of `plumb gpu-bench`; an emulator's figures mean nothing, so it gets little to do.
SIZES = {"gpu": (1 << 26, 8192, 1024), EMULATED: (512, 16, 4)}


class Place:
    """Where the programs and the recorded cases are: in a bundle, or in a build."""

    def __init__(self, program):
        self.is_bundle = program is None and BUNDLED.exists()
        self.program = str(BUNDLED) if self.is_bundle else program or "build/bin/plumb"
        self.cases = str(HERE / "cases") if self.is_bundle else "conformance/golden/cases"
        beside = Path(self.program).with_name("plumb_property_test")
        self.laws = [self.program, "test"] if self.is_bundle else [str(beside)]
        self.report = "gpu-check.json" if self.is_bundle else "build/gpu-check.json"


def parts(place, given):
    """(name, command) of each part, the most telling first."""
    rounds = ["--rounds", "1"] if given.quick else []
    some = ["--filter", given.filter] if given.filter else []
    ops = [place.program, "conformance", "ops", "--backend", given.backend]
    yield "ops", [*ops, *rounds, *some]
    yield "benches", [place.program, "gpu-bench", "--backend", given.backend, *sizes(given.backend),
                      "--report", f"{given.report}.benches"]
    yield "recorded cases", [place.program, "conformance", "golden", place.cases, "--backend", given.backend, *some]
    yield "laws", [*place.laws, "--gtest_brief=1", "--gtest_filter=Devices.*"]
    sanitizer = shutil.which("compute-sanitizer")
    if sanitizer and given.backend != EMULATED:
        for tool in ["memcheck"] if given.quick else ["memcheck", "racecheck"]:
            for op in ["MatMul", "Transpose", "Add"]:
                yield f"{tool} of {op}", [sanitizer, "--tool", tool, "--error-exitcode", "1", "--target-processes",
                                          "all", *ops, "--rounds", "1", "--filter", f"{op}/T=float32"]


def sizes(backend):
    return [text for name, size in zip(["--elements", "--side", "--batch"], SIZES[backend]) for text in [name, str(size)]]


def environment(backend, quick):
    """Of the parts: laws draw so many cases, and CUDA's libraries are also looked for where pip puts them."""
    libraries = [os.environ.get("LD_LIBRARY_PATH"), "/usr/local/cuda/lib64"]
    libraries += [str(found) for folder in sys.path for found in Path(folder or ".").glob("nvidia/*/lib")]
    cards = {} if backend == EMULATED else {"PLUMB_CARDS": "1"}
    return {"RC_PARAMS": f"max_success={50 if quick else 300}", **os.environ, **cards,
            "LD_LIBRARY_PATH": ":".join(filter(None, libraries))}


def run(name, command, seconds, env):
    """What became of one part."""
    start = time.monotonic()
    try:
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds,
                              env=env)
        code, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as error:
        code, output = None, (error.stdout or b"").decode(errors="replace") if error.stdout else ""
    counts = COUNTS.findall(output)
    return {
        "name": name,
        "command": " ".join(command),
        "seconds": round(time.monotonic() - start, 1),
        "outcome": "passed" if code == 0 else "out of time" if code is None else "failed",
        "passed": int(counts[-1][0]) if counts else None,
        "failed": int(counts[-1][1]) if counts else None,
        "tail": [] if code == 0 else output.splitlines()[-40:],
    }


def benches(given, env):
    """The figures of the benches, with PyTorch's for the same where it runs here."""
    file = Path(f"{given.report}.benches")
    if not file.exists():
        return None
    figures = json.loads(file.read_text())
    file.unlink()
    device = "cpu" if given.backend == EMULATED else "cuda"
    try:
        peers = subprocess.run([sys.executable, str(HERE / "gpu_peers.py"), *sizes(given.backend), "--device", device],
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, env=env)
        theirs = json.loads(peers.stdout) if peers.returncode == 0 else {}
        figures["peer"] = "PyTorch" if theirs else (peers.stderr.splitlines() or ["PyTorch ended"])[-1]
    except subprocess.TimeoutExpired:
        theirs, figures["peer"] = {}, "PyTorch was out of time"
    for bench in figures["benches"]:
        bench["peer_seconds"] = theirs.get(bench["name"])
    return figures


def bench_lines(figures):
    rates = figures["ceilings"]
    yield (f"copies: {rates['copy'] / 1e9:.4g} GB/s within the card, read and written; "
           f"{rates['to_card'] / 1e9:.4g} to it, {rates['from_card'] / 1e9:.4g} from it; "
           f"a round trip {rates['round_trip'] * 1e6:.1f} us; beside it: {figures['peer']}")
    for bench in figures["benches"]:
        theirs = bench["peer_seconds"]
        beside = f", {theirs / bench['seconds']:.2f} times as fast as PyTorch" if theirs else ""
        yield (f"    {bench['name']:32}{bench['seconds'] * 1e6:12.1f} us, {bench['share']:.1%} of "
               f"{bench['ceiling']}{beside}")


def text_of(report):
    lines = [f"card: {report['card']}"]
    for part in report["parts"]:
        counts = "" if part["passed"] is None else f", {part['passed']} passed, {part['failed']} failed"
        lines.append(f"{part['name']}: {part['outcome']} in {part['seconds']} s{counts}")
        lines += [f"    {line}" for line in part["tail"]]
    return "\n".join(lines + list(bench_lines(report["benches"]) if report["benches"] else []))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="at most 3 minutes")
    options.add_argument("--only", default=".", metavar="REGEX", help="parts whose name matches")
    options.add_argument("--filter", help="ops and recorded cases, as `plumb conformance` takes them")
    options.add_argument("--backend", default="gpu", choices=SIZES, help=f"{EMULATED}: tries the check itself")
    options.add_argument("--program", help="the command; its tests are beside it")
    options.add_argument("--report", help="where the JSON goes")
    given = options.parse_args()
    place = Place(given.program)
    given.report = given.report or place.report
    env = environment(given.backend, given.quick)
    devices = subprocess.run([place.program, "devices"], text=True, stdout=subprocess.PIPE, check=True, env=env).stdout
    card = CARD.search(devices)
    if card is None and given.backend != EMULATED:
        print(devices + "there is no card to judge on")
        return 2
    report = {"card": "emulated" if given.backend == EMULATED else card[2], "quick": given.quick, "parts": []}
    end = time.monotonic() + LIMIT[given.quick]
    for name, command in parts(place, given):
        if re.search(given.only, name):
            report["parts"].append(run(name, command, max(1, end - time.monotonic()), env))
    report["benches"] = benches(given, env)
    Path(given.report).write_text(json.dumps(report, indent=1) + "\n")
    print(text_of(report))
    return 0 if all(part["outcome"] == "passed" for part in report["parts"]) else 1


if __name__ == "__main__":
    sys.exit(main())
