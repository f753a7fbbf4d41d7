#!/usr/bin/env python3
"""Checks that what the documentation says of the code is so.

- A fenced block whose first line is "// some/file" (or "# some/file") must stand in that file, spacing aside.
- A relative link must lead to a file.
- A path in back quotes that starts with one of our folders must exist; <placeholders>, * and … match anything.
- A name in back quotes that is said to be of a file, "`Name` (`file.h`)", "`Name` in `file.h`" or "`file.h`: `Name`, then
  `Name`", must occur in that file; of a header, in the .cc beside it will do.
- A file's name in back quotes, alone or behind ./ or ../, must be that of some file of ours.
- A name in back quotes that is written like our types and functions, `LikeThis` or `LikeThis::Thus`, must be a word of
  some source.
- A folder with sources has a README of at most 60 lines.
- ER8 lists the other clauses that say INTERNAL, and no others.
- A clause that a page or a comment cites ("R31", "X11–X37", "rule 9.12") stands in spec/semantics, and each clause in
  reference/clauses.md, which says what function it is.
"""

import glob
import pathlib
import re
import subprocess
import sys

FOLDERS = ("spec", "reference", "fastpath", "client", "backends", "conformance", "property-tests", "bench", "models",
           "tools", "examples", "docs", "cmake", ".ci")
EXAMPLES = ("x.cc", "x_test.cc", "x.proto", "NAME.cc")  # no file's name, and meant so
CLAUSES = pathlib.Path("spec/semantics")
FUNCTIONS = pathlib.Path("reference/clauses.md")  # which function of the reference is which clause
LABEL = r"(?:(?:BT|CO|ER|FN|TA|[ABDEFGKLMNOPQRSTVWXZ])\d{1,2}|C\d(?!\d))"
OF_FORMATS = r"9\.\d{1,2}"  # cited as "rule 9.12", "rules 9.13, 9.15": alone it may be any number
FENCED = r"^ *```\w*\n(.*?)^ *```$"  # in lists, fences are indented


def squeeze(text):
    return re.sub(r"\s+", "", text)


def quoted_blocks(text):
    """(file, code) of every fenced block that names the file it comes from."""
    for block in re.findall(FENCED, text, re.M | re.S):
        first, _, code = block.partition("\n")
        source = re.match(r"(?://|#) ([\w./-]+\.\w+|dev)$", first.strip())
        if source:
            yield source.group(1), code


