#!/usr/bin/env python3
"""Tests of check_floor.py: what may go from a floor, and what has to be in it."""
import copy
import gzip
import unittest

from check_floor import (MOVED_LOOPS, UNTRIED, Tree, case_names, fallen, forgiven, full_runs, git, missing, one_sided, past, points,
                         present, too_low, untried, with_samples)

ROW = '{.signature = "Conv(x: T) -> (y: T)", .attrs = "padding: string in [\'SAME\', \'VALID\']; fast: bool; axis: int = 0"}'
SOURCES = 'constinit ChoicePoint a("cut: whole, or in pieces"); struct Sum { void Run(); };'
NAMES = {"a": ["x/1", "x/2", "y/1"], "b": ["z/1"]}
NOW = Tree(rows={"Conv": ROW, "Add": ""}, sources=SOURCES, cases=dict(NAMES),
           ledger=forgiven("# why\nreference, cpu | x/* | exact | it differs\n"))


def lost(kind, old, new, after=NOW, before=NOW, run="ops cpu"):
    return list(fallen({run: {kind: old}}, {run: {kind: new}}, before, after))


class Names(unittest.TestCase):
    def test_may_not_go_while_what_they_name_is_there(self):
        self.assertEqual(lost("ops", ["Add", "Conv"], ["Add"]), ["ops cpu: gone from ops: Conv"])
        for name in ("Conv padding=SAME", "Conv fast=true", "Conv axis=default"):
            self.assertEqual(lost("attributes", [name], []), [f"ops cpu: gone from attributes: {name}"])
        for name in ("cut: whole, or in pieces: large", "loop: Sum::Run(Context&): small"):
            self.assertEqual(lost("choices", [name], []), [f"ops cpu: gone from choices: {name}"])

    def test_another_in_their_place_does_not_help(self):
        self.assertEqual(len(lost("ops", ["Conv"], ["Add"])), 1)
        self.assertEqual(len(lost("ops", ["Conv"], 7)), 1)
        self.assertEqual(len(list(fallen({"ops sim": {"ops": ["Add"]}}, {}, NOW, NOW))), 1)

    def test_may_go_with_what_they_name(self):
        self.assertEqual(lost("ops", ["Gone"], []), [])
        for name in ("Gone fast=true", "Conv gone=true", "Conv padding=EXPLICIT"):
            self.assertEqual(lost("attributes", [name], []), [])
        for name in ("block: one, or several: large", "loop: Gone::Run(Context&): small"):
            self.assertEqual(lost("choices", [name], []), [])

    def test_may_be_rewritten(self):
        self.assertEqual(lost("attributes", ["Conv axis=given"], ["Conv axis=default"]), [])
        self.assertEqual(lost("choices", ["loop: Sum::Run(Context&): small"], ["loop: Sum::Run(Call&): small"]), [])
        self.assertEqual(len(lost("choices", ["loop: Sum::Run(Context&): small"], ["loop: Sum::Run(Call&): large"])), 1)

    def test_may_leave_its_class_but_not_move_to_another(self):
        self.assertEqual(lost("choices", ["loop: Sum::Run(Context&): small"], ["loop: Run(Sum&): small"]), [])
        self.assertEqual(len(lost("choices", ["loop: Sum::Run(Context&): small"], ["loop: Max::Run(Call&): small"])), 1)

    def test_may_move_where_the_list_says_to_a_loop_of_the_same_side(self):
        MOVED_LOOPS["Sum::Run(Context"] = "Max::Run("
        self.addCleanup(MOVED_LOOPS.pop, "Sum::Run(Context")
        for side, lines in (("small", 0), ("large", 1)):
            new = [f"loop: Max::Run(Call&): {side}"]
            self.assertEqual(len(lost("choices", ["loop: Sum::Run(Context&): small", *new], new)), lines)

    def test_may_take_the_place_of_a_count(self):
        self.assertEqual(lost("ops", 3, ["Add"]), [])
        self.assertEqual(len(lost("ops", 3, [])), 1)


