// SelectV2: t where the condition holds, else e, all three broadcast.
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/walk.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Operand 0 of `choice` is the condition; those of `values` are t and e.
template <class T>
PLUMB_GPU_KERNEL SelectLoop(Global<const bool> condition, Global<const T> t, Global<const T> e, Global<T> out,
                            Walk choice, Walk values) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    out[i] = condition[choice.At(0, i)] ? t[values.At(0, i)] : e[values.At(1, i)];
  }
}

class SelectV2 final : public GpuKernel {
 public:
  explicit SelectV2(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.OutputShape(0);
    const Tensor &condition = context.input(0), &t = context.input(1), &e = context.input(2);
    const Walk choice = BroadcastWalk(condition.shape(), condition.shape(), shape);
    const Walk values = BroadcastWalk(t.shape(), e.shape(), shape);
    Tensor z = context.AllocateOutput(0, shape);
    ForSizeOf(context.node(), t.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Global<T> out = context.ViewOf<T>(z);
      Launch(context.stream(), LoopOver(out.size), SelectLoop<T>, context.In<bool>(0), context.ViewOf<T>(t),
             context.ViewOf<T>(e), out, choice, values);
    });
  }
};

constexpr GpuKernelRow kRows[] = {
    {"SelectV2", Make<SelectV2>},
};

}  // namespace

std::span<const GpuKernelRow> MathSelectV2() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
