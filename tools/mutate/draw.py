"""Which sites are drawn: the same for the same tree and seed, some of every folder and of every kind."""

import random
import re
import subprocess
from collections import defaultdict
from fnmatch import fnmatch
from pathlib import Path

import kinds_expressions
import kinds_facts
import kinds_statements
from sites import SourceFile, enumerations, numeric_constants

FOLDERS = ("spec", "reference", "fastpath", "conformance")
LEAST_SHARE = 0.15  # of the mutants, for the smallest folder
WEIGHTS = {"arithmetic": 3, "comparison": 3, "logic": 3, "bound": 3, "offset": 3, "statement": 3, "wiring": 3, "cut": 2,
           "exit": 2, "class": 2, "attribute": 2, "lock": 1}
PER_FILE = 4
WIDE = 60  # sources that include a header, each compiled with seven others: more would be much of the tree for one site
SOURCES = (".cc", ".cu")  # the kernels of GPUs are compiled for the host here, by its own compiler
FOR_CARDS = "fastpath/gpu/card/"  # what only nvcc compiles, and nobody here


def tracked_files(root):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True,
                            check=True)
    return [path for path in listed.stdout.splitlines() if (Path(root) / path).is_file()]


def is_mutated(path):
    """Sources of the four folders, and no tests."""
    return (path.split("/")[0] in FOLDERS and path.endswith((*SOURCES, ".h")) and not path.startswith(FOR_CARDS)
            and not re.search(r"_test\.cc$|testing|(^|/)test_|_test_util", path))


def read_sources(root, paths):
    files = [SourceFile(path, (Path(root) / path).read_text()) for path in sorted(paths) if is_mutated(path)]
    enumerators, constants = enumerations(files), numeric_constants(files)
    for file in files:
        file.enumerators, file.constants = enumerators, constants[file]
    return files


def wide_headers(root, paths):
    """Headers that so many sources include, directly or not."""
    users = direct_users(root, paths)
    return {header for header in users if len(sources_among(reached(users, header))) > WIDE}


def direct_users(root, paths):
    """Header → the files that name it."""
    users = defaultdict(set)
    for path in paths:
        if path.endswith((*SOURCES, ".h")):
            for included in re.findall(r'^#include "([^"]+)"', (Path(root) / path).read_text(errors="replace"), re.M):
                users[included].add(path)
    return users


def reached(users, header):
    found, left = {header}, [header]
    while left:
        new = users.get(left.pop(), set()) - found
        found |= new
        left += new
    return found


def sources_among(paths):
    return [path for path in paths if path.endswith(SOURCES)]


def read_list(path):
    """Lines `A | B | C` of a file; # starts a comment, and `\\|` is a bar."""
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            yield [part.strip().replace("\\|", "|") for part in re.split(r"(?<!\\)\|", line)]


class Equivalents:
    """Sites at which a mutant would mean the same, by tools/mutate/equivalent.txt: GLOBS | PATTERN | REASON."""

    def __init__(self, path):
        self.rules = [(globs.split(), re.compile(pattern)) for globs, pattern, _ in read_list(path)]

    def has(self, site):
        text = f"{site.kind}: {site.change} in {site.context} [{site.use}]"
        return any(pattern.search(text) and any(fnmatch(site.path, glob) for glob in globs) for globs, pattern in self.rules)


def sites_of(file):
    """All of a file, those that look alike numbered in their order."""
    found = [site for kinds in (kinds_expressions, kinds_statements, kinds_facts) for site in kinds.find(file)]
    alike = defaultdict(int)
    for site in sorted(found, key=lambda s: (s.start, s.end)):
        alike[site.kind, site.context, site.change] += 1
        site.turn = alike[site.kind, site.context, site.change]
    return found


def all_sites(files, equivalents):
    return [site for file in files for site in sites_of(file) if not equivalents.has(site)]


class Turns:
    """Gives each name its turns, in proportion to its weight."""

    def __init__(self, weights, generator):
        self.weights = weights
        self.credit = {name: generator.random() * weight for name, weight in weights.items()}

    def next(self, names):
        for name in names:
            self.credit[name] += self.weights[name]
        chosen = max(names, key=lambda name: self.credit[name])
        self.credit[chosen] -= sum(self.weights[name] for name in names)
        return chosen


def shares(sizes):
    """By size, but none below LEAST_SHARE."""
    total = sum(sizes.values())
    least = min(LEAST_SHARE, 1 / len(sizes))
    raised = {name: max(size / total, least) for name, size in sizes.items()}
    return {name: share / sum(raised.values()) for name, share in raised.items()}


def draw(sites, sizes, seed, count):
    """Up to `count` sites, in an order of which any beginning is a fair choice. `sizes`: of each folder's code."""
    generator = random.Random(f"plumb {seed}")
    pools = {}  # folder → kind → file → sites
    for site in sites:
        kinds = pools.setdefault(site.path.split("/")[0], {})
        kinds.setdefault(site.kind, {}).setdefault(site.path, []).append(site)
    folders = Turns(shares({folder: sizes[folder] for folder in sorted(pools)}), generator) if pools else None
    kinds = {folder: Turns(WEIGHTS, generator) for folder in sorted(pools)}
    drawn, used = [], {}
    while pools and len(drawn) < count:
        folder = folders.next(sorted(pools))
        kind = kinds[folder].next(sorted(pools[folder]))
        site = take(pools[folder][kind], generator)
        remove_empty(pools, folder, kind)
        others = used.setdefault(site.path, [])
        if len(others) < PER_FILE and not any(overlap(site, other) for other in others):
            others.append(site)
            drawn.append(site)
            site.number = len(drawn)
    return drawn


def take(files, generator):
    """A site of a file; large files get more, though not in proportion."""
    paths = sorted(files)
    path = generator.choices(paths, [len(files[path]) ** 0.5 for path in paths])[0]
    return files[path].pop(generator.randrange(len(files[path])))


def remove_empty(pools, folder, kind):
    pools[folder][kind] = {path: sites for path, sites in pools[folder][kind].items() if sites}
    if not pools[folder][kind]:
        del pools[folder][kind]
    if not pools[folder]:
        del pools[folder]


def overlap(one, other):
    return one.start < other.end and other.start < one.end or one.line == other.line
