"""The benches of a check on a card: ours, each group of them in a process of its own, and PyTorch's beside them."""
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import gpu_parts

HERE = Path(__file__).resolve().parent
OUT_OF_TIME = "not run: out of time"
LEAST = 5  # seconds for which a process is worth its start
# What a figure is to reach: its share of the ceiling by the name of the bench, or how many times as fast as PyTorch.
SHARES = [("^product", 0.95), ("Philox", 0.8), ("^sum|^softmax", 0.85),
          ("^(relu|exp|add|multiply|cast|gradient descent|momentum|adam)", 0.9), ("^lenet fed", 0.9)]
PEER_GOAL, NULL_STEP = 0.97, 10e-6


def escaped(name):
    """For regular expressions of C++ and of Python alike."""
    return re.sub(r"([][\\^$.|?*+(){}])", r"\\\1", name)


def ours(program, options, seconds, env, folder):
    """Rows of `plumb gpu-bench`, and the ceilings. What failed in its group is tried once more alone."""
    end = time.monotonic() + seconds
    listed = subprocess.run([program, "gpu-bench", "--list", *options], text=True, stdout=subprocess.PIPE, check=True,
                            env=env).stdout.splitlines()
    names = [tuple(line.split(": ", 1)) for line in listed]
    groups = list(dict.fromkeys(group for group, _ in names))
    rows, ceilings = {}, None
    for number, group in enumerate(groups):
        share = (end - time.monotonic()) / (len(groups) - number) * 2  # one may take twice its part
        found, measured = one_process(program, options, f"^{escaped(group)}: ", min(share, end - time.monotonic()), env,
                                      folder / f"bench-{gpu_parts.slug(group)}")
        ceilings = ceilings or measured
        for name in (name for of, name in names if of == group):
            row = found.get(name) or missing(group, name, found.get(None))
            rows[name] = row
            print(line_of(row), flush=True)
    for name, row in list(rows.items()):
        if row["error"] and row["error"] != OUT_OF_TIME and end - time.monotonic() > LEAST:
            only = f"^{escaped(row['group'])}: {escaped(name)}$"
            again, _ = one_process(program, options, only, end - time.monotonic(), env, folder / "bench-alone")
            if name in again and not again[name]["error"]:
                again[name]["notes"].append(f"alone; beside others it failed: {row['error']}")
                rows[name] = again[name]
                print(line_of(rows[name]), flush=True)
    return list(rows.values()), ceilings


def one_process(program, options, only, seconds, env, file):
    """{name: row} of one process, and the card's ceilings if it measured them; under None, how it ended if badly."""
    if seconds < LEAST:
        return {None: OUT_OF_TIME}, None
    report = file.with_suffix(".json")
    report.unlink(missing_ok=True)
    command = [program, "gpu-bench", *options, "--only", only, "--seconds", str(round(seconds - LEAST / 2, 1)),
               "--report", str(report)]
    part, _ = gpu_parts.run(only, command, seconds, env, file.with_suffix(".txt"))
    figures = json.loads(report.read_text()) if report.exists() else {"benches": [], "ceilings": None}
    rows = {row["name"]: row for row in figures["benches"]}
    if part["outcome"] != "passed":
        rows[None] = f"{part['outcome']} (exit {part['exit']}): {' '.join(part['tail'][-2:])}"
    return rows, figures["ceilings"]


def missing(group, name, how):
    return {"group": group, "name": name, "seconds": 0, "amount": 0, "ceiling": "", "share": 0, "batch": 0, "notes": [],
            "error": how or "no figure"}


def theirs(options, seconds, env, folder):
    """{name: line} of gpu_peers.py, and what is to be said of PyTorch. What failed is tried again in a new process."""
    end = time.monotonic() + seconds
    lines, said = peers_process(options, ".", seconds, env, folder / "peers")
    failed = [name for name, line in lines.items() if "error" in line and line["error"] != OUT_OF_TIME]
    if failed and end - time.monotonic() > LEAST:
        only = f"^({'|'.join(map(escaped, failed))})$"
        again, _ = peers_process(options, only, end - time.monotonic(), env, folder / "peers-again")
        lines.update({name: line for name, line in again.items() if "error" not in line})
    return lines, said


def peers_process(options, only, seconds, env, file):
    command = [sys.executable, str(HERE / "gpu_peers.py"), *options, "--only", only, "--seconds",
               str(round(max(1, seconds - LEAST), 1))]
    part, output = gpu_parts.run("PyTorch", command, seconds, env, file.with_suffix(".txt"))
    lines = {}
    for text in output.splitlines():
        if text.startswith("{"):
            line = json.loads(text)
            lines[line["name"]] = line
    said = "PyTorch" if lines else (part["tail"] or ["PyTorch ended"])[-1]
    return lines, said if part["outcome"] != "out of time" else f"{said}, which was out of time"


def with_peers(rows, peers):
    """The rows with PyTorch's time beside them, and whether each is what it is to be (None: no goal, or no figure)."""
    for row in rows:
        peer = peers.get(row["name"], {})
        row["peer_seconds"], row["peer_how"] = peer.get("seconds"), peer.get("how", peer.get("error", ""))
        if peer.get("batch", row["batch"]) != row["batch"]:
            row["peer_seconds"], row["peer_how"] = None, f"PyTorch had a batch of {peer['batch']}"
        row["goal"], row["is_reached"] = goal_of(row)
    return rows


def goal_of(row):
    name = row["name"]
    goal, reached = "", None
    if name == "null step":
        goal, reached = "at most 10 us", row["seconds"] <= NULL_STEP
    elif name.startswith("training step") and "," not in name:
        goal = f"{PEER_GOAL} of PyTorch's speed"
        reached = row["peer_seconds"] / row["seconds"] >= PEER_GOAL if row["peer_seconds"] and row["seconds"] else None
    else:
        share = next((share for pattern, share in SHARES if re.search(pattern, name)), None)
        if share:
            goal, reached = f"{share:.0%}", row["share"] >= share
    return goal, None if row["error"] else reached


def line_of(row):
    if row["error"]:
        return f"    {row['name']:48} {row['error']}"
    theirs_too = row.get("peer_seconds")
    beside = f", {theirs_too / row['seconds']:.2f} times as fast as PyTorch" if theirs_too else ""
    if row.get("is_reached") is not None:
        beside += f", {'reaches' if row['is_reached'] else 'MISSES'} {row['goal']}"
    return f"    {row['name']:48}{row['seconds'] * 1e6:12.1f} us, {row['share']:.1%} of {row['ceiling']}{beside}"


def lines(figures):
    rates = figures["ceilings"]
    if rates:
        yield (f"copies: {rates['copy'] / 1e9:.4g} GB/s within the card, read and written; "
               f"{rates['to_card'] / 1e9:.4g} to it, {rates['from_card'] / 1e9:.4g} from it; "
               f"a round trip {rates['round_trip'] * 1e6:.1f} us")
    yield f"beside it: {figures['peer']}"
    for row in figures["benches"]:
        yield line_of(row)
        yield from (f"        {note}" for note in row["notes"])
        if row["peer_how"] not in ("", "a CUDA graph"):
            yield f"        PyTorch: {row['peer_how']}"
