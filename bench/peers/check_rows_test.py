#!/usr/bin/env python3
"""Tests of check_rows.py: which ops lack a row and a reason, and which reasons do not hold."""
import unittest

from check_rows import complaints, holds, without_rows

OPS = {"Add", "AddV2", "Pop", "Push", "Rank"}
PUSH = b"\x0a\x04push\x12\x04Push\x0a\x03pop\x12\x03Pop"
ROWS = {"AddV2": b"\x0a\x03sum\x12\x05AddV2", "Push": PUSH}
LINES = {"Add": ("spelling", "AddV2"), "Pop": ("in", "Push"), "Rank": ("small", "")}


class Complaints(unittest.TestCase):
    def found(self, ops=OPS, rows=ROWS, **lines):
        return list(complaints(ops, rows, {**LINES, **lines}))

    def test_are_none_where_each_op_has_a_row_or_a_reason(self):
        self.assertEqual(self.found(), [])

    def test_name_ops_that_have_neither(self):
        self.assertEqual(self.found(ops=OPS | {"Sub"}), ["Sub has neither a row nor a line in without_rows.txt"])

    def test_name_ops_that_have_both(self):
        self.assertEqual(self.found(AddV2=("small", "")), ["AddV2 has a row, and a line besides"])

    def test_name_lines_of_ops_that_are_gone(self):
        self.assertEqual(self.found(Sub=("once", "")), ["Sub is no op"])

    def test_name_reasons_that_are_none(self):
        self.assertEqual(self.found(Rank=("slow", "")), ["Rank: 'slow' with '' is no reason"])
        self.assertEqual(self.found(Rank=("small", "Push")), ["Rank: 'small' with 'Push' is no reason"])
        self.assertEqual(self.found(Rank=("in", "")), ["Rank: 'in' with '' is no reason"])

    def test_look_for_what_a_reason_names(self):
        self.assertEqual(self.found(Add=("spelling", "AddV3")), ["Add is a spelling of AddV3, which is no op"])
        self.assertEqual(self.found(Pop=("in", "Rank")), ["Pop is in Rank, which is no row"])
        self.assertEqual(self.found(Rank=("in", "Push")), ["Rank is in Push, whose graph has no such node"])

    def test_let_by_nodes_that_a_session_adds(self):
        self.assertEqual(self.found(ops=OPS | {"_Recv"}, _Recv=("in", "Push")), [])


class Graphs(unittest.TestCase):
    def test_hold_an_op_by_its_whole_name(self):
        self.assertTrue(holds(PUSH, "Pop"))
        self.assertFalse(holds(b"\x12\x05PopV2", "Pop"))
        self.assertFalse(holds(b"\x0a\x03Pop", "Pop"))


class Lists(unittest.TestCase):
    def test_have_an_op_a_reason_and_perhaps_a_name_in_each_line(self):
        self.assertEqual(without_rows("# why\n\nPop | in | Push\nRank | small\n"),
                         {"Pop": ("in", "Push"), "Rank": ("small", "")})


if __name__ == "__main__":
    unittest.main()
