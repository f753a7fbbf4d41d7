// Select: t where the condition holds, else e. The condition has their shape, or is a scalar, or one bool per row.
#include <algorithm>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// run: how many elements each value of the condition chooses.
template <class T>
PLUMB_GPU_KERNEL SelectLoop(Global<const bool> condition, Global<const T> t, Global<const T> e, Global<T> out,
                            int64_t run) {
  for (int64_t i = First(); i < out.size; i += Stride()) out[i] = condition[i / run] ? t[i] : e[i];
}

class Select final : public GpuKernel {
 public:
  explicit Select(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.OutputShape(0);
    const Global<const bool> condition = context.In<bool>(0);
    const DType type = context.input(1).dtype();
    ForSizeOf(context.node(), type, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Global<const T> t = context.ViewOf<T>(context.input(1)), e = context.ViewOf<T>(context.input(2));
      Tensor z = context.ForwardOrAllocate(1, 0, shape);
      const Global<T> out = context.ViewOf<T>(z);
      const int64_t run = std::max<int64_t>(1, out.size / std::max<int64_t>(1, condition.size));
      Launch(context.stream(), LoopOver(out.size), SelectLoop<T>, condition, t, e, out, run);
    });
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Select", Make<Select>},
};

}  // namespace

std::span<const GpuKernelRow> MathSelect() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
