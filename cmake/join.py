#!/usr/bin/env python3
"""Writes files that include some sources each, so that what they share is read and instantiated once for all of them.

    join.py FOLDER APART SOURCE...   the files in FOLDER, and on standard output, a line each, what is to be compiled
    join.py --changed FOLDER         exits with 1 where sources changed so that files below FOLDER would be written otherwise

No name may mean something else than where a source is compiled alone. So two sources come together only if no name that
one keeps to itself (in an unnamed namespace, by #define or using) is a word of the other, or of a header that only the
other includes; and if both see the same of each name that headers declare in a namespace and in one within it, or twice
as different things. Headers come first. The one name that all have, kRows, is told apart by a macro. Sources that
Highway compiles once for each instruction set, and those of Eigen's solvers, take long enough alone. APART is patterns
between spaces: what matches the first has only its like together with it, and so on. Who is together stays together as
long as that is right: where a source is added, those that were there are not compiled again.
"""

import collections
import itertools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
AT_MOST = 8  # more are hardly faster, and who edits one waits for all of them
AT_MOST_LINES = 2500
LIST = "sources.txt"
# Where headers are looked for, in all at once.
FOLDERS = ("", "fastpath/gpu/emulator/include", "fastpath/gpu/card/include")
INNER = "-inl.h"  # how headers end that are included within a namespace
# What is included here is no header.
MAIN_FILE = ("#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)",
             '#pragma GCC diagnostic ignored "-Wsubobject-linkage"', "#endif")

ALONE = re.compile(r"HWY_TARGET_INCLUDE|foreach_target|elementwise_topic|#include <Eigen/(?!Core)")
SAME_EVERYWHERE = {"kRows"}
NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
INCLUDE = re.compile(r'#include ([<"])([\w./+-]+)[>"]')
TYPE = re.compile(r"(?:class|struct|enum class|enum|union)\s+(?:alignas\([^)]*\)\s*)?(\w+)")
ALIAS = re.compile(r"(?:using\s+(\w+)\s*=|#define\s+(\w+)|namespace\s+(\w+)\s*=)")
FUNCTION_OR_VALUE = re.compile(r"(?!using|namespace|template|#|static_assert)(?:[^([=;{]*?[\s*&>])?(\w+)\s*[([{=;]")
NAMESPACE = re.compile(r"namespace ([\w:]+ )?\{")
UNNAMED = "{}"
REGISTERS = re.compile(r"TEST|RC_GTEST_|INSTANTIATE_|BENCHMARK")


def includes(text):
    """(the line, the path) of each #include that no condition guards."""
    depth = 0
    for line in text.split("\n"):
        if re.match(r"#\s*if", line):
            depth += 1
        elif re.match(r"#\s*endif", line):
            depth -= 1
        elif depth == 0 and (found := INCLUDE.match(line)):
            yield line, found.group(2)


def declared(code):
    """(name, namespace, the pattern that it has) of what begins a line, by our layout."""
    spaces = []
    for line in code.split("\n"):
        if opened := NAMESPACE.match(line):
            spaces.append((opened.group(1) or UNNAMED).strip())
        elif spaces and line.startswith('}  ""'):
            spaces.pop()
        found = ALIAS.match(line) or TYPE.match(line) or FUNCTION_OR_VALUE.match(line)
        if found and line[0] not in " \t}" and not REGISTERS.match(line):
            yield next(group for group in found.groups() if group), "::".join(spaces), found.re


class Headers:
    """What the project's headers include and say, each read once."""

    def __init__(self):
        self.read = {}

    def closure(self, paths):
        found, left = set(), list(paths)
        while left:
            path = left.pop()
            if path not in found and self.of(path) is not None:
                found.add(path)
                left += self.of(path)[0]
        return found

    def words(self, path):
        return self.of(path)[1]

    def ambiguous(self, paths):
        """The names that these headers declare in a namespace and in one within it, or twice, as a type and a function."""
        places = collections.defaultdict(set)
        for path in paths:
            for name, place in self.of(path)[2]:
                places[name].add(place)

        def hides(inner, outer):
            return inner != outer and (not outer[0] or f"{inner[0]}::".startswith(f"{outer[0]}::"))

        return {name for name, found in places.items() if any(hides(*two) for two in itertools.permutations(found, 2))}

    def seen(self, paths, names):
        """{name: what it is where} of what these headers declare of names."""
        found = collections.defaultdict(set)
        for path in paths:
            for name, place in self.of(path)[2]:
                if name in names:
                    found[name].add(place)
        return found

    def of(self, path):
        if path not in self.read:
            files = [ROOT / folder / path for folder in FOLDERS if (ROOT / folder / path).is_file()]
            self.read[path] = self.parse("".join(file.read_text() for file in files)) if files else None
        return self.read[path]

    @staticmethod
    def parse(text):
        """What it includes, its words, and of what it declares (name, (namespace, whether it is a type))."""
        code = NOT_CODE.sub('""', text)
        return ([path for _, path in includes(text)], set(WORD.findall(code)),
                {(name, (space, how is TYPE)) for name, space, how in declared(code)})


