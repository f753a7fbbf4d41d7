#!/usr/bin/env python3
"""Tests of check_op_names.py: what is a decision by a name, which files are searched, and where rules may stand."""
import unittest

from check_op_names import LITERAL, catalogue, decides, decisions, judged, shared_rules, strange_rules, without_comments


def is_decision(code):
    return any(decides(code, match) for match in LITERAL.finditer(without_comments(code)) if match[1] == "MatMul")


class Decides(unittest.TestCase):
    def test_who_compares_lists_or_looks_up(self):
        for code in ('if (node.op == "MatMul") {', 'return "MatMul" != op;', 'IsOp(node, "MatMul")',
                     'kNames.contains("MatMul")', 'const char* kAll[] = {"Add", "MatMul"};'):
            self.assertTrue(is_decision(code), code)

    def test_nobody_who_builds(self):
        for code in ('g.Call("MatMul", {a, b});', 'scope.Add(name, "MatMul", {x})', 'x = 1;  // op == "MatMul"'):
            self.assertFalse(is_decision(code), code)


class Searches(unittest.TestCase):
    def test_every_folder_with_code_of_ours(self):
        folders = {path.split("/")[0] for path in judged()}
        self.assertLessEqual({"spec", "reference", "fastpath", "client", "backends", "conformance", "tools", "models",
                              "property-tests", "bench", "examples"}, folders)


class TopicFiles(unittest.TestCase):
    def test_decide_by_the_names_of_their_own_ops_only(self):
        ops, code = catalogue(), 'if (node.op == "MatMul") {'
        for path, count in (("fastpath/cpu/matrix/matmul.cc", 0), ("fastpath/cpu/array/concat.cc", 1),
                            ("fastpath/session/devices.cc", 1)):
            self.assertEqual([op for op, _ in decisions(path, code, ops)], ["MatMul"] * count, path)


class Rules(unittest.TestCase):
    def test_stand_with_their_rows_or_are_shared(self):
        ops = catalogue()
        self.assertEqual(list(strange_rules(ops, shared_rules())), [])
        without_helpers = "\n".join(strange_rules(ops, shared=""))
        self.assertIn("SquaredDifference has its shape_fn, Broadcasting, neither in this file", without_helpers)
        self.assertNotIn("SquaredDifferenceGradient", without_helpers)


if __name__ == "__main__":
    unittest.main()
