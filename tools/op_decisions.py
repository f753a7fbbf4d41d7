"""What is a decision by the name of an op: a text that says such a name, or a part of one, anywhere but where nodes are
built. check_op_names.py asks."""
import re

LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
# Where nodes begin: what the builders of graphs are called, and what is built to be timed. Every function that hands a
# parameter on to one of these as the op is one as well, in that place: `builders` finds them in the sources. Who is
# asked whether something is this op is none: a function of one of these names that answers with a bool is a question
# everywhere.
NAME = 3  # where Add and Call have what the node is called, which may be as its op is
ROOTS = {"Add": frozenset({0, 1, NAME}), "AddMade": frozenset({0}), "Call": frozenset({0, NAME}),
         "MakeSingleNode": frozenset({0}), "Named": frozenset({0}),
         **{name: frozenset(range(9)) for name in ("Append", "NodeDef", "BENCHMARK_CAPTURE")}}
# Whose Add and Call they are.
RECEIVER = re.compile(r"(?:\bg_?|\bparts|\bbody|(?:[sS]cope|[bB]uilder|[gG]raph)_?(?:\(\))?)(?:\.|->)$")
# What they make of a name stands for it: what becomes of that is looked at.
WRAPPERS = {"string", "GetOp", "FindOp"}
# Calls that ask whether a name is this one, or one of these, or begins like this.
ASKING = {"IsOp", "contains", "count", "find", "rfind", "search", "equal", "compare", "strcmp", "strncmp", "strcasecmp",
          "memcmp", "starts_with", "ends_with", "StartsWith", "EndsWith", "StrContains", "EqualsIgnoreCase", "strstr",
          "regex", "RE2", "FullMatch", "PartialMatch", "fnmatch", "find_first_of"}
# Texts that are names of ops by chance: (file, or where it begins, what stands before the text).
OTHERS = (("spec/ops/handle_kinds.cc", r"\.name =$"),  # kinds of handles
          ("spec/ops/collective_member.cc", r"\.text =$|\.divides \?$"),  # values of merge_op and final_op
          ("client/training/all_reduce.cc", r'Reduction\((?:"\w+",)?$'),
          ("fastpath/compile/functions/pass_kernels.cc", r"\bk\w+\[\] =$"),  # nodes that no op is
          ("bench/mpi/", r'"(?:merge|final)_op", std::string\($'),
          ("", r"\bKindOf<[\w:]+>\($"),
          ("", r"(?:HandleKind\([^()]*\)|\bhandle) [!=]=$|\bk\w*Type(?:Name)?(?:\[\])? =$"),  # what a handle leads to
          ("conformance/golden/worker.cc", r"backend\.implements\($"),  # whether it is there at all
          ("client/", r"std::string name =$"),  # what a node is called
          ("fastpath/compile/placement/partition.cc", r"\bAtNode\(error\.status\(\), node\.name,$"))  # in a message
NEEDED = set()  # of these, as far as has been looked
# A text that is all of what a constant or a macro is called.
CONSTANT = re.compile(r"(?:\b(?:const|constexpr|constinit|static)\b[^;{}()=]*[={(]|#define\s+\w+)$")
COMPARED_BEFORE = re.compile(r"[!=]=\s*&?(?:[\w:]+[({])*$")
COMPARED_AFTER = re.compile(r"^(?:s|sv)?(?:\s*[)}])*(?:\.name)?\s*[!=]=")
# A name or a call on either side of ==, and the arguments of what asks.
BEFORE_EQUAL = re.compile(r"\b(\w+)(?:\.c_str\(\)|\.name|->name|\([^()]*\)|\[[^\[\]]*\])*\s*$")
AFTER_EQUAL = re.compile(r"\s*&?(?:\w+(?:::|\.|->))*(\w+)")
QUESTION = re.compile(rf"\b(?:{'|'.join(sorted(ASKING))})\(((?:[^()]|\([^()]*\))*)\)")
CALL = re.compile(r"(\w+)(?:<[\w:, *]+>)?\s*\($")
BODY = re.compile(r"(?:\)|\b(?:const|override|noexcept|mutable|else|do|try))$|->\s*[\w:<>*& ]+$|[;{}]$")
FUNCTION = re.compile(r"\b(\w+)\s*\([^;{}]*\)[\w\s]*$")
# A function, or a lambda that has a name, with its parameters, before its body; and those of them that are texts.
ARGUMENTS = r"\s*\(((?:[^(){};]|\{\}|\([^(){};]*\))*)\)"
DEFINED = re.compile(rf"\b(\w+)(?:<[\w:, ]+>)?(?: = \[[^\[\]]*\])?{ARGUMENTS}(?: const| override| noexcept"
                     r"|\s*-> [\w:<>*& ]+|\s)*\{")
