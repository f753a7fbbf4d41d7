#include "fastpath/session/kernel_cache.h"

namespace plumb::fast {

std::shared_ptr<Kernel> KernelCache::Get(const Node& node, Device& device) {
  if (node.id == NodeId::kNone) return device.MakeKernel(node);
  MutexLock lock(mutex_);
  std::shared_ptr<Kernel>& kernel = kernels_[device.memory()][node.name];
  if (kernel == nullptr) kernel = device.MakeKernel(node);
  return kernel;
}

}  // namespace plumb::fast
