#include "fastpath/gpu/gpu_step.h"

#include <cstring>
#include <utility>

#include "fastpath/gpu/gpu_device.h"
#include "fastpath/gpu/gpu_recording.h"

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
  if (Recording* const recording = Recording::On(device_)) return recording->NewSlot(*this, std::move(refusal));
  return NewOwnSlot(std::move(refusal));
}

Global<int64_t> GpuStep::NewOwnSlot(Refusal refusal) {
  MutexLock lock(mutex_);
  if (!last_has_room_) {
    Tensor block = device_.Accelerator::NewTensor(DType::kInt64, Shape({kSlotsOfBlock}));
    Check(cudaMemsetAsync(block.mutable_raw(), 0, block.bytes(), device_.stream()), "to clear memory");
    slots_.push_back({std::move(block), {}});
  }
  Slots& last = slots_.back();
  const auto slot = static_cast<int64_t>(last.refusals.size());
  last.refusals.push_back(std::move(refusal));
  last_has_room_ = last.refusals.size() < kSlotsOfBlock;
  return Global<int64_t>(static_cast<int64_t*>(last.block.mutable_raw()) + slot, 1);
}

void GpuStep::AddSlots(Tensor block, const std::vector<Refusal>& refusals) {
  MutexLock lock(mutex_);
  slots_.push_back({std::move(block), refusals});
  last_has_room_ = false;
}

void GpuStep::Replayed(const std::string& section) {
  MutexLock lock(mutex_);
  sections_.push_back(section);
}

Status GpuStep::WithSections(const Status& failure) const {
  MutexLock lock(mutex_);
  if (failure.ok() || sections_.empty()) return failure;
  std::string names;
  for (const std::string& section : sections_) names += (names.empty() ? "" : ", ") + section;
  return failure.WithMessage(Str(failure.message(), "; the step had launched as graphs: ", names));
}

Status GpuStep::FirstRefused(const std::vector<std::shared_ptr<char>>& copies) const {
  MutexLock lock(mutex_);
  for (size_t block = 0; block < copies.size(); ++block) {
    const std::vector<Refusal>& refusals = slots_[block].refusals;
    for (size_t i = 0; i < refusals.size(); ++i) {
      int64_t number = 0;
      std::memcpy(&number, copies[block].get() + i * sizeof(number), sizeof(number));
      if (number != 0) return refusals[i](number);
    }
  }
  return OkStatus();
}

std::function<void()> GpuStep::QueueExamination(Driver::Stream& stream) {
  MutexLock lock(mutex_);
  if (slots_.empty()) return [] {};
  device_.driver().Wait(stream, device_.driver().Record(device_.kernels()));  // clearing the newest block included
  std::vector<std::shared_ptr<char>> copies;
  for (const Slots& slots : slots_) {
    copies.push_back(HostBlock(device_.driver(), slots.block.bytes()));
    device_.driver().CopyToHost(stream, copies.back().get(), AddressOf(slots.block), slots.block.bytes());
  }
  return [this, copies = std::move(copies)] {
    if (const Status refused = FirstRefused(copies); !refused.ok()) Fail(refused);
  };
}

}  // namespace plumb::fast::GPU_NAMESPACE
