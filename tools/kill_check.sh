#!/usr/bin/env bash
# Training that is killed at random points, and goes on from its checkpoint each time, ends with the bits of a run that
# nobody disturbed: variables, streams of random numbers, places in the data. In one process, and over ranks, of which
# one is killed: kill_check.sh build/bin/plumb [KILLS] [SEED]
set -euo pipefail
plumb=$1 kills=${2:-100}
RANDOM=${3:-1}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$plumb" make-data digits "$folder/digits" --train 256 --test 16 >/dev/null

fail() {
  echo "$*"
  cat "$folder/log"
  exit 1
}
# milliseconds: since the epoch.
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
# latest FOLDER: the step of its latest checkpoint, 0 without one.
latest() { sed -n 's/^model_checkpoint_path: .*-\([0-9]*\)"$/\1/p' "$1/checkpoint" 2>/dev/null || echo 0; }
# victim PROCESS: one of the ranks that it started, or itself.
victim() {
  local ranks
  mapfile -t ranks < <(pgrep -P "$1" || true)
  if ((${#ranks[@]} == 0)); then echo "$1"; else echo "${ranks[RANDOM % ${#ranks[@]}]}"; fi
}

# survives NAME STEPS COMMAND...: the training is killed so often; --checkpoint and --steps are added.
survives() {
  local name=$1 steps=$2 killed=0 reached=0 now begun lasts status
  shift 2
  begun=$(milliseconds)
  "$@" --steps "$steps" --checkpoint "$folder/$name-whole" >"$folder/log" 2>&1 || fail "$name does not train"
  lasts=$(($(milliseconds) - begun))
  while ((killed < kills)); do
    "$@" --steps "$steps" --checkpoint "$folder/$name" >"$folder/log" 2>&1 &
    local process=$!
    sleep "$((RANDOM * lasts / 32768))e-3"
    if kill -KILL "$(victim $process)" 2>/dev/null; then killed=$((killed + 1)); fi
    status=0
    wait $process 2>/dev/null || status=$?
    now=$(latest "$folder/$name")
    ((${now:-0} >= reached)) || fail "$name was at step $reached, and is at step $now after kill $killed"
    reached=${now:-0}
    if ((status == 0)); then
      same "$name" "$steps"
      rm -r "${folder:?}/$name"
      reached=0
    fi
  done
  "$@" --steps "$steps" --checkpoint "$folder/$name" >"$folder/log" 2>&1 || fail "$name does not go on"
  same "$name" "$steps"
  echo "$name: $killed kills"
}
same() {
  "$plumb" checkpoint diff --all "$folder/$1-whole/model.ckpt-$2" "$folder/$1/model.ckpt-$2" >"$folder/log" ||
    fail "$1 differs from the run that nobody disturbed"
}

dropout=("$plumb" train alexnet --width 0.02 --side 67 --batch 4 --threads 1 --save-every 3)
shuffled=("$plumb" train lenet --width 0.25 --data "$folder/digits" --batch 8 --save-every 3)
ranks=(mpirun --oversubscribe --bind-to none -n)
survives alone 30 "${dropout[@]}"
survives shuffled 40 "${shuffled[@]}"
survives allreduce 15 "${ranks[@]}" 2 "${dropout[@]}" --cluster worker=2 --strategy allreduce
survives sync-ps 15 "${ranks[@]}" 3 "${dropout[@]}" --cluster ps=1,worker=2 --strategy sync-ps
survives model-parallel 15 "${ranks[@]}" 2 "${dropout[@]}" --cluster worker=2 --strategy model-parallel
