#include "fastpath/gpu/gpu_step.h"

#include <cstring>
#include <utility>

#include "fastpath/gpu/gpu_device.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Memory of the host for a copy of so many bytes, pinned where there is such.
std::shared_ptr<char> HostBlock(Driver& driver, size_t bytes) {
  if (std::shared_ptr<char> pinned = driver.TakePinned(bytes); pinned != nullptr) return pinned;
  return {new char[bytes], std::default_delete<char[]>()};
}

}  // namespace

bool GpuStep::is_idle() const {
  MutexLock lock(mutex_);
  return !has_launched_;
}

void GpuStep::Launched() {
  MutexLock lock(mutex_);
  has_launched_ = true;
}

Global<int64_t> GpuStep::NewSlot(Refusal refusal) {
  MutexLock lock(mutex_);
  const auto slot = static_cast<int64_t>(refusals_.size()) % kSlotsOfBlock;
  if (slot == 0) {
    Tensor block = device_.NewTensor(DType::kInt64, Shape({kSlotsOfBlock}));
    Check(cudaMemsetAsync(block.mutable_raw(), 0, block.bytes(), device_.stream()), "to clear memory");
    blocks_.push_back(std::move(block));
  }
  refusals_.push_back(std::move(refusal));
  return Global<int64_t>(static_cast<int64_t*>(blocks_.back().mutable_raw()) + slot, 1);
}

std::function<void()> GpuStep::QueueExamination(Driver::Stream& stream) {
  MutexLock lock(mutex_);
  if (blocks_.empty()) return [] {};
  device_.driver().Wait(stream, device_.driver().Record(device_.kernels()));  // clearing the newest block included
  std::vector<std::shared_ptr<char>> copies;
  for (const Tensor& block : blocks_) {
    copies.push_back(HostBlock(device_.driver(), block.bytes()));
    device_.driver().CopyToHost(stream, copies.back().get(), AddressOf(block), block.bytes());
  }
  return [this, copies = std::move(copies)] {
    Status refused;
    {
      MutexLock inner(mutex_);
      for (size_t i = 0; i < copies.size() * kSlotsOfBlock && i < refusals_.size() && refused.ok(); ++i) {
        int64_t number = 0;
        std::memcpy(&number, copies[i / kSlotsOfBlock].get() + i % kSlotsOfBlock * sizeof(number), sizeof(number));
        if (number != 0) refused = refusals_[i](number);
      }
    }
    if (!refused.ok()) Fail(refused);
  };
}

}  // namespace plumb::fast::GPU_NAMESPACE
