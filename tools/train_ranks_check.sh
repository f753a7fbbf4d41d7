#!/usr/bin/env bash
# What ranks of a training run find out about each other: who runs another program, who is slow, what all of them did,
# and that a model cut into stages learns what the whole one does: train_ranks_check.sh build/bin/plumb
set -euo pipefail
plumb=$1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# ends CODE COMMAND...: COMMAND ends with CODE; what it prints is in $folder/log.
ends() {
  local wanted=$1 status=0
  shift
  timeout --kill-after=5 120 "$@" >"$folder/log" 2>&1 || status=$?
  [[ $status == "$wanted" ]] || fail "exit code $status instead of $wanted: $*"
}
fail() {
  echo "$*"
  cat "$folder/log"
  exit 1
}
# prints PATTERN: the last command did.
prints() { grep -qE -- "$1" "$folder/log" || fail "no '$1'"; }

ranks=(mpirun --oversubscribe --bind-to none -n)
lenet=("$plumb" train lenet --width 0.25)

# Whoever runs another program is named by all, with the first difference, and nobody begins.
run=(--steps 4 --cluster ps=1,worker=2)
ends 1 "${ranks[@]}" 2 "${lenet[@]}" "${run[@]}" --batch 8 : -n 1 "${lenet[@]}" "${run[@]}" --batch 16
prints 'FAILED_PRECONDITION.*--batch is 8 on rank 0 and 16 on rank 2 \(rank 0 differs from rank 2\)'
prints '--batch is 8 on rank 0 and 16 on rank 2 \(rank 2 differs from ranks 0, 1\)'
ends 1 "${ranks[@]}" 1 "${lenet[@]}" "${run[@]}" : -n 2 "$plumb" train lenet "${run[@]}"
prints "the node '.*' is .* on rank 0 and .* on rank 1 \(rank 1 differs from rank 0\)"
ends 1 "${ranks[@]}" 2 "${lenet[@]}" "${run[@]}" : -n 1 "$plumb" train mlp "${run[@]}"
prints 'the model is lenet on rank 0 and mlp on rank 2'

# All ranks agree how values travel; bfloat16 shows in what is learned.
run=(--steps 4 --batch 8 --cluster ps=1,worker=1)
ends 1 "${ranks[@]}" 1 "${lenet[@]}" "${run[@]}" --wire bfloat16 : -n 1 "${lenet[@]}" "${run[@]}"
prints 'PLUMB_WIRE is bfloat16 on rank 0'
for wire in exact bfloat16 bfloat16-rounded; do
  ends 0 "${ranks[@]}" 2 "${lenet[@]}" "${run[@]}" --wire $wire --checkpoint "$folder/wire-$wire"
done
! "$plumb" checkpoint diff "$folder"/wire-{exact,bfloat16}/model.ckpt-4 >"$folder/log" || fail "--wire bfloat16 is exact"
! "$plumb" checkpoint diff "$folder"/wire-{bfloat16,bfloat16-rounded}/model.ckpt-4 >"$folder/log" ||
  fail "--wire bfloat16-rounded does not round"

lenet+=(--batch 8)
# A slow worker is named, whatever the strategy; the others wait for it.
slow=(--steps 30 --straggler 1:60 --events "$folder/events")
ends 0 "${ranks[@]}" 3 "${lenet[@]}" "${slow[@]}" --cluster worker=3 --strategy allreduce
prints 'waiting: rank 0 [0-9]+ %, rank 1 [0-9]+ % \(slowest\), rank 2 [0-9]+ %'
prints 'Rank 1 waited .*it is the slowest rank'
prints 'Rank 2 waited [3-9][0-9] % of its time, most of it for CollectiveReduce'
grep -qa slowest_rank "$folder"/events/events.out.* || fail "no slowest rank among the events"
ends 0 "${ranks[@]}" 3 "${lenet[@]}" "${slow[@]}" --cluster ps=1,worker=2 --strategy sync-ps
prints 'Rank 2 waited .*it is the slowest rank'
prints 'Rank 1 waited [3-9][0-9] % of its time, most of it for QueueDequeueV2'

# Whatever way gradients take, and in whatever buckets, the same is learned; with shards also what one process learns.
equal() { "$plumb" checkpoint diff "$folder/$1/model.ckpt-4" "$folder/$2/model.ckpt-4" || fail "$2 differs from $1"; }
ends 1 "${ranks[@]}" 2 "${lenet[@]}" --steps 4 --strategy allreduce --allreduce rings
prints 'INVALID_ARGUMENT: there is no --allreduce rings; there are: '
for workers in 2 3; do
  together=("${ranks[@]}" $workers "${lenet[@]}" --steps 4 --strategy allreduce)
  ends 0 "${together[@]}" --bucket 0 --checkpoint "$folder/auto-$workers"
  for way in ring tree shared; do
    ends 0 "${together[@]}" --bucket 0.5 --allreduce $way --checkpoint "$folder/$way-$workers"
    equal auto-$workers $way-$workers
  done
