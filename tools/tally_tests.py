#!/usr/bin/env python3
"""Adds up what `./dev test` left in a folder, and prints the names that failed and then `N passed, N failed`.

For each check NAME the folder holds NAME.status (the exit status) and NAME.log; a GoogleTest binary also leaves
NAME.xml, whose test cases are counted one by one. A skipped or disabled case has not passed, so it counts as failed.
"""
import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def cases(report):
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        ran = case.get("status") == "run" and case.get("result") == "completed"
        yield name, ran and case.find("failure") is None and case.find("error") is None


def read_report(report):
    try:
        return list(cases(report)) if report.exists() else []
    except ElementTree.ParseError:
        return []


def main(folder):
    passed, failed = 0, []
    for status in sorted(pathlib.Path(folder).glob("*.status")):
        ok = status.read_text().strip() == "0"
        results = read_report(status.with_suffix(".xml"))
        bad = [f"{status.stem}: {name}" for name, good in results if not good]
        passed += len(results) - len(bad)
        failed += bad
        if ok and not results and not status.stem.startswith("gtest-"):
            passed += 1
        elif not bad and (not ok or not results):  # It crashed, ran out of time, ran nothing, or is a plain check.
            failed.append(f"{status.stem}: exit status {status.read_text().strip()}, {status.with_suffix('.log')}")
    for name in failed:
        print(f"FAILED {name}")
    print(f"{passed} passed, {len(failed)} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
