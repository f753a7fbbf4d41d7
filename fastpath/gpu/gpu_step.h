// What a GPU was given to do for one step, and what its kernels refused.
#pragma once

#include <functional>
#include <memory>
#include <string>
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
  static constexpr int kSlotsOfBlock = 64;

  // A slot for a kernel that is about to be queued.
  Global<int64_t> NewSlot(Refusal refusal);
  // The same of the step's own, whatever this thread records.
  Global<int64_t> NewOwnSlot(Refusal refusal);
  // Slots that work which was queued leaves its numbers in: int64, kSlotsOfBlock of them.
  void AddSlots(Tensor block, const std::vector<Refusal>& refusals);
  // The step has launched this section as one, which is said of a failure whose work nobody knows.
  void Replayed(const std::string& section);
  Status WithSections(const Status& failure) const;
  // Copies all slots to the host on the stream, behind all kernels that were queued so far; what is returned looks at
  // them there.
  std::function<void()> QueueExamination(Driver::Stream& stream);

 private:
  struct Slots {
    Tensor block;
    std::vector<Refusal> refusals;
  };
  Status FirstRefused(const std::vector<std::shared_ptr<char>>& copies) const;

  GpuDevice& device_;
  mutable Mutex mutex_;
  bool has_launched_ PLUMB_GUARDED_BY(mutex_) = false;
  std::vector<Slots> slots_ PLUMB_GUARDED_BY(mutex_);
  bool last_has_room_ PLUMB_GUARDED_BY(mutex_) = false;  // for slots of the step's own
  std::vector<std::string> sections_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::GPU_NAMESPACE
