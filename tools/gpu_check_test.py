#!/usr/bin/env python3
"""Tests of gpu_check.py and gpu_peers.py, on the emulated card and without PyTorch."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


class GpuCheck(unittest.TestCase):
    def test_reports_every_part_and_bench(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "report.json"
            done = subprocess.run([sys.executable, HERE / "gpu_check.py", "--quick", "--backend", "gpu-emulated",
                                   "--filter", "*elu*", "--only", "ops|benches|recorded|laws", "--report", file],
                                  text=True, stdout=subprocess.PIPE, env={**os.environ, "RC_PARAMS": "seed=1 max_success=5"})
            self.assertEqual(done.returncode, 0, done.stdout)
            report = json.loads(file.read_text())
        self.assertEqual([part["name"] for part in report["parts"]], ["ops", "benches", "recorded cases", "laws"])
        names = [bench["name"] for bench in report["benches"]["benches"]]
        self.assertIn("adam", names)
        self.assertIn("training step of a perceptron", names)
        for name in names:
            self.assertIn(f"{name} ", done.stdout)

    def test_says_that_there_is_no_card(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "plumb"
            program.write_text("#!/bin/sh\necho no GPU can be used: the driver finds no card\n")
            program.chmod(0o755)
            done = subprocess.run([sys.executable, HERE / "gpu_check.py", "--program", program], text=True,
                                  stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the driver finds no card\nthere is no card to judge on", done.stdout)


class GpuPeers(unittest.TestCase):
    def test_is_absent_without_harm(self):
        done = subprocess.run([sys.executable, "-S", HERE / "gpu_peers.py", "--elements", "8", "--side", "8", "--batch",
                               "2"], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)
        self.assertIn("PyTorch", done.stderr)


if __name__ == "__main__":
    unittest.main()
