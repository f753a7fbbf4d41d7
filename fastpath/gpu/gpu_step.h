// What a GPU was given to do for one step, and what its kernels refused.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "fastpath/accelerator/driver.h"
#include "fastpath/accelerator/queued_step.h"
#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

class GpuDevice;

// Thread-safe. Kernels that look at values, such as indices, cannot throw: each has a slot of the device's memory, zero
// at first, in which it leaves a number that says what is wrong.
class GpuStep : public QueuedStep {
 public:
  GpuStep(GpuDevice& device, Device::WorkDone failed) : QueuedStep(std::move(failed)), device_(device) {}

  bool is_idle() const override;
  void Launched();
  // A slot for a kernel that is about to be queued.
  Global<int64_t> NewSlot(Refusal refusal);
  // Copies all slots to the host on the stream, behind all kernels that were queued so far; what is returned looks at
  // them there.
  std::function<void()> QueueExamination(Driver::Stream& stream);

 private:
  static constexpr int kSlotsOfBlock = 64;

  GpuDevice& device_;
  mutable Mutex mutex_;
  bool has_launched_ PLUMB_GUARDED_BY(mutex_) = false;
  std::vector<Tensor> blocks_ PLUMB_GUARDED_BY(mutex_);  // int64, kSlotsOfBlock each
  std::vector<Refusal> refusals_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::GPU_NAMESPACE
