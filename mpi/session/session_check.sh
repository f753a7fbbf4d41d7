#!/bin/sh
# Runs the check of sessions over Open MPI. $1: the program.
set -eu
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
run="mpirun --oversubscribe --bind-to none --mca btl_vader_single_copy_mechanism none"
$run -n 3 -x PLUMB_CLUSTER=ps=1,worker=2 "$1"
$run -n 4 -x PLUMB_CLUSTER=ps=1,worker=3 "$1"
# A cluster that does not fit the ranks is refused.
if $run -n 2 -x PLUMB_CLUSTER=ps=1,worker=2 "$1" 2>/dev/null; then
  echo "two ranks took part in a cluster of three tasks" >&2
  exit 1
fi