DECLARED = re.compile(rf"\b(\w+){ARGUMENTS}")
TEXT_PARAMETER = re.compile(r"(?:const )?(?:char ?\*(?: ?const)?|std::string(?:_view)?(?: ?&{1,2})?) ?(\w+)(?: =|$)")
# A part of a name, as it may begin with a capital letter somewhere; another word is one where an op is asked for it.
PART = re.compile(r"_\w+|\w*[A-Z]\w*")
WORD = re.compile(r"\w+")
ASKED_OP = re.compile(rf"\bop(?:_name|_type|->name|\.name|\(\))?\.(?:{'|'.join(sorted(ASKING))}|substr)\([^()]*$")
SHORT = 3  # letters, from which on a part of a name is one


def without_comments(text):
    """The same text with blanks for what stands behind //."""
    return re.sub(r"(?m)(?<![:\"'])//.*$", lambda match: " " * len(match[0]), text)


def asked_about(text):
    """Names of values and functions that are compared here, or given to what asks."""
    found = set()
    for match in re.finditer("[!=]=", text):
        sides = (BEFORE_EQUAL.search(text[max(0, match.start() - 80):match.start()]), AFTER_EQUAL.match(text, match.end()))
        found |= {side[1] for side in sides if side}
    for arguments in QUESTION.findall(text):
        found |= set(re.findall(r"\w+", arguments))
    return found


def answers_yes_or_no(text, name):
    """Whether a function of this name that stands here answers with a bool."""
    return re.search(rf"\bbool\s+(?:\w+::)*{name}\s*\(|\b{name} = \[[^\]]*\]\([^{{}}]*\{{[^{{}}]*[!=]=", text) is not None


def opening(text, offset):
    """Where the bracket is that this place stands in, or the end of the statement before it; -1: nowhere."""
    depth = 0
    for at in range(offset - 1, -1, -1):
        if text[at] in ")}]":
            depth += 1
        elif text[at] in "({[":
            if depth == 0:
                return at
            depth -= 1
        elif text[at] == ";" and depth == 0:
            return at
    return -1


def is_list(text, at):
    """Whether the brace there opens a list of values, not a block."""
    before = text[max(0, at - 200):at].rstrip() or ";"
    if before.endswith("{"):
        return is_list(text, at - 1 - text[:at][::-1].index("{"))
    return not BODY.search(before)


def enclosing_function(text, offset):
    at = opening(text, offset)
    while at >= 0:
        if text[at] == "{":
            head = FUNCTION.search(text[max(0, at - 300):at].rstrip())
            if head and head[1] not in ("if", "for", "while", "switch"):
                return head[1]
        at = opening(text, at)
    return ""


def text_parameters(parameters):
    """(name, place) of those parameters that are texts."""
    places = [re.sub(r"\s+", " ", each).strip() for each in split_at_commas(parameters)]
    return [(match[1], place) for place, each in enumerate(places) for match in [TEXT_PARAMETER.match(each)] if match]


def split_at_commas(text):
    parts, depth = [""], 0
    for match in re.finditer(r'"(?:\\.|[^"\\\n])*"|.', text, re.S):
        depth += {"(": 1, "{": 1, "[": 1, "<": 1, ")": -1, "}": -1, "]": -1, ">": -1}.get(match[0], 0)
        if match[0] == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += match[0]
    return parts


