// QuantizedRelu and QuantizedRelu6: codes between two bounds.
#include <algorithm>
#include <limits>
#include <memory>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/quantization/codes.h"

namespace plumb::fast::cpu {
namespace {

template <bool at_six, class Q>
class QuantizedReluKernel final : public Kernel {
  using Code = CodeType<Q>;

 public:
  explicit QuantizedReluKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const float min = ScalarFloat(context, 1), max = ScalarFloat(context, 2);
    const Steps<Code> steps(min, max);
    const Code low = steps.Nearest(0), high = at_six ? steps.Nearest(6) : std::numeric_limits<Code>::max();
    const Shape shape = context.input(0).shape();
    const auto* const from = static_cast<const Code*>(context.input(0).raw());
    auto* const to = static_cast<Code*>(context.ForwardOrAllocate(0, 0, DTypeOf<Q>, shape).mutable_raw());
    context.pool().ParallelFor(shape.elements(), GrainFor(1), [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] = std::min(std::max(from[i], low), high);
    });
    OutputFloat(context, 1, min);
    OutputFloat(context, 2, max);
  }
};

// Codes stay what they are: the output's type is the input's.
template <bool at_six>
std::unique_ptr<Kernel> MakeRelu(const Node& node) {
  const DType type = InputType(node, 0);
  if (OutputType(node, 0) != type) ThrowNoKernel(node);
  if (type == DType::kQuint8) return std::make_unique<QuantizedReluKernel<at_six, Quint8>>(node);
  return std::make_unique<QuantizedReluKernel<at_six, Qint32>>(node);
}

constexpr KernelRow kRows[] = {
    {"QuantizedRelu", MakeRelu<false>},
    {"QuantizedRelu6", MakeRelu<true>},
};

}  // namespace

std::span<const KernelRow> QuantizationQuantizedRelu() { return kRows; }

}  // namespace plumb::fast::cpu
