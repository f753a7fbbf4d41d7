"""Which tokens of a file are code that runs: inside of function bodies and constructors' initialisers, outside of types,
constant expressions, declarations of constants, case labels, messages, and of how finely a loop is cut over threads."""

from tokens import closes_template

BLOCK_BEFORE = {")", "else", "do", "try", "{", "}", ";", ":", "]", "const", "mutable", "noexcept", "override"}
# What a bracket may be: namespace, class, enum; code (a block), expression or initialiser (brackets in code); member
# (`b_{x}` in a constructor's initialisers); outside (not run, as far as a bracket tells).
RUNS = {"code", "expression", "initialiser"}
TYPE_WORDS = {"class", "struct", "union"}
# Their parentheses hold what only the compiler looks at; of an array that the threads of a block share, how large it is.
UNEVALUATED = {"static_assert", "decltype", "sizeof", "alignof", "alignas", "noexcept", "requires", "asm", "offsetof",
               "PLUMB_GPU_SHARED"}
# What they say is for people; of Require, all but the condition.
MESSAGES = {"Str", "InvalidArgument", "NotFound", "AlreadyExists", "FailedPrecondition", "OutOfRange", "Unimplemented",
            "Internal", "Cancelled", "DataLoss", "ResourceExhausted", "printf", "fprintf", "snprintf"}
# Which of their arguments says how much work there is, or how finely it is cut over threads.
PACES = {"GrainFor": 0, "RowGrain": 0, "ParallelFor": 1, "ForEachMatrix": 2, "FillGroups": 4}


def mark(tokens):
    """Sets `code`, `constexpr` and `function` of every token."""
    kinds, heads = {-1: "namespace"}, {}
    head = 0  # where the declaration starts that we are in
    for i, token in enumerate(tokens):
        outer = kinds.get(token.parent, "outside")
        token.code = outer in RUNS
        token.function = heads.get(token.parent, -1)
        if token.text == "{":
            kinds[i] = brace_kind(tokens, i, head, outer)
            heads[i] = token.function if token.code else head
            if kinds[i] == "code" and not token.code:
                mark_initialisers(tokens, head, i)
        elif token.partner > i:
            kinds[i], heads[i] = "expression" if token.code else "outside", token.function
        if outer in ("namespace", "class") and ends_declaration(tokens, i, kinds):
            head = i + 1
    mark_constexpr_functions(tokens)
    unmark(tokens)


def ends_declaration(tokens, i, kinds):
    text = tokens[i].text
    if text in ("{", "}"):
        return kinds.get(i if text == "{" else tokens[i].partner) != "member"
    return text == ";" or text == ":" and tokens[i - 1].text in ("public", "private", "protected")


def brace_kind(tokens, i, head, outer):
    last = tokens[i - 1]
    if outer in ("namespace", "class"):
        return declaration_kind(tokens, i, head)
    if outer == "code" and (last.text in BLOCK_BEFORE or tokens[i].spaced_before and
                            (last.kind == "word" and last.text != "return" or closes_template(last))):
        return local_kind(tokens, i)
    if outer in ("expression", "initialiser") and starts_lambda_body(tokens, i):
        return "code"
    return "initialiser" if outer in RUNS else "outside"


def declaration_kind(tokens, i, head):
    words = [t for t in top_level(tokens, head, i)]
    texts = [t.text for t in words]
    if "namespace" in texts or texts[:1] == ["extern"]:
        return "namespace"
    if "enum" in texts:
        return "enum"
    if "=" in texts and "operator" not in texts:
        return "outside"
    if "(" not in texts:
        return "class" if TYPE_WORDS & set(texts) else "outside"
    if TYPE_WORDS & set(texts) and "alignas" in texts:
        return "class"
    in_initialisers = ":" in texts[texts.index("("):]
    return "member" if in_initialisers and not tokens[i].spaced_before else "code"


def top_level(tokens, first, last):
    """The tokens from first to last that are in no bracket opened there; opening brackets are included."""
    i = first
    while i < last:
        yield tokens[i]
        i = tokens[i].partner + 1 if i < tokens[i].partner < last else i + 1


def local_kind(tokens, i):
    """A block inside of a function, or a type declared there."""
    j = i - 1
    while j >= 0 and tokens[j].text not in (";", "{", "}", ")"):
        j -= 1
    first = tokens[j + 1].text
    return "class" if first in TYPE_WORDS else "enum" if first == "enum" else "code"


def starts_lambda_body(tokens, i):
    j = i - 1
    while tokens[j].parent == tokens[i].parent:  # back over parameters, `mutable`, a result type
        token = tokens[j]
        if token.text == "]":
            return is_capture(tokens, token.partner)
        if token.text == ")" or closes_template(token):
            j = token.partner
        elif token.kind != "word" and token.text not in ("->", "::", "&", "*"):
            return False
        j -= 1
    return False


def is_capture(tokens, i):
    """Whether [ opens a lambda: what comes before it is no value."""
    last = tokens[i - 1]
    return last.text in ("(", ",", "=", "{", "return", ";", "?", ":", "}") or last.binary and last.kind == "sign"


