"""A site: a place in a file and what a mutant writes there instead."""

import hashlib
import re
from bisect import bisect
from dataclasses import dataclass, field

import regions
from expressions import callee
from tokens import tokenize

SWITCH = "::plumb_mutant::Is"
CONSTEXPR_SWITCH = "::plumb_mutant::IsAtRunTime"


@dataclass
class Site:
    path: str
    line: int
    start: int  # what of the file is replaced
    end: int
    kind: str
    original: str
    mutated: str
    form: str = "value"  # value, truth, condition, statement, lock
    constexpr: bool = False
    context: str = ""  # the function and the line, which tools/mutate/equivalent.txt speaks of
    use: str = ""  # what becomes of the value, which it may speak of as well
    turn: int = 1  # among those of the file that make the same change in the same context, from the top
    number: int = field(default=0, compare=False)  # the value of the run-time switch

    @property
    def place(self):
        """Where in its file, in words that stay when lines above it come and go."""
        return self.context + (f" #{self.turn}" if self.turn > 1 else "")

    @property
    def id(self):
        """Names the same change in the same place of any tree: lines above do not count."""
        text = "|".join((self.path, self.place, self.kind, self.original, self.mutated))
        return hashlib.sha1(text.encode()).hexdigest()[:8]

    @property
    def where(self):
        return f"{self.path}:{self.line}"

    @property
    def last_line(self):
        return self.line + self.original.count("\n")

    @property
    def change(self):
        return f"{squeeze(self.original)} → {squeeze(self.mutated) or 'nothing'}"

    def replacement(self):
        """The text with the switch in it. It has the lines of the original, so that line numbers stay."""
        test = f"{CONSTEXPR_SWITCH if self.constexpr else SWITCH}({self.number})"
        mutated = squeeze(self.mutated)
        if self.form == "truth":  # `p` and `!p` have types of their own: what both would become is true for an empty optional
            return f"({test} ? static_cast<bool>({mutated}) : static_cast<bool>({self.original}))"
        if self.form == "condition":  # original: a condition; mutated: what it always is
            return f"({test} ? {mutated} : static_cast<bool>({self.original}))"
        if self.form == "statement":
            return f"({test} ? static_cast<void>({mutated or 0}) : static_cast<void>({self.original}))"
        if self.form == "lock":  # original: the parenthesis with the mutex behind the type and the name
            return re.sub(r"^.*?(\w+)\(", lambda m: f"const ::plumb_mutant::Guard {m.group(1)}({self.number}, ",
                          self.original, count=1, flags=re.S)
        return f"({test} ? ({mutated}) : ({self.original}))"


def squeeze(text):
    return re.sub(r"\s+", " ", text).strip()


class SourceFile:
    def __init__(self, path, text):
        self.path, self.text = path, text
        self.tokens = tokenize(text)
        regions.mark(self.tokens)
        if not path.endswith(".h"):
            regions.leave_out_computed(self.tokens)
        self.lines = text.split("\n")
        self.starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self.enumerators = {}  # of the whole tree: name of an enumeration → its enumerators
        self.constants = set()  # names of numbers that are constexpr

    def slice(self, first, last):
        """The text of the tokens from first up to last."""
        return self.text[self.tokens[first].start:self.tokens[last - 1].end] if last > first else ""

    def line_of(self, first):
        return bisect(self.starts, self.tokens[first].start)

    def function_of(self, first):
        """The name of the function that token `first` is in."""
        i = self.tokens[first].function
        while 0 <= i < first:
            if self.tokens[i].text == "(" and self.tokens[i - 1].kind == "word":
                return self.tokens[i - 1].text
            i = self.tokens[i].partner + 1 if self.tokens[i].partner > i else i + 1
        return ""

    def site(self, kind, first, last, mutated, form="value"):
        line = self.line_of(first)
        context = f"{self.function_of(first)}: {self.lines[line - 1].strip()}"
        return Site(self.path, line, self.tokens[first].start, self.tokens[last - 1].end, kind, self.slice(first, last),
                    mutated, form, self.tokens[first].constexpr, context, self.use_of(first))

    def use_of(self, first):
        """What becomes of the value that begins at token `first`, from the inside to the outside of its statement: `F()`,
        an argument of F; `x =`, what x is set to; `guards E`, whether E is thrown."""
        uses, i = [], first
        while i >= 0 and self.tokens[i].text != "{":
            name, i = self.set_by(i), self.tokens[i].parent
            if name:
                uses.append(f"{name} =")
            if i >= 0 and self.tokens[i].text == "(":
                called = callee(self.tokens, i)
                uses += [f"{self.tokens[called].text}()"] if called is not None else self.guarded_by(i)
        return " ".join(uses)

    def set_by(self, i):
        """The name before the `=` that token i stands behind, in brackets of its own."""
        parent, last = self.tokens[i].parent, i - 1
        while last > parent and self.tokens[last].text not in (",", ";", "{", "}"):
            if self.tokens[last].text == "=":
                return self.tokens[last - 1].text
            last = self.tokens[last].partner - 1 if 0 <= self.tokens[last].partner < last else last - 1
        return ""

    def guarded_by(self, opening):
        """Of the condition in this parenthesis of an `if`: what is thrown behind it and nothing else done."""
        behind = self.tokens[self.tokens[opening].partner + 1:][:3]
        texts = [token.text for token in behind]
        throws = self.tokens[opening - 1].text == "if" and texts[0:1] + texts[2:3] == ["throw", "("]
        return [f"guards {texts[1]}"] if throws else []


def enumerations(files):
    """Name → enumerators of every `enum class` of the files."""
    found = {}
    for file in files:
        for match in re.finditer(r"enum class (\w+)[^{;]*\{(.*?)\}", re.sub(r"//[^\n]*", "", file.text), re.S):
            found[match.group(1)] = re.findall(r"(?:^|,)\s*(k\w+)", match.group(2))
    return found


NUMBER = r"(?:std::)?(?:size_t|u?int(?:\d+_t)?|long|float|double|unsigned)"


def numeric_constants(files):
    """File → names of the `constexpr` numbers that it can see; a name that it declares itself is what it says there."""
    numbers = {file: set(re.findall(rf"constexpr {NUMBER} (k\w+) = [^\[{{]", file.text)) for file in files}
    anywhere = set().union(*numbers.values())
    return {file: numbers[file] | anywhere - set(re.findall(r"\b(k[A-Z]\w*)(?:\[\w*\])*(?: =|\{)", file.text))
            for file in files}
