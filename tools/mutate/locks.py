"""What clang says of a lock that is not taken: that what it guards is touched without it (tools/check_locks.py)."""

import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import check_locks  # noqa: E402


def checked_sources(root, tree):
    """What the check looks at, with the include options of the mutants' tree; the project's files, which have no
    switches, stand for its copies of them. What was generated is there alone."""
    copy = str(tree.source.resolve())
    generated = str(tree.build.resolve())

    def own(word):
        inside = word.startswith(f"-I{copy}") and not word.startswith(f"-I{generated}")
        return f"-I{root}{word[len(copy) + 2:]}" if inside else word

    return {source: [own(word) for word in options]
            for source, options in check_locks.annotated_sources(tree.source.resolve(), tree.build).items()}


class Locks:
    """`sources`: {source: its include options} of what the check looks at; `folder` takes files without their lock."""

    def __init__(self, root, sources, folder):
        self.root, self.sources, self.folder = Path(root), sources, Path(folder)

    def complains(self, site):
        """(Whether clang does, though not of the file as it is; seconds.)"""
        started = time.monotonic()
        source = self.source_of(site.path)
        found = source is not None and not self.complaints(source, self.root) \
            and bool(self.complaints(source, self.without(site)))
        return found, time.monotonic() - started

    def source_of(self, path):
        """Itself, or for a header the source beside it, or one that includes it."""
        beside = str(Path(path).with_suffix(".cc"))
        if beside in self.sources:
            return beside
        includes = re.compile(rf'^#include "{re.escape(path)}"', re.M)
        return next((s for s in sorted(self.sources) if includes.search((self.root / s).read_text())), None)

    def without(self, site):
        """A folder whose file of that path, the only one, does not take the lock."""
        folder = self.folder / f"{site.id}-{site.start}"
        file = folder / site.path
        file.parent.mkdir(parents=True, exist_ok=True)
        text = (self.root / site.path).read_text()
        file.write_text(text[:site.start] + text[site.end:])
        return folder

    def complaints(self, source, first):
        """What stands in `first` stands for what the project has of that path."""
        path = first / source if (first / source).is_file() else self.root / source
        return check_locks.complaints(str(path), ["-I", str(first), "-I", str(self.root), *self.sources[source]])
