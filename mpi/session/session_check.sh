#!/bin/sh
# Runs the check of sessions over Open MPI. $1: the program.
set -eu
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
run="mpirun --oversubscribe --bind-to none --mca btl_vader_single_copy_mechanism none"
$run -n 3 -x PLUMB_CLUSTER=ps=1,worker=2 "$1"
$run -n 4 -x PLUMB_CLUSTER=ps=1,worker=3 "$1"
# Ranks whose settings differ end, each of them, and say where.
program="env PLUMB_CLUSTER=ps=1,worker=2 PLUMB_PROGRAM"
if said=$(timeout 60 $run -n 2 $program=one "$1" : -n 1 $program=two "$1" 2>&1); then
  echo "ranks of two programs took part in one run" >&2
  exit 1
fi
for rank in 0 1 2; do
  if ! echo "$said" | grep -q "PLUMB_PROGRAM is one on rank . and two on rank 2 (rank $rank differs"; then
    echo "rank $rank did not say how the programs differ: $said" >&2
    exit 1
  fi
done
# A cluster that does not fit the ranks is refused.
if $run -n 2 -x PLUMB_CLUSTER=ps=1,worker=2 "$1" 2>/dev/null; then
  echo "two ranks took part in a cluster of three tasks" >&2
  exit 1
fi
