#!/usr/bin/env bash
# Builds this project against a fresh install tree of what is in build/, and has both of its libraries judged: the one
# as it should be passes what it declares, the one with mistakes fails there and nowhere else.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=build/backend_example
rm -rf $work
cmake --install build --prefix $work/prefix >/dev/null
cmake -S examples/backend -B $work/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$PWD/$work/prefix"
cmake --build $work/build
cc -std=c99 -Wall -Wextra -pedantic -Werror -fsyntax-only -x c $work/prefix/include/plumb/backends/library/plumb_backend.h
plumb=$work/prefix/bin/plumb good=./$work/build/libexample_backend.so wrong=./$work/build/libwrong_backend.so

# expect EXIT_CODE TEXT COMMAND...: how the command ends, and a pattern that a line of its output matches.
expect() {
  local code=$1 text=$2 output status=0
  shift 2
  output=$("$@" 2>&1) || status=$?
  if [[ $status != "$code" ]] || ! grep -qE -- "$text" <<<"$output"; then
    printf '%s\n' "$output" | tail -n 60
    echo "FAILED: $*: exit code $status instead of $code, or no line with: $text"
    exit 1
  fi
  echo "ok: $* ($code: $text)"
}

expect 0 '^y:0 = float32\[1,1\] \{2\}$' $plumb run examples/graphs/line.pbtxt --feed 'x:0=float32[1,2]{3,4}' \
  --fetch y:0 --backend $good

# Every op: what it declares passes, what it does not is unsupported, and nothing fails.
expect 0 '^[1-9][0-9]+ passed, 0 failed, [1-9][0-9]+ unsupported$' $plumb conformance ops --backend $good --rounds 1
for op in Add AddV2 Identity MatMul Mul Neg Relu Square Sub Sum; do
  expect 0 "^$op +T=float32.* passed " $plumb conformance ops --backend $good --filter "$op/T=float32*"
done

# The one with mistakes in Sum and Neg: that verdict, that exit code, on the four types that Sum takes, on the two of Neg
# that have a -0, and on no other op.
expect 1 '^Sum +T=float32 .*failed' $plumb conformance ops --backend $wrong --filter 'Sum/T=float32*'
expect 1 '^Neg +T=float64 .*failed' $plumb conformance ops --backend $wrong --filter 'Neg/T=float64'
expect 1 '^ +again: plumb conformance ops .*libwrong_backend.so --filter' $plumb conformance ops --backend $wrong \
  --filter 'Sum*'
expect 1 '^[1-9][0-9]+ passed, 6 failed, ' $plumb conformance ops --backend $wrong --rounds 1

# Recorded cases: those of which everything is declared.
cases=conformance/golden/cases
expect 0 "^total +$good +[1-9][0-9]+ +0 +[1-9][0-9]+ +0$" $plumb conformance golden $cases --backend $good
expect 1 "^  failed $wrong reduction_ops_test/" $plumb conformance golden $cases --backend $wrong \
  --filter 'reduction_ops_test/*'
expect 1 'NOT GREEN: .*no case matched' $plumb conformance golden $cases --backend $good --filter 'no such case'

# Random graphs of what is declared; variables and control flow are not. A failure names the library that replays it.
law() {
  local code=$1 text=$2 library=$3 name=$4
  expect "$code" "$text" env PLUMB_LAW_BACKEND="$library" RC_PARAMS='seed=1 max_success=1000' \
    build/bin/plumb_property_test --gtest_filter="$name"
}
law 0 '^OK, passed 1000 tests$' $good Backends.AcyclicGraphsGiveWhatTheReferenceAllows
law 1 "^replay: PLUMB_LAW_BACKEND='$wrong' PLUMB_TAPE=" $wrong Backends.AcyclicGraphsGiveWhatTheReferenceAllows
law 1 '^nothing was compared: .* does not declare .*LoopCond' $good Backends.ConditionalsAndLoopsGiveWhatTheReferenceAllows
law 1 '^nothing was compared: .* does not declare .*VariableV2' $good Sessions.EveryStepGivesWhatTheReferenceAllows

# What is no backend is refused by name.
expect 1 'NOT_FOUND: backend library ./libmissing.so: No such file' $plumb run examples/graphs/line.pbtxt \
  --fetch y:0 --backend ./libmissing.so
expect 1 'FAILED_PRECONDITION: backend library ./README.md cannot be loaded: ' $plumb conformance ops \
  --backend ./README.md
