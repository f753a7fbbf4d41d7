#!/usr/bin/env bash
# Training on two hosts without ssh: two network namespaces of this machine, each with a host name of its own, joined by a
# bridge: two_hosts.sh build/bin/plumb [MBIT]
# Between the hosts there is TCP, at MBIT megabits a second where that is given. Wants root and `ip`, and says so.
set -euo pipefail
plumb=$(realpath "$1") rate=${2:-}
source "$(dirname "$0")/two_hosts_net.sh"

"$plumb" make-data digits "$folder/digits" --train 256 --test 16 >/dev/null
train=("$plumb" train lenet --width 0.25 --data "$folder/digits" --batch 16 --shards 4 --steps 6)
"${train[@]}" --checkpoint "$folder/alone" >/dev/null
same() { "$plumb" checkpoint diff "$folder/alone/model.ckpt-6" "$folder/$1/model.ckpt-6" || fail "$1: not the same bits"; }

# Each host has ranks of its own, and reaches the other by TCP alone.
over 4 --bind-to none -- hostname
says '^host1$' && says '^host2$'

# Workers alone, then with a server on each host: the bits are those of one process.
over 4 --bind-to none -- "${train[@]}" --checkpoint "$folder/allreduce"
same allreduce
says 'steps/s'
over 4 --bind-to none -- "${train[@]}" --checkpoint "$folder/servers" --cluster ps=2,worker=2 --strategy sync-ps
same servers

# Whichever way gradients take between ranks and hosts.
for way in auto ring tree shared; do
  over 4 --bind-to none -- "$plumb" train lenet --width 0.25 --data "$folder/digits" --batch 4 --steps 6 \
    --strategy allreduce --allreduce $way --checkpoint "$folder/way-$way"
  "$plumb" checkpoint diff "$folder"/way-{auto,$way}/model.ckpt-6 || fail "--allreduce $way: not the same bits"
done

# Both hosts are one machine: Open MPI binds the only rank of each to core 0, which is mended.
over 2 -- "${train[@]}" --checkpoint "$folder/bound"
same bound
[[ $(nproc) == 1 ]] || says 'Open MPI had bound ranks on host1 to 1 of its [0-9]+ cores; they run on all of them now'

# Half of the bytes.
over 2 --bind-to none -- "$plumb" train lenet --width 0.25 --data "$folder/digits" --steps 6 --wire bfloat16
says 'step 6/6'

# When the link between them goes, ranks on both hosts say within some seconds whom they do not hear any more, and end.
# Each writes a file of its own: what ranks of host2 print does not come through.
start 4 --bind-to none -- bash -c 'exec "$@" >"'"$folder"'/said-$OMPI_COMM_WORLD_RANK" 2>&1' bash \
  "$plumb" train lenet --width 0.25 --batch 4 --steps 1000000 --cluster ps=1,worker=3 --strategy sync-ps \
  --events "$folder/events"
ranks() { pgrep -af -- "^$plumb train .* --events $folder/events"; }
# all_say SECONDS PATTERN FILES...: each file has it by then.
all_say() {
  local end=$((SECONDS + $1)) pattern=$2 file
  shift 2
  for file; do
    until grep -qE -- "$pattern" "$file" 2>/dev/null; do
      ((SECONDS < end)) || { cat "$folder"/said-* && fail "no '$pattern' in $file"; }
      sleep 0.1
    done
  done
}
all_say 60 'Training on' "$folder/said-1"
sleep 1
ip link set "pv$id-2" down
all_say 8 'UNAVAILABLE: rank [23] on host2 has been silent for [0-9]+ ms' "$folder"/said-[01]
all_say 8 'UNAVAILABLE: rank [01] on host1 has been silent for [0-9]+ ms' "$folder"/said-[23]
for ((tries = 100; tries > 0; --tries)); do
  ranks >/dev/null || break
  sleep 0.1
done
! ranks || fail "these ranks are left"
echo "two hosts: all is well"
