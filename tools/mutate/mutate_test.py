#!/usr/bin/env python3
"""Tests of the mutation tester: what it finds in a file, what it writes, what it draws. judge_test.py has the rest."""

import inspect
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

import kinds_expressions  # noqa: E402
import kinds_facts  # noqa: E402
import kinds_statements  # noqa: E402
from draw import WIDE, draw, is_mutated, shares, sites_of, tracked_files, wide_headers  # noqa: E402
from nearby import EVERY, MOST, nearby_ops, ops_by_file  # noqa: E402
from sites import SourceFile, enumerations, numeric_constants  # noqa: E402
from tree import Tree, included_by, rewrite  # noqa: E402


def source(text, path="fastpath/cpu/example.cc"):
    file = SourceFile(path, text)
    file.enumerators, file.constants = enumerations([file]), numeric_constants([file])[file]
    return file


def sites_in(text):
    return sites_of(source(text))


def changes(body, kind=None):
    """What may be changed in a function with this body."""
    sites = sites_in("void F(int a, int b, int row) {\n" + body + "\n}\n")
    return {site.change for site in sites if kind in (None, site.kind)}


class FindsOperands(unittest.TestCase):
    def test_of_an_operator_by_precedence(self):
        self.assertIn("a * b + row → a * b - row", changes("int x = a * b + row;", "arithmetic"))
        self.assertIn("a * b → a + b", changes("int x = a * b + row;", "arithmetic"))
        self.assertIn("a - b - row → a - b + row", changes("int x = a - b - row;", "arithmetic"))

    def test_up_to_brackets_commas_and_questions(self):
        self.assertIn("a + 1 → a", changes("G(b, a + 1, row);", "offset"))
        self.assertIn("a < b → a <= b", changes("int x = a < b ? a : b;", "comparison"))
        self.assertIn("static_cast<long>(a) + b[row] → static_cast<long>(a) - b[row]",
                      changes("long x = static_cast<long>(a) + b[row];", "arithmetic"))

    def test_and_takes_no_template_for_a_comparison(self):
        self.assertEqual(set(), changes("std::vector<int> x; const T* p = q; auto&& y = z;", "comparison"))

    def test_not_past_the_condition_of_an_if(self):
        self.assertIn("x *= a - b → x /= a - b", changes("if (row > 0) x *= a - b;", "arithmetic"))


class WideHeaders(unittest.TestCase):
    def test_are_those_that_most_sources_include_directly_or_not(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "core.h").write_text("")
            (root / "graph.h").write_text('#include "core.h"\n')
            (root / "own.h").write_text('#include "core.h"\n')
            for i in range(WIDE + 1):
                (root / f"{i}.{'cu' if i % 2 else 'cc'}").write_text('#include "graph.h"\n' if i else '#include "own.h"\n#include "graph.h"\n')
            self.assertEqual({"core.h", "graph.h"}, wide_headers(root, [path.name for path in root.iterdir()]))