def body_from(text, begin):
    """Where the block ends that opens there."""
    depth = 0
    for match in re.compile(r'"(?:\\.|[^"\\\n])*"|[{}]').finditer(text, begin):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text)


def functions_of_texts(text):
    """(name, text parameters, begin and end of the body) of each function that is defined here and takes a text."""
    for match in DEFINED.finditer(text):
        names = text_parameters(match[2])
        if names and match[1] not in ("if", "for", "while", "switch", "catch"):
            yield match[1], names, match.end() - 1, body_from(text, match.end() - 1)


def declared(header):
    """Functions that take a text and are known to whoever includes the header."""
    return {name for name, parameters in DECLARED.findall(header) if text_parameters(parameters)}


def builders(texts):
    """The functions that build a node of the op that an argument names, with the places of such arguments, by path; "":
    those that headers declare. `texts`: of all files, by path."""
    sources = [Source(path, text) for path, text in texts.items()]
    shared = set().union(*(declared(source.text) for source in sources if source.path.endswith(".h")))
    functions = {source.path: list(functions_of_texts(source.text)) for source in sources}
    found = {"": dict(ROOTS)}
    while True:
        before = {path: dict(known) for path, known in found.items()}
        for source in sources:
            source.builders = known_to(found, source.path)
            for name, parameters, begin, end in functions[source.path]:
                places = {place for each, place in parameters if source.hands_on(each, begin, end)}
                if places:
                    known = found.setdefault("" if name in shared and name not in ROOTS else source.path, {})
                    known[name] = source.builders.get(name, frozenset()) | places
                    source.builders = known_to(found, source.path)
        if found == before:
            return found


def known_to(found, path):
    """The builders that a file sees."""
    return {**found[""], **found.get(path, {})}


