"""Whether a mutant is killed, by what, and why it survived otherwise."""

import re
from dataclasses import dataclass

from draw import read_list
from suites import run_piece, trials

REPORTS = "conformance/report/result."  # what it writes wrongly is not what is reached


@dataclass
class Verdict:
    site: object
    killed_by: str = ""
    reason: str = ""  # of a survivor
    seconds: float = 0


def judge(runner, site, pieces, reasons, locks, floor, near=frozenset()):
    seconds, tried, with_mutant = 0, [], {}
    if site.form == "lock":
        complains, seconds = locks.complains(site)
        if complains:
            return Verdict(site, "locks: clang sees what is touched without it", seconds=seconds)
    for trial in trials(runner, site, pieces, near):
        result, reached = run_piece(runner, trial.command, trial.piece, 3 * trial.seconds + 10,
                                    PLUMB_MUTANT=str(site.number))
        seconds += result.seconds
        if result.status != 0:
            return Verdict(site, f"{trial.group}: {what_failed(result)}", seconds=seconds)
        tried.append(trial.group)
        if trial.piece is not None and trial.piece.backend and not site.path.startswith(REPORTS):
            below = floor.below(trial.piece, reached)
            if below:
                return Verdict(site, f"{trial.group}, the floor: {below}", seconds=seconds)
            if trial.piece.backend == "cpu":
                with_mutant[trial.piece.name] = reached
    fallen = floor.fallen_sides(with_mutant)
    if fallen:
        return Verdict(site, f"conformance ops, the floor: gone from choices: {fallen[0]}", seconds=seconds)
    return Verdict(site, reason=reasons.of(site) or why_not(tried), seconds=seconds)


def what_failed(result):
    if result.timed_out:
        return "ran too long"
    failed = re.search(r"\[  FAILED  \] ([\w/.]+)", result.output)
    if failed:
        return failed.group(1)
    failed = re.search(r"^(?:\s*FAILED|\s*failed) (.*)$", result.output, re.M)
    if result.status < 0:
        running = re.findall(r"\[ RUN      \] ([\w/.]+)", result.output)
        return f"signal {-result.status}" + (f" in {running[-1]}" if running else "")
    return failed.group(1)[:80] if failed else f"exit status {result.status}"


UNKNOWN = "no reason is known"  # nobody has looked yet, or nobody found one: it wants a test


def why_not(tried):
    if not tried:
        return f"{UNKNOWN}: no test reaches it"
    names = dict.fromkeys("conformance ops" if name.startswith("conformance ops") else name for name in tried)
    return f"{UNKNOWN}: {', '.join(names)} reached it and noticed nothing"


class Reasons:
    """What is known of survivors, by tools/mutate/survivors.txt: PATH | FUNCTION: LINE | ORIGINAL → MUTATED | REASON.
    Of each it speaks of one site: the same change elsewhere in the file has no reason by it."""

    def __init__(self, path):
        self.known = {(file, place, change): reason for file, place, change, reason in read_list(path)}

    def of(self, site):
        return self.known.get((site.path, site.place, site.change), "")
