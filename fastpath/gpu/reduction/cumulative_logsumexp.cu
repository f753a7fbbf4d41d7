// Running logarithms of sums of exponentials along an axis.
#include <cmath>
#include <limits>

#include "fastpath/gpu/reduction/lines.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/reduction/log_of_sum-inl.h"
#undef PLUMB_INLINE

struct LogOfSumStep {
  template <class V>
  static constexpr V kStart = -std::numeric_limits<V>::infinity();
  template <class V>
  PLUMB_GPU_INLINE V operator()(V a, V b) const {
    return LogOfSum(a, b);
  }
  // A NaN counts as the sum before it, and each step is rounded.
  static constexpr bool kGoesInTurn = true;
};

template <class T>
using CumulativeLogsumexp = Cumulative<T, LogOfSumStep>;

constexpr GpuKernelRow kRows[] = {
    {"CumulativeLogsumexp", MakeForType<CumulativeLogsumexp, Floats>},
};

}  // namespace

std::span<const GpuKernelRow> ReductionCumulativeLogsumexp() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
