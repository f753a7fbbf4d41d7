#!/usr/bin/env bash
# Builds this project against a fresh install tree of what is in build/, and runs it.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=build/consumer
rm -rf $work
cmake --install build --prefix $work/prefix >/dev/null
cmake -S examples/consumer -B $work/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$PWD/$work/prefix"
cmake --build $work/build
$work/build/consumer
