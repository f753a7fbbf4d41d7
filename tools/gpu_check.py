#!/usr/bin/env python3
"""Judges the GPU kernels on a card: one report, as JSON and as text, with the card's name.

    tools/gpu_check.py [--quick] [--program build/bin/plumb] [--report build/gpu-check.json]

Conformance of all ops, the recorded cases, and NVIDIA's compute-sanitizer over a part of the ops where it is installed.
Ends with 1 where a part failed, and with 2 where there is no card to judge on.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

CARD = re.compile(r"^/device:GPU:(\d+)\s+[\d.]+ GiB\s+(.*)$", re.MULTILINE)
COUNTS = re.compile(r"^(\d+) passed, (\d+) failed", re.MULTILINE)
LIMIT = {True: 180, False: 480}  # seconds for all parts, of a quick check and of a full one


def parts(program, quick):
    """(name, command) of each part, the most telling first."""
    rounds = ["--rounds", "1"] if quick else []
    yield "ops", [program, "conformance", "ops", "--backend", "gpu", *rounds]
    yield "recorded cases", [program, "conformance", "golden", "conformance/golden/cases", "--backend", "gpu"]
    sanitizer = shutil.which("compute-sanitizer")
    if sanitizer:
        for tool in ["memcheck"] if quick else ["memcheck", "racecheck"]:
            for op in ["MatMul", "Transpose", "Add"]:
                yield f"{tool} of {op}", [sanitizer, "--tool", tool, "--error-exitcode", "1", "--target-processes",
                                          "all", program, "conformance", "ops", "--backend", "gpu", "--rounds", "1",
                                          "--filter", f"{op}/T=float32"]


def run(name, command, seconds):
    """What became of one part."""
    start = time.monotonic()
    try:
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
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


def text_of(report):
    lines = [f"card: {report['card']}"]
    for part in report["parts"]:
        counts = "" if part["passed"] is None else f", {part['passed']} passed, {part['failed']} failed"
        lines.append(f"{part['name']}: {part['outcome']} in {part['seconds']} s{counts}")
        lines += [f"    {line}" for line in part["tail"]]
    return "\n".join(lines)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="at most 3 minutes")
    options.add_argument("--program", default="build/bin/plumb")
    options.add_argument("--report", default="build/gpu-check.json")
    given = options.parse_args()
    devices = subprocess.run([given.program, "devices"], text=True, stdout=subprocess.PIPE, check=True).stdout
    card = CARD.search(devices)
    if card is None:
        print(devices + "there is no card to judge on")
        return 2
    report = {"card": card[2], "quick": given.quick, "parts": []}
    end = time.monotonic() + LIMIT[given.quick]
    for name, command in parts(given.program, given.quick):
        report["parts"].append(run(name, command, max(1, end - time.monotonic())))
    Path(given.report).write_text(json.dumps(report, indent=1) + "\n")
    print(text_of(report))
    return 0 if all(part["outcome"] == "passed" for part in report["parts"]) else 1


if __name__ == "__main__":
    sys.exit(main())
