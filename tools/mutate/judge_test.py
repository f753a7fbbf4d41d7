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
from floor import Floor, Reached  # noqa: E402
from judge import UNKNOWN, Reasons, Verdict, judge, why_not  # noqa: E402
from locks import Locks, check_locks, checked_sources  # noqa: E402
from mutate_test import sites_in, source  # noqa: E402
from report import report, report_unreached  # noqa: E402
from sites import SourceFile, enumerations, numeric_constants  # noqa: E402
from suites import (ACCELERATORS, AT_MOST, NO_CUDNN, OF_THE_COURT, Piece, Result, list_pieces, ops_group,  # noqa: E402
                    ops_on, trials)
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

    def test_tries_the_accelerators_with_what_is_of_the_files_topic(self):
        pieces = [Piece(ops_group("sim"), f"Op{i}", ["sim"], i, 0, {1}) for i in range(100)]
        names = [trial.piece.name for trial in trials(None, self.a_site(), pieces, near={"Op80", "Op99"})]
        self.assertEqual(["Op80", "Op99", *(f"Op{i}" for i in range(AT_MOST - 2))], names)

    def test_replays_the_corpora_of_fuzz_targets(self):
        pieces = [Piece("fuzz", "npy", ["fuzz_npy", "corpora/npy"], 1, 0, {1}), Piece("fuzz", "far", ["far"], 1, 0, {2})]
        self.assertEqual([("fuzz npy", ["fuzz_npy", "corpora/npy"])],
                         [(trial.group, trial.command) for trial in trials(None, self.a_site(), pieces)])

    def test_tries_convolutions_without_cudnn_too_and_what_the_corpora_hold(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path in ("build/fuzzers/fuzz_npy", "property-tests/fuzz/corpora/npy/one", "conformance/floor.json"):
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text("{}")
            runner = Said("Conv2D …\nNeg …\n")
            runner.source = root
            pieces = {(piece.group, piece.name): piece for piece in list_pieces(runner, {"Conv2D", "Neg"})}
        self.assertIn(("fuzz", "npy"), pieces)
        self.assertEqual(["env", "PLUMB_EMULATED_CUDNN=absent"], pieces[ops_group(NO_CUDNN), "Conv2D"].command[:2])
        self.assertNotIn((ops_group(NO_CUDNN), "Neg"), pieces)
        self.assertEqual({"ops": "cpu", ops_group("sim"): "sim", ops_group(NO_CUDNN): ""},
                         {group: pieces[group, "Conv2D"].backend for group in ("ops", ops_group("sim"), ops_group(NO_CUDNN))})

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


class Said:
    """A runner whose commands all succeed, say this, and reach that."""

    def __init__(self, text="", report=None):
        self.text, self.report, self.scratch = text, report, None

    def run(self, command, timeout, **environment):
        if self.report and "--report" in command:
            Path(command[-1]).write_text(json.dumps(self.report))
        return Result(0, 1, False, self.text)


class HoldsToTheFloor(unittest.TestCase):
    FLOOR = {"ops cpu": {"passed": {"Neg": 2, "Add": 1}, "attributes": ["Neg T=int8"], "choices": ["cut: large"]}}

    def pieces(self, *, both_take_it):
        reached = {"Neg": Reached(3, {"attributes": {"Neg T=int8", "Neg T=half"}, "choices": {"cut: large", "odd: small"}}),
                   "Add": Reached(1, {"choices": {"cut: large"} if both_take_it else set()})}
        return [Piece("ops", op, [op], 1, 0, {1} if op == "Neg" else set(), backend="cpu", reached_by_op=of_op)
                for op, of_op in reached.items()]

    def killed_by(self, *, passed=3, attributes=("Neg T=int8",), choices=("cut: large",), both_take_it=False):
        cases = [{"outcome": "passed"}] * passed + [{"outcome": "elsewhere"}]
        coverage = {"attributes": {"covered": attributes}, "choices": {"covered": choices}}
        pieces = self.pieces(both_take_it=both_take_it)
        with tempfile.TemporaryDirectory() as folder:
            runner = Said(report={"cases": cases, "coverage": coverage})
            runner.scratch = folder
            known = Path(folder) / "survivors.txt"
            known.write_text("")
            return judge(runner, Judges.a_site(), pieces, Reasons(known), None, Floor(self.FLOOR, pieces)).killed_by

    def test_what_passes_less_or_loses_a_value_of_an_attribute(self):
        self.assertEqual("", self.killed_by())
        self.assertEqual("", self.killed_by(passed=2))
        self.assertEqual("conformance ops Neg, the floor: Neg passes 1 cases, and not 2", self.killed_by(passed=1))
        self.assertEqual("conformance ops Neg, the floor: gone from attributes: Neg T=int8", self.killed_by(attributes=()))

    def test_a_side_that_no_op_takes_any_more(self):
        self.assertEqual("conformance ops, the floor: gone from choices: cut: large", self.killed_by(choices=()))
        self.assertEqual("", self.killed_by(choices=(), both_take_it=True))


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


class KnowsEquivalents(unittest.TestCase):
    def left_in(self, body, path="fastpath/cpu/example.cc"):
        """The changes that are drawn of a function with this body."""
        equivalents = Equivalents(HERE / "equivalent.txt")
        sites = sites_of(source("void F(int a, int n) {\n" + body + "\n}\n", path))
        return {site.change for site in sites if not equivalents.has(site)}

    def test_how_much_work_there_is(self):
        left = self.left_in("const int64_t size = a * n, work = 4 * size + n;\n  Cut(work, a * 3);")
        self.assertLessEqual({"a * n → a + n", "a * 3 → a + 3"}, left)
        self.assertNotIn("4 * size → 4 + size", left)
        self.assertNotIn("4 → 5", left)

    def test_limits_between_two_ways_to_compute_the_same(self):
        left = self.left_in("if (long_rows.Chosen(n > 64 && a == 1)) return G(n > 64);")
        self.assertIn("n > 64 → n >= 64", left)  # what G is given
        self.assertIn("a == 1 → a != 1", left)
        only = self.left_in("if (long_rows.Chosen(n > 64 && a == 1)) return;")
        self.assertNotIn("n > 64 → n >= 64", only)
        self.assertNotIn("64 → 65", only)
        self.assertIn("1 → 2", only)
        self.assertIn("n > 64 → n >= 64", self.left_in("if (text_beyond_64.Chosen(n > 64)) return;"))

    def test_what_is_said_of_mistakes_of_ours(self):
        mistake = 'if (n < 0) throw Internal("no ", a);'
        for path in ("spec/ops/listing.cc", "fastpath/memory/inside.h", "fastpath/gpu/runtime/pool.cc"):
            self.assertEqual({"n < 0 → n <= 0", "0 → 1"}, self.left_in(mistake, path), path)
        self.assertEqual(4, len(self.left_in(mistake, "reference/ops/math/rounding.cc")))
        self.assertIn("n < 0 → false", self.left_in("if (n < 0) return;", "spec/ops/listing.cc"))

    def test_what_is_drawn_as_often_written_later_or_asked_for_once_more(self):
        equivalents = Equivalents(HERE / "equivalent.txt")
        for path, line, change, left in (
                ("spec/samples/values.h", "bool Chance(", "0 → 1", 0),
                ("spec/files/open_files.cc", "pending_.size() + bytes.size() > kPending", "kPending → kPending / 2", 0),
                ("spec/files/open_files.cc", "pending_.size() + bytes.size() > kPending", "kPending → kPending + 1", 1),
                ("spec/files/open_files.cc", "bytes.size() >= kPending", "kPending → kPending / 2", 1),
                ("conformance/golden/race.cc", "const auto is_through", "1 → 0", 0),
                ("conformance/golden/race.cc", "const auto is_through", "1 → 2", 2)):
            sites = [site for site in sites_of(source((ROOT / path).read_text(), path))
                     if line in site.context and site.change == change]
            self.assertTrue(sites, f"{path}: {change}")
            self.assertEqual(left, sum(not equivalents.has(site) for site in sites), f"{path}: {change}")

    def test_by_several_globs_of_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "list.txt"
            path.write_text("spec/a.cc spec/b* | ^bound: | why\n")
            for file, has in (("spec/a.cc", True), ("spec/b/c.cc", True), ("spec/c.cc", False)):
                site = next(s for s in sites_of(source("int F(int a) { return a + 1; }\n", file)) if s.kind == "bound")
                self.assertEqual(has, Equivalents(path).has(site), file)


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
