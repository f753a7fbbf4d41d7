#include "mpi/worker/tracing.h"

#include <string_view>
#include <unordered_set>

#include "spec/ops/catalogue.h"

namespace plumb::dist {
namespace {

// What is sent leaves at once.
bool Waits(const fast::PlanNode& node, const fast::PlanNodeInfo& info) {
  const OpDef* const op = FindOp(info.op);
  return node.kind == fast::NodeKind::kAsyncKernel && (op == nullptr || op->kind != OpKind::kSend);
}

}  // namespace

void MarkWaits(const fast::Plan& plan, RunMetadata& metadata) {
  std::unordered_set<std::string_view> waiting;
  for (size_t i = 0; i < plan.nodes.size(); ++i) {
    if (Waits(plan.nodes[i], plan.info[i])) waiting.insert(plan.info[i].name);
  }
  for (DeviceStats& device : metadata.step_stats) {
    for (NodeStats& node : device.nodes) {
      if (waiting.contains(node.node)) node.start_ns = node.end_ns;
    }
  }
}

}  // namespace plumb::dist