class Source:
    def __init__(self, path, headers, apart):
        self.path = path
        self.part = next((part for part in apart.split() if re.search(part, f"/{path}")), None)
        own = (ROOT / path).read_text()
        self.alone = ALONE.search(own) is not None
        self.inner = {}
        self.add_inner(own)
        text = "".join([own, *self.inner.values()])
        lines = [(line, header) for line, header in includes(text) if not header.endswith(INNER)]
        self.first = [line for line, _ in lines]
        self.headers = headers.closure(header for _, header in lines)
        code = NOT_CODE.sub('""', text)
        self.words, self.lines = set(WORD.findall(code)), code.count("\n")
        self.kept, self.public, self.seen = set(), set(self.inner), {}
        of_own = list(declared(NOT_CODE.sub('""', own)))
        self.only_uses_rows = "kRows" in self.words and all(name != "kRows" for name, _, _ in of_own)
        for name, space, how in of_own:
            (self.kept if how is ALIAS or UNNAMED in space else self.public).add(name)
        for inner in self.inner.values():
            self.kept |= {name for name, _, _ in declared(NOT_CODE.sub('""', inner))}
        self.kept -= SAME_EVERYWHERE
        self.public -= SAME_EVERYWHERE

    def add_inner(self, text):
        """The headers that are a part of it, of formulas for example; no two sources that have one come together."""
        for _, header in includes(text):
            if header.endswith(INNER) and (ROOT / header).is_file() and header not in self.inner:
                self.inner[header] = (ROOT / header).read_text()
                self.add_inner(self.inner[header])

    def hidden_by(self, other, headers):
        """Whether a name of the other's would be found here, or in a header that the other does not include."""
        if other.kept & self.words:
            return True
        return any(other.kept & headers.words(header) for header in self.headers - other.headers)

    def goes_with(self, other, headers):
        return not (self.public & other.public or self.hidden_by(other, headers) or other.hidden_by(self, headers)
                    or any(self.seen[name] != other.seen[name] for name in self.seen.keys() & other.seen.keys()))


class Group:
    def __init__(self):
        self.sources, self.lines = [], 0

    def takes(self, source, headers):
        if not self.sources:
            return True
        return (not source.alone and not self.sources[0].alone and len(self.sources) < AT_MOST
                and self.lines + source.lines <= AT_MOST_LINES
                and self.sources[0].path.suffix == source.path.suffix
                and self.sources[0].part == source.part
                and all(source.goes_with(other, headers) for other in self.sources))

    def add(self, source):
        self.sources.append(source)
        self.lines += source.lines

    def text(self):
        first = sorted({line for source in self.sources for line in source.first})
        parts = [f'#include "{source.path}"' if source.only_uses_rows else
                 f'#define kRows kRows{i}\n#include "{source.path}"\n#undef kRows' for i, source in enumerate(self.sources)]
        return "\n".join([*first, *MAIN_FILE, *parts, ""])

    def name(self):
        path = self.sources[0].path
        return "_".join(path.with_suffix("").parts) + path.suffix


def members(file):
    """The sources that a file of ours includes."""
    return re.findall(r'^#include "(.*\.c[cu])"$', pathlib.Path(file).read_text(), re.M)


def written(folder):
    """The groups that the folder has, as lists of paths: files, and sources that are alone."""
    groups = [members(file) for file in sorted(folder.glob("*.c*"))]
    together = set(itertools.chain(*groups))
    return groups + [[path] for path in listed(folder)[1:] if path not in together]


def listed(folder):
    """APART, and the sources, as they were when the folder was written."""
    return (folder / LIST).read_text().splitlines() if (folder / LIST).is_file() else []


def join(paths, apart, before, headers):
    """The groups of the sources at these paths, those of `before` kept where they can be."""
    sources = {str(path): Source(path, headers, apart) for path in paths}
    ambiguous = headers.ambiguous(set().union(*(source.headers for source in sources.values())))
    for source in sources.values():
        source.seen = headers.seen(source.headers, ambiguous)
    groups = []
    for old in before:
        group = Group()
        for path in old:
            if path in sources and group.takes(sources[path], headers):
                group.add(sources.pop(path))
        if group.sources:
            groups.append(group)
    for source in sources.values():
        near = sorted(groups, key=lambda g: g.sources[0].path.parent != source.path.parent)
        group = next((g for g in near if g.takes(source, headers)), None)
        if group is None:
            group = Group()
            groups.append(group)
        group.add(source)
    return groups


def files_of(groups):
    """{name: text} of the groups that are files; a source that is alone is compiled as it is."""
    return {group.name(): group.text() for group in groups if len(group.sources) > 1}


def write(folder, apart, paths, headers):
    groups = join(paths, apart, written(folder), headers)
    files = files_of(groups)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.c*"):
        if old.name not in files:
            old.unlink()
    for name, text in {**files, LIST: "\n".join([apart, *map(str, paths), ""])}.items():
        file = folder / name
        if not file.is_file() or file.read_text() != text:
            file.write_text(text)
    for group in groups:
        print(folder / group.name() if len(group.sources) > 1 else ROOT / group.sources[0].path)


def changed(folder, headers):
    apart, *paths = listed(folder)
    paths = [pathlib.Path(path) for path in paths if (ROOT / path).is_file()]
    files = {file.name: file.read_text() for file in folder.glob("*.c*")}
    return files_of(join(paths, apart, written(folder), headers)) != files


def main():
    headers = Headers()
    if sys.argv[1] == "--changed":
        lists = sorted(pathlib.Path(sys.argv[2]).rglob(LIST))
        sys.exit(any(changed(path.parent, headers) for path in lists))
    folder, apart, *paths = sys.argv[1:]
    write(pathlib.Path(folder), apart, [pathlib.Path(path).relative_to(ROOT) for path in paths], headers)


if __name__ == "__main__":
    main()
