#!/usr/bin/env bash
# Random graphs whose nodes lie anywhere among two to four processes: ranks_check.sh build/bin/plumb_ranks_check
# [CASES [SEED]], so many for each law and each rank.
set -euo pipefail
check=$1 cases=${2:-40} seed=${3:-1}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export RC_PARAMS="max_success=$cases" PLUMB_SEED=$seed
for ranks in 2 3 4; do
  timeout --kill-after=5 240 mpirun --oversubscribe --bind-to none --mca btl_vader_single_copy_mechanism none \
    -n $ranks "$check" --gtest_brief=1
done
