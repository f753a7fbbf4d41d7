#!/usr/bin/env bash
# What cmake/PlumbBundle.cmake does besides compiling and linking.
#
#   bundle.sh symbols MODULE FILE   FILE tells the linker what the module expects to find in the program
#   bundle.sh fill LAUNCHER PROGRAM FOLDER   lays the program, which the launcher unpacks, and what ./dev gpu-check needs
#                                   beside it, into the folder; looks at what it needs of the machine
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

# The program behind the launcher, and the length of what is behind it in 20 digits.
pack() {
  cp "$1" "$3"
  gzip --best --no-name --stdout "$2" >>"$3"
  printf '%020d' $(($(stat --format=%s "$3") - $(stat --format=%s "$1"))) >>"$3"
}

needs_little() {
  local library
  while read -r library _; do
    case $library in
      linux-vdso.so.*|libc.so.6|libm.so.6|/lib64/ld-linux-x86-64.so.2) ;;
      *) echo "the bundle's program needs $library"; exit 1 ;;
    esac
  done < <(ldd "$1")
}

fill() {
  needs_little "$1"
  needs_little "$2"
  rm -rf "$3/cases"
  pack "$1" "$2" "$3/plumb"
  cp -r "$source/conformance/golden/cases" "$3/cases"
  cp "$source/conformance/deviations.txt" "$3/cases/"
  cp "$source"/tools/gpu_{check,figures,parts,peer_models,peers,sanitized}.py "$source/LICENSE" "$3/"
}

check() {
  local megabytes
  cd "$1"
  "$source/tools/devices_check.sh" ./plumb CPU:0 SIM:0
  megabytes=$(($(du --bytes --summarize . | cut -f1) / 1000000))
  ((megabytes <= most_megabytes)) || { echo "the bundle has $megabytes MB, more than $most_megabytes"; exit 1; }
  echo "$PWD: $megabytes MB"
}

"$@"
