"""Which ops an accelerator runs for the mutants: those whose kernels hold one, and some of all others."""

import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from draw import direct_users, reached, tracked_files  # noqa: E402
from op_sources import is_of_topic, stem_of  # noqa: E402

TREES = ("spec/ops/", "fastpath/gpu/", "fastpath/formulas/")  # where an accelerator may do what the CPU does not
OF_TOPICS = (*TREES, "fastpath/cpu/", "reference/ops/")
EVERY = 10  # of all ops: what each step of a device does, one in so many reaches
MOST = 80  # for one mutant: twice as many as are tried


def nearby_ops(root, sites, topics):
    """Names of ops. `topics`: op → "array/concat"."""
    by_file = ops_by_file(root, sites, topics)
    return set(sorted(topics)[::EVERY]).union(*(spread(ops) for path, ops in by_file.items() if path.startswith(TREES)))


def ops_by_file(root, sites, topics):
    """Mutated file → the ops of its topic, or of the topics that include it; else those of its family."""
    names, users, found = sorted(topics), direct_users(root, tracked_files(root)), {}
    for path in {site.path for site in sites if site.path.startswith(OF_TOPICS)}:
        trees = TREES if path.startswith(TREES) else OF_TOPICS
        near = {topic for file in files_around(root, path, users) if (topic := stem_of(file, trees))}
        family = stem_of(path, trees).split("/")[0] + "/"
        found[path] = ([name for name in names if lies_in(topics[name], near)]
                       or [name for name in names if topics[name].startswith(family)])
    return found


def files_around(root, path, users):
    """The file, and what includes it or the header that declares what it defines."""
    header = re.sub(r"\.(cc|cu)$", ".h", path)
    return {path} | (reached(users, header) if (Path(root) / header).is_file() else set())


def lies_in(topic, near):
    """Whether one of these files is of this topic."""
    return any(is_of_topic(stem, topic) for stem in near)


def spread(names):
    """As many of these as one mutant may want, from all over the list."""
    return names[::-(-len(names) // MOST)] if names else []
