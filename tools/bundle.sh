#!/usr/bin/env bash
# What cmake/PlumbBundle.cmake does besides compiling and linking.
#
#   bundle.sh symbols MODULE FILE   FILE tells the linker what the module expects to find in the program
#   bundle.sh fill PROGRAM FOLDER   lays the program, and what ./dev gpu-check needs beside it, into the folder
#   bundle.sh check FOLDER          whether the folder may go to a machine that has nothing else
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
most_megabytes=45

# What comes from a library has that library's version. What both have and there is one of (u), such as what a thread has
# entered, is the program's for both.
symbols() {
  local names='(_Z[^@ ]*|__cxa_[^@ ]*|__gxx_[^@ ]*|_Unwind_[^@ ]*|__once_proxy)'
  {
    nm -D --undefined-only --format=posix "$1" |
      sed -nE "s/^$names [UvV] .*/--undefined=\1 --export-dynamic-symbol=\1/p"
    nm -D --defined-only --format=posix "$1" | sed -nE 's/^(_Z[^@ ]*) u .*/--export-dynamic-symbol=\1/p'
  } >"$2"
}

fill() {
  rm -rf "$2/cases"
  cp "$1" "$2/plumb"
  cp -r "$source/conformance/golden/cases" "$2/cases"
  cp "$source/conformance/deviations.txt" "$2/cases/"
  cp "$source"/tools/gpu_{check,figures,parts,peer_models,peers,sanitized}.py "$source/LICENSE" "$2/"
}

check() {
  local library megabytes
  cd "$1"
  while read -r library _; do
    case $library in
      linux-vdso.so.*|libc.so.6|libm.so.6|/lib64/ld-linux-x86-64.so.2) ;;
      *) echo "the bundle's program needs $library"; exit 1 ;;
    esac
  done < <(ldd plumb)
  "$source/tools/devices_check.sh" ./plumb
  megabytes=$(($(du --bytes --summarize . | cut -f1) / 1000000))
  ((megabytes <= most_megabytes)) || { echo "the bundle has $megabytes MB, more than $most_megabytes"; exit 1; }
  echo "$PWD: $megabytes MB"
  ldd plumb
}

"$@"
