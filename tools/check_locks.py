#!/usr/bin/env python3
"""Checks with clang that what a lock guards is touched under that lock (-Wthread-safety).

Looked at is every source that takes a lock or says what one guards, and the .cc beside such a header, whichever header
brought them spec/core/thread_annotations.h. Headers are checked through the files that include them: one that none of
these does is looked at in another one. First a fixture
shows that clang does see what is wrong: exactly its lines with "// caught" must be complained of. A std::mutex, of which
clang knows nothing, is for tests, examples and the switches of mutants, which look into a Mutex. Clang does not look into
constructors and destructors either, so a lock that is taken there would be missed by nobody: a function takes it.

A source that clang found right is not looked at again until it, a file that it includes, clang or its options change.
"""

import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import compile_commands

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("PLUMB_BINARY_DIR", ROOT / "build"))
COMPILER = "clang++-14"
FIXTURE = "spec/core/testdata/unlocked_access.cpp"
ANNOTATIONS = "spec/core/thread_annotations.h"
USES = (r'thread_annotations\.h"|\bMutex(Lock|LockIf|Unlock) \w+\(|\bCondVar\b|'
        r"\bPLUMB_(GUARDED_BY|REQUIRES|EXCLUDES|ACQUIRE|RELEASE|NO_THREAD_SAFETY_ANALYSIS)\b")
LOCK = re.compile(r"\bMutexLock(If)? \w+\(")
# The first line of a destructor, of a constructor outside of its class.
UNSEEN = re.compile(r"^( *)(?:[\w:]*~\w+\(\)[^;{\n]*\{|(\w+)::\2\((?:[^;{}]|\{[^\n{}]*\}[,)])*\{$)", re.M)
OPTIONS = ["-std=c++20", "-Wthread-safety", "-Werror=thread-safety"]
# What most sources include: to read it is half of the time that they take.
COMMON = ["<algorithm>", "<functional>", "<map>", "<memory>", "<mutex>", "<set>", "<string>", "<thread>",
          "<unordered_map>", "<vector>", '"spec/graph/graph.h"']


def complaints(path, includes, more=()):
    """Of clang, as text; empty when there are none."""
    command = [COMPILER, *OPTIONS, "-fsyntax-only", *includes, *more, path]
    run = subprocess.run(command, cwd=ROOT, text=True, stderr=subprocess.PIPE)
    return run.stderr if run.returncode else ""


@functools.cache
def changed(path):
    """When the file changed, in nanoseconds; None where there is none."""
    return os.stat(path).st_mtime_ns if os.path.exists(path) else None


