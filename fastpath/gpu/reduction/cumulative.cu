// Running sums and products along an axis.
#include "fastpath/gpu/reduction/lines.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct AddStep {
  template <class V>
  static constexpr V kStart = V(0);
  template <class V>
  PLUMB_GPU_INLINE V operator()(V a, V b) const {
    return Add(a, b);
  }
};
struct MultiplyStep {
  template <class V>
  static constexpr V kStart = V(1);
  template <class V>
  PLUMB_GPU_INLINE V operator()(V a, V b) const {
    return Mul(a, b);
  }
};

template <class T>
using Cumsum = Cumulative<T, AddStep>;
template <class T>
using Cumprod = Cumulative<T, MultiplyStep>;

constexpr GpuKernelRow kRows[] = {
    {"Cumsum", MakeForType<Cumsum, Floats>},
    {"Cumprod", MakeForType<Cumprod, Floats>},
};

}  // namespace

std::span<const GpuKernelRow> ReductionCumulative() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
