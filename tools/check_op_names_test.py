#!/usr/bin/env python3
"""Tests of check_op_names.py: what is a decision by a name, which files are searched, where rules and kernels may stand,
and where topics are listed."""
import unittest

from check_op_names import (LITERAL, TREES, catalogue, decides, decisions, judged, kernel_ops, known_ops, shared_rules,
                            strange_homes, strange_rules, strange_topics, topic_of, without_comments)


def is_decision(code):
    return any(decides(code, match) for match in LITERAL.finditer(without_comments(code)) if match[1] == "MatMul")


class Decides(unittest.TestCase):
    def test_who_compares_lists_or_looks_up(self):
        for code in ('if (node.op == "MatMul") {', 'return "MatMul" != op;', 'IsOp(node, "MatMul")',
                     'kNames.contains("MatMul")', 'const char* kAll[] = {"Add", "MatMul"};'):
            self.assertTrue(is_decision(code), code)

    def test_who_compares_what_is_made_of_it(self):
        for code in ('if (&GetOp("MatMul") == op) {', 'return op == &GetOp("MatMul");', 'if (GetOp("MatMul").name == x) {',
                     'if (std::string_view("MatMul") == x) {', 'x != std::string{"MatMul"}', 'if ("MatMul"sv == x) {',
                     'x == std::string(std::string_view("MatMul"))'):
            self.assertTrue(is_decision(code), code)

    def test_who_asks_by_a_function(self):
        for code in ('if (op.compare("MatMul") == 0) {', 'if (!strcmp(op, "MatMul")) {', 'if (strncmp("MatMul", op, 6) == 0) {',
                     'if (StartsWith(op, "MatMul")) {', 'auto x = std::string_view("MatMul");',
                     'if (std::regex_match(op, std::regex("MatMul"))) {', 'case Hash("MatMul"):'):
            self.assertTrue(is_decision(code), code)

    def test_who_keeps_something_by_it(self):
        for code in ('kinds["MatMul"] = 1;', 'return kinds.at("MatMul");', 'names.erase("MatMul");',
                     'kinds.try_emplace("MatMul", 1);', 'kinds.insert_or_assign("MatMul", 1);', 'names.push_back("MatMul");'):
            self.assertTrue(is_decision(code), code)

    def test_who_calls_a_constant_so(self):
        for code in ('constexpr std::string_view kM = "MatMul";', 'constexpr char kM[] = "MatMul";',
                     'static const std::string kM("MatMul");', 'const std::string_view kM{"MatMul"};',
                     'inline constexpr const char* kM =\n    "MatMul";', '#define M "MatMul"'):
            self.assertTrue(is_decision(code), code)

    def test_nobody_who_builds(self):
        for code in ('g.Call("MatMul", {a, b});', 'scope.Add(name, "MatMul", {x})', 'x = 1;  // op == "MatMul"',
                     'const Endpoint y = g.Call("MatMul", {a, b});', 'const char* op = is_sum ? "Add" : "MatMul";',
                     'const std::string op = Join("MatMul");', 'node.op = "MatMul";',
                     'constexpr char kType[] = "MatMul";', 'if (HandleKind(x) == "MatMul") {'):
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

    def test_of_ops_without_rows_is_what_takes_them_apart(self):
        known, code = known_ops(), 'if (op == "_TensorToHashBucketFast") {'
        self.assertLessEqual({"_FusedMatMul", "TensorSliceDataset"}, set(known))
        self.assertEqual(list(decisions("spec/graph/fused_nodes.cc", code, known)), [])
        self.assertEqual(len(list(decisions("spec/graph/function_calls.cc", code, known))), 1)

    def test_list_several_in_one_text_of_their_own_ops_only(self):
        ops = catalogue()
        for code in ('const RE2 products("MatMul|Conv2D");', 'Split("MatMul,Conv2D")', 'Re(R"(^(MatMul|Conv2D)$)")'):
            self.assertEqual([op for op, _ in decisions("fastpath/session/devices.cc", code, ops)], ["MatMul"], code)
            self.assertEqual([op for op, _ in decisions("fastpath/cpu/matrix/matmul.cc", code, ops)], ["Conv2D"], code)
        for code in ('Say("MatMul and Conv2D")', 'Say("MatMul of values")', 'Say("")'):
            self.assertEqual(list(decisions("fastpath/session/devices.cc", code, ops)), [], code)