class Counts(unittest.TestCase):
    def test_may_not_fall(self):
        self.assertEqual(lost("passed", {"Add": 3, "Conv": 2}, {"Add": 9, "Conv": 1}),
                         ["ops cpu: passed of Conv fell from 2 to 1"])
        self.assertEqual(lost("passed", {"Add": 3}, {"Add": 3, "Conv": 1}), [])
        for kind in ("passed", "settled"):
            self.assertEqual(lost(kind, {"a": 3, "b": 1}, {"a": 2, "b": 7}, run="golden cpu"),
                             [f"golden cpu: {kind} of a fell from 3 to 2"])
        self.assertEqual(len(lost("passed", {"a": 3}, 3, run="golden cpu")), 1)
        self.assertEqual(len(list(fallen({"golden cpu": {"passed": {"a": 3}}}, {}, NOW, NOW))), 1)

    def test_may_go_with_their_op_or_file_and_no_other(self):
        self.assertEqual(lost("passed", {"Add": 3, "Gone": 2}, {"Add": 3}), [])
        self.assertEqual(len(lost("passed", {"Add": 3, "Gone": 2}, {"Add": 2})), 1)
        before = Tree(NOW.rows, "", {**NAMES, "gone": ["w/1", "w/2"]}, NOW.ledger)
        for kind in ("passed", "settled"):
            for count, lines in ((3, 0), (2, 1)):
                now = lost(kind, {"a": 3, "gone": 2}, {"a": count}, before=before, run="golden cpu")
                self.assertEqual(len(now), lines)

    def test_may_fall_by_the_cases_that_are_gone_from_a_file(self):
        before = Tree(NOW.rows, "", {"a": [*NAMES["a"], "y/2"], "b": NAMES["b"]}, NOW.ledger)
        self.assertEqual(lost("passed", {"a": 4}, {"a": 3}, before=before, run="golden cpu"), [])
        self.assertEqual(len(lost("passed", {"a": 4}, {"a": 2}, before=before, run="golden cpu")), 1)
        self.assertEqual(len(lost("passed", {"b": 4}, {"b": 3}, before=before, run="golden cpu")), 1)
        self.assertEqual(lost("settled", {"a": 40}, {"a": 30}, before=before, run="golden cpu"), [])
        self.assertEqual(len(lost("settled", {"b": 40}, {"b": 39}, before=before, run="golden cpu")), 1)

    def test_may_fall_by_the_cases_that_a_new_line_of_the_ledger_forgives(self):
        before = Tree(NOW.rows, "", dict(NAMES))
        self.assertEqual(lost("passed", {"a": 3}, {"a": 1}, before=before, run="golden cpu"), [])
        self.assertEqual(len(lost("passed", {"a": 3}, {"a": 0}, before=before, run="golden cpu")), 1)
        self.assertEqual(len(lost("passed", {"a": 3}, {"a": 1}, before=before, run="golden sim")), 1)
        self.assertEqual(len(lost("passed", {"b": 1}, {"b": 0}, before=before, run="golden cpu")), 1)
        reworded = Tree(NOW.rows, SOURCES, dict(NAMES), forgiven("cpu, reference | x/* | exact | it really differs"))
        self.assertEqual(len(lost("passed", {"a": 3}, {"a": 2}, after=reworded, run="golden cpu")), 1)

    def test_over_a_whole_run_are_held_against_sums(self):
        before = Tree({**NOW.rows, "Gone": ""}, "", {**NAMES, "gone": ["w/1", "w/2"]}, NOW.ledger)
        self.assertEqual(lost("passed", 10, {"Add": 9}), ["ops cpu: passed fell from 10 to 9"])
        self.assertEqual(lost("passed", 10, {"Add": 4, "Conv": 6}), [])
        self.assertEqual(lost("passed", 10, {"Add": 9}, before=before), [])
        self.assertEqual(len(lost("passed", 10, {"a": 9}, run="golden cpu")), 1)
        self.assertEqual(lost("passed", 10, {"a": 8}, before=before, run="golden cpu"), [])
        self.assertEqual(len(lost("passed", 10, {"a": 7}, before=before, run="golden cpu")), 1)
        self.assertEqual(lost("settled", 10000, {"a": 9000, "b": 1000}, run="golden cpu"), [])
        self.assertEqual(len(lost("settled", 10000, {"a": 9999}, run="golden cpu")), 1)
        self.assertEqual(len(lost("settled", 10000, 9999, run="golden cpu")), 1)

    def test_with_what_chance_decides_are_of_another_kind(self):
        for now, lines in (({"settled": 9}, 0), ({"compared": 9}, 1), ({}, 1)):
            self.assertEqual(len(list(fallen({"golden cpu": {"compared": 10}}, {"golden cpu": now}, NOW, NOW))), lines)


