#!/usr/bin/env bash
# The checks of every transport between processes: transport_check.sh build/bin/plumb_transport_check
set -euo pipefail
check=$1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# ranks N [OPTIONS...] -- [ARGS...]: under mpirun, on however few cores.
ranks() {
  local count=$1 options=()
  shift
  while [[ $1 != -- ]]; do options+=("$1"); shift; done
  shift
  timeout --kill-after=5 120 mpirun --oversubscribe --bind-to none "${options[@]}" -n "$count" "$check" "$@"
}

for count in 1 2 4; do ranks $count --; done
ranks 2 --mca btl tcp,self --
for count in 2 4; do ranks $count -- mpi; done
for count in 2 4; do ranks $count --enable-recovery -- lost; done
ranks 3 --enable-recovery -- silent
# Without mpirun the process is alone.
"$check"
