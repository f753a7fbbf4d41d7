// What this thread's kernels do on a device while a section is tried, or captured: the memory that they take, the slots
// in which they leave what they refuse, and whether they do anything that a graph cannot do again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fastpath/accelerator/arena.h"
#include "fastpath/gpu/gpu_context.h"
#include "fastpath/gpu/gpu_device.h"

namespace plumb::fast::GPU_NAMESPACE {

// What was refused while work was captured. Nothing of it has been done.
class NotCaptured : public Error {
 public:
  using Error::Error;
};

class Recording : public TrafficWatch {
 public:
  // A trial: work is done as ever, and the memory is counted that it would take from an arena.
  explicit Recording(GpuDevice& device);
  // A capture: work goes to a stream that captures, and its memory is a part of `block`.
  Recording(GpuDevice& device, Tensor block, Driver::Stream& stream);
  ~Recording() override;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // The one of this thread for the device; null: there is none.
  static Recording* On(const GpuDevice& device) {
    return current_ != nullptr && &current_->device_ == &device ? current_ : nullptr;
  }

  Driver::Stream* stream() const { return stream_; }  // null: the device's own
  Tensor NewTensor(DType dtype, const Shape& shape);
  // In a trial: a capture will take so many bytes here.
  void Reserve(size_t bytes) { static_cast<void>(arena_->Take(bytes)); }
  Global<int64_t> NewSlot(GpuStep& step, Refusal refusal);
  // In a trial the first one is remembered; in a capture, NotCaptured is thrown.
  void OnTraffic(std::string_view what) override;

  // The first thing that no graph can do again; empty: there is none.
  const std::string& why_not() const { return why_not_; }
  // The bytes of an arena for all that was taken so far.
  size_t extent() const { return arena_->extent(); }

  // The slots of a capture, cleared when it is done, and what was refused where a number stands in one.
  struct Slots {
    Tensor block;
    std::vector<Refusal> refusals;
  };
  std::vector<Slots> TakeSlots() { return std::move(slots_); }

 private:
  Slots& SlotsWithRoom();

  inline static thread_local Recording* current_ = nullptr;

  GpuDevice& device_;
  Driver::Stream* const stream_;
  const Tensor block_;
  const std::shared_ptr<Arena> arena_;
  std::vector<Slots> slots_;
  std::string why_not_;
};

}  // namespace plumb::fast::GPU_NAMESPACE
