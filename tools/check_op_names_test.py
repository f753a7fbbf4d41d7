#!/usr/bin/env python3
"""Tests of check_op_names.py: what is a decision by a name, which files are searched, where rules and kernels may stand,
and where topics are listed."""
import unittest

from check_op_names import (LIST_OF_OPS, LISTS, NUMBERS, TREES, catalogue, decisions, judged, kernel_ops, known_ops, parts,
                            shared_rules, strange_homes, strange_lists, strange_rules, strange_topics, topic_of)
from op_decisions import asked_about, builders, known_to

OPS = {**known_ops(), **catalogue()}
PARTS = parts(OPS)


def named(code, path="fastpath/session/devices.cc", asked=frozenset()):
    """By which ops this code decides in a file that is of none."""
    return [op for op, _ in decisions(path, code, OPS, PARTS, asked)]


class Decides(unittest.TestCase):
    def assert_each(self, codes):
        for code in codes:
            self.assertIn("MatMul", named(code), code)

    def test_who_compares_lists_or_looks_up(self):
        self.assert_each(('if (node.op == "MatMul") {', 'return "MatMul" != op;', 'IsOp(node, "MatMul")',
                          'kNames.contains("MatMul")', 'const char* kAll[] = {"Add", "MatMul"};'))

    def test_who_compares_what_is_made_of_it(self):
        self.assert_each(('if (&GetOp("MatMul") == op) {', 'return op == &GetOp("MatMul");',
                          'if (GetOp("MatMul").name == x) {', 'if (std::string_view("MatMul") == x) {',
                          'x != std::string{"MatMul"}', 'if ("MatMul"sv == x) {',
                          'x == std::string(std::string_view("MatMul"))'))

    def test_who_asks_by_a_function(self):
        self.assert_each(('if (op.compare("MatMul") == 0) {', 'if (!strcmp(op, "MatMul")) {',
                          'if (strncmp("MatMul", op, 6) == 0) {', 'if (StartsWith(op, "MatMul")) {',
                          'auto x = std::string_view("MatMul");', 'if (std::regex_match(op, std::regex("MatMul"))) {',
                          'case Hash("MatMul"):'))

    def test_who_asks_by_a_function_of_any_name(self):
        self.assert_each(('if (HasName(node, "MatMul")) {', 'const bool is_product = Equals(op, "MatMul");',
                          'const auto is = [&](const char* op) { return node.op == op; };\nif (is("MatMul")) return;',
                          'switch (Kind(op, "MatMul")) {', 'return Any(nodes, Named{"MatMul"});',
                          'Filter<Is>("MatMul", &nodes);'))

    def test_who_asks_by_a_function_that_is_called_as_if_it_built(self):
        for code in ('bool Named(const Node& node, const char* op) { return node.op == op; }\nif (Named(n, "MatMul")) {',
                     'const auto Node = [](auto& n, auto op) { return n.op == op; };\nif (Node(n, "MatMul")) {'):
            self.assert_each((code,))

    def test_who_keeps_something_by_it(self):
        self.assert_each(('kinds["MatMul"] = 1;', 'return kinds.at("MatMul");', 'names.erase("MatMul");',
                          'kinds.try_emplace("MatMul", 1);', 'kinds.insert_or_assign("MatMul", 1);',
                          'names.push_back("MatMul");', 'Names names("MatMul");'))

    def test_who_keeps_it_in_a_table(self):
        self.assert_each(('constexpr Cost kCosts[] = {{.op = "MatMul", .cost = 3}};', 'Cost cost{.op = "MatMul"};',
                          'costs.push_back({.op = "MatMul"});', 'constexpr Cost kCosts[] = {{"MatMul", 3}};',
                          'const Cost cost = {.name = "MatMul"};', 'for (const char* op : {"Add", "MatMul"}) {'))

    def test_who_calls_a_constant_so(self):
        self.assert_each(('constexpr std::string_view kM = "MatMul";', 'constexpr char kM[] = "MatMul";',
                          'static const std::string kM("MatMul");', 'const std::string_view kM{"MatMul"};',
                          'inline constexpr const char* kM =\n    "MatMul";', '#define M "MatMul"'))

    def test_who_calls_a_variable_so_and_compares_that(self):
        self.assert_each(('const char* product = "MatMul";\nif (node.op == product) {',
                          'const std::string product = is_one ? "MatMul" : "Add";\nif (node.op != product) {',
                          'auto product = "MatMul";\nif (StartsWith(node.op, product)) {',
                          'const OpDef& product = GetOp("MatMul");\nif (node.op == &product) {',
                          'const OpDef* const product = &GetOp("MatMul");\nreturn product == op;'))

    def test_who_gets_it_from_a_function_and_compares_that(self):
        code = 'const char* Product() { return "MatMul"; }\n'
        self.assert_each((code + 'if (node.op == Product()) {', code + 'return Product() == op;',
                          code + 'if (op.starts_with(Product())) {',
                          'std::string Product(bool one) {\n  if (one) {\n    return "MatMul";\n  }\n  return {};\n}\n'
                          'bool Is() { return op == Product(true); }'))
        self.assertIn("MatMul", named(code, asked=asked_about("if (node.op == Product()) {")))
        self.assertEqual(named(code), [])

    def test_who_asks_for_a_part_of_names(self):
        for code in ('if (op.starts_with("MatMu")) {', 'if (op->name.find("Scatter") != npos) {', 'op.ends_with("V2")',
                     'if (name.substr(0, 6) == "Sparse") {', 'if (strncmp(op, "MatM", 4) == 0) {',
                     'constexpr std::string_view kStart = "MatMu";\nif (op.starts_with(kStart)) {',
                     'if (node.op.find("atrix") != npos) {', 'RE2::PartialMatch(op, "Conv2D")',
                     'if (op.ends_with(std::string_view("Grad"))) {'):
            self.assertEqual(len(named(code)), 1, code)
        for code in ('if (label.starts_with("loc:@")) {', 'if (path.ends_with("_test")) {', 'if (name == "shape") {',
                     'if (name.starts_with("Zzz")) {', 'Say("MatMu");'):
            self.assertEqual(named(code), [], code)

    def test_nobody_who_builds(self):
        for code in ('g.Call("MatMul", {a, b});', 'scope.Add(name, "MatMul", {x})', 'x = 1;  // op == "MatMul"',
                     'const Endpoint y = g.Call("MatMul", {a, b});', 'const char* op = is_sum ? "Add" : "MatMul";',
                     'node.op = "MatMul";', 'g.Append({.name = "x", .op = "MatMul"}, {});',
                     'NodeDef node{.op = "MatMul"};', 'return scope.Call(is_sum ? "Add" : "MatMul", {x});',
                     'gradient.name = GetOp("MatMul").name;', 'g.Add(std::string("MatMul"), {x});',
                     'constexpr char kType[] = "MatMul";', 'if (HandleKind(x) == "MatMul") {'):
            self.assertEqual(named(code), [], code)


