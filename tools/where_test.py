#!/usr/bin/env python3
"""Tests of where.py: which places it finds of ops of several kinds."""
import re
import unittest

from op_sources import ROOT, catalogue, text_of
from where import (BENCH, CALLS, MOST_FILES, NONE, definition_of_rule, executor_places, kernel_places, kind_of, places_of,
                   places_of_known, recorded_places, row_text, spec_places, trials)


class Places(unittest.TestCase):
    OPS = catalogue()

    def places(self, op):
        """What stands where, with the lines off."""
        found = [(what, place.partition(":")[0]) for what, place in places_of(op, self.OPS)]
        for _, path in found:
            self.assertTrue(path == NONE or (ROOT / path).exists(), path)
        return found

    def lines(self, op, wanted):
        """The lines of the sources that stand for this of the op."""
        places = [place.split(":") for what, place in places_of(op, self.OPS) if what == wanted]
        return [text_of(path).split("\n")[int(line) - 1] for path, line in places]

    def test_of_an_op_with_kernels(self):
        found = self.places("ConcatV2")
        for what, path in (("row", "spec/ops/array/concat.cc"), ("shapes", "spec/ops/array/concat.cc"),
                           ("reference", "reference/ops/array/concat.cc"), ("cpu", "fastpath/cpu/array/concat.cc"),
                           ("gpu", "fastpath/gpu/array/concat.cu"), ("uses", "reference/ops/lib/slab.h"),
                           ("uses", "fastpath/formulas/array/joined_shape.h"),
                           ("uses", "fastpath/gpu/lib/strided_copy.h"), ("test", "fastpath/cpu/array/concat_test.cc")):
            self.assertIn((what, path), found)

    def test_of_kernels_name_what_computes(self):
        for op, tree, begins in (("ParseExampleV2", "reference", "void ParseExampleV2("),
                                 ("ParseExampleV2", "cpu", "class ParseExampleV2Kernel "),
                                 ("QueueDequeueV2", "reference", "void Dequeue("),
                                 ("ConcatV2", "gpu", "class Concat "), ("Mean", "cpu", "std::unique_ptr<Kernel> MakeMean(")):
            lines = self.lines(op, tree)
            self.assertTrue([line for line in lines if line.startswith(begins)], (op, lines))
            self.assertFalse([line for line in lines if f'"{op}"' in line], (op, lines))

    def test_of_an_op_without_a_gradient_or_a_recorded_case(self):
        found = places_of("ParseExampleV2", self.OPS)
        self.assertIn(("gradient", NONE + ": asking for one is an error"), found)
        self.assertNotIn(NONE, [place.partition(":")[0] for what, place in places_of("ConcatV2", self.OPS)])
        never = next(op for op in self.OPS if op.startswith("_"))
        self.assertEqual(list(recorded_places(never)), [("recorded", NONE)])

    def test_of_lists_cases_and_bench_rows(self):
        found = places_of("ParseExampleV2", self.OPS)
        lists = dict(place.split(":") for what, place in found if what == "list")
        self.assertEqual(set(lists), {*(f"spec/ops/testdata/{name}.txt" for name in ("signatures", "refused_ranks")),
                                      *(f"conformance/compare/testdata/{name}.txt"
                                        for name in ("grants", "known_shapes", "lax_shapes")), "conformance/floor.json"})
        for path, line in lists.items():
            self.assertIn("ParseExampleV2", text_of(path).split("\n")[int(line) - 1])
        recorded = [place for what, place in found if what == "recorded"]
        self.assertRegex(recorded[0], r"^conformance/golden/cases/parsing_ops_test\.golden\.gz: \d\d cases$")
        many = [place for _, place in recorded_places("Const")]
        self.assertEqual(len(many), MOST_FILES + 1)
        self.assertRegex(many[-1], r"^conformance/golden/cases: \d+ cases in \d+ more files$")
        self.assertIn(("bench", "bench/graphs"), [(what, path.rpartition("/")[0]) for what, path in self.places("SaveV2")])
        self.assertIn(("bench", BENCH), self.places("SquaredDifference"))

    def test_of_tests_that_try_the_op_and_not_of_lists_of_names(self):
        self.assertNotIn(("test", "conformance/compare/shape_rules_test.cc"), self.places("ParseExampleV2"))
        for op in ("ConcatV2", "Conv2D", "Sum"):
            for line in (text_of(path).split("\n")[int(line) - 1] for path, line in
                         (place.split(":") for place in trials(op))):
                self.assertRegex(line, rf'"{op}"\s*,|"{op}/|\bops::{op}\(')

    def test_of_what_families_share(self):
        for op, headers in (("Conv2D", ["spec/ops/convolution/windows.h", "reference/ops/lib/window.h"]),
                            ("MatMul", ["reference/ops/matrix/matrix_product.h", "spec/ops/matrix/products.h"]),
                            ("QueueDequeueV2", ["reference/state/queue.h", "fastpath/cpu/data_flow/queue_object.h"])):
            found = self.places(op)
            for header in headers:
                self.assertIn(("uses", header), found, op)
            self.assertEqual(len([place for place in found if place[0] == "uses"]),
                             len({place for place in found if place[0] == "uses"}), op)
            self.assertNotIn(("uses", "reference/kernel/op_context.h"), found)

    def test_of_rules_that_topics_share(self):
        self.assertIn(("shapes", "spec/ops/resource_apply.cc"), self.places("ResourceApplyAdam"))
        self.assertIn(("shapes", "spec/ops/shape_helpers.cc"), self.places("SquaredDifference"))
        self.assertIn(("gradient", "spec/graph/function_gradient.cc"), self.places("While"))

    def test_of_formulas_once(self):
        found = self.places("SquaredDifference")
        self.assertIn(("formula", "fastpath/formulas/math/arithmetic-inl.h"), found)
        self.assertNotIn(("uses", "fastpath/formulas/math/arithmetic-inl.h"), found)
        self.assertIn(("cpu", "fastpath/cpu/math/arithmetic.cc"), found)

    def test_of_gpus_where_the_row_has_a_kernel_there(self):
        for op, has_one in (("CTCLossV2", True), ("CTCLoss", False), ("SparseApplyMomentum", False),
                            ("SquaredDifference", True)):
            self.assertEqual("gpu" in [what for what, _ in self.places(op)], has_one, op)

    def test_of_kernels_in_headers_name_the_code_beside(self):
        beside = "fastpath/cpu/lib/state/accumulator_kernels.cc"
        for op, begins in (("ConditionalAccumulator", "MakeAccumulatorKernel::MakeAccumulatorKernel("),
                           ("AccumulatorTakeGradient", "TakeGradientKernel::TakeGradientKernel("),
                           ("SparseAccumulatorTakeGradient", "TakeGradientKernel::TakeGradientKernel(")):
            found = self.places(op)
            for place in (("cpu", "fastpath/cpu/lib/state/accumulator.h"), ("cpu", beside),
                          ("uses", "fastpath/cpu/lib/state/accumulator.cc"), ("uses", "reference/state/accumulator.h")):
                self.assertIn(place, found, op)
            self.assertTrue([line for line in self.lines(op, "cpu") if line.startswith(begins)], op)
        self.assertIn(("uses", "reference/state/lookup_table.h"), self.places("LookupTableFindV2"))

    def test_of_what_accumulators_do_on_the_fast_path(self):
        for op in ("ConditionalAccumulator", "SparseConditionalAccumulator", "SparseAccumulatorTakeGradient"):
            self.assertIn(("test", "fastpath/cpu/data_flow/accumulator_test.cc"), self.places(op))

    def test_of_a_call(self):
        found = self.places("PartitionedCall")
        for path in ("reference/step/calls.cc", "fastpath/compile/functions/inline_functions.cc",
                     "fastpath/compile/functions/inline_body.cc", "spec/graph/function_library.cc",
                     "spec/graph/function_body.cc"):
            self.assertIn(path, [place for _, place in found])
        self.assertFalse({"cpu", "gpu", "uses"} & {what for what, _ in found})

    def test_of_a_choice_and_of_a_loop(self):
        for op, function in (("If", "Replacement Choice("), ("Case", "Replacement Choice("), ("While", "Replacement Loop(")):
            lines = [place.partition(":")[2] for what, place in places_of(op, self.OPS)
                     if what == "fast path" and "inline_functions.cc" in place]
            text = text_of("fastpath/compile/functions/inline_functions.cc").split("\n")
            self.assertTrue([line for line in lines if function in text[int(line) - 1]], op)
            self.assertIn(("fast path", "fastpath/compile/functions/branch_kernel.cc"), self.places(op))

    def test_of_every_op_that_calls_say_where_shapes_and_gradients_are(self):
        """In the row, as far as it has them, and through the bodies."""
        calls = [op for op, (_, path, line) in self.OPS.items() if kind_of(path, line) in CALLS]
        self.assertLessEqual({"PartitionedCall", "If", "Case", "While", "For", "SymbolicGradient"}, set(calls))
        without = set()
        for op in calls:
            _, path, line = self.OPS[op]
            row = row_text(text_of(path), line)
            found = [*spec_places(op, path, line), *executor_places(kind_of(path, line), row)]
            files = [(what, place.partition(":")[0]) for what, place in found]
            shapes = re.search(r"\.shape_fn = (?:From\w+\()?(\w+)", row)
            self.assertIn(("shapes", definition_of_rule(path, shapes[1])), found, op)
            for place in (("shapes", "spec/graph/function_shapes.cc"), ("called", "spec/graph/function_calls.cc")):
                self.assertIn(place, files, op)
            gradient = re.search(r"\.gradient = (\w+)", row)
            if gradient:
                self.assertIn(("gradient", definition_of_rule(path, gradient[1])), found, op)
            if ("gradient", "spec/graph/function_gradient.cc") not in files:
                without.add(op)
        self.assertEqual(without, {"RemoteCall", "BatchFunction", "For"})

    def test_of_executor_ops_are_their_own_kernels_alone(self):
        kernels = {}
        for op in ("_Arg", "PartitionedCall", "Enter", "LoopCond"):
            topic, path, line = self.OPS[op]
            row = row_text(text_of(path), line)
            kernels[op] = [place.partition(":")[0] for _, place in kernel_places(op, topic, row, kind_of(path, line))]
        self.assertEqual(kernels, {"_Arg": ["reference/ops/function/call.cc", "fastpath/cpu/function/call.cc"],
                                   "PartitionedCall": [], "Enter": [],
                                   "LoopCond": ["reference/ops/control_flow/loop.cc"]})

    def test_of_an_op_that_has_no_row(self):
        found = dict(places_of_known("_FusedMatMul"))
        self.assertTrue(found["signature"].startswith("spec/ops/known/"), found)
        self.assertTrue(found["taken apart"].startswith("spec/graph/fused_nodes.cc:"), found)
        self.assertEqual([what for what, _ in places_of_known("MapDataset")], ["signature"])

    def test_of_the_trials_of_gradients(self):
        self.assertIn(("list", "property-tests/testdata/gradient_trials.txt"), self.places("Angle"))


if __name__ == "__main__":
    unittest.main()
