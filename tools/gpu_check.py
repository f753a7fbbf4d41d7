#!/usr/bin/env python3
"""Judges the GPU kernels on a card: one report, as JSON and as text, with the card's name.

    tools/gpu_check.py [--quick] [--only REGEX] [--limit SECONDS] [--program build/bin/plumb]
                       [--report build/gpu-check.json]

Conformance of all ops, benches, each with its share of what the card can do, beside PyTorch where this Python can import
it, the recorded cases, the laws with nodes at random places, and NVIDIA's compute-sanitizer over a part of the kernels
where it is installed. Each part has a share of the time, and what it does not need is for the next ones. The report is
whole after each part; what the parts said is in a folder beside it (gpu-check.parts). In a bundle (./dev build
gpu-bundle) it runs the program that lies beside it, and Python is all it needs. Ends with 1 where a part failed or was
out of time, and with 2 where there is no card to judge on.
"""
import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import gpu_figures
import gpu_parts
import gpu_sanitized

HERE = Path(__file__).resolve().parent
BUNDLED = HERE / "plumb"
CARD = re.compile(r"^/device:GPU:(\d+)\s+[\d.]+ GiB\s+(.*)$", re.MULTILINE)
LIMIT = {True: 170, False: 470}  # seconds for all parts, of a quick check and of a full one
EMULATED = "gpu-emulated"
# Parts, the most telling first, and their weights in the time: of a full check, and of a quick one.
WEIGHTS = {"ops": (13, 6), "benches": (12, 5), "PyTorch": (9, 3), "recorded cases": (5, 2), "laws": (3, 1),
           "sanitizer": (10, 3)}


class Place:
    """Where the programs and the recorded cases are: in a bundle, or in a build."""

    def __init__(self, program):
        self.is_bundle = program is None and BUNDLED.exists()
        self.program = str(BUNDLED) if self.is_bundle else program or "build/bin/plumb"
        self.cases = str(HERE / "cases") if self.is_bundle else "conformance/golden/cases"
        beside = Path(self.program).with_name("plumb_property_test")
        self.laws = [self.program, "test"] if self.is_bundle else [str(beside)]
        self.report = "gpu-check.json" if self.is_bundle else "build/gpu-check.json"


class Check:
    """The parts, and the report that they leave."""

    def __init__(self, place, given, card, devices):
        self.place, self.given = place, given
        self.is_card = given.backend != EMULATED
        self.env = environment(self.is_card, given.quick)
        self.some = ["--filter", given.filter] if given.filter else []
        self.jobs = ["--jobs", str(os.cpu_count() or 1)]
        self.folder = Path(given.report).with_suffix(".parts")
        self.folder.mkdir(parents=True, exist_ok=True)
        self.small = [] if self.is_card else ["--small"]
        self.report = {"card": card, "devices": devices, "quick": given.quick, "parts": [], "benches": None}

    def run(self):
        chosen = [name for name in WEIGHTS if re.search(self.given.only, name)]
        clock = gpu_parts.Clock(self.given.limit, [WEIGHTS[name][self.given.quick] for name in chosen])
        steps = {"ops": self.ops, "benches": self.benches, "PyTorch": self.peers, "recorded cases": self.golden,
                 "laws": self.laws, "sanitizer": self.sanitizer}
        for name in chosen:
            for part in steps[name](clock, clock.next_share()):
                self.report["parts"].append(part)
                print("\n".join(text_of_part(part)), flush=True)
            Path(self.given.report).write_text(json.dumps(self.report, indent=1) + "\n")

    def conformance(self, name, words, seconds):
        report = self.folder / f"{gpu_parts.slug(name)}.json"
        report.unlink(missing_ok=True)
        command = [self.place.program, "conformance", *words, "--backend", self.given.backend, *self.jobs, *self.some,
                   "--report", str(report)]
        return gpu_parts.judged(*self.part(name, command, seconds), report)

    def part(self, name, command, seconds):
        return gpu_parts.run(name, command, seconds, self.env, self.folder / f"{gpu_parts.slug(name)}.txt")

    def ops(self, _, seconds):
        rounds = ["--rounds", "1"] if self.given.quick else []
        yield self.conformance("ops", ["ops", "--timeout", "30", *rounds], seconds)

    def golden(self, _, seconds):
        yield self.conformance("recorded cases", ["golden", self.place.cases, "--timeout", "30"], seconds)

    def laws(self, _, seconds):
        part, _ = self.part("laws", [*self.place.laws, "--gtest_brief=1", "--gtest_filter=Devices.*"], seconds)
        yield part

    def benches(self, clock, seconds):
        begin = clock.left()
        options = ["--backend", self.given.backend, *self.small]
        rows, ceilings = gpu_figures.ours(self.place.program, options, seconds, self.env, self.folder)
        self.report["benches"] = {"ceilings": ceilings, "peer": "not asked",
                                  "benches": gpu_figures.with_peers(rows, {})}
        yield summed("benches", rows, begin - clock.left())

    def peers(self, clock, seconds):
        """In the environment of this program: PyTorch finds its libraries itself."""
        begin = clock.left()
        options = [*self.small, "--device", "cuda" if self.is_card else "cpu"]
        lines, said = gpu_figures.theirs(options, seconds, dict(os.environ), self.folder)
        figures = self.report["benches"]
        if figures is not None:
            figures["peer"] = said
            gpu_figures.with_peers(figures["benches"], lines)
        self.report["peers"] = list(lines.values())
        part = summed("PyTorch", lines.values(), begin - clock.left())
        if not lines:  # where it is not installed there is nothing to be put beside
            part.update(outcome="absent", tail=[said])
        yield part

    def sanitizer(self, clock, seconds):
        path = gpu_sanitized.sanitizer()
        if not self.is_card or path is None:
            yield gpu_parts.not_run("sanitizer", "there is no compute-sanitizer" if self.is_card else "no card")
            return
        commands = list(gpu_sanitized.commands(path, self.place.program, self.given.backend, self.given.quick))
        yield from gpu_sanitized.run_all(commands, clock, seconds, self.env, self.folder)

    def is_well(self):
        """An absent tool is no failure; a part that had no time is one."""
        return all(part["outcome"] in ("passed", "absent", "not run: no card", "not run: there is no compute-sanitizer")
                   for part in self.report["parts"])


