"""Mutation testing of spec, reference, fastpath and conformance; see README.md. Started by `./dev mutate`."""

import argparse
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from fnmatch import fnmatch
from pathlib import Path

from draw import Equivalents, all_sites, draw, read_sources, tracked_files, wide_headers
from floor import FLOOR, Floor
from judge import Reasons, judge
from locks import Locks, checked_sources
from nearby import nearby_ops, ops_by_file
from report import line_of, report, report_unreached, say
from suites import Runner, list_pieces, survey
from tree import Tree

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(HERE.parent))

import op_sources  # noqa: E402

SPARE = 1.6  # drawn for each one wanted, for a quarter of them does not compile


def options():
    parser = argparse.ArgumentParser(prog="./dev mutate", description=__doc__)
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the result there")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="which mutants are drawn (default 1)")
    parser.add_argument("--count", metavar="N", type=int, default=120, help="how many (default 120)")
    parser.add_argument("--only", metavar="PATTERN", help="only in these files: 'fastpath/cpu/*'")
    parser.add_argument("--kind", metavar="KIND", help="only of this kind: arithmetic, lock, …")
    parser.add_argument("--unreached", action="store_true", help="show which of those drawn no test reaches, and stop")
    parser.add_argument("--list", action="store_true", help="show what would be drawn, and stop")
    return parser.parse_args()


class Clock:
    def __init__(self):
        self.last = self.start = time.monotonic()

    def lap(self, what):
        now = time.monotonic()
        say(f"== {what}: {now - self.last:.0f} s")
        self.last = now


def drawn_sites(chosen, count):
    paths = tracked_files(ROOT)
    files = read_sources(ROOT, paths)
    wide = set() if chosen.only else wide_headers(ROOT, paths)
    sizes = {}
    for file in files:
        folder = file.path.split("/")[0]
        sizes[folder] = sizes.get(folder, 0) + len(file.tokens)
    sites = [site for site in all_sites(files, Equivalents(HERE / "equivalent.txt"))
             if site.path not in wide and (not chosen.only or fnmatch(site.path, chosen.only))
             and (not chosen.kind or site.kind == chosen.kind)]
    return sites, draw(sites, sizes, chosen.seed, count)


def judge_all(runner, sites, pieces, locks, near, jobs):
    reasons, floor = Reasons(HERE / "survivors.txt"), Floor(json.loads((ROOT / FLOOR).read_text()), pieces)
    verdicts = {}
    with ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(judge, runner, site, pieces, reasons, locks, floor, set(near.get(site.path, [])))
                   for site in sites]
        for done in as_completed(running):
            verdict = done.result()
            verdicts[verdict.site.number] = verdict
            outcome = f"killed by {verdict.killed_by}" if verdict.killed_by else f"SURVIVED: {verdict.reason}"
            say(f"{line_of(verdict.site)}\n          {outcome} ({verdict.seconds:.0f} s)")
    return [verdicts[site.number] for site in sites]


def cost_of_groups(pieces):
    costs = {}
    for piece in pieces:
        costs[piece.group] = costs.get(piece.group, 0) + piece.seconds
    return costs


def main():
    chosen = options()
    jobs = int(os.environ.get("PLUMB_JOBS", os.cpu_count() or 1))
    clock = Clock()
    possible, sites = drawn_sites(chosen, chosen.count if chosen.list else round(chosen.count * SPARE) + 1)
    if chosen.list:
        for site in sites:
            say(line_of(site))
        say(f"{len(sites)} of {len(possible)} sites")
        return 0
    clock.lap(f"drew {len(sites)} of {len(possible)} sites")
    folder = ROOT / "build" / "mutate"
    tree = Tree(ROOT, folder, jobs)
    sites = tree.compile(sites, say)[:chosen.count]
    clock.lap("built")
    runner = Runner(tree.source, folder)
    topics = {op: topic for op, (topic, _, _) in op_sources.catalogue().items()}
    pieces = list_pieces(runner, nearby_ops(ROOT, sites, topics))
    survey(runner, pieces, jobs)
    left_out = [piece for piece in pieces if piece.status != 0 and not piece.compares_nothing]
    for piece in left_out:
        say(f"   fails without a mutant, and is left out: {piece.group} {piece.name} (exit status {piece.status})")
    costs = ", ".join(f"{group} {seconds:.0f} s" for group, seconds in cost_of_groups(pieces).items())
    clock.lap(f"ran {len(pieces)} pieces of the tests without a mutant ({costs})")
    if chosen.unreached:
        return report_unreached(sites, set().union(*(piece.reached for piece in pieces)))
    locks = Locks(ROOT, checked_sources(ROOT, tree), runner.scratch)
    verdicts = judge_all(runner, sites, pieces, locks, ops_by_file(ROOT, sites, topics), jobs)
    clock.lap(f"tried {len(verdicts)} mutants")
    status = report(verdicts, chosen.json)
    if left_out:
        say(f"{len(left_out)} pieces of the tests fail without a mutant: what they would have killed is not known")
    return 1 if left_out else status


if __name__ == "__main__":
    sys.exit(main())
