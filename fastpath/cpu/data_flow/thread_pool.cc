// Handles to pools of threads. Nothing here runs on one: kernels share the pool of their session.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/state/named_resource.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class ThreadPoolKernel final : public Kernel {
 public:
  explicit ThreadPoolKernel(const Node& node) : handle_(node, ResourceNameOf(node, node.name), "ThreadPoolResource") {
    const int64_t threads = GetAttr<int64_t>(node.attrs, "num_threads");
    Require(0 <= threads && threads <= UINT16_MAX, "num_threads must lie in [0, ", UINT16_MAX, "], not be ", threads);
    const int64_t inside = GetAttrOr(node.attrs, "max_intra_op_parallelism", int64_t{1});
    Require(inside >= INT32_MIN && inside <= INT32_MAX, "max_intra_op_parallelism must fit into 32 bits, not be ",
            inside);
  }
  void Run(KernelContext& context) override { handle_.Set(context); }

 private:
  const HandleOutput handle_;
};

constexpr KernelRow kRows[] = {
    {"ThreadPoolHandle", Make<ThreadPoolKernel>},
};

}  // namespace

std::span<const KernelRow> DataFlowThreadPool() { return kRows; }

}  // namespace plumb::fast::cpu