class Builders(unittest.TestCase):
    FILES = {"client/a.h": "NodeId Twice(Scope& scope, const std::string& op, int times);",
             "client/a.cc": 'NodeId Twice(Scope& scope, const std::string& op, int times) {\n'
                            '  return scope.Add(op, {});\n}',
             "client/b.cc": 'Output Mine(Scope& scope, const char* op) { return scope.Call(op, {}); }\n'
                            'bool Asks(const Node& node, const char* op) { return node.op == op; }\n'
                            'Output Both(Scope& scope, std::string op) {\n  if (op == kNone) return {};\n'
                            '  return scope.Call(op, {});\n}\n'
                            'Output Outer(Scope& s, const char* op, const char* name) { return Mine(s, op); }\n'
                            'const auto part = [&](const char* op) { return g.Call(op, {x}); };\n'
                            'NodeDef Made(std::string name, std::string op) {\n  NodeDef def;\n  def.op = op;\n'
                            '  return def;\n}\n'
                            'void Say(const std::string& op) { std::puts(op.c_str()); }'}

    def test_hand_a_parameter_on_to_others(self):
        found = builders(self.FILES)
        self.assertEqual(found[""]["Twice"], {1})
        self.assertEqual(found["client/b.cc"], {"Mine": {1}, "Outer": {1}, "part": {0}, "Made": {1}})

    def test_of_a_file_are_its_own(self):
        ops = catalogue()
        known = builders(self.FILES)
        for path, count in (("client/b.cc", 0), ("client/c.cc", 1)):
            named_here = decisions(path, 'Use(Mine(scope, "MatMul"));', ops, known=known_to(known, path))
            self.assertEqual(len(list(named_here)), count, path)
        name = decisions("client/b.cc", 'Outer(scope, "Neg", "MatMul");', ops, known=known_to(known, "client/b.cc"))
        self.assertEqual([op for op, _ in name], ["MatMul"])


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


class OpLists(unittest.TestCase):
    COUNT = f"{NUMBERS[len(LISTS)]} lists"
    PAGE = f"An op costs three files. {COUNT} follow: " + ", ".join(LISTS)
    NAMES = sorted(catalogue())[:LIST_OF_OPS + 1]

    def strange(self, texts=(), told=PAGE):
        return list(strange_lists(catalogue(), dict(texts), told))

    def test_are_known(self):
        self.assertEqual(self.strange(), [])
        listed = {"bench/ops.txt": "\n".join(self.NAMES)}
        self.assertEqual(len(self.strange(listed)), 1)
        self.assertEqual(self.strange({"bench/ops.txt": "\n".join(self.NAMES[1:])}), [])
        for path in LISTS:
            self.assertEqual(self.strange({path: listed["bench/ops.txt"]}), [], path)

    def test_are_told_and_counted(self):
        for name in LISTS:
            self.assertEqual(len(self.strange(told=self.PAGE.replace(name, "it"))), 1, name)
        self.assertEqual(len(self.strange(told=self.PAGE.replace(self.COUNT, "Two lists"))), 1)


if __name__ == "__main__":
    unittest.main()
