// QuantizedRelu and QuantizedRelu6: codes between two bounds.
#include <algorithm>
#include <limits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/quantization/codes.h"

namespace plumb::fast::cpu {
namespace {

template <bool at_six>
class QuantizedReluKernel final : public Kernel {
 public:
  explicit QuantizedReluKernel(const Node& node) : dtype_(InputType(node, 0)) {
    const bool takes = dtype_ == DType::kQuint8 || dtype_ == DType::kQint32;
    if (!takes || OutputType(node, 0) != dtype_) ThrowNoKernel(node);
  }

  void Run(KernelContext& context) override {
    const float min = ScalarFloat(context, 1), max = ScalarFloat(context, 2);
    if (dtype_ == DType::kQuint8) {
      Cut<uint8_t>(context, min, max);
    } else {
      Cut<int32_t>(context, min, max);
    }
    OutputFloat(context, 1, min);
    OutputFloat(context, 2, max);
  }

 private:
  template <class Code>
  void Cut(KernelContext& context, float min, float max) const {
    const Steps<Code> steps(min, max);
    const Code low = steps.Nearest(0), high = at_six ? steps.Nearest(6) : std::numeric_limits<Code>::max();
    const Shape shape = context.input(0).shape();
    const auto* const from = static_cast<const Code*>(context.input(0).raw());
    auto* const to = static_cast<Code*>(context.ForwardOrAllocate(0, 0, dtype_, shape).mutable_raw());
    context.pool().ParallelFor(shape.elements(), GrainFor(1), [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] = std::min(std::max(from[i], low), high);
    });
  }

  const DType dtype_;
};

constexpr KernelRow kRows[] = {
    {"QuantizedRelu", Make<QuantizedReluKernel<false>>},
    {"QuantizedRelu6", Make<QuantizedReluKernel<true>>},
};

}  // namespace

std::span<const KernelRow> QuantizationQuantizedRelu() { return kRows; }

}  // namespace plumb::fast::cpu