def complaints(page):
    text = page.read_text()
    for source, code in quoted_blocks(text):
        path = pathlib.Path(source)
        if not path.exists():
            yield f"quotes {source}, which does not exist"
            continue
        have = squeeze(path.read_text())
        for piece in code.split("…"):
            if squeeze(piece) not in have:
                yield f"quotes {source}, which does not contain:\n{piece}"
    prose = re.sub(FENCED, "", text, flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
        if not (page.parent / target).exists():
            yield f"links to {target}, which does not exist"
    for path in re.findall(r"`([\w.-]+/[^`\s]*)`", prose):
        if path.split("/")[0] not in FOLDERS:
            continue
        for choice in expand(path.split(":")[0].rstrip("/")):
            if not glob.glob(re.sub(r"<[^>]*>|…", "*", choice)):
                yield f"names `{choice}`, which does not exist"


# What may stand between the names of one claim; between those of a chain that one file's name begins, more.
LIST = r"(?:, | and )"
CHAIN = r"(?:[;,]? then |[;,]? and |; |, | → | over )"
NAME = r"`[\w:]+`"


def claims(text):
    """(name, file) of each name that the text says to be of a file: "`A` and `B` in `f.cc`", "`f.cc`: `A`, then `B`"."""
    prose = re.sub(r"\s+", " ", re.sub(FENCED, ".", text, flags=re.M | re.S))
    ours = r"`[A-Z]\w*(?:::\w+)*`"
    found = re.findall(rf"({ours}(?:{LIST}{ours})*),? (?:\(|in |of )`([\w/.-]+\.(?:cc|h))`", prose)
    found += [(chain, path) for path, chain in
              re.findall(rf"`([\w/.-]+\.(?:cc|h))`: ({NAME}(?:{CHAIN}{NAME})*)", prose)]
    return [(name, path) for chain, path in found for name in re.findall(r"`([\w:]+)`", chain)]


def misplaced_names(page):
    """Names that are said to be of a file which does not have them. What is of x.h may stand in x.cc."""
    for name, path in claims(page.read_text()):
        near = [base / path for base in (pathlib.Path(), page.parent, page.parent.parent) if (base / path).exists()]
        either = [near[0], near[0].with_suffix(".cc")] if near else []
        text = "".join(file.read_text() for file in either if file.exists())
        if near and not re.search(rf"\b{name.split('::')[-1]}\b", text):
            yield f"says that `{name}` is of `{path}`, which does not have it"


def unknown_names(page, names):
    """Names of files that no file has."""
    prose = re.sub(FENCED, "", page.read_text(), flags=re.M | re.S)
    for name in re.findall(r"`(?:\.\.?/)*([\w-]+\.(?:h|cc|py|md|txt|json|proto|pbtxt))`", prose):
        if name not in names and name not in EXAMPLES:
            yield f"names `{name}`, which no file is called"


def words_of(files):
    """All words of what is not a page."""
    words = set()
    for path in files:
        if path.suffix not in (".md", ".png", ".svg"):
            words |= set(re.findall(r"\w+", path.read_text(errors="replace")))
    return words


def unknown_words(page, words):
    """Names of types and functions that no source has."""
    prose = re.sub(FENCED, "", page.read_text(), flags=re.M | re.S)
    for name in re.findall(r"`([A-Za-z]\w*(?:::\w+)*)(?:\(\))?`", prose):
        for part in name.split("::"):
            if re.match(r"[A-Z]\w*[a-z][A-Z]", part) and part not in words:
                yield f"names `{name}`, which no source has"


def folder_complaints(files):
    for folder in sorted({path.parent for path in files if path.suffix in (".cc", ".cu", ".h", ".py")}):
        readme = folder / "README.md"
        if not readme.exists():
            yield f"{folder}: has no README.md"
        elif folder != pathlib.Path() and readme.read_text().count("\n") > 60:
            yield f"{readme}: has more than 60 lines"


def range_of(first, last):
    """X11–X13, X11–13 or 9.8–9.10 → each of them."""
    stem, begin = re.match(r"(9\.|[A-Z]+)(\d+)$", first).groups()
    end = int(re.search(r"\d+$", last)[0])
    return [f"{stem}{number}" for number in range(int(begin), end + 1)]


def labels_in(text):
    """Labels that stand in a text, alone or in ranges."""
    one = rf"(?:{LABEL}|{OF_FORMATS})"
    for first, last in re.findall(rf"(?<![\w.])({one})(?:–((?:9\.|[A-Z]+)?\d+))?(?!\w)", text):
        yield from range_of(first, last or first)


def clauses():
    """The labels of all clauses."""
    text = "".join(page.read_text() for page in CLAUSES.glob("*.md"))
    return set(labels_in(" ".join(re.findall(r"^- \*\*([^*]+)\*\*", text, re.M))))


def internal_complaints(text):
    """What ER8 lists wrongly of the clauses of this text that say INTERNAL."""
    bodies = dict(re.findall(r"^- \*\*([^*]+)\*\*(.*?)(?=^- |^#|\Z)", text, re.M | re.S))
    listed = set(labels_in(re.search(r"\((.*?)\)", bodies.pop("ER8"), re.S)[1]))
    say_so = {label for label, body in bodies.items() if re.search(r"\bINTERNAL\b", body)}
    for label in sorted(listed ^ say_so):
        yield f"{CLAUSES}: ER8 " + (f"lists {label}, which does not say INTERNAL" if label in listed else
                                    f"does not list {label}, which says INTERNAL")


def clauses_without_function(known):
    """Those that reference/clauses.md does not have; a letter alone stands for all of its clauses."""
    firsts = "\n".join(re.findall(r"^\| ([^|]+)", FUNCTIONS.read_text(), re.M))
    rows = FUNCTIONS.read_text()
    have = set(labels_in(rows))
    families = set(re.findall(r"\b[A-Z]{1,2}\b(?![\d–])", firsts))
    for label in sorted(known - have):
        if re.match(r"[A-Z]+", label) and re.match(r"[A-Z]+", label)[0] not in families:
            yield f"{FUNCTIONS}: does not have {label}"


def unknown_clauses(files, known):
    """Clauses that are cited and that nobody wrote. Of a range, its ends count."""
    for path in files:
        if path.suffix not in (".h", ".cc", ".cu", ".proto", ".md") or path.is_relative_to(CLAUSES):
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            prose = line if path.suffix == ".md" else line.partition("//")[2]
            of_formats = re.findall(rf"\brules? ({OF_FORMATS}(?:(?:, | and |–){OF_FORMATS})*)", line)
            cited = re.findall(rf"(?<![\w'\"./%–-])({LABEL})(?![\w'\"/%–-]|\.\w)", prose)
            for first, last in re.findall(rf"\b({LABEL})–([A-Z]*\d+)\b", prose):
                cited += [first, last if last[0].isalpha() else first.rstrip("0123456789") + last]
            cited += [label for some in of_formats for label in re.findall(OF_FORMATS, some)]
            for label in cited:
                if label not in known:
                    yield f"{path}:{number}: cites {label}, which {CLAUSES} does not have"


def expand(path):
    """a/{b,c}.h → a/b.h, a/c.h"""
    braces = re.search(r"\{([^}]*)\}", path)
    if not braces:
        return [path]
    return [result for part in braces.group(1).split(",")
            for result in expand(path[:braces.start()] + part + path[braces.end():])]


def main():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True)
    files = [path for path in map(pathlib.Path, listed.stdout.splitlines()) if path.exists()]
    names = {path.name for path in files}
    words = words_of(files)
    pages = [path for path in files if path.suffix == ".md"]
    found = [f"{page}: {complaint}" for page in pages
             for complaint in [*complaints(page), *misplaced_names(page), *unknown_names(page, names),
                               *unknown_words(page, words)]]
    found += folder_complaints(files)
    known = clauses()
    found += unknown_clauses(files, known)
    found += clauses_without_function(known)
    found += internal_complaints("\n".join(page.read_text() for page in sorted(CLAUSES.glob("*.md"))))
    for line in found:
        print(line)
    print(f"{len(pages)} pages checked")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
