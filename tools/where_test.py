#!/usr/bin/env python3
"""Tests of where.py: which places it finds of ops of several kinds."""
import re
import unittest

from op_sources import ROOT, catalogue, text_of
from where import (CALLS, definition_of_rule, executor_places, kernel_places, kind_of, places_of, row_text,
                   spec_places)


class Places(unittest.TestCase):
    OPS = catalogue()

    def places(self, op):
        """What stands where, with the lines off."""
        found = [(what, place.partition(":")[0]) for what, place in places_of(op, self.OPS)]
        for _, path in found:
            self.assertTrue((ROOT / path).is_file(), path)
        return found

    def test_of_an_op_with_kernels(self):
        found = self.places("ConcatV2")
        for what, path in (("row", "spec/ops/array/concat.cc"), ("shapes", "spec/ops/array/concat.cc"),
                           ("reference", "reference/ops/array/concat.cc"), ("cpu", "fastpath/cpu/array/concat.cc"),
                           ("gpu", "fastpath/gpu/array/concat.cu"), ("uses", "reference/ops/lib/slab.h"),
                           ("uses", "fastpath/formulas/array/joined_shape.h"),
                           ("uses", "fastpath/gpu/lib/strided_copy.h"), ("test", "fastpath/cpu/array/concat_test.cc")):
            self.assertIn((what, path), found)

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
            for place in (("shapes", path), ("shapes", "spec/graph/function_shapes.cc"),
                          ("called", "spec/graph/function_calls.cc")):
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
            kernels[op] = [place.partition(":")[0] for _, place in kernel_places(op, topic, kind_of(path, line))]
        self.assertEqual(kernels, {"_Arg": ["reference/ops/function/call.cc", "fastpath/cpu/function/call.cc"],
                                   "PartitionedCall": [], "Enter": [],
                                   "LoopCond": ["reference/ops/control_flow/loop.cc"]})


if __name__ == "__main__":
    unittest.main()
