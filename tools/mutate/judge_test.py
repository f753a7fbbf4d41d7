#!/usr/bin/env python3
"""Tests of the mutation tester: what it tries a mutant on, why one survived, what clang says of locks."""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

import kinds_statements  # noqa: E402
from draw import Equivalents, is_mutated, read_list, sites_of, tracked_files  # noqa: E402
from judge import UNKNOWN, Reasons, Verdict, why_not  # noqa: E402
from locks import Locks, check_locks, checked_sources  # noqa: E402
from mutate_test import sites_in, source  # noqa: E402
from report import report, report_unreached  # noqa: E402
from sites import SourceFile, enumerations, numeric_constants  # noqa: E402
from suites import ACCELERATORS, AT_MOST, OF_THE_COURT, Piece, ops_group, ops_on, trials  # noqa: E402
from tree import Tree  # noqa: E402


@dataclass(frozen=True)
class Text:
    path: str
    text: str


class Judges(unittest.TestCase):
    def test_only_pieces_that_reach_a_mutant(self):
        site = self.a_site()
        pieces = [Piece("plumb_spec_test", "Near", ["spec"], 1, 0, {1}), Piece("plumb_fastpath_test", "Own", ["fast"], 9, 0, {1}),
                  Piece("plumb_fastpath_test", "Far", ["fast"], 1, 0, {2}), Piece("ops", "Failing", ["ops"], 1, 1, {1})]
        self.assertEqual([["fast", "--gtest_filter=Own.*"], ["spec", "--gtest_filter=Near.*"]],
                         [trial.command[:2] for trial in trials(None, site, pieces)])

    def test_tries_the_court_itself_with_some_ops(self):
        pieces = [Piece("ops", f"Op{i}", ["ops"], i, 0, {1}) for i in range(2 * OF_THE_COURT)]
        site = self.a_site()
        self.assertEqual(2 * OF_THE_COURT, len(list(trials(None, site, pieces))))
        site.path = "conformance/suites/trial.cc"
        self.assertEqual(OF_THE_COURT, len(list(trials(None, site, pieces))))

    def test_tries_the_accelerators_last_and_not_with_everything(self):
        site = self.a_site()
        pieces = [Piece(ops_group(backend), f"Op{i}", [backend], i, 0, {1}) for i in range(100, 0, -1)
                  for backend in ACCELERATORS]
        pieces += [Piece("plumb_fastpath_test", "Own", ["fast"], 9, 0, {1}), Piece("ops", "Op1", ["ops"], 500, 0, {1})]
        groups = [trial.group for trial in trials(None, site, pieces)]
        self.assertEqual(groups[:3], ["plumb_fastpath_test", "conformance ops Op1", "conformance ops --backend sim Op1"])
        self.assertEqual(len(groups), 2 + 2 * AT_MOST)

    def test_tries_gpus_first_on_what_is_theirs(self):
        pieces = [Piece(group, "One", [group], cost, 0, {1}) for group, cost in
                  (("ops", 1), (ops_group("sim"), 1), (ops_group("gpu-emulated"), 9), ("plumb_gpu_test", 9),
                   ("plumb_emulator_test", 2), ("plumb_fastpath_test", 3))]
        for path, first in (("fastpath/gpu/array/fill.cu", ["plumb_gpu_test", "conformance ops --backend gpu-emulated One"]),
                            ("fastpath/gpu/emulator/grid.cc", ["plumb_emulator_test",
                                                               "conformance ops --backend gpu-emulated One"])):
            site = self.a_site(path)
            self.assertEqual(first, [trial.group for trial in trials(None, site, pieces)][:2], path)

    def test_takes_the_ops_of_an_accelerator_from_the_floor(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "conformance" / "floor.json"
            path.parent.mkdir()
            for backend in ACCELERATORS:
                path.write_text(json.dumps({f"ops {backend}": {"ops": ["Neg", "Gone"]}}))
                self.assertEqual(["Neg"], ops_on(backend, Path(folder), ["Add", "Neg"]))
            path.write_text("{}")
            self.assertEqual(["Add", "Neg"], ops_on("sim", Path(folder), ["Add", "Neg"]))

    def test_calls_the_accelerators_runs_as_the_floor_does(self):
        for backend in ACCELERATORS:
            self.assertIn(f"ops {backend}", json.loads((ROOT / "conformance/floor.json").read_text()))
            self.assertEqual(["Neg"], ops_on(backend, ROOT, ["Abort", "Neg"]))

    def test_says_of_a_survivor_that_no_reason_is_known(self):
        self.assertEqual("no reason is known: no test reaches it", why_not([]))
        self.assertEqual("no reason is known: a, conformance ops reached it and noticed nothing",
                         why_not(["a", "conformance ops X", "conformance ops Y"]))
        with tempfile.TemporaryDirectory() as folder:
            path, site = Path(folder) / "result.json", self.a_site()
            verdicts = [Verdict(site, reason=why_not(["a"])), Verdict(site, reason="nobody asks")]
            with contextlib.redirect_stdout(io.StringIO()) as said:
                self.assertEqual(1, report(verdicts, path))
            reasons = [survivor["reason"] for survivor in json.loads(path.read_text())["survivors"]]
            self.assertEqual([True, False], [reason.startswith(UNKNOWN) for reason in reasons])
            self.assertIn("1 of 2 survivors without a known reason", said.getvalue())

    def test_lists_what_no_test_reaches(self):
        first, second = self.a_site(), self.a_site("fastpath/cpu/other.cc")
        second.number = 2
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(0, report_unreached([second, first], {2}))
        self.assertIn("fastpath/cpu/example.cc:1", said.getvalue())
        self.assertNotIn("other.cc", said.getvalue())
        self.assertTrue(said.getvalue().endswith("1 of 2 sites that no test reaches\n"))

    def test_reads_its_lists(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "list.txt"
            path.write_text("# comment\nfastpath/cpu/example.cc | F: int F(int a) { return a + 1; } | a + 1 → a - 1 | why\n")
            self.assertEqual("why", Reasons(path).of(self.a_site()))
            path.write_text("fastpath/* | ^(arithmetic\\|offset): | why\n")
            self.assertTrue(Equivalents(path).has(self.a_site()))

    def test_knows_a_reason_of_one_place_alone(self):
        text = "int F(int a) {\n  return G(a + 1);\n}\nint H(int a) {\n  a = G(a + 1, a + 1);\n  a = G(a + 1, a + 1);\n}\n"
        sites = [s for s in sites_in(text) if s.change == "a + 1 → a - 1"]
        moved = [s for s in sites_in("// moved\n" + text) if s.change == "a + 1 → a - 1"]
        self.assertEqual(["F: return G(a + 1);", *(f"H: a = G(a + 1, a + 1);{turn}" for turn in ("", " #2", " #3", " #4"))],
                         [s.place for s in sites])
        self.assertEqual(5, len({s.id for s in sites}))
        self.assertEqual([s.id for s in sites], [s.id for s in moved])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "list.txt"
            for i, site in enumerate(sites):
                path.write_text(f"{site.path} | {site.place} | {site.change} | why\n")
                for found in (sites, moved):
                    self.assertEqual([i], [at for at, s in enumerate(found) if Reasons(path).of(s)])

    @staticmethod
    def a_site(path="fastpath/cpu/example.cc"):
        site = next(s for s in sites_of(source("int F(int a) { return a + 1; }\n", path)) if s.kind == "arithmetic")
        site.number = 1
        return site


class LooksAtLocks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "project"
        self.write("spec/core/thread_annotations.h", (ROOT / "spec/core/thread_annotations.h").read_text())
        self.write("a/a.h", '#include "spec/core/thread_annotations.h"\nusing namespace plumb;\n'
                   "class A {\n public:\n  void Grow() {\n    MutexLock lock(mutex_);\n    ++count_;\n  }\n"
                   "  void Shrink();\n\n private:\n  Mutex mutex_;\n  int count_ PLUMB_GUARDED_BY(mutex_) = 0;\n"
                   "  int free_ = 0;\n};\n")
        self.write("b/b.cc", '#include "a/a.h"\nvoid A::Shrink() {\n  {\n    MutexLock lock(mutex_);\n'
                   "    --count_;\n  }\n  {\n    MutexLock lock(mutex_);\n    --free_;\n  }\n}\n")
        self.locks = Locks(self.root, {"b/b.cc": []}, Path(folder.name) / "scratch")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def complained_of(self, path):
        text = (self.root / path).read_text()
        sites = [s for s in kinds_statements.find(source(text, path)) if s.kind == "statement" or s.kind == "lock"]
        sites = [s for s in sites if "MutexLock" in s.original]
        return [self.locks.complains(site)[0] for site in sites]

    def test_in_the_projects_files_and_not_in_copies_with_switches(self):
        tree = Tree(self.root, self.root / "mutate", 1)
        commands = [{"directory": str(tree.build), "file": str(tree.source / "fastpath/session/plan_cache.cc"),
                     "command": f"g++ -I{tree.source} -I{tree.source}/gpu -I{tree.build}/generated -isystem /usr/x"}]
        self.write("mutate/src/build/compile_commands.json", json.dumps(commands))
        self.assertEqual({"fastpath/session/plan_cache.cc": [
            f"-I{self.root}", f"-I{self.root}/gpu", f"-I{tree.build}/generated", "-isystem", "/usr/x"]},
            checked_sources(self.root, tree))

    def test_as_the_check_of_locks_does(self):
        self.assertEqual([True, False], self.complained_of("b/b.cc"))

    def test_of_a_header_through_a_source_that_includes_it(self):
        self.assertEqual([True], self.complained_of("a/a.h"))

    def test_only_where_it_would_not_complain_anyway(self):
        self.write("a/a.h", (self.root / "a/a.h").read_text().replace("  int free_", "  int Peek() { return count_; }\n  int free_"))
        self.assertEqual([False, False], self.complained_of("b/b.cc"))

    def test_which_no_constructor_or_destructor_takes(self):
        body = "    MutexLock lock(mutex_);\n"
        class_text = f"struct A {{\n  ~A() {{\n{body}  }}\n  void F() {{\n{body}  }}\n}};\n"
        constructor = f"A::A(int x)\n    : a_{{x}}, b_(x) {{\n{body}}}\nvoid F() {{\n{body}}}\n"
        self.assertEqual([3], list(check_locks.unseen_locks(class_text)))
        self.assertEqual([3], list(check_locks.unseen_locks(constructor)))
        self.assertEqual([2], list(check_locks.unseen_locks(f"A::~A() {{\n{body}}}\n")))
        self.assertEqual([], list(check_locks.unseen_locks(f"A::~A() {{ G(); }}\nvoid H() {{\n{body}}}\n")))


class Lists(unittest.TestCase):
    def test_give_a_reason_in_each_line(self):
        for name, parts in (("equivalent.txt", 3), ("survivors.txt", 4)):
            for line in read_list(HERE / name):
                self.assertEqual(parts, len(line), f"{name}: {line}")
                self.assertTrue(line[-1], f"{name}: {line}")

    def test_speak_of_places_that_are_there(self):
        files = [Text(path, (ROOT / path).read_text()) for path in tracked_files(ROOT) if is_mutated(path)]
        enumerators, constants, there = enumerations(files), numeric_constants(files), {}
        named = {path for path, *_ in read_list(HERE / "survivors.txt")}
        for text in files:
            if text.path in named:
                file = SourceFile(text.path, text.text)
                file.enumerators, file.constants = enumerators, constants[text]
                there[text.path] = {(site.place, site.change) for site in sites_of(file)}
        for path, place, change, _ in read_list(HERE / "survivors.txt"):
            self.assertIn((place, change), there.get(path, set()), f"survivors.txt: {path} has no such site")


if __name__ == "__main__":
    unittest.main()
