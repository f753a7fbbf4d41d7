#!/usr/bin/env python3
"""Which sources join.py puts together, in small trees of their own."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import join  # noqa: E402


def source(kept="", public="", head=""):
    return f"{head}\nnamespace plumb {{\nnamespace {{\n\n{kept}\n\n}}  // namespace\n\n{public}\n\n}}  // namespace plumb\n"


class Joined(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(setattr, join, "ROOT", join.ROOT)
        join.ROOT = pathlib.Path(self.folder.name)
        self.out = join.ROOT / "build/joined/target"

    def have(self, **files):
        for name, text in files.items():
            file = join.ROOT / "ops" / (name.replace("_h", ".h") if name.endswith("_h") else f"{name}.cc")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)

    def groups(self):
        paths = [path.relative_to(join.ROOT) for path in sorted(join.ROOT.glob("ops/*.cc"))]
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            join.write(self.out, "/x[^/]*$ /y", paths, join.Headers())
        self.printed = printed.getvalue().split()
        return sorted([pathlib.Path(path).stem for path in group] for group in join.written(self.out) if len(group) > 1)

    def test_sources_without_a_name_in_common_come_together_and_tables_do_not_keep_them_apart(self):
        rows = "constexpr KernelRow kRows[] = {1};"
        self.have(a=source(f"int A() {{ return 1; }}\n{rows}"), b=source(f"int B() {{ return 2; }}\n{rows}"))
        self.assertEqual([["a", "b"]], self.groups())
        text = pathlib.Path(self.printed[0]).read_text()
        self.assertIn('#define kRows kRows1\n#include "ops/b.cc"\n#undef kRows\n', text)

    def test_a_member_of_the_name_of_tables_keeps_its_name(self):
        self.have(a=source("int A() { return Part::kRows; }"), b=source("constexpr int kRows[] = {1};"))
        self.assertEqual([["a", "b"]], self.groups())
        self.assertIn('"ops/a.cc"\n#define kRows kRows1\n#include "ops/b.cc"\n', pathlib.Path(self.printed[0]).read_text())

    def test_a_name_that_both_keep_to_themselves_keeps_them_apart(self):
        for kept in ("int Same(int a) { return a; }", "constexpr int Same = 1;", "struct Same {};", "const int Same[] = {1};",
                     "class Same final : public Kernel {", "template <class T>\nT Same(T a) { return a; }",
                     "using Same = int;", "#define Same 1"):
            self.have(a=source(kept), b=source(kept), c=source("int C();"))
            self.assertEqual([["a", "c"]], self.groups(), kept)
            self.assertEqual(str(join.ROOT / "ops/b.cc"), self.printed[-1])

    def test_a_name_that_the_other_uses_keeps_them_apart(self):
        self.have(a=source("int Size(long a) { return 1; }"), b=source("int B() { return Size(3); }"))
        self.assertEqual([], self.groups())

    def test_not_where_it_is_a_word_of_a_comment_or_a_text(self):
        self.have(a=source("int Size(long a) { return 1; }"), b=source('const char* B() { return "Size"; }  // Size'))
        self.assertEqual([["a", "b"]], self.groups())

    def test_a_name_that_a_header_of_the_other_declares_keeps_them_apart(self):
        declares = '#include "ops/inner.h"\n'
        self.have(inner_h="int Size(int a);\n", outer_h=declares, a=source("int Size(long a) { return 1; }"),
                  b=source("int B();", head='#include "ops/outer.h"'))
        self.assertEqual([], self.groups())
        self.have(c=source("int Size(long a) { return 1; }", head=declares))
        self.assertEqual([["b", "c"]], self.groups())

    def test_a_name_that_means_another_thing_by_the_headers_of_the_other_keeps_them_apart(self):
        self.have(outer_h="namespace plumb {\nclass Lock;\n}  // namespace plumb\n",
                  inner_h="namespace plumb::reference {\nclass Lock;\n}  // namespace plumb::reference\n",
                  beside_h="namespace plumb::fast {\nclass Other;\n}  // namespace plumb::fast\n",
                  a=source("int A();", head='#include "ops/outer.h"'), b=source("int B();", head='#include "ops/inner.h"'),
                  c=source("int C();", head='#include "ops/outer.h"\n#include "ops/beside.h"'))
        self.assertEqual([["a", "c"]], self.groups())
        self.have(inner_h="namespace plumb {\nint Lock(int a);\n}  // namespace plumb\n")
        self.assertEqual([["a", "c"]], self.groups())

    def test_a_name_of_a_part_of_one_that_the_other_uses_keeps_them_apart(self):
        formulas = source('#include "ops/formulas-inl.h"')
        self.have(part_h="class Steps;\n", a=formulas, b=source("Steps B();", head='#include "ops/part.h"'), c=source())
        (join.ROOT / "ops/formulas-inl.h").write_text("struct Steps {};\n")
        self.assertEqual([["a", "c"]], self.groups())
        self.have(c=formulas)
        self.assertEqual([], self.groups())

    def test_a_definition_that_both_export_keeps_them_apart(self):
        self.have(a=source(public="int Same(int a) { return a; }"), b=source(public="int Same(long a) { return 1; }"))
        self.assertEqual([], self.groups())

    def test_sources_of_instruction_sets_and_solvers_stay_alone(self):
        self.have(a=source(head='#define HWY_TARGET_INCLUDE "a.cc"'), b=source(head="#include <Eigen/QR>"), c=source(),
                  d=source())
        self.assertEqual([["c", "d"]], self.groups())

    def test_sources_by_whose_paths_they_are_apart(self):
        self.have(a=source("int A();"), b=source("int B();"), x1=source("int X1();"), x2=source("int X2();"),
                  y1=source("int Y1();"), y2=source("int Y2();"))
        self.assertEqual([["a", "b"], ["x1", "x2"], ["y1", "y2"]], self.groups())

    def test_what_is_together_stays_together_where_one_is_added_or_gone(self):
        self.have(**{f"b{i}": source(f"int B{i}();") for i in range(join.AT_MOST)})
        before = self.groups()
        self.have(a=source("int A();"), z=source("int Z();"))
        self.assertEqual([["a", "z"], *before], self.groups())
        (join.ROOT / "ops/b3.cc").unlink()
        self.assertEqual([["a", "z"], [stem for stem in before[0] if stem != "b3"]], self.groups())

    def test_what_is_alone_stays_alone_too(self):
        self.have(a=source("int A();\nint B();"), b=source("int B();\nint C();"), c=source("int C();\nint A();"))
        self.assertEqual([], self.groups())
        self.have(b=source("int B();"), c=source("int C();"))
        self.assertFalse(join.changed(self.out, join.Headers()))

    def test_a_change_is_one_only_where_the_files_would_be_others(self):
        self.have(a=source("int A();"), b=source("int B();"))
        self.groups()
        self.have(b=source("int B();\nint B2();"))
        self.assertFalse(join.changed(self.out, join.Headers()))
        self.have(b=source("int A();"))
        self.assertTrue(join.changed(self.out, join.Headers()))
        self.assertEqual([], self.groups())
        self.assertFalse(join.changed(self.out, join.Headers()))


if __name__ == "__main__":
    unittest.main()
