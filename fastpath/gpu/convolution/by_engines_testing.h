// A convolution by each of the engines that there are, against the CPU's.
#pragma once

#include "fastpath/gpu/lib/dnn/dnn_testing.h"
#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {

// For values that are computed without rounding: by cuDNN, by a cuDNN that has channels first only, and without it.
inline void ExpectSameByEachEngine(const Question& question) {
  const EmulatedCudnn has_all, has_first = {.takes_channels_last = false}, is_absent = {.is_installed = false};
  for (const EmulatedCudnn& installed : {has_all, has_first, is_absent}) {
    const WithCudnn with(installed);
    const int64_t before = EmulatedCudnnCalls().convolutions();
    ExpectSameOnBoth(question);
    EXPECT_EQ(EmulatedCudnnCalls().convolutions() > before, installed.is_installed) << question.op;
  }
}

}  // namespace plumb::fast
