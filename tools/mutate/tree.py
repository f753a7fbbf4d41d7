"""The tree of its own in which the mutants are compiled: all of them at once, each behind a switch."""

import functools
import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import compile_commands  # noqa: E402
from draw import SOURCES, direct_users, reached, tracked_files

INCLUDE = '#include "tools/mutate/switch.h"\n#line 1\n'
WITHIN_NAMESPACE = "-inl.h"  # how headers end that are included within one: there the switch cannot be declared


def rewrite(text, sites):
    """The file with a switch at each site, and its declaration on top; sites do not overlap."""
    for site in sorted(sites, key=lambda s: -s.start):
        text = text[:site.start] + site.replacement() + text[site.end:]
    return INCLUDE + text


def included_by(sources, root):
    """The headers of the tree that these include, directly or not; by a path from the root, or from beside them."""
    found, left = set(), list(sources)
    while left:
        path = Path(left.pop())
        text = (root / path).read_text(errors="replace") if (root / path).is_file() else ""  # not generated yet
        for name in re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M):
            for header in {name, str(path.parent / name)} - found:
                if (root / header).is_file():
                    found.add(header)
                    left.append(header)
    return found


class Tree:
    def __init__(self, root, folder, jobs):
        self.root, self.source, self.build, self.jobs = Path(root), folder / "src", folder / "src" / "build", jobs
        self.log = folder / "build.log"

    @functools.cached_property
    def files(self):
        """Path → content and mode, as they are when this begins: who edits meanwhile changes nothing here."""
        paths = [(path, self.root / path) for path in tracked_files(self.root)]
        return {path: (file.read_bytes(), file.stat().st_mode) for path, file in paths if file.is_file()}

    @functools.cached_property
    def users(self):
        return direct_users(self.root, self.files)

    def write(self, sites):
        """Makes the tree the project's with these sites. Files that stay the same keep their time."""
        by_path = defaultdict(list)
        for site in sites:
            by_path[site.path].append(site)
        switched = {*by_path, *self.around(by_path)}
        for path, (content, mode) in self.files.items():
            copy = self.source / path
            if path in switched:
                content = rewrite(content.decode(), by_path.get(path, [])).encode()
            if not copy.is_file() or copy.read_bytes() != content:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)
                copy.chmod(mode)
        for copy in [p for p in self.source.rglob("*") if p.is_file() and self.build not in p.parents]:
            if str(copy.relative_to(self.source)) not in self.files:
                copy.unlink()

    def around(self, paths):
        """Who includes one of these within a namespace: where the switch is declared before it."""
        inner = [path for path in paths if path.endswith(WITHIN_NAMESPACE)]
        around = {user for path in inner for user in reached(self.users, path)}
        return {path for path in around if not path.endswith(WITHIN_NAMESPACE)}

    def configure(self, checked):
        """`checked`: sources in which an index beyond the end aborts, whatever lies there. Kernels of GPUs are compiled
        for the emulator alone: what is for cards only runs nowhere here, and takes long to compile."""
        options = ["-DPLUMB_GPU=OFF", f"-DPLUMB_CHECKED={';'.join(sorted(checked))}"]
        if self.run(["cmake", "--preset", "default", *options])[0] != 0:
            raise SystemExit(f"mutate: the tree cannot be configured; see {self.log}")

    def run(self, command):
        """The exit status and what was printed, which the log gets as it comes."""
        with self.log.open("a+", errors="replace") as log:
            start = log.seek(0, os.SEEK_END)
            status = subprocess.run(command, cwd=self.source, stdout=log, stderr=subprocess.STDOUT).returncode
            log.seek(start)
            return status, log.read()

    def targets(self):
        """The test binaries, the command, and what replays the corpora of the fuzz targets."""
        _, listed = self.run(["ninja", "-C", "build", "-t", "targets", "all"])
        return sorted(set(re.findall(r"^(bin/plumb(?:_[\w-]+_test)?|fuzzers/fuzz_\w+): \w*EXECUTABLE", listed, re.M)))

    def commands(self):
        """How each object is compiled that a test binary or the command is made of."""
        commands = compile_commands.commands(self.build, self.source)
        return [c for c in commands if "CMakeFiles/plumb_bundle.dir/" not in c["command"]]

    def objects_of(self, headers):
        """For each header the object of one file that includes it: what is wrong with the header shows there first."""
        objects, commands = set(), self.commands()
        texts = {c["file"]: Path(c["file"]).read_text() for c in commands if Path(c["file"]).is_file()}
        for header in headers:
            users = [c for c in commands if f'#include "{header}"' in texts.get(c["file"], "")]
            if users:
                user = min(users, key=lambda c: (Path(c["file"]).stem != Path(header).stem, len(texts[c["file"]])))
                words = shlex.split(user["command"])
                objects.add(words[words.index("-o") + 1])
        return sorted(objects)

    def compile(self, sites, say):
        """Builds; gives the sites that compile here. Those that do not are taken out."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.write_text("")
        self.write(sites)
        self.configure({site.path for site in sites if site.path.endswith(SOURCES)})
        sources = {self.relative(command["file"]) for command in self.commands()}
        compiled = sources | included_by(sources, self.source)
        sites = [site for site in sites if site.path in compiled]
        for targets in (lambda: self.objects_of({s.path for s in sites if s.path.endswith(".h")}), self.targets):
            while True:
                goals = targets()
                if not goals:
                    break
                status, output = self.run(["ninja", "-C", "build", "-k", "0", "-j", str(self.jobs), *goals])
                if status == 0:
                    break
                bad = self.blamed(output, sites)
                if not bad:
                    raise SystemExit(f"mutate: the build fails for a reason that is no mutant; see {self.log}")
                for site in bad:
                    say(f"   does not compile: {site.where} {site.kind}: {site.change}")
                sites = [site for site in sites if site not in bad]
                self.write(sites)
        return sites

    def blamed(self, output, sites):
        """The sites that the compiler's messages point at: at best with an error, else at all; else all of the file."""
        output = re.sub(r"\x1b\[[\d;]*[mK]", "", output)
        errors, mentions = set(), set()
        for match in re.finditer(r"^(?:In file included from |\s+from )?([\w./+-]+\.(?:cc|cu|h)):(\d+)[:,](.*)$", output, re.M):
            path = self.relative(match.group(1))
            mentions.add((path, int(match.group(2))))
            if "error:" in match.group(3):
                errors.add((path, int(match.group(2))))
        for places in (errors, mentions):
            bad = [s for s in sites if any(path == s.path and s.line <= line <= s.last_line for path, line in places)]
            if bad:
                return bad
        return [s for s in sites if s.path in {path for path, _ in mentions}]

    def relative(self, path):
        try:
            return str((self.build / path).resolve().relative_to(self.source.resolve()))
        except ValueError:
            return path
