#!/usr/bin/env bash
# devices_check.sh PLUMB [DEVICE...]: the program lists its devices, those named (CPU:0 SIM:0 GPU:0) among them, and where
# it has a module for GPUs, finds in itself all that the module uses of it.
set -euo pipefail
program=$1
shift
(($# > 0)) || set -- CPU:0 SIM:0 GPU:0
listed=$("$program" devices)
echo "$listed"
for device in "$@"; do
  grep -q "^/device:$device " <<<"$listed" || { echo "$device is not listed"; exit 1; }
done
if grep -q "undefined symbol" <<<"$listed"; then
  echo "the module for GPUs uses what the program does not have"
  exit 1
fi
