#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {

void ThrowNoGpuKernel(const Node& node) {
  throw NoKernel(Code::kInvalidArgument, "No registered '", node.op->name, "' kernel for a GPU and the types of node '",
                 node.name, "'");
}

}  // namespace plumb::fast::GPU_NAMESPACE
