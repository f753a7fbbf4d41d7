#!/usr/bin/env bash
# Training whose ranks do not all live: whatever the strategy, the others name who it was, where and which step of theirs
# waited for what, none of them ends well, and none is left: train_faults_check.sh build/bin/plumb
set -euo pipefail
plumb=$1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
folder=$(mktemp -d)
cleanup() {
  umount "$folder/small" 2>/dev/null || true
  rm -rf "$folder"
}
trap cleanup EXIT

fail() {
  echo "$*"
  cat "$folder/log"
  exit 1
}
# milliseconds: since the epoch.
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
# lines PATTERN: how many were printed.
lines() { grep -cE -- "$1" "$folder/log" || true; }
# say COUNT PATTERN: so many ranks did, at least: one that was stopped may have been woken to be ended.
say() { (($(lines "$2") >= $1)) || fail "not $1 ranks say '$2'"; }

# train RANKS OPTIONS...: in the background.
train() { start "$1" "$plumb" train lenet --width 0.25 --batch 8 --events "$folder/events" "${@:2}"; }
# start RANKS [OPTIONS...] COMMAND...: under mpirun.
start() {
  : >"$folder/log"  # what is read from here on is of this run
  timeout --kill-after=5 120 mpirun --oversubscribe --bind-to none -n "$@" >"$folder/log" 2>&1 &
  run=$!
}
# appears PATTERN MILLISECONDS: it is printed.
appears() {
  local end=$(($(milliseconds) + $2))
  while [[ $(lines "$1") == 0 ]]; do
    (($(milliseconds) < end)) || fail "nobody says '$1' within $2 ms"
    sleep 0.05
  done
}
# hit SIGNAL RANK: when it trains.
hit() {
  local process
  appears 'Training on' 60000
  for process in $(pgrep -f -- "^$plumb train .*$folder/events"); do
    grep -qxz "OMPI_COMM_WORLD_RANK=$2" "/proc/$process/environ" && kill "-$1" "$process" && return
  done
  fail "no rank $2"
}
# ends: not well, and not because it took too long; none of its processes is left.
ends() {
  local code=0
  wait "$run" || code=$?
  [[ $code != 0 && $code -lt 124 ]] || fail "exit code $code"
  ! pgrep -f -- "$folder/events" >/dev/null || fail "processes are left: $(pgrep -af -- "$folder/events")"
}

endless=(--steps 1000000 --cluster ps=1,worker=2)
waits="; step [0-9]+ of rank [012]: '.+' \(\w+\) waits for "
for strategy in sync-ps backup=1 async-ps; do
  # A rank that is stopped says nothing, and is there all the same.
  train 3 "${endless[@]}" --strategy $strategy
  hit STOP 2
  appears 'plumb: UNAVAILABLE: rank 2 on ' 8000
  ends
  say 2 "plumb: UNAVAILABLE: rank 2 on \S+ has been silent for [0-9]+ ms.*"
  [[ $strategy != sync-ps ]] || say 1 "plumb: UNAVAILABLE: rank 2 on .*$waits"
done
train 3 --steps 1000000 --cluster worker=3 --strategy allreduce
hit STOP 2
ends
say 2 "plumb: UNAVAILABLE: rank 2 on \S+ has been silent for [0-9]+ ms.*$waits"

# Where mpirun ends nobody, each ends by itself.
start 3 --enable-recovery sh -c '"$@" || echo "exit code $? of rank $OMPI_COMM_WORLD_RANK"' sh \
  "$plumb" train lenet --width 0.25 --batch 8 --events "$folder/events" "${endless[@]}" --strategy sync-ps
hit KILL 2
wait "$run"
say 2 "plumb: UNAVAILABLE: rank 2 on \S+ died \(process [0-9]+\)"
for rank in 0 1; do say 1 "exit code 1 of rank $rank"; done

# A rank that cannot write ends, and so do those that never wait for it. A folder stands where its file should.
in_the_way() { mkdir -p "$folder/$1.data-00000-of-00001"; }
in_the_way sync/model.ckpt-3_parts/state-2
train 3 "${endless[@]}" --strategy sync-ps --checkpoint "$folder/sync" --save-every 3
ends
say 1 "plumb: FAILED_PRECONDITION: .*model.ckpt-3_parts/state-2"
say 2 "plumb: ABORTED: rank 2 on \S+ gave up: FAILED_PRECONDITION: .*model.ckpt-3_parts/state-2"
train 3 "${endless[@]}" --strategy async-ps --checkpoint "$folder/log/is-a-file" --save-every 3
ends
say 1 "plumb: [A-Z_]+: cannot .*$folder/log/is-a-file"
say 2 "plumb: ABORTED: rank 1 on \S+ gave up: [A-Z_]+: cannot .*$folder/log/is-a-file"
# Also one that had done its share.
in_the_way all/model.ckpt-3_parts/variables
train 2 --steps 3 --cluster worker=2 --strategy allreduce --checkpoint "$folder/all"
ends
say 1 "plumb: FAILED_PRECONDITION: .*model.ckpt-3_parts/variables"
say 1 "rank 1 has ended well, and the run has failed: ABORTED: rank 0 on \S+ gave up: FAILED_PRECONDITION: "

# Nor does one whose disk is full, where a small one may be made.
mkdir "$folder/small"
if mount -t tmpfs -o size=64k plumb "$folder/small" 2>/dev/null; then
  train 3 "${endless[@]}" --strategy sync-ps --checkpoint "$folder/small" --save-every 3
  ends
  say 1 "plumb: RESOURCE_EXHAUSTED: cannot write '$folder/small/.*': No space left on device"
  say 1 "plumb: ABORTED: rank [0-2] on \S+ gave up: RESOURCE_EXHAUSTED: cannot write '$folder/small/"
fi

# What a run cannot go on from is named, and ends it on every rank.
train 3 --steps 3 --cluster ps=2,worker=1 --checkpoint "$folder/torn"
wait "$run" || fail "exit code $?"
for shard in "$folder"/torn/model.ckpt-3.data-*; do truncate --size=-1000 "$shard"; done
train 3 --steps 6 --cluster ps=2,worker=1 --checkpoint "$folder/torn"
ends
say 1 "plumb: (OUT_OF_RANGE|DATA_LOSS): .*$folder/torn/model.ckpt-3.data-"
say 2 "plumb: ABORTED: rank 2 on \S+ gave up: (OUT_OF_RANGE|DATA_LOSS): .*$folder/torn/model.ckpt-3.data-"
