"""Whether a mutant is killed, by what, and why it survived otherwise."""

import re
from dataclasses import dataclass

from draw import read_list
from suites import trials


@dataclass
class Verdict:
    site: object
    killed_by: str = ""
    reason: str = ""  # of a survivor
    seconds: float = 0


def judge(runner, site, pieces, reasons, locks):
    seconds, tried = 0, []
    if site.form == "lock":
        complains, seconds = locks.complains(site)
        if complains:
            return Verdict(site, "locks: clang sees what is touched without it", seconds=seconds)
    for trial in trials(runner, site, pieces):
        result = runner.run(trial.command, 3 * trial.seconds + 10, PLUMB_MUTANT=str(site.number))
        seconds += result.seconds
        if result.status != 0:
            return Verdict(site, f"{trial.group}: {what_failed(result)}", seconds=seconds)
        tried.append(trial.group)
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


def why_not(tried):
    if not tried:
        return "not looked at yet: no test reaches it"
    names = dict.fromkeys("conformance ops" if name.startswith("conformance ops") else name for name in tried)
    return f"not looked at yet: reached by {', '.join(names)}; no test noticed"


class Reasons:
    """What is known of survivors, by tools/mutate/survivors.txt: PATH | ORIGINAL → MUTATED | REASON."""

    def __init__(self, path):
        self.known = {(where, change): reason for where, change, reason in read_list(path)}

    def of(self, site):
        return self.known.get((site.path, site.change), "")
