"""Runs the parts of a check on a card: each a command with so many seconds, killed with all its processes after them.

What a part says goes into a file as it is said, so that one that is killed has told what it came to.
"""
import json
import os
import re
import signal
import subprocess
import time

COUNTS = re.compile(r"^(\d+) passed, (\d+) failed", re.MULTILINE)
ROW = re.compile(r"^(\S+) +(\S*) +(passed|failed) ")
TOTAL = re.compile(r"^total +\S+ +(\d+) +(\d+) ", re.MULTILINE)
ORDER = 6  # spaces before what belongs to the row above
TAIL = 40  # lines of a part that failed


def run(name, command, seconds, env, log):
    """What became of one part; its output is in the file `log`."""
    start = time.monotonic()
    with open(log, "w", encoding="utf-8", errors="replace") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=env,
                                   start_new_session=True)
        try:
            code = process.wait(timeout=max(1, seconds))
        except subprocess.TimeoutExpired:
            code = None
        kill_all(process)
    with open(log, encoding="utf-8", errors="replace") as file:
        output = file.read()
    part = {"name": name, "command": " ".join(map(str, command)), "seconds": round(time.monotonic() - start, 1),
            "outcome": "passed" if code == 0 else "out of time" if code is None else "failed", "exit": code,
            "log": str(log), "passed": None, "failed": None, "failures": []}
    part["tail"] = [] if code == 0 else output.splitlines()[-TAIL:]
    return part, output


def kill_all(process):
    """The process and all that it started: they would hold the card."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def slug(name):
    """As a part of a file's name."""
    return re.sub(r"\W+", "-", name).strip("-")


def not_run(name, why="out of time"):
    return {"name": name, "command": "", "seconds": 0, "outcome": f"not run: {why}", "exit": None, "log": "",
            "passed": None, "failed": None, "failures": [], "tail": []}


def judged(part, output, report):
    """Adds to a part of `plumb conformance` what it counted, and all its failures."""
    counts = COUNTS.findall(output) or TOTAL.findall(output)
    if report.exists():
        cases = json.loads(report.read_text())["cases"]
        part["failures"] = [{key: case.get(key, "") for key in ("name", "gate", "detail", "reproduce")}
                            for case in cases if case["outcome"] == "failed"]
    else:
        part["failures"], outcomes = told(output)
        counts = counts or [(outcomes.count("passed"), outcomes.count("failed"))]
    if counts:
        part["passed"], part["failed"] = map(int, counts[-1])
    objections = [line for line in output.splitlines() if line.startswith("NOT GREEN")]
    part["tail"] = objections if part["outcome"] == "failed" and (part["failures"] or objections) else part["tail"]
    return part


def told(output):
    """The failures among rows that were printed before a part was killed, and the outcomes of all."""
    failures, outcomes, is_open = [], [], False
    for line in output.splitlines():
        row = ROW.match(line)
        if row:
            outcomes.append(row[3])
            is_open = row[3] == "failed"
            if is_open:
                failures.append({"name": f"{row[1]}/{row[2]}".rstrip("/"), "gate": "", "detail": "", "reproduce": ""})
        elif is_open and line.startswith(" " * ORDER + "again: "):
            failures[-1]["reproduce"] = line.strip()[len("again: "):]
        elif is_open:
            failures[-1]["detail"] = f"{failures[-1]['detail']}\n{line.strip()}".strip()
    return failures, outcomes


class Clock:
    """Shares what is left of the time among the stages that are left, by their weights."""

    def __init__(self, seconds, weights):
        self.end, self.weights = time.monotonic() + seconds, list(weights)

    def left(self):
        return self.end - time.monotonic()

    def next_share(self):
        """Seconds for the next stage. What earlier ones did not need is shared among the later ones."""
        total = sum(self.weights)
        return max(0.0, self.left()) * self.weights.pop(0) / total
