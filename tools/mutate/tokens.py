"""C++ source as tokens that know their brackets and the spaces around them.

Our code is laid out by clang-format, and that is relied on: a binary operator has white space on both sides, and the
brackets of template arguments have none on their inner sides. So no types are needed to tell `a < b` from `f<b>`.
"""

import re
from dataclasses import dataclass

PATTERN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<directive>^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)
      | (?P<string>(?:u8|[uUL])?(?:R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"))
      | (?P<char>'(?:\\.|[^'\\\n])+')
      | (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<sign><=>|<<=|\.\.\.|->\*|::|->|\+\+|--|<<|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s])""",
    re.X | re.S | re.M)

OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}


@dataclass
class Token:
    text: str
    kind: str  # word, number, string, char, sign
    start: int
    end: int
    spaced_before: bool = False
    spaced_after: bool = False
    partner: int = -1  # the index of the matching bracket
    parent: int = -1  # the index of the bracket around it
    code: bool = False  # it is run: inside of a function's body, outside of all that the compiler evaluates
    constexpr: bool = False  # in a constexpr function
    function: int = -1  # the index of the first token of its function's head

    @property
    def binary(self):
        return self.spaced_before and self.spaced_after


def tokenize(text):
    """The tokens of a file; comments and preprocessor lines are left out."""
    tokens = []
    for match in PATTERN.finditer(text):
        if match.lastgroup == "skip" or match.group("skip") or match.group("directive"):
            continue
        kind = next(k for k in ("string", "char", "number", "word", "sign") if match.group(k) is not None)
        before, after = text[match.start() - 1:match.start()], text[match.end():match.end() + 1]
        tokens.append(Token(match.group(), kind, match.start(), match.end(), before.isspace() or not before,
                            after.isspace() or not after))
    tokens = join_shifts(tokens)
    match_brackets(tokens)
    return tokens


def join_shifts(tokens):
    """`> >` written together and with spaces around is a shift."""
    joined = []
    for token in tokens:
        last = joined[-1] if joined else None
        if (token.text == ">" and last and last.text == ">" and last.end == token.start and last.spaced_before
                and token.spaced_after):
            joined[-1] = Token(">>", "sign", last.start, token.end, True, True)
        else:
            joined.append(token)
    return joined


def opens_template(tokens, i):
    if tokens[i].text != "<" or i == 0 or tokens[i].spaced_after:
        return False
    last = tokens[i - 1]
    return last.text in ("template", "]") or last.kind == "word" and not tokens[i].spaced_before


def match_brackets(tokens):
    """Sets `partner` and `parent`. An angle bracket whose match is missing is a comparison."""
    stack = []
    for i, token in enumerate(tokens):
        if token.text in CLOSE:
            while stack and tokens[stack[-1]].text == "<":
                stack.pop()
            if stack:
                pair(tokens, stack.pop(), i)
        elif token.text == ">" and stack and tokens[stack[-1]].text == "<" and not token.spaced_before:
            pair(tokens, stack.pop(), i)
        token.parent = stack[-1] if stack else -1
        if token.text in OPEN or opens_template(tokens, i):
            stack.append(i)


def pair(tokens, first, last):
    tokens[first].partner, tokens[last].partner = last, first


def closes_template(token):
    return token.text == ">" and token.partner >= 0
