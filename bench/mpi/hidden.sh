#!/usr/bin/env bash
# How much of its communication AlexNet hides behind its backward pass, over two hosts that are network namespaces of this
# machine, one worker on each: hidden.sh [MBIT [BATCH [STEPS]]], from the folder of the project; 1000, 32 and 8 unless given.
# Three medians: a step of both workers together, one of each alone beside the other, and the gradients alone on the link.
# Hidden is what the gradients do not add to a step.
set -euo pipefail
rate=${1:-1000} batch=${2:-32} steps=${3:-8} patience=1200
. tools/hosts.sh

plumb=$(realpath build/bin/plumb) ranks=$(realpath build/bin/plumb_ranks)
train=("$plumb" train alexnet --batch "$batch" --steps "$steps" --threads 1)
median() { sed -n 's/.*A step took \([0-9.]*\) ms in the median.*/\1/p' "$folder/log" | sort -n | tail -1; }

over 2 --bind-to core --cpu-set 0,1 -- "${train[@]}" --strategy allreduce
together=$(median)
for host in 1 2; do
  ip netns exec "$(space $host)" taskset -c $((host - 1)) "${train[@]}" >"$folder/alone-$host" 2>&1 &
done
wait
cat "$folder"/alone-* >"$folder/log"
alone=$(median)
# The gradients of all variables: 61 million numbers.
over 2 --bind-to core --cpu-set 0,1 -x PLUMB_CLUSTER=worker=2 -- "$ranks" allreduce 0 244
link=$(sed -n 's/^seconds \([0-9.e+-]*\).*/\1/p' "$folder/log" | head -1)
awk -v t="$together" -v a="$alone" -v l="$link" -v r="$rate" -v b="$batch" 'BEGIN {
  printf "%s Mbit/s, batch %s: together %.0f ms, alone %.0f ms, gradients alone %.0f ms: %.0f %% of the communication is hidden\n",
         r, b, t, a, 1000 * l, 100 * (1 - (t - a) / (1000 * l)) }'
