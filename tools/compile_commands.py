#!/usr/bin/env python3
"""How each source of the project is compiled; of those that are compiled together, as if each were alone.

    tools/compile_commands.py [BUILD]    as a compilation database for clang's tools, without precompiled headers
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
import join  # noqa: E402

PRECOMPILED = re.compile(r" -Winvalid-pch -include \S*cmake_pch\.hxx| -fpch-preprocess")  # clang cannot read g++'s


def commands(build, root=ROOT):
    """The entries of the build's compile_commands.json, with a source of `root` in place of each file of cmake/join.py."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if not pathlib.Path(entry["file"]).is_relative_to(build.resolve() / "joined"):
            yield entry
            continue
        for member in join.members(entry["file"]):
            file = str(root / member)
            yield {**entry, "file": file, "command": entry["command"].replace(f" -c {entry['file']}", f" -c {file}")}


def main():
    build = ROOT / (sys.argv[1] if len(sys.argv) > 1 else "build")
    entries = [{**entry, "command": PRECOMPILED.sub("", entry["command"])} for entry in commands(build)]
    json.dump(entries, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
