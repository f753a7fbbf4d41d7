#!/usr/bin/env bash
# The tests of sessions and members over simulated links, for some seeds: simulated_check.sh build/bin/plumb_mpi_test
# [SEEDS [FIRST]]. "turns": whoever waits moves the ranks, in turns that the seed draws; "delays": messages are under way
# for as long as is drawn, by the clock.
set -euo pipefail
tests=$1 seeds=${2:-3} first=${3:-1}
# Tests of sessions that make no cluster of their own, and of what no transport changes, are left out.
filter='Distributed*:SavedDistributedSession*:StepsInPieces*:FailedRuns*:RanksCollective*:Wire*:Traces*'
for ((seed = first; seed < first + seeds; ++seed)); do
  for over in turns delays; do
    PLUMB_RANKS_OVER=$over:$seed "$tests" --gtest_brief=1 --gtest_filter="$filter" ||
      { echo "with PLUMB_RANKS_OVER=$over:$seed"; exit 1; }
  done
done
