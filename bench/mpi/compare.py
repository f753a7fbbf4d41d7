"""Runs steps over ranks of this machine, and beside them a program that says the same to MPI by hand.

Both run under mpirun, in turns; a run gives the median over its steps, the ratio of a round is ours over MPI's, and the
median over the rounds is reported. MPI is Open MPI as it comes: no setting of ours. Some rows stand beside TensorFlow's
own parameter servers too, in the same rounds, where there is a Python that has it. Two rows are of Plumb alone: how much
of its communication a training hides, and what a backup worker is worth.
"""

import argparse
import datetime
import json
import os
import signal
import statistics
import subprocess
import sys

# row: (what the programs are told, servers, workers, one client, what is reported, goal)
RATIO, CONSTANT, RATE = "ratio", "constant", "rate"
# Of Plumb alone: lines of their own, below.
HIDDEN, BACKUP = "hidden", "backup"
ROWS = {
    **{f"null_{servers}ps_{workers}w": ("null", servers, workers, False, RATIO, 3.0)
       for workers in (1, 4) for servers in (1, 4, 16)},
    "dense_100MB": ("dense", 1, 1, False, RATIO, 1.3),
    "sparse_32_rows": ("sparse", 1, 1, False, CONSTANT, 1.1),
    "allreduce_100MB_2": ("allreduce", 0, 2, False, RATIO, 1 / 3),
    "allreduce_100MB_4": ("allreduce", 0, 4, False, RATIO, 1 / 3),
    "while_loop_2": ("loop", 0, 2, True, RATE, 100_000),
    "alexnet_hidden": ("overlap", 0, 2, False, HIDDEN, 0.8),
    "backup_workers": ("train", 1, 4, False, BACKUP, 0.7),
}
# These stand beside TensorFlow's parameter servers, too.
BESIDE_TENSORFLOW = ("null_1ps_1w", "null_16ps_1w", "null_16ps_4w", "dense_100MB")
TENSORFLOW = "build/peers/venv/bin/python"
MEGABITS = 1000  # a second, between the two hosts of alexnet_hidden
OVERLAP_BATCH = 128  # of each rank
STRAGGLER = 3  # how many times as long as the others' the steps of one worker of backup_workers take
TRAINED_STEPS = 100
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
    return seconds_of(program, command, environment)


def run_tensorflow(python, told, servers, workers, sizes):
    """The same of TensorFlow's."""
    command = [python, "bench/mpi/tensorflow_servers.py", told, str(servers), str(workers), str(sizes[0])]
    return seconds_of("tensorflow_servers.py", command, os.environ)


def seconds_of(program, command, environment):
    """What the program prints, in a session of its own, so that all of its processes end with it."""
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
                               start_new_session=True)
    try:
        out, err = running.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired as error:
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        raise RuntimeError(f"{program} takes more than {LIMIT} s") from error
    for line in out.splitlines():
        if line.startswith("seconds "):
            return [float(word) for word in line.split()[1:]]
    raise RuntimeError(f"{program} ended with {running.returncode}: {err.strip()[-300:]}")


def measure(row, rounds, python):
    """For each size: megabytes, and the medians of ours and of each peer, with those of the rounds' ratios."""
    told, servers, workers, one_client, _, _ = ROWS[row]
    sizes = megabytes(told)
    sides = {name: lambda program=program: run(program, told, servers, workers, one_client, sizes)
             for name, program in (("ours", "plumb_ranks"), ("mpi", "plumb_raw_mpi"))}
    if python and row in BESIDE_TENSORFLOW:
        sides["tensorflow"] = lambda: run_tensorflow(python, told, servers, workers, sizes)
    taken = [{name: side() for name, side in sides.items()} for _ in range(1 if told == "sparse" else rounds)]
    for i, size in enumerate(sizes):
        yield (size, {name: statistics.median(each[name][i] for each in taken) for name in sides},
               {name: statistics.median(each["ours"][i] / each[name][i] for each in taken) for name in sides})


def hidden_line(row, rounds, wire):
    """The share of the time for communication alone by which a step is shorter than its two parts one after the other."""
    command = ["bench/mpi/overlap.sh", "build/bin/plumb_overlap", str(MEGABITS), str(OVERLAP_BATCH), str(rounds), wire]
    done = subprocess.run(command, capture_output=True, text=True)
    told = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("seconds ")]
    if done.returncode != 0 or not told:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {(done.stdout + done.stderr).strip()[-300:]}")
    step, alone, meeting = map(float, told[0])
    *_, goal = ROWS[row]
    share = (alone + meeting - step) / meeting
    return {"name": f"{row}_{wire}", "ours_us": step * 1e6, "alone_us": alone * 1e6, "meeting_us": meeting * 1e6,
            "figure": share, "goal": goal, "at_least": True, "met": share >= goal,
            "unit": f"of {meeting * 1e3:,.0f} ms of communication hidden"}


