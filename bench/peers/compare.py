"""Runs the same graph files on Plumb and on TensorFlow, in turns, and prints the ratio of their step times.

Each row is measured in rounds: ours, TensorFlow's with oneDNN, TensorFlow's without; the ratio of a round is ours over the
faster of the two, and the median over the rounds is reported, so that a machine whose speed drifts hurts both alike.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

# name: (kind of row, ratio to reach). An executor row runs with TensorFlow's graph optimizers off, a model row with them.
ROWS = {
    "noop_chain": ("executor", 0.5),
    "scalar_add_chain": ("executor", 0.2),
    "wide_adds": ("executor", 0.2),
    "while_loop": ("executor", 0.2),
    "null_step": ("executor", 0.25),
    "matmul_512": ("executor", 1.0),
    "mlp": ("model", 0.8),
    "lenet": ("model", 1.0),
    "lstm": ("model", 1.0),
    "jpeg_input": ("executor", 1.0),
}
ROUND_SECONDS = 0.3


class Peer:
    """One process that serves the protocol of bench/peers/case.h."""

    def __init__(self, command, **environment):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", **environment})

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer or answer.startswith("error"):
            raise RuntimeError(f"{line}: {answer or 'the peer died'}")
        return answer

    def load(self, case, threads, seconds=ROUND_SECONDS):
        self.ask(f"load {case} {threads}")
        self.run(3)
        nanoseconds = self.run(1)[0]
        self.steps = max(1, int(seconds * 1e9 / max(nanoseconds, 1)))

    def run(self, steps):
        nanoseconds, value = self.ask(f"run {steps}").split()
        return float(nanoseconds), float(value)

    def nanoseconds_per_step(self):
        return self.run(self.steps)[0] / self.steps


def items_of(case):
    with open(case) as lines:
        return next((float(line.split()[1]) for line in lines if line.startswith("items ")), 1.0)


def measure(peers, case, threads, rounds):
    """Medians over the rounds: our time, the faster TensorFlow's time, and the ratio."""
    for peer in peers:
        peer.load(case, threads)
    ours, theirs, ratios = [], [], []
    for _ in range(rounds):
        times = [peer.nanoseconds_per_step() for peer in peers]
        ours.append(times[0])
        theirs.append(min(times[1:]))
        ratios.append(times[0] / theirs[-1])
    items = items_of(case)
    return statistics.median(ours) / items, statistics.median(theirs) / items, statistics.median(ratios)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tensorflow", required=True, help="libtensorflow_cc.so.2 of the wheel")
    parser.add_argument("--graphs", required=True, help="folder of the .case files")
    parser.add_argument("--json", help="write the rows to this file")
    parser.add_argument("--rows", default=",".join(ROWS), help="comma-separated names")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()

    peers = {}

    def peers_for(kind, threads):
        """Processes of their own for each number of threads: TensorFlow sizes its pools once for a process."""
        if (kind, threads) not in peers:
            command = ["build/bin/plumb_peer_tensorflow", arguments.tensorflow, kind]
            peers[kind, threads] = [Peer(["build/bin/plumb_peer", kind]), Peer(command, TF_ENABLE_ONEDNN_OPTS="1"),
                                    Peer(command, TF_ENABLE_ONEDNN_OPTS="0")]
        return peers[kind, threads]

    results, failed = [], []
    print(f"{'row':<18}{'threads':>8}{'ours ns':>14}{'TensorFlow ns':>16}{'ratio':>8}{'goal':>7}")
    for name in arguments.rows.split(","):
        kind, goal = ROWS[name]
        for threads in (1, 2):
            try:
                case = f"{arguments.graphs}/{name}.case"
                ours, theirs, ratio = measure(peers_for(kind, threads), case, threads, arguments.rounds)
            except RuntimeError as error:
                failed.append(name)
                print(f"{name:<18}{threads:>8}  failed: {error}")
                continue
            print(f"{name:<18}{threads:>8}{ours:>14.1f}{theirs:>16.1f}{ratio:>8.3f}{goal:>7.2f}", flush=True)
            results.append({"name": name, "threads": threads, "ours_ns": ours, "peer_ns": theirs, "ratio": ratio})
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file, indent=1)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