class Nearby(unittest.TestCase):
    TOPICS = {f"Op{i:03}": f"other/op{i}" for i in range(200)} | {"Sort": "array/sort", "SortV2": "array/sort",
                                                                   "ZConv": "convolution/conv"}

    def ops_near(self, *paths):
        return self.asked(nearby_ops, paths)

    def asked(self, question, paths):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            texts = {"fastpath/gpu/lib/runs.h": "", "fastpath/gpu/lib/runs.cu": '#include "fastpath/gpu/lib/runs.h"\n',
                     "fastpath/gpu/array/sort.cu": '#include "fastpath/gpu/lib/runs.h"\n',
                     "fastpath/gpu/convolution/plans.cc": "", "fastpath/cpu/array/sort.cc": ""}
            for i in range(200):
                texts[f"fastpath/gpu/other/op{i}.cu"] = '#include "fastpath/gpu/lib/all.h"\n'
            texts["fastpath/gpu/lib/all.h"] = ""
            for path, text in texts.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            subprocess.run(["git", "init", "-q"], cwd=root, check=True)
            sites = [sites_of(source("int F(int a) {\n  return a + 1;\n}\n", path))[0] for path in paths]
            return question(root, sites, self.TOPICS)

    def test_are_those_of_the_topic_or_of_who_includes_the_header_else_of_the_family(self):
        some = self.ops_near()
        self.assertEqual(-(-len(self.TOPICS) // EVERY), len(some))
        self.assertEqual({"ZConv"}, self.ops_near("fastpath/gpu/convolution/plans.cc") - some)
        for path in ("spec/ops/array/sort.cc", "fastpath/gpu/array/sort_rows.cu", "fastpath/gpu/lib/runs.cu"):
            self.assertEqual({"SortV2"}, self.ops_near(path) - some, path)
        self.assertEqual(some, self.ops_near("fastpath/cpu/array/sort.cc"))

    def test_of_one_file_are_those_of_its_topic_wherever_it_lies(self):
        paths = ("fastpath/cpu/array/sort.cc", "fastpath/gpu/lib/runs.cu", "fastpath/gpu/convolution/plans.cc")
        self.assertEqual(dict(zip(paths, (["Sort", "SortV2"], ["Sort", "SortV2"], ["ZConv"]))),
                         self.asked(ops_by_file, paths))

    def test_are_not_all_that_share_something(self):
        found = {op for op in self.ops_near("fastpath/gpu/lib/all.h") if op.startswith("Op")}
        self.assertLess(len(found), 0.7 * 200)
        self.assertGreater(len(found), MOST // 2)


class LeavesAlone(unittest.TestCase):
    def test_what_the_compiler_computes(self):
        for body in ("static_assert(1 + 2 == 3);", "constexpr int k = 1 + 2;", "switch (a) { case 4: break; }",
                     "std::array<int, 3> x;", "float lanes[8];", "int8_t one[4], other[5];", "using T = Tag<1 + 2>;",
                     "if constexpr (N < 3) {}"):
            self.assertEqual(set(), changes(body), body)

    def test_functions_that_a_source_has_the_compiler_compute_alone(self):
        function = "template <class T>\nconstexpr int F(T a) {\n  return a + 1;\n}\n"
        among = {use: "a + 1 → a" in {site.change for site in sites_of(source(function + use, path))}
                 for path, uses in (("a.cc", ("constexpr int k = F(2);\n", "static_assert(F(2) == 3);\n",
                                              "int G() {\n  constexpr int k = F(2);\n  return k;\n}\n",
                                              "", "const int k = F(2);\n", "int G() {\n  return F(2);\n}\n",
                                              "struct A {\n  int b = F(2);\n};\n")),
                                    ("a.h", ("constexpr int k = F(2);  // others may call it\n",)))
                 for use in uses}
        self.assertEqual([False] * 3 + [True] * 5, list(among.values()))

    def test_declarations_outside_of_functions(self):
        for text in ("constexpr int k = 1 + 2;\n", "enum class A { kOne = 1, kTwo = 2 };\n", "struct A {\n  int x = 1;\n};\n",
                     "#define X(a) a + 1\n", "void F(int a = 1 + 2);\n", "// a + 1\n"):
            self.assertEqual([], sites_in(text), text)

    def test_messages(self):
        self.assertEqual({"a > 0 → a >= 0"}, changes('Require(a > 0, "sum ", a + b);', "comparison"))
        self.assertEqual(set(), changes('Require(a > 0, "sum ", a + b);', "arithmetic"))
        self.assertEqual(set(), changes('throw Internal("sum ", a + b);', "arithmetic"))

    def test_how_finely_a_loop_is_cut(self):
        self.assertEqual(set(), changes("grain = GrainFor(a * b);", "arithmetic"))
        loop = changes("pool.ParallelFor(a + b, a * G(b, row), [&](int64_t begin, int64_t end) { H(begin - end); });")
        self.assertIn("a + b → a - b", loop)
        self.assertIn("begin - end → begin + end", loop)
        self.assertNotIn("a * G(b, row) → a + G(b, row)", loop)
        matrices = changes("ForEachMatrix(pool, a + b, a * row, [&](int64_t i) { H(i + 1); });")
        self.assertLessEqual({"a + b → a - b", "i + 1 → i"}, matrices)
        self.assertNotIn("a * row → a + row", matrices)

    def test_nothing_else_where_a_number_is_not_given(self):
        self.assertIn("a + b → a - b", changes("FillGroups(a + b);", "arithmetic"))


class Finds(unittest.TestCase):
    def test_code_in_constructors_lambdas_and_rows(self):
        self.assertIn("1 → 2", {s.change for s in sites_in("struct A {\n  A(int x) : a_(x - 1), b_{x} {}\n};\n")})
        self.assertIn("i + 1 → i", changes("Run(a, [&](int i) { G(i + 1); });", "offset"))
        row = 'std::span<const R> Rows() {\n static const R rows[] = {\n {.attrs = "a: bool = true", .accuracy = Ulps(2)}};\n}\n'
        found = {s.change for s in sites_in(row)}
        self.assertIn('"a: bool = true" → "a: bool = false"', found)
        self.assertIn("Ulps(2) → Exact()", found)
        self.assertIn("Ulps(2) → Ulps(4)", found)

    def test_row_0_for_every_part_of_a_product(self):
        self.assertIn("row → 0", changes("Multiply(part, RowOfA(p, a, row), b);", "offset"))

    def test_image_0_for_every_image_of_a_gradient(self):
        self.assertIn("input + image * size → input", changes("Add(input + image * size, output);", "offset"))
        self.assertIn("image → 0", changes("Add(input + image * size, output);", "offset"))

    def test_the_first_of_two_edges_for_the_second(self):
        self.assertIn("i → 0", changes("Connect(edges[i], node);", "offset"))
        self.assertIn("i + 1 → i", changes("Connect(edges.at(i + 1), node);", "offset"))

    def test_locks_wiring_attributes_classes_and_exits(self):
        for lock in ("MutexLock lock(mutex_)", "const MutexLock lock(hub->mutex)", "MutexLockIf lock(frame.mutex, kShared)",
                     "std::lock_guard lock(mutex_)"):
            self.assertEqual({f"{lock} → nothing"}, changes(f"{lock};"), lock)
        self.assertIn("1 → 0", changes("const Tensor& x = context.input(1);", "wiring"))
        self.assertIn("Copy(from, to) → Copy(to, from)", changes("Copy(from, to);", "wiring"))
        read = 'bool x = attr<bool>("adj_x"), y = attr<bool>("adj_y");'
        self.assertIn('"adj_x" → "adj_y"', changes(read, "attribute"))
        self.assertIn("true → false", changes("return true;", "exit"))
        self.assertIn('NotFound("x") → FailedPrecondition("x")', changes('throw NotFound("x");', "exit"))
        self.assertIn("std::min(a, b) → b", changes("int x = std::min(a, b);", "cut"))
        self.assertIn("G(a) → nothing", changes("G(a);", "statement"))

    def test_named_limits_and_no_tables_of_that_name(self):
        number, table = source("constexpr int kMost = 3;\nint F() { return kMost; }\n"), source(
            "constexpr Row kMost[] = {};\nauto F() { return kMost; }\n")
        constants = numeric_constants([number, table])
        self.assertEqual([{"kMost"}, set()], [constants[number], constants[table]])


class KnowsUses(unittest.TestCase):
    def use(self, body, change):
        sites = sites_in("void F(int a, int b, int row) {\n" + body + "\n}\n")
        return next(site.use for site in sites if site.change == change)

    def test_from_the_inside_to_the_outside_of_a_statement(self):
        self.assertEqual("G() x =", self.use("int x = b + G(row, a * 2);", "a * 2 → a + 2"))
        self.assertEqual("", self.use("a += G(row) + b;", "G(row) + b → G(row) - b"))

    def test_of_the_declared_name_that_it_belongs_to(self):
        body = "const int64_t least = a + row, work = G(a, row) * b;"
        self.assertEqual("least =", self.use(body, "a + row → a - row"))
        self.assertEqual("work =", self.use(body, "G(a, row) * b → G(a, row) + b"))

    def test_of_a_lambda_not_who_calls_it(self):
        self.assertEqual("x =", self.use("Run(a, [&](int i) { x = i - row; });", "i - row → i + row"))

    def test_of_a_condition_what_is_thrown_and_nothing_else_done(self):
        self.assertEqual("guards Internal", self.use('if (a < 0) throw Internal("no ", a);', "a < 0 → a <= 0"))
        self.assertEqual("", self.use("if (a < 0) return;", "a < 0 → a <= 0"))


class Rewrites(unittest.TestCase):
    def test_keeps_lines_and_the_original(self):
        text = "int F(int a) {\n  return a +\n         1;\n}\n"
        site = next(s for s in sites_in(text) if s.kind == "arithmetic")
        site.number = 7
        written = rewrite(text, [site])
        self.assertIn("(::plumb_mutant::Is(7) ? (a - 1) : (a +\n         1))", written)
        self.assertEqual(text.count("\n") + 2, written.count("\n"))

    def test_asks_an_optional_whether_it_holds_anything(self):
        sites = [s for s in sites_in("void F() {\n  if (!bytes || late) G();\n}\n") if s.kind == "logic"]
        dropped = next(s for s in sites if s.change == "!bytes → bytes")
        self.assertEqual("(::plumb_mutant::Is(0) ? static_cast<bool>(bytes) : static_cast<bool>(!bytes))",
                         dropped.replacement())
        self.assertNotIn("value", {s.form for s in sites})

    def test_declares_the_switch_before_a_header_that_lies_within_a_namespace(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            texts = {"sum-inl.h": "inline int F(int a) {\n  return a + 1;\n}\n",
                     "sum.h": 'namespace a {\n#include "sum-inl.h"\n}\n', "sums.cc": '#include "sum.h"\n',
                     "other.cc": "int b;\n"}
            for name, text in texts.items():
                (root / name).write_text(text)
            subprocess.run(["git", "init", "-q"], cwd=root, check=True)
            Tree(root, root / "mutants", 1).write(sites_of(source(texts["sum-inl.h"], "sum-inl.h"))[:1])
            written = {name: (root / "mutants" / "src" / name).read_text() for name in texts}
            self.assertIn("::plumb_mutant::Is", written["sum-inl.h"])
            for path in ("sum.h", "sums.cc"):
                self.assertEqual("#include \"tools/mutate/switch.h\"\n#line 1\n" + texts[path], written[path])
            self.assertEqual(texts["other.cc"], written["other.cc"])

    def test_asks_at_run_time_in_constexpr_functions(self):
        site = sites_in("constexpr int F(int a) { return a + 1; }\n")[0]
        self.assertIn("IsAtRunTime", site.replacement())

    def test_a_lock_as_one_that_may_not_lock(self):
        for lock, arguments in (("const std::lock_guard lock(m)", "m"), ("MutexLock lock(m)", "m"),
                                ("MutexLockIf lock(m, shared)", "m, shared")):
            site = next(s for s in sites_in(f"void F() {{\n  {lock};\n}}\n") if s.kind == "lock")
            self.assertEqual(f"const ::plumb_mutant::Guard lock(0, {arguments})", site.replacement())

    def test_the_locks_of_the_sources(self):
        for path in ("fastpath/device/rendezvous.cc", "fastpath/session/plan_cache.cc"):
            text = (ROOT / path).read_text()
            locks = [s for s in kinds_statements.find(source(text, path)) if s.kind == "lock"]
            self.assertEqual(len(re.findall(r"\bMutexLock \w+\(", text)), len(locks), path)
            self.assertTrue(locks, path)

    def test_knows_which_headers_are_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "gpu").mkdir()
            (root / "gpu" / "a.cc").write_text('#include "gpu/a.h"\n#include <vector>\n')
            (root / "gpu" / "a.h").write_text('#include "beside.h"\n')
            (root / "gpu" / "beside.h").write_text("")
            (root / "gpu" / "card.h").write_text("")
            self.assertEqual({"gpu/a.h", "gpu/beside.h"}, included_by({"gpu/a.cc"}, root))

    def test_blames_the_site_that_an_error_points_at(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = Tree(folder, Path(folder), 1)
            sites = [s for s in sites_in("int F(int a) {\n  return a * 2;\n}\nint G(int a) {\n  return a * 3;\n}\n")
                     if s.kind == "arithmetic"]
            log = "../fastpath/cpu/example.cc:5:10: \x1b[01;31merror: no match\n../fastpath/cpu/example.cc:2:1: note: x\n"
            self.assertEqual([5], [site.line for site in tree.blamed(log, sites)])


class Draws(unittest.TestCase):
    def setUp(self):
        body = "".join(f"  int x{i} = a[{i}] * b + {i};\n  G(x{i});\n" for i in range(9))
        self.files = [source(f"void F(int* a, int b) {{\n{body}}}\n", f"{folder}/{name}.cc")
                      for folder in ("spec", "fastpath") for name in ("one", "two", "three")]

    def drawn(self, seed, count=12):
        sites = [site for file in self.files for site in kinds_expressions.find(file)]
        return draw(sites, {"spec": 10, "fastpath": 90}, seed, count)

    def test_the_same_for_the_same_seed(self):
        self.assertEqual([s.id for s in self.drawn(1)], [s.id for s in self.drawn(1)])
        self.assertNotEqual([s.id for s in self.drawn(1)], [s.id for s in self.drawn(2)])

    def test_some_of_every_folder_and_kind(self):
        drawn = self.drawn(1)
        self.assertEqual(12, len(drawn))
        self.assertEqual({"spec", "fastpath"}, {s.path.split("/")[0] for s in drawn})
        self.assertEqual({"arithmetic", "bound", "offset"}, {s.kind for s in drawn})

    def test_no_two_of_one_line(self):
        drawn = self.drawn(3, 20)
        self.assertEqual(len(drawn), len({s.where for s in drawn}))

    def test_raises_small_shares(self):
        self.assertGreater(shares({"small": 1, "large": 999})["small"], 0.1)


class KernelsOfGpus(unittest.TestCase):
    KERNEL = ("template <class T>\nPLUMB_GPU_KERNEL Loop(Global<const T> x, Global<T> y) {\n"
              "  PLUMB_GPU_SHARED(T, sums, kThreads + 1);\n"
              "  for (int64_t i = First(); i < y.size; i += Stride()) y[i] = x[i + 1];\n}\n")

    def test_are_drawn_but_for_what_is_compiled_for_cards_alone(self):
        for path, drawn in (("fastpath/gpu/array/fill.cu", True), ("fastpath/gpu/lib/sum.cu", True),
                            ("fastpath/gpu/card/launch.cu", False), ("fastpath/gpu/card/cudnn_library.cc", False),
                            ("fastpath/gpu/array/fill_test.cc", False), ("bench/x.cu", False)):
            self.assertEqual(drawn, is_mutated(path), path)
        kernels = [path for path in tracked_files(ROOT) if path.endswith(".cu") and is_mutated(path)]
        self.assertGreater(len(kernels), 100)

    def test_have_sites(self):
        found = {s.change for s in sites_in(self.KERNEL)}
        self.assertLessEqual({"i < y.size → i <= y.size", "i + 1 → i", "i += Stride() → i -= Stride()"}, found)
        self.assertFalse([change for change in found if "kThreads" in change])  # how large an array is

    def test_are_compiled_for_the_emulator_with_checked_indices(self):
        self.assertIn("-DPLUMB_GPU=OFF", inspect.getsource(Tree.configure))
        with tempfile.TemporaryDirectory() as folder:
            tree = Tree(folder, Path(folder), 1)
            checked, built = [], []
            tree.write, tree.configure = built.append, checked.append
            tree.commands = lambda: [{"file": str(tree.source / "fastpath/gpu/array/fill.cu")}]
            tree.targets, tree.objects_of = list, lambda headers: []
            sites = sites_of(source(self.KERNEL, "fastpath/gpu/array/fill.cu"))
            self.assertEqual(sites, tree.compile(sites, print))
            self.assertEqual([{"fastpath/gpu/array/fill.cu"}], checked)

    def test_are_blamed_for_what_does_not_compile(self):
        with tempfile.TemporaryDirectory() as folder:
            sites = sites_of(source(self.KERNEL, "fastpath/gpu/array/fill.cu"))
            log = "../fastpath/gpu/array/fill.cu:4:10: error: no match\n"
            self.assertEqual({4}, {site.line for site in Tree(folder, Path(folder), 1).blamed(log, sites)})


if __name__ == "__main__":
    unittest.main()
