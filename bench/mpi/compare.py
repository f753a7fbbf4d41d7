"""Runs steps over ranks of this machine, and beside them a program that says the same to MPI by hand.

Both run under mpirun, in turns; a run gives the median over its steps, the ratio of a round is ours over MPI's, and the
median over the rounds is reported. MPI is Open MPI as it comes: no setting of ours.
"""

import argparse
import datetime
import json
import os
import statistics
import subprocess
import sys

# row: (what the programs are told, servers, workers, one client, what is reported, goal)
RATIO, CONSTANT, RATE = "ratio", "constant", "rate"
ROWS = {
    **{f"null_{servers}ps_{workers}w": ("null", servers, workers, False, RATIO, 3.0)
       for workers in (1, 4) for servers in (1, 4, 16)},
    "dense_100MB": ("dense", 1, 1, False, RATIO, 1.3),
    "sparse_32_rows": ("sparse", 1, 1, False, CONSTANT, 1.1),
    "allreduce_100MB_2": ("allreduce", 0, 2, False, RATIO, 1 / 3),
    "allreduce_100MB_4": ("allreduce", 0, 4, False, RATIO, 1 / 3),
    "while_loop_2": ("loop", 0, 2, True, RATE, 100_000),
}
LIMIT = 120  # seconds of a run, which is given up then
ROOM_FOR_4_GB = 12e9  # bytes of free memory


def available_memory():
    with open("/proc/meminfo") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))


def megabytes(told):
    if told == "sparse":
        return [256, 1000] + ([4000] if available_memory() > ROOM_FOR_4_GB else [])
    return [100 if told in ("dense", "allreduce") else 0]


def run(program, told, servers, workers, one_client, sizes):
    """Median seconds, one for each size."""
    cluster = (f"ps={servers}," if servers else "") + f"worker={workers}"
    command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(servers + workers),
               "-x", f"PLUMB_CLUSTER={cluster}", "-x", f"PLUMB_CLIENTS={'first' if one_client else 'workers'}",
               f"build/bin/{program}", told, str(servers), ",".join(map(str, sizes))]
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, env=environment)
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"{program} takes more than {LIMIT} s") from error
    for line in done.stdout.splitlines():
        if line.startswith("seconds "):
            return [float(word) for word in line.split()[1:]]
    raise RuntimeError(f"{program} ended with {done.returncode}: {done.stderr.strip()[-300:]}")


def measure(row, rounds):
    """(seconds of ours by size, of MPI's by size, their ratios by size)"""
    told, servers, workers, one_client, _, _ = ROWS[row]
    sizes = megabytes(told)
    both = [[run(program, told, servers, workers, one_client, sizes) for program in ("plumb_ranks", "plumb_raw_mpi")]
            for _ in range(1 if told == "sparse" else rounds)]
    medians = [[statistics.median(each[side][i] for each in both) for i in range(len(sizes))] for side in (0, 1)]
    ratios = [statistics.median(each[0][i] / each[1][i] for each in both) for i in range(len(sizes))]
    return sizes, medians[0], medians[1], ratios


def lines_of(row, rounds):
    """One line for each figure that has a goal, as a dictionary."""
    *_, kind, goal = ROWS[row]
    sizes, ours, mpi, ratios = measure(row, rounds)
    for i, size in enumerate(sizes):
        line = {"name": row, "ours_us": ours[i] * 1e6, "mpi_us": mpi[i] * 1e6, "ratio": ratios[i]}
        if kind == CONSTANT:
            line["name"] = f"{row}_of_{size}MB"
            if i > 0:
                line.update(figure=ours[i] / ours[0], goal=goal, unit="× that of the smallest table")
        elif kind == RATE:
            line.update(figure=1 / ours[i], goal=goal, unit="iterations/s")
        else:
            line.update(figure=ratios[i], goal=goal, unit="× MPI")
        if "goal" in line:
            line["met"] = line["figure"] >= goal if kind == RATE else line["figure"] <= goal
        yield line


def machine():
    with open("/proc/cpuinfo") as lines:
        name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown")
    return {"processor": name, "cores": len(os.sched_getaffinity(0)), "load": os.getloadavg()[0],
            "date": datetime.date.today().isoformat()}


def show(line):
    goal = ""
    if "goal" in line:
        sign = "≥" if line["unit"] == "iterations/s" else "≤"
        goal = (f"{line['figure']:>12,.2f} {line['unit']}, goal {sign} {line['goal']:,.2f}: "
                f"{'met' if line['met'] else 'missed'}")
    print(f"{line['name']:<26}{line['ours_us']:>12,.1f}{line['mpi_us']:>12,.1f}{line['ratio']:>9.2f}{goal}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", help="write the rows to this file")
    parser.add_argument("--rows", default=",".join(ROWS), help="comma-separated names: " + ", ".join(ROWS))
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    unknown = [row for row in arguments.rows.split(",") if row not in ROWS]
    if unknown:
        parser.error(f"there is no row {unknown[0]}; there are {', '.join(ROWS)}")

    where = machine()
    print(f"{where['date']}, {where['processor']}, {where['cores']} cores, load {where['load']:.1f} before")
    print(f"{'row':<26}{'ours µs':>12}{'MPI µs':>12}{'ratio':>9}")
    lines, failed = [], []
    for row in arguments.rows.split(","):
        try:
            for line in lines_of(row, arguments.rounds):
                show(line)
                lines.append(line)
        except RuntimeError as error:
            failed.append(row)
            print(f"{row:<26}failed: {error}", flush=True)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"machine": where, "rows": lines, "failed": failed}, file, indent=1)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
