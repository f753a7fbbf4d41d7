"""How far an operand reaches, and where statements begin and end."""

from tokens import closes_template

PRECEDENCE = {"*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<=>": 7, "<": 6, "<=": 6, ">": 6, ">=": 6,
              "==": 5, "!=": 5, "&": 4, "^": 3, "|": 2, "&&": 1, "||": 0}
ENDS = {",", ";", "?", ":", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "return", "throw", "else",
        "do", "case", "co_return", "...", "goto", "new", "delete"}
CONTROL = {"if", "for", "while", "switch", "catch"}


def is_binary(token):
    return token.kind == "sign" and token.text in PRECEDENCE and token.binary and token.partner < 0


def left_operand(tokens, i):
    """Index of the first token of the left operand of the binary operator i."""
    level = PRECEDENCE[tokens[i].text]
    j = i - 1
    while j > tokens[i].parent:
        token = tokens[j]
        if token.text in ENDS or is_binary(token) and PRECEDENCE[token.text] < level:
            break
        if token.partner >= 0 and token.partner < j:
            if token.text == "}" and is_block_end(tokens, token.partner):
                break
            if token.text == ")" and tokens[token.partner - 1].text in CONTROL | {"constexpr"}:
                break
            j = token.partner
        j -= 1
    return j + 1


def is_block_end(tokens, opening):
    return tokens[opening].spaced_before or tokens[opening - 1].text in ("(", "{", ",")


def right_operand(tokens, i):
    """Index behind the last token of the right operand of the binary operator i."""
    level = PRECEDENCE[tokens[i].text]
    j, last = i + 1, len(tokens)
    while j < last:
        token = tokens[j]
        if token.text in ENDS or token.text in (")", "]", "}") or is_binary(token) and PRECEDENCE[token.text] <= level:
            break
        if token.text == "[" and j == i + 1:  # a lambda
            break
        if token.partner > j:
            if token.text == "{" and token.spaced_before:
                break
            j = token.partner
        j += 1
    return j


def primary_start(tokens, i):
    """Index of the first token of the chain `a::b.c[d]->` that leads to the name i."""
    while i > 0 and tokens[i - 1].text in ("::", ".", "->"):
        j = i - 2
        if tokens[i - 1].text == "::" and tokens[j].kind != "word" and not closes_template(tokens[j]):
            return i - 1
        while 0 <= tokens[j].partner < j:
            j = tokens[j].partner - 1
            before = tokens[j]
            if before.spaced_after or not (before.kind == "word" or 0 <= before.partner < j) or before.text in CONTROL:
                return j + 1
        i = j
    return i


def arguments(tokens, opening):
    """The arguments of the call whose parenthesis is at `opening`, as (first, last + 1)."""
    found, first = [], opening + 1
    for i in range(opening + 1, tokens[opening].partner + 1):
        if i == tokens[opening].partner or tokens[i].text == "," and tokens[i].parent == opening:
            if i > first:
                found.append((first, i))
            first = i + 1
    return found


def callee(tokens, opening):
    """Index of the name that the parenthesis at `opening` calls, or None."""
    i = opening - 1
    if i >= 0 and closes_template(tokens[i]):
        i = tokens[i].partner - 1
    if i < 0 or tokens[i].kind != "word" or tokens[i].text in CONTROL | ENDS | {"constexpr", "operator"}:
        return None
    return i


def is_declarator(tokens, i):
    """Whether the name i follows a type: `Box box(shape, spec)`."""
    start = primary_start(tokens, i)
    last = tokens[start - 1]
    return (last.kind == "word" and last.text not in ENDS or closes_template(last)
            or last.text in ("*", "&", "&&") and not last.spaced_before and last.spaced_after)


def is_label_end(tokens, i):
    return not tokens[i].code or tokens[i - 1].text == "default"


def statements(tokens):
    """(first, semicolon) of the statements in blocks that run."""
    i = 0
    starts = True
    while i < len(tokens):
        token = tokens[i]
        opens_block = token.parent >= 0 and tokens[token.parent].text == "{"
        if token.code and opens_block and starts and token.text not in ("{", "}", ";"):
            if token.text in CONTROL:
                i = next(j for j in range(i, len(tokens)) if tokens[j].text == "(")
                i = tokens[i].partner + 1
                continue
            if token.text in ("else", "do", "try"):
                i += 1
                continue
            last = i
            while last < len(tokens) - 1 and not (tokens[last].text in (";", ":") and tokens[last].parent == token.parent
                                                  or tokens[last].text == "}" and tokens[last].parent != token.parent
                                                  and tokens[last].partner == token.parent):
                last += 1
            if tokens[last].text == ";":
                yield i, last
            starts = False
        else:
            starts = token.text in ("{", "}", ";") or token.text == ":" and is_label_end(tokens, i)
        i += 1
