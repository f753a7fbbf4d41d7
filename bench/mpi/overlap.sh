#!/usr/bin/env bash
# plumb_overlap on two hosts that are network namespaces of this machine, a rank on each:
# overlap.sh build/bin/plumb_overlap MBIT BATCH ROUNDS WIRE
# MBIT megabits a second lie between them; WIRE is a value of PLUMB_WIRE. Wants root and `ip`, and says so.
set -euo pipefail
overlap=$(realpath "$1") rate=$2 batch=$3 rounds=$4 wire=$5
source "$(dirname "$0")/../../tools/two_hosts_net.sh"
limit=580
over 2 --bind-to none -x PLUMB_CLUSTER=worker=2 -x "PLUMB_WIRE=$wire" -- "$overlap" "$batch" "$rounds"
cat "$folder/log"
