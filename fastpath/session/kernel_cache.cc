#include "fastpath/session/kernel_cache.h"

namespace plumb::fast {

std::shared_ptr<Kernel> KernelCache::Get(const Node& node, Device& device) {
  if (node.id == NodeId::kNone) return device.MakeKernel(node);
  MutexLock lock(mutex_);
  auto& kernels = kernels_[device.memory()];
  if (const auto found = kernels.find(node.name); found != kernels.end()) return found->second;
  const std::shared_ptr<Kernel> kernel = device.MakeKernel(node);
  const std::string path = PathPart(node.name) + "/";
  const auto saved = restored_.lower_bound(path);
  if (saved != restored_.end() && saved->first.starts_with(path)) kernel->Restore(StateReader(restored_, path));
  kernels.emplace(node.name, kernel);
  return kernel;
}

void KernelCache::Save(const StateWriter& writer, bool only_made) {
  MutexLock lock(mutex_);
  if (!only_made) {
    for (const auto& [path, value] : restored_) writer.Put(path, value);
  }
  for (const auto& [space, kernels] : kernels_) {
    for (const auto& [node, kernel] : kernels) kernel->Save(writer.Under(PathPart(node)));
  }
}

void KernelCache::Restore(SavedState state) {
  MutexLock lock(mutex_);
  restored_ = std::move(state);
}

}  // namespace plumb::fast
