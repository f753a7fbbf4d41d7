// Where the generators of stateless ops begin.
#include "fastpath/gpu/lib/random.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class KeyAndCounter final : public GpuKernel {
 public:
  explicit KeyAndCounter(const Node&) {}
  void Run(GpuContext& context) override {
    Tensor key = context.AllocateOutput(0, Shape({1})), counter = context.AllocateOutput(1, Shape({2}));
    QueueScrambling(context, context.input(0), context.ViewOf<uint64_t>(key), context.ViewOf<uint64_t>(counter));
  }
};

constexpr GpuKernelRow kRows[] = {
    {"StatelessRandomGetKeyCounter", Make<KeyAndCounter>},
};

}  // namespace

std::span<const GpuKernelRow> RandomStateless() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
