#!/usr/bin/env python3
"""Tests of the parts of record_lists.py that need no TensorFlow: how lines are written."""
import unittest
from types import SimpleNamespace

from op_sources import ROOT, text_of
from record_lists import (argument_text, attr_text, int32_word, merged, shape_text, signature_lines, type_name, words_line)

FLOAT, INT32, INT64 = 1, 3, 9
NAMES = {FLOAT: "float32", INT32: "int32", INT64: "int64"}


def arg(name, **fields):
    plain = {"type": 0, "type_attr": "", "type_list_attr": "", "number_attr": "", "is_ref": False}
    return SimpleNamespace(name=name, **{**plain, **fields})


class Attr(SimpleNamespace):
    """An AttrDef as protobuf gives it: what is not set has a value all the same."""

    def __init__(self, name, kind, **fields):
        super().__init__(name=name, type=kind, has_minimum="minimum" in fields, **fields)

    def HasField(self, name):  # noqa: N802
        return hasattr(self, name)


def types(*numbers):
    return SimpleNamespace(list=SimpleNamespace(type=numbers))


def shape(*dims):
    return SimpleNamespace(unknown_rank=False, dim=[SimpleNamespace(size=size) for size in dims])


class Lines(unittest.TestCase):
    def test_of_types(self):
        for name, text in (("DT_FLOAT", "float32"), ("DT_HALF", "float16"), ("DT_DOUBLE_REF", "float64"),
                           ("DT_BFLOAT16", "bfloat16"), ("DT_QINT8", "qint8")):
            self.assertEqual(type_name(name), text)

    def test_of_arguments(self):
        for given, text in ((arg("x", type=INT64), "x: int64"), (arg("x", type_attr="T", number_attr="N"), "x: T*N"),
                            (arg("x", type_attr="T", is_ref=True), "x: ref T"),
                            (arg("x", type_list_attr="Tin"), "x: list(Tin)")):
            self.assertEqual(argument_text(given, NAMES.get), text)

    def test_of_attributes(self):
        number = SimpleNamespace
        for attr, text in (
                (Attr("N", "int", minimum=2), "N: int >= 2"),
                (Attr("n", "int", default_value=number(i=0), minimum=0), "n: int = 0 >= 0"),
                (Attr("f", "float", default_value=number(f=0.0)), "f: float = 0"),
                (Attr("f", "float", default_value=number(f=9.999999747378752e-05)), "f: float = 9.99999975e-05"),
                (Attr("b", "bool", default_value=number(b=True)), "b: bool = true"),
                (Attr("s", "string", default_value=number(s=b"\n")), r"s: string = '\n'"),
                (Attr("s", "string", allowed_values=number(list=number(s=[b"A", b"B"]))), "s: string in ['A', 'B']"),
                (Attr("T", "type", default_value=number(type=INT32), allowed_values=types(INT32, INT64)),
                 "T: type = int32 in [int32, int64]"),
                (Attr("T", "list(type)", default_value=types(), minimum=0, allowed_values=types(FLOAT)),
                 "T: list(type) = [] >= 0 in [float32]"),
                (Attr("d", "list(int)", default_value=number(list=number(i=[1, 1]))), "d: list(int) = [1, 1]"),
                (Attr("s", "shape", default_value=number(shape=shape(2, -1))), "s: shape = [2, ?]"),
                (Attr("t", "tensor", default_value=number(tensor=None)), "t: tensor = <tensor>"),
                (Attr("f", "func"), "f: func")):
            self.assertEqual(attr_text(attr, NAMES.get), text)
        self.assertEqual(shape_text(SimpleNamespace(unknown_rank=True)), "?")

    def test_of_a_signature_are_those_that_are_stored(self):
        op = SimpleNamespace(name="AddV2", input_arg=[arg("x", type_attr="T"), arg("y", type_attr="T")],
                             output_arg=[arg("z", type_attr="T")], attr=[Attr("T", "type", allowed_values=types(FLOAT))],
                             is_commutative=True, is_aggregate=True, is_stateful=False, allows_uninitialized_input=False)
        cpu = merged([("T", ["int32"]), ("T", ["float32", "int32"])])
        lines = list(signature_lines(op, "yes", cpu, NAMES.get))
        self.assertEqual(lines, ["AddV2(x: T, y: T) -> (z: T) commutative aggregate", "  T: type in [float32]",
                                 "  gradient: yes", "  cpu: T float32 int32"])
        self.assertIn(f"\n{lines[0]}\n", text_of("spec/ops/testdata/signatures.txt"))
        self.assertEqual(list(signature_lines(op, "yes", {}, NAMES.get))[-1], "  gradient: yes")

    def test_of_what_is_refused(self):
        self.assertEqual(words_line("Op", "n", {"last:0", "-1"}), "Op n -1 last:0")
        self.assertEqual(words_line("Op", "n", set()), "Op n -")
        self.assertEqual(int32_word("import: Attr n has value 2147483648 out of range for an int32"), "import")
        self.assertEqual(int32_word("kernel: value 2147483648 out of range for an int32"), "kernel")
        for other in ("-", "", "kernel: n must be below 7"):
            self.assertEqual(int32_word(other), "-")


class Program(unittest.TestCase):
    def test_each_list_is_one_that_is_stored(self):
        script = text_of("tools/record_lists.py")
        for name in ("signatures", "deprecations", "int32_attributes", "refused_attributes", "refused_ranks"):
            self.assertIn(f'"{name}"', script)
            self.assertTrue((ROOT / f"spec/ops/testdata/{name}.txt").is_file(), name)


if __name__ == "__main__":
    unittest.main()
