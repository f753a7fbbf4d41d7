// ClipByValue: max(min(t, most), least). NaN in the tensor stays; in a limit it limits nothing.
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

using ClipTypes = TypeList<float, double, Half, BFloat16, int8_t, int16_t, int64_t, uint8_t, uint16_t>;

// A limit of one element is everybody's.
template <class T>
PLUMB_GPU_KERNEL ClipLoop(Global<const T> t, Global<const T> low, Global<const T> high, Global<T> out, bool one_low,
                          bool one_high) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    auto value = Computed<T>::Load(t[i]);
    const auto most = Computed<T>::Load(high[one_high ? 0 : i]);
    const auto least = Computed<T>::Load(low[one_low ? 0 : i]);
    if (most < value) value = most;
    if (value < least) value = least;
    out[i] = Computed<T>::Store(value);
  }
}

template <class T>
class ClipByValue final : public GpuKernel {
 public:
  explicit ClipByValue(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.input(0).shape();
    for (const int limit : {1, 2}) {
      const Shape& own = context.input(limit).shape();
      Require(own.rank() == 0 || own == shape, "a limit must be a scalar or have the shape of t, ", shape.ToString(),
              ", not ", own.ToString());
    }
    const Global<const T> t = context.In<T>(0);
    const bool one_low = context.input(1).rank() == 0, one_high = context.input(2).rank() == 0;
    const Global<const T> low = context.In<T>(1), high = context.In<T>(2);
    Tensor y = context.ForwardOrAllocate(0, 0, shape);
    const Global<T> out = context.ViewOf<T>(y);
    Launch(context.stream(), LoopOver(out.size), ClipLoop<T>, t, low, high, out, one_low, one_high);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"ClipByValue", MakeForType<ClipByValue, ClipTypes>},
};

}  // namespace

std::span<const GpuKernelRow> MathClip() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