done
# So is what bfloat16 between workers makes of it.
for way in auto ring tree; do
  ends 0 "${ranks[@]}" 3 "${lenet[@]}" --steps 4 --strategy allreduce --wire bfloat16 --allreduce $way \
    --checkpoint "$folder/halves-$way"
done
equal halves-auto halves-ring
equal halves-auto halves-tree
! "$plumb" checkpoint diff "$folder"/{auto-3,halves-auto}/model.ckpt-4 >"$folder/log" ||
  fail "--wire bfloat16 does not reach what is reduced"
ends 0 "${lenet[@]}" --steps 4 --shards 4 --checkpoint "$folder/shards-1"
for workers in 2 4; do
  ends 0 "${ranks[@]}" $workers "${lenet[@]}" --steps 4 --strategy allreduce --allreduce ring --shards 4 \
    --checkpoint "$folder/shards-$workers"
  equal shards-1 shards-$workers
done

# One trace of all ranks: what a server did for a step lies within it.
ends 0 "${ranks[@]}" 3 "${lenet[@]}" --steps 12 --cluster ps=1,worker=2 --strategy sync-ps --trace "$folder/trace.json"
prints "Trace: $folder/trace.json"
python3 - "$folder/trace.json" <<'END' || fail "the trace is not as it should be"
import json, sys
trace = json.load(open(sys.argv[1]))
events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
slack = sum(trace["otherData"]["clock error in microseconds"].values()) + 1000
steps = [event for event in events if event["name"] == "step"]
assert {event["pid"] for event in events} == {0, 1, 2}, "a rank is missing"
assert sorted(event["pid"] for event in steps) == [1, 1, 1, 2, 2, 2], steps
for event in events:
    assert any(step["ts"] - slack <= event["ts"] and event["ts"] + event["dur"] <= step["ts"] + step["dur"] + slack
               for step in steps), f"outside of all steps: {event}"
rows = {}
for event in sorted(events, key=lambda event: event["ts"]):
    end = rows.get((event["pid"], event["tid"]), 0)
    assert event["cat"] == "computes" or event["ts"] >= end - 0.001, f"two wait on one row: {event}"
    rows[event["pid"], event["tid"]] = event["ts"] + event["dur"]
END

# A model cut into stages learns what the whole one does, bit for bit; with steps under way at once it takes all of them.
same() { "$plumb" checkpoint diff "$folder/$1/model.ckpt-6" "$folder/$2/model.ckpt-6" || fail "$2 differs from $1"; }
for shards in 0 4; do
  ends 0 "${lenet[@]}" --steps 6 --shards $shards --checkpoint "$folder/whole-$shards"
  for workers in 2 3; do
    ends 0 "${ranks[@]}" $workers "${lenet[@]}" --steps 6 --shards $shards --checkpoint "$folder/parts-$shards-$workers" \
      --cluster worker=$workers --strategy model-parallel
    same whole-$shards parts-$shards-$workers
  done
done
ends 0 "${ranks[@]}" 2 "${lenet[@]}" --steps 6 --checkpoint "$folder/one" --cluster worker=2 --strategy pipeline=1
same whole-0 one
ends 0 "${ranks[@]}" 2 "${lenet[@]}" --steps 40 --checkpoint "$folder/many" --cluster worker=2 --strategy pipeline=3
prints "Checkpoint: $folder/many/model.ckpt-40"

# So does one that is laid by what its nodes cost on workers of which none has room for all of it.
for shards in 0 4; do
  placed=("${ranks[@]}" 2 "${lenet[@]}" --steps 6 --shards $shards --cluster worker=2 --strategy model-parallel)
  ends 1 "${placed[@]}" --placement cost --devices '/job:worker/task:0=1kB,/job:worker/task:1=1kB'
  prints 'RESOURCE_EXHAUSTED: a graph that holds [0-9]+ bytes'
  room=$(($(grep -oE -m1 'holds [0-9]+ bytes' "$folder/log" | grep -oE '[0-9]+') * 3 / 5))
  ends 0 "${placed[@]}" --checkpoint "$folder/placed-$shards" --placement cost \
    --devices "/job:worker/task:0=${room}B,/job:worker/task:1=${room}B"
  prints '^/job:worker/task:0: [1-9][0-9]* nodes, .* of '
  prints '^/job:worker/task:1: [1-9][0-9]* nodes, .* of '
  prints 'A step is expected to take '
  same whole-$shards placed-$shards
done
