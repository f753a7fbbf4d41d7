"""Runs single ops on Plumb and on TensorFlow, in turns, and prints the ratio of their times, by family and in all.

The inputs are drawn from the ops' rows, large ones, or written by hand (write_op_graphs.cc). The method is that of
compare.py.
"""

import argparse
import collections
import fnmatch
import json
import math
import os
import statistics
import subprocess
import sys

from compare import Peer

ROUND_SECONDS = 0.05
SLOW = 1.1  # a family slower than this is named


class Peers:
    """Ours and TensorFlow's with and without oneDNN; started anew when one has died."""

    def __init__(self, tensorflow, threads):
        self.tensorflow, self.threads, self.processes = tensorflow, threads, []

    def start(self):
        self.stop()
        command = ["build/bin/plumb_peer_tensorflow", self.tensorflow, "executor"]
        self.processes = [Peer(["build/bin/plumb_peer", "executor"]), Peer(command, TF_ENABLE_ONEDNN_OPTS="1"),
                          Peer(command, TF_ENABLE_ONEDNN_OPTS="0")]

    def stop(self):
        for peer in self.processes:
            peer.process.kill()
            peer.process.wait()
        self.processes = []

    def measure(self, case, rounds):
        """Medians over the rounds: our time, the faster TensorFlow's time, and the ratio."""
        if not self.processes:
            self.start()
        try:
            for peer in self.processes:
                peer.load(case, self.threads, ROUND_SECONDS)
            times = [[peer.nanoseconds_per_step() for peer in self.processes] for _ in range(rounds)]
        except (RuntimeError, BrokenPipeError):
            self.stop()
            raise
        return (statistics.median(ours for ours, *_ in times), statistics.median(min(rest) for _, *rest in times),
                statistics.median(ours / min(rest) for ours, *rest in times))


def geometric_mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios)))


def written(folder):
    """(op, family) of each graph, in the order of the catalogue."""
    os.makedirs(folder, exist_ok=True)
    lines = subprocess.run(["build/bin/plumb_peer_op_graphs", folder], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [line.split() for line in lines.splitlines()]


def print_families(results, goal):
    by_family = collections.defaultdict(list)
    for row in results:
        by_family[row["family"]].append(row["ratio"])
    print(f"\n{'family':<18}{'rows':>6}{'ratio':>8}")
    for family, ratios in by_family.items():
        mean = geometric_mean(ratios)
        print(f"{family:<18}{len(ratios):>6}{mean:>8.3f}" + (f"  above {SLOW}" if mean > SLOW else ""))
    print(f"{'all':<18}{len(results):>6}{geometric_mean([row['ratio'] for row in results]):>8.3f}  goal {goal}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", default="ops", choices=["ops"])
    parser.add_argument("--tensorflow", required=True, help="libtensorflow_cc.so.2 of the wheel")
    parser.add_argument("--graphs", required=True, help="folder to write the graphs to")
    parser.add_argument("--json", help="write the rows to this file")
    parser.add_argument("--rows", default="*", help="which ops, or families: Conv*,sparse")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()

    peers = Peers(arguments.tensorflow, arguments.threads)
    wanted = arguments.rows.split(",")
    results, failed = [], []
    print(f"{'op':<40}{'family':<16}{'ours ns':>14}{'TensorFlow ns':>16}{'ratio':>8}")
    for op, family in written(arguments.graphs):
        if not any(fnmatch.fnmatch(name, pattern) for name in (op, family) for pattern in wanted):
            continue
        try:
            ours, theirs, ratio = peers.measure(f"{arguments.graphs}/{op}.case", arguments.rounds)
        except (RuntimeError, BrokenPipeError) as error:
            failed.append(op)
            print(f"{op:<40}{family:<16}  not compared: {str(error)[:120]}", flush=True)
            continue
        print(f"{op:<40}{family:<16}{ours:>14.0f}{theirs:>16.0f}{ratio:>8.3f}", flush=True)
        results.append({"name": op, "family": family, "threads": arguments.threads, "ours_ns": ours, "peer_ns": theirs,
                        "ratio": ratio})
    peers.stop()
    if results:
        print_families(results, goal=0.8)
    print(f"{len(results)} ops compared, {len(failed)} not: {' '.join(failed)}")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file, indent=1)
    sys.exit(0 if results else 1)


if __name__ == "__main__":
    main()
