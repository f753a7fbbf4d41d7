// Betainc.
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/math/special_words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// An operand of one element is the same for all.
template <class T>
PLUMB_GPU_INLINE T ElementOf(const Global<const T>& operand, int64_t i) {
  return operand[operand.size == 1 ? 0 : i];
}

template <class T>
PLUMB_GPU_KERNEL BetaincLoop(Global<const T> a, Global<const T> b, Global<const T> x, Global<T> z) {
  for (int64_t i = First(); i < z.size; i += Stride()) {
    z[i] = BetaincOf(ElementOf(a, i), ElementOf(b, i), ElementOf(x, i));
  }
}

template <class T>
class Betainc final : public GpuKernel {
 public:
  explicit Betainc(const Node&) {}
  void Run(GpuContext& context) override {
    Tensor z = context.AllocateOutput(0, context.OutputShape(0));
    Launch(context.stream(), LoopOver(z.elements()), BetaincLoop<T>, context.In<T>(0), context.In<T>(1),
           context.In<T>(2), context.ViewOf<T>(z));
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Betainc", MakeForType<Betainc, TypeList<float, double>>},
};

}  // namespace

std::span<const GpuKernelRow> MathBetainc() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
