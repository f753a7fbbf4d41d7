#include "fastpath/session/kernel_cache.h"

namespace plumb::fast {

std::shared_ptr<Kernel> KernelCache::Get(const Node& node) {
  MutexLock lock(mutex_);
  std::shared_ptr<Kernel>& kernel = kernels_[node.name];
  if (kernel == nullptr) {
    const KernelFactory make = FindCpuKernel(node.op->name);
    if (make == nullptr) {
      throw NoKernel(Code::kNotFound, "No registered '", node.op->name, "' kernel on the CPU for node '", node.name,
                     "'");
    }
    kernel = make(node);
  }
  return kernel;
}

}  // namespace plumb::fast
