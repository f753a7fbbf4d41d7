#include <unordered_map>

#include "fastpath/device/variant_transfer.h"
#include "fastpath/gpu/topics.h"

namespace plumb::fast::GPU_NAMESPACE {

const GpuKernelRow* FindGpuKernel(std::string_view op) {
  static const auto table = [] {
    std::unordered_map<std::string_view, const GpuKernelRow*> rows;
#define PLUMB_ADD_TOPIC(Topic) \
  for (const GpuKernelRow& row : Topic()) rows.emplace(row.op, &row);
    PLUMB_GPU_TOPICS(PLUMB_ADD_TOPIC)
#undef PLUMB_ADD_TOPIC
    return rows;
  }();
  const auto found = table.find(op);
  return found == table.end() ? nullptr : found->second;
}

ByHost HowOf(const GpuKernelRow& row, const Node& node) {
  return HandlesVariants(node) ? ByHost::kKeepingBooks : row.by_host;
}

bool HasKernelFor(std::string_view op) { return FindGpuKernel(op) != nullptr; }

}  // namespace plumb::fast::GPU_NAMESPACE
