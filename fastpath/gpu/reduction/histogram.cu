// HistogramFixedWidth: how many values lie in each part of a range.
#include <type_traits>

#include "fastpath/formulas/reduction/histogram.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/reduction/equal_parts-inl.h"
#undef PLUMB_INLINE

// What the slot holds where the range does not rise; else the number of a value, plus 1.
constexpr int64_t kNoRange = -1;

template <class T>
PLUMB_GPU_KERNEL CountLoop(Global<const T> values, Global<const T> range, Global<int32_t> counts,
                           Global<int64_t> slot) {
  const T low = range[0], high = range[1];
  if (!(low < high)) {
    if (First() == 0) AtomicCas(slot[0], int64_t{0}, kNoRange);
    return;
  }
  const EqualParts<T> parts(low, high, counts.size);
  for (int64_t i = First(); i < values.size; i += Stride()) {
    const int64_t part = parts.PartOf(values[i]);
    if (part < 0) {
      AtomicCas(slot[0], int64_t{0}, i + 1);
    } else {
      AtomicAdd(counts[part], 1);
    }
  }
}

template <class T>
class Histogram final : public GpuKernel {
 public:
  explicit Histogram(const Node&) {}
  void Run(GpuContext& context) override {
    const int64_t bins = BinsOfHistogram(context.input(1).shape(), context.input(2));
    Tensor counts = context.AllocateOutput(0, Shape({bins}));
    context.Clear(counts);
    const Global<const T> values = context.In<T>(0);
    const Global<int64_t> slot = context.NewSlot([](int64_t number) {
      if (number == kNoRange) return Status(Code::kInvalidArgument, "value_range must rise");
      return RefusalOfValue(number - 1);
    });
    // One thread looks at the range where there are no values.
    Launch(context.stream(), LoopOver(values.size > 0 ? values.size : 1), CountLoop<T>, values, context.In<T>(1),
           context.ViewOf<int32_t>(counts), slot);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"HistogramFixedWidth", MakeForType<Histogram, TypeList<float, double>>},
};

}  // namespace

std::span<const GpuKernelRow> ReductionHistogram() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