class Cases(unittest.TestCase):
    FLOOR = {"golden cpu": {"passed": {"a": 1, "b": 1}, "settled": {"a": 5, "b": 0}},
             "golden sim": {"passed": {"a": 3, "b": 1}, "settled": {"a": 5, "b": 0}}}

    def test_all_have_to_pass_that_no_line_forgives(self):
        self.assertEqual(list(too_low(self.FLOOR, NOW)), [])
        for run, file in (("golden cpu", "a"), ("golden cpu", "b"), ("golden sim", "a"), ("golden sim", "b")):
            floor = copy.deepcopy(self.FLOOR)
            floor[run]["passed"][file] -= 1
            lines = list(too_low(floor, NOW))
            self.assertEqual(len(lines), 1)
            self.assertIn(f"{run}: {file} has", lines[0])

    def test_stand_in_the_floor_of_every_backend(self):
        more = Tree(NOW.rows, "", {**NAMES, "new": ["n/1"]}, NOW.ledger)
        self.assertEqual(len(list(too_low(self.FLOOR, more))), 2)
        floor = copy.deepcopy(self.FLOOR)
        del floor["golden sim"]["settled"]["b"]
        self.assertEqual(list(too_low(floor, NOW)), [
            "golden sim: nobody counted what b compares; set by: build/bin/plumb conformance golden "
            "conformance/golden/cases --backend sim --raise-floor"])

    def test_are_read_from_their_files(self):
        names = ["a_test/A/" + "long " * 40 + "name/0", "b"]
        data = b""
        for name in names:
            size = len(name.encode())
            length = bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])
            case = b"\x0a" + length + name.encode() + b"\x12\x01x"
            data += len(case).to_bytes(8, "little") + b"crc1" + case + b"crc2"
        self.assertEqual(case_names(gzip.compress(data)), names)
        self.assertRaises(ValueError, case_names, gzip.compress(data.replace(b"\x0a", b"\x12", 1)))

    def test_of_the_project_are_found(self):
        now = present()
        self.assertIn("alias_test", now.cases)
        self.assertGreater(sum(len(now.names(file)) for file in now.cases), 6558)
        if git("rev-parse", "HEAD"):  # there is a history here
            self.assertTrue(past("HEAD").names("alias_test"))


class Runs(unittest.TestCase):
    def test_are_those_of_the_checks_over_everything(self):
        dev = ("golden | build/bin/plumb conformance golden CASES --backend reference --backend sim | CASES\n"
               "ops | build/bin/plumb conformance ops  | there\n"
               "sim | build/bin/plumb conformance ops --backend sim --rounds 1 | there\n"
               "both | build/bin/plumb conformance ops --backend cpu --backend sim | there\n"
               "part | build/bin/plumb conformance ops --filter Neg\n")
        self.assertEqual(list(full_runs(dev)), ["golden reference", "golden sim", "ops cpu", "ops sim --rounds 1",
                                                "ops cpu", "ops sim"])

    def test_have_a_floor(self):
        floor = {"golden cpu": {"passed": {"a": 1}, "settled": {"a": 2}},
                 "ops cpu": {"ops": ["Add"], "attributes": ["Conv fast=true"], "choices": ["x: small"],
                             "passed": {"Add": 1}}}
        self.assertEqual(list(missing(floor, floor)), [])
        self.assertEqual(list(missing(floor, ["ops sim --rounds 1"])),
                         ["ops sim --rounds 1: no ops, attributes, choices, passed; set by: build/bin/plumb conformance "
                          "ops --backend sim --rounds 1 --raise-floor"])
        self.assertEqual(list(missing(floor, ["ops cpu --rounds 1"])), [])
        self.assertEqual(len(list(missing({"ops cpu --rounds 1": floor["ops cpu"]}, ["ops cpu"]))), 1)
        floor["ops cpu"]["choices"] = 228
        self.assertEqual(len(list(missing(floor, floor))), 1)


