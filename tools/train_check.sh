#!/usr/bin/env bash
# Training under mpirun, and on from its checkpoint in one process: train_check.sh build/bin/plumb
set -euo pipefail
plumb=$1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$plumb" make-data digits "$folder/digits" --train 512 --test 16 >/dev/null

# says TEXT COMMAND...: COMMAND ends well, and prints TEXT.
says() {
  local text=$1 status=0
  shift
  timeout --kill-after=5 120 "$@" >"$folder/log" 2>&1 || status=$?
  if [[ $status != 0 ]] || ! grep -qF -- "$text" "$folder/log"; then
    echo "exit code $status, and no '$text': $*"
    cat "$folder/log"
    exit 1
  fi
}

train=(train softmax --data "$folder/digits" --checkpoint "$folder/checkpoint" --batch 16)
ranks=(mpirun --oversubscribe --bind-to none -n)
says "Checkpoint: $folder/checkpoint/model.ckpt-" \
  "${ranks[@]}" 4 "$plumb" "${train[@]}" --steps 90 --save-every 30 --cluster ps=2,worker=2
says "going on from step 9" "$plumb" "${train[@]}" --steps 120
says "Checkpoint: $folder/checkpoint/model.ckpt-120" "$plumb" "${train[@]}" --steps 120
says "going on from step 120" "${ranks[@]}" 3 "$plumb" "${train[@]}" --steps 150 --cluster ps=1,worker=2

# Without a cluster all ranks are workers that reduce their gradients together: one of them tells how it goes, and saves.
train=(train softmax --data "$folder/digits" --checkpoint "$folder/workers" --batch 16)
says "Checkpoint: $folder/workers/model.ckpt-20" "${ranks[@]}" 3 "$plumb" "${train[@]}" --steps 20
[[ $(grep -cF "Training on" "$folder/log") == 1 ]] || { echo "each rank trains for itself" && cat "$folder/log" && exit 1; }
says "going on from step 20" "$plumb" "${train[@]}" --steps 30

# Without servers: replicas have variables of their own, and the first one saves them.
train=(train softmax --data "$folder/digits" --checkpoint "$folder/allreduce" --batch 16)
says "Checkpoint: $folder/allreduce/model.ckpt-20" \
  "${ranks[@]}" 2 "$plumb" "${train[@]}" --steps 20 --save-every 15 --cluster worker=2 --strategy allreduce
says "going on from step 20" \
  "${ranks[@]}" 3 "$plumb" "${train[@]}" --steps 40 --cluster worker=3 --strategy allreduce

# By time, which the first replica tells the others where they meet; between updates variables alone are saved.
for strategy in allreduce:worker=2 sync-ps:ps=1,worker=2; do
  n=2
  [[ $strategy == *ps=* ]] && n=3
  train=(train softmax --data "$folder/digits" --checkpoint "$folder/time-${strategy%%:*}" --batch 16)
  says "Checkpoint: $folder/time-${strategy%%:*}/model.ckpt-4" "${ranks[@]}" "$n" "$plumb" "${train[@]}" --steps 4 \
    --save-every 0.000001s --cluster "${strategy#*:}" --strategy "${strategy%%:*}"
  [[ $(ls "$folder/time-${strategy%%:*}"/model.ckpt-?.index | wc -l) -ge 3 ]] || { cat "$folder/log" && exit 1; }
  says "going on from step 4" "$plumb" "${train[@]}" --steps 5
done

# Synchronous strategies: an update waits for the gradients of its group; checkpoints go from one strategy to another.
train=(train softmax --data "$folder/digits" --checkpoint "$folder/sync" --batch 16)
says "Checkpoint: $folder/sync/model.ckpt-40" \
  "${ranks[@]}" 4 "$plumb" "${train[@]}" --steps 40 --save-every 15 --cluster ps=1,worker=3 --strategy sync-ps
says "going on from step 40" \
  "${ranks[@]}" 4 "$plumb" "${train[@]}" --steps 80 --cluster ps=2,worker=2 --strategy backup=1
says "going on from step 80" \
  "${ranks[@]}" 3 "$plumb" "${train[@]}" --steps 120 --cluster ps=1,worker=2 --strategy hybrid=1
# Groups count the same steps: one may begin, or come to the last step, when another is further.
hybrid=("${ranks[@]}" 5 "$plumb" "${train[@]}" --steps 140 --cluster ps=1,worker=4 --strategy hybrid=2)
says "Checkpoint: $folder/sync/model.ckpt-14" "${hybrid[@]}"
says "No step to take" "${hybrid[@]}"

# Batches that are cut into shards: one process and any workers that share the shards evenly come to the same bits.
train=(train lenet --width 0.25 --data "$folder/digits" --batch 16 --shards 4 --steps 6 --save-every 4)
says "Checkpoint:" "$plumb" "${train[@]}" --checkpoint "$folder/alone"
for together in allreduce:worker=2 allreduce:worker=4 sync-ps:ps=1,worker=2 sync-ps:ps=2,worker=4 \
  in-graph:ps=1,worker=2 in-graph:ps=2,worker=4; do
  strategy=${together%%:*} cluster=${together#*:}
  workers=${cluster##*=} servers=0
  [[ $cluster == ps=* ]] && servers=${cluster:3:1}
  rm -rf "$folder/shared"
  says "Checkpoint:" "${ranks[@]}" $((workers + servers)) "$plumb" "${train[@]}" --checkpoint "$folder/shared" \
    --cluster "$cluster" --strategy "$strategy"
  if ! "$plumb" checkpoint diff "$folder/alone/model.ckpt-6" "$folder/shared/model.ckpt-6"; then
    echo "not the same bits: --cluster $cluster --strategy $strategy"
    exit 1
  fi
done
