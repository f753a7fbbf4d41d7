// QuantizedRelu and QuantizedRelu6: bytes between two bounds.
#include <algorithm>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/quantization/codes.h"

namespace plumb::fast::cpu {
namespace {

template <bool at_six>
class QuantizedReluKernel final : public Kernel {
 public:
  explicit QuantizedReluKernel(const Node& node) {
    if (InputType(node, 0) != DType::kQuint8 || OutputType(node, 0) != DType::kQuint8) ThrowNoKernel(node);
  }

  void Run(KernelContext& context) override {
    const float min = ScalarFloat(context, 1), max = ScalarFloat(context, 2);
    const Steps<uint8_t> steps(min, max);
    const uint8_t low = steps.Nearest(0), high = at_six ? steps.Nearest(6) : UINT8_MAX;
    const Shape shape = context.input(0).shape();
    const auto* const from = static_cast<const uint8_t*>(context.input(0).raw());
    auto* const to = static_cast<uint8_t*>(context.ForwardOrAllocate(0, 0, DType::kQuint8, shape).mutable_raw());
    context.pool().ParallelFor(shape.elements(), GrainFor(1), [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] = std::min(std::max(from[i], low), high);
    });
    OutputFloat(context, 1, min);
    OutputFloat(context, 2, max);
  }
};

constexpr KernelRow kRows[] = {
    {"QuantizedRelu", Make<QuantizedReluKernel<false>>},
    {"QuantizedRelu6", Make<QuantizedReluKernel<true>>},
};

}  // namespace

std::span<const KernelRow> QuantizationQuantizedRelu() { return kRows; }

}  // namespace plumb::fast::cpu
