#include "fastpath/gpu/gpu_recording.h"

#include <utility>

#include "fastpath/gpu/gpu_step.h"

namespace plumb::fast::GPU_NAMESPACE {

Recording::Recording(GpuDevice& device) : device_(device), stream_(nullptr), arena_(std::make_shared<Arena>()) {
  current_ = this;
  Set(this);
}

Recording::Recording(GpuDevice& device, Tensor block, Driver::Stream& stream)
    : device_(device), stream_(&stream), block_(std::move(block)), arena_(std::make_shared<Arena>(block_.bytes())) {
  current_ = this;
  Set(this);
}

Recording::~Recording() {
  current_ = nullptr;
  Set(nullptr);
}

// Who holds a tensor of a trial holds memory of its own; who holds one of a capture holds the block.
Tensor Recording::NewTensor(DType dtype, const Shape& shape) {
  const auto let_go = [](const std::shared_ptr<Arena>& arena, size_t place, const Tensor& held) {
    return [arena, place, held] { arena->GiveBack(place); };
  };
  const Tensor own = stream_ == nullptr ? device_.Accelerator::NewTensor(dtype, shape) : block_;
  const size_t bytes = static_cast<size_t>(shape.elements()) * ElementSize(dtype);
  const std::optional<size_t> place = arena_->Take(bytes);
  if (!place) throw NotCaptured(Code::kResourceExhausted, "the section takes more memory than it did before");
  const DevicePointer memory = AddressOf(own) + (stream_ == nullptr ? 0 : *place);
  return device_.TensorAt(memory, dtype, shape, let_go(arena_, *place, own));
}

Recording::Slots& Recording::SlotsWithRoom() {
  if (slots_.empty() || slots_.back().refusals.size() == GpuStep::kSlotsOfBlock) {
    Tensor block = NewTensor(DType::kInt64, Shape({GpuStep::kSlotsOfBlock}));
    if (stream_ != nullptr) {
      Check(cudaMemsetAsync(block.mutable_raw(), 0, block.bytes(), device_.stream()), "to clear memory");
    }
    slots_.push_back({std::move(block), {}});
  }
  return slots_.back();
}

Global<int64_t> Recording::NewSlot(GpuStep& step, Refusal refusal) {
  Slots& slots = SlotsWithRoom();
  const auto slot = static_cast<int64_t>(slots.refusals.size());
  slots.refusals.push_back(refusal);
  if (stream_ == nullptr) return step.NewOwnSlot(std::move(refusal));
  return Global<int64_t>(static_cast<int64_t*>(slots.block.mutable_raw()) + slot, 1);
}

void Recording::OnTraffic(std::string_view what) {
  if (why_not_.empty()) why_not_ = what;
  if (stream_ != nullptr) throw NotCaptured(Code::kInternal, Str("a node of the section ", what));
}

}  // namespace plumb::fast::GPU_NAMESPACE
