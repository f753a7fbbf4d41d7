#!/usr/bin/env bash
# devices_check.sh PLUMB: the program lists its devices, and where it has a module for GPUs, finds in itself all that the
# module uses of it.
set -euo pipefail
listed=$("$1" devices)
echo "$listed"
for device in CPU:0 SIM:0 GPU:0; do
  grep -q "^/device:$device " <<<"$listed" || { echo "$device is not listed"; exit 1; }
done
if grep -q "undefined symbol" <<<"$listed"; then
  echo "the module for GPUs uses what the program does not have"
  exit 1
fi
