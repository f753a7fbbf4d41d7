#!/usr/bin/env bash
# Ranks under `plumb launch`, which needs no options: one is killed, and all are asked to stop; and the cores that ranks
# run on: launch_check.sh build/bin/plumb
set -euo pipefail
plumb=$1
unset OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$plumb" make-data digits "$folder/digits" --train 512 --test 16 >/dev/null

fail() {
  echo "$*"
  cat "$folder/log"
  exit 1
}
says() { grep -qF -- "$1" "$folder/log" || fail "no '$1'"; }

# launch STEPS: in the background, until there is a checkpoint.
launch() {
  "$plumb" launch -n 3 --restarts 1 -- \
    "$plumb" train softmax --data "$folder/digits" --checkpoint "$folder/checkpoint" --batch 16 --steps "$1" \
    --save-every 20 --cluster ps=1,worker=2 >"$folder/log" 2>&1 &
  launched=$!
  for _ in $(seq 600); do
    compgen -G "$folder/checkpoint/model.ckpt-*.index" >/dev/null && return
    sleep 0.05
  done
  fail "no checkpoint after 30 seconds"
}
# rank N: its process.
rank() {
  local process
  for process in $(pgrep -P "$(pgrep -P "$launched")"); do
    tr '\0' '\n' <"/proc/$process/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$1" && echo "$process" && return
  done
  fail "no rank $1"
}
# ends CODE: so does the launch, and none of its processes is left.
ends() {
  local code=0
  wait "$launched" || code=$?
  [[ $code == "$1" ]] || fail "exit code $code instead of $1"
  ! pgrep -f -- "$folder/checkpoint" >/dev/null || fail "processes are left: $(pgrep -af -- "$folder/checkpoint")"
}

launch 1500
kill -KILL "$(rank 2)"
ends 0
[[ $(id -u) != 0 ]] || says "the ranks run as root: OMPI_ALLOW_RUN_AS_ROOT=1"
[[ $(nproc) -ge 3 ]] || says "3 ranks take turns on "
says "; restart 1 of 1 goes on from step "
says "Checkpoint: $folder/checkpoint/model.ckpt-150"  # or a step more: of the other worker

rm -r "$folder/checkpoint"
launch 1000000
kill -TERM "$launched"
ends 0
says "Asked to stop at step "

# Open MPI binds a rank to one core unless it is told otherwise: that is mended, and said; what the user asks for stays.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
bound() { mpirun "$@" "$plumb" train softmax --cluster worker=1 --steps 2 >"$folder/log" 2>&1 || fail "exit code $?: $*"; }
mends="Open MPI had bound ranks on $(hostname) to 1 of its $(nproc) cores; they run on all of them now"
bound -n 1
[[ $(nproc) == 1 ]] || says "$mends"
bound -n 1 --bind-to core
! grep -qF "Open MPI had bound" "$folder/log" || fail "a binding of the user's is not left alone"
bound -n 1 sh -c '"$@"; exit $?' sh
[[ $(nproc) == 1 ]] || says "$mends"
