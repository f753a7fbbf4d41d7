#!/bin/sh
# Runs the check of collective ops over Open MPI. $1: the program.
set -eu
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for ranks in 1 2 4; do
  timeout --kill-after=5 120 mpirun --oversubscribe --bind-to none --mca btl_vader_single_copy_mechanism none \
    -n $ranks "$1"
done