def mark_initialisers(tokens, head, body):
    """`: a_(x), b_{y}` between a constructor's parameters and its body runs as well."""
    texts = [(t.text, t) for t in top_level(tokens, head, body)]
    signs = [text for text, _ in texts]
    if "(" not in signs or ":" not in signs[signs.index("("):]:
        return
    colon = texts[signs.index(":", signs.index("("))][1]
    for token in tokens[head:body]:
        if token.start > colon.start and token.parent != colon.parent:
            token.code, token.function = True, head


def mark_constexpr_functions(tokens):
    for token in tokens:
        if token.code and token.function >= 0:
            j = token.function
            while tokens[j].text not in ("{", ";"):
                if tokens[j].text == "constexpr":
                    token.constexpr = True
                    break
                j += 1


def unmark(tokens):
    """Takes away what only looks like code that runs."""
    for i, token in enumerate(tokens):
        if not token.code:
            continue
        following = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if token.text in UNEVALUATED and following == "(":
            clear(tokens, i, tokens[i + 1].partner)
        elif token.text == "constexpr" and following == "(":  # if constexpr (…)
            clear(tokens, i, tokens[i + 1].partner)
        elif token.text in ("constexpr", "using", "typedef", "case", "goto"):
            clear(tokens, i, end_of(tokens, i, ":" if token.text == "case" else ";"))
        elif token.text in MESSAGES and following == "(":
            clear(tokens, i + 2, tokens[i + 1].partner - 1)
        elif token.text == "Require" and following == "(":
            clear(tokens, first_comma(tokens, i + 1), tokens[i + 1].partner - 1)
        elif token.text in PACES and following == "(":
            first = i + 1
            for _ in range(PACES[token.text]):
                first = first_comma(tokens, i + 1, first + 1)
            clear(tokens, first + 1, first_comma(tokens, i + 1, first + 1) - 1)
        elif token.text == "[" and declares_array(tokens, i):
            clear(tokens, i, token.partner)
        elif token.text == "[" and following == "[":
            clear(tokens, i, token.partner)
        elif token.text == "<" and token.partner >= 0:
            clear(tokens, i, token.partner)


def leave_out_computed(tokens):
    """Of a source: the constexpr functions that it names only where the compiler computes. No run comes there."""
    computed = set()
    for i, token in enumerate(tokens):
        if token.text == "static_assert" or token.text == "constexpr" and declares_value(tokens, i):
            computed.update(range(i, end_of(tokens, i, ";")))
    for head in {token.function for token in tokens if token.code and token.constexpr}:
        name = name_of(tokens, head)
        named = [i for i, token in enumerate(tokens)
                 if token.text == tokens[name].text and i != name and token.function != head]
        if named and computed.issuperset(named):
            for token in tokens:
                token.code = token.code and token.function != head


def declares_value(tokens, i):
    """Whether the declaration at i is of a value, and not of a function or a branch."""
    return next((t.text for t in top_level(tokens, i, len(tokens)) if t.text in ("=", "{", "(", ";")), "") in ("=", "{")


def name_of(tokens, head):
    """The function's name in the head that begins at this token."""
    i = head
    while tokens[i].text != "(":
        i = tokens[i].partner + 1 if tokens[i].partner > i else i + 1
    return i - 1


def clear(tokens, first, last):
    for i in range(first, last + 1):
        tokens[i].code = False


def end_of(tokens, i, end):
    j = i
    while j < len(tokens) - 1 and (tokens[j].text != end or tokens[j].parent != tokens[i].parent):
        j += 1
    return j


def first_comma(tokens, opening, first=0):
    """The first one between the arguments, from token `first` on; the closing parenthesis where there is none."""
    for i in range(max(first, opening + 1), tokens[opening].partner):
        if tokens[i].text == "," and tokens[i].parent == opening:
            return i
    return tokens[opening].partner


def declares_array(tokens, i):
    """`float lanes[kWidth]`: a name before the bracket and a type before the name."""
    if i < 2 or tokens[i - 1].kind != "word":
        return False
    before = tokens[i - 2]
    if before.text in ("*", "&", ","):
        return not before.spaced_before and before.spaced_after and is_declared(tokens, i - 2)
    return before.kind == "word" and before.text not in ("return", "else", "throw", "case") or closes_template(before)


def is_declared(tokens, i):
    """Whether the statement around token i starts with a type and a name."""
    j = i
    while j > 0 and not (tokens[j - 1].parent == tokens[i].parent and tokens[j - 1].text in (";", "}", ")", "{")
                         or tokens[j - 1].partner > i):
        j -= 1
    return starts_declaration(tokens, j)


def starts_declaration(tokens, i):
    """Whether the statement at i is a declaration: before the first `=`, `(` or `{`, a name follows a type."""
    if tokens[i].text in ("const", "static", "auto", "thread_local", "using", "typename", "unsigned"):
        return True
    first = i
    while i + 1 < len(tokens) and tokens[i].text not in ("=", ";", "(", "{", "[", ",", "?", ")"):
        if tokens[i].text == "<" and tokens[i].partner > i:
            i = tokens[i].partner
        token, following = tokens[i], tokens[i + 1]
        named = token.kind == "word" or closes_template(token)
        pointed = token.text in ("*", "&", "&&") and token.spaced_before != token.spaced_after and i > first
        if following.kind == "word" and (named or pointed):
            return True
        i += 1
    return False
