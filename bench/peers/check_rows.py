#!/usr/bin/env python3
"""Checks that each op that there is has either a row in `./dev bench peers --suite ops` or a line in
bench/graphs/without_rows.txt that says why it has none, and that the line holds.

    bench/peers/check_rows.py        as build/bin has the ops and the rows
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "bench/graphs/without_rows.txt"
NAMING = {"in", "spelling"}  # reasons that name a row or an op
REASONS = NAMING | {"small", "once", "waits", "refused"}


def without_rows(text):
    """What the list says: a reason for each op, and what that names, or ""."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {fields[0]: (fields[1], fields[2] if len(fields) > 2 else "")
            for fields in (line.split(" | ") for line in lines)}


def holds(graph, op):
    """Whether a binary GraphDef has a node of this op: a field of its number and length."""
    return re.search(b"\x12" + re.escape(bytes([len(op)]) + op.encode()), graph) is not None


def complaints(ops, rows, lines):
    """What is wrong: of the names of all ops, the bytes of each row's graph, and what the list says."""
    for op in ops:
        if op not in rows and op not in lines:
            yield f"{op} has neither a row nor a line in {LIST.name}"
    for op, (reason, name) in lines.items():
        if op not in ops:
            yield f"{op} is no op"
        if op in rows:
            yield f"{op} has a row, and a line besides"
        if reason not in REASONS or (reason in NAMING) != bool(name):
            yield f"{op}: '{reason}' with '{name}' is no reason"
        elif reason == "spelling" and name not in ops:
            yield f"{op} is a spelling of {name}, which is no op"
        elif reason == "in" and name not in rows:
            yield f"{op} is in {name}, which is no row"
        # What begins with _ are nodes that a session itself adds.
        elif reason == "in" and not op.startswith("_") and not holds(rows[name], op):
            yield f"{op} is in {name}, whose graph has no such node"


def written(program, folder):
    """The bytes of the graph of each row that the program writes into the folder."""
    subprocess.run([ROOT / "build/bin" / program, folder], check=True, stdout=subprocess.DEVNULL)
    return {path.stem: path.read_bytes() for path in pathlib.Path(folder).glob("*.pb")}


def main():
    listed = subprocess.run([ROOT / "build/bin/plumb", "ops"], check=True, stdout=subprocess.PIPE, text=True).stdout
    ops = {line.split()[0] for line in listed.splitlines()[1:]}
    with tempfile.TemporaryDirectory() as single, tempfile.TemporaryDirectory() as whole:
        of_ops = written("plumb_peer_op_graphs", single)
        rows = {**written("plumb_peer_graphs", whole), **of_ops}
    found = list(complaints(ops, rows, without_rows(LIST.read_text())))
    print("\n".join(found) or f"{len(of_ops)} ops have a row, and {len(ops) - len(of_ops)} a reason for having none")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
