// CheckNumerics, and its second version, which tells the sign of infinities.
#include <string>

#include "fastpath/formulas/check/numerics.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Joins what the threads have found in the slot.
template <class T>
PLUMB_GPU_KERNEL FindNotFinite(Global<const T> x, Global<int64_t> slot) {
  int64_t found = 0;
  for (int64_t i = First(); i < x.size; i += Stride()) {
    const auto value = Computed<T>::Load(x[i]);
    if (value - value == 0) continue;
    found |= value != value ? kNan : value < 0 ? kBelowAll : kAboveAll;
  }
  if (found == 0) return;
  int64_t known = AtomicCas(slot[0], int64_t{0}, found);
  while (known != 0 && (known | found) != known) {
    const int64_t seen = AtomicCas(slot[0], known, known | found);
    if (seen == known) return;
    known = seen;
  }
}

template <bool tells_signs>
class CheckNumericsKernel final : public GpuKernel {
 public:
  explicit CheckNumericsKernel(const Node& node) : message_(GetAttr<std::string>(node.attrs, "message")) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    context.SetOutput(0, x);
    if (x.elements() == 0) return;
    const Global<int64_t> slot = context.NewSlot(
        [message = message_](int64_t found) { return NotFiniteStatus(message, static_cast<int>(found), tells_signs); });
    ForType(context.node(), x.dtype(), Floats(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      Launch(context.stream(), LoopOver(x.elements()), FindNotFinite<T>, context.ViewOf<T>(x), slot);
      return true;
    });
  }

 private:
  const std::string message_;
};

constexpr GpuKernelRow kRows[] = {
    {"CheckNumerics", Make<CheckNumericsKernel<false>>},
    {"CheckNumericsV2", Make<CheckNumericsKernel<true>>},
};

}  // namespace

std::span<const GpuKernelRow> CheckNumerics() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
