// Handles to pools of threads. No op here runs on one, so there is nothing behind the handle.
#include "reference/kernel/op_context.h"
#include "reference/kernel/variables.h"

namespace plumb::reference {
namespace {

constexpr int64_t kThreadLimit = 65536;

void CheckThreads(const Node& node) {
  const int64_t threads = GetAttr<int64_t>(node.attrs, "num_threads");
  Require(threads >= 0 && threads < kThreadLimit, "node '", node.name, "': num_threads must be at least 0 and below ",
          kThreadLimit, ", not ", threads);
  const int64_t inside = GetAttrOr<int64_t>(node.attrs, "max_intra_op_parallelism", 1);
  Require(inside == static_cast<int32_t>(inside), "node '", node.name,
          "': max_intra_op_parallelism is of 32 bits, not ", inside);
}

// The handle names the node where nothing else is said (R2).
void ThreadPoolHandle(OpContext& c) {
  const std::string shared_name = SharedNameOf(c.node);
  ResourceHandle handle;
  handle.device = c.node.device;
  handle.container = ContainerOf(c.node);
  handle.name = shared_name.empty() ? c.node.name : shared_name;
  handle.type_name = "ThreadPoolResource";
  c.Output(0, MakeScalar(std::move(handle)));
}

constexpr KernelRow kRows[] = {
    {"ThreadPoolHandle", ThreadPoolHandle, CheckThreads},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowThreadPool() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
