"""What the floor (conformance/floor.json) would say of a full run with a mutant, as far as its pieces can tell.

A full run of `plumb conformance ops` reaches at least what the floor names; a run over one op is not held to it. So of
each op it is noted what it reaches without a mutant. What one op alone can reach, cases that pass and values of its
attributes, is lost when a run with the mutant lacks it; a side of a choice point only when no op takes it any more.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

FLOOR = "conformance/floor.json"
OF_ONE_OP = ("ops", "attributes")


@dataclass
class Reached:
    """By an op on a backend."""
    passed: int = 0  # choices of types
    names: dict = field(default_factory=dict)  # kind → names

    @staticmethod
    def read(report):
        """From what `plumb conformance ops --report` writes."""
        said = json.loads(Path(report).read_text())
        outcomes = Counter(case["outcome"] for case in said.get("cases", []))
        kinds = said.get("coverage", {})
        return Reached(outcomes["passed"], {kind: set(of_kind["covered"]) for kind, of_kind in kinds.items()})

    def of(self, kind):
        return self.names.get(kind, set())


class Floor:
    """`pieces`: those of all ops on the CPU are needed to say who takes a side."""

    def __init__(self, floor, pieces):
        self.floor = floor
        self.sides = {piece.name: piece.reached_by_op.of("choices") & self.names("cpu", "choices") for piece in pieces
                      if piece.backend == "cpu"}

    def names(self, backend, kind):
        return set(self.floor.get(f"ops {backend}", {}).get(kind, []))

    def below(self, piece, now):
        """What this op reaches no more of what it alone can; "" if it reaches all."""
        before = piece.reached_by_op
        least = min(before.passed, self.floor.get(f"ops {piece.backend}", {}).get("passed", {}).get(piece.name, 0))
        if now.passed < least:
            return f"{piece.name} passes {now.passed} cases, and not {least}"
        for kind in OF_ONE_OP:
            lost = (before.of(kind) & self.names(piece.backend, kind)) - now.of(kind)
            if lost:
                return f"gone from {kind}: {min(lost)}"
        return ""

    def fallen_sides(self, tried):
        """The sides that no op takes any more. `tried`: op → what it reaches with the mutant; of others it stays."""
        before = set().union(*self.sides.values())
        after = set().union(*(tried[op].of("choices") if op in tried else sides for op, sides in self.sides.items()))
        return sorted(before - after)
