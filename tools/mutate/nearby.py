"""Which ops an accelerator runs for the mutants: those whose kernels hold one, and some of all others."""

import re
from pathlib import Path

from draw import direct_users, reached, tracked_files

TREES = ("spec/ops/", "fastpath/gpu/", "fastpath/formulas/")  # where an accelerator may do what the CPU does not
EVERY = 10  # of all ops: what each step of a device does, one in so many reaches
MOST = 80  # for one mutant: twice as many as are tried


def nearby_ops(root, sites, topics):
    """Names of ops. `topics`: op → "array/concat"."""
    names = sorted(topics)
    users = direct_users(root, tracked_files(root))
    found = set(names[::EVERY])
    for path in {site.path for site in sites if site.path.startswith(TREES)}:
        near = {topic for file in files_around(root, path, users) if (topic := topic_of(file))}
        family = topic_of(path).split("/")[0] + "/"
        found |= set(spread([name for name in names if lies_in(topics[name], near)]
                            or [name for name in names if topics[name].startswith(family)]))
    return found


def files_around(root, path, users):
    """The file, and what includes it or the header that declares what it defines."""
    header = re.sub(r"\.(cc|cu)$", ".h", path)
    return {path} | (reached(users, header) if (Path(root) / header).is_file() else set())


def topic_of(path):
    """"array/concat" of fastpath/gpu/array/concat.cu; nothing elsewhere."""
    tree = next((tree for tree in TREES if path.startswith(tree)), None)
    return tree and re.sub(r"(-inl)?\.(cc|cu|h)$", "", path.removeprefix(tree))


def lies_in(topic, near):
    """Whether one of these files is of this topic: its own, or a part of it such as array/concat_views."""
    return any(file == topic or file.startswith(topic + "_") for file in near)


def spread(names):
    """As many of these as one mutant may want, from all over the list."""
    return names[::-(-len(names) // MOST)] if names else []