class Source:
    """One file, with what is asked about anywhere."""

    def __init__(self, path, text, asked=frozenset(), builders=ROOTS):
        self.path, self.text, self.builders = path, without_comments(text), builders
        self.asked = asked_about(self.text)  # of variables, which others do not see
        self.asked_elsewhere = asked | self.asked  # of functions

    def is_other(self, offset):
        before = self.text[max(0, offset - 120):offset].rstrip()
        for other in OTHERS:
            if self.path.startswith(other[0]) and re.search(other[1], before):
                NEEDED.add(other)
                return True
        return False

    def is_asked(self, first, last):
        """Whether the text from first to last is compared, or given to what asks."""
        before, after = self.text[max(0, first - 160):first].rstrip(), self.text[last:last + 40]
        if COMPARED_BEFORE.search(before) or COMPARED_AFTER.search(after):
            return True
        named = re.search(r"\b(\w+)(?:\[\])? = $|\b(\w+)[({]$", self.text[max(0, first - 160):first])
        if named and CONSTANT.search(before) and (named[1] or named[2]) in self.asked:
            return True
        at = opening(self.text, first)
        call = at >= 0 and self.text[at] == "(" and CALL.search(self.text[max(0, at - 80):at + 1])
        if call and call[1] in ("string", "string_view"):
            return self.is_asked(at + 1 - len(call[0]), last + 1)
        return bool(call) and call[1] in ASKING

    def hands_on(self, parameter, begin, end):
        """Whether the body that lies there gives a parameter to a node as its op, and compares it with nothing."""
        places = [match.span() for match in re.compile(rf"(?<![\w.\"]){parameter}\b").finditer(self.text, begin, end)]
        return any(self.is_op(first) for first, _ in places) and not any(self.is_asked(*place) for place in places)

    def is_op(self, offset):
        """Whether what stands there becomes a node's op."""
        before = self.text[max(0, offset - 160):offset].rstrip()
        if re.search(r"(?:\.|->)op =$", before):
            return True
        at = opening(self.text, offset)
        if at >= 0 and self.text[at] == "{":  # NodeDef{name, op, …}
            return self.place(at, offset) == 1 and self.text[:at].endswith("nodes.push_back(")
        call = at >= 0 and self.text[at] == "(" and CALL.search(self.text[max(0, at - 80):at + 1])
        if not call:
            return False
        begin = at + 1 - len(call[0])
        if call[1] in ("move", "string", "string_view"):
            return self.is_op(re.search(r"[\w:]*$", self.text[:begin]).start())
        if call[1] in ("Add", "Call") and (self.place(at, offset) == NAME
                                           or not RECEIVER.search(self.text[max(0, begin - 40):begin])):
            return False
        return self.is_built(call[1], at, offset)

    def is_built(self, name, at, offset):
        """Whether an argument that stands there, of a call whose bracket opens before it, is the op of a node."""
        if name not in self.builders or answers_yes_or_no(self.text, name):
            return False
        return self.place(at, offset) in self.builders[name]

    def place(self, at, offset):
        """The number of the argument that stands there, behind a bracket."""
        return len(split_at_commas(self.text[at + 1:offset])) - 1

    def is_part(self, literal, first):
        if PART.fullmatch(literal):
            return True
        return WORD.fullmatch(literal) is not None and ASKED_OP.search(self.text[max(0, first - 80):first]) is not None

    def builds(self, offset):
        """Whether a name that stands there, or what is made of it, says which node to build, and no more."""
        text = self.text
        before = text[max(0, offset - 160):offset].rstrip()
        if COMPARED_BEFORE.search(before) or CONSTANT.search(before):
            return False
        at = opening(text, offset)
        if at >= 0 and text[at] == "[":
            return False
        if at >= 0 and text[at] == "(":
            call = CALL.search(text[max(0, at - 80):at + 1])
            if call and call[1] in WRAPPERS:
                return self.builds(re.search(r"[\w:]*$", text[:at + 1 - len(call[0])]).start())
            return bool(call) and self.is_built(call[1], at, offset)
        if at >= 0 and text[at] == "{" and is_list(text, at):
            return re.search(r"\.op =$", before) is not None and self.is_node(at)
        return self.says(text[at + 1:offset], offset)

    def is_node(self, at):
        """Whether the list that begins there is a node that is being built."""
        before = self.text[max(0, at - 80):at].rstrip()
        if re.search(r"\bNodeDef(?: \w+)?(?: =)?$", before):
            return True
        call = CALL.search(before)
        return bool(call) and call[1] in self.builders

    def says(self, statement, offset):
        """Whether the statement that ends in a name gives it to a node, or to a variable or a caller that asks nothing."""
        statement = re.sub(r"[^?]*$", "", statement) if statement.rstrip().endswith(("?", ":")) else statement
        if re.search(r"\breturn\b", statement):
            return enclosing_function(self.text, offset) not in self.asked_elsewhere | {""}
        member = re.search(r"[\w\])](?:\.|->)(\w+) =", statement)
        if member:
            return member[1] in ("op", "name")
        variable = re.search(r"\b(\w+) =[^=]", statement + " ")
        return bool(variable) and variable[1] not in self.asked


def ops_in(literal, ops):
    """The op that the literal is, or the ops that are all of it: "MatMul|Conv2D", "MatMul, Conv2D"."""
    names = re.split(r"[|,; ]+", literal.strip("()^$"))
    return names if all(name in ops for name in names) else []


def parts(ops):
    """What names begin or end with, and whole words within, with an op for each, to look a text up in."""
    found = {}
    for op in sorted(ops, reverse=True):
        ends = {match.start() for match in re.finditer(r"(?<=[a-z0-9])[A-Z]|[A-Z](?=[a-z])|(?<=_)\w", op)} | {0, len(op)}
        for first in range(len(op)):
            for last in range(first + SHORT, len(op) + 1):
                if first == 0 or last == len(op) or {first, last} <= ends:
                    found[op[first:last]] = op
        version = re.search(r"V\d$", op)
        if version:
            found[version[0]] = op
    return found
