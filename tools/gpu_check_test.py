#!/usr/bin/env python3
"""Tests of gpu_check.py and what it is made of, on the emulated card and without PyTorch."""
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import gpu_figures
import gpu_parts
import gpu_peers
import gpu_sanitized

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parent / "build/bin/plumb"


def checked(folder, *words, **env):
    """How a check of the emulated card ended, and its report."""
    file = Path(folder) / "report.json"
    done = subprocess.run([sys.executable, HERE / "gpu_check.py", "--backend", "gpu-emulated", "--report", file, *words],
                          text=True, stdout=subprocess.PIPE, env={**os.environ, **env})
    return done, json.loads(file.read_text())


class GpuCheck(unittest.TestCase):
    def test_reports_every_part_and_bench(self):
        with tempfile.TemporaryDirectory() as folder:
            done, report = checked(folder, "--quick", "--filter", "*elu*", "--only", "ops|benches|recorded|laws",
                                   RC_PARAMS="seed=1 max_success=5")
            kept = {path.name for path in (Path(folder) / "report.parts").iterdir()}
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual([part["name"] for part in report["parts"]], ["ops", "benches", "recorded cases", "laws"])
        self.assertGreater(report["parts"][0]["passed"], 5)
        self.assertLessEqual({"ops.json", "ops.txt", "recorded-cases.json", "laws.txt"}, kept)
        rows = {bench["name"]: bench for bench in report["benches"]["benches"]}
        self.assertIn("adam", rows)
        for model, (_, batch) in gpu_peers.BATCHES.items():
            self.assertEqual(rows[f"training step of {model}"]["batch"], batch)
        for name in rows:
            self.assertIn(f"{name} ", done.stdout)

    def test_says_that_there_is_no_card(self):
        with tempfile.TemporaryDirectory() as folder:
            program = script(folder, "echo no GPU can be used: the driver finds no card")
            done = subprocess.run([sys.executable, HERE / "gpu_check.py", "--program", program], text=True,
                                  stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the driver finds no card\nthere is no card to judge on", done.stdout)

    def test_what_fails_is_told_with_the_rest(self):
        with tempfile.TemporaryDirectory() as folder:
            program = script(folder, """
                case "$1$2" in
                  conformanceops)
                    printf '%-36s %-30s %-12s %6d\\n      %s\\n      again: %s\\n' Abs T=float32 failed 1 'value: wrong' me
                    printf '%-36s %-30s %-12s %6d\\n' Add T=float32 passed 1
                    kill -9 $$ ;;
                  gpu-bench--list) printf 'a: first\\na: second\\n' ;;
                  gpu-bench*) kill -11 $$ ;;
                esac""")
            done, report = checked(folder, "--program", program, "--only", "ops|benches")
        self.assertEqual(done.returncode, 1)
        ops, benches = report["parts"]
        self.assertEqual((ops["passed"], ops["failed"]), (1, 1))
        self.assertEqual(ops["failures"], [{"name": "Abs/T=float32", "gate": "", "detail": "value: wrong",
                                            "reproduce": "me"}])
        self.assertEqual([row["name"] for row in benches["failures"]], ["first", "second"])
        self.assertIn("exit -11", benches["failures"][0]["detail"])
        self.assertIn("Abs/T=float32: value: wrong", done.stdout)


def script(folder, text):
    program = Path(folder) / "plumb"
    program.write_text(f"#!/bin/bash\n{text}\n")
    program.chmod(0o755)
    return program


class Parts(unittest.TestCase):
    def test_a_part_that_is_late_is_killed_with_all_that_it_started(self):
        with tempfile.TemporaryDirectory() as folder:
            mark, log = Path(folder) / "mark", Path(folder) / "log"
            start = time.monotonic()
            part, output = gpu_parts.run("late", ["sh", "-c", f"echo begun; (sleep 4; touch {mark}) & wait"], 1,
                                         dict(os.environ), log)
            self.assertLess(time.monotonic() - start, 3)
            time.sleep(4)
            self.assertFalse(mark.exists())
        self.assertEqual((part["outcome"], output), ("out of time", "begun\n"))

    def test_time_that_is_not_needed_is_for_those_that_follow(self):
        clock = gpu_parts.Clock(100, [1, 1, 2])
        self.assertAlmostEqual(clock.next_share(), 25, delta=1)
        self.assertAlmostEqual(clock.next_share(), 33, delta=1)
        self.assertAlmostEqual(clock.next_share(), 100, delta=1)


class Figures(unittest.TestCase):
    ROW = {"group": "g", "name": "", "seconds": 1e-3, "amount": 0, "ceiling": "a copy", "share": 0.87, "batch": 4,
           "notes": [], "error": ""}

    def reached(self, name, **values):
        peer = values.pop("peer", None)
        rows = gpu_figures.with_peers([{**self.ROW, "name": name, **values}], {name: peer} if peer else {})
        return rows[0]["is_reached"]

    def test_figures_are_held_against_their_goals(self):
        self.assertIs(self.reached("softmax"), True)
        self.assertIs(self.reached("relu"), False)
        self.assertIs(self.reached("uniform random (Philox)"), True)
        self.assertIs(self.reached("null step", seconds=9e-6), True)
        self.assertIs(self.reached("null step", seconds=11e-6), False)
        self.assertIsNone(self.reached("relu", error="failed"))
        self.assertIsNone(self.reached("training step of mlp"))
        self.assertIs(self.reached("training step of mlp", peer={"seconds": 0.98e-3, "batch": 4}), True)
        self.assertIs(self.reached("training step of mlp", peer={"seconds": 0.9e-3, "batch": 4}), False)

    def test_another_batch_is_not_compared(self):
        self.assertIsNone(self.reached("training step of mlp", peer={"seconds": 2e-3, "batch": 5}))

    def test_names_are_the_same_on_both_sides(self):
        listed = subprocess.run([PROGRAM, "gpu-bench", "--list"], text=True, stdout=subprocess.PIPE, check=True).stdout
        ours = {line.split(": ", 1)[1] for line in listed.splitlines()}
        theirs = {bench.name for bench in gpu_peers.Peer(Anything(), gpu_peers.options().parse_args([])).benches()}
        self.assertLessEqual(theirs, ours)
        alone = {name for name in ours - theirs if "in a loop" not in name and "two steps" not in name}
        self.assertEqual(alone, set())


class Anything:
    """Stands for PyTorch where nothing is computed."""

    def __getattr__(self, name):
        return Anything()


class Sanitized(unittest.TestCase):
    def test_every_family_of_kernels_has_an_op_that_is_looked_at(self):
        folders = {path.parent.name for path in (HERE.parent / "fastpath/gpu").glob("*/*.cu")}
        self.assertEqual(set(gpu_sanitized.FAMILIES), folders - {"lib", "card"})

    def test_the_ops_exist(self):
        listed = subprocess.run([PROGRAM, "ops"], text=True, stdout=subprocess.PIPE, check=True).stdout
        names = {line.split()[0] for line in listed.splitlines() if line.strip()}
        for filters in gpu_sanitized.FAMILIES.values():
            for chosen in filters:
                self.assertIn(chosen.split("/")[0], names)


class GpuPeers(unittest.TestCase):
    def test_is_absent_without_harm(self):
        done = subprocess.run([sys.executable, "-S", HERE / "gpu_peers.py", "--small"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)
        self.assertIn("PyTorch", done.stderr)


if __name__ == "__main__":
    unittest.main()