class Right:
    """Which sources were found right, and when each file that clang read for that had changed: a JSON file for each."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.always = [os.path.realpath(shutil.which(COMPILER))]

    def file(self, source):
        return self.folder / (source.replace("/", "+") + ".json")

    def holds(self, source, options):
        if not self.file(source).exists():
            return False
        known = json.loads(self.file(source).read_text())
        return known["options"] == options and all(changed(path) == time for path, time in known["files"].items())

    def note(self, source, options, read):
        files = {path: changed(path) for path in [*read, *self.always]}
        self.file(source).write_text(json.dumps({"options": options, "files": files}))


def newly_complained(source, includes, folder, common, right):
    """Of clang, as text; a source of which it has nothing to say is noted. `folder`: of what it needs only now."""
    rule = pathlib.Path(folder, source.replace("/", "+") + ".d")
    text = complaints(source, common + includes, ["-MD", "-MF", str(rule)])
    if not text:
        words = rule.read_text().partition(":")[2].replace("\\\n", " ").split()  # "X.o: SOURCE HEADER…", as for make
        paths = (os.path.join(ROOT, word) for word in words)
        right.note(source, settings(includes), [path for path in paths if not path.startswith(folder)])
    return text


def settings(includes):
    return [*OPTIONS, *COMMON, *includes]


def precompiled(folder):
    """The options that let clang read COMMON once for all; it is checked meanwhile."""
    header, read = pathlib.Path(folder, "common.h"), pathlib.Path(folder, "common.pch")
    header.write_text("".join(f"#include {each}\n" for each in COMMON))
    subprocess.run([COMPILER, *OPTIONS, "-I.", "-isystem", str(BUILD / "generated"), "-x", "c++-header", str(header), "-o",
                    str(read)], cwd=ROOT, check=True)
    return ["-include-pch", str(read)]


def fixture_is_caught():
    marked = {number for number, line in enumerate((ROOT / FIXTURE).read_text().splitlines(), 1) if "// caught" in line}
    text = complaints(FIXTURE, ["-I."])
    seen = {int(line) for line in re.findall(re.escape(FIXTURE) + r":(\d+):\d+: error", text)}
    for number in sorted(marked ^ seen):
        print(f"{FIXTURE}:{number}: {'not ' if number in marked else ''}complained of")
    return marked and marked == seen


def include_options(command):
    """Where the build looks for headers, and what GPU sources need besides."""
    words = shlex.split(command)
    found = []
    for i, word in enumerate(words):
        if word.startswith(("-I", "-DGPU_")) and len(word) > 2:
            found.append(word)
        elif word in ("-I", "-isystem"):
            found += [word, words[i + 1]]
    return found


def annotated_sources(built=ROOT, build=BUILD):
    """{source: its include options} of what is to be checked; one that several targets compile, as the first does.
    `built`: where `build` has its sources from, a copy of the project or the project itself."""
    listed = subprocess.run(["git", "grep", "-lE", "--untracked", USES, "--", "*.h", "*.cc"], cwd=ROOT, text=True,
                            stdout=subprocess.PIPE, check=True).stdout.split()
    compiled = {}
    for entry in compile_commands.commands(build, built):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if path.is_relative_to(built):
            compiled.setdefault(str(path.relative_to(built)), include_options(entry["command"]))
    found = {str(pathlib.Path(path).with_suffix(".cc")) for path in listed} & compiled.keys()
    for header in (path for path in listed if path.endswith(".h")):
        includers = set(sources_that_include(header)) & compiled.keys()
        if not includers & found:
            found.update(sorted(includers)[:1])
    return {source: compiled[source] for source in sorted(found)}


def sources_that_include(header):
    listed = subprocess.run(["git", "grep", "-lF", "--untracked", f'#include "{header}"', "--", "*.cc"], cwd=ROOT, text=True,
                            stdout=subprocess.PIPE).stdout
    return listed.split()


def raw_mutexes():
    """FILE:LINE of each std::mutex where a Mutex belongs."""
    pattern = r"std::(recursive_|shared_|timed_)?mutex\b"
    command = ["git", "grep", "-nE", "--untracked", pattern, "--", "*.h", "*.cc", "*.cu",
               ":!*_test.cc", ":!*testing*", ":!examples", ":!tools/mutate", f":!{ANNOTATIONS}"]
    found = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE).stdout
    return re.findall(r"^[^:]+:\d+", found, re.M)


def unseen_locks(text):
    """The lines on which a constructor or destructor takes a lock, by our layout: its body ends at its own indent."""
    for function in UNSEEN.finditer(text):
        is_one_line = not text.startswith("\n", function.end())
        end = re.compile("$" if is_one_line else rf"^{function.group(1)}\}}", re.M).search(text, function.end())
        lock = LOCK.search(text, function.end(), end.end() if end else len(text))
        if lock:
            yield text.count("\n", 0, lock.start()) + 1


def places_of_unseen_locks():
    listed = subprocess.run(["git", "grep", "-lE", "--untracked", r"MutexLock(If)? \w+\(", "--", "*.h", "*.cc", "*.cu",
                             ":!*_test.cc", ":!tools/mutate", f":!{ANNOTATIONS}"], cwd=ROOT, text=True,
                            stdout=subprocess.PIPE).stdout.split()
    return [f"{path}:{line}" for path in listed for line in unseen_locks((ROOT / path).read_text())]


def main():
    failed = not fixture_is_caught()
    for place in places_of_unseen_locks():
        failed = True
        print(f"{place}: clang looks into no constructor or destructor; take the lock in a function that this one calls")
    for place in raw_mutexes():
        failed = True
        print(f"{place}: a std::mutex; Mutex can say what it guards ({ANNOTATIONS})")
    sources = annotated_sources()
    right = Right(BUILD / "locks")
    left = [source for source, includes in sources.items() if not right.holds(source, settings(includes))]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        common = precompiled(folder) if left else []
        for text in pool.map(lambda source: newly_complained(source, sources[source], folder, common, right), left):
            if text:
                failed = True
                print(text)
    print(f"locks: {len(sources)} files checked, {len(left)} of them again")
    sys.exit(1 if failed or not sources else 0)


if __name__ == "__main__":
    main()
