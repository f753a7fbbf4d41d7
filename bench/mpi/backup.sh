#!/usr/bin/env bash
# What a backup worker is worth where one worker is slow: backup.sh [STRAGGLES [STEPS]], from the folder of the project; 60
# milliseconds before each step of the last of four workers, and 60 steps, unless given. In turns, three rounds: the median
# step of synchronous training, and with one backup worker.
set -euo pipefail
straggles=${1:-60} steps=${2:-60}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
train() {
  mpirun --oversubscribe --bind-to none -n 5 build/bin/plumb train lenet --width 0.25 --batch 4 --steps "$steps" \
    --cluster ps=1,worker=4 --straggler "3:$straggles" --strategy "$1" 2>&1 |
    sed -n 's/.*A step took \([0-9.]*\) ms in the median.*/\1/p'
}
for round in 1 2 3; do
  all=$(train sync-ps) backup=$(train backup=1)
  awk -v a="$all" -v b="$backup" -v r=$round 'BEGIN {
    printf "round %d: all workers %.1f ms, one of them as backup %.1f ms: %.0f %% less\n", r, a, b, 100 * (1 - b / a) }'
done