def median_step(strategy, straggler):
    """Seconds of a step of LeNet, by the line that training ends with."""
    command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "5", "build/bin/plumb", "train", "lenet",
               "--width", "0.25", "--batch", "4", "--steps", str(TRAINED_STEPS), "--cluster", "ps=1,worker=4",
               "--strategy", strategy] + (["--straggler", f"3:{straggler}"] if straggler else [])
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, env=environment)
    for line in done.stdout.splitlines():
        if line.startswith("Median step: "):
            return float(line.split()[2]) / 1e3
    raise RuntimeError(f"{' '.join(command[6:])} ended with {done.returncode}: {done.stderr.strip()[-300:]}")


def backup_line(row, rounds):
    """The median step with a backup worker over that without one, where one worker is slow."""
    normal = median_step("sync-ps", 0)
    late = max(1, round((STRAGGLER - 1) * normal * 1e3))
    both = [[median_step(strategy, late) for strategy in ("backup=1", "sync-ps")] for _ in range(rounds)]
    *_, goal = ROWS[row]
    ratio = statistics.median(backup / waiting for backup, waiting in both)
    return {"name": row, "ours_us": statistics.median(each[0] for each in both) * 1e6, "normal_us": normal * 1e6,
            "waiting_us": statistics.median(each[1] for each in both) * 1e6, "figure": ratio, "goal": goal,
            "met": ratio <= goal, "unit": f"× the step that waits for a worker that is {late} ms late"}


def lines_of(row, rounds, python):
    """One line for each figure that has a goal, as a dictionary."""
    *_, kind, goal = ROWS[row]
    if kind == HIDDEN:
        yield hidden_line(row, max(rounds, 3), "exact")
        yield hidden_line(row, max(rounds, 3), "bfloat16")
        return
    if kind == BACKUP:
        yield backup_line(row, rounds)
        return
    smallest = None
    for size, seconds, ratios in measure(row, rounds, python):
        ours = seconds["ours"]
        line = {"name": row, "ours_us": ours * 1e6, "mpi_us": seconds["mpi"] * 1e6, "ratio": ratios["mpi"]}
        if "tensorflow" in seconds:
            line.update(tensorflow_us=seconds["tensorflow"] * 1e6, tensorflow_ratio=ratios["tensorflow"])
        if kind == CONSTANT:
            line["name"] = f"{row}_of_{size}MB"
            if smallest is not None:
                line.update(figure=ours / smallest, goal=goal, unit="× that of the smallest table")
            smallest = smallest or ours
        elif kind == RATE:
            line.update(figure=1 / ours, goal=goal, unit="iterations/s")
        else:
            line.update(figure=ratios["mpi"], goal=goal, unit="× MPI")
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
        sign = "≥" if line["unit"] == "iterations/s" or line.get("at_least") else "≤"
        goal = (f"{line['figure']:>12,.2f} {line['unit']}, goal {sign} {line['goal']:,.2f}: "
                f"{'met' if line['met'] else 'missed'}")
    beside = f"{line['mpi_us']:>12,.1f}{line['ratio']:>9.2f}" if "mpi_us" in line else f"{'-':>12}{'-':>9}"
    tensorflow = (f"{line['tensorflow_us']:>14,.1f}{line['tensorflow_ratio']:>9.4f}" if "tensorflow_us" in line
                  else f"{'-':>14}{'-':>9}")
    print(f"{line['name']:<26}{line['ours_us']:>12,.1f}{beside}{tensorflow}{goal}", flush=True)


def python_with_tensorflow(python):
    """The same, where it has TensorFlow; else nothing, and a line says so."""
    asks = [python, "-c", "import importlib.util, sys; sys.exit(not importlib.util.find_spec('tensorflow'))"]
    if os.path.exists(python) and subprocess.run(asks, check=False).returncode == 0:
        return python
    print(f"TensorFlow stands beside no row: {python} has none. ./dev bench peers installs it; --tensorflow PYTHON names "
          "another that has it.")
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", help="write the rows to this file")
    parser.add_argument("--rows", default=",".join(ROWS), help="comma-separated names: " + ", ".join(ROWS))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--tensorflow", default=TENSORFLOW, help="a Python that has TensorFlow (default: %(default)s)")
    arguments = parser.parse_args()
    unknown = [row for row in arguments.rows.split(",") if row not in ROWS]
    if unknown:
        parser.error(f"there is no row {unknown[0]}; there are {', '.join(ROWS)}")

    where = machine()
    print(f"{where['date']}, {where['processor']}, {where['cores']} cores, load {where['load']:.1f} before")
    python = python_with_tensorflow(arguments.tensorflow)
    print(f"{'row':<26}{'ours µs':>12}{'MPI µs':>12}{'ratio':>9}{'TensorFlow µs':>14}{'ratio':>9}")
    lines, failed = [], []
    for row in arguments.rows.split(","):
        try:
            for line in lines_of(row, arguments.rounds, python):
                show(line)
                lines.append(line)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            failed.append(row)
            print(f"{row:<26}failed: {error}", flush=True)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"machine": where, "rows": lines, "failed": failed}, file, indent=1)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
