#!/usr/bin/env python3
"""Tests of check_docs.py: which names a page says to be of which file, which of them it says wrongly, and which clauses
ER8 lists."""
import pathlib
import tempfile
import unittest

from check_docs import claims, internal_complaints, misplaced_names


class Claims(unittest.TestCase):
    def test_of_a_file_named_first_go_on_to_the_end_of_the_chain(self):
        for between in (", ", " → ", " and ", ", and ", "; ", ", then ", "; then ", " then ", " over "):
            self.assertEqual(claims(f"`a/f.cc`: `One`{between}`Two::More`, as ever; `g.cc`: `Three`"),
                             [("One", "a/f.cc"), ("Two::More", "a/f.cc"), ("Three", "g.cc")], between)

    def test_of_a_file_named_last_are_those_before_it(self):
        for text in ("`One` and `Two` in `f.cc`", "`One` and `Two`, in `f.cc`", "`One`, `Two` (`f.cc`)"):
            self.assertEqual(claims(text), [("One", "f.cc"), ("Two", "f.cc")], text)
        self.assertEqual(claims("`One`, and `Two` in `f.cc`"), [("Two", "f.cc")])

    def test_are_none_where_no_file_is_said(self):
        self.assertEqual(claims("`One` calls `Two`. `f.cc` is a file; `Three` is not of it"), [])


class MisplacedNames(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = pathlib.Path(folder.name) / "README.md"
        for name, text in (("f.h", "void InHeader(); void InBoth();"), ("f.cc", "void InBoth() {}")):
            (self.page.parent / name).write_text(text)

    def misplaced(self, text):
        self.page.write_text(text)
        return [complaint.split("`")[1] for complaint in misplaced_names(self.page)]

    def test_are_those_that_the_file_itself_lacks(self):
        self.assertEqual(self.misplaced("`f.cc`: `InBoth`, then `InHeader`; `Absent`"), ["InHeader", "Absent"])
        self.assertEqual(self.misplaced("`InHeader`, `Absent` and `InBoth` in `f.cc`"), ["InHeader", "Absent"])

    def test_are_looked_for_in_the_source_of_a_header(self):
        (self.page.parent / "f.cc").write_text("void InBoth() {}  namespace { void Inner() {} }")
        self.assertEqual(self.misplaced("`f.h`: `InHeader`, `InBoth`, `Inner`, `Absent`"), ["Absent"])


class Internal(unittest.TestCase):
    REST = ("- **X1** A node. Two parents are\n  INTERNAL.\n\n## More\n- **N9** Division is INTERNAL.\n- **N10** INVALID."
            "\n")

    def complaints(self, listed):
        return list(internal_complaints(self.REST + f"- **ER8** INTERNAL is a bug, save where a clause says so\n  ({listed})."
                                                    "\n- **ER9** A failure.\n"))

    def test_is_what_er8_lists(self):
        self.assertEqual(self.complaints("X1,\n  N9"), [])

    def test_is_told_where_er8_misses_a_clause_or_has_another(self):
        self.assertEqual(self.complaints("X1, N10"),
                         ["spec/semantics: ER8 lists N10, which does not say INTERNAL",
                          "spec/semantics: ER8 does not list N9, which says INTERNAL"])


if __name__ == "__main__":
    unittest.main()