def summed(name, rows, seconds):
    """A part of what is in rows."""
    failures = [{"name": row["name"], "gate": "", "detail": row["error"], "reproduce": ""}
                for row in rows if row.get("error")]
    return {**gpu_parts.not_run(name), "outcome": "failed" if failures else "passed", "seconds": round(seconds, 1),
            "passed": len(rows) - len(failures), "failed": len(failures), "failures": failures}


def environment(is_card, quick):
    """Of the parts: laws draw so many cases, and CUDA's libraries are also looked for where pip puts them."""
    libraries = [os.environ.get("LD_LIBRARY_PATH"), "/usr/local/cuda/lib64"]
    libraries += [str(found) for folder in sys.path for found in Path(folder or ".").glob("nvidia/*/lib")]
    cards = {"PLUMB_CARDS": "1"} if is_card else {}
    return {"RC_PARAMS": f"max_success={50 if quick else 300}", **os.environ, **cards,
            "LD_LIBRARY_PATH": ":".join(filter(None, libraries))}


def text_of_part(part):
    counts = "" if part["passed"] is None else f", {part['passed']} passed, {part['failed']} failed"
    yield f"{part['name']}: {part['outcome']} in {part['seconds']} s{counts}"
    for failure in part["failures"]:
        what = ": ".join(filter(None, [failure["gate"], " ".join(failure["detail"].split())[:300]]))
        yield f"    {failure['name']}: {what}"
    yield from (f"    | {line}" for line in part["tail"])


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="at most 3 minutes")
    parser.add_argument("--only", default=".", metavar="REGEX", help=f"parts whose name matches: {', '.join(WEIGHTS)}")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="for all parts (default: 470, or 170 if quick)")
    parser.add_argument("--filter", help="ops and recorded cases, as `plumb conformance` takes them")
    parser.add_argument("--backend", default="gpu", choices=["gpu", EMULATED], help=f"{EMULATED}: tries the check itself")
    parser.add_argument("--program", help="the command; its tests are beside it")
    parser.add_argument("--report", help="where the JSON goes")
    return parser


def main():
    given = options().parse_args()
    place = Place(given.program)
    given.report = given.report or place.report
    given.limit = given.limit or LIMIT[given.quick]
    is_card = given.backend != EMULATED
    devices = subprocess.run([place.program, "devices"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             env=environment(is_card, given.quick)).stdout
    card = CARD.search(devices)
    if card is None and is_card:
        print(devices + "there is no card to judge on")
        return 2
    print(devices, end="", flush=True)
    check = Check(place, given, card[2] if is_card else "emulated", devices.splitlines())
    check.run()
    if check.report["benches"]:
        print("\n".join(gpu_figures.lines(check.report["benches"])))
    print(f"card: {check.report['card']}")
    return 0 if check.is_well() else 1


if __name__ == "__main__":
    sys.exit(main())