class Rules(unittest.TestCase):
    def test_stand_with_their_rows_or_are_shared(self):
        ops = catalogue()
        self.assertEqual(list(strange_rules(ops, shared_rules())), [])
        without_helpers = "\n".join(strange_rules(ops, shared=""))
        self.assertIn("SquaredDifference has its shape_fn, Broadcasting, neither in this file", without_helpers)
        self.assertNotIn("SquaredDifferenceGradient", without_helpers)


class Homes(unittest.TestCase):
    OPS = {"Neg": ("math/arithmetic", "spec/ops/math/arithmetic.cc", 1)}
    PLACES = {"reference": ("reference/ops/math/arithmetic.cc", '{"Neg", Negate},'),
              "cpu": ("fastpath/formulas/math/arithmetic-inl.h", "PLUMB_UNARY(Neg, kCheap, Negated(x))")}

    def strange(self, tree, texts, owed=("Neg",)):
        return list(strange_homes(tree, self.OPS, set(owed), texts))

    def test_are_one_in_each_tree(self):
        for tree, (path, row) in self.PLACES.items():
            self.assertEqual(self.strange(tree, {path: row}), [])
            other = path.replace("arithmetic", "arithmetic_more")  # a part of the topic
            self.assertEqual(len(self.strange(tree, {path: row, other: row})), 1)

    def test_are_called_as_the_topic(self):
        for tree, (path, row) in self.PLACES.items():
            self.assertEqual(len(self.strange(tree, {path.replace("arithmetic", "numbers"): row})), 1)

    def test_are_owed_by_ops_that_kernels_run(self):
        for tree, (path, _) in self.PLACES.items():
            self.assertIn(f"Neg has no {tree} kernel", "".join(self.strange(tree, {path: '{"Abs", Absolute},'})))
            self.assertEqual(self.strange(tree, {path: ""}, owed=()), [])
        kernels = kernel_ops(catalogue())
        self.assertLessEqual({"Neg", "MatMul", "QueueDequeueV2"}, kernels)
        self.assertFalse({"Switch", "Merge", "Const", "While"} & kernels)


class Topics(unittest.TestCase):
    FILES = {"spec/ops/array/concat.cc": "std::span<const OpRow> ArrayConcat() {\n",
             "reference/ops/array/concat.cc": "std::span<const KernelRow> ArrayConcat() { return kRows; }\n",
             "fastpath/cpu/math/no_nan.cc": "#define PLUMB_TOPIC MathNoNan\n#define PLUMB_FORMULAS \"x\"\n",
             "fastpath/gpu/array/concat.cu": "std::span<const GpuKernelRow> ArrayConcat() { return kRows; }\n"}
    LISTS = {"spec/ops/topics.h": "  TOPIC(array, concat, ArrayConcat) \\\n", "reference/ops/topics.h": "TOPIC(ArrayConcat)",
             "fastpath/cpu/topics.h": "TOPIC(MathNoNan)", "fastpath/gpu/topics.h": "TOPIC(ArrayConcat)"}

    def strange(self, others=()):
        return list(strange_topics({**self.FILES, **self.LISTS, **dict(others)}))

    def test_are_called_after_their_files(self):
        self.assertEqual(topic_of("reference/ops/data_flow/queue_kinds.cc"), "DataFlowQueueKinds")
        for path in ("reference/ops/lib/pooling.cc", "reference/ops/topics.h", "fastpath/cpu/lib/image/windows.cc"):
            self.assertIsNone(topic_of(path), path)

    def test_stand_once_in_the_list_of_their_tree(self):
        self.assertEqual(self.strange(), [])
        for tree in TREES:
            path = tree + "topics.h"
            self.assertEqual(len(self.strange({path: self.LISTS[path] * 2})), 1, path)
            self.assertEqual(len(self.strange({path: ""})), 1, path)

    def test_are_those_of_their_files(self):
        text = "std::span<const KernelRow> ArrayJoin() { return kRows; }\n"
        self.assertEqual(self.strange({"reference/ops/array/concat.cc": text}),
                         ["reference/ops/array/concat.cc: gives its rows as ArrayJoin, not as ArrayConcat"])

    def test_stand_in_no_other_list(self):
        for text in ("TOPIC(ArrayConcat)", "Add(topics::ArrayConcat);", "auto rows = ArrayConcat();"):
            self.assertEqual(len(self.strange({"backends/lists.cc": text})), 1, text)
        for text in ('graph.Add("ArrayConcat")', "TensorArrayConcat()", "TOPIC(ArrayConcatenated)"):
            self.assertEqual(self.strange({"backends/lists.cc": text}), [], text)


if __name__ == "__main__":
    unittest.main()