class Ops(unittest.TestCase):
    ROWS = {"Sum": '{.signature = "Sum(x: T) -> (y: T)", .gpu = "all", .samples = {"[a]", "-1 [a]"}}',
            "Neg": '{.signature = "Neg(x: T) -> (y: T)", .gpu =\n "T in [floats]"}',
            "Host": '{.signature = "Host(x: T) -> (y: T)", .samples = Pairs()}',
            "Merge": '{.signature = "Merge(x: T) -> (y: T)", .gpu = "all", .samples = {"-: the executor itself"}}'}
    WHOLE = {"ops cpu": {"ops": ["Host", "Neg", "Sum"]}, "ops gpu-emulated": {"ops": ["Neg", "Sum"]}}

    def test_with_samples_stand_in_the_floor_by_name(self):
        self.assertEqual(list(untried(self.WHOLE, self.ROWS, {})), [])
        for run, ops in self.WHOLE.items():
            for op in ops["ops"]:
                floor = {**self.WHOLE, run: {"ops": [name for name in ops["ops"] if name != op] + ["Other"]}}
                lines = list(untried(floor, self.ROWS, {}))
                self.assertEqual(len(lines), 1)
                self.assertIn(f"{run}: 1 ops have samples and are not there: {op};", lines[0])
                self.assertIn(f"ops --backend {run.split()[1]} --raise-floor", lines[0])
        self.assertEqual(len(list(untried({}, self.ROWS, {}))), 2)

    def test_are_excused_by_name_as_long_as_they_do_not_pass(self):
        floor = {**self.WHOLE, "ops cpu": {"ops": ["Neg", "Sum"]}}
        self.assertEqual(list(untried(floor, self.ROWS, {"ops cpu": {"Host": "why"}})), [])
        self.assertEqual(len(list(untried(floor, self.ROWS, {"ops gpu-emulated": {"Host": "why"}}))), 2)
        for op, why in (("Sum", "passes"), ("Merge", "is not to be tried"), ("Gone", "is not to be tried")):
            lines = list(untried(self.WHOLE, self.ROWS, {"ops cpu": {op: "why"}}))
            self.assertEqual(len(lines), 1)
            self.assertIn(f"{op} is excused in UNTRIED of tools/check_floor.py, and {why}", lines[0])

    def test_of_the_catalogue_are_found(self):
        tried = with_samples(present().rows)
        self.assertEqual(set(tried), set(UNTRIED))
        self.assertLessEqual({"MatMul", "SplitV", "QueueDequeueV2"}, tried["ops cpu"])
        self.assertLessEqual({"MatMul", "SplitV"}, tried["ops gpu-emulated"])
        self.assertFalse({"Switch", "Abort", "Timestamp"} & tried["ops cpu"])
        self.assertFalse({"QueueDequeueV2", "StringJoin"} & tried["ops gpu-emulated"])


class Points(unittest.TestCase):
    SOURCES = {"fastpath/cpu/x.cc": 'constinit ChoicePoint a("cut: whole, "\n  "or in pieces");',
               "fastpath/gpu/x.cu": 'constinit ChoicePoint b{"copies: by rows, or by tiles"};'}
    FLOOR = {"ops cpu": {"choices": ["cut: whole, or in pieces: small", "copies: by rows, or by tiles: large"]},
             "ops gpu-emulated": {"choices": [f"copies: by rows, or by tiles: {side}" for side in ("small", "large")]}}

    def test_are_found_in_sources(self):
        self.assertEqual(list(points(self.SOURCES)), [("cut: whole, or in pieces", False),
                                                      ("copies: by rows, or by tiles", True)])

    def test_have_both_sides_or_a_test(self):
        lines = list(one_sided(self.FLOOR, self.SOURCES, {}))
        self.assertEqual(len(lines), 1)
        self.assertIn("'cut: whole, or in pieces: large'", lines[0])
        self.assertEqual(list(one_sided(self.FLOOR, self.SOURCES, {"cut: whole, or in pieces: large": "x_test.cc"})), [])

    def test_need_no_test_for_what_is_taken(self):
        excused = {"cut: whole, or in pieces: large": "x_test.cc", "cut: whole, or in pieces: small": "x_test.cc"}
        self.assertEqual(len(list(one_sided(self.FLOOR, self.SOURCES, excused))), 1)

    def test_of_loops_are_those_that_runs_come_to(self):
        loop = "loop: fast::cpu::Sum::Run(KernelContext&)::"
        floor = {"ops cpu": {"choices": [f"{loop}: small"]}, "ops sim": {"choices": []}}
        self.assertIn(f"'{loop}: large'", "".join(one_sided(floor, {}, {})))
        self.assertEqual(list(one_sided(floor, {}, {f"{loop}: large": "x_test.cc"})), [])
        floor["ops sim"]["choices"].append(f"{loop}: large")
        self.assertEqual(list(one_sided(floor, {}, {})), [])


if __name__ == "__main__":
    unittest.main()
