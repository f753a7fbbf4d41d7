#include "fastpath/session/kernel_cache.h"

#include "fastpath/execute/reference_kernels.h"

namespace plumb::fast {

std::shared_ptr<Kernel> KernelCache::Get(const Node& node) {
  std::lock_guard lock(mutex_);
  std::shared_ptr<Kernel>& kernel = kernels_[node.name];
  if (kernel == nullptr) {
    const KernelFactory make = FindKernel(node.op->name);
    if (make == nullptr) {
      throw NoKernel(Code::kNotFound, "No registered '", node.op->name, "' kernel on the CPU for node '", node.name,
                     "'");
    }
    kernel = make(node);
  }
  return kernel;
}

void KernelCache::Clear() {
  std::lock_guard lock(mutex_);
  kernels_.clear();
}

}  // namespace plumb::fast
